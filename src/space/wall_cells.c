// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "space/wall_cells.h"

// The cells of one axis from one coordinate to another in the direction of `step`, cut to the band.
// `end` is one step past the last; false when there are none.
static bool clipCells(double from, double to, int32_t step, int32_t low, int32_t high,
                      int32_t shift, int32_t* begin, int32_t* end)
{
    if (TH_MAX(from, to) < low || TH_MIN(from, to) > high)
        return false;
    const double first = TH_MIN(TH_MAX(from, low), high) - low;
    const double last = TH_MIN(TH_MAX(to, low), high) - low;
    *begin = (int32_t)((int64_t)first >> shift);
    *end = (int32_t)((int64_t)last >> shift) + step;
    return true;
}

thCellWalk thiBeginWalk(const thBand* band, int32_t shift, thPoint a, thPoint b)
{
    thCellWalk walk = {.band = band,
                       .shift = shift,
                       .ax = a.x,
                       .ay = a.y,
                       .bx = b.x,
                       .by = b.y,
                       .rowStep = b.y >= a.y ? 1 : -1,
                       .columnStep = b.x >= a.x ? 1 : -1};
    if (a.y != b.y)
        walk.slope = (walk.bx - walk.ax) / (walk.by - walk.ay);
    (void)clipCells(walk.ay, walk.by, walk.rowStep, band->low.y, band->high.y, shift, &walk.row,
                    &walk.rowEnd);
    walk.row -= walk.rowStep; // the first row is still to be entered
    return walk;
}

// Where the line is at a height, and a unit further on (step 1) or back (step −1).
static double crossingAt(const thCellWalk* walk, double y, int32_t step)
{
    const double x = walk->ax + (y - walk->ay) * walk->slope;
    return walk->slope == 0.0 ? x : x + step * walk->columnStep;
}

static void enterRow(thCellWalk* walk)
{
    const double side = (double)((int64_t)1 << walk->shift);
    const double bottom = walk->band->low.y + walk->row * side - 1.0;
    const double top = bottom + side + 2.0;
    const double entry = walk->rowStep > 0 ? bottom : top;
    const double exit = walk->rowStep > 0 ? top : bottom;
    const bool startsHere = (walk->ay - entry) * walk->rowStep >= 0.0;
    const bool endsHere = (exit - walk->by) * walk->rowStep >= 0.0;
    const double from = startsHere ? walk->ax : crossingAt(walk, entry, -1);
    const double to = endsHere ? walk->bx : crossingAt(walk, exit, 1);
    if (!clipCells(from, to, walk->columnStep, walk->band->low.x, walk->band->high.x, walk->shift,
                   &walk->column, &walk->columnEnd))
        walk->columnEnd = walk->column;
}

int32_t thiNextCell(thCellWalk* walk)
{
    while ((walk->columnEnd - walk->column) * walk->columnStep <= 0) {
        walk->row += walk->rowStep;
        if ((walk->rowEnd - walk->row) * walk->rowStep <= 0)
            return -1;
        enterRow(walk);
    }
    const int32_t cell = walk->band->firstCell + walk->row * walk->band->columns + walk->column;
    walk->column += walk->columnStep;
    return cell;
}

void thiShortenWalk(thCellWalk* walk, thPoint b, double share)
{
    int32_t begin, end;
    walk->bx = walk->ax + share * (b.x - walk->ax) + walk->columnStep;
    walk->by = walk->ay + share * (b.y - walk->ay) + walk->rowStep;
    if (clipCells(walk->ay, walk->by, walk->rowStep, walk->band->low.y, walk->band->high.y,
                  walk->shift, &begin, &end))
        walk->rowEnd = end;
    if (clipCells(walk->ax, walk->bx, walk->columnStep, walk->band->low.x, walk->band->high.x,
                  walk->shift, &begin, &end) &&
        (walk->columnEnd - end) * walk->columnStep > 0)
        walk->columnEnd = end;
}
