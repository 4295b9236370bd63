// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Groups that keep together: that members wait for each other and leave together whatever plans and
// avoids, which formation fits into which room, that two groups pass each other as wholes, and that
// nobody who does not ask for it notices.

#include "gear/property.h"
#include "sim/sim_gear.h"
#include "sim/world_internal.h"
#include "throng/explain.h"
#include "throng/random.h"

#include <math.h>
#include <stdlib.h>

typedef struct Scene {
    thWorld* world;
    thProfileId adult, child;
    thGoalId goal;
    uint64_t key;
} Scene;

static thProfileDef profileDef(const char* plan, const char* avoid)
{
    thProfileDef def = thDefaultProfileDef();
    def.plan.name = plan;
    def.avoid.name = avoid;
    def.prefSpeed = 1.25f;
    def.together = thPeopleTogether();
    def.arrival = th_arrivalLeave;
    return def;
}

static Scene openScene(const char* plan, const char* avoid, bool together)
{
    Scene scene = {.world = createWorld(), .key = 1};
    thProfileDef def = profileDef(plan, avoid);
    if (!together)
        def.together = (thTogetherDef){0};
    assert_ok(thCreateProfile(scene.world, &def, &scene.adult, NULL));
    def.prefSpeed = 0.5f;
    def.radius = 0.2f;
    assert_ok(thCreateProfile(scene.world, &def, &scene.child, NULL));
    assert_ok(thCreatePointGoal(scene.world, (thVec2){20.0f, 0.0f}, &scene.goal));
    return scene;
}

static thAgentId addMember(Scene* scene, thProfileId profile, int32_t group, float x, float y)
{
    thAgentDef def = thDefaultAgentDef();
    thAgentId id;
    def.profile = profile;
    def.key = scene->key++;
    def.goal = scene->goal;
    def.group = group;
    def.position = (thVec2){x, y};
    assert_ok(thCreateAgent(scene->world, &def, &id));
    return id;
}

static void stepTimes(Scene* scene, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        assert_ok(thWorld_Step(scene->world, 0.1f));
}

static thAgentRow rowOf(const Scene* scene, uint64_t key)
{
    return thAgent_Get(scene->world, thWorld_FindAgent(scene->world, key));
}

static const thParty* partyOf(const Scene* scene, uint64_t key)
{
    const thTogether* together = &scene->world->together;
    for (int32_t i = 0; i < together->members.count; ++i) {
        const thTogetherMember* member = &TH_ITEMS(together->members, thTogetherMember)[i];
        if (member->key == key)
            return member->party < 0 ? NULL : &TH_ITEMS(together->parties, thParty)[member->party];
    }
    return NULL;
}

// --- Waiting ---

// When the first and the last of keys 1 to `count` leave. [s]
static void watchDepartures(Scene* scene, int32_t count, double* first, double* last)
{
    *first = *last = 0.0;
    for (int32_t step = 1, left = 0; left < count; ++step) {
        if (step > 2000)
            fail_msg("%d of %d are there after 200 s", (int)left, (int)count);
        stepTimes(scene, 1);
        int32_t event;
        const thEvent* events = thWorld_GetEvents(scene->world, &event);
        for (int32_t i = 0; i < event; ++i) {
            if (events[i].kind != th_eventLeft || events[i].key > (uint64_t)count)
                continue;
            *first = left == 0 ? 0.1 * step : *first;
            *last = 0.1 * step;
            left += 1;
        }
    }
}

// Three who would walk 1.25 m/s and one who walks 0.5 m/s, through a door, among others.
static double familyLeavesWithin(const char* plan, const char* avoid, bool together)
{
    Scene scene = openScene(plan, avoid, together);
    if (strcmp(plan, "direct") != 0) {
        addWall(scene.world, 8.0f, -6.0f, 8.0f, 0.5f);
        addWall(scene.world, 8.0f, 1.6f, 8.0f, 6.0f);
    }
    addMember(&scene, scene.child, 0, -1.0f, 0.0f);
    for (int32_t i = 0; i < 3; ++i)
        addMember(&scene, scene.adult, 0, 0.0f, 0.8f * (float)(i - 1));
    for (int32_t i = 0; i < 12; ++i)
        addMember(&scene, scene.adult, i % 3 == 0 ? 1 : -1, 1.0f + 0.8f * (float)(i % 4),
                  0.9f * (float)(i / 4) - 4.0f);
    double first, last;
    watchDepartures(&scene, 4, &first, &last);
    thDestroyWorld(scene.world);
    return last - first;
}

