// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shapes that change while a survey looks: doors open and shut, movers move, goals come and go.

#include "measure/survey/survey_shapes.h"

#include "gear/property.h"
#include "measure/survey/survey_gear.h"

static const thPlace room[] = {{0.0, 0.0}, {10.0, 0.0}, {10.0, 4.0}, {0.0, 4.0}};
static const thPlace door[] = {{5.0, 0.0}, {5.0, 4.0}};

// A frame with one person, and shapes or none.
static thResult addFrame(thSurvey* survey, int64_t number, thPlace place,
                         const thRecordedShape* shapes, int32_t shapeCount)
{
    const uint32_t id = 1;
    const thRecording recording = {.frame = {number, 1, &id, &place.x, &place.y, NULL},
                                   .shapes = shapes,
                                   .shapeCount = shapeCount};
    return thSurvey_Add(survey, &recording);
}

// Shut, open from frame 10 on, shut again in frame 20: with its frame, though frames wait. A mover
// brings all shapes in every frame.
static void testDoor(void** state)
{
    (void)state;
    const thPlace left[] = {{0.0, 0.0}, {5.0, 0.0}, {5.0, 4.0}, {0.0, 4.0}};
    const thSurveyArea area = {"left", left, 4, 0};
    thPlace mover = {0.0, 2.0};
    const thRecordedShape shapes[] = {{th_shapeRoom, 0, room, 4, 0.0f},
                                      {th_shapeMovingDisc, 0, &mover, 1, 0.5f},
                                      {th_shapeWall, 0, door, 2, 0.0f}};
    thSurveyDef def = defWithRate(10.0);
    def.areas = &area;
    def.areaCount = 1;
    thSurvey* survey = createSurvey(&def);
    for (int32_t f = 0; f < 24; ++f) {
        mover.x = f;
        const thPlace place = {4.9, 2.0};
        const bool isOpen = f >= 10 && f < 20;
        assert_int_equal(addFrame(survey, f, place, shapes, isOpen ? 2 : 3), th_resultOk);
    }
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    const thAreaResult result = thSurvey_GetArea(survey, 0);
    assert_int_equal(result.frameCount, 24);
    for (int32_t f = 0; f < 24; ++f) {
        const bool isOpen = f >= 10 && f < 20;
        assert_near(result.frames[f].voronoiDensity, isOpen ? 1.0 / 40.0 : 1.0 / 20.0, 1e-12);
    }
    assert_near(thSurvey_GetResult(survey).inWallShare, 14.0 / 24.0, 1e-12);
    assert_near(thSurvey_GetResult(survey).maxWallDepth, 0.1, 1e-6);
    thDestroySurvey(survey);
}

// Walls that come are walls from then on, and where all go there are none.
static void testComeAndGo(void** state)
{
    (void)state;
    const thRecordedShape shape = {th_shapeSolid, 0, room, 4, 0.0f};
    const thSurveyDef def = defWithRate(1.0);
    thSurvey* survey = createSurvey(&def);
    const thPlace place = {1.0, 1.0};
    assert_int_equal(addFrame(survey, 0, place, NULL, 0), th_resultOk);
    assert_int_equal(addFrame(survey, 1, place, &shape, 1), th_resultOk);
    assert_int_equal(addFrame(survey, 2, place, NULL, 0), th_resultOk);
    assert_int_equal(addFrame(survey, 3, place, &shape, 0), th_resultOk);
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    assert_near(thSurvey_GetResult(survey).maxWallDepth, 1.2, 1e-6);
    assert_near(thSurvey_GetResult(survey).inWallShare, 1.0, 0.0); // where there are walls
    thDestroySurvey(survey);
}

// Any of four boxes may be there in a frame, and are told of only when something has changed.
static bool boxesHold(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const thSurveyDef def = defWithRate(10.0);
    thSurvey* survey = createSurvey(&def);
    thPlace corners[4][4];
    int32_t present = 0, seen = 0, deep = 0;
    for (int32_t f = 0; f < size; ++f) {
        const int32_t boxes = drawUnit(g) < 0.5f ? present : drawInt(g, 0, 15);
        thRecordedShape shapes[4];
        int32_t count = 0;
        for (int32_t box = 0; box < 4; ++box) {
            const double x = 10.0 * box;
            const thPlace at[] = {{x, 0.0}, {x + 5.0, 0.0}, {x + 5.0, 5.0}, {x, 5.0}};
            memcpy(corners[box], at, sizeof at);
            if ((boxes >> box & 1) != 0)
                shapes[count++] = (thRecordedShape){th_shapeSolid, 0, corners[box], 4, 0.0f};
        }
        const int32_t column = drawInt(g, 0, 7);
        const thPlace place = {5.0 * column + 2.5, 2.5};
        assert_int_equal(addFrame(survey, f, place, boxes != present ? shapes : NULL, count),
                         th_resultOk);
        present = boxes;
        seen += boxes != 0;
        deep += column % 2 == 0 && (boxes >> column / 2 & 1) != 0;
    }
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    const double share = thSurvey_GetResult(survey).inWallShare;
    thDestroySurvey(survey);
    return seen == 0 ? isnan(share) : isNear(share, (double)deep / seen, 1e-12);
}

static void testBruteForce(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"survey shapes", 3, 500, 60, boxesHold, NULL});
}

static void testBadShapes(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(1.0);
    thSurvey* survey = createSurvey(&def);
    thRecordedShape shape = {th_shapeRoom, 0, room, 2, 0.0f};
    const thPlace place = {1.0, 1.0};
    assert_int_equal(addFrame(survey, 0, place, &shape, 1), th_resultBadArgument);
    shape.pointCount = 4;
    assert_int_equal(addFrame(survey, 0, place, &shape, -1), th_resultBadArgument);
    assert_int_equal(addFrame(survey, 0, place, &shape, 1), th_resultOk);
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    assert_near(thSurvey_GetResult(survey).inWallShare, 0.0, 0.0);
    thDestroySurvey(survey);
}

static void testGoalDistance(void** state)
{
    (void)state;
    const thRecordedShape polygon = {th_shapeGoalPolygon, 0, room, 4, 0.0f};
    const thRecordedShape segment = {th_shapeGoalSegment, 0, door, 2, 0.0f};
    const thRecordedShape point = {th_shapeGoalPoint, 0, door, 1, 0.0f};
    const thRecordedShape disc = {th_shapeGoalDisc, 0, door, 1, 2.0f};
    assert_near(thiGoalDistance(&polygon, 5.0, 1.0), 0.0, 0.0);
    assert_near(thiGoalDistance(&polygon, 13.0, 8.0), 5.0, 1e-12);
    assert_near(thiGoalDistance(&segment, 8.0, 2.0), 3.0, 1e-12);
    assert_near(thiGoalDistance(&segment, 8.0, 8.0), 5.0, 1e-12);
    assert_near(thiGoalDistance(&point, 8.0, 4.0), 5.0, 1e-12);
    assert_near(thiGoalDistance(&disc, 8.0, 4.0), 3.0, 1e-12);
    assert_near(thiGoalDistance(&disc, 6.0, 1.0), 0.0, 0.0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDoor),         cmocka_unit_test(testComeAndGo),
        cmocka_unit_test(testBruteForce),   cmocka_unit_test(testBadShapes),
        cmocka_unit_test(testGoalDistance),
    };
    return RUN_TESTS(tests, argc, argv);
}
