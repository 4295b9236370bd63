// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Whom an agent sees around it, and whether a jam is what holds it up.

#include "geom/fixed.h"
#include "sim/jam/jam_mind.h"
#include "space/walls.h"
#include "throng/math.h"

#include <float.h>

#define MEETS 0.3f      // gap within which somebody is met [m]
#define CROSSES 0.3f    // cosine of ways below which somebody crosses, in the open
#define SAME_WAY 0.5f   // by how much lengths of ways may differ of those who go the same way [m]
#define FORGETS 2.0f    // time after which who is held up without meeting anybody is in a queue [s]
#define PASSING_ON 0.1f // time by which who stands behind knows later of somebody met [s]

// Whether a wall stands between the agent and a place, given relative to it. People on both sides
// of one do not meet, though they be near.
static bool isBehindWall(const thBatch* batch, int32_t lane, thVec2 place)
{
    for (int32_t k = 0; k < batch->wallCount[lane]; ++k) {
        const int32_t wall = batch->wall[k * batch->lanes + lane];
        const thWallEnds ends = thiWallEnds(batch->frame, batch->row[lane], wall);
        const thVec2 a = ends.a, b = ends.b;
        const thVec2 along = {b.x - a.x, b.y - a.y};
        const float here = thiJamCross(along, (thVec2){-a.x, -a.y});
        const float there = thiJamCross(along, (thVec2){place.x - a.x, place.y - a.y});
        const bool between = (here < 0.0f) != (there < 0.0f);
        if (between && (thiJamCross(place, a) < 0.0f) != (thiJamCross(place, b) < 0.0f))
            return true;
    }
    return false;
}

void thiJamLookAround(thJamMind* mind)
{
    const thBatch* batch = mind->batch;
    const float own = batch->radius[mind->lane];
    mind->nearCount = 0;
    for (int32_t k = 0; k < batch->neighborCount[mind->lane] && mind->nearCount < TH_JAM_MOST_NEAR;
         ++k) {
        const int32_t at = k * batch->lanes + mind->lane, row = batch->nrow[at];
        const thVec2 place = {batch->nx[at], batch->ny[at]};
        const float distance = sqrtf(thiJamDot(place, place)), radii = own + batch->nradius[at];
        if (distance - radii > TH_JAM_NEAR || isBehindWall(batch, mind->lane, place))
            continue;
        const float scale = distance > 0.0f ? 1.0f / distance : 0.0f;
        mind->near[mind->nearCount++] = (thJamOther){{place.x * scale, place.y * scale},
                                                     distance - radii,
                                                     radii,
                                                     row,
                                                     &mind->jams->shown[mind->jams->current][row]};
    }
}

// Whether both go the same way: to the same goal, and as far as it is from one to the other further
// than that at most. People who come round a corner from both sides do, though face to face.
static bool goesMyWay(const thJamMind* mind, const thJamOther* other)
{
    if (!thiHasSameGoal(mind, other))
        return false;
    const uint16_t* rest = mind->jams->rest[mind->jams->current];
    const float further = (float)(rest[other->row] - rest[mind->row]) * TH_JAM_REST_UNIT;
    return fabsf(further) <= other->gap + other->radii + SAME_WAY;
}

// Whether the way between two places, relative to a mover's origin, leads into it.
static bool leadsIntoMover(const thMovers* movers, int32_t mover, thVec2 from, thVec2 to)
{
    const int32_t first = movers->firstCorner[mover], end = movers->firstCorner[mover + 1];
    const thVec2 way = {to.x - from.x, to.y - from.y};
    if (first == end) {
        const float along = -thiJamDot(from, way) / TH_MAX(thiJamDot(way, way), FLT_MIN);
        const float share = TH_MIN(TH_MAX(along, 0.0f), 1.0f);
        const thVec2 nearest = {from.x + share * way.x, from.y + share * way.y};
        return thiJamDot(nearest, nearest) < movers->radius[mover] * movers->radius[mover];
    }
    float enters = 0.0f, leaves = 1.0f;
    for (int32_t i = first; i < end; ++i) {
        const thVec2 a = movers->corners[i], b = movers->corners[i + 1 < end ? i + 1 : first];
        const thVec2 edge = {b.x - a.x, b.y - a.y};
        const float inFrom = thiJamCross(edge, (thVec2){from.x - a.x, from.y - a.y});
        const float inTo = thiJamCross(edge, (thVec2){to.x - a.x, to.y - a.y});
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
static bool isBeforeMover(const thJamMind* mind)
{
    const thBatch* batch = mind->batch;
    const thMovers* movers = batch->frame->movers;
    const float reach = batch->radius[mind->lane] + MEETS;
    for (int32_t k = 0; k < batch->moverCount[mind->lane]; ++k) {
        const int32_t mover = batch->mover[k * batch->lanes + mind->lane];
        const thVec2 from = {thiMetresBetween(movers->px[mover], batch->frame->px[mind->row]),
                             thiMetresBetween(movers->py[mover], batch->frame->py[mind->row])};
        const thVec2 to = {from.x + reach * mind->goal.x, from.y + reach * mind->goal.y};
        if (leadsIntoMover(movers, mover, from, to))
            return true;
    }
    return false;
}

// Whether a jam is what holds it up: somebody ahead crosses its way, comes against it or stands
// where he wants to be, or a mover, as far as it sees itself or those ahead have told.
void thiJamLookAhead(thJamMind* mind)
{
    const float dt = mind->batch->frame->dt;
    const float crosses = thiIsInOpen(mind) ? CROSSES : 0.0f;
    float contact = isBeforeMover(mind) ? 0.0f : mind->contact + dt;
    for (int32_t k = 0; k < mind->nearCount; ++k) {
        const thJamOther* other = &mind->near[k];
        const bool isStanding = (other->shown->flags & th_jamStands) != 0;
        const bool isAhead = isStanding ? thiIsInWay(other, mind->goal, other->toward)
                                        : thiJamDot(other->toward, mind->goal) > TH_JAM_AHEAD;
        if (other->gap > MEETS || !isAhead)
            continue;
        const float alike =
            thiJamDot(thiJamVector(other->shown->goalX, other->shown->goalY), mind->goal);
        if ((alike < crosses && !goesMyWay(mind, other)) || isStanding)
            contact = 0.0f;
        else if (alike > 0.5f)
            contact = TH_MIN(contact, thiJamContact(other->shown) + PASSING_ON);
    }
    mind->contact = contact;
    if (contact > FORGETS)
        mind->held = 0.0f;
}
