// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is JSON and what is not, and what is said of what is not.

#include "base/json/json.h"
#include "base/json_gear.h"
#include "gear/allocators.h"
#include "gear/gear.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// With its size, as there may be zeros inside.
#define TEXT(literal) literal, sizeof literal - 1

static void testErrors(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        size_t size;
        int32_t line, column;
        const char* error;
    } cases[] = {
        {TEXT(""), 1, 1, "expected a value, found the end of the text"},
        {TEXT(" \n\t "), 2, 3, "expected a value, found the end of the text"},
        {TEXT("// only a comment"), 1, 18, "expected a value, found the end of the text"},
        {TEXT("/* a */ // b\n"), 2, 1, "expected a value, found the end of the text"},
        {TEXT("\xef\xbb\xbf"), 1, 1, "expected a value, found the end of the text"},
        {TEXT("\xff\xfe{"), 1, 1, "expected UTF-8, found UTF-16"},
        {TEXT("\xfe\xff{"), 1, 1, "expected UTF-8, found UTF-16"},
        {TEXT("1 2"), 1, 3, "expected the end of the text, found '2'"},
        {TEXT("{} x"), 1, 4, "expected the end of the text, found 'x'"},
        {TEXT("[1]]"), 1, 4, "expected the end of the text, found ']'"},
        {TEXT("true,"), 1, 5, "expected the end of the text, found ','"},
        {TEXT("null\n\n  \"x\""), 3, 3, "expected the end of the text, found '\"'"},
        {TEXT("1/"), 1, 2, "expected // or /*, found a lone '/'"},
        {TEXT("[1,]"), 1, 3, "JSON allows no comma before ']'"},
        {TEXT("[1,\n 2 , // last\n]"), 2, 4, "JSON allows no comma before ']'"},
        {TEXT("{\"a\":1,}"), 1, 7, "JSON allows no comma before '}'"},
        {TEXT("[,1]"), 1, 2, "expected a value or ']', found ','"},
        {TEXT("[1,,2]"), 1, 4, "expected a value, found ','"},
        {TEXT("{,}"), 1, 2, "expected a key in double quotes or '}', found ','"},
        {TEXT("[,]"), 1, 2, "expected a value or ']', found ','"},
        {TEXT("["), 1, 2, "expected a value or ']', found the end of the text"},
        {TEXT("[1"), 1, 3, "expected ',' or ']', found the end of the text"},
        {TEXT("[1,"), 1, 4, "expected a value, found the end of the text"},
        {TEXT("{"), 1, 2, "expected a key in double quotes or '}', found the end of the text"},
        {TEXT("{\"a\""), 1, 5, "expected ':' after the key, found the end of the text"},
        {TEXT("{\"a\":"), 1, 6, "expected a value, found the end of the text"},
        {TEXT("{\"a\":1"), 1, 7, "expected ',' or '}', found the end of the text"},
        {TEXT("{\"a\":1,"), 1, 8, "expected a key in double quotes, found the end of the text"},
        {TEXT("{\n\"a\": [\n1,\n2\n"), 5, 1,
         "expected ',' or ']', found the end of the text; the array begins in line 2"},
        {TEXT("[1 2]"), 1, 4, "expected ',' or ']', found '2'"},
        {TEXT("{\"a\":1 \"b\":2}"), 1, 8, "expected ',' or '}', found '\"'"},
        {TEXT("[1}"), 1, 3, "expected ',' or ']', found '}'"},
        {TEXT("{\"a\":1]"), 1, 7, "expected ',' or '}', found ']'"},
        {TEXT("]"), 1, 1, "expected a value, found ']'"},
        {TEXT("}"), 1, 1, "expected a value, found '}'"},
        {TEXT("{\n \"a\": 1\n]"), 3, 1,
         "expected ',' or '}', found ']'; the object begins in line 1"},
        {TEXT("{a:1}"), 1, 2, "expected a key in double quotes or '}', found 'a'"},
        {TEXT("{'a':1}"), 1, 2, "expected a key in double quotes or '}', found '''"},
        {TEXT("{1:2}"), 1, 2, "expected a key in double quotes or '}', found '1'"},
        {TEXT("{\"a\" 1}"), 1, 6, "expected ':' after the key, found '1'"},
        {TEXT("{\"a\"=1}"), 1, 5, "expected ':' after the key, found '='"},
        {TEXT("{\"a\":}"), 1, 6, "expected a value, found '}'"},
        {TEXT("{\"a\":1,b:2}"), 1, 8, "expected a key in double quotes, found 'b'"},
        {TEXT("{\"a\"::1}"), 1, 6, "expected a value, found ':'"},
        {TEXT("{null:1}"), 1, 2, "expected a key in double quotes or '}', found 'null'"},
        {TEXT("NaN"), 1, 1, "JSON knows no NaN"},
        {TEXT("nan"), 1, 1, "JSON knows no nan"},
        {TEXT("[Infinity]"), 1, 2, "JSON knows no Infinity"},
        {TEXT("-Infinity"), 1, 1, "JSON knows no -Infinity"},
        {TEXT("[-inf]"), 1, 2, "JSON knows no -inf"},
        {TEXT("-NaN"), 1, 1, "JSON knows no -NaN"},
        {TEXT("True"), 1, 1, "expected a value, found 'True'; did you mean true?"},
        {TEXT("[FALSE]"), 1, 2, "expected a value, found 'FALSE'; did you mean false?"},
        {TEXT("nul"), 1, 1, "expected a value, found 'nul'; did you mean null?"},
        {TEXT("None"), 1, 1, "expected a value, found 'None'"},
        {TEXT("undefined"), 1, 1, "expected a value, found 'undefined'"},
        {TEXT("truefalse"), 1, 1, "expected a value, found 'truefalse'"},
        {TEXT("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefgh"), 1, 1,
         "expected a value, found 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrs'"},
        {TEXT("tru"), 1, 1, "expected a value, found 'tru'; did you mean true?"},
        {TEXT("01"), 1, 1, "numbers have no leading zeros"},
        {TEXT("-01"), 1, 1, "numbers have no leading zeros"},
        {TEXT("00"), 1, 1, "numbers have no leading zeros"},
        {TEXT("0x1F"), 1, 1, "JSON knows no hexadecimal numbers"},
        {TEXT("-0X1"), 1, 1, "JSON knows no hexadecimal numbers"},
        {TEXT("+1"), 1, 1, "numbers have no leading '+'"},
        {TEXT(".5"), 1, 1, "numbers have a digit before the point"},
        {TEXT("-.5"), 1, 2, "expected a digit after '-', found '.'"},
        {TEXT("1."), 1, 3, "expected a digit after the point, found the end of the text"},
        {TEXT("1.e5"), 1, 3, "expected a digit after the point, found 'e5'"},
        {TEXT("1e"), 1, 3, "expected a digit in the exponent, found the end of the text"},
        {TEXT("1e+"), 1, 4, "expected a digit in the exponent, found the end of the text"},
        {TEXT("1.5E-x"), 1, 6, "expected a digit in the exponent, found 'x'"},
        {TEXT("-"), 1, 2, "expected a digit after '-', found the end of the text"},
        {TEXT("- 1"), 1, 2, "expected a digit after '-', found ' '"},
        {TEXT("--1"), 1, 2, "expected a digit after '-', found '-'"},
        {TEXT("-a"), 1, 2, "expected a digit after '-', found 'a'"},
        {TEXT("1.2.3"), 1, 4, "expected the end of the text, found '.'"},
        {TEXT("1_000"), 1, 2, "expected the end of the text, found '_000'"},
        {TEXT("12abc"), 1, 3, "expected the end of the text, found 'abc'"},
        {TEXT("1e400"), 1, 1,
         "the number is too large, at most 1.7976931348623157e308 is possible"},
        {TEXT("[1,-1e400]"), 1, 4,
         "the number is too large, at most 1.7976931348623157e308 is possible"},
        {TEXT("1e5.5"), 1, 4, "expected the end of the text, found '.'"},
        {TEXT("\"abc"), 1, 1, "expected '\"' at the end of this string"},
        {TEXT("[\"abc\n\"]"), 1, 2, "expected '\"' at the end of this string"},
        {TEXT("\"abc\\\""), 1, 1, "expected '\"' at the end of this string"},
        {TEXT("\"a\\"), 1, 1, "expected '\"' at the end of this string"},
        {TEXT("\"a\tb\""), 1, 3, "strings hold no control characters, write \\u0009 for this one"},
        {TEXT("\"\x01\""), 1, 2, "strings hold no control characters, write \\u0001 for this one"},
        {TEXT("\"a\x00"
              "b\""),
         1, 3, "strings hold no character 0"},
        {TEXT("\"\\u0000\""), 1, 2, "strings hold no character 0"},
        {TEXT("{\"\\u0000\":1}"), 1, 3, "strings hold no character 0"},
        {TEXT("\"\\x41\""), 1, 2, "expected one of \" \\ / b f n r t u after this \\"},
        {TEXT("\"\\'\""), 1, 2, "expected one of \" \\ / b f n r t u after this \\"},
        {TEXT("\"\\\xc3\xa9\""), 1, 2, "expected one of \" \\ / b f n r t u after this \\"},
        {TEXT("\"\\u12\""), 1, 2, "expected four hexadecimal digits after \\u"},
        {TEXT("\"\\u12g4\""), 1, 2, "expected four hexadecimal digits after \\u"},
        {TEXT("\"\\uD800\""), 1, 2,
         "\\ud800 is the first half of a pair, expected the second after it"},
        {TEXT("\"\\ud800\\n\""), 1, 2,
         "\\ud800 is the first half of a pair, expected the second after it"},
        {TEXT("\"\\ud800\\u0041\""), 1, 2,
         "\\ud800 is the first half of a pair, expected the second after it"},
        {TEXT("\"x\\udc00\""), 1, 3, "\\udc00 is the second half of a pair, without the first"},
        {TEXT("\"\\ud800\\ud800\""), 1, 2,
         "\\ud800 is the first half of a pair, expected the second after it"},
        {TEXT("\"\x80\""), 1, 2, "expected UTF-8, found byte 0x80"},
        {TEXT("\"\xc0\xaf\""), 1, 2, "expected UTF-8, found byte 0xc0"},
        {TEXT("\"\xc1\xbf\""), 1, 2, "expected UTF-8, found byte 0xc1"},
        {TEXT("\"\xe0\x80\x80\""), 1, 2, "expected UTF-8, found byte 0xe0"},
        {TEXT("\"\xe0\x9f\xbf\""), 1, 2, "expected UTF-8, found byte 0xe0"},
        {TEXT("\"\xf0\x8f\xbf\xbf\""), 1, 2, "expected UTF-8, found byte 0xf0"},
        {TEXT("\"\xed\xa0\x80\""), 1, 2, "expected UTF-8, found byte 0xed"},
        {TEXT("\"\xed\xbf\xbf\""), 1, 2, "expected UTF-8, found byte 0xed"},
        {TEXT("\"\xf4\x90\x80\x80\""), 1, 2, "expected UTF-8, found byte 0xf4"},
        {TEXT("\"\xf5\x80\x80\x80\""), 1, 2, "expected UTF-8, found byte 0xf5"},
        {TEXT("\"\xff\""), 1, 2, "expected UTF-8, found byte 0xff"},
        {TEXT("\"\xe2\x82\""), 1, 2, "expected UTF-8, found byte 0xe2"},
        {TEXT("\"\xc3\""), 1, 2, "expected UTF-8, found byte 0xc3"},
        {TEXT("\"ab\xe2\x82 \""), 1, 4, "expected UTF-8, found byte 0xe2"},
        {TEXT("'abc'"), 1, 1, "strings stand in double quotes, not in single ones"},
        {TEXT("[/]"), 1, 2, "expected // or /*, found a lone '/'"},
        {TEXT("/"), 1, 1, "expected // or /*, found a lone '/'"},
        {TEXT("/* abc"), 1, 1, "expected */ at the end of this comment"},
        {TEXT("1 /*/"), 1, 3, "expected */ at the end of this comment"},
        {TEXT("\n\n/* a\nb\n"), 3, 1, "expected */ at the end of this comment"},
        {TEXT("#"), 1, 1, "expected a value, found '#'"},
        {TEXT("[1;2]"), 1, 3, "expected ',' or ']', found ';'"},
        {TEXT("[\xc3\xa9]"), 1, 2, "expected a value or ']', found '\xc3\xa9'"},
        {TEXT("[\x80]"), 1, 2, "expected a value or ']', found byte 0x80"},
        {TEXT("\x00"), 1, 1, "expected a value, found byte 0x00"},
        {TEXT("[\x7f]"), 1, 2, "expected a value or ']', found byte 0x7f"},
        {TEXT("[\x0b]"), 1, 2, "expected a value or ']', found byte 0x0b"},
        {TEXT("[1,\r\n2,\r3,\n\r4 5]"), 5, 3,
         "expected ',' or ']', found '5'; the array begins in line 1"},
        {TEXT("\xef\xbb\xbf[x]"), 1, 2, "expected a value, found 'x'"},
        {TEXT("{\"a\":[1,{\"b\":tru}]}"), 1, 14,
         "expected a value, found 'tru'; did you mean true?"},
        {TEXT("1.\n"), 1, 3, "expected a digit after the point, found the end of the line"},
        {TEXT("[1, 2\n"), 2, 1,
         "expected ',' or ']', found the end of the text; the array begins in line 1"},
    };
    JsonTest test;
    jsonTestInit(&test, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const thError* error = &test.errors[0];
        jsonTestReset(&test);
        assert_null(readBytes(&test, cases[i].text, cases[i].size));
        assert_int_equal(test.sink.count, 1);
        assert_int_equal(error->code, th_resultSyntax);
        assert_string_equal(error->file, "test.json");
        if (strcmp(error->text, cases[i].error) != 0 || error->line != cases[i].line ||
            error->column != cases[i].column)
            fail_msg("%s: %d:%d: %s", cases[i].text, (int)error->line, (int)error->column,
                     error->text);
    }
    jsonTestFree(&test);
}

