// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Methods `steer`: steering behaviours (Reynolds 1999). Each behaviour is an acceleration with a
/// weight; their sum, cut to what the agent can do, changes its velocity. It is an avoidance
/// method, and a planner that makes the wanted velocity for other avoidance methods. Weights that
/// are rates take effect at most once in a step.

#ifndef THRONG_STEER_H
#define THRONG_STEER_H

#include "throng/method.h"

/// Parameters of methods `steer` and `steer-weak`; the params of a profile's `plan` or `avoid`.
typedef struct thSteerDef {
    /// Size of this struct. [bytes, set by thDefaultSteerDef]
    uint32_t size;
    /// Largest acceleration; the agent's own limit counts too. [m/s², 0 .. 1000, default 8]
    float maxForce;
    /// Seek: towards the wanted velocity. [1/s, 0 .. 100, default 2]
    float seek;
    /// Arrive: so near to the goal agents begin to slow down. [m, 0 .. 100, default 0.5]
    float slowing;
    /// Whether agents without a goal go on at their preferred speed instead of standing. [0 or 1,
    /// default 0]
    int32_t roam;
    /// Whether they avoid others and walls by themselves: separation, dodge, walls. [0 or 1,
    /// default 1]
    int32_t avoidance;
    /// Separation: away from each neighbour, this much where both touch. [m/s², 0 .. 1000,
    /// default 5]
    float separation;
    /// Wider gaps between bodies need no separation. [m, 0 .. 100, default 0.5]
    float separationRange;
    /// Dodge: aside from whom it would collide with first. [m/s², 0 .. 1000, default 4]
    float dodge;
    /// How far ahead it looks for that, and where those are that it pursues or evades. [s,
    /// 0.01 .. 100, default 2]
    float lookAhead;
    /// Away from the wall or moving obstacle it would run into first. [m/s², 0 .. 1000, default 8]
    float walls;
    /// How far ahead it looks for walls. [s, 0.01 .. 100, default 0.5]
    float wallAhead;
    /// Alignment: towards the mean velocity of those about it on a layer of its own. [1/s,
    /// 0 .. 100, default 0]
    float alignment;
    /// Cohesion: towards their middle, this much where that is `flockRange` away. [m/s²,
    /// 0 .. 1000, default 0]
    float cohesion;
    /// How far alignment and cohesion reach. [m, 0.01 .. 200, default 3]
    float flockRange;
    /// Wander: to the left and right by chance, at most this much. [m/s², 0 .. 1000, default 0]
    float wander;
    /// Time from one turn of it to the next. [s, 0.01 .. 1000, default 1]
    float wanderTime;
    /// Pursue: to where the nearest of `preyLayer` will be. [1/s, 0 .. 100, default 0]
    float pursue;
    /// Layer of those who are pursued. [0 .. 31, default 1]
    int32_t preyLayer;
    /// Flee: away from where the nearest of `fearLayer` is. [1/s, 0 .. 100, default 0]
    float flee;
    /// Evade: away from where the nearest of `fearLayer` will be. [1/s, 0 .. 100, default 0]
    float evade;
    /// Layer of those who are fled from and evaded. [0 .. 31, default 2]
    int32_t fearLayer;
    /// Those who are further away frighten nobody. [m, 0 .. 200, default 5]
    float fearRange;
    /// Follow: along the nodes of the roadmap `path`, from the first to the last. [1/s, 0 .. 100,
    /// default 0]
    float follow;
    /// Within this distance from the path they go beside it, outside they go back to it. [m,
    /// 0 .. 100, default 1]
    float pathRadius;
    /// Name of a roadmap whose nodes are given, padded with zeros. [default empty: no path]
    char path[THRONG_NAME_SIZE];
} thSteerDef;

/// Parameters with every field at its default.
THRONG_API thSteerDef thDefaultSteerDef(void);

/// What `steer` says about an agent: the `status` of a batch.
typedef enum thSteerStatus {
    /// There is nobody and nothing to avoid.
    th_steerFree = 0,
    /// Separation, dodge or walls act.
    th_steerAvoiding = 1,
    /// They do, and all behaviours together want more than the agent can.
    th_steerLimited = 2,
} thSteerStatus;

#endif
