// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// GeoJSON: a geometry, a Feature or a FeatureCollection; LineString, Polygon, their Multi… and
// GeometryCollection. Members that are not needed, such as `properties` and `crs`, are not looked
// at: coordinates are taken as metres. Points are no walls, so Point and MultiPoint are errors.

#ifndef THRONG_SRC_SCENE_GEOJSON_H
#define THRONG_SRC_SCENE_GEOJSON_H

#include "scene/walls/geometry.h"

// Adds what a text holds. What was added before an error may stay.
thResult thiReadGeoJson(const char* text, size_t size, thGeometry* geometry);

#endif
