// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Areas of many polygons taken together, as simple outlines. Outlines that touch, overlap or lie in
// each other become ones that do not, and solids with yards are cut into solids without.

#ifndef THRONG_SRC_GEOM_AREAS_H
#define THRONG_SRC_GEOM_AREAS_H

#include "base/memory.h"
#include "geom/segment.h"

// How far corners and edges are moved at most to meet each other. [units: 1 mm]
#define TH_AREA_SNAP 66

typedef struct thAreas thAreas;

thResult thiCreateAreas(thMemory* memory, thAreas** areas);
void thiDestroyAreas(thAreas* areas);

// Adds a clean outline (geom/polygon.h): what is inside counts once more if the outline runs
// counter-clockwise, and once less, as in a hole, if it runs clockwise.
thResult thiAddArea(thAreas* areas, const thPoint* corners, int32_t count);

// A simple outline, of which no edge crosses another one's; they may touch at corners.
typedef struct thAreaRing {
    int32_t first, count; // of its corners
    bool isRoom;          // free inside, and solid outside; else solid inside
} thAreaRing;

// Adds the outlines (thAreaRing) of all areas together, and their corners (thPoint). What counts
// more than 0 times is solid, or else it is free and all around it solid. A solid that has
// something free in it comes in pieces that have not: they have cuts in common.
//
// Corners are as float has them, to the unit. th_resultFull: edges cross too often;
// th_resultNoMemory. The areas are used up.
thResult thiOutlineAreas(thAreas* areas, bool areSolid, thArray* rings, thArray* corners);

#endif
