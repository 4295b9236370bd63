// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Errors planted into a scene. The scene is a tree of JSON that is written again, one value a line,
// with some of its values changed; so it is known where each error must be named.

#ifndef THRONG_TESTS_SCENE_MUTATIONS_H
#define THRONG_TESTS_SCENE_MUTATIONS_H

#include "base/json/json.h"

typedef enum EditKind {
    edit_replace,   // the value becomes `text`
    edit_rename,    // the key becomes `text`
    edit_duplicate, // the member comes twice
    edit_drop,      // the member is left out: an error of the object it was in
    edit_add,       // the object has one more member: `text` is its key
} EditKind;

typedef struct Edit {
    EditKind kind;
    const thJson* node;
    char text[32];
    bool atValue;         // of a member that is added: not the key is wrong but its value
    char path[256];       // where the error must be named
    int32_t line, column; // the same; known after writing
} Edit;

// Every edit of the tree that must give exactly one error, there. Returns how many there are; as
// many as fit are written.
int32_t listEdits(const thJson* root, Edit* edits, int32_t capacity);

// Writes a tree with edits, terminated, and fills in their lines and columns. The caller frees it.
char* writeEdited(const thJson* root, Edit* edits, int32_t count);

// Whether both edits can be made at once and none hides the other's error.
bool areIndependent(const Edit* a, const Edit* b);

#endif
