// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The search of one agent for a route over nodes: along the tree of its goal, or by itself.

#include "plan/graph/graph_planner_search.h"

#include "plan/route/route_aim.h"

#include <math.h>

#define NEAR_NODES 8   // where paths on other graphs than of corners begin and end at first
#define NEAR_LOOKS 64  // nodes that are looked at for these
#define SMALL_GOAL 2.0 // reach of a goal that few nodes need to see [m]

// The ends of routes. Paths that stay on the graph leave it at nodes near a shape of the
// goal, so that a wide exit has many of them, or at the nearest one if none is so near.

// One shape alone.
static thRouteGoal shapeOf(const thRouteGoal* goal, int32_t shape)
{
    return (thRouteGoal){.frame = goal->frame,
                         .space = goal->space,
                         .shapes = &goal->shapes[shape],
                         .shapeCount = 1,
                         .crowd = goal->crowd};
}

// How far the nearest node that sees a shape is from it; infinite if none does.
static double leastLeft(const thRouteFloor* floor, const thRouteGoal* shape,
                        const thRouteDisc* disc, void* memory)
{
    // Nothing is left from anywhere, so that nodes come by distance alone.
    const thRouteLeft none = {0};
    const thRouteNode* nodes = TH_ITEMS(floor->graph.nodes, thRouteNode);
    thRouteWalk walk =
        thiBeginRouteWalk(&floor->near, &floor->graph, &none, disc->x, disc->y, memory);
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

void thiFindRouteEnds(const thRouteFloor* floor, const thRouteGoal* goal, double leavesWithin,
                      void* memory, thRouteEnd* ends)
{
    for (int32_t i = 0; i < goal->shapeCount; ++i) {
        const thRouteGoal shape = shapeOf(goal, i);
        thiRouteGoalDiscs(&shape, &ends[i].disc);
        const double least = leastLeft(floor, &shape, &ends[i].disc, memory);
        ends[i].within = TH_MAX(leavesWithin, least);
    }
}

bool thiIsRouteEnd(const thRouteFloor* floor, const thRouteGoal* goal, const thRouteEnd* ends,
                   int32_t node, thRouteSeed* end)
{
    const thRouteNode* at = &TH_ITEMS(floor->graph.nodes, thRouteNode)[node];
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

static void* searchMemory(thRouteWalker* walker)
{
    thRouteSolver* solver = walker->solver;
    const size_t size = thiRouteSearchSize(&walker->floor->graph, &walker->floor->near);
    if (solver->memory == NULL || solver->memorySize < size) {
        solver->memory = thArena_Allocate(solver->batch->scratch, size);
        solver->memorySize = size;
    }
    return solver->memory;
}

// Where the path goes on from a node, as far as that is known; otherwise the goal.
static thPoint placeAfter(const thRouteWalker* walker, int32_t index)
{
    const thRouteNode* nodes = TH_ITEMS(walker->floor->graph.nodes, thRouteNode);
    const thRouteState* state = walker->state;
    int32_t next = -1;
    if (walker->tree != NULL)
        next = TH_ITEMS(walker->tree->now.tree.parent, int32_t)[index];
    for (int32_t i = state->nodeAt; walker->tree == NULL && i + 1 < state->nodeCount; ++i)
        if (state->nodes[i] == index)
            next = state->nodes[i + 1];
    if (next >= 0 && next < walker->floor->graph.nodes.count)
        return nodes[next].place;
    thRouteAim aim;
    const thRouteNode* node = &nodes[index];
    return thiAimAtGoal(&walker->goal, node->place, node->x, node->y, 0.0f, &aim) ? aim.to
                                                                                  : node->place;
}

bool thiSeesNode(thRouteWalker* walker, int32_t index, thPoint* place)
{
    const thRouteNode* node = &TH_ITEMS(walker->floor->graph.nodes, thRouteNode)[index];
    walker->effort += 1;
    *place = node->place;
    const bool sees =
        thiIsPortal(node)
            ? thiAimAtPortal(walker->floor->space, node, walker->place, placeAfter(walker, index),
                             walker->overlap, place)
            : thiIsClearLeg(walker->floor->space, walker->place, *place, walker->overlap);
    walker->seesAny |= sees;
    return sees;
}

bool thiSeesOverBend(const thRouteWalker* walker, int32_t index, thPoint* bend, double* length)
{
    const thRouteNode* node = &TH_ITEMS(walker->floor->graph.nodes, thRouteNode)[index];
    return walker->bends.count > 0 && thiGoOverBend(walker->floor->space, &walker->bends,
                                                    walker->place, node->place, 0.0f, bend, length);
}

// How far a place may be nearer to walls than outlines are, which keep a little off. [units]
static double besideOutlines(float overlap)
{
    return (double)(overlap + 2.0f * TH_ROUTE_SLACK) * THRONG_UNITS_PER_METRE;
}

bool thiIsTautOver(const thRouteWalker* walker, int32_t node)
{
    const thRouteGraph* graph = &walker->floor->graph;
    if (walker->anyBend || walker->bends.count > 0 || graph->turns.count == 0)
        return true;
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const thRouteTurn* turn = &TH_ITEMS(graph->turns, thRouteTurn)[node];
    return thiIsTaut(turn, nodes[node].x - walker->place.x, nodes[node].y - walker->place.y,
                     besideOutlines(walker->overlap));
}

// What the crowd adds on the path to a node. [units]
static double crowdTo(const thRouteWalker* walker, int32_t node)
{
    const thRouteNode* at = &TH_ITEMS(walker->floor->graph.nodes, thRouteNode)[node];
    return thiCrowdAlong(walker->goal.crowd, walker->place.x, walker->place.y, at->x, at->y);
}

// What hides nodes from the agent, if it cannot go round the next corner to see them.
static const thRouteHorizon* horizonOf(const thRouteWalker* walker)
{
    return walker->bends.count == 0 ? &walker->horizon : NULL;
}

// Of the nodes that the agent sees, the one over which the path costs least; −1 if none is below
// the limit. They come in the order of length: among a crowd the first need not be the one.
static int32_t bestInSight(thRouteWalker* walker, const thRouteLeft* left, double limit,
                           double* cost)
{
    const thRouteFloor* floor = walker->floor;
    void* memory = searchMemory(walker);
    if (memory == NULL)
        return -1;
    thRouteWalk walk = thiBeginRouteWalk(&floor->near, &floor->graph, left, walker->place.x,
                                         walker->place.y, memory);
    walk.horizon = horizonOf(walker);
    const thRouteNode* nodes = TH_ITEMS(floor->graph.nodes, thRouteNode);
    int32_t best = -1;
    for (;;) {
        double bound, length;
        const int32_t node = thiRouteWalkNext(&walk, limit, &bound);
        thPoint place;
        walker->effort += 1;
        if (node < 0)
            return best;
        if (left->ofNodes != NULL && !thiIsTautOver(walker, node))
            continue;
        const bool sees = thiSeesNode(walker, node, &place);
        if (!sees && !thiSeesOverBend(walker, node, &place, &length))
            continue;
        if (!sees)
            bound += length - thiRouteLength(&nodes[node], walker->place.x, walker->place.y);
        bound += crowdTo(walker, node);
        if (bound < limit || (sees && walker->goal.crowd == NULL)) {
            best = node;
            *cost = limit = bound;
        }
        if (sees && walker->goal.crowd == NULL)
            return best;
    }
}

static bool beginsAnywhere(void* context, int32_t node, double* length)
{
    thPoint place;
    return thiSeesNode(context, node, &place) || thiSeesOverBend(context, node, &place, length);
}

// Whether the path from a node to the only point of the goal could be the shortest.
static bool isTautToGoal(const thRouteWalker* walker, int32_t node)
{
    const thRouteGraph* graph = &walker->floor->graph;
    thPoint point;
    if (walker->anyBend || walker->goal.bends.count > 0 || graph->turns.count == 0 ||
        !thiPointOfGoal(&walker->goal, &point))
        return true;
    const thRouteNode* at = &TH_ITEMS(graph->nodes, thRouteNode)[node];
    const thRouteTurn* turn = &TH_ITEMS(graph->turns, thRouteTurn)[node];
    return thiIsTaut(turn, point.x - at->x, point.y - at->y, besideOutlines(TH_ROUTE_SLACK));
}

static bool seesGoal(thRouteWalker* walker, int32_t node, thRouteSeed* stop)
{
    const thRouteNode* at = &TH_ITEMS(walker->floor->graph.nodes, thRouteNode)[node];
    thRouteAim aim;
    walker->effort += 1;
    const bool sees = thiAimAtGoal(&walker->goal, at->place, at->x, at->y, 0.0f, &aim);
    *stop = (thRouteSeed){node, aim.length, aim.crowd};
    return sees;
}

static bool endsAnywhere(void* context, int32_t node, thRouteSeed* stop)
{
    return isTautToGoal(context, node) && seesGoal(context, node, stop);
}

static bool endsNearby(void* context, int32_t node, thRouteSeed* stop)
{
    const thRouteWalker* walker = context;
    return thiIsRouteEnd(walker->floor, &walker->goal, walker->ends, node, stop);
}

// Nodes that the agent sees, the nearest first: a few will do, since paths go on from there.
static int32_t listStarts(thRouteWalker* walker, void* memory, thRouteSeed* starts)
{
    const thRouteFloor* floor = walker->floor;
    const thRouteLeft none = {0};
    thRouteWalk walk = thiBeginRouteWalk(&floor->near, &floor->graph, &none, walker->place.x,
                                         walker->place.y, memory);
    walk.horizon = &walker->horizon;
    int32_t count = 0;
    for (int32_t i = 0; i < NEAR_LOOKS && count < NEAR_NODES; ++i) {
        double length;
        thPoint place;
        const int32_t node = thiRouteWalkNext(&walk, INFINITY, &length);
        if (node < 0)
            break;
        if (thiSeesNode(walker, node, &place))
            starts[count++] = (thRouteSeed){node, length, crowdTo(walker, node)};
    }
    return count;
}

// The same for nodes that see the only and small shape of the goal; 0 if it is not so.
static int32_t listStops(thRouteWalker* walker, const thRouteDisc* discs, void* memory,
                         thRouteSeed* stops)
{
    const thRouteFloor* floor = walker->floor;
    const thRouteLeft none = {0};
    int32_t count = 0;
    if (walker->goal.shapeCount != 1 || discs[0].reach > SMALL_GOAL * THRONG_UNITS_PER_METRE)
        return 0;
    thRouteWalk walk =
        thiBeginRouteWalk(&floor->near, &floor->graph, &none, discs[0].x, discs[0].y, memory);
    for (int32_t i = 0; i < NEAR_LOOKS && count < NEAR_NODES; ++i) {
        double bound;
        const int32_t node = thiRouteWalkNext(&walk, INFINITY, &bound);
        if (node < 0)
            break;
        if (seesGoal(walker, node, &stops[count]))
            count += 1;
    }
    return count;
}

// Where paths that stay on the graph end; 0 if that is at more nodes than there is room for.
static int32_t listEnds(thRouteWalker* walker, void* memory, thRouteSeed* stops)
{
    const thRouteFloor* floor = walker->floor;
    int32_t count = 0;
    for (int32_t i = 0; i < walker->goal.shapeCount; ++i) {
        const thRouteLeft none = {0};
        const thRouteEnd* end = &walker->ends[i];
        thRouteWalk walk =
            thiBeginRouteWalk(&floor->near, &floor->graph, &none, end->disc.x, end->disc.y, memory);
        double bound;
        thRouteSeed stop;
        for (;;) {
            const int32_t node =
                thiRouteWalkNext(&walk, end->disc.reach + end->within + 1.0, &bound);
            if (node < 0)
                break;
            if (!thiIsRouteEnd(floor, &walker->goal, walker->ends, node, &stop))
                continue;
            if (count == NEAR_NODES)
                return 0;
            stops[count++] = stop;
        }
    }
    return count;
}

static bool search(thRouteWalker* walker, const thRouteQuery* query, void* memory, double* length)
{
    thRouteState* state = walker->state;
    const thRouteFound found = thiFindRoute(query, memory, state->nodes, TH_ROUTE_NODES);
    walker->effort += found.effort;
    if (found.count == 0)
        return false;
    state->isCut = found.count > TH_ROUTE_NODES;
    state->nodeCount = (uint8_t)TH_MIN(found.count, TH_ROUTE_NODES);
    state->nodeAt = 0;
    state->last = found.last;
    *length = found.length;
    return true;
}

// From cell to cell.
static bool searchOnGraph(thRouteWalker* walker, thRouteQuery* query, void* memory, double* length)
{
    thRouteSeed stops[NEAR_NODES];
    const thRouteNode* first = &TH_ITEMS(walker->floor->graph.nodes, thRouteNode)[walker->first];
    const thRouteSeed start = {walker->first, thiRouteLength(first, query->x, query->y),
                               crowdTo(walker, walker->first)};
    walker->ends = thArena_Allocate(walker->solver->batch->scratch,
                                    (size_t)walker->goal.shapeCount * sizeof *walker->ends);
    if (walker->ends == NULL)
        return false;
    thiFindRouteEnds(walker->floor, &walker->goal, walker->solver->planner->def.leavesWithin,
                     memory, walker->ends);
    query->starts = &start;
    query->startCount = 1;
    query->stopCount = listEnds(walker, memory, stops);
    query->stops = query->stopCount > 0 ? stops : NULL;
    query->ends = endsNearby;
    return search(walker, query, memory, length);
}

// Over any nodes; on graphs that are not made of corners over near ones first.
static bool searchAnywhere(thRouteWalker* walker, thRouteQuery* query, void* memory, double* length)
{
    if (walker->floor->graph.turns.count == 0) {
        thRouteSeed starts[NEAR_NODES], stops[NEAR_NODES];
        thRouteQuery nearby = *query;
        nearby.starts = starts;
        nearby.startCount = listStarts(walker, memory, starts);
        nearby.stops = stops;
        nearby.stopCount = listStops(walker, query->left.discs, memory, stops);
        if (nearby.startCount > 0 && nearby.stopCount > 0 &&
            search(walker, &nearby, memory, length))
            return true;
    }
    query->begins = beginsAnywhere;
    query->ends = endsAnywhere;
    return search(walker, query, memory, length);
}

static bool searchRoute(thRouteWalker* walker, double limit, double* length)
{
    const thRouteFloor* floor = walker->floor;
    const int32_t shapes = walker->goal.shapeCount;
    thRouteDisc* discs =
        thArena_Allocate(walker->solver->batch->scratch, (size_t)shapes * sizeof *discs);
    void* memory = searchMemory(walker);
    if (discs == NULL || memory == NULL)
        return false;
    thiRouteGoalDiscs(&walker->goal, discs);
    thRouteQuery query = {.graph = &floor->graph,
                          .near = &floor->near,
                          .x = walker->place.x,
                          .y = walker->place.y,
                          .beside = besideOutlines(walker->overlap),
                          .horizon = horizonOf(walker),
                          .left = {.discs = discs, .discCount = shapes},
                          .crowd = walker->goal.crowd,
                          .landmarks = &floor->landmarks,
                          .context = walker,
                          .limit = limit,
                          .anyBend = walker->anyBend || walker->bends.count > 0};
    return walker->solver->planner->def.leavesWithin > 0.0
               ? searchOnGraph(walker, &query, memory, length)
               : searchAnywhere(walker, &query, memory, length);
}

// The node where the path along the tree begins, if it costs less than the limit; −1 if there is
// none. Paths that stay on the graph have theirs.
static int32_t findOnTree(thRouteWalker* walker, double limit)
{
    const thTreeGrowth* growth = &walker->tree->now;
    const double* distances = TH_ITEMS(growth->tree.distance, double);
    double cost = 0.0;
    if (walker->solver->planner->def.leavesWithin == 0.0) {
        const thRouteLeft left = {.ofNodes = distances,
                                  .ofBoxes = TH_ITEMS(growth->ofBoxes, double)};
        const int32_t node = bestInSight(walker, &left, limit, &cost);
        return node >= 0 && distances[node] < INFINITY ? node : -1;
    }
    const thRouteNode* first = &TH_ITEMS(walker->floor->graph.nodes, thRouteNode)[walker->first];
    cost = thiRouteLength(first, walker->place.x, walker->place.y) +
           crowdTo(walker, walker->first) + distances[walker->first];
    return cost < limit ? walker->first : -1;
}

// Paths that stay on the graph begin at the nearest node in sight.
int32_t thiFindOverNodes(thRouteWalker* walker, double limit, double* length)
{
    thRouteState* state = walker->state;
    if (walker->solver->planner->def.leavesWithin > 0.0) {
        const thRouteLeft none = {0};
        walker->first = bestInSight(walker, &none, limit, length);
        if (walker->first < 0)
            return -1;
        limit = walker->limit;
    }
    if (walker->tree == NULL)
        return searchRoute(walker, limit, length) ? state->nodes[0] : -1;
    const int32_t node = findOnTree(walker, limit);
    if (node >= 0) {
        state->nodes[0] = node;
        state->nodeCount = state->nodeAt = 1;
    }
    return node;
}
