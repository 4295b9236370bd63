// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Steering behaviours in double, by formula or by search.

#include "steer/steer_oracle.h"

#include "throng/random.h"

#define NEAR 1e-4

static Plane plane(thVec2 v)
{
    return (Plane){(double)v.x, (double)v.y};
}

static Plane plus(Plane a, double factor, Plane b)
{
    return (Plane){a.x + factor * b.x, a.y + factor * b.y};
}

static double length(Plane a)
{
    return hypot(a.x, a.y);
}

static Plane along(Plane a, double size)
{
    return length(a) > 0.0 ? (Plane){a.x / length(a) * size, a.y / length(a) * size}
                           : (Plane){0.0, 0.0};
}

static double dot(Plane a, Plane b)
{
    return a.x * b.x + a.y * b.y;
}

static Plane nearestOn(Plane a, Plane b, Plane p)
{
    const Plane way = plus(b, -1.0, a);
    const double lengthSq = dot(way, way);
    const double share = lengthSq > 0.0 ? dot(plus(p, -1.0, a), way) / lengthSq : 0.0;
    return plus(a, fmin(1.0, fmax(0.0, share)), way);
}

static double distanceTo(Plane a, Plane b, Plane p)
{
    return length(plus(nearestOn(a, b, p), -1.0, p));
}

// The time until a point with a velocity is within a radius of a segment, by search: its distance
// from the segment falls, then rises. Infinite if that does not come within `most`. The least
// distance by then goes to `least`.
static double timeTo(Plane a, Plane b, Plane velocity, double radius, double most, double* least)
{
    const Plane origin = {0.0, 0.0};
    double low = 0.0, high = most;
    for (int32_t i = 0; i < 200; ++i) {
        const double p = low + (high - low) / 3.0, q = high - (high - low) / 3.0;
        if (distanceTo(a, b, plus(origin, p, velocity)) <=
            distanceTo(a, b, plus(origin, q, velocity)))
            high = q;
        else
            low = p;
    }
    *least = distanceTo(a, b, plus(origin, high, velocity));
    if (*least > radius)
        return INFINITY;
    double before = 0.0, after = high;
    if (distanceTo(a, b, origin) <= radius)
        return 0.0;
    for (int32_t i = 0; i < 100; ++i) {
        const double middle = 0.5 * (before + after);
        if (distanceTo(a, b, plus(origin, middle, velocity)) <= radius)
            after = middle;
        else
            before = middle;
    }
    return after;
}

static Plane awayFrom(const SteerCase* made, Plane place, uint64_t key)
{
    if (place.x == 0.0 && place.y == 0.0)
        return (Plane){made->key < key ? -1.0 : 1.0, 0.0};
    return along(place, -1.0);
}

static Plane separate(const SteerCase* made, const thSteerDef* def)
{
    Plane sum = {0.0, 0.0};
    for (int32_t i = 0; i < made->neighborCount; ++i) {
        const SteerNeighbor* n = &made->neighbors[i];
        const double range = (double)def->separationRange;
        const double gap = length(plane(n->position)) - (double)made->radius - (double)n->radius;
        if (n->share >= 0.01f && range > 0.0 && gap < range)
            sum = plus(sum, 2.0 * (double)n->share * (1.0 - gap / range),
                       awayFrom(made, plane(n->position), n->key));
    }
    return sum;
}

