// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What all kinds of recordings share: the table of people and the shapes, held against plain
// arrays. The recording that is read is made up here, in place of the kind for text.

#include "gear/gear.h"
#include "throng/random.h"

#include "recording/recording_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { frameCount = 200, mostPeople = 40, idRange = 3000 };

typedef struct MadeUp {
    uint64_t seed;
    uint32_t frame;
    thRecordedPerson people[mostPeople];
    thRecordedShape shapes[3];
    thPlace points[3][5];
} MadeUp;

// Ids that lie together, and ids from everywhere, 0 and the last one among them.
static uint32_t makeId(uint64_t seed, uint32_t frame, uint32_t index)
{
    const uint32_t bits = thRandomBits(thRandomStream(seed, frame, 0, 0), index);
    const uint32_t id = bits % idRange;
    return id < 2 ? 0u - id : bits & 1024 ? id : id * 1431655u;
}

static Next nextMadeUp(Recording* self)
{
    MadeUp* made = self->own;
    if (made->frame == frameCount)
        return nextEnd;
    const int32_t count =
        (int32_t)(thRandomBits(thRandomStream(made->seed, made->frame, 0, 1), 0) % mostPeople);
    for (int32_t i = 0; i < count; ++i)
        made->people[i] = (thRecordedPerson){
            .id = makeId(made->seed, made->frame, (uint32_t)i), .key = made->frame, .level = i};
    self->latest =
        (thRecording){.frame.number = made->frame, .people = made->people, .personCount = count};
    if (made->frame % 3 == 0) {
        for (int32_t i = 0; i < 3; ++i) {
            made->points[i][0].x = made->frame + (uint32_t)i;
            made->shapes[i] = (thRecordedShape){
                .kind = th_shapeWall, .points = made->points[i], .pointCount = 5 - i};
        }
        self->latest.shapes = made->shapes;
        self->latest.shapeCount = (int32_t)(made->frame % 4);
    } else {
        memset(made->points, 0xff, sizeof made->points); // nobody may look at them now
    }
    made->frame += 1;
    return nextFrame;
}

static void closeMadeUp(Recording* self)
{
    free(self->own);
}

static const RecordingKind madeUpKind = {".txt", "made up", nextMadeUp, closeMadeUp};

ExitCode appOpenText(Recording* recording, const RecordingDef* def)
{
    MadeUp* made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->seed = (uint64_t)def->rate;
    recording->kind = &madeUpKind;
    recording->own = made;
    if (made->seed > 0)
        return exitDone;
    free(made);
    return exitUsage;
}

ExitCode appBeginText(RecordingWriter* writer, const thRecordedShape* shapes, int32_t count)
{
    (void)writer;
    (void)shapes;
    (void)count;
    return exitUsage;
}

// Everybody, in the order of first appearance.
typedef struct Known {
    thRecordedPerson people[frameCount * mostPeople];
    int32_t count;
} Known;

static thRecordedPerson* findKnown(Known* known, uint32_t id)
{
    for (int32_t i = 0; i < known->count; ++i)
        if (known->people[i].id == id)
            return &known->people[i];
    return NULL;
}

static void learn(Known* known, const thRecordedPerson* person)
{
    thRecordedPerson* found = findKnown(known, person->id);
    if (found == NULL)
        found = &known->people[known->count++];
    *found = *person;
}

static void checkPeople(const Recording* recording, Known* known)
{
    assert_int_equal(recording->personCount, known->count);
    for (int32_t i = 0; i < known->count; ++i) {
        assert_memory_equal(&recording->people[i], &known->people[i], sizeof known->people[i]);
        assert_ptr_equal(appFindPerson(recording, known->people[i].id), &recording->people[i]);
    }
    for (uint32_t id = 0; id < 50; ++id)
        if (findKnown(known, id * 7919u) == NULL)
            assert_null(appFindPerson(recording, id * 7919u));
}

static void testPeople(void** state)
{
    (void)state;
    Known* known = calloc(1, sizeof *known);
    assert_non_null(known);
    for (int seed = 1; seed <= 5; ++seed) {
        const RecordingDef def = {.rate = seed};
        ExitCode code;
        known->count = 0;
        Recording* recording = appOpenRecording("made/up.txt", &def, &code);
        assert_non_null(recording);
        assert_null(appFindPerson(recording, 1));
        while (appNextFrame(recording) == nextFrame) {
            for (int32_t i = 0; i < recording->latest.personCount; ++i)
                learn(known, &recording->latest.people[i]);
            checkPeople(recording, known);
        }
        appCloseRecording(recording);
    }
    free(known);
}

