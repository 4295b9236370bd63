// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents: how they are created and removed, changed and seen, and what is refused.

#include "gear/allocators.h"
#include "gear/property.h"
#include "geom/fixed.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"

#define COUNT(array) ((int32_t)(sizeof(array) / sizeof(array)[0]))

static void testDefaults(void** state)
{
    (void)state;
    const thAgentDef def = thDefaultAgentDef();
    assert_int_equal(def.size, sizeof def);
    assert_int_equal(def.profile.value, 0);
    assert_true(def.velocity.x == 0.0f && def.velocity.y == 0.0f && def.heading == 0.0f);
    assert_int_equal(def.goal.value, 0);
    assert_int_equal(def.key, 0);
    assert_int_equal(def.level, 0);
    assert_int_equal(def.layers, 1);
    assert_int_equal(def.mask, UINT32_MAX);
    assert_true(def.radius == -1.0f && def.prefSpeed == -1.0f && def.maxSpeed == -1.0f);
    assert_true(def.maxAccel == -1.0f && def.yield == -1.0f && def.priority == 1.0f);
    assert_int_equal(def.flags, 0);
    assert_int_equal(def.placement, th_placementRefuse);
    assert_int_equal(def.group, -1);
    const thAgentColumns columns = thDefaultAgentColumns();
    assert_int_equal(columns.size, sizeof columns);
    assert_int_equal(columns.count, 0);
    assert_int_equal(columns.shared.size, sizeof def);
    assert_int_equal(columns.shared.mask, UINT32_MAX);
    assert_true(columns.shared.radius == -1.0f && columns.shared.priority == 1.0f);
    assert_null(columns.positions);
    assert_null(columns.keys);
    assert_null(columns.groups);
    assert_null(columns.error);
    assert_null(columns.blocked);
}

#define REFUSE(field, wrong)                                                                       \
    do {                                                                                           \
        thAgentDef bad = def;                                                                      \
        bad.field = (wrong);                                                                       \
        assert_refused(world, thCreateAgent(world, &bad, &id));                                    \
        assert_int_equal(id.value, 0);                                                             \
    } while (0)

