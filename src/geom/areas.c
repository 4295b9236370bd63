// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Areas of many polygons as a graph in the plane: cut, kept where solid meets free, and walked
// round.
//
// Edges are cut where they meet, until they meet at vertices only. How often each side of an edge
// is covered follows from one vertex to the next, because it changes by an edge's weight. Edges
// with solid on one side and not on the other are kept. What is free within solid is tied to the
// outline round it by two bridges, to the west from its westernmost corner and to the east from its
// easternmost: then no face can touch itself. The faces are the outlines.

#include "geom/areas.h"

#include "geom/fixed.h"

#include <stdlib.h>

// A corner that is nearer to an edge becomes a corner of it, and corners that are nearer to each
// other become one. The second is twice the first, so that what was cut is not cut back. [units]
#define NEAR_EDGE (TH_AREA_SNAP / 2)
#define NEAR_CORNER TH_AREA_SNAP

// Bounds of the work: rounds of cutting, and pairs of edges compared in a round.
#define MOST_ROUNDS 64
#define MOST_PAIRS 400000000
#define MOST_EDGES (16 << 20)

#define LEAF_EDGES 8

typedef struct Edge {
    int32_t from, to;
    int32_t weight; // how much more often its left is covered than its right
    bool isBridge;  // a cut through solid
} Edge;

typedef struct Box {
    int32_t lowX, lowY, highX, highY;
} Box;

// An edge that leaves a vertex; those of a vertex stand together, counter-clockwise from the west.
typedef struct Spoke {
    thPoint at, to;
    int32_t vertex, edge;
    bool leaves;     // the edge runs from this vertex
    int32_t covered; // how often what is to the left is
} Spoke;

typedef struct Cut {
    int32_t edge, vertex;
    double along;
} Cut;

typedef struct CodedEdge {
    uint64_t code;
    Edge edge;
} CodedEdge;

struct thAreas {
    thMemory* memory;
    thArray vertices;   // thPoint
    thArray edges;      // Edge
    thArray boxes;      // Box: of the nodes of a tree over the edges, the root is 1
    int32_t leafCount;  // a power of two
    int64_t pairs;      // compared in this round
    thArray cuts;       // Cut
    thArray spokes;     // Spoke
    thArray spokeStart; // int32_t: of a vertex's spokes
    thArray spokeOf;    // int32_t: of an edge at its start, and at its end
    thArray loops;      // int32_t: of the half-edges to the left of an edge, and to its right
    thArray loopIsRoom; // uint8_t: by loop
    thArray stack;      // int32_t
    thArray places;     // int32_t: where a vertex is in the stack, −1: nowhere
    thArray sorted;     // for sorting
};

#define AREA_ARRAYS(X)                                                                             \
    X(thPoint, vertices)                                                                           \
    X(Edge, edges)                                                                                 \
    X(Box, boxes)                                                                                  \
    X(Cut, cuts)                                                                                   \
    X(Spoke, spokes)                                                                               \
    X(int32_t, spokeStart)                                                                         \
    X(int32_t, spokeOf)                                                                            \
    X(int32_t, loops)                                                                              \
    X(uint8_t, loopIsRoom)                                                                         \
    X(int32_t, stack)                                                                              \
    X(int32_t, places)                                                                             \
    X(CodedEdge, sorted)

thResult thiCreateAreas(thMemory* memory, thAreas** areas)
{
    *areas = thiAllocateZero(memory, sizeof **areas);
    if (*areas == NULL)
        return th_resultNoMemory;
    (*areas)->memory = memory;
#define X(type, name) (*areas)->name = thiArray(memory, (int32_t)sizeof(type));
    AREA_ARRAYS(X)
#undef X
    return th_resultOk;
}

void thiDestroyAreas(thAreas* areas)
{
    if (areas == NULL)
        return;
#define X(type, name) thiArrayFree(&areas->name);
    AREA_ARRAYS(X)
#undef X
    thiRelease(areas->memory, areas, sizeof *areas);
}

static thPoint vertexAt(const thAreas* areas, int32_t vertex)
{
    return TH_ITEMS(areas->vertices, thPoint)[vertex];
}

static void* addOne(thArray* array)
{
    return thiArrayReserveAmply(array, (int64_t)array->count + 1) == th_resultOk
               ? thiArrayAdd(array, 1)
               : NULL;
}

// An array of so many items, whatever they were.
static thResult resize(thArray* array, int64_t count)
{
    if (count > MOST_EDGES * (int64_t)4)
        return th_resultFull;
    array->count = 0;
    return thiArrayAdd(array, (int32_t)count) != NULL || count == 0 ? th_resultOk
                                                                    : th_resultNoMemory;
}

thResult thiAddArea(thAreas* areas, const thPoint* corners, int32_t count)
{
    const int32_t first = areas->vertices.count;
    if (first > MOST_EDGES - count)
        return th_resultFull;
    TH_TRY(thiArrayReserveAmply(&areas->vertices, (int64_t)first + count));
    TH_TRY(thiArrayReserveAmply(&areas->edges, (int64_t)areas->edges.count + count));
    thPoint* vertices = thiArrayAdd(&areas->vertices, count);
    Edge* edges = thiArrayAdd(&areas->edges, count);
    for (int32_t i = 0; i < count; ++i) {
        vertices[i] = corners[i];
        edges[i] =
            (Edge){.from = first + i, .to = first + (i + 1 < count ? i + 1 : 0), .weight = 1};
    }
    return th_resultOk;
}

