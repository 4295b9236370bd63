// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a graph planner shows to those who ask: an agent's path, the graph, and the tree of its
// goal.

#include "plan/graph/graph_planner_internal.h"
#include "plan/route/route_aim.h"
#include "throng/sketch.h"

#include <math.h>

typedef struct Teller {
    const thRouteFloor* floor;
    const thGoalTree* tree; // NULL: the route is the agent's own
    const thRouteState* state;
    thRouteGoal goal;
    thCrowdMap others; // the crowd without the agent, if there is one
    const char* noPath;
    bool staysOnGraph; // paths begin at a node
    float overlap;     // of paths that begin where the agent is [m]
    thPathOut* out;
    thPoint place;  // how far the path is told
    double x, y;    // the same, as lengths are counted
    double length;  // [units]
    bool isBlocked; // a wall is in the first leg: the agent has moved since it looked
} Teller;

static void goTo(Teller* teller, thPoint place, double x, double y)
{
    const double dx = x - teller->x, dy = y - teller->y;
    const thRouteSpace* space = teller->floor->space;
    if (teller->out->count == 1)
        teller->isBlocked = !thiIsClearLeg(space, teller->place, place, thiRouteRadius(space));
    thPathOut_Add(teller->out, place.x, place.y);
    teller->length += sqrt(dx * dx + dy * dy);
    teller->place = place;
    teller->x = x;
    teller->y = y;
}

static thPoint targetOf(const thRouteState* state)
{
    return (thPoint){state->targetX, state->targetY};
}

// Across a portal on the path to `after`; along it, where that cannot be seen otherwise. To the one
// that the agent heads for it may squeeze through.
static void goThrough(Teller* teller, const thRouteNode* portal, thPoint after)
{
    const thRouteSpace* space = teller->floor->space;
    const bool isFirst = teller->out->count == 1;
    thPoint place = isFirst ? targetOf(teller->state) : portal->place;
    (void)thiAimAtPortal(space, portal, teller->place, after,
                         isFirst ? teller->overlap : TH_ROUTE_SLACK, &place);
    goTo(teller, place, place.x, place.y);
    if (!thiIsClearLeg(space, place, after, 0.0f))
        goTo(teller, portal->place, portal->x, portal->y);
}

// To a node, from where the path goes on to another, or to the goal if that is −1.
static void goToNode(Teller* teller, int32_t index, int32_t next)
{
    const thRouteNode* nodes = TH_ITEMS(teller->floor->graph.nodes, thRouteNode);
    const thRouteNode* node = &nodes[index];
    if (!thiIsPortal(node)) {
        goTo(teller, node->place, node->x, node->y);
        return;
    }
    thRouteAim aim = {.to = node->place};
    if (next < 0)
        (void)thiAimAtGoal(&teller->goal, node->place, node->x, node->y, 0.0f, &aim);
    goThrough(teller, node, next >= 0 ? nodes[next].place : aim.to);
}

// From a node along the tree. The node where it leaves the graph, −1 if there is none.
static int32_t tellTree(Teller* teller, int32_t node)
{
    const int32_t* parents = TH_ITEMS(teller->tree->now.tree.parent, int32_t);
    goToNode(teller, node, parents[node]);
    while (parents[node] >= 0) {
        node = parents[node];
        goToNode(teller, node, parents[node]);
    }
    return parents[node] == -1 ? -1 : node;
}

// Whether the agent stands on the node where its path began: then it is told from there, node by
// node, although it is going to go straight where it can.
static bool isAtFirstNode(const Teller* teller)
{
    const thRouteState* state = teller->state;
    const bool goesOn =
        (teller->tree != NULL && teller->tree->now.ready) || state->nodeAt < state->nodeCount;
    if (!teller->staysOnGraph || !goesOn || state->nodeCount == 0 || state->nodes[0] < 0 ||
        state->nodes[0] >= teller->floor->graph.nodes.count)
        return false;
    const thPoint first = TH_ITEMS(teller->floor->graph.nodes, thRouteNode)[state->nodes[0]].place;
    return first.x == teller->place.x && first.y == teller->place.y;
}

