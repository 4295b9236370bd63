// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The built-in methods of a kind as messages list them, so that tests of messages hold whatever
// methods there are.

#ifndef THRONG_TESTS_GEAR_METHOD_NAMES_H
#define THRONG_TESTS_GEAR_METHOD_NAMES_H

#include "throng/world.h"

// A text, the names of the methods joined by commas, and another text. Good until the next call.
const char* withMethodNames(const char* before, thMethodKind kind, const char* after);

#endif
