// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Who is near whom, once a step for everybody, and the clumps of all who hang together.
//
// Thresholds are the largest of all profiles, so whatever group somebody perceives, by its own
// thresholds and among those whom it sees, is part of one clump.

#include "geom/fixed.h"
#include "geom/vec2.h"
#include "group/meso/meso.h"
#include "space/agents_near.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

// What floats may be wrong by. [m]
#define SLACK 0.001f

// Rows and clumps that one task looks at.
#define ROW_GRAIN 256
#define CLUMP_GRAIN 64

// Rows near each other that look at the same ranges; how many ranges these are at most; how far
// apart they are at most, in distances between fellows.
#define BLOCK_ROWS 32
#define BLOCK_RANGES 32
#define BLOCK_WIDTH 3

// Links of a task that wait for their place.
#define WAITING 2048

// Up to so many rows are sorted one by one.
#define FEW 64

static thMesoFindLinksFcn* const findLinks[th_simdCount] = TH_KERNEL_TABLE(thiMesoFindLinks);
static thMesoFindAroundFcn* const findAround[th_simdCount] = TH_KERNEL_TABLE(thiMesoFindAround);
static thMesoFindNearestFcn* const findNearest[th_simdCount] = TH_KERNEL_TABLE(thiMesoFindNearest);
static thMesoFindOutermostFcn* const findOutermost[th_simdCount] =
    TH_KERNEL_TABLE(thiMesoFindOutermost);
static thMesoLeastAlongFcn* const leastAlong[th_simdCount] = TH_KERNEL_TABLE(thiMesoLeastAlong);
static thMesoFindStraysFcn* const findStrays[th_simdCount] = TH_KERNEL_TABLE(thiMesoFindStrays);
static thMesoListClumpsFcn* const listClumps[th_simdCount] = TH_KERNEL_TABLE(thiMesoListClumps);
static thMesoLookAtDiscsFcn* const lookAtDiscs[th_simdCount] = TH_KERNEL_TABLE(thiMesoLookAtDiscs);

thResult thiMesoCreateGraph(const thMethodHost* host, void** common)
{
    thMesoGraph* graph =
        host->allocator.allocate(host->allocator.context, sizeof *graph, TH_ALIGNMENT);
    if (graph == NULL)
        return th_resultNoMemory;
    *graph = (thMesoGraph){.near = 0.0f};
    thMemory* memory = &graph->memory;
    thiMemoryInit(memory, &host->allocator, 0);
    const thSimd simd = thSimd_Resolve((thSimd)host->simd);
    graph->kernels =
        (thMesoKernels){findLinks[simd],  findAround[simd],  findNearest[simd], findOutermost[simd],
                        leastAlong[simd], lookAtDiscs[simd], findStrays[simd],  listClumps[simd]};
    graph->firstLink = thiArray(memory, sizeof(int32_t));
    graph->linkCount = thiArray(memory, sizeof(int32_t));
    graph->links = thiArray(memory, sizeof(int32_t));
    graph->gap = thiArray(memory, sizeof(float));
    graph->nearest = thiArray(memory, sizeof(int32_t));
    graph->octants = thiArray(memory, sizeof(int32_t));
    graph->parent = thiArray(memory, sizeof(int32_t));
    graph->clump = thiArray(memory, sizeof(int32_t));
    graph->place = thiArray(memory, sizeof(int32_t));
    graph->clumps = thiArray(memory, sizeof(thMesoClump));
    graph->members = thiArray(memory, sizeof(int32_t));
    graph->px = thiArray(memory, sizeof(int32_t));
    graph->py = thiArray(memory, sizeof(int32_t));
    graph->radius = thiArray(memory, sizeof(float));
    *common = graph;
    return th_resultOk;
}

void thiMesoDestroyGraph(void* common)
{
    thMesoGraph* graph = common;
    thiArrayFree(&graph->firstLink);
    thiArrayFree(&graph->linkCount);
    thiArrayFree(&graph->links);
    thiArrayFree(&graph->gap);
    thiArrayFree(&graph->nearest);
    thiArrayFree(&graph->octants);
    thiArrayFree(&graph->parent);
    thiArrayFree(&graph->clump);
    thiArrayFree(&graph->place);
    thiArrayFree(&graph->clumps);
    thiArrayFree(&graph->members);
    thiArrayFree(&graph->px);
    thiArrayFree(&graph->py);
    thiArrayFree(&graph->radius);
    const thAllocator allocator = graph->memory.allocator;
    allocator.release(allocator.context, graph, sizeof *graph, TH_ALIGNMENT);
}

