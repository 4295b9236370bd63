// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Times at which moving discs meet: roots of |p − t w| = R. Their forms lose nothing where discs
// nearly touch or barely graze each other. Floats multiplied twice over are finite in double.

#include "base/core.h"
#include "throng/collision.h"

#include <math.h>

typedef struct Pair {
    double c;    // |p|² − R²
    double b;    // p · w
    double a;    // |w|²
    double disc; // b² − a c
} Pair;

static Pair makePair(thVec2 position, thVec2 velocity, float radius)
{
    const double x = (double)position.x, y = (double)position.y;
    const double vx = (double)velocity.x, vy = (double)velocity.y, r = (double)radius;
    const double a = vx * vx + vy * vy, across = x * vy - y * vx;
    return (Pair){x * x + y * y - r * r, x * vx + y * vy, a, r * r * a - across * across};
}

static bool areFinite(thVec2 p, thVec2 v, float radius)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(v.x) && isfinite(v.y) && isfinite(radius) &&
           radius >= 0.0f;
}

static double timeToDisc(thVec2 position, thVec2 velocity, float radius)
{
    const Pair pair = makePair(position, velocity, radius);
    if (pair.c < 0.0)
        return 0.0;
    // To graze is not to meet, but points can do no more.
    if (!(pair.b > 0.0) || pair.disc < 0.0 || (pair.disc == 0.0 && radius > 0.0f))
        return (double)INFINITY;
    return pair.c / (pair.b + sqrt(pair.disc));
}

float thTimeToCollisionDisc(thVec2 position, thVec2 velocity, float radius)
{
    TH_REQUIRE(areFinite(position, velocity, radius), INFINITY);
    return (float)timeToDisc(position, velocity, radius);
}

// The time until the disc touches the line of a segment, if it does so between the segment's ends;
// 0 if it is there already.
static double timeToSide(thVec2 a, thVec2 b, thVec2 velocity, float radius)
{
    const double ex = (double)b.x - (double)a.x, ey = (double)b.y - (double)a.y;
    const double lengthSq = ex * ex + ey * ey;
    if (!(lengthSq > 0.0))
        return (double)INFINITY;
    const double length = sqrt(lengthSq);
    const double turned = (double)a.x * ey - (double)a.y * ex;
    const double side = turned < 0.0 ? -1.0 : 1.0; // the normal points towards the line
    const double nx = side * ey / length, ny = -side * ex / length;
    const double gap = fabs(turned) / length - (double)radius;
    const double foot = -((double)a.x * ex + (double)a.y * ey);
    if (gap < 0.0)
        return foot >= 0.0 && foot <= lengthSq ? 0.0 : (double)INFINITY;
    const double closing = (double)velocity.x * nx + (double)velocity.y * ny;
    if (!(closing > 0.0))
        return (double)INFINITY;
    const double time = gap / closing;
    const double along = foot + time * ((double)velocity.x * ex + (double)velocity.y * ey);
    return along >= 0.0 && along <= lengthSq ? time : (double)INFINITY;
}

float thTimeToCollisionSegment(thVec2 a, thVec2 b, thVec2 velocity, float radius)
{
    TH_REQUIRE(areFinite(a, velocity, radius) && areFinite(b, velocity, radius), INFINITY);
    const double ends = fmin(timeToDisc(a, velocity, radius), timeToDisc(b, velocity, radius));
    return (float)fmin(ends, timeToSide(a, b, velocity, radius));
}

float thTimeFromCollisionDisc(thVec2 position, thVec2 velocity, float radius)
{
    TH_REQUIRE(areFinite(position, velocity, radius), 0.0f);
    const Pair pair = makePair(position, velocity, radius);
    if (pair.c >= 0.0)
        return 0.0f;
    if (pair.a == 0.0)
        return INFINITY;
    const double root = sqrt(TH_MAX(pair.disc, 0.0));
    // Two forms of one root; neither subtracts numbers that are nearly the same.
    return (float)(pair.b > 0.0 ? (pair.b + root) / pair.a : -pair.c / (root - pair.b));
}
