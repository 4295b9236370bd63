// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// JSON read into a tree that knows where every value stood, and written again. Comments (`//` to
// the end of the line, `/* */`) are allowed. The tree lives in an arena; nothing in it is freed one
// by one. Numbers do not depend on the host's locale nor on its rounding.

#ifndef THRONG_SRC_BASE_JSON_JSON_H
#define THRONG_SRC_BASE_JSON_JSON_H

#include "base/memory.h"

#include <stdbool.h>

typedef enum thJsonKind {
    th_jsonNull = 0,
    th_jsonBool = 1,
    th_jsonNumber = 2,
    th_jsonString = 3,
    th_jsonArray = 4,
    th_jsonObject = 5,
} thJsonKind;

typedef struct thJson thJson;
typedef struct thJsonKey thJsonKey;

struct thJson {
    thJsonKind kind;
    bool truth;                 // of a bool
    int32_t line, column;       // where it begins; 0 if it was in no file [1-based, bytes]
    int32_t count;              // items, members, or bytes of a string
    int32_t index;              // among its siblings
    double number;              // of a number; always finite
    const char* text;           // of a string, or a number as it was written; terminated
    thJson* first;              // item or member
    thJson* last;               // item or member
    thJson* next;               // sibling
    thJson* parent;             // NULL for the root
    const char* key;            // of a member; terminated, without zeros inside
    int32_t keyLine, keyColumn; // where its key begins
    thJsonKey* keys;            // of an object: where to find its members
};

// Where to find a member: one branch of a tree. It branches by one bit of the key; bits grow on the
// way down. A child whose bit is not greater than its parent's is the end of the way: its member
// has the key, or no one.
struct thJsonKey {
    thJson* member;
    size_t bit;
    thJsonKey* children[2];
};

// What a text may hold at most, so that reading takes bounded time and memory: with the default
// limits a few seconds and a GiB at worst.
typedef struct thJsonLimits {
    size_t bytes;
    int32_t values;
    int32_t depth;
} thJsonLimits;

// 64 MiB, 4 million values, 64 levels.
extern const thJsonLimits thiJsonLimits;

// Hears of errors, in the order in which they stand in the text.
typedef void thErrorFcn(void* context, const thError* error);

typedef struct thErrorSink {
    thErrorFcn* report; // NULL: only count
    void* context;
    const char* file; // for thError.file
    int32_t count;    // reported so far
} thErrorSink;

// Reports one error about a value (NULL: about the file as a whole): its place and path are filled
// in.
void thiReportAt(thErrorSink* sink, thResult code, const thJson* value, const char* format, ...)
    TH_PRINTF(4, 5);

// The same about a member's key.
void thiReportAtKey(thErrorSink* sink, thResult code, const thJson* member, const char* format, ...)
    TH_PRINTF(4, 5);

// The same about any place of the file; the path is that of `value`.
void thiReportAtPlace(thErrorSink* sink, thResult code, int32_t line, int32_t column,
                      const thJson* value, const char* format, va_list arguments) TH_PRINTF(6, 0);

// Reads a text. What breaks the syntax ends it (NULL, one error reported); a key that stands twice
// in an object is reported, the second one left out, and reading goes on. NULL also when memory is
// out or a limit is passed, which are reported too. A byte order mark at the beginning is skipped.
thJson* thiReadJson(thArena* arena, const char* text, size_t size, const thJsonLimits* limits,
                    thErrorSink* sink);

// Reads a string in quotes, which `*at` is moved behind. False, with an error reported, if it is
// none.
bool thiReadQuoted(thArena* arena, const char** at, const char** text, thErrorSink* sink);

// Bytes of the UTF-8 character at `at`; 0 if it is none.
size_t thiUtf8Size(const char* at, const char* end);

// The member of an object by that name, or NULL; NULL also if it is no object. Takes time for the
// bytes of the key, however many members there are.
thJson* thiJsonMember(const thJson* object, const char* key);

// Makes a value the last of an array.
void thiAppendItem(thJson* array, thJson* item);

// Makes a member the last of its object, which has no other of this key. The tree keeps `room`.
void thiAppendMember(thJson* object, thJson* member, thJsonKey* room);

// The path of a value: `agents[3].goal`; the root's is empty. Keys that are no plain words are
// quoted: `goals["my door"]`. Cut to fit.
void thiJsonPath(const thJson* value, char* path, size_t size);

// A member of the root whose own members have names that the file gives them. Setting makes one as
// a whole, but a path leads only through one that is there: another name is misspelt.
typedef struct thJsonNames {
    const char* key;
    const char* what;  // one of them is, in errors
    const char* usual; // the name of one that is there while none is written [NULL: none is]
} thJsonNames;

// Sets a value by its path: `assignment` is `path=value`; the value is JSON, or a string where that
// fails to parse. Objects on the way are made, arrays are not: an index must exist. The new value
// has line 0, so that errors about it name the path. False, with an error reported and nothing
// changed, when the path is none; the error's path is then the assignment. The empty path is the
// root, which is made if it is NULL. `names` ends with a keyless one; NULL: there are none.
bool thiJsonSet(thArena* arena, thJson** root, const char* assignment, const thJsonNames* names,
                thErrorSink* sink);

// The nearest of several names to one that is none of them, or one that means the same; NULL if
// there is neither.
const char* thiDidYouMean(const char* name, const char* const* names, int32_t count);

// The beginning of a long text, in whole characters, or the text itself.
#define TH_SHORT_TEXT 48
const char* thiShorten(const char* text, char shortText[TH_SHORT_TEXT]);

// Several names in a row, as many as fit: `a, b, c` or `a, b, ...`.
const char* thiJoinNames(const char* const* names, int32_t count, char* text, size_t size);

// Says that a name is none of several, and which it may be: `no goal 'dor'; did you mean 'door'?`.
void thiTellUnknown(const char* what, const char* name, const char* const* names, int32_t count,
                    char* text, size_t size);

// Writes a text of tokens: commas, indentation and quoting are its job. What is small stays on one
// line. Numbers are written with the fewest digits that read back the same; those that are not
// finite become null. The text ends with its last token: no new line, no zero.
typedef struct thJsonWriter {
    char* buffer; // NULL: only count
    size_t capacity;
    size_t size; // of the text so far, also beyond the capacity
    int32_t depth;
    bool hasItems;  // in the container that is open
    bool onOneLine; // the container that is open, and all in it
    bool afterKey;
    int32_t oneLineDepth; // where `onOneLine` began
} thJsonWriter;

void thiWriteBegin(thJsonWriter* writer, char bracket, bool onOneLine); // '{' or '['
void thiWriteEnd(thJsonWriter* writer, char bracket);                   // '}' or ']'
void thiWriteKey(thJsonWriter* writer, const char* key);
void thiWriteString(thJsonWriter* writer, const char* text);
void thiWriteNumber(thJsonWriter* writer, double number);
void thiWriteBool(thJsonWriter* writer, bool truth);
void thiWriteNull(thJsonWriter* writer);

#endif
