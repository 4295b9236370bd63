// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table for people, the table for programs, and the comparison of a run with an earlier one.

#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char columns[] = "name,baseline,items,ns_min,ns_median,spread,ratio,verdict";
enum { columnCount = 8, nameSize = 64 };

static const char* const verdictTexts[] = {
    [th_benchOpen] = "-",
    [th_benchMet] = "ok",
    [th_benchMissed] = "MISSED",
};

static void formatBound(const thBenchCase* self, char* text, size_t size)
{
    if (self->minRatio > 0 && self->maxTime > 0)
        snprintf(text, size, ">= %gx, <= %g ns", self->minRatio, self->maxTime);
    else if (self->minRatio > 0)
        snprintf(text, size, ">= %gx", self->minRatio);
    else if (self->maxTime > 0)
        snprintf(text, size, "<= %g ns", self->maxTime);
    else
        snprintf(text, size, "-");
}

static void formatRatio(double ratio, char* text, size_t size)
{
    if (ratio > 0)
        snprintf(text, size, "%.2fx", ratio);
    else
        snprintf(text, size, "-");
}

static void formatCores(double cores, char* text, size_t size)
{
    if (cores < 0)
        snprintf(text, size, "an unknown number of cores");
    else
        snprintf(text, size, "%.2f cores", cores);
}

static const char* simdName(void)
{
    return thSimd_GetName(thSimd_Resolve(th_simdAuto));
}

void thiBenchPrintList(const thBenchRun* run)
{
    printf("%-28s %-28s %-10s %s\n", "case", "baseline", "item", "bound");
    for (int32_t i = 0; i < run->count; ++i) {
        const thBenchCase* self = run->results[i].self;
        char bound[64];
        formatBound(self, bound, sizeof bound);
        printf("%-28s %-28s %-10s %s\n", self->name, self->baseline != NULL ? self->baseline : "-",
               self->item, bound);
    }
}

void thiBenchPrintHeading(const thBenchRun* run)
{
    char machine[128], average[48], before[48];
    thiBenchMachine(machine, sizeof machine);
    thiBenchLoadAverage(average, sizeof average);
    formatCores(run->othersBefore, before, sizeof before);
    printf("%s, %d cores, simd %s, compiler %s\n", machine, thiBenchCoreCount(), simdName(),
           BENCH_COMPILER);
    printf("load average %s; others use %s before the run (busy beyond %.2f)\n", average, before,
           thiBenchBusyLimit(run->threads));
    fflush(stdout); // the run takes a while
}

// Of the cases that tell, the least time of each part; parts that took none are left out.
static void printParts(const thBenchRun* run)
{
    for (int32_t i = 0; i < run->count; ++i) {
        const thBenchResult* result = &run->results[i];
        for (int32_t part = 0; part < result->partCount; ++part) {
            if (part == 0)
                printf("\n%-28s", result->self->name);
            if (result->parts[part] >= 0.05)
                printf(" %s %.1f", result->self->getPartName(part), result->parts[part]);
        }
    }
    printf("\n");
}

void thiBenchPrintTable(const thBenchRun* run)
{
    char during[48];
    formatCores(run->othersDuring, during, sizeof during);
    printf("others used %s during the run; %d samples of %g ms for each case\n\n", during,
           run->repeats, (double)run->sampleTime * 1e-6);
    printf("%-28s %10s %10s %7s %8s  %-8s %-16s %s\n", "case", "ns min", "ns median", "spread",
           "ratio", "per", "bound", "verdict");
    for (int32_t i = 0; i < run->count; ++i) {
        const thBenchResult* result = &run->results[i];
        if (result->skipped != NULL) {
            printf("%-28s skipped: %s\n", result->self->name, result->skipped);
            continue;
        }
        char bound[64], ratio[32];
        formatBound(result->self, bound, sizeof bound);
        formatRatio(result->ratio, ratio, sizeof ratio);
        printf("%-28s %10.2f %10.2f %6.1f%% %8s  %-8s %-16s %s\n", result->self->name, result->min,
               result->median, result->spread, ratio, result->self->item, bound,
               verdictTexts[result->verdict]);
    }
    if (run->noVerdict != NULL)
        printf("\n%s: no verdict\n", run->noVerdict);
    printParts(run);
}

static void writeRows(const thBenchRun* run, FILE* file)
{
    char machine[128], average[48], before[48], during[48];
    thiBenchMachine(machine, sizeof machine);
    thiBenchLoadAverage(average, sizeof average);
    formatCores(run->othersBefore, before, sizeof before);
    formatCores(run->othersDuring, during, sizeof during);
    fprintf(file, "# machine: %s; simd: %s; compiler: %s\n", machine, simdName(), BENCH_COMPILER);
    fprintf(file, "# load: %s; others: %s before, %s during\n%s\n", average, before, during,
            columns);
    for (int32_t i = 0; i < run->count; ++i) {
        const thBenchResult* result = &run->results[i];
        const thBenchCase* self = result->self;
        if (result->skipped != NULL)
            continue;
        fprintf(file, "%s,%s,%lld,%.5g,%.5g,%.2f,", self->name,
                self->baseline != NULL ? self->baseline : "", (long long)self->items, result->min,
                result->median, result->spread);
        if (result->ratio > 0)
            fprintf(file, "%.4g", result->ratio);
        fprintf(file, ",%s\n", verdictTexts[result->verdict]);
    }
}

