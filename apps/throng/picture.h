// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A picture of a world as it is now: walls, goals, agents with heading, trails, a scale bar.

#ifndef THRONG_APPS_PICTURE_H
#define THRONG_APPS_PICTURE_H

#include "trails.h"

#include <stdbool.h>
#include <stddef.h>
#include <throng/world.h>

typedef struct PictureDef {
    const char* path;  // the suffix chooses: .png, .svg, .pdf
    int32_t width;     // [pixels or points]
    int32_t level;     // the floor to show
    const char* title; // what is shown
    double time;       // [s]
} PictureDef;

// Whether the suffix is one of those.
bool appIsPictureName(const char* path);

// False, with a reason, when it cannot be drawn or written. `trails` may be NULL.
bool appDrawPicture(const thWorld* world, const Trails* trails, const PictureDef* def, char* reason,
                    size_t reasonSize);

#endif
