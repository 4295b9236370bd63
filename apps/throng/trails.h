// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where agents were in the last seconds, and where they were first seen.

#ifndef THRONG_APPS_TRAILS_H
#define THRONG_APPS_TRAILS_H

#include <stdbool.h>
#include <throng/world.h>

typedef struct Trails Trails;

// Keeps the last `seconds`; NULL when memory is out.
Trails* appCreateTrails(double seconds);
void appFreeTrails(Trails* trails);

// Takes note of everybody; call it before the first step and after each. False when memory is out.
bool appNoteTrails(Trails* trails, const thWorld* world, double time);

// The trail of the agent in a slot of the view, oldest point first. At most `capacity` points;
// returns how many.
int32_t appGetTrail(const Trails* trails, int32_t slot, thVec2* points, int32_t capacity);

// Where the agent in a slot was first seen.
thVec2 appGetStart(const Trails* trails, int32_t slot);

enum { appTrailPoints = 64 };

#endif
