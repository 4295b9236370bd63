// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table of benchmarks: for people, as CSV, and against an earlier one.

#ifndef THRONG_APPS_BENCH_TABLE_H
#define THRONG_APPS_BENCH_TABLE_H

#include <stdbool.h>
#include <stdio.h>
#include <throng/world.h>

enum { benchStepsMost = 10000 };

// Times of steps. [ns per agent]
typedef struct BenchSamples {
    int32_t count;
    double steps[benchStepsMost];
    double stages[th_stageCount][benchStepsMost];
} BenchSamples;

// What was measured, and medians. [ns per agent and step]
typedef struct BenchRow {
    char scene[64], avoid[32], simd[16];
    int32_t threads, agents;
    double step;
    double stages[th_stageCount];
} BenchRow;

typedef struct BenchTable {
    BenchRow* rows;
    int32_t count;
} BenchTable;

void appAddBenchSample(BenchSamples* samples, const thCounters* counters, int32_t agents);
void appSumUpBench(BenchSamples* samples, BenchRow* row);

// False, and it is said, when memory is out.
bool appAddBenchRow(BenchTable* table, const BenchRow* row);
void appFreeBench(BenchTable* table);

// A row is printed as soon as it is measured; the first row of its scene is what others are
// compared with. The head of the table comes with the first row of all.
void appPrintBenchRow(const BenchTable* table, const BenchRow* row);

// False, and it is said, when the file cannot be written, or read.
bool appWriteBench(const BenchTable* table, const char* path);
bool appReadBench(BenchTable* table, const char* path);

// Rows that are in both.
void appCompareBench(const BenchTable* table, const BenchTable* before);

#endif
