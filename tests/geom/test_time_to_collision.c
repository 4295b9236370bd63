// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Times to collision against marching in small steps, and what must hold whatever the numbers are.

#include "gear/gear.h"
#include "gear/property.h"
#include "throng/collision.h"

#include <stdlib.h>

#define STEP 1.0e-3
#define LATEST 4.0

typedef struct Meeting {
    thVec2 a, b, velocity; // a disc is at a, a segment from a to b
    float radius;
} Meeting;

static Meeting drawMeeting(thGenerator* g)
{
    Meeting m = {{drawFloat(g, -3.0f, 3.0f), drawFloat(g, -3.0f, 3.0f)},
                 {drawFloat(g, -3.0f, 3.0f), drawFloat(g, -3.0f, 3.0f)},
                 {drawFloat(g, -2.0f, 2.0f), drawFloat(g, -2.0f, 2.0f)},
                 drawFloat(g, 0.05f, 1.0f)};
    const uint32_t kind = drawU32(g) % 8;
    if (kind == 0) // of no length
        m.b = m.a;
    if (kind == 1) // parallel to the way
        m.b = (thVec2){m.a.x + 2.0f * m.velocity.x, m.a.y + 2.0f * m.velocity.y};
    if (kind == 2)
        m.velocity = (thVec2){0.0f, 0.0f};
    return m;
}

static double distanceToSegment(double x, double y, thVec2 a, thVec2 b)
{
    const double ax = (double)a.x - x, ay = (double)a.y - y;
    const double ex = (double)b.x - (double)a.x, ey = (double)b.y - (double)a.y;
    const double lengthSq = ex * ex + ey * ey;
    const double share =
        lengthSq > 0.0 ? fmin(fmax(-(ax * ex + ay * ey) / lengthSq, 0.0), 1.0) : 0.0;
    return hypot(ax + share * ex, ay + share * ey);
}

// When a disc that keeps its velocity comes nearer than its radius; LATEST if it does not until
// then.
static double march(const Meeting* m, thVec2 end)
{
    for (double t = 0.0; t < LATEST; t += STEP)
        if (distanceToSegment(t * (double)m->velocity.x, t * (double)m->velocity.y, m->a, end) <
            (double)m->radius)
            return t;
    return LATEST;
}

// The nearest that it comes until then: grazing is a matter of rounding.
static double nearestApproach(const Meeting* m, thVec2 end)
{
    double least = INFINITY;
    for (double t = 0.0; t < LATEST; t += STEP)
        least = fmin(least, distanceToSegment(t * (double)m->velocity.x, t * (double)m->velocity.y,
                                              m->a, end));
    return least;
}

static bool agrees(const Meeting* m, thVec2 end, float time)
{
    const double marched = march(m, end);
    if (fabs(marched - fmin((double)time, LATEST)) < 1.5 * STEP)
        return true;
    return fabs(nearestApproach(m, end) - (double)m->radius) < 1.0e-5;
}

static bool marchingAgrees(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const Meeting m = drawMeeting(g);
    return agrees(&m, m.a, thTimeToCollisionDisc(m.a, m.velocity, m.radius)) &&
           agrees(&m, m.b, thTimeToCollisionSegment(m.a, m.b, m.velocity, m.radius));
}

static void testMarching(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "marching",
                                 .seed = 1,
                                 .caseCount = getenv("THRONG_LONG") != NULL ? 100000 : 3000,
                                 .maxSize = 1,
                                 .holds = marchingAgrees});
}

// Both move: the same as if one stood and the other had the difference of velocities.
static bool movingAgrees(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const Meeting m = drawMeeting(g);
    const thVec2 others = {drawFloat(g, -2.0f, 2.0f), drawFloat(g, -2.0f, 2.0f)};
    const thVec2 relative = {m.velocity.x - others.x, m.velocity.y - others.y};
    const double time = (double)thTimeToCollisionSegment(m.a, m.b, relative, m.radius);
    for (double t = 0.0; t < fmin(time, LATEST) - 2.0 * STEP; t += STEP) {
        const thVec2 a = {m.a.x + (float)t * others.x, m.a.y + (float)t * others.y};
        const thVec2 b = {m.b.x + (float)t * others.x, m.b.y + (float)t * others.y};
        const double x = t * (double)m.velocity.x, y = t * (double)m.velocity.y;
        if (distanceToSegment(x, y, a, b) < (double)m.radius - 1.0e-5)
            return false;
    }
    if (time >= LATEST || time == 0.0)
        return true;
    const double x = time * (double)relative.x, y = time * (double)relative.y;
    return fabs(distanceToSegment(x, y, m.a, m.b) - (double)m.radius) < 1.0e-4;
}

