// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// An agent that looks round: goes on along its way, or plans one.

#include "plan/graph/graph_planner_walker.h"

#include "plan/route/route_portal.h"

#include <math.h>

// A goal in sight is gone for unless that is longer than the way by this factor and length. [m]
#define FURTHER 1.02
#define FURTHER_BY 0.25

#define BETTER 0.9 // share of what its way costs that another must cost less than, to be taken

#define ADVANCES 4            // points of its way that an agent passes in one look, at most
#define BRIEF_LOOK 16.0       // how far a brief look goes [m]
#define BESIDE 0.25f          // how far beside it an agent looks for a way, beyond its radius [m]
#define THERE 0.01            // who is as near to a place beside it has come there [m]
#define LOOK_AROUND_EFFORT 64 // ways that could be looked at in the time it takes
#define NEAR_NODES 8          // where ways on other graphs than of corners begin and end at first
#define NEAR_LOOKS 64         // nodes that are looked at for these
#define SMALL_GOAL 2.0        // reach of a goal that few nodes need to see [m]

static double metresOf(double units)
{
    return units / THRONG_UNITS_PER_METRE;
}

static void* searchMemory(thRouteWalker* walker)
{
    thRouteSolver* solver = walker->solver;
    const size_t size = thiRouteSearchSize(&walker->field->graph, &walker->field->near);
    if (solver->memory == NULL || solver->memorySize < size) {
        solver->memory = thArena_Allocate(solver->batch->scratch, size);
        solver->memorySize = size;
    }
    return solver->memory;
}

static void takeAim(thRouteWalker* walker, const thRouteAim* aim)
{
    thRouteState* state = walker->state;
    const bool isPoint = walker->goal.shapes[aim->shape].kind == th_goalPoint;
    state->aim = isPoint ? th_aimGoal : aim->nearest ? th_aimNearest : th_aimPoint;
    state->targetX = aim->to.x;
    state->targetY = aim->to.y;
    state->shape = walker->goal.shapes[aim->shape].goal;
    state->rest = 0.0f;
}

static bool lookForGoal(thRouteWalker* walker, thRouteAim* aim)
{
    walker->effort += 1;
    return thiAimAtGoal(&walker->goal, walker->place, walker->place.x, walker->place.y,
                        walker->ease, aim);
}

// What the straight way to the target costs. [units]
static double costToTarget(const thRouteWalker* walker)
{
    const thRouteState* state = walker->state;
    const double dx = (double)state->targetX - walker->place.x;
    const double dy = (double)state->targetY - walker->place.y;
    return sqrt(dx * dx + dy * dy) + thiCrowdAlong(walker->goal.crowd, walker->place.x,
                                                   walker->place.y, state->targetX, state->targetY);
}

// The nodes of a way of its own, from the one it heads for to the goal. [units]
static double costOfNodes(const thRouteWalker* walker)
{
    const thRouteState* state = walker->state;
    const thRouteNode* nodes = TH_ITEMS(walker->field->graph.nodes, thRouteNode);
    double cost = 0.0;
    if (state->isCut || state->nodeAt >= state->nodeCount)
        return INFINITY; // nobody knows
    for (int32_t i = state->nodeAt; i + 1 < state->nodeCount; ++i) {
        const thRouteNode *a = &nodes[state->nodes[i]], *b = &nodes[state->nodes[i + 1]];
        cost += thiRouteLength(a, b->x, b->y) +
                thiCrowdAlong(walker->goal.crowd, a->x, a->y, b->x, b->y);
    }
    const thRouteNode* last = &nodes[state->nodes[state->nodeCount - 1]];
    thRouteAim aim;
    return thiAimAtGoal(&walker->goal, last->place, last->x, last->y, 0.0f, &aim)
               ? cost + thiCostOfAim(&aim)
               : INFINITY;
}

// What the way that the agent is on costs. [units]
static double costOfWay(const thRouteWalker* walker)
{
    const thRouteState* state = walker->state;
    double left = 0.0;
    if (state->aim == th_aimNode)
        left = walker->tree != NULL ? TH_ITEMS(walker->tree->now.tree.distance, double)[state->node]
                                    : costOfNodes(walker);
    return costToTarget(walker) + left;
}

