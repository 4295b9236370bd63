// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What logs are made of: numbers, checksums, blocks and shapes as bytes.
//
// docs/records.md has the layout of every block.
//
//     magic, version | head block | [shapes] [people] frame | [shapes] [people] frame | …
//
// A block is a header of 32 bytes and its content. Each of the two has a checksum, and both sums
// depend on where in the file the block stands: one that is lost, repeated or elsewhere is noticed.

#ifndef THRONG_SRC_RECORD_LOG_FORMAT_H
#define THRONG_SRC_RECORD_LOG_FORMAT_H

#include "base/memory.h"
#include "throng/record.h"

#include <string.h>

#define TH_LOG_VERSION 1u
#define TH_LOG_START_SIZE 12 // magic and version
#define TH_BLOCK_HEADER_SIZE 32
#define TH_BLOCK_MARK 0x4b4c4274u // "tBLK"
#define TH_LOG_HEAD_SIZE 40       // of the head block's content, without its texts
#define TH_SHAPES_START_SIZE 12   // of a block of shapes: how many are kept, how many come
#define TH_FRAME_START_SIZE 20    // of a frame's content: number, people, runs, bits
#define TH_PERSON_SIZE 40
#define TH_SHAPE_START_SIZE 16 // before the points
#define TH_TURN_UNITS 65536.0  // of headings

extern const uint8_t thiLogMagic[8];

typedef enum thBlockType {
    th_blockHead = 1,
    th_blockShapes = 2,
    th_blockPeople = 3,
    th_blockFrame = 4,
} thBlockType;

typedef enum thFrameBits { th_frameHasHeading = 1 } thFrameBits;

// The header of a block.
typedef struct thBlock {
    uint32_t type;
    uint64_t size; // of the content [bytes]
    uint64_t sum;  // of the content
} thBlock;

// Numbers, little-endian on every machine. Compilers make one instruction of each.

static inline uint8_t* thiPutU32(uint8_t* to, uint32_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
    to[2] = (uint8_t)(value >> 16);
    to[3] = (uint8_t)(value >> 24);
    return to + 4;
}

static inline uint8_t* thiPutU64(uint8_t* to, uint64_t value)
{
    return thiPutU32(thiPutU32(to, (uint32_t)value), (uint32_t)(value >> 32));
}

static inline uint8_t* thiPutFloat(uint8_t* to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return thiPutU32(to, bits);
}

static inline uint8_t* thiPutDouble(uint8_t* to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return thiPutU64(to, bits);
}

static inline uint32_t thiGetU32(const uint8_t* from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

static inline int32_t thiGetI32(const uint8_t* from)
{
    return (int32_t)thiGetU32(from);
}

static inline uint64_t thiGetU64(const uint8_t* from)
{
    return (uint64_t)from[0] | (uint64_t)from[1] << 8 | (uint64_t)from[2] << 16 |
           (uint64_t)from[3] << 24 | (uint64_t)from[4] << 32 | (uint64_t)from[5] << 40 |
           (uint64_t)from[6] << 48 | (uint64_t)from[7] << 56;
}

static inline float thiGetFloat(const uint8_t* from)
{
    const uint32_t bits = thiGetU32(from);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double thiGetDouble(const uint8_t* from)
{
    const uint64_t bits = thiGetU64(from);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// A checksum of bytes that notices every change within one aligned word of 8 bytes, and others but
// for one in 2⁶⁴. The same on every machine.
uint64_t thiLogSum(uint64_t seed, const uint8_t* data, size_t size);

// Writes the header of a block that stands at `offset` of the file; its content follows the header
// already.
void thiPutBlockHeader(uint8_t* at, uint64_t offset, thBlockType type, size_t size);
// False when it is damaged.
bool thiGetBlockHeader(const uint8_t* at, uint64_t offset, thBlock* block);

// Bytes that grow; sizes beyond 2 GiB are no reason to fail.
typedef struct thBytes {
    thMemory* memory;
    uint8_t* data;
    size_t size;
    size_t capacity;
} thBytes;

// Adds that many, with undefined content.
thResult thiAddBytes(thBytes* bytes, size_t size, uint8_t** first);
void thiFreeBytes(thBytes* bytes);

// A list of shapes as bytes, one after the other.
typedef struct thLogShapes {
    thBytes bytes;
    thArray ends; // uint64_t: where each one ends
} thLogShapes;

thLogShapes thiLogShapes(thMemory* memory);
void thiFreeLogShapes(thLogShapes* list);
// Adds some shapes of another list.
thResult thiAddLogShapes(thLogShapes* list, const thLogShapes* from, int32_t first, int32_t count);

static inline void thiClearLogShapes(thLogShapes* list)
{
    list->bytes.size = 0;
    list->ends.count = 0;
}

static inline uint64_t thiShapeStart(const thLogShapes* list, int32_t index)
{
    return index > 0 ? TH_ITEMS(list->ends, uint64_t)[index - 1] : 0;
}

static inline uint64_t thiShapeSize(const thLogShapes* list, int32_t index)
{
    return thiShapeStart(list, index + 1) - thiShapeStart(list, index);
}

// What differs from the list before, of which the first and the last ones are kept.
typedef struct thShapeChange {
    uint32_t first, last; // how many are kept
    uint32_t count;       // of those between them
    const uint8_t* data;  // of these
    size_t size;
} thShapeChange;

// Whether all numbers of a person are some.
bool thiIsPerson(const thRecordedPerson* person);

// Where a log ends that was read, for writers that go on.
typedef struct thLogEnd {
    uint64_t offset;
    int64_t number; // of the last frame
    bool hasFrames;
    thPlace origin;
    const thLogShapes* shapes;
} thLogEnd;

thLogEnd thiLogEnd(const thLogReader* reader);

#endif
