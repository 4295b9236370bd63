// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A text of JSON read into a tree. Containers that are open hang on each other by their parents, so
// depth costs no stack; what breaks the syntax is told with what was expected and what was found.

#include "base/json/json.h"
#include "base/json/json_number.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

const thJsonLimits thiJsonLimits = {.bytes = (size_t)64 << 20, .values = 4000000, .depth = 64};

// A text that is being read: where we are, what was found there, memory for what is made of it.
// Functions that return bool have reported an error when it is false.
typedef struct Reader {
    const char* at;
    const char* end;
    const char* lineBegin;
    int32_t line;
    int32_t depth;      // of the container that is open
    int32_t valueCount; // so far
    thJson* open;       // the innermost container that is not closed yet
    const thJsonLimits* limits;
    thErrorSink* sink;
    thArena* arena;
    char* room; // of the arena's, for small pieces
    size_t roomSize;
} Reader;

// The next byte, negative at the end.
static int32_t peek(const Reader* reader)
{
    return reader->at < reader->end ? (unsigned char)*reader->at : -1;
}

static int32_t columnOf(const Reader* reader, const char* at)
{
    return (int32_t)(at - reader->lineBegin) + 1;
}

static bool isDigit(int32_t byte)
{
    return byte >= '0' && byte <= '9';
}

// Letters, digits, and what else names are made of in many languages.
static bool isOfWord(int32_t byte)
{
    return isDigit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           byte == '_' || byte == '$';
}

size_t thiUtf8Size(const char* at, const char* end)
{
    const unsigned char* bytes = (const unsigned char*)at;
    const unsigned lead = bytes[0];
    if (lead < 0x80)
        return 1;
    const size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || (size_t)(end - at) < size)
        return 0;
    for (size_t i = 1; i < size; ++i)
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    // The second byte tells longer forms than needed, halves of pairs, and what is above U+10FFFF.
    const unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    return bytes[1] >= low && bytes[1] <= high ? size : 0;
}

// Reports an error in the current line and returns false.
TH_PRINTF(3, 4)
static bool failAt(Reader* reader, const char* at, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    thiReportAtPlace(reader->sink, th_resultSyntax, reader->line, columnOf(reader, at),
                     reader->open, format, arguments);
    va_end(arguments);
    return false;
}

// The same with a code other than th_resultSyntax, at the current place.
TH_PRINTF(3, 4)
static bool failWith(Reader* reader, thResult code, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    thiReportAtPlace(reader->sink, code, reader->line, columnOf(reader, reader->at), reader->open,
                     format, arguments);
    va_end(arguments);
    return false;
}

// Says what stands at the current place, for errors.
#define FOUND_SIZE 48

static const char* describeFound(const Reader* reader, char found[FOUND_SIZE])
{
    const char* at = reader->at;
    const int32_t byte = peek(reader);
    if (byte < 0)
        return "the end of the text";
    if (byte == '\n' || byte == '\r')
        return "the end of the line";
    size_t size = thiUtf8Size(at, reader->end);
    if (size == 0 || byte < ' ' || byte == 0x7f) {
        snprintf(found, FOUND_SIZE, "byte 0x%02x", (unsigned)byte);
        return found;
    }
    if (isOfWord(byte))
        while (size < FOUND_SIZE - 3 && at + size < reader->end && isOfWord(at[size]))
            ++size;
    snprintf(found, FOUND_SIZE, "'%.*s'", (int)size, at);
    return found;
}

// A line ends with \n, \r\n or \r.
static void skipLineEnd(Reader* reader)
{
    const bool isReturn = *reader->at == '\r';
    reader->at += 1;
    if (isReturn && peek(reader) == '\n')
        reader->at += 1;
    reader->line += 1;
    reader->lineBegin = reader->at;
}

static void skipLineComment(Reader* reader)
{
    while (reader->at < reader->end && *reader->at != '\n' && *reader->at != '\r')
        reader->at += 1;
}

static bool skipBlockComment(Reader* reader)
{
    const Reader begin = *reader;
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
    return failAt(reader, reader->at, "expected */ at the end of this comment");
}

static bool skipComment(Reader* reader)
{
    const char second = reader->end - reader->at >= 2 ? reader->at[1] : '\0';
    if (second == '*')
        return skipBlockComment(reader);
    if (second != '/')
        return failAt(reader, reader->at, "expected // or /*, found a lone '/'");
    skipLineComment(reader);
    return true;
}