// Vertices.

// The nearest place that float has: outlines pass through it.
static int32_t floatUnits(double units)
{
    return thiUnits((float)(units / THRONG_UNITS_PER_METRE));
}

static int comparePoints(thPoint a, thPoint b)
{
    return a.x != b.x ? (a.x > b.x) - (a.x < b.x) : (a.y > b.y) - (a.y < b.y);
}

typedef struct SortedVertex {
    thPoint at;
    int32_t vertex;
} SortedVertex;

static int compareVertices(const void* left, const void* right)
{
    const SortedVertex* a = left;
    const SortedVertex* b = right;
    const int byPlace = comparePoints(a->at, b->at);
    return byPlace != 0 ? byPlace : (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static bool areNear(thPoint a, thPoint b, double distance)
{
    const double dx = (double)a.x - b.x, dy = (double)a.y - b.y;
    return dx * dx + dy * dy <= distance * distance;
}

// Vertices by square cells, in lists.
typedef struct VertexCells {
    int32_t* heads; // of the lists; −1: empty
    int32_t* next;  // in the list, by vertex
    uint32_t mask;
} VertexCells;

static uint32_t cellOf(const VertexCells* cells, int64_t x, int64_t y)
{
    const uint64_t mixed =
        (uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)y * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (uint32_t)(mixed >> 32) & cells->mask;
}

static int64_t columnOf(int32_t units)
{
    return ((int64_t)units + INT32_MAX) / NEAR_CORNER;
}

// The first vertex near a place; −1: none.
static int32_t findNear(const thPoint* vertices, const VertexCells* cells, thPoint at)
{
    int32_t first = -1;
    for (int64_t dy = -1; dy <= 1; ++dy)
        for (int64_t dx = -1; dx <= 1; ++dx) {
            const uint32_t cell = cellOf(cells, columnOf(at.x) + dx, columnOf(at.y) + dy);
            for (int32_t i = cells->heads[cell]; i >= 0; i = cells->next[i])
                if (areNear(at, vertices[i], NEAR_CORNER) && (first < 0 || i < first))
                    first = i;
        }
    return first;
}

// Puts vertices into the order (x, y) and makes one of those near each other, of which the first
// stays where it is. Fills `map` with where each went; returns how many are left.
static int32_t joinVertices(thPoint* vertices, int32_t count, SortedVertex* sorted,
                            VertexCells* cells, int32_t* map)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i)
        sorted[i] = (SortedVertex){vertices[i], i};
    qsort(sorted, (size_t)count, sizeof *sorted, compareVertices);
    for (uint32_t i = 0; i <= cells->mask; ++i)
        cells->heads[i] = -1;
    for (int32_t i = 0; i < count; ++i) {
        const thPoint at = sorted[i].at;
        const int32_t near = findNear(vertices, cells, at);
        map[sorted[i].vertex] = near >= 0 ? near : kept;
        if (near >= 0)
            continue;
        const uint32_t cell = cellOf(cells, columnOf(at.x), columnOf(at.y));
        cells->next[kept] = cells->heads[cell];
        cells->heads[cell] = kept;
        vertices[kept++] = at; // what stood there is in `sorted`
    }
    return kept;
}

static thResult mergeVertices(thAreas* areas)
{
    const int32_t count = areas->vertices.count;
    if (count == 0)
        return th_resultOk;
    VertexCells cells = {.mask = 1};
    while (cells.mask < (uint32_t)count)
        cells.mask = 2 * cells.mask + 1;
    const size_t headsSize = ((size_t)cells.mask + 1) * sizeof(int32_t);
    const size_t listSize = (size_t)count * sizeof(int32_t);
    const size_t sortedSize = (size_t)count * sizeof(SortedVertex);
    SortedVertex* sorted = thiAllocate(areas->memory, sortedSize);
    int32_t* map = thiAllocate(areas->memory, listSize);
    cells.next = thiAllocate(areas->memory, listSize);
    cells.heads = thiAllocate(areas->memory, headsSize);
    const bool hasRoom = sorted != NULL && map != NULL && cells.next != NULL && cells.heads != NULL;
    if (hasRoom) {
        areas->vertices.count =
            joinVertices(TH_ITEMS(areas->vertices, thPoint), count, sorted, &cells, map);
        for (int32_t i = 0; i < areas->edges.count; ++i) {
            Edge* edge = &TH_ITEMS(areas->edges, Edge)[i];
            edge->from = map[edge->from];
            edge->to = map[edge->to];
        }
    }
    thiRelease(areas->memory, sorted, sortedSize);
    thiRelease(areas->memory, map, listSize);
    thiRelease(areas->memory, cells.next, listSize);
    thiRelease(areas->memory, cells.heads, headsSize);
    return hasRoom ? th_resultOk : th_resultNoMemory;
}

// Edges.

