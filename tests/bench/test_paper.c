// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What throng_paper compares: ways that it brings itself find what the plain solver finds, and
// workers are done when they should be.

#include "crowd.h"
#include "lanes.h"
#include "makespan.h"
#include "trial.h"

#include "gear/gear.h"
#include "space/sense.h"
#include "velocity/region_oracle.h"

#include <stdlib.h>

#define LANES 16
#define MOST_REGIONS 16 // as many as a trial takes

static RegionSet sets[LANES];
static TaskColumns columns;

static bool isPlain(const thOutsideProblem* problem, thOutsideAnswer answer, thVec2 v)
{
    static thBorderCrossing room[TH_REGION_SIDES * REGIONS + 2];
    thVec2 plain;
    const thOutsideAnswer expected = thiNearestOutsidePaper(problem, room, &plain);
    return answer == expected && sameBits(v.x, plain.x) && sameBits(v.y, plain.y);
}

static bool areLanesPlain(void)
{
    for (int32_t lane = 0; lane < LANES; ++lane)
        if (!isPlain(&sets[lane].problem, (thOutsideAnswer)columns.answers[lane],
                     (thVec2){columns.lanes[11][lane], columns.lanes[12][lane]}))
            return false;
    return true;
}

// All variants of the steps at one width.
static void checkWidth(thSimd simd, thPaperTrial* trial)
{
    static thPaperTrialFcn* const steps[th_simdCount] = TH_KERNEL_TABLE(thiPaperTimeSteps);
    static thPaperTrialFcn* const gathers[th_simdCount] = TH_KERNEL_TABLE(thiPaperTimeGathers);
    static thPaperTrialFcn* const loads[th_simdCount] = TH_KERNEL_TABLE(thiPaperTimeLoads);
    static thPaperCountFcn* const count[th_simdCount] = TH_KERNEL_TABLE(thiPaperCountLanes);
    for (int32_t i = 0; i < 2; ++i) {
        trial->inPlace = i == 0;
        steps[simd](trial);
        assert_true(areLanesPlain());
        gathers[simd](trial);
        assert_true(areLanesPlain());
        loads[simd](trial);
        assert_true(areLanesPlain());
    }
    thPaperLaneUse use = {0};
    count[simd](trial, &use);
    // Both ways test the same points against the same regions.
    assert_int_equal(use.packedUsed, use.inPlaceUsed);
    assert_true(use.packedUsed <= use.packedAll && use.inPlaceUsed <= use.inPlaceAll);
}

static void testWays(void** state)
{
    (void)state;
    void* room = aligned_alloc(64, (thiPaperKernelRoom(MOST_REGIONS, LANES) + 63) / 64 * 64);
    void* points = aligned_alloc(64, (thiPaperTrialRoom(MOST_REGIONS) + 63) / 64 * 64);
    const thOutsideTask task = makeOutsideTask(&columns, LANES, MOST_REGIONS, room);
    for (int32_t number = 0; number < 400; ++number) {
        thGenerator g = makeGenerator(1, (uint64_t)number);
        for (int32_t lane = 0; lane < LANES; ++lane) {
            drawRegions(&g, (RegionKind)(drawU32(&g) % region_kindCount),
                        drawInt(&g, 0, MOST_REGIONS - 3), false, &sets[lane]);
            thiSetOutsideLane(&task, lane, &sets[lane].problem);
            static thBorderCrossing crossings[TH_REGION_SIDES * REGIONS + 2];
            thVec2 v;
            const thOutsideAnswer answer =
                thiNearestOutsideInPairs(&sets[lane].problem, crossings, &v);
            assert_true(isPlain(&sets[lane].problem, answer, v));
        }
        thPaperTrial trial = {.task = &task, .points = points};
        for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd)
            if (thSimd_IsAvailable(simd))
                checkWidth(simd, &trial);
    }
    free(room);
    free(points);
}

