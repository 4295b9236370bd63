// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Fields among crowds: what paths cost, and where they lead.

#include "plan/flow/flow_gear.h"

#include <stdlib.h>

static void openSlow(Field* field, float crowding, int64_t slice, const thPoint* agents,
                     int32_t count, thSlowField* slow)
{
    assert_ok(thiSlowFieldBegin(&field->memory, &field->field.lengths, crowding, slow));
    for (int32_t i = 0; i < count; ++i)
        thiSlowFieldCount(slow, agents[i]);
    while (!slow->done) {
        int64_t work = slice;
        assert_ok(thiSlowFieldMarch(slow, &work));
    }
}

// From every node there is one next to it from where it costs less, down to the goal.
static void checkNoPits(const Field* field, const thSlowField* slow)
{
    const thNodeGrid* nodes = &field->grid.nodes;
    const float near = 3.0f * (float)nodes->side / (float)UNITS;
    for (int32_t node = 0; node < thiNodeCount(nodes); ++node) {
        assert_int_equal(slow->left[node] < INFINITY, thiIsSettled(&field->field.lengths, node));
        if (slow->left[node] == INFINITY || field->field.lengths.left[node] <= near)
            continue;
        const int32_t steps[4] = {1, -1, nodes->columns, -nodes->columns};
        const uint8_t bits[4] = {th_openEast, th_openWest, th_openNorth, th_openSouth};
        float least = INFINITY;
        for (int32_t i = 0; i < 4; ++i)
            if ((nodes->open[node] & bits[i]) != 0)
                least = fminf(least, slow->left[node + steps[i]]);
        assert_true(least < slow->left[node]);
    }
}

// Without a crowd the lengths of the field come out again.
static void testNoCrowd(void** state)
{
    (void)state;
    for (int32_t number = 0; number < 10; ++number) {
        thGenerator g = makeGenerator(8, (uint64_t)number);
        thWorld* world = createPlanWorld(0);
        addRandomWalls(world, &g, 25, 15.0f);
        addWall(world, -20.0f, -20.0f, 20.0f, -20.0f);
        addWall(world, -20.0f, 20.0f, 20.0f, 20.0f);
        Field field;
        openField(&field, world, pointGoal(world, 13.0f, 14.0f), 0.2f, 0.25f, 100000);
        thSlowField slow;
        openSlow(&field, 2.0f, 3333, NULL, 0, &slow);
        double worst = 0.0;
        for (int32_t node = 0; node < thiNodeCount(&field.grid.nodes); ++node)
            if (field.field.lengths.left[node] > 5.0f && field.field.lengths.left[node] < INFINITY)
                worst = fmax(worst, fabs(slow.left[node] - field.field.lengths.left[node]) -
                                        0.03 * field.field.lengths.left[node]);
        assert_true(worst < 0.5);
        checkNoPits(&field, &slow);
        thiSlowFieldFree(&slow);
        closeField(&field);
    }
}

// A queue in front of the nearer of two doors makes the other one the better.
static void testQueue(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addWall(world, -20.0f, 0.0f, -6.0f, 0.0f);
    addWall(world, -5.0f, 0.0f, 5.0f, 0.0f);
    addWall(world, 6.0f, 0.0f, 20.0f, 0.0f);
    addWall(world, -20.0f, -20.0f, 20.0f, -20.0f);
    addWall(world, -20.0f, 20.0f, 20.0f, 20.0f);
    Field field;
    openField(&field, world, pointGoal(world, 0.0f, -10.0f), 0.25f, 0.25f, 100000);
    thPoint agents[400];
    for (int32_t i = 0; i < 400; ++i)
        agents[i] = pointAt(-8.0 + 0.25 * (i % 20), 0.3 + 0.25 * (i / 20));
    thSlowField slows[2];
    for (int32_t i = 0; i < 2; ++i)
        openSlow(&field, 1.0f, i == 0 ? 1 : 1000000, agents, 400, &slows[i]);
    assert_memory_equal(slows[0].left, slows[1].left,
                        (size_t)thiNodeCount(&field.grid.nodes) * sizeof(float));
    const thPoint p = pointAt(-1.0, 8.0);
    assert_true(thiFlowAimAmong(&field.field, NULL, p, false).to.x < p.x);
    assert_true(thiFlowAimAmong(&field.field, &slows[0], p, false).to.x > p.x);
    checkNoPits(&field, &slows[0]);
    thiSlowFieldFree(&slows[0]);
    thiSlowFieldFree(&slows[1]);
    closeField(&field);
}

