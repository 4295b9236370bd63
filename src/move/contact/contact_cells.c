// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bodies, and the cells in which those who may meet stand together. Made anew in every step:
// bodies of rows and their targets, classes of how far they reach, and for each class in use a
// layer of cells, with its bodies sorted by the codes of their cells.

#include "base/hash.h"
#include "geom/fixed.h"
#include "move/contact/contact_internal.h"

#include <string.h>

#define SMALLEST_REACH 8192 // 1/8 m: cells are not smaller than twice that
#define OUTLIERS 16         // one in so many may reach further than class 0
#define CLASS_NONE 255      // of dead rows
#define PART_SIZE_BITS 8    // so many agents are in a part if they are spread evenly
#define MOST_PART_BITS 11
#define MOST_DIGIT_BITS 10
#define PARTS_PER_TASK 16
#define SIZED_ROWS 2048
#define CODED_ROWS 512
#define SHORT_CELLS (1 << 20)  // columns or rows, see thiCodeRows
#define SHORT_EXTENT (1 << 30) // units, likewise
#define PILE_PAIRS (1 << 18)   // that many pairs of one cell are taken on in a step

static thSizeRowsFcn* const sizeKernels[th_simdCount] = TH_KERNEL_TABLE(thiSizeRows);
static thCodeRowsFcn* const codeKernels[th_simdCount] = TH_KERNEL_TABLE(thiCodeRows);

// Bodies by reach, eight bins an octave.
static int32_t binOf(int64_t reach)
{
    const int32_t bin = (int32_t)(thiFloatBits((float)reach) >> 20) - TH_CONTACT_FIRST_BIN;
    return TH_MIN(TH_MAX(bin, 0), TH_CONTACT_BINS - 1);
}

// No reach in a bin is larger.
static int64_t binLimit(int32_t bin)
{
    return (int64_t)thiFloatFromBits((uint32_t)(bin + 1 + TH_CONTACT_FIRST_BIN) << 20);
}

static float nearRadiusOf(int32_t budget, int32_t radius)
{
    const bool isTiny = radius > 0 && radius < TH_TINY_RADII;
    return budget < radius && !isTiny ? (float)radius : TH_QUICK_RADIUS;
}

// How far others may push it. [units]
static int64_t mostPushed(const thContactTask* task, const thRows* rows, int32_t row)
{
    // It may go as fast as it can, but not further than its own size.
    return (int64_t)(TH_MIN(rows->maxSpeed[row] * task->dt, rows->radius[row]) * TH_UNITS);
}

// Whether others may not push it: it holds its place, or has been moved as far as it may be from
// where it came to stand.
static bool isFixed(const thContactTask* task, const thRows* rows, int32_t row)
{
    if ((rows->flags[row] & th_agentHolds) != 0)
        return true;
    const bool stays = rows->goal[row] < 0 || (rows->flags[row] & th_agentWaiting) != 0;
    if (!stays || task->rest == NULL || task->rest[row].x == INT32_MIN)
        return false;
    const thDisplacement off =
        thiDisplacement(task->rest[row].x, task->rest[row].y, rows->px[row], rows->py[row]);
    const int64_t width = (int64_t)(2.0f * rows->radius[row] * TH_UNITS);
    const int64_t most = width - mostPushed(task, rows, row);
    return thiExactDot(off, off) > most * most;
}

static int32_t budgetOf(const thContactTask* task, const thRows* rows, int32_t row, bool isFixed)
{
    if ((rows->flags[row] & (th_agentExternal | th_agentVelocityOnly)) != 0) {
        task->x[row] = rows->px[row];
        task->y[row] = rows->py[row];
        return 0;
    }
    const thDisplacement move =
        thiDisplacement(rows->px[row], rows->py[row], task->x[row], task->y[row]);
    TH_ASSERT(move.x <= TH_LONGEST_MOVE && move.x >= -TH_LONGEST_MOVE);
    TH_ASSERT(move.y <= TH_LONGEST_MOVE && move.y >= -TH_LONGEST_MOVE);
    // Who is pushed does not go further than that, or than its own move.
    const int64_t pushed = isFixed ? 0 : mostPushed(task, rows, row);
    const int64_t square = thiExactDot(move, move);
    return (int32_t)(square <= pushed * pushed ? pushed : thiRootUp(square));
}

