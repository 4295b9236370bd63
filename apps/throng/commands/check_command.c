// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `check`: everything that is wrong with a scene.

#include "commands/commands.h"
#include "load_scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct CheckOptions {
    TextList changes;
    bool json;
} CheckOptions;

static const Option checkOptions[] = {
    {.name = "set",
     .kind = optionTexts,
     .offset = offsetof(CheckOptions, changes),
     .value = "PATH=VALUE",
     .about = "change the scene before it is checked, as in 'throng run';\nmay be repeated"},
    {.name = "json",
     .kind = optionFlag,
     .offset = offsetof(CheckOptions, json),
     .about = "print one JSON object instead of lines"},
    {0},
};

// A world of the scene is built too, because only that finds agents in walls and the like.
static thResult checkScene(const char* path, const CheckOptions* options, SceneErrors* errors,
                           SceneNotes* notes, thScene** scene)
{
    thSceneDef def = thDefaultSceneDef();
    def.path = path;
    def.changes = options->changes.items;
    def.changeCount = options->changes.count;
    def.report = appPrintSceneError;
    def.reportContext = errors;
    const thResult result = thLoadScene(&def, scene);
    if (result != th_resultOk)
        return result;
    thRunDef runDef = thDefaultRunDef();
    runDef.report = appPrintSceneError;
    runDef.reportContext = errors;
    runDef.note = appKeepSceneNote;
    runDef.noteContext = notes;
    thRun* run = NULL;
    const thResult built = thCreateRun(*scene, &runDef, &run);
    thDestroyRun(run);
    return built == th_resultOk && notes->noMemory ? th_resultNoMemory : built;
}

static void printSoundness(const char* path, const thSceneInfo* info)
{
    printf("%s is sound: %" PRId64 " agent%s", path, info->agents, info->agents == 1 ? "" : "s");
    if (info->comingAgents > 0)
        printf(" and %" PRId64 " to come", info->comingAgents);
    else if (info->comingAgents < 0)
        fputs(" and more to come", stdout);
    printf(", %d goal%s, %d profile%s, steps of %g s", (int)info->goalCount,
           info->goalCount == 1 ? "" : "s", (int)info->profileCount,
           info->profileCount == 1 ? "" : "s", info->step);
    if (isfinite(info->endTime))
        printf(", ends at %g s", info->endTime);
    if (info->endSteps >= 0)
        printf(", ends after %" PRId64 " steps", info->endSteps);
    putchar('\n');
}

static void printVerdict(const char* path, thResult result, const thScene* scene,
                         const SceneErrors* errors)
{
    if (errors->count > 0) {
        printf("%s: %d error%s\n", path, errors->count, errors->count == 1 ? "" : "s");
    } else if (result != th_resultOk) {
        appSay("cannot check '%s': %s", path, thResult_GetText(result));
    } else {
        const thSceneInfo info = thScene_GetInfo(scene);
        printSoundness(path, &info);
    }
}

static void writeVerdict(JsonOut* json, thResult result, const SceneErrors* errors)
{
    char count[32];
    snprintf(count, sizeof count, "%d error%s", errors->count, errors->count == 1 ? "" : "s");
    appJsonText(json, "result",
                errors->count > 0       ? count
                : result != th_resultOk ? thResult_GetText(result)
                                        : "sound");
}

static ExitCode check(const char* path, const CheckOptions* options)
{
    JsonOut json = {.stream = stdout};
    SceneErrors errors = {.stream = stdout,
                          .colour = appUsesColour(STDOUT_FILENO),
                          .json = options->json ? &json : NULL};
    if (options->json) {
        appJsonBegin(&json, NULL, '{', true);
        appJsonText(&json, "file", path);
        appJsonBegin(&json, "errors", '[', true);
    }
    thScene* scene;
    SceneNotes notes = {0};
    const thResult result = checkScene(path, options, &errors, &notes, &scene);
    const ExitCode code = scene != NULL ? appExitOfBuild(result) : appExitOf(result);
    if (options->json) {
        appJsonEnd(&json, ']');
        appJsonBegin(&json, "notes", '[', true);
        appPrintSceneNotes(&errors, &notes);
        appJsonEnd(&json, ']');
        writeVerdict(&json, result, &errors);
        appJsonEnd(&json, '}');
    } else {
        appPrintSceneNotes(&errors, &notes);
        printVerdict(path, result, scene, &errors);
    }
    appFreeSceneNotes(&notes);
    thDestroyScene(scene);
    return code;
}

static ExitCode runCheck(const Command* self, int argc, char** argv)
{
    CheckOptions options = {0};
    const char* name;
    const Parsed parsed = appParseOptions(self, argc, argv, &options, &name);
    ExitCode code = appExitOfParsed(parsed);
    if (parsed == parsedWell) {
        char* path = appFindScene(name, &code);
        if (path != NULL)
            code = check(path, &options);
        free(path);
    }
    appFreeOptions(self, &options);
    return code;
}

const Command appCheckCommand = {
    .name = "check",
    .operand = "SCENE",
    .about = "say everything that is wrong with a scene",
    .details =
        "SCENE is a file, or the name of a scene that comes with the program ('throng list').\n"
        "Errors are lines of the form file:line:column: path: text, followed by a summary.\n"
        "The scene is also built, which finds agents in walls and regions that are too small, and\n"
        "notes what is likely not meant: people who overlap, goals inside of walls.\n"
        "Exit code: 0 it is sound, 2 it is not, 3 a file or memory.\n",
    .options = checkOptions,
    .run = runCheck,
};
