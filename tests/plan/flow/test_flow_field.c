// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Fields against exact lengths: formulas where there are some, otherwise a graph of all corners.

#include "plan/flow/flow_gear.h"

#include <stdlib.h>

// The path from every node leads to the goal over clear legs, and is as long as it is said to be.
// What is narrower than a square of nodes may be in the first leg, for agents look for themselves.
static void checkWays(const Field* field)
{
    const thFlowField* flow = &field->field;
    const thNodeGrid* nodes = &field->grid.nodes;
    int32_t settled = 0;
    for (int32_t node = 0; node < thiNodeCount(nodes); ++node) {
        if (!thiIsSettled(&flow->lengths, node)) {
            assert_int_equal(flow->lengths.anchor[node], -1);
            assert_true(flow->lengths.left[node] == INFINITY);
            continue;
        }
        settled += 1;
        thPoint at = thiNodePlace(nodes, node);
        const thAnchor* anchors = TH_ITEMS(flow->lengths.anchors, thAnchor);
        int32_t next = flow->lengths.anchor[node], last = next;
        double length = 0.0;
        for (thPoint from = at; thiFlowNext(flow, &next, &at); from = at) {
            assert_true((length == 0.0 && !flow->isFine) ||
                        thiIsClearLeg(field->grid.space, from, at, TH_ROUTE_SLACK));
            length += hypot((double)at.x - from.x, (double)at.y - from.y);
            last = next >= 0 ? next : last;
            assert_true(length < 1e9);
        }
        length += anchors[last].left;
        assert_near(length / UNITS, flow->lengths.left[node], 1e-3);
    }
    assert_int_equal(settled, flow->lengths.settled);
}

// Without walls, and with one that is not in the way.
static void testPlane(void** state)
{
    (void)state;
    for (int32_t walls = 0; walls < 2; ++walls) {
        thWorld* world = createPlanWorld(0);
        if (walls == 1) {
            addWall(world, -20.0f, -20.0f, 20.0f, -20.0f);
            addWall(world, -20.0f, 20.0f, 20.0f, 20.0f);
        }
        Field field;
        openField(&field, world, pointGoal(world, 3.1f, -2.3f), 0.25f, 0.5f, 100000);
        thGenerator g = makeGenerator(1, 0);
        for (int32_t i = 0; i < 1000; ++i) {
            const double x = drawFloat(&g, -19.0f, 19.0f), y = drawFloat(&g, -19.0f, 19.0f);
            assert_near(lengthFrom(&field, x, y), hypot(x - 3.1, y + 2.3), 1e-4);
        }
        // Outside of the grid, too.
        assert_near(lengthFrom(&field, 300.0, 0.5), hypot(296.9, 2.8), 1e-3);
        checkWays(&field);
        closeField(&field);
    }
}

// Round the end of a wall: for points along it, for discs along an arc.
static double roundTheEnd(double x, double y, double goalX, double goalY, double radius)
{
    // The end is at the origin, the wall below it.
    const double from = hypot(x, y), to = hypot(goalX, goalY);
    const double angle = atan2(goalX, goalY) - atan2(x, y); // between the two, over the end
    const double arc = angle - acos(radius / from) - acos(radius / to);
    if (arc <= 0.0)
        return hypot(goalX - x, goalY - y);
    return sqrt(from * from - radius * radius) + sqrt(to * to - radius * radius) + radius * arc;
}

