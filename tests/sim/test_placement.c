// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where agents may stand among static walls: when they are created, and when they are put
// elsewhere. Random walls and places are held against a model in tests/world.

#include "gear/allocators.h"
#include "geom/fixed.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"

#define SLOP 0x1p-13f

// The call is refused because of walls: that is no bug, and it changes nothing.
#define assert_blocked(world, call)                                                                \
    do {                                                                                           \
        const Bytes blockedBefore = saveWorld(world);                                              \
        listen();                                                                                  \
        assert_int_equal(call, th_resultBlocked);                                                  \
        assert_int_equal(heard(), 0);                                                              \
        thSetHooks(NULL);                                                                          \
        const Bytes blockedAfter = saveWorld(world);                                               \
        assert_true(sameBytes(blockedBefore, blockedAfter));                                       \
        freeBytes(blockedBefore);                                                                  \
        freeBytes(blockedAfter);                                                                   \
    } while (0)

static thObstacleId addObstacle(thWorld* world, thObstacleKind kind, const thVec2* points,
                                int32_t count, int32_t level)
{
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = kind;
    def.points = points;
    def.pointCount = count;
    def.level = level;
    thObstacleId id;
    assert_ok(thCreateObstacle(world, &def, &id));
    return id;
}

static thObstacleId addBox(thWorld* world, thObstacleKind kind, float x, float y, float side)
{
    const thVec2 box[] = {{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}};
    return addObstacle(world, kind, box, 4, 0);
}

// A hall of 40 m on floor 0, in it a solid of 4 m about (0, 0) and a thin wall from (10, -5) to
// (10, 5). Floor 1 is empty.
typedef struct Hall {
    thWorld* world;
    thObstacleId solid;
    thAgentDef def;
} Hall;

static Hall openHallWith(const thWorldDef* worldDef)
{
    Hall hall = {.def = thDefaultAgentDef()};
    assert_ok(thCreateWorld(worldDef, &hall.world));
    const thProfileDef profile = thDefaultProfileDef();
    assert_ok(thCreateProfile(hall.world, &profile, &hall.def.profile, NULL));
    const thVec2 wall[] = {{10.0f, -5.0f}, {10.0f, 5.0f}};
    addBox(hall.world, th_obstacleRoom, -20.0f, -20.0f, 40.0f);
    hall.solid = addBox(hall.world, th_obstacleSolid, -2.0f, -2.0f, 4.0f);
    addObstacle(hall.world, th_obstacleWall, wall, 2, 0);
    return hall;
}

static Hall openHall(void)
{
    const thWorldDef def = thDefaultWorldDef();
    return openHallWith(&def);
}

static thResult createAt(Hall* hall, float x, float y, thAgentId* id)
{
    hall->def.position = (thVec2){x, y};
    return thCreateAgent(hall->world, &hall->def, id);
}

// Places in walls, each with the radius that the profile gives: 0.25 m.
static const thVec2 inWalls[] = {
    {0.0f, 0.0f},     // in solid
    {-2.0f, 0.5f},    // on its edge
    {-2.0f, -2.0f},   // on its corner
    {-2.2f, 0.0f},    // the disc is in it
    {2.1f, 2.1f},     // and in a corner
    {10.0f, 1.0f},    // on a thin wall
    {9.8f, 0.0f},     // too near on one side
    {10.2f, 0.0f},    // and on the other
    {10.0f, 5.1f},    // and at its end
    {25.0f, 0.0f},    // outside the room
    {3000.0f, 0.0f},  // far outside
    {-19.9f, 19.9f},  // in the room's corner
    {-20.0f, -20.0f}, // on its corner
};
#define IN_WALLS ((int32_t)(sizeof inWalls / sizeof inWalls[0]))

