// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Methods of a profile in a scene file, with parameters by name: the built-in ones and a host's
// own. A method describes its parameters itself.

#include "scene/read/scene_read.h"
#include "sim/world_internal.h"

#include <stdio.h>
#include <string.h>

// Methods, and parameters of a method, at most.
#define MOST_NAMES 64

static const thMethod* builtInMethod(thMethodKind kind, const char* name)
{
    for (const thMethod* const* method = thiBuiltInMethods(kind); *method != NULL; ++method)
        if (strcmp((*method)->name, name) == 0)
            return *method;
    return NULL;
}

const thMethod* thiSceneMethodOf(const thScene* scene, thMethodKind kind, const char* name)
{
    for (int32_t i = 0; i < scene->methodCount; ++i)
        if (scene->methods[i].kind == kind && strcmp(scene->methods[i].method->name, name) == 0)
            return scene->methods[i].method;
    return builtInMethod(kind, name);
}

size_t thiParamSize(thParamKind kind)
{
    return kind == th_paramRoadmap || kind == th_paramPath ? THRONG_NAME_SIZE : sizeof(float);
}

static bool fitsWords(const char* words)
{
    int32_t count = 1;
    for (const char* at = words; *at != '\0'; ++at)
        count += *at == '|';
    return strlen(words) < sizeof((thParamWords){0}.text) && count <= TH_PARAM_WORDS;
}

static bool isParam(const thMethod* method, const thParam* param)
{
    TH_REQUIRE(param->name != NULL && param->unit != NULL, false);
    TH_REQUIRE((uint32_t)param->kind <= th_paramPath, false);
    TH_REQUIRE(param->offset + thiParamSize(param->kind) <= method->paramSize, false);
    TH_REQUIRE(param->kind != th_paramWord || fitsWords(param->unit), false);
    return true;
}

bool thiAreAddedMethods(const thAddedMethod* methods, int32_t count)
{
    TH_REQUIRE(count == 0 || (count > 0 && methods != NULL), false);
    for (int32_t i = 0; i < count; ++i) {
        thMethod method;
        if (!thiCopyMethod(methods[i].kind, methods[i].method, &method))
            return false;
        TH_REQUIRE(method.paramCount == 0 || (method.paramCount > 0 && method.params != NULL),
                   false);
        for (int32_t k = 0; k < method.paramCount; ++k)
            if (!isParam(&method, &method.params[k]))
                return false;
    }
    return true;
}

bool thiAddMethods(thSceneReader* reader, const thAddedMethod* given, int32_t count)
{
    thScene* scene = reader->scene;
    thMethod* copies = thiSceneAllocate(reader, count, sizeof *copies);
    thAddedMethod* methods = thiSceneAllocate(reader, count, sizeof *methods);
    if (copies == NULL || methods == NULL)
        return false;
    scene->methods = methods;
    bool good = true;
    for (int32_t i = 0; i < count; ++i) {
        const thMethodKind kind = given[i].kind;
        (void)thiCopyMethod(kind, given[i].method, &copies[i]);
        methods[i] = (thAddedMethod){kind, &copies[i]};
        if (thiSceneMethodOf(scene, kind, copies[i].name) != NULL) {
            thiReportAt(&reader->sink, th_resultBadArgument, NULL,
                        "the host's %s method '%s' has the name of %s", thiMethodKindName(kind),
                        copies[i].name,
                        builtInMethod(kind, copies[i].name) != NULL ? "a built-in one"
                                                                    : "another one of the host's");
            good = false;
        }
        scene->methodCount = i + 1;
    }
    return good;
}

