// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "bench_check.h"

#include "load_scene.h"
#include "scene_errors.h"
#include "scene_files.h"

#include <stdlib.h>
#include <string.h>
#include <throng/simd.h>

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

// An empty scene knows the methods that all others know.
static ExitCode checkAvoid(const char* method)
{
    static const char empty[] = "{\"throng\": 1}";
    SceneErrors errors = {.stream = stderr};
    thSceneDef sceneDef = thDefaultSceneDef();
    sceneDef.path = "--avoid"; // what errors are about
    sceneDef.text = empty;
    sceneDef.textSize = strlen(empty);
    thRunDef runDef = thDefaultRunDef();
    runDef.methods[th_methodAvoid] = method;
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

static ExitCode checkSimd(const char* name)
{
    thSimd simd;
    if (thSimd_FromName(name, &simd) == th_resultOk && thSimd_IsAvailable(simd))
        return exitDone;
    appSay("--simd is '%s', which is no instruction set of this machine", name);
    return exitUsage;
}

ExitCode appCheckBench(const TextList* scenes, const TextList* changes, const TextList* avoids,
                       const TextList* simds)
{
    ExitCode code = exitDone;
    for (int32_t i = 0; i < simds->count && code == exitDone; ++i)
        code = checkSimd(simds->items[i]);
    for (int32_t i = 0; i < avoids->count && code == exitDone; ++i)
        code = checkAvoid(avoids->items[i]);
    for (int32_t i = 0; i < scenes->count && code == exitDone; ++i)
        code = checkScene(scenes->items[i], changes);
    return code;
}
