// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Velocities of a frame: where people were in the frames about it, by search in a ring.

#include "measure/survey/survey_window.h"

#include <math.h>
#include <string.h>

// Tracks end when nothing was recorded for longer than this. [s]
#define LONGEST_PAUSE 1.0

thResult thiWindowInit(thWindow* window, thMemory* memory, double rate, int32_t reach)
{
    *window = (thWindow){.memory = memory,
                         .capacity = 2 * reach + 4,
                         .reach = reach,
                         .pause = rate > 1.0 ? (int64_t)(LONGEST_PAUSE * TH_MIN(rate, 1e9)) : 1,
                         .rate = rate,
                         .vx = thiArray(memory, sizeof(double)),
                         .vy = thiArray(memory, sizeof(double))};
    window->frames = thiAllocate(memory, (size_t)window->capacity * sizeof *window->frames);
    if (window->frames == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < window->capacity; ++i)
        window->frames[i] = (thWindowFrame){.id = thiArray(memory, sizeof(uint32_t)),
                                            .before = thiArray(memory, sizeof(int32_t)),
                                            .person = thiArray(memory, sizeof(int32_t)),
                                            .fresh = thiArray(memory, sizeof(int32_t)),
                                            .x = thiArray(memory, sizeof(double)),
                                            .y = thiArray(memory, sizeof(double)),
                                            .since = thiArray(memory, sizeof(int64_t)),
                                            .told = thiArray(memory, sizeof(thRecordedPerson)),
                                            .kept = {thiShapeSet(memory), thiShapeSet(memory)}};
    return th_resultOk;
}

void thiWindowFree(thWindow* window)
{
    for (int32_t i = 0; window->frames != NULL && i < window->capacity; ++i) {
        thWindowFrame* frame = &window->frames[i];
        thiArrayFree(&frame->id);
        thiArrayFree(&frame->before);
        thiArrayFree(&frame->person);
        thiArrayFree(&frame->fresh);
        thiArrayFree(&frame->x);
        thiArrayFree(&frame->y);
        thiArrayFree(&frame->since);
        thiArrayFree(&frame->told);
        for (int32_t kind = 0; kind < th_keptKindCount; ++kind)
            thiShapeSetFree(&frame->kept[kind]);
    }
    thiRelease(window->memory, window->frames, (size_t)window->capacity * sizeof *window->frames);
    window->frames = NULL;
    thiArrayFree(&window->vx);
    thiArrayFree(&window->vy);
}

thWindowFrame* thiWindowFrameAt(const thWindow* window, int32_t index)
{
    TH_ASSERT(index >= 0 && index <= window->count);
    return &window->frames[(window->first + index) % window->capacity];
}

const thWindowFrame* thiWindowFrameBefore(const thWindow* window)
{
    return window->next > 0 ? thiWindowFrameAt(window, window->next - 1) : NULL;
}

thPlace thiWindowPlace(const thWindowFrame* frame, int32_t i)
{
    return (thPlace){TH_ITEMS(frame->x, double)[i], TH_ITEMS(frame->y, double)[i]};
}

// An array of that many items, with undefined content.
static thResult setCount(thArray* array, int32_t count)
{
    array->count = 0;
    return thiArrayAdd(array, count) != NULL ? th_resultOk : th_resultNoMemory;
}

static void copyItems(thArray* to, const void* from)
{
    if (to->count > 0)
        memcpy(to->data, from, (size_t)to->count * (size_t)to->itemSize);
}

// Goes on in a frame to where somebody is; −1 if it is not there. Ids ascend from call to call.
static int32_t follow(const thWindowFrame* frame, int32_t* at, uint32_t id)
{
    const uint32_t* ids = frame->id.data;
    while (*at < frame->count && ids[*at] < id)
        *at += 1;
    return *at < frame->count && ids[*at] == id ? *at : -1;
}

