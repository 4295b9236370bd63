// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of surveys share: recordings made of single sightings, also those of real people.

#ifndef THRONG_TESTS_MEASURE_SURVEY_GEAR_H
#define THRONG_TESTS_MEASURE_SURVEY_GEAR_H

#include "gear/gear.h"
#include "throng/survey.h"

// Somebody in a frame.
typedef struct Sighting {
    int64_t frame;
    uint32_t id;
    double x, y;
} Sighting;

// A recording to be; all zero is an empty one.
typedef struct Sightings {
    Sighting* items;
    int32_t count, capacity;
    thRecordedPerson* people; // told of with the first frame
    int32_t personCount;
} Sightings;

void see(Sightings* sightings, int64_t frame, uint32_t id, double x, double y);
void tell(Sightings* sightings, thRecordedPerson person);
void freeSightings(Sightings* sightings);

// Somebody of whom nothing but this is known.
thRecordedPerson personWith(uint32_t id, float radius);

// In the order of frames, then ids.
void sortSightings(Sightings* sightings);

thSurvey* createSurvey(const thSurveyDef* def);

// Shows them to a survey; they are sorted first.
thResult showSightings(thSurvey* survey, Sightings* sightings);

// A survey of them, ended.
thSurvey* surveyOf(const thSurveyDef* def, Sightings* sightings);

// The figures of such a survey, and the sightings are freed.
thSurveyResult figuresOf(const thSurveyDef* def, Sightings* sightings);

thSurveyDef defWithRate(double rate);

// Adds what lines `id frame x y …` say, lengths in units of `unit` metres. False: there is no such
// file.
bool readSightings(Sightings* sightings, const char* path, double unit);

#endif
