// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What `clearpath` forbids, held against collisions that are looked for by moving both.

#include "avoid/clearpath/clearpath_regions.h"
#include "gear/gear.h"
#include "velocity/region_oracle.h"

#include <stdlib.h>

// What rounding may do. [m, m/s]
#define ROUNDING 1.0e-4

static thVec2 drawVec(thGenerator* g, float size)
{
    const float x = drawFloat(g, -size, size);
    return (thVec2){x, drawFloat(g, -size, size)};
}

static thClearpathOwn drawOwn(thGenerator* g)
{
    const thVec2 velocity = drawVec(g, 1.5f);
    const float maxAccel = drawU32(g) % 4 == 0 ? 0.0f : drawFloat(g, 0.5f, 20.0f);
    return (thClearpathOwn){velocity, 2.0f, 0.1f, thiReachableDisc(velocity, 2.0f, maxAccel, 0.1f)};
}

// Apart, if `least` is 1: in so many times both radii.
static thClearpathOther drawOther(thGenerator* g, float least, float most)
{
    const float both = drawFloat(g, 0.1f, 1.0f), angle = drawFloat(g, 0.0f, 6.2831853f);
    const float distance = both * drawFloat(g, least, most);
    return (thClearpathOther){
        {distance * cosf(angle), distance * sinf(angle)},      drawVec(g, 1.5f),    both,
        drawU32(g) % 4 == 0 ? drawFloat(g, 0.1f, 1.0f) : 0.5f, drawU32(g) % 2 == 0, NULL};
}

// By how much two miss each other within a time, p apart and with a relative velocity w; negative
// where they collide.
static double missBy(thVec2 p, double wx, double wy, double both, double time)
{
    const double x = (double)p.x, y = (double)p.y, speedSq = wx * wx + wy * wy;
    const double nearest = speedSq > 0.0 ? (x * wx + y * wy) / speedSq : 0.0;
    const double t = fmin(fmax(nearest, 0.0), time);
    return hypot(x - t * wx, y - t * wy) - both;
}

// The relative velocity an agent with velocity v counts on, when the other does its share.
static double missWithShare(const thClearpathOwn* own, const thClearpathOther* other, thVec2 v,
                            double time)
{
    const double share = (double)other->share, rest = 1.0 - share;
    const double apexX = rest * (double)own->velocity.x + share * (double)other->velocity.x;
    const double apexY = rest * (double)own->velocity.y + share * (double)other->velocity.y;
    return missBy(other->p, ((double)v.x - apexX) / share, ((double)v.y - apexY) / share,
                  (double)other->both, time);
}

// What leads to a collision is forbidden; what round cones forbid leads to one; straight ones
// forbid a little more; longer horizons forbid more.
static void testCones(void** state)
{
    (void)state;
    int32_t collisions = 0, extra = 0;
    const int32_t cases = caseCount(200000, 2000000);
    for (int32_t number = 0; number < cases; ++number) {
        thGenerator g = makeGenerator(1, (uint64_t)number);
        const thClearpathOwn own = drawOwn(&g);
        const thClearpathOther other = drawOther(&g, 1.01f, 6.0f);
        const float horizon = drawFloat(&g, 0.2f, 3.0f);
        const thVec2 v = drawVec(&g, 2.0f);
        const thRegion line = thiClearpathCone(&own, &other, horizon, false, false);
        const thRegion round = thiClearpathCone(&own, &other, horizon, true, false);
        const thRegion longer = thiClearpathCone(&own, &other, 2.0f * horizon, false, false);
        const double miss = missWithShare(&own, &other, v, (double)horizon);
        if (miss < -ROUNDING) {
            collisions += 1;
            assert_true(thiIsInRegion(&line, v, 0.0f));
            assert_true(thiIsInRegion(&round, v, 0.0f));
        } else if (miss > ROUNDING) {
            assert_false(thiIsInRegion(&round, v, 0.0f));
            extra += thiIsInRegion(&line, v, 0.0f);
        }
        if (thiIsInRegion(&line, v, 1.0e-5f))
            assert_true(thiIsInRegion(&longer, v, 0.0f));
    }
    print_message("%d of %d collide; lines forbid %d others\n", collisions, cases, extra);
    assert_true(collisions > cases / 20);
    assert_true(extra > 0 && extra < collisions / 5);
}