// Errors at the end of a wall and how they shrink with the cells. There is a corner of the grid's
// own only for discs: their paths are tangents where the exact ones are arcs.
static void testConvergence(void** state)
{
    (void)state;
    for (int32_t halvings = 0; halvings < 5; ++halvings) {
        thWorld* world = createPlanWorld(0);
        addWall(world, 0.0f, 0.0f, 0.0f, -40.0f);
        addWall(world, -40.0f, -40.0f, 40.0f, -40.0f);
        addWall(world, -40.0f, 40.0f, 40.0f, 40.0f);
        Field field;
        const float cell = ldexpf(1.0f, -halvings);
        openField(&field, world, pointGoal(world, 10.3f, -15.7f), 1.0f, cell, INT32_MAX);
        double worst = 0.0;
        thGenerator g = makeGenerator(2, 0);
        for (int32_t i = 0; i < 2000; ++i) {
            const double x = drawFloat(&g, -20.0f, -2.0f), y = drawFloat(&g, -30.0f, 20.0f);
            const double exact = roundTheEnd(x, y, 10.3, -15.7, 1.0 + TH_ROUTE_SLACK);
            worst = fmax(worst, fabs(lengthFrom(&field, x, y) - exact));
        }
        print_message("cells of %.4f m: error at most %.5f m\n", (double)cell, worst);
        assert_true(worst < 0.03);
        closeField(&field);
    }
}

static void testSlit(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addWall(world, -10.0f, 0.0f, -0.4f, 0.0f);
    addWall(world, 0.4f, 0.0f, 10.0f, 0.0f);
    addWall(world, -10.0f, -10.0f, 10.0f, -10.0f);
    addWall(world, -10.0f, -10.0f, -10.0f, 0.0f);
    addWall(world, 10.0f, -10.0f, 10.0f, 0.0f);
    Field field;
    // The disc has 0.3 m in which to go.
    openField(&field, world, pointGoal(world, 5.0f, 6.0f), 0.25f, 0.25f, 1000);
    assert_near(lengthFrom(&field, -5.0, -6.0), hypot(10.0, 12.0), 0.01);
    const double round = hypot(9.0 - 0.15, 1.0) + hypot(5.0 - 0.15, 6.0);
    assert_near(lengthFrom(&field, -9.0, -1.0), round, 0.3);
    checkWays(&field);
    closeField(&field);
}

// The oracle: four places round every corner, set off by a little more than the slack, and all
// clear paths between them.
enum { mostPlaces = 401 };

typedef struct Oracle {
    int32_t count;
    thPoint places[mostPlaces]; // the goal is the first
    double left[mostPlaces];
} Oracle;

static void addCorner(Oracle* oracle, double x, double y)
{
    const double off = 2.0 * TH_ROUTE_SLACK;
    for (int32_t i = 0; i < 4; ++i)
        oracle->places[oracle->count++] =
            pointAt(x + (i % 2 == 0 ? off : -off), y + (i / 2 == 0 ? off : -off));
    assert_true(oracle->count <= mostPlaces);
}

static double between(thPoint a, thPoint b)
{
    return hypot((double)a.x - b.x, (double)a.y - b.y);
}

static void solveOracle(Oracle* oracle, const thRouteSpace* space)
{
    bool done[mostPlaces] = {false};
    for (int32_t i = 0; i < oracle->count; ++i)
        oracle->left[i] = i == 0 ? 0.0 : INFINITY;
    for (int32_t round = 0; round < oracle->count; ++round) {
        int32_t least = -1;
        for (int32_t i = 0; i < oracle->count; ++i)
            if (!done[i] && (least < 0 || oracle->left[i] < oracle->left[least]))
                least = i;
        done[least] = true;
        for (int32_t i = 0; i < oracle->count; ++i) {
            const double left =
                oracle->left[least] + between(oracle->places[i], oracle->places[least]);
            if (left < oracle->left[i] && thiIsClearPlace(space, oracle->places[i], 0.0f) &&
                thiIsClearLeg(space, oracle->places[i], oracle->places[least], 0.0f))
                oracle->left[i] = left;
        }
    }
}

static double askOracle(const Oracle* oracle, const thRouteSpace* space, thPoint p)
{
    double best = INFINITY;
    for (int32_t i = 0; i < oracle->count; ++i) {
        const double left = oracle->left[i] + between(oracle->places[i], p);
        if (left < best && thiIsClearLeg(space, p, oracle->places[i], 0.0f))
            best = left;
    }
    return best / UNITS;
}

