// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "gear/gear.h"
#include "gear/property.h"
#include "geom/fixed.h"
#include "geom/segment.h"

static void assertNearest(thVec2 a, thVec2 b, float x, float y)
{
    const thVec2 nearest = thiNearestOnSegment(a, b);
    assert_same_bits(nearest.x, x);
    assert_same_bits(nearest.y, y);
    assert_same_bits(thiSegmentDistanceSq(a, b), x * x + y * y);
}

static void testExamples(void** state)
{
    (void)state;
    assertNearest((thVec2){-1.0f, 2.0f}, (thVec2){3.0f, 2.0f}, 0.0f, 2.0f);
    assertNearest((thVec2){3.0f, 2.0f}, (thVec2){-1.0f, 2.0f}, 0.0f, 2.0f);
    assertNearest((thVec2){1.0f, 1.0f}, (thVec2){4.0f, 2.0f}, 1.0f, 1.0f); // before the first end
    assertNearest((thVec2){4.0f, 2.0f}, (thVec2){1.0f, 1.0f}, 1.0f, 1.0f); // after the second
    assertNearest((thVec2){-3.0f, -3.0f}, (thVec2){1.0f, 1.0f}, 0.0f, 0.0f);
    assertNearest((thVec2){5.0f, -2.0f}, (thVec2){5.0f, -2.0f}, 5.0f, -2.0f); // a point
    assertNearest((thVec2){0.0f, 0.0f}, (thVec2){0.0f, 0.0f}, 0.0f, 0.0f);
}

// So short that the square of the length is 0.
static void testTiny(void** state)
{
    (void)state;
    for (int32_t i = 0; i < 4; ++i) {
        const thVec2 a = {i % 2 == 0 ? 1e-30f : -1e-30f, 2.0f};
        const thVec2 b = {i / 2 == 0 ? 2e-30f : -2e-30f, 2.0f};
        assert_same_bits(thiNearestOnSegment(a, b).y, 2.0f);
        assert_same_bits(thiSegmentDistanceSq(a, b), 4.0f);
    }
}

// No point of the segment is nearer, and the point is on it.
static bool isNearest(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const float range = (float)(size + 1);
    const thVec2 a = {drawFloat(g, -range, range), drawFloat(g, -range, range)};
    const thVec2 b = drawInt(g, 0, 9) == 0
                         ? a
                         : (thVec2){drawFloat(g, -range, range), drawFloat(g, -range, range)};
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    const double length = sqrt(dx * dx + dy * dy);
    const double slack = range * 1e-6;
    const thVec2 found = thiNearestOnSegment(a, b);
    const double distance = sqrt((double)thiSegmentDistanceSq(a, b));
    const double toEnds = hypot((double)found.x - a.x, (double)found.y - a.y) +
                          hypot((double)found.x - b.x, (double)found.y - b.y);
    bool good = fabs(hypot((double)found.x, (double)found.y) - distance) <= slack &&
                toEnds <= length + slack;
    for (int32_t i = 0; i <= 64; ++i)
        good = good && hypot(a.x + dx * i / 64, a.y + dy * i / 64) >= distance - slack;
    return good;
}

static void testNearest(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "nearest on segment",
                                 .seed = 1,
                                 .caseCount = 20000,
                                 .maxSize = 300,
                                 .holds = isNearest});
}

static thPoint drawPoint(thGenerator* g, int32_t size)
{
    if (drawInt(g, 0, 3) == 0)
        return (thPoint){drawInt(g, 0, 1) == 0 ? -TH_MAX_UNITS : TH_MAX_UNITS,
                         drawInt(g, 0, 1) == 0 ? -TH_MAX_UNITS : TH_MAX_UNITS};
    const int32_t range = TH_MIN(1 << size, TH_MAX_UNITS);
    return (thPoint){drawInt(g, -range, range), drawInt(g, -range, range)};
}

static bool isBetween(double value, int32_t a, int32_t b)
{
    return value >= TH_MIN(a, b) && value <= TH_MAX(a, b);
}

// Against the same in long double, and within the box to the last bit.
static bool offsetIsGood(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const thPoint p = drawPoint(g, size), a = drawPoint(g, size), b = drawPoint(g, size);
    const thOffset offset = thiOffsetToSegment(p, a, b);
    const long double ax = (long double)a.x - p.x, ay = (long double)a.y - p.y;
    const long double dx = (long double)b.x - a.x, dy = (long double)b.y - a.y;
    const long double lengthSq = dx * dx + dy * dy;
    long double share = lengthSq > 0.0L ? -(ax * dx + ay * dy) / lengthSq : 0.0L;
    share = share < 0.0L ? 0.0L : share > 1.0L ? 1.0L : share;
    return fabsl(ax + share * dx - (long double)offset.x) <= 0x1p-16L &&
           fabsl(ay + share * dy - (long double)offset.y) <= 0x1p-16L &&
           isBetween(p.x + offset.x, a.x, b.x) && isBetween(p.y + offset.y, a.y, b.y);
}

static void testOffset(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "offset to segment",
                                 .seed = 2,
                                 .caseCount = 100000,
                                 .maxSize = 30,
                                 .holds = offsetIsGood});
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testExamples),
        cmocka_unit_test(testTiny),
        cmocka_unit_test(testNearest),
        cmocka_unit_test(testOffset),
    };
    return RUN_TESTS(tests, argc, argv);
}
