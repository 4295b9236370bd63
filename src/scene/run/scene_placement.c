// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bodies placed at random: the grid that finds those near, darts, and where these fail, pushing
// apart.

#include "scene/run/scene_placement.h"
#include "base/hash.h"
#include "geom/fixed.h"
#include "geom/polygon.h"
#include "move/free_place.h"
#include "move/slide.h"
#include "throng/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The grid of bodies.

// Classes of sizes: radii up to 2^(class − 6) m, so that the last holds 128 m. Cells are as wide as
// the largest body there could be. The exponent of a float tells between which powers of two it is.
static int32_t classOf(float radius)
{
    if (!(radius > 0x1p-6f))
        return 0;
    const int32_t power = (int32_t)((thiFloatBits(radius) - 1) >> 23) - 126;
    return TH_MIN(power + 6, TH_BODY_CLASSES - 1);
}

// Of the units of a coordinate, how many bits are within a cell.
static int32_t shiftOf(int32_t size)
{
    return size + 11;
}

static uint32_t bucketOf(const thBodies* bodies, int32_t size, int32_t level, int32_t column,
                         int32_t row)
{
    const uint64_t place = (uint64_t)(uint32_t)column << 32 | (uint32_t)row;
    const uint64_t kind = (uint64_t)level << 8 | (uint64_t)size;
    return (uint32_t)thiMix(place + kind * UINT64_C(0x9e3779b97f4a7c15)) & bodies->bucketMask;
}

static int32_t* bucketOfBody(const thBodies* bodies, const thPlacedBody* body)
{
    const int32_t size = classOf(body->radius), shift = shiftOf(size);
    return &bodies->buckets[bucketOf(bodies, size, body->level, body->at.x >> shift,
                                     body->at.y >> shift)];
}

thResult thiBodiesInit(thBodies* bodies, thMemory* memory, int32_t capacity)
{
    uint32_t buckets = 64;
    while (buckets < (uint32_t)capacity)
        buckets *= 2;
    const size_t count = (size_t)TH_MAX(capacity, 1);
    *bodies = (thBodies){.memory = memory,
                         .items = thiAllocate(memory, count * sizeof *bodies->items),
                         .next = thiAllocate(memory, count * sizeof *bodies->next),
                         .capacity = (int32_t)count,
                         .buckets = thiAllocate(memory, buckets * sizeof *bodies->buckets),
                         .bucketMask = buckets - 1};
    if (bodies->items == NULL || bodies->next == NULL || bodies->buckets == NULL) {
        thiBodiesFree(bodies);
        return th_resultNoMemory;
    }
    for (uint32_t i = 0; i < buckets; ++i)
        bodies->buckets[i] = -1;
    return th_resultOk;
}

void thiBodiesFree(thBodies* bodies)
{
    const size_t count = (size_t)bodies->capacity;
    thiRelease(bodies->memory, bodies->items, count * sizeof *bodies->items);
    thiRelease(bodies->memory, bodies->next, count * sizeof *bodies->next);
    thiRelease(bodies->memory, bodies->buckets,
               ((size_t)bodies->bucketMask + 1) * sizeof *bodies->buckets);
    *bodies = (thBodies){.memory = bodies->memory};
}

void thiAddBody(thBodies* bodies, int32_t number, thPlacedBody body)
{
    int32_t* bucket = bucketOfBody(bodies, &body);
    bodies->items[number] = body;
    bodies->next[number] = *bucket;
    *bucket = number;
    float* largest = &bodies->largest[classOf(body.radius)];
    *largest = TH_MAX(*largest, TH_MAX(body.radius, FLT_MIN));
}

void thiRemoveBody(thBodies* bodies, int32_t number)
{
    int32_t* link = bucketOfBody(bodies, &bodies->items[number]);
    while (*link != number)
        link = &bodies->next[*link];
    *link = bodies->next[number];
}

void thiMoveBody(thBodies* bodies, int32_t number, thPoint to)
{
    thPlacedBody body = bodies->items[number];
    const int32_t shift = shiftOf(classOf(body.radius));
    if (body.at.x >> shift == to.x >> shift && body.at.y >> shift == to.y >> shift) {
        bodies->items[number].at = to;
        return;
    }
    thiRemoveBody(bodies, number);
    body.at = to;
    thiAddBody(bodies, number, body);
}

static int32_t cellOf(double units, int32_t shift)
{
    return (int32_t)floor(units / (double)(1 << shift)); // less than 2^21 of them
}

static void openCell(thNearBodies* walk)
{
    walk->next = walk->bodies->buckets[bucketOf(walk->bodies, walk->size, walk->around.level,
                                                walk->column, walk->row)];
}

// The cells of the next class that has bodies.
static bool openClass(thNearBodies* walk)
{
    do
        walk->size += 1;
    while (walk->size < TH_BODY_CLASSES && walk->bodies->largest[walk->size] == 0.0f);
    if (walk->size >= TH_BODY_CLASSES)
        return false;
    const thPoint at = walk->around.at;
    const double reach =
        ((double)walk->around.radius + (double)walk->bodies->largest[walk->size] + walk->gap) *
        THRONG_UNITS_PER_METRE;
    const int32_t shift = shiftOf(walk->size);
    walk->column = walk->lowColumn = cellOf(at.x - reach, shift);
    walk->row = walk->lowRow = cellOf(at.y - reach, shift);
    walk->highColumn = cellOf(at.x + reach, shift);
    walk->highRow = cellOf(at.y + reach, shift);
    openCell(walk);
    return true;
}

