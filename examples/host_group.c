// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A group method that is the host's own, named in a scene by two profiles: "skirt" goes past the
// side of a crowd that stands, instead of into it. Who is in which crowd is found once a step for
// both profiles; and the method sees further than avoidance does, which it neither widens nor slows
// down.

#include <throng/throng.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a profile sets.
typedef struct Params {
    float reach;      // how far it looks [m]
    int32_t smallest; // what it takes for a crowd [people]
    float room;       // how far it stays off [m]
} Params;

// People who stand within this distance are of one crowd. [m]
#define GAP 1.2f
enum { mostAgents = 256 };

// What all profiles share.
typedef struct Crowds {
    thAllocator allocator;
    thAgentPairs* pairs;
    int32_t crowd[mostAgents]; // by row: the lowest row of the same crowd
    int32_t size[mostAgents];  // by that row
} Crowds;

static thResult createCrowds(const thMethodHost* host, void** common)
{
    Crowds* crowds = host->allocator.allocate(host->allocator.context, sizeof *crowds, 64);
    if (crowds == NULL)
        return th_resultNoMemory;
    crowds->allocator = host->allocator;
    const thResult result = thCreateAgentPairs(&host->allocator, &crowds->pairs);
    if (result == th_resultOk)
        *common = crowds;
    else
        host->allocator.release(host->allocator.context, crowds, sizeof *crowds, 64);
    return result;
}

static void destroyCrowds(void* common)
{
    Crowds* crowds = common;
    thDestroyAgentPairs(crowds->pairs);
    const thAllocator allocator = crowds->allocator;
    allocator.release(allocator.context, crowds, sizeof *crowds, 64);
}

static int32_t lowest(const Crowds* crowds, int32_t row)
{
    while (crowds->crowd[row] != row)
        row = crowds->crowd[row];
    return row;
}

static int stands(const thFrame* frame, int32_t row)
{
    return frame->vx[row] * frame->vx[row] + frame->vy[row] * frame->vy[row] < 0.04f;
}

// Who stands near somebody who stands is of one crowd with him.
static thResult findCrowds(void* common, const thFrame* frame, const thTasks* tasks,
                           const thMethodUser* users, int32_t userCount)
{
    (void)users;
    (void)userCount;
    Crowds* crowds = common;
    const thResult result = thAgentPairs_Find(crowds->pairs, frame, GAP, tasks);
    if (result != th_resultOk || frame->count > mostAgents)
        return result != th_resultOk ? result : th_resultFull;
    int32_t count;
    const thAgentPair* pairs = thAgentPairs_Get(crowds->pairs, &count);
    for (int32_t row = 0; row < frame->count; ++row)
        crowds->crowd[row] = row;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t a = lowest(crowds, pairs[i].first), b = lowest(crowds, pairs[i].second);
        if (stands(frame, pairs[i].first) && stands(frame, pairs[i].second))
            crowds->crowd[a > b ? a : b] = a > b ? b : a;
    }
    memset(crowds->size, 0, sizeof crowds->size);
    for (int32_t row = 0; row < frame->count; ++row)
        crowds->size[lowest(crowds, row)] += 1;
    return th_resultOk;
}

// Everybody within its own reach, whatever avoidance looks at.
static void lookAhead(const void* params, thMethodSight* sight)
{
    sight->neighborRadius = ((const Params*)params)->reach;
}

// Turns what an agent wants to that side of the crowds ahead which is nearer.
static void skirt(const thBatch* batch, const void* params, const void* shared)
{
    const Params* own = params;
    const Crowds* crowds = shared;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const float x = batch->guideX[lane], y = batch->guideY[lane];
        const float wanted = sqrtf(x * x + y * y);
        float left = -1.0f, right = 1.0f; // slopes that just pass the crowds
        for (int32_t k = 0; k < batch->neighborCount[lane] && wanted > 0.0f; ++k) {
            const int32_t at = k * batch->lanes + lane;
            const float ahead = (batch->nx[at] * x + batch->ny[at] * y) / wanted;
            const float aside = (batch->ny[at] * x - batch->nx[at] * y) / wanted;
            const int32_t people = crowds->size[lowest(crowds, batch->nrow[at])];
            if (people < own->smallest || ahead < own->room)
                continue;
            left = fmaxf(left, (aside + own->room) / ahead);
            right = fminf(right, (aside - own->room) / ahead);
        }
        if (left <= 0.0f || right >= 0.0f)
            continue; // nothing is straight ahead
        const float slope = left < -right ? left : right;
        const float scale = 1.0f / sqrtf(1.0f + slope * slope);
        batch->guideX[lane] = scale * (x - slope * y);
        batch->guideY[lane] = scale * (y + slope * x);
    }
}

