// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Follows agents. Rows of those who left or were removed are still there after a step, without
// flags, so the last bit of their way is known. Another agent may have their slot already: a track
// is an agent's only if the key is its own, and none is begun before all have been followed.

#include "measure/tally_internal.h"
#include "sim/turning.h"

#include <math.h>
#include <string.h>

#define FOLLOW_GRAIN 1024 // rows
#define LOOK_AHEAD 16     // rows
#define NOTE_INTERVAL (TH_STUCK_TIME / TH_STUCK_NOTES)
#define SHORT_WAY (0.5 * THRONG_UNITS_PER_METRE) // says nothing about detours

// One observation, as all workers see it.
typedef struct Pass {
    thTally* tally;
    const thRows* rows;
    double time;
    bool isFirst;      // of beginning tracks: nobody was seen before
    int64_t noteCount; // to be reached
    bool forgets;      // all notes are too old
} Pass;

thRecord thiEmptyRecord(thMemory* memory)
{
    return (thRecord){.tracks = thiArray(memory, sizeof(thTrack)),
                      .notes = thiArray(memory, sizeof(thTrackNotes))};
}

void thiFreeRecord(thRecord* record)
{
    thiArrayFree(&record->tracks);
    thiArrayFree(&record->notes);
}

thResult thiReserveTracks(thRecord* record, int32_t slotCount)
{
    const int32_t more = slotCount - record->tracks.count;
    if (more <= 0)
        return th_resultOk;
    // Where some come, more will.
    const int32_t ample = record->tracks.count == 0 ? slotCount : slotCount + slotCount / 4;
    if (slotCount > record->tracks.capacity)
        TH_TRY(thiArrayReserve(&record->tracks, ample));
    if (slotCount > record->notes.capacity)
        TH_TRY(thiArrayReserve(&record->notes, ample));
    memset(thiArrayAdd(&record->tracks, more), 0, (size_t)more * sizeof(thTrack));
    memset(thiArrayAdd(&record->notes, more), 0, (size_t)more * sizeof(thTrackNotes));
    return th_resultOk;
}

static thTrack* trackOf(const thTally* tally, int32_t slot)
{
    return &TH_ITEMS(tally->record.tracks, thTrack)[slot];
}

// Whether the agent of that key was seen in the last observation or in this one.
static bool isTrackOf(const thTally* tally, const thTrack* track, uint64_t key)
{
    return track->key == key && tally->record.observations + 1 - track->seenAt <= 1;
}

static double lengthOf(int32_t fromX, int32_t fromY, int32_t toX, int32_t toY)
{
    const double dx = (double)toX - fromX, dy = (double)toY - fromY;
    return sqrt(dx * dx + dy * dy);
}

static void arrive(thTrack* track, double time, thStepSums* sums)
{
    if ((track->bits & th_trackArrived) != 0)
        return;
    track->bits |= th_trackArrived;
    sums->arrived += 1;
    sums->travel += thiToFixed(time - track->since);
    const double straight = lengthOf(track->startX, track->startY, track->x, track->y);
    if (straight >= SHORT_WAY) {
        sums->ratios += thiToFixed(TH_MAX(track->length / straight, 1.0));
        sums->ratioCount += 1;
    }
}

static void squeeze(thTrack* track, thStepSums* sums)
{
    sums->squeezedAgents += (track->bits & th_trackSqueezed) == 0;
    track->bits |= th_trackSqueezed;
}

static uint64_t goalOf(const thWorld* world, const thRows* rows, int32_t row)
{
    return rows->goal[row] >= 0 ? thiIdPoolIdOf(&world->goals.ids, rows->goal[row]) : 0;
}

