// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The contact solver: its memory, the rounds in which bodies are pushed apart, and the order of its
// parts.
//
// Pairs are pushed apart by coloured successive over-relaxation. In a round each pair that
// overlaps by more than a slop is separated at once, by nearly twice its depth; then walls have a
// say. A round visits the cells of one colour after those of the other, but only cells with pairs
// that overlap: whoever was moved is held against all around, and in other cells nothing would
// change. Rounds end when nobody is
// moved any more. So what happens to an agent in a round depends on what is a few cells away, and
// on nothing else. Nothing here has to be right, because everything is verified afterwards.

#include "move/contact/contacts.h"

#include "base/hash.h"
#include "geom/fixed.h"
#include "move/contact/contact_internal.h"
#include "move/slide.h"
#include "throng/math.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROUNDS 256
#define PUSH 0.9f        // for each of both, in shares of the depth: 1.8 in all
#define LATER_PUSH 0.96f // where many press, after so many rounds
#define LATER 16
#define WALL_MARGIN 64 // units
#define CELLS_PER_FIND 512
#define CELLS_PER_TASK 64
#define BODIES_PER_MARK 128
#define ROWS_PER_TASK 64
#define EXACT_BITS 48 // of contactBits: candidates with a bit of their own
#define NEAR_BYTES ((size_t)1 << (TH_NEAR_BITS - 3))

// Every column by row: type, name.
#define COLUMNS(X)                                                                                 \
    X(int32_t, budget)                                                                             \
    X(int32_t, radius)                                                                             \
    X(float, wallSq)                                                                               \
    X(uint8_t, classes)                                                                            \
    X(uint8_t, fixed)                                                                              \
    X(int32_t, bodyOf)                                                                             \
    X(int32_t, moved.items)                                                                        \
    X(int32_t, pushed.items)                                                                       \
    X(int32_t, stirred.items)                                                                      \
    X(int32_t, cuts.items)                                                                         \
    X(uint64_t, items[0])                                                                          \
    X(uint64_t, items[1])

// Every array: type of its items, name.
#define ARRAYS(X)                                                                                  \
    X(thContactWorker, workers)                                                                    \
    X(thContactCell, cells)                                                                        \
    X(int32_t, entryRow)                                                                           \
    X(int32_t, entryCell)                                                                          \
    X(int32_t, entryBody)                                                                          \
    X(int32_t, entryX)                                                                             \
    X(int32_t, entryY)                                                                             \
    X(float, entryRadius)                                                                          \
    X(thContactBody, bodies)                                                                       \
    X(uint8_t, flags)                                                                              \
    X(atomic_uchar, cut)                                                                           \
    X(uint64_t, contactBits)                                                                       \
    X(int32_t, chunkSizes)                                                                         \
    X(int32_t, chunkCounts)                                                                        \
    X(int32_t, partStart)                                                                          \
    X(int32_t, partCells)                                                                          \
    X(atomic_ullong, planes)                                                                       \
    X(int32_t, current)

static thFindOverlapsFcn* const findKernels[th_simdCount] = TH_KERNEL_TABLE(thiFindOverlaps);
static thMarkOverlapsFcn* const markKernels[th_simdCount] = TH_KERNEL_TABLE(thiMarkOverlaps);
static thVisitCellsFcn* const visitKernels[th_simdCount] = TH_KERNEL_TABLE(thiVisitCells);

// Kernels write over the end.
static size_t bytesOf(int32_t capacity, size_t itemSize)
{
    return ((size_t)capacity + TH_MAX_WIDTH) * itemSize;
}

static void freeColumns(thContacts* contacts)
{
    const int32_t capacity = contacts->capacity;
#define X(type, name)                                                                              \
    thiRelease(contacts->memory, contacts->name, bytesOf(capacity, sizeof(type)));                 \
    contacts->name = NULL;
    COLUMNS(X)
#undef X
    contacts->capacity = 0;
}

// With room for the partners of anyone in an ordinary crowd.
static thResult makeWorkers(thContacts* contacts, int32_t count)
{
    thContactWorker* workers = thiArrayAdd(&contacts->workers, count);
    if (workers == NULL)
        return th_resultNoMemory;
    memset(workers, 0, (size_t)count * sizeof *workers);
    for (int32_t w = 0; w < count; ++w) {
        workers[w].partners = thiArray(contacts->memory, sizeof(int32_t));
        workers[w].planes = thiArray(contacts->memory, sizeof(thMovePlane));
        workers[w].crowded = thiArray(contacts->memory, sizeof(thEntryPair));
    }
    for (int32_t w = 0; w < count; ++w) {
        TH_TRY(thiArrayReserve(&workers[w].partners, 256));
        TH_TRY(thiArrayReserve(&workers[w].planes, 256));
    }
    return th_resultOk;
}

