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
    bool isPlain;         // everybody is there, on one floor, and small enough
    int32_t row;
    const thMesoRange* ranges;
    int32_t rangeCount;
    int32_t* links;  // room for all rows of the ranges
    float gap;       // to the nearest of them; starts as the most that it can be [m]
    int32_t nearest; // that one, or another that is as near
    int32_t octants; // those in which there are fellows: a bit each
} thMesoLinkTask;

// Returns how many there are. They are in the order of rows.
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

// Of the members of one clump, within sight of one of them: those who may have no fellow that is
// nearer to it. Who is further away than fellows are from each other, and has one within the same
// octant as that member, has a nearer one.
typedef struct thMesoStrayTask {
    const thFrame* frame;
    const int32_t *clump, *octants; // by row
    int32_t row;
    float sight, distance; // the latter: between fellows, at most [m]
} thMesoStrayTask;

// Of the rows of a range; room and answer as of thiMesoFindAround.
TH_KERNEL_DECLARE(thiMesoFindStrays, int32_t,
                  (const thMesoStrayTask* task, thMesoRange range, int32_t* strays));

typedef int32_t thMesoFindStraysFcn(const thMesoStrayTask* task, thMesoRange range,
                                    int32_t* strays);

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

// What floats may be wrong by, in places and velocities. [m; of m; m/s, of m/s]
#define TH_MESO_SLACK 0.001f
#define TH_MESO_PLACE_SHARE 1.0e-5f
#define TH_MESO_SPEED_SLACK 1.0e-4f

// Discs round clumps: nobody stands further from the middle than `half`, and velocities of parts of
// the clump are within `spread` of the middle one. Arrays have a register more than `count`.
typedef struct thMesoDiscs {
    int32_t count, capacity;
    bool allAreSeen;       // there are no more people than an agent looks at
    int32_t *x, *y;        // [units]
    float *half, *largest; // [m]
    float *meanX, *meanY, *middleX, *middleY, *spread; // [m/s]
    int32_t* clump;                                    // its number
} thMesoDiscs;

// Who asks what is in its way.
typedef struct thMesoWish {
    int32_t x, y;  // [units]
    float radius;  // [m]
    thVec2 wanted; // [m/s]
    float sight, horizon;
    bool seesWhole; // all of those within sight; then the mean is the velocity of who is
    int32_t clump;  // its own; −1: none
} thMesoWish;

// The clumps of those rows of a range who are in one, in the order of rows. Room and answer as of
// thiMesoFindAround.
TH_KERNEL_DECLARE(thiMesoListClumps, int32_t,
                  (const int32_t* clump, thMesoRange range, int32_t* found));

typedef int32_t thMesoListClumpsFcn(const int32_t* clump, thMesoRange range, int32_t* found);

// Of the discs: those who may be seen, but the own clump if all of it is, and of these the ones
// that what is wanted may lead into, whatever part of the clump is seen. Arrays have room for as
// many as there are and a register more.
typedef struct thMesoSight {
    int32_t seenCount, inWayCount;
    int32_t *seen, *inWay;
} thMesoSight;

TH_KERNEL_DECLARE(thiMesoLookAtDiscs, void,
                  (const thMesoDiscs* discs, const thMesoWish* wish, thMesoSight* sight));

typedef void thMesoLookAtDiscsFcn(const thMesoDiscs* discs, const thMesoWish* wish,
                                  thMesoSight* sight);
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
    thMesoLookAtDiscsFcn* lookAtDiscs;
    thMesoFindStraysFcn* findStrays;
    thMesoListClumpsFcn* listClumps;
} thMesoKernels;

// Larger bodies belong to no group. [m]
#define TH_MESO_LARGEST 1.0f

#endif
