// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shapes of agents: hulls of points, and what is no shape. Sums of convex bodies, and how the
// origin stands to them, held against both bodies side by side.

#include "gear/gear.h"
#include "geom/convex_oracle.h"

#define ROUNDING 2.0e-5 // [m]

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

static thVec2 drawVec(thGenerator* g, float size)
{
    const float x = drawFloat(g, -size, size);
    return (thVec2){x, drawFloat(g, -size, size)};
}

static thConvexBody boxOf(float x, float y)
{
    return (thConvexBody){.count = 4, .corners = {{-x, -y}, {x, -y}, {x, y}, {-x, y}}};
}

// How far a body reaches in a direction.
static double reachOf(const thConvexBody* body, double nx, double ny)
{
    double most = -INFINITY;
    for (int32_t i = 0; i < body->count; ++i)
        most = fmax(most, nx * (double)body->corners[i].x + ny * (double)body->corners[i].y);
    return most + (double)body->radius;
}

// A sum reaches as far as both together, in every direction, and turns left everywhere.
static bool isSum(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const thConvexBody own = drawConvexBody(g, 2.0f);
    thConvexBody other = drawConvexBody(g, 2.0f);
    if (drawU32(g) % 4 == 0)
        other = (thConvexBody){.count = 2, .corners = {drawVec(g, 3.0f), drawVec(g, 3.0f)}};
    if (drawU32(g) % 8 == 0)
        other = own;
    const thVec2 p = drawVec(g, 5.0f);
    const thConvexBody sum = thiConvexSum(&own, &other, p);
    bool good = sum.count <= own.count + other.count;
    for (int32_t i = 0; i < 24; ++i) {
        const double nx = cos(0.2618 * i), ny = sin(0.2618 * i);
        const double expected =
            reachOf(&other, nx, ny) + reachOf(&own, -nx, -ny) + nx * (double)p.x + ny * (double)p.y;
        good = good && fabs(reachOf(&sum, nx, ny) - expected) < ROUNDING;
    }
    for (int32_t i = 0; i < sum.count; ++i) {
        const thVec2 a = sum.corners[i], b = sum.corners[(i + 1) % sum.count];
        const thVec2 c = sum.corners[(i + 2) % sum.count];
        good = good && thiDet(thiSubtract(b, a), thiSubtract(c, b)) > -ROUNDING;
    }
    return good;
}

static void testSums(void** state)
{
    (void)state;
    assertProperty(&(thProperty){
        .name = "sum of bodies", .seed = 1, .caseCount = 20000, .maxSize = 1, .holds = isSum});
}

// The distance is that of both bodies; who goes that far towards the other touches it; who is
// inside and goes back as far is apart.
static bool isClearance(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    int32_t* overlaps = context;
    const thConvexBody own = drawConvexBody(g, 2.0f);
    thConvexBody other = drawConvexBody(g, 2.0f);
    if (own.count == 1 && other.count == 1)
        return true;
    const thVec2 p = drawVec(g, 5.0f);
    const thConvexBody sum = thiConvexSum(&own, &other, p);
    const thClearance found = thiClearanceOf(&sum, p);
    const double gap = bodyGap(&own, &other, (double)p.x, (double)p.y);
    const double x = (double)p.x - (double)(found.distance * found.towards.x);
    const double y = (double)p.y - (double)(found.distance * found.towards.y);
    *overlaps += gap < 0.0;
    return fabs((double)found.distance - gap) < ROUNDING &&
           fabs((double)thiDot(found.towards, found.towards) - 1.0) < 1e-5 &&
           fabs(bodyGap(&own, &other, x, y)) < 2.0 * ROUNDING;
}

static void testClearances(void** state)
{
    (void)state;
    int32_t overlaps = 0;
    assertProperty(&(thProperty){.name = "distance of bodies",
                                 .seed = 2,
                                 .caseCount = 20000,
                                 .maxSize = 1,
                                 .holds = isClearance,
                                 .context = &overlaps});
    print_message("%d overlap\n", overlaps);
    assert_true(overlaps > 1000);
}

// Directions between the tangents lead to the other body, others do not.
static bool areTangents(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const thConvexBody own = drawConvexBody(g, 1.0f);
    const thConvexBody other = drawConvexBody(g, 1.0f);
    const thVec2 p = drawVec(g, 5.0f);
    const thConvexBody sum = thiConvexSum(&own, &other, p);
    if (sum.count < 3)
        return true;
    const thClearance found = thiClearanceOf(&sum, p);
    if (found.distance <= 0.0f)
        return true;
    bool good = true;
    for (int32_t i = 0; i < 12; ++i) {
        const double angle = drawFloat(g, 0.0f, 6.2832f), x = cos(angle), y = sin(angle);
        const double right =
            x * (double)found.tangents.right.x + y * (double)found.tangents.right.y;
        const double left = x * (double)found.tangents.left.x + y * (double)found.tangents.left.y;
        const double gap = leastGap(&own, &other, (double)p.x, (double)p.y, x, y, 20.0);
        const bool isBetween = right > 0.0 && left > 0.0;
        good = good && (isBetween ? gap < ROUNDING : gap > -ROUNDING);
    }
    return good;
}

static void testTangents(void** state)
{
    (void)state;
    assertProperty(&(thProperty){
        .name = "tangents", .seed = 3, .caseCount = 2000, .maxSize = 1, .holds = areTangents});
}

