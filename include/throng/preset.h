// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Presets: how fast people walk, and how large they are, by regulations, handbooks and other
/// programs. Profiles of scenes name them; hosts draw speeds of their agents from them.

#ifndef THRONG_PRESET_H
#define THRONG_PRESET_H

#include "throng/base.h"

/// How speeds of a preset are distributed.
typedef enum thPresetSpeeds {
    /// All are the same.
    th_presetFixed = 0,
    /// All between two are equally likely.
    th_presetUniform = 1,
    /// A bell curve that is cut off.
    th_presetNormal = 2,
    /// Several groups of people, each uniform.
    th_presetMixed = 3,
} thPresetSpeeds;

/// People as a source describes them. All of it lives as long as the program.
typedef struct thPreset {
    /// Name in scenes.
    const char* name;
    /// Who they are, and where the numbers are from.
    const char* about;
    /// How speeds are distributed.
    thPresetSpeeds speeds;
    /// Mean of the preferred speed. [m/s]
    float mean;
    /// Standard deviation of a bell curve, before it is cut off. [m/s; 0: it is none]
    float deviation;
    /// The least speed. [m/s]
    float min;
    /// The greatest speed. [m/s]
    float max;
    /// Radius of bodies. [m; 0: the source has none]
    float radius;
} thPreset;

/// Presets, one after the other: 1 and `*preset` for those that are there, 0 behind the last. [0
/// ..]
THRONG_API int32_t thGetPreset(int32_t index, thPreset* preset);

/// The preset of that name: 1, or 0 if there is none.
THRONG_API int32_t thFindPreset(const char* name, thPreset* preset);

/// A speed of one of these people; the stream decides which, see `thRandomStream`. The same as in
/// scenes. 0 if there is no preset of that name. [m/s]
THRONG_API float thPreset_DrawSpeed(const char* name, uint64_t stream);

#endif
