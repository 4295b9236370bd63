// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A kd-tree that is built anew in each step, as ClearPath does it. Boxes are cut in the middle of
// their longer side until few agents are left; each is tight round its agents, so no half is empty
// and the depth stays below 64 however agents stand.

#include "near.h"

#define LEAF_AGENTS 8

typedef struct Item {
    int32_t x, y, agent;
} Item;

typedef struct Node {
    int32_t lowX, lowY, highX, highY;
    int32_t begin, end; // its items
    int32_t right;      // the second child; the first is the next node; 0 for a leaf
} Node;

typedef struct KdTree {
    thMemory* memory;
    const thNearCrowd* crowd;
    Item* items; // by node; agents keep their places until the next step, when few have to move
    Node* nodes;
    int32_t nodeCount;
} KdTree;

// Halves are never empty, so there are fewer nodes that are cut than agents.
static size_t nodeBytes(int32_t count)
{
    return 2 * (size_t)count * sizeof(Node);
}

static size_t itemBytes(int32_t count)
{
    return (size_t)count * sizeof(Item);
}

static void closeTree(void* state)
{
    KdTree* tree = state;
    thiRelease(tree->memory, tree->items, itemBytes(tree->crowd->count));
    thiRelease(tree->memory, tree->nodes, nodeBytes(tree->crowd->count));
    thiRelease(tree->memory, tree, sizeof *tree);
}

static thResult openTree(const thNearMethod* self, const thNearCrowd* crowd, thMemory* memory,
                         void** state)
{
    (void)self;
    KdTree* tree = thiAllocate(memory, sizeof *tree);
    if (tree == NULL)
        return th_resultNoMemory;
    *tree = (KdTree){.memory = memory,
                     .crowd = crowd,
                     .items = thiAllocate(memory, itemBytes(crowd->count)),
                     .nodes = thiAllocate(memory, nodeBytes(crowd->count))};
    if (tree->items == NULL || tree->nodes == NULL) {
        closeTree(tree);
        return th_resultNoMemory;
    }
    for (int32_t i = 0; i < crowd->count; ++i)
        tree->items[i].agent = i;
    *state = tree;
    return th_resultOk;
}

static Node boxOf(const Item* items, int32_t begin, int32_t end)
{
    Node box = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN, begin, end, 0};
    for (int32_t i = begin; i < end; ++i) {
        box.lowX = TH_MIN(box.lowX, items[i].x);
        box.lowY = TH_MIN(box.lowY, items[i].y);
        box.highX = TH_MAX(box.highX, items[i].x);
        box.highY = TH_MAX(box.highY, items[i].y);
    }
    return box;
}

// Puts items of the lower half of a box first; returns where the others begin.
static int32_t cut(Item* items, const Node* box)
{
    const int64_t width = (int64_t)box->highX - box->lowX;
    const int64_t height = (int64_t)box->highY - box->lowY;
    const bool along = width >= height;
    const int32_t middle =
        along ? (int32_t)(box->lowX + width / 2) : (int32_t)(box->lowY + height / 2);
    int32_t low = box->begin, high = box->end;
    for (;;) {
        while (low < high && (along ? items[low].x : items[low].y) <= middle)
            low += 1;
        while (low < high && (along ? items[high - 1].x : items[high - 1].y) > middle)
            high -= 1;
        if (low == high)
            return low;
        const Item item = items[low];
        items[low] = items[high - 1];
        items[high - 1] = item;
    }
}

static void makeNode(KdTree* tree, int32_t begin, int32_t end)
{
    Node* node = &tree->nodes[tree->nodeCount++];
    *node = boxOf(tree->items, begin, end);
    const bool isPoint = node->lowX == node->highX && node->lowY == node->highY;
    if (end - begin <= LEAF_AGENTS || isPoint)
        return;
    const int32_t middle = cut(tree->items, node);
    makeNode(tree, begin, middle);
    node->right = tree->nodeCount;
    makeNode(tree, middle, end);
}

static thResult buildTree(void* state, int32_t moment)
{
    KdTree* tree = state;
    const int32_t count = tree->crowd->count;
    const int32_t *x = thiNearX(tree->crowd, moment), *y = thiNearY(tree->crowd, moment);
    for (int32_t i = 0; i < count; ++i) {
        Item* item = &tree->items[i];
        item->x = x[item->agent];
        item->y = y[item->agent];
    }
    tree->nodeCount = 0;
    if (count > 0)
        makeNode(tree, 0, count);
    return th_resultOk;
}

typedef struct Search {
    const KdTree* tree;
    const Item* self;
    float worst; // who is further is not wanted [m²]
    thNearList list;
} Search;

static float outside(int32_t low, int32_t at, int32_t high)
{
    return at < low ? thiMetresBetween(at, low) : at > high ? thiMetresBetween(high, at) : 0.0f;
}

// Rounded like distances² of agents. Rounding keeps the order, so this is never more than that of
// anyone in the box.
static float boxDistanceSq(const Item* from, const Node* box)
{
    const float dx = outside(box->lowX, from->x, box->highX);
    const float dy = outside(box->lowY, from->y, box->highY);
    return dx * dx + dy * dy;
}

static void searchLeaf(Search* search, const Node* leaf)
{
    const Item* self = search->self;
    for (int32_t i = leaf->begin; i < leaf->end; ++i) {
        const Item* item = &search->tree->items[i];
        const float dx = thiMetresBetween(self->x, item->x);
        const float dy = thiMetresBetween(self->y, item->y);
        const float distanceSq = dx * dx + dy * dy;
        if (distanceSq > search->worst || item == self)
            continue;
        thiNearInsert(&search->list, distanceSq, item->agent,
                      search->tree->crowd->key[item->agent]);
        if (search->list.count == thNearCount)
            search->worst = search->list.items[thNearCount - 1].order;
    }
}

static void searchNode(Search* search, int32_t index)
{
    const Node* nodes = search->tree->nodes;
    if (nodes[index].right == 0) {
        searchLeaf(search, &nodes[index]);
        return;
    }
    int32_t near = index + 1, far = nodes[index].right;
    float toNear = boxDistanceSq(search->self, &nodes[near]);
    float toFar = boxDistanceSq(search->self, &nodes[far]);
    if (toFar < toNear) {
        const int32_t other = near;
        near = far;
        far = other;
        const float distance = toNear;
        toNear = toFar;
        toFar = distance;
    }
    if (toNear <= search->worst)
        searchNode(search, near);
    if (toFar <= search->worst)
        searchNode(search, far);
}

// In the order of items: who is asked for next stands near, and finds the caches warm.
static int64_t findInTree(void* state, int32_t* lists)
{
    const KdTree* tree = state;
    const float radius = tree->crowd->radius;
    int64_t sum = 0;
    for (int32_t i = 0; i < tree->crowd->count; ++i) {
        Search search = {.tree = tree, .self = &tree->items[i], .worst = radius * radius};
        search.list.count = 0;
        searchNode(&search, 0);
        thiNearKeep(lists, tree->items[i].agent, &search.list);
        sum += search.list.count;
    }
    return sum;
}

const thNearMethod thiNearKdTree = {.name = "kd-tree",
                                    .exact = true,
                                    .open = openTree,
                                    .build = buildTree,
                                    .find = findInTree,
                                    .close = closeTree};
