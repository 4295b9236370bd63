// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The JSON Schema. It says what a schema can say; references, geometry and counts are beyond it.

#include "scene/reference.h"

#include "scene/read/scene_read.h"
#include "sim/world_internal.h"
#include "throng/roadmap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void begin(thJsonWriter* w, const char* key)
{
    if (key != NULL)
        thiWriteKey(w, key);
    thiWriteBegin(w, '{', false);
}

static void beginShort(thJsonWriter* w, const char* key)
{
    if (key != NULL)
        thiWriteKey(w, key);
    thiWriteBegin(w, '{', true);
}

static void end(thJsonWriter* w)
{
    thiWriteEnd(w, '}');
}

static void text(thJsonWriter* w, const char* key, const char* value)
{
    thiWriteKey(w, key);
    thiWriteString(w, value);
}

static void number(thJsonWriter* w, const char* key, double value)
{
    thiWriteKey(w, key);
    thiWriteNumber(w, value);
}

static void beginList(thJsonWriter* w, const char* key, bool onOneLine)
{
    thiWriteKey(w, key);
    thiWriteBegin(w, '[', onOneLine);
}

static void endList(thJsonWriter* w)
{
    thiWriteEnd(w, ']');
}

// {"$ref": "#/definitions/name"}
static void reference(thJsonWriter* w, const char* key, const char* name)
{
    char path[64];
    snprintf(path, sizeof path, "#/definitions/%s", name);
    beginShort(w, key);
    text(w, "$ref", path);
    end(w);
}

// What else stands beside a reference is not looked at; so it is put into a list.
static void referenceBeside(thJsonWriter* w, const char* name)
{
    beginList(w, "allOf", true);
    reference(w, NULL, name);
    endList(w);
}

static void numberOf(thJsonWriter* w, const char* type, double min, double max)
{
    text(w, "type", type);
    number(w, "minimum", min);
    number(w, "maximum", max);
}

static void pairOf(thJsonWriter* w, const thField* field)
{
    text(w, "type", "array");
    beginShort(w, "items");
    if (field->min < field->max)
        numberOf(w, "number", field->min, field->max);
    else
        text(w, "type", "number");
    end(w);
    number(w, "minItems", 2);
    number(w, "maxItems", 2);
}

static void arrayOf(thJsonWriter* w, const char* name, int32_t least)
{
    text(w, "type", "array");
    reference(w, "items", name);
    if (least > 0)
        number(w, "minItems", least);
}

static void mapOf(thJsonWriter* w, const char* name)
{
    text(w, "type", "object");
    reference(w, "propertyNames", "name");
    reference(w, "additionalProperties", name);
}

// Words that are numbers may be written as such.
static void words(thJsonWriter* w, const char* const* names)
{
    beginList(w, "enum", true);
    for (; *names != NULL; ++names) {
        char* end;
        const double number = strtod(*names, &end);
        thiWriteString(w, *names);
        if (*end == '\0')
            thiWriteNumber(w, number);
    }
    endList(w);
}

static void describe(thJsonWriter* w, const char* about, const char* unit)
{
    char description[512];
    const bool hasUnit = unit != NULL && unit[0] != '\0';
    snprintf(description, sizeof description, hasUnit ? "%s [%s]" : "%s", about, unit);
    text(w, "description", description);
}

static void parameter(thJsonWriter* w, const thParam* param)
{
    begin(w, param->name);
    describe(w, param->about, param->kind != th_paramWord ? param->unit : "");
    if (param->kind == th_paramWord) {
        thParamWords parts;
        thiSplitParamWords(param, &parts);
        words(w, parts.words);
    } else if (param->kind == th_paramBool)
        text(w, "type", "boolean");
    else if (param->kind == th_paramRoadmap || param->kind == th_paramPath)
        text(w, "type", "string");
    else
        numberOf(w, param->kind == th_paramFloat ? "number" : "integer", param->min, param->max);
    end(w);
}

static void methodObject(thJsonWriter* w, const thMethod* method)
{
    begin(w, method->name);
    text(w, "type", "object");
    begin(w, "properties");
    for (int32_t i = 0; i < method->paramCount; ++i)
        parameter(w, &method->params[i]);
    end(w);
    thiWriteKey(w, "additionalProperties");
    thiWriteBool(w, false);
    end(w);
}

// A name, or a name with parameters.
static void methods(thJsonWriter* w, thMethodKind kind)
{
    beginList(w, "anyOf", false);
    begin(w, NULL);
    beginList(w, "enum", true);
    for (const thMethod* const* method = thiBuiltInMethods(kind); *method != NULL; ++method)
        thiWriteString(w, (*method)->name);
    endList(w);
    end(w);
    begin(w, NULL);
    text(w, "type", "object");
    begin(w, "properties");
    for (const thMethod* const* method = thiBuiltInMethods(kind); *method != NULL; ++method)
        methodObject(w, *method);
    end(w);
    thiWriteKey(w, "additionalProperties");
    thiWriteBool(w, false);
    number(w, "minProperties", 1);
    number(w, "maxProperties", 1);
    end(w);
    endList(w);
}

