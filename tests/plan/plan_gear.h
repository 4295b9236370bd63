// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of planners share: worlds full of walls, and the frame that planners see of them.

#ifndef THRONG_TESTS_PLAN_PLAN_GEAR_H
#define THRONG_TESTS_PLAN_PLAN_GEAR_H

#include "gear/property.h"
#include "geom/predicate.h"
#include "sim/sim_gear.h"

// A world for tests of planners, with its workers.
thWorld* createPlanWorld(int32_t workers);

// Adds an obstacle of static kind; false if it was refused.
bool tryObstacle(thWorld* world, thObstacleKind kind, int32_t level, const thVec2* points,
                 int32_t count, thObstacleId* id);
thObstacleId addObstacle(thWorld* world, thObstacleKind kind, int32_t level, const thVec2* points,
                         int32_t count);
thObstacleId addBox(thWorld* world, float lowX, float lowY, float highX, float highY);

// Walls of every kind, which overlap, touch, share edges and stand on whole metres now and then.
void addRandomWalls(thWorld* world, thGenerator* g, int32_t count, float extent);

// Buildings of four corners: blocks in a grid of streets, or at random places without overlaps.
void addCity(thWorld* world, int32_t columns, int32_t rows);
void addRandomBuildings(thWorld* world, int32_t count, float extent);

// What planners see. Valid until the world changes.
thFrame frameOf(thWorld* world);

thPoint pointAt(double x, double y); // [m]

#endif
