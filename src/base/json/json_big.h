// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Natural numbers of some thousand bits, as many as it takes to turn decimal numbers into doubles
// and back without an error.

#ifndef THRONG_SRC_BASE_JSON_BIG_H
#define THRONG_SRC_BASE_JSON_BIG_H

#include "base/core.h"

// Twice the width of a word.
__extension__ typedef unsigned __int128 thWide;

// A natural number of limited size. The largest are 5^1131 and a number of 801 digits, both below
// 2^2688, shifted left by up to two words.
#define TH_BIG_WORDS 44

typedef struct thBig {
    int32_t count;                // of words; the last of them is not 0
    uint64_t words[TH_BIG_WORDS]; // the least one first
} thBig;

thBig thiBigFrom(uint64_t value);

// a · factor + summand
void thiBigMultiplyAdd(thBig* a, uint64_t factor, uint64_t summand);

void thiBigMultiplyByPowerOf5(thBig* a, int32_t power);
void thiBigShiftLeft(thBig* a, int32_t bits);
void thiBigAdd(thBig* a, const thBig* b);

// a − b · factor, which is not negative.
void thiBigSubtractProduct(thBig* a, const thBig* b, uint64_t factor);

// Negative, zero or positive as a is less than b, equal or greater.
int32_t thiBigCompare(const thBig* a, const thBig* b);

// How many bits a number has that is not 0.
int32_t thiBigBitLength(const thBig* a);

#endif
