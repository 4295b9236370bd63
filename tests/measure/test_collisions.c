// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Pairs that overlap, against a look at all pairs while a crowd comes and goes.

#include "measure/collisions.h"

#include "measure/measure_gear.h"

enum { maxAgents = 200, maxKeys = 1000 };

// A crowd that the test knows all about, and which pairs have collided so far.
typedef struct Throng {
    thWorld* world;
    thProfileId profile;
    thAgentId ids[maxAgents];
    int32_t count;
    uint64_t nextKey;
    thVec2 center;
    float extent;
    bool isUniform; // everybody is of one size
    bool met[maxKeys][maxKeys];
    int64_t metCount;
} Throng;

// What an agent's body may be: most are people, some have no size, some are lorries.
static float drawRadius(const Throng* throng, thGenerator* g)
{
    if (throng->isUniform)
        return 0.25f;
    const int32_t kind = drawInt(g, 0, 19);
    return kind == 0   ? 0.0f
           : kind == 1 ? drawFloat(g, 1.0f, 3.0f)
           : kind == 2 ? drawFloat(g, 0.5f, 1.0f)
           : kind == 3 ? 30.0f
           : kind < 12 ? 0.25f
                       : drawFloat(g, 0.2f, 0.3f);
}

static thVec2 drawPlace(const Throng* throng, thGenerator* g)
{
    const thVec2 center = throng->center;
    if (drawInt(g, 0, 2) == 0) // on a lattice, so that bodies touch and lie on each other
        return (thVec2){center.x + 0.5f * (float)drawInt(g, -4, 4),
                        center.y + 0.5f * (float)drawInt(g, -4, 4)};
    const float extent = throng->extent;
    const float x = center.x + drawFloat(g, -extent, extent);
    const float y = center.y + drawFloat(g, -extent, extent);
    return (thVec2){fmaxf(fminf(x, 30000.0f), -30000.0f), fmaxf(fminf(y, 30000.0f), -30000.0f)};
}

static void addOne(Throng* throng, thGenerator* g)
{
    if (throng->count == maxAgents || throng->nextKey == maxKeys)
        return;
    thAgentDef def = thDefaultAgentDef();
    def.profile = throng->profile;
    def.key = throng->nextKey++;
    def.position = drawPlace(throng, g);
    def.level = drawInt(g, 0, 2);
    def.layers = 1u << drawInt(g, 0, 1);
    def.mask = drawInt(g, 0, 4) == 0 ? 1 : UINT32_MAX;
    def.radius = drawRadius(throng, g);
    thAgentId* id = &throng->ids[throng->count++];
    assert_ok(thCreateAgent(throng->world, &def, id));
    const thVec2 velocity = {drawFloat(g, -2.0f, 2.0f), drawFloat(g, -2.0f, 2.0f)};
    assert_ok(thAgent_SetPreferredVelocity(throng->world, *id, velocity));
}

static void change(Throng* throng, thGenerator* g)
{
    const int32_t what = drawInt(g, 0, 19);
    const int32_t which = throng->count > 0 ? drawInt(g, 0, throng->count - 1) : -1;
    if (what < 8 || which < 0) {
        addOne(throng, g);
    } else if (what < 10) {
        assert_ok(thDestroyAgent(throng->world, throng->ids[which]));
        throng->ids[which] = throng->ids[--throng->count];
    } else if (what < 12) {
        const thVec2 place = drawPlace(throng, g);
        assert_ok(thWorld_SetKinematics(throng->world, &throng->ids[which], &place, NULL, 1));
    } else if (what < 13) {
        assert_ok(thAgent_SetLevel(throng->world, throng->ids[which], drawInt(g, 0, 2)));
    } else {
        assert_ok(thWorld_Step(throng->world, drawInt(g, 0, 1) == 0 ? 0.1f : 1.0f));
    }
}

// An agent as hosts see it.
typedef struct Body {
    thAgentInfo info;
    uint64_t key;
    int32_t x, y;
} Body;

