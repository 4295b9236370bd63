// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Behaviours among others: apart, aside, and away from them or after them. Whose share of giving
// way is one half does as the formulas say; others do so much more or less.

#include "steer/steer.h"
#include "throng/collision.h"

// Who passes the other nearer than this part of both radii meets it head-on: both go to their
// right, because the side on which they would pass is chance.
#define HEAD_ON 0.1f

// Who has less than this share leaves all to the other.
#define LEAST_SHARE 0.01f

static thVec2 positionOf(const thBatch* batch, int32_t at)
{
    return (thVec2){batch->nx[at], batch->ny[at]};
}

static thVec2 velocityOf(const thBatch* batch, int32_t at)
{
    return (thVec2){batch->nvx[at], batch->nvy[at]};
}

// The unit vector away from a neighbour. Of two on one point the one with the lower key goes west.
static thVec2 awayFrom(const thSteerer* steerer, thVec2 place, int32_t at)
{
    if (place.x != 0.0f || place.y != 0.0f)
        return thiSteerAlong(place, -1.0f);
    const uint64_t* keys = steerer->batch->frame->key;
    return (thVec2){keys[steerer->row] < keys[steerer->batch->nrow[at]] ? -1.0f : 1.0f, 0.0f};
}

thVec2 thiSeparate(const thSteerer* steerer)
{
    const thBatch* batch = steerer->batch;
    const float range = steerer->def->separationRange, radius = batch->radius[steerer->lane];
    thVec2 sum = {0.0f, 0.0f};
    for (int32_t k = 0; k < batch->neighborCount[steerer->lane]; ++k) {
        const int32_t at = k * batch->lanes + steerer->lane;
        const thVec2 place = positionOf(batch, at);
        const float gap = thiSteerLength(place) - radius - batch->nradius[at];
        const float share = batch->nshare[at];
        if (gap < range && range > 0.0f && share >= LEAST_SHARE)
            sum = thiSteerPlus(sum, 2.0f * share * (1.0f - gap / range),
                               awayFrom(steerer, place, at));
    }
    return sum;
}

// To the side on which the other is not when both are nearest.
static thVec2 aside(thVec2 place, thVec2 velocity, float radius)
{
    const float time = thiSteerDot(place, velocity) / thiSteerDot(velocity, velocity);
    const thVec2 nearest = thiSteerPlus(place, -time, velocity);
    if (thiSteerLength(nearest) > HEAD_ON * radius)
        return thiSteerAlong(nearest, -1.0f);
    return thiSteerAlong((thVec2){velocity.y, -velocity.x}, 1.0f);
}

thVec2 thiDodge(const thSteerer* steerer)
{
    const thBatch* batch = steerer->batch;
    const float ahead = steerer->def->lookAhead;
    float soonest = ahead;
    thVec2 result = {0.0f, 0.0f};
    for (int32_t k = 0; k < batch->neighborCount[steerer->lane]; ++k) {
        const int32_t at = k * batch->lanes + steerer->lane;
        const thVec2 place = positionOf(batch, at);
        const thVec2 velocity = thiSteerMinus(steerer->velocity, velocityOf(batch, at));
        const float radius = batch->radius[steerer->lane] + batch->nradius[at];
        if (batch->nshare[at] < LEAST_SHARE || !(thiSteerDot(place, velocity) > 0.0f))
            continue;
        const float time = thTimeToCollisionDisc(place, velocity, radius);
        if (!(time < soonest))
            continue;
        soonest = time;
        result = thiSteerTimes(2.0f * batch->nshare[at] * (1.0f - time / ahead),
                               aside(place, velocity, radius));
    }
    return result;
}

void thiFlock(const thSteerer* steerer, thVec2* alignment, thVec2* cohesion)
{
    const thBatch* batch = steerer->batch;
    const uint32_t* layers = batch->frame->layers;
    const float range = steerer->def->flockRange;
    thVec2 places = {0.0f, 0.0f}, velocities = {0.0f, 0.0f};
    int32_t count = 0;
    for (int32_t k = 0; k < batch->neighborCount[steerer->lane]; ++k) {
        const int32_t at = k * batch->lanes + steerer->lane;
        const thVec2 place = positionOf(batch, at);
        if (thiSteerDot(place, place) > range * range ||
            (layers[steerer->row] & layers[batch->nrow[at]]) == 0)
            continue;
        count += 1;
        places = thiSteerPlus(places, 1.0f, place);
        velocities = thiSteerPlus(velocities, 1.0f, velocityOf(batch, at));
    }
    *alignment = *cohesion = (thVec2){0.0f, 0.0f};
    if (count == 0)
        return;
    const float share = 1.0f / (float)count;
    *alignment = thiSteerMinus(thiSteerTimes(share, velocities), steerer->velocity);
    *cohesion = thiSteerTimes(share / range, places);
}

// The nearest neighbour on a layer, as its place in the columns; -1: none within the range.
static int32_t nearestOn(const thSteerer* steerer, int32_t layer, float range)
{
    const thBatch* batch = steerer->batch;
    int32_t nearest = -1;
    float least = range * range;
    for (int32_t k = 0; k < batch->neighborCount[steerer->lane]; ++k) {
        const int32_t at = k * batch->lanes + steerer->lane;
        const thVec2 place = positionOf(batch, at);
        const float distanceSq = thiSteerDot(place, place);
        const bool isNearer = nearest < 0 ? distanceSq <= least : distanceSq < least;
        if (!isNearer || (batch->frame->layers[batch->nrow[at]] >> layer & 1) == 0)
            continue;
        nearest = at;
        least = distanceSq;
    }
    return nearest;
}

// Where a neighbour will be when the agent could be where it is now.
static thVec2 placeAhead(const thSteerer* steerer, int32_t at)
{
    const thBatch* batch = steerer->batch;
    const float speed = batch->maxSpeed[steerer->lane], ahead = steerer->def->lookAhead;
    const thVec2 place = positionOf(batch, at);
    const float distance = thiSteerLength(place);
    const float time = distance < speed * ahead ? distance / speed : ahead;
    return thiSteerPlus(place, time, velocityOf(batch, at));
}

thVec2 thiPursue(const thSteerer* steerer)
{
    const int32_t at = nearestOn(steerer, steerer->def->preyLayer, INFINITY);
    if (at < 0)
        return (thVec2){0.0f, 0.0f};
    const thVec2 wanted =
        thiSteerAlong(placeAhead(steerer, at), steerer->batch->maxSpeed[steerer->lane]);
    return thiSteerMinus(wanted, steerer->velocity);
}

static thVec2 runFrom(const thSteerer* steerer, thVec2 place, int32_t at)
{
    const thVec2 wanted =
        thiSteerTimes(steerer->batch->maxSpeed[steerer->lane], awayFrom(steerer, place, at));
    return thiSteerMinus(wanted, steerer->velocity);
}

thVec2 thiFlee(const thSteerer* steerer)
{
    const int32_t at = nearestOn(steerer, steerer->def->fearLayer, steerer->def->fearRange);
    return at < 0 ? (thVec2){0.0f, 0.0f} : runFrom(steerer, positionOf(steerer->batch, at), at);
}

thVec2 thiEvade(const thSteerer* steerer)
{
    const int32_t at = nearestOn(steerer, steerer->def->fearLayer, steerer->def->fearRange);
    return at < 0 ? (thVec2){0.0f, 0.0f} : runFrom(steerer, placeAhead(steerer, at), at);
}
