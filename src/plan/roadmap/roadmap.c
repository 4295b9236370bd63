// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `roadmap`: a graph planner over a graph that is given, or made by a rule.

#include "throng/roadmap.h"

#include "base/hash.h"
#include "method/method_params.h"
#include "plan/graph/graph_planner_internal.h"
#include "plan/plan_marks.h"
#include "plan/plan_methods.h"
#include "plan/roadmap/roadmap_graph.h"

#include <string.h>

#define ROADMAP_PARAMS(X, T)                                                                       \
    X(T, graph, Roadmap, 0, 0, 0, "", "Name of the roadmap.")                                      \
    X(T, lookEvery, Int, 16, 1, 1000, "",                                                          \
      "Steps from one look of an agent along its path to the next.")                               \
    X(T, trees, Int, 64, 0, 4096, "",                                                              \
      "Most goals whose shortest paths are shared by all who go there.")                           \
    X(T, crowding, Float, 0, 0, 100, "m²", "How much more a path costs in a crowd.")               \
    X(T, refresh, Int, 10, 1, 1000000, "", "Steps after which the crowd is counted anew.")

TH_METHOD_PARAMS("roadmap", thRoadmapUse, ROADMAP_PARAMS);

thRoadmapUse thDefaultRoadmapUse(void)
{
    return defaults;
}

static thResult makeGraph(const void* params, const thFrame* frame, int32_t level,
                          const thRouteSpace* space, const thTasks* tasks,
                          const thFormerGraph* former, thRouteGraph* graph)
{
    (void)former;
    const thRoadmapUse* use = params;
    thRoadmap map;
    if (!thFrame_GetRoadmap(frame, thFrame_FindRoadmap(frame, use->graph), &map) ||
        map.level != level)
        return thiRouteGraphConnect(graph, NULL, 0);
    const thRoadmapBuild build = {.map = &map,
                                  .frame = frame,
                                  .space = space,
                                  .tasks = tasks,
                                  .graph = graph,
                                  .memory = graph->nodes.memory};
    return thiMakeRoadmapGraph(&build);
}

static thGraphPlannerDef plannerDefOf(const thRoadmapUse* use)
{
    return (thGraphPlannerDef){.makeGraph = makeGraph,
                               .params = use,
                               .lookEvery = use->lookEvery,
                               .maxTrees = use->trees,
                               .crowding = use->crowding,
                               .refresh = use->refresh,
                               .noPath = "the roadmap does not lead from here to the goal"};
}

static thResult validate(const void* params, thError* error)
{
    return thiCheckParams(&checks, params, error);
}

// What the agents of a profile share.
typedef struct Shared {
    thMemory memory;
    thGraphPlanner* planner;
    const thRoadmapUse* use;
    uint64_t revision; // of roadmaps, as last seen; 0: not yet
    uint32_t mark;     // of what the roadmap is
} Shared;

static thResult create(const thMethodHost* host, const void* params, void** result)
{
    const thRoadmapUse* use = params;
    const thGraphPlannerDef plannerDef = plannerDefOf(use);
    thMemory memory;
    thiMemoryInit(&memory, &host->allocator, 0);
    Shared* shared = thiAllocateZero(&memory, sizeof *shared);
    if (shared == NULL)
        return th_resultNoMemory;
    const thResult code = thiCreateGraphPlanner(host, &plannerDef, &shared->planner);
    if (code != th_resultOk) {
        thiRelease(&memory, shared, sizeof *shared);
        return code;
    }
    thiMemoryInit(&shared->memory, &host->allocator, 0);
    shared->use = use;
    *result = shared;
    return th_resultOk;
}

static void destroy(void* shared)
{
    Shared* own = shared;
    thMemory memory;
    thiMemoryInit(&memory, &own->memory.allocator, 0);
    thiDestroyGraphPlanner(own->planner);
    thiRelease(&memory, own, sizeof *own);
}

static uint64_t hashPair(uint64_t hash, int32_t a, int32_t b)
{
    return thiHashWord(hash, (uint64_t)(uint32_t)a << 32 | (uint32_t)b);
}

