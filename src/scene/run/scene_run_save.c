// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Saving a run and restoring it. The world's part is a snapshot with a checksum of its own.

// The format:
//
//     magic, format version, size | scene, seed, sources, doors, closings of doors, delays, goals |
//     checksum | world
//
// `scene` is a hash of the scene's text without what does not decide the future: what it is about,
// when it ends, what is measured.

#include "base/hash.h"
#include "base/machine.h"
#include "scene/run/scene_run.h"
#include "sim/snapshot/stream.h"

#include <math.h>
#include <string.h>

#define FORMAT_VERSION 2u

// The last two bytes show when something has treated the file as text.
static const uint8_t magic[8] = {'t', 'h', 'r', 'u', 'n', 0, 0x1a, '\n'};

static thResult hashScene(const thRun* run, uint64_t* hash)
{
    thScene scene = *run->scene;
    scene.about = "";
    scene.endAt = INFINITY;
    scene.endSteps = -1;
    scene.endArrived = false;
    scene.gaugeCount = 0;
    size_t size = 0;
    TH_TRY(thScene_Write(&scene, NULL, 0, &size));
    thMemory memory;
    thiMemoryInit(&memory, &run->memory.allocator, 0);
    char* text = thiAllocate(&memory, size + 1);
    if (text == NULL)
        return th_resultNoMemory;
    const thResult code = thScene_Write(&scene, text, size + 1, &size);
    *hash = thiHashBytes(0, text, size);
    thiRelease(&memory, text, size + 1);
    return code;
}

static void saveState(const thRun* run, uint64_t sceneHash, thWriter* to)
{
    thiWriteU64(to, sceneHash);
    thiWriteU64(to, run->seed);
    thiWriteI32(to, run->sourceCount);
    for (int32_t i = 0; i < run->sourceCount; ++i)
        thiWriteU64(to, (uint64_t)run->sources[i].created);
    thiWriteI32(to, run->scene->doorCount);
    for (int32_t i = 0; i < run->scene->doorCount; ++i)
        thiWriteU64(to, run->doors[i].value);
    thiWriteI32(to, 3 * run->closingCount);
    for (int32_t i = 0; i < run->closingCount; ++i) {
        thiWriteU64(to, run->closings[i].shut);
        thiWriteU64(to, run->closings[i].late);
        thiWriteU64(to, run->closings[i].pushed);
    }
    thiWriteI32(to, run->delays.count);
    for (int32_t i = 0; i < run->delays.count; ++i) {
        thiWriteU64(to, TH_ITEMS(run->delays, thRunDelay)[i].step);
        thiWriteU64(to, TH_ITEMS(run->delays, thRunDelay)[i].key);
    }
    thiWriteI32(to, run->ownGoals.count);
    for (int32_t i = 0; i < run->ownGoals.count; ++i)
        thiWriteU64(to, TH_ITEMS(run->ownGoals, thGoalId)[i].value);
}

static void saveHeader(uint64_t size, thWriter* to)
{
    thiWriteBytes(to, magic, sizeof magic);
    thiWriteU32(to, FORMAT_VERSION);
    thiWriteU64(to, size);
}

thResult thRun_Save(const thRun* run, void* buffer, size_t capacity, size_t* size)
{
    TH_REQUIRE(run != NULL && size != NULL, th_resultBadArgument);
    uint64_t sceneHash = 0;
    TH_TRY(hashScene(run, &sceneHash));
    thWriter counter = {0};
    saveHeader(0, &counter);
    saveState(run, sceneHash, &counter);
    const size_t stateSize = counter.size + sizeof(uint64_t);
    size_t worldSize = 0;
    TH_TRY(thWorld_Save(run->world, NULL, 0, &worldSize));
    *size = stateSize + worldSize;
    if (buffer == NULL)
        return th_resultOk;
    if (*size > capacity)
        return th_resultFull;
    thWriter to = {.data = buffer, .capacity = capacity};
    saveHeader(*size, &to);
    saveState(run, sceneHash, &to);
    thiWriteU64(&to, thiHashBytes(0, buffer, to.size));
    return thWorld_Save(run->world, (char*)buffer + stateSize, worldSize, &worldSize);
}

// What is read before anything is changed.
typedef struct Saved {
    uint64_t seed;
    uint64_t* created; // of each source
    uint64_t* doors;
    uint64_t* closings; // three of each
    thArray delays;     // thRunDelay
    thArray ownGoals;   // thGoalId
} Saved;

static thResult failDamaged(thError* error)
{
    return thiFail(error, th_resultDamaged, "the saved run is damaged");
}

static thResult openHeader(thReader* from, thError* error)
{
    uint8_t start[sizeof magic];
    thiReadBytes(from, start, sizeof start);
    if (memcmp(start, magic, sizeof magic) != 0)
        return thiFail(error, th_resultSyntax, "this is no saved run");
    const uint32_t version = thiReadU32(from);
    if (!from->failed && version != FORMAT_VERSION)
        return thiFail(error, th_resultVersion,
                       "the saved run has format %u, this library reads %u", (unsigned)version,
                       FORMAT_VERSION);
    return thiReadU64(from) == from->size && !from->failed ? th_resultOk : failDamaged(error);
}

