// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Recordings in SQLite, in JuPedSim's layout, as they are read. Version 1 has one geometry,
// versions 2 and 3 one for each frame; version 3 does not say where people face.

#include "recording/frame_buffer.h"
#include "recording/geometry_file.h"
#include "recording/recording_kinds.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- Extras: the tables throng_people and throng_shapes ---

static const char peopleTable[] = "throng_people", shapesTable[] = "throng_shapes";

static bool hasTable(sqlite3* database, const char* name)
{
    sqlite3_stmt* query = NULL;
    const bool isThere = sqlite3_prepare_v2(database, "SELECT 1 FROM sqlite_schema WHERE name = ?",
                                            -1, &query, NULL) == SQLITE_OK &&
                         sqlite3_bind_text(query, 1, name, -1, SQLITE_STATIC) == SQLITE_OK &&
                         sqlite3_step(query) == SQLITE_ROW;
    sqlite3_finalize(query);
    return isThere;
}

// Rows as they are read.
typedef struct Rows {
    void* items;
    size_t size; // of an item
    size_t count, capacity;
    // Takes a row of the table; what is wrong with it, or NULL.
    const char* (*take)(struct Rows* self, sqlite3_stmt* row);
} Rows;

static const char outOfRange[] = "has a number that is out of range";
static const char noMemory[] = "does not fit into memory";

// Room for one more; NULL when memory is out.
static void* addItem(Rows* rows)
{
    if (rows->count == rows->capacity) {
        const size_t capacity = rows->capacity > 0 ? 2 * rows->capacity : 64;
        void* items = capacity <= INT32_MAX ? realloc(rows->items, capacity * rows->size) : NULL;
        if (items == NULL)
            return NULL;
        rows->items = items;
        rows->capacity = capacity;
    }
    return (char*)rows->items + rows->size * rows->count++;
}

// What 32 bits hold.
static int32_t wholeOf(sqlite3_stmt* row, int column, bool* good)
{
    const int64_t value = sqlite3_column_int64(row, column);
    *good = *good && value >= INT32_MIN && value <= INT32_MAX;
    return (int32_t)value;
}

static const char* takePerson(Rows* rows, sqlite3_stmt* row)
{
    thRecordedPerson* person = addItem(rows);
    if (person == NULL)
        return noMemory;
    const int64_t id = sqlite3_column_int64(row, 0);
    bool good = id >= 0 && id <= UINT32_MAX;
    *person = (thRecordedPerson){.id = (uint32_t)id,
                                 .key = (uint64_t)sqlite3_column_int64(row, 1),
                                 .radius = (float)sqlite3_column_double(row, 2),
                                 .speed = (float)sqlite3_column_double(row, 3),
                                 .planned = (float)sqlite3_column_double(row, 4),
                                 .level = wholeOf(row, 5, &good),
                                 .goal = wholeOf(row, 6, &good),
                                 .group = wholeOf(row, 7, &good),
                                 .entry = wholeOf(row, 8, &good)};
    return good ? NULL : outOfRange;
}

static const char* takeCorner(Rows* rows, sqlite3_stmt* row)
{
    CornerRow* corner = addItem(rows);
    if (corner == NULL)
        return noMemory;
    bool good = true;
    *corner = (CornerRow){.frame = sqlite3_column_int64(row, 0),
                          .shape = wholeOf(row, 1, &good),
                          .kind = wholeOf(row, 2, &good),
                          .level = wholeOf(row, 3, &good),
                          .radius = (float)sqlite3_column_double(row, 4),
                          .x = sqlite3_column_double(row, 5),
                          .y = sqlite3_column_double(row, 6)};
    return good ? NULL : outOfRange;
}

// All rows of a table; what is wrong with it, or NULL.
static const char* readRows(sqlite3* database, const char* text, Rows* rows)
{
    sqlite3_stmt* query = NULL;
    const char* wrong = NULL;
    if (sqlite3_prepare_v2(database, text, -1, &query, NULL) != SQLITE_OK)
        return "has not the columns that it should have";
    int code;
    while ((code = sqlite3_step(query)) == SQLITE_ROW && wrong == NULL)
        wrong = rows->take(rows, query);
    if (wrong == NULL && code != SQLITE_DONE)
        wrong = "cannot be read";
    sqlite3_finalize(query);
    return wrong;
}

