// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Trees of shortest paths for goals that several agents head for. They grow by as many nodes as a
// step may take. When a goal has moved, its tree is followed until another one has grown beside it.

#include "plan/graph/graph_planner_search.h"

#include <math.h>
#include <string.h>

#define CROWD_NODES 8 // that take as long as one among a crowd
#define SEED_GRAIN 64
#define REPLANT_EVERY 8 // steps from one tree of a goal that moves to the next, at least

static thTreeGrowth newGrowth(thMemory* memory)
{
    return (thTreeGrowth){.seeds = thiArray(memory, sizeof(thRouteSeed)),
                          .tree = thiRouteTree(memory),
                          .ofBoxes = thiArray(memory, sizeof(double))};
}

static void resetGrowth(thTreeGrowth* growth)
{
    growth->planted = growth->ready = false;
    growth->regrow = 0;
}

static void freeGrowth(thTreeGrowth* growth)
{
    thiArrayFree(&growth->seeds);
    thiRouteTreeFree(&growth->tree);
    thiArrayFree(&growth->ofBoxes);
}

thGoalTree thiGoalTree(thMemory* memory, int32_t radiusClass, int32_t level, int32_t goal)
{
    return (thGoalTree){.radiusClass = radiusClass,
                        .level = level,
                        .goal = goal,
                        .now = newGrowth(memory),
                        .next = newGrowth(memory)};
}

void thiFreeGoalTree(thGoalTree* tree)
{
    freeGrowth(&tree->now);
    freeGrowth(&tree->next);
}

void thiResetGoalTree(thGoalTree* tree)
{
    resetGrowth(&tree->now);
    resetGrowth(&tree->next);
}

// Trees come and go as agents go through lists of goals, so their memory is kept.

void thiFreeSpareTrees(thGraphPlanner* planner)
{
    for (int32_t i = 0; i < planner->spares.count; ++i)
        freeGrowth(&TH_ITEMS(planner->spares, thTreeGrowth)[i]);
    planner->spares.count = 0;
}

static void spareTree(thGraphPlanner* planner, thGoalTree* tree)
{
    thTreeGrowth* spares = thiArrayAdd(&planner->spares, 2);
    if (spares == NULL) {
        thiFreeGoalTree(tree);
        return;
    }
    thiResetGoalTree(tree);
    spares[0] = tree->now;
    spares[1] = tree->next;
}

static thGoalTree takeTree(thGraphPlanner* planner, const thRouteNeed* need)
{
    if (planner->spares.count == 0)
        return thiGoalTree(&planner->memory, need->radiusClass, need->level, need->goal);
    planner->spares.count -= 2;
    const thTreeGrowth* spares = &TH_ITEMS(planner->spares, thTreeGrowth)[planner->spares.count];
    return (thGoalTree){.radiusClass = need->radiusClass,
                        .level = need->level,
                        .goal = need->goal,
                        .now = spares[0],
                        .next = spares[1]};
}

// Trees that nobody needs go.
static void dropTrees(thGraphPlanner* planner)
{
    thGoalTree* trees = TH_ITEMS(planner->trees, thGoalTree);
    for (int32_t i = 0; i < planner->trees.count; ++i)
        trees[i].users = 0;
    for (int32_t i = 0; i < planner->needs.count; ++i) {
        const thRouteNeed* need = &TH_ITEMS(planner->needs, thRouteNeed)[i];
        thGoalTree* tree = thiFindGoalTree(planner, need->radiusClass, need->level, need->goal);
        if (tree != NULL)
            tree->users = need->users;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < planner->trees.count; ++i) {
        if (trees[i].users == 0)
            spareTree(planner, &trees[i]);
        else
            trees[kept++] = trees[i];
    }
    planner->trees.count = kept;
}

// What the shapes of a goal are.
static thResult markOfGoal(thGraphPlanner* planner, const thFrame* frame, int32_t slot,
                           uint32_t* mark)
{
    thShapeRoom room;
    thRouteGoal goal;
    const bool known = thiLookUpGoal(&planner->memory, frame, NULL, slot, &room, &goal);
    if (known)
        *mark = thiRouteGoalMark(&goal);
    thiFreeShapes(&planner->memory, &room);
    return known ? th_resultOk : th_resultNoMemory;
}

static thResult addTrees(thGraphPlanner* planner, const thFrame* frame)
{
    for (int32_t i = 0; i < planner->needs.count; ++i) {
        const thRouteNeed* need = &TH_ITEMS(planner->needs, thRouteNeed)[i];
        if (need->users < TH_SHARES_FROM || planner->trees.count >= planner->def.maxTrees ||
            thiFindGoalTree(planner, need->radiusClass, need->level, need->goal) != NULL)
            continue;
        const int32_t key[3] = {need->radiusClass, need->level, need->goal};
        uint32_t mark;
        TH_TRY(markOfGoal(planner, frame, need->goal, &mark));
        thGoalTree* tree = thiInsertByKey(&planner->trees, 3, key);
        if (tree == NULL)
            return th_resultNoMemory;
        *tree = takeTree(planner, need);
        tree->users = need->users;
        tree->goalMark = mark;
    }
    return th_resultOk;
}

