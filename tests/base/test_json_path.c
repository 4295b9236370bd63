// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Paths of values, and errors that name them.

#include "base/json_gear.h"
#include "gear/gear.h"

static void assertPath(const thJson* value, const char* expected)
{
    char path[100];
    assert_non_null(value);
    thiJsonPath(value, path, sizeof path);
    assert_string_equal(path, expected);
}

static void testPaths(void** state)
{
    (void)state;
    JsonTest test;
    jsonTestInit(&test, NULL);
    const thJson* root = readJson(
        &test, "{\"agents\": [1, {\"goal\": 2}], \"\\u00e9t\\u00e9\": {\"max-speed_2\": 3},"
               " \"my door\": [[4, 5]], \"\": 6, \"a\\\"b\\n\": {\"x\": 7}, \"3\": 8}");
    assertPath(root, "");
    assertPath(root->first, "agents");
    assertPath(root->first->first, "agents[0]");
    assertPath(root->first->last->first, "agents[1].goal");
    assertPath(thiJsonMember(root, "\xc3\xa9t\xc3\xa9")->first, "\xc3\xa9t\xc3\xa9.max-speed_2");
    assertPath(thiJsonMember(root, "my door")->first->last, "[\"my door\"][0][1]");
    assertPath(thiJsonMember(root, ""), "[\"\"]");
    assertPath(thiJsonMember(root, "a\"b\n")->first, "[\"a\\\"b\\n\"].x");
    assertPath(root->last, "3");
    assertPath(readJson(&test, "[[], [7]]")->last->first, "[1][0]");
    jsonTestFree(&test);
}

// Cut after whole characters, whatever the size.
static void testCutPaths(void** state)
{
    (void)state;
    JsonTest test;
    jsonTestInit(&test, NULL);
    const thJson* root =
        readJson(&test, "{\"a\xe2\x82\xac\": {\"b \xc3\xa9\": [0, {\"last\": 1}]}}");
    const thJson* value = root->first->first->last->last;
    const char* full = "a\xe2\x82\xac[\"b \xc3\xa9\"][1].last";
    assertPath(value, full);
    for (size_t size = 1; size < 40; ++size) {
        char path[40];
        memset(path, '#', sizeof path);
        thiJsonPath(value, path, size);
        const size_t length = strlen(path);
        assert_true(length < size);
        assert_memory_equal(path, full, length);
        assert_true(((unsigned char)full[length] & 0xc0) != 0x80);
        assert_true(length + 3 >= size || full[length] == '\0');
    }
    char untouched = '#';
    thiJsonPath(value, &untouched, 0);
    assert_int_equal(untouched, '#');
    jsonTestFree(&test);
}

static void testReports(void** state)
{
    (void)state;
    JsonTest test;
    jsonTestInit(&test, NULL);
    const thJson* root = readJson(&test, "{\n  \"a\": [true]}");
    thiReportAt(&test.sink, th_resultSyntax, root->first->first, "%d is %s", 1, "one");
    thiReportAtKey(&test.sink, th_resultVersion, root->first, "key");
    thiReportAt(&test.sink, th_resultFile, NULL, "file");
    assert_int_equal(test.sink.count, 3);
    const thError* errors = test.errors;
    assert_int_equal(errors[0].code, th_resultSyntax);
    assert_int_equal(errors[0].line, 2);
    assert_int_equal(errors[0].column, 9);
    assert_string_equal(errors[0].file, "test.json");
    assert_string_equal(errors[0].path, "a[0]");
    assert_string_equal(errors[0].text, "1 is one");
    assert_int_equal(errors[1].code, th_resultVersion);
    assert_int_equal(errors[1].line, 2);
    assert_int_equal(errors[1].column, 3);
    assert_string_equal(errors[1].path, "a");
    assert_int_equal(errors[2].code, th_resultFile);
    assert_int_equal(errors[2].line, 0);
    assert_int_equal(errors[2].column, 0);
    assert_string_equal(errors[2].path, "");
    // Without a file, and with a text that is too long: two bytes each, an odd number of room.
    char longText[1001];
    for (size_t i = 0; i < 500; ++i)
        memcpy(longText + 2 * i, "\xc3\xa9", 2);
    longText[1000] = '\0';
    test.sink.file = NULL;
    thiReportAt(&test.sink, th_resultSyntax, NULL, "%s", longText);
    assert_string_equal(errors[3].file, "");
    assert_int_equal(strlen(errors[3].text), sizeof errors[3].text - 2);
    jsonTestFree(&test);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPaths),
        cmocka_unit_test(testCutPaths),
        cmocka_unit_test(testReports),
    };
    return RUN_TESTS(tests, argc, argv);
}
