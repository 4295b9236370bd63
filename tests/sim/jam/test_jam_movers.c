// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Jams among obstacles that move: a car through a crowd, a door that slides shut in a jam, a door
// that shuts by the clock. Every step is judged, and everybody gets through.

#include "sim/jam/jam_gear.h"

#include "crowds/crowd_judge.h"
#include "throng/random.h"
#include "throng/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void addJudgedWall(thWorld* world, Judge* judge, thVec2 a, thVec2 b)
{
    const thVec2 points[] = {a, b};
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleWall;
    def.points = points;
    def.pointCount = 2;
    thObstacleId id;
    assert_ok(thCreateObstacle(world, &def, &id));
    judgeAddObstacle(judge, id, &def);
}

// A box that moves, of this half width and half height.
static thObstacleId addJudgedBox(thWorld* world, Judge* judge, thVec2 half, thObstacleDef def)
{
    const thVec2 points[] = {
        {-half.x, -half.y}, {half.x, -half.y}, {half.x, half.y}, {-half.x, half.y}};
    def.kind = th_obstacleMovingPolygon;
    def.points = points;
    def.pointCount = 4;
    thObstacleId id;
    assert_ok(thCreateObstacle(world, &def, &id));
    judgeAddObstacle(judge, id, &def);
    return id;
}

static Judge* createJudge(void)
{
    Judge* judge = calloc(1, sizeof *judge);
    assert_non_null(judge);
    judgeBegin(judge);
    return judge;
}

static void stepJudged(thWorld* world, Judge* judge)
{
    judgeBefore(judge, world);
    assert_ok(thWorld_Step(world, JAM_STEP));
    if (!judgeAfter(judge, world, JAM_STEP))
        fail_msg("%s", judge->problem);
}

// Two groups of `count`, in columns of four from `x` on outwards, who change sides.
static void addGroups(thWorld* world, const thProfileDef* profile, int32_t count, float x,
                      uint64_t seed)
{
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, profile, &def.profile, NULL));
    for (int32_t i = 0; i < 2 * count; ++i) {
        const uint64_t stream = thRandomStream(seed, (uint64_t)i, 0, 0);
        const float side = i % 2 == 0 ? -1.0f : 1.0f;
        const float out = x + 0.8f * (float)(i / 8) + thRandomRange(stream, 0, -0.1f, 0.1f);
        const float y = 0.8f * (float)(i / 2 % 4) - 1.2f + thRandomRange(stream, 1, -0.1f, 0.1f);
        addWalker(world, def.profile, (thVec2){side * out, y}, (thVec2){-side * 16.0f, y});
    }
}

// What a run with a mover came to.
typedef struct Passage {
    int32_t steps;   // until all were gone
    double deepest;  // body in the mover [m]
    int64_t crushed; // bodies in it, summed over steps
} Passage;

static const float bodyRadius = 0.25f;

// How deep a body is in a box that is not turned [m].
static double depthIn(thVec2 at, thVec2 half, thVec2 body)
{
    const double x = fabs((double)(body.x - at.x)) - (double)half.x;
    const double y = fabs((double)(body.y - at.y)) - (double)half.y;
    const double outside = x > 0.0 && y > 0.0 ? hypot(x, y) : fmax(x, y);
    return (double)bodyRadius - outside;
}

static void lookInto(const thWorld* world, thObstacleId box, thVec2 half, Passage* passage)
{
    thVec2 at;
    float angle;
    assert_ok(thObstacle_GetPlace(world, box, &at, &angle));
    const thAgentView view = thWorld_GetAgentView(world);
    for (int32_t i = 0; i < view.slotCount; ++i) {
        if (view.rows[i].flags == 0)
            continue;
        const double depth = depthIn(at, half, view.rows[i].position);
        passage->deepest = fmax(passage->deepest, depth);
        passage->crushed += depth > 0.001;
    }
}

#define GONE 500 // steps after which the car has driven through

// A car drives through two groups who meet in a street of 4 m, and away.
static Passage driveThrough(int32_t yields, uint64_t seed)
{
    const thVec2 half = {0.8f, 0.5f};
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    Judge* judge = createJudge();
    addJudgedWall(world, judge, (thVec2){-60.0f, -2.0f}, (thVec2){60.0f, -2.0f});
    addJudgedWall(world, judge, (thVec2){-60.0f, 2.0f}, (thVec2){60.0f, 2.0f});
    thObstacleDef def = thDefaultObstacleDef();
    def.position = (thVec2){-20.0f, 0.0f};
    def.velocity = (thVec2){1.0f, 0.0f};
    def.yields = yields;
    const thObstacleId car = addJudgedBox(world, judge, half, def);
    const thProfileDef profile = walkerProfile(th_keepRight, 1.0f);
    addGroups(world, &profile, 32, 2.0f, seed);
    Passage passage = {0};
    for (; passage.steps < 1500 && thWorld_GetCounters(world).agents > 0; ++passage.steps) {
        if (passage.steps == GONE) {
            assert_ok(thDestroyObstacle(world, car));
            judgeRemoveObstacle(judge, car);
        }
        stepJudged(world, judge);
        if (passage.steps < GONE)
            lookInto(world, car, half, &passage);
    }
    free(judge);
    thDestroyWorld(world);
    return passage;
}

