// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The cells of each class of reach. A layer's agents are sorted by the code of their cell: least
// digit first, each pass with a histogram per chunk, prefix sums and a scatter; so cost and memory
// do not depend on how far apart agents are. Within a cell they then come into key order, and the
// order of rows shows nowhere.

#include "base/hash.h"
#include "geom/fixed.h"
#include "move/contact_internal.h"
#include "simd/dispatch.h"

#include <string.h>

#define DIGIT_BITS 11
#define PILE 16              // agents in a cell who are no pile, whatever is around
#define PILE_PAIRS (1 << 18) // that many pairs of one cell are taken on in a step

// Cells are counted from the lowest coordinate there is, so they stand still in the world.
static uint32_t cellAlong(const thContactLayer* layer, int32_t at)
{
    const uint32_t offset = (uint32_t)at ^ 0x80000000u;
    const uint32_t cell = (uint32_t)((uint64_t)offset * layer->perSide >> 32);
    return cell + (offset - cell * layer->side >= layer->side); // the inverse is rounded down
}

static uint64_t codeAt(const thContactLayer* layer, const thContacts* contacts, int32_t level,
                       int32_t x, int32_t y)
{
    const uint64_t floor = (uint64_t)(level - contacts->extent.lowLevel);
    const uint64_t row = cellAlong(layer, y) - layer->minRow + 1;
    return (floor * layer->rows + row) * layer->columns + cellAlong(layer, x) - layer->minColumn +
           1;
}

uint64_t thiContactCode(const thContactLayer* layer, const thContacts* contacts, int32_t row)
{
    const thRows* rows = contacts->task->rows;
    return codeAt(layer, contacts, rows->level[row], rows->px[row], rows->py[row]);
}

static int32_t bitsOf(uint64_t value)
{
    return value == 0 ? 0 : 64 - __builtin_clzll(value);
}

static uint64_t largestCode(const thContactLayer* layer, const thContacts* contacts)
{
    return (uint64_t)(contacts->extent.highLevel - contacts->extent.lowLevel + 1) * layer->rows *
           layer->columns;
}

// Cells twice as wide as the class reaches; wider still if a code and a row do not fit into 64
// bits.
static void layCells(thContactLayer* layer, const thContacts* contacts, int32_t rowBits)
{
    for (uint64_t side = (uint64_t)(2 * contacts->reach0) << layer->class;; side *= 2) {
        layer->side = (uint32_t)side;
        layer->perSide = (uint32_t)(((uint64_t)1 << 32) / side);
        layer->minColumn = cellAlong(layer, contacts->extent.lowX);
        layer->minRow = cellAlong(layer, contacts->extent.lowY);
        // One free cell on both sides: what is next to a code is next to the cell or free.
        layer->columns = (uint64_t)cellAlong(layer, contacts->extent.highX) - layer->minColumn + 3;
        layer->rows = (uint64_t)cellAlong(layer, contacts->extent.highY) - layer->minRow + 3;
        if (bitsOf(largestCode(layer, contacts)) + rowBits <= 64)
            return;
    }
}

typedef struct Build {
    thContacts* contacts;
    thContactLayer* layer;
    int32_t rowCount, rowBits;
    int32_t shift, digitBits; // of the current pass
    int32_t chunkCount;
    bool compact;          // items follow each other, not only within chunks of rows
    const uint64_t* items; // read in the current pass
    uint64_t* to;
    int32_t entryCount;
    atomic_bool hasPiles;
} Build;

static uint64_t nearSlot(uint64_t code)
{
    return thiMix(code) >> (64 - TH_NEAR_BITS);
}

// Notes all cells next to agents of the layer's own class.
static void markNear(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Build* build = context;
    thContacts* contacts = build->contacts;
    for (int32_t row = begin; row < end; ++row) {
        if (contacts->classes[row] != build->layer->class)
            continue;
        const uint64_t code = thiContactCode(build->layer, contacts, row);
        for (uint64_t i = 0; i < 9; ++i) {
            const uint64_t slot = nearSlot(code + (i / 3) * build->layer->columns + i % 3 -
                                           build->layer->columns - 1);
            atomic_fetch_or_explicit(&contacts->near[slot / 64], UINT64_C(1) << slot % 64,
                                     memory_order_relaxed);
        }
    }
}

