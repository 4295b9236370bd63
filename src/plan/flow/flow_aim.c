// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where an agent goes from a place in a field. It aims at an anchor that it sees, of those that the
// nodes round it have; among a crowd at a node ahead that costs less.

#include "geom/fixed.h"
#include "plan/flow/flow_field.h"

#include <math.h>

// Who has no room where it stands looks for a node within this many.
#define RINGS 8

// Anchors that may be seen from a place: those of the nodes round it and what comes after them.
#define MAX_CANDIDATES 16

// Anchors this many sides away are far.
#define FAR_SIDES 8

// Nearer to the goal than this many sides a crowd does not count.
#define NEAR_GOAL_SIDES 4.0

// Among a crowd nodes are looked at within this many sides, in a block so many nodes wide.
#define AHEAD_SIDES 4
#define AHEAD_SPAN (2 * AHEAD_SIDES)

// What a metre of the path to such a node counts: less than the half by which costs fall at least
// from a node to one next to it.
#define AHEAD_COST 0.4f

// How much more than straight lines allow lengths may differ, as a share: fields are not exact.
#define LENGTH_SLACK 1.1f

// By how many sides lengths over neighbouring nodes of the border may differ: two, and some more.
#define ENTRANCE_SLACK 2.25

// Directions are alike up to some 15 degrees: the square of the cosine.
#define ALIKE_COSINE_SQ 0.93f

typedef struct Candidates {
    int32_t count;
    int32_t anchor[MAX_CANDIDATES];
    thPoint place[MAX_CANDIDATES];
    double left[MAX_CANDIDATES];
} Candidates;

static const thAnchor* anchorAt(const thFlowField* field, int32_t index)
{
    return thiAnchorAt(&field->lengths, index);
}

// Who stands at a corner goes to what comes after it, which is in view from there.
static thFlowAim aimAt(const thFlowField* field, thPoint p, int32_t index, thPoint place,
                       double left)
{
    while (thiSamePoint(place, p) && anchorAt(field, index)->next >= 0) {
        index = anchorAt(field, index)->next;
        (void)thiNearestOfAnchor(anchorAt(field, index), p, &place);
    }
    return (thFlowAim){.found = true,
                       .isGoal = anchorAt(field, index)->next < 0,
                       .to = place,
                       .next = anchorAt(field, index)->next,
                       .left = left};
}

// Sorted by length.
static void addCandidate(const thFlowField* field, thPoint p, int32_t index, Candidates* to)
{
    for (int32_t i = 0; i < to->count; ++i)
        if (to->anchor[i] == index)
            return;
    if (to->count == MAX_CANDIDATES)
        return;
    thPoint place;
    const double left =
        anchorAt(field, index)->left + thiNearestOfAnchor(anchorAt(field, index), p, &place);
    int32_t at = to->count++;
    for (; at > 0 && left < to->left[at - 1]; --at) {
        to->anchor[at] = to->anchor[at - 1];
        to->place[at] = to->place[at - 1];
        to->left[at] = to->left[at - 1];
    }
    to->anchor[at] = index;
    to->place[at] = place;
    to->left[at] = left;
}

static bool isNear(thPoint a, thPoint b, int32_t side)
{
    const int64_t dx = (int64_t)a.x - b.x, dy = (int64_t)a.y - b.y;
    return dx <= side && dx >= -side && dy <= side && dy >= -side;
}

// Who comes to a corner sees what is behind it a little before or after the nodes do.
static void addWithNext(const thFlowField* field, thPoint p, int32_t index, Candidates* to)
{
    addCandidate(field, p, index, to);
    const thAnchor* anchor = anchorAt(field, index);
    if (anchor->next >= 0 && isNear(anchor->a, p, field->grid->nodes.side))
        addCandidate(field, p, anchor->next, to);
}

static int32_t clampIndex(double index, int32_t count)
{
    return (int32_t)TH_MIN(TH_MAX(index, 1.0), count - 3.0);
}

// The node to the lower left of a place, or the nearest such in the grid.
static int32_t nodeBelow(const thNodeGrid* nodes, thPoint p)
{
    const int32_t column =
        clampIndex(floor(((double)p.x - nodes->low.x) / nodes->side), nodes->columns);
    const int32_t row = clampIndex(floor(((double)p.y - nodes->low.y) / nodes->side), nodes->rows);
    return row * nodes->columns + column;
}

