// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Claims are dealt anew every thirty seconds, and fairly: everybody comes first some time. People
// who claim their way for ever, each in a cell of his own, show what they were dealt.

#include "jam_gear.h"

#include "sim/world_internal.h"

#define CLAIMANTS 16
#define TURNS 128
#define STEP 0.5f         // [s]
#define TURN_STEPS 60     // thirty seconds
#define STEPS_TO_CLAIM 20 // until all have lost their patience

// A cell of one by 0.56 m, in which somebody wants to go where another one stands.
static thAgentId addClaimant(thWorld* world, thProfileId profile, int32_t index, uint64_t key)
{
    const float y = 20.0f * (float)index;
    addWall(world, 0.0f, y - 0.28f, 1.1f, y - 0.28f);
    addWall(world, 1.1f, y - 0.28f, 1.1f, y + 0.28f);
    addWall(world, 1.1f, y + 0.28f, 0.0f, y + 0.28f);
    addWall(world, 0.0f, y + 0.28f, 0.0f, y - 0.28f);
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = (thVec2){0.83f, y};
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    def.position = (thVec2){0.27f, y};
    def.key = key;
    assert_ok(thCreatePointGoal(world, (thVec2){9.0f, y}, &def.goal));
    assert_ok(thCreateAgent(world, &def, &id));
    return id;
}

static uint16_t claimOf(const thWorld* world, thAgentId id)
{
    const int32_t row = TH_ITEMS(world->agents.rowOfSlot, int32_t)[THRONG_SLOT(id)];
    const thJamShown* shown = &world->jams.shown[world->jams.current][row];
    assert_true((shown->flags & th_jamStepsBack) == 0);
    return shown->claim;
}

// What everybody is dealt in each turn. Claims change for all at once, or not at all.
static void watchClaims(const uint64_t keys[CLAIMANTS], uint16_t dealt[TURNS][CLAIMANTS])
{
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    const thProfileId profile = addProfile(world, th_keepRight, 1.0f);
    thAgentId ids[CLAIMANTS];
    for (int32_t i = 0; i < CLAIMANTS; ++i)
        ids[i] = addClaimant(world, profile, i, keys[i]);
    for (int32_t step = 0; step < TURNS * TURN_STEPS; ++step) {
        const int32_t turn = step / TURN_STEPS, rest = step % TURN_STEPS;
        assert_ok(thWorld_Step(world, STEP));
        if (step < STEPS_TO_CLAIM)
            continue;
        for (int32_t i = 0; i < CLAIMANTS; ++i) {
            const uint16_t claim = claimOf(world, ids[i]);
            assert_true(claim > 0);
            if (rest == 0 || step == STEPS_TO_CLAIM)
                dealt[turn][i] = claim;
            assert_true(claim == dealt[turn][i]);
        }
    }
    thDestroyWorld(world);
}

static int32_t firstOf(const uint16_t dealt[CLAIMANTS])
{
    int32_t first = 0;
    for (int32_t i = 1; i < CLAIMANTS; ++i)
        first = dealt[i] > dealt[first] ? i : first;
    return first;
}

// Of two, each comes before the other about half the time: six deviations to either side.
static void judgePairs(uint16_t dealt[TURNS][CLAIMANTS])
{
    for (int32_t i = 0; i < CLAIMANTS; ++i)
        for (int32_t j = 0; j < i; ++j) {
            int32_t wins = 0;
            for (int32_t turn = 0; turn < TURNS; ++turn)
                wins += dealt[turn][i] > dealt[turn][j];
            assert_in_range(wins, TURNS / 2 - 34, TURNS / 2 + 34);
        }
}

static void judgeRotation(const uint64_t keys[CLAIMANTS])
{
    static uint16_t dealt[TURNS][CLAIMANTS];
    int32_t firsts[CLAIMANTS] = {0};
    watchClaims(keys, dealt);
    for (int32_t turn = 0; turn < TURNS; ++turn)
        firsts[firstOf(dealt[turn])] += 1;
    for (int32_t i = 0; i < CLAIMANTS; ++i)
        assert_in_range(firsts[i], 1, TURNS / 4);
    judgePairs(dealt);
}

static void testRotation(void** state)
{
    (void)state;
    uint64_t keys[CLAIMANTS];
    for (int32_t i = 0; i < CLAIMANTS; ++i)
        keys[i] = 1 + (uint64_t)i;
    judgeRotation(keys);
    for (int32_t i = 0; i < CLAIMANTS; ++i)
        keys[i] = (uint64_t)(i + 1) << 32;
    judgeRotation(keys);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testRotation)};
    return RUN_TESTS(tests, argc, argv);
}
