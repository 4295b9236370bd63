// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Questions, and brute force over the model for their answers.

#include "world/world_operations.h"

#include <math.h>
#include <stdlib.h>

#define UNITS ((double)THRONG_UNITS_PER_METRE)

typedef struct Found {
    uint64_t key, distanceSq;
    thAgentId id;
} Found;

static int foundByKey(const void* left, const void* right)
{
    const Found *a = left, *b = right;
    return (a->key > b->key) - (a->key < b->key);
}

static int foundByDistance(const void* left, const void* right)
{
    const Found *a = left, *b = right;
    if (a->distanceSq != b->distanceSq)
        return a->distanceSq < b->distanceSq ? -1 : 1;
    return foundByKey(left, right);
}

static bool sameAnswer(Play* play, const Found* right, int32_t count, const thAgentId* ids,
                       int32_t answered, int32_t written)
{
    if (answered != count)
        return modelFail(&play->model, "a query finds %d agents, expected %d", answered, count);
    for (int32_t i = 0; i < count && i < written; ++i)
        if (ids[i].value != right[i].id.value)
            return modelFail(&play->model, "a query finds another agent at %d", i);
    return true;
}

static bool suits(const ModelAgent* agent, thQueryFilter filter)
{
    return agent->key != 0 && agent->level == filter.level && (agent->layers & filter.mask) != 0;
}

static bool askDisc(Play* play, thQueryFilter filter, bool nearest)
{
    thGenerator* g = play->g;
    Found right[MODEL_AGENTS];
    thAgentId ids[MODEL_AGENTS];
    const thVec2 center = drawPosition(g);
    const float radius = oneIn(g, 8)   ? 20000.0f
                         : oneIn(g, 3) ? quarters(g, 0, 40)
                                       : drawFloat(g, 0.0f, 12.0f);
    const Place at = placeOf(center);
    const double limit = (double)radius * UNITS * (double)radius * UNITS;
    int32_t count = 0;
    for (int32_t i = 0; i < MODEL_AGENTS; ++i) {
        const ModelAgent* agent = &play->model.agents[i];
        const int64_t dx = (int64_t)agent->at.x - at.x, dy = (int64_t)agent->at.y - at.y;
        const uint64_t distanceSq = (uint64_t)(dx * dx) + (uint64_t)(dy * dy);
        if (suits(agent, filter) && distanceSq <= (uint64_t)limit)
            right[count++] = (Found){agent->key, distanceSq, agent->id};
    }
    qsort(right, (size_t)count, sizeof *right, nearest ? foundByDistance : foundByKey);
    const int32_t room = drawInt(g, 0, oneIn(g, 2) ? 8 : MODEL_AGENTS);
    const int32_t answered =
        nearest ? thWorld_NearestAgents(play->world, center, radius, filter, ids, room)
                : thWorld_AgentsInDisc(play->world, center, radius, filter, ids, room);
    return sameAnswer(play, right, nearest && count > room ? room : count, ids, answered, room);
}

static bool askBox(Play* play, thQueryFilter filter)
{
    thGenerator* g = play->g;
    Found right[MODEL_AGENTS];
    thAgentId ids[MODEL_AGENTS];
    const thVec2 a = drawPosition(g), b = drawPosition(g);
    const thVec2 low = {fminf(a.x, b.x), fminf(a.y, b.y)};
    const thVec2 high = {oneIn(g, 8) ? INFINITY : fmaxf(a.x, b.x), fmaxf(a.y, b.y)};
    int32_t count = 0;
    for (int32_t i = 0; i < MODEL_AGENTS; ++i) {
        const ModelAgent* agent = &play->model.agents[i];
        const double x = agent->at.x / UNITS, y = agent->at.y / UNITS; // exact
        if (suits(agent, filter) && x >= (double)low.x && x <= (double)high.x &&
            y >= (double)low.y && y <= (double)high.y)
            right[count++] = (Found){agent->key, 0, agent->id};
    }
    qsort(right, (size_t)count, sizeof *right, foundByKey);
    const int32_t room = drawInt(g, 0, MODEL_AGENTS);
    const int32_t answered = thWorld_AgentsInBox(play->world, low, high, filter, ids, room);
    return sameAnswer(play, right, count, ids, answered, room);
}

