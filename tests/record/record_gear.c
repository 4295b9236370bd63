// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Logs in memory, random frames, and a busy scene to record.

#include "record/record_gear.h"

#include <stdlib.h>

const char busyScene[] =
    "\"origin\": [500000, 5700000], \"walls\": ["
    "{\"room\": [[500000, 5700000], [500030, 5700000], [500030, 5700020], [500000, 5700020]]}, "
    "{\"polyline\": [[500015, 5700000], [500015, 5700009]]}, "
    "{\"polyline\": [[500015, 5700011], [500015, 5700020]]}], "
    "\"doors\": [{\"segment\": [[500015, 5700009], [500015, 5700011]], "
    "\"open\": [[1, 4], [6, 7], [9, 100]]}], "
    "\"movers\": [{\"disc\": 0.6, \"path\": [[500003, 5700003], [500009, 5700003]]}, "
    "{\"polygon\": [[-0.5, -0.3], [0.5, -0.3], [0, 0.6]], \"at\": [500027, 5700017], "
    "\"spin\": 20}], "
    "\"goals\": {\"a\": {\"disc\": [500025, 5700010], \"radius\": 1}, "
    "\"b\": {\"segment\": [[500002, 5700018], [500006, 5700018]]}, "
    "\"out\": {\"nearest\": [\"a\", \"b\"]}, \"tour\": {\"list\": [\"b\", \"out\", \"a\"]}}, "
    "\"profiles\": {\"p\": {\"radius\": {\"uniform\": [0.2, 0.3]}, "
    "\"speed\": {\"normal\": [1.34, 0.26]}, \"arrivalDistance\": 0.5}}, \"agents\": ["
    "{\"in\": {\"box\": [[500005, 5700005], [500012, 5700015]]}, \"count\": 25, "
    "\"goal\": \"a\", \"arrive\": \"leave\", \"delay\": {\"uniform\": [0, 5]}}, "
    "{\"at\": [[500003, 5700012], [500003.6, 5700012]], \"goal\": \"out\", \"group\": \"pair\"}, "
    "{\"at\": [[500003, 5700014]], \"goal\": \"tour\", \"group\": \"one\", \"arrive\": \"again\"}, "
    "{\"at\": [[500003, 5700015]], \"goal\": \"tour\", \"group\": \"pair\"}, "
    "{\"at\": [[500020, 5700003], [500022, 5700003]]}, "
    "{\"at\": [[500021, 5700004]], \"level\": 1, \"goal\": {\"offset\": [5, 5]}}, "
    "{\"source\": {\"in\": {\"segment\": [[500001, 5700006], [500001, 5700008]]}, "
    "\"rate\": 5, \"from\": 1}, \"goal\": {\"random\": {\"box\": [[500004, 5700002], "
    "[500012, 5700012]]}, \"count\": 2}, \"arrive\": \"leave\"}, "
    "{\"source\": {\"in\": {\"disc\": [500024, 5700003], \"radius\": 0.3}, \"rate\": 4, "
    "\"count\": 30}, \"goal\": {\"offset\": [3, 2]}, \"arrive\": \"leave\"}]";

// Files.

thResult writeToFile(void* context, const void* data, size_t size)
{
    LogFile* file = context;
    if (file->cannotWrite)
        return th_resultFile;
    if (file->size + size > file->capacity) {
        file->capacity = 2 * (file->size + size);
        file->data = realloc(file->data, file->capacity);
        assert_non_null(file->data);
    }
    if (size > 0)
        memcpy(file->data + file->size, data, size);
    file->size += size;
    file->writes += 1;
    return th_resultOk;
}

int64_t readFromFile(void* context, uint64_t offset, void* data, size_t size)
{
    const LogFile* file = context;
    if (file->cannotRead)
        return -1;
    if (offset >= file->size)
        return 0;
    size_t count = size < file->size - offset ? size : (size_t)(file->size - offset);
    if (file->piece > 0 && count > file->piece)
        count = file->piece;
    memcpy(data, file->data + offset, count);
    return (int64_t)count;
}

void freeFile(LogFile* file)
{
    free(file->data);
    *file = (LogFile){0};
}

thLogWriter* createWriter(LogFile* file, const thRecordHead* head)
{
    thLogWriterDef def = thDefaultLogWriterDef();
    def.head = *head;
    def.write = writeToFile;
    def.writeContext = file;
    thLogWriter* writer;
    assert_ok(thCreateLogWriter(&def, &writer));
    return writer;
}

