// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The nearest point outside of regions: never beaten, and never inside.

#include "gear/gear.h"
#include "velocity/outside_paper.h"
#include "velocity/region_oracle.h"

#include <stdlib.h>

// What rounding may do to places. [m/s]
#define ROUNDING 1.0e-5

static int64_t asked, answers[3];

// The answer lies between those for regions that are a little larger and a little smaller.
static bool isOptimal(const thOutsideProblem* problem)
{
    thVec2 v;
    const thOutsideAnswer answer = thiNearestOutside(problem, &v);
    asked += 1;
    answers[answer] += 1;
    const double distance = answer == th_outsideNone
                                ? INFINITY
                                : hypot((double)v.x - (double)problem->wanted.x,
                                        (double)v.y - (double)problem->wanted.y);
    const double tolerance = (double)problem->tolerance;
    const double farthest = oracleDistance(problem, ROUNDING);
    const double nearest = oracleDistance(problem, -tolerance - ROUNDING);
    if (distance > farthest + ROUNDING || distance < nearest - ROUNDING) {
        print_message("answer %d at %.9g, expected %.9g to %.9g\n", answer, distance, nearest,
                      farthest);
        return false;
    }
    if (answer == th_outsideNone)
        return true;
    const double x = (double)v.x, y = (double)v.y;
    if (answer == th_outsideFree &&
        beyondDiscs(problem, (double)problem->wanted.x, (double)problem->wanted.y) <= 0.0)
        return sameBits(v.x, problem->wanted.x) && sameBits(v.y, problem->wanted.y);
    // Places on round fronts may be beyond the discs by the tolerance.
    const double beyond = problem->regionCount > 0 && problem->regions[0].cap.radius > 0.0f
                              ? tolerance + ROUNDING
                              : ROUNDING;
    return depthIn(problem, x, y) <= tolerance + ROUNDING && beyondDiscs(problem, x, y) <= beyond;
}

static bool holds(thGenerator* g, int32_t size, void* context)
{
    static RegionSet set;
    drawRegions(g, (RegionKind)(drawU32(g) % region_kindCount), size, *(const bool*)context, &set);
    return isOptimal(&set.problem);
}

static void checkOptimal(bool round, uint64_t seed, int32_t cases)
{
    asked = answers[0] = answers[1] = answers[2] = 0;
    assertProperty(&(thProperty){.name = round ? "round" : "straight",
                                 .seed = seed,
                                 .caseCount = cases,
                                 .maxSize = 16,
                                 .holds = holds,
                                 .context = &round});
    print_message("%lld asked: %lld free, %lld on a border, %lld without an answer\n",
                  (long long)asked, (long long)answers[0], (long long)answers[1],
                  (long long)answers[2]);
    for (int32_t i = 0; i < 3; ++i)
        assert_true(answers[i] > asked / 50);
}

static void testStraight(void** state)
{
    (void)state;
    checkOptimal(false, 1, caseCount(20000, 400000));
}

static void testRound(void** state)
{
    (void)state;
    checkOptimal(true, 2, caseCount(10000, 200000));
}

// One neighbour, or two, in short steps: where its front crosses the limits is all that is left.
static bool isFoundSoon(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static RegionSet set;
    drawRegions(g, region_soon, 1 + size % 2, true, &set);
    return isOptimal(&set.problem);
}

static void testSoon(void** state)
{
    (void)state;
    asked = 0;
    assertProperty(&(thProperty){.name = "soon",
                                 .seed = 4,
                                 .caseCount = caseCount(100000, 2000000),
                                 .maxSize = 1,
                                 .holds = isFoundSoon});
    assert_true(asked >= caseCount(100000, 2000000));
}

// No point of a dense sample is allowed and nearer: an oracle that knows nothing of borders.
static void testSamples(void** state)
{
    (void)state;
    static RegionSet set;
    const int32_t cases = caseCount(300, 10000);
    for (int32_t number = 0; number < cases; ++number) {
        thGenerator g = makeGenerator(3, (uint64_t)number);
        drawRegions(&g, (RegionKind)(number % region_kindCount), 10, number % 2 == 0, &set);
        const thOutsideProblem* problem = &set.problem;
        thVec2 v;
        if (thiNearestOutside(problem, &v) == th_outsideNone)
            v = (thVec2){1000.0f, 0.0f}; // whatever is allowed beats it
        const double wantedX = (double)problem->wanted.x, wantedY = (double)problem->wanted.y;
        const double distance = hypot((double)v.x - wantedX, (double)v.y - wantedY);
        const double reach = fmin(distance, 4.0);
        for (int32_t i = 0; i < 10000; ++i) {
            const double radius = reach * sqrt((double)drawUnit(&g));
            const double angle = 6.2831853 * (double)drawUnit(&g);
            const double x = wantedX + radius * cos(angle), y = wantedY + radius * sin(angle);
            const bool allowed = depthIn(problem, x, y) <= 0.0 && beyondDiscs(problem, x, y) <= 0.0;
            assert_false(allowed && radius < distance - 1.0e-4);
        }
    }
}

