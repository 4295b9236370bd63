// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Obstacles come and go. Outlines of static ones become wall segments, which are put into a grid at
// the beginning of the next step; moving ones become columns.

#include "base/machine.h"
#include "geom/polygon.h"
#include "sim/ranges.h"
#include "sim/world_internal.h"

#include <math.h>

thObstacleDef thDefaultObstacleDef(void)
{
    return (thObstacleDef){
        .size = sizeof(thObstacleDef), .kind = th_obstacleSolid, .pathSpeed = 1.0f};
}

bool thiIsMoving(thObstacleKind kind)
{
    return kind == th_obstacleMovingDisc || kind == th_obstacleMovingPolygon;
}

static bool isSwitch(int32_t value)
{
    return value == 0 || value == 1;
}

bool thiIsObstacleDef(const thObstacleDef* def)
{
    if ((uint32_t)def->kind > th_obstacleMovingPolygon || !thiIsLevel(def->level))
        return false;
    if (!thiIsMoving(def->kind))
        return true;
    const bool hasRadius = thiIsBetween(def->radius, FLT_MIN, 100.0f);
    return (def->kind != th_obstacleMovingDisc || hasRadius) && thiIsPlace(def->position) &&
           thiIsAngle(def->angle) && thiIsVelocity(def->velocity) &&
           thiIsBetween(def->spin, -TH_MAX_SPIN, TH_MAX_SPIN) &&
           thiIsBetween(def->pathSpeed, 0.0f, 100.0f) && isSwitch(def->pathLoops) &&
           isSwitch(def->yields);
}

static bool hasPoints(const thObstacleDef* def)
{
    const int32_t least = def->kind == th_obstacleMovingDisc ? 0
                          : def->kind == th_obstacleWall     ? 2
                                                             : 3;
    return def->pointCount >= least && (def->points != NULL || def->pointCount == 0);
}

static bool isPath(const thObstacleDef* def)
{
    if (def->pathCount < 0 || (def->path == NULL && def->pathCount > 0))
        return false;
    for (int32_t i = 0; i < def->pathCount; ++i)
        if (!thiIsPlace(def->path[i]))
            return false;
    return true;
}

// What static obstacles have: the rest of their definition may be anything.
static thObstacleDef dropMotion(const thObstacleDef* given)
{
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = given->kind;
    def.points = given->points;
    def.pointCount = given->pointCount;
    def.level = given->level;
    return def;
}

void thiFreeObstacle(thObstacle* obstacle)
{
    thiArrayFree(&obstacle->outline);
    thiArrayFree(&obstacle->path);
}

static thResult copyOutline(const thObstacleDef* def, thObstacle* obstacle)
{
    if (def->kind == th_obstacleMovingDisc)
        return th_resultOk;
    thArray* outline = &obstacle->outline;
    TH_TRY(thiCleanOutline(def->points, def->pointCount, def->kind, outline));
    if (def->kind == th_obstacleMovingPolygon &&
        !thiIsConvex(TH_ITEMS(*outline, thPoint), outline->count))
        return th_resultBadArgument;
    return th_resultOk;
}

static thResult copyPath(const thObstacleDef* def, thObstacle* obstacle)
{
    if (def->pathCount == 0)
        return th_resultOk;
    thPoint* path = thiArrayAdd(&obstacle->path, def->pathCount);
    if (path == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < def->pathCount; ++i)
        path[i] = thiPointOf(def->path[i]);
    obstacle->x = path[0].x;
    obstacle->y = path[0].y;
    obstacle->pathAt = 1;
    thiAimAlongPath(obstacle);
    return th_resultOk;
}

static bool isLive(const thWorld* world, int32_t slot)
{
    return thiIdPoolIdOf(&world->obstacles.ids, slot) != 0;
}

// Room for all moving obstacles in the columns, and for one more: a step needs no memory for them.
static thResult reserveMovers(thWorld* world, const thObstacle* added)
{
    int32_t count = added != NULL;
    int32_t cornerCount = added != NULL ? added->outline.count : 0;
    for (int32_t slot = 0; slot < world->obstacles.items.count; ++slot) {
        const thObstacle* obstacle = &thiObstacles(world)[slot];
        if (!isLive(world, slot) || !thiIsMoving(obstacle->def.kind))
            continue;
        count += 1;
        cornerCount += obstacle->outline.count;
    }
    thMoverColumns* movers = &world->movers;
    thArray* columns[] = {&movers->px,   &movers->py,     &movers->vx,    &movers->vy,
                          &movers->spin, &movers->radius, &movers->level, &movers->obstacle,
                          &movers->dx,   &movers->dy,     &movers->turn,  &movers->share};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i)
        TH_TRY(thiArrayReserve(columns[i], count));
    TH_TRY(thiArrayReserve(&movers->firstCorner, count + 1));
    return thiArrayReserve(&movers->corners, cornerCount);
}

