// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `clearpath`: its parameters, tasks for batches, and the call for a single agent.

#include "avoid/clearpath/clearpath.h"

#include "avoid/avoid_methods.h"
#include "base/machine.h"
#include "method/method_params.h"
#include "throng/world.h"
#include "velocity/kernel_input.h"

#define CLEARPATH_PARAMS(X, T)                                                                     \
    X(T, mode, Word, th_clearpathTwo, th_clearpathTwo, th_clearpathHalf, "2|1|h",                  \
      "What neighbours forbid: a cone, also the other side, or all but one half-plane.")           \
    X(T, horizon, Float, 2, 0.01, 100, "s", "Look-ahead for other agents.")                        \
    X(T, wallHorizon, Float, 0.5, 0.01, 100, "s", "Look-ahead for walls and movers.")              \
    X(T, solver, Word, th_clearpathInterval, th_clearpathInterval, th_clearpathPaper,              \
      "interval|paper", "How the nearest velocity is found; changes it by rounding only.")         \
    X(T, cap, Word, th_clearpathLine, th_clearpathLine, th_clearpathRound, "line|round",           \
      "What truncates the cones.")                                                                 \
    X(T, chain, Word, th_clearpathRecommended, th_clearpathRecommended, th_clearpathDrop,          \
      "recommended|paper",                                                                         \
      "Where all is forbidden: shorter horizons, or fewer neighbours as in the paper.")            \
    X(T, overlap, Word, th_clearpathAuto, th_clearpathAuto, th_clearpathWedge,                     \
      "auto|centers|nearest|wedge",                                                                \
      "What those forbid whom the agent overlaps; auto goes by the chain.")                        \
    X(T, hybrid, Bool, 0, 0, 1, "",                                                                \
      "Who passes on the wrong side gives way alone, so that pairs do not dance.")                 \
    X(T, smoothing, Float, 0, 0, 0.95, "",                                                         \
      "How much of the present velocity is in the wanted one.")                                    \
    X(T, keep, Word, th_keepNone, th_keepRight, th_keepNone, "right|left|none",                    \
      "The side on which to pass where both are equally good.")

TH_METHOD_PARAMS("clearpath", thClearpathDef, CLEARPATH_PARAMS);

thClearpathDef thDefaultClearpathDef(void)
{
    return defaults;
}

static thResult validate(const void* params, thError* error)
{
    const thClearpathDef* def = params;
    TH_TRY(thiCheckParams(&checks, params, error));
    if (def->cap == th_clearpathRound && def->solver == th_clearpathPaper)
        return thiFail(error, th_resultBadArgument,
                       "clearpath: cap is round, expected line with the solver of the paper");
    if (def->cap == th_clearpathRound && def->hybrid != 0)
        return thiFail(error, th_resultBadArgument,
                       "clearpath: cap is round, expected line with hybrid obstacles");
    return th_resultOk;
}

static thClearpathBody bodyOfRow(const thFrame* frame, int32_t row)
{
    const thBodyShape* shape = &frame->shapes[frame->profile[row]];
    return (thClearpathBody){shape->count > 0 ? shape : NULL, frame->heading[row],
                             frame->radius[row]};
}

// How many clearances an agent needs.
static int32_t countClearances(const thBatch* batch, const thWallColumns* walls, int32_t lane)
{
    if (bodyOfRow(batch->frame, batch->row[lane]).shape != NULL)
        return batch->neighborCount[lane] + walls->count[lane];
    int32_t count = 0;
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k)
        count += bodyOfRow(batch->frame, batch->nrow[k * batch->lanes + lane]).shape != NULL;
    return count;
}

// Fills in those of an agent; returns where the next one's go.
static thClearance* setClearances(const thBatch* batch, const thWallColumns* walls, int32_t lane,
                                  thClearance* next, const thClearance** pairs,
                                  const thClearance** edges)
{
    const thClearpathBody own = bodyOfRow(batch->frame, batch->row[lane]);
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const thClearpathBody other = bodyOfRow(batch->frame, batch->nrow[at]);
        if (own.shape == NULL && other.shape == NULL)
            continue;
        *next = thiClearpathPair(&own, &other, (thVec2){batch->nx[at], batch->ny[at]},
                                 batch->row[lane] < batch->nrow[at]);
        pairs[at] = next++;
    }
    for (int32_t k = 0; k < walls->count[lane] && own.shape != NULL; ++k) {
        const int32_t at = k * batch->lanes + lane;
        *next = thiClearpathShapeAtWall(&own, (thVec2){walls->ax[at], walls->ay[at]},
                                        (thVec2){walls->bx[at], walls->by[at]}, walls->radius[at]);
        edges[at] = next++;
    }
    return next;
}