// Whoever was in the frame before as well is the same person, and has been there since when it says
// there.
static void lookBack(const thWindow* window, thWindowFrame* frame, const thWindowFrame* before)
{
    const uint32_t* id = frame->id.data;
    int32_t* places = frame->before.data;
    int32_t* person = frame->person.data;
    int64_t* since = frame->since.data;
    const bool goesOn = before != NULL && frame->number - before->number <= window->pause;
    int32_t at = 0;
    for (int32_t i = 0; i < frame->count; ++i) {
        places[i] = before != NULL ? follow(before, &at, id[i]) : -1;
        person[i] = places[i] >= 0 ? TH_ITEMS(before->person, int32_t)[places[i]] : -1;
        since[i] =
            goesOn && places[i] >= 0 ? TH_ITEMS(before->since, int64_t)[places[i]] : frame->number;
    }
}

thResult thiWindowPush(thWindow* window, const thRecordedFrame* given)
{
    TH_ASSERT(window->count < window->capacity);
    thWindowFrame* frame = thiWindowFrameAt(window, window->count);
    TH_TRY(setCount(&frame->id, given->count));
    TH_TRY(setCount(&frame->before, given->count));
    TH_TRY(setCount(&frame->person, given->count));
    TH_TRY(setCount(&frame->x, given->count));
    TH_TRY(setCount(&frame->y, given->count));
    TH_TRY(setCount(&frame->since, given->count));
    frame->fresh.count = frame->told.count = 0;
    frame->number = given->number;
    frame->count = given->count;
    copyItems(&frame->id, given->id);
    copyItems(&frame->x, given->x);
    copyItems(&frame->y, given->y);
    lookBack(window, frame, window->count > 0 ? thiWindowFrameAt(window, window->count - 1) : NULL);
    window->count += 1;
    return th_resultOk;
}

bool thiWindowIsReady(const thWindow* window, bool ended)
{
    if (window->next >= window->count)
        return false;
    const int64_t newest = thiWindowFrameAt(window, window->count - 1)->number;
    const int64_t next = thiWindowFrameAt(window, window->next)->number;
    return ended || (window->next < window->count - 1 && newest >= next + window->reach);
}

// Where frame `index` begins to look: as far as the window reaches, and at least one frame if that
// is not too long ago.
static int32_t oldestFor(const thWindow* window, int32_t index)
{
    const int64_t number = thiWindowFrameAt(window, index)->number;
    int32_t oldest = index;
    while (oldest > 0) {
        const int64_t distance = number - thiWindowFrameAt(window, oldest - 1)->number;
        if (distance > window->reach && (oldest < index || distance > window->pause))
            break;
        --oldest;
    }
    return oldest;
}

static int32_t newestFor(const thWindow* window, int32_t index)
{
    const int64_t number = thiWindowFrameAt(window, index)->number;
    int32_t newest = index;
    while (newest < window->count - 1) {
        const int64_t distance = thiWindowFrameAt(window, newest + 1)->number - number;
        if (distance > window->reach && (newest > index || distance > window->pause))
            break;
        ++newest;
    }
    return newest;
}

// Where in a frame somebody is, −1 if it is not there. It is looked for about `near` first: few
// come or leave from one frame to the next.
static int32_t findId(const thWindowFrame* frame, uint32_t id, int32_t near)
{
    const uint32_t* ids = frame->id.data;
    int32_t low = TH_MIN(near, frame->count), high = low;
    for (int32_t step = 1; low > 0 && ids[low - 1] >= id; step *= 2)
        low = TH_MAX(low - step, 0);
    for (int32_t step = 1; high < frame->count && ids[high] < id; step *= 2)
        high = step < frame->count - high ? high + step : frame->count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < frame->count && ids[low] == id ? low : -1;
}

typedef struct Sight {
    int64_t number;
    double x, y;
} Sight;

static Sight sightAt(const thWindowFrame* frame, int32_t at)
{
    return (Sight){frame->number, TH_ITEMS(frame->x, double)[at], TH_ITEMS(frame->y, double)[at]};
}

// Where the i-th of frame `index` came into sight, which was after frame `oldest`.
static Sight findBegin(const thWindow* window, int32_t oldest, int32_t index, int32_t i)
{
    const thWindowFrame* frame = thiWindowFrameAt(window, index);
    const int64_t since = TH_ITEMS(frame->since, int64_t)[i];
    int32_t low = oldest, high = index;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (thiWindowFrameAt(window, middle)->number < since)
            low = middle + 1;
        else
            high = middle;
    }
    const thWindowFrame* begin = thiWindowFrameAt(window, low);
    return sightAt(begin, findId(begin, TH_ITEMS(frame->id, uint32_t)[i], i));
}

