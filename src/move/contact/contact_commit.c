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

#include <float.h>

#define CELLS_PER_TASK 64
#define ROWS_PER_TASK 64
#define SHRINKS 6

static thVerifyCellsFcn* const verifyKernels[th_simdCount] = TH_KERNEL_TABLE(thiVerifyCells);

static bool isCut(const thContacts* contacts, int32_t body)
{
    return atomic_load_explicit(&TH_ITEMS(contacts->cut, atomic_uchar)[body],
                                memory_order_relaxed) != 0;
}

// Agents who stay where they are cannot be cut, nor need they be.
static void cutBody(thContacts* contacts, int32_t body)
{
    if (thiBodies(contacts)[body].budget != 0 &&
        atomic_exchange_explicit(&TH_ITEMS(contacts->cut, atomic_uchar)[body], 1,
                                 memory_order_relaxed) == 0)
        thiListFlush(&contacts->cuts, &(thContactBuffer){1, {body}});
}

static int32_t rowOf(const thContacts* contacts, int32_t body)
{
    return TH_ITEMS(contacts->entryRow, int32_t)[body];
}

static thDisplacement offsetBefore(const thContacts* contacts, int32_t from, int32_t to)
{
    const thContactBody *a = &thiBodies(contacts)[from], *b = &thiBodies(contacts)[to];
    return thiDisplacement(a->fromX, a->fromY, b->fromX, b->fromY);
}

static thDisplacement moveOf(const thContacts* contacts, int32_t body)
{
    const thContactBody* at = &thiBodies(contacts)[body];
    return thiDisplacement(at->fromX, at->fromY, TH_ITEMS(contacts->entryX, int32_t)[body],
                           TH_ITEMS(contacts->entryY, int32_t)[body]);
}

static void moveTo(const thContacts* contacts, int32_t body, thPoint to)
{
    TH_ITEMS(contacts->entryX, int32_t)[body] = to.x;
    TH_ITEMS(contacts->entryY, int32_t)[body] = to.y;
}

static int64_t radiiOf(const thContacts* contacts, int32_t a, int32_t b)
{
    return (int64_t)thiBodies(contacts)[a].radius + thiBodies(contacts)[b].radius;
}

// If a goes `move` and b to its target.
static bool areApart(const thContacts* contacts, int32_t a, thDisplacement move, int32_t b)
{
    const thDisplacement before = offsetBefore(contacts, a, b), moveB = moveOf(contacts, b);
    const thDisplacement after = {before.x + moveB.x - move.x, before.y + moveB.y - move.y};
    const int64_t budgets = (int64_t)thiBodies(contacts)[a].budget + thiBodies(contacts)[b].budget;
    const int64_t radii = radiiOf(contacts, a, b);
    return thiApart(before, after, radii, thiIsFastPair(budgets, radii));
}

static bool isWithinBudget(const thContacts* contacts, int32_t body, thDisplacement move)
{
    const int64_t budget = (int64_t)thiBodies(contacts)[body].budget + 1;
    return thiExactDot(move, move) <= budget * budget;
}

// Targets of those who were pushed. A slide may lift someone out of a wall, and so carry it too
// far; then half the move has to do, or none.
static void setTargets(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    for (int32_t i = begin; i < end; ++i) {
        const int32_t body = contacts->pushed.items[i];
        const thContactBody* at = &thiBodies(contacts)[body];
        const thDisplacement pushed = moveOf(contacts, body);
        for (int32_t part = 2; part >= 0; --part) { // halves
            moveTo(contacts, body,
                   (thPoint){at->fromX + (int32_t)(pushed.x * part / 2),
                             at->fromY + (int32_t)(pushed.y * part / 2)});
            moveTo(contacts, body, thiSlidePushed(contacts, body));
            if (isWithinBudget(contacts, body, moveOf(contacts, body)))
                break;
        }
        const thDisplacement now = moveOf(contacts, body);
        if (now.x != pushed.x || now.y != pushed.y)
            thiMarkAroundBody(contacts, body, 0);
    }
}

