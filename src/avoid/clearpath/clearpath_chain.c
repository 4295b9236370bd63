// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What `clearpath` tries until each agent has a velocity. Each try is an ordinary problem of
// nearest points: with a shorter horizon, or with fewer neighbours. When nothing else is left,
// half-planes are violated as little as can be.

#include "avoid/clearpath/clearpath.h"
#include "throng/world.h"
#include "velocity/least_violation.h"
#include "velocity/outside_paper.h"

// How often mode 1 halves the horizon.
#define MOST_HALVINGS 12

static thOutsideFcn* const nearestOutside[th_simdCount] = TH_KERNEL_TABLE(thiNearestOutsideLanes);
static thOutsideFcn* const paperOutside[th_simdCount] =
    TH_KERNEL_TABLE(thiNearestOutsidePaperLanes);
static thHalfPlaneFcn* const leastViolation[th_simdCount] = TH_KERNEL_TABLE(thiLeastViolation);
static thClearpathFacesFcn* const faces[th_simdCount] = TH_KERNEL_TABLE(thiClearpathFaces);

// Memory for as many tries as there are lanes.
typedef struct Room {
    thClearpathTry* tries;
    int32_t* source; // which try of the round before each was
    int32_t* hopeless;
    thRegion* regions; // of one problem
    thBorderCrossing* crossings;
    thClearpathLayout layout; // all problems of a round
    thClearpathLineColumns lines, spare;
    float *wantedX, *wantedY, *limit;
    float *vx, *vy;
    uint8_t* answer;
    int32_t copies; // so many tries were made of each, the next ones with shorter horizons
} Room;

typedef struct Supply {
    char* next; // NULL: only counts
    size_t used;
} Supply;

static void* take(Supply* supply, size_t size)
{
    void* piece = supply->next != NULL ? supply->next + supply->used : NULL;
    supply->used += (size + 63) / 64 * 64;
    return piece;
}

static int32_t paddedLanes(int32_t count)
{
    return (count + TH_MAX_WIDTH - 1) / TH_MAX_WIDTH * TH_MAX_WIDTH;
}

// How many lanes there is room for. A single agent is asked with the scalar kernels.
static size_t roomLanes(int32_t lanes)
{
    return lanes == 1 ? 1 : (size_t)paddedLanes(lanes);
}

static thClearpathLineColumns takeLines(Supply* supply, size_t items)
{
    thClearpathLineColumns lines;
    lines.x = take(supply, items * sizeof *lines.x);
    lines.y = take(supply, items * sizeof *lines.y);
    lines.o = take(supply, items * sizeof *lines.o);
    return lines;
}

static thOutsideTask takeOutside(Supply* supply, size_t regions, int32_t lanes)
{
    const size_t width = roomLanes(lanes), sides = TH_REGION_SIDES * regions;
    thOutsideTask task = {.lanes = 0};
    float** const sideColumns[] = {&task.nx, &task.ny, &task.o};
    float** const columns[] = {&task.wantedX,       &task.wantedY,  &task.startX,
                               &task.startY,        &task.discX[0], &task.discX[1],
                               &task.discY[0],      &task.discY[1], &task.discRadius[0],
                               &task.discRadius[1], &task.tolerance};
    for (size_t i = 0; i < sizeof sideColumns / sizeof sideColumns[0]; ++i)
        *sideColumns[i] = take(supply, sides * width * sizeof(float));
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i)
        *columns[i] = take(supply, width * sizeof(float));
    const size_t room = thiOutsideKernelRoom((int32_t)regions, (int32_t)width);
    const size_t paperRoom = thiPaperKernelRoom((int32_t)regions, (int32_t)width);
    task.room = take(supply, room > paperRoom ? room : paperRoom);
    return task;
}

