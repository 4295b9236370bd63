// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "run/run_options.h"

#include "recording/recording.h"
#include "run/area.h"

#include <stdio.h>
#include <string.h>

#define AT(member) .offset = offsetof(RunOptions, member)

const Option appRunOptions[] = {
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
     .kind = optionText,
     AT(summary),
     .value = "FILE",
     .about = "write the result as JSON; '-' prints it instead of\nthe table"},
    {.name = "hashes",
     .kind = optionText,
     AT(hashes),
     .value = "FILE",
     .about = "write a line for each step: its number, the state hash,\n"
              "and hashes of sort, sense, plan, avoid and move"},
    {.name = "record",
     .kind = optionText,
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
     .kind = optionText,
     AT(snapshot),
     .value = "FILE",
     .about = "where it is saved (default NAME.thsnap after the scene);\n"
              "alone: save it at the end only"},
    {.name = "resume",
     .kind = optionText,
     AT(resume),
     .value = "FILE",
     .about = "go on from a saved run of the same scene and options"},
    {0},
};

RunOptions appDefaultRunOptions(void)
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

bool appCheckRunOptions(const RunOptions* options, thSimd* simd, ExitCode* code)
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
    if (isStandardOutput(options->summary) && isStandardOutput(options->hashes)) {
        appSay("--summary and --hashes cannot both be '-'");
        return false;
    }
    return checkRecord(options, code) && chooseSimd(options->simd, simd, code);
}
