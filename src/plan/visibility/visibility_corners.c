// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Corners of walls where paths can bend. At each end of a wall, the walls that meet there are rays
// that cut the plane round it into sectors. A free sector of more than half a turn is where paths
// can bend. So it does not matter whose walls they are, and whether obstacles share edges or touch.

#include "geom/fixed.h"
#include "plan/visibility/visibility_graph.h"
#include "space/wall_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A wall as seen from a point on it. Walls are at most 2^26 units long.
typedef struct Ray {
    int64_t x, y;
    bool solidLeft, solidRight; // as seen along the ray
} Ray;

typedef struct Vector {
    double x, y;
} Vector;

typedef struct Finder {
    const thFrame* frame;
    int32_t level;
    const thRouteSpace* space;
    thArray points;  // thPoint: ends of walls
    thArray rays;    // Ray: of the point that is looked at
    thArray parts;   // Part, in the order of points
    thArray crowded; // uint8_t of each part: whether it comes too near to another
} Finder;

static int byPlace(const void* left, const void* right)
{
    const thPoint *a = left, *b = right;
    return a->x != b->x ? (a->x > b->x) - (a->x < b->x) : (a->y > b->y) - (a->y < b->y);
}

// All ends of walls, each once.
static thResult collectPoints(Finder* finder)
{
    const thWalls* walls = finder->frame->walls;
    for (int32_t i = 0; i < walls->count; ++i) {
        if (walls->level[i] != finder->level)
            continue;
        thPoint* ends = thiArrayAdd(&finder->points, 2);
        if (ends == NULL)
            return th_resultNoMemory;
        ends[0] = (thPoint){walls->ax[i], walls->ay[i]};
        ends[1] = (thPoint){walls->bx[i], walls->by[i]};
    }
    thPoint* points = TH_ITEMS(finder->points, thPoint);
    const int32_t count = finder->points.count;
    if (count > 0)
        qsort(points, (size_t)count, sizeof *points, byPlace);
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i)
        if (kept == 0 || !thiSamePoint(points[kept - 1], points[i]))
            points[kept++] = points[i];
    finder->points.count = kept;
    return th_resultOk;
}

static thResult addRay(thArray* rays, thPoint from, thPoint to, bool solidLeft, bool solidRight)
{
    if (thiSamePoint(from, to))
        return th_resultOk;
    Ray* ray = thiArrayAdd(rays, 1);
    if (ray == NULL)
        return th_resultNoMemory;
    *ray = (Ray){(int64_t)to.x - from.x, (int64_t)to.y - from.y, solidLeft, solidRight};
    return th_resultOk;
}

static int64_t cross(const Ray* a, const Ray* b)
{
    return a->x * b->y - a->y * b->x;
}

// By the angle from the x axis on, from 0 to a full turn.
static int byAngle(const void* left, const void* right)
{
    const Ray *a = left, *b = right;
    const int lowerA = a->y < 0 || (a->y == 0 && a->x < 0);
    const int lowerB = b->y < 0 || (b->y == 0 && b->x < 0);
    if (lowerA != lowerB)
        return lowerA - lowerB;
    const int64_t side = cross(a, b);
    return (side < 0) - (side > 0);
}

// The rays of a point in the order of angles; those of one direction become one.
static thResult collectRays(Finder* finder, thPoint p)
{
    const thWallGrid* grid = finder->frame->wallGrid;
    const thBand* band = thiFindBand(grid, finder->level);
    thCellBox box;
    finder->rays.count = 0;
    if (band == NULL || !thiClipBox(band, grid->shift, thiBoxAround(p, p, 0), &box))
        return th_resultOk;
    thBoxWalk walk = thiBeginBoxWalk(grid, band, box);
    for (int32_t i = thiNextSegment(&walk); i >= 0; i = thiNextSegment(&walk)) {
        const thPoint a = thiSegmentStart(grid, i), b = thiSegmentEnd(grid, i);
        if (!thiPointOnSegment(p, a, b))
            continue;
        const bool solid = grid->walls.oneSided[i] != 0;
        TH_TRY(addRay(&finder->rays, p, b, solid, false));
        TH_TRY(addRay(&finder->rays, p, a, false, solid));
    }
    Ray* rays = TH_ITEMS(finder->rays, Ray);
    qsort(rays, (size_t)finder->rays.count, sizeof *rays, byAngle);
    int32_t kept = 0;
    for (int32_t i = 0; i < finder->rays.count; ++i) {
        if (kept > 0 && byAngle(&rays[kept - 1], &rays[i]) == 0) {
            rays[kept - 1].solidLeft |= rays[i].solidLeft;
            rays[kept - 1].solidRight |= rays[i].solidRight;
        } else {
            rays[kept++] = rays[i];
        }
    }
    finder->rays.count = kept;
    return th_resultOk;
}

