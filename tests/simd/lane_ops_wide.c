// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: every primitive of the lane vocabulary behind one signature.

#include "simd/lane_ops.h"

// A mask becomes 0 or -1 so that it compares as a number.
static inline thI number(thM mask)
{
    return iSelect(mask, iSet(-1), iSet(0));
}

// The table holds float bits as integers; reading them in place would break C's aliasing rule.
static thI gatherFloats(const int32_t* table, thI index)
{
    float floats[64];
    memcpy(floats, table, sizeof floats);
    return iBits(fGather(floats, index));
}

// The same, looked for in one register of the table after the other.
static thI pickFloats(const int32_t* table, thI index)
{
    float floats[64];
    memcpy(floats, table, sizeof floats);
    thF picked = fSet(0.0f);
    for (int32_t i = 0; i < 64; i += TH_WIDTH) {
        const thM here = mAnd(iLt(iSet(i - 1), index), iLt(index, iSet(i + TH_WIDTH)));
        const thI lane = iAnd(index, iSet(TH_WIDTH - 1));
        picked = fSelect(here, fPick(floats + i, lane), picked);
    }
    return iBits(picked);
}

static thI pickNumbers(const int32_t* table, thI index)
{
    thI picked = iSet(0);
    for (int32_t i = 0; i < 64; i += TH_WIDTH) {
        const thM here = mAnd(iLt(iSet(i - 1), index), iLt(index, iSet(i + TH_WIDTH)));
        picked = iSelect(here, iPick(table + i, iAnd(index, iSet(TH_WIDTH - 1))), picked);
    }
    return picked;
}

// All four of a record, mixed so that each shows. The table has 16 records.
static thI gatherFours(const int32_t* table, thI index)
{
    int32_t records[TH_WIDTH];
    iStore(records, iShrLogical(iAnd(index, iSet(63)), 2));
    thI fours[4];
    iGatherFours(table, records, fours);
    return iXor(iXor(fours[0], iMul(fours[1], iSet(3))),
                iXor(iMul(fours[2], iSet(5)), iMul(fours[3], iSet(7))));
}

static thI apply(LaneOp op, thI a, thI b, thI c, const int32_t* table, int32_t first)
{
    const thF fa = fBits(a), fb = fBits(b), fc = fBits(c);
    switch (op) {
    case op_add:
        return iBits(fa + fb);
    case op_subtract:
        return iBits(fa - fb);
    case op_multiply:
        return iBits(fa * fb);
    case op_divide:
        return iBits(fa / fb);
    case op_squareRoot:
        return iBits(fSqrt(fa));
    case op_fSet:
        return iBits(fSet(thiFloatFromBits((uint32_t)table[3])));
    case op_fMin:
        return iBits(fMin(fa, fb));
    case op_fMax:
        return iBits(fMax(fa, fb));
    case op_fAbs:
        return iBits(fAbs(fa));
    case op_fNeg:
        return iBits(fNeg(fa));
    case op_fLt:
        return number(fLt(fa, fb));
    case op_fLe:
        return number(fLe(fa, fb));
    case op_fEq:
        return number(fEq(fa, fb));
    case op_fGt:
        return number(fGt(fa, fb));
    case op_fGe:
        return number(fGe(fa, fb));
    case op_fSelect:
        return iBits(fSelect(fLt(fa, fb), fb, fc));
    case op_fFloor:
        return iBits(fFloor(fa));
    case op_fFromI:
        return iBits(fFromI(a));
    case op_iFromF:
        return iFromF(fa);
    case op_fGather:
        return gatherFloats(table, a);
    case op_fPick:
        return pickFloats(table, a);
    case op_iPick:
        return pickNumbers(table, a);
    case op_iGatherFours:
        return gatherFours(table, a);
    case op_iGather:
        return iGather(table, a);
    case op_iSet:
        return iSet(table[5]);
    case op_iAdd:
        return iAdd(a, b);
    case op_iSub:
        return iSub(a, b);
    case op_iMul:
        return iMul(a, b);
    case op_iAnd:
        return iAnd(a, b);
    case op_iOr:
        return iOr(a, b);
    case op_iXor:
        return iXor(a, b);
    case op_iShl:
        return iXor(iShl(a, 0), iXor(iShl(a, 7), iShl(a, 31)));
    case op_iShr:
        return iXor(iShr(a, 0), iXor(iShr(a, 7), iShr(a, 31)));
    case op_iShrLogical:
        return iXor(iShrLogical(a, 0), iXor(iShrLogical(a, 7), iShrLogical(a, 31)));
    case op_iMin:
        return iMin(a, b);
    case op_iMax:
        return iMax(a, b);
    case op_iLt:
        return number(iLt(a, b));
    case op_iGt:
        return number(iGt(a, b));
    case op_iEq:
        return iAdd(number(iEq(a, b)), number(iEq(a, a)));
    case op_iSelect:
        return iSelect(iLt(a, b), c, a);
    case op_mAnd:
        return number(mAnd(iLt(a, b), iLt(b, c)));
    case op_mOr:
        return number(mOr(iLt(a, b), iLt(b, c)));
    case op_mAndNot:
        return number(mAndNot(iLt(a, b), iLt(b, c)));
    case op_mNot:
        return number(mNot(iLt(a, b)));
    case op_mFromBits:
        // `first` is the block-relative number of this group's first lane.
        return number(mFromBits((uint32_t)table[7] >> first & TH_ALL_LANES));
    case op_mFirst:
        return number(mFirst((table[7] & 15) - first));
    default:
        return iSet(0);
    }
}

void TH_WIDE(thiLaneOps) LANE_OPS_PARAMETERS
{
    for (int32_t block = 0; block < count; block += 16) {
        int32_t kept = 0;
        int32_t packed[16 + TH_WIDTH] = {0};
        float packedFloats[16 + TH_WIDTH];
        uint32_t bits = 0;
        bool any = false, all = true;
        for (int32_t lane = 0; lane < 16; lane += TH_WIDTH) {
            const int32_t at = block + lane;
            const thI va = iLoad(a + at), vb = iLoad(b + at), vc = iLoad(c + at);
            const thM mask = iLt(va, vb);
            bits |= mBits(mask) << lane;
            any = any || mAny(mask);
            all = all && mAll(mask);
            if (op == op_fCompress)
                kept += fCompress(packedFloats + kept, mask, fBits(va));
            else if (op == op_iCompress)
                kept += iCompress(packed + kept, mask, va);
            else
                iStore(out + at, apply(op, va, vb, vc, a, lane));
        }
        if (op == op_fCompress)
            memcpy(packed, packedFloats, (size_t)kept * sizeof(float));
        if (op == op_fCompress || op == op_iCompress) {
            for (int32_t i = 0; i < 16; ++i)
                out[block + i] = i < kept ? packed[i] : 0;
            out[block] ^= (int32_t)bits + (any ? 1 << 20 : 0) + (all ? 1 << 21 : 0);
        }
    }
}
