// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents that become larger, get another profile or are taken over by the host while they are on
// their way: planners find the path of who they are now.

#include "plan/plan_gear.h"

#include <string.h>

static const char* const planners[] = {"visibility", "flow", "roadmap"};

typedef struct Scene {
    thWorld* world;
    thProfileId profile, direct;
    thAgentId agent;
} Scene;

// A wall with a gap of 1 m at y = 0 and one of 3 m at y = 10; the goal is opposite of the first.
static Scene openScene(const char* plan)
{
    Scene scene = {.world = createPlanWorld(1)};
    static const thVec2 room[] = {{-12.0f, -6.0f}, {12.0f, -6.0f}, {12.0f, 16.0f}, {-12.0f, 16.0f}};
    addObstacle(scene.world, th_obstacleRoom, 0, room, 4);
    addBox(scene.world, -0.2f, -6.0f, 0.2f, -0.5f);
    addBox(scene.world, -0.2f, 0.5f, 0.2f, 8.5f);
    addBox(scene.world, -0.2f, 11.5f, 0.2f, 16.0f);
    if (strcmp(plan, "roadmap") == 0)
        addRule(scene.world, "cells", th_roadmapGrid, 0.5f);
    scene.profile = addPlanner(scene.world, plan, NULL, "none");
    scene.direct = addPlanner(scene.world, "direct", NULL, "none");
    scene.agent =
        addAgent(scene.world, scene.profile, -8.0f, 0.0f, pointGoal(scene.world, 8.0f, 0.0f));
    return scene;
}

static double lengthNow(const Scene* scene)
{
    const thPath path = pathOf(scene->world, scene->agent, NULL, 0);
    return path.answer == th_planComplete ? path.length : -1.0;
}

static void testRadius(void** state)
{
    (void)state;
    for (int32_t p = 0; p < 3; ++p) {
        Scene scene = openScene(planners[p]);
        stepWorld(scene.world, 5);
        assert_true(lengthNow(&scene) > 15.0 && lengthNow(&scene) < 17.0);
        assert_ok(thAgent_SetRadius(scene.world, scene.agent, 0.6f, th_placementRefuse));
        const Bytes saved = saveWorld(scene.world);
        Scene other = scene;
        other.world = createPlanWorld(2);
        assert_ok(thWorld_Restore(other.world, saved.data, saved.size, NULL));
        stepWorld(scene.world, 20);
        stepWorld(other.world, 20);
        assert_true(thWorld_GetStateHash(scene.world) == thWorld_GetStateHash(other.world));
        assert_true(lengthNow(&scene) > 19.0);
        assert_int_equal(stepsToArrive(scene.world, scene.agent, 400) < 400, 1);
        freeBytes(saved);
        thDestroyWorld(scene.world);
        // Smaller again, it takes the short way again.
        stepWorld(other.world, 1);
        assert_ok(thAgent_SetRadius(other.world, other.agent, 0.25f, th_placementRefuse));
        stepWorld(other.world, 20);
        assert_true(lengthNow(&other) > 0.0 && lengthNow(&other) < 17.0);
        thDestroyWorld(other.world);
    }
}

static void testProfile(void** state)
{
    (void)state;
    for (int32_t p = 0; p < 3; ++p) {
        Scene scene = openScene(planners[p]);
        assert_ok(thAgent_SetRadius(scene.world, scene.agent, 0.6f, th_placementRefuse));
        stepWorld(scene.world, 5);
        const double whole = lengthNow(&scene);
        assert_ok(thAgent_SetProfile(scene.world, scene.agent, scene.direct));
        stepWorld(scene.world, 5);
        assert_true(lengthNow(&scene) < 16.0);
        assert_ok(thAgent_SetProfile(scene.world, scene.agent, scene.profile));
        assert_ok(thDestroyProfile(scene.world, scene.direct)); // nobody has it any more
        stepWorld(scene.world, 20);
        assert_true(lengthNow(&scene) > 0.5 * whole);
        assert_true(stepsToArrive(scene.world, scene.agent, 400) < 400);
        thDestroyWorld(scene.world);
    }
}

static void testExternal(void** state)
{
    (void)state;
    for (int32_t p = 0; p < 3; ++p) {
        Scene scene = openScene(planners[p]);
        stepWorld(scene.world, 5);
        assert_ok(thAgent_SetExternal(scene.world, scene.agent, 1, th_placementRefuse));
        const thVec2 at = thAgent_Get(scene.world, scene.agent).position;
        stepWorld(scene.world, 5);
        const thAgentRow row = thAgent_Get(scene.world, scene.agent);
        assert_true(row.position.x == at.x && row.position.y == at.y);
        assert_int_equal(row.flags & th_agentExternal, th_agentExternal);
        // In a wall the host may put it, but there the world does not take it over.
        const thVec2 inside = {0.0f, 5.0f};
        assert_ok(thWorld_SetKinematics(scene.world, &scene.agent, &inside, NULL, 1));
        assert_int_equal(thAgent_SetExternal(scene.world, scene.agent, 0, th_placementRefuse),
                         th_resultBlocked);
        assert_int_equal(thAgent_Get(scene.world, scene.agent).flags & th_agentExternal,
                         th_agentExternal);
        assert_ok(thAgent_SetExternal(scene.world, scene.agent, 0, th_placementNearest));
        assert_int_equal(thAgent_Get(scene.world, scene.agent).flags & th_agentExternal, 0);
        assert_true(stepsToArrive(scene.world, scene.agent, 400) < 400);
        thDestroyWorld(scene.world);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRadius),
        cmocka_unit_test(testProfile),
        cmocka_unit_test(testExternal),
    };
    return RUN_TESTS(tests, argc, argv);
}
