// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Fast marching among walls. First corners, which are found in the walls
// themselves and not among the nodes, then the march.

#include "plan/flow/eikonal.h"

#include "geom/segment.h"

#include <math.h>
#include <stdlib.h>

#define METRES 0x1p-16 // in a unit

// Paths that leave an anchor out of sight look for a corner if what else they see is longer than
// the straight line by this share of the side.
#define DETOUR 0.0625

// Corners are cut so often, each time into two.
#define CUTS 2

// Corners are found to this share of the side.
#define CORNER_SHARE 64

double thiNearestOfShape(const thAnchor* anchor, thPoint p, thPoint* place)
{
    const thOffset to = thiOffsetToSegment(p, anchor->a, anchor->b);
    const double distance = sqrt(to.x * to.x + to.y * to.y);
    const double left = distance - anchor->radius;
    if (left <= 0.0) {
        *place = p;
        return 0.0;
    }
    const double share = left / distance;
    *place = (thPoint){(int32_t)lrint(p.x + to.x * share), (int32_t)lrint(p.y + to.y * share)};
    return left;
}

static bool isClear(thLegCheck check, thPoint from, thPoint to)
{
    return check.isClear(check.context, from, to);
}

static bool seesAnchor(const thAnchor* anchor, thLegCheck check, thPoint p)
{
    thPoint place;
    (void)thiNearestOfAnchor(anchor, p, &place);
    return isClear(check, p, place);
}

// Corners are found between a place that sees and one that does not, by halving.

// On which side of the path from a over b the point p is.
static int32_t turnTo(thPoint a, thPoint b, thPoint p)
{
    const int64_t ax = (int64_t)b.x - a.x, ay = (int64_t)b.y - a.y;
    const int64_t bx = (int64_t)p.x - b.x, by = (int64_t)p.y - b.y;
    const double side = (double)ax * (double)by - (double)ay * (double)bx;
    return side > 0.0 ? 1 : side < 0.0 ? -1 : 0;
}

// The anchor, or the next one round whose corner a path to p turns as it should: what is before
// that is left aside.
static int32_t tautAnchor(const thAnchor* anchors, int32_t index, thPoint p)
{
    while (anchors[index].next >= 0 &&
           turnTo(anchors[index].from, anchors[index].a, p) != anchors[index].turn)
        index = anchors[index].next;
    return index;
}

static int64_t spanOf(thPoint a, thPoint b)
{
    return llabs((int64_t)a.x - b.x) + llabs((int64_t)a.y - b.y);
}

static thPoint middleOf(thPoint a, thPoint b)
{
    return (thPoint){(int32_t)(((int64_t)a.x + b.x) / 2), (int32_t)(((int64_t)a.y + b.y) / 2)};
}

// The last place on the line from `good`, which sees an anchor, to `bad`, which does not.
static thPoint lastViewer(const thAnchor* anchor, thLegCheck check, thPoint good, thPoint bad,
                          int32_t error)
{
    while (spanOf(good, bad) > error) {
        const thPoint middle = middleOf(good, bad);
        *(seesAnchor(anchor, check, middle) ? &good : &bad) = middle;
    }
    return good;
}

static thPoint pointToward(thPoint from, thPoint to, double share)
{
    return (thPoint){(int32_t)lrint(from.x + ((double)to.x - from.x) * share),
                     (int32_t)lrint(from.y + ((double)to.y - from.y) * share)};
}

// The last place on the line from `good`, which p sees, to `bad`, which it does not. It is near the
// beginning, so long legs are first cut down to a few times `near`.
static thPoint lastInView(thLegCheck check, thPoint p, thPoint good, thPoint bad, int32_t near,
                          int32_t error)
{
    const thPoint from = good, to = bad;
    double share = 2.0 * near / (double)TH_MAX(spanOf(from, to), 1);
    for (; share < 1.0; share *= 4.0) {
        const thPoint place = pointToward(from, to, share);
        if (!isClear(check, p, place)) {
            bad = place;
            break;
        }
        good = place;
    }
    while (spanOf(good, bad) > error) {
        const thPoint middle = middleOf(good, bad);
        *(isClear(check, p, middle) ? &good : &bad) = middle;
    }
    return good;
}

// The corner is on the line from the anchor to the last place it sees between the node and p, and
// it is the last place on that line which p sees.
thPoint thiFindCorner(const thEikonal* field, thLegCheck check, int32_t node, thPoint p)
{
    const thAnchor* anchor = thiAnchorAt(field, field->anchor[node]);
    const int32_t side = field->grid->side, error = side / CORNER_SHARE;
    const thPoint edge = lastViewer(anchor, check, thiNodePlace(field->grid, node), p, error);
    thPoint place;
    (void)thiNearestOfAnchor(anchor, edge, &place);
    return isClear(check, p, place) ? place : lastInView(check, p, edge, place, side, error);
}