// The method that a value, or its key, names.
static bool findMethod(thSceneReader* reader, thMethodKind kind, const thJson* value, bool byKey,
                       const thMethod** method)
{
    const char* name = byKey ? value->key : value->text;
    const char* names[MOST_NAMES];
    char what[16];
    int32_t count = 0;
    const thScene* scene = reader->scene;
    *method = thiSceneMethodOf(scene, kind, name);
    if (*method != NULL)
        return true;
    for (const thMethod* const* one = thiBuiltInMethods(kind); *one != NULL; ++one)
        if (count < MOST_NAMES)
            names[count++] = (*one)->name;
    for (int32_t i = 0; i < scene->methodCount && count < MOST_NAMES; ++i)
        if (scene->methods[i].kind == kind)
            names[count++] = scene->methods[i].method->name;
    snprintf(what, sizeof what, "%s method", thiMethodKindName(kind));
    return thiUnknownName(reader, value, byKey, what, names, count);
}

static const thParam* findParam(const thMethod* method, const char* name)
{
    for (int32_t i = 0; i < method->paramCount; ++i)
        if (strcmp(method->params[i].name, name) == 0)
            return &method->params[i];
    return NULL;
}

static const thParam* guessParam(thSceneReader* reader, const thMethod* method,
                                 const thJson* object, const thJson* member)
{
    const char* names[MOST_NAMES];
    int32_t count = 0;
    for (int32_t i = 0; i < method->paramCount && count < MOST_NAMES; ++i)
        if (thiJsonMember(object, method->params[i].name) == NULL)
            names[count++] = method->params[i].name;
    const char* meant = thiUnknownKey(reader, member, names, count);
    return meant != NULL ? findParam(method, meant) : NULL;
}

void thiSplitParamWords(const thParam* param, thParamWords* words)
{
    snprintf(words->text, sizeof words->text, "%s", param->unit);
    int32_t count = 0;
    for (char* next = words->text; next != NULL && count < TH_PARAM_WORDS;) {
        words->words[count++] = next;
        next = strchr(next, '|');
        if (next != NULL)
            *next++ = '\0';
    }
    words->words[count] = NULL;
}

static bool readWord(thSceneReader* reader, const thParam* param, const thJson* value, void* place)
{
    thParamWords words;
    thiSplitParamWords(param, &words);
    const thSceneKey key = {.kind = th_keyWord, .words = words.words};
    return thiReadValue(reader, &key, value, place);
}

// The name of a roadmap, as parameters of methods keep it.
static bool readRoadmapName(thSceneReader* reader, const thJson* value, char name[THRONG_NAME_SIZE])
{
    if (value->kind != th_jsonString)
        return thiWrongType(reader, value, "the name of a roadmap");
    if (!reader->roadmapsKnown)
        return true;
    if (reader->roadmaps == NULL || thiJsonMember(reader->roadmaps, value->text) == NULL)
        return thiUnknownMember(reader, value, "roadmap", reader->roadmaps);
    // A name that is too long is told where it is given.
    strncpy(name, value->text, THRONG_NAME_SIZE - 1);
    return true;
}

static bool readParam(thSceneReader* reader, const thParam* param, const thJson* value,
                      void* params)
{
    const thKeyKind kinds[] = {th_keyNumber, th_keyWhole, th_keyBool,
                               th_keyName,   th_keyWord,  th_keyName};
    const thSceneKey key = {
        .kind = kinds[param->kind], .min = param->min, .max = param->max, .unit = param->unit};
    void* place = (char*)params + param->offset;
    double number = 0.0;
    bool truth = false;
    switch (param->kind) {
    case th_paramFloat:
        if (!thiReadValue(reader, &key, value, &number))
            return false;
        memcpy(place, &(float){(float)number}, sizeof(float));
        return true;
    case th_paramInt:
        return thiReadValue(reader, &key, value, place);
    case th_paramRoadmap:
    case th_paramPath:
        return readRoadmapName(reader, value, place);
    case th_paramWord:
        return readWord(reader, param, value, place);
    default:
        if (!thiReadValue(reader, &key, value, &truth))
            return false;
        memcpy(place, &(int32_t){truth}, sizeof(int32_t));
        return true;
    }
}

