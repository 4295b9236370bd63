// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The multi-agent navigation graph against the cracks of its fields: colours, governors, Euler's
// formula, exact vertices, and that it has the diagram without each agent.

#include "base/memory_gear.h"
#include "gear/gear.h"
#include "mang_gear.h"

#include <stdlib.h>

typedef struct Graph {
    thTestAllocator test;
    thMemory memory;
    thMangGraph graph;
} Graph;

static thTasks* makeTasks(int32_t workers)
{
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = workers;
    thTasks* tasks = NULL;
    assert_int_equal(thCreateTasks(&def, &tasks), th_resultOk);
    return tasks;
}

static void beginGraph(Graph* g, const thTwoNearest* fields, int32_t sites, int32_t obstacles)
{
    beginTestMemory(&g->test, &g->memory, 0);
    g->graph = thiMangGraph(&g->memory);
    thTasks* tasks = makeTasks(0);
    assert_int_equal(thiMakeMangGraph(&g->graph, fields, sites, obstacles, tasks), th_resultOk);
    thDestroyTasks(tasks);
}

static void endGraph(Graph* g)
{
    thiMangGraphFree(&g->graph);
    testAllocatorFinish(&g->test);
}

static const thMangVertex* vertexOf(const thMangGraph* graph, int32_t i)
{
    return &TH_ITEMS(graph->vertices, thMangVertex)[i];
}

static const thMangEdge* edgeOf(const thMangGraph* graph, int32_t i)
{
    return &TH_ITEMS(graph->edges, thMangEdge)[i];
}

// --- Cracks of a raster, numbered: first those to the east of pixels, then those to the north ---

static int32_t crackCount(const thTwoNearest* f)
{
    return 2 * f->width * f->height;
}

static bool crackPixels(const thTwoNearest* f, int32_t crack, int32_t* u, int32_t* w)
{
    const int32_t pixels = f->width * f->height;
    *u = crack % pixels;
    *w = crack < pixels ? *u + 1 : *u + f->width;
    return crack < pixels ? *u % f->width + 1 < f->width : *u / f->width + 1 < f->height;
}

// 0: none, 1: red, 2: black.
static int32_t colourOf(const thTwoNearest* f, int32_t obstacles, int32_t crack)
{
    int32_t u, w;
    if (!crackPixels(f, crack, &u, &w))
        return 0;
    if (f->first[u] != f->first[w])
        return 1;
    return f->first[u] >= obstacles && f->second[u] != f->second[w] ? 2 : 0;
}

static int32_t crackAt(const thTwoNearest* f, thVec2 middle)
{
    const int32_t x = (int32_t)lrintf(2.0f * middle.x / f->pixel);
    const int32_t y = (int32_t)lrintf(2.0f * middle.y / f->pixel);
    if (x % 2 == 0) // between pixels to the west and the east
        return y / 2 * f->width + x / 2 - 1;
    return f->width * f->height + (y / 2 - 1) * f->width + x / 2;
}

// Whether all cracks are of exactly one edge, which is as its cracks say.
static bool hasAllCracks(const thMangGraph* g, const thTwoNearest* f)
{
    bool good = true;
    uint8_t* seen = calloc((size_t)crackCount(f), 1);
    for (int32_t i = 0; i < g->edges.count; ++i) {
        const thMangEdge* e = edgeOf(g, i);
        float clearance = INFINITY;
        double length = 0.0;
        thVec2 last = vertexOf(g, e->ends[0])->place;
        good = good && e->count > 0;
        for (int32_t j = 0; j <= e->count; ++j) {
            const thVec2 at = j < e->count ? TH_ITEMS(g->points, thVec2)[e->first + j]
                                           : vertexOf(g, e->ends[1])->place;
            const double step = hypot((double)at.x - (double)last.x, (double)at.y - (double)last.y);
            good = good && step < 1.01 * (double)f->pixel && step > 0.49 * (double)f->pixel;
            length += step;
            last = at;
            if (j == e->count)
                break;
            int32_t u, w;
            const int32_t crack = crackAt(f, at);
            const bool isThere = crackPixels(f, crack, &u, &w) && seen[crack]++ == 0;
            const int32_t colour = colourOf(f, g->obstacleCount, crack);
            const int32_t* by = colour == 1 ? f->first : f->second;
            const float* distance = colour == 1 ? f->firstDistance : f->secondDistance;
            good = good && isThere && colour == (e->owner < 0 ? 1 : 2) &&
                   e->governors[0] == TH_MIN(by[u], by[w]) &&
                   e->governors[1] == TH_MAX(by[u], by[w]) &&
                   (colour == 1 || (e->owner == f->first[u] && e->owner >= g->obstacleCount));
            clearance = fminf(clearance, fminf(distance[u], distance[w]));
        }
        good = good && e->clearance == clearance && isNear((double)e->length, length, 1e-3);
        good = good && (e->owner >= 0 ||
                        (vertexOf(g, e->ends[0])->isRed && vertexOf(g, e->ends[1])->isRed));
    }
    for (int32_t i = 0; i < crackCount(f); ++i)
        good = good && (seen[i] != 0) == (colourOf(f, g->obstacleCount, i) != 0);
    free(seen);
    return good;
}

