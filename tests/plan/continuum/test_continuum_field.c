// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What planner continuum computes: shares of agents in cells, potentials beside a plain solver in
// double that iterates the same equations, lengths beside the exact ones of planner flow, and that
// mirrored, turned and shuffled crowds have mirrored, turned and the same potentials.

#include "geom/fixed.h"
#include "plan/continuum/continuum_aim.h"
#include "plan/flow/flow_field.h"
#include "plan/plan_gear.h"

#include <math.h>
#include <stdlib.h>

#define UNITS ((double)THRONG_UNITS_PER_METRE)

// A world of agents, one goal and walls, and what the planner makes of it.
typedef struct Crowd {
    thWorld* world;
    thFrame frame;
    thTasks* tasks;
    thContinuumPlans* plans;
    const thContinuumPlan* plan;
    thGoalId goal;
} Crowd;

// How places are put elsewhere: mirrored, then turned by a right angle.
typedef struct Motion {
    bool isMirrored, isTurned, isReversed;
} Motion;

static const Motion asItIs = {false, false, false};

static thVec2 moved(Motion motion, float x, float y)
{
    const thVec2 p = {motion.isMirrored ? -x : x, y};
    return motion.isTurned ? (thVec2){-p.y, p.x} : p;
}

static void closeCrowd(Crowd* crowd)
{
    thiDestroyContinuumPlans(crowd->plans);
    thDestroyTasks(crowd->tasks);
    thDestroyWorld(crowd->world);
}

// A room of 24 m with boxes and walls, and so many agents in clumps.
static Crowd openCrowd(uint64_t seed, Motion motion, int32_t count, const thContinuumDef* def)
{
    thGenerator g = makeGenerator(91, seed);
    Crowd crowd = {.world = createPlanWorld(0)};
    thWorld* world = crowd.world;
    const float w = 12.0f;
    const thVec2 corners[] = {{-w, -w}, {w, -w}, {w, w}, {-w, w}};
    for (int32_t i = 0; i < 4; ++i) {
        const thVec2 a = moved(motion, corners[i].x, corners[i].y);
        const thVec2 b = moved(motion, corners[(i + 1) % 4].x, corners[(i + 1) % 4].y);
        addWall(world, a.x, a.y, b.x, b.y);
    }
    for (int32_t i = 0; i < 6; ++i) {
        const float x = drawFloat(&g, -9.0f, 9.0f), y = drawFloat(&g, -9.0f, 9.0f);
        const float alongX = drawFloat(&g, -4.0f, 4.0f), alongY = drawFloat(&g, -4.0f, 4.0f);
        const thVec2 a = moved(motion, x, y), b = moved(motion, x + alongX, y + alongY);
        if (a.x != b.x || a.y != b.y)
            addWall(world, a.x, a.y, b.x, b.y);
    }
    const thVec2 at = moved(motion, 10.1f, -3.2f);
    crowd.goal = pointGoal(world, at.x, at.y);
    thAgentDef* agents = calloc((size_t)count + 1, sizeof *agents);
    thProfileDef profile = thDefaultProfileDef();
    profile.plan = (thMethodUse){"continuum", def};
    thProfileId id;
    assert_ok(thCreateProfile(world, &profile, &id, NULL));
    for (int32_t i = 0; i < count; ++i) {
        const float x = drawFloat(&g, -3.0f, 3.0f) * (float)(1 + i % 3),
                    y = drawFloat(&g, -8.0f, 8.0f);
        const float vx = drawFloat(&g, -1.4f, 1.4f), vy = drawFloat(&g, -1.4f, 1.4f);
        agents[i] = thDefaultAgentDef();
        agents[i].profile = id;
        agents[i].key = 1 + (uint64_t)i;
        agents[i].goal = crowd.goal;
        agents[i].radius = 0.2f;
        agents[i].position = moved(motion, x, y);
        agents[i].velocity = moved(motion, vx, vy);
    }
    for (int32_t i = 0; i < count; ++i) {
        thAgentId ignored; // those that would stand in a wall are left out
        const thResult code =
            thCreateAgent(world, &agents[motion.isReversed ? count - 1 - i : i], &ignored);
        assert_true(code == th_resultOk || code == th_resultBlocked);
    }
    free(agents);
    crowd.frame = frameOf(world);
    const thTasksDef tasks = thDefaultTasksDef();
    assert_ok(thCreateTasks(&tasks, &crowd.tasks));
    const thMethodHost host = {.size = sizeof host, .profile = THRONG_SLOT(id)};
    assert_ok(thiCreateContinuumPlans(&host, def, &crowd.plans));
    assert_ok(thiPrepareContinuumPlans(crowd.plans, &crowd.frame, crowd.tasks));
    crowd.plan = thiFindContinuumPlan(crowd.plans, &crowd.frame,
                                      (thContinuumKey){0, THRONG_SLOT(crowd.goal)});
    assert_true(crowd.plan != NULL || crowd.frame.count == 0); // all may have stood in walls
    return crowd;
}

