// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Pairs within reach of each other. Most cells never need a list of theirs: one look at the targets
// says that nobody overlaps, and nobody nearby is pushed. Lists are made for cells with an overlap
// and, as soon as an agent is pushed, for all cells that have pairs with it. So every pair that is
// in no list goes to targets at which it was seen apart.

#include "move/contact_internal.h"

#define CELLS_PER_TASK 512
#define LISTS_PER_TASK 32

bool thiTakeNotice(const thRows* rows, int32_t a, int32_t b)
{
    return ((rows->mask[a] & rows->layers[b]) | (rows->mask[b] & rows->layers[a])) != 0;
}

static bool isFast(const thBody* a, const thBody* b)
{
    return thiIsFastPair((int64_t)a->budget + b->budget, (int64_t)a->radius + b->radius);
}

// Whether two entries would overlap at, or on the way to, their targets. Fast pairs are looked at
// in double, for others |before| < 3 radii: rounding is far below the 0.9 % that verification
// leaves.
static inline bool overlaps(const thContactEntry* a, const thContactEntry* b)
{
    const float radii = (float)(a->body.radius + b->body.radius);
    const thClosest closest =
        thiClosest((float)((int64_t)b->x - a->x), (float)((int64_t)b->y - a->y),
                   b->body.x - a->body.x, b->body.y - a->body.y, isFast(&a->body, &b->body));
    return closest.x * closest.x + closest.y * closest.y < radii * radii;
}

static bool overlapsAny(const thContactEntry* a, const thContactEntry* from,
                        const thContactEntry* to)
{
    bool any = false;
    for (const thContactEntry* b = from; b < to; ++b)
        any |= overlaps(a, b);
    return any;
}

static void listCell(thContacts* contacts, int32_t cell)
{
    thContactCell* at = &thiContactCells(contacts)[cell];
    if (atomic_load_explicit(&at->listed, memory_order_relaxed) != 0 ||
        (at->firstPair >= 0 && at->pairCount == 0))
        return;
    if (atomic_exchange_explicit(&at->listed, 1, memory_order_relaxed) == 0)
        TH_ITEMS(contacts->waiting, int32_t)
    [atomic_fetch_add_explicit(&contacts->waitingCount, 1, memory_order_relaxed)] = cell;
}

static void findOverlaps(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    const thContactCell* cells = thiContactCells(contacts);
    const thContactEntry* entries = TH_ITEMS(contacts->entries, thContactEntry);
    for (int32_t cell = begin; cell < end; ++cell) {
        const uint64_t code = cells[cell].code;
        if (code == UINT64_MAX)
            continue;
        const thContactLayer* layer = &contacts->layers[cells[cell].layer];
        if (layer->class > 0) { // few: a list says it as well
            listCell(contacts, cell);
            continue;
        }
        const thContactEntry* home = entries + cells[cell].first;
        const thContactEntry* homeEnd = entries + cells[cell + 1].first;
        const thContactEntry* eastEnd =
            cells[cell + 1].code == code + 1 ? entries + cells[cell + 2].first : homeEnd;
        const int32_t north = cells[cell].north;
        const thContactEntry* northBegin = entries + cells[north].first;
        const thContactEntry* northEnd =
            entries + cells[thiCellsUpTo(cells, north, code + layer->columns + 1)].first;
        bool any = false;
        for (const thContactEntry* a = home; a < homeEnd && !any; ++a)
            any = overlapsAny(a, a + 1, eastEnd) || overlapsAny(a, northBegin, northEnd);
        if (any)
            listCell(contacts, cell);
    }
}

void thiFindOverlaps(thContacts* contacts)
{
    atomic_init(&contacts->waitingCount, 0);
    thTasks_ParallelFor(contacts->tasks, contacts->cells.count, CELLS_PER_TASK, findOverlaps,
                        contacts);
}

// Within reach of each other, at least one of them can move, and the pair belongs to the layer.
static bool isPair(const thRows* rows, const thContactEntry* a, const thContactEntry* b)
{
    const thWay before = {(int64_t)b->x - a->x, (int64_t)b->y - a->y};
    const int64_t reach = thiReachOf(&a->body) + thiReachOf(&b->body);
    return (a->own | b->own) != 0 && (a->body.budget | b->body.budget) != 0 &&
           (a->body.radius | b->body.radius) != 0 && thiDot(before, before) <= reach * reach &&
           thiTakeNotice(rows, a->row, b->row);
}