thResult thiCreateContacts(thMemory* memory, int32_t workerCount, thContacts** result)
{
    *result = NULL;
    thContacts* contacts = thiAllocateZero(memory, sizeof *contacts);
    if (contacts == NULL)
        return th_resultNoMemory;
    contacts->memory = memory;
#define X(type, name) contacts->name = thiArray(memory, sizeof(type));
    ARRAYS(X)
#undef X
    contacts->nearCells = thiAllocate(memory, NEAR_BYTES);
    const thResult code =
        contacts->nearCells != NULL ? makeWorkers(contacts, workerCount) : th_resultNoMemory;
    if (code == th_resultOk)
        *result = contacts;
    else
        thiDestroyContacts(contacts);
    return code;
}

void thiDestroyContacts(thContacts* contacts)
{
    if (contacts == NULL)
        return;
    freeColumns(contacts);
    for (int32_t w = 0; w < contacts->workers.count; ++w) {
        thContactWorker* worker = &TH_ITEMS(contacts->workers, thContactWorker)[w];
        thiArrayFree(&worker->partners);
        thiArrayFree(&worker->planes);
        thiArrayFree(&worker->crowded);
    }
#define X(type, name) thiArrayFree(&contacts->name);
    ARRAYS(X)
#undef X
    thiRelease(contacts->memory, contacts->nearCells, NEAR_BYTES);
    thiRelease(contacts->memory, contacts, sizeof *contacts);
}

// Nothing is kept from one step to the next, so nothing has to be copied. Without memory for more
// there is still what there was, for those who live already.
thResult thiContactsReserve(thContacts* contacts, int32_t capacity)
{
    if (capacity <= contacts->capacity)
        return th_resultOk;
    thContacts before = *contacts;
    bool complete = true;
#define X(type, name)                                                                              \
    contacts->name = thiAllocate(contacts->memory, bytesOf(capacity, sizeof(type)));               \
    complete = complete && contacts->name != NULL;
    COLUMNS(X)
#undef X
    contacts->capacity = capacity;
    freeColumns(complete ? &before : contacts);
    if (!complete)
        *contacts = before;
    return complete ? th_resultOk : th_resultNoMemory;
}

float* thiContactWalls(const thContacts* contacts)
{
    return contacts->wallSq;
}

// Cells that wait.

static int32_t colorOf(const thContacts* contacts, thContactCell* cell)
{
    const int32_t known = atomic_load_explicit(&cell->color, memory_order_relaxed);
    if (known < TH_CONTACT_COLORS)
        return known;
    const thContactLayer* layer = &contacts->layers[cell->layer];
    const int32_t row = TH_ITEMS(contacts->entryRow, int32_t)[cell->first];
    const thRows* rows = contacts->task->rows;
    const uint32_t x = thiContactCellAlong(layer, rows->px[row], contacts->extent.lowX);
    const uint32_t y = thiContactCellAlong(layer, rows->py[row], contacts->extent.lowY);
    const int32_t color = (int32_t)(x % 3 + 3 * (y % 2));
    atomic_store_explicit(&cell->color, (unsigned char)color, memory_order_relaxed);
    return color;
}

void thiMarkCell(thContacts* contacts, int32_t cell)
{
    const int32_t color = colorOf(contacts, &thiContactCells(contacts)[cell]);
    atomic_ullong* word = thiCellWord(contacts, color, cell);
    const uint64_t bit = UINT64_C(1) << cell % 64;
    if ((atomic_load_explicit(word, memory_order_relaxed) & bit) == 0)
        atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
}

static void markAround(thContacts* contacts, int32_t cell)
{
    const thContactCell* cells = thiContactCells(contacts);
    const thContactLayer* layer = &contacts->layers[cells[cell].layer];
    const uint64_t code = cells[cell].code;
    thiMarkCell(contacts, cell);
    if (cell > layer->firstCell && cells[cell - 1].code == code - 1)
        thiMarkCell(contacts, cell - 1);
    for (int32_t south = thiSouthOf(contacts, cell); cells[south].code <= code - layer->columns + 1;
         ++south)
        thiMarkCell(contacts, south);
}

