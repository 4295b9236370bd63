// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table of methods that avoid others and are built in.

#ifndef THRONG_SRC_AVOID_AVOID_METHODS_H
#define THRONG_SRC_AVOID_AVOID_METHODS_H

#include "method/method_params.h"

// A line for each, the default first. A new method is its source and a line here.
#define TH_AVOID_METHODS(X)                                                                        \
    X(thiAvoidNone)                                                                                \
    X(thiAvoidOrca)                                                                                \
    X(thiAvoidRvo)                                                                                 \
    X(thiAvoidClearpath)                                                                           \
    X(thiAvoidSteer)                                                                               \
    X(thiAvoidSteerWeak)                                                                           \
    X(thiAvoidSocialForce)                                                                         \
    X(thiAvoidSpeed)

TH_AVOID_METHODS(TH_METHOD_DECLARE)

// Ends with NULL.
extern const thMethod* const thiAvoidMethods[];

#endif