// --- Shares ---

// At least 2^−λ in the own cell, at most that in the others, continuous in between, and 1 on
// average if it is summed as thiSplatSum says.
static void testSplat(void** state)
{
    (void)state;
    const thNodeGrid nodes = {.low = {-500000, -400000}, .side = 32768, .columns = 40, .rows = 30};
    for (float exponent = 1.0f; exponent <= 3.0f; exponent += 0.5f) {
        const float bound = powf(0.5f, exponent);
        double sum = 0.0;
        int32_t count = 0;
        for (int32_t y = 0; y < 64; ++y)
            for (int32_t x = 0; x < 64; ++x, ++count) {
                const thPoint p = {x * 512 + 100000, y * 512 + 100000};
                thSplat splat, next;
                assert_true(thiSplat(&nodes, exponent, p, &splat));
                assert_true(thiSplat(&nodes, exponent, (thPoint){p.x + 1, p.y}, &next));
                const double inX = (double)(p.x - nodes.low.x) / nodes.side;
                const double inY = (double)(p.y - nodes.low.y) / nodes.side;
                const int32_t own = (inX - floor(inX) > 0.5) + 2 * (inY - floor(inY) > 0.5);
                for (int32_t i = 0; i < 4; ++i) {
                    const double toX = 1.0 - fabs(inX - floor(inX) - (i & 1));
                    const double toY = 1.0 - fabs(inY - floor(inY) - (i >> 1));
                    assert_near((double)splat.share[i], pow(fmin(toX, toY), (double)exponent),
                                2e-6);
                    if (i == own)
                        assert_true(splat.share[i] >= bound * 0.99999f);
                    else
                        assert_true(splat.share[i] <= bound * 1.00001f);
                    sum += (double)splat.share[i];
                    if (next.node == splat.node)
                        assert_near((double)splat.share[i], (double)next.share[i], 0.001);
                }
            }
        assert_near(sum / count, (double)thiSplatSum(exponent), 0.01);
    }
    thSplat splat;
    assert_false(thiSplat(&nodes, 2.0f, (thPoint){-500001, 0}, &splat));
    assert_false(thiSplat(&nodes, 2.0f, (thPoint){-500000 + 39 * 32768, 0}, &splat));
}

// Nobody is held up by itself: whichever way it goes, alone it is free.
static void testAlone(void** state)
{
    (void)state;
    thContinuumDef def = thDefaultContinuumDef();
    def.freeDensity = 0.0f; // so what one agent makes counts
    for (uint64_t seed = 0; seed < 20; ++seed) {
        thGenerator g = makeGenerator(92, seed);
        def.exponent = drawFloat(&g, 1.0f, 3.0f);
        def.cell = drawFloat(&g, 0.3f, 1.5f);
        def.fullDensity = 0.0f; // and then flow alone
        Crowd crowd = openCrowd(seed, asItIs, 1, &def);
        const thPoint p = {crowd.frame.px[0], crowd.frame.py[0]};
        for (int32_t i = 0; i < 64; ++i) {
            const thVec2 way = {cosf(0.098174f * (float)i), sinf(0.098174f * (float)i)};
            thCrowdAt ahead;
            const float speed =
                thiContinuumSpeed(crowd.plans, crowd.plan->floor, p, way, 1.3f, &ahead);
            assert_true(speed == 1.3f);
        }
        closeCrowd(&crowd);
    }
}

