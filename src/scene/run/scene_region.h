// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shapes of a scene in the world's coordinates: where agents are placed, appear or want to go.

#ifndef THRONG_SRC_SCENE_RUN_SCENE_REGION_H
#define THRONG_SRC_SCENE_RUN_SCENE_REGION_H

#include "geom/segment.h"
#include "scene/scene_model.h"

// Where a copy lies: moved from where it is described, then turned round a centre.
typedef struct thCopy {
    thCoord moved, center;
    double cosine, sine;
    bool isTurned;
} thCopy;

// One of them, by number: column by column, row by row, turn by turn.
thCopy thiCopyOf(const thSceneRepeat* repeat, int32_t number);

// Where a place of the first is in a copy.
thCoord thiInCopy(const thCopy* copy, thCoord place);

// A shape where it is in the world.
typedef struct thSceneRegion {
    thShapeKind kind;
    thPoint low, high;      // the box round it [units]
    const thPoint* corners; // in the arena; of a disc or point, its centre
    int32_t cornerCount;
    double radius;    // of a disc [units]
    double area;      // [m²]
    double perimeter; // [m]
} thSceneRegion;

// Where a place of the file is in the world. False when it is outside: nothing is written then.
bool thiToWorld(thCoord place, thCoord origin, thVec2* world);

// How many corners a shape has, and where they are in the world; boxes, which are told by two, have
// four. False when the corner is outside. `copy` NULL: where the shape is described.
int32_t thiCornerCount(const thShape* shape);
bool thiCornerToWorld(const thShape* shape, int32_t corner, const thCopy* copy, thCoord origin,
                      thVec2* world);

// A place as floats, as worlds take it. [m]
thVec2 thiMetresOf(thPoint place);

// The nearest place that floats can tell: far from the origin they know fewer of them than units.
thPoint thiRoundToFloats(thPoint place);

// A shape as a region. th_resultBadArgument when a part of its outline is outside of the world.
thResult thiMakeRegion(const thShape* shape, const thCopy* copy, thCoord origin, thArena* arena,
                       thSceneRegion* region);

// The middle of its box.
thPoint thiRegionCenter(const thSceneRegion* region);

// Whether a place is in it or on its boundary.
bool thiRegionHolds(const thSceneRegion* region, thPoint place);

// A random place in it that a float can tell: takes numbers of the stream from `*next` on. False
// when too many were beside it, because it has next to no area.
bool thiRegionDraw(const thSceneRegion* region, uint64_t stream, uint32_t* next, thPoint* place);

#endif