// Larger bodies forbid more, and without a horizon a cone goes on to its apex.
static void testGrowth(void** state)
{
    (void)state;
    int32_t inside = 0, whole = 0;
    for (int32_t number = 0; number < caseCount(200000, 2000000); ++number) {
        thGenerator g = makeGenerator(11, (uint64_t)number);
        const thClearpathOwn own = drawOwn(&g);
        const thClearpathOther other = drawOther(&g, 1.3f, 6.0f);
        const float horizon = drawFloat(&g, 0.2f, 3.0f);
        const thVec2 v = drawVec(&g, 2.0f);
        thClearpathOther larger = other;
        larger.both *= drawFloat(&g, 1.01f, 1.25f);
        for (int32_t round = 0; round <= 1; ++round) {
            const thRegion cone = thiClearpathCone(&own, &other, horizon, round != 0, false);
            const thRegion wider = thiClearpathCone(&own, &larger, horizon, round != 0, false);
            if (thiIsInRegion(&cone, v, 1.0e-5f)) {
                inside += 1;
                assert_true(thiIsInRegion(&wider, v, 0.0f));
            }
        }
        const thRegion endless = thiClearpathCone(&own, &other, 1.0e9f, false, false);
        const double miss = missWithShare(&own, &other, v, 1.0e9);
        whole += miss < -ROUNDING;
        if (fabs(miss) > ROUNDING)
            assert_int_equal(thiIsInRegion(&endless, v, 0.0f), miss < 0.0);
    }
    assert_true(inside > 1000 && whole > 1000);
}

// On the axis a cone ends at share · (d − R) / horizon from its apex.
static void testCap(void** state)
{
    (void)state;
    for (int32_t number = 0; number < 10000; ++number) {
        thGenerator g = makeGenerator(2, (uint64_t)number);
        const thClearpathOwn own = drawOwn(&g);
        const thClearpathOther other = drawOther(&g, 1.1f, 6.0f);
        const float horizon = drawFloat(&g, 0.2f, 3.0f), distance = hypotf(other.p.x, other.p.y);
        const float cap = other.share * (distance - other.both) / horizon;
        for (int32_t round = 0; round <= 1; ++round) {
            const thRegion cone = thiClearpathCone(&own, &other, horizon, round != 0, false);
            for (int32_t side = -1; side <= 1; side += 2) {
                const float along = (cap + 1.0e-5f * (float)side) / distance, s = other.share;
                const thVec2 v = {
                    own.velocity.x + s * (other.velocity.x - own.velocity.x) + along * other.p.x,
                    own.velocity.y + s * (other.velocity.y - own.velocity.y) + along * other.p.y};
                assert_int_equal(thiIsInRegion(&cone, v, 0.0f), side > 0);
            }
        }
    }
}

// The share of the plane that a line forbids beyond a round front, against its formula: in units of
// (share / horizon)², R · leg − R² (π/2 − θ) − (d − R)² tan θ.
static void testExtraArea(void** state)
{
    (void)state;
    static const float factors[] = {1.05f, 2.0f, 4.0f};
    for (int32_t i = 0; i < 3; ++i) {
        const thClearpathOwn own = {{0.0f, 0.0f}, 2.0f, 0.1f, {{0.0f, 0.0f}, TH_NO_LIMIT}};
        const thClearpathOther other = {{factors[i], 0.0f}, {0.0f, 0.0f}, 1.0f, 1.0f, false, NULL};
        const thRegion line = thiClearpathCone(&own, &other, 1.0f, false, false);
        const thRegion round = thiClearpathCone(&own, &other, 1.0f, true, false);
        const double d = (double)factors[i], leg = sqrt(d * d - 1.0), theta = asin(1.0 / d);
        const double expected = leg - (1.57079632679 - theta) - (d - 1.0) * (d - 1.0) * tan(theta);
        thGenerator g = makeGenerator(3, (uint64_t)i);
        int32_t hits = 0;
        const int32_t samples = 400000;
        for (int32_t k = 0; k < samples; ++k) {
            const thVec2 v = {drawFloat(&g, 0.0f, factors[i]), drawFloat(&g, -1.0f, 1.0f)};
            hits += thiIsInRegion(&line, v, 0.0f) && !thiIsInRegion(&round, v, 0.0f);
        }
        const double area = 2.0 * d * hits / samples;
        print_message("distance %.2f R: lines forbid %.4f more, expected %.4f\n", d, area,
                      expected);
        assert_near(area, expected, 0.01);
    }
}

