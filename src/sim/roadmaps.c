// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Roadmaps as they were described. Streets become nodes and edges at once; what depends on walls
// and radii stays a rule, which planners follow.

#include "throng/roadmap.h"

#include "sim/ranges.h"
#include "sim/world_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SIDE 0.01f
#define LARGEST_SIDE 1000.0f
#define LARGEST_REACH 60000.0f
#define MOST_NEIGHBORS 64

thRoadmapDef thDefaultRoadmapDef(void)
{
    return (thRoadmapDef){.size = sizeof(thRoadmapDef),
                          .kind = th_roadmapGiven,
                          .side = 1.0f,
                          .count = 1000,
                          .neighbors = 8};
}

// Checks.

static bool isName(const char* name)
{
    return name != NULL && name[0] != '\0' && strlen(name) < TH_NAME_SIZE;
}

static bool areNodes(const thRoadmapDef* def)
{
    if (def->nodes == NULL || def->nodeCount < 1 || def->nodeCount > THRONG_ROADMAP_NODES)
        return false;
    for (int32_t i = 0; i < def->nodeCount; ++i)
        if (!thiIsPlace(def->nodes[i]) || (def->ends != NULL && !thiIsPlace(def->ends[i])))
            return false;
    if (def->edgeCount < 0 || def->edgeCount > INT32_MAX / 4 ||
        (def->edges == NULL && def->edgeCount > 0) ||
        (def->edgeCount == 0 && def->nodeCount > THRONG_ROADMAP_SIGHTS))
        return false;
    for (int32_t i = 0; i < def->edgeCount; ++i) {
        const int32_t a = def->edges[2 * i], b = def->edges[2 * i + 1];
        if (a < 0 || a >= def->nodeCount || b < 0 || b >= def->nodeCount || a == b)
            return false;
    }
    return true;
}

static bool areStreets(const thRoadmapDef* def)
{
    if (def->columns < 1 || def->rows < 1 || !(def->spacing.x > 0.0f) || !(def->spacing.y > 0.0f) ||
        (int64_t)def->columns * def->rows > THRONG_ROADMAP_NODES || !thiIsPlace(def->from))
        return false;
    const double lastX = (double)def->from.x + (double)def->spacing.x * (def->columns - 1);
    const double lastY = (double)def->from.y + (double)def->spacing.y * (def->rows - 1);
    return lastX <= THRONG_MAX_COORDINATE && lastY <= THRONG_MAX_COORDINATE;
}

static bool isBox(const thRoadmapDef* def)
{
    if (!thiIsPlace(def->low) || !thiIsPlace(def->high))
        return false;
    const bool isLeftOut =
        def->low.x == 0.0f && def->low.y == 0.0f && def->high.x == 0.0f && def->high.y == 0.0f;
    return isLeftOut || (thiUnits(def->low.x) < thiUnits(def->high.x) &&
                         thiUnits(def->low.y) < thiUnits(def->high.y));
}

// A box that is left out has no cells yet.
static bool hasRoomForCells(const thRoadmap* map)
{
    const int64_t columns = ((int64_t)map->highX - map->lowX) / map->side + 1;
    const int64_t rows = ((int64_t)map->highY - map->lowY) / map->side + 1;
    return columns * rows <= THRONG_ROADMAP_NODES;
}

bool thiIsRoadmapRule(const thRoadmap* map)
{
    const bool hasBox = map->lowX < map->highX && map->lowY < map->highY;
    const bool hasNone = map->lowX == 0 && map->lowY == 0 && map->highX == 0 && map->highY == 0;
    if (!thiIsWithinWorld((thPoint){map->lowX, map->lowY}) ||
        !thiIsWithinWorld((thPoint){map->highX, map->highY}) || (!hasBox && !hasNone) ||
        map->side < thiUnits(LEAST_SIDE) || map->side > thiUnits(LARGEST_SIDE) || map->count < 1 ||
        map->count > THRONG_ROADMAP_NODES || !thiIsBetween(map->reach, 0.0f, LARGEST_REACH))
        return false;
    switch (map->kind) {
    case th_roadmapGrid:
        return (map->neighbors == 4 || map->neighbors == 8) && hasRoomForCells(map);
    case th_roadmapMedial:
        return hasRoomForCells(map);
    case th_roadmapRandom:
        return map->neighbors >= 1 && map->neighbors <= MOST_NEIGHBORS;
    default:
        return false;
    }
}

