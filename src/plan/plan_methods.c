// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "plan/plan_methods.h"

const thMethod* const thiPlanMethods[] = {
    &thiPlanDirect, &thiPlanGiven,      &thiPlanFlow, &thiPlanRoadmap,
    &thiPlanSteer,  &thiPlanVisibility, NULL};