static void testBadCreation(void** state)
{
    (void)state;
    listen();
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thWorld* world = full.world;
    thAgentDef def = thDefaultAgentDef();
    def.profile = full.walker;
    thAgentId id;
    assert_refused(world, thCreateAgent(world, &def, NULL));
    assert_refused(world, thCreateAgent(world, NULL, &id));
    assert_int_equal(thCreateAgent(NULL, &def, &id), th_resultBadArgument);
    REFUSE(size, def.size - 1);
    REFUSE(profile.value, 0);
    REFUSE(profile.value, full.walker.value + 5);
    REFUSE(goal.value, 12345);
    REFUSE(position.x, NAN);
    REFUSE(position.y, 30000.01f);
    REFUSE(velocity.x, INFINITY);
    REFUSE(velocity.y, -1000.1f);
    REFUSE(heading, NAN);
    REFUSE(heading, 1e6f);
    REFUSE(key, UINT64_C(1) << 40);
    REFUSE(key, thAgent_Get(world, full.agents[1]).key); // taken
    REFUSE(level, -1);
    REFUSE(level, 65536);
    REFUSE(radius, 100.5f);
    REFUSE(radius, NAN);
    REFUSE(prefSpeed, 100.5f);
    REFUSE(maxSpeed, NAN);
    REFUSE(maxAccel, 2e6f);
    REFUSE(yield, 1001.0f);
    REFUSE(yield, NAN);
    REFUSE(priority, 0.0f);
    REFUSE(priority, 1001.0f);
    REFUSE(priority, NAN);
    REFUSE(flags, th_agentArrived);
    REFUSE(flags, th_agentAlive);
    REFUSE(flags, th_agentExternal | th_agentVelocityOnly);
    REFUSE(flags, 1u << 31);
    REFUSE(group, -2);
    REFUSE(group, INT32_MIN);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

static void testOne(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thWorld* world = full.world;
    thAgentDef def = thDefaultAgentDef();
    def.profile = full.walker;
    def.position = (thVec2){1.5f, -2.25f};
    def.velocity = (thVec2){0.5f, 0.25f};
    def.heading = 4.0f;
    def.key = 4711;
    def.priority = 4.0f;
    def.yield = 2.0f;
    def.flags = th_agentVelocityOnly;
    def.group = INT32_MAX;
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    const thAgentRow row = thAgent_Get(world, id);
    assert_true(row.position.x == 1.5f && row.position.y == -2.25f);
    assert_true(row.velocity.x == 0.5f && row.velocity.y == 0.25f);
    assert_near(row.heading, 4.0 - 2.0 * 3.14159265, 1e-6);
    assert_int_equal(row.flags, th_agentAlive | th_agentVelocityOnly);
    assert_int_equal(row.key, 4711);
    assert_int_equal(thWorld_FindAgent(world, 4711).value, id.value);
    assert_int_equal(thWorld_FindAgent(world, 4712).value, 0);
    int32_t x, y;
    assert_ok(thAgent_GetUnits(world, id, &x, &y));
    assert_int_equal(x, 98304);
    assert_int_equal(y, -147456);
    const thRows* rows = thiRows(world);
    const int32_t at = thiFindRow(world, id);
    assert_true(rows->yield[at] == 0.5f && rows->radius[at] == 0.25f);
    assert_true(rows->prefSpeed[at] == 1.34f && rows->maxSpeed[at] == 1.3f * 1.34f);
    assert_int_equal(thAgent_GetInfo(world, id).group, INT32_MAX);
    const thAgentView view = thWorld_GetAgentView(world);
    assert_int_equal(view.agentCount, 38);
    assert_int_equal(view.slotCount, 40); // the oldest free slot is used again
    assert_int_equal(THRONG_SLOT(id), THRONG_SLOT(full.agents[3]));
    assert_memory_equal(&view.rows[THRONG_SLOT(id)], &row, sizeof row);
    assert_int_equal(view.rows[THRONG_SLOT(full.agents[12])].flags, 0);
    // The least willing and the most.
    def.key = 0;
    def.yield = 1000.0f;
    def.priority = 0.001f;
    assert_ok(thCreateAgent(world, &def, &id));
    assert_true(thiRows(world)->yield[thiFindRow(world, id)] == 1000.0f);
    thDestroyWorld(world);
}

// A world of one profile and some columns for it.
typedef struct Bulk {
    thWorld* world;
    thAgentColumns columns;
    thVec2 positions[10];
    uint64_t keys[10];
} Bulk;

static void createBulk(Bulk* bulk)
{
    bulk->world = createWorld();
    bulk->columns = thDefaultAgentColumns();
    const thProfileDef profile = thDefaultProfileDef();
    assert_ok(thCreateProfile(bulk->world, &profile, &bulk->columns.shared.profile, NULL));
    for (int32_t i = 0; i < 10; ++i) {
        bulk->positions[i] = (thVec2){(float)i, 2.0f * (float)i};
        bulk->keys[i] = (uint64_t)(90 - i);
    }
    bulk->columns.count = 10;
    bulk->columns.positions = bulk->positions;
    bulk->columns.keys = bulk->keys;
}

static void testBulk(void** state)
{
    (void)state;
    listen();
    Bulk bulk;
    createBulk(&bulk);
    thWorld* world = bulk.world;
    thAgentId ids[10];
    bulk.keys[9] = 0; // the world gives one
    assert_ok(thCreateAgents(world, &bulk.columns, ids));
    for (int32_t i = 0; i < 10; ++i) {
        const thAgentRow row = thAgent_Get(world, ids[i]);
        assert_true(row.position.x == (float)i && row.position.y == 2.0f * (float)i);
        assert_int_equal(row.key, i < 9 ? (uint64_t)(90 - i) : UINT64_C(1) << 40);
    }
    // All of it again, with one thing wrong each: none is created.
    bulk.keys[9] = 1;
    for (int32_t i = 0; i < 9; ++i)
        bulk.keys[i] += 100;
    bulk.keys[5] = 86; // taken
    assert_refused(world, thCreateAgents(world, &bulk.columns, ids));
    bulk.keys[5] = bulk.keys[2]; // twice
    assert_refused(world, thCreateAgents(world, &bulk.columns, ids));
    bulk.keys[5] = (UINT64_C(1) << 40) + 77; // not for hosts
    assert_refused(world, thCreateAgents(world, &bulk.columns, ids));
    bulk.keys[5] = 500;
    bulk.positions[9].x = NAN;
    assert_refused(world, thCreateAgents(world, &bulk.columns, ids));
    bulk.positions[9].x = 0.0f;
    bulk.columns.count = -1;
    assert_refused(world, thCreateAgents(world, &bulk.columns, ids));
    bulk.columns.count = 10;
    bulk.columns.shared.size -= 1;
    assert_refused(world, thCreateAgents(world, &bulk.columns, ids));
    bulk.columns.shared.size += 1;
    bulk.columns.size += 8;
    assert_refused(world, thCreateAgents(world, &bulk.columns, ids));
    bulk.columns.size -= 8;
    assert_refused(world, thCreateAgents(world, NULL, ids));
    bulk.columns.keys = NULL;
    bulk.columns.shared.key = 3; // for all of them
    assert_refused(world, thCreateAgents(world, &bulk.columns, ids));
    bulk.columns.shared.key = 0;
    assert_ok(thCreateAgents(world, &bulk.columns, NULL));
    bulk.columns.count = 0;
    assert_ok(thCreateAgents(world, &bulk.columns, NULL));
    assert_int_equal(thWorld_GetCounters(world).agents, 20);
    assert_int_equal(thCreateAgents(NULL, &bulk.columns, NULL), th_resultBadArgument);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

static void testAllColumns(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    const thVec2 velocities[] = {{1.0f, 2.0f}, {3.0f, 4.0f}};
    const float headings[] = {0.5f, -0.5f}, radii[] = {0.2f, -1.0f};
    const float prefSpeeds[] = {1.0f, 1.1f}, maxSpeeds[] = {1.2f, 1.3f};
    const thGoalId goals[] = {full.disc, {0}};
    const thProfileId profiles[] = {full.circler, full.given};
    const int32_t groups[] = {7, -1};
    thAgentColumns columns = thDefaultAgentColumns();
    columns.count = 2;
    columns.velocities = velocities;
    columns.headings = headings;
    columns.goals = goals;
    columns.profiles = profiles;
    columns.radii = radii;
    columns.prefSpeeds = prefSpeeds;
    columns.maxSpeeds = maxSpeeds;
    columns.groups = groups;
    columns.shared.position = (thVec2){9.0f, 9.0f};
    columns.shared.group = 5;
    thAgentId ids[2];
    assert_ok(thCreateAgents(full.world, &columns, ids));
    const thRows* rows = thiRows(full.world);
    for (int32_t i = 0; i < 2; ++i) {
        const int32_t row = thiFindRow(full.world, ids[i]);
        assert_int_equal(rows->px[row], thiUnits(9.0f));
        assert_true(rows->vx[row] == velocities[i].x && rows->vy[row] == velocities[i].y);
        assert_true(rows->heading[row] == headings[i]);
        assert_true(rows->radius[row] == (i == 0 ? 0.2f : 0.25f));
        assert_true(rows->prefSpeed[row] == prefSpeeds[i] && rows->maxSpeed[row] == maxSpeeds[i]);
        assert_int_equal(rows->goal[row], THRONG_SLOT(goals[i]));
        assert_int_equal(rows->profile[row], THRONG_SLOT(profiles[i]));
        assert_int_equal(rows->group[row], groups[i]);
    }
    // The second one's wish starts as zero though the slot of its bytes was used before.
    const thVec2* wish = thiAgentState(full.world, thiFindRow(full.world, ids[1]), th_methodPlan);
    assert_true(wish->x == 0.0f && wish->y == 0.0f);
    thDestroyWorld(full.world);
}

static void testDestruction(void** state)
{
    (void)state;
    listen();
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thWorld* world = full.world;
    const thAgentId twice[] = {full.agents[0], full.agents[1], full.agents[0]};
    assert_refused(world, thDestroyAgents(world, twice, 3));
    const thAgentId stale[] = {full.agents[0], full.agents[3]};
    assert_refused(world, thDestroyAgents(world, stale, 2));
    assert_refused(world, thDestroyAgents(world, NULL, 1));
    assert_refused(world, thDestroyAgents(world, twice, -1));
    assert_refused(world, thDestroyAgent(world, (thAgentId){0}));
    assert_refused(world, thDestroyAgent(world, full.agents[3]));
    assert_int_equal(thDestroyAgents(NULL, twice, 1), th_resultBadArgument);
    assert_ok(thDestroyAgents(world, NULL, 0));
    const uint64_t key = thAgent_Get(world, full.agents[0]).key;
    assert_ok(thDestroyAgents(world, twice, 2));
    assert_int_equal(thWorld_GetCounters(world).agents, 35);
    assert_int_equal(thAgent_IsValid(world, full.agents[0]), 0);
    assert_int_equal(thAgent_IsValid(world, (thAgentId){0}), 0);
    assert_int_equal(thWorld_FindAgent(world, key).value, 0);
    (void)heard();
    assert_int_equal(thAgent_Get(world, full.agents[0]).flags, 0);
    assert_int_equal(heard(), 1);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

static void testBadChanges(void** state)
{
    (void)state;
    listen();
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thWorld* world = full.world;
    const thAgentId walker = full.agents[0], stale = full.agents[3], given = full.agents[1];
    const thVec2 zero = {0.0f, 0.0f}, bad = {0.0f, NAN};
    const thAgentId bads[] = {{0}, stale, {walker.value + 1000}, {UINT64_MAX}};
    for (int32_t i = 0; i < COUNT(bads); ++i) {
        int32_t x, y;
        assert_refused(world, thAgent_SetGoal(world, bads[i], full.point));
        assert_refused(world, thAgent_SetPreferredVelocity(world, bads[i], zero));
        assert_refused(world, thWorld_SetKinematics(world, &bads[i], &zero, NULL, 1));
        assert_refused(world, thAgent_SetHeading(world, bads[i], 0.0f));
        assert_refused(world, thAgent_SetLevel(world, bads[i], 0));
        assert_refused(world, thAgent_SetLayers(world, bads[i], 1, 1));
        assert_refused(world, thAgent_SetSpeeds(world, bads[i], 1.0f, 1.0f));
        assert_refused(world, thAgent_SetYield(world, bads[i], 1.0f));
        assert_refused(world, thAgent_SetGroup(world, bads[i], 1));
        assert_refused(world, thAgent_SetWaiting(world, bads[i], 1));
        assert_refused(world, thAgent_GetUnits(world, bads[i], &x, &y));
    }
    assert_refused(world, thAgent_SetGoal(world, walker, (thGoalId){99}));
    assert_refused(world, thAgent_SetPreferredVelocity(world, walker, zero)); // not `given`
    assert_refused(world, thAgent_SetPreferredVelocity(world, given, bad));
    const thAgentId both[] = {given, walker};
    const thVec2 some[] = {{1.0f, 1.0f}, {2.0f, 2.0f}}, oneBad[] = {{1.0f, 1.0f}, {2.0f, NAN}};
    assert_refused(world, thWorld_SetPreferredVelocities(world, both, some, 2));
    assert_refused(world, thWorld_SetPreferredVelocities(world, both, NULL, 1));
    assert_refused(world, thWorld_SetPreferredVelocities(world, NULL, some, 1));
    assert_refused(world, thWorld_SetPreferredVelocities(world, both, some, -1));
    assert_refused(world, thWorld_SetKinematics(world, both, oneBad, NULL, 2));
    assert_refused(world, thWorld_SetKinematics(world, both, some, oneBad, 2));
    assert_refused(world, thWorld_SetKinematics(world, both, NULL, some, 2));
    assert_refused(world, thWorld_SetKinematics(world, NULL, some, some, 2));
    assert_refused(world, thWorld_SetKinematics(world, both, some, some, -2));
    assert_refused(world, thAgent_SetHeading(world, walker, NAN));
    assert_refused(world, thAgent_SetHeading(world, walker, 8193.0f));
    assert_refused(world, thAgent_SetLevel(world, walker, -1));
    assert_refused(world, thAgent_SetLevel(world, walker, 65536));
    assert_refused(world, thAgent_SetSpeeds(world, walker, -1.0f, 1.0f));
    assert_refused(world, thAgent_SetSpeeds(world, walker, 1.0f, 101.0f));
    assert_refused(world, thAgent_SetSpeeds(world, walker, NAN, 1.0f));
    assert_refused(world, thAgent_SetYield(world, walker, -0.5f));
    assert_refused(world, thAgent_SetYield(world, walker, 1001.0f));
    assert_refused(world, thAgent_SetGroup(world, walker, -2));
    assert_refused(world, thAgent_GetUnits(world, walker, NULL, NULL));
    assert_int_equal(thAgent_SetGoal(NULL, walker, full.point), th_resultBadArgument);
    assert_int_equal(thWorld_SetKinematics(NULL, both, some, NULL, 2), th_resultBadArgument);
    assert_int_equal(thAgent_IsValid(NULL, walker), 0);
    assert_int_equal(thWorld_FindAgent(NULL, 1).value, 0);
    assert_null(thWorld_GetAgentView(NULL).rows);
    assert_int_equal(thAgent_Get(NULL, walker).flags, 0);
    assert_int_equal(heard(), 6);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

static void testChanges(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thWorld* world = full.world;
    const thAgentId id = full.agents[0];
    const thRows* rows = thiRows(world);
    const int32_t row = thiFindRow(world, id);
    thiRows(world)->goalIndex[row] = 2;
    thiRows(world)->flags[row] |= th_agentArrived;
    const int32_t users = thiGoalAt(&world->goals, THRONG_SLOT(full.list))->users;
    assert_ok(thAgent_SetGoal(world, id, full.list));
    assert_int_equal(rows->goal[row], THRONG_SLOT(full.list));
    assert_int_equal(rows->goalIndex[row], 0);
    assert_int_equal(thAgent_Get(world, id).flags, th_agentAlive);
    assert_int_equal(thiGoalAt(&world->goals, THRONG_SLOT(full.list))->users, users + 1);
    assert_ok(thAgent_SetGoal(world, id, (thGoalId){0}));
    assert_int_equal(rows->goal[row], -1);
    assert_int_equal(thiGoalAt(&world->goals, THRONG_SLOT(full.list))->users, users);
    assert_ok(thAgent_SetHeading(world, id, -4.0f));
    assert_near(thAgent_Get(world, id).heading, 2.0 * 3.14159265 - 4.0, 1e-6);
    assert_ok(thAgent_SetLayers(world, id, 6, 5));
    assert_true(rows->layers[row] == 6 && rows->mask[row] == 5);
    assert_ok(thAgent_SetSpeeds(world, id, 0.5f, 0.75f));
    assert_true(rows->prefSpeed[row] == 0.5f && rows->maxSpeed[row] == 0.75f);
    assert_ok(thAgent_SetYield(world, id, 0.125f));
    assert_true(rows->yield[row] == 0.125f);
    uint64_t hashes[3];
    for (int32_t i = 0; i < 3; ++i) {
        assert_ok(thAgent_SetGroup(world, id, i - 1));
        assert_int_equal(thAgent_GetInfo(world, id).group, i - 1);
        int32_t groups[64];
        const int32_t slotCount = thWorld_GetGroups(world, groups, 64);
        assert_int_equal(slotCount, thWorld_GetAgentView(world).slotCount);
        assert_int_equal(groups[THRONG_SLOT(id)], i - 1);
        hashes[i] = thWorld_GetStateHash(world);
    }
    assert_true(hashes[0] != hashes[1] && hashes[0] != hashes[2] && hashes[1] != hashes[2]);
    assert_ok(thAgent_SetWaiting(world, id, 7));
    assert_int_equal(thAgent_Get(world, id).flags, th_agentAlive | th_agentWaiting);
    assert_ok(thAgent_SetWaiting(world, id, 0));
    assert_int_equal(thAgent_Get(world, id).flags, th_agentAlive);
    assert_ok(thAgent_SetLevel(world, id, 65535));
    assert_int_equal(rows->level[row], 65535);
    // The second place of an agent that is there twice is the one that counts.
    const thAgentId ids[] = {id, full.agents[9], id};
    const thVec2 positions[] = {{100.0f, 0.0f}, {3.0f, 4.0f}, {5.0f, 6.0f}};
    const thVec2 velocities[] = {{0.1f, 0.2f}, {0.3f, 0.4f}, {0.5f, 0.6f}};
    assert_ok(thWorld_SetKinematics(world, ids, positions, velocities, 3));
    thAgentRow shown = thAgent_Get(world, id);
    assert_true(shown.position.x == 5.0f && shown.position.y == 6.0f && shown.velocity.x == 0.5f);
    assert_ok(thWorld_SetKinematics(world, ids, positions, NULL, 2));
    shown = thAgent_Get(world, full.agents[9]);
    assert_true(shown.position.y == 4.0f && shown.velocity.y == 0.4f);
    thDestroyWorld(world);
}

// Agents come and go at random, steps between them; ids, keys, rows and views stay in step.
static bool staysInStep(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thWorld* world = full.world;
    thAgentId ids[400];
    int32_t count = 0;
    bool good = true;
    for (int32_t i = 0; i < size && good; ++i) {
        const int32_t what = drawInt(g, 0, 9);
        if (what < 5 && count < 400) {
            thAgentDef def = thDefaultAgentDef();
            def.profile = what < 2 ? full.given : full.circler;
            def.position = (thVec2){drawFloat(g, -9.0f, 9.0f), drawFloat(g, -9.0f, 9.0f)};
            def.placement = th_placementNearest;
            good = thCreateAgent(world, &def, &ids[count++]) == th_resultOk;
        } else if (what < 9 && count > 0) {
            const int32_t which = drawInt(g, 0, count - 1);
            good = thDestroyAgent(world, ids[which]) == th_resultOk;
            ids[which] = ids[--count];
        } else {
            good = thWorld_Step(world, 0.01f) == th_resultOk;
        }
        const thAgentView view = thWorld_GetAgentView(world);
        good = good && view.agentCount == 37 + count;
        int32_t alive = 0;
        for (int32_t slot = 0; slot < view.slotCount; ++slot)
            alive += view.rows[slot].flags != 0;
        good = good && alive == view.agentCount;
        for (int32_t k = 0; k < count && good; ++k) {
            const thAgentRow row = thAgent_Get(world, ids[k]);
            good = row.flags != 0 && thWorld_FindAgent(world, row.key).value == ids[k].value &&
                   thiRows(world)->slot[thiFindRow(world, ids[k])] == THRONG_SLOT(ids[k]);
        }
    }
    thDestroyWorld(world);
    return good;
}

static void testComingAndGoing(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"coming and going", 5, 30, 300, staysInStep, NULL});
}

static thResult growing(const thAllocator* allocator, void* context)
{
    (void)context;
    Full full;
    thResult code = createFull(allocator, false, &full);
    if (code != th_resultOk)
        return code;
    const thProfileId profiles[] = {full.walker, full.given, full.circler};
    for (int32_t i = 0; i < 60 && code == th_resultOk; ++i) {
        const Bytes before = saveWorld(full.world);
        thAgentDef def = thDefaultAgentDef();
        def.profile = profiles[i % 3];
        thAgentId id;
        code = thCreateAgent(full.world, &def, &id);
        if (code != th_resultOk) {
            const Bytes after = saveWorld(full.world);
            assert_true(sameBytes(before, after));
            assert_int_equal(id.value, 0);
            freeBytes(after);
        }
        freeBytes(before);
    }
    thDestroyWorld(full.world);
    return code;
}

static void testFailEach(void** state)
{
    (void)state;
    failEachAllocation(growing, NULL);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDefaults),
        cmocka_unit_test(testBadCreation),
        cmocka_unit_test(testOne),
        cmocka_unit_test(testBulk),
        cmocka_unit_test(testAllColumns),
        cmocka_unit_test(testDestruction),
        cmocka_unit_test(testBadChanges),
        cmocka_unit_test(testChanges),
        cmocka_unit_test(testComingAndGoing),
        cmocka_unit_test(testFailEach),
    };
    return RUN_TESTS(tests, argc, argv);
}
