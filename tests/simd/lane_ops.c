// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The primitives of the lane vocabulary by name, for each instruction set.

#include "lane_ops.h"

#include "base/hash.h"
#include "throng/random.h"

#include <math.h>

LaneOpsFcn* const laneKernels[th_simdCount] = TH_KERNEL_TABLE(thiLaneOps);

static const char* const names[] = {
#define X(name, kind) #name,
    LANE_OPS(X)
#undef X
};

const char* laneOpName(LaneOp op)
{
    return names[op];
}

typedef enum Kind { kind_any, kind_small, kind_index } Kind;

static const Kind kinds[] = {
#define X(name, kind) kind_##kind,
    LANE_OPS(X)
#undef X
};

// Zeros, ones, extremes, denormals, infinities, quiet and signalling NaN, halves, whole numbers
// round 2^23 and 2^31, as float bits.
static const uint32_t specials[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x80800000,
    0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
    0x7f800001, 0x7fffffff, 0xffffffff, 0x3f000000, 0xbf000000, 0x4b000000, 0xcb000000, 0x4affffff,
    0x4b000001, 0x4effffff, 0x4f000000, 0xcf000000, 0x40490fdb, 0x33800000, 0x34000000, 0xbfc00000,
};
#define SPECIAL_COUNT ((int32_t)(sizeof specials / sizeof specials[0]))

static int32_t draw(uint64_t stream, uint32_t index, Kind kind)
{
    const uint32_t bits = thRandomBits(stream, index);
    switch (kind) {
    case kind_small:
        return (int32_t)thiFloatBits(((float)(int32_t)bits) * 0.999f *
                                     thRandomUnit(stream, index + 99));
    case kind_index:
        return (int32_t)(bits & 63);
    default:
        return (int32_t)bits;
    }
}

// The first 1024 triples are all pairs of special values; then random bits; then floats of one
// binade, whose comparisons and differences are close.
void fillLaneOperands(LaneOp op, int32_t* a, int32_t* b, int32_t* c)
{
    const Kind kind = kinds[op];
    const uint64_t stream = thRandomStream(1, (uint64_t)op, 0, 0);
    for (int32_t i = 0; i < LANE_OPERANDS; ++i) {
        a[i] = draw(stream, (uint32_t)(3 * i), kind);
        b[i] = draw(stream, (uint32_t)(3 * i + 1), kind);
        c[i] = draw(stream, (uint32_t)(3 * i + 2), kind);
        if (kind == kind_any && i < SPECIAL_COUNT * SPECIAL_COUNT) {
            a[i] = (int32_t)specials[i / SPECIAL_COUNT];
            b[i] = (int32_t)specials[i % SPECIAL_COUNT];
        } else if (kind == kind_any && i % 2 == 0) {
            a[i] = (a[i] & 0x007fffff) | 0x3f800000;
            b[i] = (b[i] & 0x007fffff) | 0x3f800000;
        }
    }
}

int32_t sameNan(LaneOp op, int32_t bits)
{
    const bool makesNan = op <= op_squareRoot || op == op_fFloor;
    return makesNan && isnan(thiFloatFromBits((uint32_t)bits)) ? 0x7fc00000 : bits;
}
