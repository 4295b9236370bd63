// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: what agents get of what they want, and who may be in a jam. All who are in none are done
// with then.

#include "sim/jam/jam_lanes.h"

// In the second word that is shown: the claim, and flags. Of others, one who is in no jam itself
// minds only claims, and who stands in its way.
#define STIRS (0xFFFF | th_jamStands << TH_JAM_FLAGS_SHIFT)
#define JAMMED (int32_t)(0xFFFFu | (0xFFu & ~(uint32_t)th_jamStands) << TH_JAM_FLAGS_SHIFT)

#define MEMORY 2.0f     // time over which progress is judged [s]
#define TOO_FAST 1.0e6f // nobody wants that; it would not be a number [m/s]

// To the nearest, halves away from zero.
static inline thI roundOf(thF value)
{
    return iFromF(value + fSelect(fLt(value, fSet(0.0f)), fSet(-0.5f), fSet(0.5f)));
}

static inline thI toldBy(const thJamTask* task, thI row)
{
    const thJams* jams = task->jams;
    return iGather(jams->shown[jams->current]->words, iAdd(iShl(row, 1), iSet(1)));
}

static inline thM areStanding(thI goal, thI flags)
{
    return mOr(iLt(goal, iSet(0)), mNot(iEq(iAnd(flags, iSet(TH_STANDING)), iSet(0))));
}

static inline thM shuffle(thI told)
{
    return mNot(iEq(iAnd(told, iSet(th_jamShuffles << TH_JAM_FLAGS_SHIFT)), iSet(0)));
}

// Whether lanes from this one on are full, and of rows that follow each other.
static inline bool isStretch(const thBatch* batch, int32_t lane)
{
    const int32_t* rows = batch->row + lane;
    return lane + TH_WIDTH <= batch->count && rows[TH_WIDTH - 1] - rows[0] == TH_WIDTH - 1;
}

// Columns by row, of such rows or others.
static inline thI columnOf(const int32_t* column, thI row, const int32_t* rows, bool isStretch)
{
    return isStretch ? iLoad(column + rows[0]) : iGather(column, row);
}

static inline thI toldByOwn(const thJamTask* task, thI row, const int32_t* rows, bool isStretch)
{
    if (!isStretch)
        return toldBy(task, row);
    const thJamShown* shown = task->jams->shown[task->jams->current] + rows[0];
    int32_t told[TH_WIDTH];
    for (int32_t i = 0; i < TH_WIDTH; ++i)
        told[i] = shown[i].words[1];
    return iLoad(told);
}

// Time since somebody was met, a step later: rounded, but never to what it was.
static inline thI contactAfter(thI contact, float dt)
{
    const thF time = fFromI(contact) * fSet(TH_JAM_CONTACT_UNIT) + fSet(dt);
    const thI units = iFromF(time * fSet(1.0f / TH_JAM_CONTACT_UNIT) + fSet(0.5f));
    return iMin(iMax(units, iAdd(contact, iSet(1))), iSet(UINT8_MAX));
}

// Who of these has somebody near who claims the way, or stands: nothing else matters to one who is
// in no jam.
static inline thM areStirred(const thJamTask* task, int32_t lane, thI row, thM asked)
{
    const thBatch* batch = task->batch;
    const thF own = fLoad(batch->radius + lane);
    thI stir = iSet(0);
    for (int32_t k = 0; k < batch->neighborMax; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const thF x = fLoad(batch->nx + at), y = fLoad(batch->ny + at);
        const thF reach = own + fLoad(batch->nradius + at) + fSet(TH_JAM_NEARBY);
        const thM near = mAnd(asked, fLe(x * x + y * y, reach * reach));
        if (!mAny(near))
            continue;
        const thI other = iSelect(near, iLoad(batch->nrow + at), row); // what is far stays unread
        stir = iOr(stir, iSelect(near, toldBy(task, other), iSet(0)));
    }
    return mNot(iEq(iAnd(stir, iSet(STIRS)), iSet(0)));
}

