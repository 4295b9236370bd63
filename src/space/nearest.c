// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The plain search for the nearest agents: ring after ring of cells, crowded cells by their trees.
// It is the definition that the kernel (nearest_wide.c) has to agree with.

#include "space/nearest.h"

#include "geom/fixed.h"

#include <math.h>

// The best found so far, sorted. `limit` candidates at most; what comes after `bound` is not
// wanted.
typedef struct Collector {
    thNearAgent* out;
    int32_t count, limit, capacity;
    bool sorted; // keep them in order; else just collect
} Collector;

static bool comesBefore(float order, uint64_t key, const thNearAgent* other)
{
    return order != other->order ? order < other->order : key < other->key;
}

static bool isWanted(const Collector* best, float order, uint64_t key)
{
    return best->count < best->limit || comesBefore(order, key, &best->out[best->limit - 1]);
}

static void insert(Collector* best, float order, int32_t row, uint64_t key)
{
    if (!best->sorted) {
        if (best->count < best->capacity)
            best->out[best->count] = (thNearAgent){order, row, key};
        best->count += 1;
        return;
    }
    int32_t at = best->count < best->limit ? best->count++ : best->limit - 1;
    for (; at > 0 && comesBefore(order, key, &best->out[at - 1]); --at)
        best->out[at] = best->out[at - 1];
    best->out[at] = (thNearAgent){order, row, key};
}

typedef struct Search {
    const thNearestQuery* query;
    thSizeClass class;
    int32_t x, y, level;
    float radius; // of the agent's own body if distance counts from its surface, else 0
    float reach;  // no centre further than this is wanted [m]
    float ownRadius;
    float headingX, headingY, minCosine;
    bool allRound;
    Collector best;
} Search;

static bool isVisible(const Search* search, int32_t row, float dx, float dy, float distanceSq)
{
    const thNearestQuery* query = search->query;
    if (!search->allRound && distanceSq > 0.0f &&
        dx * search->headingX + dy * search->headingY < search->minCosine * sqrtf(distanceSq))
        return false;
    return !query->sight->needsSight ||
           !thiWallsHide(query->walls, search->level, search->x, search->y, query->frame->px[row],
                         query->frame->py[row]);
}

static void consider(Search* search, int32_t row)
{
    const thFrame* frame = search->query->frame;
    const int32_t self = search->query->row;
    if (row == self || (frame->layers[row] & frame->mask[self]) == 0)
        return;
    const float dx = thiMetresBetween(search->x, frame->px[row]);
    const float dy = thiMetresBetween(search->y, frame->py[row]);
    const float distanceSq = dx * dx + dy * dy;
    const float sight = search->query->sight->neighborRadius;
    float order = distanceSq;
    if (search->class == th_sizeLarge) {
        order = sqrtf(distanceSq) - search->ownRadius - frame->radius[row];
        if (order > sight)
            return;
    } else if (search->radius > 0.0f) {
        const float limit = sight + search->radius + frame->radius[row];
        if (distanceSq > limit * limit)
            return;
    } else if (distanceSq > sight * sight) {
        return;
    }
    if (isWanted(&search->best, order, frame->key[row]) &&
        isVisible(search, row, dx, dy, distanceSq))
        insert(&search->best, order, row, frame->key[row]);
}

// The least distance² from the agent to a box. [m²]
static float boxDistanceSq(const Search* search, const thTreeNode* box)
{
    const int64_t dx = search->x < box->lowX    ? (int64_t)box->lowX - search->x
                       : search->x > box->highX ? (int64_t)search->x - box->highX
                                                : 0;
    const int64_t dy = search->y < box->lowY    ? (int64_t)box->lowY - search->y
                       : search->y > box->highY ? (int64_t)search->y - box->highY
                                                : 0;
    const float x = (float)dx * TH_METRES_PER_UNIT, y = (float)dy * TH_METRES_PER_UNIT;
    return x * x + y * y;
}

// Distances outside a region whose border is this far away are not below it, rounding included.
static float withMargin(float distanceSq)
{
    return distanceSq * 0.99999f;
}

// Whether nobody at this distance², with keys from `minKey` on, is wanted.
static bool isHopeless(const Search* search, float distanceSq, uint64_t minKey)
{
    const float least = withMargin(distanceSq);
    if (least > search->reach * search->reach)
        return true;
    const Collector* best = &search->best;
    if (best->count < best->limit || search->class == th_sizeLarge)
        return false;
    const thNearAgent* last = &best->out[best->limit - 1];
    return least > last->order || (distanceSq == 0.0f && last->order == 0.0f && minKey > last->key);
}

