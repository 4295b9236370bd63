// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Corners round which ways bend, found in the walls themselves and not among the nodes.

#include "plan/flow/eikonal.h"

#include <math.h>
#include <stdlib.h>

// Corners are cut so often, each time into two.
#define CUTS 2

// Corners are found to this share of the side.
#define CORNER_SHARE 64

// On which side of the way from a over b the point p is.
static int32_t turnTo(thPoint a, thPoint b, thPoint p)
{
    const int64_t ax = (int64_t)b.x - a.x, ay = (int64_t)b.y - a.y;
    const int64_t bx = (int64_t)p.x - b.x, by = (int64_t)p.y - b.y;
    const double side = (double)ax * (double)by - (double)ay * (double)bx;
    return side > 0.0 ? 1 : side < 0.0 ? -1 : 0;
}

int32_t thiTautAnchor(const thAnchor* anchors, int32_t index, thPoint p)
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

// The last place on the way from `good`, which sees an anchor, to `bad`, which does not.
static thPoint lastViewer(const thAnchor* anchor, thClearance clearance, thPoint good, thPoint bad,
                          int32_t error)
{
    while (spanOf(good, bad) > error) {
        const thPoint middle = middleOf(good, bad);
        *(thiSeesAnchor(anchor, clearance, middle) ? &good : &bad) = middle;
    }
    return good;
}

static thPoint pointToward(thPoint from, thPoint to, double share)
{
    return (thPoint){(int32_t)lrint(from.x + ((double)to.x - from.x) * share),
                     (int32_t)lrint(from.y + ((double)to.y - from.y) * share)};
}

// The last place on the way from `good`, which p sees, to `bad`, which it does not. It is near the
// beginning, so long ways are first cut down to a few times `near`.
static thPoint lastInView(thClearance clearance, thPoint p, thPoint good, thPoint bad, int32_t near,
                          int32_t error)
{
    const thPoint from = good, to = bad;
    double share = 2.0 * near / (double)TH_MAX(spanOf(from, to), 1);
    for (; share < 1.0; share *= 4.0) {
        const thPoint place = pointToward(from, to, share);
        if (!thiIsClear(clearance, p, place)) {
            bad = place;
            break;
        }
        good = place;
    }
    while (spanOf(good, bad) > error) {
        const thPoint middle = middleOf(good, bad);
        *(thiIsClear(clearance, p, middle) ? &good : &bad) = middle;
    }
    return good;
}

// The corner is on the line from the anchor to the last place it sees between the node and p, and
// it is the last place on that line which p sees.
thPoint thiFindCorner(const thEikonal* field, thClearance clearance, int32_t node, thPoint p)
{
    const thAnchor* anchor = thiAnchorAt(field, field->anchor[node]);
    const int32_t side = field->grid->side, error = side / CORNER_SHARE;
    const thPoint edge = lastViewer(anchor, clearance, thiNodePlace(field->grid, node), p, error);
    thPoint place;
    (void)thiNearestOfAnchor(anchor, edge, &place);
    return thiIsClear(clearance, p, place) ? place
                                           : lastInView(clearance, p, edge, place, side, error);
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

// Whether a way that goes over a corner turns by more than some 20 degrees.
static bool isSharp(thPoint from, thPoint corner, thPoint to)
{
    const double ax = (double)corner.x - from.x, ay = (double)corner.y - from.y;
    const double bx = (double)to.x - corner.x, by = (double)to.y - corner.y;
    const double along = ax * bx + ay * by;
    return along <= 0.0 || along * along < 0.88 * (ax * ax + ay * ay) * (bx * bx + by * by);
}

// How far from a corner a way may leave it aside; 0 if hardly at all. Walls that a disc goes round
// are round for its middle.
static double longestCut(const thEikonal* field, thPoint from, thPoint corner, thPoint to)
{
    const double before = lengthOf(from, corner), after = lengthOf(corner, to);
    const double step = (double)field->grid->side / CORNER_SHARE;
    double good = 0.0, bad = TH_MIN(before, after);
    for (double tried = 4.0 * step; bad - good > step; tried = 0.5 * (good + bad)) {
        if (tried >= bad)
            break;
        const bool clear = thiIsClear(field->clearance, pointToward(corner, from, tried / before),
                                      pointToward(corner, to, tried / after));
        if (!clear && good == 0.0)
            return 0.0;
        *(clear ? &good : &bad) = tried;
    }
    return good;
}

// Adds what leads from a place over a corner to the anchor `next`: the corner, or if there is room
// to cut it, places before and behind it.
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

thResult thiAddCorner(thEikonal* field, int32_t next, thPoint corner, thPoint p)
{
    return addCorner(field, next, corner, p, CUTS);
}
