// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `bench`: measures how long steps take, in named cases with bounds or in any scene,
// and compares with an earlier table.

#include "commands/bench_yardstick.h"
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
    char scene[64], avoid[32], simd[16]; // the scene, or the case
    int32_t threads, agents;
    double step;
    double bound; // 0: there is none
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
static const thStage shown[] = {th_stageSort,  th_stageSense, th_stagePlan,
                                th_stageGroup, th_stageUnjam, th_stageAvoid,
                                th_stagePace,  th_stageMove,  th_stageReport};
enum { shownCount = sizeof shown / sizeof shown[0] };

static void printHead(void)
{
    printf("%-18s %-10s %7s %-7s %8s %9s", "scene", "avoid", "threads", "simd", "agents", "ns");
    for (int32_t i = 0; i < shownCount; ++i)
        printf(" %7s", thStage_GetName(shown[i]));
    printf(" %7s %7s\n", "faster", "bound");
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
    printf("%-18s %-10s %7d %-7s %8d %9.1f", row->scene, row->avoid, (int)row->threads, row->simd,
           (int)row->agents, row->step);
    for (int32_t i = 0; i < shownCount; ++i)
        printf(" %7.1f", row->stages[shown[i]]);
    printf(" %6.2fx", speedUp(table, row));
    if (row->bound > 0.0)
        printf(" %7.0f %s\n", row->bound, row->step <= row->bound ? "ok" : "MISSED");
    else
        puts("       -");
    fflush(stdout);
}

static int32_t countMissed(const BenchTable* table)
{
    int32_t missed = 0;
    for (int32_t i = 0; i < table->count; ++i)
        missed += table->rows[i].bound > 0.0 && table->rows[i].step > table->rows[i].bound;
    return missed;
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
                printf("%-18s %-10s %7d %-7s %9.1f -> %9.1f ns  %+.1f %%\n", now->scene, now->avoid,
                       (int)now->threads, now->simd, then->step, now->step,
                       100.0 * (now->step / then->step - 1.0));
        }
    }
}

// --- Cases ---

// A scene and a window of its steps, with bounds. In most, people meet after some hundred steps,
// and only then bodies touch: whoever looks at the first steps alone sees half of what a step
// costs.
typedef struct BenchCase {
    const char *name, *scene;
    const char *avoid, *change; // NULL: as in the scene
    int64_t warmUp, steps;
    double bound;      // of one thread, where the yardstick takes YARDSTICK_THERE [ns; 0: none]
    double boundOfTwo; // of two; 0: a share of what one has taken
} BenchCase;

#define TWICE 1.8 // how many times as fast two threads are to be

static const BenchCase benchCases[] = {
    {.name = "random-100k-early", .scene = "random-100k", .warmUp = 10, .steps = 50, .bound = 210},
    {.name = "random-10k-late", .scene = "random-10k", .warmUp = 240, .steps = 60, .bound = 360},
    {.name = "city-100k", .scene = "city-100k", .steps = 300, .bound = 340},
    {.name = "evacuation-5000", .scene = "evacuation-5000", .steps = 300, .bound = 560},
    {.name = "stadium-25k", .scene = "stadium-25k", .steps = 300, .bound = 880},
    {.name = "random-100k-apart",
     .scene = "random-100k",
     .change = "contacts=false",
     .warmUp = 10,
     .steps = 50,
     .bound = 145},
    {.name = "clearpath-100k",
     .scene = "random-100k",
     .avoid = "clearpath",
     .warmUp = 10,
     .steps = 50,
     .bound = 420},
    {.name = "random-1m", .scene = "random-1m", .warmUp = 10, .steps = 10, .boundOfTwo = 100},
};
enum { benchCaseCount = sizeof benchCases / sizeof benchCases[0] };

