// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What polygons forbid each other by `clearpath`, held against collisions that are looked for by
// moving both.

#include "avoid/clearpath/clearpath_regions.h"
#include "base/core.h"
#include "gear/gear.h"
#include "geom/convex_oracle.h"

#include <stdlib.h>

// What rounding may do. [m, m/s]
#define ROUNDING 1.0e-4

static thVec2 drawVec(thGenerator* g, float size)
{
    const float x = drawFloat(g, -size, size);
    return (thVec2){x, drawFloat(g, -size, size)};
}

// Two bodies, one of them a polygon at least, and what `clearpath` is told of them.
typedef struct Pair {
    thBodyShape shapes[2];
    thClearpathBody bodies[2];
    thConvexBody plain[2]; // for the oracle
    thVec2 velocities[2];
    thClearance clearance;
    thClearpathOwn own;
    thClearpathOther other;
} Pair;

static thConvexBody plainOf(const thClearpathBody* body)
{
    if (body->shape != NULL)
        return thiTurnShape(body->shape, body->heading);
    return (thConvexBody){.count = 1, .radius = body->radius};
}

static thClearpathOwn ownOf(thVec2 velocity)
{
    return (thClearpathOwn){velocity, 1000.0f, 0.1f, {{0.0f, 0.0f}, TH_NO_LIMIT}};
}

// As the first sees the second, which is at p.
static void look(Pair* pair, thVec2 p, float share)
{
    pair->clearance = thiClearpathPair(&pair->bodies[0], &pair->bodies[1], p, true);
    pair->own = ownOf(pair->velocities[0]);
    pair->other = (thClearpathOther){
        p,    pair->velocities[1], pair->bodies[0].radius + pair->bodies[1].radius, share,
        true, &pair->clearance};
}

static void drawPair(thGenerator* g, float distance, Pair* pair)
{
    const uint32_t kind = drawU32(g) % 4; // 0: the first is a disc, 1: the second is
    for (int32_t i = 0; i < 2; ++i) {
        pair->shapes[i] = drawBodyShape(g, i == 0 ? 1.0f : drawFloat(g, 0.2f, 3.0f));
        pair->bodies[i] = (thClearpathBody){kind == (uint32_t)i ? NULL : &pair->shapes[i],
                                            drawFloat(g, -3.2f, 3.2f), drawFloat(g, 0.1f, 1.0f)};
        pair->plain[i] = plainOf(&pair->bodies[i]);
        pair->velocities[i] = drawVec(g, 1.5f);
    }
    const float share = drawU32(g) % 4 == 0 ? drawFloat(g, 0.1f, 1.0f) : 0.5f;
    look(pair, drawVec(g, distance), share);
}

// The same as the second sees the first.
static void turnRound(const Pair* pair, Pair* back)
{
    for (int32_t i = 0; i < 2; ++i) {
        back->bodies[i] = pair->bodies[1 - i];
        back->plain[i] = pair->plain[1 - i];
        back->velocities[i] = pair->velocities[1 - i];
    }
    look(back, thiNegate(pair->other.p), 1.0f - pair->other.share);
}

// By how much both miss each other within a time, with a relative velocity.
static double missBy(const Pair* pair, double wx, double wy, double time)
{
    return leastGap(&pair->plain[0], &pair->plain[1], (double)pair->other.p.x,
                    (double)pair->other.p.y, wx, wy, time);
}

// The same with the one that an agent with velocity v counts on, when the other does its share.
static double missWithShare(const Pair* pair, thVec2 v, double time)
{
    const double share = (double)pair->other.share, rest = 1.0 - share;
    const thVec2 own = pair->velocities[0], other = pair->velocities[1];
    return missBy(pair, ((double)v.x - rest * (double)own.x - share * (double)other.x) / share,
                  ((double)v.y - rest * (double)own.y - share * (double)other.y) / share, time);
}

// What leads to a collision is forbidden; what is outside of the legs never leads to one.
static void testCones(void** state)
{
    (void)state;
    int32_t collisions = 0, extra = 0;
    const int32_t cases = caseCount(8000, 200000);
    for (int32_t number = 0; number < cases; ++number) {
        thGenerator g = makeGenerator(1, (uint64_t)number);
        Pair pair;
        drawPair(&g, 6.0f, &pair);
        const float horizon = drawFloat(&g, 0.2f, 3.0f);
        if (thiClearpathOverlaps(&pair.other))
            continue;
        const thRegion cone = thiClearpathCone(&pair.own, &pair.other, horizon, false, false);
        const thRegion round = thiClearpathCone(&pair.own, &pair.other, horizon, true, false);
        thRegion legs = cone;
        legs.sides = 2;
        const thVec2 v = drawVec(&g, 2.0f);
        const double miss = missWithShare(&pair, v, (double)horizon);
        if (miss < -ROUNDING) {
            collisions += 1;
            assert_true(thiIsInRegion(&cone, v, 0.0f));
        } else if (miss > ROUNDING) {
            extra += thiIsInRegion(&cone, v, 0.0f);
        }
        if (!thiIsInRegion(&legs, v, 0.0f))
            assert_true(missWithShare(&pair, v, 30.0) > -ROUNDING);
        assert_memory_equal(&round, &cone, sizeof cone); // a line all the same
    }
    print_message("%d of %d collide; lines forbid %d others\n", collisions, cases, extra);
    assert_true(collisions > cases / 20);
    assert_true(extra > 0 && extra < collisions);
}