// Either a number in its range or something else that has a definition.
static void numberOr(thJsonWriter* w, const thField* field)
{
    beginList(w, "anyOf", false);
    beginShort(w, NULL);
    numberOf(w, "number", field->min, field->max);
    end(w);
    if (field->kind == th_fieldDraw) {
        reference(w, NULL, thiDrawRecord.name);
    } else {
        begin(w, NULL);
        pairOf(w, field);
        end(w);
    }
    endList(w);
}

static void places(thJsonWriter* w)
{
    beginList(w, "anyOf", false);
    reference(w, NULL, "point");
    beginShort(w, NULL);
    arrayOf(w, "point", 1);
    end(w);
    endList(w);
}

static void goal(thJsonWriter* w, const thField* field)
{
    beginList(w, "anyOf", false);
    beginShort(w, NULL);
    text(w, "type", "string");
    end(w);
    reference(w, NULL, field->record->name);
    endList(w);
}

static void names(thJsonWriter* w)
{
    text(w, "type", "array");
    beginShort(w, "items");
    text(w, "type", "string");
    end(w);
    number(w, "minItems", 1);
}

static void listOfPairs(thJsonWriter* w, const thField* field, int32_t least)
{
    text(w, "type", "array");
    begin(w, "items");
    pairOf(w, field);
    end(w);
    number(w, "minItems", least);
}

// Points and segments.
static void nodes(thJsonWriter* w)
{
    text(w, "type", "array");
    begin(w, "items");
    beginList(w, "anyOf", false);
    reference(w, NULL, "point");
    reference(w, NULL, "segment");
    endList(w);
    end(w);
    number(w, "minItems", 1);
}

static void pairs(thJsonWriter* w)
{
    text(w, "type", "array");
    begin(w, "items");
    text(w, "type", "array");
    beginShort(w, "items");
    numberOf(w, "integer", 0, THRONG_ROADMAP_NODES - 1);
    end(w);
    number(w, "minItems", 2);
    number(w, "maxItems", 2);
    end(w);
    number(w, "minItems", 1);
}

static void fallback(thJsonWriter* w, const thField* field)
{
    if (field->required || field->group != 0 || field->fallbackText != NULL)
        return;
    switch (field->kind) {
    case th_fieldNumber:
    case th_fieldWhole:
    case th_fieldCount:
    case th_fieldBits:
    case th_fieldDraw:
        number(w, "default", field->fallback);
        break;
    case th_fieldBool:
        thiWriteKey(w, "default");
        thiWriteBool(w, field->fallback != 0.0);
        break;
    case th_fieldWord:
    case th_fieldTwoWords:
        text(w, "default", field->words[(int32_t)field->fallback]);
        break;
    default:
        break;
    }
}

static void value(thJsonWriter* w, const thField* field)
{
    switch (field->kind) {
    case th_fieldVersion:
        number(w, "const", 1);
        break;
    case th_fieldNumber:
        if (field->min < field->max)
            numberOf(w, "number", field->min, field->max);
        else
            text(w, "type", "number");
        break;
    case th_fieldWhole:
    case th_fieldCount:
    case th_fieldBits:
        numberOf(w, "integer", field->min, field->max);
        break;
    case th_fieldBool:
        text(w, "type", "boolean");
        break;
    case th_fieldText:
    case th_fieldProfile:
        text(w, "type", "string");
        break;
    case th_fieldName:
        referenceBeside(w, "name");
        break;
    case th_fieldFile:
        text(w, "type", "string");
        text(w, "pattern", "\\.(wkt|geojson|json)$");
        break;
    case th_fieldWord:
    case th_fieldTwoWords:
        words(w, field->words);
        break;
    case th_fieldDraw:
    case th_fieldSpacing:
        numberOr(w, field);
        break;
    case th_fieldVector:
        pairOf(w, field);
        break;
    case th_fieldPoint:
    case th_fieldShapePoint:
    case th_fieldShapeDisc:
        referenceBeside(w, "point");
        break;
    case th_fieldPlaces:
        places(w);
        break;
    case th_fieldPath:
        arrayOf(w, "point", 2);
        break;
    case th_fieldCorners:
        listOfPairs(w, field, 3);
        break;
    case th_fieldSegment:
    case th_fieldShapeSegment:
    case th_fieldShapeBox:
        referenceBeside(w, "segment");
        break;
    case th_fieldShapePolygon:
        arrayOf(w, "point", 3);
        break;
    case th_fieldBody:
    case th_fieldIntervals:
        listOfPairs(w, field, 0);
        break;
    case th_fieldNodes:
        nodes(w);
        break;
    case th_fieldPairs:
        pairs(w);
        break;
    case th_fieldRecord:
    case th_fieldEnd:
        referenceBeside(w, field->record->name);
        break;
    case th_fieldRecords:
        arrayOf(w, field->record->name, 0);
        break;
    case th_fieldLines:
        mapOf(w, "segment");
        break;
    case th_fieldGoals:
    case th_fieldRoadmaps:
    case th_fieldProfiles:
    case th_fieldAreas:
        mapOf(w, field->record->name);
        break;
    case th_fieldMethod:
        methods(w, (thMethodKind)field->choice);
        break;
    case th_fieldGoal:
        goal(w, field);
        break;
    case th_fieldReferences:
        names(w);
        break;
    }
    fallback(w, field);
}

