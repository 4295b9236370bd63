// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Cases of plan/flow: a grid and a field of a million nodes, in the open and among the blocks of a
// city, and a crowd in it.

#include "bench.h"

#include "geom/fixed.h"
#include "plan/flow/flow_field.h"
#include "sim/step/step.h"
#include "sim/world_internal.h"

#include <stdlib.h>

enum { sideNodes = 1000 };

#define CELL 0.25f
#define RADIUS 0.25f

typedef struct State {
    thMemory memory;
    thWorld* world;
    thFrame frame;
    int32_t goal;
    thFieldGrid grid;
    thFlowField field; // for crowds only
} State;

static thResult addBox(thWorld* world, float lowX, float lowY, float highX, float highY)
{
    const thVec2 corners[4] = {{lowX, lowY}, {highX, lowY}, {highX, highY}, {lowX, highY}};
    thObstacleDef def = thDefaultObstacleDef();
    def.points = corners;
    def.pointCount = 4;
    thObstacleId id;
    return thCreateObstacle(world, &def, &id);
}

// Two corners of a square, and blocks of 20 m by 14 m in streets of 8 m.
static thResult fillWorld(thWorld* world, bool blocks)
{
    const float side = CELL * sideNodes;
    TH_TRY(addBox(world, 0.0f, 0.0f, 1.0f, 1.0f));
    TH_TRY(addBox(world, side - 1.0f, side - 1.0f, side, side));
    for (float x = 5.0f; blocks && x + 25.0f < side; x += 28.0f)
        for (float y = 5.0f; y + 19.0f < side; y += 22.0f)
            TH_TRY(addBox(world, x, y, x + 20.0f, y + 14.0f));
    return thiPrepareObstacles(world);
}

static thResult beginGrid(State* state)
{
    return thiFieldGridBegin(&state->memory, &state->frame, 0, RADIUS, CELL,
                             2 * sideNodes * sideNodes, &TH_EMPTY_BOX, &state->grid);
}

static void buildGrid(State* state)
{
    int64_t count = INT64_MAX;
    thiFieldGridBuild(&state->grid, &state->frame, 0, &count);
}

static const char* setUp(const thBenchCase* self, void** given)
{
    State* state = calloc(1, sizeof *state);
    if (state == NULL)
        return "no memory";
    *given = state;
    thiMemoryInit(&state->memory, NULL, 0);
    const thWorldDef def = thDefaultWorldDef();
    thGoalId goal;
    if (thCreateWorld(&def, &state->world) != th_resultOk ||
        thCreatePointGoal(state->world, (thVec2){2.1f, 2.1f}, &goal) != th_resultOk ||
        fillWorld(state->world, self->context != NULL) != th_resultOk)
        return "no memory";
    state->frame = thiMakeFrame(state->world, 0.1f);
    state->goal = THRONG_SLOT(goal);
    if (beginGrid(state) != th_resultOk)
        return "no memory";
    buildGrid(state);
    return NULL;
}

static uint64_t runGrid(void* given)
{
    State* state = given;
    thiFieldGridFree(&state->grid);
    if (beginGrid(state) == th_resultOk)
        buildGrid(state);
    return (uint64_t)state->grid.nodes.rows;
}

static uint64_t runField(void* given)
{
    State* state = given;
    thFlowField field;
    int64_t count = INT64_MAX / 2;
    if (thiFlowFieldBegin(&state->memory, &state->frame, state->goal, &state->grid, &field) !=
        th_resultOk)
        return 0;
    (void)thiFlowFieldMarch(&field, &count);
    const uint64_t settled = (uint64_t)field.lengths.settled;
    thiFlowFieldFree(&field);
    return settled;
}

// How a crowd of an agent in four square metres slows the ways of a field.
static uint64_t runCrowd(void* given)
{
    State* state = given;
    if (state->field.grid == NULL) {
        int64_t all = INT64_MAX / 2;
        if (thiFlowFieldBegin(&state->memory, &state->frame, state->goal, &state->grid,
                              &state->field) != th_resultOk ||
            thiFlowFieldMarch(&state->field, &all) != th_resultOk)
            return 0;
    }
    thSlowField slow;
    int64_t count = INT64_MAX / 2;
    if (thiSlowFieldBegin(&state->memory, &state->field.lengths, 1.0f, &slow) != th_resultOk)
        return 0;
    for (int32_t i = 0; i < sideNodes * sideNodes / 64; ++i) {
        const float x = 2.0f * (float)(i % 125), y = 2.0f * (float)(i / 125);
        thiSlowFieldCount(&slow, (thPoint){thiUnits(x), thiUnits(y)});
    }
    (void)thiSlowFieldMarch(&slow, &count);
    const uint64_t settled = (uint64_t)slow.settled;
    thiSlowFieldFree(&slow);
    return settled;
}

static void tearDown(void* given)
{
    State* state = given;
    thiFlowFieldFree(&state->field);
    thiFieldGridFree(&state->grid);
    thDestroyWorld(state->world);
    free(state);
}

#define CITY .context = ""
#define NODES                                                                                      \
    .item = "node", .items = (int64_t)sideNodes * sideNodes, .setUp = setUp, .tearDown = tearDown

// A field of a million nodes in 150 ms.
#define MOST .maxTime = 150.0

static const thBenchCase cases[] = {
    {.name = "flow/grid/open", NODES, .run = runGrid},
    {.name = "flow/grid/city", NODES, .run = runGrid, CITY},
    {.name = "flow/field/open", NODES, .run = runField, MOST},
    {.name = "flow/field/city", NODES, .run = runField, CITY, MOST},
    {.name = "flow/crowd/city", NODES, .run = runCrowd, CITY},
};

const thBenchGroup thiBenchFlow = {cases, sizeof cases / sizeof cases[0]};
