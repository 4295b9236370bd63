// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What HDF5 and SQLite keep beyond their layouts: people and shapes come back.
// Also by way of a log; and what is damaged is passed over.

#include "formats_gear.h"

#include <hdf5.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static const thPlace hall[] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}};
static const thPlace pillar[] = {{1, 1}, {2, 1}, {2, 2}};
static const thPlace wall[] = {{3, 3}, {4, 3.125}};
static const thPlace disc[] = {{5, 5}};
static const thPlace exitLine[] = {{9, 4}, {9, 5}};

// What stands, what moves, and goals.
static const thRecordedShape shapes[] = {
    {.kind = th_shapeRoom, .points = hall, .pointCount = 4},
    {.kind = th_shapeMovingDisc, .points = disc, .pointCount = 1, .radius = 0.5f},
    {.kind = th_shapeSolid, .level = 1, .points = pillar, .pointCount = 3},
    {.kind = th_shapeWall, .level = -2, .points = wall, .pointCount = 2},
    {.kind = th_shapeGoalSegment, .points = exitLine, .pointCount = 2},
    {.kind = th_shapeGoalDisc, .points = disc, .pointCount = 1, .radius = 1.5f},
    {.kind = th_shapeGoalPoint, .points = wall, .pointCount = 1},
};
enum { roomAt, discAt, pillarAt, wallAt, goalAt, shapeCount = 7 };

enum { peopleCount = 5, frameCount = 8 };

static thRecordedPerson makePerson(int32_t i)
{
    return (thRecordedPerson){.id = idOf(i),
                              .key = UINT64_MAX - (uint64_t)i,
                              .radius = 0.2f + 0.01f * (float)i,
                              .speed = 1.3f + 0.1f * (float)i,
                              .planned = 3.5f * (float)i,
                              .level = i - 2,
                              .goal = i % 4 - 1,
                              .group = i - 1,
                              .entry = 2 * i};
}

static int compareIds(const void* left, const void* right)
{
    const uint32_t a = *(const uint32_t*)left, b = *(const uint32_t*)right;
    return (a > b) - (a < b);
}

static RecordingWriter* begin(const char* path)
{
    const thRecordHead head = {.rate = 4.0, .title = "made up"};
    ExitCode code;
    RecordingWriter* writer = appCreateRecording(path, &head, shapes, shapeCount, &code);
    assert_non_null(writer);
    return writer;
}

// Frames from a number on with everybody in them. `people` are told of in the first.
static void addFrames(RecordingWriter* writer, int64_t from, int64_t to,
                      const thRecordedPerson* people, int32_t count, const thRecordedShape* now,
                      int32_t nowCount)
{
    uint32_t ids[peopleCount];
    double x[peopleCount], y[peopleCount];
    for (int32_t i = 0; i < peopleCount; ++i) {
        ids[i] = idOf(i);
        x[i] = y[i] = 0.5 * i;
    }
    qsort(ids, peopleCount, sizeof ids[0], compareIds);
    for (int64_t number = from; number < to; ++number) {
        const bool isFirst = number == from;
        const thRecording frame = {
            .frame = {.number = number, .count = peopleCount, .id = ids, .x = x, .y = y},
            .people = people,
            .personCount = isFirst ? count : 0,
            .shapes = isFirst ? now : NULL,
            .shapeCount = isFirst ? nowCount : 0};
        assert_true(appAddFrame(writer, &frame));
    }
}

// People who are first told of without some of it. The wall is away in frames 3 and 4, and with it
// everything else in frame 5; in frame 6 all of it is back, with other goals.
static void writeStory(const char* path)
{
    thRecordedPerson people[peopleCount], before[peopleCount];
    for (int32_t i = 0; i < peopleCount; ++i) {
        people[i] = before[i] = makePerson(i);
        before[i].planned = 0.0f;
        before[i].radius = 7.0f;
    }
    const thRecordedShape withoutWall[] = {shapes[roomAt], shapes[discAt],     shapes[pillarAt],
                                           shapes[goalAt], shapes[goalAt + 1], shapes[goalAt + 2]};
    thRecordedShape others[shapeCount];
    memcpy(others, shapes, sizeof shapes);
    others[goalAt + 1].radius = 9.0f;
    RecordingWriter* writer = begin(path);
    addFrames(writer, 0, 1, before, peopleCount, NULL, 0);
    addFrames(writer, 1, 3, people, peopleCount, NULL, 0);
    addFrames(writer, 3, 5, NULL, 0, withoutWall, 6);
    addFrames(writer, 5, 6, NULL, 0, shapes + goalAt, 3);
    addFrames(writer, 6, frameCount, people, peopleCount, others, shapeCount);
    assert_true(appFinishRecording(writer));
}

