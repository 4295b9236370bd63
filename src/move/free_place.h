// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Places among the static walls where a body may stand. For agents that are created, moved by the
// host, or walled in by a new obstacle.

#ifndef THRONG_SRC_MOVE_FREE_PLACE_H
#define THRONG_SRC_MOVE_FREE_PLACE_H

#include "geom/segment.h"
#include "space/walls.h"

// Whether a disc of `radius` metres may stand at p: its centre is neither on a wall nor in solid,
// and no wall is deeper in it than TH_WALL_SLOP. Both parts are exact in the sense of slide.h and
// walls.h: where it says yes, thiSlide never lets the disc become deeper than the slop.
bool thiIsFreePlace(const thWallGrid* walls, int32_t level, thPoint p, float radius);

// A free place within `distance` metres of p, and near it: p itself if that is free, otherwise the
// best of what a search on rings finds. If p is neither on a wall nor in solid, no wall is between
// the two. False if none is found; gaps that leave less than about a tenth of the radius to spare
// may be missed. The place is within the world.
bool thiFindFreePlace(const thWallGrid* walls, int32_t level, thPoint p, float radius,
                      float distance, thPoint* place);

#endif
