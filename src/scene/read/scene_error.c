// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Errors of a scene: how they are worded, and how they get into the order of the file.

#include "base/json/json_number.h"
#include "scene/read/scene_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A file with more errors is something else than a scene, and to tell them all takes long.
#define MOST_ERRORS 10000

// Names that are looked at to guess which was meant.
#define MOST_NAMES 1000

void thiNoteError(void* context, const thError* error)
{
    thSceneReader* reader = context;
    if (error->code == th_resultNoMemory)
        reader->noMemory = true;
    if (reader->errors.count >= MOST_ERRORS)
        return;
    thFoundError* found = thiArrayAdd(&reader->errors, 1);
    if (found == NULL)
        reader->noMemory = true;
    else
        *found = (thFoundError){.error = *error, .order = reader->errors.count};
}

// Where changes of the file have no line they come last, as they were made last.
static int compareErrors(const void* left, const void* right)
{
    const thFoundError* a = left;
    const thFoundError* b = right;
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

thResult thiReportErrors(thSceneReader* reader, thSceneErrorFcn* report, void* context)
{
    thError last = {.line = 0};
    snprintf(last.file, sizeof last.file, "%s", reader->sink.file != NULL ? reader->sink.file : "");
    if (reader->noMemory) {
        // What was found may only follow from what there was no room for.
        thiFail(&last, th_resultNoMemory, "no memory to read this scene");
        reportOne(report, context, &last);
        return th_resultNoMemory;
    }
    thFoundError* errors = TH_ITEMS(reader->errors, thFoundError);
    const int32_t count = reader->errors.count;
    if (count == 0)
        return th_resultOk;
    qsort(errors, (size_t)count, sizeof *errors, compareErrors);
    for (int32_t i = 0; i < count; ++i)
        reportOne(report, context, &errors[i].error);
    if (count == MOST_ERRORS) {
        thiFail(&last, th_resultSyntax, "there may be more than these %d errors", MOST_ERRORS);
        reportOne(report, context, &last);
    }
    return errors[0].error.code;
}

// When no more errors are told they are only counted, without the work of wording them.
static bool isFull(thSceneReader* reader)
{
    if (reader->errors.count < MOST_ERRORS)
        return false;
    reader->sink.count += 1;
    return true;
}

#define FORMAT_TEXT(text, format)                                                                  \
    do {                                                                                           \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        vsnprintf(text, sizeof text, format, arguments);                                           \
        va_end(arguments);                                                                         \
    } while (0)

bool thiSceneError(thSceneReader* reader, const thJson* value, const char* format, ...)
{
    char text[sizeof((thError){0}.text)];
    if (isFull(reader))
        return false;
    FORMAT_TEXT(text, format);
    thiReportAt(&reader->sink, th_resultSyntax, value, "%s", text);
    return false;
}

bool thiSceneKeyError(thSceneReader* reader, const thJson* member, const char* format, ...)
{
    char text[sizeof((thError){0}.text)];
    if (isFull(reader))
        return false;
    FORMAT_TEXT(text, format);
    thiReportAtKey(&reader->sink, th_resultSyntax, member, "%s", text);
    return false;
}

const char* thiNumberText(double number, char text[TH_NUMBER_TEXT])
{
    _Static_assert(TH_NUMBER_TEXT >= TH_DECIMAL_SIZE, "numbers fit");
    thiWriteDecimal(number, text);
    return text;
}

bool thiWrongType(thSceneReader* reader, const thJson* value, const char* expected)
{
    char text[TH_SHORT_TEXT];
    switch (value->kind) {
    case th_jsonBool:
        return thiSceneError(reader, value, "expected %s, found %s", expected,
                             value->truth ? "true" : "false");
    case th_jsonNumber:
        return thiSceneError(reader, value, "expected %s, found %s", expected,
                             thiShorten(value->text, text));
    case th_jsonString:
        return thiSceneError(reader, value, "expected %s, found \"%s\"", expected,
                             thiShorten(value->text, text));
    case th_jsonArray:
        return thiSceneError(reader, value, "expected %s, found an array of %d", expected,
                             (int)value->count);
    case th_jsonObject:
        return thiSceneError(reader, value, "expected %s, found an object", expected);
    default:
        return thiSceneError(reader, value, "expected %s, found null", expected);
    }
}

bool thiUnknownName(thSceneReader* reader, const thJson* value, bool byKey, const char* what,
                    const char* const* names, int32_t count)
{
    char text[sizeof((thError){0}.text)];
    if (isFull(reader))
        return false;
    thiTellUnknown(what, byKey ? value->key : value->text, names, count, text, sizeof text);
    return byKey ? thiSceneKeyError(reader, value, "%s", text)
                 : thiSceneError(reader, value, "%s", text);
}

bool thiUnknownMember(thSceneReader* reader, const thJson* value, const char* what,
                      const thJson* object)
{
    const char* names[MOST_NAMES];
    int32_t count = 0;
    for (const thJson* at = object != NULL ? object->first : NULL; at != NULL && count < MOST_NAMES;
         at = at->next)
        names[count++] = at->key;
    return thiUnknownName(reader, value, false, what, names, count);
}

const char* thiUnknownKey(thSceneReader* reader, const thJson* member, const char* const* names,
                          int32_t count)
{
    char shortKey[TH_SHORT_TEXT], there[320];
    if (isFull(reader))
        return NULL;
    const char* shown = thiShorten(member->key, shortKey);
    const char* meant = thiDidYouMean(member->key, names, count);
    if (meant != NULL)
        thiSceneKeyError(reader, member, "unknown key '%s'; did you mean '%s'?", shown, meant);
    else if (count > 0)
        thiSceneKeyError(reader, member, "unknown key '%s', expected: %s", shown,
                         thiJoinNames(names, count, there, sizeof there));
    else
        thiSceneKeyError(reader, member, "unknown key '%s', expected none", shown);
    return meant;
}

void* thiSceneAllocate(thSceneReader* reader, int64_t count, size_t size)
{
    const bool fits = size == 0 || (uint64_t)count <= SIZE_MAX / size;
    const size_t bytes = fits ? (size_t)count * size : SIZE_MAX;
    void* memory = thiArenaAllocate(&reader->scene->arena, bytes);
    if (memory == NULL)
        reader->noMemory = true;
    else
        memset(memory, 0, bytes);
    return memory;
}
