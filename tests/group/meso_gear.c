// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Crowds for `meso`.

#include "meso_gear.h"

#include "geom/fixed.h"

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
