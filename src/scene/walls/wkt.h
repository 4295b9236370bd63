// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Well-known text: `POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0), (4 2, 6 2, 6 3, 4 3, 4 2))`.
//
// A file holds any number of geometries, separated by white space or semicolons: LINESTRING,
// LINEARRING, POLYGON, MULTILINESTRING, MULTIPOLYGON and GEOMETRYCOLLECTION, in upper or lower
// case, each of them possibly EMPTY and after `SRID=…;`. Of Z and M nothing is kept. Points are no
// walls, so POINT and MULTIPOINT are errors unless they are EMPTY.

#ifndef THRONG_SRC_SCENE_WKT_H
#define THRONG_SRC_SCENE_WKT_H

#include "scene/walls/geometry.h"

// Adds what a text holds. What was added before an error may stay.
thResult thiReadWkt(const char* text, size_t size, thGeometry* geometry);

#endif
