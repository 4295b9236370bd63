// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What methods have for themselves in a world: a sight of their own, something in common over all
// profiles, and agents found through the frame. All of it is held against brute force over the
// frame by a host's group method that looks further than avoidance and changes nothing.

#include "gear/allocators.h"
#include "gear/property.h"
#include "sim/sim_gear.h"
#include "throng/random.h"

#include <stdlib.h>

#define WIDE 12.0f
#define AGENTS 300

typedef struct LookParams {
    float radius;
    float pairs; // distance
} LookParams;

// What is common: counts of calls, and pairs.
typedef struct Common {
    thAllocator allocator;
    thAgentPairs* pairs;
    int32_t prepared;
    int32_t users;
} Common;

// Seen by the test from outside.
static struct {
    int32_t created, destroyed, prepared;
    int32_t mostUsers;
    bool isWrong;
    int32_t mostSeen;
} seen;

static void expectThat(bool condition)
{
    seen.isWrong = seen.isWrong || !condition;
}

static double distanceSq(const thFrame* frame, int32_t a, int32_t b)
{
    const double dx = (double)frame->px[a] - frame->px[b], dy = (double)frame->py[a] - frame->py[b];
    return dx * dx + dy * dy;
}

static bool isWithin(const thFrame* frame, int32_t a, int32_t b, float radius)
{
    const double reach = (double)radius * THRONG_UNITS_PER_METRE;
    return frame->level[a] == frame->level[b] && distanceSq(frame, a, b) <= reach * reach;
}

static void checkRows(const thFrame* frame, const int32_t* rows, int32_t count, int32_t row,
                      float radius)
{
    int32_t expected = 0;
    for (int32_t other = 0; other < frame->count; ++other)
        expected += other != row && isWithin(frame, row, other, radius);
    expectThat(count == expected);
    for (int32_t i = 0; i < count; ++i) {
        expectThat(rows[i] != row && isWithin(frame, row, rows[i], radius));
        expectThat(i == 0 || frame->key[rows[i - 1]] < frame->key[rows[i]]);
    }
}

static void checkPairs(const thFrame* frame, const thAgentPairs* pairs, float distance)
{
    int32_t count, expected = 0;
    const thAgentPair* all = thAgentPairs_Get(pairs, &count);
    for (int32_t a = 0; a < frame->count; ++a)
        for (int32_t b = a + 1; b < frame->count; ++b)
            expected += isWithin(frame, a, b, distance);
    expectThat(count == expected);
    for (int32_t i = 0; i < count; ++i) {
        const uint64_t first = frame->key[all[i].first], second = frame->key[all[i].second];
        expectThat(first < second && isWithin(frame, all[i].first, all[i].second, distance));
        if (i > 0) {
            const uint64_t before = frame->key[all[i - 1].first];
            expectThat(before < first ||
                       (before == first && frame->key[all[i - 1].second] < second));
        }
    }
}

static thResult createCommon(const thMethodHost* host, void** common)
{
    expectThat(host->profile == -1 && host->common == NULL);
    Common* made = host->allocator.allocate(host->allocator.context, sizeof *made, 64);
    if (made == NULL)
        return th_resultNoMemory;
    *made = (Common){.allocator = host->allocator};
    const thResult code = thCreateAgentPairs(&host->allocator, &made->pairs);
    if (code != th_resultOk) {
        host->allocator.release(host->allocator.context, made, sizeof *made, 64);
        return code;
    }
    seen.created += 1;
    *common = made;
    return th_resultOk;
}

static void destroyCommon(void* common)
{
    Common* own = common;
    const thAllocator allocator = own->allocator;
    thDestroyAgentPairs(own->pairs);
    allocator.release(allocator.context, own, sizeof *own, 64);
    seen.destroyed += 1;
}

