// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What writers and readers of logs share: checksums, headers of blocks, and shapes as bytes.

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
//
// A list is told as what differs from the one before, so that a trolley that crosses a town does
// not repeat the town: movers stand behind walls and before goals.

thLogShapes thiLogShapes(thMemory* memory)
{
    return (thLogShapes){.bytes = {.memory = memory}, .ends = thiArray(memory, sizeof(uint64_t))};
}

void thiFreeLogShapes(thLogShapes* list)
{
    thiFreeBytes(&list->bytes);
    thiArrayFree(&list->ends);
}

static void clear(thLogShapes* list)
{
    list->bytes.size = 0;
    list->ends.count = 0;
}

static uint64_t startOf(const thLogShapes* list, int32_t index)
{
    return index > 0 ? TH_ITEMS(list->ends, uint64_t)[index - 1] : 0;
}

static uint64_t sizeOf(const thLogShapes* list, int32_t index)
{
    return startOf(list, index + 1) - startOf(list, index);
}

static bool isShape(const thRecordedShape* shape)
{
    if ((uint32_t)shape->kind >= th_shapeKindCount || shape->pointCount < 1 ||
        shape->points == NULL || !(shape->radius >= 0.0f && shape->radius <= FLT_MAX))
        return false;
    for (int32_t i = 0; i < shape->pointCount; ++i)
        if (!thiIsFiniteDouble(shape->points[i].x) || !thiIsFiniteDouble(shape->points[i].y))
            return false;
    return true;
}

static thResult addShape(thLogShapes* list, const thRecordedShape* shape)
{
    if (!isShape(shape))
        return th_resultBadArgument;
    uint8_t* to;
    uint64_t* end = thiArrayAdd(&list->ends, 1);
    if (end == NULL)
        return th_resultNoMemory;
    TH_TRY(thiAddBytes(&list->bytes, TH_SHAPE_START_SIZE + 16 * (size_t)shape->pointCount, &to));
    *end = list->bytes.size;
    to = thiPutU32(to, (uint32_t)shape->kind);
    to = thiPutU32(to, (uint32_t)shape->level);
    to = thiPutFloat(to, shape->radius);
    to = thiPutU32(to, (uint32_t)shape->pointCount);
    for (int32_t i = 0; i < shape->pointCount; ++i)
        to = thiPutDouble(thiPutDouble(to, shape->points[i].x), shape->points[i].y);
    return th_resultOk;
}

thResult thiSetLogShapes(thLogShapes* list, const thRecordedShape* shapes, int32_t count)
{
    clear(list);
    for (int32_t i = 0; i < count; ++i)
        TH_TRY(addShape(list, &shapes[i]));
    return th_resultOk;
}

// Adds some shapes of another list.
static thResult addFrom(thLogShapes* list, const thLogShapes* from, int32_t first, int32_t count)
{
    const uint64_t start = startOf(from, first), size = startOf(from, first + count) - start;
    const uint64_t before = list->bytes.size;
    uint64_t* ends = thiArrayAdd(&list->ends, count);
    if (ends == NULL)
        return th_resultNoMemory;
    uint8_t* to;
    TH_TRY(thiAddBytes(&list->bytes, (size_t)size, &to));
    if (size > 0)
        memcpy(to, from->bytes.data + start, (size_t)size);
    for (int32_t i = 0; i < count; ++i)
        ends[i] = before + startOf(from, first + i + 1) - start;
    return th_resultOk;
}

thResult thiCopyLogShapes(thLogShapes* list, const thLogShapes* from)
{
    clear(list);
    return addFrom(list, from, 0, from->ends.count);
}

static bool sameShape(const thLogShapes* a, int32_t i, const thLogShapes* b, int32_t k)
{
    return sizeOf(a, i) == sizeOf(b, k) &&
           memcmp(a->bytes.data + startOf(a, i), b->bytes.data + startOf(b, k),
                  (size_t)sizeOf(a, i)) == 0;
}

bool thiSameLogShapes(const thLogShapes* a, const thLogShapes* b)
{
    return a->ends.count == b->ends.count && a->bytes.size == b->bytes.size &&
           (a->bytes.size == 0 || memcmp(a->bytes.data, b->bytes.data, a->bytes.size) == 0);
}