static const Params defaults = {.reach = 10.0f, .smallest = 10, .room = 1.0f};
static const thParam params[] = {
    {"reach", th_paramFloat, offsetof(Params, reach), 0.0, 50.0, "m", "How far it looks.", 10.0},
    {"smallest", th_paramInt, offsetof(Params, smallest), 2, 1000, "", "What is a crowd.", 10},
    {"room", th_paramFloat, offsetof(Params, room), 0.1, 10.0, "m", "How far it stays off.", 1.0}};
static const thMethod skirtMethod = {.size = sizeof(thMethod),
                                     .name = "skirt",
                                     .version = 1,
                                     .paramSize = sizeof(Params),
                                     .needs = th_needsEverybody,
                                     .defaults = &defaults,
                                     .solve = skirt,
                                     .params = params,
                                     .paramCount = sizeof params / sizeof params[0],
                                     .sight = lookAhead,
                                     .createCommon = createCrowds,
                                     .destroyCommon = destroyCrowds,
                                     .prepareCommon = findCrowds};

static const char sceneText[] =
    "{\"throng\": 1, \"time\": {\"step\": 0.1, \"end\": {\"at\": 60}},\n"
    " \"goals\": {\"east\": {\"segment\": [[25, -4], [25, 4]]}},\n"
    " \"profiles\": {\n"
    "  \"standing\": {\"speed\": 0},\n"
    "  \"careful\": {\"group\": {\"skirt\": {\"reach\": 12, \"smallest\": 8}}},\n"
    "  \"hasty\": {\"group\": {\"skirt\": {\"smallest\": 1000}}}},\n"
    " \"agents\": [\n"
    "  {\"in\": {\"disc\": [0, 0], \"radius\": 3}, \"count\": 40, \"gap\": 0.2, \"profile\": "
    "\"standing\"},\n"
    "  {\"in\": {\"box\": [[-20, -2], [-16, 2]]}, \"count\": 15, \"profile\": \"careful\", "
    "\"goal\": \"east\"},\n"
    "  {\"in\": {\"box\": [[-40, -2], [-36, 2]]}, \"count\": 15, \"profile\": \"hasty\", \"goal\": "
    "\"east\"}]}\n";

static void report(void* context, const thError* error)
{
    (void)context;
    fprintf(stderr, "line %d: %s\n", (int)error->line, error->text);
}

static void check(thResult result)
{
    if (result != th_resultOk)
        exit((int)result);
}

int main(void)
{
    thSceneDef sceneDef = thDefaultSceneDef();
    sceneDef.text = sceneText;
    sceneDef.textSize = sizeof sceneText - 1;
    sceneDef.methods = &(thAddedMethod){th_methodGroup, &skirtMethod};
    sceneDef.methodCount = 1;
    sceneDef.report = report;
    thScene* scene;
    check(thLoadScene(&sceneDef, &scene));
    const thRunDef runDef = thDefaultRunDef();
    thRun* run;
    check(thCreateRun(scene, &runDef, &run));

    // Who is ever within the crowd? Slots follow the order of the scene: 40 stand, 15 are careful.
    int within[mostAgents] = {0};
    while (!thRun_IsOver(run)) {
        check(thRun_Step(run));
        const thAgentView view = thWorld_GetAgentView(thRun_GetWorld(run));
        for (int32_t slot = 40; slot < view.slotCount; ++slot) {
            const thVec2 at = view.rows[slot].position;
            within[slot] = within[slot] || at.x * at.x + at.y * at.y < 3.0f * 3.0f;
        }
    }
    int careful = 0, hasty = 0;
    for (int32_t i = 0; i < 15; ++i) {
        careful += within[40 + i];
        hasty += within[55 + i];
    }
    printf("through the crowd: %d of 15 who are careful, %d of 15 who are hasty\n", careful, hasty);
    thDestroyRun(run);
    thDestroyScene(scene);
    return careful == 0 && hasty > 5 ? 0 : 1;
}