static void testMoving(void** state)
{
    (void)state;
    assertProperty(&(thProperty){
        .name = "moving", .seed = 2, .caseCount = 3000, .maxSize = 1, .holds = movingAgrees});
}

static bool isClose(float a, float b)
{
    return a == b || fabsf(a - b) <= 1.0e-3f * fabsf(a);
}

static thVec2 turn(thVec2 v, float c, float s)
{
    return (thVec2){c * v.x - s * v.y, s * v.x + c * v.y};
}

// Turned, scaled, slowed down, with ends or sides exchanged.
static bool isInvariant(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const Meeting m = drawMeeting(g);
    const float angle = drawFloat(g, -3.0f, 3.0f), c = cosf(angle), s = sinf(angle), k = 2.0f;
    const float disc = thTimeToCollisionDisc(m.a, m.velocity, m.radius);
    const float wall = thTimeToCollisionSegment(m.a, m.b, m.velocity, m.radius);
    const thVec2 back = {-m.a.x, -m.a.y}, backwards = {-m.velocity.x, -m.velocity.y};
    const thVec2 slow = {m.velocity.x / k, m.velocity.y / k};
    const thVec2 largeA = {k * m.a.x, k * m.a.y}, largeB = {k * m.b.x, k * m.b.y};
    const thVec2 largeV = {k * m.velocity.x, k * m.velocity.y};
    if (!sameBits(disc, thTimeToCollisionDisc(back, backwards, m.radius)) ||
        !sameBits(k * disc, thTimeToCollisionDisc(m.a, slow, m.radius)) ||
        !sameBits(disc, thTimeToCollisionDisc(largeA, largeV, k * m.radius)) ||
        !sameBits(k * wall, thTimeToCollisionSegment(m.a, m.b, slow, m.radius)) ||
        !sameBits(wall, thTimeToCollisionSegment(largeA, largeB, largeV, k * m.radius)) ||
        !isClose(wall, thTimeToCollisionSegment(m.b, m.a, m.velocity, m.radius)))
        return false;
    // Turning rounds, which counts where discs graze each other.
    const double graze = fabs(nearestApproach(&m, m.b) - (double)m.radius);
    const float turned = thTimeToCollisionSegment(turn(m.a, c, s), turn(m.b, c, s),
                                                  turn(m.velocity, c, s), m.radius);
    return isClose(wall, turned) || graze < 1.0e-4 || wall > (float)LATEST;
}

static void testInvariance(void** state)
{
    (void)state;
    assertProperty(&(thProperty){
        .name = "invariance", .seed = 3, .caseCount = 3000, .maxSize = 1, .holds = isInvariant});
}

// Pairs that overlap: after the time they touch, and before it they do not.
static bool exitAgrees(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    Meeting m = drawMeeting(g);
    m.radius = hypotf(m.a.x, m.a.y) + drawFloat(g, 1.0e-3f, 1.0f);
    const double time = (double)thTimeFromCollisionDisc(m.a, m.velocity, m.radius);
    if (m.velocity.x == 0.0f && m.velocity.y == 0.0f)
        return time == (double)INFINITY;
    const double vx = (double)m.velocity.x, vy = (double)m.velocity.y, r = (double)m.radius;
    const double then = distanceToSegment(time * vx, time * vy, m.a, m.a);
    const double before = distanceToSegment(0.9 * time * vx, 0.9 * time * vy, m.a, m.a);
    return time > 0.0 && before < r && fabs(then - r) < 1.0e-4 * (1.0 + r);
}

