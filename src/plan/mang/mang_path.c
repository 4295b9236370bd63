// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Paths over the multi-agent navigation graph: where an agent comes onto it, a search for the
// cheapest way (A*), and where it is to go first.

#include "plan/mang/mang_path.h"

#include "geom/vec2.h"

// Distances at pixels say this of places between them, and more. [pixels]
#define PIXEL_ERROR 0.75f

// Straight lines count a little less as estimates than they are, so that rounding never makes them
// longer than ways.
#define ESTIMATE (1.0 - 0x1p-20)

// Where the path comes onto the graph, and to a vertex from there.
typedef struct Hook {
    thVec2 place;
    int32_t vertex;
    int32_t edge;  // it is on this one; −1: it is the vertex
    float along;   // from the edge's first end [m]
    bool toSecond; // the vertex is the edge's second end
    double cost;   // as far as the vertex
} Hook;

// A vertex, and of the graph's count the goal.
typedef struct Node {
    double cost;     // from the place; infinite: not reached
    double estimate; // of a path over it
    int32_t edge;    // that leads to it; −1: a hook does
    int32_t from;    // the node before, or the hook
    int32_t inHeap;  // 1 + its place there; 0: it is not there
    bool isDone;
    bool isTarget; // the goal may be next
} Node;

typedef struct Search {
    const thMangGraph* graph;
    const thTwoNearest* fields;
    const thMangQuery* query;
    thArena* arena;
    Hook* hooks;
    int32_t hookCount;
    float startClearance; // at the place [m]
    int32_t goalSite;     // in whose region the goal is; −1: there is none
    Node* nodes;
    int32_t* heap;
    int32_t heapCount;
} Search;

static float lengthOf(thVec2 v)
{
    return sqrtf(thiDot(v, v));
}

// --- Distances ---------------------------------------------------------------------------------

static size_t pixelAt(const thTwoNearest* fields, thVec2 place)
{
    const float x = TH_MIN(TH_MAX(place.x / fields->pixel, 0.0f), (float)(fields->width - 1));
    const float y = TH_MIN(TH_MAX(place.y / fields->pixel, 0.0f), (float)(fields->height - 1));
    return (size_t)y * (size_t)fields->width + (size_t)x;
}

// Where only the two are near, nobody knows how far others are: beyond them, so it does not matter.
static float clearanceAt(const thTwoNearest* fields, int32_t agent, int32_t other, thVec2 place)
{
    const size_t pixel = pixelAt(fields, place);
    const int32_t first = fields->first[pixel], second = fields->second[pixel];
    if (first != agent && first != other)
        return fields->firstDistance[pixel];
    return second != agent && second != other ? fields->secondDistance[pixel] : INFINITY;
}

// As far as the raster, and a little more, reaches.
static thVec2 withinRaster(const thTwoNearest* fields, thVec2 place)
{
    const float width = fields->pixel * (float)fields->width;
    const float height = fields->pixel * (float)fields->height;
    return (thVec2){TH_MIN(TH_MAX(place.x, -fields->pixel), width + fields->pixel),
                    TH_MIN(TH_MAX(place.y, -fields->pixel), height + fields->pixel)};
}

float thiMangClearanceAlong(const thTwoNearest* fields, int32_t agent, int32_t other, thVec2 from,
                            thVec2 to)
{
    from = withinRaster(fields, from);
    const thVec2 way = thiSubtract(withinRaster(fields, to), from);
    const int32_t count = 1 + (int32_t)(lengthOf(way) / fields->pixel);
    float least = INFINITY;
    for (int32_t i = 0; i <= count; ++i) {
        const thVec2 at = thiAddScaled(from, (float)i / (float)count, way);
        least = TH_MIN(least, clearanceAt(fields, agent, other, at));
    }
    return least;
}

double thiMangCostAt(const thMangQuery* query, float pixel, float clearance)
{
    const float beyond = clearance - query->radius;
    if (beyond < query->margin)
        return INFINITY;
    return TH_MAX(1.0, (double)query->comfort / (double)TH_MAX(beyond, 0.5f * pixel));
}

static double costOfEdge(const Search* s, const thMangEdge* edge)
{
    return thiMangCostAt(s->query, s->fields->pixel, thiMangClearance(edge, s->query->agent));
}

