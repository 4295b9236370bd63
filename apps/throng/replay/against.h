// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A run beside a recording of the same people: how far from each other they are, and whether
// speeds, distances and the speed at a density are alike. docs/measures.md defines the figures.

#ifndef THRONG_APPS_AGAINST_H
#define THRONG_APPS_AGAINST_H

#include "replay/tracks.h"
#include "survey/survey_source.h"

// A person of the recording who is in the run too.
typedef struct Displaced {
    uint32_t id;
    int32_t times;  // of the recording at which it was compared
    double present; // share of these at which it was in the run [0 .. 1]
    double mean;    // distance between the two, over these times [m]
    double last;    // at the last of them [m]
    double
        straight; // mean distance of who walks straight and evenly from the first to the last [m]
} Displaced;

// A distribution. [NaN: of nothing]
typedef struct Quantiles {
    int64_t count;
    double mean, p05, p25, median, p75, p90, p95, greatest;
} Quantiles;

// One of the run, one of the recording.
typedef struct TwoQuantiles {
    Quantiles run, recording;
    double distance; // of Kolmogorov and Smirnov: greatest difference of shares [0 .. 1]
} TwoQuantiles;

// Frames of an area with a density, in the run and in the recording.
typedef struct DensityBin {
    const char* area;
    double from, to; // density [1/m²]
    int32_t runFrames, recordingFrames;
    double runSpeed, recordingSpeed; // mean [m/s; NaN: no frames]
} DensityBin;

typedef struct Against {
    int32_t runPeople, recordingPeople;
    Displaced* people; // in the order of ids
    int32_t matched;
    double present; // share of all compared times at which people were in the run
    Quantiles mean, last, straight;
    TwoQuantiles speed, nearest;
    DensityBin* bins; // by area, then by density; none that both have no frame in
    int32_t binCount;
    Gauges own; // an area in the middle, where none was given
} Against;

typedef struct AgainstDef {
    const char* path;       // of the recording
    RecordingDef recording; // how it is read
    double offset;          // time of the recording less that of the run [s]
} AgainstDef;

// Compares a run that was read to its end, and whose tracks were gathered, with a recording. What
// fails is said.
ExitCode appCompare(const Recording* run, const Tracks* tracks, const SurveyOptions* options,
                    const Gauges* gauges, const AgainstDef* def, Against* against);
void appFreeAgainst(Against* against);

// Quantiles of values, which are put in order.
Quantiles appQuantilesOf(double* values, int32_t count);

// The greatest difference of the shares of two ordered lists that are not above a value.
double appShareDistance(const double* a, int32_t countA, const double* b, int32_t countB);

#endif
