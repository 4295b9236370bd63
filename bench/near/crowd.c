// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "near.h"

#include "throng/random.h"

#include <math.h>

#define STEP_LENGTH 0.14f

static size_t placeBytes(const thNearCrowd* crowd)
{
    return (size_t)crowd->count * sizeof(int32_t);
}

static size_t keyBytes(const thNearCrowd* crowd)
{
    return (size_t)crowd->count * sizeof(uint64_t);
}

thResult thiNearCrowdInit(thNearCrowd* crowd, thMemory* memory, int32_t count)
{
    *crowd = (thNearCrowd){.count = count};
    bool complete = true;
    for (int32_t moment = 0; moment < 2; ++moment) {
        crowd->x[moment] = thiAllocateZero(memory, placeBytes(crowd));
        crowd->y[moment] = thiAllocateZero(memory, placeBytes(crowd));
        complete = complete && crowd->x[moment] != NULL && crowd->y[moment] != NULL;
    }
    crowd->key = thiAllocate(memory, keyBytes(crowd));
    if (!complete || crowd->key == NULL) {
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
    for (int32_t moment = 0; moment < 2; ++moment) {
        thiRelease(memory, crowd->x[moment], placeBytes(crowd));
        thiRelease(memory, crowd->y[moment], placeBytes(crowd));
    }
    thiRelease(memory, crowd->key, keyBytes(crowd));
    *crowd = (thNearCrowd){.count = 0};
}

void thiNearCrowdScatter(thNearCrowd* crowd, float density)
{
    const float half = 0.5f * sqrtf((float)crowd->count / density);
    for (int32_t i = 0; i < crowd->count; ++i) {
        const uint64_t stream = thRandomStream(1, (uint64_t)i, 0, 0);
        float sine, cosine;
        thSinCos(thRandomRange(stream, 2, -3.14f, 3.14f), &sine, &cosine);
        crowd->x[0][i] = thiUnits(thRandomRange(stream, 0, -half, half));
        crowd->y[0][i] = thiUnits(thRandomRange(stream, 1, -half, half));
        crowd->x[1][i] = crowd->x[0][i] + thiUnits(STEP_LENGTH * cosine);
        crowd->y[1][i] = crowd->y[0][i] + thiUnits(STEP_LENGTH * sine);
    }
}
