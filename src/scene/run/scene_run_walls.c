// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls of a scene, also those that come from files, whose polygons are walkable or solid.

// Walkable: the outer ring is a room if no other ring or room is on its level, and otherwise a
// closed thin wall, because the world outside of one room may be the inside of another; holes are
// solid. A polygon that lies in another one adds nothing, and is left out. Rings of a file that
// cannot overlap are rooms together. Solid: the ring is solid, and holes are refused.

#include "geom/polygon.h"
#include "scene/run/scene_run.h"
#include "scene/walls/geometry.h"
#include "sim/ranges.h"

#include <stdio.h>
#include <string.h>

// Corners of a ring in which edges that cross are looked for.
#define CLASH_CORNERS 4096

// What walls are built with.
typedef struct Builder {
    thRun* run;
    thRunErrors* errors;
    thGeometry* files;  // of walls that are files, by wall
    thError* fileError; // of the one that is read
    thArray points;     // thVec2: of one wall
} Builder;

// Whether the world will take an outline. It tells the assertion hook of those it does not take,
// but a file may be wrong without a bug in any program.
static thResult checkOutline(Builder* builder, thObstacleKind kind)
{
    thArray corners = thiArray(&builder->run->memory, sizeof(thPoint));
    const thResult code =
        thiCleanOutline(TH_ITEMS(builder->points, thVec2), builder->points.count, kind, &corners);
    thiArrayFree(&corners);
    return code;
}

static thResult createWall(Builder* builder, thObstacleKind kind, int32_t level)
{
    TH_TRY(checkOutline(builder, kind));
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = kind;
    def.points = TH_ITEMS(builder->points, thVec2);
    def.pointCount = builder->points.count;
    def.level = level;
    thObstacleId id;
    return thCreateObstacle(builder->run->world, &def, &id);
}

// Walls that stand in the scene itself.

static thResult buildCopy(Builder* builder, const thSceneWall* wall, const thCopy* copy)
{
    static const thObstacleKind kinds[] = {
        [th_wallPolyline] = th_obstacleWall,
        [th_wallPolygon] = th_obstacleSolid,
        [th_wallRoom] = th_obstacleRoom,
    };
    builder->points.count = 0;
    thVec2* corners = thiArrayAdd(&builder->points, thiCornerCount(&wall->shape));
    if (corners == NULL)
        return th_resultNoMemory;
    const thCoord origin = builder->run->scene->origin;
    for (int32_t i = 0; i < builder->points.count; ++i)
        if (!thiCornerToWorld(&wall->shape, i, copy, origin, &corners[i]))
            return th_resultBadArgument;
    return createWall(builder, kinds[wall->kind], wall->level);
}

static thResult buildOwnWall(Builder* builder, const thSceneWall* wall)
{
    thResult code = th_resultOk;
    for (int32_t i = 0; i < thiCopyCount(&wall->repeat) && code == th_resultOk; ++i) {
        const thCopy copy = thiCopyOf(&wall->repeat, i);
        code = buildCopy(builder, wall, &copy);
    }
    if (code != th_resultBadArgument)
        return code;
    thiReportAt(&builder->errors->sink, code, wall->source,
                "has no area or no length, or its edges cross or touch");
    return th_resultOk;
}

// Walls from files.

// An error in a file; about a file as a whole, it is told where the scene names it.
static void reportInFile(Builder* builder, const thSceneWall* wall)
{
    thErrorSink* sink = &builder->errors->sink;
    const thError* error = builder->fileError;
    if (error->line == 0) {
        thiReportAt(sink, error->code, wall->source, "'%s': %s", error->file, error->text);
        return;
    }
    sink->count += 1;
    sink->report(sink->context, error);
}

