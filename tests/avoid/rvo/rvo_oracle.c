// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What velocities cost by `rvo`, by the definitions, in double.

#include "avoid/rvo/rvo_oracle.h"

#include <math.h>

typedef struct Point {
    double x, y;
} Point;

// What one velocity meets.
typedef struct Ahead {
    double rate, exit;
    bool overlaps;
} Ahead;

static double dot(Point a, Point b)
{
    return a.x * b.x + a.y * b.y;
}

static Point pointOf(thVec2 v)
{
    return (Point){(double)v.x, (double)v.y};
}

static Point minus(Point a, Point b)
{
    return (Point){a.x - b.x, a.y - b.y};
}

static double leastGap(double radius)
{
    return fmax(0.01 * radius, 1.0e-4);
}

// One over the time until |p − t w| = R; where they nearly touch or do, the gap counts as 1 %.
static double discRate(Point p, Point w, double radius, double nominal)
{
    const double gap = leastGap(nominal);
    const double c = fmax(dot(p, p) - radius * radius, gap * (2.0 * nominal + gap));
    const double b = dot(p, w), across = p.x * w.y - p.y * w.x;
    const double room = radius * radius * dot(w, w) - across * across;
    return b > 0.0 && room >= 0.0 ? (b + sqrt(room)) / c : 0.0;
}

static double exitTime(Point p, Point w, double radius)
{
    const double c = dot(p, p) - radius * radius, b = dot(p, w), a = dot(w, w);
    return a > 0.0 ? fmin((b + sqrt(b * b - a * c)) / a, 1.0e6) : 1.0e6;
}

// Where the lines of two legs cross: that of the reciprocal cone on the agent's side, and that of
// the plain cone on the other.
static Point hybridApex(Point p, double radius, Point own, Point others, Point apex)
{
    const double distance = sqrt(dot(p, p));
    const Point relative = minus(own, apex);
    const double turn = p.x * relative.y - p.y * relative.x, side = turn > 0.0 ? 1.0 : -1.0;
    if (fabs(turn) < 1.0e-9) // head-on: on neither side
        return apex;
    const double axis = atan2(p.y, p.x), half = asin(radius / distance);
    const Point mine = {cos(axis + side * half), sin(axis + side * half)};
    const Point wrong = {cos(axis - side * half), sin(axis - side * half)};
    const Point way = minus(others, apex);
    const double along =
        (way.x * wrong.y - way.y * wrong.x) / (mine.x * wrong.y - mine.y * wrong.x);
    return (Point){apex.x + along * mine.x, apex.y + along * mine.y};
}

static void meetNeighbor(const RvoAgent* agent, int32_t index, bool hybrid, Point v, double swell,
                         Ahead* ahead)
{
    const RvoNeighbor* n = &agent->neighbors[index];
    const double share = (double)n->share, nominal = (double)agent->radius + (double)n->radius;
    const double radius = nominal * (1.0 + swell);
    if (n->share < 0.01f)
        return;
    Point p = pointOf(n->position);
    if (p.x == 0.0 && p.y == 0.0) // on one point
        p.x = index % 2 == 0 ? 0.01 * nominal : -0.01 * nominal;
    const Point own = pointOf(agent->velocity), others = pointOf(n->velocity);
    Point apex = {(1.0 - share) * own.x + share * others.x,
                  (1.0 - share) * own.y + share * others.y};
    const bool overlaps = sqrt(dot(p, p)) < 0.99 * radius;
    if (hybrid && !overlaps && share < 1.0 && dot(p, p) > nominal * nominal && nominal > 0.0)
        apex = hybridApex(p, nominal, own, others, apex);
    const Point u = minus(v, apex), w = {u.x / share, u.y / share};
    if (overlaps)
        ahead->exit = fmax(ahead->exit, exitTime(p, w, radius));
    else
        ahead->rate = fmax(ahead->rate, discRate(p, w, radius, nominal));
    ahead->overlaps = ahead->overlaps || overlaps;
}

static double sideRate(Point a, Point b, Point w, double radius, double nominal, double swell)
{
    const Point e = minus(b, a);
    const double length = sqrt(dot(e, e));
    if (!(length > 0.0))
        return 0.0;
    Point n = {e.y / length, -e.x / length};
    double distance = dot(a, n);
    if (distance < 0.0) {
        n = (Point){-n.x, -n.y};
        distance = -distance;
    }
    const double foot = -dot(a, e) / (length * length), margin = swell * 10.0;
    if (distance < radius && !(foot >= -margin && foot <= 1.0 + margin))
        return 0.0;
    const double gap = fmax(distance - radius, leastGap(nominal)), closing = dot(w, n);
    if (!(closing > 0.0))
        return 0.0;
    const double met = foot + gap / closing * dot(w, e) / (length * length);
    return met >= -margin && met <= 1.0 + margin ? closing / gap : 0.0;
}

static void meetSegment(const RvoAgent* agent, Point a, Point b, double thickness, Point w,
                        double swell, Ahead* ahead)
{
    const double nominal = fmax((double)agent->radius + thickness - 0x1p-12, 0.0);
    const double radius = nominal * (1.0 + swell);
    ahead->rate = fmax(ahead->rate, discRate(a, w, radius, nominal));
    ahead->rate = fmax(ahead->rate, discRate(b, w, radius, nominal));
    ahead->rate = fmax(ahead->rate, sideRate(a, b, w, radius, nominal, swell));
}

static void meetMover(const RvoAgent* agent, const HandMover* mover, Point v, double swell,
                      Ahead* ahead)
{
    static const Point corners[4] = {{-0.4, -0.3}, {0.5, -0.2}, {0.1, 0.6}, {-0.4, -0.3}};
    const Point at = pointOf(mover->position), w = minus(v, pointOf(mover->velocity));
    if (mover->radius > 0.0f)
        meetSegment(agent, at, at, (double)mover->radius, w, swell, ahead);
    for (int32_t i = 0; i < 3 && !(mover->radius > 0.0f); ++i) {
        const Point a = {at.x + corners[i].x, at.y + corners[i].y};
        const Point b = {at.x + corners[i + 1].x, at.y + corners[i + 1].y};
        meetSegment(agent, a, b, 0.0, w, swell, ahead);
    }
}

double rvoOracleCost(const RvoAgent* agent, const thRvoDef* def, thVec2 velocity, double swell)
{
    const Point v = pointOf(velocity);
    Ahead ahead = {0.0, 0.0, false};
    for (int32_t i = 0; i < agent->neighborCount; ++i)
        meetNeighbor(agent, i, def->hybrid != 0, v, swell, &ahead);
    for (int32_t i = 0; i < agent->wallCount; ++i)
        meetSegment(agent, pointOf(agent->walls[i][0]), pointOf(agent->walls[i][1]), 0.0, v, swell,
                    &ahead);
    for (int32_t i = 0; i < agent->moverCount; ++i)
        meetMover(agent, &agent->movers[i], v, swell, &ahead);
    if (def->cutoff > 0.0f && ahead.rate * (double)def->cutoff < 1.0 - swell)
        ahead.rate = 0.0;
    const double limit = (double)agent->maxSpeed;
    const Point missed = minus(v, pointOf(agent->wanted));
    const double base = !ahead.overlaps ? sqrt(dot(missed, missed))
                        : limit > 0.0   ? 0.1 * sqrt(dot(v, v)) / limit
                                        : 0.0;
    return base + (double)def->weight * (ahead.rate + ahead.exit);
}
