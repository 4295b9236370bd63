// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Paths, effort, turning, jerk and standing still, where formulas say what they must be.

#include "gear/property.h"
#include "measure/survey/survey_gear.h"

#define PI 3.14159265358979323846
#define STANDING 2.23
#define WALKING 1.26

// A straight line at an even speed: nothing turns, nothing jerks, effort is as the formula says.
static void testLine(void** state)
{
    (void)state;
    thSurveyDef def = defWithRate(10.0);
    const thPlace end = {500006.0, 4000008.0};
    const thRecordedShape goal = {th_shapeGoalPoint, 0, &end, 1, 0.0f};
    def.shapes = &goal;
    def.shapeCount = 1;
    Sightings sightings = {0};
    thRecordedPerson person = personWith(4, 0.2f);
    person.planned = 8.0f;
    person.speed = 1.6f;
    person.goal = 0;
    tell(&sightings, person);
    for (int32_t f = 0; f <= 100; ++f)
        see(&sightings, f, 4, 500000.0 + 0.06 * f, 4000000.0 + 0.08 * f);
    const thSurveyResult result = figuresOf(&def, &sightings);
    assert_near(result.presence.mean, 10.0, 1e-12);
    assert_near(result.chordRatio.mean, 1.0, 1e-9);
    assert_near(result.pathRatio.mean, 10.0 / 8.0, 1e-6);
    assert_near(result.timeRatio.mean, 10.0 / (8.0 / 1.6), 1e-6);
    assert_near(result.effort.mean, (STANDING + WALKING) * 10.0, 1e-6);
    assert_near(result.effortRatio.mean,
                (STANDING + WALKING) * 10.0 / (2.0 * 8.0 * sqrt(STANDING * WALKING)), 1e-6);
    assert_int_equal(result.turning.count, 1);
    assert_near(result.turning.mean, 0.0, 1e-6);
    assert_int_equal(result.jerk.count, 1);
    assert_near(result.jerk.mean, 0.0, 1e-5);
    assert_near(result.stuckShare, 0.0, 0.0);
    assert_near(result.speed.mean, 1.0, 1e-6);
    assert_near(result.speed.deviation, 0.0, 1e-6);
}

// Who is within 0.5 m and a frame's step of its goal has got there, by the straight line; what it
// does from then on does not count. Who is not says nothing about what was planned.
static void testGoals(void** state)
{
    (void)state;
    thSurveyDef def = defWithRate(10.0);
    const thPlace ends[] = {{99.0, 0.0}, {10.0, 0.0}, {10.0, 0.0}};
    const thRecordedShape shapes[] = {{th_shapeGoalPoint, 0, &ends[0], 1, 0.0f},
                                      {th_shapeWall, 0, &ends[0], 2, 0.0f},
                                      {th_shapeGoalPoint, 0, &ends[2], 1, 0.0f}};
    def.shapes = shapes;
    def.shapeCount = 3;
    Sightings sightings = {0};
    for (uint32_t id = 1; id <= 6; ++id) {
        thRecordedPerson person = personWith(id, 0.2f);
        person.planned = id == 5 ? 0.0f : 8.0f;
        person.speed = 1.25f;
        person.goal = id == 4 ? -1 : id == 6 ? 0 : 1; // among goals
        tell(&sightings, person);
    }
    // At 1 m/s: 0.55 m are left, 0.65 m are left, a minute at the goal, and the others as the
    // first.
    for (int32_t f = 0; f <= 700; ++f)
        for (uint32_t id = 1; id <= 6; ++id)
            if (id == 3 || f <= (id == 2 ? 93 : 94))
                see(&sightings, f, id, fmin(0.05 + 0.1 * f, 10.0), f < 120 ? 0.0 : 0.01 * (f % 2));
    thSurvey* survey = surveyOf(&def, &sightings);
    const thSurveyResult result = thSurvey_GetResult(survey);
    assert_int_equal(result.pathRatio.count, 2); // 1 and 3
    assert_near(result.pathRatio.least, 9.95 / 8.0, 1e-6);
    assert_near(result.pathRatio.greatest, 9.95 / 8.0, 1e-6);
    assert_int_equal(result.timeRatio.count, 2);
    assert_near(result.timeRatio.least, 9.95 / (8.0 / 1.25), 1e-6);
    assert_near(result.timeRatio.greatest, 9.95 / (8.0 / 1.25), 1e-6);
    // 4 and 5 against the straight distance; 2 and 6 have not got there.
    assert_int_equal(result.effortRatio.count, 4);
    const double effort = (STANDING + WALKING) / (2.0 * sqrt(STANDING * WALKING));
    assert_near(result.effortRatio.least, effort, 1e-6);
    assert_near(result.effortRatio.greatest, effort * 9.95 / 8.0, 1e-6);
    for (int32_t i = 0; i < 6; ++i)
        assert_int_equal(thSurvey_GetPerson(survey, i).pathRatio > 0.0, i == 0 || i == 2);
    thDestroySurvey(survey);
    freeSightings(&sightings);
}

