// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of JSON share: reading with the errors kept, trees that are compared, random
// documents.

#ifndef THRONG_TESTS_BASE_JSON_GEAR_H
#define THRONG_TESTS_BASE_JSON_GEAR_H

#include "base/json/json.h"
#include "gear/property.h"

#define KEPT_ERRORS 8

typedef struct JsonTest {
    thMemory memory;
    thArena arena;
    thErrorSink sink;
    thError errors[KEPT_ERRORS]; // the first ones
} JsonTest;

// NULL stands for the default allocator.
void jsonTestInit(JsonTest* test, const thAllocator* allocator);
void jsonTestFree(JsonTest* test);

// Forgets what was read and reported.
void jsonTestReset(JsonTest* test);

// Reads with the default limits.
thJson* readBytes(JsonTest* test, const char* text, size_t size);
thJson* readJson(JsonTest* test, const char* text);

// Same values, keys and order; places and the spelling of numbers do not matter.
bool isSameTree(const thJson* a, const thJson* b);

void writeTree(thJsonWriter* writer, const thJson* value, bool onOneLine);

// The tree as text, terminated; to be freed.
char* treeText(const thJson* value, bool onOneLine);

// A text that grows.
typedef struct TextBuffer {
    char* items;
    size_t size, capacity;
} TextBuffer;

void addBytes(TextBuffer* text, const void* bytes, size_t size);
void addString(TextBuffer* text, const char* string);

typedef struct DocumentStyle {
    bool hasComments;
    int32_t depth; // at most
} DocumentStyle;

// Adds a random valid document of about `size` values without duplicate keys, in any layout.
void addDocument(TextBuffer* text, thGenerator* g, int32_t size, DocumentStyle style);

#endif
