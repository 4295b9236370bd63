// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Steps that find no memory: whichever allocation fails, the world is as it was, and the step made
// again leads where it would have led at first. Worlds are warm and then grow, so that steps need
// memory at every stage: more agents, who stand close, another wall, another mover.

#include "gear/allocators.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"
#include "throng/continuum.h"
#include "throng/flow.h"
#include "throng/gate.h"
#include "throng/random.h"
#include "throng/roadmap.h"
#include "throng/visibility.h"

#include <stdlib.h>

enum { warmSteps = 3, laterSteps = 3 };

typedef struct Case {
    const char *name, *plan, *group, *avoid;
    bool contacts, shaped, crowding, together;
    float dt;
} Case;

static const Case cases[] = {
    {"direct", "direct", NULL, "orca", true, false, false, false, 0.1f},
    {"without contacts", "direct", NULL, "rvo", false, false, false, false, 0.1f},
    {"divided steps", "direct", NULL, "clearpath", true, false, false, false, 0.5f},
    {"shapes", "direct", NULL, "orca", true, true, false, false, 0.1f},
    {"visibility", "visibility", NULL, "orca", true, false, true, false, 0.1f},
    {"continuum", "continuum", NULL, "orca", true, false, true, false, 0.1f},
    {"flow", "flow", NULL, "orca", true, false, true, false, 0.1f},
    {"roadmap", "roadmap", NULL, "clearpath", true, false, false, false, 0.25f},
    {"steer", "steer", NULL, "steer", true, false, false, false, 0.1f},
    {"groups", "visibility", "meso", "orca", true, false, false, true, 0.1f},
    {"groups in divided steps", "direct", NULL, "clearpath", true, false, false, true, 0.5f},
};

typedef struct Place {
    thWorld* world;
    thProfileId profile;
    thGoalId goals[2];
    uint64_t key;
} Place;

static void addMover(Place* place, thVec2 at, thVec2 velocity, bool yields)
{
    static const thVec2 corners[] = {{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}};
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingPolygon;
    def.points = corners;
    def.pointCount = 4;
    def.position = at;
    def.velocity = velocity;
    def.spin = 0.5f;
    def.yields = yields;
    thObstacleId id;
    assert_ok(thCreateObstacle(place->world, &def, &id));
}

static void addCrowd(Place* place, thVec2 middle, int32_t count, float size)
{
    for (int32_t i = 0; i < count; ++i) {
        const uint64_t stream = thRandomStream(5, place->key, 0, 0);
        thAgentDef def = thDefaultAgentDef();
        def.profile = place->profile;
        def.key = place->key++;
        def.goal = place->goals[i % 2];
        def.group = i % 6; // of two goals each
        def.placement = th_placementNearest;
        def.position = (thVec2){middle.x + thRandomRange(stream, 0, -size, size),
                                middle.y + thRandomRange(stream, 1, -size, size)};
        thAgentId id;
        assert_ok(thCreateAgent(place->world, &def, &id));
    }
}

static void addRoom(Place* place)
{
    static const thVec2 room[] = {{-9.0f, -7.0f}, {9.0f, -7.0f}, {9.0f, 7.0f}, {-9.0f, 7.0f}};
    thObstacleDef def = thDefaultObstacleDef();
    thObstacleId id;
    def.kind = th_obstacleRoom;
    def.points = room;
    def.pointCount = 4;
    assert_ok(thCreateObstacle(place->world, &def, &id));
    addWall(place->world, 0.0f, -6.0f, 0.0f, -1.0f);
    thGateDef gate = thDefaultGateDef();
    thGateId gateId;
    gate.a = (thVec2){1.0f, -7.0f};
    gate.b = (thVec2){1.0f, 7.0f};
    gate.capacity = 0.05f;
    assert_ok(thCreateGate(place->world, &gate, &gateId));
    thRoadmapDef roadmap = thDefaultRoadmapDef();
    roadmap.name = "cells";
    roadmap.kind = th_roadmapGrid;
    roadmap.side = 1.0f;
    thRoadmapId ignored;
    assert_ok(thCreateRoadmap(place->world, &roadmap, &ignored));
}

static void addProfile(Place* place, const Case* kind)
{
    static const thVec2 lozenge[] = {{-0.3f, 0.0f}, {0.0f, -0.15f}, {0.3f, 0.0f}, {0.0f, 0.15f}};
    thProfileDef def = thDefaultProfileDef();
    thVisibilityDef visibility = thDefaultVisibilityDef();
    thFlowDef flow = thDefaultFlowDef();
    visibility.crowding = flow.crowding = 0.5f;
    thContinuumDef continuum = thDefaultContinuumDef();
    visibility.refresh = flow.refresh = continuum.refresh = 2;
    def.plan.name = kind->plan;
    def.group.name = kind->group;
    def.avoid.name = kind->avoid;
    if (kind->crowding)
        def.plan.params = strcmp(kind->plan, "flow") == 0        ? (void*)&flow
                          : strcmp(kind->plan, "continuum") == 0 ? (void*)&continuum
                                                                 : (void*)&visibility;
    if (kind->shaped) {
        def.shape = lozenge;
        def.shapeCount = 4;
    }
    if (kind->together)
        def.together = thPeopleTogether();
    def.arrival = th_arrivalLeave;
    assert_ok(thCreateProfile(place->world, &def, &place->profile, NULL));
}

