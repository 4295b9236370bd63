// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: what agents get of what they want, who may be in a jam, and what others show.

#include "sim/jam/jam_lanes.h"

// In the second word that is shown: the claim, and flags. Of others, one who is in no jam itself
// minds only claims, and who stands in its way.
#define STIRS (0xFFFF | th_jamStands << TH_JAM_FLAGS_SHIFT)
#define JAMMED (int32_t)(0xFFFFu | (0xFFu & ~(uint32_t)th_jamStands) << TH_JAM_FLAGS_SHIFT)

#define TOO_FAST 1.0e6f // nobody wants that; it would not be a number [m/s]

// To the nearest, halves away from zero.
static inline thI roundOf(thF value)
{
    return iFromF(value + fSelect(fLt(value, fSet(0.0f)), fSet(-0.5f), fSet(0.5f)));
}

static inline thI wordsOf(const thJamTask* task, thI row, int32_t which)
{
    return iGather(task->shown->words, iAdd(iShl(row, 1), iSet(which)));
}

// Time since somebody was met, a step later: rounded, but never to what it was.
static inline thI contactAfter(thI contact, float dt)
{
    const thF time = fFromI(contact) * fSet(TH_JAM_CONTACT_UNIT) + fSet(dt);
    const thI units = iFromF(time * fSet(1.0f / TH_JAM_CONTACT_UNIT) + fSet(0.5f));
    return iMin(iMax(units, iAdd(contact, iSet(1))), iSet(UINT8_MAX));
}

static inline thI stirAround(const thJamTask* task, int32_t lane)
{
    const thBatch* batch = task->batch;
    thI stir = iSet(0);
    for (int32_t k = 0; k < batch->neighborMax; ++k)
        stir = iOr(stir, wordsOf(task, iLoad(batch->nrow + k * batch->lanes + lane), 1));
    return iAnd(stir, iSet(STIRS));
}

static inline void showCalm(const thJamTask* task, int32_t lane, thI contact, thI direction)
{
    const thFrame* frame = task->batch->frame;
    const thI row = iLoad(task->batch->row + lane);
    const thI flags = iGather((const int32_t*)(const void*)frame->flags, row);
    const thI still = iAnd(flags, iSet(TH_STANDING));
    const thM stands = mOr(iLt(iGather(frame->goal, row), iSet(0)), mNot(iEq(still, iSet(0))));
    const thI told = iOr(iShl(contactAfter(contact, frame->dt), TH_JAM_CONTACT_SHIFT),
                         iSelect(stands, iSet(th_jamStands << TH_JAM_FLAGS_SHIFT), iSet(0)));
    int32_t directions[TH_WIDTH], tolds[TH_WIDTH];
    iStore(directions, direction);
    iStore(tolds, told);
    for (int32_t i = 0; i < TH_WIDTH; ++i) {
        task->lanes->shown[lane + i][0] = directions[i];
        task->lanes->shown[lane + i][1] = tolds[i];
    }
}

static void judge(const thJamTask* task, int32_t lane)
{
    const thBatch* batch = task->batch;
    thJamLanes* lanes = task->lanes;
    const thF zero = fSet(0.0f), one = fSet(1.0f);
    const thI row = iLoad(batch->row + lane);
    const thI own = iGather(&task->own->word, row), told = wordsOf(task, row, 1);
    const thF gx = fLoad(batch->guideX + lane), gy = fLoad(batch->guideY + lane);
    const thF speed = fSqrt(gx * gx + gy * gy);
    const thM wants = mAnd(fLt(fSet(TH_JAM_SLOW), speed), fLt(speed, fSet(TOO_FAST)));
    const thF share = fSelect(wants, one, zero) / fSelect(wants, speed, one);
    const thF x = fSelect(wants, gx * share, zero), y = fSelect(wants, gy * share, zero);
    const thF along = (fLoad(batch->vx + lane) * x + fLoad(batch->vy + lane) * y) * share;
    const thF gets = fSelect(wants, fMin(fMax(along, fSet(-1.0f)), one), one);
    const thF before = fFromI(iShr(iShl(own, 16), 16)) * fSet(TH_JAM_PROGRESS_UNIT);
    const thF progress = before + fSet(task->weight) * (gets - before);
    const float scale = task->slowness > 0.0f ? 1.0f / task->slowness : 0.0f;
    const thF heldUp = fMin(fMax((fSet(task->slowness) - progress) * fSet(scale), zero), one);
    const thM free = mAnd(fLe(heldUp, zero), fLe(fSet(-TH_JAM_BACKWARDS), gets));
    const thM unmoved =
        mAnd(iEq(iAnd(told, iSet(JAMMED)), iSet(0)), iEq(iShrLogical(own, 16), iSet(0)));
    fStore(lanes->goalX + lane, x);
    fStore(lanes->goalY + lane, y);
    fStore(lanes->gets + lane, gets);
    fStore(lanes->progress + lane, progress);
    fStore(lanes->heldUp + lane, heldUp);
    iStore(lanes->isCalm + lane, iSelect(mAnd(free, unmoved), iSet(1), iSet(0)));
    iStore(lanes->isStirred + lane, stirAround(task, lane));
    iStore(lanes->own + lane,
           iAnd(roundOf(progress * fSet(1.0f / TH_JAM_PROGRESS_UNIT)), iSet(0xFFFF)));
    const thF scale127 = fSet(127.0f);
    const thI direction = iOr(iAnd(roundOf(x * scale127), iSet(0xFF)),
                              iShl(iAnd(roundOf(y * scale127), iSet(0xFF)), 8));
    const thI contact = iAnd(iShrLogical(told, TH_JAM_CONTACT_SHIFT), iSet(UINT8_MAX));
    showCalm(task, lane, contact, direction);
}

void TH_WIDE(thiJudgeLanes)(const thJamTask* task)
{
    for (int32_t lane = 0; lane < task->batch->lanes; lane += TH_WIDTH)
        judge(task, lane);
}
