// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What method `clearpath` thinks of an agent: what is forbidden, its limits, and what came of it.
// Regions are those of the try that decided.

#include "avoid/clearpath/clearpath.h"
#include "geom/vec2.h"
#include "method/method_marks.h"
#include "velocity/least_violation.h"

#include <math.h>
#include <stdio.h>

#define ARC_POINTS 65

// Where the borders of two sides cross. Those of neighbours nearby are almost one line.
static thVec2 crossingOf(const thRegion* region, int32_t a, int32_t b)
{
    const double nx = (double)region->n[a].x, ny = (double)region->n[a].y,
                 no = (double)region->o[a];
    const double mx = (double)region->n[b].x, my = (double)region->n[b].y,
                 mo = (double)region->o[b];
    const double det = nx * my - ny * mx;
    return (thVec2){(float)((no * my - mo * ny) / det), (float)((mo * nx - no * mx) / det)};
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

// Whose a mark is.
typedef struct Owner {
    thMarkCause cause;
    uint64_t whose;
} Owner;

static thMark markOf(thMarkKind kind, Owner owner, const thVec2* points, int32_t count)
{
    thMark mark = thDefaultMark();
    mark.kind = kind;
    mark.cause = owner.cause;
    mark.whose = owner.whose;
    mark.points = points;
    mark.pointCount = count;
    return mark;
}

// The velocities v with normal · v >= offset are allowed.
static void addHalfPlane(thVec2 normal, float offset, Owner owner, thExplanation* to)
{
    const thVec2 points[2] = {thiScale(offset, normal), normal};
    const thMark mark = markOf(th_markHalfPlane, owner, points, 2);
    thExplanation_Add(to, &mark);
}

// Both legs may be so nearly one line that rounding makes them one: what touches.
static bool isHalfPlane(const thRegion* region)
{
    return region->sides == 1 ||
           (region->n[0].x == region->n[1].x && region->n[0].y == region->n[1].y);
}

static void addRegion(const thRegion* region, Owner owner, thExplanation* to)
{
    if (isHalfPlane(region)) {
        float offset = region->o[0];
        for (int32_t i = 1; i < region->sides; ++i)
            offset = region->o[i] > offset ? region->o[i] : offset;
        addHalfPlane(thiNegate(region->n[0]), -offset, owner, to);
        return;
    }
    thVec2 points[ARC_POINTS + 2];
    thMark mark = markOf(th_markCone, owner, points, setBorder(region, points));
    mark.meaning = th_meansForbidden;
    if (areFinite(points, mark.pointCount)) // the legs of a point are one line, without corners
        thExplanation_Add(to, &mark);
}

// Whose an entry of the walls' columns is: walls come first, then movers, edge by edge.
static Owner ownerOfWall(const thBatch* batch, int32_t lane, int32_t entry)
{
    const thMovers* movers = batch->frame->movers;
    if (entry < batch->wallCount[lane]) {
        const int32_t wall = batch->wall[entry * batch->lanes + lane];
        return (Owner){th_causeWall, thiMarkNameOf(batch->frame->walls->obstacle[wall])};
    }
    int32_t rest = entry - batch->wallCount[lane];
    for (int32_t k = 0; k < batch->moverCount[lane]; ++k) {
        const int32_t mover = batch->mover[k * batch->lanes + lane];
        const int32_t corners = movers->firstCorner[mover + 1] - movers->firstCorner[mover];
        rest -= corners > 0 ? corners : 1;
        if (rest < 0)
            return (Owner){th_causeMover, thiMarkNameOf(movers->obstacle[mover])};
    }
    return (Owner){th_causeMover, 0};
}

static Owner ownerOfNeighbor(const thBatch* batch, int32_t lane, int32_t k)
{
    return (Owner){th_causeAgent, batch->frame->key[batch->nrow[k * batch->lanes + lane]]};
}

// What was asked of an agent in the last try. False when memory is out.
static bool addLastTry(const thBatch* batch, const thClearpathTask* task,
                       const thClearpathTry* last, thExplanation* to)
{
    const size_t most = (size_t)(2 * task->neighborMax + task->walls.most);
    thRegion* regions = thArena_Allocate(batch->scratch, (most + 1) * sizeof *regions);
    int32_t* causes = thArena_Allocate(batch->scratch, (most + 1) * sizeof *causes);
    if (regions == NULL || causes == NULL)
        return false;
    const thOutsideProblem problem = thiClearpathProblem(task, last, regions, causes);
    for (int32_t i = 0; i < problem.regionCount; ++i)
        addRegion(&regions[i],
                  causes[i] >= 0 ? ownerOfNeighbor(batch, last->lane, causes[i])
                                 : ownerOfWall(batch, last->lane, -1 - causes[i]),
                  to);
    thiMarkVelocity(problem.wanted, "aimed at", to);
    return true;
}

// One half-plane for each, as they are violated least, and what the chosen velocity lacks most.
static bool addViolated(const thBatch* batch, const thClearpathTask* task, int32_t lane,
                        float* worst, thExplanation* to)
{
    const int32_t walls = task->walls.most, count = walls + task->neighborMax;
    float* columns = thArena_Allocate(batch->scratch, (size_t)(3 * count + 1) * sizeof *columns);
    if (columns == NULL)
        return false;
    const thClearpathLineColumns lines = {columns, columns + count, columns + 2 * count};
    const thClearpathLineColumns faces = {lines.x + walls, lines.y + walls, lines.o + walls};
    thiClearpathWallLines(task, lane, 0, 1, &lines);
    thiClearpathFaces_scalar(task, &lane, 1, &faces);
    if (task->clearances.pairs != NULL)
        thiClearpathShapeLines(task, lane, 0, 1, &faces);
    const thVec2 chosen = {batch->outVx[lane], batch->outVy[lane]};
    *worst = 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        const thVec2 normal = {lines.x[i], lines.y[i]};
        if (lines.o[i] == TH_ALLOWS_ALL)
            continue;
        const float lack = lines.o[i] - thiDot(normal, chosen);
        *worst = lack > *worst ? lack : *worst;
        addHalfPlane(
            normal, lines.o[i],
            i < walls ? ownerOfWall(batch, lane, i) : ownerOfNeighbor(batch, lane, i - walls), to);
    }
    thiMarkVelocity(thiClearpathLeaning(task, lane), "aimed at", to);
    return true;
}

