// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The kernel of `orca` at every width: each lane gives the bits of the scalar kernel. Those are the
// bits of thOrca_Solve, whatever stands in the other lanes and past the counts.

#include "avoid/orca/orca.h"
#include "avoid/orca/orca_sets.h"
#include "gear/gear.h"
#include "throng/math.h"

#include <stdlib.h>

#define LANES SET_LANES

static thOrcaFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiOrca);

typedef struct Batch {
    OrcaSet sets[LANES];
    int32_t lanes;
    SetColumns columns;
} Batch;

static Batch batch;

typedef struct Answer {
    float vx[LANES], vy[LANES];
    uint8_t status[LANES];
} Answer;

// Kinds of batches: all lanes alike, or few lanes that fail among many that do not.
static void drawBatch(thGenerator* g, int32_t size)
{
    batch.lanes = 16 * drawInt(g, 1, LANES / 16);
    const uint32_t mixing = drawU32(g) % 3;
    OrcaSet first;
    drawSet(g, (SetKind)(drawU32(g) % set_kindCount), size, &first);
    for (int32_t lane = 0; lane < batch.lanes; ++lane) {
        OrcaSet* set = &batch.sets[lane];
        const bool isCrowded = mixing == 0 || (mixing == 1 && drawU32(g) % 16 == 0);
        const SetKind kind = isCrowded     ? set_crowd
                             : mixing == 1 ? set_plain
                                           : (SetKind)(drawU32(g) % set_kindCount);
        drawSet(g, kind, isCrowded ? size : drawInt(g, 0, size), set);
        set->def = first.def;
        set->dt = first.dt;
        if (drawU32(g) % 4 == 0)
            set->self.maxAccel = 5.0f * drawUnit(g);
    }
    layOutSets(g, batch.sets, batch.lanes, &batch.columns);
}

static float* allocateFloats(int32_t count, float fill)
{
    // Exactly as much as was promised, so that sanitizers notice more; aligned as arenas do.
    const size_t size = ((size_t)count * sizeof(float) + 63) / 64 * 64;
    float* floats = aligned_alloc(64, size > 0 ? size : 64);
    assert_non_null(floats);
    for (int32_t i = 0; i < count; ++i)
        floats[i] = fill;
    return floats;
}

static void runKernel(thOrcaFcn* kernel, float fill, Answer* answer)
{
    const OrcaSet* first = &batch.sets[0];
    thOrcaTask task = {.around = batch.columns.around,
                       .timeHorizon = first->def.timeHorizon,
                       .wallHorizon = first->def.wallHorizon,
                       .separationTime = first->def.separationTime};
    task.around.outVx = answer->vx;
    task.around.outVy = answer->vy;
    task.around.status = answer->status;
    thSinCos(first->def.sideBias, &task.biasSine, &task.biasCosine);
    const int32_t most = task.around.wallMax + task.around.neighborMax;
    float* rooms[6];
    for (int32_t i = 0; i < 6; ++i)
        rooms[i] = allocateFloats(most * (i < 3 ? batch.lanes : 2 * TH_MAX_WIDTH), fill);
    task.lineX = rooms[0];
    task.lineY = rooms[1];
    task.lineO = rooms[2];
    task.packX = rooms[3];
    task.packY = rooms[4];
    task.packO = rooms[5];
    kernel(&task);
    for (int32_t i = 0; i < 6; ++i)
        free(rooms[i]);
}

static bool sameAnswer(const Answer* a, const Answer* b, const char* name)
{
    for (int32_t lane = 0; lane < batch.lanes; ++lane) {
        if (sameBits(a->vx[lane], b->vx[lane]) && sameBits(a->vy[lane], b->vy[lane]) &&
            a->status[lane] == b->status[lane])
            continue;
        if (getenv("THRONG_PROPERTY") != NULL) {
            print_message("%s, lane %d of %d: %a %a, status %d instead of %a %a, status %d\n", name,
                          lane, batch.lanes, (double)b->vx[lane], (double)b->vy[lane],
                          b->status[lane], (double)a->vx[lane], (double)a->vy[lane],
                          a->status[lane]);
            printSet(&batch.sets[lane]);
        }
        return false;
    }
    return true;
}

static int64_t relaxedLanes, allLanes;

static bool widthsAgree(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    drawBatch(g, size);
    Answer scalar, wide;
    runKernel(kernels[th_simdScalar], 0.0f, &scalar);
    for (int32_t lane = 0; lane < batch.lanes; ++lane)
        relaxedLanes += scalar.status[lane] == th_orcaRelaxed;
    allLanes += batch.lanes;
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (!thSimd_IsAvailable(simd))
            continue;
        // What the rooms held before must not count.
        runKernel(kernels[simd], NAN, &wide);
        if (!sameAnswer(&scalar, &wide, thSimd_GetName(simd)))
            return false;
    }
    for (int32_t lane = 0; lane < batch.lanes; ++lane) {
        thVec2 v;
        thOrcaStatus status;
        if (solveSet(&batch.sets[lane], &v, &status) != th_resultOk)
            return false;
        wide.vx[lane] = v.x;
        wide.vy[lane] = v.y;
        wide.status[lane] = (uint8_t)status;
    }
    return sameAnswer(&scalar, &wide, "thOrca_Solve");
}

static void testWidths(void** state)
{
    (void)state;
    relaxedLanes = allLanes = 0;
    assertProperty(&(thProperty){.name = "widths",
                                 .seed = 1,
                                 .caseCount = getenv("THRONG_LONG") != NULL ? 50000 : 1000,
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = widthsAgree});
    print_message("%lld lanes, %lld relaxed\n", (long long)allLanes, (long long)relaxedLanes);
    assert_true(relaxedLanes > allLanes / 50);
}

// Two on one point go apart: the lower row to the left.
static void testOnePoint(void** state)
{
    (void)state;
    OrcaSet set;
    thGenerator g = makeGenerator(1, 1);
    drawSet(&g, set_plain, 0, &set);
    set.def.separationTime = 0.5f;
    set.self.velocity = set.self.wanted = (thVec2){0.0f, 0.0f};
    set.neighborCount = 1;
    set.neighbors[0] = (thAvoidNeighbor){.radius = 0.25f, .share = 0.5f};
    batch.lanes = 16;
    for (int32_t lane = 0; lane < 16; ++lane)
        batch.sets[lane] = set;
    layOutSets(&g, batch.sets, 16, &batch.columns);
    for (int32_t lane = 0; lane < 16; ++lane) {
        batch.columns.row[lane] = lane < 8 ? 3 : 5;
        batch.columns.nrow[lane] = 4;
    }
    Answer answer;
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (!thSimd_IsAvailable(simd))
            continue;
        runKernel(kernels[simd], NAN, &answer);
        for (int32_t lane = 0; lane < 16; ++lane) {
            // 0.5 m over 0.5 s, half of it each.
            assert_near((double)answer.vx[lane], lane < 8 ? -0.5 : 0.5, 1e-6);
            assert_near((double)answer.vy[lane], 0.0, 1e-6);
        }
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testWidths),
        cmocka_unit_test(testOnePoint),
    };
    return RUN_TESTS(tests, argc, argv);
}
