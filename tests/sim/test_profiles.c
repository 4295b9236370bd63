// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Profiles: what is refused, their methods and shapes, and slots that are used again.

#include "gear/allocators.h"
#include "gear/method_names.h"
#include "sim/sim_gear.h"
#include "sim/step/step.h"
#include "sim/world_internal.h"

#include <stdio.h>
#include <stdlib.h>

static void testDefaults(void** state)
{
    (void)state;
    const thProfileDef def = thDefaultProfileDef();
    assert_int_equal(def.size, sizeof def);
    assert_null(def.name);
    assert_null(def.plan.name);
    assert_null(def.group.name);
    assert_null(def.avoid.name);
    assert_null(def.plan.params);
    assert_int_equal(def.neighborCount, 10);
    assert_true(def.neighborRadius == 5.0f && def.wallRadius == 5.0f);
    assert_int_equal(def.wallCount, 8);
    assert_near(def.fieldOfView, 6.283185307, 1e-6);
    assert_int_equal(def.needsSight, 0);
    assert_true(def.arrivalDistance == 0.3f && def.radius == 0.25f && def.prefSpeed == 1.34f);
    assert_true(def.maxSpeed == -1.0f && def.maxAccel == 0.0f && def.yield == 1.0f);
    assert_int_equal(def.arrival, th_arrivalStop);
}

// The call is refused with a text, and without the hook; without an error, with the hook.
static void refuse(thWorld* world, const thProfileDef* def, thResult expected, const char* mentions)
{
    thProfileId id = {7};
    thError error = {0};
    (void)heard();
    const Bytes before = saveWorld(world);
    assert_int_equal(thCreateProfile(world, def, &id, &error), expected);
    assert_int_equal(id.value, 0);
    assert_int_equal(error.code, expected);
    if (strstr(error.text, mentions) == NULL)
        fail_msg("'%s' does not mention '%s'", error.text, mentions);
    assert_int_equal(heard(), 0);
    assert_int_equal(thCreateProfile(world, def, &id, NULL), expected);
    assert_int_equal(heard(), 1);
    const Bytes after = saveWorld(world);
    assert_true(sameBytes(before, after));
    freeBytes(before);
    freeBytes(after);
}

#define REFUSE(field, wrong, text)                                                                 \
    do {                                                                                           \
        thProfileDef bad = thDefaultProfileDef();                                                  \
        bad.field = (wrong);                                                                       \
        refuse(world, &bad, th_resultBadArgument, text);                                           \
    } while (0)

