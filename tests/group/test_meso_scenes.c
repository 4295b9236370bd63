// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Whole scenes with group method `meso` beside the same without: how far those walk who walk alone,
// as in table I of the paper, and when they arrive; prints the table of docs/methods/meso.md. And
// that the method is nothing without thresholds, tells the truth about itself, and takes no memory.
// usage: test_meso_scenes FOLDER [CHANGE...]
// FOLDER is that of the scenes; CHANGE is as --set of the program takes it.

#include "gear/gear.h"
#include "throng/throng.h"

#include <stdio.h>
#include <stdlib.h>

enum { seedCount = 8, mostAlone = 8 };

static char** arguments;
static int argumentCount;

// A scene: its first agents walk alone. Bounds are of what they walk with the method by what they
// walk without.
typedef struct Scene {
    const char* name;
    int32_t alone;
    double least, most;
} Scene;

// What those come to who walk alone.
typedef struct Outcome {
    double path;   // sum [m]
    double last;   // arrival [s]
    int32_t there; // who have arrived
} Outcome;

static void report(void* context, const thError* error)
{
    (void)context;
    print_message("%s: %s\n", error->path, error->text);
}

static thScene* loadScene(const char* name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.json", arguments[1], name);
    thSceneDef def = thDefaultSceneDef();
    def.path = path;
    def.report = report;
    def.changes = (const char* const*)arguments + 2;
    def.changeCount = argumentCount - 2;
    thScene* scene;
    assert_int_equal(thLoadScene(&def, &scene), th_resultOk);
    return scene;
}

static Outcome runScene(const thScene* scene, int32_t alone, const char* group, uint64_t seed)
{
    thRunDef def = thDefaultRunDef();
    def.methods[th_methodGroup] = group;
    def.seed = seed;
    thRun* run;
    assert_int_equal(thCreateRun(scene, &def, &run), th_resultOk);
    Outcome outcome = {0.0, 0.0, 0};
    thVec2 places[mostAlone];
    bool there[mostAlone] = {false};
    const double step = thScene_GetInfo(scene).step;
    for (int32_t n = 0; outcome.there < alone && n < 2000; ++n) {
        const thAgentView before = thWorld_GetAgentView(thRun_GetWorld(run));
        for (int32_t i = 0; i < alone; ++i)
            places[i] = before.rows[i].position;
        assert_int_equal(thRun_Step(run), th_resultOk);
        const thAgentView view = thWorld_GetAgentView(thRun_GetWorld(run));
        for (int32_t i = 0; i < alone; ++i) {
            const double x = (double)view.rows[i].position.x - (double)places[i].x;
            const double y = (double)view.rows[i].position.y - (double)places[i].y;
            if (there[i])
                continue;
            outcome.path += sqrt(x * x + y * y);
            there[i] = (view.rows[i].flags & th_agentArrived) != 0;
            outcome.there += there[i];
            outcome.last = (n + 1) * step;
        }
    }
    thDestroyRun(run);
    return outcome;
}

static void compare(const Scene* of)
{
    thScene* scene = loadScene(of->name);
    Outcome sums[2] = {{0.0, 0.0, 0}, {0.0, 0.0, 0}};
    double worst = 0.0, best = 1e9;
    for (uint64_t seed = 1; seed <= seedCount; ++seed) {
        const Outcome without = runScene(scene, of->alone, "none", seed);
        const Outcome with = runScene(scene, of->alone, "meso", seed);
        assert_int_equal(with.there, of->alone);
        const double ratio = with.path / without.path;
        worst = ratio > worst ? ratio : worst;
        best = ratio < best ? ratio : best;
        sums[0].path += without.path / seedCount;
        sums[0].last += without.last / seedCount;
        sums[1].path += with.path / seedCount;
        sums[1].last += with.last / seedCount;
    }
    const double ratio = sums[1].path / sums[0].path;
    print_message("| %s | %.1f | %.1f | %.3f | %.2f to %.2f | %.1f | %.1f |\n", of->name,
                  sums[0].path, sums[1].path, ratio, best, worst, sums[0].last, sums[1].last);
    thDestroyScene(scene);
    assert_true(ratio >= of->least);
    assert_true(ratio <= of->most);
}

static void oneMeetsMany(void** state)
{
    (void)state;
    compare(&(Scene){"meso-a", 1, 0.3, 0.85});
}

static void sixAmongFiveGroups(void** state)
{
    (void)state;
    compare(&(Scene){"meso-b", 6, 0.7, 0.93});
}

static void threeAcrossThreeGroups(void** state)
{
    (void)state;
    compare(&(Scene){"meso-c", 3, 0.6, 0.92});
}

// A scene with changes, after so many steps.
static thRun* startRun(const char* name, const char* group, const char* const* changes,
                       int32_t changeCount, int32_t steps, thScene** scene)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.json", arguments[1], name);
    thSceneDef def = thDefaultSceneDef();
    def.path = path;
    def.report = report;
    def.changes = changes;
    def.changeCount = changeCount;
    assert_int_equal(thLoadScene(&def, scene), th_resultOk);
    thRunDef runDef = thDefaultRunDef();
    runDef.methods[th_methodGroup] = group;
    thRun* run;
    assert_int_equal(thCreateRun(*scene, &runDef, &run), th_resultOk);
    for (int32_t i = 0; i < steps; ++i)
        assert_int_equal(thRun_Step(run), th_resultOk);
    return run;
}

static void expectSamePlaces(const char* name, const char* const* changes, int32_t changeCount)
{
    thScene* scenes[2];
    thRun* runs[2] = {startRun(name, "none", NULL, 0, 0, &scenes[0]),
                      startRun(name, NULL, changes, changeCount, 0, &scenes[1])};
    for (int32_t n = 0; n < 150; ++n) {
        assert_int_equal(thRun_Step(runs[0]), th_resultOk);
        assert_int_equal(thRun_Step(runs[1]), th_resultOk);
        const thAgentView a = thWorld_GetAgentView(thRun_GetWorld(runs[0]));
        const thAgentView b = thWorld_GetAgentView(thRun_GetWorld(runs[1]));
        assert_int_equal(a.slotCount, b.slotCount);
        for (int32_t i = 0; i < a.slotCount; ++i) {
            assert_same_bits(a.rows[i].position.x, b.rows[i].position.x);
            assert_same_bits(a.rows[i].position.y, b.rows[i].position.y);
        }
    }
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
    for (int32_t i = 0; i < 4; ++i)
        expectSamePlaces("meso-b", &changes[i], 1);
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

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(isNothingWithoutThresholds), cmocka_unit_test(explainsWhatItDoes),
        cmocka_unit_test(takesNoMemoryWhenWarm),      cmocka_unit_test(oneMeetsMany),
        cmocka_unit_test(sixAmongFiveGroups),         cmocka_unit_test(threeAcrossThreeGroups),
    };
    arguments = argv;
    argumentCount = argc;
    if (argc < 2)
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
