// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "sim/held_guides.h"

#include <math.h>
#include <string.h>

// What is left of a limit of acceleration at least: 0 would be no limit. [m/s²]
#define LEAST_ACCEL 1.0e-3f

// Steps that may be divided need them, and those who have a shape to turn where they stand.
static bool needsGuides(const thWorld* world)
{
    if (world->profiles.shapedCount > 0)
        return true;
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot) {
        const thProfile* profile = &thiProfiles(world)[slot];
        if (profile->agentCount > 0 &&
            (profile->methods[th_methodAvoid].method->needs & th_needsShortSteps) != 0)
            return true;
    }
    return false;
}

thResult thiReserveGuides(thWorld* world)
{
    const int32_t count = needsGuides(world) ? world->agents.view.count : 0;
    if (count > world->guides.capacity)
        TH_TRY(thiArrayReserve(&world->guides, TH_MAX(count, world->agents.view.capacity)));
    world->guides.count = count;
    return th_resultOk;
}

static thHeldGuide* guideOf(const thWorld* world, const thBatch* batch, int32_t lane)
{
    return &TH_ITEMS(world->guides, thHeldGuide)[batch->frame->slot[batch->row[lane]]];
}

void thiHoldGuides(const thWorld* world, const thBatch* batch)
{
    for (int32_t lane = 0; lane < batch->count; ++lane)
        *guideOf(world, batch, lane) = (thHeldGuide){{batch->guideX[lane], batch->guideY[lane]},
                                                     {batch->cornerX[lane], batch->cornerY[lane]},
                                                     batch->remaining[lane],
                                                     0.0f,
                                                     batch->answer[lane]};
}

void thiHoldChanges(const thWorld* world, const thBatch* batch)
{
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const float x = batch->outVx[lane] - batch->vx[lane];
        const float y = batch->outVy[lane] - batch->vy[lane];
        guideOf(world, batch, lane)->change += sqrtf(x * x + y * y);
    }
}

static float accelLeft(float maxAccel, float change, float dt, float rest)
{
    if (!(maxAccel > 0.0f))
        return maxAccel;
    return TH_MAX((maxAccel * dt - change) / rest, LEAST_ACCEL);
}

bool thiRecallGuides(const thWorld* world, thBatch* batch, float dt)
{
    float* maxAccel = thiArenaAllocate(batch->scratch, (size_t)batch->lanes * sizeof *maxAccel);
    if (maxAccel == NULL)
        return false;
    memcpy(maxAccel, batch->maxAccel, (size_t)batch->lanes * sizeof *maxAccel);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const thHeldGuide* held = guideOf(world, batch, lane);
        batch->guideX[lane] = held->guide.x;
        batch->guideY[lane] = held->guide.y;
        batch->cornerX[lane] = held->corner.x;
        batch->cornerY[lane] = held->corner.y;
        batch->remaining[lane] = held->remaining;
        batch->answer[lane] = held->answer;
        maxAccel[lane] = accelLeft(maxAccel[lane], held->change, dt, batch->frame->dt);
    }
    batch->maxAccel = maxAccel;
    return true;
}
