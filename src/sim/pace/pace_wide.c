// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: the pace of people, one agent per lane, its neighbours one after the other, nearest
// first.

#include "sim/pace/pace.h"

#include "simd/lane_math.h"
#include "simd/lane_vec.h"

#include <math.h>

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

// Who of these agents is.
static inline thM areFree(const thPaceTask* task, thI row, thM asked)
{
    const thJams* jams = task->jams;
    const thI told = iGather(jams->shown[jams->current]->words + 1, iShl(row, 1));
    const thI own = iGather(&jams->own[jams->current]->word, row);
    const thI contact = iAnd(iShrLogical(told, TH_JAM_CONTACT_SHIFT), iSet(UINT8_MAX));
    return mAnd(mAndNot(asked, iLt(contact, iSet(MET_LATELY))), iEq(iShrLogical(own, 16), iSet(0)));
}

// Whether velocities lead along a way, within 60°, or hardly anywhere; given by how much along it.
static inline thM walkAlong(Vec velocity, thF along)
{
    const thF squared = dot(velocity, velocity);
    const thM isSlow = fLt(squared, fSet(STANDS * STANDS));
    return mOr(isSlow, mAnd(fGt(along, fSet(0.0f)), fGe(along * along, fSet(0.25f) * squared)));
}

// Agents that are slowed down, lane by lane.
typedef struct Walkers {
    float x[TH_WIDTH], y[TH_WIDTH]; // where to, as unit vectors
    float perGap[TH_WIDTH];         // 1 / time gap [1/s]
    float most[TH_WIDTH];           // how fast [m/s]
} Walkers;

// Who of a round of neighbours may be ahead, as far as their places and velocities tell.
static inline thM mayBeAhead(const thBatch* batch, int32_t lane, int32_t k, thF own, Vec ahead,
                             thF reach, thF width)
{
    const int32_t at = k * batch->lanes + lane;
    const Vec place = loadVec(batch->nx, batch->ny, at);
    const Vec theirs = loadVec(batch->nvx, batch->nvy, at);
    const thF radii = own + fLoad(batch->nradius + at);
    const thF along = dot(place, ahead), aside = fAbs(det(place, ahead));
    const thM isNear = mAnd(fGt(along, fSet(0.0f)), fLt(along - radii, reach));
    return mAnd(mAnd(isNear, fLt(aside, width * radii)), walkAlong(theirs, dot(theirs, ahead)));
}

// How fast one may go behind another, if that wants to go the same way; few are asked, so that each
// is looked at by itself.
static inline void followOther(const thPaceTask* task, int32_t lane, int32_t i, int32_t k,
                               Walkers* walkers)
{
    const thBatch* batch = task->batch;
    const thJams* jams = task->jams;
    const int32_t at = k * batch->lanes + lane + i, row = batch->nrow[at];
    const thJamShown* shown = &jams->shown[jams->current][row];
    const float x = walkers->x[i], y = walkers->y[i];
    const float wants = (float)shown->goalX * x + (float)shown->goalY * y; // in 1/127
    if (!(wants >= SAME_WAY * 127.0f) || !isFree(jams, row))
        return;
    const float radii = batch->radius[lane + i] + batch->nradius[at];
    const float along = batch->nx[at] * x + batch->ny[at] * y;
    const float aside = batch->nx[at] * y - batch->ny[at] * x;
    const float with = batch->nvx[at] * x + batch->nvy[at] * y;
    const float half = sqrtf(TH_MAX(radii * radii - aside * aside, 0.0f));
    const float kept = TH_MAX(along - half - TH_PACE_STANDS, 0.0f) * walkers->perGap[i];
    const float paced = kept + task->pace->follow * TH_MAX(with - kept, 0.0f);
    walkers->most[i] = TH_MIN(walkers->most[i], paced);
}

static inline void slowDown(const thPaceTask* task, int32_t lane)
{
    const thBatch* batch = task->batch;
    const thF one = fSet(1.0f);
    const Vec velocity = loadVec(batch->outVx, batch->outVy, lane);
    const thF speed = fSqrt(dot(velocity, velocity));
    const thI row = iLoad(batch->row + lane), count = iLoad(batch->neighborCount + lane);
    const thM moves = mAnd(mFirst(batch->count - lane), fGt(speed, fSet(LEAST_SPEED)));
    const thM asked = areFree(task, row, moves);
    if (!mAny(asked))
        return;
    const thF divisor = fSelect(moves, speed, one);
    const Vec ahead = vec(velocity.x / divisor, velocity.y / divisor);
    const thF gap = gapsOf(task, row), own = fLoad(batch->radius + lane);
    const thM heads = mAnd(asked, mNot(iLt(iGather(batch->frame->goal, row), iSet(0))));
    const thF wanted = fSelect(heads, fMin(speed, fLoad(batch->prefSpeed + lane)), speed);
    // Who is further than this cannot slow it down, wherever bodies touch.
    const thF reach = wanted * gap + fSet(TH_PACE_STANDS), width = fSet(task->pace->width);
    Walkers walkers;
    fStore(walkers.x, ahead.x);
    fStore(walkers.y, ahead.y);
    fStore(walkers.perGap, one / gap);
    fStore(walkers.most, wanted);
    for (int32_t first = 0; first < batch->neighborMax; first += 64 / TH_WIDTH) {
        const int32_t end = TH_MIN(batch->neighborMax, first + 64 / TH_WIDTH);
        uint64_t bits = 0;
        for (int32_t k = first; k < end; ++k) {
            const thM isSeen = mAnd(asked, iLt(iSet(k), count));
            const thM may = mAnd(isSeen, mayBeAhead(batch, lane, k, own, ahead, reach, width));
            bits |= (uint64_t)mBits(may) << (k - first) * TH_WIDTH;
        }
        for (; bits != 0; bits &= bits - 1) {
            const int32_t at = __builtin_ctzll(bits);
            followOther(task, lane, at % TH_WIDTH, first + at / TH_WIDTH, &walkers);
        }
    }
    const thF most = fLoad(walkers.most);
    const thF share = fSelect(fLt(most, speed), most / divisor, one);
    fStore(batch->outVx + lane, velocity.x * share);
    fStore(batch->outVy + lane, velocity.y * share);
}

void TH_WIDE(thiPaceLanes)(const thPaceTask* task)
{
    for (int32_t lane = 0; lane < task->batch->count; lane += TH_WIDTH)
        slowDown(task, lane);
}