// In the batch's scratch memory. False when that is out.
static bool layOutShapes(const thBatch* batch, const thWallColumns* walls,
                         thClearpathClearances* clearances)
{
    *clearances = (thClearpathClearances){NULL, NULL};
    int32_t count = 0;
    for (int32_t lane = 0; lane < batch->count && batch->frame->shapes != NULL; ++lane)
        count += countClearances(batch, walls, lane);
    if (count == 0)
        return true;
    const size_t pairCount = (size_t)batch->neighborMax * (size_t)batch->lanes;
    const size_t edgeCount = (size_t)walls->most * (size_t)batch->lanes;
    thClearance* next = thArena_Allocate(batch->scratch, (size_t)count * sizeof *next);
    const thClearance** table =
        thArena_Allocate(batch->scratch, (pairCount + edgeCount) * sizeof(const thClearance*));
    if (next == NULL || table == NULL)
        return false;
    for (size_t i = 0; i < pairCount + edgeCount; ++i)
        table[i] = NULL;
    for (int32_t lane = 0; lane < batch->count; ++lane)
        next = setClearances(batch, walls, lane, next, table, table + pairCount);
    *clearances = (thClearpathClearances){table, table + pairCount};
    return true;
}

bool thiClearpathMakeTask(const thBatch* batch, const thClearpathDef* def, thSimd simd,
                          thClearpathTask* task)
{
    *task = (thClearpathTask){.def = def,
                              .dt = batch->frame->dt,
                              .simd = simd,
                              .count = batch->count,
                              .lanes = batch->lanes,
                              .vx = batch->vx,
                              .vy = batch->vy,
                              .radius = batch->radius,
                              .maxSpeed = batch->maxSpeed,
                              .maxAccel = batch->maxAccel,
                              .guideX = batch->guideX,
                              .guideY = batch->guideY,
                              .row = batch->row,
                              .neighborMax = batch->neighborMax,
                              .neighborCount = batch->neighborCount,
                              .nx = batch->nx,
                              .ny = batch->ny,
                              .nvx = batch->nvx,
                              .nvy = batch->nvy,
                              .nradius = batch->nradius,
                              .nshare = batch->nshare,
                              .nrow = batch->nrow,
                              .outVx = batch->outVx,
                              .outVy = batch->outVy,
                              .status = batch->status,
                              .interval = batch->interval};
    return thiLayOutWalls(batch, simd, &task->walls) &&
           layOutShapes(batch, &task->walls, &task->clearances);
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    const thKernelHost* own = shared;
    thClearpathTask task;
    if (!thiClearpathMakeTask(batch, params, own->simd, &task))
        return;
    const size_t size = thiClearpathRoom(task.lanes, task.neighborMax, task.walls.most);
    void* room = thArena_Allocate(batch->scratch, size);
    if (room != NULL)
        thiClearpathSolveAll(&task, room);
}

static const char* const statusNames[] = {[th_clearpathFree] = "free",
                                          [th_clearpathConstrained] = "constrained",
                                          [th_clearpathRelaxed] = "relaxed",
                                          [th_clearpathInfeasible] = "infeasible",
                                          [th_clearpathOverlapping] = "overlapping",
                                          [th_clearpathShort] = "short"};

const thMethod thiAvoidClearpath = {.size = sizeof(thMethod),
                                    .name = "clearpath",
                                    .version = 1,
                                    .paramSize = sizeof(thClearpathDef),
                                    .needs = th_needsNeighbors | th_needsWalls | th_needsMovers |
                                             th_needsShortSteps | th_needsNoneAtRest,
                                    .defaults = &defaults,
                                    .validate = validate,
                                    .create = thiCreateKernelHost,
                                    .destroy = thiDestroyKernelHost,
                                    .solve = solve,
                                    .params = parameters,
                                    .paramCount = TH_COUNT_OF(parameters),
                                    .explain = thiClearpathExplain,
                                    .statusNames = statusNames,
                                    .statusCount = TH_COUNT_OF(statusNames)};

// The call for one agent: a task of one lane.

#define MOST (THRONG_AVOID_MOST)

// What thSinCos takes. [rad]
#define MOST_TURN 8192.0f