// Of who was told of before it is seen the beginning of its path is not known.
static void testCameBefore(void** state)
{
    (void)state;
    thSurveyDef def = defWithRate(10.0);
    const thPlace end = {10.0, 0.0};
    const thRecordedShape goal = {th_shapeGoalPoint, 0, &end, 1, 0.0f};
    def.shapes = &goal;
    def.shapeCount = 1;
    Sightings sightings = {0};
    thRecordedPerson person = personWith(1, 0.2f);
    person.planned = 10.0f;
    person.speed = 1.0f;
    person.goal = 0;
    tell(&sightings, person);
    for (int32_t f = 0; f <= 100; ++f) {
        see(&sightings, f, 7, 0.0, 5.0);
        if (f >= 20)
            see(&sightings, f, 1, 0.1 * f, 0.0);
    }
    const thSurveyResult result = figuresOf(&def, &sightings);
    assert_int_equal(result.pathRatio.count, 0);
    assert_int_equal(result.timeRatio.count, 0);
    assert_int_equal(result.effortRatio.count, 1);
}

// On a circle the heading turns by v/r, and the third derivative is v³/r². Differences of places
// have (2/Δ sin(ωΔ/2))³ r instead.
static void testCircle(void** state)
{
    (void)state;
    const double rate = 25.0, speed = 1.3, radius = 2.0, turning = speed / radius;
    const thSurveyDef def = defWithRate(rate);
    Sightings sightings = {0};
    for (int32_t f = 0; f < 400; ++f)
        see(&sightings, f, 1, radius * cos(turning * f / rate), radius * sin(turning * f / rate));
    const thSurveyResult result = figuresOf(&def, &sightings);
    assert_near(result.turning.mean, turning, 1e-5);
    const double perFrame = 2.0 * sin(turning / rate / 2.0);
    assert_near(result.jerk.mean, radius * pow(perFrame * rate, 3.0), 1e-6);
    assert_near(result.jerk.mean, pow(speed, 3.0) / (radius * radius), 1e-3);
    assert_int_equal(result.pathRatio.count, 0);
    assert_int_equal(result.timeRatio.count, 0);
}

// Whoever stands, with all the noise of a camera, does not turn.
static void testStanding(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(25.0);
    Sightings sightings = {0};
    thGenerator g = makeGenerator(3, 0);
    for (int32_t f = 0; f < 1000; ++f)
        see(&sightings, f, 1, (double)drawFloat(&g, -0.02f, 0.02f),
            (double)drawFloat(&g, -0.02f, 0.02f));
    // The same, but with a walk before and after, straight on.
    for (int32_t f = 0; f < 1000; ++f) {
        const int32_t ahead = f < 100 ? f : f < 900 ? 100 : f - 800;
        const double noise = f < 100 || f >= 900 ? 0.0 : 0.02;
        see(&sightings, f, 2, 0.052 * ahead + noise * (double)drawUnit(&g),
            3.0 + noise * (double)drawUnit(&g));
    }
    const thSurveyResult result = figuresOf(&def, &sightings);
    assert_int_equal(result.turning.count, 1);
    assert_near(result.turning.greatest, 0.0, 0.05);
    assert_near(result.stuckShare, 0.0, 0.0); // 40 s only
}

