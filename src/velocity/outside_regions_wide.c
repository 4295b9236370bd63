// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The nearest point outside of regions, one problem per lane, with the bits of outside_regions.c.
//
// Lanes differ in how many sides they have to look at. When half of a register has finished, the
// rest is put on a pile; once that fills a register, it goes on with what is on top of it.

#include "velocity/outside_search.inl"

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
