// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How the grid sorts agents into cells, and finds them there. The sort runs in three passes, all
// parallel, the first two stable:
//
//   1. rows into grid rows: a histogram per chunk of old rows, prefix sums, scatter of row numbers
//   2. each grid row by itself: its rows into cells, cells into key order
//   3. all columns are moved
//
// Few agents change their cell in a step, so that pass 3 reads almost in order. Because the final
// order (floor, cell row, cell column, key) is total, neither the number of chunks nor the former
// order of rows shows in the result.

#include "space/grid.h"

#include "base/memory.h"
#include "geom/fixed.h"

#include <math.h>
#include <string.h>

#define LEVEL_WORDS (65536 / 64)
#define CELL_TARGET (6.5 / TH_CELL_ASPECT)  // agents in a cell, for the speed of the search
#define CELL_TOLERANCE 2.25                 // the size may be off by 1.5 before it is chosen anew
#define MIN_WIDTH 2048.0                    // 1/32 m
#define MAX_WIDTH (0x1p21 / TH_CELL_ASPECT) // 32 m high: a block of cells fits exact floats
#define CHUNK_ROWS 4096

// What one worker learns about the rows it sees.
typedef struct Survey {
    thRowSummary rows;
    int64_t squares; // sum over its cells of the square of their count
} Survey;

struct thGridWorker {
    Survey surveys[th_sizeClassCount];
    uint64_t levels[LEVEL_WORDS];
    thArray crowded; // thCrowdedCell
    thArena scratch;
    bool unknownLevel;
    bool outOfMemory;
};

typedef struct Sort {
    thGrid* grid;
    const thRows* from;
    thRows* to;
    int32_t* bucket; // old rows, by grid row: a column of `to`, which pass 3 is the first to need
    int32_t chunkRows, chunkCount;
    int32_t rowCount;
    thSimd simd;
} Sort;

static thMoveRowsFcn* const moveKernels[th_simdCount] = TH_KERNEL_TABLE(thiMoveRows);

// Of `order`.
static size_t tableBytes(int32_t capacity)
{
    return ((size_t)capacity + TH_MAX_WIDTH) * sizeof(int32_t);
}

thResult thiGridInit(thGrid* grid, thMemory* memory, int32_t workerCount)
{
    *grid = (thGrid){.memory = memory,
                     .levels = thiArray(memory, sizeof(uint16_t)),
                     .bucketStart = thiArray(memory, sizeof(int32_t)),
                     .cellStart = thiArray(memory, sizeof(int32_t)),
                     .cellColumn = thiArray(memory, sizeof(int32_t)),
                     .cellFirst = thiArray(memory, sizeof(int32_t)),
                     .cellCount = thiArray(memory, sizeof(int32_t)),
                     .chunkCounts = thiArray(memory, sizeof(int32_t)),
                     .workers = thiArray(memory, sizeof(thGridWorker)),
                     .trees = thiCellTrees(memory)};
    thGridWorker* workers = thiArrayAdd(&grid->workers, workerCount);
    if (workers == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < workerCount; ++i) {
        memset(&workers[i], 0, sizeof workers[i]);
        workers[i].crowded = thiArray(memory, sizeof(thCrowdedCell));
        thiArenaInit(&workers[i].scratch, memory);
    }
    return th_resultOk;
}

void thiGridFree(thGrid* grid)
{
    for (int32_t i = 0; i < grid->workers.count; ++i) {
        thGridWorker* worker = &TH_ITEMS(grid->workers, thGridWorker)[i];
        thiArrayFree(&worker->crowded);
        thiArenaFree(&worker->scratch);
    }
    thiArrayFree(&grid->levels);
    thiArrayFree(&grid->bucketStart);
    thiArrayFree(&grid->cellStart);
    thiArrayFree(&grid->cellColumn);
    thiArrayFree(&grid->cellFirst);
    thiArrayFree(&grid->cellCount);
    thiArrayFree(&grid->chunkCounts);
    thiArrayFree(&grid->workers);
    thiCellTreesFree(&grid->trees);
    thiRelease(grid->memory, grid->order, tableBytes(grid->capacity));
    grid->order = NULL;
    grid->capacity = 0;
}

