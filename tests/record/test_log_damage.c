// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Logs that end too early or were changed: what comes before is read as written, and nothing else.

#include "record/log_format.h"
#include "record/record_gear.h"

#include <stdlib.h>

enum { frameCount = 8 };

typedef struct Log {
    LogFile file;
    Sample samples[frameCount];  // as a reader shows them
    size_t ends[frameCount + 1]; // of the head and of the frames
} Log;

// A small log with blocks of every kind.
static Log* createLog(void)
{
    Log* log = calloc(1, sizeof *log);
    assert_non_null(log);
    const thRecordHead head = {.rate = 5.0, .title = "abc", .scene = "{}"};
    thLogWriter* writer = createWriter(&log->file, &head);
    log->ends[0] = log->file.size;
    thGenerator g = makeGenerator(11, 0);
    for (int32_t i = 0; i < frameCount; ++i) {
        Sample sample;
        drawSample(&g, 4, head.origin, i, &sample);
        sample.recording.personCount =
            sample.recording.personCount > 2 ? 2 : sample.recording.personCount;
        assert_ok(thLogWriter_Add(writer, &sample.recording));
        log->ends[i + 1] = log->file.size;
    }
    thDestroyLogWriter(writer);
    thLogReader* reader = createReader(&log->file);
    int32_t peopleCount = 0, shapeCount = 0;
    for (int32_t i = 0; i < frameCount; ++i) {
        thRecording recording;
        assert_int_equal(thLogReader_Next(reader, &recording), th_logFrame);
        copySample(&recording, &log->samples[i]);
        peopleCount += recording.personCount;
        shapeCount += recording.shapeCount;
    }
    assert_true(peopleCount > 0 && shapeCount > 0);
    thDestroyLogReader(reader);
    return log;
}

static void destroyLog(Log* log)
{
    freeFile(&log->file);
    free(log);
}

// Reads a file that is the log up to `frames` frames. Returns how it ends; −1: the head is refused.
static int readFrames(Log* log, LogFile* file, int32_t frames)
{
    thLogReaderDef def = thDefaultLogReaderDef();
    def.read = readFromFile;
    def.readContext = file;
    thLogReader* reader;
    thError error = {0};
    const thResult code = thCreateLogReader(&def, &reader, &error);
    assert_int_equal(error.code, code);
    if (code != th_resultOk) {
        assert_null(reader);
        assert_true(error.text[0] != '\0');
        return -1;
    }
    thRecording recording;
    for (int32_t i = 0; i < frames; ++i) {
        assert_int_equal(thLogReader_Next(reader, &recording), th_logFrame);
        assertSameRecording(&recording, &log->samples[i].recording);
    }
    const thLogNext next = thLogReader_Next(reader, &recording);
    assert_int_equal(thLogReader_Next(reader, &recording), next);
    assert_int_equal(thLogReader_GetOffset(reader), log->ends[frames]);
    thDestroyLogReader(reader);
    return (int)next;
}

// How many frames are complete within so many bytes.
static int32_t framesWithin(const Log* log, size_t size)
{
    int32_t frames = 0;
    while (frames < frameCount && log->ends[frames + 1] <= size)
        ++frames;
    return frames;
}

static void testCut(void** state)
{
    (void)state;
    Log* log = createLog();
    for (size_t size = 0; size <= log->file.size; ++size) {
        LogFile cut = {.data = log->file.data, .size = size};
        const int32_t frames = framesWithin(log, size);
        const int expected = size < log->ends[0]         ? -1
                             : size == log->ends[frames] ? (int)th_logEnd
                                                         : (int)th_logCut;
        assert_int_equal(readFrames(log, &cut, frames), expected);
    }
    destroyLog(log);
}

