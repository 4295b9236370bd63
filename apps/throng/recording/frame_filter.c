// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Parts of a recording: some of its time, some of its area, or interpolated at another rate.

#include "recording/frame_filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A frame that stays.
typedef struct KeptFrame {
    int64_t number;
    int32_t count, capacity;
    uint32_t* id;
    double *x, *y;
    float* heading;
    bool hasHeading;
} KeptFrame;

struct FrameFilter {
    Recording* recording;
    FrameFilterDef def;
    KeptFrame before, after; // frames between which positions are interpolated
    bool hasBegun, hasAfter;
    int64_t next; // number of the next frame at the other rate
    KeptFrame out;
    bool* told; // whether somebody has been told of, by index among the recording's people
    int32_t toldCapacity;
    thRecordedPerson* people; // of `out`
    int32_t personCapacity;
    bool shapesChanged; // since the last frame that was given
};

// Frames are taken for the same that differ by less of the distance between two.
static const double sameFrame = 1e-6;

// --- Frames that stay ---

static void freeKept(KeptFrame* frame)
{
    free(frame->id);
    free(frame->x);
    free(frame->y);
    free(frame->heading);
}

// Room for so many people; what was there is lost.
static bool makeRoom(KeptFrame* frame, int32_t count)
{
    if (count <= frame->capacity)
        return true;
    freeKept(frame);
    const size_t capacity = (size_t)count + (size_t)count / 2;
    *frame = (KeptFrame){.id = malloc(capacity * sizeof(uint32_t)),
                         .x = malloc(capacity * sizeof(double)),
                         .y = malloc(capacity * sizeof(double)),
                         .heading = malloc(capacity * sizeof(float))};
    const bool good =
        frame->id != NULL && frame->x != NULL && frame->y != NULL && frame->heading != NULL;
    frame->capacity = good && capacity <= INT32_MAX ? (int32_t)capacity : 0;
    return frame->capacity > 0;
}

static bool keep(KeptFrame* kept, const thRecordedFrame* frame)
{
    const size_t count = (size_t)frame->count;
    if (!makeRoom(kept, frame->count))
        return false;
    kept->number = frame->number;
    kept->count = frame->count;
    kept->hasHeading = frame->heading != NULL;
    if (count == 0)
        return true;
    memcpy(kept->id, frame->id, count * sizeof *kept->id);
    memcpy(kept->x, frame->x, count * sizeof *kept->x);
    memcpy(kept->y, frame->y, count * sizeof *kept->y);
    if (kept->hasHeading)
        memcpy(kept->heading, frame->heading, count * sizeof *kept->heading);
    return true;
}

// --- Reading ---

static bool noteWords(FrameFilter* filter)
{
    const Recording* recording = filter->recording;
    if (filter->toldCapacity < recording->personCapacity) {
        bool* told = realloc(filter->told, (size_t)recording->personCapacity * sizeof *told);
        if (told == NULL)
            return false;
        memset(told + filter->toldCapacity, 0,
               (size_t)(recording->personCapacity - filter->toldCapacity) * sizeof *told);
        filter->told = told;
        filter->toldCapacity = recording->personCapacity;
    }
    for (int32_t i = 0; i < recording->latest.personCount; ++i) {
        const thRecordedPerson* person = appFindPerson(recording, recording->latest.people[i].id);
        filter->told[person - recording->people] = false;
    }
    filter->shapesChanged = filter->shapesChanged || recording->latest.shapes != NULL;
    return true;
}

static Next sayNoMemory(const FrameFilter* filter)
{
    appSay("cannot read '%s': no memory", filter->recording->path);
    return nextFailed;
}

static Next readFrame(FrameFilter* filter)
{
    const Next next = appNextFrame(filter->recording);
    if (next == nextFrame && !noteWords(filter))
        return sayNoMemory(filter);
    return next;
}

// --- Giving ---

static bool isWanted(const FrameFilter* filter, double x, double y)
{
    const FrameFilterDef* def = &filter->def;
    return !def->hasArea ||
           (x >= def->low.x && x <= def->high.x && y >= def->low.y && y <= def->high.y);
}

// Those of `out` who have not been told of.
static bool tellPeople(FrameFilter* filter, thRecording* frame)
{
    const Recording* recording = filter->recording;
    if (filter->personCapacity < filter->out.count) {
        thRecordedPerson* people =
            realloc(filter->people, (size_t)filter->out.capacity * sizeof *people);
        if (people == NULL)
            return false;
        filter->people = people;
        filter->personCapacity = filter->out.capacity;
    }
    frame->people = filter->people;
    for (int32_t i = 0; i < filter->out.count; ++i) {
        const thRecordedPerson* person = appFindPerson(recording, filter->out.id[i]);
        if (person == NULL || filter->told[person - recording->people])
            continue;
        filter->told[person - recording->people] = true;
        filter->people[frame->personCount++] = *person;
    }
    return true;
}

static Next giveOut(FrameFilter* filter, thRecording* frame)
{
    const KeptFrame* out = &filter->out;
    *frame = (thRecording){.frame = {.number = out->number,
                                     .count = out->count,
                                     .id = out->id,
                                     .x = out->x,
                                     .y = out->y,
                                     .heading = out->hasHeading ? out->heading : NULL}};
    if (!tellPeople(filter, frame))
        return sayNoMemory(filter);
    if (filter->shapesChanged) {
        frame->shapes = filter->recording->shapes;
        frame->shapeCount = filter->recording->shapeCount;
        filter->shapesChanged = false;
    }
    return nextFrame;
}