static thResult addAnchor(thEikonal* field, thPoint at, int32_t next, thPoint to)
{
    thAnchor* added = thiArrayAdd(&field->anchors, 1);
    if (added == NULL)
        return th_resultNoMemory;
    const thAnchor* after = thiAnchorAt(field, next);
    thPoint place;
    const double left = after->left + thiNearestOfAnchor(after, at, &place);
    *added = (thAnchor){
        .a = at, .b = at, .left = left, .next = next, .from = place, .turn = turnTo(place, at, to)};
    return th_resultOk;
}

static double lengthOf(thPoint a, thPoint b)
{
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    return sqrt(dx * dx + dy * dy);
}

// Whether a path that goes over a corner turns by more than some 20 degrees.
static bool isSharp(thPoint from, thPoint corner, thPoint to)
{
    const double ax = (double)corner.x - from.x, ay = (double)corner.y - from.y;
    const double bx = (double)to.x - corner.x, by = (double)to.y - corner.y;
    const double along = ax * bx + ay * by;
    return along <= 0.0 || along * along < 0.88 * (ax * ax + ay * ay) * (bx * bx + by * by);
}

// How far from a corner a path may leave it aside; 0 if hardly at all. Walls that a disc goes round
// are round for its middle.
static double longestCut(const thEikonal* field, thPoint from, thPoint corner, thPoint to)
{
    const double before = lengthOf(from, corner), after = lengthOf(corner, to);
    const double step = (double)field->grid->side / CORNER_SHARE;
    double good = 0.0, bad = TH_MIN(before, after);
    for (double tried = 4.0 * step; bad - good > step; tried = 0.5 * (good + bad)) {
        if (tried >= bad)
            break;
        const bool clear = isClear(field->check, pointToward(corner, from, tried / before),
                                   pointToward(corner, to, tried / after));
        if (!clear && good == 0.0)
            return 0.0;
        *(clear ? &good : &bad) = tried;
    }
    return good;
}

// Adds anchors that lead from p over a corner to the anchor `next`, the last of them nearest to p:
// the corner, or if there is room to cut it, places before and behind it.
static thResult addCorner(thEikonal* field, int32_t next, thPoint corner, thPoint p, int32_t cuts)
{
    thPoint from;
    (void)thiNearestOfAnchor(thiAnchorAt(field, next), corner, &from);
    const double cut =
        cuts > 0 && isSharp(from, corner, p) ? longestCut(field, from, corner, p) : 0.0;
    if (cut == 0.0)
        return addAnchor(field, corner, next, p);
    const thPoint first = pointToward(corner, from, cut / lengthOf(from, corner));
    const thPoint second = pointToward(corner, p, cut / lengthOf(corner, p));
    TH_TRY(addCorner(field, next, first, second, cuts - 1));
    return addCorner(field, field->anchors.count - 1, second, p, cuts - 1);
}

// What `anchor` holds of a node that is not settled: below −1, in two variants.
static int32_t guess(int32_t anchor)
{
    return -2 - 2 * anchor;
}
static int32_t proven(int32_t anchor)
{
    return -3 - 2 * anchor;
}
static int32_t openAnchor(int32_t coded)
{
    return (-2 - coded) >> 1;
}
static bool isProven(int32_t coded)
{
    return ((-2 - coded) & 1) != 0;
}

thResult thiEikonalCreate(thMemory* memory, const thNodeGrid* grid, thEikonal* field)
{
    const size_t count = (size_t)thiNodeCount(grid);
    *field = (thEikonal){.memory = memory,
                         .grid = grid,
                         .left = thiAllocate(memory, count * sizeof(float)),
                         .anchor = thiAllocate(memory, count * sizeof(int32_t)),
                         .anchors = thiArray(memory, sizeof(thAnchor)),
                         .heap = thiArray(memory, sizeof(uint64_t))};
    if (count > 0 && (field->left == NULL || field->anchor == NULL)) {
        thiEikonalFree(field);
        return th_resultNoMemory;
    }
    for (size_t i = 0; i < count; ++i) {
        field->left[i] = INFINITY;
        field->anchor[i] = -1;
    }
    return th_resultOk;
}

void thiEikonalFree(thEikonal* field)
{
    const size_t count = field->grid != NULL ? (size_t)thiNodeCount(field->grid) : 0;
    if (field->memory == NULL)
        return;
    thiRelease(field->memory, field->left, count * sizeof(float));
    thiRelease(field->memory, field->anchor, count * sizeof(int32_t));
    thiArrayFree(&field->anchors);
    thiArrayFree(&field->heap);
    *field = (thEikonal){0};
}

