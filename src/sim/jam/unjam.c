// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The rules of jams.h, for one agent after the other.

#include "sim/jam/jam_lanes.h"
#include "sim/jam/jam_mind.h"
#include "throng/math.h"

#include <math.h>
#include <string.h>

#define MEMORY 2.0f        // time over which progress is judged [s]
#define ALWAYS_ASIDE 0.01f // turn of those who are not held up [rad]
#define ASIDE_SINE 0.00999983333f
#define ASIDE_COSINE 0.999950000f
#define HESITATES 1.0f // how much slower one goes on who was moved back lately
#define BACK 0.7f      // share of the preferred speed with which one steps back
#define SETTLES 0.6f   // being held up from which on one may settle among those who stand
#define TOUCHES 0.1f   // gap in shares of the radii within which one touches them

static int8_t toUnits(float value) // −1 .. 1
{
    return (int8_t)(int32_t)(127.0f * value + (value < 0.0f ? -0.5f : 0.5f));
}

static int16_t toProgress(float progress) // −1 .. 1
{
    return (int16_t)(int32_t)(progress / TH_JAM_PROGRESS_UNIT + (progress < 0.0f ? -0.5f : 0.5f));
}

// Whether it cannot get nearer because others stand where it wants to be.
static bool settles(const thJamMind* mind)
{
    const thFrame* frame = mind->batch->frame;
    for (int32_t k = 0; k < mind->nearCount; ++k) {
        const thJamOther* other = &mind->near[k];
        if (other->gap <= TOUCHES * other->radii &&
            (frame->flags[other->row] & th_agentArrived) != 0 && thiHasSameGoal(mind, other))
            return true;
    }
    return false;
}

static void turnAside(const thJamMind* mind, const thProfileDef* def)
{
    const thBatch* batch = mind->batch;
    float* gx = &batch->guideX[mind->lane];
    float* gy = &batch->guideY[mind->lane];
    if (mind->stepsBack) {
        const float speed = BACK * batch->prefSpeed[mind->lane];
        *gx = speed * mind->stepTo.x;
        *gy = speed * mind->stepTo.y;
        return;
    }
    if (mind->letsPass) {
        *gx = *gy = 0.0f;
        return;
    }
    if (def->keep == th_keepNone || batch->nx == NULL)
        return;
    if (mind->progress < 0.0f) {
        const float share = TH_MAX(1.0f + HESITATES * mind->progress, 0.2f);
        *gx *= share;
        *gy *= share;
    }
    float sine = ASIDE_SINE, cosine = ASIDE_COSINE;
    if (mind->held > 0.0f)
        thSinCos(ALWAYS_ASIDE + def->turnAside * mind->held, &sine, &cosine);
    if (def->keep == th_keepRight)
        sine = -sine;
    const float x = *gx * cosine - *gy * sine;
    *gy = *gx * sine + *gy * cosine;
    *gx = x;
}

// Whether somebody is near enough to be in the way.
static bool isNear(const thBatch* batch, int32_t lane, int32_t at)
{
    const float x = batch->nx[at], y = batch->ny[at];
    const float reach = batch->radius[lane] + batch->nradius[at] + TH_JAM_NEAR;
    return x * x + y * y <= reach * reach;
}

static bool hasShape(const thFrame* frame, int32_t row)
{
    return frame->shapes != NULL && frame->shapes[frame->profile[row]].count > 0;
}

// Avoidance does not see those who shuffle like itself. Both sides go by what was shown in the last
// step, so they agree. What keeps discs apart then is contacts; shapes have nothing but avoidance.
static void overlookShufflers(const thJams* jams, const thBatch* batch, int32_t lane)
{
    const thJamShown* shown = jams->shown[jams->current];
    const int32_t row = batch->row[lane];
    if ((shown[row].flags & th_jamShuffles) == 0 || hasShape(batch->frame, row))
        return;
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        if ((shown[batch->nrow[at]].flags & th_jamShuffles) == 0 ||
            hasShape(batch->frame, batch->nrow[at]))
            continue;
        ((float*)batch->nx)[at] = ((float*)batch->ny)[at] = TH_INERT_DISTANCE;
        ((float*)batch->nvx)[at] = ((float*)batch->nvy)[at] = 0.0f;
        ((float*)batch->nradius)[at] = 0.0f;
    }
}

