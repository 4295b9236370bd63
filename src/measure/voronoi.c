// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/voronoi.h"

#include <string.h>

// Sites of a branch up to this many are looked at one by one.
#define LEAF_SITES 8

// Two people nearer than this, squared, are in the same place. [m²]
#define SAME_PLACE 1e-18

#define TWO_PI 6.283185307179586

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
    thPlace way = {1.0, 0.0};
    for (int32_t i = 0; i < corners; ++i) {
        points[i] = (thPlace){radius * way.x, radius * way.y};
        way = (thPlace){way.x * turn.x - way.y * turn.y, way.x * turn.y + way.y * turn.x};
    }
    return th_resultOk;
}

// --- The tree: a branch's middle site parts it, by x and y in turn --------------------------

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

// --- Cells ----------------------------------------------------------------------------------

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
    if (!thiConvexReaches(&cutting->voronoi->cell, half, to))
        return th_resultOk;
    TH_TRY(thiCutConvex(&cutting->voronoi->cell, half, to));
    cutting->reach = 4.0 * thiFarthestCorner(&cutting->voronoi->cell, cutting->place);
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
    Cutting cutting = {voronoi, place, site, 4.0 * thiFarthestCorner(&voronoi->cell, place)};
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

// --- What can be reached --------------------------------------------------------------------

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
    double x0, x1;
    return thiConvexAtHeight(cell, door->y, &x0, &x1) &&
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
