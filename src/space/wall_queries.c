// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "geom/segment.h"
#include "space/wall_cells.h"

#include <stdlib.h>

// What is found so far, sorted.
typedef struct Found {
    thNearWall* out;
    int32_t capacity;
    int32_t held; // in `out`
    float limitSq, reachSq;
    int32_t count; // how many out of reach are wanted
    int32_t inReach;
    int32_t others; // at most `count`
} Found;

static bool isBefore(thNearWall a, thNearWall b)
{
    return a.distanceSq != b.distanceSq ? a.distanceSq < b.distanceSq : a.segment < b.segment;
}

// Of what is out of reach, `count` are kept, so what is dropped here would never come back.
static void addFound(Found* found, thNearWall wall)
{
    if (wall.distanceSq <= found->reachSq)
        found->inReach += 1;
    else
        found->others = TH_MIN(found->others + 1, found->count);
    const int32_t wanted = TH_MIN(found->inReach + found->others, found->capacity);
    int32_t at = found->held;
    if (at == wanted && (at == 0 || !isBefore(wall, found->out[at - 1])))
        return;
    if (at == wanted)
        at -= 1;
    else
        found->held += 1;
    for (; at > 0 && isBefore(wall, found->out[at - 1]); --at)
        found->out[at] = found->out[at - 1];
    found->out[at] = wall;
}

static float squareOf(float distance)
{
    return distance >= 0.0f ? distance * distance : -1.0f;
}

// How far to look, with something to spare for rounding of squares.
static int64_t searchSpan(float distance)
{
    const double units = (double)distance * THRONG_UNITS_PER_METRE * (1.0 + 0x1p-20) + 2.0;
    return units > 0.0 ? (int64_t)TH_MIN(units, 0x1p33) : 0;
}

// Places in the lists whose segments are looked at together. Branches on distances are hard to
// predict; computing all distances first keeps them from waiting for divisions.
#define BATCH 16

typedef struct Batch {
    int32_t count;
    int32_t place[BATCH], segment[BATCH];
    double ax[BATCH], ay[BATCH], dx[BATCH], dy[BATCH]; // from the point to a, from a to b
    double x[BATCH], y[BATCH];                         // from the point to the nearest point
} Batch;

// A segment is in the lists of several cells; it counts in that of the cell that holds its nearest
// point, which the walk took in when the lists were made.
static void searchBatch(const thWallGrid* grid, const thBand* band, thPoint p, Batch* batch,
                        Found* found)
{
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    for (int32_t i = 0; i < batch->count; ++i) {
        const thOffset offset =
            thiNearestOffset(batch->ax[i], batch->ay[i], batch->dx[i], batch->dy[i]);
        batch->x[i] = offset.x;
        batch->y[i] = offset.y;
    }
    for (int32_t i = 0; i < batch->count; ++i) {
        const double x = batch->x[i], y = batch->y[i];
        const float distanceSq = (float)((x * x + y * y) * 0x1p-32);
        const int64_t column = (int64_t)(p.x + x - band->low.x) >> grid->shift;
        const int64_t row = (int64_t)(p.y + y - band->low.y) >> grid->shift;
        const int32_t* list = &start[band->firstCell + row * band->columns + column];
        const int32_t place = batch->place[i];
        if ((distanceSq <= found->limitSq) & (place >= list[0]) & (place < list[1]))
            addFound(found, (thNearWall){distanceSq, batch->segment[i]});
    }
    batch->count = 0;
}

static void addToBatch(const thWallGrid* grid, int32_t place, thPoint p, Batch* batch)
{
    const int32_t i = batch->count++, segment = TH_ITEMS(grid->lists, int32_t)[place];
    const thPoint a = thiSegmentStart(grid, segment), b = thiSegmentEnd(grid, segment);
    batch->place[i] = place;
    batch->segment[i] = segment;
    batch->ax[i] = (double)a.x - p.x;
    batch->ay[i] = (double)a.y - p.y;
    batch->dx[i] = (double)b.x - a.x;
    batch->dy[i] = (double)b.y - a.y;
}

