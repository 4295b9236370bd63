// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "avoid/clearpath_regions.h"

#include "geom/vec2.h"

#include <math.h>

static thVec2 apexOf(const thClearpathOwn* own, const thClearpathOther* other)
{
    return thiAddScaled(own->velocity, other->share, thiSubtract(other->velocity, own->velocity));
}

static float distanceOf(const thClearpathOther* other)
{
    return sqrtf(thiDot(other->p, other->p));
}

// The direction to another, also of one on the same point.
static thVec2 directionOf(const thClearpathOther* other, float distance)
{
    if (distance < TH_CLEARPATH_ONE_POINT)
        return (thVec2){other->isFirst ? 1.0f : -1.0f, 0.0f};
    return thiScale(1.0f / distance, other->p);
}

bool thiClearpathOverlaps(const thClearpathOther* other)
{
    const float bothSq = other->both * other->both;
    const float leastSq = TH_CLEARPATH_ONE_POINT * TH_CLEARPATH_ONE_POINT;
    return thiDot(other->p, other->p) <= (bothSq > leastSq ? bothSq : leastSq);
}

// Unit normals of the legs of a cone, into it.
typedef struct Legs {
    thVec2 right, left;
} Legs;

// Of the tangents from the origin to a disc that it is not in.
static Legs legsOf(thVec2 p, float radius)
{
    const float distanceSq = thiDot(p, p), restSq = distanceSq - radius * radius;
    const float leg = restSq > 0.0f ? sqrtf(restSq) : 0.0f, per = 1.0f / distanceSq;
    return (Legs){{per * (p.x * radius - p.y * leg), per * (p.x * leg + p.y * radius)},
                  {per * (p.x * radius + p.y * leg), per * (p.y * radius - p.x * leg)}};
}

static void setSide(thRegion* region, int32_t side, thVec2 n, thVec2 through, float beyond)
{
    region->n[side] = n;
    region->o[side] = thiDot(n, through) + beyond;
}

static thRegion halfPlane(thVec2 n, thVec2 through, float beyond)
{
    thRegion region = {.sides = 1};
    setSide(&region, 0, n, through, beyond);
    return region;
}

// A relative velocity leads to a collision within the horizon if it is in the cone of discs
// D(p / t, R / t) with t up to that. The agent's own is the apex plus its share of that.
thRegion thiClearpathCone(const thClearpathOwn* own, const thClearpathOther* other, float horizon,
                          bool round, bool hybrid)
{
    const thVec2 apex = apexOf(own, other);
    const float distance = distanceOf(other), per = other->share / horizon;
    const Legs legs = legsOf(other->p, other->both);
    const float side = thiDet(other->p, thiSubtract(own->velocity, other->velocity));
    const bool wrongIsLeft = hybrid && side < 0.0f, wrongIsRight = hybrid && side > 0.0f;
    const float gap = distance - other->both, both = other->both;
    thRegion region = {.sides = 3};
    setSide(&region, 0, legs.right, wrongIsRight ? other->velocity : apex, 0.0f);
    setSide(&region, 1, legs.left, wrongIsLeft ? other->velocity : apex, 0.0f);
    setSide(&region, 2, thiScale(1.0f / distance, other->p), apex,
            per * (round ? gap * (distance + both) / distance : gap));
    if (round)
        region.cap = (thDisc){thiAddScaled(apex, per, other->p), per * both};
    return region;
}

thRegion thiClearpathOtherSide(const thClearpathOwn* own, const thClearpathOther* other,
                               bool keepsLeft)
{
    const thVec2 towards = directionOf(other, distanceOf(other)), left = thiLeftOf(towards);
    const float side = thiDot(left, thiSubtract(own->velocity, other->velocity));
    const float least = 1.0e-6f * own->maxSpeed;
    const bool passesLeft = side > 0.0f && side >= least;
    const bool passesRight = side < 0.0f && side <= -least;
    return halfPlane(passesLeft || (keepsLeft && !passesRight) ? thiNegate(left) : left,
                     apexOf(own, other), 0.0f);
}

thRegion thiClearpathFace(const thClearpathOwn* own, const thClearpathOther* other, float horizon,
                          bool keepsLeft)
{
    const thVec2 apex = apexOf(own, other), w = thiSubtract(own->velocity, other->velocity);
    const float distance = distanceOf(other), gap = distance - other->both;
    const Legs legs = legsOf(other->p, other->both);
    const thVec2 towards = thiScale(1.0f / distance, other->p);
    const float outCap = gap / horizon - thiDot(towards, w);
    const float outRight = -thiDot(legs.right, w), outLeft = -thiDot(legs.left, w);
    if (outCap >= outRight && outCap >= outLeft)
        return halfPlane(towards, apex, other->share * gap / horizon);
    const bool isRight = keepsLeft ? outRight > outLeft : outRight >= outLeft;
    return halfPlane(isRight ? legs.right : legs.left, apex, 0.0f);
}

