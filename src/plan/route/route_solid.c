// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A point is in solid or not by the walls that cross the ray from it to the east. A cell without
// walls is all of one kind, so the ray ends at the first one, where the rest is known.

#include "plan/route/route_space_internal.h"

// How a wall crosses a height: 1 going north, −1 going south, 0 not at all. An end at that height
// counts as south of it, so that where two walls meet one of them counts.
static int32_t crossHeight(int32_t y, const thRouteWall* wall)
{
    return (wall->b.y > y) - (wall->a.y > y);
}

// The column in which a wall that crosses a height counts: all lists that hold it agree.
static int32_t columnOfCrossing(const thRouteSpace* space, int32_t y, const thRouteWall* wall)
{
    const double share = ((double)y - wall->a.y) / ((double)wall->b.y - wall->a.y);
    const double x = wall->a.x + ((double)wall->b.x - wall->a.x) * share;
    return thiCellAlong(x, space->band.low.x, space->band.columns, space->shift);
}

static void addEdges(const thRouteSpace* space, int32_t item, int32_t way, thWallEdges* around)
{
    const thWallEdges* edges =
        &TH_ITEMS(space->edges, thWallEdges)[TH_ITEMS(space->indices, int32_t)[item]];
    around->solids += way * edges->solids;
    around->rooms += way * edges->rooms;
}

// From the east on, at half the height of the row.
static void sweepRow(thRouteSpace* space, int32_t row)
{
    const thBand* band = &space->band;
    const int32_t* start = TH_ITEMS(space->cellStart, int32_t);
    const int64_t middle =
        band->low.y + ((int64_t)row << space->shift) + ((int64_t)1 << (space->shift - 1));
    const int32_t y = (int32_t)TH_MIN(middle, INT32_MAX);
    thWallEdges around = {0, 0};
    for (int32_t column = band->columns - 1; column >= 0; --column) {
        const int32_t cell = row * band->columns + column;
        for (int32_t i = start[cell]; i < start[cell + 1]; ++i) {
            const thRouteWall* wall = &TH_ITEMS(space->lists, thRouteWall)[i];
            const int32_t way = crossHeight(y, wall);
            if (way != 0 && columnOfCrossing(space, y, wall) == column)
                addEdges(space, i, way, &around);
        }
        TH_ITEMS(space->around, thWallEdges)[cell] = around;
    }
}

thResult thiFindRouteSolid(thRouteSpace* space)
{
    if (thiArrayAdd(&space->around, space->band.columns * space->band.rows) == NULL)
        return th_resultNoMemory;
    for (int32_t row = 0; row < space->band.rows; ++row)
        sweepRow(space, row);
    return th_resultOk;
}

// The winding numbers of all solids and of all rooms about p.
static thWallEdges windingsAbout(const thRouteSpace* space, thPoint p, const thCellBox* east)
{
    const int32_t* start = TH_ITEMS(space->cellStart, int32_t);
    thWallEdges around = {0, 0};
    for (int32_t column = east->columnBegin; column < east->columnEnd; ++column) {
        const int32_t cell = east->rowBegin * space->band.columns + column;
        if (start[cell] == start[cell + 1]) {
            const thWallEdges rest = TH_ITEMS(space->around, thWallEdges)[cell];
            return (thWallEdges){around.solids + rest.solids, around.rooms + rest.rooms};
        }
        for (int32_t i = start[cell]; i < start[cell + 1]; ++i) {
            const thRouteWall* wall = &TH_ITEMS(space->lists, thRouteWall)[i];
            const int32_t way = crossHeight(p.y, wall);
            if (way != 0 && thiOrientation(wall->a, wall->b, p) == way &&
                TH_MAX(columnOfCrossing(space, p.y, wall), east->columnBegin) == column)
                addEdges(space, i, way, &around);
        }
    }
    return around;
}

bool thiIsInRouteSolid(const thRouteSpace* space, thPoint p)
{
    thCellBox east;
    if (!thiClipBox(&space->band, space->shift, (thBox){p.x, p.y, INT32_MAX, p.y}, &east))
        return space->band.hasRooms;
    const thWallEdges around = windingsAbout(space, p, &east);
    return around.solids > 0 || (space->band.hasRooms && around.rooms == 0);
}
