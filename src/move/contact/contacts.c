// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The contact solver: its memory, the rounds in which bodies are pushed apart, and the order of its
// parts.
//
// Pairs are pushed apart by coloured successive over-relaxation. In a round each pair that
// overlaps is separated at once, by nearly twice its depth; then walls have a say. A round visits
// only cells whose agents were moved since their last visit, and there only pairs that are near,
// which changes nothing: no others overlap. Nothing here has to be right, because everything is
// verified afterwards.

#include "move/contact/contacts.h"

#include "base/hash.h"
#include "geom/fixed.h"
#include "move/contact/contact_internal.h"
#include "move/slide.h"
#include "throng/math.h"

#include <float.h>
#include <math.h>

#define ROUNDS 256
#define WORK (16 * ROUNDS) // pairs an agent at most; only piles come near that
#define ENOUGH 0.004f      // overlap at which rounds end
#define PUSH 0.9f          // for each of both, in shares of the depth: 1.8 in all
#define LATER_PUSH 0.96f   // where many press, after so many rounds
#define LATER 16
#define COINCIDENT 0.0625f // units
#define WALL_MARGIN 64     // units
#define CELLS_PER_TASK 32
#define ROWS_PER_TASK 64
#define NEAR_BYTES ((size_t)1 << (TH_NEAR_BITS - 3))

// Every column by row: type, name.
#define COLUMNS(X)                                                                                 \
    X(thContactBody, bodies)                                                                       \
    X(thPushAnchor, anchors)                                                                       \
    X(float, nearRadius)                                                                           \
    X(float, wallSq)                                                                               \
    X(uint8_t, classes)                                                                            \
    X(uint8_t, flags)                                                                              \
    X(atomic_uchar, cut)                                                                           \
    X(int32_t, moved.items)                                                                        \
    X(int32_t, pushed.items)                                                                       \
    X(int32_t, cuts.items)                                                                         \
    X(uint64_t, items[0])                                                                          \
    X(uint64_t, items[1])

