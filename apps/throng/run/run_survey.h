// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Lines and areas of a scene, measured while it is run. What fails is said once, and the run goes
// on without it.

#ifndef THRONG_APPS_RUN_SURVEY_H
#define THRONG_APPS_RUN_SURVEY_H

#include "recording/run_frames.h"
#include "survey/survey_source.h"

typedef struct RunSurvey {
    const Gauges* gauges;
    FrameRate rate;
    thRecorder* recorder; // NULL: nothing is measured
    thSurvey* survey;
    bool failed;
} RunSurvey;

// Looks at the beginning of a run. Does nothing where there is nothing to measure.
void appBeginRunSurvey(RunSurvey* survey, const Gauges* gauges, double step, const thRun* run);

// Looks at a step, if it is a frame.
void appSurveyStep(RunSurvey* survey, uint64_t stepsDone);

// Ends it. The survey is the caller's then; NULL if nothing was measured.
thSurvey* appEndRunSurvey(RunSurvey* survey);

#endif
