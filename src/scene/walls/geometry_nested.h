// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Polygons within polygons.

#ifndef THRONG_SRC_SCENE_GEOMETRY_NESTED_H
#define THRONG_SRC_SCENE_GEOMETRY_NESTED_H

#include "scene/walls/geometry.h"

// Drops polygons that lie in another one, off its edges and holes: where polygons are walkable,
// what is inside of any of them is free, and they add nothing. Points must be within the world.
// th_resultNoMemory leaves all as it was.
thResult thiDropNestedPolygons(thGeometry* geometry);

#endif