static const BenchCase* findCase(const char* name)
{
    for (int32_t i = 0; i < benchCaseCount; ++i)
        if (strcmp(benchCases[i].name, name) == 0)
            return &benchCases[i];
    char names[512] = "";
    for (int32_t i = 0; i < benchCaseCount; ++i) {
        strcat(names, i > 0 ? ", " : ""); // there is room for all
        strcat(names, benchCases[i].name);
    }
    appSay("--case: no case '%s'; there are: %s", name, names);
    return NULL;
}

// The bound of a row of a case where the yardstick takes `scale` times as long as where bounds are
// given for. Registers other than the widest have none.
static double boundOf(const BenchCase* self, const BenchRow* row, const BenchTable* table,
                      double scale)
{
    if (strcmp(row->simd, thSimd_GetName(th_simdAvx512)) != 0)
        return 0.0;
    if (row->threads == 1)
        return self->bound * scale;
    if (row->threads != 2)
        return 0.0;
    if (self->boundOfTwo > 0.0)
        return self->boundOfTwo * scale;
    for (int32_t i = 0; i < table->count; ++i)
        if (strcmp(table->rows[i].scene, row->scene) == 0 && table->rows[i].threads == 1 &&
            strcmp(table->rows[i].simd, row->simd) == 0)
            return table->rows[i].step / TWICE;
    return 0.0;
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
    TextList cases, scenes, avoids, threads, simds, changes;
    int64_t steps, warmUp;
    const char *plan, *csv, *compare;
} BenchOptions;

// What is measured now: a scene as the options have it, or a case.
typedef struct Measuring {
    const BenchOptions* options;
    const BenchCase* named; // NULL: the options' scene
    double scale;           // of bounds
    BenchTable* table;
} Measuring;

#define AT(member) .offset = offsetof(BenchOptions, member)

