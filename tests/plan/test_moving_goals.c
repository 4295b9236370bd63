// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Goals that move, and agents that get another goal in every step: whatever the planner, a crowd
// follows, and what it does is the same after a restore and with any number of threads.

#include "gear/allocators.h"
#include "plan/plan_gear.h"

#include "throng/flow.h"

#include <stdio.h>
#include <string.h>

enum { crowdSize = 200 };

typedef struct Chase {
    thWorld* world;
    thProfileId profile;
    thGoalId target;
    thAgentId agents[crowdSize];
} Chase;

static const char* const planners[] = {"visibility", "flow", "roadmap", "direct"};

// A field of the whole city takes dozens of steps, and a tree of this roadmap a few.
static Chase openChase(const char* plan, int32_t workers)
{
    Chase chase = {.world = createPlanWorld(workers)};
    thFlowDef flow = thDefaultFlowDef();
    flow.cell = 0.5f;
    flow.rate = 5000;
    if (strcmp(plan, "direct") != 0)
        addCity(chase.world, 5, 4);
    if (strcmp(plan, "roadmap") == 0)
        addRule(chase.world, "cells", th_roadmapGrid, 1.0f);
    chase.profile = addPlanner(chase.world, plan, strcmp(plan, "flow") == 0 ? &flow : NULL, "none");
    chase.target = pointGoal(chase.world, 24.0f, -4.0f);
    for (int32_t i = 0; i < crowdSize; ++i)
        chase.agents[i] = addAgent(chase.world, chase.profile, -2.0f + 0.7f * (float)(i % 20),
                                   -8.0f + 0.7f * (float)(i / 20), chase.target);
    return chase;
}

// Along streets, round corners. [m]
static thVec2 placeAt(double way)
{
    static const thVec2 corners[] = {
        {24.0f, -4.0f}, {24.0f, 18.0f}, {52.0f, 18.0f}, {52.0f, 40.0f}};
    for (int32_t i = 0; i < 3; ++i) {
        const thVec2 a = corners[i], b = corners[i + 1];
        const double length = fabs((double)b.x - a.x) + fabs((double)b.y - a.y);
        if (way <= length)
            return (thVec2){a.x + (float)((b.x - a.x) * (way / length)),
                            a.y + (float)((b.y - a.y) * (way / length))};
        way -= length;
    }
    return corners[3];
}

static double furthest(const Chase* chase, thVec2 target)
{
    double most = 0.0;
    for (int32_t i = 0; i < crowdSize; ++i) {
        const thVec2 at = thAgent_Get(chase->world, chase->agents[i]).position;
        most = fmax(most, hypot((double)at.x - target.x, (double)at.y - target.y));
    }
    return most;
}

static int32_t countPending(const Chase* chase)
{
    int32_t count = 0;
    for (int32_t i = 0; i < crowdSize; ++i)
        count += thAgent_GetInfo(chase->world, chase->agents[i]).answer == th_planPending;
    return count;
}

static void moveTarget(Chase* chase, int32_t step)
{
    assert_ok(thGoal_SetPlace(chase->world, chase->target, placeAt(0.07 * step)));
    stepWorld(chase->world, 1);
}

static void testCrowdFollows(void** state)
{
    (void)state;
    for (int32_t p = 0; p < 4; ++p) {
        Chase chase = openChase(planners[p], 1);
        int32_t pending = 0;
        for (int32_t step = 1; step <= 500; ++step) {
            moveTarget(&chase, step);
            pending += step > 100 ? countPending(&chase) : 0;
        }
        // Those who follow are a heap some metres wide.
        assert_true(furthest(&chase, placeAt(35.0)) < 11.0);
        // Once there is a plan, hardly anybody is ever without one.
        assert_true(pending < 400 * crowdSize / 100);
        thDestroyWorld(chase.world);
    }
}

// Goals come and go as those do that a host makes for every frame: in the slots of those before, or
// in new ones.
static void testGoalAfterGoal(void** state)
{
    (void)state;
    for (int32_t p = 0; p < 8; ++p) {
        const int32_t kept = p < 4 ? 1 : 40; // that are there at once
        thGoalId goals[40];
        Chase chase = openChase(planners[p % 4], 1);
        for (int32_t step = 1; step <= 500; ++step) {
            const thVec2 place = placeAt(0.07 * step);
            const thGoalId former = goals[step % kept];
            goals[step % kept] = pointGoal(chase.world, place.x, place.y);
            for (int32_t i = 0; i < crowdSize; ++i)
                assert_ok(thAgent_SetGoal(chase.world, chase.agents[i], goals[step % kept]));
            if (step > kept)
                assert_ok(thDestroyGoal(chase.world, former));
            stepWorld(chase.world, 1);
        }
        assert_true(furthest(&chase, placeAt(35.0)) < 11.0);
        thDestroyWorld(chase.world);
    }
}

