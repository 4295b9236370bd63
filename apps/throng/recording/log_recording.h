// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Our own log: the file it is written to, and what only logs can tell.

#ifndef THRONG_APPS_LOG_RECORDING_H
#define THRONG_APPS_LOG_RECORDING_H

#include "output.h"
#include "recording/recording.h"

#include <stddef.h>
#include <stdint.h>

// --- The file ---

// The file that a log is written to: by plain writes of whole frames, so that nothing waits in
// buffers that a kill would lose.

typedef struct LogOut {
    const char* path;
    OutFile file; // of a new log
    int old;      // descriptor of a log that goes on
    bool isOpen;
    bool isNamed;  // its frames are seen under its name at once
    uint64_t size; // [bytes]
} LogOut;

// A new log, which gets its name at its end, or by appNameLog before. Says why it cannot.
bool appOpenLogOut(LogOut* out, const char* path);

// Goes on after the first `size` bytes of a log that is there.
bool appReopenLogOut(LogOut* out, const char* path, uint64_t size);

// A new log gets its name already: whatever happens next, what is written is there.
bool appNameLog(LogOut* out);

// A thLogWriteFcn: all of it, or nothing; then it is said why, and the file is as it was.
thResult appWriteLog(void* out, const void* data, size_t size);

// Brings everything to the disk.
void appSyncLog(LogOut* out);

// As appCloseOut; of a log that has its name nothing is taken back.
bool appCloseLogOut(LogOut* out, bool isGood);

// --- Reading ---

// What reads it, for a writer that is to go on after the frame read last.
const thLogReader* appGetLogReader(const Recording* recording);

#endif
