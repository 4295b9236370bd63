// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is written to a log is read from it, and what could not be read is not written.

#include "record/record_gear.h"

#include "sim/sim_gear.h"

#include <stdlib.h>

enum { frameCount = 12 };

// What a reader shows of shapes: only those that are not as they were.
static void dropSameShapes(Sample* sample, Sample* before)
{
    thRecording *now = &sample->recording, *last = &before->recording;
    if (now->shapes == NULL)
        return;
    bool same = now->shapeCount == last->shapeCount;
    for (int32_t i = 0; i < now->shapeCount && same; ++i) {
        const thRecordedShape *a = &now->shapes[i], *b = &last->shapes[i];
        same = a->kind == b->kind && a->level == b->level && a->radius == b->radius &&
               a->pointCount == b->pointCount &&
               memcmp(a->points, b->points, (size_t)a->pointCount * sizeof *a->points) == 0;
    }
    copySample(&sample->recording, before);
    if (same) {
        now->shapes = NULL;
        now->shapeCount = 0;
    }
}

static thPlace drawOrigin(thGenerator* g)
{
    const thPlace origins[] = {{0.0, 0.0}, {BUSY_X, BUSY_Y}, {-123456.789, 1e9}};
    return origins[drawInt(g, 0, 2)];
}

static bool roundTrips(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static Sample samples[frameCount], before;
    before = (Sample){0};
    LogFile file = {.piece = drawInt(g, 0, 1) == 0 ? 0 : (size_t)drawInt(g, 1, 100)};
    const thRecordHead head = {.rate = 1.0 + (double)drawUnit(g),
                               .origin = drawOrigin(g),
                               .title = drawInt(g, 0, 1) == 0 ? NULL : "Überall",
                               .scene = drawInt(g, 0, 1) == 0 ? NULL : "{\"throng\": 1}"};
    thLogWriter* writer = createWriter(&file, &head);
    int64_t number = drawInt(g, -5, 5);
    for (int32_t i = 0; i < frameCount; ++i, number += drawInt(g, 1, 3)) {
        drawSample(g, size, head.origin, number, &samples[i]);
        assert_ok(thLogWriter_Add(writer, &samples[i].recording));
        assert_int_equal(file.writes, i + 2); // one for the head, one for each frame
    }
    thDestroyLogWriter(writer);
    thLogReader* reader = createReader(&file);
    const thRecordHead read = thLogReader_GetHead(reader);
    assert_true(read.rate == head.rate && read.origin.x == head.origin.x &&
                read.origin.y == head.origin.y);
    assert_string_equal(read.title, head.title != NULL ? head.title : "");
    assert_int_equal(read.scene == NULL, head.scene == NULL);
    if (read.scene != NULL)
        assert_string_equal(read.scene, head.scene);
    thRecording recording;
    for (int32_t i = 0; i < frameCount; ++i) {
        assert_int_equal(thLogReader_Next(reader, &recording), th_logFrame);
        dropSameShapes(&samples[i], &before);
        assertSameRecording(&recording, &samples[i].recording);
    }
    assert_int_equal(thLogReader_Next(reader, &recording), th_logEnd);
    assert_int_equal(thLogReader_Next(reader, &recording), th_logEnd);
    assert_int_equal(thLogReader_GetOffset(reader), file.size);
    thDestroyLogReader(reader);
    freeFile(&file);
    return true;
}

static void testRoundTrip(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "roundTrips",
                                 .seed = 1,
                                 .caseCount = 300,
                                 .maxSize = mostPeople,
                                 .holds = roundTrips});
}

