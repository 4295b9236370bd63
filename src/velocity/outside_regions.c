// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The plain way to the nearest point outside, one point after the other, and problems for the
// kernel. That of outside_regions_wide.c gives the same bits where no region is round.

#include "velocity/outside_regions.h"

#include "base/hash.h"
#include "geom/vec2.h"

#include <math.h>

static const thStretch nothing = {TH_FAR_OUTSIDE, -TH_FAR_OUTSIDE};

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

thSideLine thiSideLine(const thRegion* region, int32_t side)
{
    const thVec2 n = region->n[side];
    return (thSideLine){thiScale(region->o[side], n), {n.y, -n.x}};
}

// Keeps what is within a half-plane n · v > o. Parallel lines meet far off, on the side that says
// whether all of the line is in it or nothing.
static void clipToSide(thSideLine line, thVec2 n, float o, thStretch* stretch)
{
    const float slope = thiDot(n, line.d) - TH_TINY_SLOPE; // is never 0
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
    thStretch stretch = {-TH_FAR_OUTSIDE, TH_FAR_OUTSIDE};
    for (int32_t k = 0; k < own->sides; ++k)
        if (k != side)
            clipToSide(line, own->n[k], own->o[k], &stretch);
    clipToDisc(line, &problem->discs[0], &stretch);
    clipToDisc(line, &problem->discs[1], &stretch);
    return stretch;
}

// From here on places are seen from the wanted point.

// The points v with n · v > c.
typedef struct Side {
    thVec2 n;
    float c;
} Side;

// The line n · v = c: its place t is c n + t (n.y, −n.x).
typedef Side Line;

// A side of a region, made smaller by the tolerance. What a region lacks of sides holds all.
static Side sideOf(const thOutsideProblem* problem, int32_t region, int32_t side)
{
    const thRegion* own = &problem->regions[region];
    const bool lacks = side >= own->sides;
    const thVec2 n = lacks ? (thVec2){0.0f, 0.0f} : own->n[side];
    const float o = lacks ? -TH_FAR_OUTSIDE : own->o[side];
    return (Side){n, o - thiDot(n, problem->wanted) + problem->tolerance};
}

// Round fronts are in double: in short steps they are parts of discs a hundred times as large as
// what the agent can reach, beside which the tolerance is less than a float tells apart.
typedef struct Place {
    double x, y;
} Place;

// How far beyond the border of a disc a place is; negative: inside.
static double beyondDisc(Place at, const thDisc* disc)
{
    const double x = at.x - (double)disc->center.x, y = at.y - (double)disc->center.y;
    return sqrt(x * x + y * y) - (double)disc->radius;
}

static bool isInCap(const thOutsideProblem* problem, int32_t region, thVec2 v)
{
    const thDisc* cap = &problem->regions[region].cap;
    const Place at = {(double)problem->wanted.x + (double)v.x,
                      (double)problem->wanted.y + (double)v.y};
    return cap->radius > problem->tolerance && beyondDisc(at, cap) <= -(double)problem->tolerance;
}

static bool isAllowed(const thOutsideProblem* problem, thVec2 v)
{
    for (int32_t i = 0; i < problem->regionCount; ++i) {
        bool inside = true;
        for (int32_t k = 0; k < problem->regions[i].sides && inside; ++k) {
            const Side side = sideOf(problem, i, k);
            inside = side.c < thiDot(side.n, v);
        }
        if (inside || isInCap(problem, i, v))
            return false;
    }
    return true;
}

static Line lineOf(const thOutsideProblem* problem, int32_t region, int32_t side)
{
    const Side own = sideOf(problem, region, side);
    return (Line){own.n, own.c - problem->tolerance};
}

// Parallel lines meet far off, on the side that says whether all of one is in the other's
// half-plane or nothing.
static float firm(float slope)
{
    const float up = slope > TH_LEAST_SLOPE ? slope : TH_LEAST_SLOPE;
    const float down = slope < -TH_LEAST_SLOPE ? slope : -TH_LEAST_SLOPE;
    return slope > 0.0f ? up : down;
}

static void clip(thStretch* stretch, bool isLow, float t)
{
    if (isLow)
        stretch->low = t > stretch->low ? t : stretch->low;
    else
        stretch->high = t < stretch->high ? t : stretch->high;
}

