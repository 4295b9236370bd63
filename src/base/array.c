// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A growing array: it grows by half, and copies items as bytes.

#include "base/array.h"

#include <string.h>

thArray thiArray(thMemory* memory, int32_t itemSize)
{
    TH_ASSERT(itemSize > 0);
    return (thArray){.memory = memory, .itemSize = itemSize};
}

static size_t bytesOf(const thArray* array, int32_t count)
{
    return (size_t)count * (size_t)array->itemSize;
}

void thiArrayFree(thArray* array)
{
    thiRelease(array->memory, array->data, bytesOf(array, array->capacity));
    array->data = NULL;
    array->count = 0;
    array->capacity = 0;
}

thResult thiArrayReserve(thArray* array, int32_t capacity)
{
    if (capacity <= array->capacity)
        return th_resultOk;
    if ((size_t)capacity > SIZE_MAX / (size_t)array->itemSize) // where size_t has 32 bits
        return th_resultNoMemory;
    void* data = thiAllocate(array->memory, bytesOf(array, capacity));
    if (data == NULL)
        return th_resultNoMemory;
    if (array->count > 0)
        memcpy(data, array->data, bytesOf(array, array->count));
    thiRelease(array->memory, array->data, bytesOf(array, array->capacity));
    array->data = data;
    array->capacity = capacity;
    return th_resultOk;
}

thResult thiArrayReserveAmply(thArray* array, int64_t count)
{
    if (count <= array->capacity)
        return th_resultOk;
    const int64_t ample = count + count / 4 + 64;
    return ample > INT32_MAX ? th_resultNoMemory : thiArrayReserve(array, (int32_t)ample);
}

void* thiArrayAdd(thArray* array, int32_t count)
{
    TH_ASSERT(count >= 0);
    if (count > INT32_MAX - array->count)
        return NULL;
    const int32_t needed = array->count + count;
    if (needed > array->capacity || array->data == NULL) { // NULL would mean failure
        const int32_t half = array->capacity / 2;
        const int32_t grown =
            array->capacity > INT32_MAX - half ? INT32_MAX : array->capacity + half;
        const int32_t wanted = TH_MAX(TH_MAX(needed, grown), 8);
        if (thiArrayReserve(array, wanted) != th_resultOk &&
            thiArrayReserve(array, TH_MAX(needed, 1)) != th_resultOk)
            return NULL;
    }
    void* first = (char*)array->data + bytesOf(array, array->count);
    array->count = needed;
    return first;
}
