// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/convex.h"

#include <string.h>

thConvex thiConvex(thMemory* memory)
{
    return (thConvex){thiArray(memory, sizeof(thPlace)), thiArray(memory, sizeof(thPlace))};
}

void thiConvexFree(thConvex* convex)
{
    thiArrayFree(&convex->points);
    thiArrayFree(&convex->spare);
}

thResult thiSetConvex(thConvex* convex, const thPlace* points, int32_t count)
{
    convex->points.count = 0;
    if (count == 0)
        return th_resultOk;
    thPlace* copies = thiArrayAdd(&convex->points, count);
    if (copies == NULL)
        return th_resultNoMemory;
    memcpy(copies, points, (size_t)count * sizeof *copies);
    return th_resultOk;
}

static double heightOver(thPlace p, thPlace through, thPlace away)
{
    return (p.x - through.x) * away.x + (p.y - through.y) * away.y;
}

bool thiConvexReaches(const thConvex* convex, thPlace through, thPlace away)
{
    const thPlace* points = convex->points.data;
    for (int32_t i = 0; i < convex->points.count; ++i)
        if (heightOver(points[i], through, away) > 0.0)
            return true;
    return false;
}

static thPlace placeBetween(thPlace a, thPlace b, double share)
{
    return (thPlace){a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

thResult thiCutConvex(thConvex* convex, thPlace through, thPlace away)
{
    if (!thiConvexReaches(convex, through, away))
        return th_resultOk;
    // Rounding may make a polygon of almost no area cross the line more than twice; each corner
    // adds at most itself and one crossing.
    TH_TRY(thiArrayReserve(&convex->spare, 2 * convex->points.count));
    const thPlace* points = convex->points.data;
    thPlace* kept = convex->spare.data;
    int32_t keptCount = 0;
    thPlace last = points[convex->points.count - 1];
    double lastHeight = heightOver(last, through, away);
    for (int32_t i = 0; i < convex->points.count; ++i) {
        const double height = heightOver(points[i], through, away);
        if ((height > 0.0 && lastHeight < 0.0) || (height < 0.0 && lastHeight > 0.0))
            kept[keptCount++] = placeBetween(last, points[i], lastHeight / (lastHeight - height));
        if (height <= 0.0)
            kept[keptCount++] = points[i];
        last = points[i];
        lastHeight = height;
    }
    const thArray old = convex->points;
    convex->points = convex->spare;
    convex->points.count = keptCount >= 3 ? keptCount : 0;
    convex->spare = old;
    return th_resultOk;
}

thResult thiCutConvexAlong(thConvex* convex, thPlace from, thPlace to)
{
    return thiCutConvex(convex, from, (thPlace){to.y - from.y, from.x - to.x});
}

thResult thiCutConvexTo(thConvex* convex, const thPlace* corners, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        TH_TRY(thiCutConvexAlong(convex, corners[i], corners[i + 1 < count ? i + 1 : 0]));
    return th_resultOk;
}

double thiConvexArea(const thConvex* convex)
{
    const thPlace* points = convex->points.data;
    double twice = 0.0;
    for (int32_t i = 2; i < convex->points.count; ++i)
        twice += (points[i - 1].x - points[0].x) * (points[i].y - points[0].y) -
                 (points[i].x - points[0].x) * (points[i - 1].y - points[0].y);
    return 0.5 * twice;
}

double thiFarthestCorner(const thConvex* convex, thPlace from)
{
    const thPlace* points = convex->points.data;
    double farthest = 0.0;
    for (int32_t i = 0; i < convex->points.count; ++i) {
        const double dx = points[i].x - from.x, dy = points[i].y - from.y;
        farthest = TH_MAX(farthest, dx * dx + dy * dy);
    }
    return farthest;
}

bool thiConvexAtHeight(const thConvex* convex, double y, double* x0, double* x1)
{
    const thPlace* points = convex->points.data;
    bool meets = false;
    for (int32_t i = 0; i < convex->points.count; ++i) {
        const thPlace a = points[i], b = points[i + 1 < convex->points.count ? i + 1 : 0];
        if ((a.y < y && b.y < y) || (a.y > y && b.y > y))
            continue;
        // A horizontal side gives its first corner here and the other one as part of the next.
        const double x =
            a.y < b.y || a.y > b.y ? a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)) : a.x;
        *x0 = meets ? TH_MIN(*x0, x) : x;
        *x1 = meets ? TH_MAX(*x1, x) : x;
        meets = true;
    }
    return meets;
}
