// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How somebody slides who must not cross a line. What would lead over it is aimed before it and
// tried again; staying is always possible.

#include "move/gate_lines.h"

#include "geom/fixed.h"
#include "move/slide.h"

#include <math.h>

#define TRIES 3
#define STOPS_BEFORE 1024.0 // how far before the line: 2^-6 m [units]
#define LEAST_BEFORE 2.0    // also of those who stand on it: places are rounded [units]

// A line of a row that a straight way leads over; −1: none.
static int32_t crossedBy(const thGateLines* lines, int32_t row, thPoint p, thPoint q)
{
    for (int32_t i = lines->first[row]; i >= 0; i = lines->lines[i].next)
        if (thiLeadsOver(lines->lines[i].a, lines->lines[i].b, p, q))
            return i;
    return -1;
}

// The line that the legs of a way lead over first, or the straight way to its end, as who looks on
// sees it; −1: none.
static int32_t firstCrossed(const thGateLines* lines, int32_t row, thPoint from,
                            const thPoint* path, int32_t legs)
{
    int32_t crossed = crossedBy(lines, row, from, path[0]);
    for (int32_t leg = 1; leg < legs && crossed < 0; ++leg)
        crossed = crossedBy(lines, row, path[leg - 1], path[leg]);
    return crossed < 0 && legs > 1 ? crossedBy(lines, row, from, path[legs - 1]) : crossed;
}

static double heightOver(const thGateLine* line, thOffset along, thPoint p)
{
    return along.x * ((double)p.y - line->a.y) - along.y * ((double)p.x - line->a.x);
}

static int32_t withinWorld(double at)
{
    return (int32_t)TH_MIN(TH_MAX(floor(at + 0.5), -(double)TH_MAX_UNITS), (double)TH_MAX_UNITS);
}

// The nearest place to `to` that is just before the line, on the side of `from`.
static thPoint stopBefore(const thGateLine* line, thPoint from, thPoint to)
{
    const thOffset along = {(double)line->b.x - line->a.x, (double)line->b.y - line->a.y};
    const double length = sqrt(along.x * along.x + along.y * along.y); // at least 1
    const double distance = fabs(heightOver(line, along, from)) / length;
    const double before = TH_MAX(TH_MIN(distance, STOPS_BEFORE), LEAST_BEFORE);
    const double wanted = thiIsLeftOf(line->a, line->b, from) ? before : -before;
    const double shift = wanted - heightOver(line, along, to) / length;
    return (thPoint){withinWorld(to.x - shift * along.y / length),
                     withinWorld(to.y + shift * along.x / length)};
}

thPoint thiSlideHeld(const thWallGrid* walls, int32_t level, thPoint from, thPoint to, float radius,
                     const thGateLines* lines, int32_t row)
{
    for (int32_t try = 0; try < TRIES; ++try) {
        thPoint path[TH_MAX_LEGS];
        const int32_t legs = thiSlidePath(walls, level, from, to, radius, path);
        const int32_t crossed = firstCrossed(lines, row, from, path, legs);
        if (crossed < 0)
            return path[legs - 1];
        to = stopBefore(&lines->lines[crossed], from, to);
    }
    return from;
}