// The same, unless what is in sight is another part of the goal, further away than the way that the
// agent is on: of alternatives the one at hand may be hidden by a corner while a far one is not.
static bool lookForNearGoal(thRouteWalker* walker, thRouteAim* aim)
{
    const double spare = FURTHER_BY * THRONG_UNITS_PER_METRE;
    const thRouteState* state = walker->state;
    if (walker->goal.crowd != NULL)
        return lookForGoal(walker, aim) && thiCostOfAim(aim) <= FURTHER * costOfWay(walker) + spare;
    const double left = costToTarget(walker) + (double)state->rest * THRONG_UNITS_PER_METRE;
    return lookForGoal(walker, aim) && aim->length <= FURTHER * left + spare;
}

// Who heads for one of several exits among a crowd stays with it, as long as it does not look for a
// better way.
static bool lookForSameGoal(thRouteWalker* walker, thRouteAim* aim)
{
    if (walker->goal.crowd == NULL)
        return lookForNearGoal(walker, aim);
    const thRouteGoal whole = walker->goal;
    for (int32_t i = 0; i < whole.shapeCount; ++i)
        if (whole.shapes[i].goal == walker->state->shape) {
            walker->goal.shapes = &whole.shapes[i];
            walker->goal.shapeCount = 1;
        }
    const bool sees = lookForGoal(walker, aim);
    if (sees)
        aim->shape += (int32_t)(walker->goal.shapes - whole.shapes);
    walker->goal = whole;
    return sees;
}

// Where the way goes on from a node, as far as that is known; otherwise the goal.
static thPoint placeAfter(const thRouteWalker* walker, int32_t index)
{
    const thRouteNode* nodes = TH_ITEMS(walker->field->graph.nodes, thRouteNode);
    const thRouteState* state = walker->state;
    int32_t next = -1;
    if (walker->tree != NULL)
        next = TH_ITEMS(walker->tree->now.tree.parent, int32_t)[index];
    for (int32_t i = state->nodeAt; walker->tree == NULL && i + 1 < state->nodeCount; ++i)
        if (state->nodes[i] == index)
            next = state->nodes[i + 1];
    if (next >= 0 && next < walker->field->graph.nodes.count)
        return nodes[next].place;
    thRouteAim aim;
    const thRouteNode* node = &nodes[index];
    return thiAimAtGoal(&walker->goal, node->place, node->x, node->y, 0.0f, &aim) ? aim.to
                                                                                  : node->place;
}

static bool seesNode(thRouteWalker* walker, int32_t index, thPoint* place)
{
    const thRouteNode* node = &TH_ITEMS(walker->field->graph.nodes, thRouteNode)[index];
    walker->effort += 1;
    *place = node->place;
    const bool sees =
        thiIsPortal(node)
            ? thiAimAtPortal(walker->field->space, node, walker->place, placeAfter(walker, index),
                             walker->ease, place)
            : thiIsClearWay(walker->field->space, walker->place, *place, walker->ease);
    walker->seesAny |= sees;
    return sees;
}

static void aimAtNode(thRouteWalker* walker, int32_t index, thPoint place)
{
    thRouteState* state = walker->state;
    if (walker->tree != NULL) {
        state->rest = (float)metresOf(thiTreeLength(&walker->tree->now.tree, index));
    } else if (state->aim == th_aimNode) {
        const thRouteNode* nodes = TH_ITEMS(walker->field->graph.nodes, thRouteNode);
        const thRouteNode* from = &nodes[state->node];
        state->rest -= (float)metresOf(thiRouteLength(&nodes[index], from->x, from->y));
    }
    state->aim = th_aimNode;
    state->node = index;
    state->targetX = place.x;
    state->targetY = place.y;
}

// Whether the way over a node could be the shortest: it is taut there, and goes on round it.
static bool isTautOver(const thRouteWalker* walker, int32_t node)
{
    const thRouteGraph* graph = &walker->field->graph;
    if (walker->anyBend || graph->turns.count == 0)
        return true;
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const thRouteTurn* turn = &TH_ITEMS(graph->turns, thRouteTurn)[node];
    const double dx = nodes[node].x - walker->place.x, dy = nodes[node].y - walker->place.y;
    const int32_t next = TH_ITEMS(walker->tree->now.tree.parent, int32_t)[node];
    return thiIsTaut(turn, dx, dy) &&
           (next < 0 || thiBendsRound(turn, dx, dy, nodes[next].x - nodes[node].x,
                                      nodes[next].y - nodes[node].y));
}

