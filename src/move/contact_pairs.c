// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Pairs within reach of each other. Most cells never need a list of theirs: one look at the targets
// says that nobody overlaps, and nobody nearby is pushed far. Lists are made for cells with an
// overlap and, as soon as an agent is pushed, for all cells with pairs of it that this could make
// overlap. So every pair that is in no list goes to targets at which it was seen apart, or to
// places so near to them that it is apart all the same.

#include "move/contact_internal.h"

#define CELLS_PER_TASK 512
#define LISTS_PER_TASK 32
#define FEW_PAIRS 128

static bool isFast(const thBody* a, const thBody* b)
{
    return thiIsFastPair((int64_t)a->budget + b->budget, (int64_t)a->radius + b->radius);
}

// How near two entries come at, or on the way to, their targets. What is said to be apart must be
// apart by the exact rule, which leaves 0.9 %: that covers rounding where |before| < 3 radii. Ways
// of fast pairs may be long against their radii, and floats off by some units.
typedef enum Nearness { nowhereNear = 0, nearly = 1, overlapping = 2 } Nearness;

static inline int32_t nearnessOf(const thContactEntry* a, const thContactEntry* b)
{
    const bool fast = isFast(&a->body, &b->body);
    const float radii = (float)(a->body.radius + b->body.radius + (fast ? 16 : 0));
    const float wide = radii + TH_CONTACT_ROOM;
    const thClosest closest =
        thiClosest((float)((int64_t)b->x - a->x), (float)((int64_t)b->y - a->y),
                   b->body.x - a->body.x, b->body.y - a->body.y, fast);
    const float square = closest.x * closest.x + closest.y * closest.y;
    return (square < wide * wide ? nearly : 0) | (square < radii * radii ? overlapping : 0);
}

static int32_t nearnessOfAny(const thContactEntry* a, const thContactEntry* from,
                             const thContactEntry* to)
{
    int32_t any = nowhereNear;
    for (const thContactEntry* b = from; b < to; ++b)
        any |= nearnessOf(a, b);
    return any;
}

static void listCell(thContacts* contacts, int32_t cell)
{
    thContactCell* at = &thiContactCells(contacts)[cell];
    if (atomic_load_explicit(&at->listed, memory_order_relaxed) != 0 ||
        (at->firstPair >= 0 && at->pairCount == 0) ||
        atomic_exchange_explicit(&at->listed, 1, memory_order_relaxed) != 0)
        return;
    const int32_t place =
        atomic_fetch_add_explicit(&contacts->waitingCount, 1, memory_order_relaxed);
    TH_ITEMS(contacts->waiting, int32_t)[place] = cell;
}

static int32_t nearnessIn(const thContacts* contacts, int32_t cell)
{
    const thContactCell* cells = thiContactCells(contacts);
    const thContactEntry* entries = TH_ITEMS(contacts->entries, thContactEntry);
    const uint64_t code = cells[cell].code;
    const thContactEntry* home = entries + cells[cell].first;
    const thContactEntry* homeEnd = entries + cells[cell + 1].first;
    const thContactEntry* eastEnd =
        cells[cell + 1].code == code + 1 ? entries + cells[cell + 2].first : homeEnd;
    const int32_t north = cells[cell].north;
    const uint64_t northEast = code + contacts->layers[cells[cell].layer].columns + 1;
    const thContactEntry* northBegin = entries + cells[north].first;
    const thContactEntry* northEnd = entries + cells[thiCellsUpTo(cells, north, northEast)].first;
    int32_t any = nowhereNear;
    for (const thContactEntry* a = home; a < homeEnd && any < overlapping; ++a)
        any |= nearnessOfAny(a, a + 1, eastEnd) | nearnessOfAny(a, northBegin, northEnd);
    return any;
}

static void findOverlaps(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    for (int32_t cell = begin; cell < end; ++cell) {
        thContactCell* at = &thiContactCells(contacts)[cell];
        if (at->code == UINT64_MAX)
            continue;
        // Cells of higher classes are few: a list says it as well.
        const int32_t near =
            contacts->layers[at->layer].class > 0 ? overlapping : nearnessIn(contacts, cell);
        atomic_store_explicit(&at->roomy, near == nowhereNear, memory_order_relaxed);
        if (near >= overlapping)
            listCell(contacts, cell);
    }
}

