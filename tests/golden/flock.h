// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A small flock that uses every kind of operation kernels will use: gathers, division, square
// roots, our own exp, sincos and atan2, random numbers, selects, conversion. It is not a method; it
// is there so that the machine itself can be tested.

#ifndef THRONG_TESTS_GOLDEN_FLOCK_H
#define THRONG_TESTS_GOLDEN_FLOCK_H

#include "simd/dispatch.h"
#include "subject.h"

#define FLOCK_COUNT 1000
#define FLOCK_PADDED (FLOCK_COUNT + TH_MAX_WIDTH)
#define FLOCK_FRIENDS 6

typedef struct Flock {
    SubjectOptions options;
    uint64_t step;
    uint64_t keys[FLOCK_COUNT];
    int32_t friends[FLOCK_FRIENDS][FLOCK_PADDED]; // rows of those each one looks at
    int32_t streamLow[FLOCK_PADDED], streamHigh[FLOCK_PADDED];
    float x[FLOCK_PADDED], y[FLOCK_PADDED]; // m, in [0, 100)
    float vx[FLOCK_PADDED], vy[FLOCK_PADDED];
    float pushX[FLOCK_PADDED], pushY[FLOCK_PADDED];
} Flock;

extern const Subject flockSubject;

// One stage each, for rows `begin` to `end` − 1, `begin` a multiple of TH_MAX_WIDTH.
#define FLOCK_PARAMETERS (Flock * flock, int32_t begin, int32_t end)
typedef void FlockFcn FLOCK_PARAMETERS;
TH_KERNEL_DECLARE(thiFlockSense, void, FLOCK_PARAMETERS);
TH_KERNEL_DECLARE(thiFlockSteer, void, FLOCK_PARAMETERS);
TH_KERNEL_DECLARE(thiFlockMove, void, FLOCK_PARAMETERS);

#endif
