// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "load_scene.h"

#include "scene_errors.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// An empty scene knows the methods that all others know. `option` is what errors are about.
static ExitCode checkMethod(thMethodKind kind, const char* name, const char* option)
{
    static const char empty[] = "{\"throng\": 1}";
    SceneErrors errors = {.stream = stderr, .colour = appUsesColour(STDERR_FILENO)};
    thSceneDef sceneDef = thDefaultSceneDef();
    sceneDef.path = option;
    sceneDef.text = empty;
    sceneDef.textSize = sizeof empty - 1;
    thRunDef runDef = thDefaultRunDef();
    runDef.methods[kind] = name;
    runDef.report = appPrintSceneError;
    runDef.reportContext = &errors;
    thScene* scene;
    thRun* run = NULL;
    thResult result = thLoadScene(&sceneDef, &scene);
    if (result == th_resultOk)
        result = thCreateRun(scene, &runDef, &run);
    thDestroyRun(run);
    thDestroyScene(scene);
    return appExitOf(result);
}

ExitCode appCheckMethods(const char* const methods[th_methodKindCount])
{
    static const char* const options[] = {
        [th_methodPlan] = "--plan", [th_methodGroup] = "--group", [th_methodAvoid] = "--avoid"};
    ExitCode code = exitDone;
    for (int kind = 0; kind < th_methodKindCount && code == exitDone; ++kind)
        if (methods[kind] != NULL)
            code = checkMethod((thMethodKind)kind, methods[kind], options[kind]);
    return code;
}

static bool isUsed(const thScene* scene, int32_t profile, bool anyUsed)
{
    return !anyUsed || thScene_IsProfileUsed(scene, profile) != 0;
}

const char* appNameMethods(const thScene* scene, thMethodKind kind, MethodNames* names)
{
    const int32_t profiles = thScene_GetInfo(scene).profileCount;
    bool anyUsed = false;
    names->text[0] = '\0';
    for (int32_t i = 0; i < profiles && !anyUsed; ++i)
        anyUsed = thScene_IsProfileUsed(scene, i) != 0;
    for (int32_t i = 0; i < profiles; ++i) {
        const char* name = thScene_GetMethod(scene, i, kind);
        bool isNew = isUsed(scene, i, anyUsed);
        for (int32_t j = 0; j < i && isNew; ++j)
            isNew =
                !isUsed(scene, j, anyUsed) || strcmp(thScene_GetMethod(scene, j, kind), name) != 0;
        const size_t length = strlen(names->text);
        if (isNew)
            snprintf(names->text + length, sizeof names->text - length, "%s%s",
                     length > 0 ? "+" : "", name);
    }
    return names->text;
}

ExitCode appLoadScene(const char* path, const TextList* changes, thScene** scene)
{
    SceneErrors errors = {.stream = stderr, .colour = appUsesColour(STDERR_FILENO)};
    thSceneDef def = thDefaultSceneDef();
    def.path = path;
    def.changes = changes->items;
    def.changeCount = changes->count;
    def.report = appPrintSceneError;
    def.reportContext = &errors;
    const thResult result = thLoadScene(&def, scene);
    if (result != th_resultOk && errors.count == 0)
        appSay("cannot read '%s': %s", path, thResult_GetText(result));
    else if (result != th_resultOk)
        appSay("scene '%s' has %d error%s", path, errors.count, errors.count == 1 ? "" : "s");
    return appExitOf(result);
}

ExitCode appExitOfBuild(thResult result)
{
    return result == th_resultFile ? exitUsage : appExitOf(result);
}

ExitCode appCreateRun(const thScene* scene, thRunDef* def, thRun** run)
{
    SceneErrors errors = {.stream = stderr, .colour = appUsesColour(STDERR_FILENO)};
    def->report = appPrintSceneError;
    def->reportContext = &errors;
    const thResult result = thCreateRun(scene, def, run);
    if (result != th_resultOk)
        appSay("cannot build scene '%s': %s", thScene_GetInfo(scene).name,
               errors.count > 0 ? "see above" : thResult_GetText(result));
    return appExitOfBuild(result);
}
