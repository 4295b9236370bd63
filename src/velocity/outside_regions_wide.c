// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The nearest point outside of regions, one problem per lane, with the bits of outside_regions.c.
// Places are seen from the wanted points.
//
// Lanes differ in how many sides they have to look at. When half of a register has finished, the
// rest is put on a pile; once that fills a register, it goes on with what is on top of it.

#include "velocity/stretch_lanes.h"

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

// A register is left when so few of its lanes have not finished.
#define FEW (TH_WIDTH / 2)

// Lanes that have not finished. Columns have room for two registers.
typedef struct Pile {
    Sides sides;
    int32_t count, regionMax;
    int32_t lane[2 * TH_WIDTH], last[2 * TH_WIDTH];
    float best[2 * TH_WIDTH], x[2 * TH_WIDTH], y[2 * TH_WIDTH];
} Pile;

// The room of a task.
typedef struct Room {
    Sides sides; // of one register
    float *forbiddenLow, *forbiddenHigh;
    Sides piled;
} Room;

static inline Sides takeSides(float** next, int32_t sideCount, int32_t stride)
{
    const int32_t column = sideCount * stride;
    float* at = *next;
    *next += 4 * column;
    return (Sides){at, at + column, at + 2 * column, (int32_t*)(at + 3 * column), stride};
}

static inline Room roomOf(const thOutsideTask* task)
{
    const int32_t sideCount = TH_REGION_SIDES * task->regionMax;
    float* next = task->room;
    Room room = {.sides = takeSides(&next, sideCount, TH_WIDTH)};
    room.piled = takeSides(&next, sideCount, 2 * TH_WIDTH);
    room.forbiddenLow = next;
    room.forbiddenHigh = next + task->regionMax * TH_WIDTH;
    return room;
}

// Fills up lanes of the pile with regions that forbid nothing.
static inline void padPile(Pile* pile, int32_t from, int32_t to, int32_t lane)
{
    for (int32_t s = TH_REGION_SIDES * from; s < TH_REGION_SIDES * to; ++s) {
        const int32_t at = s * pile->sides.stride + lane;
        fStore(pile->sides.nx + at, fSet(0.0f));
        fStore(pile->sides.ny + at, fSet(0.0f));
        fStore(pile->sides.c + at, farAway());
        iStore(pile->sides.rank + at, iSet(INT32_MAX));
    }
}

// Puts lanes on the pile. Their problem may be that of its top.
static inline void push(Pile* pile, const Problem* problem, thI lane, thM lanes, const State* state)
{
    const Sides *from = &problem->sides, *to = &pile->sides;
    const int32_t at = pile->count;
    if (problem->regionMax > pile->regionMax) {
        padPile(pile, pile->regionMax, problem->regionMax, 0);
        pile->regionMax = problem->regionMax;
    }
    for (int32_t s = 0; s < TH_REGION_SIDES * problem->regionMax; ++s) {
        const int32_t source = s * from->stride, target = s * to->stride + at;
        fCompress(to->nx + target, lanes, fLoad(from->nx + source));
        fCompress(to->ny + target, lanes, fLoad(from->ny + source));
        fCompress(to->c + target, lanes, fLoad(from->c + source));
        iCompress(to->rank + target, lanes, iLoad(from->rank + source));
    }
    padPile(pile, problem->regionMax, pile->regionMax, at);
    iCompress(pile->lane + at, lanes, lane);
    iCompress(pile->last + at, lanes, state->last);
    fCompress(pile->x + at, lanes, state->point.x);
    fCompress(pile->y + at, lanes, state->point.y);
    pile->count += fCompress(pile->best + at, lanes, state->best);
}

// Answers of lanes whose wanted point, or the nearest to it in the discs, is forbidden.
static inline void storeAnswers(const thOutsideTask* task, thI lane, thM lanes, const State* state)
{
    int32_t to[TH_WIDTH];
    float x[TH_WIDTH], y[TH_WIDTH];
    const thM found = fLt(state->best, farAway());
    const uint32_t foundBits = mBits(found);
    const Vec nearest = add(gatherVec(task->wantedX, task->wantedY, lane), state->point);
    const Vec answer = choose(found, nearest, gatherVec(task->startX, task->startY, lane));
    fStore(x, answer.x);
    fStore(y, answer.y);
    iStore(to, lane);
    for (uint32_t bits = mBits(lanes); bits != 0; bits &= bits - 1) {
        const int32_t i = __builtin_ctz(bits);
        task->outX[to[i]] = x[i];
        task->outY[to[i]] = y[i];
        task->answer[to[i]] = (foundBits >> i & 1u) != 0 ? th_outsideBorder : th_outsideNone;
    }
}

