// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What all kinds of roadmaps share: boxes, cells, and graphs of cells.

#include "plan/roadmap/roadmap_graph.h"

#include "throng/roadmap.h"

thResult thiMakeRoadmapGraph(const thRoadmapBuild* build)
{
    switch (build->map->kind) {
    case th_roadmapGrid:
        return thiMakeGridRoadmap(build);
    case th_roadmapRandom:
        return thiMakeRandomRoadmap(build);
    case th_roadmapMedial:
        return thiMakeMedialRoadmap(build);
    default:
        return thiMakeGivenRoadmap(build);
    }
}

void thiAddRoadmapPlace(thRouteGraph* graph, thPoint place)
{
    TH_ASSERT(graph->nodes.count < graph->nodes.capacity);
    TH_ITEMS(graph->nodes, thRouteNode)
    [graph->nodes.count++] =
        (thRouteNode){.place = place, .x = place.x, .y = place.y, .a = place, .b = place};
}

bool thiRoadmapBox(const thRoadmapBuild* build, thPoint* low, thPoint* high)
{
    const thRoadmap* map = build->map;
    *low = (thPoint){map->lowX, map->lowY};
    *high = (thPoint){map->highX, map->highY};
    if (low->x < high->x)
        return true;
    const thWalls* walls = build->frame->walls;
    *low = (thPoint){INT32_MAX, INT32_MAX};
    *high = (thPoint){INT32_MIN, INT32_MIN};
    for (int32_t i = 0; i < walls->count; ++i) {
        if (walls->level[i] != map->level)
            continue;
        low->x = TH_MIN(low->x, TH_MIN(walls->ax[i], walls->bx[i]));
        low->y = TH_MIN(low->y, TH_MIN(walls->ay[i], walls->by[i]));
        high->x = TH_MAX(high->x, TH_MAX(walls->ax[i], walls->bx[i]));
        high->y = TH_MAX(high->y, TH_MAX(walls->ay[i], walls->by[i]));
    }
    return low->x <= high->x;
}

// Cells that are in the box by half count, so that rounding loses none.
static int64_t cellsAlong(int32_t low, int32_t high, int32_t side)
{
    return ((int64_t)high - low + side / 2) / side;
}

thRoadmapCells thiRoadmapCells(const thRoadmapBuild* build)
{
    thPoint low, high;
    const int32_t side = build->map->side;
    if (!thiRoadmapBox(build, &low, &high))
        return (thRoadmapCells){.side = side};
    const int64_t columns = cellsAlong(low.x, high.x, side);
    const int64_t rows = cellsAlong(low.y, high.y, side);
    if (columns * rows > THRONG_ROADMAP_NODES)
        return (thRoadmapCells){.side = side};
    return (thRoadmapCells){.low = {low.x + side / 2, low.y + side / 2},
                            .side = side,
                            .columns = (int32_t)columns,
                            .rows = (int32_t)rows};
}

// The nodes of cells are numbered row by row.
static int32_t numberNodes(const thRoadmapBuild* build, const thRoadmapCells* cells,
                           const uint8_t* marks, int32_t* nodeOf)
{
    int32_t ways = 0;
    for (int32_t cell = 0; cell < thiCellCount(cells); ++cell) {
        nodeOf[cell] = build->graph->nodes.count;
        if ((marks[cell] & th_cellNode) != 0)
            thiAddRoadmapPlace(build->graph, thiCellCentre(cells, cell));
        for (int32_t way = th_cellEast; way <= th_cellNorthWest; way *= 2)
            ways += (marks[cell] & way) != 0;
    }
    return ways;
}

static void listPairs(const thRoadmapCells* cells, const uint8_t* marks, const int32_t* nodeOf,
                      thRoutePair* pairs)
{
    const int32_t columns = cells->columns;
    const int32_t steps[] = {1, columns, columns + 1, columns - 1};
    for (int32_t cell = 0; cell < thiCellCount(cells); ++cell)
        for (int32_t k = 0; k < 4; ++k)
            if ((marks[cell] & th_cellEast << k) != 0)
                *pairs++ = (thRoutePair){nodeOf[cell], nodeOf[cell + steps[k]]};
}

thResult thiConnectCells(const thRoadmapBuild* build, const thRoadmapCells* cells,
                         const uint8_t* marks)
{
    const int32_t count = thiCellCount(cells);
    int32_t nodeCount = 0;
    for (int32_t cell = 0; cell < count; ++cell)
        nodeCount += (marks[cell] & th_cellNode) != 0;
    TH_TRY(thiArrayReserve(&build->graph->nodes, nodeCount));
    const size_t nodeSize = (size_t)TH_MAX(count, 1) * sizeof(int32_t);
    int32_t* nodeOf = thiAllocate(build->memory, nodeSize);
    if (nodeOf == NULL)
        return th_resultNoMemory;
    const int32_t ways = numberNodes(build, cells, marks, nodeOf);
    const size_t pairSize = (size_t)TH_MAX(ways, 1) * sizeof(thRoutePair);
    thRoutePair* pairs = thiAllocate(build->memory, pairSize);
    thResult code = th_resultNoMemory;
    if (pairs != NULL) {
        listPairs(cells, marks, nodeOf, pairs);
        code = thiRouteGraphConnect(build->graph, pairs, ways);
    }
    thiRelease(build->memory, pairs, pairSize);
    thiRelease(build->memory, nodeOf, nodeSize);
    return code;
}
