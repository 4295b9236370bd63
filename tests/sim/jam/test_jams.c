// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How agents get out of jams, and when they leave it alone.

#include "sim/jam/jam_gear.h"

#include <stdatomic.h>

// Two groups against each other in a corridor; `mirror` −1 turns it upside down.
static thWorld* createCorridor(int32_t workers, thSimd simd, thKeep keep, float patience,
                               float mirror)
{
    thWorld* world = createCrowdWorld(workers, simd);
    addWall(world, -30.0f, -1.0f, 30.0f, -1.0f);
    addWall(world, -30.0f, 1.0f, 30.0f, 1.0f);
    const thProfileId profile = addProfile(world, keep, patience);
    for (int32_t i = 0; i < 24; ++i) {
        const float side = i % 2 == 0 ? -1.0f : 1.0f;
        const float x = side * (3.0f + 0.7f * (float)(i / 6));
        const float y = mirror * (0.62f * (float)(i / 2 % 3 - 1) + 0.01f * (float)(i % 7));
        addWalker(world, profile, (thVec2){x, y}, (thVec2){-side * 15.0f, y});
    }
    return world;
}

static void testEverybodyPasses(void** state)
{
    (void)state;
    const thKeep sides[] = {th_keepRight, th_keepLeft, th_keepNone};
    for (int32_t i = 0; i < 3; ++i) {
        thWorld* world = createCorridor(1, th_simdAuto, sides[i], 1.0f, 1.0f);
        assert_true(stepsUntilEmpty(world, 1500) < 1500);
        thDestroyWorld(world);
    }
}

// With no patience at all nobody shuffles or steps back.
static void testWithout(void** state)
{
    (void)state;
    thWorld* world = createCorridor(1, th_simdAuto, th_keepNone, 0.0f, 1.0f);
    for (int32_t i = 0; i < 300; ++i) {
        assert_ok(thWorld_Step(world, JAM_STEP));
        const thCounters counters = thWorld_GetCounters(world);
        assert_true(counters.shuffling == 0 && counters.steppingBack == 0);
    }
    thDestroyWorld(world);
}

// Left is right in a mirror, as far as positions in whole units can be mirrored.
static void testMirror(void** state)
{
    (void)state;
    thWorld* right = createCorridor(1, th_simdAuto, th_keepRight, 1.0f, 1.0f);
    thWorld* left = createCorridor(1, th_simdAuto, th_keepLeft, 1.0f, -1.0f);
    for (int32_t i = 0; i < 12; ++i) {
        assert_ok(thWorld_Step(right, JAM_STEP));
        assert_ok(thWorld_Step(left, JAM_STEP));
    }
    const thAgentView a = thWorld_GetAgentView(right), b = thWorld_GetAgentView(left);
    for (int32_t i = 0; i < 24; ++i) {
        assert_near(a.rows[i].position.x, b.rows[i].position.x, 0.02);
        assert_near(a.rows[i].position.y, -b.rows[i].position.y, 0.02);
    }
    thDestroyWorld(right);
    thDestroyWorld(left);
}

static uint64_t countStirred(thWorld* world, int32_t steps)
{
    uint64_t stirred = 0;
    for (int32_t i = 0; i < steps; ++i) {
        assert_ok(thWorld_Step(world, JAM_STEP));
        stirred += thWorld_GetCounters(world).shuffling + thWorld_GetCounters(world).steppingBack;
    }
    return stirred;
}

// A queue before a shut door is no jam: nobody shuffles or steps back.
static void testQueue(void** state)
{
    (void)state;
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    addWall(world, 0.0f, -5.0f, 0.0f, 5.0f);
    const thProfileId profile = addProfile(world, th_keepRight, 1.0f);
    for (int32_t i = 0; i < 20; ++i)
        addWalker(world, profile, (thVec2){-2.0f - 0.8f * (float)(i / 2), 0.4f * (float)(i % 2)},
                  (thVec2){5.0f, 0.2f});
    assert_true(countStirred(world, 300) == 0);
    thDestroyWorld(world);
}

