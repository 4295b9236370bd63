// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How wide a corner of walls can be passed, and where agents in a crowd pass it.

#include "plan/graph/graph_planner_corner.h"

#include "geom/fixed.h"
#include "geom/vec2.h"

#include <math.h>

#define METRE ((double)THRONG_UNITS_PER_METRE)
#define DIRECTION_UNIT (1.0f / 127.0f)
#define WIDTH_UNIT 0x1p-5f // of how wide a corner is open [m]
#define WIDEST 7.5         // how far from a corner it is passed at most [m]
#define NARROWEST 4.0      // radii that must fit in, or it is passed in one file
#define TRIES 3            // widths that are tried, each half of the one before
#define BEYOND 2.0         // how far the way must be as wide after the corner [m]
#define WALL_LENGTH 1.0    // how long both walls of a corner are at least [m]
#define LONG_WALL 2.0      // and the next one where lanes are kept until they are round it [m]
#define INTO_WALL 0.1      // a place so far off the outline is in the wall [m]
#define LEAST_SINE 0.1     // of angles between walls and openings

#define BESIDE 1.2f           // gap within which others are beside it [m]
#define INWARD 0.25f          // how far they are nearer to the corner, in sums of radii
#define COMES_AGAINST (-0.3f) // velocity of those who come from the corner [m/s]
#define LEAST_SPEED 0.1f      // preferred speeds that are counted with [m/s]
#define HELD 0.6f             // share of its speed from which down it is held up wholly
#define EAGERNESS 2.0f        // pressure counts so many times: lanes are kept or not
#define KEEPS 0.25f           // of its own lane: it stays in it until it is round the corner
#define FAR 1.5f              // if that is so far from the corner [m]

typedef struct Direction {
    double x, y;
} Direction;

static thPoint placeFrom(thPoint from, Direction along, double length)
{
    return (thPoint){(int32_t)floor(from.x + along.x * length + 0.5),
                     (int32_t)floor(from.y + along.y * length + 0.5)};
}

// Whether a wall goes on from a corner for a while. It ends at once at doors.
static bool isLongWall(const thRouteSpace* space, thPoint corner, Direction wall, Direction open,
                       double metres)
{
    const double along = open.x * wall.x + open.y * wall.y;
    const Direction into = {along * wall.x - open.x, along * wall.y - open.y};
    const thPoint beside = placeFrom(corner, wall, metres * METRE);
    return !thiIsClearPlace(space, placeFrom(beside, into, INTO_WALL * METRE), 0.0f);
}

static int8_t toUnits(double value) // -1 .. 1
{
    return (int8_t)(int32_t)floor(127.0 * value + 0.5);
}

// Whether an agent can pass the corner at `to`, and go on beside the next wall.
static bool canPass(const thRouteWalker* walker, thPoint corner, thPoint to, Direction next)
{
    const thRouteSpace* space = walker->floor->space;
    return thiIsClearLeg(space, corner, to, walker->overlap) &&
           thiIsClearLeg(space, walker->place, to, walker->overlap) &&
           thiIsClearLeg(space, to, placeFrom(to, next, BEYOND * METRE), walker->overlap);
}

void thiOpenCorner(thRouteWalker* walker, int32_t node, thPoint place)
{
    thRouteState* state = walker->state;
    const thRouteSpace* space = walker->floor->space;
    const thRouteGraph* graph = &walker->floor->graph;
    state->openBy = 0;
    if (graph->turns.count == 0 || walker->solver->batch->nx == NULL)
        return;
    const thRouteTurn* turn = &TH_ITEMS(graph->turns, thRouteTurn)[node];
    const Direction back = {turn->backX, turn->backY}, ahead = {turn->aheadX, turn->aheadY};
    const double x = -back.x - ahead.x, y = -back.y - ahead.y, length = sqrt(x * x + y * y);
    if (length < LEAST_SINE)
        return; // almost straight on
    const Direction open = {x / length, y / length};
    const double px = (double)walker->place.x - place.x, py = (double)walker->place.y - place.y;
    const bool isBack = back.x * px + back.y * py > ahead.x * px + ahead.y * py;
    const Direction wall = isBack ? back : ahead, next = isBack ? ahead : back;
    if (!isLongWall(space, place, wall, open, WALL_LENGTH) ||
        !isLongWall(space, place, next, open, WALL_LENGTH))
        return;
    const double sine = TH_MAX(fabs(wall.x * open.y - wall.y * open.x), LEAST_SINE);
    const double least = NARROWEST * (double)thiRouteRadius(space) * METRE;
    double by = TH_MAX(TH_MIN(fabs(wall.x * py - wall.y * px) / sine, WIDEST * METRE), least);
    for (int32_t i = 0; i < TRIES && by >= least; ++i, by *= 0.5) {
        if (!canPass(walker, place, placeFrom(place, open, by), next))
            continue;
        state->wallX = toUnits(wall.x);
        state->wallY = toUnits(wall.y);
        state->openX = toUnits(open.x);
        state->openY = toUnits(open.y);
        state->openBy = (uint8_t)TH_MIN(by / (METRE * (double)WIDTH_UNIT), (double)UINT8_MAX);
        return;
    }
}

