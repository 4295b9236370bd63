// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Moving obstacles push bodies along. Static walls have the last word, so a body that is caught
// between the two stays under the mover and is squeezed. Everything here reads frozen columns only,
// so bodies can be pushed in any order and by any thread.

#ifndef THRONG_SRC_MOVE_PUSH_H
#define THRONG_SRC_MOVE_PUSH_H

#include "geom/segment.h"
#include "space/walls.h"

// How far a mover may be in a body without squeezing it: 2^-10 m. [units]
#define TH_SQUEEZE_DEPTH 64

// What movers do in a step: columns as long as those of `movers`, which says how they stand at the
// beginning. On the way both place and angle change evenly.
typedef struct thMoverMotion {
    const thMovers* movers;
    const int32_t* dx; // how far the origin goes [units]
    const int32_t* dy; // [units]
    const float* turn; // how far it turns, counter-clockwise [rad]
} thMoverMotion;

// A body and where it wants to go in the step.
typedef struct thPushedBody {
    thPoint from, to;
    float radius; // m
    int32_t level;
} thPushedBody;

// The movers that come into a box during the step, in their order; `out` has room for all. For a
// tile of bodies: their places and targets, and the largest radius round it.
int32_t thiFindPushers(const thMoverMotion* motion, thPoint low, thPoint high, int32_t* out);

typedef struct thPushResult {
    thPoint to; // where the body wants to go now; the body's own target if nothing pushed it
    bool isPushed;
    bool squeezed;  // it could not give way, in the end or on the way
    int32_t slides; // along walls, that it took: what work there was
} thPushResult;

// Where a body is pushed by movers of a list. The body goes its way in small steps, as far as walls
// let it; in each it is pushed out of the movers as they stand then. No step is longer than the gap
// or half of the radius (a millimetre at least), whichever is more, so nothing jumps over a body,
// however thin or fast. Who cannot give way time and again is left where it is.
thPushResult thiPush(const thMoverMotion* motion, const int32_t* list, int32_t count,
                     const thWallGrid* walls, const thPushedBody* body);

// Whether a body at p at the end of the step has a mover of a list in it. Say squeezed if this or
// the above does: other bodies and walls may keep it from where it was pushed.
bool thiIsUnderMover(const thMoverMotion* motion, const int32_t* list, int32_t count, thPoint p,
                     float radius, int32_t level);

// Whether a mover of a list goes over the centre of a body that goes straight from `from` to `to`,
// unless it was under it already. Other bodies may have kept it from where it was pushed.
bool thiIsPassedOver(const thMoverMotion* motion, const int32_t* list, int32_t count,
                     const thPushedBody* body);

// How far a point is from a mover at the beginning of the step; negative inside. [units]
double thiMoverDistance(const thMovers* movers, int32_t mover, thPoint p);

// How much of its motion a mover can make that rather waits than squeezes one of these bodies: the
// largest of 1, 1/2, ... 1/32, 0. Who is under it already does not count unless it gets worse.
float thiYieldingShare(const thMoverMotion* motion, int32_t mover, const thWallGrid* walls,
                       const thPushedBody* bodies, int32_t count);

#endif