// Whether there is exactly one roadmap, so that a method need not name it by that key.
static bool requireOneRoadmap(thSceneReader* reader, const thJson* value, const char* key)
{
    const int32_t count = reader->roadmaps != NULL ? reader->roadmaps->count : 0;
    if (!reader->roadmapsKnown || count == 1)
        return true;
    if (count == 0)
        return thiSceneError(reader, value, "needs a roadmap: describe one in 'roadmaps'");
    return thiSceneError(reader, value, "needs '%s', because there are %d roadmaps", key,
                         (int)count);
}

// Roadmaps that are not named must be the only one there is.
static bool requireRoadmaps(thSceneReader* reader, const thMethod* method, const thJson* value)
{
    bool good = true;
    for (int32_t i = 0; i < method->paramCount; ++i) {
        const thParam* param = &method->params[i];
        if (param->kind == th_paramRoadmap &&
            (value->kind != th_jsonObject || thiJsonMember(value, param->name) == NULL))
            good = requireOneRoadmap(reader, value, param->name) && good;
    }
    return good;
}

static bool readParams(thSceneReader* reader, const thMethod* method, const thJson* object,
                       void* params)
{
    bool good = true;
    for (const thJson* member = object->first; member != NULL; member = member->next) {
        const thParam* param = findParam(method, member->key);
        if (param == NULL) {
            param = guessParam(reader, method, object, member);
            good = false;
        }
        if (param != NULL)
            good = readParam(reader, param, member, params) && good;
    }
    if (good)
        good = requireRoadmaps(reader, method, object);
    thError error = {0};
    if (good && method->validate != NULL && method->validate(params, &error) != th_resultOk)
        good = thiSceneError(reader, object, "%s", error.text);
    return good;
}

static void* copyDefaults(thSceneReader* reader, const thMethod* method)
{
    void* params = thiSceneAllocate(reader, 1, method->paramSize);
    if (params != NULL && method->defaults != NULL)
        memcpy(params, method->defaults, method->paramSize);
    return params;
}

// Two methods in one object: usually a change put another one beside that of the file.
static bool failSeveral(thSceneReader* reader, const thJson* value)
{
    for (const thJson* member = value->first; member != NULL; member = member->next)
        if (member->keyLine == 0 && member != value->first)
            return thiSceneKeyError(reader, member,
                                    "there is '%s' already; to replace it, set the whole '%s'",
                                    value->first->key, value->key);
    return thiSceneError(reader, value, "expected one method with its parameters, found %d",
                         (int)value->count);
}

static bool readMethodObject(thSceneReader* reader, const thSceneKey* key, const thJson* value,
                             thSceneMethod* result)
{
    const thMethod* method;
    const thJson* object = value->first;
    if (value->count != 1)
        return failSeveral(reader, value);
    if (!findMethod(reader, (thMethodKind)key->choice, object, true, &method))
        return false;
    if (object->kind != th_jsonObject)
        return thiWrongType(reader, object, "an object of parameters");
    void* params = copyDefaults(reader, method);
    const void* defaults = copyDefaults(reader, method);
    if (params == NULL || defaults == NULL)
        return false;
    const bool good = readParams(reader, method, object, params);
    const bool isChanged = memcmp(params, defaults, method->paramSize) != 0;
    *result = (thSceneMethod){.name = method->name, .params = isChanged ? params : NULL};
    return good;
}

bool thiReadMethod(thSceneReader* reader, const thSceneKey* key, const thJson* value,
                   thSceneMethod* result)
{
    const thMethod* method;
    if (value->kind == th_jsonObject)
        return readMethodObject(reader, key, value, result);
    if (value->kind != th_jsonString)
        return thiWrongType(reader, value, "the name of a method, or {\"name\": {parameters}}");
    if (!findMethod(reader, (thMethodKind)key->choice, value, false, &method))
        return false;
    *result = (thSceneMethod){.name = method->name};
    return requireRoadmaps(reader, method, value);
}