static void testRefuses(void** state)
{
    (void)state;
    Hall hall = openHall();
    thWorld* world = hall.world;
    thAgentId id = {1};
    for (int32_t i = 0; i < IN_WALLS; ++i) {
        assert_blocked(world, createAt(&hall, inWalls[i].x, inWalls[i].y, &id));
        assert_int_equal(id.value, 0);
        assert_int_equal(thWorld_IsFree(world, inWalls[i], 0.25f, 0), 0);
        assert_int_equal(thWorld_IsFree(world, inWalls[i], 0.25f, 1), 1);
    }
    // Touching is no standing in a wall, nor is less than the slop.
    assert_ok(createAt(&hall, -2.25f, 0.0f, &id));
    assert_ok(createAt(&hall, -2.25f + 0.875f * SLOP, 1.0f, &id));
    assert_blocked(world, createAt(&hall, -2.25f + SLOP, 1.5f, &id));
    assert_ok(createAt(&hall, 10.25f, 0.0f, &id));
    // A point may stand anywhere but on walls and in solid.
    hall.def.radius = 0.0f;
    assert_ok(createAt(&hall, 9.9999f, 0.0f, &id));
    assert_blocked(world, createAt(&hall, 10.0f, 0.0f, &id));
    assert_blocked(world, createAt(&hall, 1.9999f, 0.0f, &id));
    // A large one finds no room between the solid and the thin wall.
    hall.def.radius = 4.5f;
    assert_blocked(world, createAt(&hall, 6.0f, 0.0f, &id));
    assert_ok(createAt(&hall, -10.0f, 0.0f, &id));
    // Another floor has none of these walls.
    hall.def.level = 1;
    assert_ok(createAt(&hall, 0.0f, 0.0f, &id));
    assert_int_equal(thWorld_GetCounters(world).agents, 6);
    thDestroyWorld(world);
}

// Walls have no say in where the host puts those that it moves.
static void testHostsOwn(void** state)
{
    (void)state;
    const uint32_t flags[] = {th_agentExternal, th_agentVelocityOnly};
    for (int32_t i = 0; i < 2; ++i) {
        Hall hall = openHall();
        hall.def.flags = flags[i];
        hall.def.placement = th_placementNearest;
        thAgentId id;
        assert_ok(createAt(&hall, 0.0f, 0.0f, &id));
        assert_true(thAgent_Get(hall.world, id).position.x == 0.0f);
        const thVec2 place = {10.0f, 0.5f};
        assert_ok(thWorld_SetKinematics(hall.world, &id, &place, NULL, 1));
        assert_ok(thAgent_SetPlace(hall.world, id, (thVec2){0.5f, 0.5f}, 0, th_placementNearest));
        assert_true(thAgent_Get(hall.world, id).position.x == 0.5f);
        thDestroyWorld(hall.world);
    }
}

// One in a wall keeps all from being created, and each of them is named.
static void testReports(void** state)
{
    (void)state;
    Hall hall = openHall();
    thVec2 positions[] = {{5.0f, 0.0f}, {5.0f, 1.0f}, {10.125f, 0.5f}, {5.0f, 2.0f}, {0.0f, 0.0f}};
    uint8_t blocked[] = {7, 7, 7, 7, 7};
    thAgentId ids[5] = {{1}, {1}, {1}, {1}, {1}};
    thError error = {.line = 3};
    thAgentColumns columns = thDefaultAgentColumns();
    columns.shared = hall.def;
    columns.count = 5;
    columns.positions = positions;
    assert_blocked(hall.world, thCreateAgents(hall.world, &columns, ids));
    columns.error = &error;
    columns.blocked = blocked;
    assert_blocked(hall.world, thCreateAgents(hall.world, &columns, ids));
    assert_int_equal(ids[0].value, 1);
    assert_memory_equal(blocked, ((uint8_t[]){0, 0, 1, 0, 1}), 5);
    assert_int_equal(error.code, th_resultBlocked);
    assert_string_equal(error.path, "positions[2]");
    assert_string_equal(error.text, "2 of 5 agents would stand in a wall, the first is agent 2, of "
                                    "radius 0.25 m, at (10.125, 0.5) on floor 0");
    // Without those the others are welcome, and nothing is told.
    positions[2] = positions[4] = (thVec2){-10.0f, 0.0f};
    error.code = th_resultOk;
    assert_ok(thCreateAgents(hall.world, &columns, ids));
    assert_int_equal(error.code, th_resultOk);
    assert_int_equal(blocked[2], 1);
    assert_int_equal(thWorld_GetCounters(hall.world).agents, 5);
    // A column of radii, and one place for all.
    const float radii[] = {0.25f, 3.5f, -1.0f};
    columns.positions = NULL;
    columns.shared.position = (thVec2){-5.0f, 0.0f};
    columns.radii = radii;
    columns.count = 3;
    assert_blocked(hall.world, thCreateAgents(hall.world, &columns, NULL));
    assert_memory_equal(blocked, ((uint8_t[]){0, 1, 0}), 3);
    thDestroyWorld(hall.world);
}

