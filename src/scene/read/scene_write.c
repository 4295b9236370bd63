// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A scene as text, by the same tables that read it. What is at its default is left out.

#include "base/fp_environment.h"
#include "scene/read/scene_read.h"

#include <math.h>
#include <string.h>

typedef struct Output {
    const thScene* scene;
    thJsonWriter writer;
} Output;

static void writeRecord(Output* out, const thRecord* record, const void* source, bool onOneLine);

static const void* placeOf(const thField* field, const void* source)
{
    return (const char*)source + field->offset;
}

// Whether this is the key of its group that the struct stands for.
static bool isChosen(const thRecord* record, const thField* field, const void* source)
{
    const void* place = placeOf(field, source);
    int32_t count, choice;
    if (record->choiceOffset != TH_NOWHERE) {
        memcpy(&choice, (const char*)source + record->choiceOffset, sizeof choice);
        const bool isShape = field->kind >= th_fieldShapePoint && field->kind <= th_fieldShapeBox;
        return choice == field->choice &&
               (!isShape || (int32_t)((const thShape*)place)->kind ==
                                (int32_t)field->kind - (int32_t)th_fieldShapePoint);
    }
    if (field->kind == th_fieldPath || field->kind == th_fieldCorners)
        return thiListAt(place, &count), count > 0;
    // The one that is no list stands for the struct when the list of its group is empty.
    for (int32_t i = 0; i < record->fieldCount; ++i) {
        const thField* other = &record->fields[i];
        if (other->group == field->group && other != field && isChosen(record, other, source))
            return false;
    }
    return true;
}

static bool isWritten(const Output* out, const thRecord* record, const thField* field,
                      const void* source)
{
    if (field->group != 0)
        return isChosen(record, field, source);
    if (field->with != NULL &&
        !isChosen(record, &record->fields[thiFindField(record, field->with)], source))
        return false;
    return field->required || !thiIsDefault(out->scene, field, placeOf(field, source));
}

static void writePair(Output* out, const double pair[2])
{
    thiWriteBegin(&out->writer, '[', true);
    thiWriteNumber(&out->writer, pair[0]);
    thiWriteNumber(&out->writer, pair[1]);
    thiWriteEnd(&out->writer, ']');
}

static void writePoint(Output* out, thCoord point)
{
    writePair(out, (const double[]){point.x, point.y});
}

static void writePoints(Output* out, const thCoord* points, int32_t count)
{
    thiWriteBegin(&out->writer, '[', true);
    for (int32_t i = 0; i < count; ++i)
        writePoint(out, points[i]);
    thiWriteEnd(&out->writer, ']');
}

static void writeDraw(Output* out, const thField* field, const thDraw* draw)
{
    thJsonWriter* writer = &out->writer;
    if (draw->kind == th_drawFixed) {
        thiWriteNumber(writer, draw->a);
        return;
    }
    double min, max;
    thiDefaultDrawRange(field, draw->a, draw->b, &min, &max);
    thiWriteBegin(writer, '{', true);
    thiWriteKey(writer, draw->kind == th_drawUniform ? "uniform" : "normal");
    writePair(out, (const double[]){draw->a, draw->b});
    if (draw->kind == th_drawNormal && draw->min != min) {
        thiWriteKey(writer, "min");
        thiWriteNumber(writer, draw->min);
    }
    if (draw->kind == th_drawNormal && draw->max != max) {
        thiWriteKey(writer, "max");
        thiWriteNumber(writer, draw->max);
    }
    thiWriteEnd(writer, '}');
}

// The decimal with the fewest places that reads back as this float: 0.1, not 0.10000000149011612.
static double nearestDecimal(float number)
{
    double scale = 1.0;
    for (int32_t places = 0; places <= 9; ++places, scale *= 10.0) {
        const double decimal = rint((double)number * scale) / scale;
        if ((float)decimal == number)
            return decimal;
    }
    return (double)number;
}

static void writeParamWord(Output* out, const thParam* param, int32_t number)
{
    thParamWords words;
    thiSplitParamWords(param, &words);
    thiWriteString(&out->writer, words.words[number]);
}

static void writeParam(Output* out, const thParam* param, const void* params)
{
    float number;
    int32_t whole;
    const char* place = (const char*)params + param->offset;
    if (param->kind == th_paramRoadmap || param->kind == th_paramPath) {
        thiWriteKey(&out->writer, param->name);
        thiWriteString(&out->writer, place);
        return;
    }
    memcpy(&number, place, sizeof number);
    memcpy(&whole, place, sizeof whole);
    thiWriteKey(&out->writer, param->name);
    if (param->kind == th_paramFloat)
        thiWriteNumber(&out->writer, nearestDecimal(number));
    else if (param->kind == th_paramInt)
        thiWriteNumber(&out->writer, whole);
    else if (param->kind == th_paramWord)
        writeParamWord(out, param, whole);
    else
        thiWriteBool(&out->writer, whole != 0);
}

