// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Gates in a step: who may come over a line, who of them is let, and who did. Agents near gates are
// few, so but for finding them all is done by one worker, in an order that goes by keys.

#include "sim/gates.h"

#include "geom/fixed.h"
#include "move/slide.h"
#include "sim/step/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STRETCH 256 // rows: they stand together
#define SPARE 64.0  // how much further than computed somebody may come [units]

thResult thiReserveGates(thWorld* world)
{
    thGates* gates = &world->gates;
    const int32_t count = thiRows(world)->count;
    if (!thiHasGates(gates))
        return th_resultOk;
    TH_TRY(thiArrayReserveAmply(&gates->stretches, count / STRETCH + 1));
    if (count <= gates->firstLine.count)
        return th_resultOk;
    TH_TRY(thiArrayReserveAmply(&gates->firstLine, count));
    for (int32_t row = gates->firstLine.count; row < count; ++row)
        TH_ITEMS(gates->firstLine, int32_t)[row] = -1;
    gates->firstLine.count = count;
    return th_resultOk;
}

void thiKeepGates(thGates* gates)
{
    for (int32_t slot = 0; slot < gates->items.count; ++slot) {
        thGate* gate = thiGateAt(gates, slot);
        gate->allowanceBefore = gate->allowance;
        gate->passedBefore = gate->passed;
    }
}

static void freeAll(thGates* gates)
{
    for (int32_t i = 0; i < gates->near.count; ++i)
        TH_ITEMS(gates->firstLine, int32_t)[TH_ITEMS(gates->near, thNearGate)[i].row] = -1;
    gates->near.count = 0;
    gates->lines.count = 0;
}

void thiUndoGates(thGates* gates)
{
    for (int32_t slot = 0; slot < gates->items.count; ++slot) {
        thGate* gate = thiGateAt(gates, slot);
        gate->allowance = gate->allowanceBefore;
        gate->passed = gate->passedBefore;
    }
    freeAll(gates);
}

thGateLines thiGateLines(const thGates* gates)
{
    return (thGateLines){gates->lines.count > 0 ? gates->firstLine.data : NULL, gates->lines.data};
}

// Who may come to a gate.

static double lengthOf(double x, double y)
{
    return sqrt(x * x + y * y);
}

// How far a row may come, by itself or pushed. [units]
static double reachOf(const thWorld* world, int32_t row, float dt)
{
    const thRows* rows = thiRows(world);
    const double chosen =
        lengthOf((double)world->output.vx[row], (double)world->output.vy[row]) * (double)dt;
    const double pushed =
        world->hasContacts ? (double)TH_MIN(rows->maxSpeed[row] * dt, rows->radius[row]) : 0.0;
    const double aimed = lengthOf((double)world->scratch.target.x[row] - rows->px[row],
                                  (double)world->scratch.target.y[row] - rows->py[row]);
    return TH_MAX(TH_MAX(chosen, pushed) * (double)TH_UNITS, aimed) + SPARE;
}

typedef struct Box {
    double lowX, lowY, highX, highY;
} Box;

static bool meetsGate(const Box* box, const thGate* gate)
{
    return box->lowX <= TH_MAX(gate->a.x, gate->b.x) &&
           box->highX >= TH_MIN(gate->a.x, gate->b.x) &&
           box->lowY <= TH_MAX(gate->a.y, gate->b.y) && box->highY >= TH_MIN(gate->a.y, gate->b.y);
}

static Box boxOf(const thWorld* world, int32_t row, float dt)
{
    const thRows* rows = thiRows(world);
    const double reach = reachOf(world, row, dt);
    return (Box){rows->px[row] - reach, rows->py[row] - reach, rows->px[row] + reach,
                 rows->py[row] + reach};
}

typedef struct Search {
    thWorld* world;
    float dt;
} Search;

static void searchRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    const Search* search = context;
    const thWorld* world = search->world;
    const thGates* gates = &world->gates;
    const int32_t count = thiRows(world)->count;
    for (int32_t stretch = begin; stretch < end; ++stretch) {
        const int32_t first = stretch * STRETCH, last = TH_MIN(first + STRETCH, count);
        Box all = boxOf(world, first, search->dt);
        for (int32_t row = first + 1; row < last; ++row) {
            const Box box = boxOf(world, row, search->dt);
            all = (Box){TH_MIN(all.lowX, box.lowX), TH_MIN(all.lowY, box.lowY),
                        TH_MAX(all.highX, box.highX), TH_MAX(all.highY, box.highY)};
        }
        bool isNear = false;
        for (int32_t slot = 0; slot < gates->items.count && !isNear; ++slot)
            isNear =
                thiIdPoolIdOf(&gates->ids, slot) != 0 && meetsGate(&all, thiGateAt(gates, slot));
        TH_ITEMS(gates->stretches, uint8_t)[stretch] = isNear;
    }
}

static bool isCarried(const thWorld* world, int32_t row)
{
    return world->movers.view.count > 0 && world->output.squeezed[row] != 0;
}

