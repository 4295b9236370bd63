// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The crowd of a floor as a continuum: density, flow and discomfort at the nodes of a grid, which
// are the centres of its cells. Agents are added up in whole numbers, so their order does not
// count.

#ifndef THRONG_SRC_PLAN_CROWD_CELLS_H
#define THRONG_SRC_PLAN_CROWD_CELLS_H

#include "plan/field/field_grid.h"
#include "throng/continuum.h"

typedef struct thCrowdCells {
    thMemory* memory;
    int32_t count;           // of nodes; 0: there is nothing
    int64_t* sums;           // four of each node, while agents are added
    float* density;          // [1/m²]
    float *flowX, *flowY;    // density times mean velocity [1/m/s]
    float* discomfort;       // where movers will be 1; where people will be, more or less than that
    const thNodeGrid* nodes; // must outlive it
    const thContinuumDef* def;
} thCrowdCells;

// Cells without anybody. th_resultNoMemory leaves nothing to free.
thResult thiCrowdCellsCreate(thMemory* memory, const thNodeGrid* nodes, const thContinuumDef* def,
                             thCrowdCells* cells);
void thiCrowdCellsFree(thCrowdCells* cells);

// Fills them with the agents and movers of a floor.
void thiCrowdCellsFill(thCrowdCells* cells, const thFrame* frame, int32_t level);

// The four nodes round an agent, and what it adds to each of them: at least 2^−exponent to the
// nearest, and at most that to all others.
typedef struct thSplat {
    int32_t node; // to the lower left; then come the next, the one above, and the one beside that
    float share[4];
} thSplat;

// False outside of the grid.
bool thiSplat(const thNodeGrid* nodes, float exponent, thPoint p, thSplat* splat);

// What an agent adds to all nodes together, on average over all places.
float thiSplatSum(float exponent);

// The density up to which people are free: `freeDensity`, or what one agent makes in a cell beside
// it. [1/m²]
float thiFreeDensity(const thContinuumDef* def);

// What the crowd is like at a place.
typedef struct thCrowdAt {
    float density;   // [1/m²]
    thVec2 velocity; // its mean [m/s]
} thCrowdAt;

// Between nodes it is interpolated; a place in units, within the grid or at its border.
thCrowdAt thiCrowdAt(const thCrowdCells* cells, double x, double y);

static inline thCrowdAt thiCrowdAtNode(const thCrowdCells* cells, int32_t node)
{
    const float density = cells->density[node];
    const float share = density > 0.0f ? 1.0f / density : 0.0f;
    return (thCrowdAt){density, {cells->flowX[node] * share, cells->flowY[node] * share}};
}

// How much of what people do is the crowd's doing: 0 where they are free, 1 where they only go
// along with it.
static inline float thiCrowdShare(const thContinuumDef* def, float free, float density)
{
    if (density <= free)
        return 0.0f;
    return density >= def->fullDensity ? 1.0f : (density - free) / (def->fullDensity - free);
}

// The speed f in direction n towards where the crowd is like that, of those who walk at `speed`
// without one.
static inline float thiSpeedInto(const thContinuumDef* def, float free, const thCrowdAt* crowd,
                                 thVec2 n, float speed)
{
    const float share = thiCrowdShare(def, free, crowd->density);
    const float along = crowd->velocity.x * n.x + crowd->velocity.y * n.y;
    const float flow = TH_MIN(TH_MAX(along, 0.0f), speed);
    return TH_MAX(speed + share * (flow - speed), TH_MIN(def->leastSpeed, speed));
}

#endif
