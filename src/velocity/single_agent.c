// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "velocity/single_agent.h"

#include "base/core.h"

static bool isLength(float x)
{
    return x >= 0.0f && x <= TH_SINGLE_LARGEST;
}

static bool isNumber(float x)
{
    return x >= -TH_SINGLE_LARGEST && x <= TH_SINGLE_LARGEST;
}

static bool isVector(thVec2 v)
{
    return isNumber(v.x) && isNumber(v.y);
}

bool thiIsSingleSelf(thVec2 velocity, thVec2 wanted, float radius, float maxSpeed, float maxAccel)
{
    return isVector(velocity) && isVector(wanted) && isLength(radius) && isLength(maxSpeed) &&
           isLength(maxAccel);
}

bool thiTakeSingleNeighbor(thSingleColumns* columns, int32_t i, thVec2 position, thVec2 velocity,
                           float radius, float share)
{
    columns->nx[i] = position.x;
    columns->ny[i] = position.y;
    columns->nvx[i] = velocity.x;
    columns->nvy[i] = velocity.y;
    columns->nradius[i] = radius;
    columns->nshare[i] = share;
    columns->nrow[i] = i + 1;
    return isVector(position) && isVector(velocity) && isLength(radius) && share >= 0.0f &&
           share <= 1.0f;
}

bool thiTakeSingleWall(thSingleColumns* columns, int32_t i, thVec2 a, thVec2 b, thVec2 velocity,
                       float radius)
{
    columns->ax[i] = a.x;
    columns->ay[i] = a.y;
    columns->bx[i] = b.x;
    columns->by[i] = b.y;
    columns->wvx[i] = velocity.x;
    columns->wvy[i] = velocity.y;
    columns->wradius[i] = radius;
    return isVector(a) && isVector(b) && isVector(velocity) && isLength(radius);
}

bool thiAreSingleParams(const void* params, thResult (*validate)(const void*, thError*))
{
    thError error = {0};
    const bool good = validate(params, &error) == th_resultOk;
    if (!good)
        thiAssertFailed(error.text, __FILE__, __LINE__);
    return good;
}
