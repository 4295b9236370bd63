// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Areas without end, as far as a square shows them, against what is left of all their sides.
// Cones go from needles to almost half-planes, with corners inside and far outside.

#include "draw/debug/debug_marks.h"
#include "gear/gear.h"
#include "gear/property.h"

enum { mostPoints = 12, mostCorners = 8 + 2 * mostPoints };

static double between(thGenerator* random, double low, double high)
{
    return low + (high - low) * (double)drawUnit(random);
}

// How far a point is inside of a cone or of what a half-plane forbids, from the mark's definition.
static double depthOf(const thMark* mark, double x, double y)
{
    const thVec2* p = mark->points;
    if (mark->kind == th_markHalfPlane)
        return ((double)p[0].x - x) * (double)p[1].x + ((double)p[0].y - y) * (double)p[1].y;
    double depth = INFINITY;
    for (int32_t i = 0; i + 1 < mark->pointCount; ++i) {
        const bool comes = i == 0, goes = i + 2 == mark->pointCount;
        const double ax = (double)p[comes ? 1 : i].x, ay = (double)p[comes ? 1 : i].y;
        const double dx = comes  ? -(double)p[0].x
                          : goes ? (double)p[i + 1].x
                                 : (double)p[i + 1].x - ax;
        const double dy = comes  ? -(double)p[0].y
                          : goes ? (double)p[i + 1].y
                                 : (double)p[i + 1].y - ay;
        if (hypot(dx, dy) > 0.0)
            depth = fmin(depth, (dx * (y - ay) - dy * (x - ax)) / hypot(dx, dy));
    }
    return depth;
}

static bool isInPolygon(const Corner* corners, int32_t count, double x, double y)
{
    bool isInside = false;
    for (int32_t i = 0; i < count; ++i) {
        const Corner a = corners[i], b = corners[(i + 1) % count];
        if ((a.y > y) != (b.y > y) && x < a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y))
            isInside = !isInside;
    }
    return isInside;
}

// A convex border round an arc about the apex; `half` is half the angle at which it opens.
static int32_t makeCone(thGenerator* random, double half, double size, thVec2* points)
{
    const int32_t corners = 1 + (int32_t)between(random, 0.0, mostPoints - 2 - 1e-3);
    const double axis = between(random, -3.2, 3.2), turn = 1.5707963267948966 - half;
    const double x = between(random, -size, size), y = between(random, -size, size);
    const double radius = corners > 1 ? between(random, 0.0, size) : 0.0;
    points[0] = (thVec2){(float)cos(axis + half), (float)sin(axis + half)};
    for (int32_t i = 0; i < corners; ++i) { // on a circle, from where one leg touches to the other
        const double share = corners > 1 ? 1.0 - 2.0 * i / (corners - 1) : 0.0;
        const double angle = axis + 3.141592653589793 - share * turn;
        points[1 + i] =
            (thVec2){(float)(x + radius * cos(angle)), (float)(y + radius * sin(angle))};
    }
    points[1 + corners] = (thVec2){(float)cos(axis - half), (float)sin(axis - half)};
    return corners + 2;
}

static void checkArea(thGenerator* random, const thMark* mark, const Square* square,
                      int32_t seen[2])
{
    Corner corners[mostCorners];
    const int32_t count = appCutArea(mark, square, corners);
    assert_in_range(count, 0, 4 + mostPoints);
    for (int32_t i = 0; i < count; ++i) {
        assert_true(fabs(corners[i].x - square->x) <= square->reach * (1.0 + 1e-9));
        assert_true(fabs(corners[i].y - square->y) <= square->reach * (1.0 + 1e-9));
    }
    for (int32_t i = 0; i < 100; ++i) {
        const double x = between(random, square->x - square->reach, square->x + square->reach);
        const double y = between(random, square->y - square->reach, square->y + square->reach);
        const double depth = depthOf(mark, x, y);
        if (fabs(depth) < 1e-6 * square->reach)
            continue;
        assert_int_equal(isInPolygon(corners, count, x, y), depth > 0.0);
        seen[depth > 0.0] += 1;
    }
}

