// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Questions between steps against a search through everybody.

#include "gear/property.h"
#include "geom/fixed.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"

#include <stdlib.h>

#define MAX_AGENTS 300

// A world whose agents are remembered by the test too.
typedef struct Crowd {
    thWorld* world;
    thProfileId profile;
    thAgentId ids[MAX_AGENTS];
    uint32_t layers[MAX_AGENTS];
    int32_t levels[MAX_AGENTS];
    int32_t count;
} Crowd;

static thVec2 drawPlace(thGenerator* g, float extent)
{
    // Half of them on a lattice: then distances tie and bounds are met.
    if (drawInt(g, 0, 1) == 0)
        return (thVec2){(float)drawInt(g, -9, 9), (float)drawInt(g, -9, 9)};
    return (thVec2){drawFloat(g, -extent, extent), drawFloat(g, -extent, extent)};
}

static void addOne(Crowd* crowd, thGenerator* g, float extent)
{
    if (crowd->count == MAX_AGENTS)
        return;
    thAgentDef def = thDefaultAgentDef();
    def.profile = crowd->profile;
    def.position = drawPlace(g, extent);
    def.velocity = drawPlace(g, 2.0f);
    def.level = drawInt(g, 0, 1);
    def.layers = 1u << drawInt(g, 0, 2);
    def.radius = drawInt(g, 0, 9) == 0 ? 3.0f : -1.0f;
    // Of some the planner wants a velocity, so that they move in steps.
    crowd->levels[crowd->count] = def.level;
    crowd->layers[crowd->count] = def.layers;
    assert_ok(thCreateAgent(crowd->world, &def, &crowd->ids[crowd->count]));
    assert_ok(thAgent_SetPreferredVelocity(crowd->world, crowd->ids[crowd->count], def.velocity));
    crowd->count += 1;
}

static void removeOne(Crowd* crowd, int32_t which)
{
    assert_ok(thDestroyAgent(crowd->world, crowd->ids[which]));
    crowd->count -= 1;
    crowd->ids[which] = crowd->ids[crowd->count];
    crowd->layers[which] = crowd->layers[crowd->count];
    crowd->levels[which] = crowd->levels[crowd->count];
}

// All that may happen between two steps, and now and then a step.
static void change(Crowd* crowd, thGenerator* g, float extent)
{
    const int32_t what = drawInt(g, 0, 19);
    const int32_t which = crowd->count > 0 ? drawInt(g, 0, crowd->count - 1) : 0;
    if (what < 11) {
        addOne(crowd, g, extent);
    } else if (what < 13 && crowd->count > 0) {
        removeOne(crowd, which);
    } else if (what < 15 && crowd->count > 0) {
        const thVec2 place = drawPlace(g, extent);
        assert_ok(thWorld_SetKinematics(crowd->world, &crowd->ids[which], &place, NULL, 1));
    } else if (what < 16 && crowd->count > 0) {
        crowd->levels[which] = drawInt(g, 0, 1);
        assert_ok(thAgent_SetLevel(crowd->world, crowd->ids[which], crowd->levels[which]));
    } else if (what < 18) {
        assert_ok(thWorld_Step(crowd->world, 0.3f));
    }
}

// What is found the slow way, with the reason to sort by.
typedef struct Found {
    double distanceSq; // 0 when only the key counts
    uint64_t key;
    thAgentId id;
} Found;

