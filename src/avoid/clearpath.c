// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `clearpath`: its parameters, tasks for batches, and the call for a single agent.

#include "avoid/clearpath.h"

#include "base/fp_environment.h"
#include "throng/simd.h"

// What profiles share: how to work, and where the memory came from.
typedef struct Shared {
    thAllocator allocator;
    thSimd simd;
} Shared;

static const thClearpathDef defaults = {.size = sizeof(thClearpathDef),
                                        .mode = th_clearpathTwo,
                                        .horizon = 2.0f,
                                        .wallHorizon = 0.5f,
                                        .solver = th_clearpathInterval,
                                        .cap = th_clearpathLine,
                                        .chain = th_clearpathRecommended,
                                        .overlap = th_clearpathAuto,
                                        .hybrid = 0,
                                        .smoothing = 0.0f};

thClearpathDef thDefaultClearpathDef(void)
{
    return defaults;
}

static thResult checkFloat(const char* name, float value, float low, float high, thError* error)
{
    if (value >= low && value <= high)
        return th_resultOk;
    return thiFail(error, th_resultBadArgument, "clearpath: %s is %g, expected %g to %g", name,
                   (double)value, (double)low, (double)high);
}

static thResult checkInt(const char* name, int32_t value, int32_t low, int32_t high, thError* error)
{
    if (value >= low && value <= high)
        return th_resultOk;
    return thiFail(error, th_resultBadArgument, "clearpath: %s is %d, expected %d to %d", name,
                   value, low, high);
}

static thResult validate(const void* params, thError* error)
{
    const thClearpathDef* def = params;
    if (def->size != sizeof *def)
        return thiFail(error, th_resultBadArgument, "clearpath: size is %u, expected %u", def->size,
                       (unsigned)sizeof *def);
    TH_TRY(checkInt("mode", def->mode, th_clearpathTwo, th_clearpathHalf, error));
    TH_TRY(checkFloat("horizon", def->horizon, 0.01f, 100.0f, error));
    TH_TRY(checkFloat("wallHorizon", def->wallHorizon, 0.01f, 100.0f, error));
    TH_TRY(checkInt("solver", def->solver, th_clearpathInterval, th_clearpathPaper, error));
    TH_TRY(checkInt("cap", def->cap, th_clearpathLine, th_clearpathRound, error));
    TH_TRY(checkInt("chain", def->chain, th_clearpathRecommended, th_clearpathDrop, error));
    TH_TRY(checkInt("overlap", def->overlap, th_clearpathAuto, th_clearpathWedge, error));
    TH_TRY(checkInt("hybrid", def->hybrid, 0, 1, error));
    TH_TRY(checkFloat("smoothing", def->smoothing, 0.0f, 0.95f, error));
    if (def->cap == th_clearpathRound && def->solver == th_clearpathPaper)
        return thiFail(error, th_resultBadArgument,
                       "clearpath: cap is round, expected line with the solver of the paper");
    if (def->cap == th_clearpathRound && def->hybrid != 0)
        return thiFail(error, th_resultBadArgument,
                       "clearpath: cap is round, expected line with hybrid obstacles");
    return th_resultOk;
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
    return thiLayOutWalls(batch, &task->walls);
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    const Shared* own = shared;
    thClearpathTask task;
    if (!thiClearpathMakeTask(batch, params, own->simd, &task))
        return;
    const size_t size = thiClearpathRoom(task.lanes, task.neighborMax, task.walls.most);
    void* room = thArena_Allocate(batch->scratch, size);
    if (room != NULL)
        thiClearpathSolveAll(&task, room);
}

static thResult create(const thMethodHost* host, const void* params, void** shared)
{
    (void)params;
    Shared* own = host->allocator.allocate(host->allocator.context, sizeof *own, TH_ALIGNMENT);
    if (own == NULL)
        return th_resultNoMemory;
    *own = (Shared){host->allocator, (thSimd)host->simd};
    *shared = own;
    return th_resultOk;
}

