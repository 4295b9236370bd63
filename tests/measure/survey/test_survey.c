// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Surveys as a whole: who is in them, what frames may be like, what is refused.

#include "measure/survey/survey_gear.h"

static thResult addFrame(thSurvey* survey, int64_t number, int32_t count, const uint32_t* id,
                         const double* x, const double* y)
{
    const thRecording recording = {.frame = {number, count, id, x, y, NULL}};
    return thSurvey_Add(survey, &recording);
}

static void testNothing(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(10.0);
    Sightings nobody = {0};
    thSurvey* survey = surveyOf(&def, &nobody);
    const thSurveyResult result = thSurvey_GetResult(survey);
    assert_int_equal(result.frames, 0);
    assert_int_equal(result.people, 0);
    assert_int_equal(result.speed.count, 0);
    assert_int_equal(result.contacts, 0);
    assert_near(result.duration, 0.0, 0.0);
    assert_near(result.meanAtOnce, 0.0, 0.0);
    assert_true(isnan(result.laneOrder));
    assert_true(isnan(result.groupDispersion));
    assert_int_equal(result.groupNearest.count, 0);
    assert_true(isnan(result.groupAbreast));
    assert_true(isnan(result.groupFile));
    assert_int_equal(result.groupDeparture.count, 0);
    assert_true(isnan(result.maxWallDepth));
    assert_true(isnan(result.inWallShare));
    assert_true(isnan(result.stuckShare));
    assert_true(isnan(result.pairsPerFrame));
    assert_int_equal(thSurvey_GetPersonCount(survey), 0);
    thDestroySurvey(survey);
    thDestroySurvey(NULL);
}

static void testEmptyFrames(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(10.0);
    thSurvey* survey = createSurvey(&def);
    const uint32_t id[] = {7};
    const double place[] = {1.0};
    assert_int_equal(addFrame(survey, -5, 0, NULL, NULL, NULL), th_resultOk);
    assert_int_equal(addFrame(survey, 0, 1, id, place, place), th_resultOk);
    assert_int_equal(addFrame(survey, 1, 0, NULL, NULL, NULL), th_resultOk);
    assert_int_equal(addFrame(survey, 2, 1, id, place, place), th_resultOk);
    assert_int_equal(addFrame(survey, 9, 0, NULL, NULL, NULL), th_resultOk);
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    const thSurveyResult result = thSurvey_GetResult(survey);
    assert_int_equal(result.frames, 2);
    assert_near(result.duration, 0.2, 1e-12);
    assert_near(result.meanAtOnce, 1.0, 0.0);
    assert_int_equal(result.nearest.count, 0);
    assert_int_equal(result.speed.count, 2);
    assert_near(result.pairsPerFrame, 0.0, 0.0);
    assert_near(result.stuckShare, 0.0, 0.0);
    assert_true(isnan(result.maxWallDepth));
    assert_true(isnan(result.laneOrder));
    thDestroySurvey(survey);
}

static void testCounts(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(4.0);
    Sightings sightings = {0};
    for (int32_t frame = 10; frame <= 30; ++frame)
        see(&sightings, frame, UINT32_MAX, frame, 0.0);
    for (int32_t frame = 20; frame <= 25; ++frame)
        see(&sightings, frame, 0, 0.0, 2.0 * frame);
    for (int32_t frame = 20; frame <= 21; ++frame)
        see(&sightings, frame, 5000, 0.0, -2.0 * frame);
    thSurvey* survey = surveyOf(&def, &sightings);
    const thSurveyResult result = thSurvey_GetResult(survey);
    assert_int_equal(result.frames, 21);
    assert_int_equal(result.people, 3);
    assert_int_equal(result.mostAtOnce, 3);
    assert_near(result.meanAtOnce, 29.0 / 21.0, 1e-12);
    assert_near(result.duration, 5.0, 1e-12);
    // In the order of first appearance, then id.
    const uint32_t ids[] = {UINT32_MAX, 0, 5000};
    for (int32_t i = 0; i < 3; ++i)
        assert_int_equal(thSurvey_GetPerson(survey, i).id, ids[i]);
    const thPersonResult second = thSurvey_GetPerson(survey, 1);
    assert_int_equal(second.first, 20);
    assert_int_equal(second.last, 25);
    assert_near(second.length, 10.0, 1e-12);
    assert_near(second.speed, 8.0, 1e-12);
    // All at an even speed: 4, 8 and 8 m/s.
    assert_near(result.speed.least, 4.0, 1e-9);
    assert_near(result.speed.greatest, 8.0, 1e-9);
    assert_near(result.speed.mean, (21 * 4.0 + 8 * 8.0) / 29.0, 1e-9);
    thDestroySurvey(survey);
    freeSightings(&sightings);
}

