// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `rvo`: its parameters, what the kernels are given for a batch, and explanations.

#include "avoid/rvo/rvo.h"

#include "avoid/avoid_methods.h"
#include "geom/vec2.h"
#include "method/method_marks.h"
#include "method/method_params.h"
#include "space/sense.h"
#include "throng/random.h"
#include "velocity/kernel_input.h"
#include "velocity/limit_discs.h"

#include <math.h>

#define RVO_PARAMS(X, T)                                                                           \
    X(T, samples, Int, 250, 1, 10000, "",                                                          \
      "Velocities that are tried out; the first is the wanted one.")                               \
    X(T, weight, Float, 7.5, 0, 1000, "m",                                                         \
      "A collision in so many seconds costs as much as 1 m/s beside the wanted velocity.")         \
    X(T, cutoff, Float, 8, 0, 1000, "s", "Later collisions cost nothing; 0: all count.")           \
    X(T, refinements, Int, 0, 0, 8, "",                                                            \
      "Rounds that follow round the best sample, each in half the radius.")                        \
    X(T, refinementSamples, Int, 32, 1, 10000, "", "Samples of each of these rounds.")             \
    X(T, even, Bool, 0, 0, 1, "", "Samples are spread evenly, and turned at random.")              \
    X(T, hybrid, Bool, 0, 0, 1, "",                                                                \
      "Who passes on the wrong side gives way alone, so that pairs do not dance.")                 \
    X(T, earlyOut, Bool, 1, 0, 1, "",                                                              \
      "Samples are given up once they cannot be the best; changes only the time.")                 \
    X(T, kernel, Word, th_rvoAuto, th_rvoAuto, th_rvoNested, "auto|flat|nested",                   \
      "Whether registers hold agents or samples of one; changes only the time.")

TH_METHOD_PARAMS("rvo", thRvoDef, RVO_PARAMS);

thRvoDef thDefaultRvoDef(void)
{
    return defaults;
}

static thResult validate(const void* params, thError* error)
{
    return thiCheckParams(&checks, params, error);
}

// From a batch to what the kernels work on: where samples are drawn, and the velocity obstacles of
// whom and what is near. This is the same code for all instruction sets.

// What tells the samples' random stream from an agent's others.
#define PURPOSE 0x52564f53u

// Nearer than this, as a part of both radii, counts as this near: times until collisions stay
// positive where bodies touch. Those who overlap by more are to part.
#define TOUCH 0.01f
#define LEAST_TOUCH 1.0e-4f // [m]

// So much less than its radius an agent keeps from walls: motion lets bodies half that deep into
// them, and who slides along a wall would run into the end of its next piece. [m]
#define WALL_SLACK 0x1p-12f

// Who has a smaller share leaves everything to the other.
#define LEAST_SHARE 0.01f

// Where samples are drawn: what the speed limit and that of acceleration allow.
static void setArea(const thBatch* batch, int32_t lane, const thRvoTask* task)
{
    const thVec2 velocity = {batch->vx[lane], batch->vy[lane]};
    const thDisc slow = {{0.0f, 0.0f}, batch->maxSpeed[lane]};
    const thDisc near =
        thiReachableDisc(velocity, batch->maxSpeed[lane], batch->maxAccel[lane], batch->frame->dt);
    const bool nearIsSmaller = near.radius < slow.radius;
    const thDisc *smaller = nearIsSmaller ? &near : &slow, *larger = nearIsSmaller ? &slow : &near;
    task->discX[lane] = smaller->center.x;
    task->discY[lane] = smaller->center.y;
    task->discRadius[lane] = smaller->radius;
    task->limitX[lane] = larger->center.x;
    task->limitY[lane] = larger->center.y;
    task->limitRadius[lane] = larger->radius;
    const thVec2 wanted = {batch->guideX[lane], batch->guideY[lane]};
    const thVec2 first = thiNearestInDiscs(wanted, smaller, larger);
    task->wantedX[lane] = first.x;
    task->wantedY[lane] = first.y;
    task->ownX[lane] = near.center.x;
    task->ownY[lane] = near.center.y;
    const thFrame* frame = batch->frame;
    const uint64_t stream =
        thRandomStream(frame->seed, frame->key[batch->row[lane]], frame->step, PURPOSE);
    task->streamLow[lane] = (int32_t)(uint32_t)stream;
    task->streamHigh[lane] = (int32_t)(uint32_t)(stream >> 32);
}

