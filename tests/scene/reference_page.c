// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The tables of the reference page.

#include "scene/reference.h"

#include "base/json/json_number.h"
#include "scene/read/scene_read.h"
#include "sim/world_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RECORDS 32

static void addRecord(const thRecord** records, int32_t* count, const thRecord* record)
{
    for (int32_t i = 0; i < *count; ++i)
        if (records[i] == record)
            return;
    if (*count + 1 >= MOST_RECORDS)
        abort();
    records[(*count)++] = record;
    for (int32_t i = 0; i < record->fieldCount; ++i)
        if (record->fields[i].record != NULL)
            addRecord(records, count, record->fields[i].record);
}

const thRecord* const* listRecords(void)
{
    static const thRecord* records[MOST_RECORDS];
    int32_t count = 0;
    addRecord(records, &count, &thiSceneRecord);
    addRecord(records, &count, &thiDrawRecord);
    records[count] = NULL;
    return records;
}

// A text that grows.
typedef struct Page {
    char* items;
    size_t size, capacity;
} Page;

static void putBytes(Page* page, const char* bytes, size_t size)
{
    if (page->size + size + 1 > page->capacity) {
        page->capacity = 2 * (page->size + size + 1);
        page->items = realloc(page->items, page->capacity);
        if (page->items == NULL)
            abort();
    }
    memcpy(page->items + page->size, bytes, size);
    page->size += size;
    page->items[page->size] = '\0';
}

static void put(Page* page, const char* more)
{
    putBytes(page, more, strlen(more));
}

static void putNumber(Page* page, double number)
{
    char text[TH_DECIMAL_SIZE];
    thiWriteDecimal(number, text);
    put(page, text);
}

static void putRange(Page* page, double min, double max, const char* unit)
{
    if (min >= max)
        return;
    putNumber(page, min);
    put(page, " .. ");
    putNumber(page, max);
    if (unit != NULL && unit[0] != '\0') {
        put(page, " ");
        put(page, unit);
    }
}

static void putWords(Page* page, const char* const* words)
{
    for (int32_t i = 0; words[i] != NULL; ++i) {
        put(page, i > 0 ? ", `\"" : "`\"");
        put(page, words[i]);
        put(page, "\"`");
    }
}

static const char* kindText(thFieldKind kind)
{
    switch (kind) {
    case th_fieldVersion:
        return "1";
    case th_fieldNumber:
        return "number";
    case th_fieldWhole:
    case th_fieldCount:
    case th_fieldBits:
        return "whole number";
    case th_fieldBool:
        return "`true` or `false`";
    case th_fieldText:
        return "text";
    case th_fieldName:
    case th_fieldProfile:
        return "name";
    case th_fieldFile:
        return "name of a file";
    case th_fieldWord:
    case th_fieldTwoWords:
        return "";
    case th_fieldDraw:
        return "[draw](#a-number-for-each-agent)";
    case th_fieldVector:
        return "`[x, y]`";
    case th_fieldSpacing:
        return "number or `[x, y]`";
    case th_fieldPoint:
    case th_fieldShapePoint:
    case th_fieldShapeDisc:
        return "point";
    case th_fieldPlaces:
        return "point or points";
    case th_fieldPath:
        return "2 points or more";
    case th_fieldCorners:
    case th_fieldBody:
    case th_fieldShapePolygon:
        return "3 points or more";
    case th_fieldSegment:
    case th_fieldShapeSegment:
    case th_fieldShapeBox:
        return "2 points";
    case th_fieldIntervals:
        return "array of `[from, to]`";
    case th_fieldNodes:
        return "array of points and segments";
    case th_fieldPairs:
        return "array of `[a, b]`";
    case th_fieldRecord:
    case th_fieldEnd:
        return "object";
    case th_fieldRecords:
        return "array of objects";
    case th_fieldGoals:
    case th_fieldRoadmaps:
    case th_fieldProfiles:
    case th_fieldAreas:
        return "object of named objects";
    case th_fieldLines:
        return "object of named segments";
    case th_fieldMethod:
        return "[method](#methods)";
    case th_fieldGoal:
        return "name or goal";
    case th_fieldReferences:
        return "array of names";
    }
    return "";
}

static void putDefault(Page* page, const thField* field)
{
    if (field->required)
        put(page, "needed");
    else if (field->group != 0)
        put(page, "one of these");
    else if (field->kind == th_fieldMethod) {
        put(page, "`\"");
        put(page, field->fallbackText);
        put(page, "\"`");
    } else if (field->fallbackText != NULL)
        put(page, field->fallbackText);
    else if (field->words != NULL)
        putWords(page, (const char* const[]){field->words[(int32_t)field->fallback], NULL});
    else if (field->kind == th_fieldBool)
        put(page, field->fallback != 0.0 ? "`true`" : "`false`");
    else if (field->kind == th_fieldVector)
        put(page, "`[0, 0]`");
    else if (field->kind == th_fieldRecord)
        put(page, "`{}`");
    else
        putNumber(page, field->fallback);
    if (field->with != NULL) {
        put(page, ", with `");
        put(page, field->with);
        put(page, "`");
    }
}