// The nearest place is known here: straight away from one wall.
static void testNearest(void** state)
{
    (void)state;
    static const struct {
        thVec2 from, to;
    } cases[] = {
        {{-1.5f, 0.0f}, {-2.25f, 0.0f}},     // out of the solid, to the side that is nearest
        {{0.0f, 1.0f}, {0.0f, 2.25f}},       //
        {{2.125f, 0.5f}, {2.25f, 0.5f}},     // the centre is free, the disc is not
        {{9.875f, 0.0f}, {9.75f, 0.0f}},     // on its own side of a thin wall
        {{10.125f, 0.0f}, {10.25f, 0.0f}},   // and on the other
        {{25.0f, 10.0f}, {19.75f, 10.0f}},   // into the room
        {{-50.0f, -3.0f}, {-19.75f, -3.0f}}, // from afar
    };
    Hall hall = openHall();
    hall.def.placement = th_placementNearest;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        thAgentId id;
        assert_ok(createAt(&hall, cases[i].from.x, cases[i].from.y, &id));
        const thVec2 at = thAgent_Get(hall.world, id).position;
        const double away = hypot((double)(cases[i].to.x - cases[i].from.x),
                                  (double)(cases[i].to.y - cases[i].from.y));
        const double went =
            hypot((double)(at.x - cases[i].from.x), (double)(at.y - cases[i].from.y));
        assert_true(went >= away - (double)SLOP && went <= 1.02 * away + 0.01);
        assert_near(at.x, cases[i].to.x, 0.15 * away + 0.01);
        assert_near(at.y, cases[i].to.y, 0.15 * away + 0.01);
        assert_int_equal(thWorld_IsFree(hall.world, at, 0.25f, 0), 1);
    }
    // Who stands free is not moved.
    thAgentId id;
    assert_ok(createAt(&hall, 5.5f, -7.25f, &id));
    assert_true(thAgent_Get(hall.world, id).position.x == 5.5f);
    assert_true(thAgent_Get(hall.world, id).position.y == -7.25f);
    // There is none within 100 m, or the body fits nowhere.
    assert_blocked(hall.world, createAt(&hall, 121.0f, 0.0f, &id));
    hall.def.radius = 21.0f;
    assert_blocked(hall.world, createAt(&hall, 5.0f, 5.0f, &id));
    thAgentColumns columns = thDefaultAgentColumns();
    thError error = {.code = th_resultOk};
    columns.shared = hall.def;
    columns.count = 2;
    columns.error = &error;
    assert_blocked(hall.world, thCreateAgents(hall.world, &columns, NULL));
    assert_string_equal(error.text,
                        "2 of 2 agents would stand in a wall and have no free place near, the "
                        "first is agent 0, of radius 21 m, at (5, 5) on floor 0");
    thDestroyWorld(hall.world);
}

