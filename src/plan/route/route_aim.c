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

bool thiIsGoalTight(const thRouteGoal* goal)
{
    for (int32_t i = 0; i < goal->shapeCount; ++i)
        if (goal->shapes[i].kind != th_goalPoint ||
            thiIsClearPlace(goal->space, shapePoint(goal, &goal->shapes[i], 0), -TH_ROUTE_SLACK))
            return false;
    return goal->shapeCount > 0;
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

typedef struct Vector {
    double x, y;
} Vector;

static double dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y;
}

// Across the direction `along`, on the side of `to`.
static Vector across(Vector along, Vector to)
{
    const Vector left = {-along.y, along.x};
    return dot(left, to) >= 0.0 ? left : (Vector){along.y, -along.x};
}

// The tangents from p to an arc leave its rest, up to the end with the normal `end`; the corner of
// a polygon round that is the bend. `out` is the direction of p from the arc's middle. False: p is
// past the end.
static bool bendTowards(Vector middle, Vector out, double far, double radius, Vector end,
                        thPoint* bend)
{
    const double cosine = TH_MIN(radius / far, 1.0), sine = sqrt(1.0 - cosine * cosine);
    const Vector side = across(out, end);
    const Vector normal = {out.x * cosine + side.x * sine, out.y * cosine + side.y * sine};
    const double share = radius / (1.0 + dot(normal, end));
    if (dot(normal, across(end, out)) <= 0.0)
        return false;
    *bend = (thPoint){(int32_t)floor(middle.x + (normal.x + end.x) * share + 0.5),
                      (int32_t)floor(middle.y + (normal.y + end.y) * share + 0.5)};
    return true;
}

static void addBend(const thRouteSpace* space, thPoint p, thPoint bend, thRouteBends* bends)
{
    if (bends->count < TH_BENDS && thiIsClearPlace(space, bend, 0.0f) &&
        thiIsClearLeg(space, p, bend, TH_ROUTE_SLACK))
        bends->at[bends->count++] = bend;
}

// If p is between the arc and the two sides of the polygon that meet in the node.
static void bendAtNode(const thRouteSpace* space, const thRouteNode* node, const thRouteTurn* turn,
                       thPoint p, thRouteBends* bends)
{
    const double slack = (double)TH_ROUTE_SLACK * THRONG_UNITS_PER_METRE;
    const double bare = (double)thiRouteRadius(space) * THRONG_UNITS_PER_METRE;
    const double radius = bare + slack, tip = sqrt(turn->tipSq) - 2.0 * slack;
    const Vector back = {turn->backX, turn->backY}, ahead = {turn->aheadX, turn->aheadY};
    const Vector out = {-back.x - ahead.x, -back.y - ahead.y};
    if (bare == 0.0 || tip <= 0.0)
        return;
    const Vector first = across(back, out), last = across(ahead, out);
    const double side = tip * radius / bare;
    const Vector middle = {node->place.x + back.x * side - first.x * radius,
                           node->place.y + back.y * side - first.y * radius};
    const Vector to = {p.x - middle.x, p.y - middle.y};
    const double far = sqrt(dot(to, to));
    if (far == 0.0 || dot(to, first) >= radius || dot(to, last) >= radius || dot(to, back) >= 0.0 ||
        dot(to, ahead) >= 0.0)
        return;
    const Vector direction = {to.x / far, to.y / far};
    thPoint bend;
    if (bendTowards(middle, direction, far, radius, first, &bend))
        addBend(space, p, bend, bends);
    if (bendTowards(middle, direction, far, radius, last, &bend))
        addBend(space, p, bend, bends);
}

// How many boxes wait at most while a tree of them is gone through.
#define MAX_DEPTH 64

thRouteBends thiFindBends(const thRouteSpace* space, const thRouteGraph* graph,
                          const thRouteNear* near, thPoint p)
{
    // No node is further from its arc, see visibility_corners.c.
    const double reach = 1.1 * (double)thiRouteRadius(space) * THRONG_UNITS_PER_METRE + 1.0;
    thRouteBends bends = {.count = 0};
    int32_t boxes[MAX_DEPTH], count = 0;
    if (graph->turns.count > 0)
        boxes[count++] = 0;
    while (count > 0) {
        const int32_t index = boxes[--count];
        const thRouteBox* box = &TH_ITEMS(near->boxes, thRouteBox)[index];
        if (p.x < box->lowX - reach || p.x > box->highX + reach || p.y < box->lowY - reach ||
            p.y > box->highY + reach)
            continue;
        if (index < near->leaves - 1) {
            boxes[count++] = 2 * index + 1;
            boxes[count++] = 2 * index + 2;
            continue;
        }
        const thRouteRange range = thiNodesOfBox(near, index);
        for (int32_t i = range.begin; i < range.end; ++i) {
            const int32_t node = TH_ITEMS(near->order, int32_t)[i];
            bendAtNode(space, &TH_ITEMS(graph->nodes, thRouteNode)[node],
                       &TH_ITEMS(graph->turns, thRouteTurn)[node], p, &bends);
        }
    }
    return bends;
}

static double lengthOf(thPoint a, thPoint b)
{
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    return sqrt(dx * dx + dy * dy);
}

bool thiGoOverBend(const thRouteSpace* space, const thRouteBends* bends, thPoint p, thPoint to,
                   float overlap, thPoint* bend, double* length)
{
    bool found = false;
    for (int32_t i = 0; i < bends->count; ++i) {
        const double whole = lengthOf(p, bends->at[i]) + lengthOf(bends->at[i], to);
        if ((found && whole >= *length) || !thiIsClearLeg(space, to, bends->at[i], overlap))
            continue;
        found = true;
        *bend = bends->at[i];
        *length = whole;
    }
    return found;
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

// Over a bend to the only point of the goal.
static void tryBends(Look* look, thPoint point)
{
    thPoint bend;
    double length;
    if (!thiGoOverBend(look->goal->space, &look->goal->bends, point, look->place, look->overlap,
                       &bend, &length))
        return;
    look->found = true;
    const double dx = bend.x - look->x, dy = bend.y - look->y, rest = lengthOf(bend, point);
    *look->aim =
        (thRouteAim){.to = bend,
                     .shape = look->shape,
                     .length = sqrt(dx * dx + dy * dy) + rest,
                     .crowd = thiCrowdAlong(look->goal->crowd, look->x, look->y, point.x, point.y),
                     .rest = rest};
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
        if (!look->found && !look->squeezes)
            tryBends(look, first);
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
