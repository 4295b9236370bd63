// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What has a name in a scene file (goals, profiles, roadmaps, lines and areas) and what refers to
// it. What has a name has the index it has in its object, so references need no second pass.

#include "scene/read/scene_read.h"
#include "throng/survey.h"

#include <math.h>
#include <string.h>

// The world takes 65536; each may become one for each kind of arrival.
#define MOST_PROFILES 20000

// Goals. One that has an error counts as a shape, which may be referred to from anywhere.

static const thSceneGoal* goalAt(const thSceneReader* reader, int32_t index)
{
    return &TH_ITEMS(reader->allGoals, thSceneGoal)[index];
}

static bool addGoal(thSceneReader* reader, const thSceneGoal* goal)
{
    thSceneGoal* added = thiArrayAdd(&reader->allGoals, 1);
    if (added == NULL)
        reader->noMemory = true;
    else
        *added = *goal;
    return added != NULL;
}

static bool findGoal(thSceneReader* reader, const thJson* value, int32_t* index)
{
    const thJson* member = reader->goals != NULL ? thiJsonMember(reader->goals, value->text) : NULL;
    *index = member != NULL ? member->index : -1;
    if (member != NULL)
        return true;
    return reader->goalsKnown ? thiUnknownMember(reader, value, "goal", reader->goals) : false;
}

// Names of goals: a pointer to their indices and a count.
static bool readReferences(thSceneReader* reader, const thJson* value, void* target)
{
    if (value->kind != th_jsonArray)
        return thiWrongType(reader, value, "an array of names of goals");
    if (value->count == 0)
        return thiSceneError(reader, value, "needs at least 1 name, has 0");
    int32_t* indices = thiSceneAllocate(reader, value->count, sizeof *indices);
    if (indices == NULL)
        return false;
    bool good = true;
    for (const thJson* item = value->first; item != NULL; item = item->next) {
        if (item->kind != th_jsonString)
            good = thiWrongType(reader, item, "the name of a goal");
        else
            good = findGoal(reader, item, &indices[item->index]) && good;
    }
    memcpy(target, &indices, sizeof indices);
    memcpy((char*)target + sizeof indices, &value->count, sizeof value->count);
    return good;
}

// What a goal is for those that hold it: a shape with copies is the nearest of them.
static thSceneGoalKind kindInOthers(const thSceneGoal* goal)
{
    const bool hasCopies = goal->kind == th_sceneGoalShape && thiCopyCount(&goal->repeat) > 1;
    return hasCopies ? th_sceneGoalNearest : goal->kind;
}

// Lists hold shapes and `nearest`, `nearest` holds shapes; so nothing can hold itself either.
static bool checkReferences(thSceneReader* reader, const thSceneGoal* goal)
{
    static const char* const kinds[] = {"a shape", "a 'nearest'", "a list", "", "an offset"};
    const bool isList = goal->kind == th_sceneGoalList;
    bool good = true;
    if (!isList && goal->kind != th_sceneGoalNearest)
        return true;
    const thJson* item = thiJsonMember(goal->source, isList ? "list" : "nearest")->first;
    for (; item != NULL; item = item->next) {
        const thSceneGoal* other = goalAt(reader, goal->goals[item->index]);
        const thSceneGoalKind kind = kindInOthers(other);
        if (kind == th_sceneGoalShape || (isList && kind == th_sceneGoalNearest))
            continue;
        if (goal->name != NULL && strcmp(other->name, goal->name) == 0)
            good = thiSceneError(reader, item, "'%s' cannot be part of itself", goal->name);
        else
            good =
                thiSceneError(reader, item, "'%s' is %s, expected a shape%s", other->name,
                              kind != other->kind ? "repeated and has several places" : kinds[kind],
                              isList ? " or a 'nearest'" : "");
    }
    return good;
}

