// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The tally: what happens in a run, summed up step by step.
//
// It keeps a track of each agent, in the order of slots; the key says whose it is. An observation
// first gets hold of all memory it needs and only then changes anything:
//
//     find collisions | follow those who have a track ▶ departures ▶ tracks for newcomers ▶ sums
//
// Workers add up whole numbers only, so that neither their number nor the order of rows shows.

#include "base/machine.h"
#include "measure/tally_internal.h"
#include "measure/wall_check.h"
#include "sim/ranges.h"
#include "sim/step/turning.h"

#include <math.h>
#include <string.h>

#define MAX_PAIRS (1 << 26)
#define FOLLOW_GRAIN 1024 // rows
#define LOOK_AHEAD 16     // rows
#define NOTE_INTERVAL (STUCK_TIME / TH_STUCK_NOTES)
#define SHORT_PATH (0.5 * THRONG_UNITS_PER_METRE) // says nothing about detours

// Whoever comes no nearer to its goal by this much in this time is stuck.
#define STUCK_LENGTH 0.5f // m
#define STUCK_TIME 60.0   // s

// What an observation adds up. Speeds, times and ratios are multiples of 2⁻¹⁶.
typedef struct StepSums {
    _Alignas(TH_ALIGNMENT) uint64_t unknown; // agents without a track
    uint64_t newcomers;                      // agents that got one
    uint64_t arrived, travel, ratios, ratioCount;
    uint64_t squeezed, squeezedAgents;
    uint64_t stuck;
    uint64_t speeds, speedCount;
    uint64_t status[THRONG_TALLY_STATUSES];
    thWallCheck walls;
} StepSums;

// The number that stands for a value in StepSums. 2²⁸ agents of the largest one fit.
static uint64_t toFixed(double value)
{
    return (uint64_t)(TH_MIN(TH_MAX(value, 0.0), 0x1p19) * 0x1p16 + 0.5);
}

static double fromFixed(uint64_t value)
{
    return (double)value * 0x1p-16;
}

// --- Tracks ----------------------------------------------------------------------------------
//
// Rows of those who left or were removed are still there after a step, without flags, so the last
// bit of their path is known. Another agent may have their slot already: a track is an agent's only
// if the key is its own, and none is begun before all have been followed.

// One observation, as all workers see it.
typedef struct Pass {
    thTally* tally;
    const thRows* rows;
    double time;
    bool isFirst;      // of beginning tracks: nobody was seen before
    int64_t noteCount; // to be reached
    bool forgets;      // all notes are too old
} Pass;

thTallyState thiTallyState(thMemory* memory)
{
    return (thTallyState){.tracks = thiArray(memory, sizeof(thTrack)),
                          .notes = thiArray(memory, sizeof(thTrackNotes))};
}

void thiTallyStateFree(thTallyState* state)
{
    thiArrayFree(&state->tracks);
    thiArrayFree(&state->notes);
}

thResult thiReserveTracks(thTallyState* state, int32_t slotCount)
{
    const int32_t more = slotCount - state->tracks.count;
    if (more <= 0)
        return th_resultOk;
    // Where some come, more will.
    const int32_t ample = state->tracks.count == 0 ? slotCount : slotCount + slotCount / 4;
    if (slotCount > state->tracks.capacity)
        TH_TRY(thiArrayReserve(&state->tracks, ample));
    if (slotCount > state->notes.capacity)
        TH_TRY(thiArrayReserve(&state->notes, ample));
    memset(thiArrayAdd(&state->tracks, more), 0, (size_t)more * sizeof(thTrack));
    memset(thiArrayAdd(&state->notes, more), 0, (size_t)more * sizeof(thTrackNotes));
    return th_resultOk;
}

static thTrack* trackOf(const thTally* tally, int32_t slot)
{
    return &TH_ITEMS(tally->state.tracks, thTrack)[slot];
}

// Whether the agent of that key was seen in the last observation or in this one.
static bool isTrackOf(const thTally* tally, const thTrack* track, uint64_t key)
{
    return track->key == key && tally->state.observations + 1 - track->seenAt <= 1;
}

