// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Blocks: headers with their checksums, and bytes to put them into.

#include "record/log_format.h"

// The last two bytes show when something has treated the file as text.
const uint8_t thiLogMagic[8] = {'t', 'h', 'l', 'o', 'g', 0, 0x1a, '\n'};

#define CHECKED_SIZE (TH_BLOCK_HEADER_SIZE - 8) // of a header: all but its own checksum
#define LEAST_BYTES ((size_t)64)                // so that there is something to point to

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

bool thiIsBlockContent(const thBlock* block, uint64_t offset, const uint8_t* content)
{
    return thiLogSum(offset, content, (size_t)block->size) == block->sum;
}

static bool isLength(float value)
{
    return value >= 0.0f && value <= FLT_MAX;
}

bool thiIsPerson(const thRecordedPerson* person)
{
    return isLength(person->radius) && isLength(person->speed) && isLength(person->planned);
}

thResult thiReserveBytes(thBytes* bytes, size_t capacity)
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
        thiReserveBytes(bytes, wanted) != th_resultOk)
        TH_TRY(thiReserveBytes(bytes, TH_MAX(needed, LEAST_BYTES)));
    *first = bytes->data + bytes->size;
    bytes->size = needed;
    return th_resultOk;
}

void thiFreeBytes(thBytes* bytes)
{
    thiRelease(bytes->memory, bytes->data, bytes->capacity);
    *bytes = (thBytes){.memory = bytes->memory};
}
