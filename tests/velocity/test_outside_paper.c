// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The solver of ClearPath's paper at every width: the bits of the plain way. They are the same
// whoever is in the other lanes, in which order, and whatever they lack; and velocities are those
// of the other solver.

#include "gear/gear.h"
#include "velocity/outside_paper.h"
#include "velocity/region_oracle.h"

#include <stdlib.h>

#define LANES TASK_LANES
#define SLOTS TASK_REGIONS // more than there are regions: lanes have gaps

static thOutsideFcn* const paperKernels[th_simdCount] =
    TH_KERNEL_TABLE(thiNearestOutsidePaperLanes);
static thOutsideFcn* const intervalKernels[th_simdCount] = TH_KERNEL_TABLE(thiNearestOutsideLanes);

static RegionSet sets[LANES];
static int32_t slots[LANES][REGIONS]; // where each region of a lane is put
static TaskColumns columns;

typedef struct Answer {
    thOutsideAnswer answer;
    thVec2 v;
} Answer;

static void* makeRoom(void)
{
    const size_t interval = thiOutsideKernelRoom(SLOTS, LANES);
    const size_t paper = thiPaperKernelRoom(SLOTS, LANES);
    return aligned_alloc(64, (interval + paper + 63) / 64 * 64);
}

// The problems of the first lanes, for kernels of one width.
static thOutsideTask layOut(int32_t count, int32_t regionMax, thSimd simd, void* room)
{
    const int32_t padded = (count + TH_MAX_WIDTH - 1) / TH_MAX_WIDTH * TH_MAX_WIDTH;
    const thOutsideTask task =
        makeOutsideTask(&columns, simd == th_simdScalar ? count : padded, regionMax, room);
    for (int32_t lane = 0; lane < task.lanes; ++lane) {
        const thOutsideProblem* problem = lane < count ? &sets[lane].problem : NULL;
        thiSetOutsidePoint(&task, lane, problem);
        for (int32_t i = 0; i < regionMax; ++i)
            thiSetOutsideRegion(&task, lane, i, NULL);
        for (int32_t i = 0; problem != NULL && i < problem->regionCount; ++i)
            thiSetOutsideRegion(&task, lane, slots[lane][i], &problem->regions[i]);
    }
    return task;
}

// Regions of a lane stand in their order, some with gaps between them. Returns how many slots that
// takes.
static int32_t drawSlots(thGenerator* g, int32_t lane)
{
    const int32_t count = sets[lane].problem.regionCount;
    int32_t gaps = drawU32(g) % 2 == 0 ? SLOTS - REGIONS : 0, next = 0;
    for (int32_t i = 0; i < count; ++i) {
        for (; gaps > 0 && drawU32(g) % 4 == 0; --gaps)
            next += 1;
        slots[lane][i] = next++;
    }
    return next;
}

static Answer answerOf(const thOutsideTask* task, int32_t lane)
{
    return (Answer){(thOutsideAnswer)task->answer[lane], {task->outX[lane], task->outY[lane]}};
}

static AnswerCounts counts;

static bool agrees(const thOutsideTask* task, int32_t count, const char* name)
{
    static thBorderCrossing room[TH_REGION_SIDES * REGIONS + 2];
    for (int32_t lane = 0; lane < count; ++lane) {
        const Answer wide = answerOf(task, lane);
        Answer plain;
        plain.answer = thiNearestOutsidePaper(&sets[lane].problem, room, &plain.v);
        counts.asked += 1;
        counts.seen[plain.answer] += 1;
        if (wide.answer == plain.answer && sameBits(wide.v.x, plain.v.x) &&
            sameBits(wide.v.y, plain.v.y))
            continue;
        print_message("%s, lane %d of %d: answer %d (%a, %a) instead of %d (%a, %a)\n", name, lane,
                      count, wide.answer, (double)wide.v.x, (double)wide.v.y, plain.answer,
                      (double)plain.v.x, (double)plain.v.y);
        return false;
    }
    return true;
}

