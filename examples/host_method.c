// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A way to avoid others that is the host's own: "queue" keeps its distance from whoever is ahead. A
// slow walker leads a line of faster ones. Contacts are off, so that nothing but the method keeps
// them from walking through each other.

#include <throng/throng.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { walkerCount = 30, stepCount = 300 };

// What a profile sets.
typedef struct QueueParams {
    float gap;  // the least distance between bodies [m]
    float time; // it takes to walk what is free beyond that [s, > 0]
} QueueParams;

// What an agent remembers: no pointers and no padding, because its bytes are saved and hashed.
typedef struct QueueState {
    float pace; // share of the wanted speed; drops at once, comes back slowly [0 .. 1]
    float held; // how long it was held up [s]
} QueueState;

// How far one agent can go in the unit direction (x, y).
static float freeWay(const thBatch* batch, int32_t lane, float x, float y)
{
    float nearest = 1000.0f;
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const float ahead = batch->nx[at] * x + batch->ny[at] * y;
        const float aside = fabsf(batch->ny[at] * x - batch->nx[at] * y);
        const float bodies = batch->radius[lane] + batch->nradius[at];
        if (ahead > 0.0f && aside < bodies && ahead - bodies < nearest)
            nearest = ahead - bodies;
    }
    return nearest;
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    (void)shared;
    const QueueParams* queue = params;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        QueueState* state = batch->state[lane];
        const float guideX = batch->guideX[lane], guideY = batch->guideY[lane];
        const float wanted = sqrtf(guideX * guideX + guideY * guideY);
        if (wanted == 0.0f)
            continue; // velocities are 0 until they are set
        const float way = freeWay(batch, lane, guideX / wanted, guideY / wanted) - queue->gap;
        const float possible = way > 0.0f ? way / (queue->time * wanted) : 0.0f;
        const float pace = state->pace + 0.5f * batch->frame->dt;
        state->pace = pace < possible ? pace : possible;
        state->pace = state->pace < 1.0f ? state->pace : 1.0f;
        state->held += state->pace < 1.0f ? batch->frame->dt : 0.0f;
        batch->outVx[lane] = guideX * state->pace;
        batch->outVy[lane] = guideY * state->pace;
    }
}

static void check(thResult result)
{
    if (result != th_resultOk)
        exit((int)result);
}

// In how many steps each walker overlaps with the one before it, all added up.
static int countOverlaps(thWorld* world, thMethodUse avoid)
{
    thProfileDef profileDef = thDefaultProfileDef();
    profileDef.avoid = avoid;
    thAgentDef agentDef = thDefaultAgentDef();
    check(thCreateProfile(world, &profileDef, &agentDef.profile, NULL));
    check(thCreatePointGoal(world, (thVec2){1000.0f, 0.0f}, &agentDef.goal));
    thAgentId ids[walkerCount];
    for (int32_t i = 0; i < walkerCount; ++i) {
        agentDef.position.x = -1.5f * (float)i;
        agentDef.prefSpeed = i == 0 ? 0.4f : -1.0f; // −1: the profile's
        check(thCreateAgent(world, &agentDef, &ids[i]));
    }
    int overlaps = 0;
    for (int32_t step = 0; step < stepCount; ++step) {
        check(thWorld_Step(world, 0.1f));
        const thAgentRow* rows = thWorld_GetAgentView(world).rows;
        for (int32_t i = 1; i < walkerCount; ++i) {
            const float distance =
                rows[THRONG_SLOT(ids[i - 1])].position.x - rows[THRONG_SLOT(ids[i])].position.x;
            overlaps += fabsf(distance) < 2.0f * profileDef.radius;
        }
    }
    check(thDestroyAgents(world, ids, walkerCount));
    return overlaps;
}

int main(void)
{
    const QueueParams defaults = {.gap = 0.3f, .time = 1.0f}, wide = {.gap = 1.0f, .time = 2.0f};
    const thMethod method = {.size = sizeof(thMethod),
                             .name = "queue",
                             .version = 1,
                             .paramSize = sizeof(QueueParams),
                             .stateSize = sizeof(QueueState),
                             .needs = th_needsNeighbors,
                             .defaults = &defaults,
                             .solve = solve};
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.contacts = 0;
    thWorld* world;
    check(thCreateWorld(&worldDef, &world));
    check(thWorld_AddMethod(world, th_methodAvoid, &method));
    const int none = countOverlaps(world, (thMethodUse){"none", NULL});
    const int queue = countOverlaps(world, (thMethodUse){"queue", NULL});
    const int wider = countOverlaps(world, (thMethodUse){"queue", &wide});
    printf("overlaps: %d without avoidance, %d with queue, %d with wide gaps\n", none, queue,
           wider);
    thDestroyWorld(world);
    return none > 0 && queue == 0 && wider == 0 ? 0 : 1;
}
