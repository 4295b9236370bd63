// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What the kernel of nearest points and those who lay out its problems agree on.

#ifndef THRONG_SRC_AVOID_OUTSIDE_LANES_H
#define THRONG_SRC_AVOID_OUTSIDE_LANES_H

#include "avoid/outside_regions.h"

// Further away than any point. As the offset of a side without a normal: nothing is inside;
// negative: everything is.
#define TH_FAR_OUTSIDE 1.0e30f

// Registers that the kernel needs for each region: of each side its distance, stretch and nearest
// place; the forbidden stretch; and a copy of the sides of lanes that are packed anew.
#define TH_OUTSIDE_ROOM (4 * TH_REGION_SIDES + 2 + 3 * TH_REGION_SIDES)

#endif