// A warm world in which much is new.
static Place makePlace(const Case* kind, const thAllocator* allocator)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = 1;
    def.contacts = kind->contacts;
    if (allocator != NULL)
        def.allocator = *allocator;
    Place place = {.key = 1};
    assert_ok(thCreateWorld(&def, &place.world));
    addRoom(&place);
    addProfile(&place, kind);
    assert_ok(thCreatePointGoal(place.world, (thVec2){7.0f, 1.0f}, &place.goals[0]));
    assert_ok(thCreatePointGoal(place.world, (thVec2){-7.0f, -1.0f}, &place.goals[1]));
    addCrowd(&place, (thVec2){-3.0f, 0.0f}, 12, 3.0f);
    addMover(&place, (thVec2){-8.0f, 5.0f}, (thVec2){1.0f, 0.0f}, false);
    for (int32_t i = 0; i < warmSteps; ++i)
        assert_ok(thWorld_Step(place.world, kind->dt));
    addCrowd(&place, (thVec2){4.0f, 0.0f}, 48, 1.0f);
    addMover(&place, (thVec2){6.5f, 0.0f}, (thVec2){-1.5f, 0.0f}, true);
    addWall(place.world, 2.0f, 3.0f, 6.0f, 3.0f);
    return place;
}

// What a host sees of a world.
typedef struct Sight {
    uint64_t hash;
    Bytes snapshot;
    thAgentRow* rows;
    thAgentInfo* infos;
    int32_t slots;
} Sight;

static Sight lookAt(const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    Sight sight = {.hash = thWorld_GetStateHash(world),
                   .snapshot = saveWorld(world),
                   .rows = calloc((size_t)view.slotCount, sizeof(thAgentRow)),
                   .infos = calloc((size_t)view.slotCount, sizeof(thAgentInfo)),
                   .slots = view.slotCount};
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        sight.rows[slot] = view.rows[slot];
        const thAgentId id = thWorld_FindAgent(world, view.rows[slot].key);
        if (view.rows[slot].key != 0)
            sight.infos[slot] = thAgent_GetInfo(world, id);
    }
    return sight;
}

static void forget(Sight sight)
{
    freeBytes(sight.snapshot);
    free(sight.rows);
    free(sight.infos);
}

// Planners may have come further with what they share, which is in the snapshot.
static void compareSights(const Sight* found, const Sight* expected, bool sharesNothing)
{
    assert_int_equal(found->slots, expected->slots);
    assert_int_equal(found->hash, expected->hash);
    assert_memory_equal(found->rows, expected->rows,
                        (size_t)expected->slots * sizeof *expected->rows);
    for (int32_t slot = 0; slot < expected->slots; ++slot) {
        const thAgentInfo *a = &found->infos[slot], *b = &expected->infos[slot];
        assert_true(a->remaining == b->remaining && a->status == b->status &&
                    a->answer == b->answer && a->goalIndex == b->goalIndex);
    }
    if (sharesNothing)
        assert_true(sameBytes(found->snapshot, expected->snapshot));
}

typedef struct Attempt {
    const Case* kind;
    const uint64_t* expected; // hashes after each of the later steps
    int32_t failed;           // attempts that failed
} Attempt;

// Steps a fresh place while the n-th allocation from now on fails, or that and all later ones.
// False if none failed.
static bool failStep(Attempt* attempt, int64_t n, bool ever)
{
    const Case* kind = attempt->kind;
    thTestAllocator test;
    testAllocatorInit(&test);
    const thAllocator allocator = testAllocator(&test);
    Place place = makePlace(kind, &allocator);
    const Sight before = lookAt(place.world);
    if (ever)
        test.failFrom = test.calls + n;
    else
        test.failAt = test.calls + n;
    const thResult code = thWorld_Step(place.world, kind->dt);
    const bool failed = test.failures > 0;
    test.failFrom = test.failAt = 0;
    int32_t made = 0;
    if (code == th_resultOk) {
        made = 1;
        assert_int_equal(thWorld_GetStateHash(place.world), attempt->expected[0]);
    } else {
        assert_true(failed);
        assert_int_equal(code, th_resultNoMemory);
        attempt->failed += 1;
        const Sight after = lookAt(place.world);
        compareSights(&after, &before,
                      strcmp(kind->plan, "direct") == 0 || strcmp(kind->plan, "steer") == 0);
        forget(after);
    }
    for (int32_t i = made; i < laterSteps; ++i) {
        assert_ok(thWorld_Step(place.world, kind->dt));
        if (thWorld_GetStateHash(place.world) != attempt->expected[i])
            fail_msg("%s: with allocation %lld failing%s, step %d afterwards differs", kind->name,
                     (long long)n, ever ? " and all later ones" : "", (int)i);
    }
    forget(before);
    thDestroyWorld(place.world);
    testAllocatorFinish(&test);
    return failed;
}

static void tryCase(const Case* kind)
{
    uint64_t expected[laterSteps];
    Place place = makePlace(kind, NULL);
    for (int32_t i = 0; i < laterSteps; ++i) {
        assert_ok(thWorld_Step(place.world, kind->dt));
        expected[i] = thWorld_GetStateHash(place.world);
    }
    thDestroyWorld(place.world);
    Attempt attempt = {.kind = kind, .expected = expected};
    int64_t n = 1;
    while (failStep(&attempt, n, false))
        n += 1;
    for (int64_t m = 1; failStep(&attempt, m, true);)
        m += 1;
    print_message("%s: %lld allocations, %d steps failed\n", kind->name, (long long)(n - 1),
                  (int)attempt.failed);
    assert_true(attempt.failed > 0);
}

static void testFailedSteps(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        tryCase(&cases[i]);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testFailedSteps)};
    return RUN_TESTS(tests, argc, argv);
}
