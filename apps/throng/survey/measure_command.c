// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `measure`: what happened in a recording, or in a scene that is run meanwhile.

#include "../commands.h"
#include "../interrupt.h"
#include "../out_file.h"
#include "../recording/source_options.h"
#include "survey_report.h"

#include <math.h>
#include <string.h>

typedef struct MeasureOptions {
    SurveyOptions survey;
    RecordingDef recording;
    TextList changes;
    double fps;
    int64_t seed;
    const char* csv;
    const char* summary;
} MeasureOptions;

#define AT(member) .offset = offsetof(MeasureOptions, member)

static const Option measureOptions[] = {
    {.name = "line",
     .kind = optionTexts,
     AT(survey.lines),
     .value = "NAME=X1,Y1,X2,Y2",
     .about = "count people across this line; may be repeated",
     .heading = "where to measure"},
    {.name = "area",
     .kind = optionTexts,
     AT(survey.areas),
     .value = "NAME=X1,Y1,X2,Y2",
     .about = "density and speed in this box; more corners make a convex\n"
              "polygon; may be repeated"},
    {.name = "scene",
     .kind = optionText,
     AT(survey.scene),
     .value = "SCENE",
     .about = "lines and areas of this scene (default those of FILE)"},
    {.name = "from",
     .kind = optionNumber,
     AT(survey.from),
     .value = "T",
     .about = "leave out what was before, in seconds",
     .min = -1e9,
     .max = 1e9},
    {.name = "to",
     .kind = optionNumber,
     AT(survey.to),
     .value = "T",
     .about = "leave out what comes after, in seconds",
     .min = -1e9,
     .max = 1e9},
    {.name = "window",
     .kind = optionWhole,
     AT(survey.speedFrames),
     .value = "N",
     .about = "speeds are measured over N frames before and after\n"
              "(default as many as make 0.3 s)",
     .min = 1,
     .max = 1000,
     .heading = "how to measure"},
    {.name = "cut-off",
     .kind = optionNumber,
     AT(survey.cutOff),
     .value = "R",
     .about = "Voronoi cells end R metres from their person (default: they\n"
              "do not)",
     .min = 0,
     .max = 1e6},
    {.name = "radius",
     .kind = optionNumber,
     AT(survey.radius),
     .value = "R",
     .about = "radius of people of whom none is recorded, in metres\n(default 0.2)",
     .min = 0,
     .max = 100},
    APP_RECORDING_OPTIONS(MeasureOptions, recording),
    APP_SCENE_OPTIONS(MeasureOptions, changes, seed),
    {.name = "fps",
     .kind = optionNumber,
     AT(fps),
     .value = "N",
     .about = "frames a second that are taken of it (default every step)",
     .min = 1e-3,
     .max = 1e6},
    {.name = "csv",
     .kind = optionText,
     AT(csv),
     .value = "PREFIX",
     .about = "write PREFIX-figures.csv, PREFIX-people.csv, PREFIX-lines.csv\n"
              "and PREFIX-areas.csv",
     .heading = "what comes out"},
    {.name = "summary",
     .kind = optionText,
     AT(summary),
     .value = "FILE",
     .about = "write one JSON object; '-' is the standard output"},
    {.name = "quiet", .kind = optionFlag, AT(survey.quiet), .about = "no progress and no table"},
    {0},
};

static ExitCode writeSummary(const char* path, const Recording* recording, const thSurvey* survey,
                             const Gauges* gauges)
{
    OutFile file = {0};
    if (!appOpenOut(&file, path))
        return exitEnvironment;
    JsonOut json = {.stream = file.stream};
    appJsonBegin(&json, NULL, '{', true);
    appJsonText(&json, "title", recording->head.title);
    appJsonNumber(&json, "rate", recording->head.rate);
    appWriteSurvey(&json, survey, gauges);
    appJsonEnd(&json, '}');
    return appCloseOut(&file) ? exitDone : exitEnvironment;
}

static ExitCode report(const Source* source, const MeasureOptions* options, const thSurvey* survey,
                       const Gauges* gauges)
{
    const bool toStandard = options->summary != NULL && strcmp(options->summary, "-") == 0;
    ExitCode code = exitDone;
    if (!options->survey.quiet && !toStandard)
        appPrintSurvey(survey, gauges);
    if (options->summary != NULL)
        code = writeSummary(options->summary, source->recording, survey, gauges);
    if (options->csv != NULL &&
        !appWriteSurveyCsv(options->csv, source->recording->head.rate, survey, gauges))
        code = exitEnvironment;
    return code;
}

static ExitCode measure(const char* name, MeasureOptions* options)
{
    const SourceDef def = {.recording = options->recording,
                           .live = {.rate = options->fps, .until = options->survey.to},
                           .changes = &options->changes,
                           .seed = options->seed};
    Source source;
    Gauges gauges = {0};
    thSurvey* survey = NULL;
    options->survey.label = name;
    ExitCode code = appOpenSource(name, &def, &source);
    if (code == exitDone)
        code = appReadGauges(&options->survey, source.scene, &gauges);
    if (code == exitDone) {
        appWatchInterrupts();
        code = appSurveySource(&source, &options->survey, &gauges, &survey);
    }
    if (code == exitDone)
        code = report(&source, options, survey, &gauges);
    thDestroySurvey(survey);
    appFreeGauges(&gauges);
    appCloseSource(&source);
    return code;
}

static ExitCode runMeasure(const Command* self, int argc, char** argv)
{
    MeasureOptions options = {.survey = {.from = -INFINITY, .to = INFINITY, .radius = 0.2},
                              .seed = -1};
    const char* name;
    const Parsed parsed = appParseOptions(self, argc, argv, &options, &name);
    ExitCode code = appExitOfParsed(parsed);
    if (parsed == parsedWell)
        code = measure(name, &options);
    appFreeOptions(self, &options);
    return code;
}

const Command appMeasureCommand = {
    .name = "measure",
    .operand = "FILE",
    .about = "say what happened in a recording",
    .details =
        "FILE is a recording, our own or one of real people, or a scene, which is run then.\n"
        "Exit code: 0 done, 1 interrupted, 2 bad usage or a bad scene, 3 a file or memory.\n",
    .options = measureOptions,
    .run = runMeasure,
};
