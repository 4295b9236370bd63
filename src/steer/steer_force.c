// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// From behaviours to a velocity: weights, the sum, and the limits of what an agent can do.

#include "steer/steer.h"

// Slower agents have no direction of motion; they go where they face. [m/s]
#define STANDS_BELOW 0.001f

static thVec2 facingOf(const thBatch* batch, int32_t lane)
{
    const thVec2 velocity = {batch->vx[lane], batch->vy[lane]};
    if (thiSteerLength(velocity) > STANDS_BELOW)
        return thiSteerAlong(velocity, 1.0f);
    thVec2 facing;
    thSinCos(batch->frame->heading[batch->row[lane]], &facing.y, &facing.x);
    return facing;
}

thSteerer thiMakeSteerer(const thBatch* batch, int32_t lane, const thSteerDef* def,
                         const thSteerPath* path, thVec2 wanted)
{
    return (thSteerer){.batch = batch,
                       .def = def,
                       .path = path,
                       .lane = lane,
                       .row = batch->row[lane],
                       .velocity = {batch->vx[lane], batch->vy[lane]},
                       .facing = facingOf(batch, lane),
                       .lasts = batch->frame->dt,
                       .wanted = wanted};
}

thVec2 thiArrive(thVec2 to, float speed, float slowing, float dt)
{
    const float distance = thiSteerLength(to), reaching = distance / dt;
    const float slowed = distance < slowing ? speed * (distance / slowing) : speed;
    return thiSteerAlong(to, TH_MIN(slowed, reaching));
}

thVec2 thiRoam(const thBatch* batch, int32_t lane, const thSteerDef* def)
{
    const bool waits = (batch->frame->flags[batch->row[lane]] & th_agentWaiting) != 0;
    if (def->roam == 0 || waits)
        return (thVec2){0.0f, 0.0f};
    return thiSteerTimes(batch->prefSpeed[lane], facingOf(batch, lane));
}

// Who waits or has arrived stays, and only gives way.
static bool stays(const thSteerer* steerer)
{
    const uint32_t flags = steerer->batch->frame->flags[steerer->row];
    return (flags & (th_agentWaiting | th_agentArrived)) != 0;
}

// Behaviours of no weight are not computed.
static thVec2 weigh(float weight, thVec2 (*behaviour)(const thSteerer*), const thSteerer* steerer)
{
    return weight > 0.0f ? thiSteerTimes(weight, behaviour(steerer)) : (thVec2){0.0f, 0.0f};
}

static void flock(const thSteerer* steerer, float once, thVec2 parts[th_partCount])
{
    const thSteerDef* def = steerer->def;
    if (!(def->alignment > 0.0f || def->cohesion > 0.0f))
        return;
    thVec2 alignment, cohesion;
    thiFlock(steerer, &alignment, &cohesion);
    parts[th_partAlignment] = thiSteerTimes(TH_MIN(def->alignment, once), alignment);
    parts[th_partCohesion] = thiSteerTimes(def->cohesion, cohesion);
}

void thiSteerParts(const thSteerer* steerer, thVec2 parts[th_partCount])
{
    const thSteerDef* def = steerer->def;
    const float once = 1.0f / steerer->batch->frame->dt; // a higher rate would go too far
    for (int32_t i = 0; i < th_partCount; ++i)
        parts[i] = (thVec2){0.0f, 0.0f};
    parts[th_partSeek] =
        thiSteerTimes(TH_MIN(def->seek, once), thiSteerMinus(steerer->wanted, steerer->velocity));
    if (def->avoidance != 0) {
        parts[th_partSeparation] = weigh(def->separation, thiSeparate, steerer);
        parts[th_partDodge] = weigh(def->dodge, thiDodge, steerer);
        parts[th_partWalls] = weigh(def->walls, thiKeepOffWalls, steerer);
    }
    if (stays(steerer))
        return;
    flock(steerer, once, parts);
    parts[th_partWander] = weigh(def->wander, thiWander, steerer);
    parts[th_partPursue] = weigh(TH_MIN(def->pursue, once), thiPursue, steerer);
    parts[th_partFlee] = weigh(TH_MIN(def->flee, once), thiFlee, steerer);
    parts[th_partEvade] = weigh(TH_MIN(def->evade, once), thiEvade, steerer);
    parts[th_partFollow] = weigh(TH_MIN(def->follow, once), thiFollow, steerer);
}

static bool isZero(thVec2 a)
{
    return a.x == 0.0f && a.y == 0.0f;
}

thVec2 thiSteer(const thSteerer* steerer, thSteerStatus* status)
{
    const thBatch* batch = steerer->batch;
    const float own = batch->maxAccel[steerer->lane], most = steerer->def->maxForce;
    const float limit = own > 0.0f ? TH_MIN(own, most) : most;
    thVec2 parts[th_partCount], sum = {0.0f, 0.0f};
    thiSteerParts(steerer, parts);
    for (int32_t i = 0; i < th_partCount; ++i)
        sum = thiSteerPlus(sum, 1.0f, parts[i]);
    const bool avoids = !isZero(parts[th_partSeparation]) || !isZero(parts[th_partDodge]) ||
                        !isZero(parts[th_partWalls]);
    *status = !avoids                        ? th_steerFree
              : thiSteerLength(sum) <= limit ? th_steerAvoiding
                                             : th_steerLimited;
    const thVec2 next = thiSteerPlus(steerer->velocity, steerer->lasts, thiSteerCut(sum, limit));
    return thiSteerCut(next, batch->maxSpeed[steerer->lane]);
}
