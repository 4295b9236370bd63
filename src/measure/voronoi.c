// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Voronoi cells: a tree finds who may cut something off, a flood through doors what can be reached.

#include "measure/voronoi.h"

#include <string.h>

// Sites of a branch up to this many are looked at one by one.
#define LEAF_SITES 8

// Two people nearer than this, squared, are in the same place. [m²]
#define SAME_PLACE 1e-18

#define TWO_PI 6.283185307179586

// --- Convex polygons -------------------------------------------------------------------------

thConvex thiConvex(thMemory* memory)
{
    return (thConvex){thiArray(memory, sizeof(thPlace)), thiArray(memory, sizeof(thPlace))};
}

void thiConvexFree(thConvex* convex)
{
    thiArrayFree(&convex->points);
    thiArrayFree(&convex->spare);
}

thResult thiSetConvex(thConvex* convex, const thPlace* points, int32_t count)
{
    convex->points.count = 0;
    if (count == 0)
        return th_resultOk;
    thPlace* copies = thiArrayAdd(&convex->points, count);
    if (copies == NULL)
        return th_resultNoMemory;
    memcpy(copies, points, (size_t)count * sizeof *copies);
    return th_resultOk;
}

static double heightOver(thPlace p, thPlace through, thPlace away)
{
    return (p.x - through.x) * away.x + (p.y - through.y) * away.y;
}

// Whether something of it is on the side of `through` to which `away` points.
static bool reaches(const thConvex* convex, thPlace through, thPlace away)
{
    const thPlace* points = convex->points.data;
    for (int32_t i = 0; i < convex->points.count; ++i)
        if (heightOver(points[i], through, away) > 0.0)
            return true;
    return false;
}

static thPlace placeBetween(thPlace a, thPlace b, double share)
{
    return (thPlace){a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

// Keeps what is not on the side of `through` to which `away` points.
static thResult cut(thConvex* convex, thPlace through, thPlace away)
{
    if (!reaches(convex, through, away))
        return th_resultOk;
    // Rounding may make a polygon of almost no area cross the line more than twice; each corner
    // adds at most itself and one crossing.
    TH_TRY(thiArrayReserve(&convex->spare, 2 * convex->points.count));
    const thPlace* points = convex->points.data;
    thPlace* kept = convex->spare.data;
    int32_t keptCount = 0;
    thPlace last = points[convex->points.count - 1];
    double lastHeight = heightOver(last, through, away);
    for (int32_t i = 0; i < convex->points.count; ++i) {
        const double height = heightOver(points[i], through, away);
        if ((height > 0.0 && lastHeight < 0.0) || (height < 0.0 && lastHeight > 0.0))
            kept[keptCount++] = placeBetween(last, points[i], lastHeight / (lastHeight - height));
        if (height <= 0.0)
            kept[keptCount++] = points[i];
        last = points[i];
        lastHeight = height;
    }
    const thArray old = convex->points;
    convex->points = convex->spare;
    convex->points.count = keptCount >= 3 ? keptCount : 0;
    convex->spare = old;
    return th_resultOk;
}

// Keeps what is to the left of from → to, or on it.
static thResult cutAlong(thConvex* convex, thPlace from, thPlace to)
{
    return cut(convex, from, (thPlace){to.y - from.y, from.x - to.x});
}

thResult thiCutConvexTo(thConvex* convex, const thPlace* corners, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        TH_TRY(cutAlong(convex, corners[i], corners[i + 1 < count ? i + 1 : 0]));
    return th_resultOk;
}

double thiConvexArea(const thConvex* convex)
{
    const thPlace* points = convex->points.data;
    double twice = 0.0;
    for (int32_t i = 2; i < convex->points.count; ++i)
        twice += (points[i - 1].x - points[0].x) * (points[i].y - points[0].y) -
                 (points[i].x - points[0].x) * (points[i - 1].y - points[0].y);
    return 0.5 * twice;
}

// Distance of the farthest corner, squared. [m²; 0: empty]
static double farthestCorner(const thConvex* convex, thPlace from)
{
    const thPlace* points = convex->points.data;
    double farthest = 0.0;
    for (int32_t i = 0; i < convex->points.count; ++i) {
        const double dx = points[i].x - from.x, dy = points[i].y - from.y;
        farthest = TH_MAX(farthest, dx * dx + dy * dy);
    }
    return farthest;
}

// Where it meets the horizontal line at y: from *x0 to *x1. False if nowhere.
static bool meetsHeight(const thConvex* convex, double y, double* x0, double* x1)
{
    const thPlace* points = convex->points.data;
    bool meets = false;
    for (int32_t i = 0; i < convex->points.count; ++i) {
        const thPlace a = points[i], b = points[i + 1 < convex->points.count ? i + 1 : 0];
        if ((a.y < y && b.y < y) || (a.y > y && b.y > y))
            continue;
        // A horizontal side gives its first corner here and the other one as part of the next.
        const double x =
            a.y < b.y || a.y > b.y ? a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)) : a.x;
        *x0 = meets ? TH_MIN(*x0, x) : x;
        *x1 = meets ? TH_MAX(*x1, x) : x;
        meets = true;
    }
    return meets;
}