// Of a straight piece at the start or the end, infinite if it leads through anybody: it may be as
// near to others as the end that cannot be chosen.
static double costOfLine(const Search* s, thVec2 from, thVec2 to, int32_t other, float given)
{
    const float pixel = s->fields->pixel, radius = s->query->radius;
    const float clearance = thiMangClearanceAlong(s->fields, s->query->agent, other, from, to);
    if (clearance < TH_MIN(radius, given - PIXEL_ERROR * pixel))
        return INFINITY;
    const float eased = TH_MAX(clearance, radius + s->query->margin);
    return (double)lengthOf(thiSubtract(to, from)) * thiMangCostAt(s->query, pixel, eased);
}

// --- Onto the graph ----------------------------------------------------------------------------

static thVec2 vertexPlace(const thMangGraph* graph, int32_t vertex)
{
    return TH_ITEMS(graph->vertices, thMangVertex)[vertex].place;
}

// The i-th place of an edge with its ends: 0 .. count + 1.
static thVec2 placeOnEdge(const thMangGraph* graph, const thMangEdge* edge, int32_t i)
{
    return i == 0                 ? vertexPlace(graph, edge->ends[0])
           : i == edge->count + 1 ? vertexPlace(graph, edge->ends[1])
                                  : TH_ITEMS(graph->points, thVec2)[edge->first + i - 1];
}

// The place of an edge at a length along it.
static thVec2 placeAlong(const thMangGraph* graph, const thMangEdge* edge, float along)
{
    thVec2 from = placeOnEdge(graph, edge, 0);
    float before = 0.0f;
    for (int32_t i = 1; i <= edge->count + 1; ++i) {
        const thVec2 to = placeOnEdge(graph, edge, i), way = thiSubtract(to, from);
        const float length = lengthOf(way);
        if (before + length >= along && length > 0.0f)
            return thiAddScaled(from, TH_MAX(along - before, 0.0f) / length, way);
        before += length;
        from = to;
    }
    return from;
}

// How far along an edge the place is that is nearest.
static float nearestAlong(const thMangGraph* graph, const thMangEdge* edge, thVec2 place)
{
    thVec2 from = placeOnEdge(graph, edge, 0);
    float before = 0.0f, along = 0.0f, least = INFINITY;
    for (int32_t i = 1; i <= edge->count + 1; ++i) {
        const thVec2 to = placeOnEdge(graph, edge, i), way = thiSubtract(to, from);
        const float length = lengthOf(way);
        const float share =
            TH_MIN(TH_MAX(thiDot(thiSubtract(place, from), way) / (length * length), 0.0f), 1.0f);
        const float distance = lengthOf(thiSubtract(thiAddScaled(from, share, way), place));
        if (distance < least) {
            least = distance;
            along = before + share * length;
        }
        before += length;
        from = to;
    }
    return along;
}

static bool isRed(const thMangGraph* graph, int32_t vertex)
{
    return TH_ITEMS(graph->vertices, thMangVertex)[vertex].isRed;
}

// Others' black edges may end where this one does: it is kept away from there.
static float pullInward(const Search* s, const thMangEdge* edge, float along)
{
    const float by = TH_MIN(0.5f * edge->length, s->query->inward);
    if (isRed(s->graph, edge->ends[0]))
        along = TH_MAX(along, by);
    if (isRed(s->graph, edge->ends[1]))
        along = TH_MIN(along, edge->length - by);
    return along;
}

static void hookToVertex(Search* s, int32_t vertex)
{
    const thVec2 place = vertexPlace(s->graph, vertex);
    const double cost = costOfLine(s, s->query->place, place, -1, s->startClearance);
    if (cost < INFINITY)
        s->hooks[s->hookCount++] = (Hook){place, vertex, -1, 0.0f, false, cost};
}

static void hookToEdge(Search* s, int32_t number)
{
    const thMangEdge* edge = &TH_ITEMS(s->graph->edges, thMangEdge)[number];
    const float along = pullInward(s, edge, nearestAlong(s->graph, edge, s->query->place));
    const thVec2 place = placeAlong(s->graph, edge, along);
    const double cost = costOfLine(s, s->query->place, place, -1, s->startClearance);
    const double perMetre = costOfEdge(s, edge);
    if (!(cost < INFINITY && perMetre < INFINITY))
        return;
    const double rest[2] = {(double)along, (double)TH_MAX(edge->length - along, 0.0f)};
    for (int32_t i = 0; i < 2; ++i)
        s->hooks[s->hookCount++] =
            (Hook){place, edge->ends[i], number, along, i == 1, cost + rest[i] * perMetre};
}

