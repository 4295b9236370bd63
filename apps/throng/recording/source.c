// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "source.h"

#include "../load_scene.h"
#include "../scene_files.h"

#include <stdlib.h>
#include <string.h>

// The scene that a recording brings tells what to measure and what goals are called. One that this
// program cannot read any more is no reason not to look at the rest.
static void readOwnScene(Source* source)
{
    const char* text = source->recording->head.scene;
    if (text == NULL)
        return;
    thSceneDef def = thDefaultSceneDef();
    def.text = text;
    def.textSize = strlen(text);
    if (thLoadScene(&def, &source->scene) != th_resultOk)
        source->scene = NULL;
}

static ExitCode openRun(const char* name, const SourceDef* def, Source* source)
{
    static const TextList none = {0};
    ExitCode code = exitDone;
    char* path = appFindScene(name, &code);
    if (path != NULL)
        code = appLoadScene(path, def->changes != NULL ? def->changes : &none, &source->scene);
    free(path);
    if (code != exitDone)
        return code;
    thRunDef run = thDefaultRunDef();
    run.world.workerCount = appCountThreads();
    if (def->seed >= 0)
        run.seed = (uint64_t)def->seed;
    code = appCreateRun(source->scene, &run, &source->run);
    if (code == exitDone)
        source->recording = appOpenLive(source->scene, source->run, &def->live, &code);
    return code;
}

ExitCode appOpenSource(const char* name, const SourceDef* def, Source* source)
{
    *source = (Source){0};
    ExitCode code = exitDone;
    if (appIsRecordingName(name)) {
        source->recording = appOpenRecording(name, &def->recording, &code);
        if (source->recording != NULL)
            readOwnScene(source);
    } else {
        code = openRun(name, def, source);
    }
    if (code != exitDone)
        appCloseSource(source);
    return code;
}

void appCloseSource(Source* source)
{
    appCloseRecording(source->recording);
    thDestroyRun(source->run);
    thDestroyScene(source->scene);
    *source = (Source){0};
}
