// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The floors of a scene.

#include "scene/scene_model.h"

// One bit for each floor that there can be.
typedef struct Levels {
    uint32_t bits[65536 / 32];
} Levels;

static void addLevel(Levels* levels, int32_t level)
{
    levels->bits[level / 32] |= UINT32_C(1) << (level % 32);
}

int32_t thScene_GetLevels(const thScene* scene, int32_t* levels, int32_t capacity)
{
    TH_REQUIRE(scene != NULL && (levels != NULL || capacity == 0), 0);
    Levels used = {{0}};
    for (int32_t i = 0; i < scene->wallCount; ++i)
        addLevel(&used, scene->walls[i].level);
    for (int32_t i = 0; i < scene->doorCount; ++i)
        addLevel(&used, scene->doors[i].level);
    for (int32_t i = 0; i < scene->moverCount; ++i)
        addLevel(&used, scene->movers[i].level);
    for (int32_t i = 0; i < scene->agentsCount; ++i)
        addLevel(&used, scene->agents[i].level);
    if (scene->wallCount + scene->doorCount + scene->moverCount + scene->agentsCount == 0)
        addLevel(&used, 0);
    int32_t count = 0;
    for (int32_t level = 0; level < 65536; ++level) {
        if ((used.bits[level / 32] >> (level % 32) & 1) == 0)
            continue;
        if (count < capacity)
            levels[count] = level;
        count += 1;
    }
    return count;
}
