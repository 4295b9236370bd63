// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Half-planes in double, and the nearest velocity by trying all that it could be.

#include "avoid/orca/orca_oracle.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Rounding of a handful of float operations. [relative]
#define ROUNDING 1e-6
// How much a line may lack where lines meet, as a part of the speed limit.
#define PROGRAM_TOLERANCE 3e-6
// How far from its line a candidate may be, in double.
#define TINY 1e-9

static DVec plus(DVec a, DVec b)
{
    return (DVec){a.x + b.x, a.y + b.y};
}

static DVec minus(DVec a, DVec b)
{
    return (DVec){a.x - b.x, a.y - b.y};
}

static DVec times(double k, DVec a)
{
    return (DVec){k * a.x, k * a.y};
}

static double lengthOf(DVec a)
{
    return sqrt(dotOf(a, a));
}

static void addLine(Choice* choice, DVec n, double o, double slack)
{
    choice->lines[choice->count++] = (Line){n, o, slack};
}

// All speeds that occur: a line whose direction is off by an angle is off by that times this.
static double speedScale(const OrcaSet* set, DVec other)
{
    return lengthOf(asDouble(set->self.velocity)) + lengthOf(other) + (double)set->self.maxSpeed;
}

// The error of a tangent's direction: the length of the tangent is a root of a difference. [rad]
static double tangentError(double distance, double reach)
{
    const double square = 4.0 * FLT_EPSILON * distance * distance;
    const double leg = sqrt(fmax(0.0, distance * distance - reach * reach));
    return fmin(sqrt(square), leg > 0.0 ? square / leg : DBL_MAX) / distance + ROUNDING;
}

static void addOverlapLine(Choice* choice, const OrcaSet* set, const thAvoidNeighbor* neighbor)
{
    const DVec p = asDouble(neighbor->position);
    const DVec va = asDouble(set->self.velocity), vb = asDouble(neighbor->velocity);
    const double d = lengthOf(p), reach = (double)set->self.radius + (double)neighbor->radius;
    const double share = (double)neighbor->share;
    const double time = fmax((double)set->dt, (double)set->def.separationTime);
    const DVec middle = plus(times(1.0 - share, va), times(share, vb));
    const DVec n = d > 0.0 ? times(-1.0 / d, p) : (DVec){-1.0, 0.0};
    addLine(choice, n, dotOf(n, middle) + share * (reach - d) / time,
            ROUNDING * (speedScale(set, vb) + reach / time));
    if (d > 0.0)
        return;
    // Those on one point: one of both goes left, the other right.
    const Line* left = &choice->lines[choice->count - 1];
    addLine(choice, (DVec){1.0, 0.0}, middle.x + share * reach / time, left->slack);
}

static void addConeLine(Choice* choice, const OrcaSet* set, const thAvoidNeighbor* neighbor)
{
    const DVec p = asDouble(neighbor->position);
    const DVec va = asDouble(set->self.velocity), vb = asDouble(neighbor->velocity);
    const double d = lengthOf(p), reach = (double)set->self.radius + (double)neighbor->radius;
    const double share = (double)neighbor->share, horizon = (double)set->def.timeHorizon;
    const DVec w0 = minus(va, vb), w = minus(w0, times(1.0 / horizon, p));
    const double scale = speedScale(set, vb), length = lengthOf(w);
    const double wError = 0.5 * ROUNDING * (scale + d / horizon);
    if (dotOf(w, p) < 0.0 && dotOf(w, p) * dotOf(w, p) > reach * reach * dotOf(w, w)) {
        const DVec n = times(1.0 / length, w);
        addLine(choice, n, dotOf(n, va) + share * (reach / horizon - length),
                scale * (wError / length + ROUNDING) + wError + ROUNDING * reach / horizon);
        return;
    }
    const double leg = sqrt(d * d - reach * reach);
    const double angle = tangentError(d, reach);
    const double side = detOf(p, w);
    for (int32_t i = 0; i < 2; ++i) {
        // Head-on, rounding decides which leg it is.
        const double turn = i == 0 ? 1.0 : -1.0;
        if (turn * side < -d * wError || (side == 0.0 && i == 0))
            continue;
        const DVec dir = {(p.x * leg - turn * p.y * reach) / (d * d),
                          (turn * p.x * reach + p.y * leg) / (d * d)};
        const DVec n = times(turn, (DVec){-dir.y, dir.x});
        addLine(choice, n, dotOf(n, va) - share * dotOf(n, w0), scale * (angle + ROUNDING));
    }
}