// The leg on the side on which the agent should not pass goes through the other's velocity.
static void testHybrid(void** state)
{
    (void)state;
    for (int32_t number = 0; number < 20000; ++number) {
        thGenerator g = makeGenerator(4, (uint64_t)number);
        const thClearpathOwn own = drawOwn(&g);
        const thClearpathOther other = drawOther(&g, 1.05f, 6.0f);
        const thRegion plain = thiClearpathCone(&own, &other, 2.0f, false, false);
        const thRegion hybrid = thiClearpathCone(&own, &other, 2.0f, false, true);
        const thVec2 w = {own.velocity.x - other.velocity.x, own.velocity.y - other.velocity.y};
        const int32_t wrong = other.p.x * w.y - other.p.y * w.x > 0.0f ? 0 : 1; // the right leg
        for (int32_t k = 0; k < 3; ++k) {
            const float through =
                hybrid.n[k].x * other.velocity.x + hybrid.n[k].y * other.velocity.y;
            assert_near(hybrid.o[k], k == wrong ? through : plain.o[k], 1.0e-6);
        }
    }
}

static thClearpathOwn mirrorOwn(const thClearpathOther* other)
{
    return (thClearpathOwn){other->velocity, 2.0f, 0.1f, {other->velocity, TH_NO_LIMIT}};
}

static thClearpathOther mirrorOther(const thClearpathOwn* own, const thClearpathOther* other)
{
    return (thClearpathOther){{-other->p.x, -other->p.y}, own->velocity,   other->both,
                              1.0f - other->share,        !other->isFirst, NULL};
}

// The present velocity passes on the side that it passes on, and both agents see the same side.
static void testOtherSide(void** state)
{
    (void)state;
    for (int32_t number = 0; number < 50000; ++number) {
        thGenerator g = makeGenerator(5, (uint64_t)number);
        thClearpathOwn own = drawOwn(&g);
        thClearpathOther other = drawOther(&g, 1.05f, 6.0f);
        if (number % 4 == 0) // head-on: the side is a matter of agreement
            other.velocity = (thVec2){own.velocity.x - other.p.x, own.velocity.y - other.p.y};
        const bool keepsLeft = number % 8 < 4;
        const thRegion side = thiClearpathOtherSide(&own, &other, keepsLeft);
        assert_false(thiIsInRegion(&side, own.velocity, 1.0e-5f));
        const thClearpathOwn there = mirrorOwn(&other);
        const thClearpathOther here = mirrorOther(&own, &other);
        const thRegion theirs = thiClearpathOtherSide(&there, &here, keepsLeft);
        assert_near(theirs.n[0].x, -side.n[0].x, 1.0e-6);
        assert_near(theirs.n[0].y, -side.n[0].y, 1.0e-6);
    }
}

// Whether two velocities are both allowed, and whether they collide.
typedef struct Pair {
    thClearpathOwn a, b;
    thClearpathOther bOfA, aOfB;
    thVec2 va, vb;
} Pair;

static Pair drawPair(thGenerator* g)
{
    Pair pair = {.a = drawOwn(g), .bOfA = drawOther(g, 1.01f, 5.0f)};
    pair.b = mirrorOwn(&pair.bOfA);
    pair.aOfB = mirrorOther(&pair.a, &pair.bOfA);
    pair.va = drawVec(g, 2.0f);
    pair.vb = drawVec(g, 2.0f);
    return pair;
}

