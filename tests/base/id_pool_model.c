// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A plain model of the id pool, and random operations on both.

#include "base/id_pool_model.h"

#include "base/id_pool.h"
#include "base/memory_gear.h"

#include <string.h>

#define MAX_SLOTS 64
#define MAX_IDS 512

typedef struct Model {
    thIdPool pool;
    thTestAllocator* test;
    uint32_t generation[MAX_SLOTS];
    int32_t slotCount;
    int32_t queue[MAX_SLOTS]; // free slots, the oldest first
    int32_t queueCount;
    int32_t used;
    uint64_t ids[MAX_IDS]; // all that were ever made, live or stale
    int32_t idCount;
} Model;

static bool isLive(const Model* model, uint64_t id)
{
    const uint32_t generation = (uint32_t)(id >> 32);
    const int64_t slot = (int64_t)(uint32_t)id - 1;
    return slot >= 0 && slot < model->slotCount && generation % 2 == 1 &&
           model->generation[slot] == generation;
}

static const char* take(Model* model, bool failing)
{
    if ((model->queueCount == 0 && model->slotCount == MAX_SLOTS) || model->idCount == MAX_IDS)
        return NULL;
    const thIdPool before = model->pool;
    const int64_t failures = model->test->failures;
    model->test->failFrom = failing ? 1 : 0;
    const uint64_t id = thiIdPoolTake(&model->pool);
    model->test->failFrom = 0;
    if (id == 0 && model->test->failures > failures) {
        const bool same = before.used == model->pool.used &&
                          before.generations.count == model->pool.generations.count &&
                          before.nextFree.count == model->pool.nextFree.count;
        return same ? NULL : "a failed take changed the pool";
    }
    int32_t slot = model->slotCount;
    if (model->queueCount > 0) {
        slot = model->queue[0];
        model->queueCount -= 1;
        memmove(model->queue, model->queue + 1, (size_t)model->queueCount * sizeof model->queue[0]);
    } else {
        model->slotCount += 1;
    }
    model->generation[slot] += 1;
    model->used += 1;
    model->ids[model->idCount++] = id;
    const uint64_t expected = (uint64_t)model->generation[slot] << 32 | (uint64_t)(slot + 1);
    return id == expected ? NULL : "take gave another id";
}

static void giveBack(Model* model, uint64_t id)
{
    if (!isLive(model, id))
        return; // a precondition
    thiIdPoolGiveBack(&model->pool, id);
    const int32_t slot = (int32_t)((uint32_t)id - 1);
    model->used -= 1;
    model->generation[slot] += 1;
    if (model->generation[slot] != 0)
        model->queue[model->queueCount++] = slot;
}

// Puts the generation of a free slot close to its end, where it would be after a long run.
static void age(Model* model, uint8_t which)
{
    if (model->queueCount == 0)
        return;
    const int32_t slot = model->queue[which % model->queueCount];
    const uint32_t old = UINT32_MAX - 1 - 2 * (which % 3);
    model->generation[slot] = old;
    TH_ITEMS(model->pool.generations, uint32_t)[slot] = old;
}

static const char* compare(const Model* model, uint64_t foreignId)
{
    if (thiIdPoolSlotCount(&model->pool) != model->slotCount || model->pool.used != model->used)
        return "the number of slots differs";
    for (int32_t i = 0; i <= model->idCount; ++i) {
        const uint64_t id = i < model->idCount ? model->ids[i] : foreignId;
        const int32_t expected = isLive(model, id) ? (int32_t)((uint32_t)id - 1) : -1;
        if (thiIdPoolFind(&model->pool, id) != expected)
            return "find gave another slot";
    }
    for (int32_t slot = 0; slot < model->slotCount; ++slot) {
        const uint32_t generation = model->generation[slot];
        const uint64_t id = (uint64_t)generation << 32 | (uint64_t)(slot + 1);
        if (thiIdPoolIdOf(&model->pool, slot) != (generation % 2 == 1 ? id : 0))
            return "idOf gave another id";
    }
    return thiIdPoolFind(&model->pool, 0) == -1 ? NULL : "null was found";
}

static const char* doOperation(Model* model, uint8_t what, uint8_t which)
{
    const char* wrong = NULL;
    switch (what % 8) {
    case 0:
    case 1:
    case 2:
        wrong = take(model, false);
        break;
    case 3:
    case 4:
        if (model->idCount > 0)
            giveBack(model, model->ids[which % model->idCount]);
        break;
    case 5:
        age(model, which);
        break;
    case 6:
        wrong = take(model, true);
        break;
    default:
        if (thiIdPoolReserve(&model->pool, which % MAX_SLOTS) != th_resultOk)
            wrong = "reserve failed";
        break;
    }
    const uint64_t foreignId = (uint64_t)what << 32 | which;
    return wrong != NULL ? wrong : compare(model, foreignId);
}

const char* runIdPoolModel(const uint8_t* bytes, size_t size)
{
    thTestAllocator test;
    thMemory memory;
    beginTestMemory(&test, &memory, 0);
    Model model = {.pool = thiIdPool(&memory), .test = &test};
    const char* wrong = NULL;
    for (size_t at = 0; at + 1 < size && wrong == NULL; at += 2)
        wrong = doOperation(&model, bytes[at], bytes[at + 1]);
    thiIdPoolFree(&model.pool);
    if (wrong == NULL && testAllocatorProblem(&test) != NULL)
        wrong = "memory was not given back as it was taken";
    testAllocatorFree(&test);
    return wrong;
}
