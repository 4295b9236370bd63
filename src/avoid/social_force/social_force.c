// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `social-force`: its parameters and sets of them, tasks for the kernel, explanations, and
// the call for a single agent.

#include "avoid/social_force/social_force.h"

#include "avoid/avoid_methods.h"
#include "base/core.h"
#include "base/machine.h"
#include "method/method_marks.h"
#include "method/method_params.h"
#include "throng/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static thSocialForceFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiSocialForce);

#define SOCIAL_FORCE_PARAMS(X, T)                                                                  \
    X(T, set, Word, th_socialForceDefault, th_socialForceDefault, th_socialForce2007,              \
      "default|helbing-1995|helbing-2000|johansson-2007",                                          \
      "What the others are where they are negative.")                                              \
    X(T, strength, Float, -1, -1, 10000, "m/s²",                                                   \
      "Acceleration away from somebody whom it touches; negative: of the set.")                    \
    X(T, range, Float, -1, -1, 10, "m",                                                            \
      "Gap within which that falls to 1/e; negative: of the set.")                                 \
    X(T, behind, Float, -1, -1, 1, "",                                                             \
      "The share of it that is felt from straight behind; negative: of the set.")                  \
    X(T, wallStrength, Float, -1, -1, 10000, "m/s²",                                               \
      "Acceleration away from a wall or a mover that it touches; negative: of the set.")           \
    X(T, wallRange, Float, -1, -1, 10, "m",                                                        \
      "Gap within which that falls to 1/e; negative: of the set.")                                 \
    X(T, moverBehind, Float, -1, -1, 1, "",                                                        \
      "The share of it that is felt straight behind a mover; negative: of the set.")               \
    X(T, relaxation, Float, -1, -1, 10, "s",                                                       \
      "Time in which it gets to the velocity that it wants; negative: of the set.")                \
    X(T, attraction, Float, -1, -1, 1000, "m/s²",                                                  \
      "Acceleration towards each of its group within 3 m; negative: of the set.")                  \
    X(T, most, Float, -1, -1, 10000, "m/s²",                                                       \
      "The largest acceleration of others and walls together; negative: of the set.")              \
    X(T, body, Float, -1, -1, 100000, "1/s²",                                                      \
      "How bodies that overlap push, in worlds without contacts; negative: of the set.")           \
    X(T, friction, Float, -1, -1, 100000, "1/(m s)",                                               \
      "How bodies that overlap rub, in worlds without contacts; negative: of the set.")            \
    X(T, keep, Word, th_keepRight, th_keepRight, th_keepNone, "right|left|none",                   \
      "The side to which it bends its way before somebody who comes.")

TH_METHOD_PARAMS("social-force", thSocialForceDef, SOCIAL_FORCE_PARAMS);

thSocialForceDef thDefaultSocialForceDef(void)
{
    return defaults;
}

static thResult validate(const void* params, thError* error)
{
    return thiCheckParams(&checks, params, error);
}

// Sets.

static const thForceModel models[] = {
    [th_socialForceDefault] = {.strength = 4.0f,
                               .range = 0.25f,
                               .behind = 0.3f,
                               .wallStrength = 5.0f,
                               .wallRange = 0.1f,
                               .moverBehind = 0.3f,
                               .relaxation = 0.5f,
                               .attraction = 0.1f,
                               .hold = 0.5f,
                               .most = 10.0f,
                               .shape = th_forceCircle,
                               .bodies = 1.0f,
                               .sight = -2.0f},
    [th_socialForce1995] = {.strength = 7.0f, // 2.1 m²/s² over 0.3 m
                            .range = 0.3f,
                            .behind = 0.5f,
                            .wallStrength = 50.0f, // 10 m²/s² over 0.2 m
                            .wallRange = 0.2f,
                            .moverBehind = 1.0f,
                            .relaxation = 0.5f,
                            .hold = NO_HOLD,
                            .most = 100.0f,
                            .shape = th_forceStrides,
                            .stride = 2.0f,
                            .sight = -0.17364818f}, // of 100°
    [th_socialForce2000] = {.strength = 25.0f,      // 2000 N and 80 kg
                            .range = 0.08f,
                            .behind = 1.0f,
                            .wallStrength = 25.0f,
                            .wallRange = 0.08f,
                            .moverBehind = 1.0f,
                            .relaxation = 0.5f,
                            .hold = NO_HOLD,
                            .most = 10000.0f,
                            .body = 1500.0f,
                            .friction = 3000.0f,
                            .shape = th_forceCircle,
                            .bodies = 1.0f,
                            .sight = -2.0f},
    [th_socialForce2007] = {.strength = 0.11f,
                            .range = 1.19f,
                            .behind = 0.16f,
                            .wallStrength = 5.0f,
                            .wallRange = 0.1f,
                            .moverBehind = 0.3f,
                            .relaxation = 0.5f,
                            .hold = NO_HOLD,
                            .most = 10.0f,
                            .shape = th_forceMeeting,
                            .stride = 0.5f,
                            .sight = -2.0f},
};