static void readPeople(sqlite3* database, const char* path, Extras* extras)
{
    static const char query[] = "SELECT id, key, radius, speed, planned, level, goal, \"group\","
                                " entry FROM throng_people ORDER BY id";
    Rows rows = {.size = sizeof(thRecordedPerson), .take = takePerson};
    const char* wrong = readRows(database, query, &rows);
    if (wrong == NULL)
        wrong = appTakePeople(extras, rows.items, (int32_t)rows.count);
    if (wrong == NULL)
        return;
    appSayPassedOver(path, peopleTable, wrong);
    free(rows.items);
}

static void readCorners(sqlite3* database, const char* path, Extras* extras)
{
    static const char query[] = "SELECT frame, shape, kind, level, radius, x, y"
                                " FROM throng_shapes ORDER BY rowid";
    Rows rows = {.size = sizeof(CornerRow), .take = takeCorner};
    const char* wrong = readRows(database, query, &rows);
    if (wrong == NULL)
        wrong = appTakeCorners(extras, rows.items, rows.count);
    if (wrong != NULL)
        appSayPassedOver(path, shapesTable, wrong);
    free(rows.items);
}

// Extras that are there and make sense; of others it is said that they are passed over.
static void readExtras(sqlite3* database, const char* path, bool withShapes, Extras* extras)
{
    if (hasTable(database, peopleTable))
        readPeople(database, path, extras);
    if (withShapes && hasTable(database, shapesTable))
        readCorners(database, path, extras);
}

// --- The recording ---

typedef struct SqliteRecording {
    sqlite3* database;
    sqlite3_stmt* rows;       // by frame and id
    sqlite3_stmt* geometries; // (frame, hash) by frame; NULL: there is one for all
    bool hasRow;              // `rows` stands on one
    bool hasGeometry;         // `geometries` stands on one
    bool knowsGeometry;       // `geometry` is that of a frame
    sqlite3_int64 geometry;   // hash of the present one
    thShapeList* shapes;      // the present one
    int64_t step;             // of which all differences of frames are multiples
    FrameBuffer frame;
} SqliteRecording;

static ExitCode sayWrong(const Recording* recording, const char* what)
{
    appSay("'%s' is no SQLite file of JuPedSim: %s", recording->path, what);
    return exitUsage;
}

static bool sayCannotRead(const Recording* recording, const SqliteRecording* sqlite)
{
    appSay("cannot read '%s': %s", recording->path, sqlite3_errmsg(sqlite->database));
    return false;
}

static sqlite3_stmt* prepare(const SqliteRecording* sqlite, const char* query)
{
    sqlite3_stmt* statement = NULL;
    sqlite3_prepare_v2(sqlite->database, query, -1, &statement, NULL);
    return statement;
}

// Steps a statement; false, and said, when that fails.
static bool stepTo(const Recording* recording, const SqliteRecording* sqlite,
                   sqlite3_stmt* statement, bool* hasRow)
{
    const int code = sqlite3_step(statement);
    *hasRow = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE || sayCannotRead(recording, sqlite);
}

// --- Geometry ---

// The shapes of a geometry; none when there is no such one.
static ExitCode loadGeometry(const Recording* recording, SqliteRecording* sqlite,
                             sqlite3_int64 hash, bool byHash)
{
    ExitCode code = exitDone;
    sqlite3_stmt* query = prepare(sqlite, byHash ? "SELECT wkt FROM geometry WHERE hash = ?"
                                                 : "SELECT wkt FROM geometry");
    if (query == NULL)
        return sayWrong(recording, "there is no table 'geometry' as there should be");
    if (byHash)
        sqlite3_bind_int64(query, 1, hash);
    const char* text =
        sqlite3_step(query) == SQLITE_ROW ? (const char*)sqlite3_column_text(query, 0) : NULL;
    if (text != NULL) {
        thShapeList* list = appReadWkt(recording, text, &code);
        if (list != NULL) {
            thDestroyShapeList(sqlite->shapes);
            sqlite->shapes = list;
        }
    }
    sqlite3_finalize(query);
    return code;
}