// Degrees and lists.
static bool hasGoodLists(const thMangGraph* g)
{
    bool good = true;
    const int32_t* starts = g->edgeStarts.data;
    good = good && starts[g->vertices.count] == 2 * g->edges.count;
    for (int32_t i = 0; i < g->vertices.count; ++i) {
        const thMangVertex* v = vertexOf(g, i);
        const int32_t degree = starts[i + 1] - starts[i];
        bool isRed = false, isClosed = degree == 2;
        for (int32_t j = starts[i]; j < starts[i + 1]; ++j) {
            const int32_t number = TH_ITEMS(g->edgesOf, int32_t)[j];
            const thMangEdge* e = edgeOf(g, number);
            good = good && (e->ends[0] == i || e->ends[1] == i);
            good = good && (j == starts[i] || number >= TH_ITEMS(g->edgesOf, int32_t)[j - 1]);
            isRed = isRed || e->owner < 0;
            isClosed = isClosed && e->ends[0] == e->ends[1];
        }
        good = good && isRed == v->isRed && isClosed == v->isSeam;
        good = good && (degree == 1 || degree == 3 || degree == 4 || v->isSeam);
    }
    int32_t black = 0, blackVertices = 0;
    for (int32_t i = 0; i < g->edges.count; ++i)
        black += edgeOf(g, i)->owner >= 0;
    for (int32_t i = 0; i < g->vertices.count; ++i)
        blackVertices += !vertexOf(g, i)->isRed && starts[i + 1] - starts[i] > 1;
    good = good && g->ownEdges.count == black && g->ownVertices.count == blackVertices;
    for (int32_t a = 0; a < g->siteCount - g->obstacleCount; ++a) {
        const int32_t* own = TH_ITEMS(g->ownEdgeStarts, int32_t) + a;
        for (int32_t i = own[0]; i < own[1]; ++i)
            good =
                good && edgeOf(g, TH_ITEMS(g->ownEdges, int32_t)[i])->owner == a + g->obstacleCount;
        own = TH_ITEMS(g->ownVertexStarts, int32_t) + a;
        for (int32_t i = own[0]; i < own[1]; ++i) {
            const int32_t v = TH_ITEMS(g->ownVertices, int32_t)[i];
            const int32_t edge = TH_ITEMS(g->edgesOf, int32_t)[starts[v]];
            good = good && !vertexOf(g, v)->isRed && edgeOf(g, edge)->owner == a + g->obstacleCount;
        }
    }
    int32_t listed = 0;
    for (int32_t i = 0; i < g->vertices.count; ++i)
        for (int32_t site = 0; site < g->siteCount; ++site) {
            bool governs = false, isListed = false;
            for (int32_t j = starts[i]; j < starts[i + 1]; ++j) {
                const thMangEdge* e = edgeOf(g, TH_ITEMS(g->edgesOf, int32_t)[j]);
                governs = governs ||
                          (e->owner < 0 && (e->governors[0] == site || e->governors[1] == site));
            }
            const int32_t* border = TH_ITEMS(g->borderStarts, int32_t) + site;
            for (int32_t j = border[0]; j < border[1]; ++j)
                isListed = isListed || TH_ITEMS(g->borderVertices, int32_t)[j] == i;
            good = good && governs == isListed;
            listed += governs;
        }
    return good && listed == g->borderVertices.count;
}