static double missOf(const Pair* pair, double time)
{
    return missBy(pair->bOfA.p, (double)pair->va.x - (double)pair->vb.x,
                  (double)pair->va.y - (double)pair->vb.y, (double)pair->bOfA.both, time);
}

static bool areAllowedByFace(const Pair* pair, float horizon)
{
    const thRegion ofA = thiClearpathFace(&pair->a, &pair->bOfA, horizon, false);
    const thRegion ofB = thiClearpathFace(&pair->b, &pair->aOfB, horizon, false);
    return !thiIsInRegion(&ofA, pair->va, 0.0f) && !thiIsInRegion(&ofB, pair->vb, 0.0f);
}

// By mode 1, without the limits of a world.
static bool areAllowedByCone(const Pair* pair, float horizon)
{
    const thRegion regions[4] = {thiClearpathCone(&pair->a, &pair->bOfA, horizon, false, false),
                                 thiClearpathOtherSide(&pair->a, &pair->bOfA, false),
                                 thiClearpathCone(&pair->b, &pair->aOfB, horizon, false, false),
                                 thiClearpathOtherSide(&pair->b, &pair->aOfB, false)};
    bool allowed = true;
    for (int32_t i = 0; i < 4; ++i)
        allowed = allowed && !thiIsInRegion(&regions[i], i < 2 ? pair->va : pair->vb, 0.0f);
    return allowed;
}

// The side that a pair chooses is the one of the cone that the present velocity is furthest outside
// of, or least inside of.
static void testFaceIsFurthest(void** state)
{
    (void)state;
    int32_t chosen[3] = {0, 0, 0};
    for (int32_t number = 0; number < 50000; ++number) {
        thGenerator g = makeGenerator(10, (uint64_t)number);
        const float horizon = drawFloat(&g, 0.2f, 3.0f);
        const Pair pair = drawPair(&g);
        const thRegion cone = thiClearpathCone(&pair.a, &pair.bOfA, horizon, false, false);
        const thRegion face = thiClearpathFace(&pair.a, &pair.bOfA, horizon, false);
        double out[3], most = -1.0e30;
        for (int32_t k = 0; k < 3; ++k) {
            out[k] = (double)cone.o[k] - (double)cone.n[k].x * (double)pair.a.velocity.x -
                     (double)cone.n[k].y * (double)pair.a.velocity.y;
            most = fmax(most, out[k]);
        }
        bool found = false;
        for (int32_t k = 0; k < 3; ++k) {
            const bool isIt = out[k] > most - 1.0e-5 && isNear(face.n[0].x, cone.n[k].x, 1.0e-5) &&
                              isNear(face.n[0].y, cone.n[k].y, 1.0e-5) &&
                              isNear(face.o[0], cone.o[k], 1.0e-5);
            found = found || isIt;
            chosen[k] += isIt;
        }
        assert_true(found);
        const thRegion side = thiClearpathSideAt(&cone, pair.a.velocity);
        assert_true((double)side.o[0] - (double)side.n[0].x * (double)pair.a.velocity.x -
                        (double)side.n[0].y * (double)pair.a.velocity.y >
                    most - 1.0e-5);
    }
    for (int32_t k = 0; k < 3; ++k)
        assert_true(chosen[k] > 1000);
}

// Two who both obey one half-plane never collide within the horizon.
static void testFaces(void** state)
{
    (void)state;
    int32_t feasible = 0, deepest = 0;
    const int32_t wanted = caseCount(1000000, 10000000);
    for (int32_t number = 0; feasible < wanted; ++number) {
        thGenerator g = makeGenerator(6, (uint64_t)number);
        const float horizon = drawFloat(&g, 0.2f, 3.0f);
        const Pair pair = drawPair(&g);
        if (!areAllowedByFace(&pair, horizon))
            continue;
        feasible += 1;
        const double miss = missOf(&pair, (double)horizon);
        deepest += miss < 0.0;
        if (miss < -1.0e-5)
            fail_msg("case %d: they overlap by %g", number, -miss);
    }
    print_message("%d pairs obey, none collides; %d by rounding\n", feasible, deepest);
}

