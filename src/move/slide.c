// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How a disc slides along walls. A move is a row of legs. Each leg is first planned and then
// proved.
//
// Plan: of the walls the disc touches, the one that the wish opposes most takes the part of the
// wish along its normal away. In the plane that is all there is to it: if what is left still leads
// into another wall the disc touches, then no direction helps that is less than a right angle from
// the wish, and the disc stays. Otherwise it goes until it touches another wall, and the rest of
// the wish, in the time that is left, starts the next leg.
//
// Proof: a leg is taken only if it is clear, judged by exact predicates and by distances whose
// error is far below the slop. If not, half of it is tried, and so on. Staying is always clear, so
// by induction what slide.h promises holds whatever the plan was.
//
//     radius ─────────── soft = radius − slop/2 ─────────── hard = radius − slop
//              room                            room for rounding
//
// Plans keep to the soft radius, so that a body fits between walls that leave it just enough room;
// the proof asks for the hard one.

#include "move/slide.h"

#include "geom/fixed.h"
#include "geom/segment.h"
#include "space/wall_cells.h"

#include <math.h>

#define MAX_HALVINGS 6
#define MAX_LISTED 64
#define TOUCH 2.0 // what is nearer than that is touched: places are rounded [units]
#define GRAZE 0.5 // approaches that do not count [units]

// One call. Walls in reach are listed once; where there are too many, all passes go through the
// cells again.
typedef struct Move {
    const thWallGrid* grid;
    double soft, hard; // units
    thBoxWalk cells;
    int32_t count; // MAX_LISTED + 1: too many
    int32_t listed[MAX_LISTED];
} Move;

static thOffset add(thOffset a, thOffset b, double times)
{
    return (thOffset){a.x + times * b.x, a.y + times * b.y};
}

static double dot(thOffset a, thOffset b)
{
    return a.x * b.x + a.y * b.y;
}

static double cross(thOffset a, thOffset b)
{
    return a.x * b.y - a.y * b.x;
}

static thOffset between(thPoint a, thPoint b)
{
    return (thOffset){(double)b.x - a.x, (double)b.y - a.y};
}

static double distanceSq(thPoint p, thPoint a, thPoint b)
{
    const thOffset offset = thiOffsetToSegment(p, a, b);
    return dot(offset, offset);
}

// Walls near a box.
typedef struct Walk {
    const Move* move;
    thBox box;
    int32_t at;
    thBoxWalk cells;
} Walk;

static Walk beginWalk(const Move* move, thPoint p, thPoint q, double reach)
{
    return (Walk){move, thiBoxAround(p, q, (int64_t)reach + 1), 0, move->cells};
}

// The next segment whose box meets the walk's, −1 after the last.
static int32_t nextWall(Walk* walk, thPoint* a, thPoint* b)
{
    const Move* move = walk->move;
    for (;;) {
        int32_t segment = -1;
        if (move->count > MAX_LISTED)
            segment = thiNextSegment(&walk->cells);
        else if (walk->at < move->count)
            segment = move->listed[walk->at++];
        if (segment < 0)
            return -1;
        *a = thiSegmentStart(move->grid, segment);
        *b = thiSegmentEnd(move->grid, segment);
        if (thiBoxMeetsSegment(&walk->box, *a, *b))
            return segment;
    }
}

static void listWall(Move* move, int32_t segment)
{
    for (int32_t i = 0; i < TH_MIN(move->count, MAX_LISTED); ++i)
        if (move->listed[i] == segment)
            return;
    if (move->count < MAX_LISTED)
        move->listed[move->count] = segment;
    move->count += 1;
}

// Lists all walls that the move may touch. Legs turn, but all together are not longer than the wish
// and a lift on each leg.
static void listWalls(Move* move, const thBand* band, thPoint from, thOffset wish)
{
    const int64_t reach = (int64_t)(sqrt(dot(wish, wish)) * 1.25 + move->soft + TOUCH) + 64;
    const thBox box = thiBoxAround(from, from, reach);
    thCellBox cells;
    move->count = 0;
    if (!thiClipBox(band, move->grid->shift, box, &cells))
        return;
    move->cells = thiBeginBoxWalk(move->grid, band, cells);
    thBoxWalk walk = move->cells;
    for (int32_t segment = thiNextSegment(&walk); segment >= 0 && move->count <= MAX_LISTED;
         segment = thiNextSegment(&walk))
        if (thiBoxMeetsSegment(&box, thiSegmentStart(move->grid, segment),
                               thiSegmentEnd(move->grid, segment)))
            listWall(move, segment);
}

// Proof.

// Whether the way from p to q meets a wall. From a wall it stands on, a centre may go to the free
// side.
static bool meetsWall(const Move* move, int32_t segment, thPoint p, thPoint q)
{
    const thPoint a = thiSegmentStart(move->grid, segment), b = thiSegmentEnd(move->grid, segment);
    if (!thiSegmentsTouch(p, q, a, b))
        return false;
    if (!thiPointOnSegment(p, a, b))
        return true;
    const int32_t side = thiOrientation(a, b, q);
    return move->grid->walls.oneSided[segment] != 0 ? side >= 0 : side == 0;
}

