// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Avoidance method `clearpath`: the exact optimum over velocity obstacles (Guy, Chhugani, Kim,
/// Satish, Lin, Manocha, Dubey 2009). Each neighbour forbids a truncated cone of velocities, each
/// wall a region like it; the velocity nearest to the wanted one outside of all of them, within the
/// limits of speed and acceleration, is found on their borders.

#ifndef THRONG_CLEARPATH_H
#define THRONG_CLEARPATH_H

#include "throng/avoid.h"

/// What a neighbour forbids.
typedef enum thClearpathMode {
    /// A truncated cone: three half-planes in common. The largest choice.
    th_clearpathTwo = 0,
    /// Besides, to pass on the other side than the present velocities lead to. The horizon is
    /// halved until something is allowed.
    th_clearpathOne = 1,
    /// All but one half-plane, which both agents choose alike: two who both obey do not collide
    /// within the horizon.
    th_clearpathHalf = 2,
} thClearpathMode;

/// How the nearest velocity is found. Both find the same one, up to rounding.
typedef enum thClearpathSolver {
    /// Each piece of a border is cut by the other regions, the nearest piece first.
    th_clearpathInterval = 0,
    /// As in the paper: where borders cross, sorted, and which pieces between these are outside.
    th_clearpathPaper = 1,
} thClearpathSolver;

/// Where cones are truncated.
typedef enum thClearpathCap {
    /// By a line, which forbids a little more than what leads to a collision.
    th_clearpathLine = 0,
    /// By an arc: exactly what leads to a collision within the horizon. Where one of both is a
    /// polygon, by a line all the same.
    th_clearpathRound = 1,
} thClearpathCap;

/// What is done when no velocity is allowed.
typedef enum thClearpathChain {
    /// The horizon is halved down to the step; then the worst violation is made as small as it can
    /// be, and walls stay hard.
    th_clearpathRecommended = 0,
    /// As in the paper: limits of speed and acceleration are looked at afterwards, the furthest
    /// neighbour is left out until they hold, and who overlaps others wants to stand.
    th_clearpathDrop = 1,
} thClearpathChain;

/// What a neighbour forbids that the agent overlaps.
typedef enum thClearpathOverlap {
    /// `th_clearpathCenters`, with the chain of the paper `th_clearpathNearest`.
    th_clearpathAuto = 0,
    /// All that does not part along the line of centres, as fast as the agent can.
    th_clearpathCenters = 1,
    /// A half-plane: all that is not beyond the nearest velocity that parts both within a step.
    th_clearpathNearest = 2,
    /// A wedge round what can be reached and does not part both within a step.
    th_clearpathWedge = 3,
} thClearpathOverlap;

/// Parameters of method `clearpath`; the params of a profile's `avoid`.
typedef struct thClearpathDef {
    /// Size of this struct. [bytes, set by thDefaultClearpathDef]
    uint32_t size;
    /// A `thClearpathMode`. [default th_clearpathTwo]
    int32_t mode;
    /// Look-ahead for other agents. [s, 0.01 .. 100, default 2]
    float horizon;
    /// Look-ahead for walls and moving obstacles. [s, 0.01 .. 100, default 0.5]
    float wallHorizon;
    /// A `thClearpathSolver`. [default th_clearpathInterval]
    int32_t solver;
    /// A `thClearpathCap`; not round together with the solver of the paper, or hybrid obstacles.
    /// Changes nothing in mode h, which has no caps. [default th_clearpathLine]
    int32_t cap;
    /// A `thClearpathChain`. [default th_clearpathRecommended]
    int32_t chain;
    /// A `thClearpathOverlap`. [default th_clearpathAuto]
    int32_t overlap;
    /// Whether velocity obstacles are hybrid: who passes on the wrong side gives way alone, which
    /// keeps pairs from dancing. Changes nothing in mode h. [0 or 1, default 0]
    int32_t hybrid;
    /// How much of the present velocity is in the wanted one: less swaying, slower turns.
    /// [0 .. 0.95, default 0]
    float smoothing;
    /// A `thKeep` (`throng/world.h`): the side on which to pass where both are equally good, as to
    /// two who meet head-on. Who is free goes as it wants to all the same. [default th_keepNone]
    int32_t keep;
} thClearpathDef;

/// Parameters with every field at its default.
THRONG_API thClearpathDef thDefaultClearpathDef(void);

/// What `clearpath` says about an agent: the `status` of a batch and of `thClearpath_Solve`.
typedef enum thClearpathStatus {
    /// The wanted velocity was free.
    th_clearpathFree = 0,
    /// Another velocity was, and was taken.
    th_clearpathConstrained = 1,
    /// None was, but within a shorter horizon, with fewer neighbours, or violating some as little
    /// as can be.
    th_clearpathRelaxed = 2,
    /// Walls and limits alone forbid every velocity; it brakes.
    th_clearpathInfeasible = 3,
    /// The agent overlaps others by more than a hundredth of both radii, and leaves them.
    th_clearpathOverlapping = 4,
    /// Only a horizon shorter than the step allowed anything; in mode 1. Worlds divide such steps.
    th_clearpathShort = 5,
} thClearpathStatus;

/// The velocity for the coming step of `dt` seconds, without a world: the same as the method gives,
/// to the bit. Numbers that are not finite, or larger than a million, are refused,
/// and so are steps below THRONG_LEAST_STEP; whatever is accepted gives a finite velocity. None of
/// `def`, `self`, `velocity` and `status` may be NULL; `neighbors` and `walls` may where there are
/// none.
THRONG_API thResult thClearpath_Solve(const thClearpathDef* def, float dt, const thAvoidSelf* self,
                                      const thAvoidNeighbor* neighbors, int32_t neighborCount,
                                      const thAvoidWall* walls, int32_t wallCount, thVec2* velocity,
                                      thClearpathStatus* status);

#endif