static void testShapes(void** state)
{
    (void)state;
    const RecordingDef def = {.rate = 1};
    ExitCode code;
    Recording* recording = appOpenRecording("up.txt", &def, &code);
    assert_non_null(recording);
    assert_int_equal(recording->shapeCount, 0);
    for (uint32_t frame = 0; appNextFrame(recording) == nextFrame; ++frame) {
        const uint32_t told = frame - frame % 3;
        assert_int_equal(recording->shapeCount, told % 4);
        for (int32_t i = 0; i < recording->shapeCount; ++i) {
            assert_int_equal(recording->shapes[i].pointCount, 5 - i);
            assert_true(recording->shapes[i].points[0].x == told + (uint32_t)i);
        }
    }
    appCloseRecording(recording);
}

static void testNames(void** state)
{
    (void)state;
    const RecordingDef def = {0};
    ExitCode code;
    assert_true(appIsRecordingName("a.thlog") && appIsRecordingName("x/a.b.h5") &&
                appIsRecordingName("a.sqlite") && appIsRecordingName("a.txt"));
    assert_false(appIsRecordingName("a.json") || appIsRecordingName("thlog") ||
                 appIsRecordingName(".thlog") || appIsRecordingName("a.thlog.b") ||
                 appIsRecordingName(""));
    assert_null(appOpenRecording("a.json", &def, &code));
    assert_int_equal(code, exitUsage);
    assert_null(appOpenRecording("a.h5", &def, &code)); // built without HDF5 here
    assert_int_equal(code, exitEnvironment);
    assert_null(appOpenRecording("a.txt", &def, &code)); // the opener refuses
    assert_int_equal(code, exitUsage);
    assert_null(appOpenRecording("not/there.thlog", NULL, &code));
    assert_int_equal(code, exitEnvironment);
}

static void testLog(void** state)
{
    (void)state;
    static const thPlace corners[] = {{1.0, 2.0}, {3.0, 4.5}};
    const thRecordedShape wall = {.kind = th_shapeWall, .points = corners, .pointCount = 2};
    const thRecordHead head = {.rate = 10.0, .title = "made up", .scene = NULL};
    const uint32_t ids[] = {3, 9};
    const double x[] = {1.0, 2.5}, y[] = {-1.0, 0.25};
    const thRecordedPerson people[] = {{.id = 3, .key = 3, .goal = -1, .group = -1, .entry = -1},
                                       {.id = 9, .key = 9, .goal = -1, .group = -1, .entry = -1}};
    const thRecording frame = {.frame = {.number = 4, .count = 2, .id = ids, .x = x, .y = y},
                               .people = people,
                               .personCount = 2};
    char folder[] = "/tmp/throng-test-XXXXXX", path[64];
    ExitCode code;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.thlog", folder);
    RecordingWriter* writer = appCreateRecording(path, &head, &wall, 1, &code);
    assert_non_null(writer);
    assert_true(appAddFrame(writer, &frame));
    assert_false(appAddFrame(writer, &frame)); // its number does not ascend
    assert_false(appFinishRecording(writer));
    assert_null(appOpenRecording(path, NULL, &code)); // what is not complete gets no name
    writer = appCreateRecording(path, &head, &wall, 1, &code);
    assert_true(appAddFrame(writer, &frame));
    assert_true(appFinishRecording(writer));
    Recording* recording = appOpenRecording(path, NULL, &code);
    assert_non_null(recording);
    assert_true(recording->head.rate == 10.0);
    assert_string_equal(recording->head.title, "made up");
    assert_int_equal(appNextFrame(recording), nextFrame);
    assert_int_equal(recording->latest.frame.number, 4);
    assert_int_equal(recording->latest.frame.count, 2);
    assert_true(recording->latest.frame.x[1] == 2.5 && recording->latest.frame.y[0] == -1.0);
    assert_int_equal(recording->shapeCount, 1); // of the beginning
    assert_true(recording->shapes[0].points[1].y == 4.5);
    assert_int_equal(appFindPerson(recording, 9)->key, 9);
    assert_int_equal(appNextFrame(recording), nextEnd);
    assert_false(recording->wasCut);
    appCloseRecording(recording);
    remove(path);
    remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPeople),
        cmocka_unit_test(testShapes),
        cmocka_unit_test(testNames),
        cmocka_unit_test(testLog),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
