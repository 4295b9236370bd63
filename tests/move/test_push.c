// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Moving obstacles push bodies: none is skipped, and who is squeezed is told.

#include "gear/gear.h"
#include "gear/property.h"
#include "geom/fixed.h"
#include "move/push.h"
#include "move/slide.h"
#include "move/wall_gear.h"
#include "move/wall_oracle.h"

#include <stdlib.h>

#define MAX_MOVERS 4
#define MAX_CORNERS 8

// Columns of movers, and what they do.
typedef struct Fleet {
    int32_t px[MAX_MOVERS], py[MAX_MOVERS], dx[MAX_MOVERS], dy[MAX_MOVERS];
    float turn[MAX_MOVERS], radius[MAX_MOVERS];
    int32_t firstCorner[MAX_MOVERS + 1];
    thVec2 corners[MAX_MOVERS * MAX_CORNERS];
    uint16_t level[MAX_MOVERS];
    int32_t all[MAX_MOVERS];
    thMovers movers;
    thMoverMotion motion;
} Fleet;

static void beginFleet(Fleet* fleet)
{
    *fleet = (Fleet){.all = {0, 1, 2, 3}};
    fleet->movers = (thMovers){.px = fleet->px,
                               .py = fleet->py,
                               .radius = fleet->radius,
                               .firstCorner = fleet->firstCorner,
                               .corners = fleet->corners,
                               .level = fleet->level};
    fleet->motion = (thMoverMotion){&fleet->movers, fleet->dx, fleet->dy, fleet->turn};
}

// Metres and radians; a disc has no corners.
static void addMover(Fleet* fleet, double x, double y, double dx, double dy, double turn,
                     float radius, const thVec2* corners, int32_t count)
{
    const int32_t m = fleet->movers.count++;
    fleet->px[m] = (int32_t)(x * METRE);
    fleet->py[m] = (int32_t)(y * METRE);
    fleet->dx[m] = (int32_t)(dx * METRE);
    fleet->dy[m] = (int32_t)(dy * METRE);
    fleet->turn[m] = (float)turn;
    fleet->radius[m] = radius;
    fleet->firstCorner[m + 1] = fleet->firstCorner[m] + count;
    for (int32_t i = 0; i < count; ++i) {
        fleet->corners[fleet->firstCorner[m] + i] = corners[i];
        fleet->radius[m] = fmaxf(fleet->radius[m], 1.000001f * hypotf(corners[i].x, corners[i].y));
    }
}

static void addDisc(Fleet* fleet, double x, double y, double dx, double dy, float radius)
{
    addMover(fleet, x, y, dx, dy, 0.0, radius, NULL, 0);
}

static void addBar(Fleet* fleet, double x, double y, double dx, double dy, double turn,
                   float halfWidth, float halfHeight)
{
    const thVec2 corners[] = {{-halfWidth, -halfHeight},
                              {halfWidth, -halfHeight},
                              {halfWidth, halfHeight},
                              {-halfWidth, halfHeight}};
    addMover(fleet, x, y, dx, dy, turn, 0.0f, corners, 4);
}

static thPushedBody standing(double x, double y)
{
    return (thPushedBody){.from = at(x, y), .to = at(x, y), .radius = 0.25f};
}

static thPushResult push(const Fleet* fleet, const thPushedBody* body)
{
    return thiPush(&fleet->motion, fleet->all, fleet->movers.count, grid, body);
}

static bool isUnder(const Fleet* fleet, thPoint p, float radius)
{
    return thiIsUnderMover(&fleet->motion, fleet->all, fleet->movers.count, p, radius, 0);
}

static thWallSegment wallBetween(double ax, double ay, double bx, double by)
{
    const thPoint a = at(ax, ay), b = at(bx, by);
    return (thWallSegment){.ax = a.x, .ay = a.y, .bx = b.x, .by = b.y};
}

static void testDiscPushes(void** state)
{
    (void)state;
    Fleet fleet;
    beginFleet(&fleet);
    addDisc(&fleet, -2.0, 0.0, 2.0, 0.0, 0.5f);
    const thPushedBody body = standing(0.0, 0.0);
    const thPushResult pushed = push(&fleet, &body);
    assert_true(pushed.isPushed && !pushed.squeezed && !isUnder(&fleet, pushed.to, 0.25f));
    assert_near((double)pushed.to.x / METRE, 0.75, 1e-3);
    assert_near((double)pushed.to.y / METRE, 0.0, 1e-3);
    // Those beside its way, on another floor or who walk away in time are left alone.
    thPushedBody other = standing(0.0, 0.8);
    assert_false(push(&fleet, &other).isPushed);
    other = standing(0.0, 0.0);
    other.level = 1;
    assert_false(push(&fleet, &other).isPushed);
    other.level = 0;
    other.to = at(2.0, 0.0);
    const thPushResult left = push(&fleet, &other);
    assert_true(!left.isPushed && thiSamePoint(left.to, other.to));
}

