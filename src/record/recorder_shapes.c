// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The shapes of a world as a recorder tells of them. As long as nothing comes or goes, only movers
// are looked at again.

#include "geom/fixed.h"
#include "record/recorder_internal.h"
#include "throng/math.h"

#include <string.h>

_Static_assert((int)th_shapeSolid == (int)th_obstacleSolid &&
                   (int)th_shapeMovingPolygon == (int)th_obstacleMovingPolygon &&
                   (int)th_shapeGoalPolygon - (int)th_shapeGoalPoint ==
                       (int)th_goalPolygon - (int)th_goalPoint,
               "kinds of shapes stand in the order of obstacles, then of goals");

void thiInitRecorderShapes(thRecorderShapes* shapes, thMemory* memory)
{
    *shapes = (thRecorderShapes){.obstacleStamps = thiArray(memory, sizeof(uint32_t)),
                                 .goalStamps = thiArray(memory, sizeof(uint32_t)),
                                 .shapes = thiArray(memory, sizeof(thRecordedShape)),
                                 .points = thiArray(memory, sizeof(thPlace)),
                                 .movers = thiArray(memory, sizeof(thRecordedMover)),
                                 .indexOfGoal = thiArray(memory, sizeof(int32_t))};
}

void thiFreeRecorderShapes(thRecorderShapes* shapes)
{
    thiArrayFree(&shapes->obstacleStamps);
    thiArrayFree(&shapes->goalStamps);
    thiArrayFree(&shapes->shapes);
    thiArrayFree(&shapes->points);
    thiArrayFree(&shapes->movers);
    thiArrayFree(&shapes->indexOfGoal);
}

static thPlace placeOf(const thWorld* world, double x, double y)
{
    return (thPlace){world->originX + x / THRONG_UNITS_PER_METRE,
                     world->originY + y / THRONG_UNITS_PER_METRE};
}

// Corners of a mover where it is now.
static void placeMover(const thWorld* world, const thObstacle* obstacle, thPlace* to)
{
    if (obstacle->def.kind == th_obstacleMovingDisc) {
        to[0] = placeOf(world, obstacle->x, obstacle->y);
        return;
    }
    float sine, cosine;
    thSinCos(obstacle->def.angle, &sine, &cosine);
    for (int32_t i = 0; i < obstacle->outline.count; ++i) {
        const double x = TH_ITEMS(obstacle->outline, thPoint)[i].x;
        const double y = TH_ITEMS(obstacle->outline, thPoint)[i].y;
        to[i] = placeOf(world, (double)obstacle->x + (double)cosine * x - (double)sine * y,
                        (double)obstacle->y + (double)sine * x + (double)cosine * y);
    }
}

// Corners of the shape that was added last. NULL: no memory.
static thPlace* addPoints(thRecorderShapes* shapes, thRecordedShape shape, int32_t count)
{
    thRecordedShape* item = thiArrayAdd(&shapes->shapes, 1);
    if (item == NULL)
        return NULL;
    *item = shape;
    item->pointCount = count;
    return thiArrayAdd(&shapes->points, count);
}

static void placePoints(const thWorld* world, const thPoint* points, int32_t count, thPlace* to)
{
    for (int32_t i = 0; i < count; ++i)
        to[i] = placeOf(world, points[i].x, points[i].y);
}

static thRecordedMover noteMover(const thObstacle* obstacle, int32_t slot, int32_t firstPoint)
{
    return (thRecordedMover){slot, firstPoint, obstacle->x, obstacle->y, obstacle->def.angle};
}

static thResult addObstacle(thRecorderShapes* shapes, const thWorld* world, int32_t slot)
{
    const thObstacle* obstacle = &thiObstacles(world)[slot];
    const bool isDisc = obstacle->def.kind == th_obstacleMovingDisc;
    const int32_t count = isDisc ? 1 : obstacle->outline.count;
    const thRecordedShape shape = {.kind = (thRecordedShapeKind)obstacle->def.kind,
                                   .level = obstacle->def.level,
                                   .radius = isDisc ? obstacle->def.radius : 0.0f};
    const int32_t firstPoint = shapes->points.count;
    thPlace* points = addPoints(shapes, shape, count);
    if (points == NULL)
        return th_resultNoMemory;
    if (!thiIsMoving(obstacle->def.kind)) {
        placePoints(world, TH_ITEMS(obstacle->outline, thPoint), count, points);
        return th_resultOk;
    }
    placeMover(world, obstacle, points);
    thRecordedMover* mover = thiArrayAdd(&shapes->movers, 1);
    if (mover == NULL)
        return th_resultNoMemory;
    *mover = noteMover(obstacle, slot, firstPoint);
    return th_resultOk;
}

