// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The nearest point outside of convex regions: what methods that forbid velocities, and leave the
// rest, ask for.
//
// If the wanted point is forbidden, the nearest allowed one is on the border of a region: where the
// wanted point projects to, where the border meets that of another region, or where it leaves a
// disc. So the line of each side is looked at by itself. What another region forbids of it is one
// interval, and the nearest allowed place is an end of those intervals that cover the projection.
// Lines are taken by how near the border on them is at least, until none can be nearer than the
// best.

#ifndef THRONG_SRC_VELOCITY_OUTSIDE_REGIONS_H
#define THRONG_SRC_VELOCITY_OUTSIDE_REGIONS_H

#include "simd/dispatch.h"
#include "velocity/limit_discs.h"

#include <stddef.h>
#include <stdint.h>

// The most half-planes of a region.
#define TH_REGION_SIDES 3

// A convex region: the points v with n[k] · v > o[k] for all its sides, n[k] of length 1. A round
// one has three: two legs and, as the last, the chord between the points in which a disc touches
// them. It is what is beyond the chord, and the disc.
typedef struct thRegion {
    int32_t sides; // 1 .. TH_REGION_SIDES
    thVec2 n[TH_REGION_SIDES];
    float o[TH_REGION_SIDES];
    thDisc cap; // radius 0: it is not round
} thRegion;

// The point must be in both discs, which meet, and in no region. Regions are made smaller by the
// tolerance: where borders meet in one point, or nearly, rounding is not to decide.
typedef struct thOutsideProblem {
    thVec2 wanted;
    thDisc discs[2];
    float tolerance;
    int32_t regionCount;
    const thRegion* regions;
} thOutsideProblem;

typedef enum thOutsideAnswer {
    th_outsideFree,   // nothing forbids the wanted point, or the one nearest to it in the discs
    th_outsideBorder, // another one is the nearest
    th_outsideNone    // all is forbidden
} thOutsideAnswer;

// The nearest allowed point. Of points that are equally near, the one on the border that may be
// nearer; and of such, the first in the order of regions and sides.
thOutsideAnswer thiNearestOutside(const thOutsideProblem* problem, thVec2* nearest);

// Whether that would answer th_outsideFree, which is quicker to tell.
bool thiIsFreeOfRegions(const thOutsideProblem* problem);

// Whether a point is in a region by more than the tolerance.
bool thiIsInRegion(const thRegion* region, thVec2 v, float tolerance);

// A side of a region as a line m + t d. The region is to its right.
typedef struct thSideLine {
    thVec2 m, d;
} thSideLine;

thSideLine thiSideLine(const thRegion* region, int32_t side);

// An interval on such a line; empty where low >= high.
typedef struct thStretch {
    float low, high;
} thStretch;

// The part of a side that is border of its region, within the discs. It is closed: a point is left
// where low = high. Empty for chords of round regions.
thStretch thiBorderStretch(const thOutsideProblem* problem, int32_t region, int32_t side,
                           thSideLine line);

// How well registers were used: how often they looked at a side, how many lanes did with them, and
// how many regions they held it against.
typedef struct thOutsideUse {
    int64_t rounds, lanes, regions;
} thOutsideUse;

// Many problems at once, one in each lane, without round regions. `lanes` is a multiple of
// TH_MAX_WIDTH, or any number for the scalar kernel. Sides are at
// [(region · TH_REGION_SIDES + side) · lanes + lane].
typedef struct thOutsideTask {
    int32_t lanes;
    int32_t regionMax; // what a lane lacks of them is set by thiSetOutsideLane
    float *nx, *ny, *o;
    float *wantedX, *wantedY;
    float *startX, *startY; // the point nearest to the wanted one in both discs
    float *discX[2], *discY[2], *discRadius[2];
    float* tolerance;
    void* room; // thiOutsideKernelRoom(regionMax, lanes) bytes, aligned to 64
    float *outX, *outY;
    uint8_t* answer;   // a thOutsideAnswer
    bool keepsLanes;   // lanes stay where they are to the end: slower, to compare with
    thOutsideUse* use; // is added to; NULL: nobody asks
} thOutsideTask;

typedef void thOutsideFcn(const thOutsideTask* task);

// The same bits as thiNearestOutside.
TH_KERNEL_DECLARE(thiNearestOutsideLanes, void, (const thOutsideTask* task));

size_t thiOutsideKernelRoom(int32_t regionMax, int32_t lanes);

// Puts a problem into a lane. NULL: one that is free.
void thiSetOutsideLane(const thOutsideTask* task, int32_t lane, const thOutsideProblem* problem);

// Parts of that: all but the regions, and one region. [region: NULL for none]
void thiSetOutsidePoint(const thOutsideTask* task, int32_t lane, const thOutsideProblem* problem);
void thiSetOutsideRegion(const thOutsideTask* task, int32_t lane, int32_t i,
                         const thRegion* region);

// What the kernels and those who lay out their problems agree on.

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
