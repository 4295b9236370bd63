// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Making the multi-agent navigation graph: cracks, vertices, chains between them, and lists. Chains
// are walked from both ends and kept from the one that comes first, so workers need not wait.

#include "plan/mang/mang_graph.h"

#include <string.h>

// Corners of a row, and vertices, that a worker takes at once.
#define ROWS_A_TASK 16
#define VERTICES_A_TASK 64

// Corners in a row that are passed by at once where there is nothing.
#define PLAIN 8

// Of a corner: a bit for the crack that leaves it to the east, north, west and south.
#define CRACKS 0x0fu
#define IS_TAKEN 0x10u // within an edge that has been made

static const int32_t stepX[4] = {1, 0, -1, 0}, stepY[4] = {0, 1, 0, -1};

// A chain of cracks that leaves a vertex in a direction; it ends at another one, or at the same.
typedef struct Way {
    int32_t end; // −1: there is no crack
    int32_t endDirection;
    int32_t count;
    int32_t edge, point; // that it becomes, and its first point; −1: the other way does
} Way;

typedef struct Making {
    thMangGraph* graph;
    const thTwoNearest* fields;
    int32_t columns, rows; // of corners
} Making;

typedef struct Corner {
    int32_t x, y;
} Corner;

thMangGraph thiMangGraph(thMemory* memory)
{
    return (thMangGraph){
        .vertices = thiArray(memory, sizeof(thMangVertex)),
        .edges = thiArray(memory, sizeof(thMangEdge)),
        .points = thiArray(memory, sizeof(thVec2)),
        .edgeStarts = thiArray(memory, sizeof(int32_t)),
        .edgesOf = thiArray(memory, sizeof(int32_t)),
        .ownEdgeStarts = thiArray(memory, sizeof(int32_t)),
        .ownEdges = thiArray(memory, sizeof(int32_t)),
        .ownVertexStarts = thiArray(memory, sizeof(int32_t)),
        .ownVertices = thiArray(memory, sizeof(int32_t)),
        .borderStarts = thiArray(memory, sizeof(int32_t)),
        .borderVertices = thiArray(memory, sizeof(int32_t)),
        .corners = thiArray(memory, sizeof(uint8_t)),
        .rowStarts = thiArray(memory, sizeof(int32_t)),
        .ways = thiArray(memory, sizeof(Way)),
        .loops = thiArray(memory, sizeof(uint8_t)),
    };
}

void thiMangGraphFree(thMangGraph* graph)
{
    thArray* arrays[] = {
        &graph->vertices,    &graph->edges,         &graph->points,         &graph->edgeStarts,
        &graph->edgesOf,     &graph->ownEdgeStarts, &graph->ownEdges,       &graph->ownVertexStarts,
        &graph->ownVertices, &graph->borderStarts,  &graph->borderVertices, &graph->corners,
        &graph->rowStarts,   &graph->ways,          &graph->loops};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        thiArrayFree(arrays[i]);
}

// Gives an array so many items, which are not cleared.
static thResult resize(thArray* array, int64_t count)
{
    TH_TRY(thiArrayReserveAmply(array, count));
    array->count = (int32_t)count;
    return th_resultOk;
}

static uint8_t* cornerAt(const Making* m, Corner c)
{
    return TH_ITEMS(m->graph->corners, uint8_t) + (size_t)c.y * (size_t)m->columns + c.x;
}

// --- Cracks and vertices -----------------------------------------------------------------------

static bool isCrack(const Making* m, size_t u, size_t w)
{
    const int32_t *first = m->fields->first, *second = m->fields->second;
    return first[u] != first[w] || (first[u] >= m->graph->obstacleCount && second[u] != second[w]);
}

// The pixels on both sides of the crack that leaves a corner in a direction: south or west first.
static void sidesOf(const Making* m, Corner c, int32_t direction, size_t sides[2])
{
    const int32_t x = c.x - (direction == 2), y = c.y - (direction == 3);
    const size_t width = (size_t)m->fields->width, pixel = (size_t)y * width + (size_t)x;
    sides[1] = pixel;
    sides[0] = direction % 2 == 0 ? pixel - width : pixel - 1;
}

// Whether all pixels about a few corners in a row, none of them at the raster's edge, have the same
// sites.
static inline bool areAllOne(const Making* m, Corner c, int32_t count)
{
    const size_t width = (size_t)m->fields->width;
    const size_t above = (size_t)c.y * width + (size_t)c.x - 1, below = above - width;
    const int32_t *first = m->fields->first, *second = m->fields->second;
    const int32_t a = first[above], b = second[above];
    int32_t other = 0;
    for (size_t i = 0; i <= (size_t)count; ++i)
        other |= (first[above + i] ^ a) | (first[below + i] ^ a) | (second[above + i] ^ b) |
                 (second[below + i] ^ b);
    return other == 0;
}

