// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `orca`: its parameters, tasks for the kernel, explanations, and the call for a single
// agent.

#include "avoid/orca/orca.h"

#include "avoid/avoid_methods.h"
#include "base/core.h"
#include "base/machine.h"
#include "method/method_marks.h"
#include "method/method_params.h"
#include "velocity/kernel_input.h"

#include <math.h>
#include <stdio.h>

// Effort of walking (Guy et al. 2010): e_w. [J s/(kg m²)]
#define EFFORT_WALKING 1.26f

static thOrcaFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiOrca);

// Its name in scene files is not that of the field.
#define ORCA_HORIZON(X, T)                                                                         \
    X##_AS(T, "horizon", timeHorizon, Float, 2, 0.01, 100, "s", "Look-ahead for other agents.")

#define ORCA_PARAMS(X, T)                                                                          \
    ORCA_HORIZON(X, T)                                                                             \
    X(T, wallHorizon, Float, 0.5, 0.01, 100, "s", "Look-ahead for walls and movers.")              \
    X(T, separationTime, Float, 0.1, 0, 100, "s", "Time over which overlaps dissolve.")            \
    X(T, sideBias, Float, 0, -0.5, 0.5, "rad", "Turns the wanted velocity clockwise.")             \
    X(T, objective, Word, th_orcaNearest, th_orcaNearest, th_orcaEffort, "nearest|effort",         \
      "Which allowed velocity is best: that nearest to the wanted one, or of least effort.")

TH_METHOD_PARAMS("orca", thOrcaDef, ORCA_PARAMS);

thOrcaDef thDefaultOrcaDef(void)
{
    return defaults;
}

static thResult validate(const void* params, thError* error)
{
    return thiCheckParams(&checks, params, error);
}

static void setParameters(thOrcaTask* task, const thOrcaDef* def)
{
    task->timeHorizon = def->timeHorizon;
    task->wallHorizon = def->wallHorizon;
    task->separationTime = def->separationTime;
    task->objective = (thOrcaObjective)def->objective;
    thSinCos(def->sideBias, &task->biasSine, &task->biasCosine);
}

static bool takeLines(thArena* scratch, thOrcaTask* task)
{
    const size_t lines = (size_t)(task->around.wallMax + task->around.neighborMax);
    const size_t items = lines * (size_t)task->around.lanes, packed = 2 * lines * TH_MAX_WIDTH;
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

// A task for a batch, in its scratch memory. False when that is out. Lines of walls come first: one
// for each wall, then for each mover one if it is a disc, otherwise one for each edge.
static bool makeTask(const thBatch* batch, const thOrcaDef* def, thSimd simd, thOrcaTask* task)
{
    setParameters(task, def);
    return thiSurround(batch, simd, &task->around) && takeLines(batch->scratch, task);
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    const thKernelHost* own = shared;
    thOrcaTask task;
    if (makeTask(batch, params, own->simd, &task))
        kernels[own->simd](&task);
}

// What it thinks of an agent: the half-planes of its program, the velocity it aims at, and how the
// program ended.

// The lines of one lane, once more, by the kernel that defines them.
typedef struct Lines {
    const thOrcaTask* task;
    int32_t lane;
    thVec2 solution; // before the limit of acceleration
    float worst;     // what a line lacks most there; not positive: none lacks anything
} Lines;

// Outputs of its own, so that the batch stays as it is; and no limit of acceleration.
static bool solveAgain(const thBatch* batch, thOrcaTask* task)
{
    const size_t lanes = (size_t)batch->lanes;
    float* columns = thArena_Allocate(batch->scratch, 3 * lanes * sizeof *columns);
    uint8_t* status = thArena_Allocate(batch->scratch, lanes);
    if (columns == NULL || status == NULL)
        return false;
    for (size_t i = 0; i < lanes; ++i)
        columns[i] = 0.0f;
    task->around.maxAccel = columns;
    task->around.outVx = columns + lanes;
    task->around.outVy = columns + 2 * lanes;
    task->around.status = status;
    thiOrca_scalar(task);
    return true;
}

static void addHalfPlane(Lines* lines, int32_t line, thMarkCause cause, uint64_t whose,
                         thExplanation* to)
{
    const thOrcaTask* task = lines->task;
    const int32_t at = line * task->around.lanes + lines->lane;
    const thVec2 normal = {task->lineX[at], task->lineY[at]};
    const float offset = task->lineO[at];
    const float lack = offset - (normal.x * lines->solution.x + normal.y * lines->solution.y);
    lines->worst = lack > lines->worst ? lack : lines->worst;
    const thVec2 points[2] = {{offset * normal.x, offset * normal.y}, normal};
    thMark mark = thDefaultMark();
    mark.kind = th_markHalfPlane;
    mark.cause = cause;
    mark.whose = whose;
    mark.points = points;
    mark.pointCount = 2;
    thExplanation_Add(to, &mark);
}

static void addHalfPlanes(const thBatch* batch, Lines* lines, thExplanation* to)
{
    const thFrame* frame = batch->frame;
    const thMovers* movers = frame->movers;
    const int32_t lane = lines->lane, lanes = batch->lanes;
    int32_t line = 0;
    for (int32_t k = 0; k < batch->wallCount[lane]; ++k) {
        const int32_t wall = batch->wall[k * lanes + lane];
        addHalfPlane(lines, line++, th_causeWall, thiMarkNameOf(frame->walls->obstacle[wall]), to);
    }
    for (int32_t k = 0; k < batch->moverCount[lane]; ++k) {
        const int32_t mover = batch->mover[k * lanes + lane];
        const int32_t corners = movers->firstCorner[mover + 1] - movers->firstCorner[mover];
        for (int32_t i = 0; i < (corners > 0 ? corners : 1); ++i)
            addHalfPlane(lines, line++, th_causeMover, thiMarkNameOf(movers->obstacle[mover]), to);
    }
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k)
        addHalfPlane(lines, lines->task->around.wallMax + k, th_causeAgent,
                     frame->key[batch->nrow[k * lanes + lane]], to);
}

