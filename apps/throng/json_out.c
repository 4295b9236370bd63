// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "json_out.h"

#include <inttypes.h>
#include <math.h>

static void writeText(FILE* stream, const char* text)
{
    fputc('"', stream);
    for (const char* at = text; *at != '\0'; ++at) {
        const unsigned char letter = (unsigned char)*at;
        if (letter == '"' || letter == '\\')
            fprintf(stream, "\\%c", letter);
        else if (letter < 0x20)
            fprintf(stream, "\\u%04x", letter);
        else
            fputc(letter, stream);
    }
    fputc('"', stream);
}

static void beginItem(JsonOut* out, const char* key)
{
    if (out->hasItems)
        fputs(out->inlined > 0 ? ", " : ",", out->stream);
    if (out->inlined == 0 && out->depth > 0)
        fprintf(out->stream, "\n%*s", 2 * out->depth, "");
    out->hasItems = true;
    if (key == NULL)
        return;
    writeText(out->stream, key);
    fputs(": ", out->stream);
}

void appJsonBegin(JsonOut* out, const char* key, char bracket, bool spread)
{
    beginItem(out, key);
    fputc(bracket, out->stream);
    if (spread && out->inlined == 0)
        out->depth += 1;
    else
        out->inlined += 1;
    out->hasItems = false;
}

void appJsonEnd(JsonOut* out, char bracket)
{
    if (out->inlined > 0) {
        out->inlined -= 1;
    } else {
        out->depth -= 1;
        if (out->hasItems)
            fprintf(out->stream, "\n%*s", 2 * out->depth, "");
    }
    fputc(bracket, out->stream);
    out->hasItems = true; // the container itself, in the one around it
    if (out->depth == 0 && out->inlined == 0)
        fputc('\n', out->stream);
}

void appJsonText(JsonOut* out, const char* key, const char* text)
{
    beginItem(out, key);
    writeText(out->stream, text);
}

void appJsonNumber(JsonOut* out, const char* key, double number)
{
    beginItem(out, key);
    if (isfinite(number))
        fprintf(out->stream, "%.12g", number);
    else
        fputs("null", out->stream);
}

void appJsonWhole(JsonOut* out, const char* key, int64_t number)
{
    beginItem(out, key);
    fprintf(out->stream, "%" PRId64, number);
}

void appJsonNull(JsonOut* out, const char* key)
{
    beginItem(out, key);
    fputs("null", out->stream);
}
