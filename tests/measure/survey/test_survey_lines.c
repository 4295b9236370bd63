// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Crossings of lines, against plain counting in whole numbers; flows and time gaps that are known.

#include "gear/allocators.h"
#include "gear/property.h"
#include "measure/survey/survey_gear.h"

#include <math.h>

#define MOST_PEOPLE 32
#define MOST_FRAMES 64

// Where people are in each frame; all are there in all frames.
typedef struct Film {
    int32_t people, frames;
    thPlace at[MOST_FRAMES][MOST_PEOPLE];
} Film;

static thSurvey* makeSurvey(const thSurveyLine* lines, int32_t lineCount)
{
    thSurveyDef def = thDefaultSurveyDef();
    def.rate = 10.0;
    def.speedFrames = 1;
    def.lines = lines;
    def.lineCount = lineCount;
    return createSurvey(&def);
}

static thResult show(thSurvey* survey, const Film* film, const thRecordedPerson* about)
{
    uint32_t id[MOST_PEOPLE];
    double x[MOST_PEOPLE], y[MOST_PEOPLE];
    for (int32_t frame = 0; frame < film->frames; ++frame) {
        for (int32_t i = 0; i < film->people; ++i) {
            id[i] = (uint32_t)i + 1;
            x[i] = film->at[frame][i].x;
            y[i] = film->at[frame][i].y;
        }
        const thRecording recording = {.frame = {frame, film->people, id, x, y, NULL},
                                       .people = about,
                                       .personCount = about != NULL && frame == 0 ? 1 : 0};
        const thResult code = thSurvey_Add(survey, &recording);
        if (code != th_resultOk)
            return code;
    }
    return thSurvey_End(survey);
}

// --- Plain counting, in whole numbers ---

typedef struct Counted {
    int64_t all;
    int32_t first[MOST_PEOPLE];     // frame, −1: never
    int32_t direction[MOST_PEOPLE]; // of that crossing
} Counted;

static int64_t turn(thPlace a, thPlace b, thPlace p)
{
    return (int64_t)(b.x - a.x) * (int64_t)(p.y - a.y) -
           (int64_t)(b.y - a.y) * (int64_t)(p.x - a.x);
}

// From one side to the other (the line itself counts as right), not past an end.
static int32_t crosses(thPlace a, thPlace b, thPlace from, thPlace to)
{
    const int64_t before = turn(a, b, from), after = turn(a, b, to);
    if ((before > 0) == (after > 0))
        return 0;
    const int64_t atA = turn(from, to, a), atB = turn(from, to, b);
    if ((atA > 0 && atB > 0) || (atA < 0 && atB < 0))
        return 0;
    return before > 0 ? 1 : -1;
}

static void count(const Film* film, const thSurveyLine* line, Counted* counted)
{
    *counted = (Counted){0};
    for (int32_t i = 0; i < film->people; ++i) {
        counted->first[i] = -1;
        for (int32_t frame = 1; frame < film->frames; ++frame) {
            const int32_t direction =
                crosses(line->a, line->b, film->at[frame - 1][i], film->at[frame][i]);
            if (direction == 0)
                continue;
            counted->all += 1;
            if (counted->first[i] < 0) {
                counted->first[i] = frame;
                counted->direction[i] = direction;
            }
        }
    }
}

static bool isSame(const thLineResult* line, const Counted* counted, int32_t people)
{
    int32_t crossers = 0;
    for (int32_t i = 0; i < people; ++i)
        crossers += counted->first[i] >= 0;
    if (line->crossingCount != crossers || line->allCrossings != (uint64_t)counted->all)
        return false;
    for (int32_t i = 0; i < crossers; ++i) {
        const thCrossing* crossing = &line->crossings[i];
        const int32_t frame = counted->first[crossing->id - 1];
        if (crossing->frame != frame || crossing->direction != counted->direction[crossing->id - 1])
            return false;
        if (crossing->time < (frame - 1) / 10.0 - 1e-12 || crossing->time > frame / 10.0 + 1e-12)
            return false;
        if (i > 0 && crossing[-1].time > crossing->time)
            return false;
    }
    return true;
}

// Small whole numbers: people stand on lines, walk along them and go over their ends all the time.
static bool countsLikePlainly(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static Film film;
    film.people = drawInt(g, 0, size);
    film.frames = drawInt(g, 1, MOST_FRAMES);
    for (int32_t frame = 0; frame < film.frames; ++frame)
        for (int32_t i = 0; i < film.people; ++i)
            film.at[frame][i] = (thPlace){drawInt(g, -3, 3), drawInt(g, -3, 3)};
    thSurveyLine lines[4];
    for (int32_t i = 0; i < 4; ++i) {
        lines[i] = (thSurveyLine){"line", {drawInt(g, -3, 3), drawInt(g, -3, 3)}, {0.0, 0.0}, 0};
        lines[i].b = (thPlace){lines[i].a.x + drawInt(g, 1, 4), lines[i].a.y + drawInt(g, -3, 3)};
    }
    thSurvey* survey = makeSurvey(lines, 4);
    assert_int_equal(show(survey, &film, NULL), th_resultOk);
    bool same = true;
    for (int32_t i = 0; i < 4; ++i) {
        Counted counted;
        count(&film, &lines[i], &counted);
        const thLineResult line = thSurvey_GetLine(survey, i);
        same = same && isSame(&line, &counted, film.people);
    }
    thDestroySurvey(survey);
    return same;
}

