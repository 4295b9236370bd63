// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The crowd that is searched: places at random that move a little from one moment to the next.

#include "near.h"

#include "throng/random.h"

#include <math.h>

#define STEP_LENGTH 0.14f

static size_t placeBytes(const thNearCrowd* crowd)
{
    return (size_t)crowd->count * (size_t)crowd->moments * sizeof(int32_t);
}

static size_t keyBytes(const thNearCrowd* crowd)
{
    return (size_t)crowd->count * sizeof(uint64_t);
}

thResult thiNearCrowdInit(thNearCrowd* crowd, thMemory* memory, int32_t count, int32_t moments)
{
    *crowd = (thNearCrowd){.count = count, .moments = moments};
    crowd->x = thiAllocateZero(memory, placeBytes(crowd));
    crowd->y = thiAllocateZero(memory, placeBytes(crowd));
    crowd->key = thiAllocate(memory, keyBytes(crowd));
    if (crowd->x == NULL || crowd->y == NULL || crowd->key == NULL) {
        thiNearCrowdFree(crowd, memory);
        return th_resultNoMemory;
    }
    for (int32_t i = 0; i < count; ++i) {
        const uint64_t stream = thRandomStream(1, (uint64_t)i, 0, 0);
        crowd->key[i] = (uint64_t)thRandomBits(stream, 3) << 31 | (uint64_t)i;
    }
    return th_resultOk;
}

void thiNearCrowdFree(thNearCrowd* crowd, thMemory* memory)
{
    thiRelease(memory, crowd->x, placeBytes(crowd));
    thiRelease(memory, crowd->y, placeBytes(crowd));
    thiRelease(memory, crowd->key, keyBytes(crowd));
    *crowd = (thNearCrowd){.count = 0};
}

// A step along one axis, which turns back rather than leave the square.
static int32_t advance(int32_t at, int32_t half, int32_t* step)
{
    if (at + *step > half || at + *step < -half)
        *step = -*step;
    return at + *step;
}

void thiNearCrowdScatter(thNearCrowd* crowd, float density)
{
    const float half = 0.5f * sqrtf((float)crowd->count / density);
    for (int32_t i = 0; i < crowd->count; ++i) {
        const uint64_t stream = thRandomStream(1, (uint64_t)i, 0, 0);
        float sine, cosine;
        thSinCos(thRandomRange(stream, 2, -3.14f, 3.14f), &sine, &cosine);
        int32_t stepX = thiUnits(STEP_LENGTH * cosine), stepY = thiUnits(STEP_LENGTH * sine);
        int32_t x = thiUnits(thRandomRange(stream, 0, -half, half));
        int32_t y = thiUnits(thRandomRange(stream, 1, -half, half));
        for (int32_t moment = 0; moment < crowd->moments; ++moment) {
            thiNearX(crowd, moment)[i] = x;
            thiNearY(crowd, moment)[i] = y;
            x = advance(x, thiUnits(half), &stepX);
            y = advance(y, thiUnits(half), &stepY);
        }
    }
}
