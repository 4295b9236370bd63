// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Wall crossings and depths, against exact arithmetic and the oracle of convex bodies.

#include "measure/wall_check.h"

#include "geom/convex_oracle.h"
#include "measure/measure_gear.h"

enum { wallCount = 40 };

// Walls at random within 8 m, two floors.
typedef struct Walls {
    int32_t ax[wallCount], ay[wallCount], bx[wallCount], by[wallCount];
    uint16_t level[wallCount];
} Walls;

static thWalls viewOf(const Walls* walls)
{
    return (thWalls){.count = wallCount,
                     .ax = walls->ax,
                     .ay = walls->ay,
                     .bx = walls->bx,
                     .by = walls->by,
                     .level = walls->level};
}

static int32_t drawUnits(thGenerator* g)
{
    // Some on a lattice, so that moves touch walls and end on them.
    return drawInt(g, 0, 1) == 0
               ? drawInt(g, -8, 8) * THRONG_UNITS_PER_METRE
               : drawInt(g, -8 * THRONG_UNITS_PER_METRE, 8 * THRONG_UNITS_PER_METRE);
}

static double turn(double ax, double ay, double bx, double by, double x, double y)
{
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax); // exact: products below 2^43
}

static bool isOn(double ax, double ay, double bx, double by, double x, double y)
{
    return turn(ax, ay, bx, by, x, y) == 0.0 && x >= fmin(ax, bx) && x <= fmax(ax, bx) &&
           y >= fmin(ay, by) && y <= fmax(ay, by);
}

// Distance of a point from a segment, in units.
static double fromPoint(double ax, double ay, double bx, double by, double x, double y)
{
    const double squared = (bx - ax) * (bx - ax) + (by - ay) * (by - ay);
    double share = squared > 0.0 ? ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squared : 0.0;
    share = fmin(fmax(share, 0.0), 1.0);
    return hypot(ax + share * (bx - ax) - x, ay + share * (by - ay) - y);
}

static bool sameAsPlain(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    Walls walls;
    for (int32_t i = 0; i < wallCount; ++i) {
        walls.ax[i] = drawUnits(g);
        walls.ay[i] = drawUnits(g);
        walls.bx[i] = drawUnits(g);
        walls.by[i] = drawUnits(g);
        walls.level[i] = (uint16_t)drawInt(g, 0, 1);
    }
    const int32_t fromX = drawUnits(g), fromY = drawUnits(g);
    const int32_t toX = fromX + drawInt(g, -99999, 99999), toY = fromY + drawInt(g, -99999, 99999);
    const float radius = drawFloat(g, 0.0f, 1.0f);
    int64_t crossings = 0;
    double depth = 0.0;
    for (int32_t i = 0; i < wallCount; ++i) {
        if (walls.level[i] != 1)
            continue;
        const double ax = walls.ax[i], ay = walls.ay[i], bx = walls.bx[i], by = walls.by[i];
        const bool wallParts =
            turn(ax, ay, bx, by, fromX, fromY) * turn(ax, ay, bx, by, toX, toY) < 0.0;
        const bool moveParts =
            turn(fromX, fromY, toX, toY, ax, ay) * turn(fromX, fromY, toX, toY, bx, by) < 0.0;
        const bool touches = isOn(ax, ay, bx, by, fromX, fromY) || isOn(ax, ay, bx, by, toX, toY) ||
                             isOn(fromX, fromY, toX, toY, ax, ay) ||
                             isOn(fromX, fromY, toX, toY, bx, by);
        crossings += (wallParts && moveParts) || touches;
        depth = fmax(depth,
                     (double)radius - fromPoint(ax, ay, bx, by, toX, toY) / THRONG_UNITS_PER_METRE);
    }
    const thWalls view = viewOf(&walls);
    thWallCheck check = {0};
    thiCheckWalls(&check, &view, 1, fromX, fromY, toX, toY, radius);
    return check.crossings == crossings && isNear(check.maxDepth, depth, 1e-9);
}

// Polygons, against the oracle of convex bodies.
static bool sameAsGaps(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    Walls walls = {0};
    const int32_t x = drawUnits(g), y = drawUnits(g);
    const thBodyShape shape = drawBodyShape(g, 2.0f);
    const thConvexBody body = thiTurnShape(&shape, drawFloat(g, -3.0f, 3.0f));
    double depth = 0.0;
    for (int32_t i = 0; i < wallCount; ++i) {
        walls.ax[i] = drawUnits(g);
        walls.ay[i] = drawUnits(g);
        walls.bx[i] = drawInt(g, 0, 9) == 0 ? walls.ax[i] + 1 : drawUnits(g);
        walls.by[i] = drawUnits(g);
        walls.level[i] = (uint16_t)drawInt(g, 0, 15) == 0;
        const thConvexBody wall = {
            .count = 2,
            .corners = {{0.0f, 0.0f},
                        {(float)(walls.bx[i] - walls.ax[i]) / THRONG_UNITS_PER_METRE,
                         (float)(walls.by[i] - walls.ay[i]) / THRONG_UNITS_PER_METRE}}};
        if (walls.level[i] == 1)
            depth = fmax(depth,
                         -bodyGap(&body, &wall, (double)(walls.ax[i] - x) / THRONG_UNITS_PER_METRE,
                                  (double)(walls.ay[i] - y) / THRONG_UNITS_PER_METRE));
    }
    const thWalls view = viewOf(&walls);
    thWallCheck check = {0};
    thiCheckShape(&check, &view, 1, x, y, &body);
    return check.crossings == 0 && isNear(check.maxDepth, depth, 1e-6);
}

static void testShapes(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"shapes in walls", 10, 3000, 1, sameAsGaps, NULL});
}

static void testPlain(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"wall_check", 9, 3000, 1, sameAsPlain, NULL});
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testPlain), cmocka_unit_test(testShapes)};
    return RUN_TESTS(tests, argc, argv);
}
