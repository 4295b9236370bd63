// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: the nearest walls of agents that stand together, one agent per lane. All look at the same
// candidates, which come by number, so that of walls that are equally far the lower comes first.

#include "space/sense.h"

#include "geom/segment.h"

#include <math.h>

// Squares of distances to a segment, as thiNearestWalls has them. Compilers make lanes of this.
static inline thF distancesSq(const double* px, const double* py, thPoint a, thPoint b)
{
    float distanceSq[TH_WIDTH];
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    for (int32_t i = 0; i < TH_WIDTH; ++i) {
        const thOffset to = thiNearestOffset((double)a.x - px[i], (double)a.y - py[i], dx, dy);
        distanceSq[i] = (float)((to.x * to.x + to.y * to.y) * 0x1p-32);
    }
    return fLoad(distanceSq);
}

// Those kept are one more than are listed, so that it shows whether the last of these is certain.
// Each is a distance² with its low bits replaced by the number of a wall among those that are near,
// which makes min and max enough to sort them: groups at a time, as in nearest_wide.c.
#define KEEP (TH_NEAR_WALLS + 1)
#define PLACES 16
#define NUMBER_BITS 10
#define NUMBER_MASK ((1 << NUMBER_BITS) - 1)

// Larger than any distance², with room for a number in its low bits.
static inline thF nothing(void)
{
    return fBits(iSet(0x7f000000));
}

static inline void arrange(thF* a, thF* b)
{
    const thF low = fMin(*a, *b);
    *b = fMax(*a, *b);
    *a = low;
}

// A sorting network.
static inline void sortGroup(thF group[TH_WALL_GROUP])
{
    static const int8_t pairs[19][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6},
                                        {3, 7}, {0, 1}, {2, 3}, {4, 5}, {6, 7}, {2, 4}, {3, 5},
                                        {1, 4}, {3, 6}, {1, 2}, {3, 4}, {5, 6}};
    _Pragma("GCC unroll 19") for (int32_t i = 0; i < 19; ++i)
        arrange(&group[pairs[i][0]], &group[pairs[i][1]]);
}

// One stage of a bitonic merge over PLACES, of which the last KEEP are there.
static inline void mergeStage(thF* keep, const int32_t distance)
{
    _Pragma("GCC unroll 16") for (int32_t i = 0; i < KEEP; ++i)
    {
        if (((PLACES - KEEP + i) & distance) == 0)
            arrange(&keep[i], &keep[i + distance]);
    }
}

static inline void keepNearest(const float* distancesSq, int32_t count, thF* keep)
{
    const thI distanceBits = iSet(~NUMBER_MASK);
    for (int32_t c = 0; c < count; c += TH_WALL_GROUP) {
        thF group[TH_WALL_GROUP];
        _Pragma("GCC unroll 8") for (int32_t i = 0; i < TH_WALL_GROUP; ++i)
        {
            const thI bits = iBits(fLoad(distancesSq + (c + i) * TH_WIDTH));
            group[i] = fBits(iOr(iAnd(bits, distanceBits), iSet(c + i)));
        }
        sortGroup(group);
        _Pragma("GCC unroll 8") for (int32_t i = 0; i < TH_WALL_GROUP; ++i) keep[KEEP - 1 - i] =
            fMin(keep[KEEP - 1 - i], group[i]);
        mergeStage(keep, 8);
        mergeStage(keep, 4);
        mergeStage(keep, 2);
        mergeStage(keep, 1);
    }
}

// Walls that are nearly as far, and went by their number, in the order of their full distances. So
// few are out of place that neighbours are exchanged until all is well.
static inline void putInOrder(thF* distanceSq, thI* segment)
{
    for (bool again = true; again;) {
        again = false;
        for (int32_t k = 0; k < KEEP - 1; ++k) {
            const thM wrong = fLt(distanceSq[k + 1], distanceSq[k]);
            if (!mAny(wrong))
                continue;
            const thF nearer = distanceSq[k + 1];
            const thI first = segment[k + 1];
            distanceSq[k + 1] = fSelect(wrong, distanceSq[k], nearer);
            segment[k + 1] = iSelect(wrong, segment[k], first);
            distanceSq[k] = fSelect(wrong, nearer, distanceSq[k]);
            segment[k] = iSelect(wrong, first, segment[k]);
            again = true;
        }
    }
}

