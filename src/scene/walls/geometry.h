// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Lines and polygons from a file that another program made, for walls: what WKT, GeoJSON and maps
// of cells have in common. Reading ends at the first error.

#ifndef THRONG_SRC_SCENE_WALLS_GEOMETRY_H
#define THRONG_SRC_SCENE_WALLS_GEOMETRY_H

#include "base/memory.h"
#include "scene/scene_model.h"

// What a file may hold at most, so that reading takes bounded time and memory.
#define TH_GEOMETRY_BYTES ((size_t)64 << 20)
#define TH_GEOMETRY_POINTS (4 << 20)
#define TH_GEOMETRY_DEPTH 32
#define TH_GRID_CELLS (1 << 24) // of a map

// Where points may be that need not be in the world. [m]
#define TH_GEOMETRY_REACH 1e9

typedef enum thGeometryKind {
    th_geometryLine = 0,
    th_geometryOuter = 1, // ring of a polygon
    th_geometryHole = 2,  // in the polygon before
} thGeometryKind;

// A line or a ring.
typedef struct thGeometryPart {
    thGeometryKind kind;
    int32_t first, count; // of its points; a ring does not end with its first one again
    int32_t line, column; // where it begins in the file
} thGeometryPart;

typedef struct thGeometry {
    const char* path; // of the file; NULL: it comes from none
    thCoord origin;   // of the world
    thCoord degrees;  // longitude and latitude of (0, 0); NaN: points are in metres
    bool isAnywhere;  // points need not be within the world
    bool areApart;    // no two outer rings overlap
    thArray points;   // thCoord, less the origin: within the world
    thArray parts;    // thGeometryPart, in the order of the file
    thError* error;   // where the first error is told
} thGeometry;

thGeometry thiGeometry(thMemory* memory, thCoord origin, thError* error);
void thiGeometryFree(thGeometry* geometry);

// Tells of an error at a place of the file and returns its code.
thResult thiGeometryError(const thGeometry* geometry, int32_t line, int32_t column,
                          const char* format, ...) TH_PRINTF(4, 5);

// A part begins, has points, and ends: then it is known whether it is one.
thResult thiBeginPart(thGeometry* geometry, thGeometryKind kind, int32_t line, int32_t column);
thResult thiAddPartPoint(thGeometry* geometry, thCoord point, int32_t line, int32_t column);
thResult thiEndPart(thGeometry* geometry);

// Adds what a text holds, in one of three formats: well-known text, GeoJSON, or a map of square
// cells as MovingAI's benchmarks have them. What was added before an error may stay.
thResult thiReadWkt(const char* text, size_t size, thGeometry* geometry);
thResult thiReadGeoJson(const char* text, size_t size, thGeometry* geometry);
thResult thiReadGridMap(const char* text, size_t size, thGeometry* geometry);

// Reads a file; its suffix tells the format. Errors name the file. The path must live as long.
thResult thiReadGeometryFile(const char* path, thGeometry* geometry);

// Puts polygons together. Walkable ones that touch, overlap or lie in each other become one, where
// what is inside of any of them is free: no two outer rings overlap then, and holes are solid all
// through. Solid ones with holes come in pieces without, which have cuts in common. Rings may move
// by a millimetre to meet. Points must be within the world; rings that are none stay as they are.
thResult thiJoinPolygons(thGeometry* geometry, bool areSolid);

#endif
