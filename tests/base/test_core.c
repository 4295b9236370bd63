// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Hooks, texts of results, errors that are passed on, and defs of older callers.

#include "base/core.h"
#include "gear/gear.h"
#include "throng/tasks.h"

#include <stdio.h>

// What the hooks were last told.
typedef struct Heard {
    int32_t count;
    thLogLevel level;
    int32_t line;
    char text[1024];
    char file[256];
} Heard;

static void hearLog(void* context, thLogLevel level, const char* text)
{
    Heard* heard = context;
    heard->count += 1;
    heard->level = level;
    snprintf(heard->text, sizeof heard->text, "%s", text);
}

static void hearAssertion(void* context, const char* condition, const char* file, int32_t line)
{
    Heard* heard = context;
    heard->count += 1;
    heard->line = line;
    snprintf(heard->text, sizeof heard->text, "%s", condition);
    snprintf(heard->file, sizeof heard->file, "%s", file);
}

static bool endsWith(const char* text, const char* end)
{
    const size_t length = strlen(text), endLength = strlen(end);
    return length >= endLength && strcmp(text + length - endLength, end) == 0;
}

static void testVersion(void** state)
{
    (void)state;
    const thVersion version = thGetVersion();
    assert_int_equal(version.major, THRONG_VERSION_MAJOR);
    assert_int_equal(version.minor, THRONG_VERSION_MINOR);
    assert_int_equal(version.patch, THRONG_VERSION_PATCH);
}

static void testResultTexts(void** state)
{
    (void)state;
    assert_string_equal(thResult_GetText(th_resultOk), "ok");
    assert_string_equal(thResult_GetText(th_resultNoMemory), "no memory");
    const char* unknown = thResult_GetText((thResult)1000);
    assert_string_equal(unknown, "unknown result");
    assert_string_equal(thResult_GetText((thResult)-1), unknown);
    assert_string_equal(thResult_GetText((thResult)(th_resultBlocked + 1)), unknown);
    for (int32_t i = th_resultOk; i <= th_resultBlocked; ++i) {
        const char* text = thResult_GetText((thResult)i);
        assert_true(text[0] != '\0');
        assert_string_not_equal(text, unknown);
        for (int32_t j = th_resultOk; j < i; ++j)
            assert_string_not_equal(text, thResult_GetText((thResult)j));
    }
}

static void testLog(void** state)
{
    (void)state;
    Heard heard = {0};
    thiLog(th_logWarning, "nobody listens");
    thSetHooks(&(thHooks){.log = hearLog, .logContext = &heard});
    thiLog(th_logWarning, "%d agents at %s", 7, "the door");
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.level, th_logWarning);
    assert_string_equal(heard.text, "7 agents at the door");
    thiLog(th_logDebug, "%0900d", 0);
    assert_int_equal(heard.level, th_logDebug);
    assert_int_equal(strlen(heard.text), 511); // cut to fit
    // A failed assertion is not a message.
    assert_int_equal(thTasks_GetWorkerCount(NULL), 1);
    assert_int_equal(heard.count, 2);
    thSetHooks(NULL);
    thiLog(th_logInfo, "nobody listens");
    assert_int_equal(heard.count, 2);
}

static void testAssertionHook(void** state)
{
    (void)state;
    Heard heard = {0};
    assert_int_equal(thTasks_GetWorkerCount(NULL), 1); // silent, and harmless
    thSetHooks(&(thHooks){.assertion = hearAssertion, .assertionContext = &heard});
    assert_int_equal(thTasks_GetWorkerCount(NULL), 1);
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.text, "tasks != NULL");
    assert_true(endsWith(heard.file, "tasks.c"));
    assert_true(heard.line > 0);
    thiLog(th_logInfo, "not an assertion");
    assert_int_equal(heard.count, 1);
    thSetHooks(NULL);
}

static void testAssertOnlyWhenValidating(void** state)
{
    (void)state;
    Heard heard = {0};
    int32_t evaluated = 0;
    thSetHooks(&(thHooks){.assertion = hearAssertion, .assertionContext = &heard});
    TH_ASSERT(++evaluated > 1);
    TH_ASSERT(evaluated < 2);
    thSetHooks(NULL);
    assert_int_equal(heard.count, THRONG_VALIDATE);
    assert_int_equal(evaluated, THRONG_VALIDATE);
}

static int32_t requirePositive(int32_t number)
{
    TH_REQUIRE(number > 0, -1);
    return number;
}

