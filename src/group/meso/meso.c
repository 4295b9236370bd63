// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Group method `meso`: its parameters, and what becomes of the guidance of a batch. Agents take
// turns in choosing; in between they keep what they have chosen, as a turn from the wanted
// velocity.

#include "group/meso/meso.h"

#include "geom/vec2.h"
#include "group/group_methods.h"
#include "method/method_params.h"

#define MESO_PARAMS(X, T)                                                                          \
    X(T, radius, Float, 15, 0, 50, "m", "How far groups are looked for; 0: not at all.")           \
    X(T, near, Float, 1.5, 0, 10, "m",                                                             \
      "Gap between bodies below which two may be of one group; 0: never.")                         \
    X(T, velocity, Float, 0.6, 0, 10, "m/s",                                                       \
      "Difference of velocities below which two may be of one group; 0: never.")                   \
    X(T, horizon, Float, 12, 0, 1000, "s", "Look-ahead for groups; 0: without end.")               \
    X(T, passable, Float, 1, 0, 100, "",                                                           \
      "Mean gap in a group from which on one walks through, in widths of one's own body.")         \
    X(T, hysteresis, Float, 0.1, 0, 10, "",                                                        \
      "How much better the other side of a group has to be, in preferred speeds.")                 \
    X(T, smallest, Int, 2, 2, 256, "", "How many are a group.")                                    \
    X(T, every, Int, 2, 1, 100, "", "Steps from one choice to the next.")                          \
    X(T, wallHorizon, Float, 1, 0, 100, "s", "Look-ahead for walls beside groups; 0: none.")

TH_METHOD_PARAMS("meso", thMesoDef, MESO_PARAMS);

static thResult validate(const void* params, thError* error)
{
    return thiCheckParams(&checks, params, error);
}

static bool isSame(const thMesoState* a, const thMesoState* b)
{
    return a->key == b->key && a->side == b->side && a->isTurned == b->isTurned &&
           a->turnX == b->turnX && a->turnY == b->turnY && a->wantedX == b->wantedX &&
           a->wantedY == b->wantedY;
}

static void setState(const thBatch* batch, int32_t lane, const thMesoState* next)
{
    thMesoState* state = batch->state[lane];
    if (isSame(state, next))
        return;
    thBatch_KeepState(batch, lane);
    *state = *next;
}

// Chooses anew. False when memory is out.
static bool choose(const thBatch* batch, const thMesoDef* def, const thMesoGraph* graph,
                   int32_t lane, thVec2 wanted, thMesoDesk* desk, thMesoState* next)
{
    thMesoChoice choice;
    if (!thiMesoChooseQuickly(graph, batch, def, lane, next->key, (thMesoSide)next->side, desk,
                              &choice))
        return false;
    next->key = choice.key;
    next->side = (int32_t)choice.side;
    next->isTurned = choice.isWanted ? 0 : 1;
    next->turnX = next->turnY = 0.0f;
    if (!choice.isWanted) {
        const float perSq = 1.0f / thiDot(wanted, wanted);
        next->turnX = thiDot(wanted, choice.velocity) * perSq;
        next->turnY = thiDet(wanted, choice.velocity) * perSq;
    }
    return true;
}

static void solveLane(const thBatch* batch, const thMesoDef* def, const thMesoGraph* graph,
                      int32_t lane, thMesoDesk* desk)
{
    const thFrame* frame = batch->frame;
    const thVec2 wanted = {batch->guideX[lane], batch->guideY[lane]};
    thMesoState next = *(const thMesoState*)batch->state[lane];
    next.wantedX = wanted.x;
    next.wantedY = wanted.y;
    const uint64_t turn = frame->step + frame->key[batch->row[lane]];
    if (!(thiDot(wanted, wanted) > 1.0e-12f) || !(batch->maxSpeed[lane] > 0.0f))
        next.isTurned = 0;
    else if (turn % (uint64_t)def->every == 0 &&
             !choose(batch, def, graph, lane, wanted, desk, &next))
        return;
    setState(batch, lane, &next);
    if (next.isTurned == 0)
        return;
    const thDisc limit = {{0.0f, 0.0f}, batch->maxSpeed[lane]};
    const thVec2 turned = {next.turnX * wanted.x - next.turnY * wanted.y,
                           next.turnY * wanted.x + next.turnX * wanted.y};
    const thVec2 adapted = thiNearestInDisc(turned, &limit);
    batch->guideX[lane] = adapted.x;
    batch->guideY[lane] = adapted.y;
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    const thMesoDef* def = params;
    if (!thiMesoIsOn(def))
        return;
    thMesoDesk* desk = thiMesoMakeDesk(batch->scratch);
    if (desk == NULL)
        return;
    for (int32_t lane = 0; lane < batch->count; ++lane)
        solveLane(batch, def, shared, lane, desk);
}

const thMethod thiGroupMeso = {.size = sizeof(thMethod),
                               .name = "meso",
                               .version = 1,
                               .paramSize = sizeof(thMesoDef),
                               .stateSize = sizeof(thMesoState),
                               .needs = th_needsWalls | th_needsNoneAtRest | th_needsNoCopies,
                               .defaults = &defaults,
                               .validate = validate,
                               .solve = solve,
                               .params = parameters,
                               .paramCount = TH_COUNT_OF(parameters),
                               .explain = thiMesoExplain,
                               .createCommon = thiMesoCreateGraph,
                               .destroyCommon = thiMesoDestroyGraph,
                               .prepareCommon = thiMesoPrepareGraph};
