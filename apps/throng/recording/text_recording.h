// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Rows of trajectories as text: of the Jülich archive and PedPy, of ETH and UCY, and with commas.
// The first are `id frame x y z`, the second `obsmat.txt`, the third tables of values with names.

#ifndef THRONG_APPS_TEXT_RECORDING_H
#define THRONG_APPS_TEXT_RECORDING_H

#include "recording/frame_buffer.h"

typedef struct TextRows {
    RowTable table;     // in the file's unit
    double rate;        // [frames/s; 0: the file does not say]
    double unit;        // [m; 0: the file does not say]
    float radius;       // of everybody [m; 0: the file does not say]
    bool isEth;         // it is an `obsmat.txt`
    FrameRanges nobody; // frames without rows, as comments of our own files tell
} TextRows;

// Reads all rows of a text, which ends with a zero byte. Errors are said with `path` and line. The
// rows must be freed, also after an error.
ExitCode appReadTextRows(const char* path, const char* text, size_t size, bool isCsv,
                         TextRows* rows);

#endif