// What three sides hold of a line. One division does for all of them.
static thStretch stretchIn(Line line, const Side sides[TH_REGION_SIDES])
{
    float slope[TH_REGION_SIDES], lack[TH_REGION_SIDES];
    for (int32_t k = 0; k < TH_REGION_SIDES; ++k) {
        slope[k] = firm(thiDet(sides[k].n, line.n));
        lack[k] = sides[k].c - line.c * thiDot(sides[k].n, line.n);
    }
    const float both = slope[0] * slope[1], per = 1.0f / (both * slope[2]);
    const float perBoth = slope[2] * per;
    thStretch stretch = {-TH_FAR_OUTSIDE, TH_FAR_OUTSIDE};
    clip(&stretch, slope[0] > 0.0f, lack[0] * (slope[1] * perBoth));
    clip(&stretch, slope[1] > 0.0f, lack[1] * (slope[0] * perBoth));
    clip(&stretch, slope[2] > 0.0f, lack[2] * (both * per));
    return stretch;
}

// What a disc holds of a line.
static thStretch chordIn(const thOutsideProblem* problem, Line line, const thDisc* disc)
{
    const thVec2 center = thiSubtract(disc->center, problem->wanted);
    const float middle = thiDet(center, line.n), across = line.c - thiDot(line.n, center);
    const float rest = disc->radius * disc->radius - across * across;
    if (rest < 0.0f)
        return nothing;
    const float half = sqrtf(rest);
    return (thStretch){middle - half, middle + half};
}

// What a round front holds of a line.
static thStretch chordInCap(const thOutsideProblem* problem, Line line, const thDisc* cap)
{
    const double x = (double)cap->center.x - (double)problem->wanted.x;
    const double y = (double)cap->center.y - (double)problem->wanted.y;
    const double nx = (double)line.n.x, ny = (double)line.n.y;
    const double middle = x * ny - y * nx, across = (double)line.c - (nx * x + ny * y);
    const double radius = (double)cap->radius - (double)problem->tolerance;
    const double rest = radius * radius - across * across;
    if (rest < 0.0)
        return nothing;
    const double half = sqrt(rest);
    return (thStretch){(float)(middle - half), (float)(middle + half)};
}

// What a region forbids of a line.
static thStretch forbiddenStretch(const thOutsideProblem* problem, Line line, int32_t region)
{
    Side sides[TH_REGION_SIDES];
    for (int32_t k = 0; k < TH_REGION_SIDES; ++k)
        sides[k] = sideOf(problem, region, k);
    const thStretch stretch = stretchIn(line, sides);
    const thDisc* cap = &problem->regions[region].cap;
    if (!(cap->radius > problem->tolerance))
        return stretch;
    const thStretch chord = chordInCap(problem, line, cap);
    if (!(stretch.low < stretch.high))
        return chord;
    if (!(chord.low < chord.high))
        return stretch;
    return (thStretch){stretch.low < chord.low ? stretch.low : chord.low,
                       stretch.high > chord.high ? stretch.high : chord.high};
}

// The best so far.
typedef struct Best {
    float distanceSq; // TH_FAR_OUTSIDE: none
    thVec2 point;     // from the wanted one
} Best;

static void consider(Line line, float t, float tolerance, Best* best)
{
    float distanceSq = line.c * line.c + t * t;
    if (t != 0.0f) {
        const float counted = sqrtf(distanceSq) + TH_CROSSING_SLACK * tolerance;
        distanceSq = counted * counted;
    }
    const thVec2 along = {line.n.y, -line.n.x};
    if (distanceSq < best->distanceSq)
        *best = (Best){distanceSq, thiAddScaled(thiScale(line.c, line.n), t, along)};
}

// The stretches of so many regions are found once for each line.
#define KNOWN 64

