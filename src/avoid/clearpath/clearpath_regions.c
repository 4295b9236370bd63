// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What neighbours and walls forbid by method `clearpath`, of discs and of polygons.
//
// How polygons stand to others and to walls does not depend on velocities nor on horizons, so it is
// found once for all that is tried.

#include "avoid/clearpath/clearpath_regions.h"

#include "base/core.h"

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
    if (other->clearance != NULL)
        return other->clearance->distance <= 0.0f;
    const float bothSq = other->both * other->both;
    const float leastSq = TH_CLEARPATH_ONE_POINT * TH_CLEARPATH_ONE_POINT;
    return thiDot(other->p, other->p) <= (bothSq > leastSq ? bothSq : leastSq);
}

// How the agent stands to a neighbour that is apart.
static thClearance clearanceOf(const thClearpathOther* other)
{
    if (other->clearance != NULL)
        return *other->clearance;
    const float distance = distanceOf(other);
    return (thClearance){distance - other->both, thiScale(1.0f / distance, other->p),
                         thiTangentsTo(other->p, other->both)};
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

// The chord between the points in which a disc touches the legs, instead of the cap; and the disc.
static void roundOff(const thClearpathOther* other, thVec2 apex, float per, thRegion* region)
{
    const float distance = distanceOf(other), both = other->both, gap = distance - both;
    setSide(region, 2, region->n[2], apex, per * (gap * (distance + both) / distance));
    region->cap = (thDisc){thiAddScaled(apex, per, other->p), per * both};
}

// A relative velocity leads to a collision within the horizon if it is in the cone of bodies
// B(p) / t with t up to that, where B is both of them in one: a disc D(p, R), or the sum of both
// shapes. The agent's own is the apex plus its share of that.
thRegion thiClearpathCone(const thClearpathOwn* own, const thClearpathOther* other, float horizon,
                          bool round, bool hybrid)
{
    const thVec2 apex = apexOf(own, other);
    const thClearance clearance = clearanceOf(other);
    const float per = other->share / horizon;
    const float side = thiDet(other->p, thiSubtract(own->velocity, other->velocity));
    const bool wrongIsLeft = hybrid && side < 0.0f, wrongIsRight = hybrid && side > 0.0f;
    thRegion region = {.sides = 3};
    setSide(&region, 0, clearance.tangents.right, wrongIsRight ? other->velocity : apex, 0.0f);
    setSide(&region, 1, clearance.tangents.left, wrongIsLeft ? other->velocity : apex, 0.0f);
    setSide(&region, 2, clearance.towards, apex, per * clearance.distance);
    if (round && other->clearance == NULL)
        roundOff(other, apex, per, &region);
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
    const thClearance clearance = clearanceOf(other);
    const thTangents legs = clearance.tangents;
    const float outCap = clearance.distance / horizon - thiDot(clearance.towards, w);
    const float outRight = -thiDot(legs.right, w), outLeft = -thiDot(legs.left, w);
    if (outCap >= outRight && outCap >= outLeft)
        return halfPlane(clearance.towards, apex, other->share * clearance.distance / horizon);
    const bool isRight = keepsLeft ? outRight > outLeft : outRight >= outLeft;
    return halfPlane(isRight ? legs.right : legs.left, apex, 0.0f);
}

// As fast as the agent can, if that is not enough to part within the step.
static thRegion partAlong(const thClearpathOwn* own, const thClearpathOther* other, thVec2 towards,
                          float depth)
{
    const float needed = other->share * depth / own->dt;
    const float reach =
        own->reachable.radius < own->maxSpeed ? own->reachable.radius : own->maxSpeed;
    return halfPlane(towards, apexOf(own, other), needed < reach ? -needed : -reach);
}

static thRegion partAlongCenters(const thClearpathOwn* own, const thClearpathOther* other)
{
    const float distance = distanceOf(other);
    return partAlong(own, other, directionOf(other, distance), other->both - distance);
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
    if (other->clearance != NULL)
        return partAlong(own, other, other->clearance->towards, -other->clearance->distance);
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

// How a disc stands to a wall that it is not on.
static thClearance wallClearanceOf(const thClearpathEdge* wall, thVec2 nearest, float distance)
{
    thClearance clearance = {.distance = distance - wall->both,
                             .towards = thiScale(1.0f / distance, nearest)};
    if (distance > wall->both)
        clearance.tangents = thiOuterTangents(thiTangentsTo(wall->a, wall->both),
                                              thiTangentsTo(wall->b, wall->both));
    return clearance;
}

bool thiClearpathWallRegion(const thClearpathEdge* wall, float horizon, thRegion* region)
{
    thClearance clearance;
    if (wall->clearance != NULL) {
        clearance = *wall->clearance;
    } else {
        const thVec2 nearest = nearestOnEdge(wall);
        const float distance = sqrtf(thiDot(nearest, nearest));
        if (distance < TH_CLEARPATH_ONE_POINT)
            return false;
        clearance = wallClearanceOf(wall, nearest, distance);
    }
    if (clearance.distance <= 0.0f) {
        *region = halfPlane(clearance.towards, wall->velocity, 0.0f);
        return true;
    }
    *region = (thRegion){.sides = 3};
    setSide(region, 0, clearance.tangents.right, wall->velocity, 0.0f);
    setSide(region, 1, clearance.tangents.left, wall->velocity, 0.0f);
    setSide(region, 2, clearance.towards, wall->velocity, clearance.distance / horizon);
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

// One disc is a polygon of a single corner, grown.
static thConvexBody bodyOf(const thBodyShape* shape, float heading, float radius)
{
    if (shape != NULL)
        return thiTurnShape(shape, heading);
    return (thConvexBody){.count = 1, .corners = {{0.0f, 0.0f}}, .radius = radius};
}

thClearance thiClearpathPair(const thClearpathBody* own, const thClearpathBody* other, thVec2 p,
                             bool isFirst)
{
    const thConvexBody mine = bodyOf(own->shape, own->heading, own->radius);
    const thConvexBody theirs = bodyOf(other->shape, other->heading, other->radius);
    const thConvexBody sum = thiConvexSum(&mine, &theirs, p);
    const bool onOnePoint = thiDot(p, p) < TH_CLEARPATH_ONE_POINT * TH_CLEARPATH_ONE_POINT;
    return thiClearanceOf(&sum, onOnePoint ? (thVec2){isFirst ? 1.0f : -1.0f, 0.0f} : p);
}

thClearance thiClearpathShapeAtWall(const thClearpathBody* own, thVec2 a, thVec2 b, float radius)
{
    const thConvexBody mine = bodyOf(own->shape, own->heading, own->radius);
    const bool isPoint = a.x == b.x && a.y == b.y;
    const thConvexBody wall = {.count = isPoint ? 1 : 2, .corners = {a, b}, .radius = radius};
    const thConvexBody sum = thiConvexSum(&mine, &wall, (thVec2){0.0f, 0.0f});
    return thiClearanceOf(&sum, thiAddScaled(a, 0.5f, thiSubtract(b, a)));
}
