// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Visibility graphs that are made from former ones after walls came and went, against fresh ones:
// node for node and edge for edge, to the bit.

#include "plan/visibility/visibility_change.h"

#include "gear/allocators.h"
#include "plan/plan_gear.h"
#include "plan/visibility/visibility_graph.h"
#include "sim/world_internal.h"
#include "throng/visibility.h"

static thMemory memory;

typedef struct Net {
    thRouteSpace* space;
    thRouteGraph graph;
} Net;

static thResult buildNet(thMemory* own, const thFrame* frame, float radius, const thTasks* tasks,
                         const Net* former, Net* net)
{
    *net = (Net){.graph = thiRouteGraph(own)};
    TH_TRY(thiCreateRouteSpace(own, frame, 0, radius, &net->space));
    const thFormerGraph given = {former != NULL ? former->space : NULL,
                                 former != NULL ? &former->graph : NULL};
    return thiBuildVisibilityGraph(frame, 0, net->space, tasks, former != NULL ? &given : NULL,
                                   &net->graph);
}

static void dropNet(Net* net)
{
    thiRouteGraphFree(&net->graph);
    thiDestroyRouteSpace(net->space);
}

static bool isSameArray(const thArray* a, const thArray* b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->data, b->data, (size_t)a->count * (size_t)a->itemSize) == 0);
}

static bool isSameGraph(const thRouteGraph* a, const thRouteGraph* b)
{
    return isSameArray(&a->nodes, &b->nodes) && isSameArray(&a->turns, &b->turns) &&
           isSameArray(&a->first, &b->first) && isSameArray(&a->edges, &b->edges);
}

static bool isSmallChange(const Net* former, const Net* net)
{
    thVisibilityChange change = thiVisibilityChange(&memory);
    assert_ok(thiFindVisibilityChange(&change, &(thFormerGraph){former->space, &former->graph},
                                      net->space, &net->graph));
    const bool isSmall = change.isSmall;
    thiVisibilityChangeFree(&change);
    return isSmall;
}

// Makes the graph of the world from the former one and puts it there. Whether it is like a fresh
// one; counts how often most of the former graph could stay.
static bool renews(thWorld* world, float radius, Net* net, int32_t* small)
{
    const thFrame frame = frameOf(world);
    Net fresh, renewed;
    assert_ok(buildNet(&memory, &frame, radius, world->tasks, NULL, &fresh));
    assert_ok(buildNet(&memory, &frame, radius, world->tasks, net, &renewed));
    const bool same = isSameGraph(&fresh.graph, &renewed.graph);
    *small += isSmallChange(net, &renewed);
    dropNet(&fresh);
    dropNet(net);
    *net = renewed;
    return same;
}

static float drawPart(thGenerator* g, float extent)
{
    const float value = drawFloat(g, -extent, extent);
    return drawInt(g, 0, 1) == 0 ? roundf(value) : value;
}

// A box, a thin wall, a bent one, a point-like one, or a room; flush with others now and then.
static bool drawObstacle(thWorld* world, thGenerator* g, float extent, float size, thObstacleId* id)
{
    const thVec2 at = {drawPart(g, extent), drawPart(g, extent)};
    const float wide = drawInt(g, 0, 1) == 0 ? 1.0f : drawFloat(g, 0.1f, size);
    const float high = drawInt(g, 0, 1) == 0 ? 2.0f : drawFloat(g, 0.1f, size);
    const thVec2 corners[] = {
        at, {at.x + wide, at.y}, {at.x + wide, at.y + high}, {at.x, at.y + high}};
    switch (drawInt(g, 0, 5)) {
    case 0:
        return tryObstacle(world, th_obstacleWall, 0, (thVec2[]){corners[0], corners[2]}, 2, id);
    case 1:
        return tryObstacle(world, th_obstacleWall, 0, corners, 4, id);
    case 2:
        return tryObstacle(world, th_obstacleSolid, 0, corners, 3, id);
    case 3: {
        const thVec2 dot[] = {at, {at.x + 0x1p-12f, at.y}};
        return tryObstacle(world, th_obstacleWall, 0, dot, 2, id);
    }
    default:
        return tryObstacle(world, th_obstacleSolid, 0, corners, 4, id);
    }
}

enum { maxGuests = 4 };

// Obstacles that come and go, one or several at a time.
typedef struct Guests {
    thObstacleId ids[maxGuests];
    bool here[maxGuests];
} Guests;

static void changeOne(thWorld* world, thGenerator* g, float extent, float size, Guests* guests)
{
    const int32_t which = drawInt(g, 0, maxGuests - 1);
    if (guests->here[which]) {
        assert_ok(thDestroyObstacle(world, guests->ids[which]));
        guests->here[which] = false;
    } else {
        guests->here[which] = drawObstacle(world, g, extent, size, &guests->ids[which]);
    }
}

