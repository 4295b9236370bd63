// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a survey found: for people, as JSON, and as CSV files.

#ifndef THRONG_APPS_SURVEY_REPORT_H
#define THRONG_APPS_SURVEY_REPORT_H

#include "output.h"
#include "survey/survey_source.h"

void appPrintSurvey(const thSurvey* survey, const Gauges* gauges);

// Says that nobody's radius is known, and which one was taken; belongs to that table. [m]
void appPrintAssumedRadius(double radius);

// Keys of an object that is open: figures, lines, areas.
void appWriteSurvey(JsonOut* out, const thSurvey* survey, const Gauges* gauges);

// Lines and areas alone, as short as a run's summary has them.
void appPrintGauges(const thSurvey* survey, const Gauges* gauges);
void appWriteGauges(JsonOut* out, const thSurvey* survey, const Gauges* gauges);

// PREFIX-figures.csv, -people.csv, where there are any -lines.csv and -areas.csv, and beside a
// recording -against.csv, -displacements.csv and -diagram.csv. All zero: not open.
enum { surveyCsvCount = 7, surveyCsvAgainst = 4 };
extern const char* const appSurveyCsvEndings[surveyCsvCount + 1]; // "-figures.csv" …, NULL
typedef struct SurveyCsv {
    OutFile files[surveyCsvCount];
    char* paths[surveyCsvCount]; // NULL: not open
} SurveyCsv;

// False when one cannot be written, which is said. To be closed in any case.
bool appOpenSurveyCsv(SurveyCsv* csv, const char* prefix, const Gauges* gauges, bool isAgainst);
// `rate`: frames in a second. Failures are said when it is closed.
void appWriteSurveyCsv(SurveyCsv* csv, double rate, const thSurvey* survey, const Gauges* gauges);
// As appCloseOut, of all.
bool appCloseSurveyCsv(SurveyCsv* csv, bool isGood);

#endif
