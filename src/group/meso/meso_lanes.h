// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Loops over people that `meso` does in lanes: who is near one, and the tangents of bodies. All
// give the bits of the plain code, which meso_groups.c and tangent_cone.c have.

#ifndef THRONG_SRC_GROUP_MESO_MESO_LANES_H
#define THRONG_SRC_GROUP_MESO_MESO_LANES_H

#include "base/core.h"
#include "simd/dispatch.h"
#include "throng/method.h"

// Rows that are looked at: begin .. end − 1.
typedef struct thMesoRange {
    int32_t begin, end;
} thMesoRange;

// Whom a row belongs to by itself.
typedef struct thMesoLinkTask {
    const thFrame* frame;
    float near, velocity; // thresholds: see thMesoDef
    bool isPlain;         // everybody is there, on one floor
    int32_t row;
    const thMesoRange* ranges;
    int32_t rangeCount;
    int32_t* links; // room for all rows of the ranges
    float gap;      // to the nearest of them; starts as the most that it can be [m]
} thMesoLinkTask;

// Returns how many there are.
TH_KERNEL_DECLARE(thiMesoFindLinks, int32_t, (thMesoLinkTask * task));

// Those around a row, on its floor, who are in a clump, and whom it sees.
typedef struct thMesoAroundTask {
    const thFrame* frame;
    const int32_t* clump; // by row, with as many more as a frame has
    bool isPlain;         // as above
    int32_t row;
    float radius;
} thMesoAroundTask;

// Of the rows of a range; has room for all of them and a register more. Returns how many there are.
TH_KERNEL_DECLARE(thiMesoFindAround, int32_t,
                  (const thMesoAroundTask* task, thMesoRange range, int32_t* found));

// Bodies, seen from a place. Arrays have a register more than `count`.
typedef struct thMesoBodies {
    int32_t count;
    const int32_t *px, *py; // units
    const float* radius;
    int32_t x, y;  // where they are seen from [units]
    thVec2 from;   // and how far from there [m]
    float inflate; // is added to their radii [m]
} thMesoBodies;

// The nearest.
typedef struct thMesoNearest {
    int32_t at;     // the first of several
    float distance; // of its body [m]
} thMesoNearest;

TH_KERNEL_DECLARE(thiMesoFindNearest, thMesoNearest, (const thMesoBodies* bodies));

// Those whose tangents are outermost. [left −1: they are all around]
typedef struct thMesoOutermost {
    int32_t left, right; // the first of several
} thMesoOutermost;

TH_KERNEL_DECLARE(thiMesoFindOutermost, thMesoOutermost,
                  (const thMesoBodies* bodies, thVec2 ahead));

// How far everything is at least, along two directions.
TH_KERNEL_DECLARE(thiMesoLeastAlong, void,
                  (const thMesoBodies* bodies, const thVec2 along[2], float least[2]));

typedef int32_t thMesoFindLinksFcn(thMesoLinkTask* task);
typedef int32_t thMesoFindAroundFcn(const thMesoAroundTask* task, thMesoRange range,
                                    int32_t* found);
typedef thMesoNearest thMesoFindNearestFcn(const thMesoBodies* bodies);
typedef thMesoOutermost thMesoFindOutermostFcn(const thMesoBodies* bodies, thVec2 ahead);
typedef void thMesoLeastAlongFcn(const thMesoBodies* bodies, const thVec2 along[2], float least[2]);

// Those of an instruction set.
typedef struct thMesoKernels {
    thMesoFindLinksFcn* findLinks;
    thMesoFindAroundFcn* findAround;
    thMesoFindNearestFcn* findNearest;
    thMesoFindOutermostFcn* findOutermost;
    thMesoLeastAlongFcn* leastAlong;
} thMesoKernels;

// Larger bodies belong to no group. [m]
#define TH_MESO_LARGEST 1.0f

#endif