static bool readNamedGoal(thSceneReader* reader, const thJson* member, thSceneGoal* goal)
{
    bool good = thiCheckName(reader, member, member->key, true);
    if (strcmp(member->key, TH_GOAL_OPPOSITE) == 0)
        good = thiSceneKeyError(reader, member, "'%s' is no name: it stands for a place by itself",
                                TH_GOAL_OPPOSITE);
    return thiReadObject(reader, &thiGoalTable, member, goal) && good;
}

static bool readGoals(thSceneReader* reader, const thJson* value)
{
    if (value->kind != th_jsonObject)
        return thiWrongType(reader, value, "an object of named goals");
    bool good = true;
    for (const thJson* member = value->first; member != NULL; member = member->next) {
        thSceneGoal goal = {.kind = th_sceneGoalShape};
        if (!readNamedGoal(reader, member, &goal)) {
            goal = (thSceneGoal){.kind = th_sceneGoalShape};
            good = false;
        }
        goal.name = member->key;
        if (!addGoal(reader, &goal))
            return false;
    }
    for (int32_t i = 0; i < reader->allGoals.count; ++i)
        good = checkReferences(reader, goalAt(reader, i)) && good;
    return good;
}

// A name or a goal in place; its index.
static bool readGoal(thSceneReader* reader, const thJson* value, int32_t* index)
{
    thSceneGoal goal = {.kind = th_sceneGoalOpposite, .source = value};
    const bool isText = value->kind == th_jsonString;
    if (isText && strcmp(value->text, TH_GOAL_OPPOSITE) != 0)
        return findGoal(reader, value, index);
    if (!isText && value->kind != th_jsonObject)
        return thiWrongType(reader, value, "a goal or the name of one");
    if (!isText && (!thiReadObject(reader, &thiGoalInPlaceTable, value, &goal) ||
                    !checkReferences(reader, &goal)))
        return false;
    *index = reader->allGoals.count;
    return addGoal(reader, &goal);
}

// Profiles.

static bool readProfiles(thSceneReader* reader, const thJson* value)
{
    if (value->kind != th_jsonObject)
        return thiWrongType(reader, value, "an object of named profiles");
    if (value->count > MOST_PROFILES)
        return thiSceneError(reader, value, "%d profiles, expected at most %d", (int)value->count,
                             MOST_PROFILES);
    thSceneProfile* profiles = thiSceneAllocate(reader, value->count, sizeof *profiles);
    if (profiles == NULL)
        return false;
    bool good = true;
    for (const thJson* member = value->first; member != NULL; member = member->next) {
        thSceneProfile* profile = &profiles[member->index];
        good = thiCheckName(reader, member, member->key, true) && good;
        good = thiReadObject(reader, &thiProfileTable, member, profile) && good;
        profile->name = member->key;
    }
    reader->scene->profiles = profiles;
    reader->scene->profileCount = value->count;
    return good;
}

static bool findProfile(thSceneReader* reader, const thJson* value, int32_t* index)
{
    static const char* const onlyName[] = {TH_DEFAULT_PROFILE};
    const thJson* profiles = reader->profiles;
    if (!reader->profilesKnown)
        return true;
    if (profiles == NULL || profiles->count == 0)
        return strcmp(value->text, TH_DEFAULT_PROFILE) == 0 ||
               thiUnknownName(reader, value, false, "profile", onlyName, 1);
    const thJson* member = thiJsonMember(profiles, value->text);
    if (member == NULL)
        return thiUnknownMember(reader, value, "profile", profiles);
    *index = member->index;
    return true;
}

bool thiReadProfileName(thSceneReader* reader, const thJson* entry, const thJson* value,
                        int32_t* index)
{
    *index = 0;
    if (value == NULL) {
        const int32_t count = reader->profiles != NULL ? reader->profiles->count : 1;
        return count <= 1 ||
               thiSceneError(reader, entry, "needs 'profile', because there are %d of them",
                             (int)count);
    }
    if (value->kind != th_jsonString)
        return thiWrongType(reader, value, "the name of a profile");
    return findProfile(reader, value, index);
}

// Roadmaps.

