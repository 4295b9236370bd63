// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a benchmark case is, and the parts of throng_bench: bench.c measures, load.c knows the
// machine, report.c prints and reads tables. docs/benchmarks.md says how to add a case.

#ifndef THRONG_BENCH_BENCH_H
#define THRONG_BENCH_BENCH_H

#include "throng/simd.h"

#include <stdbool.h>
#include <stdint.h>

enum { thiBenchPartMax = 16 };

// Fields left out of an initialiser are zero, which always means "nothing special".
typedef struct thBenchCase thBenchCase;
struct thBenchCase {
    // Unique, `group/what` or `group/what/variant`; no commas and no spaces, it goes into CSV.
    const char* name;
    // The case to divide by, or NULL. It is measured in the same run even if the filter leaves it
    // out, because only times of one run are comparable.
    const char* baseline;
    // What is counted, such as "number" or "agent", and how many of them one run treats.
    const char* item;
    int64_t items;
    // How many in a quick run, which nobody judges: for cases that take long to set up and get the
    // number from their table. [0: as many]
    int64_t quickItems;
    // Prepares `*state`. Returns NULL when ready, or why the case cannot run here. May be NULL.
    const char* (*setUp)(const thBenchCase* self, void** state);
    // Treats all items once. What it returns must depend on the work, or compilers remove it.
    uint64_t (*run)(void* state);
    // The parts of the last run and their times. [ns] May be NULL.
    int32_t (*getParts)(void* state, int64_t times[thiBenchPartMax]);
    const char* (*getPartName)(int32_t part);
    // Frees the state. May be NULL.
    void (*tearDown)(void* state);
    // For setUp, so that several cases can share it.
    const void* context;
    // Bounds, 0 for none: at least this many times as fast as the baseline; at most this time.
    double minRatio;
    double maxTime; // [ns per item]
    // Threads that work at once; more than one is measured by the wall clock. [0 and 1: one]
    int32_t threads;
    // The instruction set it needs. [default th_simdAuto: any]
    thSimd simd;
};

// One table per source file; bench.c lists the tables.
typedef struct thBenchGroup {
    const thBenchCase* cases;
    int32_t count;
} thBenchGroup;

extern const thBenchGroup thiBenchBase;
extern const thBenchGroup thiBenchContinuum;
extern const thBenchGroup thiBenchFlow;
extern const thBenchGroup thiBenchRvo;
extern const thBenchGroup thiBenchSense;
extern const thBenchGroup thiBenchTwoNearest;
extern const thBenchGroup thiBenchVisibility;
extern const thBenchGroup thiBenchWorld;

typedef enum thBenchVerdict {
    th_benchOpen = 0, // no bound, or nothing to be said on this machine now
    th_benchMet = 1,
    th_benchMissed = 2,
} thBenchVerdict;

typedef struct thBenchResult {
    const thBenchCase* self;
    int32_t baseline;    // index of its result, or -1
    const char* skipped; // why it did not run, or NULL
    double min;          // [ns per item]
    double median;       // [ns per item]
    double spread;       // (median - min) / min [%]
    double ratio;        // how many times as fast as the baseline, or 0
    thBenchVerdict verdict;
    // Of the runner.
    bool chosen;
    void* state;
    int64_t runsPerSample;
    double* samples; // [ns per item]
    int32_t partCount;
    double parts[thiBenchPartMax]; // the least of each part [ns per item]
} thBenchResult;

typedef struct thBenchRun {
    thBenchResult* results;
    int32_t count;
    int32_t repeats;
    int64_t sampleTime; // [ns]
    int32_t threads;    // the most that a case needs
    bool quick;         // only whether everything runs
    thBenchCase* quickCases;
    double othersBefore;   // cores in use by others; negative when not known
    double othersDuring;   // the same while we measured
    const char* noVerdict; // why bounds are not judged, or NULL
} thBenchRun;

// Fills in the cases that match the glob (NULL: all) and their baselines. False, with a message
// to standard error, when memory is short or a table is wrong.
bool thiBenchSelect(thBenchRun* run, const char* filter);

// Measures all cases in turns. False when memory is short.
bool thiBenchMeasure(thBenchRun* run);

// Decides the verdicts, unless `noVerdict` says why not. Returns how many bounds were missed.
int32_t thiBenchJudge(thBenchRun* run);

void thiBenchFree(thBenchRun* run);

// How busy the machine was up to a moment.
typedef struct thBenchMoment {
    int64_t wall; // [ns]
    int64_t own;  // processor time of this process [ns]
    int64_t busy; // processor time of everybody [ns], or -1 when not known
} thBenchMoment;

thBenchMoment thiBenchMoment(void);

// Cores that others kept busy between two moments, including what the hypervisor took away.
// Negative when not known.
double thiBenchOthers(const thBenchMoment* from, const thBenchMoment* to);

// The same over the next fifth of a second, in which we do nothing.
double thiBenchOthersNow(void);

// Others may use this many cores before a run on so many threads is not judged any more.
double thiBenchBusyLimit(int32_t threads);

int32_t thiBenchCoreCount(void);

// The processor's name and the system's load averages, or "unknown".
void thiBenchMachine(char* text, int32_t size);
void thiBenchLoadAverage(char* text, int32_t size);

// Text of the report. The heading is printed before the run, the table after it.
void thiBenchPrintList(const thBenchRun* run);
void thiBenchPrintHeading(const thBenchRun* run);
void thiBenchPrintTable(const thBenchRun* run);

// Writes the results as CSV. False, with a message, when the file cannot be written.
bool thiBenchWriteCsv(const thBenchRun* run, const char* path);

// An earlier run, read from its CSV.
typedef struct thBenchOld thBenchOld;

// NULL, with a message, when the file cannot be read or is not such a table.
thBenchOld* thiBenchReadCsv(const char* path);

void thiBenchPrintComparison(const thBenchRun* run, const thBenchOld* old);

void thiBenchFreeOld(thBenchOld* old);

#endif
