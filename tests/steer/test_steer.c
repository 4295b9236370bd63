// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Steering behaviours against plain formulas, one by one, and the limits of their sum.

#include "gear/gear.h"
#include "steer/steer_oracle.h"

#include <stdlib.h>
#include <string.h>

#define CASES caseCount(10000, 2000000)

typedef struct Checked {
    int32_t sure[th_partCount], acting[th_partCount];
} Checked;

static bool holdsParts(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    Checked* checked = context;
    const SteerCase made = drawSteerCase(g, false);
    const thSteerDef def = drawSteerDef(g);
    const thSteerer steerer = steererOfCase(&made, &def);
    thVec2 parts[th_partCount];
    SteerOracle oracle;
    thiSteerParts(&steerer, parts);
    askSteerOracle(&made, &def, &oracle);
    for (int32_t i = 0; i < th_partCount; ++i) {
        const double off =
            hypot((double)parts[i].x - oracle.parts[i].x, (double)parts[i].y - oracle.parts[i].y);
        checked->sure[i] += !oracle.unsure[i];
        checked->acting[i] += parts[i].x != 0.0f || parts[i].y != 0.0f;
        if (oracle.unsure[i] || off <= 2e-3)
            continue;
        print_message("part %d: (%g, %g) instead of (%g, %g)\n", i, (double)parts[i].x,
                      (double)parts[i].y, oracle.parts[i].x, oracle.parts[i].y);
        return false;
    }
    return true;
}

static void testParts(void** state)
{
    (void)state;
    Checked checked = {0};
    const thProperty property = {"parts", 1, CASES, 1, holdsParts, &checked};
    assertProperty(&property);
    for (int32_t i = 0; i < th_partCount; ++i) { // the oracle has an opinion, and something happens
        assert_true(checked.sure[i] > CASES * 9 / 10);
        assert_true(checked.acting[i] > CASES / 10);
    }
}

// Whatever is drawn, also where everything coincides: within limits of speed and acceleration.
static bool holdsLimits(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const SteerCase made = drawSteerCase(g, drawU32(g) % 4 != 0);
    const thSteerDef def = drawSteerDef(g);
    const thSteerer steerer = steererOfCase(&made, &def);
    thSteerStatus status;
    const thVec2 next = thiSteer(&steerer, &status);
    const float most = made.maxAccel > 0.0f ? fminf(made.maxAccel, def.maxForce) : def.maxForce;
    const double speed = hypot((double)next.x, (double)next.y);
    const double own = hypot((double)made.velocity.x, (double)made.velocity.y);
    const double change =
        hypot((double)(next.x - made.velocity.x), (double)(next.y - made.velocity.y));
    if (!isfinite(next.x) || !isfinite(next.y) || speed > (double)made.maxSpeed * (1.0 + 1e-6))
        return false;
    // Who is faster than it may be is slowed down at once.
    return own > (double)made.maxSpeed ||
           change <= (double)most * (double)made.dt * (1.0 + 1e-5) + 1e-6;
}

static void testLimits(void** state)
{
    (void)state;
    const thProperty property = {"limits", 2, 10 * CASES, 1, holdsLimits, NULL};
    assertProperty(&property);
}

// Parameters in which nothing acts.
static thSteerDef idle(void)
{
    thSteerDef def = thDefaultSteerDef();
    def.seek = def.separation = def.dodge = def.walls = 0.0f;
    return def;
}

static thVec2 partOf(const SteerCase* made, const thSteerDef* def, thSteerPart part)
{
    thVec2 parts[th_partCount];
    const thSteerer steerer = steererOfCase(made, def);
    thiSteerParts(&steerer, parts);
    for (int32_t i = 0; i < th_partCount; ++i)
        if (i != (int32_t)part)
            assert_true(parts[i].x == 0.0f && parts[i].y == 0.0f);
    return parts[part];
}

static void testSeekAlone(void** state)
{
    (void)state;
    SteerCase made = plainSteerCase();
    made.wanted = (thVec2){1.0f, 0.5f};
    thSteerDef def = idle();
    def.seek = 3.0f;
    const thVec2 force = partOf(&made, &def, th_partSeek);
    assert_true(force.x == 0.0f && force.y == 1.5f);
    def.seek = 100.0f; // reaches it in a step and goes no further
    def.maxForce = 1000.0f;
    thSteerStatus status;
    const thSteerer steerer = steererOfCase(&made, &def);
    assert_near(thiSteer(&steerer, &status).y, 0.5f, 1e-6f);
    assert_int_equal(status, th_steerFree);
}

