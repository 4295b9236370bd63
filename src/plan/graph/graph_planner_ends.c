// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where ways that stay on the graph leave it: at nodes near a shape of the goal, so that a wide
// exit has many of them, or at the nearest one if none is so near.

#include "plan/graph/graph_planner_internal.h"

#include <math.h>

// One shape alone.
static thRouteGoal shapeOf(const thRouteGoal* goal, int32_t shape)
{
    return (thRouteGoal){goal->frame, goal->space, &goal->shapes[shape], 1, goal->crowd};
}

// How far the nearest node that sees a shape is from it; infinite if none does.
static double leastLeft(const thRouteField* field, const thRouteGoal* shape,
                        const thRouteDisc* disc, void* memory)
{
    // Nothing is left from anywhere, so that nodes come by distance alone.
    const thRouteLeft none = {0};
    const thRouteNode* nodes = TH_ITEMS(field->graph.nodes, thRouteNode);
    thRouteWalk walk =
        thiBeginRouteWalk(&field->near, &field->graph, &none, disc->x, disc->y, memory);
    double least = INFINITY, bound;
    for (;;) {
        const int32_t node = thiRouteWalkNext(&walk, least + disc->reach, &bound);
        if (node < 0)
            return least;
        thRouteAim aim;
        if (thiAimAtGoal(shape, nodes[node].place, nodes[node].x, nodes[node].y, 0.0f, &aim))
            least = TH_MIN(least, aim.length);
    }
}

void thiFindRouteEnds(const thRouteField* field, const thRouteGoal* goal, double stays,
                      void* memory, thRouteEnd* ends)
{
    for (int32_t i = 0; i < goal->shapeCount; ++i) {
        const thRouteGoal shape = shapeOf(goal, i);
        thiRouteGoalDiscs(&shape, &ends[i].disc);
        const double least = leastLeft(field, &shape, &ends[i].disc, memory);
        ends[i].within = TH_MAX(stays, least);
    }
}

bool thiIsRouteEnd(const thRouteField* field, const thRouteGoal* goal, const thRouteEnd* ends,
                   int32_t node, thRouteSeed* end)
{
    const thRouteNode* at = &TH_ITEMS(field->graph.nodes, thRouteNode)[node];
    *end = (thRouteSeed){node, INFINITY, 0.0};
    for (int32_t i = 0; i < goal->shapeCount; ++i) {
        const thRouteDisc* disc = &ends[i].disc;
        if (thiRouteLength(at, disc->x, disc->y) - disc->reach > ends[i].within)
            continue;
        const thRouteGoal shape = shapeOf(goal, i);
        thRouteAim aim;
        if (thiAimAtGoal(&shape, at->place, at->x, at->y, 0.0f, &aim) &&
            aim.length <= ends[i].within && thiCostOfAim(&aim) < end->length + end->crowd)
            *end = (thRouteSeed){node, aim.length, aim.crowd};
    }
    return end->length < INFINITY;
}
