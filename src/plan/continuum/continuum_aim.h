// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Which way an agent goes from a place: down the potential, or straight to a goal that is near.

#ifndef THRONG_SRC_PLAN_CONTINUUM_AIM_H
#define THRONG_SRC_PLAN_CONTINUUM_AIM_H

#include "plan/continuum/continuum_plans.h"

typedef struct thContinuumAim {
    bool found;
    bool isGoal; // `to` is the place of the goal to go to
    thPoint to;  // how far it goes so: the goal, or a place a little ahead
    thVec2 way;  // unit vector; zero at the goal
    float left;  // length of the whole path [m]
} thContinuumAim;

// From a place with a plan that has a potential. Who stands without room, or beside a wall, looks
// for nodes that can be seen from there.
thContinuumAim thiContinuumAimFrom(const thContinuumPlan* plan, const thFrame* frame, thPoint p);

// Goes on along the path by part of a cell, for those who draw it: `p` becomes the next place.
// False at its end, or where it does not go on.
bool thiContinuumFollow(const thContinuumPlan* plan, const thFrame* frame, thPoint* p);

// How fast somebody goes there who likes `speed`, and what the crowd ahead is like.
float thiContinuumSpeed(const thContinuumPlans* plans, const thContinuumFloor* floor, thPoint p,
                        thVec2 way, float speed, thCrowdAt* ahead);

#endif