// Two segments that do not meet are nearest to each other at an end of one. What is said of p and q
// is the same function of both, so that small errors do not add up from leg to leg.
static bool keepsDistance(thPoint p, thPoint q, thPoint a, thPoint b, double limitSq)
{
    const double leastSq = TH_MIN(distanceSq(p, a, b), limitSq);
    const double aboutSq = leastSq * (1.0 - 0x1p-40); // ends may be at the same distance as p
    return distanceSq(q, a, b) >= leastSq && distanceSq(a, p, q) >= aboutSq &&
           distanceSq(b, p, q) >= aboutSq;
}

static bool isClear(const Move* move, thPoint p, thPoint q, double limit)
{
    const double limitSq = limit * limit;
    thPoint a, b;
    Walk walk = beginWalk(move, p, q, limit);
    for (int32_t segment = nextWall(&walk, &a, &b); segment >= 0; segment = nextWall(&walk, &a, &b))
        if (meetsWall(move, segment, p, q) || !keepsDistance(p, q, a, b, limitSq))
            return false;
    return true;
}

// The same for the whole way, before walls are listed: mostly it is clear.
static bool isStraightClear(const Move* move, const thBand* band, thPoint from, thPoint to)
{
    const thBox box = thiBoxAround(from, to, (int64_t)move->soft + 1);
    const double limitSq = move->soft * move->soft;
    thCellBox cells;
    if (band == NULL || !thiClipBox(band, move->grid->shift, box, &cells))
        return true;
    const int32_t* start = TH_ITEMS(move->grid->cellStart, int32_t);
    for (int32_t row = cells.rowBegin; row < cells.rowEnd; ++row) {
        const int32_t cell = band->firstCell + row * band->columns;
        const int32_t end = start[cell + cells.columnEnd];
        for (int32_t place = start[cell + cells.columnBegin]; place < end; ++place) {
            const int32_t segment = TH_ITEMS(move->grid->lists, int32_t)[place];
            const thPoint a = thiSegmentStart(move->grid, segment);
            const thPoint b = thiSegmentEnd(move->grid, segment);
            if (thiBoxMeetsSegment(&box, a, b) &&
                (meetsWall(move, segment, from, to) || !keepsDistance(from, to, a, b, limitSq)))
                return false;
        }
    }
    return true;
}

// Shortens a leg until it is clear and returns the share of it that is left.
static double shorten(const Move* move, thPoint p, thPoint* q)
{
    double share = 1.0;
    for (int32_t halvings = 0; !thiSamePoint(p, *q); ++halvings) {
        if (isClear(move, p, *q, move->hard))
            return share;
        if (halvings == MAX_HALVINGS)
            break;
        q->x = (int32_t)(p.x + ((int64_t)q->x - p.x) / 2);
        q->y = (int32_t)(p.y + ((int64_t)q->y - p.y) / 2);
        share *= 0.5;
    }
    *q = p;
    return 0.0;
}

// Plan.

// A wall that the disc touches.
typedef struct Contact {
    thOffset normal;
    double approach; // of the wish, along the normal; negative towards the wall [units]
    double depth;    // below the soft radius [units]
} Contact;

// The normal of a wall, for a disc at `offset` from its nearest point. A centre on the wall goes to
// its free side, or where it wants if both are free.
static thOffset normalOf(const Move* move, int32_t segment, thOffset offset, double distance,
                         thOffset wish)
{
    if (distance > 0.0)
        return (thOffset){-offset.x / distance, -offset.y / distance};
    const thOffset along =
        between(thiSegmentStart(move->grid, segment), thiSegmentEnd(move->grid, segment));
    const double length = sqrt(dot(along, along)); // at least 1: the grid drops the others
    const thOffset right = {along.y / length, -along.x / length};
    if (move->grid->walls.oneSided[segment] == 0 && dot(right, wish) < 0.0)
        return (thOffset){-right.x, -right.y};
    return right;
}

// A total order, so that the order of walls does not matter.
static bool isMoreOpposed(const Contact* a, const Contact* b)
{
    if (a->approach != b->approach)
        return a->approach < b->approach;
    if (a->depth != b->depth)
        return a->depth > b->depth;
    return a->normal.x != b->normal.x ? a->normal.x < b->normal.x : a->normal.y < b->normal.y;
}

// Of the walls the disc touches, the one that the wish opposes most. Without any, the wish
// approaches nothing.
static Contact findContact(const Move* move, thPoint p, thOffset wish)
{
    const double reach = move->soft + TOUCH;
    Contact most = {.approach = DBL_MAX};
    thPoint a, b;
    Walk walk = beginWalk(move, p, p, reach);
    for (int32_t segment = nextWall(&walk, &a, &b); segment >= 0;
         segment = nextWall(&walk, &a, &b)) {
        const thOffset offset = thiOffsetToSegment(p, a, b);
        const double distance = sqrt(dot(offset, offset));
        if (distance > reach)
            continue;
        const thOffset normal = normalOf(move, segment, offset, distance, wish);
        const Contact contact = {normal, dot(normal, wish), move->soft - distance};
        if (isMoreOpposed(&contact, &most))
            most = contact;
    }
    return most;
}