// Parameters that are negative are as the set has them; ranges and times are not arbitrarily short.
#define LEAST 0.01f

static void take(float* to, float value, float least)
{
    if (value >= 0.0f)
        *to = TH_MAX(value, least);
}

thForceModel thiSocialForceModel(const thSocialForceDef* def, bool contacts)
{
    thForceModel model = models[def->set];
    take(&model.strength, def->strength, 0.0f);
    take(&model.range, def->range, LEAST);
    take(&model.behind, def->behind, 0.0f);
    take(&model.wallStrength, def->wallStrength, 0.0f);
    take(&model.wallRange, def->wallRange, LEAST);
    take(&model.moverBehind, def->moverBehind, 0.0f);
    take(&model.relaxation, def->relaxation, LEAST);
    take(&model.attraction, def->attraction, 0.0f);
    take(&model.most, def->most, 0.0f);
    take(&model.body, def->body, 0.0f);
    take(&model.friction, def->friction, 0.0f);
    if (contacts)
        model.body = model.friction = 0.0f;
    model.keep = def->keep == th_keepRight ? 1.0f : def->keep == th_keepLeft ? -1.0f : 0.0f;
    return model;
}

// Tasks.

// Whether neighbours walk in an agent's own group; NULL where nobody does. False when memory is
// out.
static bool takeFellows(const thBatch* batch, const int32_t** fellows)
{
    const int32_t* groups = batch->frame->group;
    bool isAny = false;
    for (int32_t lane = 0; lane < batch->count && groups != NULL; ++lane)
        isAny = isAny || groups[batch->row[lane]] >= 0;
    *fellows = NULL;
    if (!isAny)
        return true;
    const size_t items = (size_t)batch->neighborMax * (size_t)batch->lanes;
    int32_t* isFellow = thArena_Allocate(batch->scratch, (items + 1) * sizeof *isFellow);
    if (isFellow == NULL)
        return false;
    memset(isFellow, 0, items * sizeof *isFellow);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const int32_t own = groups[batch->row[lane]];
        for (int32_t k = 0; k < batch->neighborCount[lane] && own >= 0; ++k) {
            const int32_t at = k * batch->lanes + lane;
            isFellow[at] = groups[batch->nrow[at]] == own;
        }
    }
    *fellows = isFellow;
    return true;
}

// The velocity at the end of the last step, and what has been done to the agent since.
static thVec2 firstOf(const thSocialForceState* state, thVec2 v)
{
    const thVec2 first = {state->last.x + (v.x - state->mean.x),
                          state->last.y + (v.y - state->mean.y)};
    // Bytes that are no velocities come from damaged snapshots only.
    const float most = 4.0f * TH_SINGLE_LARGEST;
    return fabsf(first.x) <= most && fabsf(first.y) <= most ? first : v;
}

static bool takeRoom(thArena* scratch, thSocialForceTask* task)
{
    const size_t items = (size_t)task->around.wallMax * TH_MAX_WIDTH;
    const size_t lanes = (size_t)task->around.lanes;
    float* floats = thArena_Allocate(scratch, (4 * items + 4 * lanes) * sizeof *floats);
    if (floats == NULL)
        return false;
    task->firstX = floats;
    task->firstY = floats + lanes;
    task->endX = floats + 2 * lanes;
    task->endY = floats + 3 * lanes;
    task->wallX = floats + 4 * lanes;
    task->wallY = task->wallX + items;
    task->wallNear = task->wallY + items;
    task->wallFelt = task->wallNear + items;
    return true;
}

