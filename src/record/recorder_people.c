// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Who is where, and who is new. Whether somebody is told of again depends only on what was told and
// on what is true now, not on what a recorder saw in between: one that goes on where another has
// ended tells the same.

#include "geom/fixed.h"
#include "record/recorder_internal.h"
#include "sim/ranges.h"

#include <stdlib.h>
#include <string.h>

#define SEAT_GRAIN 1024 // rows
#define LOOK_AHEAD 32   // rows

// One take, as all workers see it.
typedef struct Pass {
    const thRecorder* recorder;
    const thWorld* world;
    const thRows* rows;
    thSeat* seats;
    int32_t sortedCount; // rows that took part in the last step
} Pass;

uint64_t thiKeyOfKnown(const void* recorder, int32_t index)
{
    return TH_ITEMS(((const thRecorder*)recorder)->known, thRecordedPerson)[index].key;
}

static thPlace placeOf(const thRecorder* recorder, const thSeat* seat)
{
    return (thPlace){recorder->world->originX + (double)seat->x / THRONG_UNITS_PER_METRE,
                     recorder->world->originY + (double)seat->y / THRONG_UNITS_PER_METRE};
}

static bool isInArea(const thRecorder* recorder, thPlace place)
{
    return !recorder->hasArea || (place.x >= recorder->low.x && place.x <= recorder->high.x &&
                                  place.y >= recorder->low.y && place.y <= recorder->high.y);
}

// From rows to seats.

static void noteGoal(const Pass* pass, thSeat* seat, int32_t row)
{
    const thGoals* goals = &pass->world->goals;
    const int32_t goal = pass->rows->goal[row], index = pass->rows->goalIndex[row];
    // Goals are many and lie anywhere: to look at each every time takes longer than all the rest.
    if ((seat->bits & th_seatShapeKnown) != 0 && seat->goal == goal && seat->goalIndex == index &&
        !pass->recorder->shapes.goalsMoved)
        return;
    const int32_t shape = thiShapeOfGoal(goals, goal, index, seat->x, seat->y);
    if (shape != seat->shape)
        seat->bits |= th_seatChanged;
    seat->shape = shape;
    seat->goal = goal;
    seat->goalIndex = index;
    seat->bits &= (uint8_t) ~(th_seatShapeKnown | th_seatManyGoals);
    if (!thiDependsOnPlace(goals, goal, index))
        seat->bits |= th_seatShapeKnown;
    if (goal >= 0 && thiGoalLength(goals, goal) > 1)
        seat->bits |= th_seatManyGoals;
}

// The length that its planner sees before it, until that is told. Of those with several goals it
// sees only the way to the first, which says nothing about the whole.
static void notePlanned(const Pass* pass, thSeat* seat, int32_t row)
{
    const bool isKnown = row < pass->sortedCount && (seat->bits & th_seatManyGoals) == 0;
    const float remaining = isKnown ? pass->world->output.remaining[row] : 0.0f;
    seat->planned = remaining > 0.0f && remaining <= FLT_MAX ? remaining : 0.0f;
    if (seat->planned > 0.0f)
        seat->bits |= th_seatChanged;
}

static void noteRow(const Pass* pass, thSeat* seat, int32_t row)
{
    const thRows* rows = pass->rows;
    const uint32_t take = pass->recorder->takes;
    // Who was away has lost its place among those present, even if it comes back to its slot.
    if (seat->key != rows->key[row] || seat->seenAt != take - 1)
        *seat = (thSeat){.key = rows->key[row], .shape = -1, .bits = th_seatChanged};
    seat->seenAt = take;
    seat->x = rows->px[row];
    seat->y = rows->py[row];
    seat->heading = rows->heading[row];
    if (seat->radius != rows->radius[row] || seat->speed != rows->prefSpeed[row] ||
        seat->level != rows->level[row] || pass->recorder->shapes.goalsMoved)
        seat->bits |= th_seatChanged;
    seat->radius = rows->radius[row];
    seat->speed = rows->prefSpeed[row];
    seat->level = rows->level[row];
    noteGoal(pass, seat, row);
    if ((seat->bits & th_seatPlannedTold) == 0)
        notePlanned(pass, seat, row);
}

static void noteRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Pass* pass = context;
    const thRows* rows = pass->rows;
    thSeatSums* sums = &TH_ITEMS(pass->recorder->sums, thSeatSums)[workerIndex];
    for (int32_t row = begin; row < end; ++row) {
        // Slots lie anywhere, and the processor cannot guess where.
        if (row + LOOK_AHEAD < end)
            __builtin_prefetch(&pass->seats[rows->slot[row + LOOK_AHEAD]], 1);
        if (rows->flags[row] == 0)
            continue;
        thSeat* seat = &pass->seats[rows->slot[row]];
        noteRow(pass, seat, row);
        if (seat->id != 0)
            sums->changed += (seat->bits & th_seatChanged) != 0;
        else
            sums->unknown += isInArea(pass->recorder, placeOf(pass->recorder, seat));
    }
}

