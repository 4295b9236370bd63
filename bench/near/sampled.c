// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The search of "Multi-Agent Navigation on the GPU": agents draw places round them and ask who is
// there. They ask the tree of angles and keep the nearest of the answers. When an answer comes
// again, one more place is drawn, up to twice as many in all.

#include "angle_tree.h"

#include "throng/random.h"

#include <math.h>

#define TURN 6.2831853f

typedef struct Sampled {
    thMemory* memory;
    const thNearCrowd* crowd;
    int32_t samples;
    int32_t moment;
    thAngleTree tree;
} Sampled;

static void closeSampled(void* state)
{
    Sampled* sampled = state;
    thiAngleTreeFree(&sampled->tree);
    thiRelease(sampled->memory, sampled, sizeof *sampled);
}

static thResult openSampled(const thNearMethod* self, const thNearCrowd* crowd, thMemory* memory,
                            void** state)
{
    Sampled* sampled = thiAllocate(memory, sizeof *sampled);
    if (sampled == NULL)
        return th_resultNoMemory;
    *sampled = (Sampled){.memory = memory, .crowd = crowd, .samples = self->samples};
    const thResult code = thiAngleTreeInit(&sampled->tree, memory, crowd->count);
    if (code == th_resultOk)
        *state = sampled;
    else
        thiRelease(memory, sampled, sizeof *sampled);
    return code;
}

static thResult buildSampled(void* state, int32_t moment)
{
    Sampled* sampled = state;
    sampled->moment = moment;
    thiAngleTreeBuild(&sampled->tree, thiNearX(sampled->crowd, moment),
                      thiNearY(sampled->crowd, moment));
    return th_resultOk;
}

// Somebody next by angle to a random place within the radius.
static int32_t drawAgent(const Sampled* sampled, uint64_t stream, uint32_t number, int32_t agent)
{
    const thNearCrowd* crowd = sampled->crowd;
    const float distance = crowd->radius * sqrtf(thRandomUnit(stream, 2 * number));
    float sine, cosine;
    thSinCos(TURN * (thRandomUnit(stream, 2 * number + 1) - 0.5f), &sine, &cosine);
    return thiAngleTreeFind(&sampled->tree,
                            thiNearX(crowd, sampled->moment)[agent] + thiUnits(distance * cosine),
                            thiNearY(crowd, sampled->moment)[agent] + thiUnits(distance * sine));
}

static bool isListed(const thNearList* list, int32_t agent)
{
    for (int32_t k = 0; k < list->count; ++k)
        if (list->items[k].row == agent)
            return true;
    return false;
}

static void sampleAround(const Sampled* sampled, int32_t agent, thNearList* list)
{
    const thNearCrowd* crowd = sampled->crowd;
    const int32_t* x = thiNearX(crowd, sampled->moment);
    const int32_t* y = thiNearY(crowd, sampled->moment);
    const uint64_t stream = thRandomStream(2, crowd->key[agent], (uint64_t)sampled->moment, 0);
    list->count = 0;
    int32_t wanted = sampled->samples;
    for (int32_t i = 0; i < wanted; ++i) {
        const int32_t found = drawAgent(sampled, stream, (uint32_t)i, agent);
        if (found == agent || isListed(list, found)) {
            wanted = TH_MIN(wanted + 1, 2 * sampled->samples);
            continue;
        }
        const float dx = thiMetresBetween(x[agent], x[found]);
        const float dy = thiMetresBetween(y[agent], y[found]);
        const float distanceSq = dx * dx + dy * dy;
        if (distanceSq <= crowd->radius * crowd->radius)
            thiNearInsert(list, distanceSq, found, crowd->key[found]);
    }
}

static int64_t findSampled(void* state, int32_t* lists)
{
    const Sampled* sampled = state;
    int64_t sum = 0;
    for (int32_t agent = 0; agent < sampled->crowd->count; ++agent) {
        thNearList list;
        sampleAround(sampled, agent, &list);
        thiNearKeep(lists, agent, &list);
        sum += list.count;
    }
    return sum;
}

const thNearMethod thiNearSampled40 = {.name = "sampled 40",
                                       .samples = 40,
                                       .open = openSampled,
                                       .build = buildSampled,
                                       .find = findSampled,
                                       .close = closeSampled};

const thNearMethod thiNearSampled160 = {.name = "sampled 160",
                                        .samples = 160,
                                        .open = openSampled,
                                        .build = buildSampled,
                                        .find = findSampled,
                                        .close = closeSampled};