static const thContactExtent nowhere = {INT32_MAX, INT32_MAX, INT32_MIN,
                                        INT32_MIN, INT32_MAX, INT32_MIN};

static void extend(thContactExtent* extent, const thContactExtent* by)
{
    extent->lowX = TH_MIN(extent->lowX, by->lowX);
    extent->lowY = TH_MIN(extent->lowY, by->lowY);
    extent->highX = TH_MAX(extent->highX, by->highX);
    extent->highY = TH_MAX(extent->highY, by->highY);
    extent->lowLevel = TH_MIN(extent->lowLevel, by->lowLevel);
    extent->highLevel = TH_MAX(extent->highLevel, by->highLevel);
}

static void sizeOddRow(const thContacts* contacts, int32_t row, thContactWorker* worker)
{
    const thContactTask* task = contacts->task;
    const thRows* rows = task->rows;
    if (rows->flags[row] == 0) {
        contacts->classes[row] = CLASS_NONE;
        return;
    }
    const bool fixed = isFixed(task, rows, row);
    contacts->fixed[row] = fixed;
    contacts->budget[row] = budgetOf(task, rows, row, fixed);
    worker->bins[binOf(thiReachOf(contacts->budget[row], contacts->radius[row]))] += 1;
    const int32_t x = rows->px[row], y = rows->py[row];
    const thContactExtent here = {x, y, x, y, INT32_MAX, INT32_MIN};
    extend(&worker->extent, &here);
}

static void sizeRows(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const thContacts* contacts = context;
    const uint32_t* flags = contacts->task->rows->flags;
    const uint16_t* level = contacts->task->rows->level;
    thContactWorker* worker = &TH_ITEMS(contacts->workers, thContactWorker)[workerIndex];
    int32_t odd[SIZED_ROWS + TH_MAX_WIDTH];
    memset(contacts->classes + begin, 0, (size_t)(end - begin));
    memset(contacts->fixed + begin, 0, (size_t)(end - begin));
    const int32_t count = sizeKernels[contacts->simd](contacts, begin, end, odd, worker);
    for (int32_t i = 0; i < count; ++i)
        sizeOddRow(contacts, odd[i], worker);
    int32_t low = worker->extent.lowLevel, high = worker->extent.highLevel;
    for (int32_t row = begin; row < end; ++row) {
        low = TH_MIN(low, flags[row] != 0 ? level[row] : INT32_MAX);
        high = TH_MAX(high, flags[row] != 0 ? level[row] : INT32_MIN);
    }
    worker->extent.lowLevel = low;
    worker->extent.highLevel = high;
}

// Joins what the workers saw; returns the number of bodies and counts them by bin.
static int64_t joinWorkers(thContacts* contacts, int64_t* bins)
{
    contacts->extent = nowhere;
    int64_t total = 0;
    memset(bins, 0, TH_CONTACT_BINS * sizeof *bins);
    for (int32_t w = 0; w < contacts->workers.count; ++w) {
        const thContactWorker* worker = &TH_ITEMS(contacts->workers, thContactWorker)[w];
        extend(&contacts->extent, &worker->extent);
        for (int32_t bin = 0; bin < TH_CONTACT_BINS; ++bin) {
            bins[bin] += worker->bins[bin];
            total += worker->bins[bin];
        }
    }
    return total;
}

static int32_t classOf(const thContacts* contacts, int64_t reach)
{
    int32_t class = 0;
    while (reach > contacts->reach0 << class)
        ++class;
    return class;
}

// The reach of class 0, and which classes there are, as bits.
static uint32_t chooseClasses(thContacts* contacts, const int64_t* bins, int64_t total)
{
    int32_t last = TH_CONTACT_BINS - 1;
    for (int64_t above = bins[last]; last > 0 && above <= total / OUTLIERS; above += bins[last])
        last -= 1;
    contacts->reach0 = TH_MAX(binLimit(last), SMALLEST_REACH);
    uint32_t used = 0;
    for (int32_t bin = 0; bin < TH_CONTACT_BINS; ++bin)
        if (bins[bin] > 0)
            used |= 1u << classOf(contacts, binLimit(bin));
    return used;
}

