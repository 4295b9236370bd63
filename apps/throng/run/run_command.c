// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `run`: simulates a scene, once or several times, and tells what happened.

#include "commands/commands.h"
#include "load_scene.h"
#include "output.h"
#include "recording/recording.h"
#include "run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- What is asked ---

#define AT(member) .offset = offsetof(RunOptions, member)

static const Option runOptions[] = {
    {.heading = "what is simulated",
     .name = "avoid",
     .kind = optionText,
     AT(methods[th_methodAvoid]),
     .value = "METHOD",
     .about = "avoidance of every profile, instead of its own"},
    {.name = "plan",
     .kind = optionText,
     AT(methods[th_methodPlan]),
     .value = "METHOD",
     .about = "planner of every profile, instead of its own"},
    {.name = "group",
     .kind = optionText,
     AT(methods[th_methodGroup]),
     .value = "METHOD",
     .about = "group method of every profile, instead of its own"},
    {.name = "set",
     .kind = optionTexts,
     AT(changes),
     .value = "PATH=VALUE",
     .about = "change the scene before it is run, as in\n"
              "--set agents[0].count=200; may be repeated"},
    {.name = "seed",
     .kind = optionWhole,
     AT(seed),
     .value = "N",
     .about = "seed of all random numbers (default the scene's)",
     .min = 0,
     .max = 9007199254740991.0},
    {.name = "runs",
     .kind = optionWhole,
     AT(runs),
     .value = "N",
     .about = "so many runs with seeds one after the other (default 1)",
     .min = 1,
     .max = 100000},
    {.name = "steps",
     .kind = optionWhole,
     AT(steps),
     .value = "N",
     .about = "end after so many steps, whatever the scene says",
     .min = 0,
     .max = 1e15},
    {.name = "until",
     .kind = optionNumber,
     AT(until),
     .value = "T",
     .about = "end at this time in seconds, instead of at the scene's",
     .min = 0,
     .max = 1e12},
    {.heading = "how it is computed; results do not depend on it",
     .name = "threads",
     .kind = optionWhole,
     AT(threads),
     .value = "N",
     .about = "threads that work at once (default one for each core)",
     .min = 1,
     .max = appMostThreads},
    {.name = "simd",
     .kind = optionText,
     AT(simd),
     .value = "SET",
     .about = "instruction set: auto, scalar, sse2, avx2, avx512, neon\n(default auto)"},
    {.name = "backend",
     .kind = optionText,
     AT(backend),
     .value = "B",
     .about = "what computes: cpu (default)"},
    {.heading = "what comes out",
     .name = "summary",
     .kind = optionOutput,
     AT(summary),
     .value = "FILE",
     .about = "write the result as JSON; '-' prints it instead of\nthe table"},
    {.name = "hashes",
     .kind = optionOutput,
     AT(hashes),
     .value = "FILE",
     .about = "write a line for each step: its number, the state hash,\n"
              "and hashes of sort, sense, plan, avoid and move"},
    {.name = "record",
     .kind = optionOutput,
     AT(record),
     .value = "FILE",
     .about = "record who is where, frame by frame; the suffix says\n"
              "how: .thlog, .h5, .sqlite or .txt"},
    {.name = "fps",
     .kind = optionNumber,
     AT(fps),
     .value = "N",
     .about =
         "frames in a second that are recorded (default 10, or\nevery step where steps are longer)",
     .min = 1e-6,
     .max = 1e6},
    {.name = "area",
     .kind = optionText,
     AT(area),
     .value = "X0,Y0,X1,Y1",
     .about = "record only who is in this box, in metres"},
    {.name = "check-walls",
     .kind = optionFlag,
     AT(checkWalls),
     .about = "hold every move against every wall (slow)"},
    {.name = "quiet", .kind = optionFlag, AT(quiet), .about = "no progress, no table; errors only"},
    {.heading = "breaking off and going on",
     .name = "snapshot-every",
     .kind = optionWhole,
     AT(snapshotEvery),
     .value = "N",
     .about = "save the run after every N steps, and at its end",
     .min = 1,
     .max = 1e15},
    {.name = "snapshot",
     .kind = optionOutput,
     AT(snapshot),
     .value = "FILE",
     .about = "where it is saved (default NAME.thsnap after the scene);\n"
              "alone: save it at the end only"},
    {.name = "resume",
     .kind = optionInput,
     AT(resume),
     .value = "FILE",
     .about = "go on from a saved run of the same scene and options"},
    {0},
};