// Which nodes the goal is reached from, and how far it is from there.
typedef struct Seeding {
    const thRouteFloor* floor;
    const thRouteGoal* goal;
    const thRouteEnd* ends; // NULL: from wherever it is seen
    thRouteSeed* seeds;     // of each node; of infinite length where it is not
    bool hasHorizon;        // what can be seen of the goal is known
    thRouteHorizon horizon;
} Seeding;

// From a point with room one can look round; that spares a look from each node.
static void lookFromGoal(Seeding* seeding)
{
    const thRouteGoal* goal = seeding->goal;
    thPoint point;
    if (!thiPointOfGoal(goal, &point))
        return;
    seeding->hasHorizon = goal->bends.count == 0 && thiIsClearPlace(goal->space, point, 0.0f);
    if (seeding->hasHorizon)
        thiLookAround(goal->space, point, &seeding->horizon);
}

static bool isHidden(const Seeding* seeding, const thRouteNode* node)
{
    return seeding->hasHorizon && thiIsBeyond(&seeding->horizon, node->place.x, node->place.y);
}

static void seedRange(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Seeding* seeding = context;
    for (int32_t i = begin; i < end; ++i) {
        const thRouteNode* node = &TH_ITEMS(seeding->floor->graph.nodes, thRouteNode)[i];
        thRouteAim aim;
        if (seeding->ends != NULL)
            (void)thiIsRouteEnd(seeding->floor, seeding->goal, seeding->ends, i,
                                &seeding->seeds[i]);
        else if (!isHidden(seeding, node) &&
                 thiAimAtGoal(seeding->goal, node->place, node->x, node->y, 0.0f, &aim))
            seeding->seeds[i] = (thRouteSeed){i, aim.length, aim.crowd};
        else
            seeding->seeds[i] = (thRouteSeed){i, INFINITY, 0.0};
    }
}

// Of all nodes those where the goal is reached, kept with the tree: it can be planted there again
// when the goal is elsewhere.
static thResult keepSeeds(const thRouteSeed* seeds, int32_t nodeCount, thTreeGrowth* growth)
{
    int32_t count = 0;
    for (int32_t i = 0; i < nodeCount; ++i)
        count += seeds[i].length < INFINITY;
    growth->seeds.count = 0;
    thRouteSeed* kept = thiArrayAdd(&growth->seeds, count);
    if (kept == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < nodeCount; ++i)
        if (seeds[i].length < INFINITY)
            *kept++ = seeds[i];
    return th_resultOk;
}

// Looks which nodes reach the goal.
static thResult findSeeds(thGraphPlanner* planner, const thRouteFloor* floor,
                          const thRouteGoal* goal, const thTasks* tasks, thTreeGrowth* growth)
{
    const int32_t nodeCount = floor->graph.nodes.count;
    planner->seeds.count = planner->ends.count = planner->walk.count = 0;
    Seeding seeding = {
        .floor = floor, .goal = goal, .seeds = thiArrayAdd(&planner->seeds, nodeCount)};
    thRouteEnd* ends = thiArrayAdd(&planner->ends, goal->shapeCount);
    void* walk = thiArrayAdd(&planner->walk, (int32_t)thiRouteWalkSize(&floor->near));
    if (seeding.seeds == NULL || ends == NULL || walk == NULL)
        return th_resultNoMemory;
    if (planner->def.leavesWithin > 0.0) {
        thiFindRouteEnds(floor, goal, planner->def.leavesWithin, walk, ends);
        seeding.ends = ends;
    }
    lookFromGoal(&seeding);
    thTasks_ParallelFor(tasks, nodeCount, SEED_GRAIN, seedRange, &seeding);
    return keepSeeds(seeding.seeds, nodeCount, growth);
}

static void finish(const thRouteFloor* floor, thTreeGrowth* growth)
{
    growth->ofBoxes.count = floor->near.boxes.count;
    thiRouteNearLeast(&floor->near, TH_ITEMS(growth->tree.distance, double),
                      TH_ITEMS(growth->ofBoxes, double));
    growth->ready = true;
}

// From the nodes where the goal is reached now, or after a restore was when the tree was planted.
static thResult plant(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                      const thRouteFloor* floor, thGoalTree* tree, thTreeGrowth* growth)
{
    const thCrowdMap* crowd = thiFindCrowd(planner, growth->round, tree->level);
    thResult code = th_resultOk;
    if (growth->regrow == 0) {
        thShapeRoom room;
        thRouteGoal goal;
        code = th_resultNoMemory;
        if (thiLookUpGoal(&planner->memory, frame, floor->space, tree->goal, &room, &goal)) {
            goal.crowd = crowd;
            thiFindGoalBends(floor, &goal);
            code = findSeeds(planner, floor, &goal, tasks, growth);
        }
        thiFreeShapes(&planner->memory, &room);
    }
    if (code == th_resultOk)
        code = thiPlantRouteTree(&floor->graph, TH_ITEMS(growth->seeds, thRouteSeed),
                                 growth->seeds.count, crowd, &growth->tree);
    if (code == th_resultOk) // so that nothing can fail when it is grown
        code = thiArrayReserve(&growth->ofBoxes, TH_MAX(floor->near.boxes.count, 1));
    if (code == th_resultOk && growth->regrow == 0) {
        growth->goalMark = tree->goalMark;
        tree->plantedAt = frame->step;
    }
    growth->planted = code == th_resultOk;
    return code;
}

