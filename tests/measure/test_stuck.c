// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Who is stuck: by hand, and against a plain model that forgets nothing.

#include "measure/measure_gear.h"

#include <stdlib.h>

static void addWallAt(thWorld* world, float x, thObstacleId* id)
{
    const thVec2 line[] = {{x, -5.0f}, {x, 5.0f}};
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleWall;
    def.points = line;
    def.pointCount = 2;
    assert_ok(thCreateObstacle(world, &def, id));
}

// Three walk: into a wall, freely and far, and to somewhere near. One has no goal, one was told to
// wait, one wants what the host says, and one is the host's.
static void testWall(void** state)
{
    (void)state;
    thWorld* world = createPlainWorld(1, 0);
    thObstacleId wall;
    addWallAt(world, 3.0f, &wall);
    thProfileDef profile = thDefaultProfileDef();
    profile.prefSpeed = 1.0f;
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    assert_ok(thCreatePointGoal(world, (thVec2){1000.0f, 0.0f}, &def.goal));
    thAgentId blocked, waits, id;
    assert_ok(thCreateAgent(world, &def, &blocked));
    def.position = (thVec2){0.0f, 3.0f};
    def.flags = th_agentWaiting;
    assert_ok(thCreateAgent(world, &def, &waits));
    def.position = (thVec2){10.0f, 0.0f};
    def.flags = 0;
    assert_ok(thCreateAgent(world, &def, &id));
    def.flags = th_agentExternal;
    assert_ok(thCreateAgent(world, &def, &id));
    def.flags = 0;
    profile.plan.name = "given";
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    assert_ok(thCreateAgent(world, &def, &id));
    def.goal = (thGoalId){0};
    assert_ok(thCreateAgent(world, &def, &id));
    thTally* tally = createTally(world);
    int32_t since = 0; // steps since it may be stuck again
    for (int32_t step = 1; step <= 3000; ++step) {
        if (step == 1000) { // it has waited a moment
            assert_ok(thAgent_SetWaiting(world, blocked, 1));
            assert_ok(thWorld_Step(world, 0.1f));
            assert_ok(thTally_Observe(tally, 0.1 * step));
            assert_int_equal(thTally_GetResult(tally).stuck, 0);
            assert_ok(thAgent_SetWaiting(world, blocked, 0));
            since = step++;
        }
        if (step == 2500)
            assert_ok(thDestroyObstacle(world, wall));
        assert_ok(thWorld_Step(world, 0.1f));
        assert_ok(thTally_Observe(tally, 0.1 * step));
        const thTallyResult result = thTally_GetResult(tally);
        assert_int_equal(result.agents, 6);
        // It walks to the wall first, and after 60 s it is sure.
        if (step - since < 600 || step > 2560)
            assert_int_equal(result.stuck, 0);
        else if (step - since > 700 && step < 2500)
            assert_int_equal(result.stuck, 1);
        assert_true(result.stuckShare == (double)result.stuck / 6.0);
        assert_true(result.stuckMax == (step < 600 ? 0.0 : 1.0 / 6.0) || step < 700);
    }
    thDestroyTally(tally);
    thDestroyWorld(world);
}

// One that gets nearer by so much in 60 s, for some minutes.
static uint64_t stuckAfterCrawling(float metresPerMinute)
{
    thWorld* world = createPlainWorld(1, 0);
    thProfileDef profile = thDefaultProfileDef();
    profile.prefSpeed = metresPerMinute / 60.0f;
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    assert_ok(thCreatePointGoal(world, (thVec2){100.0f, 0.0f}, &def.goal));
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    thTally* tally = createTally(world);
    for (int32_t step = 1; step <= 400; ++step) {
        assert_ok(thWorld_Step(world, 0.5f));
        assert_ok(thTally_Observe(tally, 0.5 * step));
    }
    const uint64_t stuck = thTally_GetResult(tally).stuck;
    thDestroyTally(tally);
    thDestroyWorld(world);
    return stuck;
}

static void testCrawling(void** state)
{
    (void)state;
    assert_int_equal(stuckAfterCrawling(0.48f), 1);
    assert_int_equal(stuckAfterCrawling(0.52f), 0);
}

// The model. It keeps all it ever noted, and looks back by time.

enum { maxAgents = 12, maxNotes = 2000 };

typedef struct Life {
    thAgentId id; // 0: not there
    uint64_t goal;
    int32_t goalIndex;
    float notes[maxNotes]; // every 5 s
    int32_t firstNote;     // of those that count
    int32_t noteCount;
    bool isStuck;
} Life;

typedef struct Model {
    thWorld* world;
    thTally* tally;
    thProfileId profile;
    thGoalId goals[3]; // two places and both of them, one after the other
    Life lives[maxAgents];
    double time;
    int32_t noteCount;
    int32_t seen;
    double stuckMax;
} Model;

static void forget(Life* life, const thAgentInfo* info)
{
    life->goal = info->goal.value;
    life->goalIndex = info->goalIndex;
    life->firstNote = life->noteCount;
    life->isStuck = false;
}

static void watch(const Model* model, Life* life, int32_t dueNotes)
{
    const thAgentInfo info = thAgent_GetInfo(model->world, life->id);
    const uint32_t flags = thAgent_Get(model->world, life->id).flags;
    if ((flags & (th_agentArrived | th_agentWaiting)) != 0 || info.goal.value != life->goal ||
        info.goalIndex != life->goalIndex || info.remaining == 0.0f) {
        forget(life, &info);
        return;
    }
    for (int32_t i = 0; i < dueNotes; ++i) {
        life->notes[life->noteCount++] = info.remaining;
        const int32_t minuteAgo = life->noteCount - 1 - 12;
        life->isStuck =
            minuteAgo >= life->firstNote && life->notes[minuteAgo] - info.remaining < 0.5f;
    }
}

