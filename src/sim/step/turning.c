// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How agents that have a shape turn. Discs face where they go at once; a long body that did so
// would sweep away whoever stands beside it. So no corner moves faster by turning than the agent
// moves, or some share of how fast it would like to, and none takes more than half of what is free
// between it and another. Who would run into another that turns as well stays as it is, and so does
// the other.

#include "sim/step/turning.h"

#include "base/hash.h"
#include "move/integrate.h"
#include "sim/ranges.h"
#include "sim/step/tiles.h"

#define TURN_GRAIN 64 // rows

// A turn that is too far is tried with half the angle, so often.
#define TRIES 4

// Who is slower than this share of the speed it wants stands, and turns there.
#define STANDING_SHARE 0.5f

// Headings that are tried, and how far they are apart. [rad]
#define TRIED_HEADINGS 64
#define TRIED_STEP (6.2831853f / TRIED_HEADINGS)

// A shape fits in where so much is free round it. [m]
#define FREE_ROUND 0.02f

// Bodies.

float thiShapeReach(const thBodyShape* shape)
{
    float mostSq = 0.0f;
    for (int32_t i = 0; i < shape->count; ++i) {
        const float distanceSq = thiDot(shape->corners[i], shape->corners[i]);
        mostSq = TH_MAX(mostSq, distanceSq);
    }
    return sqrtf(mostSq);
}

float thiBodyReach(const thWorld* world, const thRows* rows, int32_t row)
{
    const thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    return profile->shape.count > 0 ? profile->reach : rows->radius[row];
}

thConvexBody thiBodyAt(const thWorld* world, const thRows* rows, int32_t row)
{
    const thBodyShape* shape = &thiProfiles(world)[rows->profile[row]].shape;
    return shape->count > 0 ? thiTurnShape(shape, rows->heading[row])
                            : (thConvexBody){.count = 1, .radius = rows->radius[row]};
}

float thiLongestShape(const thWorld* world)
{
    float longest = 0.0f;
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot)
        longest = TH_MAX(longest, thiProfiles(world)[slot].reach);
    return longest;
}

void thiFindWallBodies(const thWorld* world, int32_t level, thPoint at, float distance,
                       thWallBodies* found)
{
    const thWalls* walls = thiWallGridWalls(world->walls.grid);
    thNearWall near[TH_MOST_WALLS];
    const int32_t count = thiNearestWalls(world->walls.grid, level, at.x, at.y, -1.0f, distance, 0,
                                          near, TH_MOST_WALLS);
    found->count = TH_MIN(count, TH_MOST_WALLS);
    for (int32_t i = 0; i < found->count; ++i) {
        const int32_t wall = near[i].segment;
        thConvexBody* body = &found->items[i];
        body->count = 2;
        body->radius = 0.0f;
        body->corners[0] = (thVec2){thiMetresBetween(at.x, walls->ax[wall]),
                                    thiMetresBetween(at.y, walls->ay[wall])};
        body->corners[1] = (thVec2){thiMetresBetween(at.x, walls->bx[wall]),
                                    thiMetresBetween(at.y, walls->by[wall])};
    }
}

float thiGapBetween(const thConvexBody* own, const thConvexBody* other, thVec2 p)
{
    const thConvexBody sum = thiConvexSum(own, other, p);
    return thiClearanceOf(&sum, p).distance;
}

// Which way an agent wants to face.

typedef struct Facing {
    float heading; // that it wants [rad]
    float pace;    // so fast may its corners be while it turns there [m/s]
} Facing;

static bool fitsIn(const thBodyShape* shape, float heading, const thWallBodies* walls)
{
    const thConvexBody body = thiTurnShape(shape, heading);
    for (int32_t i = 0; i < walls->count; ++i)
        if (thiGapBetween(&body, &walls->items[i], (thVec2){0.0f, 0.0f}) < FREE_ROUND)
            return false;
    return true;
}

// Where to face among walls: where it goes, or else as it fits in with the least turning from how
// it stands now and then on to where it goes. Those in between are tried first, then those beyond.
static float fittingHeading(const thBodyShape* shape, float wanted, float now,
                            const thWallBodies* walls)
{
    const float arc = thiWrapAngle(now - wanted);
    const float step = arc < 0.0f ? -TRIED_STEP : TRIED_STEP;
    const int32_t between = (int32_t)(arc / step);
    for (int32_t i = 0; i < TRIED_HEADINGS; ++i) {
        const int32_t beyond = i - between;
        const float offset = beyond <= 0       ? (float)i * step
                             : beyond % 2 != 0 ? arc + (float)(beyond / 2 + 1) * step
                                               : (float)(-beyond / 2) * step;
        const float tried = thiWrapAngle(wanted + offset);
        if (fitsIn(shape, tried, walls))
            return tried;
    }
    return wanted;
}

