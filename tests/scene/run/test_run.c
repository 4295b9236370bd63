// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// From a scene to a world: who stands where, with what goal and what numbers; and what is told when
// that cannot be.

#include "gear/allocators.h"
#include "geom/fixed.h"
#include "scene/run/scene_run.h"
#include "scene/run_gear.h"
#include "sim/sim_gear.h"
#include "throng/orca.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) ((int32_t)(sizeof array / sizeof array[0]))

static void testDefaults(void** state)
{
    (void)state;
    const thRunDef def = thDefaultRunDef();
    assert_int_equal(def.size, sizeof def);
    assert_int_equal(def.world.size, sizeof def.world);
    assert_true(def.seed == THRONG_SCENE_SEED);
    assert_null(def.methods[0]);
    assert_null(def.report);
}

static void testBadArguments(void** state)
{
    (void)state;
    Stage stage = mustOpen("\"agents\": [{\"at\": [0, 0]}]", NULL);
    thRunDef def = thDefaultRunDef();
    thRun* run = stage.run;
    size_t size;
    listen();
    assert_int_equal(thCreateRun(NULL, &def, &run), th_resultBadArgument);
    assert_null(run);
    assert_int_equal(thCreateRun(stage.scene, NULL, &run), th_resultBadArgument);
    assert_int_equal(thCreateRun(stage.scene, &def, NULL), th_resultBadArgument);
    def.size -= 8;
    assert_int_equal(thCreateRun(stage.scene, &def, &run), th_resultBadArgument);
    def.size += 8;
    def.world.size += 8;
    assert_int_equal(thCreateRun(stage.scene, &def, &run), th_resultBadArgument);
    assert_int_equal(heard(), 5);
    assert_null(thRun_GetWorld(NULL));
    assert_int_equal(thRun_Step(NULL), th_resultBadArgument);
    assert_true(thRun_GetTime(NULL) == 0.0);
    assert_int_equal(thRun_IsOver(NULL), 1);
    assert_int_equal(thRun_GetGoal(NULL, (thAgentId){1}), -1);
    assert_int_equal(thRun_GetEntry(NULL, (thAgentId){1}), -1);
    assert_int_equal(thRun_Save(NULL, NULL, 0, &size), th_resultBadArgument);
    assert_int_equal(thRun_Save(stage.run, NULL, 0, NULL), th_resultBadArgument);
    assert_int_equal(thRun_Restore(stage.run, NULL, 0, NULL), th_resultBadArgument);
    assert_int_equal(thRun_Restore(NULL, &size, 0, NULL), th_resultBadArgument);
    assert_int_equal(heard(), 10);
    assert_int_equal(thRun_GetGoal(stage.run, (thAgentId){99}), -1);
    assert_int_equal(thRun_GetEntry(stage.run, (thAgentId){99}), -1);
    assert_int_equal(heard(), 0);
    thSetHooks(NULL);
    thDestroyRun(NULL);
    closeStage(&stage);
}

static void testWorld(void** state)
{
    (void)state;
    thRunDef def = thDefaultRunDef();
    Stage stage = mustOpen("\"seed\": 9, \"origin\": [500000, 5700000], \"contacts\": false, "
                           "\"time\": {\"step\": 0.05}",
                           &def);
    double x, y;
    thWorld_GetOrigin(stage.world, &x, &y);
    assert_true(x == 500000.0 && y == 5700000.0);
    assert_int_equal(stage.world->seed, 9);
    assert_false(stage.world->hasContacts);
    stepTimes(&stage, 3);
    assert_near(thRun_GetTime(stage.run), 0.15, 1e-12);
    closeStage(&stage);
    def.seed = 5;
    stage = mustOpen("\"seed\": 9", &def);
    assert_int_equal(stage.world->seed, 5);
    assert_true(stage.world->hasContacts);
    closeStage(&stage);
    def.seed = 0; // a seed like any other
    stage = mustOpen("\"seed\": 9", &def);
    assert_int_equal(stage.world->seed, 0);
    closeStage(&stage);
}

