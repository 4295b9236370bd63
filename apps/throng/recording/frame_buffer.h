// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Frames that readers put together row by row, and what readers of other people's files share.

#ifndef THRONG_APPS_FRAME_BUFFER_H
#define THRONG_APPS_FRAME_BUFFER_H

#include "recording/extras.h"

typedef struct FrameBuffer {
    uint32_t* id;
    double *x, *y;
    float* heading;
    int32_t count, capacity;
    bool hasHeading; // some row has one
    thRecordedPerson* people;
    int32_t personCount, personCapacity;
    Extras extras; // of files of our own
} FrameBuffer;

// Where one person is in a frame.
typedef struct FrameRow {
    uint32_t id;
    double x, y;        // [m]
    double east, north; // direction it faces; both 0: not known
} FrameRow;

void appFreeFrame(FrameBuffer* frame);

// Adds a row; false when memory is out, which is not said.
bool appAddRow(FrameBuffer* frame, const FrameRow* row);

// Frames are numbered by steps: 7, 17, 27 become 0, 1, 2.
int64_t appNumberOf(int64_t frame, int64_t step);

// Makes it the recording's latest frame, with the people and shapes that are new in it. False when
// memory is out, which is not said. Its rows must ascend by id. `number` is that of the file.
bool appGiveFrame(FrameBuffer* frame, Recording* recording, int64_t number, int64_t step);

// Sets the end of a recording, which has its rate and took its frames without rows. `last` is the
// last frame of the file with a row [INT64_MIN: there is none].
void appSetEnd(Recording* recording, int64_t last);

// A round place near positions that are far from zero; zero for others.
thPlace appOriginNear(double x, double y);

// Says that there is no memory to read a recording; the exit code of that.
ExitCode appSayNoMemoryFor(const Recording* recording);

// --- All rows of a file that stand in any order, to be read frame by frame ---

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
