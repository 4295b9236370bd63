// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Questions between steps: who is where, what is free, what a ray hits, and outlines of what stands
// in a world. The grid knows where agents stood when they were last sorted; since then none has
// moved further than `drift`, and those that are new stand behind the sorted rows. Answers are
// decided in exact integers. Nothing is written to the world, so many threads may ask at once.

#include "base/machine.h"
#include "geom/fixed.h"
#include "sim/ranges.h"
#include "sim/world_internal.h"
#include "throng/outline.h"
#include "throng/query.h"

#include <math.h>
#include <stdlib.h>

// From this drift on every row is looked at. [units]
#define FAR_DRIFT ((int64_t)256 * THRONG_UNITS_PER_METRE)

thQueryFilter thDefaultQueryFilter(void)
{
    return (thQueryFilter){.level = 0, .mask = UINT32_MAX};
}

// The square of a distance, in units²: up to 2^65, more than 64 bits hold.
typedef struct Square {
    uint64_t high, low;
} Square;

static bool isLess(Square a, Square b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

static Square distanceSq(thPoint a, thPoint b)
{
    const uint64_t dx = (uint64_t)llabs((int64_t)a.x - b.x); // below 2^32
    const uint64_t dy = (uint64_t)llabs((int64_t)a.y - b.y);
    const uint64_t sum = dx * dx + dy * dy;
    return (Square){sum < dx * dx, sum};
}

// A float has 24 bits, so its square is exact in double. Distances are whole numbers: what is
// behind the point makes no difference.
static Square radiusSq(float radius)
{
    const double units = (double)radius * THRONG_UNITS_PER_METRE;
    const double square = units * units;
    if (square >= 0x1p65)
        return (Square){UINT64_MAX, 0};
    const uint64_t high = square >= 0x1p64;
    return (Square){high, (uint64_t)(high ? square - 0x1p64 : square)};
}

// What is looked for, and what is found so far: a heap of ids whose first is the last in order.
typedef struct Search {
    const thWorld* world;
    const thRows* rows;
    thQueryFilter filter;
    int32_t lowX, lowY, highX, highY; // bounds included
    bool hasCenter;
    bool byDistance; // or by key
    thPoint center;
    Square limit;
    thAgentId* ids;
    int32_t capacity;
    int32_t idCount;
    int32_t total;
} Search;

static Square squareOf(const Search* search, int32_t row)
{
    return distanceSq(search->center, (thPoint){search->rows->px[row], search->rows->py[row]});
}

static bool isBefore(const Search* search, int32_t a, int32_t b)
{
    if (search->byDistance) {
        const Square squareA = squareOf(search, a), squareB = squareOf(search, b);
        if (isLess(squareA, squareB) || isLess(squareB, squareA))
            return isLess(squareA, squareB);
    }
    return search->rows->key[a] < search->rows->key[b];
}

static int32_t rowAt(const Search* search, int32_t place)
{
    return TH_ITEMS(search->world->agents.rowOfSlot, int32_t)[THRONG_SLOT(search->ids[place])];
}

static void swapPlaces(Search* search, int32_t a, int32_t b)
{
    const thAgentId first = search->ids[a];
    search->ids[a] = search->ids[b];
    search->ids[b] = first;
}

static void siftUp(Search* search, int32_t place)
{
    while (place > 0) {
        const int32_t parent = (place - 1) / 2;
        if (!isBefore(search, rowAt(search, parent), rowAt(search, place)))
            return;
        swapPlaces(search, parent, place);
        place = parent;
    }
}

static void siftDown(Search* search, int32_t place, int32_t count)
{
    while (place < count / 2) {
        int32_t child = 2 * place + 1;
        if (child + 1 < count && isBefore(search, rowAt(search, child), rowAt(search, child + 1)))
            child += 1;
        if (!isBefore(search, rowAt(search, place), rowAt(search, child)))
            return;
        swapPlaces(search, place, child);
        place = child;
    }
}

static void addFound(Search* search, int32_t row)
{
    search->total += 1;
    const thAgentId id = {thiIdPoolIdOf(&search->world->agents.ids, search->rows->slot[row])};
    if (search->idCount < search->capacity) {
        search->ids[search->idCount++] = id;
        siftUp(search, search->idCount - 1);
    } else if (search->idCount > 0 && isBefore(search, row, rowAt(search, 0))) {
        search->ids[0] = id;
        siftDown(search, 0, search->idCount);
    }
}

static bool isWanted(const Search* search, int32_t row)
{
    const thRows* rows = search->rows;
    return rows->flags[row] != 0 && rows->level[row] == search->filter.level &&
           (rows->layers[row] & search->filter.mask) != 0 && rows->px[row] >= search->lowX &&
           rows->px[row] <= search->highX && rows->py[row] >= search->lowY &&
           rows->py[row] <= search->highY &&
           (!search->hasCenter || !isLess(search->limit, squareOf(search, row)));
}

static void visitRows(void* context, int32_t begin, int32_t end)
{
    Search* search = context;
    for (int32_t row = begin; row < end; ++row)
        if (isWanted(search, row))
            addFound(search, row);
}

static int32_t clampUnits(int64_t units)
{
    return (int32_t)(units < INT32_MIN ? INT32_MIN : units > INT32_MAX ? INT32_MAX : units);
}

static void runSearch(Search* search)
{
    const thWorld* world = search->world;
    const int64_t drift = world->agents.drift;
    int32_t unsorted = 0; // the first row that the grid does not tell about
    if (drift <= FAR_DRIFT) {
        unsorted = thiGridSortedCount(&world->agents.grid);
        thiGridVisit(&world->agents.grid, search->filter.level, clampUnits(search->lowX - drift),
                     clampUnits(search->lowY - drift), clampUnits(search->highX + drift),
                     clampUnits(search->highY + drift), visitRows, search);
    }
    visitRows(search, unsorted, search->rows->count);
    for (int32_t count = search->idCount; count > 1; --count) {
        swapPlaces(search, 0, count - 1);
        siftDown(search, 0, count - 1);
    }
}

static bool isQuery(const thWorld* world, thQueryFilter filter, const thAgentId* ids,
                    int32_t capacity)
{
    return world != NULL && !world->stepping && thiIsLevel(filter.level) && capacity >= 0 &&
           (ids != NULL || capacity == 0);
}

static Search makeSearch(const thWorld* world, thQueryFilter filter, thAgentId* ids,
                         int32_t capacity)
{
    return (Search){
        .world = world, .rows = thiRows(world), .filter = filter, .ids = ids, .capacity = capacity};
}

static void searchDisc(Search* search, thVec2 center, float radius)
{
    const thFpEnvironment hostEnvironment = thiFpEnter();
    search->hasCenter = true;
    search->center = thiPointOf(center);
    search->limit = radiusSq(radius);
    const double units = (double)radius * THRONG_UNITS_PER_METRE;
    const int64_t reach = units < 0x1p33 ? (int64_t)units : INT64_C(1) << 33;
    search->lowX = clampUnits(search->center.x - reach);
    search->lowY = clampUnits(search->center.y - reach);
    search->highX = clampUnits(search->center.x + reach);
    search->highY = clampUnits(search->center.y + reach);
    runSearch(search);
    thiFpRestore(hostEnvironment);
}

int32_t thWorld_AgentsInDisc(const thWorld* world, thVec2 center, float radius,
                             thQueryFilter filter, thAgentId* ids, int32_t capacity)
{
    TH_REQUIRE(isQuery(world, filter, ids, capacity), 0);
    TH_REQUIRE(thiIsPlace(center) && radius >= 0.0f, 0);
    Search search = makeSearch(world, filter, ids, capacity);
    searchDisc(&search, center, radius);
    return search.total;
}

int32_t thWorld_NearestAgents(const thWorld* world, thVec2 point, float radius,
                              thQueryFilter filter, thAgentId* ids, int32_t count)
{
    TH_REQUIRE(isQuery(world, filter, ids, count), 0);
    TH_REQUIRE(thiIsPlace(point) && radius >= 0.0f, 0);
    Search search = makeSearch(world, filter, ids, count);
    search.byDistance = true;
    searchDisc(&search, point, radius);
    return search.idCount;
}

// Whole units at or above a number of metres, and at or below; beyond the world it is all the same.
static int32_t unitsAbove(float metres)
{
    const double units = ceil((double)metres * THRONG_UNITS_PER_METRE);
    return (int32_t)(units < -0x1p31 ? -0x1p31 : units > 0x1p31 - 1.0 ? 0x1p31 - 1.0 : units);
}

static int32_t unitsBelow(float metres)
{
    const double units = floor((double)metres * THRONG_UNITS_PER_METRE);
    return (int32_t)(units < -0x1p31 ? -0x1p31 : units > 0x1p31 - 1.0 ? 0x1p31 - 1.0 : units);
}

int32_t thWorld_AgentsInBox(const thWorld* world, thVec2 low, thVec2 high, thQueryFilter filter,
                            thAgentId* ids, int32_t capacity)
{
    TH_REQUIRE(isQuery(world, filter, ids, capacity), 0);
    TH_REQUIRE(low.x <= high.x && low.y <= high.y, 0);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    Search search = makeSearch(world, filter, ids, capacity);
    search.lowX = unitsAbove(low.x);
    search.lowY = unitsAbove(low.y);
    search.highX = unitsBelow(high.x);
    search.highY = unitsBelow(high.y);
    runSearch(&search);
    thiFpRestore(hostEnvironment);
    return search.total;
}

// Across the wall, to the side where the ray begins; against the ray if it runs along the wall.
static thVec2 normalOf(thPoint wallA, thPoint wallB, thPoint from, thPoint to)
{
    double x = (double)wallA.y - wallB.y, y = (double)wallB.x - wallA.x; // to the left of a -> b
    const int32_t side = thiOrientation(wallA, wallB, from);
    if (side == 0 && !thiSamePoint(from, to)) {
        x = (double)from.x - to.x;
        y = (double)from.y - to.y;
    }
    const double length = sqrt(x * x + y * y) * (side < 0 ? -1.0 : 1.0);
    return (thVec2){(float)(x / length), (float)(y / length)};
}

static void castRay(const thWorld* world, thVec2 from, thVec2 to, int32_t level, thRayHit* hit)
{
    const thPoint a = thiPointOf(from), b = thiPointOf(to);
    const int32_t segment =
        thiWallsCastRay(world->walls.grid, level, a.x, a.y, b.x, b.y, &hit->fraction);
    if (segment < 0)
        return;
    const thWalls* walls = thiWallGridWalls(world->walls.grid);
    hit->point = (thVec2){from.x + (to.x - from.x) * hit->fraction,
                          from.y + (to.y - from.y) * hit->fraction};
    hit->normal = normalOf((thPoint){walls->ax[segment], walls->ay[segment]},
                           (thPoint){walls->bx[segment], walls->by[segment]}, a, b);
    hit->obstacle.value = thiIdPoolIdOf(&world->obstacles.ids, walls->obstacle[segment]);
}

int32_t thWorld_IsFree(const thWorld* world, thVec2 center, float radius, int32_t level)
{
    TH_REQUIRE(world != NULL && !world->stepping, 0);
    TH_REQUIRE(thiIsPlace(center) && thiIsLevel(level), 0);
    TH_REQUIRE(thiIsBetween(radius, 0.0f, 100.0f), 0);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thStand stand = {.level = level, .radius = radius};
    thPoint place = thiPointOf(center);
    const bool isFree = thiUpdateWalls(world) == th_resultOk &&
                        thiFindStand(world, &stand, th_placementRefuse, &place);
    thiFpRestore(hostEnvironment);
    return isFree;
}

thRayHit thWorld_CastRay(const thWorld* world, thVec2 from, thVec2 to, int32_t level)
{
    thRayHit hit = {.fraction = 1.0f, .point = to};
    TH_REQUIRE(world != NULL && !world->stepping, hit);
    TH_REQUIRE(thiIsPlace(from) && thiIsPlace(to) && thiIsLevel(level), hit);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    if (thiUpdateWalls(world) == th_resultOk)
        castRay(world, from, to, level, &hit);
    else
        hit = (thRayHit){.fraction = 0.0f, .point = from};
    thiFpRestore(hostEnvironment);
    return hit;
}

// Outlines of obstacles and goals.

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
        const int32_t count = thiGoalPointCount(goal);
        thVec2* points = makeRoom(&corners, count);
        complete = points != NULL;
        for (int32_t i = 0; i < count && complete; ++i)
            points[i] = metresOf(thiGoalPoints(&world->goals, goal)[i]);
        const thGoalOutline outline = {.id = {thiIdPoolIdOf(&world->goals.ids, slot)},
                                       .kind = (thGoalKind)goal->kind,
                                       .points = points,
                                       .pointCount = count,
                                       .radius = goal->radius};
        if (complete)
            visit(context, &outline);
    }
    thiArrayFree(&corners.points);
    return complete ? th_resultOk : th_resultNoMemory;
}
