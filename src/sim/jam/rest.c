// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What those who stand want: to be where they came to stand. Who has arrived wants to its goal, and
// is content behind others who stand there; who waits, or has no goal, goes back when it was moved.

#include "geom/fixed.h"
#include "geom/vec2.h"
#include "sim/jam/jams.h"

#include <math.h>

#define STANDS_WITHIN 0.001f // as planners have it [m]
#define AT_GOAL 0.01f        // [m]
#define IN_THE_WAY 0.15f     // gap within which others who stand are in the way [m]
#define PASSES 0.5f          // gap within which those who walk by are let by first [m]
#define STILL_NEAR 1.0f      // and within which they stay so: avoidance may want distance [m]

// Whether somebody at `other` is in the way along `to`, within a gap.
static bool isInWay(thVec2 to, thVec2 other, float radii)
{
    const float reach = radii + IN_THE_WAY, across = thiDet(to, other);
    return thiDot(other, other) <= reach * reach && thiDot(other, to) > 0.0f &&
           across * across < radii * radii * thiDot(to, to);
}

static bool isStillNear(thVec2 to, thVec2 other, float radii)
{
    const float reach = radii + STILL_NEAR;
    return thiDot(other, other) <= reach * reach && thiDot(other, to) > 0.0f;
}

// Whether it stood in the last step and wanted nothing else.
static bool rested(const thJams* jams, int32_t row)
{
    const thJamShown* shown = &jams->shown[jams->current][row];
    return (shown->flags & th_jamStands) != 0 && shown->goalX == 0 && shown->goalY == 0;
}

// Whether it gets no nearer to its goal because others who have arrived there are in the way along
// `to`. Two may be so for each other.
static bool isAsNear(const thJams* jams, const thBatch* batch, int32_t lane, thVec2 to)
{
    const thFrame* frame = batch->frame;
    const int32_t row = batch->row[lane];
    const bool wasContent = rested(jams, row);
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane, otherRow = batch->nrow[at];
        const thVec2 other = {batch->nx[at], batch->ny[at]};
        const float radii = batch->radius[lane] + batch->nradius[at];
        if (frame->goal[otherRow] == frame->goal[row] &&
            frame->goalIndex[otherRow] == frame->goalIndex[row] && thiStands(frame, otherRow) &&
            (wasContent ? isStillNear(to, other, radii) : isInWay(to, other, radii)))
            return true;
    }
    return false;
}

// Whether somebody stands elsewhere than where it came to stand. It goes back, too.
static bool isAway(const thJams* jams, const thFrame* frame, int32_t row)
{
    const thPoint rest = jams->rest[jams->current][row];
    const thPoint place = {frame->px[row], frame->py[row]};
    return !thiSamePoint(rest, TH_NO_REST) && !thiSamePoint(rest, place);
}

// Whether somebody else came to stand in its place, which is where `to` leads.
static bool isTaken(const thJams* jams, const thBatch* batch, int32_t lane, thVec2 to)
{
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const thVec2 other = {batch->nx[at], batch->ny[at]};
        const thVec2 left = {other.x - to.x, other.y - to.y};
        const float radii = batch->radius[lane] + batch->nradius[at];
        if (thiDot(left, left) < radii * radii && isInWay(to, other, radii) &&
            thiStands(batch->frame, batch->nrow[at]) &&
            !isAway(jams, batch->frame, batch->nrow[at]))
            return true;
    }
    return false;
}

bool thiIsPassed(const thBatch* batch, int32_t lane)
{
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const thVec2 other = {batch->nx[at], batch->ny[at]};
        const float reach = batch->radius[lane] + batch->nradius[at] + PASSES;
        if (thiDot(other, other) <= reach * reach && !thiStands(batch->frame, batch->nrow[at]))
            return true;
    }
    return false;
}

// Who has arrived goes to its goal, as the planner says. Where it wants nothing it rests, unless it
// was moved away and no path back is known yet.
static void restAtGoal(const thJams* jams, const thBatch* batch, int32_t lane, thPoint place,
                       thPoint* rest)
{
    float *gx = &batch->guideX[lane], *gy = &batch->guideY[lane];
    if (*gx == 0.0f && *gy == 0.0f) {
        *rest = batch->remaining[lane] > AT_GOAL ? TH_NO_REST : place;
    } else if (isAsNear(jams, batch, lane, (thVec2){batch->cornerX[lane], batch->cornerY[lane]})) {
        *gx = *gy = 0.0f;
        *rest = place;
    }
}

