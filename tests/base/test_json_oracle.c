// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Random documents, whole and damaged, read by us and by Jansson. What is accepted and what comes
// of it must agree, except that we know comments and skip a byte order mark, and that they take a
// zero byte for the end of the text.

#include "base/json_gear.h"
#include "gear/gear.h"

#include <jansson.h>
#include <stdlib.h>

#define FLAGS (JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_REJECT_DUPLICATES)

static bool isSame(const thJson* ours, const json_t* theirs)
{
    switch (ours->kind) {
    case th_jsonNull:
        return json_is_null(theirs);
    case th_jsonBool:
        return json_is_boolean(theirs) && json_is_true(theirs) == ours->truth;
    case th_jsonNumber: {
        const double number = json_real_value(theirs);
        return json_is_real(theirs) && memcmp(&number, &ours->number, sizeof number) == 0;
    }
    case th_jsonString:
        return json_is_string(theirs) && json_string_length(theirs) == (size_t)ours->count &&
               strcmp(json_string_value(theirs), ours->text) == 0;
    case th_jsonArray:
        if (!json_is_array(theirs) || json_array_size(theirs) != (size_t)ours->count)
            return false;
        for (const thJson* item = ours->first; item != NULL; item = item->next)
            if (!isSame(item, json_array_get(theirs, (size_t)item->index)))
                return false;
        return true;
    default:
        if (!json_is_object(theirs) || json_object_size(theirs) != (size_t)ours->count)
            return false;
        for (const thJson* member = ours->first; member != NULL; member = member->next)
            if (!isSame(member, json_object_get(theirs, member->key)))
                return false;
        return true;
    }
}

static bool contains(const TextBuffer* text, const char* what, size_t size)
{
    for (size_t i = 0; i + size <= text->size; ++i)
        if (memcmp(text->items + i, what, size) == 0)
            return true;
    return false;
}

static bool isOurs(const TextBuffer* text)
{
    return contains(text, "//", 2) || contains(text, "/*", 2) || contains(text, "\xef\xbb\xbf", 3);
}

// Counts how many were accepted, so that a test can tell that it tests both.
typedef struct Comparison {
    JsonTest test;
    int32_t accepted, refused;
} Comparison;

static bool agrees(Comparison* comparison, const TextBuffer* text)
{
    JsonTest* test = &comparison->test;
    json_error_t error;
    jsonTestReset(test);
    const thJson* ours = readBytes(test, text->items, text->size);
    if (test->sink.count > 0)
        ours = NULL; // for them a duplicate key is an error like any other
    json_t* theirs = json_loadb(text->items, text->size, FLAGS, &error);
    comparison->accepted += ours != NULL;
    comparison->refused += ours == NULL;
    bool good;
    if (ours != NULL && theirs != NULL)
        good = isSame(ours, theirs);
    else if (ours != NULL)
        good = isOurs(text);
    else
        good = theirs == NULL || contains(text, "", 1);
    if (!good)
        print_message("%.*s\nours: %s %d:%d %s\ntheirs: %s\n", (int)text->size, text->items,
                      ours != NULL ? "read" : "refused", (int)test->errors[0].line,
                      (int)test->errors[0].column, test->errors[0].text,
                      theirs != NULL ? "read" : error.text);
    json_decref(theirs);
    return good;
}

static bool agreesOnDocument(thGenerator* g, int32_t size, void* context)
{
    TextBuffer text = {0};
    addDocument(&text, g, size, (DocumentStyle){.hasComments = false, .depth = 12});
    const bool good = agrees(context, &text);
    free(text.items);
    return good;
}

static void testDocuments(void** state)
{
    (void)state;
    Comparison comparison = {.accepted = 0};
    jsonTestInit(&comparison.test, NULL);
    assertProperty(&(thProperty){"documents", 1, 3000, 100, agreesOnDocument, &comparison});
    assert_int_equal(comparison.refused, 0);
    jsonTestFree(&comparison.test);
}

static void replaceBytes(TextBuffer* text, size_t at, size_t removed, const char* by, size_t size)
{
    TextBuffer changed = {0};
    addBytes(&changed, text->items, at);
    addBytes(&changed, by, size);
    if (text->size > at + removed)
        addBytes(&changed, text->items + at + removed, text->size - at - removed);
    free(text->items);
    *text = changed;
}

static size_t drawBelow(thGenerator* g, size_t count)
{
    return count > 0 ? (size_t)drawInt(g, 0, (int32_t)count - 1) : 0;
}

static void damage(TextBuffer* text, thGenerator* g)
{
    static const char* const pieces[] = {
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "\"",
        "\\",
        "0",
        "1",
        "-",
        "+",
        ".",
        "e",
        "E",
        "1e400",
        "1e-400",
        "true",
        "nul",
        "NaN",
        " ",
        "\n",
        "\t",
        "\x01",
        "\x80",
        "\xc3",
        "\xe2\x82",
        "\xed\xa0\x80",
        "\xf4\x90\x80\x80",
        "\\u0000",
        "\\ud834",
        "\\udd1e",
        "\\u",
        "\"a\":1,",
        "\"0\"",
        "\"0\":",
        "{\"0\":1,\"0\":2}",
        "'",
        ",]",
        "00",
        "\"\"",
    };
    const int32_t count = (int32_t)(sizeof pieces / sizeof pieces[0]);
    const size_t at = drawBelow(g, text->size + 1);
    const size_t left = text->size - at;
    switch (drawInt(g, 0, 4)) {
    case 0: { // any byte instead of another
        const char byte = (char)drawInt(g, 0, 255);
        replaceBytes(text, at, left > 0, &byte, 1);
        break;
    }
    case 1: // some bytes less
        replaceBytes(text, at, drawBelow(g, left < 4 ? left + 1 : 4), NULL, 0);
        break;
    case 2: { // a part of it again
        const size_t from = drawBelow(g, text->size), size = drawBelow(g, text->size - from + 1);
        TextBuffer part = {0};
        if (size > 0)
            addBytes(&part, text->items + from, size);
        replaceBytes(text, at, 0, part.items, part.size);
        free(part.items);
        break;
    }
    default: {
        const char* piece = pieces[drawInt(g, 0, count - 1)];
        replaceBytes(text, at, drawBelow(g, left < 2 ? left + 1 : 2), piece, strlen(piece));
    }
    }
}

static bool agreesOnDamaged(thGenerator* g, int32_t size, void* context)
{
    TextBuffer text = {0};
    addDocument(&text, g, size, (DocumentStyle){.hasComments = false, .depth = 8});
    for (int32_t i = drawInt(g, 1, 3); i > 0; --i)
        damage(&text, g);
    const bool good = agrees(context, &text);
    free(text.items);
    return good;
}

static void testDamagedDocuments(void** state)
{
    (void)state;
    Comparison comparison = {.accepted = 0};
    jsonTestInit(&comparison.test, NULL);
    assertProperty(&(thProperty){"damaged", 2, 100000, 12, agreesOnDamaged, &comparison});
    assert_true(comparison.accepted > 10000);
    assert_true(comparison.refused > 10000);
    jsonTestFree(&comparison.test);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDocuments),
        cmocka_unit_test(testDamagedDocuments),
    };
    return RUN_TESTS(tests, argc, argv);
}