// As fast as the agent can, if that is not enough to part within the step.
static thRegion partAlongCenters(const thClearpathOwn* own, const thClearpathOther* other)
{
    const float distance = distanceOf(other);
    const float needed = other->share * (other->both - distance) / own->dt;
    const float reach =
        own->reachable.radius < own->maxSpeed ? own->reachable.radius : own->maxSpeed;
    return halfPlane(directionOf(other, distance), apexOf(own, other),
                     needed < reach ? -needed : -reach);
}

// The velocities with which both still overlap after the step, if the other does its share.
static thDisc overlappingDisc(const thClearpathOwn* own, const thClearpathOther* other)
{
    const float per = other->share / own->dt;
    return (thDisc){thiAddScaled(apexOf(own, other), per, other->p), per * other->both};
}

// Two sides that touch the disc where the border of what can be reached crosses it.
static thRegion partByWedge(const thClearpathOwn* own, const thDisc* disc, thVec2 out,
                            float distance)
{
    const float reach = own->reachable.radius;
    const float cosine = (distance * distance + disc->radius * disc->radius - reach * reach) /
                         (2.0f * distance * disc->radius);
    const float bounded = cosine < 1.0f ? cosine : 1.0f;
    const thVec2 across = thiScale(sqrtf(1.0f - bounded * bounded), thiLeftOf(out));
    const thVec2 along = thiScale(-bounded, out);
    thRegion region = {.sides = 2};
    setSide(&region, 0, thiAddScaled(along, -1.0f, across), disc->center, -disc->radius);
    setSide(&region, 1, thiAddScaled(along, 1.0f, across), disc->center, -disc->radius);
    return region;
}

thRegion thiClearpathParting(const thClearpathOwn* own, const thClearpathOther* other,
                             thClearpathOverlap rule)
{
    const thDisc disc = overlappingDisc(own, other);
    const bool wedge = rule == th_clearpathWedge;
    // What can be reached is round the present velocity, within the speed limit.
    const thVec2 from = thiSubtract(wedge ? own->reachable.center : own->velocity, disc.center);
    const float distance = sqrtf(thiDot(from, from)), reach = own->reachable.radius;
    const float squares = distance * distance + disc.radius * disc.radius;
    const bool usable = wedge ? squares > reach * reach && distance + reach > disc.radius : true;
    if (rule == th_clearpathCenters || !usable || !(distance > 0.0f))
        return partAlongCenters(own, other);
    const thVec2 out = thiScale(1.0f / distance, from);
    if (wedge && disc.radius > 0.0f)
        return partByWedge(own, &disc, out, distance);
    return halfPlane(thiNegate(out), disc.center, -disc.radius);
}

static thVec2 nearestOnEdge(const thClearpathEdge* wall)
{
    const thVec2 edge = thiSubtract(wall->b, wall->a);
    const float lengthSq = thiDot(edge, edge), along = -thiDot(wall->a, edge);
    if (!(along > 0.0f))
        return wall->a;
    return along < lengthSq ? thiAddScaled(wall->a, along / lengthSq, edge) : wall->b;
}

bool thiClearpathWallRegion(const thClearpathEdge* wall, float horizon, thRegion* region)
{
    const thVec2 nearest = nearestOnEdge(wall);
    const float distance = sqrtf(thiDot(nearest, nearest));
    if (distance < TH_CLEARPATH_ONE_POINT)
        return false;
    const thVec2 towards = thiScale(1.0f / distance, nearest);
    if (distance <= wall->both) {
        *region = halfPlane(towards, wall->velocity, 0.0f);
        return true;
    }
    const Legs a = legsOf(wall->a, wall->both), b = legsOf(wall->b, wall->both);
    // The outer ones of both ends.
    const thVec2 right = thiDet(a.right, b.right) < 0.0f ? b.right : a.right;
    const thVec2 left = thiDet(a.left, b.left) > 0.0f ? b.left : a.left;
    *region = (thRegion){.sides = 3};
    setSide(region, 0, right, wall->velocity, 0.0f);
    setSide(region, 1, left, wall->velocity, 0.0f);
    setSide(region, 2, towards, wall->velocity, (distance - wall->both) / horizon);
    return true;
}

thRegion thiClearpathSideAt(const thRegion* region, thVec2 velocity)
{
    int32_t best = 0;
    float most = 0.0f;
    for (int32_t k = region->sides - 1; k >= 0; --k) { // of equal ones the cap
        const float out = region->o[k] - thiDot(region->n[k], velocity);
        if (k == region->sides - 1 || out > most) {
            best = k;
            most = out;
        }
    }
    return (thRegion){.sides = 1, .n = {region->n[best]}, .o = {region->o[best]}};
}
