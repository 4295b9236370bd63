// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How batches are filled: the kernel's lists where they suffice, single searches elsewhere. Then
// lists of rows, one per agent, are laid out lane by lane, padded to the longest of the batch.

#include "space/sense.h"

#include "geom/fixed.h"

#include <math.h>
#include <string.h>

static thNearestRowsFcn* const nearestKernels[th_simdCount] = TH_KERNEL_TABLE(thiNearestRows);
static thGatherNeighborsFcn* const gatherKernels[th_simdCount] =
    TH_KERNEL_TABLE(thiGatherNeighbors);

static thNearWallsFcn* const nearWallsKernels[th_simdCount] = TH_KERNEL_TABLE(thiNearWalls);

#define WIDEST_GROUP (16 * THRONG_UNITS_PER_METRE) // of agents whose walls are looked for together

#define SEES_AGENTS (th_needsNeighbors | th_needsEverybody)

// Whether the kernel can find this profile's neighbours: k nearest, all round, through walls.
static bool suitsKernel(const thSight* sight)
{
    return sight != NULL && (sight->needs & th_needsNeighbors) != 0 &&
           (sight->needs & th_needsEverybody) == 0 && sight->neighborCount <= TH_KERNEL_NEIGHBORS &&
           sight->fieldOfView >= 6.2831853f && !sight->needsSight;
}

// Rows of small bodies that the kernel left, by the plain search; and those that it was not asked
// for are marked. The kernel writes whole registers and looks at no profile.
static void settleRest(const thSense* sense, const thTileSense* tile, int32_t end, int32_t most,
                       bool allSuit)
{
    for (int32_t row = tile->begin; row < end; ++row) {
        const int32_t at = row - tile->begin;
        if (allSuit && tile->counts[at] >= 0)
            continue;
        const thSight* sight = sense->sights[sense->frame->profile[row]];
        if (!suitsKernel(sight)) {
            tile->counts[at] = -1;
        } else if (tile->counts[at] < 0) {
            const thNearestQuery query = {sense->frame, sense->grid, sense->walls, sight, row};
            thNearAgent found[TH_KERNEL_NEIGHBORS];
            tile->counts[at] = thiNearest(&query, found);
            for (int32_t k = 0; k < most; ++k) // past the end any valid row
                tile->lists[k * tile->stride + at] = k < tile->counts[at] ? found[k].row : row;
        }
    }
}

bool thiSenseTile(const thSense* sense, int32_t begin, int32_t end, thArena* scratch,
                  thTileSense* tile)
{
    const thFrame* frame = sense->frame;
    const int32_t count = end - begin;
    *tile = (thTileSense){.begin = begin, .end = end, .stride = TH_TILE_ROWS + TH_MAX_WIDTH};
    tile->counts = thiArenaAllocate(scratch, (size_t)tile->stride * sizeof(int32_t));
    float* radiusSq = thiArenaAllocate(scratch, (size_t)tile->stride * sizeof(float));
    if (tile->counts == NULL || radiusSq == NULL)
        return false;
    int32_t most = 0;
    bool allSuit = true;
    const thSight* sight = NULL; // of the row before, mostly that of the row too
    float rowRadiusSq = 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        const thSight* rowSight = sense->sights[frame->profile[begin + i]];
        if (i == 0 || rowSight != sight) {
            sight = rowSight;
            const bool suits = suitsKernel(sight);
            rowRadiusSq = suits ? sight->neighborRadius * sight->neighborRadius : 0.0f;
            most = suits ? TH_MAX(most, sight->neighborCount) : most;
            allSuit = allSuit && suits;
        }
        radiusSq[i] = rowRadiusSq;
    }
    for (int32_t i = count; i < tile->stride; ++i)
        radiusSq[i] = 0.0f;
    const int32_t small = TH_MIN(end, sense->grid->smallCount);
    for (int32_t i = 0; i < tile->stride; ++i)
        tile->counts[i] = -1;
    if (most == 0 || begin >= small)
        return true;
    tile->lists = thiArenaAllocate(scratch, (size_t)most * (size_t)tile->stride * sizeof(int32_t));
    if (tile->lists == NULL)
        return false;
    const thNearestTask task = {.frame = frame,
                                .grid = sense->grid,
                                .begin = begin,
                                .end = small,
                                .count = most,
                                .radiusSq = radiusSq,
                                .lists = tile->lists,
                                .counts = tile->counts,
                                .stride = tile->stride};
    nearestKernels[sense->simd](&task);
    settleRest(sense, tile, small, most, allSuit);
    for (int32_t row = small; row < end; ++row)
        tile->counts[row - begin] = -1;
    return true;
}

