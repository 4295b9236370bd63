// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `run`: simulates a scene, once or several times, and tells what happened.

#include "commands/commands.h"
#include "load_scene.h"
#include "out_file.h"
#include "run/interrupt.h"
#include "run/run_once.h"
#include "scene_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What all runs came to.
typedef struct Outcome {
    RunResult* results; // of runs that came to their end; a single one may be interrupted
    double* scratch;    // a number for each run
    int32_t count;
    bool interrupted;
    double time; // at which it was [s]
} Outcome;

static ExitCode runAll(const RunJob* job, Outcome* outcome)
{
    const RunOptions* options = job->options;
    const thSceneInfo info = thScene_GetInfo(job->scene);
    const uint64_t seed = options->seed >= 0 ? (uint64_t)options->seed : info.seed;
    ExitCode code = exitDone;
    for (int64_t i = 0; i < options->runs && code == exitDone && !outcome->interrupted; ++i) {
        char label[128];
        RunResult* result = &outcome->results[outcome->count];
        snprintf(label, sizeof label, "%.60s", info.name);
        if (options->runs > 1)
            snprintf(label, sizeof label, "%.60s %" PRId64 "/%" PRId64, info.name, i + 1,
                     options->runs);
        code = appRunOnce(job, seed + (uint64_t)i, label, result);
        if (!result->isThere)
            return code;
        outcome->interrupted = result->interrupted;
        outcome->time = result->time;
        // One run of several that was broken off would spoil the statistics.
        if (!result->interrupted || options->runs == 1)
            outcome->count += 1;
    }
    return code;
}

static bool writeSummary(OutFile* file, const Outcome* outcome, bool several)
{
    char* text = NULL;
    size_t size = 0;
    FILE* stream = open_memstream(&text, &size);
    if (stream == NULL) {
        appSay("no memory");
        return false;
    }
    if (several)
        appWriteSummaries(stream, outcome->results, outcome->count, outcome->scratch);
    else
        appWriteSummary(stream, outcome->results);
    const bool good = fclose(stream) == 0;
    if (good)
        appWriteOut(file, text, size);
    free(text);
    return appCloseOut(file) && good;
}

static bool usesStandardOutput(const char* path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

static ExitCode tell(const RunJob* job, const Outcome* outcome, OutFile* summary)
{
    const RunOptions* options = job->options;
    const char* snapshot = job->snapshot;
    const bool several = options->runs > 1;
    if (outcome->count > 0 && !options->quiet && !usesStandardOutput(options->summary) &&
        !usesStandardOutput(options->hashes)) {
        if (several)
            appPrintResults(outcome->results, outcome->count, outcome->scratch);
        else
            appPrintResult(outcome->results);
    }
    if (outcome->count > 0 && summary->stream != NULL && !writeSummary(summary, outcome, several))
        return exitEnvironment;
    if (outcome->interrupted) {
        fflush(stdout);
        if (several)
            appSay("interrupted: %d of %d runs were complete", (int)outcome->count,
                   (int)options->runs);
        else
            appSay("interrupted at t = %.1f s", outcome->time);
        if (snapshot != NULL)
            appSay("saved in '%s'; go on with --resume %s", snapshot, snapshot);
        return exitFailed;
    }
    return exitDone;
}

static ExitCode simulate(const RunJob* job)
{
    const RunOptions* options = job->options;
    Outcome outcome = {.results = calloc((size_t)options->runs, sizeof(RunResult)),
                       .scratch = calloc((size_t)options->runs, sizeof(double))};
    OutFile summary = {0};
    ExitCode code = exitEnvironment;
    if (outcome.results == NULL || outcome.scratch == NULL) {
        appSay("no memory");
    } else if (options->summary == NULL || appOpenOut(&summary, options->summary)) {
        // Opened first: a folder that is not there is noticed before the run, not after it.
        appWatchInterrupts();
        code = runAll(job, &outcome);
        const ExitCode told = tell(job, &outcome, &summary);
        code = told > code ? told : code;
    }
    appCloseOut(&summary);
    for (int64_t i = 0; i < options->runs && outcome.results != NULL; ++i)
        thDestroySurvey(outcome.results[i].survey);
    free(outcome.results);
    free(outcome.scratch);
    return code;
}

// Where snapshots go, to be freed; NULL when none were asked for.
static char* nameSnapshot(const RunOptions* options, const char* scene)
{
    if (options->snapshot != NULL)
        return strdup(options->snapshot);
    if (options->snapshotEvery == 0)
        return NULL;
    const size_t size = strlen(scene) + sizeof ".thsnap";
    char* path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s.thsnap", scene);
    return path;
}

static ExitCode runScene(const char* path, const RunOptions* options, thSimd simd)
{
    thScene* scene = NULL;
    ExitCode code = appCheckMethods(options->methods);
    if (code == exitDone)
        code = appLoadScene(path, &options->changes, &scene);
    if (code == exitDone) {
        char* snapshot = nameSnapshot(options, thScene_GetInfo(scene).name);
        MethodNames names[th_methodKindCount];
        Gauges gauges;
        RunJob job = {.scene = scene,
                      .options = options,
                      .simd = simd,
                      .snapshot = snapshot,
                      .gauges = &gauges};
        for (int kind = 0; kind < th_methodKindCount; ++kind)
            job.methods[kind] = options->methods[kind] != NULL
                                    ? options->methods[kind]
                                    : appNameMethods(scene, (thMethodKind)kind, &names[kind]);
        const SurveyOptions ownGauges = {0};
        code = appReadGauges(&ownGauges, scene, &gauges);
        if (code == exitDone)
            code = simulate(&job);
        appFreeGauges(&gauges);
        free(snapshot);
    }
    thDestroyScene(scene);
    return code;
}

static bool isSameFile(const char* path, const char* other)
{
    struct stat a, b;
    return other != NULL && stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

// What is written must not be what is read.
static bool sparesScene(const char* path, const RunOptions* options)
{
    const char* const outputs[] = {options->summary, options->hashes, options->snapshot,
                                   options->record};
    static const char* const names[] = {"--summary", "--hashes", "--snapshot", "--record"};
    for (int i = 0; i < 4; ++i) {
        if (isSameFile(path, outputs[i])) {
            appSay("%s is '%s', which is the scene itself", names[i], outputs[i]);
            return false;
        }
    }
    return true;
}

static ExitCode runRun(const Command* self, int argc, char** argv)
{
    RunOptions options = appDefaultRunOptions();
    const char* name;
    thSimd simd;
    const Parsed parsed = appParseOptions(self, argc, argv, &options, &name);
    ExitCode code = appExitOfParsed(parsed);
    if (parsed == parsedWell && appCheckRunOptions(&options, &simd, &code)) {
        char* path = appFindScene(name, &code);
        if (path != NULL)
            code = sparesScene(path, &options) ? runScene(path, &options, simd) : exitUsage;
        free(path);
    }
    appFreeOptions(self, &options);
    return code;
}

const Command appRunCommand = {
    .name = "run",
    .operand = "SCENE",
    .about = "simulate a scene and tell what happened",
    .details =
        "SCENE is a file, or the name of a scene that comes with the program ('throng list').\n"
        "Ctrl-C ends the run after the present step; all files are then written as at its end.\n"
        "Exit code: 0 done, 1 interrupted, 2 bad usage or a bad scene, 3 a file or memory.\n",
    .options = appRunOptions,
    .run = runRun,
};
