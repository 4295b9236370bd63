// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Steering behaviours, and how they become a velocity: weights, the sum, and the agent's limits.
//
// Among others whose share of giving way is one half agents do as the formulas say; with another
// share so much more or less.

#include "steer/steer.h"

#include "geom/fixed.h"
#include "geom/segment.h"
#include "geom/vec2.h"
#include "method/method_marks.h"
#include "space/walls.h"
#include "throng/collision.h"
#include "throng/mark.h"
#include "throng/random.h"

#include <stdio.h>

// Who passes the other nearer than this part of both radii meets it head-on: both go to their
// right, because the side on which they would pass is chance.
#define HEAD_ON 0.1f

// Ranges of separation below this count as none: strengths go by gaps as parts of the range. [m]
#define LEAST_RANGE 1.0e-6f

// Who has less than this share leaves all to the other.
#define LEAST_SHARE 0.01f

static float lengthOf(thVec2 a)
{
    return sqrtf(thiDot(a, a));
}

// A vector of that length in the direction of another; 0 for 0.
static thVec2 along(thVec2 direction, float length)
{
    const float own = lengthOf(direction);
    return own > 0.0f ? thiScale(length / own, direction) : (thVec2){0.0f, 0.0f};
}

thVec2 thiArrive(thVec2 to, float speed, float slowing, float dt)
{
    const float distance = lengthOf(to), reaching = distance / dt;
    const float slowed = distance < slowing ? speed * (distance / slowing) : speed;
    return along(to, TH_MIN(slowed, reaching));
}

static thVec2 positionOf(const thBatch* batch, int32_t at)
{
    return (thVec2){batch->nx[at], batch->ny[at]};
}

static thVec2 velocityOf(const thBatch* batch, int32_t at)
{
    return (thVec2){batch->nvx[at], batch->nvy[at]};
}

// The unit vector away from a neighbour. Of two on one point the one with the lower key goes west.
static thVec2 awayFrom(const thSteerer* steerer, thVec2 place, int32_t at)
{
    if (place.x != 0.0f || place.y != 0.0f)
        return along(place, -1.0f);
    const uint64_t* keys = steerer->batch->frame->key;
    return (thVec2){keys[steerer->row] < keys[steerer->batch->nrow[at]] ? -1.0f : 1.0f, 0.0f};
}

// Behaviours without their weights: rates give differences of velocities [m/s], the others vectors
// of length 1 where they are as strong as they usually get.

static thVec2 separate(const thSteerer* steerer)
{
    const thBatch* batch = steerer->batch;
    const float range = steerer->def->separationRange, radius = batch->radius[steerer->lane];
    thVec2 sum = {0.0f, 0.0f};
    for (int32_t k = 0; k < batch->neighborCount[steerer->lane]; ++k) {
        const int32_t at = k * batch->lanes + steerer->lane;
        const thVec2 place = positionOf(batch, at);
        const float gap = lengthOf(place) - radius - batch->nradius[at];
        const float share = batch->nshare[at];
        if (gap < range && range >= LEAST_RANGE && share >= LEAST_SHARE)
            sum = thiAddScaled(sum, 2.0f * share * (1.0f - gap / range),
                               awayFrom(steerer, place, at));
    }
    return sum;
}

// To the side on which the other is not when both are nearest.
static thVec2 aside(thVec2 place, thVec2 velocity, float radius)
{
    const float speedSq = thiDot(velocity, velocity); // 0 also where it is too small to be squared
    const float time = speedSq > 0.0f ? thiDot(place, velocity) / speedSq : 0.0f;
    const thVec2 nearest = thiAddScaled(place, -time, velocity);
    if (lengthOf(nearest) > HEAD_ON * radius)
        return along(nearest, -1.0f);
    return along((thVec2){velocity.y, -velocity.x}, 1.0f);
}