static thResult makeObstacle(thWorld* world, const thObstacleDef* def, thObstacle* obstacle)
{
    *obstacle = (thObstacle){.def = *def,
                             .x = thiUnits(def->position.x),
                             .y = thiUnits(def->position.y),
                             .outline = thiArray(world->account, sizeof(thPoint)),
                             .path = thiArray(world->account, sizeof(thPoint))};
    obstacle->def.angle = thiWrapAngle(def->angle);
    obstacle->def.points = obstacle->def.path = NULL; // they are the caller's
    TH_TRY(copyOutline(def, obstacle));
    TH_TRY(copyPath(def, obstacle));
    return thiIsMoving(def->kind) ? reserveMovers(world, obstacle) : th_resultOk;
}

static thResult addObstacle(thWorld* world, const thObstacleDef* def, thObstacleId* id)
{
    TH_TRY(thiReserveSlot(&world->obstacles.ids, &world->obstacles.items));
    thObstacle obstacle;
    const thResult code = makeObstacle(world, def, &obstacle);
    if (code != th_resultOk) {
        thiFreeObstacle(&obstacle);
        return code;
    }
    id->value = thiIdPoolTake(&world->obstacles.ids);
    world->obstacles.items.count = thiIdPoolSlotCount(&world->obstacles.ids);
    thiObstacles(world)[THRONG_SLOT(*id)] = obstacle;
    if (!thiIsMoving(def->kind))
        world->walls.changed = true;
    return th_resultOk;
}

thResult thCreateObstacle(thWorld* world, const thObstacleDef* given, thObstacleId* id)
{
    TH_REQUIRE(id != NULL, th_resultBadArgument);
    *id = (thObstacleId){0};
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    thObstacleDef def = thDefaultObstacleDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    if (!thiIsMoving(def.kind))
        def = dropMotion(&def);
    TH_REQUIRE(thiIsObstacleDef(&def), th_resultBadArgument);
    TH_REQUIRE(hasPoints(&def), th_resultBadArgument);
    TH_REQUIRE(isPath(&def), th_resultBadArgument);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = addObstacle(world, &def, id);
    thiFpRestore(hostEnvironment);
    TH_REQUIRE(code != th_resultBadArgument, code); // the outline is none, or not convex
    return code;
}

thResult thDestroyObstacle(thWorld* world, thObstacleId id)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    const int32_t slot = thiIdPoolFind(&world->obstacles.ids, id.value);
    TH_REQUIRE(slot >= 0, th_resultBadArgument);
    thObstacle* obstacle = &thiObstacles(world)[slot];
    if (!thiIsMoving(obstacle->def.kind))
        world->walls.changed = true;
    thiFreeObstacle(obstacle);
    thiIdPoolGiveBack(&world->obstacles.ids, id.value);
    return th_resultOk;
}

// Walls.

int32_t thiWallSegmentCount(const thObstacle* obstacle)
{
    if (thiIsMoving(obstacle->def.kind))
        return 0;
    return obstacle->outline.count - (obstacle->def.kind == th_obstacleWall);
}

static thWallSegment segmentAt(const thObstacle* obstacle, int32_t slot, int32_t i)
{
    const thPoint* outline = TH_ITEMS(obstacle->outline, thPoint);
    const thPoint a = outline[i];
    const thPoint b = outline[i + 1 < obstacle->outline.count ? i + 1 : 0];
    return (thWallSegment){.ax = a.x,
                           .ay = a.y,
                           .bx = b.x,
                           .by = b.y,
                           .level = (uint16_t)obstacle->def.level,
                           .oneSided = obstacle->def.kind != th_obstacleWall,
                           .ofRoom = obstacle->def.kind == th_obstacleRoom,
                           .obstacle = slot};
}

static thResult collectSegments(const thWorld* world, thArray* segments)
{
    for (int32_t slot = 0; slot < world->obstacles.items.count; ++slot) {
        if (!isLive(world, slot))
            continue;
        const thObstacle* obstacle = &thiObstacles(world)[slot];
        const int32_t count = thiWallSegmentCount(obstacle);
        thWallSegment* added = thiArrayAdd(segments, count);
        if (added == NULL)
            return th_resultNoMemory;
        for (int32_t i = 0; i < count; ++i)
            added[i] = segmentAt(obstacle, slot, i);
    }
    return th_resultOk;
}