static uint32_t markOf(const thRoadmap* map)
{
    uint64_t hash = hashPair(1, (int32_t)map->kind, map->level);
    for (int32_t i = 0; i < 2 * map->nodeCount; ++i)
        hash = hashPair(hash, map->nodes[2 * i], map->nodes[2 * i + 1]);
    for (int32_t i = 0; i < map->edgeCount; ++i)
        hash = hashPair(hash, map->edges[2 * i], map->edges[2 * i + 1]);
    hash = hashPair(hash, map->lowX, map->lowY);
    hash = hashPair(hash, map->highX, map->highY);
    hash = hashPair(hash, map->side, map->count);
    return (uint32_t)thiHashWord(hash, (uint64_t)map->neighbors << 32 | thiFloatBits(map->reach));
}

// Paths over cells are told from cell to cell; those over other graphs go straight where they can.
static thResult prepare(void* shared, const thFrame* frame, const thTasks* tasks)
{
    Shared* own = shared;
    if (own->revision != frame->roadmapsRevision) {
        thRoadmap map;
        const int32_t slot = thFrame_FindRoadmap(frame, own->use->graph);
        own->mark = thFrame_GetRoadmap(frame, slot, &map) ? markOf(&map) : 0;
        // Half a cell's diagonal: the cell that holds the goal.
        own->planner->def.leavesWithin = map.kind == th_roadmapGrid ? 0.71 * map.side : 0.0;
        own->revision = frame->roadmapsRevision;
    }
    return thiPrepareGraphPlanner(own->planner, frame, tasks, own->mark);
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    thiSolveOnGraph(((const Shared*)shared)->planner, batch);
}

static thResult save(const void* shared, thWriter* to)
{
    return thiSaveGraphPlanner(((const Shared*)shared)->planner, to);
}

static thResult load(void* shared, thReader* from)
{
    return thiLoadGraphPlanner(((Shared*)shared)->planner, from);
}

// What is wrong with the roadmap itself, for an agent of a floor; NULL: nothing.
static const char* problemOf(const thFrame* frame, const thRoadmapUse* use, int32_t level)
{
    const int32_t slot = thFrame_FindRoadmap(frame, use->graph);
    thRoadmap map;
    if (slot == -2)
        return "there are several roadmaps and its profile names none";
    if (!thFrame_GetRoadmap(frame, slot, &map))
        return use->graph[0] != '\0' ? "there is no roadmap of the name that its profile gives"
                                     : "there is no roadmap";
    return map.level != level ? "its roadmap is of another floor" : NULL;
}

static void tellPath(const thFrame* frame, int32_t row, const void* params, const void* shared,
                     const void* state, thPathOut* out)
{
    const thGraphPlanner* planner = ((const Shared*)shared)->planner;
    thiTellGraphPath(planner, frame, row, state, out);
    if (out->answer != th_planNone)
        return;
    const char* problem = problemOf(frame, params, frame->level[row]);
    const thRouteFloor* floor =
        thiFindRouteFloor(planner, thiRouteClass(frame->radius[row]), frame->level[row]);
    if (problem == NULL && floor != NULL && floor->graph.nodes.count == 0)
        problem = "no node of the roadmap has room for it";
    if (problem != NULL)
        out->why = problem;
}

static thResult sketch(const thFrame* frame, int32_t row, const void* params, const void* shared,
                       const void* state, thSketch* to)
{
    (void)params;
    (void)state;
    return thiSketchGraph(((const Shared*)shared)->planner, frame, row, to);
}

static void explain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                    thExplanation* to)
{
    thiMarkPlan(batch, lane, tellPath, params, shared, to);
}

const thMethod thiPlanRoadmap = {.size = sizeof(thMethod),
                                 .name = "roadmap",
                                 .version = 5,
                                 .needs = th_needsNoneAtRest | th_needsNoCopies,
                                 .paramSize = sizeof(thRoadmapUse),
                                 .stateSize = sizeof(thRouteState),
                                 .defaults = &defaults,
                                 .validate = validate,
                                 .create = create,
                                 .destroy = destroy,
                                 .prepare = prepare,
                                 .solve = solve,
                                 .save = save,
                                 .load = load,
                                 .params = parameters,
                                 .paramCount = TH_COUNT_OF(parameters),
                                 .explain = explain,
                                 .path = tellPath,
                                 .sketch = sketch};