static void testArrive(void** state)
{
    (void)state;
    const thVec2 far = thiArrive((thVec2){0.0f, 10.0f}, 1.5f, 2.0f, 0.1f);
    const thVec2 near = thiArrive((thVec2){1.0f, 0.0f}, 1.5f, 2.0f, 0.1f);
    const thVec2 there = thiArrive((thVec2){0.0f, 0.0f}, 1.5f, 2.0f, 0.1f);
    const thVec2 hard = thiArrive((thVec2){0.05f, 0.0f}, 1.5f, 0.0f, 0.1f);
    assert_true(far.x == 0.0f && far.y == 1.5f);
    assert_near(near.x, 0.75f, 1e-6f);
    assert_true(there.x == 0.0f && there.y == 0.0f);
    assert_near(hard.x, 0.5f, 1e-6f); // is there at the end of the step
}

static void addNeighbor(SteerCase* made, thVec2 position, thVec2 velocity, uint32_t layers)
{
    made->neighbors[made->neighborCount] = (SteerNeighbor){
        position, velocity, 0.25f, 0.5f, layers, 2000 + (uint64_t)made->neighborCount};
    made->neighborCount += 1;
}

static void testSeparationAlone(void** state)
{
    (void)state;
    SteerCase made = plainSteerCase();
    thSteerDef def = idle();
    def.separation = 4.0f;
    addNeighbor(&made, (thVec2){0.0f, 0.5f}, (thVec2){0.0f, 0.0f}, 1); // touches
    thVec2 force = partOf(&made, &def, th_partSeparation);
    assert_near(force.x, 0.0f, 1e-6f);
    assert_near(force.y, -4.0f, 1e-5f);
    made.neighbors[0].position.y = 0.75f; // half of the range
    assert_near(partOf(&made, &def, th_partSeparation).y, -2.0f, 1e-5f);
    made.neighbors[0].share = 1.0f; // the other gives no way
    assert_near(partOf(&made, &def, th_partSeparation).y, -4.0f, 1e-5f);
    made.neighbors[0].share = 0.0f;
    assert_true(partOf(&made, &def, th_partSeparation).y == 0.0f);
    // On one point: the lower key goes west, the other one east.
    made.neighbors[0].position = (thVec2){0.0f, 0.0f};
    made.neighbors[0].share = 0.5f;
    force = partOf(&made, &def, th_partSeparation);
    assert_true(force.x < -4.0f && force.y == 0.0f);
    made.key = 3000;
    assert_true(partOf(&made, &def, th_partSeparation).x == -force.x);
    def.separationRange = 0.0f;
    def.avoidance = 0;
    assert_true(partOf(&made, &def, th_partSeparation).x == 0.0f);
}

static void testDodgeAlone(void** state)
{
    (void)state;
    SteerCase made = plainSteerCase();
    thSteerDef def = idle();
    def.dodge = 4.0f;
    addNeighbor(&made, (thVec2){2.5f, 0.0f}, (thVec2){-1.0f, 0.0f}, 1); // meet after 1 s
    thVec2 force = partOf(&made, &def, th_partDodge);
    assert_near(force.x, 0.0f, 1e-6f);
    assert_near(force.y, -2.0f, 1e-5f); // to the right
    made.neighbors[0].position.y = -0.3f;
    assert_true(partOf(&made, &def, th_partDodge).y > 1.0f); // it passes on the right: to the left
    made.neighbors[0].velocity.x = 1.0f;                     // as fast as the agent
    assert_true(partOf(&made, &def, th_partDodge).y == 0.0f);
    made.neighbors[0].velocity.x = -1.0f;
    made.neighbors[0].position.x = 6.0f; // too far ahead
    assert_true(partOf(&made, &def, th_partDodge).y == 0.0f);
    made.neighbors[0].position.x = -2.5f; // behind
    made.neighbors[0].velocity.x = 0.0f;
    assert_true(partOf(&made, &def, th_partDodge).y == 0.0f);
}