Choice agentChoice(const OrcaSet* set, const thAvoidNeighbor* neighbor)
{
    Choice choice = {.count = 0};
    const double d = lengthOf(asDouble(neighbor->position));
    const double reach = (double)set->self.radius + (double)neighbor->radius;
    choice.undefined = d > 0.0 && d < 1e-6;
    if (d <= reach * (1.0 + 2.0 * FLT_EPSILON))
        addOverlapLine(&choice, set, neighbor);
    if (d > reach * (1.0 - 2.0 * FLT_EPSILON))
        addConeLine(&choice, set, neighbor);
    return choice;
}

// The point of segment a b nearest to the origin.
static DVec nearestPoint(DVec a, DVec b)
{
    const DVec span = minus(b, a);
    const double square = dotOf(span, span);
    const double t = square > 0.0 ? fmin(1.0, fmax(0.0, -dotOf(a, span) / square)) : 0.0;
    return plus(a, times(t, span));
}

// The tangent from the origin to the disc about c, on the left (turn 1) or right (turn -1).
static DVec tangentOf(DVec c, double reach, double turn)
{
    const double square = dotOf(c, c), leg = sqrt(fmax(0.0, square - reach * reach));
    return (DVec){(c.x * leg - turn * c.y * reach) / square,
                  (turn * c.x * reach + c.y * leg) / square};
}

Choice wallChoice(const OrcaSet* set, const thAvoidWall* wall)
{
    Choice choice = {.count = 0};
    const DVec a = asDouble(wall->a), b = asDouble(wall->b), vo = asDouble(wall->velocity);
    const DVec va = asDouble(set->self.velocity), w = minus(va, vo);
    const double reach = (double)set->self.radius + (double)wall->radius;
    const double horizon = (double)set->def.wallHorizon, scale = speedScale(set, vo);
    const DVec q = nearestPoint(a, b);
    const double d = lengthOf(q), qError = 3.0 * FLT_EPSILON * (lengthOf(a) + lengthOf(b));
    if (d < 1e-5 + qError) {
        choice.undefined = true;
        return choice;
    }
    const DVec away = times(-1.0 / d, q);
    const double capSlack = scale * (qError / d + ROUNDING);
    if (d <= reach + qError)
        addLine(&choice, away, dotOf(away, vo), capSlack);
    if (d <= reach - qError)
        return choice;
    Line borders[3] = {{away, dotOf(away, vo) - (d - reach) / horizon,
                        capSlack + (qError + ROUNDING * (d + reach)) / horizon}};
    const double angle =
        fmax(tangentError(lengthOf(a), reach), tangentError(lengthOf(b), reach)) +
        (d < reach * 1.001 ? 1e-3 : 0.0); // so near, the end of the tangent is uncertain too
    for (int32_t i = 0; i < 2; ++i) {
        const double turn = i == 0 ? 1.0 : -1.0;
        const DVec atA = tangentOf(a, reach, turn), atB = tangentOf(b, reach, turn);
        const DVec dir = turn * detOf(atA, atB) > 0.0 ? atB : atA;
        const DVec n = times(turn, (DVec){-dir.y, dir.x});
        borders[1 + i] = (Line){n, dotOf(n, vo), scale * angle};
    }
    double outside[3], most = -DBL_MAX;
    for (int32_t i = 0; i < 3; ++i) {
        outside[i] = dotOf(borders[i].n, va) - borders[i].o;
        most = fmax(most, outside[i]);
    }
    for (int32_t i = 0; i < 3; ++i)
        if (outside[i] >= most - borders[i].slack - ROUNDING * (lengthOf(w) + d / horizon))
            choice.lines[choice.count++] = borders[i];
    return choice;
}

DVec turnedWanted(const OrcaSet* set)
{
    const DVec v = asDouble(set->self.wanted);
    const double s = sin((double)set->def.sideBias), c = cos((double)set->def.sideBias);
    return (DVec){c * v.x + s * v.y, c * v.y - s * v.x};
}

static DVec clampTo(DVec v, double most)
{
    const double length = lengthOf(v);
    return length > most ? times(most / length, v) : v;
}

static bool obeys(const Line* lines, int32_t count, double shift, double maxSpeed, DVec v)
{
    if (lengthOf(v) > maxSpeed + TINY)
        return false;
    for (int32_t i = 0; i < count; ++i)
        if (dotOf(lines[i].n, v) < lines[i].o + shift * lines[i].slack - TINY)
            return false;
    return true;
}

