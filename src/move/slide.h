// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The last word on every move: a disc among static walls. Whatever came before, centres never cross
// a wall and discs are never deeper than TH_WALL_SLOP in one.

#ifndef THRONG_SRC_MOVE_SLIDE_H
#define THRONG_SRC_MOVE_SLIDE_H

#include "geom/fixed.h"
#include "geom/segment.h"
#include "space/walls.h"

// How deep a disc may be in a wall: 2^-13 m. [units]
#define TH_WALL_SLOP 8

// The distance from walls that is asked of a disc, as computed: a little more than promised, which
// covers any error. [units]
static inline double thiLeastDistance(float radius)
{
    return TH_MAX((double)radius * THRONG_UNITS_PER_METRE - TH_WALL_SLOP + 0x1p-8, 0.0);
}

// Where a disc of `radius` metres comes to that wants to go from `from` straight to `to`, both
// within the world. It goes there if nothing is in the way, and otherwise slides along walls as far
// as the same time lets it. Both sides of every segment are solid.
//
// The centre does not cross or touch a wall, unless it stood on one: then it leaves it to the free
// side. It comes no nearer to a wall than `radius` − TH_WALL_SLOP, or than it was at `from` if that
// was nearer already. Staying put is always possible. The result depends on the set of segments of
// the level only.
thPoint thiSlide(const thWallGrid* walls, int32_t level, thPoint from, thPoint to, float radius);

// The most legs of a move. The inside of a round wall of short pieces takes a leg for each.
#define TH_MAX_LEGS 16

// The same, and how it gets there: writes the ends of the straight legs, of which the last is the
// result, and returns how many there are, at least 1.
int32_t thiSlidePath(const thWallGrid* walls, int32_t level, thPoint from, thPoint to, float radius,
                     thPoint path[TH_MAX_LEGS]);

#endif
