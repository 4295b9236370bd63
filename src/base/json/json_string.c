// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Strings of JSON: what stands between the quotes becomes valid UTF-8 without zeros.

#include "base/json/json_reader.h"

#include <string.h>

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
static const char* findQuote(const thJsonReader* reader)
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
        if (thiIsDigit(digit))
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

static bool readNumberedCharacter(thJsonReader* reader, const char* end, char** to)
{
    const char* at = reader->at;
    int32_t code = readHex(at, end);
    if (code < 0)
        return thiFailAt(reader, at, "expected four hexadecimal digits after \\u");
    if (code == 0)
        return thiFailAt(reader, at, "strings hold no character 0");
    if (isSecondHalf(code))
        return thiFailAt(reader, at, "\\u%04x is the second half of a pair, without the first",
                         (unsigned)code);
    reader->at += 6;
    if (isFirstHalf(code)) {
        const int32_t second = readHex(reader->at, end);
        if (!isSecondHalf(second))
            return thiFailAt(reader, at,
                             "\\u%04x is the first half of a pair, expected the second after it",
                             (unsigned)code);
        code = 0x10000 + (code - 0xd800) * 0x400 + (second - 0xdc00);
        reader->at += 6;
    }
    *to = putUtf8(*to, (uint32_t)code);
    return true;
}

static bool readEscape(thJsonReader* reader, const char* end, char** to)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char name = reader->at[1]; // not the end: a quote there would be no closing one
    if (name == 'u')
        return readNumberedCharacter(reader, end, to);
    const char* found = memchr(names, name, sizeof names - 1);
    if (found == NULL)
        return thiFailAt(reader, reader->at, "expected one of \" \\ / b f n r t u after this \\");
    *(*to)++ = meanings[found - names];
    reader->at += 2;
    return true;
}

static bool readCharacter(thJsonReader* reader, const char* end, char** to)
{
    const unsigned byte = (unsigned char)*reader->at;
    if (byte == '\\')
        return readEscape(reader, end, to);
    if (byte == 0)
        return thiFailAt(reader, reader->at, "strings hold no character 0");
    if (byte < ' ')
        return thiFailAt(reader, reader->at,
                         "strings hold no control characters, write \\u%04x for this one", byte);
    const size_t size = thiUtf8Size(reader->at, end);
    if (size == 0)
        return thiFailAt(reader, reader->at, "expected UTF-8, found byte 0x%02x", byte);
    memcpy(*to, reader->at, size);
    *to += size;
    reader->at += size;
    return true;
}

bool thiReadString(thJsonReader* reader, const char** text, int32_t* size)
{
    const char* quote = findQuote(reader);
    if (quote == NULL)
        return thiFailAt(reader, reader->at, "expected '\"' at the end of this string");
    // Escapes only get shorter, so that the place of the opening quote is left for the end.
    char* begin = thiTake(reader, (size_t)(quote - reader->at), 1);
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
