// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Places of a party, and the length of its paths.

#include "party.h"

#include <math.h>
#include <stdlib.h>

bool createParty(Party* party, int32_t capacity)
{
    *party = (Party){.bodies = calloc((size_t)capacity, sizeof *party->bodies)};
    return party->bodies != NULL;
}

void freeParty(Party* party)
{
    free(party->bodies);
    *party = (Party){0};
}

void moveBody(Party* party, int32_t index, thVec2 to)
{
    thVec2* position = &party->bodies[index].position;
    party->walked += (double)hypotf(to.x - position->x, to.y - position->y);
    *position = to;
}
