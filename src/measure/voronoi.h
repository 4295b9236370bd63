// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Voronoi cells of people on one floor, as convex polygons cut to the walkable area.
//
// A cell is what is nearer to a person than to anybody else; of it counts the part that can be
// reached from the person without leaving cell and walkable area.

#ifndef THRONG_SRC_MEASURE_VORONOI_H
#define THRONG_SRC_MEASURE_VORONOI_H

#include "measure/walkable.h"

// A convex polygon in metres, counter-clockwise, from which half-planes are cut away.
typedef struct thConvex {
    thArray points; // thPlace; fewer than 3: empty
    thArray spare;  // where a cut writes
} thConvex;

thConvex thiConvex(thMemory* memory);
void thiConvexFree(thConvex* convex);

thResult thiSetConvex(thConvex* convex, const thPlace* points, int32_t count);

// Keeps what is inside another one, given by its corners counter-clockwise.
thResult thiCutConvexTo(thConvex* convex, const thPlace* corners, int32_t count);

double thiConvexArea(const thConvex* convex); // [m²]

typedef struct thVoronoiSite {
    thPlace place;     // relative to the walkable area's origin
    int32_t trapezoid; // in which it stands
    int32_t person;    // for the caller
} thVoronoiSite;

typedef struct thVoronoi {
    const thWalkable* walkable;
    thArray sites; // thVoronoiSite; in the order of a tree once it is planted
    // Where cells begin: a polygon about the person that is cut off, or empty: the whole floor.
    thArray cutOff;  // thPlace
    thConvex cell;   // of the latest person
    int32_t sharers; // people in the same place as that one, itself included
    // Of the flood through doors.
    thConvex part;
    thArray waiting; // int32_t: trapezoids
    thArray visits;  // uint32_t: number of the flood that reached each trapezoid last
    uint32_t flood;
} thVoronoi;

thVoronoi thiVoronoi(thMemory* memory, const thWalkable* walkable);
void thiVoronoiFree(thVoronoi* voronoi);

// Cells end at a regular polygon with a corner to the east. [radius > 0, corners >= 3]
thResult thiCutOffCells(thVoronoi* voronoi, double radius, int32_t corners);

// Sorts the sites.
void thiPlantVoronoi(thVoronoi* voronoi);

// Computes `cell` and `sharers` of a site; of the walls only the bounds of the floor are respected.
thResult thiVoronoiCell(thVoronoi* voronoi, int32_t site);

// Whether the cell of a site, cut-off and walls aside, has a part in a convex polygon. Much faster
// than the cell where it has not. Overwrites `cell`.
thResult thiVoronoiCellMeets(thVoronoi* voronoi, int32_t site, const thPlace* corners,
                             int32_t count, bool* meets);

// Shows the parts of the latest cell that can be reached from its site; they do not overlap.
typedef thResult thVoronoiPartFcn(void* context, const thConvex* part);
thResult thiVisitVoronoiParts(thVoronoi* voronoi, int32_t site, thVoronoiPartFcn* visit,
                              void* context);

#endif