// Thin bars at up to 100 m/s for up to 10 s: nobody in their way ends up behind them.
static void testFastBarsDoNotSkip(void** state)
{
    (void)state;
    const double ways[] = {0.1, 1.0, 10.0, 100.0, 1000.0};
    const float radii[] = {0.05f, 0.25f, 2.0f};
    for (int32_t w = 0; w < 5; ++w)
        for (int32_t r = 0; r < 3; ++r)
            for (int32_t k = 0; k < 8; ++k) {
                Fleet fleet;
                beginFleet(&fleet);
                const double start = -(double)radii[r] - 0.02 - 0.05 * k;
                addBar(&fleet, start, 0.0, ways[w], 0.0, 0.0, 0.005f, 6.0f);
                thPushedBody body = standing(0.0, 0.3 * k);
                body.radius = radii[r];
                body.to = at(-0.04 * k, 0.3 * k); // towards it
                const thPushResult pushed = push(&fleet, &body);
                const int32_t barX = fleet.px[0] + fleet.dx[0];
                const int32_t least = barX + (int32_t)((0.004 + (double)radii[r]) * METRE);
                const bool isReached = (double)ways[w] > 0.8;
                assert_false(pushed.squeezed);
                assert_true(pushed.to.x >= (isReached ? least : TH_MIN(least, body.to.x)));
            }
}

// A turnstile takes people along.
static void testTurningBars(void** state)
{
    (void)state;
    for (int32_t k = 1; k <= 16; ++k) {
        Fleet fleet;
        beginFleet(&fleet);
        const double turn = 0.25 * PI * k;
        addBar(&fleet, 0.0, 0.0, 0.0, 0.0, turn, 2.0f, 0.01f);
        const thPushedBody body = standing(1.0, 0.4);
        const thPushResult pushed = push(&fleet, &body);
        assert_true(pushed.isPushed && !pushed.squeezed && !isUnder(&fleet, pushed.to, 0.25f));
        // Ahead of the arm: the same side as at first, until it slips off the end.
        const double x = (double)pushed.to.x, y = (double)pushed.to.y;
        const double side = -x * sin(turn) + y * cos(turn);
        assert_true(side > 0.0 || hypot(x, y) > 2.0 * METRE);
    }
}

// There is a wall along x = 1.
static void beginFleetAtWall(Fleet* fleet)
{
    const thWallSegment wall = wallBetween(1.0, -9.0, 1.0, 9.0);
    buildWalls(&wall, 1);
    beginFleet(fleet);
}

static void testSqueezedAgainstWall(void** state)
{
    (void)state;
    Fleet fleet;
    beginFleetAtWall(&fleet);
    addBar(&fleet, -1.0, 0.0, 1.8, 0.0, 0.0, 0.1f, 3.0f);
    const thPushedBody body = standing(0.0, 0.0);
    const thPushResult pushed = push(&fleet, &body);
    assert_true(pushed.isPushed && pushed.squeezed);
    assert_true(pushed.to.x <= METRE - METRE / 4 + TH_WALL_SLOP);
    // A bar that stops early enough squeezes nobody, and one that passes over does.
    fleet.dx[0] = METRE + METRE / 4;
    assert_false(push(&fleet, &body).squeezed);
    fleet.dx[0] = 5 * METRE;
    const thPushResult passed = push(&fleet, &body);
    assert_true(passed.squeezed && passed.to.x < METRE && !isUnder(&fleet, passed.to, 0.25f));
}

// Who cannot give way is soon left alone, however small it is and however far the mover goes: here
// in the corner of two walls, under a slab of kilometres a step.
static void testWorkIsBounded(void** state)
{
    (void)state;
    const thWallSegment walls[] = {wallBetween(1.0, -9.0, 1.0, 0.5),
                                   wallBetween(1.0, 0.5, -9.0, 0.5)};
    static const float radii[] = {0.0f, 0.001f, 0.02f, 0.25f};
    for (int32_t i = 0; i < 4; ++i)
        for (double way = 4.0; way < 2000.0; way *= 4.0) {
            Fleet fleet;
            buildWalls(walls, 2);
            beginFleet(&fleet);
            addBar(&fleet, -1101.0, -0.1, way, 0.01 * way, 0.0, 1100.0f, 3.0f);
            thPushedBody body = standing(0.2, 0.0);
            body.radius = radii[i];
            const thPushResult pushed = push(&fleet, &body);
            assert_true(pushed.isPushed && pushed.squeezed);
            assert_true(pushed.slides <= 2048);
        }
}