// Queues in opposite directions on both sides of a thin wall have nothing to do with each other.
static void testWallBetween(void** state)
{
    (void)state;
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    addWall(world, -20.0f, 0.0f, 20.0f, 0.0f);
    addWall(world, -20.0f, -0.6f, 5.0f, -0.6f);
    addWall(world, 5.0f, -0.6f, 5.0f, 0.0f);
    addWall(world, 20.0f, 0.6f, -5.0f, 0.6f);
    addWall(world, -5.0f, 0.6f, -5.0f, 0.0f);
    const thProfileId profile = addProfile(world, th_keepRight, 1.0f);
    for (int32_t i = 0; i < 16; ++i) {
        const float x = 4.0f - 0.55f * (float)i;
        addWalker(world, profile, (thVec2){x, -0.3f}, (thVec2){15.0f, -0.3f});
        addWalker(world, profile, (thVec2){-x, 0.3f}, (thVec2){-15.0f, 0.3f});
    }
    assert_true(countStirred(world, 300) == 0);
    thDestroyWorld(world);
}

// Who does not look at others goes exactly where it wants to.
static void testAlone(void** state)
{
    (void)state;
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    const thProfileDef def = thDefaultProfileDef();
    thProfileId profile;
    assert_ok(thCreateProfile(world, &def, &profile, NULL));
    addWalker(world, profile, (thVec2){3.0f, 0.7f}, (thVec2){-3.0f, 0.7f});
    const thAgentId agent = addWalker(world, profile, (thVec2){0}, (thVec2){10.0f, 0.0f});
    for (int32_t i = 0; i < 20; ++i) {
        assert_ok(thWorld_Step(world, JAM_STEP));
        assert_near(thAgent_Get(world, agent).position.y, 0.0, 0.0);
    }
    thDestroyWorld(world);
}

// Those who stand let somebody through who has to pass between them.
static void testStanding(void** state)
{
    (void)state;
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    const thProfileId profile = addProfile(world, th_keepRight, 1.0f);
    for (int32_t i = 0; i < 16; ++i) {
        thAgentDef def = thDefaultAgentDef();
        def.profile = profile;
        def.position = (thVec2){0.6f * (float)(i % 4), 0.6f * (float)(i / 4) - 0.9f};
        thAgentId id;
        assert_ok(thCreateAgent(world, &def, &id));
    }
    addWall(world, -1.0f, -1.2f, 5.0f, -1.2f);
    addWall(world, -1.0f, 1.2f, 5.0f, 1.2f);
    addWalker(world, profile, (thVec2){-4.0f, 0.0f}, (thVec2){8.0f, 0.0f});
    int32_t steps = 0;
    for (; steps < 600 && thWorld_GetCounters(world).agents == 17; ++steps)
        assert_ok(thWorld_Step(world, JAM_STEP));
    assert_true(steps < 600);
    thDestroyWorld(world);
}

// How many steps it takes to walk 20 m through a crowd that stands in lines, with a little less
// between two of them than a body needs; `most` if it does not get through.
static int32_t stepsThroughLines(const char* avoid, int32_t most)
{
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    thProfileDef def = walkerProfile(th_keepRight, 1.0f);
    def.avoid.name = avoid;
    thAgentDef standing = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &def, &standing.profile, NULL));
    const float spacing = 3.6f * def.radius;
    for (int32_t i = 0; i < 160; ++i) {
        standing.position =
            (thVec2){spacing * (float)(i % 20 - 10), spacing * ((float)(i / 20) - 3.5f)};
        thAgentId id;
        assert_ok(thCreateAgent(world, &standing, &id));
    }
    addWalker(world, standing.profile, (thVec2){-10.5f, 0.0f}, (thVec2){10.0f, 0.0f});
    int32_t steps = 0;
    for (; steps < most && thWorld_GetCounters(world).agents == 161; ++steps)
        assert_ok(thWorld_Step(world, JAM_STEP));
    thDestroyWorld(world);
    return steps;
}

// They make way in time, so that nobody has to wait before each of them.
static void testThroughLines(void** state)
{
    (void)state;
    assert_true(stepsThroughLines("orca", 250) < 250);
    assert_true(stepsThroughLines("clearpath", 250) < 250);
}

// Whom avoidance is not shown: counted for those with a shape, and for discs.
static _Atomic int32_t overlooked[2];