static void showBodies(const Throng* throng, Body bodies[maxAgents])
{
    for (int32_t i = 0; i < throng->count; ++i) {
        bodies[i].info = thAgent_GetInfo(throng->world, throng->ids[i]);
        bodies[i].key = thAgent_Get(throng->world, throng->ids[i]).key;
        assert_ok(thAgent_GetUnits(throng->world, throng->ids[i], &bodies[i].x, &bodies[i].y));
    }
}

// How deep a pair is, as a share of the sum of radii; not above 0 if it does not overlap.
static double depthOf(const Body* a, const Body* b)
{
    const double radii = (double)a->info.radius + (double)b->info.radius;
    const bool ignore =
        (a->info.layers & b->info.mask) == 0 && (b->info.layers & a->info.mask) == 0;
    if (a->info.level != b->info.level || ignore || radii == 0.0)
        return 0.0;
    const double dx = (double)b->x - a->x, dy = (double)b->y - a->y;
    return 1.0 - sqrt(dx * dx + dy * dy) / THRONG_UNITS_PER_METRE / radii;
}

static void meet(Throng* throng, uint64_t a, uint64_t b)
{
    bool* met = &throng->met[TH_MIN(a, b)][TH_MAX(a, b)];
    throng->metCount += !*met;
    *met = true;
}

static bool sameAsAllPairs(Throng* throng, thCollisions* collisions)
{
    Body bodies[maxAgents];
    showBodies(throng, bodies);
    int64_t pairs = 0;
    double maxDepth = 0.0;
    for (int32_t i = 0; i < throng->count; ++i)
        for (int32_t j = i + 1; j < throng->count; ++j) {
            const double depth = depthOf(&bodies[i], &bodies[j]);
            maxDepth = fmax(maxDepth, depth);
            if (depth > 0.01) {
                pairs += 1;
                meet(throng, bodies[i].key, bodies[j].key);
            }
        }
    assert_ok(thiFindCollisions(collisions, throng->world));
    thiKeepCollisions(collisions);
    const thPairSet* seen = &collisions->seen;
    const int64_t unique = TH_MIN(throng->metCount, (int64_t)seen->limit);
    return collisions->pairs == pairs && isNear(collisions->maxDepth, maxDepth, 1e-9) &&
           thiPairSetCount(seen) == unique && seen->exceeded == (throng->metCount > seen->limit);
}

static Throng* createThrong(int32_t workerCount, int32_t maxPairs, thMemory* memory,
                            thCollisions* collisions)
{
    Throng* throng = test_calloc(1, sizeof *throng);
    throng->world = createPlainWorld(workerCount, 0);
    throng->nextKey = 1;
    thProfileDef profile = thDefaultProfileDef();
    profile.plan.name = "given";
    assert_ok(thCreateProfile(throng->world, &profile, &throng->profile, NULL));
    thiMemoryInit(memory, &(thAllocator){0}, 0);
    assert_ok(thiCollisionsInit(collisions, memory, thTasks_GetWorkerCount(throng->world->tasks),
                                maxPairs));
    return throng;
}

static void destroyThrong(Throng* throng, thCollisions* collisions)
{
    thiCollisionsFree(collisions);
    thDestroyWorld(throng->world);
    test_free(throng);
}

static thSimd drawSimd(thGenerator* g)
{
    thSimd simd;
    do
        simd = (thSimd)drawInt(g, th_simdScalar, th_simdCount - 1);
    while (thSimd_IsAvailable(simd) == 0);
    return simd;
}

// At any moment, also between steps and after teleports.
static bool holdsAtAnyMoment(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const int32_t limits[] = {0, 7, 40, 1 << 20};
    thMemory memory;
    thCollisions collisions;
    Throng* throng = createThrong(drawInt(g, 1, 2), limits[drawInt(g, 0, 3)], &memory, &collisions);
    throng->isUniform = drawInt(g, 0, 1) == 0;
    throng->world->simd = drawSimd(g);
    throng->extent = drawInt(g, 0, 1) == 0 ? 5.0f : drawInt(g, 0, 3) == 0 ? 60000.0f : 30.0f;
    if (drawInt(g, 0, 2) == 0)
        throng->center = (thVec2){29990.0f, -29990.0f};
    bool same = true;
    for (int32_t i = 0; i < 3 * size && same; ++i) {
        change(throng, g);
        if (drawInt(g, 0, 3) == 0)
            same = sameAsAllPairs(throng, &collisions);
    }
    destroyThrong(throng, &collisions);
    return same;
}

