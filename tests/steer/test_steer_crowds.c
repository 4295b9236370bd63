// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Crowds that steer: flocks keep together, people keep apart, and walls are avoided. People who
// walk to and fro on a strip collide as often as ClearPath's Figure 9 says of each controller.

#include "gear/gear.h"
#include "throng/random.h"
#include "throng/steer.h"
#include "throng/world.h"

#include <stdlib.h>

#define DT 0.1f
#define RADIUS 0.25

static void assertOk(thResult code)
{
    assert_int_equal(code, th_resultOk);
}

static thWorld* openWorld(void)
{
    thWorldDef def = thDefaultWorldDef();
    def.contacts = 0;
    thWorld* world;
    assertOk(thCreateWorld(&def, &world));
    return world;
}

static thProfileId addProfile(thWorld* world, thMethodUse plan, thMethodUse avoid)
{
    thProfileDef def = thDefaultProfileDef();
    def.plan = plan;
    def.avoid = avoid;
    def.radius = (float)RADIUS;
    def.prefSpeed = 1.3f;
    def.maxSpeed = 2.0f;
    def.maxAccel = 5.0f;
    def.arrivalDistance = 0.5f;
    def.arrival = th_arrivalAgain;
    thProfileId id;
    assertOk(thCreateProfile(world, &def, &id, NULL));
    return id;
}

static void run(thWorld* world, int32_t steps)
{
    for (int32_t i = 0; i < steps; ++i)
        assertOk(thWorld_Step(world, DT));
}

// Pairs that overlap by more than 1 % of their radii's sum.
static int32_t countOverlaps(const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    int32_t count = 0;
    for (int32_t i = 0; i < view.slotCount; ++i)
        for (int32_t k = 0; k < i; ++k) {
            const thAgentRow *a = &view.rows[i], *b = &view.rows[k];
            count += hypot((double)(a->position.x - b->position.x),
                           (double)(a->position.y - b->position.y)) < 0.99 * 2.0 * RADIUS;
        }
    return count;
}

// How much all go one way: 1 if they do, about 0 if each goes its own.
static double orderOf(const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    double x = 0.0, y = 0.0;
    for (int32_t i = 0; i < view.slotCount; ++i) {
        const thVec2 velocity = view.rows[i].velocity;
        const double speed = hypot((double)velocity.x, (double)velocity.y);
        x += speed > 0.0 ? (double)velocity.x / speed : 0.0;
        y += speed > 0.0 ? (double)velocity.y / speed : 0.0;
    }
    return hypot(x, y) / view.slotCount;
}

// The mean distance from the middle.
static double spreadOf(const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    double x = 0.0, y = 0.0, sum = 0.0;
    for (int32_t i = 0; i < view.slotCount; ++i) {
        x += (double)view.rows[i].position.x / view.slotCount;
        y += (double)view.rows[i].position.y / view.slotCount;
    }
    for (int32_t i = 0; i < view.slotCount; ++i)
        sum += hypot((double)view.rows[i].position.x - x, (double)view.rows[i].position.y - y);
    return sum / view.slotCount;
}

static thWorld* openFlock(const thSteerDef* params, int32_t count, float size)
{
    thWorld* world = openWorld();
    const thProfileId profile =
        addProfile(world, (thMethodUse){"direct", NULL}, (thMethodUse){"steer", params});
    for (int32_t i = 0; i < count; ++i) {
        const uint64_t stream = thRandomStream(9, (uint64_t)i, 0, 0);
        thAgentDef def = thDefaultAgentDef();
        def.profile = profile;
        def.key = 1 + (uint64_t)i;
        def.position =
            (thVec2){thRandomRange(stream, 0, 0.0f, size), thRandomRange(stream, 1, 0.0f, size)};
        const float angle = thRandomRange(stream, 2, -3.14f, 3.14f);
        def.velocity = (thVec2){cosf(angle), sinf(angle)};
        thAgentId id;
        assertOk(thCreateAgent(world, &def, &id));
    }
    return world;
}

