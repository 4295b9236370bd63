// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes that are changed as they are read, as options on a command line do. What paths lead
// through, what is said of those that lead nowhere, and which profiles are then used.

#include "scene/scene_gear.h"
#include "throng/clearpath.h"

#include <stdio.h>

static const char three[] =
    "{\"throng\": 1, \"profiles\": {\"slow\": {}, \"steady\": {}, \"fast\": {\"avoid\": {\"rvo\": "
    "{\"samples\": 100}}}}, \"goals\": {\"door\": {\"point\": [1, 2]}}, "
    "\"agents\": [{\"at\": [0, 0], \"profile\": \"slow\"}, {\"source\": {\"in\": {\"box\": [[5, "
    "5], [6, 6]]}, \"rate\": 1}, \"profile\": \"fast\"}]}";

static const char none[] = "{\"throng\": 1, \"agents\": [{\"at\": [0, 0]}]}";

// Fails unless the change makes exactly one error, at no line of the file.
static void assertChangeError(const char* text, const char* change, const char* path,
                              const char* says)
{
    Errors errors;
    thSceneDef def = textDef(text, &errors);
    def.changes = &change;
    def.changeCount = 1;
    thScene* scene;
    assert_int_equal(thLoadScene(&def, &scene), th_resultSyntax);
    assert_null(scene);
    if (errors.count != 1)
        printErrors(&errors);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.items[0].text, says);
    assert_string_equal(errors.items[0].path, path);
    assert_int_equal(errors.items[0].line, 0);
}

// A path that leads through a name which is not there would make something that nobody has.
static void testNames(void** state)
{
    (void)state;
    static const struct {
        const char *text, *change, *says;
    } cases[] = {
        {three, "profiles.persn.avoid=clearpath",
         "no profile 'persn'; there are: slow, steady, fast"},
        {three, "profiles.stedy.avoid=clearpath", "no profile 'stedy'; did you mean 'steady'?"},
        {three, "profiles[\"x\"].avoid.clearpath.mode=h",
         "no profile 'x'; there are: slow, steady, fast"},
        {none, "profiles.persn.avoid=clearpath", "no profile 'persn'; did you mean 'person'?"},
        {"{\"throng\": 1, \"profiles\": {}}", "profiles.walker.speed=1",
         "no profile 'walker'; there are: person"},
        {three, "goals.dor.point=[0, 0]", "no goal 'dor'; did you mean 'door'?"},
        {none, "goals.door.point=[0, 0]", "no goal 'door'; there are none"},
        {none, "roadmaps.r.closed=true", "no roadmap 'r'; there are none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assertChangeError(cases[i].text, cases[i].change, cases[i].change, cases[i].says);
}

// What is there, what is there unwritten, and what is set as a whole.
static void testNamesThatAre(void** state)
{
    (void)state;
    static const struct {
        const char *text, *change;
        int32_t profiles;
    } cases[] = {
        {three, "profiles.slow.avoid=clearpath", 3},
        {three, "profiles.slow.avoid.clearpath.horizon=3", 3},
        {three, "profiles.left={\"keep\": \"left\"}", 4},
        {none, "profiles.person.avoid=clearpath", 1},
        {"{\"throng\": 1, \"profiles\": {}}", "profiles.person.speed=1", 1},
        {none, "profiles.walker={}", 1},
        {none, "goals.door={\"point\": [0, 0]}", 1},
        {none, "time.end.at=3", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        thScene* scene = loadChanged(cases[i].text, cases[i].change);
        assert_int_equal(scene->profileCount, cases[i].profiles);
        thDestroyScene(scene);
    }
}

static void testMethodBeside(void** state)
{
    (void)state;
    assertChangeError(three, "profiles.fast.avoid.clearpath.mode=h",
                      "profiles.fast.avoid.clearpath",
                      "there is 'rvo' already; to replace it, set the whole 'avoid'");
    assertChangeError("{\"throng\": 1, \"profiles\": {\"p\": {\"avoid\": \"rvo\"}}}",
                      "profiles.p.avoid.clearpath.mode=h", "profiles.p.avoid.clearpath.mode=h",
                      "'profiles.p.avoid' is a string and has no members");
}

static int32_t modeOf(const char* change)
{
    thScene* scene = loadChanged(none, change);
    const thClearpathDef* params = scene->profiles[0].methods[th_methodAvoid].params;
    const int32_t mode = params != NULL ? params->mode : th_clearpathTwo;
    thDestroyScene(scene);
    return mode;
}

// Words that are numbers are also read as numbers, however these are written.
static void testNumbersAsWords(void** state)
{
    (void)state;
    assert_int_equal(modeOf("profiles.person.avoid.clearpath.mode=1"), th_clearpathOne);
    assert_int_equal(modeOf("profiles.person.avoid.clearpath.mode=\"1\""), th_clearpathOne);
    assert_int_equal(modeOf("profiles.person.avoid.clearpath.mode=1.0"), th_clearpathOne);
    assert_int_equal(modeOf("profiles.person.avoid.clearpath.mode=2"), th_clearpathTwo);
    assert_int_equal(modeOf("profiles.person.avoid.clearpath.mode=h"), th_clearpathHalf);
    static const char* const wrong[] = {"3", "1.5", "-1", "true"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        char change[80], says[80];
        snprintf(change, sizeof change, "profiles.person.avoid.clearpath.mode=%s", wrong[i]);
        snprintf(says, sizeof says, "expected one of: 2, 1, h, found %s", wrong[i]);
        assertChangeError(none, change, "profiles.person.avoid.clearpath.mode", says);
    }
}

static void testUsedProfiles(void** state)
{
    (void)state;
    thScene* scene = loadChanged(three, "seed=1");
    const int32_t used[] = {1, 0, 1}; // the last by a source
    for (int32_t i = 0; i < 3; ++i)
        assert_int_equal(thScene_IsProfileUsed(scene, i), used[i]);
    assert_int_equal(thScene_IsProfileUsed(scene, -1), 0);
    assert_int_equal(thScene_IsProfileUsed(scene, 3), 0);
    thDestroyScene(scene);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testNames),        cmocka_unit_test(testNamesThatAre),
        cmocka_unit_test(testMethodBeside), cmocka_unit_test(testNumbersAsWords),
        cmocka_unit_test(testUsedProfiles),
    };
    return RUN_TESTS(tests, argc, argv);
}
