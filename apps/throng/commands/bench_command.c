// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `bench`: measures how long steps take, and compares with an earlier table.

#include "commands/commands.h"
#include "load_scene.h"
#include "output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/simd.h>
#include <throng/world.h>

// --- The table ---

// The table of benchmarks: for people, as CSV, and against an earlier one.

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

static void addBenchSample(BenchSamples* samples, const thCounters* counters, int32_t agents)
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

static void sumUpBench(BenchSamples* samples, BenchRow* row)
{
    row->step = median(samples->steps, samples->count);
    for (int32_t stage = 0; stage < th_stageCount; ++stage)
        row->stages[stage] = median(samples->stages[stage], samples->count);
}

// False, and it is said, when memory is out.
static bool addBenchRow(BenchTable* table, const BenchRow* row)
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

static void freeBench(BenchTable* table)
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

// A row is printed as soon as it is measured; the first row of its scene is what others are
// compared with. The head of the table comes with the first row of all.
static void printBenchRow(const BenchTable* table, const BenchRow* row)
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

// False, and it is said, when the file cannot be written.
static bool writeBench(const BenchTable* table, const char* path)
{
    OutFile file = {0};
    if (!appOpenOut(&file, path))
        return false;
    writeRows(table, file.stream);
    if (ferror(file.stream))
        file.reason = errno;
    return appCloseOut(&file, true);
}

static bool readRow(const char* line, BenchRow* row)
{
    return sscanf(line, "%63[^,],%31[^,],%d,%15[^,],%d,%lf", row->scene, row->avoid, &row->threads,
                  row->simd, &row->agents, &row->step) == 6 &&
           row->step > 0.0;
}

static ExitCode readBench(BenchTable* table, const char* path)
{
    size_t size;
    char* text = appReadFile(path, &size);
    if (text == NULL)
        return exitEnvironment;
    text[size] = '\0';
    ExitCode code = exitDone;
    char* rest = NULL;
    char* line = strtok_r(text, "\n", &rest);
    if (line == NULL || strncmp(line, columns, sizeof columns - 1) != 0) {
        appSay("'%s' is no table that 'throng bench --csv' wrote", path);
        code = exitUsage;
    }
    for (int32_t number = 2; code == exitDone && (line = strtok_r(NULL, "\n", &rest)) != NULL;
         ++number) {
        BenchRow row = {0};
        if (!readRow(line, &row)) {
            appSay("line %d of '%s' is no row of such a table", (int)number, path);
            code = exitUsage;
        } else if (!addBenchRow(table, &row)) {
            code = exitEnvironment;
        }
    }
    free(text);
    return code;
}

// Rows that are in both.
static void compareBench(const BenchTable* table, const BenchTable* before)
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

// --- Checks ---

// What `throng bench` was asked to measure, looked at before it begins: what is wrong would
// otherwise end it after minutes.

static ExitCode checkScene(const char* name, const TextList* changes)
{
    ExitCode code;
    thScene* scene = NULL;
    char* path = appFindScene(name, &code);
    if (path != NULL)
        code = appLoadScene(path, changes, &scene);
    thDestroyScene(scene);
    free(path);
    return code;
}

static ExitCode checkSimd(const char* name)
{
    thSimd simd;
    if (thSimd_FromName(name, &simd) == th_resultOk && thSimd_IsAvailable(simd))
        return exitDone;
    appSay("--simd is '%s', which is no instruction set of this machine", name);
    return exitUsage;
}

// exitDone if all scenes can be read and all methods and instruction sets are there; what is not is
// said.
static ExitCode checkBench(const TextList* scenes, const TextList* changes, const TextList* avoids,
                           const char* plan, const TextList* simds)
{
    ExitCode code = exitDone;
    for (int32_t i = 0; i < simds->count && code == exitDone; ++i)
        code = checkSimd(simds->items[i]);
    for (int32_t i = 0; i < avoids->count && code == exitDone; ++i)
        code = appCheckMethods(
            (const char* [th_methodKindCount]){[th_methodAvoid] = avoids->items[i]});
    if (code == exitDone)
        code = appCheckMethods((const char* [th_methodKindCount]){[th_methodPlan] = plan});
    for (int32_t i = 0; i < scenes->count && code == exitDone; ++i)
        code = checkScene(scenes->items[i], changes);
    return code;
}

