// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Saving and loading of what a graph planner remembers from step to step. Floors and trees follow
// from the walls, the crowd as it was counted, and where trees were planted, so of a tree it is
// enough to know that and how far it has grown.

#include "plan/graph/graph_planner_internal.h"

#include <math.h>

typedef struct SavedTree {
    int32_t radiusClass, level, goal;
    uint32_t goalMark;
    int32_t settled[2]; // now and next; −1: not planted
    uint32_t round[2], plantedMark[2];
    int32_t seedCount[2];
    uint64_t plantedAt;
} SavedTree;

typedef struct SavedSeed {
    int32_t node, unused;
    double length, crowd;
} SavedSeed;

typedef struct SavedFloor {
    int32_t radiusClass, level;
} SavedFloor;

typedef struct SavedCrowd {
    int32_t level, lowX, lowY, side, columns, rows;
    int32_t blockCount; // with agents; 0: there is no map
    int32_t unused;
} SavedCrowd;

typedef struct SavedBlock {
    int32_t block, count;
} SavedBlock;

typedef struct Saved {
    uint32_t mark;
    uint32_t round;
    int32_t floorCount, treeCount, crowdCounts[2];
    int64_t asked[2], served[2], effort[2], lost, agents, searchers;
    int32_t rows, unused;
    uint64_t countedAt;
    double meanEffort[2];
} Saved;

// One that was restored and has not grown since has as many as it is going to have.
static int32_t settledOf(const thTreeGrowth* growth)
{
    return growth->regrow > 0 ? growth->regrow - 1 : growth->planted ? growth->tree.settled : -1;
}

static thResult saveSeeds(const thTreeGrowth* growth, int32_t count, thWriter* to)
{
    for (int32_t i = 0; i < count; ++i) {
        const thRouteSeed* seed = &TH_ITEMS(growth->seeds, thRouteSeed)[i];
        const SavedSeed item = {seed->node, 0, seed->length, seed->crowd};
        TH_TRY(thWriter_Write(to, &item, sizeof item));
    }
    return th_resultOk;
}

static thResult saveTree(const thGoalTree* tree, thWriter* to)
{
    const thTreeGrowth* growths[2] = {&tree->now, &tree->next};
    SavedTree item = {.radiusClass = tree->radiusClass,
                      .level = tree->level,
                      .goal = tree->goal,
                      .goalMark = tree->goalMark,
                      .plantedAt = tree->plantedAt};
    for (int32_t k = 0; k < 2; ++k) {
        item.settled[k] = settledOf(growths[k]);
        if (item.settled[k] < 0)
            continue; // what is left of a former one decides nothing
        item.round[k] = growths[k]->round;
        item.plantedMark[k] = growths[k]->goalMark;
        item.seedCount[k] = growths[k]->seeds.count;
    }
    TH_TRY(thWriter_Write(to, &item, sizeof item));
    TH_TRY(saveSeeds(&tree->now, item.seedCount[0], to));
    return saveSeeds(&tree->next, item.seedCount[1], to);
}

static thResult saveCrowd(const thCrowdMap* map, thWriter* to)
{
    const int32_t blocks = map->counts != NULL ? thiCrowdBlocks(map) : 0;
    SavedCrowd saved = {.level = map->level,
                        .lowX = map->lowX,
                        .lowY = map->lowY,
                        .side = map->side,
                        .columns = map->columns,
                        .rows = map->rows};
    for (int32_t i = 0; i < blocks; ++i)
        saved.blockCount += map->counts[i] > 0;
    TH_TRY(thWriter_Write(to, &saved, sizeof saved));
    for (int32_t i = 0; i < blocks; ++i) {
        const SavedBlock block = {i, map->counts[i]};
        if (block.count > 0)
            TH_TRY(thWriter_Write(to, &block, sizeof block));
    }
    return th_resultOk;
}

thResult thiSaveGraphPlanner(const thGraphPlanner* planner, thWriter* to)
{
    const thRouteCounts* counts = planner->counts;
    const Saved saved = {.mark = planner->mark,
                         .round = planner->round,
                         .floorCount = planner->floors.count,
                         .treeCount = planner->trees.count,
                         .crowdCounts = {planner->crowds[0].count, planner->crowds[1].count},
                         .asked = {counts->asked[0], counts->asked[1]},
                         .served = {counts->served[0], counts->served[1]},
                         .effort = {counts->effort[0], counts->effort[1]},
                         .lost = counts->lost,
                         .agents = planner->agents,
                         .searchers = planner->searchers,
                         .rows = planner->rows,
                         .countedAt = planner->countedAt,
                         .meanEffort = {planner->meanEffort[0], planner->meanEffort[1]}};
    TH_TRY(thWriter_Write(to, &saved, sizeof saved));
    for (int32_t i = 0; i < planner->floors.count; ++i) {
        const thRouteFloor* floor = &TH_ITEMS(planner->floors, thRouteFloor)[i];
        const SavedFloor item = {floor->radiusClass, floor->level};
        TH_TRY(thWriter_Write(to, &item, sizeof item));
    }
    for (int32_t i = 0; i < planner->trees.count; ++i)
        TH_TRY(saveTree(&TH_ITEMS(planner->trees, thGoalTree)[i], to));
    for (int32_t k = 0; k < 2; ++k)
        for (int32_t i = 0; i < planner->crowds[k].count; ++i)
            TH_TRY(saveCrowd(&TH_ITEMS(planner->crowds[k], thCrowdMap)[i], to));
    return th_resultOk;
}

static bool isInOrder(const thGraphPlanner* planner, const SavedTree* item)
{
    const int32_t count = planner->trees.count;
    if (count == 0)
        return true;
    const thGoalTree* last = &TH_ITEMS(planner->trees, thGoalTree)[count - 1];
    if (last->radiusClass != item->radiusClass)
        return last->radiusClass < item->radiusClass;
    if (last->level != item->level)
        return last->level < item->level;
    return last->goal < item->goal;
}