// Where n · v = o meets m · v = p.
static bool crossing(DVec n, double o, DVec m, double p, DVec* v)
{
    const double det = detOf(n, m);
    if (det == 0.0)
        return false;
    *v = (DVec){(o * m.y - p * n.y) / det, (p * n.x - o * m.x) / det};
    return isfinite(v->x) && isfinite(v->y);
}

// Where n · v = o, n of any length, meets the circle.
static int32_t circlePoints(DVec n, double o, double maxSpeed, DVec points[2])
{
    const double length = lengthOf(n);
    const double at = length > 0.0 ? o / length : DBL_MAX;
    if (fabs(at) > maxSpeed)
        return 0;
    const DVec unit = times(1.0 / length, n), along = {-unit.y, unit.x};
    const double half = sqrt(maxSpeed * maxSpeed - at * at);
    points[0] = plus(times(at, unit), times(half, along));
    points[1] = plus(times(at, unit), times(-half, along));
    return 2;
}

bool nearestAllowed(const Line* lines, int32_t count, double shift, double maxSpeed, DVec wanted,
                    DVec* best)
{
    *best = clampTo(wanted, maxSpeed);
    if (obeys(lines, count, shift, maxSpeed, *best))
        return true;
    double least = DBL_MAX;
    for (int32_t i = 0; i < count; ++i) {
        const DVec n = lines[i].n;
        const double o = lines[i].o + shift * lines[i].slack;
        DVec points[3 + 2 * SET_NEIGHBORS + 2 * SET_WALLS];
        int32_t pointCount = circlePoints(n, o, maxSpeed, points);
        points[pointCount++] = plus(wanted, times(o - dotOf(n, wanted), n));
        for (int32_t j = 0; j < i; ++j)
            if (crossing(n, o, lines[j].n, lines[j].o + shift * lines[j].slack,
                         &points[pointCount]))
                ++pointCount;
        for (int32_t k = 0; k < pointCount; ++k) {
            const double distance = lengthOf(minus(points[k], wanted));
            if (distance < least && obeys(lines, count, shift, maxSpeed, points[k])) {
                least = distance;
                *best = points[k];
            }
        }
    }
    return least < DBL_MAX;
}

static double worstOf(const Line* soft, int32_t count, DVec v)
{
    double worst = -DBL_MAX;
    for (int32_t i = 0; i < count; ++i)
        worst = fmax(worst, soft[i].o - dotOf(soft[i].n, v));
    return worst;
}

// What leastViolation has found so far.
typedef struct Search {
    const Line *hard, *soft;
    int32_t hardCount, softCount;
    double shift, maxSpeed, least;
} Search;

static void tryPoint(Search* s, DVec v)
{
    const double worst = worstOf(s->soft, s->softCount, v);
    if (worst < s->least && obeys(s->hard, s->hardCount, s->shift, s->maxSpeed, v))
        s->least = worst;
}

// All vertices on the line n · v = o: with the circle, hard lines, and other bisectors with `with`.
static void tryLine(Search* s, DVec n, double o, const Line* with)
{
    DVec points[2], v;
    const int32_t count = circlePoints(n, o, s->maxSpeed, points);
    for (int32_t i = 0; i < count; ++i)
        tryPoint(s, points[i]);
    for (int32_t i = 0; i < s->hardCount; ++i)
        if (crossing(n, o, s->hard[i].n, s->hard[i].o + s->shift * s->hard[i].slack, &v))
            tryPoint(s, v);
    for (int32_t i = 0; with != NULL && i < s->softCount; ++i)
        if (crossing(n, o, minus(with->n, s->soft[i].n), with->o - s->soft[i].o, &v))
            tryPoint(s, v);
}

bool leastViolation(const Line* hard, int32_t hardCount, const Line* soft, int32_t softCount,
                    double shift, double maxSpeed, double* violation)
{
    Search s = {hard, soft, hardCount, softCount, shift, maxSpeed, DBL_MAX};
    tryPoint(&s, (DVec){0.0, 0.0});
    for (int32_t i = 0; i < softCount; ++i) {
        tryPoint(&s, times(maxSpeed, soft[i].n));
        for (int32_t j = 0; j < i; ++j)
            tryLine(&s, minus(soft[i].n, soft[j].n), soft[i].o - soft[j].o, &soft[i]);
    }
    for (int32_t i = 0; i < hardCount; ++i)
        tryLine(&s, hard[i].n, hard[i].o + shift * hard[i].slack, NULL);
    *violation = s.least;
    return s.least < DBL_MAX;
}