size_t thiGridBytes(const thGrid* grid)
{
    const thArray* arrays[] = {&grid->levels,      &grid->bucketStart, &grid->cellStart,
                               &grid->cellColumn,  &grid->cellFirst,   &grid->cellCount,
                               &grid->chunkCounts, &grid->workers,     &grid->trees.cells,
                               &grid->trees.nodes, &grid->trees.rows};
    size_t bytes = grid->capacity > 0 ? tableBytes(grid->capacity) : 0;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
        bytes += thiArrayBytes(arrays[i]);
    for (int32_t i = 0; i < grid->workers.count; ++i)
        bytes += thiArrayBytes(&TH_ITEMS(grid->workers, thGridWorker)[i].crowded);
    return bytes;
}

thResult thiGridReserve(thGrid* grid, int32_t capacity)
{
    if (capacity <= grid->capacity)
        return th_resultOk;
    int32_t* order = thiAllocate(grid->memory, tableBytes(capacity));
    if (order == NULL)
        return th_resultNoMemory;
    thiRelease(grid->memory, grid->order, tableBytes(grid->capacity));
    grid->order = order;
    grid->capacity = capacity;
    return th_resultOk;
}

int32_t thiLevelIndex(const thGrid* grid, int32_t level)
{
    const uint16_t* levels = TH_ITEMS(grid->levels, uint16_t);
    int32_t low = 0, high = grid->levels.count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (levels[middle] < level)
            low = middle + 1;
        else
            high = middle;
    }
    return low < grid->levels.count && levels[low] == level ? low : -1;
}

static thSizeClass sizeClass(float radius)
{
    return radius > TH_LARGE_RADIUS ? th_sizeLarge : th_sizeSmall;
}

static void resetWorkers(thGrid* grid)
{
    for (int32_t w = 0; w < grid->workers.count; ++w) {
        thGridWorker* worker = &TH_ITEMS(grid->workers, thGridWorker)[w];
        for (int32_t c = 0; c < th_sizeClassCount; ++c)
            worker->surveys[c] = (Survey){TH_NO_ROWS, 0};
        worker->crowded.count = 0;
        worker->unknownLevel = false;
        worker->outOfMemory = false;
    }
}

// Bounds and floors of all living rows, when nothing is known about them yet.
static void surveyRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Sort* sort = context;
    thGridWorker* worker = &TH_ITEMS(sort->grid->workers, thGridWorker)[workerIndex];
    const thRows* rows = sort->from;
    int32_t lastLevel = -1;
    for (int32_t i = begin; i < end; ++i) {
        if (rows->flags[i] == 0)
            continue;
        const thRowSummary row = {.count = 1,
                                  .lowX = rows->px[i],
                                  .lowY = rows->py[i],
                                  .highX = rows->px[i],
                                  .highY = rows->py[i],
                                  .commonLayers = rows->layers[i],
                                  .commonMask = rows->mask[i],
                                  .minRadius = rows->radius[i],
                                  .maxRadius = rows->radius[i],
                                  .minYield = rows->yield[i],
                                  .maxYield = rows->yield[i]};
        thiJoinSummaries(&worker->surveys[sizeClass(rows->radius[i])].rows, &row);
        if (rows->level[i] != lastLevel) {
            lastLevel = rows->level[i];
            worker->levels[lastLevel / 64] |= UINT64_C(1) << (lastLevel % 64);
        }
    }
}

static Survey joinSurveys(const thGrid* grid, thSizeClass class)
{
    Survey all = {TH_NO_ROWS, 0};
    for (int32_t w = 0; w < grid->workers.count; ++w) {
        const Survey* part = &TH_ITEMS(grid->workers, thGridWorker)[w].surveys[class];
        thiJoinSummaries(&all.rows, &part->rows);
        all.squares += part->squares;
    }
    return all;
}

