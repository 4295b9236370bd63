// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Paths over the multi-agent navigation graph: against plain searches of the graph and of the
// diagram without the agent, and that no two agents get the same goal on the way.

#include "base/memory_gear.h"
#include "gear/gear.h"
#include "mang_gear.h"

#include <stdlib.h>

// A scene with its fields, its graph and an arena.
typedef struct Map {
    MangScene scene;
    thTwoNearest fields;
    thTestAllocator test;
    thMemory memory;
    thMangGraph graph;
    thArena arena;
} Map;

static thTasks* aloneTasks(void)
{
    thTasksDef def = thDefaultTasksDef();
    thTasks* tasks = NULL;
    assert_int_equal(thCreateTasks(&def, &tasks), th_resultOk);
    return tasks;
}

// With fields that are the map's from then on.
static void beginMapOf(Map* map, thTwoNearest fields)
{
    beginTestMemory(&map->test, &map->memory, 0);
    map->fields = fields;
    map->graph = thiMangGraph(&map->memory);
    thTasks* tasks = aloneTasks();
    assert_int_equal(thiMakeMangGraph(&map->graph, &map->fields, map->scene.siteCount,
                                      map->scene.obstacleCount, tasks),
                     th_resultOk);
    thDestroyTasks(tasks);
    thiArenaInit(&map->arena, &map->memory);
}

// Of the scene that has been filled in.
static void beginMap(Map* map)
{
    beginMapOf(map, makeFields(&map->scene, -1));
}

static void endMap(Map* map)
{
    thiArenaFree(&map->arena);
    thiMangGraphFree(&map->graph);
    testAllocatorFinish(&map->test);
    freeFields(&map->fields);
}

static const thMangVertex* vertexOf(const Map* map, int32_t i)
{
    return &TH_ITEMS(map->graph.vertices, thMangVertex)[i];
}

static const thMangEdge* edgeOf(const Map* map, int32_t i)
{
    return &TH_ITEMS(map->graph.edges, thMangEdge)[i];
}

static thMangPath find(Map* map, const thMangQuery* query)
{
    thMangPath path;
    assert_int_equal(thiFindMangPath(&map->graph, &map->fields, query, &map->arena, &path),
                     th_resultOk);
    return path;
}

static double apart(thVec2 a, thVec2 b)
{
    return hypot((double)a.x - (double)b.x, (double)a.y - (double)b.y);
}

static int32_t pixelOf(const Map* map, thVec2 at)
{
    const thTwoNearest* f = &map->fields;
    const int32_t x = (int32_t)fminf(fmaxf(at.x / f->pixel, 0.0f), (float)(f->width - 1));
    const int32_t y = (int32_t)fminf(fmaxf(at.y / f->pixel, 0.0f), (float)(f->height - 1));
    return y * f->width + x;
}

static int32_t siteAt(const Map* map, thVec2 at)
{
    return map->fields.first[pixelOf(map, at)];
}

// Walls round a room with some agents, which keep apart, and obstacles.
static void drawRoom(thGenerator* g, int32_t agents, float radius, bool hasObstacles,
                     MangScene* scene)
{
    *scene = (MangScene){.width = 56, .height = 48, .pixel = 0.25f};
    addWalls(scene);
    if (hasObstacles) {
        addDisc(scene, 4.0f, 5.0f, 1.0f);
        addSite(scene, th_sitePolygon, (const thVec2[4]){{8, 4}, {11, 4}, {11, 5}, {8, 5}}, 4, 0);
    }
    beginAgents(scene);
    drawAgents(g, agents, radius, radius + 0.5f, scene);
}

static thVec2 drawGoal(thGenerator* g, const MangScene* scene)
{
    return (thVec2){drawFloat(g, 0.5f, (float)scene->width * scene->pixel - 0.5f),
                    drawFloat(g, 0.5f, (float)scene->height * scene->pixel - 0.5f)};
}

static thMangQuery queryOf(const MangScene* scene, int32_t agent, thVec2 goal)
{
    const float radius = scene->sites[agent].radius;
    return (thMangQuery){.agent = agent,
                         .place = agentPlace(scene, agent),
                         .goal = goal,
                         .radius = radius,
                         .comfort = 4.0f * radius,
                         .inward = fmaxf(2.0f * scene->pixel, radius)};
}

// --- Plain searches: arcs are relaxed until nothing gets less ---

typedef struct Arc {
    int32_t a, b;
    double cost;
} Arc;