// One profile of the world for each pair of profile and arrival.
static void testProfiles(void** state)
{
    (void)state;
    const char* content =
        "\"profiles\": {\"a\": {\"radius\": 0.2, \"speed\": 2.5, "
        "\"maxAcceleration\": 5, \"yield\": 0.5, \"arrivalDistance\": 0.7, "
        "\"avoid\": {\"orca\": {\"horizon\": 3}}, \"sees\": {\"neighbours\": 7, \"radius\": 4, "
        "\"walls\": 3, \"wallRadius\": 2, \"angle\": 180, \"throughWalls\": false}}, \"b\": {}}, "
        "\"goals\": {\"g\": {\"point\": [50, 0]}}, \"agents\": ["
        "{\"profile\": \"a\", \"at\": [0, 0], \"goal\": \"g\"}, "
        "{\"profile\": \"a\", \"at\": [1, 0], \"goal\": \"g\", \"arrive\": \"leave\"}, "
        "{\"profile\": \"a\", \"at\": [2, 0], \"goal\": \"g\"}, "
        "{\"profile\": \"b\", \"at\": [3, 0], \"goal\": \"g\", \"arrive\": \"again\"}]";
    Stage stage = mustOpen(content, NULL);
    assert_int_equal(thWorld_GetCounters(stage.world).profiles, 3);
    assert_int_equal(thWorld_GetCounters(stage.world).goals, 1);
    const thAgentInfo first = thAgent_GetInfo(stage.world, agentOfKey(&stage, 1));
    assert_int_equal(first.profile.value,
                     thAgent_GetInfo(stage.world, agentOfKey(&stage, 3)).profile.value);
    assert_true(first.radius == 0.2f && first.prefSpeed == 2.5f && first.maxSpeed == 2.5f);
    assert_true(first.maxAccel == 5.0f && first.yield == 0.5f);
    const thProfile* profile = &thiProfiles(stage.world)[THRONG_SLOT(first.profile)];
    assert_string_equal(profile->name, "a");
    assert_true(profile->def.neighborCount == 7 && profile->def.neighborRadius == 4.0f);
    assert_true(profile->def.wallCount == 3 && profile->def.wallRadius == 2.0f);
    assert_near(profile->def.fieldOfView, 3.14159265, 1e-6);
    assert_true(profile->def.needsSight == 1 && profile->def.arrivalDistance == 0.7f);
    assert_int_equal(profile->def.arrival, th_arrivalStop);
    assert_int_equal(thRun_GetEntry(stage.run, agentOfKey(&stage, 4)), 3);
    assert_int_equal(thRun_GetGoal(stage.run, agentOfKey(&stage, 4)), 0);
    closeStage(&stage);

    // Methods that the run names; parameters stay where the method does.
    thRunDef def = thDefaultRunDef();
    def.methods[th_methodAvoid] = "orca";
    stage = mustOpen(content, &def);
    const thProfile* a = &thiProfiles(stage.world)[0];
    const thProfile* b = &thiProfiles(stage.world)[2];
    assert_memory_not_equal(a->methods[th_methodAvoid].params, b->methods[th_methodAvoid].params,
                            a->methods[th_methodAvoid].method->paramSize);
    closeStage(&stage);
    def.methods[th_methodAvoid] = "none";
    stage = mustOpen(content, &def);
    assert_string_equal(thiProfiles(stage.world)[0].methods[th_methodAvoid].method->name, "none");
    closeStage(&stage);
    def.methods[th_methodAvoid] = "orka";
    def.methods[th_methodPlan] = "drect";
    stage = openStage(content, &def);
    assert_int_equal(stage.code, th_resultUnavailable);
    assert_int_equal(stage.errors.count, 2);
    assert_non_null(strstr(stage.errors.items[0].text, "no plan method 'drect'"));
    assert_non_null(strstr(stage.errors.items[1].text, "no avoid method 'orka'"));
    closeStage(&stage);
}

// A planner that the run names is checked as one of the scene is: it needs to know its roadmap.
static void testNamedRoadmap(void** state)
{
    (void)state;
    static const char* const scenes[] = {
        "\"agents\": [{\"at\": [1, 1]}]",
        "\"agents\": [{\"at\": [1, 1]}], \"roadmaps\": {\"a\": {\"nodes\": [[0, 0]]}, \"b\": "
        "{\"nodes\": [[5, 0]]}}",
    };
    static const char* const texts[] = {
        "roadmap needs a roadmap: describe one in 'roadmaps'",
        "roadmap needs 'graph', because there are 2 roadmaps: set it in the profiles"};
    thRunDef def = thDefaultRunDef();
    def.methods[th_methodPlan] = "roadmap";
    for (int32_t i = 0; i < 2; ++i) {
        Stage stage = openStage(scenes[i], &def);
        assert_int_equal(stage.code, th_resultUnavailable);
        assert_int_equal(stage.errors.count, 1);
        assert_string_equal(stage.errors.items[0].text, texts[i]);
        closeStage(&stage);
    }
    // The only one is taken, and so is the one that all profiles give.
    Stage stage = mustOpen("\"agents\": [{\"at\": [1, 1]}], \"roadmaps\": {\"a\": {\"nodes\": "
                           "[[0, 0]]}}",
                           &def);
    closeStage(&stage);
    stage = mustOpen("\"agents\": [{\"at\": [1, 1]}], \"roadmaps\": {\"a\": {\"nodes\": [[0, 0]]}, "
                     "\"b\": {\"nodes\": [[5, 0]]}}, \"profiles\": {\"p\": {\"plan\": "
                     "{\"roadmap\": {\"graph\": \"b\"}}}}",
                     &def);
    closeStage(&stage);
}

static void assertPlace(const Stage* stage, uint64_t key, double x, double y)
{
    const thAgentRow row = rowOfKey(stage, key);
    assert_near((double)row.position.x, x, 1e-4);
    assert_near((double)row.position.y, y, 1e-4);
}

