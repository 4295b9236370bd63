// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Logs of runs: the same bytes with any number of threads, and when a run was killed and went on.

#include "record/record_gear.h"

#include <stdlib.h>

enum { stepCount = 160, mostKnown = 2000 };

// A run with its recorder and its log.
typedef struct Session {
    Stage stage;
    thRecorder* recorder;
    thLogWriter* writer;
    LogFile file;
    int32_t every; // steps from frame to frame
    int32_t step;
} Session;

static Session openScene(const char* scene, int32_t workerCount, int32_t every)
{
    thRunDef def = thDefaultRunDef();
    def.world.workerCount = workerCount;
    Session session = {.stage = mustOpen(scene, &def), .every = every};
    const thRecorderDef recorderDef = thDefaultRecorderDef();
    assert_ok(thCreateRecorder(&recorderDef, session.stage.run, &session.recorder));
    return session;
}

static Session openSession(int32_t workerCount, int32_t every)
{
    return openScene(busyScene, workerCount, every);
}

static void closeSession(Session* session)
{
    thDestroyLogWriter(session->writer);
    thDestroyRecorder(session->recorder);
    closeStage(&session->stage);
    freeFile(&session->file);
}

static void takeFrame(Session* session)
{
    thRecording recording;
    if (session->step % session->every != 0)
        return;
    assert_ok(thRecorder_Take(session->recorder, session->step / session->every, &recording));
    assert_ok(thLogWriter_Add(session->writer, &recording));
}

static void begin(Session* session)
{
    const thRecordHead head = headOfRun(&session->stage);
    session->writer = createWriter(&session->file, &head);
    takeFrame(session);
}

static void runUntil(Session* session, int32_t step)
{
    while (session->step < step) {
        stepTimes(&session->stage, 1);
        session->step += 1;
        takeFrame(session);
    }
}

static void assertSameLog(const Session* a, const Session* b)
{
    assert_int_equal(a->file.size, b->file.size);
    assert_memory_equal(a->file.data, b->file.data, a->file.size);
}

// Something of everything is in the log.
static void assertBusy(Session* session)
{
    thLogReader* reader = createReader(&session->file);
    thRecording recording;
    uint32_t lastId = 0;
    int32_t mostThere = 0, gaps = 0;
    while (thLogReader_Next(reader, &recording) == th_logFrame) {
        const thRecordedFrame* frame = &recording.frame;
        mostThere = frame->count > mostThere ? frame->count : mostThere;
        if (frame->count > 0) {
            lastId = frame->id[frame->count - 1];
            gaps += lastId != (uint32_t)frame->count;
        }
    }
    assert_true(lastId > 80 && mostThere > 40 && gaps > 10);
    thDestroyLogReader(reader);
}

static void testThreads(void** state)
{
    (void)state;
    Session one = openSession(1, 1);
    begin(&one);
    runUntil(&one, stepCount);
    assertBusy(&one);
    for (int32_t workers = 2; workers <= 4; workers += 2) {
        Session several = openSession(workers, 1);
        begin(&several);
        runUntil(&several, stepCount);
        assertSameLog(&one, &several);
        closeSession(&several);
    }
    closeSession(&one);
}

// Large enough for several workers to have something to do.
static void testManyThreads(void** state)
{
    (void)state;
    const char* scene =
        "\"goals\": {\"a\": {\"point\": [0, 0]}, \"b\": {\"point\": [45, 45]}}, \"profiles\": "
        "{\"p\": {\"avoid\": \"none\"}}, \"agents\": [{\"in\": {\"box\": [[0, 0], [90, 90]]}, "
        "\"count\": 6000, \"goal\": {\"nearest\": [\"a\", \"b\"]}, \"arrive\": \"leave\"}]";
    Session one = openScene(scene, 1, 1), four = openScene(scene, 4, 1);
    begin(&one);
    begin(&four);
    runUntil(&one, 20);
    runUntil(&four, 20);
    assertSameLog(&one, &four);
    closeSession(&one);
    closeSession(&four);
}

// Everybody a log tells of, and the reader after the last frame that is kept.
typedef struct Past {
    thRecordedPerson people[mostKnown];
    int32_t count;
    thLogReader* reader;
} Past;

static void readPast(LogFile* file, int64_t lastFrame, Past* past)
{
    past->reader = createReader(file);
    past->count = 0;
    for (int64_t number = 0; number <= lastFrame; ++number) {
        thRecording recording;
        assert_int_equal(thLogReader_Next(past->reader, &recording), th_logFrame);
        assert_true(recording.frame.number == number);
        for (int32_t i = 0; i < recording.personCount; ++i) {
            const thRecordedPerson* person = &recording.people[i];
            past->people[person->id - 1] = *person;
            past->count = (int32_t)person->id > past->count ? (int32_t)person->id : past->count;
        }
    }
}

// A run that was saved at a step and killed later, in the middle of a write.
static void killAndGoOn(const Session* whole, int32_t savedAt, int32_t killedAt, size_t lost)
{
    Session first = openSession(1, whole->every);
    begin(&first);
    runUntil(&first, savedAt);
    size_t size;
    assert_ok(thRun_Save(first.stage.run, NULL, 0, &size));
    void* saved = malloc(size);
    assert_non_null(saved);
    assert_ok(thRun_Save(first.stage.run, saved, size, &size));
    const size_t sizeThen = first.file.size;
    runUntil(&first, killedAt);
    first.file.size -= lost < first.file.size - sizeThen ? lost : first.file.size - sizeThen;

    static Past past;
    readPast(&first.file, savedAt / first.every, &past);
    Session second = openSession(2, whole->every);
    assert_ok(thRun_Restore(second.stage.run, saved, size, NULL));
    assert_ok(thRecorder_Know(second.recorder, past.people, past.count));
    second.file = first.file;
    first.file = (LogFile){0};
    second.writer = createWriterAfter(&second.file, past.reader);
    thDestroyLogReader(past.reader);
    second.step = savedAt;
    runUntil(&second, stepCount);
    assertSameLog(whole, &second);
    free(saved);
    closeSession(&first);
    closeSession(&second);
}

static void testGoesOn(void** state)
{
    (void)state;
    for (int32_t every = 1; every <= 7; every += 3) {
        Session whole = openSession(1, every);
        begin(&whole);
        runUntil(&whole, stepCount);
        thGenerator g = makeGenerator(9, (uint64_t)every);
        for (int32_t i = 0; i < 12; ++i) {
            const int32_t savedAt = i == 0 ? 0 : drawInt(&g, 1, stepCount - 1);
            killAndGoOn(&whole, savedAt, drawInt(&g, savedAt, stepCount),
                        (size_t)drawInt(&g, 0, 2000));
        }
        closeSession(&whole);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testThreads),
        cmocka_unit_test(testManyThreads),
        cmocka_unit_test(testGoesOn),
    };
    return RUN_TESTS(tests, argc, argv);
}