// The largest thresholds of all profiles.
static thMesoDef largestOf(const thMethodUser* users, int32_t userCount)
{
    thMesoDef all = {.radius = 0.0f};
    for (int32_t i = 0; i < userCount; ++i) {
        const thMesoDef* def = users[i].params;
        if (!thiMesoIsOn(def))
            continue;
        all.radius = TH_MAX(all.radius, def->radius);
        all.near = TH_MAX(all.near, def->near);
        all.velocity = TH_MAX(all.velocity, def->velocity);
    }
    return all;
}

static float largestBody(const thFrame* frame)
{
    float largest = 0.0f;
    for (int32_t row = 0; row < frame->count; ++row)
        if (frame->radius[row] <= TH_MESO_LARGEST)
            largest = TH_MAX(largest, frame->radius[row]);
    return largest;
}

static void lookOver(thMesoGraph* graph, const thFrame* frame)
{
    uint32_t differ = 0, layers = UINT32_MAX;
    for (int32_t row = 0; row < frame->count; ++row) {
        differ |= (uint32_t)(frame->level[row] ^ frame->level[0]) |
                  (~frame->flags[row] & (uint32_t)th_agentAlive) |
                  (frame->radius[row] > TH_MESO_LARGEST);
        layers &= frame->layers[row];
    }
    graph->isPlain = differ == 0;
    graph->commonLayers = layers;
}

// What tasks share that look for links.
typedef struct LinkSearch {
    const thFrame* frame;
    thMesoGraph* graph;
    float distance;       // between fellows, at most [m]
    _Atomic int64_t used; // links, whether there is room or not
} LinkSearch;

// Rows near each other, where their fellows are, and links that wait.
typedef struct LinkBlock {
    LinkSearch* all;
    int32_t rangeCount, candidates;
    thMesoRange ranges[BLOCK_RANGES];
    int32_t firstRow; // of those whose links wait
    int32_t count;
    int32_t waiting[WAITING + TH_MAX_WIDTH];
} LinkBlock;

static void addRange(void* context, int32_t begin, int32_t end)
{
    LinkBlock* block = context;
    if (block->rangeCount == BLOCK_RANGES) {
        thMesoRange* last = &block->ranges[BLOCK_RANGES - 1];
        block->candidates += end - last->end;
        last->end = end;
        return;
    }
    block->candidates += end - begin;
    block->ranges[block->rangeCount++] = (thMesoRange){begin, end};
}

// Finds where the fellows of the rows from `begin` on are. Returns the row after the last of them.
static int32_t startBlock(LinkBlock* block, int32_t begin, int32_t end)
{
    const thFrame* frame = block->all->frame;
    const int64_t reach = (int64_t)(block->all->distance * (float)THRONG_UNITS_PER_METRE) + 1;
    int64_t lowX = frame->px[begin], lowY = frame->py[begin], highX = lowX, highY = lowY;
    int32_t row = begin + 1;
    for (; row < end && row < begin + BLOCK_ROWS && frame->level[row] == frame->level[begin];
         ++row) {
        const int64_t x = frame->px[row], y = frame->py[row];
        const int64_t toX = TH_MAX(highX, x) - TH_MIN(lowX, x);
        const int64_t toY = TH_MAX(highY, y) - TH_MIN(lowY, y);
        if (toX > BLOCK_WIDTH * reach || toY > BLOCK_WIDTH * reach)
            break;
        lowX = TH_MIN(lowX, x);
        lowY = TH_MIN(lowY, y);
        highX = TH_MAX(highX, x);
        highY = TH_MAX(highY, y);
    }
    block->rangeCount = block->candidates = 0;
    thiVisitBox(frame, frame->level[begin], lowX - reach, lowY - reach, highX + reach,
                highY + reach, addRange, block);
    return row;
}