static thClearpathLayout takeLayout(Supply* supply, size_t regions, int32_t lanes,
                                    size_t neighborMax)
{
    const size_t width = roomLanes(lanes), neighbors = neighborMax * width;
    thClearpathLayout layout = {.outside = takeOutside(supply, regions, lanes)};
    layout.capBase = take(supply, neighbors * sizeof *layout.capBase);
    layout.capAhead = take(supply, neighbors * sizeof *layout.capAhead);
    layout.isDeep = take(supply, width * sizeof *layout.isDeep);
    layout.overlaps = take(supply, (neighbors + width) * sizeof *layout.overlaps);
    return layout;
}

static Room takeRoom(Supply* supply, int32_t lanes, int32_t neighborMax, int32_t wallMax)
{
    const size_t width = roomLanes(lanes), lines = (size_t)(neighborMax + wallMax);
    Room room;
    room.tries = take(supply, width * sizeof *room.tries);
    room.source = take(supply, width * sizeof *room.source);
    room.hopeless = take(supply, width * sizeof *room.hopeless);
    const size_t regions = (size_t)(2 * neighborMax + wallMax);
    room.regions = take(supply, regions * sizeof *room.regions);
    room.crossings = take(supply, (TH_REGION_SIDES * regions + 2) * sizeof *room.crossings);
    room.layout = takeLayout(supply, regions, lanes, (size_t)neighborMax);
    room.lines = takeLines(supply, lines * width);
    room.spare = takeLines(supply, lines * TH_MAX_WIDTH);
    float** const columns[] = {&room.wantedX, &room.wantedY, &room.limit, &room.vx, &room.vy};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i)
        *columns[i] = take(supply, width * sizeof(float));
    room.answer = take(supply, width);
    return room;
}

size_t thiClearpathRoom(int32_t lanes, int32_t neighborMax, int32_t wallMax)
{
    Supply supply = {NULL, 0};
    takeRoom(&supply, lanes, neighborMax, wallMax);
    return supply.used;
}

static bool keepsLimits(const thClearpathTask* task, int32_t lane, thVec2 v)
{
    const float tolerance = thiClearpathTolerance(task, lane);
    thDisc slow = {{0.0f, 0.0f}, task->maxSpeed[lane] + tolerance};
    thDisc reachable = thiClearpathOwnOf(task, lane).reachable;
    reachable.radius += tolerance;
    return thiIsInDisc(v, &slow) && thiIsInDisc(v, &reachable);
}

// Mode 1 promises its neighbours something, for as long as the horizon that was left.
static bool promises(const thClearpathTask* task, int32_t lane)
{
    return task->def->mode == th_clearpathOne && thiClearpathCounted(task, lane) > 0;
}

static float horizonOf(const thClearpathTask* task, const thClearpathTry* attempt)
{
    return thiClearpathHorizon(task->def->horizon, attempt->halvings);
}

static thClearpathStatus statusOf(const thClearpathTask* task, const thClearpathTry* attempt,
                                  thOutsideAnswer answer, const Room* room)
{
    if (room->layout.isDeep[attempt->lane] != 0)
        return th_clearpathOverlapping;
    if (promises(task, attempt->lane) && horizonOf(task, attempt) < task->dt)
        return th_clearpathShort;
    if (attempt->halvings + attempt->dropped > 0)
        return th_clearpathRelaxed;
    const bool isFree = answer == th_outsideFree && !attempt->leans;
    return isFree ? th_clearpathFree : th_clearpathConstrained;
}

static void finish(const thClearpathTask* task, int32_t lane, thVec2 v, thClearpathStatus status)
{
    task->outVx[lane] = v.x;
    task->outVy[lane] = v.y;
    task->status[lane] = (uint8_t)status;
}

static void keepPromise(const thClearpathTask* task, const thClearpathTry* attempt)
{
    const float horizon = horizonOf(task, attempt);
    if (promises(task, attempt->lane) && task->interval != NULL && horizon < *task->interval)
        *task->interval = horizon;
}

// Walls and limits alone allow nothing.
static void brake(const thClearpathTask* task, int32_t lane)
{
    const thDisc reachable = thiClearpathOwnOf(task, lane).reachable;
    finish(task, lane, thiNearestInDisc((thVec2){0.0f, 0.0f}, &reachable), th_clearpathInfeasible);
}

