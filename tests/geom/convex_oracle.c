// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Gaps of convex bodies in double, corner by corner and edge by edge.

#include "geom/convex_oracle.h"

#include "gear/gear.h"

typedef struct Point {
    double x, y;
} Point;

static Point cornerOf(const thConvexBody* body, int32_t i, double x, double y)
{
    const thVec2 corner = body->corners[i % body->count];
    return (Point){(double)corner.x + x, (double)corner.y + y};
}

static double pointToSegment(Point p, Point a, Point b)
{
    const double ex = b.x - a.x, ey = b.y - a.y, lengthSq = ex * ex + ey * ey;
    const double along = (p.x - a.x) * ex + (p.y - a.y) * ey;
    const double t = lengthSq > 0.0 ? fmin(fmax(along / lengthSq, 0.0), 1.0) : 0.0;
    return hypot(p.x - a.x - t * ex, p.y - a.y - t * ey);
}

// The shortest distance of corners of either to edges of the other.
static double borderDistance(const thConvexBody* a, const thConvexBody* b, double x, double y)
{
    double least = INFINITY;
    for (int32_t i = 0; i < a->count; ++i)
        for (int32_t k = 0; k < b->count; ++k) {
            const Point p = cornerOf(a, i, 0.0, 0.0), q = cornerOf(b, k, x, y);
            const Point pNext = cornerOf(a, i + 1, 0.0, 0.0), qNext = cornerOf(b, k + 1, x, y);
            least = fmin(least, fmin(pointToSegment(p, q, qNext), pointToSegment(q, p, pNext)));
        }
    return least;
}

// By how much the line of each edge of `a` keeps both apart, the most of all.
static double separation(const thConvexBody* a, const thConvexBody* b, double x, double y)
{
    double most = -INFINITY;
    for (int32_t i = 0; i < a->count && a->count > 1; ++i) {
        const Point p = cornerOf(a, i, 0.0, 0.0), next = cornerOf(a, i + 1, 0.0, 0.0);
        const double length = hypot(next.x - p.x, next.y - p.y);
        const double nx = (next.y - p.y) / length, ny = (p.x - next.x) / length;
        double least = INFINITY;
        for (int32_t k = 0; k < b->count; ++k) {
            const Point q = cornerOf(b, k, x, y);
            least = fmin(least, nx * (q.x - p.x) + ny * (q.y - p.y));
        }
        most = fmax(most, least);
    }
    return most;
}

double bodyGap(const thConvexBody* a, const thConvexBody* b, double x, double y)
{
    const double radii = (double)a->radius + (double)b->radius;
    const double apart = fmax(separation(a, b, x, y), separation(b, a, -x, -y));
    return (apart > 0.0 || isinf(apart) ? borderDistance(a, b, x, y) : apart) - radii;
}

// The gap is a convex function of the time.
double leastGap(const thConvexBody* a, const thConvexBody* b, double x, double y, double wx,
                double wy, double time)
{
    double low = 0.0, high = time;
    for (int32_t i = 0; i < 60; ++i) {
        const double first = low + (high - low) / 3.0, second = high - (high - low) / 3.0;
        if (bodyGap(a, b, x - first * wx, y - first * wy) <
            bodyGap(a, b, x - second * wx, y - second * wy))
            high = second;
        else
            low = first;
    }
    const double ends = fmin(bodyGap(a, b, x, y), bodyGap(a, b, x - time * wx, y - time * wy));
    return fmin(ends, bodyGap(a, b, x - low * wx, y - low * wy));
}

thBodyShape drawBodyShape(thGenerator* g, float reach)
{
    thBodyShape shape;
    thVec2 points[THRONG_SHAPE_CORNERS];
    do {
        int32_t count = drawInt(g, 3, THRONG_SHAPE_CORNERS);
        const float x = drawFloat(g, 0.1f, reach), y = drawFloat(g, 0.1f, reach);
        const bool isBox = drawU32(g) % 3 == 0;
        for (int32_t i = 0; i < count; ++i)
            points[i] = (thVec2){drawFloat(g, -reach, reach), drawFloat(g, -reach, reach)};
        for (int32_t i = 0; i < 4 && isBox; ++i)
            points[i] = (thVec2){i % 2 == 0 ? x : -x, i / 2 == 0 ? y : -y};
        count = isBox ? 4 : count;
        if (thMakeBodyShape(points, count, &shape, NULL) != th_resultOk)
            shape.count = 0;
    } while (shape.count == 0);
    return shape;
}

thConvexBody drawConvexBody(thGenerator* g, float reach)
{
    if (drawU32(g) % 4 == 0)
        return (thConvexBody){.count = 1, .radius = drawFloat(g, 0.0f, reach)};
    const thBodyShape shape = drawBodyShape(g, reach);
    const float quarter = 1.57079633f;
    return thiTurnShape(&shape, drawU32(g) % 4 == 0 ? quarter * (float)drawInt(g, -2, 2)
                                                    : drawFloat(g, -3.14f, 3.14f));
}