static thResult makeSeats(thArray* seats, int32_t slotCount)
{
    const int32_t more = slotCount - seats->count;
    if (more <= 0)
        return th_resultOk;
    thSeat* first = thiArrayAdd(seats, more);
    if (first == NULL)
        return th_resultNoMemory;
    memset(first, 0, (size_t)more * sizeof *first);
    return th_resultOk;
}

thResult thiSeatAgents(thRecorder* recorder)
{
    const thWorld* world = recorder->world;
    TH_TRY(makeSeats(&recorder->seats, world->agents.view.count));
    recorder->takes += 1;
    memset(recorder->sums.data, 0, (size_t)recorder->sums.count * sizeof(thSeatSums));
    Pass pass = {.recorder = recorder,
                 .world = world,
                 .rows = thiRows(world),
                 .seats = TH_ITEMS(recorder->seats, thSeat),
                 .sortedCount = thiGridSortedCount(&world->agents.grid)};
    thTasks_ParallelFor(world->tasks, pass.rows->count, SEAT_GRAIN, noteRange, &pass);
    recorder->shapes.goalsMoved = false; // it is in the seats now
    return th_resultOk;
}

// Ids.

static thResult reserveMore(thArray* array, int64_t more)
{
    const int64_t needed = array->count + more;
    if (needed > INT32_MAX)
        return th_resultNoMemory;
    if (needed <= array->capacity)
        return th_resultOk;
    // Where some come, more will.
    const int64_t ample = array->count == 0 ? needed : TH_MIN(needed + needed / 2, INT32_MAX);
    if (thiArrayReserve(array, (int32_t)ample) == th_resultOk)
        return th_resultOk;
    return thiArrayReserve(array, (int32_t)needed);
}

// Room for everything that follows, whoever of the unknown may turn out to be known.
static thResult makeRoom(thRecorder* recorder, int64_t unknown, int64_t changed)
{
    TH_TRY(reserveMore(&recorder->present, unknown));
    TH_TRY(reserveMore(&recorder->known, unknown));
    recorder->newcomers.count = recorder->people.count = 0;
    TH_TRY(reserveMore(&recorder->newcomers, unknown));
    TH_TRY(reserveMore(&recorder->people, unknown + changed));
    const int64_t knownCount = recorder->known.count + unknown;
    if (unknown > 0)
        TH_TRY(thiKeyMapReserve(&recorder->idOfKey, (int32_t)knownCount, thiKeyOfKnown, recorder));
    thArray* columns[] = {&recorder->id, &recorder->x, &recorder->y, &recorder->heading};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i) {
        columns[i]->count = 0;
        TH_TRY(reserveMore(columns[i], recorder->present.count + unknown));
    }
    return th_resultOk;
}

static int byOrder(const void* a, const void* b)
{
    const uint64_t left = ((const thSeated*)a)->order, right = ((const thSeated*)b)->order;
    return (left > right) - (left < right);
}

static void sort(thArray* seated)
{
    if (seated->count > 1)
        qsort(seated->data, (size_t)seated->count, sizeof(thSeated), byOrder);
}

static void takeSeat(thRecorder* recorder, int32_t slot, int32_t index)
{
    thSeat* taken = &TH_ITEMS(recorder->seats, thSeat)[slot];
    taken->id = (uint32_t)index + 1;
    if (TH_ITEMS(recorder->known, thRecordedPerson)[index].planned > 0.0f)
        taken->bits |= th_seatPlannedTold;
    *(thSeated*)thiArrayAdd(&recorder->present, 1) = (thSeated){taken->id, slot};
}

// Those who have an id from before take it; the others become newcomers.
static void seatKnown(thRecorder* recorder)
{
    const thSeat* seats = TH_ITEMS(recorder->seats, thSeat);
    const int32_t before = recorder->present.count;
    for (int32_t slot = 0; slot < recorder->seats.count; ++slot) {
        if (seats[slot].id != 0 || seats[slot].seenAt != recorder->takes ||
            !isInArea(recorder, placeOf(recorder, &seats[slot])))
            continue;
        const uint64_t key = seats[slot].key;
        const int32_t index = thiKeyMapFind(&recorder->idOfKey, key, thiKeyOfKnown, recorder);
        if (index >= 0)
            takeSeat(recorder, slot, index);
        else
            *(thSeated*)thiArrayAdd(&recorder->newcomers, 1) = (thSeated){key, slot};
    }
    if (recorder->present.count > before)
        sort(&recorder->present);
}

