// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Prints what is wrong with scenes: `file:line:column: path: text`.

#ifndef THRONG_APPS_SCENE_ERRORS_H
#define THRONG_APPS_SCENE_ERRORS_H

#include "json_out.h"

#include <throng/scene.h>

typedef struct SceneErrors {
    FILE* stream; // NULL: nothing is printed
    bool colour;
    JsonOut* json; // instead of `stream`: an array that is open; may be NULL
    int count;     // so far
} SceneErrors;

// A thSceneErrorFcn; the context is a SceneErrors.
void appPrintSceneError(void* context, const thError* error);

// What is worth knowing about a scene that is sound. Kept, because it is told after the errors.
typedef struct SceneNotes {
    thError* items;
    int count;
    bool noMemory;
} SceneNotes;

// A thSceneErrorFcn; the context is a SceneNotes.
void appKeepSceneNote(void* context, const thError* note);

// Prints them as `errors` are printed.
void appPrintSceneNotes(const SceneErrors* errors, const SceneNotes* notes);

void appFreeSceneNotes(SceneNotes* notes);

#endif