// A changed bit is never taken for the end of the file.
static void testFlips(void** state)
{
    (void)state;
    Log* log = createLog();
    for (size_t bit = 0; bit < 8 * log->file.size; ++bit) {
        uint8_t* byte = &log->file.data[bit / 8];
        *byte ^= (uint8_t)(1 << bit % 8);
        const int expected = bit / 8 < log->ends[0] ? -1 : (int)th_logDamaged;
        assert_int_equal(readFrames(log, &log->file, framesWithin(log, bit / 8)), expected);
        *byte ^= (uint8_t)(1 << bit % 8);
    }
    assert_int_equal(readFrames(log, &log->file, frameCount), th_logEnd);
    destroyLog(log);
}

// Frames that are lost, repeated or in another order, each whole by itself; and zeros, which file
// systems may leave behind.
static void testMoved(void** state)
{
    (void)state;
    Log* log = createLog();
    const uint8_t* data = log->file.data;
    for (int32_t from = 0; from < frameCount; ++from)
        for (int32_t to = 0; to < frameCount; ++to) {
            if (from == to)
                continue;
            LogFile moved = {0};
            (void)writeToFile(&moved, data, log->ends[to]);
            (void)writeToFile(&moved, data + log->ends[from],
                              log->ends[from + 1] - log->ends[from]);
            assert_int_equal(readFrames(log, &moved, to), th_logDamaged);
            freeFile(&moved);
        }
    const uint8_t zeros[100] = {0};
    LogFile padded = {0};
    (void)writeToFile(&padded, data, log->file.size);
    (void)writeToFile(&padded, zeros, sizeof zeros);
    assert_int_equal(readFrames(log, &padded, frameCount), th_logDamaged);
    freeFile(&padded);
    destroyLog(log);
}

// Adds a block with right sums.
static void addBlock(LogFile* file, thBlockType type, const uint8_t* content, size_t size)
{
    uint8_t block[TH_BLOCK_HEADER_SIZE + 256];
    assert_true(size <= 256);
    memcpy(block + TH_BLOCK_HEADER_SIZE, content, size);
    thiPutBlockHeader(block, file->size, type, size);
    (void)writeToFile(file, block, TH_BLOCK_HEADER_SIZE + size);
}

// The content of a frame of two people whose ids come as two runs.
static size_t putFrame(uint8_t* to, int64_t number, uint32_t count, uint32_t runs,
                       const uint32_t run[4], int32_t x)
{
    uint8_t* at = thiPutU64(to, (uint64_t)number);
    at = thiPutU32(thiPutU32(thiPutU32(at, count), runs), 0);
    for (uint32_t i = 0; i < 2 * runs; ++i)
        at = thiPutU32(at, run[i]);
    for (uint32_t i = 0; i < 2 * count; ++i)
        at = thiPutU32(at, (uint32_t)x);
    return (size_t)(at - to);
}

static void assertNextFrame(Log* log, const uint8_t* content, size_t size, thLogNext expected)
{
    LogFile file = {0};
    (void)writeToFile(&file, log->file.data, log->file.size);
    addBlock(&file, th_blockFrame, content, size);
    if (expected != th_logFrame) {
        assert_int_equal(readFrames(log, &file, frameCount), expected);
    } else {
        thLogReader* reader = createReader(&file);
        thRecording recording;
        for (int32_t i = 0; i <= frameCount; ++i)
            assert_int_equal(thLogReader_Next(reader, &recording), th_logFrame);
        thDestroyLogReader(reader);
    }
    freeFile(&file);
}

