// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// From what an agent senses to what `clearpath` asks: regions for a try, or one half-plane for each
// neighbour and wall.

#include "avoid/clearpath/clearpath.h"
#include "geom/vec2.h"
#include "throng/world.h"
#include "velocity/least_violation.h"

#include <math.h>

// So much of the speed limit who keeps a side leans to it: more than what rounding hides.
#define LEANING 1.0e-4f

// So much less than its radius an agent keeps from walls: motion lets bodies half that deep into
// them, and who slides along a wall would run into the end of its next piece. [m]
#define WALL_SLACK 0x1p-12f

static thClearpathConesFcn* const cones[th_simdCount] = TH_KERNEL_TABLE(thiClearpathCones);
static thClearpathLimitsFcn* const limits[th_simdCount] = TH_KERNEL_TABLE(thiClearpathLimits);
static thClearpathMoveFcn* const moveLanes[th_simdCount] = TH_KERNEL_TABLE(thiClearpathMoveLanes);

thClearpathOwn thiClearpathOwnOf(const thClearpathTask* task, int32_t lane)
{
    const thVec2 velocity = {task->vx[lane], task->vy[lane]};
    return (thClearpathOwn){
        velocity, task->maxSpeed[lane], task->dt,
        thiReachableDisc(velocity, task->maxSpeed[lane], task->maxAccel[lane], task->dt)};
}

// NULL for discs.
static const thClearance* clearanceAt(const thClearance* const* table, int32_t at)
{
    return table != NULL ? table[at] : NULL;
}

static thClearpathOther otherOf(const thClearpathTask* task, int32_t lane, int32_t k)
{
    const int32_t at = k * task->lanes + lane;
    return (thClearpathOther){
        {task->nx[at], task->ny[at]},           {task->nvx[at], task->nvy[at]},
        task->radius[lane] + task->nradius[at], task->nshare[at],
        task->row[lane] < task->nrow[at],       clearanceAt(task->clearances.pairs, at)};
}

static thClearpathEdge edgeOf(const thClearpathTask* task, int32_t lane, int32_t k)
{
    const thWallColumns* walls = &task->walls;
    const int32_t at = k * task->lanes + lane;
    const float both = task->radius[lane] + walls->radius[at] - WALL_SLACK;
    return (thClearpathEdge){{walls->ax[at], walls->ay[at]},
                             {walls->bx[at], walls->by[at]},
                             {walls->vx[at], walls->vy[at]},
                             both > 0.0f ? both : 0.0f,
                             clearanceAt(task->clearances.edges, at)};
}

static bool isDeepIn(const thClearpathOther* other)
{
    const float deep = TH_CLEARPATH_DEEP * other->both;
    if (other->clearance != NULL)
        return other->both + other->clearance->distance < deep;
    return thiDot(other->p, other->p) < deep * deep;
}

// Whether the agent gives way to a neighbour at all.
static bool counts(const thClearpathTask* task, int32_t lane, int32_t k)
{
    return task->nshare[k * task->lanes + lane] >= TH_CLEARPATH_LEAST_SHARE;
}

int32_t thiClearpathCounted(const thClearpathTask* task, int32_t lane)
{
    int32_t count = 0;
    for (int32_t k = 0; k < task->neighborCount[lane]; ++k)
        count += counts(task, lane, k);
    return count;
}

bool thiClearpathIsDeep(const thClearpathTask* task, int32_t lane)
{
    for (int32_t k = 0; k < task->neighborCount[lane]; ++k) {
        const thClearpathOther other = otherOf(task, lane, k);
        if (counts(task, lane, k) && isDeepIn(&other))
            return true;
    }
    return false;
}

float thiClearpathTolerance(const thClearpathTask* task, int32_t lane)
{
    return TH_CLEARPATH_TOLERANCE * task->maxSpeed[lane];
}

thVec2 thiClearpathWanted(const thClearpathTask* task, int32_t lane)
{
    if (task->def->chain == th_clearpathDrop && thiClearpathIsDeep(task, lane))
        return (thVec2){0.0f, 0.0f};
    const thVec2 guide = {task->guideX[lane], task->guideY[lane]};
    if (!(task->def->smoothing > 0.0f)) // who is free goes as it wants to, to the bit
        return guide;
    const thVec2 velocity = {task->vx[lane], task->vy[lane]};
    return thiAddScaled(guide, task->def->smoothing, thiSubtract(velocity, guide));
}

thVec2 thiClearpathLeaning(const thClearpathTask* task, int32_t lane)
{
    const thVec2 wanted = thiClearpathWanted(task, lane);
    const float speed = sqrtf(thiDot(wanted, wanted));
    if (task->def->keep == th_keepNone || !(speed > 0.0f))
        return wanted;
    const float side = task->def->keep == th_keepLeft ? LEANING : -LEANING;
    return thiAddScaled(wanted, side * task->maxSpeed[lane] / speed, thiLeftOf(wanted));
}

