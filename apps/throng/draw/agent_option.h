// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Options that name one agent of a scene at one time, such as `--debug` and `--plan-of`.

#ifndef THRONG_APPS_AGENT_OPTION_H
#define THRONG_APPS_AGENT_OPTION_H

#include "draw/draw.h"

#include <throng/world.h>

typedef struct AgentOption {
    const char* option; // its name
    const char* text;   // its value
    const char* what;   // that it asks of agents: "think"
    int64_t leastSteps; // that must have been taken
} AgentOption;

// Whether a text names an agent: a key such as "12", or a place such as "3.5,-2". Says what is
// wrong if it does not.
bool appIsAgentText(const char* option, const char* text);

// Runs a scene to the time to show and finds the agent; for a place, the one nearest to it on the
// floor. What fails is said.
ExitCode appFindAgent(Reel* reel, const DrawDef* def, const AgentOption* asked, thAgentId* agent);

// An agent is drawn on its own floor. Where that is not the one that was asked for: which it is, to
// follow its place; otherwise nothing.
typedef struct FloorText {
    char text[32];
} FloorText;
const char* appOtherFloor(const DrawDef* def, int32_t level, FloorText* text);

#endif