// The next places on both sides of t that no other region forbids.
static thStretch gapsAround(const thOutsideProblem* problem, int32_t own, Line line, float t)
{
    thStretch around = {t, t}, known[KNOWN];
    bool isFirst = true;
    for (bool moved = true; moved; isFirst = false) {
        moved = false;
        for (int32_t j = 0; j < problem->regionCount; ++j) {
            if (j == own)
                continue;
            const thStretch s =
                j < KNOWN && !isFirst ? known[j] : forbiddenStretch(problem, line, j);
            if (j < KNOWN)
                known[j] = s;
            const bool lower = s.low < around.low && around.low < s.high;
            const bool higher = s.low < around.high && around.high < s.high;
            around.low = lower ? s.low : around.low;
            around.high = higher ? s.high : around.high;
            moved = moved || lower || higher;
        }
    }
    return around;
}

// The nearest allowed places on the line of a side, also beyond the region's border: its own region
// forbids no place there.
static void considerSide(const thOutsideProblem* problem, int32_t region, int32_t side, Best* best)
{
    const Line line = lineOf(problem, region, side);
    const thStretch a = chordIn(problem, line, &problem->discs[0]);
    const thStretch b = chordIn(problem, line, &problem->discs[1]);
    const float low = a.low > b.low ? a.low : b.low, high = a.high < b.high ? a.high : b.high;
    if (!(low <= high))
        return;
    const float above = low > 0.0f ? low : 0.0f;
    const thStretch gaps = gapsAround(problem, region, line, high < above ? high : above);
    if (gaps.low >= low)
        consider(line, gaps.low, problem->tolerance, best);
    if (gaps.high <= high)
        consider(line, gaps.high, problem->tolerance, best);
}

// How far away a leg is at least: its border begins where it meets the cap.
static float leastOfLeg(Line leg, Line cap, float slope, float per)
{
    const float t = (leg.c * thiDot(leg.n, cap.n) - cap.c) * per;
    const bool inRange = slope > 0.0f ? t > 0.0f : t < 0.0f;
    return leg.c * leg.c + (inRange ? 0.0f : t * t);
}

// How far away the border of a side is at least. Only what meets the cap is looked at.
static float leastDistanceSq(const thOutsideProblem* problem, int32_t region, int32_t side)
{
    Line lines[TH_REGION_SIDES];
    for (int32_t k = 0; k < TH_REGION_SIDES; ++k)
        lines[k] = lineOf(problem, region, k);
    const Line* cap = &lines[2];
    const float right = firm(thiDet(lines[0].n, cap->n)), left = firm(thiDet(lines[1].n, cap->n));
    const float per = 1.0f / (right * left), perRight = left * per, perLeft = right * per;
    if (side == 0)
        return leastOfLeg(lines[0], *cap, right, perRight);
    if (side == 1)
        return leastOfLeg(lines[1], *cap, left, perLeft);
    thStretch stretch = {-TH_FAR_OUTSIDE, TH_FAR_OUTSIDE};
    clip(&stretch, right > 0.0f, (lines[0].c - cap->c * thiDot(lines[0].n, cap->n)) * perRight);
    clip(&stretch, left > 0.0f, (lines[1].c - cap->c * thiDot(lines[1].n, cap->n)) * perLeft);
    const float above = stretch.low > 0.0f ? stretch.low : 0.0f;
    const float t = stretch.high < above ? stretch.high : above;
    return cap->c * cap->c + t * t;
}

// Whether the nearest point may be on a side. Where the wanted point is in both discs, moving
// towards it from the nearest allowed one leads into a region, through a side that the wanted point
// is inside of. Of two whose borders cross there, that is one at least.
static bool isInQuestion(const thOutsideProblem* problem, int32_t region, int32_t side, bool all)
{
    const thRegion* own = &problem->regions[region];
    if (own->cap.radius > 0.0f && side == own->sides - 1)
        return false;
    return all || lineOf(problem, region, side).c < problem->tolerance;
}

// The order in which sides are looked at: by their least distance, and of such that are nearly
// equal, by their number.
static int32_t rankOf(const thOutsideProblem* problem, int32_t region, int32_t side)
{
    const int32_t bits = (int32_t)thiFloatBits(leastDistanceSq(problem, region, side));
    return (bits & ~TH_SIDE_NUMBERS) | (region * TH_SIDE_STEP + side);
}

// The ranks of all sides in question.
typedef struct Ranks {
    int32_t count, items[TH_REGION_SIDES * TH_SEARCHED_REGIONS];
} Ranks;

