// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shapes of agents: hulls of points, and what is no shape.

#include "base/core.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "throng/body_shape.h"

static double leftOf(thVec2 a, thVec2 b, thVec2 p)
{
    return ((double)b.x - a.x) * ((double)p.y - a.y) - ((double)b.y - a.y) * ((double)p.x - a.x);
}

static bool isOneOf(thVec2 corner, const thVec2* points, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        if (corner.x == points[i].x && corner.y == points[i].y)
            return true;
    return false;
}

// Corners are points, each turns left, and no point is outside; points are multiples of a unit, so
// that doubles are exact.
static bool isHull(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thVec2 points[40];
    const int32_t count = drawInt(g, 3, TH_MIN(3 + size, 40)), range = drawInt(g, 1, 6);
    const float unit = drawU32(g) % 2 == 0 ? 0.5f : 0x1p-16f;
    for (int32_t i = 0; i < count; ++i)
        points[i] = (thVec2){unit * (float)drawInt(g, -range, range),
                             unit * (float)drawInt(g, -range, range)};
    thBodyShape shape;
    if (thMakeBodyShape(points, count, &shape, NULL) != th_resultOk)
        return shape.count == 0;
    bool good = shape.count >= 3 && shape.count <= THRONG_SHAPE_CORNERS;
    for (int32_t i = 0; i < shape.count; ++i) {
        const thVec2 a = shape.corners[i], b = shape.corners[(i + 1) % shape.count];
        good = good && isOneOf(a, points, count) && leftOf(a, b, (thVec2){0.0f, 0.0f}) > 0.0 &&
               leftOf(a, b, shape.corners[(i + 2) % shape.count]) > 0.0;
        for (int32_t k = 0; k < count; ++k)
            good = good && leftOf(a, b, points[k]) >= 0.0;
    }
    thBodyShape again;
    return good && thMakeBodyShape(shape.corners, shape.count, &again, NULL) == th_resultOk &&
           memcmp(&again, &shape, sizeof shape) == 0;
}

static void testHulls(void** state)
{
    (void)state;
    assertProperty(&(thProperty){
        .name = "hull of points", .seed = 1, .caseCount = 50000, .maxSize = 40, .holds = isHull});
}

// An L, with points that are no corners and one that comes twice.
static void testNotConvex(void** state)
{
    (void)state;
    static const thVec2 points[] = {{-1, -1}, {2, -1}, {2, 0}, {0.5f, 0}, {0.5f, 3},
                                    {-1, 3},  {-1, 1}, {2, 0}, {0, 0}};
    static const thVec2 expected[] = {{-1, -1}, {2, -1}, {2, 0}, {0.5f, 3}, {-1, 3}};
    thBodyShape shape;
    assert_int_equal(thMakeBodyShape(points, 9, &shape, NULL), th_resultOk);
    assert_int_equal(shape.count, 5);
    assert_memory_equal(shape.corners, expected, sizeof expected);
}

static void assertRefused(const thVec2* points, int32_t count, const char* text)
{
    thBodyShape shape;
    thError error = {0};
    assert_int_equal(thMakeBodyShape(points, count, &shape, &error), th_resultBadArgument);
    assert_int_equal(shape.count, 0);
    if (strstr(error.text, text) == NULL)
        fail_msg("'%s' does not say '%s'", error.text, text);
    assert_int_equal(thMakeBodyShape(points, count, &shape, NULL), th_resultBadArgument);
}

static void testRefused(void** state)
{
    (void)state;
    static const thVec2 line[] = {{-1, -1}, {1, 1}, {3, 3}, {0, 0}};
    static const thVec2 beside[] = {{1, -1}, {3, -1}, {3, 1}, {1, 1}};
    static const thVec2 border[] = {{0, -1}, {3, -1}, {3, 1}, {0, 1}};
    static const thVec2 far[] = {{-1, -1}, {101, -1}, {0, 2}};
    static const thVec2 wrong[] = {{-1, -1}, {NAN, -1}, {0, 2}};
    static const thVec2 one[] = {{1, 1}, {1, 1}, {1, 1}};
    thVec2 nine[9];
    for (int32_t i = 0; i < 9; ++i)
        nine[i] = (thVec2){(float)cos(0.69813 * i), (float)sin(0.69813 * i)};
    assertRefused(line, 2, "has 2 points, expected at least 3");
    assertRefused(line, 4, "on one line");
    assertRefused(one, 3, "on one line");
    assertRefused(beside, 4, "not inside");
    assertRefused(border, 4, "not inside");
    assertRefused(far, 3, "point 1 of the shape is (101, -1), expected -100 .. 100 m");
    assertRefused(wrong, 3, "point 1 of the shape is (nan");
    assertRefused(nine, 9, "more corners than 8");
    thBodyShape shape;
    assert_int_equal(thMakeBodyShape(nine, 8, &shape, NULL), th_resultOk);
    assert_int_equal(shape.count, 8);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testHulls),
        cmocka_unit_test(testNotConvex),
        cmocka_unit_test(testRefused),
    };
    return RUN_TESTS(tests, argc, argv);
}