// Brings the geometry up to date with a frame; `*changed` when it is another one.
static ExitCode followGeometry(const Recording* recording, SqliteRecording* sqlite, int64_t frame,
                               bool* changed)
{
    *changed = false;
    while (sqlite->geometries != NULL && sqlite->hasGeometry &&
           sqlite3_column_int64(sqlite->geometries, 0) < frame)
        if (!stepTo(recording, sqlite, sqlite->geometries, &sqlite->hasGeometry))
            return exitEnvironment;
    if (sqlite->geometries == NULL || !sqlite->hasGeometry ||
        sqlite3_column_int64(sqlite->geometries, 0) != frame)
        return exitDone;
    const sqlite3_int64 hash = sqlite3_column_int64(sqlite->geometries, 1);
    if (sqlite->knowsGeometry && hash == sqlite->geometry)
        return exitDone;
    *changed = true;
    sqlite->knowsGeometry = true;
    sqlite->geometry = hash;
    return loadGeometry(recording, sqlite, hash, true);
}

// --- Frames ---

static bool takeRow(Recording* self, SqliteRecording* sqlite)
{
    const double farthest = 1e9;
    const bool hasHeading = sqlite3_column_count(sqlite->rows) > 4;
    const sqlite3_int64 id = sqlite3_column_int64(sqlite->rows, 1);
    const FrameRow row = {.id = (uint32_t)id,
                          .x = sqlite3_column_double(sqlite->rows, 2),
                          .y = sqlite3_column_double(sqlite->rows, 3),
                          .east = hasHeading ? sqlite3_column_double(sqlite->rows, 4) : 0.0,
                          .north = hasHeading ? sqlite3_column_double(sqlite->rows, 5) : 0.0};
    const FrameBuffer* frame = &sqlite->frame;
    if (id < 0 || id > UINT32_MAX || !(fabs(row.x) <= farthest && fabs(row.y) <= farthest)) {
        appSay("'%s': person %" PRId64 " at (%g, %g) in frame %" PRId64 " is out of range",
               self->path, (int64_t)id, row.x, row.y,
               (int64_t)sqlite3_column_int64(sqlite->rows, 0));
        return false;
    }
    if (frame->count > 0 && frame->id[frame->count - 1] == row.id) {
        appSay("'%s': person %" PRIu32 " is twice in frame %" PRId64, self->path, row.id,
               (int64_t)sqlite3_column_int64(sqlite->rows, 0));
        return false;
    }
    if (!appAddRow(&sqlite->frame, &row)) {
        appSayNoMemoryFor(self);
        return false;
    }
    return stepTo(self, sqlite, sqlite->rows, &sqlite->hasRow);
}

static Next nextOfSqlite(Recording* self)
{
    SqliteRecording* sqlite = self->own;
    if (!sqlite->hasRow)
        return nextEnd;
    const int64_t number = sqlite3_column_int64(sqlite->rows, 0);
    bool changed;
    if (followGeometry(self, sqlite, number, &changed) != exitDone)
        return nextFailed;
    while (sqlite->hasRow && sqlite3_column_int64(sqlite->rows, 0) == number)
        if (!takeRow(self, sqlite))
            return nextFailed;
    if (!appGiveFrame(&sqlite->frame, self, number, sqlite->step)) {
        appSayNoMemoryFor(self);
        return nextFailed;
    }
    if (changed && sqlite->shapes != NULL)
        self->latest.shapes = thShapeList_GetShapes(sqlite->shapes, &self->latest.shapeCount);
    return nextFrame;
}

static void freeSqlite(SqliteRecording* sqlite)
{
    sqlite3_finalize(sqlite->rows);
    sqlite3_finalize(sqlite->geometries);
    sqlite3_close(sqlite->database);
    thDestroyShapeList(sqlite->shapes);
    appFreeFrame(&sqlite->frame);
    free(sqlite);
}

static void closeSqlite(Recording* self)
{
    freeSqlite(self->own);
}

static const RecordingKind sqliteKind = {".sqlite", "SQLite of JuPedSim", nextOfSqlite,
                                         closeSqlite};