// A slanted front pushes somebody along the wall and aside.
static void testPushedAlongWall(void** state)
{
    (void)state;
    Fleet fleet;
    beginFleetAtWall(&fleet);
    const thVec2 wedge[] = {{-3.0f, -2.0f}, {0.0f, -2.0f}, {-1.5f, 2.0f}};
    addMover(&fleet, -0.5, 0.0, 2.4, 0.0, 0.0, 0.0f, wedge, 3);
    const thPushedBody body = standing(0.7, 0.0);
    const thPushResult pushed = push(&fleet, &body);
    assert_true(pushed.isPushed && !pushed.squeezed);
    assert_true(pushed.to.y > METRE / 2 && !isUnder(&fleet, pushed.to, 0.25f));
}

// Between two movers: aside if they leave room for it, squeezed if not.
static void testTwoMovers(void** state)
{
    (void)state;
    Fleet fleet;
    beginFleet(&fleet);
    addDisc(&fleet, -2.0, 0.3, 1.4, 0.0, 0.5f);
    addDisc(&fleet, 2.0, 0.3, -1.4, 0.0, 0.5f);
    const thPushedBody body = standing(0.0, 0.0);
    thPushResult pushed = push(&fleet, &body);
    assert_true(pushed.isPushed && !pushed.squeezed && pushed.to.y < 0);
    beginFleet(&fleet);
    addBar(&fleet, -2.0, 0.0, 1.8, 0.0, 0.0, 0.1f, 3.0f);
    addBar(&fleet, 2.0, 0.0, -1.8, 0.0, 0.0, 0.1f, 3.0f);
    pushed = push(&fleet, &body);
    assert_true(pushed.isPushed && pushed.squeezed);
}

static void testCreatedUnderMover(void** state)
{
    (void)state;
    Fleet fleet;
    beginFleet(&fleet);
    addDisc(&fleet, 0.0, 0.0, 0.0, 0.0, 0.5f);
    addBar(&fleet, 10.0, 0.0, 0.0, 0.0, 0.0, 2.0f, 0.5f);
    thPushedBody body = standing(0.0, 0.0); // even in the very middle
    thPushResult pushed = push(&fleet, &body);
    assert_true(pushed.isPushed && !pushed.squeezed && !isUnder(&fleet, pushed.to, 0.25f));
    body = standing(10.5, 0.1);
    pushed = push(&fleet, &body);
    assert_true(pushed.isPushed && !pushed.squeezed);
    assert_near((double)pushed.to.x / METRE, 10.5, 1e-3);
    assert_near((double)pushed.to.y / METRE, 0.75, 1e-3);
}

static void testYieldingShare(void** state)
{
    (void)state;
    Fleet fleet;
    beginFleetAtWall(&fleet);
    addBar(&fleet, -1.0, 0.0, 1.8, 0.0, 0.0, 0.1f, 3.0f);
    const thPushedBody bodies[] = {standing(0.0, 0.0), standing(0.5, 1.0), standing(0.0, 8.0)};
    assert_true(thiYieldingShare(&fleet.motion, 0, grid, bodies, 0) == 1.0f);
    assert_true(thiYieldingShare(&fleet.motion, 0, grid, &bodies[2], 1) == 1.0f);
    // There is room for 1.4 m, and 0.9 m is the largest of the shares.
    const float share = thiYieldingShare(&fleet.motion, 0, grid, bodies, 3);
    assert_true(share == 0.5f);
    fleet.dx[0] = 64 * METRE;
    assert_true(thiYieldingShare(&fleet.motion, 0, grid, bodies, 3) == 0.0f);
    // A door that opens leaves who is caught in it.
    fleet.px[0] = METRE / 2;
    fleet.dx[0] = -METRE;
    const thPushedBody caught = standing(0.75, 0.0);
    assert_true(thiYieldingShare(&fleet.motion, 0, grid, &caught, 1) == 1.0f);
    fleet.dx[0] = METRE / 4;
    assert_true(thiYieldingShare(&fleet.motion, 0, grid, &caught, 1) < 0.5f);
}

static void testFindPushers(void** state)
{
    (void)state;
    Fleet fleet;
    beginFleet(&fleet);
    addDisc(&fleet, -5.0, 0.0, 10.0, 0.0, 1.0f);
    addDisc(&fleet, 0.0, 20.0, 0.0, -8.0, 1.0f);
    addDisc(&fleet, 0.0, 3.0, 0.0, 0.0, 1.0f);
    int32_t list[MAX_MOVERS];
    assert_int_equal(thiFindPushers(&fleet.motion, at(-1.0, 0.5), at(1.0, 2.5), list), 2);
    assert_true(list[0] == 0 && list[1] == 2);
    assert_int_equal(thiFindPushers(&fleet.motion, at(50.0, 50.0), at(60.0, 60.0), list), 0);
}

