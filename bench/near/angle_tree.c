// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The tree by its angles: sorting, and going down to who stands at the angle of a place.

#include "angle_tree.h"

#include <stdlib.h>

static size_t nodeBytes(int32_t count)
{
    return (size_t)count * sizeof(thAngleNode);
}

thResult thiAngleTreeInit(thAngleTree* tree, thMemory* memory, int32_t count)
{
    *tree = (thAngleTree){.memory = memory,
                          .count = count,
                          .sorted = thiAllocate(memory, nodeBytes(count)),
                          .nodes = thiAllocate(memory, nodeBytes(count))};
    if (tree->sorted == NULL || tree->nodes == NULL) {
        thiAngleTreeFree(tree);
        return th_resultNoMemory;
    }
    for (int32_t i = 0; i < count; ++i)
        tree->sorted[i].agent = i;
    return th_resultOk;
}

void thiAngleTreeFree(thAngleTree* tree)
{
    thiRelease(tree->memory, tree->sorted, nodeBytes(tree->count));
    thiRelease(tree->memory, tree->nodes, nodeBytes(tree->count));
}

// The determinant orders angles only within half a turn.
static int32_t halfOf(int32_t x, int32_t y)
{
    if (x == 0 && y == 0)
        return 0;
    return y > 0 || (y == 0 && x > 0) ? 1 : 2;
}

int32_t thiCompareAngles(int32_t x, int32_t y, int32_t otherX, int32_t otherY)
{
    const int32_t half = halfOf(x, y), otherHalf = halfOf(otherX, otherY);
    if (half != otherHalf)
        return half - otherHalf;
    // Coordinates are below 2^31 in size, by so much that the difference fits.
    const int64_t determinant = (int64_t)x * otherY - (int64_t)otherX * y;
    return determinant > 0 ? -1 : determinant < 0;
}

static int byAngle(const void* left, const void* right)
{
    const thAngleNode *a = left, *b = right;
    const int32_t order = thiCompareAngles(a->x, a->y, b->x, b->y);
    return order != 0 ? order : (a->agent > b->agent) - (a->agent < b->agent);
}

// Makes a tree of sorted agents; the next free node becomes its root.
static int32_t makeNode(thAngleTree* tree, int32_t begin, int32_t end, int32_t* used)
{
    if (begin == end)
        return -1;
    const int32_t middle = begin + (end - begin) / 2, index = (*used)++;
    tree->nodes[index] = tree->sorted[middle];
    tree->nodes[index].left = makeNode(tree, begin, middle, used);
    tree->nodes[index].right = makeNode(tree, middle + 1, end, used);
    return index;
}

void thiAngleTreeBuild(thAngleTree* tree, const int32_t* x, const int32_t* y)
{
    for (int32_t i = 0; i < tree->count; ++i) {
        thAngleNode* node = &tree->sorted[i];
        node->x = x[node->agent];
        node->y = y[node->agent];
    }
    qsort(tree->sorted, (size_t)tree->count, sizeof *tree->sorted, byAngle);
    int32_t used = 0;
    makeNode(tree, 0, tree->count, &used);
}

static float distanceSq(const thAngleNode* node, int32_t x, int32_t y)
{
    const float dx = thiMetresBetween(x, node->x), dy = thiMetresBetween(y, node->y);
    return dx * dx + dy * dy;
}

int32_t thiAngleTreeFind(const thAngleTree* tree, int32_t x, int32_t y)
{
    const thAngleNode *before = NULL, *after = NULL;
    for (int32_t index = 0; index >= 0;) {
        const thAngleNode* node = &tree->nodes[index];
        if (thiCompareAngles(x, y, node->x, node->y) < 0) {
            after = node;
            index = node->left;
        } else {
            before = node;
            index = node->right;
        }
    }
    if (before == NULL)
        return after->agent;
    if (after == NULL || distanceSq(before, x, y) <= distanceSq(after, x, y))
        return before->agent;
    return after->agent;
}
