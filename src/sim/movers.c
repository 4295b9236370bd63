// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How moving obstacles move: with a velocity of their own or along a path. A place is kept in whole
// units and what is left over, so that rounding does not slow anything down.

#include "base/machine.h"
#include "geom/fixed.h"
#include "sim/ranges.h"
#include "sim/world_internal.h"

#include <math.h>
#include <stdlib.h>

// A mover that goes further than this in a step and may meet somebody goes in parts: who is pushed
// has to give way to others and to walls, which are asked after each. [m]
#define MOVER_WAY 0.5f
#define MOST_MOVER_PARTS 128

// Distance and direction of the next point of the path, in units.
typedef struct Leg {
    double dx, dy, length;
} Leg;

static Leg legAhead(const thObstacle* obstacle)
{
    const thPoint to = TH_ITEMS(obstacle->path, thPoint)[obstacle->pathAt];
    Leg leg = {.dx = (double)to.x - obstacle->x - obstacle->restX,
               .dy = (double)to.y - obstacle->y - obstacle->restY};
    leg.length = sqrt(leg.dx * leg.dx + leg.dy * leg.dy);
    return leg;
}

static bool isUnderWay(const thObstacle* obstacle)
{
    return obstacle->pathAt < obstacle->path.count;
}

static void passPoint(thObstacle* obstacle)
{
    obstacle->pathAt += 1;
    if (obstacle->pathAt == obstacle->path.count && obstacle->def.pathLoops)
        obstacle->pathAt = 0;
}

// Points where it stands already are passed; each at most once, or a path that is one point would
// never end.
void thiAimAlongPath(thObstacle* obstacle)
{
    obstacle->def.velocity = (thVec2){0.0f, 0.0f};
    for (int32_t tries = 0; tries < obstacle->path.count && isUnderWay(obstacle); ++tries) {
        const Leg leg = legAhead(obstacle);
        if (leg.length > 0.0) {
            const double speed = (double)obstacle->def.pathSpeed;
            obstacle->def.velocity = (thVec2){(float)(leg.dx / leg.length * speed),
                                              (float)(leg.dy / leg.length * speed)};
            return;
        }
        passPoint(obstacle);
    }
}

// Moves along one axis. The border of the world is the end.
static void moveAxis(int32_t* whole, double* rest, double distance)
{
    const double exact = *rest + distance;
    const double at = (double)*whole + floor(exact + 0.5);
    if (at < -(double)TH_MAX_UNITS || at > (double)TH_MAX_UNITS) {
        *whole = at < 0.0 ? -TH_MAX_UNITS : TH_MAX_UNITS;
        *rest = 0.0;
        return;
    }
    *whole = (int32_t)at;
    *rest = exact - floor(exact + 0.5);
}

static void moveBy(thObstacle* obstacle, double dx, double dy)
{
    moveAxis(&obstacle->x, &obstacle->restX, dx);
    moveAxis(&obstacle->y, &obstacle->restY, dy);
}

static double loopLength(const thObstacle* obstacle)
{
    const thPoint* path = TH_ITEMS(obstacle->path, thPoint);
    double length = 0.0;
    for (int32_t i = 0; i < obstacle->path.count; ++i) {
        const thPoint a = path[i], b = path[i + 1 < obstacle->path.count ? i + 1 : 0];
        const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
        length += sqrt(dx * dx + dy * dy);
    }
    return length;
}

// Passes corners exactly: what is left of the step leads on to the next point.
static void followPath(thObstacle* obstacle, float dt)
{
    double left = (double)obstacle->def.pathSpeed * (double)dt * THRONG_UNITS_PER_METRE;
    for (int32_t passed = 1; isUnderWay(obstacle); ++passed) {
        const Leg leg = legAhead(obstacle);
        if (left < leg.length) {
            moveBy(obstacle, leg.dx * (left / leg.length), leg.dy * (left / leg.length));
            break;
        }
        const thPoint to = TH_ITEMS(obstacle->path, thPoint)[obstacle->pathAt];
        obstacle->x = to.x;
        obstacle->y = to.y;
        obstacle->restX = obstacle->restY = 0.0;
        left -= leg.length;
        passPoint(obstacle);
        if (passed == obstacle->path.count && isUnderWay(obstacle)) {
            // Once round a small loop: further whole rounds would change nothing.
            const double round = loopLength(obstacle);
            if (round == 0.0)
                break;
            left -= floor(left / round) * round;
        }
    }
    thiAimAlongPath(obstacle);
}

