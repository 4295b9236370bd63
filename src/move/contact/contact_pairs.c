// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Which pairs of bodies have to be looked at: cells that have to be visited, and the pairs in them.
//
// First cells are found: those with a pair that would overlap at its targets, and, as soon as an
// agent is pushed, those with pairs of it that this could make overlap. Most cells never need a
// look: nobody overlaps in them, and nobody nearby is pushed far. Then the cells that wait for a
// visit get lists of their pairs within reach of each other. So every pair that is in no list goes
// to targets at which it was seen apart, or to places so near to them that it is apart all the
// same.
//
// Of the pairs in a list few are near: less than TH_CONTACT_ROOM apart at their anchors, which are
// their targets at first; or fast, because where these end says little about their way. Who is
// pushed further than half of that from its anchor has strayed; there its new anchor is, and the
// lists that it is in are looked through again.

#include "move/contact/contact_internal.h"

#define CELLS_PER_TASK 512
#define LISTS_PER_TASK 32
#define FEW_PAIRS 128

static thFindNearFcn* const findNear[th_simdCount] = TH_KERNEL_TABLE(thiFindNear);

static bool isFast(const thContactBody* a, const thContactBody* b)
{
    return thiIsFastPair((int64_t)a->budget + b->budget, (int64_t)a->radius + b->radius);
}

