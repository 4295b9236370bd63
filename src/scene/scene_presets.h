// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Presets as scenes know them: a distribution of speeds, and sometimes a radius.

#ifndef THRONG_SRC_SCENE_SCENE_PRESETS_H
#define THRONG_SRC_SCENE_SCENE_PRESETS_H

#include "scene/scene_model.h"

#define TH_PRESET_COUNT 24

struct thScenePreset {
    const char* name;
    thDraw speed;
    double radius; // [m; 0: that of profiles]
    const char* about;
};

// NULL behind the last.
const thScenePreset* thiScenePresetAt(int32_t index);

#endif
