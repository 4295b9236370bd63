// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "run/run_survey.h"

static void stop(RunSurvey* survey)
{
    thDestroySurvey(survey->survey);
    thDestroyRecorder(survey->recorder);
    survey->survey = NULL;
    survey->recorder = NULL;
}

static void check(RunSurvey* survey, thResult result)
{
    if (result == th_resultOk)
        return;
    appSay("cannot measure lines and areas: %s", thResult_GetText(result));
    survey->failed = true;
    stop(survey);
}

static thResult createSurvey(RunSurvey* survey, const thRecording* first)
{
    thSurveyDef def = thDefaultSurveyDef();
    def.rate = survey->rate.rate;
    def.figures = 0;
    def.shapes = first->shapes;
    def.shapeCount = first->shapeCount;
    def.lines = survey->gauges->lines;
    def.lineCount = survey->gauges->lineCount;
    def.areas = survey->gauges->areas;
    def.areaCount = survey->gauges->areaCount;
    return thCreateSurvey(&def, &survey->survey, NULL);
}

void appSurveyStep(RunSurvey* survey, uint64_t stepsDone)
{
    if (survey->recorder == NULL || stepsDone % (uint64_t)survey->rate.every != 0)
        return;
    thRecording recording;
    const int64_t number = (int64_t)(stepsDone / (uint64_t)survey->rate.every);
    thResult result = thRecorder_Take(survey->recorder, number, &recording);
    if (result == th_resultOk && survey->survey == NULL)
        result = createSurvey(survey, &recording);
    if (result == th_resultOk)
        result = thSurvey_Add(survey->survey, &recording);
    check(survey, result);
}

void appBeginRunSurvey(RunSurvey* survey, const Gauges* gauges, double step, const thRun* run)
{
    *survey = (RunSurvey){.gauges = gauges, .rate = appUsualRate(step)};
    if (gauges->lineCount == 0 && gauges->areaCount == 0)
        return;
    const thRecorderDef def = thDefaultRecorderDef();
    check(survey, thCreateRecorder(&def, run, &survey->recorder));
    appSurveyStep(survey, 0);
}

thSurvey* appEndRunSurvey(RunSurvey* survey)
{
    if (survey->survey != NULL)
        check(survey, thSurvey_End(survey->survey));
    thSurvey* result = survey->survey;
    survey->survey = NULL;
    stop(survey);
    return result;
}
