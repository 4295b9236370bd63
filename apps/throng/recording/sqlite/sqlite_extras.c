// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "recording/sqlite/sqlite_extras.h"

#include <stdlib.h>

static const char peopleTable[] = "throng_people", shapesTable[] = "throng_shapes";

// --- Writing ---

static const char schema[] =
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

bool appSqliteWriteExtras(sqlite3* database, const Extras* extras)
{
    return sqlite3_exec(database, schema, NULL, NULL, NULL) == SQLITE_OK &&
           insertPeople(database, extras) && insertCorners(database, extras);
}

// --- Reading ---

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

void appSqliteReadExtras(sqlite3* database, const char* path, bool withShapes, Extras* extras)
{
    if (hasTable(database, peopleTable))
        readPeople(database, path, extras);
    if (withShapes && hasTable(database, shapesTable))
        readCorners(database, path, extras);
}
