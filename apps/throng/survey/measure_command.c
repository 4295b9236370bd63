// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `measure`: what happened in a recording, or in a scene that is run meanwhile; also
// beside a recording of the same people.

#include "commands/commands.h"
#include "output.h"
#include "recording/source.h"
#include "replay/against_report.h"
#include "survey/survey_report.h"
#include "survey/survey_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct MeasureOptions {
    SurveyOptions survey;
    RecordingDef recording;
    SceneUse use;
    double fps;
    const char* against;
    double offset;
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
    APP_GAUGE_SCENE_OPTION(MeasureOptions, survey),
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
    APP_SURVEY_OPTIONS(MeasureOptions, survey),
    {.name = "against",
     .kind = optionInput,
     AT(against),
     .value = "FILE",
     .about = "compare with the same people, by id, in this recording;\n"
              "the options below say how it is read, and FILE only where\n"
              "that is text that does not say so itself",
     .heading = "what to compare with"},
    {.name = "offset",
     .kind = optionNumber,
     AT(offset),
     .value = "T",
     .about = "its times are so much later than those of FILE, in seconds",
     .min = -1e9,
     .max = 1e9},
    APP_RECORDING_OPTIONS(MeasureOptions, recording),
    APP_SCENE_OPTIONS(MeasureOptions, use),
    {.name = "fps",
     .kind = optionNumber,
     AT(fps),
     .value = "N",
     .about = "frames a second that are taken of it (default every step)",
     .min = 1e-3,
     .max = 1e6},
    {.name = "csv",
     .kind = optionPrefix,
     AT(csv),
     .value = "PREFIX",
     .about = "write PREFIX-figures.csv, PREFIX-people.csv, PREFIX-lines.csv\n"
              "and PREFIX-areas.csv; with --against also PREFIX-against.csv,\n"
              "PREFIX-displacements.csv and PREFIX-diagram.csv",
     .endings = appSurveyCsvEndings,
     .heading = "what comes out"},
    {.name = "summary",
     .kind = optionOutput,
     AT(summary),
     .value = "FILE",
     .about = "write one JSON object; '-' is the standard output"},
    {.name = "quiet", .kind = optionFlag, AT(survey.quiet), .about = "no progress and no table"},
    {0},
};

// Half of all speeds being above this, people are hardly on foot. [m/s]
#define IMPLAUSIBLE_SPEED 10.0

// Where results go.
typedef struct Outputs {
    OutFile summary;
    SurveyCsv csv;
} Outputs;

static bool usesStandardOutput(const MeasureOptions* options)
{
    return options->summary != NULL && strcmp(options->summary, "-") == 0;
}

static bool openOutputs(const MeasureOptions* options, const Gauges* gauges, Outputs* outputs)
{
    return (options->summary == NULL || appOpenOut(&outputs->summary, options->summary)) &&
           (options->csv == NULL ||
            appOpenSurveyCsv(&outputs->csv, options->csv, gauges, options->against != NULL));
}

static bool closeOutputs(Outputs* outputs, bool isGood)
{
    const bool good = appCloseOut(&outputs->summary, isGood);
    return appCloseSurveyCsv(&outputs->csv, isGood) && good;
}

// What was found.
typedef struct Findings {
    thSurvey* survey;
    Tracks tracks; // with --against
    Against against;
} Findings;

static bool writeSummary(OutFile* file, const Recording* recording, const MeasureOptions* options,
                         const Findings* found, const Gauges* gauges)
{
    char* text = NULL;
    size_t size = 0;
    JsonOut json = {.stream = open_memstream(&text, &size)};
    if (json.stream == NULL) {
        appSay("no memory");
        return false;
    }
    appJsonBegin(&json, NULL, '{', true);
    appJsonText(&json, "title", recording->head.title);
    appJsonNumber(&json, "rate", recording->head.rate);
    appWriteSurvey(&json, found->survey, gauges);
    if (options->against != NULL)
        appWriteAgainst(&json, &found->against, options->against);
    appJsonEnd(&json, '}');
    const bool good = fclose(json.stream) == 0;
    if (good)
        appWriteOut(file, text, size);
    free(text);
    return good;
}

static bool isRadiusKnown(const Recording* recording)
{
    for (int32_t i = 0; i < recording->personCount; ++i)
        if (recording->people[i].radius > 0.0f)
            return true;
    return false;
}

