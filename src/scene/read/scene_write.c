// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A scene as text, by the same tables that read it. What is at its default is left out.

#include "base/machine.h"
#include "scene/read/scene_read.h"
#include "scene/scene_draw.h"
#include "scene/scene_presets.h"

#include <math.h>
#include <string.h>

// What is at its default.

static bool isDefaultObject(const thScene* scene, const thKeyTable* table, const void* source);

// A pointer and a count, as lists are kept.
static const void* listAt(const void* place, int32_t* count)
{
    const void* items;
    memcpy(&items, place, sizeof items);
    memcpy(count, (const char*)place + sizeof items, sizeof *count);
    return items;
}

static bool isSame(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool isDefaultProfiles(const thScene* scene)
{
    const thSceneProfile* profile = scene->profiles;
    return scene->profileCount == 1 && strcmp(profile->name, TH_DEFAULT_PROFILE) == 0 &&
           isDefaultObject(scene, &thiProfileTable, profile);
}

// Goals with names come first.
static int32_t namedGoalCount(const thScene* scene)
{
    int32_t count = 0;
    while (count < scene->goalCount && scene->goals[count].name != NULL)
        ++count;
    return count;
}

static bool isDefault(const thScene* scene, const thSceneKey* key, const void* place)
{
    const double fallback = key->fallback;
    const double* numbers = place;
    const thDraw* draw = place;
    const thSceneMethod* method = place;
    const char* text;
    int32_t count;
    switch (key->kind) {
    case th_keyNumber:
        return isSame(*numbers, fallback);
    case th_keyVector:
    case th_keyPoint:
        return isSame(numbers[0], fallback) && isSame(numbers[1], fallback);
    case th_keyWhole:
    case th_keyWord:
    case th_keyGoal:
        return *(const int32_t*)place == (int32_t)fallback;
    case th_keyCount:
        return *(const int64_t*)place == (int64_t)fallback;
    case th_keyBits:
        return *(const uint32_t*)place == (uint32_t)fallback;
    case th_keyBool:
    case th_keyTwoWords:
        return *(const bool*)place == (fallback != 0.0);
    case th_keyText:
    case th_keyName:
        memcpy(&text, place, sizeof text);
        return text == NULL || (key->kind == th_keyText && text[0] == '\0');
    case th_keyDraw:
        return draw->kind == th_drawFixed && draw->a == fallback;
    case th_keyPreset:
        return *(const thScenePreset* const*)place == NULL;
    case th_keyMethod:
        return method->params == NULL && strcmp(method->name, key->fallbackText) == 0;
    case th_keyShapeBox:
        return ((const thShape*)place)->points.count == 0;
    case th_keyBody:
    case th_keyIntervals:
    case th_keyPairs:
    case th_keyObjects:
        return listAt(place, &count), count == 0;
    case th_keyObject:
        return isDefaultObject(scene, key->table, place);
    case th_keyPeople:
        return fallback != 0.0 ? *numbers == 0.0 : isDefaultObject(scene, key->table, place);
    case th_keyEnd:
        return scene->endAt == TH_DEFAULT_END && scene->endSteps < 0 && scene->endArrived;
    case th_keyGoals:
        return namedGoalCount(scene) == 0;
    case th_keyRoadmaps:
        return scene->roadmapCount == 0;
    case th_keyProfiles:
        return isDefaultProfiles(scene);
    case th_keyProfile:
        return scene->profileCount == 1;
    case th_keyLines:
        return thiLineCount(scene) == 0;
    case th_keyAreas:
        return thiLineCount(scene) == scene->gaugeCount;
    default:
        return false;
    }
}

static bool isDefaultObject(const thScene* scene, const thKeyTable* table, const void* source)
{
    for (int32_t i = 0; i < table->keyCount; ++i) {
        const thSceneKey* key = &table->keys[i];
        if (!isDefault(scene, key, (const char*)source + key->offset))
            return false;
    }
    return true;
}

// Writing.

typedef struct Output {
    const thScene* scene;
    thJsonWriter writer;
} Output;

static void writeObject(Output* out, const thKeyTable* table, const void* source, bool onOneLine);

static const void* placeOf(const thSceneKey* key, const void* source)
{
    return (const char*)source + key->offset;
}

// Whether this is the key of its group that the struct stands for.
static bool isChosen(const thKeyTable* table, const thSceneKey* key, const void* source)
{
    const void* place = placeOf(key, source);
    int32_t count, choice;
    if (table->choiceOffset != TH_NOWHERE) {
        memcpy(&choice, (const char*)source + table->choiceOffset, sizeof choice);
        const bool isShape = key->kind >= th_keyShapePoint && key->kind <= th_keyShapeBox;
        return choice == key->choice &&
               (!isShape || (int32_t)((const thShape*)place)->kind ==
                                (int32_t)key->kind - (int32_t)th_keyShapePoint);
    }
    if (key->kind == th_keyPath || key->kind == th_keyCorners)
        return listAt(place, &count), count > 0;
    // The one that is no list stands for the struct when the list of its group is empty.
    for (int32_t i = 0; i < table->keyCount; ++i) {
        const thSceneKey* other = &table->keys[i];
        if (other->group == key->group && other != key && isChosen(table, other, source))
            return false;
    }
    return true;
}

// What the preset of a profile gives for a key; NULL: nothing.
static const thDraw* givenByPreset(const thSceneKey* key, const thSceneProfile* profile,
                                   thDraw* radius)
{
    const thScenePreset* preset = profile->preset;
    if (preset == NULL || key->kind != th_keyDraw)
        return NULL;
    if (key->offset == (int32_t)offsetof(thSceneProfile, speed))
        return &preset->speed;
    *radius = (thDraw){.kind = th_drawFixed, .a = preset->radius};
    return key->offset == (int32_t)offsetof(thSceneProfile, radius) && preset->radius > 0.0 ? radius
                                                                                            : NULL;
}

static bool isSameDraw(const thDraw* a, const thDraw* b)
{
    return a->kind == b->kind && a->a == b->a && a->b == b->b && a->min == b->min &&
           a->max == b->max && a->table.items == b->table.items;
}

static bool isWritten(const Output* out, const thKeyTable* table, const thSceneKey* key,
                      const void* source)
{
    if (key->group != 0)
        return isChosen(table, key, source);
    if (key->with != NULL && !isChosen(table, &table->keys[thiFindKey(table, key->with)], source))
        return false;
    thDraw radius;
    const thDraw* given = table == &thiProfileTable ? givenByPreset(key, source, &radius) : NULL;
    if (given != NULL)
        return !isSameDraw(placeOf(key, source), given);
    return key->required || !isDefault(out->scene, key, placeOf(key, source));
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

static void writeDraw(Output* out, const thSceneKey* key, const thDraw* draw)
{
    thJsonWriter* writer = &out->writer;
    if (draw->kind == th_drawFixed) {
        thiWriteNumber(writer, draw->a);
        return;
    }
    double min, max;
    thiDefaultDrawRange(draw, key->min, key->max, &min, &max);
    thiWriteBegin(writer, '{', true);
    thiWriteKey(writer, thiDrawName(draw->kind));
    if (draw->kind == th_drawTable)
        writePoints(out, draw->table.items, draw->table.count);
    else
        writePair(out, (const double[]){draw->a, draw->b});
    if (draw->min != min) {
        thiWriteKey(writer, "min");
        thiWriteNumber(writer, draw->min);
    }
    if (draw->max != max) {
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

static void writeMethod(Output* out, const thSceneKey* key, const thSceneMethod* use)
{
    thJsonWriter* writer = &out->writer;
    const thMethod* method = thiSceneMethodOf(out->scene, (thMethodKind)key->choice, use->name);
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

static void writeObjects(Output* out, const thKeyTable* table, const char* items, int32_t count)
{
    thiWriteBegin(&out->writer, '[', false);
    for (int32_t i = 0; i < count; ++i)
        writeObject(out, table, items + (size_t)i * table->size, true);
    thiWriteEnd(&out->writer, ']');
}

// Structs that begin with their names.
static void writeNamed(Output* out, const thKeyTable* table, const void* items, int32_t count)
{
    thiWriteBegin(&out->writer, '{', false);
    for (int32_t i = 0; i < count; ++i) {
        const char* item = (const char*)items + (size_t)i * table->size;
        const char* name;
        memcpy(&name, item, sizeof name);
        thiWriteKey(&out->writer, name);
        writeObject(out, table, item, true);
    }
    thiWriteEnd(&out->writer, '}');
}

// A line of which there is nothing to say but where it is.
static bool isPlainLine(const thSceneGauge* line)
{
    return isinf(line->capacity) && line->level == 0;
}

static void writeGauges(Output* out, const thSceneGauge* gauges, int32_t count)
{
    thiWriteBegin(&out->writer, '{', false);
    for (int32_t i = 0; i < count; ++i) {
        thiWriteKey(&out->writer, gauges[i].name);
        if (gauges[i].isLine && !isPlainLine(&gauges[i]))
            writeObject(out, &thiLineTable, &gauges[i], true);
        else if (gauges[i].isLine)
            writePoints(out, gauges[i].shape.points.items, gauges[i].shape.points.count);
        else
            writeObject(out, &thiRegionTable, &gauges[i].shape, true);
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
        writeObject(out, &thiGoalInPlaceTable, goal, true);
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
static bool holdsNamed(const thKeyTable* table)
{
    return table->keys[0].kind == th_keyLines;
}

static void writeValue(Output* out, const thSceneKey* key, const void* place)
{
    thJsonWriter* writer = &out->writer;
    const thScene* scene = out->scene;
    const thCoords* coords = place;
    int32_t count;
    switch (key->kind) {
    case th_keyVersion:
        thiWriteNumber(writer, 1.0);
        break;
    case th_keyNumber:
        thiWriteNumber(writer, *(const double*)place);
        break;
    case th_keyWhole:
        thiWriteNumber(writer, *(const int32_t*)place);
        break;
    case th_keyCount:
        thiWriteNumber(writer, (double)*(const int64_t*)place);
        break;
    case th_keyBits:
        thiWriteNumber(writer, *(const uint32_t*)place);
        break;
    case th_keyBool:
        thiWriteBool(writer, *(const bool*)place);
        break;
    case th_keyText:
    case th_keyName:
    case th_keyFile:
        writeText(out, place);
        break;
    case th_keyWord:
        thiWriteString(writer, key->words[*(const int32_t*)place]);
        break;
    case th_keyTwoWords:
        thiWriteString(writer, key->words[*(const bool*)place]);
        break;
    case th_keyDraw:
        writeDraw(out, key, place);
        break;
    case th_keyPreset:
        thiWriteString(writer, (*(const thScenePreset* const*)place)->name);
        break;
    case th_keyVector:
        writePair(out, place);
        break;
    case th_keySpacing:
        writeSpacing(out, place);
        break;
    case th_keyPoint:
        writePoint(out, *(const thCoord*)place);
        break;
    case th_keyPlaces:
        writePlaces(out, place);
        break;
    case th_keyPath:
    case th_keyCorners:
    case th_keyBody:
        writePoints(out, coords->items, coords->count);
        break;
    case th_keySegment:
        writePoints(out, place, 2);
        break;
    case th_keyShapePoint:
    case th_keyShapeDisc:
    case th_keyShapeSegment:
    case th_keyShapePolygon:
    case th_keyShapeBox:
        writeShape(out, place);
        break;
    case th_keyIntervals: {
        const double* ends = listAt(place, &count);
        writeIntervals(out, ends, count);
        break;
    }
    case th_keyNodes:
        writeNodes(out, coords->items, coords->count);
        break;
    case th_keyPairs: {
        const int32_t* pairs = listAt(place, &count);
        writeWholes(out, pairs, count);
        break;
    }
    case th_keyObject:
    case th_keyEnd:
        writeObject(out, key->table, place, !holdsNamed(key->table));
        break;
    case th_keyObjects: {
        const void* items = listAt(place, &count);
        writeObjects(out, key->table, items, count);
        break;
    }
    case th_keyGoals:
        writeNamed(out, key->table, scene->goals, namedGoalCount(scene));
        break;
    case th_keyRoadmaps:
        writeNamed(out, key->table, scene->roadmaps, scene->roadmapCount);
        break;
    case th_keyProfiles:
        writeNamed(out, key->table, scene->profiles, scene->profileCount);
        break;
    case th_keyLines:
        writeGauges(out, scene->gauges, thiLineCount(scene));
        break;
    case th_keyAreas:
        count = thiLineCount(scene);
        writeGauges(out, scene->gauges + count, scene->gaugeCount - count);
        break;
    case th_keyMethod:
        writeMethod(out, key, place);
        break;
    case th_keyPeople:
        if (*(const double*)place > 0.0)
            writeObject(out, key->table, place, true);
        else
            thiWriteString(writer, key->words[1]);
        break;
    case th_keyProfile:
        thiWriteString(writer, scene->profiles[*(const int32_t*)place].name);
        break;
    case th_keyGoal:
        writeGoal(out, *(const int32_t*)place);
        break;
    case th_keyReferences: {
        const int32_t* goals = listAt(place, &count);
        writeReferences(out, goals, count);
        break;
    }
    }
}

static void writeObject(Output* out, const thKeyTable* table, const void* source, bool onOneLine)
{
    thiWriteBegin(&out->writer, '{', onOneLine);
    for (int32_t i = 0; i < table->keyCount; ++i) {
        const thSceneKey* key = &table->keys[i];
        if (!isWritten(out, table, key, source))
            continue;
        thiWriteKey(&out->writer, key->name);
        writeValue(out, key, placeOf(key, source));
    }
    thiWriteEnd(&out->writer, '}');
}

thResult thScene_Write(const thScene* scene, char* buffer, size_t capacity, size_t* size)
{
    TH_REQUIRE(scene != NULL && size != NULL, th_resultBadArgument);
    Output out = {.scene = scene, .writer = {.buffer = buffer, .capacity = capacity}};
    const thFpEnvironment hostEnvironment = thiFpEnter();
    writeObject(&out, &thiSceneTable, scene, false);
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