// A log that goes on after any of its frames becomes the same log.
static bool goesOn(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static Sample samples[frameCount];
    const thRecordHead head = {.rate = 10.0, .origin = drawOrigin(g), .title = "t"};
    LogFile whole = {0}, parts = {0};
    thLogWriter *one = createWriter(&whole, &head), *two = createWriter(&parts, &head);
    const int32_t cut = drawInt(g, 0, frameCount);
    for (int32_t i = 0; i < frameCount; ++i) {
        drawSample(g, size, head.origin, i, &samples[i]);
        assert_ok(thLogWriter_Add(one, &samples[i].recording));
        if (i <= cut) // one more than is kept
            assert_ok(thLogWriter_Add(two, &samples[i].recording));
    }
    thDestroyLogWriter(one);
    thDestroyLogWriter(two);
    thLogReader* reader = createReader(&parts);
    thRecording recording;
    for (int32_t i = 0; i < cut; ++i)
        assert_int_equal(thLogReader_Next(reader, &recording), th_logFrame);
    two = createWriterAfter(&parts, reader);
    thDestroyLogReader(reader);
    if (cut > 0) // the number of the last frame is known
        assert_int_equal(thLogWriter_Add(two, &samples[cut - 1].recording), th_resultBadArgument);
    for (int32_t i = cut; i < frameCount; ++i)
        assert_ok(thLogWriter_Add(two, &samples[i].recording));
    thDestroyLogWriter(two);
    const bool same = whole.size == parts.size && memcmp(whole.data, parts.data, whole.size) == 0;
    freeFile(&whole);
    freeFile(&parts);
    return same;
}

static void testGoesOn(void** state)
{
    (void)state;
    assertProperty(&(thProperty){
        .name = "goesOn", .seed = 2, .caseCount = 300, .maxSize = mostPeople, .holds = goesOn});
}

// A log that grows while it is read.
static void testFollows(void** state)
{
    (void)state;
    LogFile file = {0};
    const thRecordHead head = {.rate = 1.0};
    thLogWriter* writer = createWriter(&file, &head);
    thLogReader* reader = createReader(&file);
    thGenerator g = makeGenerator(3, 0);
    Sample sample;
    thRecording recording;
    for (int32_t i = 0; i < 20; ++i) {
        assert_int_equal(thLogReader_Next(reader, &recording), th_logEnd);
        drawSample(&g, mostPeople, head.origin, i, &sample);
        assert_ok(thLogWriter_Add(writer, &sample.recording));
        const size_t size = file.size;
        file.size -= (size_t)drawInt(&g, 1, 20);
        assert_int_equal(thLogReader_Next(reader, &recording), th_logCut);
        file.size = size;
        file.cannotRead = true;
        assert_int_equal(thLogReader_Next(reader, &recording), th_logFailed);
        file.cannotRead = false;
        assert_int_equal(thLogReader_Next(reader, &recording), th_logFrame);
        assert_true(recording.frame.number == i);
    }
    thDestroyLogReader(reader);
    thDestroyLogWriter(writer);
    freeFile(&file);
}

// Each place of the world comes back as it is, whatever the origin.
static void testEdges(void** state)
{
    (void)state;
    const double edge = THRONG_MAX_COORDINATE, unit = 1.0 / THRONG_UNITS_PER_METRE;
    const thPlace origins[] = {{0.0, 0.0}, {691607.25, 5335760.1}, {-1e9, 1e9}};
    for (size_t k = 0; k < 3; ++k) {
        const thPlace o = origins[k];
        const double x[] = {o.x - edge, o.x - unit, o.x, o.x + unit, o.x + edge};
        const double y[] = {o.y, o.y + edge, o.y - edge, o.y - 0.5 * edge, o.y + 3 * unit};
        const uint32_t id[] = {0, 1, 7, 8, UINT32_MAX};
        const float heading[] = {-3.14159274f, 3.14159274f, 0.0f, -0.0f, 1.5707964f};
        const thRecording written = {
            .frame = {
                .number = INT64_MIN, .count = 5, .id = id, .x = x, .y = y, .heading = heading}};
        const thRecording empty = {.frame = {.number = INT64_MAX}};
        LogFile file = {0};
        const thRecordHead head = {.rate = 25.0, .origin = o};
        thLogWriter* writer = createWriter(&file, &head);
        assert_ok(thLogWriter_Add(writer, &written));
        assert_ok(thLogWriter_Add(writer, &empty));
        assert_int_equal(thLogWriter_Add(writer, &empty), th_resultBadArgument);
        thDestroyLogWriter(writer);
        thLogReader* reader = createReader(&file);
        thRecording read;
        assert_int_equal(thLogReader_Next(reader, &read), th_logFrame);
        assertSameRecording(&read, &written);
        assert_int_equal(thLogReader_Next(reader, &read), th_logFrame);
        assertSameRecording(&read, &empty);
        thDestroyLogReader(reader);
        freeFile(&file);
    }
}

