// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A reader of logs from inside. Nothing a file says is believed before it is checked; memory is
// taken for bytes that are really there. What comes before a frame counts only when the frame is
// complete, so a call that ends otherwise has changed nothing.

#ifndef THRONG_SRC_RECORD_LOG_READER_H
#define THRONG_SRC_RECORD_LOG_READER_H

#include "record/log_format.h"

struct thLogReader {
    thMemory memory; // everything but this struct itself
    thLogSource source;
    thBytes head;       // content of the head block as far as the title, and a zero
    thBytes scene;      // its text and a zero
    thRecordHead about; // points into these two
    uint64_t offset;    // where the last complete frame ends
    int64_t number;     // of the last frame
    bool hasFrames;
    thBytes content;    // of one block after the other
    thShapeList shapes; // as they stand in the last complete frame
    thShapeList next;   // as they stand in the frame that is being read
    thArray shapeItems, points;
    thArray people;
    thArray id, x, y, heading;
};

#endif