// Lets some come and go; whether the graph is the fresh one each time.
static bool holdsWhileChanging(thWorld* world, thGenerator* g, float extent, float size,
                               int32_t* small)
{
    const float radii[] = {0.0f, 0.1f, 0.3f, 0.5f};
    const float radius = radii[drawInt(g, 0, 3)];
    Net net;
    const thFrame frame = frameOf(world);
    assert_ok(buildNet(&memory, &frame, radius, world->tasks, NULL, &net));
    Guests guests = {0};
    bool good = true;
    listen(); // what is refused does not come
    for (int32_t i = 0; i < 12 && good; ++i) {
        for (int32_t k = drawInt(g, 0, 6) == 0 ? 3 : 1; k > 0; --k)
            changeOne(world, g, extent, size, &guests);
        good = renews(world, radius, &net, small);
    }
    (void)heard();
    thSetHooks(NULL);
    dropNet(&net);
    return good;
}

static bool holdsForGuests(thGenerator* g, int32_t size, void* context)
{
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    const float extent = 3.0f + (float)size * 0.5f;
    thWorld* world = createPlanWorld(drawInt(g, 1, 2));
    addRandomWalls(world, g, size, extent);
    if (drawInt(g, 0, 3) == 0) {
        const float far = extent + 5.0f;
        const thVec2 room[] = {{-far, -far}, {far, -far}, {far, far}, {-far, far}};
        addObstacle(world, th_obstacleRoom, 0, room, 4);
    }
    const bool good = holdsWhileChanging(world, g, extent, 3.0f, context);
    assert_int_equal(memory.bytes, 0);
    thDestroyWorld(world);
    return good;
}

// Among blocks on lines, with guests so large that some of these are in them.
static bool holdsInCity(thGenerator* g, int32_t size, void* context)
{
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    thWorld* world = createPlanWorld(1);
    addCity(world, 2 + size / 2, 4);
    const bool good = holdsWhileChanging(world, g, 80.0f, 40.0f, context);
    assert_int_equal(memory.bytes, 0);
    thDestroyWorld(world);
    return good;
}

static void testGuests(void** state)
{
    (void)state;
    int32_t small = 0;
    assertProperty(&(thProperty){.name = "visibilityChange",
                                 .seed = 21,
                                 .caseCount = 60,
                                 .maxSize = 45,
                                 .holds = holdsForGuests,
                                 .context = &small});
    assert_true(small > 300);
}

static void testGuestsInCity(void** state)
{
    (void)state;
    int32_t small = 0;
    assertProperty(&(thProperty){.name = "visibilityChangeInCity",
                                 .seed = 22,
                                 .caseCount = 40,
                                 .maxSize = 12,
                                 .holds = holdsInCity,
                                 .context = &small});
    assert_true(small > 120);
}

// A door between two blocks of a city, flush with both: streets of collinear corners.
static void testDoorInCity(void** state)
{
    (void)state;
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    const float radii[] = {0.0f, 0.3f};
    for (int32_t k = 0; k < 2; ++k) {
        thWorld* world = createPlanWorld(1);
        addCity(world, 8, 6);
        const thFrame frame = frameOf(world);
        Net net;
        assert_ok(buildNet(&memory, &frame, radii[k], world->tasks, NULL, &net));
        const int32_t edges = net.graph.edges.count;
        int32_t small = 0;
        for (int32_t i = 0; i < 3; ++i) {
            const thObstacleId door = addBox(world, 104.0f, 49.0f, 112.0f, 50.0f);
            assert_true(renews(world, radii[k], &net, &small));
            const thObstacleId wall = addWall(world, 20.0f, 0.0f, 28.0f, 0.0f);
            assert_true(renews(world, radii[k], &net, &small));
            assert_true(net.graph.edges.count < edges);
            assert_ok(thDestroyObstacle(world, door));
            assert_ok(thDestroyObstacle(world, wall));
            assert_true(renews(world, radii[k], &net, &small));
            assert_int_equal(net.graph.edges.count, edges);
        }
        assert_int_equal(small, 9);
        dropNet(&net);
        thDestroyWorld(world);
    }
    assert_int_equal(memory.bytes, 0);
}

