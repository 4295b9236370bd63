// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The agents' columns, by row, and how rows are moved. Between steps rows keep their places: a new
// agent is appended, a removed one leaves a dead row (flags 0). The sort at the beginning of a step
// drops dead rows and puts the others into cells, from one set of columns into the other.
//
//     rows of small agents, by (floor, cell row, cell column, key) | rows of large agents, likewise

#ifndef THRONG_SRC_SPACE_ROWS_H
#define THRONG_SRC_SPACE_ROWS_H

#include "base/memory.h"
#include "simd/dispatch.h"
#include "throng/method.h"

#include <float.h>

// Every column: type, name. All but slot and stateIndex, which follow from other things, is saved:
// a new column needs a place where sim/snapshot saves and loads.
#define TH_ROW_COLUMNS(X)                                                                          \
    X(int32_t, px)                                                                                 \
    X(int32_t, py)                                                                                 \
    X(float, vx)                                                                                   \
    X(float, vy)                                                                                   \
    X(float, radius)                                                                               \
    X(float, yield)                                                                                \
    X(uint32_t, layers)                                                                            \
    X(uint32_t, mask)                                                                              \
    X(float, prefSpeed)                                                                            \
    X(float, maxSpeed)                                                                             \
    X(float, maxAccel)                                                                             \
    X(float, heading)                                                                              \
    X(uint16_t, profile)                                                                           \
    X(uint16_t, level)                                                                             \
    X(uint32_t, flags)                                                                             \
    X(int32_t, goal)                                                                               \
    X(int32_t, goalIndex)                                                                          \
    X(int32_t, group)                                                                              \
    X(int32_t, slot)                                                                               \
    X(uint64_t, key)                                                                               \
    X(uint16_t, pressure)                                                                          \
    X(int32_t, stateIndex)

typedef struct thRows {
    int32_t count;    // rows in use, dead ones included
    int32_t capacity; // rows there is room for, without the padding
#define X(type, name) type* name;
    TH_ROW_COLUMNS(X)
#undef X
} thRows;

// Room for `capacity` rows and 16 more, which are inert: position 0, no flags. What is there is
// kept. th_resultNoMemory leaves the rows as they were.
thResult thiRowsReserve(thRows* rows, thMemory* memory, int32_t capacity);
void thiRowsFree(thRows* rows, thMemory* memory);

// Makes the rows behind the last one inert.
void thiRowsPad(thRows* rows);

// A body larger than this is sorted apart and matched by gap.
#define TH_LARGE_RADIUS 1.0f

// What a stretch of rows has in common. Join several with thiJoinSummaries.
typedef struct thRowSummary {
    int64_t count;
    int32_t lowX, lowY, highX, highY;  // bounding box, units
    uint32_t commonLayers, commonMask; // bits that all of them have
    uint32_t anyFlags;                 // bits that one of them has
    float minRadius, maxRadius;
    float minYield, maxYield;
} thRowSummary;

#define TH_NO_ROWS                                                                                 \
    ((thRowSummary){0, INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN, UINT32_MAX, UINT32_MAX, 0,      \
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
    all->anyFlags |= part->anyFlags;
    all->minRadius = TH_MIN(all->minRadius, part->minRadius);
    all->maxRadius = TH_MAX(all->maxRadius, part->maxRadius);
    all->minYield = TH_MIN(all->minYield, part->minYield);
    all->maxYield = TH_MAX(all->maxYield, part->maxYield);
}

// Kernel: moves rows to their new places, and looks at them in passing. Row i of `to` becomes row
// order[i] of `from`, for i from `begin` to `end` − 1, at most TH_MOVE_ROWS of them. Rows up to the
// next multiple of TH_MAX_WIDTH may be written too, and `order` must hold valid rows there.
#define TH_MOVE_ROWS 1024
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