static thResult prepareCommon(void* common, const thFrame* frame, const thTasks* tasks,
                              const thMethodUser* users, int32_t userCount)
{
    Common* own = common;
    float furthest = 0.0f;
    for (int32_t i = 0; i < userCount; ++i) {
        const LookParams* params = users[i].params;
        furthest = params->pairs > furthest ? params->pairs : furthest;
        expectThat(i == 0 || users[i - 1].profile < users[i].profile);
    }
    own->prepared += 1;
    own->users = userCount;
    seen.prepared += 1;
    seen.mostUsers = userCount > seen.mostUsers ? userCount : seen.mostUsers;
    const thResult code = thAgentPairs_Find(own->pairs, frame, furthest, tasks);
    if (code != th_resultOk)
        return code;
    checkPairs(frame, own->pairs, furthest);
    int32_t rows[AGENTS];
    for (int32_t row = 0; row < frame->count; row += 7) {
        int32_t count = thFrame_FindAround(frame, row, 0.5f * furthest, rows, AGENTS);
        checkRows(frame, rows, count, row, 0.5f * furthest);
        // About its place the agent itself is found too.
        count = thFrame_FindWithin(frame, frame->level[row], frame->px[row], frame->py[row],
                                   0.5f * furthest, rows, AGENTS);
        expectThat(count == 1 + thFrame_FindAround(frame, row, 0.5f * furthest, NULL, 0));
        expectThat(thFrame_FindWithin(frame, 1 + frame->level[row], frame->px[row], frame->py[row],
                                      1.0f, rows, AGENTS) >= 0);
    }
    return th_resultOk;
}

static void lookFurther(const void* params, thMethodSight* sight)
{
    sight->neighborRadius = ((const LookParams*)params)->radius;
}

// Everybody within the method's own radius, and nobody else.
static void look(const thBatch* batch, const void* params, const void* shared)
{
    const LookParams* own = params;
    const Common* common = shared;
    expectThat(common->prepared > 0 && common->users > 0);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const thFrame* frame = batch->frame;
        int32_t expected = 0;
        for (int32_t row = 0; row < frame->count; ++row)
            expected +=
                row != batch->row[lane] && isWithin(frame, batch->row[lane], row, own->radius);
        expectThat(batch->neighborCount[lane] == expected);
        seen.mostSeen = expected > seen.mostSeen ? expected : seen.mostSeen;
    }
}

static const LookParams lookDefaults = {.radius = WIDE, .pairs = 4.0f};
static const thMethod looking = {.size = sizeof(thMethod),
                                 .name = "look",
                                 .version = 1,
                                 .paramSize = sizeof(LookParams),
                                 .needs = th_needsEverybody,
                                 .defaults = &lookDefaults,
                                 .solve = look,
                                 .sight = lookFurther,
                                 .createCommon = createCommon,
                                 .destroyCommon = destroyCommon,
                                 .prepareCommon = prepareCommon};

// Two profiles of `look`, or none; everybody else is the same.
static thResult makeCrowd(const thAllocator* allocator, bool withLook, int32_t workers,
                          thWorld** result)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workers;
    if (allocator != NULL)
        def.allocator = *allocator;
    thResult code = thCreateWorld(&def, result);
    if (code != th_resultOk)
        return code;
    thWorld* world = *result;
    code = thWorld_AddMethod(world, th_methodGroup, &looking);
    thProfileId profiles[2];
    for (int32_t i = 0; i < 2 && code == th_resultOk; ++i) {
        const LookParams params = {.radius = WIDE - 4.0f * (float)i, .pairs = 3.0f + (float)i};
        thProfileDef profile = thDefaultProfileDef();
        profile.neighborCount = 6;
        profile.neighborRadius = 3.0f;
        profile.avoid.name = i == 0 ? "orca" : "clearpath";
        if (withLook)
            profile.group = (thMethodUse){"look", &params};
        code = thCreateProfile(world, &profile, &profiles[i], NULL);
    }
    const uint64_t stream = thRandomStream(11, 0, 0, 0);
    for (uint32_t i = 0; i < AGENTS && code == th_resultOk; ++i) {
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profiles[i % 3 == 0];
        agent.level = i % 5 == 0;
        agent.position = (thVec2){thRandomRange(stream, 4 * i, -12.0f, 12.0f),
                                  thRandomRange(stream, 4 * i + 1, -12.0f, 12.0f)};
        code =
            thCreatePointGoal(world, (thVec2){-agent.position.x, -agent.position.y}, &agent.goal);
        thAgentId id;
        if (code == th_resultOk)
            code = thCreateAgent(world, &agent, &id);
    }
    return code;
}