static uint8_t cracksAt(const Making* m, Corner c)
{
    const int32_t width = m->fields->width, height = m->fields->height;
    const bool west = c.x > 0, south = c.y > 0;
    const bool east = c.x != width, north = c.y != height;
    if (west && east && south && north && areAllOne(m, c, 1))
        return 0;
    const bool isThere[4] = {east && south && north, north && west && east, west && south && north,
                             south && west && east};
    uint32_t cracks = 0;
    for (int32_t direction = 0; direction < 4; ++direction) {
        size_t sides[2];
        if (!isThere[direction])
            continue;
        sidesOf(m, c, direction, sides);
        if (isCrack(m, sides[0], sides[1]))
            cracks |= 1u << direction;
    }
    return (uint8_t)cracks;
}

// Two cracks of a corner part its pixels into two whose sites are the same, so they have the same
// colour and governors, and are of one edge.
static bool isVertex(uint8_t corner)
{
    const uint32_t c = corner & CRACKS;
    const uint32_t degree = (c & 1) + (c >> 1 & 1) + (c >> 2 & 1) + (c >> 3);
    return degree != 0 && degree != 2;
}

// The next corner of a row, this one or after it, that may have cracks.
static int32_t skipPlain(const Making* m, int32_t x, int32_t y)
{
    const uint8_t* corner = cornerAt(m, (Corner){0, y});
    uint64_t few = 0;
    _Static_assert(sizeof few == PLAIN, "as many corners as bytes");
    for (; x + PLAIN <= m->columns; x += PLAIN) {
        memcpy(&few, corner + x, PLAIN);
        if (few != 0)
            break;
    }
    return x;
}

// Also counts the vertices of each row.
static void findCracks(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Making* m = context;
    for (int32_t y = begin; y < end; ++y) {
        int32_t count = 0;
        for (int32_t x = 0, last; x < m->columns; x = last) {
            const bool isInner = x > 0 && x + PLAIN <= m->fields->width && y > 0 && y < m->rows - 1;
            last = isInner ? x + PLAIN : x + 1;
            if (isInner && areAllOne(m, (Corner){x, y}, PLAIN)) {
                memset(cornerAt(m, (Corner){x, y}), 0, PLAIN);
                continue;
            }
            for (int32_t i = x; i < last; ++i) {
                const uint8_t cracks = cracksAt(m, (Corner){i, y});
                *cornerAt(m, (Corner){i, y}) = cracks;
                count += isVertex(cracks);
            }
        }
        TH_ITEMS(m->graph->rowStarts, int32_t)[y] = count;
    }
}

// Of counts, of which the last is not one, makes where each begins.
static int32_t startsOfCounts(int32_t* counts, int32_t count)
{
    int32_t sum = 0;
    for (int32_t i = 0; i <= count; ++i) {
        const int32_t here = i < count ? counts[i] : 0;
        counts[i] = sum;
        sum += here;
    }
    return sum;
}

static thVec2 placeOf(const Making* m, float x, float y)
{
    return (thVec2){x * m->fields->pixel, y * m->fields->pixel};
}

static void placeVertices(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Making* m = context;
    for (int32_t y = begin; y < end; ++y) {
        const int32_t* starts = TH_ITEMS(m->graph->rowStarts, int32_t) + y;
        thMangVertex* vertex = TH_BEHIND(TH_ITEMS(m->graph->vertices, thMangVertex), starts[0]);
        if (starts[0] == starts[1])
            continue;
        for (int32_t x = skipPlain(m, 0, y); x < m->columns; x = skipPlain(m, x + 1, y))
            if (isVertex(*cornerAt(m, (Corner){x, y})))
                *vertex++ = (thMangVertex){.place = placeOf(m, (float)x, (float)y)};
    }
}

static Corner cornerOf(const Making* m, int32_t vertex)
{
    const thVec2 place = TH_ITEMS(m->graph->vertices, thMangVertex)[vertex].place;
    return (Corner){(int32_t)(place.x / m->fields->pixel + 0.5f),
                    (int32_t)(place.y / m->fields->pixel + 0.5f)};
}

