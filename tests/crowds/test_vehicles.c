// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The scene with cars: they stay clear of each other, of people and of walls; where they start a
// little aside, they at most brush.

#include "gear/gear.h"
#include "throng/measure.h"
#include "throng/scene.h"

static thTallyResult runScene(const char* start)
{
    thSceneDef def = thDefaultSceneDef();
    def.path = VEHICLES_SCENE;
    def.changes = &start;
    def.changeCount = 1;
    thScene* scene;
    assert_int_equal(thLoadScene(&def, &scene), th_resultOk);
    const thRunDef runDef = thDefaultRunDef();
    thRun* run;
    assert_int_equal(thCreateRun(scene, &runDef, &run), th_resultOk);
    thTallyDef tallyDef = thDefaultTallyDef();
    tallyDef.checkWalls = 1;
    thTally* tally;
    assert_int_equal(thCreateTally(&tallyDef, thRun_GetWorld(run), &tally), th_resultOk);
    while (thRun_IsOver(run) == 0) {
        assert_int_equal(thRun_Step(run), th_resultOk);
        assert_int_equal(thTally_Observe(tally, thRun_GetTime(run)), th_resultOk);
    }
    const thTallyResult result = thTally_GetResult(tally);
    print_message("%s: %llu arrived in %.1f s, %llu collisions, up to %.1f %% deep, walls %.3f m\n",
                  start, (unsigned long long)result.arrived, result.time,
                  (unsigned long long)result.uniqueCollisions, 100.0 * result.maxDepth,
                  result.maxWallDepth);
    thDestroyTally(tally);
    thDestroyRun(run);
    thDestroyScene(scene);
    return result;
}

static void testApart(void** state)
{
    (void)state;
    static const char* const starts[] = {
        "agents[0].at[0]=[-26,2]",
        "agents[0].at[0]=[-26,1.5]",
        "agents[0].at[0]=[-26,2.5]",
        "agents[1].at[1]=[21.2,-7]",
    };
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; ++i) {
        const thTallyResult result = runScene(starts[i]);
        assert_int_equal(result.arrived, 45);
        assert_true(result.maxDepth < (i == 0 ? 0.01 : 0.05));
        assert_int_equal(result.uniqueCollisions > 0, result.maxDepth > 0.01);
        assert_true(result.maxWallDepth < 0.01);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testApart)};
    return RUN_TESTS(tests, argc, argv);
}