static double lengthOf(int32_t fromX, int32_t fromY, int32_t toX, int32_t toY)
{
    const double dx = (double)toX - fromX, dy = (double)toY - fromY;
    return sqrt(dx * dx + dy * dy);
}

static void arrive(thTrack* track, double time, StepSums* sums)
{
    if ((track->bits & th_trackArrived) != 0)
        return;
    track->bits |= th_trackArrived;
    sums->arrived += 1;
    sums->travel += toFixed(time - track->since);
    const double straight = lengthOf(track->startX, track->startY, track->x, track->y);
    if (straight >= SHORT_PATH) {
        sums->ratios += toFixed(TH_MAX(track->length / straight, 1.0));
        sums->ratioCount += 1;
    }
}

static void squeeze(thTrack* track, StepSums* sums)
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
    thTrackNotes* notes = &TH_ITEMS(pass->tally->state.notes, thTrackNotes)[slot];
    for (int64_t n = pass->tally->state.noteCount; n < pass->noteCount; ++n) {
        float* note = &notes->remaining[n % TH_STUCK_NOTES];
        const bool isFull = track->noteCount == TH_STUCK_NOTES;
        // Where no path leads both are infinite, and their difference is no number.
        const bool stuck = isFull && !(*note - remaining >= STUCK_LENGTH);
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
    const bool rests = (rows->flags[row] & TH_STANDING) != 0;
    const bool planned = thiTold(world, row).isKnown && thiTold(world, row).remaining > 0.0f;
    // What is left was planned for the former goal, if that has changed.
    if (!sameGoal || rests || !planned || pass->forgets) {
        track->noteCount = 0;
        track->bits &= (uint8_t)~th_trackStuck;
        track->goal = goal;
        track->goalIndex = rows->goalIndex[row];
    } else if (pass->noteCount > pass->tally->state.noteCount) {
        takeNotes(pass, track, rows->slot[row], thiTold(world, row).remaining);
    }
}

// What an agent says about itself, whether it has a track or not.
static void addRow(const Pass* pass, int32_t row, StepSums* sums)
{
    const thRows* rows = pass->rows;
    const thWorld* world = pass->tally->world;
    if ((rows->flags[row] & (th_agentExternal | th_agentHolds)) == 0 && thiTold(world, row).isKnown)
        sums->status[TH_MIN(thiTold(world, row).status, THRONG_TALLY_STATUSES - 1)] += 1;
    if ((rows->flags[row] & TH_STANDING) == 0) {
        const double vx = rows->vx[row], vy = rows->vy[row];
        sums->speeds += toFixed(sqrt(vx * vx + vy * vy));
        sums->speedCount += 1;
    }
}

static void checkWalls(const thWorld* world, const thTrack* track, int32_t row, thWallCheck* check)
{
    const thRows* rows = thiRows(world);
    const thWalls* walls = thiWallGridWalls(world->walls.grid);
    const int32_t x = rows->px[row], y = rows->py[row], level = rows->level[row];
    const bool hasShape = thiProfiles(world)[rows->profile[row]].shape.count > 0;
    // Whom movers pushed round a corner did not go straight.
    const bool isBent = thiTold(world, row).isBent;
    thiCheckWalls(check, walls, level, isBent ? x : track->x, isBent ? y : track->y, x, y,
                  hasShape ? 0.0f : rows->radius[row]);
    if (hasShape) {
        const thConvexBody body = thiBodyAt(world, rows, row);
        thiCheckShape(check, walls, level, x, y, &body);
    }
}

static void followRow(const Pass* pass, int32_t row, StepSums* sums)
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
    track->seenAt = tally->state.observations + 1;
    watchProgress(pass, track, row);
    sums->stuck += (track->bits & th_trackStuck) != 0;
    if ((flags & th_agentArrived) != 0)
        arrive(track, pass->time, sums);
}

