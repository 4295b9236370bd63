// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where copies of a shape lie, its corners in the world, and random places in it.

#include "scene/run/scene_region.h"
#include "base/float_math.h"
#include "geom/polygon.h"
#include "sim/ranges.h"
#include "throng/random.h"

#include <math.h>

// Sine and cosine of a share of a full turn. Quarters are exact, so that what is repeated four
// times stays in line with the axes.
static void turnBy(int32_t part, int32_t whole, thCopy* copy)
{
    const int64_t quarters = 4 * (int64_t)part;
    float sine = 0.0f, cosine = 1.0f;
    if (quarters % whole != 0)
        thSinCos(0.5f * TH_PI * ((float)(quarters % whole) / (float)whole), &sine, &cosine);
    const double x = (double)cosine, y = (double)sine;
    const int64_t quarter = quarters / whole;
    copy->cosine = quarter == 0 ? x : quarter == 1 ? -y : quarter == 2 ? -x : y;
    copy->sine = quarter == 0 ? y : quarter == 1 ? x : quarter == 2 ? -y : -x;
}

thCopy thiCopyOf(const thSceneRepeat* repeat, int32_t number)
{
    const int32_t cells = repeat->columns * repeat->rows;
    const int32_t column = number % repeat->columns;
    const int32_t row = number / repeat->columns % repeat->rows;
    thCopy copy = {.moved = {column * repeat->step[0], row * repeat->step[1]},
                   .center = repeat->around,
                   .isTurned = number >= cells};
    if (copy.isTurned)
        turnBy(number / cells, repeat->count, &copy);
    return copy;
}

thCoord thiInCopy(const thCopy* copy, thCoord place)
{
    const thCoord moved = {place.x + copy->moved.x, place.y + copy->moved.y};
    if (!copy->isTurned)
        return moved;
    const double dx = moved.x - copy->center.x, dy = moved.y - copy->center.y;
    return (thCoord){copy->center.x + copy->cosine * dx - copy->sine * dy,
                     copy->center.y + copy->sine * dx + copy->cosine * dy};
}

// Draws from the box round a region before it counts as empty.
#define MAX_DRAWS 20000

bool thiToWorld(thCoord place, thCoord origin, thVec2* world)
{
    const thVec2 moved = {(float)(place.x - origin.x), (float)(place.y - origin.y)};
    if (!thiIsPlace(moved))
        return false;
    *world = moved;
    return true;
}

thVec2 thiMetresOf(thPoint place)
{
    return (thVec2){thiMetres(place.x), thiMetres(place.y)};
}

thPoint thiRoundToFloats(thPoint place)
{
    return thiPointOf(thiMetresOf(place));
}

int32_t thiCornerCount(const thShape* shape)
{
    return shape->kind == th_shapeBox ? 4 : shape->points.count;
}

bool thiCornerToWorld(const thShape* shape, int32_t corner, const thCopy* copy, thCoord origin,
                      thVec2* world)
{
    const thCoord* points = shape->points.items;
    thCoord place;
    if (shape->kind != th_shapeBox)
        place = points[corner];
    else
        place = (thCoord){points[corner == 1 || corner == 2].x, points[corner >= 2].y};
    return thiToWorld(copy != NULL ? thiInCopy(copy, place) : place, origin, world);
}

static double between(thPoint a, thPoint b)
{
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    return sqrt(dx * dx + dy * dy) / THRONG_UNITS_PER_METRE;
}

// Twice the area to the left of the line from the region's first corner to a, to b and back. [m²]
static double turnOf(thPoint first, thPoint a, thPoint b)
{
    const double unit = 1.0 / THRONG_UNITS_PER_METRE;
    return (((double)a.x - first.x) * unit) * (((double)b.y - first.y) * unit) -
           (((double)a.y - first.y) * unit) * (((double)b.x - first.x) * unit);
}