// Who overlaps others is to leave them without running wild, wherever it wanted to go.
static void setTarget(const thBatch* batch, int32_t lane, const thRvoTask* task)
{
    const bool overlaps = task->overlaps.count[lane] > 0;
    const float limit = batch->maxSpeed[lane];
    task->targetX[lane] = overlaps ? 0.0f : batch->guideX[lane];
    task->targetY[lane] = overlaps ? 0.0f : batch->guideY[lane];
    task->effort[lane] = !overlaps ? 1.0f : limit > 0.0f ? 0.1f / limit : 0.0f;
}

// What is taken for |p|² − R²: positive also where bodies touch.
static float clearanceSq(float distanceSq, float radius)
{
    const float touch = TOUCH * radius > LEAST_TOUCH ? TOUCH * radius : LEAST_TOUCH;
    const float least = touch * (2.0f * radius + touch), clear = distanceSq - radius * radius;
    return clear > least ? clear : least;
}

typedef struct Obstacle {
    thVec2 p, velocity;
    float radius, share; // both radii; the agent's share of giving way
} Obstacle;

static void addDisc(const thRvoDiscs* discs, int32_t at, const Obstacle* other, thVec2 apex,
                    float scale)
{
    discs->px[at] = other->p.x;
    discs->py[at] = other->p.y;
    discs->apexX[at] = apex.x;
    discs->apexY[at] = apex.y;
    discs->radiusSq[at] = other->radius * other->radius;
    discs->scale[at] = scale;
    discs->share[at] = other->share;
}

// The hybrid velocity obstacle: on the side on which the agent should not pass, the border is that
// of the plain velocity obstacle. The legs are parallel, so another apex is all it takes.
static thVec2 hybridApex(const Obstacle* other, thVec2 velocity, thVec2 apex, float distanceSq)
{
    const float radiusSq = other->radius * other->radius;
    if (!(distanceSq > radiusSq) || other->share >= 1.0f)
        return apex;
    const float leg = sqrtf(distanceSq - radiusSq), r = other->radius;
    const thVec2 p = other->p;
    const thVec2 left = {p.x * leg - p.y * r, p.x * r + p.y * leg};
    const thVec2 right = {p.x * leg + p.y * r, p.y * leg - p.x * r};
    const float side = thiDet(p, thiSubtract(velocity, apex)); // positive: it passes on the left
    const thVec2 own = side > 0.0f ? left : right, wrong = side > 0.0f ? right : left;
    const float cross = thiDet(own, wrong);
    if (side == 0.0f || !(fabsf(cross) > 1.0e-6f * distanceSq * distanceSq))
        return apex; // head-on, or so far that it makes no difference
    return thiAddScaled(apex, thiDet(thiSubtract(other->velocity, apex), wrong) / cross, own);
}

// Two on one point: the one of the lower row goes to the left.
static thVec2 placeOf(const thBatch* batch, int32_t lane, int32_t at, float radius)
{
    const thVec2 p = {batch->nx[at], batch->ny[at]};
    if (p.x != 0.0f || p.y != 0.0f)
        return p;
    const float apart = TOUCH * radius;
    return (thVec2){batch->row[lane] < batch->nrow[at] ? apart : -apart, 0.0f};
}