// Files are named relative to the scene's folder.
static const char* pathOf(thRun* run, const char* name)
{
    const char* scene = run->scene->file;
    const char* slash = scene != NULL ? strrchr(scene, '/') : NULL;
    if (slash == NULL || name[0] == '/')
        return name;
    const size_t folder = (size_t)(slash - scene) + 1, size = folder + strlen(name) + 1;
    char* path = thiArenaAllocate(&run->arena, size);
    if (path != NULL)
        snprintf(path, size, "%.*s%s", (int)folder, scene, name);
    return path;
}

static thResult readFile(Builder* builder, int32_t index)
{
    thRun* run = builder->run;
    const thSceneWall* wall = &run->scene->walls[index];
    thGeometry* file = &builder->files[index];
    const char* path = pathOf(run, wall->file);
    if (path == NULL)
        return th_resultNoMemory;
    *file = thiGeometry(&run->memory, run->scene->origin, builder->fileError);
    const thResult code = thiReadGeometryFile(path, file);
    if (code == th_resultNoMemory)
        return code;
    if (code == th_resultOk)
        return wall->walkable && !file->areApart ? thiDropNestedPolygons(file) : code;
    reportInFile(builder, wall);
    file->parts.count = 0;
    return th_resultOk;
}

// How many rings of a file have a free inside; such that cannot overlap count as one.
static int32_t countOuterRings(const thGeometry* file)
{
    const thGeometryPart* parts = TH_ITEMS(file->parts, thGeometryPart);
    int32_t count = 0;
    for (int32_t i = 0; i < file->parts.count; ++i)
        count += parts[i].kind == th_geometryOuter;
    return file->areApart ? TH_MIN(count, 1) : count;
}

// How many rings on a level have a free inside.
static int32_t countRooms(const Builder* builder, int32_t level)
{
    const thScene* scene = builder->run->scene;
    int32_t count = 0;
    for (int32_t i = 0; i < scene->wallCount; ++i) {
        const thSceneWall* wall = &scene->walls[i];
        if (wall->level != level)
            continue;
        count += wall->kind == th_wallRoom;
        if (wall->kind == th_wallFile && wall->walkable)
            count += countOuterRings(&builder->files[i]);
    }
    return count;
}

// Copies the points of a part; a closed wall ends where it begins.
static thResult copyPart(Builder* builder, const thGeometry* file, const thGeometryPart* part,
                         bool closed)
{
    const thCoord* points = &TH_ITEMS(file->points, thCoord)[part->first];
    builder->points.count = 0;
    thVec2* copy = thiArrayAdd(&builder->points, part->count + closed);
    if (copy == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < builder->points.count; ++i) {
        const thCoord point = points[i < part->count ? i : 0];
        copy[i] = (thVec2){(float)point.x, (float)point.y};
    }
    return th_resultOk;
}

// The first two edges of a ring that cross or touch, and are no neighbours; false if there are
// none, or too many to look at all pairs.
static bool findClash(const thArray* ring, int32_t clash[2])
{
    const thVec2* corners = TH_ITEMS(*ring, thVec2);
    const int32_t count = ring->count;
    for (int32_t i = 0; i + 2 < count && count <= CLASH_CORNERS; ++i)
        for (int32_t k = i + 2; k < count; ++k) {
            const int32_t afterK = (k + 1) % count;
            if (afterK == i ||
                !thiSegmentsTouch(thiPointOf(corners[i]), thiPointOf(corners[i + 1]),
                                  thiPointOf(corners[k]), thiPointOf(corners[afterK])))
                continue;
            clash[0] = i;
            clash[1] = k;
            return true;
        }
    return false;
}

static void reportRing(Builder* builder, const thGeometry* file, const thGeometryPart* part)
{
    const thCoord origin = file->origin;
    const thCoord* points = &TH_ITEMS(file->points, thCoord)[part->first];
    int32_t clash[2];
    if (!findClash(&builder->points, clash)) {
        thiGeometryError(file, part->line, part->column,
                         "this ring has no area, or its edges cross or touch");
        return;
    }
    const thCoord a = points[clash[0]], b = points[clash[1]];
    thiGeometryError(file, part->line, part->column,
                     "edges of this ring cross or touch: that from (%.10g, %.10g) and that from "
                     "(%.10g, %.10g)",
                     thiRoundedMetres(a.x + origin.x), thiRoundedMetres(a.y + origin.y),
                     thiRoundedMetres(b.x + origin.x), thiRoundedMetres(b.y + origin.y));
}

