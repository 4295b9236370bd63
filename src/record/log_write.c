// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Writing logs: the head, then frame after frame with what is news in each.
//
// All blocks of a frame are put together in one buffer and handed on in one piece. Whatever is
// refused is refused before that, so a log never holds what its reader would not take.

#include "base/machine.h"
#include "record/log_format.h"
#include "sim/ranges.h"

#define TURN_SCALE (TH_TURN_UNITS / 0x1.921fb54442d18p+2) // units of a heading per rad

struct thLogWriter {
    thMemory memory; // everything but this struct itself
    thLogWriteFcn* write;
    void* writeContext;
    thPlace origin;
    uint64_t offset; // where the next block will stand
    int64_t number;  // of the last frame
    bool hasFrames;
    thResult failure;   // of `write`; the end of the log is not known then
    thBytes buffer;     // blocks that are being put together
    thLogShapes shapes; // as they were written last
    thLogShapes next;   // as they are to be written
};

thLogWriterDef thDefaultLogWriterDef(void)
{
    return (thLogWriterDef){
        .size = sizeof(thLogWriterDef), .head = {.rate = 1.0}, .allocator = thDefaultAllocator()};
}

// Room for a block. Its content is to be filled in, then the block is sealed.
static thResult addBlock(thLogWriter* writer, uint64_t size, uint8_t** content)
{
    if (size > SIZE_MAX - TH_BLOCK_HEADER_SIZE)
        return th_resultNoMemory;
    uint8_t* block;
    TH_TRY(thiAddBytes(&writer->buffer, TH_BLOCK_HEADER_SIZE + (size_t)size, &block));
    *content = block + TH_BLOCK_HEADER_SIZE;
    return th_resultOk;
}

// The block that was added last.
static void sealBlock(thLogWriter* writer, thBlockType type, const uint8_t* content)
{
    thBytes* buffer = &writer->buffer;
    const size_t start = (size_t)(content - buffer->data) - TH_BLOCK_HEADER_SIZE;
    thiPutBlockHeader(buffer->data + start, writer->offset + start, type,
                      buffer->size - start - TH_BLOCK_HEADER_SIZE);
}

static thResult hand(thLogWriter* writer)
{
    writer->failure = writer->write(writer->writeContext, writer->buffer.data, writer->buffer.size);
    if (writer->failure == th_resultOk)
        writer->offset += writer->buffer.size;
    return writer->failure;
}

// The beginning of a log.

static uint8_t* putText(uint8_t* to, const char* text, size_t size)
{
    if (size > 0)
        memcpy(to, text, size);
    return to + size;
}

static thResult writeHead(thLogWriter* writer, const thRecordHead* head)
{
    const size_t titleSize = head->title != NULL ? strlen(head->title) : 0;
    const size_t sceneSize = head->scene != NULL ? strlen(head->scene) : 0;
    uint8_t *start, *content;
    TH_TRY(thiAddBytes(&writer->buffer, TH_LOG_START_SIZE, &start));
    memcpy(start, thiLogMagic, sizeof thiLogMagic);
    thiPutU32(start + sizeof thiLogMagic, TH_LOG_VERSION);
    TH_TRY(addBlock(writer, TH_LOG_HEAD_SIZE + titleSize + sceneSize, &content));
    uint8_t* to = thiPutDouble(content, head->rate);
    to = thiPutDouble(to, head->origin.x);
    to = thiPutDouble(to, head->origin.y);
    to = thiPutU64(to, titleSize);
    to = thiPutU64(to, sceneSize);
    putText(putText(to, head->title, titleSize), head->scene, sceneSize);
    sealBlock(writer, th_blockHead, content);
    return hand(writer);
}

static bool isHead(const thRecordHead* head)
{
    return head->rate > 0.0 && head->rate <= DBL_MAX && thiIsFiniteDouble(head->origin.x) &&
           thiIsFiniteDouble(head->origin.y);
}

static thResult goOn(thLogWriter* writer, const thLogReader* after)
{
    const thLogEnd end = thiLogEnd(after);
    writer->origin = end.origin;
    writer->offset = end.offset;
    writer->number = end.number;
    writer->hasFrames = end.hasFrames;
    return thiAddLogShapes(&writer->shapes, end.shapes, 0, end.shapes->ends.count);
}

