// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Both engines step by turns, and of each the time of every step is kept.

#include "race.h"

#include "base/core.h"
#include "base/machine.h"

#include <stdlib.h>

static ExitCode sayNoMemory(void)
{
    appSay("no memory");
    return exitEnvironment;
}

// Bodies on floors above each other would overlap on the flat square.
static bool areOnOneFloor(const OurAgents* ours, const thWorld* world)
{
    const int32_t level = thAgent_GetInfo(world, ours->ids[0]).level;
    for (int32_t i = 1; i < ours->party.count; ++i)
        if (thAgent_GetInfo(world, ours->ids[i]).level != level)
            return false;
    return true;
}

ExitCode createRace(Race* race, thRun* run, float step)
{
    const thWorld* world = thRun_GetWorld(run);
    const int32_t count = thWorld_GetCounters(world).agents;
    *race = (Race){.run = run, .step = step, .maxRadius = 0.01f};
    if (count < 1 || count > detourMostAgents) {
        appSay("there are %d agents, expected 1 to %d: more is too much for DetourCrowd",
               (int)count, detourMostAgents);
        return exitUsage;
    }
    if (!createOurAgents(&race->ours, world))
        return sayNoMemory();
    if (!areOnOneFloor(&race->ours, world)) {
        appSay("there are agents on several floors, DetourCrowd gets only one");
        return exitUsage;
    }
    for (int32_t i = 0; i < count; ++i)
        race->maxRadius = TH_MAX(race->maxRadius, race->ours.party.bodies[i].radius);
    const bool good = createTheirAgents(&race->theirs, &race->ours, world, race->maxRadius, step);
    return good ? exitDone : sayNoMemory();
}

void freeRace(Race* race)
{
    freeTheirAgents(&race->theirs);
    freeOurAgents(&race->ours);
}

// Of every measured step.
typedef struct Samples {
    double agentTimes[raceStepsMost];
    double stepTimes[raceStepsMost];
} Samples;

static int compareNumbers(const void* left, const void* right)
{
    const double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

static double median(double* numbers, int32_t count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, compareNumbers);
    return 0.5 * (numbers[(count - 1) / 2] + numbers[count / 2]);
}

// Steps both, and tells how long each took. Other programs disturb processor time least. [ns]
static thResult stepBoth(Race* race, int64_t times[engineCount])
{
    race->lanes[engineThrong].agents = race->ours.party.count;
    race->lanes[engineDetour].agents = race->theirs.party.count;
    const int64_t begin = thiProcessTime();
    const thResult result = thRun_Step(race->run);
    const int64_t between = thiProcessTime();
    detourStep(race->theirs.crowd, race->step);
    const int64_t end = thiProcessTime();
    times[engineThrong] = between - begin;
    times[engineDetour] = end - between;
    followOurAgents(&race->ours, thRun_GetWorld(race->run));
    followTheirAgents(&race->theirs, thRun_GetWorld(race->run));
    return result;
}

// Adds what a step was like. False when memory is out.
static bool note(Race* race, Samples* samples, const int64_t times[engineCount])
{
    const Party* parties[] = {&race->ours.party, &race->theirs.party};
    for (int32_t engine = 0; engine < engineCount; ++engine) {
        const Party* party = parties[engine];
        Lane* lane = &race->lanes[engine];
        const int64_t overlaps = countOverlaps(party->bodies, party->count, race->maxRadius);
        if (overlaps < 0)
            return false;
        const double time = (double)times[engine];
        samples[engine].agentTimes[race->stepsMeasured] = time / lane->agents;
        samples[engine].stepTimes[race->stepsMeasured] = time * 1e-6;
        lane->overlaps += (double)overlaps;
        lane->speed += party->walked / lane->agents;
    }
    race->stepsMeasured += 1;
    return true;
}

static void sumUp(Race* race, Samples* samples)
{
    const int32_t count = race->stepsMeasured;
    for (int32_t engine = 0; engine < engineCount; ++engine) {
        Lane* lane = &race->lanes[engine];
        lane->agentTime = median(samples[engine].agentTimes, count);
        lane->stepTime = median(samples[engine].stepTimes, count);
        lane->overlaps /= count;
        lane->speed /= count * (double)race->step;
    }
}

ExitCode runRace(Race* race, int32_t warmUp, int32_t steps)
{
    static Samples samples[engineCount]; // too large for the stack
    for (int32_t i = 0; i < warmUp + steps; ++i) {
        if (race->ours.party.count == 0 || race->theirs.party.count == 0)
            break;
        int64_t times[engineCount];
        const thResult result = stepBoth(race, times);
        if (result != th_resultOk) {
            appSay("cannot step: %s", thResult_GetText(result));
            return appExitOf(result);
        }
        if (i >= warmUp && !note(race, samples, times))
            return sayNoMemory();
    }
    if (race->stepsMeasured == 0) {
        appSay("all have left before anything was measured; see --warm-up");
        return exitUsage;
    }
    sumUp(race, samples);
    return exitDone;
}