static thVec2 dodge(const thSteerer* steerer)
{
    const thBatch* batch = steerer->batch;
    const float ahead = steerer->def->lookAhead;
    float soonest = ahead;
    thVec2 result = {0.0f, 0.0f};
    for (int32_t k = 0; k < batch->neighborCount[steerer->lane]; ++k) {
        const int32_t at = k * batch->lanes + steerer->lane;
        const thVec2 place = positionOf(batch, at);
        const thVec2 velocity = thiSubtract(steerer->velocity, velocityOf(batch, at));
        const float radius = batch->radius[steerer->lane] + batch->nradius[at];
        if (batch->nshare[at] < LEAST_SHARE || !(thiDot(place, velocity) > 0.0f))
            continue;
        const float time = thTimeToCollisionDisc(place, velocity, radius);
        if (!(time < soonest))
            continue;
        soonest = time;
        result = thiScale(2.0f * batch->nshare[at] * (1.0f - time / ahead),
                          aside(place, velocity, radius));
    }
    return result;
}

// Alignment and cohesion, which look at the same neighbours: those on a layer of the agent's own.
static void findFlock(const thSteerer* steerer, thVec2* alignment, thVec2* cohesion)
{
    const thBatch* batch = steerer->batch;
    const uint32_t* layers = batch->frame->layers;
    const float range = steerer->def->flockRange;
    thVec2 places = {0.0f, 0.0f}, velocities = {0.0f, 0.0f};
    int32_t count = 0;
    for (int32_t k = 0; k < batch->neighborCount[steerer->lane]; ++k) {
        const int32_t at = k * batch->lanes + steerer->lane;
        const thVec2 place = positionOf(batch, at);
        if (thiDot(place, place) > range * range ||
            (layers[steerer->row] & layers[batch->nrow[at]]) == 0)
            continue;
        count += 1;
        places = thiAddScaled(places, 1.0f, place);
        velocities = thiAddScaled(velocities, 1.0f, velocityOf(batch, at));
    }
    *alignment = *cohesion = (thVec2){0.0f, 0.0f};
    if (count == 0)
        return;
    const float share = 1.0f / (float)count;
    *alignment = thiSubtract(thiScale(share, velocities), steerer->velocity);
    *cohesion = thiScale(share / range, places);
}

// The nearest neighbour on a layer, as its place in the columns; -1: none within the range.
static int32_t nearestOn(const thSteerer* steerer, int32_t layer, float range)
{
    const thBatch* batch = steerer->batch;
    int32_t nearest = -1;
    float least = range * range;
    for (int32_t k = 0; k < batch->neighborCount[steerer->lane]; ++k) {
        const int32_t at = k * batch->lanes + steerer->lane;
        const thVec2 place = positionOf(batch, at);
        const float distanceSq = thiDot(place, place);
        const bool isNearer = nearest < 0 ? distanceSq <= least : distanceSq < least;
        if (!isNearer || (batch->frame->layers[batch->nrow[at]] >> layer & 1) == 0)
            continue;
        nearest = at;
        least = distanceSq;
    }
    return nearest;
}

// Where a neighbour will be when the agent could be where it is now.
static thVec2 placeAhead(const thSteerer* steerer, int32_t at)
{
    const thBatch* batch = steerer->batch;
    const float speed = batch->maxSpeed[steerer->lane], ahead = steerer->def->lookAhead;
    const thVec2 place = positionOf(batch, at);
    const float distance = lengthOf(place);
    const float time = distance < speed * ahead ? distance / speed : ahead;
    return thiAddScaled(place, time, velocityOf(batch, at));
}

static thVec2 pursue(const thSteerer* steerer)
{
    const int32_t at = nearestOn(steerer, steerer->def->preyLayer, INFINITY);
    if (at < 0)
        return (thVec2){0.0f, 0.0f};
    const thVec2 wanted = along(placeAhead(steerer, at), steerer->batch->maxSpeed[steerer->lane]);
    return thiSubtract(wanted, steerer->velocity);
}

static thVec2 runFrom(const thSteerer* steerer, thVec2 place, int32_t at)
{
    const thVec2 wanted =
        thiScale(steerer->batch->maxSpeed[steerer->lane], awayFrom(steerer, place, at));
    return thiSubtract(wanted, steerer->velocity);
}

static thVec2 flee(const thSteerer* steerer)
{
    const int32_t at = nearestOn(steerer, steerer->def->fearLayer, steerer->def->fearRange);
    return at < 0 ? (thVec2){0.0f, 0.0f} : runFrom(steerer, positionOf(steerer->batch, at), at);
}

