// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Which cells have to be looked at: those with a pair that would overlap at its targets, and, as
// soon as an agent is pushed, those with pairs of it that this could make overlap. Most cells never
// need a look: nobody overlaps in them, and nobody nearby is pushed far.

#include "move/contact/contact_internal.h"
#include "move/contact/contact_near.h"

static thFindNearFcn* const findNear[th_simdCount] = TH_KERNEL_TABLE(thiFindNear);

#define CELLS_PER_TASK 512

static bool isFast(const thBody* a, const thBody* b)
{
    return thiIsFastPair((int64_t)a->budget + b->budget, (int64_t)a->radius + b->radius);
}

// What is said to be apart must be apart by the exact rule, which leaves 0.9 %: that covers
// rounding where |before| < 3 radii. Ways of fast pairs may be long against their radii, and floats
// off by some units.
static thClosest closestOfEntries(const thContacts* contacts, int32_t a, int32_t b, float* radii)
{
    const int32_t *x = TH_ITEMS(contacts->entryX, int32_t),
                  *y = TH_ITEMS(contacts->entryY, int32_t);
    const float* radius = TH_ITEMS(contacts->entryRadius, float);
    const thWay after = thiWay(x[a], y[a], x[b], y[b]);
    *radii = radius[a] + radius[b];
    if (*radii < TH_QUICK_RADIUS)
        return (thClosest){(float)after.x, (float)after.y, 1.0f};
    const thRows* rows = contacts->task->rows;
    const int32_t rowA = TH_ITEMS(contacts->entryRow, int32_t)[a];
    const int32_t rowB = TH_ITEMS(contacts->entryRow, int32_t)[b];
    const thBody *bodyA = &contacts->bodies[rowA], *bodyB = &contacts->bodies[rowB];
    const bool fast = isFast(bodyA, bodyB);
    *radii = (float)(bodyA->radius + bodyB->radius + (fast ? 16 : 0));
    const thWay before = thiWay(rows->px[rowA], rows->py[rowA], rows->px[rowB], rows->py[rowB]);
    return thiClosest((float)before.x, (float)before.y, (float)(after.x - before.x),
                      (float)(after.y - before.y), fast);
}

// How near the pairs of a cell come at, or on the way to, their targets.
typedef enum Nearness { nowhereNear, nearly, overlapping } Nearness;