// Regions whose borders meet where they should: the answer is known.
static void testKnown(void** state)
{
    (void)state;
    thVec2 v;
    thRegion regions[2] = {{.sides = 1, .n = {{1.0f, 0.0f}}, .o = {0.5f}},
                           {.sides = 1, .n = {{0.0f, 1.0f}}, .o = {0.25f}}};
    thOutsideProblem problem = {.wanted = {1.0f, 1.0f},
                                .discs = {{{0.0f, 0.0f}, 2.0f}, {{0.0f, 0.0f}, TH_NO_LIMIT}},
                                .tolerance = 1.0e-6f,
                                .regionCount = 2,
                                .regions = regions};
    assert_int_equal(thiNearestOutside(&problem, &v), th_outsideBorder);
    assert_near(v.x, 0.5, 1.0e-5);
    assert_near(v.y, 0.25, 1.0e-5);

    regions[1] = (thRegion){.sides = 1, .n = {{-1.0f, 0.0f}}, .o = {-0.5f}}; // x < 0.5
    assert_int_equal(thiNearestOutside(&problem, &v), th_outsideBorder); // the line between them
    assert_near(v.x, 0.5, 1.0e-5);
    assert_near(v.y, 1.0, 1.0e-5);

    regions[1].o[0] = -0.6f; // x < 0.6: they overlap
    assert_int_equal(thiNearestOutside(&problem, &v), th_outsideNone);

    problem.regionCount = 0;
    problem.wanted = (thVec2){3.0f, 4.0f};
    assert_int_equal(thiNearestOutside(&problem, &v), th_outsideFree);
    assert_near(v.x, 1.2, 1.0e-6);
    assert_near(v.y, 1.6, 1.0e-6);
}

// Round fronts forbid less, but nothing that leads to a collision in time.
static void testRoundForbidsLess(void** state)
{
    (void)state;
    for (int32_t number = 0; number < 20000; ++number) {
        thGenerator g = makeGenerator(4, (uint64_t)number);
        const float both = drawFloat(&g, 0.05f, 1.0f), horizon = drawFloat(&g, 0.2f, 3.0f);
        const float angle = drawFloat(&g, 0.0f, 6.28f), far = both * drawFloat(&g, 1.05f, 5.0f);
        const thVec2 p = {far * cosf(angle), far * sinf(angle)}, apex = {0.0f, 0.0f};
        const thVec2 v = {drawFloat(&g, -2.0f, 2.0f), drawFloat(&g, -2.0f, 2.0f)};
        const thRegion straight = coneOf(p, both, apex, 0.5f, horizon, false);
        const thRegion round = coneOf(p, both, apex, 0.5f, horizon, true);
        // The relative velocity is twice v; the nearest approach within the horizon.
        const double wx = 2.0 * (double)v.x, wy = 2.0 * (double)v.y;
        const double along = ((double)p.x * wx + (double)p.y * wy) / (wx * wx + wy * wy);
        const double t = fmin(fmax(along, 0.0), (double)horizon);
        const double gap = hypot((double)p.x - t * wx, (double)p.y - t * wy) - (double)both;
        if (gap < -1.0e-4)
            assert_true(thiIsInRegion(&round, v, 0.0f) && thiIsInRegion(&straight, v, 0.0f));
        if (gap > 1.0e-4)
            assert_false(thiIsInRegion(&round, v, 0.0f));
    }
}

// The two solvers, case by case.
typedef struct Comparison {
    int64_t cases, apart;
} Comparison;

static double distanceTo(const thOutsideProblem* problem, thOutsideAnswer answer, thVec2 v)
{
    return answer == th_outsideNone ? INFINITY
                                    : hypot((double)v.x - (double)problem->wanted.x,
                                            (double)v.y - (double)problem->wanted.y);
}

static void compareSolvers(RegionKind kind, int32_t cases, Comparison* comparison)
{
    static RegionSet set;
    static thBorderCrossing room[TH_REGION_SIDES * REGIONS + 2];
    *comparison = (Comparison){0, 0};
    for (int32_t number = 0; number < cases; ++number) {
        thGenerator g = makeGenerator(5 + (uint64_t)kind, (uint64_t)number);
        drawRegions(&g, kind, 16, false, &set);
        thVec2 a, b;
        const thOutsideAnswer interval = thiNearestOutside(&set.problem, &a);
        const thOutsideAnswer paper = thiNearestOutsidePaper(&set.problem, room, &b);
        const double x = distanceTo(&set.problem, interval, a);
        const double y = distanceTo(&set.problem, paper, b);
        comparison->cases += 1;
        comparison->apart += !isNear(x, y, ALIKE);
        if (y < x - ALIKE) // the paper's never finds what is not there
            assert_true(y >=
                        oracleDistance(&set.problem, -(double)set.problem.tolerance - ROUNDING) -
                            ROUNDING);
        if (paper != th_outsideNone)
            assert_true(depthIn(&set.problem, (double)b.x, (double)b.y) <=
                        (double)set.problem.tolerance + ROUNDING);
    }
}

// The paper's solver finds the same in general position, and nearly always elsewhere.
static void testSolversAgree(void** state)
{
    (void)state;
    static const char* const names[] = {"plain", "crowd", "lattice", "pile"};
    for (int32_t kind = 0; kind < region_kindCount; ++kind) {
        Comparison comparison;
        compareSolvers((RegionKind)kind, caseCount(20000, 400000), &comparison);
        print_message("%s: %lld of %lld apart\n", names[kind], (long long)comparison.apart,
                      (long long)comparison.cases);
        const int64_t bearable = kind == region_pile      ? comparison.cases / 20
                                 : kind == region_lattice ? comparison.cases / 200
                                                          : comparison.cases / 100000;
        assert_true(comparison.apart <= bearable);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testKnown),       cmocka_unit_test(testStraight),
        cmocka_unit_test(testRound),       cmocka_unit_test(testSoon),
        cmocka_unit_test(testSamples),     cmocka_unit_test(testRoundForbidsLess),
        cmocka_unit_test(testSolversAgree)};
    return RUN_TESTS(tests, argc, argv);
}
