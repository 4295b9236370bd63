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

// A crowd that finds its way among blocks by a planner.
extern const Subject planFlowSubject;
extern const Subject planRoadmapSubject;
extern const Subject planSteerSubject;
extern const Subject planVisibilitySubject;

// Polygons.
extern const Subject clearpathShapesSubject;

// Flocks that are hunted.
extern const Subject steerHuntSubject;

// Scenes of tests/crowds with orca, rvo, clearpath or steer, and contacts.
extern const Subject orcaCircle2Subject;
extern const Subject orcaCircle3Subject;
extern const Subject orcaCircle10Subject;
extern const Subject orcaCircle50Subject;
extern const Subject orcaCircleSubject;
extern const Subject orcaCircle1kSubject;
extern const Subject orcaMeetingSubject;
extern const Subject orcaCrossingSubject;
extern const Subject orcaStreamsSubject;
extern const Subject orcaCorridorSubject;
extern const Subject orcaDoorwaySubject;
extern const Subject orcaEvacuationSubject;
extern const Subject rvoCircle50Subject;
extern const Subject rvoCrossingSubject;
extern const Subject rvoDoorwaySubject;
extern const Subject steerCircle50Subject;
extern const Subject steerDoorwaySubject;
extern const Subject clearpathCircle50Subject;
extern const Subject clearpathCrossingSubject;
extern const Subject clearpathDoorwaySubject;
extern const Subject paperCircle50Subject;
extern const Subject paperDoorwaySubject;

#endif
