// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Directions between nodes. In the open they are interpolated between four nodes; where a wall is
// near, between those of them that can be seen.

#include "plan/continuum/continuum_aim.h"

#include "geom/fixed.h"

#include <math.h>

// Who sees none of the four nodes round it looks for one within this many.
#define RINGS 8

// Nearer to a part of the goal than so many sides one looks whether it can be seen.
#define GOAL_SIDES 2.0

// Directions whose mean is shorter than this say nothing: that of the nearest node counts.
#define LEAST_MEAN 0.05f

// Steps along a path, and what has to be clear of walls ahead, as a share of a side.
#define STEP_SHARE 0.5f

// The four nodes round a place, from the lower left on, and how much each counts.
typedef struct Square {
    int32_t nodes[4];
    float shares[4];
    bool isOpen; // no wall is between them, and the place is
} Square;

static int32_t clampedIndex(double index, int32_t count)
{
    return (int32_t)TH_MIN(TH_MAX(floor(index), 1.0), count - 3.0);
}

static Square squareAt(const thNodeGrid* nodes, thPoint p)
{
    const double x = ((double)p.x - nodes->low.x) / nodes->side;
    const double y = ((double)p.y - nodes->low.y) / nodes->side;
    const int32_t column = clampedIndex(x, nodes->columns), row = clampedIndex(y, nodes->rows);
    const int32_t node = row * nodes->columns + column, above = node + nodes->columns;
    // From both ends, so that mirrored places are mirrored to the bit.
    const float toX = TH_MIN(TH_MAX((float)(x - column), 0.0f), 1.0f);
    const float toY = TH_MIN(TH_MAX((float)(y - row), 0.0f), 1.0f);
    const float fromX = TH_MIN(TH_MAX((float)(column + 1 - x), 0.0f), 1.0f);
    const float fromY = TH_MIN(TH_MAX((float)(row + 1 - y), 0.0f), 1.0f);
    const uint8_t here = th_openEast | th_openNorth, there = th_openWest | th_openSouth;
    return (Square){
        .nodes = {node, node + 1, above, above + 1},
        .shares = {fromX * fromY, toX * fromY, fromX * toY, toX * toY},
        .isOpen = (nodes->open[node] & here) == here && (nodes->open[above + 1] & there) == there &&
                  x >= column && x <= column + 1 && y >= row && y <= row + 1,
    };
}

// What can be seen from a place that may have less room than it should.
typedef struct View {
    const thRouteSpace* space;
    float overlap;
    int32_t hides; // the wall that was last in the way; −1: none yet
} View;

static View viewFrom(const thContinuumPlan* plan, thPoint p)
{
    const thRouteSpace* space = plan->floor->grid.space;
    const float radius = thiRouteRadius(space);
    const float overlap = TH_MIN(thiOverlapAt(space, p) + TH_ROUTE_SLACK, radius);
    return (View){space, plan->isTight ? radius : overlap, -1};
}

static bool sees(View* view, thPoint from, thPoint to)
{
    return thiIsClearLegAfter(view->space, from, to, view->overlap, &view->hides);
}

static double lengthOf(thPoint a, thPoint b)
{
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    return sqrt(dx * dx + dy * dy);
}

static thVec2 wayTo(thPoint from, thPoint to)
{
    const double length = lengthOf(from, to);
    if (length == 0.0)
        return (thVec2){0.0f, 0.0f};
    return (thVec2){(float)(((double)to.x - from.x) / length),
                    (float)(((double)to.y - from.y) / length)};
}

static float metresOf(double units)
{
    return (float)(units / THRONG_UNITS_PER_METRE);
}

// The nearest place of the goal that is in view.
static thContinuumAim aimAtGoal(const thContinuumPlan* plan, const thFrame* frame, thPoint p,
                                View* view)
{
    thContinuumAim best = {.found = false};
    double shortest =
        GOAL_SIDES * plan->floor->grid.nodes.side +
        (plan->isTight ? (double)thiRouteRadius(view->space) : 0.0) * THRONG_UNITS_PER_METRE;
    for (int32_t i = 0; i < plan->parts.count; ++i) {
        thPoint place;
        thFrame_NearestShapePoint(frame, &TH_ITEMS(plan->parts, thGoalShape)[i], p.x, p.y, &place.x,
                                  &place.y);
        const double length = lengthOf(p, place);
        if (length >= shortest || !sees(view, p, place))
            continue;
        shortest = length;
        best = (thContinuumAim){.found = true,
                                .isGoal = true,
                                .to = place,
                                .way = wayTo(p, place),
                                .left = metresOf(length)};
    }
    return best;
}

static bool isAtGoal(const thPotential* potential, const Square* square)
{
    int32_t via = 0;
    for (int32_t i = 0; i < 4; ++i)
        via |= potential->via[square->nodes[i]];
    return (via & th_viaGoal) != 0;
}

// Which way a node says that one goes who stands at p: of a node at the goal, to it.
static thVec2 wayOver(const thPotential* potential, int32_t node, thPoint p)
{
    if ((potential->via[node] & th_viaGoal) != 0)
        return wayTo(p, thiNodePlace(potential->nodes, node));
    return thiWayFrom(potential, node);
}

// A place so far ahead as corners are told.
static thPoint placeAhead(const thNodeGrid* nodes, thPoint p, thVec2 way)
{
    return (thPoint){p.x + (int32_t)lrintf(2.0f * (float)nodes->side * way.x),
                     p.y + (int32_t)lrintf(2.0f * (float)nodes->side * way.y)};
}

