// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Documents of JSON for tests: read, compared, written and drawn at random.

#include "base/json_gear.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keepError(void* context, const thError* error)
{
    JsonTest* test = context;
    if (test->sink.count <= KEPT_ERRORS)
        test->errors[test->sink.count - 1] = *error;
}

void jsonTestInit(JsonTest* test, const thAllocator* allocator)
{
    const thAllocator standard = thDefaultAllocator();
    memset(test, 0, sizeof *test);
    thiMemoryInit(&test->memory, allocator != NULL ? allocator : &standard, 0);
    thiArenaInit(&test->arena, &test->memory);
    test->sink = (thErrorSink){.report = keepError, .context = test, .file = "test.json"};
}

void jsonTestFree(JsonTest* test)
{
    thiArenaFree(&test->arena);
}

void jsonTestReset(JsonTest* test)
{
    thiArenaReset(&test->arena);
    test->sink.count = 0;
    memset(test->errors, 0, sizeof test->errors);
}

thJson* readBytes(JsonTest* test, const char* text, size_t size)
{
    return thiReadJson(&test->arena, text, size, &thiJsonLimits, &test->sink);
}

thJson* readJson(JsonTest* test, const char* text)
{
    return readBytes(test, text, strlen(text));
}

static bool isSameText(const char* a, const char* b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool isSameValue(const thJson* a, const thJson* b)
{
    if (a->kind != b->kind || a->count != b->count || a->index != b->index ||
        !isSameText(a->key, b->key))
        return false;
    switch (a->kind) {
    case th_jsonNull:
        return true;
    case th_jsonBool:
        return a->truth == b->truth;
    case th_jsonNumber:
        return memcmp(&a->number, &b->number, sizeof a->number) == 0;
    case th_jsonString:
        return strcmp(a->text, b->text) == 0;
    default: {
        const thJson *x = a->first, *y = b->first;
        for (; x != NULL && y != NULL; x = x->next, y = y->next)
            if (!isSameValue(x, y) || x->parent != a || y->parent != b)
                return false;
        return x == NULL && y == NULL;
    }
    }
}

bool isSameTree(const thJson* a, const thJson* b)
{
    return a == NULL || b == NULL ? a == b : isSameValue(a, b);
}

void writeTree(thJsonWriter* writer, const thJson* value, bool onOneLine)
{
    if (value->key != NULL)
        thiWriteKey(writer, value->key);
    switch (value->kind) {
    case th_jsonNull:
        thiWriteNull(writer);
        break;
    case th_jsonBool:
        thiWriteBool(writer, value->truth);
        break;
    case th_jsonNumber:
        thiWriteNumber(writer, value->number);
        break;
    case th_jsonString:
        thiWriteString(writer, value->text);
        break;
    default:
        thiWriteBegin(writer, value->kind == th_jsonObject ? '{' : '[', onOneLine);
        for (const thJson* child = value->first; child != NULL; child = child->next)
            writeTree(writer, child, onOneLine);
        thiWriteEnd(writer, value->kind == th_jsonObject ? '}' : ']');
    }
}

static void* allocate(void* old, size_t size)
{
    void* memory = realloc(old, size);
    if (memory == NULL)
        abort(); // the machine is out of memory: no test can go on
    return memory;
}

char* treeText(const thJson* value, bool onOneLine)
{
    thJsonWriter counter = {0};
    writeTree(&counter, value, onOneLine);
    char* text = allocate(NULL, counter.size + 1);
    thJsonWriter writer = {.buffer = text, .capacity = counter.size};
    writeTree(&writer, value, onOneLine);
    text[counter.size] = '\0';
    return text;
}

void addBytes(TextBuffer* text, const void* bytes, size_t size)
{
    if (text->size + size > text->capacity) {
        text->capacity = 2 * (text->size + size) + 64;
        text->items = allocate(text->items, text->capacity);
    }
    if (size > 0)
        memcpy(text->items + text->size, bytes, size);
    text->size += size;
}

void addString(TextBuffer* text, const char* string)
{
    addBytes(text, string, strlen(string));
}

static void addSpace(TextBuffer* text, thGenerator* g, DocumentStyle style)
{
    static const char* const spaces[] = {" ", "\n", "\t", "\r\n", "\r", "   "};
    static const char* const comments[] = {"// to the end\n", "//\r", "/**/", "/* \" * / \n // */",
                                           "/*/*/"};
    while (drawInt(g, 0, 3) == 0)
        addString(text, spaces[drawInt(g, 0, 5)]);
    if (style.hasComments && drawInt(g, 0, 5) == 0)
        addString(text, comments[drawInt(g, 0, 4)]);
}

static void addLetter(TextBuffer* text, thGenerator* g)
{
    static const char* const letters[] = {
        "a",
        "Z",
        "0",
        " ",
        "/",
        "'",
        "\\\"",
        "\\\\",
        "\\/",
        "\\b",
        "\\f",
        "\\n",
        "\\r",
        "\\t",
        "\\u0001",
        "\\u00e9",
        "\\u20AC",
        "\\ud834\\udd1e",
        "\\uDBFF\\uDFFF",
        "\\ud800\\udc00",
        "\\uffff",
        "\x7f",
        "\xc2\x80",
        "\xc3\xa9",
        "\xdf\xbf",
        "\xe0\xa0\x80",
        "\xe2\x82\xac",
        "\xed\x9f\xbf",
        "\xee\x80\x80",
        "\xef\xbf\xbf",
        "\xf0\x90\x80\x80",
        "\xf0\x9d\x84\x9e",
        "\xf4\x8f\xbf\xbf",
    };
    const int32_t count = (int32_t)(sizeof letters / sizeof letters[0]);
    addString(text, letters[drawInt(g, 0, drawInt(g, 0, 1) == 0 ? 3 : count - 1)]);
}

static void addQuoted(TextBuffer* text, thGenerator* g)
{
    addString(text, "\"");
    for (int32_t i = drawInt(g, 0, 12); i > 0; --i)
        addLetter(text, g);
    addString(text, "\"");
}

static void addDigits(TextBuffer* text, thGenerator* g, int32_t most)
{
    char digit = (char)('1' + drawInt(g, 0, 8)); // a number has no leading zero
    for (int32_t i = drawInt(g, 1, most); i > 0; --i) {
        addBytes(text, &digit, 1);
        digit = (char)('0' + drawInt(g, 0, 9));
    }
}

static void addNumber(TextBuffer* text, thGenerator* g)
{
    static const char* const exponents[] = {"e", "E", "e+", "E-", "e-"};
    addString(text, drawInt(g, 0, 2) == 0 ? "-" : "");
    if (drawInt(g, 0, 3) == 0)
        addString(text, "0");
    else
        addDigits(text, g, 18);
    if (drawInt(g, 0, 1) == 0) {
        addString(text, ".");
        addString(text, drawInt(g, 0, 2) == 0 ? "00" : "");
        addDigits(text, g, 22);
    }
    if (drawInt(g, 0, 2) == 0) {
        addString(text, exponents[drawInt(g, 0, 4)]);
        addDigits(text, g, 2);
    }
}

static void addValue(TextBuffer* text, thGenerator* g, int32_t size, DocumentStyle style);

// About `size` values in items of random sizes. The number in a key keeps it apart from the others.
static void addContainer(TextBuffer* text, thGenerator* g, int32_t size, DocumentStyle style)
{
    const bool isObject = drawInt(g, 0, 1) == 0;
    style.depth -= 1;
    addString(text, isObject ? "{" : "[");
    addSpace(text, g, style);
    for (int32_t i = 0; size > 0; ++i) {
        const int32_t itemSize = drawInt(g, 1, size);
        size -= itemSize;
        if (i > 0) {
            addString(text, ",");
            addSpace(text, g, style);
        }
        if (isObject) {
            char number[16];
            snprintf(number, sizeof number, "\"%d", (int)i);
            addString(text, number);
            for (int32_t k = drawInt(g, 0, 4); k > 0; --k)
                addString(text, k % 2 == 0 ? "key" : "\xe2\x82\xac.");
            addString(text, "\"");
            addSpace(text, g, style);
            addString(text, ":");
            addSpace(text, g, style);
        }
        addValue(text, g, itemSize, style);
        addSpace(text, g, style);
    }
    addString(text, isObject ? "}" : "]");
}

static void addValue(TextBuffer* text, thGenerator* g, int32_t size, DocumentStyle style)
{
    static const char* const words[] = {"true", "false", "null"};
    const int32_t choice = drawInt(g, 0, 9);
    if (style.depth > 0 && (size > 1 || choice == 0))
        addContainer(text, g, size - 1, style);
    else if (choice < 5)
        addNumber(text, g);
    else if (choice < 8)
        addQuoted(text, g);
    else
        addString(text, words[drawInt(g, 0, 2)]);
}

void addDocument(TextBuffer* text, thGenerator* g, int32_t size, DocumentStyle style)
{
    addSpace(text, g, style);
    addValue(text, g, size, style);
    addSpace(text, g, style);
}
