// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The balanced tree of "Multi-Agent Navigation on the GPU", there called a hash, over angles.
// Agents are in the order of the sign of det(query, reference), which is that of their angles about
// the origin. It knows nothing of how far from the origin somebody is.

#ifndef THRONG_BENCH_NEAR_ANGLE_TREE_H
#define THRONG_BENCH_NEAR_ANGLE_TREE_H

#include "near.h"

typedef struct thAngleNode {
    int32_t x, y; // units
    int32_t agent;
    int32_t left, right; // nodes, or −1
} thAngleNode;

typedef struct thAngleTree {
    thMemory* memory;
    int32_t count;
    thAngleNode* sorted;
    thAngleNode* nodes; // the root is the first
} thAngleTree;

// A tree for so many agents.
thResult thiAngleTreeInit(thAngleTree* tree, thMemory* memory, int32_t count);
void thiAngleTreeFree(thAngleTree* tree);

void thiAngleTreeBuild(thAngleTree* tree, const int32_t* x, const int32_t* y);

// Less than 0, 0, or more, as the angle of one place is less than, the same as, or more than that
// of another. Angles go from 0 to 2π; the origin comes before all.
int32_t thiCompareAngles(int32_t x, int32_t y, int32_t otherX, int32_t otherY);

// Of those next to a place by angle, on either side, the one that is nearer to it: the kindest
// reading of "the closest agent". There must be somebody.
int32_t thiAngleTreeFind(const thAngleTree* tree, int32_t x, int32_t y);

#endif
