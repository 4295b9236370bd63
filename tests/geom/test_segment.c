// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Exact predicates held against 128 bits, and nearest points of segments.

#include "gear/gear.h"
#include "gear/property.h"
#include "geom/fixed.h"
#include "geom/segment.h"

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

static int32_t signOf(Int128 value)
{
    return (value > 0) - (value < 0);
}

static Int128 crossOf(thPoint a, thPoint b, thPoint p)
{
    return ((Int128)b.x - a.x) * ((Int128)p.y - a.y) - ((Int128)b.y - a.y) * ((Int128)p.x - a.x);
}

static Int128 dotOf(thPoint a, thPoint b, thPoint p)
{
    return ((Int128)a.x - p.x) * ((Int128)b.x - p.x) + ((Int128)a.y - p.y) * ((Int128)b.y - p.y);
}

// On the line, and both ends are not on the same side.
static bool oracleOnSegment(thPoint p, thPoint a, thPoint b)
{
    return crossOf(a, b, p) == 0 && dotOf(a, b, p) <= 0;
}

static bool isShare(Int128 top, Int128 bottom)
{
    return bottom > 0 ? top >= 0 && top <= bottom : top <= 0 && top >= bottom;
}

// Solves for the common point of the lines, or looks for an end on the other segment.
static bool oracleTouch(thPoint a, thPoint b, thPoint c, thPoint d)
{
    const Int128 rx = (Int128)b.x - a.x, ry = (Int128)b.y - a.y;
    const Int128 sx = (Int128)d.x - c.x, sy = (Int128)d.y - c.y;
    const Int128 ox = (Int128)c.x - a.x, oy = (Int128)c.y - a.y;
    const Int128 bottom = rx * sy - ry * sx;
    if (bottom != 0)
        return isShare(ox * sy - oy * sx, bottom) && isShare(ox * ry - oy * rx, bottom);
    return oracleOnSegment(a, c, d) || oracleOnSegment(b, c, d) || oracleOnSegment(c, a, b) ||
           oracleOnSegment(d, a, b);
}

static bool agrees(thPoint a, thPoint b, thPoint c, thPoint d)
{
    return thiOrientation(a, b, c) == signOf(crossOf(a, b, c)) &&
           thiPointOnSegment(c, a, b) == oracleOnSegment(c, a, b) &&
           thiSegmentsTouch(a, b, c, d) == oracleTouch(a, b, c, d);
}

// All sets of four points of a lattice of 4 x 4: every way to touch, overlap or degenerate. Once
// small, once so large that differences take 33 bits, once with the lattice skewed.
static void testLattice(void** state)
{
    (void)state;
    static const int32_t scales[3][4] = {
        {1, 0, 0, 1}, {1310719999, 0, 0, 1310719999}, {655359999, 1, 2, 655360001}};
    for (int32_t s = 0; s < 3; ++s) {
        thPoint points[16];
        for (int32_t i = 0; i < 16; ++i) {
            const int64_t x = 2 * (i % 4) - 3, y = 2 * (i / 4) - 3;
            const int64_t px = x * scales[s][0] + y * scales[s][1];
            const int64_t py = x * scales[s][2] + y * scales[s][3];
            points[i] = (thPoint){(int32_t)(px / 2), (int32_t)(py / 2)};
        }
        for (int32_t i = 0; i < 16 * 16 * 16 * 16; ++i)
            if (!agrees(points[i & 15], points[i >> 4 & 15], points[i >> 8 & 15], points[i >> 12]))
                fail_msg("points %d %d %d %d of lattice %d", i & 15, i >> 4 & 15, i >> 8 & 15,
                         i >> 12, s);
    }
}

static thPoint drawPoint(thGenerator* g, int32_t size)
{
    static const int32_t special[] = {INT32_MIN, -TH_MAX_UNITS, -1, 0, 1, TH_MAX_UNITS, INT32_MAX};
    if (drawInt(g, 0, 3) == 0)
        return (thPoint){special[drawInt(g, 0, 6)], special[drawInt(g, 0, 6)]};
    const int32_t range = size < 31 ? (int32_t)((1u << size) - 1) : INT32_MAX;
    return (thPoint){drawInt(g, -range, range), drawInt(g, -range, range)};
}

// A point near the line, at most a unit off.
static thPoint drawNear(thGenerator* g, thPoint a, thPoint b)
{
    const double share = (double)drawUnit(g) * 1.5 - 0.25;
    const double x = a.x + share * ((double)b.x - a.x), y = a.y + share * ((double)b.y - a.y);
    const double most = INT32_MAX - 1;
    return (thPoint){(int32_t)fmin(fmax(x, -most), most) + drawInt(g, -1, 1),
                     (int32_t)fmin(fmax(y, -most), most) + drawInt(g, -1, 1)};
}

