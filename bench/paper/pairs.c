// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// outside_paper.c with x and y of a vector in one register of two lanes: the paper's "intra-agent"
// way. What is summed over both coordinates, as distances and slopes are, does not get faster.

#include "trial.h"

#include "velocity/outside_regions.h"

typedef float Two __attribute__((vector_size(8)));

typedef struct Search {
    const thOutsideProblem* problem;
    thBorderCrossing* crossings;
    int32_t count;
    float distanceSq; // of the best so far; TH_FAR_OUTSIDE: none
    Two best;
} Search;

static inline Two twoOf(thVec2 v)
{
    return (Two){v.x, v.y};
}

static inline Two both(float value)
{
    return (Two){value, value};
}

static inline float dot(Two a, Two b)
{
    const Two products = a * b;
    return products[0] + products[1];
}

static bool isOutside(const thOutsideProblem* problem, Two v, int32_t a, int32_t b, float tolerance)
{
    for (int32_t i = 0; i < problem->regionCount; ++i) {
        const thRegion* region = &problem->regions[i];
        bool in = i != a && i != b;
        for (int32_t k = 0; k < region->sides && in; ++k)
            in = dot(twoOf(region->n[k]), v) > region->o[k] + tolerance;
        if (in)
            return false;
    }
    return true;
}

static bool isOnBorder(const thRegion* region, int32_t side, Two v, float tolerance)
{
    for (int32_t k = 0; k < region->sides; ++k)
        if (k != side && !(dot(twoOf(region->n[k]), v) >= region->o[k] + tolerance))
            return false;
    return true;
}

static void findCrossings(Search* search, int32_t own, Two m, Two d, thStretch piece)
{
    const thOutsideProblem* problem = search->problem;
    for (int32_t j = 0; j < problem->regionCount; ++j) {
        const thRegion* other = &problem->regions[j];
        for (int32_t k = 0; k < other->sides && j != own; ++k) {
            const Two n = twoOf(other->n[k]);
            const float slope = dot(n, d);
            const float t = (other->o[k] + problem->tolerance - dot(n, m)) / slope;
            if (!(slope > TH_TINY_SLOPE || slope < -TH_TINY_SLOPE) ||
                !(t > piece.low && t < piece.high))
                continue;
            const Two at = m + both(t) * d;
            if (isOnBorder(other, k, at, problem->tolerance))
                search->crossings[search->count++] =
                    (thBorderCrossing){t, isOutside(problem, at, own, j, problem->tolerance)};
        }
    }
}

static void considerPart(Search* search, Two m, Two d, float low, float high)
{
    const Two wanted = twoOf(search->problem->wanted);
    const float along = dot(wanted, d);
    const float t = along < low ? low : along > high ? high : along;
    const Two at = m + both(t) * d, from = at - wanted;
    const float distanceSq = dot(from, from);
    if (!(distanceSq < search->distanceSq) ||
        !isOutside(search->problem, at, -1, -1, 1.5f * search->problem->tolerance))
        return;
    search->distanceSq = distanceSq;
    search->best = at;
}

static void searchSide(Search* search, int32_t region, int32_t side)
{
    const thOutsideProblem* problem = search->problem;
    const thSideLine line = thiSideLine(&problem->regions[region], side);
    const thStretch piece = thiBorderStretch(problem, region, side, line);
    if (!(piece.low <= piece.high))
        return;
    const Two m = twoOf(line.m), d = twoOf(line.d);
    const float tolerance = problem->tolerance;
    thBorderCrossing* crossings = search->crossings;
    crossings[0] = (thBorderCrossing){
        piece.low, isOutside(problem, m + both(piece.low) * d, region, -1, tolerance)};
    search->count = 1;
    findCrossings(search, region, m, d, piece);
    crossings[search->count++] = (thBorderCrossing){
        piece.high, isOutside(problem, m + both(piece.high) * d, region, -1, tolerance)};
    thiSortCrossings(search->crossings, search->count);
    bool before = false;
    for (int32_t i = 0; i + 1 < search->count; ++i) {
        const bool outside = crossings[i].isOutside && crossings[i + 1].isOutside && !before;
        if (outside)
            considerPart(search, m, d, crossings[i].t, crossings[i + 1].t);
        before = outside;
    }
}

thOutsideAnswer thiNearestOutsideInPairs(const thOutsideProblem* problem, thBorderCrossing* room,
                                         thVec2* nearest)
{
    *nearest = thiNearestInDiscs(problem->wanted, &problem->discs[0], &problem->discs[1]);
    if (isOutside(problem, twoOf(*nearest), -1, -1, problem->tolerance))
        return th_outsideFree;
    Search search = {.problem = problem, .crossings = room, .distanceSq = TH_FAR_OUTSIDE};
    for (int32_t i = 0; i < problem->regionCount; ++i)
        for (int32_t k = 0; k < problem->regions[i].sides; ++k)
            searchSide(&search, i, k);
    if (!(search.distanceSq < TH_FAR_OUTSIDE))
        return th_outsideNone;
    *nearest = (thVec2){search.best[0], search.best[1]};
    return th_outsideBorder;
}