typedef struct Plain {
    Arc* arcs;
    double* costs;
    int32_t arcCount, nodeCount;
} Plain;

static Plain makePlain(int32_t nodes, int32_t arcs)
{
    Plain p = {.arcs = malloc((size_t)arcs * sizeof(Arc)),
               .costs = malloc((size_t)nodes * sizeof(double)),
               .nodeCount = nodes};
    for (int32_t i = 0; i < nodes; ++i)
        p.costs[i] = INFINITY;
    return p;
}

static void addArc(Plain* p, int32_t a, int32_t b, double cost)
{
    p->arcs[p->arcCount++] = (Arc){a, b, cost};
}

static void relax(Plain* p)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < 2 * p->arcCount; ++i) {
            const Arc* arc = &p->arcs[i / 2];
            const int32_t from = i % 2 == 0 ? arc->a : arc->b, to = arc->a + arc->b - from;
            if (p->costs[from] + arc->cost < p->costs[to]) {
                p->costs[to] = p->costs[from] + arc->cost;
                changed = true;
            }
        }
    }
}

static void freePlain(Plain* p)
{
    free(p->arcs);
    free(p->costs);
}

static double lineCost(const Map* map, const thMangQuery* q, thVec2 from, thVec2 to, int32_t other,
                       thVec2 given)
{
    const float pixel = map->fields.pixel;
    const float clearance = thiMangClearanceAlong(&map->fields, q->agent, other, from, to);
    const float there = thiMangClearanceAlong(&map->fields, q->agent, other, given, given);
    if (clearance < fminf(q->radius, there - 0.75f * pixel))
        return INFINITY;
    return apart(from, to) * thiMangCostAt(q, pixel, fmaxf(clearance, q->radius + q->margin));
}

// What starts cost: at own black vertices.
static bool seedVertices(const Map* map, const thMangQuery* q, double* costs, int32_t firstNode)
{
    bool any = false;
    const int32_t* own =
        TH_ITEMS(map->graph.ownVertexStarts, int32_t) + q->agent - map->scene.obstacleCount;
    for (int32_t i = own[0]; i < own[1]; ++i) {
        const int32_t v = TH_ITEMS(map->graph.ownVertices, int32_t)[i];
        const double cost = lineCost(map, q, q->place, vertexOf(map, v)->place, -1, q->place);
        costs[firstNode + v] = cost;
        any = any || cost < INFINITY;
    }
    return any;
}

static double costAtGoal(const Map* map, const thMangQuery* q, const double* costs)
{
    const int32_t site = siteAt(map, q->goal);
    const int32_t* border = TH_ITEMS(map->graph.borderStarts, int32_t) + site;
    double least = INFINITY;
    for (int32_t i = border[0]; i < border[1]; ++i) {
        const int32_t v = TH_ITEMS(map->graph.borderVertices, int32_t)[i];
        const int32_t other = site >= map->scene.obstacleCount ? site : -1;
        if (costs[v] < INFINITY)
            least = fmin(least, costs[v] + lineCost(map, q, vertexOf(map, v)->place, q->goal, other,
                                                    q->goal));
    }
    return least;
}

static void addEdges(const Map* map, const thMangQuery* q, Plain* p)
{
    for (int32_t i = 0; i < map->graph.edges.count; ++i) {
        const thMangEdge* e = edgeOf(map, i);
        const double each = thiMangCostAt(q, map->fields.pixel, thiMangClearance(e, q->agent));
        addArc(p, e->ends[0], e->ends[1], (double)e->length * each);
    }
}

static double plainCost(const Map* map, const thMangQuery* q)
{
    Plain p = makePlain(map->graph.vertices.count + 1, map->graph.edges.count + 1);
    double cost = NAN;
    if (seedVertices(map, q, p.costs, 0)) {
        addEdges(map, q, &p);
        relax(&p);
        cost = costAtGoal(map, q, p.costs);
    }
    freePlain(&p);
    return cost;
}

