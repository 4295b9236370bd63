// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How long steps took: their distribution in a fixed amount of memory, however many there are.

#ifndef THRONG_APPS_TIMES_H
#define THRONG_APPS_TIMES_H

#include <throng/world.h>

enum { timesPerOctave = 64, timesOctaves = 48 };

typedef struct Times {
    int64_t steps;
    double total;                 // [ns]
    double stages[th_stageCount]; // totals [ns]
    double agentSteps;            // agents, summed over steps
    int64_t buckets[timesOctaves * timesPerOctave];
} Times;

// Takes note of the last step; `agents` took part in it.
void appAddTimes(Times* times, const thCounters* counters, int32_t agents);

// The time that so large a share of the steps did not exceed, to a hundredth. [ns; 0 without steps]
double appTimesQuantile(const Times* times, double share);

// The mean time of a step, and of a stage of it. [ns; 0 without steps]
double appTimesMean(const Times* times);
double appTimesStage(const Times* times, thStage stage);

#endif
