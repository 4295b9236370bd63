// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "scene/placement_gear.h"

#include "geom/fixed.h"
#include "sim/world_internal.h"

#include <stdlib.h>

#define SLOP 0x1p-13

static void openEmpty(Ground* ground, int32_t capacity)
{
    *ground = (Ground){.wallCount = 0};
    thiMemoryInit(&ground->memory, NULL, 0);
    thiArenaInit(&ground->arena, &ground->memory);
    const thWorldDef def = thDefaultWorldDef();
    assert_int_equal(thCreateWorld(&def, &ground->world), th_resultOk);
    assert_int_equal(thiBodiesInit(&ground->bodies, &ground->memory, capacity), th_resultOk);
    ground->radii = calloc((size_t)capacity + 1, sizeof *ground->radii);
    assert_non_null(ground->radii);
}

void closeGround(Ground* ground)
{
    thDestroyWorld(ground->world);
    thiBodiesFree(&ground->bodies);
    thiArenaFree(&ground->arena);
    free(ground->radii);
    assert_int_equal(ground->memory.bytes, 0);
}

void addWall(Ground* ground, thObstacleKind kind, const thVec2* points, int32_t count)
{
    GroundWall* wall = &ground->walls[ground->wallCount++];
    wall->kind = kind;
    wall->count = count;
    memcpy(wall->points, points, (size_t)count * sizeof *points);
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = kind;
    def.points = points;
    def.pointCount = count;
    thObstacleId id;
    assert_int_equal(thCreateObstacle(ground->world, &def, &id), th_resultOk);
}

void setRegion(Ground* ground, const thShape* shape)
{
    ground->shape = *shape;
    memcpy(ground->corners, shape->points.items,
           (size_t)shape->points.count * sizeof *ground->corners);
    ground->shape.points.items = ground->corners;
    assert_int_equal(
        thiMakeRegion(&ground->shape, NULL, (thCoord){0.0, 0.0}, &ground->arena, &ground->region),
        th_resultOk);
}

thResult placeOnGround(Ground* ground)
{
    assert_int_equal(thiUpdateWalls(ground->world), th_resultOk);
    ground->placing.walls = ground->world->walls.grid;
    ground->placing.bodies = &ground->bodies;
    ground->placing.region = &ground->region;
    return thiPlaceAtRandom(&ground->placing, &ground->figures);
}

void openBox(Ground* ground, double side, int32_t count, float radius, float spread, bool walls)
{
    thGenerator g = makeGenerator(5, (uint64_t)count);
    openEmpty(ground, count);
    for (int32_t i = 0; i < count; ++i)
        ground->radii[i] = radius + spread * (drawUnit(&g) - 0.5f);
    const float s = (float)side;
    const thVec2 room[] = {{0.0f, 0.0f}, {s, 0.0f}, {s, s}, {0.0f, s}};
    if (walls)
        addWall(ground, th_obstacleRoom, room, 4);
    const thCoord corners[] = {{0.0, 0.0}, {side, side}};
    setRegion(ground, &(thShape){.kind = th_shapeBox, .points = {corners, 2}});
    ground->placing = (thPlacing){.gap = 0.05, .count = count, .radii = ground->radii, .seed = 1};
}

// Somewhere in the world, also where floats are coarse.
static thVec2 drawMiddle(thGenerator* g)
{
    static const float places[] = {0.0f, 100.0f, -3000.0f, 29900.0f};
    return (thVec2){places[drawInt(g, 0, 3)], places[drawInt(g, 0, 3)]};
}