// Of those who have further to go than can be told, all have as far.
static inline thI remainingOf(const thBatch* batch, int32_t lane)
{
    const thF units = fLoad(batch->remaining + lane) * fSet(1.0f / TH_JAM_REMAINING_UNIT);
    return iFromF(fMin(fMax(units, fSet(0.0f)), fSet((float)UINT16_MAX)));
}

// A little to the side, so that two who meet are never quite even.
static inline void keepSide(const thJamTask* task, int32_t lane, thM which)
{
    const thBatch* batch = task->batch;
    if (task->def->keep == th_keepNone || batch->nx == NULL)
        return;
    const float side = task->def->keep == th_keepRight ? -1.0f : 1.0f;
    const thF sine = fSet(side * TH_JAM_ASIDE_SINE), cosine = fSet(TH_JAM_ASIDE_COSINE);
    const thF gx = fLoad(batch->guideX + lane), gy = fLoad(batch->guideY + lane);
    fStore(batch->guideX + lane, fSelect(which, gx * cosine - gy * sine, gx));
    fStore(batch->guideY + lane, fSelect(which, gx * sine + gy * cosine, gy));
}

// What one in no jam shows, and keeps. Of others this is written, too, and then overwritten.
static inline void show(const thJamTask* task, int32_t lane, thI direction, thI told, thI own)
{
    const thJams* jams = task->jams;
    const int32_t next = 1 - jams->current;
    const int32_t* rows = task->batch->row + lane;
    const int32_t count = TH_MIN(task->batch->count - lane, TH_WIDTH);
    int32_t directions[TH_WIDTH], tolds[TH_WIDTH], owns[TH_WIDTH], remaining[TH_WIDTH];
    iStore(directions, direction);
    iStore(tolds, told);
    iStore(owns, own);
    iStore(remaining, remainingOf(task->batch, lane));
    if (isStretch(task->batch, lane)) {
        thJamShown* toShown = jams->shown[next] + rows[0];
        uint16_t* toRemaining = jams->remaining[next] + rows[0];
        for (int32_t i = 0; i < TH_WIDTH; ++i) {
            toShown[i].words[0] = directions[i];
            toShown[i].words[1] = tolds[i];
        }
        for (int32_t i = 0; i < TH_WIDTH; ++i)
            toRemaining[i] = (uint16_t)remaining[i];
        iStore(&jams->own[next][rows[0]].word, own);
        return;
    }
    for (int32_t i = 0; i < count; ++i) {
        const int32_t row = rows[i];
        jams->shown[next][row].words[0] = directions[i];
        jams->shown[next][row].words[1] = tolds[i];
        jams->own[next][row].word = owns[i];
        jams->remaining[next][row] = (uint16_t)remaining[i];
    }
}

// Lists those who may be in a jam. Where most are, the others cost less than to leave them out.
static inline void list(thJamLanes* lanes, int32_t lane, thM jammed)
{
    const uint32_t bits = mBits(jammed);
    if (8 * __builtin_popcount(bits) >= 5 * TH_WIDTH) {
        lanes->full[lanes->fullCount] = lane;
        lanes->fullBits[lanes->fullCount++] = bits;
    } else if (bits != 0) {
        lanes->singleCount +=
            iCompress(lanes->single + lanes->singleCount, jammed, iAdd(iLane(), iSet(lane)));
    }
}