// Random places in a square: within 1 % and 1 cm. Returns the worst relative error.
static double compare(const Field* field, const Oracle* oracle, thGenerator* g, float low,
                      float high)
{
    double worst = 0.0;
    for (int32_t i = 0; i < 300; ++i) {
        const double x = drawFloat(g, low, high), y = drawFloat(g, low, high);
        const thPoint p = pointAt(x, y);
        if (!thiIsClearPlace(field->grid.space, p, 0.0f))
            continue;
        const double exact = askOracle(oracle, field->grid.space, p);
        const double ours = lengthFrom(field, x, y);
        assert_true((exact == INFINITY) == (ours == INFINITY));
        if (exact == INFINITY)
            continue;
        if (!(ours > exact - 0.05 && ours < exact * 1.01 + 0.01))
            fail_msg("from (%g, %g): %g, not %g", x, y, ours, exact);
        worst = fmax(worst, ours / exact - 1.0);
    }
    return worst;
}

// Twelve turns to the middle.
static void testSpiral(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    thVec2 points[48];
    Oracle oracle = {.count = 1, .places = {pointAt(0.0, 0.0)}};
    for (int32_t i = 0; i < 48; ++i) {
        const float out = 1.0f + 2.0f * (float)(i / 4);
        points[i] = i % 4 == 0   ? (thVec2){-out, -out}
                    : i % 4 == 1 ? (thVec2){out, -out}
                    : i % 4 == 2 ? (thVec2){out, out}
                                 : (thVec2){-out - 2.0f, out};
        addCorner(&oracle, points[i].x, points[i].y);
    }
    addObstacle(world, th_obstacleWall, 0, points, 48);
    Field field;
    openField(&field, world, pointGoal(world, 0.0f, 0.0f), 0.0f, 0.5f, 5000);
    solveOracle(&oracle, field.grid.space);
    thGenerator g = makeGenerator(9, 0);
    const double worst = compare(&field, &oracle, &g, -24.0f, 24.0f);
    print_message("in a spiral: error at most %.3f %%, of %.0f m\n", 100.0 * worst,
                  lengthFrom(&field, 24.5, 24.5));
    assert_true(lengthFrom(&field, 24.5, 24.5) > 500.0);
    checkWays(&field);
    closeField(&field);
}

// Boxes at random, some of which overlap or touch.
static void testBoxes(void** state)
{
    (void)state;
    double worst = 0.0;
    for (int32_t number = 0; number < 20; ++number) {
        thGenerator g = makeGenerator(3, (uint64_t)number);
        thWorld* world = createPlanWorld(0);
        Oracle oracle = {.count = 1, .places = {pointAt(18.3, 21.7)}};
        for (int32_t i = 0; i < 14; ++i) {
            const double x = drawInt(&g, -15, 15), y = drawInt(&g, -15, 15);
            const double w = drawInt(&g, 1, 8), h = drawInt(&g, 1, 8);
            addBox(world, (float)x, (float)y, (float)(x + w), (float)(y + h));
            for (int32_t k = 0; k < 4; ++k)
                addCorner(&oracle, x + (k % 2) * w, y + (k / 2) * h);
        }
        addWall(world, -16.0f, -16.0f, 24.0f, -16.0f);
        addWall(world, -16.0f, 24.0f, 24.0f, 24.0f);
        Field field;
        openField(&field, world, pointGoal(world, 18.3f, 21.7f), 0.0f, 0.5f, 777);
        if (thiIsClearPlace(field.grid.space, oracle.places[0], 0.0f)) {
            solveOracle(&oracle, field.grid.space);
            worst = fmax(worst, compare(&field, &oracle, &g, -15.0f, 22.0f));
            checkWays(&field);
        }
        closeField(&field);
    }
    print_message("among boxes: error at most %.3f %%\n", 100.0 * worst);
}