static int32_t rootOf(int32_t* parents, int32_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

// V − E + F = 1 + C; faces are pixels without a crack between them, and what is outside.
static bool fitsEuler(const thMangGraph* g, const thTwoNearest* f)
{
    const int32_t pixels = f->width * f->height, vertices = g->vertices.count;
    int32_t* parents = malloc((size_t)(pixels + 1 + vertices) * sizeof *parents);
    for (int32_t i = 0; i <= pixels + vertices; ++i)
        parents[i] = i;
    for (int32_t i = 0; i < pixels; ++i) {
        const int32_t x = i % f->width, y = i / f->width;
        if (x == 0 || y == 0 || x == f->width - 1 || y == f->height - 1)
            parents[rootOf(parents, i)] = rootOf(parents, pixels);
    }
    for (int32_t i = 0; i < crackCount(f); ++i) {
        int32_t u, w;
        if (crackPixels(f, i, &u, &w) && colourOf(f, g->obstacleCount, i) == 0)
            parents[rootOf(parents, u)] = rootOf(parents, w);
    }
    for (int32_t i = 0; i < g->edges.count; ++i)
        parents[rootOf(parents, pixels + 1 + edgeOf(g, i)->ends[0])] =
            rootOf(parents, pixels + 1 + edgeOf(g, i)->ends[1]);
    int32_t faces = 0, parts = 0;
    for (int32_t i = 0; i <= pixels; ++i)
        faces += parents[i] == i;
    for (int32_t i = pixels + 1; i <= pixels + vertices; ++i)
        parts += parents[i] == i;
    free(parents);
    return vertices - g->edges.count + faces == 1 + parts;
}

// --- Hand-made rasters ---

static void fill(thTwoNearest* f, const char* firsts, const char* seconds)
{
    for (int32_t i = 0; i < f->width * f->height; ++i) {
        f->first[i] = firsts[i] - '0';
        f->second[i] = seconds[i] - '0';
        f->firstDistance[i] = 1.0f;
        f->secondDistance[i] = 2.0f;
    }
}

static void checkHand(int32_t width, int32_t height, int32_t obstacles, const char* firsts,
                      const char* seconds, int32_t vertices, int32_t edges, int32_t black)
{
    thTwoNearest f = emptyFields(width, height, 0.5f);
    fill(&f, firsts, seconds);
    Graph g;
    beginGraph(&g, &f, 5, obstacles);
    assert_int_equal(g.graph.vertices.count, vertices);
    assert_int_equal(g.graph.edges.count, edges);
    assert_int_equal(g.graph.ownEdges.count, black);
    assert_true(hasAllCracks(&g.graph, &f) && hasGoodLists(&g.graph) && fitsEuler(&g.graph, &f));
    endGraph(&g);
    freeFields(&f);
}

static void testHandMade(void** state)
{
    (void)state;
    checkHand(1, 1, 0, "0", "1", 0, 0, 0);
    checkHand(2, 1, 0, "01", "10", 2, 1, 0);
    checkHand(1, 3, 0, "001", "120", 4, 2, 1);
    checkHand(1, 3, 1, "001", "120", 2, 1, 0);   // the second-nearest of an obstacle do not count
    checkHand(2, 2, 0, "0110", "1001", 5, 4, 0); // a crossing
    checkHand(2, 2, 0, "0123", "1032", 5, 4, 0);
    checkHand(2, 2, 0, "0011", "1100", 2, 1, 0);
    checkHand(2, 2, 0, "0001", "1110", 2, 1, 0);
    checkHand(2, 2, 0, "0000", "1123", 4, 3, 3);
    checkHand(3, 3, 0, "000010000", "111101111", 1, 1, 0); // closed
    checkHand(3, 3, 0, "000000000", "111121111", 1, 1, 1);
    checkHand(4, 4, 0, "0000010000100000", "1111101111011111", 1, 2, 0); // two that touch
    // One within the other, and black ones that leave the inner one's border.
    checkHand(5, 5, 0, "0000001110011100111000000", "1111110001100011000111111", 1, 1, 0);
    checkHand(5, 3, 0, "000000111000000", "111112222211111", 8, 8, 4);
}

static void testFewSites(void** state)
{
    (void)state;
    for (int32_t sites = 0; sites <= 2; ++sites)
        for (int32_t obstacles = 0; obstacles <= sites; ++obstacles) {
            MangScene scene = {.width = 20, .height = 10, .pixel = 0.5f};
            for (int32_t i = 0; i < sites; ++i)
                addDisc(&scene, 2.0f + 4.0f * (float)i, 2.5f, 0.25f);
            thTwoNearest f = makeFields(&scene, -1);
            Graph g;
            beginGraph(&g, &f, sites, obstacles);
            assert_int_equal(g.graph.edges.count, sites == 2);
            assert_int_equal(g.graph.vertices.count, sites == 2 ? 2 : 0);
            assert_int_equal(g.graph.ownEdges.count, 0);
            assert_true(hasAllCracks(&g.graph, &f) && hasGoodLists(&g.graph));
            endGraph(&g);
            freeFields(&f);
        }
}

// --- Random scenes ---

// The edges for an agent are the borders of the fields without it, and as far from everybody.
static bool hasDiagramWithout(const MangScene* scene, const thMangGraph* g, int32_t agent)
{
    thTwoNearest f = makeFields(scene, agent);
    uint8_t* seen = calloc((size_t)crackCount(&f), 1);
    bool good = true;
    for (int32_t i = 0; i < g->edges.count; ++i) {
        const thMangEdge* e = edgeOf(g, i);
        const float clearance = thiMangClearance(e, agent);
        float least = INFINITY;
        for (int32_t j = 0; j < e->count; ++j) {
            const int32_t crack = crackAt(&f, TH_ITEMS(g->points, thVec2)[e->first + j]);
            int32_t u, w;
            crackPixels(&f, crack, &u, &w);
            least = fminf(least, fminf(f.firstDistance[u], f.firstDistance[w]));
            seen[crack] = clearance > -INFINITY;
        }
        good = good && (clearance == -INFINITY || clearance == least);
    }
    for (int32_t i = 0; i < crackCount(&f); ++i)
        good = good && (seen[i] != 0) == (colourOf(&f, scene->siteCount, i) == 1);
    free(seen);
    freeFields(&f);
    return good;
}

static bool holdsOfScene(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static MangScene scene;
    drawMangScene(g, size, drawInt(g, 0, 1) == 0, &scene);
    thTwoNearest f = makeFields(&scene, -1);
    Graph graph;
    beginGraph(&graph, &f, scene.siteCount, scene.obstacleCount);
    bool good =
        hasAllCracks(&graph.graph, &f) && hasGoodLists(&graph.graph) && fitsEuler(&graph.graph, &f);
    for (int32_t i = 0; i < crackCount(&f); ++i) { // all of them part second-nearest ones
        int32_t u, w;
        if (colourOf(&f, scene.obstacleCount, i) != 0 && crackPixels(&f, i, &u, &w))
            good = good && (f.second[u] != f.second[w] || f.first[u] != f.first[w]);
    }
    for (int32_t i = 0; i < 3 && scene.siteCount > scene.obstacleCount; ++i)
        good = good && hasDiagramWithout(&scene, &graph.graph,
                                         drawInt(g, scene.obstacleCount, scene.siteCount - 1));
    endGraph(&graph);
    freeFields(&f);
    return good;
}

static void testRandomScenes(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"mangScenes", 1, caseCount(60, 3000), 40, holdsOfScene, NULL});
}

