// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Lists of shapes as logs keep them. A list is told as what differs from the one before, so that a
// trolley that crosses a town does not repeat the town: movers stand behind walls and before goals.

#include "record/log_format.h"
#include "sim/ranges.h"

thShapeList thiShapeList(thMemory* memory)
{
    return (thShapeList){.bytes = {.memory = memory}, .ends = thiArray(memory, sizeof(uint64_t))};
}

void thiFreeShapeList(thShapeList* list)
{
    thiFreeBytes(&list->bytes);
    thiArrayFree(&list->ends);
}

static void clear(thShapeList* list)
{
    list->bytes.size = 0;
    list->ends.count = 0;
}

static uint64_t startOf(const thShapeList* list, int32_t index)
{
    return index > 0 ? TH_ITEMS(list->ends, uint64_t)[index - 1] : 0;
}

static uint64_t sizeOf(const thShapeList* list, int32_t index)
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

static thResult addShape(thShapeList* list, const thRecordedShape* shape)
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

thResult thiSetShapes(thShapeList* list, const thRecordedShape* shapes, int32_t count)
{
    clear(list);
    for (int32_t i = 0; i < count; ++i)
        TH_TRY(addShape(list, &shapes[i]));
    return th_resultOk;
}

// Adds some shapes of another list.
static thResult addFrom(thShapeList* list, const thShapeList* from, int32_t first, int32_t count)
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

thResult thiCopyShapes(thShapeList* list, const thShapeList* from)
{
    clear(list);
    return addFrom(list, from, 0, from->ends.count);
}

static bool sameShape(const thShapeList* a, int32_t i, const thShapeList* b, int32_t k)
{
    return sizeOf(a, i) == sizeOf(b, k) &&
           memcmp(a->bytes.data + startOf(a, i), b->bytes.data + startOf(b, k),
                  (size_t)sizeOf(a, i)) == 0;
}

bool thiSameShapes(const thShapeList* a, const thShapeList* b)
{
    return a->ends.count == b->ends.count && a->bytes.size == b->bytes.size &&
           (a->bytes.size == 0 || memcmp(a->bytes.data, b->bytes.data, a->bytes.size) == 0);
}

thShapeChange thiFindShapeChange(const thShapeList* before, const thShapeList* now)
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
static thResult addNew(thShapeList* list, const thShapeChange* change)
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

thResult thiApplyShapeChange(const thShapeList* before, const thShapeChange* change,
                             thShapeList* now)
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

thResult thiShowShapes(const thShapeList* list, thArray* shapes, thArray* points)
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