void thiFindOverlaps(thContacts* contacts)
{
    atomic_init(&contacts->waitingCount, 0);
    thTasks_ParallelFor(contacts->tasks, contacts->cells.count, CELLS_PER_TASK, findOverlaps,
                        contacts);
}

// Within reach of each other, at least one of them can move, and the pair belongs to the layer. In
// numbers instead of branches: which of them hold is as good as random.
static inline bool isPair(const thRows* rows, const thContactEntry* a, const thContactEntry* b)
{
    const thWay before = {(int64_t)b->x - a->x, (int64_t)b->y - a->y};
    const int64_t reach = thiReachOf(&a->body) + thiReachOf(&b->body);
    const int32_t isNear = thiDot(before, before) <= reach * reach;
    const int32_t canMove = (a->body.budget | b->body.budget) != 0;
    const int32_t hasSize = (a->body.radius | b->body.radius) != 0;
    return (isNear & canMove & hasSize & (a->own | b->own) &
            (int32_t)thiTakeNotice(rows, a->row, b->row)) != 0;
}

// The cells of a home's half of the neighbourhood, with their slots.
typedef struct Half {
    const thContactCell* cells[5];
    uint8_t slots[5];
    int32_t count;
} Half;

static Half halfOf(const thContacts* contacts, const thContactCell* home)
{
    const thContactCell* cells = thiContactCells(contacts);
    Half half = {{home}, {0}, 1};
    if (home[1].code == home->code + 1) {
        half.slots[half.count] = 1;
        half.cells[half.count++] = home + 1;
    }
    const uint64_t last = home->code + contacts->layers[home->layer].columns + 1;
    for (int32_t cell = home->north; cells[cell].code <= last; ++cell) {
        half.slots[half.count] = (uint8_t)(2 + cell - home->north);
        half.cells[half.count++] = &cells[cell];
    }
    return half;
}

// The pairs of a home cell, in the order of the keys of a, then of cells, then of the keys of b.
// Returns how many there are. `pairs` has room for one more, or is NULL.
static int32_t listPairs(const thContacts* contacts, const thContactCell* home, const Half* half,
                         thContactPair* pairs)
{
    const thContactEntry* entries = TH_ITEMS(contacts->entries, thContactEntry);
    const thRows* rows = contacts->task->rows;
    int32_t count = 0;
    for (int32_t i = home->first; i < home[1].first; ++i) {
        const thContactEntry* a = &entries[i];
        for (int32_t c = 0; c < half->count; ++c) {
            for (int32_t j = c == 0 ? i + 1 : half->cells[c]->first; j < half->cells[c][1].first;
                 ++j) {
                const thContactEntry* b = &entries[j];
                if ((a->own | b->own) == 0)
                    break; // nor are those behind it of the layer's own class
                if (pairs != NULL)
                    pairs[count] =
                        (thContactPair){.a = a->row,
                                        .b = b->row,
                                        .beforeX = (float)((int64_t)b->x - a->x),
                                        .beforeY = (float)((int64_t)b->y - a->y),
                                        .radii = (float)(a->body.radius + b->body.radius),
                                        .slot = half->slots[c],
                                        .fast = isFast(&a->body, &b->body)};
                count += isPair(rows, a, b);
            }
        }
    }
    return count;
}

// Layer and colour of a cell as one number.
static int32_t bucketOf(const thContacts* contacts, const thContactCell* cell)
{
    const thContactLayer* layer = &contacts->layers[cell->layer];
    const uint64_t column = cell->code % layer->columns + layer->minColumn;
    const uint64_t row = cell->code / layer->columns % layer->rows + layer->minRow;
    return TH_CONTACT_COLORS * cell->layer + (int32_t)(column % 3 + 3 * (row % 2));
}

