// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a survey found: for people, as JSON, and as CSV files.

#ifndef THRONG_APPS_SURVEY_REPORT_H
#define THRONG_APPS_SURVEY_REPORT_H

#include "../json_out.h"
#include "survey_source.h"

void appPrintSurvey(const thSurvey* survey, const Gauges* gauges);

// Keys of an object that is open: figures, lines, areas.
void appWriteSurvey(JsonOut* out, const thSurvey* survey, const Gauges* gauges);

// Lines and areas alone, as short as a run's summary has them.
void appPrintGauges(const thSurvey* survey, const Gauges* gauges);
void appWriteGauges(JsonOut* out, const thSurvey* survey, const Gauges* gauges);

// Writes PREFIX-figures.csv, -people.csv, and, where there are any, -lines.csv and -areas.csv.
// False when one cannot be written, which is said.
bool appWriteSurveyCsv(const char* prefix, double rate, const thSurvey* survey,
                       const Gauges* gauges);

// The figures of a whole recording: one table for all of the above.
typedef struct Figure {
    const char* key;   // of JSON and CSV
    const char* label; // for people
    const char* unit;
    size_t offset; // in thSurveyResult
    enum { figureWhole, figureNumber, figureShare, figureSpread } kind;
} Figure;

extern const Figure appFigures[]; // ends with one without a key

#endif
