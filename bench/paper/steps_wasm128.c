// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "simd/lanes_wasm128.h"

#include "steps_wide.inl"