thLogWriter* createWriterAfter(LogFile* file, const thLogReader* reader)
{
    thLogWriterDef def = thDefaultLogWriterDef();
    def.after = reader;
    def.write = writeToFile;
    def.writeContext = file;
    file->size = (size_t)thLogReader_GetOffset(reader);
    thLogWriter* writer;
    assert_ok(thCreateLogWriter(&def, &writer));
    return writer;
}

thLogReader* createReader(LogFile* file)
{
    thLogReaderDef def = thDefaultLogReaderDef();
    def.read = readFromFile;
    def.readContext = file;
    thLogReader* reader;
    thError error;
    if (thCreateLogReader(&def, &reader, &error) != th_resultOk)
        fail_msg("%s", error.text);
    return reader;
}

// Samples.

static double drawPlace(thGenerator* g, double origin)
{
    const int32_t most = (int32_t)(THRONG_MAX_COORDINATE * THRONG_UNITS_PER_METRE);
    const int32_t units =
        drawInt(g, 0, 7) == 0 ? drawInt(g, -most, most) : drawInt(g, -(1 << 22), 1 << 22);
    return origin + (double)units / THRONG_UNITS_PER_METRE;
}

static thRecordedPerson drawPerson(thGenerator* g)
{
    return (thRecordedPerson){.id = drawU32(g),
                              .key = drawU64(g),
                              .radius = drawUnit(g),
                              .speed = drawInt(g, 0, 1) == 0 ? 0.0f : drawUnit(g),
                              .planned = drawFloat(g, 0.0f, 1e6f),
                              .level = drawInt(g, 0, 65535),
                              .goal = drawInt(g, -1, 1000),
                              .group = drawInt(g, -1, 10),
                              .entry = drawInt(g, -1, 10)};
}

static thRecordedShape drawShape(thGenerator* g, thPlace origin, thPlace points[mostPoints])
{
    const thRecordedShape shape = {.kind =
                                       (thRecordedShapeKind)drawInt(g, 0, th_shapeKindCount - 1),
                                   .level = drawInt(g, 0, 3),
                                   .points = points,
                                   .pointCount = drawInt(g, 1, mostPoints),
                                   .radius = drawUnit(g)};
    for (int32_t i = 0; i < shape.pointCount; ++i)
        points[i] = (thPlace){origin.x + (double)drawUnit(g), origin.y - (double)drawUnit(g)};
    return shape;
}

static void drawPeople(thGenerator* g, int32_t count, thPlace origin, Sample* sample)
{
    const bool hasGaps = drawInt(g, 0, 1) == 1;
    uint32_t id = (uint32_t)drawInt(g, 0, 5);
    for (int32_t i = 0; i < count; ++i) {
        id += i == 0 ? 0 : hasGaps ? (uint32_t)drawInt(g, 1, 4) : 1;
        sample->id[i] = drawInt(g, 0, 200) == 0 && i == count - 1 ? UINT32_MAX : id;
        sample->x[i] = drawPlace(g, origin.x);
        sample->y[i] = drawPlace(g, origin.y);
        sample->heading[i] = drawFloat(g, -3.1415926f, 3.1415926f);
    }
    sample->recording.frame.count = count;
    sample->recording.frame.id = sample->id;
    sample->recording.frame.x = sample->x;
    sample->recording.frame.y = sample->y;
    sample->recording.frame.heading = drawInt(g, 0, 3) == 0 ? NULL : sample->heading;
}

void drawSample(thGenerator* g, int32_t size, thPlace origin, int64_t number, Sample* sample)
{
    *sample = (Sample){.recording = {.frame = {.number = number}}};
    drawPeople(g, drawInt(g, 0, size < mostPeople ? size : mostPeople), origin, sample);
    thRecording* recording = &sample->recording;
    recording->personCount = drawInt(g, 0, 2) == 0 ? drawInt(g, 0, mostPeople) : 0;
    for (int32_t i = 0; i < recording->personCount; ++i)
        sample->people[i] = drawPerson(g);
    recording->people = recording->personCount > 0 ? sample->people : NULL;
    if (drawInt(g, 0, 2) != 0)
        return;
    // Few points are drawn, so that shapes are often those of the frame before.
    recording->shapes = sample->shapes;
    recording->shapeCount = drawInt(g, 0, mostShapes);
    for (int32_t i = 0; i < recording->shapeCount; ++i) {
        thGenerator few = makeGenerator(5, (uint64_t)(i + drawInt(g, 0, 1)));
        sample->shapes[i] = drawShape(&few, origin, sample->points[i]);
    }
}