static bool isNear(const thContacts* contacts, uint64_t code)
{
    const uint64_t slot = nearSlot(code);
    return (atomic_load_explicit(&contacts->near[slot / 64], memory_order_relaxed) >> slot % 64 &
            1) != 0;
}

static int32_t* countsOf(const Build* build, int32_t chunk)
{
    return TH_ITEMS(build->contacts->chunkCounts, int32_t) + ((size_t)chunk << build->digitBits);
}

// The digit of the current pass. A copy stays in registers while counts are written.
typedef struct Digit {
    int32_t shift;
    uint32_t mask;
} Digit;

static Digit digitOf(const Build* build)
{
    return (Digit){build->shift, (1u << build->digitBits) - 1u};
}

static inline uint32_t valueOf(Digit digit, uint64_t item)
{
    return (uint32_t)(item >> digit.shift) & digit.mask;
}

// The items of a chunk of rows, at the chunk's place.
static void makeItems(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Build* build = context;
    thContacts* contacts = build->contacts;
    const thContactLayer layer = *build->layer;
    for (int32_t chunk = begin; chunk < end; ++chunk) {
        const int32_t first = chunk * TH_CONTACT_CHUNK;
        const int32_t last = TH_MIN(build->rowCount, first + TH_CONTACT_CHUNK);
        int32_t count = 0;
        for (int32_t row = first; row < last; ++row) {
            if (contacts->classes[row] > layer.class) // the dead too
                continue;
            const uint64_t code = thiContactCode(&layer, contacts, row);
            if (contacts->classes[row] < layer.class && !isNear(contacts, code))
                continue;
            build->to[first + count] = code << build->rowBits | (uint64_t)row;
            count += 1;
        }
        TH_ITEMS(contacts->chunkSizes, int32_t)[chunk] = count;
    }
}

// Items of a chunk.
static int32_t chunkSize(const Build* build, int32_t chunk)
{
    return build->compact ? TH_MIN(TH_CONTACT_CHUNK, build->entryCount - chunk * TH_CONTACT_CHUNK)
                          : TH_ITEMS(build->contacts->chunkSizes, int32_t)[chunk];
}

static void countDigits(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Build* build = context;
    const Digit digit = digitOf(build);
    for (int32_t chunk = begin; chunk < end; ++chunk) {
        int32_t* counts = countsOf(build, chunk);
        memset(counts, 0, sizeof *counts << build->digitBits);
        const uint64_t* items = build->items + (size_t)chunk * TH_CONTACT_CHUNK;
        const int32_t size = chunkSize(build, chunk);
        for (int32_t i = 0; i < size; ++i)
            counts[valueOf(digit, items[i])] += 1;
    }
}

static void addUpDigits(const Build* build)
{
    int32_t sum = 0;
    for (int32_t digit = 0; digit < 1 << build->digitBits; ++digit) {
        for (int32_t chunk = 0; chunk < build->chunkCount; ++chunk) {
            int32_t* count = &countsOf(build, chunk)[digit];
            const int32_t here = *count;
            *count = sum;
            sum += here;
        }
    }
}

static void scatterItems(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Build* build = context;
    const Digit digit = digitOf(build);
    uint64_t* to = build->to;
    for (int32_t chunk = begin; chunk < end; ++chunk) {
        int32_t* places = countsOf(build, chunk);
        const uint64_t* items = build->items + (size_t)chunk * TH_CONTACT_CHUNK;
        const int32_t size = chunkSize(build, chunk);
        for (int32_t i = 0; i < size; ++i)
            to[places[valueOf(digit, items[i])]++] = items[i];
    }
}

static int32_t chunksFor(int32_t count)
{
    return (count + TH_CONTACT_CHUNK - 1) / TH_CONTACT_CHUNK;
}