// Of a path that comes onto the graph within an edge: that it does where the edge is nearest unless
// it is pulled, and costs what a plain search from there says.
static bool isGoodHook(const Map* map, const thMangQuery* q, const thMangPath* path)
{
    const thMangEdge* on = edgeOf(map, path->edges[0]);
    const thVec2 hook = path->points[1];
    double nearest = INFINITY, along = 0.0, offAlong = INFINITY, before = 0.0;
    thVec2 last = vertexOf(map, on->ends[0])->place;
    for (int32_t i = 0; i <= on->count; ++i) {
        const thVec2 to = i < on->count ? TH_ITEMS(map->graph.points, thVec2)[on->first + i]
                                        : vertexOf(map, on->ends[1])->place;
        for (int32_t j = 0; j <= 100; ++j) {
            const float share = (float)j / 100.0f;
            const thVec2 at = {last.x + share * (to.x - last.x), last.y + share * (to.y - last.y)};
            nearest = fmin(nearest, apart(at, q->place));
            if (apart(at, hook) < offAlong) {
                offAlong = apart(at, hook);
                along = before + apart(last, at);
            }
        }
        before += apart(last, to);
        last = to;
    }
    const double rough = 0.01 * (double)map->fields.pixel;
    if (offAlong > rough || (q->inward <= 0.0f && apart(hook, q->place) > nearest + rough))
        return false;
    const double start = lineCost(map, q, q->place, hook, -1, q->place);
    const double each = thiMangCostAt(q, map->fields.pixel, thiMangClearance(on, q->agent));
    Plain p = makePlain(map->graph.vertices.count, map->graph.edges.count);
    p.costs[on->ends[0]] = start + along * each;
    p.costs[on->ends[1]] = fmin(p.costs[on->ends[1]], start + (before - along) * each);
    addEdges(map, q, &p);
    relax(&p);
    const double cost = costAtGoal(map, q, p.costs);
    freePlain(&p);
    return isNear(path->cost, cost, rough * each + 1e-5 * cost);
}

// As plainCost, but over the cracks of the fields without the agent, of which the graph knows
// nothing: from middle to middle, and over the corners that are vertices.
static double costWithout(const Map* map, const thMangQuery* q)
{
    thTwoNearest f = makeFields(&map->scene, q->agent);
    const int32_t columns = f.width + 1, corners = columns * (f.height + 1);
    const int32_t vertices = map->graph.vertices.count;
    int32_t* vertexAt = malloc((size_t)corners * sizeof *vertexAt);
    for (int32_t i = 0; i < corners; ++i)
        vertexAt[i] = -1;
    for (int32_t i = 0; i < vertices; ++i) {
        const thVec2 at = vertexOf(map, i)->place;
        vertexAt[(int32_t)lrintf(at.y / f.pixel) * columns + (int32_t)lrintf(at.x / f.pixel)] = i;
    }
    Plain p = makePlain(vertices + 2 * corners, 6 * corners);
    seedVertices(map, q, p.costs, 0);
    for (int32_t corner = 0; corner < corners; ++corner) {
        const int32_t x = corner % columns, y = corner / columns;
        // Cracks to the east and the north are the corner's, the others those of the ones there.
        int32_t cracks[4], count = 0;
        bool flat[4];
        for (int32_t i = 0; i < 4; ++i) {
            const int32_t cx = x - (i == 2), cy = y - (i == 3);
            const bool isFlat = i % 2 == 0;
            if (cx < 0 || cy < 0 || cx >= f.width + !isFlat || cy >= f.height + isFlat ||
                (isFlat ? cy == 0 || cy == f.height : cx == 0 || cx == f.width))
                continue;
            const int32_t w = cy * f.width + cx, u = isFlat ? w - f.width : w - 1;
            if (f.first[u] == f.first[w])
                continue;
            flat[count] = isFlat;
            cracks[count++] = vertices + 2 * (cy * columns + cx) + isFlat;
        }
        const double pixel = (double)f.pixel;
        for (int32_t i = 0; i < count; ++i)
            if (vertexAt[corner] >= 0)
                addArc(&p, vertexAt[corner], cracks[i], 0.5 * pixel);
        if (vertexAt[corner] < 0 && count == 2)
            addArc(&p, cracks[0], cracks[1], flat[0] == flat[1] ? pixel : sqrt(0.5) * pixel);
    }
    relax(&p);
    const double cost = costAtGoal(map, q, p.costs);
    freePlain(&p);
    free(vertexAt);
    freeFields(&f);
    return cost;
}

// --- Paths are allowed, whole, and the cheapest ---

