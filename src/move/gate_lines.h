// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Lines that some agents must not cross in a step, and how they slide along these and along walls.

#ifndef THRONG_SRC_MOVE_GATE_LINES_H
#define THRONG_SRC_MOVE_GATE_LINES_H

#include "geom/segment.h"
#include "space/walls.h"

typedef struct thGateLine {
    thPoint a, b;
    int32_t next; // another line for the same agent; −1: there is none
} thGateLine;

// Who must not cross what.
typedef struct thGateLines {
    const int32_t* first; // by row; −1: it may cross all. NULL: so may everybody
    const thGateLine* lines;
} thGateLines;

static inline bool thiIsHeld(const thGateLines* lines, int32_t row)
{
    return lines->first != NULL && lines->first[row] >= 0;
}

// Whether a point is to the left of the line through a and b; what is on it belongs to the right,
// as when surveys count who crosses.
static inline bool thiIsLeftOf(thPoint a, thPoint b, thPoint p)
{
    return thiOrientation(a, b, p) > 0;
}

// Whether the straight way from p to q leads over the line, from one side to the other.
static inline bool thiLeadsOver(thPoint a, thPoint b, thPoint p, thPoint q)
{
    return thiIsLeftOf(a, b, p) != thiIsLeftOf(a, b, q) && thiSegmentsTouch(p, q, a, b);
}

// As thiSlide, for a row that is held: it stops a little before its lines, on the side where it is,
// and slides along them.
thPoint thiSlideHeld(const thWallGrid* walls, int32_t level, thPoint from, thPoint to, float radius,
                     const thGateLines* lines, int32_t row);

#endif
