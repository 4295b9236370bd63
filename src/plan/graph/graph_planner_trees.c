// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Trees of shortest paths for goals that several agents head for. They grow by as many nodes as a
// step may take.

#include "plan/graph/graph_planner_search.h"

#include <math.h>
#include <string.h>

#define CROWD_NODES 8 // that take as long as one among a crowd
#define SEED_GRAIN 64

static thTreeGrowth newGrowth(thMemory* memory)
{
    return (thTreeGrowth){.tree = thiRouteTree(memory),
                          .ofBoxes = thiArray(memory, sizeof(double))};
}

static void freeGrowth(thTreeGrowth* growth)
{
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
    tree->now.planted = tree->now.ready = tree->next.planted = tree->next.ready = false;
    tree->now.regrow = tree->next.regrow = 0;
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
            thiFreeGoalTree(&trees[i]);
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
        *tree = thiGoalTree(&planner->memory, need->radiusClass, need->level, need->goal);
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
    seeding->hasHorizon = thiIsClearPlace(goal->space, point, 0.0f);
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

// From the nodes where the goal is reached.
static thResult plantSeeds(const thRouteFloor* floor, thRouteSeed* seeds, const thCrowdMap* crowd,
                           thRouteTree* tree)
{
    int32_t seedCount = 0;
    for (int32_t i = 0; i < floor->graph.nodes.count; ++i)
        if (seeds[i].length < INFINITY)
            seeds[seedCount++] = seeds[i];
    return thiPlantRouteTree(&floor->graph, seeds, seedCount, crowd, tree);
}

// Memory of a tree that is planted.
typedef struct Planting {
    thRouteSeed* seeds;
    thRouteEnd* ends;
    void* walk;
    size_t seedsSize, endsSize, walkSize;
} Planting;

static bool openPlanting(thGraphPlanner* planner, const thRouteFloor* floor,
                         const thRouteGoal* goal, Planting* planting)
{
    const size_t count = (size_t)TH_MAX(floor->graph.nodes.count, 1);
    planting->seedsSize = count * sizeof *planting->seeds;
    planting->endsSize = (size_t)TH_MAX(goal->shapeCount, 1) * sizeof *planting->ends;
    planting->walkSize = TH_MAX(thiRouteWalkSize(&floor->near), 1);
    planting->seeds = thiAllocate(&planner->memory, planting->seedsSize);
    planting->ends = thiAllocate(&planner->memory, planting->endsSize);
    planting->walk = thiAllocate(&planner->memory, planting->walkSize);
    return planting->seeds != NULL && planting->ends != NULL && planting->walk != NULL;
}

static void closePlanting(thGraphPlanner* planner, const Planting* planting)
{
    thiRelease(&planner->memory, planting->seeds, planting->seedsSize);
    thiRelease(&planner->memory, planting->ends, planting->endsSize);
    thiRelease(&planner->memory, planting->walk, planting->walkSize);
}

static thResult plant(thGraphPlanner* planner, const thRouteFloor* floor, const thRouteGoal* goal,
                      const thTasks* tasks, thTreeGrowth* growth)
{
    Planting planting;
    thResult code = th_resultNoMemory;
    if (openPlanting(planner, floor, goal, &planting)) {
        const bool staysOnGraph = planner->def.leavesWithin > 0.0;
        if (staysOnGraph)
            thiFindRouteEnds(floor, goal, planner->def.leavesWithin, planting.walk, planting.ends);
        Seeding seeding = {.floor = floor,
                           .goal = goal,
                           .ends = staysOnGraph ? planting.ends : NULL,
                           .seeds = planting.seeds};
        lookFromGoal(&seeding);
        thTasks_ParallelFor(tasks, floor->graph.nodes.count, SEED_GRAIN, seedRange, &seeding);
        code = plantSeeds(floor, planting.seeds, goal->crowd, &growth->tree);
        if (code == th_resultOk) // so that nothing can fail when it is grown
            code = thiArrayReserve(&growth->ofBoxes, TH_MAX(floor->near.boxes.count, 1));
    }
    closePlanting(planner, &planting);
    growth->planted = code == th_resultOk;
    return code;
}

static void finish(const thRouteFloor* floor, thTreeGrowth* growth)
{
    growth->ofBoxes.count = floor->near.boxes.count;
    thiRouteNearLeast(&floor->near, TH_ITEMS(growth->tree.distance, double),
                      TH_ITEMS(growth->ofBoxes, double));
    growth->ready = true;
}

static thResult plantAtGoal(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                            const thRouteFloor* floor, thGoalTree* tree, thTreeGrowth* growth)
{
    thShapeRoom room;
    thRouteGoal goal;
    thResult code = th_resultNoMemory;
    if (thiLookUpGoal(&planner->memory, frame, floor->space, tree->goal, &room, &goal)) {
        goal.crowd = thiFindCrowd(planner, growth->round, tree->level);
        code = plant(planner, floor, &goal, tasks, growth);
    }
    thiFreeShapes(&planner->memory, &room);
    return code;
}

// Works on one tree; `budget` is what is left for this step.
static thResult grow(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                     thGoalTree* tree, thTreeGrowth* growth, int32_t* budget)
{
    const thRouteFloor* floor = thiFindRouteFloor(planner, tree->radiusClass, tree->level);
    if (!growth->planted) {
        if (growth->regrow == 0)
            growth->round = planner->round;
        TH_TRY(plantAtGoal(planner, frame, tasks, floor, tree, growth));
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

// The tree that agents go by, and when the crowd was counted since, the one that takes its place.
static thResult growTree(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                         thGoalTree* tree, int32_t* budget)
{
    if (isGrowing(&tree->now, *budget))
        TH_TRY(grow(planner, frame, tasks, tree, &tree->now, budget));
    if (!tree->now.ready || tree->now.round == planner->round || !isGrowing(&tree->next, *budget))
        return th_resultOk;
    TH_TRY(grow(planner, frame, tasks, tree, &tree->next, budget));
    if (tree->next.ready) {
        freeGrowth(&tree->now);
        tree->now = tree->next;
        tree->next = newGrowth(&planner->memory);
    }
    return th_resultOk;
}

// Another goal may have come into a slot.
thResult thiCheckTreeGoals(thGraphPlanner* planner, const thFrame* frame)
{
    if (planner->goalsRevision == frame->goalsRevision)
        return th_resultOk;
    planner->sameGoals = false;
    for (int32_t i = planner->trees.count - 1; i >= 0; --i) {
        thGoalTree* tree = &TH_ITEMS(planner->trees, thGoalTree)[i];
        uint32_t mark;
        TH_TRY(markOfGoal(planner, frame, tree->goal, &mark));
        if (mark == tree->goalMark)
            continue;
        thiFreeGoalTree(tree);
        planner->trees.count -= 1;
        memmove(tree, tree + 1, (size_t)(planner->trees.count - i) * sizeof *tree);
    }
    planner->goalsRevision = frame->goalsRevision;
    return th_resultOk;
}

thResult thiGrowGoalTrees(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                          int32_t* budget)
{
    for (int32_t i = 0; i < planner->trees.count; ++i) {
        thGoalTree* tree = &TH_ITEMS(planner->trees, thGoalTree)[i];
        TH_TRY(growTree(planner, frame, tasks, tree, budget));
    }
    return th_resultOk;
}

thResult thiChooseGoalTrees(thGraphPlanner* planner, const thFrame* frame)
{
    dropTrees(planner);
    return addTrees(planner, frame);
}
