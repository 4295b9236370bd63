// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Obstacles grown by a radius as the library GEOS grows them. Lengths are in metres.

#ifndef THRONG_TESTS_PLAN_GROWN_ORACLE_H
#define THRONG_TESTS_PLAN_GROWN_ORACLE_H

#include "plan/plan_gear.h"

// A world with obstacles that GEOS knows of as well.
typedef struct Layout Layout;

// Boxes on whole metres, which touch and share edges, polygons that overlap, and thin walls.
Layout* drawLayout(thGenerator* g, int32_t count, float extent);
void freeLayout(Layout* layout);
thWorld* layoutWorld(const Layout* layout);

// The obstacles grown by a radius, its arcs in so many parts for each quarter.
typedef struct Grown Grown;

Grown* growLayout(const Layout* layout, double radius, int32_t parts);
void freeGrown(Grown* grown);

// Whether a straight line, or a place if both ends are the same, meets what is grown.
bool meetsGrown(const Grown* grown, thPoint a, thPoint b);

// From the obstacles themselves; 0 in solid.
double distanceOfWay(const Layout* layout, thPoint a, thPoint b);

#endif
