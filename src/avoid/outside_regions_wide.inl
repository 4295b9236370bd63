// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The nearest point outside of regions, one problem per lane: what outside_regions.c does, with the
// nearest sides first. That changes nothing, because of points that are equally near the one of the
// first side is taken, and no point of a side counts as nearer than its nearest place.
//
// Lanes differ in how many sides they have to look at. Those that have not finished after a few
// wait until they fill a register of their own, and go on where they stopped.

#include "avoid/outside_lanes.h"
#include "simd/lane_vec.h"

// Less than any slope of lines that are not parallel, and nothing beside one.
#define TINY 1.0e-20f

// So many sides are looked at before a register is left to those that still have work.
#define FIRST_ROUNDS 8

static inline thF farAway(void)
{
    return fSet(TH_FAR_OUTSIDE);
}

// The problems in one register. Side s is at s · stride.
typedef struct Problem {
    const float *nx, *ny, *o;
    int32_t stride, regionMax;
    Vec wanted, start, center[2];
    thF radius[2], tolerance;
} Problem;

// How far the search of each lane has come. Sides are looked at in the order of (distance, number).
typedef struct State {
    thF best; // distance²; far: none yet
    thI bestSide;
    Vec point;
    thF last; // the side that was looked at last
    thI lastSide;
} State;

// What is known of each side: at s · TH_WIDTH.
typedef struct Sides {
    float *distance, *low, *high, *nearest;
    float *forbiddenLow, *forbiddenHigh; // by region
} Sides;

typedef struct Line {
    Vec m, d;
} Line;

typedef struct Stretch {
    thF low, high;
} Stretch;

static inline Line lineOf(Vec n, thF o)
{
    return (Line){scale(o, n), vec(n.y, fNeg(n.x))};
}

// Keeps what is inside of a side n · v > o. Parallel lines meet far off.
static inline Stretch clipToSide(Stretch stretch, Line line, Vec n, thF o)
{
    const thF slope = dot(n, line.d) - fSet(TINY); // is never 0
    const thF t = (o - dot(n, line.m)) / slope;
    const thM rises = fLt(fSet(0.0f), slope);
    return (Stretch){fSelect(rises, fMax(t, stretch.low), stretch.low),
                     fSelect(rises, stretch.high, fMin(t, stretch.high))};
}

static inline Stretch clipToDisc(Stretch stretch, Line line, Vec center, thF radius)
{
    const Vec from = subtract(line.m, center);
    const thF along = dot(from, line.d), across = det(from, line.d);
    const thF rest = radius * radius - across * across;
    const thF half = fSqrt(fMax(rest, fSet(0.0f)));
    const thF low = fMax(fNeg(along) - half, stretch.low);
    return (Stretch){fSelect(fLt(rest, fSet(0.0f)), farAway(), low),
                     fMin(half - along, stretch.high)};
}

// Lanes in which a point is in no region.
static inline thM areAllowed(const Problem* problem, Vec v)
{
    thM forbidden = none();
    for (int32_t i = 0; i < problem->regionMax; ++i) {
        thM inside = mNot(none());
        for (int32_t k = 0; k < TH_REGION_SIDES; ++k) {
            const int32_t at = (i * TH_REGION_SIDES + k) * problem->stride;
            const thF o = fLoad(problem->o + at) + problem->tolerance;
            inside = mAnd(inside, fLt(o, dot(loadVec(problem->nx, problem->ny, at), v)));
        }
        forbidden = mOr(forbidden, inside);
    }
    return mNot(forbidden);
}

