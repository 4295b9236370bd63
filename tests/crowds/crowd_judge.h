// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Judges steps of a whole world with contacts by what hosts see of it: pairs in double, found
// through a grid of its own; walls, as they were given to the world, by measure/wall_check.

#ifndef THRONG_TESTS_SCENES_CROWD_JUDGE_H
#define THRONG_TESTS_SCENES_CROWD_JUDGE_H

#include "throng/world.h"

#include <stdbool.h>

#define JUDGE_BODIES 8192
#define JUDGE_OBSTACLES 64
#define JUDGE_CORNERS 16
#define JUDGE_WALLS (JUDGE_OBSTACLES * JUDGE_CORNERS)

typedef struct JudgeBody {
    uint64_t key;
    int32_t x, y; // units
    int32_t level;
    uint32_t layers, mask, flags;
    float radius, speed; // it has, or may have if that is more
} JudgeBody;

typedef struct JudgeObstacle {
    thObstacleId id;
    thObstacleKind kind;
    int32_t level, count;
    float radius;
    thVec2 points[JUDGE_CORNERS];               // as given
    int32_t x[JUDGE_CORNERS], y[JUDGE_CORNERS]; // units
} JudgeObstacle;

typedef struct Judge {
    JudgeBody before[JUDGE_BODIES]; // by key
    JudgeBody now[JUDGE_BODIES];
    int32_t from[JUDGE_BODIES]; // who each of them was before
    int32_t beforeCount, nowCount;
    JudgeObstacle obstacles[JUDGE_OBSTACLES];
    int32_t obstacleCount;
    int32_t ax[JUDGE_WALLS], ay[JUDGE_WALLS], bx[JUDGE_WALLS], by[JUDGE_WALLS];
    uint16_t wallLevel[JUDGE_WALLS];
    int32_t wallCount;
    bool inParts; // movers went in parts in the step: nobody's way is straight
    // What was seen so far.
    int64_t bodySteps, touchingPairs, longWays, squeezed;
    double deepest; // of pairs that were ever apart, as a share of the radii's sum
    char problem[256];
} Judge;

void judgeBegin(Judge* judge);

bool isMover(thObstacleKind kind);

// Obstacles are told to the judge as to the world.
void judgeAddObstacle(Judge* judge, thObstacleId id, const thObstacleDef* def);
void judgeRemoveObstacle(Judge* judge, thObstacleId id);

// Before a step: how everybody stands, and agents that a command is going to create.
void judgeBefore(Judge* judge, const thWorld* world);
void judgeExpect(Judge* judge, const thAgentDef* def);

// After the step. False if something is wrong; `problem` says what.
bool judgeAfter(Judge* judge, const thWorld* world, float dt);

#endif