// --- The command ---

typedef struct BenchOptions {
    TextList scenes, avoids, threads, simds, changes;
    int64_t steps, warmUp;
    const char *plan, *csv, *compare;
} BenchOptions;

#define AT(member) .offset = offsetof(BenchOptions, member)

static const Option benchOptions[] = {
    {.heading = "what is measured; all that may be repeated are combined",
     .name = "scene",
     .kind = optionTexts,
     AT(scenes),
     .value = "SCENE",
     .about = "a file, or the name of a scene; may be repeated\n"
              "(default random-1k, random-10k and random-100k)"},
    {.name = "avoid",
     .kind = optionTexts,
     AT(avoids),
     .value = "METHOD",
     .about = "avoidance of every profile; may be repeated (default\nthe scene's)"},
    {.name = "plan",
     .kind = optionText,
     AT(plan),
     .value = "METHOD",
     .about = "planner of every profile (default the scene's)"},
    {.name = "threads",
     .kind = optionTexts,
     AT(threads),
     .value = "N",
     .about = "threads that work at once; may be repeated (default 1,\n"
              "and one for each core)"},
    {.name = "simd",
     .kind = optionTexts,
     AT(simds),
     .value = "SET",
     .about = "instruction set; may be repeated (default the best)"},
    {.name = "set",
     .kind = optionTexts,
     AT(changes),
     .value = "PATH=VALUE",
     .about = "change scenes, as in 'throng run'; may be repeated"},
    {.name = "steps",
     .kind = optionWhole,
     AT(steps),
     .value = "N",
     .about = "steps to measure (default 40)",
     .min = 1,
     .max = benchStepsMost},
    {.name = "warm-up",
     .kind = optionWhole,
     AT(warmUp),
     .value = "N",
     .about = "steps before these (default 10)",
     .min = 0,
     .max = 1e9},
    {.heading = "what comes out",
     .name = "csv",
     .kind = optionOutput,
     AT(csv),
     .value = "FILE",
     .about = "also write the table as CSV"},
    {.name = "compare",
     .kind = optionInput,
     AT(compare),
     .value = "FILE",
     .about = "also print the change since a run that wrote this CSV"},
    {0},
};

static ExitCode measure(thRun* run, const BenchOptions* options, BenchRow* row)
{
    static BenchSamples samples; // too large for the stack
    samples.count = 0;
    for (int64_t i = 0; i < options->warmUp + options->steps; ++i) {
        if (appWasInterrupted())
            return exitFailed;
        const int32_t agents = thWorld_GetCounters(thRun_GetWorld(run)).agents;
        const thResult result = thRun_Step(run);
        if (result != th_resultOk) {
            appSay("cannot step '%s': %s", row->scene, thResult_GetText(result));
            return appExitOf(result);
        }
        const thCounters counters = thWorld_GetCounters(thRun_GetWorld(run));
        if (i >= options->warmUp)
            addBenchSample(&samples, &counters, agents);
        row->agents = agents;
    }
    sumUpBench(&samples, row);
    return exitDone;
}

static ExitCode measureOne(const thScene* scene, const BenchOptions* options, BenchTable* table,
                           BenchRow row)
{
    thSimd simd = th_simdAuto;
    (void)thSimd_FromName(row.simd, &simd); // it was checked
    snprintf(row.simd, sizeof row.simd, "%s", thSimd_GetName(thSimd_Resolve(simd)));
    thRunDef def = thDefaultRunDef();
    def.world.workerCount = row.threads;
    def.world.simd = simd;
    def.methods[th_methodAvoid] = row.avoid[0] != '\0' ? row.avoid : NULL;
    def.methods[th_methodPlan] = options->plan;
    MethodNames names;
    thRun* run = NULL;
    ExitCode code = appCreateRun(scene, &def, &run);
    if (row.avoid[0] == '\0')
        snprintf(row.avoid, sizeof row.avoid, "%s", appNameMethods(scene, th_methodAvoid, &names));
    if (code == exitDone)
        code = measure(run, options, &row);
    if (code == exitDone && !addBenchRow(table, &row))
        code = exitEnvironment;
    if (code == exitDone)
        printBenchRow(table, &row);
    thDestroyRun(run);
    return code;
}

