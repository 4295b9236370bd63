// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Objects and values of a scene file, read by the tables of keys.

#include "scene/read/scene_read.h"
#include "scene/scene_presets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Keys: which there are, and which are missing, too many or unknown. One that is misspelt is told
// of and then read as the one that was meant, so that what is wrong in its value is told as well
// and nothing is missed that is there.

int32_t thiFindKey(const thKeyTable* table, const char* name)
{
    for (int32_t i = 0; i < table->keyCount; ++i)
        if (strcmp(table->keys[i].name, name) == 0)
            return i;
    return -1;
}

// What is known of the members of an object while they are sorted.
typedef struct Sorting {
    thSceneReader* reader;
    const thKeyTable* table;
    thMembers* members;
    bool mentioned[TH_MOST_KEYS]; // also if it is not in `members`, because others exclude it
} Sorting;

// The key of that group that was found before, or −1.
static int32_t findRival(const Sorting* sorting, int32_t group)
{
    for (int32_t i = 0; i < sorting->table->keyCount; ++i)
        if (sorting->table->keys[i].group == group && sorting->members->of[i] != NULL)
            return i;
    return -1;
}

static void takeMember(Sorting* sorting, const thJson* member, int32_t index)
{
    const thSceneKey* key = &sorting->table->keys[index];
    const int32_t rival = key->group != 0 ? findRival(sorting, key->group) : -1;
    sorting->mentioned[index] = true;
    if (rival >= 0)
        thiSceneKeyError(sorting->reader, member, "'%s' and '%s' exclude each other", key->name,
                         sorting->table->keys[rival].name);
    else
        sorting->members->of[index] = member;
}

static void guessMember(Sorting* sorting, const thJson* member)
{
    const thKeyTable* table = sorting->table;
    const char* names[TH_MOST_KEYS];
    int32_t count = 0;
    // Whoever changes a scene from outside may well mean a key that is in it.
    const bool isChange = member->keyLine == 0;
    for (int32_t i = 0; i < table->keyCount; ++i)
        if (isChange || !sorting->mentioned[i])
            names[count++] = table->keys[i].name;
    const char* meant = thiUnknownKey(sorting->reader, member, names, count);
    const int32_t index = meant != NULL ? thiFindKey(table, meant) : -1;
    if (index < 0)
        sorting->members->unexplained = true;
    else if (!sorting->mentioned[index])
        takeMember(sorting, member, index);
}

// Whether a key of that group was found; then those that are none of it are not missing.
static bool isDecided(const Sorting* sorting, int32_t group)
{
    for (int32_t i = 0; i < sorting->table->keyCount; ++i)
        if (sorting->table->keys[i].group == group && sorting->mentioned[i])
            return true;
    return false;
}

static void requireWith(const Sorting* sorting)
{
    for (int32_t i = 0; i < sorting->table->keyCount; ++i) {
        const thSceneKey* key = &sorting->table->keys[i];
        if (sorting->members->of[i] == NULL || key->with == NULL)
            continue;
        const int32_t with = thiFindKey(sorting->table, key->with);
        // Where none of the group is there, that is told already.
        if (!sorting->mentioned[with] && isDecided(sorting, sorting->table->keys[with].group))
            thiSceneKeyError(sorting->reader, sorting->members->of[i], "only goes with '%s'",
                             key->with);
    }
}

static void requireKeys(const Sorting* sorting, const thJson* object)
{
    const thKeyTable* table = sorting->table;
    const char* keys[TH_MOST_KEYS];
    char names[256];
    int32_t count = 0;
    for (int32_t i = 0; i < table->keyCount; ++i) {
        const thSceneKey* key = &table->keys[i];
        const bool isNeeded =
            key->required && !sorting->mentioned[i] &&
            (key->with == NULL || sorting->members->of[thiFindKey(table, key->with)] != NULL);
        if (isNeeded && key->kind == th_keyVersion)
            thiSceneError(sorting->reader, object, "needs \"%s\": 1, the version of the format",
                          key->name);
        else if (isNeeded)
            keys[count++] = key->name;
    }
    if (count > 0)
        thiSceneError(sorting->reader, object, "needs %s",
                      thiJoinNames(keys, count, names, sizeof names));
}

