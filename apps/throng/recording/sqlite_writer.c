// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Writes recordings as SQLite in JuPedSim's layout, version 2. SQLite makes the tables and all
// small ones of their rows; the many rows of trajectories go to the file past it.

#include "../out_file.h"
#include "part_file.h"
#include "recording_kinds.h"
#include "sqlite_pages.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The walkable area from some frame on.
typedef struct Geometry {
    thRecordedShape* shapes;
    int32_t count;
    sqlite3_int64 hash; // of its text, which is known at the end
} Geometry;

typedef struct FrameGeometry {
    int64_t frame;
    int32_t geometry;
} FrameGeometry;

typedef struct SqliteWriter {
    char* part;
    SqlitePages* pages;
    Bounds bounds;
    Geometry* geometries;
    int32_t geometryCount, geometryCapacity;
    FrameGeometry* frames;
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

// --- Geometries ---

static bool isOfPlace(const thRecordedShape* shape)
{
    return shape->kind == th_shapeSolid || shape->kind == th_shapeRoom;
}

static const thRecordedShape* nextOfPlace(const thRecordedShape* at, const thRecordedShape* end)
{
    while (at < end && !isOfPlace(at))
        at += 1;
    return at;
}

static bool isSameShape(const thRecordedShape* a, const thRecordedShape* b)
{
    return a->kind == b->kind && a->level == b->level && a->pointCount == b->pointCount &&
           memcmp(a->points, b->points, (size_t)a->pointCount * sizeof *a->points) == 0;
}

// Whether the walkable area is still the same: movers do not count.
static bool isSamePlace(const Geometry* geometry, const thRecordedShape* shapes, int32_t count)
{
    const thRecordedShape *a = geometry->shapes, *aEnd = a + geometry->count;
    const thRecordedShape *b = shapes, *bEnd = b + count;
    for (;; ++a, ++b) {
        a = nextOfPlace(a, aEnd);
        b = nextOfPlace(b, bEnd);
        if (a == aEnd || b == bEnd)
            return a == aEnd && b == bEnd;
        if (!isSameShape(a, b))
            return false;
    }
}

static bool addGeometry(SqliteWriter* sqlite, const thRecordedShape* shapes, int32_t count)
{
    if (sqlite->geometryCount == sqlite->geometryCapacity) {
        const int32_t capacity = sqlite->geometryCapacity > 0 ? 2 * sqlite->geometryCapacity : 4;
        Geometry* grown = realloc(sqlite->geometries, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        sqlite->geometries = grown;
        sqlite->geometryCapacity = capacity;
    }
    thRecordedShape* copies = appCopyShapes(shapes, count);
    if (copies == NULL)
        return false;
    sqlite->geometries[sqlite->geometryCount++] = (Geometry){copies, count, 0};
    return true;
}

static bool noteFrame(SqliteWriter* sqlite, int64_t frame)
{
    if (sqlite->frameCount == sqlite->frameCapacity) {
        const int32_t capacity = sqlite->frameCapacity > 0 ? 2 * sqlite->frameCapacity : 256;
        FrameGeometry* grown = realloc(sqlite->frames, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        sqlite->frames = grown;
        sqlite->frameCapacity = capacity;
    }
    sqlite->frames[sqlite->frameCount++] = (FrameGeometry){frame, sqlite->geometryCount - 1};
    return true;
}

// --- Frames ---

static bool addSqlite(RecordingWriter* self, const thRecording* recording)
{
    SqliteWriter* sqlite = self->own;
    const thRecordedFrame* frame = &recording->frame;
    const Geometry* latest = &sqlite->geometries[sqlite->geometryCount - 1];
    if (recording->shapes != NULL &&
        !isSamePlace(latest, recording->shapes, recording->shapeCount) &&
        !addGeometry(sqlite, recording->shapes, recording->shapeCount))
        return failWith(self, "no memory");
    if (!noteFrame(sqlite, frame->number))
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
    SqlitePagesDef def = {.path = sqlite->part};
    sqlite3* database = NULL;
    bool good =
        sqlite3_open(sqlite->part, &database) == SQLITE_OK &&
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

static bool insertMetadata(sqlite3* database, double rate, const Bounds* bounds)
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

static bool insertGeometries(RecordingWriter* self, sqlite3* database)
{
    SqliteWriter* sqlite = self->own;
    sqlite3_stmt* insert = NULL;
    bool good = sqlite3_prepare_v2(database, "INSERT OR IGNORE INTO geometry VALUES(?, ?)", -1,
                                   &insert, NULL) == SQLITE_OK;
    for (int32_t i = 0; i < sqlite->geometryCount && good; ++i) {
        Geometry* geometry = &sqlite->geometries[i];
        char* text =
            appDescribeWalkable(self->path, geometry->shapes, geometry->count, &sqlite->bounds);
        sqlite->failed = text == NULL;
        good = text != NULL;
        if (good) {
            geometry->hash = hashText(text);
            good = sqlite3_bind_int64(insert, 1, geometry->hash) == SQLITE_OK &&
                   sqlite3_bind_text(insert, 2, text, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                   finishStep(insert);
        }
        free(text);
    }
    sqlite3_finalize(insert);
    return good;
}

static bool insertFrames(const SqliteWriter* sqlite, sqlite3* database)
{
    sqlite3_stmt* insert = NULL;
    bool good = sqlite3_prepare_v2(database, "INSERT INTO frame_data VALUES(?, ?)", -1, &insert,
                                   NULL) == SQLITE_OK;
    for (int32_t i = 0; i < sqlite->frameCount && good; ++i) {
        const FrameGeometry* frame = &sqlite->frames[i];
        good =
            sqlite3_bind_int64(insert, 1, frame->frame) == SQLITE_OK &&
            sqlite3_bind_int64(insert, 2, sqlite->geometries[frame->geometry].hash) == SQLITE_OK &&
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
        sqlite3_open(sqlite->part, &database) == SQLITE_OK &&
        sqlite3_exec(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", NULL,
                     NULL, NULL) == SQLITE_OK &&
        insertMetadata(database, self->head.rate, &sqlite->bounds) &&
        insertGeometries(self, database) && insertFrames(sqlite, database) &&
        sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (!good)
        failWith(self, sqlite3_errmsg(database));
    sqlite3_close(database);
    return good;
}

// --- Life ---

static bool closeSqlite(RecordingWriter* self)
{
    SqliteWriter* sqlite = self->own;
    if (sqlite->pages != NULL && !appClosePages(sqlite->pages))
        failWith(self, strerror(errno));
    bool good = !sqlite->failed && !self->isAbandoned && fillTables(self);
    good = appEndPart(sqlite->part, self->path, good);
    for (int32_t i = 0; i < sqlite->geometryCount; ++i)
        free(sqlite->geometries[i].shapes);
    free(sqlite->geometries);
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
    sqlite->part = appNamePart(writer->path);
    if (sqlite->part == NULL)
        sqlite->failed = true;
    else if (unlink(sqlite->part) != 0 && errno != ENOENT) // of a writer that was killed
        failWith(writer, strerror(errno));
    else if (!addGeometry(sqlite, shapes, count))
        failWith(writer, "no memory");
    else if (createTables(writer))
        return exitDone;
    closeSqlite(writer);
    return exitEnvironment;
}