static void testWallsAlone(void** state)
{
    (void)state;
    SteerCase made = plainSteerCase();
    thSteerDef def = idle();
    def.walls = 4.0f;
    def.wallAhead = 1.0f;
    made.wallCount = 1;
    made.walls[0][0] = (thVec2){0.75f, -3.0f};
    made.walls[0][1] = (thVec2){0.75f, 3.0f};
    const thVec2 force = partOf(&made, &def, th_partWalls); // after 0.5 s
    assert_near(force.x, -2.0f, 2e-3f);
    assert_near(force.y, 0.0f, 1e-5f);
    made.velocity = (thVec2){0.0f, 1.0f}; // along it
    assert_true(partOf(&made, &def, th_partWalls).x == 0.0f);
    made.velocity = (thVec2){-1.0f, 0.0f}; // in it, but on the way out
    made.walls[0][0].x = made.walls[0][1].x = 0.125f;
    assert_true(partOf(&made, &def, th_partWalls).x == 0.0f);
    made.velocity = (thVec2){0.0f, 0.0f};
    assert_true(partOf(&made, &def, th_partWalls).x == 0.0f);
}

static void testFlockAlone(void** state)
{
    (void)state;
    SteerCase made = plainSteerCase();
    thSteerDef def = idle();
    def.alignment = 2.0f;
    assert_true(partOf(&made, &def, th_partAlignment).x == 0.0f); // nobody there: nothing to do
    addNeighbor(&made, (thVec2){1.0f, 1.0f}, (thVec2){1.0f, 1.0f}, 1);
    addNeighbor(&made, (thVec2){2.0f, -1.0f}, (thVec2){1.0f, 0.0f}, 3);
    addNeighbor(&made, (thVec2){1.0f, 2.0f}, (thVec2){-9.0f, 0.0f}, 2); // of another kind
    addNeighbor(&made, (thVec2){3.5f, 0.0f}, (thVec2){-9.0f, 0.0f}, 1); // too far away
    const thVec2 aligned = partOf(&made, &def, th_partAlignment);
    assert_near(aligned.x, 0.0f, 1e-6f);
    assert_near(aligned.y, 1.0f, 1e-6f);
    def.alignment = 0.0f;
    def.cohesion = 3.0f;
    const thVec2 drawn = partOf(&made, &def, th_partCohesion);
    assert_near(drawn.x, 1.5f, 1e-6f);
    assert_near(drawn.y, 0.0f, 1e-6f);
}

static void testWanderAlone(void** state)
{
    (void)state;
    SteerCase made = plainSteerCase();
    thSteerDef def = idle();
    def.wander = 2.0f;
    double sum = 0.0, last = 0.0, jump = 0.0, most = 0.0;
    for (made.step = 0; made.step < 20000; ++made.step) {
        const thVec2 force = partOf(&made, &def, th_partWander);
        assert_near(force.x, 0.0f, 1e-6f); // to the sides only
        jump = made.step > 0 ? fmax(jump, fabs((double)force.y - last)) : 0.0;
        last = (double)force.y;
        sum += last;
        most = fmax(most, fabs(last));
    }
    assert_true(fabs(sum / 20000.0) < 0.1); // no side is preferred
    assert_true(most > 1.9 && most <= 2.0);
    assert_true(jump < 4.0 * 1.5 / 10.0 + 1e-3); // smooth: ten steps from one turn to the next
    made.key = 5;
    made.step = 19999;
    assert_true(partOf(&made, &def, th_partWander).y != (float)last); // others turn otherwise
}

static void testChaseAlone(void** state)
{
    (void)state;
    SteerCase made = plainSteerCase();
    made.velocity = (thVec2){0.0f, 0.0f};
    thSteerDef def = idle();
    addNeighbor(&made, (thVec2){1.0f, 0.0f}, (thVec2){0.0f, 2.0f}, 1u << 1);
    addNeighbor(&made, (thVec2){0.0f, 2.0f}, (thVec2){1.0f, -2.0f}, 1u << 2);
    def.pursue = 1.0f; // there in half a second, when the other is at (1, 1)
    const thVec2 after = partOf(&made, &def, th_partPursue);
    assert_near(after.x, sqrtf(2.0f), 1e-5f);
    assert_near(after.y, sqrtf(2.0f), 1e-5f);
    def.pursue = 0.0f;
    def.flee = 1.0f;
    const thVec2 away = partOf(&made, &def, th_partFlee);
    assert_near(away.x, 0.0f, 1e-5f);
    assert_near(away.y, -2.0f, 1e-5f);
    def.flee = 0.0f;
    def.evade = 1.0f; // in a second it is at (1, 0)
    const thVec2 aside = partOf(&made, &def, th_partEvade);
    assert_near(aside.x, -2.0f, 1e-5f);
    assert_near(aside.y, 0.0f, 1e-5f);
    def.fearRange = 1.5f;
    assert_true(partOf(&made, &def, th_partEvade).x == 0.0f);
}

