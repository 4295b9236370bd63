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

// Of a site's trapezoid: it is not known yet.
#define TH_NOT_LOOKED_UP (-2)

typedef struct thVoronoiSite {
    thPlace place;     // relative to the walkable area's origin
    int32_t person;    // another for each site
    int32_t trapezoid; // in which it stands; −1: in none, so it has no cell; or TH_NOT_LOOKED_UP
} thVoronoiSite;

typedef struct thVoronoi {
    const thWalkable* walkable;
    thArray sites; // thVoronoiSite; once they are sorted by cells of a grid, row by row
    // Where Voronoi cells begin: a polygon about the person that is cut off, or empty: the whole
    // floor.
    thArray cutOff; // thPlace
    // The grid.
    thPlace low, cellSize, cellsAMetre;
    int32_t columns, rows;
    thArray starts;    // int32_t by cell, and one more: first site
    thArray isParting; // uint8_t by site: 1 if it is the middle of a tree's branch
    // For sorting.
    thArray cellOf; // int32_t by site
    thArray spare;  // thVoronoiSite
} thVoronoi;

thVoronoi thiVoronoi(thMemory* memory, const thWalkable* walkable);
void thiVoronoiFree(thVoronoi* voronoi);

// Cells end at a regular polygon with a corner to the east. [radius > 0, corners >= 3]
thResult thiCutOffCells(thVoronoi* voronoi, double radius, int32_t corners);

// Sorts the sites.
thResult thiSortVoronoi(thVoronoi* voronoi);

// Distance of the nearest site that is walkable. [m; infinite: there is none]
double thiNearestVoronoiSite(thVoronoi* voronoi, thPlace to);

// Shows sites that are walkable, in an order that sites alone decide, and leaves out boxes in which
// none is wanted. Whose boxes are shown finds cells faster.
typedef bool thVoronoiBoxFcn(void* context, thPlace low, thPlace high);
typedef thResult thVoronoiSiteFcn(void* context, const thVoronoiSite* site);
thResult thiVisitVoronoiSites(thVoronoi* voronoi, thVoronoiBoxFcn* isWanted,
                              thVoronoiSiteFcn* visit, void* context);

// A cell, and what finding it takes; workers have one each.
typedef struct thVoronoiCell {
    thConvex outline; // of the walls only the bounds of the floor are respected
    int32_t sharers;  // people in the same place, the owner included
    // Of the flood through doors.
    thConvex part;
    thArray waiting; // int32_t: trapezoids
    thArray visits;  // uint32_t: number of the flood that reached each trapezoid last
    uint32_t flood;
} thVoronoiCell;

thVoronoiCell thiVoronoiCell(thMemory* memory);
void thiVoronoiCellFree(thVoronoiCell* cell);

// Finds the cell of a site.
thResult thiFindVoronoiCell(const thVoronoi* voronoi, const thVoronoiSite* site,
                            thVoronoiCell* cell);

// Whether the cell of a site, cut-off and walls aside, has a part in a convex polygon. Much faster
// than the cell where it has not. Overwrites `cell`.
thResult thiVoronoiCellMeets(const thVoronoi* voronoi, const thVoronoiSite* site,
                             const thPlace* corners, int32_t count, thVoronoiCell* cell,
                             bool* meets);

// Shows the parts of a cell that was found which can be reached from its site, whose trapezoid is
// known; they do not overlap.
typedef thResult thVoronoiPartFcn(void* context, const thConvex* part);
thResult thiVisitVoronoiParts(const thVoronoi* voronoi, const thVoronoiSite* site,
                              thVoronoiCell* cell, thVoronoiPartFcn* visit, void* context);

#endif