// Labels as no sites have them.
static bool holdsOfNoise(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thTwoNearest f = emptyFields(drawInt(g, 1, 2 + size), drawInt(g, 1, 2 + size), 0.25f);
    const int32_t sites = drawInt(g, 2, 5), obstacles = drawInt(g, 0, sites);
    const int32_t rare = drawInt(g, 1, 8);
    for (int32_t i = 0; i < f.width * f.height; ++i) {
        f.first[i] = drawInt(g, 0, rare) == 0 ? drawInt(g, 0, sites - 1) : 0;
        f.second[i] =
            (f.first[i] + (drawInt(g, 0, rare) == 0 ? drawInt(g, 1, sites - 1) : 1)) % sites;
        f.firstDistance[i] = drawFloat(g, -1.0f, 1.0f);
        f.secondDistance[i] = drawFloat(g, 1.0f, 2.0f);
    }
    Graph graph;
    beginGraph(&graph, &f, sites, obstacles);
    const bool good =
        hasAllCracks(&graph.graph, &f) && hasGoodLists(&graph.graph) && fitsEuler(&graph.graph, &f);
    endGraph(&graph);
    freeFields(&f);
    return good;
}

static void testNoise(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"mangNoise", 2, caseCount(500, 20000), 30, holdsOfNoise, NULL});
}

// The sites that govern the edges of a vertex, or own them.
static int32_t sitesAt(const thMangGraph* g, int32_t vertex, int32_t sites[12])
{
    const int32_t* starts = TH_ITEMS(g->edgeStarts, int32_t) + vertex;
    int32_t count = 0;
    for (int32_t i = 3 * starts[0]; i < 3 * starts[1]; ++i) {
        const thMangEdge* e = edgeOf(g, TH_ITEMS(g->edgesOf, int32_t)[i / 3]);
        const int32_t site = i % 3 < 2 ? e->governors[i % 3] : e->owner;
        bool isNew = site >= 0 && (i % 3 < 2 || vertexOf(g, vertex)->isRed);
        for (int32_t j = 0; j < count; ++j)
            isNew = isNew && sites[j] != site;
        if (isNew)
            sites[count++] = site;
    }
    return count;
}

