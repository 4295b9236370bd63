// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A growing array of items of one size. The item type is the caller's business:
//
//     thArray numbers = thiArray(memory, sizeof(int32_t));
//     int32_t* item = thiArrayAdd(&numbers, 1);      // NULL when memory is out, array unchanged
//     TH_ITEMS(numbers, int32_t)[0] = 7;

#ifndef THRONG_SRC_BASE_ARRAY_H
#define THRONG_SRC_BASE_ARRAY_H

#include "base/memory.h"

typedef struct thArray {
    thMemory* memory;
    void* data;
    int32_t itemSize;
    int32_t count;
    int32_t capacity;
} thArray;

// What it holds.
static inline size_t thiArrayBytes(const thArray* array)
{
    return (size_t)array->capacity * (size_t)array->itemSize;
}

#define TH_ITEMS(array, type) ((type*)(array).data)

thArray thiArray(thMemory* memory, int32_t itemSize);
void thiArrayFree(thArray* array);

// Room for at least `capacity` items; th_resultNoMemory leaves the array as it was.
thResult thiArrayReserve(thArray* array, int32_t capacity);

// The same with room to spare: for sizes that vary from step to step, where a warm step must not
// allocate.
thResult thiArrayReserveAmply(thArray* array, int64_t count);

// Adds `count` items at the end, with undefined content, and returns the first of them.
void* thiArrayAdd(thArray* array, int32_t count);

#endif