static void testPlainly(void** state)
{
    (void)state;
    assertProperty(
        &(thProperty){"countsLikePlainly", 11, 300, MOST_PEOPLE, countsLikePlainly, NULL});
}

static const thSurveyLine upright[] = {{"upright", {5.0, 0.0}, {5.0, 2.0}, 0}};

// One person per row of times at which it passes x = 5 at 1 m/s, from the left to the right of the
// page: of the line, which goes up, that is from the left to the right too.
static void testFlow(void** state)
{
    (void)state;
    const double times[] = {1.25, 1.5, 2.0, 3.0, 3.05};
    Film film = {.people = 5, .frames = 50};
    for (int32_t frame = 0; frame < film.frames; ++frame)
        for (int32_t i = 0; i < film.people; ++i)
            film.at[frame][i] = (thPlace){5.0 + 0.1 * frame - times[i], 0.3 * i};
    thSurvey* survey = makeSurvey(upright, 1);
    assert_int_equal(show(survey, &film, NULL), th_resultOk);
    const thLineResult line = thSurvey_GetLine(survey, 0);
    assert_int_equal(line.crossingCount, 5);
    assert_int_equal(line.allCrossings, 5);
    for (int32_t i = 0; i < 5; ++i) {
        assert_near(line.crossings[i].time, times[i], 1e-9);
        assert_near(line.crossings[i].speed, 1.0, 1e-9);
        assert_int_equal(line.crossings[i].id, i + 1);
        assert_int_equal(line.crossings[i].direction, 1);
    }
    assert_near(line.flow, 4.0 / 1.8, 1e-9);
    assert_near(line.specificFlow, 4.0 / 1.8 / 2.0, 1e-9);
    assert_near(line.steadyFlow, 2.0 / 1.5, 1e-9); // of the middle three
    assert_int_equal(line.timeGap.count, 4);
    assert_near(line.timeGap.mean, 1.8 / 4.0, 1e-9);
    assert_near(line.timeGap.greatest, 1.0, 1e-9);
    thDestroySurvey(survey);
}

// Waiting on the line, on the way over it.
static void testStandingOnTheLine(void** state)
{
    (void)state;
    const double paths[2][6] = {{4.0, 5.0, 5.0, 5.0, 6.0, 7.0}, {7.0, 6.0, 5.0, 5.0, 5.0, 4.0}};
    Film film = {.people = 2, .frames = 6};
    for (int32_t frame = 0; frame < film.frames; ++frame)
        for (int32_t i = 0; i < film.people; ++i)
            film.at[frame][i] = (thPlace){paths[i][frame], 1.0};
    thSurvey* survey = makeSurvey(upright, 1);
    assert_int_equal(show(survey, &film, NULL), th_resultOk);
    const thLineResult line = thSurvey_GetLine(survey, 0);
    assert_int_equal(line.crossingCount, 2);
    assert_int_equal(line.allCrossings, 2);
    assert_near(line.crossings[0].time, 0.1, 1e-12);
    assert_int_equal(line.crossings[0].direction, 1);
    assert_near(line.crossings[1].time, 0.4, 1e-12);
    assert_int_equal(line.crossings[1].direction, -1);
    thDestroySurvey(survey);
}

// Who comes back is counted once among the people and each time among all.
static void testComingBack(void** state)
{
    (void)state;
    Film film = {.people = 1, .frames = 9};
    for (int32_t frame = 0; frame < film.frames; ++frame)
        film.at[frame][0] = (thPlace){frame % 2 == 0 ? 4.5 : 5.5, 1.0};
    thSurvey* survey = makeSurvey(upright, 1);
    assert_int_equal(show(survey, &film, NULL), th_resultOk);
    const thLineResult line = thSurvey_GetLine(survey, 0);
    assert_int_equal(line.crossingCount, 1);
    assert_int_equal(line.allCrossings, 8);
    assert_true(line.flow == 0.0 && line.steadyFlow == 0.0 && line.specificFlow == 0.0);
    assert_int_equal(line.timeGap.count, 0);
    thDestroySurvey(survey);
}

