// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Dual numbers, times to collisions in them, and the step of the power law as
// docs/methods/power-law.md has it.

#include "avoid/power_law/power_law_plain.h"

#include "avoid/power_law/power_law.h"

#include <math.h>

static Dual plain(double value)
{
    return (Dual){value, 0.0, 0.0};
}

static Dual sum(Dual a, Dual b)
{
    return (Dual){a.value + b.value, a.dx + b.dx, a.dy + b.dy};
}

static Dual times(double factor, Dual a)
{
    return (Dual){factor * a.value, factor * a.dx, factor * a.dy};
}

static Dual product(Dual a, Dual b)
{
    return (Dual){a.value * b.value, a.value * b.dx + a.dx * b.value,
                  a.value * b.dy + a.dy * b.value};
}

// A function with that value and slope.
static Dual of(Dual a, double value, double slope)
{
    return (Dual){value, slope * a.dx, slope * a.dy};
}

static Dual root(Dual a)
{
    const double r = sqrt(a.value);
    return of(a, r, 0.5 / r);
}

static Dual inverse(Dual a)
{
    return of(a, 1.0 / a.value, -1.0 / (a.value * a.value));
}

// The smaller root of |p + t w|² = R².
Dual plainTimeToDisc(Point p, Point w, double radius)
{
    const Dual x = {p.x, 1.0, 0.0}, y = {p.y, 0.0, 1.0};
    const double a = w.x * w.x + w.y * w.y;
    const Dual b = sum(times(w.x, x), times(w.y, y));
    const Dual c = sum(sum(product(x, x), product(y, y)), plain(-radius * radius));
    const Dual disc = sum(product(b, b), times(-a, c));
    if (c.value < 0.0)
        return plain(0.0);
    if (b.value >= 0.0 || disc.value <= 0.0)
        return plain(INFINITY);
    return times(1.0 / a, sum(times(-1.0, b), times(-1.0, root(disc))));
}

static Dual earlier(Dual a, Dual b)
{
    return b.value < a.value ? b : a;
}

// A box as long as the segment, and discs about its ends.
Dual plainTimeToSegment(Point a, Point b, Point w, double radius)
{
    Dual least = earlier(plainTimeToDisc(a, w, radius), plainTimeToDisc(b, w, radius));
    const double length = hypot(b.x - a.x, b.y - a.y);
    if (length == 0.0)
        return least;
    const Point along = {(b.x - a.x) / length, (b.y - a.y) / length};
    const Point normal = {-along.y, along.x};
    const Dual across = {normal.x * a.x + normal.y * a.y, normal.x, normal.y};
    const double start = along.x * a.x + along.y * a.y;
    const double closing = normal.x * w.x + normal.y * w.y, sliding = along.x * w.x + along.y * w.y;
    if (fabs(across.value) < radius && start <= 0.0 && start + length >= 0.0)
        return plain(0.0);
    const double side = across.value > 0.0 ? 1.0 : -1.0;
    if (side * across.value < radius || side * closing >= 0.0)
        return least;
    const Dual time = times(-1.0 / closing, sum(across, plain(-side * radius)));
    const double there = start + sliding * time.value;
    return there <= 0.0 && there + length >= 0.0 ? earlier(time, least) : least;
}

Dual plainEnergy(const thPowerLawDef* def, Dual time)
{
    if (!(time.value < INFINITY) || time.value > 4.0 * (double)def->horizon)
        return plain(0.0);
    const double fall = exp(-time.value / (double)def->horizon);
    const Dual decay = of(time, fall, -fall / (double)def->horizon);
    const Dual inverseTime = inverse(time);
    return times((double)def->strength, product(decay, product(inverseTime, inverseTime)));
}

// Forces, and by how much they brake.

typedef struct Total {
    Point force;
    double xx, xy, yy;
} Total;

static void push(Total* total, double most, Point normal, double force, double brake)
{
    const double kept = fmin(force, most);
    const double braked = force > 0.0 ? brake * kept / force : 0.0;
    total->force.x -= kept * normal.x;
    total->force.y -= kept * normal.y;
    total->xx += braked * normal.x * normal.x;
    total->xy += braked * normal.x * normal.y;
    total->yy += braked * normal.y * normal.y;
}

// Of those that overlap; `nearest` is the nearest point of the other's middle.
static void part(Total* total, const thPowerLawDef* def, Point nearest, Point w, double radius,
                 double responses)
{
    const double distance = hypot(nearest.x, nearest.y), within = (double)TH_POWER_LAW_PARTING;
    const Point normal = {nearest.x / distance, nearest.y / distance};
    const double closing = -(normal.x * w.x + normal.y * w.y);
    const double parting = (radius - distance) / within + closing;
    if (parting > 0.0)
        push(total, (double)def->maxForce, normal, parting / within,
             responses / within * fmin(1.0, parting / (double)TH_POWER_LAW_GRAZE));
}

