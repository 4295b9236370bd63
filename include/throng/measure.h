// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Measures: a tally watches a world step by step and sums up what happened. Its figures do not
/// depend on threads, slots or instruction sets. docs/measures.md says how each is defined.

#ifndef THRONG_MEASURE_H
#define THRONG_MEASURE_H

#include "throng/world.h"

/// How many values of an agent's avoidance status are counted apart; higher ones count as the last.
#define THRONG_TALLY_STATUSES 16

/// Watches a world.
typedef struct thTally thTally;

/// How a tally is created.
typedef struct thTallyDef {
    /// Size of this struct. [bytes, set by thDefaultTallyDef]
    uint32_t size;
    /// 1: pairs of agents that overlap are counted, by their shapes where they have one.
    /// [0 or 1, default 1]
    int32_t collisions;
    /// How many different pairs are told apart over the run; each takes up to 28 bytes.
    /// [0 .. 2²⁶, default 2²⁰]
    int32_t maxPairs;
    /// 1: each agent's path is held against every wall, by code that shares nothing with what moves
    /// agents. Costs about 3 ns per agent and wall. [0 or 1, default 0]
    int32_t checkWalls;
    /// The time at which it begins. [s, default 0]
    double time;
    /// Where memory comes from. [default thDefaultAllocator()]
    thAllocator allocator;
} thTallyDef;

/// A definition with every field at its default.
THRONG_API thTallyDef thDefaultTallyDef(void);

/// Creates a tally and takes note of where everybody starts. The world must outlive it. `*tally` is
/// NULL when it fails.
THRONG_API thResult thCreateTally(const thTallyDef* def, const thWorld* world, thTally** tally);

/// Destroys a tally. NULL is allowed.
THRONG_API void thDestroyTally(thTally* tally);

/// Takes note of the step that was just made; called after each step, before agents are changed. A
/// second call for the same step does nothing, and th_resultNoMemory has taken note of nothing.
/// Works with the world's own workers, so one thread at a time may do this or step the world.
/// `time` is that after the step. [s, not less than before]
THRONG_API thResult thTally_Observe(thTally* tally, double time);

/// What happened so far. What there is no mean of is 0.
typedef struct thTallyResult {
    /// Steps that were observed.
    uint64_t steps;
    /// Time of the last one. [s]
    double time;
    /// Agents ever seen.
    uint64_t agents;
    /// Agents that reached their last goal or left; each counts once.
    uint64_t arrived;
    /// When the last of them arrived. [s]
    double lastArrival;
    /// Mean time of arrival. [s]
    double meanArrival;
    /// Mean time from when an agent was first seen to its arrival. [s]
    double meanTravel;
    /// Length of the path walked ÷ straight distance from start to arrival, mean over arrived
    /// agents that came at least 0.5 m far. [at least 1]
    double meanPathRatio;
    /// Pairs of agents deeper in each other than 1 % of the sum of their radii, mean over steps.
    double collisionsPerStep;
    /// Different pairs among them. [at most `maxPairs`]
    uint64_t uniqueCollisions;
    /// 1: there were more than `maxPairs` of them.
    int32_t uniqueIsLeast;
    /// Deepest overlap of any pair, also below 1 %, as a share of the sum of radii. [0 .. 1]
    double maxDepth;
    /// Steps that were divided: `thCounters.substeps` of them is more than 1.
    uint64_t dividedSteps;
    /// Parts that these were divided into: `thCounters.substeps` summed over them. [0: none was]
    uint64_t substeps;
    /// Pairs that were pushed apart, mean over steps.
    double contactsPerStep;
    /// How many of all agents shuffle past others without keeping their distance, mean over steps.
    /// [0 .. 1]
    double shuffleShare;
    /// The same of those who step back for others. [0 .. 1]
    double stepBackShare;
    /// How often an agent begins to move away from where it wants to go, mean over agents.
    double reversals;
    /// Ways that met a wall.
    uint64_t wallCrossings;
    /// Deepest body in a wall: the shape of those who have one, or the disc. [m]
    double maxWallDepth;
    /// How often an agent could not give way to a moving obstacle in a step.
    uint64_t squeezed;
    /// Agents to whom that happened.
    uint64_t squeezedAgents;
    /// Agents that are stuck now.
    uint64_t stuck;
    /// The same as a share of the agents ever seen. [0 .. 1]
    double stuckShare;
    /// The largest such share so far. [0 .. 1]
    double stuckMax;
    /// How often avoidance said this about an agent in a step; what it means is the method's.
    uint64_t status[THRONG_TALLY_STATUSES];
    /// Mean speed of agents that have not arrived and were not told to wait. [m/s]
    double meanSpeed;
    /// Bytes the tally holds now.
    uint64_t bytes;
} thTallyResult;

/// The figures so far.
THRONG_API thTallyResult thTally_GetResult(const thTally* tally);

/// Writes everything that decides future figures to a buffer. With a NULL buffer only `*size` is
/// set. th_resultFull when `capacity` is too small; the buffer then holds nothing useful.
THRONG_API thResult thTally_Save(const thTally* tally, void* buffer, size_t capacity, size_t* size);

/// Goes on from what was saved when the world was; figures will be the same to the bit. The tally
/// must count what the saved one did. A damaged or foreign tally is refused with a reason and
/// changes nothing.
THRONG_API thResult thTally_Restore(thTally* tally, const void* data, size_t size, thError* error);

#endif