static void putField(Page* page, const thField* field)
{
    put(page, "| `");
    put(page, field->key);
    put(page, "` | ");
    put(page, kindText(field->kind));
    if (field->words != NULL)
        putWords(page, field->words);
    put(page, " | ");
    putRange(page, field->min, field->max, field->unit);
    put(page, " | ");
    putDefault(page, field);
    put(page, " | ");
    put(page, field->about);
    put(page, " |\n");
}

int32_t firstOwnField(const thRecord* record)
{
    int32_t first = 0;
    for (const thRecord* const* other = listRecords(); *other != NULL; ++other)
        if ((*other)->fields == record->fields && (*other)->fieldCount < record->fieldCount)
            first = (*other)->fieldCount;
    return first;
}

static void putRecord(Page* page, const thRecord* record)
{
    put(page, "| key | value | range | default | meaning |\n|---|---|---|---|---|\n");
    for (int32_t i = firstOwnField(record); i < record->fieldCount; ++i)
        putField(page, &record->fields[i]);
}

static void putParam(Page* page, const thParam* param)
{
    if (param->kind == th_paramRoadmap || param->kind == th_paramPath) {
        put(page, "| `");
        put(page, param->name);
        put(page, "` | name of a roadmap |  | ");
        put(page, param->kind == th_paramPath ? "none | " : "the only one there is | ");
        put(page, param->about);
        put(page, " |\n");
        return;
    }
    if (param->kind == th_paramWord) {
        thParamWords words;
        thiSplitParamWords(param, &words);
        put(page, "| `");
        put(page, param->name);
        put(page, "` | ");
        putWords(page, words.words);
        put(page, " |  | ");
        putWords(page, (const char* const[]){words.words[(int32_t)param->preset], NULL});
        put(page, " | ");
        put(page, param->about);
        put(page, " |\n");
        return;
    }
    char text[64];
    snprintf(text, sizeof text, "%g", param->preset);
    put(page, "| `");
    put(page, param->name);
    put(page, param->kind == th_paramFloat ? "` | number | "
              : param->kind == th_paramInt ? "` | whole number | "
                                           : "` | `true` or `false` | ");
    if (param->kind != th_paramBool)
        putRange(page, param->min, param->max, param->unit);
    put(page, " | ");
    put(page, param->kind != th_paramBool ? text : param->preset != 0.0 ? "`true`" : "`false`");
    put(page, " | ");
    put(page, param->about);
    put(page, " |\n");
}

static void putMethod(Page* page, const thMethod* method)
{
    put(page, "| parameter | value | range | default | meaning |\n|---|---|---|---|---|\n");
    for (int32_t i = 0; i < method->paramCount; ++i)
        putParam(page, &method->params[i]);
}

static char* makeMark(const char* what, const char* name)
{
    Page mark = {.items = NULL};
    put(&mark, "<!-- ");
    put(&mark, what);
    put(&mark, " of ");
    put(&mark, name);
    put(&mark, " -->\n");
    return mark.items;
}

char* recordMark(const thRecord* record)
{
    return makeMark("keys", record->name);
}

char* methodMark(const thMethod* method)
{
    return makeMark("parameters", method->name);
}

static bool isMark(const char* line, char* mark)
{
    const bool same = strncmp(line, mark, strlen(mark)) == 0;
    free(mark);
    return same;
}

// Puts the table that belongs after a line. False if none does.
static bool putTable(Page* page, const char* line)
{
    for (const thRecord* const* record = listRecords(); *record != NULL; ++record) {
        if (isMark(line, recordMark(*record))) {
            putRecord(page, *record);
            return true;
        }
    }
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind) {
        const thMethod* const* method = thiBuiltInMethods((thMethodKind)kind);
        for (; *method != NULL; ++method) {
            if ((*method)->paramCount > 0 && isMark(line, methodMark(*method))) {
                putMethod(page, *method);
                return true;
            }
        }
    }
    return false;
}

static const char* nextLine(const char* line)
{
    const char* lineEnd = strchr(line, '\n');
    return lineEnd != NULL ? lineEnd + 1 : line + strlen(line);
}

char* renewPage(const char* old)
{
    Page page = {.items = NULL};
    put(&page, "");
    while (*old != '\0') {
        const char* next = nextLine(old);
        putBytes(&page, old, (size_t)(next - old));
        if (putTable(&page, old)) {
            while (*next == '|')
                next = nextLine(next);
            if (*next != '\n' && *next != '\0')
                put(&page, "\n"); // otherwise what follows would be a row too
        }
        old = next;
    }
    return page.items;
}