// What is told of people becomes true with its frame, also where parts lag behind, and may be told
// long before.
static void testTold(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(10.0); // three frames ahead are needed for speeds
    thSurvey* survey = createSurvey(&def);
    const uint32_t id[] = {3, 9};
    const double x[] = {0.0, 0.3}, y[] = {0.0, 0.0};
    thRecordedPerson people[] = {personWith(9, 0.3f), personWith(3, 0.3f), personWith(77, 1.0f)};
    for (int64_t frame = 0; frame < 20; ++frame) {
        thRecording recording = {.frame = {frame, frame < 5 ? 0 : 2, id, x, y, NULL}};
        recording.people = people;
        if (frame == 0)
            recording.personCount = 3; // five frames before they come
        people[1].level = frame == 10; // 3 goes to another floor in frame 10 and comes back in 15
        if (frame == 10 || frame == 15) {
            recording.people = &people[1];
            recording.personCount = 1;
        }
        assert_int_equal(thSurvey_Add(survey, &recording), th_resultOk);
    }
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    const thSurveyResult result = thSurvey_GetResult(survey);
    assert_int_equal(result.people, 2); // 77 never came
    assert_int_equal(result.contacts, 2);
    assert_near(result.contactTime.mean, 0.5, 1e-12);
    assert_near(result.contactDepth.mean, 0.5, 1e-6);
    assert_int_equal(result.nearest.count, 20);
    thDestroySurvey(survey);
}

// All values that distributions are of are told.
static void testValues(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(10.0);
    Sightings sightings = {0};
    for (int32_t k = 0; k < 20; ++k) {
        see(&sightings, k, 1, 0.1 * k, 0.0);
        see(&sightings, k, 2, 0.2 * k, 3.0);
    }
    thSurvey* survey = surveyOf(&def, &sightings);
    int32_t count;
    double sum = 0.0;
    const double* speeds = thSurvey_GetValues(survey, th_valuesSpeed, &count);
    assert_int_equal(count, 40);
    for (int32_t i = 0; i < count; ++i)
        sum += speeds[i];
    assert_near(sum / count, 1.5, 1e-9);
    const double* nearest = thSurvey_GetValues(survey, th_valuesNearest, &count);
    assert_int_equal(count, 40);
    for (int32_t i = 0; i < count; ++i)
        assert_true(nearest[i] >= 3.0 && nearest[i] <= hypot(3.0, 1.9) + 1e-9);
    thDestroySurvey(survey);
    freeSightings(&sightings);
    thSurveyDef without = defWithRate(10.0);
    without.figures = 0;
    see(&sightings, 0, 1, 0.0, 0.0);
    survey = surveyOf(&without, &sightings);
    assert_null(thSurvey_GetValues(survey, th_valuesNearest, &count));
    assert_int_equal(count, 0);
    thDestroySurvey(survey);
    freeSightings(&sightings);
}