void thiVerifyPair(thContacts* contacts, int32_t a, int32_t b)
{
    const int32_t* body = TH_ITEMS(contacts->entryBody, int32_t);
    if (!thiCanTouch(contacts, a, b) ||
        areApart(contacts, body[a], moveOf(contacts, body[a]), body[b]))
        return;
    cutBody(contacts, body[a]);
    cutBody(contacts, body[b]);
}

static void verifyCells(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    verifyKernels[contacts->simd](contacts, TH_ITEMS(contacts->current, int32_t) + begin,
                                  end - begin);
}

// Pairs of cells that were visited last without an overlap, and of those that were never visited,
// are apart. What is left are those that still waited, where nothing more could be done, or where
// the last slides have moved someone.
static void verifyPairs(thContacts* contacts)
{
    for (int32_t l = 1; l < contacts->layerCount; ++l) {
        const int32_t end = l + 1 < contacts->layerCount ? contacts->layers[l + 1].firstEntry
                                                         : contacts->entryRow.count;
        thiRefreshCopies(contacts, contacts->layers[l].firstEntry, end);
    }
    thiTakeCells(contacts, 0, th_cellPlanes, 0, contacts->cells.count);
    thTasks_ParallelFor(contacts->tasks, contacts->current.count, CELLS_PER_TASK, verifyCells,
                        contacts);
}

static bool isWithinReach(const thContacts* contacts, int32_t a, int32_t b)
{
    const thContactBody *bodyA = &thiBodies(contacts)[a], *bodyB = &thiBodies(contacts)[b];
    const thDisplacement before = offsetBefore(contacts, a, b);
    const int64_t reach =
        thiReachOf(bodyA->budget, bodyA->radius) + thiReachOf(bodyB->budget, bodyB->radius);
    return thiExactDot(before, before) <= reach * reach;
}

// Calls `visit` for everybody within reach of a body, in the order of layers, cells and keys.
typedef void PartnerFcn(void* context, int32_t body, int32_t other);

// `self` is the body's entry in the layer.
static void visitAround(const thContacts* contacts, const thContactLayer* layer, int32_t self,
                        PartnerFcn* visit, void* context)
{
    const thContactCell* cells = thiContactCells(contacts);
    const int32_t* body = TH_ITEMS(contacts->entryBody, int32_t);
    const uint64_t middle = cells[TH_ITEMS(contacts->entryCell, int32_t)[self]].code;
    const uint64_t codes[3] = {middle - layer->columns, middle, middle + layer->columns};
    for (int32_t i = 0; i < 3; ++i) {
        const int32_t cell = thiLowerContactCell(contacts, layer, codes[i] - 1);
        const int32_t end = cells[thiCellsUpTo(cells, cell, codes[i] + 1)].first;
        for (int32_t other = cells[cell].first; other < end; ++other)
            if (other != self && isWithinReach(contacts, body[self], body[other]) &&
                thiCanTouch(contacts, self, other))
                visit(context, body[self], body[other]);
    }
}

// In a layer of a higher class there is an entry of a body only where it may meet somebody.
static int32_t entryIn(const thContacts* contacts, const thContactLayer* layer, int32_t body)
{
    const thContactCell* cells = thiContactCells(contacts);
    const uint64_t code = thiContactCode(layer, contacts, rowOf(contacts, body));
    const int32_t cell = thiLowerContactCell(contacts, layer, code);
    for (int32_t entry = cells[cell].first;
         cells[cell].code == code && entry < cells[cell + 1].first; ++entry)
        if (TH_ITEMS(contacts->entryBody, int32_t)[entry] == body)
            return entry;
    return -1;
}