static bool isGoodPath(const Map* map, const thMangQuery* q, const thMangPath* path)
{
    bool good = path->pointCount >= 2 && apart(path->points[0], q->place) == 0.0 &&
                apart(path->points[path->pointCount - 1], q->goal) == 0.0;
    if (path->way != th_mangOverGraph)
        return good && path->count == 0 && apart(path->next, q->goal) == 0.0 &&
               (path->way == th_mangStraight) == (path->cost < INFINITY);
    double length = 0.0;
    for (int32_t i = 1; i < path->pointCount; ++i)
        length += apart(path->points[i - 1], path->points[i]);
    good = good && path->cost >= length * (1.0 - 1e-5) && length >= apart(q->place, q->goal) - 1e-5;
    good = good && (q->comfort > 0.0f || path->cost <= length * (1.0 + 1e-5));
    for (int32_t i = 0; i < path->count; ++i) {
        if (path->edges[i] < 0) {
            good = good && i == 0 && !vertexOf(map, path->vertices[0])->isRed;
            continue;
        }
        const thMangEdge* e = edgeOf(map, path->edges[i]);
        good = good && (e->ends[0] == path->vertices[i] || e->ends[1] == path->vertices[i]);
        good = good && (i == 0 || e->ends[0] == path->vertices[i - 1] ||
                        e->ends[1] == path->vertices[i - 1]);
        good = good && (e->owner < 0 || e->owner == q->agent);
        good = good && thiMangClearance(e, q->agent) >= q->radius + q->margin;
        // Of its own border only what pixels make a part of the diagram without it.
        const bool isOwn =
            e->owner < 0 && (e->governors[0] == q->agent || e->governors[1] == q->agent);
        good = good && (!isOwn || e->count <= 40);
    }
    const thMangVertex* last = vertexOf(map, path->vertices[path->count - 1]);
    return good && last->isRed;
}

static bool holdsOfPaths(thGenerator* g, int32_t size, void* context)
{
    int32_t* ways = context;
    static Map map;
    const float radius = drawInt(g, 0, 1) == 0 ? 0.0f : 0.25f;
    drawRoom(g, 1 + size, radius, drawInt(g, 0, 1) == 0, &map.scene);
    beginMap(&map);
    bool good = true;
    for (int32_t agent = map.scene.obstacleCount; agent < map.scene.siteCount; ++agent) {
        thMangQuery q = queryOf(&map.scene, agent, drawGoal(g, &map.scene));
        q.straightToNext = drawInt(g, 0, 3) == 0;
        q.margin = drawInt(g, 0, 1) == 0 ? 0.0f : 0.5f;
        const thMangPath path = find(&map, &q);
        ++ways[path.way];
        good = good && isGoodPath(&map, &q, &path);
        if (path.way == th_mangStraight)
            good = good && (siteAt(&map, q.goal) == agent || q.straightToNext);
        const double plain = plainCost(&map, &q);
        if (path.way == th_mangOverGraph && !isnan(plain))
            good = good && isNear(path.cost, plain, 1e-6 * plain);
        if (path.way == th_mangNoWay)
            good = good && (isnan(plain) || plain == INFINITY);
        if (path.way == th_mangNoGraph)
            good = good && isnan(plain);
        thiArenaReset(&map.arena);
    }
    endMap(&map);
    return good;
}

static void testCheapest(void** state)
{
    (void)state;
    int32_t ways[4] = {0};
    assertProperty(&(thProperty){"mangPaths", 11, caseCount(60, 2000), 30, holdsOfPaths, ways});
    print_message("straight %d, over the graph %d, no graph %d, no way %d\n", ways[0], ways[1],
                  ways[2], ways[3]);
    assert_true(ways[th_mangOverGraph] > 100 && ways[th_mangStraight] > 10 &&
                ways[th_mangNoWay] > 0);
}

// Where nothing is too narrow and a metre is a metre, it is as if the agent's diagram had been
// made.
static bool holdsWithout(thGenerator* g, int32_t size, void* context)
{
    int32_t* compared = context;
    static Map map;
    drawRoom(g, 2 + size, 0.0f, drawInt(g, 0, 1) == 0, &map.scene);
    beginMap(&map);
    bool good = true;
    for (int32_t i = 0; i < 4; ++i) {
        const int32_t agent = drawInt(g, map.scene.obstacleCount, map.scene.siteCount - 1);
        const thMangQuery q = queryOf(&map.scene, agent, drawGoal(g, &map.scene));
        const thMangPath path = find(&map, &q);
        if (path.way != th_mangOverGraph || path.edges[0] >= 0)
            continue;
        ++*compared;
        const double without = costWithout(&map, &q);
        good = good && isNear(path.cost, without, 1e-5 * without);
    }
    endMap(&map);
    return good;
}