static void addStatus(thClearpathStatus status, thExplanation* to)
{
    static const char* const texts[] = {
        [th_clearpathFree] = "free: nobody forbids the velocity aimed at",
        [th_clearpathConstrained] = "constrained: the nearest velocity that nobody forbids",
        [th_clearpathRelaxed] =
            "relaxed: all is forbidden, with all neighbours and the whole horizon",
        [th_clearpathInfeasible] = "infeasible: walls and limits forbid every velocity; it brakes",
        [th_clearpathOverlapping] = "overlapping: it leaves those whom it overlaps",
        [th_clearpathShort] = "short: only a horizon shorter than the step allows anything"};
    thiMarkText(texts[status], to);
}

// What made a velocity of the last try possible.
static void addRemedies(const thClearpathTask* task, const thClearpathTry* last, thExplanation* to)
{
    char text[128];
    const float horizon = task->def->horizon;
    const int32_t all = thiClearpathCounted(task, last->lane), left = all - last->dropped;
    if (last->halvings > 0) {
        snprintf(text, sizeof text, "remedy: shorter horizon, %.3g s instead of %.3g s, as shown",
                 (double)thiClearpathHorizon(horizon, last->halvings), (double)horizon);
        thiMarkText(text, to);
    }
    if (last->dropped > 0) {
        snprintf(text, sizeof text, "remedy: fewer neighbours, the nearest %d of %d, as shown",
                 (int)(left > 0 ? left : 0), (int)all);
        thiMarkText(text, to);
    }
}

static void addViolation(float worst, thExplanation* to)
{
    char text[128];
    snprintf(text, sizeof text,
             "remedy: least violation of a half-plane each, as shown; the worst lacks %.2g m/s",
             (double)worst);
    thiMarkText(text, to);
}

// Decides once more, with outputs of its own, so that the batch stays as it is. NULL when memory is
// out.
static const thClearpathEnd* decideAgain(const thBatch* batch, thClearpathTask task)
{
    const size_t lanes = (size_t)task.lanes;
    const size_t size = thiClearpathRoom(task.lanes, task.neighborMax, task.walls.most);
    void* room = thArena_Allocate(batch->scratch, size);
    float* columns = thArena_Allocate(batch->scratch, 2 * lanes * sizeof *columns);
    uint8_t* status = thArena_Allocate(batch->scratch, lanes);
    thClearpathEnd* ends = thArena_Allocate(batch->scratch, lanes * sizeof *ends);
    if (room == NULL || columns == NULL || status == NULL || ends == NULL)
        return NULL;
    task.outVx = columns;
    task.outVy = columns + lanes;
    task.status = status;
    task.interval = NULL;
    task.ends = ends;
    thiClearpathSolveAll(&task, room);
    return ends;
}

void thiClearpathExplain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                         thExplanation* to)
{
    (void)shared;
    thClearpathTask task;
    if (!thiClearpathMakeTask(batch, params, th_simdScalar, &task))
        return;
    const thClearpathEnd* ends = decideAgain(batch, task);
    if (ends == NULL)
        return;
    const thClearpathTry* last = &ends[lane].last;
    const thClearpathStatus status = (thClearpathStatus)batch->status[lane];
    const bool violates = ends[lane].isHopeless && task.def->chain == th_clearpathRecommended;
    float worst = 0.0f;
    thiMarkLimits(batch, lane, to);
    if (!(violates ? addViolated(batch, &task, lane, &worst, to)
                   : addLastTry(batch, &task, last, to)))
        return;
    addStatus(status, to);
    if (status == th_clearpathInfeasible)
        return;
    if (violates)
        addViolation(worst, to);
    else
        addRemedies(&task, last, to);
}
