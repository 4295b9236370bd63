// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Objects of a scene file, read by their tables: which keys there are, and which are missing, too
// many or unknown. A key that is misspelt is told of and then read as the one that was meant, so
// that what is wrong in its value is told as well and nothing is missed that is there.

#include "scene/read/scene_read.h"

#include <string.h>

int32_t thiFindField(const thRecord* record, const char* key)
{
    for (int32_t i = 0; i < record->fieldCount; ++i)
        if (strcmp(record->fields[i].key, key) == 0)
            return i;
    return -1;
}

// What is known of the members of an object while they are sorted.
typedef struct Sorting {
    thSceneReader* reader;
    const thRecord* record;
    thMembers* members;
    bool mentioned[TH_MOST_FIELDS]; // also if it is not in `members`, because others exclude it
} Sorting;

// The field of that group that was found before, or −1.
static int32_t findRival(const Sorting* sorting, int32_t group)
{
    for (int32_t i = 0; i < sorting->record->fieldCount; ++i)
        if (sorting->record->fields[i].group == group && sorting->members->of[i] != NULL)
            return i;
    return -1;
}

static void takeMember(Sorting* sorting, const thJson* member, int32_t index)
{
    const thField* field = &sorting->record->fields[index];
    const int32_t rival = field->group != 0 ? findRival(sorting, field->group) : -1;
    sorting->mentioned[index] = true;
    if (rival >= 0)
        thiSceneKeyError(sorting->reader, member, "'%s' and '%s' exclude each other", field->key,
                         sorting->record->fields[rival].key);
    else
        sorting->members->of[index] = member;
}

static void guessMember(Sorting* sorting, const thJson* member)
{
    const thRecord* record = sorting->record;
    const char* names[TH_MOST_FIELDS];
    int32_t count = 0;
    // Whoever changes a scene from outside may well mean a key that is in it.
    const bool isChange = member->keyLine == 0;
    for (int32_t i = 0; i < record->fieldCount; ++i)
        if (isChange || !sorting->mentioned[i])
            names[count++] = record->fields[i].key;
    const char* meant = thiUnknownKey(sorting->reader, member, names, count);
    const int32_t index = meant != NULL ? thiFindField(record, meant) : -1;
    if (index < 0)
        sorting->members->unexplained = true;
    else if (!sorting->mentioned[index])
        takeMember(sorting, member, index);
}

// Whether a key of that group was found; then those that are none of it are not missing.
static bool isDecided(const Sorting* sorting, int32_t group)
{
    for (int32_t i = 0; i < sorting->record->fieldCount; ++i)
        if (sorting->record->fields[i].group == group && sorting->mentioned[i])
            return true;
    return false;
}

static void requireWith(const Sorting* sorting)
{
    for (int32_t i = 0; i < sorting->record->fieldCount; ++i) {
        const thField* field = &sorting->record->fields[i];
        if (sorting->members->of[i] == NULL || field->with == NULL)
            continue;
        const int32_t with = thiFindField(sorting->record, field->with);
        // Where none of the group is there, that is told already.
        if (!sorting->mentioned[with] && isDecided(sorting, sorting->record->fields[with].group))
            thiSceneKeyError(sorting->reader, sorting->members->of[i], "only goes with '%s'",
                             field->with);
    }
}

static void requireFields(const Sorting* sorting, const thJson* object)
{
    const thRecord* record = sorting->record;
    const char* keys[TH_MOST_FIELDS];
    char names[256];
    int32_t count = 0;
    for (int32_t i = 0; i < record->fieldCount; ++i) {
        const thField* field = &record->fields[i];
        const bool isNeeded = field->required && !sorting->mentioned[i] &&
                              (field->with == NULL ||
                               sorting->members->of[thiFindField(record, field->with)] != NULL);
        if (isNeeded && field->kind == th_fieldVersion)
            thiSceneError(sorting->reader, object, "needs \"%s\": 1, the version of the format",
                          field->key);
        else if (isNeeded)
            keys[count++] = field->key;
    }
    if (count > 0)
        thiSceneError(sorting->reader, object, "needs %s",
                      thiJoinNames(keys, count, names, sizeof names));
}

static void requireGroup(const Sorting* sorting, const thJson* object, int32_t group)
{
    const char* keys[TH_MOST_FIELDS];
    char names[256];
    int32_t count = 0;
    for (int32_t i = 0; i < sorting->record->fieldCount; ++i)
        if (sorting->record->fields[i].group == group)
            keys[count++] = sorting->record->fields[i].key;
    if (count > 0 && !isDecided(sorting, group))
        thiSceneError(sorting->reader, object, "needs one of: %s",
                      thiJoinNames(keys, count, names, sizeof names));
}

bool thiReadMembers(thSceneReader* reader, const thRecord* record, const thJson* object,
                    thMembers* members)
{
    const int32_t errorsBefore = reader->sink.count;
    Sorting sorting = {.reader = reader, .record = record, .members = members};
    *members = (thMembers){.unexplained = false};
    TH_ASSERT(record->fieldCount <= TH_MOST_FIELDS);
    if (object->kind != th_jsonObject)
        return thiWrongType(reader, object, "an object");
    // Known keys first, so that no guess is one that is there.
    for (const thJson* member = object->first; member != NULL; member = member->next) {
        const int32_t index = thiFindField(record, member->key);
        if (index >= 0)
            takeMember(&sorting, member, index);
    }
    for (const thJson* member = object->first; member != NULL; member = member->next)
        if (thiFindField(record, member->key) < 0)
            guessMember(&sorting, member);
    if (!members->unexplained) {
        requireWith(&sorting);
        requireFields(&sorting, object);
        requireGroup(&sorting, object, 1);
        requireGroup(&sorting, object, 2);
    }
    return reader->sink.count == errorsBefore;
}