static bool canHalve(const thClearpathTask* task, const thClearpathTry* attempt)
{
    const int32_t next = attempt->halvings + 1;
    if (task->def->mode == th_clearpathOne)
        return next <= MOST_HALVINGS;
    return task->def->chain == th_clearpathRecommended && next < 30 &&
           thiClearpathHorizon(task->def->horizon, next) > task->dt;
}

// The next try, if there is any. Where the paper's chain ends, the agent brakes.
static bool goOn(const thClearpathTask* task, thOutsideAnswer answer, thVec2 v,
                 thClearpathTry* attempt)
{
    if (canHalve(task, attempt)) {
        attempt->halvings += 1;
        return true;
    }
    if (task->def->chain == th_clearpathRecommended)
        return false;
    attempt->dropped += 1;
    attempt->aim = answer == th_outsideNone ? attempt->aim : v;
    return attempt->dropped <= thiClearpathCounted(task, attempt->lane);
}

// Those for whom nothing else is left: all at once.
static void violateLeast(const thClearpathTask* task, int32_t count, const Room* room)
{
    const int32_t stride = task->simd == th_simdScalar ? count : paddedLanes(count);
    const size_t walls = (size_t)task->walls.most * (size_t)stride;
    for (int32_t i = 0; i < stride; ++i) { // the rest of a register repeats the last
        const int32_t lane = room->hopeless[i < count ? i : count - 1];
        const thVec2 wanted = thiClearpathLeaning(task, lane);
        room->hopeless[i] = lane;
        thiClearpathWallLines(task, lane, i, stride, &room->lines);
        room->wantedX[i] = wanted.x;
        room->wantedY[i] = wanted.y;
        room->limit[i] = task->maxSpeed[lane];
    }
    const thClearpathLineColumns faceColumns = {room->lines.x + walls, room->lines.y + walls,
                                                room->lines.o + walls};
    faces[task->simd](task, room->hopeless, stride, &faceColumns);
    for (int32_t i = 0; i < stride && task->clearances.pairs != NULL; ++i)
        thiClearpathShapeLines(task, room->hopeless[i], i, stride, &faceColumns);
    leastViolation[task->simd](&(thHalfPlaneTask){.lanes = stride,
                                                  .walls = task->walls.most,
                                                  .count = task->walls.most + task->neighborMax,
                                                  .x = room->lines.x,
                                                  .y = room->lines.y,
                                                  .o = room->lines.o,
                                                  .spareX = room->spare.x,
                                                  .spareY = room->spare.y,
                                                  .spareO = room->spare.o,
                                                  .wantedX = room->wantedX,
                                                  .wantedY = room->wantedY,
                                                  .maxSpeed = room->limit,
                                                  .outVx = room->vx,
                                                  .outVy = room->vy,
                                                  .answer = room->answer});
    for (int32_t i = 0; i < count; ++i) {
        const int32_t lane = room->hopeless[i];
        const thDisc reachable = thiClearpathOwnOf(task, lane).reachable;
        const thVec2 v = {room->vx[i], room->vy[i]};
        finish(task, lane, thiNearestInDisc(v, &reachable),
               room->answer[i] == th_violatesWalls ? th_clearpathInfeasible
               : room->layout.isDeep[lane] != 0    ? th_clearpathOverlapping
                                                   : th_clearpathRelaxed);
    }
}

// Answers of one round of tries, one after the other.
static void solveOneByOne(const thClearpathTask* task, int32_t count, const Room* room)
{
    for (int32_t i = 0; i < count; ++i) {
        const thOutsideProblem problem =
            thiClearpathProblem(task, &room->tries[i], room->regions, NULL);
        thVec2 v;
        room->answer[i] = (uint8_t)(task->def->solver == th_clearpathPaper
                                        ? thiNearestOutsidePaper(&problem, room->crossings, &v)
                                        : thiNearestOutside(&problem, &v));
        room->vx[i] = v.x;
        room->vy[i] = v.y;
    }
}