static void testWithoutAgent(void** state)
{
    (void)state;
    int32_t compared = 0;
    assertProperty(
        &(thProperty){"mangWithout", 12, caseCount(20, 400), 20, holdsWithout, &compared});
    print_message("%d paths compared\n", compared);
    assert_true(compared > 20);
}

// --- Nobody else's goal ---

// Whether a place is within a region: all pixels that it is of, or touches.
static bool isWithin(const Map* map, int32_t site, thVec2 at)
{
    const thTwoNearest* f = &map->fields;
    for (int32_t i = 0; i < 4; ++i) {
        const float x = at.x + (i % 2 == 0 ? -1e-4f : 1e-4f) * f->pixel;
        const float y = at.y + (i / 2 == 0 ? -1e-4f : 1e-4f) * f->pixel;
        if (siteAt(map, (thVec2){x, y}) != site)
            return false;
    }
    return true;
}

typedef struct Uniqueness {
    int32_t scenes, agents, overGraph, onEdges, noGraph, noWay, shared, close, closeUnpulled;
} Uniqueness;

static bool holdsOfGoals(thGenerator* g, int32_t size, void* context)
{
    Uniqueness* u = context;
    static Map map;
    drawRoom(g, 3 + size, 0.125f, drawInt(g, 0, 1) == 0, &map.scene);
    if (drawInt(g, 0, 3) == 0) { // in the open: no walls
        map.scene = (MangScene){.width = 56, .height = 48, .pixel = 0.25f};
        drawAgents(g, 3 + size, 0.125f, 0.5f, &map.scene);
    }
    beginMap(&map);
    bool good = true;
    thVec2 next[MOST_SITES], unpulled[MOST_SITES];
    ++u->scenes;
    for (int32_t i = map.scene.obstacleCount; i < map.scene.siteCount; ++i) {
        thMangQuery q = queryOf(&map.scene, i, drawGoal(g, &map.scene));
        const thMangPath path = find(&map, &q);
        next[i] = path.way == th_mangOverGraph ? path.next : (thVec2){NAN, NAN};
        ++u->agents;
        u->overGraph += path.way == th_mangOverGraph;
        u->onEdges += path.way == th_mangOverGraph && path.edges[0] >= 0;
        u->noGraph += path.way == th_mangNoGraph;
        u->noWay += path.way == th_mangNoWay;
        good = good && (path.way != th_mangOverGraph || isWithin(&map, i, path.next));
        good = good && (path.count == 0 || path.edges[0] < 0 || isGoodHook(&map, &q, &path));
        q.inward = 0.0f;
        const thMangPath other = find(&map, &q);
        good = good && (other.count == 0 || other.edges[0] < 0 || isGoodHook(&map, &q, &other));
        unpulled[i] = other.way == th_mangOverGraph ? other.next : (thVec2){NAN, NAN};
        for (int32_t j = map.scene.obstacleCount; j < i; ++j) {
            u->shared += apart(next[i], next[j]) == 0.0;
            u->close += apart(next[i], next[j]) <= 1.5 * (double)map.scene.pixel;
            u->closeUnpulled += apart(unpulled[i], unpulled[j]) <= 1.5 * (double)map.scene.pixel;
        }
    }
    endMap(&map);
    return good && u->shared == 0;
}

static void testUnique(void** state)
{
    (void)state;
    Uniqueness u = {0};
    assertProperty(&(thProperty){"mangGoals", 13, caseCount(100, 2000), 20, holdsOfGoals, &u});
    print_message(
        "%d scenes, %d agents: %d over the graph, %d of them from an edge, no graph %d, "
        "no way %d; pairs with the same goal %d, within 1.5 pixels %d, without the pull %d\n",
        u.scenes, u.agents, u.overGraph, u.onEdges, u.noGraph, u.noWay, u.shared, u.close,
        u.closeUnpulled);
    assert_true(u.overGraph > 200 && u.onEdges > 0 && u.close <= u.closeUnpulled);
}

