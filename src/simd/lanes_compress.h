// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Compression of lanes for instruction sets that have none. Each lane is stored at the place after
// the last one kept, so that a lane that is not kept is overwritten by the next.

static inline int32_t iCompress(int32_t* to, thM mask, thI value)
{
    int32_t lanes[TH_WIDTH];
    iStore(lanes, value);
    const uint32_t bits = mBits(mask);
    int32_t count = 0;
    for (int32_t i = 0; i < TH_WIDTH; ++i) {
        to[count] = lanes[i];
        count += (int32_t)(bits >> i & 1u);
    }
    return count;
}

static inline int32_t fCompress(float* to, thM mask, thF value)
{
    float lanes[TH_WIDTH];
    fStore(lanes, value);
    const uint32_t bits = mBits(mask);
    int32_t count = 0;
    for (int32_t i = 0; i < TH_WIDTH; ++i) {
        to[count] = lanes[i];
        count += (int32_t)(bits >> i & 1u);
    }
    return count;
}
