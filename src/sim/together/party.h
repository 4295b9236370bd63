// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Parties: members of a group who are near each other along their way, and what they do as a whole.
// For together.c only.

#ifndef THRONG_SRC_SIM_PARTY_H
#define THRONG_SRC_SIM_PARTY_H

#include "sim/profiles.h"
#include "sim/together/together.h"

// What parties are made from, by one worker.
typedef struct thPartyTask {
    const thTogether* together;
    const thFrame* frame;
    const thProfile* profiles;
    thArena* scratch;
} thPartyTask;

// The parties of one group, members `begin` to `end` − 1. False when memory is out.
bool thiMakeParties(const thPartyTask* task, int32_t begin, int32_t end);

// Whether a row is a member of a party.
bool thiIsOfParty(const thTogether* together, int32_t row, int32_t party);

// How a party keeps clear of others, when there are all of them. False when memory is out.
bool thiKeepPartyClear(const thPartyTask* task, int32_t index);

#endif