// Whether a place is among four nodes with no wall between them.
static bool isInSquare(const thNodeGrid* nodes, thPoint p, int32_t node)
{
    const thPoint low = thiNodePlace(nodes, node);
    const uint8_t here = th_openEast | th_openNorth, there = th_openWest | th_openSouth;
    return (nodes->open[node] & here) == here &&
           (nodes->open[node + nodes->columns + 1] & there) == there && p.x >= low.x &&
           p.y >= low.y && (int64_t)p.x - low.x <= nodes->side &&
           (int64_t)p.y - low.y <= nodes->side;
}

// The anchor of a place among four nodes, without a look: theirs if they have one in common, for
// nothing is narrow enough to stand between their views; or that of the nearest, if it is so far
// away that whether the place sees it hardly matters yet. −1 where one has to look.
static int32_t anchorInOpen(const thFlowField* field, thPoint p, int32_t node)
{
    const thNodeGrid* nodes = &field->grid->nodes;
    const int32_t* anchor = &field->lengths.anchor[node];
    const int32_t* above = anchor + nodes->columns;
    if (!field->isFine || !isInSquare(nodes, p, node) || anchor[0] < 0 || anchor[1] < 0 ||
        above[0] < 0 || above[1] < 0)
        return -1;
    const thPoint low = thiNodePlace(nodes, node);
    const bool same = anchor[1] == anchor[0] && above[0] == anchor[0] && above[1] == anchor[0];
    const int32_t* row = p.y - low.y > nodes->side / 2 ? above : anchor;
    const int32_t index = row[p.x - low.x > nodes->side / 2 ? 1 : 0];
    thPoint place;
    (void)thiNearestOfAnchor(anchorAt(field, index), p, &place);
    return isNear(place, p, same ? nodes->side : FAR_SIDES * nodes->side) ? -1 : index;
}

// Of the nodes in so many rings round a place. Those at the border of the grid have no anchors.
static void candidatesWithin(const thFlowField* field, thPoint p, int32_t node, int32_t rings,
                             Candidates* candidates)
{
    candidates->count = 0; // the rest is filled as needed
    for (int32_t y = 1 - rings; y <= rings; ++y)
        for (int32_t x = 1 - rings; x <= rings; ++x) {
            const int32_t index = field->lengths.anchor[node + y * field->grid->nodes.columns + x];
            if (index >= 0)
                addWithNext(field, p, index, candidates);
        }
}

// What can be seen from a place that may have less room than it should. What hides one thing often
// hides the next, too.
typedef struct View {
    const thRouteSpace* space;
    float overlap;
    int32_t* hides; // the wall that was last in the way; −1: none yet
} View;

static View viewFrom(const thFlowField* field, thPoint p, int32_t* hides)
{
    const thRouteSpace* space = field->grid->space;
    *hides = -1;
    return (View){space, TH_MIN(thiOverlapAt(space, p) + TH_ROUTE_SLACK, thiRouteRadius(space)),
                  hides};
}

static bool isInView(const void* context, thPoint from, thPoint to)
{
    const View* view = context;
    return thiIsClearLegAfter(view->space, from, to, view->overlap, view->hides);
}

static double lengthOf(thPoint a, thPoint b)
{
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    return sqrt(dx * dx + dy * dy);
}

// From outside of the grid nothing is in the way to the sides of it that face a place: paths come
// in there, at the node over which they are shortest. From one node to the next lengths differ by
// two sides of a square at most, so most of them need not be looked at.

// Nodes at the border: this many, so far apart.
typedef struct Stretch {
    int32_t first, step, count;
} Stretch;

// The sides that face a place, up to two; how many.
static int32_t facingSides(const thNodeGrid* nodes, thPoint p, Stretch* sides)
{
    const int32_t columns = nodes->columns, rows = nodes->rows;
    const thPoint low = thiNodePlace(nodes, columns + 1);
    const thPoint high = thiNodePlace(nodes, (rows - 1) * columns - 2);
    int32_t count = 0;
    if (p.x < low.x || p.x > high.x)
        sides[count++] = (Stretch){p.x < low.x ? columns + 1 : 2 * columns - 2, columns, rows - 2};
    if (p.y < low.y || p.y > high.y)
        sides[count++] =
            (Stretch){p.y < low.y ? columns + 1 : (rows - 2) * columns + 1, 1, columns - 2};
    return count;
}