static void advance(thObstacle* obstacle, float dt)
{
    thObstacleDef* def = &obstacle->def;
    if (obstacle->path.count > 0)
        followPath(obstacle, dt);
    else
        moveBy(obstacle, (double)def->velocity.x * (double)dt * THRONG_UNITS_PER_METRE,
               (double)def->velocity.y * (double)dt * THRONG_UNITS_PER_METRE);
    def->angle = thiWrapAngle(def->angle + def->spin * dt);
}

// What a mover would do in a time: on a copy, which shares only the path and does not change it.
static void planMover(thMoverColumns* movers, int32_t mover, const thObstacle* obstacle, float time)
{
    thObstacle moved = *obstacle;
    advance(&moved, time);
    TH_ITEMS(movers->dx, int32_t)[mover] = moved.x - obstacle->x;
    TH_ITEMS(movers->dy, int32_t)[mover] = moved.y - obstacle->y;
    TH_ITEMS(movers->turn, float)[mover] = obstacle->def.spin * time;
}

// Agents a mover might meet in the step.
static thResult collectBodies(thWorld* world, int32_t mover, float dt)
{
    const thRows* rows = thiRows(world);
    const thMovers* movers = &world->movers.view;
    thArray* bodies = &world->movers.bodies;
    const int64_t way = llabs((int64_t)TH_ITEMS(world->movers.dx, int32_t)[mover]) +
                        llabs((int64_t)TH_ITEMS(world->movers.dy, int32_t)[mover]);
    bodies->count = 0;
    for (int32_t row = 0; row < rows->count; ++row) {
        const float size = movers->radius[mover] + rows->radius[row] + rows->maxSpeed[row] * dt;
        const int64_t reach = way + (int64_t)((size + 1.0f) * TH_UNITS);
        if (rows->level[row] != movers->level[mover] ||
            llabs((int64_t)rows->px[row] - movers->px[mover]) > reach ||
            llabs((int64_t)rows->py[row] - movers->py[mover]) > reach)
            continue;
        thPushedBody* body = thiArrayAdd(bodies, 1);
        if (body == NULL)
            return th_resultNoMemory;
        *body = (thPushedBody){{rows->px[row], rows->py[row]},
                               {world->scratch.target.x[row], world->scratch.target.y[row]},
                               rows->radius[row],
                               rows->level[row]};
    }
    return th_resultOk;
}

thMoverMotion thiMoverMotion(const thWorld* world)
{
    return (thMoverMotion){&world->movers.view, TH_ITEMS(world->movers.dx, int32_t),
                           TH_ITEMS(world->movers.dy, int32_t),
                           TH_ITEMS(world->movers.turn, float)};
}

// A mover that yields goes only as far as it squeezes nobody.
static thResult yieldTo(thWorld* world, int32_t mover, const thObstacle* obstacle, float dt)
{
    TH_TRY(collectBodies(world, mover, dt));
    const thMoverMotion motion = thiMoverMotion(world);
    const float share =
        thiYieldingShare(&motion, mover, world->walls.grid,
                         TH_ITEMS(world->movers.bodies, thPushedBody), world->movers.bodies.count);
    TH_ITEMS(world->movers.share, float)[mover] = share;
    planMover(&world->movers, mover, obstacle, dt * share);
    return th_resultOk;
}

thResult thiPlanMovers(thWorld* world, float dt)
{
    const thMovers* movers = &world->movers.view;
    for (int32_t mover = 0; mover < movers->count; ++mover) {
        TH_ITEMS(world->movers.share, float)[mover] = 1.0f;
        planMover(&world->movers, mover, &thiObstacles(world)[movers->obstacle[mover]], dt);
    }
    for (int32_t mover = 0; mover < movers->count; ++mover) {
        const thObstacle* obstacle = &thiObstacles(world)[movers->obstacle[mover]];
        if (obstacle->def.yields)
            TH_TRY(yieldTo(world, mover, obstacle, dt));
    }
    return th_resultOk;
}

// How far any point of a mover goes in a time, along its path. [m]
static float wayOf(const thMovers* movers, int32_t mover, const thObstacle* obstacle, float time)
{
    const thVec2 v = obstacle->def.velocity;
    const float speed =
        obstacle->path.count > 0 ? obstacle->def.pathSpeed : sqrtf(v.x * v.x + v.y * v.y);
    const bool turns = obstacle->def.kind == th_obstacleMovingPolygon;
    return time * (speed + (turns ? fabsf(obstacle->def.spin) * movers->radius[mover] : 0.0f));
}