// {"required": ["disc", "radius"]}
static void choice(thJsonWriter* w, const thRecord* record, const thField* chosen)
{
    beginShort(w, NULL);
    beginList(w, "required", true);
    thiWriteString(w, chosen->key);
    for (int32_t i = 0; i < record->fieldCount; ++i) {
        const thField* field = &record->fields[i];
        if (field->required && field->with != NULL && strcmp(field->with, chosen->key) == 0)
            thiWriteString(w, field->key);
    }
    endList(w);
    end(w);
}

static void choices(thJsonWriter* w, const thRecord* record, int32_t group)
{
    begin(w, NULL);
    beginList(w, "oneOf", false);
    for (int32_t i = 0; i < record->fieldCount; ++i)
        if (record->fields[i].group == group)
            choice(w, record, &record->fields[i]);
    endList(w);
    end(w);
}

static bool hasGroup(const thRecord* record, int32_t group)
{
    for (int32_t i = 0; i < record->fieldCount; ++i)
        if (record->fields[i].group == group)
            return true;
    return false;
}

static void conditions(thJsonWriter* w, const thRecord* record)
{
    beginList(w, "required", true);
    for (int32_t i = 0; i < record->fieldCount; ++i)
        if (record->fields[i].required && record->fields[i].with == NULL)
            thiWriteString(w, record->fields[i].key);
    endList(w);
    if (!hasGroup(record, 1))
        return;
    beginList(w, "allOf", false);
    for (int32_t group = 1; hasGroup(record, group); ++group)
        choices(w, record, group);
    endList(w);
    begin(w, "dependencies");
    for (int32_t i = 0; i < record->fieldCount; ++i) {
        if (record->fields[i].with == NULL)
            continue;
        beginList(w, record->fields[i].key, true);
        thiWriteString(w, record->fields[i].with);
        endList(w);
    }
    end(w);
}

static void object(thJsonWriter* w, const thRecord* record)
{
    begin(w, record->name);
    text(w, "description", record->about);
    text(w, "type", "object");
    begin(w, "properties");
    for (int32_t i = 0; i < record->fieldCount; ++i) {
        const thField* field = &record->fields[i];
        begin(w, field->key);
        describe(w, field->about, field->unit);
        value(w, field);
        end(w);
    }
    end(w);
    thiWriteKey(w, "additionalProperties");
    thiWriteBool(w, false);
    conditions(w, record);
    end(w);
}

static void schema(thJsonWriter* w)
{
    begin(w, NULL);
    text(w, "$schema", "http://json-schema.org/draft-07/schema#");
    text(w, "title", "throng scene");
    text(w, "description",
         "Made by tests/scene/scene_reference from the tables of the reader; see docs/scenes.md.");
    referenceBeside(w, thiSceneRecord.name);
    begin(w, "definitions");
    begin(w, "name");
    text(w, "type", "string");
    number(w, "minLength", 1);
    number(w, "maxLength", TH_SCENE_NAME);
    end(w);
    begin(w, "point");
    text(w, "description", "[x, y], east and north. [m]");
    pairOf(w, &(thField){.key = NULL});
    end(w);
    begin(w, "segment");
    text(w, "description", "Two points.");
    arrayOf(w, "point", 2);
    number(w, "maxItems", 2);
    end(w);
    for (const thRecord* const* record = listRecords(); *record != NULL; ++record)
        object(w, *record);
    end(w);
    end(w);
}

char* makeSchema(void)
{
    thJsonWriter count = {.buffer = NULL};
    schema(&count);
    char* result = malloc(count.size + 2);
    if (result == NULL)
        abort();
    thJsonWriter writer = {.buffer = result, .capacity = count.size};
    schema(&writer);
    memcpy(result + count.size, "\n", 2);
    return result;
}
