// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Maps of square cells in the MovingAI format as worlds: cell (x, y) is the square from (x, y) to
// (x + 1, y + 1) metres, blocked cells are solid, and so is what surrounds the map.

#ifndef THRONG_TESTS_PLAN_GRID_MAP_H
#define THRONG_TESTS_PLAN_GRID_MAP_H

#include "throng/world.h"

#include <stdbool.h>

typedef struct GridMap {
    int32_t width, height;
    char* cells; // 1 free, 0 blocked
} GridMap;

// Where the shared data are, with a slash at the end; NULL, with a message, if they are not here.
const char* sharedData(void);

// False if there is no such file.
bool readGridMap(const char* path, GridMap* map);
void freeGridMap(GridMap* map);

void addGridMap(thWorld* world, const GridMap* map);

// A line of data/anyangle/derived: exact lengths between centres of cells.
typedef struct ExactLength {
    int32_t startX, startY, goalX, goalY;
    double length;
} ExactLength;

// The lines of a file, in memory that the caller frees; NULL if there is no such file.
ExactLength* readExactLengths(const char* path, int32_t* count);

#endif
