// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Macros and numbers that the tables of keys are written with.

#ifndef THRONG_SRC_SCENE_READ_SCENE_TABLES_H
#define THRONG_SRC_SCENE_READ_SCENE_TABLES_H

#include "scene/read/scene_keys.h"

#include <stddef.h>

#define OF(type, member) .offset = (int32_t)offsetof(type, member)
#define RANGE(least, most, unitText) .min = least, .max = most, .unit = unitText
#define ONE_OF(groupNumber, value) .group = groupNumber, .choice = value
#define KEYS(table) .keys = table, .keyCount = (int32_t)(sizeof table / sizeof table[0])
#define LEVEL RANGE(0, 65535, ""), .about = "Floor."

// The largest whole number below which a double knows all of them: 2^53 − 1.
#define TH_MAX_WHOLE 9007199254740991.0

// Places nearer than this are one. [m]
#define TH_LEAST_SPACING 0.001

#endif