// Those of a damaged snapshot.
static void dropBadSeeds(const thRouteFloor* floor, thTreeGrowth* growth)
{
    thRouteSeed* seeds = TH_ITEMS(growth->seeds, thRouteSeed);
    int32_t kept = 0;
    for (int32_t i = 0; i < growth->seeds.count; ++i)
        if (seeds[i].node < floor->graph.nodes.count)
            seeds[kept++] = seeds[i];
    growth->seeds.count = kept;
}

// Works on one tree; `budget` is what is left for this step.
static thResult grow(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                     thGoalTree* tree, thTreeGrowth* growth, int32_t* budget)
{
    const thRouteFloor* floor = thiFindRouteFloor(planner, tree->radiusClass, tree->level);
    if (!growth->planted) {
        if (growth->regrow == 0)
            growth->round = planner->round;
        else
            dropBadSeeds(floor, growth);
        TH_TRY(plant(planner, frame, tasks, floor, tree, growth));
        *budget -= growth->regrow > 0 ? 0 : floor->graph.nodes.count;
    }
    const int32_t perNode = growth->tree.crowd != NULL ? CROWD_NODES : 1;
    bool done = false;
    if (growth->regrow > 0) { // what was done before it was saved
        done = thiGrowRouteTree(&floor->graph, growth->regrow - 1, &growth->tree);
        growth->regrow = 0;
    } else if (*budget > 0) {
        const int32_t before = growth->tree.settled;
        done = thiGrowRouteTree(&floor->graph, (*budget + perNode - 1) / perNode, &growth->tree);
        *budget -= perNode * (growth->tree.settled - before);
    }
    if (done)
        finish(floor, growth);
    return th_resultOk;
}

static bool isGrowing(const thTreeGrowth* growth, int32_t budget)
{
    return growth->regrow > 0 || (!growth->ready && budget > 0);
}

// Grows the tree that takes the place of the one that agents go by.
static thResult growNext(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                         thGoalTree* tree, int32_t* budget)
{
    TH_TRY(grow(planner, frame, tasks, tree, &tree->next, budget));
    if (tree->next.ready) {
        const thTreeGrowth former = tree->now;
        tree->now = tree->next;
        tree->next = former;
        resetGrowth(&tree->next);
    }
    return th_resultOk;
}

// The tree that agents go by, and when the crowd was counted since, the next.
static thResult growTree(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                         thGoalTree* tree, int32_t* budget)
{
    if (isGrowing(&tree->now, *budget))
        TH_TRY(grow(planner, frame, tasks, tree, &tree->now, budget));
    const bool isBehind = tree->next.regrow > 0 || tree->now.round != planner->round;
    return tree->now.ready && isBehind && isGrowing(&tree->next, *budget)
               ? growNext(planner, frame, tasks, tree, budget)
               : th_resultOk;
}

// The next tree of a goal that has moved, not too soon after the one before.
static thResult followGoal(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                           thGoalTree* tree, int32_t* budget)
{
    const bool isDue = tree->next.planted || frame->step - tree->plantedAt >= REPLANT_EVERY;
    return tree->now.ready && tree->now.goalMark != tree->goalMark && isDue && *budget > 0
               ? growNext(planner, frame, tasks, tree, budget)
               : th_resultOk;
}

thResult thiCheckTreeGoals(thGraphPlanner* planner, const thFrame* frame)
{
    if (planner->goalsRevision == frame->goalsRevision)
        return th_resultOk;
    planner->sameGoals = false;
    for (int32_t i = 0; i < planner->trees.count; ++i) {
        thGoalTree* tree = &TH_ITEMS(planner->trees, thGoalTree)[i];
        TH_TRY(markOfGoal(planner, frame, tree->goal, &tree->goalMark));
    }
    planner->goalsRevision = frame->goalsRevision;
    return th_resultOk;
}

thResult thiGrowGoalTrees(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                          int32_t* budget)
{
    const int32_t count = planner->trees.count;
    for (int32_t i = 0; i < count; ++i)
        TH_TRY(growTree(planner, frame, tasks, &TH_ITEMS(planner->trees, thGoalTree)[i], budget));
    // Goals may move in every step: each in turn is the first to get what is left.
    for (int32_t i = 0; i < count; ++i) {
        const int32_t k = (int32_t)((frame->step + (uint64_t)i) % (uint64_t)count);
        TH_TRY(followGoal(planner, frame, tasks, &TH_ITEMS(planner->trees, thGoalTree)[k], budget));
    }
    return th_resultOk;
}

thResult thiChooseGoalTrees(thGraphPlanner* planner, const thFrame* frame)
{
    dropTrees(planner);
    return addTrees(planner, frame);
}
