// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Members are found by their keys, whatever the keys are.

#include "base/json_gear.h"
#include "gear/gear.h"

#define MOST_KEYS 200

// Short keys of few letters, so that they begin alike, and some with the highest bit.
static void drawKey(thGenerator* g, char key[8])
{
    const char letters[] = {'a', 'b', 'q', '\x01', '\x7f', '\x80', '\xff'};
    int32_t size = drawInt(g, 0, 7);
    key[size] = '\0';
    while (--size >= 0)
        key[size] = letters[drawInt(g, 0, 6)];
}

static const thJson* findByLooking(const thJson* object, const char* key)
{
    for (const thJson* member = object->first; member != NULL; member = member->next)
        if (strcmp(member->key, key) == 0)
            return member;
    return NULL;
}

static bool findsLikeLooking(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static thJson members[MOST_KEYS];
    static thJsonKey rooms[MOST_KEYS];
    static char keys[MOST_KEYS][8];
    thJson object = {.kind = th_jsonObject};
    for (int32_t i = 0; i < size; ++i) {
        drawKey(g, keys[i]);
        thJson* found = thiJsonMember(&object, keys[i]);
        if (found != findByLooking(&object, keys[i]))
            return false;
        if (found == NULL) {
            members[i] = (thJson){.key = keys[i]};
            thiAppendMember(&object, &members[i], &rooms[i]);
        }
    }
    for (int32_t i = 0; i < size; ++i)
        if (thiJsonMember(&object, keys[i]) != findByLooking(&object, keys[i]))
            return false;
    return true;
}

static void testFindsLikeLooking(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"keys", 1, 2000, MOST_KEYS, findsLikeLooking, NULL});
}

static void testNoObject(void** state)
{
    (void)state;
    JsonTest test;
    jsonTestInit(&test, NULL);
    assert_null(thiJsonMember(readJson(&test, "{}"), "a"));
    assert_null(thiJsonMember(readJson(&test, "[1]"), "a"));
    assert_null(thiJsonMember(readJson(&test, "\"a\""), "a"));
    assert_null(thiJsonMember(readJson(&test, "{\"a\": 1}"), ""));
    assert_non_null(thiJsonMember(readJson(&test, "{\"\": 1}"), ""));
    jsonTestFree(&test);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testFindsLikeLooking),
        cmocka_unit_test(testNoObject),
    };
    return RUN_TESTS(tests, argc, argv);
}