// Three in the open, of whom the outer two both get the middle of their circle unless it is pulled.
static void testCounterExample(void** state)
{
    (void)state;
    static Map map;
    map.scene = (MangScene){.width = 160, .height = 160, .pixel = 0.05f};
    addDisc(&map.scene, 3.0f, 4.0f, 0.0f);
    addDisc(&map.scene, 5.0f, 4.0f, 0.0f);
    addDisc(&map.scene, 4.0f, 4.3f, 0.0f);
    beginMap(&map);
    for (int32_t pulls = 0; pulls < 2; ++pulls) {
        thVec2 next[2];
        for (int32_t i = 0; i < 2; ++i) {
            thMangQuery q = queryOf(&map.scene, i, (thVec2){i == 0 ? 7.0f : 1.0f, 1.0f});
            q.inward = pulls != 0 ? 0.25f : 0.0f;
            const thMangPath path = find(&map, &q);
            assert_int_equal(path.way, th_mangOverGraph);
            assert_true(isGoodPath(&map, &q, &path));
            next[i] = path.next;
            assert_true(isWithin(&map, i, path.next));
        }
        if (pulls == 0)
            assert_near(apart(next[0], (thVec2){4.0f, 4.0f - 1.5167f}), 0.0, 0.15);
        // A raster has the middle twice, a pixel apart.
        const double pixels = apart(next[0], next[1]) / 0.05;
        print_message("%.2f pixels apart\n", pixels);
        assert_true(pulls != 0 ? pixels > 3.5 : pixels < 1.5);
    }
    endMap(&map);
}

// Four who change corners get goals of their own.
static void testFourCorners(void** state)
{
    (void)state;
    static Map map;
    map.scene = (MangScene){.width = 100, .height = 100, .pixel = 0.25f};
    addWalls(&map.scene);
    beginAgents(&map.scene);
    const thVec2 places[4] = {{2.5f, 3.6f}, {22.4f, 3.5f}, {22.6f, 21.5f}, {2.4f, 21.6f}};
    for (int32_t i = 0; i < 4; ++i)
        addDisc(&map.scene, places[i].x, places[i].y, 0.25f);
    beginMap(&map);
    thVec2 next[4];
    for (int32_t i = 0; i < 4; ++i) {
        const thMangQuery q = queryOf(&map.scene, 4 + i, places[(i + 2) % 4]);
        const thMangPath path = find(&map, &q);
        assert_int_equal(path.way, th_mangOverGraph);
        next[i] = path.next;
        for (int32_t j = 0; j < i; ++j)
            assert_true(apart(next[i], next[j]) > 0.5);
    }
    endMap(&map);
}

// --- Clearance: no way is wider than the widest one over the graph ---

static void widen(Plain* p)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < 2 * p->arcCount; ++i) {
            const Arc* arc = &p->arcs[i / 2];
            const int32_t from = i % 2 == 0 ? arc->a : arc->b, to = arc->a + arc->b - from;
            const double width = fmin(p->costs[from], arc->cost);
            if (width > p->costs[to]) {
                p->costs[to] = width;
                changed = true;
            }
        }
    }
}

static void testWidest(void** state)
{
    (void)state;
    int32_t compared = 0;
    double worst = 0.0;
    for (int32_t number = 0; number < caseCount(10, 200); ++number) {
        thGenerator g = makeGenerator(14, (uint64_t)number);
        static Map map;
        drawRoom(&g, 12, 0.0f, false, &map.scene);
        beginMap(&map);
        const int32_t agent = drawInt(&g, map.scene.obstacleCount, map.scene.siteCount - 1);
        thTwoNearest f = makeFields(&map.scene, agent);
        const int32_t vertices = map.graph.vertices.count, pixels = f.width * f.height;
        Plain graph = makePlain(vertices, map.graph.edges.count);
        Plain raster = makePlain(pixels, 2 * pixels);
        for (int32_t i = 0; i < vertices; ++i)
            graph.costs[i] = -INFINITY;
        int32_t first = -1;
        for (int32_t i = 0; i < map.graph.edges.count; ++i) {
            const thMangEdge* e = edgeOf(&map, i);
            const float clearance = thiMangClearance(e, agent);
            addArc(&graph, e->ends[0], e->ends[1], (double)clearance);
            if (first < 0 && clearance > 2.0f)
                first = e->ends[0];
        }
        for (int32_t i = 0; i < pixels; ++i) {
            raster.costs[i] = -INFINITY;
            for (int32_t j = 0; j < 2; ++j) {
                const int32_t next = j == 0 ? i + 1 : i + f.width;
                if (j == 0 ? i % f.width + 1 < f.width : i / f.width + 1 < f.height)
                    addArc(&raster, i, next,
                           (double)fminf(f.firstDistance[i], f.firstDistance[next]));
            }
        }
        if (first >= 0) {
            graph.costs[first] = INFINITY;
            raster.costs[pixelOf(&map, vertexOf(&map, first)->place)] = INFINITY;
            widen(&graph);
            widen(&raster);
            for (int32_t i = 0; i < vertices; ++i) {
                if (i == first || !(graph.costs[i] > -INFINITY))
                    continue;
                const double wide = raster.costs[pixelOf(&map, vertexOf(&map, i)->place)];
                worst = fmax(worst, (wide - graph.costs[i]) / (double)f.pixel);
                ++compared;
            }
        }
        freePlain(&graph);
        freePlain(&raster);
        freeFields(&f);
        endMap(&map);
    }
    print_message("%d ways, at most %.2f pixels wider than over the graph\n", compared, worst);
    assert_true(compared > 100 && worst <= 1.5);
}

