// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The search for a free place: rings of places round p, from the smallest on. On the first ring
// that has free places, each is moved towards p by halving what lies between, as long as it stays
// free, and the nearest wins.

#include "move/free_place.h"

#include "geom/fixed.h"
#include "geom/segment.h"
#include "move/slide.h"
#include "space/wall_cells.h"
#include "throng/math.h"

#include <math.h>

#define RINGS 64
#define HALVINGS 12

static bool isOffWalls(const thWallGrid* walls, int32_t level, thPoint p, float radius)
{
    const double least = thiLeastDistance(radius);
    const thBand* band = thiFindBand(walls, level);
    const thBox box = thiBoxAround(p, p, (int64_t)least + 1);
    thCellBox cells;
    if (band == NULL || !thiClipBox(band, walls->shift, box, &cells))
        return true;
    thBoxWalk walk = thiBeginBoxWalk(walls, band, cells);
    for (int32_t segment = thiNextSegment(&walk); segment >= 0; segment = thiNextSegment(&walk)) {
        const thPoint a = thiSegmentStart(walls, segment), b = thiSegmentEnd(walls, segment);
        if (!thiBoxMeetsSegment(&box, a, b))
            continue;
        const thOffset offset = thiOffsetToSegment(p, a, b);
        if (offset.x * offset.x + offset.y * offset.y < least * least || thiPointOnSegment(p, a, b))
            return false;
    }
    return true;
}

bool thiIsFreePlace(const thWallGrid* walls, int32_t level, thPoint p, float radius)
{
    return isOffWalls(walls, level, p, radius) && !thiIsInSolid(walls, level, p.x, p.y);
}

typedef struct Search {
    const thWallGrid* walls;
    int32_t level;
    thPoint from;
    float radius;
    bool mustSee; // the place from where it starts
} Search;

static bool isCandidate(const Search* search, thPoint p)
{
    if (!thiIsFreePlace(search->walls, search->level, p, search->radius))
        return false;
    return !search->mustSee ||
           !thiWallsHide(search->walls, search->level, search->from.x, search->from.y, p.x, p.y);
}

// A free place between one and where the search started, as near to the latter as halving finds.
static thPoint drawNear(const Search* search, thPoint place)
{
    thPoint blocked = search->from;
    for (int32_t i = 0; i < HALVINGS; ++i) {
        const thPoint middle = {(int32_t)(((int64_t)blocked.x + place.x) / 2),
                                (int32_t)(((int64_t)blocked.y + place.y) / 2)};
        if (isCandidate(search, middle))
            place = middle;
        else
            blocked = middle;
    }
    return place;
}

static int64_t squareBetween(thPoint a, thPoint b)
{
    const int64_t dx = (int64_t)b.x - a.x, dy = (int64_t)b.y - a.y;
    return dx * dx + dy * dy;
}

// The best place that a ring leads to.
static bool searchRing(const Search* search, double ring, int32_t directions, thPoint* best)
{
    bool found = false;
    for (int32_t i = 0; i < directions; ++i) {
        float sine, cosine;
        thSinCos(6.2831853f * (float)i / (float)directions, &sine, &cosine);
        const double x = search->from.x + ring * (double)cosine;
        const double y = search->from.y + ring * (double)sine;
        if (TH_MAX(x, -x) > TH_MAX_UNITS || TH_MAX(y, -y) > TH_MAX_UNITS)
            continue;
        const thPoint p = {(int32_t)x, (int32_t)y};
        if (!isCandidate(search, p))
            continue;
        const thPoint place = drawNear(search, p);
        if (!found || squareBetween(search->from, place) < squareBetween(search->from, *best))
            *best = place;
        found = true;
    }
    return found;
}

// How far nothing can be free round a place in solid: as far as the nearest wall. [units]
static double solidRound(const thWallGrid* walls, int32_t level, thPoint p, float distance)
{
    thNearWall nearest;
    if (thiNearestWalls(walls, level, p.x, p.y, distance, -1.0f, 1, &nearest, 1) == 0)
        return INFINITY;
    return 0.999 * sqrt((double)nearest.distanceSq) * THRONG_UNITS_PER_METRE;
}

bool thiFindFreePlace(const thWallGrid* walls, int32_t level, thPoint p, float radius,
                      float distance, thPoint* place)
{
    *place = p;
    if (thiIsFreePlace(walls, level, p, radius))
        return true;
    const bool onWall = !isOffWalls(walls, level, p, 0.0f);
    const bool inSolid = !onWall && thiIsInSolid(walls, level, p.x, p.y);
    const Search search = {walls, level, p, radius, !onWall && !inSolid};
    const double solid = inSolid ? solidRound(walls, level, p, distance) : 0.0;
    // Far from anywhere rings are wider, so that the search does not take forever.
    const double reach = (double)TH_MIN(distance, (float)THRONG_MAX_COORDINATE) * TH_UNITS;
    const double spacing = TH_MAX((double)radius * TH_UNITS * 0.125, reach / RINGS);
    if (!(reach > 0.0))
        return false;
    for (int32_t k = 1; k <= RINGS; ++k) {
        const double ring = TH_MIN(k * spacing, reach);
        if (ring > solid && searchRing(&search, ring, TH_MIN(8 * k, 256), place))
            return true;
        if (ring == reach)
            return false;
    }
    return false;
}