static void followRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Pass* pass = context;
    StepSums* sums = &TH_ITEMS(pass->tally->sums, StepSums)[workerIndex];
    for (int32_t row = begin; row < end; ++row) {
        // Slots lie anywhere, and the processor cannot guess where. This saves two thirds.
        if (row + LOOK_AHEAD < end) {
            const int32_t slot = pass->rows->slot[row + LOOK_AHEAD];
            __builtin_prefetch(trackOf(pass->tally, slot), 1);
            __builtin_prefetch(&TH_ITEMS(pass->tally->world->agents.told, thToldBits)[slot]);
            const int32_t goal = TH_MAX(pass->rows->goal[row + LOOK_AHEAD], 0);
            __builtin_prefetch(TH_ITEMS(pass->tally->world->goals.ids.generations, uint32_t) +
                               goal);
        }
        if (pass->rows->flags[row] != 0)
            addRow(pass, row, sums);
        followRow(pass, row, sums);
    }
}

// The first note is taken in the first step, the next when the interval is over.
static int64_t notesUntil(const thTallyState* state, double time)
{
    const double intervals = (time - state->begin) / NOTE_INTERVAL;
    return (int64_t)TH_MIN(intervals, 0x1p53) + 1;
}

// Follows everybody who has a track, also those who left, through the step that ended at `time`.
static void followTracks(thTally* tally, double time)
{
    thTallyState* state = &tally->state;
    const thWorld* world = tally->world;
    Pass pass = {
        .tally = tally, .rows = thiRows(world), .time = time, .noteCount = notesUntil(state, time)};
    pass.forgets = pass.noteCount - state->noteCount > TH_STUCK_NOTES;
    thTasks_ParallelFor(world->tasks, pass.rows->count, FOLLOW_GRAIN, followRange, &pass);
    state->noteCount = pass.noteCount;
}

// The world's events: those who left have arrived, and who was squeezed.
static void noteEvents(thTally* tally, double time)
{
    StepSums* sums = TH_ITEMS(tally->sums, StepSums);
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

static void beginTrack(const Pass* pass, thTrack* track, int32_t row, StepSums* sums)
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
                       .seenAt = tally->state.observations + 1,
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
    StepSums* sums = &TH_ITEMS(pass->tally->sums, StepSums)[workerIndex];
    for (int32_t row = begin; row < end; ++row) {
        thTrack* track = trackOf(pass->tally, pass->rows->slot[row]);
        if (pass->rows->flags[row] != 0 && !isTrackOf(pass->tally, track, pass->rows->key[row]))
            beginTrack(pass, track, row, sums);
    }
}

// Begins tracks for those who have none. Who has arrived by then did so in this step, unless the
// tally itself begins (`isFirst`).
static void beginTracks(thTally* tally, double time, bool isFirst)
{
    const thWorld* world = tally->world;
    Pass pass = {.tally = tally, .rows = thiRows(world), .time = time, .isFirst = isFirst};
    thTasks_ParallelFor(world->tasks, pass.rows->count, FOLLOW_GRAIN, beginRange, &pass);
}

// --- Sums ------------------------------------------------------------------------------------

static void resetSums(thTally* tally)
{
    memset(tally->sums.data, 0, (size_t)tally->sums.count * sizeof(StepSums));
}

static uint64_t countUnknown(const thTally* tally)
{
    uint64_t count = 0;
    for (int32_t i = 0; i < tally->sums.count; ++i)
        count += TH_ITEMS(tally->sums, StepSums)[i].unknown;
    return count;
}

static void joinSums(StepSums* all, const StepSums* part)
{
    all->newcomers += part->newcomers;
    all->arrived += part->arrived;
    all->travel += part->travel;
    all->ratios += part->ratios;
    all->ratioCount += part->ratioCount;
    all->squeezed += part->squeezed;
    all->squeezedAgents += part->squeezedAgents;
    all->stuck += part->stuck;
    all->speeds += part->speeds;
    all->speedCount += part->speedCount;
    for (int32_t status = 0; status < THRONG_TALLY_STATUSES; ++status)
        all->status[status] += part->status[status];
    all->walls.crossings += part->walls.crossings;
    all->walls.maxDepth = TH_MAX(all->walls.maxDepth, part->walls.maxDepth);
}

