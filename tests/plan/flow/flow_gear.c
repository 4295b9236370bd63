// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A grid and a field over it, built to the end.

#include "plan/flow/flow_gear.h"

void openField(Field* field, thWorld* world, thGoalId goal, float radius, float cell, int64_t slice)
{
    field->world = world;
    const thFrame frame = frameOf(world);
    thiMemoryInit(&field->memory, NULL, 0);
    assert_ok(thiFieldGridBegin(&field->memory, &frame, 0, radius, cell, 20000000, &TH_EMPTY_BOX,
                                &field->grid));
    while (!thiIsFieldGridDone(&field->grid)) {
        int64_t count = slice;
        thiFieldGridBuild(&field->grid, &frame, 0, &count);
    }
    assert_ok(
        thiFlowFieldBegin(&field->memory, &frame, THRONG_SLOT(goal), &field->grid, &field->field));
    while (!field->field.done) {
        int64_t count = slice;
        assert_ok(thiFlowFieldMarch(&field->field, &count));
    }
}

void closeField(Field* field)
{
    thiFlowFieldFree(&field->field);
    thiFieldGridFree(&field->grid);
    assert_int_equal(field->memory.bytes, 0);
    thDestroyWorld(field->world);
}

double lengthFrom(const Field* field, double x, double y)
{
    const thFlowAim aim = thiFlowAimFrom(&field->field, pointAt(x, y), false);
    return aim.found ? aim.left / UNITS : INFINITY;
}
