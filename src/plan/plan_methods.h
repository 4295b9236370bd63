// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table of planners that are built in. A new one is a file, a line here and a line in the
// table.

#ifndef THRONG_SRC_PLAN_PLAN_METHODS_H
#define THRONG_SRC_PLAN_PLAN_METHODS_H

#include "throng/method.h"

extern const thMethod thiPlanDirect;
extern const thMethod thiPlanFlow;
extern const thMethod thiPlanGiven; // an agent's state is a thVec2: the velocity it wants
extern const thMethod thiPlanSteer;
extern const thMethod thiPlanVisibility;
extern const thMethod thiPlanRoadmap;

// Ends with NULL; the first one is the default.
extern const thMethod* const thiPlanMethods[];

#endif