static void assertGoal(const Stage* stage, uint64_t key, double x, double y)
{
    const thAgentInfo info = thAgent_GetInfo(stage->world, agentOfKey(stage, key));
    thVec2 way;
    assert_true(thiNearestGoalPoint(&stage->world->goals, THRONG_SLOT(info.goal), 0, 0, 0, &way));
    assert_near((double)way.x, x, 1e-3);
    assert_near((double)way.y, y, 1e-3);
}

// A world for agents that the host brings, and what it needs to know of the scene's profiles.
static void testWithoutAgents(void** state)
{
    (void)state;
    thRunDef def = thDefaultRunDef();
    def.withoutAgents = 1;
    Stage stage = mustOpen("\"walls\": [{\"box\": [[0, 0], [1, 1]]}], \"profiles\": {\"a\": "
                           "{\"radius\": {\"uniform\": "
                           "[0.2, 0.4]}, \"avoid\": {\"orca\": {\"horizon\": 3}}}}, \"agents\": "
                           "[{\"at\": [0.5, 0.5]}, "
                           "{\"source\": {\"in\": {\"box\": [[2, 2], [3, 3]]}, \"rate\": 100}}]",
                           &def);
    stepTimes(&stage, 5);
    const thCounters counters = thWorld_GetCounters(stage.world);
    assert_int_equal(counters.agents, 0);
    assert_int_equal(counters.profiles, 0);
    assert_int_equal(counters.walls, 4);
    assert_int_equal(thRun_CountWaiting(stage.run), 0);
    thProfileDef profile;
    assert_ok(thScene_GetProfile(stage.scene, 0, &profile));
    assert_string_equal(profile.name, "a");
    assert_near(profile.radius, 0.3, 1e-6);
    assert_string_equal(profile.avoid.name, "orca");
    assert_true(((const thOrcaDef*)profile.avoid.params)->timeHorizon == 3.0f);
    thProfileId id;
    assert_ok(thCreateProfile(stage.world, &profile, &id, NULL));
    thAgentDef agent = thDefaultAgentDef();
    agent.profile = id;
    agent.position = (thVec2){5.0f, 5.0f};
    thAgentId agentId;
    assert_ok(thCreateAgent(stage.world, &agent, &agentId));
    assert_int_equal(thRun_GetEntry(stage.run, agentId), -1);
    stepTimes(&stage, 1);
    closeStage(&stage);
}

// Walls that stand there again and again: where the copies are, nobody may be.
static void testRepeats(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        "\"origin\": [100000, 0], \"walls\": [{\"box\": [[100000, 0], [100002, 1]], \"repeat\": "
        "{\"columns\": 3, \"rows\": 2, \"step\": [10, -5]}}, {\"polyline\": [[100000, 20], "
        "[100005, "
        "20]], \"repeat\": {\"rows\": 4, \"step\": [0, 1]}}]",
        NULL);
    assert_int_equal(thWorld_GetCounters(stage.world).obstacles, 6 + 4);
    int32_t solid = 0;
    for (int32_t x = -20; x < 40; ++x)
        for (int32_t y = -20; y < 20; ++y) {
            const thVec2 at = {(float)x + 0.5f, (float)y + 0.5f};
            const bool isExpected =
                (x == 0 || x == 1 || x == 10 || x == 11 || x == 20 || x == 21) &&
                (y == 0 || y == -5);
            assert_int_equal(thWorld_IsFree(stage.world, at, 0.1f, 0), !isExpected);
            solid += isExpected;
        }
    assert_int_equal(solid, 12);
    for (int32_t row = 0; row < 4; ++row)
        assert_false(thWorld_IsFree(stage.world, (thVec2){2.0f, 20.0f + (float)row}, 0.1f, 0));
    assert_true(thWorld_IsFree(stage.world, (thVec2){2.0f, 24.0f}, 0.1f, 0));
    closeStage(&stage);
}

