// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "geom/segment.h"

thVec2 thiNearestOnSegment(thVec2 a, thVec2 b)
{
    const float dx = b.x - a.x, dy = b.y - a.y;
    const float along = -(a.x * dx + a.y * dy);
    const float lengthSq = dx * dx + dy * dy;
    if (!(along > 0.0f))
        return a;
    if (along >= lengthSq)
        return b;
    const float share = along / lengthSq; // more than 0
    return (thVec2){a.x + share * dx, a.y + share * dy};
}

float thiSegmentDistanceSq(thVec2 a, thVec2 b)
{
    const thVec2 nearest = thiNearestOnSegment(a, b);
    return nearest.x * nearest.x + nearest.y * nearest.y;
}