static thResult joinLevels(thGrid* grid)
{
    TH_TRY(thiArrayReserve(&grid->levels, 64));
    grid->levels.count = 0;
    thGridWorker* workers = TH_ITEMS(grid->workers, thGridWorker);
    for (int32_t word = 0; word < LEVEL_WORDS; ++word) {
        uint64_t bits = 0;
        for (int32_t w = 0; w < grid->workers.count; ++w) {
            bits |= workers[w].levels[word];
            workers[w].levels[word] = 0;
        }
        for (; bits != 0; bits &= bits - 1) {
            uint16_t* level = thiArrayAdd(&grid->levels, 1);
            if (level == NULL)
                return th_resultNoMemory;
            *level = (uint16_t)(word * 64 + __builtin_ctzll(bits));
        }
    }
    return th_resultOk;
}

// Width of the cells for the next sort. It only decides speed, so plain doubles will do.
static double chooseWidth(const thCellMap* map, const Survey* survey)
{
    const double count = (double)survey->rows.count;
    double width = map->width;
    if (map->width == 0) {
        const double extentX = (double)survey->rows.highX - survey->rows.lowX + 1.0;
        const double extentY = (double)survey->rows.highY - survey->rows.lowY + 1.0;
        width = sqrt(CELL_TARGET / TH_CELL_ASPECT * extentX * extentY / count);
    } else if (survey->squares > 0) {
        // For agents scattered at random the mean of (count of one's own cell) is density + 1.
        const double density = TH_MAX((double)survey->squares / count - 1.0, 0.01);
        if (density > CELL_TARGET * CELL_TOLERANCE || density * CELL_TOLERANCE < CELL_TARGET) {
            const double factor = sqrt(CELL_TARGET / density);
            width *= TH_MIN(TH_MAX(factor, 0.25), 2.0);
        }
    }
    return TH_MIN(TH_MAX(width, MIN_WIDTH), MAX_WIDTH);
}

static uint32_t inverseOf(uint32_t size)
{
    return (uint32_t)(((uint64_t)1 << 32) / size);
}

// Lays a map over a box. Memory stays in proportion to the number of agents: cells get higher until
// there are few enough grid rows, and a table of all cells is made only if it is small.
static void layMap(thCellMap* map, const Survey* survey, int32_t levelCount)
{
    if (survey->rows.count == 0) {
        *map = (thCellMap){.columns = 1, .rowsPerLevel = 1, .dense = true};
        return;
    }
    const uint32_t width = (uint32_t)chooseWidth(map, survey);
    uint32_t height = TH_CELL_ASPECT * width;
    const int64_t extentX = (int64_t)survey->rows.highX - survey->rows.lowX;
    const int64_t extentY = (int64_t)survey->rows.highY - survey->rows.lowY;
    const int64_t rowLimit = survey->rows.count + 65536;
    while (height < (1u << 30) && (extentY / height + 1) * levelCount > rowLimit)
        height += height / 2;
    map->agentCount = (int32_t)survey->rows.count;
    map->minX = survey->rows.lowX;
    map->minY = survey->rows.lowY;
    map->width = width;
    map->height = height;
    map->aside = (int32_t)((height + width - 1) / width);
    map->perWidth = inverseOf(width);
    map->perHeight = inverseOf(height);
    map->columns = (int32_t)(extentX / width + 1);
    map->rowsPerLevel = (int32_t)(extentY / height + 1);
    const int64_t cells = (int64_t)map->columns * map->rowsPerLevel * levelCount;
    map->dense = cells <= 4 * survey->rows.count + 65536;
}

