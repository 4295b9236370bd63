// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The kernel of the subject `flock`: senses, steers and moves one agent in each lane.

#include "flock.h"
#include "simd/lane_math.h"

// Everyone is pushed away from its friends, less with distance.
void TH_WIDE(thiFlockSense) FLOCK_PARAMETERS
{
    for (int32_t i = begin; i < end; i += TH_WIDTH) {
        const thF x = fLoad(flock->x + i), y = fLoad(flock->y + i);
        thF pushX = fSet(0.0f), pushY = fSet(0.0f);
        for (int32_t k = 0; k < FLOCK_FRIENDS; ++k) {
            const thI friend = iLoad(flock->friends[k] + i);
            const thF dx = x - fGather(flock->x, friend);
            const thF dy = y - fGather(flock->y, friend);
            const thF distance = fSqrt(dx * dx + dy * dy);
            const thM apart = fGt(distance, fSet(1e-6f));
            const thF strength =
                fExp(fSet(-0.1f) * distance) / fSelect(apart, distance, fSet(1.0f));
            pushX = pushX + fSelect(apart, dx * strength, fSet(0.0f));
            pushY = pushY + fSelect(apart, dy * strength, fSet(0.0f));
        }
        fStore(flock->pushX + i, pushX);
        fStore(flock->pushY + i, pushY);
    }
}

// Turn towards the push, wander a little, keep to the speed limit.
void TH_WIDE(thiFlockSteer) FLOCK_PARAMETERS
{
    for (int32_t i = begin; i < end; i += TH_WIDTH) {
        const thF unit = fRandomUnit(iLoad(flock->streamLow + i), iLoad(flock->streamHigh + i),
                                     iSet((int32_t)flock->step));
        const thF vx = fLoad(flock->vx + i) + fSet(0.1f) * fLoad(flock->pushX + i);
        const thF vy = fLoad(flock->vy + i) + fSet(0.1f) * fLoad(flock->pushY + i);
        const thF heading = fAtan2(vy, vx) + fSet(0.5f) * (unit - fSet(0.5f));
        const thF speed = fMin(fSqrt(vx * vx + vy * vy), fSet(2.0f));
        thF sine, cosine;
        fSinCos(heading, &sine, &cosine);
        fStore(flock->vx + i, speed * cosine);
        fStore(flock->vy + i, speed * sine);
    }
}

static inline thF wrap(thF position)
{
    return position - fSet(100.0f) * fFloor(position / fSet(100.0f));
}

void TH_WIDE(thiFlockMove) FLOCK_PARAMETERS
{
    const thF dt = fSet(0.1f);
    for (int32_t i = begin; i < end; i += TH_WIDTH) {
        fStore(flock->x + i, wrap(fLoad(flock->x + i) + dt * fLoad(flock->vx + i)));
        fStore(flock->y + i, wrap(fLoad(flock->y + i) + dt * fLoad(flock->vy + i)));
    }
}
