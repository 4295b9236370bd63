// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The recording of a run. Frames go to a log, each at once; a file in another format is written
// from it at the end. What cannot be written is said once, and the run goes on without it.

#ifndef THRONG_APPS_RUN_RECORD_H
#define THRONG_APPS_RUN_RECORD_H

#include "recording/log_recording.h"
#include "recording/source.h"
#include "run/run.h"

#include <throng/record.h>

typedef struct RunRecord {
    const char* path; // what was asked for; NULL: nothing is recorded
    char* log;        // path of the log
    bool isLog;       // the log is what was asked for
    bool quiet;       // nothing but errors is said
    FrameRate rate;
    char* scene; // as JSON
    thRecordHead head;
    LogOut out;
    thRecorder* recorder;
    thLogWriter* writer;
    int64_t frames; // in the recording
    bool hasPeople; // somebody was in one of them
    uint64_t bytes; // of the file [known at the end]
    double seconds; // that it took
    bool failed;
} RunRecord;

// Opens the log and takes the first frame. A run that goes on after some steps keeps what the log
// has of these. exitDone also without --record.
ExitCode appBeginRecord(RunRecord* record, const RunOptions* options, const thScene* scene,
                        const thRun* run, uint64_t stepsDone);

// Takes a frame if the step is one.
void appRecordStep(RunRecord* record, uint64_t stepsDone);

// Brings what is recorded to the disk.
void appSyncRecord(RunRecord* record);

// Closes the log, and writes what was asked for from it. The log then goes, unless it is to stay.
// exitDone if everything was recorded.
ExitCode appEndRecord(RunRecord* record, bool logStays);

#endif
