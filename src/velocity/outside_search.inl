// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The nearest point outside of regions in one register, a problem in each lane: the operations of
// outside_regions.c, side by side. Places are seen from the wanted points.

#include "velocity/outside_stretch.inl"

// Sides n · v > c of regions, made smaller by the tolerance, and their ranks; side k of region i is
// at (TH_REGION_SIDES · i + k) · stride.
typedef struct Sides {
    float *nx, *ny, *c;
    int32_t* rank; // INT32_MAX: not in question
    int32_t stride;
} Sides;

// The problems of a register.
typedef struct Problem {
    Sides sides;
    int32_t regionMax;
    bool isLimited; // by more than the first disc
    Vec center[2];
    thF radius[2], tolerance;
    float *forbiddenLow, *forbiddenHigh; // room for a register for each region
    thOutsideUse* use;
} Problem;

// How far the search of each lane has come.
typedef struct State {
    thF best;  // distance²; far: none yet
    Vec point; // from the wanted one
    thI last;  // rank of the side that was looked at last
} State;

typedef struct Side {
    Vec n;
    thF c;
} Side;

// The line n · v = c: its place t is c n + t (n.y, −n.x).
typedef Side Line;

static inline Side loadSide(const Sides* sides, int32_t side)
{
    const int32_t at = side * sides->stride;
    return (Side){loadVec(sides->nx, sides->ny, at), fLoad(sides->c + at)};
}

// Slopes of at least some size. `rises` says where they are positive.
static inline thF firm(thF slope, thM rises)
{
    const thF least = fSet(TH_LEAST_SLOPE);
    return fSelect(rises, fMax(slope, least), fMin(slope, fNeg(least)));
}

// What three sides hold of a line.
static inline Stretch stretchIn(Line line, const Side sides[TH_REGION_SIDES])
{
    thM rises[TH_REGION_SIDES];
    thF slope[TH_REGION_SIDES], lack[TH_REGION_SIDES];
    for (int32_t k = 0; k < TH_REGION_SIDES; ++k) {
        const thF turn = det(sides[k].n, line.n);
        rises[k] = fLt(fSet(0.0f), turn);
        slope[k] = firm(turn, rises[k]);
        lack[k] = sides[k].c - line.c * dot(sides[k].n, line.n);
    }
    const thF both = slope[0] * slope[1], per = fSet(1.0f) / (both * slope[2]);
    const thF perBoth = slope[2] * per;
    Stretch stretch = wholeLine();
    clip(&stretch, rises[0], lack[0] * (slope[1] * perBoth));
    clip(&stretch, rises[1], lack[1] * (slope[0] * perBoth));
    clip(&stretch, rises[2], lack[2] * (both * per));
    return stretch;
}

static inline Stretch chordIn(Line line, Vec center, thF radius)
{
    const thF middle = det(center, line.n), across = line.c - dot(line.n, center);
    const thF rest = radius * radius - across * across;
    const thM misses = fLt(rest, fSet(0.0f));
    const thF half = fSqrt(fSelect(misses, fSet(0.0f), rest));
    return (Stretch){fSelect(misses, farAway(), middle - half),
                     fSelect(misses, fNeg(farAway()), middle + half)};
}

static inline thI rankOf(thF least, thM isInQuestion, int32_t region, int32_t side)
{
    const thI bits = iAnd(iBits(least), iSet(~TH_SIDE_NUMBERS));
    return iSelect(isInQuestion, iOr(bits, iSet(region * TH_SIDE_STEP + side)), iSet(INT32_MAX));
}

// How far away a leg is at least.
static inline thF leastOfLeg(Line leg, Line cap, thF along, thM rises, thF per)
{
    const thF t = (leg.c * along - cap.c) * per, zero = fSet(0.0f);
    const thF nearest = fSelect(rises, fMin(t, zero), fMax(t, zero));
    return leg.c * leg.c + nearest * nearest;
}