static Vector unitOf(double x, double y)
{
    const double length = sqrt(x * x + y * y);
    return (Vector){x / length, y / length};
}

static Vector turnLeft(Vector v)
{
    return (Vector){-v.y, v.x};
}

static Vector middleOf(Vector a, Vector b)
{
    return unitOf(a.x + b.x, a.y + b.y);
}

// The corner of the grown outline between edges with the normals `from` and `to`, which are at most
// a quarter of a turn apart.
static thRouteCorner growCorner(const thRouteSpace* space, thPoint p, Vector from, Vector to)
{
    const double radius = (double)thiRouteRadius(space) * THRONG_UNITS_PER_METRE;
    const double slack = (double)TH_ROUTE_SLACK * THRONG_UNITS_PER_METRE;
    const Vector out = middleOf(from, to);
    const double cosine = out.x * from.x + out.y * from.y; // of half the turn
    const double stretch = 1.0 / cosine;
    const double tip = radius * sqrt(TH_MAX(1.0 - cosine * cosine, 0.0)) * stretch + 2.0 * slack;
    const Vector back = turnLeft(from), ahead = turnLeft(to);
    const double x = p.x + out.x * radius * stretch, y = p.y + out.y * radius * stretch;
    const thPoint place = {(int32_t)floor(x + out.x * slack * stretch + 0.5),
                           (int32_t)floor(y + out.y * slack * stretch + 0.5)};
    return (thRouteCorner){.node = {.place = place, .x = x, .y = y, .a = place, .b = place},
                           .turn = {-back.x, -back.y, ahead.x, ahead.y, tip * tip}};
}

// An arc of the grown outline: its normals at both ends and half way.
typedef struct Arc {
    Vector first, middle, last;
} Arc;

// An arc, or a part of one, that has a node.
typedef struct Part {
    thPoint p; // what it is round
    Arc arc;
    int32_t halvings; // that it comes from
    thRouteCorner corner;
} Part;

// How often an arc is halved at most.
#define MAX_HALVINGS 5

// A place on the arc, with slack.
static thPoint arcPlace(const thRouteSpace* space, thPoint p, Vector normal)
{
    const double reach = (double)(thiRouteRadius(space) + TH_ROUTE_SLACK) * THRONG_UNITS_PER_METRE;
    return (thPoint){(int32_t)floor(p.x + normal.x * reach + 0.5),
                     (int32_t)floor(p.y + normal.y * reach + 0.5)};
}

// Whether paths that bend at the corner can come as far as the ends of the arc.
static bool reachesEnds(const thRouteSpace* space, thPoint p, const Arc* arc, thPoint corner)
{
    return thiIsClearLeg(space, corner, arcPlace(space, p, arc->first), 0.0f) &&
           thiIsClearLeg(space, corner, arcPlace(space, p, arc->last), 0.0f);
}

static thResult growArc(const Finder* finder, thPoint p, Arc arc, int32_t halvings, thArray* parts);

static thResult growHalves(const Finder* finder, thPoint p, Arc arc, int32_t halvings,
                           thArray* parts)
{
    const Arc front = {arc.first, middleOf(arc.first, arc.middle), arc.middle};
    const Arc back = {arc.middle, middleOf(arc.middle, arc.last), arc.last};
    TH_TRY(growArc(finder, p, front, halvings + 1, parts));
    return growArc(finder, p, back, halvings + 1, parts);
}