static bool isDefaultParam(const thMethod* method, const thParam* param, const void* params)
{
    static const char zeros[THRONG_NAME_SIZE];
    const void* fallback =
        method->defaults != NULL ? (const char*)method->defaults + param->offset : zeros;
    return memcmp((const char*)params + param->offset, fallback, thiParamSize(param->kind)) == 0;
}

static void writeMethod(Output* out, const thField* field, const thSceneMethod* use)
{
    thJsonWriter* writer = &out->writer;
    const thMethod* method = thiSceneMethodOf((thMethodKind)field->choice, use->name);
    if (use->params == NULL || method == NULL) {
        thiWriteString(writer, use->name);
        return;
    }
    thiWriteBegin(writer, '{', true);
    thiWriteKey(writer, use->name);
    thiWriteBegin(writer, '{', true);
    for (int32_t i = 0; i < method->paramCount; ++i)
        if (!isDefaultParam(method, &method->params[i], use->params))
            writeParam(out, &method->params[i], use->params);
    thiWriteEnd(writer, '}');
    thiWriteEnd(writer, '}');
}

static void writeIntervals(Output* out, const double* ends, int32_t count)
{
    thiWriteBegin(&out->writer, '[', true);
    for (int32_t i = 0; i < count; ++i)
        writePair(out, &ends[2 * i]);
    thiWriteEnd(&out->writer, ']');
}

static void writeWholes(Output* out, const int32_t* pairs, int32_t count)
{
    thiWriteBegin(&out->writer, '[', true);
    for (int32_t i = 0; i < count; ++i)
        writePair(out, (const double[]){pairs[2 * i], pairs[2 * i + 1]});
    thiWriteEnd(&out->writer, ']');
}

// A node whose ends are the same is a point.
static void writeNodes(Output* out, const thCoord* ends, int32_t count)
{
    thiWriteBegin(&out->writer, '[', true);
    for (int32_t i = 0; i < count; i += 2)
        if (ends[i].x == ends[i + 1].x && ends[i].y == ends[i + 1].y)
            writePoint(out, ends[i]);
        else
            writePoints(out, &ends[i], 2);
    thiWriteEnd(&out->writer, ']');
}

static void writeRecords(Output* out, const thRecord* record, const char* items, int32_t count)
{
    thiWriteBegin(&out->writer, '[', false);
    for (int32_t i = 0; i < count; ++i)
        writeRecord(out, record, items + (size_t)i * record->size, true);
    thiWriteEnd(&out->writer, ']');
}

// Structs that begin with their names.
static void writeNamed(Output* out, const thRecord* record, const void* items, int32_t count)
{
    thiWriteBegin(&out->writer, '{', false);
    for (int32_t i = 0; i < count; ++i) {
        const char* item = (const char*)items + (size_t)i * record->size;
        const char* name;
        memcpy(&name, item, sizeof name);
        thiWriteKey(&out->writer, name);
        writeRecord(out, record, item, true);
    }
    thiWriteEnd(&out->writer, '}');
}

static void writeGauges(Output* out, const thSceneGauge* gauges, int32_t count)
{
    thiWriteBegin(&out->writer, '{', false);
    for (int32_t i = 0; i < count; ++i) {
        thiWriteKey(&out->writer, gauges[i].name);
        if (gauges[i].isLine)
            writePoints(out, gauges[i].shape.points.items, gauges[i].shape.points.count);
        else
            writeRecord(out, &thiRegionRecord, &gauges[i].shape, true);
    }
    thiWriteEnd(&out->writer, '}');
}

static void writeGoal(Output* out, int32_t index)
{
    const thSceneGoal* goal = &out->scene->goals[index];
    if (goal->name != NULL)
        thiWriteString(&out->writer, goal->name);
    else if (goal->kind == th_sceneGoalOpposite)
        thiWriteString(&out->writer, TH_GOAL_OPPOSITE);
    else
        writeRecord(out, &thiGoalInPlaceRecord, goal, true);
}

static void writeReferences(Output* out, const int32_t* goals, int32_t count)
{
    thiWriteBegin(&out->writer, '[', true);
    for (int32_t i = 0; i < count; ++i)
        writeGoal(out, goals[i]);
    thiWriteEnd(&out->writer, ']');
}

static void writeText(Output* out, const void* place)
{
    const char* text;
    memcpy(&text, place, sizeof text);
    thiWriteString(&out->writer, text);
}

static void writeShape(Output* out, const thShape* shape)
{
    if (shape->kind == th_shapePoint || shape->kind == th_shapeDisc)
        writePoint(out, shape->points.items[0]);
    else
        writePoints(out, shape->points.items, shape->points.count);
}

static void writeSpacing(Output* out, const double spacing[2])
{
    if (spacing[0] == spacing[1])
        thiWriteNumber(&out->writer, spacing[0]);
    else
        writePair(out, spacing);
}

static void writePlaces(Output* out, const thCoords* places)
{
    if (places->count == 1)
        writePoint(out, places->items[0]);
    else
        writePoints(out, places->items, places->count);
}

