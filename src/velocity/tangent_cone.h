// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The directions that lead into a set of discs, taken for one: those between its outermost
// tangents, which need not be those of the discs that stand outermost. The velocities that lead
// there are a cone with its apex at the velocity of the set.

#ifndef THRONG_SRC_VELOCITY_TANGENT_CONE_H
#define THRONG_SRC_VELOCITY_TANGENT_CONE_H

#include "velocity/outside_regions.h"

// All directions to the left of `right` and to the right of `left`, which are of length 1.
typedef struct thTangentCone {
    thVec2 left, right;
    thVec2 front;   // of length 1
    float distance; // everything is at least so far along `front` [m]
} thTangentCone;

// The outermost tangents so far.
typedef struct thTangentSweep {
    thVec2 ahead; // a direction that leads to what is swept over
    float leftTurn, rightTurn;
    thVec2 left, right;
    bool isAround;
} thTangentSweep;

// From the origin. `ahead` leads into the hull of what comes, such as to its middle.
thTangentSweep thiBeginSweep(thVec2 ahead);
void thiSweepDisc(thTangentSweep* sweep, thVec2 middle, float radius);
// All of a cone but its front. False if the discs are all around.
bool thiEndSweep(const thTangentSweep* sweep, thTangentCone* cone);

// The same, where the discs that the outermost tangents touch are known, and none is all around.
bool thiConeBetween(thVec2 leftMiddle, float leftRadius, thVec2 rightMiddle, float rightRadius,
                    thTangentCone* cone);

// The sides of a cone's region.
enum { th_coneRight = 0, th_coneLeft = 1, th_coneFront = 2 };

// The velocities that lead into it within a time. [s; 0: ever]
thRegion thiConeRegion(const thTangentCone* cone, thVec2 velocity, float horizon);

#endif
