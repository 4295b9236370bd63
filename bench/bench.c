// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The runner. Cases take turns: sample 1 of all cases, sample 2 of all cases, and so on. What
// slows the machine down for a while (heat, other programs) then hits all cases alike, and the
// minimum of each case is from a quiet moment.

#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "base/core.h"
#include "base/machine.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A new file of cases adds its table here.
static const thBenchGroup* const groups[] = {
    &thiBenchBase,  &thiBenchContinuum,  &thiBenchFlow,       &thiBenchRvo,
    &thiBenchSense, &thiBenchTwoNearest, &thiBenchVisibility, &thiBenchWorld,
};
enum { groupCount = sizeof groups / sizeof groups[0] };

static volatile uint64_t sink; // keeps the results of runs alive

static int32_t findCase(const thBenchRun* run, const char* name)
{
    for (int32_t i = 0; i < run->count; ++i)
        if (strcmp(run->results[i].self->name, name) == 0)
            return i;
    return -1;
}

static bool loadTables(thBenchRun* run)
{
    int32_t total = 0;
    for (int32_t i = 0; i < groupCount; ++i)
        total += groups[i]->count;
    run->results = calloc((size_t)total, sizeof *run->results);
    if (run->results == NULL) {
        fprintf(stderr, "throng_bench: no memory for %d cases\n", total);
        return false;
    }
    run->count = 0;
    for (int32_t i = 0; i < groupCount; ++i)
        for (int32_t k = 0; k < groups[i]->count; ++k)
            run->results[run->count++].self = &groups[i]->cases[k];
    return true;
}

// Finds the mistakes one makes when adding a case.
static bool checkTables(const thBenchRun* run)
{
    for (int32_t i = 0; i < run->count; ++i) {
        const thBenchCase* self = run->results[i].self;
        if (findCase(run, self->name) != i) {
            fprintf(stderr, "throng_bench: two cases are named '%s', names must be unique\n",
                    self->name);
            return false;
        }
        if (self->baseline != NULL && findCase(run, self->baseline) < 0) {
            fprintf(stderr, "throng_bench: '%s' has the baseline '%s', which no table contains\n",
                    self->name, self->baseline);
            return false;
        }
    }
    return true;
}

bool thiBenchSelect(thBenchRun* run, const char* filter)
{
    if (!loadTables(run) || !checkTables(run))
        return false;
    for (int32_t i = 0; i < run->count; ++i) {
        if (filter != NULL && fnmatch(filter, run->results[i].self->name, 0) != 0)
            continue;
        for (int32_t k = i; k >= 0 && !run->results[k].chosen;) {
            run->results[k].chosen = true;
            const char* baseline = run->results[k].self->baseline;
            k = baseline != NULL ? findCase(run, baseline) : -1;
        }
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < run->count; ++i)
        if (run->results[i].chosen)
            run->results[kept++] = run->results[i];
    run->count = kept;
    run->threads = 1;
    for (int32_t i = 0; i < run->count; ++i) {
        const thBenchCase* self = run->results[i].self;
        run->results[i].baseline = self->baseline != NULL ? findCase(run, self->baseline) : -1;
        run->threads = TH_MAX(run->threads, self->threads);
    }
    return true;
}

static void setUp(thBenchResult* result)
{
    const thBenchCase* self = result->self;
    if (!thSimd_IsAvailable(self->simd))
        result->skipped = "this machine lacks the instruction set";
    else if (self->threads > thiBenchCoreCount())
        result->skipped = "this machine has fewer cores than the case has threads";
    else if (self->setUp != NULL)
        result->skipped = self->setUp(self, &result->state);
}

// One thread is measured by the time it got, which others disturb least. Several threads wait for
// each other, and waiting counts: there only the wall clock tells the truth.
static int64_t readClock(const thBenchCase* self)
{
    return self->threads > 1 ? thiNow() : thiProcessTime();
}

static int64_t timeRuns(const thBenchResult* result, int64_t runs)
{
    const int64_t start = readClock(result->self);
    for (int64_t i = 0; i < runs; ++i)
        sink = result->self->run(result->state);
    return TH_MAX(readClock(result->self) - start, 1);
}

// How many runs fill a sample.
static int64_t calibrate(const thBenchResult* result, int64_t sampleTime)
{
    timeRuns(result, 1); // touches memory for the first time
    int64_t runs = 1;
    int64_t elapsed = timeRuns(result, runs);
    while (elapsed < sampleTime / 8 && runs < (INT64_C(1) << 32)) {
        runs *= 4;
        elapsed = timeRuns(result, runs);
    }
    const double wanted = (double)runs * (double)sampleTime / (double)elapsed;
    return TH_MAX((int64_t)wanted, 1);
}

