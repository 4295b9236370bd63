// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The rules under which places are committed, exact in units, and why they suffice.
//
// For agents i and j let P = p_j − p_i before the step, T = t_j − t_i after it, R the sum of their
// radii and lim = ceil(0.991 R). Wanted: |T| >= min(lim, |P|), and for fast pairs the same at every
// moment of the step, both going straight. Two rules are used:
//
//   apart(i, j)      the wanted condition itself
//   halfway(i, j)    (t_i − p_i) · P <= share,  share = max(0, floor((|P|² − lim ceil|P|) / 2))
//
// If i and j both go halfway, they are apart: the sum of both moves along P is at most 2 share, so
// |T| |P| >= T · P >= |P|² − 2 share. Either share = 0, then |T| >= |P|; or 2 share <= |P|² − lim
// |P|, then |T| >= lim. At an earlier moment the moves are shorter and the same holds.
//
// Agents are *free* to go to their target or *cut*. Each pair was verified in one of these ways:
//
//   free, free   apart, tested for their targets
//   cut, cut     each goes halfway: tested for each
//   free, cut    the free one goes halfway, so apart if the other stays; otherwise apart is tested
//                for the place the cut one goes to. Staying is always allowed.
//
// Most pairs need no exact test. Rounds of pushing leave nobody deeper than 0.35 % in each other,
// and distances are judged in float to within 2^-20 of them: who was seen less deep than that, and
// has not moved since, is apart. Left to be tested are pairs of cells where somebody was still to
// be pushed, could not be pushed, or was moved afterwards; and pairs that are fast, or so small
// that a unit matters.
//
// Agents who cannot meet are in no pair: nobody goes further than its budget + 1, and pairs are all
// those with |P| <= sum of radius + budget + 2.

#ifndef THRONG_SRC_MOVE_CONTACT_RULES_H
#define THRONG_SRC_MOVE_CONTACT_RULES_H

#include "geom/segment.h"

#include <math.h>

// Differences of places of one pair: at most 2.2 km, so products of two fit into 2^56.
typedef struct thDisplacement {
    int64_t x, y; // units
} thDisplacement;

static inline thDisplacement thiDisplacement(int32_t fromX, int32_t fromY, int32_t toX, int32_t toY)
{
    return (thDisplacement){(int64_t)toX - fromX, (int64_t)toY - fromY};
}

static inline int64_t thiExactDot(thDisplacement a, thDisplacement b)
{
    return a.x * b.x + a.y * b.y;
}

// The smallest whole number whose square is not below `square` (< 2^56).
static inline int64_t thiRootUp(int64_t square)
{
    int64_t root = (int64_t)sqrt((double)square);
    root -= root * root > square; // the conversion to double may have rounded up
    return root + (root * root < square);
}

// How near two bodies may come, given the sum of their radii. [units]
static inline int64_t thiContactLimit(int64_t radii)
{
    return (991 * radii + 999) / 1000;
}

// Whether a pair could pass through each other within the step, so that where they end says little.
static inline bool thiIsFastPair(int64_t budgets, int64_t radii)
{
    return budgets >= radii;
}

static inline bool thiApart(thDisplacement before, thDisplacement after, int64_t radii, bool fast)
{
    const int64_t limit = thiContactLimit(radii);
    const int64_t beforeSq = thiExactDot(before, before);
    const int64_t afterSq = thiExactDot(after, after);
    if (afterSq < TH_MIN(limit * limit, beforeSq))
        return false;
    const thDisplacement motion = {after.x - before.x, after.y - before.y};
    if (!fast || thiExactDot(before, motion) >= 0 || thiExactDot(after, motion) <= 0)
        return true;
    // They are nearest on the move, nearer than before: (cross / |motion|)² >= limit².
    const int64_t cross = before.x * after.y - before.y * after.x;
    const uint64_t size = (uint64_t)(cross < 0 ? -cross : cross);
    const thFraction left = {size, (uint64_t)(limit * limit)};
    const thFraction right = {(uint64_t)thiExactDot(motion, motion), size};
    return thiCompareFractions(left, right) >= 0;
}

// What both together may use up, times |before|; `share` is half of it.
static inline int64_t thiGap(thDisplacement before, int64_t radii)
{
    const int64_t square = thiExactDot(before, before);
    return TH_MAX(square - thiContactLimit(radii) * thiRootUp(square), 0);
}

// `move` is what the agent goes, `before` leads to the other.
static inline bool thiHalfway(thDisplacement move, thDisplacement before, int64_t radii)
{
    return thiExactDot(move, before) <= thiGap(before, radii) / 2;
}

#endif