// What the crowd adds on the way to a node. [units]
static double crowdTo(const thRouteWalker* walker, int32_t node)
{
    const thRouteNode* at = &TH_ITEMS(walker->field->graph.nodes, thRouteNode)[node];
    return thiCrowdAlong(walker->goal.crowd, walker->place.x, walker->place.y, at->x, at->y);
}

// Of the nodes that the agent sees, the one over which the way costs least; −1 if none is below the
// limit. They come in the order of length: among a crowd the first need not be the one.
static int32_t bestInSight(thRouteWalker* walker, const thRouteLeft* left, double limit,
                           double* cost)
{
    const thRouteField* field = walker->field;
    void* memory = searchMemory(walker);
    if (memory == NULL)
        return -1;
    thRouteWalk walk = thiBeginRouteWalk(&field->near, &field->graph, left, walker->place.x,
                                         walker->place.y, memory);
    walk.horizon = &walker->horizon;
    int32_t best = -1;
    for (;;) {
        double bound;
        const int32_t node = thiRouteWalkNext(&walk, limit, &bound);
        thPoint place;
        walker->effort += 1;
        if (node < 0)
            return best;
        if ((left->ofNodes != NULL && !isTautOver(walker, node)) || !seesNode(walker, node, &place))
            continue;
        bound += crowdTo(walker, node);
        if (bound < limit || walker->goal.crowd == NULL) {
            best = node;
            *cost = limit = bound;
        }
        if (walker->goal.crowd == NULL)
            return best;
    }
}

static bool beginsAnywhere(void* context, int32_t node)
{
    thPoint place;
    return seesNode(context, node, &place);
}

// Whether the goal is a single point.
static bool isPointGoal(const thRouteWalker* walker, thPoint* point)
{
    if (walker->goal.shapeCount != 1 || walker->goal.shapes[0].kind != th_goalPoint)
        return false;
    *point = (thPoint){0, 0};
    thFrame_GetShapePoint(walker->goal.frame, &walker->goal.shapes[0], 0, &point->x, &point->y);
    return true;
}

// Whether the goal is a point in solid, or on a wall: no node sees that.
static bool isGoalSolid(const thRouteWalker* walker)
{
    const thRouteSpace* space = walker->field->space;
    thPoint point;
    return isPointGoal(walker, &point) && !thiIsClearPlace(space, point, thiRouteRadius(space));
}

// Whether a way that comes along (dx, dy) can go on from a node to the only point of the goal.
static bool bendsToGoal(const thRouteWalker* walker, int32_t node, double dx, double dy)
{
    const thRouteGraph* graph = &walker->field->graph;
    thPoint point;
    if (walker->anyBend || graph->turns.count == 0 || !isPointGoal(walker, &point))
        return true;
    const thRouteNode* at = &TH_ITEMS(graph->nodes, thRouteNode)[node];
    const thRouteTurn* turn = &TH_ITEMS(graph->turns, thRouteTurn)[node];
    const double outX = point.x - at->x, outY = point.y - at->y;
    return thiIsTaut(turn, outX, outY) && thiBendsRound(turn, dx, dy, outX, outY);
}

static bool seesGoal(thRouteWalker* walker, int32_t node, thRouteSeed* stop)
{
    const thRouteNode* at = &TH_ITEMS(walker->field->graph.nodes, thRouteNode)[node];
    thRouteAim aim;
    walker->effort += 1;
    const bool sees = thiAimAtGoal(&walker->goal, at->place, at->x, at->y, 0.0f, &aim);
    *stop = (thRouteSeed){node, aim.length, aim.crowd};
    return sees;
}

static bool endsAnywhere(void* context, int32_t node, double dx, double dy, thRouteSeed* stop)
{
    return bendsToGoal(context, node, dx, dy) && seesGoal(context, node, stop);
}

static bool endsNearby(void* context, int32_t node, double dx, double dy, thRouteSeed* stop)
{
    const thRouteWalker* walker = context;
    (void)dx;
    (void)dy;
    return thiIsRouteEnd(walker->field, &walker->goal, walker->ends, node, stop);
}