thShapeChange thiFindShapeChange(const thLogShapes* before, const thLogShapes* now)
{
    const int32_t oldCount = before->ends.count, newCount = now->ends.count;
    const int32_t most = TH_MIN(oldCount, newCount);
    int32_t first = 0, last = 0;
    while (first < most && sameShape(before, first, now, first))
        ++first;
    while (first + last < most && sameShape(before, oldCount - 1 - last, now, newCount - 1 - last))
        ++last;
    const uint64_t start = startOf(now, first), end = startOf(now, newCount - last);
    return (thShapeChange){.first = (uint32_t)first,
                           .last = (uint32_t)last,
                           .count = (uint32_t)(newCount - first - last),
                           .data = end > start ? now->bytes.data + start : NULL,
                           .size = (size_t)(end - start)};
}

// The shape at the beginning of some bytes, without its points. False: there is none.
static bool readStart(const uint8_t* data, size_t size, thRecordedShape* shape)
{
    if (size < TH_SHAPE_START_SIZE)
        return false;
    const uint32_t kind = thiGetU32(data), count = thiGetU32(data + 12);
    *shape = (thRecordedShape){.kind = (thRecordedShapeKind)kind,
                               .level = thiGetI32(data + 4),
                               .pointCount = (int32_t)count,
                               .radius = thiGetFloat(data + 8)};
    return kind < th_shapeKindCount && shape->radius >= 0.0f && shape->radius <= FLT_MAX &&
           count >= 1 && count <= INT32_MAX && count <= (size - TH_SHAPE_START_SIZE) / 16;
}

static size_t sizeOfShape(const thRecordedShape* shape)
{
    return TH_SHAPE_START_SIZE + 16 * (size_t)shape->pointCount;
}

static bool areFinite(const uint8_t* data, int32_t pointCount)
{
    for (int32_t i = 0; i < 2 * pointCount; ++i)
        if (!thiIsFiniteDouble(thiGetDouble(data + 8 * i)))
            return false;
    return true;
}

// The shapes of a change, which come from a file.
static thResult addNew(thLogShapes* list, const thShapeChange* change)
{
    size_t at = 0;
    for (uint32_t i = 0; i < change->count; ++i) {
        thRecordedShape shape;
        const uint8_t* data = change->data + at;
        if (!readStart(data, change->size - at, &shape) ||
            !areFinite(data + TH_SHAPE_START_SIZE, shape.pointCount))
            return th_resultDamaged;
        at += sizeOfShape(&shape);
        uint64_t* end = thiArrayAdd(&list->ends, 1);
        if (end == NULL)
            return th_resultNoMemory;
        *end = list->bytes.size + at;
    }
    if (at != change->size)
        return th_resultDamaged;
    uint8_t* to;
    TH_TRY(thiAddBytes(&list->bytes, at, &to));
    if (at > 0)
        memcpy(to, change->data, at);
    return th_resultOk;
}

thResult thiApplyShapeChange(const thLogShapes* before, const thShapeChange* change,
                             thLogShapes* now)
{
    const uint64_t kept = (uint64_t)change->first + change->last;
    if (kept > (uint64_t)before->ends.count || change->count > INT32_MAX)
        return th_resultDamaged;
    clear(now);
    TH_TRY(addFrom(now, before, 0, (int32_t)change->first));
    TH_TRY(addNew(now, change));
    const int32_t last = (int32_t)change->last;
    return addFrom(now, before, before->ends.count - last, last);
}

thResult thiShowLogShapes(const thLogShapes* list, thArray* shapes, thArray* points)
{
    const int32_t count = list->ends.count;
    shapes->count = points->count = 0;
    // All but the starts is points.
    const size_t pointBytes = list->bytes.size - TH_SHAPE_START_SIZE * (size_t)count;
    if (pointBytes / 16 > INT32_MAX)
        return th_resultNoMemory;
    thRecordedShape* shape = thiArrayAdd(shapes, count);
    thPlace* place = thiArrayAdd(points, (int32_t)(pointBytes / 16));
    if (shape == NULL || place == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i, ++shape) {
        const uint8_t* data = list->bytes.data + startOf(list, i);
        (void)readStart(data, (size_t)sizeOf(list, i), shape); // it was checked
        shape->points = place;
        data += TH_SHAPE_START_SIZE;
        for (int32_t k = 0; k < shape->pointCount; ++k, ++place, data += 16)
            *place = (thPlace){thiGetDouble(data), thiGetDouble(data + 8)};
    }
    return th_resultOk;
}
