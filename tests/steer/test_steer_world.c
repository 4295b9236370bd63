// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Methods `steer` in worlds: goals, roaming, hunting, following a path, and what is said about it.
// Also what threads, instruction sets and snapshots must not change.

#include "gear/gear.h"
#include "gear/property.h"
#include "throng/explain.h"
#include "throng/roadmap.h"
#include "throng/simd.h"
#include "throng/steer.h"
#include "throng/world.h"

#include <stdlib.h>
#include <string.h>

#define DT 0.1f

static void assertOk(thResult code)
{
    assert_int_equal(code, th_resultOk);
}

static thWorld* openWorld(int32_t workerCount, thSimd simd, int32_t contacts)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workerCount;
    def.simd = simd;
    def.contacts = contacts;
    thWorld* world;
    assertOk(thCreateWorld(&def, &world));
    return world;
}

static thProfileId addProfile(thWorld* world, thMethodUse plan, thMethodUse avoid)
{
    thProfileDef def = thDefaultProfileDef();
    def.plan = plan;
    def.avoid = avoid;
    def.keep = th_keepNone;
    thProfileId id;
    assertOk(thCreateProfile(world, &def, &id, NULL));
    return id;
}

static thProfileId steering(thWorld* world, const thSteerDef* params)
{
    return addProfile(world, (thMethodUse){"direct", NULL}, (thMethodUse){"steer", params});
}

static thAgentId addAgent(thWorld* world, const thAgentDef* def)
{
    thAgentId id;
    assertOk(thCreateAgent(world, def, &id));
    return id;
}

static thAgentDef agentAt(thProfileId profile, uint64_t key, float x, float y)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.key = key;
    def.position = (thVec2){x, y};
    return def;
}

static void run(thWorld* world, int32_t steps)
{
    for (int32_t i = 0; i < steps; ++i)
        assertOk(thWorld_Step(world, DT));
}

static void addPath(thWorld* world, const thVec2* nodes, int32_t count, bool closed)
{
    const int32_t edges[2] = {count - 1, 0};
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = "round";
    def.kind = th_roadmapGiven;
    def.nodes = nodes;
    def.nodeCount = count;
    def.edges = edges;
    def.edgeCount = closed ? 1 : 0;
    thRoadmapId id;
    assertOk(thCreateRoadmap(world, &def, &id));
}

// Something of everything: both methods and the planner, all behaviours, walls, movers, agents on
// one point.
static thWorld* openScene(int32_t workerCount, thSimd simd)
{
    thWorld* world = openWorld(workerCount, simd, 1);
    const thVec2 nodes[4] = {{-10.0f, -10.0f}, {10.0f, -10.0f}, {10.0f, 10.0f}, {-10.0f, 10.0f}};
    addPath(world, nodes, 4, true);
    thSteerDef all = thDefaultSteerDef();
    all.roam = 1;
    all.alignment = all.cohesion = all.wander = all.pursue = all.flee = all.evade = 0.5f;
    all.follow = 1.0f;
    strcpy(all.path, "round");
    const thProfileId profiles[3] = {
        steering(world, &all),
        addProfile(world, (thMethodUse){"steer", &all}, (thMethodUse){"orca", NULL}),
        addProfile(world, (thMethodUse){"direct", NULL}, (thMethodUse){"steer-weak", NULL})};
    const thVec2 wall[2] = {{0.0f, -8.0f}, {1.0f, 8.0f}};
    thObstacleDef obstacle = thDefaultObstacleDef();
    obstacle.kind = th_obstacleWall;
    obstacle.points = wall;
    obstacle.pointCount = 2;
    thObstacleId id;
    assertOk(thCreateObstacle(world, &obstacle, &id));
    thObstacleDef disc = thDefaultObstacleDef();
    disc.kind = th_obstacleMovingDisc;
    disc.radius = 0.6f;
    disc.position = (thVec2){-6.0f, 0.0f};
    disc.velocity = (thVec2){0.5f, 0.1f};
    assertOk(thCreateObstacle(world, &disc, &id));
    thGenerator g = makeGenerator(5, 5);
    for (int32_t i = 0; i < 400; ++i) {
        const float x = drawFloat(&g, -12.0f, 12.0f), y = drawFloat(&g, -12.0f, 12.0f);
        thAgentDef agent =
            agentAt(profiles[i % 3], 1 + (uint64_t)i, i < 6 ? 5.0f : x, i < 6 ? 5.0f : y);
        agent.layers = 1u << drawU32(&g) % 3;
        agent.heading = drawFloat(&g, -3.0f, 3.0f);
        agent.placement = th_placementNearest;
        if (i % 4 == 0)
            assertOk(thCreatePointGoal(world, (thVec2){y, x}, &agent.goal));
        addAgent(world, &agent);
    }
    return world;
}

