// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The option `--plan-of`: a map of what an agent plans with.

#ifndef THRONG_APPS_PLAN_PICTURE_H
#define THRONG_APPS_PLAN_PICTURE_H

#include "draw/draw.h"

// Runs a scene to the time to show and draws what that agent plans with then. What fails is said.
ExitCode appDrawPlan(Reel* reel, const DrawDef* def, const char* text);

#endif