static void visitPartners(const thContacts* contacts, int32_t body, PartnerFcn* visit,
                          void* context)
{
    const int32_t own =
        thiContactCells(contacts)[TH_ITEMS(contacts->entryCell, int32_t)[body]].layer;
    for (int32_t l = own; l < contacts->layerCount; ++l) {
        const int32_t entry = l == own ? body : entryIn(contacts, &contacts->layers[l], body);
        if (entry >= 0)
            visitAround(contacts, &contacts->layers[l], entry, visit, context);
    }
}

// `other` was free when `body` was cut.
static void cutUnlessHalfway(void* context, int32_t body, int32_t other)
{
    thContacts* contacts = context;
    if (!isCut(contacts, other) &&
        !thiHalfway(moveOf(contacts, other), offsetBefore(contacts, other, body),
                    radiiOf(contacts, body, other)))
        cutBody(contacts, other);
}

static void tellPartners(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    for (int32_t i = begin; i < end; ++i)
        visitPartners(contacts, contacts->cuts.items[contacts->firstCut + i], cutUnlessHalfway,
                      contacts);
}

// Everybody within reach of an agent; memory is the worker's.
typedef struct Partners {
    thArray* bodies; // int32_t
    thArray* planes; // thMovePlane
    bool complete;
} Partners;

static void addPartner(void* context, int32_t body, int32_t other)
{
    (void)body;
    Partners* partners = context;
    int32_t* to = thiArrayAdd(partners->bodies, 1);
    if (to != NULL)
        *to = other;
    else
        partners->complete = false;
}