// Boxes of 4 x 2 side by side: they touch, by their sides and by corners.
static void testTouching(void** state)
{
    (void)state;
    static const struct {
        thVec2 p;
        float distance;
        thVec2 towards; // 0: any
    } cases[] = {{{4.0f, 0.0f}, 0.0f, {1.0f, 0.0f}},   {{4.0f, 1.5f}, 0.0f, {1.0f, 0.0f}},
                 {{-4.0f, 0.0f}, 0.0f, {-1.0f, 0.0f}}, {{0.0f, 2.0f}, 0.0f, {0.0f, 1.0f}},
                 {{1.0f, -2.0f}, 0.0f, {0.0f, -1.0f}}, {{4.0f, 2.0f}, 0.0f, {0.0f, 0.0f}},
                 {{4.5f, 1.0f}, 0.5f, {1.0f, 0.0f}},   {{0.0f, 1.5f}, -0.5f, {0.0f, 1.0f}},
                 {{3.75f, 0.5f}, -0.25f, {1.0f, 0.0f}}};
    const thConvexBody box = boxOf(2.0f, 1.0f);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const thConvexBody sum = thiConvexSum(&box, &box, cases[i].p);
        const thClearance found = thiClearanceOf(&sum, cases[i].p);
        assert_near((double)found.distance, (double)cases[i].distance, 1e-6);
        if (cases[i].towards.x != 0.0f || cases[i].towards.y != 0.0f) {
            assert_near((double)found.towards.x, (double)cases[i].towards.x, 1e-6);
            assert_near((double)found.towards.y, (double)cases[i].towards.y, 1e-6);
        }
    }
}

// What one finds is the opposite of what the other does, also where ways out are equally short.
static bool isMutual(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const bool isLattice = drawU32(g) % 2 == 0;
    const thConvexBody square = boxOf(1.0f, 1.0f);
    const thConvexBody a = isLattice ? square : drawConvexBody(g, 2.0f);
    const thConvexBody b = isLattice ? square : drawConvexBody(g, 2.0f);
    if (a.count == 1 && b.count == 1)
        return true;
    thVec2 p = drawVec(g, 4.0f);
    if (isLattice)
        p = (thVec2){0.5f * (float)drawInt(g, -5, 5), 0.5f * (float)drawInt(g, -5, 5)};
    if (p.x == 0.0f && p.y == 0.0f)
        return true;
    const thConvexBody there = thiConvexSum(&a, &b, p), back = thiConvexSum(&b, &a, thiNegate(p));
    const thClearance mine = thiClearanceOf(&there, p);
    const thClearance theirs = thiClearanceOf(&back, thiNegate(p));
    const thVec2 rest = thiAddScaled(mine.towards, 1.0f, theirs.towards);
    return fabs((double)mine.distance - (double)theirs.distance) < ROUNDING &&
           (double)thiDot(rest, rest) < 1e-6;
}

static void testMutual(void** state)
{
    (void)state;
    assertProperty(&(thProperty){
        .name = "both alike", .seed = 4, .caseCount = 20000, .maxSize = 1, .holds = isMutual});
}

// On one point both still find opposite ways.
static void testOnePoint(void** state)
{
    (void)state;
    const thConvexBody box = boxOf(2.0f, 1.0f);
    const thConvexBody sum = thiConvexSum(&box, &box, (thVec2){0.0f, 0.0f});
    const thClearance first = thiClearanceOf(&sum, (thVec2){1.0f, 0.0f});
    const thClearance second = thiClearanceOf(&sum, (thVec2){-1.0f, 0.0f});
    assert_near((double)first.distance, -2.0, 1e-6);
    assert_near((double)(first.towards.x + second.towards.x), 0.0, 1e-6);
    assert_near((double)(first.towards.y + second.towards.y), 0.0, 1e-6);
}

// Turning all turns the answer.
static bool isTurned(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const thBodyShape a = drawBodyShape(g, 2.0f), b = drawBodyShape(g, 2.0f);
    const float turnA = drawFloat(g, -3.0f, 3.0f), turnB = drawFloat(g, -3.0f, 3.0f);
    const float angle = drawFloat(g, -3.0f, 3.0f), c = cosf(angle), s = sinf(angle);
    const thVec2 p = drawVec(g, 4.0f), q = {c * p.x - s * p.y, s * p.x + c * p.y};
    const thConvexBody own = thiTurnShape(&a, turnA), other = thiTurnShape(&b, turnB);
    const thConvexBody own2 = thiTurnShape(&a, turnA + angle);
    const thConvexBody other2 = thiTurnShape(&b, turnB + angle);
    const thConvexBody sum = thiConvexSum(&own, &other, p), sum2 = thiConvexSum(&own2, &other2, q);
    const thClearance before = thiClearanceOf(&sum, p), after = thiClearanceOf(&sum2, q);
    return fabs((double)before.distance - (double)after.distance) < ROUNDING;
}

static void testTurned(void** state)
{
    (void)state;
    assertProperty(&(thProperty){
        .name = "turned", .seed = 5, .caseCount = 10000, .maxSize = 1, .holds = isTurned});
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testHulls),      cmocka_unit_test(testNotConvex),
        cmocka_unit_test(testRefused),    cmocka_unit_test(testSums),
        cmocka_unit_test(testClearances), cmocka_unit_test(testTangents),
        cmocka_unit_test(testTouching),   cmocka_unit_test(testMutual),
        cmocka_unit_test(testOnePoint),   cmocka_unit_test(testTurned),
    };
    return RUN_TESTS(tests, argc, argv);
}
