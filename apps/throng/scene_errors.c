// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "scene_errors.h"

#include <stdlib.h>

static void writeJson(JsonOut* out, const thError* error)
{
    appJsonBegin(out, NULL, '{', false);
    appJsonText(out, "file", error->file);
    appJsonWhole(out, "line", error->line);
    appJsonWhole(out, "column", error->column);
    appJsonText(out, "path", error->path);
    appJsonText(out, "text", error->text);
    appJsonEnd(out, '}');
}

static void writeLine(FILE* stream, bool colour, const thError* error, const char* kind)
{
    const char* bold = colour ? "\033[1m" : "";
    const char* red = colour ? "\033[31m" : "";
    const char* plain = colour ? "\033[0m" : "";
    const bool hasPath = error->path[0] != '\0';
    // What has a path but no line was not in the file.
    fprintf(stream, "%s%s", bold, hasPath && error->line == 0 ? "--set" : error->file);
    if (error->line > 0)
        fprintf(stream, ":%d:%d", (int)error->line, (int)error->column);
    fprintf(stream, "%s%s ", hasPath && error->line == 0 ? "" : ":", plain);
    if (hasPath)
        fprintf(stream, "%s%s:%s ", red, error->path, plain);
    fprintf(stream, "%s%s\n", kind, error->text);
}

void appPrintSceneError(void* context, const thError* error)
{
    SceneErrors* errors = context;
    errors->count += 1;
    if (errors->json != NULL)
        writeJson(errors->json, error);
    else if (errors->stream != NULL)
        writeLine(errors->stream, errors->colour, error, "");
}

void appKeepSceneNote(void* context, const thError* note)
{
    SceneNotes* notes = context;
    thError* items = realloc(notes->items, (size_t)(notes->count + 1) * sizeof *items);
    notes->noMemory = notes->noMemory || items == NULL;
    if (items == NULL)
        return;
    notes->items = items;
    items[notes->count++] = *note;
}

void appPrintSceneNotes(const SceneErrors* errors, const SceneNotes* notes)
{
    for (int i = 0; i < notes->count; ++i) {
        if (errors->json != NULL)
            writeJson(errors->json, &notes->items[i]);
        else
            writeLine(errors->stream, errors->colour, &notes->items[i], "note: ");
    }
}

void appFreeSceneNotes(SceneNotes* notes)
{
    free(notes->items);
    *notes = (SceneNotes){0};
}
