// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "simd/lanes_avx2.h"

#include "gathers_wide.inl"
