// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "scene_errors.h"

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

static void writeLine(FILE* stream, bool colour, const thError* error)
{
    const char* bold = colour ? "\033[1m" : "";
    const char* red = colour ? "\033[31m" : "";
    const char* plain = colour ? "\033[0m" : "";
    fprintf(stream, "%s%s", bold, error->file);
    if (error->line > 0)
        fprintf(stream, ":%d:%d", (int)error->line, (int)error->column);
    fprintf(stream, ":%s ", plain);
    if (error->path[0] != '\0')
        fprintf(stream, "%s%s:%s ", red, error->path, plain);
    fprintf(stream, "%s\n", error->text);
}

void appPrintSceneError(void* context, const thError* error)
{
    SceneErrors* errors = context;
    errors->count += 1;
    if (errors->json != NULL)
        writeJson(errors->json, error);
    else if (errors->stream != NULL)
        writeLine(errors->stream, errors->colour, error);
}
