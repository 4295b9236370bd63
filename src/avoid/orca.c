// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `orca`: makes tasks for the kernel, and the call for a single agent.

#include "avoid/orca.h"

#include "avoid/wall_columns.h"
#include "base/fp_environment.h"
#include "throng/simd.h"

// What profiles share: how to work, and where the memory came from.
typedef struct Shared {
    thAllocator allocator;
    thSimd simd;
} Shared;

static thOrcaFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiOrca);

thOrcaDef thDefaultOrcaDef(void)
{
    return (thOrcaDef){.size = sizeof(thOrcaDef),
                       .timeHorizon = 2.0f,
                       .wallHorizon = 0.5f,
                       .separationTime = 0.1f,
                       .sideBias = 0.0f};
}

static const thOrcaDef defaults = {sizeof(thOrcaDef), 2.0f, 0.5f, 0.1f, 0.0f};

static thResult checkRange(const char* name, float value, float low, float high, thError* error)
{
    if (value >= low && value <= high)
        return th_resultOk;
    return thiFail(error, th_resultBadArgument, "orca: %s is %g, expected %g to %g", name,
                   (double)value, (double)low, (double)high);
}

static thResult validate(const void* params, thError* error)
{
    const thOrcaDef* def = params;
    if (def->size != sizeof *def)
        return thiFail(error, th_resultBadArgument, "orca: size is %u, expected %u", def->size,
                       (unsigned)sizeof *def);
    TH_TRY(checkRange("timeHorizon", def->timeHorizon, 0.01f, 100.0f, error));
    TH_TRY(checkRange("wallHorizon", def->wallHorizon, 0.01f, 100.0f, error));
    TH_TRY(checkRange("separationTime", def->separationTime, 0.0f, 100.0f, error));
    return checkRange("sideBias", def->sideBias, -0.5f, 0.5f, error);
}

// Fills the wall columns of a task. False when memory is out.
static bool takeWalls(const thBatch* batch, thOrcaTask* task)
{
    thWallColumns walls;
    if (!thiLayOutWalls(batch, &walls))
        return false;
    task->wallMax = walls.most;
    task->wallCount = walls.count;
    task->ax = walls.ax;
    task->ay = walls.ay;
    task->bx = walls.bx;
    task->by = walls.by;
    task->wvx = walls.vx;
    task->wvy = walls.vy;
    task->wradius = walls.radius;
    return true;
}

static void setParameters(thOrcaTask* task, const thOrcaDef* def, float dt)
{
    task->timeHorizon = def->timeHorizon;
    task->wallHorizon = def->wallHorizon;
    task->separationTime = def->separationTime;
    task->dt = dt;
    thSinCos(def->sideBias, &task->biasSine, &task->biasCosine);
}

static bool takeLines(thArena* scratch, thOrcaTask* task)
{
    const size_t lines = (size_t)(task->wallMax + task->neighborMax);
    const size_t items = lines * (size_t)task->lanes, packed = 2 * lines * TH_MAX_WIDTH;
    float* floats = thArena_Allocate(scratch, (3 * (items + packed) + 1) * sizeof *floats);
    if (floats == NULL)
        return false;
    task->lineX = floats;
    task->lineY = floats + items;
    task->lineO = floats + 2 * items;
    task->packX = floats + 3 * items;
    task->packY = task->packX + packed;
    task->packO = task->packY + packed;
    return true;
}