// A batch being filled: lists of rows by lane, before they are laid out for methods.
typedef struct Filling {
    const thSense* sense;
    const thTileSense* tile;
    const thSight* sight;
    const int32_t* rows;
    int32_t count;
    thArena* scratch;
    thBatch* batch;
} Filling;

static void* take(const Filling* filling, int32_t items, size_t itemSize)
{
    return thiArenaAllocate(filling->scratch, (size_t)items * itemSize);
}

static float* takeFloats(const Filling* filling, int32_t items)
{
    return take(filling, items, sizeof(float));
}

// Whether the lanes are rows without a gap.
static bool isStretch(const Filling* filling)
{
    return filling->rows[filling->count - 1] - filling->rows[0] == filling->count - 1;
}

// Lists of varying length, one after the other.
typedef struct Lists {
    const int32_t* items[TH_BATCH_ROWS];
    int32_t counts[TH_BATCH_ROWS];
    int32_t most;
} Lists;

// Everybody of one lane, from scratch memory that grows until they fit.
static thNearAgent* findEverybody(const Filling* filling, const thNearestQuery* query,
                                  int32_t* count)
{
    int32_t capacity = 128;
    for (;;) {
        thNearAgent* found = take(filling, capacity + TH_MAX_LARGE, sizeof *found);
        if (found == NULL)
            return NULL;
        *count = thiEverybody(query, found, capacity);
        if (*count <= capacity)
            return found;
        capacity = *count;
    }
}

// The neighbours of one lane by the plain search, large bodies included.
static bool searchLane(const Filling* filling, int32_t lane, bool everybody, Lists* lists)
{
    const thNearestQuery query = {filling->sense->frame, filling->sense->grid,
                                  filling->sense->walls, filling->sight, filling->rows[lane]};
    thNearAgent nearest[TH_MAX_NEIGHBORS + TH_MAX_LARGE];
    thNearAgent* found = nearest;
    int32_t count = 0;
    if (everybody)
        found = findEverybody(filling, &query, &count);
    else
        count = thiNearest(&query, nearest);
    if (found == NULL)
        return false;
    if (filling->sense->grid->maps[th_sizeLarge].agentCount > 0)
        count += thiNearestLarge(&query, found + count);
    int32_t* rows = take(filling, TH_MAX(count, 1), sizeof *rows);
    if (rows == NULL)
        return false;
    for (int32_t k = 0; k < count; ++k)
        rows[k] = found[k].row;
    lists->items[lane] = rows;
    lists->counts[lane] = count;
    return true;
}

int32_t thiSensedRows(const thSense* sense, const thTileSense* tile, int32_t row, int32_t* rows)
{
    const thSight* sight = sense->sights[sense->frame->profile[row]];
    const thNearestQuery query = {sense->frame, sense->grid, sense->walls, sight, row};
    const int32_t at = row - tile->begin;
    thNearAgent found[TH_MAX_NEIGHBORS + TH_MAX_LARGE];
    int32_t count = 0, first = 0;
    if ((sight->needs & SEES_AGENTS) == 0)
        return 0;
    if (tile->counts[at] >= 0) {
        first = TH_MIN(tile->counts[at], sight->neighborCount);
        for (int32_t k = 0; k < first; ++k)
            rows[k] = tile->lists[k * tile->stride + at];
    } else {
        count = thiNearest(&query, found);
    }
    if (sense->grid->maps[th_sizeLarge].agentCount > 0)
        count += thiNearestLarge(&query, found + count);
    for (int32_t k = 0; k < count; ++k)
        rows[first + k] = found[k].row;
    return first + count;
}

// A lane whose neighbours the kernel has found: copied out of the tile's columns, large bodies
// added.
static bool copyLane(const Filling* filling, int32_t lane, Lists* lists)
{
    int32_t found[TH_MAX_NEIGHBORS + TH_MAX_LARGE];
    const int32_t count = thiSensedRows(filling->sense, filling->tile, filling->rows[lane], found);
    int32_t* rows = take(filling, TH_MAX(count, 1), sizeof *rows);
    if (rows == NULL)
        return false;
    memcpy(rows, found, (size_t)count * sizeof *rows);
    lists->items[lane] = rows;
    lists->counts[lane] = count;
    return true;
}

