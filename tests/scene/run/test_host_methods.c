// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes that name methods of the host's own. These are read, checked, run, written and saved like
// the built-in ones, and what is wrong with them is told in the same words.

#include "gear/allocators.h"
#include "gear/method_names.h"
#include "scene/run_gear.h"
#include "sim/sim_gear.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

// An avoidance method: walks a share of what is wanted, ahead or to a side, in some of the steps.
typedef struct CrawlParams {
    float share;
    int32_t every; // steps
    int32_t side;
} CrawlParams;

// What an agent of it remembers.
typedef struct CrawlState {
    int64_t moves;
} CrawlState;

static const CrawlParams crawlDefaults = {.share = 0.5f, .every = 1, .side = 0};

static void crawl(const thBatch* batch, const void* params, const void* shared)
{
    (void)shared;
    const CrawlParams* p = params;
    for (int32_t i = 0; i < batch->count; ++i) {
        CrawlState* state = batch->state[i];
        if (batch->frame->step % (uint64_t)p->every != 0)
            continue;
        const float x = p->share * batch->guideX[i], y = p->share * batch->guideY[i];
        batch->outVx[i] = p->side == 0 ? x : p->side == 1 ? -y : y;
        batch->outVy[i] = p->side == 0 ? y : p->side == 1 ? x : -x;
        state->moves += 1;
    }
}

static thResult validateCrawl(const void* params, thError* error)
{
    const CrawlParams* p = params;
    if (p->share > 0.0f || p->every == 1)
        return th_resultOk;
    if (error != NULL)
        snprintf(error->text, sizeof error->text, "who never moves needs no 'every'");
    return th_resultBadArgument;
}

static const thParam crawlParams[] = {
    {.name = "share",
     .kind = th_paramFloat,
     .offset = offsetof(CrawlParams, share),
     .min = 0,
     .max = 1,
     .unit = "",
     .about = "Share of the wanted velocity."},
    {.name = "every",
     .kind = th_paramInt,
     .offset = offsetof(CrawlParams, every),
     .min = 1,
     .max = 10,
     .unit = "steps",
     .about = "Moves in every so manieth step."},
    {.name = "side",
     .kind = th_paramWord,
     .offset = offsetof(CrawlParams, side),
     .unit = "ahead|left|right",
     .about = "Where to."},
};

static const thMethod crawlMethod = {.size = sizeof(thMethod),
                                     .name = "crawl",
                                     .version = 3,
                                     .paramSize = sizeof(CrawlParams),
                                     .stateSize = sizeof(CrawlState),
                                     .defaults = &crawlDefaults,
                                     .validate = validateCrawl,
                                     .solve = crawl,
                                     .params = crawlParams,
                                     .paramCount = 3};

// A group method: changes what is wanted. It has no defaults, so that all is 0.
typedef struct CrowdyParams {
    float drift; // [m/s]
    int32_t after;
    int32_t along;
} CrowdyParams;

static void crowd(const thBatch* batch, const void* params, const void* shared)
{
    (void)shared;
    const CrowdyParams* p = params;
    for (int32_t i = 0; i < batch->count; ++i)
        if (batch->frame->step >= (uint64_t)p->after)
            *(p->along == 0 ? &batch->guideX[i] : &batch->guideY[i]) += p->drift;
}

static const thParam crowdyParams[] = {
    {.name = "drift",
     .kind = th_paramFloat,
     .offset = offsetof(CrowdyParams, drift),
     .min = -2,
     .max = 2,
     .unit = "m/s",
     .about = "What is added."},
    {.name = "after",
     .kind = th_paramInt,
     .offset = offsetof(CrowdyParams, after),
     .min = 0,
     .max = 100,
     .unit = "",
     .about = "From this step on."},
    {.name = "along",
     .kind = th_paramWord,
     .offset = offsetof(CrowdyParams, along),
     .unit = "x|y",
     .about = "In which direction."},
};

static const thMethod crowdyMethod = {.size = sizeof(thMethod),
                                      .name = "crowdy",
                                      .paramSize = sizeof(CrowdyParams),
                                      .solve = crowd,
                                      .params = crowdyParams,
                                      .paramCount = 3};

static const thAddedMethod bothMethods[] = {{th_methodAvoid, &crawlMethod},
                                            {th_methodGroup, &crowdyMethod}};

static thSceneDef hostDef(const char* text, Errors* errors)
{
    thSceneDef def = textDef(text, errors);
    def.methods = bothMethods;
    def.methodCount = 2;
    return def;
}

static thScene* loadHosted(const char* text)
{
    Errors errors;
    const thSceneDef def = hostDef(text, &errors);
    thScene* scene = NULL;
    const thResult code = thLoadScene(&def, &scene);
    printErrors(&errors);
    assert_ok(code);
    return scene;
}