bool thiBenchWriteCsv(const thBenchRun* run, const char* path)
{
    FILE* file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "throng_bench: cannot open '%s' for writing: %s\n", path, strerror(errno));
        return false;
    }
    writeRows(run, file);
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        fprintf(stderr, "throng_bench: cannot write all of '%s': %s\n", path, strerror(errno));
        return false;
    }
    return true;
}

typedef struct OldRow {
    char name[nameSize];
    double min;
    double spread;
    double ratio; // 0 when the field is empty: no baseline
} OldRow;

struct thBenchOld {
    const char* path;
    char machine[256]; // its first comment
    OldRow* rows;
    int32_t count;
};

static int32_t splitAtCommas(char* line, char* fields[columnCount])
{
    int32_t count = 0;
    for (char* next = line; next != NULL; ++count) {
        char* comma = strchr(next, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (count < columnCount)
            fields[count] = next;
        next = comma;
    }
    return count;
}

static bool readNumber(const char* text, double* number)
{
    char* end;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*number) && *number >= 0;
}

static bool readRow(char* line, OldRow* row)
{
    char* fields[columnCount];
    if (splitAtCommas(line, fields) != columnCount)
        return false;
    snprintf(row->name, sizeof row->name, "%s", fields[0]);
    row->ratio = 0;
    return readNumber(fields[3], &row->min) && row->min > 0 &&
           readNumber(fields[5], &row->spread) &&
           (fields[6][0] == '\0' || readNumber(fields[6], &row->ratio));
}

static bool addRow(thBenchOld* old, const OldRow* row)
{
    OldRow* rows = realloc(old->rows, (size_t)(old->count + 1) * sizeof *rows);
    if (rows == NULL)
        return false;
    old->rows = rows;
    rows[old->count++] = *row;
    return true;
}

// Returns NULL, or what was expected in the line instead.
static const char* readLine(thBenchOld* old, char* line, bool* hasColumns)
{
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '#') {
        if (old->machine[0] == '\0')
            snprintf(old->machine, sizeof old->machine, "%s", line + 1 + strspn(line + 1, " "));
        return NULL;
    }
    if (!*hasColumns) {
        *hasColumns = strcmp(line, columns) == 0;
        return *hasColumns ? NULL : columns;
    }
    OldRow row;
    if (!readRow(line, &row))
        return "8 columns as in the heading, with numbers in ns_min (> 0), spread and ratio";
    return addRow(old, &row) ? NULL : "memory for one more row";
}

static bool readLines(thBenchOld* old, FILE* file)
{
    char line[512];
    bool hasColumns = false;
    for (int32_t number = 1; fgets(line, sizeof line, file) != NULL; ++number) {
        const char* expected = readLine(old, line, &hasColumns);
        if (expected != NULL) {
            fprintf(stderr, "throng_bench: %s:%d: expected %s\n", old->path, number, expected);
            return false;
        }
    }
    if (ferror(file) || !hasColumns) {
        fprintf(stderr, "throng_bench: %s: expected a file that --csv wrote, with the heading %s\n",
                old->path, columns);
        return false;
    }
    return true;
}

thBenchOld* thiBenchReadCsv(const char* path)
{
    FILE* file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "throng_bench: cannot open '%s' for reading: %s\n", path, strerror(errno));
        return NULL;
    }
    thBenchOld* old = calloc(1, sizeof *old);
    bool good = old != NULL;
    if (good) {
        old->path = path;
        good = readLines(old, file);
    } else {
        fprintf(stderr, "throng_bench: no memory to read '%s'\n", path);
    }
    fclose(file);
    if (!good) {
        thiBenchFreeOld(old);
        return NULL;
    }
    return old;
}

static const OldRow* findRow(const thBenchOld* old, const char* name)
{
    for (int32_t i = 0; i < old->count; ++i)
        if (strcmp(old->rows[i].name, name) == 0)
            return &old->rows[i];
    return NULL;
}

static void printChange(const thBenchResult* result, const OldRow* row)
{
    const double change = (result->min / row->min - 1) * 100;
    const double spread = fmax(result->spread, row->spread);
    const char* mark = change > spread ? "slower" : change < -spread ? "faster" : "-";
    char before[32], after[32];
    formatRatio(row->ratio, before, sizeof before);
    formatRatio(result->ratio, after, sizeof after);
    printf("%-28s %10.2f %10.2f %+7.1f%% %6.1f%%  %-14s %8s %8s\n", result->self->name, row->min,
           result->min, change, spread, mark, before, after);
}

void thiBenchPrintComparison(const thBenchRun* run, const thBenchOld* old)
{
    printf("\ncompared with %s (%s)\n", old->path,
           old->machine[0] != '\0' ? old->machine : "machine unknown");
    printf("%-28s %10s %10s %8s %7s  %-14s %8s %8s\n", "case", "ns old", "ns new", "change",
           "spread", "beyond spread", "ratio", "new");
    for (int32_t i = 0; i < run->count; ++i) {
        const thBenchResult* result = &run->results[i];
        const OldRow* row = findRow(old, result->self->name);
        if (result->skipped != NULL)
            printf("%-28s skipped in this run\n", result->self->name);
        else if (row == NULL)
            printf("%-28s not in %s\n", result->self->name, old->path);
        else
            printChange(result, row);
    }
    printf(
        "\nTimes of different runs are noisy: the machine's clock and neighbours change between\n"
        "them. Trust the ratio columns, whose two times come from one run.\n");
}

void thiBenchFreeOld(thBenchOld* old)
{
    if (old == NULL)
        return;
    free(old->rows);
    free(old);
}
