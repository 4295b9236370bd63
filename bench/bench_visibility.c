// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Cases of plan/visibility: the graph of a city, the same after a door, and shortest paths to one
// goal. The city has 1,500 buildings with 6,000 corners, in streets or at random.

#include "bench.h"

#include "plan/visibility/visibility_graph.h"
#include "sim/step/step.h"
#include "sim/world_internal.h"
#include "throng/random.h"

#include <stdlib.h>

enum { columns = 50, cornerCount = 4 * 1500, quickCornerCount = 4 * 200 };

#define RADIUS 0.25f

typedef struct State {
    thMemory memory;
    thWorld* world;
    thFrame frame;
    thRouteSpace* space;
    thRouteGraph graph;
    thRouteTree tree;
    int32_t buildings;
    thObstacleId door;
    bool isShut;
} State;

static thResult addBuilding(thWorld* world, thVec2 at, thVec2 along, thVec2 across,
                            thObstacleId* id)
{
    const thVec2 corners[4] = {{at.x + along.x + across.x, at.y + along.y + across.y},
                               {at.x - along.x + across.x, at.y - along.y + across.y},
                               {at.x - along.x - across.x, at.y - along.y - across.y},
                               {at.x + along.x - across.x, at.y + along.y - across.y}};
    thObstacleDef def = thDefaultObstacleDef();
    def.points = corners;
    def.pointCount = 4;
    return thCreateObstacle(world, &def, id);
}

// Blocks of 20 m by 14 m in streets of 8 m; or somewhere in cells of 28 m by 22 m, turned.
static thResult addBuildings(thWorld* world, int32_t count, bool random)
{
    for (int32_t i = 0; i < count; ++i) {
        thVec2 at = {28.0f * (float)(i % columns), 22.0f * (float)(i / columns)};
        thVec2 along = {10.0f, 0.0f}, across = {0.0f, 7.0f};
        if (random) {
            const uint64_t stream = thRandomStream(1, (uint64_t)i, 0, 0);
            const float x = thRandomRange(stream, 0, -1.0f, 1.0f);
            const float y = thRandomRange(stream, 1, -1.0f, 1.0f);
            at.x += thRandomRange(stream, 2, -4.0f, 4.0f);
            at.y += thRandomRange(stream, 3, -4.0f, 4.0f);
            along = (thVec2){5.0f * x, 5.0f * y + 1.0f};
            across = (thVec2){-0.8f * along.y, 0.8f * along.x};
        }
        thObstacleId id;
        TH_TRY(addBuilding(world, at, along, across, &id));
    }
    return thiPrepareObstacles(world);
}

static thResult makeGraph(State* state)
{
    return thiBuildVisibilityGraph(&state->frame, 0, state->space, state->world->tasks, NULL,
                                   &state->graph);
}

// Shuts a street in the middle of the city, or opens it.
static thResult moveDoor(State* state)
{
    const int32_t row = state->buildings / columns / 2;
    const thVec2 at = {28.0f * 25.0f + 14.0f, 22.0f * (float)row}, along = {4.0f, 0.0f};
    TH_TRY(state->isShut
               ? thDestroyObstacle(state->world, state->door)
               : addBuilding(state->world, at, along, (thVec2){0.0f, 0.5f}, &state->door));
    state->isShut = !state->isShut;
    TH_TRY(thiPrepareObstacles(state->world));
    state->frame = thiMakeFrame(state->world, 0.1f);
    return th_resultOk;
}

// All that a change of walls asks for: the walls, the space, and the graph from the former one.
static thResult changeGraph(State* state)
{
    TH_TRY(moveDoor(state));
    thRouteSpace* space = NULL;
    TH_TRY(thiCreateRouteSpace(&state->memory, &state->frame, 0, RADIUS, &space));
    thRouteGraph graph = thiRouteGraph(&state->memory);
    const thResult code =
        thiBuildVisibilityGraph(&state->frame, 0, space, state->world->tasks,
                                &(thFormerGraph){state->space, &state->graph}, &graph);
    thiRouteGraphFree(&state->graph);
    thiDestroyRouteSpace(state->space);
    state->graph = graph;
    state->space = space;
    return code;
}

static thResult makeState(State* state, bool random)
{
    thiMemoryInit(&state->memory, NULL, 0);
    state->graph = thiRouteGraph(&state->memory);
    state->tree = thiRouteTree(&state->memory);
    const thWorldDef def = thDefaultWorldDef();
    TH_TRY(thCreateWorld(&def, &state->world));
    TH_TRY(addBuildings(state->world, state->buildings, random));
    state->frame = thiMakeFrame(state->world, 0.1f);
    TH_TRY(thiCreateRouteSpace(&state->memory, &state->frame, 0, RADIUS, &state->space));
    return makeGraph(state);
}

static const char* setUp(const thBenchCase* self, void** given)
{
    State* state = calloc(1, sizeof *state);
    if (state == NULL)
        return "no memory";
    *given = state;
    state->buildings = (int32_t)self->items / 4;
    return makeState(state, self->context != NULL) == th_resultOk ? NULL : "no memory";
}

static uint64_t runGraph(void* given)
{
    State* state = given;
    return makeGraph(state) == th_resultOk ? (uint64_t)state->graph.edges.count : 0;
}

static uint64_t runDoor(void* given)
{
    State* state = given;
    return changeGraph(state) == th_resultOk ? (uint64_t)state->graph.edges.count : 0;
}

static uint64_t runTree(void* given)
{
    State* state = given;
    if (thiPlantRouteTree(&state->graph, &(thRouteSeed){0}, 1, NULL, &state->tree) != th_resultOk)
        return 0;
    (void)thiGrowRouteTree(&state->graph, INT32_MAX, &state->tree);
    return (uint64_t)state->tree.settled;
}

static void tearDown(void* given)
{
    State* state = given;
    thiRouteTreeFree(&state->tree);
    thiRouteGraphFree(&state->graph);
    thiDestroyRouteSpace(state->space);
    thDestroyWorld(state->world);
    free(state);
}

#define RANDOM .context = ""
#define CORNERS                                                                                    \
    .item = "corner", .items = cornerCount, .quickItems = quickCornerCount, .setUp = setUp,        \
    .tearDown = tearDown

// The graph in 2 s, a door in 50 ms, the tree in 20 ms.
#define MOST_GRAPH .maxTime = 2e9 / cornerCount
#define MOST_DOOR .maxTime = 5e7 / cornerCount, .minRatio = 15.0
#define MOST_TREE .maxTime = 2e7 / cornerCount

static const thBenchCase cases[] = {
    {.name = "visibility/graph/streets", CORNERS, .run = runGraph, MOST_GRAPH},
    {.name = "visibility/graph/random", CORNERS, RANDOM, .run = runGraph, MOST_GRAPH},
    {.name = "visibility/door/streets",
     .baseline = "visibility/graph/streets",
     CORNERS,
     .run = runDoor,
     MOST_DOOR},
    {.name = "visibility/door/random",
     .baseline = "visibility/graph/random",
     CORNERS,
     RANDOM,
     .run = runDoor,
     MOST_DOOR},
    {.name = "visibility/tree/streets", CORNERS, .run = runTree, MOST_TREE},
    {.name = "visibility/tree/random", CORNERS, RANDOM, .run = runTree, MOST_TREE},
};

const thBenchGroup thiBenchVisibility = {cases, sizeof cases / sizeof cases[0]};
