// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Trees of shortest ways: for goals that several agents head for, as much work on them as a step
// may take.

#include "plan/graph_planner_internal.h"

#include <math.h>
#include <string.h>

#define NODES_PER_STEP 6144 // that trees grow, and that are looked at for their roots
#define SEED_GRAIN 64

void thiFreeGoalTree(thGoalTree* tree)
{
    thiRouteTreeFree(&tree->tree);
    thiArrayFree(&tree->ofBoxes);
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

static thResult addTrees(thGraphPlanner* planner)
{
    for (int32_t i = 0; i < planner->needs.count; ++i) {
        const thRouteNeed* need = &TH_ITEMS(planner->needs, thRouteNeed)[i];
        if (need->users < TH_SHARES_FROM || planner->trees.count >= planner->def.maxTrees ||
            thiFindGoalTree(planner, need->radiusClass, need->level, need->goal) != NULL)
            continue;
        const int32_t key[3] = {need->radiusClass, need->level, need->goal};
        thGoalTree* tree = thiInsertItem(&planner->trees, thiPlaceByKey(&planner->trees, 3, key));
        if (tree == NULL)
            return th_resultNoMemory;
        *tree = (thGoalTree){.radiusClass = need->radiusClass,
                             .level = need->level,
                             .goal = need->goal,
                             .users = need->users,
                             .tree = thiRouteTree(&planner->memory),
                             .ofBoxes = thiArray(&planner->memory, sizeof(double))};
    }
    return th_resultOk;
}

// Which nodes the goal is reached from, and how far it is from there.
typedef struct Seeding {
    const thRouteField* field;
    const thRouteGoal* goal;
    const thRouteEnd* ends; // NULL: from wherever it is seen
    double* lengths;        // infinite: it is not
} Seeding;

static void seedRange(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Seeding* seeding = context;
    for (int32_t i = begin; i < end; ++i) {
        const thRouteNode* node = &TH_ITEMS(seeding->field->graph.nodes, thRouteNode)[i];
        thRouteAim aim;
        if (seeding->ends != NULL)
            (void)thiIsRouteEnd(seeding->field, seeding->goal, seeding->ends, i,
                                &seeding->lengths[i]);
        else
            seeding->lengths[i] =
                thiAimAtGoal(seeding->goal, node->place, node->x, node->y, 0.0f, &aim) ? aim.length
                                                                                       : INFINITY;
    }
}

static thResult plantFromLengths(const thRouteField* field, const double* lengths,
                                 thRouteSeed* seeds, thGoalTree* tree)
{
    int32_t seedCount = 0;
    for (int32_t i = 0; i < field->graph.nodes.count; ++i)
        if (lengths[i] < INFINITY)
            seeds[seedCount++] = (thRouteSeed){i, lengths[i]};
    return thiPlantRouteTree(&field->graph, seeds, seedCount, &tree->tree);
}

// Memory of a tree that is planted.
typedef struct Planting {
    double* lengths;
    thRouteSeed* seeds;
    thRouteEnd* ends;
    void* walk;
    size_t lengthsSize, seedsSize, endsSize, walkSize;
} Planting;

static bool openPlanting(thGraphPlanner* planner, const thRouteField* field,
                         const thRouteGoal* goal, Planting* planting)
{
    const size_t count = (size_t)TH_MAX(field->graph.nodes.count, 1);
    planting->lengthsSize = count * sizeof *planting->lengths;
    planting->seedsSize = count * sizeof *planting->seeds;
    planting->endsSize = (size_t)goal->shapeCount * sizeof *planting->ends;
    planting->walkSize = TH_MAX(thiRouteWalkSize(&field->near), 1);
    planting->lengths = thiAllocate(&planner->memory, planting->lengthsSize);
    planting->seeds = thiAllocate(&planner->memory, planting->seedsSize);
    planting->ends = thiAllocate(&planner->memory, planting->endsSize);
    planting->walk = thiAllocate(&planner->memory, planting->walkSize);
    return planting->lengths != NULL && planting->seeds != NULL && planting->ends != NULL &&
           planting->walk != NULL;
}

static void closePlanting(thGraphPlanner* planner, const Planting* planting)
{
    thiRelease(&planner->memory, planting->lengths, planting->lengthsSize);
    thiRelease(&planner->memory, planting->seeds, planting->seedsSize);
    thiRelease(&planner->memory, planting->ends, planting->endsSize);
    thiRelease(&planner->memory, planting->walk, planting->walkSize);
}

static thResult plant(thGraphPlanner* planner, const thRouteField* field, const thRouteGoal* goal,
                      const thTasks* tasks, thGoalTree* tree)
{
    Planting planting;
    thResult code = th_resultNoMemory;
    if (openPlanting(planner, field, goal, &planting)) {
        const bool stays = planner->def.stays > 0.0;
        if (stays)
            thiFindRouteEnds(field, goal, planner->def.stays, planting.walk, planting.ends);
        Seeding seeding = {field, goal, stays ? planting.ends : NULL, planting.lengths};
        thTasks_ParallelFor(tasks, field->graph.nodes.count, SEED_GRAIN, seedRange, &seeding);
        code = plantFromLengths(field, planting.lengths, planting.seeds, tree);
    }
    closePlanting(planner, &planting);
    if (code != th_resultOk)
        return code;
    tree->planted = true;
    tree->goalMark = thiRouteGoalMark(goal);
    return th_resultOk;
}

static thResult finishTree(const thRouteField* field, thGoalTree* tree)
{
    tree->ofBoxes.count = 0;
    double* ofBoxes = thiArrayAdd(&tree->ofBoxes, field->near.boxes.count);
    if (ofBoxes == NULL)
        return th_resultNoMemory;
    thiRouteNearLeast(&field->near, TH_ITEMS(tree->tree.distance, double), ofBoxes);
    tree->ready = true;
    return th_resultOk;
}

// Works on one tree; `budget` is what is left for this step.
static thResult growTree(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                         thGoalTree* tree, int32_t* budget)
{
    const thRouteField* field = thiFindRouteField(planner, tree->radiusClass, tree->level);
    if (!tree->planted) {
        thShapeRoom room;
        thRouteGoal goal;
        thResult code = th_resultNoMemory;
        if (thiLookUpGoal(&planner->memory, frame, field->space, tree->goal, &room, &goal))
            code = plant(planner, field, &goal, tasks, tree);
        thiFreeShapes(&planner->memory, &room);
        TH_TRY(code);
        *budget -= tree->regrow > 0 ? 0 : field->graph.nodes.count;
    }
    bool done = false;
    if (tree->regrow > 0) { // what was done before it was saved
        done = thiGrowRouteTree(&field->graph, tree->regrow - 1, &tree->tree);
        tree->regrow = 0;
    } else if (*budget > 0) {
        const int32_t before = tree->tree.settled;
        done = thiGrowRouteTree(&field->graph, *budget, &tree->tree);
        *budget -= tree->tree.settled - before;
    }
    return done ? finishTree(field, tree) : th_resultOk;
}

// A goal may have gone, and another come into its slot.
static thResult checkGoals(thGraphPlanner* planner, const thFrame* frame)
{
    if (planner->goalsRevision == frame->goalsRevision)
        return th_resultOk;
    planner->goalsRevision = frame->goalsRevision;
    for (int32_t i = 0; i < planner->trees.count; ++i) {
        thGoalTree* tree = &TH_ITEMS(planner->trees, thGoalTree)[i];
        thShapeRoom room;
        thRouteGoal goal;
        const bool known = thiLookUpGoal(&planner->memory, frame, NULL, tree->goal, &room, &goal);
        const bool same = known && tree->goalMark == thiRouteGoalMark(&goal);
        thiFreeShapes(&planner->memory, &room);
        if (!known)
            return th_resultNoMemory;
        if (!same) {
            tree->planted = tree->ready = false;
            tree->regrow = 0;
        }
    }
    return th_resultOk;
}

static thResult growTrees(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks)
{
    int32_t budget = NODES_PER_STEP;
    for (int32_t i = 0; i < planner->trees.count; ++i) {
        thGoalTree* tree = &TH_ITEMS(planner->trees, thGoalTree)[i];
        if (tree->regrow > 0 || (!tree->ready && budget > 0))
            TH_TRY(growTree(planner, frame, tasks, tree, &budget));
    }
    return th_resultOk;
}

thResult thiTendGoalTrees(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks)
{
    dropTrees(planner);
    TH_TRY(checkGoals(planner, frame));
    TH_TRY(addTrees(planner));
    return growTrees(planner, frame, tasks);
}
