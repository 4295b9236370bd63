// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a stage of a step computed, to compare runs by: named columns with a row per agent.
// Hashes are sums over rows, so the order of rows does not count and the rows of several machines
// can be added.

#ifndef THRONG_SRC_BASE_TRACE_H
#define THRONG_SRC_BASE_TRACE_H

#include "base/core.h"

typedef struct thColumn {
    const char* name;
    const void* data;
    int32_t itemSize; // 1, 2, 4 or 8 bytes
} thColumn;

// What one stage left behind in one step.
typedef struct thStageRows {
    uint64_t step;
    const char* stage;
    const uint64_t* keys; // one per row, all different
    int32_t count;
    const thColumn* columns;
    int32_t columnCount;
} thStageRows;

typedef struct thTrace {
    void* context;
    void (*stage)(void* context, const thStageRows* rows);
} thTrace;

// One item of a column, as an unsigned number of its bits.
uint64_t thiColumnBits(const thColumn* column, int32_t row);

// The hash of a stage: sum over rows of mix(key, columns…), plus mix(step).
uint64_t thiStageHash(const thStageRows* rows);

#endif