static void drawRegion(Ground* ground, thGenerator* g, thVec2 middle, float side)
{
    const double x = (double)middle.x, y = (double)middle.y, half = 0.5 * (double)side;
    const thCoord box[] = {{x - half, y + half}, {x + half, y - half}};
    const thCoord disc[] = {{x, y}};
    const thCoord angle[] = {{x - half, y - half}, {x + half, y - half}, {x + half, y}, {x, y},
                             {x, y + half},        {x - half, y + half}};
    const thCoord arrow[] = {{x - half, y - half}, {x + half, y + 0.5 * half}, {x, y + half}};
    const thShape shapes[] = {{.kind = th_shapeBox, .points = {box, 2}},
                              {.kind = th_shapeDisc, .points = {disc, 1}, .radius = half},
                              {.kind = th_shapePolygon, .points = {angle, 6}},
                              {.kind = th_shapePolygon, .points = {arrow, 3}}};
    setRegion(ground, &shapes[drawInt(g, 0, 3)]);
}

static void drawWalls(Ground* ground, thGenerator* g, thVec2 middle, float side)
{
    const float half = 0.45f * side;
    const int32_t count = drawInt(g, 0, 6);
    if (drawInt(g, 0, 2) == 0) {
        const thVec2 room[] = {{middle.x - half, middle.y - half},
                               {middle.x + half, middle.y - half},
                               {middle.x + half, middle.y + half},
                               {middle.x - half, middle.y + half}};
        addWall(ground, th_obstacleRoom, room, 4);
    }
    for (int32_t i = 0; i < count; ++i) {
        const float x = middle.x + drawFloat(g, -half, half) + 0.01f;
        const float y = middle.y + drawFloat(g, -half, half) + 0.01f;
        const float width = drawFloat(g, 0.1f, 0.3f) * side;
        const thVec2 solid[] = {{x, y}, {x + width, y}, {x, y + width}};
        const thVec2 thin[] = {{x, y}, {x + width, y + width}};
        if (drawInt(g, 0, 1) == 0)
            addWall(ground, th_obstacleSolid, solid, 3);
        else
            addWall(ground, th_obstacleWall, thin, 2);
    }
}

// Numbers of bodies that stand already are before and behind those to be placed.
void openGround(Ground* ground, thGenerator* g, int32_t size)
{
    const int32_t count = drawInt(g, 0, size), first = drawInt(g, 0, 3);
    openEmpty(ground, count + 8);
    const float least = drawFloat(g, 0.05f, 0.5f);
    const float most = drawInt(g, 0, 1) == 0 ? least : least * drawFloat(g, 1.0f, 4.0f);
    double covered = 0.0;
    for (int32_t i = 0; i < count + 8; ++i) {
        ground->radii[i] = drawFloat(g, least, most);
        covered += 4.0 * (double)ground->radii[i] * (double)ground->radii[i];
    }
    const float side = (float)sqrt(covered / (double)drawFloat(g, 0.05f, 0.9f)) + 0.5f;
    const thVec2 middle = drawMiddle(g);
    drawRegion(ground, g, middle, side);
    drawWalls(ground, g, middle, side);
    for (int32_t i = 0; i < first + 2; ++i) {
        const int32_t number = i < first ? i : count + i;
        const thPoint at = {thiUnits(middle.x + drawFloat(g, -0.4f, 0.4f) * side),
                            thiUnits(middle.y + drawFloat(g, -0.4f, 0.4f) * side)};
        thiAddBody(&ground->bodies, number, (thPlacedBody){at, ground->radii[number], 0});
        ground->fixed[ground->fixedCount++] = number;
    }
    ground->placing = (thPlacing){.gap = drawInt(g, 0, 1) == 0 ? 0.0 : 0.05,
                                  .first = first,
                                  .count = count,
                                  .radii = ground->radii + first,
                                  .seed = drawU64(g)};
}

// The judge.

static double metres(int32_t units)
{
    return (double)units / 65536.0;
}

static bool isApart(const Ground* ground, int32_t a, int32_t b)
{
    const thPoint at = ground->bodies.items[a].at, other = ground->bodies.items[b].at;
    return hypot(metres(at.x) - metres(other.x), metres(at.y) - metres(other.y)) >=
           (double)ground->radii[a] + (double)ground->radii[b] + ground->placing.gap - 1e-9;
}

