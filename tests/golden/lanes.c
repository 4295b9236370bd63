// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Every lane primitive as a subject, so that builds and machines without a test framework are
// compared primitive by primitive: a step is a primitive, a row is a set of operands.

#include "lanes.h"

#include "simd/lane_ops.h"

#include <stdlib.h>

typedef struct Lanes {
    SubjectOptions options;
    LaneOp op;
    uint64_t keys[LANE_OPERANDS];
    int32_t a[LANE_OPERANDS], b[LANE_OPERANDS], c[LANE_OPERANDS], out[LANE_OPERANDS];
} Lanes;

static void* create(const SubjectOptions* options)
{
    Lanes* lanes = calloc(1, sizeof *lanes);
    if (lanes == NULL)
        return NULL;
    lanes->options = *options;
    for (int32_t i = 0; i < LANE_OPERANDS; ++i)
        lanes->keys[i] = (uint64_t)i;
    return lanes;
}

static void step(void* self, const thTrace* trace)
{
    Lanes* lanes = self;
    fillLaneOperands(lanes->op, lanes->a, lanes->b, lanes->c);
    laneKernels[lanes->options.simd](lanes->op, lanes->a, lanes->b, lanes->c, lanes->out,
                                     LANE_OPERANDS);
    for (int32_t i = 0; i < LANE_OPERANDS; ++i)
        lanes->out[i] = sameNan(lanes->op, lanes->out[i]);
    const thColumn columns[] = {{"a", lanes->a, 4}, {"b", lanes->b, 4}, {"result", lanes->out, 4}};
    const thStageRows rows = {
        (uint64_t)lanes->op, laneOpName(lanes->op), lanes->keys, LANE_OPERANDS, columns, 3};
    trace->stage(trace->context, &rows);
    lanes->op += 1;
}

const Subject lanesSubject = {"lanes", op_count, create, step, free};