// What is accepted, and what it is, written again on one line.
static void testAccepted(void** state)
{
    (void)state;
    static const struct {
        const char *text, *written;
    } cases[] = {
        {"null", "null"},
        {" true ", "true"},
        {"\n\r\n\rfalse\n", "false"},
        {"\xef\xbb\xbf[]", "[]"},
        {"{}", "{}"},
        {"[ ]", "[]"},
        {"{ /* nothing */ }", "{}"},
        {"// a\n/* b\n * c */[1,//\n2/**/,3]// d", "[1, 2, 3]"},
        {"/***/1", "1"},
        {"/* / * // */1", "1"},
        {"[\"// no comment\", \"/* neither\"]", "[\"// no comment\", \"/* neither\"]"},
        {"-0", "-0"},
        {"0.0", "0"},
        {"-12.50e-1", "-1.25"},
        {"1E2", "100"},
        {"1e-400", "0"},
        {"\"\"", "\"\""},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\u0008\\u000c\\n\\u000d\\t\""},
        {"\"\\u0041\\u00e9\\u20ac\\ud834\\udd1e\"", "\"A\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e\""},
        {"\"\x7f\xc2\x80\xdf\xbf\"", "\"\x7f\xc2\x80\xdf\xbf\""},
        {"\"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\"",
         "\"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\""},
        {"\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"", "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\""},
        {"{\"\":1,\" \":2,\"a\":{\"a\":[{}]}}", "{\"\": 1, \" \": 2, \"a\": {\"a\": [{}]}}"},
        {"{\"a\":1,\"aa\":2,\"A\":3,\"\\u0061b\":4}", "{\"a\": 1, \"aa\": 2, \"A\": 3, \"ab\": 4}"},
    };
    JsonTest test;
    jsonTestInit(&test, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        jsonTestReset(&test);
        const thJson* root = readJson(&test, cases[i].text);
        if (root == NULL)
            fail_msg("%s: %s", cases[i].text, test.errors[0].text);
        assert_int_equal(test.sink.count, 0);
        char* written = treeText(root, true);
        assert_string_equal(written, cases[i].written);
        free(written);
    }
    jsonTestFree(&test);
}