// Sizes of all tables for the maps as they are. Contents are undefined.
static thResult makeTables(thGrid* grid)
{
    const int32_t levelCount = TH_MAX(grid->levels.count, 1);
    int64_t gridRows = 0, cells = 0;
    bool sparse = false;
    for (int32_t c = 0; c < th_sizeClassCount; ++c) {
        thCellMap* map = &grid->maps[c];
        map->firstGridRow = (int32_t)gridRows;
        map->firstCell = cells;
        const int64_t mapRows = map->agentCount > 0 ? (int64_t)map->rowsPerLevel * levelCount : 0;
        gridRows += mapRows;
        if (map->dense)
            cells += mapRows * ((int64_t)map->columns + 1);
        sparse = sparse || !map->dense;
    }
    grid->gridRowCount = (int32_t)gridRows;
    TH_TRY(thiArrayReserveAmply(&grid->bucketStart, gridRows + 1));
    TH_TRY(thiArrayReserveAmply(&grid->cellStart, cells));
    if (sparse) {
        TH_TRY(thiArrayReserveAmply(&grid->cellCount, gridRows));
        TH_TRY(thiArrayReserve(&grid->cellColumn, grid->capacity));
        TH_TRY(thiArrayReserve(&grid->cellFirst, grid->capacity));
    }
    return th_resultOk;
}

static int32_t gridRowOf(const thGrid* grid, const thRows* rows, int32_t row, int32_t* level,
                         int32_t* levelIndex)
{
    if (rows->level[row] != *level) {
        *level = rows->level[row];
        *levelIndex = thiLevelIndex(grid, *level);
    }
    const thCellMap* map = &grid->maps[sizeClass(rows->radius[row])];
    if (*levelIndex < 0 || map->agentCount == 0)
        return -1;
    return map->firstGridRow + *levelIndex * map->rowsPerLevel + thiCellRow(map, rows->py[row]);
}

// Pass 1a. Leaves the grid row of each old row in `order`, which is not needed before pass 2.
static void countRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Sort* sort = context;
    thGrid* grid = sort->grid;
    const thRows* rows = sort->from;
    for (int32_t chunk = begin; chunk < end; ++chunk) {
        int32_t* counts = TH_BEHIND(TH_ITEMS(grid->chunkCounts, int32_t),
                                    (size_t)chunk * (size_t)grid->gridRowCount);
        if (grid->gridRowCount > 0) // there may be dead rows only
            memset(counts, 0, (size_t)grid->gridRowCount * sizeof *counts);
        const int32_t last = TH_MIN(sort->rowCount, (chunk + 1) * sort->chunkRows);
        int32_t level = -1, levelIndex = -1;
        for (int32_t i = chunk * sort->chunkRows; i < last; ++i) {
            int32_t gridRow = -1;
            if (rows->flags[i] != 0) {
                gridRow = gridRowOf(grid, rows, i, &level, &levelIndex);
                if (gridRow < 0)
                    TH_ITEMS(grid->workers, thGridWorker)[workerIndex].unknownLevel = true;
                else
                    counts[gridRow] += 1;
            }
            grid->order[i] = gridRow;
        }
    }
}

// Turns counts into places: by grid row, then by chunk.
static void addUp(Sort* sort)
{
    thGrid* grid = sort->grid;
    int32_t* counts = TH_ITEMS(grid->chunkCounts, int32_t);
    int32_t* starts = TH_ITEMS(grid->bucketStart, int32_t);
    int32_t sum = 0;
    for (int32_t gridRow = 0; gridRow < grid->gridRowCount; ++gridRow) {
        starts[gridRow] = sum;
        for (int32_t chunk = 0; chunk < sort->chunkCount; ++chunk) {
            int32_t* count = &counts[(size_t)chunk * (size_t)grid->gridRowCount + (size_t)gridRow];
            const int32_t here = *count;
            *count = sum;
            sum += here;
        }
    }
    starts[grid->gridRowCount] = sum;
    grid->sortedCount = sum;
    grid->smallCount = starts[grid->maps[th_sizeLarge].firstGridRow];
}

// Pass 1b.
static void scatterRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    const Sort* sort = context;
    thGrid* grid = sort->grid;
    for (int32_t chunk = begin; chunk < end; ++chunk) {
        int32_t* places = TH_BEHIND(TH_ITEMS(grid->chunkCounts, int32_t),
                                    (size_t)chunk * (size_t)grid->gridRowCount);
        const int32_t last = TH_MIN(sort->rowCount, (chunk + 1) * sort->chunkRows);
        for (int32_t i = chunk * sort->chunkRows; i < last; ++i)
            if (grid->order[i] >= 0)
                sort->bucket[places[grid->order[i]]++] = i;
    }
}