static void testAreas(void** state)
{
    (void)state;
    static const double halves[] = {1e-4, 0.1, 0.8, 1.4, 1.5, 1.57, 1.5707};
    static const double sizes[] = {0.0, 0.5, 3.0, 100.0};
    thGenerator random = makeGenerator(17, 0);
    int32_t seen[2] = {0, 0};
    for (int32_t i = 0; i < 7000; ++i) {
        thVec2 points[mostPoints];
        thMark mark = {.kind = th_markCone, .points = points};
        mark.pointCount = makeCone(&random, halves[i % 7], sizes[i / 7 % 4], points);
        const Square square = {between(&random, -1.0, 1.0), between(&random, -1.0, 1.0),
                               between(&random, 0.01, 3.0)};
        checkArea(&random, &mark, &square, seen);
    }
    for (int32_t i = 0; i < 1000; ++i) {
        const double angle = between(&random, -3.2, 3.2), size = sizes[i % 4];
        const thVec2 points[2] = {
            {(float)between(&random, -size, size), (float)between(&random, -size, size)},
            {(float)cos(angle), (float)sin(angle)}};
        const thMark mark = {.kind = th_markHalfPlane, .points = points, .pointCount = 2};
        checkArea(&random, &mark, &(Square){0.3, -0.2, 2.0}, seen);
    }
    assert_true(seen[0] > 100000 && seen[1] > 100000);
}

// The nearest point of a side, by trying many; pieces in the square are on the side.
static void testSides(void** state)
{
    (void)state;
    thGenerator random = makeGenerator(18, 0);
    int32_t cut = 0;
    for (int32_t i = 0; i < 300; ++i) {
        thVec2 points[mostPoints];
        thMark mark = {.kind = th_markCone, .points = points};
        mark.pointCount = makeCone(&random, between(&random, 0.01, 1.57), 2.0, points);
        const Square square = {0.2, -0.1, 1.5};
        const thVec2 v = {(float)between(&random, -2.0, 2.0), (float)between(&random, -2.0, 2.0)};
        for (int32_t k = 0; k < appCountSides(&mark); ++k) {
            const Side whole = appSideOf(&mark, k);
            Side part = whole;
            const bool isThere = appCutSide(&part, &square);
            double nearest = INFINITY;
            for (int32_t j = 0; j <= 4000; ++j) {
                const double along = 0.002 * (j - 2000) * 4.0;
                if (along < whole.low || along > whole.high)
                    continue;
                const Corner at = appPlaceOnSide(&whole, along);
                nearest = fmin(nearest, hypot(at.x - (double)v.x, at.y - (double)v.y));
                const double out = fmax(fabs(at.x - square.x), fabs(at.y - square.y)) - 1.5;
                if (fabs(out) > 1e-6)
                    assert_int_equal(isThere && along >= part.low && along <= part.high, out < 0.0);
            }
            const double distance = appDistanceToSide(&whole, v);
            assert_true(distance <= nearest + 1e-9 &&
                        (isinf(nearest) || distance > nearest - 0.01));
            cut += isThere;
        }
    }
    assert_true(cut > 1000);
}

// Corners that are one, and marks that have no sides.
static void testDegenerate(void** state)
{
    (void)state;
    const thVec2 points[] = {{0.0f, 1.0f}, {0.5f, 0.0f}, {0.5f, 0.0f}, {0.5f, 0.0f}, {0.0f, -1.0f}};
    const thMark cone = {.kind = th_markCone, .points = points, .pointCount = 5};
    const Square square = {0.0, 0.0, 1.0};
    Corner corners[mostCorners];
    assert_int_equal(appCutArea(&cone, &square, corners), 4);
    assert_true(isInPolygon(corners, 4, 0.75, 0.9) && !isInPolygon(corners, 4, 0.25, 0.9));
    Side side = appSideOf(&cone, 1);
    assert_false(appCutSide(&side, &square));
    assert_near(appDistanceToSide(&side, (thVec2){0.5f, 2.0f}), 2.0, 1e-12);
    assert_int_equal(appCountSides(&(thMark){.kind = th_markDisc, .pointCount = 1}), 0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAreas),
        cmocka_unit_test(testSides),
        cmocka_unit_test(testDegenerate),
    };
    return RUN_TESTS(tests, argc, argv);
}
