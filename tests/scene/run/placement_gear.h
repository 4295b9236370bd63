// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Grounds to place bodies on, and a judge of what came out who shares no code with what places
// them.

#ifndef THRONG_TESTS_SCENE_RUN_PLACEMENT_GEAR_H
#define THRONG_TESTS_SCENE_RUN_PLACEMENT_GEAR_H

#include "gear/gear.h"
#include "gear/property.h"
#include "scene/run/scene_placement.h"

#define MOST_WALLS 16

typedef struct GroundWall {
    thObstacleKind kind;
    thVec2 points[8];
    int32_t count;
} GroundWall;

typedef struct Ground {
    thMemory memory;
    thArena arena;
    thWorld* world; // holds the walls
    GroundWall walls[MOST_WALLS];
    int32_t wallCount;
    thShape shape;
    thCoord corners[8];
    thSceneRegion region;
    thBodies bodies;
    float* radii; // of all bodies
    int32_t fixed[8];
    int32_t fixedCount; // bodies that stand already
    thPlacing placing;
    thPlacingFigures figures;
} Ground;

// A ground with a region, walls and bodies of any kind, about `size` to be placed.
void openGround(Ground* ground, thGenerator* g, int32_t size);

// A box from (0, 0) to (side, side), with the walls of a room or without. Radii are uniform between
// radius − spread / 2 and radius + spread / 2.
void openBox(Ground* ground, double side, int32_t count, float radius, float spread, bool walls);

void closeGround(Ground* ground);

void addWall(Ground* ground, thObstacleKind kind, const thVec2* points, int32_t count);

// The points of the shape are copied.
void setRegion(Ground* ground, const thShape* shape);

thResult placeOnGround(Ground* ground);

// Whether all stand in the region, off walls, and apart.
bool isPlacedWell(const Ground* ground);

// Whether the figures of a failure make sense.
bool areFigures(const Ground* ground);

#endif