// Whether somebody near shows something that matters, other than where it goes and whom it met.
static bool isNearStir(const thJams* jams, const thBatch* batch, int32_t lane)
{
    const thJamShown* shown = jams->shown[jams->current];
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const thJamShown* other = &shown[batch->nrow[at]];
        if ((other->claim | (other->flags & ~(uint32_t)th_jamBackwards)) != 0 &&
            isNear(batch, lane, at))
            return true;
    }
    return false;
}

// In units, rounded, but never to where it was if it has become longer: small steps add up, too.
static int32_t unitsOf(float value, float unit, int32_t before, int32_t most)
{
    const int32_t units = (int32_t)TH_MIN(value / unit + 0.5f, (float)most);
    const int32_t least = value > (float)before * unit ? before + 1 : 0;
    return TH_MIN(TH_MAX(units, least), most);
}

// Of those who have further to go than can be told, all have as far.
static uint16_t restOf(const thBatch* batch, int32_t lane)
{
    const float rest = batch->remaining[lane] / TH_JAM_REST_UNIT;
    return rest > 0.0f ? (uint16_t)TH_MIN(rest, (float)UINT16_MAX) : 0;
}

static void closeMind(const thJamMind* mind, bool settled)
{
    const thJamShown* shownBefore = &mind->jams->shown[mind->jams->current][mind->row];
    const thJamOwn* ownBefore = &mind->jams->own[mind->jams->current][mind->row];
    const int32_t next = 1 - mind->jams->current;
    mind->jams->rest[next][mind->row] = restOf(mind->batch, mind->lane);
    const uint32_t flags =
        (mind->shuffles ? th_jamShuffles : 0u) | (mind->stepsBack ? th_jamStepsBack : 0u) |
        (mind->backwards ? th_jamBackwards : 0u) | (settled ? th_jamSettles : 0u) |
        (thiStands(mind->batch->frame, mind->row) ? th_jamStands : 0u);
    mind->jams->shown[next][mind->row] =
        (thJamShown){.goalX = toUnits(mind->goal.x),
                     .goalY = toUnits(mind->goal.y),
                     .claimX = toUnits(mind->claimTo.x),
                     .claimY = toUnits(mind->claimTo.y),
                     .claim = (uint16_t)(mind->claim * TH_JAM_CLAIMS),
                     .contact = (uint8_t)unitsOf(mind->contact, TH_JAM_CONTACT_UNIT,
                                                 shownBefore->contact, UINT8_MAX),
                     .flags = (uint8_t)flags};
    mind->jams->own[next][mind->row] = (thJamOwn){
        .progress = toProgress(mind->progress),
        .wait = (uint16_t)unitsOf(mind->wait, TH_JAM_WAIT_UNIT, ownBefore->wait, UINT16_MAX)};
}

// Who has begun to move backwards does so until it moves on.
static bool isBackwards(const thJamShown* before, float gets)
{
    return gets < -TH_JAM_BACKWARDS ||
           (gets < TH_JAM_BACKWARDS && (before->flags & th_jamBackwards) != 0);
}

static thJamMind openMind(const thJams* jams, const thBatch* batch, const thJamLanes* lanes,
                          int32_t lane)
{
    const int32_t row = batch->row[lane];
    return (thJamMind){.jams = jams,
                       .batch = batch,
                       .lane = lane,
                       .row = row,
                       .goal = {lanes->goalX[lane], lanes->goalY[lane]},
                       .progress = lanes->progress[lane],
                       .held = lanes->held[lane],
                       .wait = thiJamWait(&jams->own[jams->current][row]),
                       .contact = thiJamContact(&jams->shown[jams->current][row]),
                       .arrived = (batch->frame->flags[row] & th_agentArrived) != 0,
                       .backwards =
                           isBackwards(&jams->shown[jams->current][row], lanes->gets[lane])};
}

