// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "avoid/avoid_methods.h"

#include "avoid/clearpath/clearpath.h"
#include "avoid/orca/orca.h"
#include "avoid/rvo/rvo.h"

const thMethod* const thiAvoidMethods[] = {
    &thiAvoidNone,  &thiOrcaMethod,     &thiRvoMethod, &thiClearpathMethod,
    &thiAvoidSteer, &thiAvoidSteerWeak, NULL};