// With mode 1 a few do: who slows down, and who turns away from a leg, need not agree. That is the
// gap in the paper's theorem, and one known case of it.
static void testTheoremGap(void** state)
{
    (void)state;
    Pair pair = {.a = {{0.5f, 0.01f}, 2.0f, 0.1f, {{0.5f, 0.01f}, TH_NO_LIMIT}},
                 .bOfA = {{2.0f, 0.0f}, {-0.5f, -0.01f}, 0.5f, 0.5f, true},
                 .va = {0.74f, 0.001f},
                 .vb = {-1.5f, -0.392f}};
    pair.b = mirrorOwn(&pair.bOfA);
    pair.aOfB = mirrorOther(&pair.a, &pair.bOfA);
    assert_true(areAllowedByCone(&pair, 1.0f));
    assert_true(missOf(&pair, 1.0) < -1.0e-3);
    assert_true(missOf(&pair, 0.70) > 0.0 && missOf(&pair, 0.72) < 0.0);
    assert_false(areAllowedByFace(&pair, 1.0f));

    int32_t feasible = 0, colliding = 0;
    for (int32_t number = 0; number < caseCount(1000000, 4000000); ++number) {
        thGenerator g = makeGenerator(7, (uint64_t)number);
        const float horizon = drawFloat(&g, 0.2f, 3.0f);
        pair = drawPair(&g);
        if (!areAllowedByCone(&pair, horizon))
            continue;
        feasible += 1;
        colliding += missOf(&pair, (double)horizon) < -1.0e-4;
    }
    print_message("mode 1: %d of %d allowed pairs collide\n", colliding, feasible);
    assert_true(colliding > 0 && colliding < feasible / 1000);
}

// What can be reached and still overlaps after the step is forbidden, by every rule; the rule of
// centres only where one step is enough to part.
static void testPartingLeaksNothing(void** state)
{
    (void)state;
    static const thClearpathOverlap rules[] = {th_clearpathCenters, th_clearpathNearest,
                                               th_clearpathWedge};
    int32_t tested[3] = {0, 0, 0}, wedges = 0;
    for (int32_t number = 0; number < caseCount(3000, 50000); ++number) {
        thGenerator g = makeGenerator(8, (uint64_t)number);
        const thClearpathOwn own = drawOwn(&g);
        const thClearpathOther other = drawOther(&g, 0.0f, 1.0f);
        const float distance = hypotf(other.p.x, other.p.y);
        const float needed = other.share * (other.both - distance) / own.dt;
        const float reach = fminf(own.reachable.radius, own.maxSpeed);
        for (int32_t i = 0; i < 3; ++i) {
            const thRegion region = thiClearpathParting(&own, &other, rules[i]);
            // Wedges that are none: the rule of centres.
            const bool centers = i == 0 || (i == 2 && region.sides == 1);
            wedges += i == 2 && region.sides == 2;
            if (centers && needed > reach)
                continue;
            for (int32_t k = 0; k < 100; ++k) {
                const float angle = drawFloat(&g, 0.0f, 6.2831853f);
                const float radius = fminf(own.reachable.radius, 4.0f) * sqrtf(drawUnit(&g));
                const thVec2 v = {own.reachable.center.x + radius * cosf(angle),
                                  own.reachable.center.y + radius * sinf(angle)};
                // After the step, not on the way.
                const double share = (double)other.share, dt = (double)own.dt;
                const double apexX =
                    (1.0 - share) * (double)own.velocity.x + share * (double)other.velocity.x;
                const double apexY =
                    (1.0 - share) * (double)own.velocity.y + share * (double)other.velocity.y;
                const double x = (double)other.p.x - dt * ((double)v.x - apexX) / share;
                const double y = (double)other.p.y - dt * ((double)v.y - apexY) / share;
                if (hypot(x, y) > (double)other.both - ROUNDING)
                    continue;
                tested[i] += 1;
                assert_true(thiIsInRegion(&region, v, 0.0f));
            }
        }
    }
    print_message("still overlapping: %d by centres, %d nearest, %d wedge; %d wedges\n", tested[0],
                  tested[1], tested[2], wedges);
    for (int32_t i = 0; i < 3; ++i)
        assert_true(tested[i] > 1000);
    assert_true(wedges > 100);
}

