// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where the agents of one engine are, and how far they walk.

#ifndef THRONG_BENCH_PARTY_H
#define THRONG_BENCH_PARTY_H

#include "overlaps.h"

#include <stdbool.h>

typedef struct Party {
    Body* bodies;
    int32_t count;
    double walked; // sum over all in the last step [m]
} Party;

// Room for that many; nobody is there yet. False when memory is out.
bool createParty(Party* party, int32_t capacity);
void freeParty(Party* party);

void moveBody(Party* party, int32_t index, thVec2 to);

#endif
