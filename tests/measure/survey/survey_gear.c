// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Recordings from single sightings, in memory or from files of trajectories.

#include "measure/survey/survey_gear.h"

#include <stdio.h>
#include <stdlib.h>

void see(Sightings* sightings, int64_t frame, uint32_t id, double x, double y)
{
    if (sightings->count == sightings->capacity) {
        sightings->capacity = 2 * sightings->capacity + 64;
        sightings->items =
            realloc(sightings->items, (size_t)sightings->capacity * sizeof *sightings->items);
        assert_non_null(sightings->items);
    }
    sightings->items[sightings->count++] = (Sighting){frame, id, x, y};
}

void tell(Sightings* sightings, thRecordedPerson person)
{
    const size_t count = (size_t)sightings->personCount + 1;
    sightings->people = realloc(sightings->people, count * sizeof *sightings->people);
    assert_non_null(sightings->people);
    sightings->people[sightings->personCount++] = person;
}

void freeSightings(Sightings* sightings)
{
    free(sightings->items);
    free(sightings->people);
    *sightings = (Sightings){0};
}

thRecordedPerson personWith(uint32_t id, float radius)
{
    return (thRecordedPerson){
        .id = id, .key = id, .radius = radius, .goal = -1, .group = -1, .entry = -1};
}

static int compare(const void* left, const void* right)
{
    const Sighting *a = left, *b = right;
    return a->frame != b->frame ? (a->frame > b->frame) - (a->frame < b->frame)
                                : (a->id > b->id) - (a->id < b->id);
}

void sortSightings(Sightings* sightings)
{
    if (sightings->count > 0)
        qsort(sightings->items, (size_t)sightings->count, sizeof *sightings->items, compare);
}

thSurvey* createSurvey(const thSurveyDef* def)
{
    thSurvey* survey;
    thError error = {0};
    if (thCreateSurvey(def, &survey, &error) != th_resultOk)
        fail_msg("%s", error.text);
    return survey;
}

thResult showSightings(thSurvey* survey, Sightings* sightings)
{
    sortSightings(sightings);
    const size_t room = (size_t)sightings->count + 1;
    uint32_t* id = malloc(room * sizeof *id);
    double* x = malloc(room * sizeof *x);
    double* y = malloc(room * sizeof *y);
    thResult code = th_resultOk;
    int32_t end = 0;
    for (int32_t begin = 0; begin < sightings->count && code == th_resultOk; begin = end) {
        for (;
             end < sightings->count && sightings->items[end].frame == sightings->items[begin].frame;
             ++end) {
            id[end - begin] = sightings->items[end].id;
            x[end - begin] = sightings->items[end].x;
            y[end - begin] = sightings->items[end].y;
        }
        const thRecording recording = {
            .frame = {sightings->items[begin].frame, end - begin, id, x, y, NULL},
            .people = begin == 0 ? sightings->people : NULL,
            .personCount = begin == 0 ? sightings->personCount : 0};
        code = thSurvey_Add(survey, &recording);
    }
    free(id);
    free(x);
    free(y);
    return code;
}

thSurvey* surveyOf(const thSurveyDef* def, Sightings* sightings)
{
    thSurvey* survey = createSurvey(def);
    assert_int_equal(showSightings(survey, sightings), th_resultOk);
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    return survey;
}

thSurveyResult figuresOf(const thSurveyDef* def, Sightings* sightings)
{
    thSurvey* survey = surveyOf(def, sightings);
    const thSurveyResult result = thSurvey_GetResult(survey);
    thDestroySurvey(survey);
    freeSightings(sightings);
    return result;
}

thSurveyDef defWithRate(double rate)
{
    thSurveyDef def = thDefaultSurveyDef();
    def.rate = rate;
    return def;
}

bool readSightings(Sightings* sightings, const char* path, double unit)
{
    FILE* file = fopen(path, "r");
    if (file == NULL)
        return false;
    char line[512];
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned id;
        long long frame;
        double x, y;
        if (sscanf(line, "%u %lld %lf %lf", &id, &frame, &x, &y) == 4)
            see(sightings, frame, id, x * unit, y * unit);
    }
    fclose(file);
    return true;
}