// --- Cells end at a regular polygon ----------------------------------------------------------

// (cosine, sine) of an angle, by their series. [0 .. 2π / 3]
static thPlace direction(double angle)
{
    thPlace sum = {1.0, angle};
    thPlace term = sum;
    for (int32_t i = 1; i <= 16; ++i) {
        term.x *= -angle * angle / ((2 * i - 1) * (2 * i));
        term.y *= -angle * angle / ((2 * i) * (2 * i + 1));
        sum.x += term.x;
        sum.y += term.y;
    }
    return sum;
}

thResult thiCutOffCells(thVoronoi* voronoi, double radius, int32_t corners)
{
    TH_ASSERT(radius > 0.0 && corners >= 3);
    voronoi->cutOff.count = 0;
    thPlace* points = thiArrayAdd(&voronoi->cutOff, corners);
    if (points == NULL)
        return th_resultNoMemory;
    const thPlace turn = direction(TWO_PI / corners);
    thPlace to = {1.0, 0.0};
    for (int32_t i = 0; i < corners; ++i) {
        points[i] = (thPlace){radius * to.x, radius * to.y};
        to = (thPlace){to.x * turn.x - to.y * turn.y, to.x * turn.y + to.y * turn.x};
    }
    return th_resultOk;
}

// --- The tree: a branch's middle site parts it, by x and y in turn ---------------------------

static double along(const thVoronoiSite* site, bool byY)
{
    return byY ? site->place.y : site->place.x;
}

static void exchange(thVoronoiSite* a, thVoronoiSite* b)
{
    const thVoronoiSite kept = *a;
    *a = *b;
    *b = kept;
}

