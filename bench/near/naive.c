// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Everybody looks at everybody: nothing to build, and the time of an agent grows with their number.

#include "near.h"

typedef struct Naive {
    thMemory* memory;
    const thNearCrowd* crowd;
    int32_t moment;
} Naive;

void thiNearNaiveList(const thNearCrowd* crowd, int32_t moment, int32_t agent, thNearList* list)
{
    const int32_t *x = thiNearX(crowd, moment), *y = thiNearY(crowd, moment);
    const float radiusSq = crowd->radius * crowd->radius;
    float worst = radiusSq; // who is further cannot be wanted
    list->count = 0;
    for (int32_t i = 0; i < crowd->count; ++i) {
        const float dx = thiMetresBetween(x[agent], x[i]), dy = thiMetresBetween(y[agent], y[i]);
        const float distanceSq = dx * dx + dy * dy;
        if (distanceSq > worst || i == agent)
            continue;
        thiNearInsert(list, distanceSq, i, crowd->key[i]);
        if (list->count == thNearCount)
            worst = list->items[thNearCount - 1].order;
    }
}

static thResult openNaive(const thNearMethod* self, const thNearCrowd* crowd, thMemory* memory,
                          void** state)
{
    (void)self;
    Naive* naive = thiAllocate(memory, sizeof *naive);
    if (naive == NULL)
        return th_resultNoMemory;
    *naive = (Naive){memory, crowd, 0};
    *state = naive;
    return th_resultOk;
}

static thResult buildNaive(void* state, int32_t moment)
{
    Naive* naive = state;
    naive->moment = moment;
    return th_resultOk;
}

static int64_t findNaive(void* state, int32_t* lists)
{
    const Naive* naive = state;
    int64_t sum = 0;
    for (int32_t agent = 0; agent < naive->crowd->count; ++agent) {
        thNearList list;
        thiNearNaiveList(naive->crowd, naive->moment, agent, &list);
        thiNearKeep(lists, agent, &list);
        sum += list.count;
    }
    return sum;
}

static void closeNaive(void* state)
{
    Naive* naive = state;
    thiRelease(naive->memory, naive, sizeof *naive);
}

const thNearMethod thiNearNaive = {.name = "naive",
                                   .exact = true,
                                   .open = openNaive,
                                   .build = buildNaive,
                                   .find = findNaive,
                                   .close = closeNaive};