thClearpathOverlap thiClearpathOverlapRule(const thClearpathDef* def)
{
    if (def->overlap != th_clearpathAuto)
        return (thClearpathOverlap)def->overlap;
    return def->chain == th_clearpathDrop ? th_clearpathNearest : th_clearpathCenters;
}

float thiClearpathHorizon(float horizon, int32_t halvings)
{
    return horizon / (float)(1 << halvings);
}

static float wallHorizonOf(const thClearpathTask* task, int32_t halvings)
{
    const float horizon = thiClearpathHorizon(task->def->wallHorizon, halvings);
    return horizon > task->dt ? horizon : task->dt;
}

// Whether a neighbour is one of so many that are the furthest of those who count.
static bool isAmongFurthest(const thClearpathTask* task, int32_t lane, int32_t k, int32_t count)
{
    const thClearpathOther other = otherOf(task, lane, k);
    const float distanceSq = thiDot(other.p, other.p);
    int32_t further = 0;
    for (int32_t i = 0; i < task->neighborCount[lane] && further < count; ++i) {
        const thClearpathOther rival = otherOf(task, lane, i);
        const float rivalSq = thiDot(rival.p, rival.p);
        if (counts(task, lane, i))
            further += rivalSq > distanceSq || (rivalSq == distanceSq && i > k);
    }
    return further < count;
}

static int32_t addNeighbor(const thClearpathTask* task, const thClearpathOwn* own,
                           const thClearpathOther* other, float horizon, thRegion* regions)
{
    const thClearpathDef* def = task->def;
    if (thiClearpathOverlaps(other)) {
        regions[0] = thiClearpathParting(own, other, thiClearpathOverlapRule(def));
        return 1;
    }
    if (def->mode == th_clearpathHalf) {
        regions[0] = thiClearpathFace(own, other, horizon, def->keep == th_keepLeft);
        return 1;
    }
    regions[0] =
        thiClearpathCone(own, other, horizon, def->cap == th_clearpathRound, def->hybrid != 0);
    if (def->mode == th_clearpathTwo)
        return 1;
    regions[1] = thiClearpathOtherSide(own, other, def->keep == th_keepLeft);
    return 2;
}

// The limits of a try, without regions.
static thOutsideProblem limitsOf(const thClearpathTask* task, const thClearpathTry* attempt,
                                 const thClearpathOwn* own)
{
    const int32_t lane = attempt->lane;
    const thDisc slow = {{0.0f, 0.0f}, own->maxSpeed};
    thOutsideProblem problem = {.wanted = attempt->aim,
                                .discs = {slow, own->reachable},
                                .tolerance = thiClearpathTolerance(task, lane)};
    // The paper looks at limits afterwards, as long as somebody can be left out.
    if (task->def->chain == th_clearpathDrop &&
        attempt->dropped < thiClearpathCounted(task, lane)) {
        problem.wanted = thiNearestInDisc(attempt->leans ? thiClearpathLeaning(task, lane)
                                                         : thiClearpathWanted(task, lane),
                                          &slow);
        problem.discs[0].radius = problem.discs[1].radius = TH_NO_LIMIT;
    }
    return problem;
}

thOutsideProblem thiClearpathProblem(const thClearpathTask* task, const thClearpathTry* attempt,
                                     thRegion* regions, int32_t* causes)
{
    const int32_t lane = attempt->lane;
    const thClearpathOwn own = thiClearpathOwnOf(task, lane);
    const float horizon = thiClearpathHorizon(task->def->horizon, attempt->halvings);
    int32_t count = 0;
    for (int32_t k = 0; k < task->neighborCount[lane]; ++k) {
        const thClearpathOther other = otherOf(task, lane, k);
        if (!counts(task, lane, k) ||
            (attempt->dropped > 0 && isAmongFurthest(task, lane, k, attempt->dropped)))
            continue;
        const int32_t added = addNeighbor(task, &own, &other, horizon, regions + count);
        for (int32_t i = 0; i < added && causes != NULL; ++i)
            causes[count + i] = k;
        count += added;
    }
    for (int32_t k = 0; k < task->walls.count[lane]; ++k) {
        const thClearpathEdge wall = edgeOf(task, lane, k);
        if (!thiClearpathWallRegion(&wall, wallHorizonOf(task, attempt->halvings), regions + count))
            continue;
        if (causes != NULL)
            causes[count] = -1 - k;
        count += 1;
    }
    thOutsideProblem problem = limitsOf(task, attempt, &own);
    problem.regionCount = count;
    problem.regions = regions;
    return problem;
}

