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

/// Where a path is to lead, and for whom.
typedef struct thPathQuery {
    /// Size of this struct. [bytes, set by thDefaultPathQuery]
    uint32_t size;
    /// The planner that is asked. [default "direct"]
    thMethodUse plan;
    /// Where the path begins. [m]
    thVec2 from;
    /// Where it is to lead. [m]
    thVec2 to;
    /// Radius of the body. [m, 0 .. 100, default 0.25]
    float radius;
    /// Floor. [0 .. 65535, default 0]
    int32_t level;
} thPathQuery;

/// A query with every field at its default.
THRONG_API thPathQuery thDefaultPathQuery(void);

/// Finds a path, without an agent and without a step: complete, partial or none, with its length
/// and the first `capacity` of its points. Agents are not looked at, crowding neither. Graphs and
/// grids of the planner are kept for the next question to the same planner with the same
/// parameters; nothing of the world that steps depend on changes. So unlike other questions this
/// one is for one thread at a time. th_resultUnavailable, told to `error` unless that is NULL, when
/// there is no such planner or it cannot tell paths; pending is an answer only of planners that
/// never end. [m]
THRONG_API thResult thWorld_FindPath(thWorld* world, const thPathQuery* query, thVec2* points,
                                     int32_t capacity, thPath* path, thError* error);

#endif