static thResult addNear(thWorld* world, int32_t slot, int32_t row, float dt)
{
    const thRows* rows = thiRows(world);
    const thGate* gate = thiGateAt(&world->gates, slot);
    const Box box = boxOf(world, row, dt);
    if (gate->level != rows->level[row] || !meetsGate(&box, gate))
        return th_resultOk;
    const thOffset off =
        thiOffsetToSegment((thPoint){rows->px[row], rows->py[row]}, gate->a, gate->b);
    const double distance = lengthOf(off.x, off.y);
    if (distance > reachOf(world, row, dt))
        return th_resultOk;
    thGates* gates = &world->gates;
    TH_TRY(thiArrayReserveAmply(&gates->near, (int64_t)gates->near.count + 1));
    *(thNearGate*)thiArrayAdd(&gates->near, 1) = (thNearGate){.gate = slot,
                                                              .row = row,
                                                              .key = rows->key[row],
                                                              .isCarried = isCarried(world, row),
                                                              .line = -1,
                                                              .order = distance};
    return th_resultOk;
}

static thResult findNear(thWorld* world, float dt)
{
    const thRows* rows = thiRows(world);
    const thGates* gates = &world->gates;
    const int32_t stretches = (rows->count + STRETCH - 1) / STRETCH;
    Search search = {world, dt};
    thTasks_ParallelFor(world->tasks, stretches, 1, searchRange, &search);
    for (int32_t row = 0; row < rows->count; ++row) {
        if (row % STRETCH == 0 && TH_ITEMS(gates->stretches, uint8_t)[row / STRETCH] == 0) {
            row += STRETCH - 1;
            continue;
        }
        if (!thiIsMovedByWorld(rows->flags[row]))
            continue;
        for (int32_t slot = 0; slot < gates->items.count; ++slot)
            if (thiIdPoolIdOf(&gates->ids, slot) != 0)
                TH_TRY(addNear(world, slot, row, dt));
    }
    return th_resultOk;
}

// Who is let.

// When somebody who goes as it has chosen comes over the line. [s; below 0: not in this time]
static double crossingTime(const thWorld* world, const thGate* gate, int32_t row, float dt)
{
    const thRows* rows = thiRows(world);
    const thPoint from = {rows->px[row], rows->py[row]};
    thPoint path[TH_MAX_LEGS];
    const int32_t legs = thiSlidePath(world->walls.grid, rows->level[row], from,
                                      thiLeadsTo(world, row, from, dt), rows->radius[row], path);
    const double speed = lengthOf((double)world->output.vx[row], (double)world->output.vy[row]);
    double gone = 0.0; // [units]
    thPoint p = from;
    for (int32_t leg = 0; leg < legs; p = path[leg++]) {
        const double x = (double)path[leg].x - p.x, y = (double)path[leg].y - p.y;
        const double length = lengthOf(x, y);
        if (thiLeadsOver(gate->a, gate->b, p, path[leg])) {
            const double alongX = (double)gate->b.x - gate->a.x,
                         alongY = (double)gate->b.y - gate->a.y;
            const double height =
                alongX * ((double)p.y - gate->a.y) - alongY * ((double)p.x - gate->a.x);
            const double fall = x * alongY - y * alongX; // not 0: it comes to the other side
            return (gone + length * TH_MAX(height / fall, 0.0)) /
                   TH_MAX(speed * (double)TH_UNITS, 1.0);
        }
        gone += length;
    }
    const thPoint target = {world->scratch.target.x[row], world->scratch.target.y[row]};
    return thiLeadsOver(gate->a, gate->b, from, target) ? (double)dt : -1.0;
}

