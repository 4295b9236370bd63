// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls from well-known text. Points are no walls, so POINT and MULTIPOINT are errors unless they
// are EMPTY.

// It looks like `POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0), (4 2, 6 2, 6 3, 4 3, 4 2))`.
//
// A file holds any number of geometries, separated by white space or semicolons: LINESTRING,
// LINEARRING, POLYGON, MULTILINESTRING, MULTIPOLYGON and GEOMETRYCOLLECTION, in upper or lower
// case, each of them possibly EMPTY and after `SRID=…;`. Of Z and M nothing is kept.

#include "base/json/json_number.h"
#include "scene/walls/geometry.h"

#include <string.h>

// Letters of a word and characters of a number at most; what is longer is none.
#define WORD_SIZE 32
#define NUMBER_SIZE 128

typedef struct WktReader {
    const char* text;
    size_t size;
    size_t at;
    int32_t line;
    size_t lineStart;
    thGeometry* geometry;
    int32_t depth;       // of collections
    int32_t coordinates; // of the points of the present part; 0 before the first
} WktReader;

static int peek(const WktReader* reader)
{
    return reader->at < reader->size ? (unsigned char)reader->text[reader->at] : -1;
}

static void skipSpace(WktReader* reader)
{
    for (int c = peek(reader); c == ' ' || (c >= '\t' && c <= '\r'); c = peek(reader)) {
        reader->at += 1;
        if (c == '\n') {
            reader->line += 1;
            reader->lineStart = reader->at;
        }
    }
}

static int32_t columnOf(const WktReader* reader)
{
    return (int32_t)(reader->at - reader->lineStart) + 1;
}

static bool isLetter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool isNumberPart(int c)
{
    return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
}

// How long the word, the number or the sign is that stands here.
static size_t tokenLength(const WktReader* reader)
{
    size_t end = reader->at;
    if (isLetter(peek(reader)))
        while (end < reader->size && isLetter((unsigned char)reader->text[end]))
            end += 1;
    else
        while (end < reader->size && isNumberPart((unsigned char)reader->text[end]))
            end += 1;
    return end > reader->at ? end - reader->at : 1;
}

// Tells what was expected, and what stands there instead.
static thResult failExpected(const WktReader* reader, const char* expected)
{
    const thGeometry* geometry = reader->geometry;
    const int32_t column = columnOf(reader);
    const int c = peek(reader);
    if (c < 0)
        return thiGeometryError(geometry, reader->line, column,
                                "expected %s, found the end of the file", expected);
    if (c < ' ' || c > '~')
        return thiGeometryError(geometry, reader->line, column, "expected %s, found byte 0x%02x",
                                expected, (unsigned)c);
    const size_t length = tokenLength(reader);
    return thiGeometryError(geometry, reader->line, column, "expected %s, found '%.*s'%s", expected,
                            (int)TH_MIN(length, WORD_SIZE), reader->text + reader->at,
                            length > WORD_SIZE ? "…" : "");
}

static bool skipSign(WktReader* reader, char sign)
{
    skipSpace(reader);
    if (peek(reader) != sign)
        return false;
    reader->at += 1;
    return true;
}

static thResult expectSign(WktReader* reader, char sign, const char* expected)
{
    return skipSign(reader, sign) ? th_resultOk : failExpected(reader, expected);
}

