// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Saves a world in the middle of a run, goes on, rewinds it and goes on once more: the same end. So
// does another world with another number of threads that takes over the snapshot.

#include <throng/throng.h>

#include <stdio.h>
#include <stdlib.h>

enum { agentCount = 300, stepCount = 200 };

static void check(thResult result)
{
    if (result == th_resultOk)
        return;
    fprintf(stderr, "snapshot_rewind: %s\n", thResult_GetText(result));
    exit((int)result);
}

static thWorld* createWorld(int32_t threads)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = threads;
    thWorld* world;
    check(thCreateWorld(&def, &world));
    return world;
}

// A crowd that goes round and round between three places, and a trolley among them.
static void fill(thWorld* world)
{
    thProfileDef profileDef = thDefaultProfileDef();
    profileDef.avoid.name = "orca";
    profileDef.arrival = th_arrivalAgain;
    profileDef.arrivalDistance = 2.0f; // nobody can stand where another does
    thAgentDef agentDef = thDefaultAgentDef();
    check(thCreateProfile(world, &profileDef, &agentDef.profile, NULL));

    const thVec2 places[3] = {{0.0f, 0.0f}, {20.0f, 0.0f}, {10.0f, 15.0f}};
    thGoalId stations[3];
    for (int i = 0; i < 3; ++i)
        check(thCreatePointGoal(world, places[i], &stations[i]));
    thGoalDef goalDef = thDefaultGoalDef();
    goalDef.kind = th_goalList;
    goalDef.goals = stations;
    goalDef.goalCount = 3;
    check(thCreateGoal(world, &goalDef, &agentDef.goal));

    for (int32_t i = 0; i < agentCount; ++i) {
        const uint64_t stream = thRandomStream(1, (uint64_t)i, 0, 0);
        agentDef.position.x = thRandomRange(stream, 0, 0.0f, 20.0f);
        agentDef.position.y = thRandomRange(stream, 1, 0.0f, 15.0f);
        agentDef.prefSpeed = thRandomRange(stream, 2, 0.8f, 1.8f);
        thAgentId agent;
        check(thCreateAgent(world, &agentDef, &agent));
    }
    thObstacleDef trolley = thDefaultObstacleDef();
    trolley.kind = th_obstacleMovingDisc;
    trolley.radius = 0.6f;
    trolley.path = places;
    trolley.pathCount = 3;
    trolley.pathLoops = 1;
    thObstacleId obstacle;
    check(thCreateObstacle(world, &trolley, &obstacle));
}

static uint64_t run(thWorld* world, const char* what)
{
    for (int32_t step = 0; step < stepCount; ++step)
        check(thWorld_Step(world, 0.1f));
    const thCounters counters = thWorld_GetCounters(world);
    const uint64_t hash = thWorld_GetStateHash(world);
    printf("%-22s step %d, %5d arrivals, state %016llx\n", what, (int)counters.steps,
           (int)counters.arrivals, (unsigned long long)hash);
    return hash;
}

int main(void)
{
    thWorld* world = createWorld(0);
    fill(world);
    run(world, "until it is saved");

    size_t size;
    check(thWorld_Save(world, NULL, 0, &size));
    unsigned char* snapshot = malloc(size);
    if (snapshot == NULL)
        return 3;
    check(thWorld_Save(world, snapshot, size, &size));
    printf("saved %d agents in %zu bytes\n", (int)agentCount, size);

    const uint64_t first = run(world, "on");
    check(thWorld_Restore(world, snapshot, size, NULL));
    const uint64_t again = run(world, "rewound");
    thWorld* other = createWorld(3);
    check(thWorld_Restore(other, snapshot, size, NULL));
    const uint64_t elsewhere = run(other, "another, 3 threads");

    snapshot[size / 2] ^= 1;
    thError error = {0};
    const thResult refused = thWorld_Restore(other, snapshot, size, &error);
    printf("one bit changed: %s (%s)\n", thResult_GetText(refused), error.text);
    const int unchanged = thWorld_GetStateHash(other) == elsewhere;
    free(snapshot);
    thDestroyWorld(other);
    thDestroyWorld(world);
    return again == first && elsewhere == first && refused == th_resultDamaged && unchanged ? 0 : 1;
}