double plainBrake(const thPowerLawDef* def, double t, double closing)
{
    const double t0 = (double)def->horizon, e = (double)def->strength * exp(-t / t0);
    const double slope = e * (2.0 / (t * t * t) + 1.0 / (t0 * t * t));
    const double bend =
        e * (6.0 / (t * t * t * t) + 4.0 / (t0 * t * t * t) + 1.0 / (t0 * t0 * t * t));
    return (bend * t - slope) / (closing * closing);
}

static void avoid(Total* total, const thPowerLawDef* def, Dual time, double responses)
{
    if (!(time.value <= 4.0 * (double)def->horizon))
        return;
    const double t = fmax(time.value, (double)TH_POWER_LAW_SOON), t0 = (double)def->horizon;
    const double steep = hypot(time.dx, time.dy);
    const double closing = fmax(1.0 / steep, (double)TH_POWER_LAW_GRAZE);
    const double e = (double)def->strength * exp(-t / t0);
    const double slope = e * (2.0 / (t * t * t) + 1.0 / (t0 * t * t));
    push(total, (double)def->maxForce, (Point){time.dx / steep, time.dy / steep}, slope / closing,
         responses * plainBrake(def, t, closing));
}

static Point nearestOf(Point a, Point b)
{
    const double ex = b.x - a.x, ey = b.y - a.y, length = ex * ex + ey * ey;
    double t = length > 0.0 ? -(a.x * ex + a.y * ey) / length : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return (Point){a.x + t * ex, a.y + t * ey};
}

static Point shifted(thVec2 from, thVec2 v, double after, Point moved)
{
    return (Point){(double)from.x + after * (double)v.x - moved.x,
                   (double)from.y + after * (double)v.y - moved.y};
}

static Total feel(const Sight* sight, double after, Point moved, Point v)
{
    const OrcaSet* set = &sight->set;
    Total total = {{0.0, 0.0}, 0.0, 0.0, 0.0};
    for (int32_t i = 0; i < set->neighborCount; ++i) {
        const thAvoidNeighbor* n = &set->neighbors[i];
        const Point p = shifted(n->position, n->velocity, after, moved);
        const Point w = {(double)n->velocity.x - v.x, (double)n->velocity.y - v.y};
        const double radius = (double)set->self.radius + (double)n->radius;
        if (hypot(p.x, p.y) < radius)
            part(&total, &sight->def, p, w, radius, 2.0);
        else
            avoid(&total, &sight->def, plainTimeToDisc(p, w, radius), 2.0);
    }
    Dual first = plain(INFINITY);
    double deepest = 0.0, deepestRadius = 0.0;
    Point nearest = {0.0, 0.0}, against = {0.0, 0.0};
    for (int32_t i = 0; i < set->wallCount; ++i) {
        const thAvoidWall* wall = &set->walls[i];
        const Point a = shifted(wall->a, wall->velocity, after, moved);
        const Point b = shifted(wall->b, wall->velocity, after, moved);
        const Point w = {(double)wall->velocity.x - v.x, (double)wall->velocity.y - v.y};
        const double radius = (double)set->self.radius + (double)wall->radius;
        const Point here = nearestOf(a, b);
        const double depth = radius - hypot(here.x, here.y);
        if (depth > deepest) {
            deepest = depth;
            deepestRadius = radius;
            nearest = here;
            against = w;
        }
        first = earlier(first, plainTimeToSegment(a, b, w, radius));
    }
    if (deepest > 0.0)
        part(&total, &sight->def, nearest, against, deepestRadius, 1.0);
    else
        avoid(&total, &sight->def, first, 1.0);
    return total;
}

Point plainStep(const Sight* sight)
{
    const thAvoidSelf* self = &sight->set.self;
    const double dt = (double)sight->set.dt, drive = 1.0 / (double)sight->def.relaxation;
    Point v = {(double)self->velocity.x, (double)self->velocity.y}, moved = {0.0, 0.0};
    int parts = 2;
    for (int i = 0; i < parts; ++i) {
        const Total total = feel(sight, i * dt / parts, moved, v);
        if (i == 0 && sight->def.implicit == 0)
            parts = 1 + (int)fmin(dt * (drive + total.xx + total.yy), 15.0);
        const double h = dt / parts;
        const double x = h * (total.force.x + drive * ((double)self->wanted.x - v.x));
        const double y = h * (total.force.y + drive * ((double)self->wanted.y - v.y));
        if (sight->def.implicit == 0) {
            v = (Point){v.x + x, v.y + y};
        } else { // (1 + h (drive + brakes)) change = h forces
            const double xx = 1.0 + h * (drive + total.xx), yy = 1.0 + h * (drive + total.yy);
            const double xy = h * total.xy, determinant = xx * yy - xy * xy;
            v = (Point){v.x + (yy * x - xy * y) / determinant,
                        v.y + (xx * y - xy * x) / determinant};
        }
        const double speed = hypot(v.x, v.y), most = (double)self->maxSpeed;
        if (speed > most)
            v = (Point){v.x * most / speed, v.y * most / speed};
        moved = (Point){moved.x + h * v.x, moved.y + h * v.y};
    }
    return v;
}
