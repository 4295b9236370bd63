// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A frame that a reader puts together row by row, and what all readers of other people's files have
// in common.

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

// A round place near positions that are far from zero; zero for others.
thPlace appOriginNear(double x, double y);

// The name of a file without its folder.
const char* appTitleOf(const char* path);

// Says that there is no memory to read a recording; the exit code of that.
ExitCode appSayNoMemoryFor(const Recording* recording);

#endif
