// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Pushing. In a sweep each body that may overlap others moves away from them, as far as walls and
// the region let it. Sweeps go on as long as overlaps become less.

#include "scene/run/placement.h"

#include "base/hash.h"
#include "geom/fixed.h"
#include "geom/polygon.h"
#include "move/free_place.h"
#include "move/slide.h"
#include "throng/random.h"

#include <math.h>
#include <string.h>

// Purpose of random numbers, see thRandomStream.
#define PURPOSE_SQUEEZE 0x73717565u

// Places that a body may choose from, and how many draws it makes for them.
#define CHOICES 16
#define DRAWS 1024

// What overlaps is parted by a little more than needed, or it would come nearer to parting for
// ever. A share of the space between centres.
#define MARGIN 0.02

// By how much overlaps must become less, in so many sweeps.
#define GAIN 0.9
#define GAIN_SWEEPS 100

// From this sweep on, where overlaps are on average deeper than 1 / sweeps of the space, they were
// never seen to vanish.
#define HOPE_SWEEPS 20

// Whether a body is one of those that are to be placed; the others stay where they are.
static bool isLoose(const thPlacing* placing, int32_t number)
{
    return number >= placing->first && number < placing->first + placing->count;
}

static bool isOffWalls(const thPlacing* placing, thPoint at, float radius)
{
    return thiIsFreePlace(placing->walls, placing->level, at, radius);
}

// How deep a body overlaps others, in all. [units]
static double depthOf(const thPlacing* placing, thPlacedBody body, int32_t number)
{
    double depth = 0.0;
    thNearBodies walk = thiBeginNear(placing->bodies, body, number, placing->gap);
    while (thiNextNear(&walk) >= 0)
        depth += walk.space - walk.distance;
    return depth;
}

bool thiSqueezeIn(const thPlacing* placing, int32_t number)
{
    const uint64_t stream = thRandomStream(placing->seed, (uint64_t)number + 1, 0, PURPOSE_SQUEEZE);
    thPlacedBody body = {.radius = placing->radii[number - placing->first],
                         .level = placing->level};
    thPoint best = {0, 0};
    double leastDepth = INFINITY;
    uint32_t next = 0;
    for (int32_t draws = 0, choices = 0; draws < DRAWS && choices < CHOICES; ++draws) {
        if (!thiRegionDraw(placing->region, stream, &next, &body.at))
            break;
        if (!isOffWalls(placing, body.at, body.radius))
            continue;
        choices += 1;
        const double depth = depthOf(placing, body, number);
        if (depth < leastDepth) {
            leastDepth = depth;
            best = body.at;
        }
    }
    if (leastDepth == INFINITY)
        return false;
    body.at = best;
    thiAddBody(placing->bodies, number, body);
    return true;
}

// Bodies on one point part in a direction that follows from their numbers.
static thOffset directionOf(int32_t a, int32_t b)
{
    const uint64_t mixed = thiMix((uint64_t)TH_MIN(a, b) << 32 | (uint32_t)TH_MAX(a, b));
    float sine, cosine;
    thSinCos((float)(mixed & 0xffff) * (6.2831853f / 65536.0f), &sine, &cosine);
    const double side = a < b ? -1.0 : 1.0;
    return (thOffset){side * (double)cosine, side * (double)sine};
}

// Where others push a body, all together: half of the way that parts it from those that move too,
// all of it from the others. Returns the deepest overlap. [units, or a share of the space]
static double pushOf(const thPlacing* placing, int32_t number, thOffset* push)
{
    double deepest = 0.0;
    *push = (thOffset){0.0, 0.0};
    thNearBodies walk =
        thiBeginNear(placing->bodies, placing->bodies->items[number], number, placing->gap);
    for (int32_t other = thiNextNear(&walk); other >= 0; other = thiNextNear(&walk)) {
        const double depth = walk.space - walk.distance;
        const double way = (depth + MARGIN * walk.space) * (isLoose(placing, other) ? 0.5 : 1.0);
        const thOffset away = walk.distance > 0.0 ? (thOffset){walk.offset.x / walk.distance,
                                                               walk.offset.y / walk.distance}
                                                  : directionOf(number, other);
        push->x += way * away.x;
        push->y += way * away.y;
        deepest = TH_MAX(deepest, depth / walk.space);
    }
    return deepest;
}