// The pairs of a home cell, in the order of the keys of a, then of cells, then of the keys of b.
// Returns how many there are; writes them unless `pairs` is NULL.
static int32_t listPairs(const thContacts* contacts, const thContactCell* home,
                         thContactPair* pairs)
{
    const thContactCell* cells = thiContactCells(contacts);
    const thContactEntry* entries = TH_ITEMS(contacts->entries, thContactEntry);
    const thRows* rows = contacts->task->rows;
    const uint64_t columns = contacts->layers[home->layer].columns;
    const thContactCell* around[5] = {home};
    uint8_t slots[5] = {0};
    int32_t aroundCount = 1;
    if (home[1].code == home->code + 1) {
        slots[aroundCount] = 1;
        around[aroundCount++] = home + 1;
    }
    const int32_t northEnd = thiCellsUpTo(cells, home->north, home->code + columns + 1);
    for (int32_t cell = home->north; cell < northEnd; ++cell) {
        slots[aroundCount] = (uint8_t)(2 + cell - home->north);
        around[aroundCount++] = &cells[cell];
    }
    int32_t count = 0;
    for (int32_t i = home->first; i < home[1].first; ++i) {
        const thContactEntry* a = &entries[i];
        for (int32_t c = 0; c < aroundCount; ++c) {
            for (int32_t j = c == 0 ? i + 1 : around[c]->first; j < around[c][1].first; ++j) {
                const thContactEntry* b = &entries[j];
                if ((a->own | b->own) == 0)
                    break; // nor are those behind it of the layer's own class
                if (!isPair(rows, a, b))
                    continue;
                if (pairs != NULL)
                    pairs[count] =
                        (thContactPair){.a = a->row,
                                        .b = b->row,
                                        .beforeX = (float)(b->x - a->x),
                                        .beforeY = (float)(b->y - a->y),
                                        .radii = (float)(a->body.radius + b->body.radius),
                                        .slot = slots[c],
                                        .fast = isFast(&a->body, &b->body)};
                count += 1;
            }
        }
    }
    return count;
}

static void countPairs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    const int32_t* waiting = TH_ITEMS(contacts->waiting, int32_t);
    for (int32_t i = begin; i < end; ++i) {
        thContactCell* cell = &thiContactCells(contacts)[waiting[i]];
        if (cell->firstPair < 0)
            cell->pairCount = listPairs(contacts, cell, NULL);
    }
}

static void makePairs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    const int32_t* touched = TH_ITEMS(contacts->touched, int32_t) + contacts->firstNew;
    for (int32_t i = begin; i < end; ++i) {
        const thContactCell* cell = &thiContactCells(contacts)[touched[i]];
        listPairs(contacts, cell, TH_ITEMS(contacts->pairs, thContactPair) + cell->firstPair);
    }
}

// Makes the pairs of all waiting cells that have none yet. Where they lie shows nowhere.
static thResult makeLists(thContacts* contacts, int32_t count)
{
    thTasks_ParallelFor(contacts->tasks, count, LISTS_PER_TASK, countPairs, contacts);
    TH_TRY(thiReserveAmply(&contacts->touched, (int64_t)contacts->touched.count + count));
    contacts->firstNew = contacts->touched.count;
    int64_t total = contacts->pairs.count;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t index = TH_ITEMS(contacts->waiting, int32_t)[i];
        thContactCell* cell = &thiContactCells(contacts)[index];
        if (cell->firstPair >= 0)
            continue;
        if (total > INT32_MAX)
            return th_resultNoMemory;
        cell->firstPair = (int32_t)total;
        total += cell->pairCount;
        *(int32_t*)thiArrayAdd(&contacts->touched, 1) = index;
    }
    TH_TRY(thiReserveAmply(&contacts->pairs, total));
    contacts->pairs.count = (int32_t)total;
    thTasks_ParallelFor(contacts->tasks, contacts->touched.count - contacts->firstNew,
                        LISTS_PER_TASK, makePairs, contacts);
    return th_resultOk;
}