static const Option benchOptions[] = {
    {.heading = "what is measured; all that may be repeated are combined",
     .name = "case",
     .kind = optionTexts,
     AT(cases),
     .value = "NAME",
     .about =
         "a case, see below; may be repeated (default all of\nthem, unless there is a --scene)"},
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
    {.heading = "instead of cases",
     .name = "scene",
     .kind = optionTexts,
     AT(scenes),
     .value = "SCENE",
     .about = "a file, or the name of a scene; may be repeated"},
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

static ExitCode measure(thRun* run, const Measuring* measuring, BenchRow* row)
{
    static BenchSamples samples; // too large for the stack
    const BenchCase* named = measuring->named;
    const int64_t warmUp = named != NULL ? named->warmUp : measuring->options->warmUp;
    const int64_t steps = named != NULL ? named->steps : measuring->options->steps;
    samples.count = 0;
    for (int64_t i = 0; i < warmUp + steps; ++i) {
        if (appWasInterrupted())
            return exitFailed;
        const int32_t agents = thWorld_GetCounters(thRun_GetWorld(run)).agents;
        const thResult result = thRun_Step(run);
        if (result != th_resultOk) {
            appSay("cannot step '%s': %s", row->scene, thResult_GetText(result));
            return appExitOf(result);
        }
        const thCounters counters = thWorld_GetCounters(thRun_GetWorld(run));
        if (i >= warmUp)
            addBenchSample(&samples, &counters, agents);
        row->agents = agents;
    }
    sumUpBench(&samples, row);
    if (named != NULL)
        row->bound = boundOf(named, row, measuring->table, measuring->scale);
    return exitDone;
}

static ExitCode measureOne(const thScene* scene, const Measuring* measuring, BenchRow row)
{
    thSimd simd = th_simdAuto;
    (void)thSimd_FromName(row.simd, &simd); // it was checked
    snprintf(row.simd, sizeof row.simd, "%s", thSimd_GetName(thSimd_Resolve(simd)));
    thRunDef def = thDefaultRunDef();
    def.world.workerCount = row.threads;
    def.world.simd = simd;
    def.methods[th_methodAvoid] = row.avoid[0] != '\0' ? row.avoid : NULL;
    def.methods[th_methodPlan] = measuring->options->plan;
    MethodNames names;
    thRun* run = NULL;
    ExitCode code = appCreateRun(scene, &def, &run);
    if (row.avoid[0] == '\0')
        snprintf(row.avoid, sizeof row.avoid, "%s", appNameMethods(scene, th_methodAvoid, &names));
    if (code == exitDone)
        code = measure(run, measuring, &row);
    if (code == exitDone && !addBenchRow(measuring->table, &row))
        code = exitEnvironment;
    if (code == exitDone)
        printBenchRow(measuring->table, &row);
    thDestroyRun(run);
    return code;
}

// All combinations of one scene, or of a case.
static ExitCode measureScene(const char* path, const Measuring* measuring)
{
    static const char* const asIs[] = {""};
    static const char* const best[] = {"auto"};
    const BenchOptions* options = measuring->options;
    const BenchCase* named = measuring->named;
    const char* change = named != NULL ? named->change : NULL;
    const TextList changes =
        named != NULL ? (TextList){&change, change != NULL ? 1 : 0} : options->changes;
    thScene* scene = NULL;
    ExitCode code = appLoadScene(path, &changes, &scene);
    const char* const* avoids = named != NULL && named->avoid != NULL ? &named->avoid
                                : options->avoids.count > 0           ? options->avoids.items
                                                                      : asIs;
    const char* const* simds = options->simds.count > 0 ? options->simds.items : best;
    const int32_t avoidCount = options->avoids.count > 0 ? options->avoids.count : 1;
    const int32_t simdCount = options->simds.count > 0 ? options->simds.count : 1;
    const int32_t combinations = avoidCount * simdCount * options->threads.count;
    for (int32_t i = 0; i < combinations && code == exitDone; ++i) {
        BenchRow row = {.threads = atoi(options->threads.items[i % options->threads.count])};
        const int32_t rest = i / options->threads.count;
        snprintf(row.scene, sizeof row.scene, "%s",
                 named != NULL ? named->name : thScene_GetInfo(scene).name);
        snprintf(row.simd, sizeof row.simd, "%s", simds[rest % simdCount]);
        snprintf(row.avoid, sizeof row.avoid, "%s", avoids[rest / simdCount]);
        code = measureOne(scene, measuring, row);
    }
    thDestroyScene(scene);
    return code;
}

static ExitCode findAndMeasure(const char* name, const Measuring* measuring)
{
    ExitCode code;
    char* path = appFindScene(name, &code);
    if (path != NULL)
        code = measureScene(path, measuring);
    free(path);
    return code;
}

static ExitCode measureScenes(const BenchOptions* options, BenchTable* table)
{
    const Measuring measuring = {.options = options, .table = table};
    ExitCode code = exitDone;
    for (int32_t i = 0; i < options->scenes.count && code == exitDone; ++i)
        code = findAndMeasure(options->scenes.items[i], &measuring);
    return code;
}

// Bounds are said in proportion to the yardstick. exitFailed if one is missed.
static ExitCode measureCases(const BenchOptions* options, BenchTable* table)
{
    const double yardstick = appMeasureYardstick();
    if (yardstick < 0.0) {
        appSay("no memory");
        return exitEnvironment;
    }
    Measuring measuring = {
        .options = options, .scale = yardstick / YARDSTICK_THERE, .table = table};
    printf("yardstick %.0f ns for an agent; bounds are %.2f times those of a machine where it is "
           "%.0f\n\n",
           yardstick, measuring.scale, YARDSTICK_THERE);
    ExitCode code = exitDone;
    for (int32_t i = 0; i < options->cases.count && code == exitDone; ++i) {
        measuring.named = findCase(options->cases.items[i]); // it was checked
        code = findAndMeasure(measuring.named->scene, &measuring);
    }
    const int32_t missed = countMissed(table);
    if (code == exitDone && missed > 0) {
        printf("\n%d of these are above their bounds\n", (int)missed);
        code = exitFailed;
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

// What cases fix must not be asked for with them.
static ExitCode checkCases(const BenchOptions* options, bool hasWindow)
{
    const char* mixed = options->scenes.count > 0    ? "scene"
                        : options->avoids.count > 0  ? "avoid"
                        : options->plan != NULL      ? "plan"
                        : options->changes.count > 0 ? "set"
                        : hasWindow                  ? "steps or --warm-up"
                                                     : NULL;
    if (mixed != NULL && options->scenes.count > 0) {
        appSay("--case and --scene are one too many");
        return exitUsage;
    }
    if (mixed != NULL) {
        appSay("--%s needs a --scene: cases have their own", mixed);
        return exitUsage;
    }
    for (int32_t i = 0; i < options->cases.count; ++i)
        if (findCase(options->cases.items[i]) == NULL)
            return exitUsage;
    return exitDone;
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
        code = (options->cases.count > 0 ? measureCases : measureScenes)(options, &table);
    }
    const bool isWhole = code == exitDone || (code == exitFailed && !appWasInterrupted());
    if (isWhole && options->compare != NULL)
        compareBench(&table, &before);
    if (isWhole && options->csv != NULL && !writeBench(&table, options->csv))
        code = exitEnvironment;
    freeBench(&table);
    freeBench(&before);
    return code;
}

static ExitCode runBench(const Command* self, int argc, char** argv)
{
    enum { usualSteps = 40, usualWarmUp = 10 };
    const char* all[benchCaseCount];
    for (int32_t i = 0; i < benchCaseCount; ++i)
        all[i] = benchCases[i].name;
    char cores[24];
    const char* threads[] = {"1", cores};
    snprintf(cores, sizeof cores, "%d", (int)appCountThreads());
    BenchOptions options = {.steps = -1, .warmUp = -1};
    const char* operand; // there is none
    const Parsed parsed = appParseOptions(self, argc, argv, &options, &operand);
    BenchOptions used = options;
    if (used.cases.count == 0 && used.scenes.count == 0)
        used.cases = (TextList){all, benchCaseCount};
    if (used.threads.count == 0)
        used.threads = (TextList){threads, appCountThreads() > 1 ? 2 : 1};
    used.steps = used.steps < 0 ? usualSteps : used.steps;
    used.warmUp = used.warmUp < 0 ? usualWarmUp : used.warmUp;
    ExitCode code = appExitOfParsed(parsed);
    if (parsed == parsedWell && used.cases.count > 0)
        code = checkCases(&used, options.steps >= 0 || options.warmUp >= 0);
    if (parsed == parsedWell && code == exitDone)
        code = areThreads(&used.threads) ? bench(&used) : exitUsage;
    appFreeOptions(self, &options);
    return code;
}

const Command appBenchCommand = {
    .name = "bench",
    .about = "measure how long steps take",
    .details =
        "cases:\n"
        "  random-100k-early       steps 11 to 60 of random-100k: few have met yet\n"
        "  random-10k-late         steps 241 to 300 of random-10k: bodies touch\n"
        "  city-100k               its first 300 steps\n"
        "  evacuation-5000         its first 300 steps\n"
        "  stadium-25k             its first 300 steps\n"
        "  random-100k-apart       random-100k-early without contacts\n"
        "  clearpath-100k          random-100k-early with clearpath\n"
        "  random-1m               steps 11 to 20 of random-1m\n"
        "\n"
        "Times are medians over the steps, in ns for each agent and step; those of stages that\n"
        "run in several threads are summed over them. Machines are noisy: compare figures\n"
        "of one run, or run it again. Cases have bounds, for one thread and for two with\n"
        "512-bit registers, in proportion to a yardstick that is measured first.\n"
        "Exit code: 0 done, 1 interrupted or a bound missed, 2 bad usage or a bad scene, 3 a\n"
        "file or memory.\n",
    .options = benchOptions,
    .run = runBench,
};
