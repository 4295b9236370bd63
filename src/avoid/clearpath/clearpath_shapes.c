// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How agents that are polygons stand to others and to walls. It does not depend on velocities nor
// on horizons, so it is found once for all that is tried.

#include "avoid/clearpath/clearpath_shapes.h"

#include "base/core.h"

// One disc is a polygon of a single corner, grown.
static thConvexBody bodyOf(const thBodyShape* shape, float heading, float radius)
{
    if (shape != NULL)
        return thiTurnShape(shape, heading);
    return (thConvexBody){.count = 1, .corners = {{0.0f, 0.0f}}, .radius = radius};
}

thClearance thiClearpathPair(const thClearpathBody* own, const thClearpathBody* other, thVec2 p,
                             bool isFirst)
{
    const thConvexBody mine = bodyOf(own->shape, own->heading, own->radius);
    const thConvexBody theirs = bodyOf(other->shape, other->heading, other->radius);
    const thConvexBody sum = thiConvexSum(&mine, &theirs, p);
    const bool onOnePoint = thiDot(p, p) < TH_CLEARPATH_ONE_POINT * TH_CLEARPATH_ONE_POINT;
    return thiClearanceOf(&sum, onOnePoint ? (thVec2){isFirst ? 1.0f : -1.0f, 0.0f} : p);
}

thClearance thiClearpathShapeAtWall(const thClearpathBody* own, thVec2 a, thVec2 b, float radius)
{
    const thConvexBody mine = bodyOf(own->shape, own->heading, own->radius);
    const bool isPoint = a.x == b.x && a.y == b.y;
    const thConvexBody wall = {.count = isPoint ? 1 : 2, .corners = {a, b}, .radius = radius};
    const thConvexBody sum = thiConvexSum(&mine, &wall, (thVec2){0.0f, 0.0f});
    return thiClearanceOf(&sum, thiAddScaled(a, 0.5f, thiSubtract(b, a)));
}

static thClearpathBody bodyOfRow(const thFrame* frame, int32_t row)
{
    const thBodyShape* shape = &frame->shapes[frame->profile[row]];
    return (thClearpathBody){shape->count > 0 ? shape : NULL, frame->heading[row],
                             frame->radius[row]};
}

// How many clearances an agent needs.
static int32_t countClearances(const thBatch* batch, const thWallColumns* walls, int32_t lane)
{
    if (bodyOfRow(batch->frame, batch->row[lane]).shape != NULL)
        return batch->neighborCount[lane] + walls->count[lane];
    int32_t count = 0;
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k)
        count += bodyOfRow(batch->frame, batch->nrow[k * batch->lanes + lane]).shape != NULL;
    return count;
}

// Fills in those of an agent; returns where the next one's go.
static thClearance* setClearances(const thBatch* batch, const thWallColumns* walls, int32_t lane,
                                  thClearance* next, const thClearance** pairs,
                                  const thClearance** edges)
{
    const thClearpathBody own = bodyOfRow(batch->frame, batch->row[lane]);
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const thClearpathBody other = bodyOfRow(batch->frame, batch->nrow[at]);
        if (own.shape == NULL && other.shape == NULL)
            continue;
        *next = thiClearpathPair(&own, &other, (thVec2){batch->nx[at], batch->ny[at]},
                                 batch->row[lane] < batch->nrow[at]);
        pairs[at] = next++;
    }
    for (int32_t k = 0; k < walls->count[lane] && own.shape != NULL; ++k) {
        const int32_t at = k * batch->lanes + lane;
        *next = thiClearpathShapeAtWall(&own, (thVec2){walls->ax[at], walls->ay[at]},
                                        (thVec2){walls->bx[at], walls->by[at]}, walls->radius[at]);
        edges[at] = next++;
    }
    return next;
}

bool thiClearpathLayOutShapes(const thBatch* batch, const thWallColumns* walls,
                              thClearpathClearances* clearances)
{
    *clearances = (thClearpathClearances){NULL, NULL};
    int32_t count = 0;
    for (int32_t lane = 0; lane < batch->count && batch->frame->shapes != NULL; ++lane)
        count += countClearances(batch, walls, lane);
    if (count == 0)
        return true;
    const size_t pairCount = (size_t)batch->neighborMax * (size_t)batch->lanes;
    const size_t edgeCount = (size_t)walls->most * (size_t)batch->lanes;
    thClearance* next = thArena_Allocate(batch->scratch, (size_t)count * sizeof *next);
    const thClearance** table =
        thArena_Allocate(batch->scratch, (pairCount + edgeCount) * sizeof(const thClearance*));
    if (next == NULL || table == NULL)
        return false;
    for (size_t i = 0; i < pairCount + edgeCount; ++i)
        table[i] = NULL;
    for (int32_t lane = 0; lane < batch->count; ++lane)
        next = setClearances(batch, walls, lane, next, table, table + pairCount);
    *clearances = (thClearpathClearances){table, table + pairCount};
    return true;
}
