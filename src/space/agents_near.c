// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents near a place and pairs of agents near each other, for methods, through the grid of the
// frame. Distances are compared exactly, in whole units, and results are in the order of keys, so
// that nothing depends on the grid's cells or on threads.

#include "space/agents_near.h"

#include "base/core.h"
#include "base/memory.h"
#include "geom/fixed.h"
#include "space/grid.h"

#include <math.h>
#include <string.h>

// Rows that one task looks at.
#define GRAIN 256
// The furthest that may be asked for: squares of distances then fit into 62 bits. [m]
#define MAX_DISTANCE 10000.0f
// From this drift on every row is looked at; who has changed floors has gone further than that.
// [units]
#define FAR_DRIFT (256 * THRONG_UNITS_PER_METRE)

// A disc on a floor, and who is in it.
typedef struct Disc {
    const thFrame* frame;
    int32_t level, x, y;
    int64_t reach, reachSq; // units
    int32_t except;         // a row that does not count; −1: all count
    const uint64_t* above;  // only keys above this one count; NULL: all
    int32_t* rows;
    int32_t capacity, count; // those beyond `capacity` are counted only
} Disc;

static Disc makeDisc(const thFrame* frame, int32_t level, int32_t x, int32_t y, float radius)
{
    const double reach = (double)radius * THRONG_UNITS_PER_METRE; // exact, and so is its square
    return (Disc){.frame = frame,
                  .level = level,
                  .x = x,
                  .y = y,
                  .reach = (int64_t)reach,
                  .reachSq = (int64_t)floor(reach * reach),
                  .except = -1};
}

static void lookAtRows(void* context, int32_t begin, int32_t end)
{
    Disc* disc = context;
    const thFrame* frame = disc->frame;
    for (int32_t row = begin; row < end; ++row) {
        const int64_t dx = (int64_t)frame->px[row] - disc->x,
                      dy = (int64_t)frame->py[row] - disc->y;
        if (dx > disc->reach || -dx > disc->reach || dy > disc->reach || -dy > disc->reach ||
            dx * dx + dy * dy > disc->reachSq)
            continue;
        if (row == disc->except || (disc->above != NULL && frame->key[row] <= *disc->above) ||
            frame->level[row] != disc->level || (frame->flags[row] & th_agentAlive) == 0)
            continue;
        if (disc->count < disc->capacity)
            disc->rows[disc->count] = row;
        disc->count += 1;
    }
}

static int32_t clampUnits(int64_t at)
{
    return (int32_t)TH_MIN(TH_MAX(at, -(int64_t)TH_MAX_UNITS), (int64_t)TH_MAX_UNITS);
}

void thiVisitBox(const thFrame* frame, int32_t level, int64_t lowX, int64_t lowY, int64_t highX,
                 int64_t highY, thRowRangeFcn* visit, void* context)
{
    if (frame->agentGrid == NULL || frame->agentDrift > FAR_DRIFT) {
        visit(context, 0, frame->count);
        return;
    }
    const int64_t drift = frame->agentDrift;
    thiGridVisit(frame->agentGrid, level, clampUnits(lowX - drift), clampUnits(lowY - drift),
                 clampUnits(highX + drift), clampUnits(highY + drift), visit, context);
    const int32_t sorted = thiGridSortedCount(frame->agentGrid); // others came since
    if (sorted < frame->count)
        visit(context, sorted, frame->count);
}

static void search(Disc* disc)
{
    thiVisitBox(disc->frame, disc->level, disc->x - disc->reach, disc->y - disc->reach,
                disc->x + disc->reach, disc->y + disc->reach, lookAtRows, disc);
}

static void siftDown(const uint64_t* key, int32_t* rows, int32_t at, int32_t count)
{
    const int32_t row = rows[at];
    for (int32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && key[rows[child]] < key[rows[child + 1]])
            child += 1;
        if (key[rows[child]] <= key[row])
            break;
        rows[at] = rows[child];
        at = child;
    }
    rows[at] = row;
}

static void sortByKey(const uint64_t* key, int32_t* rows, int32_t count)
{
    for (int32_t i = count / 2 - 1; i >= 0; --i)
        siftDown(key, rows, i, count);
    for (int32_t last = count - 1; last > 0; --last) {
        const int32_t greatest = rows[0];
        rows[0] = rows[last];
        rows[last] = greatest;
        siftDown(key, rows, 0, last);
    }
}