// Skips spaces, line ends and comments.
static bool skipSpace(Reader* reader)
{
    for (;;) {
        switch (peek(reader)) {
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

// Memory that lives as long as the arena. NULL, and the error is reported, if there is none.
static void* take(Reader* reader, size_t size, size_t alignment)
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
        failWith(reader, th_resultNoMemory, "no memory to read further");
        return NULL;
    }
    if (!isLarge) {
        reader->room = taken + size;
        reader->roomSize = ROOM_SIZE - size;
    }
    return taken;
}

static char* putUtf8(char* to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    const uint32_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3; // bytes behind the first
    const uint32_t mark[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(mark[more] | code >> 6 * more);
    for (uint32_t i = more; i > 0; --i)
        *to++ = (char)(0x80 | (code >> 6 * (i - 1) & 0x3f));
    return to;
}

// The closing quote, or NULL if the line ends first.
static const char* findQuote(const Reader* reader)
{
    const char* at = reader->at + 1;
    for (; at < reader->end && *at != '"'; ++at) {
        if (*at == '\\' && at + 1 < reader->end)
            ++at;
        if (*at == '\n' || *at == '\r')
            return NULL;
    }
    return at < reader->end ? at : NULL;
}

// The number that four hexadecimal digits behind \u say; negative if they do not.
static int32_t readHex(const char* at, const char* end)
{
    int32_t number = 0;
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int32_t i = 2; i < 6; ++i) {
        const char digit = at[i];
        if (isDigit(digit))
            number = 16 * number + (digit - '0');
        else if (digit >= 'a' && digit <= 'f')
            number = 16 * number + (digit - 'a' + 10);
        else if (digit >= 'A' && digit <= 'F')
            number = 16 * number + (digit - 'A' + 10);
        else
            return -1;
    }
    return number;
}

static bool isFirstHalf(int32_t code)
{
    return code >= 0xd800 && code < 0xdc00;
}

static bool isSecondHalf(int32_t code)
{
    return code >= 0xdc00 && code < 0xe000;
}

static bool readNumberedCharacter(Reader* reader, const char* end, char** to)
{
    const char* at = reader->at;
    int32_t code = readHex(at, end);
    if (code < 0)
        return failAt(reader, at, "expected four hexadecimal digits after \\u");
    if (code == 0)
        return failAt(reader, at, "strings hold no character 0");
    if (isSecondHalf(code))
        return failAt(reader, at, "\\u%04x is the second half of a pair, without the first",
                      (unsigned)code);
    reader->at += 6;
    if (isFirstHalf(code)) {
        const int32_t second = readHex(reader->at, end);
        if (!isSecondHalf(second))
            return failAt(reader, at,
                          "\\u%04x is the first half of a pair, expected the second after it",
                          (unsigned)code);
        code = 0x10000 + (code - 0xd800) * 0x400 + (second - 0xdc00);
        reader->at += 6;
    }
    *to = putUtf8(*to, (uint32_t)code);
    return true;
}

static bool readEscape(Reader* reader, const char* end, char** to)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char name = reader->at[1]; // not the end: a quote there would be no closing one
    if (name == 'u')
        return readNumberedCharacter(reader, end, to);
    const char* found = memchr(names, name, sizeof names - 1);
    if (found == NULL)
        return failAt(reader, reader->at, "expected one of \" \\ / b f n r t u after this \\");
    *(*to)++ = meanings[found - names];
    reader->at += 2;
    return true;
}

static bool readCharacter(Reader* reader, const char* end, char** to)
{
    const unsigned byte = (unsigned char)*reader->at;
    if (byte == '\\')
        return readEscape(reader, end, to);
    if (byte == 0)
        return failAt(reader, reader->at, "strings hold no character 0");
    if (byte < ' ')
        return failAt(reader, reader->at,
                      "strings hold no control characters, write \\u%04x for this one", byte);
    const size_t size = thiUtf8Size(reader->at, end);
    if (size == 0)
        return failAt(reader, reader->at, "expected UTF-8, found byte 0x%02x", byte);
    memcpy(*to, reader->at, size);
    *to += size;
    reader->at += size;
    return true;
}

// Reads a string from its opening quote to its closing one: valid UTF-8 without zeros. Its size is
// that of the text.
static bool readString(Reader* reader, const char** text, int32_t* size)
{
    const char* quote = findQuote(reader);
    if (quote == NULL)
        return failAt(reader, reader->at, "expected '\"' at the end of this string");
    // Escapes only get shorter, so that the place of the opening quote is left for the end.
    char* begin = take(reader, (size_t)(quote - reader->at), 1);
    if (begin == NULL)
        return false;
    char* to = begin;
    reader->at += 1;
    while (reader->at < quote)
        if (!readCharacter(reader, quote, &to))
            return false;
    reader->at += 1;
    *to = '\0';
    *text = begin;
    *size = (int32_t)(to - begin);
    return true;
}