// To the own black vertices; if there are none, or none that it can go to, to the nearest places of
// black edges.
static thResult findHooks(Search* s)
{
    const thMangGraph* g = s->graph;
    const int32_t own = s->query->agent - g->obstacleCount;
    const int32_t *vertices = TH_ITEMS(g->ownVertexStarts, int32_t) + own,
                  *edges = TH_ITEMS(g->ownEdgeStarts, int32_t) + own;
    const int32_t room = TH_MAX(vertices[1] - vertices[0], 2 * (edges[1] - edges[0]));
    s->hookCount = 0;
    s->hooks = thiArenaAllocate(s->arena, (size_t)TH_MAX(room, 1) * sizeof(Hook));
    if (s->hooks == NULL)
        return th_resultNoMemory;
    for (int32_t i = vertices[0]; i < vertices[1]; ++i)
        hookToVertex(s, TH_ITEMS(g->ownVertices, int32_t)[i]);
    for (int32_t i = edges[0]; s->hookCount == 0 && i < edges[1]; ++i)
        hookToEdge(s, TH_ITEMS(g->ownEdges, int32_t)[i]);
    return th_resultOk;
}

// --- The search --------------------------------------------------------------------------------

static bool comesBefore(const Search* s, int32_t a, int32_t b)
{
    const double x = s->nodes[a].estimate, y = s->nodes[b].estimate;
    return x < y || (!(y < x) && a < b);
}

static void setHeap(Search* s, int32_t at, int32_t node)
{
    s->heap[at] = node;
    s->nodes[node].inHeap = at + 1;
}

static void moveUp(Search* s, int32_t at, int32_t node)
{
    while (at > 0 && comesBefore(s, node, s->heap[(at - 1) / 2])) {
        setHeap(s, at, s->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    setHeap(s, at, node);
}

static int32_t takeFirst(Search* s)
{
    const int32_t first = s->heap[0], last = s->heap[--s->heapCount];
    s->nodes[first].inHeap = 0;
    int32_t at = 0;
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= s->heapCount)
            break;
        if (child + 1 < s->heapCount && comesBefore(s, s->heap[child + 1], s->heap[child]))
            ++child;
        if (!comesBefore(s, s->heap[child], last))
            break;
        setHeap(s, at, s->heap[child]);
        at = child;
    }
    if (s->heapCount > 0)
        setHeap(s, at, last);
    return first;
}

// Of ways that cost the same the first one stays: over the node that came first from the heap.
static void reach(Search* s, int32_t number, double cost, int32_t edge, int32_t from)
{
    Node* node = &s->nodes[number];
    if (!(cost < node->cost) || node->isDone)
        return;
    double ahead = 0.0;
    if (number < s->graph->vertices.count) {
        const thVec2 to = thiSubtract(s->query->goal, vertexPlace(s->graph, number));
        ahead = ESTIMATE * (double)lengthOf(to);
    }
    node->cost = cost;
    node->estimate = cost + ahead;
    node->edge = edge;
    node->from = from;
    moveUp(s, node->inHeap > 0 ? node->inHeap - 1 : s->heapCount++, number);
}

static thResult prepareNodes(Search* s)
{
    const thMangGraph* g = s->graph;
    const int32_t count = g->vertices.count + 1;
    s->nodes = thiArenaAllocate(s->arena, (size_t)count * sizeof(Node));
    s->heap = thiArenaAllocate(s->arena, (size_t)count * sizeof(int32_t));
    if (s->nodes == NULL || s->heap == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i)
        s->nodes[i] = (Node){.cost = INFINITY};
    s->heapCount = 0;
    const int32_t* border = TH_ITEMS(g->borderStarts, int32_t) + s->goalSite;
    for (int32_t i = border[0]; i < border[1]; ++i)
        s->nodes[TH_ITEMS(g->borderVertices, int32_t)[i]].isTarget = true;
    return th_resultOk;
}

