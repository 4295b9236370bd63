// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Obstacles grown by GEOS, and Dijkstra over all their vertices.

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

struct Sights {
    Grown* grown;
    double depth; // how far from one vertex to the next at most [m]
    thPoint* points;
    bool* sees; // [a × count + b]
    int32_t count;
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

// The vertices of all rings; with NULL they are only counted.
static int32_t collectVertices(const GEOSGeometry* area, thPoint* points)
{
    int32_t count = 0;
    for (int32_t i = 0; i < GEOSGetNumGeometries(area); ++i) {
        const GEOSGeometry* part = GEOSGetGeometryN(area, i);
        for (int32_t k = -1; k < GEOSGetNumInteriorRings(part); ++k) {
            const GEOSGeometry* ring =
                k < 0 ? GEOSGetExteriorRing(part) : GEOSGetInteriorRingN(part, k);
            const GEOSCoordSequence* sequence = GEOSGeom_getCoordSeq(ring);
            unsigned size;
            GEOSCoordSeq_getSize(sequence, &size);
            for (unsigned n = 0; n + 1 < size; ++n) { // the last one is the first again
                double x, y;
                GEOSCoordSeq_getXY(sequence, n, &x, &y);
                if (points != NULL)
                    points[count] = pointAt(x, y);
                count += 1;
            }
        }
    }
    return count;
}

// Vertices lie on the arcs, so what they are joined by lies inside of these: paths are held against
// what is grown by as much less as that. GEOS cuts an arc into equal parts that are up to one and a
// half times as long as they should be.
Sights* makeSights(const Layout* layout, double radius, int32_t parts)
{
    const double angle = 1.5 * acos(-1.0) / (4.0 * parts); // half of the largest part
    Sights* sights = calloc(1, sizeof *sights);
    assert_non_null(sights);
    Grown* outline = growLayout(layout, radius, parts);
    sights->depth = 2.0 * radius * sin(angle);
    sights->grown = growLayout(layout, radius * cos(angle) - 1e-4, 4 * parts);
    sights->count = collectVertices(outline->area, NULL);
    const size_t count = (size_t)sights->count;
    sights->points = malloc((count + 1) * sizeof *sights->points);
    sights->sees = malloc(count * count + 1);
    assert_true(sights->points != NULL && sights->sees != NULL);
    collectVertices(outline->area, sights->points);
    for (size_t a = 0; a < count; ++a)
        for (size_t b = 0; b <= a; ++b)
            sights->sees[a * count + b] = sights->sees[b * count + a] =
                !meetsGrown(sights->grown, sights->points[a], sights->points[b]);
    freeGrown(outline);
    return sights;
}

void freeSights(Sights* sights)
{
    freeGrown(sights->grown);
    free(sights->points);
    free(sights->sees);
    free(sights);
}

static double between(thPoint a, thPoint b)
{
    return hypot(metres(a.x) - metres(b.x), metres(a.y) - metres(b.y));
}

typedef struct Label {
    double length; // from the start
    int32_t from;  // the vertex before; −1: the start
    bool settled;
} Label;

// Legs that are no longer than a part of an arc belong to it.
static int32_t countArcs(const Sights* sights, const Label* labels, int32_t last)
{
    int32_t arcs = 0;
    for (int32_t i = last; i >= 0; i = labels[i].from) {
        const int32_t before = labels[i].from;
        arcs +=
            before < 0 || between(sights->points[before], sights->points[i]) > sights->depth * 1.01;
    }
    return arcs;
}

double shortestLength(const Sights* sights, thPoint a, thPoint b, int32_t* arcs)
{
    *arcs = 0;
    if (!meetsGrown(sights->grown, a, b))
        return between(a, b);
    const int32_t count = sights->count;
    Label* labels = malloc((size_t)(count + 1) * sizeof *labels);
    assert_non_null(labels);
    for (int32_t i = 0; i < count; ++i)
        labels[i] =
            (Label){meetsGrown(sights->grown, a, sights->points[i]) ? INFINITY
                                                                    : between(a, sights->points[i]),
                    -1, false};
    double best = INFINITY;
    for (;;) {
        int32_t next = -1;
        for (int32_t i = 0; i < count; ++i)
            if (!labels[i].settled && labels[i].length < (next < 0 ? best : labels[next].length))
                next = i;
        if (next < 0)
            break;
        labels[next].settled = true;
        const thPoint at = sights->points[next];
        if (labels[next].length + between(at, b) < best && !meetsGrown(sights->grown, at, b)) {
            best = labels[next].length + between(at, b);
            *arcs = countArcs(sights, labels, next);
        }
        for (int32_t i = 0; i < count; ++i) {
            const double length = labels[next].length + between(at, sights->points[i]);
            if (sights->sees[(size_t)next * (size_t)count + (size_t)i] && length < labels[i].length)
                labels[i] = (Label){length, next, false};
        }
    }
    free(labels);
    return best;
}
