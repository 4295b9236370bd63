// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Crowds that would block each other, and how long they take.

#include "sim/jam/jam_gear.h"

thWorld* createCrowdWorld(int32_t workers, thSimd simd)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workers;
    def.simd = simd;
    thWorld* world = NULL;
    assert_ok(thCreateWorld(&def, &world));
    return world;
}

thProfileDef walkerProfile(thKeep keep, float patience)
{
    thProfileDef def = thDefaultProfileDef();
    def.avoid.name = "orca";
    def.arrival = th_arrivalLeave;
    def.keep = keep;
    def.patience = patience;
    def.maxSpeed = 2.0f;
    return def;
}

thProfileId addProfile(thWorld* world, thKeep keep, float patience)
{
    const thProfileDef def = walkerProfile(keep, patience);
    thProfileId id;
    assert_ok(thCreateProfile(world, &def, &id, NULL));
    return id;
}

thAgentId addWalker(thWorld* world, thProfileId profile, thVec2 from, thVec2 to)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = from;
    assert_ok(thCreatePointGoal(world, to, &def.goal));
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    return id;
}

int32_t stepsUntilEmpty(thWorld* world, int32_t most)
{
    for (int32_t i = 0; i < most; ++i) {
        if (thWorld_GetCounters(world).agents == 0)
            return i;
        assert_ok(thWorld_Step(world, JAM_STEP));
    }
    return most;
}