// A crowd that is evenly spread has its density, whatever the exponent.
static void testDensity(void** state)
{
    (void)state;
    for (float exponent = 1.0f; exponent <= 3.0f; exponent += 0.5f) {
        thContinuumDef def = thDefaultContinuumDef();
        def.exponent = exponent;
        Crowd crowd = openCrowd(1, asItIs, 3000, &def);
        const thCrowdCells* cells = &crowd.plan->floor->cells;
        double sum = 0.0;
        for (int32_t i = 0; i < cells->count; ++i)
            sum += (double)cells->density[i] * 0.25;
        assert_near(sum / crowd.frame.count, 1.0, 0.02);
        closeCrowd(&crowd);
    }
}

// The speed is that of the definition, in double.
static void testSpeed(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(93, 0);
    for (int32_t i = 0; i < 20000; ++i) {
        thContinuumDef def = thDefaultContinuumDef();
        def.fullDensity = drawFloat(&g, 0.0f, 6.0f);
        const float free = drawFloat(&g, 0.5f, 3.0f), speed = drawFloat(&g, 0.2f, 2.0f);
        const thCrowdAt crowd = {drawFloat(&g, 0.0f, 8.0f),
                                 {drawFloat(&g, -3.0f, 3.0f), drawFloat(&g, -3.0f, 3.0f)}};
        const double angle = (double)drawFloat(&g, 0.0f, 6.28f);
        const thVec2 n = {(float)cos(angle), (float)sin(angle)};
        const double flow =
            fmin(fmax((double)crowd.velocity.x * n.x + (double)crowd.velocity.y * n.y, 0.0),
                 (double)speed);
        double share = ((double)crowd.density - free) / ((double)def.fullDensity - free);
        share = crowd.density <= free ? 0.0 : crowd.density >= def.fullDensity ? 1.0 : share;
        const double wanted = fmax(speed + share * (flow - speed), fmin(0.1, (double)speed));
        assert_near((double)thiSpeedInto(&def, free, &crowd, n, speed), wanted, 1e-5);
    }
}

// --- Potentials ---

// The potential of a node from those of its neighbours, in double: the least that one of them gives
// alone, or one along x together with one along y.
static double solveNode(const Crowd* crowd, const double* cost, int32_t node)
{
    static const uint8_t bits[4] = {th_openEast, th_openWest, th_openNorth, th_openSouth};
    const thNodeGrid* nodes = crowd->plan->potential.nodes;
    const int32_t steps[4] = {1, -1, nodes->columns, -nodes->columns};
    const double side = nodes->side / UNITS;
    double best = INFINITY, a[4], p[4];
    for (int32_t i = 0; i < 4; ++i) {
        const bool isOpen = (nodes->open[node] & bits[i]) != 0;
        a[i] = isOpen ? cost[node + steps[i]] : INFINITY;
        p[i] = (double)crowd->plan->floor->costs[4 * node + i] * side;
        if (a[i] < INFINITY)
            best = fmin(best, a[i] + p[i]);
    }
    for (int32_t x = 0; x < 2; ++x)
        for (int32_t y = 2; y < 4; ++y) {
            if (!(a[x] < INFINITY) || !(a[y] < INFINITY))
                continue;
            const double u = 1.0 / (p[x] * p[x]), v = 1.0 / (p[y] * p[y]), apart = a[x] - a[y];
            const double root = u + v - u * v * apart * apart;
            const double value = (u * a[x] + v * a[y] + sqrt(fmax(root, 0.0))) / (u + v);
            if (root >= 0.0 && value >= fmax(a[x], a[y]))
                best = fmin(best, value);
        }
    return best;
}