// How much people between it and the corner press: 0 nobody is there, 1 somebody touches it. Where
// others come from the corner there is no room for more than one file.
static float pressureOf(const thBatch* batch, int32_t lane, thVec2 toward, thVec2 outward)
{
    float pressure = 0.0f;
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const thVec2 place = {batch->nx[at], batch->ny[at]};
        const float radii = batch->radius[lane] + batch->nradius[at];
        if (thiDot(place, toward) < -radii)
            continue; // behind
        if (batch->nvx[at] * toward.x + batch->nvy[at] * toward.y < COMES_AGAINST)
            return 0.0f;
        const float gap = sqrtf(thiDot(place, place)) - radii;
        if (gap < BESIDE && thiDot(place, outward) < -INWARD * radii)
            pressure = TH_MAX(pressure, TH_MIN(1.0f - gap / BESIDE, 1.0f));
    }
    return pressure;
}

// How much it is held up: 0 it gets what it wants, 1 hardly more than half of that.
static float heldUp(const thBatch* batch, int32_t lane, thVec2 toward)
{
    const float speed = batch->vx[lane] * toward.x + batch->vy[lane] * toward.y;
    const float share = speed / TH_MAX(batch->prefSpeed[lane], LEAST_SPEED);
    return TH_MIN(TH_MAX((1.0f - share) / (1.0f - HELD), 0.0f), 1.0f);
}

static thVec2 wallOf(const thRouteState* state)
{
    return (thVec2){(float)state->wallX * DIRECTION_UNIT, (float)state->wallY * DIRECTION_UNIT};
}

static thVec2 openOf(const thRouteState* state)
{
    return (thVec2){(float)state->openX * DIRECTION_UNIT, (float)state->openY * DIRECTION_UNIT};
}

// How much of its lane an agent keeps that passes the corner at `to`: 0 it passes at the corner, 1
// as far from it as it is from the wall.
static float shareOfLane(const thBatch* batch, int32_t lane, const thRouteState* state, thVec2 to)
{
    const float distance = sqrtf(thiDot(to, to));
    if (state->openBy == 0 || batch->nx == NULL || !(distance > 0.0f))
        return 0.0f;
    const thVec2 open = openOf(state), toward = {to.x / distance, to.y / distance};
    const float along = thiDot(open, toward);
    const thVec2 across = {open.x - along * toward.x, open.y - along * toward.y};
    const float length = sqrtf(thiDot(across, across));
    if (length < (float)LEAST_SINE)
        return 0.0f; // it comes from where the corner is open
    const thVec2 outward = {across.x / length, across.y / length};
    const float pressure = pressureOf(batch, lane, toward, outward);
    return TH_MIN(EAGERNESS * heldUp(batch, lane, toward) * pressure, 1.0f);
}

bool thiKeepsLane(const thRouteSpace* space, const thBatch* batch, int32_t lane,
                  const thRouteState* state)
{
    const int32_t row = batch->row[lane];
    const thVec2 wall = wallOf(state), open = openOf(state);
    const thVec2 to = {thiMetresBetween(batch->frame->px[row], state->targetX),
                       thiMetresBetween(batch->frame->py[row], state->targetY)};
    if (state->openBy == 0 || thiDet(open, to) * thiDet(open, wall) >= 0.0f ||
        fabsf(thiDet(wall, to)) < FAR || shareOfLane(batch, lane, state, to) <= KEEPS)
        return false; // it is round the corner, or near it, or may turn to it
    const double twice = 2.0 * (double)thiDot(wall, open);
    const Direction next = {twice * (double)open.x - (double)wall.x,
                            twice * (double)open.y - (double)wall.y};
    return isLongWall(space, (thPoint){state->targetX, state->targetY}, next,
                      (Direction){(double)open.x, (double)open.y}, LONG_WALL);
}

thVec2 thiPassCorner(const thBatch* batch, int32_t lane, const thRouteState* state, thVec2 to)
{
    const float share = shareOfLane(batch, lane, state, to);
    if (!(share > 0.0f))
        return to;
    const thVec2 wall = wallOf(state), open = openOf(state);
    const float sine = TH_MAX(fabsf(thiDet(wall, open)), (float)LEAST_SINE);
    const float by =
        share * TH_MIN(fabsf(thiDet(wall, to)) / sine, (float)state->openBy * WIDTH_UNIT);
    return (thVec2){to.x + by * open.x, to.y + by * open.y};
}
