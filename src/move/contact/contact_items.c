// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The agents of a layer, sorted by the codes of their cells, at a cost that does not depend on how
// far apart they are. First they are dealt into parts by the leading bits of their codes: with a
// histogram per chunk of rows, prefix sums and a scatter. Rows lie almost in this order already, so
// few places are written to at a time. Then each part is sorted by itself, least digit first.

#include "base/hash.h"
#include "move/contact/contact_internal.h"

#include <string.h>

#define PARTS_PER_TASK 16
#define PART_SIZE_BITS 8 // so many agents are in a part if they are spread evenly
#define MOST_PART_BITS 11
#define MOST_DIGIT_BITS 10

typedef struct Sort {
    thContacts* contacts;
    const thContactLayer* layer;
    int32_t chunkCount; // of rows
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
static void markNear(void* context, int32_t begin, int32_t end, int32_t worker)
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
    for (int32_t chunk = begin; chunk < end; ++chunk) {
        int32_t* counts = countsOf(&sort, chunk);
        memset(counts, 0, sizeof *counts << sort.partBits);
        const int32_t first = chunk * TH_CONTACT_CHUNK;
        const int32_t last = TH_MIN(contacts->task->rows->count, first + TH_CONTACT_CHUNK);
        uint64_t* items = contacts->items[0] + first;
        int32_t count = 0;
        for (int32_t row = first; row < last; ++row) {
            if (contacts->classes[row] > layer.class) // the dead too
                continue;
            const uint64_t code = thiContactCode(&layer, contacts, row);
            if (contacts->classes[row] < layer.class && !isNear(contacts, code))
                continue;
            const uint64_t item = code << sort.rowBits | (uint64_t)row;
            counts[item >> sort.partShift] += 1;
            items[count++] = item;
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

static int32_t bitsOf(uint64_t value)
{
    return value == 0 ? 0 : 64 - __builtin_clzll(value);
}

int32_t thiRowBits(const thContacts* contacts)
{
    return bitsOf((uint64_t)contacts->task->rows->count);
}

int32_t thiCodeBits(const thContactLayer* layer, const thContacts* contacts)
{
    const thContactExtent* extent = &contacts->extent;
    return bitsOf((uint64_t)(extent->highLevel - extent->lowLevel + 1) * layer->rows *
                  layer->columns);
}

static thResult prepareSort(Sort* sort)
{
    thContacts* contacts = sort->contacts;
    const int32_t codeBits = thiCodeBits(sort->layer, contacts);
    sort->rowBits = thiRowBits(contacts);
    sort->partBits = TH_MIN(TH_MAX(sort->rowBits - PART_SIZE_BITS, 1), MOST_PART_BITS);
    sort->partBits = TH_MIN(sort->partBits, codeBits);
    sort->partShift = sort->rowBits + codeBits - sort->partBits;
    sort->passes = (codeBits - sort->partBits + MOST_DIGIT_BITS - 1) / MOST_DIGIT_BITS;
    if (sort->passes > 0)
        sort->digitBits = (codeBits - sort->partBits + sort->passes - 1) / sort->passes;
    sort->chunkCount = (contacts->task->rows->count + TH_CONTACT_CHUNK - 1) / TH_CONTACT_CHUNK;
    const int32_t partCount = 1 << sort->partBits;
    TH_TRY(thiReserveAmply(&contacts->chunkSizes, sort->chunkCount));
    TH_TRY(thiReserveAmply(&contacts->chunkCounts, (int64_t)sort->chunkCount * partCount));
    TH_TRY(thiReserveAmply(&contacts->partStart, partCount + 1));
    TH_TRY(thiReserveAmply(&contacts->partCells, partCount + 1));
    sort->partStart = TH_ITEMS(contacts->partStart, int32_t);
    sort->partCells = TH_ITEMS(contacts->partCells, int32_t);
    return th_resultOk;
}

thResult thiSortItems(thContacts* contacts, const thContactLayer* layer, thContactItems* items)
{
    const thTasks* tasks = contacts->tasks;
    Sort sort = {.contacts = contacts, .layer = layer};
    TH_TRY(prepareSort(&sort));
    if (layer->class > 0) {
        for (int32_t i = 0; i < 1 << (TH_NEAR_BITS - 6); ++i)
            atomic_store_explicit(&contacts->nearCells[i], 0, memory_order_relaxed);
        thTasks_ParallelFor(tasks, contacts->task->rows->count, TH_CONTACT_CHUNK, markNear, &sort);
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
    *items = (thContactItems){.sorted = contacts->items[(1 + sort.passes) % 2],
                              .count = sort.partStart[partCount],
                              .rowBits = sort.rowBits,
                              .partCount = partCount,
                              .partStart = sort.partStart,
                              .partCells = sort.partCells};
    return th_resultOk;
}
