// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Extras in SQLite: the tables throng_people and throng_shapes.

#ifndef THRONG_APPS_SQLITE_EXTRAS_H
#define THRONG_APPS_SQLITE_EXTRAS_H

#include "recording/extras.h"

#include <sqlite3.h>

// Creates and fills the tables. False when that fails; SQLite knows why.
bool appSqliteWriteExtras(sqlite3* database, const Extras* extras);

// Extras that are there and make sense; of others it is said that they are passed over.
void appSqliteReadExtras(sqlite3* database, const char* path, bool withShapes, Extras* extras);

#endif