static void testSight(void** state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    thWorld *with, *without;
    assert_ok(makeCrowd(NULL, true, 3, &with));
    assert_ok(makeCrowd(NULL, false, 1, &without));
    assert_int_equal(seen.created, 1);
    for (int32_t step = 0; step < 40; ++step) {
        assert_ok(thWorld_Step(with, 0.1f));
        assert_ok(thWorld_Step(without, 0.1f));
        const thAgentView a = thWorld_GetAgentView(with), b = thWorld_GetAgentView(without);
        assert_int_equal(a.slotCount, b.slotCount);
        for (int32_t i = 0; i < a.slotCount; ++i) {
            assert_same_bits(a.rows[i].velocity.x, b.rows[i].velocity.x);
            assert_same_bits(a.rows[i].velocity.y, b.rows[i].velocity.y);
        }
    }
    assert_false(seen.isWrong);
    assert_int_equal(seen.prepared, 40);
    assert_int_equal(seen.mostUsers, 2);
    assert_true(seen.mostSeen > 40);
    assert_int_equal(seen.destroyed, 0);
    thDestroyWorld(with);
    thDestroyWorld(without);
    assert_int_equal(seen.destroyed, 1);
}

// What is common is made for the first profile and freed after the last one.
static void testCommonLife(void** state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    thWorld* world = createWorld();
    assert_ok(thWorld_AddMethod(world, th_methodGroup, &looking));
    thProfileDef def = thDefaultProfileDef();
    def.group.name = "look";
    thProfileId a, b;
    assert_ok(thCreateProfile(world, &def, &a, NULL));
    assert_ok(thCreateProfile(world, &def, &b, NULL));
    assert_ok(thWorld_Step(world, 0.1f));
    assert_int_equal(seen.prepared, 0); // nobody is there
    assert_ok(thDestroyProfile(world, a));
    assert_int_equal(seen.destroyed, 0);
    assert_ok(thDestroyProfile(world, b));
    assert_int_equal(seen.destroyed, 1);
    assert_ok(thCreateProfile(world, &def, &a, NULL));
    assert_int_equal(seen.created, 2);
    thDestroyWorld(world);
    assert_int_equal(seen.destroyed, 2);
}

// A restored world goes on to the bit, with something common of its own.
static void testRestore(void** state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    thWorld* world;
    assert_ok(makeCrowd(NULL, true, 2, &world));
    for (int32_t step = 0; step < 5; ++step)
        assert_ok(thWorld_Step(world, 0.1f));
    const Bytes saved = saveWorld(world);
    for (int32_t step = 0; step < 5; ++step)
        assert_ok(thWorld_Step(world, 0.1f));
    const uint64_t hash = thWorld_GetStateHash(world);
    assert_ok(thWorld_Restore(world, saved.data, saved.size, NULL));
    for (int32_t step = 0; step < 5; ++step)
        assert_ok(thWorld_Step(world, 0.1f));
    assert_true(hash == thWorld_GetStateHash(world));
    assert_int_equal(seen.created - seen.destroyed, 1);
    assert_false(seen.isWrong);
    freeBytes(saved);
    thDestroyWorld(world);
    assert_int_equal(seen.created, seen.destroyed);
}

static void askTooMuch(const void* params, thMethodSight* sight)
{
    sight->neighborCount = 33;
    (void)params;
}

static void testRefused(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    thMethod bad = looking;
    bad.createCommon = NULL;
    assert_refused(world, thWorld_AddMethod(world, th_methodGroup, &bad));
    bad.prepareCommon = NULL;
    assert_refused(world, thWorld_AddMethod(world, th_methodGroup, &bad)); // would not be freed
    bad = looking;
    bad.paramCount = 1;
    assert_refused(world, thWorld_AddMethod(world, th_methodGroup, &bad));
    bad = looking;
    bad.statusCount = 1;
    assert_refused(world, thWorld_AddMethod(world, th_methodGroup, &bad));
    bad = looking;
    bad.sight = askTooMuch;
    assert_ok(thWorld_AddMethod(world, th_methodGroup, &bad));
    thProfileDef def = thDefaultProfileDef();
    def.group.name = "look";
    thProfileId id;
    thError error = {0};
    assert_int_equal(thCreateProfile(world, &def, &id, &error), th_resultBadArgument);
    assert_non_null(strstr(error.text, "look asks to see 33 agents"));
    thDestroyWorld(world);
    thSetHooks(NULL);
}

