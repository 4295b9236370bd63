// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The stage `unjam`: kernels judge who is in a jam and carry out the rules; what is rare stands
// here.

#include "geom/fixed.h"
#include "geom/vec2.h"
#include "move/contact/contacts.h"
#include "sim/jam/jam_lanes.h"

#include <float.h>

// Movers.

// Whether the way between two places, relative to a mover's origin, leads into it.
static bool leadsIntoMover(const thMovers* movers, int32_t mover, thVec2 from, thVec2 to)
{
    const int32_t first = movers->firstCorner[mover], end = movers->firstCorner[mover + 1];
    const thVec2 way = {to.x - from.x, to.y - from.y};
    if (first == end) {
        const float along = -thiDot(from, way) / TH_MAX(thiDot(way, way), FLT_MIN);
        const float share = TH_MIN(TH_MAX(along, 0.0f), 1.0f);
        const thVec2 nearest = {from.x + share * way.x, from.y + share * way.y};
        return thiDot(nearest, nearest) < movers->radius[mover] * movers->radius[mover];
    }
    float enters = 0.0f, leaves = 1.0f;
    for (int32_t i = first; i < end; ++i) {
        const thVec2 a = movers->corners[i], b = movers->corners[i + 1 < end ? i + 1 : first];
        const thVec2 edge = {b.x - a.x, b.y - a.y};
        const float inFrom = thiDet(edge, (thVec2){from.x - a.x, from.y - a.y});
        const float inTo = thiDet(edge, (thVec2){to.x - a.x, to.y - a.y});
        if (inFrom < 0.0f && inTo < 0.0f)
            return false;
        if (inFrom < 0.0f)
            enters = TH_MAX(enters, inFrom / (inFrom - inTo));
        else if (inTo < 0.0f)
            leaves = TH_MIN(leaves, inFrom / (inFrom - inTo));
    }
    return enters <= leaves;
}

// Movers give no way, and no planner leads round them.
static bool meetsMover(const thBatch* batch, int32_t lane, thVec2 goal)
{
    const thMovers* movers = batch->frame->movers;
    const int32_t row = batch->row[lane];
    const float reach = batch->radius[lane] + TH_JAM_MEETS;
    for (int32_t k = 0; k < batch->moverCount[lane]; ++k) {
        const int32_t mover = batch->mover[k * batch->lanes + lane];
        const thVec2 from = {thiMetresBetween(movers->px[mover], batch->frame->px[row]),
                             thiMetresBetween(movers->py[mover], batch->frame->py[row])};
        const thVec2 to = {from.x + reach * goal.x, from.y + reach * goal.y};
        if (leadsIntoMover(movers, mover, from, to))
            return true;
    }
    return false;
}

static void lookForMovers(const thBatch* batch, thJamLanes* lanes)
{
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const thVec2 goal = {lanes->goalX[lane], lanes->goalY[lane]};
        lanes->meetsMover[lane] = lanes->heldUp[lane] > 0.0f && meetsMover(batch, lane, goal);
    }
}

void thiOverlook(const thJams* jams, const thBatch* batch, thSimd simd)
{
    static thJamFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiOverlookLanes);
    kernels[simd](&(thJamTask){.jams = jams, .batch = batch});
}

// Who was held back lately presses less, so that crowds which cannot be separated in time dissolve.
static void relieve(const thBatch* batch, const uint16_t* pressures)
{
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const uint16_t pressure = pressures[batch->row[lane]];
        if (pressure == 0)
            continue;
        const float factor = thiContactRelief(pressure);
        batch->guideX[lane] *= factor;
        batch->guideY[lane] *= factor;
    }
}

void thiKeepSide(const thProfileDef* def, const thBatch* batch)
{
    if (def->keep == th_keepNone || batch->nx == NULL)
        return;
    const float sine = def->keep == th_keepRight ? -TH_JAM_ASIDE_SINE : TH_JAM_ASIDE_SINE;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        if (thiStands(batch->frame, batch->row[lane]))
            continue;
        const float gx = batch->guideX[lane], gy = batch->guideY[lane];
        batch->guideX[lane] = gx * TH_JAM_ASIDE_COSINE - gy * sine;
        batch->guideY[lane] = gx * sine + gy * TH_JAM_ASIDE_COSINE;
    }
}

bool thiUnjam(const thJams* jams, const thProfileDef* def, const thBatch* batch,
              const uint16_t* pressures, thSimd simd, thJamCounts* counts)
{
    static thJamFcn* const judges[th_simdCount] = TH_KERNEL_TABLE(thiJudgeJams);
    static thJamFcn* const rules[th_simdCount] = TH_KERNEL_TABLE(thiUnjamLanes);
    thJamLanes lanes;
    thJamTask task = {.jams = jams, .def = def, .batch = batch, .lanes = &lanes, .counts = counts};
    judges[simd](&task);
    if (lanes.fullCount + lanes.singleCount > 0) {
        task.scratch = thiArenaAllocate(batch->scratch, thiJamScratch(batch));
        if (task.scratch == NULL)
            return false;
        if (batch->moverMax > 0)
            lookForMovers(batch, &lanes);
        rules[simd](&task);
    }
    if (lanes.someOverlook)
        thiOverlook(jams, batch, simd);
    relieve(batch, pressures);
    return true;
}