// Two on one point part in opposite directions.
static void testOnePoint(void** state)
{
    (void)state;
    const thClearpathOwn own = {{0.0f, 0.0f}, 2.0f, 0.1f, {{0.0f, 0.0f}, TH_NO_LIMIT}};
    for (int32_t rule = th_clearpathCenters; rule <= th_clearpathWedge; ++rule) {
        thClearpathOther other = {{0.0f, 0.0f}, {0.0f, 0.0f}, 0.5f, 0.5f, true, NULL};
        const thRegion first = thiClearpathParting(&own, &other, (thClearpathOverlap)rule);
        other.isFirst = false;
        const thRegion second = thiClearpathParting(&own, &other, (thClearpathOverlap)rule);
        assert_true(first.n[0].x == -second.n[0].x && fabsf(first.n[0].x) == 1.0f);
        assert_false(thiIsInRegion(&first, (thVec2){-2.0f, 0.0f}, 0.0f));
        assert_true(thiIsInRegion(&first, (thVec2){1.9f, 0.0f}, 0.0f));
    }
}

// Walls: what leads into one within the horizon is forbidden, also by a moving one.
static void testWalls(void** state)
{
    (void)state;
    int32_t hits = 0, misses = 0;
    for (int32_t number = 0; number < caseCount(200000, 2000000); ++number) {
        thGenerator g = makeGenerator(9, (uint64_t)number);
        const thVec2 a = drawVec(&g, 2.0f);
        const thVec2 b = number % 8 == 0 ? a : drawVec(&g, 2.0f);
        const thClearpathEdge wall = {a, b, drawVec(&g, 1.0f), drawFloat(&g, 0.0f, 0.5f), NULL};
        const float horizon = drawFloat(&g, 0.2f, 2.0f);
        const thVec2 v = drawVec(&g, 2.0f);
        thRegion region;
        if (!thiClearpathWallRegion(&wall, horizon, &region))
            continue;
        const bool inside = thiIsInRegion(&region, v, 0.0f);
        if (region.sides == 1) { // in contact: not further in
            misses += !inside;
            continue;
        }
        // The nearest the agent comes to any of many points of the wall.
        double least = 1.0e9;
        for (int32_t i = 0; i <= 40; ++i) {
            const float along = (float)i / 40.0f;
            const thVec2 p = {a.x + along * (b.x - a.x), a.y + along * (b.y - a.y)};
            least = fmin(least, missBy(p, (double)v.x - (double)wall.velocity.x,
                                       (double)v.y - (double)wall.velocity.y, (double)wall.both,
                                       (double)horizon));
        }
        if (least < -ROUNDING) {
            hits += 1;
            assert_true(inside);
        }
    }
    assert_true(hits > 10000 && misses > 1000);
    const thClearpathEdge through = {{-1.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 0.0f}, 0.25f, NULL};
    thRegion region;
    assert_false(thiClearpathWallRegion(&through, 1.0f, &region));
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCones),      cmocka_unit_test(testGrowth),
        cmocka_unit_test(testCap),        cmocka_unit_test(testExtraArea),
        cmocka_unit_test(testHybrid),     cmocka_unit_test(testOtherSide),
        cmocka_unit_test(testFaces),      cmocka_unit_test(testFaceIsFurthest),
        cmocka_unit_test(testTheoremGap), cmocka_unit_test(testPartingLeaksNothing),
        cmocka_unit_test(testOnePoint),   cmocka_unit_test(testWalls)};
    return RUN_TESTS(tests, argc, argv);
}
