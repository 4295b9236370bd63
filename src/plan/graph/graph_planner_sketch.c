// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A graph and a tree of shortest ways, for those who draw them. Of what is too much the longest
// edges are left out, which would cover all others, and of what is alike every so many-th.

#include "plan/graph/graph_planner_internal.h"
#include "plan/route/route_portal.h"
#include "throng/sketch.h"

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
static void sketchLeg(const thRouteField* field, const thRouteTree* tree, const thRouteGoal* goal,
                      int32_t index, thSketch* to)
{
    const thRouteNode* nodes = TH_ITEMS(field->graph.nodes, thRouteNode);
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
static void sketchTree(const thRouteField* field, const thRouteTree* tree, const thRouteGoal* goal,
                       thSketch* to)
{
    const int32_t* heapAt = TH_ITEMS(tree->heapAt, int32_t);
    Sieve some = sieve(thSketch_GetMost(to), tree->settled);
    for (int32_t i = 0; i < field->graph.nodes.count; ++i)
        if (heapAt[i] == -2 && passes(&some))
            sketchLeg(field, tree, goal, i, to);
    thSketch_LeaveOut(to, th_sketchTree, some.count - some.kept);
}

thResult thiSketchGraph(const thGraphPlanner* planner, const thFrame* frame, int32_t row,
                        thSketch* to)
{
    const int32_t radiusClass = thiRouteClass(frame->radius[row]), level = frame->level[row];
    const thRouteField* field = thiFindRouteField(planner, radiusClass, level);
    if (field == NULL)
        return th_resultOk;
    sketchNodes(&field->graph, to);
    if (field->graph.edges.count > 0)
        sketchEdges(&field->graph, to);
    const int32_t slot = thFrame_CurrentGoal(frame, row);
    const thGoalTree* tree = slot >= 0 ? thiFindGoalTree(planner, radiusClass, level, slot) : NULL;
    // In the slot of a goal that has gone there may be another.
    if (tree == NULL || !tree->now.planted || planner->goalsRevision != frame->goalsRevision)
        return th_resultOk;
    thMemory* memory = (thMemory*)&planner->memory;
    thShapeRoom room;
    thRouteGoal goal;
    const bool known = thiLookUpGoal(memory, frame, field->space, slot, &room, &goal);
    if (known)
        sketchTree(field, &tree->now.tree, &goal, to);
    thiFreeShapes(memory, &room);
    return known ? th_resultOk : th_resultNoMemory;
}
