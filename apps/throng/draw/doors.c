// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Finds walls that come and go, in what a recording tells and in its scene.

#include "draw/doors.h"

#include "recording/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/scene.h>

// Rooms are ground, and movers and goals are drawn as what they are.
static bool mayBeDoor(const thRecordedShape* shape)
{
    return shape->kind == th_shapeWall || shape->kind == th_shapeSolid;
}

static int compareNumbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int compareShapes(const thRecordedShape* a, const thRecordedShape* b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    if (a->pointCount != b->pointCount)
        return a->pointCount < b->pointCount ? -1 : 1;
    int order = 0;
    for (int32_t i = 0; order == 0 && i < a->pointCount; ++i) {
        order = compareNumbers(a->points[i].x, b->points[i].x);
        if (order == 0)
            order = compareNumbers(a->points[i].y, b->points[i].y);
    }
    return order;
}

static int compareItems(const void* a, const void* b)
{
    return compareShapes(*(const thRecordedShape* const*)a, *(const thRecordedShape* const*)b);
}

bool appHasShape(const thRecordedShape* shapes, int32_t count, const thRecordedShape* shape)
{
    for (int32_t i = 0; i < count; ++i)
        if (compareShapes(&shapes[i], shape) == 0)
            return true;
    return false;
}

// How many of them come before a shape.
static int32_t findDoor(const Doors* doors, const thRecordedShape* shape)
{
    int32_t low = 0, high = doors->count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (compareShapes(doors->items[middle], shape) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool appIsDoor(const Doors* doors, const thRecordedShape* shape)
{
    const int32_t at = findDoor(doors, shape);
    return at < doors->count && compareShapes(doors->items[at], shape) == 0;
}

static bool addDoor(Doors* doors, const thRecordedShape* shape)
{
    if (appIsDoor(doors, shape))
        return true;
    if (doors->count == doors->capacity) {
        const int32_t capacity = doors->capacity > 0 ? 2 * doors->capacity : 8;
        thRecordedShape** grown =
            realloc(doors->items, (size_t)capacity * sizeof(thRecordedShape*));
        if (grown == NULL)
            return false;
        doors->items = grown;
        doors->capacity = capacity;
    }
    thRecordedShape* copy = appCopyShapes(shape, 1);
    if (copy == NULL)
        return false;
    const int32_t at = findDoor(doors, shape);
    for (int32_t i = doors->count++; i > at; --i)
        doors->items[i] = doors->items[i - 1];
    doors->items[at] = copy;
    return true;
}

static void forgetDoors(Doors* doors)
{
    for (int32_t i = 0; i < doors->count; ++i)
        free(doors->items[i]);
    doors->count = 0;
}

static bool keepShapes(Doors* doors, const thRecordedShape* shapes, int32_t count)
{
    thRecordedShape* copies = appCopyShapes(shapes, count);
    if (copies == NULL)
        return false;
    free(doors->last);
    doors->last = copies;
    doors->lastCount = count;
    doors->isBegun = true;
    doors->isDoubted = false;
    return true;
}

// --- What differs between two lists ---

// Walls of a list, in an order of their own.
typedef struct Walls {
    const thRecordedShape** items;
    int32_t count;
} Walls;

static bool collectWalls(Walls* walls, const thRecordedShape* shapes, int32_t count)
{
    *walls = (Walls){.items = malloc(((size_t)count + 1) * sizeof(thRecordedShape*))};
    if (walls->items == NULL)
        return false;
    for (int32_t i = 0; i < count; ++i)
        if (mayBeDoor(&shapes[i]))
            walls->items[walls->count++] = &shapes[i];
    qsort(walls->items, (size_t)walls->count, sizeof(thRecordedShape*), compareItems);
    return true;
}

// Those of the one list that are not in the other become doors; with NULL they are only counted.
// Returns how many there are; −1: no memory.
static int32_t findMissing(const Walls* walls, const Walls* others, Doors* doors)
{
    int32_t count = 0;
    for (int32_t i = 0, k = 0; i < walls->count; ++i) {
        while (k < others->count && compareShapes(others->items[k], walls->items[i]) < 0)
            ++k;
        if (k < others->count && compareShapes(others->items[k], walls->items[i]) == 0)
            continue;
        count += 1;
        if (doors != NULL && !addDoor(doors, walls->items[i]))
            return -1;
    }
    return count;
}

// As it is in most frames, in which only movers have moved.
static bool areSameWalls(const Doors* doors, const thRecordedShape* shapes, int32_t count)
{
    int32_t k = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (!mayBeDoor(&shapes[i]))
            continue;
        while (k < doors->lastCount && !mayBeDoor(&doors->last[k]))
            ++k;
        if (k == doors->lastCount || compareShapes(&doors->last[k++], &shapes[i]) != 0)
            return false;
    }
    while (k < doors->lastCount && !mayBeDoor(&doors->last[k]))
        ++k;
    return k == doors->lastCount;
}

static bool compareWalls(Doors* doors, const Walls* before, const Walls* now)
{
    if (doors->isDoubted && findMissing(before, now, NULL) > 0) {
        forgetDoors(doors);
        return true;
    }
    return findMissing(before, now, doors) >= 0 && findMissing(now, before, doors) >= 0;
}

bool appNoteDoors(Doors* doors, const thRecordedShape* shapes, int32_t count)
{
    if (!doors->isBegun)
        return keepShapes(doors, shapes, count);
    if (areSameWalls(doors, shapes, count)) {
        doors->isDoubted = false;
        return true;
    }
    Walls before = {0}, now = {0};
    const bool good = collectWalls(&before, doors->last, doors->lastCount) &&
                      collectWalls(&now, shapes, count) && compareWalls(doors, &before, &now);
    free(before.items);
    free(now.items);
    return good && keepShapes(doors, shapes, count);
}

void appFreeDoors(Doors* doors)
{
    forgetDoors(doors);
    free(doors->items);
    free(doors->last);
    *doors = (Doors){0};
}

// --- The doors of a scene ---

// The doors of a scene: what stands when all of them are shut, and not without them. So it is built
// twice more, without people.

static bool noteWalls(Doors* doors, const thRun* run)
{
    const thRecorderDef def = thDefaultRecorderDef();
    thRecorder* recorder = NULL;
    thRecording frame;
    const bool good = thCreateRecorder(&def, run, &recorder) == th_resultOk &&
                      thRecorder_Take(recorder, 0, &frame) == th_resultOk &&
                      appNoteDoors(doors, frame.shapes, frame.shapeCount);
    thDestroyRecorder(recorder);
    return good;
}

static bool buildScene(Doors* doors, const char* text, const char* const* changes, int32_t count)
{
    thSceneDef def = thDefaultSceneDef();
    def.text = text;
    def.textSize = strlen(text);
    def.changes = changes;
    def.changeCount = count;
    thScene* scene = NULL;
    thRun* run = NULL;
    thRunDef runDef = thDefaultRunDef();
    runDef.withoutAgents = 1;
    const bool good = thLoadScene(&def, &scene) == th_resultOk &&
                      thCreateRun(scene, &runDef, &run) == th_resultOk && noteWalls(doors, run);
    thDestroyRun(run);
    thDestroyScene(scene);
    return good;
}

// The objects in the array of that name; texts of scenes have doors before whatever else may be
// called so.
static int32_t countDoors(const char* text)
{
    static const char key[] = "\"doors\": [";
    const char* at = strstr(text, key);
    int32_t count = 0, depth = 1;
    if (at == NULL)
        return 0;
    for (at += sizeof key - 1; *at != '\0' && depth > 0; ++at) {
        count += *at == '{' && depth == 1;
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    }
    return count;
}

enum { changeSize = 32 };

static bool buildShut(Doors* doors, const char* text, int32_t count)
{
    char(*texts)[changeSize] = malloc((size_t)count * sizeof *texts);
    const char** changes = malloc((size_t)count * sizeof(const char*));
    bool good = texts != NULL && changes != NULL;
    for (int32_t i = 0; good && i < count; ++i) {
        snprintf(texts[i], changeSize, "doors[%d].open=[]", (int)i);
        changes[i] = texts[i];
    }
    good = good && buildScene(doors, text, changes, count);
    free(texts);
    free(changes);
    return good;
}

// What fails here is no reason not to draw: doors are then found when they move.
void appBeginDoors(Doors* doors, const char* sceneText)
{
    static const char* const without = "doors=[]";
    const int32_t count = sceneText != NULL ? countDoors(sceneText) : 0;
    *doors = (Doors){0};
    if (count > 0 && buildShut(doors, sceneText, count) &&
        buildScene(doors, sceneText, &without, 1))
        doors->isDoubted = true;
    else
        appFreeDoors(doors);
}
