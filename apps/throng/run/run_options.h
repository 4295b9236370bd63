// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What `throng run` was asked to do.

#ifndef THRONG_APPS_RUN_OPTIONS_H
#define THRONG_APPS_RUN_OPTIONS_H

#include "options.h"

#include <throng/scene.h>

typedef struct RunOptions {
    const char* methods[th_methodKindCount]; // NULL: those of the scene
    TextList changes;
    int64_t steps; // [-1: as the scene says]
    double until;  // [s; negative: as the scene says]
    int64_t threads;
    const char* simd;
    const char* backend;
    int64_t seed; // [-1: the scene's]
    int64_t runs;
    const char* summary;
    const char* hashes;
    const char* record;
    double fps;            // [frames/s; 0: about 10]
    const char* area;      // "X0,Y0,X1,Y1" [NULL: everywhere]
    int64_t snapshotEvery; // [steps; 0: never]
    const char* snapshot;
    const char* resume;
    bool quiet;
    bool checkWalls;
} RunOptions;

// The table of them.
extern const Option appRunOptions[];

// Defaults, before the command line is read.
RunOptions appDefaultRunOptions(void);

// Checks what the table cannot. False, and it is said, if something is wrong.
bool appCheckRunOptions(const RunOptions* options, thSimd* simd, ExitCode* code);

#endif
