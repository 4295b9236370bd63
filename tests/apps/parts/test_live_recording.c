// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Runs as recordings, held against a second run of the same scene that is stepped by hand.

#include "gear/gear.h"

#include "recording/source.h"

#include <stdlib.h>

typedef struct Runs {
    thScene* scene;
    thRun *live, *byHand;
} Runs;

static Runs createRuns(void)
{
    Runs runs = {0};
    thSceneDef scene = thDefaultSceneDef();
    scene.path = TEST_SCENE;
    assert_int_equal(thLoadScene(&scene, &runs.scene), th_resultOk);
    const thRunDef run = thDefaultRunDef();
    assert_int_equal(thCreateRun(runs.scene, &run, &runs.live), th_resultOk);
    assert_int_equal(thCreateRun(runs.scene, &run, &runs.byHand), th_resultOk);
    return runs;
}

static void destroyRuns(Runs* runs)
{
    thDestroyRun(runs->live);
    thDestroyRun(runs->byHand);
    thDestroyScene(runs->scene);
}

static const thAgentRow* findAgent(thAgentView view, uint64_t key)
{
    for (int32_t slot = 0; slot < view.slotCount; ++slot)
        if (view.rows[slot].key == key && (view.rows[slot].flags & th_agentAlive) != 0)
            return &view.rows[slot];
    return NULL;
}

// Everybody who is there is in the frame, where he is.
static void checkFrame(const Recording* recording, const thRun* run)
{
    const thAgentView view = thWorld_GetAgentView(thRun_GetWorld(run));
    const thRecordedFrame* frame = &recording->latest.frame;
    assert_int_equal(frame->count, view.agentCount);
    for (int32_t i = 0; i < frame->count; ++i) {
        const thRecordedPerson* person = appFindPerson(recording, frame->id[i]);
        assert_non_null(person);
        const thAgentRow* agent = findAgent(view, person->key);
        assert_non_null(agent);
        assert_near(frame->x[i], agent->position.x, 1e-5);
        assert_near(frame->y[i], agent->position.y, 1e-5);
    }
}

// Frames at a rate from the beginning, of which there are so many.
static void checkRun(double rate, double until, int32_t stepsPerFrame, int64_t frameCount)
{
    Runs runs = createRuns();
    ExitCode code = exitFailed;
    const LiveDef def = {.rate = rate, .until = until};
    Recording* recording = appOpenLive(runs.scene, runs.live, &def, &code);
    assert_non_null(recording);
    assert_int_equal(code, exitDone);
    assert_near(recording->endTime, fmin(until, 40.0), 1e-9);
    assert_near(recording->head.rate * stepsPerFrame, 10.0, 1e-9);
    int64_t number = 0;
    for (; appNextFrame(recording) == nextFrame; ++number) {
        assert_int_equal(recording->latest.frame.number, number);
        checkFrame(recording, runs.byHand);
        for (int32_t i = 0; i < stepsPerFrame; ++i)
            assert_int_equal(thRun_Step(runs.byHand), th_resultOk);
    }
    assert_int_equal(number, frameCount);
    assert_int_equal(appNextFrame(recording), nextEnd);
    assert_true(recording->shapeCount > 0);
    appCloseRecording(recording);
    destroyRuns(&runs);
}

static void testFrames(void** state)
{
    (void)state;
    checkRun(0.0, 3.0, 1, 31);
    checkRun(10.0, 0.0, 1, 1);
    checkRun(5.0, 3.1, 2, 16);
    checkRun(2.5, INFINITY, 4, 101);
}

// A run that was stepped before: frames keep their times.
static void testLaterBeginning(void** state)
{
    (void)state;
    Runs runs = createRuns();
    ExitCode code;
    const LiveDef def = {.rate = 2.0, .until = 2.0};
    for (int i = 0; i < 7; ++i)
        assert_int_equal(thRun_Step(runs.live), th_resultOk);
    Recording* recording = appOpenLive(runs.scene, runs.live, &def, &code);
    assert_non_null(recording);
    for (int64_t number = 2; number <= 4; ++number) {
        assert_int_equal(appNextFrame(recording), nextFrame);
        assert_int_equal(recording->latest.frame.number, number);
        assert_near(thRun_GetTime(runs.live), 0.5 * (double)number, 1e-9);
    }
    assert_int_equal(appNextFrame(recording), nextEnd);
    appCloseRecording(recording);
    destroyRuns(&runs);
}

static void testBadRates(void** state)
{
    (void)state;
    Runs runs = createRuns();
    const double rates[] = {20.0, 3.0, 9.99, 1e-30, 1e30};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; ++i) {
        const LiveDef def = {.rate = rates[i], .until = 1.0};
        ExitCode code = exitDone;
        assert_null(appOpenLive(runs.scene, runs.live, &def, &code));
        assert_int_equal(code, exitUsage);
    }
    destroyRuns(&runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testFrames),
        cmocka_unit_test(testLaterBeginning),
        cmocka_unit_test(testBadRates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
