// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Values of a scene file: each as the kind of its field says.

#include "scene/read/scene_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool outOfRange(thSceneReader* reader, const thJson* value, const thField* range)
{
    char least[TH_NUMBER_TEXT], most[TH_NUMBER_TEXT];
    const bool hasUnit = range->unit != NULL && range->unit[0] != '\0';
    return thiSceneError(reader, value, "%.40s is out of range, expected %s .. %s%s%s", value->text,
                         thiNumberText(range->min, least), thiNumberText(range->max, most),
                         hasUnit ? " " : "", hasUnit ? range->unit : "");
}

bool thiReadNumber(thSceneReader* reader, const thJson* value, const thField* range, double* to)
{
    if (value->kind != th_jsonNumber)
        return thiWrongType(reader, value, "a number");
    if (!(value->number >= range->min && value->number <= range->max))
        return outOfRange(reader, value, range);
    *to = value->number + 0.0; // −0 becomes 0, or the same scene would be written in two ways
    return true;
}

static bool readWhole(thSceneReader* reader, const thJson* value, const thField* range, double* to)
{
    if (value->kind != th_jsonNumber)
        return thiWrongType(reader, value, "a whole number");
    if (!thiReadNumber(reader, value, range, to))
        return false;
    if (*to == floor(*to))
        return true;
    return thiSceneError(reader, value, "expected a whole number, found %.40s", value->text);
}

bool thiReadNumbers(thSceneReader* reader, const thJson* value, const thField* range,
                    const char* expected, double to[2])
{
    if (value->kind != th_jsonArray || value->count != 2)
        return thiWrongType(reader, value, expected);
    const bool first = thiReadNumber(reader, value->first, range, &to[0]);
    return thiReadNumber(reader, value->first->next, range, &to[1]) && first;
}

static bool readSpacing(thSceneReader* reader, const thJson* value, const thField* range,
                        double to[2])
{
    if (value->kind != th_jsonNumber)
        return thiReadNumbers(reader, value, range, "a number or [x, y]", to);
    const bool good = thiReadNumber(reader, value, range, &to[0]);
    to[1] = to[0];
    return good;
}

static bool readText(thSceneReader* reader, const thJson* value, const char** text)
{
    if (value->kind != th_jsonString)
        return thiWrongType(reader, value, "text");
    *text = value->text;
    return true;
}

bool thiCheckName(thSceneReader* reader, const thJson* value, const char* name, bool isKey)
{
    const size_t length = strlen(name);
    if (length >= 1 && length <= TH_SCENE_NAME)
        return true;
    return (isKey ? thiSceneKeyError : thiSceneError)(
        reader, value, "the name has %zu bytes, expected 1 .. %d", length, TH_SCENE_NAME);
}

static bool endsIn(const char* text, const char* end)
{
    const size_t length = strlen(text), endLength = strlen(end);
    return length > endLength && strcmp(text + length - endLength, end) == 0;
}

static bool readFile(thSceneReader* reader, const thJson* value, const char** file)
{
    if (!readText(reader, value, file))
        return false;
    if (endsIn(*file, ".wkt") || endsIn(*file, ".geojson") || endsIn(*file, ".json") ||
        endsIn(*file, ".map"))
        return true;
    return thiSceneError(
        reader, value,
        "expected a name that ends in .wkt, .geojson, .json or .map, found \"%.40s\"", *file);
}

// A word that is a number may be written as one.
static bool isWord(const thJson* value, const char* word)
{
    char number[TH_NUMBER_TEXT];
    return value->kind == th_jsonString   ? strcmp(value->text, word) == 0
           : value->kind == th_jsonNumber ? strcmp(thiNumberText(value->number, number), word) == 0
                                          : false;
}

static bool readWord(thSceneReader* reader, const thField* field, const thJson* value, int32_t* to)
{
    char names[128], expected[256];
    int32_t count = 0;
    for (; field->words[count] != NULL; ++count) {
        if (isWord(value, field->words[count])) {
            *to = count;
            return true;
        }
    }
    const char* meant =
        value->kind == th_jsonString ? thiDidYouMean(value->text, field->words, count) : NULL;
    thiJoinNames(field->words, count, names, sizeof names);
    if (meant != NULL)
        return thiSceneError(reader, value, "expected one of: %s; did you mean '%s'?", names,
                             meant);
    snprintf(expected, sizeof expected, "one of: %s", names);
    return thiWrongType(reader, value, expected);
}

static bool readBool(thSceneReader* reader, const thJson* value, bool* to)
{
    if (value->kind != th_jsonBool)
        return thiWrongType(reader, value, "true or false");
    *to = value->truth;
    return true;
}

