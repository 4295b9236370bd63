// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The option `--debug`: finds the agent that is meant and draws what it thinks.

#ifndef THRONG_APPS_DEBUG_AGENT_H
#define THRONG_APPS_DEBUG_AGENT_H

#include "draw.h"

// Whether a text names an agent: a key such as "12", or a place such as "3.5,-2". Says what is
// wrong if it does not.
bool appIsDebugged(const char* text);

// Runs a scene to the time to show and draws what that agent thinks then; for a place, the one
// nearest to it on the floor. What fails is said.
ExitCode appDebugAgent(Reel* reel, const DrawDef* def, const char* text);

#endif
