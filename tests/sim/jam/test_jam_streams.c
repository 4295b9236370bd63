// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A dense stream that flows freely does not carry somebody along for ever who wants to cross it.

#include "sim/jam/jam_gear.h"
#include "throng/random.h"

#include <math.h>
#include <stdlib.h>

#define COLUMNS 12
#define ROWS 60
#define SPACING 0.55f // [m]
#define FAR 300.0f    // [m]
#define STEPS 600
#define SEEDS 9
#define STREAM_LETS_GO 50.0f // of 70 and more that it goes itself [m]

// How far north a stream carries one in the middle of it who wants to go west, in a minute [m].
static float carried(const char* method, uint32_t seed)
{
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    thProfileDef def = walkerProfile(th_keepRight, 1.0f);
    def.avoid.name = method;
    thProfileId profile;
    assert_ok(thCreateProfile(world, &def, &profile, NULL));
    thAgentId one = {0};
    for (int32_t i = 0; i < COLUMNS * ROWS; ++i) {
        const float shift = thRandomRange(thRandomStream(seed, (uint64_t)i, 0, 0), 0, 0.0f, 0.08f);
        const thVec2 from = {SPACING * (float)(i % COLUMNS) + shift,
                             SPACING * (float)(i / COLUMNS)};
        const bool isOne = i == COLUMNS * ROWS / 2 + COLUMNS / 2;
        const thVec2 to = {isOne ? from.x - FAR : from.x, isOne ? from.y : from.y + FAR};
        const thAgentId id = addWalker(world, profile, from, to);
        one = isOne ? id : one;
    }
    const float begin = thAgent_Get(world, one).position.y;
    float furthest = 0.0f;
    for (int32_t i = 0; i < STEPS; ++i) {
        assert_ok(thWorld_Step(world, JAM_STEP));
        furthest = fmaxf(furthest, thAgent_Get(world, one).position.y - begin);
    }
    thDestroyWorld(world);
    return furthest;
}

static int compareFloats(const void* a, const void* b)
{
    const float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

// Some it does carry to the end, but not most.
static void testCarried(void** state)
{
    (void)state;
    static const char* const methods[] = {"clearpath", "orca"};
    for (size_t i = 0; i < 2; ++i) {
        float ways[SEEDS];
        for (uint32_t seed = 0; seed < SEEDS; ++seed)
            ways[seed] = carried(methods[i], seed);
        qsort(ways, SEEDS, sizeof ways[0], compareFloats);
        print_message("%s: carried %.0f to %.0f m, median %.0f\n", methods[i], (double)ways[0],
                      (double)ways[SEEDS - 1], (double)ways[SEEDS / 2]);
        assert_true(ways[SEEDS / 2] < STREAM_LETS_GO);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testCarried)};
    return RUN_TESTS(tests, argc, argv);
}
