// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "recording/text/geometry_file.h"

#include "recording/recording_kinds.h"
#include "recording/shape_builder.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static ExitCode takeXml(Recording* recording, const char* path)
{
#if APP_EXPAT
    ShapeBuilder builder = {0};
    ExitCode code = appReadShapesXml(&builder, path);
    if (code == exitDone && !appSetShapes(recording, builder.shapes, builder.count))
        code = exitEnvironment;
    appFreeShapes(&builder);
    return code;
#else
    (void)recording;
    appSay("cannot read '%s': this program was built without expat", path);
    return exitEnvironment;
#endif
}

// `where` names what the shapes are from.
static thShapeList* readShapes(const thShapeListDef* def, const char* where, ExitCode* code)
{
    thShapeList* list;
    thError error = {0};
    const thResult result = thReadShapes(def, &list, &error);
    if (result != th_resultOk && error.line > 0)
        appSay("%s:%d:%d: %s", where, (int)error.line, (int)error.column, error.text);
    else if (result != th_resultOk)
        appSay("cannot read '%s': %s", where, error.text);
    *code = appExitOf(result);
    return list;
}

// Gives the shapes to the recording, and destroys the list.
static ExitCode takeShapes(Recording* recording, thShapeList* list)
{
    int32_t count;
    const thRecordedShape* shapes = thShapeList_GetShapes(list, &count);
    const bool good = appSetShapes(recording, shapes, count);
    thDestroyShapeList(list);
    return good ? exitDone : exitEnvironment;
}

static bool endsIn(const char* path, const char* suffix)
{
    const size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcasecmp(path + length - end, suffix) == 0;
}

ExitCode appTakeGeometryFile(Recording* recording, const char* path)
{
    if (endsIn(path, ".xml"))
        return takeXml(recording, path);
    if (!endsIn(path, ".wkt") && !endsIn(path, ".geojson") && !endsIn(path, ".json")) {
        appSay("--geometry is '%s', expected a name that ends in .wkt, .geojson, .json or .xml",
               path);
        return exitUsage;
    }
    thShapeListDef def = thDefaultShapeListDef();
    def.path = path;
    ExitCode code;
    thShapeList* list = readShapes(&def, path, &code);
    return list != NULL ? takeShapes(recording, list) : code;
}

thShapeList* appReadWkt(const Recording* recording, const char* text, ExitCode* code)
{
    thShapeListDef def = thDefaultShapeListDef();
    def.text = text;
    def.textSize = strlen(text);
    char where[512];
    snprintf(where, sizeof where, "%s (its geometry)", recording->path);
    return readShapes(&def, where, code);
}

ExitCode appTakeWkt(Recording* recording, const char* text)
{
    ExitCode code;
    thShapeList* list = appReadWkt(recording, text, &code);
    return list != NULL ? takeShapes(recording, list) : code;
}
