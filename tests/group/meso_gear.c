// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Crowds for `meso`.

#include "meso_gear.h"

#include "geom/fixed.h"
#include "geom/vec2.h"

#include <stdlib.h>

Crowd* createCrowd(void)
{
    return createCrowdFor(th_simdAuto);
}

Crowd* createCrowdFor(thSimd simd)
{
    Crowd* crowd = calloc(1, sizeof *crowd);
    assert_non_null(crowd);
    crowd->frame = (thFrame){.dt = 0.1f,
                             .px = crowd->px,
                             .py = crowd->py,
                             .vx = crowd->vx,
                             .vy = crowd->vy,
                             .radius = crowd->radius,
                             .layers = crowd->layers,
                             .mask = crowd->mask,
                             .flags = crowd->flags,
                             .level = crowd->level,
                             .key = crowd->key};
    const thAllocator allocator = thDefaultAllocator();
    thMethodHost host = {
        .size = sizeof host, .allocator = allocator, .simd = (int32_t)simd, .profile = -1};
    void* graph;
    assert_int_equal(thiMesoCreateGraph(&host, &graph), th_resultOk);
    crowd->graph = graph;
    thiMemoryInit(&crowd->memory, &allocator, 0);
    thiArenaInit(&crowd->scratch, &crowd->memory);
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = 1;
    assert_int_equal(thCreateTasks(&def, &crowd->tasks), th_resultOk);
    return crowd;
}

void destroyCrowd(Crowd* crowd)
{
    thiMesoDestroyGraph(crowd->graph);
    thiArenaFree(&crowd->scratch);
    thDestroyTasks(crowd->tasks);
    free(crowd);
}

int32_t addPerson(Crowd* crowd, thVec2 place, thVec2 velocity, float radius)
{
    const int32_t row = crowd->frame.count++;
    assert_true(row < crowdMost);
    crowd->px[row] = thiUnits(place.x);
    crowd->py[row] = thiUnits(place.y);
    crowd->vx[row] = velocity.x;
    crowd->vy[row] = velocity.y;
    crowd->radius[row] = radius;
    crowd->layers[row] = 1;
    crowd->mask[row] = UINT32_MAX;
    crowd->flags[row] = th_agentAlive;
    crowd->level[row] = 0;
    crowd->key[row] = (uint64_t)row;
    return row;
}

void copyWorld(Crowd* crowd, const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    crowd->frame.count = 0;
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thAgentRow* shown = &view.rows[slot];
        const thAgentId id = thWorld_FindAgent(world, shown->key);
        const int32_t row =
            addPerson(crowd, shown->position, shown->velocity, thAgent_GetInfo(world, id).radius);
        crowd->key[row] = shown->key;
        assert_int_equal(thAgent_GetUnits(world, id, &crowd->px[row], &crowd->py[row]),
                         th_resultOk);
    }
}

thMesoDef usualDef(void)
{
    return (thMesoDef){.size = sizeof(thMesoDef),
                       .radius = 15.0f,
                       .near = 1.5f,
                       .velocity = 0.6f,
                       .horizon = 0.0f,
                       .passable = 100.0f,
                       .hysteresis = 0.1f,
                       .smallest = 2,
                       .every = 1,
                       .wallHorizon = 1.0f};
}

void prepareCrowd(Crowd* crowd, const thMesoDef* defs, int32_t count)
{
    thMethodUser users[8];
    for (int32_t i = 0; i < count; ++i)
        users[i] = (thMethodUser){i, &defs[i]};
    assert_int_equal(thiMesoPrepareGraph(crowd->graph, &crowd->frame, crowd->tasks, users, count),
                     th_resultOk);
}

thMesoView* perceive(Crowd* crowd, const thMesoDef* def, int32_t row)
{
    thiArenaReset(&crowd->scratch);
    assert_true(thiMesoMakeRoom(&crowd->scratch, &crowd->room));
    assert_true(thiMesoPerceive(crowd->graph, &crowd->frame, def, row, &crowd->room));
    return &crowd->room.view;
}

double apartFrom(thVec2 a, thVec2 b)
{
    return hypot((double)a.x - (double)b.x, (double)a.y - (double)b.y);
}

float beyond(const thRegion* region, thVec2 v)
{
    float most = -1e30f;
    for (int32_t k = 0; k < region->sides; ++k)
        most = fmaxf(most, region->o[k] - thiDot(region->n[k], v));
    return most;
}

thVec2 drawVelocity(thGenerator* g)
{
    return (thVec2){drawFloat(g, -1.5f, 1.5f), drawFloat(g, -1.5f, 1.5f)};
}

void drawClumps(Crowd* crowd, thGenerator* g, int32_t size)
{
    crowd->frame.count = 0;
    addPerson(crowd, (thVec2){0.0f, 0.0f}, (thVec2){0.0f, 5.0f}, drawFloat(g, 0.2f, 0.5f));
    const int32_t clumps = 1 + drawInt(g, 0, 1 + size / 8);
    for (int32_t c = 0; c < clumps; ++c) {
        const float angle = drawFloat(g, 0.0f, 6.28f), distance = drawFloat(g, 2.0f, 10.0f);
        const thVec2 middle = {distance * cosf(angle), distance * sinf(angle)};
        const thVec2 velocity = {drawFloat(g, -1.4f, 1.4f), drawFloat(g, -1.4f, 1.4f)};
        const int32_t count = drawInt(g, 2, 3 + size / 4);
        for (int32_t i = 0; i < count; ++i)
            addPerson(crowd,
                      (thVec2){middle.x + drawFloat(g, -1.0f, 1.0f),
                               middle.y + drawFloat(g, -1.0f, 1.0f)},
                      (thVec2){velocity.x + drawFloat(g, -0.1f, 0.1f),
                               velocity.y + drawFloat(g, -0.1f, 0.1f)},
                      drawFloat(g, 0.15f, 0.6f));
    }
}

thMesoQuery queryOf(const Crowd* crowd, const thMesoDef* def, thVec2 wanted)
{
    return (thMesoQuery){.def = def,
                         .wanted = wanted,
                         .radius = crowd->radius[0],
                         .prefSpeed = 1.3f,
                         .maxSpeed = SPEED_LIMIT};
}

thMesoView* look(Crowd* crowd, const thMesoDef* def, thVec2 wanted, thMesoObstacles* obstacles)
{
    prepareCrowd(crowd, def, 1);
    thMesoView* view = perceive(crowd, def, 0);
    const thMesoQuery query = queryOf(crowd, def, wanted);
    thiMesoFindObstacles(&query, view, obstacles);
    return view;
}
