// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What planners draw and say in explanations of an agent.

#ifndef THRONG_SRC_PLAN_PLAN_MARKS_H
#define THRONG_SRC_PLAN_PLAN_MARKS_H

#include "throng/mark.h"

// What a planner has to say of an agent, for its `explain`: the path, its next corner, and in words
// what comes of it.
void thiMarkPlan(const thBatch* batch, int32_t lane, thPlanPathFcn* path, const void* params,
                 const void* shared, thExplanation* to);

#endif