// --- Special cases ---

static void testFewOthers(void** state)
{
    (void)state;
    static Map map;
    for (int32_t count = 1; count <= 2; ++count) { // in the open, alone or two
        map.scene = (MangScene){.width = 40, .height = 20, .pixel = 0.25f};
        for (int32_t i = 0; i < count; ++i)
            addDisc(&map.scene, 2.0f + 5.0f * (float)i, 2.5f, 0.25f);
        beginMap(&map);
        const thMangQuery q = queryOf(&map.scene, 0, (thVec2){9.0f, 2.0f});
        const thMangPath path = find(&map, &q);
        assert_int_equal(path.way, count == 1 ? th_mangStraight : th_mangNoGraph);
        assert_true(isGoodPath(&map, &q, &path));
        endMap(&map);
    }
}

static void testNarrow(void** state)
{
    (void)state;
    static Map map;
    map.scene = (MangScene){.width = 64, .height = 40, .pixel = 0.25f};
    addWalls(&map.scene);
    addSite(&map.scene, th_siteSegment, (const thVec2[2]){{8, 0}, {8, 4.25f}}, 2, 0.0f);
    addSite(&map.scene, th_siteSegment, (const thVec2[2]){{8, 5.75f}, {8, 10}}, 2, 0.0f);
    beginAgents(&map.scene);
    addDisc(&map.scene, 3.0f, 3.0f, 0.25f);
    addDisc(&map.scene, 3.0f, 7.0f, 0.25f);
    beginMap(&map);
    thMangQuery q = queryOf(&map.scene, 6, (thVec2){13.0f, 5.0f});
    q.comfort = 0.0f;
    thMangPath path = find(&map, &q);
    assert_int_equal(path.way, th_mangOverGraph);
    const double free = path.cost;
    q.comfort = 2.0f;
    path = find(&map, &q);
    assert_true(path.way == th_mangOverGraph && path.cost > free);
    q.margin = 0.6f; // with the radius more than half of the gap
    path = find(&map, &q);
    assert_int_equal(path.way, th_mangNoWay);
    assert_true(isGoodPath(&map, &q, &path));
    q.goal = (thVec2){2.5f, 3.5f}; // in its own region: whatever else
    path = find(&map, &q);
    assert_int_equal(path.way, th_mangStraight);
    q.margin = 0.0f;
    q.goal = (thVec2){3.0f, 6.0f}; // the other's
    path = find(&map, &q);
    assert_int_equal(path.way, th_mangOverGraph);
    q.straightToNext = true;
    path = find(&map, &q);
    assert_int_equal(path.way, th_mangStraight);
    q.goal = (thVec2){3.0f, 6.7f}; // too near to the other
    path = find(&map, &q);
    assert_int_equal(path.way, th_mangOverGraph);
    endMap(&map);
}

// Who stands where it should go first goes on along its own edges, not quite to the border.
static void testAtHook(void** state)
{
    (void)state;
    static Map map;
    for (int32_t number = 0; number < 40; ++number) {
        thGenerator g = makeGenerator(15, (uint64_t)number);
        drawRoom(&g, 8, 0.125f, false, &map.scene);
        beginMap(&map);
        thMangQuery q = queryOf(&map.scene, 4 + number % 4, drawGoal(&g, &map.scene));
        thMangPath path = find(&map, &q);
        if (path.way == th_mangOverGraph) {
            const thVec2 before = path.next;
            q.place = path.next; // the fields are as they were
            path = find(&map, &q);
            if (path.way == th_mangOverGraph && siteAt(&map, q.place) == q.agent)
                assert_true(isWithin(&map, q.agent, path.next) && apart(path.next, before) > 0.0);
        }
        endMap(&map);
    }
}