// Finds the node of the goal, if there is a way.
static void search(Search* s)
{
    const thMangGraph* g = s->graph;
    const int32_t goal = g->vertices.count;
    // Agents will have moved by then; obstacles not.
    const int32_t other = s->goalSite >= g->obstacleCount ? s->goalSite : -1;
    const float given = clearanceAt(s->fields, s->query->agent, other, s->query->goal);
    for (int32_t i = 0; i < s->hookCount; ++i)
        reach(s, s->hooks[i].vertex, s->hooks[i].cost, -1, i);
    while (s->heapCount > 0 && !s->nodes[goal].isDone) {
        const int32_t at = takeFirst(s);
        Node* node = &s->nodes[at];
        node->isDone = true;
        if (at == goal)
            return;
        if (node->isTarget) {
            const thVec2 place = vertexPlace(g, at);
            const double rest = costOfLine(s, place, s->query->goal, other, given);
            reach(s, goal, node->cost + rest, -1, at);
        }
        const int32_t* starts = TH_ITEMS(g->edgeStarts, int32_t) + at;
        for (int32_t i = starts[0]; i < starts[1]; ++i) {
            const int32_t number = TH_ITEMS(g->edgesOf, int32_t)[i];
            const thMangEdge* edge = &TH_ITEMS(g->edges, thMangEdge)[number];
            const double cost = costOfEdge(s, edge);
            if (cost < INFINITY)
                reach(s, edge->ends[edge->ends[0] == at], node->cost + (double)edge->length * cost,
                      number, at);
        }
    }
}

// --- The path ----------------------------------------------------------------------------------

static void addPoint(thMangPath* path, thVec2* points, thVec2 point)
{
    points[path->pointCount++] = point;
}

// The points of an edge to one of its ends: from the other one, or from a place along it.
static void addEdge(const thMangGraph* graph, const thMangEdge* edge, bool toSecond, float from,
                    thMangPath* path, thVec2* points)
{
    thVec2 last = placeOnEdge(graph, edge, 0);
    float along = 0.0f;
    const int32_t begin = path->pointCount;
    for (int32_t i = 1; i <= edge->count; ++i) {
        const thVec2 point = placeOnEdge(graph, edge, i);
        along += lengthOf(thiSubtract(point, last));
        last = point;
        if (toSecond ? along > from : along < from)
            addPoint(path, points, point);
    }
    for (int32_t i = begin, j = path->pointCount - 1; !toSecond && i < j; ++i, --j) {
        const thVec2 kept = points[i];
        points[i] = points[j];
        points[j] = kept;
    }
}

// Where to go first: to the hook or, who is there already, to the next black vertex, or to where
// the way leaves the own region, but not quite.
static thVec2 nextPlace(const Search* s, const Hook* hook, const thMangPath* path)
{
    const thMangGraph* g = s->graph;
    thVec2 next = hook->place;
    float from = hook->along;
    for (int32_t i = 0; i < path->count; ++i) {
        if (lengthOf(thiSubtract(next, s->query->place)) > s->query->radius)
            return next;
        const int32_t vertex = path->vertices[i];
        const int32_t number = i == 0 ? hook->edge : path->edges[i];
        next = vertexPlace(g, vertex);
        if (!isRed(g, vertex))
            continue;
        const thMangEdge* edge = &TH_ITEMS(g->edges, thMangEdge)[number];
        const bool toSecond = i == 0 ? hook->toSecond : edge->ends[1] == vertex;
        const float rest = i > 0 ? edge->length : toSecond ? edge->length - from : from;
        const float by = TH_MIN(0.5f * rest, s->query->inward);
        return placeAlong(g, edge, toSecond ? edge->length - by : by);
    }
    return next;
}