static void setClasses(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    // By bin: the same for all that the choice counted.
    for (int32_t row = begin; row < end; ++row)
        if (contacts->classes[row] != CLASS_NONE)
            contacts->classes[row] = (uint8_t)classOf(
                contacts,
                binLimit(binOf(thiReachOf(contacts->budget[row], contacts->radius[row]))));
}

static void resetWorkers(thContacts* contacts)
{
    for (int32_t w = 0; w < contacts->workers.count; ++w) {
        thContactWorker* worker = &TH_ITEMS(contacts->workers, thContactWorker)[w];
        worker->extent = nowhere;
        memset(worker->bins, 0, sizeof worker->bins);
        worker->contacts = worker->moves = 0;
        worker->crowded.count = 0;
        worker->outOfMemory = false;
    }
}

// Sizes of all rows, and their classes. Returns how many bodies there are, and which classes are in
// use, as bits.
static int64_t classRows(thContacts* contacts, uint32_t* classes)
{
    const int32_t rowCount = contacts->task->rows->count;
    resetWorkers(contacts);
    thTasks_ParallelFor(contacts->tasks, rowCount, SIZED_ROWS, sizeRows, contacts);
    int64_t bins[TH_CONTACT_BINS];
    const int64_t total = joinWorkers(contacts, bins);
    *classes = chooseClasses(contacts, bins, total);
    if (*classes != 1)
        thTasks_ParallelFor(contacts->tasks, rowCount, TH_CONTACT_CHUNK, setClasses, contacts);
    return total;
}

// The agents of a layer, sorted by the codes of their cells, at a cost that does not depend on how
// far apart they are. First they are dealt into parts by the leading bits of their codes: with a
// histogram per chunk of rows, prefix sums and a scatter. Rows lie almost in this order already, so
// few places are written to at a time. Then each part is sorted by itself, least digit first. A
// cell lies within one part.
typedef struct Items {
    const uint64_t* sorted; // code and row; rows of one code in any order
    int32_t count;
    int32_t rowBits;
    int32_t partCount;
    const int32_t *partStart, *partCells; // items and cells before each part, and before the end
} Items;

typedef struct Sort {
    thContacts* contacts;
    const thContactLayer* layer;
    int32_t chunkCount; // of rows
    bool hasShortCodes; // kernels can make them
    int32_t rowBits, partBits, partShift;
    int32_t passes, digitBits; // within parts
    int32_t* partStart;
    int32_t* partCells;
} Sort;

static uint64_t nearSlot(uint64_t code)
{
    return thiMix(code) >> (64 - TH_NEAR_BITS);
}

// Notes all cells next to agents of the layer's own class.
static void noteNear(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Sort* sort = context;
    thContacts* contacts = sort->contacts;
    for (int32_t row = begin; row < end; ++row) {
        if (contacts->classes[row] != sort->layer->class)
            continue;
        const uint64_t code = thiContactCode(sort->layer, contacts, row);
        for (uint64_t i = 0; i < 9; ++i) {
            const uint64_t slot =
                nearSlot(code + (i / 3) * sort->layer->columns + i % 3 - sort->layer->columns - 1);
            atomic_fetch_or_explicit(&contacts->nearCells[slot / 64], UINT64_C(1) << slot % 64,
                                     memory_order_relaxed);
        }
    }
}

static bool isNear(const thContacts* contacts, uint64_t code)
{
    const uint64_t slot = nearSlot(code);
    return (atomic_load_explicit(&contacts->nearCells[slot / 64], memory_order_relaxed) >>
                slot % 64 &
            1) != 0;
}

static int32_t* countsOf(const Sort* sort, int32_t chunk)
{
    return TH_ITEMS(sort->contacts->chunkCounts, int32_t) + ((size_t)chunk << sort->partBits);
}

