// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Reading the frames of a log, with what comes before each.

#include "base/fp_environment.h"
#include "record/log_reader.h"
#include "sim/ranges.h"

#define TURN_STEP (0x1.921fb54442d18p+2 / TH_TURN_UNITS) // rad per unit of a heading

// What is known of the frame that is being read.
typedef struct Reading {
    uint64_t at; // in the file
    thRecording recording;
    bool hasPeople, hasShapes, isComplete;
} Reading;

// Blocks of a frame. Each function fills its part of the reading: th_resultDamaged when the block
// says what cannot be.

static thResult takeShapes(thLogReader* reader, Reading* reading)
{
    const uint8_t* data = reader->content.data;
    const size_t size = reader->content.size;
    if (reading->hasShapes || reading->hasPeople || size < TH_SHAPES_START_SIZE)
        return th_resultDamaged;
    reading->hasShapes = true;
    const thShapeChange change = {.first = thiGetU32(data),
                                  .last = thiGetU32(data + 4),
                                  .count = thiGetU32(data + 8),
                                  .data = data + TH_SHAPES_START_SIZE,
                                  .size = size - TH_SHAPES_START_SIZE};
    TH_TRY(thiApplyShapeChange(&reader->shapes, &change, &reader->next));
    TH_TRY(thiShowShapes(&reader->next, &reader->shapeItems, &reader->points));
    reading->recording.shapes = TH_ITEMS(reader->shapeItems, thRecordedShape);
    reading->recording.shapeCount = reader->shapeItems.count;
    return th_resultOk;
}

static thRecordedPerson getPerson(const uint8_t* from)
{
    return (thRecordedPerson){.id = thiGetU32(from),
                              .key = thiGetU64(from + 4),
                              .radius = thiGetFloat(from + 12),
                              .speed = thiGetFloat(from + 16),
                              .planned = thiGetFloat(from + 20),
                              .level = thiGetI32(from + 24),
                              .goal = thiGetI32(from + 28),
                              .group = thiGetI32(from + 32),
                              .entry = thiGetI32(from + 36)};
}

static thResult takePeople(thLogReader* reader, Reading* reading)
{
    const uint8_t* data = reader->content.data;
    const size_t size = reader->content.size;
    if (reading->hasPeople || size < 4)
        return th_resultDamaged;
    reading->hasPeople = true;
    const uint32_t count = thiGetU32(data);
    if (count > INT32_MAX || size - 4 != (uint64_t)count * TH_PERSON_SIZE)
        return th_resultDamaged;
    reader->people.count = 0;
    thRecordedPerson* people = thiArrayAdd(&reader->people, (int32_t)count);
    if (people == NULL)
        return th_resultNoMemory;
    for (uint32_t i = 0; i < count; ++i) {
        people[i] = getPerson(data + 4 + (size_t)i * TH_PERSON_SIZE);
        if (!thiIsPerson(&people[i]))
            return th_resultDamaged;
    }
    reading->recording.people = people;
    reading->recording.personCount = (int32_t)count;
    return th_resultOk;
}

// Where the columns of a frame are in its block.
typedef struct FrameLayout {
    uint32_t count, runs, bits;
    const uint8_t *firstRun, *x, *y, *heading;
} FrameLayout;

static bool layOutFrame(const thBytes* content, FrameLayout* layout)
{
    const uint8_t* data = content->data;
    if (content->size < TH_FRAME_START_SIZE)
        return false;
    *layout = (FrameLayout){.count = thiGetU32(data + 8),
                            .runs = thiGetU32(data + 12),
                            .bits = thiGetU32(data + 16),
                            .firstRun = data + TH_FRAME_START_SIZE};
    const uint64_t perPerson = layout->bits == th_frameHasHeading ? 10 : 8;
    const uint64_t runBytes = 8 * (uint64_t)layout->runs;
    if (layout->count > INT32_MAX || layout->bits > th_frameHasHeading ||
        content->size - TH_FRAME_START_SIZE != runBytes + perPerson * layout->count)
        return false;
    layout->x = layout->firstRun + runBytes;
    layout->y = layout->x + 4 * (size_t)layout->count;
    layout->heading = layout->y + 4 * (size_t)layout->count;
    return true;
}

// Ids from their runs. False: they do not ascend, or are more or less than there are people.
static bool getIds(const FrameLayout* layout, uint32_t* ids)
{
    uint64_t filled = 0, least = 0; // the least id that may come next
    for (uint32_t i = 0; i < layout->runs; ++i) {
        const uint8_t* run = layout->firstRun + 8 * (size_t)i;
        const uint64_t first = thiGetU32(run), count = thiGetU32(run + 4);
        if (first < least || count < 1 || count > layout->count - filled ||
            first + count - 1 > UINT32_MAX)
            return false;
        for (uint64_t k = 0; k < count; ++k)
            ids[filled + k] = (uint32_t)(first + k);
        filled += count;
        least = first + count;
    }
    return filled == layout->count;
}