static thResult tell(const Search* s, thMangPath* path)
{
    const thMangGraph* g = s->graph;
    const int32_t goal = g->vertices.count;
    const thMangEdge* edges = TH_ITEMS(g->edges, thMangEdge);
    int32_t count = 1, first = s->nodes[goal].from, points = 3; // place, hook and goal
    for (; s->nodes[first].edge >= 0; first = s->nodes[first].from) {
        ++count;
        points += 1 + edges[s->nodes[first].edge].count;
    }
    const Hook* hook = &s->hooks[s->nodes[first].from];
    points += hook->edge >= 0 ? 1 + edges[hook->edge].count : 1;
    int32_t* vertices = thiArenaAllocate(s->arena, (size_t)count * sizeof *vertices);
    int32_t* by = thiArenaAllocate(s->arena, (size_t)count * sizeof *by);
    thVec2* places = thiArenaAllocate(s->arena, (size_t)points * sizeof *places);
    if (vertices == NULL || by == NULL || places == NULL)
        return th_resultNoMemory;
    for (int32_t i = count - 1, at = s->nodes[goal].from; i >= 0; --i) {
        vertices[i] = at;
        by[i] = i > 0 ? s->nodes[at].edge : hook->edge;
        at = s->nodes[at].from;
    }

    path->way = th_mangOverGraph;
    path->cost = s->nodes[goal].cost;
    path->count = count;
    path->vertices = vertices;
    path->edges = by;
    path->points = places;
    path->pointCount = 0;
    addPoint(path, places, s->query->place);
    if (hook->edge >= 0)
        addPoint(path, places, hook->place);
    for (int32_t i = 0; i < count; ++i) {
        if (by[i] >= 0) {
            const thMangEdge* edge = &edges[by[i]];
            const bool toSecond = i == 0 ? hook->toSecond : edge->ends[1] == vertices[i];
            addEdge(g, edge, toSecond,
                    i == 0     ? hook->along
                    : toSecond ? -1.0f
                               : INFINITY,
                    path, places);
        }
        addPoint(path, places, vertexPlace(g, vertices[i]));
    }
    addPoint(path, places, s->query->goal);
    path->next = nextPlace(s, hook, path);
    return th_resultOk;
}

// Whether two regions have a border.
static bool areNeighbours(const thMangGraph* g, int32_t a, int32_t b)
{
    const int32_t* border = TH_ITEMS(g->borderStarts, int32_t) + a;
    for (int32_t i = border[0]; i < border[1]; ++i) {
        const int32_t vertex = TH_ITEMS(g->borderVertices, int32_t)[i];
        const int32_t* starts = TH_ITEMS(g->edgeStarts, int32_t) + vertex;
        for (int32_t j = starts[0]; j < starts[1]; ++j) {
            const int32_t number = TH_ITEMS(g->edgesOf, int32_t)[j];
            const thMangEdge* edge = &TH_ITEMS(g->edges, thMangEdge)[number];
            if (edge->owner < 0 && edge->governors[0] == TH_MIN(a, b) &&
                edge->governors[1] == TH_MAX(a, b))
                return true;
        }
    }
    return false;
}

static bool goesStraight(const Search* s)
{
    const thMangQuery* q = s->query;
    if (s->goalSite < 0 || s->goalSite == q->agent)
        return true;
    return q->straightToNext && areNeighbours(s->graph, q->agent, s->goalSite) &&
           thiMangClearanceAlong(s->fields, q->agent, -1, q->place, q->goal) >=
               q->radius + q->margin;
}

thResult thiFindMangPath(const thMangGraph* graph, const thTwoNearest* fields,
                         const thMangQuery* query, thArena* arena, thMangPath* path)
{
    TH_ASSERT(query->agent >= graph->obstacleCount && query->agent < graph->siteCount);
    Search s = {.graph = graph, .fields = fields, .query = query, .arena = arena};
    s.startClearance = clearanceAt(fields, query->agent, -1, query->place);
    s.goalSite = fields->first[pixelAt(fields, query->goal)];
    thVec2* points = thiArenaAllocate(arena, 2 * sizeof *points);
    if (points == NULL)
        return th_resultNoMemory;
    points[0] = query->place;
    points[1] = query->goal;
    *path = (thMangPath){.next = query->goal, .cost = INFINITY, .pointCount = 2, .points = points};
    if (goesStraight(&s)) {
        path->way = th_mangStraight;
        path->cost = (double)lengthOf(thiSubtract(query->goal, query->place));
        return th_resultOk;
    }
    TH_TRY(findHooks(&s));
    path->way = th_mangNoGraph;
    if (s.hookCount == 0)
        return th_resultOk;
    TH_TRY(prepareNodes(&s));
    search(&s);
    path->way = th_mangNoWay;
    return s.nodes[graph->vertices.count].isDone ? tell(&s, path) : th_resultOk;
}