static void freeColumns(thContacts* contacts)
{
    const size_t capacity = (size_t)contacts->capacity;
#define X(type, name)                                                                              \
    thiRelease(contacts->memory, contacts->name, capacity * sizeof(type));                         \
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
    for (int32_t w = 0; w < count; ++w) {
        workers[w].partners = thiArray(contacts->memory, sizeof(int32_t));
        workers[w].planes = thiArray(contacts->memory, sizeof(thMovePlane));
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
    contacts->workers = thiArray(memory, sizeof(thContactWorker));
    contacts->cells = thiArray(memory, sizeof(thContactCell));
    contacts->entryRow = thiArray(memory, sizeof(int32_t));
    contacts->entryCell = thiArray(memory, sizeof(int32_t));
    contacts->entryX = thiArray(memory, sizeof(int32_t));
    contacts->entryY = thiArray(memory, sizeof(int32_t));
    contacts->entryRadius = thiArray(memory, sizeof(float));
    contacts->chunkSizes = thiArray(memory, sizeof(int32_t));
    contacts->chunkCounts = thiArray(memory, sizeof(int32_t));
    contacts->partStart = thiArray(memory, sizeof(int32_t));
    contacts->partCells = thiArray(memory, sizeof(int32_t));
    contacts->pairs = thiArray(memory, sizeof(thContactPair));
    contacts->near = thiArray(memory, sizeof(int32_t));
    contacts->touched = thiArray(memory, sizeof(int32_t));
    contacts->current = thiArray(memory, sizeof(int32_t));
    contacts->waiting = thiArray(memory, sizeof(int32_t));
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
        thiArrayFree(&TH_ITEMS(contacts->workers, thContactWorker)[w].partners);
        thiArrayFree(&TH_ITEMS(contacts->workers, thContactWorker)[w].planes);
    }
    thiArrayFree(&contacts->workers);
    thiArrayFree(&contacts->cells);
    thiArrayFree(&contacts->entryRow);
    thiArrayFree(&contacts->entryCell);
    thiArrayFree(&contacts->entryX);
    thiArrayFree(&contacts->entryY);
    thiArrayFree(&contacts->entryRadius);
    thiArrayFree(&contacts->chunkSizes);
    thiArrayFree(&contacts->chunkCounts);
    thiArrayFree(&contacts->partStart);
    thiArrayFree(&contacts->partCells);
    thiArrayFree(&contacts->pairs);
    thiArrayFree(&contacts->near);
    thiArrayFree(&contacts->touched);
    thiArrayFree(&contacts->current);
    thiArrayFree(&contacts->waiting);
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
    contacts->name = thiAllocate(contacts->memory, (size_t)capacity * sizeof(type));               \
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

// Bodies at one place are separated in a direction of their own. From the lower key to the higher,
// so that both agree.
static void directionByKeys(const thContacts* contacts, const thContactPair* pair, float* x,
                            float* y)
{
    const uint64_t keyA = contacts->task->rows->key[pair->a];
    const uint64_t keyB = contacts->task->rows->key[pair->b];
    const uint64_t hash = thiHashWord(thiMix(TH_MIN(keyA, keyB)), TH_MAX(keyA, keyB));
    const float angle = (float)(hash >> 40) * (6.2831853f * 0x1p-24f);
    thSinCos(angle, y, x);
    if (keyA > keyB) {
        *x = -*x;
        *y = -*y;
    }
}

// Unit vector from a to b at the nearest point of their moves.
static void directionOf(const thContacts* contacts, const thContactPair* pair,
                        const thClosest* closest, float distance, float* x, float* y)
{
    if (distance > COINCIDENT) {
        const float inverse = 1.0f / distance;
        *x = closest->x * inverse;
        *y = closest->y * inverse;
        return;
    }
    const thContactBody* bodies = contacts->bodies;
    const float moveX = bodies[pair->b].x - bodies[pair->a].x;
    const float moveY = bodies[pair->b].y - bodies[pair->a].y;
    const float length = sqrtf(moveX * moveX + moveY * moveY);
    if (!pair->fast || !(length > 1.0f)) {
        directionByKeys(contacts, pair, x, y);
        return;
    }
    *x = moveY / length; // head-on: past each other, each to its right
    *y = -moveX / length;
}

// How far away walls matter to an agent at all, as it is compared with distances. [m]
static float wallReach(const thContacts* contacts, int32_t row)
{
    return (float)(thiReachOf(&contacts->bodies[row]) + WALL_MARGIN) * TH_METRES_PER_UNIT;
}

static bool isWithoutWall(float wallSq, float reachSq)
{
    return signbit(wallSq) ? -wallSq >= reachSq : wallSq > reachSq;
}

// Whether walls are within reach, or still to be looked for.
static bool mayBeNearWalls(const thContacts* contacts, int32_t row)
{
    return contacts->hasWalls &&
           !isWithoutWall(contacts->wallSq[row], thiWallSquare(wallReach(contacts, row)));
}

// The first time in a round, or ever if there are no walls, before it is moved.
static void noteMoved(thContacts* contacts, int32_t row, const thContactBody* body)
{
    const uint8_t flags = contacts->flags[row];
    if ((flags & th_bodyPushed) == 0) {
        contacts->anchors[row] = (thPushAnchor){body->x, body->y};
        thiListAdd(&contacts->pushed, row);
    }
    if (mayBeNearWalls(contacts, row))
        thiListAdd(&contacts->moved, row);
    contacts->flags[row] = flags | th_bodyPushed | th_bodyMoved;
}

static inline void moveBody(thContacts* contacts, int32_t row, thContactBody* body, float x,
                            float y)
{
    if ((contacts->flags[row] & th_bodyMoved) == 0)
        noteMoved(contacts, row, body);
    if ((contacts->flags[row] & th_bodyFixed) != 0)
        return;
    x += body->x;
    y += body->y;
    const float budget = (float)body->budget;
    const float square = x * x + y * y;
    const float factor = square > budget * budget ? budget / sqrtf(square) : 1.0f;
    body->x = x * factor;
    body->y = y * factor;
}

// Returns how deep they were in each other, 0 if they are apart.
static inline float separate(thContacts* contacts, const thContactPair* pair)
{
    thContactBody* a = &contacts->bodies[pair->a];
    thContactBody* b = &contacts->bodies[pair->b];
    const thClosest closest =
        thiClosest(pair->beforeX, pair->beforeY, b->x - a->x, b->y - a->y, pair->fast);
    const float square = closest.x * closest.x + closest.y * closest.y;
    if (!(square < pair->radii * pair->radii))
        return 0.0f;
    const float distance = sqrtf(square);
    float x, y;
    directionOf(contacts, pair, &closest, distance, &x, &y);
    const float depth = pair->radii - distance;
    // Half-way through the step an end that is moved moves them half as much.
    const float push = contacts->push * depth / (pair->fast ? TH_MAX(closest.moment, 0.25f) : 1.0f);
    moveBody(contacts, pair->a, a, -push * x, -push * y);
    moveBody(contacts, pair->b, b, push * x, push * y);
    return depth;
}

// Which cells of a home's neighbourhood have agents that were moved: a bit for each slot.
typedef struct MovedSlots {
    uint32_t any, strayed;
} MovedSlots;

static void noteSlot(thContacts* contacts, int32_t row, uint32_t slot, int32_t layer,
                     MovedSlots* slots)
{
    const bool strayed = thiStrays(contacts, row);
    slots->any |= 1u << slot;
    slots->strayed |= (strayed ? 1u : 0u) << slot;
    if (contacts->layerCount > 1)
        thiListCellsOf(contacts, row, strayed, layer);
}

static void visitCell(thContacts* contacts, int32_t index, thContactWorker* worker)
{
    thContactCell* cell = &thiContactCells(contacts)[index];
    atomic_store_explicit(&cell->listed, 0, memory_order_relaxed);
    if (atomic_load_explicit(&cell->stale, memory_order_relaxed) != 0)
        thiFindNearPairs(contacts, cell);
    thContactPair* pairs = TH_BEHIND(TH_ITEMS(contacts->pairs, thContactPair), cell->firstPair);
    const int32_t* near = TH_BEHIND(TH_ITEMS(contacts->near, int32_t), cell->firstPair);
    worker->work += cell->nearCount;
    MovedSlots slots = {0, 0};
    float worst = worker->worst;
    for (int32_t i = 0; i < cell->nearCount; ++i) {
        thContactPair* pair = &pairs[near[i]];
        const float depth = separate(contacts, pair);
        if (depth == 0.0f)
            continue;
        if (depth > worst * pair->radii)
            worst = depth / pair->radii;
        worker->contacts += pair->pushed ? 0 : 1;
        pair->pushed = true;
        noteSlot(contacts, pair->a, 0, cell->layer, &slots);
        noteSlot(contacts, pair->b, pair->slot, cell->layer, &slots);
    }
    worker->worst = worst;
    for (uint32_t slot = 0; slots.any >> slot != 0; ++slot)
        if ((slots.any >> slot & 1u) != 0)
            thiListAround(contacts,
                          slot < 2 ? index + (int32_t)slot
                                   : thiNorthOf(contacts, index) + (int32_t)slot - 2,
                          (slots.strayed >> slot & 1u) != 0);
}

static void visitCells(void* context, int32_t begin, int32_t end, int32_t worker)
{
    thContacts* contacts = context;
    const int32_t* cells = TH_BEHIND(TH_ITEMS(contacts->current, int32_t), contacts->bucketFirst);
    for (int32_t i = begin; i < end; ++i)
        visitCell(contacts, cells[i], &TH_ITEMS(contacts->workers, thContactWorker)[worker]);
}

// How far an agent can go from where it stands without meeting a wall, whatever its direction; with
// something to spare for rounding. FLT_MAX: as far as it can.
static float wallRoomOf(thContacts* contacts, int32_t row)
{
    const thRows* rows = contacts->task->rows;
    const float reach = wallReach(contacts, row), reachSq = thiWallSquare(reach);
    float* wallSq = &contacts->wallSq[row];
    thNearWall wall;
    if (signbit(*wallSq) && -*wallSq < reachSq)
        *wallSq = thiNearestWalls(contacts->task->walls, rows->level[row], rows->px[row],
                                  rows->py[row], reach, -1.0f, 1, &wall, 1) == 0
                      ? -reachSq
                      : wall.distanceSq;
    if (isWithoutWall(*wallSq, reachSq))
        return FLT_MAX;
    const float distance = sqrtf(*wallSq) * TH_UNITS;
    return distance - (float)(contacts->bodies[row].radius + WALL_MARGIN) - 0x1p-20f * distance;
}

static bool mayMeetWall(thContacts* contacts, int32_t row)
{
    if (!contacts->hasWalls)
        return false;
    const thContactBody* body = &contacts->bodies[row];
    const float room = wallRoomOf(contacts, row);
    return room < 0.0f || body->x * body->x + body->y * body->y > room * room;
}

// Where a body is pushed to, as a place within the world and its budget.
static thPoint placeOf(const thContacts* contacts, int32_t row)
{
    const thRows* rows = contacts->task->rows;
    const thContactBody* body = &contacts->bodies[row];
    double x = body->x, y = body->y;
    const double square = x * x + y * y, budget = body->budget;
    if (square > budget * budget) {
        const double factor = budget / sqrt(square);
        x *= factor;
        y *= factor;
    }
    const int64_t toX = rows->px[row] + (int64_t)x, toY = rows->py[row] + (int64_t)y;
    return (thPoint){(int32_t)TH_MIN(TH_MAX(toX, -TH_MAX_UNITS), TH_MAX_UNITS),
                     (int32_t)TH_MIN(TH_MAX(toY, -TH_MAX_UNITS), TH_MAX_UNITS)};
}

thPoint thiSlidePushed(thContacts* contacts, int32_t row)
{
    const thRows* rows = contacts->task->rows;
    const thPoint to = placeOf(contacts, row);
    if (!mayMeetWall(contacts, row))
        return to;
    const thPoint from = {rows->px[row], rows->py[row]};
    return thiSlide(contacts->task->walls, rows->level[row], from, to, rows->radius[row]);
}

static void keepOutOfWalls(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    const thRows* rows = contacts->task->rows;
    for (int32_t i = begin; i < end; ++i) {
        const int32_t row = contacts->moved.items[i];
        contacts->flags[row] &= (uint8_t)~th_bodyMoved;
        if (!mayMeetWall(contacts, row))
            continue;
        const thPoint pushed = placeOf(contacts, row), to = thiSlidePushed(contacts, row);
        if (thiSamePoint(pushed, to))
            continue;
        contacts->bodies[row].x = (float)(to.x - rows->px[row]);
        contacts->bodies[row].y = (float)(to.y - rows->py[row]);
        thiListCellsOf(contacts, row, thiStrays(contacts, row), -1);
    }
}

float thiTakeWorst(thContacts* contacts)
{
    float worst = 0.0f;
    for (int32_t w = 0; w < contacts->workers.count; ++w) {
        thContactWorker* worker = &TH_ITEMS(contacts->workers, thContactWorker)[w];
        worst = TH_MAX(worst, worker->worst);
        worker->worst = 0.0f;
    }
    return worst;
}

static float runRound(thContacts* contacts)
{
    for (int32_t bucket = 0; bucket < contacts->layerCount * TH_CONTACT_COLORS; ++bucket) {
        contacts->bucketFirst = contacts->bucketStart[bucket];
        thTasks_ParallelFor(contacts->tasks,
                            contacts->bucketStart[bucket + 1] - contacts->bucketFirst,
                            CELLS_PER_TASK, visitCells, contacts);
    }
    thTasks_ParallelFor(contacts->tasks, contacts->moved.count, ROWS_PER_TASK, keepOutOfWalls,
                        contacts);
    contacts->moved.count = 0;
    return thiTakeWorst(contacts);
}

// Pairs visited so far.
static int64_t workOf(const thContacts* contacts)
{
    int64_t work = 0;
    for (int32_t w = 0; w < contacts->workers.count; ++w)
        work += TH_ITEMS(contacts->workers, thContactWorker)[w].work;
    return work;
}

// Pushes until hardly any overlap is left.
static thResult runRounds(thContacts* contacts, thContactStats* stats)
{
    contacts->pairs.count = 0;
    contacts->touched.count = 0;
    contacts->moved.count = 0;
    contacts->pushed.count = 0;
    // The cells that wait at the end are taken too: verification needs the pairs of all who moved.
    for (bool goOn = true;;) {
        TH_TRY(thiTakeWaiting(contacts));
        if (!goOn || contacts->bucketStart[contacts->layerCount * TH_CONTACT_COLORS] == 0)
            break;
        contacts->push = stats->rounds < LATER ? PUSH : LATER_PUSH;
        stats->rounds += 1;
        const bool enough = runRound(contacts) < ENOUGH;
        goOn = !enough && stats->rounds < ROUNDS &&
               workOf(contacts) < (int64_t)WORK * contacts->pushed.count;
    }
    for (int32_t w = 0; w < contacts->workers.count; ++w)
        stats->contacts += TH_ITEMS(contacts->workers, thContactWorker)[w].contacts;
    return th_resultOk;
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
    // Every cell can wait once.
    TH_TRY(thiArrayReserveAmply(&contacts->waiting, contacts->cells.count));
    thiFindOverlaps(contacts);
    TH_TRY(runRounds(contacts, stats));
    return thiContactCommit(contacts, stats);
}

void thiVisitContacts(const thContacts* contacts, thContactFcn* visit, void* context)
{
    const int32_t* touched = TH_ITEMS(contacts->touched, int32_t);
    for (int32_t i = 0; i < contacts->touched.count; ++i) {
        const thContactCell* cell = &TH_ITEMS(contacts->cells, thContactCell)[touched[i]];
        const thContactPair* pairs =
            TH_BEHIND(TH_ITEMS(contacts->pairs, thContactPair), cell->firstPair);
        for (int32_t k = 0; k < cell->pairCount; ++k)
            if (pairs[k].pushed)
                visit(context, pairs[k].a, pairs[k].b);
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