// An array of objects, into a pointer and a count.
static bool readRecords(thSceneReader* reader, const thField* field, const thJson* value,
                        void* target)
{
    if (value->kind != th_jsonArray)
        return thiWrongType(reader, value, "an array");
    char* items = thiSceneAllocate(reader, value->count, field->record->size);
    if (items == NULL)
        return false;
    bool good = true;
    for (const thJson* item = value->first; item != NULL && !reader->noMemory; item = item->next)
        good = thiReadRecord(reader, field->record, item,
                             items + (size_t)item->index * field->record->size) &&
               good;
    memcpy(target, &items, sizeof items);
    memcpy((char*)target + sizeof items, &value->count, sizeof value->count);
    return good;
}

// Kinds that come as a number.
static bool readNumberKind(thSceneReader* reader, const thField* field, const thJson* value,
                           void* target)
{
    double number = 0.0;
    const bool isWhole = field->kind != th_fieldNumber;
    if (!(isWhole ? readWhole : thiReadNumber)(reader, value, field, &number))
        return false;
    if (field->kind == th_fieldNumber)
        *(double*)target = number;
    else if (field->kind == th_fieldWhole)
        *(int32_t*)target = (int32_t)number;
    else if (field->kind == th_fieldCount)
        *(int64_t*)target = (int64_t)number;
    else
        *(uint32_t*)target = (uint32_t)number;
    return true;
}

// Kinds that come as a word or a text.
static bool readTextKind(thSceneReader* reader, const thField* field, const thJson* value,
                         void* target)
{
    int32_t word = 0;
    const char* text = NULL;
    switch (field->kind) {
    case th_fieldWord:
        return readWord(reader, field, value, target);
    case th_fieldTwoWords:
        if (!readWord(reader, field, value, &word))
            return false;
        *(bool*)target = word != 0;
        return true;
    case th_fieldFile:
        if (!readFile(reader, value, &text))
            return false;
        break;
    case th_fieldName:
        if (!readText(reader, value, &text) || !thiCheckName(reader, value, text, false))
            return false;
        break;
    default:
        if (!readText(reader, value, &text))
            return false;
    }
    memcpy(target, &text, sizeof text);
    return true;
}

bool thiReadValue(thSceneReader* reader, const thField* field, const thJson* value, void* target)
{
    switch (field->kind) {
    case th_fieldVersion:
        return value->kind == th_jsonNumber || thiWrongType(reader, value, "the number 1");
    case th_fieldNumber:
    case th_fieldWhole:
    case th_fieldCount:
    case th_fieldBits:
        return readNumberKind(reader, field, value, target);
    case th_fieldText:
    case th_fieldName:
    case th_fieldFile:
    case th_fieldWord:
    case th_fieldTwoWords:
        return readTextKind(reader, field, value, target);
    case th_fieldBool:
        return readBool(reader, value, target);
    case th_fieldDraw:
        return thiReadDraw(reader, value, field, target);
    case th_fieldVector:
        return thiReadNumbers(reader, value, field, "two numbers [x, y]", target);
    case th_fieldSpacing:
        return readSpacing(reader, value, field, target);
    case th_fieldPoint:
        return thiReadPoint(reader, value, target);
    case th_fieldPlaces:
        return thiReadPlaces(reader, value, target);
    case th_fieldPath:
        return thiReadPath(reader, value, target);
    case th_fieldCorners:
        return thiReadCorners(reader, value, field, target);
    case th_fieldBody:
        return thiReadBody(reader, value, field, target);
    case th_fieldSegment:
        return thiReadSegment(reader, value, target);
    case th_fieldShapePoint:
    case th_fieldShapeDisc:
    case th_fieldShapeSegment:
    case th_fieldShapePolygon:
    case th_fieldShapeBox:
        return thiReadShape(reader, value, (thShapeKind)(field->kind - th_fieldShapePoint), target);
    case th_fieldIntervals:
        return thiReadIntervals(reader, value, field, target);
    case th_fieldNodes:
        return thiReadNodes(reader, value, target);
    case th_fieldPairs:
        return thiReadPairs(reader, value, target);
    case th_fieldRecord:
    case th_fieldEnd:
        return thiReadRecord(reader, field->record, value, target);
    case th_fieldRecords:
        return readRecords(reader, field, value, target);
    case th_fieldGoals:
        return thiReadGoals(reader, value);
    case th_fieldRoadmaps:
        return thiReadRoadmaps(reader, value);
    case th_fieldProfiles:
        return thiReadProfiles(reader, value);
    case th_fieldLines:
    case th_fieldAreas:
        return thiReadGauges(reader, value, field->kind == th_fieldLines);
    case th_fieldMethod:
        return thiReadMethod(reader, field, value, target);
    case th_fieldGoal:
        return thiReadGoal(reader, value, target);
    case th_fieldReferences:
        return thiReadReferences(reader, value, target);
    case th_fieldProfile: // which thiReadRecord reads, because it may be left out
        break;
    }
    return false;
}