static void searchTree(Search* search, const thCellTrees* trees, int32_t index)
{
    const thTreeNode* nodes = TH_ITEMS(trees->nodes, thTreeNode);
    const thTreeNode* node = &nodes[index];
    if (isHopeless(search, boxDistanceSq(search, node), node->minKey))
        return;
    if (node->right == 0) {
        for (int32_t i = node->begin; i < node->end; ++i)
            consider(search, TH_ITEMS(trees->rows, int32_t)[i]);
        return;
    }
    const int32_t first = index + 1, second = node->right;
    const float toFirst = boxDistanceSq(search, &nodes[first]);
    const float toSecond = boxDistanceSq(search, &nodes[second]);
    const bool inOrder =
        toFirst != toSecond ? toFirst < toSecond : nodes[first].minKey < nodes[second].minKey;
    searchTree(search, trees, inOrder ? first : second);
    searchTree(search, trees, inOrder ? second : first);
}

// Rows of consecutive cells of a grid row, crowded cells through their trees.
static void searchRun(Search* search, const thCellMap* map, int32_t gridRow, int32_t first,
                      int32_t last)
{
    const thGrid* grid = search->query->grid;
    int32_t begin, end;
    thiGridRun(grid, map, gridRow, first, last, &begin, &end);
    const thCrowdedCell* cells = TH_ITEMS(grid->trees.cells, thCrowdedCell);
    int32_t crowded = thiLowerCrowded(&grid->trees, begin);
    for (int32_t row = begin; row < end;) {
        if (crowded < grid->trees.cells.count && cells[crowded].firstRow == row) {
            searchTree(search, &grid->trees, cells[crowded].firstNode);
            row += cells[crowded].count;
            crowded += 1;
        } else {
            consider(search, row);
            row += 1;
        }
    }
}

// A block of cells round the agent's own: so many rows of cells to each side, and as many cells to
// the left and right as make up the same distance.
typedef struct Ring {
    int32_t left, right, low, high; // may lie outside the map
} Ring;

static Ring makeRing(const thCellMap* map, int32_t column, int32_t row, int32_t size)
{
    const int32_t aside = map->aside * size;
    return (Ring){column - aside, column + aside, row - size, row + size};
}

// How far it is at least to anything outside the ring; infinity when it covers the map. [m]
static float distanceToBorder(const Search* search, const thCellMap* map, const Ring* ring)
{
    int64_t least = INT64_MAX;
    const int64_t width = map->width, height = map->height;
    if (ring->left > 0)
        least = TH_MIN(least, search->x - (map->minX + ring->left * width));
    if (ring->right < map->columns - 1)
        least = TH_MIN(least, map->minX + (ring->right + 1) * width - search->x);
    if (ring->low > 0)
        least = TH_MIN(least, search->y - (map->minY + ring->low * height));
    if (ring->high < map->rowsPerLevel - 1)
        least = TH_MIN(least, map->minY + (ring->high + 1) * height - search->y);
    return least == INT64_MAX ? INFINITY : (float)least * TH_METRES_PER_UNIT;
}

// Cells of one row of the map that are within `ring` but not within `inner`, which is empty for the
// first ring.
static void searchCells(Search* search, const thCellMap* map, int32_t base, int32_t y,
                        const Ring* ring, const Ring* inner)
{
    const int32_t first = TH_MAX(ring->left, 0), last = TH_MIN(ring->right, map->columns - 1);
    if (y < inner->low || y > inner->high) {
        searchRun(search, map, base + y, first, last);
        return;
    }
    if (first < inner->left)
        searchRun(search, map, base + y, first, TH_MIN(inner->left - 1, last));
    if (last > inner->right)
        searchRun(search, map, base + y, TH_MAX(inner->right + 1, first), last);
}