// The share of `leg` after which it is `radius` from `end`, which it is not yet. More than 1 if it
// is never.
static double shareToEnd(thOffset end, thOffset leg, double radius)
{
    const double toward = dot(leg, end);
    const double gap = dot(end, end) - radius * radius;
    const double root = toward * toward - dot(leg, leg) * gap;
    return toward > 0.0 && root >= 0.0 ? gap / (toward + sqrt(root)) : 2.0;
}

// The same for the segment that runs along `along` from `start`.
static double shareToWall(thOffset start, thOffset along, thOffset leg, double radius)
{
    double share =
        TH_MIN(shareToEnd(start, leg, radius), shareToEnd(add(start, along, 1.0), leg, radius));
    const double side = cross(start, along) < 0.0 ? -1.0 : 1.0;
    const double height = side * cross(start, along), fall = side * cross(leg, along);
    const double lengthSq = dot(along, along), excess = height - radius * sqrt(lengthSq);
    if (fall > 0.0 && excess >= 0.0) {
        const double onLine = excess / fall;
        const double place = onLine * dot(leg, along) - dot(start, along);
        if (place >= 0.0 && place <= lengthSq)
            share = TH_MIN(share, onLine);
    }
    return share;
}

static thPoint pointAt(thPoint p, thOffset leg, double share)
{
    const double most = TH_MAX_UNITS;
    const double x = floor(p.x + share * leg.x + 0.5), y = floor(p.y + share * leg.y + 0.5);
    return (thPoint){(int32_t)TH_MIN(TH_MAX(x, -most), most),
                     (int32_t)TH_MIN(TH_MAX(y, -most), most)};
}

// The share of a leg until the disc touches a wall: 0 if it leads into one that it touches already,
// 1 if it meets none. Distance from a wall is convex along a leg, so what does not come nearer at
// first never does.
static double freeShare(const Move* move, thPoint p, thOffset leg)
{
    const double reach = move->soft + TOUCH;
    double share = 1.0;
    thPoint a, b;
    Walk walk = beginWalk(move, p, pointAt(p, leg, 1.0), reach);
    for (int32_t segment = nextWall(&walk, &a, &b); segment >= 0;
         segment = nextWall(&walk, &a, &b)) {
        const thOffset offset = thiOffsetToSegment(p, a, b);
        const double distance = sqrt(dot(offset, offset));
        if (distance > reach)
            share = TH_MIN(share, shareToWall(between(p, a), between(a, b), leg, move->soft));
        else if (dot(normalOf(move, segment, offset, distance, leg), leg) < -GRAZE)
            return 0.0;
    }
    return share;
}

// What a disc may do of its wish, and how much of that before it touches another wall. Discs that
// are too deep, be it by rounding or because they were created so, are lifted a little on the way;
// not so where that would press them into another wall.
static thOffset planLeg(const Move* move, thPoint p, thOffset wish, double* share)
{
    const Contact contact = findContact(move, p, wish);
    thOffset leg = wish;
    if (contact.approach < 0.0)
        leg = add(wish, contact.normal, -contact.approach);
    if (contact.approach < 1.0 && contact.depth > GRAZE) {
        const double lift = TH_MIN(contact.depth, 1.0 + sqrt(dot(leg, leg)) * 0.125);
        const thOffset lifted = add(leg, contact.normal, lift);
        *share = freeShare(move, p, lifted);
        if (*share > 0.0)
            return lifted;
    }
    *share = freeShare(move, p, leg);
    return leg;
}

int32_t thiSlidePath(const thWallGrid* walls, int32_t level, thPoint from, thPoint to, float radius,
                     thPoint path[TH_MAX_LEGS])
{
    const double units = (double)radius * THRONG_UNITS_PER_METRE;
    Move move;
    move.grid = walls; // the list is long and stays as it is
    move.soft = TH_MAX(units - 0.5 * TH_WALL_SLOP, 0.0);
    move.hard = thiLeastDistance(radius);
    path[0] = to;
    const thBand* band = thiFindBand(walls, level);
    if (thiSamePoint(from, to) || isStraightClear(&move, band, from, to))
        return 1;
    const thOffset wish = between(from, to);
    listWalls(&move, band, from, wish);
    double left = 1.0; // of the time
    thPoint p = path[0] = from;
    int32_t count = 0;
    while (count < TH_MAX_LEGS && left > 0.0) {
        double share;
        const thOffset plan = planLeg(&move, p, (thOffset){left * wish.x, left * wish.y}, &share);
        thPoint q = pointAt(p, plan, share);
        share *= shorten(&move, p, &q);
        if (thiSamePoint(p, q))
            break;
        p = path[count++] = q;
        left *= 1.0 - share;
    }
    return TH_MAX(count, 1);
}

thPoint thiSlide(const thWallGrid* walls, int32_t level, thPoint from, thPoint to, float radius)
{
    thPoint path[TH_MAX_LEGS];
    return path[thiSlidePath(walls, level, from, to, radius, path) - 1];
}
