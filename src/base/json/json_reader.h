// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A text that is being read as JSON: where we are, what was found there, memory for what is made of
// it. Functions that return bool have reported an error when it is false.

#ifndef THRONG_SRC_BASE_JSON_READER_H
#define THRONG_SRC_BASE_JSON_READER_H

#include "base/json/json.h"

typedef struct thJsonReader {
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
} thJsonReader;

// The next byte, negative at the end.
static inline int32_t thiPeek(const thJsonReader* reader)
{
    return reader->at < reader->end ? (unsigned char)*reader->at : -1;
}

static inline int32_t thiColumn(const thJsonReader* reader, const char* at)
{
    return (int32_t)(at - reader->lineBegin) + 1;
}

static inline bool thiIsDigit(int32_t byte)
{
    return byte >= '0' && byte <= '9';
}

// Letters, digits, and what else names are made of in many languages.
static inline bool thiIsOfWord(int32_t byte)
{
    return thiIsDigit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           byte == '_' || byte == '$';
}

// Reports an error in the current line and returns false.
bool thiFailAt(thJsonReader* reader, const char* at, const char* format, ...) TH_PRINTF(3, 4);

// The same with a code other than th_resultSyntax, at the current place.
bool thiFailWith(thJsonReader* reader, thResult code, const char* format, ...) TH_PRINTF(3, 4);

// Says what stands at the current place, for errors.
#define TH_FOUND_SIZE 48
const char* thiDescribeFound(const thJsonReader* reader, char found[TH_FOUND_SIZE]);

// Skips spaces, line ends and comments.
bool thiSkipSpace(thJsonReader* reader);

// Memory that lives as long as the arena. NULL, and the error is reported, if there is none.
void* thiTake(thJsonReader* reader, size_t size, size_t alignment);

// Bytes of the UTF-8 character at `at`; 0 if it is none.
size_t thiUtf8Size(const char* at, const char* end);

// Reads a string from its opening quote to its closing one. Its size is that of the text.
bool thiReadString(thJsonReader* reader, const char** text, int32_t* size);

#endif
