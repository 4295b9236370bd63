// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a scene puts into a world, as data: so that it can be put into other worlds, elsewhere,
// turned, mirrored or in another order.

#ifndef THRONG_TESTS_SCENES_LAYOUT_H
#define THRONG_TESTS_SCENES_LAYOUT_H

#include "crowds/scenes.h"
#include "throng/orca.h"

#define LAYOUT_AGENTS 1024
#define LAYOUT_GOALS 1024
#define LAYOUT_OBSTACLES 16
#define LAYOUT_CORNERS 8

typedef struct LayoutGoal {
    thGoalKind kind;
    int32_t count; // of points, or of goals
    thVec2 points[2];
    int32_t goals[2];
} LayoutGoal;

typedef struct LayoutObstacle {
    thObstacleDef def; // its points are these
    thVec2 points[LAYOUT_CORNERS];
} LayoutObstacle;

typedef struct LayoutAgent {
    thAgentDef def; // profile, goal and key are given when it is created
    int32_t goal;
} LayoutAgent;

// All agents have one profile.
typedef struct Layout {
    thProfileDef profile;
    thOrcaDef orca;
    LayoutAgent agents[LAYOUT_AGENTS];
    LayoutGoal goals[LAYOUT_GOALS];
    LayoutObstacle obstacles[LAYOUT_OBSTACLES];
    int32_t agentCount, goalCount, obstacleCount;
} Layout;

// How a layout is put into a world: mirrored at the x axis, then turned, then moved.
typedef struct Placing {
    bool mirrored;
    double cosine, sine; // of the turn
    thVec2 shift;
    uint64_t order; // agents and obstacles are created in an order of this number, 0: as they stand
    bool ownKeys;   // agents have keys by their place in the layout; otherwise the world gives them
    bool contacts;
    int32_t workers;
} Placing;

// As it stands, with keys of its own and contacts.
Placing plainPlacing(void);

// Coordinates of layouts are multiples of this: those that are moved by multiples of it, within 16
// km, are still exact as floats. [m]
#define LAYOUT_GRAIN 0x1p-8f

// What a scene puts into a world.
void layOutScene(Layout* layout, const char* name, uint64_t seed);

// A crowd of all sizes and speeds among solids, walls and moving obstacles.
void layOutMixed(Layout* layout, uint64_t seed);

// A vector, turned and mirrored.
thVec2 placeVector(const Placing* placing, thVec2 v);

// A new world with the layout in it. `ids` are those of the layout's agents.
thWorld* placeLayout(const Layout* layout, const Placing* placing, thAgentId* ids);

// Places and velocities of a world's agents become those of the layout; who has left is left out.
void captureAgents(Layout* layout, const thWorld* world, const thAgentId* ids);

#endif
