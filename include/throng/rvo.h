// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Avoidance method `rvo`: sampled reciprocal velocity obstacles (van den Berg, Lin, Manocha 2008;
/// Bleiweiss 2009). Velocities that the agent could take are tried out at random, each costs how
/// far it is from the wanted one and how soon it leads to a collision, and the cheapest is taken.

#ifndef THRONG_RVO_H
#define THRONG_RVO_H

#include "throng/math.h"

/// How the work of `rvo` is laid out in registers. All give the same bits.
typedef enum thRvoKernel {
    /// What is likely faster for the number of agents and samples.
    th_rvoAuto = 0,
    /// One agent in each lane.
    th_rvoFlat = 1,
    /// One sample of the same agent in each lane.
    th_rvoNested = 2,
} thRvoKernel;

/// Parameters of method `rvo`; the params of a profile's `avoid`.
typedef struct thRvoDef {
    /// Size of this struct. [bytes, set by thDefaultRvoDef]
    uint32_t size;
    /// Velocities that are tried out; the first is the wanted one. [1 .. 10000, default 250]
    int32_t samples;
    /// What a collision ahead costs: one in `weight` seconds as much as 1 m/s beside the wanted
    /// velocity. [m, 0 .. 1000, default 7.5]
    float weight;
    /// Collisions later than this cost nothing. [s, 0 .. 1000, 0: all count, default 8]
    float cutoff;
    /// Rounds that follow round the best sample, each in half the radius of the one before.
    /// [0 .. 8, default 0]
    int32_t refinements;
    /// Samples of each of these rounds. [1 .. 10000, default 32]
    int32_t refinementSamples;
    /// Whether samples are spread evenly and turned at random, instead of each at random.
    /// [0 or 1, default 0]
    int32_t even;
    /// Whether velocity obstacles are hybrid: who passes on the wrong side gives way alone, which
    /// keeps pairs from dancing. [0 or 1, default 0]
    int32_t hybrid;
    /// Whether samples are given up once they cannot be the best; changes nothing but the time.
    /// [0 or 1, default 1]
    int32_t earlyOut;
    /// A `thRvoKernel`; changes nothing but the time. [default th_rvoAuto]
    int32_t kernel;
} thRvoDef;

/// Parameters with every field at its default.
THRONG_API thRvoDef thDefaultRvoDef(void);

/// What `rvo` says about an agent: the `status` of a batch.
typedef enum thRvoStatus {
    /// The wanted velocity leads to no collision.
    th_rvoFree = 0,
    /// Another one does not, and was taken.
    th_rvoAvoiding = 1,
    /// The one that was taken leads to a collision; the others cost more.
    th_rvoColliding = 2,
    /// The agent overlaps others and leaves them.
    th_rvoParting = 3,
} thRvoStatus;

#endif