// The items of a chunk of rows, at the chunk's place, and how many there are of each part.
static void makeItems(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Sort sort = *(const Sort*)context; // a copy, which nothing that is written can change
    const thContacts* contacts = sort.contacts;
    const thContactLayer layer = *sort.layer;
    const uint8_t* classes = contacts->classes;
    int32_t codes[CODED_ROWS + TH_MAX_WIDTH];
    for (int32_t chunk = begin; chunk < end; ++chunk) {
        int32_t* counts = countsOf(&sort, chunk);
        memset(counts, 0, sizeof *counts << sort.partBits);
        const int32_t first = chunk * TH_CONTACT_CHUNK;
        const int32_t last = TH_MIN(contacts->task->rows->count, first + TH_CONTACT_CHUNK);
        uint64_t* items = contacts->items[0] + first;
        int32_t count = 0;
        for (int32_t block = first; block < last; block += CODED_ROWS) {
            const int32_t blockEnd = TH_MIN(block + CODED_ROWS, last);
            if (sort.hasShortCodes)
                codeKernels[contacts->simd](contacts, &layer, block, blockEnd, codes);
            for (int32_t row = block; row < blockEnd; ++row) {
                if (classes[row] > layer.class) // the dead too
                    continue;
                const uint64_t code = sort.hasShortCodes ? (uint64_t)codes[row - block]
                                                         : thiContactCode(&layer, contacts, row);
                if (classes[row] < layer.class && !isNear(contacts, code))
                    continue;
                const uint64_t item = code << sort.rowBits | (uint64_t)row;
                counts[item >> sort.partShift] += 1;
                items[count++] = item;
            }
        }
        TH_ITEMS(contacts->chunkSizes, int32_t)[chunk] = count;
    }
}

// Where parts start, and in `counts` how far behind that those of a chunk do.
static void addUpParts(const Sort* sort)
{
    const int32_t partCount = 1 << sort->partBits;
    int32_t* sums = sort->partStart;
    memset(sums, 0, (size_t)(partCount + 1) * sizeof *sums);
    for (int32_t chunk = 0; chunk < sort->chunkCount; ++chunk) {
        int32_t* counts = countsOf(sort, chunk);
        for (int32_t part = 0; part < partCount; ++part) {
            const int32_t here = counts[part];
            counts[part] = sums[part];
            sums[part] += here;
        }
    }
    int32_t start = 0;
    for (int32_t part = 0; part <= partCount; ++part) {
        const int32_t size = sums[part];
        sums[part] = start;
        start += size;
    }
}

static void dealItems(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Sort sort = *(const Sort*)context;
    uint64_t* to = sort.contacts->items[1];
    for (int32_t chunk = begin; chunk < end; ++chunk) {
        int32_t* places = countsOf(&sort, chunk);
        for (int32_t part = 0; part < 1 << sort.partBits; ++part)
            places[part] += sort.partStart[part];
        const uint64_t* items = sort.contacts->items[0] + (size_t)chunk * TH_CONTACT_CHUNK;
        const int32_t size = TH_ITEMS(sort.contacts->chunkSizes, int32_t)[chunk];
        for (int32_t i = 0; i < size; ++i)
            to[places[items[i] >> sort.partShift]++] = items[i];
    }
}

// By one digit.
static void sortPart(const uint64_t* from, uint64_t* to, int32_t count, int32_t shift, int32_t bits)
{
    int32_t places[1 << MOST_DIGIT_BITS];
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    memset(places, 0, sizeof *places << bits);
    for (int32_t i = 0; i < count; ++i)
        places[from[i] >> shift & mask] += 1;
    for (int32_t digit = 0, sum = 0; digit < 1 << bits; ++digit) {
        const int32_t here = places[digit];
        places[digit] = sum;
        sum += here;
    }
    for (int32_t i = 0; i < count; ++i)
        to[places[from[i] >> shift & mask]++] = from[i];
}

static int32_t countCells(const uint64_t* items, int32_t count, int32_t rowBits)
{
    int32_t cells = count > 0;
    for (int32_t i = 1; i < count; ++i)
        cells += items[i] >> rowBits != items[i - 1] >> rowBits;
    return cells;
}

