// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The kernel of `orca` at every width: each lane gives the bits of the scalar kernel. Those are the
// bits of thOrca_Solve, whatever stands in the other lanes and past the counts.

#include "avoid/orca/orca.h"
#include "avoid/orca/orca_sets.h"
#include "gear/gear.h"
#include "throng/math.h"

#include <stdlib.h>

#define LANES 64

static thOrcaFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiOrca);

typedef struct Batch {
    OrcaSet sets[LANES];
    int32_t lanes;
    int32_t row[LANES], neighborCount[LANES], wallCount[LANES];
    float vx[LANES], vy[LANES], radius[LANES], maxSpeed[LANES], maxAccel[LANES];
    float guideX[LANES], guideY[LANES];
    float nx[SET_NEIGHBORS * LANES], ny[SET_NEIGHBORS * LANES], nvx[SET_NEIGHBORS * LANES];
    float nvy[SET_NEIGHBORS * LANES], nradius[SET_NEIGHBORS * LANES];
    float nshare[SET_NEIGHBORS * LANES];
    int32_t nrow[SET_NEIGHBORS * LANES];
    float ax[SET_WALLS * LANES], ay[SET_WALLS * LANES], bx[SET_WALLS * LANES];
    float by[SET_WALLS * LANES], wvx[SET_WALLS * LANES], wvy[SET_WALLS * LANES];
    float wradius[SET_WALLS * LANES];
} Batch;

static Batch batch;

typedef struct Answer {
    float vx[LANES], vy[LANES];
    uint8_t status[LANES];
} Answer;

static void putNeighbor(int32_t at, const thOrcaNeighbor* n, int32_t row)
{
    batch.nx[at] = n->position.x;
    batch.ny[at] = n->position.y;
    batch.nvx[at] = n->velocity.x;
    batch.nvy[at] = n->velocity.y;
    batch.nradius[at] = n->radius;
    batch.nshare[at] = n->share;
    batch.nrow[at] = row;
}

static void putWall(int32_t at, const thOrcaWall* w)
{
    batch.ax[at] = w->a.x;
    batch.ay[at] = w->a.y;
    batch.bx[at] = w->b.x;
    batch.by[at] = w->b.y;
    batch.wvx[at] = w->velocity.x;
    batch.wvy[at] = w->velocity.y;
    batch.wradius[at] = w->radius;
}

// Fills what no lane may look at.
static void spoil(thGenerator* g)
{
    for (int32_t at = 0; at < SET_NEIGHBORS * LANES; ++at) {
        const float x = drawSpecialFloat(g);
        putNeighbor(at, &(thOrcaNeighbor){{x, x}, {x, x}, x, x}, 0);
    }
    for (int32_t at = 0; at < SET_WALLS * LANES; ++at) {
        const float x = drawSpecialFloat(g);
        putWall(at, &(thOrcaWall){{x, x}, {x, x}, {x, x}, x});
    }
}

// Kinds of batches: all lanes alike, or few lanes that fail among many that do not.
static void drawBatch(thGenerator* g, int32_t size)
{
    batch.lanes = 16 * drawInt(g, 1, LANES / 16);
    spoil(g);
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
        batch.row[lane] = 0;
        batch.neighborCount[lane] = set->neighborCount;
        batch.wallCount[lane] = set->wallCount;
        batch.vx[lane] = set->self.velocity.x;
        batch.vy[lane] = set->self.velocity.y;
        batch.radius[lane] = set->self.radius;
        batch.maxSpeed[lane] = set->self.maxSpeed;
        batch.maxAccel[lane] = set->self.maxAccel;
        batch.guideX[lane] = set->self.wanted.x;
        batch.guideY[lane] = set->self.wanted.y;
        for (int32_t k = 0; k < set->neighborCount; ++k)
            putNeighbor(k * batch.lanes + lane, &set->neighbors[k], k + 1);
        for (int32_t k = 0; k < set->wallCount; ++k)
            putWall(k * batch.lanes + lane, &set->walls[k]);
    }
}

static int32_t mostOf(const int32_t* counts)
{
    int32_t most = 0;
    for (int32_t i = 0; i < batch.lanes; ++i)
        most = counts[i] > most ? counts[i] : most;
    return most;
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
    thOrcaTask task = {.lanes = batch.lanes,
                       .timeHorizon = first->def.timeHorizon,
                       .wallHorizon = first->def.wallHorizon,
                       .separationTime = first->def.separationTime,
                       .dt = first->dt,
                       .vx = batch.vx,
                       .vy = batch.vy,
                       .radius = batch.radius,
                       .maxSpeed = batch.maxSpeed,
                       .maxAccel = batch.maxAccel,
                       .guideX = batch.guideX,
                       .guideY = batch.guideY,
                       .row = batch.row,
                       .neighborMax = mostOf(batch.neighborCount),
                       .neighborCount = batch.neighborCount,
                       .nx = batch.nx,
                       .ny = batch.ny,
                       .nvx = batch.nvx,
                       .nvy = batch.nvy,
                       .nradius = batch.nradius,
                       .nshare = batch.nshare,
                       .nrow = batch.nrow,
                       .wallMax = mostOf(batch.wallCount),
                       .wallCount = batch.wallCount,
                       .ax = batch.ax,
                       .ay = batch.ay,
                       .bx = batch.bx,
                       .by = batch.by,
                       .wvx = batch.wvx,
                       .wvy = batch.wvy,
                       .wradius = batch.wradius,
                       .outVx = answer->vx,
                       .outVy = answer->vy,
                       .status = answer->status};
    thSinCos(first->def.sideBias, &task.biasSine, &task.biasCosine);
    const int32_t most = task.wallMax + task.neighborMax;
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
    set.neighbors[0] = (thOrcaNeighbor){.radius = 0.25f, .share = 0.5f};
    batch.lanes = 16;
    for (int32_t lane = 0; lane < 16; ++lane) {
        batch.sets[lane] = set;
        batch.row[lane] = lane < 8 ? 3 : 5;
        batch.neighborCount[lane] = 1;
        batch.wallCount[lane] = 0;
        batch.vx[lane] = batch.vy[lane] = batch.guideX[lane] = batch.guideY[lane] = 0.0f;
        batch.radius[lane] = 0.25f;
        batch.maxSpeed[lane] = 2.0f;
        batch.maxAccel[lane] = 0.0f;
        putNeighbor(lane, &set.neighbors[0], 4);
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