// Whether it yields or not, all get through. In the thick of it some are caught between the car and
// others for a moment, but not all under it; on the whole these are few.
static void testCar(void** state)
{
    (void)state;
    enum { seeds = 40 };
    for (int32_t yields = 0; yields < 2; ++yields) {
        int64_t crushed = 0; // bodies in it, summed over steps
        double deepest = 0.0;
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
            const Passage passage = driveThrough(yields, seed);
            assert_true(passage.steps < 1500);
            crushed += passage.crushed;
            deepest = fmax(deepest, passage.deepest);
        }
        print_message("car: %.1f bodies in it, up to %.3f m\n", (double)crushed / seeds, deepest);
        assert_true(crushed <= 10 * seeds && deepest < (double)bodyRadius);
    }
}

// One who meets a car head on is pushed along, never under it, and walks on when it is gone.
static void testHeadOn(void** state)
{
    (void)state;
    const thVec2 half = {0.8f, 0.5f};
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    Judge* judge = createJudge();
    thObstacleDef def = thDefaultObstacleDef();
    def.velocity = (thVec2){1.0f, 0.0f};
    const thObstacleId car = addJudgedBox(world, judge, half, def);
    const thProfileId profile = addProfile(world, th_keepRight, 1.0f);
    addWalker(world, profile, (thVec2){5.0f, 0.0f}, (thVec2){-9.0f, 0.0f});
    Passage passage = {0};
    for (int32_t step = 0; step < 200; ++step) {
        stepJudged(world, judge);
        lookInto(world, car, half, &passage);
    }
    assert_true(passage.crushed == 0);
    assert_ok(thDestroyObstacle(world, car));
    assert_true(stepsUntilEmpty(world, 300) < 300);
    free(judge);
    thDestroyWorld(world);
}

// A car and a barrel stand in the way, which no planner knows of: it walks round them.
static void testStandingMovers(void** state)
{
    (void)state;
    for (int32_t i = 0; i < 3; ++i) {
        thWorld* world = createCrowdWorld(1, th_simdAuto);
        const float thick = i == 1 ? 0.05f : 0.8f; // a leaf, or a car
        const thVec2 corners[] = {{-thick, -0.5f}, {thick, -0.5f}, {thick, 0.5f}, {-thick, 0.5f}};
        thObstacleDef def = thDefaultObstacleDef();
        def.kind = th_obstacleMovingPolygon;
        def.points = corners;
        def.pointCount = 4;
        def.position = (thVec2){5.0f, 0.0f};
        thObstacleId id;
        assert_ok(thCreateObstacle(world, &def, &id));
        def = thDefaultObstacleDef();
        def.kind = th_obstacleMovingDisc;
        def.radius = 1.0f;
        def.position = (thVec2){10.0f, 0.0f};
        assert_ok(thCreateObstacle(world, &def, &id));
        const thKeep keep = i == 1 ? th_keepLeft : th_keepRight;
        const thProfileId profile = addProfile(world, keep, i == 2 ? 0.0f : 1.0f);
        addWalker(world, profile, (thVec2){0.0f, 0.0f}, (thVec2){15.0f, 0.0f});
        assert_true(stepsUntilEmpty(world, 250) < 250);
        thDestroyWorld(world);
    }
}

#define LEAF_SPEED 0.3f // of a door that slides [m/s]
#define SHUTS 80        // steps after which it begins to shut
#define STAYS_SHUT 100  // for so many steps
#define LEAF_OPEN 1.2f  // where it is then [m]

// How the leaf moves on.
static thVec2 leafMotion(const thWorld* world, thObstacleId leaf, int32_t step, int32_t* shutAt)
{
    thVec2 at;
    float angle;
    assert_ok(thObstacle_GetPlace(world, leaf, &at, &angle));
    if (*shutAt < 0 && at.y <= 0.02f)
        *shutAt = step;
    if (*shutAt < 0)
        return (thVec2){0.0f, step < SHUTS ? 0.0f : -LEAF_SPEED};
    const bool opens = step >= *shutAt + STAYS_SHUT && at.y < LEAF_OPEN;
    return (thVec2){0.0f, opens ? LEAF_SPEED : 0.0f};
}