// A goal that comes into the slot of one that is gone is another goal, not that one moved.
static void testAnotherInSlot(void** state)
{
    (void)state;
    for (size_t p = 0; p < 2; ++p) {
        Chase chase = openChase(planners[p], 0);
        for (int32_t step = 0; step < 60; ++step)
            assert_ok(thWorld_Step(chase.world, 0.1f));
        for (int32_t i = 0; i < crowdSize; ++i)
            assert_ok(thDestroyAgent(chase.world, chase.agents[i]));
        assert_ok(thDestroyGoal(chase.world, chase.target));
        const thGoalId other = pointGoal(chase.world, -30.0f, -4.0f);
        assert_int_equal(THRONG_SLOT(other), THRONG_SLOT(chase.target));
        for (int32_t i = 0; i < 8; ++i)
            chase.agents[i] =
                addAgent(chase.world, chase.profile, -2.0f, -8.0f + 1.0f * (float)i, other);
        for (int32_t step = 0; step < 6; ++step) {
            assert_ok(thWorld_Step(chase.world, 0.1f));
            for (int32_t i = 0; i < 8; ++i) // nobody goes to where the other was
                assert_true(thAgent_Get(chase.world, chase.agents[i]).position.x < -1.9f);
        }
        thDestroyWorld(chase.world);
    }
}

// Somebody alone, whose goal jumps to the other side, turns round at once: it has a route of its
// own, which leads elsewhere now.
static void testAlone(void** state)
{
    (void)state;
    Chase chase = openChase("visibility", 1);
    for (int32_t i = 1; i < crowdSize; ++i)
        assert_ok(thDestroyAgent(chase.world, chase.agents[i]));
    assert_ok(thGoal_SetPlace(chase.world, chase.target, (thVec2){52.0f, 40.0f}));
    stepWorld(chase.world, 40);
    const thVec2 before = thAgent_Get(chase.world, chase.agents[0]).position;
    assert_true(before.x > 2.0f);
    assert_ok(thGoal_SetPlace(chase.world, chase.target, (thVec2){-40.0f, 40.0f}));
    stepWorld(chase.world, 60);
    const thVec2 after = thAgent_Get(chase.world, chase.agents[0]).position;
    assert_true(after.x < before.x - 1.0f);
    const double straight = hypot(-40.0 - (double)after.x, 40.0 - (double)after.y);
    assert_true((double)thAgent_GetInfo(chase.world, chase.agents[0]).remaining < straight + 0.5);
    thDestroyWorld(chase.world);
}

// Each its own goal, which is another in every step.
static void testOwnGoals(void** state)
{
    (void)state;
    for (int32_t p = 0; p < 4; ++p) {
        if (strcmp(planners[p], "flow") == 0)
            continue; // has not as many fields
        Chase chase = openChase(planners[p], 1);
        for (int32_t step = 1; step <= 500; ++step) {
            const thVec2 place = placeAt(0.07 * step);
            thGoalId formers[crowdSize];
            for (int32_t i = 0; i < crowdSize; ++i) {
                formers[i] = thAgent_GetInfo(chase.world, chase.agents[i]).goal;
                const thGoalId own = pointGoal(chase.world, place.x + 0.01f * (float)i, place.y);
                assert_ok(thAgent_SetGoal(chase.world, chase.agents[i], own));
            }
            for (int32_t i = 0; i < crowdSize && step > 1; ++i)
                assert_ok(thDestroyGoal(chase.world, formers[i]));
            stepWorld(chase.world, 1);
        }
        assert_true(furthest(&chase, placeAt(35.0)) < 11.0);
        thDestroyWorld(chase.world);
    }
}

