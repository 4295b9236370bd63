// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What crowds do against jams costs little where there is none to get out of: ten thousand who walk
// between random places get on nearly as fast as without it.

#include "gear/gear.h"
#include "throng/scene.h"

#include <stdlib.h>

#define STEP 0.1
#define STEPS 150

// A crowd as in `random-10k`, so dense.
typedef struct Density {
    double perSquareMetre;
    double leastRatio; // of progress with and without
    const char* changes[3];
} Density;

static const Density densities[] = {
    {1.0,
     0.95,
     {"agents[0].grid.spacing=1", "agents[0].grid.jitter=0.15",
      "agents[0].goal.random.box=[[0, 0], [100, 100]]"}},
    {2.0,
     0.9,
     {"agents[0].grid.spacing=0.7071", "agents[0].grid.jitter=0.05",
      "agents[0].goal.random.box=[[0, 0], [71, 71]]"}},
};

static thScene* loadScene(const Density* density, const char* patience)
{
    const char* changes[] = {density->changes[0], density->changes[1], density->changes[2],
                             patience};
    thSceneDef def = thDefaultSceneDef();
    def.path = RANDOM_SCENE;
    def.changes = changes;
    def.changeCount = 4;
    thScene* scene;
    assert_int_equal(thLoadScene(&def, &scene), th_resultOk);
    return scene;
}

// The way that is left to somebody's goal, and which that is.
typedef struct Left {
    float remaining;
    thGoalId goal;
} Left;

static thAgentId idOf(const thWorld* world, int32_t slot)
{
    return thWorld_FindAgent(world, thWorld_GetAgentView(world).rows[slot].key);
}

// Velocity towards the goal, mean over everybody and all steps in which the goal stays [m/s].
static double meanProgress(const Density* density, const char* patience, uint64_t seed)
{
    thScene* scene = loadScene(density, patience);
    thRunDef def = thDefaultRunDef();
    def.seed = seed;
    thRun* run;
    assert_int_equal(thCreateRun(scene, &def, &run), th_resultOk);
    const thWorld* world = thRun_GetWorld(run);
    const int32_t count = thWorld_GetAgentView(world).slotCount;
    Left* left = calloc((size_t)count, sizeof *left);
    thAgentId* ids = calloc((size_t)count, sizeof *ids);
    assert_true(left != NULL && ids != NULL);
    for (int32_t i = 0; i < count; ++i)
        ids[i] = idOf(world, i);
    double sum = 0.0;
    int64_t samples = 0;
    for (int32_t step = 0; step < STEPS; ++step) {
        assert_int_equal(thRun_Step(run), th_resultOk);
        for (int32_t i = 0; i < count; ++i) {
            const thAgentInfo info = thAgent_GetInfo(world, ids[i]);
            if (step > 0 && info.shape.value == left[i].goal.value) {
                sum += (double)(left[i].remaining - info.remaining) / STEP;
                samples += 1;
            }
            left[i] = (Left){info.remaining, info.shape};
        }
    }
    free(left);
    free(ids);
    thDestroyRun(run);
    thDestroyScene(scene);
    assert_true(samples > (int64_t)count * STEPS / 2);
    return sum / (double)samples;
}

// On average over the seeds; of one of them it may be a hundredth less.
static void testProgress(void** state)
{
    (void)state;
    for (size_t d = 0; d < sizeof densities / sizeof *densities; ++d) {
        const Density* density = &densities[d];
        double sum = 0.0;
        for (uint64_t seed = 1; seed <= 5; ++seed) {
            const double with = meanProgress(density, "profiles.walker.patience=1", seed);
            const double without = meanProgress(density, "profiles.walker.patience=0", seed);
            print_message("%.1f/m2, seed %d: progress %.3f m/s, without %.3f m/s, ratio %.4f\n",
                          density->perSquareMetre, (int)seed, with, without, with / without);
            assert_true(with >= (density->leastRatio - 0.01) * without);
            sum += with / without;
        }
        assert_true(sum / 5.0 >= density->leastRatio);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testProgress)};
    return RUN_TESTS(tests, argc, argv);
}