static bool readFields(thSceneReader* reader, const thRecord* record, const thMembers* members,
                       const thJson* object, void* target)
{
    bool good = true;
    for (int32_t i = 0; i < record->fieldCount && !reader->noMemory; ++i) {
        const thField* field = &record->fields[i];
        const thJson* member = members->of[i];
        void* place = (char*)target + field->offset;
        if (field->kind == th_fieldProfile && !members->unexplained)
            good = thiReadProfileName(reader, object, member, place) && good;
        else if (member != NULL)
            good = thiReadValue(reader, field, member, place) && good;
        if (member != NULL && field->group == 1 && record->choiceOffset != TH_NOWHERE)
            memcpy((char*)target + record->choiceOffset, &field->choice, sizeof field->choice);
    }
    return good && !reader->noMemory;
}

bool thiReadRecord(thSceneReader* reader, const thRecord* record, const thJson* object,
                   void* target)
{
    thMembers members;
    thiSetDefaults(record, target);
    if (record->sourceOffset != TH_NOWHERE)
        memcpy((char*)target + record->sourceOffset, &object, sizeof object);
    bool good = thiReadMembers(reader, record, object, &members);
    if (object->kind != th_jsonObject)
        return false;
    good = readFields(reader, record, &members, object, target) && good;
    if (record->check == NULL || reader->noMemory)
        return good;
    const int32_t errorsBefore = reader->sink.count;
    record->check(reader, object, target, good);
    return good && reader->sink.count == errorsBefore;
}

static void checkTotal(thSceneReader* reader, const thJson* agents)
{
    int64_t total = 0;
    for (int32_t i = 0; i < reader->scene->agentsCount; ++i) {
        const thSceneAgents* entry = &reader->scene->agents[i];
        total += entry->place.kind != th_placeSource
                     ? entry->place.count * thiCopyCount(&entry->repeat)
                     : 0;
    }
    if (total > TH_SCENE_AGENTS)
        thiSceneError(reader, agents, "%lld agents in all, expected at most %lld", (long long)total,
                      (long long)TH_SCENE_AGENTS);
}

static bool isOrigin(const thJson* value, const thField* range)
{
    if (value->kind != th_jsonArray || value->count != 2)
        return false;
    for (const thJson* item = value->first; item != NULL; item = item->next)
        if (item->kind != th_jsonNumber || item->number < range->min || item->number > range->max)
            return false;
    return true;
}

// Whether the origin is as it was read. Under a key that nobody knows there may be another.
static bool isOriginKnown(const thJson* root, const thMembers* members)
{
    const int32_t index = thiFindField(&thiSceneRecord, "origin");
    const thField* field = &thiSceneRecord.fields[index];
    if (members->of[index] != NULL)
        return isOrigin(members->of[index], field);
    for (const thJson* member = root->first; member != NULL; member = member->next)
        if (thiFindField(&thiSceneRecord, member->key) < 0 && isOrigin(member, field))
            return false;
    return true;
}

// A member of the root that others refer to. `*known` is whether what is in it is all there is.
static const thJson* findNames(const thMembers* members, const char* key, bool* known)
{
    const thJson* object = members->of[thiFindField(&thiSceneRecord, key)];
    *known = object != NULL ? object->kind == th_jsonObject : !members->unexplained;
    return *known ? object : NULL;
}

static bool isOtherVersion(thSceneReader* reader, const thJson* root)
{
    const thJson* version = root->kind == th_jsonObject ? thiJsonMember(root, "throng") : NULL;
    if (version == NULL || version->kind != th_jsonNumber || version->number == 1.0)
        return false;
    thiReportAt(&reader->sink, th_resultVersion, version,
                "the scene is of format %.20s, this program reads format 1", version->text);
    return true;
}

void thiReadScene(thSceneReader* reader, const thJson* root)
{
    thScene* scene = reader->scene;
    thMembers members;
    if (isOtherVersion(reader, root))
        return; // all else may be different too
    thiSetDefaults(&thiSceneRecord, scene);
    (void)thiReadMembers(reader, &thiSceneRecord, root, &members);
    if (root->kind != th_jsonObject)
        return;
    reader->originKnown = isOriginKnown(root, &members);
    reader->goals = findNames(&members, "goals", &reader->goalsKnown);
    reader->profiles = findNames(&members, "profiles", &reader->profilesKnown);
    reader->roadmaps = findNames(&members, "roadmaps", &reader->roadmapsKnown);
    const bool good = readFields(reader, &thiSceneRecord, &members, root, scene);
    const int32_t agentsAt = thiFindField(&thiSceneRecord, "agents");
    if (good && members.of[agentsAt] != NULL)
        checkTotal(reader, members.of[agentsAt]);
    if (!reader->noMemory)
        thiFinishNames(reader);
}