// The host's locale does not matter.
static char upperCase(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

// The word that stands here, in upper case; empty if there is none.
static size_t readWord(const WktReader* reader, char word[WORD_SIZE + 1])
{
    const size_t length = isLetter(peek(reader)) ? tokenLength(reader) : 0;
    word[0] = '\0';
    if (length > WORD_SIZE)
        return 0;
    for (size_t i = 0; i < length; ++i)
        word[i] = upperCase(reader->text[reader->at + i]);
    word[length] = '\0';
    return length;
}

static bool skipWord(WktReader* reader, const char* wanted)
{
    char word[WORD_SIZE + 1];
    skipSpace(reader);
    const size_t length = readWord(reader, word);
    if (strcmp(word, wanted) != 0)
        return false;
    reader->at += length;
    return true;
}

// Numbers.

static size_t countDigits(const char* text, size_t size)
{
    size_t count = 0;
    while (count < size && text[count] >= '0' && text[count] <= '9')
        count += 1;
    return count;
}

// Appends the digits that stand at a place, or a zero if there are none. Returns how many.
static size_t copyDigits(const char* text, size_t size, char* to, size_t* length)
{
    const size_t count = countDigits(text, size);
    memcpy(to + *length, count > 0 ? text : "0", TH_MAX(count, 1));
    *length += TH_MAX(count, 1);
    return count;
}

// WKT has numbers that JSON has not: `+1`, `.5`, `5.` and `007`. Writes them as JSON does and
// returns the length, or 0 if it is no number.
static size_t normalise(const char* text, size_t size, char to[NUMBER_SIZE + 4])
{
    size_t at = 0, length = 0;
    if (size > NUMBER_SIZE)
        return 0;
    if (text[0] == '-')
        to[length++] = '-';
    if (text[0] == '-' || text[0] == '+')
        at += 1;
    while (at + 1 < size && text[at] == '0' && countDigits(text + at + 1, 1) == 1)
        at += 1;
    size_t digits = copyDigits(text + at, size - at, to, &length);
    at += digits;
    if (at < size && text[at] == '.') {
        to[length++] = '.';
        const size_t decimals = copyDigits(text + at + 1, size - at - 1, to, &length);
        at += 1 + decimals;
        digits += decimals;
    }
    if (digits == 0)
        return 0;
    if (at < size && (text[at] == 'e' || text[at] == 'E')) {
        to[length++] = 'e';
        at += 1;
        if (at < size && (text[at] == '-' || text[at] == '+'))
            to[length++] = text[at++];
        const size_t exponent = copyDigits(text + at, size - at, to, &length);
        if (exponent == 0)
            return 0;
        at += exponent;
    }
    return at == size ? length : 0;
}

static thResult readNumber(WktReader* reader, double* number)
{
    char text[NUMBER_SIZE + 4];
    skipSpace(reader);
    const size_t size = isNumberPart(peek(reader)) ? tokenLength(reader) : 0;
    const size_t length = size > 0 ? normalise(reader->text + reader->at, size, text) : 0;
    if (length == 0 || !thiReadDecimal(text, length, number))
        return failExpected(reader, "a number");
    reader->at += size;
    return th_resultOk;
}

// Geometries.

// How many coordinates its points have: 0 stands for two to four.
typedef thResult ItemFcn(WktReader* reader, int32_t coordinates);

static thResult readPoint(WktReader* reader, int32_t coordinates)
{
    thCoord point;
    skipSpace(reader);
    const int32_t line = reader->line, column = columnOf(reader);
    TH_TRY(readNumber(reader, &point.x));
    TH_TRY(readNumber(reader, &point.y));
    const int32_t wanted = coordinates > 0 ? coordinates : reader->coordinates;
    int32_t count = 2;
    for (; count < (wanted > 0 ? wanted : 4); ++count) {
        double dropped;
        skipSpace(reader);
        if (wanted == 0 && !isNumberPart(peek(reader)))
            break;
        TH_TRY(readNumber(reader, &dropped));
    }
    reader->coordinates = count; // a comma that is missing must not make another shape
    return thiAddPartPoint(reader->geometry, point, line, column);
}

// `EMPTY`, or items in parentheses with commas between them.
static thResult readList(WktReader* reader, ItemFcn* readItem, int32_t coordinates)
{
    if (skipWord(reader, "EMPTY"))
        return th_resultOk;
    TH_TRY(expectSign(reader, '(', "'(' or EMPTY"));
    do
        TH_TRY(readItem(reader, coordinates));
    while (skipSign(reader, ','));
    return expectSign(reader, ')', "',' or ')'");
}

static thResult readPart(WktReader* reader, thGeometryKind kind, int32_t coordinates)
{
    skipSpace(reader);
    TH_TRY(thiBeginPart(reader->geometry, kind, reader->line, columnOf(reader)));
    reader->coordinates = 0;
    TH_TRY(readList(reader, readPoint, coordinates));
    return thiEndPart(reader->geometry);
}

static thResult readLine(WktReader* reader, int32_t coordinates)
{
    return skipWord(reader, "EMPTY") ? th_resultOk : readPart(reader, th_geometryLine, coordinates);
}

static thResult readPolygon(WktReader* reader, int32_t coordinates)
{
    if (skipWord(reader, "EMPTY"))
        return th_resultOk;
    TH_TRY(expectSign(reader, '(', "'(' or EMPTY"));
    TH_TRY(readPart(reader, th_geometryOuter, coordinates));
    while (skipSign(reader, ','))
        TH_TRY(readPart(reader, th_geometryHole, coordinates));
    return expectSign(reader, ')', "',' or ')'");
}

static thResult readLines(WktReader* reader, int32_t coordinates)
{
    return readList(reader, readLine, coordinates);
}

static thResult readPolygons(WktReader* reader, int32_t coordinates)
{
    return readList(reader, readPolygon, coordinates);
}

static thResult readNoPoint(WktReader* reader, int32_t coordinates)
{
    (void)coordinates;
    if (skipWord(reader, "EMPTY"))
        return th_resultOk;
    return thiGeometryError(reader->geometry, reader->line, columnOf(reader),
                            "points make no walls; expected lines or polygons");
}

static thResult readGeometry(WktReader* reader, int32_t coordinates);

static thResult readCollection(WktReader* reader, int32_t coordinates)
{
    if (reader->depth == TH_GEOMETRY_DEPTH)
        return thiGeometryError(reader->geometry, reader->line, columnOf(reader),
                                "collections are nested deeper than %d", TH_GEOMETRY_DEPTH);
    reader->depth += 1;
    TH_TRY(readList(reader, readGeometry, coordinates));
    reader->depth -= 1;
    return th_resultOk;
}

static const struct {
    const char* name;
    ItemFcn* read;
} types[] = {
    {"LINESTRING", readLine},       {"LINEARRING", readLine},
    {"POLYGON", readPolygon},       {"MULTILINESTRING", readLines},
    {"MULTIPOLYGON", readPolygons}, {"GEOMETRYCOLLECTION", readCollection},
    {"POINT", readNoPoint},         {"MULTIPOINT", readNoPoint},
};

// How many coordinates a suffix of a type tells; −1 if it is none.
static int32_t coordinatesOf(const char* suffix)
{
    if (suffix[0] == '\0')
        return 0;
    if (strcmp(suffix, "ZM") == 0)
        return 4;
    return strcmp(suffix, "Z") == 0 || strcmp(suffix, "M") == 0 ? 3 : -1;
}

static ItemFcn* findType(const char* word, int32_t* coordinates)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        const size_t length = strlen(types[i].name);
        if (strncmp(word, types[i].name, length) != 0)
            continue;
        *coordinates = coordinatesOf(word + length);
        if (*coordinates >= 0)
            return types[i].read;
    }
    return NULL;
}

