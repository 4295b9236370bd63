// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table of group methods that are built in.

#ifndef THRONG_SRC_GROUP_GROUP_METHODS_H
#define THRONG_SRC_GROUP_GROUP_METHODS_H

#include "method/method_params.h"

// A line for each, the default first. A new method is its source and a line here.
#define TH_GROUP_METHODS(X)                                                                        \
    X(thiGroupNone)                                                                                \
    X(thiGroupMeso)

TH_GROUP_METHODS(TH_METHOD_DECLARE)

// Ends with NULL.
extern const thMethod* const thiGroupMethods[];

#endif
