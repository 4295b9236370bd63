// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Finds pairs through a grid of its own, and counts how deep bodies and walls overlap.

#include "crowds/crowd_judge.h"

#include "measure/wall_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNITS ((double)THRONG_UNITS_PER_METRE)
#define WALL_SLOP 0x1p-13    // m
#define SQUEEZE_SLOP 0x1p-10 // m
#define CONTACT_SHARE 0.991  // of the radii's sum: no pair comes nearer
#define HOST_MOVES (th_agentExternal | th_agentVelocityOnly)

static bool fail(Judge* judge, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(judge->problem, sizeof judge->problem, format, arguments);
    va_end(arguments);
    return false;
}

void judgeBegin(Judge* judge)
{
    memset(judge, 0, sizeof *judge);
}

static void require(bool condition)
{
    if (!condition)
        abort(); // the test asks too much of the judge
}

// Obstacles.

static int32_t unitsOf(float metres)
{
    return (int32_t)lround((double)metres * UNITS);
}

bool isMover(thObstacleKind kind)
{
    return kind == th_obstacleMovingDisc || kind == th_obstacleMovingPolygon;
}

static void listWalls(Judge* judge)
{
    judge->wallCount = 0;
    for (int32_t i = 0; i < judge->obstacleCount; ++i) {
        const JudgeObstacle* obstacle = &judge->obstacles[i];
        const int32_t edges =
            obstacle->kind == th_obstacleWall ? obstacle->count - 1 : obstacle->count;
        for (int32_t k = 0; k < edges && !isMover(obstacle->kind); ++k) {
            const int32_t wall = judge->wallCount++, next = (k + 1) % obstacle->count;
            judge->ax[wall] = obstacle->x[k];
            judge->ay[wall] = obstacle->y[k];
            judge->bx[wall] = obstacle->x[next];
            judge->by[wall] = obstacle->y[next];
            judge->wallLevel[wall] = (uint16_t)obstacle->level;
        }
    }
}

void judgeAddObstacle(Judge* judge, thObstacleId id, const thObstacleDef* def)
{
    require(judge->obstacleCount < JUDGE_OBSTACLES && def->pointCount <= JUDGE_CORNERS);
    JudgeObstacle* obstacle = &judge->obstacles[judge->obstacleCount++];
    *obstacle = (JudgeObstacle){.id = id,
                                .kind = def->kind,
                                .level = def->level,
                                .count = def->pointCount,
                                .radius = def->radius};
    for (int32_t i = 0; i < def->pointCount; ++i) {
        obstacle->points[i] = def->points[i];
        obstacle->x[i] = unitsOf(def->points[i].x);
        obstacle->y[i] = unitsOf(def->points[i].y);
    }
    listWalls(judge);
}

void judgeRemoveObstacle(Judge* judge, thObstacleId id)
{
    for (int32_t i = 0; i < judge->obstacleCount; ++i)
        if (judge->obstacles[i].id.value == id.value)
            judge->obstacles[i--] = judge->obstacles[--judge->obstacleCount];
    listWalls(judge);
}

// Bodies.

static int byKey(const void* left, const void* right)
{
    const JudgeBody *a = left, *b = right;
    return a->key < b->key ? -1 : a->key > b->key;
}

static int32_t listBodies(const thWorld* world, JudgeBody* bodies)
{
    const thAgentView view = thWorld_GetAgentView(world);
    int32_t count = 0;
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thAgentRow* row = &view.rows[slot];
        if (row->flags == 0)
            continue;
        const thAgentId id = thWorld_FindAgent(world, row->key);
        const thAgentInfo info = thAgent_GetInfo(world, id);
        require(count < JUDGE_BODIES);
        JudgeBody* body = &bodies[count++];
        *body =
            (JudgeBody){.key = row->key,
                        .level = info.level,
                        .layers = info.layers,
                        .mask = info.mask,
                        .flags = row->flags,
                        .radius = info.radius,
                        .speed = fmaxf(info.maxSpeed, hypotf(row->velocity.x, row->velocity.y))};
        require(thAgent_GetUnits(world, id, &body->x, &body->y) == th_resultOk);
    }
    return count;
}

void judgeBefore(Judge* judge, const thWorld* world)
{
    judge->beforeCount = listBodies(world, judge->before);
    qsort(judge->before, (size_t)judge->beforeCount, sizeof judge->before[0], byKey);
}