static void testBadFrames(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(10.0);
    thSurvey* survey = createSurvey(&def);
    const uint32_t id[] = {1, 2}, twice[] = {1, 1}, backwards[] = {2, 1};
    const double x[] = {0.0, 1.0}, none[] = {0.0, NAN}, far[] = {0.0, 2e9};
    assert_int_equal(addFrame(survey, 5, 2, id, x, x), th_resultOk);
    assert_int_equal(addFrame(survey, 5, 2, id, x, x), th_resultBadArgument);
    assert_int_equal(addFrame(survey, 4, 2, id, x, x), th_resultBadArgument);
    assert_int_equal(addFrame(survey, INT64_MAX, 2, id, x, x), th_resultBadArgument);
    assert_int_equal(addFrame(survey, 6, 2, twice, x, x), th_resultBadArgument);
    assert_int_equal(addFrame(survey, 6, 2, backwards, x, x), th_resultBadArgument);
    assert_int_equal(addFrame(survey, 6, 2, id, none, x), th_resultBadArgument);
    assert_int_equal(addFrame(survey, 6, 2, id, x, far), th_resultBadArgument);
    assert_int_equal(addFrame(survey, 6, -1, id, x, x), th_resultBadArgument);
    assert_int_equal(addFrame(survey, 6, 2, NULL, x, x), th_resultBadArgument);
    thRecordedPerson bad = personWith(1, NAN);
    thRecording recording = {.frame = {6, 2, id, x, x, NULL}, .people = &bad, .personCount = 1};
    assert_int_equal(thSurvey_Add(survey, &recording), th_resultBadArgument);
    bad = personWith(1, 0.2f);
    bad.level = -1;
    assert_int_equal(thSurvey_Add(survey, &recording), th_resultBadArgument);
    assert_int_equal(thSurvey_GetResult(survey).frames, 0); // it has not ended
    assert_int_equal(addFrame(survey, 6, 2, id, x, x), th_resultOk);
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    assert_int_equal(thSurvey_End(survey), th_resultBadArgument);
    assert_int_equal(addFrame(survey, 7, 2, id, x, x), th_resultBadArgument);
    assert_int_equal(thSurvey_GetResult(survey).frames, 2);
    assert_int_equal(thSurvey_GetPerson(survey, 2).id, 0);
    thDestroySurvey(survey);
}

static void assertRefused(const thSurveyDef* def, const char* text)
{
    thSurvey* survey = (thSurvey*)def;
    thError error = {0};
    assert_int_equal(thCreateSurvey(def, &survey, &error), th_resultBadArgument);
    assert_null(survey);
    if (strstr(error.text, text) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", text, error.text);
}

static void testBadDefs(void** state)
{
    (void)state;
    thSurveyDef def = thDefaultSurveyDef();
    assertRefused(&def, "the rate is 0");
    def = defWithRate(NAN);
    assertRefused(&def, "the rate is");
    def = defWithRate(10.0);
    def.speedFrames = 1001;
    assertRefused(&def, "1001 frames");
    def = defWithRate(10.0);
    def.radius = 0.0f;
    assertRefused(&def, "the radius is 0 m");
    def = defWithRate(10.0);
    def.cutOff = -1.0;
    assertRefused(&def, "the cut-off is -1 m");
    def = defWithRate(10.0);
    def.cutOffCorners = 7;
    assertRefused(&def, "7 corners");
    const thPlace points[] = {{0.0, 0.0}, {1.0, 0.0}, {1.0, INFINITY}};
    thRecordedShape shape = {th_shapeSolid, 0, points, 2, 0.0f};
    def = defWithRate(10.0);
    def.shapes = &shape;
    def.shapeCount = 1;
    assertRefused(&def, "shape 0 has 2 points");
    shape.pointCount = 3;
    assertRefused(&def, "shape 0 has a point");
    shape.level = 70000;
    shape.kind = th_shapeWall;
    shape.pointCount = 2;
    assertRefused(&def, "floor 70000");
    shape.kind = th_shapeKindCount;
    assertRefused(&def, "no known kind");
    const thSurveyLine line = {"gate", {1.0, 1.0}, {1.0, 1.0}, 0};
    def = defWithRate(10.0);
    def.lines = &line;
    def.lineCount = 1;
    assertRefused(&def, "line 'gate' has no length");
    def.lineCount = 257;
    assertRefused(&def, "257 lines");
    const thSurveyArea area = {"front", points, 2, 0};
    def = defWithRate(10.0);
    def.areas = &area;
    def.areaCount = 1;
    assertRefused(&def, "area 'front' has 2 corners");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testNothing), cmocka_unit_test(testEmptyFrames),
        cmocka_unit_test(testCounts),  cmocka_unit_test(testTold),
        cmocka_unit_test(testValues),  cmocka_unit_test(testBadFrames),
        cmocka_unit_test(testBadDefs),
    };
    return RUN_TESTS(tests, argc, argv);
}