static thResult addGoal(thRecorderShapes* shapes, const thWorld* world, int32_t slot)
{
    const thGoal* goal = thiGoalAt(&world->goals, slot);
    const thRecordedShape shape = {
        .kind = (thRecordedShapeKind)((int)th_shapeGoalPoint + (int)goal->kind),
        .radius = goal->radius};
    thPlace* points = addPoints(shapes, shape, goal->count);
    if (points == NULL)
        return th_resultNoMemory;
    placePoints(world, &TH_ITEMS(world->goals.points, thPoint)[goal->first], goal->count, points);
    return th_resultOk;
}

// All goals that have a shape, in the order of slots, as thWorld_VisitGoals shows them.
static thResult addGoals(thRecorderShapes* shapes, const thWorld* world)
{
    const thGoals* goals = &world->goals;
    shapes->indexOfGoal.count = 0;
    int32_t* indices = thiArrayAdd(&shapes->indexOfGoal, goals->goals.count);
    if (indices == NULL)
        return th_resultNoMemory;
    int32_t next = 0;
    for (int32_t slot = 0; slot < goals->goals.count; ++slot) {
        indices[slot] = -1;
        if (thiIdPoolIdOf(&goals->ids, slot) == 0 || thiIsGoalGroup(thiGoalAt(goals, slot)->kind))
            continue;
        TH_TRY(addGoal(shapes, world, slot));
        indices[slot] = next++;
    }
    return th_resultOk;
}

static void linkPoints(thRecorderShapes* shapes)
{
    const thPlace* points = TH_ITEMS(shapes->points, thPlace);
    thRecordedShape* items = TH_ITEMS(shapes->shapes, thRecordedShape);
    for (int32_t i = 0; i < shapes->shapes.count; ++i) {
        items[i].points = points;
        points += items[i].pointCount;
    }
}

static thResult build(thRecorderShapes* shapes, const thWorld* world)
{
    shapes->shapes.count = shapes->points.count = shapes->movers.count = 0;
    for (int32_t slot = 0; slot < world->obstacles.items.count; ++slot)
        if (thiIdPoolIdOf(&world->obstacles.ids, slot) != 0)
            TH_TRY(addObstacle(shapes, world, slot));
    TH_TRY(addGoals(shapes, world));
    linkPoints(shapes);
    return th_resultOk;
}

static bool isStamped(const thArray* stamps, const thIdPool* ids)
{
    const thArray* now = &ids->generations;
    return stamps->count == now->count &&
           (now->count == 0 ||
            memcmp(stamps->data, now->data, (size_t)now->count * sizeof(uint32_t)) == 0);
}

static thResult stamp(thArray* stamps, const thIdPool* ids)
{
    const int32_t count = ids->generations.count;
    stamps->count = 0;
    if (thiArrayAdd(stamps, count) == NULL)
        return th_resultNoMemory;
    if (count > 0)
        memcpy(stamps->data, ids->generations.data, (size_t)count * sizeof(uint32_t));
    return th_resultOk;
}

static thResult rebuild(thRecorderShapes* shapes, const thWorld* world)
{
    shapes->isBuilt = false; // until all of it succeeds
    shapes->isNews = true;
    shapes->goalsMoved |= !isStamped(&shapes->goalStamps, &world->goals.ids);
    TH_TRY(build(shapes, world));
    TH_TRY(stamp(&shapes->obstacleStamps, &world->obstacles.ids));
    TH_TRY(stamp(&shapes->goalStamps, &world->goals.ids));
    shapes->isBuilt = true;
    return th_resultOk;
}

static void followMovers(thRecorderShapes* shapes, const thWorld* world)
{
    for (int32_t i = 0; i < shapes->movers.count; ++i) {
        thRecordedMover* mover = &TH_ITEMS(shapes->movers, thRecordedMover)[i];
        const thObstacle* obstacle = &thiObstacles(world)[mover->slot];
        if (obstacle->x == mover->x && obstacle->y == mover->y &&
            obstacle->def.angle == mover->angle)
            continue;
        *mover = noteMover(obstacle, mover->slot, mover->firstPoint);
        placeMover(world, obstacle, &TH_ITEMS(shapes->points, thPlace)[mover->firstPoint]);
        shapes->isNews = true;
    }
}

thResult thiUpdateRecorderShapes(thRecorderShapes* shapes, const thWorld* world)
{
    if (!shapes->isBuilt || !isStamped(&shapes->obstacleStamps, &world->obstacles.ids) ||
        !isStamped(&shapes->goalStamps, &world->goals.ids))
        return rebuild(shapes, world);
    followMovers(shapes, world);
    return th_resultOk;
}