// Sums that hold do not make a frame true.
static void testFalseFrames(void** state)
{
    (void)state;
    Log* log = createLog();
    const int32_t edge = (int32_t)(THRONG_MAX_COORDINATE * THRONG_UNITS_PER_METRE);
    typedef struct Case {
        thLogNext expected;
        int64_t number;
        uint32_t count, runs, run[4];
        int32_t x;
        int32_t more; // bytes
    } Case;
    const Case cases[] = {
        {th_logFrame, 100, 2, 2, {1, 1, 3, 1}, edge, 0},
        {th_logFrame, 100, 2, 1, {UINT32_MAX - 1, 2}, -edge, 0},
        {th_logFrame, 100, 0, 0, {0}, 0, 0},
        {th_logDamaged, 100, 2, 2, {1, 1, 3, 1}, edge + 1, 0},
        {th_logDamaged, 100, 2, 2, {1, 1, 3, 1}, INT32_MIN, 0},
        {th_logDamaged, frameCount - 1, 2, 2, {1, 1, 3, 1}, 0, 0}, // as the last one
        {th_logDamaged, 100, 2, 2, {3, 1, 3, 1}, 0, 0},
        {th_logDamaged, 100, 2, 2, {3, 1, 1, 1}, 0, 0},
        {th_logDamaged, 100, 2, 2, {1, 2, 3, 0}, 0, 0},
        {th_logDamaged, 100, 2, 1, {1, 3}, 0, 0},
        {th_logDamaged, 100, 2, 1, {1, 1}, 0, 0},
        {th_logDamaged, 100, 2, 1, {1, UINT32_MAX}, 0, 0},
        {th_logDamaged, 100, 2, 1, {UINT32_MAX, 2}, 0, 0},
        {th_logDamaged, 100, 2, 2, {1, 1, 3, 1}, 0, 1},
        {th_logDamaged, 100, 2, 2, {1, 1, 3, 1}, 0, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        uint8_t content[256] = {0};
        const Case* c = &cases[i];
        const size_t size = putFrame(content, c->number, c->count, c->runs, c->run, c->x);
        assertNextFrame(log, content, (size_t)((int64_t)size + c->more), c->expected);
    }
    uint8_t huge[256] = {0}; // says it has more than there is
    thiPutU32(thiPutU64(huge, 100), UINT32_MAX);
    assertNextFrame(log, huge, sizeof huge, th_logDamaged);
    thiPutU32(huge + 8, 0);
    thiPutU32(huge + 12, UINT32_MAX);
    assertNextFrame(log, huge, sizeof huge, th_logDamaged);
    assertNextFrame(log, huge, 0, th_logDamaged);
    destroyLog(log);
}

// People and shapes, which come before a frame.
static void assertDamagedBy(Log* log, thBlockType type, const uint8_t* content, size_t size)
{
    LogFile file = {0};
    (void)writeToFile(&file, log->file.data, log->file.size);
    addBlock(&file, type, content, size);
    uint8_t frame[256];
    addBlock(&file, th_blockFrame, frame, putFrame(frame, 100, 0, 0, NULL, 0));
    assert_int_equal(readFrames(log, &file, frameCount), th_logDamaged);
    freeFile(&file);
}

static void testFalseBlocks(void** state)
{
    (void)state;
    Log* log = createLog();
    uint8_t content[256] = {0};
    assertDamagedBy(log, th_blockHead, content, 100);
    assertDamagedBy(log, (thBlockType)5, content, 0);
    assertDamagedBy(log, th_blockPeople, content, 0);
    assertDamagedBy(log, th_blockPeople, content, 5);
    thiPutU32(content, UINT32_MAX);
    assertDamagedBy(log, th_blockPeople, content, 4);
    thiPutU32(content, 1);
    thiPutFloat(content + 4 + 12, NAN);
    assertDamagedBy(log, th_blockPeople, content, 4 + TH_PERSON_SIZE);
    memset(content, 0, sizeof content);
    assertDamagedBy(log, th_blockShapes, content, 11);
    thiPutU32(thiPutU32(content, UINT32_MAX), UINT32_MAX); // keeps more than there is
    assertDamagedBy(log, th_blockShapes, content, 12);
    const uint32_t shapes[][6] = {
        {0, 0, UINT32_MAX, 0, 0, 0},              // more than there is
        {0, 0, 1, th_shapeKindCount, 0, 0},       // of no kind
        {0, 0, 1, th_shapeSolid, 0, 0xbf800000u}, // radius −1
    };
    for (size_t i = 0; i < 3; ++i) {
        memset(content, 0, sizeof content);
        uint8_t* to = content;
        for (int32_t k = 0; k < 6; ++k)
            to = thiPutU32(to, shapes[i][k]);
        thiPutU32(to, 1);
        assertDamagedBy(log, th_blockShapes, content, 12 + 32);
    }
    thiPutU32(content + 20, 0);
    assertDamagedBy(log, th_blockShapes, content, 12 + 33); // a byte too many
    thiPutU32(content + 24, UINT32_MAX);                    // points
    assertDamagedBy(log, th_blockShapes, content, 12 + 32);
    thiPutU32(content + 24, 1);
    thiPutDouble(content + 28, INFINITY);
    assertDamagedBy(log, th_blockShapes, content, 12 + 32);
    destroyLog(log);
}

// What belongs to one frame comes once and in its order.
static void testOrderOfBlocks(void** state)
{
    (void)state;
    Log* log = createLog();
    const thBlockType orders[][2] = {{th_blockPeople, th_blockPeople},
                                     {th_blockShapes, th_blockShapes},
                                     {th_blockPeople, th_blockShapes}};
    for (size_t i = 0; i < 3; ++i) {
        LogFile file = {0};
        (void)writeToFile(&file, log->file.data, log->file.size);
        for (int32_t k = 0; k < 2; ++k) {
            const uint8_t nothing[12] = {0};
            addBlock(&file, orders[i][k], nothing, orders[i][k] == th_blockPeople ? 4 : 12);
        }
        assert_int_equal(readFrames(log, &file, frameCount), th_logDamaged);
        freeFile(&file);
    }
    destroyLog(log);
}

// A size that is not true costs no more memory than the file has bytes.
static void testFalseSize(void** state)
{
    (void)state;
    Log* log = createLog();
    const uint64_t sizes[] = {1000, UINT64_C(1) << 40, UINT64_MAX};
    for (size_t i = 0; i < 3; ++i) {
        LogFile file = {0};
        (void)writeToFile(&file, log->file.data, log->file.size);
        uint8_t header[TH_BLOCK_HEADER_SIZE + 1];
        thiPutBlockHeader(header, file.size, th_blockFrame, 0);
        thiPutU64(header + 8, sizes[i]);
        thiPutU64(header + 24, thiLogSum(file.size, header, 24));
        (void)writeToFile(&file, header, sizeof header);
        assert_int_equal(readFrames(log, &file, frameCount), th_logCut);
        freeFile(&file);
    }
    destroyLog(log);
}

static void testForeign(void** state)
{
    (void)state;
    const struct {
        const char* text;
        size_t size;
        thResult code;
    } cases[] = {{"", 0, th_resultDamaged},
                 {"{\"throng\": 1}", 13, th_resultSyntax},
                 {"thlog", 5, th_resultDamaged},
                 {"thlog\0\x1a\n\2\0\0\0", 12, th_resultVersion},
                 {"thlog\0\x1a\n\1\0\0\0", 12, th_resultDamaged}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        LogFile file = {0};
        (void)writeToFile(&file, cases[i].text, cases[i].size);
        thLogReaderDef def = thDefaultLogReaderDef();
        def.read = readFromFile;
        def.readContext = &file;
        thLogReader* reader;
        thError error;
        assert_int_equal(thCreateLogReader(&def, &reader, &error), cases[i].code);
        file.cannotRead = true;
        assert_int_equal(thCreateLogReader(&def, &reader, &error), th_resultFile);
        freeFile(&file);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCut),         cmocka_unit_test(testFlips),
        cmocka_unit_test(testMoved),       cmocka_unit_test(testFalseFrames),
        cmocka_unit_test(testFalseBlocks), cmocka_unit_test(testOrderOfBlocks),
        cmocka_unit_test(testFalseSize),   cmocka_unit_test(testForeign),
    };
    return RUN_TESTS(tests, argc, argv);
}
