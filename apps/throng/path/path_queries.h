// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Questions for ways: from the command line, or from a file.

#ifndef THRONG_APPS_PATH_QUERIES_H
#define THRONG_APPS_PATH_QUERIES_H

#include "app.h"

#include <throng/record.h>

typedef struct PathQuery {
    thPlace from, to;
    double optimum; // the length that the file tells [NaN: it tells none]
} PathQuery;

typedef struct PathQueries {
    PathQuery* items;
    int32_t count;
    bool haveOptima; // they come from scenarios
} PathQueries;

// Reads "X,Y". False, and it is said, if it is something else.
bool appReadPlace(const char* option, const char* text, thPlace* place);

// Reads a file: lines `x1 y1 x2 y2`, or scenarios of MovingAI, whose cells become their centres.
// Errors are said with the line. The queries must be freed, also after an error.
ExitCode appReadQueries(const char* path, PathQueries* queries);
bool appAddQuery(PathQueries* queries, const PathQuery* query); // false, and said: no memory
void appFreeQueries(PathQueries* queries);

#endif