// Gives links that wait their place, where there is room.
static void placeLinks(LinkBlock* block, int32_t endRow, const int32_t* links, int32_t count)
{
    thMesoGraph* graph = block->all->graph;
    const int64_t at = atomic_fetch_add_explicit(&block->all->used, count, memory_order_relaxed);
    const bool fits = at + count <= graph->links.capacity;
    int32_t next = fits ? (int32_t)at : 0;
    for (int32_t row = block->firstRow; row < endRow; ++row) {
        TH_ITEMS(graph->firstLink, int32_t)[row] = next;
        next += fits ? TH_ITEMS(graph->linkCount, int32_t)[row] : 0;
    }
    if (fits && count > 0)
        memcpy(TH_ITEMS(graph->links, int32_t) + at, links, (size_t)count * sizeof *links);
    block->firstRow = endRow;
    block->count = 0;
}

// Looks for the fellows of one row. Where those who may be are more than can wait, room is taken
// for all of them.
static void linkRow(LinkBlock* block, int32_t row)
{
    thMesoGraph* graph = block->all->graph;
    if (block->count + block->candidates > WAITING)
        placeLinks(block, row, block->waiting, block->count);
    thMesoLinkTask task = {.frame = block->all->frame,
                           .near = graph->near,
                           .velocity = graph->velocity,
                           .isPlain = graph->isPlain,
                           .row = row,
                           .ranges = block->ranges,
                           .rangeCount = block->rangeCount,
                           .links = block->waiting + block->count,
                           .gap = graph->near};
    int32_t count = 0;
    if (block->candidates <= WAITING) {
        count = graph->kernels.findLinks(&task);
        block->count += count;
    } else {
        const int64_t most = (int64_t)block->candidates + TH_MAX_WIDTH;
        const int64_t at = atomic_fetch_add_explicit(&block->all->used, most, memory_order_relaxed);
        if (at + most <= graph->links.capacity) {
            task.links = TH_ITEMS(graph->links, int32_t) + at;
            TH_ITEMS(graph->firstLink, int32_t)[row] = (int32_t)at;
            count = graph->kernels.findLinks(&task);
        }
        block->firstRow = row + 1;
    }
    TH_ITEMS(graph->linkCount, int32_t)[row] = count;
    TH_ITEMS(graph->gap, float)[row] = task.gap;
    TH_ITEMS(graph->nearest, int32_t)[row] = task.nearest;
    TH_ITEMS(graph->octants, int32_t)[row] = task.octants;
}

static void linkRows(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    LinkBlock block; // most of it starts undefined
    block.all = context;
    block.firstRow = begin;
    block.count = 0;
    for (int32_t row = begin; row < end;) {
        const int32_t next = startBlock(&block, row, end);
        for (; row < next; ++row)
            linkRow(&block, row);
    }
    placeLinks(&block, end, block.waiting, block.count);
}

static thResult findAllLinks(thMesoGraph* graph, const thFrame* frame, const thTasks* tasks)
{
    LinkSearch all = {.frame = frame, .graph = graph, .distance = graph->distance};
    for (;;) {
        atomic_store_explicit(&all.used, 0, memory_order_relaxed);
        thTasks_ParallelFor(tasks, frame->count, ROW_GRAIN, linkRows, &all);
        const int64_t used = atomic_load_explicit(&all.used, memory_order_relaxed);
        if (used <= graph->links.capacity)
            return th_resultOk;
        TH_TRY(thiArrayReserveAmply(&graph->links, used));
    }
}

// The least row that a row is joined to; ways get shorter.
static int32_t rootOf(int32_t* parent, int32_t row)
{
    while (parent[row] != row) {
        parent[row] = parent[parent[row]];
        row = parent[row];
    }
    return row;
}

static void joinRows(const thMesoGraph* graph, int32_t rowCount)
{
    int32_t* parent = TH_ITEMS(graph->parent, int32_t);
    for (int32_t row = 0; row < rowCount; ++row) {
        int32_t count, root = row;
        const int32_t* links = thiMesoLinksOf(graph, row, &count);
        parent[row] = row;
        for (int32_t k = 0; k < count; ++k) {
            if (links[k] > row)
                break; // they come later
            if (parent[links[k]] == root)
                continue;
            const int32_t other = rootOf(parent, links[k]);
            parent[TH_MAX(root, other)] = TH_MIN(root, other);
            root = TH_MIN(root, other);
        }
    }
}