// The most regions of a try.
static int32_t mostRegions(const thClearpathTask* task, int32_t count, const Room* room)
{
    const int32_t each = task->def->mode == th_clearpathOne ? 2 : 1;
    int32_t most = 0;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t lane = room->tries[i].lane;
        const int32_t own = each * task->neighborCount[lane] + task->walls.count[lane];
        most = own > most ? own : most;
    }
    return most;
}

// A task for the kernel, whose answers go where those of tries do.
static thOutsideTask outsideTask(const thClearpathTask* task, const Room* room, int32_t lanes,
                                 int32_t regionMax)
{
    thOutsideTask outside = room->layout.outside;
    outside.lanes = lanes;
    outside.regionMax = regionMax;
    outside.outX = room->vx;
    outside.outY = room->vy;
    outside.answer = room->answer;
    outside.keepsLanes = task->keepsLanes;
    outside.use = task->work != NULL ? &task->work->use : NULL;
    return outside;
}

static void solveWithKernel(const thClearpathTask* task, const thOutsideTask* outside)
{
    const bool isPaper = task->def->solver == th_clearpathPaper;
    (isPaper ? paperOutside : nearestOutside)[task->simd](outside);
}

// The same, all at once.
static void solveInLanes(const thClearpathTask* task, int32_t count, const Room* room)
{
    const int32_t lanes = task->simd == th_simdScalar ? count : paddedLanes(count);
    const thOutsideTask outside = outsideTask(task, room, lanes, mostRegions(task, count, room));
    for (int32_t i = 0; i < lanes; ++i) {
        thOutsideProblem problem;
        if (i < count)
            problem = thiClearpathProblem(task, &room->tries[i], room->regions, NULL);
        thiSetOutsideLane(&outside, i, i < count ? &problem : NULL);
    }
    solveWithKernel(task, &outside);
}

// The first round, in which lanes are those of the task, and kernels lay out most of it. Returns
// how many regions they did not.
static int32_t solveFirst(const thClearpathTask* task, Room* room)
{
    room->layout.outside =
        outsideTask(task, room, task->lanes, task->neighborMax + task->walls.most);
    const int32_t plain = thiClearpathLayOut(task, &room->layout);
    solveWithKernel(task, &room->layout.outside);
    return plain;
}

// How many horizons are tried at once: as many as there are idle lanes for.
static int32_t copiesOf(const thClearpathTask* task, int32_t count, int32_t lanes, const Room* room)
{
    thClearpathTry last = room->tries[0];
    int32_t copies = 1;
    for (; (copies + 1) * count <= lanes && canHalve(task, &last); ++copies)
        last.halvings += 1;
    return copies;
}

// A later one, made from the one before: all have halved their horizon as often. Returns as much.
static int32_t solveAgain(const thClearpathTask* task, int32_t count, Room* room)
{
    const int32_t lanes = task->simd == th_simdScalar ? count : paddedLanes(count);
    for (int32_t i = count; i < lanes; ++i)
        room->source[i] = 0;
    room->copies = copiesOf(task, count, lanes, room);
    const thClearpathMove move = {.source = room->source,
                                  .count = count,
                                  .copies = room->copies,
                                  .lanes = lanes,
                                  .neighborMax = task->neighborMax,
                                  .halvings = room->tries[0].halvings};
    const int32_t plain = thiClearpathLayOutAgain(task, room->tries, &move, &room->layout);
    solveWithKernel(task, &room->layout.outside);
    return plain;
}

// Whether it is solved one by one: round caps have no kernel, and one lane of the paper's is no
// use.
static bool isPlain(const thClearpathTask* task)
{
    return task->def->cap == th_clearpathRound ||
           (task->def->solver == th_clearpathPaper && task->simd == th_simdScalar);
}

// Whether kernels lay out first problems: those of discs.
static bool isForKernels(const thClearpathTask* task)
{
    return task->def->mode == th_clearpathTwo && !isPlain(task) && task->clearances.pairs == NULL;
}

