// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "simd/lanes_scalar.h"

#include "loads_wide.inl"
