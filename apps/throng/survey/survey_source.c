// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "survey/survey_source.h"

#include "run/interrupt.h"
#include "run/progress.h"

static bool isWall(const thRecordedShape* shape)
{
    return shape->kind == th_shapeSolid || shape->kind == th_shapeRoom ||
           shape->kind == th_shapeWall;
}

// Where nothing bounds the cells of those at the edge of a crowd, figures are not what one expects.
static void noteOpenAreas(const thSurveyDef* def, bool quiet)
{
    bool isOpen = !quiet && def->areaCount > 0 && !(def->cutOff > 0.0);
    for (int32_t i = 0; isOpen && i < def->shapeCount; ++i)
        isOpen = !isWall(&def->shapes[i]);
    if (isOpen)
        appSay(
            "note: there are no walls, so that the Voronoi cells of the outer people are too large "
            "and densities too low; --cut-off bounds them");
}

static ExitCode create(const Recording* recording, const SurveyOptions* options,
                       const Gauges* gauges, thSurvey** survey)
{
    thSurveyDef def = thDefaultSurveyDef();
    def.rate = recording->head.rate;
    def.speedFrames = (int32_t)options->speedFrames;
    if (options->radius > 0.0)
        def.radius = (float)options->radius;
    def.cutOff = options->cutOff;
    def.shapes = recording->shapes;
    def.shapeCount = recording->shapeCount;
    def.lines = gauges->lines;
    def.lineCount = gauges->lineCount;
    def.areas = gauges->areas;
    def.areaCount = gauges->areaCount;
    thError error = {0};
    const thResult result = thCreateSurvey(&def, survey, &error);
    if (result == th_resultOk) {
        noteOpenAreas(&def, options->quiet);
        return exitDone;
    }
    appSay("cannot measure: %s", error.text[0] != '\0' ? error.text : thResult_GetText(result));
    return result == th_resultBadArgument ? exitUsage : appExitOf(result);
}

// Nothing is read that is later than `to`.
static bool isWanted(double time, const SurveyOptions* options)
{
    return time >= options->from - 1e-9;
}

static ExitCode addFrame(Recording* recording, const SurveyOptions* options, const Gauges* gauges,
                         thSurvey** survey)
{
    const double time = (double)recording->latest.frame.number / recording->head.rate;
    ExitCode code = exitDone;
    // Only now shapes are known for certain; later ones come with their frames.
    if (*survey == NULL)
        code = create(recording, options, gauges, survey);
    if (code != exitDone)
        return code;
    thRecording latest = recording->latest;
    if (!isWanted(time, options))
        latest.frame.count = 0; // its people are told of all the same
    const thResult result = thSurvey_Add(*survey, &latest);
    if (result != th_resultOk)
        appSay("cannot measure at t = %.1f s: %s", time, thResult_GetText(result));
    return result == th_resultOk ? exitDone : appExitOf(result);
}

static ExitCode addFrames(Recording* recording, const SurveyOptions* options, const Gauges* gauges,
                          thSurvey** survey)
{
    Progress progress;
    ExitCode code = exitDone;
    Next next = nextFrame;
    bool isAny = false; // of the frames is wanted
    appBeginProgress(&progress, options->label, options->quiet, 0.0, 0.0);
    while (code == exitDone && (next = appNextFrame(recording)) == nextFrame) {
        const double time = (double)recording->latest.frame.number / recording->head.rate;
        if (time > options->to + 1e-9)
            break;
        code = addFrame(recording, options, gauges, survey);
        isAny = isAny || isWanted(time, options);
        if (appWasInterrupted())
            code = exitFailed;
        if (appProgressIsDue(&progress))
            appShowProgress(&progress, recording->endTime > 0.0 ? time / recording->endTime : -1.0,
                            time);
    }
    appEndProgress(&progress);
    if (next == nextFailed)
        return exitEnvironment;
    if (code == exitDone && !isAny) {
        appSay("'%s' has no frame that is wanted", recording->path);
        return exitUsage;
    }
    return code;
}

ExitCode appSurveySource(Source* source, const SurveyOptions* options, const Gauges* gauges,
                         thSurvey** survey)
{
    *survey = NULL;
    ExitCode code = addFrames(source->recording, options, gauges, survey);
    if (code == exitDone) {
        const thResult result = thSurvey_End(*survey);
        if (result != th_resultOk) {
            appSay("cannot measure: %s", thResult_GetText(result));
            code = appExitOf(result);
        }
    }
    if (code != exitDone) {
        thDestroySurvey(*survey);
        *survey = NULL;
    }
    return code;
}