// A door of 1.2 m slides shut while two groups jam in it, and opens again.
static Passage slideShut(uint64_t seed)
{
    const thVec2 half = {0.05f, 0.59f};
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    Judge* judge = createJudge();
    addJudgedWall(world, judge, (thVec2){0.0f, -9.0f}, (thVec2){0.0f, -0.6f});
    addJudgedWall(world, judge, (thVec2){0.0f, 0.6f}, (thVec2){0.0f, 9.0f});
    thObstacleDef def = thDefaultObstacleDef();
    def.position = (thVec2){0.0f, LEAF_OPEN};
    def.yields = 1;
    const thObstacleId leaf = addJudgedBox(world, judge, half, def);
    thProfileDef profile = walkerProfile(th_keepRight, 1.0f);
    profile.plan.name = "visibility";
    addGroups(world, &profile, 24, 1.5f, seed);
    Passage passage = {0};
    int32_t shutAt = -1;
    for (; passage.steps < 2500 && thWorld_GetCounters(world).agents > 0; ++passage.steps) {
        const thVec2 motion = leafMotion(world, leaf, passage.steps, &shutAt);
        assert_ok(thObstacle_SetMotion(world, leaf, motion, 0.0f));
        stepJudged(world, judge);
        lookInto(world, leaf, half, &passage);
    }
    assert_true(shutAt > 0);
    free(judge);
    thDestroyWorld(world);
    return passage;
}

// A leaf looks at walls, not at others behind somebody, so people are caught in it; but nobody
// stays so: all get through.
static void testSlidingDoor(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        const Passage passage = slideShut(seed);
        print_message("sliding door: %.1f s, up to %.2f m in it\n",
                      (double)passage.steps * (double)JAM_STEP, passage.deepest);
        assert_true(passage.steps < 1200);
    }
}

static const char doorScene[] =
    "{\"throng\": 1, \"time\": {\"end\": {\"arrived\": true, \"at\": 300}},"
    "\"walls\": [{\"room\": [[-14, -8], [14, -8], [14, 8], [-14, 8]]},"
    "            {\"polyline\": [[0, -8], [0, -1]]}, {\"polyline\": [[0, 1], [0, 8]]}],"
    "\"doors\": [{\"segment\": [[0, -1], [0, 1]], \"open\": [[0, 7], [60, 300]]}],"
    "\"goals\": {\"east\": {\"segment\": [[12, -6], [12, 6]]},"
    "            \"west\": {\"segment\": [[-12, -6], [-12, 6]]}},"
    "\"profiles\": {\"walker\": {\"plan\": \"visibility\", \"arrivalDistance\": 0.5}},"
    "\"agents\": [{\"grid\": {\"from\": [-9, -4.5], \"columns\": 5, \"rows\": 10,"
    "              \"spacing\": [1.6, 1], \"jitter\": 0.2}, \"goal\": \"east\", \"arrive\": "
    "\"leave\"},"
    "             {\"grid\": {\"from\": [2.6, -4.5], \"columns\": 5, \"rows\": 10,"
    "              \"spacing\": [1.6, 1], \"jitter\": 0.2}, \"goal\": \"west\", \"arrive\": "
    "\"leave\"}]}";

#define DOOR_PEOPLE 100
#define DOOR_WALLS 6 // while it is open

// On which side of the door everybody is; who has left is where it was.
static void noteSides(const thWorld* world, bool isEast[DOOR_PEOPLE])
{
    const thAgentView view = thWorld_GetAgentView(world);
    assert_int_equal(view.slotCount, DOOR_PEOPLE);
    for (int32_t i = 0; i < DOOR_PEOPLE; ++i)
        if (view.rows[i].flags != 0)
            isEast[i] = view.rows[i].position.x > 0.0f;
}

// It shuts as soon as nobody stands in it; until it opens nobody gets through.
static void shutByClock(const thScene* scene, uint64_t seed)
{
    thRunDef def = thDefaultRunDef();
    def.seed = seed;
    thRun* run;
    assert_ok(thCreateRun(scene, &def, &run));
    const thWorld* world = thRun_GetWorld(run);
    bool before[DOOR_PEOPLE], now[DOOR_PEOPLE];
    noteSides(world, before);
    memcpy(now, before, sizeof now);
    int32_t shut = 0;
    while (thRun_IsOver(run) == 0) {
        assert_ok(thRun_Step(run));
        const bool isShut = thWorld_GetCounters(world).walls > DOOR_WALLS;
        noteSides(world, now);
        assert_true(!isShut || memcmp(now, before, sizeof now) == 0);
        memcpy(before, now, sizeof now);
        shut += isShut;
    }
    print_message("door: shut for %.1f s, all gone at %.1f s\n", (double)shut * (double)JAM_STEP,
                  thRun_GetTime(run));
    assert_true(shut > 40);
    assert_int_equal(thWorld_GetCounters(world).agents, 0);
    thDestroyRun(run);
}

static void testDoorByClock(void** state)
{
    (void)state;
    thSceneDef def = thDefaultSceneDef();
    def.text = doorScene;
    def.textSize = strlen(doorScene);
    thScene* scene;
    assert_ok(thLoadScene(&def, &scene));
    for (uint64_t seed = 1; seed <= 5; ++seed)
        shutByClock(scene, seed);
    thDestroyScene(scene);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCar),
        cmocka_unit_test(testHeadOn),
        cmocka_unit_test(testStandingMovers),
        cmocka_unit_test(testSlidingDoor),
        cmocka_unit_test(testDoorByClock),
    };
    return RUN_TESTS(tests, argc, argv);
}
