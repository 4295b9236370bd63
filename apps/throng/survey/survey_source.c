// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Reads where is measured, and surveys a recording or the run of a scene to its end.

#include "survey/survey_source.h"

#include "load_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Lines and areas ---

enum { mostNumbers = 2 * THRONG_AREA_CORNERS };

// NAME=a,b,c,…: the name, to be freed, and the numbers. NULL, and it is said, if it is not so.
static char* readGauge(const char* option, const char* text, double* numbers, int* count)
{
    const char* at = strchr(text, '=');
    bool good = at != NULL && at > text;
    *count = 0;
    while (good) {
        char* end;
        const double number = strtod(at + 1, &end);
        good = end != at + 1 && isfinite(number) && *count < mostNumbers;
        if (good)
            numbers[(*count)++] = number;
        at = end;
        if (good && *at == '\0')
            return strndup(text, (size_t)(strchr(text, '=') - text));
        good = good && *at == ',';
    }
    appSay("--%s is '%s', expected NAME=X1,Y1,X2,Y2%s in metres", option, text,
           strcmp(option, "area") == 0 ? " (a box) or the corners of a convex polygon" : "");
    return NULL;
}

static ExitCode addLine(Gauges* gauges, int32_t nameIndex, const char* text)
{
    double numbers[mostNumbers];
    int count;
    char* name = readGauge("line", text, numbers, &count);
    gauges->names[nameIndex] = name;
    if (name == NULL)
        return exitUsage;
    if (count != 4) {
        appSay("--line '%s' has %d numbers, expected X1,Y1,X2,Y2", name, count);
        return exitUsage;
    }
    gauges->lines[gauges->lineCount++] =
        (thSurveyLine){.name = name, .a = {numbers[0], numbers[1]}, .b = {numbers[2], numbers[3]}};
    return exitDone;
}

static ExitCode addArea(Gauges* gauges, int32_t nameIndex, const char* text)
{
    double numbers[mostNumbers];
    int count;
    char* name = readGauge("area", text, numbers, &count);
    gauges->names[nameIndex] = name;
    if (name == NULL)
        return exitUsage;
    if (count < 4 || count % 2 != 0) {
        appSay("--area '%s' has %d numbers, expected X1,Y1,X2,Y2 or more corners", name, count);
        return exitUsage;
    }
    thPlace* corners = gauges->corners[gauges->areaCount];
    if (count == 4) {
        const double* n = numbers;
        const thPlace box[4] = {{n[0], n[1]}, {n[2], n[1]}, {n[2], n[3]}, {n[0], n[3]}};
        memcpy(corners, box, sizeof box);
    } else {
        for (int i = 0; i < count / 2; ++i)
            corners[i] = (thPlace){numbers[2 * i], numbers[2 * i + 1]};
    }
    gauges->areas[gauges->areaCount++] =
        (thSurveyArea){.name = name, .points = corners, .pointCount = count == 4 ? 4 : count / 2};
    return exitDone;
}

static void addScene(Gauges* gauges, const thScene* scene)
{
    for (int32_t i = 0; i < thScene_GetLineCount(scene); ++i)
        gauges->lines[gauges->lineCount++] = thScene_GetLine(scene, i);
    for (int32_t i = 0; i < thScene_GetAreaCount(scene); ++i) {
        const int32_t at = gauges->areaCount++;
        gauges->areas[at] = thScene_GetArea(scene, i, gauges->corners[at]);
    }
}

static ExitCode loadGaugeScene(const char* name, Gauges* gauges)
{
    static const TextList none = {0};
    ExitCode code = exitDone;
    char* path = appFindScene(name, &code);
    if (path != NULL)
        code = appLoadScene(path, &none, &gauges->scene);
    free(path);
    return code;
}

static bool allocate(const SurveyOptions* options, const thScene* scene, Gauges* gauges)
{
    const size_t lines =
        (size_t)options->lines.count + (scene != NULL ? (size_t)thScene_GetLineCount(scene) : 0);
    const size_t areas =
        (size_t)options->areas.count + (scene != NULL ? (size_t)thScene_GetAreaCount(scene) : 0);
    const size_t names = (size_t)options->lines.count + (size_t)options->areas.count;
    gauges->lines = calloc(lines + 1, sizeof *gauges->lines);
    gauges->areas = calloc(areas + 1, sizeof *gauges->areas);
    gauges->corners = calloc(areas + 1, sizeof *gauges->corners);
    gauges->names = calloc(names + 1, sizeof *gauges->names); // ends with NULL
    return gauges->lines != NULL && gauges->areas != NULL && gauges->corners != NULL &&
           gauges->names != NULL;
}

static ExitCode sayTwice(const char* what, const char* name)
{
    appSay("there are two %s called '%s'", what, name);
    return exitUsage;
}

// Results are told by name. A scene has no two of a name, but options may repeat them.
static ExitCode checkNames(const Gauges* gauges)
{
    for (int32_t i = 0; i < gauges->lineCount; ++i)
        for (int32_t j = 0; j < i; ++j)
            if (strcmp(gauges->lines[i].name, gauges->lines[j].name) == 0)
                return sayTwice("lines", gauges->lines[i].name);
    for (int32_t i = 0; i < gauges->areaCount; ++i)
        for (int32_t j = 0; j < i; ++j)
            if (strcmp(gauges->areas[i].name, gauges->areas[j].name) == 0)
                return sayTwice("areas", gauges->areas[i].name);
    return exitDone;
}

ExitCode appReadGauges(const SurveyOptions* options, const thScene* own, Gauges* gauges)
{
    *gauges = (Gauges){0};
    ExitCode code = options->scene != NULL ? loadGaugeScene(options->scene, gauges) : exitDone;
    if (code != exitDone)
        return code;
    const thScene* scene = options->scene != NULL ? gauges->scene : own;
    if (!allocate(options, scene, gauges)) {
        appSay("no memory");
        return exitEnvironment;
    }
    if (scene != NULL)
        addScene(gauges, scene);
    int32_t names = 0;
    for (int32_t i = 0; i < options->lines.count && code == exitDone; ++i)
        code = addLine(gauges, names++, options->lines.items[i]);
    for (int32_t i = 0; i < options->areas.count && code == exitDone; ++i)
        code = addArea(gauges, names++, options->areas.items[i]);
    return code == exitDone ? checkNames(gauges) : code;
}

void appFreeGauges(Gauges* gauges)
{
    for (char** name = gauges->names; name != NULL && *name != NULL; ++name)
        free(*name);
    free(gauges->names);
    free(gauges->lines);
    free(gauges->areas);
    free(gauges->corners);
    thDestroyScene(gauges->scene);
    *gauges = (Gauges){0};
}

// --- The survey ---

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

static ExitCode createSurvey(const Recording* recording, const SurveyOptions* options,
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
        code = createSurvey(recording, options, gauges, survey);
    if (code != exitDone)
        return code;
    thRecording latest = recording->latest;
    if (!isWanted(time, options))
        latest.frame.count = 0; // its people are told of all the same
    thResult result = thSurvey_Add(*survey, &latest);
    if (result == th_resultOk && options->tracks != NULL && isWanted(time, options) &&
        !appGatherFrame(options->tracks, &latest.frame, recording->head.rate))
        result = th_resultNoMemory;
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