// Counts of a batch whose neighbours are all in the lists of the tile, to be laid out by the
// kernel. False when others have to be looked for.
static bool takeSettled(const Filling* filling, int32_t* counts)
{
    const thTileSense* tile = filling->tile;
    if (filling->sense->grid->maps[th_sizeLarge].agentCount > 0 || tile->lists == NULL)
        return false;
    int32_t most = 0, least = 0;
    for (int32_t lane = 0; lane < filling->count; ++lane) {
        const int32_t found = tile->counts[filling->rows[lane] - tile->begin];
        counts[lane] = TH_MIN(found, filling->sight->neighborCount);
        most = TH_MAX(most, counts[lane]);
        least = TH_MIN(least, found);
    }
    filling->batch->neighborMax = most;
    return least >= 0;
}

static bool layOutLists(const Filling* filling, bool everybody, int32_t* counts, int32_t** nrow)
{
    thBatch* batch = filling->batch;
    Lists lists;
    lists.most = 0; // the rest is filled as needed
    for (int32_t lane = 0; lane < filling->count; ++lane) {
        const int32_t at = filling->rows[lane] - filling->tile->begin;
        const bool settled = !everybody && filling->tile->counts[at] >= 0;
        if (!(settled ? copyLane(filling, lane, &lists)
                      : searchLane(filling, lane, everybody, &lists)))
            return false;
        counts[lane] = lists.counts[lane];
        lists.most = TH_MAX(lists.most, lists.counts[lane]);
    }
    *nrow = take(filling, TH_MAX(lists.most, 1) * batch->lanes, sizeof(int32_t));
    if (*nrow == NULL)
        return false;
    for (int32_t lane = 0; lane < batch->lanes; ++lane) {
        const int32_t count = lane < filling->count ? lists.counts[lane] : 0;
        for (int32_t k = 0; k < lists.most; ++k)
            (*nrow)[k * batch->lanes + lane] =
                k < count ? lists.items[lane][k] : filling->rows[0]; // any valid row
    }
    batch->neighborMax = lists.most;
    return true;
}

static bool fillNeighbors(const Filling* filling)
{
    thBatch* batch = filling->batch;
    int32_t* counts = take(filling, batch->lanes, sizeof *counts);
    if (counts == NULL)
        return false;
    memset(counts, 0, (size_t)batch->lanes * sizeof *counts);
    batch->neighborCount = counts;
    if ((filling->sight->needs & SEES_AGENTS) == 0)
        return true;
    const bool everybody = (filling->sight->needs & th_needsEverybody) != 0;
    const bool settled = !everybody && takeSettled(filling, counts);
    int32_t* nrow = NULL;
    if (!settled && !layOutLists(filling, everybody, counts, &nrow))
        return false;
    const int32_t items = TH_MAX(batch->neighborMax, 1) * batch->lanes;
    float* columns = takeFloats(filling, 6 * items);
    if (settled)
        nrow = take(filling, items, sizeof *nrow);
    if (columns == NULL || nrow == NULL)
        return false;
    const thGatherTask task = {.frame = filling->sense->frame,
                               .lanes = batch->lanes,
                               .neighborMax = batch->neighborMax,
                               .uniform = filling->sense->grid->uniform,
                               .someHold = filling->sense->grid->someHold,
                               .row = batch->row,
                               .count = counts,
                               .tile = settled ? filling->tile : NULL,
                               .nrow = nrow,
                               .nx = columns,
                               .ny = columns + items,
                               .nvx = columns + 2 * items,
                               .nvy = columns + 3 * items,
                               .nradius = columns + 4 * items,
                               .nshare = columns + 5 * items};
    gatherKernels[filling->sense->simd](&task);
    batch->nrow = nrow;
    batch->nx = task.nx;
    batch->ny = task.ny;
    batch->nvx = task.nvx;
    batch->nvy = task.nvy;
    batch->nradius = task.nradius;
    batch->nshare = task.nshare;
    return true;
}

