// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Memory: what happens when there is none, and that frames need no more once they have had some.
// The last test prints how long frames of a large crowd take.

#include "base/machine.h"
#include "gear/allocators.h"
#include "record/record_gear.h"

#include <stdlib.h>

enum { stepCount = 30, mostKnown = 2000 };

// Records a run, goes on with its log, and reads all of it. What failed is tried once more if
// `patient`; then the log must be as if nothing had failed.
typedef struct Recording {
    bool patient;
    LogFile file;
    thRecordedPerson people[mostKnown];
    int32_t count;
} Recording;

// Tries a call again where that is wanted.
#define TRY_TWICE(self, result, call)                                                              \
    do {                                                                                           \
        (result) = (call);                                                                         \
        if ((result) == th_resultNoMemory && (self)->patient)                                      \
            (result) = (call);                                                                     \
    } while (0)

static thResult recordPart(Recording* self, const Stage* stage, const thLogReader* after,
                           const thAllocator* allocator, int32_t begin, int32_t end)
{
    thRecorderDef recorderDef = thDefaultRecorderDef();
    recorderDef.allocator = *allocator;
    thLogWriterDef writerDef = thDefaultLogWriterDef();
    writerDef.allocator = *allocator;
    writerDef.head = headOfRun(stage);
    writerDef.after = after;
    writerDef.write = writeToFile;
    writerDef.writeContext = &self->file;
    thRecorder* recorder = NULL;
    thLogWriter* writer = NULL;
    thResult code;
    TRY_TWICE(self, code, thCreateRecorder(&recorderDef, stage->run, &recorder));
    if (code == th_resultOk)
        TRY_TWICE(self, code, thRecorder_Know(recorder, self->people, self->count));
    if (code == th_resultOk)
        TRY_TWICE(self, code, thCreateLogWriter(&writerDef, &writer));
    for (int32_t step = begin; step < end && code == th_resultOk; ++step) {
        thRecording recording;
        TRY_TWICE(self, code, thRecorder_Take(recorder, step, &recording));
        if (code == th_resultOk)
            TRY_TWICE(self, code, thLogWriter_Add(writer, &recording));
        if (code == th_resultOk)
            stepTimes(stage, 1);
    }
    thDestroyLogWriter(writer);
    thDestroyRecorder(recorder);
    return code;
}

static thResult readAll(Recording* self, const thAllocator* allocator, thLogReader** reader,
                        int32_t* frames)
{
    thLogReaderDef def = thDefaultLogReaderDef();
    def.allocator = *allocator;
    def.read = readFromFile;
    def.readContext = &self->file;
    thResult code;
    TRY_TWICE(self, code, thCreateLogReader(&def, reader, NULL));
    thLogNext next = th_logFrame;
    for (*frames = 0; code == th_resultOk && next == th_logFrame; *frames += next == th_logFrame) {
        thRecording recording;
        next = thLogReader_Next(*reader, &recording);
        if (next == th_logFailed && self->patient)
            next = thLogReader_Next(*reader, &recording);
        for (int32_t i = 0; i < recording.personCount; ++i) {
            self->people[recording.people[i].id - 1] = recording.people[i];
            if ((int32_t)recording.people[i].id > self->count)
                self->count = (int32_t)recording.people[i].id;
        }
    }
    assert_true(code != th_resultOk || next == th_logEnd || next == th_logFailed);
    return next == th_logFailed ? th_resultNoMemory : code;
}

static thResult recordAll(const thAllocator* allocator, Recording* self)
{
    Stage stage = mustOpen(busyScene, NULL);
    thLogReader* reader = NULL;
    int32_t frames = 0;
    thResult code = recordPart(self, &stage, NULL, allocator, 0, stepCount / 2);
    if (code == th_resultOk)
        code = readAll(self, allocator, &reader, &frames);
    if (code == th_resultOk) {
        assert_int_equal(frames, stepCount / 2);
        code = recordPart(self, &stage, reader, allocator, stepCount / 2, stepCount);
    }
    thDestroyLogReader(reader);
    reader = NULL;
    if (code == th_resultOk)
        code = readAll(self, allocator, &reader, &frames);
    assert_true(code != th_resultOk || frames == stepCount);
    thDestroyLogReader(reader);
    closeStage(&stage);
    return code;
}

