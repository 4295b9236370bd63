// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a run came to, and how that is told.

#ifndef THRONG_APPS_RUN_RESULT_H
#define THRONG_APPS_RUN_RESULT_H

#include "json_out.h"
#include "survey/survey_source.h"

#include <throng/measure.h>
#include <throng/scene.h>

// Somebody who was still on the way at the end.
typedef struct Straggler {
    uint64_t key;
    int32_t entry; // of the scene's agents
    double x, y;   // [m, of the scene]
} Straggler;

// Why some of them have no way, as their planner says.
typedef struct Reason {
    thPlanAnswer answer;
    const char* why;
    int32_t count; // of people
} Reason;

enum { shownStragglers = 3, shownReasons = 4 };

typedef struct RunResult {
    bool isThere;
    bool interrupted;
    const char* scene;
    const char* methods[th_methodKindCount];
    const thMethod* avoidance; // NULL: profiles have different ones
    uint64_t seed;
    int32_t threads;
    thSimd simd;
    uint64_t steps;
    int64_t timedSteps;      // without those before it was resumed; if 0, all times are NaN
    double stepLength, time; // [s]
    double msMedian, msP95, msMean;
    double stagesMs[th_stageCount]; // means
    double nsPerAgentStep;
    double realtimeFactor;
    bool wallsChecked;
    thTallyResult tally;
    int64_t waiting;  // people whom sources had no place for
    int32_t underway; // how many were still on the way
    Straggler stragglers[shownStragglers];
    int32_t reasonCount;
    Reason reasons[shownReasons];
    uint64_t bytes, agentBytes, goalBytes, neighborBytes, planBytes, peakBytes;
    thSurvey* survey; // of lines and areas; NULL: there are none. To be destroyed.
    const Gauges* gauges;
    const char* record; // the recording's file; NULL: there is none
    int64_t recordFrames;
    uint64_t recordBytes;
    double recordMs;    // mean for each step
    bool recordFailed;  // it is not complete
    bool recordIsEmpty; // nobody was in it
    uint64_t hash;
} RunResult;

// One run, for people.
void appPrintResult(const RunResult* result);

// Several runs, for people: mean, 95th percentile and standard deviation of figures. `scratch` has
// room for a number of each run.
void appPrintResults(const RunResult* results, int32_t count, double* scratch);

// The same for machines; docs/program.md lists the keys.
void appWriteSummary(FILE* stream, const RunResult* result);
void appWriteSummaries(FILE* stream, const RunResult* results, int32_t count, double* scratch);

// The part of it that is about all of several runs.
void appWriteStatistics(JsonOut* out, const RunResult* results, int32_t count, double* scratch);

#endif