// What is said to be apart must be apart by the exact rule, which leaves 0.9 %: that covers
// rounding where |before| < 3 radii. Moves of fast pairs may be long against their radii, and
// floats off by some units.
static thClosest closestOfEntries(const thContacts* contacts, int32_t a, int32_t b, float* radii)
{
    const int32_t *x = TH_ITEMS(contacts->entryX, int32_t),
                  *y = TH_ITEMS(contacts->entryY, int32_t);
    const float* radius = TH_ITEMS(contacts->entryRadius, float);
    const thDisplacement after = thiDisplacement(x[a], y[a], x[b], y[b]);
    *radii = radius[a] + radius[b];
    if (*radii < TH_QUICK_RADIUS)
        return (thClosest){(float)after.x, (float)after.y, 1.0f};
    const thRows* rows = contacts->task->rows;
    const int32_t rowA = TH_ITEMS(contacts->entryRow, int32_t)[a];
    const int32_t rowB = TH_ITEMS(contacts->entryRow, int32_t)[b];
    const thContactBody *bodyA = &contacts->bodies[rowA], *bodyB = &contacts->bodies[rowB];
    const bool fast = isFast(bodyA, bodyB);
    *radii = (float)(bodyA->radius + bodyB->radius + (fast ? 16 : 0));
    const thDisplacement before =
        thiDisplacement(rows->px[rowA], rows->py[rowA], rows->px[rowB], rows->py[rowB]);
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

static inline void listUnlessRoomy(thContacts* contacts, int32_t index, bool strayed)
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

void thiListAround(thContacts* contacts, int32_t cell, bool strayed)
{
    const thContactCell* cells = thiContactCells(contacts);
    const thContactLayer* layer = &contacts->layers[cells[cell].layer];
    const uint64_t code = cells[cell].code;
    listUnlessRoomy(contacts, cell, strayed);
    if (cell > layer->firstCell && cells[cell - 1].code == code - 1)
        listUnlessRoomy(contacts, cell - 1, strayed);
    for (int32_t south = thiSouthOf(contacts, cell); cells[south].code <= code - layer->columns + 1;
         ++south)
        listUnlessRoomy(contacts, south, strayed);
}

void thiListCellsOf(thContacts* contacts, int32_t row, bool strayed, int32_t exceptLayer)
{
    for (int32_t l = 0; l < contacts->layerCount; ++l) {
        const thContactLayer* layer = &contacts->layers[l];
        if (l == exceptLayer || contacts->classes[row] > layer->class)
            continue;
        const uint64_t code = thiContactCode(layer, contacts, row);
        const int32_t cell = thiLowerContactCell(contacts, layer, code);
        if (thiContactCells(contacts)[cell].code == code)
            thiListAround(contacts, cell, strayed);
    }
}

// What decides whether an agent is one of a pair of a layer.
typedef struct Member {
    int32_t row;
    int32_t x, y; // where it stood
    int32_t budget, radius;
    uint32_t layers, mask;
    int32_t own; // 1 if it is of the layer's own class
} Member;

static inline Member memberOf(const thContacts* contacts, const thContactLayer* layer, int32_t row)
{
    const thRows* rows = contacts->task->rows;
    return (Member){row,
                    rows->px[row],
                    rows->py[row],
                    contacts->bodies[row].budget,
                    contacts->bodies[row].radius,
                    rows->layers[row],
                    rows->mask[row],
                    contacts->classes[row] == layer->class};
}

// At least one of them can move, they touch each other at all, and the pair belongs to the layer.
static inline bool canTouch(const Member* a, const Member* b)
{
    const int32_t canMove = (a->budget | b->budget) != 0;
    const int32_t hasSize = (a->radius | b->radius) != 0;
    const int32_t takeNotice = ((a->mask & b->layers) | (b->mask & a->layers)) != 0;
    return (canMove & hasSize & (a->own | b->own) & takeNotice) != 0;
}

// Also within reach of each other.
static inline bool isPair(const Member* a, const Member* b)
{
    const thDisplacement before = thiDisplacement(a->x, a->y, b->x, b->y);
    const int64_t reach = (int64_t)a->radius + a->budget + b->radius + b->budget + 4;
    return thiExactDot(before, before) <= reach * reach && canTouch(a, b);
}

static inline thContactPair pairOf(const Member* a, const Member* b, uint8_t slot)
{
    return (thContactPair){
        .a = a->row,
        .b = b->row,
        .beforeX = (float)((int64_t)b->x - a->x),
        .beforeY = (float)((int64_t)b->y - a->y),
        .radii = (float)(a->radius + b->radius),
        .slot = slot,
        .fast = thiIsFastPair((int64_t)a->budget + b->budget, (int64_t)a->radius + b->radius)};
}

// A member of a half, with its place from the half's first one and how far it reaches, rounded up.
// Lists may hold pairs that are a little out of reach: these never overlap.
typedef struct Candidate {
    float x, y, reach;
    Member member;
} Candidate;

// The cells of a home's half of the neighbourhood, with their slots, and who is in them, in order.
// Piles are looked up one by one, all others at once.
typedef struct Half {
    const thContactLayer* layer;
    int32_t originX, originY;
    int32_t count;
    uint8_t slots[5];
    int32_t sizes[5];
    const int32_t* pile[5];
    Candidate members[5][TH_CONTACT_PILE];
} Half;

static inline Candidate candidateOf(const thContacts* contacts, const Half* half, int32_t row)
{
    const Member member = memberOf(contacts, half->layer, row);
    const float reach = (float)member.radius + (float)member.budget + 4.0f;
    return (Candidate){(float)((int64_t)member.x - half->originX),
                       (float)((int64_t)member.y - half->originY),
                       reach * 1.0001f + (float)half->layer->side * 0x1p-20f, member};
}

static inline bool areWithinReach(const Candidate* a, const Candidate* b)
{
    const float x = b->x - a->x, y = b->y - a->y, reach = a->reach + b->reach;
    return x * x + y * y <= reach * reach;
}

static void addToHalf(const thContacts* contacts, Half* half, const thContactCell* cell,
                      int32_t slot)
{
    const int32_t at = half->count++, size = cell[1].first - cell->first;
    int32_t room[TH_CONTACT_PILE];
    const int32_t* rows = thiOrderedRows(contacts, cell, room);
    half->slots[at] = (uint8_t)slot;
    half->sizes[at] = size;
    half->pile[at] = size > TH_CONTACT_PILE ? rows : NULL;
    for (int32_t i = 0; i < size && size <= TH_CONTACT_PILE; ++i)
        half->members[at][i] = candidateOf(contacts, half, rows[i]);
}

static void findHalf(const thContacts* contacts, int32_t home, Half* half)
{
    const thContactCell* cells = thiContactCells(contacts);
    const uint64_t code = cells[home].code;
    const int32_t first = TH_ITEMS(contacts->entryRow, int32_t)[cells[home].first];
    half->layer = &contacts->layers[cells[home].layer];
    half->originX = contacts->task->rows->px[first];
    half->originY = contacts->task->rows->py[first];
    half->count = 0;
    addToHalf(contacts, half, &cells[home], 0);
    if (cells[home + 1].code == code + 1)
        addToHalf(contacts, half, &cells[home + 1], 1);
    const uint64_t last = code + half->layer->columns + 1;
    const int32_t north = thiNorthOf(contacts, home);
    for (int32_t cell = north; cells[cell].code <= last; ++cell)
        addToHalf(contacts, half, &cells[cell], 2 + cell - north);
}

static inline const Candidate* candidateAt(const thContacts* contacts, const Half* half,
                                           int32_t cell, int32_t i, Candidate* room)
{
    if (half->pile[cell] == NULL)
        return &half->members[cell][i];
    *room = candidateOf(contacts, half, half->pile[cell][i]);
    return room;
}

// The pairs of a home cell, in the order of the keys of a, then of cells, then of the keys of b.
// Returns how many there are. `pairs` has room for them, or is NULL.
static int32_t listPairs(const thContacts* contacts, int32_t home, thContactPair* pairs)
{
    Half half;
    findHalf(contacts, home, &half);
    int32_t count = 0;
    for (int32_t i = 0; i < half.sizes[0]; ++i) {
        Candidate roomA, roomB;
        const Candidate* a = candidateAt(contacts, &half, 0, i, &roomA);
        for (int32_t c = 0; c < half.count; ++c) {
            for (int32_t j = c == 0 ? i + 1 : 0; j < half.sizes[c]; ++j) {
                const Candidate* b = candidateAt(contacts, &half, c, j, &roomB);
                if ((a->member.own | b->member.own) == 0)
                    break; // nor are those behind it of the layer's own class
                if (!areWithinReach(a, b) || !canTouch(&a->member, &b->member))
                    continue;
                if (pairs != NULL)
                    pairs[count] = pairOf(&a->member, &b->member, half.slots[c]);
                count += 1;
            }
        }
    }
    return count;
}

// How many pairs a cell can have.
static int64_t mostPairs(const thContacts* contacts, int32_t home)
{
    const thContactCell* cells = thiContactCells(contacts);
    const uint64_t code = cells[home].code;
    const uint64_t northEast = code + contacts->layers[cells[home].layer].columns + 1;
    const int32_t eastEnd = thiCellsUpTo(cells, home, code + 1), north = thiNorthOf(contacts, home);
    const int64_t others = (int64_t)cells[eastEnd].first - cells[home].first +
                           cells[thiCellsUpTo(cells, north, northEast)].first - cells[north].first;
    return others * (cells[home + 1].first - cells[home].first);
}

// Layer and colour of a cell as one number.
static int32_t bucketOf(const thContacts* contacts, const thContactCell* cell)
{
    const thContactLayer* layer = &contacts->layers[cell->layer];
    const uint64_t column = cell->code % layer->columns;
    const uint64_t row = cell->code / layer->columns % layer->rows;
    return TH_CONTACT_COLORS * cell->layer + (int32_t)(column % 3 + 3 * (row % 2));
}

// How many pairs a cell has, exactly only if that is worth the effort.
static void countPairs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    const int32_t* cells = TH_BEHIND(TH_ITEMS(contacts->touched, int32_t), contacts->firstNew);
    for (int32_t i = begin; i < end; ++i) {
        thContactCell* cell = &thiContactCells(contacts)[cells[i]];
        const int64_t most = mostPairs(contacts, cells[i]);
        cell->pairCount = most <= FEW_PAIRS ? (int32_t)most : listPairs(contacts, cells[i], NULL);
        cell->bucket = (uint8_t)bucketOf(contacts, cell);
    }
}