static void requireFlag(bool flag, bool* passed)
{
    TH_REQUIRE_VOID(flag);
    *passed = true;
}

static thResult tryTwice(thResult first, thResult second, int32_t* calls)
{
    *calls += 1;
    TH_TRY(first);
    *calls += 1;
    TH_TRY(second);
    *calls += 1;
    return th_resultOk;
}

static void testRequireAndTry(void** state)
{
    (void)state;
    Heard heard = {0};
    thSetHooks(&(thHooks){.assertion = hearAssertion, .assertionContext = &heard});
    assert_int_equal(requirePositive(3), 3);
    assert_int_equal(heard.count, 0);
    assert_int_equal(requirePositive(0), -1);
    assert_string_equal(heard.text, "number > 0");
    assert_true(endsWith(heard.file, "test_core.c"));
    bool passed = false;
    requireFlag(false, &passed);
    assert_false(passed);
    requireFlag(true, &passed);
    assert_true(passed);
    assert_int_equal(heard.count, 2);
    thSetHooks(NULL);

    int32_t calls = 0;
    assert_int_equal(tryTwice(th_resultFull, th_resultFile, &calls), th_resultFull);
    assert_int_equal(calls, 1);
    assert_int_equal(tryTwice(th_resultOk, th_resultFile, &calls), th_resultFile);
    assert_int_equal(calls, 3);
    assert_int_equal(tryTwice(th_resultOk, th_resultOk, &calls), th_resultOk);
    assert_int_equal(calls, 6);
}

static void testFail(void** state)
{
    (void)state;
    assert_int_equal(thiFail(NULL, th_resultSyntax, "%s", "nobody asks"), th_resultSyntax);
    thError error = {.line = 3, .column = 9, .file = "scene.json", .path = "agents[3].goal"};
    assert_int_equal(thiFail(&error, th_resultSyntax, "found %d, expected %d", 1, 2),
                     th_resultSyntax);
    assert_int_equal(error.code, th_resultSyntax);
    assert_string_equal(error.text, "found 1, expected 2");
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 9);
    assert_string_equal(error.file, "scene.json");
    assert_string_equal(error.path, "agents[3].goal");
    thiFail(&error, th_resultFile, "%0900d", 0);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

// A def as it is now, and as its first version was.
typedef struct NowDef {
    uint32_t size;
    int32_t first;
    float second;
    int32_t third;
} NowDef;

typedef struct OldDef {
    uint32_t size;
    int32_t first;
} OldDef;

static const NowDef defaults = {sizeof(NowDef), 1, 2.0f, 3};

static bool readDef(NowDef* def, const void* given)
{
    *def = defaults;
    return thiReadDef(def, given, sizeof(OldDef), sizeof(NowDef));
}

static void testReadDef(void** state)
{
    (void)state;
    NowDef def;
    const NowDef now = {sizeof now, 10, 20.0f, 30};
    assert_true(readDef(&def, &now));
    assert_memory_equal(&def, &now, sizeof def);

    const OldDef old = {sizeof old, 10};
    assert_true(readDef(&def, &old));
    assert_int_equal(def.size, sizeof(NowDef));
    assert_int_equal(def.first, 10);
    assert_same_bits(def.second, 2.0f);
    assert_int_equal(def.third, 3);

    NowDef between = now;
    between.size = offsetof(NowDef, third);
    assert_true(readDef(&def, &between));
    assert_same_bits(def.second, 20.0f);
    assert_int_equal(def.third, 3);

    // What is refused is not copied.
    const uint32_t refused[] = {0, 1, sizeof(OldDef) - 1, sizeof(NowDef) + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
        NowDef bad = now;
        bad.size = refused[i];
        assert_false(readDef(&def, &bad));
        assert_memory_equal(&def, &defaults, sizeof def);
    }
    assert_false(readDef(&def, NULL));

    // A def may lie anywhere, as one from another language does.
    char bytes[sizeof now + 1];
    memcpy(bytes + 1, &now, sizeof now);
    assert_true(readDef(&def, bytes + 1));
    assert_memory_equal(&def, &now, sizeof def);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testVersion),       cmocka_unit_test(testResultTexts),
        cmocka_unit_test(testLog),           cmocka_unit_test(testAssertionHook),
        cmocka_unit_test(testRequireAndTry), cmocka_unit_test(testAssertOnlyWhenValidating),
        cmocka_unit_test(testFail),          cmocka_unit_test(testReadDef),
    };
    return RUN_TESTS(tests, argc, argv);
}
