// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The nearest point outside of regions, step by step as in ClearPath's paper. Steps are: crossings
// of borders, which of them are outside, their order, and with that, which pieces of borders are.

#include "velocity/outside_paper.h"

#include "geom/vec2.h"
#include "velocity/outside_regions.h"

typedef struct Search {
    const thOutsideProblem* problem;
    thBorderCrossing* crossings; // of one piece, its ends among them
    int32_t count;
    float distanceSq; // of the best so far; TH_FAR_OUTSIDE: none
    thVec2 best;
} Search;

// Whether a point is outside of all regions, made smaller by a tolerance, but two.
static bool isOutside(const thOutsideProblem* problem, thVec2 v, int32_t a, int32_t b,
                      float tolerance)
{
    for (int32_t i = 0; i < problem->regionCount; ++i)
        if (i != a && i != b && thiIsInRegion(&problem->regions[i], v, tolerance))
            return false;
    return true;
}

// Whether a point on one side of a region is on its border.
static bool isOnBorder(const thRegion* region, int32_t side, thVec2 v, float tolerance)
{
    for (int32_t k = 0; k < region->sides; ++k)
        if (k != side && !(thiDot(region->n[k], v) >= region->o[k] + tolerance))
            return false;
    return true;
}

static void addCrossing(Search* search, float t, bool outside)
{
    search->crossings[search->count++] = (thBorderCrossing){t, outside};
}

// Steps 2 and 3: where a piece meets the borders of others, which are made smaller as everywhere.
static void findCrossings(Search* search, int32_t own, thSideLine line, thStretch piece)
{
    const thOutsideProblem* problem = search->problem;
    for (int32_t j = 0; j < problem->regionCount; ++j) {
        const thRegion* other = &problem->regions[j];
        for (int32_t k = 0; k < other->sides && j != own; ++k) {
            const float slope = thiDot(other->n[k], line.d);
            const float lack = other->o[k] + problem->tolerance - thiDot(other->n[k], line.m);
            const float t = lack / slope;
            if (!(slope > TH_TINY_SLOPE || slope < -TH_TINY_SLOPE) ||
                !(t > piece.low && t < piece.high))
                continue;
            const thVec2 at = thiAddScaled(line.m, t, line.d);
            if (isOnBorder(other, k, at, problem->tolerance))
                addCrossing(search, t, isOutside(problem, at, own, j, problem->tolerance));
        }
    }
}

void thiSortCrossings(thBorderCrossing* crossings, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        const thBorderCrossing moved = crossings[i];
        int32_t k = i;
        for (; k > 0 && crossings[k - 1].t > moved.t; --k)
            crossings[k] = crossings[k - 1];
        crossings[k] = moved;
    }
}

// The nearest point of a piece that is outside.
static void considerPiece(Search* search, thSideLine line, float low, float high)
{
    const thVec2 wanted = search->problem->wanted;
    const float along = thiDot(wanted, line.d);
    const float t = along < low ? low : along > high ? high : along;
    const thVec2 at = thiAddScaled(line.m, t, line.d), from = thiSubtract(at, wanted);
    const float distanceSq = thiDot(from, from);
    if (!(distanceSq < search->distanceSq))
        return;
    // Points that more than two borders share may deceive the rule, but nobody is sent inside by
    // more than rounding.
    if (!isOutside(search->problem, at, -1, -1, 1.5f * search->problem->tolerance))
        return;
    search->distanceSq = distanceSq;
    search->best = at;
}

// Step 5. The first piece is outside if both its ends are. Another one, both of whose ends are, may
// be a chord of the region that it enters at the first of them; then the one before is outside.
static void classifyPieces(Search* search, thSideLine line)
{
    const thBorderCrossing* crossings = search->crossings;
    bool before = false;
    for (int32_t i = 0; i + 1 < search->count; ++i) {
        const bool outside = crossings[i].isOutside && crossings[i + 1].isOutside && !before;
        if (outside)
            considerPiece(search, line, crossings[i].t, crossings[i + 1].t);
        before = outside;
    }
}

static void searchSide(Search* search, int32_t region, int32_t side)
{
    const thOutsideProblem* problem = search->problem;
    const thSideLine line = thiSideLine(&problem->regions[region], side);
    const thStretch piece = thiBorderStretch(problem, region, side, line);
    if (!(piece.low <= piece.high))
        return;
    const thVec2 first = thiAddScaled(line.m, piece.low, line.d);
    const thVec2 last = thiAddScaled(line.m, piece.high, line.d);
    search->count = 0;
    addCrossing(search, piece.low, isOutside(problem, first, region, -1, problem->tolerance));
    findCrossings(search, region, line, piece);
    addCrossing(search, piece.high, isOutside(problem, last, region, -1, problem->tolerance));
    thiSortCrossings(search->crossings, search->count); // step 4
    classifyPieces(search, line);
}

thOutsideAnswer thiNearestOutsidePaper(const thOutsideProblem* problem, thBorderCrossing* room,
                                       thVec2* nearest)
{
    *nearest = thiNearestInDiscs(problem->wanted, &problem->discs[0], &problem->discs[1]);
    if (isOutside(problem, *nearest, -1, -1, problem->tolerance))
        return th_outsideFree;
    Search search = {.problem = problem, .crossings = room, .distanceSq = TH_FAR_OUTSIDE};
    for (int32_t i = 0; i < problem->regionCount; ++i)
        for (int32_t k = 0; k < problem->regions[i].sides; ++k)
            searchSide(&search, i, k);
    if (!(search.distanceSq < TH_FAR_OUTSIDE))
        return th_outsideNone;
    *nearest = search.best;
    return th_outsideBorder;
}

size_t thiPaperKernelRoom(int32_t regionMax, int32_t lanes)
{
    // What outside_paper_lanes.h divides into pieces, each of which begins at 64 bytes.
    const size_t width = lanes < TH_MAX_WIDTH ? 1 : TH_MAX_WIDTH, regions = (size_t)regionMax;
    const size_t points = TH_REGION_SIDES * regions + 2;
    const size_t ofLanes = 2 * (size_t)lanes + width + regions + 2;
    const size_t ofRegister = (1 + 4 * TH_REGION_SIDES) * regions + 3 * points + 4 * (points + 1);
    return (ofLanes + width * ofRegister) * sizeof(float) + (size_t)TH_PAPER_PIECES * 64;
}