static Plane dodge(const SteerCase* made, const thSteerDef* def, bool* unsure)
{
    const double ahead = (double)def->lookAhead;
    double soonest = ahead, second = ahead;
    Plane result = {0.0, 0.0};
    for (int32_t i = 0; i < made->neighborCount; ++i) {
        const SteerNeighbor* n = &made->neighbors[i];
        const Plane place = plane(n->position);
        const Plane w = plus(plane(made->velocity), -1.0, plane(n->velocity));
        const double radius = (double)made->radius + (double)n->radius;
        *unsure = *unsure || fabs(length(place) - radius) < NEAR || fabs(dot(place, w)) < NEAR;
        if (n->share < 0.01f || dot(place, w) <= 0.0)
            continue;
        double least;
        const double time = timeTo(place, place, w, radius, ahead, &least);
        *unsure = *unsure || fabs(least - radius) < NEAR;
        if (!(time < ahead))
            continue;
        second = fmin(second, fmax(time, soonest));
        if (time < soonest) {
            soonest = time;
            const Plane nearest = plus(place, -dot(place, w) / dot(w, w), w);
            *unsure = *unsure || fabs(length(nearest) - 0.1 * radius) < NEAR;
            const Plane aside = length(nearest) > 0.1 * radius ? along(nearest, -1.0)
                                                               : along((Plane){w.y, -w.x}, 1.0);
            result = plus((Plane){0.0, 0.0}, 2.0 * (double)n->share * (1.0 - time / ahead), aside);
        }
    }
    *unsure = *unsure || (second < ahead && second - soonest < NEAR);
    return result;
}

typedef struct Wall {
    double soonest;
    Plane away;
    bool unsure;
} Wall;

static void meet(Plane a, Plane b, Plane w, double radius, double ahead, Wall* wall)
{
    double least;
    const double time = timeTo(a, b, w, radius, ahead, &least);
    wall->unsure = wall->unsure || fabs(least - radius) < NEAR ||
                   fabs(distanceTo(a, b, (Plane){0.0, 0.0}) - radius) < NEAR;
    if (!(time < ahead))
        return;
    const Plane there = {time * w.x, time * w.y};
    const Plane back = plus(there, -1.0, nearestOn(a, b, there));
    const Plane away = along(length(back) > 0.0 ? back : (Plane){-w.x, -w.y}, 1.0);
    wall->unsure = wall->unsure || fabs(dot(away, w)) < 0.01 * length(w) || length(back) < 0.01 ||
                   fabs(time - wall->soonest) < NEAR;
    if (dot(away, w) >= 0.0 || time >= wall->soonest)
        return;
    wall->soonest = time;
    wall->away = away;
}

static Plane keepOffWalls(const SteerCase* made, const thSteerDef* def, bool* unsure)
{
    const double ahead = (double)def->wallAhead, radius = (double)made->radius - 0x1p-12;
    const Plane own = plane(made->velocity);
    Wall wall = {.soonest = ahead};
    for (int32_t i = 0; i < made->wallCount; ++i)
        meet(plane(made->walls[i][0]), plane(made->walls[i][1]), own, radius, ahead, &wall);
    for (int32_t i = 0; i < made->moverCount; ++i) {
        const HandMover* mover = &made->movers[i];
        const Plane at = plane(mover->position), moves = plane(mover->velocity);
        if (mover->radius > 0.0f)
            meet(at, at, plus(own, -1.0, moves), radius + (double)mover->radius, ahead, &wall);
        for (int32_t k = 0; k < 3 && !(mover->radius > 0.0f); ++k) {
            const Plane a = plane(handTriangle[k]), b = plane(handTriangle[(k + 1) % 3]);
            const Plane middle = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
            const Plane turns = {-(double)mover->spin * middle.y, (double)mover->spin * middle.x};
            meet(plus(at, 1.0, a), plus(at, 1.0, b), plus(plus(own, -1.0, moves), -1.0, turns),
                 radius, ahead, &wall);
        }
    }
    *unsure = *unsure || wall.unsure;
    return plus((Plane){0.0, 0.0}, 1.0 - wall.soonest / ahead, wall.away);
}

static int32_t lookAtFlock(const SteerCase* made, const thSteerDef* def, Plane* middle,
                           Plane* velocity, bool* unsure)
{
    int32_t count = 0;
    *middle = *velocity = (Plane){0.0, 0.0};
    for (int32_t i = 0; i < made->neighborCount; ++i) {
        const SteerNeighbor* n = &made->neighbors[i];
        const double distance = length(plane(n->position));
        *unsure = *unsure || fabs(distance - (double)def->flockRange) < NEAR;
        if ((n->layers & made->layers) == 0 || distance > (double)def->flockRange)
            continue;
        count += 1;
        *middle = plus(*middle, 1.0, plane(n->position));
        *velocity = plus(*velocity, 1.0, plane(n->velocity));
    }
    return count;
}

