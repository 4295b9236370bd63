// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `render`: a picture of a scene at a time.

#include "commands.h"
#include "interrupt.h"
#include "load_scene.h"
#include "picture.h"
#include "progress.h"
#include "scene_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct RenderOptions {
    TextList changes;
    const char* output;
    double at;     // [s; negative: at the scene's end]
    double trails; // [s]
    int64_t width, level;
    int64_t seed; // [-1: the scene's]
    bool quiet;
} RenderOptions;

#define AT(member) .offset = offsetof(RenderOptions, member)

static const Option renderOptions[] = {
    {.name = "output",
     .kind = optionText,
     AT(output),
     .value = "FILE",
     .about = "where the picture goes; its suffix says what it is:\n"
              ".png, .svg or .pdf (default NAME.png after the scene)"},
    {.name = "at",
     .kind = optionNumber,
     AT(at),
     .value = "T",
     .about = "the time to show, in seconds (default the scene's end)",
     .min = 0,
     .max = 1e9},
    {.name = "trails",
     .kind = optionNumber,
     AT(trails),
     .value = "S",
     .about = "how long trails are, in seconds; 0 draws none (default 5)",
     .min = 0,
     .max = 1e6},
    {.name = "width",
     .kind = optionWhole,
     AT(width),
     .value = "N",
     .about = "width in pixels or points (default 1600)",
     .min = 100,
     .max = 20000},
    {.name = "level",
     .kind = optionWhole,
     AT(level),
     .value = "N",
     .about = "the floor to show (default 0)",
     .min = 0,
     .max = 65535},
    {.name = "set",
     .kind = optionTexts,
     AT(changes),
     .value = "PATH=VALUE",
     .about = "change the scene before it is run, as in 'throng run';\nmay be repeated"},
    {.name = "seed",
     .kind = optionWhole,
     AT(seed),
     .value = "N",
     .about = "seed of all random numbers (default the scene's)",
     .min = 0,
     .max = 9007199254740991.0},
    {.name = "quiet", .kind = optionFlag, AT(quiet), .about = "no progress; errors only"},
    {0},
};

// Steps until the time to show.
static ExitCode stepTo(thRun* run, double at, Trails* trails, Progress* progress)
{
    const thWorld* world = thRun_GetWorld(run);
    bool complete = trails == NULL || appNoteTrails(trails, world, thRun_GetTime(run));
    while (complete && thRun_GetTime(run) < at - 1e-9 && !thRun_IsOver(run)) {
        if (appWasInterrupted())
            return exitFailed;
        const thResult result = thRun_Step(run);
        if (result != th_resultOk) {
            appSay("cannot step after t = %.1f s: %s", thRun_GetTime(run),
                   thResult_GetText(result));
            return appExitOf(result);
        }
        const double time = thRun_GetTime(run);
        if (trails != NULL)
            complete = appNoteTrails(trails, world, time);
        if (appProgressIsDue(progress))
            appShowProgress(progress, isinf(at) ? -1.0 : time / at, time);
    }
    if (!complete)
        appSay("no memory for trails");
    return complete ? exitDone : exitEnvironment;
}

static ExitCode drawRun(thRun* run, const thSceneInfo* info, const RenderOptions* options)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.png", info->name);
    const PictureDef base = {.path = options->output != NULL ? options->output : path,
                             .width = (int32_t)options->width,
                             .level = (int32_t)options->level,
                             .title = info->name};
    Trails* trails = options->trails > 0.0 ? appCreateTrails(options->trails) : NULL;
    if (trails == NULL && options->trails > 0.0) {
        appSay("no memory for trails");
        return exitEnvironment;
    }
    Progress progress;
    const double at = options->at >= 0.0 ? options->at : INFINITY;
    appBeginProgress(&progress, info->name, options->quiet, isinf(at) ? -1.0 : 0.0, 0.0);
    ExitCode code = stepTo(run, at, trails, &progress);
    appEndProgress(&progress);
    PictureDef def = base;
    def.time = thRun_GetTime(run);
    char reason[512];
    if (code == exitDone &&
        !appDrawPicture(thRun_GetWorld(run), trails, &def, reason, sizeof reason)) {
        appSay("%s", reason);
        code = exitEnvironment;
    }
    if (code == exitDone && !options->quiet)
        printf("%s: %s at t = %.1f s\n", def.path, info->name, def.time);
    appFreeTrails(trails);
    return code;
}

// An empty page would tell nothing, and might replace a picture that does.
static bool isLevelThere(const thScene* scene, int64_t level)
{
    int32_t levels[20];
    char names[256] = "";
    const int32_t most = sizeof levels / sizeof levels[0];
    const int32_t count = thScene_GetLevels(scene, levels, most);
    for (int32_t i = 0; i < count && i < most; ++i) {
        const size_t length = strlen(names);
        if (levels[i] == level)
            return true;
        snprintf(names + length, sizeof names - length, "%s%d", i > 0 ? ", " : "", (int)levels[i]);
    }
    appSay("--level is %d, expected a floor that something is on: %s%s", (int)level, names,
           count > most ? ", ..." : "");
    return false;
}

static ExitCode render(const char* path, const RenderOptions* options)
{
    thScene* scene = NULL;
    thRun* run = NULL;
    ExitCode code = appLoadScene(path, &options->changes, &scene);
    if (code == exitDone && !isLevelThere(scene, options->level))
        code = exitUsage;
    if (code == exitDone) {
        const thSceneInfo info = thScene_GetInfo(scene);
        thRunDef def = thDefaultRunDef();
        def.world.workerCount = appCountThreads();
        if (options->seed >= 0)
            def.seed = (uint64_t)options->seed;
        code = appCreateRun(scene, &def, &run);
        if (code == exitDone) {
            appWatchInterrupts();
            code = drawRun(run, &info, options);
        }
    }
    thDestroyRun(run);
    thDestroyScene(scene);
    return code;
}

static ExitCode runRender(const Command* self, int argc, char** argv)
{
    RenderOptions options = {.at = -1.0, .trails = 5.0, .width = 1600, .seed = -1};
    const char* name;
    const Parsed parsed = appParseOptions(self, argc, argv, &options, &name);
    ExitCode code = appExitOfParsed(parsed);
    if (parsed == parsedWell && options.output != NULL && !appIsPictureName(options.output)) {
        appSay("--output is '%s', expected a name that ends in .png, .svg or .pdf", options.output);
        code = exitUsage;
    } else if (parsed == parsedWell) {
        char* path = appFindScene(name, &code);
        if (path != NULL)
            code = render(path, &options);
        free(path);
    }
    appFreeOptions(self, &options);
    return code;
}

const Command appRenderCommand = {
    .name = "render",
    .operand = "SCENE",
    .about = "draw a picture of a scene at a time",
    .details =
        "SCENE is a file, or the name of a scene that comes with the program ('throng list').\n"
        "Agents have the colour of the goal they head for; of scenes with many goals, a\n"
        "colour that tells where they started. Those who have arrived are paler.\n"
        "Exit code: 0 done, 1 interrupted, 2 bad usage or a bad scene, 3 a file or memory.\n",
    .options = renderOptions,
    .run = runRender,
};
