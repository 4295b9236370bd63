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

#endif