// Numbers clumps in the order of their first rows, and gives their members room.
static thResult numberClumps(thMesoGraph* graph, int32_t rowCount)
{
    int32_t* parent = TH_ITEMS(graph->parent, int32_t);
    int32_t* clump = TH_ITEMS(graph->clump, int32_t);
    const int32_t* linkCount = TH_ITEMS(graph->linkCount, int32_t);
    int32_t total = 0;
    for (int32_t row = 0; row < rowCount; ++row) {
        const int32_t root = rootOf(parent, row);
        clump[row] = linkCount[row] == 0 ? -1 : root == row ? graph->clumps.count : clump[root];
        if (clump[row] == graph->clumps.count) {
            if (graph->clumps.count == graph->clumps.capacity)
                TH_TRY(thiArrayReserveAmply(&graph->clumps, graph->clumps.count + 1));
            TH_ITEMS(graph->clumps, thMesoClump)[graph->clumps.count++].count = 0;
        }
        if (clump[row] >= 0)
            TH_ITEMS(graph->clumps, thMesoClump)[clump[row]].count += 1;
    }
    for (int32_t i = 0; i < graph->clumps.count; ++i) {
        thMesoClump* one = &TH_ITEMS(graph->clumps, thMesoClump)[i];
        one->first = total;
        total += one->count;
        one->count = 0; // those who have come
    }
    TH_TRY(thiArrayReserveAmply(&graph->members, total));
    TH_TRY(thiArrayReserveAmply(&graph->px, total + TH_MAX_WIDTH));
    TH_TRY(thiArrayReserveAmply(&graph->py, total + TH_MAX_WIDTH));
    TH_TRY(thiArrayReserveAmply(&graph->radius, total + TH_MAX_WIDTH));
    for (int32_t row = 0; row < rowCount; ++row) {
        if (clump[row] < 0)
            continue;
        thMesoClump* one = &TH_ITEMS(graph->clumps, thMesoClump)[clump[row]];
        TH_ITEMS(graph->members, int32_t)[one->first + one->count++] = row;
    }
    return th_resultOk;
}

