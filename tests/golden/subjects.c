// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "flock.h"
#include "lanes.h"
#include "subject.h"
#include "worlds.h"

// One line each.
// clang-format off
const Subject* const subjects[] = {
    &lanesSubject,
    &flockSubject,
    &worldRandomSubject,
    &worldMixedSubject,
    &worldExtremeSubject,
    &orcaCircleSubject,
    &orcaCorridorSubject,
    &orcaEvacuationSubject,
    NULL,
};
// clang-format on