static void makePairs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    const int32_t* touched = TH_BEHIND(TH_ITEMS(contacts->touched, int32_t), contacts->firstNew);
    for (int32_t i = begin; i < end; ++i) {
        thContactCell* cell = &thiContactCells(contacts)[touched[i]];
        cell->pairCount =
            listPairs(contacts, touched[i],
                      TH_BEHIND(TH_ITEMS(contacts->pairs, thContactPair), cell->firstPair));
    }
}

// Makes the pairs of all waiting cells that have none yet. Where they lie shows nowhere.
static thResult makeLists(thContacts* contacts, int32_t count)
{
    TH_TRY(thiArrayReserveAmply(&contacts->touched, (int64_t)contacts->touched.count + count));
    contacts->firstNew = contacts->touched.count;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t index = TH_ITEMS(contacts->waiting, int32_t)[i];
        if (thiContactCells(contacts)[index].firstPair < 0)
            *(int32_t*)thiArrayAdd(&contacts->touched, 1) = index;
    }
    const int32_t newCount = contacts->touched.count - contacts->firstNew;
    thTasks_ParallelFor(contacts->tasks, newCount, LISTS_PER_TASK, countPairs, contacts);
    int64_t total = contacts->pairs.count;
    for (int32_t i = contacts->firstNew; i < contacts->touched.count; ++i) {
        thContactCell* cell = &thiContactCells(contacts)[TH_ITEMS(contacts->touched, int32_t)[i]];
        if (total > INT32_MAX)
            return th_resultNoMemory;
        cell->firstPair = (int32_t)total;
        total += cell->pairCount;
    }
    TH_TRY(thiArrayReserveAmply(&contacts->pairs, total));
    TH_TRY(thiArrayReserveAmply(&contacts->near, total));
    contacts->pairs.count = contacts->near.count = (int32_t)total;
    thTasks_ParallelFor(contacts->tasks, newCount, LISTS_PER_TASK, makePairs, contacts);
    return th_resultOk;
}