static inline void judge(const thJamTask* task, int32_t lane)
{
    const thBatch* batch = task->batch;
    const thFrame* frame = batch->frame;
    thJamLanes* lanes = task->lanes;
    const thF zero = fSet(0.0f), one = fSet(1.0f);
    const thI row = iLoad(batch->row + lane);
    const int32_t* rows = batch->row + lane;
    const bool stretch = isStretch(batch, lane);
    const thI own = columnOf(&task->jams->own[task->jams->current]->word, row, rows, stretch);
    const thI told = toldByOwn(task, row, rows, stretch);
    const thI flags = columnOf((const int32_t*)(const void*)frame->flags, row, rows, stretch);
    const thI goal = columnOf(frame->goal, row, rows, stretch);
    const thF gx = fLoad(batch->guideX + lane), gy = fLoad(batch->guideY + lane);
    const thF speed = fSqrt(gx * gx + gy * gy);
    const thM wants = mAnd(fLt(fSet(TH_JAM_SLOW), speed), fLt(speed, fSet(TOO_FAST)));
    const thF share = fSelect(wants, one, zero) / fSelect(wants, speed, one);
    const thF x = fSelect(wants, gx * share, zero), y = fSelect(wants, gy * share, zero);
    const thF along = (fLoad(batch->vx + lane) * x + fLoad(batch->vy + lane) * y) * share;
    const thF gets = fSelect(wants, fMin(fMax(along, fSet(-1.0f)), one), one);
    const thF before = fFromI(iShr(iShl(own, 16), 16)) * fSet(TH_JAM_PROGRESS_UNIT);
    const thF progress = before + fSet(TH_MIN(frame->dt / MEMORY, 1.0f)) * (gets - before);
    const float slowness = task->def->slowness;
    const float scale = slowness > 0.0f ? 1.0f / slowness : 0.0f;
    const thF heldUp = fMin(fMax((fSet(slowness) - progress) * fSet(scale), zero), one);
    fStore(lanes->goalX + lane, x);
    fStore(lanes->goalY + lane, y);
    fStore(lanes->gets + lane, gets);
    fStore(lanes->progress + lane, progress);
    fStore(lanes->heldUp + lane, heldUp);
    iStore(lanes->told + lane, told);
    iStore(lanes->own + lane, own);
    iStore(lanes->flags + lane, flags);
    iStore(lanes->goal + lane, goal);

    const thM exists = mFirst(batch->count - lane);
    const thM free = mAnd(fLe(heldUp, zero), fLe(fSet(-TH_JAM_BACKWARDS), gets));
    const thM unmoved =
        mAnd(iEq(iAnd(told, iSet(JAMMED)), iSet(0)), iEq(iShrLogical(own, 16), iSet(0)));
    const thM quiet = mAnd(exists, mAnd(free, unmoved));
    const thM calm = mAndNot(quiet, areStirred(task, lane, row, quiet));
    list(lanes, lane, mAndNot(exists, calm));

    const thM stands = areStanding(goal, flags);
    lanes->someOverlook = lanes->someOverlook || mAny(mAnd(exists, mOr(stands, shuffle(told))));
    const thI contact = iAnd(iShrLogical(told, TH_JAM_CONTACT_SHIFT), iSet(UINT8_MAX));
    const thF units = fSet(127.0f);
    keepSide(task, lane, mAndNot(calm, stands));
    show(task, lane,
         iOr(iAnd(roundOf(x * units), iSet(0xFF)), iShl(iAnd(roundOf(y * units), iSet(0xFF)), 8)),
         iOr(iShl(contactAfter(contact, frame->dt), TH_JAM_CONTACT_SHIFT),
             iSelect(stands, iSet(th_jamStands << TH_JAM_FLAGS_SHIFT), iSet(0))),
         iAnd(roundOf(progress * fSet(1.0f / TH_JAM_PROGRESS_UNIT)), iSet(0xFFFF)));
}

void TH_WIDE(thiJudgeJams)(const thJamTask* task)
{
    thJamLanes* lanes = task->lanes;
    lanes->fullCount = lanes->singleCount = 0;
    lanes->someOverlook = false;
    for (int32_t lane = 0; lane < task->batch->count; lane += TH_WIDTH)
        judge(task, lane);
    for (int32_t i = 0; i < TH_MAX_WIDTH && lanes->singleCount > 0; ++i)
        lanes->single[lanes->singleCount + i] = lanes->single[lanes->singleCount - 1];
}

// Whom agents do not see.