static void goStraight(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    const thFrame* frame = batch->frame;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const int32_t row = batch->row[lane];
        const bool isShape = frame->shapes != NULL && frame->shapes[frame->profile[row]].count > 0;
        for (int32_t k = 0; k < batch->neighborCount[lane]; ++k)
            if (batch->nx[k * batch->lanes + lane] > 1000.0f)
                atomic_fetch_add(&overlooked[isShape], 1);
        batch->outVx[lane] = batch->guideX[lane];
        batch->outVy[lane] = batch->guideY[lane];
    }
}

// Discs that shuffle overlook each other; shapes overlook nobody, and nobody overlooks them.
static void testShapesAreSeen(void** state)
{
    (void)state;
    static const thVec2 corners[] = {{-0.3f, -0.2f}, {0.3f, -0.2f}, {0.3f, 0.2f}, {-0.3f, 0.2f}};
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    const thMethod method = {.size = sizeof method,
                             .name = "straight",
                             .version = 1,
                             .needs = th_needsNeighbors | th_needsWalls,
                             .solve = goStraight};
    assert_ok(thWorld_AddMethod(world, th_methodAvoid, &method));
    addWall(world, -20.0f, -0.9f, 20.0f, -0.9f);
    addWall(world, -20.0f, 0.9f, 20.0f, 0.9f);
    for (int32_t kind = 0; kind < 2; ++kind) {
        thProfileDef profile = thDefaultProfileDef();
        profile.avoid.name = "straight";
        profile.shape = kind == 1 ? corners : NULL;
        profile.shapeCount = kind == 1 ? 4 : 0;
        thProfileId id;
        assert_ok(thCreateProfile(world, &profile, &id, NULL));
        for (int32_t i = 0; i < 8; ++i) {
            thAgentDef agent = thDefaultAgentDef();
            const float side = i % 2 == 0 ? -1.0f : 1.0f;
            agent.profile = id;
            agent.position = (thVec2){side * (1.0f + (float)(i / 2) + 4.0f * (float)kind),
                                      i % 4 < 2 ? 0.3f : -0.3f};
            assert_ok(thCreatePointGoal(world, (thVec2){-15.0f * side, 0.0f}, &agent.goal));
            thAgentId made;
            assert_ok(thCreateAgent(world, &agent, &made));
        }
    }
    overlooked[0] = overlooked[1] = 0;
    for (int32_t i = 0; i < 300; ++i)
        assert_ok(thWorld_Step(world, JAM_STEP));
    assert_true(overlooked[0] > 0);
    assert_int_equal(overlooked[1], 0);
    thDestroyWorld(world);
}

// The same bits on any number of threads, with any instructions, and after a restore in the middle
// of a jam.
static void testSameBits(void** state)
{
    (void)state;
    thWorld* one = createCorridor(1, th_simdScalar, th_keepRight, 1.0f, 1.0f);
    thWorld* four = createCorridor(4, th_simdAuto, th_keepRight, 1.0f, 1.0f);
    thWorld* restored = createCrowdWorld(2, th_simdAuto);
    uint64_t shuffling = 0;
    for (int32_t i = 0; i < 250; ++i) {
        if (i == 60) {
            const Bytes bytes = saveWorld(one);
            assert_ok(thWorld_Restore(restored, bytes.data, bytes.size, NULL));
            freeBytes(bytes);
        }
        assert_ok(thWorld_Step(one, JAM_STEP));
        assert_ok(thWorld_Step(four, JAM_STEP));
        assert_true(thWorld_GetStateHash(one) == thWorld_GetStateHash(four));
        shuffling += thWorld_GetCounters(one).shuffling;
        if (i < 60)
            continue;
        assert_ok(thWorld_Step(restored, JAM_STEP));
        assert_true(thWorld_GetStateHash(one) == thWorld_GetStateHash(restored));
    }
    assert_true(shuffling > 0);
    thDestroyWorld(one);
    thDestroyWorld(four);
    thDestroyWorld(restored);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testEverybodyPasses), cmocka_unit_test(testWithout),
        cmocka_unit_test(testMirror),          cmocka_unit_test(testQueue),
        cmocka_unit_test(testAlone),           cmocka_unit_test(testStanding),
        cmocka_unit_test(testShapesAreSeen),   cmocka_unit_test(testSameBits),
        cmocka_unit_test(testWallBetween),     cmocka_unit_test(testThroughLines),
    };
    return RUN_TESTS(tests, argc, argv);
}
