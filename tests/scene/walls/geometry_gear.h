// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of WKT and GeoJSON share: a geometry told in short, to compare with.

#ifndef THRONG_TESTS_SCENE_WALLS_GEOMETRY_GEAR_H
#define THRONG_TESTS_SCENE_WALLS_GEOMETRY_GEAR_H

#include "gear/gear.h"
#include "scene/walls/geometry.h"

typedef thResult ReadFcn(const char* text, size_t size, thGeometry* geometry);

// A text that is accepted. Parts are told as `line`, `outer` or `hole` with their points:
// "outer 0,0 4,0 4,3; hole 1,1 2,1 2,2".
typedef struct Accepted {
    const char* text;
    const char* parts;
} Accepted;

// A text that is refused, where, and a part of what is said.
typedef struct Rejected {
    const char* text;
    int32_t line, column;
    const char* says;
} Rejected;

void assertAccepted(ReadFcn* read, const Accepted* cases, size_t count);
void assertRejected(ReadFcn* read, const Rejected* cases, size_t count);

// Every text that begins like this one is read or refused, without memory or with little.
void assertTruncated(ReadFcn* read, const char* text);

#endif