static void requireGroup(const Sorting* sorting, const thJson* object, int32_t group)
{
    const char* keys[TH_MOST_KEYS];
    char names[256];
    int32_t count = 0;
    for (int32_t i = 0; i < sorting->table->keyCount; ++i)
        if (sorting->table->keys[i].group == group)
            keys[count++] = sorting->table->keys[i].name;
    if (count > 0 && !isDecided(sorting, group))
        thiSceneError(sorting->reader, object, "needs one of: %s",
                      thiJoinNames(keys, count, names, sizeof names));
}

bool thiReadMembers(thSceneReader* reader, const thKeyTable* table, const thJson* object,
                    thMembers* members)
{
    const int32_t errorsBefore = reader->sink.count;
    Sorting sorting = {.reader = reader, .table = table, .members = members};
    *members = (thMembers){.unexplained = false};
    TH_ASSERT(table->keyCount <= TH_MOST_KEYS);
    if (object->kind != th_jsonObject)
        return thiWrongType(reader, object, "an object");
    // Known keys first, so that no guess is one that is there.
    for (const thJson* member = object->first; member != NULL; member = member->next) {
        const int32_t index = thiFindKey(table, member->key);
        if (index >= 0)
            takeMember(&sorting, member, index);
    }
    for (const thJson* member = object->first; member != NULL; member = member->next)
        if (thiFindKey(table, member->key) < 0)
            guessMember(&sorting, member);
    if (!members->unexplained) {
        requireWith(&sorting);
        requireKeys(&sorting, object);
        requireGroup(&sorting, object, 1);
        requireGroup(&sorting, object, 2);
    }
    return reader->sink.count == errorsBefore;
}

// What a struct of the model is where the file says nothing.

// As people do (word 0), or not at all.
static void setPeople(const thSceneKey* key, int32_t word, void* target)
{
    thiSetDefaults(key->table, target);
    if (word != 0)
        memcpy(target, &(double){0.0}, sizeof(double));
}

