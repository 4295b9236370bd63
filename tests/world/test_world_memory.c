// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A million agents: how much memory each takes in all, and that the world holds what it promised.

#include "gear/gear.h"
#include "throng/random.h"
#include "throng/world.h"

#include <stdlib.h>

enum { agentCount = 1000000 };

static void measure(int32_t contacts, uint64_t mostBytes)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = 2;
    def.contacts = contacts;
    thWorld* world;
    assert_int_equal(thCreateWorld(&def, &world), th_resultOk);
    assert_int_equal(thWorld_Reserve(world, agentCount), th_resultOk);
    thProfileDef profile = thDefaultProfileDef();
    profile.avoid.name = "orca";
    profile.neighborRadius = 3.75f;
    thAgentColumns columns = thDefaultAgentColumns();
    assert_int_equal(thCreateProfile(world, &profile, &columns.shared.profile, NULL), th_resultOk);
    assert_int_equal(thCreatePointGoal(world, (thVec2){500.0f, 500.0f}, &columns.shared.goal),
                     th_resultOk);
    thVec2* positions = calloc(agentCount, sizeof *positions);
    for (int32_t i = 0; i < agentCount; ++i) {
        const uint64_t stream = thRandomStream(1, (uint64_t)i, 0, 0);
        positions[i] = (thVec2){thRandomRange(stream, 0, 0.0f, 1000.0f),
                                thRandomRange(stream, 1, 0.0f, 1000.0f)};
    }
    columns.count = agentCount;
    columns.positions = positions;
    assert_int_equal(thCreateAgents(world, &columns, NULL), th_resultOk);
    free(positions);
    for (int32_t step = 0; step < 3; ++step)
        assert_int_equal(thWorld_Step(world, 0.1f), th_resultOk);
    const thCounters counters = thWorld_GetCounters(world);
    print_message("%s contacts: %.1f bytes an agent, %.1f at most\n",
                  contacts != 0 ? "with" : "without", (double)counters.bytes / agentCount,
                  (double)counters.peakBytes / agentCount);
    assert_int_equal(counters.agents, agentCount);
    assert_true(counters.peakBytes <= mostBytes * agentCount);
    thDestroyWorld(world);
}

static void takesFewBytesPerAgent(void** state)
{
    (void)state;
    measure(0, 250);
    measure(1, 650);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takesFewBytesPerAgent)};
    return RUN_TESTS(tests, argc, argv);
}
