// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Hashes of walls and goals, and who is at its goal.

#include "plan/field/field_world.h"

#include "base/hash.h"

// An agent that has arrived needs no field as long as it is this near to its goal. [m]
#define AT_GOAL_WITHIN 0.5f

uint64_t thiHashWalls(const thWalls* walls, int32_t level)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < walls->count; ++i) {
        if (walls->level[i] != level)
            continue;
        hash = thiHashWord(hash, (uint64_t)(uint32_t)walls->ax[i] << 32 | (uint32_t)walls->ay[i]);
        hash = thiHashWord(hash, (uint64_t)(uint32_t)walls->bx[i] << 32 | (uint32_t)walls->by[i]);
        hash = thiHashWord(hash, walls->oneSided[i]);
    }
    return hash;
}

static uint64_t hashShape(uint64_t hash, const thFrame* frame, const thGoalShape* shape)
{
    hash = thiHashWord(hash, (uint64_t)shape->kind << 32 | thiFloatBits(shape->radius));
    for (int32_t i = 0; i < shape->count; ++i) {
        int32_t x = 0, y = 0;
        thFrame_GetShapePoint(frame, shape, i, &x, &y);
        hash = thiHashWord(hash, (uint64_t)(uint32_t)x << 32 | (uint32_t)y);
    }
    return hash;
}

thResult thiHashGoal(thMemory* memory, const thFrame* frame, int32_t goal, uint64_t* hash)
{
    const int32_t count = thFrame_GetGoalShapes(frame, goal, NULL, 0);
    const size_t size = (size_t)count * sizeof(thGoalShape);
    thGoalShape* shapes = thiAllocate(memory, size);
    if (count > 0 && shapes == NULL)
        return th_resultNoMemory;
    (void)thFrame_GetGoalShapes(frame, goal, shapes, count);
    *hash = (uint64_t)count;
    for (int32_t i = 0; i < count; ++i)
        *hash = hashShape(*hash, frame, &shapes[i]);
    thiRelease(memory, shapes, size);
    return th_resultOk;
}

bool thiIsAtFieldGoal(const thFrame* frame, int32_t row)
{
    thVec2 point;
    return (frame->flags[row] & th_agentArrived) != 0 &&
           thFrame_NearestGoalPoint(frame, row, &point) &&
           point.x * point.x + point.y * point.y <= AT_GOAL_WITHIN * AT_GOAL_WITHIN;
}
