// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The kernels of `rvo` at every width, flat and nested, giving samples up early or not. All choose
// the same sample, whoever stands in the other lanes.

#include "avoid/rvo/rvo_batch.h"
#include "gear/gear.h"

#include <stdlib.h>

static thRvoFcn* const flat[th_simdCount] = TH_KERNEL_TABLE(thiRvoFlat);
static thRvoFcn* const nested[th_simdCount] = TH_KERNEL_TABLE(thiRvoNested);

typedef struct Answer {
    float vx[RVO_LANES], vy[RVO_LANES];
    int32_t chosen[RVO_LANES];
    uint8_t status[RVO_LANES];
} Answer;

static Answer ask(const thBatch* batch, const thRvoDef* def, thRvoFcn* kernel)
{
    thRvoTask task;
    Answer answer;
    assert_true(thiRvoMakeTask(batch, def, &task));
    kernel(&task);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        answer.vx[lane] = batch->outVx[lane];
        answer.vy[lane] = batch->outVy[lane];
        answer.chosen[lane] = task.chosen[lane];
        answer.status[lane] = batch->status[lane];
    }
    return answer;
}

static bool areSame(const Answer* a, const Answer* b, int32_t count, const char* what)
{
    for (int32_t lane = 0; lane < count; ++lane) {
        if (a->chosen[lane] == b->chosen[lane] && sameBits(a->vx[lane], b->vx[lane]) &&
            sameBits(a->vy[lane], b->vy[lane]) && a->status[lane] == b->status[lane])
            continue;
        print_message("%s, lane %d: sample %d, status %d instead of sample %d, status %d\n", what,
                      lane, b->chosen[lane], b->status[lane], a->chosen[lane], a->status[lane]);
        return false;
    }
    return true;
}

static int64_t lanesInAll, statuses[4], refined;

static bool kernelsAgree(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static RvoAgent agents[RVO_LANES];
    const int32_t count = drawRvoAgents(g, size, agents);
    thRvoDef def = drawRvoDef(g);
    def.earlyOut = 0;
    const thBatch* batch = makeRvoBatch(agents, count, drawU32(g), 0.1f);
    const Answer answer = ask(batch, &def, thiRvoFlat_scalar);
    lanesInAll += count;
    for (int32_t i = 0; i < count; ++i) {
        statuses[answer.status[i]] += 1;
        refined += answer.chosen[i] >= def.samples;
    }
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (!thSimd_IsAvailable(simd))
            continue;
        for (def.earlyOut = 0; def.earlyOut <= 1; ++def.earlyOut) {
            const Answer inLanes = ask(batch, &def, flat[simd]);
            const Answer inSamples = ask(batch, &def, nested[simd]);
            if (!areSame(&answer, &inLanes, count, thSimd_GetName(simd)) ||
                !areSame(&answer, &inSamples, count, thSimd_GetName(simd)))
                return false;
        }
    }
    return true;
}

static void testKernels(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "kernels",
                                 .seed = 1,
                                 .caseCount = getenv("THRONG_LONG") != NULL ? 50000 : 600,
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = kernelsAgree});
    print_message("%lld agents: %lld free, %lld avoid, %lld collide, %lld part; %lld refined\n",
                  (long long)lanesInAll, (long long)statuses[0], (long long)statuses[1],
                  (long long)statuses[2], (long long)statuses[3], (long long)refined);
    for (int32_t i = 0; i < 4; ++i)
        assert_true(statuses[i] > lanesInAll / 50);
    freeRvoBatches();
}

// Ties go to the first: where all samples cost the same, the wanted velocity is taken.
static void testTies(void** state)
{
    (void)state;
    RvoAgent agent = plainRvoAgent();
    agent.maxSpeed = 0.0f; // there is one velocity only
    agent.neighborCount = 1;
    agent.neighbors[0] = (RvoNeighbor){{1.0f, 0.0f}, {-1.0f, 0.0f}, 0.25f, 0.5f};
    thRvoDef def = thDefaultRvoDef();
    def.refinements = 1;
    const thBatch* batch = makeRvoBatch(&agent, 1, 1, 0.1f);
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (!thSimd_IsAvailable(simd))
            continue;
        for (def.earlyOut = 0; def.earlyOut <= 1; ++def.earlyOut) {
            assert_int_equal(ask(batch, &def, flat[simd]).chosen[0], 0);
            assert_int_equal(ask(batch, &def, nested[simd]).chosen[0], 0);
        }
    }
    freeRvoBatches();
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testKernels), cmocka_unit_test(testTies)};
    return RUN_TESTS(tests, argc, argv);
}
