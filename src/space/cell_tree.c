// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Builds the trees of crowded cells. Rows are halved along the longer side of their box, or by key
// where all stand on one point.

#include "space/cell_tree.h"

#include <stdlib.h>

#define LEAF_ROWS 16

thCellTrees thiCellTrees(thMemory* memory)
{
    return (thCellTrees){.cells = thiArray(memory, sizeof(thCrowdedCell)),
                         .nodes = thiArray(memory, sizeof(thTreeNode)),
                         .rows = thiArray(memory, sizeof(int32_t))};
}

void thiCellTreesFree(thCellTrees* trees)
{
    thiArrayFree(&trees->cells);
    thiArrayFree(&trees->nodes);
    thiArrayFree(&trees->rows);
}

// A tree of n rows halves them until LEAF_ROWS are left, so it has fewer nodes than this.
static int32_t nodeLimit(int32_t rowCount)
{
    int32_t leaves = 1;
    for (int32_t size = rowCount; size > LEAF_ROWS; size = (size + 1) / 2)
        leaves *= 2;
    return 2 * leaves;
}

typedef enum Axis { axisX, axisY, axisKey } Axis;

typedef struct Builder {
    const thRows* rows;
    thTreeNode* nodes;
    int32_t* items;
    int32_t nodeCount;
} Builder;

// A total order: by one coordinate, then by key.
static bool isBefore(const thRows* rows, Axis axis, int32_t a, int32_t b)
{
    if (axis != axisKey) {
        const int32_t* values = axis == axisX ? rows->px : rows->py;
        if (values[a] != values[b])
            return values[a] < values[b];
    }
    return rows->key[a] < rows->key[b];
}

// Puts the item that belongs at `middle` there, smaller ones before it, larger ones after it.
static void select(const thRows* rows, Axis axis, int32_t* items, int32_t begin, int32_t end,
                   int32_t middle)
{
    while (end - begin > 1) {
        const int32_t pivot = items[begin + (end - begin) / 2];
        int32_t low = begin, high = end - 1;
        while (low <= high) {
            while (isBefore(rows, axis, items[low], pivot))
                low += 1;
            while (isBefore(rows, axis, pivot, items[high]))
                high -= 1;
            if (low <= high) {
                const int32_t swapped = items[low];
                items[low] = items[high];
                items[high] = swapped;
                low += 1;
                high -= 1;
            }
        }
        if (middle <= high)
            end = high + 1;
        else if (middle >= low)
            begin = low;
        else
            return;
    }
}

static int32_t build(Builder* builder, int32_t begin, int32_t end)
{
    const thRows* rows = builder->rows;
    const int32_t index = builder->nodeCount++;
    thTreeNode* node = &builder->nodes[index];
    *node = (thTreeNode){INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN, UINT64_MAX, begin, end, 0};
    for (int32_t i = begin; i < end; ++i) {
        const int32_t row = builder->items[i];
        node->lowX = TH_MIN(node->lowX, rows->px[row]);
        node->lowY = TH_MIN(node->lowY, rows->py[row]);
        node->highX = TH_MAX(node->highX, rows->px[row]);
        node->highY = TH_MAX(node->highY, rows->py[row]);
        node->minKey = TH_MIN(node->minKey, rows->key[row]);
    }
    if (end - begin <= LEAF_ROWS)
        return index;
    const int64_t width = (int64_t)node->highX - node->lowX;
    const int64_t height = (int64_t)node->highY - node->lowY;
    const Axis axis = width == 0 && height == 0 ? axisKey : width >= height ? axisX : axisY;
    const int32_t middle = begin + (end - begin) / 2;
    select(rows, axis, builder->items, begin, end, middle);
    build(builder, begin, middle);
    node->right = build(builder, middle, end);
    return index;
}

typedef struct Job {
    thCellTrees* trees;
    const thRows* rows;
} Job;

static void buildRange(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Job* job = context;
    for (int32_t i = begin; i < end; ++i) {
        const thCrowdedCell* cell = &TH_ITEMS(job->trees->cells, thCrowdedCell)[i];
        int32_t* items = TH_ITEMS(job->trees->rows, int32_t);
        for (int32_t k = 0; k < cell->count; ++k)
            items[cell->firstItem + k] = cell->firstRow + k;
        Builder builder = {job->rows, TH_ITEMS(job->trees->nodes, thTreeNode), items,
                           cell->firstNode};
        build(&builder, cell->firstItem, cell->firstItem + cell->count);
    }
}

static int byFirstRow(const void* left, const void* right)
{
    const int32_t a = ((const thCrowdedCell*)left)->firstRow;
    const int32_t b = ((const thCrowdedCell*)right)->firstRow;
    return a < b ? -1 : a > b;
}

thResult thiCellTreesReserve(thCellTrees* trees)
{
    trees->nodes.count = 0;
    trees->rows.count = 0;
    if (trees->cells.count == 0)
        return th_resultOk;
    thCrowdedCell* cells = TH_ITEMS(trees->cells, thCrowdedCell);
    qsort(cells, (size_t)trees->cells.count, sizeof *cells, byFirstRow);
    for (int32_t i = 0; i < trees->cells.count; ++i) {
        cells[i].firstNode = trees->nodes.count;
        cells[i].firstItem = trees->rows.count;
        if (thiArrayAdd(&trees->nodes, nodeLimit(cells[i].count)) == NULL ||
            thiArrayAdd(&trees->rows, cells[i].count) == NULL)
            return th_resultNoMemory;
    }
    return th_resultOk;
}

void thiCellTreesBuild(thCellTrees* trees, const thRows* rows, const thTasks* tasks)
{
    Job job = {trees, rows};
    thTasks_ParallelFor(tasks, trees->cells.count, 4, buildRange, &job);
}

int32_t thiLowerCrowded(const thCellTrees* trees, int32_t firstRow)
{
    const thCrowdedCell* cells = TH_ITEMS(trees->cells, thCrowdedCell);
    int32_t low = 0, high = trees->cells.count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (cells[middle].firstRow < firstRow)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
