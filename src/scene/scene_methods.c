// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "scene/scene_model.h"

const char* thScene_GetMethod(const thScene* scene, int32_t profile, thMethodKind kind)
{
    if (profile < 0 || profile >= scene->profileCount || kind < 0 || kind >= th_methodKindCount)
        return NULL;
    return scene->profiles[profile].methods[kind].name;
}

int32_t thScene_IsProfileUsed(const thScene* scene, int32_t profile)
{
    TH_REQUIRE(scene != NULL, 0);
    for (int32_t i = 0; i < scene->agentsCount; ++i)
        if (scene->agents[i].profile == profile)
            return 1;
    return 0;
}
