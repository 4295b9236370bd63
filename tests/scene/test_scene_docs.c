// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The reference page and the schema say what the reader does: both are made from its tables.

#include "scene/reference.h"
#include "scene/scene_gear.h"
#include "scene/scene_presets.h"
#include "sim/world_internal.h"

#include <stdlib.h>

static void testSchema(void** state)
{
    (void)state;
    char* made = makeSchema();
    char* kept = readTreeFile("docs/scene.schema.json", NULL);
    if (strcmp(made, kept) != 0)
        fail_msg("out of date; run: scene_reference schema >docs/scene.schema.json");
    free(made);
    free(kept);
}

static void testPage(void** state)
{
    (void)state;
    char* kept = readTreeFile("docs/scenes.md", NULL);
    char* made = renewPage(kept);
    if (strcmp(made, kept) != 0)
        fail_msg("out of date; run: scene_reference page <docs/scenes.md >new.md");
    free(made);
    free(kept);
}

static int32_t countOf(const char* text, const char* part)
{
    int32_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        count += 1;
    return count;
}

// Whether a method of an earlier kind has the same name and so the same table.
static bool sharesTable(const thMethod* method, int32_t kind)
{
    for (int32_t earlier = 0; earlier < kind; ++earlier) {
        const thMethod* const* other = thiBuiltInMethods((thMethodKind)earlier);
        for (; *other != NULL; ++other)
            if (strcmp((*other)->name, method->name) == 0 && (*other)->params == method->params)
                return true;
    }
    return false;
}

// A table for each kind of object and each method with parameters, and one of presets, and no other
// rows.
static void testNothingIsLeftOut(void** state)
{
    (void)state;
    char* page = readTreeFile("docs/scenes.md", NULL);
    int32_t rows = TH_PRESET_COUNT;
    for (const thKeyTable* const* table = listTables(); *table != NULL; ++table) {
        char* mark = tableMark(*table);
        if (countOf(page, mark) != 1)
            fail_msg("docs/scenes.md: expected once: %s", mark);
        free(mark);
        rows += (*table)->keyCount - firstOwnKey(*table);
    }
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind) {
        const thMethod* const* method = thiBuiltInMethods((thMethodKind)kind);
        for (; *method != NULL; ++method) {
            char* mark = methodMark(*method);
            if (countOf(page, mark) != ((*method)->paramCount > 0))
                fail_msg("docs/scenes.md: missing, or without parameters: %s", mark);
            free(mark);
            rows += sharesTable(*method, kind) ? 0 : (*method)->paramCount;
        }
    }
    assert_int_equal(countOf(page, "\n| `"), rows);
    free(page);
}

// The example at the top is a scene.
static void testExample(void** state)
{
    (void)state;
    Errors errors;
    char* page = readTreeFile("docs/scenes.md", NULL);
    char* begin = strstr(page, "```json\n");
    assert_non_null(begin);
    begin += strlen("```json\n");
    char* end = strstr(begin, "```");
    assert_non_null(end);
    *end = '\0';
    thScene* scene = loadText(begin, &errors);
    printErrors(&errors);
    assert_non_null(scene);
    thDestroyScene(scene);
    free(page);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSchema),
        cmocka_unit_test(testPage),
        cmocka_unit_test(testNothingIsLeftOut),
        cmocka_unit_test(testExample),
    };
    return RUN_TESTS(tests, argc, argv);
}
