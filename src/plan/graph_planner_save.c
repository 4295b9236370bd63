// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a graph planner remembers from step to step. Fields and trees follow from the walls and the
// goals, so of a tree it is enough to know how far it has grown.

#include "plan/graph_planner_internal.h"

#include <math.h>

typedef struct SavedTree {
    int32_t radiusClass, level, goal;
    uint32_t goalMark;
    int32_t settled; // −1: not planted
} SavedTree;

typedef struct Saved {
    uint32_t mark;
    int32_t treeCount;
    int64_t asked, served, effort;
    double meanEffort;
} Saved;

thResult thiSaveGraphPlanner(const thGraphPlanner* planner, thWriter* to)
{
    const thRouteCounts* counts = planner->counts;
    const Saved saved = {.mark = planner->mark,
                         .treeCount = planner->trees.count,
                         .asked = counts->asked,
                         .served = counts->served,
                         .effort = counts->effort,
                         .meanEffort = planner->meanEffort};
    TH_TRY(thWriter_Write(to, &saved, sizeof saved));
    for (int32_t i = 0; i < planner->trees.count; ++i) {
        const thGoalTree* tree = &TH_ITEMS(planner->trees, thGoalTree)[i];
        const SavedTree item = {tree->radiusClass, tree->level, tree->goal, tree->goalMark,
                                // one that was restored and has not grown since
                                tree->regrow > 0 ? tree->regrow - 1
                                : tree->planted  ? tree->tree.settled
                                                 : -1};
        TH_TRY(thWriter_Write(to, &item, sizeof item));
    }
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

static thResult loadTree(thGraphPlanner* planner, thReader* from)
{
    SavedTree item;
    TH_TRY(thReader_Read(from, &item, sizeof item));
    if (!isInOrder(planner, &item) || item.settled < -1 || item.settled == INT32_MAX)
        return th_resultDamaged;
    thGoalTree* tree = thiArrayAdd(&planner->trees, 1);
    if (tree == NULL)
        return th_resultNoMemory;
    *tree = (thGoalTree){.radiusClass = item.radiusClass,
                         .level = item.level,
                         .goal = item.goal,
                         .goalMark = item.goalMark,
                         .regrow = item.settled + 1,
                         .tree = thiRouteTree(&planner->memory),
                         .ofBoxes = thiArray(&planner->memory, sizeof(double))};
    return th_resultOk;
}

thResult thiLoadGraphPlanner(thGraphPlanner* planner, thReader* from)
{
    Saved saved;
    TH_TRY(thReader_Read(from, &saved, sizeof saved));
    const bool sound = saved.asked >= 0 && saved.served >= 0 && saved.effort >= 0 &&
                       saved.meanEffort >= 0.0 && saved.meanEffort <= 1e15 && saved.treeCount >= 0;
    if (!sound)
        return th_resultDamaged;
    planner->mark = saved.mark;
    planner->meanEffort = saved.meanEffort;
    planner->counts->asked = saved.asked;
    planner->counts->served = saved.served;
    planner->counts->effort = saved.effort;
    for (int32_t i = 0; i < saved.treeCount; ++i)
        TH_TRY(loadTree(planner, from));
    return th_resultOk;
}