// A world that is saved while plans are of another place than the goal goes on to the bit, and
// saves the same bytes; also where the goal moved after the last step.
static void testSnapshots(void** state)
{
    (void)state;
    for (int32_t p = 0; p < 4; ++p)
        for (int32_t at = 3; at < 60; at = 2 * at + 1) {
            Chase chase = openChase(planners[p], 1);
            for (int32_t step = 1; step <= at; ++step)
                moveTarget(&chase, step);
            assert_ok(thGoal_SetPlace(chase.world, chase.target, placeAt(0.1 * at)));
            Chase other = chase;
            const Bytes saved = saveWorld(chase.world);
            other.world = createPlanWorld(3);
            assert_ok(thWorld_Restore(other.world, saved.data, saved.size, NULL));
            // No planner has worked there yet, and that is the reason which is told.
            const thPath path = pathOf(other.world, other.agents[0], NULL, 0);
            assert_int_equal(path.answer, th_planPending);
            assert_non_null(strstr(path.why, "restored"));
            const Bytes again = saveWorld(other.world);
            assert_true(sameBytes(saved, again));
            for (int32_t step = at + 1; step <= at + 40; ++step) {
                moveTarget(&chase, step);
                moveTarget(&other, step);
                assert_true(thWorld_GetStateHash(chase.world) == thWorld_GetStateHash(other.world));
            }
            const Bytes end = saveWorld(chase.world), otherEnd = saveWorld(other.world);
            assert_true(sameBytes(end, otherEnd));
            freeBytes(saved);
            freeBytes(again);
            freeBytes(end);
            freeBytes(otherEnd);
            thDestroyWorld(chase.world);
            thDestroyWorld(other.world);
        }
}

// Shapes of every kind keep theirs; lists and alternatives are refused, and what would leave the
// world.
static void testShapes(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    static const thVec2 square[] = {{0.0f, 0.0f}, {0.0f, 2.0f}, {2.0f, 2.0f}, {2.0f, 0.0f}};
    const thGoalId disc = shapeGoal(world, th_goalDisc, square, 1, 1.5f);
    const thGoalId segment = shapeGoal(world, th_goalSegment, square, 2, 0.0f);
    const thGoalId polygon = shapeGoal(world, th_goalPolygon, square, 4, 0.0f);
    const thProfileId profile = addPlanner(world, "direct", NULL, "none");
    const thGoalId goals[] = {disc, segment, polygon};
    // From (11, 20) to each after all were moved by (10, 10).
    const double left[] = {8.5498756, 8.0622577, 8.0};
    listen();
    for (int32_t i = 0; i < 3; ++i) {
        thVec2 first;
        assert_ok(thGoal_GetPlace(world, goals[i], &first));
        const thVec2 to = {first.x + 10.0f, first.y + 10.0f};
        assert_ok(thGoal_SetPlace(world, goals[i], to));
        thVec2 moved;
        assert_ok(thGoal_GetPlace(world, goals[i], &moved));
        assert_true(moved.x == to.x && moved.y == to.y);
        const thAgentId agent = addAgent(world, profile, 11.0f, 20.0f, goals[i]);
        stepWorld(world, 1);
        assert_true(fabs((double)thAgent_GetInfo(world, agent).remaining - left[i]) < 1e-4);
        assert_ok(thDestroyAgent(world, agent));
        assert_refused(world, thGoal_SetPlace(world, goals[i], (thVec2){30001.0f, 0.0f}));
        assert_refused(world, thGoal_SetPlace(world, goals[i], (thVec2){NAN, 0.0f}));
    }
    assert_refused(world, thGoal_SetPlace(world, segment, (thVec2){0.0f, 29999.0f})); // its end
    assert_ok(thGoal_SetPlace(world, disc, (thVec2){0.0f, 30000.0f}));
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalList;
    def.goals = goals;
    def.goalCount = 3;
    thGoalId list;
    assert_ok(thCreateGoal(world, &def, &list));
    assert_refused(world, thGoal_SetPlace(world, list, square[0]));
    assert_ok(thDestroyGoal(world, list));
    assert_refused(world, thGoal_SetPlace(world, list, square[0]));
    thVec2 ignored;
    assert_int_equal(thGoal_GetPlace(world, list, &ignored), th_resultBadArgument);
    thSetHooks(NULL);
    thDestroyWorld(world);
}

// Who is created, or gets a goal, after the last step has no path, and the reason says why.
static void testReasons(void** state)
{
    (void)state;
    for (int32_t p = 0; p < 3; ++p) {
        Chase chase = openChase(planners[p], 1);
        stepWorld(chase.world, 60);
        assert_int_equal(pathOf(chase.world, chase.agents[0], NULL, 0).answer, th_planComplete);
        const thAgentId late = addAgent(chase.world, chase.profile, -9.0f, -9.0f, chase.target);
        assert_non_null(strstr(pathOf(chase.world, late, NULL, 0).why, "created after"));
        const thGoalId other = pointGoal(chase.world, -9.0f, 30.0f);
        assert_ok(thAgent_SetGoal(chase.world, chase.agents[0], other));
        const thPath path = pathOf(chase.world, chase.agents[0], NULL, 0);
        assert_int_equal(path.answer, th_planPending);
        assert_non_null(strstr(path.why, p == 1 ? "new since the last step" : "found yet"));
        thDestroyWorld(chase.world);
    }
}