static int compareFound(const void* left, const void* right)
{
    const Found *a = left, *b = right;
    if (a->distanceSq != b->distanceSq)
        return a->distanceSq < b->distanceSq ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

typedef struct Question {
    bool box, nearest;
    thVec2 low, high; // of a box
    thVec2 center;
    float radius;
    thQueryFilter filter;
} Question;

static int32_t answerSlowly(const Crowd* crowd, const Question* question, Found* found)
{
    int32_t count = 0;
    for (int32_t i = 0; i < crowd->count; ++i) {
        int32_t x, y;
        assert_ok(thAgent_GetUnits(crowd->world, crowd->ids[i], &x, &y));
        // Places within a few kilometres: doubles hold all of this exactly.
        const double dx = x - (double)thiUnits(question->center.x);
        const double dy = y - (double)thiUnits(question->center.y);
        const double distanceSq = dx * dx + dy * dy;
        const double radius = (double)question->radius * 65536.0;
        const bool inside = question->box ? x >= (double)question->low.x * 65536.0 &&
                                                x <= (double)question->high.x * 65536.0 &&
                                                y >= (double)question->low.y * 65536.0 &&
                                                y <= (double)question->high.y * 65536.0
                                          : distanceSq <= radius * radius;
        if (!inside || crowd->levels[i] != question->filter.level ||
            (crowd->layers[i] & question->filter.mask) == 0)
            continue;
        found[count++] = (Found){question->nearest ? distanceSq : 0.0,
                                 thAgent_Get(crowd->world, crowd->ids[i]).key, crowd->ids[i]};
    }
    qsort(found, (size_t)count, sizeof *found, compareFound);
    return count;
}

static int32_t answer(const Crowd* crowd, const Question* question, thAgentId* ids,
                      int32_t capacity)
{
    if (question->box)
        return thWorld_AgentsInBox(crowd->world, question->low, question->high, question->filter,
                                   ids, capacity);
    if (question->nearest)
        return thWorld_NearestAgents(crowd->world, question->center, question->radius,
                                     question->filter, ids, capacity);
    return thWorld_AgentsInDisc(crowd->world, question->center, question->radius, question->filter,
                                ids, capacity);
}

static bool ask(const Crowd* crowd, thGenerator* g, float extent)
{
    Question question = {.filter = {drawInt(g, 0, 1), drawU32(g) & 7}};
    question.box = drawInt(g, 0, 2) == 0;
    question.nearest = !question.box && drawInt(g, 0, 1) == 0;
    question.center = drawPlace(g, extent);
    question.radius = drawInt(g, 0, 1) == 0 ? (float)drawInt(g, 0, 9) : drawFloat(g, 0.0f, extent);
    const thVec2 a = drawPlace(g, extent), b = drawPlace(g, extent);
    question.low = (thVec2){TH_MIN(a.x, b.x), TH_MIN(a.y, b.y)};
    question.high = (thVec2){TH_MAX(a.x, b.x), TH_MAX(a.y, b.y)};
    Found found[MAX_AGENTS];
    const int32_t total = answerSlowly(crowd, &question, found);
    const int32_t capacity = drawInt(g, 0, 1) == 0 ? MAX_AGENTS : drawInt(g, 0, 5);
    thAgentId ids[MAX_AGENTS];
    const int32_t told = answer(crowd, &question, ids, capacity);
    const int32_t written = TH_MIN(total, capacity);
    bool same = told == (question.nearest ? written : total);
    for (int32_t i = 0; i < written && same; ++i)
        same = ids[i].value == found[i].id.value;
    return same;
}

static bool sameAsBruteForce(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Crowd crowd = {.world = createWorld()};
    thProfileDef profile = thDefaultProfileDef();
    profile.plan.name = "given";
    profile.maxSpeed = 100.0f;
    assert_ok(thCreateProfile(crowd.world, &profile, &crowd.profile, NULL));
    const float extent = drawInt(g, 0, 1) == 0 ? 10.0f : 1000.0f;
    bool same = true;
    for (int32_t i = 0; i < 2 * size && same; ++i) {
        change(&crowd, g, extent);
        same = ask(&crowd, g, extent);
    }
    thDestroyWorld(crowd.world);
    return same;
}

static void testBruteForce(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"queries", 4, 120, 150, sameAsBruteForce, NULL});
}