// In mode h, two who both obey do not collide within the horizon.
static void testFaces(void** state)
{
    (void)state;
    int32_t obeying = 0;
    const int32_t cases = caseCount(20000, 500000);
    for (int32_t number = 0; number < cases; ++number) {
        thGenerator g = makeGenerator(2, (uint64_t)number);
        Pair pair;
        drawPair(&g, 5.0f, &pair);
        const float horizon = drawFloat(&g, 0.2f, 3.0f);
        if (thiClearpathOverlaps(&pair.other))
            continue;
        Pair back;
        turnRound(&pair, &back);
        const thRegion mine = thiClearpathFace(&pair.own, &pair.other, horizon, false);
        const thRegion theirs = thiClearpathFace(&back.own, &back.other, horizon, false);
        const thVec2 v = drawVec(&g, 2.0f), w = drawVec(&g, 2.0f);
        if (thiIsInRegion(&mine, v, 0.0f) || thiIsInRegion(&theirs, w, 0.0f))
            continue;
        obeying += 1;
        assert_true(missBy(&pair, (double)v.x - (double)w.x, (double)v.y - (double)w.y,
                           (double)horizon) > -ROUNDING);
    }
    print_message("%d of %d obey\n", obeying, cases);
    assert_true(obeying > cases / 10);
}

// Two who overlap and do their share are apart after the step.
static void testOverlaps(void** state)
{
    (void)state;
    int32_t overlaps = 0;
    for (int32_t number = 0; number < 20000; ++number) {
        thGenerator g = makeGenerator(3, (uint64_t)number);
        Pair pair;
        drawPair(&g, 1.5f, &pair);
        const double depth = -bodyGap(&pair.plain[0], &pair.plain[1], (double)pair.other.p.x,
                                      (double)pair.other.p.y);
        if (fabs(depth) > ROUNDING)
            assert_int_equal(thiClearpathOverlaps(&pair.other), depth > 0.0);
        if (!thiClearpathOverlaps(&pair.other))
            continue;
        overlaps += 1;
        Pair back;
        turnRound(&pair, &back);
        const thRegion mine = thiClearpathParting(&pair.own, &pair.other, th_clearpathCenters);
        const thRegion wedge = thiClearpathParting(&pair.own, &pair.other, th_clearpathWedge);
        const thRegion theirs = thiClearpathParting(&back.own, &back.other, th_clearpathNearest);
        assert_memory_equal(&wedge, &mine, sizeof mine); // whatever the rule
        assert_int_equal(mine.sides, 1);
        const thVec2 v = thiAddScaled(pair.velocities[0],
                                      mine.o[0] - thiDot(mine.n[0], pair.velocities[0]), mine.n[0]);
        const thVec2 w = thiAddScaled(
            back.velocities[0], theirs.o[0] - thiDot(theirs.n[0], back.velocities[0]), theirs.n[0]);
        const double dt = 0.1;
        assert_true(bodyGap(&pair.plain[0], &pair.plain[1],
                            (double)pair.other.p.x - dt * ((double)v.x - (double)w.x),
                            (double)pair.other.p.y - dt * ((double)v.y - (double)w.y)) >
                    -2.0 * ROUNDING);
    }
    print_message("%d overlap\n", overlaps);
    assert_true(overlaps > 2000);
}