// From nothing, to nothing, and to something else altogether.
static void testLargeChanges(void** state)
{
    (void)state;
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    thWorld* world = createPlanWorld(1);
    const thFrame frame = frameOf(world);
    Net net;
    assert_ok(buildNet(&memory, &frame, 0.25f, world->tasks, NULL, &net));
    int32_t small = 0;
    thObstacleId ids[40];
    for (int32_t i = 0; i < 40; ++i)
        ids[i] = addBox(world, 5.0f * (float)(i % 8), 4.0f * (float)(i / 8),
                        5.0f * (float)(i % 8) + 2.0f, 4.0f * (float)(i / 8) + 1.0f);
    assert_true(renews(world, 0.25f, &net, &small));
    for (int32_t i = 0; i < 40; i += 2) // more places than are worth while
        assert_ok(thDestroyObstacle(world, ids[i]));
    assert_true(renews(world, 0.25f, &net, &small));
    assert_int_equal(small, 0);
    for (int32_t i = 1; i < 40; i += 2)
        assert_ok(thDestroyObstacle(world, ids[i]));
    assert_true(renews(world, 0.25f, &net, &small));
    assert_int_equal(net.graph.nodes.count, 0);
    addBox(world, 0.0f, 0.0f, 1.0f, 1.0f);
    assert_true(renews(world, 0.25f, &net, &small));
    assert_true(renews(world, 0.25f, &net, &small)); // nothing changes
    dropNet(&net);
    assert_int_equal(memory.bytes, 0);
    thDestroyWorld(world);
}

// Makes a graph of a city with a door from one without.
typedef struct Renewal {
    const thFrame* frame;
    const thTasks* tasks;
    const Net* former;
} Renewal;

static thResult renewAndDrop(const thAllocator* allocator, void* context)
{
    const Renewal* renewal = context;
    thMemory own;
    thiMemoryInit(&own, allocator, 0);
    Net net;
    const thResult code =
        buildNet(&own, renewal->frame, 0.25f, renewal->tasks, renewal->former, &net);
    dropNet(&net);
    return code;
}

static void testMemory(void** state)
{
    (void)state;
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    thWorld* world = createPlanWorld(1);
    addCity(world, 4, 3);
    thFrame frame = frameOf(world);
    Net former;
    assert_ok(buildNet(&memory, &frame, 0.25f, world->tasks, NULL, &former));
    addBox(world, 20.0f, 5.0f, 28.0f, 6.0f);
    frame = frameOf(world);
    assert_true(failEachAllocation(renewAndDrop, &(Renewal){&frame, world->tasks, &former}) > 0);
    dropNet(&former);
    thDestroyWorld(world);
}

static thWorld* makeCrowdInCity(void)
{
    thWorld* world = createPlanWorld(1);
    addCity(world, 6, 5);
    thProfileDef def = thDefaultProfileDef();
    def.plan.name = "visibility";
    def.avoid.name = "none";
    thProfileId profile = {0};
    assert_int_equal(thCreateProfile(world, &def, &profile, NULL), th_resultOk);
    thGenerator g = makeGenerator(9, 0);
    for (int32_t i = 0; i < 60; ++i) {
        thAgentDef agent = thDefaultAgentDef();
        const float from = 28.0f * (float)(i % 5) + drawFloat(&g, 21.0f, 27.0f);
        agent.profile = profile;
        agent.radius = i % 3 == 0 ? 0.25f : 0.3f;
        agent.position = (thVec2){from, drawFloat(&g, 0.0f, 100.0f)};
        assert_ok(
            thCreatePointGoal(world, (thVec2){from, i % 2 == 0 ? 112.0f : -5.0f}, &agent.goal));
        thAgentId id;
        assert_ok(thCreateAgent(world, &agent, &id));
    }
    return world;
}

static thWorld* copyOf(thWorld* world)
{
    thWorld* copy = createPlanWorld(2);
    const Bytes bytes = saveWorld(world);
    assert_int_equal(thWorld_Restore(copy, bytes.data, bytes.size, NULL), th_resultOk);
    freeBytes(bytes);
    return copy;
}

// A street is shut and opened. The world goes on from its former graph; copies, which were restored
// before, at and after the change and have none, or another one, go on in the same way.
static void testSnapshots(void** state)
{
    (void)state;
    enum { copies = 4 };
    thWorld* worlds[copies] = {makeCrowdInCity()};
    thObstacleId door = {0};
    int32_t count = 1;
    for (int32_t step = 0; step < 40; ++step) {
        if (step == 3 || step == 12 || step == 27)
            worlds[count++] = copyOf(worlds[0]);
        for (int32_t i = 0; i < count; ++i) {
            if (step == 10)
                door = addBox(worlds[i], 48.0f, 49.0f, 56.0f, 50.0f);
            if (step == 25)
                assert_ok(thDestroyObstacle(worlds[i], door));
            assert_ok(thWorld_Step(worlds[i], DT));
            assert_true(thWorld_GetStateHash(worlds[i]) == thWorld_GetStateHash(worlds[0]));
        }
    }
    assert_int_equal(count, copies);
    for (int32_t i = 0; i < count; ++i)
        thDestroyWorld(worlds[i]);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testGuests),     cmocka_unit_test(testGuestsInCity),
        cmocka_unit_test(testDoorInCity), cmocka_unit_test(testLargeChanges),
        cmocka_unit_test(testMemory),     cmocka_unit_test(testSnapshots),
    };
    return RUN_TESTS(tests, argc, argv);
}