// Direction between two, the shorter way round.
static float turn(float a, float b, double share)
{
    const double tau = 6.283185307179586;
    return (float)(a + share * remainder((double)b - a, tau));
}

// People who are in both frames, at a share of the way from `before` to `after`; with a share of 0
// all of `before`.
static bool mix(FrameFilter* filter, double share)
{
    const KeptFrame *a = &filter->before, *b = &filter->after;
    KeptFrame* out = &filter->out;
    if (!makeRoom(out, a->count))
        return false;
    out->count = 0;
    out->hasHeading = a->hasHeading && (share == 0.0 || b->hasHeading);
    for (int32_t i = 0, k = 0; i < a->count; ++i) {
        double x = a->x[i], y = a->y[i];
        float heading = out->hasHeading ? a->heading[i] : 0.0f;
        if (share > 0.0) {
            while (k < b->count && b->id[k] < a->id[i])
                k += 1;
            if (k == b->count || b->id[k] != a->id[i])
                continue;
            x += share * (b->x[k] - x);
            y += share * (b->y[k] - y);
            heading = out->hasHeading ? turn(heading, b->heading[k], share) : 0.0f;
        }
        if (!isWanted(filter, x, y))
            continue;
        out->id[out->count] = a->id[i];
        out->x[out->count] = x;
        out->y[out->count] = y;
        out->heading[out->count++] = heading;
    }
    return true;
}

// --- At the rate of the recording ---

static Next nextAsIs(FrameFilter* filter, thRecording* frame)
{
    const double rate = filter->recording->head.rate;
    for (;;) {
        const Next next = readFrame(filter);
        if (next != nextFrame)
            return next;
        const double number = (double)filter->recording->latest.frame.number;
        if (number > filter->def.to * rate + sameFrame)
            return nextEnd;
        if (number < filter->def.from * rate - sameFrame)
            continue;
        if (!keep(&filter->before, &filter->recording->latest.frame) || !mix(filter, 0.0))
            return sayNoMemory(filter);
        filter->out.number = filter->before.number;
        return giveOut(filter, frame);
    }
}

// --- At another rate ---

// Reads into `after`.
static Next readAfter(FrameFilter* filter)
{
    const Next next = readFrame(filter);
    filter->hasAfter = next == nextFrame;
    if (next == nextFrame && !keep(&filter->after, &filter->recording->latest.frame))
        return sayNoMemory(filter);
    return next;
}

// The frame that was after is the one before.
static Next advance(FrameFilter* filter)
{
    const KeptFrame before = filter->before;
    filter->before = filter->after;
    filter->after = before;
    return readAfter(filter);
}

static Next begin(FrameFilter* filter)
{
    Next next = readAfter(filter);
    if (next == nextFrame)
        next = advance(filter);
    if (next == nextFailed || (next == nextEnd && filter->before.capacity == 0))
        return next;
    const double time = (double)filter->before.number / filter->recording->head.rate;
    filter->next = (int64_t)ceil(fmax(time, filter->def.from) * filter->def.rate - sameFrame);
    filter->hasBegun = true;
    return nextFrame;
}

static Next nextMixed(FrameFilter* filter, thRecording* frame)
{
    if (!filter->hasBegun) {
        const Next next = begin(filter);
        if (next != nextFrame)
            return next;
    }
    const double ratio = filter->recording->head.rate / filter->def.rate;
    const double place = (double)filter->next * ratio;
    if ((double)filter->next > filter->def.to * filter->def.rate + sameFrame)
        return nextEnd;
    while (filter->hasAfter && place >= (double)filter->after.number - sameFrame)
        if (advance(filter) == nextFailed)
            return nextFailed;
    const double past = place - (double)filter->before.number;
    if (!filter->hasAfter && past > sameFrame)
        return nextEnd;
    const double gap =
        filter->hasAfter ? (double)(filter->after.number - filter->before.number) : 1.0;
    if (!mix(filter, past > sameFrame ? past / gap : 0.0))
        return sayNoMemory(filter);
    filter->out.number = filter->next++;
    return giveOut(filter, frame);
}

// --- Creating and freeing ---

FrameFilter* appCreateFilter(Recording* recording, const FrameFilterDef* def)
{
    FrameFilter* filter = calloc(1, sizeof *filter);
    if (filter == NULL) {
        appSay("cannot read '%s': no memory", recording->path);
        return NULL;
    }
    filter->recording = recording;
    filter->def = *def;
    return filter;
}

void appFreeFilter(FrameFilter* filter)
{
    if (filter == NULL)
        return;
    freeKept(&filter->before);
    freeKept(&filter->after);
    freeKept(&filter->out);
    free(filter->told);
    free(filter->people);
    free(filter);
}

Next appNextFiltered(FrameFilter* filter, thRecording* frame)
{
    const FrameFilterDef* def = &filter->def;
    if (def->rate > 0.0)
        return nextMixed(filter, frame);
    if (def->hasArea || def->from > -INFINITY || def->to < INFINITY)
        return nextAsIs(filter, frame);
    const Next next = appNextFrame(filter->recording);
    *frame = filter->recording->latest;
    return next;
}