// A task for a batch, in its scratch memory. False when that is out.
static bool makeTask(const thBatch* batch, const thSocialForceDef* def, thSimd simd,
                     thSocialForceTask* task)
{
    if (!thiSurround(batch, simd, &task->around) || !takeRoom(batch->scratch, task))
        return false;
    task->model = thiSocialForceModel(def, batch->frame->contacts != 0);
    task->isFellow = NULL;
    if (task->model.attraction > 0.0f && !takeFellows(batch, &task->isFellow))
        return false;
    for (int32_t lane = 0; lane < batch->lanes; ++lane) {
        const thVec2 v = {batch->vx[lane], batch->vy[lane]};
        const thVec2 first = lane < batch->count ? firstOf(batch->state[lane], v) : v;
        task->firstX[lane] = first.x;
        task->firstY[lane] = first.y;
    }
    return true;
}

// Bodies that push each other move as one thing, and faster than steps are long: everybody is asked
// again in between. [s]
#define BODY_STEP 0.01f

static bool arePushing(const thSurroundings* around, int32_t lane)
{
    for (int32_t k = 0; k < around->neighborCount[lane]; ++k) {
        const int32_t at = k * around->lanes + lane;
        const float x = around->nx[at], y = around->ny[at];
        const float vx = around->nvx[at] - around->vx[lane],
                    vy = around->nvy[at] - around->vy[lane];
        const float reach =
            around->radius[lane] + around->nradius[at] + sqrtf(vx * vx + vy * vy) * around->dt;
        if (x * x + y * y < reach * reach)
            return true;
    }
    return false;
}

static void shortenStep(const thBatch* batch, const thSocialForceTask* task)
{
    if (!(task->model.body > 0.0f) && !(task->model.friction > 0.0f))
        return;
    for (int32_t lane = 0; lane < batch->count && batch->interval[0] > BODY_STEP; ++lane)
        if (arePushing(&task->around, lane))
            batch->interval[0] = BODY_STEP;
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    const thKernelHost* own = shared;
    thSocialForceTask task;
    if (!makeTask(batch, params, own->simd, &task))
        return;
    kernels[own->simd](&task);
    shortenStep(batch, &task);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        thBatch_KeepState(batch, lane);
        *(thSocialForceState*)batch->state[lane] =
            (thSocialForceState){{task.firstX[lane], task.firstY[lane]},
                                 {task.endX[lane], task.endY[lane]},
                                 {batch->outVx[lane], batch->outVy[lane]}};
    }
}

// What it thinks of an agent: all that acts on it.

static void addForce(thVec2 force, thMarkCause cause, uint64_t whose, const char* label,
                     thExplanation* to)
{
    const float size = sqrtf(force.x * force.x + force.y * force.y);
    if (size < 0.01f)
        return;
    const thVec2 points[2] = {{0.0f, 0.0f}, force};
    thMark mark = thDefaultMark();
    mark.kind = th_markArrow;
    mark.cause = cause;
    mark.whose = whose;
    mark.points = points;
    mark.pointCount = 2;
    mark.value = size;
    mark.label = label;
    thExplanation_Add(to, &mark);
}

static void addWallForces(const thBatch* batch, int32_t lane, const float* forces,
                          thExplanation* to)
{
    const thMovers* movers = batch->frame->movers;
    int32_t entry = 0;
    for (int32_t k = 0; k < batch->wallCount[lane]; ++k, ++entry) {
        const int32_t wall = batch->wall[k * batch->lanes + lane];
        addForce((thVec2){forces[2 * entry], forces[2 * entry + 1]}, th_causeWall,
                 thiMarkNameOf(batch->frame->walls->obstacle[wall]), "force", to);
    }
    for (int32_t k = 0; k < batch->moverCount[lane]; ++k) {
        const int32_t mover = batch->mover[k * batch->lanes + lane];
        const int32_t corners = movers->firstCorner[mover + 1] - movers->firstCorner[mover];
        for (int32_t i = 0; i < TH_MAX(corners, 1); ++i, ++entry)
            addForce((thVec2){forces[2 * entry], forces[2 * entry + 1]}, th_causeMover,
                     thiMarkNameOf(movers->obstacle[mover]), "force", to);
    }
}

static const char* const statusNames[] = {[th_socialForceFree] = "free",
                                          [th_socialForcePushed] = "pushed",
                                          [th_socialForceTouches] = "touches"};

