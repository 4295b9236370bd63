// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "group/group_methods.h"

const thMethod* const thiGroupMethods[] = {&thiGroupNone, NULL};