static void sortParts(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Sort* sort = context;
    for (int32_t part = begin; part < end; ++part) {
        const int32_t first = sort->partStart[part], count = sort->partStart[part + 1] - first;
        uint64_t* from = sort->contacts->items[1] + first;
        uint64_t* to = sort->contacts->items[0] + first;
        for (int32_t pass = 0; pass < sort->passes; ++pass) {
            sortPart(from, to, count, sort->rowBits + pass * sort->digitBits, sort->digitBits);
            uint64_t* sorted = to;
            to = from;
            from = sorted;
        }
        sort->partCells[part] = countCells(from, count, sort->rowBits);
    }
}

// How many bits rows take, and codes of a layer; 64 at most together.
static int32_t bitsOf(uint64_t value)
{
    return value == 0 ? 0 : 64 - __builtin_clzll(value);
}

static int32_t rowBitsOf(const thContacts* contacts)
{
    return bitsOf((uint64_t)contacts->task->rows->count);
}

static int32_t codeBitsOf(const thContactLayer* layer, const thContacts* contacts)
{
    const thContactExtent* extent = &contacts->extent;
    return bitsOf((uint64_t)(extent->highLevel - extent->lowLevel + 1) * layer->rows *
                  layer->columns);
}

static thResult prepareSort(Sort* sort)
{
    thContacts* contacts = sort->contacts;
    const int32_t codeBits = codeBitsOf(sort->layer, contacts);
    const thContactExtent* extent = &contacts->extent;
    sort->hasShortCodes = extent->lowLevel == extent->highLevel && codeBits <= 30 &&
                          TH_MAX(sort->layer->columns, sort->layer->rows) < SHORT_CELLS &&
                          TH_MAX((int64_t)extent->highX - extent->lowX,
                                 (int64_t)extent->highY - extent->lowY) < SHORT_EXTENT;
    sort->rowBits = rowBitsOf(contacts);
    sort->partBits = TH_MIN(TH_MAX(sort->rowBits - PART_SIZE_BITS, 1), MOST_PART_BITS);
    sort->partBits = TH_MIN(sort->partBits, codeBits);
    sort->partShift = sort->rowBits + codeBits - sort->partBits;
    sort->passes = (codeBits - sort->partBits + MOST_DIGIT_BITS - 1) / MOST_DIGIT_BITS;
    if (sort->passes > 0)
        sort->digitBits = (codeBits - sort->partBits + sort->passes - 1) / sort->passes;
    sort->chunkCount = (contacts->task->rows->count + TH_CONTACT_CHUNK - 1) / TH_CONTACT_CHUNK;
    const int32_t partCount = 1 << sort->partBits;
    TH_TRY(thiArrayReserveAmply(&contacts->chunkSizes, sort->chunkCount));
    TH_TRY(thiArrayReserveAmply(&contacts->chunkCounts, (int64_t)sort->chunkCount * partCount));
    TH_TRY(thiArrayReserveAmply(&contacts->partStart, partCount + 1));
    TH_TRY(thiArrayReserveAmply(&contacts->partCells, partCount + 1));
    sort->partStart = TH_ITEMS(contacts->partStart, int32_t);
    sort->partCells = TH_ITEMS(contacts->partCells, int32_t);
    return th_resultOk;
}

static thResult sortItems(thContacts* contacts, const thContactLayer* layer, Items* items)
{
    const thTasks* tasks = contacts->tasks;
    Sort sort = {.contacts = contacts, .layer = layer};
    TH_TRY(prepareSort(&sort));
    if (layer->class > 0) {
        for (int32_t i = 0; i < 1 << (TH_NEAR_BITS - 6); ++i)
            atomic_store_explicit(&contacts->nearCells[i], 0, memory_order_relaxed);
        thTasks_ParallelFor(tasks, contacts->task->rows->count, TH_CONTACT_CHUNK, noteNear, &sort);
    }
    const int32_t partCount = 1 << sort.partBits;
    thTasks_ParallelFor(tasks, sort.chunkCount, 1, makeItems, &sort);
    addUpParts(&sort);
    thTasks_ParallelFor(tasks, sort.chunkCount, 1, dealItems, &sort);
    thTasks_ParallelFor(tasks, partCount, PARTS_PER_TASK, sortParts, &sort);
    int32_t cells = 0;
    for (int32_t part = 0; part <= partCount; ++part) {
        const int32_t here = part < partCount ? sort.partCells[part] : 0;
        sort.partCells[part] = cells;
        cells += here;
    }
    *items = (Items){.sorted = contacts->items[(1 + sort.passes) % 2],
                     .count = sort.partStart[partCount],
                     .rowBits = sort.rowBits,
                     .partCount = partCount,
                     .partStart = sort.partStart,
                     .partCells = sort.partCells};
    return th_resultOk;
}

