// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Reading logs: a reader's life, and what a log says of itself.

#include "record/log_reader.h"
#include "sim/ranges.h"

thLogReaderDef thDefaultLogReaderDef(void)
{
    return (thLogReaderDef){.size = sizeof(thLogReaderDef), .allocator = thDefaultAllocator()};
}

// The beginning.

static thResult failDamaged(thError* error)
{
    return thiFail(error, th_resultDamaged, "the head of the log is damaged");
}

static thResult checkStart(thLogReader* reader, thError* error)
{
    uint8_t start[TH_LOG_START_SIZE];
    size_t got;
    if (!thiFetch(&reader->source, 0, start, sizeof start, &got))
        return thiFail(error, th_resultFile, "the log cannot be read");
    if (got == 0)
        return thiFail(error, th_resultDamaged, "the log is empty");
    if (memcmp(start, thiLogMagic, TH_MIN(got, sizeof thiLogMagic)) != 0)
        return thiFail(error, th_resultSyntax, "this is no log of a recording");
    if (got < sizeof start)
        return thiFail(error, th_resultDamaged, "the log ends within its head");
    const uint32_t version = thiGetU32(start + sizeof thiLogMagic);
    if (version != TH_LOG_VERSION)
        return thiFail(error, th_resultVersion, "the log has format %u, this library reads %u",
                       (unsigned)version, TH_LOG_VERSION);
    return th_resultOk;
}

static thResult addZero(thBytes* text)
{
    uint8_t* zero;
    TH_TRY(thiAddBytes(text, 1, &zero));
    *zero = '\0';
    return th_resultOk;
}

static thResult copyScene(thLogReader* reader, const uint8_t* text, size_t size)
{
    uint8_t* to;
    TH_TRY(thiAddBytes(&reader->scene, size, &to));
    memcpy(to, text, size);
    TH_TRY(addZero(&reader->scene));
    reader->about.scene = (const char*)reader->scene.data;
    return th_resultOk;
}

// The title stays where it is and gets its zero where the scene begins, which is copied before.
static thResult takeHead(thLogReader* reader, thError* error)
{
    const uint8_t* data = reader->head.data;
    const uint64_t size = reader->head.size;
    if (size < TH_LOG_HEAD_SIZE)
        return failDamaged(error);
    thRecordHead* about = &reader->about;
    about->rate = thiGetDouble(data);
    about->origin = (thPlace){thiGetDouble(data + 8), thiGetDouble(data + 16)};
    const uint64_t titleSize = thiGetU64(data + 24), sceneSize = thiGetU64(data + 32);
    const uint64_t textSize = size - TH_LOG_HEAD_SIZE;
    if (!(about->rate > 0.0 && about->rate <= DBL_MAX) || !thiIsFiniteDouble(about->origin.x) ||
        !thiIsFiniteDouble(about->origin.y) || titleSize > textSize ||
        sceneSize != textSize - titleSize)
        return failDamaged(error);
    const size_t sceneAt = TH_LOG_HEAD_SIZE + (size_t)titleSize;
    if (sceneSize > 0)
        TH_TRY(copyScene(reader, data + sceneAt, (size_t)sceneSize));
    reader->head.size = sceneAt;
    TH_TRY(addZero(&reader->head));
    about->title = (const char*)reader->head.data + TH_LOG_HEAD_SIZE;
    return th_resultOk;
}

static thResult readHead(thLogReader* reader, thError* error)
{
    TH_TRY(checkStart(reader, error));
    thBlock block;
    switch (thiFetchBlock(&reader->source, TH_LOG_START_SIZE, &block, &reader->head)) {
    case th_logFrame:
        break;
    case th_logEnd:
    case th_logCut:
        return thiFail(error, th_resultDamaged, "the log ends within its head");
    case th_logDamaged:
        return failDamaged(error);
    default:
        return thiFail(error, reader->source.failure, "the log cannot be read: %s",
                       thResult_GetText(reader->source.failure));
    }
    if (block.type != th_blockHead)
        return failDamaged(error);
    reader->offset = TH_LOG_START_SIZE + TH_BLOCK_HEADER_SIZE + block.size;
    const thResult code = takeHead(reader, error);
    return code == th_resultNoMemory ? thiFail(error, code, "no memory for the log's head") : code;
}

thResult thCreateLogReader(const thLogReaderDef* given, thLogReader** result, thError* error)
{
    TH_REQUIRE(result != NULL, th_resultBadArgument);
    *result = NULL;
    thLogReaderDef def = thDefaultLogReaderDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    TH_REQUIRE(def.read != NULL, th_resultBadArgument);
    TH_REQUIRE((def.allocator.allocate == NULL) == (def.allocator.release == NULL),
               th_resultBadArgument);
    // The struct itself is not in the account, which is part of it.
    thMemory outside;
    thiMemoryInit(&outside, &def.allocator, 0);
    thLogReader* reader = thiAllocateZero(&outside, sizeof *reader);
    if (reader == NULL)
        return thiFail(error, th_resultNoMemory, "no memory for reading a log");
    thMemory* memory = &reader->memory;
    thiMemoryInit(memory, &def.allocator, 0);
    reader->source = (thLogSource){.read = def.read, .context = def.readContext};
    reader->head.memory = reader->scene.memory = reader->content.memory = memory;
    reader->shapes = thiShapeList(memory);
    reader->next = thiShapeList(memory);
    reader->shapeItems = thiArray(memory, sizeof(thRecordedShape));
    reader->points = thiArray(memory, sizeof(thPlace));
    reader->people = thiArray(memory, sizeof(thRecordedPerson));
    reader->id = thiArray(memory, sizeof(uint32_t));
    reader->x = thiArray(memory, sizeof(double));
    reader->y = thiArray(memory, sizeof(double));
    reader->heading = thiArray(memory, sizeof(float));
    const thResult code = readHead(reader, error);
    if (code != th_resultOk) {
        thDestroyLogReader(reader);
        return code;
    }
    *result = reader;
    return th_resultOk;
}

void thDestroyLogReader(thLogReader* reader)
{
    if (reader == NULL)
        return;
    thiFreeBytes(&reader->head);
    thiFreeBytes(&reader->content);
    thiFreeBytes(&reader->scene);
    thiFreeShapeList(&reader->shapes);
    thiFreeShapeList(&reader->next);
    thArray* arrays[] = {&reader->shapeItems, &reader->points, &reader->people, &reader->id,
                         &reader->x,          &reader->y,      &reader->heading};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        thiArrayFree(arrays[i]);
    thMemory outside;
    thiMemoryInit(&outside, &reader->memory.allocator, 0);
    thiRelease(&outside, reader, sizeof *reader);
}

thRecordHead thLogReader_GetHead(const thLogReader* reader)
{
    TH_REQUIRE(reader != NULL, (thRecordHead){0});
    return reader->about;
}

uint64_t thLogReader_GetOffset(const thLogReader* reader)
{
    TH_REQUIRE(reader != NULL, 0);
    return reader->offset;
}

thLogEnd thiLogEnd(const thLogReader* reader)
{
    return (thLogEnd){.offset = reader->offset,
                      .number = reader->number,
                      .hasFrames = reader->hasFrames,
                      .origin = reader->about.origin,
                      .shapes = &reader->shapes};
}
