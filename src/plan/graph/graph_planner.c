// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Before the agents: which floors and trees they need, how crowded it is, and whose turn it is to
// plan. The crowd is counted in rounds. A new one begins when all trees have come up with the last,
// so that there are never trees of more than two.

#include "plan/graph/graph_planner.h"

#include "base/hash.h"
#include "geom/fixed.h"
#include "plan/graph/graph_planner_search.h"

#include <math.h>
#include <stdlib.h>

#define EFFORT_PER_STEP 14336.0
#define EFFORT_PER_AGENT 0.6 // if that is more: all else takes longer in large crowds, too
#define LEAST_EFFORT 8.0     // of a plan, for fear of the next ones
#define MEMORY 16.0          // plans that the mean effort of one forgets over
#define NODES_PER_STEP 6144  // that trees grow, and that are looked at for their roots
#define NEEDS_EVERY 8        // steps from one count of who heads where to the next

int32_t thiRouteClass(float radius)
{
    const float classes = radius / TH_ROUTE_CLASS;
    const int32_t whole = (int32_t)classes;
    return (float)whole < classes ? whole + 1 : whole;
}

thResult thiCreateGraphPlanner(const thMethodHost* host, const thGraphPlannerDef* def,
                               thGraphPlanner** planner)
{
    thMemory memory;
    thiMemoryInit(&memory, &host->allocator, 0);
    *planner = thiAllocateZero(&memory, sizeof **planner);
    thRouteCounts* counts = thiAllocateZero(&memory, sizeof *counts);
    if (*planner == NULL || counts == NULL) {
        thiRelease(&memory, *planner, sizeof **planner);
        thiRelease(&memory, counts, sizeof *counts);
        *planner = NULL;
        return th_resultNoMemory;
    }
    thGraphPlanner* made = *planner;
    thiMemoryInit(&made->memory, &host->allocator, 0);
    made->def = *def;
    made->profile = host->profile;
    made->simd = (thSimd)host->simd;
    made->floors = thiArray(&made->memory, sizeof(thRouteFloor));
    made->formerFloors = thiArray(&made->memory, sizeof(thRouteFloor));
    made->trees = thiArray(&made->memory, sizeof(thGoalTree));
    made->needs = thiArray(&made->memory, sizeof(thRouteNeed));
    made->needTable = thiArray(&made->memory, sizeof(int32_t));
    made->spares = thiArray(&made->memory, sizeof(thTreeGrowth));
    made->seeds = thiArray(&made->memory, sizeof(thRouteSeed));
    made->ends = thiArray(&made->memory, sizeof(thRouteEnd));
    made->walk = thiArray(&made->memory, 1);
    for (int32_t i = 0; i < 2; ++i)
        made->crowds[i] = thiArray(&made->memory, sizeof(thCrowdMap));
    made->counts = counts;
    made->turns = 1;
    return th_resultOk;
}

static void freeFloor(thRouteFloor* floor)
{
    thiDestroyRouteSpace(floor->space);
    floor->space = NULL;
    thiRouteGraphFree(&floor->graph);
    thiRouteNearFree(&floor->near);
    thiRouteLandmarksFree(&floor->landmarks);
}

static void freeFloors(thArray* floors)
{
    for (int32_t i = 0; i < floors->count; ++i)
        freeFloor(&TH_ITEMS(*floors, thRouteFloor)[i]);
    floors->count = 0;
}

const thCrowdMap* thiFindCrowd(const thGraphPlanner* planner, uint32_t round, int32_t level)
{
    const thArray* crowds = &planner->crowds[round & 1];
    for (int32_t i = 0; i < crowds->count; ++i)
        if (TH_ITEMS(*crowds, thCrowdMap)[i].level == level)
            return &TH_ITEMS(*crowds, thCrowdMap)[i];
    return NULL;
}

static void freeCrowds(thGraphPlanner* planner, uint32_t round)
{
    thArray* crowds = &planner->crowds[round & 1];
    for (int32_t i = 0; i < crowds->count; ++i)
        thiCrowdMapFree(&TH_ITEMS(*crowds, thCrowdMap)[i]);
    crowds->count = 0;
}