thResult thCreateLogWriter(const thLogWriterDef* given, thLogWriter** result)
{
    TH_REQUIRE(result != NULL, th_resultBadArgument);
    *result = NULL;
    thLogWriterDef def = thDefaultLogWriterDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    TH_REQUIRE(def.write != NULL, th_resultBadArgument);
    TH_REQUIRE(def.after != NULL || isHead(&def.head), th_resultBadArgument);
    TH_REQUIRE((def.allocator.allocate == NULL) == (def.allocator.release == NULL),
               th_resultBadArgument);
    // The struct itself is not in the account, which is part of it.
    thMemory outside;
    thiMemoryInit(&outside, &def.allocator, 0);
    thLogWriter* writer = thiAllocateZero(&outside, sizeof *writer);
    if (writer == NULL)
        return th_resultNoMemory;
    thiMemoryInit(&writer->memory, &def.allocator, 0);
    writer->write = def.write;
    writer->writeContext = def.writeContext;
    writer->origin = def.head.origin;
    writer->buffer.memory = &writer->memory;
    writer->shapes = thiLogShapes(&writer->memory);
    writer->next = thiLogShapes(&writer->memory);
    const thResult code =
        def.after != NULL ? goOn(writer, def.after) : writeHead(writer, &def.head);
    if (code != th_resultOk) {
        thDestroyLogWriter(writer);
        return code;
    }
    *result = writer;
    return th_resultOk;
}

void thDestroyLogWriter(thLogWriter* writer)
{
    if (writer == NULL)
        return;
    thiFreeBytes(&writer->buffer);
    thiFreeLogShapes(&writer->shapes);
    thiFreeLogShapes(&writer->next);
    thMemory outside;
    thiMemoryInit(&outside, &writer->memory.allocator, 0);
    thiRelease(&outside, writer, sizeof *writer);
}

// Shapes. A list is told as what differs from the one before, so that a trolley that crosses a town
// does not repeat the town: movers stand behind walls and before goals.

static bool isShape(const thRecordedShape* shape)
{
    if ((uint32_t)shape->kind >= th_shapeKindCount || shape->pointCount < 1 ||
        shape->points == NULL || !(shape->radius >= 0.0f && shape->radius <= FLT_MAX))
        return false;
    for (int32_t i = 0; i < shape->pointCount; ++i)
        if (!thiIsFiniteDouble(shape->points[i].x) || !thiIsFiniteDouble(shape->points[i].y))
            return false;
    return true;
}

static thResult putShape(thLogShapes* list, const thRecordedShape* shape)
{
    if (!isShape(shape))
        return th_resultBadArgument;
    uint8_t* to;
    uint64_t* end = thiArrayAdd(&list->ends, 1);
    if (end == NULL)
        return th_resultNoMemory;
    TH_TRY(thiAddBytes(&list->bytes, TH_SHAPE_START_SIZE + 16 * (size_t)shape->pointCount, &to));
    *end = list->bytes.size;
    to = thiPutU32(to, (uint32_t)shape->kind);
    to = thiPutU32(to, (uint32_t)shape->level);
    to = thiPutFloat(to, shape->radius);
    to = thiPutU32(to, (uint32_t)shape->pointCount);
    for (int32_t i = 0; i < shape->pointCount; ++i)
        to = thiPutDouble(thiPutDouble(to, shape->points[i].x), shape->points[i].y);
    return th_resultOk;
}

// Replaces what is in the list. th_resultBadArgument: one of them is none.
static thResult setShapes(thLogShapes* list, const thRecordedShape* shapes, int32_t count)
{
    thiClearLogShapes(list);
    for (int32_t i = 0; i < count; ++i)
        TH_TRY(putShape(list, &shapes[i]));
    return th_resultOk;
}

static bool isSameShape(const thLogShapes* a, int32_t i, const thLogShapes* b, int32_t k)
{
    return thiShapeSize(a, i) == thiShapeSize(b, k) &&
           memcmp(a->bytes.data + thiShapeStart(a, i), b->bytes.data + thiShapeStart(b, k),
                  (size_t)thiShapeSize(a, i)) == 0;
}