// What is so far ahead.
static thPoint placeAhead(const thRows* rows, int32_t row, thVec2 direction, float distance)
{
    return (thPoint){rows->px[row] + (int32_t)(direction.x * distance * TH_UNITS),
                     rows->py[row] + (int32_t)(direction.y * distance * TH_UNITS)};
}

// An agent faces where it goes; if it hardly moves but wants to, where it wants to go. Planners
// take it for a disc, though, and lead it round corners and through gaps at angles at which its
// shape does not fit. So it looks ahead on its path, as far as it reaches itself, and faces as it
// fits in there: a body that came at an angle would stand at a gap for ever.
static Facing wantedFacing(const thWorld* world, int32_t row)
{
    const thRows* rows = thiRows(world);
    const thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    const thGuidance* guidance = &TH_ITEMS(world->guidance, thGuidance)[rows->slot[row]];
    const thVec2 v = {rows->vx[row], rows->vy[row]};
    const float speed = sqrtf(thiDot(v, v));
    const float wanted = sqrtf(thiDot(guidance->guide, guidance->guide));
    const bool stands = speed < STANDING_SHARE * wanted;
    const thVec2 direction = stands ? guidance->guide : v;
    const float length = stands ? wanted : speed;
    Facing facing = {rows->heading[row], TH_MAX(speed, STANDING_SHARE * wanted)};
    if (!(length > 0.0f))
        return facing;
    const float toCorner = sqrtf(thiDot(guidance->corner, guidance->corner));
    const thPoint ahead =
        placeAhead(rows, row, thiScale(1.0f / length, direction), TH_MIN(profile->reach, toCorner));
    thWallBodies walls;
    thiFindWallBodies(world, rows->level[row], ahead, profile->reach, &walls);
    facing.heading = fittingHeading(&profile->shape, thAtan2(direction.y, direction.x),
                                    rows->heading[row], &walls);
    return facing;
}

// How far it turns.

// One agent that wants to turn.
typedef struct Turn {
    const thWorld* world;
    int32_t row;
    float reach;
    thConvexBody now, next; // its shape before and after the turn
    bool together;          // others turn as well, as they want to
    bool fits;              // as far as was looked
} Turn;

typedef struct Turning {
    thWorld* world;
    float dt;
    float longest; // how far the largest body reaches from its position [m]
} Turning;

// Whether the turn leaves half of what is free between both, or does not make things worse.
static bool fitsBeside(const Turn* turn, const thConvexBody* other, thVec2 p)
{
    const float before = thiGapBetween(&turn->now, other, p);
    const float after = thiGapBetween(&turn->next, other, p);
    return after >= (before > 0.0f ? 0.5f * before : before);
}

static bool hasShape(const thWorld* world, int32_t row)
{
    return thiProfiles(world)[thiRows(world)->profile[row]].shape.count > 0;
}

// Its shape as it would turn.
static thConvexBody turnedBody(const thWorld* world, int32_t row)
{
    const thRows* rows = thiRows(world);
    return thiTurnShape(&thiProfiles(world)[rows->profile[row]].shape,
                        world->scratch.heading.wanted[row]);
}

// Whether both may turn: what each may do beside the other's present shape was tested before.
static bool fitsTogether(const Turn* turn, const thConvexBody* other, const thConvexBody* next,
                         thVec2 p)
{
    const float after = thiGapBetween(&turn->next, next, p);
    return after >= 0.0f || after >= thiGapBetween(&turn->now, other, p);
}

static void lookAtRows(void* context, int32_t begin, int32_t end)
{
    Turn* turn = context;
    const thRows* rows = thiRows(turn->world);
    const int32_t own = turn->row;
    for (int32_t row = begin; row < end && turn->fits; ++row) {
        if (row == own || rows->level[row] != rows->level[own] ||
            (rows->layers[row] & rows->mask[own]) == 0)
            continue;
        const float extent = turn->reach + thiBodyReach(turn->world, rows, row);
        const thVec2 p = {thiMetresBetween(rows->px[own], rows->px[row]),
                          thiMetresBetween(rows->py[own], rows->py[row])};
        if (thiDot(p, p) >= extent * extent)
            continue; // however both turn
        const thConvexBody other = thiBodyAt(turn->world, rows, row);
        if (!turn->together) {
            turn->fits = fitsBeside(turn, &other, p);
        } else if (hasShape(turn->world, row)) {
            const thConvexBody next = turnedBody(turn->world, row);
            turn->fits = fitsTogether(turn, &other, &next, p);
        }
    }
}