static void testPlaces(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        "\"origin\": [1000, 2000], \"agents\": ["
        "{\"at\": [1001, 2002], \"heading\": 90, \"velocity\": [0.5, -1], \"priority\": 2, "
        "\"layers\": 6, \"mask\": 5, \"level\": 3},"
        "{\"at\": [[1001, 2002], [1002, 2002]], \"goal\": {\"offset\": [0, -7]}},"
        "{\"grid\": {\"from\": [1010, 2010], \"columns\": 3, \"rows\": 2, \"spacing\": [1, 2]}, "
        "\"goal\": \"opposite\"},"
        "{\"circle\": {\"center\": [1100, 2000], \"radius\": 5, \"count\": 4}, \"goal\": "
        "\"opposite\"},"
        "{\"in\": {\"box\": [[1200, 2000], [1210, 2020]]}, \"count\": 20, \"goal\": \"opposite\"},"
        "{\"in\": {\"box\": [[1300, 2000], [1310, 2020]]}, \"count\": 0}]",
        NULL);
    assertPlace(&stage, 1, 1.0, 2.0);
    const thAgentRow row = rowOfKey(&stage, 1);
    assert_near(row.heading, 1.5707963, 1e-6);
    assert_true(row.velocity.x == 0.5f && row.velocity.y == -1.0f);
    const thAgentInfo info = thAgent_GetInfo(stage.world, agentOfKey(&stage, 1));
    assert_true(info.layers == 6 && info.mask == 5 && info.level == 3 && info.yield == 0.5f);
    assert_int_equal(info.goal.value, 0);
    assertPlace(&stage, 3, 2.0, 2.0);
    assertGoal(&stage, 3, 2.0, -5.0);
    assert_near(rowOfKey(&stage, 3).heading, -1.5707963, 1e-6);
    assertPlace(&stage, 4, 10.0, 10.0); // the first of the grid, the second, and the last
    assertGoal(&stage, 4, 12.0, 12.0);
    assertPlace(&stage, 5, 11.0, 10.0);
    assertGoal(&stage, 5, 11.0, 12.0);
    assertPlace(&stage, 9, 12.0, 12.0);
    assertPlace(&stage, 11, 100.0, 5.0);
    assertGoal(&stage, 11, 100.0, -5.0);
    for (uint64_t key = 14; key < 34; ++key) {
        const thAgentRow random = rowOfKey(&stage, key);
        assert_true(random.position.x >= 200.0f && random.position.x <= 210.0f);
        assert_true(random.position.y >= 0.0f && random.position.y <= 20.0f);
        assertGoal(&stage, key, 410.0 - (double)random.position.x,
                   20.0 - (double)random.position.y);
        assert_int_equal(thRun_GetEntry(stage.run, agentOfKey(&stage, key)), 4);
    }
    assert_int_equal(countAgents(&stage), 33);
    assert_int_equal(thRun_GetEntry(stage.run, agentOfKey(&stage, 1)), 0);
    assert_int_equal(thRun_GetGoal(stage.run, agentOfKey(&stage, 1)), -1);
    closeStage(&stage);
}

// Goals that are shared are made once; lists and alternatives hold what they name.
static void testGoals(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        "\"goals\": {\"round\": {\"list\": [\"out\", \"a\"]}, \"out\": {\"nearest\": [\"a\", "
        "\"b\"]}, "
        "\"a\": {\"point\": [10, 0]}, \"b\": {\"disc\": [-20, 0], \"radius\": 2}, "
        "\"c\": {\"box\": [[30, 30], [40, 40]]}, \"d\": {\"segment\": [[0, 50], [9, 50]]}, "
        "\"e\": {\"polygon\": [[60, 0], [70, 0], [65, 5]]}}, \"agents\": ["
        "{\"at\": [[0, 0], [-10, 0]], \"goal\": \"round\"}, {\"at\": [0, 3], \"goal\": \"c\"}, "
        "{\"at\": [0, 5], \"goal\": \"d\"}, {\"at\": [0, 7], \"goal\": \"e\"}, "
        "{\"at\": [0, 9], \"goal\": {\"point\": [1, 1]}}]",
        NULL);
    assert_int_equal(thWorld_GetCounters(stage.world).goals, 8);
    assertGoal(&stage, 1, 10.0, 0.0); // the nearest to (0, 0), where goals are asked from here
    assertGoal(&stage, 3, 30.0, 30.0);
    assertGoal(&stage, 4, 0.0, 50.0);
    assertGoal(&stage, 5, 60.0, 0.0);
    assertGoal(&stage, 6, 1.0, 1.0);
    assert_int_equal(thRun_GetGoal(stage.run, agentOfKey(&stage, 1)), 0);
    assert_int_equal(thRun_GetGoal(stage.run, agentOfKey(&stage, 6)), 7);
    closeStage(&stage);
}

// Random goals are in their region, off walls, and each agent's own.
static void testRandomGoals(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        "\"walls\": [{\"box\": [[20, 0], [29, 10]]}], \"agents\": ["
        "{\"grid\": {\"from\": [0, 0], \"columns\": 5, \"rows\": 4, \"spacing\": 1}, "
        "\"goal\": {\"random\": {\"box\": [[20, 0], [30, 10]]}, \"count\": 3}, \"arrive\": "
        "\"again\"}]",
        NULL);
    assert_int_equal(thWorld_GetCounters(stage.world).goals, 20 * 4);
    for (uint64_t key = 1; key <= 20; ++key) {
        const thAgentInfo info = thAgent_GetInfo(stage.world, agentOfKey(&stage, key));
        assert_int_equal(thiGoalLength(&stage.world->goals, THRONG_SLOT(info.goal)), 3);
        for (int32_t i = 0; i < 3; ++i) {
            thVec2 way;
            assert_true(
                thiNearestGoalPoint(&stage.world->goals, THRONG_SLOT(info.goal), i, 0, 0, &way));
            assert_true(way.x >= 29.249f && way.x <= 30.0f && way.y >= 0.0f && way.y <= 10.0f);
        }
    }
    closeStage(&stage);
}

