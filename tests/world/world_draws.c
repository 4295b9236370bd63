// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What random operations share: picks and draws.

#include "world/world_operations.h"

bool oneIn(thGenerator* g, uint32_t n)
{
    return drawU32(g) % n == 0;
}

int32_t pickAgent(Play* play)
{
    const int32_t start = drawInt(play->g, 0, MODEL_AGENTS - 1);
    // Every other time one that is amid a list of goals: they are few, and much may go wrong.
    const bool amid = oneIn(play->g, 2);
    int32_t any = -1;
    for (int32_t i = 0; i < MODEL_AGENTS; ++i) {
        const int32_t at = (start + i) % MODEL_AGENTS;
        if (play->model.agents[at].key == 0)
            continue;
        if (!amid || play->model.agents[at].goalIndex > 0)
            return at;
        any = at;
    }
    return any;
}

int32_t pickGoal(Play* play)
{
    const int32_t start = drawInt(play->g, 0, MODEL_GOALS - 1);
    for (int32_t i = 0; i < MODEL_GOALS; ++i)
        if (play->model.goals[(start + i) % MODEL_GOALS].id.value != 0)
            return (start + i) % MODEL_GOALS;
    return -1;
}

int32_t pickProfile(Play* play)
{
    const int32_t start = drawInt(play->g, 0, MODEL_PROFILES - 1);
    for (int32_t i = 0; i < MODEL_PROFILES; ++i)
        if (play->model.profiles[(start + i) % MODEL_PROFILES].id.value != 0)
            return (start + i) % MODEL_PROFILES;
    return -1;
}

int32_t pickObstacle(Play* play)
{
    const int32_t start = drawInt(play->g, 0, MODEL_OBSTACLES - 1);
    for (int32_t i = 0; i < MODEL_OBSTACLES; ++i)
        if (play->model.obstacles[(start + i) % MODEL_OBSTACLES].id.value != 0)
            return (start + i) % MODEL_OBSTACLES;
    return -1;
}

uint64_t drawStaleId(Play* play, int32_t kind)
{
    const uint32_t count = play->model.staleCount[kind];
    switch (drawU32(play->g) % 4) {
    case 0:
        return (UINT64_C(0xfffffff0) << 32) + drawU32(play->g) % 400;
    case 1:
        return drawU64(play->g) | UINT64_C(0x80000000); // a slot that is far out
    default:
        return count > 0 ? play->model.stale[kind][drawU32(play->g) %
                                                   (count < MODEL_STALE ? count : MODEL_STALE)]
                         : UINT64_C(0x7000000000000001);
    }
}

// Mostly a small place, so that agents meet; often on a lattice, so that they tie.
thVec2 drawPosition(thGenerator* g)
{
    switch (drawU32(g) % 16) {
    case 0:
        return (thVec2){drawFloat(g, -9000.0f, 9000.0f), drawFloat(g, -9000.0f, 9000.0f)};
    case 1:
    case 2:
        return (thVec2){1.5f, -0.25f};
    case 3:
    case 4:
    case 5:
    case 6:
        return (thVec2){0.5f * (float)drawInt(g, -20, 20), 0.5f * (float)drawInt(g, -20, 20)};
    default:
        return (thVec2){drawFloat(g, -15.0f, 15.0f), drawFloat(g, -15.0f, 15.0f)};
    }
}

thVec2 drawVelocity(thGenerator* g, float most)
{
    if (oneIn(g, 4))
        return (thVec2){0.0f, 0.0f};
    return (thVec2){drawFloat(g, -most, most), drawFloat(g, -most, most)};
}

int32_t drawLevel(thGenerator* g)
{
    static const int32_t levels[] = {0, 0, 0, 0, 0, 0, 1, 3};
    return oneIn(g, 64) ? 65535 : levels[drawU32(g) % 8];
}

float quarters(thGenerator* g, int32_t low, int32_t high)
{
    return 0.25f * (float)drawInt(g, low, high);
}