// Adds the nodes of an arc. Where space is tight, two for the halves stay nearer to the wall; of
// the smallest parts those without room are left out.
static thResult growArc(const Finder* finder, thPoint p, Arc arc, int32_t halvings, thArray* parts)
{
    const bool wide = arc.first.x * arc.last.x + arc.first.y * arc.last.y <
                      -0x1p-4; // a few degrees more than a quarter are not
    const bool last = halvings == MAX_HALVINGS;
    if (!wide) {
        const thRouteCorner corner = growCorner(finder->space, p, arc.first, arc.last);
        const thPoint place = corner.node.place;
        if (thiIsClearPlace(finder->space, place, 0.0f) &&
            (last || reachesEnds(finder->space, p, &arc, place))) {
            Part* part = thiArrayAdd(parts, 1);
            if (part == NULL)
                return th_resultNoMemory;
            *part = (Part){p, arc, halvings, corner};
            return th_resultOk;
        }
    }
    return last ? th_resultOk : growHalves(finder, p, arc, halvings, parts);
}

// The sector from one ray to the next, counter-clockwise.
static thResult lookAtSector(Finder* finder, thPoint p, const Ray* from, const Ray* to)
{
    if (from->solidLeft || to->solidRight)
        return th_resultOk;
    if (from != to && cross(from, to) >= 0)
        return th_resultOk; // half a turn at most
    const Vector u = unitOf((double)from->x, (double)from->y);
    const Vector v = unitOf((double)to->x, (double)to->y);
    const Vector first = turnLeft(u), last = {v.y, -v.x};
    // Of two ways to the middle the one that divides by the larger number.
    const double apart = first.x * last.x + first.y * last.y;
    const Vector middle = apart > 0.0 ? middleOf(first, last) : unitOf(-u.x - v.x, -u.y - v.y);
    return growArc(finder, p, (Arc){first, middle, last}, 0, &finder->parts);
}

// Between an arc and its node, the corner of a polygon round it, there is room that paths over
// nodes leave out. Where two such tips overlap, from either side of a gap, they would close it,
// though the body fits through: then both arcs are halved.
//
//      ╲ ╱        the gap between two corners, each with a node
//       ╳         beyond the other's outline
//      ╱ ╲

typedef struct Tip {
    Vector a, b, c;
} Tip;

static Tip tipOf(const Finder* finder, const Part* part)
{
    const thPoint a = arcPlace(finder->space, part->p, part->arc.first);
    const thPoint b = part->corner.node.place;
    const thPoint c = arcPlace(finder->space, part->p, part->arc.last);
    return (Tip){{a.x, a.y}, {b.x, b.y}, {c.x, c.y}};
}

// Whether the line from a to b has the one tip on one side and the other on the other.
static bool isParted(Vector a, Vector b, const Tip* one, const Tip* other)
{
    const double x = b.x - a.x, y = b.y - a.y;
    const double one0 = x * (one->a.y - a.y) - y * (one->a.x - a.x);
    const double one1 = x * (one->b.y - a.y) - y * (one->b.x - a.x);
    const double one2 = x * (one->c.y - a.y) - y * (one->c.x - a.x);
    const double other0 = x * (other->a.y - a.y) - y * (other->a.x - a.x);
    const double other1 = x * (other->b.y - a.y) - y * (other->b.x - a.x);
    const double other2 = x * (other->c.y - a.y) - y * (other->c.x - a.x);
    const double oneLow = TH_MIN(one0, TH_MIN(one1, one2));
    const double oneHigh = TH_MAX(one0, TH_MAX(one1, one2));
    const double otherLow = TH_MIN(other0, TH_MIN(other1, other2));
    const double otherHigh = TH_MAX(other0, TH_MAX(other1, other2));
    return oneHigh < otherLow || otherHigh < oneLow;
}

static bool doOverlap(const Tip* one, const Tip* other)
{
    return !isParted(one->a, one->b, one, other) && !isParted(one->b, one->c, one, other) &&
           !isParted(one->c, one->a, one, other) && !isParted(other->a, other->b, one, other) &&
           !isParted(other->b, other->c, one, other) && !isParted(other->c, other->a, one, other);
}

// How far from its point a part reaches at most: a quarter and a few degrees. [units]
static double furthestTip(const Finder* finder)
{
    const double reach = (double)(thiRouteRadius(finder->space) + TH_ROUTE_SLACK);
    return 1.4607 * reach * THRONG_UNITS_PER_METRE + 1.0;
}

