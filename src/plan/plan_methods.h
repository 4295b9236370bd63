// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table of planners that are built in.

#ifndef THRONG_SRC_PLAN_PLAN_METHODS_H
#define THRONG_SRC_PLAN_PLAN_METHODS_H

#include "method/method_params.h"

// A line for each, the default first. A new method is its source and a line here. Of `given`, an
// agent's state is a thVec2: the velocity it wants.
#define TH_PLAN_METHODS(X)                                                                         \
    X(thiPlanDirect)                                                                               \
    X(thiPlanContinuum)                                                                            \
    X(thiPlanGiven)                                                                                \
    X(thiPlanFlow)                                                                                 \
    X(thiPlanRoadmap)                                                                              \
    X(thiPlanSteer)                                                                                \
    X(thiPlanVisibility)

TH_PLAN_METHODS(TH_METHOD_DECLARE)

// Ends with NULL.
extern const thMethod* const thiPlanMethods[];

#endif
