// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table of subjects.

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
    &planFlowSubject,
    &planRoadmapSubject,
    &planSteerSubject,
    &planVisibilitySubject,
    &orcaCircle2Subject,
    &orcaCircle3Subject,
    &orcaCircle10Subject,
    &orcaCircle50Subject,
    &orcaCircleSubject,
    &orcaCircle1kSubject,
    &orcaMeetingSubject,
    &orcaCrossingSubject,
    &orcaStreamsSubject,
    &orcaCorridorSubject,
    &orcaDoorwaySubject,
    &orcaEvacuationSubject,
    &rvoCircle50Subject,
    &rvoCrossingSubject,
    &rvoDoorwaySubject,
    &steerHuntSubject,
    &steerCircle50Subject,
    &steerDoorwaySubject,
    &clearpathCircle50Subject,
    &clearpathCrossingSubject,
    &clearpathDoorwaySubject,
    &clearpathShapesSubject,
    &paperCircle50Subject,
    &paperDoorwaySubject,
    NULL,
};
// clang-format on
