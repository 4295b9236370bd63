// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A dense stream that flows freely does not carry somebody along for ever who wants to cross it.

#include "jam_gear.h"

#include <math.h>

#define COLUMNS 12
#define ROWS 60
#define SPACING 0.55f // [m]
#define FAR 300.0f    // [m]
#define STEPS 600
#define STREAM_LETS_GO 55.0f // of 70 and more that it goes itself [m]

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
        const float shift = 0.02f * (float)((seed * 7u + (uint32_t)i * 13u) % 5u);
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

static void testCarried(void** state)
{
    (void)state;
    static const char* const methods[] = {"clearpath", "orca"};
    for (size_t i = 0; i < 2; ++i)
        for (uint32_t seed = 0; seed < 3; ++seed)
            assert_true(carried(methods[i], seed) < STREAM_LETS_GO);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testCarried)};
    return RUN_TESTS(tests, argc, argv);
}
