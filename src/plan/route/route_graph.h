// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A graph of places for one radius class and one floor, and shortest paths on it. Edges run both
// ways. Results depend on the graph alone: of paths of equal length the one over the lower node
// wins.

#ifndef THRONG_SRC_PLAN_ROUTE_GRAPH_H
#define THRONG_SRC_PLAN_ROUTE_GRAPH_H

#include "base/memory.h"
#include "plan/crowd_map.h"
#include "plan/route/route_space.h"

typedef struct thRouteNode {
    thPoint place; // where agents go
    double x, y;   // what lengths are counted from: the place without slack [units]
    thPoint a, b;  // a portal: the place may be anywhere between these; both the place if none
} thRouteNode;

// How the outline of what is walked round goes on from a node, both ways: unit vectors. Paths bend
// there only towards the solid between them.
typedef struct thRouteTurn {
    double backX, backY, aheadX, aheadY;
    double tipSq; // the outline is a polygon round an arc; what is as near as this may be between
                  // vertex and arc, where every way leads [units²]
} thRouteTurn;

typedef struct thRouteEdge {
    int32_t to;
    int32_t unused; // no padding: graphs are compared as they are
    double length;  // [units]
} thRouteEdge;

typedef struct thRouteGraph {
    thArray nodes; // thRouteNode
    thArray first; // int32_t: where the edges of each node begin; one more than nodes
    thArray edges; // thRouteEdge, of each node in the order of `to`
    thArray turns; // thRouteTurn of each node; none if paths may bend as they like
} thRouteGraph;

// A graph of the same floor and radius that was made when walls were others, and its space.
typedef struct thFormerGraph {
    const thRouteSpace* space;
    const thRouteGraph* graph;
} thFormerGraph;

thRouteGraph thiRouteGraph(thMemory* memory);
void thiRouteGraphFree(thRouteGraph* graph);

// Makes edges from pairs of different nodes, given once for each pair and in any order, instead of
// those there are; lengths are those between (x, y). th_resultNoMemory leaves the graph without
// edges.
typedef struct thRoutePair {
    int32_t a, b;
} thRoutePair;
thResult thiRouteGraphConnect(thRouteGraph* graph, const thRoutePair* pairs, int32_t count);

// Whether a path along (dx, dy), to the node or away from it, is taut there: it touches the outline
// and does not run into it when prolonged. `beside`: how far the other end may be nearer to the
// wall than the outline, as places can be, whose disc touches it. [units]
static inline bool thiIsTaut(const thRouteTurn* turn, double dx, double dy, double beside)
{
    const double back = dx * turn->backY - dy * turn->backX;
    const double ahead = dx * turn->aheadY - dy * turn->aheadX;
    // Directions are rounded; a path too many does no harm.
    const double spare = beside + 0x1p-30 * ((dx < 0.0 ? -dx : dx) + (dy < 0.0 ? -dy : dy));
    return ((back >= -spare) & (ahead >= -spare)) | ((back <= spare) & (ahead <= spare)) |
           (dx * dx + dy * dy <= turn->tipSq);
}

// Whether a path over three nodes goes straight on at the second, along an axis. Paths that are
// told leave it out.
static inline bool thiGoesStraight(const thRouteNode* a, const thRouteNode* b, const thRouteNode* c)
{
    return (a->x == b->x && b->x == c->x && a->place.x == b->place.x && b->place.x == c->place.x &&
            (a->y < b->y) == (b->y < c->y)) ||
           (a->y == b->y && b->y == c->y && a->place.y == b->place.y && b->place.y == c->place.y &&
            (a->x < b->x) == (b->x < c->x));
}

// The straight distance from a place to a node, as lengths are counted. [units]
double thiRouteLength(const thRouteNode* node, double x, double y);

// What the crowd adds to an edge. [units]
double thiCrowdOnEdge(const thRouteGraph* graph, const thCrowdMap* crowd, int32_t from, int32_t to);

// A seed of a tree: a node, what is left from there, and what the crowd adds. [units]
typedef struct thRouteSeed {
    int32_t node;
    double length, crowd;
} thRouteSeed;

// Distances of all nodes from the nearest seed, and the neighbour that leads there. Nodes that no
// seed reaches have an infinite distance and parent −1; those nearest to a seed itself have parent
// −2 − (index of the seed). While it grows, distances and parents are final only of nodes that are
// settled: those at −2 in `heapAt`. Distances are what paths cost: their length, and what the crowd
// adds.
typedef struct thRouteTree {
    const thCrowdMap* crowd; // NULL: none
    thArray distance;        // double
    thArray length;          // double, of nodes that are settled, if there is a crowd
    thArray parent;          // int32_t
    thArray heap;            // int32_t: nodes that are reached but not settled, the nearest first
    thArray heapAt;  // int32_t: where each node is in the heap; −1 not reached, −2 settled
    int32_t settled; // number of nodes
} thRouteTree;

thRouteTree thiRouteTree(thMemory* memory);
void thiRouteTreeFree(thRouteTree* tree);

// Starts a tree over again. The crowd must outlive its growth; NULL: none.
thResult thiPlantRouteTree(const thRouteGraph* graph, const thRouteSeed* seeds, int32_t seedCount,
                           const thCrowdMap* crowd, thRouteTree* tree);
// Settles up to `count` nodes more; true when the tree is done.
bool thiGrowRouteTree(const thRouteGraph* graph, int32_t count, thRouteTree* tree);

// The length of the path from a node that is settled. [units]
static inline double thiTreeLength(const thRouteTree* tree, int32_t node)
{
    return tree->crowd != NULL ? TH_ITEMS(tree->length, double)[node]
                               : TH_ITEMS(tree->distance, double)[node];
}

#endif
