// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The hashes of every step, in a file: a line for each with its number, the state's hash, and those
// of its stages.

#ifndef THRONG_APPS_HASH_FILE_H
#define THRONG_APPS_HASH_FILE_H

#include "out_file.h"

#include <stdint.h>
#include <throng/world.h>

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
