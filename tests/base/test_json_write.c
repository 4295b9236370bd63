// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// JSON written token by token: layout, quoting, and buffers that are too small.

#include "base/json_gear.h"
#include "gear/gear.h"

static void writeSample(thJsonWriter* writer)
{
    thiWriteBegin(writer, '{', false);
    thiWriteKey(writer, "name");
    thiWriteString(writer, "a \"b\"\\ \x01\x1f\t\n\x7f\xc3\xa9");
    thiWriteKey(writer, "points");
    thiWriteBegin(writer, '[', false);
    for (int32_t i = 0; i < 2; ++i) {
        thiWriteBegin(writer, '[', true);
        thiWriteNumber(writer, i);
        thiWriteNumber(writer, -0.5);
        thiWriteEnd(writer, ']');
    }
    thiWriteEnd(writer, ']');
    thiWriteKey(writer, "nothing");
    thiWriteBegin(writer, '{', false);
    thiWriteEnd(writer, '}');
    thiWriteKey(writer, "inline");
    thiWriteBegin(writer, '{', true);
    thiWriteKey(writer, "a");
    thiWriteBegin(writer, '[', false); // in what is on one line everything is
    thiWriteBool(writer, true);
    thiWriteBegin(writer, '{', true);
    thiWriteKey(writer, "b");
    thiWriteNull(writer);
    thiWriteEnd(writer, '}');
    thiWriteBegin(writer, '[', true);
    thiWriteEnd(writer, ']');
    thiWriteEnd(writer, ']');
    thiWriteKey(writer, "c");
    thiWriteBool(writer, false);
    thiWriteEnd(writer, '}');
    thiWriteKey(writer, "last");
    thiWriteBegin(writer, '[', false);
    thiWriteNumber(writer, INFINITY);
    thiWriteNumber(writer, NAN);
    thiWriteEnd(writer, ']');
    thiWriteEnd(writer, '}');
}

static const char sample[] = "{\n"
                             "  \"name\": \"a \\\"b\\\"\\\\ \\u0001\\u001f\\t\\n\x7f\xc3\xa9\",\n"
                             "  \"points\": [\n"
                             "    [0, -0.5],\n"
                             "    [1, -0.5]\n"
                             "  ],\n"
                             "  \"nothing\": {},\n"
                             "  \"inline\": {\"a\": [true, {\"b\": null}, []], \"c\": false},\n"
                             "  \"last\": [\n"
                             "    null,\n"
                             "    null\n"
                             "  ]\n"
                             "}";

static void testLayout(void** state)
{
    (void)state;
    char text[1000] = "";
    thJsonWriter writer = {.buffer = text, .capacity = sizeof text};
    writeSample(&writer);
    assert_string_equal(text, sample);
    assert_int_equal(writer.size, strlen(sample));
    assert_int_equal(writer.depth, 0);
}

// Counts all, keeps what fits, and touches nothing behind.
static void testRoom(void** state)
{
    (void)state;
    thJsonWriter counter = {0};
    writeSample(&counter);
    assert_int_equal(counter.size, strlen(sample));
    for (size_t capacity = 0; capacity <= strlen(sample); ++capacity) {
        char text[sizeof sample + 1];
        memset(text, '#', sizeof text);
        thJsonWriter writer = {.buffer = text, .capacity = capacity};
        writeSample(&writer);
        assert_int_equal(writer.size, strlen(sample));
        assert_memory_equal(text, sample, capacity);
        assert_int_equal(text[capacity], '#');
    }
}

static void testOneValue(void** state)
{
    (void)state;
    char text[40] = "";
    thiWriteString(&(thJsonWriter){.buffer = text, .capacity = sizeof text}, "");
    assert_string_equal(text, "\"\"");
    thiWriteNumber(&(thJsonWriter){.buffer = text, .capacity = sizeof text}, 12.5);
    assert_string_equal(text, "12.5");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testLayout),
        cmocka_unit_test(testRoom),
        cmocka_unit_test(testOneValue),
    };
    return RUN_TESTS(tests, argc, argv);
}
