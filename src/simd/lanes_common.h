// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The part of the lane vocabulary that is the same at every width, built from the primitives.
// Included at the end of each lanes_<set>.h, never by itself.

#define TH_ALL_LANES ((uint32_t)((UINT64_C(1) << TH_WIDTH) - 1))

static inline thM fGt(thF a, thF b)
{
    return fLt(b, a);
}

static inline thM fGe(thF a, thF b)
{
    return fLe(b, a);
}

static inline thM iGt(thI a, thI b)
{
    return iLt(b, a);
}

static inline bool mAny(thM mask)
{
    return mBits(mask) != 0;
}

static inline bool mAll(thM mask)
{
    return mBits(mask) == TH_ALL_LANES;
}

// The first `count` lanes, for the tail of a loop.
static inline thM mFirst(int32_t count)
{
    return iLt(iLane(), iSet(count));
}

// Largest whole number that is not greater. Zeros keep no sign; NaN and infinity stay.
static inline thF fFloor(thF value)
{
    const thF limit = fSet(0x1p23f); // from here on every float is whole
    const thF inRange = fMin(fMax(value, fNeg(limit)), limit);
    const thF whole = fFromI(iFromF(inRange));
    const thF floor = whole - fSelect(fGt(whole, inRange), fSet(1.0f), fSet(0.0f));
    return fSelect(fLt(fAbs(value), limit), floor, value);
}