// A flock aligns and keeps together; without alignment and cohesion the same agents disperse.
static void testFlock(void** state)
{
    (void)state;
    double scattered = 0.0;
    for (int32_t isFlock = 0; isFlock <= 1; ++isFlock) {
        thSteerDef params = thDefaultSteerDef();
        params.roam = 1;
        params.wander = 0.3f;
        params.alignment = isFlock ? 3.0f : 0.0f;
        params.cohesion = isFlock ? 1.5f : 0.0f;
        params.flockRange = 5.0f;
        thWorld* world = openFlock(&params, 100, 8.0f);
        const double order = orderOf(world), spread = spreadOf(world);
        run(world, 400);
        print_message("order %.2f -> %.2f, spread %.1f m -> %.1f m\n", order, orderOf(world),
                      spread, spreadOf(world));
        assert_true(order < 0.3);
        if (isFlock) {
            assert_true(orderOf(world) > 0.9);
            assert_true(spreadOf(world) < scattered / 3.0);
        } else {
            assert_true(orderOf(world) < 0.3);
            scattered = spreadOf(world);
        }
        thDestroyWorld(world);
    }
}

// A heap of agents who want nothing dissolves until nobody is within the range, and stands then.
static void testSeparation(void** state)
{
    (void)state;
    const thSteerDef params = thDefaultSteerDef();
    thWorld* world = openFlock(&params, 60, 1.0f);
    assert_true(countOverlaps(world) > 500);
    run(world, 600);
    const thAgentView view = thWorld_GetAgentView(world);
    double nearest = INFINITY, fastest = 0.0;
    for (int32_t i = 0; i < view.slotCount; ++i) {
        const thAgentRow* a = &view.rows[i];
        fastest = fmax(fastest, hypot((double)a->velocity.x, (double)a->velocity.y));
        for (int32_t k = 0; k < i; ++k)
            nearest = fmin(nearest, hypot((double)(a->position.x - view.rows[k].position.x),
                                          (double)(a->position.y - view.rows[k].position.y)));
    }
    print_message("nearest %.3f m, fastest %.4f m/s\n", nearest, fastest);
    assert_int_equal(countOverlaps(world), 0);
    assert_true(nearest > 0.9);
    assert_true(fastest < 0.05);
    thDestroyWorld(world);
}

// Agents push off a wall before they run into it, and are never in it.
static void testWall(void** state)
{
    (void)state;
    thWorld* world = openWorld();
    const thVec2 room[4] = {{0.0f, 0.0f}, {10.0f, 0.0f}, {10.0f, 10.0f}, {0.0f, 10.0f}};
    thObstacleDef wall = thDefaultObstacleDef();
    wall.kind = th_obstacleRoom;
    wall.points = room;
    wall.pointCount = 4;
    thObstacleId wallId;
    assertOk(thCreateObstacle(world, &wall, &wallId));
    thSteerDef params = thDefaultSteerDef();
    params.roam = 1;
    params.wander = 1.0f;
    params.wallAhead = 1.5f;
    thAgentDef def = thDefaultAgentDef();
    def.profile = addProfile(world, (thMethodUse){"direct", NULL}, (thMethodUse){"steer", &params});
    def.position = (thVec2){5.0f, 5.0f};
    def.heading = 0.4f;
    thAgentId id;
    assertOk(thCreateAgent(world, &def, &id));
    double way = 0.0;
    int32_t touching = 0;
    for (int32_t i = 0; i < 1000; ++i) {
        run(world, 1);
        const thAgentRow row = thAgent_Get(world, id);
        const float margin = fminf(fminf(row.position.x, 10.0f - row.position.x),
                                   fminf(row.position.y, 10.0f - row.position.y));
        touching += margin < 0.26f;
        way += (double)DT * hypot((double)row.velocity.x, (double)row.velocity.y);
    }
    print_message("%g m in 100 s, %d steps at the wall\n", way, touching);
    assert_true(way > 80.0);
    assert_true(touching < 100);
    thDestroyWorld(world);
}

