// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The engine's search as a step of a world does it: sorted rows, the kernel, and the plain search.
// Rows are sorted into cells, then the kernel finds the neighbours of a tile of rows at a time, and
// the plain search those of the rows that it could not settle. Rows stay in the order of the last
// step and only their places are fetched.

#include "near.h"

#include "space/sense.h"

typedef struct Engine {
    thMemory* memory;
    thMemory columns; // the agents themselves, whom a world has without any search
    const thNearCrowd* crowd;
    thSimd simd;
    thTasks* tasks;
    thGrid grid;
    thRows rows[2]; // the second is there to be sorted into
    int32_t current;
    thArena scratch;
} Engine;

static void closeEngine(void* state)
{
    Engine* engine = state;
    thiGridFree(&engine->grid);
    thiRowsFree(&engine->rows[0], &engine->columns);
    thiRowsFree(&engine->rows[1], engine->memory);
    thiArenaFree(&engine->scratch);
    thDestroyTasks(engine->tasks);
    thiRelease(engine->memory, engine, sizeof *engine);
}

static void fillRows(thRows* rows, const thNearCrowd* crowd)
{
    rows->count = crowd->count;
    for (int32_t i = 0; i < crowd->count; ++i) {
        rows->radius[i] = 0.25f;
        rows->yield[i] = 1.0f;
        rows->flags[i] = th_agentAlive;
        rows->layers[i] = 1;
        rows->mask[i] = UINT32_MAX;
        rows->slot[i] = i;
        rows->key[i] = crowd->key[i];
    }
}

static thResult makeTables(Engine* engine, int32_t count)
{
    const thTasksDef def = thDefaultTasksDef();
    TH_TRY(thCreateTasks(&def, &engine->tasks));
    TH_TRY(thiGridReserve(&engine->grid, count));
    TH_TRY(thiRowsReserve(&engine->rows[0], &engine->columns, count));
    return thiRowsReserve(&engine->rows[1], engine->memory, count);
}

static thResult openEngine(const thNearMethod* self, const thNearCrowd* crowd, thMemory* memory,
                           void** state)
{
    Engine* engine = thiAllocateZero(memory, sizeof *engine);
    if (engine == NULL)
        return th_resultNoMemory;
    engine->memory = memory;
    engine->crowd = crowd;
    engine->simd = thSimd_Resolve(self->simd);
    thiMemoryInit(&engine->columns, NULL, 0);
    thiArenaInit(&engine->scratch, memory);
    thResult code = thiGridInit(&engine->grid, memory, 1);
    if (code == th_resultOk)
        code = makeTables(engine, crowd->count);
    if (code != th_resultOk) {
        closeEngine(engine);
        return code;
    }
    fillRows(&engine->rows[0], crowd);
    *state = engine;
    return th_resultOk;
}

static void fetchPlaces(thRows* rows, const thNearCrowd* crowd, int32_t moment)
{
    const int32_t *x = thiNearX(crowd, moment), *y = thiNearY(crowd, moment);
    for (int32_t i = 0; i < rows->count; ++i) {
        rows->px[i] = x[rows->slot[i]];
        rows->py[i] = y[rows->slot[i]];
    }
}

static thResult buildEngine(void* state, int32_t moment)
{
    Engine* engine = state;
    thRows* from = &engine->rows[engine->current];
    thRows* to = &engine->rows[1 - engine->current];
    fetchPlaces(from, engine->crowd, moment);
    TH_TRY(thiGridSort(&engine->grid, from, to, engine->simd, engine->tasks));
    thiRowsPad(to);
    engine->current = 1 - engine->current;
    return th_resultOk;
}

static void keepRow(const thRows* rows, const thTileSense* tile, int32_t row, int32_t* lists)
{
    const int32_t at = row - tile->begin;
    for (int32_t k = 0; k < thNearCount; ++k)
        lists[rows->slot[row] * thNearCount + k] =
            k < tile->counts[at] ? rows->slot[tile->lists[k * tile->stride + at]] : -1;
}

static int64_t findInTile(Engine* engine, const thSense* sense, int32_t begin, int32_t end,
                          int32_t* lists)
{
    thTileSense tile;
    thiArenaReset(&engine->scratch);
    if (!thiSenseTile(sense, begin, end, &engine->scratch, &tile))
        return -1;
    int64_t sum = 0;
    for (int32_t row = begin; row < end; ++row) {
        sum += tile.counts[row - begin];
        if (lists != NULL)
            keepRow(&engine->rows[engine->current], &tile, row, lists);
    }
    return sum;
}

static int64_t findInGrid(void* state, int32_t* lists)
{
    Engine* engine = state;
    const thRows* rows = &engine->rows[engine->current];
    const thFrame frame = {.count = rows->count,
                           .px = rows->px,
                           .py = rows->py,
                           .radius = rows->radius,
                           .layers = rows->layers,
                           .mask = rows->mask,
                           .profile = rows->profile,
                           .level = rows->level,
                           .key = rows->key};
    const thSight sight = {.needs = th_needsNeighbors,
                           .neighborCount = thNearCount,
                           .neighborRadius = engine->crowd->radius,
                           .fieldOfView = 7.0f};
    const thSight* const sights[] = {&sight};
    const thSense sense = {
        .frame = &frame, .grid = &engine->grid, .sights = sights, .simd = engine->simd};
    int64_t sum = 0;
    for (int32_t begin = 0; begin < rows->count; begin += TH_TILE_ROWS) {
        const int32_t end = TH_MIN(begin + TH_TILE_ROWS, rows->count);
        const int64_t found = findInTile(engine, &sense, begin, end, lists);
        if (found < 0)
            return -1;
        sum += found;
    }
    return sum;
}

const thNearMethod thiNearGridScalar = {.name = "grid, 1 lane",
                                        .exact = true,
                                        .simd = th_simdScalar,
                                        .open = openEngine,
                                        .build = buildEngine,
                                        .find = findInGrid,
                                        .close = closeEngine};

const thNearMethod thiNearGrid = {.name = "grid",
                                  .exact = true,
                                  .simd = th_simdAuto,
                                  .open = openEngine,
                                  .build = buildEngine,
                                  .find = findInGrid,
                                  .close = closeEngine};