static void measureOutline(thSceneRegion* region)
{
    const thPoint* corners = region->corners;
    double twice = 0.0;
    region->low = region->high = corners[0];
    for (int32_t i = 0; i < region->cornerCount; ++i) {
        const thPoint a = corners[i], b = corners[i + 1 < region->cornerCount ? i + 1 : 0];
        twice += turnOf(corners[0], a, b);
        region->perimeter += between(a, b);
        region->low = (thPoint){TH_MIN(region->low.x, a.x), TH_MIN(region->low.y, a.y)};
        region->high = (thPoint){TH_MAX(region->high.x, a.x), TH_MAX(region->high.y, a.y)};
    }
    region->area = region->kind == th_shapeSegment ? 0.0 : fabs(twice) * 0.5;
}

static int32_t clampUnits(double units)
{
    const double most = TH_MAX_UNITS;
    return (int32_t)(units < -most ? -most : units > most ? most : units);
}

static void measureDisc(thSceneRegion* region, double radius)
{
    const double pi = 0x1.921fb54442d18p+1;
    const thPoint center = region->corners[0];
    region->radius = radius * THRONG_UNITS_PER_METRE;
    region->area = pi * radius * radius;
    region->perimeter = 2.0 * pi * radius;
    region->low =
        (thPoint){clampUnits(center.x - region->radius), clampUnits(center.y - region->radius)};
    region->high =
        (thPoint){clampUnits(center.x + region->radius), clampUnits(center.y + region->radius)};
}

// A box that is turned is a polygon like any other.
static thShapeKind kindInCopy(const thShape* shape, const thCopy* copy)
{
    const bool isTurned = copy != NULL && copy->isTurned;
    return isTurned && shape->kind == th_shapeBox ? th_shapePolygon : shape->kind;
}

thResult thiMakeRegion(const thShape* shape, const thCopy* copy, thCoord origin, thArena* arena,
                       thSceneRegion* region)
{
    const int32_t count = thiCornerCount(shape);
    thPoint* corners = thiArenaAllocate(arena, (size_t)count * sizeof *corners);
    if (corners == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i) {
        thVec2 corner;
        if (!thiCornerToWorld(shape, i, copy, origin, &corner))
            return th_resultBadArgument;
        corners[i] = thiPointOf(corner);
    }
    *region =
        (thSceneRegion){.kind = kindInCopy(shape, copy), .corners = corners, .cornerCount = count};
    if (shape->kind == th_shapeDisc)
        measureDisc(region, shape->radius);
    else
        measureOutline(region);
    return th_resultOk;
}

thPoint thiRegionCenter(const thSceneRegion* region)
{
    return (thPoint){(int32_t)(((int64_t)region->low.x + region->high.x) / 2),
                     (int32_t)(((int64_t)region->low.y + region->high.y) / 2)};
}

bool thiRegionHolds(const thSceneRegion* region, thPoint place)
{
    const thPoint* corners = region->corners;
    if (place.x < region->low.x || place.x > region->high.x || place.y < region->low.y ||
        place.y > region->high.y)
        return false;
    if (region->kind == th_shapeDisc) {
        const double dx = (double)place.x - corners[0].x, dy = (double)place.y - corners[0].y;
        return dx * dx + dy * dy <= region->radius * region->radius;
    }
    if (region->kind == th_shapePolygon)
        return thiPolygonSide(corners, region->cornerCount, place) >= 0;
    return true;
}

static int32_t drawBetween(int32_t low, int32_t high, float share)
{
    return (int32_t)(low + (int64_t)((double)((int64_t)high - low) * (double)share));
}

// What is told of a place on a segment may be a little beside it.
static thPoint drawOnSegment(const thSceneRegion* region, float share)
{
    const thPoint a = region->corners[0], b = region->corners[1];
    return thiRoundToFloats((thPoint){drawBetween(a.x, b.x, share), drawBetween(a.y, b.y, share)});
}

bool thiRegionDraw(const thSceneRegion* region, uint64_t stream, uint32_t* next, thPoint* place)
{
    if (region->kind == th_shapeSegment) {
        *place = drawOnSegment(region, thRandomUnit(stream, (*next)++));
        return true;
    }
    for (int32_t i = 0; i < MAX_DRAWS; ++i) {
        const float x = thRandomUnit(stream, (*next)++), y = thRandomUnit(stream, (*next)++);
        *place = thiRoundToFloats((thPoint){drawBetween(region->low.x, region->high.x, x),
                                            drawBetween(region->low.y, region->high.y, y)});
        if (thiRegionHolds(region, *place))
            return true;
    }
    return false;
}