static thResult useCommon(const thAllocator* allocator, void* context)
{
    (void)context;
    thWorldDef def = thDefaultWorldDef();
    def.allocator = *allocator;
    thWorld* world;
    thResult code = thCreateWorld(&def, &world);
    if (code == th_resultOk)
        code = thWorld_AddMethod(world, th_methodGroup, &looking);
    thProfileDef profile = thDefaultProfileDef();
    profile.group.name = "look";
    thAgentDef agent = thDefaultAgentDef();
    thError error;
    for (int32_t i = 0; i < 2 && code == th_resultOk; ++i) {
        code = thCreateProfile(world, &profile, &agent.profile, &error);
        agent.position.x += 1.0f;
        thAgentId id;
        if (code == th_resultOk)
            code = thCreateAgent(world, &agent, &id);
    }
    for (int32_t step = 0; step < 2 && code == th_resultOk; ++step)
        code = thWorld_Step(world, 0.1f);
    thDestroyWorld(world);
    return code;
}

// Memory that is out at any call leaves nothing behind.
static void testMemory(void** state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    failEachAllocation(useCommon, NULL);
    assert_int_equal(seen.created, seen.destroyed);
    assert_false(seen.isWrong);
}

// Between steps: who has changed floors or was created is found where it is now.
static int32_t foundBetweenSteps;

static void countOthers(const thFrame* frame, int32_t row, const void* params, const void* shared,
                        const void* agentState, thPathOut* out)
{
    (void)params;
    (void)shared;
    (void)agentState;
    foundBetweenSteps = thFrame_FindAround(frame, row, 5.0f, NULL, 0);
    out->answer = th_planComplete;
}

static void planNothing(const thBatch* batch, const void* params, const void* shared)
{
    (void)batch;
    (void)params;
    (void)shared;
}

static void testBetweenSteps(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    const thMethod counting = {.size = sizeof counting,
                               .name = "counting",
                               .version = 1,
                               .solve = planNothing,
                               .path = countOthers};
    assert_ok(thWorld_AddMethod(world, th_methodPlan, &counting));
    thProfileDef profile = thDefaultProfileDef();
    profile.plan.name = "counting";
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    assert_ok(thCreatePointGoal(world, (thVec2){50.0f, 0.0f}, &def.goal));
    thAgentId ids[3];
    for (int32_t i = 0; i < 3; ++i) {
        def.position.x = 2.0f * (float)i;
        def.level = i == 2 ? 7 : 0;
        assert_ok(thCreateAgent(world, &def, &ids[i]));
    }
    assert_ok(thWorld_Step(world, 0.1f));
    thPath path;
    assert_ok(thAgent_GetPath(world, ids[0], NULL, 0, &path));
    assert_int_equal(foundBetweenSteps, 1);
    assert_ok(thAgent_SetLevel(world, ids[2], 0));
    assert_ok(thAgent_GetPath(world, ids[0], NULL, 0, &path));
    assert_int_equal(foundBetweenSteps, 2);
    thDestroyWorld(world);
}

// Frames that are not of a world have no grid: everybody is looked at.
static void testNoGrid(void** state)
{
    (void)state;
    enum { count = 5 };
    const int32_t px[count] = {0, 65536, 0, 65536 * 30000, -65536 * 30000};
    const int32_t py[count] = {0, 0, 65537, 0, 0};
    const uint64_t key[count] = {9, 0, 3, 1, 2};
    const uint16_t level[count] = {0};
    const uint32_t flags[count] = {1, 1, 1, 1, 1};
    const thFrame frame = {
        .count = count, .px = px, .py = py, .key = key, .level = level, .flags = flags};
    int32_t rows[count];
    assert_int_equal(thFrame_FindWithin(&frame, 0, 0, 0, 1.0f, rows, count), 2);
    assert_int_equal(rows[0], 1); // key 0, exactly at the border
    assert_int_equal(rows[1], 0);
    assert_int_equal(thFrame_FindAround(&frame, 0, 1.0f, rows, count), 1);
    assert_int_equal(thFrame_FindAround(&frame, 0, 1.1f, rows, 1), 2); // more than fit
    assert_int_equal(thFrame_FindWithin(&frame, 1, 0, 0, 1.0f, rows, count), 0);
    assert_int_equal(thFrame_FindWithin(&frame, 0, 0, 0, 0.0f, rows, count), 1);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSight),        cmocka_unit_test(testCommonLife),
        cmocka_unit_test(testRestore),      cmocka_unit_test(testRefused),
        cmocka_unit_test(testMemory),       cmocka_unit_test(testNoGrid),
        cmocka_unit_test(testBetweenSteps),
    };
    return RUN_TESTS(tests, argc, argv);
}
