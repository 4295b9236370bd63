// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The methods that avoid others and are built in.
// A new one is a file, a line here and a line in the table.

#ifndef THRONG_SRC_AVOID_AVOID_METHODS_H
#define THRONG_SRC_AVOID_AVOID_METHODS_H

#include "throng/method.h"

extern const thMethod thiAvoidSteer;
extern const thMethod thiAvoidSteerWeak;

// Ends with NULL; the first one is the default.
extern const thMethod* const thiAvoidMethods[];

#endif