// Discs and tolerances of lanes.
static inline Problem problemOf(const thOutsideTask* task, thI lane, Room room)
{
    const Vec wanted = gatherVec(task->wantedX, task->wantedY, lane);
    Problem problem = {.forbiddenLow = room.forbiddenLow,
                       .forbiddenHigh = room.forbiddenHigh,
                       .tolerance = fGather(task->tolerance, lane),
                       .use = task->use};
    for (int32_t i = 0; i < 2; ++i) {
        const Vec center = gatherVec(task->discX[i], task->discY[i], lane);
        problem.center[i] = subtract(center, wanted);
        problem.radius[i] = fGather(task->discRadius[i], lane);
    }
    problem.isLimited = mAny(fLt(problem.radius[1], fSet(TH_NO_LIMIT)));
    return problem;
}

// Finishes the top of the pile, or at least half of it.
static void runPile(const thOutsideTask* task, Room room, Pile* pile)
{
    const int32_t used = pile->count < TH_WIDTH ? pile->count : TH_WIDTH;
    const int32_t top = pile->count - used;
    const thM lanes = mFirst(used);
    const thI lane = iSelect(lanes, iLoad(pile->lane + top), iSet(0));
    Problem problem = problemOf(task, lane, room);
    problem.regionMax = pile->regionMax;
    problem.sides = (Sides){pile->sides.nx + top, pile->sides.ny + top, pile->sides.c + top,
                            pile->sides.rank + top, pile->sides.stride};
    State state = {fLoad(pile->best + top), loadVec(pile->x, pile->y, top),
                   iLoad(pile->last + top)};
    const bool isLast = pile->count <= TH_WIDTH;
    const thM left = search(&problem, lanes, isLast ? 0 : FEW, &state);
    storeAnswers(task, lane, mAndNot(lanes, left), &state);
    pile->count = top;
    if (mAny(left))
        push(pile, &problem, lane, left, &state);
}

// Takes over the sides of a register as seen from the wanted points, and ranks them, up to the last
// region that any lane has. Returns the lanes in which the start is forbidden.
static inline thM readSides(const thOutsideTask* task, int32_t lane, Problem* problem)
{
    const Vec wanted = loadVec(task->wantedX, task->wantedY, lane);
    const Vec shift = subtract(loadVec(task->startX, task->startY, lane), wanted);
    const thF zero = fSet(0.0f);
    const thM isMoved = mNot(mAnd(fEq(shift.x, zero), fEq(shift.y, zero)));
    thM forbidden = none();
    for (int32_t i = 0; i < task->regionMax; ++i) {
        thM inside = mNot(none());
        Side sides[TH_REGION_SIDES];
        for (int32_t k = 0; k < TH_REGION_SIDES; ++k) {
            const int32_t s = i * TH_REGION_SIDES + k, from = s * task->lanes + lane;
            const Vec n = loadVec(task->nx, task->ny, from);
            sides[k] = (Side){n, fLoad(task->o + from) - dot(n, wanted) + problem->tolerance};
            inside = mAnd(inside, fLt(sides[k].c, dot(n, shift)));
            const int32_t to = s * problem->sides.stride;
            fStore(problem->sides.nx + to, n.x);
            fStore(problem->sides.ny + to, n.y);
            fStore(problem->sides.c + to, sides[k].c);
        }
        forbidden = mOr(forbidden, inside);
        rankSides(problem, i, sides, isMoved);
        if (mAny(fLt(sides[0].c, fSet(0.5f * TH_FAR_OUTSIDE))))
            problem->regionMax = i + 1;
    }
    return forbidden;
}

static inline void storeFree(const thOutsideTask* task, int32_t lane, thM forbidden)
{
    const uint32_t bits = mBits(forbidden);
    for (int32_t i = 0; i < TH_WIDTH; ++i)
        if ((bits >> i & 1u) == 0) {
            task->outX[lane + i] = task->startX[lane + i];
            task->outY[lane + i] = task->startY[lane + i];
            task->answer[lane + i] = th_outsideFree;
        }
}

void TH_WIDE(thiNearestOutsideLanes)(const thOutsideTask* task)
{
    const Room room = roomOf(task);
    Pile pile = {.sides = room.piled};
    for (int32_t first = 0; first < task->lanes; first += TH_WIDTH) {
        const thI lane = iAdd(iSet(first), iLane());
        Problem problem = problemOf(task, lane, room);
        problem.sides = room.sides;
        const thM forbidden = readSides(task, first, &problem);
        storeFree(task, first, forbidden);
        State state = {farAway(), {fSet(0.0f), fSet(0.0f)}, iSet(-1)};
        const thM left = search(&problem, forbidden, task->keepsLanes ? 0 : FEW, &state);
        storeAnswers(task, lane, mAndNot(forbidden, left), &state);
        if (mAny(left))
            push(&pile, &problem, lane, left, &state);
        while (pile.count >= TH_WIDTH)
            runPile(task, room, &pile);
    }
    while (pile.count > 0)
        runPile(task, room, &pile);
}
