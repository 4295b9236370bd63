// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Obstacles: those that stand become walls in a grid, those that move are columns of a step.

#ifndef THRONG_SRC_SIM_OBSTACLES_H
#define THRONG_SRC_SIM_OBSTACLES_H

#include "base/id_pool.h"
#include "base/memory.h"
#include "move/push.h"
#include "space/walls.h"
#include "throng/world.h"

typedef struct thObstacle {
    thObstacleDef def;   // its pointers are not used; angle, velocity and spin are kept up to date
    int32_t x, y;        // moving ones: where the origin is, in units
    double restX, restY; // what that lacks of the exact place, in units: slow movers move too
    thArray outline;     // thPoint, cleaned; moving ones relative to the origin, not turned
    thArray path;        // thPoint
    int32_t pathAt;      // the point of the path it is heading for; path.count when it is done
} thObstacle;

typedef struct thObstacles {
    thIdPool ids;
    thArray items; // thObstacle by slot
} thObstacles;

// Static obstacles as everybody meets them.
typedef struct thWorldWalls {
    thWallGrid* grid;
    uint64_t revision;    // counted up by changes, never set back
    _Atomic bool changed; // obstacles came or went since the grid was built
} thWorldWalls;

// Moving obstacles as columns, in the order of slots; rebuilt at the beginning of each step.
typedef struct thMoverColumns {
    thArray px, py, vx, vy, spin, radius, firstCorner, corners, level, obstacle;
    thArray dx, dy, turn, share; // what each does in the step: see thiPlanMovers
    thArray bodies;              // thPushedBody: agents that a mover which yields might meet
    thMovers view;
} thMoverColumns;

// obstacles.c.

// Brings the wall grid and the columns of movers up to date.
thResult thiPrepareObstacles(thWorld* world);
// The wall grid alone; queries use it, so several threads may call it at once.
thResult thiUpdateWalls(const thWorld* world);
// Whether an obstacle of that kind moves.
bool thiIsMoving(thObstacleKind kind);
// Checks a definition but for its points, which follow.
bool thiIsObstacleDef(const thObstacleDef* def);
void thiFreeObstacle(thObstacle* obstacle);
// How many segments the outline of a static obstacle has; 0 for moving ones.
int32_t thiWallSegmentCount(const thObstacle* obstacle);

// movers.c.

// Fills in what movers will do in the step: how far they go and turn, in the share of it that those
// who yield can make. Needs the agents' targets.
thResult thiPlanMovers(thWorld* world, float dt);
// In how many parts agents have to be moved for them in a time. Needs the agents' velocities.
int32_t thiCountMoverParts(const thWorld* world, float dt);
// Puts the columns of movers where they are by now.
void thiShowMovers(thWorld* world);
// What was planned, for those who are pushed.
thMoverMotion thiMoverMotion(const thWorld* world);
// Moves moving obstacles by one step, as planned.
void thiAdvanceMovers(thWorld* world, float dt);
// Sets the velocity of an obstacle with a path: towards the point it is heading for.
void thiAimAlongPath(thObstacle* obstacle);
void thiSetObstacleMotion(thObstacle* obstacle, thVec2 velocity, float spin);

#endif
