// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Away from the wall or moving obstacle that the agent would run into first.

#include "geom/fixed.h"
#include "geom/segment.h"
#include "space/walls.h"
#include "steer/steer.h"
#include "throng/collision.h"

// Motion may leave an agent so deep in a wall along which it slides. [m]
#define WALL_SLOP 0x1p-12f

typedef struct Threat {
    float time;
    thVec2 away; // unit vector
} Threat;

// A segment, relative to the agent, that it meets with a velocity.
static void meet(thVec2 a, thVec2 b, thVec2 velocity, float radius, Threat* threat)
{
    const float time = thTimeToCollisionSegment(a, b, velocity, radius);
    if (!(time < threat->time))
        return;
    const thVec2 touched =
        thiNearestOnSegment(thiSteerPlus(a, -time, velocity), thiSteerPlus(b, -time, velocity));
    const bool isUnder = touched.x == 0.0f && touched.y == 0.0f;
    const thVec2 away = thiSteerAlong(isUnder ? velocity : touched, -1.0f);
    if (thiSteerDot(away, velocity) < 0.0f) // otherwise it is leaving
        *threat = (Threat){time, away};
}

static void meetWalls(const thSteerer* steerer, float radius, Threat* threat)
{
    const thBatch* batch = steerer->batch;
    for (int32_t k = 0; k < batch->wallCount[steerer->lane]; ++k) {
        const int32_t wall = batch->wall[k * batch->lanes + steerer->lane];
        const thWallEnds ends = thiWallEnds(batch->frame, steerer->row, wall);
        meet(ends.a, ends.b, steerer->velocity, radius, threat);
    }
}

// An edge of a mover meets the agent with the velocity of its middle.
static void meetEdge(const thSteerer* steerer, int32_t mover, thVec2 origin, thVec2 a, thVec2 b,
                     float radius, Threat* threat)
{
    const thMovers* movers = steerer->batch->frame->movers;
    const float spin = 0.5f * movers->spin[mover];
    const thVec2 own = {movers->vx[mover] - spin * (a.y + b.y),
                        movers->vy[mover] + spin * (a.x + b.x)};
    meet(thiSteerPlus(origin, 1.0f, a), thiSteerPlus(origin, 1.0f, b),
         thiSteerMinus(steerer->velocity, own), radius, threat);
}

static void meetMover(const thSteerer* steerer, int32_t mover, float radius, Threat* threat)
{
    const thFrame* frame = steerer->batch->frame;
    const thMovers* movers = frame->movers;
    const thVec2 origin = {thiMetresBetween(frame->px[steerer->row], movers->px[mover]),
                           thiMetresBetween(frame->py[steerer->row], movers->py[mover])};
    const int32_t first = movers->firstCorner[mover];
    const int32_t corners = movers->firstCorner[mover + 1] - first;
    const thVec2 center = {0.0f, 0.0f};
    if (corners == 0)
        meetEdge(steerer, mover, origin, center, center, radius + movers->radius[mover], threat);
    for (int32_t i = 0; i < corners; ++i)
        meetEdge(steerer, mover, origin, movers->corners[first + i],
                 movers->corners[first + (i + 1 < corners ? i + 1 : 0)], radius, threat);
}

thVec2 thiKeepOffWalls(const thSteerer* steerer)
{
    const thBatch* batch = steerer->batch;
    const float ahead = steerer->def->wallAhead, own = batch->radius[steerer->lane];
    const float radius = own > WALL_SLOP ? own - WALL_SLOP : 0.0f;
    Threat threat = {.time = ahead};
    meetWalls(steerer, radius, &threat);
    for (int32_t k = 0; k < batch->moverCount[steerer->lane]; ++k)
        meetMover(steerer, batch->mover[k * batch->lanes + steerer->lane], radius, &threat);
    return thiSteerTimes(1.0f - threat.time / ahead, threat.away);
}
