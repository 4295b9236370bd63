// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Questions a host asks between steps. They see the world as it is now, changes included, and may
/// be asked by many threads at once. Centres and ends of rays are taken to the nearest 2⁻¹⁶ m; then
/// answers are exact. Radii and boxes may be infinite.

#ifndef THRONG_QUERY_H
#define THRONG_QUERY_H

#include "throng/world.h"

/// Which agents a query takes notice of.
typedef struct thQueryFilter {
    /// Floor.
    int32_t level;
    /// Layers; agents on none of them are left out.
    uint32_t mask;
} thQueryFilter;

/// Level 0 and all layers.
THRONG_API thQueryFilter thDefaultQueryFilter(void);

/// Agents whose centre is within `radius` of a point, in the order of keys. Writes the first
/// `capacity` ids (NULL when that is 0) and returns how many there are in all. [m]
THRONG_API int32_t thWorld_AgentsInDisc(const thWorld* world, thVec2 center, float radius,
                                        thQueryFilter filter, thAgentId* ids, int32_t capacity);

/// Agents whose centre is in a box, bounds included; like `thWorld_AgentsInDisc`. [m]
THRONG_API int32_t thWorld_AgentsInBox(const thWorld* world, thVec2 low, thVec2 high,
                                       thQueryFilter filter, thAgentId* ids, int32_t capacity);

/// The `count` agents nearest to a point and not further than `radius`, nearest first, equal ones
/// by key. Returns how many were written. [m]
THRONG_API int32_t thWorld_NearestAgents(const thWorld* world, thVec2 point, float radius,
                                         thQueryFilter filter, thAgentId* ids, int32_t count);

/// What a ray met.
typedef struct thRayHit {
    /// Share of the way. [0 .. 1; 1 when nothing is in the way]
    float fraction;
    /// Where. [m]
    thVec2 point;
    /// Unit vector out of the wall, towards where the ray came from; against the ray where that
    /// runs along the wall.
    thVec2 normal;
    /// The obstacle; null when nothing is in the way.
    thObstacleId obstacle;
} thRayHit;

/// The first static wall on the way from one point to another. Touching counts. Without memory to
/// bring the walls up to date the way ends at once, at no obstacle. [m]
THRONG_API thRayHit thWorld_CastRay(const thWorld* world, thVec2 from, thVec2 to, int32_t level);

/// Whether a body may stand somewhere: 1 if an agent that the world moves could be created or put
/// there, 0 if static walls are in its way. Other agents are not looked at. Without memory to bring
/// the walls up to date it may not. [m, radius 0 .. 100]
THRONG_API int32_t thWorld_IsFree(const thWorld* world, thVec2 center, float radius, int32_t level);

#endif