static thVec2 evade(const thSteerer* steerer)
{
    const int32_t at = nearestOn(steerer, steerer->def->fearLayer, steerer->def->fearRange);
    return at < 0 ? (thVec2){0.0f, 0.0f} : runFrom(steerer, placeAhead(steerer, at), at);
}

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
        thiNearestOnSegment(thiAddScaled(a, -time, velocity), thiAddScaled(b, -time, velocity));
    const bool isUnder = touched.x == 0.0f && touched.y == 0.0f;
    const thVec2 away = along(isUnder ? velocity : touched, -1.0f);
    if (thiDot(away, velocity) < 0.0f) // otherwise it is leaving
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
    meet(thiAddScaled(origin, 1.0f, a), thiAddScaled(origin, 1.0f, b),
         thiSubtract(steerer->velocity, own), radius, threat);
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

static thVec2 keepOffWalls(const thSteerer* steerer)
{
    const thBatch* batch = steerer->batch;
    const float ahead = steerer->def->wallAhead, own = batch->radius[steerer->lane];
    const float radius = own > WALL_SLOP ? own - WALL_SLOP : 0.0f;
    Threat threat = {.time = ahead};
    meetWalls(steerer, radius, &threat);
    for (int32_t k = 0; k < batch->moverCount[steerer->lane]; ++k)
        meetMover(steerer, batch->mover[k * batch->lanes + steerer->lane], radius, &threat);
    return thiScale(1.0f - threat.time / ahead, threat.away);
}

// Random numbers of wandering, among the streams of an agent.
#define WANDER_PURPOSE 0x77616e64u

// Turns are drawn every so many steps, and between them it goes smoothly from one to the next. So
// there is nothing to remember.
static thVec2 wander(const thSteerer* steerer)
{
    const thFrame* frame = steerer->batch->frame;
    const float wished = steerer->def->wanderTime / frame->dt + 0.5f;
    const uint64_t period = wished < 1.0f ? 1 : (uint64_t)TH_MIN(wished, 1.0e9f);
    const uint64_t key = frame->key[steerer->row], turn = frame->step / period;
    float turns[2];
    for (uint64_t i = 0; i < 2; ++i)
        turns[i] = thRandomRange(thRandomStream(frame->seed, key, turn + i, WANDER_PURPOSE), 0,
                                 -1.0f, 1.0f);
    const float t = (float)(frame->step % period) / (float)period;
    const float toLeft = turns[0] + t * t * (3.0f - 2.0f * t) * (turns[1] - turns[0]);
    return (thVec2){-toLeft * steerer->facing.y, toLeft * steerer->facing.x};
}

thSteerPath thiFindSteerPath(const thFrame* frame, const thSteerDef* def)
{
    thSteerPath path = {0};
    if (!(def->follow > 0.0f) || def->path[0] == '\0' ||
        !thFrame_GetRoadmap(frame, thFrame_FindRoadmap(frame, def->path), &path.map))
        return (thSteerPath){0};
    const int32_t last = path.map.nodeCount - 1;
    for (int32_t i = 0; i < path.map.edgeCount && last > 1; ++i) {
        const int32_t a = path.map.edges[2 * i], b = path.map.edges[2 * i + 1];
        path.closed = path.closed || (a == 0 && b == last) || (a == last && b == 0);
    }
    path.segments = last + (path.closed ? 1 : 0);
    return path;
}

// A node of the path relative to the agent; of a portal the middle.
static thVec2 nodeAt(const thSteerer* steerer, int32_t index)
{
    const thRoadmap* map = &steerer->path->map;
    const int32_t* node = map->nodes + 4 * (size_t)(index < map->nodeCount ? index : 0);
    const int32_t x = steerer->batch->frame->px[steerer->row];
    const int32_t y = steerer->batch->frame->py[steerer->row];
    return (thVec2){0.5f * (thiMetresBetween(x, node[0]) + thiMetresBetween(x, node[2])),
                    0.5f * (thiMetresBetween(y, node[1]) + thiMetresBetween(y, node[3]))};
}

// The place of the path nearest to the agent, and on which segment it is.
static thVec2 nearestOnPath(const thSteerer* steerer, int32_t* segment)
{
    thVec2 nearest = {INFINITY, INFINITY};
    float least = INFINITY;
    *segment = 0;
    for (int32_t i = 0; i < steerer->path->segments; ++i) {
        const thVec2 place = thiNearestOnSegment(nodeAt(steerer, i), nodeAt(steerer, i + 1));
        const float distanceSq = thiDot(place, place);
        if (!(distanceSq < least))
            continue;
        least = distanceSq;
        nearest = place;
        *segment = i;
    }
    return nearest;
}

