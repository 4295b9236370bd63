// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What throng_near measures, and how it prints that.

#ifndef THRONG_BENCH_NEAR_SURVEY_H
#define THRONG_BENCH_NEAR_SURVEY_H

#include "near.h"

enum { thNearMethodCount = 6, thNearMostSizes = 9 };

extern const thNearMethod* const thiNearMethods[thNearMethodCount];

// One method with one number of agents. Times are for each agent.
typedef struct thNearResult {
    bool measured;
    double time;   // building and finding [ns]
    double build;  // of that, building [ns]
    double recall; // of the true neighbours, how many it found [0 .. 1]
    double bytes;  // for each agent
    bool wrong;    // it calls itself exact, but is not
} thNearResult;

// All methods at one density.
typedef struct thNearSurvey {
    float density; // [1/m²]
    float radius;  // [m]
    int32_t sizeCount;
    int32_t sizes[thNearMostSizes]; // numbers of agents, ascending
    thNearResult results[thNearMostSizes][thNearMethodCount];
} thNearSurvey;

// How long to measure.
typedef struct thNearEffort {
    int32_t repeats;    // samples of each method, fewer of slow ones
    int64_t sampleTime; // of one, at least [ns]
} thNearEffort;

// Measures one number of agents, all methods in turns.
thResult thiNearMeasure(thNearSurvey* survey, int32_t size, const thNearEffort* effort);

void thiNearPrint(const thNearSurvey* survey);

// From which number of agents on a method is faster than another at all numbers that were measured
// for both, between those by interpolation: 0 from the first on, infinity if it is not.
double thiNearCrossing(const thNearSurvey* survey, int32_t method, int32_t other);

#endif
