// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `social-force`: its kernel and what that works on.

#ifndef THRONG_SRC_AVOID_SOCIAL_FORCE_H
#define THRONG_SRC_AVOID_SOCIAL_FORCE_H

#include "throng/social_force.h"
#include "velocity/kernel_input.h"

// How the force between two depends on where they are.
typedef enum thForceShape {
    th_forceCircle,  // on the gap between bodies
    th_forceStrides, // on an ellipse round both, and where the other one will be
    th_forceMeeting, // on an ellipse round both, and where the other one will be for the agent
} thForceShape;

// Walls that may hold an agent without limit.
#define NO_HOLD 1.0e6f

// Parameters with those of the set filled in.
typedef struct thForceModel {
    float strength, range, behind, wallStrength, wallRange, moverBehind;
    float relaxation, attraction, most, body, friction;
    thForceShape shape;
    float bodies; // 1: distances are those between bodies; 0: of centres
    float stride; // how far ahead ellipses reach [s]
    float sight; // cosine of the angle to which all is felt, and behind that `behind`; −2: it falls
    float hold; // the share of the drive that walls may take; NO_HOLD: all and more
    float keep; // how far the agent bends to the right; negative: to the left
} thForceModel;

// `contacts`: something else keeps bodies apart.
thForceModel thiSocialForceModel(const thSocialForceDef* def, bool contacts);

typedef struct thSocialForceTask {
    thSurroundings around;
    thForceModel model;
    const int32_t* isFellow;                    // of neighbours; NULL: nobody is
    float *firstX, *firstY;                     // velocity at the beginning
    float *endX, *endY;                         // velocity at the end
    float *wallX, *wallY, *wallNear, *wallFelt; // room for wallMax · TH_MAX_WIDTH each
} thSocialForceTask;

typedef void thSocialForceFcn(const thSocialForceTask* task);
TH_KERNEL_DECLARE(thiSocialForce, void, (const thSocialForceTask* task));

// What acts on an agent at the beginning of the step.
typedef struct thForceTale {
    thVec2* ofNeighbors; // one for each
    float* ofWalls;      // x and y for each
    thVec2 wanted;       // bent to a side
    thVec2 drive;        // towards that
    thVec2 takenBack;    // of what walls do together
    int32_t parts;       // of the step
} thForceTale;

// By the scalar kernel's own functions.
void thiSocialForceTell_scalar(const thSocialForceTask* task, int32_t lane, thForceTale* tale);

#endif
