// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "bench/bench_check.h"

#include "load_scene.h"
#include "scene_files.h"

#include <stdlib.h>
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

static ExitCode checkSimd(const char* name)
{
    thSimd simd;
    if (thSimd_FromName(name, &simd) == th_resultOk && thSimd_IsAvailable(simd))
        return exitDone;
    appSay("--simd is '%s', which is no instruction set of this machine", name);
    return exitUsage;
}

ExitCode appCheckBench(const TextList* scenes, const TextList* changes, const TextList* avoids,
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
