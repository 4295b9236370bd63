// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Every primitive of the lane vocabulary behind one signature, so that each width can be compared
// with the scalar definition on the same operands.

#ifndef THRONG_TESTS_SIMD_LANE_OPS_H
#define THRONG_TESTS_SIMD_LANE_OPS_H

#include "simd/dispatch.h"

// name, what kind of operands it takes
//   any    any bits
//   small  floats that fit an int32_t
//   index  indices into the first 64 operands
#define LANE_OPS(X)                                                                                \
    X(add, any)                                                                                    \
    X(subtract, any)                                                                               \
    X(multiply, any)                                                                               \
    X(divide, any)                                                                                 \
    X(squareRoot, any)                                                                             \
    X(fSet, any)                                                                                   \
    X(fMin, any)                                                                                   \
    X(fMax, any)                                                                                   \
    X(fAbs, any)                                                                                   \
    X(fNeg, any)                                                                                   \
    X(fLt, any)                                                                                    \
    X(fLe, any)                                                                                    \
    X(fEq, any)                                                                                    \
    X(fGt, any)                                                                                    \
    X(fGe, any)                                                                                    \
    X(fSelect, any)                                                                                \
    X(fFloor, any)                                                                                 \
    X(fFromI, any)                                                                                 \
    X(iFromF, small)                                                                               \
    X(fGather, index)                                                                              \
    X(fPick, index)                                                                                \
    X(iPick, index)                                                                                \
    X(iGatherFours, index)                                                                         \
    X(iGather, index)                                                                              \
    X(iSet, any)                                                                                   \
    X(iAdd, any)                                                                                   \
    X(iSub, any)                                                                                   \
    X(iMul, any)                                                                                   \
    X(iAnd, any)                                                                                   \
    X(iOr, any)                                                                                    \
    X(iXor, any)                                                                                   \
    X(iShl, any)                                                                                   \
    X(iShr, any)                                                                                   \
    X(iShrLogical, any)                                                                            \
    X(iMin, any)                                                                                   \
    X(iMax, any)                                                                                   \
    X(iLt, any)                                                                                    \
    X(iGt, any)                                                                                    \
    X(iEq, any)                                                                                    \
    X(iSelect, any)                                                                                \
    X(mAnd, any)                                                                                   \
    X(mOr, any)                                                                                    \
    X(mAndNot, any)                                                                                \
    X(mNot, any)                                                                                   \
    X(mFromBits, any)                                                                              \
    X(mFirst, any)                                                                                 \
    X(fCompress, any)                                                                              \
    X(iCompress, any)

typedef enum LaneOp {
#define X(name, kind) op_##name,
    LANE_OPS(X)
#undef X
        op_count
} LaneOp;

// Works on `count` (a multiple of 16) operands in blocks of 16, whatever the width, so that what
// goes across lanes (lane numbers, compression) compares too.
#define LANE_OPS_PARAMETERS                                                                        \
    (LaneOp op, const int32_t* a, const int32_t* b, const int32_t* c, int32_t* out, int32_t count)

typedef void LaneOpsFcn LANE_OPS_PARAMETERS;
TH_KERNEL_DECLARE(thiLaneOps, void, LANE_OPS_PARAMETERS);

extern LaneOpsFcn* const laneKernels[th_simdCount];

const char* laneOpName(LaneOp op);

#define LANE_OPERANDS 4096

// Operands of the kind the primitive takes: all pairs of special values first (where any bits are
// allowed), then random ones. Always the same for the same primitive.
void fillLaneOperands(LaneOp op, int32_t* a, int32_t* b, int32_t* c);

// Which NaN an operation makes is the machine's choice; that it is one is not. Gives all of them
// the same bits.
int32_t sameNan(LaneOp op, int32_t bits);

#endif