void thiDestroyGraphPlanner(thGraphPlanner* planner)
{
    if (planner == NULL)
        return;
    freeFloors(&planner->floors);
    freeFloors(&planner->formerFloors);
    for (int32_t i = 0; i < planner->trees.count; ++i)
        thiFreeGoalTree(&TH_ITEMS(planner->trees, thGoalTree)[i]);
    thiFreeSpareTrees(planner);
    for (uint32_t round = 0; round < 2; ++round) {
        freeCrowds(planner, round);
        thiArrayFree(&planner->crowds[round]);
    }
    thiArrayFree(&planner->floors);
    thiArrayFree(&planner->formerFloors);
    thiArrayFree(&planner->trees);
    thiArrayFree(&planner->needs);
    thiArrayFree(&planner->needTable);
    thiArrayFree(&planner->spares);
    thiArrayFree(&planner->seeds);
    thiArrayFree(&planner->ends);
    thiArrayFree(&planner->walk);
    thMemory memory;
    thiMemoryInit(&memory, &planner->memory.allocator, 0);
    thiRelease(&memory, planner->counts, sizeof *planner->counts);
    thiRelease(&memory, planner, sizeof *planner);
}

static int compare(int32_t a, int32_t b)
{
    return (a > b) - (a < b);
}

// The first of a sorted array's items that is not before a key.
static int32_t placeByKey(const thArray* items, int32_t keys, const int32_t* key)
{
    int32_t low = 0, high = items->count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        const int32_t* item =
            (const int32_t*)((const char*)items->data + (size_t)middle * (size_t)items->itemSize);
        int order = 0;
        for (int32_t i = 0; i < keys && order == 0; ++i)
            order = compare(item[i], key[i]);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void* thiInsertByKey(thArray* items, int32_t keys, const int32_t* key)
{
    const int32_t place = placeByKey(items, keys, key);
    if (thiArrayAdd(items, 1) == NULL)
        return NULL;
    const size_t size = (size_t)items->itemSize;
    char* item = (char*)items->data + (size_t)place * size;
    memmove(item + size, item, (size_t)(items->count - 1 - place) * size);
    return item;
}

static thRouteFloor* findFloor(const thArray* floors, int32_t radiusClass, int32_t level)
{
    const int32_t key[2] = {radiusClass, level};
    const int32_t place = placeByKey(floors, 2, key);
    if (place == floors->count)
        return NULL;
    thRouteFloor* floor = &TH_ITEMS(*floors, thRouteFloor)[place];
    return floor->radiusClass == radiusClass && floor->level == level ? floor : NULL;
}

bool thiHasRouteFloor(const thGraphPlanner* planner, int32_t radiusClass, int32_t level)
{
    return findFloor(&planner->floors, radiusClass, level) != NULL;
}

thRouteFloor* thiFindRouteFloor(const thGraphPlanner* planner, int32_t radiusClass, int32_t level)
{
    thRouteFloor* floor = findFloor(&planner->floors, radiusClass, level);
    return floor != NULL && floor->space != NULL ? floor : NULL;
}

thGoalTree* thiFindGoalTree(const thGraphPlanner* planner, int32_t radiusClass, int32_t level,
                            int32_t goal)
{
    const int32_t key[3] = {radiusClass, level, goal};
    const int32_t place = placeByKey(&planner->trees, 3, key);
    if (place == planner->trees.count)
        return NULL;
    thGoalTree* tree = &TH_ITEMS(planner->trees, thGoalTree)[place];
    return tree->radiusClass == radiusClass && tree->level == level && tree->goal == goal ? tree
                                                                                          : NULL;
}

bool thiLookUpGoal(thMemory* memory, const thFrame* frame, const thRouteSpace* space, int32_t goal,
                   thShapeRoom* room, thRouteGoal* result)
{
    room->many = NULL;
    room->size = 0;
    const int32_t count = thFrame_GetGoalShapes(frame, goal, room->few, TH_SHAPES);
    *result =
        (thRouteGoal){.frame = frame, .space = space, .shapes = room->few, .shapeCount = count};
    if (count <= TH_SHAPES)
        return true;
    room->size = (size_t)count * sizeof(thGoalShape);
    room->many = thiAllocate(memory, room->size);
    if (room->many == NULL)
        return false;
    result->shapes = room->many;
    return thFrame_GetGoalShapes(frame, goal, room->many, count) == count;
}

void thiFreeShapes(thMemory* memory, thShapeRoom* room)
{
    thiRelease(memory, room->many, room->size);
}

static thResult makeFloor(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                          thRouteFloor* floor)
{
    const float radius = (float)floor->radiusClass * TH_ROUTE_CLASS;
    TH_TRY(thiCreateRouteSpace(&planner->memory, frame, floor->level, radius, &floor->space));
    thiSetRouteSimd(floor->space, planner->simd);
    const thRouteFloor* old = findFloor(&planner->formerFloors, floor->radiusClass, floor->level);
    const bool isKnown = old != NULL && old->space != NULL;
    const thFormerGraph former = {isKnown ? old->space : NULL, isKnown ? &old->graph : NULL};
    TH_TRY(planner->def.makeGraph(planner->def.params, frame, floor->level, floor->space, tasks,
                                  isKnown ? &former : NULL, &floor->graph));
    TH_TRY(thiRouteNearBuild(&floor->near, &floor->graph));
    // Where paths bend round corners the straight distance says enough.
    return floor->graph.turns.count == 0 ? thiFindLandmarks(&floor->landmarks, &floor->graph)
                                         : th_resultOk;
}

thResult thiAddRouteFloor(thGraphPlanner* planner, int32_t radiusClass, int32_t level)
{
    const int32_t key[2] = {radiusClass, level};
    thRouteFloor* floor = thiInsertByKey(&planner->floors, 2, key);
    if (floor == NULL)
        return th_resultNoMemory;
    *floor = (thRouteFloor){.radiusClass = radiusClass,
                            .level = level,
                            .graph = thiRouteGraph(&planner->memory),
                            .near = thiRouteNear(&planner->memory),
                            .landmarks = thiRouteLandmarks(&planner->memory)};
    return th_resultOk;
}

static uint32_t markOfSources(const thWalls* walls, uint32_t otherMark)
{
    uint64_t hash = otherMark;
    for (int32_t i = 0; i < walls->count; ++i) {
        hash = thiHashWord(hash, (uint64_t)(uint32_t)walls->ax[i] << 32 | (uint32_t)walls->ay[i]);
        hash = thiHashWord(hash, (uint64_t)(uint32_t)walls->bx[i] << 32 | (uint32_t)walls->by[i]);
        hash = thiHashWord(hash, (uint64_t)walls->level[i] << 32 | walls->oneSided[i]);
    }
    return (uint32_t)hash | 1u; // never that of nothing seen yet
}

// What was made from something else is of use only to those who make it anew. True if there was
// something new.
static bool lookAtSources(thGraphPlanner* planner, const thFrame* frame, uint32_t otherMark)
{
    if (planner->wallsRevision == frame->wallsRevision && planner->otherMark == otherMark)
        return false;
    planner->wallsRevision = frame->wallsRevision;
    planner->otherMark = otherMark;
    const uint32_t mark = markOfSources(frame->walls, otherMark);
    if (mark == planner->mark)
        return false;
    planner->mark = mark;
    freeFloors(&planner->formerFloors);
    const thArray former = planner->floors;
    planner->floors = planner->formerFloors;
    planner->formerFloors = former;
    for (int32_t i = 0; i < planner->trees.count; ++i)
        thiResetGoalTree(&TH_ITEMS(planner->trees, thGoalTree)[i]);
    return true;
}

static int byNeed(const void* left, const void* right)
{
    const thRouteNeed *a = left, *b = right;
    const int byClass = compare(a->radiusClass, b->radiusClass);
    const int byLevel = compare(a->level, b->level);
    return byClass != 0 ? byClass : byLevel != 0 ? byLevel : compare(a->goal, b->goal);
}

// Where a need is in the table, or the empty place where it belongs.
static int32_t placeOfNeed(const thGraphPlanner* planner, const thRouteNeed* need)
{
    const int32_t* table = TH_ITEMS(planner->needTable, int32_t);
    const uint32_t mask = (uint32_t)planner->needTable.count - 1;
    const uint64_t key = (uint64_t)(uint32_t)need->goal << 32 | (uint32_t)need->level << 16 |
                         (uint32_t)need->radiusClass;
    for (uint32_t place = (uint32_t)thiMix(key) & mask;; place = (place + 1) & mask)
        if (table[place] == 0 ||
            byNeed(&TH_ITEMS(planner->needs, thRouteNeed)[table[place] - 1], need) == 0)
            return (int32_t)place;
}

// Makes the table of needs larger, and fills it again.
static thResult growTable(thGraphPlanner* planner)
{
    const int32_t size = TH_MAX(2 * planner->needTable.count, 64);
    planner->needTable.count = 0;
    int32_t* table = thiArrayAdd(&planner->needTable, size);
    if (table == NULL)
        return th_resultNoMemory;
    memset(table, 0, (size_t)size * sizeof *table);
    for (int32_t i = 0; i < planner->needs.count; ++i)
        table[placeOfNeed(planner, &TH_ITEMS(planner->needs, thRouteNeed)[i])] = i + 1;
    return th_resultOk;
}

static thResult addNeed(thGraphPlanner* planner, const thRouteNeed* need)
{
    if (2 * planner->needs.count >= planner->needTable.count)
        TH_TRY(growTable(planner));
    int32_t* entry = &TH_ITEMS(planner->needTable, int32_t)[placeOfNeed(planner, need)];
    if (*entry == 0) {
        thRouteNeed* item = thiArrayAdd(&planner->needs, 1);
        if (item == NULL)
            return th_resultNoMemory;
        *item = *need;
        *entry = planner->needs.count;
    } else {
        TH_ITEMS(planner->needs, thRouteNeed)[*entry - 1].users += 1;
    }
    return th_resultOk;
}

// Whether a need asks for a tree, keeps one or asks for a floor. Most goals of a crowd that walks
// about do not, and are not worth sorting.
static bool isOfUse(const thGraphPlanner* planner, const thRouteNeed* need)
{
    return need->users >= TH_SHARES_FROM ||
           !thiHasRouteFloor(planner, need->radiusClass, need->level) ||
           thiFindGoalTree(planner, need->radiusClass, need->level, need->goal) != NULL;
}

static void keepUseful(thGraphPlanner* planner)
{
    thRouteNeed* needs = TH_ITEMS(planner->needs, thRouteNeed);
    int32_t kept = 0;
    for (int32_t i = 0; i < planner->needs.count; ++i)
        if (isOfUse(planner, &needs[i]))
            needs[kept++] = needs[i];
    planner->needs.count = kept;
}

// Who heads where.
static thResult countNeeds(thGraphPlanner* planner, const thFrame* frame)
{
    planner->needs.count = 0;
    if (planner->needTable.count > 0)
        memset(planner->needTable.data, 0, (size_t)planner->needTable.count * sizeof(int32_t));
    planner->agents = 0;
    for (int32_t row = 0; row < frame->count; ++row) {
        if (frame->profile[row] != planner->profile || frame->goal[row] < 0 ||
            (frame->flags[row] & th_agentExternal) != 0)
            continue;
        const thRouteNeed need = {thiRouteClass(frame->radius[row]), frame->level[row],
                                  thFrame_CurrentGoal(frame, row), 1};
        TH_TRY(addNeed(planner, &need));
        planner->agents += 1;
    }
    keepUseful(planner);
    if (planner->needs.count > 1)
        qsort(planner->needs.data, (size_t)planner->needs.count, sizeof(thRouteNeed), byNeed);
    return th_resultOk;
}

// Whether to look what floors and trees are needed. That changes seldom.
static bool isTimeToCount(thGraphPlanner* planner, const thFrame* frame)
{
    const bool isLost = atomic_exchange(&planner->counts->lost, 0) > 0;
    const int64_t asked = planner->counts->asked[1];
    const bool maySwarm = asked >= planner->searchers + TH_SHARES_FROM;
    planner->searchers = asked;
    return isLost || maySwarm || planner->floors.count == 0 || planner->rows != frame->count ||
           frame->step % NEEDS_EVERY == 0;
}

static thResult tendNeeds(thGraphPlanner* planner, const thFrame* frame)
{
    planner->rows = frame->count;
    TH_TRY(countNeeds(planner, frame));
    for (int32_t i = 0; i < planner->needs.count; ++i) {
        const thRouteNeed* need = &TH_ITEMS(planner->needs, thRouteNeed)[i];
        if (!thiHasRouteFloor(planner, need->radiusClass, need->level))
            TH_TRY(thiAddRouteFloor(planner, need->radiusClass, need->level));
    }
    return thiChooseGoalTrees(planner, frame);
}

// What a plan without a tree takes is not known at first; so it is taken for as much as all nodes.
static thResult makeFloors(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks)
{
    for (int32_t i = 0; i < planner->floors.count; ++i) {
        thRouteFloor* floor = &TH_ITEMS(planner->floors, thRouteFloor)[i];
        if (floor->space != NULL)
            continue;
        floor->mark = thiMarkOfFloor(planner, floor->radiusClass, floor->level);
        const thResult code = makeFloor(planner, frame, tasks, floor);
        if (code != th_resultOk) {
            freeFloor(floor);
            return code;
        }
    }
    freeFloors(&planner->formerFloors);
    if (planner->meanEffort[1] == 0.0 && planner->floors.count > 0)
        planner->meanEffort[1] = TH_ITEMS(planner->floors, thRouteFloor)[0].graph.nodes.count + 1.0;
    return th_resultOk;
}

// How many steps those who ask take turns over: as many as keep a step's effort within bounds.
static void takeTurns(thGraphPlanner* planner)
{
    double most = 0.0, wanted = 0.0;
    for (int32_t i = 0; i < 2; ++i) {
        const int64_t asked = atomic_exchange(&planner->counts->asked[i], 0);
        const int64_t served = atomic_exchange(&planner->counts->served[i], 0);
        const int64_t effort = atomic_exchange(&planner->counts->effort[i], 0);
        double* mean = &planner->meanEffort[i];
        *mean = (MEMORY * *mean + (double)effort) / (MEMORY + (double)served);
        const double each = TH_MAX(*mean, LEAST_EFFORT);
        most = TH_MAX(most, each);
        wanted += each * (double)asked;
    }
    // Where all may plan at once, nobody needs to ask beforehand.
    const double agents = (double)planner->agents;
    const double effort = TH_MAX(EFFORT_PER_STEP, EFFORT_PER_AGENT * agents);
    planner->mustAsk = agents * most > effort;
    planner->turns = (int32_t)TH_MIN(wanted / effort + 1.0, 1e6);
}

static bool isDue(const thGraphPlanner* planner, const thFrame* frame)
{
    if (planner->round > 0 && frame->step - planner->countedAt < (uint64_t)planner->def.refresh)
        return false;
    for (int32_t i = 0; i < planner->trees.count; ++i) {
        const thTreeGrowth* now = &TH_ITEMS(planner->trees, thGoalTree)[i].now;
        const bool isBehind = !now->ready || now->round != planner->round;
        if ((now->planted || now->regrow > 0) && isBehind)
            return false;
    }
    return true;
}

static thResult countFloors(thGraphPlanner* planner, const thFrame* frame)
{
    thArray* crowds = &planner->crowds[planner->round & 1];
    for (int32_t i = 0; i < planner->floors.count; ++i) {
        const int32_t level = TH_ITEMS(planner->floors, thRouteFloor)[i].level;
        if (thiFindCrowd(planner, planner->round, level) != NULL)
            continue;
        thCrowdMap* map = thiArrayAdd(crowds, 1);
        if (map == NULL)
            return th_resultNoMemory;
        TH_TRY(thiCountCrowd(&planner->memory, frame, level, planner->def.crowding, map));
    }
    return th_resultOk;
}

// Counts the crowd if that is due.
static thResult tendCrowd(thGraphPlanner* planner, const thFrame* frame)
{
    if (planner->def.crowding == 0.0f || !isDue(planner, frame))
        return th_resultOk;
    const uint64_t countedAt = planner->countedAt;
    planner->round += 1;
    planner->countedAt = frame->step;
    freeCrowds(planner, planner->round);
    const thResult code = countFloors(planner, frame);
    if (code != th_resultOk) {
        freeCrowds(planner, planner->round);
        planner->round -= 1;
        planner->countedAt = countedAt;
    }
    return code;
}

// Begins with a step, or goes on with one that failed: what its agents counted is of no use.
static thPrepared* beginStep(thGraphPlanner* planner, const thFrame* frame)
{
    thPrepared* prepared = &planner->prepared;
    if (prepared->step != frame->step + 1) {
        *prepared = (thPrepared){.step = frame->step + 1, .nodes = NODES_PER_STEP};
        planner->sameGoals = true;
    } else if (prepared->isDone) {
        thRouteCounts* counts = planner->counts;
        for (int32_t i = 0; i < 2; ++i)
            counts->asked[i] = counts->served[i] = counts->effort[i] = 0;
        counts->lost = 0;
    }
    return prepared;
}

thResult thiPrepareGraphPlanner(thGraphPlanner* planner, const thFrame* frame, const thTasks* tasks,
                                uint32_t otherMark)
{
    thPrepared* prepared = beginStep(planner, frame);
    if (lookAtSources(planner, frame, otherMark) || planner->rows != frame->count)
        prepared->mustCount = true;
    TH_TRY(thiCheckTreeGoals(planner, frame));
    if (!prepared->hasAsked && isTimeToCount(planner, frame))
        prepared->mustCount = true;
    prepared->hasAsked = true;
    if (prepared->mustCount)
        TH_TRY(tendNeeds(planner, frame));
    prepared->mustCount = false;
    TH_TRY(makeFloors(planner, frame, tasks));
    int32_t none = 0;
    TH_TRY(thiGrowGoalTrees(planner, frame, tasks, &none)); // back to where they were when saved
    if (!prepared->hasCrowd)
        TH_TRY(tendCrowd(planner, frame));
    prepared->hasCrowd = true;
    if (prepared->isDone)
        return th_resultOk;
    TH_TRY(thiGrowGoalTrees(planner, frame, tasks, &prepared->nodes));
    takeTurns(planner);
    prepared->isDone = true;
    return th_resultOk;
}
