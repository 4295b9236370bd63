// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Takes no notice of groups: the guidance stays as the planner gave it.

#include "group/group_methods.h"

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    (void)batch;
    (void)params;
    (void)shared;
}

const thMethod thiGroupNone = {
    .size = sizeof(thMethod), .name = "none", .version = 1, .solve = solve};