static void destroy(void* shared)
{
    const thAllocator allocator = ((Shared*)shared)->allocator;
    allocator.release(allocator.context, shared, sizeof(Shared), TH_ALIGNMENT);
}

#define PARAM(name, kind, min, max, unit, about)                                                   \
    {                                                                                              \
#name, kind, offsetof(thClearpathDef, name), min, max, unit, about                         \
    }

static const thParam params[] = {
    PARAM(mode, th_paramWord, 0, 2, "2|1|h",
          "What neighbours forbid: a cone, also the other side, or all but one half-plane."),
    PARAM(horizon, th_paramFloat, 0.01, 100, "s", "Look-ahead for other agents."),
    PARAM(wallHorizon, th_paramFloat, 0.01, 100, "s", "Look-ahead for walls and movers."),
    PARAM(solver, th_paramWord, 0, 1, "interval|paper",
          "How the nearest velocity is found; changes it by rounding only."),
    PARAM(cap, th_paramWord, 0, 1, "line|round", "What truncates the cones."),
    PARAM(chain, th_paramWord, 0, 1, "recommended|paper",
          "Where all is forbidden: shorter horizons, or fewer neighbours as in the paper."),
    PARAM(overlap, th_paramWord, 0, 3, "auto|centers|nearest|wedge",
          "What those forbid whom the agent overlaps; auto goes by the chain."),
    PARAM(hybrid, th_paramBool, 0, 1, "",
          "Who passes on the wrong side gives way alone, so that pairs do not dance."),
    PARAM(smoothing, th_paramFloat, 0, 0.95, "",
          "How much of the present velocity is in the wanted one."),
};

const thMethod thiClearpathMethod = {.size = sizeof(thMethod),
                                     .name = "clearpath",
                                     .version = 1,
                                     .paramSize = sizeof(thClearpathDef),
                                     .needs = th_needsNeighbors | th_needsWalls | th_needsMovers |
                                              th_needsShortSteps,
                                     .defaults = &defaults,
                                     .validate = validate,
                                     .create = create,
                                     .destroy = destroy,
                                     .solve = solve,
                                     .params = params,
                                     .paramCount = sizeof params / sizeof params[0],
                                     .explain = thiClearpathExplain};

// The call for one agent: a task of one lane.

#define MOST (THRONG_CLEARPATH_MOST)

// Squares of squares of larger numbers are not finite.
#define LARGEST 1.0e6f

static bool isLength(float x)
{
    return x >= 0.0f && x <= LARGEST;
}

static bool isVector(thVec2 v)
{
    return v.x >= -LARGEST && v.x <= LARGEST && v.y >= -LARGEST && v.y <= LARGEST;
}

static bool areGood(const thClearpathSelf* self, const thClearpathNeighbor* neighbors,
                    int32_t neighborCount, const thClearpathWall* walls, int32_t wallCount)
{
    bool good = isVector(self->velocity) && isVector(self->wanted) && isLength(self->radius) &&
                isLength(self->maxSpeed) && isLength(self->maxAccel);
    for (int32_t i = 0; i < neighborCount; ++i)
        good = good && isVector(neighbors[i].position) && isVector(neighbors[i].velocity) &&
               isLength(neighbors[i].radius) && neighbors[i].share >= 0.0f &&
               neighbors[i].share <= 1.0f;
    for (int32_t i = 0; i < wallCount; ++i)
        good = good && isVector(walls[i].a) && isVector(walls[i].b) &&
               isVector(walls[i].velocity) && isLength(walls[i].radius);
    return good;
}

// The columns of one agent.
typedef struct Columns {
    float near[6][MOST], wall[7][MOST];
    int32_t rows[MOST];
} Columns;

