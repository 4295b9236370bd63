// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "run/times.h"

#include <math.h>

// Octaves are cut into equal parts, so a bucket is at most a sixty-fourth wider than its beginning.
static int bucketOf(double time)
{
    int exponent;
    const double mantissa = frexp(fmax(time, 1.0), &exponent); // 0.5 .. 1
    const int part = (int)((2.0 * mantissa - 1.0) * timesPerOctave);
    const int bucket = (exponent - 1) * timesPerOctave + part;
    const int last = timesOctaves * timesPerOctave - 1;
    return bucket < last ? bucket : last;
}

static double middleOf(int bucket)
{
    const double part = (bucket % timesPerOctave + 0.5) / timesPerOctave;
    return ldexp(1.0 + part, bucket / timesPerOctave);
}

void appAddTimes(Times* times, const thCounters* counters, int32_t agents)
{
    const double time = (double)counters->stepTime;
    times->steps += 1;
    times->total += time;
    times->agentSteps += agents;
    for (int stage = 0; stage < th_stageCount; ++stage)
        times->stages[stage] += (double)counters->stageTime[stage];
    times->buckets[bucketOf(time)] += 1;
}

double appTimesQuantile(const Times* times, double share)
{
    const double wanted = share * (double)times->steps;
    double below = 0.0;
    for (int bucket = 0; bucket < timesOctaves * timesPerOctave; ++bucket) {
        below += (double)times->buckets[bucket];
        if (below > 0.0 && below >= wanted)
            return middleOf(bucket);
    }
    return 0.0;
}

double appTimesMean(const Times* times)
{
    return times->steps > 0 ? times->total / (double)times->steps : 0.0;
}

double appTimesStage(const Times* times, thStage stage)
{
    return times->steps > 0 ? times->stages[stage] / (double)times->steps : 0.0;
}
