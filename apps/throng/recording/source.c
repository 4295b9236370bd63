// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "recording/source.h"

#include "load_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

// --- Options that do not concern what is looked at ---

typedef struct GivenOption {
    const char* name;
    bool isGiven;
} GivenOption;

static ExitCode refuse(const GivenOption* options, int count, const char* about, const char* name,
                       const char* what)
{
    for (int i = 0; i < count; ++i)
        if (options[i].isGiven) {
            appSay("%s is about %s, but '%s' is %s", options[i].name, about, name, what);
            return exitUsage;
        }
    return exitDone;
}

static ExitCode checkForScene(const char* name, const SourceDef* def)
{
    const GivenOption options[] = {{"--rate", def->recording.rate > 0.0},
                                   {"--unit", def->recording.unit != NULL},
                                   {"--geometry", def->recording.geometry != NULL}};
    return refuse(options, 3, "recordings", name, "a scene");
}

static ExitCode checkForRecording(const char* name, const SourceDef* def)
{
    const GivenOption options[] = {{"--avoid", def->use.methods[th_methodAvoid] != NULL},
                                   {"--plan", def->use.methods[th_methodPlan] != NULL},
                                   {"--set", def->use.changes.count > 0},
                                   {"--seed", def->use.seed >= 0},
                                   {"--fps", def->live.rate > 0.0}};
    return refuse(options, 5, "scenes", name, "a recording");
}

// --- Opening ---

// Whether that is a folder, or a file that neither is called a scene nor begins like one.
static bool isNoScene(const char* path)
{
    static const char suffix[] = ".json";
    const size_t length = strlen(path), tail = sizeof suffix - 1;
    struct stat status;
    if (length > tail && strcmp(path + length - tail, suffix) == 0)
        return false;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return true;
    FILE* file = fopen(path, "r");
    if (file == NULL)
        return false; // whoever reads it says why
    int c;
    do
        c = getc(file);
    while (c != EOF && strchr(" \t\r\n\xef\xbb\xbf", c) != NULL);
    fclose(file);
    return c != '{';
}

static ExitCode loadScene(const char* name, const SourceDef* def, thScene** scene)
{
    ExitCode code = exitDone;
    char* path = appFindScene(name, &code);
    if (path == NULL)
        return code;
    if (isNoScene(path)) {
        appSay("'%s' is neither a recording nor a scene", name);
        code = exitUsage;
    } else {
        code = appLoadScene(path, &def->use.changes, scene);
    }
    free(path);
    return code;
}

static ExitCode openRun(const char* name, const SourceDef* def, Source* source)
{
    ExitCode code = checkForScene(name, def);
    if (code == exitDone)
        code = appCheckMethods(def->use.methods);
    if (code == exitDone)
        code = loadScene(name, def, &source->scene);
    if (code != exitDone)
        return code;
    thRunDef run = thDefaultRunDef();
    run.world.workerCount = appCountThreads();
    if (def->use.seed >= 0)
        run.seed = (uint64_t)def->use.seed;
    memcpy(run.methods, def->use.methods, sizeof run.methods);
    code = appCreateRun(source->scene, &run, &source->run);
    if (code == exitDone)
        source->recording = appOpenLive(source->scene, source->run, &def->live, &code);
    return code;
}

static ExitCode openFile(const char* name, const SourceDef* def, Source* source)
{
    ExitCode code = checkForRecording(name, def);
    if (code == exitDone)
        source->recording = appOpenRecording(name, &def->recording, &code);
    if (source->recording != NULL)
        readOwnScene(source);
    return code;
}

ExitCode appOpenSource(const char* name, const SourceDef* def, Source* source)
{
    *source = (Source){0};
    ExitCode code;
    if (appIsRecordingName(name)) {
        code = openFile(name, def, source);
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