static void printTable(const Recording* recording, const MeasureOptions* options,
                       const Findings* found, const Gauges* gauges)
{
    const thSurveyResult result = thSurvey_GetResult(found->survey);
    if (!usesStandardOutput(options)) {
        appPrintSurvey(found->survey, gauges);
        if (!(options->survey.radius > 0.0) && !isRadiusKnown(recording))
            appPrintAssumedRadius((double)thDefaultSurveyDef().radius);
        if (options->against != NULL)
            appPrintAgainst(&found->against, options->against);
    }
    if (result.speed.count > 0 && result.speed.median > IMPLAUSIBLE_SPEED)
        appSay("note: half of all speeds are above %.3g m/s; unit or frame rate may be wrong, see "
               "--unit and --rate",
               result.speed.median);
}

static ExitCode report(const Source* source, const MeasureOptions* options, const Findings* found,
                       const Gauges* gauges, Outputs* outputs)
{
    const Recording* recording = source->recording;
    bool good = true;
    if (!options->survey.quiet)
        printTable(recording, options, found, gauges);
    if (options->summary != NULL)
        good = writeSummary(&outputs->summary, recording, options, found, gauges);
    if (options->csv != NULL)
        appWriteSurveyCsv(&outputs->csv, recording->head.rate, found->survey, gauges);
    OutFile* against = &outputs->csv.files[surveyCsvAgainst];
    if (options->csv != NULL && options->against != NULL)
        appWriteAgainstCsv(&against[0], &against[1], &against[2], &found->against);
    return closeOutputs(outputs, good) ? exitDone : exitEnvironment;
}

static ExitCode compare(Source* source, const MeasureOptions* options, const Gauges* gauges,
                        Findings* found)
{
    const AgainstDef def = {
        .path = options->against, .recording = options->recording, .offset = options->offset};
    if (options->against == NULL)
        return exitDone;
    if (!appMakeTracks(&found->tracks)) {
        appSay("no memory");
        return exitEnvironment;
    }
    return appCompare(source->recording, &found->tracks, &options->survey, gauges, &def,
                      &found->against);
}

static ExitCode measureSource(Source* source, MeasureOptions* options)
{
    Gauges gauges;
    Findings found = {0};
    Outputs outputs = {0};
    if (options->against != NULL)
        options->survey.tracks = &found.tracks;
    ExitCode code = appReadGauges(&options->survey, source->scene, &gauges);
    appWatchInterrupts();
    // Opened first: a folder that is not there is noticed before the measuring, not after it.
    if (code == exitDone && !openOutputs(options, &gauges, &outputs))
        code = exitEnvironment;
    if (code == exitDone)
        code = appSurveySource(source, &options->survey, &gauges, &found.survey);
    if (code == exitDone)
        code = compare(source, options, &gauges, &found);
    if (code == exitDone)
        code = report(source, options, &found, &gauges, &outputs);
    closeOutputs(&outputs, false);
    thDestroySurvey(found.survey);
    appFreeAgainst(&found.against);
    appFreeTracks(&found.tracks);
    appFreeGauges(&gauges);
    return code;
}

static ExitCode measure(const char* name, MeasureOptions* options)
{
    // Beside a recording it is that one which does not say how it is to be read, and text.
    const bool isText = appHasSuffix(name, ".txt") || appHasSuffix(name, ".csv");
    const RecordingDef fallback = {.rate = isText ? options->recording.rate : 0.0,
                                   .unit = isText ? options->recording.unit : NULL,
                                   .isFallback = true};
    const SourceDef def = {.recording = options->against == NULL ? options->recording : fallback,
                           .live = {.rate = options->fps, .until = options->survey.to},
                           .use = options->use};
    Source source;
    options->survey.label = name;
    if (options->survey.from > options->survey.to) {
        appSay("--from is %g, expected a time before --to, which is %g", options->survey.from,
               options->survey.to);
        return exitUsage;
    }
    if (options->against != NULL && !appIsRecordingName(options->against)) {
        appSay("--against is '%s', expected a recording", options->against);
        return exitUsage;
    }
    if (options->against == NULL && options->offset != 0.0) {
        appSay("--offset is about a recording to compare with, see --against");
        return exitUsage;
    }
    ExitCode code = appOpenSource(name, &def, &source);
    if (code == exitDone)
        code = measureSource(&source, options);
    appCloseSource(&source);
    return code;
}

static ExitCode runMeasure(const Command* self, int argc, char** argv)
{
    MeasureOptions options = {.survey = {.from = -INFINITY, .to = INFINITY}, .use.seed = -1};
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
    .about = "say what happened in a recording or a scene",
    .details =
        "FILE is a recording, our own or one of real people, or a scene, which is run then.\n"
        "Exit code: 0 done, 1 interrupted, 2 bad usage or a bad scene, 3 a file or memory.\n",
    .options = measureOptions,
    .run = runMeasure,
};