static void sortByKey(const thFrame* frame, int32_t* rows, int32_t count)
{
    if (count > FEW) {
        thiSortByKey(frame, rows, count);
        return;
    }
    for (int32_t i = 1; i < count; ++i) {
        const int32_t row = rows[i];
        int32_t at = i;
        for (; at > 0 && frame->key[rows[at - 1]] > frame->key[row]; --at)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

// The boxes of its places and velocities.
static void boundClump(const thFrame* frame, const int32_t* rows, thMesoClump* clump)
{
    int32_t lowX = INT32_MAX, lowY = INT32_MAX, highX = INT32_MIN, highY = INT32_MIN;
    thVec2 low = {frame->vx[rows[0]], frame->vy[rows[0]]}, high = low;
    for (int32_t i = 0; i < clump->count; ++i) {
        const int32_t x = frame->px[rows[i]], y = frame->py[rows[i]];
        const float vx = frame->vx[rows[i]], vy = frame->vy[rows[i]];
        lowX = TH_MIN(lowX, x);
        lowY = TH_MIN(lowY, y);
        highX = TH_MAX(highX, x);
        highY = TH_MAX(highY, y);
        low.x = TH_MIN(low.x, vx);
        low.y = TH_MIN(low.y, vy);
        high.x = TH_MAX(high.x, vx);
        high.y = TH_MAX(high.y, vy);
    }
    const float width = thiMetresBetween(lowX, highX), height = thiMetresBetween(lowY, highY);
    const thVec2 range = {0.5f * (high.x - low.x), 0.5f * (high.y - low.y)};
    clump->x = (int32_t)(((int64_t)lowX + highX) / 2);
    clump->y = (int32_t)(((int64_t)lowY + highY) / 2);
    clump->half = 0.5f * sqrtf(width * width + height * height) + TH_MESO_SLACK;
    clump->middle = (thVec2){low.x + range.x, low.y + range.y};
    clump->spread = sqrtf(thiDot(range, range));
}

// All of a clump but which members it has. Sums are in the order of keys.
static void measureClump(const thMesoGraph* graph, const thFrame* frame, thMesoClump* clump)
{
    int32_t* rows = TH_ITEMS(graph->members, int32_t) + clump->first;
    sortByKey(frame, rows, clump->count);
    *clump =
        (thMesoClump){.key = frame->key[rows[0]], .first = clump->first, .count = clump->count};
    for (int32_t i = 0; i < clump->count; ++i) {
        const int32_t row = rows[i], at = clump->first + i;
        TH_ITEMS(graph->place, int32_t)[row] = at;
        TH_ITEMS(graph->px, int32_t)[at] = frame->px[row];
        TH_ITEMS(graph->py, int32_t)[at] = frame->py[row];
        TH_ITEMS(graph->radius, float)[at] = frame->radius[row];
        clump->largest = TH_MAX(clump->largest, frame->radius[row]);
        clump->velocity.x += frame->vx[row];
        clump->velocity.y += frame->vy[row];
        clump->gap += TH_ITEMS(graph->gap, float)[row];
        clump->hasHolders = clump->hasHolders || (frame->flags[row] & th_agentHolds) != 0;
    }
    const float share = 1.0f / (float)clump->count;
    clump->velocity = thiScale(share, clump->velocity);
    clump->gap *= share;
    boundClump(frame, rows, clump);
}

typedef struct ClumpTask {
    const thMesoGraph* graph;
    const thFrame* frame;
} ClumpTask;

static void measureClumps(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const ClumpTask* task = context;
    for (int32_t i = begin; i < end; ++i)
        measureClump(task->graph, task->frame, &TH_ITEMS(task->graph->clumps, thMesoClump)[i]);
}

static thResult reserveRows(thMesoGraph* graph, int32_t count)
{
    TH_TRY(thiArrayReserveAmply(&graph->links, 1)); // nobody's links are somewhere too
    TH_TRY(thiArrayReserveAmply(&graph->firstLink, count));
    TH_TRY(thiArrayReserveAmply(&graph->linkCount, count));
    TH_TRY(thiArrayReserveAmply(&graph->gap, count));
    TH_TRY(thiArrayReserveAmply(&graph->nearest, count));
    TH_TRY(thiArrayReserveAmply(&graph->octants, (int64_t)count + TH_MAX_WIDTH));
    TH_TRY(thiArrayReserveAmply(&graph->parent, count));
    TH_TRY(thiArrayReserveAmply(&graph->place, count));
    return thiArrayReserveAmply(&graph->clump, (int64_t)count + TH_MAX_WIDTH);
}

thResult thiMesoPrepareGraph(void* common, const thFrame* frame, const thTasks* tasks,
                             const thMethodUser* users, int32_t userCount)
{
    thMesoGraph* graph = common;
    const thMesoDef all = largestOf(users, userCount);
    graph->near = all.near;
    graph->velocity = all.velocity;
    graph->clumps.count = 0;
    if (frame->count == 0)
        return th_resultOk;
    TH_TRY(reserveRows(graph, frame->count));
    if (!thiMesoIsOn(&all)) {
        memset(graph->clump.data, -1, (size_t)frame->count * sizeof(int32_t));
        memset(graph->firstLink.data, 0, (size_t)frame->count * sizeof(int32_t));
        memset(graph->linkCount.data, 0, (size_t)frame->count * sizeof(int32_t));
        return th_resultOk;
    }
    lookOver(graph, frame);
    graph->distance = graph->near + 2.0f * largestBody(frame) + SLACK;
    TH_TRY(findAllLinks(graph, frame, tasks));
    joinRows(graph, frame->count);
    TH_TRY(numberClumps(graph, frame->count));
    memset(TH_ITEMS(graph->clump, int32_t) + frame->count, -1, TH_MAX_WIDTH * sizeof(int32_t));
    ClumpTask task = {graph, frame};
    thTasks_ParallelFor(tasks, graph->clumps.count, CLUMP_GRAIN, measureClumps, &task);
    return th_resultOk;
}