static thRecordedPerson personOf(const thRecorder* recorder, int32_t slot)
{
    const thSeat* taken = &TH_ITEMS(recorder->seats, thSeat)[slot];
    const thRecordedPerson* told = &TH_ITEMS(recorder->known, thRecordedPerson)[taken->id - 1];
    const int32_t shape = taken->shape;
    return (thRecordedPerson){
        .id = taken->id,
        .key = taken->key,
        .radius = taken->radius,
        .speed = taken->speed,
        .planned = told->planned > 0.0f ? told->planned : taken->planned,
        .level = taken->level,
        .goal = shape >= 0 ? TH_ITEMS(recorder->shapes.indexOfGoal, int32_t)[shape] : -1,
        .group = told->group,
        .entry = told->entry};
}

// What the scene says of somebody who is new; the rest is told like any change.
static void introduce(thRecorder* recorder, thSeated newcomer)
{
    const thAgentId agent = {thiIdPoolIdOf(&recorder->world->agents.ids, newcomer.slot)};
    const int32_t index = recorder->known.count;
    *(thRecordedPerson*)thiArrayAdd(&recorder->known, 1) =
        (thRecordedPerson){.key = newcomer.order, // without an id: it was not told of yet
                           .goal = -1,
                           .group = thRun_GetGroup(recorder->run, agent),
                           .entry = thRun_GetEntry(recorder->run, agent)};
    thiKeyMapAdd(&recorder->idOfKey, newcomer.order, index);
    takeSeat(recorder, newcomer.slot, index);
}

thResult thiSeatNewcomers(thRecorder* recorder)
{
    int64_t unknown = 0, changed = 0;
    for (int32_t i = 0; i < recorder->sums.count; ++i) {
        unknown += TH_ITEMS(recorder->sums, thSeatSums)[i].unknown;
        changed += TH_ITEMS(recorder->sums, thSeatSums)[i].changed;
    }
    TH_TRY(makeRoom(recorder, unknown, changed));
    if (unknown == 0)
        return th_resultOk;
    seatKnown(recorder);
    sort(&recorder->newcomers);
    for (int32_t i = 0; i < recorder->newcomers.count; ++i)
        introduce(recorder, TH_ITEMS(recorder->newcomers, thSeated)[i]);
    return th_resultOk;
}

// From seats to the frame.

static bool samePerson(const thRecordedPerson* a, const thRecordedPerson* b)
{
    return a->id == b->id && a->radius == b->radius && a->speed == b->speed &&
           a->planned == b->planned && a->level == b->level && a->goal == b->goal;
}

static void tellIfChanged(thRecorder* recorder, thSeat* taken, int32_t slot)
{
    thRecordedPerson* told = &TH_ITEMS(recorder->known, thRecordedPerson)[taken->id - 1];
    const thRecordedPerson person = personOf(recorder, slot);
    taken->bits &= (uint8_t)~th_seatChanged;
    if (person.planned > 0.0f)
        taken->bits |= th_seatPlannedTold;
    if (samePerson(told, &person))
        return;
    *told = person;
    *(thRecordedPerson*)thiArrayAdd(&recorder->people, 1) = person;
}

static void setCount(thRecorder* recorder, int32_t count)
{
    recorder->id.count = recorder->x.count = recorder->y.count = count;
    recorder->heading.count = count;
}

void thiShowSeats(thRecorder* recorder)
{
    thSeat* seats = TH_ITEMS(recorder->seats, thSeat);
    thSeated* present = TH_ITEMS(recorder->present, thSeated);
    uint32_t* id = TH_ITEMS(recorder->id, uint32_t);
    double *x = TH_ITEMS(recorder->x, double), *y = TH_ITEMS(recorder->y, double);
    float* heading = TH_ITEMS(recorder->heading, float);
    int32_t kept = 0, count = 0;
    for (int32_t i = 0; i < recorder->present.count; ++i) {
        const int32_t slot = present[i].slot;
        thSeat* taken = &seats[slot];
        if (taken->seenAt != recorder->takes || taken->id != present[i].order)
            continue; // it is gone
        if (kept > 0 && present[kept - 1].order == present[i].order)
            continue; // it was gone when a take failed, and is back in its slot
        present[kept++] = present[i];
        const thPlace place = placeOf(recorder, taken);
        if (!isInArea(recorder, place))
            continue;
        id[count] = taken->id;
        x[count] = place.x;
        y[count] = place.y;
        heading[count++] = taken->heading;
        if ((taken->bits & th_seatChanged) != 0)
            tellIfChanged(recorder, taken, slot);
    }
    recorder->present.count = kept;
    setCount(recorder, count);
}