static void testExit(void** state)
{
    (void)state;
    assertProperty(&(thProperty){
        .name = "exit", .seed = 4, .caseCount = 10000, .maxSize = 1, .holds = exitAgrees});
    assert_same_bits(thTimeFromCollisionDisc((thVec2){2.0f, 0.0f}, (thVec2){1.0f, 0.0f}, 1.0f),
                     0.0f);
    assert_same_bits(thTimeFromCollisionDisc((thVec2){0.0f, 0.0f}, (thVec2){0.0f, 2.0f}, 1.0f),
                     0.5f);
}

static void testDegenerate(void** state)
{
    (void)state;
    const thVec2 ahead = {1.0f, 0.0f}, still = {0.0f, 0.0f}, left = {0.0f, 1.0f};
    // Touching: now if they approach, never if they part, pass or stand.
    assert_same_bits(thTimeToCollisionDisc(ahead, ahead, 1.0f), 0.0f);
    assert_same_bits(thTimeToCollisionDisc(ahead, left, 1.0f), INFINITY);
    assert_same_bits(thTimeToCollisionDisc(ahead, still, 1.0f), INFINITY);
    assert_same_bits(thTimeToCollisionDisc(ahead, (thVec2){-1.0f, 0.0f}, 1.0f), INFINITY);
    // Overlapping: at once, whatever they do.
    assert_same_bits(thTimeToCollisionDisc(ahead, still, 1.5f), 0.0f);
    assert_same_bits(thTimeToCollisionDisc(still, still, 0.5f), 0.0f);
    // Points meet only head-on.
    assert_same_bits(thTimeToCollisionDisc(ahead, ahead, 0.0f), 1.0f);
    assert_same_bits(thTimeToCollisionDisc(ahead, (thVec2){1.0f, 0.001f}, 0.0f), INFINITY);
    // A wall ahead, touched, along the way, and one that is a point.
    const thVec2 low = {2.0f, -1.0f}, high = {2.0f, 1.0f};
    assert_same_bits(thTimeToCollisionSegment(low, high, ahead, 0.5f), 1.5f);
    assert_same_bits(thTimeToCollisionSegment(low, high, ahead, 2.0f), 0.0f);
    assert_same_bits(thTimeToCollisionSegment(low, high, left, 2.0f), INFINITY);
    assert_same_bits(thTimeToCollisionSegment(low, high, still, 2.0f), INFINITY);
    assert_same_bits(thTimeToCollisionSegment(low, high, still, 2.5f), 0.0f);
    assert_same_bits(thTimeToCollisionSegment(low, low, (thVec2){2.0f, -1.0f}, 0.0f), 1.0f);
    assert_same_bits(
        thTimeToCollisionSegment((thVec2){1.0f, 0.0f}, (thVec2){3.0f, 0.0f}, ahead, 0.5f), 0.5f);
}

static int32_t bugs;

static void countBug(void* context, const char* condition, const char* file, int32_t line)
{
    (void)context;
    (void)condition;
    (void)file;
    (void)line;
    bugs += 1;
}

static void testBadArguments(void** state)
{
    (void)state;
    const thVec2 good = {1.0f, 1.0f}, bad = {NAN, 0.0f}, endless = {0.0f, INFINITY};
    thSetHooks(&(thHooks){.assertion = countBug});
    bugs = 0;
    assert_same_bits(thTimeToCollisionDisc(bad, good, 1.0f), INFINITY);
    assert_same_bits(thTimeToCollisionDisc(good, endless, 1.0f), INFINITY);
    assert_same_bits(thTimeToCollisionDisc(good, good, -1.0f), INFINITY);
    assert_same_bits(thTimeToCollisionSegment(good, bad, good, 1.0f), INFINITY);
    assert_same_bits(thTimeFromCollisionDisc(good, good, NAN), 0.0f);
    assert_int_equal(bugs, 5);
    thSetHooks(NULL);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testMarching),   cmocka_unit_test(testMoving),
        cmocka_unit_test(testInvariance), cmocka_unit_test(testExit),
        cmocka_unit_test(testDegenerate), cmocka_unit_test(testBadArguments),
    };
    return RUN_TESTS(tests, argc, argv);
}