static void testSameHash(void** state)
{
    (void)state;
    thWorld* reference = openScene(1, th_simdScalar);
    run(reference, 60);
    const uint64_t hash = thWorld_GetStateHash(reference);
    thDestroyWorld(reference);
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd)
        for (int32_t workers = 1; workers <= 8 && thSimd_IsAvailable(simd); workers *= 2) {
            thWorld* world = openScene(workers, simd);
            run(world, 60);
            assert_true(thWorld_GetStateHash(world) == hash);
            thDestroyWorld(world);
        }
}

static void testSnapshot(void** state)
{
    (void)state;
    thWorld* world = openScene(1, th_simdAuto);
    run(world, 37);
    size_t size, saved;
    assertOk(thWorld_Save(world, NULL, 0, &size));
    void* data = malloc(size);
    assert_non_null(data);
    assertOk(thWorld_Save(world, data, size, &saved));
    run(world, 40);
    const uint64_t hash = thWorld_GetStateHash(world);
    thDestroyWorld(world);
    thWorld* other = openWorld(2, th_simdScalar, 1);
    assertOk(thWorld_Restore(other, data, saved, NULL));
    run(other, 40);
    assert_true(thWorld_GetStateHash(other) == hash);
    thDestroyWorld(other);
    free(data);
}

// One who goes to a goal stops there, by either method, and does not swing about it; not even one
// who comes with another velocity.
static void walkToGoalBySteps(thMethodUse plan, thMethodUse avoid, float dt)
{
    thWorld* world = openWorld(0, th_simdAuto, 1);
    thAgentDef def = agentAt(addProfile(world, plan, avoid), 1, 0.0f, 0.0f);
    def.velocity = (thVec2){-1.0f, 1.0f};
    assertOk(thCreatePointGoal(world, (thVec2){4.0f, 3.0f}, &def.goal));
    const thAgentId id = addAgent(world, &def);
    for (float time = 0.0f; time < 15.0f; time += dt)
        assertOk(thWorld_Step(world, dt));
    const thAgentRow row = thAgent_Get(world, id);
    assert_int_equal(thWorld_GetCounters(world).arrivals, 1);
    assert_near(row.position.x, 4.0f, 0.01f);
    assert_near(row.position.y, 3.0f, 0.01f);
    assert_true(hypotf(row.velocity.x, row.velocity.y) < 0.01f);
    thDestroyWorld(world);
}

static void walkToGoal(thMethodUse plan, thMethodUse avoid)
{
    const float steps[] = {0.02f, DT, 0.25f};
    for (int32_t i = 0; i < 3; ++i)
        walkToGoalBySteps(plan, avoid, steps[i]);
}

static void testArrival(void** state)
{
    (void)state;
    walkToGoal((thMethodUse){"direct", NULL}, (thMethodUse){"steer", NULL});
    walkToGoal((thMethodUse){"direct", NULL}, (thMethodUse){"steer-weak", NULL});
    walkToGoal((thMethodUse){"visibility", NULL}, (thMethodUse){"steer", NULL});
    walkToGoal((thMethodUse){"steer", NULL}, (thMethodUse){"none", NULL});
    walkToGoal((thMethodUse){"steer", NULL}, (thMethodUse){"orca", NULL});
    walkToGoal((thMethodUse){"steer", NULL}, (thMethodUse){"clearpath", NULL});
    walkToGoal((thMethodUse){"steer", NULL}, (thMethodUse){"steer", NULL});
    walkToGoal((thMethodUse){"steer", NULL}, (thMethodUse){"steer-weak", NULL});
}