// Notes that are due, one for each interval that is over.
static void takeNotes(const Pass* pass, thTrack* track, int32_t slot, float remaining)
{
    thTrackNotes* notes = &TH_ITEMS(pass->tally->record.notes, thTrackNotes)[slot];
    for (int64_t n = pass->tally->record.noteCount; n < pass->noteCount; ++n) {
        float* note = &notes->remaining[n % TH_STUCK_NOTES];
        const bool isFull = track->noteCount == TH_STUCK_NOTES;
        // Where no way leads both are infinite, and their difference is no number.
        const bool stuck = isFull && !(*note - remaining >= TH_STUCK_LENGTH);
        track->bits = (uint8_t)((track->bits & ~th_trackStuck) | (stuck ? th_trackStuck : 0));
        track->noteCount += !isFull;
        *note = remaining;
    }
}

// Whether it comes nearer to its goal. Notes count as long as it wants to get to the same one.
static void watchProgress(const Pass* pass, thTrack* track, int32_t row)
{
    const thWorld* world = pass->tally->world;
    const thRows* rows = pass->rows;
    const uint64_t goal = goalOf(world, rows, row);
    const bool sameGoal = goal == track->goal && rows->goalIndex[row] == track->goalIndex;
    const bool rests = (rows->flags[row] & (th_agentArrived | th_agentWaiting)) != 0;
    const bool planned =
        row < thiGridSortedCount(&world->agents.grid) && world->output.remaining[row] > 0.0f;
    // What is left was planned for the former goal, if that has changed.
    if (!sameGoal || rests || !planned || pass->forgets) {
        track->noteCount = 0;
        track->bits &= (uint8_t)~th_trackStuck;
        track->goal = goal;
        track->goalIndex = rows->goalIndex[row];
    } else if (pass->noteCount > pass->tally->record.noteCount) {
        takeNotes(pass, track, rows->slot[row], world->output.remaining[row]);
    }
}

// What an agent says about itself, whether it has a track or not.
static void addRow(const Pass* pass, int32_t row, thStepSums* sums)
{
    const thRows* rows = pass->rows;
    const thWorld* world = pass->tally->world;
    if ((rows->flags[row] & th_agentExternal) == 0 && row < thiGridSortedCount(&world->agents.grid))
        sums->status[TH_MIN(world->output.status[row], THRONG_TALLY_STATUSES - 1)] += 1;
    if ((rows->flags[row] & (th_agentArrived | th_agentWaiting)) == 0) {
        const double vx = rows->vx[row], vy = rows->vy[row];
        sums->speeds += thiToFixed(sqrt(vx * vx + vy * vy));
        sums->speedCount += 1;
    }
}

static void checkWalls(const thWorld* world, const thTrack* track, int32_t row, thWallCheck* check)
{
    const thRows* rows = thiRows(world);
    const thWalls* walls = thiWallGridWalls(world->walls.grid);
    const int32_t x = rows->px[row], y = rows->py[row], level = rows->level[row];
    const bool hasShape = thiProfiles(world)[rows->profile[row]].shape.count > 0;
    thiCheckWalls(check, walls, level, track->x, track->y, x, y,
                  hasShape ? 0.0f : rows->radius[row]);
    if (hasShape) {
        const thConvexBody body = thiBodyAt(world, rows, row);
        thiCheckShape(check, walls, level, x, y, &body);
    }
}

static void followRow(const Pass* pass, int32_t row, thStepSums* sums)
{
    const thTally* tally = pass->tally;
    const thRows* rows = pass->rows;
    const uint32_t flags = rows->flags[row];
    const int32_t x = rows->px[row], y = rows->py[row];
    thTrack* track = trackOf(tally, rows->slot[row]);
    if (!isTrackOf(tally, track, rows->key[row])) {
        sums->unknown += flags != 0;
        return;
    }
    if (tally->checksWalls && (track->bits & th_trackHostMoves) == 0)
        checkWalls(tally->world, track, row, &sums->walls);
    track->length += lengthOf(track->x, track->y, x, y);
    track->x = x;
    track->y = y;
    if (flags == 0)
        return; // events tell why it is gone
    track->seenAt = tally->record.observations + 1;
    watchProgress(pass, track, row);
    sums->stuck += (track->bits & th_trackStuck) != 0;
    if ((flags & th_agentArrived) != 0)
        arrive(track, pass->time, sums);
}