// A place that is free, for the n-th of those who start on one side.
static thVec2 findPlace(const thWorld* world, uint64_t stream, bool east)
{
    thVec2 place;
    for (uint32_t i = 0;; i += 2) {
        const float x = thRandomRange(stream, i, 4.0f, 10.0f);
        place = (thVec2){east ? x : -x, thRandomRange(stream, i + 1, -2.0f, 2.0f)};
        const thAgentView view = thWorld_GetAgentView(world);
        bool isFree = true;
        for (int32_t k = 0; k < view.slotCount; ++k)
            isFree = isFree && hypotf(view.rows[k].position.x - place.x,
                                      view.rows[k].position.y - place.y) > 0.5f;
        if (isFree)
            return place;
    }
}

// Overlapping pairs in a step of `count` people who walk to and fro on a strip of 20 by 4 m.
static double backAndForth(int32_t count, thMethodUse plan, thMethodUse avoid)
{
    thWorld* world = openWorld();
    const thProfileId profile = addProfile(world, plan, avoid);
    thGoalId ends[2];
    for (int32_t i = 0; i < 2; ++i) {
        const float x = i == 0 ? -10.0f : 10.0f;
        const thVec2 points[2] = {{x, -2.0f}, {x, 2.0f}};
        thGoalDef end = thDefaultGoalDef();
        end.kind = th_goalSegment;
        end.points = points;
        end.pointCount = 2;
        assertOk(thCreateGoal(world, &end, &ends[i]));
    }
    for (int32_t i = 0; i < count; ++i) {
        const bool east = i % 2 == 1;
        const thGoalId turns[2] = {ends[east ? 0 : 1], ends[east ? 1 : 0]};
        thGoalDef list = thDefaultGoalDef();
        list.kind = th_goalList;
        list.goals = turns;
        list.goalCount = 2;
        thAgentDef def = thDefaultAgentDef();
        def.profile = profile;
        def.key = 1 + (uint64_t)i;
        def.position = findPlace(world, thRandomStream(12345, (uint64_t)i, 0, 0), east);
        assertOk(thCreateGoal(world, &list, &def.goal));
        thAgentId id;
        assertOk(thCreateAgent(world, &def, &id));
    }
    int64_t sum = 0;
    for (int32_t i = 0; i < 600; ++i) {
        run(world, 1);
        sum += countOverlaps(world);
    }
    const double mean = (double)sum / 600.0;
    print_message("%3d people, plan %s, avoid %s: %.3f overlapping pairs a step\n", count,
                  plan.name, avoid.name, mean);
    thDestroyWorld(world);
    return mean;
}

static void testBackAndForth(void** state)
{
    (void)state;
    const thMethodUse direct = {"direct", NULL}, weak = {"steer-weak", NULL};
    const thMethodUse steer = {"steer", NULL}, orca = {"orca", NULL};
    thSteerDef plain = thDefaultSteerDef();
    plain.avoidance = 0;
    const double few = backAndForth(20, direct, weak), half = backAndForth(40, direct, weak);
    const double most = backAndForth(80, direct, weak);
    assert_true(few < half && half < most); // the denser, the more
    assert_in_range((uint64_t)most, 8, 31);
    assert_true(backAndForth(80, direct, steer) < 0.3);
    // Both ways to put avoidance behind steering.
    assert_true(backAndForth(80, steer, orca) < 0.1);
    assert_true(backAndForth(80, (thMethodUse){"steer", &plain}, orca) < most / 4.0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testFlock),
        cmocka_unit_test(testSeparation),
        cmocka_unit_test(testWall),
        cmocka_unit_test(testBackAndForth),
    };
    return RUN_TESTS(tests, argc, argv);
}
