// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where agents may stand when they are created or put somewhere. Walls bind those that the world
// moves; the host puts its own where it likes.

#include "move/free_place.h"
#include "sim/ranges.h"
#include "sim/world_internal.h"

// The first search goes as far as this, where most places are, and each further one goes on.
#define FIRST_REACH 0.5f // at least [m]
#define FIRST_RADII 8.0f
#define FURTHER 4.0f // times as far as the one before

// A wider search has wider rings, so the nearest places are found by the first that succeeds.
static bool findNearest(const thWallGrid* walls, int32_t level, float radius, thPoint* place)
{
    const thPoint wanted = *place;
    float reach = TH_MAX(FIRST_RADII * radius, FIRST_REACH);
    for (; reach < TH_PLACEMENT_REACH; reach *= FURTHER)
        if (thiFindFreePlace(walls, level, wanted, radius, reach, place))
            return true;
    return thiFindFreePlace(walls, level, wanted, radius, TH_PLACEMENT_REACH, place);
}

bool thiFindStand(const thWorld* world, const thStand* stand, thPlacement placement, thPoint* place)
{
    TH_ASSERT(!world->walls.changed);
    if (!thiIsMovedByWorld(stand->flags) || thiWallGridWalls(world->walls.grid)->count == 0 ||
        thiIsFreePlace(world->walls.grid, stand->level, *place, stand->radius))
        return true;
    return placement == th_placementNearest &&
           findNearest(world->walls.grid, stand->level, stand->radius, place);
}

bool thiIsPlacement(thPlacement placement)
{
    return placement == th_placementRefuse || placement == th_placementNearest;
}