// Half of the gap against those who are cut too. Free ones stand at their targets by now: all of
// the gap that is left at `move`.
static thMovePlane planeOf(const thContacts* contacts, int32_t body, int32_t other,
                           thDisplacement move)
{
    const thDisplacement before = offsetBefore(contacts, body, other);
    const int64_t radii = radiiOf(contacts, body, other);
    if (isCut(contacts, other)) {
        const double length = sqrt((double)thiExactDot(before, before));
        const double inverse = length > 0.0 ? 1.0 / length : 0.0;
        return (thMovePlane){(double)before.x * inverse, (double)before.y * inverse,
                             (double)(thiGap(before, radii) / 2) * inverse};
    }
    const thDisplacement moveOther = moveOf(contacts, other);
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
static bool isAllowed(const thContacts* contacts, int32_t body, const Partners* partners,
                      thDisplacement move)
{
    if (!isWithinBudget(contacts, body, move))
        return false;
    for (int32_t i = 0; i < partners->bodies->count; ++i) {
        const int32_t other = TH_ITEMS(*partners->bodies, int32_t)[i];
        const bool allowed = isCut(contacts, other)
                                 ? thiHalfway(move, offsetBefore(contacts, body, other),
                                              radiiOf(contacts, body, other))
                                 : areApart(contacts, body, move, other);
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
static thDisplacement slideMove(const thContacts* contacts, int32_t body, double x, double y)
{
    const thContactBody* at = &thiBodies(contacts)[body];
    const thPoint from = {at->fromX, at->fromY};
    const thPoint to = {withinWorld(from.x + (int64_t)x), withinWorld(from.y + (int64_t)y)};
    const bool isFree =
        !contacts->hasWalls && !thiIsHeld(&contacts->task->gates, rowOf(contacts, body));
    const thPoint end = isFree ? to : thiSlideBody(contacts, body, to);
    return thiDisplacement(from.x, from.y, end.x, end.y);
}

// Looks from where `move` leads for a better one, and takes what the rules allow of it.
static thDisplacement improve(const thContacts* contacts, int32_t body, const Partners* partners,
                              thDisplacement move, thDisplacement wanted)
{
    const double longest = thiBodies(contacts)[body].budget;
    partners->planes->count = 0;
    for (int32_t i = 0; i < partners->bodies->count; ++i) {
        const thMovePlane plane =
            planeOf(contacts, body, TH_ITEMS(*partners->bodies, int32_t)[i], move);
        if (plane.limit < longest) // room was made for all of them
            *(thMovePlane*)thiArrayAdd(partners->planes, 1) = plane;
    }
    double x = (double)wanted.x, y = (double)wanted.y;
    nearestWithin(TH_ITEMS(*partners->planes, thMovePlane), partners->planes->count, &x, &y);
    for (int32_t shrink = 0; shrink < SHRINKS; ++shrink) {
        const thDisplacement better = slideMove(contacts, body, x, y);
        if (isAllowed(contacts, body, partners, better))
            return better;
        // On the border of a half-plane rounding decides; a little less is within.
        const double factor = shrink == 0 ? 0.96875 : 0.5;
        x *= factor;
        y *= factor;
    }
    return move;
}

// Nobody reads the target of one who is cut: so it is overwritten.
static void placeCuts(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    thContacts* contacts = context;
    thContactWorker* worker = &TH_ITEMS(contacts->workers, thContactWorker)[workerIndex];
    for (int32_t i = begin; i < end; ++i) {
        const int32_t body = contacts->cuts.items[i];
        const thContactBody* at = &thiBodies(contacts)[body];
        const thDisplacement wanted = moveOf(contacts, body);
        Partners partners = {&worker->partners, &worker->planes, true};
        partners.bodies->count = 0;
        visitPartners(contacts, body, addPartner, &partners);
        if (!partners.complete ||
            thiArrayReserveAmply(&worker->planes, worker->partners.count) != th_resultOk) {
            worker->outOfMemory = true;
            return;
        }
        thDisplacement move = {0, 0};
        move = improve(contacts, body, &partners, move, wanted);
        move = improve(contacts, body, &partners, move, wanted); // round those who stand free
        moveTo(contacts, body, (thPoint){at->fromX + (int32_t)move.x, at->fromY + (int32_t)move.y});
    }
}

static void writeTarget(const thContacts* contacts, int32_t body)
{
    const int32_t row = rowOf(contacts, body);
    contacts->task->x[row] = TH_ITEMS(contacts->entryX, int32_t)[body];
    contacts->task->y[row] = TH_ITEMS(contacts->entryY, int32_t)[body];
}

static void writePushed(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const thContacts* contacts = context;
    for (int32_t i = begin; i < end; ++i)
        writeTarget(contacts, contacts->pushed.items[i]);
}

// Those who are cut rise by two halves, and others fall by one: so the few rise by three before all
// fall.
static void riseCuts(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const thContacts* contacts = context;
    for (int32_t i = begin; i < end; ++i) {
        uint16_t* pressure = &contacts->task->pressure[rowOf(contacts, contacts->cuts.items[i])];
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
    verifyPairs(contacts);
    for (int32_t end = contacts->cuts.count; contacts->firstCut < end;) {
        thTasks_ParallelFor(tasks, end - contacts->firstCut, ROWS_PER_TASK, tellPartners, contacts);
        contacts->firstCut = end;
        end = contacts->cuts.count;
    }
    thTasks_ParallelFor(tasks, contacts->cuts.count, ROWS_PER_TASK, placeCuts, contacts);
    if (isOutOfMemory(contacts))
        return th_resultNoMemory;
    thTasks_ParallelFor(tasks, contacts->pushed.count, TH_CONTACT_CHUNK / 8, writePushed, contacts);
    for (int32_t i = 0; i < contacts->cuts.count; ++i) // also some who were not pushed
        writeTarget(contacts, contacts->cuts.items[i]);
    if (contacts->task->pressure != NULL) {
        thTasks_ParallelFor(tasks, contacts->cuts.count, ROWS_PER_TASK, riseCuts, contacts);
        thTasks_ParallelFor(tasks, contacts->task->rows->count, TH_CONTACT_CHUNK, lowerPressure,
                            contacts);
    }
    stats->cuts = contacts->cuts.count;
    return th_resultOk;
}