void copySample(const thRecording* recording, Sample* sample)
{
    *sample = (Sample){.recording = *recording};
    thRecording* copy = &sample->recording;
    const size_t count = (size_t)copy->frame.count;
    if (count > 0) {
        memcpy(sample->id, recording->frame.id, count * sizeof *sample->id);
        memcpy(sample->x, recording->frame.x, count * sizeof *sample->x);
        memcpy(sample->y, recording->frame.y, count * sizeof *sample->y);
    }
    copy->frame.id = sample->id;
    copy->frame.x = sample->x;
    copy->frame.y = sample->y;
    if (copy->frame.heading != NULL) {
        memcpy(sample->heading, recording->frame.heading, count * sizeof *sample->heading);
        copy->frame.heading = sample->heading;
    }
    for (int32_t i = 0; i < copy->personCount; ++i)
        sample->people[i] = recording->people[i];
    copy->people = sample->people;
    for (int32_t i = 0; i < copy->shapeCount; ++i) {
        sample->shapes[i] = recording->shapes[i];
        sample->shapes[i].points = sample->points[i];
        for (int32_t k = 0; k < recording->shapes[i].pointCount; ++k)
            sample->points[i][k] = recording->shapes[i].points[k];
    }
    copy->shapes = recording->shapes != NULL ? sample->shapes : NULL;
}

static void assertSamePeople(const thRecording* a, const thRecording* b)
{
    assert_int_equal(a->personCount, b->personCount);
    for (int32_t i = 0; i < a->personCount; ++i) {
        const thRecordedPerson *left = &a->people[i], *right = &b->people[i];
        assert_int_equal(left->id, right->id);
        assert_true(left->key == right->key);
        assert_same_bits(left->radius, right->radius);
        assert_same_bits(left->speed, right->speed);
        assert_same_bits(left->planned, right->planned);
        assert_int_equal(left->level, right->level);
        assert_int_equal(left->goal, right->goal);
        assert_int_equal(left->group, right->group);
        assert_int_equal(left->entry, right->entry);
    }
}

static void assertSameShapes(const thRecording* a, const thRecording* b)
{
    assert_int_equal(a->shapes == NULL, b->shapes == NULL);
    assert_int_equal(a->shapeCount, b->shapeCount);
    for (int32_t i = 0; i < a->shapeCount; ++i) {
        const thRecordedShape *left = &a->shapes[i], *right = &b->shapes[i];
        assert_int_equal(left->kind, right->kind);
        assert_int_equal(left->level, right->level);
        assert_same_bits(left->radius, right->radius);
        assert_int_equal(left->pointCount, right->pointCount);
        for (int32_t k = 0; k < left->pointCount; ++k)
            assert_true(left->points[k].x == right->points[k].x &&
                        left->points[k].y == right->points[k].y);
    }
}

void assertSameRecording(const thRecording* a, const thRecording* b)
{
    assert_true(a->frame.number == b->frame.number);
    assert_int_equal(a->frame.count, b->frame.count);
    assert_int_equal(a->frame.heading == NULL, b->frame.heading == NULL);
    for (int32_t i = 0; i < a->frame.count; ++i) {
        assert_int_equal(a->frame.id[i], b->frame.id[i]);
        assert_true(a->frame.x[i] == b->frame.x[i] && a->frame.y[i] == b->frame.y[i]);
        if (a->frame.heading != NULL) {
            // Halfway round, both ends of the range mean the same.
            const double apart = fabs((double)a->frame.heading[i] - (double)b->frame.heading[i]);
            assert_true(apart < 4.8e-5 || apart > 6.2831);
        }
    }
    assertSamePeople(a, b);
    assertSameShapes(a, b);
}

thRecordHead headOfRun(const Stage* stage)
{
    const thSceneInfo info = thScene_GetInfo(stage->scene);
    return (thRecordHead){.rate = 1.0 / info.step,
                          .origin = {info.originX, info.originY},
                          .title = info.name,
                          .scene = "{}"};
}