// The nodes after the last one that the agent remembers, searched again.
static bool tellCutEnd(Teller* teller, thMemory* memory)
{
    const thRouteFloor* floor = teller->floor;
    const thRouteNode* last = &TH_ITEMS(floor->graph.nodes, thRouteNode)[teller->state->last];
    const thRouteDisc disc = {last->x, last->y, 0.0};
    const thRouteSeed start = {.node = teller->state->nodes[teller->state->nodeCount - 1]};
    const thRouteSeed stop = {.node = teller->state->last};
    const thRouteQuery query = {.graph = &floor->graph,
                                .near = &floor->near,
                                .x = teller->x,
                                .y = teller->y,
                                .left = {.discs = &disc, .discCount = 1},
                                .starts = &start,
                                .startCount = 1,
                                .stops = &stop,
                                .stopCount = 1,
                                .crowd = teller->goal.crowd,
                                .landmarks = &floor->landmarks,
                                .limit = INFINITY};
    const size_t size = thiRouteSearchSize(&floor->graph, &floor->near);
    const size_t nodesSize = (size_t)floor->graph.nodes.count * sizeof(int32_t);
    void* scratch = thiAllocate(memory, size);
    int32_t* nodes = thiAllocate(memory, nodesSize);
    const bool hasRoom = scratch != NULL && nodes != NULL;
    const int32_t count =
        hasRoom ? thiFindRoute(&query, scratch, nodes, floor->graph.nodes.count).count : 0;
    for (int32_t i = 1; i < count; ++i)
        goToNode(teller, nodes[i], i + 1 < count ? nodes[i + 1] : -1);
    thiRelease(memory, scratch, size);
    thiRelease(memory, nodes, nodesSize);
    return count > 0;
}

// The agent's own route from the node of a number on; the node where it leaves the graph, −1 if it
// cannot be told.
static int32_t tellOwnRoute(Teller* teller, int32_t from, thMemory* memory)
{
    const thRouteState* state = teller->state;
    const int32_t nodeCount = teller->floor->graph.nodes.count;
    if (from >= state->nodeCount || state->nodeAt >= state->nodeCount ||
        state->nodeCount > TH_ROUTE_NODES || state->last < 0 || state->last >= nodeCount)
        return -1;
    for (int32_t i = from; i < state->nodeCount; ++i) {
        if (state->nodes[i] < 0 || state->nodes[i] >= nodeCount)
            return -1;
        goToNode(teller, state->nodes[i], i + 1 < state->nodeCount ? state->nodes[i + 1] : -1);
    }
    return !state->isCut || tellCutEnd(teller, memory) ? state->last : -1;
}

// Nothing but where the agent is.
static void tellNothing(thPathOut* out, thPlanAnswer answer, const char* why)
{
    out->answer = answer;
    out->why = why;
    out->count = 1;
    out->length = 0.0;
}

// Over nodes to the one where the path leaves the graph; −1 if that cannot be told.
static int32_t tellNodes(Teller* teller, bool fromFirst, thMemory* memory)
{
    const thRouteState* state = teller->state;
    const thGoalTree* tree = teller->tree;
    const int32_t node = fromFirst ? state->nodes[0] : state->node;
    if (node < 0 || node >= teller->floor->graph.nodes.count)
        return -1;
    if (tree != NULL && tree->now.ready)
        return tellTree(teller, node);
    return fromFirst || state->nodes[TH_MIN(state->nodeAt, TH_ROUTE_NODES - 1)] == node
               ? tellOwnRoute(teller, fromFirst ? 0 : state->nodeAt, memory)
               : -1;
}

// Straight to the goal. False: it is not in sight.
static bool tellEnd(Teller* teller, float overlap)
{
    thRouteAim aim;
    if (!thiAimAtGoal(&teller->goal, teller->place, teller->x, teller->y, overlap, &aim))
        return false;
    goTo(teller, aim.to, aim.to.x, aim.to.y);
    thPoint point;
    if (aim.rest > 0.0 && thiPointOfGoal(&teller->goal, &point))
        goTo(teller, point, point.x, point.y);
    return true;
}

// Straight to where the agent goes now.
static void tellTarget(Teller* teller)
{
    const thPoint target = targetOf(teller->state);
    goTo(teller, target, target.x, target.y);
}

// From the last node to the goal; through a portal over its middle, if need be.
static bool tellFrom(Teller* teller, int32_t last)
{
    const thRouteNode* node = &TH_ITEMS(teller->floor->graph.nodes, thRouteNode)[last];
    if (tellEnd(teller, 0.0f))
        return true;
    goTo(teller, node->place, node->x, node->y);
    return tellEnd(teller, 0.0f);
}

// False: the path does not lead to the goal any more.
static bool tellPath(Teller* teller, thMemory* memory)
{
    const thRouteState* state = teller->state;
    const bool isBeside = state->aim == th_aimBeside, fromFirst = isAtFirstNode(teller);
    bool isWhole;
    if (isBeside && !fromFirst)
        tellTarget(teller);
    if (fromFirst || state->aim == th_aimNode || (isBeside && state->node >= 0)) {
        const int32_t last = tellNodes(teller, fromFirst, memory);
        isWhole = last >= 0 && tellFrom(teller, last);
    } else {
        isWhole = tellEnd(teller, isBeside ? 0.0f : teller->overlap);
        if (!isWhole && !isBeside) { // it is nearer to walls than it may be, or has moved
            tellTarget(teller);
            isWhole = true;
        }
    }
    return isWhole && !teller->isBlocked;
}

