// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How fields of lengths are drawn.

#include "plan/field/field_sketch.h"
#include "plan/flow/flow_field.h"

typedef struct Drawn {
    const thFlowField* field;
    const thSlowField* slow;
} Drawn;

static float leftAt(const void* given, int32_t node)
{
    const thEikonal* lengths = &((const Drawn*)given)->field->lengths;
    return thiIsSettled(lengths, node) ? lengths->left[node] : INFINITY;
}

static bool begin(const void* given, thPoint p, double* left)
{
    const thFlowAim aim = thiFlowAimFrom(((const Drawn*)given)->field, p, false);
    *left = aim.left;
    return aim.found;
}

// At a corner the aim may be the corner itself; then it is what comes after.
static thPoint follow(const void* given, thPoint p)
{
    const Drawn* drawn = given;
    thFlowAim aim = thiFlowAimAmong(drawn->field, drawn->slow, p, false);
    bool goesOn = aim.found;
    while (goesOn && thiSamePoint(aim.to, p))
        goesOn = thiFlowNext(drawn->field, &aim.next, &aim.to);
    return goesOn ? aim.to : p;
}

thResult thiSketchFlowField(const thFlowField* field, const thSlowField* slow, thSketch* to)
{
    const Drawn drawn = {field, slow};
    const thFieldLines lines = {.nodes = &field->grid->nodes,
                                .space = field->grid->space,
                                .field = &drawn,
                                .leftAt = leftAt,
                                .begin = begin,
                                .follow = follow};
    thiSketchContours(&lines, to);
    return thiSketchStreams(&lines, field->grid->memory, to);
}
