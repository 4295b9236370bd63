// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The plain way, one point after the other. The kernel of outside_regions_wide.inl gives the same
// bits where no region is round.

#include "avoid/outside_regions.h"

#include "geom/vec2.h"

#include <math.h>

// Less than any slope of lines that are not parallel, and nothing beside one.
#define TINY 1.0e-20f

// Further away than any point.
#define FAR 1.0e30f

static const thStretch nothing = {FAR, -FAR};

static bool isInSides(const thRegion* region, thVec2 v, float tolerance)
{
    for (int32_t k = 0; k < region->sides; ++k)
        if (!(thiDot(region->n[k], v) > region->o[k] + tolerance))
            return false;
    return true;
}

bool thiIsInRegion(const thRegion* region, thVec2 v, float tolerance)
{
    const thDisc smaller = {region->cap.center, region->cap.radius - tolerance};
    return isInSides(region, v, tolerance) || (smaller.radius > 0.0f && thiIsInDisc(v, &smaller));
}

static bool isAllowed(const thOutsideProblem* problem, thVec2 v)
{
    for (int32_t i = 0; i < problem->regionCount; ++i)
        if (thiIsInRegion(&problem->regions[i], v, problem->tolerance))
            return false;
    return true;
}

thSideLine thiSideLine(const thRegion* region, int32_t side)
{
    const thVec2 n = region->n[side];
    return (thSideLine){thiScale(region->o[side], n), {n.y, -n.x}};
}

// Keeps what is within a half-plane n · v > o. Parallel lines meet far off, on the side that says
// whether all of the line is in it or nothing.
static void clipToSide(thSideLine line, thVec2 n, float o, thStretch* stretch)
{
    const float slope = thiDot(n, line.d) - TINY; // is never 0
    const float t = (o - thiDot(n, line.m)) / slope;
    if (slope > 0.0f)
        stretch->low = t > stretch->low ? t : stretch->low;
    else
        stretch->high = t < stretch->high ? t : stretch->high;
}

static void clipToDisc(thSideLine line, const thDisc* disc, thStretch* stretch)
{
    const thVec2 from = thiSubtract(line.m, disc->center);
    const float along = thiDot(from, line.d), across = thiDet(from, line.d);
    const float rest = disc->radius * disc->radius - across * across;
    if (rest < 0.0f) {
        *stretch = nothing;
        return;
    }
    const float half = sqrtf(rest), low = -along - half, high = half - along;
    stretch->low = low > stretch->low ? low : stretch->low;
    stretch->high = high < stretch->high ? high : stretch->high;
}

thStretch thiBorderStretch(const thOutsideProblem* problem, int32_t region, int32_t side,
                           thSideLine line)
{
    const thRegion* own = &problem->regions[region];
    if (own->cap.radius > 0.0f && side == own->sides - 1)
        return nothing;
    thStretch stretch = {-FAR, FAR};
    for (int32_t k = 0; k < own->sides; ++k)
        if (k != side)
            clipToSide(line, own->n[k], own->o[k], &stretch);
    clipToDisc(line, &problem->discs[0], &stretch);
    clipToDisc(line, &problem->discs[1], &stretch);
    return stretch;
}

// What a region forbids of a line. The stretch is not cut to the border of whom the line belongs
// to: one that reaches beyond its end forbids that too.
static thStretch forbiddenStretch(thSideLine line, const thRegion* region, float tolerance)
{
    thStretch stretch = {-FAR, FAR};
    for (int32_t k = 0; k < region->sides; ++k)
        clipToSide(line, region->n[k], region->o[k] + tolerance, &stretch);
    const thDisc smaller = {region->cap.center, region->cap.radius - tolerance};
    if (!(smaller.radius > 0.0f))
        return stretch;
    thStretch inDisc = {-FAR, FAR};
    clipToDisc(line, &smaller, &inDisc);
    if (!(stretch.low < stretch.high))
        return inDisc;
    if (!(inDisc.low < inDisc.high))
        return stretch;
    return (thStretch){stretch.low < inDisc.low ? stretch.low : inDisc.low,
                       stretch.high > inDisc.high ? stretch.high : inDisc.high};
}

// The best so far.
typedef struct Best {
    float distanceSq; // FAR: none
    thVec2 point;
} Best;

// No place of a piece is nearer than `least`, whatever rounding says.
static void consider(const thOutsideProblem* problem, thVec2 point, float least, Best* best)
{
    const thVec2 from = thiSubtract(point, problem->wanted);
    const float distanceSq = thiDot(from, from);
    const float atLeast = distanceSq > least ? distanceSq : least;
    if (atLeast < best->distanceSq)
        *best = (Best){atLeast, point};
}

