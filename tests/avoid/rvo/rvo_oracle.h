// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a velocity costs by method `rvo`, in double and straight from the definitions of
// docs/methods/rvo.md.

#ifndef THRONG_TESTS_AVOID_RVO_ORACLE_H
#define THRONG_TESTS_AVOID_RVO_ORACLE_H

#include "avoid/rvo/rvo_batch.h"

// `swell` grows all bodies by that part, and shifts the cut-off: what is decided by rounding lies
// between what a small one and its negative come to.
double rvoOracleCost(const RvoAgent* agent, const thRvoDef* def, thVec2 velocity, double swell);

#endif
