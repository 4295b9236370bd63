// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The shapes in a world, as hosts see them.

#include "throng/outline.h"

#include "base/fp_environment.h"
#include "geom/fixed.h"
#include "sim/world_internal.h"

// Room for the corners of one shape after the other. It belongs to the caller, because visits may
// run in several threads at once.
typedef struct Corners {
    thMemory memory;
    thArray points; // thVec2
} Corners;

static void initCorners(Corners* corners, const thWorld* world)
{
    thiMemoryInit(&corners->memory, &world->memory.allocator, 0);
    corners->points = thiArray(&corners->memory, sizeof(thVec2));
}

static thVec2* makeRoom(Corners* corners, int32_t count)
{
    corners->points.count = 0;
    return thiArrayAdd(&corners->points, count);
}

static thVec2 metresOf(thPoint point)
{
    return (thVec2){thiMetres(point.x), thiMetres(point.y)};
}

// Corners of a moving polygon, turned and put where it is.
static void placeCorners(const thObstacle* obstacle, thVec2* to)
{
    const thPoint* outline = TH_ITEMS(obstacle->outline, thPoint);
    float sine, cosine;
    thSinCos(obstacle->def.angle, &sine, &cosine);
    const thVec2 origin = metresOf((thPoint){obstacle->x, obstacle->y});
    for (int32_t i = 0; i < obstacle->outline.count; ++i) {
        const thVec2 p = metresOf(outline[i]);
        to[i] =
            (thVec2){origin.x + cosine * p.x - sine * p.y, origin.y + sine * p.x + cosine * p.y};
    }
}

static bool outlineObstacle(const thWorld* world, int32_t slot, Corners* corners,
                            thObstacleOutline* outline)
{
    const thObstacle* obstacle = &thiObstacles(world)[slot];
    const bool isDisc = obstacle->def.kind == th_obstacleMovingDisc;
    const int32_t count = isDisc ? 1 : obstacle->outline.count;
    thVec2* points = makeRoom(corners, count);
    if (points == NULL)
        return false;
    if (isDisc)
        points[0] = metresOf((thPoint){obstacle->x, obstacle->y});
    else if (obstacle->def.kind == th_obstacleMovingPolygon)
        placeCorners(obstacle, points);
    else
        for (int32_t i = 0; i < count; ++i)
            points[i] = metresOf(TH_ITEMS(obstacle->outline, thPoint)[i]);
    *outline = (thObstacleOutline){.id = {thiIdPoolIdOf(&world->obstacles.ids, slot)},
                                   .kind = obstacle->def.kind,
                                   .points = points,
                                   .pointCount = count,
                                   .radius = isDisc ? obstacle->def.radius : 0.0f,
                                   .level = obstacle->def.level};
    return true;
}

thResult thWorld_VisitObstacles(const thWorld* world, thObstacleOutlineFcn* visit, void* context)
{
    TH_REQUIRE(world != NULL && visit != NULL && !world->stepping, th_resultBadArgument);
    Corners corners;
    initCorners(&corners, world);
    bool complete = true;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    for (int32_t slot = 0; slot < world->obstacles.items.count && complete; ++slot) {
        if (thiIdPoolIdOf(&world->obstacles.ids, slot) == 0)
            continue;
        thObstacleOutline outline;
        complete = outlineObstacle(world, slot, &corners, &outline);
        if (complete)
            visit(context, &outline);
    }
    thiFpRestore(hostEnvironment);
    thiArrayFree(&corners.points);
    return complete ? th_resultOk : th_resultNoMemory;
}

thResult thWorld_VisitGoals(const thWorld* world, thGoalOutlineFcn* visit, void* context)
{
    TH_REQUIRE(world != NULL && visit != NULL && !world->stepping, th_resultBadArgument);
    Corners corners;
    initCorners(&corners, world);
    bool complete = true;
    for (int32_t slot = 0; slot < world->goals.goals.count && complete; ++slot) {
        const thGoal* goal = thiGoalAt(&world->goals, slot);
        if (thiIdPoolIdOf(&world->goals.ids, slot) == 0 || thiIsGoalGroup(goal->kind))
            continue;
        thVec2* points = makeRoom(&corners, goal->count);
        complete = points != NULL;
        for (int32_t i = 0; i < goal->count && complete; ++i)
            points[i] = metresOf(TH_ITEMS(world->goals.points, thPoint)[goal->first + i]);
        const thGoalOutline outline = {.id = {thiIdPoolIdOf(&world->goals.ids, slot)},
                                       .kind = goal->kind,
                                       .points = points,
                                       .pointCount = goal->count,
                                       .radius = goal->radius};
        if (complete)
            visit(context, &outline);
    }
    thiArrayFree(&corners.points);
    return complete ? th_resultOk : th_resultNoMemory;
}
