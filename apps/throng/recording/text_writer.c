// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Writes recordings as text that PedPy reads: `id frame x y z`, in metres with six decimals.

#include "output.h"
#include "recording/recording_kinds.h"
#include "recording/writing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { bufferSize = 1 << 18, longestRow = 128 };

typedef struct TextWriter {
    OutFile out;
    size_t used;  // of the buffer
    float radius; // of all people so far [m; 0: not known, negative: they differ]
    bool hasPeople;
    bool failed;
    char buffer[bufferSize];
} TextWriter;

static char* putWhole(char* at, uint64_t value)
{
    char digits[24];
    int count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    while (count > 0)
        *at++ = digits[--count];
    return at;
}

static char* putSigned(char* at, int64_t value)
{
    if (value >= 0)
        return putWhole(at, (uint64_t)value);
    *at++ = '-';
    return putWhole(at, 0 - (uint64_t)value);
}

// With six decimals. printf would take most of the time of writing.
static char* putMetres(char* at, double value)
{
    const double million = 1e6, most = 9e18;
    const double scaled = nearbyint(fabs(value) * million);
    if (!(scaled <= most))
        return at + snprintf(at, 48, "%.15g", value);
    const uint64_t units = (uint64_t)scaled;
    if (value < 0.0 && units > 0)
        *at++ = '-';
    at = putWhole(at, units / 1000000);
    *at++ = '.';
    uint64_t rest = units % 1000000;
    for (int i = 5; i >= 0; --i) {
        at[i] = (char)('0' + rest % 10);
        rest /= 10;
    }
    return at + 6;
}

static void flush(TextWriter* text)
{
    appWriteOut(&text->out, text->buffer, text->used);
    text->used = 0;
}

static void noteRadii(TextWriter* text, const thRecording* frame)
{
    for (int32_t i = 0; i < frame->personCount; ++i) {
        const float radius = frame->people[i].radius;
        if (!text->hasPeople)
            text->radius = radius;
        else if (radius != text->radius)
            text->radius = -1.0f;
        text->hasPeople = true;
    }
}

static bool addText(RecordingWriter* self, const thRecording* frame)
{
    TextWriter* text = self->own;
    const thRecordedFrame* all = &frame->frame;
    noteRadii(text, frame);
    for (int32_t i = 0; i < all->count; ++i) {
        if (text->used > bufferSize - longestRow)
            flush(text);
        char* at = putWhole(text->buffer + text->used, all->id[i]);
        *at++ = ' ';
        at = putSigned(at, all->number);
        *at++ = ' ';
        at = putMetres(at, all->x[i]);
        *at++ = ' ';
        at = putMetres(at, all->y[i]);
        memcpy(at, " 0\n", 3);
        text->used = (size_t)(at + 3 - text->buffer);
    }
    if (text->out.reason == 0)
        return true;
    appCloseOut(&text->out, true); // which says why
    text->failed = true;
    return false;
}

// The one radius of all, which is known now: a comment that others pass over.
static void putRadius(TextWriter* text)
{
    if (text->used > bufferSize - longestRow)
        flush(text);
    if (text->radius > 0.0f)
        text->used += (size_t)snprintf(text->buffer + text->used, longestRow, "# radius: %.7g m\n",
                                       (double)text->radius);
}

// Frames that nobody is in, which have no rows: comments too.
static void putNobody(TextWriter* text, const FrameRanges* nobody)
{
    for (int32_t i = 0; i < nobody->count; ++i) {
        if (text->used > bufferSize - longestRow)
            flush(text);
        text->used += (size_t)snprintf(text->buffer + text->used, longestRow,
                                       "# nobody in frames %" PRId64 " to %" PRId64 "\n",
                                       nobody->items[i].first, nobody->items[i].last);
    }
}

static bool closeText(RecordingWriter* self)
{
    TextWriter* text = self->own;
    if (!text->failed) {
        putNobody(text, &self->nobody);
        putRadius(text);
        flush(text);
    }
    const bool good = appCloseOut(&text->out, !text->failed && !self->isAbandoned);
    free(text);
    return good;
}

static const RecordingWriterKind textKind = {".txt", "text", addText, closeText};

ExitCode appBeginText(RecordingWriter* writer, const thRecordedShape* shapes, int32_t count)
{
    (void)shapes; // there is no place for them
    (void)count;
    TextWriter* text = malloc(sizeof *text);
    if (text == NULL) {
        appSay("cannot write '%s': no memory", writer->path);
        return exitEnvironment;
    }
    text->used = 0;
    text->radius = 0.0f;
    text->hasPeople = text->failed = false;
    if (!appOpenOut(&text->out, writer->path)) {
        free(text);
        return exitEnvironment;
    }
    NumberText rate;
    text->used = (size_t)snprintf(text->buffer, bufferSize,
                                  "# description: written by throng\n"
                                  "# framerate: %s fps\n"
                                  "# id frame x/m y/m z/m\n",
                                  appFormatNumber(&rate, writer->head.rate));
    writer->kind = &textKind;
    writer->own = text;
    return exitDone;
}
