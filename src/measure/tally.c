// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "base/fp_environment.h"
#include "measure/tally_internal.h"
#include "sim/ranges.h"

#include <string.h>

#define MAX_PAIRS (1 << 26)

thTallyDef thDefaultTallyDef(void)
{
    return (thTallyDef){.size = sizeof(thTallyDef),
                        .collisions = 1,
                        .maxPairs = 1 << 20,
                        .allocator = thDefaultAllocator()};
}

static void resetSums(thTally* tally)
{
    memset(tally->sums.data, 0, (size_t)tally->sums.count * sizeof(thStepSums));
}

static uint64_t countUnknown(const thTally* tally)
{
    uint64_t count = 0;
    for (int32_t i = 0; i < tally->sums.count; ++i)
        count += TH_ITEMS(tally->sums, thStepSums)[i].unknown;
    return count;
}

static void joinSums(thStepSums* all, const thStepSums* part)
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
    thStepSums all = {0};
    for (int32_t i = 0; i < tally->sums.count; ++i)
        joinSums(&all, &TH_ITEMS(tally->sums, thStepSums)[i]);
    thFigures* figures = &tally->record.figures;
    figures->time = time;
    figures->agents += all.newcomers;
    figures->arrived += all.arrived;
    figures->lastArrival = all.arrived > 0 ? time : figures->lastArrival;
    figures->arrivals += (double)all.arrived * time;
    figures->travel += thiFromFixed(all.travel);
    figures->ratios += thiFromFixed(all.ratios);
    figures->ratioCount += all.ratioCount;
    figures->squeezed += all.squeezed;
    figures->squeezedAgents += all.squeezedAgents;
    figures->speeds += thiFromFixed(all.speeds);
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

static thResult setUp(thTally* tally, const thTallyDef* def)
{
    const int32_t workerCount = thTasks_GetWorkerCount(tally->world->tasks);
    if (thiArrayAdd(&tally->sums, workerCount) == NULL)
        return th_resultNoMemory;
    if (tally->countsCollisions)
        TH_TRY(thiCollisionsInit(&tally->collisions, &tally->memory, workerCount, def->maxPairs));
    TH_TRY(thiReserveTracks(&tally->record, tally->world->agents.view.count));
    resetSums(tally);
    thiBeginTracks(tally, def->time, true);
    addSums(tally, def->time);
    tally->record.observations += 1;
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
    tally->sums = thiArray(&tally->memory, sizeof(thStepSums));
    tally->record = thiEmptyRecord(&tally->memory);
    tally->record.worldStep = world->step;
    tally->record.begin = def.time;
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
    thiFreeRecord(&tally->record);
    if (tally->countsCollisions)
        thiCollisionsFree(&tally->collisions);
    TH_ASSERT(atomic_load(&tally->memory.bytes) == 0);
    const thAllocator allocator = tally->memory.allocator;
    allocator.release(allocator.context, tally, sizeof *tally, TH_ALIGNMENT);
}

// All that may fail.
static thResult prepare(thTally* tally)
{
    TH_TRY(thiReserveTracks(&tally->record, tally->world->agents.view.count));
    return tally->countsCollisions ? thiFindCollisions(&tally->collisions, tally->world)
                                   : th_resultOk;
}

static void takeNote(thTally* tally, double time)
{
    thFigures* figures = &tally->record.figures;
    resetSums(tally);
    thiFollowTracks(tally, time);
    thiNoteEvents(tally, time);
    if (countUnknown(tally) > 0)
        thiBeginTracks(tally, time, false);
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
    tally->record.worldStep = tally->world->step;
    tally->record.observations += 1;
}

thResult thTally_Observe(thTally* tally, double time)
{
    TH_REQUIRE(tally != NULL && !tally->world->stepping, th_resultBadArgument);
    TH_REQUIRE(thiIsFiniteDouble(time) && time >= tally->record.figures.time, th_resultBadArgument);
    if (tally->world->step == tally->record.worldStep)
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
    const thFigures* figures = &tally->record.figures;
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