// Sixty people who go round lists of goals: trees that come and go keep their memory.
static void testWarmLists(void** state)
{
    (void)state;
    static const thVec2 places[] = {
        {-4.0f, -4.0f}, {24.0f, 36.0f}, {-4.0f, 36.0f}, {24.0f, -4.0f}, {24.0f, 18.0f}};
    for (int32_t p = 0; p < 2; ++p) {
        const char* plan = p == 0 ? "visibility" : "flow";
        thWorld* world = createPlanWorld(1);
        addCity(world, 2, 3);
        thGoalId goals[5], list;
        for (int32_t i = 0; i < 5; ++i)
            goals[i] = pointGoal(world, places[i].x, places[i].y);
        thGoalDef def = thDefaultGoalDef();
        def.kind = th_goalList;
        def.goals = goals;
        def.goalCount = 5;
        assert_ok(thCreateGoal(world, &def, &list));
        thProfileDef profileDef = thDefaultProfileDef();
        profileDef.plan.name = plan;
        profileDef.arrival = th_arrivalAgain;
        profileDef.arrivalDistance = 2.0f;
        profileDef.prefSpeed = profileDef.maxSpeed = 4.0f;
        thProfileId profile;
        assert_ok(thCreateProfile(world, &profileDef, &profile, NULL));
        for (int32_t i = 0; i < 60; ++i)
            addAgent(world, profile, -8.0f + 0.7f * (float)(i % 10), -9.0f + 0.7f * (float)(i / 10),
                     list);
        stepWorld(world, 2000);
        const thCounters before = thWorld_GetCounters(world);
        stepWorld(world, 4000);
        const thCounters after = thWorld_GetCounters(world);
        const uint64_t calls = after.allocations - before.allocations;
        printf("%s: %llu allocations in 4000 warm steps, %llu arrivals\n", plan,
               (unsigned long long)calls, (unsigned long long)(after.arrivals - before.arrivals));
        assert_true(after.arrivals > before.arrivals + 500);
        assert_true(calls < (p == 0 ? 20 : 2000));
        thDestroyWorld(world);
    }
}

// Any allocation may fail while plans follow goals: the step says so, and nothing leaks.
static thResult chaseWithout(const thAllocator* allocator, void* context)
{
    thWorldDef def = thDefaultWorldDef();
    def.allocator = *allocator;
    thWorld* world;
    TH_TRY(thCreateWorld(&def, &world));
    thRoadmapDef roadmap = thDefaultRoadmapDef();
    roadmap.name = "cells";
    roadmap.kind = th_roadmapGrid;
    roadmap.side = 1.0f;
    thRoadmapId ignored;
    thAgentId last;
    thResult code = thCreateRoadmap(world, &roadmap, &ignored);
    if (code == th_resultOk)
        code = addFew(world, (thMethodUse){.name = context}, &last);
    for (int32_t step = 0; step < 24 && code == th_resultOk; ++step) {
        thGoalId goal = thAgent_GetInfo(world, last).goal;
        thVec2 at;
        assert_ok(thGoal_GetPlace(world, goal, &at));
        assert_ok(thGoal_SetPlace(world, goal, (thVec2){at.x, at.y + 0.05f}));
        if (step == 12)
            code = thCreatePointGoal(world, at, &goal);
        if (code == th_resultOk)
            code = thAgent_SetGoal(world, last, goal);
        if (code == th_resultOk)
            code = thWorld_Step(world, DT);
    }
    thDestroyWorld(world);
    return code;
}

static void testLackOfMemory(void** state)
{
    (void)state;
    for (int32_t p = 0; p < 4; ++p)
        assert_true(failEachAllocation(chaseWithout, (void*)planners[p]) > 0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCrowdFollows),  cmocka_unit_test(testGoalAfterGoal),
        cmocka_unit_test(testAnotherInSlot), cmocka_unit_test(testAlone),
        cmocka_unit_test(testOwnGoals),      cmocka_unit_test(testSnapshots),
        cmocka_unit_test(testShapes),        cmocka_unit_test(testReasons),
        cmocka_unit_test(testWarmLists),     cmocka_unit_test(testLackOfMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
