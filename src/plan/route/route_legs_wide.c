// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: whether a straight leg is clear of walls, several of these at a time.

#include "plan/route/route_legs.h"

#define FEW_CELLS 3 // in a row or column

typedef struct Lanes {
    thI x, y; // where the leg begins
    thF dx, dy;
    thF beside, behind, beyond; // behind: − beside
} Lanes;

typedef struct Ends {
    thF side, along;
} Ends;

static inline Ends endsOf(const Lanes* leg, const int32_t* x, const int32_t* y)
{
    const thF toX = fFromI(iSub(iShr(iLoad(x), 1), leg->x));
    const thF toY = fFromI(iSub(iShr(iLoad(y), 1), leg->y));
    return (Ends){leg->dx * toY - leg->dy * toX, leg->dx * toX + leg->dy * toY};
}

// Those of a stretch of items that may be in the way: most are on one side of the line, or ahead or
// behind.
static inline uint32_t mayBlock(const thLegWalls* walls, const Lanes* leg, int32_t item)
{
    const Ends a = endsOf(leg, walls->ax + item, walls->ay + item);
    const Ends b = endsOf(leg, walls->bx + item, walls->by + item);
    const thM left = fLt(leg->beside, fMin(a.side, b.side));
    const thM right = fLt(fMax(a.side, b.side), leg->behind);
    const thM after = fLt(leg->beyond, fMin(a.along, b.along));
    const thM before = fLt(fMax(a.along, b.along), leg->behind);
    return mBits(mNot(mOr(mOr(left, right), mOr(after, before))));
}

static bool isClearOf(const thLegWalls* walls, const thLeg* leg, const Lanes* lanes, int32_t begin,
                      int32_t end)
{
    for (int32_t item = begin; item < end; item += TH_WIDTH) {
        uint32_t bits = mayBlock(walls, lanes, item) & mBits(mFirst(end - item));
        for (; bits != 0; bits &= bits - 1)
            if (thiBlocksLeg(leg, thiListedWall(walls, item + __builtin_ctz(bits))))
                return false;
    }
    return true;
}

// The cells of a row that the leg touches are next to each other, and so are their lists. If its
// box has few cells it is not worth while to leave some out.
bool TH_WIDE(thiIsLegClear)(const thLegWalls* walls, const thLeg* leg, const thCellBox* box)
{
    const Lanes lanes = {iSet(leg->a.x >> 1), iSet(leg->a.y >> 1), fSet(leg->dx),    fSet(leg->dy),
                         fSet(leg->beside),   fSet(-leg->beside),  fSet(leg->beyond)};
    const int32_t columns = box->columnEnd - box->columnBegin, rows = box->rowEnd - box->rowBegin;
    if (columns <= FEW_CELLS && rows <= FEW_CELLS) {
        for (int32_t row = box->rowBegin; row < box->rowEnd; ++row) {
            const int32_t* start = walls->start + row * walls->band->columns;
            if (!isClearOf(walls, leg, &lanes, start[box->columnBegin], start[box->columnEnd]))
                return false;
        }
        return true;
    }
    thCellWalk walk = thiBeginWalk(walls->band, walls->shift, leg->a, leg->b);
    for (int32_t cell = thiNextCell(&walk); cell >= 0; cell = thiNextCell(&walk)) {
        const int32_t last = cell + walk.columnEnd - walk.column;
        walk.column = walk.columnEnd;
        if (!isClearOf(walls, leg, &lanes, walls->start[TH_MIN(cell, last)],
                       walls->start[TH_MAX(cell, last) + 1]))
            return false;
    }
    return true;
}