// Lays lists of indices out by lane, −1 past their ends.
static bool layOutIndices(const Filling* filling, const Lists* lists, const int32_t** counts,
                          int32_t* most, const int32_t** out)
{
    const int32_t lanes = filling->batch->lanes;
    int32_t* laneCounts = take(filling, lanes, sizeof *laneCounts);
    int32_t* items = take(filling, TH_MAX(lists->most, 1) * lanes, sizeof *items);
    if (laneCounts == NULL || items == NULL)
        return false;
    for (int32_t lane = 0; lane < lanes; ++lane) {
        laneCounts[lane] = lane < filling->count ? lists->counts[lane] : 0;
        for (int32_t k = 0; k < lists->most; ++k)
            items[k * lanes + lane] = k < laneCounts[lane] ? lists->items[lane][k] : -1;
    }
    *counts = laneCounts;
    *most = lists->most;
    *out = items;
    return true;
}

// Walls of one lane. Those in reach of the step's motion are never left out, however many.
static bool findWalls(const Filling* filling, int32_t lane, Lists* lists)
{
    const thFrame* frame = filling->sense->frame;
    const int32_t row = filling->rows[lane];
    const float reach =
        frame->radius[row] + frame->maxSpeed[row] * frame->dt + filling->sense->wallSlop;
    thNearWall few[32];
    thNearWall* found = few;
    int32_t count = 0, capacity = 32;
    for (;;) {
        count = thiNearestWalls(filling->sense->walls, frame->level[row], frame->px[row],
                                frame->py[row], filling->sight->wallRadius, reach,
                                filling->sight->wallCount, found, capacity);
        if (count <= capacity)
            break;
        capacity = count;
        found = take(filling, capacity, sizeof *found);
        if (found == NULL)
            return false;
    }
    lists->counts[lane] = count;
    lists->most = TH_MAX(lists->most, count);
    if (count == 0)
        return true;
    int32_t* items = take(filling, count, sizeof *items);
    if (items == NULL)
        return false;
    for (int32_t k = 0; k < count; ++k)
        items[k] = found[k].segment;
    lists->items[lane] = items;
    return true;
}

// Nothing near any lane.
static bool fillNone(const Filling* filling, const int32_t** counts)
{
    int32_t* laneCounts = take(filling, filling->batch->lanes, sizeof *laneCounts);
    if (laneCounts == NULL)
        return false;
    memset(laneCounts, 0, (size_t)filling->batch->lanes * sizeof *laneCounts);
    *counts = laneCounts;
    return true;
}

// Agents that stand together, as the kernel takes them: the first so many lanes. Those past them
// have no limit that a wall could be within.
typedef struct WallGroup {
    int32_t px[TH_MAX_WIDTH], py[TH_MAX_WIDTH];
    float limitSq[TH_MAX_WIDTH], reachSq[TH_MAX_WIDTH];
    int32_t count;
    thPoint low, high; // box of their places
    int32_t level;
    float furthest; // that one of them looks [m]
} WallGroup;

// The group that begins with a lane: as many as stand within some metres, on one floor.
static void groupFrom(const Filling* filling, int32_t first, WallGroup* group)
{
    const thFrame* frame = filling->sense->frame;
    const thBatch* batch = filling->batch;
    const float sight = filling->sight->wallRadius, sightSq = thiWallSquare(sight);
    const int32_t most = TH_MIN(TH_MAX_WIDTH, filling->count - first);
    thPoint low = {INT32_MAX, INT32_MAX}, high = {INT32_MIN, INT32_MIN};
    int32_t i = 0;
    group->level = frame->level[filling->rows[first]];
    group->furthest = sight;
    for (; i < most; ++i) {
        const int32_t row = filling->rows[first + i];
        const thPoint p = {frame->px[row], frame->py[row]};
        low = (thPoint){TH_MIN(low.x, p.x), TH_MIN(low.y, p.y)};
        high = (thPoint){TH_MAX(high.x, p.x), TH_MAX(high.y, p.y)};
        if (frame->level[row] != group->level || (int64_t)high.x - low.x > WIDEST_GROUP ||
            (int64_t)high.y - low.y > WIDEST_GROUP)
            break;
        const float reach = batch->radius[first + i] + batch->maxSpeed[first + i] * frame->dt +
                            filling->sense->wallSlop;
        group->low = low;
        group->high = high;
        group->px[i] = p.x;
        group->py[i] = p.y;
        group->reachSq[i] = thiWallSquare(reach);
        group->limitSq[i] = TH_MAX(sightSq, group->reachSq[i]);
        group->furthest = TH_MAX(group->furthest, reach);
    }
    group->count = i;
    for (; i < TH_MAX_WIDTH; ++i) {
        group->px[i] = group->px[0];
        group->py[i] = group->py[0];
        group->reachSq[i] = group->limitSq[i] = -1.0f;
    }
}