double timeToCollision(DVec p, DVec w, double reach)
{
    // |p - w t| = reach, the earlier root.
    const double a = dotOf(w, w), b = dotOf(p, w), c = dotOf(p, p) - reach * reach;
    if (c <= 0.0)
        return 0.0;
    const double square = b * b - a * c;
    return b <= 0.0 || square < 0.0 ? INFINITY : c / (b + sqrt(square));
}

static Verdict judgeLines(const OrcaSet* set, const Line* lines, DVec v, thOrcaStatus status,
                          const char** reason)
{
    const int32_t walls = set->wallCount, count = walls + set->neighborCount;
    const double maxSpeed = (double)set->self.maxSpeed;
    const DVec wanted = turnedWanted(set), aim = clampTo(wanted, maxSpeed);
    const double near = 4.0 * ROUNDING * (maxSpeed + lengthOf(wanted));
    DVec best;
    *reason = "a wall is not obeyed";
    if (status != th_orcaInfeasible && !obeys(lines, walls, -1.0, maxSpeed + near, v))
        return verdict_wrong;
    const bool isFeasible = nearestAllowed(lines, count, 1.0, maxSpeed, wanted, &best);
    if (status <= th_orcaConstrained) {
        *reason = "a neighbour is not obeyed";
        if (!obeys(lines, count, -1.0, maxSpeed + near, v))
            return verdict_wrong;
        *reason = "the wanted velocity is not free";
        if (status == th_orcaFree && lengthOf(minus(v, aim)) > near)
            return verdict_wrong;
        *reason = "the wanted velocity is free";
        if (status == th_orcaConstrained && obeys(lines, count, 1.0, maxSpeed, aim))
            return verdict_wrong;
        *reason = "another velocity is nearer";
        if (isFeasible && lengthOf(minus(v, wanted)) > lengthOf(minus(best, wanted)) + near)
            return verdict_wrong;
        return isFeasible ? verdict_right : verdict_borderline;
    }
    *reason = "there is a solution";
    if (isFeasible)
        return verdict_wrong;
    const bool wallsLeave = nearestAllowed(lines, walls, 1.0, maxSpeed, wanted, &best);
    if (status == th_orcaInfeasible) {
        *reason = "walls leave something";
        if (wallsLeave)
            return verdict_wrong;
        *reason = "it does not stand";
        return v.x == 0.0 && v.y == 0.0 ? verdict_right : verdict_wrong;
    }
    double least, slack = near;
    for (int32_t i = 0; i < count; ++i)
        slack = fmax(slack, 2.0 * lines[i].slack + near);
    if (!leastViolation(lines, walls, &lines[walls], set->neighborCount, 1.0, maxSpeed, &least))
        return verdict_borderline;
    *reason = "another velocity violates less";
    return worstOf(&lines[walls], set->neighborCount, v) <= least + slack ? verdict_right
                                                                          : verdict_wrong;
}

Verdict judge(const OrcaSet* set, thVec2 velocity, thOrcaStatus status, const char** reason)
{
    Choice choices[SET_WALLS + SET_NEIGHBORS];
    const int32_t count = set->wallCount + set->neighborCount;
    int64_t ways = 1;
    for (int32_t i = 0; i < count; ++i) {
        choices[i] = i < set->wallCount ? wallChoice(set, &set->walls[i])
                                        : agentChoice(set, &set->neighbors[i - set->wallCount]);
        if (choices[i].undefined)
            return verdict_open;
        ways *= choices[i].count;
        if (ways > 256)
            return verdict_open;
    }
    Verdict verdict = verdict_wrong;
    for (int64_t way = 0; way < ways && verdict == verdict_wrong; ++way) {
        Line lines[SET_WALLS + SET_NEIGHBORS];
        int64_t rest = way;
        for (int32_t i = 0; i < count; rest /= choices[i++].count)
            lines[i] = choices[i].lines[rest % choices[i].count];
        for (int32_t i = 0; i < count; ++i) {
            if (lines[i].slack > 0.01) // a line that could be anywhere judges nothing
                return verdict_open;
            lines[i].slack += PROGRAM_TOLERANCE * (double)set->self.maxSpeed;
        }
        verdict = judgeLines(set, lines, asDouble(velocity), status, reason);
    }
    return verdict;
}