// Through a crowd that fills a half-plane: refraction, as in optics.
static void testRefraction(void** state)
{
    (void)state;
    for (int32_t halvings = 0; halvings < 3; ++halvings) {
        thWorld* world = createPlanWorld(0);
        addWall(world, -30.0f, -30.0f, 30.0f, -30.0f);
        addWall(world, -30.0f, 30.0f, 30.0f, 30.0f);
        Field field;
        const float cell = ldexpf(0.5f, -halvings);
        openField(&field, world, pointGoal(world, 0.0f, -8.0f), 0.25f, cell, 10000000);
        enum { perMetre = 60 };
        thPoint* agents = malloc(perMetre * 33 * sizeof *agents);
        int32_t count = 0;
        for (int32_t i = 0; i < perMetre * 33; ++i)
            agents[count++] = pointAt(-30.0 + i % perMetre + 0.5, 0.5 + i / perMetre);
        thSlowField slow;
        openSlow(&field, 1.0f, 1000000, agents, count, &slow); // twice as slow above y = 0
        double worst = 0.0;
        for (int32_t i = 0; i < 40; ++i) {
            const double x = -10.0 + 0.5 * i, y = 12.0;
            double best = INFINITY;
            for (double at = -12.0; at < 12.0; at += 0.001)
                best = fmin(best, hypot(at, 8.0) + 2.0 * hypot(x - at, y));
            const thNodeGrid* nodes = &field.grid.nodes;
            const thPoint p = pointAt(x, y);
            const int32_t node = (p.y - nodes->low.y) / nodes->side * nodes->columns +
                                 (p.x - nodes->low.x) / nodes->side;
            const thPoint at = thiNodePlace(nodes, node);
            // From the node to the place itself: lengths grow by at most 2 for each metre.
            const double slack = 2.0 * hypot((double)p.x - at.x, (double)p.y - at.y) / UNITS;
            worst = fmax(worst, fabs(slow.left[node] - best) - slack);
        }
        print_message("cells of %.3f m: refracted lengths are wrong by %.3f m\n", (double)cell,
                      fmax(worst, 0.0));
        assert_true(worst < 1.5); // the crowd begins within a metre
        thiSlowFieldFree(&slow);
        free(agents);
        closeField(&field);
    }
}

// A room with boxes in it, and people in clumps; some of these stand so that two ways round a box
// cost about the same.
static int32_t fillRoom(thWorld* world, thGenerator* g, thPoint* agents, int32_t most)
{
    addObstacle(world, th_obstacleRoom, 0, (thVec2[]){{0, 0}, {16, 0}, {16, 12}, {0, 12}}, 4);
    for (int32_t i = 0; i < 4; ++i) {
        const float x = drawFloat(g, 1.5f, 11.0f), y = drawFloat(g, 1.0f, 8.0f);
        addBox(world, x, y, x + drawFloat(g, 0.3f, 3.0f), y + drawFloat(g, 0.3f, 3.0f));
    }
    int32_t count = 0;
    for (int32_t i = 0; i < 6; ++i) {
        const float x = drawFloat(g, 1.0f, 15.0f), y = drawFloat(g, 1.0f, 11.0f);
        for (int32_t k = drawInt(g, 1, most / 6); k > 0; --k)
            agents[count++] = pointAt(x + drawFloat(g, -1.0f, 1.0f), y + drawFloat(g, -1.0f, 1.0f));
    }
    return count;
}

// Goes as agents go, in steps of so many metres. Returns how far it is to the goal, or −1 if it
// does not get there.
static double walk(const Field* field, const thSlowField* slow, thPoint p, double step)
{
    // Nowhere among so few people does a path cost more than this for each metre.
    for (double gone = 0.0; gone < 200.0; gone += step) {
        const thFlowAim aim = thiFlowAimAmong(&field->field, slow, p, true);
        const double dx = (double)aim.to.x - p.x, dy = (double)aim.to.y - p.y;
        const double share = step * UNITS / hypot(dx, dy);
        if (!aim.found)
            return -1.0;
        if (aim.isGoal && share >= 1.0)
            return gone;
        // Agents stop at places where paths turn sharply; passing them is worse.
        p = share >= 1.0
                ? aim.to
                : (thPoint){p.x + (int32_t)lrint(dx * share), p.y + (int32_t)lrint(dy * share)};
    }
    return -1.0;
}

// Who goes on gets there, wherever it starts and however long its steps are.
static void testNeverBack(void** state)
{
    (void)state;
    int32_t walked = 0;
    double worst = 0.0;
    for (uint64_t seed = 0; seed < 24; ++seed) {
        thGenerator g = makeGenerator(81, seed);
        thWorld* world = createPlanWorld(0);
        thPoint agents[120];
        const int32_t count = fillRoom(world, &g, agents, 120);
        const thVec2 ends[2] = {{0.4f, 4.0f}, {0.4f, 6.0f}};
        Field field;
        openField(&field, world, shapeGoal(world, th_goalSegment, ends, 2, 0.0f), 0.2f, 0.25f,
                  100000);
        thSlowField slow;
        openSlow(&field, drawFloat(&g, 0.2f, 3.0f), 1000000, agents, count, &slow);
        for (int32_t i = 0; i < 300; ++i) {
            const double x = (double)drawFloat(&g, 0.3f, 15.7f),
                         y = (double)drawFloat(&g, 0.3f, 11.7f);
            const thPoint p = pointAt(x, y);
            const double straight = lengthFrom(&field, x, y);
            if (!thiIsClearPlace(field.grid.space, p, 0.0f) || isinf(straight))
                continue;
            const double gone = walk(&field, &slow, p, (double)drawFloat(&g, 0.02f, 0.2f));
            if (gone < 0.0)
                fail_msg("seed %d: from (%g, %g) nobody gets to the goal", (int)seed, x, y);
            walked += 1;
            worst = fmax(worst, gone / (straight + 1.0));
        }
        thiSlowFieldFree(&slow);
        closeField(&field);
    }
    print_message("%d ways, at most %.2f times as long as without a crowd\n", walked, worst);
    assert_true(walked > 3000);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testNoCrowd),
        cmocka_unit_test(testQueue),
        cmocka_unit_test(testRefraction),
        cmocka_unit_test(testNeverBack),
    };
    return RUN_TESTS(tests, argc, argv);
}