static thRoadmap ruleOf(const thRoadmapDef* def)
{
    return (thRoadmap){.kind = def->kind,
                       .level = def->level,
                       .lowX = thiUnits(def->low.x),
                       .lowY = thiUnits(def->low.y),
                       .highX = thiUnits(def->high.x),
                       .highY = thiUnits(def->high.y),
                       .side = thiUnits(def->side),
                       .count = def->count,
                       .neighbors = def->neighbors,
                       .reach = def->reach};
}

static bool isRule(const thRoadmapDef* def)
{
    if (!isBox(def) || !thiIsBetween(def->side, LEAST_SIDE, LARGEST_SIDE))
        return false;
    const thRoadmap map = ruleOf(def);
    return thiIsRoadmapRule(&map);
}

// Nodes and edges.

static int byEnds(const void* left, const void* right)
{
    const int32_t *a = left, *b = right;
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

static thResult addNodes(thNamedRoadmap* item, const thRoadmapDef* def)
{
    int32_t(*nodes)[4] = thiArrayAdd(&item->nodes, def->nodeCount);
    if (nodes == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < def->nodeCount; ++i) {
        const thPoint a = thiPointOf(def->nodes[i]);
        const thPoint b = def->ends != NULL ? thiPointOf(def->ends[i]) : a;
        memcpy(nodes[i], (const int32_t[]){a.x, a.y, b.x, b.y}, sizeof nodes[i]);
    }
    if (def->edgeCount == 0)
        return th_resultOk;
    int32_t(*edges)[2] = thiArrayAdd(&item->edges, def->edgeCount);
    if (edges == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < def->edgeCount; ++i) {
        const int32_t a = def->edges[2 * i], b = def->edges[2 * i + 1];
        memcpy(edges[i], (const int32_t[]){TH_MIN(a, b), TH_MAX(a, b)}, sizeof edges[i]);
    }
    qsort(edges, (size_t)def->edgeCount, sizeof *edges, byEnds);
    int32_t kept = 1;
    for (int32_t i = 1; i < def->edgeCount; ++i)
        if (byEnds(edges[i], edges[kept - 1]) != 0)
            memmove(edges[kept++], edges[i], sizeof edges[i]);
    item->edges.count = kept;
    return th_resultOk;
}

static thResult addStreets(thNamedRoadmap* item, const thRoadmapDef* def)
{
    const int32_t columns = def->columns, rows = def->rows;
    const int32_t edgeCount = (columns - 1) * rows + columns * (rows - 1);
    int32_t(*nodes)[4] = thiArrayAdd(&item->nodes, columns * rows);
    int32_t(*edges)[2] = edgeCount > 0 ? thiArrayAdd(&item->edges, edgeCount) : NULL;
    if (nodes == NULL || (edges == NULL && edgeCount > 0))
        return th_resultNoMemory;
    for (int32_t row = 0, edge = 0; row < rows; ++row)
        for (int32_t column = 0; column < columns; ++column) {
            const int32_t node = row * columns + column;
            const double x = (double)def->from.x + (double)def->spacing.x * column;
            const double y = (double)def->from.y + (double)def->spacing.y * row;
            const thPoint place = thiPointOf((thVec2){(float)x, (float)y});
            memcpy(nodes[node], (const int32_t[]){place.x, place.y, place.x, place.y},
                   sizeof nodes[node]);
            if (column + 1 < columns)
                memcpy(edges[edge++], (const int32_t[]){node, node + 1}, sizeof *edges);
            if (row + 1 < rows)
                memcpy(edges[edge++], (const int32_t[]){node, node + columns}, sizeof *edges);
        }
    return th_resultOk;
}

void thiShowRoadmap(thNamedRoadmap* item)
{
    item->view.nodeCount = item->nodes.count;
    item->view.nodes = item->nodes.data;
    item->view.edgeCount = item->edges.count;
    item->view.edges = item->edges.data;
}

void thiInitRoadmap(thWorld* world, thNamedRoadmap* item)
{
    *item = (thNamedRoadmap){.nodes = thiArray(world->account, 4 * sizeof(int32_t)),
                             .edges = thiArray(world->account, 2 * sizeof(int32_t))};
}

void thiFreeRoadmap(thNamedRoadmap* item)
{
    thiArrayFree(&item->nodes);
    thiArrayFree(&item->edges);
}

static thResult makeRoadmap(thWorld* world, const thRoadmapDef* def, thNamedRoadmap* item)
{
    thiInitRoadmap(world, item);
    snprintf(item->name, sizeof item->name, "%s", def->name);
    thResult code = th_resultOk;
    if (def->kind == th_roadmapGiven || def->kind == th_roadmapStreets) {
        item->view = (thRoadmap){.kind = th_roadmapGiven, .level = def->level};
        code = def->kind == th_roadmapGiven ? addNodes(item, def) : addStreets(item, def);
    } else {
        item->view = ruleOf(def);
    }
    if (code != th_resultOk)
        thiFreeRoadmap(item);
    thiShowRoadmap(item);
    return code;
}

// Their lives.

int32_t thiFindRoadmap(const thRoadmaps* roadmaps, const char* name)
{
    for (int32_t slot = 0; slot < roadmaps->items.count; ++slot)
        if (thiIdPoolIdOf(&roadmaps->ids, slot) != 0 &&
            strcmp(thiRoadmapAt(roadmaps, slot)->name, name) == 0)
            return slot;
    return -1;
}

static bool isRoadmapDef(const thRoadmapDef* def)
{
    switch (def->kind) {
    case th_roadmapGiven:
        return areNodes(def);
    case th_roadmapStreets:
        return areStreets(def);
    default:
        return isRule(def);
    }
}

thResult thCreateRoadmap(thWorld* world, const thRoadmapDef* given, thRoadmapId* id)
{
    TH_REQUIRE(id != NULL, th_resultBadArgument);
    *id = (thRoadmapId){0};
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    thRoadmapDef def = thDefaultRoadmapDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    thRoadmaps* roadmaps = &world->roadmaps;
    TH_REQUIRE(isName(def.name) && thiFindRoadmap(roadmaps, def.name) < 0, th_resultBadArgument);
    TH_REQUIRE(thiIsLevel(def.level) && isRoadmapDef(&def), th_resultBadArgument);
    TH_TRY(thiReserveSlot(&roadmaps->ids, &roadmaps->items));
    thNamedRoadmap item;
    TH_TRY(makeRoadmap(world, &def, &item));
    id->value = thiIdPoolTake(&roadmaps->ids);
    roadmaps->items.count = thiIdPoolSlotCount(&roadmaps->ids);
    *thiRoadmapAt(roadmaps, THRONG_SLOT(*id)) = item;
    world->roadmaps.revision += 1;
    return th_resultOk;
}

thResult thDestroyRoadmap(thWorld* world, thRoadmapId id)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    const int32_t slot = thiIdPoolFind(&world->roadmaps.ids, id.value);
    TH_REQUIRE(slot >= 0, th_resultBadArgument);
    thiFreeRoadmap(thiRoadmapAt(&world->roadmaps, slot));
    thiIdPoolGiveBack(&world->roadmaps.ids, id.value);
    world->roadmaps.revision += 1;
    return th_resultOk;
}