// From one corner of the world to the other: squares of more than 64 bits.
static void testFarAway(void** state)
{
    (void)state;
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.contacts = 0; // two overlap
    thWorld* world;
    assert_ok(thCreateWorld(&worldDef, &world));
    const thProfileDef profile = thDefaultProfileDef();
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    const thVec2 places[] = {
        {30000.0f, 30000.0f}, {-30000.0f, -30000.0f}, {-29999.998f, -30000.0f}, {29999.0f, 0.0f}};
    thAgentId ids[4], found[4];
    for (int32_t i = 0; i < 4; ++i) {
        def.position = places[i];
        assert_ok(thCreateAgent(world, &def, &ids[i]));
    }
    const thQueryFilter all = thDefaultQueryFilter();
    assert_int_equal(all.level, 0);
    assert_int_equal(all.mask, UINT32_MAX);
    for (int32_t round = 0; round < 2; ++round) {
        assert_int_equal(thWorld_NearestAgents(world, places[0], INFINITY, all, found, 4), 4);
        assert_int_equal(found[0].value, ids[0].value);
        assert_int_equal(found[1].value, ids[3].value);
        assert_int_equal(found[2].value, ids[2].value);
        assert_int_equal(found[3].value, ids[1].value);
        // √2 · 60 km is between these.
        assert_int_equal(thWorld_AgentsInDisc(world, places[0], 84852.8f, all, NULL, 0), 2);
        assert_int_equal(thWorld_AgentsInDisc(world, places[0], 84852.82f, all, NULL, 0), 4);
        assert_int_equal(thWorld_AgentsInDisc(world, places[0], 0.0f, all, NULL, 0), 1);
        assert_int_equal(thWorld_AgentsInBox(world, (thVec2){-INFINITY, -1e9f},
                                             (thVec2){1e9f, INFINITY}, all, NULL, 0),
                         4);
        assert_int_equal(thWorld_AgentsInBox(world, places[1], places[1], all, NULL, 0), 1);
        assert_ok(thWorld_Step(world, 0.1f));
    }
    thDestroyWorld(world);
}

