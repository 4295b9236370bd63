// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Numbers as decimal text and back. All is done in integers, so neither the host's locale nor its
// rounding nor its C library makes a difference.

#ifndef THRONG_SRC_BASE_JSON_NUMBER_H
#define THRONG_SRC_BASE_JSON_NUMBER_H

#include "base/core.h"

// The double nearest to a number that follows JSON's grammar; of two equally near the even one.
// What is too small becomes 0. False if it is too large.
bool thiReadDecimal(const char* text, size_t size, double* number);

#define TH_DECIMAL_SIZE 32

// Writes the fewest digits that read back the same finite number, terminated. Returns the length.
size_t thiWriteDecimal(double number, char text[TH_DECIMAL_SIZE]);

#endif