// What searches for the walls of a batch's groups share.
typedef struct WallSearch {
    thWallMarks marks;
    int32_t capacity; // of these:
    int32_t *segments, *near;
    float* distancesSq;
} WallSearch;

static bool growWallSearch(const Filling* filling, int32_t count, WallSearch* search)
{
    if (count <= search->capacity)
        return true;
    search->capacity = 2 * count;
    search->segments = take(filling, search->capacity, sizeof(int32_t));
    search->near = take(filling, search->capacity + TH_WALL_GROUP, sizeof(int32_t));
    search->distancesSq = takeFloats(filling, (search->capacity + TH_WALL_GROUP) * TH_MAX_WIDTH);
    return search->segments != NULL && search->near != NULL && search->distancesSq != NULL;
}

// The walls of a group; counts are −1 where the plain search has to look.
static bool senseGroup(const Filling* filling, const WallGroup* group, int32_t first,
                       WallSearch* search, int32_t* counts, int32_t* lists)
{
    int32_t groupCounts[TH_MAX_WIDTH], groupLists[TH_NEAR_WALLS * TH_MAX_WIDTH];
    float nearestSq[TH_MAX_WIDTH];
    const thSense* sense = filling->sense;
    const int64_t span = thiWallSpan(group->furthest);
    const int32_t marked = thiMarkWallsNearBox(sense->walls, group->level, group->low, group->high,
                                               span, &search->marks);
    if (!growWallSearch(filling, marked, search))
        return false;
    const int32_t segmentCount = thiTakeWallMarks(sense->walls, group->low, group->high, span,
                                                  &search->marks, search->segments);
    if (segmentCount == 0) {
        for (int32_t i = 0; i < group->count; ++i) {
            counts[first + i] = 0;
            if (sense->wallSq != NULL)
                sense->wallSq[filling->rows[first + i]] = -group->limitSq[i];
        }
        return true;
    }
    const thNearWallsTask task = {.walls = sense->frame->walls,
                                  .segments = search->segments,
                                  .segmentCount = segmentCount,
                                  .count = TH_MAX(filling->sight->wallCount, 0),
                                  .px = group->px,
                                  .py = group->py,
                                  .limitSq = group->limitSq,
                                  .reachSq = group->reachSq,
                                  .nearestSq = nearestSq,
                                  .counts = groupCounts,
                                  .lists = groupLists,
                                  .near = search->near,
                                  .distancesSq = search->distancesSq};
    nearWallsKernels[sense->simd](&task);
    int32_t most = 0;
    for (int32_t i = 0; i < group->count; ++i) {
        counts[first + i] = groupCounts[i];
        most = TH_MAX(most, groupCounts[i]);
    }
    for (int32_t i = 0; i < group->count && sense->wallSq != NULL; ++i)
        sense->wallSq[filling->rows[first + i]] = nearestSq[i];
    for (int32_t k = 0; k < most; ++k)
        for (int32_t i = 0; i < group->count; ++i)
            lists[k * filling->batch->lanes + first + i] = groupLists[k * TH_MAX_WIDTH + i];
    return true;
}

// Of lanes whose walls are more than the kernel keeps, by the plain search. Columns grow if need
// be.
static bool searchWalls(const Filling* filling, int32_t stride, int32_t* counts, int32_t** lists,
                        int32_t* most)
{
    Lists found;
    found.most = 0; // the rest is filled as needed
    for (int32_t lane = 0; lane < filling->count; ++lane)
        if (counts[lane] < 0 && !findWalls(filling, lane, &found))
            return false;
    if (found.most > TH_NEAR_WALLS) {
        int32_t* grown = take(filling, found.most * stride, sizeof *grown);
        if (grown == NULL)
            return false;
        memcpy(grown, *lists, (size_t)(TH_NEAR_WALLS * stride) * sizeof *grown);
        for (int32_t i = TH_NEAR_WALLS * stride; i < found.most * stride; ++i)
            grown[i] = -1;
        *lists = grown;
    }
    for (int32_t lane = 0; lane < filling->count; ++lane) {
        if (counts[lane] >= 0)
            continue;
        counts[lane] = found.counts[lane];
        for (int32_t k = 0; k < counts[lane]; ++k)
            (*lists)[k * stride + lane] = found.items[lane][k];
    }
    *most = TH_MAX(*most, found.most);
    return true;
}