// Defaults, before the command line is read.
static RunOptions defaultRunOptions(void)
{
    return (RunOptions){.seed = -1,
                        .steps = -1,
                        .until = -1.0,
                        .threads = appCountThreads(),
                        .simd = "auto",
                        .backend = "cpu",
                        .runs = 1};
}

static bool chooseSimd(const char* name, thSimd* simd, ExitCode* code)
{
    if (thSimd_FromName(name, simd) != th_resultOk) {
        char names[128] = "";
        for (int32_t i = 0; i < th_simdCount; ++i) {
            const size_t length = strlen(names);
            snprintf(names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "",
                     thSimd_GetName((thSimd)i));
        }
        appSay("--simd is '%s', expected one of %s", name, names);
        *code = exitUsage;
        return false;
    }
    if (*simd != th_simdAuto && !thSimd_IsAvailable(*simd)) {
        appSay("--simd is '%s', which this machine or this build does not have", name);
        *code = exitEnvironment;
        return false;
    }
    *simd = thSimd_Resolve(*simd);
    return true;
}

static bool checkRecord(const RunOptions* options, ExitCode* code)
{
    thPlace low, high;
    if (options->record == NULL && (options->fps > 0.0 || options->area != NULL)) {
        appSay("%s is about --record, which is not there", options->fps > 0.0 ? "--fps" : "--area");
        return false;
    }
    if (options->area != NULL && !appReadArea(options->area, &low, &high))
        return false;
    if (options->record != NULL)
        *code = appCheckRecordingName(options->record);
    return options->record == NULL || *code == exitDone;
}

static bool isStandardOutput(const char* path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

// Checks what the table cannot. False, and it is said, if something is wrong.
static bool checkRunOptions(const RunOptions* options, thSimd* simd, ExitCode* code)
{
    *code = exitUsage;
    if (strcmp(options->backend, "cpu") != 0) {
        appSay("--backend is '%s', expected cpu", options->backend);
        return false;
    }
    const char* single = options->resume != NULL                                   ? "--resume"
                         : options->snapshot != NULL || options->snapshotEvery > 0 ? "--snapshot"
                         : options->hashes != NULL                                 ? "--hashes"
                         : options->record != NULL                                 ? "--record"
                                                                                   : NULL;
    if (options->runs > 1 && single != NULL) {
        appSay("%s is about a single run, but --runs is %d", single, (int)options->runs);
        return false;
    }
    if (isStandardOutput(options->snapshot)) {
        appSay("--snapshot is '-', expected a file");
        return false;
    }
    return checkRecord(options, code) && chooseSimd(options->simd, simd, code);
}

// --- Runs, and what they came to ---

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
    return appCloseOut(file, good);
}

static ExitCode tell(const RunJob* job, const Outcome* outcome, OutFile* summary)
{
    const RunOptions* options = job->options;
    const char* snapshot = job->snapshot;
    const bool several = options->runs > 1;
    if (outcome->count > 0 && !options->quiet && !isStandardOutput(options->summary) &&
        !isStandardOutput(options->hashes)) {
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
    appWatchInterrupts();
    if (outcome.results == NULL || outcome.scratch == NULL) {
        appSay("no memory");
    } else if (options->summary == NULL || appOpenOut(&summary, options->summary)) {
        code = runAll(job, &outcome);
        const ExitCode told = tell(job, &outcome, &summary);
        code = told > code ? told : code;
    }
    appCloseOut(&summary, false);
    for (int64_t i = 0; i < options->runs && outcome.results != NULL; ++i) {
        thDestroySurvey(outcome.results[i].survey);
        free(outcome.results[i].closings);
    }
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

// Of the one that has its name from the scene; others were looked at with the options.
static ExitCode checkSnapshot(const RunOptions* options, const char* path)
{
    if (path == NULL || options->snapshot != NULL)
        return exitDone;
    if (!appNoteOutput("--snapshot", path))
        return exitUsage;
    return appCanWrite(path) ? exitDone : exitEnvironment;
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
            code = checkSnapshot(options, snapshot);
        if (code == exitDone)
            code = simulate(&job);
        appFreeGauges(&gauges);
        free(snapshot);
    }
    thDestroyScene(scene);
    return code;
}

static ExitCode runRun(const Command* self, int argc, char** argv)
{
    RunOptions options = defaultRunOptions();
    const char* name;
    thSimd simd;
    const Parsed parsed = appParseOptions(self, argc, argv, &options, &name);
    ExitCode code = appExitOfParsed(parsed);
    if (parsed == parsedWell && checkRunOptions(&options, &simd, &code)) {
        char* path = appFindScene(name, &code);
        if (path != NULL)
            code = runScene(path, &options, simd);
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
    .options = runOptions,
    .run = runRun,
};