static void lookAtWalls(Turn* turn)
{
    const thRows* rows = thiRows(turn->world);
    const thPoint at = {rows->px[turn->row], rows->py[turn->row]};
    thWallBodies walls;
    thiFindWallBodies(turn->world, rows->level[turn->row], at, turn->reach, &walls);
    for (int32_t i = 0; i < walls.count && turn->fits; ++i)
        turn->fits = fitsBeside(turn, &walls.items[i], (thVec2){0.0f, 0.0f});
}

static int32_t shifted(int32_t at, int64_t by)
{
    const int64_t to = at + by;
    return (int32_t)(to < INT32_MIN ? INT32_MIN : to > INT32_MAX ? INT32_MAX : to);
}

static void lookAround(const Turning* turning, Turn* turn)
{
    const thWorld* world = turn->world;
    const thRows* rows = thiRows(world);
    if (world->agents.drift >= TH_DRIFT_ANYWHERE) {
        lookAtRows(turn, 0, rows->count);
    } else {
        const int64_t far = (int64_t)((turn->reach + turning->longest) * TH_UNITS) + 1;
        const int64_t by = far + world->agents.drift;
        const int32_t x = rows->px[turn->row], y = rows->py[turn->row];
        thiGridVisit(&world->agents.grid, rows->level[turn->row], shifted(x, -by), shifted(y, -by),
                     shifted(x, by), shifted(y, by), lookAtRows, turn);
    }
    if (turn->fits && !turn->together)
        lookAtWalls(turn);
}

// The heading after the step.
static float turnedHeading(const Turning* turning, int32_t row)
{
    const thWorld* world = turning->world;
    const thRows* rows = thiRows(world);
    const thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    const float heading = rows->heading[row];
    if (!thiIsMovedByWorld(rows->flags[row]))
        return heading;
    const Facing facing = wantedFacing(world, row);
    if (!(facing.pace > TH_TURNING_SPEED))
        return heading;
    const float most = turning->dt * facing.pace / profile->reach;
    const float wanted = thiWrapAngle(facing.heading - heading);
    float angle = wanted < -most ? -most : wanted > most ? most : wanted;
    Turn turn = {world, row, profile->reach, .now = thiTurnShape(&profile->shape, heading)};
    for (int32_t i = 0; i < TRIES; ++i) {
        const float next = thiWrapAngle(heading + angle);
        turn.next = thiTurnShape(&profile->shape, next);
        turn.fits = true;
        lookAround(turning, &turn);
        if (turn.fits)
            return next;
        angle *= 0.5f;
    }
    return heading;
}

static void turnRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    const Turning* turning = context;
    for (int32_t row = begin; row < end; ++row)
        if (hasShape(turning->world, row))
            turning->world->scratch.heading.wanted[row] = turnedHeading(turning, row);
}

// Others are seen as they would turn, so that it does not matter who is asked first.
static void settleRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    const Turning* turning = context;
    thWorld* world = turning->world;
    const thRows* rows = thiRows(world);
    for (int32_t row = begin; row < end; ++row) {
        if (!hasShape(world, row))
            continue;
        Turn turn = {world,
                     row,
                     thiBodyReach(world, rows, row),
                     .now = thiBodyAt(world, rows, row),
                     .next = turnedBody(world, row),
                     .together = true,
                     .fits = true};
        const float present = rows->heading[row], wanted = world->scratch.heading.wanted[row];
        if (thiFloatBits(wanted) != thiFloatBits(present))
            lookAround(turning, &turn);
        world->scratch.heading.taken[row] = turn.fits ? wanted : present;
    }
}

static void takeRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    thWorld* world = ((const Turning*)context)->world;
    for (int32_t row = begin; row < end; ++row)
        if (hasShape(world, row))
            thiRows(world)->heading[row] = world->scratch.heading.taken[row];
}

void thiKeepHeadings(const thWorld* world, int32_t begin, int32_t end, const float* before)
{
    const thRows* rows = thiRows(world);
    for (int32_t row = begin; row < end; ++row)
        if (hasShape(world, row))
            rows->heading[row] = before[row - begin];
}

void thiTurnShapes(thWorld* world, float dt)
{
    Turning turning = {world, dt, TH_MAX(thiLongestShape(world), world->agents.grid.maxRadius)};
    const int32_t count = thiRows(world)->count;
    thTasks_ParallelFor(world->tasks, count, TURN_GRAIN, turnRange, &turning);
    thTasks_ParallelFor(world->tasks, count, TURN_GRAIN, settleRange, &turning);
    thTasks_ParallelFor(world->tasks, count, TURN_GRAIN, takeRange, &turning);
}
