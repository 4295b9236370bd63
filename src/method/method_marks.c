// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Marks that explanations of several methods add.

#include "method/method_marks.h"

void thiMarkLimit(thVec2 center, float radius, const char* label, thExplanation* to)
{
    thMark mark = thDefaultMark();
    mark.kind = th_markDisc;
    mark.meaning = th_meansLimit;
    mark.points = &center;
    mark.pointCount = 1;
    mark.radius = radius;
    mark.label = label;
    thExplanation_Add(to, &mark);
}

void thiMarkSpeedLimit(const thBatch* batch, int32_t lane, thExplanation* to)
{
    thiMarkLimit((thVec2){0.0f, 0.0f}, batch->maxSpeed[lane], "speed limit", to);
}

void thiMarkVelocity(thVec2 velocity, const char* label, thExplanation* to)
{
    thMark mark = thDefaultMark();
    mark.kind = th_markPoint;
    mark.points = &velocity;
    mark.pointCount = 1;
    mark.label = label;
    thExplanation_Add(to, &mark);
}

void thiMarkText(const char* text, thExplanation* to)
{
    thMark mark = thDefaultMark();
    mark.label = text;
    thExplanation_Add(to, &mark);
}

uint64_t thiMarkNameOf(int32_t obstacle)
{
    return (uint64_t)obstacle + 1;
}