static void noteParts(thBenchResult* result)
{
    int64_t times[thiBenchPartMax];
    const bool isFirst = result->partCount == 0;
    result->partCount = result->self->getParts(result->state, times);
    for (int32_t i = 0; i < result->partCount; ++i) {
        const double time = (double)times[i] / (double)result->self->items;
        result->parts[i] = isFirst ? time : TH_MIN(result->parts[i], time);
    }
}

static void takeSample(thBenchResult* result, int32_t repeat)
{
    const int64_t runs = result->runsPerSample;
    // Other cases ran since: warm the caches, unless one run is as long as a sample.
    if (runs > 1)
        timeRuns(result, 1);
    const double elapsed = (double)timeRuns(result, runs);
    result->samples[repeat] = elapsed / ((double)runs * (double)result->self->items);
    if (result->self->getParts != NULL)
        noteParts(result);
}

static int compareTimes(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

static void summarize(thBenchResult* result, int32_t repeats)
{
    double* samples = result->samples;
    qsort(samples, (size_t)repeats, sizeof *samples, compareTimes);
    result->min = samples[0];
    result->median = (samples[(repeats - 1) / 2] + samples[repeats / 2]) / 2;
    result->spread = (result->median / result->min - 1) * 100;
}

static void measureInTurns(thBenchRun* run)
{
    for (int32_t i = 0; i < run->count; ++i)
        if (run->results[i].skipped == NULL)
            run->results[i].runsPerSample = calibrate(&run->results[i], run->sampleTime);
    for (int32_t repeat = 0; repeat < run->repeats; ++repeat) {
        for (int32_t i = 0; i < run->count; ++i) {
            // Back and forth, so that a case does not always follow the same neighbour.
            const int32_t index = repeat % 2 == 0 ? i : run->count - 1 - i;
            if (run->results[index].skipped == NULL)
                takeSample(&run->results[index], repeat);
        }
    }
    for (int32_t i = 0; i < run->count; ++i)
        if (run->results[i].skipped == NULL)
            summarize(&run->results[i], run->repeats);
    for (int32_t i = 0; i < run->count; ++i) {
        thBenchResult* result = &run->results[i];
        if (result->skipped == NULL && result->baseline >= 0 &&
            run->results[result->baseline].skipped == NULL)
            result->ratio = run->results[result->baseline].min / result->min;
    }
}

// Has all cases treat as little as they can.
static bool makeQuick(thBenchRun* run)
{
    run->quickCases = calloc((size_t)run->count, sizeof *run->quickCases);
    if (run->quickCases == NULL) {
        fprintf(stderr, "throng_bench: no memory for %d cases\n", run->count);
        return false;
    }
    for (int32_t i = 0; i < run->count; ++i) {
        thBenchCase* quick = &run->quickCases[i];
        *quick = *run->results[i].self;
        if (quick->quickItems > 0)
            quick->items = quick->quickItems;
        run->results[i].self = quick;
    }
    return true;
}

bool thiBenchMeasure(thBenchRun* run)
{
    if (run->quick && !makeQuick(run))
        return false;
    double* samples = calloc((size_t)run->count * (size_t)run->repeats, sizeof *samples);
    if (samples == NULL) {
        fprintf(stderr, "throng_bench: no memory for %d x %d samples\n", run->count, run->repeats);
        return false;
    }
    for (int32_t i = 0; i < run->count; ++i) {
        run->results[i].samples = samples + (size_t)i * (size_t)run->repeats;
        setUp(&run->results[i]);
    }
    const thBenchMoment from = thiBenchMoment();
    measureInTurns(run);
    const thBenchMoment to = thiBenchMoment();
    run->othersDuring = thiBenchOthers(&from, &to);
    for (int32_t i = 0; i < run->count; ++i) {
        const thBenchResult* result = &run->results[i];
        if (result->skipped == NULL && result->self->tearDown != NULL)
            result->self->tearDown(result->state);
    }
    free(samples);
    return true;
}

int32_t thiBenchJudge(thBenchRun* run)
{
    int32_t missed = 0;
    for (int32_t i = 0; i < run->count && run->noVerdict == NULL; ++i) {
        thBenchResult* result = &run->results[i];
        const bool hasRatio = result->self->minRatio > 0 && result->ratio > 0;
        const bool hasTime = result->self->maxTime > 0 && result->skipped == NULL;
        if (!hasRatio && !hasTime)
            continue;
        const bool met = (!hasRatio || result->ratio >= result->self->minRatio) &&
                         (!hasTime || result->min <= result->self->maxTime);
        result->verdict = met ? th_benchMet : th_benchMissed;
        missed += met ? 0 : 1;
    }
    return missed;
}

void thiBenchFree(thBenchRun* run)
{
    free(run->quickCases);
    free(run->results);
}