static bool areSame(const thLogShapes* a, const thLogShapes* b)
{
    return a->ends.count == b->ends.count && a->bytes.size == b->bytes.size &&
           (a->bytes.size == 0 || memcmp(a->bytes.data, b->bytes.data, a->bytes.size) == 0);
}

static thShapeChange findChange(const thLogShapes* before, const thLogShapes* now)
{
    const int32_t oldCount = before->ends.count, newCount = now->ends.count;
    const int32_t most = TH_MIN(oldCount, newCount);
    int32_t first = 0, last = 0;
    while (first < most && isSameShape(before, first, now, first))
        ++first;
    while (first + last < most &&
           isSameShape(before, oldCount - 1 - last, now, newCount - 1 - last))
        ++last;
    const uint64_t start = thiShapeStart(now, first), end = thiShapeStart(now, newCount - last);
    return (thShapeChange){.first = (uint32_t)first,
                           .last = (uint32_t)last,
                           .count = (uint32_t)(newCount - first - last),
                           .data = end > start ? now->bytes.data + start : NULL,
                           .size = (size_t)(end - start)};
}

// What a frame brings with it.

static thResult addShapes(thLogWriter* writer, const thRecordedShape* shapes, int32_t count)
{
    TH_TRY(setShapes(&writer->next, shapes, count));
    if (areSame(&writer->shapes, &writer->next))
        return th_resultOk;
    const thShapeChange change = findChange(&writer->shapes, &writer->next);
    uint8_t* content;
    TH_TRY(addBlock(writer, TH_SHAPES_START_SIZE + (uint64_t)change.size, &content));
    uint8_t* to = thiPutU32(content, change.first);
    to = thiPutU32(to, change.last);
    to = thiPutU32(to, change.count);
    if (change.size > 0)
        memcpy(to, change.data, change.size);
    sealBlock(writer, th_blockShapes, content);
    return th_resultOk;
}

static uint8_t* putPerson(uint8_t* to, const thRecordedPerson* person)
{
    to = thiPutU32(to, person->id);
    to = thiPutU64(to, person->key);
    to = thiPutFloat(to, person->radius);
    to = thiPutFloat(to, person->speed);
    to = thiPutFloat(to, person->planned);
    to = thiPutU32(to, (uint32_t)person->level);
    to = thiPutU32(to, (uint32_t)person->goal);
    to = thiPutU32(to, (uint32_t)person->group);
    return thiPutU32(to, (uint32_t)person->entry);
}

static thResult addPeople(thLogWriter* writer, const thRecordedPerson* people, int32_t count)
{
    uint8_t* content;
    TH_TRY(addBlock(writer, 4 + (uint64_t)count * TH_PERSON_SIZE, &content));
    uint8_t* to = thiPutU32(content, (uint32_t)count);
    for (int32_t i = 0; i < count; ++i) {
        if (!thiIsPerson(&people[i]))
            return th_resultBadArgument;
        to = putPerson(to, &people[i]);
    }
    sealBlock(writer, th_blockPeople, content);
    return th_resultOk;
}

// The frame itself.

// Runs of ids without gaps. −1: they do not ascend.
static int32_t countRuns(const uint32_t* ids, int32_t count)
{
    int32_t runs = count > 0;
    bool ascends = true;
    for (int32_t i = 1; i < count; ++i) {
        ascends &= ids[i] > ids[i - 1];
        runs += ids[i] != ids[i - 1] + 1;
    }
    return ascends ? runs : -1;
}

static uint8_t* putRuns(uint8_t* to, const uint32_t* ids, int32_t count)
{
    for (int32_t first = 0; first < count;) {
        int32_t end = first + 1;
        while (end < count && ids[end] == ids[end - 1] + 1)
            ++end;
        to = thiPutU32(thiPutU32(to, ids[first]), (uint32_t)(end - first));
        first = end;
    }
    return to;
}

