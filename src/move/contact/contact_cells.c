// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The cells of each class of reach, and the agents in them.

#include "move/contact/contact_internal.h"
#include "simd/dispatch.h"

#define PARTS_PER_TASK 16
#define PILE_PAIRS (1 << 18) // that many pairs of one cell are taken on in a step

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
        if (thiCodeBits(layer, contacts) + rowBits <= 64)
            return;
    }
}

typedef struct Build {
    thContacts* contacts;
    thContactLayer* layer;
    thContactItems items;
    atomic_bool hasPiles;
} Build;

static void setCell(thContactCell* to, int32_t layer, uint64_t code, int32_t entry)
{
    to->code = code;
    to->first = entry;
    to->firstPair = -1;
    to->pairCount = to->nearCount = 0;
    to->layer = (uint8_t)layer;
    atomic_init(&to->north, -1);
    atomic_init(&to->south, -1);
    atomic_init(&to->listed, 0);
    atomic_init(&to->roomy, TH_ROOMY_UNKNOWN);
    atomic_init(&to->stale, 1);
}

// Rows and cells of the items of a part. From the last to the first: so a cell is set last by the
// first of its items, and nothing has to be asked.
static void fillPart(const Build* build, int32_t part)
{
    const thContactItems items = build->items;
    const thContacts* contacts = build->contacts;
    thContactCell* cells = thiContactCells(contacts) + build->layer->firstCell;
    const int32_t firstEntry = build->layer->firstEntry, layer = contacts->layerCount;
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
        setCell(&cells[cell], layer, code, firstEntry + i);
    }
}

static bool comesBefore(const thContacts* contacts, int32_t class, int32_t a, int32_t b)
{
    const bool ownA = contacts->classes[a] == class, ownB = contacts->classes[b] == class;
    const uint64_t* keys = contacts->task->rows->key;
    return ownA != ownB ? ownA : keys[a] < keys[b];
}

const int32_t* thiOrderedRows(const thContacts* contacts, const thContactCell* cell, int32_t* room)
{
    const int32_t* rows = TH_ITEMS(contacts->entryRow, int32_t) + cell->first;
    const int32_t count = cell[1].first - cell->first;
    if (count > TH_CONTACT_PILE)
        return rows;
    const int32_t class = contacts->layers[cell->layer].class;
    for (int32_t i = 0; i < count; ++i) {
        int32_t at = i;
        for (; at > 0 && comesBefore(contacts, class, rows[i], room[at - 1]); --at)
            room[at] = room[at - 1];
        room[at] = rows[i];
    }
    return room;
}

// Moves the row at `at` down to its place in a heap with the last one on top.
static void siftDown(const Build* build, int32_t* rows, int32_t at, int32_t count)
{
    const int32_t class = build->layer->class;
    for (int32_t child = 2 * at + 1; child < count; at = child, child = 2 * at + 1) {
        if (child + 1 < count && comesBefore(build->contacts, class, rows[child], rows[child + 1]))
            child += 1;
        if (!comesBefore(build->contacts, class, rows[at], rows[child]))
            return;
        const int32_t row = rows[at];
        rows[at] = rows[child];
        rows[child] = row;
    }
}

static void sortPile(const Build* build, int32_t* rows, int32_t count)
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

static void sortPiles(Build* build, int32_t part)
{
    const thContactCell* cells = thiContactCells(build->contacts) + build->layer->firstCell;
    int32_t* rows = TH_ITEMS(build->contacts->entryRow, int32_t);
    // The cell behind the last one is another part's, and may not be set yet.
    int32_t end = build->layer->firstEntry + build->items.partStart[part + 1];
    for (int32_t cell = build->items.partCells[part + 1] - 1; cell >= build->items.partCells[part];
         --cell) {
        const int32_t first = cells[cell].first, count = end - first;
        end = first;
        if (count <= TH_CONTACT_PILE)
            continue;
        sortPile(build, rows + first, count);
        atomic_store_explicit(&build->hasPiles, true, memory_order_relaxed);
    }
}

static void fillEntries(const thContacts* contacts, int32_t begin, int32_t end)
{
    const thContactTask* task = contacts->task;
    const int32_t* rows = TH_ITEMS(contacts->entryRow, int32_t);
    int32_t *x = TH_ITEMS(contacts->entryX, int32_t), *y = TH_ITEMS(contacts->entryY, int32_t);
    float* radius = TH_ITEMS(contacts->entryRadius, float);
    for (int32_t i = begin; i < end; ++i) {
        x[i] = task->x[rows[i]];
        y[i] = task->y[rows[i]];
        radius[i] = contacts->nearRadius[rows[i]];
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
        sortPiles(build, part);
        fillEntries(build->contacts, first, last);
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
    contacts->nearRadius[row] = thiNearRadius(&contacts->bodies[row]);
    contacts->task->x[row] = contacts->task->rows->px[row];
    contacts->task->y[row] = contacts->task->rows->py[row];
    fillEntries(contacts, entry, entry + 1);
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
    const thContactItems* items = &build->items;
    layer->firstEntry = contacts->entryRow.count;
    layer->firstCell = contacts->cells.count;
    layer->cellCount = items->partCells[items->partCount];
    const int32_t lastCell = layer->firstCell + layer->cellCount;
    TH_TRY(thiReserveAmply(&contacts->cells, (int64_t)lastCell + 1));
    TH_TRY(reserveEntries(contacts, (int64_t)layer->firstEntry + items->count));
    contacts->cells.count = lastCell + 1;
    thTasks_ParallelFor(contacts->tasks, items->partCount, PARTS_PER_TASK, fillParts, build);
    setCell(thiContactCells(contacts) + lastCell, contacts->layerCount, UINT64_MAX,
            contacts->entryRow.count);
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
    layCells(layer, contacts, thiRowBits(contacts));
    TH_TRY(thiSortItems(contacts, layer, &build.items));
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