// Cells twice as wide as the class reaches; wider still if a code and a row do not fit into 64
// bits.
static void layCells(thContactLayer* layer, const thContacts* contacts, int32_t rowBits)
{
    for (uint64_t side = (uint64_t)(2 * contacts->reach0) << layer->class;; side *= 2) {
        layer->side = (uint32_t)side;
        layer->perSide = (uint32_t)(((uint64_t)1 << 32) / side);
        // One free cell on both sides: what is next to a code is next to the cell or free.
        const thContactExtent* extent = &contacts->extent;
        layer->columns = (uint64_t)thiContactCellAlong(layer, extent->highX, extent->lowX) + 3;
        layer->rows = (uint64_t)thiContactCellAlong(layer, extent->highY, extent->lowY) + 3;
        if (codeBitsOf(layer, contacts) + rowBits <= 64)
            return;
    }
}

typedef struct Build {
    thContacts* contacts;
    thContactLayer* layer;
    Items items;
    atomic_bool hasPiles;
} Build;

// All but its code and where it begins.
static void clearCell(thContactCell* cell, int32_t layer)
{
    cell->work = 0;
    cell->layer = (uint8_t)layer;
    atomic_init(&cell->north, -1);
    atomic_init(&cell->south, -1);
    atomic_init(&cell->color, TH_CONTACT_COLORS);
}

// Rows and cells of the items of a part. From the last to the first: so a cell is set last by the
// first of its items, and nothing has to be asked.
static void fillPart(const Build* build, int32_t part)
{
    const Items items = build->items;
    const thContacts* contacts = build->contacts;
    thContactCell* cells = thiContactCells(contacts) + build->layer->firstCell;
    const int32_t firstEntry = build->layer->firstEntry;
    int32_t* rows = TH_ITEMS(contacts->entryRow, int32_t) + firstEntry;
    int32_t* cellOf = TH_ITEMS(contacts->entryCell, int32_t) + firstEntry;
    const uint64_t rowMask = (UINT64_C(1) << items.rowBits) - 1;
    const int32_t firstCell = build->layer->firstCell;
    int32_t cell = items.partCells[part + 1];
    uint64_t codeBehind = UINT64_MAX;
    for (int32_t i = items.partStart[part + 1] - 1; i >= items.partStart[part]; --i) {
        const uint64_t code = items.sorted[i] >> items.rowBits;
        cell -= code != codeBehind;
        codeBehind = code;
        rows[i] = (int32_t)(items.sorted[i] & rowMask);
        cellOf[i] = firstCell + cell;
        cells[cell].code = code;
        cells[cell].first = firstEntry + i;
    }
}

static bool comesBefore(const Build* build, int32_t a, int32_t b)
{
    const uint8_t* classes = build->contacts->classes;
    const bool ownA = classes[a] == build->layer->class, ownB = classes[b] == build->layer->class;
    const uint64_t* keys = build->contacts->task->rows->key;
    return ownA != ownB ? ownA : keys[a] < keys[b];
}

