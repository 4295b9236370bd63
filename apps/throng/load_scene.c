// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "load_scene.h"

#include "scene_errors.h"

#include <unistd.h>

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