void thiMarkAroundBody(thContacts* contacts, int32_t body, int32_t firstLayer)
{
    const int32_t own = TH_ITEMS(contacts->entryCell, int32_t)[body];
    const int32_t ownLayer = thiContactCells(contacts)[own].layer;
    if (ownLayer >= firstLayer)
        markAround(contacts, own);
    for (int32_t l = TH_MAX(ownLayer + 1, firstLayer); l < contacts->layerCount; ++l) {
        const thContactLayer* layer = &contacts->layers[l];
        const uint64_t code =
            thiContactCode(layer, contacts, TH_ITEMS(contacts->entryRow, int32_t)[body]);
        const int32_t cell = thiLowerContactCell(contacts, layer, code);
        if (thiContactCells(contacts)[cell].code == code)
            markAround(contacts, cell);
    }
}

void thiTakeCells(thContacts* contacts, int32_t firstPlane, int32_t endPlane, int32_t begin,
                  int32_t end)
{
    int32_t* current = TH_ITEMS(contacts->current, int32_t);
    int32_t count = 0;
    for (int32_t first = begin - begin % 64; first < end; first += 64) {
        uint64_t wanted = begin > first ? UINT64_MAX << (begin - first) : UINT64_MAX;
        wanted &= end - first < 64 ? UINT64_MAX >> (64 - (end - first)) : UINT64_MAX;
        uint64_t bits = 0;
        for (int32_t plane = firstPlane; plane < endPlane; ++plane) {
            atomic_ullong* word = thiCellWord(contacts, plane, first);
            const uint64_t here = atomic_load_explicit(word, memory_order_relaxed);
            bits |= here & wanted;
            if ((here & wanted) != 0)
                atomic_store_explicit(word, here & ~wanted, memory_order_relaxed);
        }
        for (; bits != 0; bits &= bits - 1)
            current[count++] = first + __builtin_ctzll(bits);
    }
    contacts->current.count = count;
}

static void findOverlaps(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    int32_t cells[CELLS_PER_FIND];
    const int32_t count = findKernels[contacts->simd](contacts, begin, end, cells);
    for (int32_t i = 0; i < count; ++i)
        thiMarkCell(contacts, cells[i]);
}

// All cells with a pair that would overlap at its targets wait for a visit.
static thResult markOverlaps(thContacts* contacts)
{
    const int32_t cellCount = contacts->cells.count;
    contacts->planeWords = cellCount / 64 + 1;
    const int64_t words = (int64_t)contacts->planeWords * th_cellPlanes;
    TH_TRY(thiArrayReserveAmply(&contacts->planes, words));
    TH_TRY(thiArrayReserveAmply(&contacts->current, cellCount));
    if (contacts->layerCount == 0)
        return th_resultOk;
    memset(contacts->planes.data, 0, (size_t)words * sizeof(atomic_ullong));
    const thContactLayer* layer = &contacts->layers[0];
    const int32_t plain = layer->class == 0 ? layer->cellCount : 0;
    thTasks_ParallelFor(contacts->tasks, plain, CELLS_PER_FIND, findOverlaps, contacts);
    // Cells of higher classes are few: a visit says it as well.
    for (int32_t cell = plain; cell < cellCount; ++cell)
        if (thiContactCells(contacts)[cell].code != UINT64_MAX)
            thiMarkCell(contacts, cell);
    return th_resultOk;
}

// What visits ask for.

void thiRefreshCopies(const thContacts* contacts, int32_t begin, int32_t end)
{
    const int32_t* body = TH_ITEMS(contacts->entryBody, int32_t);
    int32_t *x = TH_ITEMS(contacts->entryX, int32_t), *y = TH_ITEMS(contacts->entryY, int32_t);
    for (int32_t entry = begin; entry < end; ++entry) {
        x[entry] = x[body[entry]];
        y[entry] = y[body[entry]];
    }
}

