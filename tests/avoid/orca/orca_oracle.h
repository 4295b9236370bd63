// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What `orca` should do, in double and by brute force. The half-planes come from the definition of
// the method, the best velocity from trying every vertex.
//
// Float arithmetic moves a line a little, and where two lines are nearly parallel that moves their
// crossing a lot. So answers are not compared point by point. Each line has a bound of how far it
// may have moved, and an answer is right if it obeys all lines moved outwards by that, and is no
// worse than the best answer with all lines moved inwards. That has no bad condition.

#ifndef THRONG_TESTS_AVOID_ORCA_ORACLE_H
#define THRONG_TESTS_AVOID_ORCA_ORACLE_H

#include "avoid/orca/orca_sets.h"

#include <stdbool.h>

typedef struct DVec {
    double x, y;
} DVec;

// n · v >= o; `slack` is how far float arithmetic may have moved it, within the speeds at hand.
typedef struct Line {
    DVec n;
    double o, slack;
} Line;

// What one neighbour or wall gives: more than one line where a case distinction is within rounding.
typedef struct Choice {
    Line lines[5];
    int32_t count;
    bool undefined; // the method says nothing: half-planes of those on one point, or on a wall
} Choice;

Choice agentChoice(const OrcaSet* set, const thAvoidNeighbor* neighbor);
Choice wallChoice(const OrcaSet* set, const thAvoidWall* wall);

// The wanted velocity, turned.
DVec turnedWanted(const OrcaSet* set);

// The point of the disc that obeys all lines, shifted inwards by `shift` slacks, and is nearest to
// `wanted`. False if there is none.
bool nearestAllowed(const Line* lines, int32_t count, double shift, double maxSpeed, DVec wanted,
                    DVec* best);

// The smallest of the largest violations of `soft` lines, where hard ones, shifted inwards by
// `shift` slacks, hold. False if these leave nothing.
bool leastViolation(const Line* hard, int32_t hardCount, const Line* soft, int32_t softCount,
                    double shift, double maxSpeed, double* violation);

typedef enum Verdict {
    verdict_right,
    verdict_borderline, // right, but so is another status
    verdict_open,       // the oracle cannot tell
    verdict_wrong,
} Verdict;

// Judges an answer for a set without a limit of acceleration; `reason` says what is wrong.
Verdict judge(const OrcaSet* set, thVec2 velocity, thOrcaStatus status, const char** reason);

// Time until two discs touch, or infinity. [s]
double timeToCollision(DVec p, DVec w, double reach);

static inline double dotOf(DVec a, DVec b)
{
    return a.x * b.x + a.y * b.y;
}

static inline double detOf(DVec a, DVec b)
{
    return a.x * b.y - a.y * b.x;
}

static inline DVec asDouble(thVec2 v)
{
    return (DVec){(double)v.x, (double)v.y};
}

#endif
