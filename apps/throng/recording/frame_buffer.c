// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "recording/frame_buffer.h"

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

thPlace appOriginNear(double x, double y)
{
    // A log keeps what is within 30 km of its origin.
    const double near = 10000.0, grid = 1000.0;
    if (fabs(x) <= near && fabs(y) <= near)
        return (thPlace){0.0, 0.0};
    return (thPlace){grid * round(x / grid), grid * round(y / grid)};
}

const char* appTitleOf(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

ExitCode appSayNoMemoryFor(const Recording* recording)
{
    appSay("cannot read '%s': no memory", recording->path);
    return exitEnvironment;
}