static void assertPlace(const thJson* value, int32_t line, int32_t column)
{
    assert_non_null(value);
    assert_int_equal(value->line, line);
    assert_int_equal(value->column, column);
}

static void testTree(void** state)
{
    (void)state;
    JsonTest test;
    jsonTestInit(&test, NULL);
    const thJson* root = readJson(&test, "{ // \xc3\xa9\n"
                                         "  \"a\": [1, 2.50,\r\n"
                                         "\"\xc3\xa9\", true],\r"
                                         "\t/* */ \"b\"\n:\n{\"c\": null}}");
    assertPlace(root, 1, 1);
    assert_int_equal(root->kind, th_jsonObject);
    assert_int_equal(root->count, 2);
    assert_null(root->parent);
    assert_null(root->key);
    const thJson* a = root->first;
    assertPlace(a, 2, 8);
    assert_string_equal(a->key, "a");
    assert_int_equal(a->keyLine, 2);
    assert_int_equal(a->keyColumn, 3);
    assert_int_equal(a->kind, th_jsonArray);
    assert_int_equal(a->count, 4);
    assert_ptr_equal(a->parent, root);
    assertPlace(a->first, 2, 9);
    const thJson* number = a->first->next;
    assertPlace(number, 2, 12);
    assert_int_equal(number->kind, th_jsonNumber);
    assert_int_equal(number->index, 1);
    assert_true(number->number == 2.5);
    assert_string_equal(number->text, "2.50");
    assert_ptr_equal(number->parent, a);
    const thJson* string = number->next;
    assertPlace(string, 3, 1);
    assert_int_equal(string->kind, th_jsonString);
    assert_int_equal(string->count, 2);
    assert_string_equal(string->text, "\xc3\xa9");
    assertPlace(string->next, 3, 7);
    assert_int_equal(string->next->kind, th_jsonBool);
    assert_true(string->next->truth);
    assert_null(string->next->next);
    assert_ptr_equal(a->last, string->next);
    const thJson* b = a->next;
    assertPlace(b, 6, 1);
    assert_int_equal(b->keyLine, 4);
    assert_int_equal(b->keyColumn, 8);
    assert_int_equal(b->index, 1);
    assertPlace(b->first, 6, 7);
    assert_int_equal(b->first->kind, th_jsonNull);
    jsonTestFree(&test);
}

