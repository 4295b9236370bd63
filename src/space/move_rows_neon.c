// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "simd/lanes_neon.h"

#include "space/move_rows_wide.inl"
