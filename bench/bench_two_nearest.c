// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Cases of geom/two_nearest: a raster of a million pixels with discs, and with a crowd among
// buildings and cars, and the repair of its labels.

#include "bench.h"

#include "geom/two_nearest.h"
#include "throng/random.h"

#include <stdlib.h>
#include <string.h>

enum { side = 1000, mostSites = 1000, mostPoints = 1200 };

#define PIXEL 0.1f // m; a side is 100 m

typedef struct Place {
    int32_t discs;
    bool isCrowd;  // with buildings, benches, fountains and cars before the discs
    bool isMasked; // nobody asks for the second where these are nearest
} Place;

typedef struct State {
    thMemory memory;
    thArena arena;
    thTasks* tasks;
    thSite sites[mostSites];
    thVec2 points[mostPoints];
    int32_t siteCount, pointCount, obstacleCount;
    thTwoNearest field, fresh;
} State;

static void addPolygon(State* state, const thVec2* points, int32_t count)
{
    state->sites[state->siteCount++] = (thSite){th_sitePolygon, state->pointCount, count, 0.0f};
    memcpy(state->points + state->pointCount, points, (size_t)count * sizeof *points);
    state->pointCount += count;
}

static void addRectangle(State* state, float x, float y, float width, float height)
{
    const thVec2 points[4] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    addPolygon(state, points, 4);
}

static void addFountain(State* state, float x, float y)
{
    thVec2 points[8];
    for (int32_t i = 0; i < 8; ++i) {
        float sine, cosine;
        thSinCos(0.78539816f * (float)i, &sine, &cosine);
        points[i] = (thVec2){x + 2.5f * cosine, y + 2.5f * sine};
    }
    addPolygon(state, points, 8);
}

static void addTown(State* state)
{
    for (int32_t i = 0; i < 6; ++i)
        addRectangle(state, 5.0f + 35.0f * (float)(i % 3), i < 3 ? 3.0f : 75.0f, 20.0f, 15.0f);
    for (int32_t i = 0; i < 7; ++i)
        addRectangle(state, 12.0f + 11.0f * (float)i, i % 2 == 0 ? 38.0f : 62.0f, 2.0f, 0.6f);
    addFountain(state, 35.0f, 50.0f);
    addFountain(state, 65.0f, 50.0f);
    for (int32_t i = 0; i < 5; ++i)
        addRectangle(state, 8.0f + 18.0f * (float)i, i % 2 == 0 ? 24.0f : 28.0f, 4.5f, 1.8f);
}

static void addDiscs(State* state, int32_t count)
{
    const uint64_t stream = thRandomStream(11, 0, 0, 0);
    for (int32_t i = 0; i < count; ++i) {
        const float x = thRandomRange(stream, 2 * (uint32_t)i, 0.0f, PIXEL * side);
        const float y = thRandomRange(stream, 2 * (uint32_t)i + 1, 0.0f, PIXEL * side);
        state->sites[state->siteCount++] = (thSite){th_siteDisc, state->pointCount, 1, 0.25f};
        state->points[state->pointCount++] = (thVec2){x, y};
    }
}

static thResult find(State* state)
{
    const thSites sites = {state->sites, state->points, state->siteCount};
    const thResult code = thiFindTwoNearest(&sites, state->obstacleCount, th_simdAuto, state->tasks,
                                            &state->arena, &state->field);
    thiArenaReset(&state->arena);
    return code;
}

static thResult makeState(State* state, const thBenchCase* self)
{
    const Place* place = self->context;
    thiMemoryInit(&state->memory, NULL, 0);
    thiArenaInit(&state->arena, &state->memory);
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = self->threads;
    TH_TRY(thCreateTasks(&def, &state->tasks));
    if (place->isCrowd)
        addTown(state);
    state->obstacleCount = place->isMasked ? state->siteCount : 0;
    addDiscs(state, place->discs);
    TH_TRY(thiCreateTwoNearest(&state->memory, side, side, PIXEL, &state->field));
    TH_TRY(thiCreateTwoNearest(&state->memory, side, side, PIXEL, &state->fresh));
    return find(state);
}

static void copyField(const thTwoNearest* from, const thTwoNearest* to)
{
    const size_t bytes = (size_t)side * side * sizeof(int32_t);
    memcpy(to->first, from->first, bytes);
    memcpy(to->second, from->second, bytes);
    memcpy(to->firstDistance, from->firstDistance, bytes);
    memcpy(to->secondDistance, from->secondDistance, bytes);
}

static const char* setUp(const thBenchCase* self, void** given)
{
    State* state = calloc(1, sizeof *state);
    if (state == NULL)
        return "no memory";
    *given = state;
    if (makeState(state, self) != th_resultOk)
        return "no memory";
    copyField(&state->field, &state->fresh);
    return NULL;
}

static uint64_t runFind(void* given)
{
    State* state = given;
    return find(state) == th_resultOk ? (uint64_t)state->field.second[side * side / 2] : 0;
}

// With the copy of the four columns that is repaired.
static uint64_t runRepair(void* given)
{
    State* state = given;
    const thSites sites = {state->sites, state->points, state->siteCount};
    copyField(&state->fresh, &state->field);
    const thResult code = thiRepairTwoNearest(&sites, state->obstacleCount, th_simdAuto,
                                              state->tasks, &state->arena, &state->field);
    thiArenaReset(&state->arena);
    return code == th_resultOk ? (uint64_t)state->field.second[side * side / 2] : 0;
}

static void tearDown(void* given)
{
    State* state = given;
    thiFreeTwoNearest(&state->memory, &state->field);
    thiFreeTwoNearest(&state->memory, &state->fresh);
    thiArenaFree(&state->arena);
    thDestroyTasks(state->tasks);
    free(state);
}

#define PIXELS .item = "pixel", .items = (int64_t)side * side, .setUp = setUp, .tearDown = tearDown
#define DISCS(count)                                                                               \
    PIXELS, .run = runFind, .context = &(const Place)                                              \
    {                                                                                              \
        count, false, false                                                                        \
    }
#define CROWD(isMasked)                                                                            \
    PIXELS, .run = runFind, .context = &(const Place)                                              \
    {                                                                                              \
        200, true, isMasked                                                                        \
    }

// A raster with 200 discs in 3 ms on two threads, with a crowd in 5 ms. [ns per pixel]
#define MOST_DISCS 3.0
#define MOST_CROWD 5.0

static const thBenchCase cases[] = {
    {.name = "two_nearest/discs10", DISCS(10)},
    {.name = "two_nearest/discs200", DISCS(200), .maxTime = 2.0 * MOST_DISCS},
    {.name = "two_nearest/discs1000",
     .baseline = "two_nearest/discs10",
     DISCS(1000),
     .minRatio = 0.2},
    {.name = "two_nearest/crowd", CROWD(false), .maxTime = 2.0 * MOST_CROWD},
    {.name = "two_nearest/crowd/masked", .baseline = "two_nearest/crowd", CROWD(true)},
    {.name = "two_nearest/discs200/workers2", DISCS(200), .threads = 2, .maxTime = MOST_DISCS},
    {.name = "two_nearest/crowd/workers2", CROWD(false), .threads = 2, .maxTime = MOST_CROWD},
    {.name = "two_nearest/crowd/repair",
     .baseline = "two_nearest/crowd",
     PIXELS,
     .run = runRepair,
     .context = &(const Place){200, true, false}},
};

const thBenchGroup thiBenchTwoNearest = {cases, sizeof cases / sizeof cases[0]};