// The stretch of each side that is border, the place on it nearest to the wanted point, and how far
// that is. Sides that are none, or were looked at before, are far away.
static inline void measureSides(const Problem* problem, const State* state, Sides sides)
{
    const bool limited = mAny(fLt(problem->radius[1], fSet(TH_NO_LIMIT)));
    for (int32_t s = 0; s < TH_REGION_SIDES * problem->regionMax; ++s) {
        const int32_t at = s * problem->stride, first = s / TH_REGION_SIDES * TH_REGION_SIDES;
        const Vec n = loadVec(problem->nx, problem->ny, at);
        const thF o = fLoad(problem->o + at);
        const Line line = lineOf(n, o);
        Stretch stretch = {fNeg(farAway()), farAway()};
        for (int32_t k = first; k < first + TH_REGION_SIDES; ++k)
            if (k != s)
                stretch = clipToSide(stretch, line,
                                     loadVec(problem->nx, problem->ny, k * problem->stride),
                                     fLoad(problem->o + k * problem->stride));
        stretch = clipToDisc(stretch, line, problem->center[0], problem->radius[0]);
        if (limited) // the other disc is no larger
            stretch = clipToDisc(stretch, line, problem->center[1], problem->radius[1]);
        const thF along = dot(problem->wanted, line.d);
        const thF t = fMin(fMax(along, stretch.low), stretch.high);
        const Vec from = subtract(addScaled(line.m, t, line.d), problem->wanted);
        const thF distance = dot(from, from);
        const thM real =
            mAnd(fLe(stretch.low, stretch.high), fLt(fAbs(o), fSet(0.5f * TH_FAR_OUTSIDE)));
        const thM after = mOr(fLt(state->last, distance),
                              mAnd(fEq(state->last, distance), iLt(state->lastSide, iSet(s))));
        const int32_t to = s * TH_WIDTH;
        fStore(sides.low + to, stretch.low);
        fStore(sides.high + to, stretch.high);
        fStore(sides.nearest + to, t);
        fStore(sides.distance + to, fSelect(mAnd(real, after), distance, farAway()));
    }
}

// The nearest side that was not looked at yet, in each lane.
static inline void takeNearest(Sides sides, int32_t sideCount, State* state)
{
    thF distance = farAway();
    thI side = iSet(sideCount);
    for (int32_t s = 0; s < sideCount; ++s) {
        float* at = sides.distance + s * TH_WIDTH;
        const thF own = fSelect(iEq(state->lastSide, iSet(s)), farAway(), fLoad(at));
        fStore(at, own);
        const thM nearer = fLt(own, distance);
        distance = fSelect(nearer, own, distance);
        side = iSelect(nearer, iSet(s), side);
    }
    state->last = distance;
    state->lastSide = side;
}

// Moves the ends of a stretch out of what is forbidden. Returns the lanes in which one has moved.
static inline thM leave(Stretch forbidden, Stretch* around)
{
    const thM lower = mAnd(fLt(forbidden.low, around->low), fLt(around->low, forbidden.high));
    const thM higher = mAnd(fLt(forbidden.low, around->high), fLt(around->high, forbidden.high));
    around->low = fSelect(lower, forbidden.low, around->low);
    around->high = fSelect(higher, forbidden.high, around->high);
    return mOr(lower, higher);
}

// What other regions forbid of a line, and nothing of it by its own region; the ends of a stretch
// leave that, one region after the other.
static inline thM findForbidden(const Problem* problem, Line line, thI side, Sides sides,
                                Stretch* around)
{
    thM moved = none();
    for (int32_t j = 0; j < problem->regionMax; ++j) {
        Stretch stretch = {fNeg(farAway()), farAway()};
        for (int32_t k = 0; k < TH_REGION_SIDES; ++k) {
            const int32_t at = (j * TH_REGION_SIDES + k) * problem->stride;
            stretch = clipToSide(stretch, line, loadVec(problem->nx, problem->ny, at),
                                 fLoad(problem->o + at) + problem->tolerance);
        }
        const thM own = mAnd(iLt(iSet(j * TH_REGION_SIDES - 1), side),
                             iLt(side, iSet((j + 1) * TH_REGION_SIDES)));
        stretch.low = fSelect(own, farAway(), stretch.low);
        fStore(sides.forbiddenLow + j * TH_WIDTH, stretch.low);
        fStore(sides.forbiddenHigh + j * TH_WIDTH, stretch.high);
        moved = mOr(moved, leave(stretch, around));
    }
    return moved;
}

// The next places on both sides of t that are not forbidden, or any that are beyond the border.
static inline Stretch gapsAround(const Problem* problem, Line line, thI side, Sides sides, thF t,
                                 Stretch border, thM lanes)
{
    Stretch around = {t, t};
    thM moved = findForbidden(problem, line, side, sides, &around);
    for (;;) {
        const thM within = mOr(fLe(border.low, around.low), fLe(around.high, border.high));
        if (!mAny(mAnd(mAnd(moved, within), lanes)))
            return around;
        moved = none();
        for (int32_t j = 0; j < problem->regionMax; ++j) {
            const Stretch forbidden = {fLoad(sides.forbiddenLow + j * TH_WIDTH),
                                       fLoad(sides.forbiddenHigh + j * TH_WIDTH)};
            moved = mOr(moved, leave(forbidden, &around));
        }
    }
}

