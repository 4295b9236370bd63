// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Obstacles drawn at random for a world and for GEOS, and grown there.

#include "plan/visibility/grown_oracle.h"

#include <geos_c.h>
#include <stdlib.h>

#define MOST_SHAPES 64
#define MOST_POINTS 5 // of a shape

struct Layout {
    thWorld* world;
    GEOSGeometry* shapes; // a collection
};

struct Grown {
    GEOSGeometry* area;
    const GEOSPreparedGeometry* prepared;
};

static void ignoreNotice(const char* format, ...)
{
    (void)format;
}

static double metres(int32_t units)
{
    return (double)units / THRONG_UNITS_PER_METRE;
}

// Every coordinate is a multiple of 1/64 m, so that both sides see the same.
static float snap(float value, bool whole)
{
    return whole ? roundf(value) : roundf(value * 64.0f) / 64.0f;
}

static int32_t drawBox(thGenerator* g, float extent, thVec2* points)
{
    const float x = snap(drawFloat(g, -extent, extent), true);
    const float y = snap(drawFloat(g, -extent, extent), true);
    const float width = (float)drawInt(g, 1, 4), height = (float)drawInt(g, 1, 4);
    points[0] = (thVec2){x, y};
    points[1] = (thVec2){x + width, y};
    points[2] = (thVec2){x + width, y + height};
    points[3] = (thVec2){x, y + height};
    return 4;
}

static int32_t drawShape(thGenerator* g, float extent, bool wall, thVec2* points)
{
    const float x = drawFloat(g, -extent, extent), y = drawFloat(g, -extent, extent);
    const bool whole = drawInt(g, 0, 3) == 0;
    const int32_t count = wall ? drawInt(g, 2, 4) : drawInt(g, 3, MOST_POINTS);
    for (int32_t i = 0; i < count; ++i)
        points[i] = (thVec2){snap(x + drawFloat(g, -3.0f, 3.0f), whole),
                             snap(y + drawFloat(g, -3.0f, 3.0f), whole)};
    return count;
}

static GEOSGeometry* makeShape(const thVec2* points, int32_t count, bool wall)
{
    const int32_t closed = count + !wall;
    GEOSCoordSequence* sequence = GEOSCoordSeq_create((unsigned)closed, 2);
    for (int32_t i = 0; i < closed; ++i)
        GEOSCoordSeq_setXY(sequence, (unsigned)i, points[i % count].x, points[i % count].y);
    return wall ? GEOSGeom_createLineString(sequence)
                : GEOSGeom_createPolygon(GEOSGeom_createLinearRing(sequence), NULL, 0);
}

Layout* drawLayout(thGenerator* g, int32_t count, float extent)
{
    initGEOS(ignoreNotice, ignoreNotice);
    Layout* layout = malloc(sizeof *layout);
    assert_non_null(layout);
    layout->world = createPlanWorld(1);
    GEOSGeometry* shapes[MOST_SHAPES];
    int32_t shapeCount = 0;
    while (shapeCount < count && shapeCount < MOST_SHAPES) {
        thVec2 points[MOST_POINTS];
        const int32_t kind = drawInt(g, 0, 2);
        const bool wall = kind == 2;
        const int32_t pointCount =
            kind == 0 ? drawBox(g, extent, points) : drawShape(g, extent, wall, points);
        GEOSGeometry* shape = makeShape(points, pointCount, wall);
        if (GEOSisValid(shape) != 1) { // it crosses itself, or has a spike
            GEOSGeom_destroy(shape);
            continue;
        }
        addObstacle(layout->world, wall ? th_obstacleWall : th_obstacleSolid, 0, points,
                    pointCount);
        shapes[shapeCount++] = shape;
    }
    layout->shapes =
        GEOSGeom_createCollection(GEOS_GEOMETRYCOLLECTION, shapes, (unsigned)shapeCount);
    assert_non_null(layout->shapes);
    return layout;
}

void freeLayout(Layout* layout)
{
    thDestroyWorld(layout->world);
    GEOSGeom_destroy(layout->shapes);
    free(layout);
    finishGEOS();
}

thWorld* layoutWorld(const Layout* layout)
{
    return layout->world;
}

Grown* growLayout(const Layout* layout, double radius, int32_t parts)
{
    Grown* grown = malloc(sizeof *grown);
    assert_non_null(grown);
    // One by one: of a whole collection some versions of GEOS forget parts.
    GEOSGeometry* areas[MOST_SHAPES];
    const int32_t count = GEOSGetNumGeometries(layout->shapes);
    for (int32_t i = 0; i < count; ++i) {
        areas[i] = GEOSBuffer(GEOSGetGeometryN(layout->shapes, i), radius, parts);
        assert_non_null(areas[i]);
    }
    GEOSGeometry* all = GEOSGeom_createCollection(GEOS_MULTIPOLYGON, areas, (unsigned)count);
    grown->area = GEOSUnaryUnion(all);
    GEOSGeom_destroy(all);
    assert_non_null(grown->area);
    grown->prepared = GEOSPrepare(grown->area);
    assert_non_null(grown->prepared);
    return grown;
}

void freeGrown(Grown* grown)
{
    GEOSPreparedGeom_destroy(grown->prepared);
    GEOSGeom_destroy(grown->area);
    free(grown);
}

static GEOSGeometry* makeWay(thPoint a, thPoint b)
{
    if (thiSamePoint(a, b))
        return GEOSGeom_createPointFromXY(metres(a.x), metres(a.y));
    GEOSCoordSequence* sequence = GEOSCoordSeq_create(2, 2);
    GEOSCoordSeq_setXY(sequence, 0, metres(a.x), metres(a.y));
    GEOSCoordSeq_setXY(sequence, 1, metres(b.x), metres(b.y));
    return GEOSGeom_createLineString(sequence);
}

bool meetsGrown(const Grown* grown, thPoint a, thPoint b)
{
    GEOSGeometry* way = makeWay(a, b);
    const char meets = GEOSPreparedIntersects(grown->prepared, way);
    assert_in_range(meets, 0, 1);
    GEOSGeom_destroy(way);
    return meets == 1;
}

double distanceOfWay(const Layout* layout, thPoint a, thPoint b)
{
    GEOSGeometry* way = makeWay(a, b);
    double distance;
    assert_int_equal(GEOSDistance(layout->shapes, way, &distance), 1);
    GEOSGeom_destroy(way);
    return distance;
}
