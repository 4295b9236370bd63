// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What the golden-hash machine runs: something that advances in steps and reports each stage.
// A subject joins by one line in worlds.c.

#ifndef THRONG_TESTS_GOLDEN_SUBJECT_H
#define THRONG_TESTS_GOLDEN_SUBJECT_H

#include "base/hash.h"
#include "throng/simd.h"
#include "throng/tasks.h"

typedef struct SubjectOptions {
    thSimd simd; // resolved
    const thTasks* tasks;
    bool shuffle; // create what can be created in any order in another one
} SubjectOptions;

typedef struct Subject {
    const char* name;
    int32_t steps;
    void* (*create)(const SubjectOptions* options); // NULL when memory is out
    void (*step)(void* self, const thTrace* trace);
    void (*destroy)(void* self);
} Subject;

// Ends with a NULL.
extern const Subject* const subjects[];

#endif
