// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Checks of parameters by their description.

#include "method/method_params.h"

#include "base/core.h"

#include <string.h>

// Bounds are those that a float can have, so that what is written as the bound is within.
static thResult checkFloat(const thParamChecks* checks, int32_t i, float value, thError* error)
{
    const float low = (float)checks->entries[i].min, high = (float)checks->entries[i].max;
    if (value >= low && value <= high)
        return th_resultOk;
    return thiFail(error, th_resultBadArgument, "%s: %s is %g, expected %g to %g", checks->method,
                   checks->fields[i], (double)value, (double)low, (double)high);
}

static thResult checkWhole(const thParamChecks* checks, int32_t i, int32_t value, thError* error)
{
    const int32_t low = (int32_t)checks->entries[i].min, high = (int32_t)checks->entries[i].max;
    if (value >= low && value <= high)
        return th_resultOk;
    return thiFail(error, th_resultBadArgument, "%s: %s is %d, expected %d to %d", checks->method,
                   checks->fields[i], (int)value, (int)low, (int)high);
}

static thResult checkName(const thParamChecks* checks, int32_t i, const char* name, thError* error)
{
    if (memchr(name, '\0', THRONG_NAME_SIZE) != NULL)
        return th_resultOk;
    return thiFail(error, th_resultBadArgument, "%s: %s has no final zero", checks->method,
                   checks->fields[i]);
}

static thResult checkOne(const thParamChecks* checks, int32_t i, const void* params, thError* error)
{
    const thParam* entry = &checks->entries[i];
    const char* place = (const char*)params + entry->offset;
    if (entry->kind == th_paramRoadmap || entry->kind == th_paramPath)
        return checkName(checks, i, place, error);
    float number;
    int32_t whole;
    memcpy(&number, place, sizeof number);
    memcpy(&whole, place, sizeof whole);
    return entry->kind == th_paramFloat ? checkFloat(checks, i, number, error)
                                        : checkWhole(checks, i, whole, error);
}

thResult thiCheckParams(const thParamChecks* checks, const void* params, thError* error)
{
    uint32_t size;
    memcpy(&size, params, sizeof size);
    if (size != checks->size)
        return thiFail(error, th_resultBadArgument, "%s: size is %u, expected %u", checks->method,
                       (unsigned)size, (unsigned)checks->size);
    for (int32_t i = 0; i < checks->count; ++i)
        TH_TRY(checkOne(checks, i, params, error));
    return th_resultOk;
}
