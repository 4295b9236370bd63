// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls held against a move one by one, in 128 bits and long double.

#include "move/wall_oracle.h"

#include <math.h>

#define SLOP 8.0L        // 2^-13 m in units
#define NOTHING 0x1p-10L // units; for discs that began deeper

__extension__ typedef __int128 Int128;

static Int128 turn(thPoint a, thPoint b, thPoint p)
{
    return ((Int128)b.x - a.x) * ((Int128)p.y - a.y) - ((Int128)b.y - a.y) * ((Int128)p.x - a.x);
}

static int sign(Int128 value)
{
    return (value > 0) - (value < 0);
}

static Int128 dotAlong(thPoint a, thPoint b, thPoint p)
{
    return ((Int128)b.x - a.x) * ((Int128)p.x - a.x) + ((Int128)b.y - a.y) * ((Int128)p.y - a.y);
}

static bool isOn(thPoint p, thPoint a, thPoint b)
{
    return turn(a, b, p) == 0 && dotAlong(a, b, p) >= 0 && dotAlong(a, b, p) <= dotAlong(a, b, b);
}

bool oracleTouches(thPoint a, thPoint b, thPoint c, thPoint d)
{
    if (isOn(a, c, d) || isOn(b, c, d) || isOn(c, a, b) || isOn(d, a, b))
        return true;
    return sign(turn(a, b, c)) * sign(turn(a, b, d)) < 0 &&
           sign(turn(c, d, a)) * sign(turn(c, d, b)) < 0;
}

long double oracleDistance(thPoint p, thPoint a, thPoint b)
{
    const Int128 along = dotAlong(a, b, p), lengthSq = dotAlong(a, b, b);
    if (along > 0 && along < lengthSq)
        return fabsl((long double)turn(a, b, p)) / sqrtl((long double)lengthSq);
    const thPoint end = along <= 0 ? a : b;
    const long double dx = (long double)p.x - end.x, dy = (long double)p.y - end.y;
    return sqrtl(dx * dx + dy * dy);
}

void oracleMeasure(const thWalls* walls, thPoint p, long double* distance)
{
    for (int32_t i = 0; i < walls->count; ++i)
        distance[i] = oracleDistance(p, (thPoint){walls->ax[i], walls->ay[i]},
                                     (thPoint){walls->bx[i], walls->by[i]});
}

const char* oracleJudge(const thWalls* walls, int32_t level, thPoint from, thPoint to, float radius,
                        const long double* startDistance)
{
    const long double most = (long double)radius * THRONG_UNITS_PER_METRE - SLOP;
    if (from.x == to.x && from.y == to.y)
        return NULL;
    for (int32_t i = 0; i < walls->count; ++i) {
        const thPoint a = {walls->ax[i], walls->ay[i]}, b = {walls->bx[i], walls->by[i]};
        if (walls->level[i] != level || startDistance[i] == 0.0L)
            continue;
        if (oracleTouches(from, to, a, b))
            return "crosses";
        const long double nearest =
            fminl(fminl(oracleDistance(from, a, b), oracleDistance(to, a, b)),
                  fminl(oracleDistance(a, from, to), oracleDistance(b, from, to)));
        if (nearest < most && nearest < startDistance[i] - NOTHING)
            return "too deep";
    }
    return NULL;
}