void thiSortByKey(const thFrame* frame, int32_t* rows, int32_t count)
{
    sortByKey(frame->key, rows, count);
}

static int32_t findInDisc(Disc* disc, int32_t* rows, int32_t capacity)
{
    disc->rows = rows;
    disc->capacity = capacity;
    search(disc);
    if (disc->count <= capacity)
        sortByKey(disc->frame->key, rows, disc->count);
    return disc->count;
}

int32_t thiFindAround(const thFrame* frame, int32_t row, float radius, int32_t* rows,
                      int32_t capacity)
{
    Disc disc = makeDisc(frame, frame->level[row], frame->px[row], frame->py[row], radius);
    disc.except = row;
    disc.rows = rows;
    disc.capacity = capacity;
    search(&disc);
    return disc.count;
}

static bool isDistance(float distance)
{
    return distance >= 0.0f && distance <= MAX_DISTANCE;
}

int32_t thFrame_FindWithin(const thFrame* frame, int32_t level, int32_t x, int32_t y, float radius,
                           int32_t* rows, int32_t capacity)
{
    TH_REQUIRE(frame != NULL && isDistance(radius), 0);
    TH_REQUIRE(capacity >= 0 && (rows != NULL || capacity == 0), 0);
    Disc disc = makeDisc(frame, level, x, y, radius);
    return findInDisc(&disc, rows, capacity);
}

int32_t thFrame_FindAround(const thFrame* frame, int32_t row, float radius, int32_t* rows,
                           int32_t capacity)
{
    TH_REQUIRE(frame != NULL && isDistance(radius), 0);
    TH_REQUIRE(row >= 0 && row < frame->count, 0);
    TH_REQUIRE(capacity >= 0 && (rows != NULL || capacity == 0), 0);
    Disc disc = makeDisc(frame, frame->level[row], frame->px[row], frame->py[row], radius);
    disc.except = row;
    return findInDisc(&disc, rows, capacity);
}

// Pairs are counted by the row of the lower key, then written to where its rank among all keys
// says.
struct thAgentPairs {
    thMemory memory;
    thArray pairs;        // thAgentPair
    thArray order, spare; // int32_t: rows by key
    thArray rank;         // int32_t by row
    thArray start;        // int32_t by rank: the first pair of each, and the end
};

thResult thCreateAgentPairs(const thAllocator* allocator, thAgentPairs** pairs)
{
    TH_REQUIRE(pairs != NULL, th_resultBadArgument);
    *pairs = NULL;
    TH_REQUIRE(allocator != NULL && allocator->allocate != NULL && allocator->release != NULL,
               th_resultBadArgument);
    thAgentPairs* made = allocator->allocate(allocator->context, sizeof *made, TH_ALIGNMENT);
    if (made == NULL)
        return th_resultNoMemory;
    thiMemoryInit(&made->memory, allocator, 0);
    made->pairs = thiArray(&made->memory, sizeof(thAgentPair));
    made->order = thiArray(&made->memory, sizeof(int32_t));
    made->spare = thiArray(&made->memory, sizeof(int32_t));
    made->rank = thiArray(&made->memory, sizeof(int32_t));
    made->start = thiArray(&made->memory, sizeof(int32_t));
    *pairs = made;
    return th_resultOk;
}

void thDestroyAgentPairs(thAgentPairs* pairs)
{
    if (pairs == NULL)
        return;
    thiArrayFree(&pairs->pairs);
    thiArrayFree(&pairs->order);
    thiArrayFree(&pairs->spare);
    thiArrayFree(&pairs->rank);
    thiArrayFree(&pairs->start);
    const thAllocator allocator = pairs->memory.allocator;
    allocator.release(allocator.context, pairs, sizeof *pairs, TH_ALIGNMENT);
}

// Grows in doubles, so that a crowd that comes and goes does not allocate in every step.
static thResult makeRoom(thArray* array, int64_t count)
{
    if (count > INT32_MAX / 2)
        return th_resultFull;
    return count <= array->capacity ? th_resultOk : thiArrayReserve(array, 2 * (int32_t)count);
}