static void membersLeaveTogether(void** state)
{
    (void)state;
    static const char* const plans[] = {"direct", "visibility", "flow"};
    static const char* const avoids[] = {"orca", "clearpath", "rvo"};
    for (int32_t p = 0; p < 3; ++p)
        for (int32_t a = 0; a < 3; ++a) {
            const double apart = familyLeavesWithin(plans[p], avoids[a], true);
            if (!(apart <= 5.0))
                fail_msg("%s, %s: %.1f s apart", plans[p], avoids[a], apart);
        }
    assert_true(familyLeavesWithin("visibility", "orca", false) > 15.0);
}

// Who is further behind than `reach` is not waited for, and who cannot come does not hold the
// others up for ever.
static void nobodyIsWaitedForForEver(void** state)
{
    (void)state;
    Scene scene = openScene("visibility", "orca", true);
    static const thVec2 cell[] = {{-6.0f, -1.0f}, {-4.0f, -1.0f}, {-4.0f, 1.0f}, {-6.0f, 1.0f}};
    for (int32_t i = 0; i < 4; ++i)
        addWall(scene.world, cell[i].x, cell[i].y, cell[(i + 1) % 4].x, cell[(i + 1) % 4].y);
    addMember(&scene, scene.adult, 0, 0.0f, 0.0f);
    addMember(&scene, scene.adult, 0, 0.0f, 0.8f);
    addMember(&scene, scene.adult, 0, -5.0f, 0.0f);
    double first, last;
    watchDepartures(&scene, 2, &first, &last);
    assert_true(last < 190.0);
    assert_true(last - first < 3.0);
    thDestroyWorld(scene.world);
}

static void partiesAreNearEachOther(void** state)
{
    (void)state;
    Scene scene = openScene("direct", "none", true);
    addMember(&scene, scene.adult, 3, -30.0f, 0.0f);
    addMember(&scene, scene.adult, 3, -30.0f, 1.0f);
    addMember(&scene, scene.adult, 3, 0.0f, 0.0f);
    addMember(&scene, scene.adult, 3, -4.0f, 0.0f);
    addMember(&scene, scene.adult, -1, 0.0f, 2.0f);
    addMember(&scene, scene.adult, 4, 0.0f, 3.0f);
    stepTimes(&scene, 2);
    assert_int_equal(partyOf(&scene, 1)->count, 2);
    assert_true(partyOf(&scene, 1) == partyOf(&scene, 2));
    assert_int_equal(partyOf(&scene, 3)->count, 2);
    assert_true(partyOf(&scene, 3) == partyOf(&scene, 4));
    assert_true(partyOf(&scene, 3) != partyOf(&scene, 1));
    assert_null(partyOf(&scene, 5));
    assert_null(partyOf(&scene, 6));
    // Groups are changed at any time.
    assert_ok(thAgent_SetGroup(scene.world, thWorld_FindAgent(scene.world, 5), 4));
    assert_ok(thAgent_SetGroup(scene.world, thWorld_FindAgent(scene.world, 4), -1));
    stepTimes(&scene, 1);
    assert_true(partyOf(&scene, 5) == partyOf(&scene, 6));
    assert_null(partyOf(&scene, 4));
    assert_null(partyOf(&scene, 3));
    thDestroyWorld(scene.world);
}

// --- Formations ---

// So many walk for 12 s in a corridor that is so wide.
static Scene walkIn(float width, int32_t count)
{
    Scene scene = openScene("visibility", "orca", true);
    addWall(scene.world, -10.0f, -0.5f * width, 30.0f, -0.5f * width);
    addWall(scene.world, -10.0f, 0.5f * width, 30.0f, 0.5f * width);
    assert_ok(thCreatePointGoal(scene.world, (thVec2){1000.0f, 0.0f}, &scene.goal));
    for (int32_t i = 0; i < count; ++i)
        addMember(&scene, scene.adult, 0, -0.7f * (float)i, 0.01f * (float)(i % 2));
    stepTimes(&scene, 120);
    return scene;
}

