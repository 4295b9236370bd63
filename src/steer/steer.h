// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Steering behaviours. Planner and avoidance method `steer` are both made of them; what differs is
// where the wanted velocity comes from and where the new one goes.

#ifndef THRONG_SRC_STEER_STEER_H
#define THRONG_SRC_STEER_STEER_H

#include "base/core.h"
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

static inline float thiSteerDot(thVec2 a, thVec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static inline thVec2 thiSteerMinus(thVec2 a, thVec2 b)
{
    return (thVec2){a.x - b.x, a.y - b.y};
}

static inline thVec2 thiSteerTimes(float factor, thVec2 a)
{
    return (thVec2){factor * a.x, factor * a.y};
}

// a + factor · b
static inline thVec2 thiSteerPlus(thVec2 a, float factor, thVec2 b)
{
    return (thVec2){a.x + factor * b.x, a.y + factor * b.y};
}

static inline float thiSteerLength(thVec2 a)
{
    return sqrtf(thiSteerDot(a, a));
}

// A vector of that length in the direction of another; 0 for 0.
static inline thVec2 thiSteerAlong(thVec2 direction, float length)
{
    const float own = thiSteerLength(direction);
    return own > 0.0f ? thiSteerTimes(length / own, direction) : (thVec2){0.0f, 0.0f};
}

// A vector, shortened if it is longer than that.
static inline thVec2 thiSteerCut(thVec2 a, float most)
{
    const float length = thiSteerLength(a);
    return length > most ? thiSteerTimes(most / length, a) : a;
}

// Each behaviour without its weight. Rates give differences of velocities [m/s], the others are
// vectors of length 1 where they are as strong as they usually get.
thVec2 thiSeparate(const thSteerer* steerer);
thVec2 thiDodge(const thSteerer* steerer);
thVec2 thiKeepOffWalls(const thSteerer* steerer);
thVec2 thiWander(const thSteerer* steerer);
thVec2 thiPursue(const thSteerer* steerer);
thVec2 thiFlee(const thSteerer* steerer);
thVec2 thiEvade(const thSteerer* steerer);
thVec2 thiFollow(const thSteerer* steerer);

// Alignment and cohesion, which look at the same neighbours: those on a layer of the agent's own.
void thiFlock(const thSteerer* steerer, thVec2* alignment, thVec2* cohesion);

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