static void addNeighbor(const thBatch* batch, int32_t lane, int32_t at, bool hybrid,
                        const thRvoTask* task)
{
    const float radius = batch->radius[lane] + batch->nradius[at];
    const Obstacle other = {placeOf(batch, lane, at, radius),
                            {batch->nvx[at], batch->nvy[at]},
                            radius,
                            batch->nshare[at]};
    if (!(other.share >= LEAST_SHARE) || other.p.x == TH_INERT_DISTANCE)
        return;
    const thVec2 velocity = {batch->vx[lane], batch->vy[lane]};
    thVec2 apex = thiAddScaled(velocity, other.share, thiSubtract(other.velocity, velocity));
    const float distanceSq = thiDot(other.p, other.p), deep = (1.0f - TOUCH) * radius;
    const bool overlaps = distanceSq < deep * deep;
    const thRvoDiscs* discs = overlaps ? &task->overlaps : &task->discs;
    const int32_t to = discs->count[lane]++ * task->lanes + lane;
    if (overlaps) {
        addDisc(discs, to, &other, apex, other.share * (radius * radius - distanceSq));
        return;
    }
    if (hybrid)
        apex = hybridApex(&other, velocity, apex, distanceSq);
    addDisc(discs, to, &other, apex, 1.0f / (other.share * clearanceSq(distanceSq, radius)));
}

// Pieces of one wall share their ends.
static bool isThere(const thRvoTask* task, int32_t lane, int32_t first, const Obstacle* end)
{
    const thRvoDiscs* discs = &task->discs;
    for (int32_t k = first; k < discs->count[lane]; ++k) {
        const int32_t at = k * task->lanes + lane;
        if (discs->px[at] == end->p.x && discs->py[at] == end->p.y &&
            discs->apexX[at] == end->velocity.x && discs->apexY[at] == end->velocity.y &&
            discs->radiusSq[at] == end->radius * end->radius)
            return true;
    }
    return false;
}

static void addEnd(int32_t lane, int32_t first, const Obstacle* end, const thRvoTask* task)
{
    if (isThere(task, lane, first, end))
        return;
    const float clear = clearanceSq(thiDot(end->p, end->p), end->radius);
    addDisc(&task->discs, task->discs.count[lane]++ * task->lanes + lane, end, end->velocity,
            1.0f / clear);
}

static void addSide(int32_t lane, thVec2 a, thVec2 b, const Obstacle* wall, const thRvoTask* task)
{
    const thRvoSides* sides = &task->sides;
    const thVec2 edge = thiSubtract(b, a);
    const float lengthSq = thiDot(edge, edge);
    if (!(lengthSq > 0.0f))
        return;
    const float per = 1.0f / sqrtf(lengthSq), turned = thiDet(a, edge) * per;
    const float gap = fabsf(turned) - wall->radius, foot = -thiDot(a, edge);
    if (gap < 0.0f && !(foot >= 0.0f && foot <= lengthSq))
        return; // beside one of its ends
    const float least = TOUCH * wall->radius > LEAST_TOUCH ? TOUCH * wall->radius : LEAST_TOUCH;
    const float towards = turned < 0.0f ? -per : per;
    const int32_t at = sides->count[lane]++ * task->lanes + lane;
    sides->nx[at] = towards * edge.y;
    sides->ny[at] = -towards * edge.x;
    sides->ex[at] = edge.x;
    sides->ey[at] = edge.y;
    sides->vx[at] = wall->velocity.x;
    sides->vy[at] = wall->velocity.y;
    sides->gap[at] = gap > least ? gap : least;
    sides->perGap[at] = 1.0f / sides->gap[at];
    sides->foot[at] = foot;
    sides->lengthSq[at] = lengthSq;
}