// Without a goal agents stand, or go on where they face; those who are told to wait stand.
static void testWithoutGoal(void** state)
{
    (void)state;
    for (int32_t planned = 0; planned <= 1; ++planned) {
        thWorld* world = openWorld(0, th_simdAuto, 1);
        thSteerDef params = thDefaultSteerDef();
        thProfileId profiles[2];
        for (int32_t roam = 0; roam <= 1; ++roam) {
            params.roam = roam;
            const thMethodUse steer = {"steer", &params};
            profiles[roam] = planned ? addProfile(world, steer, (thMethodUse){"none", NULL})
                                     : steering(world, &params);
        }
        thAgentDef def = agentAt(profiles[0], 1, 0.0f, 0.0f);
        def.velocity = (thVec2){1.0f, 0.0f};
        const thAgentId standing = addAgent(world, &def);
        def = agentAt(profiles[1], 2, 0.0f, 20.0f);
        def.heading = 1.5f;
        const thAgentId roaming = addAgent(world, &def);
        def = agentAt(profiles[1], 3, 0.0f, -20.0f);
        def.velocity = (thVec2){1.0f, 0.0f};
        const thAgentId waiting = addAgent(world, &def);
        thCommand command = thDefaultCommand();
        command.kind = th_commandSetWaiting;
        command.agent = waiting;
        command.value = 1.0f;
        assertOk(thWorld_Queue(world, &command));
        run(world, 100);
        assert_true(hypotf(thAgent_Get(world, standing).velocity.x, 0.0f) < 1e-3f);
        assert_true(hypotf(thAgent_Get(world, waiting).velocity.x, 0.0f) < 1e-3f);
        const thVec2 velocity = thAgent_Get(world, roaming).velocity;
        assert_near(atan2f(velocity.y, velocity.x), 1.5f, 1e-4f);
        assert_near(hypotf(velocity.x, velocity.y), thDefaultProfileDef().prefSpeed, 1e-3f);
        thDestroyWorld(world);
    }
}

// A faster hunter gets hold of its prey, unless that is hidden by its mask.
static void testHunt(void** state)
{
    (void)state;
    for (int32_t seen = 0; seen <= 1; ++seen) {
        thWorld* world = openWorld(0, th_simdAuto, 0);
        thSteerDef params = thDefaultSteerDef();
        params.avoidance = 0;
        params.pursue = 4.0f;
        params.seek = 0.0f;
        thProfileDef hunts = thDefaultProfileDef();
        hunts.avoid = (thMethodUse){"steer", &params};
        hunts.neighborRadius = 50.0f;
        hunts.maxSpeed = 3.0f;
        thProfileId hunters;
        assertOk(thCreateProfile(world, &hunts, &hunters, NULL));
        params.pursue = 0.0f;
        params.evade = 2.0f;
        params.fearRange = 20.0f;
        hunts.maxSpeed = 2.0f;
        thProfileId hunted;
        assertOk(thCreateProfile(world, &hunts, &hunted, NULL));
        thAgentDef def = agentAt(hunters, 1, 0.0f, 0.0f);
        def.layers = 1u << 2;
        def.mask = seen ? UINT32_MAX : ~(1u << 1);
        const thAgentId hunter = addAgent(world, &def);
        def = agentAt(hunted, 2, 10.0f, 3.0f);
        def.layers = 1u << 1;
        const thAgentId prey = addAgent(world, &def);
        double nearest = INFINITY;
        for (int32_t i = 0; i < 250; ++i) {
            run(world, 1);
            const thVec2 a = thAgent_Get(world, hunter).position;
            const thVec2 b = thAgent_Get(world, prey).position;
            nearest = fmin(nearest, hypot((double)(a.x - b.x), (double)(a.y - b.y)));
        }
        assert_true(seen ? nearest < 0.5 : nearest > 9.0);
        assert_true(seen || thAgent_Get(world, prey).position.x > 15.0f); // it ran
        thDestroyWorld(world);
    }
}