void thiDirectionByKeys(const thContacts* contacts, int32_t a, int32_t b, double* x, double* y)
{
    const int32_t* row = TH_ITEMS(contacts->entryRow, int32_t);
    const uint64_t keyA = contacts->task->rows->key[row[a]];
    const uint64_t keyB = contacts->task->rows->key[row[b]];
    const uint64_t hash = thiHashWord(thiMix(TH_MIN(keyA, keyB)), TH_MAX(keyA, keyB));
    const float angle = (float)(hash >> 40) * (6.2831853f * 0x1p-24f);
    const double sign = keyA > keyB ? -1.0 : 1.0;
    float sine, cosine;
    thSinCos(angle, &sine, &cosine);
    *x = sign * (double)cosine;
    *y = sign * (double)sine;
}

// How far away walls matter to an agent at all, as it is compared with distances. [m]
static float wallReach(const thContactBody* body)
{
    return (float)(thiReachOf(body->budget, body->radius) + WALL_MARGIN) * TH_METRES_PER_UNIT;
}

static bool isWithoutWall(float wallSq, float reachSq)
{
    return signbit(wallSq) ? -wallSq >= reachSq : wallSq > reachSq;
}

// Whether walls are within reach, or still to be looked for, or a gate is that it must not pass.
static bool mayBeNearWalls(const thContacts* contacts, int32_t body)
{
    const int32_t row = TH_ITEMS(contacts->entryRow, int32_t)[body];
    if (thiIsHeld(&contacts->task->gates, row))
        return true;
    return contacts->hasWalls &&
           !isWithoutWall(contacts->wallSq[row],
                          thiWallSquare(wallReach(&thiBodies(contacts)[body])));
}

void thiNoteMoved(thContacts* contacts, thContactWorker* worker, int32_t body)
{
    uint8_t* flags = &TH_ITEMS(contacts->flags, uint8_t)[body];
    if ((*flags & th_bodyPushed) == 0)
        thiListAdd(&contacts->pushed, &worker->pushed, body);
    if (mayBeNearWalls(contacts, body))
        thiListAdd(&contacts->moved, &worker->moved, body);
    *flags |= th_bodyPushed | th_bodyMoved;
}

// The first candidates of a body have a bit each. Others, of piles or of bodies that are small for
// their cell, share some: of those that do, one is told of.
void thiNoteContact(thContacts* contacts, thContactWorker* worker, int32_t a, int32_t b,
                    int32_t index)
{
    const int32_t bit =
        index < EXACT_BITS ? index : EXACT_BITS + (index - EXACT_BITS) % (64 - EXACT_BITS);
    uint64_t* bits = &TH_ITEMS(contacts->contactBits, uint64_t)[a];
    uint8_t* flags = &TH_ITEMS(contacts->flags, uint8_t)[a];
    if ((*flags & th_bodyTold) == 0)
        *bits = 0;
    *flags |= th_bodyTold;
    if ((*bits >> bit & 1u) != 0)
        return;
    *bits |= UINT64_C(1) << bit;
    worker->contacts += 1;
    if (index < EXACT_BITS)
        return;
    thEntryPair* pair = thiArrayAdd(&worker->crowded, 1);
    if (pair != NULL)
        *pair = (thEntryPair){a, b};
    else
        worker->outOfMemory = true;
}

// Rounds.

static void visitCells(void* context, int32_t begin, int32_t end, int32_t worker)
{
    thContacts* contacts = context;
    thContactWorker* self = &TH_ITEMS(contacts->workers, thContactWorker)[worker];
    visitKernels[contacts->simd](contacts, TH_ITEMS(contacts->current, int32_t) + begin,
                                 end - begin, self);
    thiListFlush(&contacts->moved, &self->moved);
    thiListFlush(&contacts->pushed, &self->pushed);
    thiListFlush(&contacts->stirred, &self->stirred);
}

// In layers above there are copies, and few cells: there all cells wait that may have to.
static void markStirred(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    const int32_t* cell = TH_ITEMS(contacts->entryCell, int32_t);
    if (contacts->layerCount == 1) {
        markKernels[contacts->simd](contacts, contacts->stirred.items + begin, end - begin);
        return;
    }
    for (int32_t i = begin; i < end; ++i) {
        const int32_t body = contacts->stirred.items[i];
        if (thiContactCells(contacts)[cell[body]].layer == 0)
            markKernels[contacts->simd](contacts, &contacts->stirred.items[i], 1);
        else
            TH_ITEMS(contacts->flags, uint8_t)[body] &= (uint8_t)~th_bodyStirred;
        thiMarkAroundBody(contacts, body, 1);
    }
}