// Whole units about the origin; halves away from zero. False: one is out of range.
static bool putPlaces(uint8_t* to, const double* metres, int32_t count, double origin)
{
    bool good = true;
    for (int32_t i = 0; i < count; ++i) {
        const double units = (metres[i] - origin) * THRONG_UNITS_PER_METRE;
        const bool fits = units >= -(double)TH_MAX_UNITS && units <= (double)TH_MAX_UNITS;
        good &= fits;
        const double rounded = fits ? units + (units < 0.0 ? -0.5 : 0.5) : 0.0;
        thiPutU32(to + 4 * (size_t)i, (uint32_t)(int32_t)rounded);
    }
    return good;
}

// Parts of a turn; whole turns drop out. False: one is no angle.
static bool putHeadings(uint8_t* to, const float* headings, int32_t count)
{
    bool good = true;
    for (int32_t i = 0; i < count; ++i) {
        const bool fits = thiIsAngle(headings[i]);
        good &= fits;
        const double units = fits ? (double)headings[i] * TURN_SCALE : 0.0;
        const uint32_t turn = (uint32_t)(int32_t)(units + (units < 0.0 ? -0.5 : 0.5));
        to[2 * (size_t)i] = (uint8_t)turn;
        to[2 * (size_t)i + 1] = (uint8_t)(turn >> 8);
    }
    return good;
}

static thResult addFrame(thLogWriter* writer, const thRecordedFrame* frame)
{
    const int32_t runs = countRuns(frame->id, frame->count);
    if (runs < 0)
        return th_resultBadArgument;
    const size_t count = (size_t)frame->count;
    const uint64_t perPerson = frame->heading != NULL ? 10 : 8;
    uint8_t* content;
    TH_TRY(
        addBlock(writer, TH_FRAME_START_SIZE + 8 * (uint64_t)runs + perPerson * count, &content));
    uint8_t* to = thiPutU64(content, (uint64_t)frame->number);
    to = thiPutU32(to, (uint32_t)frame->count);
    to = thiPutU32(to, (uint32_t)runs);
    to = thiPutU32(to, frame->heading != NULL ? th_frameHasHeading : 0);
    to = putRuns(to, frame->id, frame->count);
    if (!putPlaces(to, frame->x, frame->count, writer->origin.x) ||
        !putPlaces(to + 4 * count, frame->y, frame->count, writer->origin.y))
        return th_resultBadArgument;
    if (frame->heading != NULL && !putHeadings(to + 8 * count, frame->heading, frame->count))
        return th_resultBadArgument;
    sealBlock(writer, th_blockFrame, content);
    return th_resultOk;
}

static thResult addAll(thLogWriter* writer, const thRecording* recording)
{
    writer->buffer.size = 0;
    if (recording->shapes != NULL)
        TH_TRY(addShapes(writer, recording->shapes, recording->shapeCount));
    if (recording->personCount > 0)
        TH_TRY(addPeople(writer, recording->people, recording->personCount));
    TH_TRY(addFrame(writer, &recording->frame));
    TH_TRY(hand(writer));
    if (recording->shapes != NULL) {
        const thLogShapes written = writer->next;
        writer->next = writer->shapes;
        writer->shapes = written;
    }
    writer->number = recording->frame.number;
    writer->hasFrames = true;
    return th_resultOk;
}

thResult thLogWriter_Add(thLogWriter* writer, const thRecording* recording)
{
    TH_REQUIRE(writer != NULL && recording != NULL, th_resultBadArgument);
    const thRecordedFrame* frame = &recording->frame;
    TH_REQUIRE(frame->count >= 0 && recording->personCount >= 0 && recording->shapeCount >= 0,
               th_resultBadArgument);
    TH_REQUIRE(frame->count == 0 || (frame->id != NULL && frame->x != NULL && frame->y != NULL),
               th_resultBadArgument);
    TH_REQUIRE(recording->people != NULL || recording->personCount == 0, th_resultBadArgument);
    if (writer->failure != th_resultOk)
        return writer->failure;
    if (writer->hasFrames && frame->number <= writer->number)
        return th_resultBadArgument;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = addAll(writer, recording);
    thiFpRestore(hostEnvironment);
    return code;
}
