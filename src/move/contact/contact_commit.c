// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Verifies where the rounds ended, by the rules of contact_rules.h, and writes where agents go.
//
// Agents begin free. A pair that is not apart at its targets makes both cut. Then, round by round,
// free agents who do not go halfway towards one who was cut in the round before are cut as well,
// until nobody is. Cut agents go as near to their target as half-planes of all partners let them.

#include "geom/fixed.h"
#include "move/contact/contact_internal.h"
#include "move/slide.h"

#define CELLS_PER_TASK 64
#define ROWS_PER_TASK 64
#define SHRINKS 6

static bool isCut(const thContacts* contacts, int32_t row)
{
    return atomic_load_explicit(&contacts->cut[row], memory_order_relaxed) != 0;
}

// Agents who stay where they are cannot be cut, nor need they be.
static void cutRow(thContacts* contacts, int32_t row)
{
    if (contacts->bodies[row].budget != 0 &&
        atomic_exchange_explicit(&contacts->cut[row], 1, memory_order_relaxed) == 0)
        thiListAdd(&contacts->cuts, row);
}

static thDisplacement offsetBefore(const thRows* rows, int32_t from, int32_t to)
{
    return thiDisplacement(rows->px[from], rows->py[from], rows->px[to], rows->py[to]);
}

static thDisplacement moveOf(const thContactTask* task, int32_t row)
{
    return thiDisplacement(task->rows->px[row], task->rows->py[row], task->x[row], task->y[row]);
}

static int64_t radiiOf(const thContacts* contacts, int32_t a, int32_t b)
{
    return (int64_t)contacts->bodies[a].radius + contacts->bodies[b].radius;
}

// If a goes `move` and b to its target.
static bool areApart(const thContacts* contacts, int32_t a, thDisplacement move, int32_t b)
{
    const thDisplacement before = offsetBefore(contacts->task->rows, a, b);
    const thDisplacement moveB = moveOf(contacts->task, b);
    const thDisplacement after = {before.x + moveB.x - move.x, before.y + moveB.y - move.y};
    const int64_t budgets = (int64_t)contacts->bodies[a].budget + contacts->bodies[b].budget;
    const int64_t radii = radiiOf(contacts, a, b);
    return thiApart(before, after, radii, thiIsFastPair(budgets, radii));
}

static bool isWithinBudget(const thContacts* contacts, int32_t row, thDisplacement move)
{
    const int64_t budget = (int64_t)contacts->bodies[row].budget + 1;
    return thiExactDot(move, move) <= budget * budget;
}

// Targets of those who were pushed. A slide may lift someone out of a wall, and so carry it too
// far; then half the move has to do, or none.
static void setTargets(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    const thContactTask* task = contacts->task;
    for (int32_t i = begin; i < end; ++i) {
        const int32_t row = contacts->pushed.items[i];
        thContactBody* body = &contacts->bodies[row];
        thPoint to = {0, 0};
        for (int32_t attempt = 0; attempt < 3; ++attempt) {
            to = thiSlidePushed(contacts, row);
            if (isWithinBudget(
                    contacts, row,
                    thiDisplacement(task->rows->px[row], task->rows->py[row], to.x, to.y)))
                break;
            body->x *= attempt == 0 ? 0.5f : 0.0f;
            body->y *= attempt == 0 ? 0.5f : 0.0f;
        }
        // Walls may have carried it further than the rounds did.
        body->x = (float)(to.x - task->rows->px[row]);
        body->y = (float)(to.y - task->rows->py[row]);
        if (contacts->hasWalls && thiStrays(contacts, row))
            thiListCellsOf(contacts, row, true, -1);
        task->x[row] = to.x;
        task->y[row] = to.y;
    }
}

static void verifyPairs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    for (int32_t i = begin; i < end; ++i) {
        const int32_t index = TH_ITEMS(contacts->touched, int32_t)[i];
        const thContactCell* cell = &thiContactCells(contacts)[index];
        const thContactPair* pairs =
            TH_BEHIND(TH_ITEMS(contacts->pairs, thContactPair), cell->firstPair);
        for (int32_t k = 0; k < cell->pairCount; ++k) {
            const int32_t a = pairs[k].a, b = pairs[k].b;
            if (areApart(contacts, a, moveOf(contacts->task, a), b))
                continue;
            cutRow(contacts, a);
            cutRow(contacts, b);
        }
    }
}