// What counts are the walls at the time of the call, whatever the last step saw.
static void testWallsAsTheyAre(void** state)
{
    (void)state;
    Hall hall = openHall();
    thWorld* world = hall.world;
    thAgentId id, other;
    assert_ok(createAt(&hall, 5.0f, 0.0f, &id));
    assert_ok(thWorld_Step(world, 0.1f));
    const thObstacleId added = addBox(world, th_obstacleSolid, 4.0f, -1.0f, 3.0f);
    assert_blocked(world, createAt(&hall, 5.0f, 1.0f, &other));
    // Whom a new wall buries stays and can be spoken to where it is, but not put elsewhere in it.
    const thVec2 here = thAgent_Get(world, id).position, there = {5.5f, 0.0f};
    const thVec2 velocity = {0.5f, 0.25f};
    assert_ok(thWorld_SetKinematics(world, &id, &here, &velocity, 1));
    assert_true(thAgent_Get(world, id).velocity.x == 0.5f);
    assert_ok(thAgent_SetPlace(world, id, here, 0, th_placementRefuse));
    assert_blocked(world, thWorld_SetKinematics(world, &id, &there, &velocity, 1));
    assert_ok(thWorld_Step(world, 0.1f));
    // It comes out of a snapshot as it was, too.
    const Bytes saved = saveWorld(world);
    assert_ok(thDestroyAgent(world, id));
    assert_ok(thWorld_Restore(world, saved.data, saved.size, NULL));
    assert_true(thAgent_IsValid(world, id));
    const Bytes again = saveWorld(world);
    assert_true(sameBytes(saved, again));
    freeBytes(saved);
    freeBytes(again);
    assert_blocked(world, createAt(&hall, 5.0f, 1.0f, &other));
    assert_ok(thDestroyObstacle(world, added));
    assert_ok(createAt(&hall, 5.0f, 1.0f, &other));
    assert_ok(thDestroyObstacle(world, hall.solid));
    assert_ok(thWorld_SetKinematics(world, &id, &(thVec2){0.0f, 0.0f}, NULL, 1));
    thDestroyWorld(world);
}

static void testPutElsewhere(void** state)
{
    (void)state;
    Hall hall = openHall();
    thWorld* world = hall.world;
    thAgentId ids[2];
    assert_ok(createAt(&hall, 5.0f, 0.0f, &ids[0]));
    assert_ok(createAt(&hall, 6.0f, 0.0f, &ids[1]));
    for (int32_t i = 0; i < IN_WALLS; ++i) {
        const thVec2 places[] = {{7.0f, 0.0f}, inWalls[i]};
        assert_blocked(world, thWorld_SetKinematics(world, ids, places, NULL, 2));
        assert_blocked(world, thAgent_SetPlace(world, ids[0], inWalls[i], 0, th_placementRefuse));
    }
    assert_ok(thWorld_Step(world, 0.1f)); // sorted, for the queries below
    // Another floor: free there, and not to be left where the first has a wall.
    assert_ok(thAgent_SetPlace(world, ids[0], (thVec2){0.0f, 0.0f}, 1, th_placementRefuse));
    assert_int_equal(thAgent_GetInfo(world, ids[0]).level, 1);
    assert_blocked(world, thAgent_SetLevel(world, ids[0], 0));
    assert_ok(thAgent_SetLevel(world, ids[0], 1));
    assert_ok(thAgent_SetLevel(world, ids[0], 2));
    assert_ok(thAgent_SetPlace(world, ids[0], (thVec2){-1.5f, 0.0f}, 0, th_placementNearest));
    const thAgentRow row = thAgent_Get(world, ids[0]);
    assert_near(row.position.x, -2.25, 0.02);
    assert_int_equal(thAgent_GetInfo(world, ids[0]).level, 0);
    thAgentId found;
    assert_int_equal(
        thWorld_AgentsInDisc(world, row.position, 0.1f, thDefaultQueryFilter(), &found, 1), 1);
    assert_int_equal(found.value, ids[0].value);
    assert_ok(thAgent_SetPlace(world, ids[1], (thVec2){-15.0f, 15.0f}, 0, th_placementRefuse));
    assert_int_equal(thWorld_AgentsInDisc(world, (thVec2){-15.0f, 15.0f}, 0.1f,
                                          thDefaultQueryFilter(), &found, 1),
                     1);
    assert_true(thAgent_Get(world, ids[1]).velocity.x == 0.0f);
    thDestroyWorld(world);
}