// The place so far along the path from one on a segment; its end where the path is shorter.
static thVec2 placeAlong(const thSteerer* steerer, thVec2 from, int32_t segment, float distance)
{
    const thSteerPath* path = steerer->path;
    for (int32_t i = 0; i <= path->segments; ++i) { // once round is enough
        const thVec2 end = nodeAt(steerer, segment + 1), leg = thiSubtract(end, from);
        const float length = lengthOf(leg);
        if (length > distance)
            return thiAddScaled(from, distance / length, leg);
        if (!path->closed && segment + 1 == path->segments)
            return end;
        distance -= length;
        from = end;
        segment = segment + 1 < path->segments ? segment + 1 : 0;
    }
    return from;
}

static thVec2 follow(const thSteerer* steerer)
{
    const thSteerPath* path = steerer->path;
    const thFrame* frame = steerer->batch->frame;
    if (path->segments == 0 || path->map.level != frame->level[steerer->row])
        return (thVec2){0.0f, 0.0f};
    int32_t segment;
    const float speed = steerer->batch->prefSpeed[steerer->lane];
    const thVec2 nearest = nearestOnPath(steerer, &segment);
    const thVec2 ahead = placeAlong(steerer, nearest, segment, speed * steerer->def->lookAhead);
    const thVec2 leg = thiSubtract(ahead, nearest);
    // Beside the path as along it; at its end nothing is left of it, and one goes to the end
    // itself.
    const bool isBeside =
        lengthOf(nearest) <= steerer->def->pathRadius && (leg.x != 0.0f || leg.y != 0.0f);
    const thVec2 wanted =
        isBeside ? along(leg, speed) : thiArrive(ahead, speed, steerer->def->slowing, frame->dt);
    return thiSubtract(wanted, steerer->velocity);
}

// Slower agents have no direction of motion; they go where they face. [m/s]
#define STANDS_BELOW 0.001f

static thVec2 facingOf(const thBatch* batch, int32_t lane)
{
    const thVec2 velocity = {batch->vx[lane], batch->vy[lane]};
    if (lengthOf(velocity) > STANDS_BELOW)
        return along(velocity, 1.0f);
    thVec2 facing;
    thSinCos(batch->frame->heading[batch->row[lane]], &facing.y, &facing.x);
    return facing;
}

thSteerer thiMakeSteerer(const thBatch* batch, int32_t lane, const thSteerDef* def,
                         const thSteerPath* path, thVec2 wanted)
{
    return (thSteerer){.batch = batch,
                       .def = def,
                       .path = path,
                       .lane = lane,
                       .row = batch->row[lane],
                       .velocity = {batch->vx[lane], batch->vy[lane]},
                       .facing = facingOf(batch, lane),
                       .lasts = batch->frame->dt,
                       .wanted = wanted};
}

thVec2 thiRoam(const thBatch* batch, int32_t lane, const thSteerDef* def)
{
    const bool waits = (batch->frame->flags[batch->row[lane]] & th_agentWaiting) != 0;
    if (def->roam == 0 || waits)
        return (thVec2){0.0f, 0.0f};
    return thiScale(batch->prefSpeed[lane], facingOf(batch, lane));
}

// Who waits or has arrived does nothing else.
static bool onlyGivesWay(const thSteerer* steerer)
{
    const uint32_t flags = steerer->batch->frame->flags[steerer->row];
    return (flags & (th_agentWaiting | th_agentArrived)) != 0;
}

// Behaviours of no weight are not computed.
static thVec2 weigh(float weight, thVec2 (*behaviour)(const thSteerer*), const thSteerer* steerer)
{
    return weight > 0.0f ? thiScale(weight, behaviour(steerer)) : (thVec2){0.0f, 0.0f};
}

static void flock(const thSteerer* steerer, float once, thVec2 parts[th_partCount])
{
    const thSteerDef* def = steerer->def;
    if (!(def->alignment > 0.0f || def->cohesion > 0.0f))
        return;
    thVec2 alignment, cohesion;
    findFlock(steerer, &alignment, &cohesion);
    parts[th_partAlignment] = thiScale(TH_MIN(def->alignment, once), alignment);
    parts[th_partCohesion] = thiScale(def->cohesion, cohesion);
}

