// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table of planners that are built in.

#include "plan/plan_methods.h"

const thMethod* const thiPlanMethods[] = {
    &thiPlanDirect, &thiPlanGiven,      &thiPlanFlow, &thiPlanRoadmap,
    &thiPlanSteer,  &thiPlanVisibility, NULL};
