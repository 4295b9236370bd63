// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Distributions: means, and quantiles of more values than can be kept.

#include "base/hash.h"
#include "measure/survey/survey_internal.h"

#include <math.h>

#define MOST_KEPT (1 << 24)

thValues thiValues(thMemory* memory)
{
    return (thValues){.items = thiArray(memory, sizeof(double)), .oneOf = 1};
}

void thiValuesFree(thValues* values)
{
    thiArrayFree(&values->items);
}

// Drops about half of what is kept. By lot and not every second one: values come in the same order
// of people in every frame, and whoever is dropped would be so in all frames.
static void thinOut(thValues* values)
{
    double* items = values->items.data;
    int32_t kept = 0;
    values->oneOf *= 2;
    for (int32_t i = 0; i < values->items.count; ++i)
        if ((thiHashWord(values->oneOf, (uint64_t)i) & 1) == 0)
            items[kept++] = items[i];
    values->items.count = kept;
}

thResult thiAddValue(thValues* values, double value)
{
    if ((thiMix(values->count) & (values->oneOf - 1)) == 0) {
        double* item = thiArrayAdd(&values->items, 1);
        if (item == NULL)
            return th_resultNoMemory;
        *item = value;
        if (values->items.count == MOST_KEPT)
            thinOut(values);
    }
    if (values->count == 0)
        values->first = values->least = values->greatest = value;
    const double difference = value - values->first;
    values->count += 1;
    values->sum += difference;
    values->squares += difference * difference;
    values->least = TH_MIN(values->least, value);
    values->greatest = TH_MAX(values->greatest, value);
    return th_resultOk;
}

typedef struct Part {
    int32_t below; // items less than the pivot
    int32_t upTo;  // items not greater
} Part;

// Puts what is less than one of the items before it, and what is greater behind.
static Part partition(double* items, int32_t count)
{
    const double pivot = items[thiMix((uint64_t)count) % (uint64_t)count];
    Part part = {0, count};
    int32_t i = 0;
    while (i < part.upTo) {
        const double item = items[i];
        if (item < pivot) {
            items[i++] = items[part.below];
            items[part.below++] = item;
        } else if (item > pivot) {
            items[i] = items[--part.upTo];
            items[part.upTo] = item;
        } else {
            ++i;
        }
    }
    return part;
}

// Brings those of the ascending ranks to where they are when all is sorted. Far less work than to
// sort: pieces without a rank are left as they are.
static void select(double* items, int32_t offset, int32_t count, const int32_t* ranks,
                   int32_t rankCount)
{
    while (rankCount > 0 && count > 1) {
        const Part part = partition(items, count);
        int32_t lower = 0, upper = rankCount;
        while (lower < rankCount && ranks[lower] < offset + part.below)
            ++lower;
        while (upper > lower && ranks[upper - 1] >= offset + part.upTo)
            --upper;
        select(items, offset, part.below, ranks, lower);
        items += part.upTo;
        offset += part.upTo;
        count -= part.upTo;
        ranks += upper;
        rankCount -= upper;
    }
}

thSpread thiSpreadOf(thValues* values)
{
    if (values->count == 0)
        return (thSpread){0};
    static const double shares[] = {0.01, 0.05, 0.1, 0.5, 0.9, 0.95, 0.99};
    enum { shareCount = sizeof shares / sizeof shares[0] };
    int32_t ranks[shareCount];
    for (int32_t i = 0; i < shareCount; ++i)
        ranks[i] = (int32_t)floor(shares[i] * (values->items.count - 1) + 0.5);
    double* items = values->items.data;
    select(items, 0, values->items.count, ranks, shareCount);
    const double count = (double)values->count, shift = values->sum / count;
    const double variance = values->squares / count - shift * shift;
    return (thSpread){.count = values->count,
                      .mean = values->first + shift,
                      .deviation = variance > 0.0 ? sqrt(variance) : 0.0,
                      .least = values->least,
                      .p01 = items[ranks[0]],
                      .p05 = items[ranks[1]],
                      .p10 = items[ranks[2]],
                      .median = items[ranks[3]],
                      .p90 = items[ranks[4]],
                      .p95 = items[ranks[5]],
                      .p99 = items[ranks[6]],
                      .greatest = values->greatest};
}