bool thiReadQuoted(thArena* arena, const char** at, const char** text, thErrorSink* sink)
{
    int32_t size;
    Reader reader = {.at = *at,
                     .end = *at + strlen(*at),
                     .lineBegin = *at,
                     .line = 1,
                     .sink = sink,
                     .arena = arena};
    if (!readString(&reader, text, &size))
        return false;
    *at = reader.at;
    return true;
}

static bool failExpected(Reader* reader, const char* expected)
{
    char room[FOUND_SIZE];
    const char* found = describeFound(reader, room);
    const thJson* open = reader->open;
    if (open == NULL || open->line == reader->line)
        return failAt(reader, reader->at, "expected %s, found %s", expected, found);
    // A bracket that is missing is often missing far above.
    return failAt(reader, reader->at, "expected %s, found %s; the %s begins in line %d", expected,
                  found, open->kind == th_jsonObject ? "object" : "array", (int)open->line);
}

static bool isEqual(const char* word, size_t size, const char* other)
{
    return size == strlen(other) && memcmp(word, other, size) == 0;
}

static size_t wordSize(const Reader* reader)
{
    size_t size = 0;
    while (reader->at + size < reader->end && isOfWord(reader->at[size]))
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

static bool failUnknownWord(Reader* reader, size_t size)
{
    static const char* const names[] = {"true", "false", "null"};
    const char* word = reader->at;
    if (isNotFinite(word, size))
        return failAt(reader, word, "JSON knows no %.*s", (int)size, word);
    char text[8] = ""; // what is longer is near none of them
    memcpy(text, word, size < sizeof text ? size : 0);
    const char* meant = thiDidYouMean(text, names, 3);
    if (meant == NULL)
        return failExpected(reader, "a value");
    return failAt(reader, word, "expected a value, found '%s'; did you mean %s?", text, meant);
}

static bool readWord(Reader* reader, thJson* value)
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

static bool skipDigits(Reader* reader, const char* expected)
{
    if (!isDigit(peek(reader)))
        return failExpected(reader, expected);
    while (isDigit(peek(reader)))
        reader->at += 1;
    return true;
}

static bool skipWholePart(Reader* reader)
{
    const char* begin = reader->at;
    if (*begin == '-')
        reader->at += 1;
    const char* digits = reader->at;
    const size_t size = wordSize(reader);
    if (isNotFinite(digits, size))
        return failAt(reader, begin, "JSON knows no -%.*s", (int)size, digits);
    if (!skipDigits(reader, "a digit after '-'"))
        return false;
    if (*digits == '0' && reader->at - digits > 1)
        return failAt(reader, begin, "numbers have no leading zeros");
    if (*digits == '0' && (peek(reader) == 'x' || peek(reader) == 'X'))
        return failAt(reader, begin, "JSON knows no hexadecimal numbers");
    return true;
}

static bool skipNumber(Reader* reader)
{
    if (!skipWholePart(reader))
        return false;
    if (peek(reader) == '.') {
        reader->at += 1;
        if (!skipDigits(reader, "a digit after the point"))
            return false;
    }
    if (peek(reader) == 'e' || peek(reader) == 'E') {
        reader->at += 1;
        if (peek(reader) == '+' || peek(reader) == '-')
            reader->at += 1;
        return skipDigits(reader, "a digit in the exponent");
    }
    return true;
}

static bool readNumber(Reader* reader, thJson* value)
{
    const char* begin = reader->at;
    if (!skipNumber(reader))
        return false;
    const size_t size = (size_t)(reader->at - begin);
    char* text = take(reader, size + 1, 1);
    if (text == NULL)
        return false;
    memcpy(text, begin, size);
    text[size] = '\0';
    value->kind = th_jsonNumber;
    value->text = text;
    return thiReadDecimal(begin, size, &value->number) ||
           failAt(reader, begin,
                  "the number is too large, at most 1.7976931348623157e308 is possible");
}

static bool openContainer(Reader* reader, thJson* value)
{
    if (reader->depth >= reader->limits->depth)
        return failWith(reader, th_resultFull,
                        "arrays and objects are nested deeper than %d levels",
                        (int)reader->limits->depth);
    value->kind = *reader->at == '{' ? th_jsonObject : th_jsonArray;
    reader->at += 1;
    reader->depth += 1;
    reader->open = value;
    return true;
}

static void closeContainer(Reader* reader)
{
    reader->at += 1;
    reader->depth -= 1;
    reader->open = reader->open->parent;
}

// Reads a value, of a container only the opening bracket.
static bool readValue(Reader* reader, thJson* value, const char* expected)
{
    const int32_t byte = peek(reader);
    value->line = reader->line;
    value->column = columnOf(reader, reader->at);
    if (byte == '{' || byte == '[')
        return openContainer(reader, value);
    if (byte == '"') {
        value->kind = th_jsonString;
        return readString(reader, &value->text, &value->count);
    }
    if (byte == '-' || isDigit(byte))
        return readNumber(reader, value);
    if (isOfWord(byte))
        return readWord(reader, value);
    if (byte == '+')
        return failAt(reader, reader->at, "numbers have no leading '+'");
    if (byte == '.')
        return failAt(reader, reader->at, "numbers have a digit before the point");
    if (byte == '\'')
        return failAt(reader, reader->at, "strings stand in double quotes, not in single ones");
    return failExpected(reader, expected);
}

static thJson* makeValue(Reader* reader)
{
    if (reader->valueCount >= reader->limits->values) {
        failWith(reader, th_resultFull, "there are more than %d values",
                 (int)reader->limits->values);
        return NULL;
    }
    reader->valueCount += 1;
    thJson* value = take(reader, sizeof *value, alignof(thJson));
    if (value != NULL)
        *value = (thJson){.parent = reader->open};
    return value;
}

static bool readKey(Reader* reader, thJson* member)
{
    int32_t size;
    member->keyLine = reader->line;
    member->keyColumn = columnOf(reader, reader->at);
    if (peek(reader) != '"')
        return failExpected(reader, reader->open->count > 0 ? "a key in double quotes"
                                                            : "a key in double quotes or '}'");
    return readString(reader, &member->key, &size);
}

// A key that was there already is reported, and the member not made part of the object.
static bool addMember(Reader* reader, thJson* member)
{
    const thJson* earlier = thiJsonMember(reader->open, member->key);
    if (earlier != NULL) {
        thiReportAtKey(reader->sink, th_resultSyntax, member,
                       "the key stands twice, first in line %d", (int)earlier->keyLine);
        return true;
    }
    thJsonKey* room = take(reader, sizeof *room, alignof(thJsonKey));
    if (room == NULL)
        return false;
    thiAppendMember(reader->open, member, room);
    return true;
}

static bool readMember(Reader* reader)
{
    thJson* member = makeValue(reader);
    if (member == NULL || !readKey(reader, member) || !addMember(reader, member) ||
        !skipSpace(reader))
        return false;
    if (peek(reader) != ':')
        return failExpected(reader, "':' after the key");
    reader->at += 1;
    return skipSpace(reader) && readValue(reader, member, "a value");
}

static bool readItem(Reader* reader)
{
    const char* expected = reader->open->count > 0 ? "a value" : "a value or ']'";
    thJson* item = makeValue(reader);
    if (item == NULL)
        return false;
    thiAppendItem(reader->open, item);
    return readValue(reader, item, expected);
}

static bool readComma(Reader* reader, char bracket)
{
    if (peek(reader) != ',')
        return failExpected(reader, bracket == '}' ? "',' or '}'" : "',' or ']'");
    const Reader comma = *reader;
    reader->at += 1;
    if (!skipSpace(reader))
        return false;
    if (peek(reader) != bracket)
        return true;
    *reader = comma;
    return failAt(reader, reader->at, "JSON allows no comma before '%c'", bracket);
}

// Closes the open container, or reads what it holds next.
static bool readNext(Reader* reader)
{
    const bool isObject = reader->open->kind == th_jsonObject;
    const char bracket = isObject ? '}' : ']';
    if (!skipSpace(reader))
        return false;
    if (peek(reader) == bracket) {
        closeContainer(reader);
        return true;
    }
    if (reader->open->count > 0 && !readComma(reader, bracket))
        return false;
    return isObject ? readMember(reader) : readItem(reader);
}

static bool skipByteOrderMark(Reader* reader)
{
    const size_t size = (size_t)(reader->end - reader->at);
    if (size >= 3 && memcmp(reader->at, "\xef\xbb\xbf", 3) == 0)
        reader->at = reader->lineBegin = reader->at + 3;
    else if (size >= 2 &&
             (memcmp(reader->at, "\xff\xfe", 2) == 0 || memcmp(reader->at, "\xfe\xff", 2) == 0))
        return failAt(reader, reader->at, "expected UTF-8, found UTF-16");
    return true;
}

static thJson* readText(Reader* reader)
{
    if (!skipByteOrderMark(reader) || !skipSpace(reader))
        return NULL;
    thJson* root = makeValue(reader);
    if (root == NULL || !readValue(reader, root, "a value"))
        return NULL;
    while (reader->open != NULL)
        if (!readNext(reader))
            return NULL;
    if (!skipSpace(reader))
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
    Reader reader = {.at = text,
                     .end = text + size,
                     .lineBegin = text,
                     .line = 1,
                     .limits = limits,
                     .sink = sink,
                     .arena = arena};
    return readText(&reader);
}
