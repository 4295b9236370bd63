// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Fills a table of a SQLite file and its index, several times as fast as by INSERT.
// They are trajectory_data(frame, id, pos_x, pos_y, ori_x, ori_y) and (frame, id), which SQLite has
// created empty. Rows come in the order of the index, so that the pages of both trees are written
// from left to right: leaves are appended as they fill up, the pages above them likewise, and at
// last the roots take their places. https://www.sqlite.org/fileformat2.html

#ifndef THRONG_APPS_SQLITE_PAGES_H
#define THRONG_APPS_SQLITE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SqlitePages SqlitePages;

// What SQLite says of the file.
typedef struct SqlitePagesDef {
    const char* path;
    uint32_t pageSize, pageCount;
    uint32_t tableRoot, indexRoot; // their pages
} SqlitePagesDef;

typedef struct SqliteRow {
    int64_t frame, id;
    double x, y, eastward, northward;
} SqliteRow;

// NULL and errno when it cannot be opened or memory is out. Nobody else may have the file open.
SqlitePages* appOpenPages(const SqlitePagesDef* def);

// Adds a row behind all others. False and errno when it cannot be written.
bool appAddPageRow(SqlitePages* pages, const SqliteRow* row);

// Completes the file and closes it. False and errno when it cannot be written.
bool appClosePages(SqlitePages* pages);

#endif
