// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walkable areas as well-known text: as worlds, read by the library, and as rings of points, read
// here the plain way to hold the former against.

#ifndef THRONG_TESTS_PLAN_BUILDING_H
#define THRONG_TESTS_PLAN_BUILDING_H

#include "throng/scene.h"

#include <stdbool.h>

typedef struct Building {
    thScene* scene;
    thRun* run;
    thWorld* world;
    double (*points)[2]; // of all rings, about the world's origin [m]
    int32_t* ringStart;  // the first point of each ring, and one more
    int32_t* polygonOf;  // which polygon each ring belongs to
    int32_t pointCount, ringCount;
    double low[2], high[2];
} Building;

void openBuilding(const char* path, Building* building);
void closeBuilding(Building* building);

// Whether a place is in one of the polygons and in none of its holes.
bool isWalkable(const Building* building, double x, double y);

#endif
