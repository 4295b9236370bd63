// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bodies, made of rows and their targets, and the classes of how far they reach.

#include "base/hash.h"
#include "geom/fixed.h"
#include "move/contact/contact_internal.h"

#include <string.h>

#define SMALLEST_REACH 8192       // 1/8 m: cells are not smaller than twice that
#define FIRST_BIN ((127 + 8) * 8) // of 2^8 units: nobody reaches less in a useful world
#define OUTLIERS 16               // one in so many may reach further than class 0

// Bodies by reach, eight bins an octave.
static int32_t binOf(int64_t reach)
{
    const int32_t bin = (int32_t)(thiFloatBits((float)reach) >> 20) - FIRST_BIN;
    return TH_MIN(TH_MAX(bin, 0), TH_CONTACT_BINS - 1);
}

// No reach in a bin is larger.
static int64_t binLimit(int32_t bin)
{
    return (int64_t)thiFloatFromBits((uint32_t)(bin + 1 + FIRST_BIN) << 20);
}

// A call of ceilf is not cheap where it is no instruction.
static int32_t roundUp(float value)
{
    const int32_t whole = (int32_t)value;
    return whole + ((float)whole < value);
}

static inline thBody makeBody(const thContactTask* task, const thRows* rows, int32_t row)
{
    const float radius = rows->radius[row];
    const int32_t units = roundUp(radius * TH_UNITS); // the product is exact
    if ((rows->flags[row] & (th_agentExternal | th_agentVelocityOnly)) != 0) {
        task->x[row] = rows->px[row];
        task->y[row] = rows->py[row];
        return (thBody){0.0f, 0.0f, 0, units};
    }
    const thWay way = thiWay(rows->px[row], rows->py[row], task->x[row], task->y[row]);
    TH_ASSERT(way.x <= TH_LONGEST_WAY && way.x >= -TH_LONGEST_WAY);
    TH_ASSERT(way.y <= TH_LONGEST_WAY && way.y >= -TH_LONGEST_WAY);
    // Who is pushed may go as fast as it can, but not further than its own size or its own way.
    const int64_t pushed = (int64_t)(TH_MIN(rows->maxSpeed[row] * task->dt, radius) * TH_UNITS);
    const int64_t square = thiDot(way, way);
    const int64_t budget = square <= pushed * pushed ? pushed : thiRootUp(square);
    return (thBody){(float)way.x, (float)way.y, (int32_t)budget, units};
}

static const thContactExtent nowhere = {INT32_MAX, INT32_MAX, INT32_MIN,
                                        INT32_MIN, INT32_MAX, INT32_MIN};

static void extend(thContactExtent* extent, const thContactExtent* by)
{
    extent->lowX = TH_MIN(extent->lowX, by->lowX);
    extent->lowY = TH_MIN(extent->lowY, by->lowY);
    extent->highX = TH_MAX(extent->highX, by->highX);
    extent->highY = TH_MAX(extent->highY, by->highY);
    extent->lowLevel = TH_MIN(extent->lowLevel, by->lowLevel);
    extent->highLevel = TH_MAX(extent->highLevel, by->highLevel);
}