Outcome ask(Play* play)
{
    thQueryFilter filter = thDefaultQueryFilter();
    filter.level = drawLevel(play->g);
    if (oneIn(play->g, 3))
        filter.mask = drawU32(play->g) % 8;
    const uint32_t kind = drawU32(play->g) % 3;
    const bool right = kind == 0 ? askBox(play, filter) : askDisc(play, filter, kind == 1);
    return right ? out_done : out_wrong;
}

// Where on its way a ray meets a segment that it touches.
static double meetingShare(Place a, Place b, const Place wall[2])
{
    const double wayX = (double)b.x - a.x, wayY = (double)b.y - a.y;
    const double wallX = (double)wall[1].x - wall[0].x, wallY = (double)wall[1].y - wall[0].y;
    const double toX = (double)wall[0].x - a.x, toY = (double)wall[0].y - a.y;
    const double bottom = wayX * wallY - wayY * wallX;
    if (bottom != 0.0)
        return (toX * wallY - toY * wallX) / bottom;
    if (segmentsTouch(a, a, wall[0], wall[1]))
        return 0.0;
    const double length = hypot(wayX, wayY);
    return fmin(hypot(toX, toY), hypot(toX + wallX, toY + wallY)) / length;
}

Outcome castRay(Play* play)
{
    Place walls[MODEL_SEGMENTS][2];
    int32_t owner[MODEL_SEGMENTS];
    const thVec2 from = drawPosition(play->g), to = drawPosition(play->g);
    const Place a = placeOf(from), b = placeOf(to);
    const int32_t level = drawLevel(play->g);
    const int32_t count = modelSegments(&play->model, level, walls, owner);
    double nearest = 2.0;
    for (int32_t i = 0; i < count; ++i)
        if (segmentsTouch(a, b, walls[i][0], walls[i][1]))
            nearest = fmin(nearest, meetingShare(a, b, walls[i]));
    const thRayHit hit = thWorld_CastRay(play->world, from, to, level);
    if (play->model.scarce && hit.obstacle.value == 0 && hit.fraction == 0.0f)
        return out_noMemory;
    if (nearest > 1.5)
        return hit.obstacle.value == 0 && hit.fraction == 1.0f ? out_done
                                                               : wrong(play, "a ray hits air");
    const int32_t obstacle = modelFindObstacle(&play->model, hit.obstacle.value);
    if (obstacle < 0 || fabs((double)hit.fraction - nearest) > 1e-6)
        return wrong(play, "a ray misses a wall");
    // Several walls may be met at the same place.
    for (int32_t i = 0; i < count; ++i)
        if (owner[i] == obstacle && segmentsTouch(a, b, walls[i][0], walls[i][1]) &&
            fabs(meetingShare(a, b, walls[i]) - nearest) < 1e-6) {
            const double length = hypot((double)hit.normal.x, (double)hit.normal.y);
            const double against = (double)hit.normal.x * ((double)b.x - a.x) +
                                   (double)hit.normal.y * ((double)b.y - a.y);
            if (fabs(length - 1.0) > 1e-5 ||
                against > 1e-5 * hypot((double)b.x - a.x, (double)b.y - a.y))
                return wrong(play, "a wall's normal is wrong");
            return out_done;
        }
    return wrong(play, "a ray hits another wall");
}

Outcome askWhetherFree(Play* play)
{
    const thVec2 center = drawPosition(play->g);
    const float radius = oneIn(play->g, 8) ? 0.0f : drawFloat(play->g, 0.0f, 2.0f);
    const int32_t level = drawLevel(play->g);
    const bool isFree = modelIsFree(&play->model, level, placeOf(center), radius);
    const bool answer = thWorld_IsFree(play->world, center, radius, level) != 0;
    if (play->model.scarce && isFree && !answer)
        return out_noMemory;
    return answer == isFree ? out_done : wrong(play, "a place is free or not");
}
