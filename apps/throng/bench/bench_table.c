// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "bench/bench_table.h"

#include "out_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void appAddBenchSample(BenchSamples* samples, const thCounters* counters, int32_t agents)
{
    if (samples->count == benchStepsMost || agents == 0)
        return;
    samples->steps[samples->count] = (double)counters->stepTime / agents;
    for (int32_t stage = 0; stage < th_stageCount; ++stage)
        samples->stages[stage][samples->count] = (double)counters->stageTime[stage] / agents;
    samples->count += 1;
}

static int compareNumbers(const void* left, const void* right)
{
    const double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

static double median(double* numbers, int32_t count)
{
    if (count == 0)
        return 0.0;
    qsort(numbers, (size_t)count, sizeof *numbers, compareNumbers);
    return 0.5 * (numbers[(count - 1) / 2] + numbers[count / 2]);
}

void appSumUpBench(BenchSamples* samples, BenchRow* row)
{
    row->step = median(samples->steps, samples->count);
    for (int32_t stage = 0; stage < th_stageCount; ++stage)
        row->stages[stage] = median(samples->stages[stage], samples->count);
}

bool appAddBenchRow(BenchTable* table, const BenchRow* row)
{
    BenchRow* rows = realloc(table->rows, (size_t)(table->count + 1) * sizeof *rows);
    if (rows == NULL) {
        appSay("no memory");
        return false;
    }
    table->rows = rows;
    rows[table->count++] = *row;
    return true;
}

void appFreeBench(BenchTable* table)
{
    free(table->rows);
    *table = (BenchTable){0};
}

// Stages that are worth a column; the others are next to nothing.
static const thStage shown[] = {th_stageSort,  th_stageSense, th_stagePlan, th_stageGroup,
                                th_stageUnjam, th_stageAvoid, th_stageMove, th_stageReport};
enum { shownCount = sizeof shown / sizeof shown[0] };

static void printHead(void)
{
    printf("%-14s %-10s %7s %-7s %8s %9s", "scene", "avoid", "threads", "simd", "agents", "ns");
    for (int32_t i = 0; i < shownCount; ++i)
        printf(" %7s", thStage_GetName(shown[i]));
    printf(" %7s\n", "faster");
}

// How many times as fast as the first row of the same scene.
static double speedUp(const BenchTable* table, const BenchRow* row)
{
    for (int32_t i = 0; i < table->count; ++i)
        if (strcmp(table->rows[i].scene, row->scene) == 0)
            return row->step > 0.0 ? table->rows[i].step / row->step : 0.0;
    return 0.0;
}

void appPrintBenchRow(const BenchTable* table, const BenchRow* row)
{
    if (table->count == 1)
        printHead();
    printf("%-14s %-10s %7d %-7s %8d %9.1f", row->scene, row->avoid, (int)row->threads, row->simd,
           (int)row->agents, row->step);
    for (int32_t i = 0; i < shownCount; ++i)
        printf(" %7.1f", row->stages[shown[i]]);
    printf(" %6.2fx\n", speedUp(table, row));
    fflush(stdout);
}

// The first line of a file, without the stages.
static const char columns[] = "scene,avoid,threads,simd,agents,ns";

static void writeRows(const BenchTable* table, FILE* stream)
{
    fputs(columns, stream);
    for (int32_t stage = 0; stage < th_stageCount; ++stage)
        fprintf(stream, ",%s", thStage_GetName((thStage)stage));
    fputc('\n', stream);
    for (int32_t i = 0; i < table->count; ++i) {
        const BenchRow* row = &table->rows[i];
        fprintf(stream, "%s,%s,%d,%s,%d,%.2f", row->scene, row->avoid, (int)row->threads, row->simd,
                (int)row->agents, row->step);
        for (int32_t stage = 0; stage < th_stageCount; ++stage)
            fprintf(stream, ",%.2f", row->stages[stage]);
        fputc('\n', stream);
    }
}

bool appWriteBench(const BenchTable* table, const char* path)
{
    OutFile file = {0};
    if (!appOpenOut(&file, path))
        return false;
    writeRows(table, file.stream);
    if (ferror(file.stream))
        file.reason = errno;
    return appCloseOut(&file);
}

static bool readRow(const char* line, BenchRow* row)
{
    return sscanf(line, "%63[^,],%31[^,],%d,%15[^,],%d,%lf", row->scene, row->avoid, &row->threads,
                  row->simd, &row->agents, &row->step) == 6 &&
           row->step > 0.0;
}

bool appReadBench(BenchTable* table, const char* path)
{
    FILE* stream = fopen(path, "r");
    if (stream == NULL) {
        appSayCannot("read", path);
        return false;
    }
    char line[512];
    bool good =
        fgets(line, sizeof line, stream) != NULL && strncmp(line, columns, sizeof columns - 1) == 0;
    for (int32_t number = 2; good && fgets(line, sizeof line, stream) != NULL; ++number) {
        BenchRow row = {0};
        good = readRow(line, &row) && appAddBenchRow(table, &row);
        if (!good)
            appSay("line %d of '%s' is no row of such a table", (int)number, path);
    }
    if (good && ferror(stream))
        appSayCannot("read", path);
    good = good && !ferror(stream);
    if (!good && table->count == 0)
        appSay("'%s' is no table that 'throng bench --csv' wrote", path);
    fclose(stream);
    return good;
}

void appCompareBench(const BenchTable* table, const BenchTable* before)
{
    puts("\nsince then:");
    for (int32_t i = 0; i < table->count; ++i) {
        const BenchRow* now = &table->rows[i];
        for (int32_t k = 0; k < before->count; ++k) {
            const BenchRow* then = &before->rows[k];
            if (strcmp(now->scene, then->scene) == 0 && strcmp(now->avoid, then->avoid) == 0 &&
                strcmp(now->simd, then->simd) == 0 && now->threads == then->threads)
                printf("%-14s %-10s %7d %-7s %9.1f -> %9.1f ns  %+.1f %%\n", now->scene, now->avoid,
                       (int)now->threads, now->simd, then->step, now->step,
                       100.0 * (now->step / then->step - 1.0));
        }
    }
}