// Puts the site there that belongs to `middle`, no greater ones before and no smaller ones after.
static void pickMiddle(thVoronoiSite* sites, int32_t first, int32_t end, int32_t middle, bool byY)
{
    int32_t low = first, high = end - 1;
    while (low < high) {
        const double pivot = along(&sites[low + (high - low) / 2], byY);
        int32_t i = low, j = high;
        while (i <= j) {
            while (along(&sites[i], byY) < pivot)
                ++i;
            while (along(&sites[j], byY) > pivot)
                --j;
            if (i <= j)
                exchange(&sites[i++], &sites[j--]);
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

// Halves give a depth of at most 31.
static void plant(thVoronoiSite* sites, int32_t first, int32_t end, bool byY)
{
    if (end - first <= LEAF_SITES)
        return;
    const int32_t middle = first + (end - first) / 2;
    pickMiddle(sites, first, end, middle, byY);
    plant(sites, first, middle, !byY);
    plant(sites, middle + 1, end, !byY);
}

void thiPlantVoronoi(thVoronoi* voronoi)
{
    plant(voronoi->sites.data, 0, voronoi->sites.count, false);
}

// --- Cells -----------------------------------------------------------------------------------

typedef struct Cutting {
    thVoronoi* voronoi;
    thPlace place;
    int32_t site;
    double reach; // nobody further away than this, squared, can cut anything off [m²]
} Cutting;

static thResult cutBy(Cutting* cutting, int32_t other)
{
    if (other == cutting->site)
        return th_resultOk;
    const thPlace place = TH_ITEMS(cutting->voronoi->sites, thVoronoiSite)[other].place;
    const thPlace to = {place.x - cutting->place.x, place.y - cutting->place.y};
    const double distance = to.x * to.x + to.y * to.y;
    if (distance < SAME_PLACE) {
        cutting->voronoi->sharers += 1;
        return th_resultOk;
    }
    if (distance >= cutting->reach)
        return th_resultOk;
    const thPlace half = {cutting->place.x + 0.5 * to.x, cutting->place.y + 0.5 * to.y};
    if (!reaches(&cutting->voronoi->cell, half, to))
        return th_resultOk;
    TH_TRY(cut(&cutting->voronoi->cell, half, to));
    cutting->reach = 4.0 * farthestCorner(&cutting->voronoi->cell, cutting->place);
    return th_resultOk;
}

// `apart` is how far the branch is from the place at least, along x and y.
static thResult cutByBranch(Cutting* cutting, int32_t first, int32_t end, bool byY, thPlace apart)
{
    // Those in the same place are counted even when nothing is left to be cut.
    if (apart.x * apart.x + apart.y * apart.y > TH_MAX(cutting->reach, SAME_PLACE))
        return th_resultOk;
    if (end - first <= LEAF_SITES) {
        for (int32_t i = first; i < end; ++i)
            TH_TRY(cutBy(cutting, i));
        return th_resultOk;
    }
    const int32_t middle = first + (end - first) / 2;
    const thVoronoiSite* parting = &TH_ITEMS(cutting->voronoi->sites, thVoronoiSite)[middle];
    const double from = (byY ? cutting->place.y : cutting->place.x) - along(parting, byY);
    const bool before = from < 0.0; // the nearer half goes first: it makes the cell small
    const thPlace beyond = byY ? (thPlace){apart.x, from} : (thPlace){from, apart.y};
    TH_TRY(cutByBranch(cutting, before ? first : middle + 1, before ? middle : end, !byY, apart));
    TH_TRY(cutBy(cutting, middle));
    return cutByBranch(cutting, before ? middle + 1 : first, before ? end : middle, !byY, beyond);
}

static thResult beginCell(thVoronoi* voronoi, thPlace place)
{
    if (voronoi->cutOff.count == 0) {
        const thPlace low = {voronoi->walkable->low.x - 1.0, voronoi->walkable->low.y - 1.0};
        const thPlace high = {voronoi->walkable->high.x + 1.0, voronoi->walkable->high.y + 1.0};
        const thPlace box[] = {low, {high.x, low.y}, high, {low.x, high.y}};
        return thiSetConvex(&voronoi->cell, box, 4);
    }
    TH_TRY(thiSetConvex(&voronoi->cell, voronoi->cutOff.data, voronoi->cutOff.count));
    thPlace* points = voronoi->cell.points.data;
    for (int32_t i = 0; i < voronoi->cell.points.count; ++i)
        points[i] = (thPlace){points[i].x + place.x, points[i].y + place.y};
    return th_resultOk;
}

// Makes of what `cell` is now that part which is nearest to the site.
static thResult cutCell(thVoronoi* voronoi, int32_t site)
{
    const thPlace place = TH_ITEMS(voronoi->sites, thVoronoiSite)[site].place;
    Cutting cutting = {voronoi, place, site, 4.0 * farthestCorner(&voronoi->cell, place)};
    voronoi->sharers = 1;
    return cutByBranch(&cutting, 0, voronoi->sites.count, false, (thPlace){0.0, 0.0});
}

thResult thiVoronoiCell(thVoronoi* voronoi, int32_t site)
{
    TH_TRY(beginCell(voronoi, TH_ITEMS(voronoi->sites, thVoronoiSite)[site].place));
    return cutCell(voronoi, site);
}

thResult thiVoronoiCellMeets(thVoronoi* voronoi, int32_t site, const thPlace* corners,
                             int32_t count, bool* meets)
{
    TH_TRY(thiSetConvex(&voronoi->cell, corners, count));
    TH_TRY(cutCell(voronoi, site));
    *meets = voronoi->cell.points.count > 0;
    return th_resultOk;
}

// --- What can be reached ---------------------------------------------------------------------

static thResult takePart(thVoronoi* voronoi, const thTrapezoid* trapezoid)
{
    const thPlace corners[] = {{trapezoid->left0, trapezoid->y0},
                               {trapezoid->right0, trapezoid->y0},
                               {trapezoid->right1, trapezoid->y1},
                               {trapezoid->left1, trapezoid->y1}};
    const thArray* cell = &voronoi->cell.points;
    TH_TRY(thiSetConvex(&voronoi->part, cell->data, cell->count));
    return thiCutConvexTo(&voronoi->part, corners, 4);
}

static bool passes(const thConvex* cell, const thWalkableDoor* door)
{
    double x0 = 0.0, x1 = 0.0;
    return meetsHeight(cell, door->y, &x0, &x1) &&
           TH_MIN(x1, door->x1) - TH_MAX(x0, door->x0) > TH_WALKABLE_GRAIN;
}

static thResult beginFlood(thVoronoi* voronoi)
{
    const int32_t count = voronoi->walkable->trapezoids.count;
    voronoi->flood += 1;
    if (voronoi->visits.count == count && voronoi->flood != 0)
        return th_resultOk;
    voronoi->visits.count = 0;
    uint32_t* visits = thiArrayAdd(&voronoi->visits, count);
    if (visits == NULL)
        return th_resultNoMemory;
    memset(visits, 0, (size_t)count * sizeof *visits);
    voronoi->flood = 1;
    return th_resultOk;
}

static thResult enter(thVoronoi* voronoi, int32_t trapezoid)
{
    int32_t* waiting = thiArrayAdd(&voronoi->waiting, 1);
    if (waiting == NULL)
        return th_resultNoMemory;
    *waiting = trapezoid;
    TH_ITEMS(voronoi->visits, uint32_t)[trapezoid] = voronoi->flood;
    return th_resultOk;
}

thResult thiVisitVoronoiParts(thVoronoi* voronoi, int32_t site, thVoronoiPartFcn* visit,
                              void* context)
{
    const thWalkable* walkable = voronoi->walkable;
    voronoi->waiting.count = 0;
    TH_TRY(beginFlood(voronoi));
    TH_TRY(enter(voronoi, TH_ITEMS(voronoi->sites, thVoronoiSite)[site].trapezoid));
    while (voronoi->waiting.count > 0) {
        const int32_t next = TH_ITEMS(voronoi->waiting, int32_t)[--voronoi->waiting.count];
        const thTrapezoid* trapezoid = &TH_ITEMS(walkable->trapezoids, thTrapezoid)[next];
        TH_TRY(takePart(voronoi, trapezoid));
        TH_TRY(visit(context, &voronoi->part));
        for (int32_t i = 0; i < trapezoid->doorCount; ++i) {
            const thWalkableDoor* door =
                &TH_ITEMS(walkable->doors, thWalkableDoor)[trapezoid->firstDoor + i];
            const bool isNew = TH_ITEMS(voronoi->visits, uint32_t)[door->to] != voronoi->flood;
            if (isNew && passes(&voronoi->cell, door))
                TH_TRY(enter(voronoi, door->to));
        }
    }
    return th_resultOk;
}

// --- Life ------------------------------------------------------------------------------------

thVoronoi thiVoronoi(thMemory* memory, const thWalkable* walkable)
{
    return (thVoronoi){.walkable = walkable,
                       .sites = thiArray(memory, sizeof(thVoronoiSite)),
                       .cutOff = thiArray(memory, sizeof(thPlace)),
                       .cell = thiConvex(memory),
                       .part = thiConvex(memory),
                       .waiting = thiArray(memory, sizeof(int32_t)),
                       .visits = thiArray(memory, sizeof(uint32_t))};
}

void thiVoronoiFree(thVoronoi* voronoi)
{
    thiArrayFree(&voronoi->sites);
    thiArrayFree(&voronoi->cutOff);
    thiConvexFree(&voronoi->cell);
    thiConvexFree(&voronoi->part);
    thiArrayFree(&voronoi->waiting);
    thiArrayFree(&voronoi->visits);
}
