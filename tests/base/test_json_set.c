// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Values set by their path, and paths that lead nowhere.

#include "base/json_gear.h"
#include "gear/allocators.h"
#include "gear/gear.h"

#include <stdio.h>
#include <stdlib.h>

static const char scene[] = "{\"time\": {\"step\": 0.1},\n"
                            " \"agents\": [{\"goal\": \"door\"}, 2, null],\n"
                            " \"my door\": [1]}";

static void assertTree(const thJson* root, const char* expected)
{
    assert_non_null(root);
    char* written = treeText(root, true);
    assert_string_equal(written, expected);
    free(written);
}

// Sets `assignment` in a text and compares what comes of it.
static void assertSet(const char* text, const char* assignment, const char* expected)
{
    JsonTest test;
    jsonTestInit(&test, NULL);
    thJson* root = text != NULL ? readJson(&test, text) : NULL;
    if (!thiJsonSet(&test.arena, &root, assignment, NULL, &test.sink))
        fail_msg("%s: %s", assignment, test.errors[0].text);
    assert_int_equal(test.sink.count, 0);
    assertTree(root, expected);
    // Links hold: the same text is read as the same tree.
    assert_true(isSameTree(root, readJson(&test, expected)));
    jsonTestFree(&test);
}

static void testValues(void** state)
{
    (void)state;
    assertSet("{\"a\": 1}", "a=2", "{\"a\": 2}");
    assertSet("{\"a\": 1}", "a=-0.5e1", "{\"a\": -5}");
    assertSet("{\"a\": 1}", "a=true", "{\"a\": true}");
    assertSet("{\"a\": 1}", "a= null ", "{\"a\": null}");
    assertSet("{\"a\": 1}", "a=\"x=y\"", "{\"a\": \"x=y\"}");
    assertSet("{\"a\": 1}", "a=[1, {\"b\": []}]", "{\"a\": [1, {\"b\": []}]}");
    // What is no JSON is a string.
    assertSet("{\"a\": 1}", "a=door", "{\"a\": \"door\"}");
    assertSet("{\"a\": 1}", "a=", "{\"a\": \"\"}");
    assertSet("{\"a\": 1}", "a=1 2", "{\"a\": \"1 2\"}");
    assertSet("{\"a\": 1}", "a=01", "{\"a\": \"01\"}");
    assertSet("{\"a\": 1}", "a=[1,", "{\"a\": \"[1,\"}");
    assertSet("{\"a\": 1}", "a=x=y\t\xc3\xa9\"", "{\"a\": \"x=y\\t\xc3\xa9\\\"\"}");
}

static void testPlaces(void** state)
{
    (void)state;
    assertSet("{\"a\": {\"b\": 1, \"c\": 2}, \"d\": 3}", "a.b=5",
              "{\"a\": {\"b\": 5, \"c\": 2}, \"d\": 3}");
    assertSet("{\"a\": {\"b\": 1}}", "a.c=5", "{\"a\": {\"b\": 1, \"c\": 5}}");
    assertSet("{\"a\": {\"b\": 1}}", "a={\"c\": [2]}", "{\"a\": {\"c\": [2]}}");
    assertSet("{\"a\": 1}", "b.c.d=5", "{\"a\": 1, \"b\": {\"c\": {\"d\": 5}}}");
    assertSet("{\"a\": [1, 2, 3]}", "a[1]=[]", "{\"a\": [1, [], 3]}");
    assertSet("{\"a\": [1, {\"b\": [7]}]}", "a[1].b[0]=x", "{\"a\": [1, {\"b\": [\"x\"]}]}");
    assertSet("{\"a\": [1, {}]}", "a[1].b.c=x", "{\"a\": [1, {\"b\": {\"c\": \"x\"}}]}");
    assertSet("[1, 2]", "[0]=3", "[3, 2]");
    assertSet("[[1], 2]", "[0][0]=3", "[[3], 2]");
    assertSet("{}", "[\"my = door\"].x=1", "{\"my = door\": {\"x\": 1}}");
    assertSet("{\"a\": {}}", "a[\"\\u0062\\\"\"][\"\"]=1", "{\"a\": {\"b\\\"\": {\"\": 1}}}");
    assertSet("{}", "max-speed 2=1", "{\"max-speed 2\": 1}");
    assertSet("{\"a\": 1}", "=[1]", "[1]");
    assertSet(NULL, "a.b=1", "{\"a\": {\"b\": 1}}");
    assertSet(NULL, "=1", "1");
}

static void testPlaceOfValue(void** state)
{
    (void)state;
    JsonTest test;
    jsonTestInit(&test, NULL);
    thJson* root = readJson(&test, scene);
    assert_true(
        thiJsonSet(&test.arena, &root, "agents[0]={\"x\": [1, 2],\n \"y\": 1}", NULL, &test.sink));
    assert_true(thiJsonSet(&test.arena, &root, "time.step=0.2", NULL, &test.sink));
    const thJson* agent = thiJsonMember(root, "agents")->first;
    assert_int_equal(agent->line, 0);
    assert_int_equal(agent->first->first->line, 0);
    assert_int_equal(agent->last->keyLine, 0);
    assert_int_equal(agent->next->line, 2);
    const thJson* step = thiJsonMember(thiJsonMember(root, "time"), "step");
    assert_int_equal(step->line, 0);
    assert_int_equal(step->column, 0);
    assert_string_equal(step->text, "0.2");
    thiReportAt(&test.sink, th_resultSyntax, agent->first->last, "bad");
    assert_string_equal(test.errors[0].path, "agents[0].x[1]");
    jsonTestFree(&test);
}

