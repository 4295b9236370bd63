// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Checks walls in the plainest way: every move against every wall, crossings in whole numbers.

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

// Whether a wall is further than `reach` from all of a move, by the boxes about both. In numbers
// instead of branches: which of these hold is as good as random.
static bool isFar(const thWalls* walls, int32_t i, const int64_t box[4], int64_t reach)
{
    const int64_t ax = walls->ax[i], ay = walls->ay[i], bx = walls->bx[i], by = walls->by[i];
    const int west = (ax < box[0] - reach) & (bx < box[0] - reach);
    const int south = (ay < box[1] - reach) & (by < box[1] - reach);
    const int east = (ax > box[2] + reach) & (bx > box[2] + reach);
    const int north = (ay > box[3] + reach) & (by > box[3] + reach);
    return (west | south | east | north) != 0;
}

void thiCheckWalls(thWallCheck* check, const thWalls* walls, int32_t level, int32_t fromX,
                   int32_t fromY, int32_t toX, int32_t toY, float radius)
{
    const Segment move = {fromX, fromY, toX, toY};
    const double units = (double)radius * THRONG_UNITS_PER_METRE;
    const int64_t box[4] = {TH_MIN(fromX, toX), TH_MIN(fromY, toY), TH_MAX(fromX, toX),
                            TH_MAX(fromY, toY)};
    for (int32_t i = 0; i < walls->count; ++i) {
        if (walls->level[i] != level || isFar(walls, i, box, (int64_t)units + 1))
            continue;
        const Segment wall = {walls->ax[i], walls->ay[i], walls->bx[i], walls->by[i]};
        if (meet(&wall, &move))
            check->crossings += 1;
        const double depth = (units - distanceTo(&wall, toX, toY)) / THRONG_UNITS_PER_METRE;
        check->maxDepth = TH_MAX(check->maxDepth, depth);
    }
}

typedef struct Corner {
    double x, y; // [m]
} Corner;

// Coordinates along an axis that a body takes up.
typedef struct Range {
    double low, high;
} Range;

static Range project(const Corner* corners, int32_t count, double axisX, double axisY)
{
    Range range = {INFINITY, -INFINITY};
    for (int32_t i = 0; i < count; ++i) {
        const double at = corners[i].x * axisX + corners[i].y * axisY;
        range = (Range){TH_MIN(range.low, at), TH_MAX(range.high, at)};
    }
    return range;
}

// How far a polygon has to go along the normal of a line to be off a wall.
static double wayOut(const Corner* corners, int32_t count, const Corner wall[2], Corner a, Corner b)
{
    const double x = b.y - a.y, y = a.x - b.x, length = sqrt(x * x + y * y);
    if (length == 0.0)
        return INFINITY;
    const Range own = project(corners, count, x / length, y / length);
    const Range other = project(wall, 2, x / length, y / length);
    return TH_MIN(own.high - other.low, other.high - own.low);
}

static double metresFrom(int32_t from, int32_t to)
{
    return ((double)to - from) / THRONG_UNITS_PER_METRE;
}

void thiCheckShape(thWallCheck* check, const thWalls* walls, int32_t level, int32_t x, int32_t y,
                   const thConvexBody* body)
{
    Corner corners[TH_SUM_CORNERS];
    for (int32_t i = 0; i < body->count; ++i)
        corners[i] = (Corner){(double)body->corners[i].x, (double)body->corners[i].y};
    for (int32_t i = 0; i < walls->count; ++i) {
        if (walls->level[i] != level)
            continue;
        const Corner wall[2] = {{metresFrom(x, walls->ax[i]), metresFrom(y, walls->ay[i])},
                                {metresFrom(x, walls->bx[i]), metresFrom(y, walls->by[i])}};
        double depth = wayOut(corners, body->count, wall, wall[0], wall[1]);
        for (int32_t k = 0; k < body->count && depth > check->maxDepth; ++k) {
            const Corner next = corners[(k + 1) % body->count];
            const double along = wayOut(corners, body->count, wall, corners[k], next);
            depth = TH_MIN(depth, along);
        }
        check->maxDepth = TH_MAX(check->maxDepth, depth);
    }
}
