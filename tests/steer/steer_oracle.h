// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Behaviours by plain formulas in double, and by search where there is none.

#ifndef THRONG_TESTS_STEER_STEER_ORACLE_H
#define THRONG_TESTS_STEER_STEER_ORACLE_H

#include "steer/steer_case.h"

typedef struct Plane {
    double x, y;
} Plane;

typedef struct SteerOracle {
    Plane parts[th_partCount]; // with weights
    bool unsure[th_partCount]; // so near to where a formula jumps that rounding may decide
} SteerOracle;

void askSteerOracle(const SteerCase* made, const thSteerDef* def, SteerOracle* oracle);

#endif