static void testAllPairs(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"collisions", 5, 200, 150, holdsAtAnyMoment, NULL});
}

// Small bodies in small cells, which they leave in every step.
static void testDrift(void** state)
{
    (void)state;
    thMemory memory;
    thCollisions collisions;
    Throng* throng = createThrong(1, 1 << 20, &memory, &collisions);
    thGenerator g = makeGenerator(6, 0);
    thAgentDef def = thDefaultAgentDef();
    def.profile = throng->profile;
    def.radius = 0.05f;
    for (; throng->count < maxAgents; ++throng->count) {
        const thVec2 velocity = {drawFloat(&g, -1.4f, 1.4f), drawFloat(&g, -1.4f, 1.4f)};
        thAgentId* id = &throng->ids[throng->count];
        def.position = (thVec2){drawFloat(&g, 0.0f, 3.0f), drawFloat(&g, 0.0f, 3.0f)};
        def.key = throng->nextKey++;
        assert_ok(thCreateAgent(throng->world, &def, id));
        assert_ok(thAgent_SetPreferredVelocity(throng->world, *id, velocity));
    }
    for (int32_t step = 0; step < 100; ++step) {
        if (step % 10 == 5) // come back
            for (int32_t i = 0; i < maxAgents; ++i) {
                const thVec2 velocity = thAgent_Get(throng->world, throng->ids[i]).velocity;
                assert_ok(thAgent_SetPreferredVelocity(throng->world, throng->ids[i],
                                                       (thVec2){-velocity.x, -velocity.y}));
            }
        assert_ok(thWorld_Step(throng->world, 0.4f));
        assert_true(sameAsAllPairs(throng, &collisions));
    }
    assert_int_equal(collisions.rows.capacity, 0); // it needed no rows of its own
    assert_in_range(throng->metCount, 300, 20000);
    destroyThrong(throng, &collisions);
}

// A crowd of more rows than one worker takes at once, all the same size.
static void testManyWorkers(void** state)
{
    (void)state;
    enum { side = 64 };
    thCollisions found[2];
    thMemory memory;
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    for (int32_t pass = 0; pass < 2; ++pass) {
        thWorld* world = createPlainWorld(pass == 0 ? 1 : 3, 0);
        const thProfileDef profile = thDefaultProfileDef();
        thAgentDef def = thDefaultAgentDef();
        assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
        for (int32_t i = 0; i < side * side; ++i) {
            thAgentId id;
            def.position = (thVec2){0.49f * (float)(i % side), 0.55f * (float)(i / side)};
            assert_ok(thCreateAgent(world, &def, &id));
        }
        assert_ok(thWorld_Step(world, 0.1f));
        assert_ok(thiCollisionsInit(&found[pass], &memory, thTasks_GetWorkerCount(world->tasks),
                                    1 << 20));
        assert_ok(thiFindCollisions(&found[pass], world));
        thiKeepCollisions(&found[pass]);
        // Along rows neighbours overlap by 1 cm of 50.
        assert_int_equal(found[pass].pairs, side * (side - 1));
        assert_near(found[pass].maxDepth, 0.02, 1e-4);
        assert_int_equal(thiPairSetCount(&found[pass].seen), side * (side - 1));
        thDestroyWorld(world);
    }
    // Pairs are kept in an order that does not depend on workers.
    assert_memory_equal(found[0].seen.pairs.data, found[1].seen.pairs.data,
                        side * (side - 1) * sizeof(uint64_t));
    thiCollisionsFree(&found[0]);
    thiCollisionsFree(&found[1]);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAllPairs),
        cmocka_unit_test(testDrift),
        cmocka_unit_test(testManyWorkers),
    };
    return RUN_TESTS(tests, argc, argv);
}