void thiSteerParts(const thSteerer* steerer, thVec2 parts[th_partCount])
{
    const thSteerDef* def = steerer->def;
    const float once = 1.0f / steerer->batch->frame->dt; // a higher rate would go too far
    for (int32_t i = 0; i < th_partCount; ++i)
        parts[i] = (thVec2){0.0f, 0.0f};
    parts[th_partSeek] =
        thiScale(TH_MIN(def->seek, once), thiSubtract(steerer->wanted, steerer->velocity));
    if (def->avoidance != 0) {
        parts[th_partSeparation] = weigh(def->separation, separate, steerer);
        parts[th_partDodge] = weigh(def->dodge, dodge, steerer);
        parts[th_partWalls] = weigh(def->walls, keepOffWalls, steerer);
    }
    if (onlyGivesWay(steerer))
        return;
    flock(steerer, once, parts);
    parts[th_partWander] = weigh(def->wander, wander, steerer);
    parts[th_partPursue] = weigh(TH_MIN(def->pursue, once), pursue, steerer);
    parts[th_partFlee] = weigh(TH_MIN(def->flee, once), flee, steerer);
    parts[th_partEvade] = weigh(TH_MIN(def->evade, once), evade, steerer);
    parts[th_partFollow] = weigh(TH_MIN(def->follow, once), follow, steerer);
}

static bool isZero(thVec2 a)
{
    return a.x == 0.0f && a.y == 0.0f;
}

thVec2 thiSteer(const thSteerer* steerer, thSteerStatus* status)
{
    const thBatch* batch = steerer->batch;
    const float own = batch->maxAccel[steerer->lane], most = steerer->def->maxForce;
    const float limit = own > 0.0f ? TH_MIN(own, most) : most;
    thVec2 parts[th_partCount], sum = {0.0f, 0.0f};
    thiSteerParts(steerer, parts);
    for (int32_t i = 0; i < th_partCount; ++i)
        sum = thiAddScaled(sum, 1.0f, parts[i]);
    const bool avoids = !isZero(parts[th_partSeparation]) || !isZero(parts[th_partDodge]) ||
                        !isZero(parts[th_partWalls]);
    *status = !avoids ? th_steerFree : lengthOf(sum) <= limit ? th_steerAvoiding : th_steerLimited;
    const thVec2 next = thiAddScaled(steerer->velocity, steerer->lasts, thiSteerCut(sum, limit));
    return thiSteerCut(next, batch->maxSpeed[steerer->lane]);
}

// Arrows show what a behaviour changes in this time. [s]
#define ARROW_TIME 0.25f

static const char* const partNames[th_partCount] = {
    [th_partSeek] = "seek",     [th_partSeparation] = "separation", [th_partDodge] = "dodge",
    [th_partWalls] = "walls",   [th_partAlignment] = "alignment",   [th_partCohesion] = "cohesion",
    [th_partWander] = "wander", [th_partPursue] = "pursue",         [th_partFlee] = "flee",
    [th_partEvade] = "evade",   [th_partFollow] = "follow",
};

static void addArrow(thVec2 from, thVec2 part, const char* label, thExplanation* to)
{
    const thVec2 points[2] = {from, thiAddScaled(from, ARROW_TIME, part)};
    thMark mark = thDefaultMark();
    mark.kind = th_markArrow;
    mark.points = points;
    mark.pointCount = 2;
    mark.label = label;
    thExplanation_Add(to, &mark);
}

static void addWords(thVec2 part, const char* name, thExplanation* to)
{
    char text[64];
    snprintf(text, sizeof text, "%s: %.2f, %.2f m/s²", name, (double)part.x, (double)part.y);
    thiMarkText(text, to);
}

void thiExplainSteer(const thSteerer* steerer, thExplanation* to)
{
    thVec2 parts[th_partCount];
    thiSteerParts(steerer, parts);
    thiMarkSpeedLimit(steerer->batch, steerer->lane, to);
    for (int32_t i = 0; i < th_partCount; ++i) {
        if (parts[i].x == 0.0f && parts[i].y == 0.0f)
            continue;
        addArrow(steerer->velocity, parts[i], partNames[i], to);
        addWords(parts[i], partNames[i], to);
    }
}
