// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Every lane primitive as a subject.

#ifndef THRONG_TESTS_GOLDEN_LANES_H
#define THRONG_TESTS_GOLDEN_LANES_H

#include "subject.h"

extern const Subject lanesSubject;

#endif
