// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Reading logs: the head, then frame after frame with what comes before each.
//
// Nothing a file says is believed before it is checked; memory is taken for bytes that are really
// there. What comes before a frame counts only when the frame is complete, so a call that ends
// otherwise has changed nothing.

#include "base/machine.h"
#include "record/log_format.h"
#include "sim/ranges.h"

#define FIRST_PIECE ((size_t)1 << 16)                    // [bytes]
#define TURN_STEP (0x1.921fb54442d18p+2 / TH_TURN_UNITS) // rad per unit of a heading

// Where bytes come from.
typedef struct Source {
    thLogReadFcn* read;
    void* context;
    thResult failure; // why something failed last
} Source;

struct thLogReader {
    thMemory memory; // everything but this struct itself
    Source source;
    thBytes head;       // content of the head block as far as the title, and a zero
    thBytes scene;      // its text and a zero
    thRecordHead about; // points into these two
    uint64_t offset;    // where the last complete frame ends
    int64_t number;     // of the last frame
    bool hasFrames;
    thBytes content;    // of one block after the other
    thLogShapes shapes; // as they stand in the last complete frame
    thLogShapes next;   // as they stand in the frame that is being read
    thArray shapeItems, points;
    thArray people;
    thArray id, x, y, heading;
};

// --- Bytes -----------------------------------------------------------------------------------

// Reads up to `size` bytes; fewer only at the end. False: they cannot be read.
static bool fetch(Source* source, uint64_t offset, uint8_t* to, size_t size, size_t* got)
{
    for (*got = 0; *got < size;) {
        const int64_t more = source->read(source->context, offset + *got, to + *got, size - *got);
        if (more < 0 || (uint64_t)more > size - *got) {
            source->failure = th_resultFile;
            return false;
        }
        if (more == 0)
            break;
        *got += (size_t)more;
    }
    return true;
}

// The content of a block, in pieces: a size that is not true costs no more than what is there.
static thLogNext fetchContent(Source* source, uint64_t offset, uint64_t size, thBytes* content)
{
    for (content->size = 0; content->size < size;) {
        const uint64_t left = size - content->size;
        const size_t before = content->size, most = TH_MAX(before, FIRST_PIECE);
        const size_t piece = left < most ? (size_t)left : most;
        size_t got;
        uint8_t* to;
        source->failure = thiAddBytes(content, piece, &to);
        if (source->failure != th_resultOk || !fetch(source, offset + before, to, piece, &got))
            return th_logFailed;
        if (got < piece)
            return th_logCut;
    }
    return th_logFrame;
}

// Reads a whole block and checks its sums. th_logEnd: the file ends where it would begin.
static thLogNext fetchBlock(Source* source, uint64_t offset, thBlock* block, thBytes* content)
{
    uint8_t header[TH_BLOCK_HEADER_SIZE];
    size_t got;
    if (!fetch(source, offset, header, sizeof header, &got))
        return th_logFailed;
    if (got < sizeof header)
        return got == 0 ? th_logEnd : th_logCut;
    if (!thiGetBlockHeader(header, offset, block))
        return th_logDamaged;
    const thLogNext next = fetchContent(source, offset + sizeof header, block->size, content);
    if (next != th_logFrame)
        return next;
    const uint64_t sum = thiLogSum(offset, content->data, (size_t)block->size);
    return sum == block->sum ? th_logFrame : th_logDamaged;
}

// --- The head --------------------------------------------------------------------------------

static thResult failDamaged(thError* error)
{
    return thiFail(error, th_resultDamaged, "the head of the log is damaged");
}