// The next places on both sides of t that no other region forbids.
static thStretch gapsAround(const thOutsideProblem* problem, int32_t own, thSideLine line, float t)
{
    thStretch around = {t, t};
    for (bool moved = true; moved;) {
        moved = false;
        for (int32_t j = 0; j < problem->regionCount; ++j) {
            if (j == own)
                continue;
            const thStretch s = forbiddenStretch(line, &problem->regions[j], problem->tolerance);
            const bool lower = s.low < around.low && around.low < s.high;
            const bool higher = s.low < around.high && around.high < s.high;
            around.low = lower ? s.low : around.low;
            around.high = higher ? s.high : around.high;
            moved = moved || lower || higher;
        }
    }
    return around;
}

static void considerSide(const thOutsideProblem* problem, int32_t region, int32_t side, Best* best)
{
    const thSideLine line = thiSideLine(&problem->regions[region], side);
    const thStretch border = thiBorderStretch(problem, region, side, line);
    if (!(border.low <= border.high))
        return;
    const float along = thiDot(problem->wanted, line.d);
    const float above = along > border.low ? along : border.low;
    const float t = above < border.high ? above : border.high;
    const thVec2 from = thiSubtract(thiAddScaled(line.m, t, line.d), problem->wanted);
    const float least = thiDot(from, from);
    if (!(least < best->distanceSq))
        return;
    const thStretch gaps = gapsAround(problem, region, line, t);
    if (gaps.low >= border.low)
        consider(problem, thiAddScaled(line.m, gaps.low, line.d), least, best);
    if (gaps.high <= border.high)
        consider(problem, thiAddScaled(line.m, gaps.high, line.d), least, best);
}

// A place on the round front of a region.
static void considerOnCap(const thOutsideProblem* problem, int32_t region, thVec2 v, Best* best)
{
    const thRegion* own = &problem->regions[region];
    const int32_t chord = own->sides - 1;
    bool good = thiDot(own->n[chord], v) <= own->o[chord] + problem->tolerance;
    for (int32_t i = 0; i < 2; ++i) {
        const thDisc* disc = &problem->discs[i];
        const thDisc larger = {disc->center, disc->radius + problem->tolerance};
        good = good && thiIsInDisc(v, &larger);
    }
    if (good && isAllowed(problem, v))
        consider(problem, v, 0.0f, best);
}

// Where the front meets another circle.
static void considerCrossings(const thOutsideProblem* problem, int32_t region, const thDisc* other,
                              Best* best)
{
    const thDisc* cap = &problem->regions[region].cap;
    const thVec2 between = thiSubtract(other->center, cap->center);
    const float distanceSq = thiDot(between, between), radiusSq = cap->radius * cap->radius;
    if (!(distanceSq > 0.0f))
        return;
    const float along = 0.5f * (distanceSq + radiusSq - other->radius * other->radius) / distanceSq;
    const float acrossSq = radiusSq / distanceSq - along * along;
    if (!(acrossSq >= 0.0f))
        return;
    const thVec2 middle = thiAddScaled(cap->center, along, between), left = thiLeftOf(between);
    considerOnCap(problem, region, thiAddScaled(middle, sqrtf(acrossSq), left), best);
    considerOnCap(problem, region, thiAddScaled(middle, -sqrtf(acrossSq), left), best);
}

static void considerCap(const thOutsideProblem* problem, int32_t region, Best* best)
{
    const thRegion* own = &problem->regions[region];
    const thVec2 from = thiSubtract(problem->wanted, own->cap.center);
    const bool isCenter = !(thiDot(from, from) > 0.0f);
    const thVec2 out = isCenter ? thiNegate(own->n[own->sides - 1]) : from;
    const float factor = own->cap.radius / sqrtf(thiDot(out, out));
    considerOnCap(problem, region, thiAddScaled(own->cap.center, factor, out), best);
    for (int32_t j = 0; j < problem->regionCount; ++j)
        if (j != region && problem->regions[j].cap.radius > 0.0f)
            considerCrossings(problem, region, &problem->regions[j].cap, best);
    considerCrossings(problem, region, &problem->discs[0], best);
    considerCrossings(problem, region, &problem->discs[1], best);
}

thOutsideAnswer thiNearestOutside(const thOutsideProblem* problem, thVec2* nearest)
{
    *nearest = thiNearestInDiscs(problem->wanted, &problem->discs[0], &problem->discs[1]);
    if (isAllowed(problem, *nearest))
        return th_outsideFree;
    Best best = {FAR, {0.0f, 0.0f}};
    for (int32_t i = 0; i < problem->regionCount; ++i)
        for (int32_t k = 0; k < problem->regions[i].sides; ++k)
            considerSide(problem, i, k, &best);
    for (int32_t i = 0; i < problem->regionCount; ++i)
        if (problem->regions[i].cap.radius > 0.0f)
            considerCap(problem, i, &best);
    if (!(best.distanceSq < FAR))
        return th_outsideNone;
    *nearest = best.point;
    return th_outsideBorder;
}