bool thiOrcaMakeTask(const thBatch* batch, const thOrcaDef* def, thOrcaTask* task)
{
    *task = (thOrcaTask){.lanes = batch->lanes,
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
                         .status = batch->status};
    setParameters(task, def, batch->frame->dt);
    return takeWalls(batch, task) && takeLines(batch->scratch, task);
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    const Shared* own = shared;
    thOrcaTask task;
    if (thiOrcaMakeTask(batch, params, &task))
        kernels[own->simd](&task);
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

#define PARAM(name, field, min, max, unit, about)                                                  \
    {                                                                                              \
        name, th_paramFloat, offsetof(thOrcaDef, field), min, max, unit, about                     \
    }

static const thParam params[] = {
    PARAM("horizon", timeHorizon, 0.01, 100, "s", "Look-ahead for other agents."),
    PARAM("wallHorizon", wallHorizon, 0.01, 100, "s", "Look-ahead for walls and movers."),
    PARAM("separationTime", separationTime, 0, 100, "s", "Time over which overlaps dissolve."),
    PARAM("sideBias", sideBias, -0.5, 0.5, "rad", "Turns the wanted velocity clockwise."),
};

const thMethod thiOrcaMethod = {.size = sizeof(thMethod),
                                .name = "orca",
                                .version = 1,
                                .paramSize = sizeof(thOrcaDef),
                                .needs = th_needsNeighbors | th_needsWalls | th_needsMovers,
                                .defaults = &defaults,
                                .validate = validate,
                                .create = create,
                                .destroy = destroy,
                                .solve = solve,
                                .params = params,
                                .paramCount = sizeof params / sizeof params[0],
                                .explain = thiOrcaExplain};

// The call for one agent: the scalar kernel on one lane.

#define MOST (THRONG_ORCA_MOST)

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

static bool areGood(const thOrcaSelf* self, const thOrcaNeighbor* neighbors, int32_t neighborCount,
                    const thOrcaWall* walls, int32_t wallCount)
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

thResult thOrca_Solve(const thOrcaDef* def, float dt, const thOrcaSelf* self,
                      const thOrcaNeighbor* neighbors, int32_t neighborCount,
                      const thOrcaWall* walls, int32_t wallCount, thVec2* velocity,
                      thOrcaStatus* status)
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
    float near[6][MOST], wall[7][MOST], line[3][2 * MOST], pack[3][4 * MOST * TH_MAX_WIDTH];
    int32_t rows[MOST];
    for (int32_t i = 0; i < neighborCount; ++i) {
        near[0][i] = neighbors[i].position.x;
        near[1][i] = neighbors[i].position.y;
        near[2][i] = neighbors[i].velocity.x;
        near[3][i] = neighbors[i].velocity.y;
        near[4][i] = neighbors[i].radius;
        near[5][i] = neighbors[i].share;
        rows[i] = i + 1;
    }
    for (int32_t i = 0; i < wallCount; ++i) {
        wall[0][i] = walls[i].a.x;
        wall[1][i] = walls[i].a.y;
        wall[2][i] = walls[i].b.x;
        wall[3][i] = walls[i].b.y;
        wall[4][i] = walls[i].velocity.x;
        wall[5][i] = walls[i].velocity.y;
        wall[6][i] = walls[i].radius;
    }
    const int32_t row = 0;
    uint8_t found;
    thVec2 answer; // `velocity` may be the agent's own
    thOrcaTask task = {.lanes = 1,
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
                       .nx = near[0],
                       .ny = near[1],
                       .nvx = near[2],
                       .nvy = near[3],
                       .nradius = near[4],
                       .nshare = near[5],
                       .nrow = rows,
                       .wallMax = wallCount,
                       .wallCount = &wallCount,
                       .ax = wall[0],
                       .ay = wall[1],
                       .bx = wall[2],
                       .by = wall[3],
                       .wvx = wall[4],
                       .wvy = wall[5],
                       .wradius = wall[6],
                       .lineX = line[0],
                       .lineY = line[1],
                       .lineO = line[2],
                       .packX = pack[0],
                       .packY = pack[1],
                       .packO = pack[2],
                       .outVx = &answer.x,
                       .outVy = &answer.y,
                       .status = &found};
    const thFpEnvironment hostEnvironment = thiFpEnter();
    setParameters(&task, def, dt);
    kernels[th_simdScalar](&task);
    thiFpRestore(hostEnvironment);
    *velocity = answer;
    *status = (thOrcaStatus)found;
    return th_resultOk;
}
