// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "simd/lanes_wasm128.h"

#include "avoid/outside_paper_wide.inl"