// What workers have added up becomes part of the figures.
static void addSums(thTally* tally, double time)
{
    StepSums all = {0};
    for (int32_t i = 0; i < tally->sums.count; ++i)
        joinSums(&all, &TH_ITEMS(tally->sums, StepSums)[i]);
    thFigures* figures = &tally->state.figures;
    figures->time = time;
    figures->agents += all.newcomers;
    figures->arrived += all.arrived;
    figures->lastArrival = all.arrived > 0 ? time : figures->lastArrival;
    figures->arrivals += (double)all.arrived * time;
    figures->travel += fromFixed(all.travel);
    figures->ratios += fromFixed(all.ratios);
    figures->ratioCount += all.ratioCount;
    figures->squeezed += all.squeezed;
    figures->squeezedAgents += all.squeezedAgents;
    figures->speeds += fromFixed(all.speeds);
    figures->speedCount += all.speedCount;
    for (int32_t status = 0; status < THRONG_TALLY_STATUSES; ++status)
        figures->status[status] += all.status[status];
    figures->wallCrossings += (uint64_t)all.walls.crossings;
    figures->maxWallDepth = TH_MAX(figures->maxWallDepth, all.walls.maxDepth);
    figures->stuck = all.stuck;
    if (figures->stuck > 0) // so there are agents
        figures->stuckMax =
            TH_MAX(figures->stuckMax, (double)figures->stuck / (double)figures->agents);
}

// --- A tally's life --------------------------------------------------------------------------

thTallyDef thDefaultTallyDef(void)
{
    return (thTallyDef){.size = sizeof(thTallyDef),
                        .collisions = 1,
                        .maxPairs = 1 << 20,
                        .allocator = thDefaultAllocator()};
}

static thResult setUp(thTally* tally, const thTallyDef* def)
{
    const int32_t workerCount = thTasks_GetWorkerCount(tally->world->tasks);
    if (thiArrayAdd(&tally->sums, workerCount) == NULL)
        return th_resultNoMemory;
    if (tally->countsCollisions)
        TH_TRY(thiCollisionsInit(&tally->collisions, &tally->memory, workerCount, def->maxPairs));
    TH_TRY(thiReserveTracks(&tally->state, tally->world->agents.view.count));
    resetSums(tally);
    beginTracks(tally, def->time, true);
    addSums(tally, def->time);
    tally->state.observations += 1;
    return th_resultOk;
}

thResult thCreateTally(const thTallyDef* given, const thWorld* world, thTally** result)
{
    TH_REQUIRE(result != NULL, th_resultBadArgument);
    *result = NULL;
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    thTallyDef def = thDefaultTallyDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    TH_REQUIRE((def.collisions == 0 || def.collisions == 1) &&
                   (def.checkWalls == 0 || def.checkWalls == 1),
               th_resultBadArgument);
    TH_REQUIRE(def.maxPairs >= 0 && def.maxPairs <= MAX_PAIRS, th_resultBadArgument);
    TH_REQUIRE(thiIsFiniteDouble(def.time), th_resultBadArgument);
    TH_REQUIRE((def.allocator.allocate == NULL) == (def.allocator.release == NULL),
               th_resultBadArgument);
    // The struct itself is not in the account, which is part of it.
    thMemory outside;
    thiMemoryInit(&outside, &def.allocator, 0);
    thTally* tally = thiAllocateZero(&outside, sizeof *tally);
    if (tally == NULL)
        return th_resultNoMemory;
    thiMemoryInit(&tally->memory, &def.allocator, 0);
    tally->world = world;
    tally->countsCollisions = def.collisions == 1;
    tally->checksWalls = def.checkWalls == 1;
    tally->sums = thiArray(&tally->memory, sizeof(StepSums));
    tally->state = thiTallyState(&tally->memory);
    tally->state.worldStep = world->step;
    tally->state.begin = def.time;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = setUp(tally, &def);
    thiFpRestore(hostEnvironment);
    if (code != th_resultOk) {
        thDestroyTally(tally);
        return code;
    }
    *result = tally;
    return th_resultOk;
}

void thDestroyTally(thTally* tally)
{
    if (tally == NULL)
        return;
    thiArrayFree(&tally->sums);
    thiTallyStateFree(&tally->state);
    if (tally->countsCollisions)
        thiCollisionsFree(&tally->collisions);
    TH_ASSERT(atomic_load(&tally->memory.bytes) == 0);
    const thAllocator allocator = tally->memory.allocator;
    allocator.release(allocator.context, tally, sizeof *tally, TH_ALIGNMENT);
}

