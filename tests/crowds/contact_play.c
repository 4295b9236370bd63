// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Plays worlds with contacts twice, and compares them step by step.

#include "crowds/contact_play.h"

#include "gear/gear.h"

static Judge theJudge; // too large for the stack

// What the library says is broken: arguments, and in builds with THRONG_VALIDATE invariants.
static _Atomic(const char*) broken;

static void hearAssertion(void* context, const char* condition, const char* file, int32_t line)
{
    (void)context;
    (void)file;
    (void)line;
    broken = condition;
}

static void makeProfiles(Play* play)
{
    for (int32_t i = 0; i < play_profileCount; ++i) {
        thProfileDef def = thDefaultProfileDef();
        def.avoid.name = i == play_looking || i == play_lookingAndLeaving ? "orca" : "none";
        def.arrival = i == play_looking || i == play_blind ? th_arrivalStop : th_arrivalLeave;
        for (int32_t w = 0; w < PLAY_WORLDS; ++w)
            assert_int_equal(thCreateProfile(play->worlds[w], &def, &play->profiles[i], NULL),
                             th_resultOk);
    }
}

void openPlay(Play* play, thGenerator* g)
{
    static const int32_t workers[PLAY_WORLDS] = {1, 3};
    *play = (Play){.g = g, .judge = &theJudge, .side = 10.0f};
    play->minRadius = play->maxRadius = 0.25f;
    play->maxSpeed = 2.0f;
    thSetHooks(&(thHooks){.assertion = hearAssertion});
    judgeBegin(play->judge);
    for (int32_t w = 0; w < PLAY_WORLDS; ++w) {
        thWorldDef def = thDefaultWorldDef();
        def.contacts = 1;
        def.workerCount = workers[w];
        assert_int_equal(thCreateWorld(&def, &play->worlds[w]), th_resultOk);
    }
    makeProfiles(play);
}

void closePlay(Play* play)
{
    for (int32_t w = 0; w < PLAY_WORLDS; ++w)
        thDestroyWorld(play->worlds[w]);
    thSetHooks(NULL);
}

float logUniform(thGenerator* g, double low, double high)
{
    return (float)(low * pow(high / low, (double)drawUnit(g)));
}

bool oneIn(Play* play, int32_t n)
{
    return drawInt(play->g, 1, n) == 1;
}

static float withinWorld(float x)
{
    return fminf(fmaxf(x, -(float)THRONG_MAX_COORDINATE), (float)THRONG_MAX_COORDINATE);
}

thVec2 drawPoint(Play* play)
{
    const float x = play->corner.x + play->side * drawUnit(play->g);
    const float y = play->corner.y + play->side * drawUnit(play->g);
    return (thVec2){withinWorld(x), withinWorld(y)};
}

thVec2 around(thVec2 middle, double distance, double angle)
{
    return (thVec2){withinWorld(middle.x + (float)(distance * cos(angle))),
                    withinWorld(middle.y + (float)(distance * sin(angle)))};
}

void setGoal(Play* play, int32_t goal, thVec2 point)
{
    for (int32_t w = 0; w < PLAY_WORLDS; ++w)
        assert_int_equal(thCreatePointGoal(play->worlds[w], point, &play->goals[goal]),
                         th_resultOk);
}

void addObstacle(Play* play, const thObstacleDef* def)
{
    thObstacleId ids[PLAY_WORLDS];
    thResult codes[PLAY_WORLDS];
    for (int32_t w = 0; w < PLAY_WORLDS; ++w)
        codes[w] = thCreateObstacle(play->worlds[w], def, &ids[w]);
    assert_true(codes[0] == codes[1] && ids[0].value == ids[1].value);
    if (codes[0] == th_resultOk)
        judgeAddObstacle(play->judge, ids[0], def);
}

void addOutline(Play* play, thObstacleKind kind, const thVec2* points, int32_t count)
{
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = kind;
    def.points = points;
    def.pointCount = count;
    addObstacle(play, &def);
}

thAgentDef drawAgent(Play* play)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = play->profiles[drawInt(play->g, 0, play_profileCount - 1)];
    def.goal = play->goals[drawInt(play->g, 0, PLAY_GOALS - 1)];
    def.position = drawPoint(play);
    def.key = ++play->lastKey;
    def.radius = logUniform(play->g, (double)play->minRadius, (double)play->maxRadius);
    def.maxSpeed = play->maxSpeed * drawFloat(play->g, 0.1f, 1.0f);
    def.prefSpeed = def.maxSpeed * drawFloat(play->g, 0.3f, 1.0f);
    def.maxAccel = oneIn(play, 2) ? 0.0f : logUniform(play->g, 0.1, 20.0);
    const int32_t kind = drawInt(play->g, 0, 40);
    def.flags = kind == 0 ? th_agentExternal : kind == 1 ? th_agentVelocityOnly : 0;
    def.layers = def.mask = kind == 2 ? 2u : 1u;
    def.level = kind == 3 ? 1 : 0;
    return def;
}

void addAgent(Play* play, const thAgentDef* def)
{
    thAgentId ids[PLAY_WORLDS];
    thResult codes[PLAY_WORLDS];
    for (int32_t w = 0; w < PLAY_WORLDS; ++w)
        codes[w] = thCreateAgent(play->worlds[w], def, &ids[w]);
    assert_true(codes[0] == codes[1] && ids[0].value == ids[1].value);
    assert_int_not_equal(codes[0], th_resultBadArgument);
}

uint64_t pickKey(Play* play)
{
    return (uint64_t)drawInt(play->g, 1, (int32_t)play->lastKey);
}

void queueCommand(Play* play, const thCommand* command, uint64_t key)
{
    thCommand own = *command;
    own.agent = thWorld_FindAgent(play->worlds[0], key);
    for (int32_t w = 0; w < PLAY_WORLDS; ++w)
        assert_int_equal(thWorld_Queue(play->worlds[w], &own), th_resultOk);
    if (command->kind == th_commandCreateAgent)
        judgeExpect(play->judge, &command->create);
}

void beginStep(Play* play)
{
    judgeBefore(play->judge, play->worlds[0]);
}

const char* endStep(Play* play, float dt)
{
    broken = NULL; // by calls that were refused
    for (int32_t w = 0; w < PLAY_WORLDS; ++w)
        assert_int_equal(thWorld_Step(play->worlds[w], dt), th_resultOk);
    play->step += 1;
    const char* invariant = broken;
    if (invariant != NULL)
        return invariant;
    if (!judgeAfter(play->judge, play->worlds[0], dt))
        return play->judge->problem;
    const bool agree =
        thWorld_GetStateHash(play->worlds[0]) == thWorld_GetStateHash(play->worlds[1]);
    return agree ? NULL : "one thread and three do not agree";
}
