// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Potentials and the crowd they are made from, as lines and cells.

#include "plan/continuum/continuum_sketch.h"

#include "geom/fixed.h"
#include "plan/field/field_sketch.h"

#include <math.h>

typedef struct Drawn {
    const thContinuumPlan* plan;
    const thFrame* frame;
    float scale; // from costs to metres of a path without anybody
} Drawn;

static float leftAt(const void* given, int32_t node)
{
    const Drawn* drawn = given;
    const thPotential* potential = &drawn->plan->potential;
    return thiIsKnown(potential, node) ? potential->cost[node] * drawn->scale : INFINITY;
}

static bool begin(const void* given, thPoint p, double* left)
{
    const Drawn* drawn = given;
    const thContinuumAim aim = thiContinuumAimFrom(drawn->plan, drawn->frame, p);
    *left = (double)aim.left * THRONG_UNITS_PER_METRE;
    return aim.found;
}

static thPoint follow(const void* given, thPoint p)
{
    const Drawn* drawn = given;
    (void)thiContinuumFollow(drawn->plan, drawn->frame, &p);
    return p;
}

// Cells with people, as squares about their nodes.
static void sketchCrowd(const thCrowdCells* cells, thSketch* to)
{
    const thNodeGrid* nodes = cells->nodes;
    const int32_t half = nodes->side / 2;
    for (int32_t node = 0; node < cells->count; ++node) {
        if (!(cells->density[node] > 0.0f))
            continue;
        const thPoint p = thiNodePlace(nodes, node);
        const thSketchPoint corners[2] = {{p.x - half, p.y - half}, {p.x + half, p.y + half}};
        thSketch_Add(to, th_sketchDensity, cells->density[node], corners, 2);
    }
}

// Where the crowd of a cell gets to within a second.
static void sketchFlow(const thCrowdCells* cells, thSketch* to)
{
    const float units = THRONG_UNITS_PER_METRE;
    for (int32_t node = 0; node < cells->count; ++node) {
        const thCrowdAt crowd = thiCrowdAtNode(cells, node);
        const float x = crowd.velocity.x, y = crowd.velocity.y, speed = sqrtf(x * x + y * y);
        if (!(speed > 0.01f && speed < 100.0f))
            continue;
        const thPoint p = thiNodePlace(cells->nodes, node);
        const thSketchPoint ends[2] = {
            {p.x, p.y}, {p.x + (int32_t)lrintf(x * units), p.y + (int32_t)lrintf(y * units)}};
        thSketch_Add(to, th_sketchFlow, speed, ends, 2);
    }
}

thResult thiSketchContinuum(const thContinuumPlans* plans, const thContinuumPlan* plan,
                            const thFrame* frame, thSketch* to)
{
    const Drawn drawn = {plan, frame, 1.0f / thiLeastCost(&plans->def)};
    const thFieldLines lines = {.nodes = plan->potential.nodes,
                                .space = plan->floor->grid.space,
                                .field = &drawn,
                                .leftAt = leftAt,
                                .begin = begin,
                                .follow = follow};
    sketchCrowd(&plan->floor->cells, to);
    thiSketchContours(&lines, to);
    sketchFlow(&plan->floor->cells, to);
    return thiSketchStreams(&lines, plan->potential.memory, to);
}