// A total order: gate by gate, who is carried over, who comes over the line, who might be pushed.
static int byOrder(const void* left, const void* right)
{
    const thNearGate *a = left, *b = right;
    if (a->gate != b->gate)
        return a->gate < b->gate ? -1 : 1;
    if (a->isCarried != b->isCarried)
        return a->isCarried ? -1 : 1;
    if (a->crosses != b->crosses)
        return a->crosses ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

static thResult hold(thGates* gates, const thGate* gate, thNearGate* near)
{
    int32_t* first = &TH_ITEMS(gates->firstLine, int32_t)[near->row];
    TH_TRY(thiArrayReserveAmply(&gates->lines, (int64_t)gates->lines.count + 1));
    near->line = gates->lines.count;
    *(thGateLine*)thiArrayAdd(&gates->lines, 1) = (thGateLine){gate->a, gate->b, *first};
    *first = near->line;
    return th_resultOk;
}

static thResult decide(thWorld* world, thNearGate* near, int32_t count, float dt)
{
    thGates* gates = &world->gates;
    thGate* gate = thiGateAt(gates, near[0].gate);
    double left = gate->capacity > 0.0f ? gate->allowance : 0.0;
    if (left >= (double)count)
        return th_resultOk; // everybody may pass
    for (int32_t i = 0; i < count; ++i) {
        const double time = crossingTime(world, gate, near[i].row, dt);
        near[i].crosses = time >= 0.0;
        near[i].order = time >= 0.0 ? time : near[i].order;
    }
    qsort(near, (size_t)count, sizeof *near, byOrder);
    for (int32_t i = 0; i < count; ++i) {
        const bool isLet = near[i].isCarried || left >= 1.0;
        if (!isLet)
            TH_TRY(hold(gates, gate, &near[i]));
        else if (!near[i].isCarried || near[i].crosses)
            left -= 1.0;
    }
    return th_resultOk;
}

// Who is held and would cross stops at the line, once for all its lines.
static void stopAtLines(thWorld* world, const thNearGate* near, float dt)
{
    const thRows* rows = thiRows(world);
    const thGateLines lines = thiGateLines(&world->gates);
    const int32_t row = near->row;
    if (near->line < 0 || !near->crosses)
        return;
    const thPoint from = {rows->px[row], rows->py[row]};
    const thPoint to =
        thiSlideHeld(world->walls.grid, rows->level[row], from, thiLeadsTo(world, row, from, dt),
                     rows->radius[row], &lines, row);
    world->scratch.target.x[row] = to.x;
    world->scratch.target.y[row] = to.y;
}

static double lengthOfGate(const thGate* gate)
{
    return lengthOf((double)gate->b.x - gate->a.x, (double)gate->b.y - gate->a.y) /
           (double)TH_UNITS;
}

thResult thiHoldAtGates(thWorld* world, float dt)
{
    thGates* gates = &world->gates;
    gates->near.count = gates->lines.count = 0;
    if (!thiHasGates(gates))
        return th_resultOk;
    for (int32_t slot = 0; slot < gates->items.count; ++slot) {
        thGate* gate = thiGateAt(gates, slot);
        gate->allowance += (double)gate->capacity * lengthOfGate(gate) * (double)dt;
    }
    TH_TRY(findNear(world, dt));
    thNearGate* near = TH_ITEMS(gates->near, thNearGate);
    const int32_t count = gates->near.count;
    if (count > 1)
        qsort(near, (size_t)count, sizeof *near, byOrder);
    for (int32_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && near[end].gate == near[begin].gate;)
            ++end;
        TH_TRY(decide(world, near + begin, end - begin, dt));
    }
    for (int32_t i = 0; i < count; ++i)
        stopAtLines(world, &near[i], dt);
    return th_resultOk;
}

// Who did.

// Whether somebody has crossed. Who was let may have gone round a post in a long step, where the
// straight way leads through a wall: then the way along walls tells.
static bool hasCrossed(const thWorld* world, const thNearGate* near)
{
    const thRows* rows = thiRows(world);
    const thGate* gate = thiGateAt(&world->gates, near->gate);
    const int32_t row = near->row;
    const thPoint from = {rows->px[row], rows->py[row]};
    const thPoint to = {world->scratch.target.x[row], world->scratch.target.y[row]};
    if (thiIsLeftOf(gate->a, gate->b, from) == thiIsLeftOf(gate->a, gate->b, to))
        return false;
    if (near->line >= 0 || thiLeadsOver(gate->a, gate->b, from, to))
        return thiLeadsOver(gate->a, gate->b, from, to);
    thPoint path[TH_MAX_LEGS];
    const int32_t legs =
        thiSlidePath(world->walls.grid, gate->level, from, to, rows->radius[row], path);
    bool crosses = thiLeadsOver(gate->a, gate->b, from, path[0]);
    for (int32_t leg = 1; leg < legs; ++leg)
        crosses = crosses || thiLeadsOver(gate->a, gate->b, path[leg - 1], path[leg]);
    return crosses;
}

// Whoever is at a gate that lets nobody pass now is in a queue.
static void showQueues(const thWorld* world)
{
    const thGates* gates = &world->gates;
    for (int32_t i = 0; i < gates->near.count && world->hasContacts; ++i) {
        const thNearGate* near = &TH_ITEMS(gates->near, thNearGate)[i];
        const thGate* gate = thiGateAt(gates, near->gate);
        if (gate->allowance < 1.0 || !(gate->capacity > 0.0f))
            thiShowQueue(&world->jams, near->row);
    }
}

void thiPassGates(thWorld* world)
{
    thGates* gates = &world->gates;
    if (!thiHasGates(gates))
        return;
    for (int32_t i = 0; i < gates->near.count; ++i) {
        const thNearGate* near = &TH_ITEMS(gates->near, thNearGate)[i];
        if (!hasCrossed(world, near))
            continue;
        thiGateAt(gates, near->gate)->allowance -= 1.0;
        thiGateAt(gates, near->gate)->passed += 1;
    }
    for (int32_t slot = 0; slot < gates->items.count; ++slot)
        thiGateAt(gates, slot)->allowance = TH_MIN(thiGateAt(gates, slot)->allowance, 1.0);
    showQueues(world);
    freeAll(gates);
}
