// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes are a scene file. Whatever they are, reading ends with a scene or with errors that name
// their places in order; a scene is written, read again and written the same, and a small one is
// built and run for two steps. The first byte says how much memory there is.

#include "fuzz/fuzz.h"
#include "gear/allocators.h"
#include "throng/scene.h"

#include <stdbool.h>
#include <string.h>

typedef struct Heard {
    int32_t count, line, column;
    bool isOrdered;
} Heard;

static void hear(void* context, const thError* error)
{
    Heard* heard = context;
    FUZZ_CHECK(error->code != th_resultOk && error->text[0] != '\0');
    FUZZ_CHECK(error->line >= 0 && error->column >= 0);
    const bool isLater =
        error->line > heard->line || (error->line == heard->line && error->column >= heard->column);
    heard->isOrdered = heard->isOrdered && (heard->count == 0 || error->line == 0 || isLater);
    heard->line = error->line;
    heard->column = error->column;
    heard->count += 1;
}

static thScene* load(const char* text, size_t size, const thAllocator* allocator, uint64_t limit)
{
    Heard heard = {.isOrdered = true};
    thSceneDef def = thDefaultSceneDef();
    def.text = text;
    def.textSize = size;
    def.report = hear;
    def.reportContext = &heard;
    def.allocator = *allocator;
    def.maxBytes = limit;
    thScene* scene = NULL;
    const thResult result = thLoadScene(&def, &scene);
    FUZZ_CHECK((result == th_resultOk) == (scene != NULL));
    FUZZ_CHECK((result == th_resultOk) == (heard.count == 0));
    FUZZ_CHECK(heard.isOrdered);
    return scene;
}

static char* writeText(const thScene* scene, size_t* size)
{
    FUZZ_CHECK(thScene_Write(scene, NULL, 0, size) == th_resultOk);
    char* text = malloc(*size + 1);
    FUZZ_CHECK(text != NULL);
    FUZZ_CHECK(thScene_Write(scene, text, *size + 1, size) == th_resultOk);
    return text;
}

static void checkRoundTrip(const thScene* scene, const thAllocator* allocator)
{
    size_t size, sizeAgain;
    char* text = writeText(scene, &size);
    thScene* again = load(text, size, allocator, 0);
    FUZZ_CHECK(again != NULL);
    char* textAgain = writeText(again, &sizeAgain);
    FUZZ_CHECK(size == sizeAgain && memcmp(text, textAgain, size) == 0);
    thDestroyScene(again);
    free(text);
    free(textAgain);
}

// Agents may stand in walls and regions may be too small; then there are errors and no run.
static void checkRun(const thScene* scene, const thAllocator* allocator)
{
    Heard heard = {.isOrdered = true};
    thRunDef def = thDefaultRunDef();
    def.world.allocator = *allocator;
    def.world.maxBytes = 64 << 20;
    def.report = hear;
    def.reportContext = &heard;
    thRun* run = NULL;
    const thResult result = thCreateRun(scene, &def, &run);
    FUZZ_CHECK((result == th_resultOk) == (run != NULL));
    for (int32_t i = 0; i < 2 && run != NULL; ++i) {
        const thResult stepped = thRun_Step(run);
        FUZZ_CHECK(stepped == th_resultOk || stepped == th_resultNoMemory);
        (void)thRun_IsOver(run);
    }
    thDestroyRun(run);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 1)
        return 0;
    thTestAllocator test;
    testAllocatorInit(&test);
    const thAllocator allocator = testAllocator(&test);
    // A letter or a bracket, as texts begin, is plenty.
    const uint64_t limit = data[0] < ' ' ? (uint64_t)data[0] * 2048 : 0;
    thScene* scene = load((const char*)data, size, &allocator, limit);
    if (scene != NULL) {
        checkRoundTrip(scene, &allocator);
        if (thScene_GetInfo(scene).agents <= 200)
            checkRun(scene, &allocator);
    }
    thDestroyScene(scene);
    FUZZ_CHECK(testAllocatorProblem(&test) == NULL);
    testAllocatorFree(&test);
    return 0;
}