// Rows by key, by one byte of the keys after the other; bytes in which all agree are passed over.
static void orderByKey(thAgentPairs* pairs, const thFrame* frame)
{
    int32_t* from = TH_ITEMS(pairs->order, int32_t);
    int32_t* to = TH_ITEMS(pairs->spare, int32_t);
    uint64_t differ = 0;
    for (int32_t row = 0; row < frame->count; ++row) {
        from[row] = row;
        differ |= frame->key[row] ^ frame->key[0];
    }
    for (int32_t shift = 0; shift < 64; shift += 8) {
        if ((differ >> shift & 0xff) == 0)
            continue;
        int32_t starts[257] = {0};
        for (int32_t row = 0; row < frame->count; ++row)
            starts[(frame->key[row] >> shift & 0xff) + 1] += 1;
        for (int32_t i = 1; i < 257; ++i)
            starts[i] += starts[i - 1];
        for (int32_t i = 0; i < frame->count; ++i)
            to[starts[frame->key[from[i]] >> shift & 0xff]++] = from[i];
        int32_t* const sorted = to;
        to = from;
        from = sorted;
    }
    for (int32_t i = 0; i < frame->count; ++i)
        TH_ITEMS(pairs->rank, int32_t)[from[i]] = i;
}

// What the two loops over rows share.
typedef struct PairSearch {
    const thFrame* frame;
    float distance;
    const int32_t* rank;
    int32_t* start;
    thAgentPair* pairs; // NULL: they are counted
    int32_t* seconds;   // the rows that belong to `pairs`, before they are paired
} PairSearch;

static void searchRows(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const PairSearch* all = context;
    const thFrame* frame = all->frame;
    for (int32_t row = begin; row < end; ++row) {
        int32_t* start = &all->start[all->rank[row]];
        Disc disc =
            makeDisc(frame, frame->level[row], frame->px[row], frame->py[row], all->distance);
        disc.above = &frame->key[row];
        const bool isThere = (frame->flags[row] & th_agentAlive) != 0;
        if (all->pairs == NULL) {
            if (isThere)
                search(&disc);
            start[1] = disc.count;
            continue;
        }
        const int32_t count = start[1] - start[0];
        if (count == 0)
            continue;
        int32_t* seconds = all->seconds + start[0];
        findInDisc(&disc, seconds, count);
        for (int32_t k = 0; k < count; ++k)
            all->pairs[start[0] + k] = (thAgentPair){row, seconds[k]};
    }
}

static thResult findPairs(thAgentPairs* pairs, const thFrame* frame, float distance,
                          const thTasks* tasks)
{
    TH_TRY(makeRoom(&pairs->order, frame->count));
    TH_TRY(makeRoom(&pairs->spare, frame->count));
    TH_TRY(makeRoom(&pairs->rank, frame->count));
    TH_TRY(makeRoom(&pairs->start, (int64_t)frame->count + 1));
    orderByKey(pairs, frame);
    int32_t* start = TH_ITEMS(pairs->start, int32_t);
    start[0] = 0;
    PairSearch all = {.frame = frame,
                      .distance = distance,
                      .rank = TH_ITEMS(pairs->rank, int32_t),
                      .start = start};
    thTasks_ParallelFor(tasks, frame->count, GRAIN, searchRows, &all);
    int64_t total = 0;
    for (int32_t i = 1; i <= frame->count; ++i) {
        total += start[i];
        if (total > INT32_MAX / 2)
            return th_resultFull;
        start[i] = (int32_t)total;
    }
    TH_TRY(makeRoom(&pairs->pairs, TH_MAX(total, 1)));
    TH_TRY(makeRoom(&pairs->spare, total)); // rows were ordered in it; that is done
    all.pairs = TH_ITEMS(pairs->pairs, thAgentPair);
    all.seconds = TH_ITEMS(pairs->spare, int32_t);
    thTasks_ParallelFor(tasks, frame->count, GRAIN, searchRows, &all);
    pairs->pairs.count = (int32_t)total;
    return th_resultOk;
}

thResult thAgentPairs_Find(thAgentPairs* pairs, const thFrame* frame, float distance,
                           const thTasks* tasks)
{
    TH_REQUIRE(pairs != NULL && frame != NULL && tasks != NULL, th_resultBadArgument);
    TH_REQUIRE(isDistance(distance), th_resultBadArgument);
    pairs->pairs.count = 0;
    return frame->count > 0 ? findPairs(pairs, frame, distance, tasks) : th_resultOk;
}

const thAgentPair* thAgentPairs_Get(const thAgentPairs* pairs, int32_t* count)
{
    TH_REQUIRE(pairs != NULL && count != NULL, NULL);
    *count = pairs->pairs.count;
    return TH_ITEMS(pairs->pairs, thAgentPair);
}
