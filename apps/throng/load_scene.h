// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes: finding them by name, reading them, and saying what is wrong with them.

#ifndef THRONG_APPS_LOAD_SCENE_H
#define THRONG_APPS_LOAD_SCENE_H

#include "app.h"
#include "options.h"
#include "output.h"

#include <throng/scene.h>

// --- Scenes by name ---

typedef struct SceneFile {
    char* name;
    char* path;
} SceneFile;

typedef struct SceneFiles {
    SceneFile* items;
    int count;
} SceneFiles;

// The scenes that come with the program, by name. They lie in the folders of $THRONG_SCENES, and
// beside the program or its installation; of two with one name the first counts. False, and it is
// said, when memory is out.
bool appListSceneFiles(SceneFiles* files);

void appFreeSceneFiles(SceneFiles* files);

// The file of a scene, given as a file or by name, to be freed; noted as one that is read. NULL
// when there is none, or it is a recording, which is said, and `*code` tells how to end.
char* appFindScene(const char* nameOrFile, ExitCode* code);

// Whether the first letter of a file is that of a scene; true also if it cannot be read, of which
// whoever reads it says why.
bool appBeginsLikeScene(const char* path);

// --- What is wrong with scenes ---

// Prints what is wrong with scenes: `file:line:column: path: text`.

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

// --- Reading and building ---

// Whether methods that options name for every profile (NULL: none) are methods at all.
ExitCode appCheckMethods(const char* const methods[th_methodKindCount]);

// Prints the names of the methods of "avoid", "plan" or "group", one on a line. Says so if it is
// something else.
ExitCode appPrintMethods(const char* kindName);

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