// Nodes that the agent sees, the nearest first: a few will do, since ways go on from there.
static int32_t listStarts(thRouteWalker* walker, void* memory, thRouteSeed* starts)
{
    const thRouteField* field = walker->field;
    const thRouteLeft none = {0};
    thRouteWalk walk = thiBeginRouteWalk(&field->near, &field->graph, &none, walker->place.x,
                                         walker->place.y, memory);
    walk.horizon = &walker->horizon;
    int32_t count = 0;
    for (int32_t i = 0; i < NEAR_LOOKS && count < NEAR_NODES; ++i) {
        double length;
        thPoint place;
        const int32_t node = thiRouteWalkNext(&walk, INFINITY, &length);
        if (node < 0)
            break;
        if (seesNode(walker, node, &place))
            starts[count++] = (thRouteSeed){node, length, crowdTo(walker, node)};
    }
    return count;
}

// The same for nodes that see the only and small shape of the goal; 0 if it is not so.
static int32_t listStops(thRouteWalker* walker, const thRouteDisc* discs, void* memory,
                         thRouteSeed* stops)
{
    const thRouteField* field = walker->field;
    const thRouteLeft none = {0};
    int32_t count = 0;
    if (walker->goal.shapeCount != 1 || discs[0].reach > SMALL_GOAL * THRONG_UNITS_PER_METRE)
        return 0;
    thRouteWalk walk =
        thiBeginRouteWalk(&field->near, &field->graph, &none, discs[0].x, discs[0].y, memory);
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

// Where ways that stay on the graph end; 0 if that is at more nodes than there is room for.
static int32_t listEnds(thRouteWalker* walker, void* memory, thRouteSeed* stops)
{
    const thRouteField* field = walker->field;
    int32_t count = 0;
    for (int32_t i = 0; i < walker->goal.shapeCount; ++i) {
        const thRouteLeft none = {0};
        const thRouteEnd* end = &walker->ends[i];
        thRouteWalk walk =
            thiBeginRouteWalk(&field->near, &field->graph, &none, end->disc.x, end->disc.y, memory);
        double bound;
        thRouteSeed stop;
        for (;;) {
            const int32_t node =
                thiRouteWalkNext(&walk, end->disc.reach + end->within + 1.0, &bound);
            if (node < 0)
                break;
            if (!thiIsRouteEnd(field, &walker->goal, walker->ends, node, &stop))
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
    const thRouteNode* first = &TH_ITEMS(walker->field->graph.nodes, thRouteNode)[walker->first];
    const thRouteSeed start = {walker->first, thiRouteLength(first, query->x, query->y),
                               crowdTo(walker, walker->first)};
    walker->ends = thArena_Allocate(walker->solver->batch->scratch,
                                    (size_t)walker->goal.shapeCount * sizeof *walker->ends);
    if (walker->ends == NULL)
        return false;
    thiFindRouteEnds(walker->field, &walker->goal, walker->solver->planner->def.stays, memory,
                     walker->ends);
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
    if (walker->field->graph.turns.count == 0) {
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

static bool searchWay(thRouteWalker* walker, double limit, double* length)
{
    const thRouteField* field = walker->field;
    const int32_t shapes = walker->goal.shapeCount;
    thRouteDisc* discs =
        thArena_Allocate(walker->solver->batch->scratch, (size_t)shapes * sizeof *discs);
    void* memory = searchMemory(walker);
    if (discs == NULL || memory == NULL)
        return false;
    thiRouteGoalDiscs(&walker->goal, discs);
    thRouteQuery query = {.graph = &field->graph,
                          .near = &field->near,
                          .x = walker->place.x,
                          .y = walker->place.y,
                          .horizon = &walker->horizon,
                          .left = {.discs = discs, .discCount = shapes},
                          .crowd = walker->goal.crowd,
                          .landmarks = &field->landmarks,
                          .context = walker,
                          .limit = limit,
                          .anyBend = walker->anyBend};
    return walker->solver->planner->def.stays > 0.0
               ? searchOnGraph(walker, &query, memory, length)
               : searchAnywhere(walker, &query, memory, length);
}

// The node where the way along the tree begins, if it costs less than the limit; −1 if there is
// none. Ways that stay on the graph have theirs.
static int32_t findOnTree(thRouteWalker* walker, double limit)
{
    const thTreeGrowth* growth = &walker->tree->now;
    const double* distances = TH_ITEMS(growth->tree.distance, double);
    double cost = 0.0;
    if (walker->solver->planner->def.stays == 0.0) {
        const thRouteLeft left = {.ofNodes = distances,
                                  .ofBoxes = TH_ITEMS(growth->ofBoxes, double)};
        const int32_t node = bestInSight(walker, &left, limit, &cost);
        return node >= 0 && distances[node] < INFINITY ? node : -1;
    }
    const thRouteNode* first = &TH_ITEMS(walker->field->graph.nodes, thRouteNode)[walker->first];
    cost = thiRouteLength(first, walker->place.x, walker->place.y) +
           crowdTo(walker, walker->first) + distances[walker->first];
    return cost < limit ? walker->first : -1;
}

// The way over nodes, if there is one that costs less than the limit.
static bool findWay(thRouteWalker* walker, double limit)
{
    thRouteState* state = walker->state;
    double length = 0.0;
    int32_t node;
    if (walker->solver->planner->def.stays > 0.0) {
        const thRouteLeft none = {0};
        walker->first = bestInSight(walker, &none, limit, &length);
        if (walker->first < 0)
            return false;
        limit = walker->limit;
    }
    if (walker->tree != NULL) {
        node = findOnTree(walker, limit);
        if (node < 0)
            return false;
        state->nodes[0] = node;
        state->nodeCount = state->nodeAt = 1;
    } else {
        if (!searchWay(walker, limit, &length))
            return false;
        node = state->nodes[0];
    }
    const thRouteNode* nodes = TH_ITEMS(walker->field->graph.nodes, thRouteNode);
    state->aim = th_aimNothing; // so that the rest is not counted from another node
    if (walker->tree == NULL)
        state->rest = (float)metresOf(
            length - thiRouteLength(&nodes[node], walker->place.x, walker->place.y));
    thPoint place = nodes[node].place;
    if (thiIsPortal(&nodes[node]))
        (void)seesNode(walker, node, &place);
    aimAtNode(walker, node, place);
    return true;
}

// What comes after the node that the agent heads for. [node; −1: the goal; −2: it is to be planned]
static int32_t nextOnWay(thRouteWalker* walker)
{
    const thRouteState* state = walker->state;
    if (walker->tree != NULL) {
        const int32_t parent = TH_ITEMS(walker->tree->now.tree.parent, int32_t)[state->node];
        return parent >= 0 ? parent : parent == -1 ? -2 : -1;
    }
    if (state->nodeAt >= state->nodeCount || state->nodes[state->nodeAt] != state->node)
        return -2; // it followed a tree that is gone
    if (state->nodeAt + 1 < state->nodeCount)
        return state->nodes[state->nodeAt + 1];
    return state->isCut ? -2 : -1;
}

// Goes on to later points of the way that are in sight. False: the way is to be planned anew.
static bool lookAlongWay(thRouteWalker* walker)
{
    thRouteState* state = walker->state;
    const int32_t nodeCount = walker->field->graph.nodes.count;
    if (state->node < 0 || state->node >= nodeCount)
        return false;
    for (int32_t i = 0; i < ADVANCES; ++i) {
        const int32_t next = nextOnWay(walker);
        thPoint place;
        thRouteAim aim;
        if (next == -2)
            return false;
        if (next == -1 && lookForNearGoal(walker, &aim)) {
            takeAim(walker, &aim);
            return true;
        }
        if (next < 0 || next >= nodeCount || !seesNode(walker, next, &place)) {
            // Otherwise the present target must be in sight still.
            const bool sees = seesNode(walker, state->node, &place);
            if (sees)
                aimAtNode(walker, state->node, place);
            return sees || i > 0;
        }
        aimAtNode(walker, next, place);
        state->nodeAt = (uint8_t)(state->nodeAt + (walker->tree == NULL));
    }
    return true;
}

// Ways that are taut are found fast. Where space is tight, corners may have no node, and ways bend
// where they should not: then all are looked at.
static bool planFromHere(thRouteWalker* walker)
{
    thRouteAim aim;
    const bool direct = lookForGoal(walker, &aim) && thiCostOfAim(&aim) < walker->limit;
    const double limit = direct ? thiCostOfAim(&aim) : walker->limit;
    walker->anyBend = false;
    if (!direct && isGoalSolid(walker))
        return false; // without a search of all there is
    if (findWay(walker, limit)) {
        // The nearest node may be behind the agent.
        if (walker->solver->planner->def.stays > 0.0)
            (void)lookAlongWay(walker);
        return true;
    }
    if (direct) {
        walker->state->nodeCount = 0;
        takeAim(walker, &aim);
        return true;
    }
    walker->anyBend = true;
    return walker->limit == INFINITY && walker->field->graph.turns.count > 0 &&
           findWay(walker, limit);
}

// Makes the way that was found from a place beside the agent one that begins there.
static void goBeside(thRouteWalker* walker, thPoint place)
{
    thRouteState* state = walker->state;
    const double dx = (double)state->targetX - place.x, dy = (double)state->targetY - place.y;
    state->rest += (float)metresOf(sqrt(dx * dx + dy * dy));
    if (state->aim != th_aimNode)
        state->node = -1;
    state->aim = th_aimBeside;
    state->targetX = place.x;
    state->targetY = place.y;
}

// Who sees no node of a graph that is not made of corners, because it stands behind one, looks from
// a few places beside it, and goes to the first that helps.
static bool planFromBeside(thRouteWalker* walker)
{
    static const int32_t stepsX[8] = {1, -1, 0, 0, 1, -1, 1, -1};
    static const int32_t stepsY[8] = {0, 0, 1, -1, 1, 1, -1, -1};
    const thPoint here = walker->place;
    const float ease = walker->ease;
    const double least =
        (double)(thiRouteRadius(walker->field->space) + BESIDE) * THRONG_UNITS_PER_METRE;
    bool found = false;
    for (int32_t i = 0; i < 24 && !found; ++i) {
        const int32_t step = (int32_t)(least * (double)(1 << i / 8));
        const thPoint place = {here.x + stepsX[i % 8] * step, here.y + stepsY[i % 8] * step};
        if (!thiIsClearPlace(walker->field->space, place, 0.0f) ||
            !thiIsClearWay(walker->field->space, here, place, ease))
            continue;
        walker->place = place;
        walker->ease = 0.0f; // there is room
        thiLookAround(walker->field->space, place, &walker->horizon);
        found = planFromHere(walker);
        if (found)
            goBeside(walker, place);
    }
    walker->place = here;
    walker->ease = ease;
    return found;
}

static void finishPlan(const thRouteWalker* walker)
{
    walker->state->asked = th_askedNothing;
    walker->state->round = (uint8_t)walker->solver->planner->round;
    const int32_t which = walker->tree == NULL;
    walker->solver->served[which] += 1;
    walker->solver->effort[which] += walker->effort;
}

// Who stands nearer to walls than its class allows may leave all the same: with the ease it takes
// to stand there, and if that leads nowhere, to whatever it sees.
void thiPlanWay(thRouteWalker* walker, uint32_t goalMark)
{
    thRouteState* state = walker->state;
    thiLookAround(walker->field->space, walker->place, &walker->horizon);
    walker->effort += LOOK_AROUND_EFFORT;
    bool found = planFromHere(walker);
    if (!found) {
        const float needed = thiEaseAt(walker->field->space, walker->place);
        if (needed > walker->ease) {
            walker->ease = needed + TH_ROUTE_SLACK;
            found = planFromHere(walker);
        }
        if (!found && needed > 0.0f) {
            walker->ease = thiRouteRadius(walker->field->space);
            found = planFromHere(walker);
        }
    }
    if (!found && !walker->seesAny && walker->field->graph.nodes.count > 0 &&
        walker->field->graph.turns.count == 0)
        found = planFromBeside(walker);
    if (!found)
        state->aim = th_aimNowhere;
    state->mark = walker->field->mark;
    state->goalMark = goalMark;
    finishPlan(walker);
}

void thiImproveWay(thRouteWalker* walker)
{
    const int32_t nodeCount = walker->field->graph.nodes.count;
    if (walker->state->aim != th_aimNowhere && walker->state->aim != th_aimBeside &&
        (walker->state->aim != th_aimNode ||
         (walker->state->node >= 0 && walker->state->node < nodeCount))) {
        thiLookAround(walker->field->space, walker->place, &walker->horizon);
        walker->effort += LOOK_AROUND_EFFORT;
        walker->limit = BETTER * costOfWay(walker);
        (void)planFromHere(walker);
    }
    finishPlan(walker);
}

// Whether the target is far away and the way there clear as far as a brief look goes: what an agent
// was pushed behind is near.
static bool isClearAhead(const thRouteWalker* walker)
{
    const thRouteState* state = walker->state;
    const double dx = (double)state->targetX - walker->place.x;
    const double dy = (double)state->targetY - walker->place.y;
    const double length = sqrt(dx * dx + dy * dy), far = BRIEF_LOOK * THRONG_UNITS_PER_METRE;
    if (length <= far)
        return false;
    const thPoint ahead = {walker->place.x + (int32_t)(dx * (far / length)),
                           walker->place.y + (int32_t)(dy * (far / length))};
    return thiIsClearWay(walker->field->space, walker->place, ahead, walker->ease);
}

// Whether what comes after the place beside the agent can be gone for, or that place still.
static bool lookFromBeside(thRouteWalker* walker)
{
    thRouteState* state = walker->state;
    const int32_t nodeCount = walker->field->graph.nodes.count;
    const thPoint target = {state->targetX, state->targetY};
    thPoint place;
    thRouteAim aim;
    if (state->node >= nodeCount)
        return false;
    if (state->node >= 0 && seesNode(walker, state->node, &place)) {
        const double dx = (double)place.x - target.x, dy = (double)place.y - target.y;
        state->rest -= (float)metresOf(sqrt(dx * dx + dy * dy));
        aimAtNode(walker, state->node, place);
        return lookAlongWay(walker);
    }
    if (state->node < 0 && lookForSameGoal(walker, &aim)) {
        takeAim(walker, &aim);
        return true;
    }
    const double dx = (double)target.x - walker->place.x, dy = (double)target.y - walker->place.y;
    return metresOf(sqrt(dx * dx + dy * dy)) > THERE &&
           thiIsClearWay(walker->field->space, walker->place, target, walker->ease);
}

// False: the way is to be planned anew.
bool thiLookOnWay(thRouteWalker* walker, bool again, bool brief)
{
    thRouteAim aim;
    const bool aims = walker->state->aim != th_aimNothing && walker->state->aim != th_aimNowhere;
    if (brief && aims && isClearAhead(walker))
        return true;
    switch (walker->state->aim) {
    case th_aimNode:
        return lookAlongWay(walker);
    case th_aimBeside:
        return lookFromBeside(walker);
    case th_aimNearest:
    case th_aimPoint:
    case th_aimGoal:
        if (!lookForSameGoal(walker, &aim))
            return false;
        takeAim(walker, &aim);
        return true;
    default:
        return !again;
    }
}

bool thiOpenWalker(thRouteSolver* solver, int32_t lane, int32_t goal, thRouteWalker* walker)
{
    const thGraphPlanner* planner = solver->planner;
    const thFrame* frame = solver->batch->frame;
    const int32_t row = solver->batch->row[lane];
    const float radius = frame->radius[row];
    const int32_t radiusClass = thiRouteClass(radius);
    walker->solver = solver;
    walker->state = solver->batch->state[lane];
    walker->room = (thShapeRoom){0};
    walker->field = thiFindRouteField(planner, radiusClass, frame->level[row]);
    if (walker->field == NULL) {
        solver->lost += 1;
        return false;
    }
    walker->tree = thiFindGoalTree(planner, radiusClass, frame->level[row], goal);
    walker->place = (thPoint){frame->px[row], frame->py[row]};
    walker->ease = thiRouteEase(walker->field, radius);
    walker->limit = INFINITY;
    walker->anyBend = false;
    walker->effort = 0;
    if (walker->state->nodeCount > TH_ROUTE_NODES) // from a damaged snapshot
        walker->state->nodeCount = 0;
    walker->seesAny = false;
    const bool known = thiLookUpGoal((thMemory*)&planner->memory, frame, walker->field->space, goal,
                                     &walker->room, &walker->goal);
    const thCrowdMap* crowd = thiFindCrowd(planner, planner->round, frame->level[row]);
    if (crowd != NULL) {
        walker->others = thiCrowdWithout(crowd, walker->place);
        walker->goal.crowd = &walker->others;
    }
    return known;
}