// The walls of an agent in a lane. Returns how many there are.
static int32_t layOutWalls(const thClearpathTask* task, int32_t agent, int32_t halvings,
                           const thOutsideTask* outside, int32_t lane)
{
    for (int32_t k = 0; k < task->walls.most; ++k) {
        const bool isThere = agent < task->count && k < task->walls.count[agent];
        const thClearpathEdge wall = edgeOf(task, agent, k);
        thRegion region;
        const bool forbids =
            isThere && thiClearpathWallRegion(&wall, wallHorizonOf(task, halvings), &region);
        thiSetOutsideRegion(outside, lane, task->neighborMax + k, forbids ? &region : NULL);
    }
    return agent < task->count ? task->walls.count[agent] : 0;
}

// Where limits are looked at afterwards.
static void layOutPoints(const thClearpathTask* task, const thOutsideTask* outside)
{
    for (int32_t lane = 0; lane < task->lanes; ++lane) {
        if (lane >= task->count) {
            thiSetOutsidePoint(outside, lane, NULL);
            continue;
        }
        const thClearpathOwn own = thiClearpathOwnOf(task, lane);
        const thClearpathTry first = {.lane = lane, .aim = thiClearpathWanted(task, lane)};
        const thOutsideProblem problem = limitsOf(task, &first, &own);
        thiSetOutsidePoint(outside, lane, &problem);
    }
}

int32_t thiClearpathLayOut(const thClearpathTask* task, const thClearpathLayout* layout)
{
    const int32_t count = cones[task->simd](task, layout);
    for (int32_t i = 0; i < count; ++i) {
        const int32_t lane = layout->overlaps[i] % task->lanes,
                      k = layout->overlaps[i] / task->lanes;
        const thClearpathOwn own = thiClearpathOwnOf(task, lane);
        const thClearpathOther other = otherOf(task, lane, k);
        const thRegion region =
            thiClearpathParting(&own, &other, thiClearpathOverlapRule(task->def));
        thiSetOutsideRegion(&layout->outside, lane, k, &region);
    }
    int32_t walls = 0;
    for (int32_t lane = 0; lane < task->lanes && task->walls.most > 0; ++lane)
        walls += layOutWalls(task, lane, 0, &layout->outside, lane);
    if (task->def->chain == th_clearpathRecommended)
        limits[task->simd](task, &layout->outside);
    else
        layOutPoints(task, &layout->outside);
    return count + walls;
}

int32_t thiClearpathLayOutAgain(const thClearpathTask* task, const thClearpathTry* tries,
                                const thClearpathMove* move, thClearpathLayout* layout)
{
    moveLanes[task->simd](layout, move);
    layout->outside.lanes = move->lanes;
    int32_t walls = 0;
    for (int32_t i = 0; i < move->copies * move->count; ++i) {
        const int32_t agent = tries[i % move->count].lane, copy = i / move->count;
        if (task->walls.count[agent] > 0)
            walls += layOutWalls(task, agent, move->halvings + copy, &layout->outside, i);
    }
    return walls;
}

// A region of one side, as the half-plane that it leaves.
static void storeLine(const thRegion* region, int32_t at, const thClearpathLineColumns* lines)
{
    lines->x[at] = -region->n[0].x;
    lines->y[at] = -region->n[0].y;
    lines->o[at] = -region->o[0];
}

void thiClearpathWallLines(const thClearpathTask* task, int32_t lane, int32_t to, int32_t stride,
                           const thClearpathLineColumns* lines)
{
    const thVec2 velocity = {task->vx[lane], task->vy[lane]};
    for (int32_t k = 0; k < task->walls.most; ++k) {
        thRegion region = {.o = {-TH_ALLOWS_ALL}};
        const thClearpathEdge wall = edgeOf(task, lane, k);
        if (k < task->walls.count[lane] && thiClearpathWallRegion(&wall, task->dt, &region))
            region = thiClearpathSideAt(&region, velocity);
        storeLine(&region, k * stride + to, lines);
    }
}

void thiClearpathShapeLines(const thClearpathTask* task, int32_t lane, int32_t to, int32_t stride,
                            const thClearpathLineColumns* lines)
{
    const thClearpathOwn own = thiClearpathOwnOf(task, lane);
    for (int32_t k = 0; k < task->neighborCount[lane]; ++k) {
        const thClearpathOther other = otherOf(task, lane, k);
        if (other.clearance == NULL || !counts(task, lane, k))
            continue;
        const thRegion region =
            thiClearpathOverlaps(&other)
                ? thiClearpathParting(&own, &other, th_clearpathCenters)
                : thiClearpathFace(&own, &other, task->dt, task->def->keep == th_keepLeft);
        storeLine(&region, k * stride + to, lines);
    }
}
