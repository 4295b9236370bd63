// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Memory: what a survey needs of it, and what happens when there is none.

#include "gear/allocators.h"
#include "gear/property.h"
#include "measure/survey/survey_gear.h"

static const thPlace corners[] = {{0.0, 0.0}, {9.0, 0.0}, {9.0, 9.0}, {0.0, 9.0}};
static const thPlace pillar[] = {{4.0, 4.0}, {5.0, 4.0}, {5.0, 5.0}};
static const thRecordedShape shapes[] = {{th_shapeRoom, 0, corners, 4, 0.0f},
                                         {th_shapeSolid, 1, pillar, 3, 0.0f},
                                         {th_shapeWall, 1, corners, 3, 0.0f}};
static const thSurveyLine lines[] = {{"middle", {0.0, 4.0}, {9.0, 4.5}, 0},
                                     {NULL, {0.0, 0.0}, {1.0, 1.0}, 1}};
static const thSurveyArea areas[] = {{"left", corners, 4, 0}, {NULL, pillar, 3, 0}};

// People who come and go, overlap, and form groups.
static Sightings drawSightings(int32_t personCount, int32_t frameCount)
{
    Sightings sightings = {0};
    thGenerator g = makeGenerator(8, 0);
    for (int32_t i = 0; i < personCount; ++i) {
        thRecordedPerson person = personWith((uint32_t)(3 * i), drawFloat(&g, 0.1f, 0.4f));
        person.group = i % 4 - 1;
        person.planned = 3.0f;
        person.speed = 1.0f;
        person.level = i % 5 == 0;
        tell(&sightings, person);
        const int32_t begin = drawInt(&g, 0, frameCount / 2), end = drawInt(&g, begin, frameCount);
        for (int32_t f = begin; f < end; ++f)
            see(&sightings, f, person.id, (double)drawFloat(&g, 0.0f, 9.0f), 0.2 * (f - begin));
    }
    return sightings;
}

static thSurveyDef richDef(void)
{
    thSurveyDef def = defWithRate(10.0);
    def.shapes = shapes;
    def.shapeCount = 3;
    def.lines = lines;
    def.lineCount = 2;
    def.areas = areas;
    def.areaCount = 2;
    return def;
}

static thResult survey(const thAllocator* allocator, void* context)
{
    thSurveyDef def = richDef();
    def.allocator = *allocator;
    thSurvey* made;
    thResult code = thCreateSurvey(&def, &made, NULL);
    assert_true((code == th_resultOk) == (made != NULL));
    if (code == th_resultOk)
        code = showSightings(made, context);
    if (code == th_resultOk) { // a wall is gone, a goal is there
        const thRecordedShape others[] = {shapes[0], {th_shapeGoalPoint, 0, corners, 1, 0.0f}};
        const thRecording later = {.frame = {.number = 100}, .shapes = others, .shapeCount = 2};
        code = thSurvey_Add(made, &later);
    }
    if (code == th_resultOk)
        code = thSurvey_End(made);
    else if (made != NULL) // once memory was out, it stays so
        assert_int_equal(thSurvey_End(made), th_resultNoMemory);
    if (code == th_resultOk)
        assert_true(thSurvey_GetResult(made).contacts > 0);
    thDestroySurvey(made);
    return code;
}

static void testFailEach(void** state)
{
    (void)state;
    Sightings sightings = drawSightings(30, 20);
    assert_in_range(failEachAllocation(survey, &sightings), 50, 5000);
    freeSightings(&sightings);
}

// In proportion to people, not to frames; only the values of distributions add up.
static void testBounded(void** state)
{
    (void)state;
    enum { people = 500 };
    thTestAllocator test;
    testAllocatorInit(&test);
    thSurveyDef def = defWithRate(10.0);
    def.allocator = testAllocator(&test);
    thSurvey* made = createSurvey(&def);
    uint32_t id[people];
    double x[people], y[people];
    int64_t bytesEarly = 0, values = 0;
    for (int64_t frame = 0; frame < 400; ++frame) {
        for (int32_t i = 0; i < people; ++i) {
            id[i] = (uint32_t)i;
            x[i] = i % 23 + 0.1 * (double)frame;
            y[i] = i / 23 + 0.0;
        }
        const thRecording recording = {.frame = {frame, people, id, x, y, NULL}};
        assert_int_equal(thSurvey_Add(made, &recording), th_resultOk);
        values += 2 * people; // speeds and nearest ones
        if (frame == 20)
            bytesEarly = test.liveBytes;
    }
    assert_true(test.liveBytes <= bytesEarly + values * 8 * 3 / 2);
    assert_int_equal(thSurvey_End(made), th_resultOk);
    assert_int_equal(thSurvey_GetResult(made).bytes, (uint64_t)test.liveBytes);
    thDestroySurvey(made);
    testAllocatorFinish(&test);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testFailEach),
        cmocka_unit_test(testBounded),
    };
    return RUN_TESTS(tests, argc, argv);
}
