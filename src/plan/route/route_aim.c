// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How a goal is aimed at, and a portal crossed. Of a goal's shapes the nearest points are tried
// first, of a portal the point where the straight line crosses it.

#include "plan/route/route_aim.h"

#include "base/hash.h"
#include "geom/segment.h"

#include <math.h>

#define TRIES 8 // points between where the straight line crosses and the portal's place

static thPoint shapePoint(const thRouteGoal* goal, const thGoalShape* shape, int32_t index)
{
    thPoint point = {0, 0};
    thFrame_GetShapePoint(goal->frame, shape, index, &point.x, &point.y);
    return point;
}

bool thiPointOfGoal(const thRouteGoal* goal, thPoint* point)
{
    if (goal->shapeCount != 1 || goal->shapes[0].kind != th_goalPoint)
        return false;
    *point = shapePoint(goal, &goal->shapes[0], 0);
    return true;
}

uint32_t thiRouteGoalMark(const thRouteGoal* goal)
{
    uint64_t hash = (uint64_t)goal->shapeCount;
    for (int32_t i = 0; i < goal->shapeCount; ++i) {
        const thGoalShape* shape = &goal->shapes[i];
        hash = thiHashWord(hash, (uint64_t)shape->kind << 32 | (uint32_t)shape->count);
        hash = thiHashWord(hash, thiFloatBits(shape->radius));
        for (int32_t k = 0; k < shape->count; ++k) {
            const thPoint point = shapePoint(goal, shape, k);
            hash = thiHashWord(hash, (uint64_t)(uint32_t)point.x << 32 | (uint32_t)point.y);
        }
    }
    return (uint32_t)hash;
}

void thiRouteGoalDiscs(const thRouteGoal* goal, thRouteDisc* discs)
{
    for (int32_t i = 0; i < goal->shapeCount; ++i) {
        const thGoalShape* shape = &goal->shapes[i];
        double x = 0.0, y = 0.0, reachSq = 0.0;
        for (int32_t k = 0; k < shape->count; ++k) {
            const thPoint point = shapePoint(goal, shape, k);
            x += (double)point.x / shape->count;
            y += (double)point.y / shape->count;
        }
        for (int32_t k = 0; k < shape->count; ++k) {
            const thPoint point = shapePoint(goal, shape, k);
            const double dx = point.x - x, dy = point.y - y, square = dx * dx + dy * dy;
            reachSq = TH_MAX(reachSq, square);
        }
        const double radius = (double)shape->radius * THRONG_UNITS_PER_METRE;
        discs[i] = (thRouteDisc){x, y, sqrt(reachSq) + radius + 1.0}; // a unit for rounding
    }
}

const char* thiWhyNoPath(const thFrame* frame, const thGoalShape* shapes, int32_t count,
                         int32_t level, const char* otherwise)
{
    for (int32_t i = 0; i < count; ++i)
        for (int32_t k = 0; k < shapes[i].count; ++k) {
            int32_t x = 0, y = 0;
            thFrame_GetShapePoint(frame, &shapes[i], k, &x, &y);
            if (!thFrame_IsSolid(frame, level, x, y))
                return otherwise;
        }
    return "the goal lies in an obstacle";
}

// A search for the nearest point that can be reached.
typedef struct Look {
    const thRouteGoal* goal;
    thPoint place;
    double x, y;
    float overlap;
    bool squeezes; // also to points without room
    int32_t shape;
    thRouteAim* aim;
    bool found;
} Look;

// Whether the leg to a point is clear. In the second round points with room have had their turn.
static bool canReach(const Look* look, thPoint to)
{
    float overlap = look->overlap;
    if (look->squeezes) {
        const float needed = thiOverlapAt(look->goal->space, to);
        if (needed <= overlap)
            return false;
        overlap = needed + TH_ROUTE_SLACK;
    }
    return thiIsClearLeg(look->goal->space, look->place, to, overlap);
}

static void tryPoint(Look* look, thPoint to, bool nearest)
{
    const double dx = to.x - look->x, dy = to.y - look->y;
    const double length = sqrt(dx * dx + dy * dy), best = thiCostOfAim(look->aim);
    if (look->found && length >= best)
        return;
    const double crowd = thiCrowdAlong(look->goal->crowd, look->x, look->y, to.x, to.y);
    if ((look->found && length + crowd >= best) || !canReach(look, to))
        return;
    look->found = true;
    *look->aim = (thRouteAim){
        .to = to, .shape = look->shape, .nearest = nearest, .length = length, .crowd = crowd};
}

