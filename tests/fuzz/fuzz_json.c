// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes are a text of JSON. What is read comes out the same after it was written and read again, in
// both layouts, and what is refused is refused with one error at a place in the text. The same
// bytes are also a change to a tree by its path.

#include "base/json/json.h"
#include "base/json_gear.h"
#include "fuzz/fuzz.h"

#include <string.h>

static void checkNumbers(const thJson* value)
{
    if (value->kind == th_jsonNumber) {
        const double number = strtod(value->text, NULL);
        FUZZ_CHECK(memcmp(&number, &value->number, sizeof number) == 0);
    }
    for (const thJson* child = value->first; child != NULL; child = child->next)
        checkNumbers(child);
}

static void checkMembers(const thJson* value)
{
    char path[64];
    thiJsonPath(value, path, sizeof path);
    for (const thJson* child = value->first; child != NULL; child = child->next) {
        FUZZ_CHECK(child->parent == value);
        FUZZ_CHECK((child->key != NULL) == (value->kind == th_jsonObject));
        FUZZ_CHECK(child->key == NULL || thiJsonMember(value, child->key) == child);
        checkMembers(child);
    }
}

static void checkComesBack(JsonTest* test, const thJson* root)
{
    for (int32_t oneLine = 0; oneLine < 2; ++oneLine) {
        char* text = treeText(root, oneLine == 1);
        FUZZ_CHECK(isSameTree(root, readJson(test, text)));
        free(text);
    }
}

static void checkError(const thError* error, size_t size)
{
    FUZZ_CHECK(error->code == th_resultSyntax || error->code == th_resultFull);
    FUZZ_CHECK(error->line >= 1 && (size_t)error->line <= size + 1);
    FUZZ_CHECK(error->column >= 1 && (size_t)error->column <= size + 1);
    FUZZ_CHECK(error->text[0] != '\0');
    const char* end = error->text + strlen(error->text);
    for (const char* at = error->text; at < end; at += thiUtf8Size(at, end))
        FUZZ_CHECK(thiUtf8Size(at, end) > 0);
}

static void readText(const char* text, size_t size)
{
    JsonTest test;
    jsonTestInit(&test, NULL);
    const thJson* root = readBytes(&test, text, size);
    const int32_t errorCount = test.sink.count;
    if (root == NULL)
        FUZZ_CHECK(errorCount > 0);
    for (int32_t i = 0; i < TH_MIN(errorCount, KEPT_ERRORS); ++i)
        checkError(&test.errors[i], size);
    if (root != NULL) {
        checkNumbers(root);
        checkMembers(root);
        checkComesBack(&test, root);
        FUZZ_CHECK(test.sink.count == errorCount);
    }
    jsonTestFree(&test);
}

static void changeTree(const char* assignment)
{
    JsonTest test;
    jsonTestInit(&test, NULL);
    thJson* root = readJson(&test, "{\"a\": [{\"b\": 1}, 2], \"c\": {\"d\": null, \"e\": \"f\"}}");
    const bool good = thiJsonSet(&test.arena, &root, assignment, NULL, &test.sink);
    FUZZ_CHECK(test.sink.count == !good);
    checkMembers(root);
    checkComesBack(&test, root);
    jsonTestFree(&test);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    readText((const char*)data, size);
    char* assignment = malloc(size + 1);
    FUZZ_CHECK(assignment != NULL);
    if (size > 0)
        memcpy(assignment, data, size);
    assignment[size] = '\0';
    changeTree(assignment);
    free(assignment);
    return 0;
}