// Whether somebody who is in frame `number` is still there at `at`, without a break.
static bool isStill(const thWindowFrame* frame, int32_t at, int64_t number)
{
    return at >= 0 && TH_ITEMS(frame->since, int64_t)[at] <= number;
}

// Where the i-th of frame `index` was seen last, which was before frame `newest`.
static Sight findEnd(const thWindow* window, int32_t newest, int32_t index, int32_t i)
{
    const thWindowFrame* frame = thiWindowFrameAt(window, index);
    const uint32_t id = TH_ITEMS(frame->id, uint32_t)[i];
    int32_t low = index, high = newest; // there at low, not there at high
    Sight sight = sightAt(frame, i);
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        const thWindowFrame* later = thiWindowFrameAt(window, middle);
        const int32_t at = findId(later, id, i);
        if (isStill(later, at, frame->number)) {
            low = middle;
            sight = sightAt(later, at);
        } else {
            high = middle;
        }
    }
    return sight;
}

// The frames over which speeds of the next one are measured.
typedef struct Span {
    int32_t index, oldest, newest;
    const thWindowFrame *frame, *behind, *ahead;
} Span;

static Span spanOf(const thWindow* window)
{
    const int32_t index = window->next;
    const int32_t oldest = oldestFor(window, index), newest = newestFor(window, index);
    return (Span){.index = index,
                  .oldest = oldest,
                  .newest = newest,
                  .frame = thiWindowFrameAt(window, index),
                  .behind = thiWindowFrameAt(window, oldest),
                  .ahead = thiWindowFrameAt(window, newest)};
}

// The velocity of the i-th, who is in the frames behind and ahead there, or not at all (−1).
static thPlace velocityOf(const thWindow* window, const Span* span, int32_t i, int32_t past,
                          int32_t future)
{
    const Sight from = TH_ITEMS(span->frame->since, int64_t)[i] <= span->behind->number
                           ? sightAt(span->behind, past)
                           : findBegin(window, span->oldest, span->index, i);
    const Sight to = isStill(span->ahead, future, span->frame->number)
                         ? sightAt(span->ahead, future)
                         : findEnd(window, span->newest, span->index, i);
    const double time = (double)(to.number - from.number) / window->rate;
    return (thPlace){time > 0.0 ? (to.x - from.x) / time : 0.0,
                     time > 0.0 ? (to.y - from.y) / time : 0.0};
}

thResult thiWindowMeasure(thWindow* window)
{
    const Span span = spanOf(window);
    TH_TRY(setCount(&window->vx, span.frame->count));
    TH_TRY(setCount(&window->vy, span.frame->count));
    double* vx = window->vx.data;
    double* vy = window->vy.data;
    int32_t behindAt = 0, aheadAt = 0;
    for (int32_t i = 0; i < span.frame->count; ++i) {
        const uint32_t id = TH_ITEMS(span.frame->id, uint32_t)[i];
        const int32_t past = follow(span.behind, &behindAt, id);
        const int32_t future = follow(span.ahead, &aheadAt, id);
        const thPlace velocity = velocityOf(window, &span, i, past, future);
        vx[i] = velocity.x;
        vy[i] = velocity.y;
    }
    return th_resultOk;
}

double thiWindowSpeed(const thWindow* window, int32_t i)
{
    const Span span = spanOf(window);
    const uint32_t id = TH_ITEMS(span.frame->id, uint32_t)[i];
    const thPlace velocity =
        velocityOf(window, &span, i, findId(span.behind, id, i), findId(span.ahead, id, i));
    return sqrt(velocity.x * velocity.x + velocity.y * velocity.y);
}

void thiWindowAdvance(thWindow* window)
{
    window->next += 1;
    // The newest one stays: it tells who was there in the frame before the one to come.
    const int32_t needed =
        window->next < window->count ? oldestFor(window, window->next) : window->count - 1;
    const int32_t oldest = TH_MIN(needed, window->next - 1);
    window->first = (window->first + oldest) % window->capacity;
    window->count -= oldest;
    window->next -= oldest;
}
