// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls of a scene, also those that come from files, whose polygons are walkable or solid.

// Walkable: polygons of a file are put together, so that no two outer rings overlap. They are rooms
// if no other file or room is on their level, and otherwise closed thin walls, because the world
// outside of one room may be the inside of another; holes are solid. Solid: rings are solid, and
// those with holes come in pieces.

#include "geom/polygon.h"
#include "scene/read/scene_keys.h"
#include "scene/run/scene_run.h"
#include "scene/walls/geometry.h"
#include "sim/ranges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Corners of a ring in which edges that cross are looked for.
#define CLASH_CORNERS 4096

// What is smaller both ways may be in degrees. [m]
#define MOST_DEGREES 0.5

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

// Files of maps are often in degrees of longitude and latitude, which are small numbers: nothing
// that is smaller than a body is a place to walk.
static void noteDegrees(Builder* builder, const thSceneWall* wall, const thGeometry* file)
{
    const thRunErrors* errors = builder->errors;
    const thCoord* points = TH_ITEMS(file->points, thCoord);
    const thCoord origin = file->origin;
    if (errors->note == NULL || file->points.count == 0 || !isnan(file->degrees.x))
        return;
    thCoord low = points[0], high = points[0];
    for (int32_t i = 1; i < file->points.count; ++i) {
        low = (thCoord){TH_MIN(low.x, points[i].x), TH_MIN(low.y, points[i].y)};
        high = (thCoord){TH_MAX(high.x, points[i].x), TH_MAX(high.y, points[i].y)};
    }
    const double x = 0.5 * (low.x + high.x) + origin.x, y = 0.5 * (low.y + high.y) + origin.y;
    const bool isSmall = high.x - low.x < MOST_DEGREES && high.y - low.y < MOST_DEGREES;
    if (!isSmall || fabs(x) > 180.0 || fabs(y) > TH_MOST_LATITUDE)
        return;
    thErrorSink notes = {
        .report = errors->note, .context = errors->noteContext, .file = builder->run->scene->file};
    thiReportAt(
        &notes, th_resultBlocked, wall->source,
        "'%s' is %.3g m by %.3g m large: if it is in degrees, add \"degrees\": [%.7g, %.7g], "
        "the longitude and latitude of (0, 0) of the scene",
        wall->file, high.x - low.x, high.y - low.y, x, y);
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
    file->degrees = (thCoord){wall->degrees[0], wall->degrees[1]};
    thResult code = thiReadGeometryFile(path, file);
    if (code == th_resultOk)
        noteDegrees(builder, wall, file);
    if (code == th_resultOk && !(wall->walkable && file->areApart))
        code = thiJoinPolygons(file, !wall->walkable);
    if (code == th_resultNoMemory || code == th_resultOk)
        return code;
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