static void searchBox(const thWallGrid* grid, const thBand* band, const thCellBox* box, thPoint p,
                      Found* found)
{
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    Batch batch;
    batch.count = 0; // the rest is filled as needed
    for (int32_t row = box->rowBegin; row < box->rowEnd; ++row) {
        const int32_t cell = band->firstCell + row * band->columns;
        const int32_t end = start[cell + box->columnEnd];
        for (int32_t place = start[cell + box->columnBegin]; place < end; ++place) {
            addToBatch(grid, place, p, &batch);
            if (batch.count == BATCH)
                searchBatch(grid, band, p, &batch, found);
        }
    }
    searchBatch(grid, band, p, &batch, found);
}

int32_t thiNearestWalls(const thWallGrid* grid, int32_t level, int32_t x, int32_t y, float radius,
                        float reach, int32_t count, thNearWall* out, int32_t capacity)
{
    const thBand* band = thiFindBand(grid, level);
    const int64_t span = searchSpan(TH_MAX(radius, reach));
    const thBox around = {x - span, y - span, x + span, y + span};
    thCellBox box;
    if (band == NULL || !thiClipBox(band, grid->shift, around, &box) ||
        thiIsEmptyBox(grid, band, &box))
        return 0;
    const float radiusSq = squareOf(radius), reachSq = squareOf(reach);
    Found found = {.out = out,
                   .capacity = capacity,
                   .limitSq = TH_MAX(radiusSq, reachSq),
                   .reachSq = reachSq,
                   .count = TH_MAX(count, 0)};
    searchBox(grid, band, &box, (thPoint){x, y}, &found);
    return found.inReach + found.others;
}

// Whether there may be walls in the box of a and b.
static bool mayBeWalls(const thWallGrid* grid, const thBand* band, thPoint a, thPoint b)
{
    thCellBox box;
    return band != NULL && thiClipBox(band, grid->shift, thiBoxAround(a, b, 0), &box) &&
           !thiIsEmptyBox(grid, band, &box);
}

bool thiWallsHide(const thWallGrid* grid, int32_t level, int32_t ax, int32_t ay, int32_t bx,
                  int32_t by)
{
    const thBand* band = thiFindBand(grid, level);
    const thPoint a = {ax, ay}, b = {bx, by};
    if (!mayBeWalls(grid, band, a, b))
        return false;
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    thCellWalk walk = thiBeginWalk(band, grid->shift, a, b);
    for (int32_t cell = thiNextCell(&walk); cell >= 0; cell = thiNextCell(&walk))
        for (int32_t i = start[cell]; i < start[cell + 1]; ++i) {
            const int32_t segment = TH_ITEMS(grid->lists, int32_t)[i];
            if (thiSegmentsTouch(a, b, thiSegmentStart(grid, segment),
                                 thiSegmentEnd(grid, segment)))
                return true;
        }
    return false;
}

// Where on the way from a to b the segment c d is met first, if the two touch. Segments are at most
// about 2^26 units long and differences less than 2^32, so that everything fits into 64 bits.
static thFraction meetingShare(thPoint a, thPoint b, thPoint c, thPoint d)
{
    const int64_t wayX = (int64_t)b.x - a.x, wayY = (int64_t)b.y - a.y;
    const int64_t wallX = (int64_t)d.x - c.x, wallY = (int64_t)d.y - c.y;
    const int64_t toX = (int64_t)c.x - a.x, toY = (int64_t)c.y - a.y;
    const int64_t bottom = wayX * wallY - wayY * wallX;
    if (bottom != 0)
        return (thFraction){(uint64_t)llabs(toX * wallY - toY * wallX), (uint64_t)llabs(bottom)};
    if (thiPointOnSegment(a, c, d))
        return (thFraction){0, 1};
    // All are on one line and a is off the wall: the nearer end is met first.
    if (wayX != 0)
        return (thFraction){(uint64_t)TH_MIN(llabs(toX), llabs((int64_t)d.x - a.x)),
                            (uint64_t)llabs(wayX)};
    return (thFraction){(uint64_t)TH_MIN(llabs(toY), llabs((int64_t)d.y - a.y)),
                        (uint64_t)llabs(wayY)};
}

