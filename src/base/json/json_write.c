// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A text of JSON written token by token.

#include "base/json/json.h"
#include "base/json/json_number.h"

#include <math.h>
#include <string.h>

static void put(thJsonWriter* writer, const char* text, size_t size)
{
    if (writer->buffer != NULL && writer->size < writer->capacity)
        memcpy(writer->buffer + writer->size, text, TH_MIN(size, writer->capacity - writer->size));
    writer->size += size;
}

static void putText(thJsonWriter* writer, const char* text)
{
    put(writer, text, strlen(text));
}

static void beginLine(thJsonWriter* writer)
{
    putText(writer, "\n");
    for (int32_t i = 0; i < writer->depth; ++i)
        putText(writer, "  ");
}

// What stands between the last token and a new key or value.
static void separate(thJsonWriter* writer)
{
    if (writer->afterKey) {
        writer->afterKey = false;
        return;
    }
    if (writer->hasItems)
        putText(writer, writer->onOneLine ? ", " : ",");
    if (writer->depth > 0 && !writer->onOneLine)
        beginLine(writer);
    writer->hasItems = true;
}

void thiWriteBegin(thJsonWriter* writer, char bracket, bool onOneLine)
{
    separate(writer);
    put(writer, &bracket, 1);
    writer->depth += 1;
    writer->hasItems = false;
    if (onOneLine && !writer->onOneLine) {
        writer->onOneLine = true;
        writer->oneLineDepth = writer->depth;
    }
}

void thiWriteEnd(thJsonWriter* writer, char bracket)
{
    TH_ASSERT(writer->depth > 0 && !writer->afterKey);
    writer->depth -= 1;
    if (writer->hasItems && !writer->onOneLine)
        beginLine(writer);
    put(writer, &bracket, 1);
    if (writer->depth < writer->oneLineDepth)
        writer->onOneLine = false;
    writer->hasItems = true;
}

static void putCharacter(thJsonWriter* writer, char character)
{
    const char hex[] = "0123456789abcdef";
    switch (character) {
    case '"':
        putText(writer, "\\\"");
        break;
    case '\\':
        putText(writer, "\\\\");
        break;
    case '\n':
        putText(writer, "\\n");
        break;
    case '\t':
        putText(writer, "\\t");
        break;
    default:
        if ((unsigned char)character < 0x20) {
            putText(writer, "\\u00");
            put(writer, &hex[character >> 4], 1);
            put(writer, &hex[character & 15], 1);
        } else {
            put(writer, &character, 1);
        }
    }
}

static void putString(thJsonWriter* writer, const char* text)
{
    putText(writer, "\"");
    for (; *text != '\0'; ++text)
        putCharacter(writer, *text);
    putText(writer, "\"");
}

void thiWriteKey(thJsonWriter* writer, const char* key)
{
    TH_ASSERT(!writer->afterKey);
    separate(writer);
    putString(writer, key);
    putText(writer, ": ");
    writer->afterKey = true;
}

void thiWriteString(thJsonWriter* writer, const char* text)
{
    separate(writer);
    putString(writer, text);
}

void thiWriteNumber(thJsonWriter* writer, double number)
{
    char text[TH_DECIMAL_SIZE];
    if (!isfinite(number)) {
        thiWriteNull(writer);
        return;
    }
    separate(writer);
    put(writer, text, thiWriteDecimal(number, text));
}

void thiWriteBool(thJsonWriter* writer, bool truth)
{
    separate(writer);
    putText(writer, truth ? "true" : "false");
}

void thiWriteNull(thJsonWriter* writer)
{
    separate(writer);
    putText(writer, "null");
}
