// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernels: how far agents reach, and the cells they stand in, row by row.

#include "geom/fixed.h"
#include "move/contact/contact_internal.h"

// Bins of reaches, eight an octave: see contact_cells.c.
static inline thI binsOf(thI reach)
{
    const thI bin = iSub(iShr(iBits(fFromI(reach)), 20), iSet(TH_CONTACT_FIRST_BIN));
    return iMin(iMax(bin, iSet(0)), iSet(TH_CONTACT_BINS - 1));
}

static inline void countBins(thI bins, thM mask, int64_t* counts)
{
    int32_t bin[TH_WIDTH];
    iStore(bin, bins);
    uint32_t bits = mBits(mask);
    const int32_t first = bin[bits != 0 ? __builtin_ctz(bits) : 0];
    const uint32_t same = mBits(mAnd(mask, iEq(bins, iSet(first))));
    counts[first] += __builtin_popcount(same);
    for (bits &= ~same; bits != 0; bits &= bits - 1)
        counts[bin[__builtin_ctz(bits)]] += 1;
}

static inline int32_t lowest(thI values)
{
    int32_t value[TH_WIDTH], low = INT32_MAX;
    iStore(value, values);
    for (int32_t i = 0; i < TH_WIDTH; ++i)
        low = TH_MIN(low, value[i]);
    return low;
}

static inline int32_t highest(thI values)
{
    int32_t value[TH_WIDTH], high = INT32_MIN;
    iStore(value, values);
    for (int32_t i = 0; i < TH_WIDTH; ++i)
        high = TH_MAX(high, value[i]);
    return high;
}

int32_t TH_WIDE(thiSizeRows)(const thContacts* contacts, int32_t begin, int32_t end, int32_t* odd,
                             thContactWorker* worker)
{
    const thContactTask* task = contacts->task;
    const thRows* rows = task->rows;
    const uint32_t oddFlags =
        th_agentExternal | th_agentVelocityOnly | th_agentHolds | th_agentWaiting;
    thI lowX = iSet(INT32_MAX), lowY = lowX, highX = iSet(INT32_MIN), highY = highX;
    int32_t count = 0;
    for (int32_t i = begin; i < end; i += TH_WIDTH) {
        const thI flags = iLoad((const int32_t*)(const void*)(rows->flags + i));
        const thI px = iLoad(rows->px + i), py = iLoad(rows->py + i);
        const thF dx = fFromI(iSub(iLoad(task->x + i), px));
        const thF dy = fFromI(iSub(iLoad(task->y + i), py));
        const thF radius = fLoad(rows->radius + i), units = radius * fSet(TH_UNITS);
        const thI whole = iFromF(units);
        const thI size = iSelect(fLt(fFromI(whole), units), iAdd(whole, iSet(1)), whole);
        const thF way = fMin(fLoad(rows->maxSpeed + i) * fSet(task->dt), radius);
        const thI budget = iFromF(way * fSet(TH_UNITS));
        const thF most = fFromI(budget);
        // Its own move is not longer, with something to spare for rounding.
        const thM isShort = fLe((dx * dx + dy * dy) * fSet(1.0001f), most * most);
        const thM isPlain = mAnd(iEq(iAnd(flags, iSet((int32_t)oddFlags)), iSet(0)),
                                 mAnd(isShort, iGt(iLoad(rows->goal + i), iSet(-1))));
        const thM all = mFirst(end - i);
        const thM plain = mAnd(all, mAndNot(isPlain, iEq(flags, iSet(0))));
        iStore(contacts->budget + i, budget);
        iStore(contacts->radius + i, size);
        countBins(binsOf(iAdd(iAdd(size, budget), iSet(2))), plain, worker->bins);
        lowX = iSelect(plain, iMin(lowX, px), lowX);
        lowY = iSelect(plain, iMin(lowY, py), lowY);
        highX = iSelect(plain, iMax(highX, px), highX);
        highY = iSelect(plain, iMax(highY, py), highY);
        const thM others = mAndNot(all, plain);
        if (mAny(others))
            count += iCompress(odd + count, others, iAdd(iSet(i), iLane()));
    }
    thContactExtent* extent = &worker->extent;
    extent->lowX = TH_MIN(extent->lowX, lowest(lowX));
    extent->lowY = TH_MIN(extent->lowY, lowest(lowY));
    extent->highX = TH_MAX(extent->highX, highest(highX));
    extent->highY = TH_MAX(extent->highY, highest(highY));
    return count;
}

// Cells along an axis: at most 2^20, so that the float quotient is off by one at most.
static inline thI cellsAlong(thI at, int32_t low, uint32_t side)
{
    const thI offset = iSub(at, iSet(low));
    const thI cell = iFromF(fFromI(offset) * fSet(1.0f / (float)side));
    const thI rest = iSub(offset, iMul(cell, iSet((int32_t)side)));
    const thI up = iSelect(iGt(rest, iSet((int32_t)side - 1)), iAdd(cell, iSet(1)), cell);
    return iSelect(iLt(rest, iSet(0)), iSub(cell, iSet(1)), up);
}

void TH_WIDE(thiCodeRows)(const thContacts* contacts, const thContactLayer* layer, int32_t begin,
                          int32_t end, int32_t* codes)
{
    const thRows* rows = contacts->task->rows;
    const thContactExtent* extent = &contacts->extent;
    const thI columns = iSet((int32_t)layer->columns);
    for (int32_t i = begin; i < end; i += TH_WIDTH) {
        const thI x = cellsAlong(iLoad(rows->px + i), extent->lowX, layer->side);
        const thI y = cellsAlong(iLoad(rows->py + i), extent->lowY, layer->side);
        iStore(codes + i - begin, iAdd(iMul(iAdd(y, iSet(1)), columns), iAdd(x, iSet(1))));
    }
}