// Afterwards `build->items` are all of them by code, rows of one code in any order.
static thResult sortItems(Build* build)
{
    thContacts* contacts = build->contacts;
    const thTasks* tasks = contacts->tasks;
    build->chunkCount = chunksFor(build->rowCount);
    TH_TRY(thiReserveAmply(&contacts->chunkSizes, build->chunkCount));
    build->to = contacts->items[0];
    thTasks_ParallelFor(tasks, build->chunkCount, 1, makeItems, build);
    for (int32_t chunk = 0; chunk < build->chunkCount; ++chunk)
        build->entryCount += TH_ITEMS(contacts->chunkSizes, int32_t)[chunk];
    const int32_t codeBits = bitsOf(largestCode(build->layer, contacts));
    const int32_t passes = (codeBits + DIGIT_BITS - 1) / DIGIT_BITS;
    build->digitBits = (codeBits + passes - 1) / passes;
    TH_TRY(thiReserveAmply(&contacts->chunkCounts, (int64_t)build->chunkCount << build->digitBits));
    for (int32_t pass = 0; pass < passes; ++pass) {
        build->items = contacts->items[pass % 2];
        build->to = contacts->items[1 - pass % 2];
        build->shift = build->rowBits + pass * build->digitBits;
        thTasks_ParallelFor(tasks, build->chunkCount, 1, countDigits, build);
        addUpDigits(build);
        thTasks_ParallelFor(tasks, build->chunkCount, 1, scatterItems, build);
        build->compact = true;
        build->chunkCount = chunksFor(build->entryCount);
    }
    build->items = contacts->items[passes % 2];
    return th_resultOk;
}

static uint64_t codeOf(const Build* build, int32_t entry)
{
    return build->items[entry] >> build->rowBits;
}

static bool startsCell(const Build* build, int32_t entry)
{
    return entry == 0 || codeOf(build, entry) != codeOf(build, entry - 1);
}

static void countCells(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Build* build = context;
    for (int32_t chunk = begin; chunk < end; ++chunk) {
        const int32_t first = chunk * TH_CONTACT_CHUNK;
        int32_t count = 0;
        for (int32_t i = first; i < first + chunkSize(build, chunk); ++i)
            count += startsCell(build, i);
        TH_ITEMS(build->contacts->chunkSizes, int32_t)[chunk] = count;
    }
}

static void setCell(const Build* build, int32_t cell, uint64_t code, int32_t item)
{
    thContactCell* to = &thiContactCells(build->contacts)[cell];
    to->code = code;
    to->first = build->layer->firstEntry + item;
    to->firstPair = -1;
    to->pairCount = 0;
    to->layer = (uint8_t)(build->layer - build->contacts->layers);
    atomic_init(&to->listed, 0);
    atomic_init(&to->roomy, TH_ROOMY_UNKNOWN);
}

// Order within a cell: the layer's own class first, then by key.
static bool comesBefore(const Build* build, int32_t a, int32_t b)
{
    const bool ownA = thiIsOwn(build->contacts, build->layer, a);
    const bool ownB = thiIsOwn(build->contacts, build->layer, b);
    const uint64_t* keys = build->contacts->task->rows->key;
    return ownA != ownB ? ownA : keys[a] < keys[b];
}

// Moves the row at `at` down to its place in a heap with the last one on top.
static void siftDown(const Build* build, int32_t* rows, int32_t at, int32_t count)
{
    for (int32_t child = 2 * at + 1; child < count; at = child, child = 2 * at + 1) {
        if (child + 1 < count && comesBefore(build, rows[child], rows[child + 1]))
            child += 1;
        if (!comesBefore(build, rows[at], rows[child]))
            return;
        const int32_t row = rows[at];
        rows[at] = rows[child];
        rows[child] = row;
    }
}

