// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls that recordings stand in: from a file beside them, or from text within them.

#include "recording/geometry_file.h"

#include "output.h"
#include "recording/recording_kinds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- XML ---

#if APP_EXPAT

#include <expat.h>

// Walls from XML. JuPedSim's geometry has polygons of `vertex` in its subrooms: walls, or solid in
// an `obstacle`; the vertices of crossings and transitions are doors and no walls. The map of the
// ETH data set has `Line` and `Circle`.

enum { circleCorners = 32 };

typedef struct XmlReader {
    XML_Parser parser;
    const char* path;
    ShapeBuilder* builder;
    int obstacles;  // how many of these elements are open
    bool inPolygon; // one of them is open
    ExitCode code;  // of the first error
} XmlReader;

static void fail(XmlReader* reader, ExitCode code)
{
    if (reader->code == exitDone)
        reader->code = code;
    XML_StopParser(reader->parser, XML_FALSE);
}

static void failNoMemory(XmlReader* reader)
{
    appSay("cannot read '%s': no memory", reader->path);
    fail(reader, exitEnvironment);
}

static const char* findAttribute(const XML_Char** attributes, const char* name)
{
    for (; attributes[0] != NULL; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

// False, and said, unless the element has a number of that name.
static bool readNumber(XmlReader* reader, const char* element, const XML_Char** attributes,
                       const char* name, double* number)
{
    const double farthest = 1e9;
    const char* text = findAttribute(attributes, name);
    char* end = NULL;
    *number = text != NULL ? strtod(text, &end) : 0.0;
    if (text != NULL && end != text && end[strspn(end, " \t")] == '\0' && fabs(*number) <= farthest)
        return true;
    appSay("%s:%lu: %s of <%s> is '%s', expected a number of metres", reader->path,
           (unsigned long)XML_GetCurrentLineNumber(reader->parser), name, element,
           text != NULL ? text : "");
    fail(reader, exitUsage);
    return false;
}

static void addVertex(XmlReader* reader, const XML_Char** attributes)
{
    double x, y;
    if (readNumber(reader, "vertex", attributes, "px", &x) &&
        readNumber(reader, "vertex", attributes, "py", &y) && !appAddPoint(reader->builder, x, y))
        failNoMemory(reader);
}

static void addLine(XmlReader* reader, const XML_Char** attributes)
{
    double x1, y1, x2, y2;
    if (readNumber(reader, "Line", attributes, "x1", &x1) &&
        readNumber(reader, "Line", attributes, "y1", &y1) &&
        readNumber(reader, "Line", attributes, "x2", &x2) &&
        readNumber(reader, "Line", attributes, "y2", &y2) &&
        !(appBeginShape(reader->builder, th_shapeWall) && appAddPoint(reader->builder, x1, y1) &&
          appAddPoint(reader->builder, x2, y2)))
        failNoMemory(reader);
}

static void addCircle(XmlReader* reader, const XML_Char** attributes)
{
    const double tau = 6.283185307179586;
    double x, y, radius;
    if (!readNumber(reader, "Circle", attributes, "x", &x) ||
        !readNumber(reader, "Circle", attributes, "y", &y) ||
        !readNumber(reader, "Circle", attributes, "radius", &radius))
        return;
    bool good = appBeginShape(reader->builder, th_shapeSolid);
    for (int i = 0; i < circleCorners && good; ++i)
        good = appAddPoint(reader->builder, x + radius * cos(tau * i / circleCorners),
                           y + radius * sin(tau * i / circleCorners));
    if (!good)
        failNoMemory(reader);
}

static void checkUnit(XmlReader* reader, const XML_Char** attributes)
{
    const char* unit = findAttribute(attributes, "unit");
    if (unit == NULL || strcmp(unit, "m") == 0)
        return;
    appSay("%s:%lu: unit of <geometry> is '%s', expected m", reader->path,
           (unsigned long)XML_GetCurrentLineNumber(reader->parser), unit);
    fail(reader, exitUsage);
}

static void XMLCALL beginElement(void* context, const XML_Char* name, const XML_Char** attributes)
{
    XmlReader* reader = context;
    if (strcmp(name, "geometry") == 0) {
        checkUnit(reader, attributes);
    } else if (strcmp(name, "obstacle") == 0) {
        reader->obstacles += 1;
    } else if (strcmp(name, "polygon") == 0) {
        reader->inPolygon = true;
        if (!appBeginShape(reader->builder, reader->obstacles > 0 ? th_shapeSolid : th_shapeWall))
            failNoMemory(reader);
    } else if (strcmp(name, "vertex") == 0 && reader->inPolygon) {
        addVertex(reader, attributes);
    } else if (strcmp(name, "Line") == 0) {
        addLine(reader, attributes);
    } else if (strcmp(name, "Circle") == 0) {
        addCircle(reader, attributes);
    }
}

static bool isClosed(const ShapeBuilder* builder, int32_t count)
{
    const thPlace* last = &builder->points[builder->pointCount - 1];
    const thPlace* first = last - (count - 1);
    return count > 3 && first->x == last->x && first->y == last->y;
}

static void endPolygon(XmlReader* reader)
{
    ShapeBuilder* builder = reader->builder;
    thRecordedShape* shape = &builder->shapes[builder->count - 1];
    reader->inPolygon = false;
    if (shape->kind == th_shapeSolid && shape->pointCount > 0 &&
        isClosed(builder, shape->pointCount)) {
        shape->pointCount -= 1;
        builder->pointCount -= 1;
    }
    if (shape->pointCount >= (shape->kind == th_shapeSolid ? 3 : 2))
        return;
    appSay("%s:%lu: a polygon with %d vertices is no wall", reader->path,
           (unsigned long)XML_GetCurrentLineNumber(reader->parser), (int)shape->pointCount);
    fail(reader, exitUsage);
}

static void XMLCALL endElement(void* context, const XML_Char* name)
{
    XmlReader* reader = context;
    if (reader->code != exitDone)
        return;
    if (strcmp(name, "obstacle") == 0)
        reader->obstacles -= 1;
    else if (strcmp(name, "polygon") == 0 && reader->inPolygon)
        endPolygon(reader);
}

// A single ring is the wall of a room. Of several it is not known what is inside and what outside.
static void makeRoom(ShapeBuilder* builder)
{
    thRecordedShape* ring = NULL;
    int32_t walls = 0;
    for (int32_t i = 0; i < builder->count; ++i) {
        thRecordedShape* shape = &builder->shapes[i];
        if (shape->kind != th_shapeWall)
            continue;
        walls += 1;
        ring = shape;
    }
    if (walls != 1)
        return;
    const int32_t count = ring->pointCount;
    const thPlace *first = &ring->points[0], *last = &ring->points[count - 1];
    if (count > 3 && first->x == last->x && first->y == last->y) {
        ring->kind = th_shapeRoom;
        ring->pointCount -= 1;
    }
}

static ExitCode parse(XmlReader* reader, const char* text, size_t size)
{
    if (size > INT32_MAX) {
        appSay("cannot read '%s': it has more than 2 GB", reader->path);
        return exitUsage;
    }
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, beginElement, endElement);
    if (XML_Parse(reader->parser, text, (int)size, 1) == XML_STATUS_OK)
        return exitDone;
    if (reader->code == exitDone) {
        appSay("%s:%lu: %s", reader->path, (unsigned long)XML_GetCurrentLineNumber(reader->parser),
               XML_ErrorString(XML_GetErrorCode(reader->parser)));
        reader->code = exitUsage;
    }
    return reader->code;
}

// Reads JuPedSim's `geometry` or the map of the ETH data set. What fails is said, with the line.
static ExitCode readXml(ShapeBuilder* builder, const char* path)
{
    size_t size;
    char* text = appReadFile(path, &size);
    if (text == NULL)
        return exitEnvironment;
    XmlReader reader = {.parser = XML_ParserCreate(NULL), .path = path, .builder = builder};
    ExitCode code = exitEnvironment;
    if (reader.parser == NULL)
        appSay("cannot read '%s': no memory", path);
    else
        code = parse(&reader, text, size);
    if (code == exitDone && builder->count == 0) {
        appSay("'%s' has no walls: expected <polygon>s of JuPedSim's geometry, or <Line>s and "
               "<Circle>s",
               path);
        code = exitUsage;
    }
    appFinishShapes(builder);
    if (code == exitDone)
        makeRoom(builder);
    if (reader.parser != NULL)
        XML_ParserFree(reader.parser);
    free(text);
    return code;
}

static ExitCode takeXml(Recording* recording, const char* path)
{
    ShapeBuilder builder = {0};
    ExitCode code = readXml(&builder, path);
    if (code == exitDone && !appSetShapes(recording, builder.shapes, builder.count))
        code = exitEnvironment;
    appFreeShapes(&builder);
    return code;
}

#else

static ExitCode takeXml(Recording* recording, const char* path)
{
    (void)recording;
    appSay("cannot read '%s': this program was built without expat", path);
    return exitEnvironment;
}

#endif

// --- Files of all kinds ---

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

ExitCode appTakeGeometryFile(Recording* recording, const char* path)
{
    if (appHasSuffix(path, ".xml"))
        return takeXml(recording, path);
    if (!appHasSuffix(path, ".wkt") && !appHasSuffix(path, ".geojson") &&
        !appHasSuffix(path, ".json")) {
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