// Walls of all kinds, and all kinds of goals: paths are clear and lead there.
static void testRandomWalls(void** state)
{
    (void)state;
    for (int32_t number = 0; number < 40; ++number) {
        thGenerator g = makeGenerator(4, (uint64_t)number);
        thWorld* world = createPlanWorld(0);
        addRandomWalls(world, &g, 25, 12.0f);
        const thVec2 points[4] = {{-3.0f, 13.0f}, {4.0f, 14.0f}, {3.0f, 18.0f}, {-3.0f, 17.0f}};
        const thGoalId goal = number % 4 == 0   ? pointGoal(world, 0.0f, 15.0f)
                              : number % 4 == 1 ? shapeGoal(world, th_goalSegment, points, 2, 0.0f)
                              : number % 4 == 2 ? shapeGoal(world, th_goalPolygon, points, 4, 0.0f)
                                                : shapeGoal(world, th_goalDisc, points, 1, 2.0f);
        Field field;
        openField(&field, world, goal, 0.05f * (float)(number % 7), 0.3f, 500);
        checkWays(&field);
        closeField(&field);
    }
}

// What comes out does not depend on how the work is cut.
static void testSlices(void** state)
{
    (void)state;
    Field fields[2];
    for (int32_t i = 0; i < 2; ++i) {
        thGenerator g = makeGenerator(5, 0);
        thWorld* world = createPlanWorld(0);
        addRandomWalls(world, &g, 60, 25.0f);
        openField(&fields[i], world, pointGoal(world, 26.0f, 26.0f), 0.2f, 0.25f,
                  i == 0 ? 1 : INT32_MAX);
    }
    const int32_t count = thiNodeCount(&fields[0].grid.nodes);
    assert_int_equal(count, thiNodeCount(&fields[1].grid.nodes));
    assert_memory_equal(fields[0].grid.nodes.open, fields[1].grid.nodes.open, (size_t)count);
    assert_memory_equal(fields[0].field.lengths.left, fields[1].field.lengths.left,
                        (size_t)count * 4);
    assert_memory_equal(fields[0].field.lengths.anchor, fields[1].field.lengths.anchor,
                        (size_t)count * 4);
    closeField(&fields[0]);
    closeField(&fields[1]);
}

// The nodes' bits against plain questions.
static void testGrid(void** state)
{
    (void)state;
    for (int32_t number = 0; number < 10; ++number) {
        thGenerator g = makeGenerator(6, (uint64_t)number);
        thWorld* world = createPlanWorld(0);
        addRandomWalls(world, &g, 20, 10.0f);
        Field field;
        openField(&field, world, pointGoal(world, 0.0f, 0.0f), 0.1f * (float)(number % 4), 0.3f,
                  1 + 999 * (number % 2));
        const thNodeGrid* nodes = &field.grid.nodes;
        for (int32_t node = 0; node < thiNodeCount(nodes); ++node) {
            const int32_t column = node % nodes->columns, row = node / nodes->columns;
            const bool border =
                column == 0 || row == 0 || column == nodes->columns - 1 || row == nodes->rows - 1;
            const thPoint p = thiNodePlace(nodes, node);
            const bool open = !border && thiIsClearPlace(field.grid.space, p, 0.0f);
            assert_int_equal(open, nodes->open[node] & th_openNode);
            if (border)
                continue;
            const int32_t others[2] = {node + 1, node + nodes->columns};
            const uint8_t bits[2] = {th_openEast, th_openNorth};
            for (int32_t i = 0; i < 2; ++i) {
                const bool joined =
                    open && (nodes->open[others[i]] & th_openNode) != 0 &&
                    thiIsClearLeg(field.grid.space, p, thiNodePlace(nodes, others[i]), 0.0f);
                assert_int_equal(joined, (nodes->open[node] & bits[i]) != 0);
            }
        }
        closeField(&field);
    }
}

