// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is written reads back as the same scene, and is written the same again.

#define _POSIX_C_SOURCE 200809L // opendir

#include "scene/scene_gear.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static thScene* loadGood(const char* text)
{
    Errors errors;
    thScene* scene = loadText(text, &errors);
    printErrors(&errors);
    if (scene == NULL)
        fail_msg("does not load: %s", text);
    return scene;
}

static void checkRoundTrip(const char* text)
{
    thScene* first = loadGood(text);
    char* once = writeScene(first);
    thScene* second = loadGood(once);
    char* twice = writeScene(second);
    assert_string_equal(once, twice);
    assertSameScene(first, second);
    thDestroyScene(first);
    thDestroyScene(second);
    free(once);
    free(twice);
}

static void testFull(void** state)
{
    (void)state;
    char* text = readFullScene();
    checkRoundTrip(text);
    free(text);
}

static void testScenes(void** state)
{
    (void)state;
    DIR* folder = opendir(THRONG_TREE "/scenes");
    if (folder == NULL)
        skip();
    int32_t count = 0;
    for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[512];
        const size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0)
            continue;
        snprintf(path, sizeof path, "scenes/%s", entry->d_name);
        char* text = readTreeFile(path, NULL);
        checkRoundTrip(text);
        free(text);
        count += 1;
    }
    closedir(folder);
    print_message("%d scenes\n", (int)count);
}

// Defaults are left out, and there is one way to say a thing.
static void testShort(void** state)
{
    (void)state;
    const struct {
        const char* text;
        const char* written;
    } cases[] = {
        {"{\"throng\": 1}", "{\n  \"throng\": 1\n}\n"},
        {"{\"throng\": 1, \"seed\": 1, \"contacts\": true, \"walls\": [], \"goals\": {}, "
         "\"time\": {\"step\": 0.1, \"end\": {\"arrived\": true, \"at\": 600}}, \"profiles\": "
         "{\"person\": {\"radius\": 0.25, \"sees\": {\"angle\": 360}, \"avoid\": {\"orca\": "
         "{}}}}, \"measure\": {\"lines\": {}}}",
         "{\n  \"throng\": 1\n}\n"},
        {"{\"throng\": 1, \"time\": {\"end\": {}}}",
         "{\n  \"throng\": 1,\n  \"time\": {\"end\": {}}\n}\n"},
        {"{\"throng\": 1, \"profiles\": {\"person\": {\"avoid\": {\"orca\": {\"sideBias\": "
         "0.1, \"horizon\": 2}}, \"speed\": {\"normal\": [1.34, 0.26], \"min\": 0.56, \"max\": "
         "3}}}}",
         "{\n  \"throng\": 1,\n  \"profiles\": {\n    \"person\": {\"speed\": {\"normal\": [1.34, "
         "0.26], \"max\": 3}, \"avoid\": {\"orca\": {\"sideBias\": 0.1}}}\n  "
         "}\n}\n"},
        {"{\"throng\": 1, \"profiles\": {\"person\": {\"avoid\": {\"rvo\": {\"kernel\": "
         "\"nested\", "
         "\"samples\": 250, \"even\": true}}}}}",
         "{\n  \"throng\": 1,\n  \"profiles\": {\n    \"person\": {\"avoid\": {\"rvo\": {\"even\": "
         "true, \"kernel\": \"nested\"}}}\n  }\n}\n"},
        {"{\"throng\": 1, \"roadmaps\": {\"ring\": {\"nodes\": [[0, 0], [9, 0]]}}, \"profiles\": "
         "{\"person\": {\"avoid\": {\"steer\": {\"path\": \"ring\", \"seek\": 2, \"roam\": "
         "true}}}}}",
         "{\n  \"throng\": 1,\n  \"roadmaps\": {\n    \"ring\": {\"nodes\": [[0, 0], [9, 0]]}\n  "
         "},\n  \"profiles\": {\n    \"person\": {\"avoid\": {\"steer\": {\"roam\": true, "
         "\"path\": "
         "\"ring\"}}}\n  }\n}\n"},
        {"{\"throng\": 1, \"agents\": [{\"at\": [[1, -0]], \"profile\": \"person\"}, {\"grid\": "
         "{\"from\": [0, 0], \"columns\": 2, \"rows\": 1, \"spacing\": [1, 1]}}]}",
         "{\n  \"throng\": 1,\n  \"agents\": [\n    {\"at\": [1, 0]},\n    {\"grid\": {\"from\": "
         "[0, 0], \"columns\": 2, \"rows\": 1, \"spacing\": 1}}\n  ]\n}\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        thScene* scene = loadGood(cases[i].text);
        char* text = writeScene(scene);
        assert_string_equal(text, cases[i].written);
        thDestroyScene(scene);
        free(text);
        checkRoundTrip(cases[i].text);
    }
}

// Texts that need quoting, extreme numbers.
static void testOdd(void** state)
{
    (void)state;
    checkRoundTrip("{\"throng\": 1, \"about\": \"\\\"\\\\\\n\\u00e4\\ud83d\\ude00\", \"goals\": "
                   "{\"a \\\"b\\\"\": {\"point\": [0.1, 1e-300]}}, \"agents\": [{\"at\": [1.1, "
                   "29999.5], \"goal\": \"a \\\"b\\\"\", \"mask\": 4294967295, \"layers\": 0}], "
                   "\"seed\": 9007199254740991, \"origin\": [0.1, -0.30000000000000004]}");
}

static void testBuffer(void** state)
{
    (void)state;
    thScene* scene = loadGood("{\"throng\": 1}");
    char buffer[64];
    size_t size = 0;
    assert_int_equal(thScene_Write(scene, NULL, 0, &size), th_resultOk);
    assert_int_equal(size, strlen("{\n  \"throng\": 1\n}\n"));
    for (size_t capacity = 0; capacity <= size; ++capacity) {
        size_t needed = 0;
        memset(buffer, 'x', sizeof buffer);
        assert_int_equal(thScene_Write(scene, buffer, capacity, &needed), th_resultFull);
        assert_int_equal(needed, size);
        for (size_t i = capacity; i < sizeof buffer; ++i)
            assert_int_equal(buffer[i], 'x');
    }
    assert_int_equal(thScene_Write(scene, buffer, size + 1, &size), th_resultOk);
    assert_string_equal(buffer, "{\n  \"throng\": 1\n}\n");
    assert_int_equal(thScene_Write(NULL, buffer, sizeof buffer, &size), th_resultBadArgument);
    assert_int_equal(thScene_Write(scene, buffer, sizeof buffer, NULL), th_resultBadArgument);
    thDestroyScene(scene);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testFull), cmocka_unit_test(testScenes), cmocka_unit_test(testShort),
        cmocka_unit_test(testOdd),  cmocka_unit_test(testBuffer),
    };
    return RUN_TESTS(tests, argc, argv);
}