static bool sameAsModel(Model* model)
{
    const int32_t dueNotes = (int32_t)(model->time / 5.0) + 1 - model->noteCount;
    model->noteCount += dueNotes;
    int32_t stuck = 0;
    for (int32_t i = 0; i < maxAgents; ++i) {
        Life* life = &model->lives[i];
        if (life->id.value == 0)
            continue;
        if (!thAgent_IsValid(model->world, life->id)) {
            life->id.value = 0;
            continue;
        }
        if (life->goal == UINT64_MAX) { // seen for the first time
            const thAgentInfo info = thAgent_GetInfo(model->world, life->id);
            forget(life, &info);
        } else {
            watch(model, life, dueNotes);
        }
        stuck += life->isStuck;
    }
    const double share = model->seen > 0 ? (double)stuck / model->seen : 0.0;
    model->stuckMax = fmax(model->stuckMax, share);
    const thTallyResult result = thTally_GetResult(model->tally);
    return result.stuck == (uint64_t)stuck && result.stuckShare == share &&
           result.stuckMax == model->stuckMax && result.agents == (uint64_t)model->seen;
}

static void come(Model* model, Life* life, thGenerator* g)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = model->profile;
    def.position = (thVec2){drawFloat(g, -5.0f, 5.0f), drawFloat(g, -5.0f, 5.0f)};
    def.goal = model->goals[drawInt(g, 0, 2)];
    def.flags = th_agentVelocityOnly;
    *life = (Life){.goal = UINT64_MAX};
    assert_ok(thCreateAgent(model->world, &def, &life->id));
    model->seen += 1;
}

// The host moves agents: nearer to their goals, back, or not at all.
static void moveLife(const Model* model, const Life* life, thGenerator* g, float dt)
{
    const thAgentRow row = thAgent_Get(model->world, life->id);
    const float speeds[] = {0.0f, 0.007f, 0.009f, 0.5f, -0.1f};
    const float speed = speeds[drawInt(g, 0, 9) == 0 ? drawInt(g, 0, 4) : (int32_t)(row.key % 3)];
    const float length = hypotf(row.velocity.x, row.velocity.y);
    const float share = length > 0.0f ? speed * dt / length : 0.0f;
    const thVec2 place = {row.position.x + share * row.velocity.x,
                          row.position.y + share * row.velocity.y};
    assert_ok(thWorld_SetKinematics(model->world, &life->id, &place, NULL, 1));
}

static void act(Model* model, thGenerator* g, float dt)
{
    for (int32_t i = 0; i < maxAgents; ++i) {
        Life* life = &model->lives[i];
        const int32_t what = drawInt(g, 0, 399);
        if (life->id.value == 0) {
            if (what < 40)
                come(model, life, g);
        } else if (what == 0) {
            assert_ok(thDestroyAgent(model->world, life->id));
            life->id.value = 0;
        } else if (what == 1) {
            assert_ok(thAgent_SetGoal(model->world, life->id, model->goals[drawInt(g, 0, 2)]));
        } else if (what < 4) {
            assert_ok(thAgent_SetWaiting(model->world, life->id, what == 2));
        } else {
            moveLife(model, life, g, dt);
        }
    }
}

static bool holdsForScript(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Model* model = test_calloc(1, sizeof *model);
    model->world = createPlainWorld(1, 0);
    thProfileDef profile = thDefaultProfileDef();
    profile.arrival = (thArrival)drawInt(g, 0, 2);
    assert_ok(thCreateProfile(model->world, &profile, &model->profile, NULL));
    assert_ok(thCreatePointGoal(model->world, (thVec2){10.0f, 0.0f}, &model->goals[0]));
    assert_ok(thCreatePointGoal(model->world, (thVec2){-10.0f, 3.0f}, &model->goals[1]));
    thGoalDef list = thDefaultGoalDef();
    list.kind = th_goalList;
    list.goals = model->goals;
    list.goalCount = 2;
    assert_ok(thCreateGoal(model->world, &list, &model->goals[2]));
    model->tally = createTally(model->world);
    const float dt = drawInt(g, 0, 3) == 0 ? 10.0f : drawFloat(g, 0.5f, 4.0f);
    bool same = true;
    for (int32_t step = 0; step < 8 * size && same; ++step) {
        act(model, g, dt);
        assert_ok(thWorld_Step(model->world, dt));
        model->time += (double)dt;
        assert_ok(thTally_Observe(model->tally, model->time));
        same = sameAsModel(model);
    }
    thDestroyTally(model->tally);
    thDestroyWorld(model->world);
    test_free(model);
    return same;
}

static void testModel(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"stuck", 3, 150, 100, holdsForScript, NULL});
}

// When nobody has looked for more than a minute, nobody knows who was stuck in it.
static void testGap(void** state)
{
    (void)state;
    thWorld* world = createPlainWorld(1, 0);
    thObstacleId wall;
    addWallAt(world, 1.0f, &wall);
    const thProfileDef profile = thDefaultProfileDef();
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    assert_ok(thCreatePointGoal(world, (thVec2){9.0f, 0.0f}, &def.goal));
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    thTally* tally = createTally(world);
    const double times[] = {1.0, 62.0, 200.0, 1e300, 1.7e308};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i) {
        assert_ok(thWorld_Step(world, 1.0f));
        assert_ok(thTally_Observe(tally, times[i]));
        assert_int_equal(thTally_GetResult(tally).stuck, 0);
    }
    thDestroyTally(tally);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testWall),
        cmocka_unit_test(testCrawling),
        cmocka_unit_test(testModel),
        cmocka_unit_test(testGap),
    };
    return RUN_TESTS(tests, argc, argv);
}