// A square of 4 m, anticlockwise and with right angles: 3 of them between four edges.
static void testCorners(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(10.0);
    Sightings sightings = {0};
    const double ux[] = {1.0, 0.0, -1.0, 0.0}, uy[] = {0.0, 1.0, 0.0, -1.0};
    double x = 0.0, y = 0.0;
    for (int32_t f = 0; f < 160; ++f) {
        see(&sightings, f, 1, x, y);
        x += 0.125 * ux[f / 40];
        y += 0.125 * uy[f / 40];
    }
    const thSurveyResult result = figuresOf(&def, &sightings);
    // From the middle of the first piece to that of the last one.
    assert_near(result.turning.mean, 3.0 * PI / 2.0 / 15.8, 1e-5);
    assert_int_equal(result.chordRatio.count, 0); // it came back
}

// Nobody is stuck before 60 s; whoever drifts away by 0.5 m begins anew; so does who was away.
static void testStuck(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(2.0);
    Sightings sightings = {0};
    for (int32_t f = 0; f <= 125; ++f) {
        if (f <= 119)
            see(&sightings, f, 1, 0.0, 0.0); // 59.5 s
        if (f <= 120)
            see(&sightings, f, 2, 10.0, 0.0);        // 60 s
        see(&sightings, f, 3, 20.0 + 0.01 * f, 0.0); // 0.5 m in 25 s, and again
        see(&sightings, f, 4, 30.0 + (f % 2 == 0 ? 0.0 : 0.49), 0.0);
        if (f != 60)
            see(&sightings, f, 5, 40.0, 0.0);
    }
    const thSurveyResult result = figuresOf(&def, &sightings);
    assert_near(result.stuckShare, 2.0 / 5.0, 1e-12); // 2 and 4
}

// Somebody who is away for a while has gone straight at an even speed, as far as one knows.
static void testGap(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(1.0);
    Sightings sightings = {0};
    for (int32_t f = 0; f <= 30; ++f)
        see(&sightings, f, 1, 0.0, -5.0); // so that there are frames
    for (int32_t f = 0; f <= 30; ++f)
        if (f <= 10 || f >= 20)
            see(&sightings, f, 2, f <= 10 ? f : 10.0 + (f - 10) * 0.5, 0.0);
    thSurvey* survey = surveyOf(&def, &sightings);
    const thPersonResult person = thSurvey_GetPerson(survey, 1);
    assert_near(person.length, 20.0, 1e-9);
    assert_near(person.effort, STANDING * 30.0 + WALKING * (10.0 + 20.0 * 0.25), 1e-9);
    assert_near(thSurvey_GetResult(survey).presence.mean, 30.0, 1e-12);
    // No jerk across the gap, though speeds differ before and after it.
    assert_near(thSurvey_GetResult(survey).jerk.greatest, 0.0, 1e-9);
    thDestroySurvey(survey);
    freeSightings(&sightings);
}

// Too few sightings for anything.
static void testShort(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(10.0);
    Sightings sightings = {0};
    see(&sightings, 0, 1, 0.0, 0.0);
    see(&sightings, 0, 2, 1.0, 0.0);
    see(&sightings, 1, 2, 1.0, 0.25);
    const thSurveyResult result = figuresOf(&def, &sightings);
    assert_int_equal(result.presence.count, 2);
    assert_near(result.presence.least, 0.0, 0.0);
    assert_int_equal(result.turning.count, 0);
    assert_int_equal(result.jerk.count, 0);
    assert_int_equal(result.chordRatio.count, 0);
    assert_int_equal(result.effortRatio.count, 0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testLine),       cmocka_unit_test(testGoals),
        cmocka_unit_test(testCameBefore), cmocka_unit_test(testCircle),
        cmocka_unit_test(testStanding),   cmocka_unit_test(testCorners),
        cmocka_unit_test(testStuck),      cmocka_unit_test(testGap),
        cmocka_unit_test(testShort),
    };
    return RUN_TESTS(tests, argc, argv);
}
