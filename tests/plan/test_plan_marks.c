// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What planners say in explanations: the path, its next corner, and in words what comes of it.

#include "plan/plan_gear.h"
#include "throng/explain.h"
#include "throng/roadmap.h"

#include <stdio.h>

static const thMark* findMark(const thExplanationView* view, thMarkKind kind)
{
    for (int32_t i = 0; i < view->markCount; ++i)
        if (view->marks[i].kind == kind && view->marks[i].by == th_methodPlan)
            return &view->marks[i];
    return NULL;
}

// Explains the coming step; then makes it, after which the path is known that was meant.
static thExplanation* explainNext(thWorld* world, thAgentId agent, thVec2* points, thPath* path)
{
    thExplanation* explanation;
    assert_ok(thWorld_Explain(world, agent, DT, &explanation));
    // What is told is told from where the agent stands before the step.
    assert_ok(thAgent_SetSpeeds(world, agent, 0.0f, 0.0f));
    assert_ok(thWorld_Step(world, DT));
    assert_ok(thAgent_GetPath(world, agent, points, 64, path));
    return explanation;
}

static void checkPlanner(const char* plan, const void* params)
{
    thWorld* world = createPlanWorld(1);
    addBox(world, -2.0f, -6.0f, 2.0f, 5.0f);
    addWall(world, -30.0f, -30.0f, 30.0f, -30.0f);
    addWall(world, -30.0f, 30.0f, 30.0f, 30.0f);
    thRoadmapDef roadmap = thDefaultRoadmapDef();
    roadmap.name = "cells";
    roadmap.kind = th_roadmapGrid;
    roadmap.low = (thVec2){-10.0f, -10.0f};
    roadmap.high = (thVec2){10.0f, 10.0f};
    thRoadmapId id;
    assert_ok(thCreateRoadmap(world, &roadmap, &id));
    thProfileDef def = thDefaultProfileDef();
    def.plan = (thMethodUse){plan, params};
    def.avoid.name = "none";
    thAgentDef agent = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &def, &agent.profile, NULL));
    assert_ok(thCreatePointGoal(world, (thVec2){7.5f, 0.5f}, &agent.goal));
    agent.position = (thVec2){-7.3f, 0.6f}; // not the centre of a cell
    thAgentId walker;
    assert_ok(thCreateAgent(world, &agent, &walker));
    thVec2 points[64];
    thPath path;
    thExplanation* explanation = explainNext(world, walker, points, &path);
    const thExplanationView view = thExplanation_GetView(explanation);
    const thMark* way = findMark(&view, th_markPath);
    const thMark* corner = findMark(&view, th_markPoint);
    const thMark* text = findMark(&view, th_markText);
    assert_non_null(way);
    assert_non_null(corner);
    assert_non_null(text);
    assert_int_equal(way->space, th_spacePlace);
    assert_int_equal(way->pointCount, path.pointCount);
    for (int32_t i = 0; i < path.pointCount; ++i) {
        assert_near((double)(way->points[i].x + view.position.x), (double)points[i].x, 1e-4);
        assert_near((double)(way->points[i].y + view.position.y), (double)points[i].y, 1e-4);
    }
    assert_same_bits(corner->points[0].x, view.corner.x);
    assert_same_bits(corner->points[0].y, view.corner.y);
    char expected[64];
    snprintf(expected, sizeof expected, "plan: a way to the goal, %d leg", path.pointCount - 1);
    assert_memory_equal(text->label, expected, strlen(expected));
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
}

static void testPlanners(void** state)
{
    (void)state;
    const thRoadmapUse use = thDefaultRoadmapUse();
    checkPlanner("direct", NULL);
    checkPlanner("visibility", NULL);
    checkPlanner("roadmap", &use);
}

// A field takes some steps; until then there is no path, and it says why.
static void testFlow(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(1);
    addBox(world, -40.0f, -40.0f, -39.0f, -39.0f);
    addBox(world, 40.0f, 40.0f, 41.0f, 41.0f);
    thProfileDef def = thDefaultProfileDef();
    def.plan.name = "flow";
    thAgentDef agent = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &def, &agent.profile, NULL));
    assert_ok(thCreatePointGoal(world, (thVec2){7.0f, 0.0f}, &agent.goal));
    agent.position = (thVec2){-7.0f, 0.0f};
    thAgentId walker;
    assert_ok(thCreateAgent(world, &agent, &walker));
    bool wasPending = false, wasComplete = false;
    for (int32_t i = 0; i < 12; ++i) {
        thExplanation* explanation;
        assert_ok(thWorld_Explain(world, walker, DT, &explanation));
        const thExplanationView view = thExplanation_GetView(explanation);
        const char* text = findMark(&view, th_markText)->label;
        const bool hasWay = findMark(&view, th_markPath) != NULL;
        const bool isPending =
            strcmp(text, "plan: no way yet: the field of the goal is being built") == 0;
        assert_true(isPending == !hasWay);
        wasPending = wasPending || isPending;
        wasComplete = wasComplete || strstr(text, "plan: a way to the goal, 1 leg, ") == text;
        thDestroyExplanation(explanation);
        assert_ok(thWorld_Step(world, DT));
    }
    assert_true(wasPending && wasComplete);
    thDestroyWorld(world);
}

static void testNoGoal(void** state)
{
    (void)state;
    static const char* const plans[] = {"direct", "visibility", "flow"};
    for (int32_t i = 0; i < 3; ++i) {
        thWorld* world = createPlanWorld(1);
        thProfileDef def = thDefaultProfileDef();
        def.plan.name = plans[i];
        thAgentDef agent = thDefaultAgentDef();
        assert_ok(thCreateProfile(world, &def, &agent.profile, NULL));
        thAgentId walker;
        assert_ok(thCreateAgent(world, &agent, &walker));
        thExplanation* explanation;
        assert_ok(thWorld_Explain(world, walker, DT, &explanation));
        const thExplanationView view = thExplanation_GetView(explanation);
        assert_null(findMark(&view, th_markPath));
        assert_null(findMark(&view, th_markPoint));
        assert_string_equal(findMark(&view, th_markText)->label, "plan: it has no goal");
        thDestroyExplanation(explanation);
        thDestroyWorld(world);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPlanners),
        cmocka_unit_test(testFlow),
        cmocka_unit_test(testNoGoal),
    };
    return RUN_TESTS(tests, argc, argv);
}
