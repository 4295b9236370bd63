// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Is it random? Each function says by how many standard deviations something is off. Below about 5
// nothing is wrong, and since inputs are fixed the answer is the same on every run.

#ifndef THRONG_TESTS_GEAR_STATISTICS_H
#define THRONG_TESTS_GEAR_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t thBitsFcn(uint64_t input);

// Flips each input bit and counts how often each output bit flips: the largest deviation from one
// half over all pairs. Inputs are spread over all bits, or count up from 0 as keys and steps do.
double avalancheDeviation(thBitsFcn* function, int32_t inputBits, int32_t outputBits,
                          bool countingInputs);

// Chi square of counts that should all be equal.
double uniformDeviation(const int32_t* counts, int32_t count);

// Correlation of two series.
double correlationDeviation(const float* a, const float* b, int32_t count);

#endif
