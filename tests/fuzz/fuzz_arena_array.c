// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes are operations on an arena and an array that share a memory account, three bytes each:
// what to do, and a number. Allocations may be told to fail. Contents are kept twice: items of the
// array and pieces of the arena are filled with numbers that follow from their position.

#include "base/memory.h"
#include "fuzz/fuzz.h"
#include "gear/allocators.h"

#include <string.h>

#define MAX_PIECES 256

typedef struct Piece {
    uint8_t* begin;
    size_t size;
} Piece;

typedef struct State {
    thTestAllocator test;
    thMemory memory;
    thArena arena;
    thArray array;
    int32_t count; // of the array, as it should be
    Piece pieces[MAX_PIECES];
    int32_t pieceCount;
} State;

static uint32_t itemValue(int32_t i)
{
    return (uint32_t)i * 2654435761u;
}

static void checkArray(const State* state)
{
    FUZZ_CHECK(state->array.count == state->count && state->array.capacity >= state->count);
    for (int32_t i = 0; i < state->count; ++i)
        FUZZ_CHECK(TH_ITEMS(state->array, uint32_t)[i] == itemValue(i));
}

static void checkPieces(const State* state)
{
    for (int32_t i = 0; i < state->pieceCount; ++i)
        for (size_t k = 0; k < state->pieces[i].size; ++k)
            FUZZ_CHECK(state->pieces[i].begin[k] == (uint8_t)i);
}

static void addItems(State* state, int32_t count)
{
    const int64_t failures = state->test.failures;
    uint32_t* items = thiArrayAdd(&state->array, count);
    FUZZ_CHECK(items != NULL || state->test.failures > failures);
    if (items == NULL)
        return;
    for (int32_t i = 0; i < count; ++i)
        items[i] = itemValue(state->count + i);
    state->count += count;
}

static void reserveItems(State* state, int32_t capacity)
{
    const int64_t failures = state->test.failures;
    const thResult code = thiArrayReserve(&state->array, capacity);
    FUZZ_CHECK(code == th_resultOk ? state->array.capacity >= capacity
                                   : code == th_resultNoMemory && state->test.failures > failures);
}

static void addPiece(State* state, size_t size)
{
    if (state->pieceCount == MAX_PIECES)
        return;
    const int64_t failures = state->test.failures;
    uint8_t* begin = thiArenaAllocate(&state->arena, size);
    FUZZ_CHECK(begin != NULL || state->test.failures > failures);
    if (begin == NULL)
        return;
    FUZZ_CHECK((uintptr_t)begin % TH_ALIGNMENT == 0);
    memset(begin, state->pieceCount, size);
    state->pieces[state->pieceCount++] = (Piece){begin, size};
}

// After the reset the same pieces fit without another allocation, unless the reset itself failed.
static void resetArena(State* state)
{
    checkPieces(state);
    const int64_t failures = state->test.failures;
    thiArenaReset(&state->arena);
    const int32_t count = state->pieceCount;
    const uint64_t calls = state->memory.calls;
    state->pieceCount = 0;
    if (state->test.failures > failures)
        return;
    for (int32_t i = count - 1; i >= 0; --i)
        FUZZ_CHECK(thiArenaAllocate(&state->arena, state->pieces[i].size) != NULL);
    FUZZ_CHECK(state->memory.calls == calls);
    thiArenaReset(&state->arena);
}

static void doOperation(State* state, uint8_t what, int32_t number)
{
    switch (what % 8) {
    case 0:
        addItems(state, number % 64);
        break;
    case 1:
        reserveItems(state, number % 4096);
        break;
    case 2:
        addPiece(state, (size_t)number % 512);
        break;
    case 3:
        addPiece(state, (size_t)number);
        break;
    case 4:
        resetArena(state);
        break;
    case 5:
        state->test.failAt = state->test.calls + 1 + number % 4;
        break;
    case 6:
        state->test.failFrom = number % 2 == 0 ? 0 : state->test.calls + 1 + number % 8;
        break;
    default:
        if (number % 16 == 0) {
            thiArrayFree(&state->array);
            state->count = 0;
        }
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    State* state = calloc(1, sizeof *state);
    FUZZ_CHECK(state != NULL);
    testAllocatorInit(&state->test);
    const thAllocator allocator = testAllocator(&state->test);
    thiMemoryInit(&state->memory, &allocator, 0);
    thiArenaInit(&state->arena, &state->memory);
    state->array = thiArray(&state->memory, sizeof(uint32_t));
    for (size_t at = 0; at + 2 < size && at < 3 * 1000; at += 3) {
        doOperation(state, data[at], data[at + 1] | data[at + 2] << 8);
        checkArray(state);
    }
    checkPieces(state);
    thiArrayFree(&state->array);
    thiArenaFree(&state->arena);
    FUZZ_CHECK(state->memory.bytes == 0 && testAllocatorProblem(&state->test) == NULL);
    testAllocatorFree(&state->test);
    free(state);
    return 0;
}
