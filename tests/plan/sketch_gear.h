// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of sketches share.

#ifndef THRONG_TESTS_PLAN_SKETCH_GEAR_H
#define THRONG_TESTS_PLAN_SKETCH_GEAR_H

#include "plan/plan_gear.h"
#include "throng/sketch.h"

// More lines than any test has.
enum { allLines = 10000000 };

thProfileId sketchProfile(thWorld* world, const char* plan, const void* params);

// Agents in a row along x that head for one goal, the first at (x, y); returns that one.
thAgentId sketchAgents(thWorld* world, thProfileId profile, thVec2 first, int32_t count,
                       thGoalId goal);

thSketch* sketchOf(const thWorld* world, thAgentId agent, int32_t most);

int32_t countLayer(const thSketchView* view, thSketchLayer layer);

// The first and the last point of a line. [m]
thVec2 firstOf(const thSketchView* view, const thSketchLine* line);
thVec2 lastOf(const thSketchView* view, const thSketchLine* line);
double lengthOf(const thSketchView* view, const thSketchLine* line);

// How near any piece of a line comes to any wall of floor 0, by looking at all of them. [m]
double clearanceOf(thWorld* world, const thSketchView* view, const thSketchLine* line);

// The path of a sketch is what thAgent_GetPath tells, point by point.
void checkWay(const thWorld* world, thAgentId agent, const thSketchView* view);

// A step and a sketch of the plan of an agent, if all went well until then. Without memory there is
// none.
thResult sketchOnce(thWorld* world, thAgentId agent, thResult code);

// Asking changes nothing: neither the state nor what comes after.
void checkNothingChanges(thWorld* world, thAgentId agent);

#endif