static bool kernelsAgree(thGenerator* g, int32_t size, void* context)
{
    void* room = context;
    const int32_t count = drawInt(g, 1, LANES);
    const uint32_t kind = drawU32(g) % (region_kindCount + 1); // one more: all of them
    int32_t most = 0;
    for (int32_t lane = 0; lane < count; ++lane) {
        const int32_t own = drawU32(g) % 4 == 0 ? size : drawInt(g, 0, size);
        drawRegions(g, drawKind(g, kind), own, false, &sets[lane]);
        const int32_t taken = drawSlots(g, lane);
        most = taken > most ? taken : most;
    }
    int64_t pieces = -1; // the same at every width
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (!thSimd_IsAvailable(simd))
            continue;
        thOutsideTask task = layOut(count, most, simd, room);
        if (!kernelAgrees(paperKernels[simd], simd, &task, count, agrees, &pieces))
            return false;
    }
    return true;
}

static void testKernels(void** state)
{
    (void)state;
    void* room = makeRoom();
    assertProperty(&(thProperty){.name = "paper",
                                 .seed = 1,
                                 .caseCount = getenv("THRONG_LONG") != NULL ? 40000 : 1000,
                                 .maxSize = 16,
                                 .holds = kernelsAgree,
                                 .context = room});
    free(room);
    assertAllSeen(&counts);
}

static double distanceTo(const thOutsideProblem* problem, Answer answer)
{
    return answer.answer == th_outsideNone ? INFINITY
                                           : hypot((double)answer.v.x - (double)problem->wanted.x,
                                                   (double)answer.v.y - (double)problem->wanted.y);
}

// Both solvers in lanes, with 0 to 16 regions side by side: in general position they agree, and
// elsewhere nearly always.
static void testSolversAgree(void** state)
{
    (void)state;
    static const char* const names[] = {"plain", "crowd", "lattice", "pile"};
    void* room = makeRoom();
    const thSimd simd = thSimd_Resolve(th_simdAuto);
    const int32_t rounds = getenv("THRONG_LONG") != NULL ? 4000 : 100;
    for (int32_t kind = 0; kind < region_kindCount; ++kind) {
        int64_t apart = 0;
        for (int32_t number = 0; number < rounds; ++number) {
            thGenerator g = makeGenerator(20 + (uint64_t)kind, (uint64_t)number);
            for (int32_t lane = 0; lane < LANES; ++lane) {
                drawRegions(&g, (RegionKind)kind, lane % 17, false, &sets[lane]);
                drawSlots(&g, lane);
            }
            const thOutsideTask task = layOut(LANES, SLOTS, simd, room);
            double paper[LANES];
            paperKernels[simd](&task);
            for (int32_t lane = 0; lane < LANES; ++lane)
                paper[lane] = distanceTo(&sets[lane].problem, answerOf(&task, lane));
            intervalKernels[simd](&task);
            for (int32_t lane = 0; lane < LANES; ++lane) {
                const double interval = distanceTo(&sets[lane].problem, answerOf(&task, lane));
                assert_true(paper[lane] >= interval - ALIKE); // it finds nothing that is not there
                apart += !isNear(paper[lane], interval, ALIKE);
            }
        }
        const int64_t cases = (int64_t)rounds * LANES;
        print_message("%s: %lld of %lld apart\n", names[kind], (long long)apart, (long long)cases);
        assert_true(apart <= (kind == region_pile      ? cases / 20
                              : kind == region_lattice ? cases / 200
                                                       : cases / 100000));
    }
    free(room);
}

// Nobody has a region, or there is no slot for one.
static void testWithoutRegions(void** state)
{
    (void)state;
    void* room = makeRoom();
    for (int32_t lane = 0; lane < LANES; ++lane) {
        thGenerator g = makeGenerator(30, (uint64_t)lane);
        drawRegions(&g, region_plain, 0, false, &sets[lane]);
        sets[lane].problem.regionCount = 0;
    }
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd)
        for (int32_t regionMax = 0; regionMax <= 2 && thSimd_IsAvailable(simd); ++regionMax) {
            const thOutsideTask task = layOut(LANES, regionMax, simd, room);
            paperKernels[simd](&task);
            assert_true(agrees(&task, LANES, thSimd_GetName(simd)));
        }
    free(room);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testKernels),
                                       cmocka_unit_test(testSolversAgree),
                                       cmocka_unit_test(testWithoutRegions)};
    return RUN_TESTS(tests, argc, argv);
}