// Keys of agents to come are above those of all others.
void judgeExpect(Judge* judge, const thAgentDef* def)
{
    require(judge->beforeCount < JUDGE_BODIES &&
            (judge->beforeCount == 0 || judge->before[judge->beforeCount - 1].key < def->key));
    judge->before[judge->beforeCount++] = (JudgeBody){.key = def->key,
                                                      .x = unitsOf(def->position.x),
                                                      .y = unitsOf(def->position.y),
                                                      .level = def->level,
                                                      .layers = def->layers,
                                                      .mask = def->mask,
                                                      .flags = def->flags | th_agentAlive,
                                                      .radius = def->radius,
                                                      .speed = def->maxSpeed};
}

static double wayOf(const Judge* judge, int32_t i)
{
    const JudgeBody *from = &judge->before[judge->from[i]], *to = &judge->now[i];
    return hypot((double)to->x - from->x, (double)to->y - from->y);
}

// Pairs.

// Of two that the host moves neither gives way.
static bool canTouch(const JudgeBody* a, const JudgeBody* b)
{
    const bool oneMoves = (a->flags & HOST_MOVES) == 0 || (b->flags & HOST_MOVES) == 0;
    return oneMoves && a->level == b->level &&
           ((a->mask & b->layers) != 0 || (b->mask & a->layers) != 0);
}

static bool judgePair(Judge* judge, int32_t i, int32_t k)
{
    const JudgeBody *a = &judge->now[i], *b = &judge->now[k];
    if (!canTouch(a, b))
        return true;
    const JudgeBody *oldA = &judge->before[judge->from[i]], *oldB = &judge->before[judge->from[k]];
    const double x = (double)b->x - a->x, y = (double)b->y - a->y;
    const double oldX = (double)oldB->x - oldA->x, oldY = (double)oldB->y - oldA->y;
    const double radii = ((double)a->radius + (double)b->radius) * UNITS;
    const double square = x * x + y * y, oldSquare = oldX * oldX + oldY * oldY;
    if (square >= radii * radii)
        return true;
    judge->touchingPairs += 1;
    const double limit = CONTACT_SHARE * radii;
    if (oldSquare >= limit * limit)
        judge->deepest = fmax(judge->deepest, 1.0 - sqrt(square) / radii);
    if (square >= limit * limit || square >= oldSquare)
        return true;
    return fail(judge, "agents %" PRIu64 " and %" PRIu64 " are %.4f %% deep, before %.4f %%",
                a->key, b->key, 100.0 * (1.0 - sqrt(square) / radii),
                100.0 * (1.0 - sqrt(oldSquare) / radii));
}

// A body in the grid: cells are as wide as the largest body, so partners are in adjacent ones.
typedef struct Place {
    int32_t level, row, column, body;
} Place;

