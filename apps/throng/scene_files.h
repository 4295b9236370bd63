// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes by name: those that come with the program, and files.

#ifndef THRONG_APPS_SCENE_FILES_H
#define THRONG_APPS_SCENE_FILES_H

#include "app.h"

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

// The file of a scene, given as a file or by name, to be freed. NULL when there is none, which is
// said, and `*code` tells how to end.
char* appFindScene(const char* nameOrFile, ExitCode* code);

#endif