// `count` numbers of 64 bits, of which there must be as many as the scene has.
static thResult readNumbers(thReader* from, int32_t expected, thArena* arena, uint64_t** numbers)
{
    const int32_t count = thiReadI32(from);
    *numbers = thiArenaAllocate(arena, (size_t)TH_MAX(expected, 1) * sizeof **numbers);
    if (*numbers == NULL)
        return th_resultNoMemory;
    if (count != expected)
        return th_resultDamaged;
    for (int32_t i = 0; i < count; ++i)
        (*numbers)[i] = thiReadU64(from);
    return th_resultOk;
}

// Room for a list that comes now.
static thResult readCount(thReader* from, thArray* items)
{
    const int32_t count = thiReadI32(from);
    if (count < 0 || (size_t)count > thiBytesLeft(from) / (size_t)items->itemSize)
        return th_resultDamaged;
    TH_TRY(thiArrayReserve(items, count));
    items->count = count;
    return th_resultOk;
}

static thResult readDelays(thReader* from, thArray* delays)
{
    TH_TRY(readCount(from, delays));
    for (int32_t i = 0; i < delays->count; ++i) {
        TH_ITEMS(*delays, thRunDelay)[i].step = thiReadU64(from);
        TH_ITEMS(*delays, thRunDelay)[i].key = thiReadU64(from);
    }
    return th_resultOk;
}

static thResult readGoals(thReader* from, thArray* goals)
{
    TH_TRY(readCount(from, goals));
    for (int32_t i = 0; i < goals->count; ++i)
        TH_ITEMS(*goals, thGoalId)[i].value = thiReadU64(from);
    return th_resultOk;
}

static thResult readState(const thRun* run, thReader* from, thArena* arena, Saved* saved,
                          thError* error)
{
    uint64_t sceneHash = 0;
    TH_TRY(hashScene(run, &sceneHash));
    if (thiReadU64(from) != sceneHash && !from->failed)
        return thiFail(error, th_resultSyntax, "this was saved by a run of another scene");
    saved->seed = thiReadU64(from);
    thResult code = readNumbers(from, run->sourceCount, arena, &saved->created);
    if (code == th_resultOk)
        code = readNumbers(from, run->scene->doorCount, arena, &saved->doors);
    if (code == th_resultOk)
        code = readNumbers(from, 3 * run->closingCount, arena, &saved->closings);
    if (code == th_resultOk)
        code = readDelays(from, &saved->delays);
    if (code == th_resultOk)
        code = readGoals(from, &saved->ownGoals);
    if (code == th_resultNoMemory)
        return code;
    const uint64_t expected = thiHashBytes(0, from->data, from->at);
    return code == th_resultOk && thiReadU64(from) == expected && !from->failed
               ? th_resultOk
               : failDamaged(error);
}

// Numbers that no run could have saved are refused, whatever the checksum says.
static bool isPossible(const thRun* run, const Saved* saved)
{
    const uint64_t most =
        (TH_FIRST_OWN_KEY - TH_FIRST_SOURCE_KEY) / (uint64_t)TH_MAX(run->sourceCount, 1);
    for (int32_t i = 0; i < run->sourceCount; ++i) {
        const int64_t total = run->sources[i].total;
        if (saved->created[i] > (total >= 0 ? (uint64_t)total : most))
            return false;
    }
    const thRunDelay* delays = TH_ITEMS(saved->delays, thRunDelay);
    for (int32_t i = 1; i < saved->delays.count; ++i) {
        const thRunDelay parent = delays[(i - 1) / 2];
        if (delays[i].step < parent.step ||
            (delays[i].step == parent.step && delays[i].key < parent.key))
            return false;
    }
    return true;
}

static thResult restore(thRun* run, thReader* from, thArena* arena, thError* error)
{
    Saved saved = {.delays = thiArray(&run->memory, sizeof(thRunDelay)),
                   .ownGoals = thiArray(&run->memory, sizeof(thGoalId))};
    thResult code = readState(run, from, arena, &saved, error);
    if (code == th_resultOk && !isPossible(run, &saved))
        code = failDamaged(error);
    if (code == th_resultOk)
        code = thWorld_Restore(run->world, from->data + from->at, from->size - from->at, error);
    if (code != th_resultOk) {
        thiArrayFree(&saved.delays);
        thiArrayFree(&saved.ownGoals);
        return code;
    }
    run->seed = saved.seed;
    for (int32_t i = 0; i < run->sourceCount; ++i)
        run->sources[i].created = (int64_t)saved.created[i];
    for (int32_t i = 0; i < run->scene->doorCount; ++i)
        run->doors[i].value = saved.doors[i];
    for (int32_t i = 0; i < run->closingCount; ++i) {
        run->closings[i].shut = saved.closings[3 * i];
        run->closings[i].late = saved.closings[3 * i + 1];
        run->closings[i].pushed = saved.closings[3 * i + 2];
    }
    thiArrayFree(&run->delays);
    thiArrayFree(&run->ownGoals);
    run->delays = saved.delays;
    run->ownGoals = saved.ownGoals;
    return th_resultOk;
}

thResult thRun_Restore(thRun* run, const void* data, size_t size, thError* error)
{
    TH_REQUIRE(run != NULL && data != NULL, th_resultBadArgument);
    thReader from = {.data = data, .size = size};
    TH_TRY(openHeader(&from, error));
    thArena arena;
    thiArenaInit(&arena, &run->memory);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = restore(run, &from, &arena, error);
    thiFpRestore(hostEnvironment);
    thiArenaFree(&arena);
    if (code == th_resultNoMemory)
        return thiFail(error, code, "no memory for the saved run");
    return code;
}
