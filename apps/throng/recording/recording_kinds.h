// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What each kind of recording gives to recording.c, which has the tables of them.

#ifndef THRONG_APPS_RECORDING_KINDS_H
#define THRONG_APPS_RECORDING_KINDS_H

#include "recording/recording.h"

// A reader is opened with `path` set and everything else zero. It sets `kind`, `head`, `endTime`
// and `own`, may set shapes that stand before the first frame by appSetShapes, and says what fails;
// then nothing is left to be freed. Where the definition has a geometry, it need not care about
// shapes. `next` fills `latest`; people and shapes in it are copied to `people` and `shapes` by
// appNextFrame. `close` is called once, also after a failure of `next`.
//
// A writer is begun with `path` and `head` set; it sets `kind` and `own`. `add` and `close` say
// what fails. After `add` failed nothing but `close` is called, which then returns false and says
// nothing more.

ExitCode appOpenLog(Recording* recording, const RecordingDef* def);
ExitCode appOpenText(Recording* recording, const RecordingDef* def);
ExitCode appOpenHdf5(Recording* recording, const RecordingDef* def);
ExitCode appOpenSqlite(Recording* recording, const RecordingDef* def);

ExitCode appBeginLog(RecordingWriter* writer, const thRecordedShape* shapes, int32_t count);
ExitCode appBeginText(RecordingWriter* writer, const thRecordedShape* shapes, int32_t count);
ExitCode appBeginHdf5(RecordingWriter* writer, const thRecordedShape* shapes, int32_t count);
ExitCode appBeginSqlite(RecordingWriter* writer, const thRecordedShape* shapes, int32_t count);

// Copies shapes into the recording, in place of those it has. False when memory is out, which is
// said.
bool appSetShapes(Recording* recording, const thRecordedShape* shapes, int32_t count);

// Adds frames that nobody is in, which ascend; those that follow each other become one range. False
// when memory is out, which is not said.
bool appAddNobody(FrameRanges* ranges, FrameRange range);

// What is wrong with such ranges of a file: "are not in order". NULL: nothing.
const char* appCheckNobody(const FrameRanges* ranges);

// The recording takes ranges over, which then are its to free. Of a file with a row in `frame`, of
// whose frames all differences are multiples of `step` [0: it has no rows]. Returns of what those
// of all frames are.
int64_t appTakeNobody(Recording* recording, FrameRanges* ranges, int64_t frame, int64_t step);

// --- Shapes that are put together point by point ---

typedef struct ShapeBuilder {
    thRecordedShape* shapes; // their points are set by appFinishShapes
    int32_t count, capacity;
    thPlace* points;
    int32_t pointCount, pointCapacity;
} ShapeBuilder;

// False when memory is out, which is not said.
bool appBeginShape(ShapeBuilder* builder, thRecordedShapeKind kind);
bool appAddPoint(ShapeBuilder* builder, double x, double y); // to the last shape
void appFinishShapes(ShapeBuilder* builder);
void appFreeShapes(ShapeBuilder* builder);

#endif
