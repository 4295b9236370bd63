// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What neighbours and walls forbid an agent by method `clearpath`, as convex regions of velocities.

#ifndef THRONG_SRC_AVOID_CLEARPATH_REGIONS_H
#define THRONG_SRC_AVOID_CLEARPATH_REGIONS_H

#include "geom/body_shape.h"
#include "throng/clearpath.h"
#include "velocity/outside_regions.h"

// Nearer than this, two are on one point. [m]
#define TH_CLEARPATH_ONE_POINT 1.0e-6f

// The agent itself.
typedef struct thClearpathOwn {
    thVec2 velocity;
    float maxSpeed, dt;
    thDisc reachable; // velocities it can have after the step
} thClearpathOwn;

// A neighbour, or a moving disc for which the agent gives all the way.
typedef struct thClearpathOther {
    thVec2 p, velocity;
    float both, share;            // both radii; the agent's share of giving way
    bool isFirst;                 // if both are on one point: it goes to the left
    const thClearance* clearance; // of their shapes, if one of both has one; NULL: both are discs
} thClearpathOther;

// A wall: a segment with a velocity.
typedef struct thClearpathEdge {
    thVec2 a, b, velocity;
    float both;                   // its thickness and the agent's radius
    const thClearance* clearance; // of the agent's shape, if it has one; NULL: it is a disc
} thClearpathEdge;

// Also of points that are on one place.
bool thiClearpathOverlaps(const thClearpathOther* other);

// The truncated cone of a neighbour that is apart: right leg, left leg, cap. That of shapes is
// never round.
thRegion thiClearpathCone(const thClearpathOwn* own, const thClearpathOther* other, float horizon,
                          bool round, bool hybrid);

// The other side of a neighbour than the one that present velocities lead to. Both who meet head-on
// keep to the right, or to the left.
thRegion thiClearpathOtherSide(const thClearpathOwn* own, const thClearpathOther* other,
                               bool keepsLeft);

// The side of the cone that relative velocities are furthest outside of, or least inside of: both
// agents choose the same one; of both legs, if they are equally good, the one by which they keep to
// the right, or to the left.
thRegion thiClearpathFace(const thClearpathOwn* own, const thClearpathOther* other, float horizon,
                          bool keepsLeft);

// What a neighbour forbids that overlaps. Shapes part the shortest way, whatever the rule.
// [rule: not th_clearpathAuto]
thRegion thiClearpathParting(const thClearpathOwn* own, const thClearpathOther* other,
                             thClearpathOverlap rule);

// What a wall forbids. False where it goes through the agent's centre, so that no way is out.
bool thiClearpathWallRegion(const thClearpathEdge* wall, float horizon, thRegion* region);

// The side of a region that a velocity is furthest outside of, or least inside of, alone.
thRegion thiClearpathSideAt(const thRegion* region, thVec2 velocity);

// Agents that are convex polygons.

// A polygon, or a disc.
typedef struct thClearpathBody {
    const thBodyShape* shape; // NULL: a disc
    float heading;            // of a polygon
    float radius;             // of a disc
} thClearpathBody;

// How an agent stands to another one at p, one of them a polygon at least. [isFirst: as of
// thClearpathOther]
thClearance thiClearpathPair(const thClearpathBody* own, const thClearpathBody* other, thVec2 p,
                             bool isFirst);

// How a polygon stands to a segment with a thickness.
thClearance thiClearpathShapeAtWall(const thClearpathBody* own, thVec2 a, thVec2 b, float radius);

#endif
