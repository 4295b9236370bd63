// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The state of a run in files: snapshots to go on from, and the hash of every step.

#ifndef THRONG_APPS_STATE_FILES_H
#define THRONG_APPS_STATE_FILES_H

#include "output.h"
#include "run/run.h"

#include <stdint.h>
#include <throng/measure.h>
#include <throng/world.h>

// --- Snapshots ---

// A run and its tally on disk. Layout, numbers of 8 bytes in the machine's order: "thsnap 1", the
// sizes of the three parts, the parts (what the run was made with, the tally, the run), and a
// checksum of all before it.

// What of a command line decides results, as text, to be freed; NULL when memory is out. Runs go on
// only under what they were made with.
char* appDescribeRun(const RunOptions* options, uint64_t seed);

// Says why when it fails.
bool appSaveRun(const char* path, const char* made, const thRun* run, const thTally* tally);

// Puts a run and its tally where the saved ones were. exitDone, or how to end.
ExitCode appResumeRun(const char* path, const char* made, thRun* run, thTally* tally);

// --- Hashes ---

// The hashes of every step, in a file: a line for each with its number, the state's hash, and those
// of its stages.

// A run that goes on after `stepsDone` steps keeps the lines of these, which the run that was
// broken off has written, and drops those of steps that are made again.
bool appOpenHashes(OutFile* file, const char* path, uint64_t stepsDone);

enum { stageHashesMost = 8 };

// Hashes of the stages of the last step, in their order.
typedef struct StageHashes {
    uint64_t hashes[stageHashesMost];
    int32_t count;
} StageHashes;

// From now on the world's steps fill it.
bool appWatchStages(StageHashes* stages, thWorld* world);

// Empties the stages' hashes for the next step.
void appWriteHash(OutFile* file, uint64_t step, uint64_t hash, StageHashes* stages);

#endif
