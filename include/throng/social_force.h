// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Avoidance method `social-force`: what an agent wants, whom it avoids and whom it belongs to act
/// on it like forces, which accelerate it (Helbing and Molnár 1995; Helbing, Farkas and Vicsek
/// 2000; Johansson, Helbing and Shukla 2007; Sud et al. 2008). Nothing keeps agents from colliding
/// but the strength of these forces, and the world.

#ifndef THRONG_SOCIAL_FORCE_H
#define THRONG_SOCIAL_FORCE_H

#include "throng/avoid.h"

/// Sets of parameters: what is negative in `thSocialForceDef` is as the set has it.
typedef enum thSocialForceSet {
    /// Ours, after Sud et al. 2008: forces fall with the gap, and are felt more from ahead.
    th_socialForceDefault = 0,
    /// Helbing and Molnár 1995: forces have the shape of an ellipse before whoever walks, and half
    /// as much is felt of those out of sight.
    th_socialForce1995 = 1,
    /// Helbing, Farkas and Vicsek 2000: short and strong forces, and friction of bodies that touch.
    th_socialForce2000 = 2,
    /// Johansson, Helbing and Shukla 2007: weak and long forces, in the shape of an ellipse along
    /// the relative velocity.
    th_socialForce2007 = 3,
} thSocialForceSet;

/// Parameters of method `social-force`; the params of a profile's `avoid`.
typedef struct thSocialForceDef {
    /// Size of this struct. [bytes, set by thDefaultSocialForceDef]
    uint32_t size;
    /// A `thSocialForceSet`. [default th_socialForceDefault]
    int32_t set;
    /// Acceleration away from somebody whom the agent touches. [m/s², 0 .. 10000; negative: of the
    /// set]
    float strength;
    /// Gap within which that falls to 1/e. [m, 0 .. 10, 0.01 at least; negative: of the set]
    float range;
    /// The share of it that is felt from straight behind. [0 .. 1; negative: of the set]
    float behind;
    /// Acceleration away from a wall, or a moving obstacle, that the agent touches. [m/s², 0 ..
    /// 10000; negative: of the set]
    float wallStrength;
    /// Gap within which that falls to 1/e. [m, 0 .. 10, 0.01 at least; negative: of the set]
    float wallRange;
    /// The share of it that is felt straight behind a moving obstacle; in front of it, all is. [0
    /// .. 1; negative: of the set]
    float moverBehind;
    /// Time in which the agent gets from its velocity to the wanted one. [s, 0 .. 10, 0.01 at
    /// least; negative: of the set]
    float relaxation;
    /// Acceleration towards each of its own group within 3 m whom it does not touch. [m/s², 0 ..
    /// 1000; negative: of the set]
    float attraction;
    /// The largest acceleration that others and walls give together, without contact. [m/s², 0 ..
    /// 10000; negative: of the set]
    float most;
    /// How bodies that overlap push, for each metre, in worlds without contacts. [1/s², 0 .. 1e5;
    /// negative: of the set]
    float body;
    /// How they rub, for each metre, and each m/s past each other, likewise. [1/(m s), 0 .. 1e5;
    /// negative: of the set]
    float friction;
    /// A `thKeep` (`throng/world.h`): the side to which the agent bends what it wants when somebody
    /// comes against it. [default th_keepRight]
    int32_t keep;
} thSocialForceDef;

/// Parameters with every field at its default: those of the default set.
THRONG_API thSocialForceDef thDefaultSocialForceDef(void);

/// What `social-force` says about an agent: the `status` of a batch and of `thSocialForce_Solve`.
typedef enum thSocialForceStatus {
    /// Nobody pushes it noticeably: by 0.1 m/s² or more.
    th_socialForceFree = 0,
    /// Others or walls do.
    th_socialForcePushed = 1,
    /// It touches a wall or a moving obstacle, which takes what leads into it.
    th_socialForceTouches = 2,
} thSocialForceStatus;

/// What an agent carries from one step to the next, beside its velocity: zeros at first.
typedef struct thSocialForceState {
    /// Its velocity at the beginning of the last step, for explanations. [m/s]
    thVec2 first;
    /// Its velocity at the end of it. [m/s]
    thVec2 last;
    /// Its mean velocity in it, by which it has moved. [m/s]
    thVec2 mean;
} thSocialForceState;

/// The velocity for the coming step of `dt` seconds, without a world: the same as the method gives
/// in a world without contacts, to the bit. `state` may be NULL; steps that are long for the forces
/// at work are then a little too slow. Numbers that are not finite, or larger than a million, are
/// refused, and so are steps below THRONG_LEAST_STEP; whatever is accepted gives a finite velocity.
THRONG_API thResult thSocialForce_Solve(const thSocialForceDef* def, float dt,
                                        const thAvoidSelf* self, const thAvoidNeighbor* neighbors,
                                        int32_t neighborCount, const thAvoidWall* walls,
                                        int32_t wallCount, thSocialForceState* state,
                                        thVec2* velocity, thSocialForceStatus* status);

#endif