// Key order within a cell. Rows that stayed are in order already.
static void sortCellByKey(const uint64_t* keys, int32_t* order, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        const int32_t row = order[i];
        const uint64_t key = keys[row];
        int32_t at = i;
        for (; at > 0 && keys[order[at - 1]] > key; --at)
            order[at] = order[at - 1];
        order[at] = row;
    }
}

typedef struct CellEntry {
    int32_t column;
    int32_t row;
    uint64_t key;
} CellEntry;

static bool entryIsBefore(const CellEntry* a, const CellEntry* b)
{
    return a->column != b->column ? a->column < b->column : a->key < b->key;
}

// Bottom-up merge sort; the result is in `entries`.
static void sortEntries(CellEntry* entries, CellEntry* spare, int32_t count)
{
    for (int32_t size = 1; size<count; size = size> INT32_MAX / 2 ? count : 2 * size) {
        for (int32_t begin = 0; begin < count; begin += TH_MIN(2 * size, count - begin)) {
            const int32_t middle = begin + TH_MIN(size, count - begin);
            const int32_t end = middle + TH_MIN(size, count - middle);
            int32_t a = begin, b = middle;
            for (int32_t i = begin; i < end; ++i)
                spare[i] = b >= end || (a < middle && !entryIsBefore(&entries[b], &entries[a]))
                               ? entries[a++]
                               : entries[b++];
        }
        memcpy(entries, spare, (size_t)count * sizeof *entries);
    }
}

static void noticeCell(thGridWorker* worker, Survey* survey, int32_t first, int32_t count)
{
    survey->squares += (int64_t)count * count;
    if (count > TH_CROWDED) {
        thCrowdedCell* cell = thiArrayAdd(&worker->crowded, 1);
        if (cell == NULL)
            worker->outOfMemory = true;
        else
            *cell = (thCrowdedCell){first, count, 0, 0};
    }
}

// Cells of one grid row of a dense map: a counting sort by column.
static void fillDenseRow(const Sort* sort, thGridWorker* worker, thSizeClass class, int32_t gridRow)
{
    thGrid* grid = sort->grid;
    const thCellMap* map = &grid->maps[class];
    const int32_t* starts = TH_ITEMS(grid->bucketStart, int32_t);
    const int32_t first = starts[gridRow], count = starts[gridRow + 1] - first;
    const int32_t* bucket = sort->bucket + first;
    int32_t* cells = TH_ITEMS(grid->cellStart, int32_t) + map->firstCell +
                     (int64_t)(gridRow - map->firstGridRow) * (map->columns + 1);
    thiArenaReset(&worker->scratch);
    int32_t* places = thiArenaAllocate(&worker->scratch, (size_t)map->columns * sizeof *places);
    int32_t* columns = thiArenaAllocate(&worker->scratch, (size_t)count * sizeof *columns);
    if (places == NULL || columns == NULL) {
        worker->outOfMemory = true;
        return;
    }
    memset(places, 0, (size_t)map->columns * sizeof *places);
    for (int32_t i = 0; i < count; ++i) {
        columns[i] = thiCellColumn(map, sort->from->px[bucket[i]]);
        places[columns[i]] += 1;
    }
    int32_t sum = first;
    for (int32_t c = 0; c < map->columns; ++c) {
        const int32_t here = places[c];
        cells[c] = places[c] = sum;
        sum += here;
    }
    cells[map->columns] = sum;
    for (int32_t i = 0; i < count; ++i)
        grid->order[places[columns[i]]++] = bucket[i];
    for (int32_t c = 0; c < map->columns; ++c) {
        const int32_t cellCount = cells[c + 1] - cells[c];
        if (cellCount > 1)
            sortCellByKey(sort->from->key, grid->order + cells[c], cellCount);
        noticeCell(worker, &worker->surveys[class], cells[c], cellCount);
    }
}