// A log that was put together without the library, as docs/records.md says: it is read, and written
// again it has the same bytes.
static void testForeignHand(void** state)
{
    (void)state;
    LogFile file = {0}, copy = {0};
    size_t size;
    char* bytes = readTreeFile("tests/fuzz/corpus/fuzz_log/whole", &size);
    (void)writeToFile(&file, bytes + 1, size - 1); // the first byte is for the fuzzer
    free(bytes);
    thLogReader* reader = createReader(&file);
    const thRecordHead head = thLogReader_GetHead(reader);
    assert_true(head.rate == 10.0 && head.origin.x == BUSY_X && head.origin.y == BUSY_Y);
    assert_string_equal(head.title, "hall");
    assert_string_equal(head.scene, "{}");
    thLogWriter* writer = createWriter(&copy, &head);
    thRecording recording;
    assert_int_equal(thLogReader_Next(reader, &recording), th_logFrame);
    assert_int_equal(recording.shapeCount, 3);
    assert_int_equal(recording.shapes[1].kind, th_shapeMovingDisc);
    assert_true(recording.shapes[0].points[2].x == 9.0 && recording.shapes[1].radius == 0.5f);
    assert_int_equal(recording.personCount, 2);
    assert_int_equal(recording.people[1].id, 2);
    assert_same_bits(recording.people[1].planned, 10.0f);
    assert_int_equal(recording.people[1].group, -1);
    assert_int_equal(recording.frame.count, 2);
    assert_true(recording.frame.x[1] == BUSY_X - 5.0 / THRONG_UNITS_PER_METRE);
    assert_ok(thLogWriter_Add(writer, &recording));
    assert_int_equal(thLogReader_Next(reader, &recording), th_logFrame);
    assert_ok(thLogWriter_Add(writer, &recording));
    assert_int_equal(thLogReader_Next(reader, &recording), th_logEnd);
    assert_int_equal(copy.size, file.size);
    assert_memory_equal(copy.data, file.data, file.size);
    thDestroyLogWriter(writer);
    thDestroyLogReader(reader);
    freeFile(&file);
    freeFile(&copy);
}

