// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The way of an agent, for those who ask.

#include "plan/graph_planner_internal.h"
#include "plan/route_portal.h"

#include <math.h>

typedef struct Teller {
    const thRouteField* field;
    const thGoalTree* tree; // NULL: the way is the agent's own
    const thRouteState* state;
    thRouteGoal goal;
    thPathOut* out;
    thPoint place; // how far the way is told
    double x, y;   // the same, as lengths are counted
    double length; // [units]
} Teller;

static void goTo(Teller* teller, thPoint place, double x, double y)
{
    const double dx = x - teller->x, dy = y - teller->y;
    thPathOut_Add(teller->out, place.x, place.y);
    teller->length += sqrt(dx * dx + dy * dy);
    teller->place = place;
    teller->x = x;
    teller->y = y;
}

// Across a portal on the way to `after`; along it, where that cannot be seen otherwise.
static void goThrough(Teller* teller, const thRouteNode* portal, thPoint after)
{
    const thRouteSpace* space = teller->field->space;
    thPoint place = portal->place;
    (void)thiAimAtPortal(space, portal, teller->place, after, TH_ROUTE_SLACK, &place);
    goTo(teller, place, place.x, place.y);
    if (!thiIsClearWay(space, place, after, 0.0f))
        goTo(teller, portal->place, portal->x, portal->y);
}

// To a node, from where the way goes on to another, or to the goal if that is −1.
static void goToNode(Teller* teller, int32_t index, int32_t next)
{
    const thRouteNode* nodes = TH_ITEMS(teller->field->graph.nodes, thRouteNode);
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

// From a node along the tree; the node where it leaves the graph, −1 if there is none.
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

// The nodes after the last one that the agent remembers, searched again.
static bool tellCutEnd(Teller* teller, thMemory* memory)
{
    const thRouteField* field = teller->field;
    const thRouteNode* last = &TH_ITEMS(field->graph.nodes, thRouteNode)[teller->state->last];
    const thRouteDisc disc = {last->x, last->y, 0.0};
    const thRouteSeed start = {.node = teller->state->nodes[teller->state->nodeCount - 1]};
    const thRouteSeed stop = {.node = teller->state->last};
    const thRouteQuery query = {.graph = &field->graph,
                                .near = &field->near,
                                .x = teller->x,
                                .y = teller->y,
                                .left = {.discs = &disc, .discCount = 1},
                                .starts = &start,
                                .startCount = 1,
                                .stops = &stop,
                                .stopCount = 1,
                                .crowd = teller->goal.crowd,
                                .landmarks = &field->landmarks,
                                .limit = INFINITY};
    const size_t size = thiRouteSearchSize(&field->graph, &field->near);
    const size_t nodesSize = (size_t)field->graph.nodes.count * sizeof(int32_t);
    void* scratch = thiAllocate(memory, size);
    int32_t* nodes = thiAllocate(memory, nodesSize);
    const bool hasRoom = scratch != NULL && nodes != NULL;
    const int32_t count =
        hasRoom ? thiFindRoute(&query, scratch, nodes, field->graph.nodes.count).count : 0;
    for (int32_t i = 1; i < count; ++i)
        goToNode(teller, nodes[i], i + 1 < count ? nodes[i + 1] : -1);
    thiRelease(memory, scratch, size);
    thiRelease(memory, nodes, nodesSize);
    return count > 0;
}

// The nodes of the agent's own way; the node where it leaves the graph, −1 if it cannot be told.
static int32_t tellOwnWay(Teller* teller, thMemory* memory)
{
    const thRouteState* state = teller->state;
    const int32_t nodeCount = teller->field->graph.nodes.count;
    if (state->nodeAt >= state->nodeCount || state->nodeCount > TH_ROUTE_NODES || state->last < 0 ||
        state->last >= nodeCount)
        return -1;
    for (int32_t i = state->nodeAt; i < state->nodeCount; ++i) {
        if (state->nodes[i] < 0 || state->nodes[i] >= nodeCount)
            return -1;
        goToNode(teller, state->nodes[i], i + 1 < state->nodeCount ? state->nodes[i + 1] : -1);
    }
    return !state->isCut || tellCutEnd(teller, memory) ? state->last : -1;
}

static void tellNothing(thPathOut* out, thPlanAnswer answer, const char* why)
{
    out->answer = answer;
    out->why = why;
}

static void tell(Teller* teller, thMemory* memory, int32_t level)
{
    const thRouteState* state = teller->state;
    if (state->aim == th_aimNowhere) {
        const thRouteGoal* goal = &teller->goal;
        tellNothing(teller->out, th_planNone,
                    thiWhyNoWay(goal->frame, goal->shapes, goal->shapeCount, level));
        return;
    }
    thPoint from = teller->place;
    int32_t last = -1;
    if (state->aim == th_aimNode) {
        const bool known = state->node >= 0 && state->node < teller->field->graph.nodes.count;
        const bool follows = teller->tree != NULL && teller->tree->now.ready;
        if (known)
            last = follows ? tellTree(teller, state->node) : tellOwnWay(teller, memory);
        if (last < 0) {
            tellNothing(teller->out, th_planPending, "its way is being planned anew");
            return;
        }
        from = teller->place;
    }
    thRouteAim aim;
    if (thiAimAtGoal(&teller->goal, from, teller->x, teller->y, last < 0 ? TH_ROUTE_SLACK : 0.0f,
                     &aim))
        goTo(teller, aim.to, aim.to.x, aim.to.y);
    else // it has moved since it looked
        goTo(teller, (thPoint){state->targetX, state->targetY}, state->targetX, state->targetY);
    teller->out->length = teller->length / THRONG_UNITS_PER_METRE;
}

void thiTellGraphPath(const thGraphPlanner* planner, const thFrame* frame, int32_t row,
                      const thRouteState* state, thPathOut* out)
{
    const int32_t goal = thFrame_CurrentGoal(frame, row);
    thPathOut_Add(out, frame->px[row], frame->py[row]);
    if (goal < 0)
        return;
    const int32_t radiusClass = thiRouteClass(frame->radius[row]), level = frame->level[row];
    const thRouteField* field = thiFindRouteField(planner, radiusClass, level);
    if (field == NULL || state->goal != goal + 1 || state->aim == th_aimNothing ||
        state->mark != field->mark) {
        tellNothing(out, th_planPending, "no way has been found yet: it waits for its turn");
        return;
    }
    Teller teller = {.field = field,
                     .tree = thiFindGoalTree(planner, radiusClass, level, goal),
                     .state = state,
                     .out = out,
                     .place = {frame->px[row], frame->py[row]},
                     .x = frame->px[row],
                     .y = frame->py[row]};
    thMemory* memory = (thMemory*)&planner->memory;
    thShapeRoom room;
    if (thiLookUpGoal(memory, frame, field->space, goal, &room, &teller.goal)) {
        teller.goal.crowd = thiFindCrowd(planner, planner->round, level);
        tell(&teller, memory, level);
    } else
        tellNothing(out, th_planPending, "there is no memory to tell the way");
    thiFreeShapes(memory, &room);
}
