// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Sets IEEE's floating-point environment, and puts the host's back. Hosts and fast-math libraries
// change rounding and flush denormals to zero, and threads inherit it. Every task sets IEEE's
// defaults and puts the host's state back.

#ifndef THRONG_SRC_BASE_FP_ENVIRONMENT_H
#define THRONG_SRC_BASE_FP_ENVIRONMENT_H

#include <stdint.h>

typedef struct thFpEnvironment {
    uint64_t control;
} thFpEnvironment;

// Round to nearest, denormals kept, all traps masked. Returns what was set before.
thFpEnvironment thiFpEnter(void);

void thiFpRestore(thFpEnvironment before);

#endif
