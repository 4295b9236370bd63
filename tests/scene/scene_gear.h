// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of scenes share: loading with errors kept, files of the tree, comparing models.

#ifndef THRONG_TESTS_SCENE_SCENE_GEAR_H
#define THRONG_TESTS_SCENE_SCENE_GEAR_H

#include "gear/gear.h"
#include "scene/scene_model.h"

#define MOST_ERRORS 64

typedef struct Errors {
    thError items[MOST_ERRORS];
    int32_t count; // also of those that found no room
} Errors;

// A report function; the context is an Errors.
void keepError(void* context, const thError* error);

// Prints what was kept, for tests that fail.
void printErrors(const Errors* errors);

// A text under the name "test.json", whose errors are kept.
thSceneDef textDef(const char* text, Errors* errors);

// Loads it. NULL when there are errors.
thScene* loadText(const char* text, Errors* errors);

// The same, with a change; the test fails unless it loads.
thScene* loadChanged(const char* text, const char* change);

// Loads a text that must have exactly one error, at that path, which says that.
void assertError(const char* text, const char* path, const char* says);

// A file of the tree, by its path from the root. The caller frees it.
char* readTreeFile(const char* path, size_t* size);

// The scene with every key, tests/scene/full.json. The caller frees it.
char* readFullScene(void);

// What thScene_Write gives. The caller frees it.
char* writeScene(const thScene* scene);

// Fails unless both say the same, but for where it was read.
void assertSameScene(const thScene* a, const thScene* b);

#endif