static bool holdsOnRandom(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const thPoint a = drawPoint(g, size), b = drawPoint(g, size);
    const thPoint c = drawPoint(g, size), d = drawPoint(g, size);
    const thPoint e = drawNear(g, a, b), f = drawNear(g, a, b);
    return agrees(a, b, c, d) && agrees(a, b, e, c) && agrees(a, b, e, f) && agrees(e, f, a, b) &&
           agrees(a, e, b, f);
}

static void testRandom(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "exact predicates",
                                 .seed = 1,
                                 .caseCount = 100000,
                                 .maxSize = 31,
                                 .holds = holdsOnRandom});
}

// Points of a long line that a unit more or less takes off it, where 64 bits are not enough.
static void testFarCorners(void** state)
{
    (void)state;
    const int32_t m = TH_MAX_UNITS;
    const thPoint a = {-m, -m}, b = {m, m};
    assert_int_equal(thiOrientation(a, b, (thPoint){0, 0}), 0);
    assert_int_equal(thiOrientation(a, b, (thPoint){0, 1}), 1);
    assert_int_equal(thiOrientation(a, b, (thPoint){1, 0}), -1);
    assert_int_equal(thiOrientation(a, (thPoint){m, m - 1}, (thPoint){m - 1, m - 2}), -1);
    assert_int_equal(thiOrientation(b, a, (thPoint){-m, m}), -1);
    assert_int_equal(thiOrientation(a, a, b), 0);
    const thPoint low = {INT32_MIN, INT32_MIN}, high = {INT32_MAX, INT32_MAX};
    assert_int_equal(thiOrientation(low, high, (thPoint){INT32_MIN, INT32_MAX}), 1);
    assert_int_equal(thiOrientation(low, high, (thPoint){INT32_MAX, INT32_MIN}), -1);
    assert_true(thiSegmentsTouch(low, high, (thPoint){INT32_MIN, INT32_MAX},
                                 (thPoint){INT32_MAX, INT32_MIN}));
}

static uint64_t drawBits(thGenerator* g)
{
    static const uint64_t special[] = {0, 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX};
    return drawInt(g, 0, 2) == 0 ? special[drawInt(g, 0, 4)] : drawU64(g) >> drawInt(g, 0, 63);
}

static bool comparesRight(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const thFraction a = {drawBits(g), drawBits(g)};
    thFraction b = {drawBits(g), drawBits(g)};
    if (drawInt(g, 0, 1) == 0) // nearly the same
        b = (thFraction){a.top / 2 + (uint64_t)drawInt(g, 0, 1), a.bottom / 2};
    const Uint128 left = (Uint128)a.top * b.bottom, right = (Uint128)b.top * a.bottom;
    return thiCompareFractions(a, b) == (left > right) - (left < right) &&
           thiCompareFractions(a, a) == 0;
}

static void testFractions(void** state)
{
    (void)state;
    assertProperty(&(thProperty){
        .name = "fractions", .seed = 2, .caseCount = 100000, .maxSize = 1, .holds = comparesRight});
    assert_int_equal(thiCompareFractions((thFraction){UINT64_MAX, 1}, (thFraction){1, 0}), -1);
}

static void assertNearest(thVec2 a, thVec2 b, float x, float y)
{
    const thVec2 nearest = thiNearestOnSegment(a, b);
    assert_same_bits(nearest.x, x);
    assert_same_bits(nearest.y, y);
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
    const double distance = hypot((double)found.x, (double)found.y);
    const double toEnds = hypot((double)found.x - a.x, (double)found.y - a.y) +
                          hypot((double)found.x - b.x, (double)found.y - b.y);
    bool good = toEnds <= length + slack;
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

static thPoint drawInWorld(thGenerator* g, int32_t size)
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
    const thPoint p = drawInWorld(g, size), a = drawInWorld(g, size), b = drawInWorld(g, size);
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
        cmocka_unit_test(testLattice),    cmocka_unit_test(testRandom),
        cmocka_unit_test(testFarCorners), cmocka_unit_test(testFractions),
        cmocka_unit_test(testExamples),   cmocka_unit_test(testTiny),
        cmocka_unit_test(testNearest),    cmocka_unit_test(testOffset),
    };
    return RUN_TESTS(tests, argc, argv);
}