static void explain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                    thExplanation* to)
{
    (void)shared;
    thSocialForceTask task;
    if (!makeTask(batch, params, th_simdScalar, &task))
        return;
    const thSocialForceState* state = batch->state[lane]; // after the step by now
    task.firstX[lane] = state->first.x;
    task.firstY[lane] = state->first.y;
    thForceTale tale = {
        .ofNeighbors = thArena_Allocate(batch->scratch, ((size_t)batch->neighborMax + 1) *
                                                            sizeof *tale.ofNeighbors),
        .ofWalls = thArena_Allocate(batch->scratch,
                                    (2 * (size_t)task.around.wallMax + 1) * sizeof(float))};
    if (tale.ofNeighbors == NULL || tale.ofWalls == NULL)
        return;
    thiSocialForceTell_scalar(&task, lane, &tale);
    thiMarkSpeedLimit(batch, lane, to);
    if (tale.wanted.x != batch->guideX[lane] || tale.wanted.y != batch->guideY[lane])
        thiMarkVelocity(tale.wanted, "bent to the side", to);
    addForce(tale.drive, th_causeNone, 0, "drive", to);
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k)
        addForce(tale.ofNeighbors[k], th_causeAgent,
                 batch->frame->key[batch->nrow[k * batch->lanes + lane]], "force", to);
    addWallForces(batch, lane, tale.ofWalls, to);
    addForce(tale.takenBack, th_causeNone, 0, "walls hold no more", to);
    char text[96];
    snprintf(text, sizeof text, "%s: the step is computed in %d part%s",
             statusNames[batch->status[lane]], tale.parts, tale.parts == 1 ? "" : "s");
    thiMarkText(text, to);
}

// Forces slow those down who walk behind others, so it needs no pace.
const thMethod thiAvoidSocialForce = {.size = sizeof(thMethod),
                                      .name = "social-force",
                                      .version = 1,
                                      .paramSize = sizeof(thSocialForceDef),
                                      .stateSize = sizeof(thSocialForceState),
                                      .needs = th_needsNeighbors | th_needsWalls | th_needsMovers |
                                               th_needsNoneAtRest | th_needsNoCopies |
                                               th_needsShortSteps,
                                      .defaults = &defaults,
                                      .validate = validate,
                                      .create = thiCreateKernelHost,
                                      .destroy = thiDestroyKernelHost,
                                      .solve = solve,
                                      .params = parameters,
                                      .paramCount = TH_COUNT_OF(parameters),
                                      .explain = explain,
                                      .statusNames = statusNames,
                                      .statusCount = TH_COUNT_OF(statusNames),
                                      .ownPace = 1.0f};

// The call for one agent: the scalar kernel on one lane.

static bool isState(const thSocialForceState* state)
{
    const float most = TH_SINGLE_LARGEST;
    return fabsf(state->last.x) <= most && fabsf(state->last.y) <= most &&
           fabsf(state->mean.x) <= most && fabsf(state->mean.y) <= most;
}

thResult thSocialForce_Solve(const thSocialForceDef* def, float dt, const thAvoidSelf* self,
                             const thAvoidNeighbor* neighbors, int32_t neighborCount,
                             const thAvoidWall* walls, int32_t wallCount, thSocialForceState* state,
                             thVec2* velocity, thSocialForceStatus* status)
{
    TH_REQUIRE(velocity != NULL && status != NULL, th_resultBadArgument);
    TH_REQUIRE(state == NULL || isState(state), th_resultBadArgument);
    thSingle single;
    TH_TRY(thiTakeSingle(&single, def, validate, dt, self, neighbors, neighborCount, walls,
                         wallCount));
    const thSocialForceState before = state != NULL ? *state : (thSocialForceState){0};
    thVec2 first = firstOf(&before, self->velocity);
    thVec2 end;
    int32_t isFellow[THRONG_AVOID_MOST];
    float room[4][THRONG_AVOID_MOST * TH_MAX_WIDTH];
    for (int32_t i = 0; i < neighborCount; ++i)
        isFellow[i] = neighbors[i].isFellow;
    const thSocialForceTask task = {.around = single.around,
                                    .model = thiSocialForceModel(def, false),
                                    .isFellow = isFellow,
                                    .firstX = &first.x,
                                    .firstY = &first.y,
                                    .endX = &end.x,
                                    .endY = &end.y,
                                    .wallX = room[0],
                                    .wallY = room[1],
                                    .wallNear = room[2],
                                    .wallFelt = room[3]};
    const thFpEnvironment hostEnvironment = thiFpEnter();
    kernels[th_simdScalar](&task);
    thiFpRestore(hostEnvironment);
    *velocity = single.answer;
    *status = (thSocialForceStatus)single.status;
    if (state != NULL)
        *state = (thSocialForceState){first, end, single.answer};
    return th_resultOk;
}
