// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A recorder's life.

#include "base/fp_environment.h"
#include "record/recorder_internal.h"
#include "sim/ranges.h"

thRecorderDef thDefaultRecorderDef(void)
{
    return (thRecorderDef){.size = sizeof(thRecorderDef), .allocator = thDefaultAllocator()};
}

static void setUp(thRecorder* recorder)
{
    thMemory* memory = &recorder->memory;
    thiInitRecorderShapes(&recorder->shapes, memory);
    recorder->seats = thiArray(memory, sizeof(thSeat));
    recorder->sums = thiArray(memory, sizeof(thSeatSums));
    recorder->present = thiArray(memory, sizeof(thSeated));
    recorder->newcomers = thiArray(memory, sizeof(thSeated));
    recorder->known = thiArray(memory, sizeof(thRecordedPerson));
    recorder->idOfKey = thiKeyMap(memory);
    recorder->id = thiArray(memory, sizeof(uint32_t));
    recorder->x = thiArray(memory, sizeof(double));
    recorder->y = thiArray(memory, sizeof(double));
    recorder->heading = thiArray(memory, sizeof(float));
    recorder->people = thiArray(memory, sizeof(thRecordedPerson));
}

static bool isArea(thPlace low, thPlace high)
{
    return thiIsFiniteDouble(low.x) && thiIsFiniteDouble(low.y) && thiIsFiniteDouble(high.x) &&
           thiIsFiniteDouble(high.y) && low.x <= high.x && low.y <= high.y;
}

thResult thCreateRecorder(const thRecorderDef* given, const thRun* run, thRecorder** result)
{
    TH_REQUIRE(result != NULL, th_resultBadArgument);
    *result = NULL;
    thRecorderDef def = thDefaultRecorderDef();
    TH_REQUIRE(run != NULL && thiReadDef(&def, given, sizeof def, sizeof def),
               th_resultBadArgument);
    TH_REQUIRE(def.hasArea == 0 || (def.hasArea == 1 && isArea(def.low, def.high)),
               th_resultBadArgument);
    TH_REQUIRE((def.allocator.allocate == NULL) == (def.allocator.release == NULL),
               th_resultBadArgument);
    // The struct itself is not in the account, which is part of it.
    thMemory outside;
    thiMemoryInit(&outside, &def.allocator, 0);
    thRecorder* recorder = thiAllocateZero(&outside, sizeof *recorder);
    if (recorder == NULL)
        return th_resultNoMemory;
    thiMemoryInit(&recorder->memory, &def.allocator, 0);
    recorder->run = run;
    recorder->world = thRun_GetWorld(run);
    recorder->hasArea = def.hasArea == 1;
    recorder->low = def.low;
    recorder->high = def.high;
    setUp(recorder);
    if (thiArrayAdd(&recorder->sums, thTasks_GetWorkerCount(recorder->world->tasks)) == NULL) {
        thDestroyRecorder(recorder);
        return th_resultNoMemory;
    }
    *result = recorder;
    return th_resultOk;
}

void thDestroyRecorder(thRecorder* recorder)
{
    if (recorder == NULL)
        return;
    thiFreeRecorderShapes(&recorder->shapes);
    thiKeyMapFree(&recorder->idOfKey);
    thArray* arrays[] = {&recorder->seats,  &recorder->sums,   &recorder->present,
                         &recorder->known,  &recorder->people, &recorder->newcomers,
                         &recorder->id,     &recorder->x,      &recorder->y,
                         &recorder->heading};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        thiArrayFree(arrays[i]);
    TH_ASSERT(atomic_load(&recorder->memory.bytes) == 0);
    thMemory outside;
    thiMemoryInit(&outside, &recorder->memory.allocator, 0);
    thiRelease(&outside, recorder, sizeof *recorder);
}

thResult thRecorder_Know(thRecorder* recorder, const thRecordedPerson* people, int32_t count)
{
    TH_REQUIRE(recorder != NULL && (people != NULL || count == 0), th_resultBadArgument);
    TH_REQUIRE(count >= 0 && recorder->takes == 0 && recorder->known.count == 0,
               th_resultBadArgument);
    TH_TRY(thiArrayReserve(&recorder->known, count));
    TH_TRY(thiKeyMapReserve(&recorder->idOfKey, count, thiKeyOfKnown, recorder));
    for (int32_t i = 0; i < count; ++i) {
        const uint64_t key = people[i].key;
        if (people[i].id != (uint32_t)i + 1 ||
            thiKeyMapFind(&recorder->idOfKey, key, thiKeyOfKnown, recorder) >= 0) {
            thiKeyMapFree(&recorder->idOfKey);
            recorder->known.count = 0;
            return th_resultBadArgument;
        }
        *(thRecordedPerson*)thiArrayAdd(&recorder->known, 1) = people[i];
        thiKeyMapAdd(&recorder->idOfKey, key, i);
    }
    return th_resultOk;
}

static thRecording show(thRecorder* recorder, int64_t number)
{
    thRecording recording = {.frame = {.number = number,
                                       .count = recorder->id.count,
                                       .id = TH_ITEMS(recorder->id, uint32_t),
                                       .x = TH_ITEMS(recorder->x, double),
                                       .y = TH_ITEMS(recorder->y, double),
                                       .heading = TH_ITEMS(recorder->heading, float)},
                             .people = TH_ITEMS(recorder->people, thRecordedPerson),
                             .personCount = recorder->people.count};
    if (recorder->shapes.isNews) {
        recording.shapes = TH_ITEMS(recorder->shapes.shapes, thRecordedShape);
        recording.shapeCount = recorder->shapes.shapes.count;
    }
    recorder->shapes.isNews = false;
    recorder->number = number;
    recorder->hasFrames = true;
    return recording;
}

// All that may fail.
static thResult prepare(thRecorder* recorder)
{
    TH_TRY(thiUpdateRecorderShapes(&recorder->shapes, recorder->world));
    TH_TRY(thiSeatAgents(recorder));
    return thiSeatNewcomers(recorder);
}

thResult thRecorder_Take(thRecorder* recorder, int64_t number, thRecording* recording)
{
    TH_REQUIRE(recorder != NULL && recording != NULL, th_resultBadArgument);
    TH_REQUIRE(!recorder->world->stepping, th_resultBadArgument);
    TH_REQUIRE(!recorder->hasFrames || number > recorder->number, th_resultBadArgument);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = prepare(recorder);
    if (code == th_resultOk) {
        thiShowSeats(recorder);
        *recording = show(recorder, number);
    }
    thiFpRestore(hostEnvironment);
    return code;
}