// What a part is for the world.
static thObstacleKind kindOf(const thSceneWall* wall, const thGeometryPart* part, bool isOnlyRoom)
{
    if (part->kind == th_geometryLine)
        return th_obstacleWall;
    if (part->kind == th_geometryHole || !wall->walkable)
        return th_obstacleSolid;
    return isOnlyRoom ? th_obstacleRoom : th_obstacleWall;
}

static thResult buildPart(Builder* builder, int32_t index, const thGeometryPart* part,
                          bool isOnlyRoom)
{
    const thSceneWall* wall = &builder->run->scene->walls[index];
    const thGeometry* file = &builder->files[index];
    if (part->kind == th_geometryHole && !wall->walkable) {
        thiGeometryError(file, part->line, part->column,
                         "a solid polygon cannot have holes; split it, or take it for walkable");
        reportInFile(builder, wall);
        return th_resultOk;
    }
    const thObstacleKind kind = kindOf(wall, part, isOnlyRoom);
    const bool isLine = part->kind == th_geometryLine;
    TH_TRY(copyPart(builder, file, part, kind == th_obstacleWall && !isLine));
    // A ring that is a thin wall must be one all the same.
    thResult code = isLine ? th_resultOk : checkOutline(builder, th_obstacleSolid);
    if (code == th_resultOk)
        code = createWall(builder, kind, wall->level);
    if (code != th_resultBadArgument)
        return code;
    if (isLine)
        thiGeometryError(file, part->line, part->column,
                         "this line has no length: all its points are the same");
    else
        reportRing(builder, file, part);
    reportInFile(builder, wall);
    return th_resultOk;
}

static thResult buildFile(Builder* builder, int32_t index)
{
    const thSceneWall* wall = &builder->run->scene->walls[index];
    const thGeometry* file = &builder->files[index];
    const bool isOnlyRoom = countRooms(builder, wall->level) == 1;
    for (int32_t i = 0; i < file->parts.count; ++i)
        TH_TRY(buildPart(builder, index, &TH_ITEMS(file->parts, thGeometryPart)[i], isOnlyRoom));
    return th_resultOk;
}

// All files are read before any wall is built: rooms count each other.
static thResult buildAll(Builder* builder)
{
    const thScene* scene = builder->run->scene;
    for (int32_t i = 0; i < scene->wallCount; ++i)
        if (scene->walls[i].kind == th_wallFile)
            TH_TRY(readFile(builder, i));
    for (int32_t i = 0; i < scene->wallCount; ++i)
        TH_TRY(scene->walls[i].kind == th_wallFile ? buildFile(builder, i)
                                                   : buildOwnWall(builder, &scene->walls[i]));
    return th_resultOk;
}

thResult thiBuildWalls(thRun* run, thRunErrors* errors)
{
    const int32_t wallCount = run->scene->wallCount;
    const size_t size = (size_t)TH_MAX(wallCount, 1) * sizeof(thGeometry);
    thError fileError = {0};
    Builder builder = {.run = run,
                       .errors = errors,
                       .files = thiAllocateZero(&run->memory, size),
                       .fileError = &fileError,
                       .points = thiArray(&run->memory, sizeof(thVec2))};
    if (builder.files == NULL)
        return th_resultNoMemory;
    const thResult code = buildAll(&builder);
    for (int32_t i = 0; i < wallCount; ++i)
        if (run->scene->walls[i].kind == th_wallFile)
            thiGeometryFree(&builder.files[i]);
    thiRelease(&run->memory, builder.files, size);
    thiArrayFree(&builder.points);
    return code;
}