static void fillSparseRow(const Sort* sort, thGridWorker* worker, thSizeClass class,
                          int32_t gridRow)
{
    thGrid* grid = sort->grid;
    const thCellMap* map = &grid->maps[class];
    const int32_t* starts = TH_ITEMS(grid->bucketStart, int32_t);
    const int32_t first = starts[gridRow], count = starts[gridRow + 1] - first;
    int32_t* cellCount = &TH_ITEMS(grid->cellCount, int32_t)[gridRow];
    *cellCount = 0;
    if (count == 0)
        return;
    thiArenaReset(&worker->scratch);
    const size_t bytes = (size_t)count * sizeof(CellEntry);
    CellEntry* entries = thiArenaAllocate(&worker->scratch, bytes);
    CellEntry* spare = thiArenaAllocate(&worker->scratch, bytes);
    if (entries == NULL || spare == NULL) {
        worker->outOfMemory = true;
        return;
    }
    for (int32_t i = 0; i < count; ++i) {
        const int32_t row = sort->bucket[first + i];
        entries[i] =
            (CellEntry){thiCellColumn(map, sort->from->px[row]), row, sort->from->key[row]};
    }
    sortEntries(entries, spare, count);
    int32_t* columns = TH_ITEMS(grid->cellColumn, int32_t) + first;
    int32_t* firsts = TH_ITEMS(grid->cellFirst, int32_t) + first;
    int32_t found = 0;
    for (int32_t i = 0; i < count; ++i) {
        grid->order[first + i] = entries[i].row;
        if (found == 0 || columns[found - 1] != entries[i].column) {
            columns[found] = entries[i].column;
            firsts[found] = first + i;
            found += 1;
        }
    }
    *cellCount = found;
    for (int32_t c = 0; c < found; ++c)
        noticeCell(worker, &worker->surveys[class], firsts[c],
                   (c + 1 < found ? firsts[c + 1] : first + count) - firsts[c]);
}

// Pass 2.
static void fillRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Sort* sort = context;
    thGrid* grid = sort->grid;
    thGridWorker* worker = &TH_ITEMS(grid->workers, thGridWorker)[workerIndex];
    for (int32_t gridRow = begin; gridRow < end; ++gridRow) {
        const bool large = gridRow >= grid->maps[th_sizeLarge].firstGridRow;
        const thSizeClass class = large ? th_sizeLarge : th_sizeSmall;
        if (grid->maps[class].dense)
            fillDenseRow(sort, worker, class, gridRow);
        else
            fillSparseRow(sort, worker, class, gridRow);
    }
}

// Pass 3. A stretch may hold small and large bodies; those are summed up apart.
static void moveRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Sort* sort = context;
    thGrid* grid = sort->grid;
    thGridWorker* worker = &TH_ITEMS(grid->workers, thGridWorker)[workerIndex];
    const int32_t middle = TH_MIN(TH_MAX(grid->smallCount, begin), end);
    thMoveTask task = {sort->from, sort->to, grid->order,
                       begin,      middle,   &worker->surveys[th_sizeSmall].rows};
    if (begin < middle)
        moveKernels[sort->simd](&task);
    task.begin = middle;
    task.end = end;
    task.summary = &worker->surveys[th_sizeLarge].rows;
    if (middle < end)
        moveKernels[th_simdScalar](&task); // starts anywhere
}

// Lays both maps anew from what the workers have seen.
static thResult layMaps(thGrid* grid)
{
    for (int32_t c = 0; c < th_sizeClassCount; ++c) {
        const Survey survey = joinSurveys(grid, (thSizeClass)c);
        layMap(&grid->maps[c], &survey, TH_MAX(grid->levels.count, 1));
    }
    return makeTables(grid);
}

static thResult survey(Sort* sort, const thTasks* tasks)
{
    resetWorkers(sort->grid);
    thTasks_ParallelFor(tasks, sort->rowCount, CHUNK_ROWS, surveyRange, sort);
    TH_TRY(joinLevels(sort->grid));
    TH_TRY(layMaps(sort->grid));
    sort->grid->surveyed = true;
    return th_resultOk;
}