// An exit is reached at its nearest point where the body has room.
static void testExit(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addWall(world, -10.0f, 0.0f, -1.5f, 0.0f);
    addWall(world, 1.5f, 0.0f, 10.0f, 0.0f);
    Field field;
    const thVec2 ends[2] = {{-1.5f, 0.0f}, {1.5f, 0.0f}};
    openField(&field, world, shapeGoal(world, th_goalSegment, ends, 2, 0.0f), 0.25f, 0.25f, 9999);
    for (int32_t i = -12; i <= 12; ++i)
        assert_near(lengthFrom(&field, 0.1 * i, 5.0), 5.0, 1e-4);
    // Round the end of the wall, to the end of the part that has room.
    const double radius = 0.25 + TH_ROUTE_SLACK, far = hypot(2.5, 3.0);
    const double arc = radius * (acos(-1.0) - atan2(3.0, 2.5) - acos(radius / far));
    assert_near(lengthFrom(&field, 4.0, 3.0), sqrt(far * far - radius * radius) + arc, 0.02);
    const thFlowAim aim = thiFlowAimFrom(&field.field, pointAt(0.7, -2.0), false);
    assert_true(aim.found && aim.isGoal);
    assert_near(aim.to.x / UNITS, 0.7, 1e-4);
    checkWays(&field);
    closeField(&field);
}

// Goals that a body cannot come near enough to, or not at all.
static void testBadGoals(void** state)
{
    (void)state;
    for (int32_t i = 0; i < 3; ++i) {
        thWorld* world = createPlanWorld(0);
        addBox(world, -2.0f, -2.0f, 2.0f, 2.0f);
        const thVec2 goals[3] = {{2.1f, 0.0f}, {0.0f, 0.0f}, {5.0f, 5.0f}};
        Field field;
        if (i == 2) // a closed room
            addObstacle(world, th_obstacleWall, 0,
                        (thVec2[]){{3, 3}, {7, 3}, {7, 7}, {3, 7}, {3, 3}}, 5);
        openField(&field, world, pointGoal(world, goals[i].x, goals[i].y), 0.4f, 0.25f, 9999);
        assert_int_equal(field.field.isTight, i == 0);
        assert_int_equal(isinf(lengthFrom(&field, -4.0, 0.0)) != 0, i != 0);
        if (i == 0)
            assert_near(lengthFrom(&field, 6.0, 0.0), 3.9, 0.1);
        checkWays(&field);
        closeField(&field);
    }
}

// How near to a goal the disc can stand, on the goal's side of the walls, by looking everywhere.
static double nearestStand(const Field* field, thPoint goal)
{
    const int32_t reach = THRONG_UNITS_PER_METRE, every = THRONG_UNITS_PER_METRE / 200;
    const thRouteSpace* space = field->grid.space;
    double best = INFINITY;
    for (int32_t y = -reach; y <= reach; y += every)
        for (int32_t x = -reach; x <= reach; x += every) {
            const thPoint p = {goal.x + x, goal.y + y};
            if (hypot(x, y) < best && thiIsClearPlace(space, p, 0.0f) &&
                thiIsClearLeg(space, p, goal, thiRouteRadius(space)))
                best = hypot(x, y);
        }
    return best / UNITS;
}

// How far from a goal the path from a place ends.
static double endOfWay(const Field* field, thPoint p, thPoint goal)
{
    thFlowAim aim = thiFlowAimFrom(&field->field, p, false);
    assert_true(aim.found);
    while (thiFlowNext(&field->field, &aim.next, &aim.to))
        ;
    return hypot((double)aim.to.x - goal.x, (double)aim.to.y - goal.y) / UNITS;
}

