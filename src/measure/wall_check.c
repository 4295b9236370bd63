// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/wall_check.h"

#include "base/core.h"

#include <math.h>

__extension__ typedef __int128 Wide;

typedef struct Segment {
    Wide ax, ay, bx, by;
} Segment;

static Wide side(const Segment* s, Wide x, Wide y)
{
    return (s->bx - s->ax) * (y - s->ay) - (s->by - s->ay) * (x - s->ax);
}

static int signOf(Wide value)
{
    return (value > 0) - (value < 0);
}

static bool rangesMeet(Wide a, Wide b, Wide c, Wide d)
{
    const Wide low = a < b ? a : b, high = a < b ? b : a;
    return (c < d ? c : d) <= high && low <= (c < d ? d : c);
}

// Whether two closed segments have a point in common.
static bool meet(const Segment* s, const Segment* t)
{
    const int tA = signOf(side(s, t->ax, t->ay)), tB = signOf(side(s, t->bx, t->by));
    const int sA = signOf(side(t, s->ax, s->ay)), sB = signOf(side(t, s->bx, s->by));
    return tA * tB <= 0 && sA * sB <= 0 && rangesMeet(s->ax, s->bx, t->ax, t->bx) &&
           rangesMeet(s->ay, s->by, t->ay, t->by);
}

// Distance of a point from a segment, in units.
static double distanceTo(const Segment* s, Wide x, Wide y)
{
    const double ex = (double)(s->bx - s->ax), ey = (double)(s->by - s->ay);
    const double px = (double)(x - s->ax), py = (double)(y - s->ay);
    const double lengthSq = ex * ex + ey * ey;
    double share = lengthSq > 0.0 ? (px * ex + py * ey) / lengthSq : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    const double dx = px - share * ex, dy = py - share * ey;
    return sqrt(dx * dx + dy * dy);
}

void thiCheckWalls(thWallCheck* check, const thWalls* walls, int32_t level, int32_t fromX,
                   int32_t fromY, int32_t toX, int32_t toY, float radius)
{
    const Segment way = {fromX, fromY, toX, toY};
    const double units = (double)radius * THRONG_UNITS_PER_METRE;
    for (int32_t i = 0; i < walls->count; ++i) {
        if (walls->level[i] != level)
            continue;
        const Segment wall = {walls->ax[i], walls->ay[i], walls->bx[i], walls->by[i]};
        if (meet(&wall, &way))
            check->crossings += 1;
        const double depth = (units - distanceTo(&wall, toX, toY)) / THRONG_UNITS_PER_METRE;
        check->maxDepth = TH_MAX(check->maxDepth, depth);
    }
}