static void formationsFitIn(void** state)
{
    (void)state;
    static const struct {
        float width;
        int32_t count, abreast;
        thFormation formation;
    } cases[] = {{6.0f, 2, 2, th_formationAbreast}, {6.0f, 3, 3, th_formationAbreast},
                 {6.0f, 4, 3, th_formationAbreast}, {1.9f, 3, 3, th_formationV},
                 {1.6f, 3, 3, th_formationV},       {1.4f, 3, 1, th_formationFile},
                 {1.6f, 2, 2, th_formationAbreast}, {1.2f, 2, 1, th_formationFile},
                 {1.0f, 4, 1, th_formationFile}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Scene scene = walkIn(cases[i].width, cases[i].count);
        const thParty* party = partyOf(&scene, 1);
        if (party->abreast != cases[i].abreast || party->formation != cases[i].formation)
            fail_msg("%d in %.1f m: %d, formation %d", (int)cases[i].count, (double)cases[i].width,
                     (int)party->abreast, (int)party->formation);
        thDestroyWorld(scene.world);
    }
}

// What a formation is named is how people walk.
static void membersTakeTheirPlaces(void** state)
{
    (void)state;
    Scene scene = walkIn(6.0f, 2);
    thAgentRow a = rowOf(&scene, 1), b = rowOf(&scene, 2);
    assert_near(fabs((double)(a.position.y - b.position.y)), 0.8, 0.1);
    assert_near((double)a.position.x, (double)b.position.x, 0.55);
    thDestroyWorld(scene.world);
    scene = walkIn(1.1f, 2);
    a = rowOf(&scene, 1);
    b = rowOf(&scene, 2);
    assert_near((double)a.position.y, (double)b.position.y, 0.15);
    assert_true(fabs((double)(a.position.x - b.position.x)) > 0.5);
    thDestroyWorld(scene.world);
    // In a V those at the ends are ahead of the one in the middle.
    scene = walkIn(1.7f, 3);
    thVec2 at[3];
    for (uint64_t key = 1; key <= 3; ++key)
        at[key - 1] = rowOf(&scene, key).position;
    int32_t middle = 0;
    for (int32_t i = 1; i < 3; ++i)
        middle = fabsf(at[i].y) < fabsf(at[middle].y) ? i : middle;
    float ahead = 0.0f;
    for (int32_t i = 0; i < 3; ++i) {
        assert_true(i == middle || at[i].x > at[middle].x);
        ahead += at[i].x - at[middle].x;
    }
    assert_true(ahead > 0.5f);
    thDestroyWorld(scene.world);
}

// --- Others ---

// Two groups of four meet. At no time is anybody of one between two of the other, seen across.
static void groupsPassAsWholes(void** state)
{
    (void)state;
    static const char* const avoids[] = {"orca", "clearpath", "rvo"};
    for (int32_t a = 0; a < 3; ++a) {
        Scene scene = openScene("direct", avoids[a], true);
        thGoalId east = scene.goal, west;
        assert_ok(thCreatePointGoal(scene.world, (thVec2){-20.0f, 0.0f}, &west));
        for (int32_t i = 0; i < 8; ++i) {
            scene.goal = i < 4 ? east : west;
            const float x = i < 4 ? -10.0f : 10.0f;
            addMember(&scene, scene.adult, i / 4, x + 0.8f * (float)(i % 2),
                      0.8f * (float)(i / 2 % 2) - 0.4f);
        }
        for (int32_t step = 0; step < 110; ++step) {
            stepTimes(&scene, 1);
            double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9}, from[2] = {1e9, 1e9},
                   to[2] = {-1e9, -1e9};
            for (uint64_t key = 1; key <= 8; ++key) {
                const thVec2 at = rowOf(&scene, key).position;
                const int32_t of = key > 4;
                low[of] = fmin(low[of], (double)at.y);
                high[of] = fmax(high[of], (double)at.y);
                from[of] = fmin(from[of], (double)at.x);
                to[of] = fmax(to[of], (double)at.x);
            }
            const bool areBeside = from[0] < to[1] && from[1] < to[0];
            // Who goes east keeps to the right of those who go west.
            if (areBeside && !(high[0] < low[1]))
                fail_msg("%s: mixed after %.1f s", avoids[a], 0.1 * (step + 1));
        }
        thDestroyWorld(scene.world);
    }
}