static void testCoincident(void** state)
{
    (void)state;
    static Map map;
    thGenerator g = makeGenerator(16, 0);
    drawRoom(&g, 5, 0.25f, false, &map.scene);
    const thVec2 same = agentPlace(&map.scene, 4);
    addDisc(&map.scene, same.x, same.y, 0.25f);
    beginMap(&map);
    for (int32_t i = 4; i < map.scene.siteCount; ++i) {
        const thMangQuery q = queryOf(&map.scene, i, (thVec2){100.0f, -5.0f}); // beyond the raster
        const thMangPath path = find(&map, &q);
        assert_true(isGoodPath(&map, &q, &path));
        if (i == map.scene.siteCount - 1)
            assert_int_equal(path.way, th_mangNoGraph); // it has no region
    }
    endMap(&map);
}

// Labels as no sites have them.
static bool holdsOfNoise(thGenerator* g, int32_t size, void* context)
{
    int32_t* ways = context;
    static Map map;
    map.scene = (MangScene){.width = 2 + size, .height = 2 + size, .pixel = 0.25f};
    const int32_t sites = drawInt(g, 2, 6), rare = drawInt(g, 1, 8);
    for (int32_t i = 0; i < sites; ++i)
        addDisc(&map.scene, drawFloat(g, 0.0f, 8.0f), drawFloat(g, 0.0f, 8.0f), 0.25f);
    map.scene.obstacleCount = drawInt(g, 0, sites);
    thTwoNearest f = emptyFields(map.scene.width, map.scene.height, map.scene.pixel);
    for (int32_t i = 0; i < f.width * f.height; ++i) {
        f.first[i] = drawInt(g, 0, rare) == 0 ? drawInt(g, 0, sites - 1) : sites - 1;
        f.second[i] =
            (f.first[i] + drawInt(g, 1, drawInt(g, 0, rare) == 0 ? sites - 1 : 1)) % sites;
        f.firstDistance[i] = drawFloat(g, 0.0f, 2.0f);
        f.secondDistance[i] = drawFloat(g, 0.5f, 2.0f);
    }
    beginMapOf(&map, f);
    bool good = true;
    for (int32_t agent = map.scene.obstacleCount; agent < sites; ++agent) {
        thMangQuery q = queryOf(&map.scene, agent, drawGoal(g, &map.scene));
        q.straightToNext = drawInt(g, 0, 1) == 0;
        const thMangPath path = find(&map, &q);
        ++ways[path.way];
        good = good && isGoodPath(&map, &q, &path);
        thiArenaReset(&map.arena);
    }
    endMap(&map);
    return good;
}

static void testNoise(void** state)
{
    (void)state;
    int32_t ways[4] = {0};
    assertProperty(
        &(thProperty){"mangNoisyPaths", 18, caseCount(500, 20000), 30, holdsOfNoise, ways});
    for (int32_t i = 0; i < 4; ++i)
        assert_true(ways[i] > 0);
}

typedef struct Within {
    Map* map;
    thMangQuery query;
} Within;

static thResult findWithin(const thAllocator* allocator, void* context)
{
    const Within* within = context;
    thMemory memory;
    thiMemoryInit(&memory, allocator, 0);
    thArena arena;
    thiArenaInit(&arena, &memory);
    thMangPath path;
    const thResult result =
        thiFindMangPath(&within->map->graph, &within->map->fields, &within->query, &arena, &path);
    thiArenaFree(&arena);
    return result;
}

static void testMemory(void** state)
{
    (void)state;
    static Map map;
    thGenerator g = makeGenerator(17, 0);
    drawRoom(&g, 12, 0.125f, true, &map.scene);
    beginMap(&map);
    Within within = {&map, queryOf(&map.scene, 7, (thVec2){13.0f, 11.0f})};
    assert_true(failEachAllocation(findWithin, &within) >= 1);
    endMap(&map);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCheapest),    cmocka_unit_test(testWithoutAgent),
        cmocka_unit_test(testUnique),      cmocka_unit_test(testCounterExample),
        cmocka_unit_test(testFourCorners), cmocka_unit_test(testWidest),
        cmocka_unit_test(testFewOthers),   cmocka_unit_test(testNarrow),
        cmocka_unit_test(testAtHook),      cmocka_unit_test(testCoincident),
        cmocka_unit_test(testNoise),       cmocka_unit_test(testMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