// The middle of the circle through three places, and the least sine of an angle between them.
static void findCircle(thVec2 p, thVec2 q, thVec2 r, double middle[2], double* leastSine)
{
    const double bx = (double)q.x - (double)p.x, by = (double)q.y - (double)p.y;
    const double cx = (double)r.x - (double)p.x, cy = (double)r.y - (double)p.y;
    const double cross = bx * cy - by * cx, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    const double x = (cy * b2 - by * c2) / (2.0 * cross);
    const double y = (bx * c2 - cx * b2) / (2.0 * cross);
    const double side = fmin(fmin(sqrt(b2), sqrt(c2)), hypot(bx - cx, by - cy));
    *leastSine = side / (2.0 * hypot(x, y));
    middle[0] = (double)p.x + x;
    middle[1] = (double)p.y + y;
}

// Vertices lie where three sites are as far, with none nearer (red) or one, the owner (black). All
// that pixels tell is that distances differ by no more than a diagonal; how far that is from the
// middle of the circle through the sites depends on the angles between them.
static void testExactVertices(void** state)
{
    (void)state;
    int32_t all = 0, clear = 0, close = 0;
    for (int32_t number = 0; number < caseCount(10, 200); ++number) {
        thGenerator g = makeGenerator(3, (uint64_t)number);
        static MangScene scene;
        scene = (MangScene){.width = 192, .height = 192, .pixel = 0.125f};
        drawAgents(&g, 12, 0.0f, 2.0f, &scene);
        thTwoNearest f = makeFields(&scene, -1);
        Graph graph;
        beginGraph(&graph, &f, scene.siteCount, 0);
        for (int32_t v = 0; v < graph.graph.vertices.count; ++v) {
            const thMangVertex* vertex = vertexOf(&graph.graph, v);
            int32_t sites[12];
            const int32_t count = sitesAt(&graph.graph, v, sites);
            double least = INFINITY, most = 0.0;
            for (int32_t i = 0; i < count; ++i) {
                const double distance = siteDistance(&scene, sites[i], vertex->place);
                least = fmin(least, distance);
                most = fmax(most, distance);
            }
            ++all;
            assert_true(most - least <= 2.0 * 1.4143 * 0.125); // over the site between two
            int32_t nearer = 0;
            for (int32_t i = 0; i < scene.siteCount; ++i)
                nearer += siteDistance(&scene, i, vertex->place) < least - 1.4143 * 0.125;
            assert_true(nearer <= !vertex->isRed);
            if (count != 3)
                continue;
            double middle[2], sine;
            findCircle(scene.points[sites[0]], scene.points[sites[1]], scene.points[sites[2]],
                       middle, &sine);
            if (sine < 0.3)
                continue;
            const double off =
                hypot((double)vertex->place.x - middle[0], (double)vertex->place.y - middle[1]);
            ++clear;
            close += off <= 1.5 * 0.125;
            assert_true(off <= 1.4143 * 0.125 / (sine * sine));
        }
        endGraph(&graph);
        freeFields(&f);
    }
    print_message("%d vertices, %d at clear angles, of these %d within 1.5 pixels\n", all, clear,
                  close);
    assert_true(clear > 100 && 20 * close >= 17 * clear);
}

// --- Turning, threads, memory ---