// Walls and discs among movers; in contact nobody may go deeper.
static void testWalls(void** state)
{
    (void)state;
    int32_t collisions = 0, contacts = 0;
    const int32_t cases = caseCount(10000, 200000);
    for (int32_t number = 0; number < cases; ++number) {
        thGenerator g = makeGenerator(4, (uint64_t)number);
        const thBodyShape shape = drawBodyShape(&g, 2.0f);
        const thClearpathBody body = {&shape, drawFloat(&g, -3.2f, 3.2f), 0.25f};
        const thVec2 a = drawVec(&g, 4.0f);
        const thVec2 b = drawU32(&g) % 8 == 0 ? a : drawVec(&g, 4.0f);
        const float radius = drawU32(&g) % 2 == 0 ? 0.0f : drawFloat(&g, 0.0f, 1.0f);
        const float horizon = drawFloat(&g, 0.2f, 2.0f);
        const thClearance clearance = thiClearpathShapeAtWall(&body, a, b, radius);
        const thClearpathEdge wall = {a, b, drawVec(&g, 1.0f), radius, &clearance};
        const bool isPoint = a.x == b.x && a.y == b.y;
        const thConvexBody plain = thiTurnShape(&shape, body.heading);
        const thConvexBody edge = {.count = isPoint ? 1 : 2, .corners = {a, b}, .radius = radius};
        const double gap = bodyGap(&plain, &edge, 0.0, 0.0);
        const thVec2 v = drawVec(&g, 2.0f);
        const double wx = (double)v.x - (double)wall.velocity.x;
        const double wy = (double)v.y - (double)wall.velocity.y;
        thRegion region;
        assert_true(thiClearpathWallRegion(&wall, horizon, &region));
        if (gap > ROUNDING) {
            const double miss = leastGap(&plain, &edge, 0.0, 0.0, wx, wy, (double)horizon);
            collisions += miss < -ROUNDING;
            if (miss < -ROUNDING)
                assert_true(thiIsInRegion(&region, v, 0.0f));
        } else if (gap < -ROUNDING) {
            contacts += 1;
            assert_int_equal(region.sides, 1);
            const double later = bodyGap(&plain, &edge, -1e-3 * wx, -1e-3 * wy);
            if (!thiIsInRegion(&region, v, 0.0f))
                assert_true(later > gap - 1e-5);
        }
    }
    print_message("%d of %d collide, %d in contact\n", collisions, cases, contacts);
    assert_true(collisions > cases / 50 && contacts > cases / 50);
}

// A regular polygon of 8 corners lies between two discs, and so does what it forbids.
static void testNearlyDiscs(void** state)
{
    (void)state;
    thVec2 points[8];
    for (int32_t i = 0; i < 8; ++i)
        points[i] =
            (thVec2){0.5f * cosf(0.78539816f * (float)i), 0.5f * sinf(0.78539816f * (float)i)};
    thBodyShape shape;
    assert_int_equal(thMakeBodyShape(points, 8, &shape, NULL), th_resultOk);
    const float inner = 0.5f * cosf(0.39269908f);
    for (int32_t number = 0; number < 20000; ++number) {
        thGenerator g = makeGenerator(5, (uint64_t)number);
        const thClearpathBody own = {&shape, drawFloat(&g, -3.0f, 3.0f), 0.5f};
        const thClearpathBody other = {&shape, drawFloat(&g, -3.0f, 3.0f), 0.5f};
        const float angle = drawFloat(&g, -3.2f, 3.2f), distance = drawFloat(&g, 1.05f, 5.0f);
        const thVec2 p = {distance * cosf(angle), distance * sinf(angle)};
        const thClearance clearance = thiClearpathPair(&own, &other, p, true);
        const thClearpathOwn self = ownOf(drawVec(&g, 1.5f));
        thClearpathOther neighbor = {p, drawVec(&g, 1.5f), 1.0f, 0.5f, true, &clearance};
        const thRegion polygon = thiClearpathCone(&self, &neighbor, 2.0f, false, false);
        neighbor.clearance = NULL;
        const thRegion large = thiClearpathCone(&self, &neighbor, 2.0f, true, false);
        neighbor.both = 2.0f * inner;
        const thRegion small = thiClearpathCone(&self, &neighbor, 2.0f, true, false);
        const thVec2 v = drawVec(&g, 2.0f);
        thRegion legs = polygon, largeLegs = large;
        legs.sides = 2;
        largeLegs =
            (thRegion){.sides = 2, .n = {large.n[0], large.n[1]}, .o = {large.o[0], large.o[1]}};
        if (thiIsInRegion(&small, v, 1.0e-5f))
            assert_true(thiIsInRegion(&polygon, v, 0.0f));
        if (thiIsInRegion(&legs, v, 1.0e-5f))
            assert_true(thiIsInRegion(&largeLegs, v, 0.0f));
        assert_true(fabsf(clearance.distance - (distance - 1.0f)) < 2.0f * (0.5f - inner) + 1e-5f);
    }
}