// How far away the sides of a region are at least.
static inline void leastDistances(const Line lines[TH_REGION_SIDES], thF least[TH_REGION_SIDES])
{
    const Line cap = lines[2];
    const thF zero = fSet(0.0f);
    thM rises[2];
    thF slope[2], along[2];
    for (int32_t k = 0; k < 2; ++k) {
        const thF turn = det(lines[k].n, cap.n);
        rises[k] = fLt(zero, turn);
        slope[k] = firm(turn, rises[k]);
        along[k] = dot(lines[k].n, cap.n);
    }
    const thF per = fSet(1.0f) / (slope[0] * slope[1]);
    const thF perSlope[2] = {slope[1] * per, slope[0] * per};
    Stretch stretch = wholeLine();
    for (int32_t k = 0; k < 2; ++k) {
        least[k] = leastOfLeg(lines[k], cap, along[k], rises[k], perSlope[k]);
        clip(&stretch, rises[k], (lines[k].c - cap.c * along[k]) * perSlope[k]);
    }
    const thF t = fMin(stretch.high, fMax(stretch.low, zero));
    least[2] = cap.c * cap.c + t * t;
}

// Ranks the sides of a region that may be the nearest: those of lanes `all`, and such that the
// wanted point is inside of.
static inline void rankSides(const Problem* problem, int32_t region, const Side* sides, thM all)
{
    Line lines[TH_REGION_SIDES];
    thF least[TH_REGION_SIDES];
    for (int32_t k = 0; k < TH_REGION_SIDES; ++k)
        lines[k] = (Line){sides[k].n, sides[k].c - problem->tolerance};
    leastDistances(lines, least);
    for (int32_t k = 0; k < TH_REGION_SIDES; ++k) {
        const thM isReal = fLt(fAbs(lines[k].c), fSet(0.5f * TH_FAR_OUTSIDE));
        const thM isIn = mOr(all, fLt(lines[k].c, problem->tolerance));
        const thM isSearched = region < TH_SEARCHED_REGIONS ? mAnd(isReal, isIn) : none();
        iStore(problem->sides.rank + (region * TH_REGION_SIDES + k) * problem->sides.stride,
               rankOf(least[k], isSearched, region, k));
    }
}

// The first sides after those looked at last.
static inline thI nextSides(const Problem* problem, thI last)
{
    const Sides* sides = &problem->sides;
    thI next = iSet(INT32_MAX);
    for (int32_t s = 0; s < TH_REGION_SIDES * problem->regionMax; ++s) {
        const thI rank = iLoad(sides->rank + s * sides->stride);
        next = iSelect(iLt(last, rank), iMin(next, rank), next);
    }
    return next;
}

// Moves the ends of a stretch out of what is forbidden.
static inline void leave(Stretch forbidden, Stretch* around)
{
    const thM lower = mAnd(fLt(forbidden.low, around->low), fLt(around->low, forbidden.high));
    const thM higher = mAnd(fLt(forbidden.low, around->high), fLt(around->high, forbidden.high));
    around->low = fSelect(lower, forbidden.low, around->low);
    around->high = fSelect(higher, forbidden.high, around->high);
}

// What other regions forbid of a line, and nothing of it by its own region; the ends of a stretch
// leave that, one region after the other.
static inline void findForbidden(const Problem* problem, Line line, thI own, Stretch* around)
{
    for (int32_t j = 0; j < problem->regionMax; ++j) {
        Side sides[TH_REGION_SIDES];
        for (int32_t k = 0; k < TH_REGION_SIDES; ++k)
            sides[k] = loadSide(&problem->sides, j * TH_REGION_SIDES + k);
        Stretch stretch = stretchIn(line, sides);
        stretch.low = fSelect(iEq(own, iSet(j)), farAway(), stretch.low);
        fStore(problem->forbiddenLow + j * TH_WIDTH, stretch.low);
        fStore(problem->forbiddenHigh + j * TH_WIDTH, stretch.high);
        leave(stretch, around);
    }
}

// Lanes in which a place on a line is nearer than the best.
static inline thM isNearer(Line line, thF t, thF best)
{
    return fLt(line.c * line.c + t * t, best);
}