static void rankSides(const thOutsideProblem* problem, bool all, Ranks* ranks)
{
    ranks->count = 0;
    for (int32_t i = 0; i < problem->regionCount && i < TH_SEARCHED_REGIONS; ++i)
        for (int32_t k = 0; k < problem->regions[i].sides; ++k)
            if (isInQuestion(problem, i, k, all))
                ranks->items[ranks->count++] = rankOf(problem, i, k);
}

// The first side after one of rank `last`; INT32_MAX: there is none.
static int32_t nextSide(const Ranks* ranks, int32_t last)
{
    int32_t next = INT32_MAX;
    for (int32_t i = 0; i < ranks->count; ++i)
        next = ranks->items[i] > last && ranks->items[i] < next ? ranks->items[i] : next;
    return next;
}

static void considerSides(const thOutsideProblem* problem, bool all, Best* best)
{
    Ranks ranks;
    rankSides(problem, all, &ranks);
    int32_t rank = nextSide(&ranks, -1);
    while (thiFloatFromBits((uint32_t)(rank & ~TH_SIDE_NUMBERS)) < best->distanceSq) {
        const int32_t number = rank & TH_SIDE_NUMBERS;
        considerSide(problem, number / TH_SIDE_STEP, number % TH_SIDE_STEP, best);
        rank = nextSide(&ranks, rank);
    }
}

// A place on the round front of a region.
static void considerOnCap(const thOutsideProblem* problem, int32_t region, Place at, Best* best)
{
    const thRegion* own = &problem->regions[region];
    const thVec2 n = own->n[own->sides - 1]; // of the chord
    const double tolerance = (double)problem->tolerance;
    const double overChord =
        (double)n.x * at.x + (double)n.y * at.y - (double)own->o[own->sides - 1];
    const bool good = overChord <= tolerance && beyondDisc(at, &problem->discs[0]) <= tolerance &&
                      beyondDisc(at, &problem->discs[1]) <= tolerance;
    const thVec2 from = {(float)(at.x - (double)problem->wanted.x),
                         (float)(at.y - (double)problem->wanted.y)};
    const float distanceSq = thiDot(from, from);
    if (good && distanceSq < best->distanceSq && isAllowed(problem, from))
        *best = (Best){distanceSq, from};
}

// Where the front meets another circle.
static void considerCrossings(const thOutsideProblem* problem, int32_t region, const thDisc* other,
                              Best* best)
{
    const thDisc* cap = &problem->regions[region].cap;
    const Place center = {(double)cap->center.x, (double)cap->center.y};
    const double x = (double)other->center.x - center.x, y = (double)other->center.y - center.y;
    const double distanceSq = x * x + y * y, radiusSq = (double)cap->radius * (double)cap->radius;
    if (!(distanceSq > 0.0))
        return;
    const double otherSq = (double)other->radius * (double)other->radius;
    const double along = 0.5 * (distanceSq + radiusSq - otherSq) / distanceSq;
    const double acrossSq = radiusSq / distanceSq - along * along;
    if (!(acrossSq >= 0.0))
        return;
    const double across = sqrt(acrossSq);
    const Place middle = {center.x + along * x, center.y + along * y};
    considerOnCap(problem, region, (Place){middle.x - across * y, middle.y + across * x}, best);
    considerOnCap(problem, region, (Place){middle.x + across * y, middle.y - across * x}, best);
}

static void considerCap(const thOutsideProblem* problem, int32_t region, Best* best)
{
    const thRegion* own = &problem->regions[region];
    const Place center = {(double)own->cap.center.x, (double)own->cap.center.y};
    Place out = {(double)problem->wanted.x - center.x, (double)problem->wanted.y - center.y};
    if (!(out.x * out.x + out.y * out.y > 0.0)) {
        const thVec2 n = own->n[own->sides - 1];
        out = (Place){-(double)n.x, -(double)n.y};
    }
    const double factor = (double)own->cap.radius / sqrt(out.x * out.x + out.y * out.y);
    considerOnCap(problem, region, (Place){center.x + factor * out.x, center.y + factor * out.y},
                  best);
    for (int32_t j = 0; j < problem->regionCount; ++j)
        if (j != region && problem->regions[j].cap.radius > 0.0f)
            considerCrossings(problem, region, &problem->regions[j].cap, best);
    considerCrossings(problem, region, &problem->discs[0], best);
    considerCrossings(problem, region, &problem->discs[1], best);
}