static void setDefault(const thSceneKey* key, void* target)
{
    const double number = key->fallback;
    const double pair[2] = {number, number};
    switch (key->kind) {
    case th_keyNumber:
        memcpy(target, &number, sizeof number);
        break;
    case th_keyVector:
    case th_keyPoint:
        memcpy(target, pair, sizeof pair);
        break;
    case th_keyWhole:
    case th_keyWord:
    case th_keyGoal:
        memcpy(target, &(int32_t){(int32_t)number}, sizeof(int32_t));
        break;
    case th_keyCount:
        memcpy(target, &(int64_t){(int64_t)number}, sizeof(int64_t));
        break;
    case th_keyBits:
        memcpy(target, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
        break;
    case th_keyBool:
    case th_keyTwoWords:
        memcpy(target, &(bool){number != 0.0}, sizeof(bool));
        break;
    case th_keyText:
        memcpy(target, &(const char*){""}, sizeof(const char*));
        break;
    case th_keyDraw:
        memcpy(target, &(thDraw){.kind = th_drawFixed, .a = number}, sizeof(thDraw));
        break;
    case th_keyMethod:
        memcpy(target, &(thSceneMethod){.name = key->fallbackText}, sizeof(thSceneMethod));
        break;
    case th_keyObject:
        thiSetDefaults(key->table, target);
        break;
    case th_keyPeople:
        setPeople(key, (int32_t)number, target);
        break;
    case th_keyEnd:
        thiSetDefaults(key->table, target);
        ((thScene*)target)->endAt = TH_DEFAULT_END;
        ((thScene*)target)->endArrived = true;
        break;
    default: // nothing there: zeros
        break;
    }
}

void thiSetDefaults(const thKeyTable* table, void* target)
{
    for (int32_t i = 0; i < table->keyCount; ++i) {
        const thSceneKey* key = &table->keys[i];
        // Choices that were not taken may share their place with the one that was.
        if (key->group == 0)
            setDefault(key, (char*)target + key->offset);
    }
}

// Values: each as the kind of its key says.

static bool outOfRange(thSceneReader* reader, const thJson* value, const thSceneKey* range)
{
    char least[TH_NUMBER_TEXT], most[TH_NUMBER_TEXT];
    const bool hasUnit = range->unit != NULL && range->unit[0] != '\0';
    return thiSceneError(reader, value, "%.40s is out of range, expected %s .. %s%s%s", value->text,
                         thiNumberText(range->min, least), thiNumberText(range->max, most),
                         hasUnit ? " " : "", hasUnit ? range->unit : "");
}

bool thiReadNumber(thSceneReader* reader, const thJson* value, const thSceneKey* range, double* to)
{
    if (value->kind != th_jsonNumber)
        return thiWrongType(reader, value, "a number");
    if (!(value->number >= range->min && value->number <= range->max))
        return outOfRange(reader, value, range);
    *to = value->number + 0.0; // −0 becomes 0, or the same scene would be written in two ways
    return true;
}

static bool readWhole(thSceneReader* reader, const thJson* value, const thSceneKey* range,
                      double* to)
{
    if (value->kind != th_jsonNumber)
        return thiWrongType(reader, value, "a whole number");
    if (!thiReadNumber(reader, value, range, to))
        return false;
    if (*to == floor(*to))
        return true;
    return thiSceneError(reader, value, "expected a whole number, found %.40s", value->text);
}

bool thiReadNumbers(thSceneReader* reader, const thJson* value, const thSceneKey* range,
                    const char* expected, double to[2])
{
    if (value->kind != th_jsonArray || value->count != 2)
        return thiWrongType(reader, value, expected);
    const bool first = thiReadNumber(reader, value->first, range, &to[0]);
    return thiReadNumber(reader, value->first->next, range, &to[1]) && first;
}

static bool readSpacing(thSceneReader* reader, const thJson* value, const thSceneKey* range,
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

static bool readWord(thSceneReader* reader, const thSceneKey* key, const thJson* value, int32_t* to)
{
    char names[128], expected[256];
    int32_t count = 0;
    for (; key->words[count] != NULL; ++count) {
        if (isWord(value, key->words[count])) {
            *to = count;
            return true;
        }
    }
    const char* meant =
        value->kind == th_jsonString ? thiDidYouMean(value->text, key->words, count) : NULL;
    thiJoinNames(key->words, count, names, sizeof names);
    if (meant != NULL)
        return thiSceneError(reader, value, "expected one of: %s; did you mean '%s'?", names,
                             meant);
    snprintf(expected, sizeof expected, "one of: %s", names);
    return thiWrongType(reader, value, expected);
}

// Gives the profile what the preset has; keys that are read later may give other things.
static bool readPreset(thSceneReader* reader, const thSceneKey* key, const thJson* value,
                       void* target)
{
    thSceneProfile* profile = (thSceneProfile*)((char*)target - key->offset);
    const char* names[TH_PRESET_COUNT];
    if (value->kind != th_jsonString)
        return thiWrongType(reader, value, "the name of a preset");
    for (int32_t i = 0; i < TH_PRESET_COUNT; ++i) {
        const thScenePreset* preset = thiScenePresetAt(i);
        names[i] = preset->name;
        if (strcmp(value->text, preset->name) != 0)
            continue;
        profile->preset = preset;
        profile->speed = preset->speed;
        if (preset->radius > 0.0)
            profile->radius = (thDraw){.kind = th_drawFixed, .a = preset->radius};
        return true;
    }
    return thiUnknownName(reader, value, false, "preset", names, TH_PRESET_COUNT);
}

static bool readBool(thSceneReader* reader, const thJson* value, bool* to)
{
    if (value->kind != th_jsonBool)
        return thiWrongType(reader, value, "true or false");
    *to = value->truth;
    return true;
}

// An array of objects, into a pointer and a count.
static bool readObjects(thSceneReader* reader, const thSceneKey* key, const thJson* value,
                        void* target)
{
    if (value->kind != th_jsonArray)
        return thiWrongType(reader, value, "an array");
    char* items = thiSceneAllocate(reader, value->count, key->table->size);
    if (items == NULL)
        return false;
    bool good = true;
    for (const thJson* item = value->first; item != NULL && !reader->noMemory; item = item->next)
        good = thiReadObject(reader, key->table, item,
                             items + (size_t)item->index * key->table->size) &&
               good;
    memcpy(target, &items, sizeof items);
    memcpy((char*)target + sizeof items, &value->count, sizeof value->count);
    return good;
}

// Kinds that come as a number.
static bool readNumberKind(thSceneReader* reader, const thSceneKey* key, const thJson* value,
                           void* target)
{
    double number = 0.0;
    const bool isWhole = key->kind != th_keyNumber;
    if (!(isWhole ? readWhole : thiReadNumber)(reader, value, key, &number))
        return false;
    if (key->kind == th_keyNumber)
        *(double*)target = number;
    else if (key->kind == th_keyWhole)
        *(int32_t*)target = (int32_t)number;
    else if (key->kind == th_keyCount)
        *(int64_t*)target = (int64_t)number;
    else
        *(uint32_t*)target = (uint32_t)number;
    return true;
}

// Kinds that come as a word or a text.
static bool readTextKind(thSceneReader* reader, const thSceneKey* key, const thJson* value,
                         void* target)
{
    int32_t word = 0;
    const char* text = NULL;
    switch (key->kind) {
    case th_keyWord:
        return readWord(reader, key, value, target);
    case th_keyTwoWords:
        if (!readWord(reader, key, value, &word))
            return false;
        *(bool*)target = word != 0;
        return true;
    case th_keyFile:
        if (!readFile(reader, value, &text))
            return false;
        break;
    case th_keyName:
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

// What people do, by name or by its numbers.
static bool readPeople(thSceneReader* reader, const thSceneKey* key, const thJson* value,
                       void* target)
{
    int32_t word = 0;
    if (value->kind == th_jsonObject)
        return thiReadObject(reader, key->table, value, target);
    if (value->kind != th_jsonString)
        return thiWrongType(reader, value, "\"people\", \"none\" or an object of numbers");
    if (!readWord(reader, key, value, &word))
        return false;
    setPeople(key, word, target);
    return true;
}

bool thiReadValue(thSceneReader* reader, const thSceneKey* key, const thJson* value, void* target)
{
    switch (key->kind) {
    case th_keyVersion:
        return value->kind == th_jsonNumber || thiWrongType(reader, value, "the number 1");
    case th_keyNumber:
    case th_keyWhole:
    case th_keyCount:
    case th_keyBits:
        return readNumberKind(reader, key, value, target);
    case th_keyText:
    case th_keyName:
    case th_keyFile:
    case th_keyWord:
    case th_keyTwoWords:
        return readTextKind(reader, key, value, target);
    case th_keyBool:
        return readBool(reader, value, target);
    case th_keyVector:
        return thiReadNumbers(reader, value, key, "two numbers [x, y]", target);
    case th_keyPreset:
        return readPreset(reader, key, value, target);
    case th_keySpacing:
        return readSpacing(reader, value, key, target);
    case th_keyDraw:
    case th_keyPoint:
    case th_keyPlaces:
    case th_keyPath:
    case th_keyCorners:
    case th_keyBody:
    case th_keySegment:
    case th_keyShapePoint:
    case th_keyShapeDisc:
    case th_keyShapeSegment:
    case th_keyShapePolygon:
    case th_keyShapeBox:
    case th_keyIntervals:
    case th_keyNodes:
    case th_keyPairs:
        return thiReadShapeKind(reader, key, value, target);
    case th_keyObject:
    case th_keyEnd:
        return thiReadObject(reader, key->table, value, target);
    case th_keyObjects:
        return readObjects(reader, key, value, target);
    case th_keyGoals:
    case th_keyRoadmaps:
    case th_keyProfiles:
    case th_keyLines:
    case th_keyAreas:
    case th_keyGoal:
    case th_keyReferences:
        return thiReadNameKind(reader, key, value, target);
    case th_keyMethod:
        return thiReadMethod(reader, key, value, target);
    case th_keyPeople:
        return readPeople(reader, key, value, target);
    case th_keyProfile: // which thiReadObject reads, because it may be left out
        break;
    }
    return false;
}

// Objects.

static bool readKeys(thSceneReader* reader, const thKeyTable* table, const thMembers* members,
                     const thJson* object, void* target)
{
    bool good = true;
    for (int32_t i = 0; i < table->keyCount && !reader->noMemory; ++i) {
        const thSceneKey* key = &table->keys[i];
        const thJson* member = members->of[i];
        void* place = (char*)target + key->offset;
        if (key->kind == th_keyProfile && !members->unexplained)
            good = thiReadProfileName(reader, object, member, place) && good;
        else if (member != NULL)
            good = thiReadValue(reader, key, member, place) && good;
        if (member != NULL && key->group == 1 && table->choiceOffset != TH_NOWHERE)
            memcpy((char*)target + table->choiceOffset, &key->choice, sizeof key->choice);
    }
    return good && !reader->noMemory;
}

bool thiReadObject(thSceneReader* reader, const thKeyTable* table, const thJson* object,
                   void* target)
{
    thMembers members;
    thiSetDefaults(table, target);
    if (table->sourceOffset != TH_NOWHERE)
        memcpy((char*)target + table->sourceOffset, &object, sizeof object);
    bool good = thiReadMembers(reader, table, object, &members);
    if (object->kind != th_jsonObject)
        return false;
    good = readKeys(reader, table, &members, object, target) && good;
    if (table->check == NULL || reader->noMemory)
        return good;
    const int32_t errorsBefore = reader->sink.count;
    table->check(reader, object, target, good);
    return good && reader->sink.count == errorsBefore;
}

// The whole.

static void checkTotal(thSceneReader* reader, const thJson* agents)
{
    int64_t total = 0;
    for (int32_t i = 0; i < reader->scene->agentsCount; ++i) {
        const thSceneAgents* entry = &reader->scene->agents[i];
        if (entry->place.kind != th_placeSource)
            total += entry->place.count * thiCopyCount(&entry->repeat);
    }
    if (total > TH_SCENE_AGENTS)
        thiSceneError(reader, agents, "%lld agents in all, expected at most %lld", (long long)total,
                      (long long)TH_SCENE_AGENTS);
}

// The ids in recordings of an entry's agents.
typedef struct IdRange {
    int64_t first, last;
    int32_t entry;
} IdRange;

static int byFirstId(const void* a, const void* b)
{
    const IdRange *left = a, *right = b;
    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    return (left->entry > right->entry) - (left->entry < right->entry);
}

static const thJson* idOf(const thSceneAgents* agents)
{
    return agents->source != NULL ? thiJsonMember(agents->source, "id") : NULL;
}

// No two agents have the same.
static void checkIds(thSceneReader* reader)
{
    const thScene* scene = reader->scene;
    IdRange* ranges = thiSceneAllocate(reader, scene->agentsCount, sizeof *ranges);
    int32_t count = 0;
    for (int32_t i = 0; ranges != NULL && i < scene->agentsCount; ++i) {
        const thSceneAgents* entry = &scene->agents[i];
        const int64_t agents = entry->place.count * thiCopyCount(&entry->repeat);
        if (entry->id < 0)
            continue;
        ranges[count++] = (IdRange){entry->id, entry->id + agents - 1, i};
        if (ranges[count - 1].last > INT32_MAX)
            thiSceneError(reader, idOf(entry), "the last id would be %lld, expected at most %lld",
                          (long long)ranges[count - 1].last, (long long)INT32_MAX);
    }
    if (count > 1)
        qsort(ranges, (size_t)count, sizeof *ranges, byFirstId);
    for (int32_t i = 1, before = 0; i < count; ++i) {
        if (ranges[i].first <= ranges[before].last)
            thiSceneError(reader, idOf(&scene->agents[ranges[i].entry]),
                          "%lld is already the id of an agent of agents[%d]",
                          (long long)ranges[i].first, (int)ranges[before].entry);
        if (ranges[i].last > ranges[before].last)
            before = i;
    }
}

static bool isOrigin(const thJson* value, const thSceneKey* range)
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
    const int32_t index = thiFindKey(&thiSceneTable, "origin");
    const thSceneKey* key = &thiSceneTable.keys[index];
    if (members->of[index] != NULL)
        return isOrigin(members->of[index], key);
    for (const thJson* member = root->first; member != NULL; member = member->next)
        if (thiFindKey(&thiSceneTable, member->key) < 0 && isOrigin(member, key))
            return false;
    return true;
}

// A member of the root that others refer to. `*known` is whether what is in it is all there is.
static const thJson* findNames(const thMembers* members, const char* key, bool* known)
{
    const thJson* object = members->of[thiFindKey(&thiSceneTable, key)];
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
    thiSetDefaults(&thiSceneTable, scene);
    (void)thiReadMembers(reader, &thiSceneTable, root, &members);
    if (root->kind != th_jsonObject)
        return;
    reader->originKnown = isOriginKnown(root, &members);
    reader->goals = findNames(&members, "goals", &reader->goalsKnown);
    reader->profiles = findNames(&members, "profiles", &reader->profilesKnown);
    reader->roadmaps = findNames(&members, "roadmaps", &reader->roadmapsKnown);
    const bool good = readKeys(reader, &thiSceneTable, &members, root, scene);
    const int32_t agentsAt = thiFindKey(&thiSceneTable, "agents");
    if (good && members.of[agentsAt] != NULL)
        checkTotal(reader, members.of[agentsAt]);
    if (good)
        checkIds(reader);
    if (!reader->noMemory)
        thiFinishNames(reader);
}
