// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Memory for what agents show and keep about jams, row by row.

#include "sim/jam/jams.h"

#include "sim/ranges.h"
#include "throng/tasks.h"

#include <string.h>

#define SORT_GRAIN 2048

static const thJamShown nothingShown = {.contact = UINT8_MAX};
static const thJamOwn nothingOwn = {.progress = 1 << 14};

void thiFreeJams(thJams* jams)
{
    for (int32_t i = 0; i < 2; ++i) {
        thiRelease(jams->memory, jams->shown[i], (size_t)jams->capacity * sizeof(thJamShown));
        thiRelease(jams->memory, jams->remaining[i], (size_t)jams->capacity * sizeof(uint16_t));
        thiRelease(jams->memory, jams->own[i], (size_t)jams->capacity * sizeof(thJamOwn));
        thiRelease(jams->memory, jams->rest[i], (size_t)jams->capacity * sizeof(thPoint));
    }
    *jams = (thJams){0};
}

static void keep(const thJams* from, thJams* to, int32_t count)
{
    const int32_t now = from->current;
    if (count == 0)
        return;
    memcpy(to->shown[now], from->shown[now], (size_t)count * sizeof(thJamShown));
    memcpy(to->remaining[now], from->remaining[now], (size_t)count * sizeof(uint16_t));
    memcpy(to->own[now], from->own[now], (size_t)count * sizeof(thJamOwn));
    memcpy(to->rest[now], from->rest[now], (size_t)count * sizeof(thPoint));
}

thResult thiReserveJams(thJams* jams, thMemory* memory, int32_t count, int32_t capacity)
{
    if (capacity <= jams->capacity)
        return th_resultOk;
    thJams grown = {.memory = memory, .capacity = capacity, .current = jams->current};
    bool complete = true;
    for (int32_t i = 0; i < 2; ++i) {
        grown.shown[i] = thiAllocateZero(memory, (size_t)capacity * sizeof(thJamShown));
        grown.own[i] = thiAllocateZero(memory, (size_t)capacity * sizeof(thJamOwn));
        grown.remaining[i] = thiAllocateZero(memory, (size_t)capacity * sizeof(uint16_t));
        grown.rest[i] = thiAllocateZero(memory, (size_t)capacity * sizeof(thPoint));
        complete = complete && grown.shown[i] != NULL && grown.own[i] != NULL &&
                   grown.remaining[i] != NULL && grown.rest[i] != NULL;
    }
    if (!complete) {
        thiFreeJams(&grown);
        return th_resultNoMemory;
    }
    keep(jams, &grown, count);
    if (jams->memory != NULL)
        thiFreeJams(jams);
    *jams = grown;
    return th_resultOk;
}

static void clearRow(const thJams* jams, int32_t which, int32_t row)
{
    jams->shown[which][row] = nothingShown;
    jams->remaining[which][row] = 0;
    jams->own[which][row] = nothingOwn;
    jams->rest[which][row] = TH_NO_REST;
}

void thiInitJam(thJams* jams, int32_t row)
{
    clearRow(jams, jams->current, row);
}

void thiForgetRest(thJams* jams, int32_t row)
{
    jams->rest[jams->current][row] = TH_NO_REST;
}

void thiSkipJam(const thJams* jams, int32_t row, bool stands)
{
    clearRow(jams, 1 - jams->current, row);
    if (stands)
        jams->shown[1 - jams->current][row].flags = th_jamStands;
}

typedef struct Sorting {
    const thJams* jams;
    const int32_t* order;
} Sorting;

static void sortRange(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    const Sorting* sorting = context;
    const int32_t from = sorting->jams->current, to = 1 - from;
    for (int32_t row = begin; row < end; ++row) {
        sorting->jams->shown[to][row] = sorting->jams->shown[from][sorting->order[row]];
        sorting->jams->remaining[to][row] = sorting->jams->remaining[from][sorting->order[row]];
        sorting->jams->own[to][row] = sorting->jams->own[from][sorting->order[row]];
        sorting->jams->rest[to][row] = sorting->jams->rest[from][sorting->order[row]];
    }
}

void thiSortJams(thJams* jams, const int32_t* order, int32_t count, const thTasks* tasks)
{
    Sorting sorting = {jams, order};
    thTasks_ParallelFor(tasks, count, SORT_GRAIN, sortRange, &sorting);
    thiTurnJams(jams);
}

void thiPackJam(const thJams* jams, int32_t row, uint32_t words[TH_JAM_WORDS])
{
    const thJamShown* shown = &jams->shown[jams->current][row];
    const thJamOwn* own = &jams->own[jams->current][row];
    words[0] = (uint32_t)(uint8_t)shown->goalX | (uint32_t)(uint8_t)shown->goalY << 8 |
               (uint32_t)(uint8_t)shown->claimX << 16 | (uint32_t)(uint8_t)shown->claimY << 24;
    words[1] = shown->claim | (uint32_t)shown->contact << 16 | (uint32_t)shown->flags << 24;
    words[2] = (uint16_t)own->progress | (uint32_t)own->wait << 16;
    words[3] = jams->remaining[jams->current][row];
    words[4] = (uint32_t)jams->rest[jams->current][row].x;
    words[5] = (uint32_t)jams->rest[jams->current][row].y;
}

bool thiUnpackJam(thJams* jams, int32_t row, const uint32_t words[TH_JAM_WORDS])
{
    jams->shown[jams->current][row] = (thJamShown){.goalX = (int8_t)(uint8_t)words[0],
                                                   .goalY = (int8_t)(uint8_t)(words[0] >> 8),
                                                   .claimX = (int8_t)(uint8_t)(words[0] >> 16),
                                                   .claimY = (int8_t)(uint8_t)(words[0] >> 24),
                                                   .claim = (uint16_t)words[1],
                                                   .contact = (uint8_t)(words[1] >> 16),
                                                   .flags = (uint8_t)(words[1] >> 24)};
    jams->own[jams->current][row] =
        (thJamOwn){.progress = (int16_t)(uint16_t)words[2], .wait = (uint16_t)(words[2] >> 16)};
    jams->remaining[jams->current][row] = (uint16_t)words[3];
    const thPoint rest = {(int32_t)words[4], (int32_t)words[5]};
    jams->rest[jams->current][row] = rest;
    return words[3] <= UINT16_MAX && (thiIsWithinWorld(rest) || thiSamePoint(rest, TH_NO_REST));
}