thRoadmapId thWorld_FindRoadmap(const thWorld* world, const char* name)
{
    TH_REQUIRE(world != NULL && name != NULL, (thRoadmapId){0});
    const int32_t slot = thiFindRoadmap(&world->roadmaps, name);
    return (thRoadmapId){slot >= 0 ? thiIdPoolIdOf(&world->roadmaps.ids, slot) : 0};
}

// As planners see them.

static int32_t findOnly(const thRoadmaps* roadmaps)
{
    int32_t found = -1;
    for (int32_t slot = 0; slot < roadmaps->items.count; ++slot) {
        if (thiIdPoolIdOf(&roadmaps->ids, slot) == 0)
            continue;
        if (found >= 0)
            return -2;
        found = slot;
    }
    return found;
}

int32_t thFrame_FindRoadmap(const thFrame* frame, const char* name)
{
    TH_REQUIRE(frame != NULL && name != NULL, -1);
    return name[0] == '\0' ? findOnly(frame->roadmaps) : thiFindRoadmap(frame->roadmaps, name);
}

int32_t thFrame_GetRoadmap(const thFrame* frame, int32_t slot, thRoadmap* roadmap)
{
    TH_REQUIRE(frame != NULL && roadmap != NULL, 0);
    *roadmap = (thRoadmap){0};
    if (slot < 0 || slot >= frame->roadmaps->items.count ||
        thiIdPoolIdOf(&frame->roadmaps->ids, slot) == 0)
        return 0;
    *roadmap = thiRoadmapAt(frame->roadmaps, slot)->view;
    return 1;
}
