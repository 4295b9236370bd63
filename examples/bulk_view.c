// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Ten thousand agents come from columns, leave by the nearest of four exits and are read back in
// bulk; twenty more are moved by the host. The view is drawn, and asked the same as the queries.

#include <throng/throng.h>

#include <stdio.h>
#include <stdlib.h>

enum { side = 100, crowdCount = side * side, robotCount = 20, stepCount = 300 };

static void check(thResult result)
{
    if (result != th_resultOk)
        exit((int)result);
}

// The square of 120 m about the origin as characters: the more agents, the darker.
static void draw(thAgentView view)
{
    enum { columns = 60, lines = 16 };
    int counts[lines][columns] = {{0}};
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thVec2 p = view.rows[slot].position;
        const int x = (int)((p.x + 60.0f) / 2.0f), y = (int)((60.0f - p.y) / 7.5f);
        if (view.rows[slot].flags != 0 && x >= 0 && x < columns && y >= 0 && y < lines)
            counts[y][x] += 1;
    }
    for (int y = 0; y < lines; ++y) {
        for (int x = 0; x < columns; ++x) {
            const int n = counts[y][x];
            putchar(n == 0 ? ' ' : n < 8 ? '.' : n < 20 ? ':' : n < 60 ? '+' : '#');
        }
        putchar('\n');
    }
}

static thGoalId createExits(thWorld* world)
{
    thGoalId corners[4];
    for (int i = 0; i < 4; ++i)
        check(thCreatePointGoal(world, (thVec2){i % 2 ? 50.0f : -50.0f, i / 2 ? 45.0f : -45.0f},
                                &corners[i]));
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalAlternatives;
    def.goals = corners;
    def.goalCount = 4;
    thGoalId exits;
    check(thCreateGoal(world, &def, &exits));
    return exits;
}

// The host's own motion: a circle.
static void placeRobots(float time, thVec2* positions, thVec2* velocities)
{
    for (int i = 0; i < robotCount; ++i) {
        float sine, cosine;
        thSinCos(0.1f * time + 6.2831853f * (float)i / robotCount, &sine, &cosine);
        positions[i] = (thVec2){20.0f * cosine, 20.0f * sine};
        velocities[i] = (thVec2){-2.0f * sine, 2.0f * cosine};
    }
}

int main(void)
{
    const thWorldDef worldDef = thDefaultWorldDef();
    thWorld* world;
    check(thCreateWorld(&worldDef, &world));
    thProfileDef profileDef = thDefaultProfileDef();
    profileDef.avoid.name = "orca";
    profileDef.arrival = th_arrivalLeave;
    profileDef.arrivalDistance = 5.0f; // exits are wide
    thAgentColumns crowd = thDefaultAgentColumns();
    check(thCreateProfile(world, &profileDef, &crowd.shared.profile, NULL));
    crowd.shared.goal = createExits(world);

    static thVec2 places[crowdCount];
    static float speeds[crowdCount];
    for (int i = 0; i < crowdCount; ++i) {
        places[i] = (thVec2){(float)(i % side) - 49.5f, (float)(i / side) - 49.5f};
        speeds[i] = thRandomRange(thRandomStream(7, (uint64_t)i, 0, 0), 0, 0.8f, 1.8f);
    }
    crowd.count = crowdCount;
    crowd.positions = places;
    crowd.prefSpeeds = speeds;
    check(thCreateAgents(world, &crowd, NULL));

    thVec2 positions[robotCount], velocities[robotCount];
    placeRobots(0.0f, positions, velocities);
    thAgentColumns robots = thDefaultAgentColumns();
    robots.shared.profile = crowd.shared.profile;
    robots.shared.flags = th_agentExternal;
    robots.count = robotCount;
    robots.positions = positions;
    thAgentId robotIds[robotCount];
    check(thCreateAgents(world, &robots, robotIds));

    for (int step = 1; step <= stepCount; ++step) {
        check(thWorld_Step(world, 0.1f));
        placeRobots(0.1f * (float)step, positions, velocities);
        check(thWorld_SetKinematics(world, robotIds, positions, velocities, robotCount));
    }
    const thAgentView view = thWorld_GetAgentView(world);
    draw(view);

    int32_t seen = 0;
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thVec2 p = view.rows[slot].position;
        seen += view.rows[slot].flags != 0 && p.x * p.x + p.y * p.y <= 25.0f * 25.0f;
    }
    const int32_t found =
        thWorld_AgentsInDisc(world, (thVec2){0.0f, 0.0f}, 25.0f, thDefaultQueryFilter(), NULL, 0);
    const thCounters counters = thWorld_GetCounters(world);
    printf("%d agents, %d arrivals; %d within 25 m of the middle, %d by query; last step %.2f ms\n",
           (int)view.agentCount, (int)counters.arrivals, (int)seen, (int)found,
           (double)counters.stepTime * 1e-6);
    thDestroyWorld(world);
    return seen == found && found >= robotCount && counters.arrivals > 0 ? 0 : 1;
}