// How many pairs a cell has, exactly only if that is worth the effort.
static void countPairs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    const int32_t* waiting = TH_ITEMS(contacts->waiting, int32_t);
    for (int32_t i = begin; i < end; ++i) {
        thContactCell* cell = &thiContactCells(contacts)[waiting[i]];
        if (cell->firstPair >= 0)
            continue;
        const Half half = halfOf(contacts, cell);
        int64_t most = 0;
        for (int32_t c = 0; c < half.count; ++c)
            most += half.cells[c][1].first - half.cells[c]->first;
        most *= cell[1].first - cell->first;
        cell->pairCount =
            most <= FEW_PAIRS ? (int32_t)most : listPairs(contacts, cell, &half, NULL);
        cell->bucket = (uint8_t)bucketOf(contacts, cell);
    }
}

static void makePairs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    const int32_t* touched = TH_ITEMS(contacts->touched, int32_t) + contacts->firstNew;
    for (int32_t i = begin; i < end; ++i) {
        thContactCell* cell = &thiContactCells(contacts)[touched[i]];
        const Half half = halfOf(contacts, cell);
        cell->pairCount = listPairs(contacts, cell, &half,
                                    TH_ITEMS(contacts->pairs, thContactPair) + cell->firstPair);
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
        total += cell->pairCount + 1;
        *(int32_t*)thiArrayAdd(&contacts->touched, 1) = index;
    }
    TH_TRY(thiReserveAmply(&contacts->pairs, total));
    contacts->pairs.count = (int32_t)total;
    thTasks_ParallelFor(contacts->tasks, contacts->touched.count - contacts->firstNew,
                        LISTS_PER_TASK, makePairs, contacts);
    return th_resultOk;
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
        places[cells[waiting[i]].bucket] += 1;
    int32_t sum = 0;
    for (int32_t bucket = 0; bucket < bucketCount; ++bucket) {
        contacts->bucketStart[bucket] = sum;
        sum += places[bucket];
        places[bucket] = contacts->bucketStart[bucket];
    }
    contacts->bucketStart[bucketCount] = sum;
    for (int32_t i = 0; i < count; ++i)
        TH_ITEMS(contacts->current, int32_t)
    [places[cells[waiting[i]].bucket]++] = waiting[i];
    atomic_store_explicit(&contacts->waitingCount, 0, memory_order_relaxed);
    return th_resultOk;
}

// As long as all agents of a roomy cell are less than half of the room from their targets, none of
// its pairs overlaps. Several workers may say at once that this is over.
static void markCell(thContacts* contacts, int32_t cell, bool far)
{
    atomic_uchar* roomy = &thiContactCells(contacts)[cell].roomy;
    if (far)
        atomic_store_explicit(roomy, 0, memory_order_relaxed);
    else if (atomic_load_explicit(roomy, memory_order_relaxed) != 0)
        return;
    listCell(contacts, cell);
}

void thiMarkAround(thContacts* contacts, int32_t cell, bool far)
{
    const thContactCell* cells = thiContactCells(contacts);
    const thContactLayer* layer = &contacts->layers[cells[cell].layer];
    const uint64_t code = cells[cell].code;
    markCell(contacts, cell, far);
    if (cell > layer->firstCell && cells[cell - 1].code == code - 1)
        markCell(contacts, cell - 1, far);
    const int32_t end = thiCellsUpTo(cells, cells[cell].south, code - layer->columns + 1);
    for (int32_t south = cells[cell].south; south < end; ++south)
        markCell(contacts, south, far);
}

void thiMarkRow(thContacts* contacts, int32_t row, bool far, int32_t exceptLayer)
{
    for (int32_t l = 0; l < contacts->layerCount; ++l) {
        const thContactLayer* layer = &contacts->layers[l];
        if (l == exceptLayer || contacts->classes[row] > layer->class)
            continue;
        const uint64_t code = thiContactCode(layer, contacts, row);
        const int32_t cell = thiLowerContactCell(contacts, layer, code);
        if (thiContactCells(contacts)[cell].code == code)
            thiMarkAround(contacts, cell, far);
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
