// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Random places for many bodies in a region: off walls, and apart from each other and from those
// that stand there already. Two ways, one after the other. Darts: each body tries random places
// until one has room; that fills up to about half of the area. Pushing: whoever found none is put
// where it overlaps little, and bodies push each other away until none overlaps; that goes up to
// nine tenths of the densest there is.

#ifndef THRONG_SRC_SCENE_PLACEMENT_H
#define THRONG_SRC_SCENE_PLACEMENT_H

#include "scene/run/bodies.h"
#include "scene/run/region.h"
#include "space/walls.h"

typedef struct thPlacing {
    const thWallGrid* walls;
    thBodies* bodies; // those that stand already are in it; the others are added
    const thRegion* region;
    double gap;           // free space between bodies [m]
    int32_t first, count; // numbers of the bodies to place
    const float* radii;   // of these, from the first on
    int32_t level;
    uint64_t seed; // with a body's number it decides the place
} thPlacing;

// What a failure can be explained with.
typedef struct thPlacingFigures {
    int32_t placed;     // how many found room at once
    double freeArea;    // of the region: what is not solid [m²]
    double mostPerArea; // about how many of these bodies fit on a m²
} thPlacingFigures;

// Places all of them: the result depends on nothing but what is told here. Their centres are in the
// region. If it fails none of them is added; th_resultFull when there is not room enough.
thResult thiPlaceAtRandom(const thPlacing* placing, thPlacingFigures* figures);

// placement_push.c. Adds a body where it overlaps others little; false if walls leave no place.
bool thiSqueezeIn(const thPlacing* placing, int32_t number);

// Moves those that are to be placed until none of them overlaps another: th_resultFull if that
// leads nowhere.
thResult thiPushApart(const thPlacing* placing);

#endif