static void checkOracle(uint64_t seed, int32_t count, float peopleAhead)
{
    thContinuumDef def = thDefaultContinuumDef();
    def.peopleAhead = peopleAhead;
    Crowd crowd = openCrowd(seed, asItIs, count, &def);
    const thPotential* potential = &crowd.plan->potential;
    double* cost = calloc((size_t)potential->count, sizeof *cost);
    double* start = calloc((size_t)potential->count, sizeof *start);
    for (int32_t i = 0; i < potential->count; ++i)
        start[i] = INFINITY;
    for (int32_t i = 0; i < crowd.plan->seeds.count; ++i) {
        const thPotentialSeed* seedAt = &TH_ITEMS(crowd.plan->seeds, thPotentialSeed)[i];
        start[seedAt->node] =
            fmin(start[seedAt->node], (double)(seedAt->left * thiLeastCost(&def)));
    }
    for (int32_t i = 0; i < potential->count; ++i)
        cost[i] = start[i];
    bool isDone = false;
    for (int32_t round = 0; round < 2000 && !isDone; ++round) {
        isDone = true;
        for (int32_t i = 0; i < potential->count; ++i) {
            const int32_t node = round % 2 == 0 ? i : potential->count - 1 - i;
            if ((potential->nodes->open[node] & th_openNode) == 0)
                continue;
            const double value = fmin(start[node], solveNode(&crowd, cost, node));
            isDone = isDone && !(value < cost[node] - 1e-12);
            cost[node] = fmin(cost[node], value);
        }
    }
    assert_true(isDone);
    int32_t known = 0;
    for (int32_t i = 0; i < potential->count; ++i) {
        assert_int_equal(thiIsKnown(potential, i), cost[i] < INFINITY);
        if (!thiIsKnown(potential, i))
            continue;
        known += 1;
        assert_near((double)potential->cost[i], cost[i], 2e-5 * cost[i] + 1e-6);
        // Paths are not shorter than straight lines, and known paths have a length.
        const thPoint p = thiNodePlace(potential->nodes, i);
        const double straight = hypot(p.x / UNITS - 10.1, p.y / UNITS + 3.2);
        assert_true((double)potential->left[i] >= straight - 0.01);
        assert_true(potential->left[i] < 200.0f);
    }
    assert_true(known > 1000);
    free(cost);
    free(start);
    closeCrowd(&crowd);
}

static void testOracle(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; ++seed)
        checkOracle(seed, seed == 0 ? 1 : 300 * (int32_t)seed, seed % 2 == 0 ? 0.0f : 1.5f);
}

// Without a crowd potentials are lengths, times what a metre costs: as flow has them, to first
// order, and the nearer the smaller the cells.
static void testLengths(void** state)
{
    (void)state;
    double errors[2], means[2];
    for (int32_t halvings = 0; halvings < 2; ++halvings) {
        thContinuumDef def = thDefaultContinuumDef();
        def.cell = halvings == 0 ? 0.5f : 0.25f;
        double sum = 0.0;
        int32_t count = 0;
        errors[halvings] = 0.0;
        for (uint64_t seed = 0; seed < 5; ++seed) {
            Crowd crowd = openCrowd(seed, asItIs, 1, &def);
            thMemory memory;
            thFieldGrid grid;
            thFlowField flow;
            int64_t all = INT64_MAX / 2;
            thiMemoryInit(&memory, NULL, 0);
            assert_ok(thiFieldGridBegin(&memory, &crowd.frame, 0, 0.203125f, def.cell, 1000000,
                                        &TH_EMPTY_BOX, &grid));
            thiFieldGridBuild(&grid, &crowd.frame, 0, &all);
            all = INT64_MAX / 2;
            assert_ok(
                thiFlowFieldBegin(&memory, &crowd.frame, THRONG_SLOT(crowd.goal), &grid, &flow));
            assert_ok(thiFlowFieldMarch(&flow, &all));
            const thPotential* potential = &crowd.plan->potential;
            for (int32_t i = 0; i < potential->count; ++i) {
                const thPoint p = thiNodePlace(potential->nodes, i);
                const thFlowAim aim = thiFlowAimFrom(&flow, p, false);
                if (!thiIsKnown(potential, i) || !aim.found)
                    continue;
                const double exact = aim.left / UNITS;
                const double cost = (double)potential->cost[i] / (double)thiLeastCost(&def);
                assert_true(cost > exact * 0.999 - 0.02);
                assert_near(cost, (double)potential->left[i], 0.12 * exact + 0.1);
                errors[halvings] = fmax(errors[halvings], (cost - exact) / (exact + 1.0));
                sum += (cost - exact) / (exact + 1.0);
                count += 1;
            }
            thiFlowFieldFree(&flow);
            thiFieldGridFree(&grid);
            closeCrowd(&crowd);
        }
        means[halvings] = sum / count;
        print_message(
            "cells of %.2f m: lengths are too long by %.1f %% on average, %.1f %% at most\n",
            (double)def.cell, 100.0 * means[halvings], 100.0 * errors[halvings]);
    }
    // Walls aslant are stairs, and ways along them are the longest.
    assert_true(errors[0] < 0.3 && errors[1] < 0.2);
    assert_true(means[0] < 0.06 && means[1] < 0.7 * means[0]);
}

