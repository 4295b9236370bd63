// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "recording/run_frames.h"

#include <math.h>
#include <stdlib.h>

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