// What is drawn for each agent is in range, differs, and follows from the seed.
static void testDraws(void** state)
{
    (void)state;
    const char* content =
        "\"profiles\": {\"p\": {\"radius\": {\"uniform\": [0.2, 0.3]}, \"speed\": {\"normal\": "
        "[1.34, 0.26], \"min\": 1, \"max\": 1.5}, \"maxSpeed\": 1.4}}, \"agents\": ["
        "{\"in\": {\"disc\": [0, 0], \"radius\": 30}, \"count\": 500}]";
    thRunDef def = thDefaultRunDef();
    Stage stage = mustOpen(content, &def), same = mustOpen(content, &def);
    def.seed = 77;
    Stage other = mustOpen(content, &def);
    double radii = 0.0, speeds = 0.0;
    for (uint64_t key = 1; key <= 500; ++key) {
        const thAgentInfo info = thAgent_GetInfo(stage.world, agentOfKey(&stage, key));
        assert_true(info.radius >= 0.2f && info.radius <= 0.3f);
        assert_true(info.prefSpeed >= 1.0f && info.prefSpeed <= 1.5f);
        assert_true(info.maxSpeed == fmaxf(1.4f, info.prefSpeed));
        radii += (double)info.radius / 500.0;
        speeds += (double)info.prefSpeed / 500.0;
    }
    assert_near(radii, 0.25, 0.005);
    assert_near(speeds, 1.275, 0.02);
    assert_int_equal(thWorld_GetStateHash(stage.world), thWorld_GetStateHash(same.world));
    assert_int_not_equal(thWorld_GetStateHash(stage.world), thWorld_GetStateHash(other.world));
    closeStage(&stage);
    closeStage(&same);
    closeStage(&other);
}

static void testMovers(void** state)
{
    (void)state;
    Stage stage = mustOpen(
        "\"origin\": [100, 0], \"movers\": [{\"disc\": 0.5, \"at\": [101, 2], \"velocity\": [1, "
        "0]}, "
        "{\"polygon\": [[-1, -1], [1, -1], [0, 1]], \"path\": [[110, 0], [120, 0]], \"speed\": 2, "
        "\"angle\": 90, \"loop\": true, \"yields\": true}]",
        NULL);
    thVec2 position;
    float angle;
    stepTimes(&stage, 10);
    assert_ok(thObstacle_GetPlace(stage.world,
                                  (thObstacleId){thiIdPoolIdOf(&stage.world->obstacles.ids, 0)},
                                  &position, &angle));
    assert_near((double)position.x, 2.0, 1e-3);
    assert_ok(thObstacle_GetPlace(stage.world,
                                  (thObstacleId){thiIdPoolIdOf(&stage.world->obstacles.ids, 1)},
                                  &position, &angle));
    assert_near((double)position.x, 12.0, 1e-3);
    assert_near((double)angle, 1.5707963, 1e-5);
    closeStage(&stage);
}

// Errors.

static void testInWalls(void** state)
{
    (void)state;
    static const char* const expected[] = {
        "agents[0].at[1]: agent 1, of radius 0.25 m, at (5.1, 5) stands in a wall",
        "agents[0].at[2]: agent 2, of radius 0.25 m, at (5.1, 6) stands in a wall",
        "agents[1].at: agent 0, of radius 0.25 m, at (8, 8) stands in a wall or outside of the "
        "room",
        "agents[2].grid: agent 3, of radius 0.25 m, at (5, 1) stands in a wall",
        "agents[3].circle: agent 1, of radius 0.25 m, at (-3, 15) stands in a wall or outside of "
        "the room",
    };
    assertRefused("\"walls\": [{\"room\": [[0, 0], [20, 0], [20, 20], [0, 20]]}, {\"polyline\": "
                  "[[5, 0], [5, 20]]}, {\"box\": [[7, 7], [9, 9]]}], \"agents\": ["
                  "{\"at\": [[1, 1], [5.1, 5], [5.1, 6]]}, {\"at\": [8, 8]}, "
                  "{\"grid\": {\"from\": [2, 1], \"columns\": 5, \"rows\": 1, \"spacing\": 1}}, "
                  "{\"circle\": {\"center\": [0.5, 15], \"radius\": 3.5, \"count\": 2}}]",
                  expected, COUNT(expected));
}

static void testManyInWalls(void** state)
{
    (void)state;
    Stage stage =
        openStage("\"walls\": [{\"box\": [[-1, -1], [101, 101]]}], \"agents\": [{\"grid\": "
                  "{\"from\": [0, 0], \"columns\": 10, \"rows\": 10, \"spacing\": 1}}, "
                  "{\"at\": [50, 50]}]",
                  NULL);
    assert_int_equal(stage.code, th_resultBlocked);
    assert_int_equal(stage.errors.count, 22);
    assert_string_equal(stage.errors.items[20].path, "agents[0]");
    assert_string_equal(stage.errors.items[20].text, "and 80 more agents like these");
    assert_string_equal(stage.errors.items[21].path, "agents[1].at");
    closeStage(&stage);
}