// Marks parts that overlap, and says whether there are any. Parts are in the order of x.
static bool markCrowded(Finder* finder)
{
    const Part* parts = TH_ITEMS(finder->parts, Part);
    uint8_t* crowded = TH_ITEMS(finder->crowded, uint8_t);
    const double near = 2.0 * furthestTip(finder);
    bool any = false;
    for (int32_t i = 0; i < finder->parts.count; ++i) {
        const thPoint p = parts[i].p;
        for (int32_t k = i + 1; k < finder->parts.count && parts[k].p.x - (double)p.x <= near;
             ++k) {
            const double dx = (double)parts[k].p.x - p.x, dy = (double)parts[k].p.y - p.y;
            if (dy > near || dy < -near || dx * dx + dy * dy > near * near ||
                (dx == 0.0 && dy == 0.0))
                continue;
            const Tip one = tipOf(finder, &parts[i]), other = tipOf(finder, &parts[k]);
            if (!doOverlap(&one, &other))
                continue;
            crowded[i] = parts[i].halvings < MAX_HALVINGS;
            crowded[k] = parts[k].halvings < MAX_HALVINGS;
            any |= crowded[i] || crowded[k];
        }
    }
    return any;
}

// Halves what is crowded, until nothing is or it has been halved often enough.
static thResult spreadParts(Finder* finder)
{
    thArray halved = thiArray(finder->parts.memory, sizeof(Part));
    thResult code = th_resultOk;
    for (int32_t round = 0; round <= MAX_HALVINGS && code == th_resultOk; ++round) {
        const int32_t count = finder->parts.count;
        finder->crowded.count = halved.count = 0;
        if (thiArrayAdd(&finder->crowded, count) == NULL) {
            code = th_resultNoMemory;
            break;
        }
        uint8_t* crowded = TH_ITEMS(finder->crowded, uint8_t);
        memset(crowded, 0, (size_t)count);
        if (!markCrowded(finder))
            break;
        for (int32_t i = 0; i < count && code == th_resultOk; ++i) {
            const Part part = TH_ITEMS(finder->parts, Part)[i];
            if (crowded[i] != 0) {
                code = growHalves(finder, part.p, part.arc, part.halvings, &halved);
                continue;
            }
            Part* kept = thiArrayAdd(&halved, 1);
            if (kept != NULL)
                *kept = part;
            else
                code = th_resultNoMemory;
        }
        const thArray before = finder->parts;
        finder->parts = halved;
        halved = before;
    }
    thiArrayFree(&halved);
    return code;
}

static thResult findAll(Finder* finder, thArray* corners)
{
    TH_TRY(collectPoints(finder));
    for (int32_t i = 0; i < finder->points.count; ++i) {
        const thPoint p = TH_ITEMS(finder->points, thPoint)[i];
        TH_TRY(collectRays(finder, p));
        const Ray* rays = TH_ITEMS(finder->rays, Ray);
        const int32_t count = finder->rays.count;
        for (int32_t k = 0; k < count; ++k)
            TH_TRY(lookAtSector(finder, p, &rays[k], &rays[k + 1 < count ? k + 1 : 0]));
    }
    TH_TRY(spreadParts(finder));
    thRouteCorner* added = thiArrayAdd(corners, finder->parts.count);
    if (added == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < finder->parts.count; ++i)
        added[i] = TH_ITEMS(finder->parts, Part)[i].corner;
    return th_resultOk;
}

thResult thiFindCorners(const thFrame* frame, int32_t level, const thRouteSpace* space,
                        thArray* corners)
{
    Finder finder = {.frame = frame,
                     .level = level,
                     .space = space,
                     .points = thiArray(corners->memory, sizeof(thPoint)),
                     .rays = thiArray(corners->memory, sizeof(Ray)),
                     .parts = thiArray(corners->memory, sizeof(Part)),
                     .crowded = thiArray(corners->memory, sizeof(uint8_t))};
    const thResult code = findAll(&finder, corners);
    thiArrayFree(&finder.points);
    thiArrayFree(&finder.rays);
    thiArrayFree(&finder.parts);
    thiArrayFree(&finder.crowded);
    return code;
}
