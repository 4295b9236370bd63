// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Writes recordings as SQLite in JuPedSim's layout, version 2. SQLite makes the tables and all
// small ones of their rows; the many rows of trajectories go to the file past it.

#include "output.h"
#include "recording/extras.h"
#include "recording/sqlite_pages.h"
#include "recording/writing.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// --- Extras: the tables throng_people and throng_shapes ---

static const char extrasSchema[] =
    "CREATE TABLE throng_people(id INTEGER PRIMARY KEY, key INTEGER NOT NULL,"
    " radius REAL NOT NULL, speed REAL NOT NULL, planned REAL NOT NULL, level INTEGER NOT NULL,"
    " goal INTEGER NOT NULL, \"group\" INTEGER NOT NULL, entry INTEGER NOT NULL);"
    "CREATE TABLE throng_shapes(frame INTEGER NOT NULL, shape INTEGER NOT NULL,"
    " kind INTEGER NOT NULL, level INTEGER NOT NULL, radius REAL NOT NULL, x REAL NOT NULL,"
    " y REAL NOT NULL);";

// Values of a row, one after the other.
typedef struct Binder {
    sqlite3_stmt* statement;
    int at;
} Binder;

static void bindWhole(Binder* binder, int64_t value)
{
    sqlite3_bind_int64(binder->statement, ++binder->at, value);
}

static void bindNumber(Binder* binder, double value)
{
    sqlite3_bind_double(binder->statement, ++binder->at, value);
}

static bool insertRow(const Binder* binder)
{
    const bool good = sqlite3_step(binder->statement) == SQLITE_DONE;
    sqlite3_reset(binder->statement);
    return good;
}

static bool insertPerson(sqlite3_stmt* insert, const thRecordedPerson* person)
{
    Binder binder = {insert, 0};
    bindWhole(&binder, person->id);
    bindWhole(&binder, (int64_t)person->key);
    bindNumber(&binder, (double)person->radius);
    bindNumber(&binder, (double)person->speed);
    bindNumber(&binder, (double)person->planned);
    bindWhole(&binder, person->level);
    bindWhole(&binder, person->goal);
    bindWhole(&binder, person->group);
    bindWhole(&binder, person->entry);
    return insertRow(&binder);
}

static bool insertPeople(sqlite3* database, const Extras* extras)
{
    static const char query[] = "INSERT INTO throng_people VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)";
    sqlite3_stmt* insert = NULL;
    bool good = sqlite3_prepare_v2(database, query, -1, &insert, NULL) == SQLITE_OK;
    for (int32_t i = 0; i < extras->personCount && good; ++i)
        good = insertPerson(insert, &extras->people[i]);
    sqlite3_finalize(insert);
    return good;
}

static bool insertCorner(sqlite3_stmt* insert, const CornerRow* row)
{
    Binder binder = {insert, 0};
    bindWhole(&binder, row->frame);
    bindWhole(&binder, row->shape);
    bindWhole(&binder, row->kind);
    bindWhole(&binder, row->level);
    bindNumber(&binder, (double)row->radius);
    bindNumber(&binder, row->x);
    bindNumber(&binder, row->y);
    return insertRow(&binder);
}

static bool insertCorners(sqlite3* database, const Extras* extras)
{
    static const char query[] = "INSERT INTO throng_shapes VALUES(?, ?, ?, ?, ?, ?, ?)";
    sqlite3_stmt* insert = NULL;
    size_t count;
    CornerRow* rows = appListCorners(extras, &count);
    bool good = rows != NULL && sqlite3_prepare_v2(database, query, -1, &insert, NULL) == SQLITE_OK;
    for (size_t i = 0; i < count && good; ++i)
        good = insertCorner(insert, &rows[i]);
    sqlite3_finalize(insert);
    free(rows);
    return good;
}

// Creates and fills the tables. False when that fails; SQLite knows why.
static bool writeExtras(sqlite3* database, const Extras* extras)
{
    return sqlite3_exec(database, extrasSchema, NULL, NULL, NULL) == SQLITE_OK &&
           insertPeople(database, extras) && insertCorners(database, extras);
}

// --- The recording ---

typedef struct FrameSet {
    int64_t frame;
    int32_t set; // of shapes that stand in it
} FrameSet;

typedef struct SqliteWriter {
    OutFile out;
    SqlitePages* pages;
    WrittenBounds bounds;
    Extras extras;
    sqlite3_int64* hashes; // of the texts of the sets' walkable areas; known at the end
    FrameSet* frames;
    int32_t frameCount, frameCapacity;
    bool failed;
} SqliteWriter;