static int compareEdges(const void* left, const void* right)
{
    const Edge* a = left;
    const Edge* b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

// Makes one of edges between the same vertices. Whoever covers both sides alike goes, unless it is
// a bridge.
static void mergeEdges(thAreas* areas)
{
    Edge* edges = TH_ITEMS(areas->edges, Edge);
    int32_t count = 0, kept = 0;
    for (int32_t i = 0; i < areas->edges.count; ++i) {
        Edge edge = edges[i];
        if (edge.from == edge.to)
            continue;
        if (edge.from > edge.to)
            edge = (Edge){edge.to, edge.from, -edge.weight, edge.isBridge};
        edges[count++] = edge;
    }
    if (count > 0)
        qsort(edges, (size_t)count, sizeof *edges, compareEdges);
    for (int32_t i = 0; i < count;) {
        Edge sum = edges[i];
        for (++i; i < count && compareEdges(&sum, &edges[i]) == 0; ++i) {
            sum.weight += edges[i].weight;
            sum.isBridge |= edges[i].isBridge;
        }
        if (sum.weight != 0 || sum.isBridge)
            edges[kept++] = sum;
    }
    areas->edges.count = kept;
}

// The bits of a number, every other one.
static uint64_t spread(uint32_t value)
{
    uint64_t bits = value;
    bits = (bits | bits << 16) & UINT64_C(0x0000ffff0000ffff);
    bits = (bits | bits << 8) & UINT64_C(0x00ff00ff00ff00ff);
    bits = (bits | bits << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    bits = (bits | bits << 2) & UINT64_C(0x3333333333333333);
    return (bits | bits << 1) & UINT64_C(0x5555555555555555);
}

static int compareCodes(const void* left, const void* right)
{
    const CodedEdge* a = left;
    const CodedEdge* b = right;
    return a->code != b->code ? (a->code > b->code) - (a->code < b->code)
                              : compareEdges(&a->edge, &b->edge);
}

static Box boxOf(const thAreas* areas, const Edge* edge)
{
    const thPoint a = vertexAt(areas, edge->from), b = vertexAt(areas, edge->to);
    return (Box){TH_MIN(a.x, b.x) - NEAR_EDGE, TH_MIN(a.y, b.y) - NEAR_EDGE,
                 TH_MAX(a.x, b.x) + NEAR_EDGE, TH_MAX(a.y, b.y) + NEAR_EDGE};
}

static Box bothBoxes(Box a, Box b)
{
    return (Box){TH_MIN(a.lowX, b.lowX), TH_MIN(a.lowY, b.lowY), TH_MAX(a.highX, b.highX),
                 TH_MAX(a.highY, b.highY)};
}

static bool doBoxesMeet(const Box* a, const Box* b)
{
    return a->lowX <= b->highX && b->lowX <= a->highX && a->lowY <= b->highY && b->lowY <= a->highY;
}

// Sorts edges so that those near each other stand together, and puts boxes round eight of them,
// round two such boxes, and so on.
static thResult buildTree(thAreas* areas)
{
    const int32_t count = areas->edges.count;
    Edge* edges = TH_ITEMS(areas->edges, Edge);
    TH_TRY(resize(&areas->sorted, count));
    CodedEdge* sorted = TH_ITEMS(areas->sorted, CodedEdge);
    for (int32_t i = 0; i < count; ++i) {
        const Box box = boxOf(areas, &edges[i]);
        const uint32_t x = (uint32_t)(((int64_t)box.lowX + box.highX) / 2) + UINT32_C(0x80000000);
        const uint32_t y = (uint32_t)(((int64_t)box.lowY + box.highY) / 2) + UINT32_C(0x80000000);
        sorted[i] = (CodedEdge){spread(x) | spread(y) << 1, edges[i]};
    }
    if (count > 0)
        qsort(sorted, (size_t)count, sizeof *sorted, compareCodes);
    for (int32_t i = 0; i < count; ++i)
        edges[i] = sorted[i].edge;
    areas->leafCount = 1;
    while (areas->leafCount * (int64_t)LEAF_EDGES < count)
        areas->leafCount *= 2;
    TH_TRY(resize(&areas->boxes, 2 * (int64_t)areas->leafCount));
    Box* boxes = TH_ITEMS(areas->boxes, Box);
    for (int32_t node = 2 * areas->leafCount - 1; node > 0; --node) {
        boxes[node] = (Box){INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
        if (node < areas->leafCount) {
            boxes[node] = bothBoxes(boxes[2 * node], boxes[2 * node + 1]);
            continue;
        }
        const int32_t first = (node - areas->leafCount) * LEAF_EDGES;
        for (int32_t i = first; i < TH_MIN(first + LEAF_EDGES, count); ++i)
            boxes[node] = bothBoxes(boxes[node], boxOf(areas, &edges[i]));
    }
    return th_resultOk;
}

// Cutting.

static thResult addCut(thAreas* areas, int32_t edge, int32_t vertex)
{
    const Edge* whole = &TH_ITEMS(areas->edges, Edge)[edge];
    const thPoint a = vertexAt(areas, whole->from), b = vertexAt(areas, whole->to);
    const thPoint p = vertexAt(areas, vertex);
    Cut* cut = areas->cuts.count < MOST_EDGES ? addOne(&areas->cuts) : NULL;
    if (cut == NULL)
        return areas->cuts.count < MOST_EDGES ? th_resultNoMemory : th_resultFull;
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    *cut = (Cut){edge, vertex, ((double)p.x - a.x) * dx + ((double)p.y - a.y) * dy};
    return th_resultOk;
}

// Whether a vertex that is no end of an edge is near it, beside it.
static bool isNearEdge(const thAreas* areas, const Edge* edge, int32_t vertex)
{
    if (vertex == edge->from || vertex == edge->to)
        return false;
    const thPoint a = vertexAt(areas, edge->from), b = vertexAt(areas, edge->to);
    const thPoint p = vertexAt(areas, vertex);
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    const double px = (double)p.x - a.x, py = (double)p.y - a.y;
    const double along = px * dx + py * dy, square = dx * dx + dy * dy;
    if (along <= 0.0 || along >= square)
        return false;
    const double across = px * dy - py * dx;
    return across * across <= (double)NEAR_EDGE * NEAR_EDGE * square;
}

// Where two segments cross, of which each has the other's ends on both of its sides.
static thPoint crossingOf(thPoint a, thPoint b, thPoint c, thPoint d)
{
    const double abX = (double)b.x - a.x, abY = (double)b.y - a.y;
    const double cdX = (double)d.x - c.x, cdY = (double)d.y - c.y;
    const double acX = (double)c.x - a.x, acY = (double)c.y - a.y;
    const double share = (acX * cdY - acY * cdX) / (abX * cdY - abY * cdX);
    const double inside = TH_MIN(TH_MAX(share, 0.0), 1.0);
    return (thPoint){floatUnits(a.x + inside * abX), floatUnits(a.y + inside * abY)};
}

static thResult cutPair(thAreas* areas, int32_t first, int32_t second)
{
    const Edge* edges = TH_ITEMS(areas->edges, Edge);
    const Edge e = edges[first], f = edges[second];
    if (++areas->pairs > MOST_PAIRS)
        return th_resultFull;
    bool isNear = false;
    const int32_t ends[2][2] = {{f.from, f.to}, {e.from, e.to}};
    for (int32_t side = 0; side < 2; ++side)
        for (int32_t end = 0; end < 2; ++end) {
            if (!isNearEdge(areas, side == 0 ? &e : &f, ends[side][end]))
                continue;
            isNear = true;
            TH_TRY(addCut(areas, side == 0 ? first : second, ends[side][end]));
        }
    if (isNear || e.from == f.from || e.from == f.to || e.to == f.from || e.to == f.to)
        return th_resultOk;
    const thPoint a = vertexAt(areas, e.from), b = vertexAt(areas, e.to);
    const thPoint c = vertexAt(areas, f.from), d = vertexAt(areas, f.to);
    if (thiOrientation(a, b, c) * thiOrientation(a, b, d) >= 0 ||
        thiOrientation(c, d, a) * thiOrientation(c, d, b) >= 0)
        return th_resultOk;
    const int32_t vertex = areas->vertices.count;
    thPoint* at = vertex < MOST_EDGES ? addOne(&areas->vertices) : NULL;
    if (at == NULL)
        return vertex < MOST_EDGES ? th_resultNoMemory : th_resultFull;
    *at = crossingOf(a, b, c, d);
    TH_TRY(addCut(areas, first, vertex));
    return addCut(areas, second, vertex);
}

static thResult cutLeaves(thAreas* areas, int32_t a, int32_t b)
{
    const int32_t firstA = (a - areas->leafCount) * LEAF_EDGES;
    const int32_t firstB = (b - areas->leafCount) * LEAF_EDGES, count = areas->edges.count;
    const Edge* edges = TH_ITEMS(areas->edges, Edge);
    for (int32_t i = firstA; i < TH_MIN(firstA + LEAF_EDGES, count); ++i) {
        const Box box = boxOf(areas, &edges[i]);
        for (int32_t k = a == b ? i + 1 : firstB; k < TH_MIN(firstB + LEAF_EDGES, count); ++k) {
            const Box other = boxOf(areas, &edges[k]);
            if (doBoxesMeet(&box, &other))
                TH_TRY(cutPair(areas, i, k));
        }
    }
    return th_resultOk;
}

// All pairs of edges below two nodes of the tree, which are as far from the root.
static thResult cutNodes(thAreas* areas, int32_t a, int32_t b)
{
    const Box* boxes = TH_ITEMS(areas->boxes, Box);
    if (!doBoxesMeet(&boxes[a], &boxes[b]))
        return th_resultOk;
    if (a >= areas->leafCount)
        return cutLeaves(areas, a, b);
    TH_TRY(cutNodes(areas, 2 * a, 2 * b));
    TH_TRY(cutNodes(areas, 2 * a, 2 * b + 1));
    if (a != b)
        TH_TRY(cutNodes(areas, 2 * a + 1, 2 * b));
    return cutNodes(areas, 2 * a + 1, 2 * b + 1);
}

static int compareCuts(const void* left, const void* right)
{
    const Cut* a = left;
    const Cut* b = right;
    if (a->edge != b->edge)
        return a->edge < b->edge ? -1 : 1;
    if (a->along != b->along)
        return a->along < b->along ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

// Puts chains in the place of edges that were cut.
static thResult makeCuts(thAreas* areas)
{
    const int32_t count = areas->cuts.count;
    Cut* cuts = TH_ITEMS(areas->cuts, Cut);
    if (count > 0)
        qsort(cuts, (size_t)count, sizeof *cuts, compareCuts);
    if (areas->edges.count > MOST_EDGES - count)
        return th_resultFull;
    Edge* added = thiArrayAdd(&areas->edges, count);
    Edge* edges = TH_ITEMS(areas->edges, Edge);
    if (added == NULL && count > 0)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i) {
        Edge* edge = &edges[cuts[i].edge];
        added[i] = *edge;
        added[i].to = cuts[i].vertex;
        edge->from = cuts[i].vertex;
    }
    return th_resultOk;
}

// Cuts edges until they meet at vertices only.
static thResult cutEdges(thAreas* areas)
{
    for (int32_t round = 0; round < MOST_ROUNDS; ++round) {
        areas->pairs = 0;
        areas->cuts.count = 0;
        TH_TRY(mergeVertices(areas));
        mergeEdges(areas);
        TH_TRY(buildTree(areas));
        TH_TRY(cutNodes(areas, 1, 1));
        if (areas->cuts.count == 0)
            return th_resultOk;
        TH_TRY(makeCuts(areas));
    }
    return th_resultFull;
}

// Spokes.

static int compareSpokes(const void* left, const void* right)
{
    const Spoke* a = left;
    const Spoke* b = right;
    if (a->vertex != b->vertex)
        return a->vertex < b->vertex ? -1 : 1;
    const bool isUpA = a->to.y >= a->at.y, isUpB = b->to.y >= b->at.y;
    if (isUpA != isUpB)
        return isUpA ? 1 : -1;
    const int32_t turn = thiOrientation(a->at, a->to, b->to);
    if (turn != 0)
        return -turn;
    // Both along one line: to the east, then to the west.
    const int byWay = (a->to.x < a->at.x) - (b->to.x < b->at.x);
    return byWay != 0 ? byWay : (a->edge > b->edge) - (a->edge < b->edge);
}

static thResult buildSpokes(thAreas* areas)
{
    const int32_t edgeCount = areas->edges.count, vertexCount = areas->vertices.count;
    TH_TRY(resize(&areas->spokes, 2 * (int64_t)edgeCount));
    TH_TRY(resize(&areas->spokeOf, 2 * (int64_t)edgeCount));
    TH_TRY(resize(&areas->spokeStart, (int64_t)vertexCount + 1));
    Spoke* spokes = TH_ITEMS(areas->spokes, Spoke);
    int32_t* start = TH_ITEMS(areas->spokeStart, int32_t);
    for (int32_t i = 0; i < edgeCount; ++i) {
        const Edge* edge = &TH_ITEMS(areas->edges, Edge)[i];
        const thPoint a = vertexAt(areas, edge->from), b = vertexAt(areas, edge->to);
        spokes[2 * i] = (Spoke){.at = a, .to = b, .vertex = edge->from, .edge = i, .leaves = true};
        spokes[2 * i + 1] = (Spoke){.at = b, .to = a, .vertex = edge->to, .edge = i};
    }
    if (edgeCount > 0)
        qsort(spokes, 2 * (size_t)edgeCount, sizeof *spokes, compareSpokes);
    int32_t vertex = 0;
    for (int32_t i = 0; i < areas->spokes.count; ++i) {
        for (; vertex <= spokes[i].vertex; ++vertex)
            start[vertex] = i;
        TH_ITEMS(areas->spokeOf, int32_t)[2 * spokes[i].edge + !spokes[i].leaves] = i;
    }
    for (; vertex <= vertexCount; ++vertex)
        start[vertex] = areas->spokes.count;
    return th_resultOk;
}

// The spoke at the other end.
static int32_t otherSpoke(const thAreas* areas, int32_t spoke)
{
    const Spoke* item = &TH_ITEMS(areas->spokes, Spoke)[spoke];
    return TH_ITEMS(areas->spokeOf, int32_t)[2 * item->edge + item->leaves];
}

// The next spoke of the same vertex, clockwise.
static int32_t spokeBefore(const thAreas* areas, int32_t spoke)
{
    const int32_t* start = TH_ITEMS(areas->spokeStart, int32_t);
    const int32_t vertex = TH_ITEMS(areas->spokes, Spoke)[spoke].vertex;
    return spoke > start[vertex] ? spoke - 1 : start[vertex + 1] - 1;
}

// Rays.

// What a ray from a vertex to the west (−1) or to the east (1) meets, a little above the vertex.
typedef struct Ray {
    thPoint from;
    int32_t way;
    int32_t covered; // how often the vertex is, of a ray to the west
    int32_t edge;    // the first that is met; −1: none
    double x;        // where
    thPoint low, high;
} Ray;

static void meetEdge(const thAreas* areas, int32_t index, Ray* ray)
{
    const Edge* edge = &TH_ITEMS(areas->edges, Edge)[index];
    const thPoint from = vertexAt(areas, edge->from), to = vertexAt(areas, edge->to);
    const bool rises = from.y < to.y;
    const thPoint low = rises ? from : to, high = rises ? to : from;
    if (low.y > ray->from.y || high.y <= ray->from.y ||
        thiOrientation(low, high, ray->from) != ray->way)
        return;
    ray->covered += rises ? -edge->weight : edge->weight; // west of one that rises is its left
    const double share = ((double)ray->from.y - low.y) / ((double)high.y - low.y);
    const double x = low.x + share * ((double)high.x - low.x);
    bool isNearer = ray->edge < 0 || (x - ray->x) * ray->way < 0.0;
    if (ray->edge >= 0 && thiSamePoint(low, ray->low) && low.y == ray->from.y)
        isNearer = thiOrientation(low, ray->high, high) == ray->way;
    if (!isNearer)
        return;
    ray->edge = index;
    ray->x = x;
    ray->low = low;
    ray->high = high;
}

static void castBelow(const thAreas* areas, int32_t node, Ray* ray)
{
    const Box* box = &TH_ITEMS(areas->boxes, Box)[node];
    const thPoint p = ray->from;
    if (box->lowY > p.y || box->highY < p.y || (ray->way < 0 ? box->lowX > p.x : box->highX < p.x))
        return;
    if (node < areas->leafCount) {
        castBelow(areas, 2 * node, ray);
        castBelow(areas, 2 * node + 1, ray);
        return;
    }
    const int32_t first = (node - areas->leafCount) * LEAF_EDGES;
    for (int32_t i = first; i < TH_MIN(first + LEAF_EDGES, areas->edges.count); ++i)
        meetEdge(areas, i, ray);
}

static Ray castRay(const thAreas* areas, int32_t vertex, int32_t way)
{
    Ray ray = {.from = vertexAt(areas, vertex), .way = way, .edge = -1};
    castBelow(areas, 1, &ray);
    return ray;
}

// What covers what.

static thResult resetPlaces(thAreas* areas)
{
    TH_TRY(resize(&areas->places, areas->vertices.count));
    for (int32_t i = 0; i < areas->places.count; ++i)
        TH_ITEMS(areas->places, int32_t)[i] = -1;
    areas->stack.count = 0;
    return th_resultOk;
}

// How often the left of a spoke is covered more than its right.
static int32_t weightOf(const thAreas* areas, const Spoke* spoke)
{
    const int32_t weight = TH_ITEMS(areas->edges, Edge)[spoke->edge].weight;
    return spoke->leaves ? weight : -weight;
}

// All that is around a vertex, from what is to the left of one of its spokes; its neighbours are to
// follow.
static thResult coverVertex(thAreas* areas, int32_t known, int32_t covered)
{
    Spoke* spokes = TH_ITEMS(areas->spokes, Spoke);
    int32_t spoke = known;
    do {
        spokes[spoke].covered = covered;
        covered -= weightOf(areas, &spokes[spoke]);
        spoke = spokeBefore(areas, spoke);
    } while (spoke != known);
    int32_t* top = addOne(&areas->stack);
    if (top == NULL)
        return th_resultNoMemory;
    *top = spokes[known].vertex;
    TH_ITEMS(areas->places, int32_t)[*top] = 0; // known
    return th_resultOk;
}

// All that is around the vertices of a part of the graph, from one of them on.
static thResult coverPart(thAreas* areas, int32_t known, int32_t covered)
{
    const Spoke* spokes = TH_ITEMS(areas->spokes, Spoke);
    const int32_t* start = TH_ITEMS(areas->spokeStart, int32_t);
    TH_TRY(coverVertex(areas, known, covered));
    while (areas->stack.count > 0) {
        const int32_t vertex = TH_ITEMS(areas->stack, int32_t)[--areas->stack.count];
        for (int32_t i = start[vertex]; i < start[vertex + 1]; ++i) {
            const int32_t other = otherSpoke(areas, i);
            // The left of this spoke is the right of the other one.
            if (TH_ITEMS(areas->places, int32_t)[spokes[other].vertex] < 0)
                TH_TRY(
                    coverVertex(areas, other, spokes[i].covered + weightOf(areas, &spokes[other])));
        }
    }
    return th_resultOk;
}

// Vertices are sorted: the first that is not known is the westernmost of its part of the graph, and
// the last of its spokes has the west to its left.
static thResult coverAll(thAreas* areas)
{
    const int32_t* start = TH_ITEMS(areas->spokeStart, int32_t);
    TH_TRY(resetPlaces(areas));
    for (int32_t i = 0; i < areas->vertices.count; ++i)
        if (TH_ITEMS(areas->places, int32_t)[i] < 0 && start[i] < start[i + 1])
            TH_TRY(coverPart(areas, start[i + 1] - 1, castRay(areas, i, -1).covered));
    return th_resultOk;
}

static bool isSolid(int32_t covered, bool areSolid)
{
    return (covered > 0) == areSolid;
}

// Keeps the edges with solid on one side, and turns them so that it is their left.
static void keepBorders(thAreas* areas, bool areSolid)
{
    Edge* edges = TH_ITEMS(areas->edges, Edge);
    int32_t kept = 0;
    for (int32_t i = 0; i < areas->edges.count; ++i) {
        const Edge edge = edges[i];
        const int32_t spoke = TH_ITEMS(areas->spokeOf, int32_t)[2 * i];
        const int32_t left = TH_ITEMS(areas->spokes, Spoke)[spoke].covered;
        const bool isLeft = isSolid(left, areSolid),
                   isRight = isSolid(left - edge.weight, areSolid);
        if (isLeft == isRight)
            continue;
        edges[kept++] = (Edge){
            .from = isLeft ? edge.from : edge.to, .to = isLeft ? edge.to : edge.from, .weight = 1};
    }
    areas->edges.count = kept;
}

// Loops: walks along edges with solid to the left. Half-edge 2e runs along edge e, 2e + 1 back.

static int32_t startOf(const thAreas* areas, int32_t half)
{
    const Edge* edge = &TH_ITEMS(areas->edges, Edge)[half / 2];
    return half % 2 == 0 ? edge->from : edge->to;
}

static bool isWalked(const thAreas* areas, int32_t half)
{
    const Edge* edge = &TH_ITEMS(areas->edges, Edge)[half / 2];
    return edge->weight == 0 || (edge->weight > 0) == (half % 2 == 0);
}

// The half-edge after another one round a face: the first, clockwise from where one came.
static int32_t halfAfter(const thAreas* areas, int32_t half)
{
    const Spoke* spokes = TH_ITEMS(areas->spokes, Spoke);
    int32_t spoke = TH_ITEMS(areas->spokeOf, int32_t)[2 * (half / 2) + (half % 2 == 0)];
    for (;;) {
        spoke = spokeBefore(areas, spoke);
        const int32_t next = 2 * spokes[spoke].edge + !spokes[spoke].leaves;
        if (isWalked(areas, next))
            return next;
    }
}

// Numbers all loops.
static thResult findLoops(thAreas* areas, int32_t* loopCount)
{
    const int32_t halfCount = 2 * areas->edges.count;
    TH_TRY(resize(&areas->loops, halfCount));
    int32_t* loops = TH_ITEMS(areas->loops, int32_t);
    for (int32_t i = 0; i < halfCount; ++i)
        loops[i] = -1;
    *loopCount = 0;
    for (int32_t i = 0; i < halfCount; ++i) {
        if (loops[i] >= 0 || !isWalked(areas, i))
            continue;
        for (int32_t half = i; loops[half] < 0; half = halfAfter(areas, half))
            loops[half] = *loopCount;
        *loopCount += 1;
    }
    return th_resultOk;
}

// What is done with a simple outline, of the vertices on the stack from a place on.
typedef thResult RingFcn(thAreas* areas, int32_t begin, int32_t loop, void* context);

// The westernmost vertex of an outline: the outline is convex there.
static int32_t westOf(const int32_t* vertices, int32_t count)
{
    int32_t west = 0;
    for (int32_t i = 1; i < count; ++i)
        if (vertices[i] < vertices[west])
            west = i;
    return west;
}

static bool isClockwise(const thAreas* areas, const int32_t* vertices, int32_t count)
{
    const int32_t west = westOf(vertices, count);
    return thiOrientation(vertexAt(areas, vertices[(west + count - 1) % count]),
                          vertexAt(areas, vertices[west]),
                          vertexAt(areas, vertices[(west + 1) % count])) < 0;
}

// A loop may come to a vertex again: what is between is an outline by itself.
static thResult splitLoop(thAreas* areas, int32_t first, RingFcn* use, void* context)
{
    int32_t half = first;
    const int32_t loop = TH_ITEMS(areas->loops, int32_t)[first];
    do {
        const int32_t vertex = startOf(areas, half);
        const int32_t begin = TH_ITEMS(areas->places, int32_t)[vertex];
        if (begin >= 0) {
            if (areas->stack.count - begin >= 3)
                TH_TRY(use(areas, begin, loop, context));
            for (int32_t i = begin; i < areas->stack.count; ++i)
                TH_ITEMS(areas->places, int32_t)[TH_ITEMS(areas->stack, int32_t)[i]] = -1;
            areas->stack.count = begin;
        }
        int32_t* top = addOne(&areas->stack);
        if (top == NULL)
            return th_resultNoMemory;
        *top = vertex;
        TH_ITEMS(areas->places, int32_t)[vertex] = areas->stack.count - 1;
        half = halfAfter(areas, half);
    } while (half != first);
    if (areas->stack.count >= 3)
        TH_TRY(use(areas, 0, loop, context));
    for (int32_t i = 0; i < areas->stack.count; ++i)
        TH_ITEMS(areas->places, int32_t)[TH_ITEMS(areas->stack, int32_t)[i]] = -1;
    areas->stack.count = 0;
    return th_resultOk;
}

// Calls a function for each simple outline.
static thResult forRings(thAreas* areas, RingFcn* use, void* context)
{
    const int32_t halfCount = 2 * areas->edges.count;
    int32_t next = 0;
    TH_TRY(resetPlaces(areas));
    for (int32_t i = 0; i < halfCount; ++i)
        if (TH_ITEMS(areas->loops, int32_t)[i] == next) {
            TH_TRY(splitLoop(areas, i, use, context));
            next += 1;
        }
    return th_resultOk;
}

// Bridges.

// Notes which loops have all the solid outside to their left. The westernmost vertex of a part of
// the graph tells: what is west of it has the solid there in common.
static thResult findRooms(thAreas* areas)
{
    int32_t loopCount;
    TH_TRY(findLoops(areas, &loopCount));
    TH_TRY(resize(&areas->loopIsRoom, loopCount));
    enum { inner = 0, room = 1, enclosed = 2 };
    uint8_t* kinds = TH_ITEMS(areas->loopIsRoom, uint8_t);
    for (int32_t i = 0; i < loopCount; ++i)
        kinds[i] = inner;
    const int32_t* start = TH_ITEMS(areas->spokeStart, int32_t);
    const Spoke* spokes = TH_ITEMS(areas->spokes, Spoke);
    const int32_t* loops = TH_ITEMS(areas->loops, int32_t);
    TH_TRY(resetPlaces(areas));
    for (int32_t i = 0; i < areas->vertices.count; ++i) {
        if (TH_ITEMS(areas->places, int32_t)[i] >= 0 || start[i] == start[i + 1])
            continue;
        const Spoke* last = &spokes[start[i + 1] - 1];
        if (last->leaves) { // solid is west of it
            const Ray ray = castRay(areas, i, -1);
            const int32_t met = ray.edge >= 0 ? kinds[loops[2 * ray.edge]] : room;
            kinds[loops[2 * last->edge]] = (uint8_t)(met == room ? room : enclosed);
        }
        TH_TRY(coverPart(areas, start[i + 1] - 1, 0)); // for the vertices that it reaches
    }
    for (int32_t i = 0; i < loopCount; ++i)
        kinds[i] = kinds[i] == room;
    return th_resultOk;
}

// Whether solid is west (−1) or east (1) of a vertex, and no edge runs there. Spokes begin with
// those that go down, then east, and end in the west.
static bool isSolidTowards(const thAreas* areas, int32_t vertex, int32_t way)
{
    const int32_t* start = TH_ITEMS(areas->spokeStart, int32_t);
    const Spoke* spokes = TH_ITEMS(areas->spokes, Spoke);
    int32_t before = start[vertex + 1] - 1;
    for (int32_t i = start[vertex]; i < start[vertex + 1]; ++i) {
        const bool isLevel = spokes[i].to.y == spokes[i].at.y;
        if (isLevel && (spokes[i].to.x > spokes[i].at.x) == (way > 0))
            return false;
        if (way > 0 && spokes[i].to.y < spokes[i].at.y)
            before = i;
    }
    return spokes[before].leaves;
}

// A bridge as it is to be: edges are not added while they are walked along.
typedef struct Bridge {
    int32_t from;
    thPoint to;
} Bridge;

static thResult planBridge(thAreas* areas, int32_t vertex, int32_t way, thArray* bridges)
{
    if (!isSolidTowards(areas, vertex, way))
        return th_resultOk;
    const Ray ray = castRay(areas, vertex, way);
    if (ray.edge < 0)
        return th_resultOk;
    // What is too near for a bridge is drawn to the vertex.
    const double length = (ray.x - ray.from.x) * way;
    if (length <= 2.0 * NEAR_CORNER)
        return addCut(areas, ray.edge, vertex);
    Bridge* bridge = addOne(bridges);
    if (bridge == NULL)
        return th_resultNoMemory;
    *bridge = (Bridge){vertex, {floatUnits(ray.x), ray.from.y}};
    return th_resultOk;
}

static thResult planBridges(thAreas* areas, int32_t begin, int32_t loop, void* context)
{
    const int32_t* vertices = &TH_ITEMS(areas->stack, int32_t)[begin];
    const int32_t count = areas->stack.count - begin;
    if (TH_ITEMS(areas->loopIsRoom, uint8_t)[loop] || !isClockwise(areas, vertices, count))
        return th_resultOk;
    int32_t east = vertices[0];
    for (int32_t i = 1; i < count; ++i)
        east = TH_MAX(east, vertices[i]);
    TH_TRY(planBridge(areas, vertices[westOf(vertices, count)], -1, context));
    return planBridge(areas, east, 1, context);
}

static thResult addBridges(thAreas* areas, const thArray* bridges)
{
    TH_TRY(makeCuts(areas));
    const int32_t first = areas->vertices.count;
    thPoint* ends = thiArrayAdd(&areas->vertices, bridges->count);
    Edge* edges = thiArrayAdd(&areas->edges, bridges->count);
    if (bridges->count > 0 && (ends == NULL || edges == NULL))
        return th_resultNoMemory;
    for (int32_t i = 0; i < bridges->count; ++i) {
        const Bridge* bridge = &TH_ITEMS(*bridges, Bridge)[i];
        ends[i] = bridge->to;
        edges[i] = (Edge){.from = bridge->from, .to = first + i, .isBridge = true};
    }
    TH_TRY(cutEdges(areas));
    TH_TRY(buildSpokes(areas));
    int32_t loopCount;
    return findLoops(areas, &loopCount);
}

static thResult bridgeYards(thAreas* areas)
{
    thArray bridges = thiArray(areas->memory, sizeof(Bridge));
    areas->cuts.count = 0;
    TH_TRY(findRooms(areas));
    thResult code = forRings(areas, planBridges, &bridges);
    if (code == th_resultOk && (bridges.count > 0 || areas->cuts.count > 0))
        code = addBridges(areas, &bridges);
    thiArrayFree(&bridges);
    return code;
}

typedef struct Output {
    thArray* rings;
    thArray* corners;
} Output;

static thResult addRing(thAreas* areas, int32_t begin, int32_t loop, void* context)
{
    (void)loop;
    const Output* output = context;
    const int32_t* vertices = &TH_ITEMS(areas->stack, int32_t)[begin];
    const int32_t count = areas->stack.count - begin, first = output->corners->count;
    TH_TRY(thiArrayReserveAmply(output->corners, (int64_t)first + count));
    TH_TRY(thiArrayReserveAmply(output->rings, (int64_t)output->rings->count + 1));
    thPoint* corners = thiArrayAdd(output->corners, count);
    thAreaRing* ring = thiArrayAdd(output->rings, 1);
    const int32_t west = westOf(vertices, count);
    for (int32_t i = 0; i < count; ++i)
        corners[i] = vertexAt(areas, vertices[(west + i) % count]);
    *ring = (thAreaRing){first, count, isClockwise(areas, vertices, count)};
    return th_resultOk;
}

thResult thiOutlineAreas(thAreas* areas, bool areSolid, thArray* rings, thArray* corners)
{
    Output output = {rings, corners};
    TH_TRY(cutEdges(areas));
    TH_TRY(buildSpokes(areas));
    TH_TRY(coverAll(areas));
    keepBorders(areas, areSolid);
    TH_TRY(buildTree(areas));
    TH_TRY(buildSpokes(areas));
    TH_TRY(bridgeYards(areas));
    return forRings(areas, addRing, &output);
}