static bool openNextCell(thNearBodies* walk)
{
    if (walk->column < walk->highColumn) {
        walk->column += 1;
    } else if (walk->row < walk->highRow) {
        walk->column = walk->lowColumn;
        walk->row += 1;
    } else {
        return openClass(walk);
    }
    openCell(walk);
    return true;
}

thNearBodies thiBeginNear(const thBodies* bodies, thPlacedBody around, int32_t number, double gap)
{
    return (thNearBodies){
        .bodies = bodies, .around = around, .number = number, .gap = gap, .size = -1, .next = -1};
}

// A list also holds bodies of other cells, which are met there.
static bool isOfCell(const thNearBodies* walk, const thPlacedBody* body)
{
    const int32_t shift = shiftOf(walk->size);
    return body->at.x >> shift == walk->column && body->at.y >> shift == walk->row &&
           body->level == walk->around.level && classOf(body->radius) == walk->size;
}

static bool isNear(thNearBodies* walk, const thPlacedBody* body)
{
    const thPlacedBody* around = &walk->around;
    walk->offset = (thOffset){(double)around->at.x - body->at.x, (double)around->at.y - body->at.y};
    walk->space =
        ((double)around->radius + (double)body->radius + walk->gap) * THRONG_UNITS_PER_METRE;
    const double square = walk->offset.x * walk->offset.x + walk->offset.y * walk->offset.y;
    if (square >= walk->space * walk->space)
        return false;
    walk->distance = sqrt(square);
    return true;
}

int32_t thiNextNear(thNearBodies* walk)
{
    for (;;) {
        while (walk->next < 0)
            if (!openNextCell(walk))
                return -1;
        const int32_t number = walk->next;
        const thPlacedBody* body = &walk->bodies->items[number];
        walk->next = walk->bodies->next[number];
        walk->met += 1;
        if (number != walk->number && isOfCell(walk, body) && isNear(walk, body))
            return number;
    }
}

bool thiHasRoom(const thBodies* bodies, thPlacedBody body, int32_t number, double gap)
{
    thNearBodies walk = thiBeginNear(bodies, body, number, gap);
    return thiNextNear(&walk) < 0;
}

// Pushing. In a sweep each body that may overlap others moves away from them, as far as walls and
// the region let it. Sweeps go on as long as overlaps become less.

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

// Adds a body where it overlaps others little; false if walls leave no place.
static bool squeezeIn(const thPlacing* placing, int32_t number)
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