static const char* whyNone(const Teller* teller, int32_t level)
{
    const thRouteGoal* goal = &teller->goal;
    return thiWhyNoPath(goal->frame, goal->shapes, goal->shapeCount, level, teller->noPath);
}

static void tell(Teller* teller, thMemory* memory, int32_t level)
{
    if (teller->state->aim == th_aimNowhere)
        tellNothing(teller->out, th_planNone, whyNone(teller, level));
    else if (tellPath(teller, memory)) {
        teller->out->length = teller->length / THRONG_UNITS_PER_METRE;
        if (teller->state->isTight != 0) {
            teller->out->answer = th_planPartial;
            teller->out->why = TH_TIGHT_GOAL;
        }
    } else
        tellNothing(teller->out, th_planPending, "its way is being planned anew");
}

void thiTellGraphPath(const thGraphPlanner* planner, const thFrame* frame, int32_t row,
                      const thRouteState* state, thPathOut* out)
{
    const int32_t goal = thFrame_CurrentGoal(frame, row);
    thPathOut_Add(out, frame->px[row], frame->py[row]);
    if (goal < 0)
        return;
    const int32_t radiusClass = thiRouteClass(frame->radius[row]), level = frame->level[row];
    const thRouteFloor* floor = thiFindRouteFloor(planner, radiusClass, level);
    if (floor == NULL || state->goal != goal + 1 || state->isFormer ||
        state->aim == th_aimNothing || state->mark != floor->mark) {
        tellNothing(out, th_planPending, "no way has been found yet: it waits for its turn");
        return;
    }
    Teller teller = {.floor = floor,
                     .tree = thiFindGoalTree(planner, radiusClass, level, goal),
                     .state = state,
                     .noPath = planner->def.noPath,
                     .staysOnGraph = planner->def.leavesWithin > 0.0,
                     .overlap = thiAllowedOverlap(floor, frame->radius[row]),
                     .out = out,
                     .place = {frame->px[row], frame->py[row]},
                     .x = frame->px[row],
                     .y = frame->py[row]};
    thMemory* memory = (thMemory*)&planner->memory;
    thShapeRoom room;
    if (thiLookUpGoal(memory, frame, floor->space, goal, &room, &teller.goal)) {
        const thCrowdMap* crowd = thiFindCrowd(planner, planner->round, level);
        if (crowd != NULL) {
            teller.others = thiCrowdWithout(crowd, teller.place);
            teller.goal.crowd = &teller.others;
        }
        thiFindGoalBends(floor, &teller.goal);
        tell(&teller, memory, level);
    } else
        tellNothing(out, th_planPending, "there is no memory to tell the way");
    thiFreeShapes(memory, &room);
}

// A graph and a tree of shortest paths, to be drawn. Of what is too much the longest
// edges are left out, which would cover all others, and of what is alike every so many-th.

// Lengths up to 2^40 units, which no world has.
#define OCTAVES 40

static thSketchPoint pointOf(thPoint p)
{
    return (thSketchPoint){p.x, p.y};
}

// Keeps `kept` of `count` items, evenly.
typedef struct Sieve {
    int64_t kept, count;
    int64_t sum;
} Sieve;

static Sieve sieve(int64_t most, int64_t count)
{
    return (Sieve){.kept = TH_MIN(most, count), .count = count};
}

static bool passes(Sieve* sieve)
{
    sieve->sum += sieve->kept;
    if (sieve->sum < sieve->count)
        return false;
    sieve->sum -= sieve->count;
    return true;
}

static void addLeg(thSketch* to, thSketchLayer layer, double left, thPoint a, thPoint b)
{
    const thSketchPoint ends[2] = {pointOf(a), pointOf(b)};
    thSketch_Add(to, layer, (float)(left / THRONG_UNITS_PER_METRE), ends, 2);
}

static void sketchNodes(const thRouteGraph* graph, thSketch* to)
{
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    Sieve some = sieve(thSketch_GetMost(to), graph->nodes.count);
    for (int32_t i = 0; i < graph->nodes.count; ++i) {
        if (!passes(&some))
            continue;
        const thSketchPoint ends[2] = {pointOf(nodes[i].a), pointOf(nodes[i].b)};
        const thSketchPoint place = pointOf(nodes[i].place);
        if (thiIsPortal(&nodes[i]))
            thSketch_Add(to, th_sketchNode, 0.0f, ends, 2);
        else
            thSketch_Add(to, th_sketchNode, 0.0f, &place, 1);
    }
    thSketch_LeaveOut(to, th_sketchNode, some.count - some.kept);
}

