// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Files as other programs write them: HDF5 and SQLite of all layouts, and real people.
// Rows stand in any order and are of other types, geometry changes; data of real people are read
// where they lie beside the source tree.

#include "formats_gear.h"

#include <hdf5.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int compareById(const void* left, const void* right)
{
    const Sample *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->frame > b->frame) - (a->frame < b->frame);
}

// By id, in 64-bit numbers and floats, packed, with the rate at the root and a text of fixed
// length.
static void writeForeignH5(const char* path, const Track* track)
{
    typedef struct ForeignRow {
        double x, y;
        int64_t id, frame;
    } ForeignRow;
    const hsize_t count = (hsize_t)track->count, chunk = 1000;
    ForeignRow* rows = calloc(count, sizeof *rows);
    Sample* samples = calloc(count, sizeof *samples);
    assert_true(rows != NULL && samples != NULL);
    memcpy(samples, track->samples, count * sizeof *samples);
    qsort(samples, count, sizeof *samples, compareById);
    for (hsize_t i = 0; i < count; ++i)
        rows[i] =
            (ForeignRow){samples[i].x, samples[i].y, samples[i].id, 10 * samples[i].frame + 3};
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(ForeignRow));
    H5Tinsert(type, "id", offsetof(ForeignRow, id), H5T_NATIVE_INT64);
    H5Tinsert(type, "frame", offsetof(ForeignRow, frame), H5T_NATIVE_INT64);
    H5Tinsert(type, "x", offsetof(ForeignRow, x), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "y", offsetof(ForeignRow, y), H5T_NATIVE_DOUBLE);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &count, NULL), scalar = H5Screate(H5S_SCALAR);
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(layout, 1, &chunk);
    H5Pset_deflate(layout, 4);
    const hid_t set = H5Dcreate2(file, "trajectory", type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
    const int rate = 125;
    const hid_t fps = H5Acreate2(file, "fps", H5T_STD_I32BE, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(fps, H5T_NATIVE_INT, &rate);
    static const char text[] = "POLYGON ((0 0, 4 0, 4 3, 0 0))";
    const hid_t textType = H5Tcopy(H5T_C_S1);
    H5Tset_size(textType, sizeof text - 1);
    H5Tset_strpad(textType, H5T_STR_NULLPAD);
    const hid_t wkt = H5Acreate2(file, "wkt_geometry", textType, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(wkt, textType, text);
    H5Aclose(wkt);
    H5Tclose(textType);
    H5Aclose(fps);
    H5Dclose(set);
    H5Pclose(layout);
    H5Sclose(scalar);
    H5Sclose(space);
    H5Tclose(type);
    assert_true(H5Fclose(file) >= 0);
    free(rows);
    free(samples);
}

static void testForeignH5(void** state)
{
    (void)state;
    Track track = makeTrack(21, 60, 40, false);
    writeTrack(nameFile("sorted.h5"), &track, NULL, 0); // which sorts it
    writeForeignH5(nameFile("foreign.h5"), &track);
    Track back = readTrack(nameFile("foreign.h5"), NULL);
    assertSameTrack(&track, &back, 0.0); // 125 a second, every tenth
    ExitCode code;
    Recording* recording = appOpenRecording(nameFile("foreign.h5"), NULL, &code);
    assert_non_null(recording);
    assert_int_equal(recording->shapeCount, 1);
    assert_int_equal(recording->shapes[0].pointCount, 3);
    appCloseRecording(recording);
    freeTrack(&back);
    freeTrack(&track);
}

static void run(sqlite3* database, const char* query)
{
    char* error = NULL;
    if (sqlite3_exec(database, query, NULL, NULL, &error) != SQLITE_OK)
        fail_msg("%s: %s", query, error);
}

static sqlite3* create(const char* path, const char* schema)
{
    sqlite3* database;
    unlink(path);
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    run(database, schema);
    return database;
}

static void testVersions(void** state)
{
    (void)state;
    sqlite3* database =
        create(nameFile("v1.sqlite"),
               "CREATE TABLE trajectory_data(frame INTEGER, id INTEGER, pos_x REAL, pos_y REAL, "
               "ori_x REAL,"
               " ori_y REAL); CREATE TABLE metadata(key TEXT, value TEXT); CREATE TABLE "
               "geometry(wkt TEXT);"
               "INSERT INTO metadata VALUES('version', '1'), ('fps', '12.5');"
               "INSERT INTO geometry VALUES('POLYGON ((0 0, 4 0, 4 3, 0 0))');"
               "INSERT INTO trajectory_data VALUES(1, 5, 1, 2, 0, 1), (0, 7, 3, 4, 1, 0),"
               " (0, 5, 5, 6, -1, 0)");
    sqlite3_close(database);
    Track track = readTrack(nameFile("v1.sqlite"), NULL);
    const Sample expected[] = {
        {0, 5, 5.0, 6.0, 3.1415927f}, {0, 7, 3.0, 4.0, 0.0f}, {1, 5, 1.0, 2.0, 1.5707964f}};
    Sample copies[3];
    memcpy(copies, expected, sizeof copies);
    const Track wanted = {.samples = copies, .count = 3, .rate = 12.5};
    assertSameTrack(&wanted, &track, 0.0);
    freeTrack(&track);

    database = create(
        nameFile("v3.sqlite"),
        "CREATE TABLE trajectory_data(frame INTEGER, id INTEGER, pos_x REAL, pos_y REAL);"
        "CREATE TABLE metadata(key TEXT, value TEXT); CREATE TABLE geometry(hash INTEGER, wkt "
        "TEXT);"
        "CREATE TABLE frame_data(frame INTEGER, geometry_hash INTEGER);"
        "INSERT INTO metadata VALUES('version', '3'), ('fps', '5');"
        "INSERT INTO geometry VALUES(-8, 'POLYGON ((0 0, 4 0, 4 3, 0 0))'),"
        " (9, 'POLYGON ((0 0, 4 0, 4 3, 2 9, 0 0))');"
        "INSERT INTO frame_data VALUES(0, -8), (1, 9), (2, 9), (3, -8);"
        "INSERT INTO trajectory_data VALUES(0, 1, 1, 2), (1, 1, 3, 4), (2, 1, 5, 6), (3, 1, 0, 0)");
    sqlite3_close(database);
    ExitCode code;
    Recording* recording = appOpenRecording(nameFile("v3.sqlite"), NULL, &code);
    assert_non_null(recording);
    const int32_t corners[] = {3, 4, 4, 3};
    const bool changes[] = {false, true, false, true};
    assert_int_equal(recording->shapes[0].pointCount, 3);
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(appNextFrame(recording), nextFrame);
        assert_null(recording->latest.frame.heading);
        assert_int_equal(recording->latest.shapes != NULL, changes[i]);
        assert_int_equal(recording->shapes[0].pointCount, corners[i]);
    }
    assert_int_equal(appNextFrame(recording), nextEnd);
    appCloseRecording(recording);
}

// A door that opens and shuts is written as two geometries, and read back so.
static void testChanges(void** state)
{
    (void)state;
    static const thPlace hall[] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}};
    static const thPlace door[] = {{1, 1}, {2, 1}, {2, 2}};
    static const thPlace disc[] = {{3, 3}};
    const thRecordedShape shapes[] = {
        {.kind = th_shapeRoom, .points = hall, .pointCount = 4},
        {.kind = th_shapeMovingDisc, .points = disc, .pointCount = 1, .radius = 1.0f},
        {.kind = th_shapeSolid, .points = door, .pointCount = 3}};
    const int32_t counts[] = {3, 2, 2, 1, 3}; // the disc alone makes no difference
    const thRecordHead head = {.rate = 1.0, .title = ""};
    const uint32_t id = 1;
    const double x = 4.0, y = 4.0;
    const thRecordedPerson person = {.id = 1, .key = 1, .goal = -1, .group = -1, .entry = -1};
    ExitCode code;
    RecordingWriter* writer = appCreateRecording(nameFile("door.sqlite"), &head, shapes, 3, &code);
    assert_non_null(writer);
    for (int i = 0; i < 5; ++i) {
        const thRecording frame = {.frame = {.number = i, .count = 1, .id = &id, .x = &x, .y = &y},
                                   .people = &person,
                                   .personCount = i == 0,
                                   .shapes = shapes,
                                   .shapeCount = counts[i]};
        assert_true(appAddFrame(writer, &frame));
    }
    assert_true(appFinishRecording(writer));
    Recording* recording = appOpenRecording(nameFile("door.sqlite"), NULL, &code);
    assert_non_null(recording);
    const int32_t expected[] = {2, 1, 1, 1, 2};
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(appNextFrame(recording), nextFrame);
        assert_int_equal(recording->shapeCount, expected[i]);
    }
    appCloseRecording(recording);
    sqlite3* database;
    sqlite3_stmt* query;
    assert_int_equal(sqlite3_open(nameFile("door.sqlite"), &database), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(database, "SELECT count(*) FROM geometry", -1, &query, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(query, 0), 2);
    sqlite3_finalize(query);
    sqlite3_close(database);
}