#define REFUSE_FLOAT(field, above)                                                                 \
    do {                                                                                           \
        REFUSE(field, -0.01f, #field " is -0.01, expected 0 .. ");                                 \
        REFUSE(field, above, #field);                                                              \
        REFUSE(field, NAN, #field);                                                                \
        REFUSE(field, INFINITY, #field);                                                           \
    } while (0)

static void testRanges(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    REFUSE(name, "a name that has thirty-two bytes", "name is 32 bytes long, expected at most 31");
    REFUSE(neighborCount, -1, "neighborCount is -1, expected 0 .. 32");
    REFUSE(neighborCount, 33, "neighborCount is 33, expected 0 .. 32");
    REFUSE(wallCount, -1, "wallCount");
    REFUSE(wallCount, 65, "wallCount is 65, expected 0 .. 64");
    REFUSE(needsSight, 2, "needsSight");
    REFUSE(arrival, (thArrival)3, "arrival is 3, expected 0 .. 2");
    REFUSE_FLOAT(neighborRadius, 200.1f);
    REFUSE_FLOAT(wallRadius, 200.1f);
    REFUSE_FLOAT(fieldOfView, 6.2832f);
    REFUSE_FLOAT(arrivalDistance, 100.1f);
    REFUSE_FLOAT(radius, 100.1f);
    REFUSE_FLOAT(prefSpeed, 100.1f);
    REFUSE_FLOAT(maxSpeed, 100.1f);
    REFUSE_FLOAT(maxAccel, 1000001.0f);
    REFUSE_FLOAT(yield, 1000.1f);

    const thProfileDef good = thDefaultProfileDef();
    thProfileDef def = good;
    thProfileId id;
    def.size += 1;
    assert_refused(world, thCreateProfile(world, &def, &id, NULL));
    assert_refused(world, thCreateProfile(world, NULL, &id, NULL));
    assert_refused(world, thCreateProfile(world, &good, NULL, NULL));
    assert_int_equal(thCreateProfile(NULL, &good, &id, NULL), th_resultBadArgument);
    assert_int_equal(heard(), 1);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

static void testMethods(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    assert_ok(thWorld_AddMethod(world, th_methodPlan, &circleMethod));
    thProfileDef def = thDefaultProfileDef();
    def.plan.name = "circel";
    refuse(world, &def, th_resultUnavailable, "no plan method 'circel'; did you mean 'circle'?");
    def.plan.name = "ellipse";
    refuse(world, &def, th_resultUnavailable,
           withMethodNames("no plan method 'ellipse'; there are: ", th_methodPlan, ", circle"));
    def.plan.name = NULL;
    def.avoid.name = "orka";
    refuse(world, &def, th_resultUnavailable, "no avoid method 'orka'; did you mean 'orca'?");
    def.avoid.name = NULL;
    def.group.name = "";
    refuse(world, &def, th_resultUnavailable,
           withMethodNames("no group method ''; there are: ", th_methodGroup, ""));
    def.group.name = NULL;
    def.plan.name = "circle";
    def.plan.params = &(CircleParams){99.0f, 0.0f};
    refuse(world, &def, th_resultBadArgument, "bad circle");
    def.plan.params = NULL; // the method's own
    thProfileId id;
    assert_ok(thCreateProfile(world, &def, &id, NULL));
    thAgentDef agent = thDefaultAgentDef();
    agent.profile = id;
    thAgentId agentId;
    assert_ok(thCreateAgent(world, &agent, &agentId));
    assert_ok(thWorld_Step(world, 0.5f));
    const thVec2 velocity = thAgent_Get(world, agentId).velocity;
    assert_near(hypotf(velocity.x, velocity.y), 1.0, 1e-6);
    assert_near(velocity.y, sin(0.1), 1e-6);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

static void testLife(void** state)
{
    (void)state;
    listen();
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thWorld* world = full.world;
    assert_refused(world, thDestroyProfile(world, full.walker)); // in use
    assert_refused(world, thDestroyProfile(world, (thProfileId){0}));
    assert_refused(world, thDestroyProfile(world, (thProfileId){full.walker.value + 1}));
    assert_int_equal(thDestroyProfile(NULL, full.walker), th_resultBadArgument);
    const thProfileDef def = thDefaultProfileDef();
    thProfileId id;
    assert_ok(thCreateProfile(world, &def, &id, NULL));
    assert_ok(thDestroyProfile(world, id));
    assert_refused(world, thDestroyProfile(world, id)); // stale
    for (int32_t i = 0; i < 40; ++i)
        if (thAgent_IsValid(world, full.agents[i]))
            assert_ok(thDestroyAgent(world, full.agents[i]));
    assert_ok(thDestroyProfile(world, full.walker));
    assert_ok(thDestroyProfile(world, full.given));
    assert_ok(thDestroyProfile(world, full.circler));
    assert_int_equal(thWorld_GetCounters(world).profiles, 0);
    assert_ok(thWorld_Step(world, 0.1f));
    thDestroyWorld(world);
    thSetHooks(NULL);
}

static void testMost(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    const thProfileDef def = thDefaultProfileDef();
    thProfileId id;
    for (int32_t i = 0; i < 65536; ++i)
        if (thCreateProfile(world, &def, &id, NULL) != th_resultOk)
            fail();
    thError error = {0};
    thProfileId one;
    assert_int_equal(thCreateProfile(world, &def, &one, &error), th_resultFull);
    assert_non_null(strstr(error.text, "65536"));
    thAgentDef agent = thDefaultAgentDef();
    agent.profile = id;
    thAgentId agentId;
    assert_ok(thCreateAgent(world, &agent, &agentId));
    assert_ok(thWorld_Step(world, 0.1f));
    assert_ok(thDestroyAgent(world, agentId));
    assert_ok(thDestroyProfile(world, id));
    assert_ok(thCreateProfile(world, &def, &one, NULL));
    thDestroyWorld(world);
}

// Shapes are copied, told of, and go with their profile.
static void testShapes(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    thVec2 points[] = {{2.0f, 1.0f}, {-2.0f, 1.0f}, {-2.0f, -1.0f}, {0.0f, 0.0f}, {2.0f, -1.0f}};
    thProfileDef def = thDefaultProfileDef();
    def.shape = points;
    def.shapeCount = 2;
    refuse(world, &def, th_resultBadArgument, "the shape has 2 points, expected at least 3");
    def.shapeCount = 5;
    points[1].x = NAN;
    refuse(world, &def, th_resultBadArgument, "point 1 of the shape is (nan, 1)");
    points[1].x = -2.0f;
    def.shape = NULL;
    refuse(world, &def, th_resultBadArgument, "shape is NULL, expected 5 points");
    def.shape = points;
    thProfileId car, person;
    assert_ok(thCreateProfile(world, &def, &car, NULL));
    assert_int_equal(thiMakeFrame(world, 0.1f).shapes[THRONG_SLOT(car)].count, 4);
    def.shape = NULL;
    def.shapeCount = 0;
    assert_ok(thCreateProfile(world, &def, &person, NULL));
    assert_int_equal(thiMakeFrame(world, 0.1f).shapes[THRONG_SLOT(person)].count, 0);
    points[0] = points[1] = (thVec2){0.0f, 0.0f};
    thAgentDef agent = thDefaultAgentDef();
    agent.profile = car;
    thAgentId id;
    assert_ok(thCreateAgent(world, &agent, &id));
    const thBodyShape body = thAgent_GetInfo(world, id).body;
    assert_int_equal(body.count, 4);
    assert_true(body.corners[0].x == -2.0f && body.corners[0].y == -1.0f);
    assert_true(body.corners[2].x == 2.0f && body.corners[2].y == 1.0f);
    assert_ok(thDestroyAgent(world, id));
    assert_ok(thDestroyProfile(world, car));
    assert_null(thiMakeFrame(world, 0.1f).shapes);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDefaults), cmocka_unit_test(testRanges), cmocka_unit_test(testMethods),
        cmocka_unit_test(testLife),     cmocka_unit_test(testMost),   cmocka_unit_test(testShapes),
    };
    return RUN_TESTS(tests, argc, argv);
}
