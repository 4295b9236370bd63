// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Surveys of a recording of real people at a bottleneck, against what another analysis tool found.
// The data lies beside the repository and is not part of it; without it there is nothing to test.

#include "measure/survey/survey_gear.h"

#include <stdio.h>

#define TRACKS THRONG_SHARED_DATA "/trajectories_juelich/bottleneck/ao-300.txt"
#define REFERENCE THRONG_SHARED_DATA "/analysis_reference/bottleneck/"
#define VORONOI REFERENCE "Classical_Voronoi/rho_v_Voronoi_Voronoi_traj.txt_id_1"
#define FRAMES 959

static Sightings tracks;
static thSurvey* plain;      // NULL: no data
static thSurvey* shortCells; // with a cut-off

// --- What the other tool found ---

typedef struct Found {
    bool is;
    double first, second;
} Found;

// Lines of frame, number, number.
static void readFound(const char* path, Found found[FRAMES])
{
    memset(found, 0, FRAMES * sizeof *found);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    char line[256];
    while (fgets(line, sizeof line, file) != NULL) {
        int frame;
        double first, second;
        if (sscanf(line, "%d %lf %lf", &frame, &first, &second) != 3)
            continue;
        assert_in_range(frame, 0, FRAMES - 1);
        found[frame] = (Found){true, first, second};
    }
    fclose(file);
}

// --- What we find ---

static const thPlace room[] = {{4.0, 6.25},   {4.0, 0.53},  {2.4, 0.53},   {2.4, -0.53},
                               {4.0, -0.53},  {4.0, -8.5},  {-2.25, -8.5}, {-2.25, -0.53},
                               {-0.6, -0.53}, {-0.6, 0.53}, {-2.25, 0.53}, {-2.25, 6.25}};
static const thRecordedShape shapes[] = {{th_shapeRoom, 0, room, 12, 0.0f}};
static const thPlace gap[] = {{2.4, 0.53}, {2.4, -0.53}, {-0.6, -0.53}, {-0.6, 0.53}};
static const thSurveyArea areas[] = {{"gap", gap, 4, 0}};
static const thSurveyLine lines[] = {{"behind", {-2.25, 0.5}, {4.0, 0.5}, 0},
                                     {"middle", {-2.25, 0.0}, {4.0, 0.0}, 0}};

static thSurvey* surveyTracks(double cutOff)
{
    thSurveyDef def = defWithRate(16.0);
    def.speedFrames = 5;
    def.shapes = shapes;
    def.shapeCount = 1;
    def.areas = areas;
    def.areaCount = 1;
    def.lines = lines;
    def.lineCount = 2;
    def.cutOff = cutOff;
    return surveyOf(&def, &tracks);
}

static int surveyAll(void** state)
{
    (void)state;
    if (!readSightings(&tracks, TRACKS, 1.0)) {
        printf("nothing is tested: there is no " TRACKS "\n");
        return 0;
    }
    plain = surveyTracks(0.0);
    shortCells = surveyTracks(0.8);
    return 0;
}

static int freeAll(void** state)
{
    (void)state;
    thDestroySurvey(plain);
    thDestroySurvey(shortCells);
    freeSightings(&tracks);
    return 0;
}

// --- Comparison ---

// They round to three decimals.
#define ROUNDING 0.000501

static const thAreaFrame* frameOf(const thSurvey* survey, int32_t number)
{
    const thAreaResult area = thSurvey_GetArea(survey, 0);
    assert_int_equal(area.frameCount, FRAMES);
    assert_int_equal(area.frames[number].frame, number);
    return &area.frames[number];
}

static int32_t peopleIn(int32_t frame)
{
    int32_t count = 0;
    for (int32_t i = 0; i < tracks.count; ++i)
        count += tracks.items[i].frame == frame;
    return count;
}

// In the first five frames they measure speeds of everybody from the frame itself on, we from the
// first frame on; the first of these frames is the same in both. Everybody else appears so far away
// from the area that it makes no difference.
static bool beginsOtherwise(int32_t frame)
{
    return frame >= 1 && frame <= 4;
}

static void compareVoronoi(const thSurvey* survey, const Found* found, int32_t frame)
{
    const thAreaFrame* ours = frameOf(survey, frame);
    assert_near(ours->voronoiDensity, found[frame].first, ROUNDING);
    if (!beginsOtherwise(frame))
        assert_near(ours->voronoiSpeed, found[frame].second, ROUNDING);
}

static void testPeopleBehindTheGap(void** state)
{
    (void)state;
    if (plain == NULL)
        skip();
    const thLineResult line = thSurvey_GetLine(plain, 0);
    Found found[FRAMES];
    readFound(REFERENCE "FlowVelocity/Flow_NT_traj_AO_300.txt_id_4.dat", found);
    for (int32_t frame = 0; frame < FRAMES; ++frame) {
        assert_true(found[frame].is);
        int32_t count = 0;
        for (int32_t i = 0; i < line.crossingCount; ++i)
            count += line.crossings[i].frame <= frame;
        assert_int_equal(count, (int32_t)found[frame].second);
    }
}

// Published figures of the same run.
static void testFlowInTheGap(void** state)
{
    (void)state;
    if (plain == NULL)
        skip();
    const thLineResult line = thSurvey_GetLine(plain, 1);
    assert_int_equal(line.crossingCount, 348);
    assert_near(line.flow, 6.695, ROUNDING);
    assert_near(line.steadyFlow, 7.159, ROUNDING);
}

static void testClassic(void** state)
{
    (void)state;
    if (plain == NULL)
        skip();
    Found found[FRAMES];
    readFound(REFERENCE "Classical_Voronoi/rho_v_Classic_traj.txt_id_1.dat", found);
    for (int32_t frame = 0; frame < FRAMES; ++frame) {
        assert_true(found[frame].is);
        assert_near(frameOf(plain, frame)->density, found[frame].first, ROUNDING);
        assert_near(frameOf(plain, frame)->speed, found[frame].second, ROUNDING);
    }
}

// They leave frames with three people or less out.
static void testVoronoi(void** state)
{
    (void)state;
    if (plain == NULL)
        skip();
    Found found[FRAMES];
    readFound(VORONOI ".dat", found);
    for (int32_t frame = 0; frame < FRAMES; ++frame) {
        assert_int_equal(found[frame].is, peopleIn(frame) > 3);
        if (found[frame].is)
            compareVoronoi(plain, found, frame);
    }
}

// To one or two people they add four more, 14 m away, which bound the cells.
static void testFewPeople(void** state)
{
    (void)state;
    if (plain == NULL)
        skip();
    Found found[FRAMES];
    readFound(VORONOI "_blind_points.dat", found);
    for (int32_t frame = 0; frame < FRAMES; ++frame) {
        assert_true(found[frame].is);
        if (peopleIn(frame) > 2)
            compareVoronoi(plain, found, frame);
    }
}

static void testCutOff(void** state)
{
    (void)state;
    if (plain == NULL)
        skip();
    Found found[FRAMES];
    readFound(VORONOI "_blind_points_cut_off.dat", found);
    for (int32_t frame = 0; frame < FRAMES; ++frame) {
        assert_true(found[frame].is);
        compareVoronoi(shortCells, found, frame);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPeopleBehindTheGap),
        cmocka_unit_test(testFlowInTheGap),
        cmocka_unit_test(testClassic),
        cmocka_unit_test(testVoronoi),
        cmocka_unit_test(testFewPeople),
        cmocka_unit_test(testCutOff),
    };
    return cmocka_run_group_tests(tests, surveyAll, freeAll);
}