static void restLane(const thJams* jams, const thBatch* batch, int32_t lane, bool roams)
{
    const thFrame* frame = batch->frame;
    const int32_t row = batch->row[lane];
    const uint32_t flags = frame->flags[row];
    const thPoint place = {frame->px[row], frame->py[row]};
    thPoint* rest = &jams->rest[1 - jams->current][row];
    *rest = TH_NO_REST;
    if (!thiStands(frame, row) || (roams && (flags & TH_STANDING) == 0))
        return;
    if ((flags & th_agentArrived) != 0 && (flags & th_agentWaiting) == 0) {
        restAtGoal(jams, batch, lane, place, rest);
        return;
    }
    float *gx = &batch->guideX[lane], *gy = &batch->guideY[lane];
    if (*gx != 0.0f || *gy != 0.0f) // the host leads it
        return;
    const thPoint before = jams->rest[jams->current][row];
    *rest = thiSamePoint(before, TH_NO_REST) ? place : before;
    const thVec2 to = {thiMetresBetween(place.x, rest->x), thiMetresBetween(place.y, rest->y)};
    const float distance = sqrtf(thiDot(to, to));
    if (!(distance > STANDS_WITHIN) || thiIsPassed(batch, lane) || isTaken(jams, batch, lane, to))
        return;
    const float speed = TH_MIN(batch->prefSpeed[lane], distance / frame->dt);
    *gx = to.x * (speed / distance);
    *gy = to.y * (speed / distance);
}

// Who waits or has no goal stays within a body's width of where it came to stand. Who has arrived
// comes back from wherever it is moved.
static bool staysNear(const thJams* jams, int32_t which, const thFrame* frame, int32_t row)
{
    return (frame->goal[row] < 0 || (frame->flags[row] & th_agentWaiting) != 0) &&
           !thiSamePoint(jams->rest[which][row], TH_NO_REST);
}

// From where it came to stand to where it is. [m]
static thVec2 offRest(const thJams* jams, int32_t which, const thFrame* frame, int32_t row)
{
    const thPoint rest = jams->rest[which][row];
    return (thVec2){thiMetresBetween(rest.x, frame->px[row]),
                    thiMetresBetween(rest.y, frame->py[row])};
}

// Whether nobody stands; only of rows that follow each other, as they do where all are under way.
static bool areWalking(const thBatch* batch)
{
    const thFrame* frame = batch->frame;
    const int32_t first = batch->row[0], last = batch->row[batch->count - 1];
    if (last - first != batch->count - 1)
        return false;
    uint32_t standing = 0;
    for (int32_t row = first; row <= last; ++row)
        standing |= (frame->flags[row] & TH_STANDING) | (uint32_t)(frame->goal[row] < 0);
    return standing == 0;
}

void thiStayNear(const thJams* jams, const thBatch* batch, int32_t which)
{
    const thFrame* frame = batch->frame;
    if (areWalking(batch))
        return;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const int32_t row = batch->row[lane];
        if (!staysNear(jams, which, frame, row))
            continue;
        const thVec2 off = offRest(jams, which, frame, row);
        const thVec2 next = {off.x + batch->outVx[lane] * frame->dt,
                             off.y + batch->outVy[lane] * frame->dt};
        const float width = 2.0f * batch->radius[lane], square = thiDot(next, next);
        if (!(square > width * width) || !(square > thiDot(off, off)))
            continue;
        const float share = width / sqrtf(square);
        batch->outVx[lane] = (next.x * share - off.x) / frame->dt;
        batch->outVy[lane] = (next.y * share - off.y) / frame->dt;
    }
}

void thiRest(const thJams* jams, const thBatch* batch, bool roams)
{
    if (areWalking(batch)) {
        thPoint* rest = jams->rest[1 - jams->current] + batch->row[0];
        for (int32_t i = 0; i < batch->count; ++i)
            rest[i] = TH_NO_REST;
        return;
    }
    for (int32_t lane = 0; lane < batch->count; ++lane)
        restLane(jams, batch, lane, roams);
}

bool thiWasAtRest(const thJams* jams, const thRows* rows, int32_t row)
{
    const thJamShown* shown = &jams->shown[jams->current][row];
    const thPoint place = {rows->px[row], rows->py[row]};
    // Who was put elsewhere since has no rest there yet.
    const bool isThere = (rows->flags[row] & th_agentHolds) != 0 ||
                         thiSamePoint(jams->rest[jams->current][row], place);
    return isThere && rested(jams, row) && shown->claim == 0 && shown->flags == th_jamStands &&
           rows->vx[row] == 0.0f && rows->vy[row] == 0.0f;
}

void thiKeepAtRest(const thJams* jams, int32_t row)
{
    const int32_t now = jams->current, next = 1 - now;
    jams->shown[next][row] = jams->shown[now][row];
    jams->remaining[next][row] = jams->remaining[now][row];
    jams->own[next][row] = jams->own[now][row];
    jams->rest[next][row] = jams->rest[now][row];
}