// Workers by the tick of a clock: who is free at a tick takes the next task, in their order.
static double tickedMakespan(const double* costs, int32_t count, int32_t workers, int32_t taskItems)
{
    int64_t busy[thPaperMostWorkers] = {0}, last = 0;
    int32_t next = 0;
    for (int64_t tick = 0; next < count; ++tick)
        for (int32_t w = 0; w < workers && next < count; ++w) {
            while (busy[w] <= tick && next < count) {
                for (int32_t i = 0; i < taskItems && next < count; ++i)
                    busy[w] = (busy[w] > tick ? busy[w] : tick) + (int64_t)costs[next++];
            }
            last = busy[w] > last ? busy[w] : last;
        }
    return (double)last;
}

static void testMakespan(void** state)
{
    (void)state;
    const double costs[] = {1, 1, 1, 9, 1, 1, 1, 1};
    int32_t order[8];
    assert_true(thiStaticMakespan(costs, 8, 2) == 12.0);
    assert_true(thiStaticMakespan(costs, 8, 3) == 11.0); // 1 1, 1 9 1 and 1 1 1
    assert_true(thiDynamicMakespan(costs, 8, 2, 1) == 10.0);
    assert_true(thiDynamicMakespan(costs, 8, 2, 8) == 16.0);
    assert_true(thiSortedMakespan(costs, costs, 8, 2, 1, order) == 9.0);
    assert_int_equal(order[0], 3);
    assert_int_equal(order[1], 0);
}

static void testMakespanOfRandomCosts(void** state)
{
    (void)state;
    for (int32_t number = 0; number < 2000; ++number) {
        thGenerator g = makeGenerator(2, (uint64_t)number);
        double costs[60], sum = 0.0, dearest = 0.0;
        int32_t order[60];
        const int32_t count = drawInt(&g, 0, 60), workers = drawInt(&g, 1, 16);
        const int32_t items = drawInt(&g, 1, 9);
        for (int32_t i = 0; i < count; ++i) {
            costs[i] = (double)drawInt(&g, 1, 20);
            sum += costs[i];
        }
        for (int32_t i = 0; i < count; i += items) {
            double own = 0.0;
            for (int32_t k = i; k < count && k < i + items; ++k)
                own += costs[k];
            dearest = own > dearest ? own : dearest;
        }
        const double least = fmax(sum / workers, dearest); // nobody can be done before that
        const double dynamic = thiDynamicMakespan(costs, count, workers, items);
        const double sorted = thiSortedMakespan(costs, costs, count, workers, items, order);
        assert_true(dynamic == tickedMakespan(costs, count, workers, items));
        assert_true(dynamic >= least - 1.0e-9 && dynamic <= 2.0 * least + 1.0e-9); // Graham 1966
        assert_true(sorted >= least - 1.0e-9 && sorted <= 2.0 * least + 1.0e-9);
        assert_true(thiStaticMakespan(costs, count, workers) >= sum / workers - 1.0e-9);
    }
}

// What an agent costs, without a clock: how many pairs of sides and regions are looked at.
static double workOf(const thPaperAgent* agent)
{
    const double regions = (double)agent->problem.regionCount;
    return 1.0 + regions + (agent->isFree ? 0.0 : 9.0 * regions * (regions - 1.0));
}

// Of 200 agents, a quarter stands together: 16 workers with equal shares wait for a few of them.
static void testClusteredCrowd(void** state)
{
    (void)state;
    thPaperCrowd crowd;
    assert_int_equal(thiPaperMeet(&thiPaperClustered, &crowd), th_resultOk);
    assert_int_equal(crowd.count, 200);
    double work[200];
    int32_t constrained = 0;
    for (int32_t i = 0; i < crowd.count; ++i) {
        work[i] = workOf(&crowd.agents[i]);
        constrained += !crowd.agents[i].isFree;
    }
    const double fixed = thiStaticMakespan(work, crowd.count, 16);
    const double dynamic = thiDynamicMakespan(work, crowd.count, 16, 4);
    print_message("%d constrained; static %.0f, dynamic %.0f: %.2f times\n", constrained, fixed,
                  dynamic, fixed / dynamic);
    assert_true(constrained > 25);
    assert_true(fixed > 1.5 * dynamic);
    thiPaperForget(&crowd);
}