// One after the other: a number that lies ends with the bytes. Whether there is such a node shows
// when there are floors.
static thResult loadSeeds(thTreeGrowth* growth, int32_t count, thReader* from)
{
    for (int32_t i = 0; i < count; ++i) {
        SavedSeed item;
        TH_TRY(thReader_Read(from, &item, sizeof item));
        if (item.node < 0 || !(item.length >= 0.0 && item.length < INFINITY) ||
            !(item.crowd >= 0.0 && item.crowd < INFINITY))
            return th_resultDamaged;
        thRouteSeed* seed = thiArrayAdd(&growth->seeds, 1);
        if (seed == NULL)
            return th_resultNoMemory;
        *seed = (thRouteSeed){item.node, item.length, item.crowd};
    }
    return th_resultOk;
}

static thResult loadTree(thGraphPlanner* planner, thReader* from)
{
    SavedTree item;
    TH_TRY(thReader_Read(from, &item, sizeof item));
    for (int32_t k = 0; k < 2; ++k)
        if (item.settled[k] < -1 || item.settled[k] == INT32_MAX || item.seedCount[k] < 0)
            return th_resultDamaged;
    const bool hasFloor = thiHasRouteFloor(planner, item.radiusClass, item.level);
    if (!isInOrder(planner, &item) || !hasFloor)
        return th_resultDamaged;
    thGoalTree* tree = thiArrayAdd(&planner->trees, 1);
    if (tree == NULL)
        return th_resultNoMemory;
    *tree = thiGoalTree(&planner->memory, item.radiusClass, item.level, item.goal);
    tree->goalMark = item.goalMark;
    tree->plantedAt = item.plantedAt;
    thTreeGrowth* growths[2] = {&tree->now, &tree->next};
    for (int32_t k = 0; k < 2; ++k) {
        growths[k]->regrow = item.settled[k] + 1;
        growths[k]->round = item.round[k];
        growths[k]->goalMark = item.plantedMark[k];
        TH_TRY(loadSeeds(growths[k], item.seedCount[k], from));
    }
    return th_resultOk;
}

static thResult loadFloor(thGraphPlanner* planner, thReader* from)
{
    SavedFloor item;
    TH_TRY(thReader_Read(from, &item, sizeof item));
    const bool sound = item.radiusClass >= 0 && item.radiusClass <= TH_ROUTE_CLASSES &&
                       item.level >= 0 && item.level <= UINT16_MAX &&
                       !thiHasRouteFloor(planner, item.radiusClass, item.level);
    return sound ? thiAddRouteFloor(planner, item.radiusClass, item.level) : th_resultDamaged;
}

static thResult loadBlocks(thCrowdMap* map, int32_t count, thReader* from)
{
    for (int32_t i = 0; i < count; ++i) {
        SavedBlock block;
        TH_TRY(thReader_Read(from, &block, sizeof block));
        if (block.block < 0 || block.block >= thiCrowdBlocks(map) || block.count < 0)
            return th_resultDamaged;
        map->counts[block.block] = block.count;
    }
    thiCrowdMapSum(map);
    return th_resultOk;
}

static thResult loadCrowd(thGraphPlanner* planner, int32_t which, thReader* from)
{
    SavedCrowd saved;
    TH_TRY(thReader_Read(from, &saved, sizeof saved));
    thCrowdMap* map = thiArrayAdd(&planner->crowds[which], 1);
    if (map == NULL)
        return th_resultNoMemory;
    *map = (thCrowdMap){.memory = &planner->memory, .level = saved.level};
    if (saved.blockCount == 0)
        return th_resultOk;
    map->lowX = saved.lowX;
    map->lowY = saved.lowY;
    TH_TRY(thiCrowdMapBegin(map, planner->def.crowding, saved.side, saved.columns, saved.rows));
    return loadBlocks(map, saved.blockCount, from);
}

static bool isSound(const Saved* saved)
{
    for (int32_t i = 0; i < 2; ++i)
        if (saved->asked[i] < 0 || saved->served[i] < 0 || saved->effort[i] < 0 ||
            !(saved->meanEffort[i] >= 0.0 && saved->meanEffort[i] <= 1e15))
            return false;
    return saved->treeCount >= 0 && saved->floorCount >= 0 && saved->agents >= 0 &&
           saved->searchers >= 0;
}

thResult thiLoadGraphPlanner(thGraphPlanner* planner, thReader* from)
{
    Saved saved;
    TH_TRY(thReader_Read(from, &saved, sizeof saved));
    if (!isSound(&saved))
        return th_resultDamaged;
    planner->mark = saved.mark;
    planner->round = saved.round;
    planner->countedAt = saved.countedAt;
    planner->agents = saved.agents;
    planner->searchers = saved.searchers;
    planner->rows = saved.rows;
    for (int32_t i = 0; i < 2; ++i) {
        planner->meanEffort[i] = saved.meanEffort[i];
        planner->counts->asked[i] = saved.asked[i];
        planner->counts->served[i] = saved.served[i];
        planner->counts->effort[i] = saved.effort[i];
    }
    planner->counts->lost = saved.lost;
    for (int32_t i = 0; i < saved.floorCount; ++i)
        TH_TRY(loadFloor(planner, from));
    for (int32_t i = 0; i < saved.treeCount; ++i)
        TH_TRY(loadTree(planner, from));
    for (int32_t k = 0; k < 2; ++k)
        for (int32_t i = 0; i < saved.crowdCounts[k]; ++i)
            TH_TRY(loadCrowd(planner, k, from));
    return th_resultOk;
}
