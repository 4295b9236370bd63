// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What commands look at when they take FILE: a recording, or a scene that is run meanwhile.

#include "recording/source.h"

#include "load_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// --- Frames of runs ---

// Frames a second, when `every`-th steps are frames. Lengths of steps such as 0.1 are not exact in
// binary; rates are meant to be.
static double rateOf(double step, int64_t every)
{
    const double rate = 1.0 / (step * (double)every);
    const double whole = round(rate);
    return fabs(rate - whole) < 1e-9 * rate ? whole : rate;
}

FrameRate appUsualRate(double step)
{
    const double usual = 10.0;
    const double every = fmax(1.0, round(1.0 / (usual * step)));
    return (FrameRate){rateOf(step, (int64_t)every), (int64_t)every};
}

bool appExactRate(double step, double rate, FrameRate* frames)
{
    const double steps = 1.0 / (rate * step); // from frame to frame
    const double every = round(steps);
    if (every >= 1.0 && fabs(steps - every) <= 1e-6 && every < 9e15) {
        *frames = (FrameRate){rate, (int64_t)every};
        return true;
    }
    const int64_t fewer = (int64_t)floor(fmin(steps, 9e15));
    const double next = rateOf(step, fewer + 1);
    if (fewer < 1)
        appSay("--fps is %g, expected at most %.7g, a frame for each step of %g s", rate,
               rateOf(step, 1), step);
    else
        appSay("--fps is %g, expected one for which frames fall on steps of %g s, such as %.7g or "
               "%.7g",
               rate, step, rateOf(step, fewer), next);
    return false;
}

thRecordHead appMakeHead(const thScene* scene, double rate, char** text)
{
    const thSceneInfo info = thScene_GetInfo(scene);
    size_t size = 0;
    thResult result = thScene_Write(scene, NULL, 0, &size);
    *text = result == th_resultOk ? malloc(size + 1) : NULL;
    if (*text != NULL)
        result = thScene_Write(scene, *text, size + 1, &size);
    if (*text == NULL || result != th_resultOk) {
        appSay("cannot record the scene: %s",
               thResult_GetText(result == th_resultOk ? th_resultNoMemory : result));
        free(*text);
        *text = NULL;
    }
    return (thRecordHead){
        .rate = rate, .origin = {info.originX, info.originY}, .title = info.name, .scene = *text};
}

// --- A run as a recording ---

typedef struct Live {
    thRun* run;
    thRecorder* recorder;
    char* scene;   // JSON
    double until;  // [s]
    double step;   // [s]
    int64_t every; // steps from frame to frame
    bool begun;    // the state at the beginning was looked at
} Live;

static bool isOver(const Live* live)
{
    return thRun_IsOver(live->run) != 0 ||
           thRun_GetTime(live->run) > live->until - 0.5 * live->step;
}

// Steps to the next state that is a frame; the first one may be the present one.
static Next stepToFrame(Live* live, int64_t* number)
{
    uint64_t steps;
    do {
        if (live->begun && isOver(live))
            return nextEnd;
        const thResult result = live->begun ? thRun_Step(live->run) : th_resultOk;
        if (result != th_resultOk) {
            appSay("cannot step after t = %.1f s: %s", thRun_GetTime(live->run),
                   thResult_GetText(result));
            return nextFailed;
        }
        live->begun = true;
        steps = thWorld_GetCounters(thRun_GetWorld(live->run)).steps;
    } while (steps % (uint64_t)live->every != 0);
    *number = (int64_t)(steps / (uint64_t)live->every);
    return nextFrame;
}

static Next nextLive(Recording* self)
{
    Live* live = self->own;
    int64_t number;
    const Next next = stepToFrame(live, &number);
    if (next != nextFrame)
        return next;
    const thResult result = thRecorder_Take(live->recorder, number, &self->latest);
    if (result != th_resultOk)
        appSay("cannot look at t = %.1f s: %s", thRun_GetTime(live->run), thResult_GetText(result));
    return result == th_resultOk ? nextFrame : nextFailed;
}

static void closeLive(Recording* self)
{
    Live* live = self->own;
    thDestroyRecorder(live->recorder);
    free(live->scene);
    free(live);
}

static const RecordingKind liveKind = {NULL, "a run", nextLive, closeLive};

static double findEnd(const thSceneInfo* info, double until)
{
    const double bySteps = info->endSteps >= 0 ? (double)info->endSteps * info->step : INFINITY;
    const double end = fmin(until, fmin(info->endTime, bySteps));
    return isfinite(end) ? end : -1.0;
}

static ExitCode openLive(Recording* recording, const thScene* scene, thRun* run, const LiveDef* def)
{
    const thSceneInfo info = thScene_GetInfo(scene);
    FrameRate frames = {1.0 / info.step, 1};
    if (def->rate > 0.0 && !appExactRate(info.step, def->rate, &frames))
        return exitUsage;
    Live* live = recording->own;
    *live = (Live){.run = run, .until = def->until, .step = info.step, .every = frames.every};
    const thRecorderDef recorder = thDefaultRecorderDef();
    const thResult result = thCreateRecorder(&recorder, run, &live->recorder);
    if (result != th_resultOk) {
        appSay("cannot look at the run: %s", thResult_GetText(result));
        return appExitOf(result);
    }
    recording->head = appMakeHead(scene, frames.rate, &live->scene);
    recording->endTime = findEnd(&info, def->until);
    return live->scene != NULL ? exitDone : exitEnvironment;
}

Recording* appOpenLive(const thScene* scene, thRun* run, const LiveDef* def, ExitCode* code)
{
    Recording* recording = calloc(1, sizeof *recording);
    Live* live = calloc(1, sizeof *live);
    char* path = strdup(thScene_GetInfo(scene).name);
    if (recording == NULL || live == NULL || path == NULL) {
        appSay("no memory");
        free(recording);
        free(live);
        free(path);
        *code = exitEnvironment;
        return NULL;
    }
    *recording = (Recording){.kind = &liveKind, .path = path, .own = live};
    *code = openLive(recording, scene, run, def);
    if (*code == exitDone)
        return recording;
    appCloseRecording(recording);
    return NULL;
}

// --- Sources ---

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
    return !appBeginsLikeScene(path);
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
    if (code == exitDone && !appNoteInput("FILE", name))
        code = exitUsage;
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
