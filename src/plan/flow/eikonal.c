// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "plan/flow/eikonal.h"

#include "geom/segment.h"
#include "plan/flow/front_heap.h"

#include <math.h>

#define METRES 0x1p-16 // in a unit

// Ways that leave an anchor out of sight look for a corner if what else they see is longer than the
// straight line by this share of the side.
#define DETOUR 0.0625

// What `anchor` holds of a node that is not settled: below −1, in two variants.
static int32_t guess(int32_t anchor)
{
    return -2 - 2 * anchor;
}
static int32_t proven(int32_t anchor)
{
    return -3 - 2 * anchor;
}
static int32_t openAnchor(int32_t held)
{
    return (-2 - held) >> 1;
}
static bool isProven(int32_t held)
{
    return ((-2 - held) & 1) != 0;
}

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
typedef struct Way {
    uint8_t bit;
    int8_t x, y;
} Way;
static const Way ways[4] = {
    {th_openEast, 1, 0}, {th_openWest, -1, 0}, {th_openNorth, 0, 1}, {th_openSouth, 0, -1}};

static float lengthOver(const thAnchor* anchor, thPoint p, thPoint* place)
{
    return (float)((anchor->left + thiNearestOfAnchor(anchor, p, place)) * METRES);
}

static thResult setNode(thEikonal* field, int32_t node, float left, int32_t held)
{
    field->left[node] = left;
    field->anchor[node] = held;
    return thiFrontPush(&field->heap, left, node);
}

static thResult offer(thEikonal* field, int32_t node, thPoint p, int32_t index)
{
    thPoint place;
    index = thiTautAnchor(field->anchors.data, index, p);
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
            if (left < best.left && thiIsClear(field->clearance, p, place))
                best = (Choice){left, index};
        }
    return best;
}

// The settled neighbour with the shortest way; −1 if there is none.
static int32_t nearestNeighbor(const thEikonal* field, int32_t node)
{
    int32_t nearest = -1;
    for (int32_t i = 0; i < 4; ++i) {
        const int32_t other = node + ways[i].y * field->grid->columns + ways[i].x;
        if ((field->grid->open[node] & ways[i].bit) != 0 && thiIsSettled(field, other) &&
            (nearest < 0 || field->left[other] < field->left[nearest]))
            nearest = other;
    }
    return nearest;
}

// The best of the goal's own places that a node sees. For nodes at which ways start: those that two
// parts of the goal are near to may be offered the one they do not see.
static Choice chooseSource(const thEikonal* field, thPoint p)
{
    Choice best = {INFINITY, -1};
    for (int32_t i = 0; i < field->anchors.count && thiAnchorAt(field, i)->next < 0; ++i) {
        thPoint place;
        const float left = lengthOver(thiAnchorAt(field, i), p, &place);
        if (left < best.left && thiIsClear(field->clearance, p, place))
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
        const thPoint corner = thiFindCorner(field, field->clearance, neighbor, p);
        TH_TRY(thiAddCorner(field, field->anchor[neighbor], corner, p));
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
        const int32_t other = node + ways[i].y * grid->columns + ways[i].x;
        const thPoint there = {p.x + ways[i].x * grid->side, p.y + ways[i].y * grid->side};
        if ((grid->open[node] & ways[i].bit) != 0 && !thiIsSettled(field, other))
            TH_TRY(offer(field, other, there, index));
    }
    return th_resultOk;
}

thResult thiEikonalMarch(thEikonal* field, int64_t count, bool* done)
{
    const int64_t end = field->settled + count;
    while (field->heap.count > 0 && field->settled < end) {
        const uint64_t item = thiFrontPop(&field->heap);
        const int32_t node = thiFrontNode(item), held = field->anchor[node];
        if (held >= -1 || field->left[node] != thiFrontLength(item))
            continue; // settled or reached by a shorter way since
        const thPoint p = thiNodePlace(field->grid, node);
        if (isProven(held) || isBetweenViewers(field, node, p, openAnchor(held)) ||
            thiSeesAnchor(thiAnchorAt(field, openAnchor(held)), field->clearance, p))
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

bool thiIsInGrid(const thNodeGrid* grid, thPoint p)
{
    const double x = ((double)p.x - grid->low.x) / grid->side;
    const double y = ((double)p.y - grid->low.y) / grid->side;
    return x >= 1.0 && y >= 1.0 && x <= grid->columns - 2.0 && y <= grid->rows - 2.0;
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
