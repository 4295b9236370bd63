// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Outlines of obstacles and goals, as those see them who draw.

#include "sim/sim_gear.h"
#include "throng/outline.h"

typedef struct Seen {
    thObstacleOutline obstacles[8];
    thVec2 obstaclePoints[8][8];
    thGoalOutline goals[8];
    thVec2 goalPoints[8][8];
    int32_t obstacleCount, goalCount;
} Seen;

static void seeObstacle(void* context, const thObstacleOutline* outline)
{
    Seen* seen = context;
    assert_in_range(outline->pointCount, 1, 8);
    memcpy(seen->obstaclePoints[seen->obstacleCount], outline->points,
           (size_t)outline->pointCount * sizeof(thVec2));
    seen->obstacles[seen->obstacleCount++] = *outline;
}

static void seeGoal(void* context, const thGoalOutline* outline)
{
    Seen* seen = context;
    assert_in_range(outline->pointCount, 1, 8);
    memcpy(seen->goalPoints[seen->goalCount], outline->points,
           (size_t)outline->pointCount * sizeof(thVec2));
    seen->goals[seen->goalCount++] = *outline;
}

static bool isAt(thVec2 a, double x, double y)
{
    return fabs(a.x - x) < 1e-4 && fabs(a.y - y) < 1e-4;
}

static bool hasPoint(const thVec2* points, int32_t count, double x, double y)
{
    for (int32_t i = 0; i < count; ++i)
        if (isAt(points[i], x, y))
            return true;
    return false;
}

static void testObstacles(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    const thVec2 box[] = {{0, 0}, {4, 0}, {4, 2}, {2, 2}, {0, 2}};
    thObstacleDef def = thDefaultObstacleDef();
    def.points = box;
    def.pointCount = 5;
    thObstacleId solid, gone, turned, disc;
    assert_int_equal(thCreateObstacle(world, &def, &solid), th_resultOk);
    assert_int_equal(thCreateObstacle(world, &def, &gone), th_resultOk);
    const thVec2 corners[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    def.kind = th_obstacleMovingPolygon;
    def.points = corners;
    def.pointCount = 4;
    def.position = (thVec2){10, 20};
    def.angle = 0.78539816f;
    def.level = 3;
    assert_int_equal(thCreateObstacle(world, &def, &turned), th_resultOk);
    def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingDisc;
    def.position = (thVec2){-5, 6};
    def.velocity = (thVec2){1, 0};
    def.radius = 0.5f;
    assert_int_equal(thCreateObstacle(world, &def, &disc), th_resultOk);
    assert_int_equal(thDestroyObstacle(world, gone), th_resultOk);
    assert_int_equal(thWorld_Step(world, 0.5f), th_resultOk);

    Seen seen = {0};
    assert_int_equal(thWorld_VisitObstacles(world, seeObstacle, &seen), th_resultOk);
    assert_int_equal(seen.obstacleCount, 3);
    assert_true(seen.obstacles[0].id.value == solid.value);
    assert_int_equal(seen.obstacles[0].kind, th_obstacleSolid);
    assert_int_equal(seen.obstacles[0].pointCount, 4); // cleaned
    assert_true(hasPoint(seen.obstaclePoints[0], 4, 4, 2));
    assert_true(seen.obstacles[1].id.value == turned.value);
    assert_int_equal(seen.obstacles[1].level, 3);
    assert_true(hasPoint(seen.obstaclePoints[1], 4, 10 + sqrt(2), 20));
    assert_true(hasPoint(seen.obstaclePoints[1], 4, 10, 20 - sqrt(2)));
    assert_true(seen.obstacles[2].id.value == disc.value);
    assert_int_equal(seen.obstacles[2].pointCount, 1);
    assert_true(isAt(seen.obstaclePoints[2][0], -4.5, 6));
    assert_true(seen.obstacles[2].radius == 0.5f);
    thDestroyWorld(world);
}

static void testGoals(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    thGoalId point, disc, list;
    assert_int_equal(thCreatePointGoal(world, (thVec2){1, 2}, &point), th_resultOk);
    const thVec2 centre = {3, 4};
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalDisc;
    def.points = &centre;
    def.pointCount = 1;
    def.radius = 2;
    assert_int_equal(thCreateGoal(world, &def, &disc), th_resultOk);
    const thGoalId both[] = {point, disc};
    def = thDefaultGoalDef();
    def.kind = th_goalList;
    def.goals = both;
    def.goalCount = 2;
    assert_int_equal(thCreateGoal(world, &def, &list), th_resultOk);

    Seen seen = {0};
    assert_int_equal(thWorld_VisitGoals(world, seeGoal, &seen), th_resultOk);
    assert_int_equal(seen.goalCount, 2);
    assert_true(seen.goals[0].id.value == point.value);
    assert_true(isAt(seen.goalPoints[0][0], 1, 2));
    assert_int_equal(seen.goals[1].kind, th_goalDisc);
    assert_true(isAt(seen.goalPoints[1][0], 3, 4) && seen.goals[1].radius == 2);
    thDestroyWorld(world);
}

// What an agent heads for: of a list the current goal, of alternatives the nearest.
static void testShape(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    thGoalId near, far, either, list;
    assert_int_equal(thCreatePointGoal(world, (thVec2){1, 0}, &near), th_resultOk);
    assert_int_equal(thCreatePointGoal(world, (thVec2){9, 0}, &far), th_resultOk);
    const thGoalId both[] = {far, near};
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalAlternatives;
    def.goals = both;
    def.goalCount = 2;
    assert_int_equal(thCreateGoal(world, &def, &either), th_resultOk);
    const thGoalId order[] = {far, either};
    def.kind = th_goalList;
    def.goals = order;
    assert_int_equal(thCreateGoal(world, &def, &list), th_resultOk);
    const thProfileDef profile = thDefaultProfileDef();
    thAgentDef agent = thDefaultAgentDef();
    assert_int_equal(thCreateProfile(world, &profile, &agent.profile, NULL), th_resultOk);
    thAgentId id;
    assert_int_equal(thCreateAgent(world, &agent, &id), th_resultOk);
    assert_true(thAgent_GetInfo(world, id).shape.value == 0);
    const thGoalId goals[] = {near, either, list};
    const thGoalId shapes[] = {near, near, far};
    for (int32_t i = 0; i < 3; ++i) {
        assert_int_equal(thAgent_SetGoal(world, id, goals[i]), th_resultOk);
        assert_true(thAgent_GetInfo(world, id).goal.value == goals[i].value);
        assert_true(thAgent_GetInfo(world, id).shape.value == shapes[i].value);
    }
    thDestroyWorld(world);
}

static void testRefused(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    assert_int_equal(thWorld_VisitObstacles(NULL, seeObstacle, NULL), th_resultBadArgument);
    assert_int_equal(thWorld_VisitObstacles(world, NULL, NULL), th_resultBadArgument);
    assert_int_equal(thWorld_VisitGoals(NULL, seeGoal, NULL), th_resultBadArgument);
    assert_int_equal(thWorld_VisitGoals(world, NULL, NULL), th_resultBadArgument);
    assert_int_equal(heard(), 4);
    thDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testObstacles),
        cmocka_unit_test(testGoals),
        cmocka_unit_test(testShape),
        cmocka_unit_test(testRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
