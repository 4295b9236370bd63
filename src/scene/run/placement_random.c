// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "move/free_place.h"
#include "scene/run/placement.h"
#include "throng/random.h"

#include <stdlib.h>

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
static thResult push(const thPlacing* placing, const Turn* turns, int32_t late,
                     thPlacingFigures* figures)
{
    const double covered = coveredArea(placing);
    figures->placed = placing->count - late;
    figures->freeArea = freeArea(placing);
    figures->mostPerArea = REACHED * DENSEST * placing->count / covered;
    if (isImpossible(placing, covered, figures->freeArea, turns[0].radius))
        return th_resultFull;
    for (int32_t i = 0; i < late; ++i)
        if (!thiSqueezeIn(placing, turns[i].number))
            return th_resultFull;
    return thiPushApart(placing);
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
    const thResult code = late > 0 ? push(placing, turns, late, figures) : th_resultOk;
    thiRelease(placing->bodies->memory, turns, size);
    if (code != th_resultOk)
        takeBack(placing);
    return code;
}