// Someone who is not seen for some frames has gone straight on between.
static void testNotSeenForSomeFrames(void** state)
{
    (void)state;
    thSurvey* survey = makeSurvey(upright, 1);
    const uint32_t id = 7;
    for (int32_t i = 0; i < 2; ++i) {
        const double x = i == 0 ? 4.0 : 8.0, y = 1.0;
        const thRecording recording = {.frame = {i == 0 ? 3 : 11, 1, &id, &x, &y, NULL}};
        assert_int_equal(thSurvey_Add(survey, &recording), th_resultOk);
    }
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    const thLineResult line = thSurvey_GetLine(survey, 0);
    assert_int_equal(line.crossingCount, 1);
    assert_near(line.crossings[0].time, 0.5, 1e-12);
    assert_int_equal(line.crossings[0].frame, 11);
    thDestroySurvey(survey);
}

static void testOtherFloor(void** state)
{
    (void)state;
    Film film = {.people = 1, .frames = 3};
    for (int32_t frame = 0; frame < film.frames; ++frame)
        film.at[frame][0] = (thPlace){4.0 + frame, 1.0};
    const thSurveyLine lines[] = {{"below", {5.0, 0.0}, {5.0, 2.0}, 0},
                                  {"above", {5.0, 0.0}, {5.0, 2.0}, 2}};
    const thRecordedPerson about = {.id = 1, .level = 2, .goal = -1, .group = -1, .entry = -1};
    thSurvey* survey = makeSurvey(lines, 2);
    assert_int_equal(show(survey, &film, &about), th_resultOk);
    assert_int_equal(thSurvey_GetLine(survey, 0).crossingCount, 0);
    assert_int_equal(thSurvey_GetLine(survey, 1).crossingCount, 1);
    thDestroySurvey(survey);
}

static thResult surveyOnce(const thAllocator* allocator, void* context)
{
    thSurveyDef def = thDefaultSurveyDef();
    def.rate = 10.0;
    def.lines = upright;
    def.lineCount = 1;
    def.allocator = *allocator;
    thSurvey* survey;
    thResult code = thCreateSurvey(&def, &survey, NULL);
    if (code == th_resultOk)
        code = show(survey, context, NULL);
    thDestroySurvey(survey);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    Film film = {.people = 20, .frames = 20};
    for (int32_t frame = 0; frame < film.frames; ++frame)
        for (int32_t i = 0; i < film.people; ++i)
            film.at[frame][i] = (thPlace){4.0 + 0.05 * i + 0.1 * frame, 0.1 * i};
    failEachAllocation(surveyOnce, &film);
}

// People who pass a little beside an end are not counted, those a little within are.
static void testBesideTheEnds(void** state)
{
    (void)state;
    static const double beside[] = {0.001, 0.02, 0.05, 0.3};
    thGenerator g = makeGenerator(12, 1);
    for (int32_t round = 0; round < 64; ++round) {
        const double angle = (double)drawFloat(&g, 0.0f, 6.28f);
        const double length = (double)drawFloat(&g, 0.7f, 5.0f), x = cos(angle), y = sin(angle);
        const thPlace a = {(double)drawFloat(&g, -9.0f, 9.0f), (double)drawFloat(&g, -9.0f, 9.0f)};
        const thSurveyLine line = {.a = a, .b = {a.x + length * x, a.y + length * y}};
        Film film = {.people = 16, .frames = 2};
        for (int32_t i = 0; i < 16; ++i) {
            const double off = (i & 1 ? 1.0 : -1.0) * beside[i >> 2]; // positive: beside it
            const double along = i & 2 ? length + off : -off;
            const double slant = (double)drawFloat(&g, -0.5f, 0.5f);
            const double side = drawInt(&g, 0, 1) == 0 ? 0.4 : -0.4;
            const thPlace on = {a.x + along * x, a.y + along * y};
            const double dx = side * (slant * x - y), dy = side * (slant * y + x);
            film.at[0][i] = (thPlace){on.x - dx, on.y - dy};
            film.at[1][i] = (thPlace){on.x + dx, on.y + dy};
        }
        thSurvey* survey = makeSurvey(&line, 1);
        assert_int_equal(show(survey, &film, NULL), th_resultOk);
        const thLineResult result = thSurvey_GetLine(survey, 0);
        assert_int_equal(result.allCrossings, 8);
        for (int32_t i = 0; i < result.crossingCount; ++i)
            assert_int_equal(result.crossings[i].id & 1, 1); // ids are one more than numbers
        thDestroySurvey(survey);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPlainly),    cmocka_unit_test(testBesideTheEnds),
        cmocka_unit_test(testFlow),       cmocka_unit_test(testStandingOnTheLine),
        cmocka_unit_test(testComingBack), cmocka_unit_test(testNotSeenForSomeFrames),
        cmocka_unit_test(testOtherFloor), cmocka_unit_test(testNoMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
