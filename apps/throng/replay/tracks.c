// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Whole tracks of people: rows of frames are gathered, then put in the order of ids and times.

#include "replay/tracks.h"

#include <math.h>
#include <stdlib.h>

bool appGatherFrame(Tracks* tracks, const thRecordedFrame* frame, double rate)
{
    const size_t needed = tracks->rowCount + (size_t)frame->count;
    if (needed > tracks->rowCapacity) {
        const size_t capacity = needed + needed / 2 + 1024;
        TrackRow* grown = realloc(tracks->rows, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        tracks->rows = grown;
        tracks->rowCapacity = capacity;
    }
    const double time = (double)frame->number / rate;
    for (int32_t i = 0; i < frame->count; ++i)
        tracks->rows[tracks->rowCount++] =
            (TrackRow){frame->id[i], {time, frame->x[i], frame->y[i]}};
    if (tracks->frames == 0)
        tracks->firstTime = time;
    tracks->lastTime = time;
    tracks->frames += 1;
    return true;
}

static int byIdAndTime(const void* a, const void* b)
{
    const TrackRow *left = a, *right = b;
    if (left->id != right->id)
        return left->id < right->id ? -1 : 1;
    return (left->point.time > right->point.time) - (left->point.time < right->point.time);
}

bool appMakeTracks(Tracks* tracks)
{
    int32_t count = 0;
    if (tracks->rowCount > 0)
        qsort(tracks->rows, tracks->rowCount, sizeof *tracks->rows, byIdAndTime);
    for (size_t i = 0; i < tracks->rowCount; ++i)
        count += i == 0 || tracks->rows[i].id != tracks->rows[i - 1].id;
    tracks->items = calloc((size_t)count + 1, sizeof *tracks->items);
    tracks->points = malloc((tracks->rowCount + 1) * sizeof *tracks->points);
    if (tracks->items == NULL || tracks->points == NULL)
        return false;
    for (size_t i = 0; i < tracks->rowCount; ++i) {
        const TrackRow* row = &tracks->rows[i];
        if (i == 0 || row->id != row[-1].id)
            tracks->items[tracks->count++] = (Track){.id = row->id, .points = &tracks->points[i]};
        tracks->items[tracks->count - 1].count += 1;
        tracks->points[i] = row->point;
    }
    free(tracks->rows);
    tracks->rows = NULL;
    tracks->rowCount = tracks->rowCapacity = 0;
    return true;
}

void appFreeTracks(Tracks* tracks)
{
    free(tracks->rows);
    free(tracks->items);
    free(tracks->points);
    *tracks = (Tracks){0};
}

const Track* appFindTrack(const Tracks* tracks, uint32_t id)
{
    int32_t low = 0, high = tracks->count; // it is in [low, high) if it is anywhere
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (tracks->items[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < tracks->count && tracks->items[low].id == id ? &tracks->items[low] : NULL;
}

thPlace appPlaceAt(const Track* track, double time)
{
    const TrackPoint *points = track->points, *last = &points[track->count - 1];
    if (time <= points[0].time)
        return (thPlace){points[0].x, points[0].y};
    if (time >= last->time)
        return (thPlace){last->x, last->y};
    int32_t low = 0, high = track->count - 1; // points[low].time <= time < points[high].time
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (points[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    const TrackPoint *a = &points[low], *b = &points[high];
    const double share = (time - a->time) / (b->time - a->time);
    return (thPlace){a->x + share * (b->x - a->x), a->y + share * (b->y - a->y)};
}

double appDistance(thPlace a, thPlace b)
{
    const double x = b.x - a.x, y = b.y - a.y;
    return sqrt(x * x + y * y);
}

double appSpeedAt(const Track* track, double time, double window)
{
    const double from = fmax(time - 0.5 * window, track->points[0].time);
    const double to = fmin(time + 0.5 * window, track->points[track->count - 1].time);
    if (!(to > from))
        return 0.0;
    const thPlace a = appPlaceAt(track, from), b = appPlaceAt(track, to);
    return appDistance(a, b) / (to - from);
}
