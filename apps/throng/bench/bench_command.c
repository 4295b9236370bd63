// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `bench`: how long steps of scenes take, by method, threads and instruction set.

#include "bench/bench_check.h"
#include "bench/bench_table.h"
#include "commands/commands.h"
#include "load_scene.h"
#include "run/interrupt.h"
#include "scene_files.h"

#include <stdlib.h>
#include <string.h>
#include <throng/simd.h>

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
     .kind = optionText,
     AT(csv),
     .value = "FILE",
     .about = "also write the table as CSV"},
    {.name = "compare",
     .kind = optionText,
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
            appAddBenchSample(&samples, &counters, agents);
        row->agents = agents;
    }
    appSumUpBench(&samples, row);
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
    if (code == exitDone && !appAddBenchRow(table, &row))
        code = exitEnvironment;
    if (code == exitDone)
        appPrintBenchRow(table, &row);
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
    if (options->compare != NULL && !appReadBench(&before, options->compare))
        code = exitEnvironment;
    if (code == exitDone)
        code = appCheckBench(&options->scenes, &options->changes, &options->avoids, options->plan,
                             &options->simds);
    if (code == exitDone) {
        appWatchInterrupts();
        code = measureAll(options, &table);
    }
    if (code == exitDone && options->compare != NULL)
        appCompareBench(&table, &before);
    if (code == exitDone && options->csv != NULL && !appWriteBench(&table, options->csv))
        code = exitEnvironment;
    appFreeBench(&table);
    appFreeBench(&before);
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