static void testRefused(void** state)
{
    (void)state;
    static const struct {
        const char* content;
        const char* error;
    } cases[] = {
        {"\"agents\": [{\"at\": [[1, 1], [2, 2]]}, {\"at\": [2, 2]}]",
         "agents[1].at: agent 0 stands at (2, 2), where another one stands already"},
        {"\"agents\": [{\"at\": [[1, 1], [1, 1]]}]",
         "agents[0].at[1]: agent 1 stands at (1, 1), where another one stands already"},
        {"\"agents\": [{\"in\": {\"box\": [[0, 0], [10, 10]]}, \"count\": 1000}]",
         "agents[0].in: room was found for 229 of 1000 agents: on 100 m² of free ground these "
         "would be 10 per m², while at most about 3.44 per m² of their size fit, fewer beside "
         "walls "
         "and other agents"},
        {"\"walls\": [{\"box\": [[0, 0], [10, 10]]}], \"agents\": [{\"in\": {\"disc\": [5, 5], "
         "\"radius\": 4}, \"count\": 3}]",
         "agents[0].in: there is no free ground in the region"},
        {"\"agents\": [{\"at\": [29000, 0], \"goal\": {\"offset\": [2000, 0]}}]",
         "agents[0].goal: the goal of agent 0 would be at (31000, 0), more than 30000 m from the "
         "origin"},
        {"\"walls\": [{\"box\": [[0, 0], [10, 10]]}], \"agents\": [{\"at\": [20, 0], \"goal\": "
         "{\"random\": {\"box\": [[1, 1], [9, 9]]}}}]",
         "agents[0].goal: no place off the walls was found for the goal of agent 0"},
        {"\"walls\": [{\"box\": [[0, 0], [10, 10]]}], \"agents\": [{\"source\": {\"in\": {\"box\": "
         "[[1, 1], [9, 9]]}, \"rate\": 1}}]",
         "agents[0]: the source has no place off the walls for agents of radius 0.25 m"},
        {"\"agents\": [{\"source\": {\"in\": {\"box\": [[1, 1], [9, 9]]}, \"rate\": 1}, \"goal\": "
         "{\"offset\": [0, 29995]}}]",
         "agents[0]: goals of agents from this source may be more than 30000 m from the origin"},
        {"\"walls\": [{\"box\": [[0, 0], [10, 10]]}], \"agents\": [{\"source\": {\"in\": {\"box\": "
         "[[11, 11], [19, 19]]}, \"rate\": 1}, \"goal\": {\"random\": {\"disc\": [5, 5], "
         "\"radius\": "
         "4}}}]",
         "agents[0]: no place off the walls was found for goals of agents from this source"},
    };
    for (int32_t i = 0; i < COUNT(cases); ++i)
        assertRefused(cases[i].content, &cases[i].error, 1);
}

// Overlapping bodies that the scene lists are taken, and part.
static void testOverlaps(void** state)
{
    (void)state;
    Stage stage = mustOpen("\"agents\": [{\"at\": [[1, 1], [1.1, 1]]}]", NULL);
    stepTimes(&stage, 20);
    assert_true(rowOfKey(&stage, 2).position.x - rowOfKey(&stage, 1).position.x > 0.49f);
    closeStage(&stage);
}

// Those placed at random keep clear of those that are listed, also later in the file, and of other
// entries; floors do not count each other.
static void testClear(void** state)
{
    (void)state;
    Stage stage =
        mustOpen("\"agents\": [{\"in\": {\"box\": [[0, 0], [8, 8]]}, \"count\": 60, \"gap\": 0.1}, "
                 "{\"in\": {\"box\": [[4, 4], [12, 12]]}, \"count\": 60, \"gap\": 0.1}, "
                 "{\"grid\": {\"from\": [1, 1], \"columns\": 5, \"rows\": 5, \"spacing\": 2}}, "
                 "{\"in\": {\"box\": [[0, 0], [8, 8]]}, \"count\": 120, \"level\": 1}]",
                 NULL);
    for (uint64_t a = 1; a <= 120; ++a)
        for (uint64_t b = a + 1; b <= 145; ++b) {
            const thVec2 p = rowOfKey(&stage, a).position, q = rowOfKey(&stage, b).position;
            assert_true(hypotf(p.x - q.x, p.y - q.y) > 0.5999f);
        }
    closeStage(&stage);
}

// Walls from files.

