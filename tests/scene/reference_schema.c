// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The JSON Schema. It says what a schema can say; references, geometry and counts are beyond it.

#include "scene/reference.h"

#include "scene/read/scene_read.h"
#include "scene/scene_presets.h"
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

static void pairOf(thJsonWriter* w, const thSceneKey* key)
{
    text(w, "type", "array");
    beginShort(w, "items");
    if (key->min < key->max)
        numberOf(w, "number", key->min, key->max);
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

// Each is a segment, or an object with one.
static void mapOfLines(thJsonWriter* w, const char* name)
{
    text(w, "type", "object");
    reference(w, "propertyNames", "name");
    begin(w, "additionalProperties");
    beginList(w, "anyOf", false);
    reference(w, NULL, "segment");
    reference(w, NULL, name);
    endList(w);
    end(w);
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
static void numberOr(thJsonWriter* w, const thSceneKey* key)
{
    beginList(w, "anyOf", false);
    beginShort(w, NULL);
    numberOf(w, "number", key->min, key->max);
    end(w);
    if (key->kind == th_keyDraw) {
        reference(w, NULL, thiDrawTable.name);
    } else {
        begin(w, NULL);
        pairOf(w, key);
        end(w);
    }
    endList(w);
}

static void presets(thJsonWriter* w)
{
    beginList(w, "enum", true);
    for (int32_t i = 0; i < TH_PRESET_COUNT; ++i)
        thiWriteString(w, thiScenePresetAt(i)->name);
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

static void goal(thJsonWriter* w, const thSceneKey* key)
{
    beginList(w, "anyOf", false);
    beginShort(w, NULL);
    text(w, "type", "string");
    end(w);
    reference(w, NULL, key->table->name);
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

static void listOfPairs(thJsonWriter* w, const thSceneKey* key, int32_t least)
{
    text(w, "type", "array");
    begin(w, "items");
    pairOf(w, key);
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

static void fallback(thJsonWriter* w, const thSceneKey* key)
{
    if (key->required || key->group != 0 || key->fallbackText != NULL)
        return;
    switch (key->kind) {
    case th_keyNumber:
    case th_keyWhole:
    case th_keyCount:
    case th_keyBits:
    case th_keyDraw:
        number(w, "default", key->fallback);
        break;
    case th_keyBool:
        thiWriteKey(w, "default");
        thiWriteBool(w, key->fallback != 0.0);
        break;
    case th_keyWord:
    case th_keyTwoWords:
    case th_keyPeople:
        text(w, "default", key->words[(int32_t)key->fallback]);
        break;
    default:
        break;
    }
}

static void value(thJsonWriter* w, const thSceneKey* key)
{
    switch (key->kind) {
    case th_keyVersion:
        number(w, "const", 1);
        break;
    case th_keyNumber:
        if (key->min < key->max)
            numberOf(w, "number", key->min, key->max);
        else
            text(w, "type", "number");
        break;
    case th_keyWhole:
    case th_keyCount:
    case th_keyBits:
        numberOf(w, "integer", key->min, key->max);
        break;
    case th_keyBool:
        text(w, "type", "boolean");
        break;
    case th_keyText:
    case th_keyProfile:
        text(w, "type", "string");
        break;
    case th_keyName:
        referenceBeside(w, "name");
        break;
    case th_keyFile:
        text(w, "type", "string");
        text(w, "pattern", "\\.(wkt|geojson|json)$");
        break;
    case th_keyWord:
    case th_keyTwoWords:
        words(w, key->words);
        break;
    case th_keyDraw:
    case th_keySpacing:
        numberOr(w, key);
        break;
    case th_keyPeople:
        beginList(w, "anyOf", false);
        begin(w, NULL);
        words(w, key->words);
        end(w);
        reference(w, NULL, key->table->name);
        endList(w);
        break;
    case th_keyPreset:
        presets(w);
        break;
    case th_keyVector:
        pairOf(w, key);
        break;
    case th_keyPoint:
    case th_keyShapePoint:
    case th_keyShapeDisc:
        referenceBeside(w, "point");
        break;
    case th_keyPlaces:
        places(w);
        break;
    case th_keyPath:
        arrayOf(w, "point", 2);
        break;
    case th_keyCorners:
        listOfPairs(w, key, 3);
        break;
    case th_keySegment:
    case th_keyShapeSegment:
    case th_keyShapeBox:
        referenceBeside(w, "segment");
        break;
    case th_keyShapePolygon:
        arrayOf(w, "point", 3);
        break;
    case th_keyBody:
    case th_keyIntervals:
        listOfPairs(w, key, 0);
        break;
    case th_keyNodes:
        nodes(w);
        break;
    case th_keyPairs:
        pairs(w);
        break;
    case th_keyObject:
    case th_keyEnd:
        referenceBeside(w, key->table->name);
        break;
    case th_keyObjects:
        arrayOf(w, key->table->name, 0);
        break;
    case th_keyLines:
        mapOfLines(w, key->table->name);
        break;
    case th_keyGoals:
    case th_keyRoadmaps:
    case th_keyProfiles:
    case th_keyAreas:
        mapOf(w, key->table->name);
        break;
    case th_keyMethod:
        methods(w, (thMethodKind)key->choice);
        break;
    case th_keyGoal:
        goal(w, key);
        break;
    case th_keyReferences:
        names(w);
        break;
    }
    fallback(w, key);
}

// {"required": ["disc", "radius"]}
static void choice(thJsonWriter* w, const thKeyTable* table, const thSceneKey* chosen)
{
    beginShort(w, NULL);
    beginList(w, "required", true);
    thiWriteString(w, chosen->name);
    for (int32_t i = 0; i < table->keyCount; ++i) {
        const thSceneKey* key = &table->keys[i];
        if (key->required && key->with != NULL && strcmp(key->with, chosen->name) == 0)
            thiWriteString(w, key->name);
    }
    endList(w);
    end(w);
}

static void choices(thJsonWriter* w, const thKeyTable* table, int32_t group)
{
    begin(w, NULL);
    beginList(w, "oneOf", false);
    for (int32_t i = 0; i < table->keyCount; ++i)
        if (table->keys[i].group == group)
            choice(w, table, &table->keys[i]);
    endList(w);
    end(w);
}

static bool hasGroup(const thKeyTable* table, int32_t group)
{
    for (int32_t i = 0; i < table->keyCount; ++i)
        if (table->keys[i].group == group)
            return true;
    return false;
}

static void conditions(thJsonWriter* w, const thKeyTable* table)
{
    beginList(w, "required", true);
    for (int32_t i = 0; i < table->keyCount; ++i)
        if (table->keys[i].required && table->keys[i].with == NULL)
            thiWriteString(w, table->keys[i].name);
    endList(w);
    if (!hasGroup(table, 1))
        return;
    beginList(w, "allOf", false);
    for (int32_t group = 1; hasGroup(table, group); ++group)
        choices(w, table, group);
    endList(w);
    begin(w, "dependencies");
    for (int32_t i = 0; i < table->keyCount; ++i) {
        if (table->keys[i].with == NULL)
            continue;
        beginList(w, table->keys[i].name, true);
        thiWriteString(w, table->keys[i].with);
        endList(w);
    }
    end(w);
}

static void object(thJsonWriter* w, const thKeyTable* table)
{
    begin(w, table->name);
    text(w, "description", table->about);
    text(w, "type", "object");
    begin(w, "properties");
    for (int32_t i = 0; i < table->keyCount; ++i) {
        const thSceneKey* key = &table->keys[i];
        begin(w, key->name);
        describe(w, key->about, key->unit);
        value(w, key);
        end(w);
    }
    end(w);
    thiWriteKey(w, "additionalProperties");
    thiWriteBool(w, false);
    conditions(w, table);
    end(w);
}

static void schema(thJsonWriter* w)
{
    begin(w, NULL);
    text(w, "$schema", "http://json-schema.org/draft-07/schema#");
    text(w, "title", "throng scene");
    text(w, "description",
         "Made by tests/scene/scene_reference from the tables of the reader; see docs/scenes.md.");
    referenceBeside(w, thiSceneTable.name);
    begin(w, "definitions");
    begin(w, "name");
    text(w, "type", "string");
    number(w, "minLength", 1);
    number(w, "maxLength", TH_SCENE_NAME);
    end(w);
    begin(w, "point");
    text(w, "description", "[x, y], east and north. [m]");
    pairOf(w, &(thSceneKey){.name = NULL});
    end(w);
    begin(w, "segment");
    text(w, "description", "Two points.");
    arrayOf(w, "point", 2);
    number(w, "maxItems", 2);
    end(w);
    for (const thKeyTable* const* table = listTables(); *table != NULL; ++table)
        object(w, *table);
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