// Which way the neighbours are, in the order east, west, north, south.
typedef struct Step {
    uint8_t bit;
    int8_t x, y;
} Step;
static const Step steps[4] = {
    {th_openEast, 1, 0}, {th_openWest, -1, 0}, {th_openNorth, 0, 1}, {th_openSouth, 0, -1}};

static float lengthOver(const thAnchor* anchor, thPoint p, thPoint* place)
{
    return (float)((anchor->left + thiNearestOfAnchor(anchor, p, place)) * METRES);
}

static thResult setNode(thEikonal* field, int32_t node, float left, int32_t coded)
{
    field->left[node] = left;
    field->anchor[node] = coded;
    return thiFrontPush(&field->heap, left, node);
}

static thResult offer(thEikonal* field, int32_t node, thPoint p, int32_t index)
{
    thPoint place;
    index = tautAnchor(field->anchors.data, index, p);
    const float left = lengthOver(thiAnchorAt(field, index), p, &place);
    return left < field->left[node] ? setNode(field, node, left, guess(index)) : th_resultOk;
}

// Whether a node is between neighbours that see the anchor, with no wall in the square they make.
// Then it sees it too, but for what is narrower than the square and stands between their views.
static bool isBetweenViewers(const thEikonal* field, int32_t node, thPoint p, int32_t index)
{
    thPoint place;
    (void)thiNearestOfAnchor(thiAnchorAt(field, index), p, &place);
    const int64_t dx = (int64_t)place.x - p.x, dy = (int64_t)place.y - p.y;
    const int64_t wide = dx < 0 ? -dx : dx, high = dy < 0 ? -dy : dy;
    const int32_t side = field->grid->side, columns = field->grid->columns;
    if (wide <= side && high <= side)
        return false;
    const int32_t stepX = dx < 0 ? -1 : 1, stepY = dy < 0 ? -columns : columns;
    const int32_t along = node + (wide >= high ? stepX : stepY), beside = node + stepX + stepY;
    const int32_t here =
        (dx < 0 ? th_openWest : th_openEast) | (dy < 0 ? th_openSouth : th_openNorth);
    const int32_t there =
        (dx < 0 ? th_openEast : th_openWest) | (dy < 0 ? th_openNorth : th_openSouth);
    return field->anchor[along] == index && field->anchor[beside] == index &&
           (field->grid->open[node] & here) == here && (field->grid->open[beside] & there) == there;
}

typedef struct Choice {
    float left;
    int32_t anchor; // −1: none
} Choice;

// The best of the anchors that settled neighbours have, of those that the node sees.
static Choice choose(const thEikonal* field, int32_t node, thPoint p, int32_t hidden)
{
    Choice best = {INFINITY, -1};
    for (int32_t y = -1; y <= 1; ++y)
        for (int32_t x = -1; x <= 1; ++x) {
            const int32_t index = field->anchor[node + y * field->grid->columns + x];
            thPoint place;
            if (index < 0 || index == hidden || index == best.anchor)
                continue;
            const float left = lengthOver(thiAnchorAt(field, index), p, &place);
            if (left < best.left && isClear(field->check, p, place))
                best = (Choice){left, index};
        }
    return best;
}

// The settled neighbour with the shortest path; −1 if there is none.
static int32_t nearestNeighbor(const thEikonal* field, int32_t node)
{
    int32_t nearest = -1;
    for (int32_t i = 0; i < 4; ++i) {
        const int32_t other = node + steps[i].y * field->grid->columns + steps[i].x;
        if ((field->grid->open[node] & steps[i].bit) != 0 && thiIsSettled(field, other) &&
            (nearest < 0 || field->left[other] < field->left[nearest]))
            nearest = other;
    }
    return nearest;
}

// The best of the goal's own places that a node sees. For nodes at which paths start: those that
// two parts of the goal are near to may be offered the one they do not see.
static Choice chooseSource(const thEikonal* field, thPoint p)
{
    Choice best = {INFINITY, -1};
    for (int32_t i = 0; i < field->anchors.count && thiAnchorAt(field, i)->next < 0; ++i) {
        thPoint place;
        const float left = lengthOver(thiAnchorAt(field, i), p, &place);
        if (left < best.left && isClear(field->check, p, place))
            best = (Choice){left, i};
    }
    return best;
}

