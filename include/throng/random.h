// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Random numbers without a generator: each is a function of what it is for. So they do not depend
/// on the order of agents, on threads, or on what was drawn before.

#ifndef THRONG_RANDOM_H
#define THRONG_RANDOM_H

#include "throng/base.h"

/// A stream of random numbers for one purpose of one agent in one step. `purpose` tells streams of
/// one agent and step apart: any number the caller uses for nothing else.
THRONG_API uint64_t thRandomStream(uint64_t seed, uint64_t key, uint64_t step, uint32_t purpose);

/// Number `index` of a stream: 32 even bits.
THRONG_API uint32_t thRandomBits(uint64_t stream, uint32_t index);

/// Number `index` of a stream as a float. [0 <= result < 1, multiples of 2⁻²⁴]
THRONG_API float thRandomUnit(uint64_t stream, uint32_t index);

/// Number `index` of a stream between two bounds. [low <= result < high, or low when they are
/// equal]
THRONG_API float thRandomRange(uint64_t stream, uint32_t index, float low, float high);

/// Number `index` of a stream from the normal distribution with mean 0 and deviation 1; uses the
/// stream's numbers 2·index and 2·index + 1. [index < 2³¹]
THRONG_API float thRandomNormal(uint64_t stream, uint32_t index);

#endif
