// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of planners share: worlds with walls, roadmaps, goals and agents, and steps of them.

#ifndef THRONG_TESTS_PLAN_PLAN_GEAR_H
#define THRONG_TESTS_PLAN_PLAN_GEAR_H

#include "gear/property.h"
#include "geom/segment.h"
#include "sim/sim_gear.h"
#include "throng/roadmap.h"

#define DT 0.1f // [s]

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

// A roadmap of nodes that are given, or portals if they have ends; and one that is made by a rule.
thRoadmapId addRoadmap(thWorld* world, const char* name, const thVec2* nodes, const thVec2* ends,
                       int32_t count);
thRoadmapId addRule(thWorld* world, const char* name, thRoadmapKind kind, float side);

thGoalId pointGoal(thWorld* world, float x, float y);
thGoalId shapeGoal(thWorld* world, thGoalKind kind, const thVec2* points, int32_t count,
                   float radius);

// A profile with a planner. `params` NULL: those it has by default.
thProfileId addPlanner(thWorld* world, const char* plan, const void* params, const char* avoid);
thAgentId addAgent(thWorld* world, thProfileId profile, float x, float y, thGoalId goal);
thAgentId addSizedAgent(thWorld* world, thProfileId profile, float x, float y, thGoalId goal,
                        float radius);

// Five agents at one side of a wall whose goal is at the other, for tests in which memory runs out.
thResult addFew(thWorld* world, thMethodUse plan, thAgentId* last);

thPath pathOf(const thWorld* world, thAgentId agent, thVec2* points, int32_t capacity);
bool hasArrived(const thWorld* world, thAgentId agent);

void stepWorld(thWorld* world, int32_t count);
// Steps until the agent has arrived; how many it took, `most` if it did not.
int32_t stepsToArrive(thWorld* world, thAgentId agent, int32_t most);

// What planners see. Valid until the world changes.
thFrame frameOf(thWorld* world);

thPoint pointAt(double x, double y); // [m]

#endif