// `other` was free when `row` was cut.
static void cutUnlessHalfway(void* context, int32_t row, int32_t other)
{
    thContacts* contacts = context;
    if (!isCut(contacts, other) &&
        !thiHalfway(moveOf(contacts->task, other), offsetBefore(contacts->task->rows, other, row),
                    radiiOf(contacts, row, other)))
        cutRow(contacts, other);
}

static void tellPartners(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    for (int32_t i = begin; i < end; ++i)
        thiVisitPartners(contacts, contacts->cuts.items[contacts->firstCut + i], cutUnlessHalfway,
                         contacts);
}

// Everybody within reach of an agent; memory is the worker's.
typedef struct Partners {
    thArray* rows;   // int32_t
    thArray* planes; // thMovePlane
    bool complete;
} Partners;

static void addPartner(void* context, int32_t row, int32_t other)
{
    (void)row;
    Partners* partners = context;
    int32_t* to = thiArrayAdd(partners->rows, 1);
    if (to != NULL)
        *to = other;
    else
        partners->complete = false;
}

// Half of the gap against those who are cut too. Free ones stand at their targets by now: all of
// the gap that is left at `move`.
static thMovePlane planeOf(const thContacts* contacts, int32_t row, int32_t other,
                           thDisplacement move)
{
    const thDisplacement before = offsetBefore(contacts->task->rows, row, other);
    const int64_t radii = radiiOf(contacts, row, other);
    if (isCut(contacts, other)) {
        const double length = sqrt((double)thiExactDot(before, before));
        const double inverse = length > 0.0 ? 1.0 / length : 0.0;
        return (thMovePlane){(double)before.x * inverse, (double)before.y * inverse,
                             (double)(thiGap(before, radii) / 2) * inverse};
    }
    const thDisplacement moveOther = moveOf(contacts->task, other);
    const thDisplacement now = {before.x + moveOther.x - move.x, before.y + moveOther.y - move.y};
    const double length = sqrt((double)thiExactDot(now, now));
    const double inverse = length > 0.0 ? 1.0 / length : 0.0;
    const double x = (double)now.x * inverse, y = (double)now.y * inverse;
    const double gap = TH_MAX(length - (double)thiContactLimit(radii), 0.0);
    return (thMovePlane){x, y, TH_MAX(gap + x * (double)move.x + y * (double)move.y, 0.0)};
}

// The point nearest to (x, y) on the border of plane `index` and within all planes before it.
static bool nearestOnBorder(const thMovePlane* planes, int32_t index, double* x, double* y)
{
    const thMovePlane* border = &planes[index];
    const double baseX = border->x * border->limit, baseY = border->y * border->limit;
    const double alongX = -border->y, alongY = border->x;
    double low = -DBL_MAX, high = DBL_MAX;
    for (int32_t i = 0; i < index; ++i) {
        const double slope = planes[i].x * alongX + planes[i].y * alongY;
        const double room = planes[i].limit - planes[i].x * baseX - planes[i].y * baseY;
        if (slope > 1e-9)
            high = TH_MIN(high, room / slope);
        else if (slope < -1e-9)
            low = TH_MAX(low, room / slope);
        else if (room < 0.0)
            return false;
    }
    if (low > high)
        return false;
    const double wanted = *x * alongX + *y * alongY;
    const double at = TH_MIN(TH_MAX(wanted, low), high);
    *x = baseX + at * alongX;
    *y = baseY + at * alongY;
    return true;
}

// The point of all planes nearest to (x, y), plane by plane; (0, 0), which is in all of them, where
// rounding says there is none.
static void nearestWithin(const thMovePlane* planes, int32_t count, double* x, double* y)
{
    const double wantedX = *x, wantedY = *y;
    for (int32_t i = 0; i < count; ++i) {
        if (planes[i].x * *x + planes[i].y * *y <= planes[i].limit)
            continue;
        *x = wantedX;
        *y = wantedY;
        const bool found = nearestOnBorder(planes, i, x, y);
        if (!found || *x * *x + *y * *y < 1.0) { // less than a unit: no other plane changes that
            *x = *y = 0.0;
            return;
        }
    }
}

