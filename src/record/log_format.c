// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What writers and readers of logs share: checksums, headers of blocks, and lists of shapes.

#include "record/log_format.h"

#include "base/hash.h"
#include "sim/ranges.h"

// The last two bytes show when something has treated the file as text.
const uint8_t thiLogMagic[8] = {'t', 'h', 'l', 'o', 'g', 0, 0x1a, '\n'};

// --- Bytes that grow -------------------------------------------------------------------------

#define LEAST_BYTES ((size_t)64) // so that there is something to point to

// Room for that many bytes in all; what is there is kept.
static thResult reserveBytes(thBytes* bytes, size_t capacity)
{
    if (capacity <= bytes->capacity)
        return th_resultOk;
    uint8_t* data = thiAllocate(bytes->memory, capacity);
    if (data == NULL)
        return th_resultNoMemory;
    if (bytes->size > 0)
        memcpy(data, bytes->data, bytes->size);
    thiRelease(bytes->memory, bytes->data, bytes->capacity);
    bytes->data = data;
    bytes->capacity = capacity;
    return th_resultOk;
}

thResult thiAddBytes(thBytes* bytes, size_t size, uint8_t** first)
{
    if (size > SIZE_MAX - bytes->size)
        return th_resultNoMemory;
    const size_t needed = bytes->size + size, grown = bytes->capacity + bytes->capacity / 2;
    const size_t wanted = TH_MAX(TH_MAX(needed, grown), LEAST_BYTES);
    if ((needed > bytes->capacity || bytes->data == NULL) &&
        reserveBytes(bytes, wanted) != th_resultOk)
        TH_TRY(reserveBytes(bytes, TH_MAX(needed, LEAST_BYTES)));
    *first = bytes->data + bytes->size;
    bytes->size = needed;
    return th_resultOk;
}

void thiFreeBytes(thBytes* bytes)
{
    thiRelease(bytes->memory, bytes->data, bytes->capacity);
    *bytes = (thBytes){.memory = bytes->memory};
}

// --- Checksums -------------------------------------------------------------------------------
//
// Four sums take turns at words of 8 bytes, so that the processor works at all of them at once; it
// is then about as fast as memory. Each turn is a bijection of the sum and of the word, so a single
// word that differs cannot go unnoticed.

#define LANES 4
#define STRIPE ((size_t)LANES * 8)

static inline uint64_t turn(uint64_t lane, uint64_t word)
{
    lane ^= word;
    lane ^= lane >> 32; // or the highest bits would stay where they are
    return lane * UINT64_C(0x9fb21c651e98df25);
}

static void addStripe(uint64_t lanes[LANES], const uint8_t* data)
{
    for (int32_t i = 0; i < LANES; ++i)
        lanes[i] = turn(lanes[i], thiGetU64(data + 8 * i));
}

uint64_t thiLogSum(uint64_t seed, const uint8_t* data, size_t size)
{
    uint64_t lanes[LANES];
    for (uint64_t i = 0; i < LANES; ++i)
        lanes[i] = thiHashWord(seed, i);
    size_t at = 0;
    for (; at + STRIPE <= size; at += STRIPE)
        addStripe(lanes, data + at);
    if (at < size) {
        uint8_t rest[STRIPE] = {0};
        memcpy(rest, data + at, size - at);
        addStripe(lanes, rest);
    }
    uint64_t sum = thiHashWord(seed, size); // or zeros at the end would not count
    for (int32_t i = 0; i < LANES; ++i)
        sum = thiHashWord(sum, lanes[i]);
    return sum;
}

// --- Headers of blocks, and people -----------------------------------------------------------

#define CHECKED_SIZE (TH_BLOCK_HEADER_SIZE - 8) // of a header: all but its own checksum

void thiPutBlockHeader(uint8_t* at, uint64_t offset, thBlockType type, size_t size)
{
    uint8_t* to = thiPutU32(at, TH_BLOCK_MARK);
    to = thiPutU32(to, (uint32_t)type);
    to = thiPutU64(to, size);
    to = thiPutU64(to, thiLogSum(offset, at + TH_BLOCK_HEADER_SIZE, size));
    thiPutU64(to, thiLogSum(offset, at, CHECKED_SIZE));
}

bool thiGetBlockHeader(const uint8_t* at, uint64_t offset, thBlock* block)
{
    *block =
        (thBlock){.type = thiGetU32(at + 4), .size = thiGetU64(at + 8), .sum = thiGetU64(at + 16)};
    return thiGetU32(at) == TH_BLOCK_MARK &&
           thiGetU64(at + CHECKED_SIZE) == thiLogSum(offset, at, CHECKED_SIZE);
}

static bool isLength(float value)
{
    return value >= 0.0f && value <= FLT_MAX;
}

bool thiIsPerson(const thRecordedPerson* person)
{
    return isLength(person->radius) && isLength(person->speed) && isLength(person->planned);
}

// --- Shapes ----------------------------------------------------------------------------------

thLogShapes thiLogShapes(thMemory* memory)
{
    return (thLogShapes){.bytes = {.memory = memory}, .ends = thiArray(memory, sizeof(uint64_t))};
}

void thiFreeLogShapes(thLogShapes* list)
{
    thiFreeBytes(&list->bytes);
    thiArrayFree(&list->ends);
}

thResult thiAddLogShapes(thLogShapes* list, const thLogShapes* from, int32_t first, int32_t count)
{
    const uint64_t start = thiShapeStart(from, first),
                   size = thiShapeStart(from, first + count) - start;
    const uint64_t before = list->bytes.size;
    uint64_t* ends = thiArrayAdd(&list->ends, count);
    if (ends == NULL)
        return th_resultNoMemory;
    uint8_t* to;
    TH_TRY(thiAddBytes(&list->bytes, (size_t)size, &to));
    if (size > 0)
        memcpy(to, from->bytes.data + start, (size_t)size);
    for (int32_t i = 0; i < count; ++i)
        ends[i] = before + thiShapeStart(from, first + i + 1) - start;
    return th_resultOk;
}
