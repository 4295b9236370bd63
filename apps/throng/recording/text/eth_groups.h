// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Who walks together, from the file groups.txt of the ETH and UCY data sets: on each line the ids
// of one group. A line with a single number, such as a count, is none.

#ifndef THRONG_APPS_ETH_GROUPS_H
#define THRONG_APPS_ETH_GROUPS_H

#include "recording/recording.h"

typedef struct EthMember {
    uint32_t id;
    int32_t group;
} EthMember;

typedef struct EthGroups {
    EthMember* members; // by id
    int32_t count, capacity;
} EthGroups;

// Reads the file beside a recording; without one there are no groups. What is wrong is said.
ExitCode appReadEthGroups(const char* recording, EthGroups* groups);

void appSetGroups(const EthGroups* groups, thRecordedPerson* people, int32_t count);
void appFreeEthGroups(EthGroups* groups);

#endif