static void makeBodies(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const thContacts* contacts = context;
    // Copies, which nothing that is written can change.
    const thContactTask task = *contacts->task;
    const thRows rows = *task.rows;
    thBody* bodies = contacts->bodies;
    float* nearRadius = contacts->nearRadius;
    uint8_t* classes = contacts->classes;
    thContactWorker* worker = &TH_ITEMS(contacts->workers, thContactWorker)[workerIndex];
    memset(contacts->marks + begin, 0, (size_t)(end - begin));
    memset((void*)(contacts->cut + begin), 0, (size_t)(end - begin) * sizeof *contacts->cut);
    thContactExtent extent = nowhere;
    int64_t lastReach = 0, sameReach = 0; // mostly the one before reaches as far
    for (int32_t row = begin; row < end; ++row) {
        classes[row] = rows.flags[row] != 0 ? 0 : TH_CLASS_NONE;
        if (rows.flags[row] == 0)
            continue;
        const thBody body = makeBody(&task, &rows, row);
        bodies[row] = body;
        nearRadius[row] = thiNearRadius(&body);
        const int64_t reach = thiReachOf(&body);
        if (reach != lastReach) {
            worker->bins[binOf(lastReach)] += sameReach;
            lastReach = reach;
            sameReach = 0;
        }
        sameReach += 1;
        const int32_t x = rows.px[row], y = rows.py[row], level = rows.level[row];
        const thContactExtent here = {x, y, x, y, level, level};
        extend(&extent, &here);
    }
    worker->bins[binOf(lastReach)] += sameReach;
    extend(&worker->extent, &extent);
}

// Joins what the workers saw; returns the number of bodies and counts them by bin.
static int64_t joinWorkers(thContacts* contacts, int64_t* bins)
{
    contacts->extent = nowhere;
    int64_t total = 0;
    memset(bins, 0, TH_CONTACT_BINS * sizeof *bins);
    for (int32_t w = 0; w < contacts->workers.count; ++w) {
        const thContactWorker* worker = &TH_ITEMS(contacts->workers, thContactWorker)[w];
        extend(&contacts->extent, &worker->extent);
        for (int32_t bin = 0; bin < TH_CONTACT_BINS; ++bin) {
            bins[bin] += worker->bins[bin];
            total += worker->bins[bin];
        }
    }
    return total;
}

static int32_t classOf(const thContacts* contacts, int64_t reach)
{
    int32_t class = 0;
    while (reach > contacts->reach0 << class)
        ++class;
    return class;
}

// The reach of class 0, and which classes there are, as bits.
static uint32_t chooseClasses(thContacts* contacts, const int64_t* bins, int64_t total)
{
    int32_t last = TH_CONTACT_BINS - 1;
    for (int64_t above = bins[last]; last > 0 && above <= total / OUTLIERS; above += bins[last])
        last -= 1;
    contacts->reach0 = TH_MAX(binLimit(last), SMALLEST_REACH);
    uint32_t used = 0;
    for (int32_t bin = 0; bin < TH_CONTACT_BINS; ++bin)
        if (bins[bin] > 0)
            used |= 1u << classOf(contacts, binLimit(bin));
    return used;
}

static void setClasses(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    thContacts* contacts = context;
    for (int32_t row = begin; row < end; ++row) // by bin: the same for all that the choice counted
        if (contacts->classes[row] != TH_CLASS_NONE)
            contacts->classes[row] =
                (uint8_t)classOf(contacts, binLimit(binOf(thiReachOf(&contacts->bodies[row]))));
}

static void resetWorkers(thContacts* contacts)
{
    for (int32_t w = 0; w < contacts->workers.count; ++w) {
        thContactWorker* worker = &TH_ITEMS(contacts->workers, thContactWorker)[w];
        worker->extent = nowhere;
        memset(worker->bins, 0, sizeof worker->bins);
        worker->worst = 0.0f;
        worker->contacts = worker->work = 0;
        worker->outOfMemory = false;
    }
}

int64_t thiMakeBodies(thContacts* contacts, uint32_t* classes)
{
    const int32_t rowCount = contacts->task->rows->count;
    resetWorkers(contacts);
    thTasks_ParallelFor(contacts->tasks, rowCount, TH_CONTACT_CHUNK / 4, makeBodies, contacts);
    int64_t bins[TH_CONTACT_BINS];
    const int64_t total = joinWorkers(contacts, bins);
    *classes = chooseClasses(contacts, bins, total);
    if (*classes != 1)
        thTasks_ParallelFor(contacts->tasks, rowCount, TH_CONTACT_CHUNK, setClasses, contacts);
    return total;
}