static inline void consider(const Problem* problem, Line line, thF t, thM allowed, State* state)
{
    const Vec point = addScaled(line.m, t, line.d), from = subtract(point, problem->wanted);
    const thF distance = fMax(dot(from, from), state->last);
    const thM first = mAnd(fEq(distance, state->best), iLt(state->lastSide, state->bestSide));
    const thM better = mAnd(allowed, mOr(fLt(distance, state->best), first));
    state->best = fSelect(better, distance, state->best);
    state->bestSide = iSelect(better, state->lastSide, state->bestSide);
    state->point = choose(better, point, state->point);
}

// Looks at sides, `rounds` of them at most. Returns the lanes that have not finished.
static inline thM search(const Problem* problem, Sides sides, int32_t rounds, thM lanes,
                         State* state)
{
    const int32_t sideCount = TH_REGION_SIDES * problem->regionMax;
    measureSides(problem, state, sides);
    for (int32_t round = 0;; ++round) {
        const thF last = state->last;
        const thI lastSide = state->lastSide;
        takeNearest(sides, sideCount, state);
        const thM same = mAnd(fEq(state->last, state->best), iLt(state->lastSide, state->bestSide));
        lanes = mAnd(lanes,
                     mAnd(fLt(state->last, farAway()), mOr(fLt(state->last, state->best), same)));
        if (!mAny(lanes))
            return lanes;
        if (round == rounds) { // the one just taken comes again
            state->last = last;
            state->lastSide = lastSide;
            return lanes;
        }
        const thI inRange = iMin(state->lastSide, iSet(sideCount - 1));
        const thI at = iAdd(iMul(inRange, iSet(problem->stride)), iLane());
        const thI own = iAdd(iMul(inRange, iSet(TH_WIDTH)), iLane());
        const Vec n = {fGather(problem->nx, at), fGather(problem->ny, at)};
        const Line line = lineOf(n, fGather(problem->o, at));
        const Stretch border = {fGather(sides.low, own), fGather(sides.high, own)};
        const Stretch gaps = gapsAround(problem, line, state->lastSide, sides,
                                        fGather(sides.nearest, own), border, lanes);
        const thM lowIn = fLe(border.low, gaps.low), highIn = fLe(gaps.high, border.high);
        consider(problem, line, gaps.low, mAnd(lanes, lowIn), state);
        consider(problem, line, gaps.high, mAnd(lanes, highIn), state);
    }
}

// Lanes that have not finished, waiting for a full register.
typedef struct Queue {
    int32_t lane[2 * TH_MAX_WIDTH], bestSide[2 * TH_MAX_WIDTH], lastSide[2 * TH_MAX_WIDTH];
    float best[2 * TH_MAX_WIDTH], x[2 * TH_MAX_WIDTH], y[2 * TH_MAX_WIDTH];
    float last[2 * TH_MAX_WIDTH];
    int32_t count;
} Queue;

static inline void enqueue(Queue* queue, int32_t lane, thM lanes, const State* state)
{
    const int32_t at = queue->count;
    iCompress(queue->lane + at, lanes, iAdd(iSet(lane), iLane()));
    iCompress(queue->bestSide + at, lanes, state->bestSide);
    iCompress(queue->lastSide + at, lanes, state->lastSide);
    fCompress(queue->best + at, lanes, state->best);
    fCompress(queue->x + at, lanes, state->point.x);
    fCompress(queue->y + at, lanes, state->point.y);
    queue->count += fCompress(queue->last + at, lanes, state->last);
}

static inline void storeAnswers(const thOutsideTask* task, const int32_t* lane, int32_t count,
                                const State* state)
{
    float x[TH_WIDTH], y[TH_WIDTH], best[TH_WIDTH];
    fStore(x, state->point.x);
    fStore(y, state->point.y);
    fStore(best, state->best);
    for (int32_t i = 0; i < count; ++i) {
        const bool found = best[i] < TH_FAR_OUTSIDE;
        task->outX[lane[i]] = found ? x[i] : task->startX[lane[i]];
        task->outY[lane[i]] = found ? y[i] : task->startY[lane[i]];
        task->answer[lane[i]] = found ? th_outsideBorder : th_outsideNone;
    }
}

// The room of a task, register by register.
typedef struct Room {
    Sides sides;
    float *nx, *ny, *o; // sides of packed lanes
} Room;

static inline Room roomOf(const thOutsideTask* task)
{
    const int32_t column = task->regionMax * TH_WIDTH, sides = TH_REGION_SIDES * column;
    float* next = task->room;
    const Sides measured = {next,
                            next + sides,
                            next + 2 * sides,
                            next + 3 * sides,
                            next + 4 * sides,
                            next + 4 * sides + column};
    float* packed = next + 4 * sides + 2 * column;
    return (Room){measured, packed, packed + sides, packed + 2 * sides};
}