// The vertex at a corner that is one.
static int32_t vertexAt(const Making* m, Corner c)
{
    const int32_t* starts = TH_ITEMS(m->graph->rowStarts, int32_t) + c.y;
    int32_t low = starts[0], high = starts[1] - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (cornerOf(m, middle).x < c.x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// --- Chains of cracks --------------------------------------------------------------------------

static Corner nextCorner(Corner c, int32_t direction)
{
    return (Corner){c.x + stepX[direction], c.y + stepY[direction]};
}

// Where a chain goes on that comes to a corner of two cracks.
static int32_t turnAt(const Making* m, Corner c, int32_t direction)
{
    const uint32_t back = 1u << (direction + 2) % 4, ahead = *cornerAt(m, c) & CRACKS & ~back;
    return ahead == 1 ? 0 : ahead == 2 ? 1 : ahead == 4 ? 2 : 3;
}

static void walkFromVertices(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Making* m = context;
    for (int32_t vertex = begin; vertex < end; ++vertex) {
        const Corner from = cornerOf(m, vertex);
        for (int32_t i = 0; i < 4; ++i) {
            Way* way = &TH_ITEMS(m->graph->ways, Way)[4 * vertex + i];
            *way = (Way){.end = -1, .edge = -1};
            if ((*cornerAt(m, from) >> i & 1) == 0)
                continue;
            int32_t direction = i;
            Corner c = nextCorner(from, direction);
            way->count = 1;
            while (!isVertex(*cornerAt(m, c))) {
                direction = turnAt(m, c, direction);
                c = nextCorner(c, direction);
                ++way->count;
            }
            way->end = vertexAt(m, c);
            way->endDirection = (direction + 2) % 4;
        }
    }
}

// Each edge is kept from the end that comes first.
static void numberEdges(Making* m, int32_t* edgeCount, int64_t* pointCount)
{
    Way* ways = TH_ITEMS(m->graph->ways, Way);
    *edgeCount = 0;
    *pointCount = 0;
    for (int32_t i = 0; i < m->graph->ways.count; ++i) {
        if (ways[i].end < 0 || i > 4 * ways[i].end + ways[i].endDirection)
            continue;
        ways[i].edge = (*edgeCount)++;
        ways[i].point = (int32_t)*pointCount;
        *pointCount += ways[i].count;
    }
}

// What the crack between two pixels adds to its edge.
static void addCrack(const Making* m, const size_t sides[2], thMangEdge* edge)
{
    const thTwoNearest* f = m->fields;
    const bool isBlack = edge->owner >= 0;
    for (int32_t i = 0; i < 2; ++i) {
        const size_t u = sides[i], w = sides[1 - i];
        edge->clearance =
            TH_MIN(edge->clearance, isBlack ? f->secondDistance[u] : f->firstDistance[u]);
        if (isBlack)
            continue;
        const int32_t site = f->first[u];
        float* without = &edge->without[site == edge->governors[1]];
        const bool isPart = site >= m->graph->obstacleCount && f->second[u] != f->first[w];
        const float least = TH_MIN(f->secondDistance[u], f->firstDistance[w]);
        *without = isPart ? TH_MIN(*without, least) : -INFINITY;
    }
}

// Walks over an edge from a corner, and writes it and its points.
static void makeEdge(const Making* m, Corner from, int32_t direction, int32_t first, int32_t count,
                     thMangEdge* edge)
{
    const thTwoNearest* f = m->fields;
    size_t sides[2];
    sidesOf(m, from, direction, sides);
    const bool isRed = f->first[sides[0]] != f->first[sides[1]];
    const int32_t* governing = isRed ? f->first : f->second;
    const int32_t a = governing[sides[0]], b = governing[sides[1]];
    *edge = (thMangEdge){.governors = {TH_MIN(a, b), TH_MAX(a, b)},
                         .owner = isRed ? -1 : f->first[sides[0]],
                         .first = first,
                         .count = count,
                         .clearance = INFINITY,
                         .without = {isRed ? INFINITY : -INFINITY, isRed ? INFINITY : -INFINITY}};
    thVec2* points = TH_ITEMS(m->graph->points, thVec2) + first;
    double length = 0.5 + 0.5; // from the vertices to the first and from the last middle [pixels]
    Corner c = from;
    for (int32_t i = 0; i < count; ++i) {
        if (i > 0) {
            *cornerAt(m, c) |= IS_TAKEN;
            const int32_t turned = turnAt(m, c, direction);
            length += turned == direction ? 1.0 : 0.70710678118654752;
            direction = turned;
        }
        sidesOf(m, c, direction, sides);
        addCrack(m, sides, edge);
        points[i] = placeOf(m, (float)c.x + 0.5f * (float)stepX[direction],
                            (float)c.y + 0.5f * (float)stepY[direction]);
        c = nextCorner(c, direction);
    }
    edge->length = (float)(length * (double)f->pixel);
}

static void makeEdges(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Making* m = context;
    for (int32_t i = 4 * begin; i < 4 * end; ++i) {
        const Way* way = &TH_ITEMS(m->graph->ways, Way)[i];
        if (way->edge < 0)
            continue;
        thMangEdge* edge = &TH_ITEMS(m->graph->edges, thMangEdge)[way->edge];
        makeEdge(m, cornerOf(m, i / 4), i % 4, way->point, way->count, edge);
        edge->ends[0] = i / 4;
        edge->ends[1] = way->end;
    }
}

// --- Closed edges ------------------------------------------------------------------------------

static bool isOfLoop(uint8_t corner)
{
    return (corner & CRACKS) != 0 && (corner & IS_TAKEN) == 0 && !isVertex(corner);
}

static void findLoops(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Making* m = context;
    for (int32_t y = begin; y < end; ++y) {
        uint8_t any = 0;
        for (int32_t x = skipPlain(m, 0, y); x < m->columns; x = skipPlain(m, x + 1, y))
            any |= isOfLoop(*cornerAt(m, (Corner){x, y}));
        TH_ITEMS(m->graph->loops, uint8_t)[y] = any;
    }
}

static thResult addLoop(Making* m, Corner from)
{
    thMangGraph* graph = m->graph;
    int32_t direction = 0, count = 1; // the first corner has cracks to the east and the north
    for (Corner c = nextCorner(from, direction); c.x != from.x || c.y != from.y; ++count) {
        direction = turnAt(m, c, direction);
        c = nextCorner(c, direction);
    }
    thMangVertex* vertex = thiArrayAdd(&graph->vertices, 1);
    thMangEdge* edge = thiArrayAdd(&graph->edges, 1);
    const int32_t first = graph->points.count;
    if (vertex == NULL || edge == NULL || thiArrayAdd(&graph->points, count) == NULL)
        return th_resultNoMemory;
    *vertex = (thMangVertex){.place = placeOf(m, (float)from.x, (float)from.y), .isSeam = true};
    makeEdge(m, from, 0, first, count, edge);
    edge->ends[0] = edge->ends[1] = graph->vertices.count - 1;
    *cornerAt(m, from) |= IS_TAKEN;
    return th_resultOk;
}

static thResult addLoops(Making* m)
{
    for (int32_t y = 0; y < m->rows; ++y)
        for (int32_t x = 0; TH_ITEMS(m->graph->loops, uint8_t)[y] != 0 && x < m->columns; ++x)
            if (isOfLoop(*cornerAt(m, (Corner){x, y})))
                TH_TRY(addLoop(m, (Corner){x, y}));
    return th_resultOk;
}

// --- Lists -------------------------------------------------------------------------------------

// Numbers by what they belong to: shown twice in the same order, first counted and then entered.
typedef struct List {
    thArray *starts, *items;
    bool counts;
} List;

static void enter(const List* list, int32_t owner, int32_t item)
{
    int32_t* start = &TH_ITEMS(*list->starts, int32_t)[owner];
    if (list->counts)
        ++*start;
    else
        TH_ITEMS(*list->items, int32_t)[(*start)++] = item;
}

static void listEdgesOf(const thMangGraph* graph, const List* list)
{
    const thMangEdge* edges = TH_ITEMS(graph->edges, thMangEdge);
    for (int32_t i = 0; i < graph->edges.count; ++i)
        for (int32_t j = 0; j < 2; ++j)
            enter(list, edges[i].ends[j], i);
}

static void listOwnEdges(const thMangGraph* graph, const List* list)
{
    const thMangEdge* edges = TH_ITEMS(graph->edges, thMangEdge);
    for (int32_t i = 0; i < graph->edges.count; ++i)
        if (edges[i].owner >= 0)
            enter(list, edges[i].owner - graph->obstacleCount, i);
}

// Where an edge leaves the raster is none.
static void listOwnVertices(const thMangGraph* graph, const List* list)
{
    const int32_t *starts = graph->edgeStarts.data, *edgesOf = graph->edgesOf.data;
    for (int32_t i = 0; i < graph->vertices.count; ++i)
        if (!TH_ITEMS(graph->vertices, thMangVertex)[i].isRed && starts[i + 1] - starts[i] > 1) {
            const int32_t edge = edgesOf[starts[i]];
            enter(list, TH_ITEMS(graph->edges, thMangEdge)[edge].owner - graph->obstacleCount, i);
        }
}

static void listBorder(const thMangGraph* graph, const List* list)
{
    const int32_t *starts = graph->edgeStarts.data, *edgesOf = graph->edgesOf.data;
    for (int32_t i = 0; i < graph->vertices.count; ++i) {
        int32_t sites[8], count = 0;
        for (int32_t j = starts[i]; j < starts[i + 1]; ++j) {
            const thMangEdge* edge = &TH_ITEMS(graph->edges, thMangEdge)[edgesOf[j]];
            for (int32_t side = 0; side < 2 && edge->owner < 0; ++side) {
                bool isNew = true;
                for (int32_t k = 0; k < count; ++k)
                    isNew = isNew && sites[k] != edge->governors[side];
                if (isNew)
                    sites[count++] = edge->governors[side];
            }
        }
        for (int32_t k = 0; k < count; ++k)
            enter(list, sites[k], i);
    }
}

static thResult makeList(const thMangGraph* graph, thArray* starts, thArray* items, int32_t owners,
                         void (*show)(const thMangGraph* graph, const List* list))
{
    TH_TRY(resize(starts, owners + 1));
    int32_t* start = TH_ITEMS(*starts, int32_t);
    for (int32_t i = 0; i <= owners; ++i)
        start[i] = 0;
    show(graph, &(List){starts, items, true});
    TH_TRY(resize(items, startsOfCounts(start, owners)));
    show(graph, &(List){starts, items, false});
    for (int32_t i = owners; i > 0; --i) // each has moved to where the next begins
        start[i] = start[i - 1];
    start[0] = 0;
    return th_resultOk;
}

static thResult makeLists(thMangGraph* g)
{
    const thMangEdge* edges = TH_ITEMS(g->edges, thMangEdge);
    for (int32_t i = 0; i < g->edges.count; ++i)
        for (int32_t j = 0; j < 2 && edges[i].owner < 0; ++j)
            TH_ITEMS(g->vertices, thMangVertex)[edges[i].ends[j]].isRed = true;
    const int32_t agents = g->siteCount - g->obstacleCount;
    TH_TRY(makeList(g, &g->edgeStarts, &g->edgesOf, g->vertices.count, listEdgesOf));
    TH_TRY(makeList(g, &g->ownEdgeStarts, &g->ownEdges, agents, listOwnEdges));
    TH_TRY(makeList(g, &g->ownVertexStarts, &g->ownVertices, agents, listOwnVertices));
    return makeList(g, &g->borderStarts, &g->borderVertices, g->siteCount, listBorder);
}

static thResult make(Making* m, const thTasks* tasks)
{
    thMangGraph* g = m->graph;
    TH_TRY(resize(&g->corners, (int64_t)m->columns * m->rows));
    TH_TRY(resize(&g->rowStarts, m->rows + 1));
    TH_TRY(resize(&g->loops, m->rows));
    thTasks_ParallelFor(tasks, m->rows, ROWS_A_TASK, findCracks, m);
    TH_TRY(resize(&g->vertices, startsOfCounts(TH_ITEMS(g->rowStarts, int32_t), m->rows)));
    thTasks_ParallelFor(tasks, m->rows, ROWS_A_TASK, placeVertices, m);

    const int32_t corners = g->vertices.count;
    TH_TRY(resize(&g->ways, 4 * (int64_t)corners));
    thTasks_ParallelFor(tasks, corners, VERTICES_A_TASK, walkFromVertices, m);
    int32_t edgeCount;
    int64_t pointCount;
    numberEdges(m, &edgeCount, &pointCount);
    TH_TRY(resize(&g->edges, edgeCount));
    TH_TRY(resize(&g->points, pointCount));
    thTasks_ParallelFor(tasks, corners, VERTICES_A_TASK, makeEdges, m);

    thTasks_ParallelFor(tasks, m->rows, ROWS_A_TASK, findLoops, m);
    TH_TRY(addLoops(m));
    return makeLists(g);
}

thResult thiMakeMangGraph(thMangGraph* graph, const thTwoNearest* fields, int32_t siteCount,
                          int32_t obstacleCount, const thTasks* tasks)
{
    TH_ASSERT(obstacleCount >= 0 && obstacleCount <= siteCount);
    graph->siteCount = siteCount;
    graph->obstacleCount = obstacleCount;
    graph->vertices.count = graph->edges.count = graph->points.count = 0;
    Making m = {graph, fields, fields->width + 1, fields->height + 1};
    const thResult result = make(&m, tasks);
    if (result != th_resultOk) {
        thMemory* memory = graph->vertices.memory;
        thiMangGraphFree(graph);
        *graph = thiMangGraph(memory);
    }
    return result;
}