// A world without groups, or whose profiles do not keep together, is as it was.
static void othersNoticeNothing(void** state)
{
    (void)state;
    for (int32_t kind = 0; kind < 2; ++kind) {
        Scene scenes[2];
        for (int32_t k = 0; k < 2; ++k) {
            scenes[k] = openScene("visibility", "orca", kind == 0 && k == 1);
            for (int32_t i = 0; i < 30; ++i)
                addMember(&scenes[k], i % 3 == 0 ? scenes[k].child : scenes[k].adult,
                          kind == 0 ? -1
                          : k == 0  ? i / 3
                                    : -1,
                          (float)(i % 6), (float)(i / 6));
        }
        stepTimes(&scenes[0], 60);
        stepTimes(&scenes[1], 60);
        for (uint64_t key = 1; key <= 30; ++key) {
            const thVec2 a = rowOf(&scenes[0], key).position, b = rowOf(&scenes[1], key).position;
            assert_same_bits(a.x, b.x);
            assert_same_bits(a.y, b.y);
        }
        thDestroyWorld(scenes[0].world);
        thDestroyWorld(scenes[1].world);
    }
}

// --- Anything ---

// Crowds of groups drawn at random: coincident, huge, without goals, without speeds.
static bool oneIn(thGenerator* g, int32_t n)
{
    return drawInt(g, 1, n) == 1;
}

static Scene drawScene(thGenerator* g, int32_t size)
{
    static const char* const plans[] = {"direct", "visibility", "given"};
    static const char* const avoids[] = {"orca", "none", "clearpath"};
    Scene scene = openScene(plans[drawInt(g, 0, 2)], avoids[drawInt(g, 0, 2)], true);
    thProfileDef def = profileDef("direct", "orca");
    def.prefSpeed = oneIn(g, 3) ? 0.0f : drawFloat(g, 0.1f, 5.0f);
    def.radius = oneIn(g, 4) ? 0.0f : drawFloat(g, 0.05f, 3.0f);
    def.together = (thTogetherDef){.reach = drawFloat(g, 0.1f, 100.0f),
                                   .gap = drawFloat(g, 0.0f, 2.0f),
                                   .abreast = drawInt(g, 0, 9)};
    thProfileId odd;
    assert_ok(thCreateProfile(scene.world, &def, &odd, NULL));
    for (int32_t i = drawInt(g, 0, 4); i > 0; --i)
        addWall(scene.world, drawFloat(g, -9.0f, 9.0f), drawFloat(g, -9.0f, 9.0f),
                drawFloat(g, -9.0f, 9.0f), drawFloat(g, -9.0f, 9.0f));
    const int32_t count = drawInt(g, 1, 1 + size), groups = drawInt(g, 1, 8);
    for (int32_t i = 0; i < count; ++i) {
        thAgentDef agent = thDefaultAgentDef();
        thAgentId id;
        agent.profile = oneIn(g, 4) ? odd : oneIn(g, 2) ? scene.child : scene.adult;
        agent.key = scene.key++;
        agent.goal = oneIn(g, 6) ? (thGoalId){0} : scene.goal;
        agent.group = drawInt(g, -1, groups);
        agent.flags = oneIn(g, 10) ? th_agentWaiting : oneIn(g, 12) ? th_agentHolds : 0;
        agent.position = oneIn(g, 4)
                             ? (thVec2){1.0f, 1.0f}
                             : (thVec2){drawFloat(g, -9.0f, 9.0f), drawFloat(g, -9.0f, 9.0f)};
        const thResult code = thCreateAgent(scene.world, &agent, &id);
        assert_true(code == th_resultOk || code == th_resultBlocked);
    }
    return scene;
}

static bool isSound(const Scene* scene)
{
    const thTogether* together = &scene->world->together;
    const thRows* rows = thiRows(scene->world);
    for (int32_t row = 0; row < rows->count; ++row)
        if (!isfinite(rows->vx[row]) || !isfinite(rows->vy[row]) ||
            hypotf(rows->vx[row], rows->vy[row]) > rows->maxSpeed[row] * 1.001f + 0.001f)
            return false;
    int32_t inParties = 0;
    for (int32_t i = 0; i < together->members.count; ++i) {
        const thTogetherMember* member = &TH_ITEMS(together->members, thTogetherMember)[i];
        if (!isfinite(member->onward) || !isfinite(member->sideways) || !isfinite(member->ahead))
            return false;
        inParties += member->party >= 0;
    }
    for (int32_t i = 0; i < together->members.count;) {
        const thParty* party = &TH_ITEMS(together->parties, thParty)[i];
        if (party->count < 1 || party->first != i)
            return false;
        inParties -= party->count > 1 ? party->count : 0;
        i += party->count;
    }
    return inParties == 0;
}

