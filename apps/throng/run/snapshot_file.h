// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A run and its tally on disk. Layout, numbers of 8 bytes in the machine's order: "thsnap 1", the
// sizes of the three parts, the parts (what the run was made with, the tally, the run), and a
// checksum of all before it.

#ifndef THRONG_APPS_SNAPSHOT_FILE_H
#define THRONG_APPS_SNAPSHOT_FILE_H

#include "run/run_options.h"

#include <throng/measure.h>

// What of a command line decides results, as text, to be freed; NULL when memory is out. Runs go on
// only under what they were made with.
char* appDescribeRun(const RunOptions* options, uint64_t seed);

// Says why when it fails.
bool appSaveRun(const char* path, const char* made, const thRun* run, const thTally* tally);

// Puts a run and its tally where the saved ones were. exitDone, or how to end.
ExitCode appResumeRun(const char* path, const char* made, thRun* run, thTally* tally);

#endif