static void testFiles(void** state)
{
    (void)state;
    writeText("run_hall.wkt", "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0), (4 4, 6 4, 6 6, 4 6, 4 4))\n"
                              "LINESTRING (10 0, 10 3)");
    writeText("run_blocks.geojson",
              "{\"type\": \"MultiPolygon\", \"coordinates\": [[[[0,0],[2,0],[2,2],[0,2],[0,0]]], "
              "[[[5,5],[7,5],[7,7],[5,7],[5,5]]]]}");
    // The only ring of its level is a room: outside of it is solid.
    static const char* const outside[] = {
        "agents[0].at[0]: agent 0, of radius 0.25 m, at (-1, -1) stands in a wall or outside of "
        "the room",
        "agents[0].at[1]: agent 1, of radius 0.25 m, at (5, 5) stands in a wall or outside of the "
        "room",
        "agents[0].at[2]: agent 2, of radius 0.25 m, at (10.2, 1) stands in a wall",
    };
    assertRefused("\"walls\": [{\"file\": \"run_hall.wkt\"}], \"agents\": [{\"at\": [[-1, -1], "
                  "[5, 5], [10.2, 1], [12, 5]]}]",
                  outside, 3);
    // With another room both are walls of the world outside.
    Stage stage = mustOpen("\"walls\": [{\"file\": \"run_hall.wkt\"}, {\"file\": "
                           "\"run_blocks.geojson\"}], \"agents\": [{\"at\": [[-1, -1], [1, 1]]}]",
                           NULL);
    assert_int_equal(thWorld_GetCounters(stage.world).walls, 17);
    assert_int_equal(thWorld_GetCounters(stage.world).obstacles, 5);
    closeStage(&stage);
    // On another level it does not count.
    assertRefused("\"walls\": [{\"file\": \"run_hall.wkt\"}, {\"file\": \"run_blocks.geojson\", "
                  "\"level\": 1}], \"agents\": [{\"at\": [-1, -1]}]",
                  (const char*[]){"agents[0].at: agent 0, of radius 0.25 m, at (-1, -1) stands in "
                                  "a wall or outside of the room"},
                  1);
    static const char* const solid[] = {
        "agents[0].at[1]: agent 1, of radius 0.25 m, at (6, 6) stands in a wall or outside of the "
        "room"};
    assertRefused("\"walls\": [{\"file\": \"run_blocks.geojson\", \"polygons\": \"solid\"}], "
                  "\"agents\": [{\"at\": [[4, 4], [6, 6]]}]",
                  solid, 1);
    remove("run_hall.wkt");
    remove("run_blocks.geojson");
}

// Rooms that have an edge in common, a part of one, or overlap are one: people walk through. What
// is in a yard of a solid is free.
static void testJoinedPolygons(void** state)
{
    (void)state;
    writeText("run_rooms.wkt", "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))\n"
                               "POLYGON ((10 4, 20 4, 20 6, 10 6, 10 4))\n"
                               "POLYGON ((19 0, 30 0, 30 10, 19 10, 19 0))");
    Stage stage =
        mustOpen("\"walls\": [{\"file\": \"run_rooms.wkt\"}], \"agents\": [{\"at\": [5, 5], "
                 "\"goal\": {\"point\": [25, 5]}}], \"time\": {\"end\": {\"at\": 60}}",
                 NULL);
    assert_int_equal(thWorld_GetCounters(stage.world).obstacles, 1);
    for (int32_t i = 0; i < 600; ++i)
        assert_int_equal(thRun_Step(stage.run), th_resultOk);
    assert_true(thAgent_Get(stage.world, thWorld_FindAgent(stage.world, 1)).position.x > 24.0f);
    closeStage(&stage);
    static const char* const outside[] = {
        "agents[0].at: agent 0, of radius 0.25 m, at (15, 8) stands in a wall or outside of the "
        "room"};
    assertRefused("\"walls\": [{\"file\": \"run_rooms.wkt\"}], \"agents\": [{\"at\": [15, 8]}]",
                  outside, 1);
    writeText("run_yard.wkt",
              "POLYGON ((0 0, 30 0, 30 20, 0 20, 0 0), (5 5, 10 5, 10 15, 5 15, 5 5),"
              " (20 5, 25 5, 25 15, 20 15, 20 5))");
    static const char* const inside[] = {"agents[0].at[2]: agent 2, of radius 0.25 m, at (15, 10) "
                                         "stands in a wall or outside of the "
                                         "room"};
    assertRefused("\"walls\": [{\"file\": \"run_yard.wkt\", \"polygons\": \"solid\"}], "
                  "\"agents\": [{\"at\": [[7, 7], [22, 14], [15, 10], [-1, 7]]}]",
                  inside, 1);
    remove("run_rooms.wkt");
    remove("run_yard.wkt");
}

// A hall of about 100 m by 50 m in Berlin, in degrees.
static void testDegrees(void** state)
{
    (void)state;
    writeText("run_degrees.geojson",
              "{\"type\": \"Polygon\", \"coordinates\": [[[13.3690, 52.5250], [13.3705, 52.5250], "
              "[13.3705, 52.5254], [13.3690, 52.5254], [13.3690, 52.5250]]]}");
    Stage stage = mustOpen("\"walls\": [{\"file\": \"run_degrees.geojson\", \"degrees\": [13.369, "
                           "52.525]}], \"agents\": [{\"at\": [[1, 1], [100, 44]]}]",
                           NULL);
    closeStage(&stage);
    // 1 degree of latitude is 111,277 m there, and one of longitude 67,872 m.
    assertRefused(
        "\"walls\": [{\"file\": \"run_degrees.geojson\", \"degrees\": [13.369, 52.525]}], "
        "\"agents\": [{\"at\": [[101.5, 1], [101.6, 20], [1, 44.2], [1, 44.3]]}]",
        (const char*[]){"agents[0].at[1]: agent 1, of radius 0.25 m, at (101.6, 20) stands "
                        "in a wall",
                        "agents[0].at[3]: agent 3, of radius 0.25 m, at (1, 44.3) stands "
                        "in a wall"},
        2);
    remove("run_degrees.geojson");
}

