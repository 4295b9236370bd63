// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "scene/scene_model.h"

const char* thScene_GetMethod(const thScene* scene, int32_t profile, thMethodKind kind)
{
    if (profile < 0 || profile >= scene->profileCount || kind < 0 || kind >= th_methodKindCount)
        return NULL;
    return scene->profiles[profile].methods[kind].name;
}
