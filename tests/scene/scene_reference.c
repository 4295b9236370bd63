// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Brings the reference up to date with the reader.
//     scene_reference schema >docs/scene.schema.json
//     scene_reference page <docs/scenes.md >new.md

#include "scene/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv)
{
    static char page[1 << 20];
    if (argc == 2 && strcmp(argv[1], "schema") == 0) {
        char* schema = makeSchema();
        fputs(schema, stdout);
        free(schema);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "page") == 0) {
        page[fread(page, 1, sizeof page - 1, stdin)] = '\0';
        char* renewed = renewPage(page);
        fputs(renewed, stdout);
        free(renewed);
        return 0;
    }
    fprintf(stderr, "usage: scene_reference schema | scene_reference page <docs/scenes.md\n");
    return 2;
}
