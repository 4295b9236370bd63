// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The state hash of every step, in a file: a line "step hash" for each.

#ifndef THRONG_APPS_HASH_FILE_H
#define THRONG_APPS_HASH_FILE_H

#include "out_file.h"

#include <stdint.h>

// A run that goes on after `stepsDone` steps keeps the lines of these, which the run that was
// broken off has written, and drops those of steps that are made again.
bool appOpenHashes(OutFile* file, const char* path, uint64_t stepsDone);

void appWriteHash(OutFile* file, uint64_t step, uint64_t hash);

#endif
