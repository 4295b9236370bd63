// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Whole scenes with group method `meso`: whom its agents perceive as a group, that it does the same
// in mirrors, is nothing without thresholds, tells the truth about itself, and takes no memory. How
// far people walk with it and without is what meso_tables prints.
// usage: test_meso_scenes FOLDER, that of the scenes

#include "meso_gear.h"

#include "throng/throng.h"

#include <stdio.h>

static const char* folder;

// What the scenes say.
static thMesoDef sceneDef(void)
{
    thMesoDef def = usualDef();
    def.horizon = 12.0f;
    def.passable = 1.0f;
    def.every = 2;
    return def;
}

static void report(void* context, const thError* error)
{
    (void)context;
    print_message("%s: %s\n", error->path, error->text);
}

// A scene with changes, after so many steps.
static thRun* startRunOf(const char* name, const char* group, uint64_t seed,
                         const char* const* changes, int32_t changeCount, thScene** scene)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    thSceneDef def = thDefaultSceneDef();
    def.path = path;
    def.report = report;
    def.changes = changes;
    def.changeCount = changeCount;
    assert_int_equal(thLoadScene(&def, scene), th_resultOk);
    thRunDef runDef = thDefaultRunDef();
    runDef.methods[th_methodGroup] = group;
    runDef.seed = seed;
    thRun* run;
    assert_int_equal(thCreateRun(*scene, &runDef, &run), th_resultOk);
    return run;
}

static thRun* startRun(const char* name, const char* group, const char* const* changes,
                       int32_t changeCount, int32_t steps, thScene** scene)
{
    thRun* run = startRunOf(name, group, THRONG_SCENE_SEED, changes, changeCount, scene);
    for (int32_t i = 0; i < steps; ++i)
        assert_int_equal(thRun_Step(run), th_resultOk);
    return run;
}

// All agents are at the same places in two runs, step by step, until groups arrive; or, where it is
// a mirror, where y is turned round.
static void expectSamePlaces(thRun* const runs[2], bool isMirror)
{
    for (int32_t n = 0; n < 220; ++n) {
        assert_int_equal(thRun_Step(runs[0]), th_resultOk);
        assert_int_equal(thRun_Step(runs[1]), th_resultOk);
        const thAgentView a = thWorld_GetAgentView(thRun_GetWorld(runs[0]));
        const thAgentView b = thWorld_GetAgentView(thRun_GetWorld(runs[1]));
        assert_int_equal(a.slotCount, b.slotCount);
        for (int32_t i = 0; i < a.slotCount; ++i) {
            const thVec2 at = a.rows[i].position, other = b.rows[i].position;
            assert_same_bits(at.x, other.x);
            if (isMirror)
                assert_true(at.y == -other.y);
            else
                assert_same_bits(at.y, other.y);
        }
    }
}

static void destroyBoth(thRun* const runs[2], thScene* const scenes[2])
{
    for (int32_t i = 0; i < 2; ++i) {
        thDestroyRun(runs[i]);
        thDestroyScene(scenes[i]);
    }
}

// With a threshold at zero nobody belongs to anybody, and all is as without the method.
static void isNothingWithoutThresholds(void** state)
{
    (void)state;
    static const char* const changes[] = {
        "profiles.walker.group.meso.near=0", "profiles.walker.group.meso.velocity=0",
        "profiles.walker.group.meso.radius=0", "profiles.walker.group.meso.passable=0"};
    for (int32_t i = 0; i < 4; ++i) {
        thScene* scenes[2];
        thRun* runs[2] = {startRun("meso-b", "none", NULL, 0, 0, &scenes[0]),
                          startRun("meso-b", NULL, &changes[i], 1, 0, &scenes[1])};
        expectSamePlaces(runs, false);
        destroyBoth(runs, scenes);
    }
}

// A group that walks alone walks as without the method: nobody in it shuns his own.
static void leavesGroupsAloneThatWalkAlone(void** state)
{
    (void)state;
    static const char* const changes[] = {"agents[0].grid.from=[-14, 60]",
                                          "agents[1].grid.columns=4", "agents[1].grid.rows=4"};
    thScene* scenes[2];
    thRun* runs[2] = {startRun("meso-a", "none", changes, 3, 0, &scenes[0]),
                      startRun("meso-a", "meso", changes, 3, 0, &scenes[1])};
    expectSamePlaces(runs, false);
    destroyBoth(runs, scenes);
}