static Plane wander(const SteerCase* made, const thSteerDef* def)
{
    const double steps = floor((double)(def->wanderTime / made->dt + 0.5f));
    const uint64_t period = steps < 1.0 ? 1 : (uint64_t)steps;
    double turns[2];
    for (uint64_t i = 0; i < 2; ++i)
        turns[i] =
            -1.0 + 2.0 * (double)thRandomUnit(
                             thRandomStream(7, made->key, made->step / period + i, 0x77616e64u), 0);
    const double t = (double)(made->step % period) / (double)period;
    const double left = turns[0] + t * t * (3.0 - 2.0 * t) * (turns[1] - turns[0]);
    Plane facing = along(plane(made->velocity), 1.0);
    if (length(plane(made->velocity)) <= 0.001)
        facing = (Plane){cos((double)made->heading), sin((double)made->heading)};
    return (Plane){-left * facing.y, left * facing.x};
}

// The nearest neighbour on a layer; NULL if it is beyond the range.
static const SteerNeighbor* nearestOf(const SteerCase* made, int32_t layer, double range,
                                      bool* unsure)
{
    const SteerNeighbor* nearest = NULL;
    double least = range;
    for (int32_t i = 0; i < made->neighborCount; ++i) {
        const SteerNeighbor* n = &made->neighbors[i];
        const double distance = length(plane(n->position));
        if ((n->layers >> layer & 1) == 0)
            continue;
        *unsure = *unsure || fabs(distance - least) < NEAR;
        if (distance > least)
            continue;
        nearest = n;
        least = distance;
    }
    return nearest;
}

static Plane placeAhead(const SteerCase* made, const thSteerDef* def, const SteerNeighbor* n)
{
    const double distance = length(plane(n->position)), speed = (double)made->maxSpeed;
    const double time = fmin((double)def->lookAhead, speed > 0.0 ? distance / speed : INFINITY);
    return plus(plane(n->position), time, plane(n->velocity));
}

static Plane chase(const SteerCase* made, const thSteerDef* def, bool* unsure)
{
    const SteerNeighbor* n = nearestOf(made, def->preyLayer, INFINITY, unsure);
    if (n == NULL)
        return (Plane){0.0, 0.0};
    const Plane place = placeAhead(made, def, n);
    *unsure = *unsure || length(place) < 0.01;
    return plus(along(place, (double)made->maxSpeed), -1.0, plane(made->velocity));
}

static Plane run(const SteerCase* made, const thSteerDef* def, bool ahead, bool* unsure)
{
    const SteerNeighbor* n = nearestOf(made, def->fearLayer, (double)def->fearRange, unsure);
    if (n == NULL)
        return (Plane){0.0, 0.0};
    const Plane place = ahead ? placeAhead(made, def, n) : plane(n->position);
    *unsure = *unsure || length(place) < 0.01;
    const Plane away = awayFrom(made, place, n->key);
    return plus(plus((Plane){0.0, 0.0}, (double)made->maxSpeed, away), -1.0, plane(made->velocity));
}

static Plane nodeAt(const SteerCase* made, int32_t i)
{
    return plane(made->nodes[i % made->nodeCount]);
}