static void orderFew(const Build* build, int32_t* rows, int32_t count)
{
    const uint64_t* keys = build->contacts->task->rows->key;
    if (count == 2 && !build->contacts->hasClasses) { // the most common order to be made
        const int32_t a = rows[0], b = rows[1];
        const bool isOrdered = keys[a] < keys[b];
        rows[0] = isOrdered ? a : b;
        rows[1] = isOrdered ? b : a;
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

static void orderPile(const Build* build, int32_t* rows, int32_t count)
{
    for (int32_t at = count / 2 - 1; at >= 0; --at)
        siftDown(build, rows, at, count);
    for (int32_t last = count - 1; last > 0; --last) {
        const int32_t row = rows[0];
        rows[0] = rows[last];
        rows[last] = row;
        siftDown(build, rows, 0, last);
    }
}

// The agents of each cell in order: the layer's own class first, then by key.
static void orderCells(Build* build, int32_t part)
{
    thContactCell* cells = thiContactCells(build->contacts) + build->layer->firstCell;
    int32_t* rows = TH_ITEMS(build->contacts->entryRow, int32_t);
    // The cell behind the last one is another part's, and may not be set yet.
    int32_t end = build->layer->firstEntry + build->items.partStart[part + 1];
    for (int32_t cell = build->items.partCells[part + 1] - 1; cell >= build->items.partCells[part];
         --cell) {
        const int32_t first = cells[cell].first, count = end - first;
        end = first;
        clearCell(&cells[cell], build->contacts->layerCount);
        if (count <= TH_CONTACT_PILE) {
            orderFew(build, rows + first, count);
        } else {
            orderPile(build, rows + first, count);
            atomic_store_explicit(&build->hasPiles, true, memory_order_relaxed);
        }
    }
}

// Bodies of layers above know where they are; copies are made of those below, which are complete.
static void fillEntries(const thContacts* contacts, int32_t class, int32_t begin, int32_t end)
{
    const thContactTask task = *contacts->task;
    const int32_t *px = task.rows->px, *py = task.rows->py;
    const int32_t* rows = TH_ITEMS(contacts->entryRow, int32_t);
    const int32_t *budgets = contacts->budget, *radii = contacts->radius;
    const uint8_t *fixed = contacts->fixed, *classes = contacts->classes;
    int32_t *x = TH_ITEMS(contacts->entryX, int32_t), *y = TH_ITEMS(contacts->entryY, int32_t);
    int32_t* body = TH_ITEMS(contacts->entryBody, int32_t);
    float* radius = TH_ITEMS(contacts->entryRadius, float);
    thContactBody* bodies = thiBodies(contacts);
    uint8_t* flags = TH_ITEMS(contacts->flags, uint8_t);
    memset((void*)(TH_ITEMS(contacts->cut, atomic_uchar) + begin), 0, (size_t)(end - begin));
    for (int32_t i = begin; i < end; ++i) {
        const int32_t row = rows[i];
        x[i] = task.x[row];
        y[i] = task.y[row];
        radius[i] = nearRadiusOf(budgets[row], radii[row]);
        bodies[i] = (thContactBody){px[row], py[row], budgets[row], radii[row]};
        flags[i] = fixed[row] != 0 ? th_bodyFixed : 0;
        body[i] = i;
    }
    if (!contacts->hasClasses)
        return;
    for (int32_t i = begin; i < end; ++i) {
        if (classes[rows[i]] == class)
            contacts->bodyOf[rows[i]] = i;
        else
            body[i] = contacts->bodyOf[rows[i]];
    }
}

static void fillParts(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    Build* build = context;
    for (int32_t part = begin; part < end; ++part) {
        const int32_t first = build->layer->firstEntry + build->items.partStart[part];
        const int32_t last = build->layer->firstEntry + build->items.partStart[part + 1];
        fillPart(build, part);
        orderCells(build, part);
        fillEntries(build->contacts, build->layer->class, first, last);
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
    contacts->budget[row] = 0;
    contacts->task->x[row] = contacts->task->rows->px[row];
    contacts->task->y[row] = contacts->task->rows->py[row];
    fillEntries(contacts, contacts->classes[row], entry, entry + 1);
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
        if (count <= TH_CONTACT_PILE)
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

static thResult setEntryCount(thContacts* contacts, int64_t count)
{
    thArray* columns[] = {&contacts->entryRow,   &contacts->entryCell, &contacts->entryBody,
                          &contacts->entryX,     &contacts->entryY,    &contacts->entryRadius,
                          &contacts->bodies,     &contacts->flags,     &contacts->cut,
                          &contacts->contactBits};
    for (int32_t i = 0; i < (int32_t)(sizeof columns / sizeof *columns); ++i) {
        TH_TRY(thiArrayReserveAmply(columns[i], count + TH_MAX_WIDTH));
        columns[i]->count = (int32_t)count;
    }
    return th_resultOk;
}

static thResult makeCells(Build* build)
{
    thContacts* contacts = build->contacts;
    thContactLayer* layer = build->layer;
    const Items* items = &build->items;
    layer->firstEntry = contacts->entryRow.count;
    layer->firstCell = contacts->cells.count;
    layer->cellCount = items->partCells[items->partCount];
    const int32_t lastCell = layer->firstCell + layer->cellCount;
    TH_TRY(thiArrayReserveAmply(&contacts->cells, (int64_t)lastCell + 1));
    TH_TRY(setEntryCount(contacts, (int64_t)layer->firstEntry + items->count));
    contacts->cells.count = lastCell + 1;
    thTasks_ParallelFor(contacts->tasks, items->partCount, PARTS_PER_TASK, fillParts, build);
    thContactCell* behind = thiContactCells(contacts) + lastCell;
    clearCell(behind, contacts->layerCount);
    behind->code = UINT64_MAX;
    behind->first = contacts->entryRow.count;
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
    Build build = {.contacts = contacts, .layer = layer, .hasPiles = false};
    layCells(layer, contacts, rowBitsOf(contacts));
    TH_TRY(sortItems(contacts, layer, &build.items));
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
static int32_t searchNorth(const thContacts* contacts, int32_t cell)
{
    const thContactCell* cells = thiContactCells(contacts);
    const thContactLayer* layer = &contacts->layers[cells[cell].layer];
    const int64_t end =
        TH_MIN((int64_t)layer->firstCell + layer->cellCount, cell + (int64_t)layer->columns);
    return lowerCell(cells, cell, (int32_t)end, cells[cell].code + layer->columns - 1);
}

// Mostly that of a cell shortly before is known, and what is wanted a few cells further on.
int32_t thiNorthOf(const thContacts* contacts, int32_t cell)
{
    thContactCell* cells = thiContactCells(contacts);
    const thContactLayer* layer = &contacts->layers[cells[cell].layer];
    const int32_t furthest = TH_MAX(layer->firstCell, cell - TH_MAX_WIDTH);
    int32_t north = atomic_load_explicit(&cells[cell].north, memory_order_relaxed);
    if (north >= 0)
        return north;
    for (int32_t before = cell - 1; north < 0 && before >= furthest; --before)
        north = atomic_load_explicit(&cells[before].north, memory_order_relaxed);
    north = north < 0 ? searchNorth(contacts, cell)
                      : thiCellsUpTo(cells, north, cells[cell].code + layer->columns - 2);
    atomic_store_explicit(&cells[cell].north, north, memory_order_relaxed);
    return north;
}

int32_t thiSouthOf(const thContacts* contacts, int32_t cell)
{
    thContactCell* cells = thiContactCells(contacts);
    const thContactLayer* layer = &contacts->layers[cells[cell].layer];
    int32_t south = atomic_load_explicit(&cells[cell].south, memory_order_relaxed);
    if (south >= 0)
        return south;
    const int64_t begin = TH_MAX((int64_t)layer->firstCell, cell - (int64_t)layer->columns - 1);
    south = lowerCell(cells, (int32_t)begin, cell, cells[cell].code - layer->columns - 1);
    atomic_store_explicit(&cells[cell].south, south, memory_order_relaxed);
    return south;
}

thResult thiContactCellsBuild(thContacts* contacts)
{
    contacts->layerCount = 0;
    contacts->cells.count = 0;
    TH_TRY(setEntryCount(contacts, 0));
    uint32_t classes;
    if (classRows(contacts, &classes) < 2)
        return th_resultOk;
    contacts->hasClasses = (classes & (classes - 1)) != 0;
    for (int32_t class = 0; class < TH_CONTACT_CLASSES; ++class)
        if ((classes >> class & 1u) != 0)
            TH_TRY(buildLayer(contacts, class));
    return th_resultOk;
}