static bool failWith(RecordingWriter* self, const char* reason)
{
    SqliteWriter* sqlite = self->own;
    if (!sqlite->failed)
        appSay("cannot write '%s': %s", self->path, reason);
    sqlite->failed = true;
    return false;
}

static bool noteFrame(SqliteWriter* sqlite, int64_t frame)
{
    if (sqlite->frameCount == sqlite->frameCapacity) {
        const int32_t capacity = sqlite->frameCapacity > 0 ? 2 * sqlite->frameCapacity : 256;
        FrameSet* grown = realloc(sqlite->frames, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        sqlite->frames = grown;
        sqlite->frameCapacity = capacity;
    }
    sqlite->frames[sqlite->frameCount++] = (FrameSet){frame, sqlite->extras.setCount - 1};
    return true;
}

// --- Frames ---

static bool addSqlite(RecordingWriter* self, const thRecording* recording)
{
    SqliteWriter* sqlite = self->own;
    const thRecordedFrame* frame = &recording->frame;
    if (!appGatherExtras(&sqlite->extras, recording) || !noteFrame(sqlite, frame->number))
        return failWith(self, "no memory");
    for (int32_t i = 0; i < frame->count; ++i) {
        SqliteRow row = {
            .frame = frame->number, .id = frame->id[i], .x = frame->x[i], .y = frame->y[i]};
        if (frame->heading != NULL) {
            row.eastward = cosf(frame->heading[i]);
            row.northward = sinf(frame->heading[i]);
        }
        if (!appAddPageRow(sqlite->pages, &row))
            return failWith(self, strerror(errno));
    }
    appAddToBounds(&sqlite->bounds, frame->x, frame->y, frame->count);
    return true;
}

// --- What SQLite writes ---

static const char schema[] =
    "PRAGMA journal_mode = OFF;"
    "PRAGMA synchronous = OFF;"
    "BEGIN;"
    "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL,"
    " pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);"
    "CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);"
    "CREATE UNIQUE INDEX geometry_hash ON geometry(hash);"
    "CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);"
    "CREATE INDEX frame_id_idx ON trajectory_data(frame, id);"
    "COMMIT;";

static bool queryWhole(sqlite3* database, const char* query, uint32_t* value)
{
    sqlite3_stmt* statement = NULL;
    const bool good = sqlite3_prepare_v2(database, query, -1, &statement, NULL) == SQLITE_OK &&
                      sqlite3_step(statement) == SQLITE_ROW;
    if (good)
        *value = (uint32_t)sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return good;
}

// The empty tables, and where their pages are.
static bool createTables(RecordingWriter* self)
{
    SqliteWriter* sqlite = self->own;
    SqlitePagesDef def = {.path = sqlite->out.part};
    sqlite3* database = NULL;
    bool good =
        sqlite3_open(sqlite->out.part, &database) == SQLITE_OK &&
        sqlite3_exec(database, schema, NULL, NULL, NULL) == SQLITE_OK &&
        queryWhole(database, "PRAGMA page_size", &def.pageSize) &&
        queryWhole(database, "PRAGMA page_count", &def.pageCount) &&
        queryWhole(database, "SELECT rootpage FROM sqlite_schema WHERE name = 'trajectory_data'",
                   &def.tableRoot) &&
        queryWhole(database, "SELECT rootpage FROM sqlite_schema WHERE name = 'frame_id_idx'",
                   &def.indexRoot);
    if (!good)
        failWith(self, sqlite3_errmsg(database));
    sqlite3_close(database);
    if (!good)
        return false;
    sqlite->pages = appOpenPages(&def);
    return sqlite->pages != NULL || failWith(self, strerror(errno));
}

static bool finishStep(sqlite3_stmt* statement)
{
    const bool good = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
    return good;
}

static bool insertValue(sqlite3_stmt* statement, const char* key, const char* value)
{
    return sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_bind_text(statement, 2, value, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
           finishStep(statement);
}

static bool insertMetadata(sqlite3* database, double rate, const WrittenBounds* bounds)
{
    const struct {
        const char* key;
        double value;
    } numbers[] = {{"fps", rate},
                   {"xmin", bounds->low.x},
                   {"xmax", bounds->high.x},
                   {"ymin", bounds->low.y},
                   {"ymax", bounds->high.y}};
    sqlite3_stmt* insert = NULL;
    NumberText text;
    bool good = sqlite3_prepare_v2(database, "INSERT INTO metadata VALUES(?, ?)", -1, &insert,
                                   NULL) == SQLITE_OK &&
                insertValue(insert, "version", "2");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && good; ++i)
        good = insertValue(insert, numbers[i].key, appFormatNumber(&text, numbers[i].value));
    sqlite3_finalize(insert);
    return good;
}

// A number for a text: FNV-1a.
static sqlite3_int64 hashText(const char* text)
{
    uint64_t hash = 14695981039346656037u;
    for (; *text != '\0'; ++text)
        hash = (hash ^ (uint8_t)*text) * 1099511628211u;
    return (sqlite3_int64)hash;
}

// Sets that differ only in thin walls have the same text.
static bool insertGeometry(RecordingWriter* self, sqlite3_stmt* insert, int32_t index)
{
    SqliteWriter* sqlite = self->own;
    const ShapeSet* set = &sqlite->extras.sets[index];
    char* text = appDescribeWalkable(self->path, set->shapes, set->count, &sqlite->bounds);
    sqlite->failed = text == NULL;
    if (text == NULL)
        return false;
    sqlite->hashes[index] = hashText(text);
    const bool good = sqlite3_bind_int64(insert, 1, sqlite->hashes[index]) == SQLITE_OK &&
                      sqlite3_bind_text(insert, 2, text, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                      finishStep(insert);
    free(text);
    return good;
}

static bool insertGeometries(RecordingWriter* self, sqlite3* database)
{
    SqliteWriter* sqlite = self->own;
    const int32_t count = sqlite->extras.setCount;
    sqlite3_stmt* insert = NULL;
    sqlite->hashes = calloc((size_t)count, sizeof *sqlite->hashes);
    if (sqlite->hashes == NULL)
        return failWith(self, "no memory");
    bool good = sqlite3_prepare_v2(database, "INSERT OR IGNORE INTO geometry VALUES(?, ?)", -1,
                                   &insert, NULL) == SQLITE_OK;
    for (int32_t i = 0; i < count && good; ++i)
        good = insertGeometry(self, insert, i);
    sqlite3_finalize(insert);
    return good;
}

static bool insertFrames(const SqliteWriter* sqlite, sqlite3* database)
{
    sqlite3_stmt* insert = NULL;
    bool good = sqlite3_prepare_v2(database, "INSERT INTO frame_data VALUES(?, ?)", -1, &insert,
                                   NULL) == SQLITE_OK;
    for (int32_t i = 0; i < sqlite->frameCount && good; ++i) {
        const FrameSet* frame = &sqlite->frames[i];
        good = sqlite3_bind_int64(insert, 1, frame->frame) == SQLITE_OK &&
               sqlite3_bind_int64(insert, 2, sqlite->hashes[frame->set]) == SQLITE_OK &&
               finishStep(insert);
    }
    sqlite3_finalize(insert);
    return good;
}

static bool fillTables(RecordingWriter* self)
{
    SqliteWriter* sqlite = self->own;
    sqlite3* database = NULL;
    const bool good =
        sqlite3_open(sqlite->out.part, &database) == SQLITE_OK &&
        sqlite3_exec(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", NULL,
                     NULL, NULL) == SQLITE_OK &&
        insertMetadata(database, self->head.rate, &sqlite->bounds) &&
        insertGeometries(self, database) && insertFrames(sqlite, database) &&
        writeExtras(database, &sqlite->extras) &&
        sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (!good)
        failWith(self, sqlite3_errmsg(database));
    sqlite3_close(database);
    return good;
}

// --- Beginning and closing ---

static bool closeSqlite(RecordingWriter* self)
{
    SqliteWriter* sqlite = self->own;
    if (sqlite->pages != NULL && !appClosePages(sqlite->pages))
        failWith(self, strerror(errno));
    bool good = !sqlite->failed && !self->isAbandoned && fillTables(self);
    good = appCloseOut(&sqlite->out, good);
    appFreeExtras(&sqlite->extras);
    free(sqlite->hashes);
    free(sqlite->frames);
    free(sqlite);
    return good;
}

static const RecordingWriterKind sqliteKind = {".sqlite", "SQLite of JuPedSim", addSqlite,
                                               closeSqlite};

ExitCode appBeginSqlite(RecordingWriter* writer, const thRecordedShape* shapes, int32_t count)
{
    SqliteWriter* sqlite = calloc(1, sizeof *sqlite);
    if (sqlite == NULL) {
        appSay("cannot write '%s': no memory", writer->path);
        return exitEnvironment;
    }
    writer->own = sqlite;
    writer->kind = &sqliteKind;
    if (!appOpenPart(&sqlite->out, writer->path))
        sqlite->failed = true;
    else if (!appBeginExtras(&sqlite->extras, shapes, count))
        failWith(writer, "no memory");
    else if (createTables(writer))
        return exitDone;
    closeSqlite(writer);
    return exitEnvironment;
}