// What is mirrored at the start stays so, if nobody keeps to a side.
static void walksTheSameInMirrors(void** state)
{
    (void)state;
    static const char* const changes[2][6] = {
        {"profiles.walker.keep=none", "agents[0].grid.jitter=0", "agents[1].grid.jitter=0",
         "agents[0].grid.from=[-14, 0.3]", "agents[0].goal.point=[14, 0.05]",
         "agents[1].grid.from=[1.2, -4.6]"},
        {"profiles.walker.keep=none", "agents[0].grid.jitter=0", "agents[1].grid.jitter=0",
         "agents[0].grid.from=[-14, -0.3]", "agents[0].goal.point=[14, -0.05]",
         "agents[1].grid={\"from\": [1.2, 4.6], \"columns\": 7, \"rows\": 7, "
         "\"spacing\": [1.6, -1.6]}"}};
    thScene* scenes[2];
    thRun* runs[2] = {startRun("meso-a", NULL, changes[0], 6, 0, &scenes[0]),
                      startRun("meso-a", NULL, changes[1], 6, 0, &scenes[1])};
    expectSamePlaces(runs, true);
    destroyBoth(runs, scenes);
}

// Whether a velocity is in the region of a mark: to the left of all pieces of its border.
static bool isInMark(const thMark* mark, thVec2 v, double slack)
{
    const int32_t last = mark->pointCount - 1;
    for (int32_t i = 0; i < last; ++i) {
        const thVec2 a = mark->points[i == 0 ? 1 : i];
        thVec2 along = {mark->points[i + 1].x - a.x, mark->points[i + 1].y - a.y};
        if (i == 0)
            along = (thVec2){-mark->points[0].x, -mark->points[0].y};
        else if (i == last - 1)
            along = mark->points[last];
        const double length = hypot((double)along.x, (double)along.y);
        const double left = (double)along.x * ((double)v.y - (double)a.y) -
                            (double)along.y * ((double)v.x - (double)a.x);
        if (left <= slack * length)
            return false;
    }
    return true;
}

// Marks whose labels begin so.
static int32_t countLabels(const thExplanationView* view, const char* label, thMarkKind kind)
{
    int32_t count = 0;
    for (int32_t i = 0; i < view->markCount; ++i)
        count += view->marks[i].by == th_methodGroup && view->marks[i].kind == kind &&
                 view->marks[i].label != NULL &&
                 strncmp(view->marks[i].label, label, strlen(label)) == 0;
    return count;
}

// What is shown is what decided: the wanted velocity leads into the group, the one that is taken
// does not, and has no way out of it that is nearer.
static void explainsWhatItDoes(void** state)
{
    (void)state;
    static const char* const everyStep[] = {"profiles.walker.group.meso.every=1"};
    thScene* scene;
    thRun* run = startRun("meso-a", NULL, everyStep, 1, 60, &scene);
    const thWorld* world = thRun_GetWorld(run);
    const thAgentView agents = thWorld_GetAgentView(world);
    thExplanation* explanation;
    assert_int_equal(
        thWorld_Explain(world, thWorld_FindAgent(world, agents.rows[0].key), 0.1f, &explanation),
        th_resultOk);
    thExplanationView view = thExplanation_GetView(explanation);
    assert_int_equal(countLabels(&view, "group", th_markRegion), 1);
    assert_int_equal(countLabels(&view, "meso: passes a group of 4", th_markText), 1);
    int32_t cones = 0;
    for (int32_t i = 0; i < view.markCount; ++i) {
        const thMark* mark = &view.marks[i];
        if (mark->by != th_methodGroup || mark->kind != th_markCone)
            continue;
        cones += 1;
        assert_true(isInMark(mark, view.wanted, 0.0));
        assert_false(isInMark(mark, view.adapted, 1e-4));
        const thVec2 between = {0.9f * view.adapted.x + 0.1f * view.wanted.x,
                                0.9f * view.adapted.y + 0.1f * view.wanted.y};
        assert_true(isInMark(mark, between, 0.0));
    }
    assert_int_equal(cones, 1);
    thDestroyExplanation(explanation);
    // One of the group.
    assert_int_equal(
        thWorld_Explain(world, thWorld_FindAgent(world, agents.rows[20].key), 0.1f, &explanation),
        th_resultOk);
    view = thExplanation_GetView(explanation);
    assert_int_equal(countLabels(&view, "own group", th_markRegion), 1);
    assert_int_equal(countLabels(&view, "meso: no group is in the way", th_markText), 1);
    assert_near((double)view.adapted.x, (double)view.wanted.x, 0.01); // jams have their say, too
    assert_near((double)view.adapted.y, (double)view.wanted.y, 0.01);
    thDestroyExplanation(explanation);
    thDestroyRun(run);
    thDestroyScene(scene);
}