// Whether two crowds have the same agents.
static void assertSameAgents(const thPaperAgent* a, const thPaperAgent* b, int32_t count)
{
    bool isTaken[1000] = {false};
    for (int32_t i = 0; i < count; ++i) {
        const ptrdiff_t from = (const thPaperAgent*)(const void*)a[i].problem.regions - b;
        assert_true(from >= 0 && from < count && !isTaken[from]);
        isTaken[from] = true;
    }
}

// How many neighbours of agents in an order have more regions than the agent before them.
static int32_t countRises(const thPaperAgent* agents, int32_t count)
{
    int32_t rises = 0;
    for (int32_t i = 1; i < count; ++i)
        rises += agents[i].problem.regionCount > agents[i - 1].problem.regionCount;
    return rises;
}

static void testOrders(void** state)
{
    (void)state;
    thPaperCrowd crowd;
    assert_int_equal(thiPaperMeet(&thiPaperGroups, &crowd), th_resultOk);
    const int32_t count = crowd.count, batches = (count + TH_BATCH_ROWS - 1) / TH_BATCH_ROWS;
    thPaperAgent* ordered = calloc((size_t)count, sizeof *ordered);
    assert_non_null(ordered);
    int32_t seen[thPaperRegions + 1] = {0}, rises[th_orderCount];
    for (int32_t i = 0; i < count; ++i)
        seen[crowd.agents[i].problem.regionCount] += 1;
    for (int32_t i = 0; i <= thPaperRegions; ++i)
        assert_true(seen[i] > 0);
    for (thPaperOrder order = th_orderShuffled; order < th_orderCount; ++order) {
        thiPaperOrder(&crowd, order, ordered);
        assertSameAgents(ordered, crowd.agents, count);
        rises[order] = countRises(ordered, count);
    }
    assert_int_equal(rises[th_orderInCrowd], 0);
    assert_true(rises[th_orderInBatches] < batches);
    assert_true(rises[th_orderInBatches] < rises[th_orderAsTheyCome]);
    assert_true(rises[th_orderAsTheyCome] < rises[th_orderShuffled]);
    free(ordered);
    thiPaperForget(&crowd);
}

// Lanes of agents with as many regions have as much to do.
static void testLaneUse(void** state)
{
    (void)state;
    thPaperCrowd crowd;
    assert_int_equal(thiPaperMeet(&thiPaperGroups, &crowd), th_resultOk);
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (!thSimd_IsAvailable(simd))
            continue;
        thPaperLanes lanes = {.crowd = &crowd, .simd = simd, .rounds = 1};
        assert_int_equal(thiPaperMeasureLanes(&lanes), th_resultOk);
        assert_false(lanes.wrong);
        for (int32_t way = 0; way < th_laneWayCount; ++way) {
            const thOutsideUse* use = lanes.use[way];
            for (int32_t order = 0; order < th_orderCount; ++order)
                assert_int_equal(use[order].lanes, use[0].lanes);
            assert_true(use[th_orderInCrowd].regions <= use[th_orderShuffled].regions);
        }
        const int32_t none = th_orderAsTheyCome;
        assert_true(lanes.use[th_lanesRefilled][none].rounds <=
                    lanes.use[th_lanesStay][none].rounds);
        assert_true(lanes.use[th_lanesByRegion][none].regions <=
                    lanes.use[th_lanesInTurn][none].regions);
    }
    thiPaperForget(&crowd);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testWays),
                                       cmocka_unit_test(testMakespan),
                                       cmocka_unit_test(testMakespanOfRandomCosts),
                                       cmocka_unit_test(testClusteredCrowd),
                                       cmocka_unit_test(testOrders),
                                       cmocka_unit_test(testLaneUse)};
    return RUN_TESTS(tests, argc, argv);
}