static void testBadPaths(void** state)
{
    (void)state;
    static const struct {
        const char *assignment, *text;
    } cases[] = {
        {"", "expected a path, '=' and a value"},
        {"time.step", "expected a path, '=' and a value"},
        {"time..step=1", "expected a path, '=' and a value"},
        {".time=1", "expected a path, '=' and a value"},
        {"time.=1", "expected a path, '=' and a value"},
        {"agents[0]goal=1", "expected a path, '=' and a value"},
        {"a\"b=1", "expected a path, '=' and a value"},
        {"agents[0=1", "expected ']'"},
        {"agents[\"x\"=1", "expected ']'"},
        {"agents[\"x]=1", "expected a number or a string after '['"},
        {"agents[x]=1", "expected a number or a string after '['"},
        {"agents[-1]=1", "expected a number or a string after '['"},
        {"agents[]=1", "expected a number or a string after '['"},
        {"agents[3]=1", "'agents' has only 3 items"},
        {"agents[99999999999999999999]=1", "'agents' has only 3 items"},
        {"agents.x=1", "'agents' is an array and has no members"},
        {"agents[1].x=1", "'agents[1]' is a number and has no members"},
        {"agents[2].x=1", "'agents[2]' is null and has no members"},
        {"time[0]=1", "'time' is an object and has no items"},
        {"time.step.x=1", "'time.step' is a number and has no members"},
        {"agents[0].goal[0]=1", "'agents[0].goal' is a string and has no items"},
        {"[0]=1", "the whole is an object and has no items"},
        {"new.list[0]=1", "there is no 'new'"},
        {"agnets[0].goal=1", "there is no 'agnets'; did you mean 'agents'?"},
        {"time.new[0].x=1", "there is no 'new'"},
        {"new={\"a\": [{\"b\": 1, \"b\": 2}]}", "a[0].b: the key stands twice, first in line 1"},
        {"new=\xff", "it is not UTF-8"},
        {"\xc3=1", "it is not UTF-8"},
    };
    JsonTest test;
    jsonTestInit(&test, NULL);
    thJson* root = readJson(&test, scene);
    char* before = treeText(root, true);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        test.sink.count = 0;
        assert_false(thiJsonSet(&test.arena, &root, cases[i].assignment, NULL, &test.sink));
        assert_int_equal(test.sink.count, 1);
        assert_int_equal(test.errors[0].code, th_resultSyntax);
        assert_string_equal(test.errors[0].text, cases[i].text);
        assert_string_equal(test.errors[0].path, cases[i].assignment);
        assert_int_equal(test.errors[0].line, 0);
        assertTree(root, before);
    }
    free(before);
    thJson* none = NULL;
    assert_false(thiJsonSet(&test.arena, &none, "a[0]=1", NULL, &test.sink));
    assert_null(none);
    jsonTestFree(&test);
}

// The tree gets no deeper than one that was read.
static void testDepth(void** state)
{
    (void)state;
    JsonTest test;
    jsonTestInit(&test, NULL);
    for (int32_t steps = 62; steps <= 66; ++steps) {
        TextBuffer text = {0};
        for (int32_t i = 0; i < steps; ++i)
            addString(&text, i == 0 ? "a" : ".a");
        addString(&text, "=[[]]");
        addBytes(&text, "", 1);
        jsonTestReset(&test);
        thJson* root = NULL;
        assert_int_equal(thiJsonSet(&test.arena, &root, text.items, NULL, &test.sink), steps == 62);
        assert_int_equal(test.errors[0].code, steps == 62 ? th_resultOk : th_resultFull);
        free(text.items);
    }
    jsonTestFree(&test);
}

// Uses up the arena but for some pieces, with no more memory to come; returns how many it took.
static int32_t leavePieces(JsonTest* test, thTestAllocator* allocator, int32_t taken)
{
    int32_t count = 0;
    allocator->failFrom = 1;
    while (count < taken && thiArenaAllocate(&test->arena, TH_ALIGNMENT) != NULL)
        ++count;
    return count;
}

// Either all of it or nothing, however much memory there is.
static void testNoMemory(void** state)
{
    (void)state;
    int32_t room = INT32_MAX, refused = 0;
    bool done = false;
    for (int32_t left = 0; !done; ++left) {
        thTestAllocator allocator;
        testAllocatorInit(&allocator);
        const thAllocator view = testAllocator(&allocator);
        JsonTest test;
        jsonTestInit(&test, &view);
        thJson* root = readJson(&test, scene);
        assert_non_null(root);
        char* before = treeText(root, true);
        const int32_t count = leavePieces(&test, &allocator, room - left);
        if (left == 0)
            room = count;
        done = thiJsonSet(&test.arena, &root, "a[\"b\"].c.d=[1, \"x\"]", NULL, &test.sink);
        if (!done) {
            assertTree(root, before);
            assert_int_equal(test.errors[0].code, th_resultNoMemory);
            ++refused;
        }
        free(before);
        jsonTestFree(&test);
        testAllocatorFinish(&allocator);
    }
    assert_true(refused > 10);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testValues),       cmocka_unit_test(testPlaces),
        cmocka_unit_test(testPlaceOfValue), cmocka_unit_test(testBadPaths),
        cmocka_unit_test(testDepth),        cmocka_unit_test(testNoMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