// Whether a mover that goes so far may come near somebody.
static bool mayMeet(const thWorld* world, int32_t mover, float way, float time)
{
    const thRows* rows = thiRows(world);
    const thMovers* movers = &world->movers.view;
    for (int32_t row = 0; row < rows->count; ++row) {
        if (rows->level[row] != movers->level[mover] || !thiIsMovedByWorld(rows->flags[row]))
            continue;
        const float vx = world->output.vx[row], vy = world->output.vy[row];
        const float reach = way + rows->radius[row] + time * sqrtf(vx * vx + vy * vy);
        const double box = ((double)reach + (double)movers->radius[mover]) * THRONG_UNITS_PER_METRE;
        if (fabs((double)rows->px[row] - movers->px[mover]) <= box &&
            fabs((double)rows->py[row] - movers->py[mover]) <= box &&
            thiMoverDistance(movers, mover, (thPoint){rows->px[row], rows->py[row]}) <=
                (double)reach * THRONG_UNITS_PER_METRE)
            return true;
    }
    return false;
}

int32_t thiCountMoverParts(const thWorld* world, float dt)
{
    const thMovers* movers = &world->movers.view;
    float longest = 0.0f;
    for (int32_t mover = 0; mover < movers->count; ++mover) {
        const thObstacle* obstacle = &thiObstacles(world)[movers->obstacle[mover]];
        const float way = wayOf(movers, mover, obstacle, dt);
        if (way > TH_MAX(longest, MOVER_WAY) && mayMeet(world, mover, way, dt))
            longest = way;
    }
    return 1 + (int32_t)TH_MIN(longest / MOVER_WAY, (float)MOST_MOVER_PARTS - 1.0f);
}

void thiAdvanceMovers(thWorld* world, float dt)
{
    const thMovers* movers = &world->movers.view;
    for (int32_t mover = 0; mover < movers->count; ++mover)
        advance(&thiObstacles(world)[movers->obstacle[mover]],
                dt * TH_ITEMS(world->movers.share, float)[mover]);
}

void thiSetObstacleMotion(thObstacle* obstacle, thVec2 velocity, float spin)
{
    thiArrayFree(&obstacle->path);
    obstacle->pathAt = 0;
    obstacle->def.velocity = velocity;
    obstacle->def.spin = spin;
}

// A moving obstacle that may be changed now, NULL otherwise.
static thObstacle* changeable(thWorld* world, thObstacleId id)
{
    if (world == NULL || world->stepping)
        return NULL;
    const int32_t slot = thiIdPoolFind(&world->obstacles.ids, id.value);
    if (slot < 0 || !thiIsMoving(thiObstacles(world)[slot].def.kind))
        return NULL;
    return &thiObstacles(world)[slot];
}

thResult thObstacle_SetMotion(thWorld* world, thObstacleId id, thVec2 velocity, float spin)
{
    thObstacle* obstacle = changeable(world, id);
    TH_REQUIRE(obstacle != NULL, th_resultBadArgument);
    TH_REQUIRE(thiIsVelocity(velocity), th_resultBadArgument);
    TH_REQUIRE(thiIsBetween(spin, -TH_MAX_SPIN, TH_MAX_SPIN), th_resultBadArgument);
    thiSetObstacleMotion(obstacle, velocity, spin);
    return th_resultOk;
}

thResult thObstacle_SetPlace(thWorld* world, thObstacleId id, thVec2 position, float angle)
{
    thObstacle* obstacle = changeable(world, id);
    TH_REQUIRE(obstacle != NULL, th_resultBadArgument);
    TH_REQUIRE(thiIsPlace(position), th_resultBadArgument);
    TH_REQUIRE(thiIsAngle(angle), th_resultBadArgument);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    obstacle->x = thiUnits(position.x);
    obstacle->y = thiUnits(position.y);
    obstacle->restX = obstacle->restY = 0.0;
    obstacle->def.angle = thiWrapAngle(angle);
    if (obstacle->path.count > 0)
        thiAimAlongPath(obstacle); // it goes on to the point it was heading for
    thiFpRestore(hostEnvironment);
    return th_resultOk;
}

thResult thObstacle_GetPlace(const thWorld* world, thObstacleId id, thVec2* position, float* angle)
{
    TH_REQUIRE(world != NULL && position != NULL && angle != NULL, th_resultBadArgument);
    const int32_t slot = thiIdPoolFind(&world->obstacles.ids, id.value);
    TH_REQUIRE(slot >= 0, th_resultBadArgument);
    const thObstacle* obstacle = &thiObstacles(world)[slot];
    TH_REQUIRE(thiIsMoving(obstacle->def.kind), th_resultBadArgument);
    *position = (thVec2){thiMetres(obstacle->x), thiMetres(obstacle->y)};
    *angle = obstacle->def.angle;
    return th_resultOk;
}