static int32_t nodeNear(const thNodeGrid* nodes, thVec2 place)
{
    const int32_t column = (thiUnits(place.x) - nodes->low.x) / nodes->side;
    const int32_t row = (thiUnits(place.y) - nodes->low.y) / nodes->side;
    return row * nodes->columns + column;
}

// A crowd that is mirrored, turned, or created in another order has the same potentials, to the
// bit, at the places where its cells come to be.
static void testSymmetry(void** state)
{
    (void)state;
    static const Motion motions[] = {
        {true, false, false}, {false, true, false}, {true, true, false}, {false, false, true}};
    thContinuumDef def = thDefaultContinuumDef();
    def.peopleAhead = 1.0f;
    for (int32_t i = 0; i < 4; ++i) {
        Crowd one = openCrowd(7, asItIs, 900, &def), other = openCrowd(7, motions[i], 900, &def);
        const thPotential *a = &one.plan->potential, *b = &other.plan->potential;
        int32_t compared = 0;
        for (int32_t node = 0; node < a->count; ++node) {
            if (!thiIsKnown(a, node))
                continue;
            const thPoint p = thiNodePlace(a->nodes, node);
            const thVec2 place = moved(motions[i], thiMetres(p.x), thiMetres(p.y));
            const int32_t there = nodeNear(b->nodes, place);
            assert_true(thiIsKnown(b, there));
            assert_true(a->cost[node] == b->cost[there]);
            compared += 1;
        }
        assert_true(compared > 1500);
        closeCrowd(&one);
        closeCrowd(&other);
    }
}

// Whatever the parameters: ways are unit vectors, speeds are within their bounds, nothing is NaN,
// and who goes on gets there.
static bool leadsThere(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thContinuumDef def = thDefaultContinuumDef();
    def.cell = drawFloat(g, 0.3f, 0.9f);
    def.exponent = drawFloat(g, 1.0f, 3.0f);
    def.freeDensity = drawFloat(g, 0.0f, 4.0f);
    def.fullDensity = def.freeDensity + drawFloat(g, 0.0f, 8.0f);
    def.lengthCost = drawFloat(g, 0.0f, 4.0f);
    def.timeCost = drawFloat(g, 0.0f, 8.0f);
    def.leastSpeed = drawFloat(g, 0.001f, 0.5f);
    def.peopleAhead = drawFloat(g, 0.0f, 3.0f);
    Crowd crowd = openCrowd(drawU64(g) % 1000, asItIs, 1 + 20 * size, &def);
    const thContinuumPlan* plan = crowd.plan;
    bool isGood = true;
    for (int32_t row = 0; row < crowd.frame.count && isGood; ++row) {
        thPoint p = {crowd.frame.px[row], crowd.frame.py[row]};
        const thContinuumAim aim = thiContinuumAimFrom(plan, &crowd.frame, p);
        if (!aim.found)
            continue;
        thCrowdAt ahead;
        const float length = hypotf(aim.way.x, aim.way.y);
        const float speed = thiContinuumSpeed(crowd.plans, plan->floor, p, aim.way, 1.2f, &ahead);
        isGood = fabsf(length - 1.0f) < 1e-5f && speed >= fminf(def.leastSpeed, 1.2f) * 0.999f &&
                 speed <= 1.2f && aim.left >= 0.0f && aim.left < 1000.0f;
    }
    closeCrowd(&crowd);
    return isGood;
}

static void testLeads(void** state)
{
    (void)state;
    const thProperty property = {"continuum leads", 94, caseCount(30, 500), 30, leadsThere, NULL};
    assertProperty(&property);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSplat),    cmocka_unit_test(testAlone),  cmocka_unit_test(testDensity),
        cmocka_unit_test(testSpeed),    cmocka_unit_test(testOracle), cmocka_unit_test(testLengths),
        cmocka_unit_test(testSymmetry), cmocka_unit_test(testLeads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
