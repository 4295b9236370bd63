// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What the kernel of nearest points and those who lay out its problems agree on.

#ifndef THRONG_SRC_AVOID_OUTSIDE_LANES_H
#define THRONG_SRC_AVOID_OUTSIDE_LANES_H

#include "velocity/outside_regions.h"

// Further away than any point. As the offset of a side without a normal: nothing is inside;
// negative: everything is.
#define TH_FAR_OUTSIDE 1.0e30f

// Less than any slope of lines that are not parallel, and nothing beside one.
#define TH_TINY_SLOPE 1.0e-20f

// Slopes of lines count as no smaller: parallel ones meet far off.
#define TH_LEAST_SLOPE 1.0e-9f

// Crossings of borders count as so many tolerances further away: regions are smaller by one, so a
// line that crosses a border beside a projection would come nearer than the projection itself.
#define TH_CROSSING_SLACK 2.0f

// Sides are looked at by rank: the bits of their least distance², the last of which give way to a
// number, which is that of the region times TH_SIDE_STEP and that of the side. Borders of more
// regions than there are numbers for are not searched; they still forbid.
#define TH_SIDE_NUMBERS 0xfff
#define TH_SIDE_SHIFT 2
#define TH_SIDE_STEP (1 << TH_SIDE_SHIFT)
#define TH_SEARCHED_REGIONS (TH_SIDE_NUMBERS / TH_SIDE_STEP)

// Registers that the kernel needs for each region: of each side its normal, offset and rank, also
// of two registers of lanes that wait; and the forbidden stretch.
#define TH_OUTSIDE_ROOM (12 * TH_REGION_SIDES + 2)

#endif
