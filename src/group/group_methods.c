// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table of group methods, and the one that takes no notice of groups.

#include "group/group_methods.h"

// Method `none`: the guidance stays as the planner gave it.

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    (void)batch;
    (void)params;
    (void)shared;
}

const thMethod thiGroupNone = {.size = sizeof(thMethod),
                               .name = "none",
                               .version = 1,
                               .needs = th_needsNoneAtRest,
                               .solve = solve};

const thMethod* const thiGroupMethods[] = {TH_GROUP_METHODS(TH_METHOD_ADDRESS) NULL};
