// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Asks planners for paths: agents that wait stand where paths begin, and each has a goal of its
// own.

#ifndef THRONG_APPS_PATH_SEARCH_H
#define THRONG_APPS_PATH_SEARCH_H

#include "app.h"

#include <throng/record.h>
#include <throng/scene.h>

typedef struct PathQuery {
    thPlace from, to;
    double optimum; // the length that the file tells [NaN: it tells none]
} PathQuery;

typedef struct PathQueries {
    PathQuery* items;
    int32_t count;
    bool haveOptima; // they come from scenarios
} PathQueries;

typedef struct PathAnswer {
    thPlanAnswer answer;
    const char* why; // [NULL: the path is complete]
    double length;   // as the planner counts it [m]
    thPlace* points; // from the beginning to the goal, in coordinates of the scene
    int32_t pointCount;
} PathAnswer;

// What is asked.
typedef struct PathSearch {
    const thScene* scene;
    const char* plan; // the planner [NULL: that of the scene's first profile]
    double radius;    // of bodies [m; negative: that of the profile]
    int32_t level;
    int32_t threads;
} PathSearch;

// Finds an answer to each query; `answers` has room for them. They must be freed, also after an
// error, which is said. `*planner` becomes the name of the planner and `*radius` that of bodies.
ExitCode appSearchPaths(const PathSearch* search, const PathQueries* queries, PathAnswer* answers,
                        const char** planner, double* radius);
void appFreeAnswers(PathAnswer* answers, int32_t count);

#endif
