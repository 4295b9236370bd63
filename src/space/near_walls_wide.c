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
#define NOTHING 0x7f000000
static inline thF nothing(void)
{
    return fBits(iSet(NOTHING));
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

static inline thI stepsOf(thF entry)
{
    return iShrLogical(iBits(entry), NUMBER_BITS);
}

// The numbers of one lane in the order of their full distances.
static void sortNumbers(const float* distancesSq, int32_t lane, int32_t count, int32_t* numbers)
{
    for (int32_t k = 1; k < count; ++k) {
        const int32_t number = numbers[k * TH_WIDTH + lane];
        const float distanceSq = distancesSq[number * TH_WIDTH + lane];
        int32_t at = k;
        for (; at > 0; --at) {
            const int32_t before = numbers[(at - 1) * TH_WIDTH + lane];
            if (distancesSq[before * TH_WIDTH + lane] <= distanceSq)
                break;
            numbers[at * TH_WIDTH + lane] = before;
        }
        numbers[at * TH_WIDTH + lane] = number;
    }
}

// Walls that are nearly as far went by their numbers, which is right for those that are as far.
// Looks at all such pairs, and sorts the lanes of those that are out of order.
static inline void putInOrder(const float* distancesSq, const thF* keep, int32_t count,
                              int32_t* numbers)
{
    uint32_t wrong = 0;
    for (int32_t k = 1; k < count; ++k) {
        const thM isReal = fLt(keep[k], nothing());
        const thM alike = mAnd(iEq(stepsOf(keep[k - 1]), stepsOf(keep[k])), isReal);
        for (uint32_t bits = mBits(alike); bits != 0; bits &= bits - 1) {
            const int32_t lane = __builtin_ctz(bits), at = k * TH_WIDTH + lane;
            if (distancesSq[numbers[at] * TH_WIDTH + lane] <
                distancesSq[numbers[at - TH_WIDTH] * TH_WIDTH + lane])
                wrong |= 1u << lane;
        }
    }
    for (; wrong != 0; wrong &= wrong - 1) {
        const int32_t lane = __builtin_ctz(wrong);
        int32_t real = 0;
        for (; real < count; ++real) {
            float entries[TH_WIDTH];
            fStore(entries, keep[real]);
            if (thiFloatBits(entries[lane]) >= NOTHING)
                break;
        }
        sortNumbers(distancesSq, lane, real, numbers);
    }
}

// How many of those kept an agent gets; −1: that is not certain. One out of reach shows that there
// are no more within; and who was not kept must be further than the last that is needed.
static inline thI countOf(const thF* keep, thI inReach, int32_t count)
{
    thI all = iSet(0);
    for (int32_t k = 0; k < KEEP; ++k)
        all = iAdd(all, iSelect(fLt(keep[k], nothing()), iSet(1), iSet(0)));
    const thI wanted = iAdd(inReach, iSet(count)), needed = iAdd(inReach, iSet(TH_MAX(count, 1)));
    const thM isAll = mNot(fLt(keep[KEEP - 1], nothing()));
    thM certain = isAll;
    for (int32_t k = 0; k < KEEP - 1 && !mAll(isAll); ++k)
        certain = mOr(certain, mAnd(iEq(needed, iSet(k + 1)),
                                    iLt(stepsOf(keep[k]), stepsOf(keep[KEEP - 1]))));
    return iSelect(certain, iMin(wanted, all), iSet(-1));
}

// The segments behind numbers of walls that are near.
static inline thI segmentsOf(const int32_t* near, int32_t count, thI number)
{
    if (count > 2 * TH_WIDTH)
        return iGather(near, number);
    const thI lane = iAnd(number, iSet(TH_WIDTH - 1));
    const thI first = iPick(near, lane);
    if (count <= TH_WIDTH)
        return first;
    return iSelect(iLt(number, iSet(TH_WIDTH)), first, iPick(near + TH_WIDTH, lane));
}

// The lists of a register's lanes, from the distances to `count` walls.
static inline void listLanes(const thNearWallsTask* task, int32_t lane, int32_t count, thI inReach)
{
    int32_t numbers[KEEP * TH_WIDTH];
    thF keep[KEEP];
    for (int32_t k = 0; k < KEEP; ++k)
        keep[k] = nothing();
    thI got = iSet(-1);
    if (count <= NUMBER_MASK) {
        for (int32_t c = count; c % TH_WALL_GROUP != 0; ++c)
            fStore(task->distancesSq + c * TH_WIDTH, nothing());
        keepNearest(task->distancesSq, count, keep);
        for (int32_t k = 0; k < KEEP; ++k)
            iStore(numbers + k * TH_WIDTH, iAnd(iBits(keep[k]), iSet(NUMBER_MASK)));
        putInOrder(task->distancesSq, keep, TH_MIN(KEEP, count), numbers);
        got = countOf(keep, inReach, task->count);
    }
    iStore(task->counts + lane, got);
    for (int32_t k = 0; k < TH_NEAR_WALLS; ++k) {
        const thM listed = iLt(iSet(k), got);
        const thI number = iSelect(listed, iLoad(numbers + k * TH_WIDTH), iSet(0));
        const thI segment = mAny(listed) ? segmentsOf(task->near, count, number) : iSet(-1);
        iStore(task->lists + k * TH_MAX_WIDTH + lane, iSelect(listed, segment, iSet(-1)));
    }
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
        const thF limitSq = fLoad(task->limitSq + lane), reachSq = fLoad(task->reachSq + lane);
        thF nearestSq = fSet(INFINITY);
        thI inReach = iSet(0);
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
            inReach = iAdd(inReach, iSelect(fLe(distanceSq, reachSq), iSet(1), iSet(0)));
        }
        fStore(task->nearestSq + lane, fSelect(fLe(nearestSq, limitSq), nearestSq, fNeg(limitSq)));
        listLanes(task, lane, count, inReach);
    }
}