static thResult readGeometry(WktReader* reader, int32_t ofCollection)
{
    (void)ofCollection; // members of collections tell their own
    char word[WORD_SIZE + 1];
    skipSpace(reader);
    const size_t length = readWord(reader, word);
    int32_t coordinates = 0;
    ItemFcn* read = findType(word, &coordinates);
    if (read == NULL)
        return failExpected(reader, "LINESTRING, POLYGON, MULTILINESTRING, MULTIPOLYGON or "
                                    "GEOMETRYCOLLECTION");
    reader->at += length;
    skipSpace(reader);
    const size_t suffixLength = coordinates == 0 ? readWord(reader, word) : 0;
    if (suffixLength > 0 && coordinatesOf(word) > 0) {
        coordinates = coordinatesOf(word);
        reader->at += suffixLength;
    }
    skipSpace(reader);
    return read(reader, coordinates);
}

// `SRID=25832;` says which coordinates they are; they are taken as metres in any case.
static thResult skipSrid(WktReader* reader)
{
    double number;
    if (!skipWord(reader, "SRID"))
        return th_resultOk;
    TH_TRY(expectSign(reader, '=', "'='"));
    TH_TRY(readNumber(reader, &number));
    return expectSign(reader, ';', "';'");
}

thResult thiReadWkt(const char* text, size_t size, thGeometry* geometry)
{
    WktReader reader = {.text = text, .size = size, .line = 1, .geometry = geometry};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        reader.at = reader.lineStart = 3; // a byte order mark
    do {
        TH_TRY(skipSrid(&reader));
        TH_TRY(readGeometry(&reader, 0));
        while (skipSign(&reader, ';')) {
        }
        skipSpace(&reader);
    } while (peek(&reader) >= 0);
    return th_resultOk;
}
