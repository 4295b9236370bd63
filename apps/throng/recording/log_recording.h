// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Our own log: the file it is written to, and what only logs can tell.

#ifndef THRONG_APPS_LOG_RECORDING_H
#define THRONG_APPS_LOG_RECORDING_H

#include "app.h"
#include "recording/recording.h"

#include <stddef.h>
#include <stdint.h>

// --- The file ---

// The file that a log is written to: by plain writes of whole frames, so that nothing waits in
// buffers that a kill would lose.

typedef struct LogOut {
    const char* path;
    int file; // descriptor
    bool isOpen;
    uint64_t size; // [bytes]
} LogOut;

// Creates or empties a file; one that goes on keeps its first `size` bytes. Says why it cannot.
bool appOpenLogOut(LogOut* out, const char* path, uint64_t size);

// A thLogWriteFcn: all of it, or nothing; then it is said why, and the file is as it was.
thResult appWriteLog(void* out, const void* data, size_t size);

// Brings everything to the disk.
void appSyncLog(LogOut* out);

// False, and it is said, if something was not written after all. True when it is not open.
bool appCloseLogOut(LogOut* out);

// --- Reading ---

// What reads it, for a writer that is to go on after the frame read last.
const thLogReader* appGetLogReader(const Recording* recording);

#endif
