// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The option `--debug`: draws what an agent thinks.

#ifndef THRONG_APPS_DEBUG_AGENT_H
#define THRONG_APPS_DEBUG_AGENT_H

#include "draw/draw.h"

// Runs a scene to the time to show and draws what that agent thinks then. What fails is said.
ExitCode appDebugAgent(Reel* reel, const DrawDef* def, const char* text);

#endif