// The path in small steps: where it is nearest, and where it is so much further on.
static Plane follow(const SteerCase* made, const thSteerDef* def, bool* unsure)
{
    const int32_t segments = made->nodeCount - (made->closed ? 0 : 1);
    const Plane origin = {0.0, 0.0};
    if (made->nodeCount < 2)
        return origin;
    double total = 0.0, best = INFINITY, at = 0.0;
    Plane nearest = origin;
    for (int32_t i = 0; i < segments; ++i) {
        const Plane a = nodeAt(made, i), b = nodeAt(made, i + 1), place = nearestOn(a, b, origin);
        *unsure = *unsure ||
                  (fabs(length(place) - best) < NEAR && length(plus(place, -1.0, nearest)) > NEAR);
        if (length(place) < best) {
            best = length(place);
            nearest = place;
            at = total + length(plus(place, -1.0, a));
        }
        total += length(plus(b, -1.0, a));
    }
    double goal = at + (double)made->prefSpeed * (double)def->lookAhead;
    *unsure = *unsure || (made->closed && goal - at > total - NEAR); // once round and further
    if (made->closed && total > 0.0)
        goal = fmod(goal, total);
    Plane ahead = nodeAt(made, segments);
    double begin = 0.0;
    for (int32_t i = 0; i < segments; ++i) {
        const Plane way = plus(nodeAt(made, i + 1), -1.0, nodeAt(made, i));
        if (goal >= begin && goal < begin + length(way)) {
            ahead = plus(nodeAt(made, i), (goal - begin) / length(way), way);
            break;
        }
        begin += length(way);
    }
    const Plane way = plus(ahead, -1.0, nearest);
    *unsure = *unsure || fabs(best - (double)def->pathRadius) < NEAR ||
              (length(way) < 0.01 && length(way) > 0.0) || length(ahead) < 0.01;
    if (best <= (double)def->pathRadius && length(way) > 0.0)
        return plus(along(way, (double)made->prefSpeed), -1.0, plane(made->velocity));
    const double distance = length(ahead), slowing = (double)def->slowing;
    double speed = (double)made->prefSpeed * (distance < slowing ? distance / slowing : 1.0);
    speed = fmin(speed, distance / (double)made->dt);
    return plus(along(ahead, speed), -1.0, plane(made->velocity));
}

static Plane weigh(double weight, Plane behaviour)
{
    return (Plane){weight * behaviour.x, weight * behaviour.y};
}

void askSteerOracle(const SteerCase* made, const thSteerDef* def, SteerOracle* oracle)
{
    *oracle = (SteerOracle){0};
    bool* unsure = oracle->unsure;
    const double once = 1.0 / (double)made->dt;
    const Plane own = plane(made->velocity);
    Plane* parts = oracle->parts;
    parts[th_partSeek] = weigh(fmin((double)def->seek, once), plus(plane(made->wanted), -1.0, own));
    if (def->avoidance) {
        parts[th_partSeparation] = weigh((double)def->separation, separate(made, def));
        parts[th_partDodge] = weigh((double)def->dodge, dodge(made, def, &unsure[th_partDodge]));
        parts[th_partWalls] =
            weigh((double)def->walls, keepOffWalls(made, def, &unsure[th_partWalls]));
    }
    if (made->flags != 0)
        return;
    Plane middle, velocity;
    const int32_t count = lookAtFlock(made, def, &middle, &velocity, &unsure[th_partAlignment]);
    unsure[th_partCohesion] = unsure[th_partAlignment];
    if (count > 0) {
        parts[th_partAlignment] = weigh(fmin((double)def->alignment, once),
                                        plus(weigh(1.0 / count, velocity), -1.0, own));
        parts[th_partCohesion] =
            weigh((double)def->cohesion / (double)def->flockRange / count, middle);
    }
    parts[th_partWander] = weigh((double)def->wander, wander(made, def));
    parts[th_partPursue] =
        weigh(fmin((double)def->pursue, once), chase(made, def, &unsure[th_partPursue]));
    parts[th_partFlee] =
        weigh(fmin((double)def->flee, once), run(made, def, false, &unsure[th_partFlee]));
    parts[th_partEvade] =
        weigh(fmin((double)def->evade, once), run(made, def, true, &unsure[th_partEvade]));
    parts[th_partFollow] =
        weigh(fmin((double)def->follow, once), follow(made, def, &unsure[th_partFollow]));
}