static void expectShapes(const Recording* recording, const int* expected, int32_t count)
{
    assert_int_equal(recording->shapeCount, count);
    for (int32_t i = 0; i < count; ++i) {
        const thRecordedShape *a = &recording->shapes[i], *b = &shapes[expected[i]];
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->level, b->level);
        assert_true(a->radius == b->radius);
        assert_int_equal(a->pointCount, b->pointCount);
        assert_memory_equal(a->points, b->points, (size_t)a->pointCount * sizeof *a->points);
    }
}

static void checkStory(const char* path)
{
    static const int all[] = {roomAt, pillarAt, wallAt, goalAt, goalAt + 1, goalAt + 2};
    static const int withoutWall[] = {roomAt, pillarAt, goalAt, goalAt + 1, goalAt + 2};
    ExitCode code;
    Recording* recording = appOpenRecording(path, NULL, &code);
    assert_non_null(recording);
    for (int frame = 0; frame < frameCount; ++frame) {
        assert_int_equal(appNextFrame(recording), nextFrame);
        if (frame == 3 || frame == 4)
            expectShapes(recording, withoutWall, 5);
        else if (frame == 5)
            expectShapes(recording, all + 3, 3);
        else
            expectShapes(recording, all, 6);
    }
    for (int32_t i = 0; i < peopleCount; ++i) {
        const thRecordedPerson* found = appFindPerson(recording, idOf(i));
        thRecordedPerson expected = makePerson(i);
        if (expected.goal >= 1) // that goal has become another one at last
            expected.goal = -1;
        assert_non_null(found);
        assert_true(found->key == expected.key && found->radius == expected.radius &&
                    found->speed == expected.speed && found->planned == expected.planned);
        assert_int_equal(found->level, expected.level);
        assert_int_equal(found->goal, expected.goal);
        assert_int_equal(found->group, expected.group);
        assert_int_equal(found->entry, expected.entry);
    }
    appCloseRecording(recording);
}

static void copyTo(const char* from, const char* to)
{
    ExitCode code;
    Recording* recording = appOpenRecording(from, NULL, &code);
    assert_non_null(recording);
    assert_int_equal(appNextFrame(recording), nextFrame);
    RecordingWriter* writer =
        appCreateRecording(to, &recording->head, recording->shapes, recording->shapeCount, &code);
    assert_non_null(writer);
    do
        assert_true(appAddFrame(writer, &recording->latest));
    while (appNextFrame(recording) == nextFrame);
    assert_true(appFinishRecording(writer));
    appCloseRecording(recording);
}

static void testRoundTrip(void** state)
{
    (void)state;
    const char* const kinds[] = {"story.h5", "story.sqlite"};
    for (int i = 0; i < 2; ++i) {
        writeStory(nameFile(kinds[i]));
        checkStory(nameFile(kinds[i]));
        copyTo(nameFile(kinds[i]), nameFile("way.thlog"));
        checkStory(nameFile("way.thlog"));
        copyTo(nameFile("way.thlog"), nameFile(kinds[1 - i]));
        checkStory(nameFile(kinds[1 - i]));
    }
}

