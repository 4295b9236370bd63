// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "scene/walls/geometry_nested.h"

#include "geom/polygon.h"
#include "sim/ranges.h"

// Pairs of edges that are compared at most, for all polygons of a file together.
#define MOST_PAIRS 100000000

typedef struct Rings {
    const thGeometryPart* parts;
    int32_t count;
    const thPoint* points;
    int64_t pairs; // that were compared
} Rings;

// Where the part after a polygon, with its holes, is.
static int32_t endOfPolygon(const Rings* rings, int32_t outer)
{
    int32_t end = outer + 1;
    while (end < rings->count && rings->parts[end].kind == th_geometryHole)
        end += 1;
    return end;
}

static bool isInside(const Rings* rings, thPoint p, const thGeometryPart* ring)
{
    return thiPolygonSide(&rings->points[ring->first], ring->count, p) > 0;
}

static bool doTouch(const Rings* rings, const thGeometryPart* a, const thGeometryPart* b)
{
    const thPoint *pa = &rings->points[a->first], *pb = &rings->points[b->first];
    for (int32_t i = 0; i < a->count; ++i)
        for (int32_t k = 0; k < b->count; ++k)
            if (thiSegmentsTouch(pa[i], pa[(i + 1) % a->count], pb[k], pb[(k + 1) % b->count]))
                return true;
    return false;
}

// Rings that do not touch lie apart, or one in the other: one corner tells which.
static bool isNested(Rings* rings, int32_t inner, int32_t outer)
{
    const thGeometryPart* part = &rings->parts[inner];
    const thPoint corner = rings->points[part->first];
    const int32_t end = endOfPolygon(rings, outer);
    if (!isInside(rings, corner, &rings->parts[outer]))
        return false;
    for (int32_t i = outer; i < end; ++i) {
        const thGeometryPart* other = &rings->parts[i];
        rings->pairs += (int64_t)part->count * other->count;
        if (rings->pairs > MOST_PAIRS || doTouch(rings, part, other))
            return false;
        const bool isHole = i > outer;
        if (isHole &&
            (isInside(rings, corner, other) || isInside(rings, rings->points[other->first], part)))
            return false;
    }
    return true;
}

static bool isInAnother(Rings* rings, int32_t inner)
{
    for (int32_t i = 0; i < rings->count; ++i)
        if (i != inner && rings->parts[i].kind == th_geometryOuter && isNested(rings, inner, i))
            return true;
    return false;
}

// Marks the parts that stay; polygons that lie in each other in turn do so in one that stays.
static void markKept(Rings* rings, uint8_t* kept)
{
    for (int32_t i = 0; i < rings->count;) {
        const bool isOuter = rings->parts[i].kind == th_geometryOuter;
        const int32_t end = isOuter ? endOfPolygon(rings, i) : i + 1;
        const bool stays = !isOuter || !isInAnother(rings, i);
        for (; i < end; ++i)
            kept[i] = stays;
    }
}

thResult thiDropNestedPolygons(thGeometry* geometry)
{
    thMemory* memory = geometry->points.memory;
    thGeometryPart* parts = TH_ITEMS(geometry->parts, thGeometryPart);
    const int32_t count = geometry->parts.count, pointCount = geometry->points.count;
    const size_t pointSize = (size_t)TH_MAX(pointCount, 1) * sizeof(thPoint);
    const size_t keptSize = (size_t)TH_MAX(count, 1);
    thPoint* points = thiAllocate(memory, pointSize);
    uint8_t* kept = thiAllocate(memory, keptSize);
    const bool hasRoom = points != NULL && kept != NULL;
    if (hasRoom) {
        for (int32_t i = 0; i < pointCount; ++i) {
            const thCoord at = TH_ITEMS(geometry->points, thCoord)[i];
            points[i] = thiPointOf((thVec2){(float)at.x, (float)at.y});
        }
        markKept(&(Rings){.parts = parts, .count = count, .points = points}, kept);
        geometry->parts.count = 0;
        for (int32_t i = 0; i < count; ++i)
            if (kept[i])
                parts[geometry->parts.count++] = parts[i];
    }
    thiRelease(memory, points, pointSize);
    thiRelease(memory, kept, keptSize);
    return hasRoom ? th_resultOk : th_resultNoMemory;
}