// All combinations of one scene.
static ExitCode measureScene(const char* path, const BenchOptions* options, BenchTable* table)
{
    static const char* const asIs[] = {""};
    static const char* const best[] = {"auto"};
    thScene* scene = NULL;
    ExitCode code = appLoadScene(path, &options->changes, &scene);
    const char* const* avoids = options->avoids.count > 0 ? options->avoids.items : asIs;
    const char* const* simds = options->simds.count > 0 ? options->simds.items : best;
    const int32_t avoidCount = options->avoids.count > 0 ? options->avoids.count : 1;
    const int32_t simdCount = options->simds.count > 0 ? options->simds.count : 1;
    const int32_t combinations = avoidCount * simdCount * options->threads.count;
    for (int32_t i = 0; i < combinations && code == exitDone; ++i) {
        BenchRow row = {.threads = atoi(options->threads.items[i % options->threads.count])};
        const int32_t rest = i / options->threads.count;
        snprintf(row.scene, sizeof row.scene, "%s", thScene_GetInfo(scene).name);
        snprintf(row.simd, sizeof row.simd, "%s", simds[rest % simdCount]);
        snprintf(row.avoid, sizeof row.avoid, "%s", avoids[rest / simdCount]);
        code = measureOne(scene, options, table, row);
    }
    thDestroyScene(scene);
    return code;
}

static ExitCode measureAll(const BenchOptions* options, BenchTable* table)
{
    ExitCode code = exitDone;
    for (int32_t i = 0; i < options->scenes.count && code == exitDone; ++i) {
        char* path = appFindScene(options->scenes.items[i], &code);
        if (path != NULL)
            code = measureScene(path, options, table);
        free(path);
    }
    return code;
}

static bool areThreads(const TextList* threads)
{
    for (int32_t i = 0; i < threads->count; ++i) {
        char* end;
        const long number = strtol(threads->items[i], &end, 10);
        if (*end != '\0' || number < 1 || number > 64) {
            appSay("--threads is '%s', expected a whole number from 1 to 64", threads->items[i]);
            return false;
        }
    }
    return true;
}

static ExitCode bench(const BenchOptions* options)
{
    BenchTable table = {0};
    BenchTable before = {0};
    ExitCode code = exitDone;
    if (options->compare != NULL)
        code = readBench(&before, options->compare);
    if (code == exitDone)
        code = checkBench(&options->scenes, &options->changes, &options->avoids, options->plan,
                          &options->simds);
    if (code == exitDone) {
        appWatchInterrupts();
        code = measureAll(options, &table);
    }
    if (code == exitDone && options->compare != NULL)
        compareBench(&table, &before);
    if (code == exitDone && options->csv != NULL && !writeBench(&table, options->csv))
        code = exitEnvironment;
    freeBench(&table);
    freeBench(&before);
    return code;
}

static ExitCode runBench(const Command* self, int argc, char** argv)
{
    static const char* scenes[] = {"random-1k", "random-10k", "random-100k"};
    char cores[24];
    const char* threads[] = {"1", cores};
    snprintf(cores, sizeof cores, "%d", (int)appCountThreads());
    BenchOptions options = {.steps = 40, .warmUp = 10};
    const char* operand; // there is none
    const Parsed parsed = appParseOptions(self, argc, argv, &options, &operand);
    BenchOptions used = options;
    if (used.scenes.count == 0)
        used.scenes = (TextList){scenes, 3};
    if (used.threads.count == 0)
        used.threads = (TextList){threads, appCountThreads() > 1 ? 2 : 1};
    ExitCode code = appExitOfParsed(parsed);
    if (parsed == parsedWell)
        code = areThreads(&used.threads) ? bench(&used) : exitUsage;
    appFreeOptions(self, &options);
    return code;
}

const Command appBenchCommand = {
    .name = "bench",
    .about = "measure how long steps take",
    .details =
        "Times are medians over the steps, in ns for each agent and step; those of stages that\n"
        "run in several threads are summed over them. Machines are noisy: compare figures\n"
        "of one run, or run it again.\n"
        "Exit code: 0 done, 1 interrupted, 2 bad usage or a bad scene, 3 a file or memory.\n",
    .options = benchOptions,
    .run = runBench,
};