static double distanceToSegment(double x, double y, thVec2 a, thVec2 b)
{
    const double dx = (double)b.x - (double)a.x, dy = (double)b.y - (double)a.y;
    const double along = ((x - (double)a.x) * dx + (y - (double)a.y) * dy) / (dx * dx + dy * dy);
    const double share = fmin(fmax(along, 0.0), 1.0);
    return hypot((double)a.x + share * dx - x, (double)a.y + share * dy - y);
}

static bool isInPolygon(double x, double y, const thVec2* corners, int32_t count)
{
    bool inside = false;
    for (int32_t i = 0; i < count; ++i) {
        const thVec2 a = corners[i], b = corners[(i + 1) % count];
        if (((double)a.y > y) != ((double)b.y > y) &&
            x < (double)a.x +
                    (y - (double)a.y) / ((double)b.y - (double)a.y) * ((double)b.x - (double)a.x))
            inside = !inside;
    }
    return inside;
}

static bool isOffWall(const GroundWall* wall, double x, double y, double radius)
{
    const bool closed = wall->kind != th_obstacleWall;
    for (int32_t i = 0; i + !closed < wall->count; ++i)
        if (distanceToSegment(x, y, wall->points[i], wall->points[(i + 1) % wall->count]) <
            radius - SLOP - 3e-5) // corners are rounded to units
            return false;
    return !closed ||
           isInPolygon(x, y, wall->points, wall->count) == (wall->kind == th_obstacleRoom);
}

static bool isInRegion(const Ground* ground, double x, double y)
{
    const thCoord* corners = ground->corners;
    thVec2 outline[8];
    const double margin = 0.003; // what floats can tell
    if (ground->shape.kind == th_shapeDisc)
        return hypot(x - corners[0].x, y - corners[0].y) <= ground->shape.radius + margin;
    if (ground->shape.kind == th_shapeBox)
        return x >= fmin(corners[0].x, corners[1].x) - margin &&
               x <= fmax(corners[0].x, corners[1].x) + margin &&
               y >= fmin(corners[0].y, corners[1].y) - margin &&
               y <= fmax(corners[0].y, corners[1].y) + margin;
    const int32_t count = ground->shape.points.count;
    for (int32_t i = 0; i < count; ++i)
        outline[i] = (thVec2){(float)corners[i].x, (float)corners[i].y};
    for (int32_t i = 0; i < count; ++i)
        if (distanceToSegment(x, y, outline[i], outline[(i + 1) % count]) <= margin)
            return true;
    return isInPolygon(x, y, outline, count);
}

static bool standsWell(const Ground* ground, int32_t number)
{
    const thPoint at = ground->bodies.items[number].at;
    const double x = metres(at.x), y = metres(at.y);
    // The world is told places as floats: these must be exact.
    if ((double)(float)x != x || (double)(float)y != y || !isInRegion(ground, x, y))
        return false;
    for (int32_t i = 0; i < ground->wallCount; ++i)
        if (!isOffWall(&ground->walls[i], x, y, (double)ground->radii[number]))
            return false;
    return true;
}

bool isPlacedWell(const Ground* ground)
{
    const int32_t first = ground->placing.first, end = first + ground->placing.count;
    for (int32_t i = first; i < end; ++i) {
        if (!standsWell(ground, i))
            return false;
        for (int32_t k = first; k < i; ++k)
            if (!isApart(ground, i, k))
                return false;
        for (int32_t k = 0; k < ground->fixedCount; ++k)
            if (!isApart(ground, i, ground->fixed[k]))
                return false;
    }
    return true;
}

bool areFigures(const Ground* ground)
{
    const thPlacingFigures* figures = &ground->figures;
    return figures->placed >= 0 && figures->placed < ground->placing.count &&
           figures->freeArea >= 0.0 && figures->freeArea <= ground->region.area * 1.001 &&
           figures->mostPerArea > 0.0;
}