static bool getPlaces(const uint8_t* from, uint32_t count, double origin, double* to)
{
    bool good = true;
    for (uint32_t i = 0; i < count; ++i) {
        const int32_t units = thiGetI32(from + 4 * (size_t)i);
        good &= units >= -TH_MAX_UNITS && units <= TH_MAX_UNITS;
        to[i] = origin + (double)units / THRONG_UNITS_PER_METRE;
    }
    return good;
}

static void getHeadings(const uint8_t* from, uint32_t count, float* to)
{
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t turn = (uint32_t)from[2 * (size_t)i] | (uint32_t)from[2 * (size_t)i + 1]
                                                                  << 8;
        to[i] = (float)((int16_t)turn * TURN_STEP);
    }
}

// Room in the columns.
static bool makeRoom(thLogReader* reader, uint32_t count)
{
    thArray* columns[] = {&reader->id, &reader->x, &reader->y, &reader->heading};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i) {
        columns[i]->count = 0;
        if (thiArrayAdd(columns[i], (int32_t)count) == NULL)
            return false;
    }
    return true;
}

static thResult takeFrame(thLogReader* reader, Reading* reading)
{
    FrameLayout layout;
    if (!layOutFrame(&reader->content, &layout))
        return th_resultDamaged;
    if (!makeRoom(reader, layout.count))
        return th_resultNoMemory;
    const bool hasHeading = layout.bits == th_frameHasHeading;
    thRecordedFrame* frame = &reading->recording.frame;
    *frame = (thRecordedFrame){.number = (int64_t)thiGetU64(reader->content.data),
                               .count = (int32_t)layout.count,
                               .id = TH_ITEMS(reader->id, uint32_t),
                               .x = TH_ITEMS(reader->x, double),
                               .y = TH_ITEMS(reader->y, double),
                               .heading = hasHeading ? TH_ITEMS(reader->heading, float) : NULL};
    if ((reader->hasFrames && frame->number <= reader->number) ||
        !getIds(&layout, TH_ITEMS(reader->id, uint32_t)) ||
        !getPlaces(layout.x, layout.count, reader->about.origin.x, TH_ITEMS(reader->x, double)) ||
        !getPlaces(layout.y, layout.count, reader->about.origin.y, TH_ITEMS(reader->y, double)))
        return th_resultDamaged;
    if (hasHeading)
        getHeadings(layout.heading, layout.count, TH_ITEMS(reader->heading, float));
    reading->isComplete = true;
    return th_resultOk;
}

static thResult takeBlock(thLogReader* reader, uint32_t type, Reading* reading)
{
    switch (type) {
    case th_blockShapes:
        return takeShapes(reader, reading);
    case th_blockPeople:
        return takePeople(reader, reading);
    case th_blockFrame:
        return takeFrame(reader, reading);
    default:
        return th_resultDamaged;
    }
}

// Reads block after block up to and with that of the frame.
static thLogNext readFrame(thLogReader* reader, Reading* reading)
{
    while (!reading->isComplete) {
        thBlock block;
        const thLogNext next =
            thiFetchBlock(&reader->source, reading->at, &block, &reader->content);
        if (next == th_logEnd && reading->at != reader->offset)
            return th_logCut; // what belongs to the frame is there, but the frame is not
        if (next != th_logFrame)
            return next;
        const thResult code = takeBlock(reader, block.type, reading);
        if (code != th_resultOk)
            return code == th_resultDamaged ? th_logDamaged : th_logFailed;
        reading->at += TH_BLOCK_HEADER_SIZE + block.size;
    }
    return th_logFrame;
}

thLogNext thLogReader_Next(thLogReader* reader, thRecording* recording)
{
    TH_REQUIRE(reader != NULL && recording != NULL, th_logFailed);
    *recording = (thRecording){0};
    Reading reading = {.at = reader->offset};
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thLogNext next = readFrame(reader, &reading);
    thiFpRestore(hostEnvironment);
    if (next != th_logFrame)
        return next;
    if (reading.hasShapes) {
        const thShapeList shapes = reader->next;
        reader->next = reader->shapes;
        reader->shapes = shapes;
    }
    reader->offset = reading.at;
    reader->number = reading.recording.frame.number;
    reader->hasFrames = true;
    *recording = reading.recording;
    return th_logFrame;
}