// A wall is its two ends, as discs for which the agent gives all the way, and its side.
static void addWalls(const thBatch* batch, int32_t lane, const thWallColumns* walls,
                     const thRvoTask* task)
{
    const int32_t first = task->discs.count[lane];
    for (int32_t k = 0; k < walls->count[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const float both = batch->radius[lane] + walls->radius[at] - WALL_SLACK;
        const thVec2 a = {walls->ax[at], walls->ay[at]}, b = {walls->bx[at], walls->by[at]};
        Obstacle wall = {a, {walls->vx[at], walls->vy[at]}, both > 0.0f ? both : 0.0f, 1.0f};
        addSide(lane, a, b, &wall, task);
        addEnd(lane, first, &wall, task);
        wall.p = b;
        addEnd(lane, first, &wall, task);
    }
}

// Hands out columns of one piece of memory.
typedef struct Supply {
    float* next;
    size_t items;
} Supply;

static float* takeColumn(Supply* supply)
{
    float* column = supply->next;
    supply->next += supply->items;
    return column;
}

static int32_t* takeCounts(const thBatch* batch)
{
    int32_t* counts = thArena_Allocate(batch->scratch, (size_t)batch->lanes * sizeof *counts);
    for (int32_t lane = 0; lane < batch->lanes && counts != NULL; ++lane)
        counts[lane] = 0;
    return counts;
}

static bool takeDiscs(const thBatch* batch, int32_t capacity, thRvoDiscs* discs)
{
    const size_t items = (size_t)capacity * (size_t)batch->lanes;
    discs->most = capacity;
    discs->count = takeCounts(batch);
    Supply supply = {thArena_Allocate(batch->scratch, (7 * items + 1) * sizeof(float)), items};
    if (discs->count == NULL || supply.next == NULL)
        return false;
    discs->px = takeColumn(&supply);
    discs->py = takeColumn(&supply);
    discs->apexX = takeColumn(&supply);
    discs->apexY = takeColumn(&supply);
    discs->radiusSq = takeColumn(&supply);
    discs->scale = takeColumn(&supply);
    discs->share = takeColumn(&supply);
    return true;
}

static bool takeSides(const thBatch* batch, int32_t capacity, thRvoSides* sides)
{
    const size_t items = (size_t)capacity * (size_t)batch->lanes;
    sides->most = capacity;
    sides->count = takeCounts(batch);
    Supply supply = {thArena_Allocate(batch->scratch, (10 * items + 1) * sizeof(float)), items};
    if (sides->count == NULL || supply.next == NULL)
        return false;
    float** const columns[] = {&sides->nx,   &sides->ny,      &sides->ex,  &sides->ey,
                               &sides->vx,   &sides->vy,      &sides->gap, &sides->perGap,
                               &sides->foot, &sides->lengthSq};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i)
        *columns[i] = takeColumn(&supply);
    return true;
}

static bool takeAgents(const thBatch* batch, thRvoTask* task)
{
    const size_t lanes = (size_t)batch->lanes;
    Supply supply = {thArena_Allocate(batch->scratch, 13 * lanes * sizeof(float)), lanes};
    task->streamLow = takeCounts(batch);
    task->streamHigh = takeCounts(batch);
    task->chosen = takeCounts(batch);
    if (supply.next == NULL || task->streamLow == NULL || task->streamHigh == NULL ||
        task->chosen == NULL)
        return false;
    float** const columns[] = {&task->targetX,    &task->targetY,    &task->effort, &task->wantedX,
                               &task->wantedY,    &task->ownX,       &task->ownY,   &task->discX,
                               &task->discY,      &task->discRadius, &task->limitX, &task->limitY,
                               &task->limitRadius};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i)
        *columns[i] = takeColumn(&supply);
    return true;
}

// Flat kernels compute on what the lanes of a register lack.
static void clearRest(const int32_t* counts, int32_t* most, int32_t lanes, float* const* columns,
                      size_t columnCount)
{
    *most = 0;
    for (int32_t lane = 0; lane < lanes; ++lane)
        *most = counts[lane] > *most ? counts[lane] : *most;
    for (int32_t lane = 0; lane < lanes; ++lane)
        for (int32_t k = counts[lane]; k < *most; ++k)
            for (size_t c = 0; c < columnCount; ++c)
                columns[c][k * lanes + lane] = 0.0f;
}

static void clearDiscs(thRvoDiscs* discs, int32_t lanes)
{
    float* const columns[] = {discs->px,       discs->py,    discs->apexX, discs->apexY,
                              discs->radiusSq, discs->scale, discs->share};
    clearRest(discs->count, &discs->most, lanes, columns, sizeof columns / sizeof columns[0]);
}

