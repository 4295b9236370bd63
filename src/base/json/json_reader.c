// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "base/json/json_reader.h"

#include <stdio.h>
#include <string.h>

bool thiFailAt(thJsonReader* reader, const char* at, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    thiReportAtPlace(reader->sink, th_resultSyntax, reader->line, thiColumn(reader, at),
                     reader->open, format, arguments);
    va_end(arguments);
    return false;
}

bool thiFailWith(thJsonReader* reader, thResult code, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    thiReportAtPlace(reader->sink, code, reader->line, thiColumn(reader, reader->at), reader->open,
                     format, arguments);
    va_end(arguments);
    return false;
}

const char* thiDescribeFound(const thJsonReader* reader, char found[TH_FOUND_SIZE])
{
    const char* at = reader->at;
    const int32_t byte = thiPeek(reader);
    if (byte < 0)
        return "the end of the text";
    if (byte == '\n' || byte == '\r')
        return "the end of the line";
    size_t size = thiUtf8Size(at, reader->end);
    if (size == 0 || byte < ' ' || byte == 0x7f) {
        snprintf(found, TH_FOUND_SIZE, "byte 0x%02x", (unsigned)byte);
        return found;
    }
    if (thiIsOfWord(byte))
        while (size < TH_FOUND_SIZE - 3 && at + size < reader->end && thiIsOfWord(at[size]))
            ++size;
    snprintf(found, TH_FOUND_SIZE, "'%.*s'", (int)size, at);
    return found;
}

// A line ends with \n, \r\n or \r.
static void skipLineEnd(thJsonReader* reader)
{
    const bool isReturn = *reader->at == '\r';
    reader->at += 1;
    if (isReturn && thiPeek(reader) == '\n')
        reader->at += 1;
    reader->line += 1;
    reader->lineBegin = reader->at;
}

static void skipLineComment(thJsonReader* reader)
{
    while (reader->at < reader->end && *reader->at != '\n' && *reader->at != '\r')
        reader->at += 1;
}

static bool skipBlockComment(thJsonReader* reader)
{
    const thJsonReader begin = *reader;
    reader->at += 2;
    while (reader->end - reader->at >= 2) {
        if (reader->at[0] == '*' && reader->at[1] == '/') {
            reader->at += 2;
            return true;
        }
        if (*reader->at == '\n' || *reader->at == '\r')
            skipLineEnd(reader);
        else
            reader->at += 1;
    }
    *reader = begin;
    return thiFailAt(reader, reader->at, "expected */ at the end of this comment");
}

static bool skipComment(thJsonReader* reader)
{
    const char second = reader->end - reader->at >= 2 ? reader->at[1] : '\0';
    if (second == '*')
        return skipBlockComment(reader);
    if (second != '/')
        return thiFailAt(reader, reader->at, "expected // or /*, found a lone '/'");
    skipLineComment(reader);
    return true;
}

bool thiSkipSpace(thJsonReader* reader)
{
    for (;;) {
        switch (thiPeek(reader)) {
        case ' ':
        case '\t':
            reader->at += 1;
            break;
        case '\n':
        case '\r':
            skipLineEnd(reader);
            break;
        case '/':
            if (!skipComment(reader))
                return false;
            break;
        default:
            return true;
        }
    }
}

// The arena gives whole cache lines, too much for each value and each key.
#define ROOM_SIZE ((size_t)4096)

void* thiTake(thJsonReader* reader, size_t size, size_t alignment)
{
    const size_t padding = (size_t)(-(uintptr_t)reader->room & (alignment - 1));
    if (padding + size <= reader->roomSize) {
        char* taken = reader->room + padding;
        reader->room = taken + size;
        reader->roomSize -= padding + size;
        return taken;
    }
    const bool isLarge = size > ROOM_SIZE / 4; // what is left of the room may serve others
    char* taken = thiArenaAllocate(reader->arena, isLarge ? size : ROOM_SIZE);
    if (taken == NULL) {
        thiFailWith(reader, th_resultNoMemory, "no memory to read further");
        return NULL;
    }
    if (!isLarge) {
        reader->room = taken + size;
        reader->roomSize = ROOM_SIZE - size;
    }
    return taken;
}
