// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes are a snapshot. What a random input would rarely have, magic, version, size and checksum,
// is put right first, so that all of the reading behind is reached. A refused snapshot must change
// nothing, an accepted one must come out again byte for byte and be able to go on.

#include "base/hash.h"
#include "fuzz/fuzz.h"
#include "sim/sim_gear.h"
#include "sim/snapshot/snapshot.h"

#include <string.h>

#define HEADER_SIZE 20
#define CHECKSUM_SIZE 8

static void writeLittle(uint8_t* to, uint64_t value, int32_t size)
{
    for (int32_t i = 0; i < size; ++i)
        to[i] = (uint8_t)(value >> (8 * i));
}

static void putRight(uint8_t* data, size_t size)
{
    memcpy(data, "throng\x1a\n", 8);
    writeLittle(data + 8, TH_SNAPSHOT_VERSION, 4);
    writeLittle(data + 12, size, 8);
    writeLittle(data + size - CHECKSUM_SIZE, thiHashBytes(0, data, size - CHECKSUM_SIZE), 8);
}

static void checkSame(const thWorld* world, const uint8_t* data, size_t size)
{
    size_t savedSize = 0;
    FUZZ_CHECK(thWorld_Save(world, NULL, 0, &savedSize) == th_resultOk);
    FUZZ_CHECK(savedSize == size);
    uint8_t* saved = malloc(savedSize);
    FUZZ_CHECK(saved != NULL);
    FUZZ_CHECK(thWorld_Save(world, saved, savedSize, &savedSize) == th_resultOk);
    FUZZ_CHECK(memcmp(saved, data, size) == 0);
    free(saved);
}

int LLVMFuzzerTestOneInput(const uint8_t* input, size_t inputSize)
{
    if (inputSize < HEADER_SIZE + CHECKSUM_SIZE)
        return 0;
    uint8_t* data = malloc(inputSize);
    FUZZ_CHECK(data != NULL);
    memcpy(data, input, inputSize);
    putRight(data, inputSize);
    thWorldDef def = thDefaultWorldDef();
    def.maxBytes = 256u << 20;
    thWorld* world = NULL;
    FUZZ_CHECK(thCreateWorld(&def, &world) == th_resultOk);
    FUZZ_CHECK(thWorld_AddMethod(world, th_methodPlan, &circleMethod) == th_resultOk);
    thError error = {0};
    const thResult code = thWorld_Restore(world, data, inputSize, &error);
    FUZZ_CHECK(error.code == code);
    if (code == th_resultOk) {
        checkSame(world, data, inputSize);
        for (int32_t i = 0; i < 2; ++i)
            FUZZ_CHECK(thWorld_Step(world, 0.1f) == th_resultOk);
    } else {
        FUZZ_CHECK(error.text[0] != '\0');
        FUZZ_CHECK(thWorld_GetCounters(world).agents == 0);
    }
    thDestroyWorld(world);
    free(data);
    return 0;
}
