// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Why an agent does what it is about to do: whom it sees, what it wants, what its methods make of
/// that, and what velocity comes of it.
///
/// The coming step is rehearsed on a copy of the world, as a snapshot makes one, up to the chosen
/// velocity of the one agent. So nothing of the world changes, and its methods' memory and what
/// they prepare stay as they are; the copy takes as much memory as the world, from the same
/// allocator, and about as long as saving, restoring and sorting it.

#ifndef THRONG_EXPLAIN_H
#define THRONG_EXPLAIN_H

#include "throng/mark.h"
#include "throng/world.h"

/// A neighbour as the agent sees it.
typedef struct thSeenAgent {
    /// Its key.
    uint64_t key;
    /// Where it is, relative to the agent. [m]
    thVec2 position;
    /// Its velocity. [m/s]
    thVec2 velocity;
    /// Its radius. [m]
    float radius;
    /// The agent's share of giving way. [0 .. 1]
    float share;
} thSeenAgent;

/// A piece of wall as the agent sees it.
typedef struct thSeenWall {
    /// One end, relative to the agent. [m]
    thVec2 a;
    /// The other end. [m]
    thVec2 b;
    /// The obstacle it belongs to.
    thObstacleId obstacle;
} thSeenWall;

/// A moving obstacle as the agent sees it.
typedef struct thSeenMover {
    /// Where its origin is, relative to the agent. [m]
    thVec2 position;
    /// Velocity of its origin. [m/s]
    thVec2 velocity;
    /// Turning. [rad/s]
    float spin;
    /// Radius of a disc, or of the smallest disc about the origin that holds the polygon. [m]
    float radius;
    /// Corners relative to its origin. [m; NULL: it is a disc]
    const thVec2* corners;
    /// Number of them.
    int32_t cornerCount;
    /// The obstacle.
    thObstacleId obstacle;
} thSeenMover;

/// All that is known of one agent at one moment.
typedef struct thExplanationView {
    /// Its key.
    uint64_t key;
    /// `thAgentFlags`. Methods are not asked about agents that the host moves: those have their
    /// velocity, and nothing else.
    uint32_t flags;
    /// Floor.
    int32_t level;
    /// Where it is. [m]
    thVec2 position;
    /// Radius. [m]
    float radius;
    /// Where it faces. [rad]
    float heading;
    /// Preferred speed. [m/s]
    float prefSpeed;
    /// Speed limit. [m/s]
    float maxSpeed;
    /// Limit of acceleration. [m/s²; 0: none]
    float maxAccel;
    /// Names of its methods, by `thMethodKind`.
    const char* methods[th_methodKindCount];
    /// Its velocity. [m/s]
    thVec2 current;
    /// The velocity that its planner wants. [m/s]
    thVec2 wanted;
    /// That as avoidance gets it: after its group, after turning to the side that it keeps
    /// (`thProfileDef.keep`), after what it does in a jam, and after relief. [m/s]
    thVec2 adapted;
    /// The share of what it wants that contacts, which have held it back, leave it. [0 .. 1]
    float relief;
    /// How much of what it wants it gets, lately. [−1 .. 1]
    float progress;
    /// How long it has been held up in a jam: see `thProfileDef.patience`. [s]
    float waited;
    /// 1: it shuffles past others who do, without keeping its distance.
    int32_t shuffles;
    /// 1: it steps back for somebody.
    int32_t stepsBack;
    /// 1: it stands behind somebody who wants the same, and backs off.
    int32_t backsOff;
    /// How strong its claim on its way is, or the one that it steps back for. [0: none .. 1]
    float claim;
    /// The velocity that avoidance has chosen. [m/s]
    thVec2 avoided;
    /// That at the agent's pace (`thPace`): the velocity that the step then tries to move by, among
    /// walls, moving obstacles and bodies. Of an agent that the host moves, its own. [m/s]
    thVec2 chosen;
    /// The next corner of its path, relative to the agent. [m]
    thVec2 corner;
    /// Length of the path that is left. [m]
    float remaining;
    /// What avoidance says; its meaning is the method's.
    int32_t status;
    /// Whom it sees, in the order of methods' neighbours.
    const thSeenAgent* agents;
    /// Number of them.
    int32_t agentCount;
    /// Walls it sees, nearest first.
    const thSeenWall* walls;
    /// Number of them.
    int32_t wallCount;
    /// Moving obstacles it sees, nearest first.
    const thSeenMover* movers;
    /// Number of them.
    int32_t moverCount;
    /// What its methods have to say, in the order in which they said it.
    const thMark* marks;
    /// Number of marks.
    int32_t markCount;
} thExplanationView;

/// Explains what an agent will do in a step of `dt` seconds from now on. `*explanation` is NULL
/// when it fails. th_resultUnavailable when a queued command removes the agent before that step.
/// [s, THRONG_LEAST_STEP .. 10]
THRONG_API thResult thWorld_Explain(const thWorld* world, thAgentId agent, float dt,
                                    thExplanation** explanation);

/// What it says. Pointers live as long as the explanation; names of methods as long as the world.
THRONG_API thExplanationView thExplanation_GetView(const thExplanation* explanation);

/// Destroys an explanation. NULL is allowed.
THRONG_API void thDestroyExplanation(thExplanation* explanation);

#endif
