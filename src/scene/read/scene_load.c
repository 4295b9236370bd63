// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A scene's life: from a file or a text, with changes, to a model, and all errors in the order of
// the file.

#include "base/machine.h"
#include "scene/read/scene_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

thSceneDef thDefaultSceneDef(void)
{
    return (thSceneDef){.size = sizeof(thSceneDef), .allocator = thDefaultAllocator()};
}

// Errors are kept until all are found.

// An error, and when it was found.
typedef struct FoundError {
    thError error;
    int32_t order;
} FoundError;

// A report function whose context is the reader.
static void noteError(void* context, const thError* error)
{
    thSceneReader* reader = context;
    if (error->code == th_resultNoMemory)
        reader->noMemory = true;
    if (reader->errors.count >= TH_MOST_ERRORS)
        return;
    FoundError* found = thiArrayAdd(&reader->errors, 1);
    if (found == NULL)
        reader->noMemory = true;
    else
        *found = (FoundError){.error = *error, .order = reader->errors.count};
}

// Where changes of the file have no line they come last, as they were made last.
static int compareErrors(const void* left, const void* right)
{
    const FoundError* a = left;
    const FoundError* b = right;
    const uint32_t lineA = (uint32_t)a->error.line - 1, lineB = (uint32_t)b->error.line - 1;
    if (lineA != lineB)
        return lineA < lineB ? -1 : 1;
    if (a->error.column != b->error.column)
        return a->error.column < b->error.column ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static void reportOne(thSceneErrorFcn* report, void* context, const thError* error)
{
    if (report != NULL)
        report(context, error);
}

// Reports what was noted in the order of the file. Returns the code of the first, or th_resultOk.
static thResult reportErrors(thSceneReader* reader, thSceneErrorFcn* report, void* context)
{
    thError last = {.line = 0};
    snprintf(last.file, sizeof last.file, "%s", reader->sink.file != NULL ? reader->sink.file : "");
    if (reader->noMemory) {
        // What was found may only follow from what there was no room for.
        thiFail(&last, th_resultNoMemory, "no memory to read this scene");
        reportOne(report, context, &last);
        return th_resultNoMemory;
    }
    FoundError* errors = TH_ITEMS(reader->errors, FoundError);
    const int32_t count = reader->errors.count;
    if (count == 0)
        return th_resultOk;
    qsort(errors, (size_t)count, sizeof *errors, compareErrors);
    for (int32_t i = 0; i < count; ++i)
        reportOne(report, context, &errors[i].error);
    if (count == TH_MOST_ERRORS) {
        thiFail(&last, th_resultSyntax, "there may be more than these %d errors", TH_MOST_ERRORS);
        reportOne(report, context, &last);
    }
    return errors[0].error.code;
}

// Files and texts.

#define CHUNK_SIZE 65536

// Reads until the end, or until there is more than JSON may have, which its reader then refuses.
static thResult readAll(FILE* file, thArray* text)
{
    for (;;) {
        if ((size_t)text->count > thiJsonLimits.bytes)
            return th_resultOk;
        if (text->capacity - text->count < CHUNK_SIZE)
            TH_TRY(thiArrayReserve(text, 2 * text->count + CHUNK_SIZE));
        char* chunk = thiArrayAdd(text, CHUNK_SIZE);
        const size_t size = fread(chunk, 1, CHUNK_SIZE, file);
        text->count -= CHUNK_SIZE - (int32_t)size;
        if (ferror(file))
            return th_resultFile;
        if (size < CHUNK_SIZE)
            return th_resultOk;
    }
}

// False, and noted, when the file cannot be read.
static bool readFile(thSceneReader* reader, const char* path, thArray* text)
{
    errno = 0;
    FILE* file = fopen(path, "rb");
    const thResult code = file != NULL ? readAll(file, text) : th_resultFile;
    if (code == th_resultFile)
        thiReportAt(&reader->sink, code, NULL, "cannot read the file: %s",
                    errno != 0 ? strerror(errno) : "unknown reason");
    if (code == th_resultNoMemory)
        reader->noMemory = true;
    if (file != NULL)
        fclose(file);
    return code == th_resultOk;
}

static char* copyText(thSceneReader* reader, const char* text, size_t length)
{
    char* copy = thiSceneAllocate(reader, 1, length + 1);
    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

// The name of a file without its folder and suffix.
static const char* nameOf(thSceneReader* reader, const char* path)
{
    const char* slash = path != NULL ? strrchr(path, '/') : NULL;
    const char* begin = slash != NULL ? slash + 1 : path;
    const char* dot = begin != NULL ? strrchr(begin, '.') : NULL;
    const size_t length = begin == NULL                ? 0
                          : dot != NULL && dot > begin ? (size_t)(dot - begin)
                                                       : strlen(begin);
    return length > 0 ? copyText(reader, begin, length) : "scene";
}

static const thJsonNames sceneNames[] = {{"profiles", "profile", TH_DEFAULT_PROFILE},
                                         {"goals", "goal", NULL},
                                         {"roadmaps", "roadmap", NULL},
                                         {0}};

static void readText(thSceneReader* reader, const thSceneDef* def, const char* text, size_t size)
{
    thScene* scene = reader->scene;
    scene->root = thiReadJson(&scene->arena, text, size, &thiJsonLimits, &reader->sink);
    if (scene->root == NULL)
        return;
    for (int32_t i = 0; i < def->changeCount && !reader->noMemory; ++i)
        (void)thiJsonSet(&scene->arena, &scene->root, def->changes[i], sceneNames, &reader->sink);
    if (!reader->noMemory)
        thiReadScene(reader, scene->root);
}

static bool isMap(const char* path)
{
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".map") == 0;
}

// {"throng": 1, "walls": [{"file": NAME}]}; returns its length.
static size_t writeMapScene(const char* name, char* text, size_t capacity)
{
    thJsonWriter writer = {.buffer = text, .capacity = capacity};
    thiWriteBegin(&writer, '{', true);
    thiWriteKey(&writer, "throng");
    thiWriteNumber(&writer, 1.0);
    thiWriteKey(&writer, "walls");
    thiWriteBegin(&writer, '[', true);
    thiWriteBegin(&writer, '{', true);
    thiWriteKey(&writer, "file");
    thiWriteString(&writer, name);
    thiWriteEnd(&writer, '}');
    thiWriteEnd(&writer, ']');
    thiWriteEnd(&writer, '}');
    return writer.size;
}

// A map of cells is a scene that has it for its walls. What is wrong in it is told like all that is
// wrong in files of walls: when the world is built.
static void readMap(thSceneReader* reader, const thSceneDef* def)
{
    const char* slash = strrchr(def->path, '/');
    const char* name = slash != NULL ? slash + 1 : def->path;
    errno = 0;
    FILE* file = fopen(def->path, "rb");
    if (file == NULL) {
        thiReportAt(&reader->sink, th_resultFile, NULL, "cannot read the file: %s",
                    errno != 0 ? strerror(errno) : "unknown reason");
        return;
    }
    fclose(file);
    const size_t size = writeMapScene(name, NULL, 0);
    char* text = thiSceneAllocate(reader, 1, size + 1);
    if (text != NULL)
        readText(reader, def, text, writeMapScene(name, text, size));
}

static thResult loadInto(thScene* scene, const thSceneDef* def)
{
    thSceneReader reader = {.scene = scene,
                            .sink = {.report = noteError, .file = def->path},
                            .errors = thiArray(&scene->memory, sizeof(FoundError)),
                            .allGoals = thiArray(&scene->memory, sizeof(thSceneGoal))};
    reader.sink.context = &reader;
    thArray text = thiArray(&scene->memory, 1);
    scene->file = def->path != NULL ? copyText(&reader, def->path, strlen(def->path)) : NULL;
    scene->name = nameOf(&reader, def->path);
    const bool good = thiAddMethods(&reader, def->methods, def->methodCount) && !reader.noMemory;
    if (good && def->text != NULL)
        readText(&reader, def, def->text, def->textSize);
    else if (good && isMap(def->path))
        readMap(&reader, def);
    else if (good && readFile(&reader, def->path, &text))
        readText(&reader, def, text.data, (size_t)text.count);
    const thResult code = reportErrors(&reader, def->report, def->reportContext);
    thiArrayFree(&text);
    thiArrayFree(&reader.errors);
    thiArrayFree(&reader.allGoals);
    return code;
}

static bool isSceneDef(const thSceneDef* def)
{
    if (def->path == NULL && def->text == NULL)
        return false;
    if ((def->allocator.allocate == NULL) != (def->allocator.release == NULL))
        return false;
    if (def->changeCount < 0 || (def->changes == NULL && def->changeCount > 0))
        return false;
    for (int32_t i = 0; i < def->changeCount; ++i)
        if (def->changes[i] == NULL)
            return false;
    return true;
}

thResult thLoadScene(const thSceneDef* given, thScene** result)
{
    TH_REQUIRE(result != NULL, th_resultBadArgument);
    *result = NULL;
    thSceneDef def = thDefaultSceneDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    TH_REQUIRE(isSceneDef(&def), th_resultBadArgument);
    if (!thiAreAddedMethods(def.methods, def.methodCount))
        return th_resultBadArgument;
    const size_t limit = def.maxBytes < SIZE_MAX ? (size_t)def.maxBytes : SIZE_MAX;
    // The struct itself is not in the account, which is part of it.
    thMemory outside;
    thiMemoryInit(&outside, &def.allocator, limit);
    thScene* scene = thiAllocateZero(&outside, sizeof *scene);
    if (scene == NULL) {
        thError error = {.line = 0};
        snprintf(error.file, sizeof error.file, "%s", def.path != NULL ? def.path : "");
        thiFail(&error, th_resultNoMemory, "no memory to read this scene");
        if (def.report != NULL)
            def.report(def.reportContext, &error);
        return th_resultNoMemory;
    }
    thiMemoryInit(&scene->memory, &def.allocator, limit);
    thiArenaInit(&scene->arena, &scene->memory);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = loadInto(scene, &def);
    thiFpRestore(hostEnvironment);
    if (code == th_resultOk)
        *result = scene;
    else
        thDestroyScene(scene);
    return code;
}

void thDestroyScene(thScene* scene)
{
    if (scene == NULL)
        return;
    thiArenaFree(&scene->arena);
    thMemory outside;
    thiMemoryInit(&outside, &scene->memory.allocator, 0);
    thiRelease(&outside, scene, sizeof *scene);
}