static uint64_t mixed(uint64_t h, uint64_t value)
{
    h = (h ^ value) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t bitsOf(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// A sum over edges of what they are, with places turned by a quarter so many times.
static uint64_t sumOf(const thMangGraph* g, const thTwoNearest* f, int32_t turns)
{
    uint64_t sum = (uint64_t)g->vertices.count;
    for (int32_t i = 0; i < g->edges.count; ++i) {
        const thMangEdge* e = edgeOf(g, i);
        uint64_t ends = 0;
        for (int32_t j = 0; j < 2; ++j) {
            thVec2 at = vertexOf(g, e->ends[j])->place;
            for (int32_t k = 0; k < turns; ++k)
                at = (thVec2){(float)f->width * f->pixel - at.y, at.x};
            if (e->ends[0] != e->ends[1]) // a seam may be elsewhere
                ends += mixed(mixed(7, bitsOf(at.x + 1.0f)), bitsOf(at.y + 1.0f));
        }
        uint64_t h = mixed(ends, (uint64_t)e->owner);
        h = mixed(mixed(h, (uint64_t)e->governors[0]), (uint64_t)e->governors[1]);
        h = mixed(mixed(h, bitsOf(e->length)), bitsOf(e->clearance));
        h = mixed(mixed(h, bitsOf(e->without[0])), bitsOf(e->without[1]));
        sum += mixed(h, (uint64_t)e->count);
    }
    return sum;
}

static bool holdsOfTurns(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    MangScene scene = {.width = 48, .height = 48, .pixel = 0.25f};
    addWalls(&scene);
    addDisc(&scene, 3.0f, 4.0f, 1.5f);
    beginAgents(&scene);
    drawAgents(g, size, 0.25f, 0.0f, &scene);
    thTwoNearest f = makeFields(&scene, -1);
    Graph graph;
    beginGraph(&graph, &f, scene.siteCount, scene.obstacleCount);
    bool good = true;
    for (int32_t turns = 1; turns < 4; ++turns) {
        for (int32_t i = 0; i < scene.pointCount; ++i)
            scene.points[i] = (thVec2){12.0f - scene.points[i].y, scene.points[i].x};
        thTwoNearest turned = makeFields(&scene, -1);
        Graph other;
        beginGraph(&other, &turned, scene.siteCount, scene.obstacleCount);
        good = good && sumOf(&graph.graph, &f, turns) == sumOf(&other.graph, &turned, 0);
        endGraph(&other);
        freeFields(&turned);
    }
    endGraph(&graph);
    freeFields(&f);
    return good;
}

static void testTurns(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"mangTurns", 4, caseCount(20, 500), 25, holdsOfTurns, NULL});
}

static bool isSame(const thArray* a, const thArray* b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->data, b->data, (size_t)a->count * (size_t)a->itemSize) == 0);
}

static void testThreads(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(5, 0);
    static MangScene scene;
    scene = (MangScene){.width = 300, .height = 200, .pixel = 0.125f};
    addWalls(&scene);
    beginAgents(&scene);
    drawAgents(&g, 60, 0.25f, 0.0f, &scene);
    thTwoNearest f = makeFields(&scene, -1);
    Graph one;
    beginGraph(&one, &f, scene.siteCount, scene.obstacleCount);
    thTasks* tasks = makeTasks(THRONG_THREADS ? 4 : 0);
    Graph other;
    beginGraph(&other, &f, scene.siteCount, scene.obstacleCount);
    const uint64_t calls = other.memory.calls;
    for (int32_t i = 0; i < 20; ++i) {
        assert_int_equal(
            thiMakeMangGraph(&other.graph, &f, scene.siteCount, scene.obstacleCount, tasks),
            th_resultOk);
        assert_true(sumOf(&one.graph, &f, 0) == sumOf(&other.graph, &f, 0));
        assert_true(isSame(&one.graph.points, &other.graph.points));
        assert_true(isSame(&one.graph.edgesOf, &other.graph.edgesOf));
        assert_true(isSame(&one.graph.borderVertices, &other.graph.borderVertices));
    }
    assert_int_equal(other.memory.calls, calls); // made again, it needs no more memory
    endGraph(&other);
    endGraph(&one);
    thDestroyTasks(tasks);
    freeFields(&f);
}

static thResult makeWithin(const thAllocator* allocator, void* context)
{
    thMemory memory;
    thiMemoryInit(&memory, allocator, 0);
    thMangGraph graph = thiMangGraph(&memory);
    thTasks* tasks = makeTasks(0);
    const thResult result = thiMakeMangGraph(&graph, context, 3, 0, tasks);
    if (result != th_resultOk)
        assert_int_equal(graph.vertices.count + graph.edges.count, 0);
    thiMangGraphFree(&graph);
    thDestroyTasks(tasks);
    return result;
}

static void testMemory(void** state)
{
    (void)state;
    thTwoNearest f = emptyFields(5, 5, 0.5f);
    fill(&f, "0001100021000110001100011", "1110010012111001110011100");
    assert_true(failEachAllocation(makeWithin, &f) > 10);
    freeFields(&f);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testHandMade),      cmocka_unit_test(testFewSites),
        cmocka_unit_test(testRandomScenes),  cmocka_unit_test(testNoise),
        cmocka_unit_test(testExactVertices), cmocka_unit_test(testTurns),
        cmocka_unit_test(testThreads),       cmocka_unit_test(testMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