static Stage openHosted(const char* text, const thRunDef* def)
{
    Stage stage = {.scene = loadHosted(text)};
    assert_ok(thCreateRun(stage.scene, def, &stage.run));
    stage.world = thRun_GetWorld(stage.run);
    return stage;
}

// Two profiles with methods of the host's; patience 0, so that nobody shuffles.
#define SCENE                                                                                      \
    "{\"throng\": 1, \"contacts\": false, \"profiles\": {\"a\": {\"speed\": 1, \"patience\": 0, "  \
    "\"avoid\": {\"crawl\": {\"share\": 0.25, \"every\": 2, \"side\": \"left\"}}}, \"b\": "        \
    "{\"speed\": 1, \"patience\": 0, \"group\": {\"crowdy\": {\"drift\": 0.5, \"after\": 5, "      \
    "\"along\": \"y\"}}, \"avoid\": \"crawl\"}}, \"agents\": [{\"profile\": \"a\", \"at\": [0, "   \
    "0], \"goal\": {\"point\": [100, 0]}}, {\"profile\": \"b\", \"at\": [0, 10], \"goal\": "       \
    "{\"offset\": [100, 0]}}]}"

static void assertAt(const Stage* stage, uint64_t key, float x, float y)
{
    const thVec2 at = rowOfKey(stage, key).position;
    assert_float_equal(at.x, x, 0.001f);
    assert_float_equal(at.y, y, 0.001f);
}

static void testRuns(void** state)
{
    (void)state;
    const thRunDef def = thDefaultRunDef();
    Stage stage = openHosted(SCENE, &def);
    assert_string_equal(thScene_GetMethod(stage.scene, 0, th_methodAvoid), "crawl");
    assert_string_equal(thScene_GetMethod(stage.scene, 0, th_methodGroup), "none");
    assert_string_equal(thScene_GetMethod(stage.scene, 1, th_methodGroup), "crowdy");
    thProfileDef profile;
    assert_ok(thScene_GetProfile(stage.scene, 1, &profile));
    assert_string_equal(profile.group.name, "crowdy");
    assert_true(((const CrowdyParams*)profile.group.params)->drift == 0.5f);
    assert_null(profile.avoid.params);
    stepTimes(&stage, 10);
    assertAt(&stage, 1, 0.0f, 5 * 0.1f * 0.25f); // a quarter of 1 m/s to the left, 5 times
    assertAt(&stage, 2, 10 * 0.1f * 0.5f, 10.0f + 5 * 0.1f * 0.5f * 0.5f);
    closeStage(&stage);
}

// Methods that a run names instead of the profiles' own may be the host's, too.
static void testReplaces(void** state)
{
    (void)state;
    thRunDef def = thDefaultRunDef();
    def.methods[th_methodGroup] = "none";
    def.methods[th_methodAvoid] = "crawl";
    Stage stage = openHosted(SCENE, &def);
    stepTimes(&stage, 10);
    assertAt(&stage, 1, 0.0f, 5 * 0.1f * 0.25f);
    assertAt(&stage, 2, 10 * 0.1f * 0.5f, 10.0f);
    closeStage(&stage);
    def.withoutAgents = 1;
    stage = openHosted(SCENE, &def);
    thProfileDef profileDef = thDefaultProfileDef();
    profileDef.avoid.name = "crawl";
    thProfileId profile;
    assert_ok(thCreateProfile(stage.world, &profileDef, &profile, NULL));
    closeStage(&stage);
}

// The structs are copied.
static void testCopies(void** state)
{
    (void)state;
    thMethod crawls = crawlMethod, crowds = crowdyMethod;
    thAddedMethod methods[] = {{th_methodAvoid, &crawls}, {th_methodGroup, &crowds}};
    Errors errors;
    thSceneDef sceneDef = hostDef(SCENE, &errors);
    sceneDef.methods = methods;
    Stage stage = {.scene = NULL};
    assert_ok(thLoadScene(&sceneDef, &stage.scene));
    memset(&crawls, 0, sizeof crawls);
    memset(&crowds, 0, sizeof crowds);
    memset(methods, 0, sizeof methods);
    const thRunDef def = thDefaultRunDef();
    assert_ok(thCreateRun(stage.scene, &def, &stage.run));
    stage.world = thRun_GetWorld(stage.run);
    stepTimes(&stage, 10);
    assertAt(&stage, 1, 0.0f, 5 * 0.1f * 0.25f);
    closeStage(&stage);
}