// Where the shortest path from a place outside of the grid comes in; −1 if it is not outside, or
// there is none.
static int32_t entranceFrom(const thFlowField* field, thPoint p)
{
    const thNodeGrid* nodes = &field->grid->nodes;
    const double apart = ENTRANCE_SLACK * nodes->side;
    Stretch parts[2 + 32]; // two halves of one for each time that it can be halved
    int32_t count = facingSides(nodes, p, parts), best = -1;
    double shortest = INFINITY;
    while (count > 0) {
        const Stretch part = parts[--count];
        const int32_t half = part.count / 2, middle = part.first + half * part.step;
        const double left = (double)field->lengths.left[middle] * THRONG_UNITS_PER_METRE;
        const double length = left + lengthOf(p, thiNodePlace(nodes, middle));
        if (length < shortest) {
            shortest = length;
            best = middle;
        }
        if (!(length - half * apart < shortest))
            continue;
        if (half > 0)
            parts[count++] = (Stretch){part.first, part.step, half};
        if (part.count - half > 1)
            parts[count++] = (Stretch){middle + part.step, part.step, part.count - half - 1};
    }
    return best;
}

// The node to the lower left of a place; of one outside of the grid, of where its path comes in.
static int32_t nodeFrom(const thFlowField* field, thPoint p)
{
    const thNodeGrid* nodes = &field->grid->nodes;
    const int32_t entrance = field->done ? entranceFrom(field, p) : -1;
    return nodeBelow(nodes, entrance < 0 ? p : thiNodePlace(nodes, entrance));
}

static thFlowAim bestSeen(const thFlowField* field, thPoint p, const Candidates* from,
                          const View* view)
{
    for (int32_t i = 0; i < from->count; ++i)
        if (isInView(view, p, from->place[i]))
            return aimAt(field, p, from->anchor[i], from->place[i], from->left[i]);
    return (thFlowAim){.found = false};
}

// The node in so many rings round another with the least of what is left and how far it is from p,
// of those that are in view; −1 if none is.
static int32_t nodeInView(const thFlowField* field, thPoint p, int32_t below, int32_t rings,
                          const View* view)
{
    const thNodeGrid* nodes = &field->grid->nodes;
    const int32_t column = below % nodes->columns, row = below / nodes->columns;
    int32_t best = -1;
    double shortest = INFINITY;
    for (int32_t y = TH_MAX(row - rings + 1, 0); y <= TH_MIN(row + rings, nodes->rows - 1); ++y)
        for (int32_t x = TH_MAX(column - rings + 1, 0);
             x <= TH_MIN(column + rings, nodes->columns - 1); ++x) {
            const int32_t node = y * nodes->columns + x;
            if (!thiIsSettled(&field->lengths, node))
                continue; // before all else: none is while a field begins
            const thPoint place = {nodes->low.x + x * nodes->side, nodes->low.y + y * nodes->side};
            const double left = (double)field->lengths.left[node] * THRONG_UNITS_PER_METRE;
            if (left + lengthOf(p, place) < shortest && isInView(view, p, place)) {
                shortest = left + lengthOf(p, place);
                best = node;
            }
        }
    return best;
}

// On the path over a node, a corner is where it turns; nearer to p if the node is in the way only
// because the grid has one there.
static thFlowAim aimOver(const thFlowField* field, thPoint p, int32_t node, const View* view)
{
    const int32_t anchor = field->lengths.anchor[node];
    const thPoint corner = thiFindCorner(&field->lengths, (thLegCheck){isInView, view}, node, p);
    thPoint place;
    const double left =
        anchorAt(field, anchor)->left + thiNearestOfAnchor(anchorAt(field, anchor), corner, &place);
    return (thFlowAim){
        .found = true, .to = corner, .next = anchor, .left = left + lengthOf(p, corner)};
}

// The nearest part of the goal that is in view; `view` NULL: all are.
static thFlowAim aimAtSource(const thFlowField* field, thPoint p, const View* view)
{
    thFlowAim best = {.found = false};
    for (int32_t i = 0; i < field->lengths.anchors.count && anchorAt(field, i)->next < 0; ++i) {
        thPoint place;
        const double left =
            anchorAt(field, i)->left + thiNearestOfAnchor(anchorAt(field, i), p, &place);
        if ((!best.found || left < best.left) && (view == NULL || isInView(view, p, place)))
            best = aimAt(field, p, i, place, left);
    }
    return best;
}

