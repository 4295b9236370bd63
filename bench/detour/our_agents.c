// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How far the agents of a world have come, from its view after each step.

#include "our_agents.h"

#include <stdlib.h>

bool createOurAgents(OurAgents* ours, const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    Party* party = &ours->party;
    ours->ids = calloc((size_t)view.agentCount, sizeof *ours->ids);
    if (!createParty(party, view.agentCount) || ours->ids == NULL)
        return false;
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thAgentRow* row = &view.rows[slot];
        if ((row->flags & th_agentAlive) == 0)
            continue;
        const thAgentId id = thWorld_FindAgent(world, row->key);
        ours->ids[party->count] = id;
        party->bodies[party->count++] = (Body){row->position, thAgent_GetInfo(world, id).radius};
    }
    return true;
}

void freeOurAgents(OurAgents* ours)
{
    freeParty(&ours->party);
    free(ours->ids);
    *ours = (OurAgents){0};
}

void followOurAgents(OurAgents* ours, const thWorld* world)
{
    Party* party = &ours->party;
    party->walked = 0.0;
    for (int32_t i = party->count - 1; i >= 0; --i) {
        if (thAgent_IsValid(world, ours->ids[i])) {
            moveBody(party, i, thAgent_Get(world, ours->ids[i]).position);
        } else {
            const int32_t last = --party->count;
            ours->ids[i] = ours->ids[last];
            party->bodies[i] = party->bodies[last];
        }
    }
}