static bool staysSound(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Scene scene = drawScene(g, size);
    bool isGood = true;
    for (int32_t step = 0; step < 20 && isGood; ++step) {
        stepTimes(&scene, 1);
        isGood = isSound(&scene);
    }
    thDestroyWorld(scene.world);
    return isGood;
}

static void anyCrowdStaysSound(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "sound",
                                 .seed = 1,
                                 .caseCount = caseCount(200, 5000),
                                 .maxSize = 64,
                                 .holds = staysSound});
}

// A world that is saved and restored goes on as the one that was not.
static bool goesOn(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Scene scene = drawScene(g, size);
    stepTimes(&scene, 10);
    const Bytes bytes = saveWorld(scene.world);
    thWorld* other = createWorld();
    assert_ok(thWorld_Restore(other, bytes.data, bytes.size, NULL));
    freeBytes(bytes);
    bool isSame = thWorld_GetStateHash(scene.world) == thWorld_GetStateHash(other);
    for (int32_t step = 0; step < 10 && isSame; ++step) {
        stepTimes(&scene, 1);
        assert_ok(thWorld_Step(other, 0.1f));
        isSame = thWorld_GetStateHash(scene.world) == thWorld_GetStateHash(other);
    }
    thDestroyWorld(scene.world);
    thDestroyWorld(other);
    return isSame;
}

static void restoredWorldsGoOn(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "restored",
                                 .seed = 2,
                                 .caseCount = caseCount(60, 2000),
                                 .maxSize = 40,
                                 .holds = goesOn});
}

// --- What it shows ---

static bool hasLabel(const thExplanationView* view, const char* text)
{
    for (int32_t i = 0; i < view->markCount; ++i)
        if (view->marks[i].by == th_methodGroup && view->marks[i].label != NULL &&
            strstr(view->marks[i].label, text) != NULL)
            return true;
    return false;
}

static void explainsItself(void** state)
{
    (void)state;
    Scene scene = openScene("visibility", "orca", true);
    addMember(&scene, scene.adult, 0, 0.0f, 0.0f);
    addMember(&scene, scene.adult, 0, -4.0f, 0.0f);
    stepTimes(&scene, 3);
    static const char* const says[] = {"waits for those behind", "catches up"};
    for (uint64_t key = 1; key <= 2; ++key) {
        thExplanation* explanation;
        assert_ok(
            thWorld_Explain(scene.world, thWorld_FindAgent(scene.world, key), 0.1f, &explanation));
        const thExplanationView view = thExplanation_GetView(explanation);
        assert_true(hasLabel(&view, "2 walk abreast"));
        assert_true(hasLabel(&view, says[key - 1]));
        assert_true(hasLabel(&view, "its place in its group"));
        const double wanted = hypot((double)view.wanted.x, (double)view.wanted.y);
        const double adapted = hypot((double)view.adapted.x, (double)view.adapted.y);
        assert_true(key == 1 ? adapted < 0.3 * wanted : adapted > 0.9 * wanted);
        thDestroyExplanation(explanation);
    }
    thDestroyWorld(scene.world);
}

// A step takes no memory once all have walked for a while.
static void takesNoMemoryWhenWarm(void** state)
{
    (void)state;
    Scene scene = openScene("visibility", "orca", true);
    for (int32_t i = 0; i < 60; ++i)
        addMember(&scene, scene.adult, i / 3, (float)(i % 10), (float)(i / 10));
    stepTimes(&scene, 20);
    const uint64_t before = thWorld_GetCounters(scene.world).allocations;
    stepTimes(&scene, 40);
    assert_int_equal(thWorld_GetCounters(scene.world).allocations, before);
    thDestroyWorld(scene.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(membersLeaveTogether),    cmocka_unit_test(nobodyIsWaitedForForEver),
        cmocka_unit_test(partiesAreNearEachOther), cmocka_unit_test(formationsFitIn),
        cmocka_unit_test(membersTakeTheirPlaces),  cmocka_unit_test(groupsPassAsWholes),
        cmocka_unit_test(othersNoticeNothing),     cmocka_unit_test(anyCrowdStaysSound),
        cmocka_unit_test(restoredWorldsGoOn),      cmocka_unit_test(explainsItself),
        cmocka_unit_test(takesNoMemoryWhenWarm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