static thResult buildWalls(const thWorld* world)
{
    thArray segments = thiArray(world->account, sizeof(thWallSegment));
    thResult code = collectSegments(world, &segments);
    if (code == th_resultOk)
        code =
            thiWallGridBuild(world->walls.grid, TH_ITEMS(segments, thWallSegment), segments.count);
    thiArrayFree(&segments);
    return code;
}

// The grid is a memory of the obstacles, not a part of what a world is: a const world may bring it
// up to date.
thResult thiUpdateWalls(const thWorld* constWorld)
{
    thWorld* world = (thWorld*)constWorld;
    if (!world->walls.changed)
        return th_resultOk;
    thiLock(&world->wallMutex);
    const thResult code = world->walls.changed ? buildWalls(world) : th_resultOk;
    if (code == th_resultOk && world->walls.changed) {
        world->walls.revision += 1;
        world->walls.changed = false;
    }
    thiUnlock(&world->wallMutex);
    return code;
}

// Columns of moving obstacles.

// Adds the corners of a polygon as it stands and returns the radius about its origin that holds
// them, a little more than needed because corners are rounded.
static float turnCorners(thMoverColumns* movers, const thObstacle* obstacle)
{
    float sine, cosine;
    thSinCos(obstacle->def.angle, &sine, &cosine);
    thVec2* corners = &TH_ITEMS(movers->corners, thVec2)[movers->corners.count];
    const thPoint* outline = TH_ITEMS(obstacle->outline, thPoint);
    float largestSq = 0.0f;
    for (int32_t i = 0; i < obstacle->outline.count; ++i) {
        const float x = thiMetres(outline[i].x), y = thiMetres(outline[i].y);
        corners[i] = (thVec2){cosine * x - sine * y, sine * x + cosine * y};
        const float distanceSq = corners[i].x * corners[i].x + corners[i].y * corners[i].y;
        largestSq = TH_MAX(largestSq, distanceSq);
    }
    movers->corners.count += obstacle->outline.count;
    return sqrtf(largestSq) * 1.000001f;
}

static void addMover(thMoverColumns* movers, const thObstacle* obstacle, int32_t slot)
{
    const int32_t i = movers->view.count++;
    const thObstacleDef* def = &obstacle->def;
    TH_ITEMS(movers->px, int32_t)[i] = obstacle->x;
    TH_ITEMS(movers->py, int32_t)[i] = obstacle->y;
    TH_ITEMS(movers->vx, float)[i] = def->velocity.x;
    TH_ITEMS(movers->vy, float)[i] = def->velocity.y;
    TH_ITEMS(movers->spin, float)[i] = def->spin;
    TH_ITEMS(movers->level, uint16_t)[i] = (uint16_t)def->level;
    TH_ITEMS(movers->obstacle, int32_t)[i] = slot;
    TH_ITEMS(movers->radius, float)
    [i] = def->kind == th_obstacleMovingDisc ? def->radius : turnCorners(movers, obstacle);
    TH_ITEMS(movers->firstCorner, int32_t)[i + 1] = movers->corners.count;
}

void thiShowMovers(thWorld* world)
{
    thMoverColumns* movers = &world->movers;
    movers->corners.count = 0;
    TH_ITEMS(movers->firstCorner, int32_t)[0] = 0;
    movers->view = (thMovers){.px = TH_ITEMS(movers->px, int32_t),
                              .py = TH_ITEMS(movers->py, int32_t),
                              .vx = TH_ITEMS(movers->vx, float),
                              .vy = TH_ITEMS(movers->vy, float),
                              .spin = TH_ITEMS(movers->spin, float),
                              .radius = TH_ITEMS(movers->radius, float),
                              .firstCorner = TH_ITEMS(movers->firstCorner, int32_t),
                              .corners = TH_ITEMS(movers->corners, thVec2),
                              .level = TH_ITEMS(movers->level, uint16_t),
                              .obstacle = TH_ITEMS(movers->obstacle, int32_t)};
    for (int32_t slot = 0; slot < world->obstacles.items.count; ++slot)
        if (isLive(world, slot) && thiIsMoving(thiObstacles(world)[slot].def.kind))
            addMover(movers, &thiObstacles(world)[slot], slot);
}

thResult thiPrepareObstacles(thWorld* world)
{
    TH_TRY(reserveMovers(world, NULL));
    TH_TRY(thiUpdateWalls(world));
    thiShowMovers(world);
    return th_resultOk;
}

int32_t thFrame_IsSolid(const thFrame* frame, int32_t level, int32_t x, int32_t y)
{
    TH_REQUIRE(frame != NULL && frame->wallGrid != NULL, 0);
    return thiIsInSolid(frame->wallGrid, level, x, y);
}