static thResult recordOnce(const thAllocator* allocator, void* context)
{
    (void)context;
    static Recording self;
    self = (Recording){0};
    const thResult code = recordAll(allocator, &self);
    freeFile(&self.file);
    return code;
}

static void testFailEach(void** state)
{
    (void)state;
    assert_in_range(failEachAllocation(recordOnce, NULL), 50, 1000);
}

// A call that failed has changed nothing: made again it leads to the same log.
static void testFailedChangesNothing(void** state)
{
    (void)state;
    static Recording calm, self;
    const thAllocator plain = thDefaultAllocator();
    assert_ok(recordAll(&plain, &calm));
    for (int64_t failAt = 1;; ++failAt) {
        thTestAllocator test;
        testAllocatorInit(&test);
        test.failAt = failAt;
        const thAllocator allocator = testAllocator(&test);
        self = (Recording){.patient = true};
        assert_ok(recordAll(&allocator, &self));
        assert_int_equal(self.file.size, calm.file.size);
        assert_memory_equal(self.file.data, calm.file.data, calm.file.size);
        freeFile(&self.file);
        const bool failed = test.failures > 0;
        testAllocatorFinish(&test);
        if (!failed)
            break;
    }
    freeFile(&calm.file);
}

static thResult dropBytes(void* context, const void* data, size_t size)
{
    *(uint64_t*)context += ((const uint8_t*)data)[size - 1] + size;
    return th_resultOk;
}

// A crowd that stands anywhere, with something that moves; warm frames allocate nothing, neither of
// ours nor of the world's.
static void testWarm(void** state)
{
    (void)state;
    enum { rounds = 10 };
    thTestAllocator test;
    testAllocatorInit(&test);
    thRunDef def = thDefaultRunDef();
    def.world.allocator = testAllocator(&test);
    Stage stage = mustOpen(
        "\"movers\": [{\"disc\": 0.5, \"at\": [0, 0], \"velocity\": [1, 0]}], \"goals\": {\"a\": "
        "{\"point\": [0, 0]}, \"b\": {\"point\": [400, 0]}}, \"profiles\": {\"p\": {\"avoid\": "
        "\"none\"}}, \"agents\": [{\"in\": {\"box\": [[2, 2], [400, 400]]}, \"count\": 100000, "
        "\"goal\": {\"list\": [\"a\", \"b\"]}}]",
        &def);
    thRecorderDef recorderDef = thDefaultRecorderDef();
    recorderDef.allocator = testAllocator(&test);
    thRecorder* recorder;
    assert_ok(thCreateRecorder(&recorderDef, stage.run, &recorder));
    uint64_t taken = 0;
    thLogWriterDef writerDef = thDefaultLogWriterDef();
    writerDef.allocator = testAllocator(&test);
    writerDef.write = dropBytes;
    writerDef.writeContext = &taken;
    thLogWriter* writer;
    assert_ok(thCreateLogWriter(&writerDef, &writer));
    int64_t takeTime = INT64_MAX, addTime = INT64_MAX;
    for (int32_t step = 0; step < rounds; ++step) {
        if (step > 0)
            stepTimes(&stage, 1);
        const int64_t calls = test.calls, start = thiNow();
        thRecording recording;
        assert_ok(thRecorder_Take(recorder, step, &recording));
        const int64_t middle = thiNow();
        assert_ok(thLogWriter_Add(writer, &recording));
        const int64_t end = thiNow();
        assert_int_equal(recording.frame.count, 100000);
        assert_true(step < 2 || (test.calls == calls && recording.personCount == 0));
        takeTime = middle - start < takeTime ? middle - start : takeTime;
        addTime = end - middle < addTime ? end - middle : addTime;
    }
    print_message("100000 people: take %.2f ms, add %.2f ms a frame\n", (double)takeTime * 1e-6,
                  (double)addTime * 1e-6);
    thDestroyLogWriter(writer);
    thDestroyRecorder(recorder);
    closeStage(&stage);
    testAllocatorFinish(&test);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testFailEach),
        cmocka_unit_test(testFailedChangesNothing),
        cmocka_unit_test(testWarm),
    };
    return RUN_TESTS(tests, argc, argv);
}