// Named things stand in lines of their own.
static bool holdsNamed(const thRecord* record)
{
    return record->fields[0].kind == th_fieldLines;
}

static void writeValue(Output* out, const thField* field, const void* place)
{
    thJsonWriter* writer = &out->writer;
    const thScene* scene = out->scene;
    const thCoords* coords = place;
    int32_t count;
    switch (field->kind) {
    case th_fieldVersion:
        thiWriteNumber(writer, 1.0);
        break;
    case th_fieldNumber:
        thiWriteNumber(writer, *(const double*)place);
        break;
    case th_fieldWhole:
        thiWriteNumber(writer, *(const int32_t*)place);
        break;
    case th_fieldCount:
        thiWriteNumber(writer, (double)*(const int64_t*)place);
        break;
    case th_fieldBits:
        thiWriteNumber(writer, *(const uint32_t*)place);
        break;
    case th_fieldBool:
        thiWriteBool(writer, *(const bool*)place);
        break;
    case th_fieldText:
    case th_fieldName:
    case th_fieldFile:
        writeText(out, place);
        break;
    case th_fieldWord:
        thiWriteString(writer, field->words[*(const int32_t*)place]);
        break;
    case th_fieldTwoWords:
        thiWriteString(writer, field->words[*(const bool*)place]);
        break;
    case th_fieldDraw:
        writeDraw(out, field, place);
        break;
    case th_fieldVector:
        writePair(out, place);
        break;
    case th_fieldSpacing:
        writeSpacing(out, place);
        break;
    case th_fieldPoint:
        writePoint(out, *(const thCoord*)place);
        break;
    case th_fieldPlaces:
        writePlaces(out, place);
        break;
    case th_fieldPath:
    case th_fieldCorners:
    case th_fieldBody:
        writePoints(out, coords->items, coords->count);
        break;
    case th_fieldSegment:
        writePoints(out, place, 2);
        break;
    case th_fieldShapePoint:
    case th_fieldShapeDisc:
    case th_fieldShapeSegment:
    case th_fieldShapePolygon:
    case th_fieldShapeBox:
        writeShape(out, place);
        break;
    case th_fieldIntervals: {
        const double* ends = thiListAt(place, &count);
        writeIntervals(out, ends, count);
        break;
    }
    case th_fieldNodes:
        writeNodes(out, coords->items, coords->count);
        break;
    case th_fieldPairs: {
        const int32_t* pairs = thiListAt(place, &count);
        writeWholes(out, pairs, count);
        break;
    }
    case th_fieldRecord:
    case th_fieldEnd:
        writeRecord(out, field->record, place, !holdsNamed(field->record));
        break;
    case th_fieldRecords: {
        const void* items = thiListAt(place, &count);
        writeRecords(out, field->record, items, count);
        break;
    }
    case th_fieldGoals:
        writeNamed(out, field->record, scene->goals, thiNamedGoalCount(scene));
        break;
    case th_fieldRoadmaps:
        writeNamed(out, field->record, scene->roadmaps, scene->roadmapCount);
        break;
    case th_fieldProfiles:
        writeNamed(out, field->record, scene->profiles, scene->profileCount);
        break;
    case th_fieldLines:
        writeGauges(out, scene->gauges, thiLineCount(scene));
        break;
    case th_fieldAreas:
        count = thiLineCount(scene);
        writeGauges(out, scene->gauges + count, scene->gaugeCount - count);
        break;
    case th_fieldMethod:
        writeMethod(out, field, place);
        break;
    case th_fieldProfile:
        thiWriteString(writer, scene->profiles[*(const int32_t*)place].name);
        break;
    case th_fieldGoal:
        writeGoal(out, *(const int32_t*)place);
        break;
    case th_fieldReferences: {
        const int32_t* goals = thiListAt(place, &count);
        writeReferences(out, goals, count);
        break;
    }
    }
}

static void writeRecord(Output* out, const thRecord* record, const void* source, bool onOneLine)
{
    thiWriteBegin(&out->writer, '{', onOneLine);
    for (int32_t i = 0; i < record->fieldCount; ++i) {
        const thField* field = &record->fields[i];
        if (!isWritten(out, record, field, source))
            continue;
        thiWriteKey(&out->writer, field->key);
        writeValue(out, field, placeOf(field, source));
    }
    thiWriteEnd(&out->writer, '}');
}

thResult thScene_Write(const thScene* scene, char* buffer, size_t capacity, size_t* size)
{
    TH_REQUIRE(scene != NULL && size != NULL, th_resultBadArgument);
    Output out = {.scene = scene, .writer = {.buffer = buffer, .capacity = capacity}};
    const thFpEnvironment hostEnvironment = thiFpEnter();
    writeRecord(&out, &thiSceneRecord, scene, false);
    thiFpRestore(hostEnvironment);
    *size = out.writer.size + 1; // and the end of the last line
    if (buffer == NULL)
        return th_resultOk;
    if (*size >= capacity)
        return th_resultFull;
    buffer[*size - 1] = '\n';
    buffer[*size] = '\0';
    return th_resultOk;
}
