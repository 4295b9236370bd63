// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Every error of a scene is named where it is, none is missed and none invented. Thousands of
// errors are planted into a good scene, alone and several at once.

#include "gear/property.h"
#include "scene/mutations.h"
#include "scene/scene_gear.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_EDITS 8192
#define COMBINATIONS 2000

// The full scene as a tree, and all edits of it.
typedef struct Base {
    thMemory memory;
    thArena arena;
    thJson* root;
    Edit* edits;
    int32_t count;
} Base;

static void makeBase(Base* base)
{
    char* text = readFullScene();
    thErrorSink sink = {.file = "full.json"};
    thiMemoryInit(&base->memory, NULL, 0);
    thiArenaInit(&base->arena, &base->memory);
    base->root = thiReadJson(&base->arena, text, strlen(text), &thiJsonLimits, &sink);
    assert_non_null(base->root);
    base->edits = malloc(MOST_EDITS * sizeof *base->edits);
    assert_non_null(base->edits);
    base->count = listEdits(base->root, base->edits, MOST_EDITS);
    assert_true(base->count <= MOST_EDITS);
    free(text);
}

static void freeBase(Base* base)
{
    thiArenaFree(&base->arena);
    free(base->edits);
}

// A key that is nearly right is recognised.
static bool isGuessed(const Edit* edit, const thError* error)
{
    char guess[64];
    if (edit->kind != edit_rename || strncmp(edit->text, edit->node->key, 4) != 0)
        return true;
    snprintf(guess, sizeof guess, "did you mean '%.32s'?", edit->node->key);
    return strstr(error->text, guess) != NULL;
}

static bool isNamed(const Edit* edit, const thError* error)
{
    return strcmp(edit->path, error->path) == 0 && edit->line == error->line &&
           edit->column == error->column && error->text[0] != '\0' && isGuessed(edit, error) &&
           strcmp(error->file, "test.json") == 0;
}

static int compareEdits(const void* left, const void* right)
{
    const Edit* a = left;
    const Edit* b = right;
    return a->line != b->line ? (a->line > b->line) - (a->line < b->line)
                              : (a->column > b->column) - (a->column < b->column);
}

// Whether exactly these errors are reported, in the order of the file.
static bool checkEdits(const thJson* root, Edit* edits, int32_t count)
{
    static const char* const kinds[] = {"replace", "rename", "duplicate", "drop", "add"};
    Errors errors;
    char* text = writeEdited(root, edits, count);
    thDestroyScene(loadText(text, &errors));
    qsort(edits, (size_t)count, sizeof *edits, compareEdits);
    bool good = errors.count == count;
    for (int32_t i = 0; i < count && good; ++i)
        good = isNamed(&edits[i], &errors.items[i]);
    if (!good) {
        for (int32_t i = 0; i < count; ++i)
            print_error("planted at %d:%d: %s: %s %s\n", (int)edits[i].line, (int)edits[i].column,
                        edits[i].path, kinds[edits[i].kind], edits[i].text);
        printErrors(&errors);
    }
    free(text);
    return good;
}

static void testUnchanged(void** state)
{
    (void)state;
    Base base;
    makeBase(&base);
    Errors errors;
    char* text = writeEdited(base.root, NULL, 0);
    thScene* scene = loadText(text, &errors);
    printErrors(&errors);
    assert_non_null(scene);
    thDestroyScene(scene);
    free(text);
    freeBase(&base);
}

static void testEachAlone(void** state)
{
    (void)state;
    Base base;
    makeBase(&base);
    int32_t wrong = 0;
    for (int32_t i = 0; i < base.count && wrong < 20; ++i)
        wrong += !checkEdits(base.root, &base.edits[i], 1);
    print_message("%d errors planted\n", (int)base.count);
    assert_true(base.count >= 200);
    assert_int_equal(wrong, 0);
    freeBase(&base);
}

// 3 to 5 edits that are independent of each other.
static int32_t drawEdits(const Base* base, thGenerator* g, Edit* drawn)
{
    const int32_t wanted = drawInt(g, 3, 5);
    int32_t count = 0;
    for (int32_t tries = 0; tries < 1000 && count < wanted; ++tries) {
        const Edit* edit = &base->edits[drawInt(g, 0, base->count - 1)];
        bool fits = true;
        for (int32_t i = 0; i < count; ++i)
            fits = fits && areIndependent(edit, &drawn[i]);
        if (fits)
            drawn[count++] = *edit;
    }
    return count;
}

static void testSeveralAtOnce(void** state)
{
    (void)state;
    Base base;
    makeBase(&base);
    int32_t wrong = 0, planted = 0;
    for (int32_t i = 0; i < COMBINATIONS && wrong < 20; ++i) {
        thGenerator g = makeGenerator(7, (uint64_t)i);
        Edit drawn[5];
        const int32_t count = drawEdits(&base, &g, drawn);
        planted += count;
        wrong += !checkEdits(base.root, drawn, count);
    }
    print_message("%d errors planted in %d scenes\n", (int)planted, COMBINATIONS);
    assert_true(planted >= 3 * COMBINATIONS - 10);
    assert_int_equal(wrong, 0);
    freeBase(&base);
}

// Some 20000 errors: as many as are told are in the order of the file, and that there are more.
static void countError(void* context, const thError* error)
{
    int32_t* seen = context;
    if (seen[0] < 10000 && error->line != seen[0] + 3)
        seen[1] += 1;
    seen[0] += 1;
}

static void testVeryMany(void** state)
{
    (void)state;
    const int32_t wallCount = 20000;
    char* text = malloc(64 + 8 * (size_t)wallCount);
    assert_non_null(text);
    char* at = text + sprintf(text, "{\"throng\": 1,\n \"walls\": [");
    for (int32_t i = 0; i < wallCount; ++i)
        at += sprintf(at, "%s\n0", i > 0 ? "," : "");
    sprintf(at, "]}");
    int32_t seen[2] = {0, 0};
    thSceneDef def = thDefaultSceneDef();
    def.text = text;
    def.textSize = strlen(text);
    def.report = countError;
    def.reportContext = seen;
    thScene* scene;
    assert_int_equal(thLoadScene(&def, &scene), th_resultSyntax);
    assert_null(scene);
    assert_int_equal(seen[0], 10001);
    assert_int_equal(seen[1], 0);
    free(text);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testUnchanged),
        cmocka_unit_test(testEachAlone),
        cmocka_unit_test(testSeveralAtOnce),
        cmocka_unit_test(testVeryMany),
    };
    return RUN_TESTS(tests, argc, argv);
}
