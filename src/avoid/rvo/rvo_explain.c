// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What method `rvo` thinks of an agent: what its samples cost, the velocity obstacles of its
// neighbours, and what came of it.

#include "avoid/rvo/rvo.h"
#include "velocity/velocity_marks.h"

#include <math.h>

// What a neighbour forbids: a cone, or a half-plane where both touch.
static void addObstacle(const thRvoDiscs* discs, int32_t at, uint64_t whose, thExplanation* to)
{
    const thVec2 p = {discs->px[at], discs->py[at]}, apex = {discs->apexX[at], discs->apexY[at]};
    const float distanceSq = p.x * p.x + p.y * p.y, rest = distanceSq - discs->radiusSq[at];
    const float r = sqrtf(discs->radiusSq[at]), leg = rest > 0.0f ? sqrtf(rest) : 0.0f;
    const float per = 1.0f / distanceSq, away = -1.0f / sqrtf(distanceSq);
    const thVec2 cone[3] = {{per * (p.x * leg - p.y * r), per * (p.x * r + p.y * leg)},
                            apex,
                            {per * (p.x * leg + p.y * r), per * (p.y * leg - p.x * r)}};
    const thVec2 plane[2] = {apex, {away * p.x, away * p.y}};
    thMark mark = thDefaultMark();
    mark.kind = rest > 0.0f ? th_markCone : th_markHalfPlane;
    mark.meaning = rest > 0.0f ? th_meansForbidden : th_meansNothing;
    mark.cause = th_causeAgent;
    mark.whose = whose;
    mark.points = rest > 0.0f ? cone : plane;
    mark.pointCount = rest > 0.0f ? 3 : 2;
    if (distanceSq > 0.0f)
        thExplanation_Add(to, &mark);
}

// The obstacles of those neighbours who are apart: these come first among the task's discs, in the
// order of the batch.
static void addObstacles(const thBatch* batch, int32_t lane, const thRvoTask* task,
                         thExplanation* to)
{
    int32_t disc = 0;
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t from = k * batch->lanes + lane, at = disc * batch->lanes + lane;
        if (disc == task->discs.count[lane] || task->discs.px[at] != batch->nx[from] ||
            task->discs.py[at] != batch->ny[from])
            continue;
        addObstacle(&task->discs, at, batch->frame->key[batch->nrow[from]], to);
        disc += 1;
    }
}

static void addSamples(const thBatch* batch, int32_t lane, const thRvoTask* task, thExplanation* to)
{
    const size_t count = (size_t)thiRvoSampleCount(task);
    thVec2* velocities = thArena_Allocate(batch->scratch, count * sizeof *velocities);
    float* costs = thArena_Allocate(batch->scratch, count * sizeof *costs);
    if (velocities == NULL || costs == NULL)
        return;
    thiRvoTell_scalar(task, lane, velocities, costs);
    for (size_t i = 0; i < count; ++i) {
        thMark mark = thDefaultMark();
        mark.kind = th_markSample;
        mark.points = &velocities[i];
        mark.pointCount = 1;
        mark.value = costs[i];
        mark.label = "cost of a sample";
        thExplanation_Add(to, &mark);
    }
}

static void addStatus(thRvoStatus status, thExplanation* to)
{
    static const char* const texts[] = {
        [th_rvoFree] = "free: the wanted velocity leads to no collision",
        [th_rvoAvoiding] = "avoiding: the cheapest sample leads to no collision",
        [th_rvoColliding] = "colliding: the cheapest sample leads to a collision",
        [th_rvoParting] = "parting: it overlaps others, and leaves them"};
    thiMarkText(texts[status], to);
}

void thiRvoExplain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                   thExplanation* to)
{
    (void)shared;
    thRvoTask task;
    if (!thiRvoMakeTask(batch, params, &task))
        return;
    thiMarkLimits(batch, lane, to);
    addObstacles(batch, lane, &task, to);
    addSamples(batch, lane, &task, to);
    addStatus((thRvoStatus)batch->status[lane], to);
}
