// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The kernel of nearest points at every width: the bits of the plain way. They are the same whoever
// is in the other lanes, and whether lanes stay where they are.

#include "gear/gear.h"
#include "velocity/region_oracle.h"

#include <stdlib.h>

#define LANES TASK_LANES

static thOutsideFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiNearestOutsideLanes);

static RegionSet sets[LANES];
static TaskColumns columns;

static AnswerCounts counts;

static bool agrees(const thOutsideTask* task, int32_t count, const char* name)
{
    for (int32_t lane = 0; lane < count; ++lane) {
        thVec2 v;
        const thOutsideAnswer answer = thiNearestOutside(&sets[lane].problem, &v);
        counts.asked += 1;
        counts.seen[answer] += 1;
        if (task->answer[lane] == answer && sameBits(task->outX[lane], v.x) &&
            sameBits(task->outY[lane], v.y))
            continue;
        print_message("%s, lane %d of %d: answer %d (%a, %a) instead of %d (%a, %a)\n", name, lane,
                      count, task->answer[lane], (double)task->outX[lane], (double)task->outY[lane],
                      answer, (double)v.x, (double)v.y);
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
        drawRegions(g, drawKind(g, kind), size, false, &sets[lane]);
        const int32_t own = sets[lane].problem.regionCount;
        most = own > most ? own : most;
    }
    int64_t looks = -1; // the same at every width
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (!thSimd_IsAvailable(simd))
            continue;
        const int32_t padded = (count + TH_MAX_WIDTH - 1) / TH_MAX_WIDTH * TH_MAX_WIDTH;
        thOutsideTask task =
            makeOutsideTask(&columns, simd == th_simdScalar ? count : padded, most, room);
        for (int32_t lane = 0; lane < task.lanes; ++lane)
            thiSetOutsideLane(&task, lane, lane < count ? &sets[lane].problem : NULL);
        if (!kernelAgrees(kernels[simd], simd, &task, count, agrees, &looks))
            return false;
    }
    return true;
}

static void testKernels(void** state)
{
    (void)state;
    void* room = aligned_alloc(64, (thiOutsideKernelRoom(REGIONS, LANES) + 63) / 64 * 64);
    assertProperty(&(thProperty){.name = "lanes",
                                 .seed = 1,
                                 .caseCount = getenv("THRONG_LONG") != NULL ? 40000 : 1000,
                                 .maxSize = 16,
                                 .holds = kernelsAgree,
                                 .context = room});
    free(room);
    assertAllSeen(&counts);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testKernels)};
    return RUN_TESTS(tests, argc, argv);
}
