// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "sim/snapshot/snapshot.h"

#include "base/fp_environment.h"
#include "base/hash.h"

#include <string.h>

// The last two bytes show when something has treated the file as text.
static const uint8_t magic[8] = {'t', 'h', 'r', 'o', 'n', 'g', 0x1a, '\n'};

#define HEADER_SIZE (sizeof magic + sizeof(uint32_t) + sizeof(uint64_t))
#define CHECKSUM_SIZE sizeof(uint64_t)

static void saveHeader(thWriter* to, uint64_t size)
{
    thiWriteBytes(to, magic, sizeof magic);
    thiWriteU32(to, TH_SNAPSHOT_VERSION);
    thiWriteU64(to, size);
}

thResult thWorld_Save(const thWorld* world, void* buffer, size_t capacity, size_t* size)
{
    TH_REQUIRE(world != NULL && !world->stepping && size != NULL, th_resultBadArgument);
    thWriter writer = {.data = buffer, .capacity = capacity};
    saveHeader(&writer, 0);
    TH_TRY(thiSaveContent(world, &writer));
    *size = writer.size + CHECKSUM_SIZE;
    if (buffer == NULL)
        return th_resultOk;
    if (*size > capacity)
        return th_resultFull;
    thWriter header = {.data = buffer, .capacity = capacity};
    saveHeader(&header, *size);
    thiWriteU64(&writer, thiHashBytes(0, buffer, writer.size));
    return th_resultOk;
}

// Checks what surrounds the content, and leaves the reader in front of it.
static thResult openSnapshot(const void* data, size_t size, thReader* from, thError* error)
{
    *from = (thReader){.data = data, .size = size};
    uint8_t start[sizeof magic];
    thiReadBytes(from, start, sizeof start);
    if (memcmp(start, magic, sizeof magic) != 0)
        return thiFail(error, th_resultSyntax, "this is no snapshot of a world");
    const uint32_t version = thiReadU32(from);
    if (!from->failed && version != TH_SNAPSHOT_VERSION)
        return thiFail(error, th_resultVersion, "the snapshot has format %u, this library reads %u",
                       (unsigned)version, TH_SNAPSHOT_VERSION);
    const uint64_t savedSize = thiReadU64(from);
    if (from->failed || savedSize != size || size < HEADER_SIZE + CHECKSUM_SIZE)
        return thiFail(error, th_resultDamaged, "the snapshot has %zu bytes, %llu were written",
                       size, (unsigned long long)savedSize);
    thReader end = {.data = data, .size = size, .at = size - CHECKSUM_SIZE};
    if (thiReadU64(&end) != thiHashBytes(0, data, size - CHECKSUM_SIZE))
        return thiFail(error, th_resultDamaged, "the snapshot's checksum does not hold");
    from->size -= CHECKSUM_SIZE;
    return th_resultOk;
}

// The content is the last part of the struct.
static void swapContent(thWorld* a, thWorld* b)
{
    enum { start = offsetof(thWorld, seed), size = sizeof(thWorld) - start };
    char held[size];
    memcpy(held, (char*)a + start, size);
    memcpy((char*)a + start, (char*)b + start, size);
    memcpy((char*)b + start, held, size);
}

// A world beside the other one: with the same methods, workers and account, and an empty content.
static thResult openBeside(thWorld* world, thWorld* beside)
{
    beside->account = &world->memory;
    beside->simd = world->simd;
    beside->workers = world->workers;
    beside->tasks = world->tasks;
    memcpy(beside->methods, world->methods, sizeof beside->methods);
    thiUnlock(&beside->commandMutex);
    thiUnlock(&beside->wallMutex);
    return thiInitContent(beside);
}

static thResult restore(thWorld* world, thReader* from, thError* error)
{
    thWorld* beside = thiAllocateZero(&world->memory, sizeof *beside);
    if (beside == NULL)
        return th_resultNoMemory;
    thResult code = openBeside(world, beside);
    if (code == th_resultOk) {
        code = thiLoadContent(beside, from, error);
        if (code == th_resultOk) {
            thiLock(&world->commandMutex); // others may queue at any time
            swapContent(world, beside);
            thiUnlock(&world->commandMutex);
        }
        thiFreeContent(beside);
    }
    thiRelease(&world->memory, beside, sizeof *beside);
    return code;
}

thResult thWorld_Restore(thWorld* world, const void* data, size_t size, thError* error)
{
    TH_REQUIRE(world != NULL && !world->stepping && data != NULL, th_resultBadArgument);
    thError unheard;
    thError* told = error != NULL ? error : &unheard; // methods always get one
    thReader from;
    TH_TRY(openSnapshot(data, size, &from, told));
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = restore(world, &from, told);
    thiFpRestore(hostEnvironment);
    if (code == th_resultNoMemory)
        return thiFail(told, code, "no memory for the snapshot's content");
    return code;
}