static bool fillWalls(const Filling* filling)
{
    thBatch* batch = filling->batch;
    if ((filling->sight->needs & th_needsWalls) == 0 || filling->sense->frame->walls->count == 0)
        return fillNone(filling, &batch->wallCount);
    const int32_t stride = batch->lanes;
    int32_t* counts = take(filling, stride, sizeof *counts);
    int32_t* lists = take(filling, TH_NEAR_WALLS * stride, sizeof *lists);
    const size_t markWords = thiWallMarkWords(filling->sense->walls);
    uint64_t* marks = thiArenaAllocate(filling->scratch, markWords * sizeof *marks);
    if (counts == NULL || lists == NULL || marks == NULL)
        return false;
    memset(lists, -1, (size_t)(TH_NEAR_WALLS * stride) * sizeof *lists);
    WallSearch search = {.marks = thiWallMarks(filling->sense->walls, marks)};
    WallGroup group;
    for (int32_t first = 0; first < filling->count; first += group.count) {
        groupFrom(filling, first, &group);
        if (!senseGroup(filling, &group, first, &search, counts, lists))
            return false;
    }
    int32_t most = 0, least = 0;
    for (int32_t lane = 0; lane < filling->count; ++lane) {
        most = TH_MAX(most, counts[lane]);
        least = TH_MIN(least, counts[lane]);
    }
    for (int32_t lane = filling->count; lane < stride; ++lane)
        counts[lane] = 0;
    if (least < 0 && !searchWalls(filling, stride, counts, &lists, &most))
        return false;
    batch->wallCount = counts;
    batch->wallMax = most;
    batch->wall = lists;
    return true;
}

typedef struct NearMover {
    float gap;
    int32_t mover;
} NearMover;

// Moving obstacles whose hull disc is within sight of one lane, by gap. There are few of them, so
// all are looked at.
static bool findMovers(const Filling* filling, int32_t lane, NearMover* found, Lists* lists)
{
    const thFrame* frame = filling->sense->frame;
    const thMovers* movers = frame->movers;
    const int32_t row = filling->rows[lane];
    int32_t count = 0;
    for (int32_t m = 0; m < movers->count; ++m) {
        if (movers->level[m] != frame->level[row])
            continue;
        const float dx = thiMetresBetween(frame->px[row], movers->px[m]);
        const float dy = thiMetresBetween(frame->py[row], movers->py[m]);
        const float gap = sqrtf(dx * dx + dy * dy) - movers->radius[m] - frame->radius[row];
        if (gap > filling->sight->wallRadius)
            continue;
        int32_t at = count++;
        for (; at > 0 && gap < found[at - 1].gap; --at) // ties stay in the order of slots
            found[at] = found[at - 1];
        found[at] = (NearMover){gap, m};
    }
    lists->counts[lane] = count;
    lists->most = TH_MAX(lists->most, count);
    if (count == 0)
        return true;
    int32_t* items = take(filling, count, sizeof *items);
    if (items == NULL)
        return false;
    for (int32_t k = 0; k < count; ++k)
        items[k] = found[k].mover;
    lists->items[lane] = items;
    return true;
}

static bool fillMovers(const Filling* filling)
{
    const int32_t moverCount = filling->sense->frame->movers->count;
    if ((filling->sight->needs & th_needsMovers) == 0 || moverCount == 0)
        return fillNone(filling, &filling->batch->moverCount);
    Lists lists;
    lists.most = 0; // the rest is filled as needed
    NearMover* found = take(filling, moverCount, sizeof *found);
    if (found == NULL)
        return false;
    for (int32_t lane = 0; lane < filling->count; ++lane)
        if (!findMovers(filling, lane, found, &lists))
            return false;
    return layOutIndices(filling, &lists, &filling->batch->moverCount, &filling->batch->moverMax,
                         &filling->batch->mover);
}