// And later ones, which differ by their horizon only.
static bool isForKernelsAgain(const thClearpathTask* task)
{
    return isForKernels(task) && task->def->chain == th_clearpathRecommended &&
           task->def->keep == th_keepNone;
}

static void solveTries(const thClearpathTask* task, int32_t count, bool isFirst, Room* room)
{
    int32_t plain = count;
    room->copies = 1;
    if (isPlain(task))
        solveOneByOne(task, count, room);
    else if (isFirst && isForKernels(task))
        plain = solveFirst(task, room);
    else if (isForKernelsAgain(task))
        plain = solveAgain(task, count, room);
    else
        solveInLanes(task, count, room);
    if (task->work != NULL) {
        task->work->tries += room->copies * count;
        task->work->plainRegions += plain;
    }
}

// Whether the answer to a try is the agent's velocity.
static bool isGood(const thClearpathTask* task, int32_t lane, thOutsideAnswer answer, thVec2 v)
{
    return answer != th_outsideNone &&
           (task->def->chain == th_clearpathRecommended || keepsLimits(task, lane, v));
}

// Who is not free, and keeps a side, tries again and leans to it.
static bool lean(const thClearpathTask* task, thOutsideAnswer answer, thClearpathTry* attempt)
{
    if (task->def->keep == th_keepNone || answer == th_outsideFree || attempt->leans)
        return false;
    attempt->leans = true;
    attempt->aim = thiClearpathLeaning(task, attempt->lane);
    return true;
}

// How many agents are to be asked again, and how many are not but have no velocity either.
typedef struct Rest {
    int32_t left, hopeless;
} Rest;

static void tellEnd(const thClearpathTask* task, const thClearpathTry* last, bool isHopeless)
{
    if (task->ends != NULL)
        task->ends[last->lane] = (thClearpathEnd){*last, isHopeless};
}

// Takes the answer of a try, of `count`, or that of the first copy that has one.
static void settle(const thClearpathTask* task, int32_t i, int32_t count, const Room* room,
                   Rest* rest)
{
    thClearpathTry attempt = room->tries[i];
    int32_t at = i;
    for (; room->answer[at] == th_outsideNone && at + count < room->copies * count; at += count)
        attempt.halvings += 1;
    const thOutsideAnswer answer = (thOutsideAnswer)room->answer[at];
    const thVec2 v = {room->vx[at], room->vy[at]};
    if (lean(task, answer, &attempt)) {
        room->tries[rest->left++] = attempt;
    } else if (isGood(task, attempt.lane, answer, v)) {
        finish(task, attempt.lane, v, statusOf(task, &attempt, answer, room));
        keepPromise(task, &attempt);
        tellEnd(task, &attempt, false);
    } else if (goOn(task, answer, v, &attempt)) {
        room->source[rest->left] = i;
        room->tries[rest->left++] = attempt;
    } else if (task->def->chain == th_clearpathDrop) {
        brake(task, attempt.lane);
        tellEnd(task, &attempt, true);
    } else {
        room->hopeless[rest->hopeless++] = attempt.lane;
        tellEnd(task, &attempt, true);
    }
}

void thiClearpathSolveAll(const thClearpathTask* task, void* memory)
{
    Supply supply = {memory, 0};
    Room room = takeRoom(&supply, task->lanes, task->neighborMax, task->walls.most);
    Rest rest = {0, 0};
    for (int32_t i = 0; i < task->count; ++i) {
        room.tries[i] = (thClearpathTry){.lane = i, .aim = thiClearpathWanted(task, i)};
        if (!isForKernels(task))
            room.layout.isDeep[i] = thiClearpathIsDeep(task, i);
    }
    bool isFirst = true;
    for (int32_t count = task->count; count > 0; count = rest.left) {
        solveTries(task, count, isFirst, &room);
        isFirst = false;
        rest.left = 0;
        for (int32_t i = 0; i < count; ++i)
            settle(task, i, count, &room, &rest);
    }
    if (rest.hopeless > 0)
        violateLeast(task, rest.hopeless, &room);
}
