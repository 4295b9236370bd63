// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The front of a wave that goes over a grid: nodes it has reached, the nearest first. An item is a
// node and a length; a node may be in it several times, and whoever takes it out knows which
// counts.

#ifndef THRONG_SRC_PLAN_FRONT_H
#define THRONG_SRC_PLAN_FRONT_H

#include "base/hash.h"
#include "base/memory.h"

// Adds a node to an array of uint64_t. Lengths are not negative.
thResult thiFrontPush(thArray* heap, float length, int32_t node);

// Takes out the nearest, of equally near ones the lowest node. There must be one.
uint64_t thiFrontPop(thArray* heap);

static inline int32_t thiFrontNode(uint64_t item)
{
    return (int32_t)(uint32_t)item;
}

static inline float thiFrontLength(uint64_t item)
{
    return thiFloatFromBits((uint32_t)(item >> 32));
}

#endif