static void testBadArguments(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    thAgentId id;
    const thVec2 zero = {0.0f, 0.0f}, bad = {NAN, 0.0f}, far = {30001.0f, 0.0f};
    const thQueryFilter all = thDefaultQueryFilter();
    const thQueryFilter wrong[] = {{-1, 1}, {65536, 1}};
    assert_int_equal(thWorld_AgentsInDisc(NULL, zero, 1.0f, all, &id, 1), 0);
    assert_int_equal(thWorld_AgentsInDisc(world, bad, 1.0f, all, &id, 1), 0);
    assert_int_equal(thWorld_AgentsInDisc(world, far, 1.0f, all, &id, 1), 0);
    assert_int_equal(thWorld_AgentsInDisc(world, zero, -1.0f, all, &id, 1), 0);
    assert_int_equal(thWorld_AgentsInDisc(world, zero, NAN, all, &id, 1), 0);
    assert_int_equal(thWorld_AgentsInDisc(world, zero, 1.0f, wrong[0], &id, 1), 0);
    assert_int_equal(thWorld_AgentsInDisc(world, zero, 1.0f, all, NULL, 1), 0);
    assert_int_equal(thWorld_AgentsInDisc(world, zero, 1.0f, all, &id, -1), 0);
    assert_int_equal(heard(), 8);
    assert_int_equal(thWorld_NearestAgents(NULL, zero, 1.0f, all, &id, 1), 0);
    assert_int_equal(thWorld_NearestAgents(world, bad, 1.0f, all, &id, 1), 0);
    assert_int_equal(thWorld_NearestAgents(world, zero, NAN, all, &id, 1), 0);
    assert_int_equal(thWorld_NearestAgents(world, zero, 1.0f, wrong[1], &id, 1), 0);
    assert_int_equal(heard(), 4);
    assert_int_equal(thWorld_AgentsInBox(NULL, zero, zero, all, &id, 1), 0);
    assert_int_equal(thWorld_AgentsInBox(world, bad, zero, all, &id, 1), 0);
    assert_int_equal(thWorld_AgentsInBox(world, far, zero, all, &id, 1), 0);
    assert_int_equal(heard(), 3);
    assert_true(thWorld_CastRay(NULL, zero, zero, 0).fraction == 1.0f);
    assert_true(thWorld_CastRay(world, bad, zero, 0).fraction == 1.0f);
    assert_true(thWorld_CastRay(world, zero, far, 0).fraction == 1.0f);
    assert_true(thWorld_CastRay(world, zero, zero, -1).fraction == 1.0f);
    assert_int_equal(heard(), 4);
    world->stepping = true;
    assert_int_equal(thWorld_AgentsInBox(world, zero, zero, all, &id, 1), 0);
    assert_true(thWorld_CastRay(world, zero, zero, 0).fraction == 1.0f);
    world->stepping = false;
    assert_int_equal(heard(), 2);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

static void testRays(void** state)
{
    (void)state;
    Full full;
    assert_ok(createFull(NULL, false, &full));
    thWorld* world = full.world;
    for (int32_t round = 0; round < 2; ++round) { // before and after a step
        thRayHit hit = thWorld_CastRay(world, (thVec2){0.0f, 5.0f}, (thVec2){10.0f, 5.0f}, 0);
        assert_near(hit.fraction, 0.4, 1e-6);
        assert_near(hit.point.x, 4.0, 1e-5);
        assert_near(hit.point.y, 5.0, 1e-5);
        assert_true(hit.normal.x == -1.0f && hit.normal.y == 0.0f);
        assert_int_equal(hit.obstacle.value, full.solid.value);
        hit = thWorld_CastRay(world, (thVec2){10.0f, 5.0f}, (thVec2){0.0f, 5.0f}, 0);
        assert_true(hit.normal.x == 1.0f);
        hit = thWorld_CastRay(world, (thVec2){0.0f, 0.0f}, (thVec2){0.0f, 100.0f}, 0);
        assert_near(hit.fraction, 0.5, 1e-6);
        assert_true(hit.point.x == 0.0f);
        assert_near(hit.point.y, 50.0, 1e-4);
        assert_true(hit.normal.y == -1.0f);
        hit = thWorld_CastRay(world, (thVec2){0.0f, 7.0f}, (thVec2){8.0f, 3.0f}, 0); // slanting
        assert_near(hit.point.x, 4.0, 1e-5);
        assert_near(hit.point.y, 5.0, 1e-5);
        hit = thWorld_CastRay(world, (thVec2){0.0f, 0.0f}, (thVec2){0.0f, 100.0f}, 0);
        assert_int_equal(hit.obstacle.value, full.room.value);
        // A thin wall is met from both sides, on its own floor only.
        hit = thWorld_CastRay(world, (thVec2){-6.0f, 0.0f}, (thVec2){-6.0f, 4.0f}, 1);
        assert_near(hit.fraction, 0.75, 1e-6);
        assert_true(hit.normal.y == -1.0f);
        hit = thWorld_CastRay(world, (thVec2){-6.0f, 4.0f}, (thVec2){-6.0f, 0.0f}, 1);
        assert_true(hit.normal.y == 1.0f);
        hit = thWorld_CastRay(world, (thVec2){-6.0f, 0.0f}, (thVec2){-6.0f, 4.0f}, 0);
        assert_true(hit.fraction == 1.0f && hit.point.y == 4.0f && hit.obstacle.value == 0);
        // Along a wall: against the ray.
        hit = thWorld_CastRay(world, (thVec2){0.0f, 3.0f}, (thVec2){-7.0f, 3.0f}, 1);
        assert_near(hit.point.x, -5.0, 1e-5);
        assert_true(hit.normal.x == 1.0f);
        // From a point on a wall.
        hit = thWorld_CastRay(world, (thVec2){-6.0f, 3.0f}, (thVec2){-6.0f, 3.0f}, 1);
        assert_true(hit.fraction == 0.0f);
        assert_near(hypotf(hit.normal.x, hit.normal.y), 1.0, 1e-6);
        assert_ok(thWorld_Step(world, 0.1f));
    }
    // Changes are seen at once.
    assert_ok(thDestroyObstacle(world, full.solid));
    const thRayHit hit = thWorld_CastRay(world, (thVec2){0.0f, 5.0f}, (thVec2){10.0f, 5.0f}, 0);
    assert_true(hit.fraction == 1.0f);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testBruteForce),
        cmocka_unit_test(testFarAway),
        cmocka_unit_test(testBadArguments),
        cmocka_unit_test(testRays),
    };
    return RUN_TESTS(tests, argc, argv);
}