// Where there are very many goals, as when everybody has some of its own, none is kept.
static void testManyGoals(void** state)
{
    (void)state;
    enum { goals = 10001 };
    static thRecordedShape many[goals + 1];
    const thRecordHead head = {.rate = 4.0, .title = ""};
    const thRecordedPerson person = makePerson(1); // who heads for goal 0
    const uint32_t id = person.id;
    const double at = 1.0;
    const thRecording frame = {.frame = {.count = 1, .id = &id, .x = &at, .y = &at},
                               .people = &person,
                               .personCount = 1,
                               .shapes = many,
                               .shapeCount = goals + 1};
    ExitCode code;
    many[0] = shapes[wallAt];
    for (int32_t i = 1; i <= goals; ++i)
        many[i] = shapes[goalAt];
    for (int32_t count = goals; count <= goals + 1; ++count) {
        RecordingWriter* writer =
            appCreateRecording(nameFile("many.h5"), &head, many, count, &code);
        assert_non_null(writer);
        thRecording some = frame;
        some.shapeCount = count;
        assert_true(appAddFrame(writer, &some));
        assert_true(appFinishRecording(writer));
        Recording* recording = appOpenRecording(nameFile("many.h5"), NULL, &code);
        assert_non_null(recording);
        assert_int_equal(appNextFrame(recording), nextFrame);
        assert_int_equal(recording->shapeCount, count == goals ? goals : 1);
        assert_int_equal(recording->people[0].goal, count == goals ? person.goal : -1);
        appCloseRecording(recording);
    }
}

// Walls that are given take the place of all, also of those that come later.
static void testGivenWalls(void** state)
{
    (void)state;
    const char* const kinds[] = {"story.h5", "story.sqlite", "way.thlog"};
    writeFile(nameFile("given.wkt"), "LINESTRING (0 0, 1 1, 2 1)");
    const RecordingDef def = {.geometry = nameFile("given.wkt")};
    for (int i = 0; i < 3; ++i) {
        ExitCode code;
        Recording* recording = appOpenRecording(nameFile(kinds[i]), &def, &code);
        assert_non_null(recording);
        while (appNextFrame(recording) == nextFrame) {
            assert_int_equal(recording->shapeCount, 1);
            assert_int_equal(recording->shapes[0].pointCount, 3);
        }
        assert_true(appFindPerson(recording, idOf(3))->radius == makePerson(3).radius);
        appCloseRecording(recording);
    }
}

// Nobody, and nothing.
static void testEmpty(void** state)
{
    (void)state;
    const char* const kinds[] = {"empty.h5", "empty.sqlite", "empty.txt", "empty.thlog"};
    const thRecordHead head = {.rate = 4.0, .title = ""};
    const thRecording frame = {.frame = {.number = 3}};
    for (int i = 0; i < 4; ++i) {
        ExitCode code;
        RecordingWriter* writer = appCreateRecording(nameFile(kinds[i]), &head, NULL, 0, &code);
        assert_non_null(writer);
        assert_true(appAddFrame(writer, &frame));
        assert_true(appFinishRecording(writer));
        Recording* recording = appOpenRecording(nameFile(kinds[i]), NULL, &code);
        assert_non_null(recording);
        assert_near(recording->head.rate, 4.0, 0.0);
        assert_int_equal(appNextFrame(recording), nextFrame);
        assert_int_equal(recording->latest.frame.number, 3);
        assert_int_equal(recording->latest.frame.count, 0);
        assert_int_equal(appNextFrame(recording), nextEnd);
        assert_int_equal(appNextFrame(recording), nextEnd);
        assert_int_equal(recording->shapeCount, 0);
        appCloseRecording(recording);
    }
}

// --- Damage ---

// Reads a file to its end. What is left of the story: people with radii, and the number of shapes
// in the first frame.
static void expectLeft(const char* path, bool people, int32_t count)
{
    ExitCode code;
    Recording* recording = appOpenRecording(path, NULL, &code);
    assert_non_null(recording);
    assert_int_equal(appNextFrame(recording), nextFrame);
    assert_int_equal(recording->shapeCount, count);
    while (appNextFrame(recording) == nextFrame) {
    }
    for (int32_t i = 0; i < peopleCount; ++i)
        assert_true((appFindPerson(recording, idOf(i))->radius > 0.0f) == people);
    appCloseRecording(recording);
}

static void damageSqlite(const char* path, const char* query)
{
    sqlite3* database;
    char* error = NULL;
    writeStory(path);
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    if (sqlite3_exec(database, query, NULL, NULL, &error) != SQLITE_OK)
        fail_msg("%s: %s", query, error);
    sqlite3_close(database);
}

