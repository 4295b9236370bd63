// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The tables of the reference page.

#include "scene/reference.h"

#include "base/json/json_number.h"
#include "scene/read/scene_read.h"
#include "scene/scene_presets.h"
#include "sim/world_internal.h"
#include "throng/preset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TABLES 32

static void addTable(const thKeyTable** tables, int32_t* count, const thKeyTable* table)
{
    for (int32_t i = 0; i < *count; ++i)
        if (tables[i] == table)
            return;
    if (*count + 1 >= MOST_TABLES)
        abort();
    tables[(*count)++] = table;
    for (int32_t i = 0; i < table->keyCount; ++i)
        if (table->keys[i].table != NULL)
            addTable(tables, count, table->keys[i].table);
}

const thKeyTable* const* listTables(void)
{
    static const thKeyTable* tables[MOST_TABLES];
    int32_t count = 0;
    addTable(tables, &count, &thiSceneTable);
    addTable(tables, &count, &thiDrawTable);
    tables[count] = NULL;
    return tables;
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

static const char* kindText(thKeyKind kind)
{
    switch (kind) {
    case th_keyVersion:
        return "1";
    case th_keyNumber:
        return "number";
    case th_keyWhole:
    case th_keyCount:
    case th_keyBits:
        return "whole number";
    case th_keyBool:
        return "`true` or `false`";
    case th_keyText:
        return "text";
    case th_keyName:
    case th_keyProfile:
        return "name";
    case th_keyFile:
        return "name of a file";
    case th_keyWord:
    case th_keyTwoWords:
        return "";
    case th_keyPeople:
        return "";
    case th_keyDraw:
        return "[draw](#a-number-for-each-agent)";
    case th_keyPreset:
        return "[preset](#presets)";
    case th_keyVector:
        return "`[x, y]`";
    case th_keySpacing:
        return "number or `[x, y]`";
    case th_keyPoint:
    case th_keyShapePoint:
    case th_keyShapeDisc:
        return "point";
    case th_keyPlaces:
        return "point or points";
    case th_keyPath:
        return "2 points or more";
    case th_keyCorners:
    case th_keyBody:
    case th_keyShapePolygon:
        return "3 points or more";
    case th_keySegment:
    case th_keyShapeSegment:
    case th_keyShapeBox:
        return "2 points";
    case th_keyIntervals:
        return "array of `[from, to]`";
    case th_keyNodes:
        return "array of points and segments";
    case th_keyPairs:
        return "array of `[a, b]`";
    case th_keyObject:
    case th_keyEnd:
        return "object";
    case th_keyObjects:
        return "array of objects";
    case th_keyGoals:
    case th_keyRoadmaps:
    case th_keyProfiles:
    case th_keyAreas:
        return "object of named objects";
    case th_keyLines:
        return "object of named segments or objects";
    case th_keyMethod:
        return "[method](#methods)";
    case th_keyGoal:
        return "name or goal";
    case th_keyReferences:
        return "array of names";
    }
    return "";
}

static void putDefault(Page* page, const thSceneKey* key)
{
    if (key->required)
        put(page, "needed");
    else if (key->group != 0)
        put(page, "one of these");
    else if (key->kind == th_keyMethod) {
        put(page, "`\"");
        put(page, key->fallbackText);
        put(page, "\"`");
    } else if (key->fallbackText != NULL)
        put(page, key->fallbackText);
    else if (key->words != NULL)
        putWords(page, (const char* const[]){key->words[(int32_t)key->fallback], NULL});
    else if (key->kind == th_keyBool)
        put(page, key->fallback != 0.0 ? "`true`" : "`false`");
    else if (key->kind == th_keyVector)
        put(page, "`[0, 0]`");
    else if (key->kind == th_keyObject)
        put(page, "`{}`");
    else
        putNumber(page, key->fallback);
    if (key->with != NULL) {
        put(page, ", with `");
        put(page, key->with);
        put(page, "`");
    }
}

static void putKey(Page* page, const thSceneKey* key)
{
    put(page, "| `");
    put(page, key->name);
    put(page, "` | ");
    put(page, kindText(key->kind));
    if (key->kind == th_keyPeople) {
        put(page, "[object](#");
        put(page, key->table->name);
        put(page, "), ");
    }
    if (key->words != NULL)
        putWords(page, key->words);
    put(page, " | ");
    putRange(page, key->min, key->max, key->unit);
    put(page, " | ");
    putDefault(page, key);
    put(page, " | ");
    put(page, key->about);
    put(page, " |\n");
}

int32_t firstOwnKey(const thKeyTable* table)
{
    int32_t first = 0;
    for (const thKeyTable* const* other = listTables(); *other != NULL; ++other)
        if ((*other)->keys == table->keys && (*other)->keyCount < table->keyCount)
            first = (*other)->keyCount;
    return first;
}

static void putKeyTable(Page* page, const thKeyTable* table)
{
    put(page, "| key | value | range | default | meaning |\n|---|---|---|---|---|\n");
    for (int32_t i = firstOwnKey(table); i < table->keyCount; ++i)
        putKey(page, &table->keys[i]);
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

// Tables of methods that the page does not have yet come before this line.
static const char newMethodsMark[] = "<!-- parameters of further methods -->\n";

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

char* tableMark(const thKeyTable* table)
{
    return makeMark("keys", table->name);
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

static void putPresets(Page* page)
{
    thPreset preset;
    put(page, "| preset | speed [m/s] | radius [m] | who, and by whom |\n|---|---|---|---|\n");
    for (int32_t i = 0; thGetPreset(i, &preset) != 0; ++i) {
        char speed[64], radius[16] = "";
        if (preset.speeds == th_presetFixed)
            snprintf(speed, sizeof speed, "%g", (double)preset.mean);
        else if (preset.speeds == th_presetNormal)
            snprintf(speed, sizeof speed, "normal, %g ± %g", (double)preset.mean,
                     (double)preset.deviation);
        else
            snprintf(speed, sizeof speed, "%s, %g to %g",
                     preset.speeds == th_presetMixed ? "mixed" : "uniform", (double)preset.min,
                     (double)preset.max);
        if (preset.radius > 0.0f)
            snprintf(radius, sizeof radius, "%g", (double)preset.radius);
        put(page, "| `");
        put(page, preset.name);
        put(page, "` | ");
        put(page, speed);
        put(page, " | ");
        put(page, radius);
        put(page, " | ");
        put(page, preset.about);
        put(page, " |\n");
    }
}

// Puts the table that belongs after a line. False if none does.
static bool putTableAfter(Page* page, const char* line)
{
    static const char presetsMark[] = "<!-- presets -->\n";
    if (strncmp(line, presetsMark, strlen(presetsMark)) == 0) {
        putPresets(page);
        return true;
    }
    for (const thKeyTable* const* table = listTables(); *table != NULL; ++table) {
        if (isMark(line, tableMark(*table))) {
            putKeyTable(page, *table);
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

// Methods that have parameters but no table on the page get one before the line that says so.
static void putNewMethods(Page* page, const char* old)
{
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind) {
        const thMethod* const* method = thiBuiltInMethods((thMethodKind)kind);
        for (; *method != NULL; ++method) {
            char* mark = methodMark(*method);
            if ((*method)->paramCount > 0 && strstr(old, mark) == NULL &&
                strstr(page->items, mark) == NULL) {
                put(page, "Parameters of `");
                put(page, (*method)->name);
                put(page, "`:\n\n");
                put(page, mark);
                putMethod(page, *method);
                put(page, "\n");
            }
            free(mark);
        }
    }
}

char* renewPage(const char* old)
{
    Page page = {.items = NULL};
    const char* const all = old;
    put(&page, "");
    while (*old != '\0') {
        const char* next = nextLine(old);
        if (strncmp(old, newMethodsMark, strlen(newMethodsMark)) == 0)
            putNewMethods(&page, all);
        putBytes(&page, old, (size_t)(next - old));
        if (putTableAfter(&page, old)) {
            while (*next == '|')
                next = nextLine(next);
            if (*next != '\n' && *next != '\0')
                put(&page, "\n"); // otherwise what follows would be a row too
        }
        old = next;
    }
    return page.items;
}
