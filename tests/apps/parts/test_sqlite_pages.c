// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Pages of SQLite files that we write: SQLite finds nothing wrong with them, and the same rows.
// These are held against a file that SQLite was given one by one.

#include "formats_gear.h"

#include "recording/sqlite_pages.h"
#include "throng/random.h"

#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

static const char schema[] =
    "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL,"
    " pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);"
    "CREATE INDEX frame_id_idx ON trajectory_data(frame, id);";

static sqlite3_int64 ask(sqlite3* database, const char* query)
{
    sqlite3_stmt* statement;
    if (sqlite3_prepare_v2(database, query, -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW)
        fail_msg("%s: %s", query, sqlite3_errmsg(database));
    const sqlite3_int64 value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

static void assertSound(sqlite3* database)
{
    sqlite3_stmt* statement;
    assert_int_equal(sqlite3_prepare_v2(database, "PRAGMA integrity_check", -1, &statement, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_string_equal((const char*)sqlite3_column_text(statement, 0), "ok");
    sqlite3_finalize(statement);
}

static sqlite3* createFile(const char* path, int pageSize)
{
    char pragma[96];
    sqlite3* database;
    unlink(path);
    snprintf(pragma, sizeof pragma, "PRAGMA synchronous = OFF; PRAGMA page_size = %d", pageSize);
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, pragma, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, schema, NULL, NULL, NULL), SQLITE_OK);
    return database;
}

// Rows of all sizes: frames and ids from small to the largest there are.
static SqliteRow makeRow(int32_t index, int32_t perFrame, uint64_t seed)
{
    const uint64_t stream = thRandomStream(seed, (uint64_t)index, 0, 0);
    const int64_t scale = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 70000 : (int64_t)1 << 33;
    const int64_t frame = (index / perFrame - 3) * scale;
    const int64_t id = (int64_t)(index % perFrame) * ((int64_t)UINT32_MAX / perFrame);
    return (SqliteRow){frame,
                       id,
                       thRandomUnit(stream, 0),
                       -1e9 * thRandomUnit(stream, 1),
                       0.0,
                       thRandomUnit(stream, 2)};
}

static void fillByPages(const char* path, int pageSize, int32_t rows, int32_t perFrame,
                        uint64_t seed)
{
    sqlite3* database = createFile(path, pageSize);
    const SqlitePagesDef def = {
        .path = path,
        .pageSize = (uint32_t)ask(database, "PRAGMA page_size"),
        .pageCount = (uint32_t)ask(database, "PRAGMA page_count"),
        .tableRoot = (uint32_t)ask(
            database, "SELECT rootpage FROM sqlite_schema WHERE name = 'trajectory_data'"),
        .indexRoot = (uint32_t)ask(
            database, "SELECT rootpage FROM sqlite_schema WHERE name = 'frame_id_idx'")};
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
    SqlitePages* pages = appOpenPages(&def);
    assert_non_null(pages);
    for (int32_t i = 0; i < rows; ++i) {
        const SqliteRow row = makeRow(i, perFrame, seed);
        assert_true(appAddPageRow(pages, &row));
    }
    assert_true(appClosePages(pages));
}

static void fillByInserts(const char* path, int pageSize, int32_t rows, int32_t perFrame,
                          uint64_t seed)
{
    sqlite3* database = createFile(path, pageSize);
    sqlite3_stmt* insert;
    sqlite3_exec(database, "BEGIN", NULL, NULL, NULL);
    assert_int_equal(sqlite3_prepare_v2(database,
                                        "INSERT INTO trajectory_data VALUES(?, ?, ?, ?, ?, ?)", -1,
                                        &insert, NULL),
                     SQLITE_OK);
    for (int32_t i = 0; i < rows; ++i) {
        const SqliteRow row = makeRow(i, perFrame, seed);
        sqlite3_bind_int64(insert, 1, row.frame);
        sqlite3_bind_int64(insert, 2, row.id);
        sqlite3_bind_double(insert, 3, row.x);
        sqlite3_bind_double(insert, 4, row.y);
        sqlite3_bind_double(insert, 5, row.eastward);
        sqlite3_bind_double(insert, 6, row.northward);
        assert_int_equal(sqlite3_step(insert), SQLITE_DONE);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

static void check(int pageSize, int32_t rows, int32_t perFrame, uint64_t seed)
{
    const char *ours = nameFile("ours.sqlite"), *theirs = nameFile("theirs.sqlite");
    fillByPages(ours, pageSize, rows, perFrame, seed);
    fillByInserts(theirs, pageSize, rows, perFrame, seed);
    sqlite3* database;
    char query[512];
    assert_int_equal(sqlite3_open(ours, &database), SQLITE_OK);
    assertSound(database);
    assert_int_equal(ask(database, "SELECT count(*) FROM trajectory_data NOT INDEXED"), rows);
    assert_int_equal(ask(database, "SELECT count(*) FROM trajectory_data INDEXED BY frame_id_idx "
                                   "WHERE frame > -9000000000000000000"),
                     rows);
    snprintf(query, sizeof query, "PRAGMA synchronous = OFF; ATTACH '%s' AS theirs", theirs);
    assert_int_equal(sqlite3_exec(database, query, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(
        ask(database, "SELECT count(*) FROM trajectory_data AS a JOIN theirs.trajectory_data AS b "
                      "ON a.rowid = b.rowid WHERE a.frame = b.frame AND a.id = b.id AND a.pos_x = "
                      "b.pos_x AND a.pos_y = b.pos_y AND a.ori_x = b.ori_x AND a.ori_y = b.ori_y"),
        rows);
    // What is written after us by SQLite itself is sound, too.
    assert_int_equal(sqlite3_exec(database,
                                  "DETACH theirs; CREATE TABLE more(a); INSERT INTO more VALUES(1);"
                                  "INSERT INTO trajectory_data VALUES(0, 5, 1, 2, 3, 4);"
                                  "DELETE FROM trajectory_data WHERE id % 3 = 0",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assertSound(database);
    sqlite3_close(database);
}

// Every number of rows around the points where pages and levels fill up, with small pages.
static void testSmall(void** state)
{
    (void)state;
    for (int32_t rows = 0; rows < 60; ++rows)
        check(512, rows, 7, (uint64_t)rows);
    for (int32_t rows = 60; rows < 9000; rows += 1 + rows / 4)
        check(512, rows, 1 + rows / 10, (uint64_t)rows);
}

// Four levels with the smallest pages, three with those of the program.
static void testLarge(void** state)
{
    (void)state;
    check(512, 60000, 3000, 1);
    check(4096, 60000, 3000, 2);
    check(65536, 20000, 100, 3);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testSmall), cmocka_unit_test(testLarge)};
    return RUN_TESTS(tests, argc, argv);
}
