// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What an agent's behaviours want of it.

#include "steer/steer.h"
#include "throng/mark.h"

#include <stdio.h>

// Arrows show what a behaviour changes in this time. [s]
#define ARROW_TIME 0.25f

static const char* const partNames[th_partCount] = {
    [th_partSeek] = "seek",     [th_partSeparation] = "separation", [th_partDodge] = "dodge",
    [th_partWalls] = "walls",   [th_partAlignment] = "alignment",   [th_partCohesion] = "cohesion",
    [th_partWander] = "wander", [th_partPursue] = "pursue",         [th_partFlee] = "flee",
    [th_partEvade] = "evade",   [th_partFollow] = "follow",
};

static void addLimit(thVec2 center, float radius, const char* label, thExplanation* to)
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

static void addArrow(thVec2 from, thVec2 part, const char* label, thExplanation* to)
{
    const thVec2 points[2] = {from, thiSteerPlus(from, ARROW_TIME, part)};
    thMark mark = thDefaultMark();
    mark.kind = th_markArrow;
    mark.points = points;
    mark.pointCount = 2;
    mark.label = label;
    thExplanation_Add(to, &mark);
}

static void addWords(thVec2 part, const char* name, thExplanation* to)
{
    char text[64];
    snprintf(text, sizeof text, "%s: %.2f, %.2f m/s²", name, (double)part.x, (double)part.y);
    thMark mark = thDefaultMark();
    mark.label = text;
    thExplanation_Add(to, &mark);
}

void thiExplainSteer(const thSteerer* steerer, thExplanation* to)
{
    thVec2 parts[th_partCount];
    thiSteerParts(steerer, parts);
    addLimit((thVec2){0.0f, 0.0f}, steerer->batch->maxSpeed[steerer->lane], "speed limit", to);
    for (int32_t i = 0; i < th_partCount; ++i) {
        if (parts[i].x == 0.0f && parts[i].y == 0.0f)
            continue;
        addArrow(steerer->velocity, parts[i], partNames[i], to);
        addWords(parts[i], partNames[i], to);
    }
}
