// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Reads scenes, and says what is wrong with them.

#ifndef THRONG_APPS_LOAD_SCENE_H
#define THRONG_APPS_LOAD_SCENE_H

#include "options.h"

#include <throng/scene.h>

// Whether methods that options name for every profile (NULL: none) are methods at all.
ExitCode appCheckMethods(const char* const methods[th_methodKindCount]);

typedef struct MethodNames {
    char text[128];
} MethodNames;

// The methods of one kind that people of the scene use, or profiles where it has no people: "orca",
// or "orca+none".
const char* appNameMethods(const thScene* scene, thMethodKind kind, MethodNames* names);

// Reads a scene, changed as the list says. `*scene` is NULL when it fails.
ExitCode appLoadScene(const char* path, const TextList* changes, thScene** scene);

// The exit code of thCreateRun. A file that the scene names and that cannot be read is a fault of
// the scene.
ExitCode appExitOfBuild(thResult result);

// Builds its world. `*run` is NULL when it fails.
ExitCode appCreateRun(const thScene* scene, thRunDef* def, thRun** run);

#endif
