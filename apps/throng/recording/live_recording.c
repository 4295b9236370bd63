// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A run as a recording: it is stepped while one reads.

#include "recording/recording_kinds.h"
#include "recording/run_frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