// Who sees none of the nodes round it looks for others further away.
static thFlowAim aimFurther(const thFlowField* field, thPoint p, int32_t below, const View* view)
{
    for (int32_t rings = 1; rings <= RINGS; rings *= 2) {
        const int32_t node = nodeInView(field, p, below, rings, view);
        if (node < 0)
            continue;
        const thPoint place = thiNodePlace(&field->grid->nodes, node);
        const double left = (double)field->lengths.left[node] * THRONG_UNITS_PER_METRE;
        return (thFlowAim){.found = true,
                           .to = place,
                           .next = field->lengths.anchor[node],
                           .left = left + lengthOf(p, place)};
    }
    return (thFlowAim){.found = false};
}

thFlowAim thiFlowAimFrom(const thFlowField* field, thPoint p, bool quickly)
{
    const thNodeGrid* nodes = &field->grid->nodes;
    if (nodes->open == NULL)
        return aimAtSource(field, p, NULL); // on a floor without walls all paths are straight
    const int32_t node = nodeFrom(field, p);
    const int32_t index = quickly ? anchorInOpen(field, p, node) : -1;
    if (index >= 0) {
        thPoint place;
        const double far = thiNearestOfAnchor(anchorAt(field, index), p, &place);
        return aimAt(field, p, index, place, anchorAt(field, index)->left + far);
    }
    int32_t hides;
    const View view = viewFrom(field, p, &hides);
    for (int32_t rings = 1; rings <= 2; ++rings) {
        Candidates candidates;
        candidatesWithin(field, p, node, rings, &candidates);
        thFlowAim aim = bestSeen(field, p, &candidates, &view);
        if (aim.found && aim.left == candidates.left[0])
            return aim;
        const int32_t over = nodeInView(field, p, node, rings, &view);
        const thFlowAim other =
            over >= 0 ? aimOver(field, p, over, &view) : (thFlowAim){.found = false};
        if (other.found && (!aim.found || other.left < aim.left))
            aim = other;
        if (aim.found)
            return aim;
    }
    // Where it is tight there may be no node as far as one sees.
    thFlowAim aim = {.found = false};
    if (field->done)
        aim = aimAtSource(field, p, &view);
    if (!aim.found)
        aim = aimFurther(field, p, node, &view);
    if (aim.found || view.overlap <= TH_ROUTE_SLACK)
        return aim;
    // Who stands where the disc has no room goes to a node that a point could go to.
    const View narrow = {field->grid->space, thiRouteRadius(field->grid->space), &hides};
    return aimFurther(field, p, node, &narrow);
}

// Whether two directions differ by less than some 15 degrees.
static bool isAlike(thVec2 a, thVec2 b)
{
    const float along = a.x * b.x + a.y * b.y;
    return along > 0.0f &&
           along * along > ALIKE_COSINE_SQ * (a.x * a.x + a.y * a.y) * (b.x * b.x + b.y * b.y);
}

static thVec2 directionTo(thPoint from, thPoint to)
{
    return (thVec2){thiMetresBetween(from.x, to.x), thiMetresBetween(from.y, to.y)};
}

// What it costs to go on over each node of a block round a place. [m]
typedef struct Ahead {
    int32_t first; // node
    int32_t columns, rows;
    float cost[AHEAD_SPAN * AHEAD_SPAN]; // infinite for nodes that do not count
} Ahead;

static Ahead blockAround(const thNodeGrid* nodes, thPoint p)
{
    const int32_t below = nodeBelow(nodes, p), beyond = AHEAD_SIDES - 1;
    Ahead ahead;
    ahead.columns = TH_MIN(AHEAD_SPAN, nodes->columns);
    ahead.rows = TH_MIN(AHEAD_SPAN, nodes->rows);
    const int32_t column = TH_MAX(below % nodes->columns - beyond, 0);
    const int32_t row = TH_MAX(below / nodes->columns - beyond, 0);
    ahead.first = TH_MIN(row, nodes->rows - ahead.rows) * nodes->columns +
                  TH_MIN(column, nodes->columns - ahead.columns);
    return ahead;
}