// Chunks for pass 1: as many as make good work for threads, while their counts stay within about
// two bytes an agent.
static thResult makeChunks(Sort* sort)
{
    thGrid* grid = sort->grid;
    const int64_t room = sort->rowCount / 2 + 65536;
    const int64_t most = TH_MAX(room / TH_MAX(grid->gridRowCount, 1), 1);
    const int64_t wanted = (sort->rowCount + CHUNK_ROWS - 1) / CHUNK_ROWS;
    const int64_t chunks = TH_MAX(TH_MIN(most, wanted), 1);
    sort->chunkRows = (int32_t)((sort->rowCount + chunks - 1) / chunks);
    sort->chunkRows = TH_MAX(sort->chunkRows, 1);
    sort->chunkCount = (sort->rowCount + sort->chunkRows - 1) / sort->chunkRows;
    return thiArrayReserveAmply(&grid->chunkCounts, (int64_t)sort->chunkCount * grid->gridRowCount);
}

static bool anyUnknownLevel(const thGrid* grid)
{
    bool any = false;
    for (int32_t w = 0; w < grid->workers.count; ++w)
        any = any || TH_ITEMS(grid->workers, thGridWorker)[w].unknownLevel;
    return any;
}

// Pass 1. Rows on a floor, or of a size, that was not there before need a new survey.
static thResult bucketRows(Sort* sort, const thTasks* tasks)
{
    for (int32_t attempt = 0; attempt < 2; ++attempt) {
        TH_TRY(makeChunks(sort));
        resetWorkers(sort->grid);
        thTasks_ParallelFor(tasks, sort->chunkCount, 1, countRange, sort);
        if (!anyUnknownLevel(sort->grid))
            break;
        TH_TRY(survey(sort, tasks));
    }
    addUp(sort);
    thTasks_ParallelFor(tasks, sort->chunkCount, 1, scatterRange, sort);
    return th_resultOk;
}

static thResult gatherCrowded(thGrid* grid)
{
    grid->trees.cells.count = 0;
    for (int32_t w = 0; w < grid->workers.count; ++w) {
        const thGridWorker* worker = &TH_ITEMS(grid->workers, thGridWorker)[w];
        if (worker->outOfMemory)
            return th_resultNoMemory;
        if (worker->crowded.count > 0) {
            thCrowdedCell* cells = thiArrayAdd(&grid->trees.cells, worker->crowded.count);
            if (cells == NULL)
                return th_resultNoMemory;
            memcpy(cells, worker->crowded.data, (size_t)worker->crowded.count * sizeof *cells);
        }
    }
    return thiCellTreesReserve(&grid->trees);
}

// Pass 2: the order of rows within each grid row.
static thResult orderRows(Sort* sort, const thTasks* tasks)
{
    thGrid* grid = sort->grid;
    const int64_t rowsPerTask = CHUNK_ROWS / 2;
    const int64_t grain = grid->gridRowCount * rowsPerTask / TH_MAX(grid->sortedCount, 1) + 1;
    thTasks_ParallelFor(tasks, grid->gridRowCount, (int32_t)grain, fillRange, sort);
    for (int32_t i = 0; i < TH_MAX_WIDTH; ++i)
        grid->order[grid->sortedCount + i] = 0; // any row: pass 3 moves whole registers
    return gatherCrowded(grid);
}

static void moveRows(Sort* sort, const thTasks* tasks)
{
    thGrid* grid = sort->grid;
    thTasks_ParallelFor(tasks, grid->sortedCount, TH_MOVE_ROWS, moveRange, sort);
    sort->to->count = grid->sortedCount;
    thRowSummary all = joinSurveys(grid, th_sizeSmall).rows;
    const thRowSummary large = joinSurveys(grid, th_sizeLarge).rows;
    thiJoinSummaries(&all, &large);
    grid->maxRadius = all.maxRadius;
    grid->plainLayers = (all.commonLayers & all.commonMask) != 0;
    grid->someHold = (all.anyFlags & th_agentHolds) != 0;
    grid->uniform =
        all.minRadius == all.maxRadius && all.minYield == all.maxYield && !grid->someHold;
    thiCellTreesBuild(&grid->trees, sort->to, tasks);
}

