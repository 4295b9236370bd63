// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The steps of the paper as if lanes could not be picked from a register, but gathered from memory.

#define fPick fGather
#define TRIAL TH_WIDE(thiPaperTimeGathers)

#include "steps.inl"
