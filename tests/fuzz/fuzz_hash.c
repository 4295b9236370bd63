// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The checksum against a second way to compute it, byte by byte, and the hash of a stage against
// its own rules: rows in any order, rows in parts.

#include "base/hash.h"
#include "fuzz/fuzz.h"

// Fills a word from its low end and hashes it when it is full.
static uint64_t hashByteByByte(uint64_t hash, const uint8_t* data, size_t size)
{
    uint64_t word = 0;
    int filled = 0;
    for (size_t i = 0; i < size; ++i) {
        word |= (uint64_t)data[i] << filled;
        filled += 8;
        if (filled == 64) {
            hash = thiHashWord(hash, word);
            word = 0;
            filled = 0;
        }
    }
    word += (uint64_t)(size % 256) << 56;
    return thiHashWord(hash, word) ^ size;
}

static void checkBytes(const uint8_t* data, size_t size, uint64_t start)
{
    const uint64_t hash = thiHashBytes(start, data, size);
    FUZZ_CHECK(hash == hashByteByByte(start, data, size));
    if (size == 0)
        return;
    FUZZ_CHECK(hash != thiHashBytes(start, data, size - 1));
    // One bit, picked by the data itself; on a copy whose address is odd.
    uint8_t* copy = malloc(size + 1);
    FUZZ_CHECK(copy != NULL);
    memcpy(copy + 1, data, size);
    FUZZ_CHECK(hash == thiHashBytes(start, copy + 1, size));
    const size_t bit = (size_t)(hash % (8 * size));
    copy[1 + bit / 8] ^= (uint8_t)(1u << bit % 8);
    FUZZ_CHECK(hash != thiHashBytes(start, copy + 1, size));
    free(copy);
}

// A row has 15 bytes of the data: a key and a column of each width below it.
typedef struct Row {
    uint64_t key;
    uint32_t speed;
    uint16_t profile;
    uint8_t flags;
} Row;

#define MAX_ROWS 64

static uint64_t hashRows(const Row* rows, int32_t count, int32_t first, uint64_t step)
{
    uint64_t keys[MAX_ROWS] = {0};
    uint32_t speeds[MAX_ROWS] = {0};
    uint16_t profiles[MAX_ROWS] = {0};
    uint8_t flags[MAX_ROWS] = {0};
    for (int32_t i = 0; i < count; ++i) {
        const Row* row = &rows[(first + i) % count];
        keys[i] = row->key;
        speeds[i] = row->speed;
        profiles[i] = row->profile;
        flags[i] = row->flags;
    }
    const thColumn columns[] = {
        {"key", keys, 8}, {"speed", speeds, 4}, {"profile", profiles, 2}, {"flags", flags, 1}};
    return thiStageHash(&(thStageRows){step, "fuzz", keys, count, columns, 4});
}

static void checkStage(const uint8_t* data, size_t size)
{
    Row rows[MAX_ROWS] = {0};
    int32_t count = 0;
    for (; count < MAX_ROWS && (size_t)(count + 1) * 15 <= size; ++count) {
        const uint8_t* bytes = data + 15 * count;
        memcpy(&rows[count].key, bytes, 8);
        memcpy(&rows[count].speed, bytes + 8, 4);
        memcpy(&rows[count].profile, bytes + 12, 2);
        rows[count].flags = bytes[14];
    }
    const uint64_t step = size;
    const uint64_t hash = hashRows(rows, count, 0, step);
    if (count == 0)
        return;
    FUZZ_CHECK(hash == hashRows(rows, count, 1 + (int32_t)(hash % (uint64_t)count), step));
    const int32_t cut = data[0] % count;
    const uint64_t parts =
        hashRows(rows, cut, 0, step) + hashRows(rows + cut, count - cut, 0, step);
    FUZZ_CHECK(hash == parts - thiMix(step + 1));
    FUZZ_CHECK(hash != hashRows(rows, count, 0, step + 1));
    rows[cut].flags ^= 1;
    FUZZ_CHECK(hash != hashRows(rows, count, 0, step));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    checkBytes(data, size, 0);
    checkBytes(data, size, thiMix(size + 1));
    checkStage(data, size);
    return 0;
}