// Cars on lanes of their own pass each other, where discs round them would have to give way.
static void testLanes(void** state)
{
    (void)state;
    static const thVec2 corners[] = {{2.0f, 0.9f}, {-2.0f, 0.9f}, {-2.0f, -0.9f}, {2.0f, -0.9f}};
    thBodyShape car;
    assert_int_equal(thMakeBodyShape(corners, 4, &car, NULL), th_resultOk);
    const thClearpathDef def = thDefaultClearpathDef();
    thAvoidSelf self = {{3.0f, 0.0f}, {3.0f, 0.0f}, 0.9f, 4.0f, 0.0f, &car, 0.0f};
    thAvoidNeighbor other = {{8.0f, 1.85f}, {-3.0f, 0.0f}, 0.9f, 0.5f, &car, 3.14159265f, 0};
    thVec2 v;
    thClearpathStatus status;
    assert_int_equal(thClearpath_Solve(&def, 0.1f, &self, &other, 1, NULL, 0, &v, &status),
                     th_resultOk);
    assert_int_equal(status, th_clearpathFree);
    other.position.y = 1.75f;
    thClearpath_Solve(&def, 0.1f, &self, &other, 1, NULL, 0, &v, &status);
    assert_int_equal(status, th_clearpathConstrained);
    assert_true(v.y < 0.0f && v.y > -0.2f);
    other.position = (thVec2){3.5f, 0.0f}; // overlapping: it goes back
    thClearpath_Solve(&def, 0.1f, &self, &other, 1, NULL, 0, &v, &status);
    assert_int_equal(status, th_clearpathOverlapping);
    assert_true(v.x < 0.0f);
    const thAvoidWall wall = {{2.1f, -5.0f}, {2.1f, 5.0f}, {0.0f, 0.0f}, 0.0f};
    thClearpath_Solve(&def, 0.1f, &self, NULL, 0, &wall, 1, &v, &status);
    assert_near((double)v.x, 0.1 / 0.5, 1e-4); // a tenth of a metre in wallHorizon
}

// What nobody can be.
static void testRefused(void** state)
{
    (void)state;
    const thClearpathDef def = thDefaultClearpathDef();
    thBodyShape shape = {3, {{1.0f, 0.0f}, {-1.0f, 1.0f}, {-1.0f, -1.0f}}};
    thBodyShape good;
    assert_int_equal(thMakeBodyShape(shape.corners, 3, &good, NULL), th_resultOk);
    thAvoidSelf self = {.maxSpeed = 1.0f, .shape = &good};
    thAvoidNeighbor other = {{8.0f, 1.0f}, .share = 0.5f, .shape = &good};
    thVec2 v;
    thClearpathStatus status;
    const thResult refused = th_resultBadArgument;
    assert_int_equal(thClearpath_Solve(&def, 0.1f, &self, &other, 1, NULL, 0, &v, &status),
                     th_resultOk);
    self.heading = NAN;
    assert_int_equal(thClearpath_Solve(&def, 0.1f, &self, &other, 1, NULL, 0, &v, &status),
                     refused);
    self.heading = 0.0f;
    other.shape = &shape; // begins with another corner
    assert_int_equal(thClearpath_Solve(&def, 0.1f, &self, &other, 1, NULL, 0, &v, &status),
                     refused);
    other.shape = &good;
    self.shape = &(thBodyShape){.count = 9};
    assert_int_equal(thClearpath_Solve(&def, 0.1f, &self, &other, 1, NULL, 0, &v, &status),
                     refused);
}

// A shape without corners is a disc.
static void testNoCorners(void** state)
{
    (void)state;
    const thClearpathDef def = thDefaultClearpathDef();
    const thBodyShape none = {0};
    const thAvoidWall wall = {{1.0f, -1.0f}, {1.0f, 1.0f}, {0.0f, 0.0f}, 0.0f};
    thVec2 v[2];
    for (int32_t i = 0; i < 2; ++i) {
        const thBodyShape* shape = i == 0 ? NULL : &none;
        const thAvoidSelf self = {
            .wanted = {1.0f, 0.2f}, .radius = 0.4f, .maxSpeed = 2.0f, .shape = shape};
        const thAvoidNeighbor other = {
            {1.1f, 0.3f}, {-0.6f, 0.0f}, .radius = 0.3f, .share = 0.5f, .shape = shape};
        thClearpathStatus status;
        assert_int_equal(thClearpath_Solve(&def, 0.1f, &self, &other, 1, &wall, 1, &v[i], &status),
                         th_resultOk);
    }
    assert_memory_equal(&v[0], &v[1], sizeof v[0]);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCones),       cmocka_unit_test(testFaces),
        cmocka_unit_test(testOverlaps),    cmocka_unit_test(testWalls),
        cmocka_unit_test(testNearlyDiscs), cmocka_unit_test(testLanes),
        cmocka_unit_test(testRefused),     cmocka_unit_test(testNoCorners),
    };
    return RUN_TESTS(tests, argc, argv);
}
