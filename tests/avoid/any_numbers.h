// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Methods that avoid others, asked about numbers of any size that are accepted: bytes become
// agents, what they see and parameters, from denormals to the largest.

#ifndef THRONG_TESTS_AVOID_ANY_NUMBERS_H
#define THRONG_TESTS_AVOID_ANY_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

// NumberBytes to draw from; zeros where they end.
typedef struct NumberBytes {
    const uint8_t* next;
    size_t left;
    float last[8]; // numbers that were drawn before, some of which come again
    uint32_t drawn;
} NumberBytes;

uint32_t takeByte(NumberBytes* bytes);

// A number of any size up to a limit, or at least that far from 0; half of them are those that
// people and rooms have.
float takeNumber(NumberBytes* bytes, float most);
float takeLength(NumberBytes* bytes, float least, float most);

// Asks every built-in method with every instruction set, and the calls for one agent. NULL, or
// what is wrong: a velocity that is not finite, or one that is not that of the scalar kernel. How
// many velocities were looked at is added to `looked`, which may be NULL.
const char* judgeNumbers(const uint8_t* data, size_t size, int64_t* looked);

#endif