// In the order of the text, also when an object inside another is left out.
static void testDuplicateKeys(void** state)
{
    (void)state;
    JsonTest test;
    jsonTestInit(&test, NULL);
    const thJson* root = readJson(&test, "{\"a\": {\"x\": 1,\n \"x\": 2, \"y\": 3},\n"
                                         " \"b\": 1,\n"
                                         " \"\\u0061\": [{\"z\": 1, \"z\": 2}],\n"
                                         " \"a\": 5, \"c\": 6}");
    assert_non_null(root);
    char* written = treeText(root, true);
    assert_string_equal(written, "{\"a\": {\"x\": 1, \"y\": 3}, \"b\": 1, \"c\": 6}");
    free(written);
    const struct {
        int32_t line, column;
        const char *path, *text;
    } expected[] = {
        {2, 2, "a.x", "the key stands twice, first in line 1"},
        {4, 2, "a", "the key stands twice, first in line 1"},
        {4, 22, "a[0].z", "the key stands twice, first in line 4"},
        {5, 2, "a", "the key stands twice, first in line 1"},
    };
    assert_int_equal(test.sink.count, 4);
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(test.errors[i].code, th_resultSyntax);
        assert_int_equal(test.errors[i].line, expected[i].line);
        assert_int_equal(test.errors[i].column, expected[i].column);
        assert_string_equal(test.errors[i].path, expected[i].path);
        assert_string_equal(test.errors[i].text, expected[i].text);
    }
    // An error after them still ends it.
    jsonTestReset(&test);
    assert_null(readJson(&test, "{\"a\":1,\"a\":2,\"b\"}"));
    assert_int_equal(test.sink.count, 2);
    assert_string_equal(test.errors[1].text, "expected ':' after the key, found '}'");
    jsonTestFree(&test);
}