// Goals without room at walls, in corners and beside boxes: paths end as near as one can stand.
static void testNearWalls(void** state)
{
    (void)state;
    int32_t checked = 0;
    double worst = 0.0;
    for (uint64_t seed = 0; seed < 60; ++seed) {
        thGenerator g = makeGenerator(61, seed);
        thWorld* world = createPlanWorld(0);
        addObstacle(world, th_obstacleRoom, 0,
                    (thVec2[]){{0, 0}, {20, drawFloat(&g, -5.0f, 2.0f)}, {20, 10}, {0, 10}}, 4);
        addBox(world, 9.0f, 3.0f, 11.0f, 8.0f);
        const bool isCorner = seed % 3 == 0;
        const float x = isCorner ? drawFloat(&g, 0.02f, 0.25f) : drawFloat(&g, 7.0f, 12.0f);
        const float y = seed % 3 == 1 ? drawFloat(&g, 8.02f, 8.25f) : drawFloat(&g, 9.75f, 9.98f);
        const float radius = drawFloat(&g, 0.26f, 0.4f);
        const thPoint goal = pointAt((double)x, (double)y);
        Field field;
        openField(&field, world, pointGoal(world, x, y), radius, drawFloat(&g, 0.1f, 0.3f), 99999);
        const double best = nearestStand(&field, goal);
        if (field.field.isTight) {
            for (int32_t i = 0; i < 20; ++i) {
                const float fromY = drawFloat(&g, 2.5f, 9.5f);
                const thPoint from = pointAt(i % 2 == 0 ? 2.0 : 18.0, (double)fromY);
                worst = fmax(worst, endOfWay(&field, from, goal) - best);
                checked += 1;
            }
        }
        closeField(&field);
    }
    print_message("%d ways end within %.3f m of where one can stand\n", checked, worst);
    assert_true(checked > 500);
    assert_true(worst < 0.02);
}

// Who stands nearer to a wall than it should is led away from it, on its own side.
static void testTightPlaces(void** state)
{
    (void)state;
    thWorld* world = createPlanWorld(0);
    addWall(world, -10.0f, 0.0f, 10.0f, 0.0f);
    Field field;
    openField(&field, world, pointGoal(world, 0.0f, 5.0f), 0.3f, 0.25f, 9999);
    for (int32_t i = -9; i <= 9; ++i) {
        const thFlowAim above = thiFlowAimFrom(&field.field, pointAt(i, 0.1), false);
        const thFlowAim below = thiFlowAimFrom(&field.field, pointAt(i, -0.1), false);
        assert_true(above.found && above.to.y > 0);
        assert_true(below.found && below.to.y < 0);
        assert_true(below.left > above.left);
    }
    closeField(&field);
}

// Who stands exactly at a corner of its path goes on, also where corners are close together.
static void testAtCorners(void** state)
{
    (void)state;
    int32_t checked = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
        thGenerator g = makeGenerator(71, seed);
        thWorld* world = createPlanWorld(0);
        const float turn = drawFloat(&g, -0.5f, 0.5f);
        for (int32_t i = 0; i < 20; ++i) { // rows that end beside each other, as seats do
            const float x = 0.9f * (float)i;
            addWall(world, x, -4.5f, x + 4.5f * turn, 4.5f);
        }
        Field field;
        openField(&field, world, pointGoal(world, 21.0f, 6.0f), 0.22f, 0.25f, INT32_MAX);
        const thEikonal* lengths = &field.field.lengths;
        for (int32_t i = 0; i < lengths->anchors.count; ++i) {
            const thAnchor* anchor = thiAnchorAt(lengths, i);
            if (anchor->next < 0)
                continue;
            const thFlowAim aim = thiFlowAimFrom(&field.field, anchor->a, false);
            assert_true(aim.found && !thiSamePoint(aim.to, anchor->a));
            checked += 1;
        }
        closeField(&field);
    }
    print_message("%d corners\n", checked);
    assert_true(checked > 1000);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPlane),       cmocka_unit_test(testConvergence),
        cmocka_unit_test(testSlit),        cmocka_unit_test(testSpiral),
        cmocka_unit_test(testBoxes),       cmocka_unit_test(testRandomWalls),
        cmocka_unit_test(testSlices),      cmocka_unit_test(testGrid),
        cmocka_unit_test(testExit),        cmocka_unit_test(testBadGoals),
        cmocka_unit_test(testTightPlaces), cmocka_unit_test(testNearWalls),
        cmocka_unit_test(testAtCorners),
    };
    return RUN_TESTS(tests, argc, argv);
}