// The mean of the directions of nodes that are in view.
static thContinuumAim aimBetween(const thContinuumPlan* plan, thPoint p, const Square* square,
                                 View* view)
{
    const thPotential* potential = &plan->potential;
    thVec2 mean = {0.0f, 0.0f}, nearest = {0.0f, 0.0f};
    float sum = 0.0f, left = 0.0f, most = -1.0f;
    for (int32_t i = 0; i < 4; ++i) {
        const int32_t node = square->nodes[i];
        const float share = square->shares[i];
        if (!thiIsKnown(potential, node) ||
            (!square->isOpen && !sees(view, p, thiNodePlace(potential->nodes, node))))
            continue;
        const thVec2 way = wayOver(potential, node, p);
        mean.x += share * way.x;
        mean.y += share * way.y;
        left += share * potential->left[node];
        sum += share;
        if (share > most) {
            most = share;
            nearest = way;
        }
    }
    if (!(sum > 0.0f))
        return (thContinuumAim){.found = false};
    const float length = sqrtf(mean.x * mean.x + mean.y * mean.y);
    const thVec2 way =
        length > LEAST_MEAN * sum ? (thVec2){mean.x / length, mean.y / length} : nearest;
    return (thContinuumAim){
        .found = true, .to = placeAhead(potential->nodes, p, way), .way = way, .left = left / sum};
}

// Straight to the node over which least is left, of those that are in view.
static thContinuumAim aimAtNode(const thContinuumPlan* plan, thPoint p, int32_t rings, View* view)
{
    const thPotential* potential = &plan->potential;
    const thNodeGrid* nodes = potential->nodes;
    const int32_t below = squareAt(nodes, p).nodes[0];
    const int32_t column = below % nodes->columns, row = below / nodes->columns;
    int32_t best = -1;
    double least = INFINITY;
    for (int32_t y = TH_MAX(row - rings + 1, 0); y <= TH_MIN(row + rings, nodes->rows - 1); ++y)
        for (int32_t x = TH_MAX(column - rings + 1, 0);
             x <= TH_MIN(column + rings, nodes->columns - 1); ++x) {
            const int32_t node = y * nodes->columns + x;
            if (!thiIsKnown(potential, node))
                continue;
            const thPoint place = thiNodePlace(nodes, node);
            const double left =
                (double)potential->left[node] * THRONG_UNITS_PER_METRE + lengthOf(p, place);
            if (left < least && sees(view, p, place)) {
                least = left;
                best = node;
            }
        }
    if (best < 0)
        return (thContinuumAim){.found = false};
    const thPoint place = thiNodePlace(nodes, best);
    const thVec2 way = thiSamePoint(place, p) ? thiWayFrom(potential, best) : wayTo(p, place);
    return (thContinuumAim){.found = true,
                            .to = thiSamePoint(place, p) ? placeAhead(nodes, p, way) : place,
                            .way = way,
                            .left = metresOf(least)};
}

static thPoint stepAlong(const thNodeGrid* nodes, thPoint p, thVec2 way)
{
    const float step = STEP_SHARE * (float)nodes->side;
    return (thPoint){p.x + (int32_t)lrintf(step * way.x), p.y + (int32_t)lrintf(step * way.y)};
}

thContinuumAim thiContinuumAimFrom(const thContinuumPlan* plan, const thFrame* frame, thPoint p)
{
    const thPotential* potential = &plan->potential;
    const Square square = squareAt(potential->nodes, p);
    const bool isNear = isAtGoal(potential, &square);
    View view = {.overlap = 0.0f};
    if (isNear || !square.isOpen)
        view = viewFrom(plan, p);
    thContinuumAim aim = {.found = false};
    if (isNear)
        aim = aimAtGoal(plan, frame, p, &view);
    if (!aim.found)
        aim = aimBetween(plan, p, &square, &view);
    if (square.isOpen)
        return aim; // if it has found none, no path leads from here
    // What is right for a node may lead into a wall beside it.
    if (aim.found && !aim.isGoal && !sees(&view, p, stepAlong(potential->nodes, p, aim.way)))
        aim.found = false;
    for (int32_t rings = 2; !aim.found && rings <= RINGS; rings *= 2)
        aim = aimAtNode(plan, p, rings, &view);
    return aim;
}

bool thiContinuumFollow(const thContinuumPlan* plan, const thFrame* frame, thPoint* p)
{
    const thNodeGrid* nodes = plan->potential.nodes;
    thContinuumAim aim = thiContinuumAimFrom(plan, frame, *p);
    if (!aim.found || (aim.way.x == 0.0f && aim.way.y == 0.0f))
        return false;
    if (aim.isGoal) {
        *p = aim.to;
        return true;
    }
    thPoint to = stepAlong(nodes, *p, aim.way);
    View view = viewFrom(plan, *p);
    if (!sees(&view, *p, to)) {
        aim = aimAtNode(plan, *p, 2, &view);
        to = aim.to;
    }
    const bool goesOn = aim.found && !thiSamePoint(to, *p);
    *p = goesOn ? to : *p;
    return goesOn;
}

float thiContinuumSpeed(const thContinuumPlans* plans, const thContinuumFloor* floor, thPoint p,
                        thVec2 way, float speed, thCrowdAt* ahead)
{
    const float side = (float)floor->grid.nodes.side;
    *ahead = thiCrowdAt(&floor->cells, p.x + (double)(side * way.x), p.y + (double)(side * way.y));
    return thiSpeedInto(&plans->def, plans->free, ahead, way, speed);
}