static thResult checkStart(thLogReader* reader, thError* error)
{
    uint8_t start[TH_LOG_START_SIZE];
    size_t got;
    if (!fetch(&reader->source, 0, start, sizeof start, &got))
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
    switch (fetchBlock(&reader->source, TH_LOG_START_SIZE, &block, &reader->head)) {
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

// --- Shapes ----------------------------------------------------------------------------------

// The shape at the beginning of some bytes, without its points. False: there is none.
static bool readStart(const uint8_t* data, size_t size, thRecordedShape* shape)
{
    if (size < TH_SHAPE_START_SIZE)
        return false;
    const uint32_t kind = thiGetU32(data), count = thiGetU32(data + 12);
    *shape = (thRecordedShape){.kind = (thRecordedShapeKind)kind,
                               .level = thiGetI32(data + 4),
                               .pointCount = (int32_t)count,
                               .radius = thiGetFloat(data + 8)};
    return kind < th_shapeKindCount && shape->radius >= 0.0f && shape->radius <= FLT_MAX &&
           count >= 1 && count <= INT32_MAX && count <= (size - TH_SHAPE_START_SIZE) / 16;
}

static size_t sizeOfShape(const thRecordedShape* shape)
{
    return TH_SHAPE_START_SIZE + 16 * (size_t)shape->pointCount;
}

static bool areFinite(const uint8_t* data, int32_t pointCount)
{
    for (int32_t i = 0; i < 2 * pointCount; ++i)
        if (!thiIsFiniteDouble(thiGetDouble(data + 8 * i)))
            return false;
    return true;
}

// The shapes of a change, which come from a file.
static thResult addNewShapes(thLogShapes* list, const thShapeChange* change)
{
    size_t at = 0;
    for (uint32_t i = 0; i < change->count; ++i) {
        thRecordedShape shape;
        const uint8_t* data = change->data + at;
        if (!readStart(data, change->size - at, &shape) ||
            !areFinite(data + TH_SHAPE_START_SIZE, shape.pointCount))
            return th_resultDamaged;
        at += sizeOfShape(&shape);
        uint64_t* end = thiArrayAdd(&list->ends, 1);
        if (end == NULL)
            return th_resultNoMemory;
        *end = list->bytes.size + at;
    }
    if (at != change->size)
        return th_resultDamaged;
    uint8_t* to;
    TH_TRY(thiAddBytes(&list->bytes, at, &to));
    if (at > 0)
        memcpy(to, change->data, at);
    return th_resultOk;
}

// th_resultDamaged: it is none for the list `before`.
static thResult applyChange(const thLogShapes* before, const thShapeChange* change,
                            thLogShapes* now)
{
    const uint64_t kept = (uint64_t)change->first + change->last;
    if (kept > (uint64_t)before->ends.count || change->count > INT32_MAX)
        return th_resultDamaged;
    thiClearLogShapes(now);
    TH_TRY(thiAddLogShapes(now, before, 0, (int32_t)change->first));
    TH_TRY(addNewShapes(now, change));
    const int32_t last = (int32_t)change->last;
    return thiAddLogShapes(now, before, before->ends.count - last, last);
}

// As structs, in arrays of thRecordedShape and thPlace.
static thResult showShapes(const thLogShapes* list, thArray* shapes, thArray* points)
{
    const int32_t count = list->ends.count;
    shapes->count = points->count = 0;
    // All but the starts is points.
    const size_t pointBytes = list->bytes.size - TH_SHAPE_START_SIZE * (size_t)count;
    if (pointBytes / 16 > INT32_MAX)
        return th_resultNoMemory;
    thRecordedShape* shape = thiArrayAdd(shapes, count);
    thPlace* place = thiArrayAdd(points, (int32_t)(pointBytes / 16));
    if (shape == NULL || place == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i, ++shape) {
        const uint8_t* data = list->bytes.data + thiShapeStart(list, i);
        (void)readStart(data, (size_t)thiShapeSize(list, i), shape); // it was checked
        shape->points = place;
        data += TH_SHAPE_START_SIZE;
        for (int32_t k = 0; k < shape->pointCount; ++k, ++place, data += 16)
            *place = (thPlace){thiGetDouble(data), thiGetDouble(data + 8)};
    }
    return th_resultOk;
}

// --- Frames ----------------------------------------------------------------------------------

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
    TH_TRY(applyChange(&reader->shapes, &change, &reader->next));
    TH_TRY(showShapes(&reader->next, &reader->shapeItems, &reader->points));
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
        const thLogNext next = fetchBlock(&reader->source, reading->at, &block, &reader->content);
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

// --- A reader's life -------------------------------------------------------------------------

thLogReaderDef thDefaultLogReaderDef(void)
{
    return (thLogReaderDef){.size = sizeof(thLogReaderDef), .allocator = thDefaultAllocator()};
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
    reader->source = (Source){.read = def.read, .context = def.readContext};
    reader->head.memory = reader->scene.memory = reader->content.memory = memory;
    reader->shapes = thiLogShapes(memory);
    reader->next = thiLogShapes(memory);
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
    thiFreeLogShapes(&reader->shapes);
    thiFreeLogShapes(&reader->next);
    thArray* arrays[] = {&reader->shapeItems, &reader->points, &reader->people, &reader->id,
                         &reader->x,          &reader->y,      &reader->heading};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        thiArrayFree(arrays[i]);
    thMemory outside;
    thiMemoryInit(&outside, &reader->memory.allocator, 0);
    thiRelease(&outside, reader, sizeof *reader);
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
        const thLogShapes shapes = reader->next;
        reader->next = reader->shapes;
        reader->shapes = shapes;
    }
    reader->offset = reading.at;
    reader->number = reading.recording.frame.number;
    reader->hasFrames = true;
    *recording = reading.recording;
    return th_logFrame;
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