// --- Opening ---

// A number among the metadata; negative if it is not there.
static double readMetadata(const SqliteRecording* sqlite, const char* key)
{
    double value = -1.0;
    sqlite3_stmt* query = prepare(sqlite, "SELECT value FROM metadata WHERE key = ?");
    if (query != NULL && sqlite3_bind_text(query, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_step(query) == SQLITE_ROW)
        value = sqlite3_column_double(query, 0);
    sqlite3_finalize(query);
    return value;
}

static ExitCode openFile(SqliteRecording* sqlite, const Recording* recording)
{
    if (access(recording->path, R_OK) != 0) {
        appSay("cannot read '%s': %s", recording->path, strerror(errno));
        return exitEnvironment;
    }
    if (sqlite3_open_v2(recording->path, &sqlite->database, SQLITE_OPEN_READONLY, NULL) !=
        SQLITE_OK) {
        sayCannotRead(recording, sqlite);
        return exitEnvironment;
    }
    sqlite3_stmt* any = prepare(sqlite, "SELECT count(*) FROM sqlite_schema");
    const bool isDatabase = any != NULL && sqlite3_step(any) == SQLITE_ROW;
    sqlite3_finalize(any);
    return isDatabase ? exitDone : sayWrong(recording, sqlite3_errmsg(sqlite->database));
}

static ExitCode readHead(SqliteRecording* sqlite, Recording* recording, const RecordingDef* def,
                         int* version)
{
    char what[96];
    const double found = readMetadata(sqlite, "version");
    const double rate = def->rate > 0.0 ? def->rate : readMetadata(sqlite, "fps");
    if (found != 1.0 && found != 2.0 && found != 3.0) {
        snprintf(what, sizeof what,
                 found < 0.0 ? "its metadata have no version"
                             : "its version is %g, expected 1, 2 or 3",
                 found);
        return sayWrong(recording, what);
    }
    if (!(rate > 0.0 && rate <= 1e6))
        return sayWrong(recording, "its metadata have no fps; give it with --rate");
    *version = (int)found;
    recording->head = (thRecordHead){.rate = rate, .title = appFileName(recording->path)};
    return exitDone;
}

// Frames that nobody is in: they have a geometry and no rows.
static bool scanNobody(SqliteRecording* sqlite, const Recording* recording, FrameRanges* nobody)
{
    sqlite3_stmt* query = prepare(sqlite, "SELECT frame FROM frame_data EXCEPT "
                                          "SELECT DISTINCT frame FROM trajectory_data ORDER BY 1");
    bool hasRow = false, good = true;
    if (query == NULL) // whoever needs the table says that it is not there
        return true;
    while (good && (good = stepTo(recording, sqlite, query, &hasRow)) && hasRow) {
        const int64_t frame = sqlite3_column_int64(query, 0);
        if (!appAddNobody(nobody, (FrameRange){frame, frame})) {
            appSayNoMemoryFor(recording);
            good = false;
        }
    }
    sqlite3_finalize(query);
    const char* wrong = good ? appCheckNobody(nobody) : NULL;
    if (wrong != NULL) {
        appSayPassedOver(recording->path, "frame_data", wrong);
        nobody->count = 0;
    }
    return good;
}

// All frames that somebody is in, for their step and the last of them.
static ExitCode scanFrames(SqliteRecording* sqlite, Recording* recording, int version)
{
    sqlite3_stmt* query = prepare(sqlite, "SELECT DISTINCT frame FROM trajectory_data");
    int64_t step = 0, before = 0, last = INT64_MIN;
    bool hasRow = false, good = query != NULL, isFirst = true;
    const int64_t farthest = (int64_t)1 << 53;
    while (good && (good = stepTo(recording, sqlite, query, &hasRow)) && hasRow) {
        const int64_t frame = sqlite3_column_int64(query, 0);
        if (frame > farthest || frame < -farthest) {
            sqlite3_finalize(query);
            return sayWrong(recording, "a frame is no number that can be");
        }
        step = isFirst ? 0 : appCommonStep(step, frame - before);
        last = frame > last ? frame : last;
        before = frame;
        isFirst = false;
    }
    sqlite3_finalize(query);
    if (query == NULL)
        return sayWrong(recording, "there is no table 'trajectory_data' with frames");
    if (!good)
        return exitEnvironment;
    FrameRanges nobody = {0};
    if (version > 1 && !scanNobody(sqlite, recording, &nobody)) {
        free(nobody.items);
        return exitEnvironment;
    }
    sqlite->step = appTakeNobody(recording, &nobody, before, isFirst ? 0 : step > 0 ? step : 1);
    recording->head.rate /= (double)sqlite->step;
    appSetEnd(recording, last);
    return exitDone;
}

static ExitCode beginRows(SqliteRecording* sqlite, Recording* recording, int version)
{
    sqlite->rows = prepare(sqlite, version < 3 ? "SELECT frame, id, pos_x, pos_y, ori_x, ori_y "
                                                 "FROM trajectory_data ORDER BY frame, id"
                                               : "SELECT frame, id, pos_x, pos_y "
                                                 "FROM trajectory_data ORDER BY frame, id");
    if (sqlite->rows == NULL)
        return sayWrong(recording, sqlite3_errmsg(sqlite->database));
    if (!stepTo(recording, sqlite, sqlite->rows, &sqlite->hasRow))
        return exitEnvironment;
    if (sqlite->hasRow)
        recording->head.origin = appOriginNear(sqlite3_column_double(sqlite->rows, 2),
                                               sqlite3_column_double(sqlite->rows, 3));
    return exitDone;
}

// The geometry of the first frame stands there from the beginning.
static ExitCode beginWalkable(SqliteRecording* sqlite, Recording* recording, int version)
{
    ExitCode code = exitDone;
    bool changed;
    if (version == 1) {
        code = loadGeometry(recording, sqlite, 0, false);
    } else {
        sqlite->geometries =
            prepare(sqlite, "SELECT frame, geometry_hash FROM frame_data ORDER BY frame");
        if (sqlite->geometries == NULL)
            return sayWrong(recording, "there is no table 'frame_data' as there should be");
        if (!stepTo(recording, sqlite, sqlite->geometries, &sqlite->hasGeometry))
            return exitEnvironment;
        if (sqlite->hasRow)
            code =
                followGeometry(recording, sqlite, sqlite3_column_int64(sqlite->rows, 0), &changed);
    }
    if (code != exitDone || sqlite->shapes == NULL)
        return code;
    int32_t count;
    const thRecordedShape* shapes = thShapeList_GetShapes(sqlite->shapes, &count);
    return appSetShapes(recording, shapes, count) ? exitDone : exitEnvironment;
}

// The shapes of our own files; of others the walkable area.
static ExitCode beginShapes(SqliteRecording* sqlite, Recording* recording, int version,
                            bool withShapes)
{
    ExitCode code = exitDone;
    Extras* extras = &sqlite->frame.extras;
    readExtras(sqlite->database, recording->path, withShapes, extras);
    if (!withShapes || appGiveFirstShapes(extras, recording, &code) || code != exitDone)
        return code;
    return beginWalkable(sqlite, recording, version);
}

static ExitCode openSqlite(SqliteRecording* sqlite, Recording* recording, const RecordingDef* def)
{
    int version = 0;
    ExitCode code = openFile(sqlite, recording);
    if (code == exitDone)
        code = readHead(sqlite, recording, def, &version);
    if (code == exitDone)
        code = scanFrames(sqlite, recording, version);
    if (code == exitDone)
        code = beginRows(sqlite, recording, version);
    if (code == exitDone)
        code = beginShapes(sqlite, recording, version, def->geometry == NULL);
    return code;
}

ExitCode appOpenSqlite(Recording* recording, const RecordingDef* def)
{
    SqliteRecording* sqlite = calloc(1, sizeof *sqlite);
    if (sqlite == NULL)
        return appSayNoMemoryFor(recording);
    const ExitCode code = openSqlite(sqlite, recording, def);
    if (code != exitDone) {
        freeSqlite(sqlite);
        return code;
    }
    recording->kind = &sqliteKind;
    recording->own = sqlite;
    return exitDone;
}
