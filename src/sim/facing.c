// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// An agent faces where it goes; if it hardly moves but wants to, where it wants to go. Planners
// take it for a disc, though, and lead it round corners and through gaps at angles at which its
// shape does not fit. So it looks ahead on its path, as far as it reaches itself, and faces as it
// fits in there: a body that came at an angle would stand at a gap for ever.

#include "sim/facing.h"

#include "sim/held_guides.h"
#include "sim/ranges.h"

// Who is slower than this share of the speed it wants stands, and turns there.
#define STANDING_SHARE 0.5f

// Headings that are tried, and how far they are apart. [rad]
#define TRIED_HEADINGS 64
#define TRIED_STEP (6.2831853f / TRIED_HEADINGS)

// A shape fits in where so much is free round it. [m]
#define FREE_ROUND 0.02f

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
static float fittingHeading(const thBodyShape* shape, float way, float now,
                            const thWallBodies* walls)
{
    const float arc = thiWrapAngle(now - way);
    const float step = arc < 0.0f ? -TRIED_STEP : TRIED_STEP;
    const int32_t between = (int32_t)(arc / step);
    for (int32_t i = 0; i < TRIED_HEADINGS; ++i) {
        const int32_t beyond = i - between;
        const float offset = beyond <= 0       ? (float)i * step
                             : beyond % 2 != 0 ? arc + (float)(beyond / 2 + 1) * step
                                               : (float)(-beyond / 2) * step;
        const float tried = thiWrapAngle(way + offset);
        if (fitsIn(shape, tried, walls))
            return tried;
    }
    return way;
}

// What is so far ahead.
static thPoint placeAhead(const thRows* rows, int32_t row, thVec2 direction, float distance)
{
    return (thPoint){rows->px[row] + (int32_t)(direction.x * distance * TH_UNITS),
                     rows->py[row] + (int32_t)(direction.y * distance * TH_UNITS)};
}

thFacing thiWantedFacing(const thWorld* world, int32_t row)
{
    const thRows* rows = thiRows(world);
    const thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    const thHeldGuide* held = &TH_ITEMS(world->guides, thHeldGuide)[rows->slot[row]];
    const thVec2 v = {rows->vx[row], rows->vy[row]};
    const float speed = sqrtf(thiDot(v, v));
    const float wanted = sqrtf(thiDot(held->guide, held->guide));
    const bool stands = speed < STANDING_SHARE * wanted;
    const thVec2 way = stands ? held->guide : v;
    const float length = stands ? wanted : speed;
    thFacing facing = {rows->heading[row], TH_MAX(speed, STANDING_SHARE * wanted)};
    if (!(length > 0.0f))
        return facing;
    const float toCorner = sqrtf(thiDot(held->corner, held->corner));
    const thPoint ahead =
        placeAhead(rows, row, thiScale(1.0f / length, way), TH_MIN(profile->reach, toCorner));
    thWallBodies walls;
    thiFindWallBodies(world, rows->level[row], ahead, profile->reach, &walls);
    facing.heading =
        fittingHeading(&profile->shape, thAtan2(way.y, way.x), rows->heading[row], &walls);
    return facing;
}
