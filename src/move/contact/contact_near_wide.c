// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: the cells with pairs that may overlap at their targets. Lanes are entries that follow
// each other:
//
//     north   . b b b b b b .      all lanes against one b after the other
//     home    . a a a a a a .      all lanes against those 1, 2, 3 … behind them
//
// This way lanes also meet some who are not in their cell's neighbourhood, which saves asking.

#include "move/contact/contact_internal.h"

// More than rounding makes out, here and where the cells are looked at.
#define MARGIN 1.001f

typedef struct Lanes {
    thI x, y;
    thF radius;
} Lanes;

static inline Lanes loadLanes(const thNearTask* task, int32_t entry)
{
    return (Lanes){iLoad(task->x + entry), iLoad(task->y + entry), fLoad(task->radius + entry)};
}

// The same one in all lanes.
static inline Lanes spread(const thNearTask* task, int32_t entry)
{
    return (Lanes){iSet(task->x[entry]), iSet(task->y[entry]), fSet(task->radius[entry])};
}

static inline thM isNear(Lanes a, Lanes b)
{
    const thF dx = fFromI(iSub(b.x, a.x)), dy = fFromI(iSub(b.y, a.y));
    const thF radii = a.radius + b.radius * fSet(MARGIN);
    return fLt(dx * dx + dy * dy, radii * radii);
}

// Which of the lanes from `entry` to `last` − 1 are near somebody; north of them are the entries
// from `north` on.
static inline uint32_t nearLanes(const thNearTask* task, int32_t entry, int32_t last, int32_t north,
                                 int32_t northEnd)
{
    Lanes lanes = loadLanes(task, entry);
    lanes.radius = lanes.radius * fSet(MARGIN);
    const thI behindEast = iAdd(iLoad(task->cell + entry), iSet(2));
    const thM all = mFirst(last - entry);
    thM far = all;
    for (int32_t b = entry + 1;; ++b) {
        const thM some = mAnd(far, iLt(iLoad(task->cell + b), behindEast));
        if (!mAny(some))
            break;
        far = mAndNot(far, mAnd(some, isNear(lanes, loadLanes(task, b))));
    }
    for (int32_t b = north; b < northEnd; ++b)
        far = mAndNot(far, isNear(lanes, spread(task, b)));
    return mBits(mAndNot(all, far));
}

int32_t TH_WIDE(thiFindNear)(const thNearTask* task)
{
    thContactCell* cells = task->cells;
    const uint64_t columns = task->layer->columns;
    const int32_t last = cells[task->end].first;
    int32_t north = task->north, northEnd = task->north; // cells
    int32_t count = 0;
    for (int32_t entry = cells[task->begin].first; entry < last; entry += TH_WIDTH) {
        const uint64_t code = cells[task->cell[entry]].code;
        const uint64_t lastCode = cells[task->cell[TH_MIN(entry + TH_WIDTH, last) - 1]].code;
        // Of the last north only its three last cells can be north of what follows.
        north = thiCellsUpTo(cells, TH_MAX(north, northEnd - 3), code + columns - 2);
        atomic_store_explicit(&cells[task->cell[entry]].north, north, memory_order_relaxed);
        northEnd = thiCellsUpTo(cells, northEnd, lastCode + columns + 1);
        uint32_t bits = nearLanes(task, entry, last, cells[north].first, cells[northEnd].first);
        for (; bits != 0; bits &= bits - 1) {
            const int32_t cell = task->cell[entry + __builtin_ctz(bits)];
            if (count == 0 || task->near[count - 1] != cell)
                task->near[count++] = cell;
        }
    }
    return count;
}
