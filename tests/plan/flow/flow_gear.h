// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of fields share.

#ifndef THRONG_TESTS_PLAN_FLOW_GEAR_H
#define THRONG_TESTS_PLAN_FLOW_GEAR_H

#include "plan/flow/flow_field.h"
#include "plan/plan_gear.h"

#define UNITS ((double)THRONG_UNITS_PER_METRE)

typedef struct Field {
    thMemory memory;
    thWorld* world;
    thFieldGrid grid;
    thFlowField field;
} Field;

// The world is the field's from then on. `slice`: nodes at a time.
void openField(Field* field, thWorld* world, thGoalId goal, float radius, float cell,
               int64_t slice);
void closeField(Field* field);

// Infinite if there is no path. [m]
double lengthFrom(const Field* field, double x, double y);

#endif