// The nearest point of an edge that is not near its ends, where walls usually begin.
static void tryEdge(Look* look, thPoint a, thPoint b)
{
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y, length = sqrt(dx * dx + dy * dy);
    const double margin = (double)(thiRouteRadius(look->goal->space) + 2.0f * TH_ROUTE_SLACK) *
                          THRONG_UNITS_PER_METRE;
    double share = 0.5;
    if (length > 2.0 * margin) {
        const double along =
            ((look->place.x - (double)a.x) * dx + (look->place.y - (double)a.y) * dy) / length;
        share = TH_MIN(TH_MAX(along, margin), length - margin) / length;
    }
    const thPoint to = {(int32_t)floor(a.x + share * dx + 0.5),
                        (int32_t)floor(a.y + share * dy + 0.5)};
    tryPoint(look, to, false);
}

static void lookAtShape(Look* look)
{
    const thGoalShape* shape = &look->goal->shapes[look->shape];
    const thPoint first = shapePoint(look->goal, shape, 0);
    if (shape->kind == th_goalPoint) { // exact, however far it is
        tryPoint(look, first, true);
        return;
    }
    thPoint nearest = first;
    thFrame_NearestShapePoint(look->goal->frame, shape, look->place.x, look->place.y, &nearest.x,
                              &nearest.y);
    const bool found = look->found;
    const double cost = thiCostOfAim(look->aim);
    tryPoint(look, nearest, true);
    if (look->found && (!found || thiCostOfAim(look->aim) < cost))
        return; // no other point of the shape is nearer
    if (shape->kind == th_goalDisc) {
        tryPoint(look, first, false);
        return;
    }
    const int32_t edges = shape->kind == th_goalSegment ? 1 : shape->count;
    for (int32_t i = 0; i < edges; ++i)
        tryEdge(look, shapePoint(look->goal, shape, i),
                shapePoint(look->goal, shape, i + 1 < shape->count ? i + 1 : 0));
}

bool thiAimAtGoal(const thRouteGoal* goal, thPoint place, double x, double y, float overlap,
                  thRouteAim* aim)
{
    aim->length = aim->crowd = 0.0;
    Look look = {.goal = goal, .place = place, .x = x, .y = y, .overlap = overlap, .aim = aim};
    for (int32_t pass = 0; pass < 2 && !look.found; ++pass) {
        look.squeezes = pass == 1;
        for (look.shape = 0; look.shape < goal->shapeCount; ++look.shape)
            lookAtShape(&look);
    }
    return look.found;
}

static thPoint between(thPoint a, thPoint b, double share)
{
    return (thPoint){(int32_t)floor(a.x + share * ((double)b.x - a.x) + 0.5),
                     (int32_t)floor(a.y + share * ((double)b.y - a.y) + 0.5)};
}

// The point of a portal that is on the straight line from p to q, or nearest to it.
static thPoint crossingOf(const thRouteNode* portal, thPoint p, thPoint q)
{
    const double dx = (double)portal->b.x - portal->a.x, dy = (double)portal->b.y - portal->a.y;
    const double px = (double)p.x - portal->a.x, py = (double)p.y - portal->a.y;
    const double qx = (double)q.x - portal->a.x, qy = (double)q.y - portal->a.y;
    // On which sides of the portal's line they are, and where along it.
    const double sideP = dx * py - dy * px, sideQ = dx * qy - dy * qx;
    const double alongP = dx * px + dy * py, alongQ = dx * qx + dy * qy;
    const double apart = sideP - sideQ;
    // Both on one side, or on the line itself: the nearer one decides.
    const double share = (sideP > 0.0) != (sideQ > 0.0) ? sideP / apart
                         : fabs(sideP) <= fabs(sideQ)   ? 0.0
                                                        : 1.0;
    const double along = (alongP + share * (alongQ - alongP)) / (dx * dx + dy * dy);
    return between(portal->a, portal->b, TH_MIN(TH_MAX(along, 0.0), 1.0));
}

bool thiAimAtPortal(const thRouteSpace* space, const thRouteNode* portal, thPoint p, thPoint after,
                    float overlap, thPoint* aim)
{
    const thPoint crossing = crossingOf(portal, p, after);
    bool sees = false;
    for (int32_t i = 0; i <= TRIES; ++i) {
        const thPoint point = between(crossing, portal->place, (double)i / TRIES);
        if (!thiIsClearLeg(space, p, point, overlap))
            continue;
        sees = true;
        *aim = point;
        if (thiIsClearLeg(space, point, after, 0.0f))
            break;
    }
    return sees;
}