// The rules, for a cut agent that goes `move`.
static bool isAllowed(const thContacts* contacts, int32_t row, const Partners* partners,
                      thDisplacement move)
{
    const thRows* rows = contacts->task->rows;
    if (!isWithinBudget(contacts, row, move))
        return false;
    for (int32_t i = 0; i < partners->rows->count; ++i) {
        const int32_t other = TH_ITEMS(*partners->rows, int32_t)[i];
        const bool allowed =
            isCut(contacts, other)
                ? thiHalfway(move, offsetBefore(rows, row, other), radiiOf(contacts, row, other))
                : areApart(contacts, row, move, other);
        if (!allowed)
            return false;
    }
    return true;
}

static int32_t withinWorld(int64_t at)
{
    return (int32_t)TH_MIN(TH_MAX(at, -TH_MAX_UNITS), TH_MAX_UNITS);
}

// Where walls and the end of the world let a cut agent go.
static thDisplacement slideMove(const thContacts* contacts, int32_t row, double x, double y)
{
    const thContactTask* task = contacts->task;
    const thPoint from = {task->rows->px[row], task->rows->py[row]};
    const thPoint to = {withinWorld(from.x + (int64_t)x), withinWorld(from.y + (int64_t)y)};
    const thPoint end = contacts->hasWalls ? thiSlide(task->walls, task->rows->level[row], from, to,
                                                      task->rows->radius[row])
                                           : to;
    return thiDisplacement(from.x, from.y, end.x, end.y);
}

// Looks from where `move` leads for a better one, and takes what the rules allow of it.
static thDisplacement improve(const thContacts* contacts, int32_t row, const Partners* partners,
                              thDisplacement move, thDisplacement wanted)
{
    const double longest = contacts->bodies[row].budget;
    partners->planes->count = 0;
    for (int32_t i = 0; i < partners->rows->count; ++i) {
        const thMovePlane plane =
            planeOf(contacts, row, TH_ITEMS(*partners->rows, int32_t)[i], move);
        if (plane.limit < longest) // room was made for all of them
            *(thMovePlane*)thiArrayAdd(partners->planes, 1) = plane;
    }
    double x = (double)wanted.x, y = (double)wanted.y;
    nearestWithin(TH_ITEMS(*partners->planes, thMovePlane), partners->planes->count, &x, &y);
    for (int32_t shrink = 0; shrink < SHRINKS; ++shrink) {
        const thDisplacement better = slideMove(contacts, row, x, y);
        if (isAllowed(contacts, row, partners, better))
            return better;
        // On the border of a half-plane rounding decides; a little less is within.
        const double factor = shrink == 0 ? 0.96875 : 0.5;
        x *= factor;
        y *= factor;
    }
    return move;
}

static void placeCuts(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    thContacts* contacts = context;
    const thContactTask* task = contacts->task;
    thContactWorker* worker = &TH_ITEMS(contacts->workers, thContactWorker)[workerIndex];
    for (int32_t i = begin; i < end; ++i) {
        const int32_t row = contacts->cuts.items[i];
        const thDisplacement wanted = moveOf(task, row);
        Partners partners = {&worker->partners, &worker->planes, true};
        partners.rows->count = 0;
        thiVisitPartners(contacts, row, addPartner, &partners);
        if (!partners.complete ||
            thiArrayReserveAmply(&worker->planes, worker->partners.count) != th_resultOk) {
            worker->outOfMemory = true;
            return;
        }
        thDisplacement move = {0, 0};
        move = improve(contacts, row, &partners, move, wanted);
        move = improve(contacts, row, &partners, move, wanted); // round those who stand free
        // Nobody reads the target of one who is cut.
        task->x[row] = task->rows->px[row] + (int32_t)move.x;
        task->y[row] = task->rows->py[row] + (int32_t)move.y;
    }
}

static float depthOf(const thContacts* contacts, int32_t a, int32_t b)
{
    const thContactTask* task = contacts->task;
    const thDisplacement after = thiDisplacement(task->x[a], task->y[a], task->x[b], task->y[b]);
    const int64_t radii = radiiOf(contacts, a, b), square = thiExactDot(after, after);
    if (square >= radii * radii)
        return 0.0f;
    return ((float)radii - sqrtf((float)square)) / (float)radii;
}

