// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The smallest crowd: ten people a metre apart walk to the same place, and each leaves the world
// when it gets there.

#include <throng/throng.h>

#include <stdio.h>
#include <stdlib.h>

enum { agentCount = 10 };

static void check(thResult result)
{
    if (result == th_resultOk)
        return;
    fprintf(stderr, "hello: %s\n", thResult_GetText(result));
    exit((int)result);
}

int main(void)
{
    const thWorldDef worldDef = thDefaultWorldDef();
    thWorld* world;
    check(thCreateWorld(&worldDef, &world));

    thProfileDef profileDef = thDefaultProfileDef();
    profileDef.prefSpeed = 1.5f;
    profileDef.arrival = th_arrivalLeave;
    thProfileId walker;
    check(thCreateProfile(world, &profileDef, &walker, NULL));

    thGoalId door;
    check(thCreatePointGoal(world, (thVec2){15.0f, 0.0f}, &door));

    for (int32_t i = 0; i < agentCount; ++i) {
        thAgentDef agentDef = thDefaultAgentDef();
        agentDef.profile = walker;
        agentDef.position = (thVec2){(float)-i, 0.0f};
        agentDef.goal = door;
        agentDef.key = (uint64_t)i + 1;
        thAgentId agent;
        check(thCreateAgent(world, &agentDef, &agent));
    }

    const float dt = 0.1f;
    int32_t arrived = 0;
    int onTime = 1;
    for (int32_t step = 1; thWorld_GetCounters(world).agents > 0 && step <= 1000; ++step) {
        check(thWorld_Step(world, dt));
        int32_t count;
        const thEvent* events = thWorld_GetEvents(world, &count);
        for (int32_t i = 0; i < count; ++i) {
            if (events[i].kind != th_eventArrived)
                continue;
            const float time = (float)step * dt;
            const float way = 14.0f + (float)events[i].key - profileDef.arrivalDistance;
            printf("%4.1f s: agent %d arrives after %.1f m\n", (double)time, (int)events[i].key,
                   (double)way);
            arrived += 1;
            onTime = onTime && time >= way / 1.5f - 0.01f && time <= way / 1.5f + dt + 0.01f;
        }
    }
    thDestroyWorld(world);
    printf("%d of %d arrived%s\n", (int)arrived, (int)agentCount, onTime ? "" : ", NOT on time");
    return arrived == agentCount && onTime ? 0 : 1;
}