// The agents' own columns. Rows in a row that fill all lanes are read where they are.
static bool fillOwn(const Filling* filling)
{
    thBatch* batch = filling->batch;
    const thFrame* frame = filling->sense->frame;
    const int32_t lanes = batch->lanes, first = filling->rows[0];
    const float* const from[] = {frame->vx,        frame->vy,       frame->radius,
                                 frame->prefSpeed, frame->maxSpeed, frame->maxAccel};
    enum { ownCount = sizeof from / sizeof from[0] };
    const float* own[ownCount];
    if (filling->count == lanes && isStretch(filling)) {
        batch->row = filling->rows;
        for (int32_t c = 0; c < ownCount; ++c)
            own[c] = from[c] + first;
    } else {
        int32_t* rows = take(filling, lanes, sizeof *rows);
        float* columns = takeFloats(filling, ownCount * lanes);
        if (rows == NULL || columns == NULL)
            return false;
        for (int32_t lane = 0; lane < lanes; ++lane) // those past the end repeat the first agent
            rows[lane] = lane < filling->count ? filling->rows[lane] : first;
        for (int32_t c = 0; c < ownCount; ++c) {
            own[c] = columns + c * lanes;
            for (int32_t lane = 0; lane < lanes; ++lane)
                columns[c * lanes + lane] = from[c][rows[lane]];
        }
        batch->row = rows;
    }
    batch->vx = own[0];
    batch->vy = own[1];
    batch->radius = own[2];
    batch->prefSpeed = own[3];
    batch->maxSpeed = own[4];
    batch->maxAccel = own[5];
    return true;
}

// What methods write.
static bool makeOutputs(const Filling* filling)
{
    thBatch* batch = filling->batch;
    const int32_t lanes = batch->lanes;
    float* columns = takeFloats(filling, 7 * lanes);
    batch->status = take(filling, lanes, 1);
    batch->answer = take(filling, lanes, 1);
    if (columns == NULL || batch->status == NULL || batch->answer == NULL)
        return false;
    memset(columns, 0, (size_t)(7 * lanes) * sizeof(float));
    memset(batch->status, 0, (size_t)lanes);
    memset(batch->answer, 0, (size_t)lanes);
    batch->guideX = columns;
    batch->guideY = columns + lanes;
    batch->cornerX = columns + 2 * lanes;
    batch->cornerY = columns + 3 * lanes;
    batch->remaining = columns + 4 * lanes;
    batch->outVx = columns + 5 * lanes;
    batch->outVy = columns + 6 * lanes;
    return true;
}

// The agents' own columns and outputs of another batch of the same rows.
static void copyOwn(const thBatch* from, thBatch* to)
{
    to->row = from->row;
    to->vx = from->vx;
    to->vy = from->vy;
    to->radius = from->radius;
    to->prefSpeed = from->prefSpeed;
    to->maxSpeed = from->maxSpeed;
    to->maxAccel = from->maxAccel;
    to->guideX = from->guideX;
    to->guideY = from->guideY;
    to->cornerX = from->cornerX;
    to->cornerY = from->cornerY;
    to->remaining = from->remaining;
    to->answer = from->answer;
    to->outVx = from->outVx;
    to->outVy = from->outVy;
    to->status = from->status;
}

bool thiSenseBatch(const thSense* sense, const thTileSense* tile, const int32_t* rows,
                   int32_t count, thArena* scratch, const thBatch* like, thBatch* batch)
{
    TH_ASSERT(count > 0 && count <= TH_BATCH_ROWS);
    const int32_t lanes = (count + TH_MAX_WIDTH - 1) / TH_MAX_WIDTH * TH_MAX_WIDTH;
    *batch = (thBatch){.frame = sense->frame, .count = count, .lanes = lanes, .scratch = scratch};
    const Filling filling = {
        sense, tile, sense->sights[sense->frame->profile[rows[0]]], rows, count, scratch, batch};
    if (like != NULL)
        copyOwn(like, batch);
    else if (!fillOwn(&filling) || !makeOutputs(&filling))
        return false;
    return fillNeighbors(&filling) && fillWalls(&filling) && fillMovers(&filling);
}