static thPushAnchor anchorOf(const thContacts* contacts, int32_t row)
{
    const thContactBody* body = &contacts->bodies[row];
    return (contacts->flags[row] & th_bodyPushed) != 0 ? contacts->anchors[row]
                                                       : (thPushAnchor){body->x, body->y};
}

void thiFindNearPairs(const thContacts* contacts, thContactCell* cell)
{
    const thContactPair* pairs =
        TH_BEHIND(TH_ITEMS(contacts->pairs, thContactPair), cell->firstPair);
    int32_t* near = TH_BEHIND(TH_ITEMS(contacts->near, int32_t), cell->firstPair);
    int32_t count = 0;
    for (int32_t i = 0; i < cell->pairCount; ++i) {
        const thContactPair* pair = &pairs[i];
        const thPushAnchor a = anchorOf(contacts, pair->a), b = anchorOf(contacts, pair->b);
        const float x = pair->beforeX + (b.x - a.x), y = pair->beforeY + (b.y - a.y);
        const float wide = pair->radii + TH_CONTACT_ROOM;
        near[count] = i;
        count += pair->fast || x * x + y * y < wide * wide;
    }
    cell->nearCount = count;
    atomic_store_explicit(&cell->stale, 0, memory_order_relaxed);
}

thResult thiTakeWaiting(thContacts* contacts)
{
    const int32_t count = atomic_load_explicit(&contacts->waitingCount, memory_order_relaxed);
    TH_TRY(makeLists(contacts, count));
    TH_TRY(thiArrayReserveAmply(&contacts->current, count));
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

static void visitCell(const thContacts* contacts, const Member* self, const thContactCell* cell,
                      thPartnerFcn* visit, void* context)
{
    const thContactLayer* layer = &contacts->layers[cell->layer];
    int32_t room[TH_CONTACT_PILE];
    const int32_t* rows = thiOrderedRows(contacts, cell, room);
    for (int32_t i = 0; i < cell[1].first - cell->first; ++i) {
        const Member other = memberOf(contacts, layer, rows[i]);
        if (rows[i] != self->row && isPair(self, &other))
            visit(context, self->row, rows[i]);
    }
}

// Three rows of cells.
static void visitAround(const thContacts* contacts, const thContactLayer* layer, int32_t row,
                        thPartnerFcn* visit, void* context)
{
    const thContactCell* cells = thiContactCells(contacts);
    const Member self = memberOf(contacts, layer, row);
    const uint64_t middle = thiContactCode(layer, contacts, row);
    const uint64_t codes[3] = {middle - layer->columns, middle, middle + layer->columns};
    for (int32_t i = 0; i < 3; ++i)
        for (int32_t cell = thiLowerContactCell(contacts, layer, codes[i] - 1);
             cells[cell].code <= codes[i] + 1; ++cell)
            visitCell(contacts, &self, &cells[cell], visit, context);
}

void thiVisitPartners(const thContacts* contacts, int32_t row, thPartnerFcn* visit, void* context)
{
    for (int32_t l = 0; l < contacts->layerCount; ++l)
        if (contacts->classes[row] <= contacts->layers[l].class)
            visitAround(contacts, &contacts->layers[l], row, visit, context);
}