// All that may fail.
static thResult prepare(thTally* tally)
{
    TH_TRY(thiReserveTracks(&tally->state, tally->world->agents.view.count));
    return tally->countsCollisions ? thiFindCollisions(&tally->collisions, tally->world)
                                   : th_resultOk;
}

static void takeNote(thTally* tally, double time)
{
    thFigures* figures = &tally->state.figures;
    resetSums(tally);
    followTracks(tally, time);
    noteEvents(tally, time);
    if (countUnknown(tally) > 0)
        beginTracks(tally, time, false);
    addSums(tally, time);
    if (tally->countsCollisions) {
        thiKeepCollisions(&tally->collisions);
        figures->pairs += (uint64_t)tally->collisions.pairs;
        figures->maxDepth = TH_MAX(figures->maxDepth, tally->collisions.maxDepth);
    }
    const bool isDivided = tally->world->counters.substeps > 1;
    figures->dividedSteps += isDivided;
    figures->substeps += isDivided ? (uint64_t)tally->world->counters.substeps : 0;
    figures->contacts += tally->world->counters.contacts;
    figures->shuffles += tally->world->counters.shuffling;
    figures->stepsBack += tally->world->counters.steppingBack;
    figures->reversals += tally->world->counters.turningBack;
    figures->agentSteps += (uint64_t)tally->world->agents.count;
    figures->steps += 1;
    tally->state.worldStep = tally->world->step;
    tally->state.observations += 1;
}

thResult thTally_Observe(thTally* tally, double time)
{
    TH_REQUIRE(tally != NULL && !tally->world->stepping, th_resultBadArgument);
    TH_REQUIRE(thiIsFiniteDouble(time) && time >= tally->state.figures.time, th_resultBadArgument);
    if (tally->world->step == tally->state.worldStep)
        return th_resultOk;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = prepare(tally);
    if (code == th_resultOk)
        takeNote(tally, time);
    thiFpRestore(hostEnvironment);
    return code;
}

static double mean(double sum, uint64_t count)
{
    return count > 0 ? sum / (double)count : 0.0;
}

static thTallyResult resultOf(const thTally* tally)
{
    const thFigures* figures = &tally->state.figures;
    thTallyResult result = {
        .steps = figures->steps,
        .time = figures->time,
        .agents = figures->agents,
        .arrived = figures->arrived,
        .lastArrival = figures->lastArrival,
        .meanArrival = mean(figures->arrivals, figures->arrived),
        .meanTravel = mean(figures->travel, figures->arrived),
        .meanPathRatio = mean(figures->ratios, figures->ratioCount),
        .collisionsPerStep = mean((double)figures->pairs, figures->steps),
        .maxDepth = figures->maxDepth,
        .dividedSteps = figures->dividedSteps,
        .substeps = figures->substeps,
        .contactsPerStep = mean((double)figures->contacts, figures->steps),
        .shuffleShare = mean((double)figures->shuffles, figures->agentSteps),
        .stepBackShare = mean((double)figures->stepsBack, figures->agentSteps),
        .reversals = mean((double)figures->reversals, figures->agents),
        .wallCrossings = figures->wallCrossings,
        .maxWallDepth = figures->maxWallDepth,
        .squeezed = figures->squeezed,
        .squeezedAgents = figures->squeezedAgents,
        .stuck = figures->stuck,
        .stuckShare = mean((double)figures->stuck, figures->agents),
        .stuckMax = figures->stuckMax,
        .meanSpeed = mean(figures->speeds, figures->speedCount),
        .bytes = sizeof *tally + atomic_load(&tally->memory.bytes),
    };
    memcpy(result.status, figures->status, sizeof result.status);
    if (tally->countsCollisions) {
        result.uniqueCollisions = (uint64_t)thiPairSetCount(&tally->collisions.seen);
        result.uniqueIsLeast = tally->collisions.seen.exceeded;
    }
    return result;
}

thTallyResult thTally_GetResult(const thTally* tally)
{
    TH_REQUIRE(tally != NULL, (thTallyResult){0});
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thTallyResult result = resultOf(tally);
    thiFpRestore(hostEnvironment);
    return result;
}