// What is refused is not written, and the log goes on as if it had not been tried.
static void testRefused(void** state)
{
    (void)state;
    static Sample good, bad;
    const thRecordHead head = {.rate = 10.0, .origin = {100.0, -100.0}};
    thGenerator g = makeGenerator(4, 0);
    do
        drawSample(&g, mostPeople, head.origin, 2, &good);
    while (good.recording.frame.count < 3 || good.recording.personCount < 2 ||
           good.recording.shapeCount < 2 || good.recording.frame.heading == NULL);
    LogFile file = {0};
    thLogWriter* writer = createWriter(&file, &head);
    assert_ok(thLogWriter_Add(writer, &good.recording));
    const size_t size = file.size;
    const double beyond = THRONG_MAX_COORDINATE + 0.001;
    for (int32_t i = 0; i < 18; ++i) {
        copySample(&good.recording, &bad);
        bad.recording.frame.number = 3;
        double* numbers[] = {&bad.x[1], &bad.y[2]};
        const double values[] = {100.0 + beyond, -100.0 - beyond, NAN, INFINITY};
        if (i < 4)
            *numbers[0] = values[i] + (i == 1 ? 200.0 : 0.0);
        else if (i < 8)
            *numbers[1] = values[i - 4] - (i == 4 ? 200.0 : 0.0);
        else if (i == 8)
            bad.id[1] = bad.id[0];
        else if (i == 9)
            bad.id[1] = bad.id[2] + 1;
        else if (i == 10)
            bad.heading[1] = NAN;
        else if (i == 11)
            bad.people[1].radius = -1.0f;
        else if (i == 12)
            bad.people[0].planned = INFINITY;
        else if (i == 13)
            bad.shapes[1].kind = th_shapeKindCount;
        else if (i == 14)
            bad.shapes[1].pointCount = 0;
        else if (i == 15)
            bad.points[0][0].x = NAN;
        else if (i == 16)
            bad.shapes[0].radius = -1.0f;
        else
            bad.recording.frame.number = 2;
        assert_int_equal(thLogWriter_Add(writer, &bad.recording), th_resultBadArgument);
        assert_int_equal(file.size, size);
    }
    good.recording.frame.number = 3;
    assert_ok(thLogWriter_Add(writer, &good.recording));
    thDestroyLogWriter(writer);
    thLogReader* reader = createReader(&file);
    thRecording read;
    assert_int_equal(thLogReader_Next(reader, &read), th_logFrame);
    assert_int_equal(thLogReader_Next(reader, &read), th_logFrame);
    assert_null(read.shapes); // those that were refused do not count
    assert_int_equal(thLogReader_Next(reader, &read), th_logEnd);
    thDestroyLogReader(reader);
    freeFile(&file);
}

// After a write that failed nobody knows where the log ends.
static void testCannotWrite(void** state)
{
    (void)state;
    LogFile file = {0};
    const thRecordHead head = {.rate = 10.0};
    thLogWriter* writer = createWriter(&file, &head);
    const thRecording empty = {.frame = {.number = 1}};
    file.cannotWrite = true;
    assert_int_equal(thLogWriter_Add(writer, &empty), th_resultFile);
    file.cannotWrite = false;
    assert_int_equal(thLogWriter_Add(writer, &empty), th_resultFile);
    thDestroyLogWriter(writer);
    file.cannotWrite = true;
    thLogWriterDef def = thDefaultLogWriterDef();
    def.write = writeToFile;
    def.writeContext = &file;
    assert_int_equal(thCreateLogWriter(&def, &writer), th_resultFile);
    assert_null(writer);
    freeFile(&file);
}

static void testBadCalls(void** state)
{
    (void)state;
    LogFile file = {0};
    thLogWriter* writer;
    thLogReader* reader;
    thLogWriterDef def = thDefaultLogWriterDef();
    listen();
    assert_int_equal(thCreateLogWriter(&def, &writer), th_resultBadArgument);
    def.write = writeToFile;
    def.writeContext = &file;
    const double rates[] = {0.0, -1.0, NAN, INFINITY};
    for (size_t i = 0; i < 4; ++i) {
        def.head.rate = rates[i];
        assert_int_equal(thCreateLogWriter(&def, &writer), th_resultBadArgument);
    }
    def.head.rate = 1.0;
    def.head.origin.y = INFINITY;
    assert_int_equal(thCreateLogWriter(&def, &writer), th_resultBadArgument);
    const thLogReaderDef readerDef = thDefaultLogReaderDef();
    assert_int_equal(thCreateLogReader(&readerDef, &reader, NULL), th_resultBadArgument);
    assert_int_equal(thLogWriter_Add(NULL, NULL), th_resultBadArgument);
    assert_int_equal(thLogReader_Next(NULL, NULL), th_logFailed);
    assert_int_equal(heard(), 9);
    thDestroyLogReader(NULL);
    thDestroyLogWriter(NULL);
    assert_int_equal(file.writes, 0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRoundTrip),   cmocka_unit_test(testGoesOn),
        cmocka_unit_test(testFollows),     cmocka_unit_test(testEdges),
        cmocka_unit_test(testForeignHand), cmocka_unit_test(testRefused),
        cmocka_unit_test(testCannotWrite), cmocka_unit_test(testBadCalls),
    };
    return RUN_TESTS(tests, argc, argv);
}
