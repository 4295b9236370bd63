// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where a value is, and errors that say so.

#include "base/json/json.h"

#include <stdio.h>
#include <string.h>

// Ends a text that was cut at a whole character of UTF-8.
static void endAtCharacter(char* text, size_t length)
{
    size_t begin = length;
    while (begin > 0 && ((unsigned char)text[begin - 1] & 0xc0) == 0x80)
        --begin;
    if (begin == 0)
        return;
    const unsigned char lead = (unsigned char)text[begin - 1];
    const size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (begin - 1 + size > length)
        text[begin - 1] = '\0';
}

// A text of limited size.
typedef struct Text {
    char* items;
    size_t length, capacity; // without the terminating zero
    bool isCut;
} Text;

static void addText(Text* text, const char* more, size_t size)
{
    const size_t taken = TH_MIN(size, text->capacity - text->length);
    memcpy(text->items + text->length, more, taken);
    text->length += taken;
    text->isCut = text->isCut || taken < size;
}

static bool isPlain(const char* key)
{
    const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    for (const char* at = key; *at != '\0'; ++at)
        if ((unsigned char)*at < 0x80 && strchr(letters, *at) == NULL)
            return false;
    return *key != '\0';
}

static void addStep(Text* text, const thJson* value)
{
    if (value->key == NULL) {
        char index[16];
        addText(text, index, (size_t)snprintf(index, sizeof index, "[%d]", (int)value->index));
    } else if (isPlain(value->key)) {
        addText(text, ".", text->length > 0);
        addText(text, value->key, strlen(value->key));
    } else {
        addText(text, "[", 1);
        thJsonWriter rest = {.buffer = text->items + text->length,
                             .capacity = text->capacity - text->length};
        thiWriteString(&rest, value->key);
        text->length += TH_MIN(rest.size, rest.capacity);
        text->isCut = text->isCut || rest.size > rest.capacity;
        addText(text, "]", 1);
    }
}

void thiJsonPath(const thJson* value, char* path, size_t size)
{
    if (size == 0)
        return;
    int32_t depth = 0;
    for (const thJson* at = value; at->parent != NULL; at = at->parent)
        ++depth;
    Text text = {.items = path, .capacity = size - 1};
    // From the root down. That walks up again for each step, but a full text ends it soon.
    for (; depth > 0 && !text.isCut; --depth) {
        const thJson* step = value;
        for (int32_t i = 1; i < depth; ++i)
            step = step->parent;
        addStep(&text, step);
    }
    path[text.length] = '\0';
    if (text.isCut)
        endAtCharacter(path, text.length);
}

// Words an error whose place is filled in, and tells it.
static void report(thErrorSink* sink, thError* error, const char* format, va_list arguments)
{
    if (sink->file != NULL)
        snprintf(error->file, sizeof error->file, "%s", sink->file);
    const int length = vsnprintf(error->text, sizeof error->text, format, arguments);
    if (length >= (int)sizeof error->text)
        endAtCharacter(error->text, sizeof error->text - 1);
    sink->report(sink->context, error);
}

void thiReportAtPlace(thErrorSink* sink, thResult code, int32_t line, int32_t column,
                      const thJson* value, const char* format, va_list arguments)
{
    sink->count += 1;
    if (sink->report == NULL)
        return;
    thError error = {.code = code, .line = line, .column = column};
    if (value != NULL)
        thiJsonPath(value, error.path, sizeof error.path);
    report(sink, &error, format, arguments);
}

void thiReportAtText(thErrorSink* sink, thResult code, const char* place, const char* format,
                     va_list arguments)
{
    sink->count += 1;
    if (sink->report == NULL)
        return;
    thError error = {.code = code};
    if (snprintf(error.path, sizeof error.path, "%s", place) >= (int)sizeof error.path)
        endAtCharacter(error.path, sizeof error.path - 1);
    report(sink, &error, format, arguments);
}

void thiReportAt(thErrorSink* sink, thResult code, const thJson* value, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    thiReportAtPlace(sink, code, value != NULL ? value->line : 0, value != NULL ? value->column : 0,
                     value, format, arguments);
    va_end(arguments);
}

void thiReportAtKey(thErrorSink* sink, thResult code, const thJson* member, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    thiReportAtPlace(sink, code, member->keyLine, member->keyColumn, member, format, arguments);
    va_end(arguments);
}
