// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Avalanche, uniformity and correlation of bits.

#include "gear/statistics.h"

#include <math.h>

#define SAMPLES 2048

// How often each bit flips when bit `bit` of the input does.
static void countFlips(thBitsFcn* function, int32_t bit, bool countingInputs, int32_t counts[64])
{
    for (uint64_t i = 0; i < SAMPLES; ++i) {
        const uint64_t input = countingInputs ? i : (i + 1) * UINT64_C(0xc2b2ae3d27d4eb4f);
        const uint64_t flipped = function(input) ^ function(input ^ UINT64_C(1) << bit);
        for (int32_t k = 0; k < 64; ++k)
            counts[k] += (int32_t)(flipped >> k & 1);
    }
}

double avalancheDeviation(thBitsFcn* function, int32_t inputBits, int32_t outputBits,
                          bool countingInputs)
{
    double worst = 0.0;
    for (int32_t bit = 0; bit < inputBits; ++bit) {
        int32_t counts[64] = {0};
        countFlips(function, bit, countingInputs, counts);
        for (int32_t k = 0; k < outputBits; ++k)
            worst = fmax(worst, fabs(counts[k] - SAMPLES / 2.0) / sqrt(SAMPLES / 4.0));
    }
    return worst;
}

double uniformDeviation(const int32_t* counts, int32_t count)
{
    double total = 0.0, chiSquare = 0.0;
    for (int32_t i = 0; i < count; ++i)
        total += counts[i];
    const double expected = total / count;
    for (int32_t i = 0; i < count; ++i)
        chiSquare += (counts[i] - expected) * (counts[i] - expected) / expected;
    const double freedom = count - 1;
    return fabs(chiSquare - freedom) / sqrt(2.0 * freedom);
}

double correlationDeviation(const float* a, const float* b, int32_t count)
{
    double sumA = 0.0, sumB = 0.0, sumAA = 0.0, sumBB = 0.0, sumAB = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const double x = a[i], y = b[i];
        sumA += x;
        sumB += y;
        sumAA += x * x;
        sumBB += y * y;
        sumAB += x * y;
    }
    const double n = count;
    const double covariance = sumAB - sumA * sumB / n;
    const double spread = sqrt((sumAA - sumA * sumA / n) * (sumBB - sumB * sumB / n));
    return fabs(covariance / spread) * sqrt(n);
}