static void testFollowAlone(void** state)
{
    (void)state;
    SteerCase made = plainSteerCase();
    made.velocity = (thVec2){0.0f, 0.0f};
    thSteerDef def = idle();
    def.follow = 1.0f;
    def.lookAhead = 1.0f;
    made.nodeCount = 2;
    made.nodes[0] = (thVec2){-5.0f, 0.5f};
    made.nodes[1] = (thVec2){5.0f, 0.5f};
    thVec2 force = partOf(&made, &def, th_partFollow); // beside it: along it
    assert_near(force.x, 1.3f, 1e-5f);
    assert_near(force.y, 0.0f, 1e-5f);
    def.pathRadius = 0.25f; // too far away: back to it
    force = partOf(&made, &def, th_partFollow);
    assert_near(force.x / force.y, 1.3f / 0.5f, 1e-4f);
    def.pathRadius = 1.0f;
    made.nodes[1].x = -0.25f; // past its end: to the end, and slower
    made.nodes[0].y = made.nodes[1].y = 0.0f;
    force = partOf(&made, &def, th_partFollow);
    assert_near(force.x, -0.65f, 1e-5f);
    made.nodeCount = 1; // a point is no path
    assert_true(partOf(&made, &def, th_partFollow).x == 0.0f);
}

// Who waits gives way and does nothing else.
static void testStaying(void** state)
{
    (void)state;
    SteerCase made = plainSteerCase();
    thSteerDef def = idle();
    def.wander = def.alignment = def.pursue = def.follow = def.flee = 1.0f;
    def.separation = 1.0f;
    made.flags = th_agentWaiting;
    addNeighbor(&made, (thVec2){0.6f, 0.0f}, (thVec2){0.0f, 0.0f}, 7);
    assert_true(partOf(&made, &def, th_partSeparation).x < 0.0f);
}

static void testCheck(void** state)
{
    (void)state;
    thSteerDef def = thDefaultSteerDef();
    thError error = {0};
    assert_int_equal(thiCheckSteerDef(&def, &error), th_resultOk);
    assert_int_equal(thiCheckSteerDef(&thiWeakSteerDefaults, NULL), th_resultOk);
    for (int32_t i = 0; i < TH_STEER_PARAMS; ++i) { // each of them below and above its range
        const thParam* param = &thiSteerParams[i];
        assert_non_null(param->name);
        for (int32_t side = 0; side < 3 && param->kind != th_paramPath; ++side) {
            const double bound = side == 0 ? param->min : param->max;
            const float number = side == 2 ? NAN : (float)(bound + (side == 0 ? -1.0 : 1.0));
            const int32_t whole = side == 2 ? 1000 : (int32_t)number;
            def = thDefaultSteerDef();
            memcpy((char*)&def + param->offset,
                   param->kind == th_paramFloat ? (const void*)&number : (const void*)&whole, 4);
            assert_int_equal(thiCheckSteerDef(&def, &error), th_resultBadArgument);
            assert_non_null(strstr(error.text, param->name));
        }
    }
    def = thDefaultSteerDef();
    def.size -= 4;
    assert_int_equal(thiCheckSteerDef(&def, NULL), th_resultBadArgument);
    def = thDefaultSteerDef();
    memset(def.path, 'a', sizeof def.path);
    assert_int_equal(thiCheckSteerDef(&def, NULL), th_resultBadArgument);
    def = thDefaultSteerDef();
    def.follow = 2.0f;
    assert_int_equal(thiCheckSteerDef(&def, &error), th_resultBadArgument);
    assert_non_null(strstr(error.text, "follow is 2, expected a path to go along with it"));
    def.path[0] = 'a';
    assert_int_equal(thiCheckSteerDef(&def, NULL), th_resultOk);
    def = thDefaultSteerDef();
    def.lookAhead = 0.01f;
    assert_int_equal(thiCheckSteerDef(&def, NULL), th_resultOk);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testParts),           cmocka_unit_test(testLimits),
        cmocka_unit_test(testSeekAlone),       cmocka_unit_test(testArrive),
        cmocka_unit_test(testSeparationAlone), cmocka_unit_test(testDodgeAlone),
        cmocka_unit_test(testWallsAlone),      cmocka_unit_test(testFlockAlone),
        cmocka_unit_test(testWanderAlone),     cmocka_unit_test(testChaseAlone),
        cmocka_unit_test(testFollowAlone),     cmocka_unit_test(testStaying),
        cmocka_unit_test(testCheck),
    };
    return RUN_TESTS(tests, argc, argv);
}