static bool readRoadmaps(thSceneReader* reader, const thJson* value)
{
    if (value->kind != th_jsonObject)
        return thiWrongType(reader, value, "an object of named roadmaps");
    thSceneRoadmap* roadmaps = thiSceneAllocate(reader, value->count, sizeof *roadmaps);
    if (roadmaps == NULL)
        return false;
    bool good = true;
    for (const thJson* member = value->first; member != NULL; member = member->next) {
        thSceneRoadmap* roadmap = &roadmaps[member->index];
        good = thiCheckName(reader, member, member->key, true) && good;
        good = thiReadObject(reader, &thiRoadmapTable, member, roadmap) && good;
        roadmap->name = member->key;
    }
    reader->scene->roadmaps = roadmaps;
    reader->scene->roadmapCount = value->count;
    return good;
}

// What is measured: lines, then areas.

static bool readGauge(thSceneReader* reader, const thJson* member, thSceneGauge* gauge)
{
    const bool good = thiCheckName(reader, member, member->key, true);
    const thSceneKey line = {.kind = th_keyShapeSegment};
    if (gauge->isLine && member->kind == th_jsonObject)
        return thiReadObject(reader, &thiLineTable, member, gauge) && good;
    if (gauge->isLine)
        return thiReadShapeKind(reader, &line, member, &gauge->shape) && good;
    return thiReadObject(reader, &thiRegionTable, member, &gauge->shape) &&
           thiCheckArea(reader, member, &gauge->shape) && good;
}

static bool readGauges(thSceneReader* reader, const thJson* value, bool areLines)
{
    thScene* scene = reader->scene;
    if (value->kind != th_jsonObject)
        return thiWrongType(reader, value,
                            areLines ? "an object of named lines" : "an object of named areas");
    if (value->count > THRONG_MOST_GAUGES)
        return thiSceneError(reader, value, "%d %s, expected at most %d", (int)value->count,
                             areLines ? "lines" : "areas", THRONG_MOST_GAUGES);
    const int32_t before = scene->gaugeCount;
    thSceneGauge* gauges = thiSceneAllocate(reader, (int64_t)before + value->count, sizeof *gauges);
    if (gauges == NULL)
        return false;
    if (before > 0)
        memcpy(gauges, scene->gauges, (size_t)before * sizeof *gauges);
    bool good = true;
    for (const thJson* member = value->first; member != NULL; member = member->next) {
        thSceneGauge* gauge = &gauges[before + member->index];
        *gauge = (thSceneGauge){
            .name = member->key, .isLine = areLines, .capacity = INFINITY, .source = member};
        good = readGauge(reader, member, gauge) && good;
    }
    scene->gauges = gauges;
    scene->gaugeCount = before + value->count;
    return good;
}

bool thiReadNameKind(thSceneReader* reader, const thSceneKey* key, const thJson* value,
                     void* target)
{
    switch (key->kind) {
    case th_keyGoals:
        return readGoals(reader, value);
    case th_keyRoadmaps:
        return readRoadmaps(reader, value);
    case th_keyProfiles:
        return readProfiles(reader, value);
    case th_keyGoal:
        return readGoal(reader, value, target);
    case th_keyReferences:
        return readReferences(reader, value, target);
    default:
        return readGauges(reader, value, key->kind == th_keyLines);
    }
}

void thiFinishNames(thSceneReader* reader)
{
    thScene* scene = reader->scene;
    const int32_t goalCount = reader->allGoals.count;
    thSceneGoal* goals = thiSceneAllocate(reader, goalCount, sizeof *goals);
    if (goals == NULL)
        return;
    if (goalCount > 0)
        memcpy(goals, reader->allGoals.data, (size_t)goalCount * sizeof *goals);
    scene->goals = goals;
    scene->goalCount = goalCount;
    if (scene->profileCount > 0)
        return;
    thSceneProfile* person = thiSceneAllocate(reader, 1, sizeof *person);
    if (person == NULL)
        return;
    thiSetDefaults(&thiProfileTable, person);
    person->name = TH_DEFAULT_PROFILE;
    scene->profiles = person;
    scene->profileCount = 1;
}