// Who has a place where it came to stand, other than a goal.
static inline thM keepPlaces(const thJams* jams, thI row, thI goal, thI flags)
{
    const thM stands =
        mAnd(areStanding(goal, flags), iEq(iAnd(flags, iSet(th_agentArrived)), iSet(0)));
    if (!mAny(stands))
        return stands;
    const int32_t* rest = &jams->rest[jams->current]->x;
    const thI at = iShl(row, 1), nowhere = iSet(INT32_MIN);
    return mAndNot(stands, mAnd(iEq(iGather(rest, at), nowhere),
                                iEq(iGather(rest, iAdd(at, iSet(1))), nowhere)));
}

static inline bool hasShape(const thFrame* frame, int32_t row)
{
    return frame->shapes != NULL && frame->shapes[frame->profile[row]].count > 0;
}

static inline thM haveShapes(const thFrame* frame, const int32_t* rows)
{
    uint32_t bits = 0;
    for (int32_t i = 0; i < TH_WIDTH && frame->shapes != NULL; ++i)
        bits |= (hasShape(frame, rows[i]) ? 1u : 0u) << i;
    return mFromBits(bits);
}

// Avoidance does not see those who shuffle like itself. Both sides go by what was shown in the last
// step, so they agree. Nor do those who keep their places see each other: who stands is not driven
// out of its place by one who comes back. What keeps discs apart then is contacts; shapes have
// nothing but avoidance.
static inline void overlook(const thJamTask* task, int32_t lane)
{
    const thBatch* batch = task->batch;
    const thFrame* frame = batch->frame;
    const int32_t *rows = batch->row + lane, *flags = (const int32_t*)(const void*)frame->flags;
    const bool stretch = isStretch(batch, lane);
    const thI row = iLoad(rows), count = iLoad(batch->neighborCount + lane);
    const thM exists = mFirst(batch->count - lane);
    const thM shuffles = mAnd(exists, shuffle(toldByOwn(task, row, rows, stretch)));
    thM stays = mAnd(exists, keepPlaces(task->jams, row, columnOf(frame->goal, row, rows, stretch),
                                        columnOf(flags, row, rows, stretch)));
    for (uint32_t left = mBits(stays); left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        if (thiIsPassed(batch, lane + (int32_t)i))
            stays = mAndNot(stays, mFromBits(1u << i));
    }
    const thM asks = mOr(shuffles, stays);
    for (int32_t k = 0; k < batch->neighborMax && mAny(asks); ++k) {
        const int32_t at = k * batch->lanes + lane;
        const thI other = iSelect(asks, iLoad(batch->nrow + at), row);
        thM both = mAnd(shuffles, shuffle(toldBy(task, other)));
        if (mAny(stays))
            both = mOr(both, mAnd(stays, keepPlaces(task->jams, other, iGather(frame->goal, other),
                                                    iGather(flags, other))));
        both = mAnd(mAndNot(both, haveShapes(frame, batch->nrow + at)), iLt(iSet(k), count));
        const thF away = fSet(TH_INERT_DISTANCE), zero = fSet(0.0f);
        fStore((float*)batch->nx + at, fSelect(both, away, fLoad(batch->nx + at)));
        fStore((float*)batch->ny + at, fSelect(both, away, fLoad(batch->ny + at)));
        fStore((float*)batch->nvx + at, fSelect(both, zero, fLoad(batch->nvx + at)));
        fStore((float*)batch->nvy + at, fSelect(both, zero, fLoad(batch->nvy + at)));
        fStore((float*)batch->nradius + at, fSelect(both, zero, fLoad(batch->nradius + at)));
    }
}

void TH_WIDE(thiOverlookLanes)(const thJamTask* task)
{
    const thBatch* batch = task->batch;
    if (hasShape(batch->frame, batch->row[0])) // as all of them have
        return;
    for (int32_t lane = 0; lane < batch->count; lane += TH_WIDTH)
        overlook(task, lane);
}
