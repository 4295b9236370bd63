// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: moves rows to their sorted places, and finds what they have in common.

#include "space/rows.h"

// Most rows of a register come from a few places side by side: they are picked out of two registers
// of the old column, and the others fetched one by one. Gathers take several times as long.
#define MOST_STRETCHES (TH_MOVE_ROWS / TH_WIDTH)
typedef struct Stretch {
    int32_t from;    // the first old row of the two registers
    uint32_t others; // bits of lanes that come from elsewhere
} Stretch;

static inline thI placesFrom(const int32_t* order, const Stretch* stretch)
{
    return iSub(iLoad(order), iSet(stretch->from));
}

static void findStretches(const thMoveTask* task, Stretch* stretches)
{
    // Two registers from the last place on reach to the end of the padding.
    const int32_t last = task->from->count - TH_WIDTH;
    for (int32_t i = task->begin; i < task->end; i += TH_WIDTH, ++stretches) {
        const int32_t middle = task->order[i + TH_WIDTH / 2] - TH_WIDTH;
        stretches->from = TH_MIN(TH_MAX(middle, 0), last);
        const thI place = placesFrom(task->order + i, stretches);
        const thM inside = mAnd(iLt(iSet(-1), place), iLt(place, iSet(2 * TH_WIDTH)));
        stretches->others = mBits(mNot(inside));
    }
}

static void moveNumbers(int32_t* to, const int32_t* from, const thMoveTask* task,
                        const Stretch* stretches)
{
    for (int32_t i = task->begin; i < task->end; i += TH_WIDTH, ++stretches) {
        const thI place = placesFrom(task->order + i, stretches);
        const thI lane = iAnd(place, iSet(TH_WIDTH - 1));
        const int32_t* window = from + stretches->from;
        iStore(to + i, iSelect(iLt(place, iSet(TH_WIDTH)), iPick(window, lane),
                               iPick(window + TH_WIDTH, lane)));
        for (uint32_t bits = stretches->others; bits != 0; bits &= bits - 1) {
            const int32_t row = i + __builtin_ctz(bits);
            to[row] = from[task->order[row]];
        }
    }
}

static void moveColumn(void* to, const void* from, size_t itemSize, const thMoveTask* task,
                       const Stretch* stretches)
{
    const int32_t* order = task->order;
    if (itemSize == 4 && stretches != NULL) {
        moveNumbers(to, from, task, stretches);
    } else if (itemSize == 4) {
        for (int32_t i = task->begin; i < task->end; ++i)
            ((uint32_t*)to)[i] = ((const uint32_t*)from)[order[i]];
    } else if (itemSize == 8) {
        for (int32_t i = task->begin; i < task->end; ++i)
            ((uint64_t*)to)[i] = ((const uint64_t*)from)[order[i]];
    } else {
        for (int32_t i = task->begin; i < task->end; ++i)
            ((uint16_t*)to)[i] = ((const uint16_t*)from)[order[i]];
    }
}

typedef struct LaneSummary {
    thI lowX, lowY, highX, highY, layers, mask, flags;
    thF minRadius, maxRadius, minYield, maxYield;
} LaneSummary;

static void joinLanes(thRowSummary* all, const LaneSummary* lanes)
{
    int32_t lowX[TH_WIDTH], lowY[TH_WIDTH], highX[TH_WIDTH], highY[TH_WIDTH];
    int32_t layers[TH_WIDTH], mask[TH_WIDTH], flags[TH_WIDTH];
    float minRadius[TH_WIDTH], maxRadius[TH_WIDTH], minYield[TH_WIDTH], maxYield[TH_WIDTH];
    iStore(lowX, lanes->lowX);
    iStore(lowY, lanes->lowY);
    iStore(highX, lanes->highX);
    iStore(highY, lanes->highY);
    iStore(layers, lanes->layers);
    iStore(mask, lanes->mask);
    iStore(flags, lanes->flags);
    fStore(minRadius, lanes->minRadius);
    fStore(maxRadius, lanes->maxRadius);
    fStore(minYield, lanes->minYield);
    fStore(maxYield, lanes->maxYield);
    for (int32_t i = 0; i < TH_WIDTH; ++i) {
        const thRowSummary part = {.lowX = lowX[i],
                                   .lowY = lowY[i],
                                   .highX = highX[i],
                                   .highY = highY[i],
                                   .commonLayers = (uint32_t)layers[i],
                                   .commonMask = (uint32_t)mask[i],
                                   .anyFlags = (uint32_t)flags[i],
                                   .minRadius = minRadius[i],
                                   .maxRadius = maxRadius[i],
                                   .minYield = minYield[i],
                                   .maxYield = maxYield[i]};
        thiJoinSummaries(all, &part);
    }
}

static void summarize(const thMoveTask* task)
{
    const thRows* rows = task->to;
    LaneSummary lanes = {iSet(INT32_MAX), iSet(INT32_MAX), iSet(INT32_MIN), iSet(INT32_MIN),
                         iSet(-1),        iSet(-1),        iSet(0),         fSet(FLT_MAX),
                         fSet(0.0f),      fSet(FLT_MAX),   fSet(0.0f)};
    for (int32_t i = task->begin; i < task->end; i += TH_WIDTH) {
        const thM here = mFirst(task->end - i);
        const thI x = iLoad(rows->px + i), y = iLoad(rows->py + i);
        const thI layers = iLoad((const int32_t*)(const void*)(rows->layers + i));
        const thI mask = iLoad((const int32_t*)(const void*)(rows->mask + i));
        lanes.lowX = iSelect(here, iMin(lanes.lowX, x), lanes.lowX);
        lanes.lowY = iSelect(here, iMin(lanes.lowY, y), lanes.lowY);
        lanes.highX = iSelect(here, iMax(lanes.highX, x), lanes.highX);
        lanes.highY = iSelect(here, iMax(lanes.highY, y), lanes.highY);
        lanes.layers = iSelect(here, iAnd(lanes.layers, layers), lanes.layers);
        lanes.mask = iSelect(here, iAnd(lanes.mask, mask), lanes.mask);
        const thI flags = iLoad((const int32_t*)(const void*)(rows->flags + i));
        lanes.flags = iSelect(here, iOr(lanes.flags, flags), lanes.flags);
        const thF radius = fLoad(rows->radius + i), yield = fLoad(rows->yield + i);
        lanes.minRadius = fSelect(here, fMin(lanes.minRadius, radius), lanes.minRadius);
        lanes.maxRadius = fSelect(here, fMax(lanes.maxRadius, radius), lanes.maxRadius);
        lanes.minYield = fSelect(here, fMin(lanes.minYield, yield), lanes.minYield);
        lanes.maxYield = fSelect(here, fMax(lanes.maxYield, yield), lanes.maxYield);
    }
    task->summary->count += task->end - task->begin;
    joinLanes(task->summary, &lanes);
}

void TH_WIDE(thiMoveRows)(const thMoveTask* task)
{
    Stretch stretches[MOST_STRETCHES];
    const bool isWide = TH_WIDTH >= 8 && task->from->count >= TH_WIDTH;
    if (isWide)
        findStretches(task, stretches);
#define X(type, name)                                                                              \
    moveColumn(task->to->name, task->from->name, sizeof(type), task, isWide ? stretches : NULL);
    TH_ROW_COLUMNS(X)
#undef X
    summarize(task);
}
