// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The power law as it reads, in double: potentials by dual numbers, and a whole step.

#ifndef THRONG_TESTS_AVOID_POWER_LAW_PLAIN_H
#define THRONG_TESTS_AVOID_POWER_LAW_PLAIN_H

#include "avoid/orca/orca_sets.h"
#include "throng/power_law.h"

typedef struct Point {
    double x, y;
} Point;

// What an agent sees, of which sets of orca have all but the parameters.
typedef struct Sight {
    thPowerLawDef def;
    OrcaSet set;
} Sight;

// A number and how it changes with two others.
typedef struct Dual {
    double value, dx, dy;
} Dual;

// The time until a moving point is within a radius of a disc at p, or of a segment, and its changes
// with the place of the other. Infinite where it never is; 0 where it is there already.
Dual plainTimeToDisc(Point p, Point w, double radius);
Dual plainTimeToSegment(Point a, Point b, Point w, double radius);

// The energy of a time to the collision, and the force on the agent, which is the gradient with the
// place of the other.
Dual plainEnergy(const thPowerLawDef* def, Dual time);

// By how much the force of a collision that comes head-on falls for each m/s that the agent comes
// nearer more slowly. [1/s]
double plainBrake(const thPowerLawDef* def, double time, double closing);

// The velocity after a step, without limits of acceleration and contacts with walls.
Point plainStep(const Sight* sight);

#endif