static void addStatus(thOrcaStatus status, thOrcaObjective objective, float worst,
                      thExplanation* to)
{
    char relaxed[96];
    snprintf(relaxed, sizeof relaxed,
             "relaxed: no velocity obeys everybody; the worst lacks %.2g m/s", (double)worst);
    const char* const texts[] = {
        [th_orcaFree] = "free: the velocity aimed at obeys everybody",
        [th_orcaConstrained] =
            objective == th_orcaEffort
                ? "constrained: the velocity of least effort that obeys everybody"
                : "constrained: the nearest velocity that obeys everybody",
        [th_orcaRelaxed] = relaxed,
        [th_orcaInfeasible] =
            "infeasible: walls and moving obstacles forbid every velocity; it stands"};
    thiMarkText(texts[status], to);
}

static float lengthOf(thVec2 v)
{
    return sqrtf(v.x * v.x + v.y * v.y);
}

// What the way to the next corner costs, and at least; of those who want to go somewhere.
static void addEffort(const thBatch* batch, const Lines* lines, thVec2 aim, thExplanation* to)
{
    const thVec2 v = lines->solution;
    const int32_t lane = lines->lane;
    const float speed = lengthOf(aim);
    if (!(speed > 0.0f))
        return;
    const float distance = lengthOf((thVec2){batch->cornerX[lane], batch->cornerY[lane]});
    const float perTime = distance / lines->task->timeHorizon;
    const float towards = perTime > speed ? perTime : speed; // as fast as is there in time
    const float left =
        lengthOf((thVec2){towards / speed * aim.x - v.x, towards / speed * aim.y - v.y});
    const float all = speed * speed + v.x * v.x + v.y * v.y + 2.0f * speed * left;
    char text[96];
    snprintf(text, sizeof text, "effort: %.3g J/kg for each metre of the way, at least %.3g",
             (double)(EFFORT_WALKING * all / towards), (double)(EFFORT_WALKING * 2.0f * speed));
    thiMarkText(text, to);
    if (lines->task->around.status[lane] == th_orcaConstrained)
        thiMarkVelocity(v, "least effort", to);
}

static void explain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                    thExplanation* to)
{
    (void)shared;
    thOrcaTask task;
    if (!makeTask(batch, params, th_simdScalar, &task) || !solveAgain(batch, &task))
        return;
    Lines lines = {.task = &task,
                   .lane = lane,
                   .solution = {task.around.outVx[lane], task.around.outVy[lane]}};
    thiMarkSpeedLimit(batch, lane, to);
    addHalfPlanes(batch, &lines, to);
    const thVec2 guide = {batch->guideX[lane], batch->guideY[lane]};
    const thVec2 aim = {task.biasCosine * guide.x + task.biasSine * guide.y,
                        task.biasCosine * guide.y - task.biasSine * guide.x};
    thiMarkVelocity(aim, "aimed at", to);
    if (lines.solution.x != batch->outVx[lane] || lines.solution.y != batch->outVy[lane])
        thiMarkVelocity(lines.solution, "before the limit of acceleration", to);
    addStatus((thOrcaStatus)task.around.status[lane], task.objective, lines.worst, to);
    if (task.objective == th_orcaEffort)
        addEffort(batch, &lines, aim, to);
}

static const char* const statusNames[] = {[th_orcaFree] = "free",
                                          [th_orcaConstrained] = "constrained",
                                          [th_orcaRelaxed] = "relaxed",
                                          [th_orcaInfeasible] = "infeasible"};

const thMethod thiAvoidOrca = {.size = sizeof(thMethod),
                               .name = "orca",
                               .version = 2,
                               .paramSize = sizeof(thOrcaDef),
                               .needs = th_needsNeighbors | th_needsWalls | th_needsMovers |
                                        th_needsNoneAtRest,
                               .defaults = &defaults,
                               .validate = validate,
                               .create = thiCreateKernelHost,
                               .destroy = thiDestroyKernelHost,
                               .solve = solve,
                               .params = parameters,
                               .paramCount = TH_COUNT_OF(parameters),
                               .explain = explain,
                               .statusNames = statusNames,
                               .statusCount = TH_COUNT_OF(statusNames)};

// The call for one agent: the scalar kernel on one lane.

#define MOST (THRONG_AVOID_MOST)

thResult thOrca_Solve(const thOrcaDef* def, float dt, const thAvoidSelf* self,
                      const thAvoidNeighbor* neighbors, int32_t neighborCount,
                      const thAvoidWall* walls, int32_t wallCount, thVec2* velocity,
                      thOrcaStatus* status)
{
    TH_REQUIRE(velocity != NULL && status != NULL, th_resultBadArgument);
    thSingle single;
    TH_TRY(thiTakeSingle(&single, def, validate, dt, self, neighbors, neighborCount, walls,
                         wallCount));
    float line[3][2 * MOST], pack[3][4 * MOST * TH_MAX_WIDTH];
    thOrcaTask task = {.around = single.around,
                       .lineX = line[0],
                       .lineY = line[1],
                       .lineO = line[2],
                       .packX = pack[0],
                       .packY = pack[1],
                       .packO = pack[2]};
    const thFpEnvironment hostEnvironment = thiFpEnter();
    setParameters(&task, def);
    kernels[th_simdScalar](&task);
    thiFpRestore(hostEnvironment);
    *velocity = single.answer;
    *status = (thOrcaStatus)single.status;
    return th_resultOk;
}