// Far from the origin floats are coarser than places. Who stands as near to a wall as it may can
// still be put where it is seen, and stays where it is.
static void testSeenPlaces(void** state)
{
    (void)state;
    thWorld* world = createWorld();
    thAgentDef def = thDefaultAgentDef();
    thProfileDef profile = thDefaultProfileDef();
    profile.plan.name = "given";
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    addObstacle(world, th_obstacleWall,
                (const thVec2[]){{25000.0f, 20000.0f}, {25010.0f, 20003.0f}}, 2, 0);
    def.position = (thVec2){25004.0f, 20002.0f};
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    assert_ok(thAgent_SetPreferredVelocity(world, id, (thVec2){1.0f, -1.0f}));
    int32_t blocked = 0;
    for (int32_t i = 0; i < 40; ++i) {
        assert_ok(thWorld_Step(world, 0.05f));
        const thVec2 seen = thAgent_Get(world, id).position;
        blocked += thWorld_IsFree(world, seen, 0.25f, 0) == 0;
        int32_t before[2], after[2];
        assert_ok(thAgent_GetUnits(world, id, &before[0], &before[1]));
        assert_ok(thWorld_SetKinematics(world, &id, &seen, NULL, 1));
        assert_ok(thAgent_SetPlace(world, id, seen, 0, th_placementRefuse));
        assert_ok(thAgent_GetUnits(world, id, &after[0], &after[1]));
        assert_memory_equal(before, after, sizeof before);
    }
    assert_true(blocked > 0);
    thDestroyWorld(world);
}

