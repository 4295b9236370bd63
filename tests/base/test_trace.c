// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Hashes of stages: they do not depend on the order of rows.

#include "base/hash.h"
#include "gear/gear.h"
#include "gear/property.h"

#define ROWS 20
#define COLUMNS 4

// A stage with a column of each width.
typedef struct Stage {
    uint64_t keys[ROWS];
    uint8_t flags[ROWS];
    uint16_t profiles[ROWS];
    float speeds[ROWS];
    uint64_t goals[ROWS];
    thColumn columns[COLUMNS];
    thStageRows rows;
} Stage;

static void fillStage(Stage* stage, thGenerator* g, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        stage->keys[i] = (uint64_t)i + ((uint64_t)drawInt(g, 0, 9) << 40);
        stage->flags[i] = (uint8_t)drawU32(g);
        stage->profiles[i] = (uint16_t)drawU32(g);
        stage->speeds[i] = drawSpecialFloat(g);
        stage->goals[i] = drawU64(g);
    }
    stage->columns[0] = (thColumn){"flags", stage->flags, sizeof stage->flags[0]};
    stage->columns[1] = (thColumn){"profile", stage->profiles, sizeof stage->profiles[0]};
    stage->columns[2] = (thColumn){"speed", stage->speeds, sizeof stage->speeds[0]};
    stage->columns[3] = (thColumn){"goal", stage->goals, sizeof stage->goals[0]};
    stage->rows = (thStageRows){drawU32(g), "move", stage->keys, count, stage->columns, COLUMNS};
}

static void swapRows(Stage* stage, int32_t a, int32_t b)
{
    for (int32_t c = 0; c < COLUMNS + 1; ++c) {
        const size_t size = c < COLUMNS ? (size_t)stage->columns[c].itemSize : sizeof(uint64_t);
        char* data = c < COLUMNS ? (char*)stage->columns[c].data : (char*)stage->keys;
        char item[8];
        memcpy(item, data + (size_t)a * size, size);
        memmove(data + (size_t)a * size, data + (size_t)b * size, size);
        memcpy(data + (size_t)b * size, item, size);
    }
}

static void testColumnBits(void** state)
{
    (void)state;
    const uint8_t a[2] = {1, 0xfe};
    const uint16_t b[2] = {1, 0xfedc};
    const uint32_t c[2] = {1, 0xfedcba98};
    const uint64_t d[2] = {1, UINT64_C(0xfedcba9876543210)};
    assert_int_equal(thiColumnBits(&(thColumn){"a", a, 1}, 1), a[1]);
    assert_int_equal(thiColumnBits(&(thColumn){"b", b, 2}, 1), b[1]);
    assert_int_equal(thiColumnBits(&(thColumn){"c", c, 4}, 1), c[1]);
    assert_int_equal(thiColumnBits(&(thColumn){"d", d, 8}, 1), d[1]);
    const float minusZero = -0.0f;
    assert_int_equal(thiColumnBits(&(thColumn){"zero", &minusZero, 4}, 0), 0x80000000);
    // A column may lie anywhere.
    char bytes[9];
    memcpy(bytes + 1, &d[1], 8);
    assert_int_equal(thiColumnBits(&(thColumn){"odd", bytes + 1, 8}, 0), d[1]);
}

// The formula of the header, written out for these columns.
static uint64_t expectedHash(const Stage* stage)
{
    uint64_t sum = thiMix(stage->rows.step + 1);
    for (int32_t i = 0; i < stage->rows.count; ++i) {
        uint64_t hash = thiHashWord(0, stage->keys[i]);
        hash = thiHashWord(hash, stage->flags[i]);
        hash = thiHashWord(hash, stage->profiles[i]);
        hash = thiHashWord(hash, thiFloatBits(stage->speeds[i]));
        sum += thiHashWord(hash, stage->goals[i]);
    }
    return sum;
}

static bool stageHashHolds(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Stage stage;
    fillStage(&stage, g, size);
    const uint64_t hash = thiStageHash(&stage.rows);
    bool good = hash == expectedHash(&stage);
    // Rows in another order.
    for (int32_t i = 0; i < size; ++i)
        swapRows(&stage, drawInt(g, 0, size - 1), drawInt(g, 0, size - 1));
    good = good && thiStageHash(&stage.rows) == hash;
    // Rows on two machines.
    const int32_t cut = drawInt(g, 0, size);
    thColumn rest[COLUMNS];
    for (int32_t c = 0; c < COLUMNS; ++c) {
        rest[c] = stage.columns[c];
        rest[c].data = (const char*)rest[c].data + (size_t)cut * (size_t)rest[c].itemSize;
    }
    thStageRows one = stage.rows, two = stage.rows;
    one.count = cut;
    two.count = size - cut;
    two.keys += cut;
    two.columns = rest;
    good = good && thiStageHash(&one) + thiStageHash(&two) - thiMix(one.step + 1) == hash;
    // One bit anywhere, or the step.
    if (size > 0) {
        const int32_t row = drawInt(g, 0, size - 1), column = drawInt(g, 0, COLUMNS - 1);
        const int32_t itemSize = stage.columns[column].itemSize;
        unsigned char* item = (unsigned char*)stage.columns[column].data + row * itemSize;
        const int32_t bit = drawInt(g, 0, 8 * itemSize - 1);
        item[bit / 8] ^= (unsigned char)(1u << bit % 8);
        good = good && thiStageHash(&stage.rows) != hash;
        item[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    stage.rows.step += 1;
    return good && thiStageHash(&stage.rows) != hash;
}

static void testStageHash(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"stage_hash", 1, 2000, ROWS, stageHashHolds, NULL});
}

// Two agents that exchange their values are another state.
static void testValuesBelongToKeys(void** state)
{
    (void)state;
    const uint64_t keys[2] = {1, 2};
    float x[2] = {3.0f, 4.0f};
    const thColumn column = {"x", x, sizeof x[0]};
    const thStageRows rows = {5, "move", keys, 2, &column, 1};
    const uint64_t before = thiStageHash(&rows);
    x[0] = 4.0f;
    x[1] = 3.0f;
    assert_true(thiStageHash(&rows) != before);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testColumnBits),
        cmocka_unit_test(testStageHash),
        cmocka_unit_test(testValuesBelongToKeys),
    };
    return RUN_TESTS(tests, argc, argv);
}