// The cells with pairs that overlap since bodies were moved wait for a visit.
static void markOverlapsAnew(thContacts* contacts)
{
    thTasks_ParallelFor(contacts->tasks, contacts->stirred.count, BODIES_PER_MARK, markStirred,
                        contacts);
    contacts->stirred.count = 0;
}

// How far an agent can go from where it stands without meeting a wall, whatever its direction; with
// something to spare for rounding. FLT_MAX: as far as it can.
static float wallRoomOf(thContacts* contacts, int32_t index)
{
    const thRows* rows = contacts->task->rows;
    const thContactBody* body = &thiBodies(contacts)[index];
    const int32_t row = TH_ITEMS(contacts->entryRow, int32_t)[index];
    const float reach = wallReach(body), reachSq = thiWallSquare(reach);
    float* wallSq = &contacts->wallSq[row];
    thNearWall wall;
    if (signbit(*wallSq) && -*wallSq < reachSq)
        *wallSq = thiNearestWalls(contacts->task->walls, rows->level[row], body->fromX, body->fromY,
                                  reach, -1.0f, 1, &wall, 1) == 0
                      ? -reachSq
                      : wall.distanceSq;
    if (isWithoutWall(*wallSq, reachSq))
        return FLT_MAX;
    const float distance = sqrtf(*wallSq) * TH_UNITS;
    return distance - (float)(body->radius + WALL_MARGIN) - 0x1p-20f * distance;
}

static bool mayMeetWall(thContacts* contacts, int32_t index)
{
    if (!contacts->hasWalls)
        return false;
    const thContactBody* body = &thiBodies(contacts)[index];
    const float x = (float)(TH_ITEMS(contacts->entryX, int32_t)[index] - body->fromX);
    const float y = (float)(TH_ITEMS(contacts->entryY, int32_t)[index] - body->fromY);
    const float room = wallRoomOf(contacts, index);
    return room < 0.0f || x * x + y * y > room * room;
}

thPoint thiSlideBody(const thContacts* contacts, int32_t index, thPoint to)
{
    const thContactTask* task = contacts->task;
    const thContactBody* body = &thiBodies(contacts)[index];
    const int32_t row = TH_ITEMS(contacts->entryRow, int32_t)[index];
    const thPoint from = {body->fromX, body->fromY};
    const int32_t level = task->rows->level[row];
    const float radius = task->rows->radius[row];
    return thiIsHeld(&task->gates, row)
               ? thiSlideHeld(task->walls, level, from, to, radius, &task->gates, row)
               : thiSlide(task->walls, level, from, to, radius);
}

thPoint thiSlidePushed(thContacts* contacts, int32_t index)
{
    const thPoint to = {TH_ITEMS(contacts->entryX, int32_t)[index],
                        TH_ITEMS(contacts->entryY, int32_t)[index]};
    const int32_t row = TH_ITEMS(contacts->entryRow, int32_t)[index];
    return thiIsHeld(&contacts->task->gates, row) || mayMeetWall(contacts, index)
               ? thiSlideBody(contacts, index, to)
               : to;
}

static void keepOutOfWalls(void* context, int32_t begin, int32_t end, int32_t worker)
{
    thContacts* contacts = context;
    thContactBuffer* stirred = &TH_ITEMS(contacts->workers, thContactWorker)[worker].stirred;
    int32_t *x = TH_ITEMS(contacts->entryX, int32_t), *y = TH_ITEMS(contacts->entryY, int32_t);
    for (int32_t i = begin; i < end; ++i) {
        const int32_t body = contacts->moved.items[i];
        TH_ITEMS(contacts->flags, uint8_t)[body] &= (uint8_t)~th_bodyMoved;
        const thPoint to = thiSlidePushed(contacts, body);
        if (to.x == x[body] && to.y == y[body])
            continue;
        x[body] = to.x;
        y[body] = to.y;
        thiListAdd(&contacts->stirred, stirred, body);
    }
    thiListFlush(&contacts->stirred, stirred);
}

// Homes of one colour after the other. In this order what happens in a cell depends on no more than
// six columns and four rows of cells around it.
static const int32_t colorOrder[TH_CONTACT_COLORS] = {0, 3, 4, 1, 2, 5};