// --- Real people ---

// Reads every file that a table of figures names, and holds its people, time and rate against it.
static void checkFolder(const char* folder)
{
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/derived_stats.csv", folder);
    FILE* table = fopen(path, "r");
    if (table == NULL) {
        print_message("%s is not there: skipped\n", path);
        skip();
    }
    int files = 0;
    assert_non_null(fgets(line, sizeof line, table));
    while (fgets(line, sizeof line, table) != NULL) {
        char name[256];
        int people;
        double rate, duration;
        assert_int_equal(sscanf(line, "%255[^,],%d,%lf,%lf", name, &people, &rate, &duration), 4);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (access(path, R_OK) != 0)
            continue; // some are kept elsewhere
        const RecordingDef def = {.rate = rate};
        Track track = readTrack(path, &def);
        const double step = rate / track.rate; // rows of every n-th frame
        assert_int_equal(track.people, people);
        assert_near(step, round(step), 1e-9);
        assert_near(track.duration, duration, 0.051);
        freeTrack(&track);
        files += 1;
    }
    fclose(table);
    assert_true(files > 0);
}

static void testJuelich(void** state)
{
    (void)state;
    checkFolder(THRONG_DATA "/trajectories_juelich");
}

static void testEth(void** state)
{
    (void)state;
    checkFolder(THRONG_DATA "/trajectories_eth_ucy");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testForeignH5), cmocka_unit_test(testVersions),
        cmocka_unit_test(testChanges),   cmocka_unit_test(testJuelich),
        cmocka_unit_test(testEth),
    };
    return RUN_TESTS(tests, argc, argv);
}