static int byPlace(const void* left, const void* right)
{
    const Place *a = left, *b = right;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

static int32_t firstNotBefore(const Place* places, int32_t count, Place wanted)
{
    int32_t low = 0, high = count;
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (byPlace(&places[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool judgePairs(Judge* judge)
{
    static Place places[JUDGE_BODIES];
    const int32_t count = judge->nowCount;
    double largest = 0.01;
    for (int32_t i = 0; i < count; ++i)
        largest = fmax(largest, (double)judge->now[i].radius);
    const double side = 2.0 * largest * UNITS;
    for (int32_t i = 0; i < count; ++i)
        places[i] = (Place){judge->now[i].level, (int32_t)floor(judge->now[i].y / side),
                            (int32_t)floor(judge->now[i].x / side), i};
    qsort(places, (size_t)count, sizeof places[0], byPlace);
    for (int32_t i = 0; i < count; ++i) {
        const Place* at = &places[i];
        const Place north = {at->level, at->row + 1, at->column - 1, 0};
        for (int32_t k = i + 1; k < count && places[k].level == at->level &&
                                places[k].row == at->row && places[k].column <= at->column + 1;
             ++k)
            if (!judgePair(judge, at->body, places[k].body))
                return false;
        for (int32_t k = firstNotBefore(places, count, north);
             k < count && places[k].level == at->level && places[k].row == north.row &&
             places[k].column <= at->column + 1;
             ++k)
            if (!judgePair(judge, at->body, places[k].body))
                return false;
    }
    return true;
}

// Those who go further than the sum of their radii must not pass through each other: going
// straight, they stay as far apart as at the end.
static bool judgePassing(Judge* judge, int32_t i, int32_t k)
{
    const JudgeBody *a = &judge->now[i], *b = &judge->now[k];
    const double radii = ((double)a->radius + (double)b->radius) * UNITS;
    if (i == k || !canTouch(a, b) || wayOf(judge, i) + wayOf(judge, k) < radii + 6.0)
        return true;
    const JudgeBody *oldA = &judge->before[judge->from[i]], *oldB = &judge->before[judge->from[k]];
    const double px = (double)oldB->x - oldA->x, py = (double)oldB->y - oldA->y;
    const double vx = (double)b->x - a->x - px, vy = (double)b->y - a->y - py;
    const double along = -(px * vx + py * vy), speedSq = vx * vx + vy * vy;
    if (along <= 0.0 || along >= speedSq)
        return true;
    const double x = px + along / speedSq * vx, y = py + along / speedSq * vy;
    const double least = sqrt(x * x + y * y);
    const double wanted = fmin(CONTACT_SHARE * radii, sqrt(px * px + py * py));
    if (least >= wanted - 1e-3)
        return true;
    return fail(judge, "agents %" PRIu64 " and %" PRIu64 " pass through each other, %.4f %% deep",
                a->key, b->key, 100.0 * (1.0 - least / radii));
}

static bool judgeFast(Judge* judge)
{
    if (judge->inParts)
        return true;
    for (int32_t i = 0; i < judge->nowCount; ++i) {
        if (wayOf(judge, i) < (double)judge->now[i].radius * UNITS)
            continue;
        for (int32_t k = 0; k < judge->nowCount; ++k)
            if (!judgePassing(judge, i, k))
                return false;
    }
    return true;
}

// Walls.

static bool isInside(const JudgeObstacle* outline, int32_t x, int32_t y)
{
    bool inside = false;
    for (int32_t i = 0, k = outline->count - 1; i < outline->count; k = i++) {
        const int64_t ax = (int64_t)outline->x[k] - x, ay = (int64_t)outline->y[k] - y;
        const int64_t bx = (int64_t)outline->x[i] - x, by = (int64_t)outline->y[i] - y;
        if ((ay > 0) == (by > 0))
            continue;
        const int64_t cross = ax * by - ay * bx;
        inside ^= by > ay ? cross > 0 : cross < 0;
    }
    return inside;
}

// The checker, asked about one wall only.
static thWallCheck checkWall(const Judge* judge, int32_t wall, const JudgeBody* from,
                             const JudgeBody* to)
{
    const thWalls one = {.count = 1,
                         .ax = &judge->ax[wall],
                         .ay = &judge->ay[wall],
                         .bx = &judge->bx[wall],
                         .by = &judge->by[wall],
                         .level = &judge->wallLevel[wall]};
    thWallCheck check = {0, -INFINITY};
    thiCheckWalls(&check, &one, to->level, from->x, from->y, to->x, to->y, to->radius);
    return check;
}

// Places are exact, but slides have legs: who goes round a corner may cut it with a straight line
// from beginning to end. That takes a way of at least twice the distance it keeps from walls; on
// longer ones only outlines that are closed are judged.
static bool judgeWalls(Judge* judge, int32_t i)
{
    const JudgeBody *from = &judge->before[judge->from[i]], *to = &judge->now[i];
    if ((to->flags & HOST_MOVES) != 0)
        return true;
    double nearest = fmax((double)to->radius - WALL_SLOP, 0.0);
    int64_t crossings = 0;
    for (int32_t wall = 0; wall < judge->wallCount; ++wall) {
        if (judge->wallLevel[wall] != to->level)
            continue;
        const thWallCheck old = checkWall(judge, wall, from, from);
        const thWallCheck new = checkWall(judge, wall, from, to);
        nearest = fmin(nearest, (double)to->radius - old.maxDepth);
        crossings += new.crossings;
        if (new.maxDepth > fmax(WALL_SLOP, old.maxDepth) + 1e-9)
            return fail(judge, "agent %" PRIu64 " is %g m deep in a wall, before %g m", to->key,
                        new.maxDepth, old.maxDepth);
    }
    if (nearest < 1e-9)
        return true; // its centre is on a wall, and leaves it to a free side
    const bool isLong = wayOf(judge, i) >= 2.0 * nearest * UNITS;
    judge->longWays += isLong;
    if (crossings > 0 && !isLong)
        return fail(judge, "agent %" PRIu64 " crosses a wall", to->key);
    for (int32_t k = 0; k < judge->obstacleCount; ++k) {
        const JudgeObstacle* obstacle = &judge->obstacles[k];
        if (obstacle->level == to->level &&
            (obstacle->kind == th_obstacleSolid || obstacle->kind == th_obstacleRoom) &&
            isInside(obstacle, from->x, from->y) != isInside(obstacle, to->x, to->y))
            return fail(judge, "agent %" PRIu64 " gets through an outline", to->key);
    }
    return true;
}

// Movers.

// How deep a disc is in a mover, in metres.
static double depthInMover(const JudgeObstacle* mover, thVec2 at, float angle,
                           const JudgeBody* body)
{
    const double x = (double)body->x / UNITS - (double)at.x;
    const double y = (double)body->y / UNITS - (double)at.y;
    if (mover->kind == th_obstacleMovingDisc)
        return (double)body->radius + (double)mover->radius - hypot(x, y);
    const double sine = sin((double)angle), cosine = cos((double)angle);
    const double px = cosine * x + sine * y, py = cosine * y - sine * x;
    double outside = INFINITY;
    bool inside = true, turns = false;
    for (int32_t i = 0; i < mover->count; ++i) {
        const thVec2 a = mover->points[i], b = mover->points[(i + 1) % mover->count];
        const double ex = (double)b.x - (double)a.x, ey = (double)b.y - (double)a.y;
        const double qx = px - (double)a.x, qy = py - (double)a.y;
        const double share = fmin(fmax((qx * ex + qy * ey) / (ex * ex + ey * ey), 0.0), 1.0);
        outside = fmin(outside, hypot(qx - share * ex, qy - share * ey));
        const bool isLeft = ex * qy - ey * qx > 0.0;
        inside = inside && (i == 0 || isLeft == turns);
        turns = isLeft;
    }
    return (double)body->radius + (inside ? outside : -outside);
}

// Who is not squeezed is not under a mover.
static bool judgeMovers(Judge* judge, const thWorld* world)
{
    for (int32_t m = 0; m < judge->obstacleCount; ++m) {
        const JudgeObstacle* mover = &judge->obstacles[m];
        thVec2 at;
        float angle;
        if (!isMover(mover->kind))
            continue;
        require(thObstacle_GetPlace(world, mover->id, &at, &angle) == th_resultOk);
        const double error = 1e-4 + 1e-6 * (fabs((double)at.x) + fabs((double)at.y)); // of floats
        for (int32_t i = 0; i < judge->nowCount; ++i) {
            const JudgeBody* body = &judge->now[i];
            if (body->level != mover->level || (body->flags & (HOST_MOVES | th_agentSqueezed)) != 0)
                continue;
            const double depth = depthInMover(mover, at, angle, body);
            if (depth > SQUEEZE_SLOP + error)
                return fail(judge, "agent %" PRIu64 " is %g m under a mover and not squeezed",
                            body->key, depth);
        }
    }
    return true;
}

// All.

static bool isFine(float x, double most)
{
    return fabs((double)x) <= most; // NaN is not
}

static bool judgeRows(Judge* judge, const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thAgentRow* row = &view.rows[slot];
        if (row->flags != 0 &&
            !(isFine(row->position.x, THRONG_MAX_COORDINATE) &&
              isFine(row->position.y, THRONG_MAX_COORDINATE) && isFine(row->velocity.x, 1000.0) &&
              isFine(row->velocity.y, 1000.0) && isFine(row->heading, 3.1416)))
            return fail(judge, "agent %" PRIu64 ": at (%g, %g), velocity (%g, %g), heading %g",
                        row->key, (double)row->position.x, (double)row->position.y,
                        (double)row->velocity.x, (double)row->velocity.y, (double)row->heading);
    }
    return true;
}

// In the open, where nothing but bodies push, nobody is faster than it was or can be.
static bool judgeSpeed(Judge* judge, int32_t i, float dt)
{
    const JudgeBody* body = &judge->now[i];
    const double way = wayOf(judge, i);
    if ((body->flags & HOST_MOVES) != 0)
        return way == 0.0 ||
               fail(judge, "agent %" PRIu64 ", which the host moves, was moved", body->key);
    const double speed = (double)judge->before[judge->from[i]].speed * 1.000001;
    if (judge->obstacleCount > 0 || way <= speed * (double)dt * UNITS + 3.0)
        return true;
    return fail(judge, "agent %" PRIu64 " went %g m in %g s at %g m/s", body->key, way / UNITS,
                (double)dt, speed);
}

bool judgeAfter(Judge* judge, const thWorld* world, float dt)
{
    if (!judgeRows(judge, world))
        return false;
    judge->inParts = thWorld_GetCounters(world).moverParts > 1;
    judge->nowCount = listBodies(world, judge->now);
    judge->bodySteps += judge->nowCount;
    for (int32_t i = 0; i < judge->nowCount; ++i) {
        const JudgeBody* found = bsearch(&judge->now[i], judge->before, (size_t)judge->beforeCount,
                                         sizeof judge->before[0], byKey);
        if (found == NULL)
            return fail(judge, "agent %" PRIu64 " came from nowhere", judge->now[i].key);
        judge->from[i] = (int32_t)(found - judge->before);
        judge->squeezed += (judge->now[i].flags & th_agentSqueezed) != 0;
    }
    for (int32_t i = 0; i < judge->nowCount; ++i)
        if (!judgeSpeed(judge, i, dt) || !judgeWalls(judge, i))
            return false;
    return judgePairs(judge) && judgeFast(judge) && judgeMovers(judge, world);
}
