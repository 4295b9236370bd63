// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Lines and areas, from scenes and from the command line.

#include "load_scene.h"
#include "scene_files.h"
#include "survey/survey_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static ExitCode loadScene(const char* name, Gauges* gauges)
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
    ExitCode code = options->scene != NULL ? loadScene(options->scene, gauges) : exitDone;
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