// NULL: a disc.
static const thBodyShape* polygonOf(const thBodyShape* shape)
{
    return shape != NULL && shape->count != 0 ? shape : NULL;
}

static bool isBody(const thBodyShape* shape, float heading)
{
    return polygonOf(shape) == NULL ||
           (heading >= -MOST_TURN && heading <= MOST_TURN && thiIsBodyShape(shape));
}

static bool areBodies(const thAvoidSelf* self, const thAvoidNeighbor* neighbors, int32_t count)
{
    bool good = isBody(self->shape, self->heading);
    for (int32_t i = 0; i < count && good; ++i)
        good = isBody(neighbors[i].shape, neighbors[i].heading);
    return good;
}

// What the agent keeps clear of, where it or the other has a shape.
typedef struct Clearances {
    thClearance clearances[2 * MOST];
    const thClearance *pairs[MOST], *edges[MOST];
} Clearances;

static void fillClearances(const thAvoidSelf* self, const thAvoidNeighbor* neighbors,
                           int32_t neighborCount, const thAvoidWall* walls, int32_t wallCount,
                           Clearances* to)
{
    const thClearpathBody own = {polygonOf(self->shape), self->heading, self->radius};
    for (int32_t i = 0; i < neighborCount; ++i) {
        const thClearpathBody other = {polygonOf(neighbors[i].shape), neighbors[i].heading,
                                       neighbors[i].radius};
        thClearance* clearance = &to->clearances[i];
        const bool isShaped = own.shape != NULL || other.shape != NULL;
        if (isShaped)
            *clearance = thiClearpathPair(&own, &other, neighbors[i].position, true);
        to->pairs[i] = isShaped ? clearance : NULL;
    }
    for (int32_t i = 0; i < wallCount; ++i) {
        thClearance* clearance = &to->clearances[MOST + i];
        if (own.shape != NULL)
            *clearance = thiClearpathShapeAtWall(&own, walls[i].a, walls[i].b, walls[i].radius);
        to->edges[i] = own.shape != NULL ? clearance : NULL;
    }
}

// What a task of one lane may need; a test holds it against thiClearpathRoom.
#define ROOM_OF_ONE (128 * 1024)

thResult thClearpath_Solve(const thClearpathDef* def, float dt, const thAvoidSelf* self,
                           const thAvoidNeighbor* neighbors, int32_t neighborCount,
                           const thAvoidWall* walls, int32_t wallCount, thVec2* velocity,
                           thClearpathStatus* status)
{
    TH_REQUIRE(velocity != NULL && status != NULL, th_resultBadArgument);
    thSingle single;
    TH_TRY(thiTakeSingle(&single, def, validate, dt, self, neighbors, neighborCount, walls,
                         wallCount));
    TH_REQUIRE(areBodies(self, neighbors, neighborCount), th_resultBadArgument);
    Clearances clearances;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    fillClearances(self, neighbors, neighborCount, walls, wallCount, &clearances);
    _Alignas(64) char room[ROOM_OF_ONE];
    TH_ASSERT(thiClearpathRoom(1, neighborCount, wallCount) <= sizeof room);
    const thSurroundings* around = &single.around;
    const thClearpathTask task = {.def = def,
                                  .dt = dt,
                                  .simd = th_simdScalar,
                                  .count = 1,
                                  .lanes = 1,
                                  .vx = around->vx,
                                  .vy = around->vy,
                                  .radius = around->radius,
                                  .maxSpeed = around->maxSpeed,
                                  .maxAccel = around->maxAccel,
                                  .guideX = around->guideX,
                                  .guideY = around->guideY,
                                  .row = around->row,
                                  .neighborMax = neighborCount,
                                  .neighborCount = around->neighborCount,
                                  .nx = around->nx,
                                  .ny = around->ny,
                                  .nvx = around->nvx,
                                  .nvy = around->nvy,
                                  .nradius = around->nradius,
                                  .nshare = around->nshare,
                                  .nrow = around->nrow,
                                  .walls = {wallCount, &single.wallCount, single.ax, single.ay,
                                            single.bx, single.by, single.wvx, single.wvy,
                                            single.wradius},
                                  .clearances = {clearances.pairs, clearances.edges},
                                  .outVx = around->outVx,
                                  .outVy = around->outVy,
                                  .status = around->status};
    thiClearpathSolveAll(&task, room);
    thiFpRestore(hostEnvironment);
    *velocity = single.answer;
    *status = (thClearpathStatus)single.status;
    return th_resultOk;
}