// Where others push a body, all together: half of the distance that parts it from those that move
// too, all of it from the others. Returns the deepest overlap. [units, or a share of the space]
static double pushOf(const thPlacing* placing, int32_t number, thOffset* push)
{
    double deepest = 0.0;
    *push = (thOffset){0.0, 0.0};
    thNearBodies walk =
        thiBeginNear(placing->bodies, placing->bodies->items[number], number, placing->gap);
    for (int32_t other = thiNextNear(&walk); other >= 0; other = thiNextNear(&walk)) {
        const double depth = walk.space - walk.distance;
        const double distance =
            (depth + MARGIN * walk.space) * (isLoose(placing, other) ? 0.5 : 1.0);
        const thOffset away = walk.distance > 0.0 ? (thOffset){walk.offset.x / walk.distance,
                                                               walk.offset.y / walk.distance}
                                                  : directionOf(number, other);
        push->x += distance * away.x;
        push->y += distance * away.y;
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
static thPoint pullIn(const thSceneRegion* region, thPoint place)
{
    if (thiRegionHolds(region, place))
        return place;
    const thVec2 offset =
        region->kind == th_shapeDisc
            ? thiToDisc(place, region->corners[0], (float)region->radius * TH_METRES_PER_UNIT)
            : thiToPolygon(place, region->corners, region->cornerCount);
    return (thPoint){clampUnits(place.x + (double)offset.x * THRONG_UNITS_PER_METRE),
                     clampUnits(place.y + (double)offset.y * THRONG_UNITS_PER_METRE)};
}

// Moves a body by what pushes it, unless what floats can tell of the new place is no place for it.
static bool moveBody(const thPlacing* placing, int32_t number, thOffset push)
{
    const thPlacedBody* body = &placing->bodies->items[number];
    const thPoint wanted = {clampUnits(body->at.x + push.x), clampUnits(body->at.y + push.y)};
    const thPoint to = thiRoundToFloats(thiSlide(placing->walls, placing->level, body->at,
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

// Moves those that are to be placed until none of them overlaps another: th_resultFull if that
// leads nowhere.
static thResult pushApart(const thPlacing* placing)
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

// Darts.

// Purposes of random numbers, see thRandomStream.
#define PURPOSE_DART 0x64617274u
#define PURPOSE_AREA 0x61726561u

// Darts of one body, and how many bodies in a row may fail before the others need not try.
#define DARTS 64
#define FAILURES 64

// Places at which a region's free area is estimated; more than what is free by this factor is never
// there.
#define AREA_DRAWS 4096
#define AREA_DOUBT 1.25

// Share of the plane that equal discs fill at most, and what pushing reaches of that.
#define DENSEST 0.9068997
#define REACHED 0.9

#define PI 0x1.921fb54442d18p+1

// A body that waits for its turn: large ones come first.
typedef struct Turn {
    float radius;
    int32_t number;
} Turn;

static int compareTurns(const void* left, const void* right)
{
    const Turn* a = left;
    const Turn* b = right;
    if (a->radius != b->radius)
        return a->radius > b->radius ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static bool throwDarts(const thPlacing* placing, Turn turn)
{
    const uint64_t stream =
        thRandomStream(placing->seed, (uint64_t)turn.number + 1, 0, PURPOSE_DART);
    thPlacedBody body = {.radius = turn.radius, .level = placing->level};
    uint32_t next = 0;
    for (int32_t i = 0; i < DARTS; ++i) {
        if (!thiRegionDraw(placing->region, stream, &next, &body.at))
            return false;
        if (!thiHasRoom(placing->bodies, body, turn.number, placing->gap) ||
            !thiIsFreePlace(placing->walls, body.level, body.at, body.radius))
            continue;
        thiAddBody(placing->bodies, turn.number, body);
        return true;
    }
    return false;
}

// Throws darts for all; those that found no place move to the front. Returns how many they are.
static int32_t throwAllDarts(const thPlacing* placing, Turn* turns)
{
    int32_t failed = 0, inARow = 0;
    for (int32_t i = 0; i < placing->count; ++i) {
        if (inARow < FAILURES && throwDarts(placing, turns[i])) {
            inARow = 0;
            continue;
        }
        inARow += 1;
        turns[failed++] = turns[i];
    }
    return failed;
}

// What bodies and the gaps round them cover. [m²]
static double coveredArea(const thPlacing* placing)
{
    double sum = 0.0;
    for (int32_t i = 0; i < placing->count; ++i) {
        const double radius = (double)placing->radii[i] + 0.5 * placing->gap;
        sum += PI * radius * radius;
    }
    return sum;
}

static double freeArea(const thPlacing* placing)
{
    const uint64_t stream = thRandomStream(placing->seed, 0, 0, PURPOSE_AREA);
    uint32_t next = 0;
    int32_t freeCount = 0;
    for (int32_t i = 0; i < AREA_DRAWS; ++i) {
        thPoint at;
        if (!thiRegionDraw(placing->region, stream, &next, &at))
            return 0.0;
        freeCount += thiIsFreePlace(placing->walls, placing->level, at, 0.0f);
    }
    return placing->region->area * freeCount / AREA_DRAWS;
}

// Centres are in the region, bodies may look out of it.
static bool isImpossible(const thPlacing* placing, double covered, double area, float largest)
{
    const double margin = (double)largest + 0.5 * placing->gap;
    const double room =
        AREA_DOUBT * area + margin * placing->region->perimeter + PI * margin * margin;
    return covered > DENSEST * room;
}

// Finds places by pushing for the first `late` of the turns.
static thResult pushLate(const thPlacing* placing, const Turn* turns, int32_t late,
                         thPlacingFigures* figures)
{
    const double covered = coveredArea(placing);
    figures->placed = placing->count - late;
    figures->freeArea = freeArea(placing);
    figures->mostPerArea = REACHED * DENSEST * placing->count / covered;
    if (isImpossible(placing, covered, figures->freeArea, turns[0].radius))
        return th_resultFull;
    for (int32_t i = 0; i < late; ++i)
        if (!squeezeIn(placing, turns[i].number))
            return th_resultFull;
    return pushApart(placing);
}

// Until they are added, bodies are on no level.
#define NOWHERE (-1)

static void takeBack(const thPlacing* placing)
{
    for (int32_t number = placing->first; number < placing->first + placing->count; ++number)
        if (placing->bodies->items[number].level != NOWHERE)
            thiRemoveBody(placing->bodies, number);
}

thResult thiPlaceAtRandom(const thPlacing* placing, thPlacingFigures* figures)
{
    const size_t size = (size_t)placing->count * sizeof(Turn);
    if (placing->count == 0)
        return th_resultOk;
    Turn* turns = thiAllocate(placing->bodies->memory, size);
    if (turns == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < placing->count; ++i) {
        turns[i] = (Turn){placing->radii[i], placing->first + i};
        placing->bodies->items[placing->first + i].level = NOWHERE;
    }
    qsort(turns, (size_t)placing->count, sizeof *turns, compareTurns);
    const int32_t late = throwAllDarts(placing, turns);
    const thResult code = late > 0 ? pushLate(placing, turns, late, figures) : th_resultOk;
    thiRelease(placing->bodies->memory, turns, size);
    if (code != th_resultOk)
        takeBack(placing);
    return code;
}