static int32_t octaveOf(const thRouteEdge* edge)
{
    int32_t octave = 0;
    for (double length = edge->length; length >= 2.0 && octave < OCTAVES - 1; length *= 0.5)
        octave += 1;
    return octave;
}

// Edges are there twice; each is counted at its lower node.
static void countOctaves(const thRouteGraph* graph, int64_t* counts)
{
    const int32_t* first = TH_ITEMS(graph->first, int32_t);
    const thRouteEdge* edges = TH_ITEMS(graph->edges, thRouteEdge);
    for (int32_t i = 0; i < graph->nodes.count; ++i)
        for (int32_t k = first[i]; k < first[i + 1]; ++k)
            if (edges[k].to > i)
                counts[octaveOf(&edges[k])] += 1;
}

static void sketchEdges(const thRouteGraph* graph, thSketch* to)
{
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const int32_t* first = TH_ITEMS(graph->first, int32_t);
    const thRouteEdge* edges = TH_ITEMS(graph->edges, thRouteEdge);
    int64_t counts[OCTAVES] = {0}, room = thSketch_GetMost(to);
    Sieve some[OCTAVES];
    countOctaves(graph, counts);
    for (int32_t i = 0; i < OCTAVES; ++i) {
        some[i] = sieve(room, counts[i]);
        room -= some[i].kept;
        thSketch_LeaveOut(to, th_sketchEdge, some[i].count - some[i].kept);
    }
    for (int32_t i = 0; i < graph->nodes.count; ++i)
        for (int32_t k = first[i]; k < first[i + 1]; ++k)
            if (edges[k].to > i && passes(&some[octaveOf(&edges[k])]))
                addLeg(to, th_sketchEdge, 0.0, nodes[i].place, nodes[edges[k].to].place);
}

// From a node to the one that comes next, or to the goal.
static void sketchLeg(const thRouteFloor* floor, const thRouteTree* tree, const thRouteGoal* goal,
                      int32_t index, thSketch* to)
{
    const thRouteNode* nodes = TH_ITEMS(floor->graph.nodes, thRouteNode);
    const thRouteNode* node = &nodes[index];
    const double left = TH_ITEMS(tree->distance, double)[index];
    const int32_t parent = TH_ITEMS(tree->parent, int32_t)[index];
    thRouteAim aim;
    if (parent >= 0)
        addLeg(to, th_sketchTree, left, node->place, nodes[parent].place);
    else if (thiAimAtGoal(goal, node->place, node->x, node->y, 0.0f, &aim))
        addLeg(to, th_sketchTree, left, node->place, aim.to);
}

// While a tree grows, what is settled is final.
static void sketchTree(const thRouteFloor* floor, const thRouteTree* tree, const thRouteGoal* goal,
                       thSketch* to)
{
    const int32_t* heapAt = TH_ITEMS(tree->heapAt, int32_t);
    Sieve some = sieve(thSketch_GetMost(to), tree->settled);
    for (int32_t i = 0; i < floor->graph.nodes.count; ++i)
        if (heapAt[i] == -2 && passes(&some))
            sketchLeg(floor, tree, goal, i, to);
    thSketch_LeaveOut(to, th_sketchTree, some.count - some.kept);
}

thResult thiSketchGraph(const thGraphPlanner* planner, const thFrame* frame, int32_t row,
                        thSketch* to)
{
    const int32_t radiusClass = thiRouteClass(frame->radius[row]), level = frame->level[row];
    const thRouteFloor* floor = thiFindRouteFloor(planner, radiusClass, level);
    if (floor == NULL)
        return th_resultOk;
    sketchNodes(&floor->graph, to);
    if (floor->graph.edges.count > 0)
        sketchEdges(&floor->graph, to);
    const int32_t slot = thFrame_CurrentGoal(frame, row);
    const thGoalTree* tree = slot >= 0 ? thiFindGoalTree(planner, radiusClass, level, slot) : NULL;
    // In the slot of a goal that has gone there may be another.
    if (tree == NULL || !tree->now.planted || planner->goalsRevision != frame->goalsRevision)
        return th_resultOk;
    thMemory* memory = (thMemory*)&planner->memory;
    thShapeRoom room;
    thRouteGoal goal;
    const bool known = thiLookUpGoal(memory, frame, floor->space, slot, &room, &goal);
    if (known)
        sketchTree(floor, &tree->now.tree, &goal, to);
    thiFreeShapes(memory, &room);
    return known ? th_resultOk : th_resultNoMemory;
}