static double shareOf(thFraction fraction)
{
    return (double)fraction.top / (double)fraction.bottom;
}

int32_t thiWallsCastRay(const thWallGrid* grid, int32_t level, int32_t ax, int32_t ay, int32_t bx,
                        int32_t by, float* fraction)
{
    const thBand* band = thiFindBand(grid, level);
    const thPoint a = {ax, ay}, b = {bx, by};
    if (!mayBeWalls(grid, band, a, b))
        return -1;
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    int32_t hit = -1;
    thFraction nearest = {1, 0}; // more than any
    thCellWalk walk = thiBeginWalk(band, grid->shift, a, b);
    for (int32_t cell = thiNextCell(&walk); cell >= 0; cell = thiNextCell(&walk))
        for (int32_t i = start[cell]; i < start[cell + 1]; ++i) {
            const int32_t segment = TH_ITEMS(grid->lists, int32_t)[i];
            const thPoint c = thiSegmentStart(grid, segment), d = thiSegmentEnd(grid, segment);
            if (!thiSegmentsTouch(a, b, c, d))
                continue;
            const thFraction share = meetingShare(a, b, c, d);
            const int32_t order = thiCompareFractions(share, nearest);
            if (order > 0 || (order == 0 && segment > hit))
                continue;
            hit = segment;
            nearest = share;
            thiShortenWalk(&walk, b, shareOf(share));
        }
    if (hit >= 0)
        *fraction = (float)shareOf(nearest);
    return hit;
}

// Whether a segment is in the list of a cell.
static bool isListed(const thWallGrid* grid, int32_t cell, int32_t segment)
{
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    for (int32_t i = start[cell]; i < start[cell + 1]; ++i)
        if (TH_ITEMS(grid->lists, int32_t)[i] == segment)
            return true;
    return false;
}

// How a segment crosses the ray from p to the east: 1 going north, −1 going south, 0 not at all. An
// end at the height of p counts as south of it, so that where two segments meet one of them counts.
static int32_t crossRay(thPoint p, thPoint a, thPoint b)
{
    const int32_t way = (b.y > p.y) - (a.y > p.y);
    return way != 0 && thiOrientation(a, b, p) == way ? way : 0;
}

// The winding numbers of all solids and of all rooms about p. Edges along and back cancel out
// also where they were merged, and outlines that are simple add 1 or 0 each (rooms −1 or 0).
bool thiIsInSolid(const thWallGrid* grid, int32_t level, int32_t x, int32_t y)
{
    const thBand* band = thiFindBand(grid, level);
    const thPoint p = {x, y};
    thCellBox box;
    if (band == NULL)
        return false;
    if (!thiClipBox(band, grid->shift, (thBox){x, y, INT32_MAX, y}, &box))
        return band->hasRooms;
    const int32_t* start = TH_ITEMS(grid->cellStart, int32_t);
    const int32_t row = band->firstCell + box.rowBegin * band->columns;
    int32_t solids = 0, rooms = 0;
    for (int32_t column = box.columnBegin; column < box.columnEnd; ++column)
        for (int32_t i = start[row + column]; i < start[row + column + 1]; ++i) {
            const int32_t segment = TH_ITEMS(grid->lists, int32_t)[i];
            const int32_t way =
                crossRay(p, thiSegmentStart(grid, segment), thiSegmentEnd(grid, segment));
            // A segment is in the lists of neighbouring cells of the row and counts in the first.
            if (way == 0 || (column > box.columnBegin && isListed(grid, row + column - 1, segment)))
                continue;
            solids += way * TH_ITEMS(grid->solidEdges, int32_t)[segment];
            rooms += way * TH_ITEMS(grid->roomEdges, int32_t)[segment];
        }
    return solids > 0 || (band->hasRooms && rooms == 0);
}
