// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How crowded a floor is: agents counted in square blocks, and what a straight line through them
// costs more for it. Everything follows from the counts.

#ifndef THRONG_SRC_PLAN_CROWD_MAP_H
#define THRONG_SRC_PLAN_CROWD_MAP_H

#include "base/memory.h"
#include "geom/segment.h"
#include "throng/method.h"

typedef struct thCrowdMap {
    thMemory* memory;
    int32_t level;
    int32_t lowX, lowY; // corner of the first block [units]
    int32_t side;       // of a block [units]
    int32_t columns, rows;
    double weight;   // what a unit of leg costs more for each agent in the block
    int32_t* counts; // of each block, by rows; NULL: nobody is there
    int64_t* sums;   // of all blocks below and left of a corner: (columns + 1) × (rows + 1)
    int32_t own;     // 1 + the block of the agent that looks at it, which is no crowd; 0: none
} thCrowdMap;

// Counts the agents of a floor. `crowding`: what a metre costs more for each agent in a square
// metre. [m²]. th_resultNoMemory leaves a map without agents.
thResult thiCountCrowd(thMemory* memory, const thFrame* frame, int32_t level, float crowding,
                       thCrowdMap* map);

// Makes blocks without agents: counts are to be filled in, then summed up. th_resultDamaged for
// sizes that no map has.
thResult thiCrowdMapBegin(thCrowdMap* map, float crowding, int64_t side, int64_t columns,
                          int64_t rows);
void thiCrowdMapSum(thCrowdMap* map);
void thiCrowdMapFree(thCrowdMap* map);

// The map as an agent at a place sees it: without itself. It borrows all from the other map.
thCrowdMap thiCrowdWithout(const thCrowdMap* map, thPoint place);

static inline int32_t thiCrowdBlocks(const thCrowdMap* map)
{
    return map->columns * map->rows;
}

// What the crowd adds to the cost of the straight line from a to b. NULL: there is no crowd.
// [units]
double thiCrowdAlong(const thCrowdMap* map, double ax, double ay, double bx, double by);

#endif
