// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Steering behaviours. Planner and avoidance method `steer` are both made of them; what differs is
// where the wanted velocity comes from and where the new one goes.

#ifndef THRONG_SRC_STEER_STEER_H
#define THRONG_SRC_STEER_STEER_H

#include "base/core.h"
#include "geom/vec2.h"
#include "throng/steer.h"

#include <math.h>

// The behaviours, in the order in which they are summed up.
typedef enum thSteerPart {
    th_partSeek,
    th_partSeparation,
    th_partDodge,
    th_partWalls,
    th_partAlignment,
    th_partCohesion,
    th_partWander,
    th_partPursue,
    th_partFlee,
    th_partEvade,
    th_partFollow,
    th_partCount,
} thSteerPart;

// The path of a batch: nodes of a roadmap, joined in their order.
typedef struct thSteerPath {
    int32_t segments; // 0: none
    bool closed;      // the last node is joined with the first
    thRoadmap map;
} thSteerPath;

// One agent, and how it steers.
typedef struct thSteerer {
    const thBatch* batch;
    const thSteerDef* def;
    const thSteerPath* path;
    int32_t lane, row;
    thVec2 velocity;
    thVec2 facing; // unit vector
    thVec2 wanted; // what it seeks: a velocity
    float lasts;   // how long its acceleration is taken to last: a step, unless said otherwise [s]
} thSteerer;

// A vector, shortened if it is longer than that.
static inline thVec2 thiSteerCut(thVec2 a, float most)
{
    const float length = sqrtf(thiDot(a, a));
    return length > most ? thiScale(most / length, a) : a;
}

// The velocity with which to go to a place and stop there: slower within a distance of it, and
// never beyond it in one step.
thVec2 thiArrive(thVec2 to, float speed, float slowing, float dt);

// The path that the parameters name.
thSteerPath thiFindSteerPath(const thFrame* frame, const thSteerDef* def);

// The agent of a lane that wants a velocity.
thSteerer thiMakeSteerer(const thBatch* batch, int32_t lane, const thSteerDef* def,
                         const thSteerPath* path, thVec2 wanted);

// What agents without a goal want.
thVec2 thiRoam(const thBatch* batch, int32_t lane, const thSteerDef* def);

// All behaviours with their weights. [m/s²]
void thiSteerParts(const thSteerer* steerer, thVec2 parts[th_partCount]);

// The velocity after a step.
thVec2 thiSteer(const thSteerer* steerer, thSteerStatus* status);

// Shows each behaviour as an arrow and in words.
void thiExplainSteer(const thSteerer* steerer, thExplanation* to);

// What methods made of behaviours have in common.
#define TH_STEER_PARAMS 25
extern const thParam thiSteerParams[TH_STEER_PARAMS];
extern const thParam thiWeakSteerParams[TH_STEER_PARAMS];
extern const thSteerDef thiSteerDefaults;
extern const thSteerDef thiWeakSteerDefaults;
thResult thiCheckSteerDef(const void* params, thError* error);

#endif
