// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Frames that readers put together row by row, also of rows that stand in any order.

#include "recording/frame_buffer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void appFreeFrame(FrameBuffer* frame)
{
    free(frame->id);
    free(frame->x);
    free(frame->y);
    free(frame->heading);
    free(frame->people);
    appFreeExtras(&frame->extras);
    *frame = (FrameBuffer){0};
}

// `column` is where the pointer to the items is.
static bool growColumn(void* column, size_t itemSize, int32_t capacity)
{
    void* items;
    memcpy(&items, column, sizeof items);
    items = realloc(items, (size_t)capacity * itemSize);
    if (items != NULL)
        memcpy(column, &items, sizeof items);
    return items != NULL;
}

static bool growFrame(FrameBuffer* frame)
{
    if (frame->capacity >= INT32_MAX / 2)
        return false;
    const int32_t capacity = frame->capacity > 0 ? 2 * frame->capacity : 256;
    if (!growColumn(&frame->id, sizeof *frame->id, capacity) ||
        !growColumn(&frame->x, sizeof *frame->x, capacity) ||
        !growColumn(&frame->y, sizeof *frame->y, capacity) ||
        !growColumn(&frame->heading, sizeof *frame->heading, capacity))
        return false;
    frame->capacity = capacity;
    return true;
}

bool appAddRow(FrameBuffer* frame, const FrameRow* row)
{
    if (frame->count == frame->capacity && !growFrame(frame))
        return false;
    const int32_t at = frame->count++;
    const bool hasHeading = row->east != 0.0 || row->north != 0.0;
    frame->id[at] = row->id;
    frame->x[at] = row->x;
    frame->y[at] = row->y;
    frame->heading[at] = hasHeading ? (float)atan2(row->north, row->east) : 0.0f;
    frame->hasHeading = frame->hasHeading || hasHeading;
    return true;
}

static bool addNewcomer(FrameBuffer* frame, uint32_t id)
{
    if (frame->personCount == frame->personCapacity) {
        const int32_t capacity = frame->personCapacity > 0 ? 2 * frame->personCapacity : 64;
        if (!growColumn(&frame->people, sizeof *frame->people, capacity))
            return false;
        frame->personCapacity = capacity;
    }
    const thRecordedPerson unknown = {.id = id, .key = id, .goal = -1, .group = -1, .entry = -1};
    const thRecordedPerson* known = appFindExtra(&frame->extras, id);
    frame->people[frame->personCount++] = known != NULL ? *known : unknown;
    return true;
}

int64_t appNumberOf(int64_t frame, int64_t step)
{
    const int64_t rest = frame % step;
    return (frame - (rest < 0 ? rest + step : rest)) / step;
}

bool appGiveFrame(FrameBuffer* frame, Recording* recording, int64_t number, int64_t step)
{
    frame->personCount = 0;
    for (int32_t i = 0; i < frame->count; ++i)
        if (appFindPerson(recording, frame->id[i]) == NULL && !addNewcomer(frame, frame->id[i]))
            return false;
    recording->latest =
        (thRecording){.frame = {.number = appNumberOf(number, step),
                                .count = frame->count,
                                .id = frame->id,
                                .x = frame->x,
                                .y = frame->y,
                                .heading = frame->hasHeading ? frame->heading : NULL},
                      .people = frame->people,
                      .personCount = frame->personCount};
    appGiveShapesOf(&frame->extras, number, &recording->latest);
    frame->count = 0;
    frame->hasHeading = false;
    return true;
}

void appSetEnd(Recording* recording, int64_t last)
{
    const FrameRanges* nobody = &recording->nobody;
    if (nobody->count > 0 && nobody->items[nobody->count - 1].last > last)
        last = nobody->items[nobody->count - 1].last;
    if (last != INT64_MIN)
        recording->endTime = (double)appNumberOf(last, recording->step) / recording->head.rate;
}

thPlace appOriginNear(double x, double y)
{
    // A log keeps what is within 30 km of its origin.
    const double near = 10000.0, grid = 1000.0;
    if (fabs(x) <= near && fabs(y) <= near)
        return (thPlace){0.0, 0.0};
    return (thPlace){grid * round(x / grid), grid * round(y / grid)};
}

ExitCode appSayNoMemoryFor(const Recording* recording)
{
    appSay("cannot read '%s': no memory", recording->path);
    return exitEnvironment;
}

// --- Rows in any order ---

void appFreeRows(RowTable* table)
{
    free(table->rows);
    appFreeFrame(&table->frame);
    *table = (RowTable){0};
}

bool appPutRow(RowTable* table, Row row)
{
    if (table->count == table->capacity) {
        const size_t capacity = table->capacity > 0 ? table->capacity + table->capacity / 2 : 4096;
        Row* rows = realloc(table->rows, capacity * sizeof *rows);
        if (rows == NULL)
            return false;
        table->rows = rows;
        table->capacity = capacity;
    }
    table->rows[table->count++] = row;
    return true;
}

static int compareRows(const void* left, const void* right)
{
    const Row *a = left, *b = right;
    if (a->frame != b->frame)
        return a->frame < b->frame ? -1 : 1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

int64_t appCommonStep(int64_t step, int64_t difference)
{
    int64_t a = step, b = difference < 0 ? -difference : difference;
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool appSortRows(RowTable* table, const char* path, const char* word)
{
    int64_t step = 0;
    bool isSorted = true;
    for (size_t i = 1; i < table->count && isSorted; ++i)
        isSorted = compareRows(&table->rows[i - 1], &table->rows[i]) <= 0;
    if (!isSorted)
        qsort(table->rows, table->count, sizeof *table->rows, compareRows);
    for (size_t i = 1; i < table->count; ++i) {
        const Row *before = &table->rows[i - 1], *row = &table->rows[i];
        if (before->frame == row->frame && before->id == row->id) {
            appSay("%s:%" PRId32 ": person %" PRIu32 " is in frame %" PRId64
                   " already, in %s %" PRId32,
                   path, row->place, row->id, row->frame, word, before->place);
            return false;
        }
        step = appCommonStep(step, row->frame - before->frame);
    }
    table->step = step > 0 ? step : 1;
    return true;
}

Next appNextOfRows(RowTable* table, Recording* recording)
{
    if (table->at == table->count)
        return nextEnd;
    const int64_t frame = table->rows[table->at].frame;
    for (; table->at < table->count && table->rows[table->at].frame == frame; ++table->at) {
        const Row* row = &table->rows[table->at];
        const FrameRow person = {.id = row->id, .x = row->x, .y = row->y};
        if (!appAddRow(&table->frame, &person)) {
            appSayNoMemoryFor(recording);
            return nextFailed;
        }
    }
    if (appGiveFrame(&table->frame, recording, frame, table->step))
        return nextFrame;
    appSayNoMemoryFor(recording);
    return nextFailed;
}