static Nearness nearnessOf(const thContacts* contacts, int32_t a, int32_t from, int32_t to)
{
    Nearness nearest = nowhereNear;
    for (int32_t b = from; b < to; ++b) {
        float radii;
        const thClosest closest = closestOfEntries(contacts, a, b, &radii);
        const float wide = radii + TH_CONTACT_ROOM;
        const float square = closest.x * closest.x + closest.y * closest.y;
        if (square < radii * radii)
            return overlapping;
        if (square < wide * wide)
            nearest = nearly;
    }
    return nearest;
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

static Nearness nearnessIn(const thContacts* contacts, int32_t cell)
{
    const thContactCell* cells = thiContactCells(contacts);
    const uint64_t code = cells[cell].code;
    const int32_t homeEnd = cells[cell + 1].first;
    const int32_t eastEnd = cells[cell + 1].code == code + 1 ? cells[cell + 2].first : homeEnd;
    const int32_t north = thiNorthOf(contacts, cell);
    const uint64_t northEast = code + contacts->layers[cells[cell].layer].columns + 1;
    const int32_t northBegin = cells[north].first;
    const int32_t northEnd = cells[thiCellsUpTo(cells, north, northEast)].first;
    Nearness nearest = nowhereNear;
    for (int32_t a = cells[cell].first; a < homeEnd && nearest != overlapping; ++a) {
        const Nearness inRow = nearnessOf(contacts, a, a + 1, eastEnd);
        const Nearness inNorth = nearnessOf(contacts, a, northBegin, northEnd);
        nearest = TH_MAX(nearest, TH_MAX(inRow, inNorth));
    }
    return nearest;
}

static void listOverlapping(thContacts* contacts, int32_t cell)
{
    atomic_store_explicit(&thiContactCells(contacts)[cell].roomy, 0, memory_order_relaxed);
    listCell(contacts, cell);
}

static void findOverlaps(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    int32_t near[CELLS_PER_TASK];
    const thNearTask task = {.cells = thiContactCells(contacts),
                             .layer = &contacts->layers[0],
                             .cell = TH_ITEMS(contacts->entryCell, int32_t),
                             .x = TH_ITEMS(contacts->entryX, int32_t),
                             .y = TH_ITEMS(contacts->entryY, int32_t),
                             .radius = TH_ITEMS(contacts->entryRadius, float),
                             .begin = begin,
                             .end = end,
                             .north = thiNorthOf(contacts, begin),
                             .near = near};
    const int32_t count = findNear[contacts->simd](&task);
    for (int32_t i = 0; i < count; ++i)
        if (nearnessIn(contacts, near[i]) == overlapping)
            listOverlapping(contacts, near[i]);
}

void thiFindOverlaps(thContacts* contacts)
{
    atomic_init(&contacts->waitingCount, 0);
    if (contacts->layerCount == 0)
        return;
    const thContactLayer* layer = &contacts->layers[0];
    const int32_t plain = layer->class == 0 ? layer->cellCount : 0;
    thTasks_ParallelFor(contacts->tasks, plain, CELLS_PER_TASK, findOverlaps, contacts);
    // Cells of higher classes are few: a list says it as well.
    for (int32_t cell = plain; cell < contacts->cells.count; ++cell)
        if (thiContactCells(contacts)[cell].code != UINT64_MAX)
            listOverlapping(contacts, cell);
}

// As long as all agents of a roomy cell are less than half of the room from their targets, none of
// its pairs overlaps. Few cells are ever asked. Several workers may find the answer at once, or say
// that it is over.
static bool isRoomy(const thContacts* contacts, int32_t cell)
{
    atomic_uchar* roomy = &thiContactCells(contacts)[cell].roomy;
    uint8_t answer = atomic_load_explicit(roomy, memory_order_relaxed);
    if (answer == TH_ROOMY_UNKNOWN) {
        unsigned char unknown = TH_ROOMY_UNKNOWN;
        answer = nearnessIn(contacts, cell) == nowhereNear;
        atomic_compare_exchange_strong_explicit(roomy, &unknown, answer, memory_order_relaxed,
                                                memory_order_relaxed);
    }
    return answer != 0;
}

static inline void markCell(thContacts* contacts, int32_t index, bool strayed)
{
    thContactCell* cell = &thiContactCells(contacts)[index];
    if (!strayed && atomic_load_explicit(&cell->listed, memory_order_relaxed) != 0)
        return;
    if (strayed) {
        atomic_store_explicit(&cell->roomy, 0, memory_order_relaxed);
        atomic_store_explicit(&cell->stale, 1, memory_order_relaxed);
    } else if (isRoomy(contacts, index)) {
        return;
    }
    listCell(contacts, index);
}

void thiMarkAround(thContacts* contacts, int32_t cell, bool strayed)
{
    const thContactCell* cells = thiContactCells(contacts);
    const thContactLayer* layer = &contacts->layers[cells[cell].layer];
    const uint64_t code = cells[cell].code;
    markCell(contacts, cell, strayed);
    if (cell > layer->firstCell && cells[cell - 1].code == code - 1)
        markCell(contacts, cell - 1, strayed);
    for (int32_t south = thiSouthOf(contacts, cell); cells[south].code <= code - layer->columns + 1;
         ++south)
        markCell(contacts, south, strayed);
}

void thiMarkRow(thContacts* contacts, int32_t row, bool strayed, int32_t exceptLayer)
{
    for (int32_t l = 0; l < contacts->layerCount; ++l) {
        const thContactLayer* layer = &contacts->layers[l];
        if (l == exceptLayer || contacts->classes[row] > layer->class)
            continue;
        const uint64_t code = thiContactCode(layer, contacts, row);
        const int32_t cell = thiLowerContactCell(contacts, layer, code);
        if (thiContactCells(contacts)[cell].code == code)
            thiMarkAround(contacts, cell, strayed);
    }
}