// The node does not see the anchor it was offered: the best of what it sees, or a new corner.
static thResult lookElsewhere(thEikonal* field, int32_t node, thPoint p)
{
    const float straight = field->left[node];
    Choice best = choose(field, node, p, openAnchor(field->anchor[node]));
    const int32_t neighbor = nearestNeighbor(field, node);
    if (neighbor < 0)
        best = chooseSource(field, p);
    else if (best.left > straight + (float)(DETOUR * METRES * field->grid->side)) {
        const int32_t before = field->anchors.count;
        const thPoint corner = thiFindCorner(field, field->check, neighbor, p);
        TH_TRY(addCorner(field, field->anchor[neighbor], corner, p, CUTS));
        thPoint place;
        const int32_t added = field->anchors.count - 1;
        const float left = lengthOver(thiAnchorAt(field, added), p, &place);
        if (left < best.left)
            best = (Choice){left, added};
        else
            field->anchors.count = before;
    }
    if (best.anchor >= 0)
        return setNode(field, node, best.left, proven(best.anchor));
    field->left[node] = INFINITY;
    field->anchor[node] = -1;
    return th_resultOk;
}

static thResult settle(thEikonal* field, int32_t node, thPoint p)
{
    const int32_t index = openAnchor(field->anchor[node]);
    const thNodeGrid* grid = field->grid;
    field->anchor[node] = index;
    field->settled += 1;
    for (int32_t i = 0; i < 4; ++i) {
        const int32_t other = node + steps[i].y * grid->columns + steps[i].x;
        const thPoint there = {p.x + steps[i].x * grid->side, p.y + steps[i].y * grid->side};
        if ((grid->open[node] & steps[i].bit) != 0 && !thiIsSettled(field, other))
            TH_TRY(offer(field, other, there, index));
    }
    return th_resultOk;
}

thResult thiEikonalMarch(thEikonal* field, int64_t count, bool* done)
{
    const int64_t end = field->settled + count;
    while (field->heap.count > 0 && field->settled < end) {
        const uint64_t item = thiFrontPop(&field->heap);
        const int32_t node = thiFrontNode(item), coded = field->anchor[node];
        if (coded >= -1 || field->left[node] != thiFrontLength(item))
            continue; // settled or reached by a shorter path since
        const thPoint p = thiNodePlace(field->grid, node);
        if (isProven(coded) || isBetweenViewers(field, node, p, openAnchor(coded)) ||
            seesAnchor(thiAnchorAt(field, openAnchor(coded)), field->check, p))
            TH_TRY(settle(field, node, p));
        else
            TH_TRY(lookElsewhere(field, node, p));
    }
    *done = field->heap.count == 0;
    return th_resultOk;
}

// Columns or rows of nodes between two coordinates, within the grid.
static void nodeRange(int32_t low, int32_t side, int32_t count, double from, double to,
                      int32_t* begin, int32_t* end)
{
    const double first = ceil((from - low) / side), last = floor((to - low) / side);
    *begin = (int32_t)TH_MIN(TH_MAX(first, 0.0), (double)count);
    *end = (int32_t)TH_MIN(TH_MAX(last + 1.0, (double)*begin), (double)count);
}

static thResult seed(thEikonal* field, int32_t node, int32_t index, double reach)
{
    thPoint place;
    const thPoint p = thiNodePlace(field->grid, node);
    if ((field->grid->open[node] & th_openNode) == 0 ||
        thiNearestOfAnchor(thiAnchorAt(field, index), p, &place) > reach)
        return th_resultOk;
    return offer(field, node, p, index);
}

static thResult seedBorder(thEikonal* field, int32_t index)
{
    const thNodeGrid* grid = field->grid;
    for (int32_t row = 1; row < grid->rows - 1; ++row) {
        const bool whole = row == 1 || row == grid->rows - 2;
        for (int32_t column = 1; column < grid->columns - 1;
             column += whole ? 1 : TH_MAX(grid->columns - 3, 1))
            TH_TRY(seed(field, row * grid->columns + column, index, INFINITY));
    }
    return th_resultOk;
}

thResult thiEikonalAddSource(thEikonal* field, const thAnchor* source, double reach)
{
    const thNodeGrid* grid = field->grid;
    thAnchor* added = thiArrayAdd(&field->anchors, 1);
    if (added == NULL)
        return th_resultNoMemory;
    *added = *source;
    const int32_t index = field->anchors.count - 1;
    if (!thiIsInGrid(grid, source->a) || !thiIsInGrid(grid, source->b))
        TH_TRY(seedBorder(field, index));
    const double far = source->radius + reach;
    int32_t column, columnEnd, row, rowEnd;
    nodeRange(grid->low.x, grid->side, grid->columns, TH_MIN(source->a.x, source->b.x) - far,
              TH_MAX(source->a.x, source->b.x) + far, &column, &columnEnd);
    nodeRange(grid->low.y, grid->side, grid->rows, TH_MIN(source->a.y, source->b.y) - far,
              TH_MAX(source->a.y, source->b.y) + far, &row, &rowEnd);
    for (; row < rowEnd; ++row)
        for (int32_t at = column; at < columnEnd; ++at)
            TH_TRY(seed(field, row * grid->columns + at, index, reach));
    return th_resultOk;
}
