// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Behaviours of an agent by itself: wandering, and following a path.

#include "geom/fixed.h"
#include "geom/segment.h"
#include "steer/steer.h"
#include "throng/random.h"

// Random numbers of wandering, among the streams of an agent.
#define WANDER_PURPOSE 0x77616e64u

// Turns are drawn every so many steps, and between them it goes smoothly from one to the next. So
// there is nothing to remember.
thVec2 thiWander(const thSteerer* steerer)
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
        const float distanceSq = thiSteerDot(place, place);
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
        const thVec2 end = nodeAt(steerer, segment + 1), way = thiSteerMinus(end, from);
        const float length = thiSteerLength(way);
        if (length > distance)
            return thiSteerPlus(from, distance / length, way);
        if (!path->closed && segment + 1 == path->segments)
            return end;
        distance -= length;
        from = end;
        segment = segment + 1 < path->segments ? segment + 1 : 0;
    }
    return from;
}

thVec2 thiFollow(const thSteerer* steerer)
{
    const thSteerPath* path = steerer->path;
    const thFrame* frame = steerer->batch->frame;
    if (path->segments == 0 || path->map.level != frame->level[steerer->row])
        return (thVec2){0.0f, 0.0f};
    int32_t segment;
    const float speed = steerer->batch->prefSpeed[steerer->lane];
    const thVec2 nearest = nearestOnPath(steerer, &segment);
    const thVec2 ahead = placeAlong(steerer, nearest, segment, speed * steerer->def->lookAhead);
    const thVec2 way = thiSteerMinus(ahead, nearest);
    // Beside the path as along it; at its end there is no way on, and one goes to the end itself.
    const bool isBeside =
        thiSteerLength(nearest) <= steerer->def->pathRadius && (way.x != 0.0f || way.y != 0.0f);
    const thVec2 wanted = isBeside ? thiSteerAlong(way, speed)
                                   : thiArrive(ahead, speed, steerer->def->slowing, frame->dt);
    return thiSteerMinus(wanted, steerer->velocity);
}
