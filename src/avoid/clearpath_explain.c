// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What method `clearpath` thinks of an agent: what neighbours and walls forbid at first, its
// limits, the velocity it aims at, and what came of it.

#include "avoid/clearpath.h"
#include "avoid/velocity_marks.h"
#include "geom/vec2.h"

#include <math.h>

#define ARC_POINTS 9

// Where the borders of two sides cross.
static thVec2 crossingOf(const thRegion* region, int32_t a, int32_t b)
{
    const thVec2 n = region->n[a], m = region->n[b];
    const float per = 1.0f / thiDet(n, m);
    return (thVec2){per * (region->o[a] * m.y - region->o[b] * n.y),
                    per * (region->o[b] * n.x - region->o[a] * m.x)};
}

// The front of a round region, from its left to its right.
static void setArc(const thRegion* region, thVec2* points)
{
    const thVec2 ends[3] = {region->n[1], region->n[2], region->n[0]};
    for (int32_t i = 0; i < ARC_POINTS; ++i) {
        const int32_t half = i < ARC_POINTS / 2 ? 0 : 1;
        const float share = 2.0f * (float)i / (float)(ARC_POINTS - 1) - (float)half;
        const thVec2 between = thiSubtract(ends[half + 1], ends[half]);
        const thVec2 in = thiAddScaled(ends[half], share, between);
        points[i] =
            thiAddScaled(region->cap.center, -region->cap.radius / sqrtf(thiDot(in, in)), in);
    }
}

// The border of a region of two or three sides, from its left to its right. Returns how many points
// it has.
static int32_t setBorder(const thRegion* region, thVec2* points)
{
    points[0] = thiLeftOf(region->n[1]);
    int32_t count = 1;
    if (region->cap.radius > 0.0f) {
        setArc(region, points + count);
        count += ARC_POINTS;
    } else {
        const thVec2 apex = crossingOf(region, 0, 1);
        if (region->sides == 2 || thiDot(region->n[2], apex) >= region->o[2]) {
            points[count++] = apex;
        } else {
            points[count++] = crossingOf(region, 1, 2);
            points[count++] = crossingOf(region, 0, 2);
        }
    }
    points[count++] = thiNegate(thiLeftOf(region->n[0]));
    return count;
}

static bool areFinite(const thVec2* points, int32_t count)
{
    bool finite = true;
    for (int32_t i = 0; i < count; ++i)
        finite = finite && isfinite(points[i].x) && isfinite(points[i].y);
    return finite;
}

static void addRegion(const thRegion* region, thMarkCause cause, uint64_t whose, thExplanation* to)
{
    thVec2 points[ARC_POINTS + 2];
    thMark mark = thDefaultMark();
    mark.cause = cause;
    mark.whose = whose;
    mark.points = points;
    mark.kind = region->sides > 1 ? th_markCone : th_markHalfPlane;
    mark.meaning = region->sides > 1 ? th_meansForbidden : th_meansNothing;
    if (region->sides > 1) {
        mark.pointCount = setBorder(region, points);
    } else {
        points[0] = thiScale(region->o[0], region->n[0]);
        points[1] = thiNegate(region->n[0]);
        mark.pointCount = 2;
    }
    if (areFinite(points, mark.pointCount)) // the legs of a point are one line, without corners
        thExplanation_Add(to, &mark);
}

// Whose an entry of the walls' columns is: walls come first, then movers, edge by edge.
static uint64_t nameWall(const thBatch* batch, int32_t lane, int32_t entry, thMarkCause* cause)
{
    const thMovers* movers = batch->frame->movers;
    *cause = th_causeWall;
    if (entry < batch->wallCount[lane])
        return thiMarkNameOf(
            batch->frame->walls->obstacle[batch->wall[entry * batch->lanes + lane]]);
    *cause = th_causeMover;
    int32_t rest = entry - batch->wallCount[lane];
    for (int32_t k = 0; k < batch->moverCount[lane]; ++k) {
        const int32_t mover = batch->mover[k * batch->lanes + lane];
        const int32_t corners = movers->firstCorner[mover + 1] - movers->firstCorner[mover];
        rest -= corners > 0 ? corners : 1;
        if (rest < 0)
            return thiMarkNameOf(movers->obstacle[mover]);
    }
    return 0;
}

static void addRegions(const thBatch* batch, int32_t lane, const thOutsideProblem* problem,
                       const int32_t* causes, thExplanation* to)
{
    for (int32_t i = 0; i < problem->regionCount; ++i) {
        thMarkCause cause = th_causeAgent;
        const uint64_t whose = causes[i] >= 0
                                   ? batch->frame->key[batch->nrow[causes[i] * batch->lanes + lane]]
                                   : nameWall(batch, lane, -1 - causes[i], &cause);
        addRegion(&problem->regions[i], cause, whose, to);
    }
}

static void addStatus(thClearpathStatus status, thExplanation* to)
{
    static const char* const texts[] = {
        [th_clearpathFree] = "free: nobody forbids the velocity aimed at",
        [th_clearpathConstrained] = "constrained: the nearest velocity that nobody forbids",
        [th_clearpathRelaxed] = "relaxed: all is forbidden; the least of evils",
        [th_clearpathInfeasible] = "infeasible: walls and limits forbid every velocity; it brakes",
        [th_clearpathOverlapping] = "overlapping: it leaves those whom it overlaps",
        [th_clearpathShort] = "short: only a horizon shorter than the step allows anything"};
    thiMarkText(texts[status], to);
}

void thiClearpathExplain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                         thExplanation* to)
{
    (void)shared;
    thClearpathTask task;
    if (!thiClearpathMakeTask(batch, params, th_simdScalar, &task))
        return;
    const size_t most = (size_t)(2 * task.neighborMax + task.walls.most);
    thRegion* regions = thArena_Allocate(batch->scratch, (most + 1) * sizeof *regions);
    int32_t* causes = thArena_Allocate(batch->scratch, (most + 1) * sizeof *causes);
    if (regions == NULL || causes == NULL)
        return;
    const thClearpathTry first = {.lane = lane, .aim = thiClearpathWanted(&task, lane)};
    const thOutsideProblem problem = thiClearpathProblem(&task, &first, regions, causes);
    thiMarkLimits(batch, lane, to);
    addRegions(batch, lane, &problem, causes, to);
    thiMarkVelocity(problem.wanted, "aimed at", to);
    addStatus((thClearpathStatus)batch->status[lane], to);
}