static void testWritten(void** state)
{
    (void)state;
    thScene* scene = loadHosted(SCENE);
    char* text = writeScene(scene);
    assert_non_null(strstr(
        text, "\"avoid\": {\"crawl\": {\"share\": 0.25, \"every\": 2, \"side\": \"left\"}}"));
    assert_non_null(
        strstr(text, "\"group\": {\"crowdy\": {\"drift\": 0.5, \"after\": 5, \"along\": \"y\"}}"));
    thScene* again = loadHosted(text);
    assertSameScene(scene, again);
    free(text);
    thDestroyScene(again);
    thDestroyScene(scene);
}

// A scene of one profile with that method must have exactly one error.
static void assertMethodError(const char* method, const char* path, const char* says)
{
    char text[512];
    Errors errors;
    thScene* scene = NULL;
    snprintf(text, sizeof text, "{\"throng\": 1, \"profiles\": {\"p\": {%s}}}", method);
    const thSceneDef def = hostDef(text, &errors);
    assert_int_equal(thLoadScene(&def, &scene), th_resultSyntax);
    assert_null(scene);
    printErrors(&errors);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.items[0].path, path);
    assert_string_equal(errors.items[0].text, says);
}

static void testErrors(void** state)
{
    (void)state;
    assertMethodError("\"group\": \"crowdi\"", "profiles.p.group",
                      "no group method 'crowdi'; did you mean 'crowdy'?");
    assertMethodError(
        "\"group\": \"whirl\"", "profiles.p.group",
        withMethodNames("no group method 'whirl'; there are: ", th_methodGroup, ", crowdy"));
    assertMethodError("\"avoid\": {\"cravl\": {}}", "profiles.p.avoid.cravl",
                      "no avoid method 'cravl'; did you mean 'crawl'?");
    assertMethodError(
        "\"group\": \"crawl\"", "profiles.p.group",
        withMethodNames("no group method 'crawl'; there are: ", th_methodGroup, ", crowdy"));
    assertMethodError("\"avoid\": {\"crawl\": {\"share\": 1.5}}", "profiles.p.avoid.crawl.share",
                      "1.5 is out of range, expected 0 .. 1");
    assertMethodError("\"avoid\": {\"crawl\": {\"every\": 0}}", "profiles.p.avoid.crawl.every",
                      "0 is out of range, expected 1 .. 10 steps");
    assertMethodError("\"avoid\": {\"crawl\": {\"every\": 1.5}}", "profiles.p.avoid.crawl.every",
                      "expected a whole number, found 1.5");
    assertMethodError("\"avoid\": {\"crawl\": {\"side\": \"rihgt\"}}",
                      "profiles.p.avoid.crawl.side",
                      "expected one of: ahead, left, right; did you mean 'right'?");
    assertMethodError("\"group\": {\"crowdy\": {\"drif\": 1}}", "profiles.p.group.crowdy.drif",
                      "unknown key 'drif'; did you mean 'drift'?");
    assertMethodError("\"group\": {\"crowdy\": {\"drift\": 3}}", "profiles.p.group.crowdy.drift",
                      "3 is out of range, expected -2 .. 2 m/s");
    assertMethodError("\"avoid\": {\"crawl\": {\"share\": 0, \"every\": 2}}",
                      "profiles.p.avoid.crawl", "who never moves needs no 'every'");
}

// Without the host's methods nobody knows the scene's.
static void testUnknown(void** state)
{
    (void)state;
    Errors errors;
    assert_null(loadText(SCENE, &errors));
    assert_int_equal(errors.count, 3);
    assert_string_equal(
        errors.items[1].text,
        withMethodNames("no group method 'crowdy'; there are: ", th_methodGroup, ""));
}

static void assertTaken(const thAddedMethod* methods, int32_t count, const char* says)
{
    Errors errors;
    thScene* scene = NULL;
    thSceneDef def = hostDef(SCENE, &errors);
    def.methods = methods;
    def.methodCount = count;
    assert_int_equal(thLoadScene(&def, &scene), th_resultBadArgument);
    assert_null(scene);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.items[0].file, "test.json");
    assert_string_equal(errors.items[0].text, says);
}

static void testTakenNames(void** state)
{
    (void)state;
    thMethod method = crawlMethod;
    method.name = "orca";
    const thAddedMethod builtIn[] = {{th_methodGroup, &crowdyMethod}, {th_methodAvoid, &method}};
    assertTaken(builtIn, 2, "the host's avoid method 'orca' has the name of a built-in one");
    const thAddedMethod twice[] = {{th_methodAvoid, &crawlMethod}, {th_methodAvoid, &crawlMethod}};
    assertTaken(twice, 2,
                "the host's avoid method 'crawl' has the name of another one of the "
                "host's");
    // Kinds have names of their own.
    Errors errors;
    thScene* scene = NULL;
    const thAddedMethod apart[] = {{th_methodGroup, &method}, {th_methodAvoid, &crawlMethod}};
    thSceneDef def =
        hostDef("{\"throng\": 1, \"profiles\": {\"p\": {\"group\": \"orca\"}}}", &errors);
    def.methods = apart;
    assert_ok(thLoadScene(&def, &scene));
    thDestroyScene(scene);
}