// Finishes the first lanes of the queue, packed into one register.
static void runQueue(const thOutsideTask* task, Room room, Queue* queue)
{
    const int32_t used = queue->count < TH_WIDTH ? queue->count : TH_WIDTH;
    for (int32_t i = used; i < TH_WIDTH; ++i) // the rest of the register has nothing to do
        queue->lane[i] = queue->lane[0];
    const thI lane = iLoad(queue->lane);
    for (int32_t s = 0; s < TH_REGION_SIDES * task->regionMax; ++s) {
        const int32_t from = s * task->lanes, to = s * TH_WIDTH;
        fStore(room.nx + to, fGather(task->nx + from, lane));
        fStore(room.ny + to, fGather(task->ny + from, lane));
        fStore(room.o + to, fGather(task->o + from, lane));
    }
    Problem problem = {.nx = room.nx,
                       .ny = room.ny,
                       .o = room.o,
                       .stride = TH_WIDTH,
                       .regionMax = task->regionMax,
                       .wanted = {fGather(task->wantedX, lane), fGather(task->wantedY, lane)},
                       .tolerance = fGather(task->tolerance, lane)};
    for (int32_t i = 0; i < 2; ++i) {
        problem.center[i] = (Vec){fGather(task->discX[i], lane), fGather(task->discY[i], lane)};
        problem.radius[i] = fGather(task->discRadius[i], lane);
    }
    State state = {fLoad(queue->best), iLoad(queue->bestSide), loadVec(queue->x, queue->y, 0),
                   fLoad(queue->last), iLoad(queue->lastSide)};
    search(&problem, room.sides, INT32_MAX, iLt(iLane(), iSet(used)), &state);
    storeAnswers(task, queue->lane, used, &state);
    queue->count -= used;
    for (int32_t i = 0; i < queue->count; ++i) {
        queue->lane[i] = queue->lane[i + used];
        queue->bestSide[i] = queue->bestSide[i + used];
        queue->lastSide[i] = queue->lastSide[i + used];
        queue->best[i] = queue->best[i + used];
        queue->x[i] = queue->x[i + used];
        queue->y[i] = queue->y[i + used];
        queue->last[i] = queue->last[i + used];
    }
}

static inline Problem problemAt(const thOutsideTask* task, int32_t lane)
{
    Problem problem = {.nx = task->nx + lane,
                       .ny = task->ny + lane,
                       .o = task->o + lane,
                       .stride = task->lanes,
                       .regionMax = task->regionMax,
                       .wanted = loadVec(task->wantedX, task->wantedY, lane),
                       .start = loadVec(task->startX, task->startY, lane),
                       .tolerance = fLoad(task->tolerance + lane)};
    for (int32_t i = 0; i < 2; ++i) {
        problem.center[i] = loadVec(task->discX[i], task->discY[i], lane);
        problem.radius[i] = fLoad(task->discRadius[i] + lane);
    }
    return problem;
}

void TH_WIDE(thiNearestOutsideLanes)(const thOutsideTask* task)
{
    const Room room = roomOf(task);
    const int32_t sideCount = TH_REGION_SIDES * task->regionMax;
    Queue queue = {.count = 0};
    for (int32_t lane = 0; lane < task->lanes; lane += TH_WIDTH) {
        const Problem problem = problemAt(task, lane);
        const thM allowed = areAllowed(&problem, problem.start);
        State state = {farAway(), iSet(sideCount), problem.start, fSet(-1.0f), iSet(-1)};
        thM left = mNot(allowed);
        if (mAny(left))
            left =
                search(&problem, room.sides, TH_WIDTH > 1 ? FIRST_ROUNDS : INT32_MAX, left, &state);
        int32_t lanes[TH_WIDTH];
        iStore(lanes, iAdd(iSet(lane), iLane()));
        storeAnswers(task, lanes, TH_WIDTH, &state);
        const uint32_t free = mBits(allowed);
        for (int32_t i = 0; i < TH_WIDTH; ++i)
            if ((free >> i & 1u) != 0)
                task->answer[lane + i] = th_outsideFree;
        enqueue(&queue, lane, left, &state);
        if (queue.count >= TH_WIDTH)
            runQueue(task, room, &queue);
    }
    while (queue.count > 0)
        runQueue(task, room, &queue);
}