static thJson* readLimited(JsonTest* test, const char* text, thJsonLimits limits)
{
    jsonTestReset(test);
    return thiReadJson(&test->arena, text, strlen(text), &limits, &test->sink);
}

static void assertFull(const JsonTest* test, int32_t line, int32_t column, const char* text)
{
    assert_int_equal(test->sink.count, 1);
    assert_int_equal(test->errors[0].code, th_resultFull);
    assert_int_equal(test->errors[0].line, line);
    assert_int_equal(test->errors[0].column, column);
    assert_string_equal(test->errors[0].text, text);
}

static void testLimits(void** state)
{
    (void)state;
    JsonTest test;
    jsonTestInit(&test, NULL);
    const thJsonLimits limits = {.bytes = 20, .values = 4, .depth = 2};
    assert_non_null(readLimited(&test, "[[1,2]]             ", limits));
    assert_null(readLimited(&test, "[[1,2]]              ", limits));
    assertFull(&test, 0, 0, "the text has 21 bytes, at most 20 are read");
    assert_null(readLimited(&test, "[[1,2],3]", limits));
    assertFull(&test, 1, 8, "there are more than 4 values");
    assert_null(readLimited(&test, "{\"a\":1,\"a\":1,\"a\":1}", (thJsonLimits){99, 3, 1}));
    assert_int_equal(test.errors[1].code, th_resultFull); // those that are left out count too
    assert_null(readLimited(&test, "[\n{\"a\":[]}]", limits));
    assertFull(&test, 2, 6, "arrays and objects are nested deeper than 2 levels");
    assert_non_null(readLimited(&test, "1", (thJsonLimits){1, 1, 0}));
    assert_null(readLimited(&test, "[]", (thJsonLimits){2, 1, 0}));
    jsonTestFree(&test);
}

