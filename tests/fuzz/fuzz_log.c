// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes are a log. The first one says how: as they are, or as blocks of a type, a size and a
// content whose sums are put right, so that all of the reading behind is reached; and how much is
// read at once. Reading ends; what was read makes sense, and written again it reads the same.

#include "fuzz/fuzz.h"
#include "gear/allocators.h"
#include "record/log_format.h"

typedef struct File {
    uint8_t* data;
    size_t size, capacity, piece;
} File;

static thResult writeFile(void* context, const void* data, size_t size)
{
    File* file = context;
    if (file->size + size > file->capacity) {
        file->capacity = 2 * (file->size + size);
        file->data = realloc(file->data, file->capacity);
        FUZZ_CHECK(file->data != NULL);
    }
    if (size > 0)
        memcpy(file->data + file->size, data, size);
    file->size += size;
    return th_resultOk;
}

static int64_t readFile(void* context, uint64_t offset, void* data, size_t size)
{
    const File* file = context;
    FUZZ_CHECK(size > 0);
    if (offset >= file->size)
        return 0;
    const size_t left = file->size - (size_t)offset;
    const size_t most = file->piece > 0 && file->piece < size ? file->piece : size;
    const size_t count = most < left ? most : left;
    memcpy(data, file->data + offset, count);
    return (int64_t)count;
}

static thLogReader* open(File* file, const thAllocator* allocator)
{
    thLogReaderDef def = thDefaultLogReaderDef();
    def.read = readFile;
    def.readContext = file;
    def.allocator = *allocator;
    thLogReader* reader = NULL;
    thError error = {0};
    const thResult code = thCreateLogReader(&def, &reader, &error);
    FUZZ_CHECK((code == th_resultOk) == (reader != NULL));
    FUZZ_CHECK(error.code == code && (code == th_resultOk || error.text[0] != '\0'));
    return reader;
}

// Blocks from the input, with right sums, behind a right head.
static void makeLog(const uint8_t* input, size_t size, File* file)
{
    thLogWriterDef def = thDefaultLogWriterDef();
    def.write = writeFile;
    def.writeContext = file;
    thLogWriter* writer;
    FUZZ_CHECK(thCreateLogWriter(&def, &writer) == th_resultOk);
    thDestroyLogWriter(writer);
    while (size >= 3) {
        const uint32_t type = input[0];
        size_t contentSize = (size_t)input[1] | (size_t)input[2] << 8;
        contentSize = contentSize < size - 3 ? contentSize : size - 3;
        uint8_t header[TH_BLOCK_HEADER_SIZE] = {0};
        const size_t start = file->size;
        (void)writeFile(file, header, sizeof header);
        (void)writeFile(file, input + 3, contentSize);
        thiPutBlockHeader(file->data + start, start, (thBlockType)type, contentSize);
        input += 3 + contentSize;
        size -= 3 + contentSize;
    }
}

static void checkRecording(const thRecording* recording)
{
    const thRecordedFrame* frame = &recording->frame;
    for (int32_t i = 1; i < frame->count; ++i)
        FUZZ_CHECK(frame->id[i] > frame->id[i - 1]);
    for (int32_t i = 0; i < recording->shapeCount; ++i)
        FUZZ_CHECK((uint32_t)recording->shapes[i].kind < th_shapeKindCount &&
                   recording->shapes[i].pointCount >= 1);
}

// Reads everything and writes it again, to `copy` if that is not NULL.
static void readAll(thLogReader* reader, File* copy, const thAllocator* allocator)
{
    thLogWriter* writer = NULL;
    if (copy != NULL) {
        thLogWriterDef def = thDefaultLogWriterDef();
        def.head = thLogReader_GetHead(reader);
        def.write = writeFile;
        def.writeContext = copy;
        def.allocator = *allocator;
        FUZZ_CHECK(thCreateLogWriter(&def, &writer) == th_resultOk);
    }
    thRecording recording;
    uint64_t before = thLogReader_GetOffset(reader);
    thLogNext next;
    while ((next = thLogReader_Next(reader, &recording)) == th_logFrame) {
        FUZZ_CHECK(thLogReader_GetOffset(reader) > before);
        before = thLogReader_GetOffset(reader);
        checkRecording(&recording);
        if (writer != NULL)
            FUZZ_CHECK(thLogWriter_Add(writer, &recording) == th_resultOk);
    }
    FUZZ_CHECK(thLogReader_Next(reader, &recording) == next); // nothing has changed
    FUZZ_CHECK(thLogReader_GetOffset(reader) == before && recording.frame.count == 0);
    thDestroyLogWriter(writer);
}

// A log that the library wrote comes out byte for byte.
static void checkCopy(File* copy, const thAllocator* allocator)
{
    File again = {0};
    thLogReader* reader = open(copy, allocator);
    FUZZ_CHECK(reader != NULL);
    readAll(reader, &again, allocator);
    FUZZ_CHECK(thLogReader_GetOffset(reader) == copy->size);
    FUZZ_CHECK(again.size == copy->size && memcmp(again.data, copy->data, copy->size) == 0);
    thDestroyLogReader(reader);
    free(again.data);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 1)
        return 0;
    thTestAllocator test;
    testAllocatorInit(&test);
    const thAllocator allocator = testAllocator(&test);
    File file = {.piece = data[0] >> 1}, copy = {0};
    if ((data[0] & 1) != 0)
        makeLog(data + 1, size - 1, &file);
    else
        (void)writeFile(&file, data + 1, size - 1);
    thLogReader* reader = open(&file, &allocator);
    if (reader != NULL) {
        readAll(reader, &copy, &allocator);
        checkCopy(&copy, &allocator);
    }
    thDestroyLogReader(reader);
    FUZZ_CHECK(testAllocatorProblem(&test) == NULL);
    testAllocatorFree(&test);
    free(file.data);
    free(copy.data);
    return 0;
}
