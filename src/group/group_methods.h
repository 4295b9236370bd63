// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The group methods that are built in.
// A new one is a file, a line here and a line in the table.

#ifndef THRONG_SRC_GROUP_GROUP_METHODS_H
#define THRONG_SRC_GROUP_GROUP_METHODS_H

#include "throng/method.h"

// Ends with NULL; the first one is the default.
extern const thMethod* const thiGroupMethods[];

#endif
