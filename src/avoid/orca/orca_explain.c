// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What method `orca` thinks of an agent: the half-planes of its program, the velocity it aims at,
// and how the program ended.

#include "avoid/orca/orca.h"
#include "velocity/velocity_marks.h"

#include <stdio.h>

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
    task->maxAccel = columns;
    task->outVx = columns + lanes;
    task->outVy = columns + 2 * lanes;
    task->status = status;
    thiOrca_scalar(task);
    return true;
}

static void addHalfPlane(Lines* lines, int32_t line, thMarkCause cause, uint64_t whose,
                         thExplanation* to)
{
    const thOrcaTask* task = lines->task;
    const int32_t at = line * task->lanes + lines->lane;
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
        addHalfPlane(lines, lines->task->wallMax + k, th_causeAgent,
                     frame->key[batch->nrow[k * lanes + lane]], to);
}

static void addStatus(thOrcaStatus status, float worst, thExplanation* to)
{
    char relaxed[96];
    snprintf(relaxed, sizeof relaxed,
             "relaxed: no velocity obeys everybody; the worst lacks %.2g m/s", (double)worst);
    const char* const texts[] = {
        [th_orcaFree] = "free: the velocity aimed at obeys everybody",
        [th_orcaConstrained] = "constrained: the nearest velocity that obeys everybody",
        [th_orcaRelaxed] = relaxed,
        [th_orcaInfeasible] =
            "infeasible: walls and moving obstacles forbid every velocity; it stands"};
    thiMarkText(texts[status], to);
}

void thiOrcaExplain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                    thExplanation* to)
{
    (void)shared;
    thOrcaTask task;
    if (!thiOrcaMakeTask(batch, params, &task) || !solveAgain(batch, &task))
        return;
    Lines lines = {.task = &task, .lane = lane, .solution = {task.outVx[lane], task.outVy[lane]}};
    thiMarkSpeedLimit(batch, lane, to);
    addHalfPlanes(batch, &lines, to);
    const thVec2 guide = {batch->guideX[lane], batch->guideY[lane]};
    thiMarkVelocity((thVec2){task.biasCosine * guide.x + task.biasSine * guide.y,
                             task.biasCosine * guide.y - task.biasSine * guide.x},
                    "aimed at", to);
    if (lines.solution.x != batch->outVx[lane] || lines.solution.y != batch->outVy[lane])
        thiMarkVelocity(lines.solution, "before the limit of acceleration", to);
    addStatus((thOrcaStatus)task.status[lane], lines.worst, to);
}