static double secondsSince(clock_t begin)
{
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

static char* repeat(char byte, size_t count)
{
    char* text = malloc(count);
    assert_non_null(text);
    memset(text, byte, count);
    return text;
}

// Refused by its size: nothing is read and nothing allocated.
static void testHugeText(void** state)
{
    (void)state;
    const size_t size = (size_t)100 << 20;
    char* text = repeat('[', size);
    JsonTest test;
    jsonTestInit(&test, NULL);
    const clock_t begin = clock();
    assert_null(readBytes(&test, text, size));
    assert_true(secondsSince(begin) < 0.1);
    assertFull(&test, 0, 0, "the text has 104857600 bytes, at most 67108864 are read");
    assert_int_equal(test.memory.peak, 0);
    jsonTestFree(&test);
    free(text);
}

// Many small values: the limit comes before memory grows beyond bounds.
static void testManyValues(void** state)
{
    (void)state;
    const size_t size = (size_t)60 << 20;
    char* text = repeat('1', size);
    for (size_t i = 0; i < size; i += 2)
        text[i] = i == 0 ? '[' : ',';
    JsonTest test;
    jsonTestInit(&test, NULL);
    assert_null(readBytes(&test, text, size));
    assertFull(&test, 1, 8000000, "there are more than 4000000 values");
    assert_true(test.memory.peak < (size_t)1 << 30);
    jsonTestFree(&test);
    free(text);
}

static void testDeepNesting(void** state)
{
    (void)state;
    enum { depth = 100000 };
    char* text = repeat('[', 2 * depth);
    JsonTest test;
    jsonTestInit(&test, NULL);
    assert_null(readBytes(&test, text, 2 * depth));
    assertFull(&test, 1, 65, "arrays and objects are nested deeper than 64 levels");
    assert_true(test.memory.peak < 100000);
    // Where the limit allows it, depth costs no stack.
    jsonTestReset(&test);
    memset(text + depth, ']', depth);
    const thJsonLimits limits = {.bytes = 2 * depth, .values = depth, .depth = depth};
    const thJson* root = thiReadJson(&test.arena, text, 2 * depth, &limits, &test.sink);
    assert_non_null(root);
    int32_t levels = 1;
    char path[32];
    for (; root->first != NULL; root = root->first)
        ++levels;
    assert_int_equal(levels, depth);
    thiJsonPath(root, path, sizeof path);
    assert_string_equal(path, "[0][0][0][0][0][0][0][0][0][0][");
    jsonTestReset(&test);
    text[2 * depth - 1] = '}'; // an error inside all of them
    assert_null(thiReadJson(&test.arena, text, 2 * depth, &limits, &test.sink));
    assert_int_equal(test.errors[0].column, 2 * depth);
    jsonTestFree(&test);
    free(text);
}

static void testManyKeys(void** state)
{
    (void)state;
    enum { count = 100000 };
    TextBuffer text = {0};
    char member[64];
    for (int32_t i = 0; i <= count; ++i) { // the last one stands there already
        snprintf(member, sizeof member, "%c\"key %d\":%d", i == 0 ? '{' : ',', (int)(i * 7 % count),
                 (int)i);
        addString(&text, member);
    }
    addString(&text, "}");
    JsonTest test;
    jsonTestInit(&test, NULL);
    const clock_t begin = clock();
    const thJson* root = readBytes(&test, text.items, text.size);
    assert_true(secondsSince(begin) < 1.0);
    assert_non_null(root);
    assert_int_equal(root->count, count);
    assert_int_equal(test.sink.count, 1);
    assert_string_equal(test.errors[0].path, "[\"key 0\"]");
    for (int32_t i = 0; i < count; ++i) {
        snprintf(member, sizeof member, "key %d", (int)(i * 7 % count));
        const thJson* found = thiJsonMember(root, member);
        assert_non_null(found);
        assert_int_equal(found->index, i);
    }
    jsonTestFree(&test);
    free(text.items);
}

// Without memory it ends with an error that says so, wherever that happens.
static thResult readWithMemory(const thAllocator* allocator, void* context)
{
    const TextBuffer* text = context;
    JsonTest test;
    jsonTestInit(&test, allocator);
    const thJson* root = readBytes(&test, text->items, text->size);
    const thResult code = test.errors[0].code;
    assert_true((root != NULL) == (code == th_resultOk));
    assert_int_equal(test.sink.count, root == NULL);
    jsonTestFree(&test);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    TextBuffer text = {0};
    thGenerator g = makeGenerator(1, 0);
    addString(&text, "[");
    addDocument(&text, &g, 3000, (DocumentStyle){.hasComments = true, .depth = 9});
    addString(&text, ",\"");
    for (int32_t i = 0; i < 100000; ++i)
        addString(&text, "long");
    addString(&text, "\"]");
    assert_true(failEachAllocation(readWithMemory, &text) > 3);
    free(text.items);
}

// Random documents, written in both layouts and read again.
static bool comesBack(thGenerator* g, int32_t size, void* context)
{
    JsonTest* test = context;
    TextBuffer text = {0};
    addDocument(&text, g, size, (DocumentStyle){.hasComments = true, .depth = 12});
    jsonTestReset(test);
    const thJson* root = readBytes(test, text.items, text.size);
    bool good = root != NULL;
    for (int32_t oneLine = 0; oneLine < 2 && good; ++oneLine) {
        char* written = treeText(root, oneLine == 1);
        good = isSameTree(root, readJson(test, written)) && test->sink.count == 0 &&
               (oneLine == 0 || strchr(written, '\n') == NULL);
        free(written);
    }
    free(text.items);
    return good;
}

static void testRandomDocuments(void** state)
{
    (void)state;
    JsonTest test;
    jsonTestInit(&test, NULL);
    assertProperty(&(thProperty){"json", 1, 2000, 100, comesBack, &test});
    jsonTestFree(&test);
}

// Every prefix of a document is an error, and none reads beyond its end.
static void testTruncated(void** state)
{
    (void)state;
    TextBuffer text = {0};
    thGenerator g = makeGenerator(2, 0);
    addString(&text, "[");
    addDocument(&text, &g, 300, (DocumentStyle){.hasComments = true, .depth = 9});
    addString(&text, "]");
    JsonTest test;
    jsonTestInit(&test, NULL);
    for (size_t size = 0; size < text.size; ++size) {
        char* part = malloc(size + (size == 0)); // so that the sanitizer sees its end
        assert_non_null(part);
        memcpy(part, text.items, size);
        jsonTestReset(&test);
        assert_null(readBytes(&test, part, size));
        assert_int_equal(test.sink.count, 1);
        free(part);
    }
    jsonTestFree(&test);
    free(text.items);
}

static void testNoText(void** state)
{
    (void)state;
    JsonTest test;
    jsonTestInit(&test, NULL);
    assert_null(readBytes(&test, NULL, 0));
    assert_string_equal(test.errors[0].text, "expected a value, found the end of the text");
    test.sink.report = NULL; // nobody listens
    assert_null(readJson(&test, "x"));
    assert_int_equal(test.sink.count, 2);
    jsonTestFree(&test);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testErrors),
        cmocka_unit_test(testAccepted),
        cmocka_unit_test(testTree),
        cmocka_unit_test(testDuplicateKeys),
        cmocka_unit_test(testLimits),
        cmocka_unit_test(testHugeText),
        cmocka_unit_test(testManyValues),
        cmocka_unit_test(testDeepNesting),
        cmocka_unit_test(testManyKeys),
        cmocka_unit_test(testNoMemory),
        cmocka_unit_test(testRandomDocuments),
        cmocka_unit_test(testTruncated),
        cmocka_unit_test(testNoText),
    };
    return RUN_TESTS(tests, argc, argv);
}