static void measurePairs(void* context, int32_t begin, int32_t end, int32_t worker)
{
    thContacts* contacts = context;
    float worst = 0.0f;
    for (int32_t i = begin; i < end; ++i) {
        const int32_t index = TH_ITEMS(contacts->touched, int32_t)[i];
        const thContactCell* cell = &thiContactCells(contacts)[index];
        const thContactPair* pairs =
            TH_BEHIND(TH_ITEMS(contacts->pairs, thContactPair), cell->firstPair);
        for (int32_t k = 0; k < cell->pairCount; ++k)
            worst = TH_MAX(worst, depthOf(contacts, pairs[k].a, pairs[k].b));
    }
    float* all = &TH_ITEMS(contacts->workers, thContactWorker)[worker].worst;
    *all = TH_MAX(*all, worst);
}

typedef struct Measure {
    const thContacts* contacts;
    float worst;
} Measure;

static void measurePartner(void* context, int32_t row, int32_t other)
{
    Measure* measure = context;
    measure->worst = TH_MAX(measure->worst, depthOf(measure->contacts, row, other));
}

static void measureCuts(void* context, int32_t begin, int32_t end, int32_t worker)
{
    thContacts* contacts = context;
    Measure measure = {contacts, 0.0f};
    for (int32_t i = begin; i < end; ++i)
        thiVisitPartners(contacts, contacts->cuts.items[i], measurePartner, &measure);
    float* all = &TH_ITEMS(contacts->workers, thContactWorker)[worker].worst;
    *all = TH_MAX(*all, measure.worst);
}

// Those who are cut rise by two halves, and others fall by one: so the few rise by three before all
// fall.
static void riseCuts(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const thContacts* contacts = context;
    for (int32_t i = begin; i < end; ++i) {
        uint16_t* pressure = &contacts->task->pressure[contacts->cuts.items[i]];
        *pressure = (uint16_t)TH_MIN(*pressure + 3, TH_MAX_PRESSURE + 1);
    }
}

static void lowerPressure(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const thContacts* contacts = context;
    uint16_t* pressure = contacts->task->pressure;
    for (int32_t row = begin; row < end; ++row)
        pressure[row] = (uint16_t)(TH_MIN(TH_MAX(pressure[row], 1), TH_MAX_PRESSURE + 1) - 1);
}

static bool isOutOfMemory(const thContacts* contacts)
{
    bool any = false;
    for (int32_t w = 0; w < contacts->workers.count; ++w)
        any = any || TH_ITEMS(contacts->workers, thContactWorker)[w].outOfMemory;
    return any;
}

thResult thiContactCommit(thContacts* contacts, thContactStats* stats)
{
    const thTasks* tasks = contacts->tasks;
    contacts->cuts.count = 0;
    contacts->firstCut = 0;
    thTasks_ParallelFor(tasks, contacts->pushed.count, ROWS_PER_TASK, setTargets, contacts);
    TH_TRY(thiTakeWaiting(contacts));
    const int32_t touched = contacts->touched.count;
    thTasks_ParallelFor(tasks, touched, CELLS_PER_TASK, verifyPairs, contacts);
    for (int32_t end = contacts->cuts.count; contacts->firstCut < end;) {
        thTasks_ParallelFor(tasks, end - contacts->firstCut, ROWS_PER_TASK, tellPartners, contacts);
        contacts->firstCut = end;
        end = contacts->cuts.count;
    }
    thTasks_ParallelFor(tasks, contacts->cuts.count, ROWS_PER_TASK, placeCuts, contacts);
    if (isOutOfMemory(contacts))
        return th_resultNoMemory;
    thTasks_ParallelFor(tasks, touched, CELLS_PER_TASK, measurePairs, contacts);
    thTasks_ParallelFor(tasks, contacts->cuts.count, ROWS_PER_TASK, measureCuts, contacts);
    if (contacts->task->pressure != NULL) {
        thTasks_ParallelFor(tasks, contacts->cuts.count, ROWS_PER_TASK, riseCuts, contacts);
        thTasks_ParallelFor(tasks, contacts->task->rows->count, TH_CONTACT_CHUNK, lowerPressure,
                            contacts);
    }
    stats->cuts = contacts->cuts.count;
    stats->worst = thiTakeWorst(contacts);
    return th_resultOk;
}
