// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Moves rows to their new places, and looks at them in passing.

#ifndef THRONG_SRC_SPACE_MOVE_ROWS_H
#define THRONG_SRC_SPACE_MOVE_ROWS_H

#include "simd/dispatch.h"
#include "space/rows.h"

#include <float.h>

// What a stretch of rows has in common. Join several with thiJoinSummaries.
typedef struct thRowSummary {
    int64_t count;
    int32_t lowX, lowY, highX, highY;  // bounding box, units
    uint32_t commonLayers, commonMask; // bits that all of them have
    float minRadius, maxRadius;
    float minYield, maxYield;
} thRowSummary;

#define TH_NO_ROWS                                                                                 \
    ((thRowSummary){0, INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN, UINT32_MAX, UINT32_MAX,         \
                    FLT_MAX, 0.0f, FLT_MAX, 0.0f})

static inline void thiJoinSummaries(thRowSummary* all, const thRowSummary* part)
{
    all->count += part->count;
    all->lowX = TH_MIN(all->lowX, part->lowX);
    all->lowY = TH_MIN(all->lowY, part->lowY);
    all->highX = TH_MAX(all->highX, part->highX);
    all->highY = TH_MAX(all->highY, part->highY);
    all->commonLayers &= part->commonLayers;
    all->commonMask &= part->commonMask;
    all->minRadius = TH_MIN(all->minRadius, part->minRadius);
    all->maxRadius = TH_MAX(all->maxRadius, part->maxRadius);
    all->minYield = TH_MIN(all->minYield, part->minYield);
    all->maxYield = TH_MAX(all->maxYield, part->maxYield);
}

// Row i of `to` becomes row order[i] of `from`, for i from `begin` to `end` − 1. Rows up to the
// next multiple of TH_MAX_WIDTH may be written too, and `order` must hold valid rows there.
typedef struct thMoveTask {
    const thRows* from;
    thRows* to;
    const int32_t* order;
    int32_t begin, end;
    thRowSummary* summary; // joined with that of these rows
} thMoveTask;

typedef void thMoveRowsFcn(const thMoveTask* task);
TH_KERNEL_DECLARE(thiMoveRows, void, (const thMoveTask* task));

#endif