// Returns how often bodies were moved.
static int64_t runRound(thContacts* contacts)
{
    for (int32_t l = 0; l < contacts->layerCount; ++l) {
        const int32_t first = contacts->layers[l].firstCell;
        const int32_t end = first + contacts->layers[l].cellCount;
        for (int32_t i = 0; i < TH_CONTACT_COLORS; ++i) {
            thiTakeCells(contacts, colorOrder[i], colorOrder[i] + 1, first, end);
            thTasks_ParallelFor(contacts->tasks, contacts->current.count, CELLS_PER_TASK,
                                visitCells, contacts);
            markOverlapsAnew(contacts);
        }
    }
    thTasks_ParallelFor(contacts->tasks, contacts->moved.count, ROWS_PER_TASK, keepOutOfWalls,
                        contacts);
    contacts->moved.count = 0;
    markOverlapsAnew(contacts);
    int64_t moves = 0;
    for (int32_t w = 0; w < contacts->workers.count; ++w) {
        thContactWorker* worker = &TH_ITEMS(contacts->workers, thContactWorker)[w];
        moves += worker->moves;
        worker->moves = 0;
    }
    return moves;
}

// Pushes until nobody overlaps. Rounds in which nothing happens are not counted.
static void runRounds(thContacts* contacts, thContactStats* stats)
{
    contacts->moved.count = 0;
    contacts->pushed.count = 0;
    contacts->stirred.count = 0;
    for (; stats->rounds < ROUNDS; ++stats->rounds) {
        contacts->push = stats->rounds < LATER ? PUSH : LATER_PUSH;
        contacts->share = stats->rounds == 0 ? 1.0f : 1.0f - TH_CONTACT_SLOP;
        if (runRound(contacts) == 0)
            break;
    }
    for (int32_t w = 0; w < contacts->workers.count; ++w)
        stats->contacts += TH_ITEMS(contacts->workers, thContactWorker)[w].contacts;
}

thResult thiSolveContacts(thContacts* contacts, const thContactTask* task, const thTasks* tasks,
                          thContactStats* stats)
{
    *stats = (thContactStats){0};
    TH_TRY(thiContactsReserve(contacts, task->rows->count));
    contacts->task = task;
    contacts->tasks = tasks;
    contacts->simd = thSimd_Resolve(task->simd);
    contacts->hasWalls = task->walls != NULL && thiWallGridWalls(task->walls)->count > 0;
    TH_TRY(thiContactCellsBuild(contacts));
    TH_TRY(markOverlaps(contacts));
    runRounds(contacts, stats);
    return thiContactCommit(contacts, stats);
}

void thiVisitContacts(const thContacts* contacts, thContactFcn* visit, void* context)
{
    const int32_t* row = TH_ITEMS(contacts->entryRow, int32_t);
    const int32_t* cell = TH_ITEMS(contacts->entryCell, int32_t);
    const uint64_t exact = (UINT64_C(1) << EXACT_BITS) - 1;
    for (int32_t a = 0; a < contacts->entryRow.count; ++a) {
        if ((TH_ITEMS(contacts->flags, uint8_t)[a] & th_bodyTold) == 0)
            continue;
        uint64_t bits = TH_ITEMS(contacts->contactBits, uint64_t)[a] & exact;
        const thHalf half = thiHalfOf(contacts, cell[a]);
        for (; bits != 0; bits &= bits - 1) {
            const int32_t b = a + 1 + __builtin_ctzll(bits);
            visit(context, row[a], row[b < half.eastEnd ? b : half.north + b - half.eastEnd]);
        }
    }
    for (int32_t w = 0; w < contacts->workers.count; ++w) {
        const thArray* crowded = &TH_ITEMS(contacts->workers, thContactWorker)[w].crowded;
        for (int32_t i = 0; i < crowded->count; ++i)
            visit(context, row[TH_ITEMS(*crowded, thEntryPair)[i].a],
                  row[TH_ITEMS(*crowded, thEntryPair)[i].b]);
    }
}

float thiContactRelief(uint16_t pressure)
{
    // 0.8 to the power of half the pressure.
    static const float factors[TH_MAX_PRESSURE + 1] = {
        1.0f,      0.89442719f, 0.8f,       0.71554175f, 0.64f,      0.57243340f,
        0.512f,    0.45794672f, 0.4096f,    0.36635738f, 0.32768f,   0.29308590f,
        0.262144f, 0.23446872f, 0.2097152f, 0.18757498f, 0.16777216f};
    return factors[TH_MIN(pressure, TH_MAX_PRESSURE)];
}