static void sortCell(const Build* build, int32_t* rows, int32_t count)
{
    if (count > PILE) {
        for (int32_t at = count / 2 - 1; at >= 0; --at)
            siftDown(build, rows, at, count);
        for (int32_t last = count - 1; last > 0; --last) {
            const int32_t row = rows[0];
            rows[0] = rows[last];
            rows[last] = row;
            siftDown(build, rows, 0, last);
        }
        return;
    }
    for (int32_t i = 1; i < count; ++i) {
        const int32_t row = rows[i];
        int32_t at = i;
        for (; at > 0 && comesBefore(build, row, rows[at - 1]); --at)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

static void fillEntry(thContacts* contacts, int32_t entry)
{
    const int32_t row = TH_ITEMS(contacts->entryRow, int32_t)[entry];
    const thBody* body = &contacts->bodies[row];
    TH_ITEMS(contacts->entryX, int32_t)[entry] = contacts->task->x[row];
    TH_ITEMS(contacts->entryY, int32_t)[entry] = contacts->task->y[row];
    TH_ITEMS(contacts->entryRadius, float)
    [entry] = body->budget < body->radius ? (float)body->radius : TH_QUICK_RADIUS;
}

// The cells that begin in a chunk of items, and their entries.
static void fillCells(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    Build* build = context;
    thContacts* contacts = build->contacts;
    const uint64_t* items = build->items;
    const uint64_t rowMask = (UINT64_C(1) << build->rowBits) - 1;
    int32_t* rows = TH_ITEMS(contacts->entryRow, int32_t) + build->layer->firstEntry;
    int32_t* cellOf = TH_ITEMS(contacts->entryCell, int32_t) + build->layer->firstEntry;
    for (int32_t chunk = begin; chunk < end; ++chunk) {
        int32_t cell = TH_ITEMS(contacts->chunkSizes, int32_t)[chunk];
        int32_t first = chunk * TH_CONTACT_CHUNK;
        const int32_t chunkEnd = first + chunkSize(build, chunk);
        while (first < chunkEnd && !startsCell(build, first))
            ++first;
        while (first < chunkEnd) {
            const uint64_t code = codeOf(build, first);
            int32_t last = first;
            do {
                rows[last] = (int32_t)(items[last] & rowMask);
                ++last;
            } while (last < build->entryCount && codeOf(build, last) == code);
            setCell(build, cell, code, first);
            sortCell(build, rows + first, last - first);
            if (last - first > PILE)
                atomic_store_explicit(&build->hasPiles, true, memory_order_relaxed);
            for (; first < last; ++first) {
                cellOf[first] = cell;
                fillEntry(contacts, build->layer->firstEntry + first);
            }
            ++cell;
        }
    }
}

// Entries in the rows of cells to the south, of the cell itself, and to the north.
static int64_t entriesAround(const thContacts* contacts, const thContactLayer* layer, int32_t cell)
{
    const thContactCell* cells = thiContactCells(contacts);
    const uint64_t code = cells[cell].code;
    const int32_t west =
        cell > layer->firstCell && cells[cell - 1].code == code - 1 ? cell - 1 : cell;
    const int32_t south = thiSouthOf(contacts, cell), north = thiNorthOf(contacts, cell);
    return (int64_t)cells[thiCellsUpTo(cells, south, code - layer->columns + 1)].first -
           cells[south].first + cells[thiCellsUpTo(cells, cell, code + 1)].first -
           cells[west].first + cells[thiCellsUpTo(cells, north, code + layer->columns + 1)].first -
           cells[north].first;
}

static void holdEntry(thContacts* contacts, int32_t entry)
{
    const int32_t row = TH_ITEMS(contacts->entryRow, int32_t)[entry];
    contacts->bodies[row] = (thBody){0.0f, 0.0f, 0, contacts->bodies[row].radius};
    contacts->task->x[row] = contacts->task->rows->px[row];
    contacts->task->y[row] = contacts->task->rows->py[row];
    fillEntry(contacts, entry);
}

// Of a pile of agents, more than bodies that do not overlap could be, only some move in a step:
// otherwise there would be pairs without end.
static void thinOutPiles(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Build* build = context;
    thContacts* contacts = build->contacts;
    const thContactCell* cells = thiContactCells(contacts);
    for (int32_t i = begin; i < end; ++i) {
        const int32_t cell = build->layer->firstCell + i;
        const int32_t first = cells[cell].first, count = cells[cell + 1].first - first;
        if (count <= PILE)
            continue;
        const int64_t around = entriesAround(contacts, build->layer, cell);
        const int64_t moving = TH_MAX(PILE_PAIRS / around, 1);
        if (count <= moving)
            continue;
        const uint64_t turn = contacts->task->step * (uint64_t)moving % (uint64_t)count;
        for (int32_t k = 0; k < count; ++k)
            if (((uint64_t)(k + count) - turn) % (uint64_t)count >= (uint64_t)moving)
                holdEntry(contacts, first + k);
    }
}

static thResult reserveEntries(thContacts* contacts, int64_t count)
{
    thArray* columns[] = {&contacts->entryRow, &contacts->entryCell, &contacts->entryX,
                          &contacts->entryY, &contacts->entryRadius};
    for (int32_t i = 0; i < (int32_t)(sizeof columns / sizeof *columns); ++i) {
        TH_TRY(thiReserveAmply(columns[i], count + TH_MAX_WIDTH));
        columns[i]->count = (int32_t)count;
    }
    return th_resultOk;
}

static thResult makeCells(Build* build)
{
    thContacts* contacts = build->contacts;
    thContactLayer* layer = build->layer;
    layer->firstEntry = contacts->entryRow.count;
    layer->firstCell = contacts->cells.count;
    thTasks_ParallelFor(contacts->tasks, build->chunkCount, 1, countCells, build);
    int32_t* sizes = TH_ITEMS(contacts->chunkSizes, int32_t);
    int32_t sum = layer->firstCell;
    for (int32_t chunk = 0; chunk < build->chunkCount; ++chunk) {
        const int32_t here = sizes[chunk];
        sizes[chunk] = sum;
        sum += here;
    }
    TH_TRY(thiReserveAmply(&contacts->cells, (int64_t)sum + 1));
    TH_TRY(reserveEntries(contacts, (int64_t)layer->firstEntry + build->entryCount));
    contacts->cells.count = sum + 1;
    layer->cellCount = sum - layer->firstCell;
    thTasks_ParallelFor(contacts->tasks, build->chunkCount, 1, fillCells, build);
    setCell(build, sum, UINT64_MAX, build->entryCount);
    for (int32_t i = 0; i < TH_MAX_WIDTH; ++i) // in no cell, for kernels that read over the end
        TH_ITEMS(contacts->entryCell, int32_t)[contacts->entryCell.count + i] = INT32_MAX;
    if (layer->class == 0 && atomic_load_explicit(&build->hasPiles, memory_order_relaxed))
        thTasks_ParallelFor(contacts->tasks, layer->cellCount, TH_CONTACT_CHUNK / 4, thinOutPiles,
                            build);
    return th_resultOk;
}

static thResult buildLayer(thContacts* contacts, int32_t class)
{
    thContactLayer* layer = &contacts->layers[contacts->layerCount];
    *layer = (thContactLayer){.class = class};
    const int32_t rowCount = contacts->task->rows->count;
    Build build = {.contacts = contacts,
                   .layer = layer,
                   .rowCount = rowCount,
                   .rowBits = bitsOf((uint64_t)rowCount),
                   .hasPiles = false};
    layCells(layer, contacts, build.rowBits);
    if (class > 0) {
        for (int32_t i = 0; i < 1 << (TH_NEAR_BITS - 6); ++i)
            atomic_store_explicit(&contacts->near[i], 0, memory_order_relaxed);
        thTasks_ParallelFor(contacts->tasks, rowCount, TH_CONTACT_CHUNK, markNear, &build);
    }
    TH_TRY(sortItems(&build));
    TH_TRY(makeCells(&build));
    contacts->layerCount += 1;
    return th_resultOk;
}

// The first of the cells `low` to `high` − 1 whose code is not below, `high` if there is none.
static int32_t lowerCell(const thContactCell* cells, int32_t low, int32_t high, uint64_t code)
{
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (cells[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int32_t thiLowerContactCell(const thContacts* contacts, const thContactLayer* layer, uint64_t code)
{
    return lowerCell(thiContactCells(contacts), layer->firstCell,
                     layer->firstCell + layer->cellCount, code);
}

// A row of cells away: between there and here are at most as many cells as codes.
int32_t thiNorthOf(const thContacts* contacts, int32_t cell)
{
    const thContactCell* cells = thiContactCells(contacts);
    const thContactLayer* layer = &contacts->layers[cells[cell].layer];
    const int64_t end =
        TH_MIN((int64_t)layer->firstCell + layer->cellCount, cell + (int64_t)layer->columns);
    return lowerCell(cells, cell, (int32_t)end, cells[cell].code + layer->columns - 1);
}

int32_t thiSouthOf(const thContacts* contacts, int32_t cell)
{
    const thContactCell* cells = thiContactCells(contacts);
    const thContactLayer* layer = &contacts->layers[cells[cell].layer];
    const int64_t begin = TH_MAX((int64_t)layer->firstCell, cell - (int64_t)layer->columns - 1);
    return lowerCell(cells, (int32_t)begin, cell, cells[cell].code - layer->columns - 1);
}

thResult thiContactCellsBuild(thContacts* contacts)
{
    contacts->layerCount = 0;
    contacts->cells.count = 0;
    contacts->entryRow.count = contacts->entryCell.count = contacts->entryX.count = 0;
    contacts->entryY.count = contacts->entryRadius.count = 0;
    uint32_t classes;
    if (thiMakeBodies(contacts, &classes) < 2)
        return th_resultOk;
    for (int32_t class = 0; class < TH_CONTACT_CLASSES; ++class)
        if ((classes >> class & 1u) != 0)
            TH_TRY(buildLayer(contacts, class));
    return th_resultOk;
}
