// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "simd/lanes_neon.h"

#include "avoid/outside_paper_wide.inl"
