// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Trees over the agents of crowded cells: a search that would scan thousands of rows descends
// instead. Any number of agents may stand on one point: nodes know their smallest key, and with it
// when nobody in them can come before those already found.

#ifndef THRONG_SRC_SPACE_CELL_TREE_H
#define THRONG_SRC_SPACE_CELL_TREE_H

#include "base/memory.h"
#include "space/rows.h"
#include "throng/tasks.h"

typedef struct thTreeNode {
    int32_t lowX, lowY, highX, highY; // bounding box, units
    uint64_t minKey;
    int32_t begin, end; // of its rows in `rows`
    int32_t right;      // the second child; the first is the next node; 0 for a leaf
} thTreeNode;

typedef struct thCrowdedCell {
    int32_t firstRow;
    int32_t count;
    int32_t firstNode; // its root
    int32_t firstItem; // of its rows in `rows`
} thCrowdedCell;

typedef struct thCellTrees {
    thArray cells; // thCrowdedCell, by first row
    thArray nodes; // thTreeNode
    thArray rows;  // int32_t: rows of crowded cells, node by node
} thCellTrees;

thCellTrees thiCellTrees(thMemory* memory);
void thiCellTreesFree(thCellTrees* trees);

// Makes room for the trees of `cells`, which hold first rows and counts in any order.
thResult thiCellTreesReserve(thCellTrees* trees);

// Builds them.
void thiCellTreesBuild(thCellTrees* trees, const thRows* rows, const thTasks* tasks);

// Index of the first crowded cell whose rows start at `firstRow` or later.
int32_t thiLowerCrowded(const thCellTrees* trees, int32_t firstRow);

#endif