// The next places on both sides of t that are not forbidden, or any that are too far away.
static inline Stretch gapsAround(const Problem* problem, Line line, thI own, thF t, Stretch within,
                                 thM lanes, thF best)
{
    const thF zero = fSet(0.0f);
    Stretch around = {t, t}, before = around;
    findForbidden(problem, line, own, &around);
    for (;;) {
        const thM moved = mOr(fLt(around.low, before.low), fLt(before.high, around.high));
        const thM lowCounts = mAnd(fLe(within.low, around.low),
                                   mOr(fLt(zero, around.low), isNearer(line, around.low, best)));
        const thM highCounts = mAnd(fLe(around.high, within.high),
                                    mOr(fLt(around.high, zero), isNearer(line, around.high, best)));
        if (!mAny(mAnd(mAnd(moved, lanes), mOr(lowCounts, highCounts))))
            return around;
        before = around;
        for (int32_t j = 0; j < problem->regionMax; ++j) {
            const Stretch forbidden = {fLoad(problem->forbiddenLow + j * TH_WIDTH),
                                       fLoad(problem->forbiddenHigh + j * TH_WIDTH)};
            leave(forbidden, &around);
        }
    }
}

static inline void consider(Line line, thF t, thF tolerance, thM allowed, State* state)
{
    const thF distanceSq = line.c * line.c + t * t;
    const thF counted = fSqrt(distanceSq) + fSet(TH_CROSSING_SLACK) * tolerance;
    const thF distance = fSelect(fEq(t, fSet(0.0f)), distanceSq, counted * counted);
    const thM better = mAnd(allowed, fLt(distance, state->best));
    const Vec along = {line.n.y, fNeg(line.n.x)};
    state->best = fSelect(better, distance, state->best);
    state->point = choose(better, addScaled(scale(line.c, line.n), t, along), state->point);
}

// Looks at one side in each lane.
static inline void lookAt(const Problem* problem, thI rank, thM lanes, State* state)
{
    const Sides* sides = &problem->sides;
    const thI number = iSelect(lanes, iAnd(rank, iSet(TH_SIDE_NUMBERS)), iSet(0));
    const thI region = iShr(number, TH_SIDE_SHIFT);
    const thI at = iAdd(iMul(iSub(number, region), iSet(sides->stride)), iLane());
    const Line line = {gatherVec(sides->nx, sides->ny, at),
                       fGather(sides->c, at) - problem->tolerance};
    Stretch within = chordIn(line, problem->center[0], problem->radius[0]);
    if (problem->isLimited) {
        const Stretch other = chordIn(line, problem->center[1], problem->radius[1]);
        within = (Stretch){fMax(within.low, other.low), fMin(within.high, other.high)};
    }
    lanes = mAnd(lanes, fLe(within.low, within.high));
    const thF t = fMin(within.high, fMax(within.low, fSet(0.0f)));
    const Stretch gaps = gapsAround(problem, line, region, t, within, lanes, state->best);
    consider(line, gaps.low, problem->tolerance, mAnd(lanes, fLe(within.low, gaps.low)), state);
    consider(line, gaps.high, problem->tolerance, mAnd(lanes, fLe(gaps.high, within.high)), state);
}

// Searches until no more than `few` lanes have not finished, and returns those.
static inline thM search(const Problem* problem, thM lanes, int32_t few, State* state)
{
    int32_t rounds = 0, looks = 0;
    for (;;) {
        const thI rank = nextSides(problem, state->last);
        const thF least = fBits(iAnd(rank, iSet(~TH_SIDE_NUMBERS)));
        lanes = mAnd(lanes, fLt(least, state->best));
        const int32_t busy = __builtin_popcount(mBits(lanes));
        if (busy <= few)
            break;
        rounds += 1;
        looks += busy;
        lookAt(problem, rank, lanes, state);
        state->last = rank;
    }
    if (problem->use != NULL) {
        problem->use->rounds += rounds;
        problem->use->lanes += looks;
        problem->use->regions += (int64_t)rounds * problem->regionMax;
    }
    return lanes;
}
