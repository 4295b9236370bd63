// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Ctrl-C: the first one asks for an end, the second one is one.

#ifndef THRONG_APPS_INTERRUPT_H
#define THRONG_APPS_INTERRUPT_H

#include <stdbool.h>

// From now on the first SIGINT or SIGTERM is only taken note of.
void appWatchInterrupts(void);

bool appWasInterrupted(void);

#endif
