// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The values of a text. Containers that are open hang on each other by their parents, so depth
// costs no stack.

#include "base/json/json_container.h"
#include "base/json/json_number.h"
#include "base/json/json_reader.h"

#include <stdalign.h>
#include <string.h>

const thJsonLimits thiJsonLimits = {.bytes = (size_t)64 << 20, .values = 4000000, .depth = 64};

static bool failExpected(thJsonReader* reader, const char* expected)
{
    char room[TH_FOUND_SIZE];
    const char* found = thiDescribeFound(reader, room);
    const thJson* open = reader->open;
    if (open == NULL || open->line == reader->line)
        return thiFailAt(reader, reader->at, "expected %s, found %s", expected, found);
    // A bracket that is missing is often missing far above.
    return thiFailAt(reader, reader->at, "expected %s, found %s; the %s begins in line %d",
                     expected, found, open->kind == th_jsonObject ? "object" : "array",
                     (int)open->line);
}

static bool isEqual(const char* word, size_t size, const char* other)
{
    return size == strlen(other) && memcmp(word, other, size) == 0;
}

static size_t wordSize(const thJsonReader* reader)
{
    size_t size = 0;
    while (reader->at + size < reader->end && thiIsOfWord(reader->at[size]))
        ++size;
    return size;
}

// Whether the word is what other languages write for numbers that are not finite.
static bool isNotFinite(const char* word, size_t size)
{
    static const char* const names[] = {"NaN", "nan", "Infinity", "infinity", "Inf", "inf"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (isEqual(word, size, names[i]))
            return true;
    return false;
}

static bool failUnknownWord(thJsonReader* reader, size_t size)
{
    static const char* const names[] = {"true", "false", "null"};
    const char* word = reader->at;
    if (isNotFinite(word, size))
        return thiFailAt(reader, word, "JSON knows no %.*s", (int)size, word);
    char text[8] = ""; // what is longer is near none of them
    memcpy(text, word, size < sizeof text ? size : 0);
    const char* meant = thiDidYouMean(text, names, 3);
    if (meant == NULL)
        return failExpected(reader, "a value");
    return thiFailAt(reader, word, "expected a value, found '%s'; did you mean %s?", text, meant);
}

static bool readWord(thJsonReader* reader, thJson* value)
{
    const char* word = reader->at;
    const size_t size = wordSize(reader);
    if (isEqual(word, size, "true") || isEqual(word, size, "false")) {
        value->kind = th_jsonBool;
        value->truth = *word == 't';
    } else if (!isEqual(word, size, "null")) {
        return failUnknownWord(reader, size);
    }
    reader->at += size;
    return true;
}

static bool skipDigits(thJsonReader* reader, const char* expected)
{
    if (!thiIsDigit(thiPeek(reader)))
        return failExpected(reader, expected);
    while (thiIsDigit(thiPeek(reader)))
        reader->at += 1;
    return true;
}

static bool skipWholePart(thJsonReader* reader)
{
    const char* begin = reader->at;
    if (*begin == '-')
        reader->at += 1;
    const char* digits = reader->at;
    const size_t size = wordSize(reader);
    if (isNotFinite(digits, size))
        return thiFailAt(reader, begin, "JSON knows no -%.*s", (int)size, digits);
    if (!skipDigits(reader, "a digit after '-'"))
        return false;
    if (*digits == '0' && reader->at - digits > 1)
        return thiFailAt(reader, begin, "numbers have no leading zeros");
    if (*digits == '0' && (thiPeek(reader) == 'x' || thiPeek(reader) == 'X'))
        return thiFailAt(reader, begin, "JSON knows no hexadecimal numbers");
    return true;
}

static bool skipNumber(thJsonReader* reader)
{
    if (!skipWholePart(reader))
        return false;
    if (thiPeek(reader) == '.') {
        reader->at += 1;
        if (!skipDigits(reader, "a digit after the point"))
            return false;
    }
    if (thiPeek(reader) == 'e' || thiPeek(reader) == 'E') {
        reader->at += 1;
        if (thiPeek(reader) == '+' || thiPeek(reader) == '-')
            reader->at += 1;
        return skipDigits(reader, "a digit in the exponent");
    }
    return true;
}

static bool readNumber(thJsonReader* reader, thJson* value)
{
    const char* begin = reader->at;
    if (!skipNumber(reader))
        return false;
    const size_t size = (size_t)(reader->at - begin);
    char* text = thiTake(reader, size + 1, 1);
    if (text == NULL)
        return false;
    memcpy(text, begin, size);
    text[size] = '\0';
    value->kind = th_jsonNumber;
    value->text = text;
    return thiReadDecimal(begin, size, &value->number) ||
           thiFailAt(reader, begin,
                     "the number is too large, at most 1.7976931348623157e308 is possible");
}

static bool openContainer(thJsonReader* reader, thJson* value)
{
    if (reader->depth >= reader->limits->depth)
        return thiFailWith(reader, th_resultFull,
                           "arrays and objects are nested deeper than %d levels",
                           (int)reader->limits->depth);
    value->kind = *reader->at == '{' ? th_jsonObject : th_jsonArray;
    reader->at += 1;
    reader->depth += 1;
    reader->open = value;
    return true;
}

static void closeContainer(thJsonReader* reader)
{
    reader->at += 1;
    reader->depth -= 1;
    reader->open = reader->open->parent;
}

// Reads a value, of a container only the opening bracket.
static bool readValue(thJsonReader* reader, thJson* value, const char* expected)
{
    const int32_t byte = thiPeek(reader);
    value->line = reader->line;
    value->column = thiColumn(reader, reader->at);
    if (byte == '{' || byte == '[')
        return openContainer(reader, value);
    if (byte == '"') {
        value->kind = th_jsonString;
        return thiReadString(reader, &value->text, &value->count);
    }
    if (byte == '-' || thiIsDigit(byte))
        return readNumber(reader, value);
    if (thiIsOfWord(byte))
        return readWord(reader, value);
    if (byte == '+')
        return thiFailAt(reader, reader->at, "numbers have no leading '+'");
    if (byte == '.')
        return thiFailAt(reader, reader->at, "numbers have a digit before the point");
    if (byte == '\'')
        return thiFailAt(reader, reader->at, "strings stand in double quotes, not in single ones");
    return failExpected(reader, expected);
}

static thJson* makeValue(thJsonReader* reader)
{
    if (reader->valueCount >= reader->limits->values) {
        thiFailWith(reader, th_resultFull, "there are more than %d values",
                    (int)reader->limits->values);
        return NULL;
    }
    reader->valueCount += 1;
    thJson* value = thiTake(reader, sizeof *value, alignof(thJson));
    if (value != NULL)
        *value = (thJson){.parent = reader->open};
    return value;
}

static bool readKey(thJsonReader* reader, thJson* member)
{
    int32_t size;
    member->keyLine = reader->line;
    member->keyColumn = thiColumn(reader, reader->at);
    if (thiPeek(reader) != '"')
        return failExpected(reader, reader->open->count > 0 ? "a key in double quotes"
                                                            : "a key in double quotes or '}'");
    return thiReadString(reader, &member->key, &size);
}

// A key that was there already is reported, and the member not made part of the object.
static bool addMember(thJsonReader* reader, thJson* member)
{
    const thJson* earlier = thiJsonMember(reader->open, member->key);
    if (earlier != NULL) {
        thiReportAtKey(reader->sink, th_resultSyntax, member,
                       "the key stands twice, first in line %d", (int)earlier->keyLine);
        return true;
    }
    thJsonKey* room = thiTake(reader, sizeof *room, alignof(thJsonKey));
    if (room == NULL)
        return false;
    thiAppendMember(reader->open, member, room);
    return true;
}

static bool readMember(thJsonReader* reader)
{
    thJson* member = makeValue(reader);
    if (member == NULL || !readKey(reader, member) || !addMember(reader, member) ||
        !thiSkipSpace(reader))
        return false;
    if (thiPeek(reader) != ':')
        return failExpected(reader, "':' after the key");
    reader->at += 1;
    return thiSkipSpace(reader) && readValue(reader, member, "a value");
}

static bool readItem(thJsonReader* reader)
{
    const char* expected = reader->open->count > 0 ? "a value" : "a value or ']'";
    thJson* item = makeValue(reader);
    if (item == NULL)
        return false;
    thiAppendItem(reader->open, item);
    return readValue(reader, item, expected);
}

static bool readComma(thJsonReader* reader, char bracket)
{
    if (thiPeek(reader) != ',')
        return failExpected(reader, bracket == '}' ? "',' or '}'" : "',' or ']'");
    const thJsonReader comma = *reader;
    reader->at += 1;
    if (!thiSkipSpace(reader))
        return false;
    if (thiPeek(reader) != bracket)
        return true;
    *reader = comma;
    return thiFailAt(reader, reader->at, "JSON allows no comma before '%c'", bracket);
}

// Closes the open container, or reads what it holds next.
static bool readNext(thJsonReader* reader)
{
    const bool isObject = reader->open->kind == th_jsonObject;
    const char bracket = isObject ? '}' : ']';
    if (!thiSkipSpace(reader))
        return false;
    if (thiPeek(reader) == bracket) {
        closeContainer(reader);
        return true;
    }
    if (reader->open->count > 0 && !readComma(reader, bracket))
        return false;
    return isObject ? readMember(reader) : readItem(reader);
}

static bool skipByteOrderMark(thJsonReader* reader)
{
    const size_t size = (size_t)(reader->end - reader->at);
    if (size >= 3 && memcmp(reader->at, "\xef\xbb\xbf", 3) == 0)
        reader->at = reader->lineBegin = reader->at + 3;
    else if (size >= 2 &&
             (memcmp(reader->at, "\xff\xfe", 2) == 0 || memcmp(reader->at, "\xfe\xff", 2) == 0))
        return thiFailAt(reader, reader->at, "expected UTF-8, found UTF-16");
    return true;
}

static thJson* readText(thJsonReader* reader)
{
    if (!skipByteOrderMark(reader) || !thiSkipSpace(reader))
        return NULL;
    thJson* root = makeValue(reader);
    if (root == NULL || !readValue(reader, root, "a value"))
        return NULL;
    while (reader->open != NULL)
        if (!readNext(reader))
            return NULL;
    if (!thiSkipSpace(reader))
        return NULL;
    if (reader->at < reader->end) {
        failExpected(reader, "the end of the text");
        return NULL;
    }
    return root;
}

thJson* thiReadJson(thArena* arena, const char* text, size_t size, const thJsonLimits* limits,
                    thErrorSink* sink)
{
    const size_t most = TH_MIN(limits->bytes, (size_t)INT32_MAX - 1); // columns are 32 bits wide
    if (size > most) {
        thiReportAt(sink, th_resultFull, NULL, "the text has %zu bytes, at most %zu are read", size,
                    most);
        return NULL;
    }
    if (size == 0)
        text = ""; // it may have been NULL
    thJsonReader reader = {.at = text,
                           .end = text + size,
                           .lineBegin = text,
                           .line = 1,
                           .limits = limits,
                           .sink = sink,
                           .arena = arena};
    return readText(&reader);
}
