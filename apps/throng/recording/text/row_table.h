// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// All rows of a file that stand in any order, to be read frame by frame.

#ifndef THRONG_APPS_ROW_TABLE_H
#define THRONG_APPS_ROW_TABLE_H

#include "recording/frame_buffer.h"

typedef struct Row {
    int64_t frame;
    double x, y; // [m]
    uint32_t id;
    int32_t place; // its line or number in the file, from 1
} Row;

typedef struct RowTable {
    Row* rows;
    size_t count, capacity;
    size_t at;    // the first row that was not read yet
    int64_t step; // of which all differences of frames are multiples
    FrameBuffer frame;
} RowTable;

void appFreeRows(RowTable* table);

// False when memory is out, which is not said.
bool appPutRow(RowTable* table, Row row);

// Puts rows in the order of frames and ids, and finds the step. False, and said, when somebody is
// twice in one frame; `word` is what rows are called: "line".
bool appSortRows(RowTable* table, const char* path, const char* word);

// The greatest number of which both are multiples; `step` is 0 at first, and then at least 1.
int64_t appCommonStep(int64_t step, int64_t difference);

// The next frame of the recording.
Next appNextOfRows(RowTable* table, Recording* recording);

#endif