static void testBadArguments(void** state)
{
    (void)state;
    listen();
    Hall hall = openHall();
    thWorld* world = hall.world;
    thAgentId id;
    assert_ok(createAt(&hall, 5.0f, 0.0f, &id));
    const thVec2 place = {6.0f, 0.0f};
    const thPlacement refuse = th_placementRefuse;
    assert_refused(world, thAgent_SetPlace(world, (thAgentId){0}, place, 0, refuse));
    assert_refused(world, thAgent_SetPlace(world, id, (thVec2){NAN, 0.0f}, 0, refuse));
    assert_refused(world, thAgent_SetPlace(world, id, (thVec2){0.0f, 30001.0f}, 0, refuse));
    assert_refused(world, thAgent_SetPlace(world, id, place, -1, refuse));
    assert_refused(world, thAgent_SetPlace(world, id, place, 65536, refuse));
    assert_refused(world, thAgent_SetPlace(world, id, place, 0, (thPlacement)2));
    assert_int_equal(thAgent_SetPlace(NULL, id, place, 0, refuse), th_resultBadArgument);
    hall.def.placement = (thPlacement)2;
    assert_refused(world, createAt(&hall, 5.0f, 0.0f, &id));
    hall.def.placement = (thPlacement)-1;
    assert_refused(world, createAt(&hall, 5.0f, 0.0f, &id));
    (void)heard();
    assert_int_equal(thWorld_IsFree(NULL, place, 0.25f, 0), 0);
    assert_int_equal(thWorld_IsFree(world, (thVec2){0.0f, INFINITY}, 0.25f, 0), 0);
    assert_int_equal(thWorld_IsFree(world, place, -0.1f, 0), 0);
    assert_int_equal(thWorld_IsFree(world, place, NAN, 0), 0);
    assert_int_equal(thWorld_IsFree(world, place, 0.25f, -1), 0);
    assert_int_equal(heard(), 5);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

// Commands meet the walls of the step that carries them out, and keep their wish in a snapshot.
static void testCommands(void** state)
{
    (void)state;
    Hall hall = openHall();
    thWorld* world = hall.world;
    thCommand command = thDefaultCommand();
    command.create = hall.def;
    command.create.position = (thVec2){-1.5f, 0.0f};
    command.create.key = 1;
    assert_ok(thWorld_Queue(world, &command));
    command.create.key = 2;
    command.create.placement = th_placementNearest;
    assert_ok(thWorld_Queue(world, &command));
    command.create.key = 3;
    command.create.placement = th_placementRefuse;
    command.create.position = (thVec2){5.0f, 5.0f};
    assert_ok(thWorld_Queue(world, &command)); // free so far
    addBox(world, th_obstacleSolid, 4.0f, 4.0f, 2.0f);
    const Bytes saved = saveWorld(world);
    for (int32_t i = 0; i < 2; ++i) {
        assert_ok(thWorld_Step(world, 0.1f));
        assert_int_equal(thWorld_GetCounters(world).refusedCommands, 2);
        assert_int_equal(thWorld_GetCounters(world).agents, 1);
        const thAgentRow row = thAgent_Get(world, thWorld_FindAgent(world, 2));
        assert_near(row.position.x, -2.25, 0.02);
        assert_ok(thWorld_Restore(world, saved.data, saved.size, NULL));
    }
    freeBytes(saved);
    thDestroyWorld(world);
}

// A crowd among pillars, most of which must step aside: the same places on any number of threads,
// all at once or one by one.
enum { crowdCount = 5000 };

static uint64_t placeCrowd(int32_t workerCount, bool together)
{
    static thVec2 positions[crowdCount];
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.workerCount = workerCount;
    Hall hall = openHallWith(&worldDef);
    for (int32_t i = 0; i < 100; ++i)
        addBox(hall.world, th_obstacleSolid, (float)(i % 10) * 3.5f - 17.0f,
               (float)(i / 10) * 3.5f - 17.25f, 2.5f);
    thAgentColumns columns = thDefaultAgentColumns();
    columns.shared = hall.def;
    columns.shared.placement = th_placementNearest;
    columns.positions = positions;
    columns.count = crowdCount;
    for (int32_t i = 0; i < crowdCount; ++i)
        positions[i] = (thVec2){(float)(i % 71) * 0.55f - 19.5f, (float)(i / 71) * 0.55f - 19.5f};
    if (together)
        assert_ok(thCreateAgents(hall.world, &columns, NULL));
    hall.def.placement = th_placementNearest;
    thAgentId id;
    for (int32_t i = 0; i < crowdCount && !together; ++i)
        assert_ok(createAt(&hall, positions[i].x, positions[i].y, &id));
    const thAgentView view = thWorld_GetAgentView(hall.world);
    int32_t moved = 0;
    for (int32_t i = 0; i < crowdCount; ++i) {
        assert_int_equal(thWorld_IsFree(hall.world, view.rows[i].position, 0.25f, 0), 1);
        moved += view.rows[i].position.x != positions[i].x;
    }
    assert_in_range(moved, 1000, crowdCount);
    const uint64_t hash = thWorld_GetStateHash(hall.world);
    thDestroyWorld(hall.world);
    return hash;
}

static void testSameBits(void** state)
{
    (void)state;
    const uint64_t hash = placeCrowd(0, true);
    assert_true(placeCrowd(0, false) == hash);
    assert_true(placeCrowd(2, true) == hash);
    assert_true(placeCrowd(5, true) == hash);
}

static void assertUnchanged(const thWorld* world, Bytes before)
{
    const Bytes after = saveWorld(world);
    assert_true(sameBytes(before, after));
    freeBytes(after);
}

static thResult placing(const thAllocator* allocator, void* context)
{
    (void)context;
    Full full;
    thResult code = createFull(allocator, false, &full);
    if (code != th_resultOk)
        return code;
    const thVec2 positions[] = {{5.0f, 5.0f}, {4.5f, 5.0f}, {60.0f, 0.0f}};
    thAgentColumns columns = thDefaultAgentColumns();
    columns.shared.profile = full.walker;
    columns.shared.placement = th_placementNearest;
    columns.positions = positions;
    columns.count = 3;
    assert_ok(thDestroyObstacle(full.world, full.wall)); // the walls must be sorted anew
    const Bytes before = saveWorld(full.world);
    code = thAgent_SetPlace(full.world, full.agents[0], positions[0], 0, th_placementNearest);
    if (code == th_resultOk)
        assert_ok(thDestroyObstacle(full.world, full.solid));
    else
        assertUnchanged(full.world, before);
    freeBytes(before);
    const Bytes between = saveWorld(full.world);
    if (code == th_resultOk) {
        code = thCreateAgents(full.world, &columns, NULL);
        if (code != th_resultOk)
            assertUnchanged(full.world, between);
    }
    freeBytes(between);
    thDestroyWorld(full.world);
    return code;
}

static void testFailEach(void** state)
{
    (void)state;
    failEachAllocation(placing, NULL);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRefuses),        cmocka_unit_test(testHostsOwn),
        cmocka_unit_test(testReports),        cmocka_unit_test(testNearest),
        cmocka_unit_test(testWallsAsTheyAre), cmocka_unit_test(testPutElsewhere),
        cmocka_unit_test(testSeenPlaces),     cmocka_unit_test(testBadArguments),
        cmocka_unit_test(testCommands),       cmocka_unit_test(testSameBits),
        cmocka_unit_test(testFailEach),
    };
    return RUN_TESTS(tests, argc, argv);
}