// `left`: the length of the path from p without a crowd. Nodes from which it is much shorter are
// behind a wall, so their view need not be asked.
static Ahead costsAhead(const thFlowField* field, const thSlowField* slow, thPoint p, float left)
{
    const thNodeGrid* nodes = &field->grid->nodes;
    const float side = (float)nodes->side * TH_METRES_PER_UNIT, reach = AHEAD_SIDES * side;
    Ahead ahead = blockAround(nodes, p);
    const thPoint low = thiNodePlace(nodes, ahead.first);
    const float lowX = thiMetresBetween(p.x, low.x), lowY = thiMetresBetween(p.y, low.y);
    for (int32_t row = 0; row < ahead.rows; ++row) {
        const int32_t node = ahead.first + row * nodes->columns;
        const float* plain = &field->lengths.left[node];
        const float* slowed = &slow->left[node];
        const float y = lowY + (float)row * side;
        for (int32_t i = 0; i < ahead.columns; ++i) {
            const float x = lowX + (float)i * side, far = sqrtf(x * x + y * y);
            const bool counts = far <= reach && left - plain[i] <= LENGTH_SLACK * far + side;
            ahead.cost[row * AHEAD_SPAN + i] = counts ? slowed[i] + AHEAD_COST * far : INFINITY;
        }
    }
    return ahead;
}

// The cheapest node, which does not count any more then; −1 if none is left. Equal ones go by node.
static int32_t takeCheapest(const thNodeGrid* nodes, Ahead* ahead)
{
    int32_t best = 0;
    for (int32_t row = 0; row < ahead->rows; ++row)
        for (int32_t i = row * AHEAD_SPAN; i < row * AHEAD_SPAN + ahead->columns; ++i)
            if (ahead->cost[i] < ahead->cost[best])
                best = i;
    if (ahead->cost[best] == INFINITY)
        return -1;
    ahead->cost[best] = INFINITY;
    return ahead->first + best / AHEAD_SPAN * nodes->columns + best % AHEAD_SPAN;
}

// To the node in view that costs least with the path there. On that path this cost falls all the
// time, for the node only comes nearer and stays in view; and at the node one next to it costs less
// again. So nobody comes back to where it was, also where two paths cost the same.
static bool aimAhead(const thFlowField* field, const thSlowField* slow, thPoint p, double left,
                     thPoint* to)
{
    const thNodeGrid* nodes = &field->grid->nodes;
    int32_t hides;
    const View view = viewFrom(field, p, &hides);
    Ahead ahead = costsAhead(field, slow, p, (float)(left / THRONG_UNITS_PER_METRE));
    for (int32_t node; (node = takeCheapest(nodes, &ahead)) >= 0;) {
        *to = thiNodePlace(nodes, node);
        if (!thiSamePoint(*to, p) && isInView(&view, p, *to))
            return true;
    }
    return false;
}

// Whether a straight line leads to `to` also from a place a little further on the path to `along`.
static bool staysInView(const thFlowField* field, thPoint p, thPoint along, thPoint to)
{
    const double share = TH_MIN(field->grid->nodes.side / lengthOf(p, along), 1.0);
    const thPoint next = {p.x + (int32_t)lrint(((double)along.x - p.x) * share),
                          p.y + (int32_t)lrint(((double)along.y - p.y) * share)};
    return thiIsClearLeg(field->grid->space, next, to, TH_ROUTE_SLACK);
}

thFlowAim thiFlowAimAmong(const thFlowField* field, const thSlowField* slow, thPoint p,
                          bool quickly)
{
    thFlowAim aim = thiFlowAimFrom(field, p, quickly);
    const double near = NEAR_GOAL_SIDES * field->grid->nodes.side;
    thPoint to;
    if (!aim.found || slow == NULL || (aim.isGoal && aim.left <= near) ||
        !thiIsInGrid(&field->grid->nodes, p) || !aimAhead(field, slow, p, aim.left, &to))
        return aim;
    if (isAlike(directionTo(p, to), directionTo(p, aim.to)) && staysInView(field, p, aim.to, to))
        return aim;
    return (thFlowAim){.found = true, .to = to, .next = -1, .left = aim.left};
}

bool thiFlowNext(const thFlowField* field, int32_t* next, thPoint* at)
{
    if (*next < 0)
        return false;
    const thPoint from = *at;
    (void)thiNearestOfAnchor(anchorAt(field, *next), from, at);
    *next = anchorAt(field, *next)->next;
    return true;
}
