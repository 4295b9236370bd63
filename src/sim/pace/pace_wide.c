// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: the pace of people, one agent per lane, its neighbours one after the other, nearest
// first.

#include "sim/pace/pace.h"

#include "simd/lane_math.h"
#include "simd/lane_vec.h"

#define SAME_WAY 0.7f              // cosine of ways from which on somebody wants the same
#define MET_LATELY 254             // time since somebody against it was met, in TH_JAM_CONTACT_UNIT
#define STANDS 0.2f                // speed below which a velocity leads nowhere [m/s]
#define LEAST_SPEED 0.01f          // who is slower is not slowed down further [m/s]
#define LEAST_SHARE 0.25f          // of the time gap that somebody has at least
#define SPREAD_OF_TWO 2.449489743f // two numbers of 0 .. 1, less 1, times this: deviation 1
#define STREAM 0x70616365          // of the random numbers that time gaps are drawn with

// The time gap of each: its own for ever, drawn by its key. [s]
static inline thF gapsOf(const thPaceTask* task, thI row)
{
    const thF mean = fSet(task->pace->timeGap * task->needed);
    if (!(task->pace->spread > 0.0f))
        return mean;
    const int32_t* keys = (const int32_t*)(const void*)task->batch->frame->key; // low words first
    const thI bits = iRandomBits(iGather(keys, iShl(row, 1)), iSet(0), iSet(STREAM));
    const thF sum = fFromI(iAdd(iAnd(bits, iSet(0xFFFF)), iShrLogical(bits, 16)));
    const thF drawn = (sum * fSet(0x1p-16f) - fSet(1.0f)) * fSet(SPREAD_OF_TWO);
    return fMax(mean + fSet(task->pace->spread * task->needed) * drawn, fSet(LEAST_SHARE) * mean);
}

// Whether somebody is in no jam: it has met nobody who is against it within four seconds, nor does
// it wait.
static inline bool isFree(const thJams* jams, int32_t row)
{
    return jams->shown[jams->current][row].contact >= MET_LATELY &&
           jams->own[jams->current][row].wait == 0;
}

// Who of these agents is; most rows follow each other.
static inline thM areFree(const thPaceTask* task, const int32_t* rows, thM asked)
{
    const thJams* jams = task->jams;
    if (rows[TH_WIDTH - 1] - rows[0] != TH_WIDTH - 1) {
        uint32_t bits = 0;
        for (uint32_t left = mBits(asked); left != 0; left &= left - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(left);
            bits |= (isFree(jams, rows[i]) ? 1u : 0u) << i;
        }
        return mFromBits(bits);
    }
    const thJamShown* shown = jams->shown[jams->current] + rows[0];
    int32_t told[TH_WIDTH];
    for (int32_t i = 0; i < TH_WIDTH; ++i)
        told[i] = shown[i].words[1];
    const thI contact = iAnd(iShrLogical(iLoad(told), TH_JAM_CONTACT_SHIFT), iSet(UINT8_MAX));
    const thI wait = iShrLogical(iLoad(&jams->own[jams->current][rows[0]].word), 16);
    return mAnd(mAndNot(asked, iLt(contact, iSet(MET_LATELY))), iEq(wait, iSet(0)));
}

// Whether velocities lead along a way, within 60°, or hardly anywhere; given by how much along it.
static inline thM walkAlong(Vec velocity, thF along)
{
    const thF squared = dot(velocity, velocity);
    const thM isSlow = fLt(squared, fSet(STANDS * STANDS));
    return mOr(isSlow, mAnd(fGt(along, fSet(0.0f)), fGe(along * along, fSet(0.25f) * squared)));
}

// Who of these is, and shows that it wants to go along a unit vector. Few are asked, so that to
// look at each by itself is faster than to gather what all lanes show.
static inline thM goAlong(const thPaceTask* task, const int32_t* rows, Vec along, thM asked)
{
    const thJams* jams = task->jams;
    float x[TH_WIDTH] = {0.0f}, y[TH_WIDTH] = {0.0f};
    for (uint32_t left = mBits(asked); left != 0; left &= left - 1) {
        const int32_t i = __builtin_ctz(left), row = rows[i];
        if (!isFree(jams, row))
            continue;
        x[i] = (float)jams->shown[jams->current][row].goalX; // in 1/127
        y[i] = (float)jams->shown[jams->current][row].goalY;
    }
    return fGe(dot(vec(fLoad(x), fLoad(y)), along), fSet(SAME_WAY * 127.0f));
}

static inline void slowDown(const thPaceTask* task, int32_t lane)
{
    const thBatch* batch = task->batch;
    const thF zero = fSet(0.0f), one = fSet(1.0f);
    const Vec velocity = loadVec(batch->outVx, batch->outVy, lane);
    const thF speed = fSqrt(dot(velocity, velocity));
    const thI row = iLoad(batch->row + lane), count = iLoad(batch->neighborCount + lane);
    const thM moves = mAnd(mFirst(batch->count - lane), fGt(speed, fSet(LEAST_SPEED)));
    const thM asked = areFree(task, batch->row + lane, moves);
    if (!mAny(asked))
        return;
    const thF divisor = fSelect(moves, speed, one);
    const Vec ahead = vec(velocity.x / divisor, velocity.y / divisor);
    const thF gap = gapsOf(task, row), own = fLoad(batch->radius + lane);
    const thF perGap = one / gap, stands = fSet(TH_PACE_STANDS);
    const thM heads = mAnd(asked, mNot(iLt(iGather(batch->frame->goal, row), iSet(0))));
    thF most = fSelect(heads, fMin(speed, fLoad(batch->prefSpeed + lane)), speed);
    for (int32_t k = 0; k < batch->neighborMax; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const Vec place = loadVec(batch->nx, batch->ny, at);
        const thF radii = own + fLoad(batch->nradius + at);
        const thF along = dot(place, ahead), aside = fAbs(det(place, ahead));
        // Who is further than this cannot slow it down, wherever bodies touch.
        const thM isNear = mAnd(fGt(along, zero), fLt(along - radii, most * gap + stands));
        const thM isAhead = mAnd(isNear, fLt(aside, fSet(task->pace->width) * radii));
        const Vec theirs = loadVec(batch->nvx, batch->nvy, at);
        const thF with = dot(theirs, ahead);
        const thM mayBe =
            mAnd(mAnd(asked, iLt(iSet(k), count)), mAnd(isAhead, walkAlong(theirs, with)));
        if (!mAny(mayBe))
            continue;
        const thM counts = mAnd(mayBe, goAlong(task, batch->nrow + at, ahead, mayBe));
        const thF half = fSqrt(fMax(radii * radii - aside * aside, zero));
        const thF kept = fMax(along - half - stands, zero) * perGap;
        const thF paced = kept + fSet(task->pace->follow) * fMax(with - kept, zero);
        most = fSelect(counts, fMin(most, paced), most);
    }
    const thF share = fSelect(fLt(most, speed), most / divisor, one);
    fStore(batch->outVx + lane, velocity.x * share);
    fStore(batch->outVy + lane, velocity.y * share);
}

void TH_WIDE(thiPaceLanes)(const thPaceTask* task)
{
    for (int32_t lane = 0; lane < task->batch->count; lane += TH_WIDTH)
        slowDown(task, lane);
}