static void testBadFiles(void** state)
{
    (void)state;
    writeText("run_bad1.wkt", "LINESTRING (0 0, 1 1)\nPOLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))\n"
                              "LINESTRING (1 1, 1 1)");
    writeText("run_bad2.wkt", "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0),\n (4 4, 6 4, 8 4, 4 4))");
    writeText("run_bad3.wkt", "LINESTRING (0 0; 1 1)");
    Stage stage =
        openStage("\"walls\": [{\"file\": \"run_bad1.wkt\"}, {\"file\": \"run_bad2.wkt\", "
                  "\"polygons\": \"solid\"}, {\"file\": \"run_bad3.wkt\"}, {\"file\": "
                  "\"run_bad4.wkt\"}]",
                  NULL);
    static const struct {
        const char* file;
        int32_t line, column;
        const char* path;
        const char* text;
    } expected[] = {
        {"run_bad3.wkt", 1, 16, "", "expected ',' or ')', found ';'"},
        {"test.json", 1, 124, "walls[3]",
         "'run_bad4.wkt': cannot read the file: No such file or directory"},
        {"run_bad1.wkt", 2, 10, "",
         "edges of this ring cross or touch: that from (0, 0) and that from (4, 0)"},
        {"run_bad1.wkt", 3, 12, "", "this line has no length: all its points are the same"},
        {"run_bad2.wkt", 2, 2, "", "this ring has no area, or its edges cross or touch"},
    };
    assert_int_equal(stage.errors.count, COUNT(expected));
    for (int32_t i = 0; i < COUNT(expected); ++i) {
        const thError* error = &stage.errors.items[i];
        assert_string_equal(error->file, expected[i].file);
        assert_int_equal(error->line, expected[i].line);
        assert_int_equal(error->column, expected[i].column);
        assert_string_equal(error->path, expected[i].path);
        assert_string_equal(error->text, expected[i].text);
    }
    closeStage(&stage);
    remove("run_bad1.wkt");
    remove("run_bad2.wkt");
    remove("run_bad3.wkt");
}

// Every allocation may fail.
static thResult createAndStep(const thAllocator* allocator, void* context)
{
    const thScene* scene = context;
    thRunDef def = thDefaultRunDef();
    def.world.allocator = *allocator;
    thRun* run;
    thResult code = thCreateRun(scene, &def, &run);
    for (int32_t i = 0; i < 12 && code == th_resultOk; ++i)
        code = thRun_Step(run);
    thDestroyRun(run);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    writeText("run_memory.wkt", "POLYGON ((-50 -50, 50 -50, 50 50, -50 50, -50 -50))");
    Stage stage = mustOpen(
        "\"walls\": [{\"file\": \"run_memory.wkt\"}, {\"box\": [[20, 20], [21, 21]]}], \"doors\": "
        "[{\"segment\": [[0, 10], [5, 10]], \"open\": [[0.3, 0.6]]}], \"movers\": [{\"disc\": 1, "
        "\"at\": [30, 30]}], \"goals\": {\"a\": {\"point\": [9, 9]}, \"b\": {\"nearest\": "
        "[\"a\"]}}, "
        "\"agents\": [{\"at\": [[0, 0], [2, 0]], \"goal\": \"b\", \"delay\": 0.2}, {\"in\": "
        "{\"box\": "
        "[[-9, -9], [-5, -5]]}, \"count\": 38, \"goal\": {\"random\": {\"box\": [[0, 0], [9, 9]]}, "
        "\"count\": 2}}, {\"source\": {\"in\": {\"segment\": [[-20, 0], [-20, 9]]}, \"rate\": 10}, "
        "\"goal\": {\"offset\": [5, 0]}, \"delay\": 0.5}]",
        NULL);
    assert_true(failEachAllocation(createAndStep, stage.scene) > 50);
    closeStage(&stage);
    remove("run_memory.wkt");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDefaults),       cmocka_unit_test(testBadArguments),
        cmocka_unit_test(testWorld),          cmocka_unit_test(testProfiles),
        cmocka_unit_test(testNamedRoadmap),   cmocka_unit_test(testWithoutAgents),
        cmocka_unit_test(testRepeats),        cmocka_unit_test(testPlaces),
        cmocka_unit_test(testGoals),          cmocka_unit_test(testRandomGoals),
        cmocka_unit_test(testDraws),          cmocka_unit_test(testMovers),
        cmocka_unit_test(testInWalls),        cmocka_unit_test(testManyInWalls),
        cmocka_unit_test(testRefused),        cmocka_unit_test(testOverlaps),
        cmocka_unit_test(testClear),          cmocka_unit_test(testFiles),
        cmocka_unit_test(testJoinedPolygons), cmocka_unit_test(testDegrees),
        cmocka_unit_test(testBadFiles),       cmocka_unit_test(testNoMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