static void followRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Pass* pass = context;
    thStepSums* sums = &TH_ITEMS(pass->tally->sums, thStepSums)[workerIndex];
    for (int32_t row = begin; row < end; ++row) {
        // Slots lie anywhere, and the processor cannot guess where. This saves two thirds.
        if (row + LOOK_AHEAD < end)
            __builtin_prefetch(trackOf(pass->tally, pass->rows->slot[row + LOOK_AHEAD]), 1);
        if (pass->rows->flags[row] != 0)
            addRow(pass, row, sums);
        followRow(pass, row, sums);
    }
}

// The first note is taken in the first step, the next when the interval is over.
static int64_t notesUntil(const thRecord* record, double time)
{
    const double intervals = (time - record->begin) / NOTE_INTERVAL;
    return (int64_t)TH_MIN(intervals, 0x1p53) + 1;
}

void thiFollowTracks(thTally* tally, double time)
{
    thRecord* record = &tally->record;
    const thWorld* world = tally->world;
    Pass pass = {.tally = tally,
                 .rows = thiRows(world),
                 .time = time,
                 .noteCount = notesUntil(record, time)};
    pass.forgets = pass.noteCount - record->noteCount > TH_STUCK_NOTES;
    thTasks_ParallelFor(world->tasks, pass.rows->count, FOLLOW_GRAIN, followRange, &pass);
    record->noteCount = pass.noteCount;
}

void thiNoteEvents(thTally* tally, double time)
{
    thStepSums* sums = TH_ITEMS(tally->sums, thStepSums);
    const thArray* events = &tally->world->events;
    for (int32_t i = 0; i < events->count; ++i) {
        const thEvent* event = &TH_ITEMS(*events, thEvent)[i];
        thTrack* track = trackOf(tally, THRONG_SLOT(event->agent));
        const bool isKnown = isTrackOf(tally, track, event->key);
        if (event->kind == th_eventSqueezed) {
            sums->squeezed += 1;
            if (isKnown)
                squeeze(track, sums);
        } else if (event->kind == th_eventLeft && isKnown) {
            arrive(track, time, sums);
        } else if (event->kind == th_eventLeft) { // it came in the same step
            sums->newcomers += 1;
            sums->arrived += 1;
        }
    }
}

static void beginTrack(const Pass* pass, thTrack* track, int32_t row, thStepSums* sums)
{
    const thTally* tally = pass->tally;
    const thRows* rows = pass->rows;
    const uint32_t flags = rows->flags[row];
    const bool hostMoves = !thiIsMovedByWorld(flags);
    *track = (thTrack){.key = rows->key[row],
                       .goal = goalOf(tally->world, rows, row),
                       .since = pass->time,
                       .startX = rows->px[row],
                       .startY = rows->py[row],
                       .x = rows->px[row],
                       .y = rows->py[row],
                       .goalIndex = rows->goalIndex[row],
                       .seenAt = tally->record.observations + 1,
                       .bits = hostMoves ? th_trackHostMoves : 0};
    sums->newcomers += 1;
    if (pass->isFirst) {
        track->bits |= (flags & th_agentArrived) != 0 ? th_trackArrived : 0;
        return;
    }
    if ((flags & th_agentSqueezed) != 0)
        squeeze(track, sums);
    if ((flags & th_agentArrived) != 0)
        arrive(track, pass->time, sums);
}

static void beginRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Pass* pass = context;
    thStepSums* sums = &TH_ITEMS(pass->tally->sums, thStepSums)[workerIndex];
    for (int32_t row = begin; row < end; ++row) {
        thTrack* track = trackOf(pass->tally, pass->rows->slot[row]);
        if (pass->rows->flags[row] != 0 && !isTrackOf(pass->tally, track, pass->rows->key[row]))
            beginTrack(pass, track, row, sums);
    }
}

void thiBeginTracks(thTally* tally, double time, bool isFirst)
{
    const thWorld* world = tally->world;
    Pass pass = {.tally = tally, .rows = thiRows(world), .time = time, .isFirst = isFirst};
    thTasks_ParallelFor(world->tasks, pass.rows->count, FOLLOW_GRAIN, beginRange, &pass);
}
