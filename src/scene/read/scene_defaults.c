// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a struct of the model is where the file says nothing: set it, and recognise it.

#include "scene/read/scene_read.h"

#include <math.h>
#include <string.h>

static void setDefault(const thField* field, void* target)
{
    const double number = field->fallback;
    const double pair[2] = {number, number};
    switch (field->kind) {
    case th_fieldNumber:
        memcpy(target, &number, sizeof number);
        break;
    case th_fieldVector:
    case th_fieldPoint:
        memcpy(target, pair, sizeof pair);
        break;
    case th_fieldWhole:
    case th_fieldWord:
    case th_fieldGoal:
        memcpy(target, &(int32_t){(int32_t)number}, sizeof(int32_t));
        break;
    case th_fieldCount:
        memcpy(target, &(int64_t){(int64_t)number}, sizeof(int64_t));
        break;
    case th_fieldBits:
        memcpy(target, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
        break;
    case th_fieldBool:
    case th_fieldTwoWords:
        memcpy(target, &(bool){number != 0.0}, sizeof(bool));
        break;
    case th_fieldText:
        memcpy(target, &(const char*){""}, sizeof(const char*));
        break;
    case th_fieldDraw:
        memcpy(target, &(thDraw){.kind = th_drawFixed, .a = number}, sizeof(thDraw));
        break;
    case th_fieldMethod:
        memcpy(target, &(thSceneMethod){.name = field->fallbackText}, sizeof(thSceneMethod));
        break;
    case th_fieldRecord:
        thiSetDefaults(field->record, target);
        break;
    case th_fieldEnd:
        thiSetDefaults(field->record, target);
        ((thScene*)target)->endAt = TH_DEFAULT_END;
        ((thScene*)target)->endArrived = true;
        break;
    default: // nothing there: zeros
        break;
    }
}

void thiSetDefaults(const thRecord* record, void* target)
{
    for (int32_t i = 0; i < record->fieldCount; ++i) {
        const thField* field = &record->fields[i];
        // Choices that were not taken may share their place with the one that was.
        if (field->group == 0)
            setDefault(field, (char*)target + field->offset);
    }
}

const void* thiListAt(const void* place, int32_t* count)
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
           thiIsDefaultRecord(scene, &thiProfileRecord, profile);
}

int32_t thiNamedGoalCount(const thScene* scene)
{
    int32_t count = 0;
    while (count < scene->goalCount && scene->goals[count].name != NULL)
        ++count;
    return count;
}

int32_t thiLineCount(const thScene* scene)
{
    int32_t count = 0;
    while (count < scene->gaugeCount && scene->gauges[count].isLine)
        ++count;
    return count;
}

bool thiIsDefault(const thScene* scene, const thField* field, const void* place)
{
    const double fallback = field->fallback;
    const double* numbers = place;
    const thDraw* draw = place;
    const thSceneMethod* method = place;
    const char* text;
    int32_t count;
    switch (field->kind) {
    case th_fieldNumber:
        return isSame(*numbers, fallback);
    case th_fieldVector:
    case th_fieldPoint:
        return isSame(numbers[0], fallback) && isSame(numbers[1], fallback);
    case th_fieldWhole:
    case th_fieldWord:
    case th_fieldGoal:
        return *(const int32_t*)place == (int32_t)fallback;
    case th_fieldCount:
        return *(const int64_t*)place == (int64_t)fallback;
    case th_fieldBits:
        return *(const uint32_t*)place == (uint32_t)fallback;
    case th_fieldBool:
    case th_fieldTwoWords:
        return *(const bool*)place == (fallback != 0.0);
    case th_fieldText:
    case th_fieldName:
        memcpy(&text, place, sizeof text);
        return text == NULL || (field->kind == th_fieldText && text[0] == '\0');
    case th_fieldDraw:
        return draw->kind == th_drawFixed && draw->a == fallback;
    case th_fieldMethod:
        return method->params == NULL && strcmp(method->name, field->fallbackText) == 0;
    case th_fieldShapeBox:
        return ((const thShape*)place)->points.count == 0;
    case th_fieldBody:
    case th_fieldIntervals:
    case th_fieldPairs:
    case th_fieldRecords:
        return thiListAt(place, &count), count == 0;
    case th_fieldRecord:
        return thiIsDefaultRecord(scene, field->record, place);
    case th_fieldEnd:
        return scene->endAt == TH_DEFAULT_END && scene->endSteps < 0 && scene->endArrived;
    case th_fieldGoals:
        return thiNamedGoalCount(scene) == 0;
    case th_fieldRoadmaps:
        return scene->roadmapCount == 0;
    case th_fieldProfiles:
        return isDefaultProfiles(scene);
    case th_fieldProfile:
        return scene->profileCount == 1;
    case th_fieldLines:
        return thiLineCount(scene) == 0;
    case th_fieldAreas:
        return thiLineCount(scene) == scene->gaugeCount;
    default:
        return false;
    }
}

bool thiIsDefaultRecord(const thScene* scene, const thRecord* record, const void* source)
{
    for (int32_t i = 0; i < record->fieldCount; ++i) {
        const thField* field = &record->fields[i];
        if (!thiIsDefault(scene, field, (const char*)source + field->offset))
            return false;
    }
    return true;
}
