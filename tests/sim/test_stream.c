// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Numbers to bytes and back, and what is read beyond the end.

#include "sim/snapshot/stream.h"

#include "gear/gear.h"
#include "sim/sim_gear.h"

static void writeSome(thWriter* writer)
{
    thiWriteU8(writer, 0xfe);
    thiWriteU32(writer, 0x01020304u);
    thiWriteI32(writer, -2);
    thiWriteU64(writer, UINT64_C(0x1122334455667788));
    thiWriteFloat(writer, -0.0f);
    thiWriteDouble(writer, 1.5);
    thiWriteBytes(writer, "xyz", 3);
}

static void testBytes(void** state)
{
    (void)state;
    const uint8_t expected[] = {0xfe, 4,    3,    2,    1,    0xfe, 0xff, 0xff, 0xff, 0x88, 0x77,
                                0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0,    0,    0,    0x80, 0,
                                0,    0,    0,    0,    0,    0xf8, 0x3f, 'x',  'y',  'z'};
    thWriter counter = {0};
    writeSome(&counter);
    assert_int_equal(counter.size, sizeof expected);
    uint8_t data[sizeof expected];
    thWriter writer = {.data = data, .capacity = sizeof data};
    writeSome(&writer);
    assert_memory_equal(data, expected, sizeof expected);
    // What does not fit is counted and not written.
    for (size_t capacity = 0; capacity < sizeof data; ++capacity) {
        memset(data, 0xcd, sizeof data);
        thWriter small = {.data = data, .capacity = capacity};
        writeSome(&small);
        assert_int_equal(small.size, sizeof expected);
        for (size_t i = capacity; i < sizeof data; ++i)
            assert_int_equal(data[i], 0xcd);
    }

    thReader reader = {.data = expected, .size = sizeof expected};
    assert_int_equal(thiReadU8(&reader), 0xfe);
    assert_int_equal(thiReadU32(&reader), 0x01020304u);
    assert_int_equal(thiReadI32(&reader), -2);
    assert_int_equal(thiReadU64(&reader), UINT64_C(0x1122334455667788));
    assert_same_bits(thiReadFloat(&reader), -0.0f);
    assert_true(thiReadDouble(&reader) == 1.5);
    assert_int_equal(thiBytesLeft(&reader), 3);
    assert_false(reader.failed);
    // Beyond the end there are only zeros.
    assert_int_equal(thiReadU32(&reader), 0);
    assert_true(reader.failed);
    assert_int_equal(thiReadU8(&reader), 0);
    assert_int_equal(thiBytesLeft(&reader), 0);
}

static void testPublic(void** state)
{
    (void)state;
    uint8_t data[4] = {0};
    thWriter writer = {.data = data, .capacity = sizeof data};
    assert_ok(thWriter_Write(&writer, "ab", 2));
    assert_ok(thWriter_Write(&writer, NULL, 0));
    assert_ok(thWriter_Write(&writer, "c", 1));
    assert_memory_equal(data, "abc\0", 4);
    thReader reader = {.data = data, .size = 3};
    uint8_t read[4] = {0};
    assert_ok(thReader_Read(&reader, read, 2));
    assert_memory_equal(read, "ab\0\0", 4);
    assert_int_equal(thReader_Read(&reader, read, 2), th_resultDamaged);
    assert_memory_equal(read, "ab\0\0", 4);
    listen();
    assert_int_equal(thWriter_Write(NULL, "a", 1), th_resultBadArgument);
    assert_int_equal(thWriter_Write(&writer, NULL, 1), th_resultBadArgument);
    assert_int_equal(thReader_Read(NULL, read, 1), th_resultBadArgument);
    assert_int_equal(thReader_Read(&reader, NULL, 1), th_resultBadArgument);
    assert_int_equal(heard(), 4);
    thSetHooks(NULL);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testBytes), cmocka_unit_test(testPublic)};
    return RUN_TESTS(tests, argc, argv);
}