thResult thiGridSort(thGrid* grid, const thRows* from, thRows* to, thSimd simd,
                     const thTasks* tasks)
{
    TH_ASSERT(from->count <= grid->capacity && to->capacity >= from->count);
    Sort sort = {.grid = grid,
                 .from = from,
                 .to = to,
                 .bucket = to->goalIndex,
                 .rowCount = from->count,
                 .simd = simd};
    // Maps fit the crowd of the last sort. Where many came since, look again.
    const bool changed = from->count - grid->sortedCount > grid->sortedCount / 8;
    thResult code = !grid->surveyed || changed ? survey(&sort, tasks) : layMaps(grid);
    if (code == th_resultOk)
        code = bucketRows(&sort, tasks);
    if (code == th_resultOk)
        code = orderRows(&sort, tasks);
    if (code != th_resultOk) {
        grid->surveyed = false;
        grid->sortedCount = 0;
        grid->smallCount = 0;
        return code;
    }
    moveRows(&sort, tasks);
    return th_resultOk;
}

// First occupied cell of a sparse grid row whose column is not below `column`.
static int32_t lowerCell(const int32_t* columns, int32_t count, int32_t column)
{
    int32_t low = 0, high = count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (columns[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void thiGridRun(const thGrid* grid, const thCellMap* map, int32_t gridRow, int32_t first,
                int32_t last, int32_t* begin, int32_t* end)
{
    if (map->dense) {
        const int32_t* cells = TH_ITEMS(grid->cellStart, int32_t) + map->firstCell +
                               (int64_t)(gridRow - map->firstGridRow) * (map->columns + 1);
        *begin = cells[first];
        *end = cells[last + 1];
        return;
    }
    const int32_t start = TH_ITEMS(grid->bucketStart, int32_t)[gridRow];
    const int32_t count = TH_ITEMS(grid->cellCount, int32_t)[gridRow];
    const int32_t* columns = TH_ITEMS(grid->cellColumn, int32_t) + start;
    const int32_t* firsts = TH_ITEMS(grid->cellFirst, int32_t) + start;
    const int32_t stop = TH_ITEMS(grid->bucketStart, int32_t)[gridRow + 1];
    const int32_t low = lowerCell(columns, count, first);
    const int32_t high = lowerCell(columns, count, last + 1);
    *begin = low < count ? firsts[low] : stop;
    *end = high < count ? firsts[high] : stop;
}

int32_t thiGridRowOf(const thGrid* grid, int32_t row)
{
    const int32_t* starts = TH_ITEMS(grid->bucketStart, int32_t);
    int32_t low = 0, high = grid->gridRowCount - 1;
    while (low < high) { // the last grid row that starts at or before the row
        const int32_t middle = low + (high - low + 1) / 2;
        if (starts[middle] <= row)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void thiGridVisit(const thGrid* grid, int32_t level, int32_t lowX, int32_t lowY, int32_t highX,
                  int32_t highY, thRowRangeFcn* visit, void* context)
{
    const int32_t levelIndex = grid->sortedCount > 0 ? thiLevelIndex(grid, level) : -1;
    if (levelIndex < 0)
        return;
    for (int32_t c = 0; c < th_sizeClassCount; ++c) {
        const thCellMap* map = &grid->maps[c];
        if (map->agentCount == 0)
            continue;
        const int32_t firstColumn = thiCellColumn(map, lowX),
                      lastColumn = thiCellColumn(map, highX);
        const int32_t base = map->firstGridRow + levelIndex * map->rowsPerLevel;
        const int32_t lastRow = thiCellRow(map, highY);
        for (int32_t y = thiCellRow(map, lowY); y <= lastRow; ++y) {
            int32_t begin, end;
            thiGridRun(grid, map, base + y, firstColumn, lastColumn, &begin, &end);
            if (begin < end)
                visit(context, begin, end);
        }
    }
}
