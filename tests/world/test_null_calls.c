// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Every public function that takes a pointer is called without any, alone and with a world, a scene
// and a run that are there: each returns, and nothing is changed.

#include "gear/gear.h"
#include "throng/throng.h"

#include <stdio.h>

static thWorld* theWorld;
static thScene* theScene;
static thRun* theRun;
static int32_t theNumber;

// A crash leaves the name of the call as the last line.
#define SAY(name) (void)(fputs(#name "\n", stderr), fflush(stderr))
#define CALL(name, ...)                                                                            \
    SAY(name);                                                                                     \
    (void)name(__VA_ARGS__);

static void callWithNothing(void)
{
#define HELD(...)
#include "null_calls.h"
#undef HELD
}

#undef CALL
#define CALL(...)
#define HELD(name, ...)                                                                            \
    SAY(name);                                                                                     \
    (void)name(__VA_ARGS__);

static void callWithObjects(void)
{
#include "null_calls.h"
}

static void testNullCalls(void** state)
{
    (void)state;
    static const char text[] =
        "{\"throng\": 1, \"time\": {\"step\": 0.1, \"end\": {\"at\": 10}}, "
        "\"goals\": {\"east\": {\"point\": [9, 0]}}, \"profiles\": {\"walker\": {}}, "
        "\"agents\": [{\"in\": {\"disc\": [0, 0], \"radius\": 3}, \"count\": 4, \"goal\": "
        "\"east\"}]}";
    thSceneDef def = thDefaultSceneDef();
    def.text = text;
    def.textSize = sizeof text - 1;
    const thRunDef run = thDefaultRunDef();
    assert_int_equal(thLoadScene(&def, &theScene), th_resultOk);
    assert_int_equal(thCreateRun(theScene, &run, &theRun), th_resultOk);
    theWorld = thRun_GetWorld(theRun);
    const uint64_t before = thWorld_GetStateHash(theWorld);
    for (theNumber = 0; theNumber < 2; ++theNumber) {
        callWithNothing();
        callWithObjects();
    }
    // Of all these only the step of the run and of the world, of a second, needs no pointer more.
    assert_int_equal(thWorld_GetCounters(theWorld).steps, 3);
    assert_true(thWorld_GetStateHash(theWorld) != before);
    thDestroyRun(theRun);
    thDestroyScene(theScene);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testNullCalls)};
    return RUN_TESTS(tests, argc, argv);
}
