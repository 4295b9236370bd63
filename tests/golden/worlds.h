// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Worlds as subjects.

#ifndef THRONG_TESTS_GOLDEN_WORLDS_H
#define THRONG_TESTS_GOLDEN_WORLDS_H

#include "subject.h"

// A crowd at one agent a square metre with goals of their own, all seeing their neighbours.
extern const Subject worldRandomSubject;

// Everything at once: floors, layers, sizes, walls, movers, lists of goals, those who leave, those
// the host moves, limited sight, several profiles, changes between steps.
extern const Subject worldMixedSubject;

// A few agents spread over 60 km, and thousands on a square metre.
extern const Subject worldExtremeSubject;

// Scenes of tests/scenes with orca and contacts.
extern const Subject orcaCircleSubject;
extern const Subject orcaCorridorSubject;
extern const Subject orcaEvacuationSubject;

#endif