// An agent that is held up, or near somebody who is.
static void unjamLane(thJamMind* mind, const thProfileDef* def, thJamCounts* counts)
{
    const thJamShown before = mind->jams->shown[mind->jams->current][mind->row];
    bool settled = false;
    thiJamLookAround(mind);
    if (mind->held > 0.0f)
        thiJamLookAhead(mind);
    else
        mind->contact += mind->batch->frame->dt;
    if (def->patience > 0.0f) {
        thiWaitInJam(mind, (before.flags & th_jamStepsBack) != 0,
                     thiJamClaim(&before) > TH_JAM_ASKS);
        const bool shuffled = (before.flags & th_jamShuffles) != 0;
        mind->shuffles = mind->wait > def->patience || (shuffled && mind->wait > 0.0f);
        thiClaimWay(mind, def->patience);
        settled = mind->held > SETTLES && !mind->arrived && settles(mind);
        overlookShufflers(mind->jams, mind->batch, mind->lane);
    }
    turnAside(mind, def);
    closeMind(mind, settled);
    counts->shuffling += mind->shuffles;
    counts->steppingBack += mind->stepsBack;
    counts->turningBack += mind->backwards && (before.flags & th_jamBackwards) == 0;
}

// A little to the side, so that two who meet are never quite even; who does not look at others does
// not care.
static void keepSide(const thProfileDef* def, const thBatch* batch, int32_t lane)
{
    if (def->keep == th_keepNone || batch->nx == NULL)
        return;
    const float sine = def->keep == th_keepRight ? -ASIDE_SINE : ASIDE_SINE;
    const float gx = batch->guideX[lane], gy = batch->guideY[lane];
    batch->guideX[lane] = gx * ASIDE_COSINE - gy * sine;
    batch->guideY[lane] = gx * sine + gy * ASIDE_COSINE;
}

// One that is not goes only a little aside, and shows where it wants to go.
static void passLane(const thJams* jams, const thProfileDef* def, const thBatch* batch,
                     const thJamLanes* lanes, int32_t lane)
{
    const int32_t row = batch->row[lane], next = 1 - jams->current;
    keepSide(def, batch, lane);
    jams->rest[next][row] = restOf(batch, lane);
    memcpy(&jams->shown[next][row], lanes->shown[lane], sizeof(thJamShown));
    jams->own[next][row].word = lanes->own[lane];
}

void thiKeepSide(const thProfileDef* def, const thBatch* batch)
{
    for (int32_t lane = 0; lane < batch->count; ++lane)
        keepSide(def, batch, lane);
}

void thiOverlookShufflers(const thJams* jams, const thBatch* batch)
{
    for (int32_t lane = 0; lane < batch->count; ++lane)
        overlookShufflers(jams, batch, lane);
}

void thiUnjam(const thJams* jams, const thProfileDef* def, const thBatch* batch, thSimd simd,
              thJamCounts* counts)
{
    static thJudgeLanesFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiJudgeLanes);
    thJamLanes lanes;
    kernels[simd](&(thJamTask){.batch = batch,
                               .shown = jams->shown[jams->current],
                               .own = jams->own[jams->current],
                               .weight = TH_MIN(batch->frame->dt / MEMORY, 1.0f),
                               .slowness = def->slowness,
                               .lanes = &lanes});
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const bool isStirred = lanes.isStirred[lane] != 0 && isNearStir(jams, batch, lane);
        if (lanes.isCalm[lane] != 0 && !isStirred) {
            passLane(jams, def, batch, &lanes, lane);
        } else {
            thJamMind mind = openMind(jams, batch, &lanes, lane);
            unjamLane(&mind, def, counts);
        }
    }
}
