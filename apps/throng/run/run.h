// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// One run of a scene: what it was asked to do, what it came to, and how that is told.

#ifndef THRONG_APPS_RUN_H
#define THRONG_APPS_RUN_H

#include "options.h"
#include "output.h"
#include "replay/tracks.h"
#include "survey/survey_source.h"

#include <throng/measure.h>
#include <throng/scene.h>

// --- What is asked ---

typedef struct RunOptions {
    const char* methods[th_methodKindCount]; // NULL: those of the scene
    TextList changes;
    int64_t steps; // [-1: as the scene says]
    double until;  // [s; negative: as the scene says]
    int64_t threads;
    const char* simd;
    const char* backend;
    int64_t seed; // [-1: the scene's]
    int64_t runs;
    const char* summary;
    const char* hashes;
    const char* record;
    double fps;            // [frames/s; 0: about 10]
    const char* area;      // "X0,Y0,X1,Y1" [NULL: everywhere]
    int64_t snapshotEvery; // [steps; 0: never]
    const char* snapshot;
    const char* resume;
    bool quiet;
    bool checkWalls;
} RunOptions;

// --- What it came to ---

// Somebody who was still on the way at the end.
typedef struct Straggler {
    uint64_t key;
    int32_t entry; // of the scene's agents
    double x, y;   // [m, of the scene]
} Straggler;

// Why some of them have no path, as their planner says.
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
    double measureMs;               // mean of what is measured after a step
    double nsPerAgentStep;
    double realtimeFactor;
    bool wallsChecked;
    thTallyResult tally;
    int64_t waiting; // people whom sources had no place for
    int32_t closingCount;
    thDoorClosing* closings; // when doors were to shut, and did; to be freed
    int32_t underway;        // how many were still on the way
    Straggler stragglers[shownStragglers];
    int32_t reasonCount;
    Reason reasons[shownReasons];
    uint64_t bytes, agentBytes, goalBytes, neighborBytes, planBytes, peakBytes;
    thSurvey* survey; // of what was asked for; NULL: nothing was. To be destroyed.
    const Gauges* gauges;
    const Tracks* tracks; // those of the job
    const char* record;   // the recording's file; NULL: there is none
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

// --- One run ---

typedef struct RunJob {
    const thScene* scene;
    const RunOptions* options;
    thSimd simd;
    const char* methods[th_methodKindCount]; // what the result is to call them
    const char* snapshot;                    // where the run is saved; NULL: it is not
    const Gauges* gauges;                    // what is measured
    bool figures;                            // measured as well are those of a whole recording
    Tracks* tracks;                          // to be filled where something is measured [or NULL]
} RunJob;

// `label` stands before the progress. What fails is said; `result->isThere` tells whether there is
// a result nevertheless. exitDone also when the run was interrupted.
ExitCode appRunOnce(const RunJob* job, uint64_t seed, const char* label, RunResult* result);

#endif