static void testDamagedSqlite(void** state)
{
    (void)state;
    const char* path = nameFile("damaged.sqlite");
    const char* const people[] = {
        "DROP TABLE throng_people",
        "DROP TABLE throng_people; CREATE TABLE throng_people(id, radius)",
        "UPDATE throng_people SET radius = -1 WHERE id = 0",
        "UPDATE throng_people SET speed = 1e300",
        "UPDATE throng_people SET level = 3000000000",
        "UPDATE throng_people SET goal = -2",
        "INSERT INTO throng_people VALUES(-1, 1, 1, 1, 1, 1, 1, 1, 1)",
    };
    for (size_t i = 0; i < sizeof people / sizeof people[0]; ++i) {
        damageSqlite(path, people[i]);
        expectLeft(path, false, 6);
    }
    const char* const corners[] = {
        "DROP TABLE throng_shapes",
        "DROP TABLE throng_shapes; CREATE TABLE throng_shapes(x, y)",
        "UPDATE throng_shapes SET kind = 9 WHERE shape = 1",
        "UPDATE throng_shapes SET kind = 3 WHERE shape = 1", // what moves is not there
        "UPDATE throng_shapes SET kind = -1",
        "UPDATE throng_shapes SET level = -3000000000",
        "UPDATE throng_shapes SET radius = -1",
        "UPDATE throng_shapes SET x = 1e300 WHERE shape = 2",
        "UPDATE throng_shapes SET shape = 5 WHERE shape = 1",
        "UPDATE throng_shapes SET shape = -1 WHERE shape = 1",
        "UPDATE throng_shapes SET frame = 9 WHERE frame = 3",
        "UPDATE throng_shapes SET frame = 1 - frame",
    };
    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; ++i) {
        damageSqlite(path, corners[i]);
        expectLeft(path, true, 1); // the walkable area, without what is on another floor
    }
}

// Puts another table in the place of one: rows of two numbers, called as one likes.
static void damageH5(const char* path, const char* table, const char* first, const char* second)
{
    typedef struct Pair {
        int32_t first, second;
    } Pair;
    const Pair rows[] = {{0, 1}, {0, 2}};
    const hsize_t count = 2;
    writeStory(path);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t group = H5Gopen2(file, "throng", H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Pair));
    H5Tinsert(type, first, offsetof(Pair, first), H5T_NATIVE_INT32);
    H5Tinsert(type, second, offsetof(Pair, second), H5T_NATIVE_INT32);
    assert_true(H5Ldelete(group, table, H5P_DEFAULT) >= 0);
    const hid_t set = H5Dcreate2(group, table, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
    H5Dclose(set);
    H5Tclose(type);
    H5Sclose(space);
    H5Gclose(group);
    assert_true(H5Fclose(file) >= 0);
}

// Swaps two rows of people, whose ids then do not ascend.
static void shuffleH5(const char* path)
{
    uint32_t ids[peopleCount];
    writeStory(path);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "throng/people", H5P_DEFAULT);
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof ids[0]);
    H5Tinsert(type, "id", 0, H5T_NATIVE_UINT32);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids) >= 0);
    ids[3] = ids[1];
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids) >= 0);
    H5Tclose(type);
    H5Dclose(set);
    assert_true(H5Fclose(file) >= 0);
}

static void removeH5(const char* path, const char* what)
{
    writeStory(path);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, what, H5P_DEFAULT) >= 0);
    assert_true(H5Fclose(file) >= 0);
}

static void testDamagedH5(void** state)
{
    (void)state;
    const char* path = nameFile("damaged.h5");
    damageH5(path, "people", "id", "radius");
    expectLeft(path, false, 6);
    damageH5(path, "people", "a", "b");
    expectLeft(path, false, 6);
    shuffleH5(path);
    expectLeft(path, false, 6);
    removeH5(path, "throng/people");
    expectLeft(path, false, 6);
    damageH5(path, "shapes", "x", "y");
    expectLeft(path, true, 1);
    removeH5(path, "throng/shapes");
    expectLeft(path, true, 1);
    removeH5(path, "throng");
    expectLeft(path, false, 1);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRoundTrip),     cmocka_unit_test(testManyGoals),
        cmocka_unit_test(testGivenWalls),    cmocka_unit_test(testEmpty),
        cmocka_unit_test(testDamagedSqlite), cmocka_unit_test(testDamagedH5),
    };
    return RUN_TESTS(tests, argc, argv);
}
