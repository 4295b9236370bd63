// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A picture of what one agent thinks: the place around it, and the plane of velocities.

#ifndef THRONG_APPS_DEBUG_PICTURE_H
#define THRONG_APPS_DEBUG_PICTURE_H

#include "draw/draw.h"

#include <stdbool.h>
#include <throng/explain.h>
#include <throng/record.h>

typedef struct DebugPicture {
    const char* path;  // the suffix chooses: .png, .svg, .pdf
    int32_t width;     // [pixels or points]
    const char* title; // what is shown
    double time;       // [s]
    thPlace place;     // where the agent is, in the coordinates of the scene's file [m]
} DebugPicture;

// Draws what the explanation says of an agent of the world. False, after a message, when it fails.
bool appDrawDebugged(const thWorld* world, const thExplanation* explanation,
                     const DebugPicture* picture);

// Runs a scene to the time to show and draws what that agent thinks then. What fails is said.
ExitCode appDebugAgent(Reel* reel, const DrawDef* def, const char* text);

#endif