// A step takes no memory once the crowd has met.
static void takesNoMemoryWhenWarm(void** state)
{
    (void)state;
    thScene* scene;
    thRun* run = startRun("meso-b", NULL, NULL, 0, 60, &scene);
    const uint64_t before = thWorld_GetCounters(thRun_GetWorld(run)).allocations;
    for (int32_t i = 0; i < 40; ++i)
        assert_int_equal(thRun_Step(run), th_resultOk);
    assert_int_equal(thWorld_GetCounters(thRun_GetWorld(run)).allocations, before);
    thDestroyRun(run);
    thDestroyScene(scene);
}

// Whether a row perceives these three, and nobody else, as a group that is in its way.
static bool perceivesThree(Crowd* crowd, int32_t row, int32_t first)
{
    const thMesoDef def = sceneDef();
    thMesoView* view = perceive(crowd, &def, row);
    const thMesoQuery query = {.def = &def, .radius = crowd->radius[row]};
    thMesoObstacles obstacles;
    thiMesoFindObstacles(&query, view, &obstacles);
    int32_t group = -1, found = 0;
    for (int32_t i = 0; i < view->agentCount; ++i)
        if (view->agents[i].row == first)
            group = view->agents[i].group;
    if (group < 0 || view->groups[group].count != 3 || view->groups[group].fate != th_mesoObstacle)
        return false;
    for (int32_t i = 0; i < view->agentCount; ++i)
        found += view->agents[i].group == group && view->agents[i].row >= first &&
                 view->agents[i].row <= first + 2;
    return found == 3;
}

// Whether a row turns out of the cone of the group of a key.
static bool turnsFor(const thWorld* world, uint64_t whose, uint64_t key)
{
    thExplanation* explanation;
    assert_int_equal(thWorld_Explain(world, thWorld_FindAgent(world, whose), 0.1f, &explanation),
                     th_resultOk);
    const thExplanationView view = thExplanation_GetView(explanation);
    bool turns = false;
    for (int32_t i = 0; i < view.markCount; ++i) {
        const thMark* mark = &view.marks[i];
        turns = turns ||
                (mark->by == th_methodGroup && mark->kind == th_markCone && mark->whose == key &&
                 isInMark(mark, view.wanted, 0.01) && !isInMark(mark, view.adapted, 0.01));
    }
    thDestroyExplanation(explanation);
    return turns;
}

// For how many steps in a row a member of a group perceives the three as a group, and turns for
// them.
typedef struct Notice {
    int32_t seen, turned;
} Notice;

static Notice watchThree(uint64_t seed)
{
    enum { first = 3, alone = 6, most = 64 };
    Crowd* crowd = createCrowd();
    thScene* scene;
    thRun* run = startRunOf("meso-b", NULL, seed, NULL, 0, &scene);
    const thMesoDef def = sceneDef();
    Notice now[most] = {{0, 0}}, longest = {0, 0};
    for (int32_t n = 0; n < 250; ++n) {
        assert_int_equal(thRun_Step(run), th_resultOk);
        const thWorld* world = thRun_GetWorld(run);
        copyWorld(crowd, world);
        prepareCrowd(crowd, &def, 1);
        for (int32_t row = alone; row < crowd->frame.count; ++row) {
            const bool sees = perceivesThree(crowd, row, first);
            const bool turns = sees && turnsFor(world, crowd->key[row], crowd->key[first]);
            now[row].seen = sees ? now[row].seen + 1 : 0;
            now[row].turned = turns ? now[row].turned + 1 : 0;
            if (now[row].seen > longest.seen)
                longest.seen = now[row].seen;
            if (now[row].turned > longest.turned)
                longest.turned = now[row].turned;
        }
    }
    thDestroyRun(run);
    thDestroyScene(scene);
    destroyCrowd(crowd);
    return longest;
}

// Three people who go the same way on their own are a group in the eyes of those who cross their
// way: scene B of the paper. Not in every seed, because each of them makes up his own mind about a
// group that comes towards them, which may part them.
static void seesPeopleWhoMeetAsAGroup(void** state)
{
    (void)state;
    enum { seeds = 8 };
    int32_t atAll = 0, forLong = 0;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        const Notice notice = watchThree(seed);
        print_message("three who are a group to others: %.1f s, these turn for %.1f s\n",
                      0.1 * notice.seen, 0.1 * notice.turned);
        atAll += notice.turned > 0;
        forLong += notice.seen >= 10 && notice.turned >= 10;
    }
    assert_true(atAll >= seeds - 1);
    assert_true(forLong >= seeds / 2);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(isNothingWithoutThresholds),
        cmocka_unit_test(leavesGroupsAloneThatWalkAlone),
        cmocka_unit_test(walksTheSameInMirrors),
        cmocka_unit_test(explainsWhatItDoes),
        cmocka_unit_test(takesNoMemoryWhenWarm),
        cmocka_unit_test(seesPeopleWhoMeetAsAGroup),
    };
    if (argc < 2)
        return 2;
    folder = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
