// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The nearest point outside of convex regions, found as in ClearPath's paper (Guy and others,
// 2009). All crossings of a piece of a border are tagged and sorted, and a rule says which pieces
// between them are outside. It takes general position: where more than two borders meet in one
// point, it may miss the nearest.

#ifndef THRONG_SRC_VELOCITY_OUTSIDE_PAPER_H
#define THRONG_SRC_VELOCITY_OUTSIDE_PAPER_H

#include "velocity/outside_regions.h"

// How many columns the kernel keeps.
#define TH_PAPER_PIECES 15

// Where the border of a region is crossed by another's, and whether that is outside of all the
// rest.
typedef struct thBorderCrossing {
    float t;
    bool isOutside;
} thBorderCrossing;

// Puts them in their order along the border.
void thiSortCrossings(thBorderCrossing* crossings, int32_t count);

// The plain way. No region is round. `room` is for TH_REGION_SIDES · regionCount + 2 crossings.
thOutsideAnswer thiNearestOutsidePaper(const thOutsideProblem* problem, thBorderCrossing* room,
                                       thVec2* nearest);

// The same bits, for many problems at once. The room of the task is thiPaperKernelRoom. If it keeps
// its lanes, those that are not free are taken in their order, not by their number of regions.
TH_KERNEL_DECLARE(thiNearestOutsidePaperLanes, void, (const thOutsideTask* task));

size_t thiPaperKernelRoom(int32_t regionMax, int32_t lanes);

#endif
