// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The steps of the paper as if there were no instructions that gather or pick lanes.

static inline thF loadEach(const float* base, thI index)
{
    int32_t at[TH_WIDTH];
    float values[TH_WIDTH];
    iStore(at, index);
    for (int32_t i = 0; i < TH_WIDTH; ++i)
        values[i] = base[at[i]];
    return fLoad(values);
}

#define fGather loadEach
#define fPick loadEach
#define TRIAL TH_WIDE(thiPaperTimeLoads)

#include "steps.inl"