static bool isAnyRound(const thOutsideProblem* problem)
{
    for (int32_t i = 0; i < problem->regionCount; ++i)
        if (problem->regions[i].cap.radius > 0.0f)
            return true;
    return false;
}

bool thiIsFreeOfRegions(const thOutsideProblem* problem)
{
    const thVec2 start = thiNearestInDiscs(problem->wanted, &problem->discs[0], &problem->discs[1]);
    return isAllowed(problem, thiSubtract(start, problem->wanted));
}

thOutsideAnswer thiNearestOutside(const thOutsideProblem* problem, thVec2* nearest)
{
    *nearest = thiNearestInDiscs(problem->wanted, &problem->discs[0], &problem->discs[1]);
    const thVec2 shift = thiSubtract(*nearest, problem->wanted);
    if (isAllowed(problem, shift))
        return th_outsideFree;
    Best best = {TH_FAR_OUTSIDE, {0.0f, 0.0f}};
    // Where borders of sides meet round fronts, they alone are asked.
    const bool isIn = shift.x == 0.0f && shift.y == 0.0f;
    considerSides(problem, !isIn || isAnyRound(problem), &best);
    for (int32_t i = 0; i < problem->regionCount; ++i)
        if (problem->regions[i].cap.radius > 0.0f)
            considerCap(problem, i, &best);
    if (!(best.distanceSq < TH_FAR_OUTSIDE))
        return th_outsideNone;
    *nearest = (thVec2){problem->wanted.x + best.point.x, problem->wanted.y + best.point.y};
    return th_outsideBorder;
}

static void setSide(const thOutsideTask* task, int32_t at, thVec2 n, float o)
{
    task->nx[at] = n.x;
    task->ny[at] = n.y;
    task->o[at] = o;
}

// What a region lacks of sides is inside of them everywhere, what a lane lacks of regions forbids
// nothing.
void thiSetOutsideRegion(const thOutsideTask* task, int32_t lane, int32_t i, const thRegion* region)
{
    const thVec2 none = {0.0f, 0.0f};
    for (int32_t k = 0; k < TH_REGION_SIDES; ++k) {
        const int32_t at = (i * TH_REGION_SIDES + k) * task->lanes + lane;
        if (region == NULL)
            setSide(task, at, none, TH_FAR_OUTSIDE);
        else if (k < region->sides)
            setSide(task, at, region->n[k], region->o[k]);
        else
            setSide(task, at, none, -TH_FAR_OUTSIDE);
    }
}

void thiSetOutsidePoint(const thOutsideTask* task, int32_t lane, const thOutsideProblem* problem)
{
    static const thOutsideProblem isFree = {.discs = {{{0.0f, 0.0f}, 1.0f}, {{0.0f, 0.0f}, 1.0f}}};
    const thOutsideProblem* from = problem != NULL ? problem : &isFree;
    const thVec2 start = thiNearestInDiscs(from->wanted, &from->discs[0], &from->discs[1]);
    task->wantedX[lane] = from->wanted.x;
    task->wantedY[lane] = from->wanted.y;
    task->startX[lane] = start.x;
    task->startY[lane] = start.y;
    task->tolerance[lane] = from->tolerance;
    for (int32_t i = 0; i < 2; ++i) {
        task->discX[i][lane] = from->discs[i].center.x;
        task->discY[i][lane] = from->discs[i].center.y;
        task->discRadius[i][lane] = from->discs[i].radius;
    }
}

void thiSetOutsideLane(const thOutsideTask* task, int32_t lane, const thOutsideProblem* problem)
{
    const int32_t count = problem != NULL ? problem->regionCount : 0;
    thiSetOutsidePoint(task, lane, problem);
    for (int32_t i = 0; i < task->regionMax; ++i)
        thiSetOutsideRegion(task, lane, i, i < count ? &problem->regions[i] : NULL);
}

size_t thiOutsideKernelRoom(int32_t regionMax, int32_t lanes)
{
    const size_t width = lanes < TH_MAX_WIDTH ? 1 : TH_MAX_WIDTH;
    return (size_t)regionMax * TH_OUTSIDE_ROOM * width * sizeof(float);
}