static void drawMover(Fleet* fleet, thGenerator* g)
{
    const double x = (double)drawFloat(g, -3.0f, 3.0f), y = (double)drawFloat(g, -3.0f, 3.0f);
    const float reach = drawInt(g, 0, 3) == 0 ? 40.0f : 2.0f;
    const double dx = (double)drawFloat(g, -reach, reach), dy = (double)drawFloat(g, -reach, reach);
    if (drawInt(g, 0, 1) == 0) {
        addDisc(fleet, x, y, dx, dy, drawFloat(g, 0.1f, 1.0f));
        return;
    }
    thVec2 corners[MAX_CORNERS];
    const int32_t count = drawInt(g, 3, MAX_CORNERS);
    const float width = drawFloat(g, 0.2f, 2.0f), height = drawFloat(g, 0.01f, 1.0f);
    for (int32_t i = 0; i < count; ++i)
        corners[i] = (thVec2){width * (float)cos(2.0 * PI * i / count),
                              height * (float)sin(2.0 * PI * i / count)};
    addMover(fleet, x, y, dx, dy, (double)drawFloat(g, -6.0f, 6.0f), 0.0f, corners, count);
}

static thPushedBody drawBody(thGenerator* g)
{
    thPushedBody body = {.radius = drawFloat(g, 0.05f, 0.5f)};
    body.from = at((double)drawFloat(g, -3.0f, 3.0f), (double)drawFloat(g, -3.0f, 3.0f));
    body.to = (thPoint){body.from.x + drawInt(g, -METRE, METRE) / drawInt(g, 1, 9),
                        body.from.y + drawInt(g, -METRE, METRE) / drawInt(g, 1, 9)};
    return body;
}

// In the open a mover squeezes nobody: all end up outside. Among walls, those who do not are
// reported, and nobody is pushed into a wall.
static bool pushesOut(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Fleet fleet;
    beginFleet(&fleet);
    const bool inTheOpen = drawInt(g, 0, 1) == 0;
    for (int32_t i = inTheOpen ? 1 : drawInt(g, 1, MAX_MOVERS); i > 0; --i)
        drawMover(&fleet, g);
    thWallSegment walls[32];
    const int32_t wallCount = inTheOpen ? 0 : size;
    for (int32_t i = 0; i < wallCount; ++i) {
        const thPoint a = {drawInt(g, -4 * METRE, 4 * METRE), drawInt(g, -4 * METRE, 4 * METRE)};
        walls[i] = (thWallSegment){.ax = a.x,
                                   .ay = a.y,
                                   .bx = a.x + drawInt(g, -METRE, METRE),
                                   .by = a.y + drawInt(g, -METRE, METRE)};
    }
    buildWalls(walls, wallCount);
    for (int32_t i = 0; i < 10; ++i) {
        const thPushedBody body = drawBody(g);
        const thPushResult pushed = push(&fleet, &body);
        if (!pushed.isPushed) {
            // Nothing came near on the straight way; at the end nothing is there.
            if (wallCount == 0 && isUnder(&fleet, body.to, body.radius))
                return false;
            continue;
        }
        if (inTheOpen && pushed.squeezed)
            return false;
        if (!pushed.squeezed && isUnder(&fleet, pushed.to, body.radius))
            return false;
        long double before[32], after[32];
        const thWalls* built = thiWallGridWalls(grid);
        oracleMeasure(built, body.from, before);
        oracleMeasure(built, pushed.to, after);
        const long double least = (long double)body.radius * METRE - TH_WALL_SLOP;
        for (int32_t k = 0; k < built->count; ++k)
            if (after[k] < least && after[k] < before[k] - 0x1p-10L)
                return false;
    }
    return true;
}

static void testPushesOut(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "push_out",
                                 .seed = 0x9054,
                                 .caseCount = getenv("THRONG_LONG") != NULL ? 20000 : 400,
                                 .maxSize = 32,
                                 .holds = pushesOut});
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(testDiscPushes, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testFastBarsDoNotSkip, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testTurningBars, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testSqueezedAgainstWall, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testWorkIsBounded, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testPushedAlongWall, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testTwoMovers, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testCreatedUnderMover, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testYieldingShare, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testFindPushers, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testPushesOut, setUp, tearDown),
    };
    return RUN_TESTS(tests, argc, argv);
}
