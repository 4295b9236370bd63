// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `visibility`: a graph planner over the reduced visibility graph.

#include "throng/visibility.h"

#include "method/method_params.h"
#include "plan/graph/graph_planner.h"
#include "plan/plan_marks.h"
#include "plan/plan_methods.h"
#include "plan/visibility/visibility_graph.h"

#define VISIBILITY_PARAMS(X, T)                                                                    \
    X(T, lookEvery, Int, 16, 1, 1000, "",                                                          \
      "Steps from one look of an agent along its path to the next.")                               \
    X(T, trees, Int, 64, 0, 4096, "",                                                              \
      "Most goals whose shortest paths are shared by all who go there.")                           \
    X(T, crowding, Float, 0, 0, 100, "m²", "How much more a path costs in a crowd.")               \
    X(T, refresh, Int, 10, 1, 1000000, "", "Steps after which the crowd is counted anew.")

TH_METHOD_PARAMS("visibility", thVisibilityDef, VISIBILITY_PARAMS);

thVisibilityDef thDefaultVisibilityDef(void)
{
    return defaults;
}

static thResult makeGraph(const void* params, const thFrame* frame, int32_t level,
                          const thRouteSpace* space, const thTasks* tasks,
                          const thFormerGraph* former, thRouteGraph* graph)
{
    (void)params;
    return thiBuildVisibilityGraph(frame, level, space, tasks, former, graph);
}

static thGraphPlannerDef plannerDefOf(const thVisibilityDef* def)
{
    return (thGraphPlannerDef){.makeGraph = makeGraph,
                               .params = def,
                               .lookEvery = def->lookEvery,
                               .maxTrees = def->trees,
                               .crowding = def->crowding,
                               .refresh = def->refresh,
                               .noPath = "no way leads from here to the goal that is wide enough"};
}

static thResult validate(const void* params, thError* error)
{
    return thiCheckParams(&checks, params, error);
}

static thResult create(const thMethodHost* host, const void* params, void** shared)
{
    const thGraphPlannerDef plannerDef = plannerDefOf(params);
    thGraphPlanner* planner = NULL;
    const thResult code = thiCreateGraphPlanner(host, &plannerDef, &planner);
    *shared = planner;
    return code;
}

static void destroy(void* shared)
{
    thiDestroyGraphPlanner(shared);
}

static thResult prepare(void* shared, const thFrame* frame, const thTasks* tasks)
{
    return thiPrepareGraphPlanner(shared, frame, tasks, 0);
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    thiSolveOnGraph(shared, batch);
}

static thResult save(const void* shared, thWriter* to)
{
    return thiSaveGraphPlanner(shared, to);
}

static thResult load(void* shared, thReader* from)
{
    return thiLoadGraphPlanner(shared, from);
}

static void tellPath(const thFrame* frame, int32_t row, const void* params, const void* shared,
                     const void* state, thPathOut* out)
{
    (void)params;
    thiTellGraphPath(shared, frame, row, state, out);
}

static thResult sketch(const thFrame* frame, int32_t row, const void* params, const void* shared,
                       const void* state, thSketch* to)
{
    (void)params;
    (void)state;
    return thiSketchGraph(shared, frame, row, to);
}

static void explain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                    thExplanation* to)
{
    thiMarkPlan(batch, lane, tellPath, params, shared, to);
}

const thMethod thiPlanVisibility = {.size = sizeof(thMethod),
                                    .name = "visibility",
                                    .version = 5,
                                    .needs = th_needsNoneAtRest | th_needsNoCopies,
                                    .paramSize = sizeof(thVisibilityDef),
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
