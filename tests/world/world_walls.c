// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where agents may stand: every wall is looked at.

#include "world/world_model.h"

#include <math.h>

// How deep a disc may be in a wall, and how much less than that counts as too deep. [m]
#define SLOP 0x1p-13
#define ROUNDING 0x1p-24
// How far an agent may be put from where it was to stand. [m]
#define REACH 100.0

static bool isSolid(const Model* model, int32_t level, Place at)
{
    bool hasRooms = false, inRoom = false;
    for (int32_t i = 0; i < MODEL_OBSTACLES; ++i) {
        const ModelObstacle* obstacle = &model->obstacles[i];
        if (obstacle->id.value == 0 || obstacle->level != level)
            continue;
        if (obstacle->kind == th_obstacleSolid && isInside(at, obstacle->points, obstacle->count))
            return true;
        if (obstacle->kind != th_obstacleRoom)
            continue;
        hasRooms = true;
        inRoom = inRoom || isInside(at, obstacle->points, obstacle->count);
    }
    return hasRooms && !inRoom;
}

static bool meetsWall(const Model* model, int32_t level, Place from, Place to)
{
    Place segments[MODEL_SEGMENTS][2];
    int32_t owner[MODEL_SEGMENTS];
    const int32_t count = modelSegments(model, level, segments, owner);
    for (int32_t i = 0; i < count; ++i)
        if (segmentsTouch(from, to, segments[i][0], segments[i][1]))
            return true;
    return false;
}

bool modelIsFree(const Model* model, int32_t level, Place at, float radius)
{
    Place segments[MODEL_SEGMENTS][2];
    int32_t owner[MODEL_SEGMENTS];
    const int32_t count = modelSegments(model, level, segments, owner);
    for (int32_t i = 0; i < count; ++i) {
        const Offset offset = offsetToSegment(at, segments[i][0], segments[i][1]);
        if (hypot(offset.x, offset.y) < (double)radius - SLOP + ROUNDING)
            return false;
    }
    return !meetsWall(model, level, at, at) && !isSolid(model, level, at);
}

bool modelMayStand(const Model* model, const thAgentDef* def)
{
    const thProfileDef* profile = &model->profiles[modelFindProfile(model, def->profile.value)].def;
    return (def->flags & (th_agentExternal | th_agentVelocityOnly)) != 0 ||
           modelIsFree(model, def->level, placeOf(def->position),
                       def->radius < 0.0f ? profile->radius : def->radius);
}

bool modelMayStepAside(const Model* model, int32_t level, Place from, Place to, float radius)
{
    const double distance = hypot((double)to.x - from.x, (double)to.y - from.y);
    const bool isEnclosed = meetsWall(model, level, from, from) || isSolid(model, level, from);
    return distance <= REACH * THRONG_UNITS_PER_METRE + 1.0 &&
           modelIsFree(model, level, to, radius) &&
           (isEnclosed || !meetsWall(model, level, from, to));
}