static void clearSides(thRvoSides* sides, int32_t lanes)
{
    float* const columns[] = {sides->nx, sides->ny,  sides->ex,     sides->ey,   sides->vx,
                              sides->vy, sides->gap, sides->perGap, sides->foot, sides->lengthSq};
    clearRest(sides->count, &sides->most, lanes, columns, sizeof columns / sizeof columns[0]);
}

// Who stands at its goal and wants nothing else is in others' way, but nobody is in its: it stays
// with the first sample.
static bool isAtRest(const thBatch* batch, int32_t lane)
{
    return (batch->frame->flags[batch->row[lane]] & th_agentArrived) != 0 &&
           batch->guideX[lane] == 0.0f && batch->guideY[lane] == 0.0f;
}

bool thiRvoMakeTask(const thBatch* batch, const thRvoDef* def, thRvoTask* task)
{
    *task = (thRvoTask){.count = batch->count,
                        .lanes = batch->lanes,
                        .samples = def->samples,
                        .refinements = def->refinements,
                        .refinementSamples = def->refinementSamples,
                        .even = def->even != 0,
                        .earlyOut = def->earlyOut != 0,
                        .weight = def->weight,
                        .leastRate = def->cutoff > 0.0f ? 1.0f / def->cutoff : 0.0f,
                        .outVx = batch->outVx,
                        .outVy = batch->outVy,
                        .status = batch->status};
    thWallColumns walls;
    if (!thiLayOutWalls(batch, th_simdScalar, &walls) || !takeAgents(batch, task) ||
        !takeDiscs(batch, batch->neighborMax + 2 * walls.most, &task->discs) ||
        !takeDiscs(batch, batch->neighborMax, &task->overlaps) ||
        !takeSides(batch, walls.most, &task->sides))
        return false;
    for (int32_t lane = 0; lane < batch->lanes; ++lane) {
        if (!isAtRest(batch, lane)) {
            for (int32_t k = 0; k < batch->neighborCount[lane]; ++k)
                addNeighbor(batch, lane, k * batch->lanes + lane, def->hybrid != 0, task);
            addWalls(batch, lane, &walls, task);
        }
        setArea(batch, lane, task);
        setTarget(batch, lane, task);
    }
    clearDiscs(&task->discs, task->lanes);
    clearDiscs(&task->overlaps, task->lanes);
    clearSides(&task->sides, task->lanes);
    return true;
}

static thRvoFcn* const flatKernels[th_simdCount] = TH_KERNEL_TABLE(thiRvoFlat);
static thRvoFcn* const nestedKernels[th_simdCount] = TH_KERNEL_TABLE(thiRvoNested);

// Registers of flat kernels are full only if a batch has agents enough, those of nested ones if
// there are samples enough. Samples of one agent are given up sooner than those of many, which
// makes a register of them cost 3/5 of the other.
static bool isNested(const thRvoDef* def, thSimd simd, int32_t count)
{
    if (def->kernel != th_rvoAuto)
        return def->kernel == th_rvoNested;
    const int32_t width = thSimd_GetWidth(simd);
    const int32_t flat = (count + width - 1) / width * def->samples;
    const int32_t nested = (def->samples + width - 1) / width * count;
    return (def->earlyOut != 0 ? 3 : 5) * nested <= 5 * flat;
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    const thKernelHost* own = shared;
    thRvoTask task;
    if (!thiRvoMakeTask(batch, params, &task))
        return;
    const bool nested = isNested(params, own->simd, batch->count);
    (nested ? nestedKernels : flatKernels)[own->simd](&task);
}

// What it thinks of an agent: what its samples cost, the velocity obstacles of its neighbours, and
// what came of it.

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

static void explain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
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

static const char* const statusNames[] = {[th_rvoFree] = "free",
                                          [th_rvoAvoiding] = "avoiding",
                                          [th_rvoColliding] = "colliding",
                                          [th_rvoParting] = "parting"};

const thMethod thiAvoidRvo = {.size = sizeof(thMethod),
                              .name = "rvo",
                              .version = 1,
                              .paramSize = sizeof(thRvoDef),
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
                              .ownPace = 0.6f,
                              .statusNames = statusNames,
                              .statusCount = TH_COUNT_OF(statusNames)};