// Ring after ring of cells round the agent's own, each half as thick again as the last, until
// nothing further can be wanted.
static void searchMap(Search* search)
{
    const thGrid* grid = search->query->grid;
    const thCellMap* map = &grid->maps[search->class];
    const int32_t levelIndex = map->agentCount > 0 ? thiLevelIndex(grid, search->level) : -1;
    if (levelIndex < 0)
        return;
    const int32_t base = map->firstGridRow + levelIndex * map->rowsPerLevel;
    const int32_t column = thiCellColumn(map, search->x), row = thiCellRow(map, search->y);
    const int32_t* starts = TH_ITEMS(grid->bucketStart, int32_t);
    Ring inner = {INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN};
    for (int32_t size = 0;; size += 1 + size / 2) {
        const Ring ring = makeRing(map, column, row, size);
        const int32_t high = TH_MIN(ring.high, map->rowsPerLevel - 1);
        for (int32_t y = TH_MAX(ring.low, 0); y <= high; ++y)
            if (starts[base + y] < starts[base + y + 1])
                searchCells(search, map, base, y, &ring, &inner);
        const float border = distanceToBorder(search, map, &ring);
        if (border == INFINITY || isHopeless(search, border * border, UINT64_MAX))
            return;
        inner = ring;
    }
}

static Search makeSearch(const thNearestQuery* query, thSizeClass class, Collector best)
{
    const thFrame* frame = query->frame;
    const int32_t row = query->row;
    const float radius = frame->radius[row];
    const bool large = radius > TH_LARGE_RADIUS;
    Search search = {.query = query,
                     .class = class,
                     .x = frame->px[row],
                     .y = frame->py[row],
                     .level = frame->level[row],
                     .radius = large ? radius : 0.0f,
                     .ownRadius = radius,
                     .allRound = query->sight->fieldOfView >= 6.2831853f,
                     .best = best};
    search.reach = query->sight->neighborRadius;
    if (class == th_sizeLarge)
        search.reach += radius + query->grid->maxRadius;
    else if (large)
        search.reach += radius + TH_LARGE_RADIUS;
    if (!search.allRound) {
        float sine;
        thSinCos(0.5f * query->sight->fieldOfView, &sine, &search.minCosine);
        thSinCos(frame->heading[row], &search.headingY, &search.headingX);
    }
    return search;
}

#define NUMBERS_8(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7
#define NUMBERS_64(n)                                                                              \
    NUMBERS_8(n), NUMBERS_8(n + 8), NUMBERS_8(n + 16), NUMBERS_8(n + 24), NUMBERS_8(n + 32),       \
        NUMBERS_8(n + 40), NUMBERS_8(n + 48), NUMBERS_8(n + 56)

const int32_t thiNumbers[TH_BLOCK_CANDIDATES] = {NUMBERS_64(0),   NUMBERS_64(64),  NUMBERS_64(128),
                                                 NUMBERS_64(192), NUMBERS_64(256), NUMBERS_64(320),
                                                 NUMBERS_64(384), NUMBERS_64(448)};

int32_t thiNearest(const thNearestQuery* query, thNearAgent* out)
{
    const int32_t limit = query->sight->neighborCount;
    if (limit <= 0)
        return 0;
    Search search = makeSearch(query, th_sizeSmall, (Collector){out, 0, limit, limit, true});
    searchMap(&search);
    return search.best.count;
}

int32_t thiNearestLarge(const thNearestQuery* query, thNearAgent* out)
{
    Search search =
        makeSearch(query, th_sizeLarge, (Collector){out, 0, TH_MAX_LARGE, TH_MAX_LARGE, true});
    searchMap(&search);
    return search.best.count;
}

static void siftDown(thNearAgent* items, int32_t at, int32_t count)
{
    const thNearAgent item = items[at];
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count)
            break;
        if (child + 1 < count &&
            comesBefore(items[child].order, items[child].key, &items[child + 1]))
            child += 1;
        if (!comesBefore(item.order, item.key, &items[child]))
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = item;
}

static void sortNeighbors(thNearAgent* items, int32_t count)
{
    for (int32_t i = count / 2 - 1; i >= 0; --i)
        siftDown(items, i, count);
    for (int32_t last = count - 1; last > 0; --last) {
        const thNearAgent largest = items[0];
        items[0] = items[last];
        items[last] = largest;
        siftDown(items, 0, last);
    }
}

int32_t thiEverybody(const thNearestQuery* query, thNearAgent* out, int32_t capacity)
{
    Search search =
        makeSearch(query, th_sizeSmall, (Collector){out, 0, INT32_MAX, capacity, false});
    searchMap(&search);
    if (search.best.count <= capacity)
        sortNeighbors(out, search.best.count);
    return search.best.count;
}