// Layer and colour of a cell as one number.
static int32_t bucketOf(const thContacts* contacts, const thContactCell* cell)
{
    const thContactLayer* layer = &contacts->layers[cell->layer];
    const uint64_t column = cell->code % layer->columns + layer->minColumn;
    const uint64_t row = cell->code / layer->columns % layer->rows + layer->minRow;
    return TH_CONTACT_COLORS * cell->layer + (int32_t)(column % 3 + 3 * (row % 2));
}

thResult thiTakeWaiting(thContacts* contacts)
{
    const int32_t count = atomic_load_explicit(&contacts->waitingCount, memory_order_relaxed);
    TH_TRY(makeLists(contacts, count));
    TH_TRY(thiReserveAmply(&contacts->current, count));
    const thContactCell* cells = thiContactCells(contacts);
    const int32_t* waiting = TH_ITEMS(contacts->waiting, int32_t);
    const int32_t bucketCount = contacts->layerCount * TH_CONTACT_COLORS;
    int32_t places[TH_CONTACT_CLASSES * TH_CONTACT_COLORS] = {0};
    for (int32_t i = 0; i < count; ++i)
        places[bucketOf(contacts, &cells[waiting[i]])] += 1;
    int32_t sum = 0;
    for (int32_t bucket = 0; bucket < bucketCount; ++bucket) {
        contacts->bucketStart[bucket] = sum;
        sum += places[bucket];
        places[bucket] = contacts->bucketStart[bucket];
    }
    contacts->bucketStart[bucketCount] = sum;
    for (int32_t i = 0; i < count; ++i)
        TH_ITEMS(contacts->current, int32_t)
    [places[bucketOf(contacts, &cells[waiting[i]])]++] = waiting[i];
    atomic_store_explicit(&contacts->waitingCount, 0, memory_order_relaxed);
    return th_resultOk;
}

void thiMarkAround(thContacts* contacts, int32_t cell)
{
    const thContactCell* cells = thiContactCells(contacts);
    const thContactLayer* layer = &contacts->layers[cells[cell].layer];
    const uint64_t code = cells[cell].code;
    listCell(contacts, cell);
    if (cell > layer->firstCell && cells[cell - 1].code == code - 1)
        listCell(contacts, cell - 1);
    const int32_t end = thiCellsUpTo(cells, cells[cell].south, code - layer->columns + 1);
    for (int32_t south = cells[cell].south; south < end; ++south)
        listCell(contacts, south);
}

void thiMarkRow(thContacts* contacts, int32_t row, int32_t exceptLayer)
{
    for (int32_t l = 0; l < contacts->layerCount; ++l) {
        const thContactLayer* layer = &contacts->layers[l];
        if (l == exceptLayer || contacts->classes[row] > layer->class)
            continue;
        const uint64_t code = thiContactCode(layer, contacts, row);
        const int32_t cell = thiLowerContactCell(contacts, layer, code);
        if (thiContactCells(contacts)[cell].code == code)
            thiMarkAround(contacts, cell);
    }
}

// Three rows of cells, each a run of entries.
static void visitAround(const thContacts* contacts, const thContactLayer* layer,
                        const thContactEntry* self, thPartnerFcn* visit, void* context)
{
    const thContactCell* cells = thiContactCells(contacts);
    const thContactEntry* entries = TH_ITEMS(contacts->entries, thContactEntry);
    const uint64_t middle = thiContactCode(layer, contacts, self->row);
    const uint64_t codes[3] = {middle - layer->columns, middle, middle + layer->columns};
    for (int32_t run = 0; run < 3; ++run) {
        const int32_t first = thiLowerContactCell(contacts, layer, codes[run] - 1);
        const int32_t last = thiCellsUpTo(cells, first, codes[run] + 1);
        for (int32_t i = cells[first].first; i < cells[last].first; ++i)
            if (entries[i].row != self->row && isPair(contacts->task->rows, self, &entries[i]))
                visit(context, self->row, entries[i].row);
    }
}

void thiVisitPartners(const thContacts* contacts, int32_t row, thPartnerFcn* visit, void* context)
{
    const thRows* rows = contacts->task->rows;
    for (int32_t l = 0; l < contacts->layerCount; ++l) {
        const thContactLayer* layer = &contacts->layers[l];
        if (contacts->classes[row] > layer->class)
            continue;
        const thContactEntry self = {rows->px[row], rows->py[row], contacts->bodies[row], row,
                                     contacts->classes[row] == layer->class};
        visitAround(contacts, layer, &self, visit, context);
    }
}
