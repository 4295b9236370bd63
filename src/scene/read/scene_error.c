// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Errors of a scene file: how they are worded.

#include "base/json/json_number.h"
#include "scene/read/scene_read.h"

#include <stdio.h>
#include <string.h>

// Names that are looked at to guess which was meant.
#define MOST_NAMES 1000

// When no more errors are told they are only counted, without the work of wording them.
static bool isFull(thSceneReader* reader)
{
    if (reader->errors.count < TH_MOST_ERRORS)
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