// How many of those kept an agent gets; −1: that is not certain. One out of reach shows that there
// are no more within; and who was not kept must be further than the last that is needed.
static inline thI countOf(const thF* keep, const thF* distanceSq, thF reachSq, int32_t count)
{
    thI inReach = iSet(0), all = iSet(0);
    for (int32_t k = 0; k < KEEP; ++k) {
        inReach = iAdd(inReach, iSelect(fLe(distanceSq[k], reachSq), iSet(1), iSet(0)));
        all = iAdd(all, iSelect(fLt(keep[k], nothing()), iSet(1), iSet(0)));
    }
    const thI wanted = iAdd(inReach, iSet(count)), needed = iAdd(inReach, iSet(TH_MAX(count, 1)));
    const thI lastSteps = iShrLogical(iBits(keep[KEEP - 1]), NUMBER_BITS);
    thM certain = mNot(fLt(keep[KEEP - 1], nothing()));
    for (int32_t k = 0; k < KEEP - 1; ++k) {
        const thI steps = iShrLogical(iBits(keep[k]), NUMBER_BITS);
        certain = mOr(certain, mAnd(iEq(needed, iSet(k + 1)), iLt(steps, lastSteps)));
    }
    const thI got = iMin(iMin(wanted, all), iSet(TH_NEAR_WALLS));
    const thM fits = mOr(iLt(wanted, iSet(TH_NEAR_WALLS + 1)), iLt(all, iSet(TH_NEAR_WALLS + 1)));
    return iSelect(mAnd(certain, fits), got, iSet(-1));
}

// The lists of a register's lanes, from the distances to `count` walls.
static inline void listLanes(const thNearWallsTask* task, int32_t lane, int32_t count)
{
    thF keep[KEEP], keptSq[KEEP];
    thI kept[KEEP];
    for (int32_t k = 0; k < KEEP; ++k) {
        keep[k] = nothing();
        keptSq[k] = fSet(INFINITY);
        kept[k] = iSet(-1);
    }
    const bool isKnown = count <= NUMBER_MASK;
    if (isKnown) {
        for (int32_t c = count; c % TH_WALL_GROUP != 0; ++c)
            fStore(task->distancesSq + c * TH_WIDTH, nothing());
        keepNearest(task->distancesSq, count, keep);
        for (int32_t k = 0; k < TH_MIN(KEEP, count); ++k) {
            const thM isReal = fLt(keep[k], nothing());
            const thI number = iSelect(isReal, iAnd(iBits(keep[k]), iSet(NUMBER_MASK)), iSet(0));
            const thI at = iAdd(iMul(number, iSet(TH_WIDTH)), iLane());
            keptSq[k] = fSelect(isReal, fGather(task->distancesSq, at), keptSq[k]);
            kept[k] = iGather(task->near, number);
        }
        putInOrder(keptSq, kept);
    }
    const thF reachSq = fLoad(task->reachSq + lane);
    const thI got = isKnown ? countOf(keep, keptSq, reachSq, task->count) : iSet(-1);
    iStore(task->counts + lane, got);
    for (int32_t k = 0; k < TH_NEAR_WALLS; ++k)
        iStore(task->lists + k * TH_MAX_WIDTH + lane,
               iSelect(iLt(iSet(k), got), kept[k], iSet(-1)));
}

void TH_WIDE(thiNearWalls)(const thNearWallsTask* task)
{
    const thWalls* walls = task->walls;
    for (int32_t lane = 0; lane < TH_MAX_WIDTH; lane += TH_WIDTH) {
        double px[TH_WIDTH], py[TH_WIDTH];
        for (int32_t i = 0; i < TH_WIDTH; ++i) {
            px[i] = task->px[lane + i];
            py[i] = task->py[lane + i];
        }
        const thF limitSq = fLoad(task->limitSq + lane);
        thF nearestSq = fSet(INFINITY);
        int32_t count = 0;
        for (int32_t i = 0; i < task->segmentCount; ++i) {
            const int32_t segment = task->segments[i];
            const thPoint a = {walls->ax[segment], walls->ay[segment]};
            const thPoint b = {walls->bx[segment], walls->by[segment]};
            const thF distanceSq = distancesSq(px, py, a, b);
            const thM isNear = fLe(distanceSq, limitSq);
            fStore(task->distancesSq + count * TH_WIDTH, fSelect(isNear, distanceSq, nothing()));
            task->near[count] = segment;
            count += mAny(isNear) ? 1 : 0;
            nearestSq = fMin(nearestSq, distanceSq);
        }
        fStore(task->nearestSq + lane, fSelect(fLe(nearestSq, limitSq), nearestSq, fNeg(limitSq)));
        listLanes(task, lane, count);
    }
}