static void fillColumns(const thClearpathNeighbor* neighbors, int32_t neighborCount,
                        const thClearpathWall* walls, int32_t wallCount, Columns* columns)
{
    for (int32_t i = 0; i < neighborCount; ++i) {
        columns->near[0][i] = neighbors[i].position.x;
        columns->near[1][i] = neighbors[i].position.y;
        columns->near[2][i] = neighbors[i].velocity.x;
        columns->near[3][i] = neighbors[i].velocity.y;
        columns->near[4][i] = neighbors[i].radius;
        columns->near[5][i] = neighbors[i].share;
        columns->rows[i] = i + 1;
    }
    for (int32_t i = 0; i < wallCount; ++i) {
        columns->wall[0][i] = walls[i].a.x;
        columns->wall[1][i] = walls[i].a.y;
        columns->wall[2][i] = walls[i].b.x;
        columns->wall[3][i] = walls[i].b.y;
        columns->wall[4][i] = walls[i].velocity.x;
        columns->wall[5][i] = walls[i].velocity.y;
        columns->wall[6][i] = walls[i].radius;
    }
}

// What a task of one lane may need; a test holds it against thiClearpathRoom.
#define ROOM_OF_ONE (128 * 1024)

thResult thClearpath_Solve(const thClearpathDef* def, float dt, const thClearpathSelf* self,
                           const thClearpathNeighbor* neighbors, int32_t neighborCount,
                           const thClearpathWall* walls, int32_t wallCount, thVec2* velocity,
                           thClearpathStatus* status)
{
    TH_REQUIRE(def != NULL && self != NULL && velocity != NULL && status != NULL,
               th_resultBadArgument);
    TH_REQUIRE(validate(def, NULL) == th_resultOk && dt > 0.0f && dt <= LARGEST,
               th_resultBadArgument);
    TH_REQUIRE(neighborCount >= 0 && neighborCount <= MOST && wallCount >= 0 && wallCount <= MOST,
               th_resultBadArgument);
    TH_REQUIRE((neighborCount == 0 || neighbors != NULL) && (wallCount == 0 || walls != NULL),
               th_resultBadArgument);
    TH_REQUIRE(areGood(self, neighbors, neighborCount, walls, wallCount), th_resultBadArgument);
    Columns columns;
    fillColumns(neighbors, neighborCount, walls, wallCount, &columns);
    _Alignas(64) char room[ROOM_OF_ONE];
    TH_ASSERT(thiClearpathRoom(1, neighborCount, wallCount) <= sizeof room);
    const int32_t row = 0;
    uint8_t found = 0;
    thVec2 answer = {0.0f, 0.0f}; // `velocity` may be the agent's own
    const thClearpathTask task = {.def = def,
                                  .dt = dt,
                                  .simd = th_simdScalar,
                                  .count = 1,
                                  .lanes = 1,
                                  .vx = &self->velocity.x,
                                  .vy = &self->velocity.y,
                                  .radius = &self->radius,
                                  .maxSpeed = &self->maxSpeed,
                                  .maxAccel = &self->maxAccel,
                                  .guideX = &self->wanted.x,
                                  .guideY = &self->wanted.y,
                                  .row = &row,
                                  .neighborMax = neighborCount,
                                  .neighborCount = &neighborCount,
                                  .nx = columns.near[0],
                                  .ny = columns.near[1],
                                  .nvx = columns.near[2],
                                  .nvy = columns.near[3],
                                  .nradius = columns.near[4],
                                  .nshare = columns.near[5],
                                  .nrow = columns.rows,
                                  .walls = {wallCount, &wallCount, columns.wall[0], columns.wall[1],
                                            columns.wall[2], columns.wall[3], columns.wall[4],
                                            columns.wall[5], columns.wall[6]},
                                  .outVx = &answer.x,
                                  .outVy = &answer.y,
                                  .status = &found};
    const thFpEnvironment hostEnvironment = thiFpEnter();
    thiClearpathSolveAll(&task, room);
    thiFpRestore(hostEnvironment);
    *velocity = answer;
    *status = (thClearpathStatus)found;
    return th_resultOk;
}
