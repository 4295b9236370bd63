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

// Puts a wall where it belongs among those that are kept, sorted by distance.
static inline void insert(thF* keptSq, thI* kept, thF distanceSq, thI segment)
{
    for (int32_t k = 0; k < TH_NEAR_WALLS; ++k) {
        const thM nearer = fLt(distanceSq, keptSq[k]);
        const thF furtherSq = fSelect(nearer, keptSq[k], distanceSq);
        const thI further = iSelect(nearer, kept[k], segment);
        keptSq[k] = fSelect(nearer, distanceSq, keptSq[k]);
        kept[k] = iSelect(nearer, segment, kept[k]);
        distanceSq = furtherSq;
        segment = further;
    }
}

// How many of those that are kept an agent gets; −1: they may not be all.
static inline thI countOf(const thF* keptSq, thF reachSq, int32_t count)
{
    thI inReach = iSet(0), all = iSet(0);
    for (int32_t k = 0; k < TH_NEAR_WALLS; ++k) {
        inReach = iAdd(inReach, iSelect(fLe(keptSq[k], reachSq), iSet(1), iSet(0)));
        all = iAdd(all, iSelect(fLt(keptSq[k], fSet(INFINITY)), iSet(1), iSet(0)));
    }
    const thI wanted = iAdd(inReach, iSet(count));
    const thM isFull = iEq(all, iSet(TH_NEAR_WALLS));
    const thI needed =
        iAdd(inReach, iSet(TH_MAX(count, 1))); // one out of reach shows there are no more
    const thM isShort = mAnd(isFull, iGt(needed, iSet(TH_NEAR_WALLS)));
    return iSelect(isShort, iSet(-1), iSelect(iLt(wanted, all), wanted, all));
}

void TH_WIDE(thiNearWalls)(const thNearWallsTask* task)
{
    const thWalls* walls = task->walls;
    for (int32_t lane = 0; lane < TH_MAX_WIDTH; lane += TH_WIDTH) {
        double px[TH_WIDTH], py[TH_WIDTH];
        thF keptSq[TH_NEAR_WALLS];
        thI kept[TH_NEAR_WALLS];
        for (int32_t i = 0; i < TH_WIDTH; ++i) {
            px[i] = task->px[lane + i];
            py[i] = task->py[lane + i];
        }
        for (int32_t k = 0; k < TH_NEAR_WALLS; ++k) {
            keptSq[k] = fSet(INFINITY);
            kept[k] = iSet(-1);
        }
        const thF limitSq = fLoad(task->limitSq + lane), reachSq = fLoad(task->reachSq + lane);
        for (int32_t i = 0; i < task->segmentCount; ++i) {
            const int32_t segment = task->segments[i];
            const thPoint a = {walls->ax[segment], walls->ay[segment]};
            const thPoint b = {walls->bx[segment], walls->by[segment]};
            const thF distanceSq = distancesSq(px, py, a, b);
            const thM isNear = fLe(distanceSq, limitSq);
            if (mAny(isNear))
                insert(keptSq, kept, fSelect(isNear, distanceSq, fSet(INFINITY)), iSet(segment));
        }
        const thM hasWall = fLt(keptSq[0], fSet(INFINITY));
        fStore(task->nearestSq + lane, fSelect(hasWall, keptSq[0], fNeg(limitSq)));
        const thI count = countOf(keptSq, reachSq, task->count);
        iStore(task->counts + lane, count);
        for (int32_t k = 0; k < TH_NEAR_WALLS; ++k)
            iStore(task->lists + k * TH_MAX_WIDTH + lane,
                   iSelect(iLt(iSet(k), count), kept[k], iSet(-1)));
    }
}
