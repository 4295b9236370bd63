// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Voronoi cells: a grid finds who may cut something off, a flood through doors what can be reached.

#include "measure/voronoi.h"

#include <math.h>
#include <string.h>

// Sites of a branch up to this many are looked at one by one.
#define LEAF_SITES 8

// Two people nearer than this, squared, are in the same place. [m²]
#define SAME_PLACE 1e-18

// More than roundings, and being in the same place, make of a distance squared.
#define ROUNDING (1.0 + 1e-6)
#define LEAST_ROUNDING 1e-12

// Of a grid, at least. [m]
#define LEAST_EXTENT 1e-3

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

// Keeps what is not on the side of `through` to which `away` points; something is.
static thResult cutAway(thConvex* convex, thPlace through, thPlace away)
{
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
    const thPlace away = {to.y - from.y, from.x - to.x};
    return reaches(convex, from, away) ? cutAway(convex, from, away) : th_resultOk;
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

// --- Sites: in cells of a grid, and crowded cells in the order of a tree ----------------------

// A box, and the sites in it.
typedef struct Branch {
    int32_t first, end;
    bool byY; // of more than LEAF_SITES: they are parted so by the one in the middle, if they are
    thPlace low, high;
} Branch;

static bool isLeaf(const thVoronoi* voronoi, const Branch* branch)
{
    const int32_t count = branch->end - branch->first;
    return count <= LEAF_SITES ||
           TH_ITEMS(voronoi->isParting, uint8_t)[branch->first + count / 2] == 0;
}

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

// What is before a branch's middle site, and what is behind it.
static void halve(const Branch* branch, int32_t middle, const thVoronoiSite* parting,
                  Branch halves[2])
{
    halves[0] = halves[1] = *branch;
    halves[0].end = middle;
    halves[1].first = middle + 1;
    halves[0].byY = halves[1].byY = !branch->byY;
    if (branch->byY)
        halves[0].high.y = halves[1].low.y = parting->place.y;
    else
        halves[0].high.x = halves[1].low.x = parting->place.x;
}

// Halves give a depth of at most 31.
static void plant(thVoronoi* voronoi, int32_t first, int32_t end, bool byY)
{
    if (end - first <= LEAF_SITES)
        return;
    const int32_t middle = first + (end - first) / 2;
    pickMiddle(voronoi->sites.data, first, end, middle, byY);
    TH_ITEMS(voronoi->isParting, uint8_t)[middle] = 1;
    plant(voronoi, first, middle, !byY);
    plant(voronoi, middle + 1, end, !byY);
}

// Cells of the grid: columns c0 .. c1, rows r0 .. r1.
typedef struct Block {
    int32_t c0, r0, c1, r1;
} Block;

static int32_t lineOf(double value, double low, double cellsAMetre, int32_t count)
{
    return (int32_t)TH_MIN(TH_MAX((value - low) * cellsAMetre, 0.0), count - 1.0);
}

static Block cellAt(const thVoronoi* voronoi, thPlace place)
{
    const int32_t column =
        lineOf(place.x, voronoi->low.x, voronoi->cellsAMetre.x, voronoi->columns);
    const int32_t row = lineOf(place.y, voronoi->low.y, voronoi->cellsAMetre.y, voronoi->rows);
    return (Block){column, row, column, row};
}

// A block of one cell has the sites of that; larger ones are only looked at as boxes. Boxes are a
// trifle too large, because of roundings.
static Branch branchOf(const thVoronoi* voronoi, const Block* block)
{
    const int32_t* start =
        TH_ITEMS(voronoi->starts, int32_t) + block->r0 * voronoi->columns + block->c0;
    const thPlace low = voronoi->low, size = voronoi->cellSize;
    return (Branch){
        .first = start[0],
        .end = start[1],
        .low = {low.x + (block->c0 - 1e-6) * size.x, low.y + (block->r0 - 1e-6) * size.y},
        .high = {low.x + (block->c1 + (1.0 + 1e-6)) * size.x,
                 low.y + (block->r1 + (1.0 + 1e-6)) * size.y}};
}

// The cells at a distance of `ring` from the middle one: up to four blocks. 0: beyond the grid.
static int32_t ringOf(const thVoronoi* voronoi, const Block* middle, int32_t ring, Block blocks[4])
{
    if (ring == 0) {
        blocks[0] = *middle;
        return 1;
    }
    const int32_t left = middle->c0 - ring, right = middle->c0 + ring;
    const int32_t bottom = middle->r0 - ring, top = middle->r0 + ring;
    const int32_t c0 = TH_MAX(left, 0), c1 = TH_MIN(right, voronoi->columns - 1);
    const int32_t r0 = TH_MAX(bottom + 1, 0), r1 = TH_MIN(top - 1, voronoi->rows - 1);
    int32_t count = 0;
    if (left >= 0)
        blocks[count++] = (Block){left, r0, left, r1};
    if (right < voronoi->columns)
        blocks[count++] = (Block){right, r0, right, r1};
    if (bottom >= 0)
        blocks[count++] = (Block){c0, bottom, c1, bottom};
    if (top < voronoi->rows)
        blocks[count++] = (Block){c0, top, c1, top};
    return count;
}

static double squaredFrom(thPlace a, thPlace b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

static double squaredFromBox(thPlace place, const Branch* branch)
{
    const thPlace nearest = {TH_MIN(TH_MAX(place.x, branch->low.x), branch->high.x),
                             TH_MIN(TH_MAX(place.y, branch->low.y), branch->high.y)};
    return squaredFrom(place, nearest);
}

// Lays the grid: about two sites to a cell.
static void layGrid(thVoronoi* voronoi)
{
    const thVoronoiSite* sites = voronoi->sites.data;
    const int32_t count = voronoi->sites.count;
    thPlace low = count > 0 ? sites[0].place : (thPlace){0.0, 0.0}, high = low;
    for (int32_t i = 1; i < count; ++i) {
        const thPlace place = sites[i].place;
        low = (thPlace){TH_MIN(low.x, place.x), TH_MIN(low.y, place.y)};
        high = (thPlace){TH_MAX(high.x, place.x), TH_MAX(high.y, place.y)};
    }
    // In one place or in a line, cells have a size too.
    const double least = TH_MAX(1e-3 * TH_MAX(high.x - low.x, high.y - low.y), LEAST_EXTENT);
    const double width = TH_MAX(high.x - low.x, least), height = TH_MAX(high.y - low.y, least);
    const double side = sqrt(2.0 * width * height / TH_MAX(count, 1));
    voronoi->low = low;
    voronoi->columns = (int32_t)TH_MIN(width / side, 1e6) + 1;
    voronoi->rows = (int32_t)TH_MIN(height / side, 1e6) + 1;
    voronoi->cellSize = (thPlace){width / voronoi->columns, height / voronoi->rows};
    voronoi->cellsAMetre = (thPlace){voronoi->columns / width, voronoi->rows / height};
}

static thResult setCount(thArray* array, int32_t count)
{
    array->count = 0;
    return thiArrayAdd(array, count) != NULL ? th_resultOk : th_resultNoMemory;
}

thResult thiSortVoronoi(thVoronoi* voronoi)
{
    const int32_t count = voronoi->sites.count;
    layGrid(voronoi);
    const int32_t cells = voronoi->columns * voronoi->rows;
    TH_TRY(setCount(&voronoi->starts, cells + 1));
    TH_TRY(setCount(&voronoi->cellOf, count));
    TH_TRY(setCount(&voronoi->spare, count));
    TH_TRY(setCount(&voronoi->isParting, count));
    int32_t* starts = voronoi->starts.data;
    int32_t* cellOf = voronoi->cellOf.data;
    const thVoronoiSite* sites = voronoi->sites.data;
    thVoronoiSite* sorted = voronoi->spare.data;
    memset(starts, 0, (size_t)(cells + 1) * sizeof *starts);
    if (count > 0)
        memset(voronoi->isParting.data, 0, (size_t)count);
    for (int32_t i = 0; i < count; ++i) {
        const Block cell = cellAt(voronoi, sites[i].place);
        cellOf[i] = cell.r0 * voronoi->columns + cell.c0;
        starts[cellOf[i] + 1] += 1;
    }
    for (int32_t i = 1; i <= cells; ++i)
        starts[i] += starts[i - 1];
    for (int32_t i = count - 1; i >= 0; --i) // from the back: starts[c + 1] goes down to starts[c]
        sorted[--starts[cellOf[i] + 1]] = sites[i];
    memmove(starts, starts + 1, (size_t)cells * sizeof *starts);
    starts[cells] = count;
    const thArray old = voronoi->sites;
    voronoi->sites = voronoi->spare;
    voronoi->spare = old;
    return th_resultOk;
}

// Whether a site is in the walkable area; if not, it is as good as not there.
static bool isThere(const thVoronoi* voronoi, const thVoronoiSite* site)
{
    if (site->trapezoid != TH_NOT_LOOKED_UP)
        return site->trapezoid >= 0;
    return thiFindTrapezoid(voronoi->walkable, site->place) >= 0;
}

static bool lookUp(thVoronoi* voronoi, thVoronoiSite* site)
{
    if (site->trapezoid == TH_NOT_LOOKED_UP)
        site->trapezoid = thiFindTrapezoid(voronoi->walkable, site->place);
    return site->trapezoid >= 0;
}

thResult thiVisitVoronoiSites(thVoronoi* voronoi, thVoronoiBoxFcn* isWanted,
                              thVoronoiSiteFcn* visit, void* context)
{
    for (int32_t row = 0; row < voronoi->rows; ++row) {
        const Block all = {0, row, voronoi->columns - 1, row};
        const Branch line = branchOf(voronoi, &all);
        if (!isWanted(context, line.low, line.high))
            continue;
        for (int32_t column = 0; column < voronoi->columns; ++column) {
            const Branch cell = branchOf(voronoi, &(Block){column, row, column, row});
            if (cell.first == cell.end || !isWanted(context, cell.low, cell.high))
                continue;
            plant(voronoi, cell.first, cell.end, false);
            for (int32_t i = cell.first; i < cell.end; ++i) {
                thVoronoiSite* site = &TH_ITEMS(voronoi->sites, thVoronoiSite)[i];
                if (lookUp(voronoi, site))
                    TH_TRY(visit(context, site));
            }
        }
    }
    return th_resultOk;
}

double thiNearestVoronoiSite(thVoronoi* voronoi, thPlace to)
{
    thVoronoiSite* sites = voronoi->sites.data;
    const Block middle = cellAt(voronoi, to);
    Block blocks[4];
    double least = INFINITY;
    int32_t count = 1;
    bool goesOn = true;
    for (int32_t ring = 0; goesOn && (count = ringOf(voronoi, &middle, ring, blocks)) > 0; ++ring) {
        goesOn = false;
        for (int32_t i = 0; i < count; ++i) {
            const Branch side = branchOf(voronoi, &blocks[i]);
            if (squaredFromBox(to, &side) >= least)
                continue;
            goesOn = true;
            for (int32_t row = blocks[i].r0; row <= blocks[i].r1; ++row) {
                const int32_t* start = TH_ITEMS(voronoi->starts, int32_t) + row * voronoi->columns;
                for (int32_t j = start[blocks[i].c0]; j < start[blocks[i].c1 + 1]; ++j) {
                    const double squared = squaredFrom(sites[j].place, to);
                    if (squared < least && lookUp(voronoi, &sites[j]))
                        least = squared;
                }
            }
        }
    }
    return sqrt(least);
}

// --- Cells -----------------------------------------------------------------------------------

typedef struct Cutting {
    const thVoronoi* voronoi;
    thVoronoiCell* cell;
    thPlace place;
    int32_t person;
    double reach; // nobody further away than this, squared, can cut anything off [m²]
} Cutting;

static thResult cutBy(Cutting* cutting, const thVoronoiSite* other)
{
    const thPlace to = {other->place.x - cutting->place.x, other->place.y - cutting->place.y};
    const double distance = to.x * to.x + to.y * to.y;
    if (distance < SAME_PLACE) { // it may be the owner itself
        cutting->cell->sharers +=
            other->person != cutting->person && isThere(cutting->voronoi, other);
        return th_resultOk;
    }
    if (distance >= cutting->reach)
        return th_resultOk;
    const thPlace half = {cutting->place.x + 0.5 * to.x, cutting->place.y + 0.5 * to.y};
    if (!reaches(&cutting->cell->outline, half, to) || !isThere(cutting->voronoi, other))
        return th_resultOk;
    TH_TRY(cutAway(&cutting->cell->outline, half, to));
    cutting->reach = 4.0 * farthestCorner(&cutting->cell->outline, cutting->place);
    return th_resultOk;
}

// Whether somebody within a box may cut something off: a corner is cut off by whoever is nearer to
// it than the cell's owner. Most of a large cell at the edge of a crowd looks away from it.
static bool mayCut(const Cutting* cutting, const Branch* branch)
{
    // Those in the same place are counted even when nothing is left to be cut.
    if (squaredFromBox(cutting->place, branch) > TH_MAX(cutting->reach, SAME_PLACE))
        return false;
    const thArray* points = &cutting->cell->outline.points;
    for (int32_t i = 0; i < points->count; ++i) {
        const thPlace corner = TH_ITEMS(*points, thPlace)[i];
        if (squaredFromBox(corner, branch) <=
            squaredFrom(corner, cutting->place) * ROUNDING + LEAST_ROUNDING)
            return true;
    }
    return points->count == 0;
}

static thResult cutBySites(Cutting* cutting, int32_t first, int32_t end)
{
    const thVoronoiSite* sites = cutting->voronoi->sites.data;
    for (int32_t i = first; i < end; ++i)
        TH_TRY(cutBy(cutting, &sites[i]));
    return th_resultOk;
}

static thResult cutByBranch(Cutting* cutting, const Branch* branch)
{
    const thVoronoiSite* sites = cutting->voronoi->sites.data;
    if (!mayCut(cutting, branch))
        return th_resultOk;
    if (isLeaf(cutting->voronoi, branch))
        return cutBySites(cutting, branch->first, branch->end);
    const int32_t middle = branch->first + (branch->end - branch->first) / 2;
    Branch halves[2];
    halve(branch, middle, &sites[middle], halves);
    const double at = branch->byY ? cutting->place.y : cutting->place.x;
    const int32_t nearer = at < along(&sites[middle], branch->byY) ? 0 : 1;
    TH_TRY(cutByBranch(cutting, &halves[nearer])); // makes the cell small
    TH_TRY(cutBy(cutting, &sites[middle]));
    return cutByBranch(cutting, &halves[1 - nearer]);
}

// By the sites of a block, cell by cell; few are asked faster than their box.
static thResult cutByBlock(Cutting* cutting, const Block* block)
{
    const thVoronoi* voronoi = cutting->voronoi;
    for (int32_t row = block->r0; row <= block->r1; ++row)
        for (int32_t column = block->c0; column <= block->c1; ++column) {
            const int32_t* start =
                TH_ITEMS(voronoi->starts, int32_t) + row * voronoi->columns + column;
            if (start[1] - start[0] <= LEAF_SITES) {
                TH_TRY(cutBySites(cutting, start[0], start[1]));
                continue;
            }
            const Branch cell = branchOf(voronoi, &(Block){column, row, column, row});
            TH_TRY(cutByBranch(cutting, &cell));
        }
    return th_resultOk;
}

// Whether somebody from a ring on outwards may cut something off.
static bool mayCutBeyond(const Cutting* cutting, const Block* middle, int32_t ring)
{
    const int32_t right = cutting->voronoi->columns - 1, top = cutting->voronoi->rows - 1;
    const Block blocks[] = {{0, 0, middle->c0 - ring, top},
                            {middle->c0 + ring, 0, right, top},
                            {0, 0, right, middle->r0 - ring},
                            {0, middle->r0 + ring, right, top}};
    for (int32_t i = 0; i < 4; ++i) {
        if (blocks[i].c0 > blocks[i].c1 || blocks[i].r0 > blocks[i].r1)
            continue;
        const Branch side = branchOf(cutting->voronoi, &blocks[i]);
        if (mayCut(cutting, &side))
            return true;
    }
    return false;
}

// Makes of what the outline is now that part which is nearest to the site: those about it cut
// first.
static thResult cutCell(const thVoronoi* voronoi, const thVoronoiSite* site, thVoronoiCell* cell)
{
    Cutting cutting = {voronoi, cell, site->place, site->person,
                       4.0 * farthestCorner(&cell->outline, site->place)};
    cell->sharers = 1;
    const Block middle = cellAt(voronoi, site->place);
    Block blocks[4];
    TH_TRY(cutByBlock(&cutting, &middle));
    for (int32_t ring = 1, asked = 2; ring < asked || mayCutBeyond(&cutting, &middle, ring);
         ++ring) {
        asked = ring < asked ? asked : 2 * ring; // not at every ring: most cells end after two
        const int32_t count = ringOf(voronoi, &middle, ring, blocks);
        for (int32_t i = 0; i < count; ++i) {
            const Branch side = branchOf(voronoi, &blocks[i]);
            if (mayCut(&cutting, &side))
                TH_TRY(cutByBlock(&cutting, &blocks[i]));
        }
    }
    return th_resultOk;
}

static thResult beginCell(const thVoronoi* voronoi, thPlace place, thConvex* outline)
{
    if (voronoi->cutOff.count == 0) {
        const thPlace low = {voronoi->walkable->low.x - 1.0, voronoi->walkable->low.y - 1.0};
        const thPlace high = {voronoi->walkable->high.x + 1.0, voronoi->walkable->high.y + 1.0};
        const thPlace box[] = {low, {high.x, low.y}, high, {low.x, high.y}};
        return thiSetConvex(outline, box, 4);
    }
    TH_TRY(thiSetConvex(outline, voronoi->cutOff.data, voronoi->cutOff.count));
    thPlace* points = outline->points.data;
    for (int32_t i = 0; i < outline->points.count; ++i)
        points[i] = (thPlace){points[i].x + place.x, points[i].y + place.y};
    return th_resultOk;
}

thResult thiFindVoronoiCell(const thVoronoi* voronoi, const thVoronoiSite* site,
                            thVoronoiCell* cell)
{
    TH_TRY(beginCell(voronoi, site->place, &cell->outline));
    return cutCell(voronoi, site, cell);
}

thResult thiVoronoiCellMeets(const thVoronoi* voronoi, const thVoronoiSite* site,
                             const thPlace* corners, int32_t count, thVoronoiCell* cell,
                             bool* meets)
{
    TH_TRY(thiSetConvex(&cell->outline, corners, count));
    TH_TRY(cutCell(voronoi, site, cell));
    *meets = cell->outline.points.count > 0;
    return th_resultOk;
}

// --- What can be reached ---------------------------------------------------------------------

static thResult takePart(thVoronoiCell* cell, const thTrapezoid* trapezoid)
{
    const thPlace corners[] = {{trapezoid->left0, trapezoid->y0},
                               {trapezoid->right0, trapezoid->y0},
                               {trapezoid->right1, trapezoid->y1},
                               {trapezoid->left1, trapezoid->y1}};
    const thArray* outline = &cell->outline.points;
    TH_TRY(thiSetConvex(&cell->part, outline->data, outline->count));
    return thiCutConvexTo(&cell->part, corners, 4);
}

static bool passes(const thConvex* outline, const thWalkableDoor* door)
{
    double x0 = 0.0, x1 = 0.0;
    return meetsHeight(outline, door->y, &x0, &x1) &&
           TH_MIN(x1, door->x1) - TH_MAX(x0, door->x0) > TH_WALKABLE_GRAIN;
}

static thResult beginFlood(thVoronoiCell* cell, int32_t trapezoidCount)
{
    cell->waiting.count = 0;
    cell->flood += 1;
    if (cell->visits.count == trapezoidCount && cell->flood != 0)
        return th_resultOk;
    TH_TRY(setCount(&cell->visits, trapezoidCount));
    memset(cell->visits.data, 0, (size_t)trapezoidCount * sizeof(uint32_t));
    cell->flood = 1;
    return th_resultOk;
}

static thResult enter(thVoronoiCell* cell, int32_t trapezoid)
{
    int32_t* waiting = thiArrayAdd(&cell->waiting, 1);
    if (waiting == NULL)
        return th_resultNoMemory;
    *waiting = trapezoid;
    TH_ITEMS(cell->visits, uint32_t)[trapezoid] = cell->flood;
    return th_resultOk;
}

thResult thiVisitVoronoiParts(const thVoronoi* voronoi, const thVoronoiSite* site,
                              thVoronoiCell* cell, thVoronoiPartFcn* visit, void* context)
{
    const thWalkable* walkable = voronoi->walkable;
    TH_ASSERT(site->trapezoid >= 0);
    TH_TRY(beginFlood(cell, walkable->trapezoids.count));
    TH_TRY(enter(cell, site->trapezoid));
    while (cell->waiting.count > 0) {
        const int32_t next = TH_ITEMS(cell->waiting, int32_t)[--cell->waiting.count];
        const thTrapezoid* trapezoid = &TH_ITEMS(walkable->trapezoids, thTrapezoid)[next];
        TH_TRY(takePart(cell, trapezoid));
        TH_TRY(visit(context, &cell->part));
        for (int32_t i = 0; i < trapezoid->doorCount; ++i) {
            const thWalkableDoor* door =
                &TH_ITEMS(walkable->doors, thWalkableDoor)[trapezoid->firstDoor + i];
            const bool isNew = TH_ITEMS(cell->visits, uint32_t)[door->to] != cell->flood;
            if (isNew && passes(&cell->outline, door))
                TH_TRY(enter(cell, door->to));
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
                       .starts = thiArray(memory, sizeof(int32_t)),
                       .isParting = thiArray(memory, sizeof(uint8_t)),
                       .cellOf = thiArray(memory, sizeof(int32_t)),
                       .spare = thiArray(memory, sizeof(thVoronoiSite))};
}

void thiVoronoiFree(thVoronoi* voronoi)
{
    thiArrayFree(&voronoi->sites);
    thiArrayFree(&voronoi->cutOff);
    thiArrayFree(&voronoi->starts);
    thiArrayFree(&voronoi->isParting);
    thiArrayFree(&voronoi->cellOf);
    thiArrayFree(&voronoi->spare);
}

thVoronoiCell thiVoronoiCell(thMemory* memory)
{
    return (thVoronoiCell){.outline = thiConvex(memory),
                           .part = thiConvex(memory),
                           .waiting = thiArray(memory, sizeof(int32_t)),
                           .visits = thiArray(memory, sizeof(uint32_t))};
}

void thiVoronoiCellFree(thVoronoiCell* cell)
{
    thiConvexFree(&cell->outline);
    thiConvexFree(&cell->part);
    thiArrayFree(&cell->waiting);
    thiArrayFree(&cell->visits);
}