// Round and round along a closed path, to the end of an open one.
static void testPath(void** state)
{
    (void)state;
    const thVec2 nodes[4] = {{0.0f, 0.0f}, {20.0f, 0.0f}, {20.0f, 20.0f}, {0.0f, 20.0f}};
    for (int32_t closed = 0; closed <= 1; ++closed) {
        thWorld* world = openWorld(0, th_simdAuto, 1);
        addPath(world, nodes, 4, closed);
        thSteerDef params = thDefaultSteerDef();
        params.seek = 0.0f;
        params.follow = 3.0f;
        strcpy(params.path, "round");
        const thAgentDef def = agentAt(steering(world, &params), 1, 5.0f, 4.0f);
        const thAgentId id = addAgent(world, &def);
        double furthest = 0.0;
        int32_t quarters = 0, last = 0;
        for (int32_t i = 0; i < 1500; ++i) {
            run(world, 1);
            const thVec2 p = thAgent_Get(world, id).position;
            const double x = fabs((double)p.x - 10.0), y = fabs((double)p.y - 10.0);
            const int32_t quarter = p.x > 10.0f ? (p.y > 10.0f ? 1 : 0) : p.y > 10.0f ? 2 : 3;
            furthest = i > 100 ? fmax(furthest, fabs(fmax(x, y) - 10.0)) : 0.0;
            quarters += quarter == (last + 1) % 4 && i > 0;
            last = quarter;
        }
        assert_true(furthest < 3.0); // corners are cut
        const thVec2 end = thAgent_Get(world, id).position;
        if (closed)
            assert_true(quarters > 7);
        else
            assert_true(hypotf(end.x, end.y - 20.0f) < 0.05f);
        thDestroyWorld(world);
    }
}

// What was set stays in, and what is not there is no path.
static void testNoPath(void** state)
{
    (void)state;
    thWorld* world = openWorld(0, th_simdAuto, 1);
    thSteerDef params = thDefaultSteerDef();
    params.follow = 3.0f;
    strcpy(params.path, "elsewhere");
    const thAgentDef def = agentAt(steering(world, &params), 1, 5.0f, 4.0f);
    const thAgentId id = addAgent(world, &def);
    run(world, 20);
    assert_true(thAgent_Get(world, id).position.x == 5.0f);
    params.seek = -1.0f;
    thProfileDef bad = thDefaultProfileDef();
    bad.plan = (thMethodUse){"steer", &params};
    thProfileId none;
    thError error = {0};
    assert_int_equal(thCreateProfile(world, &bad, &none, &error), th_resultBadArgument);
    assert_non_null(strstr(error.text, "seek is -1, expected 0 to 100"));
    thDestroyWorld(world);
}

static void testExplain(void** state)
{
    (void)state;
    for (int32_t planned = 0; planned <= 1; ++planned) {
        thWorld* world = openWorld(0, th_simdAuto, 1);
        const thMethodUse steer = {"steer", NULL};
        const thProfileId profile =
            planned ? addProfile(world, steer, (thMethodUse){"none", NULL}) : steering(world, NULL);
        thAgentDef def = agentAt(profile, 1, 0.0f, 0.0f);
        assertOk(thCreatePointGoal(world, (thVec2){9.0f, 0.0f}, &def.goal));
        const thAgentId id = addAgent(world, &def);
        def = agentAt(profile, 2, 0.7f, 0.0f);
        addAgent(world, &def);
        thExplanation* explanation;
        assertOk(thWorld_Explain(world, id, DT, &explanation));
        int32_t seeks = 0, separates = 0, others = 0;
        const thExplanationView view = thExplanation_GetView(explanation);
        for (int32_t i = 0; i < view.markCount; ++i) {
            const thMark* mark = &view.marks[i];
            if (mark->kind != th_markArrow || mark->label == NULL)
                continue;
            seeks += strcmp(mark->label, "seek") == 0;
            separates += strcmp(mark->label, "separation") == 0;
            others += strcmp(mark->label, "wander") == 0;
        }
        assert_int_equal(seeks, 1);
        assert_int_equal(separates, 1);
        assert_int_equal(others, 0);
        thDestroyExplanation(explanation);
        thDestroyWorld(world);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSameHash), cmocka_unit_test(testSnapshot),
        cmocka_unit_test(testArrival),  cmocka_unit_test(testWithoutGoal),
        cmocka_unit_test(testHunt),     cmocka_unit_test(testPath),
        cmocka_unit_test(testNoPath),   cmocka_unit_test(testExplain),
    };
    return RUN_TESTS(tests, argc, argv);
}