static void assertNoMethod(thMethodKind kind, const thMethod* method)
{
    Errors errors;
    thScene* scene = NULL;
    const thAddedMethod methods[] = {{kind, method}};
    thSceneDef def = hostDef(SCENE, &errors);
    def.methods = methods;
    def.methodCount = 1;
    (void)heard();
    assert_int_equal(thLoadScene(&def, &scene), th_resultBadArgument);
    assert_int_equal(heard(), 1);
    assert_null(scene);
}

static void testBadMethods(void** state)
{
    (void)state;
    thMethod method = crawlMethod;
    thParam param = crawlParams[2];
    listen();
    assertNoMethod(th_methodAvoid, NULL);
    assertNoMethod(th_methodKindCount, &crawlMethod);
    method.solve = NULL;
    assertNoMethod(th_methodAvoid, &method);
    method = crawlMethod;
    method.params = NULL;
    assertNoMethod(th_methodAvoid, &method);
    method.params = &param;
    method.paramCount = -1;
    assertNoMethod(th_methodAvoid, &method);
    method.paramCount = 1;
    param.offset = sizeof(CrawlParams) - 3;
    assertNoMethod(th_methodAvoid, &method);
    param.offset = 0;
    param.kind = (thParamKind)(th_paramPath + 1);
    assertNoMethod(th_methodAvoid, &method);
    param.kind = th_paramRoadmap; // larger than the whole struct
    assertNoMethod(th_methodAvoid, &method);
    param.kind = th_paramWord;
    param.unit = "a|b|c|d|e|f|g|h|i";
    assertNoMethod(th_methodAvoid, &method);
    param.unit = "more-letters-than-there-is-room-for|more-letters-than-there-is-room-for";
    assertNoMethod(th_methodAvoid, &method);
    param.unit = NULL;
    assertNoMethod(th_methodAvoid, &method);
    Errors errors;
    thScene* scene = NULL;
    thSceneDef def = hostDef(SCENE, &errors);
    def.methods = NULL;
    assert_int_equal(thLoadScene(&def, &scene), th_resultBadArgument);
    def.methodCount = -1;
    assert_int_equal(thLoadScene(&def, &scene), th_resultBadArgument);
}

static void testRestores(void** state)
{
    (void)state;
    const thRunDef def = thDefaultRunDef();
    Stage stage = openHosted(SCENE, &def), other = openHosted(SCENE, &def);
    stepTimes(&stage, 7);
    size_t size = 0;
    assert_ok(thRun_Save(stage.run, NULL, 0, &size));
    char* bytes = malloc(size);
    assert_non_null(bytes);
    assert_ok(thRun_Save(stage.run, bytes, size, &size));
    stepTimes(&other, 3);
    assert_ok(thRun_Restore(other.run, bytes, size, NULL));
    for (int32_t i = 0; i < 8; ++i) {
        assert_int_equal(thWorld_GetStateHash(stage.world), thWorld_GetStateHash(other.world));
        stepTimes(&stage, 1);
        stepTimes(&other, 1);
    }
    free(bytes);
    closeStage(&stage);
    closeStage(&other);
}

// Every allocation may fail, of the scene and of the run.
static thResult loadAndRun(const thAllocator* allocator, void* context)
{
    (void)context;
    Errors errors;
    thSceneDef sceneDef = hostDef(SCENE, &errors);
    sceneDef.allocator = *allocator;
    thScene* scene = NULL;
    thRun* run = NULL;
    thResult code = thLoadScene(&sceneDef, &scene);
    thRunDef def = thDefaultRunDef();
    def.world.allocator = *allocator;
    if (code == th_resultOk)
        code = thCreateRun(scene, &def, &run);
    for (int32_t i = 0; i < 3 && code == th_resultOk; ++i)
        code = thRun_Step(run);
    thDestroyRun(run);
    thDestroyScene(scene);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    assert_true(failEachAllocation(loadAndRun, NULL) > 20);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRuns),       cmocka_unit_test(testReplaces),
        cmocka_unit_test(testCopies),     cmocka_unit_test(testWritten),
        cmocka_unit_test(testErrors),     cmocka_unit_test(testUnknown),
        cmocka_unit_test(testTakenNames), cmocka_unit_test(testBadMethods),
        cmocka_unit_test(testRestores),   cmocka_unit_test(testNoMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
