// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Pushes overlapping pairs apart: coloured successive over-relaxation. In a round each pair that
// overlaps is separated at once, by nearly twice its depth; then walls have a say. A round visits
// only cells whose agents were moved since their last visit, and there only pairs that are near,
// which changes nothing: no others overlap. Nothing here has to be right, because everything is
// verified afterwards.

#include "base/hash.h"
#include "geom/fixed.h"
#include "move/contact/contact_internal.h"
#include "move/slide.h"
#include "throng/math.h"

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

// Unit vector from a to b at the nearest point of their ways.
static void directionOf(const thContacts* contacts, const thContactPair* pair,
                        const thClosest* closest, float distance, float* x, float* y)
{
    if (distance > COINCIDENT) {
        const float inverse = 1.0f / distance;
        *x = closest->x * inverse;
        *y = closest->y * inverse;
        return;
    }
    const thBody* bodies = contacts->bodies;
    const float wayX = bodies[pair->b].x - bodies[pair->a].x;
    const float wayY = bodies[pair->b].y - bodies[pair->a].y;
    const float length = sqrtf(wayX * wayX + wayY * wayY);
    if (!pair->fast || !(length > 1.0f)) {
        directionByKeys(contacts, pair, x, y);
        return;
    }
    *x = wayY / length; // head-on: past each other, each to its right
    *y = -wayX / length;
}

// Whether walls are still to be looked for, or within reach.
static bool mayBeNearWalls(const thContacts* contacts, int32_t row)
{
    return contacts->hasWalls &&
           ((contacts->marks[row] & th_bodyKnowsWalls) == 0 || contacts->wallRoom[row] < FLT_MAX);
}

// The first time in a round, or ever if there are no walls, before it is moved.
static void noteMoved(thContacts* contacts, int32_t row, const thBody* body)
{
    const uint8_t marks = contacts->marks[row];
    if ((marks & th_bodyPushed) == 0) {
        contacts->anchors[row] = (thPushAnchor){body->x, body->y};
        thiListAdd(&contacts->pushed, row);
    }
    if (mayBeNearWalls(contacts, row))
        thiListAdd(&contacts->moved, row);
    contacts->marks[row] = marks | th_bodyPushed | th_bodyMoved;
}

static inline void moveBody(thContacts* contacts, int32_t row, thBody* body, float x, float y)
{
    if ((contacts->marks[row] & th_bodyMoved) == 0)
        noteMoved(contacts, row, body);
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
    thBody* a = &contacts->bodies[pair->a];
    thBody* b = &contacts->bodies[pair->b];
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
        thiMarkRow(contacts, row, strayed, layer);
}

static void visitCell(thContacts* contacts, int32_t index, thContactWorker* worker)
{
    thContactCell* cell = &thiContactCells(contacts)[index];
    atomic_store_explicit(&cell->listed, 0, memory_order_relaxed);
    if (atomic_load_explicit(&cell->stale, memory_order_relaxed) != 0)
        thiFindNearPairs(contacts, cell);
    thContactPair* pairs = TH_ITEMS(contacts->pairs, thContactPair) + cell->firstPair;
    const int32_t* near = TH_ITEMS(contacts->near, int32_t) + cell->firstPair;
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
            thiMarkAround(contacts,
                          slot < 2 ? index + (int32_t)slot
                                   : thiNorthOf(contacts, index) + (int32_t)slot - 2,
                          (slots.strayed >> slot & 1u) != 0);
}

static void visitCells(void* context, int32_t begin, int32_t end, int32_t worker)
{
    thContacts* contacts = context;
    const int32_t* cells = TH_ITEMS(contacts->current, int32_t) + contacts->bucketFirst;
    for (int32_t i = begin; i < end; ++i)
        visitCell(contacts, cells[i], &TH_ITEMS(contacts->workers, thContactWorker)[worker]);
}

// How far an agent can go from where it stands without meeting a wall, whatever its direction; with
// something to spare for rounding.
static float findWallRoom(const thContacts* contacts, int32_t row)
{
    const thRows* rows = contacts->task->rows;
    const int64_t units = thiReachOf(&contacts->bodies[row]) + WALL_MARGIN;
    const float reach = (float)units * TH_METRES_PER_UNIT;
    thNearWall wall;
    if (thiNearestWalls(contacts->task->walls, rows->level[row], rows->px[row], rows->py[row],
                        reach, -1.0f, 1, &wall, 1) == 0)
        return FLT_MAX;
    const float distance = sqrtf(wall.distanceSq) * TH_UNITS;
    return distance - (float)(contacts->bodies[row].radius + WALL_MARGIN) - 0x1p-20f * distance;
}

static bool mayMeetWall(thContacts* contacts, int32_t row)
{
    if (!contacts->hasWalls)
        return false;
    if ((contacts->marks[row] & th_bodyKnowsWalls) == 0) {
        contacts->wallRoom[row] = findWallRoom(contacts, row);
        contacts->marks[row] |= th_bodyKnowsWalls;
    }
    const thBody* body = &contacts->bodies[row];
    const float room = contacts->wallRoom[row];
    return room < 0.0f || body->x * body->x + body->y * body->y > room * room;
}

// Where a body is pushed to, as a place within the world and its budget.
static thPoint placeOf(const thContacts* contacts, int32_t row)
{
    const thRows* rows = contacts->task->rows;
    const thBody* body = &contacts->bodies[row];
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
        contacts->marks[row] &= (uint8_t)~th_bodyMoved;
        if (!mayMeetWall(contacts, row))
            continue;
        const thPoint pushed = placeOf(contacts, row), to = thiSlidePushed(contacts, row);
        if (thiSamePoint(pushed, to))
            continue;
        contacts->bodies[row].x = (float)(to.x - rows->px[row]);
        contacts->bodies[row].y = (float)(to.y - rows->py[row]);
        thiMarkRow(contacts, row, thiStrays(contacts, row), -1);
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

thResult thiContactRounds(thContacts* contacts, thContactStats* stats)
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