static int32_t clampUnits(double units)
{
    const double most = TH_MAX_UNITS;
    return (int32_t)(units < -most ? -most : units > most ? most : units);
}

// The nearest place of the region.
static thPoint pullIn(const thRegion* region, thPoint place)
{
    if (thiRegionHolds(region, place))
        return place;
    const thVec2 way =
        region->kind == th_shapeDisc
            ? thiToDisc(place, region->corners[0], (float)region->radius * TH_METRES_PER_UNIT)
            : thiToPolygon(place, region->corners, region->cornerCount);
    return (thPoint){clampUnits(place.x + (double)way.x * THRONG_UNITS_PER_METRE),
                     clampUnits(place.y + (double)way.y * THRONG_UNITS_PER_METRE)};
}

// Moves a body by what pushes it, unless what floats can tell of the new place is no place for it.
static bool moveBody(const thPlacing* placing, int32_t number, thOffset push)
{
    const thPlacedBody* body = &placing->bodies->items[number];
    const thPoint wanted = {clampUnits(body->at.x + push.x), clampUnits(body->at.y + push.y)};
    const thPoint to = thiTellable(thiSlide(placing->walls, placing->level, body->at,
                                            pullIn(placing->region, wanted), body->radius));
    if (!thiRegionHolds(placing->region, to) || !isOffWalls(placing, to, body->radius))
        return false;
    thiMoveBody(placing->bodies, number, to);
    return true;
}

// Those that a body overlaps at its new place have to look again.
static void wakeOthers(const thPlacing* placing, int32_t number, uint8_t* awake)
{
    thNearBodies walk =
        thiBeginNear(placing->bodies, placing->bodies->items[number], number, placing->gap);
    for (int32_t other = thiNextNear(&walk); other >= 0; other = thiNextNear(&walk))
        if (isLoose(placing, other))
            awake[other - placing->first] = 1;
}

// Returns the sum of the bodies' deepest overlaps. [shares of the space]
static double sweep(const thPlacing* placing, uint8_t* awake)
{
    double sum = 0.0;
    for (int32_t i = 0; i < placing->count; ++i) {
        if (awake[i] == 0)
            continue;
        thOffset push;
        const double deepest = pushOf(placing, placing->first + i, &push);
        sum += deepest;
        awake[i] = deepest > 0.0;
        if (deepest > 0.0 && moveBody(placing, placing->first + i, push))
            wakeOthers(placing, placing->first + i, awake);
    }
    return sum;
}

static bool sweepAll(const thPlacing* placing, uint8_t* awake)
{
    double least = INFINITY;
    int32_t leastAt = 0;
    for (int32_t sweeps = 0; sweeps - leastAt < GAIN_SWEEPS; ++sweeps) {
        const double sum = sweep(placing, awake);
        if (sum == 0.0)
            return true;
        if (sweeps >= HOPE_SWEEPS && sum * sweeps > placing->count)
            return false;
        if (sum < GAIN * least) {
            least = sum;
            leastAt = sweeps;
        }
    }
    return false;
}

thResult thiPushApart(const thPlacing* placing)
{
    const size_t size = (size_t)placing->count;
    uint8_t* awake = thiAllocate(placing->bodies->memory, size);
    if (awake == NULL)
        return th_resultNoMemory;
    memset(awake, 1, size);
    const bool parted = sweepAll(placing, awake);
    thiRelease(placing->bodies->memory, awake, size);
    return parted ? th_resultOk : th_resultFull;
}
