// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table of planners that are built in.

#include "plan/plan_methods.h"

const thMethod* const thiPlanMethods[] = {TH_PLAN_METHODS(TH_METHOD_ADDRESS) NULL};
