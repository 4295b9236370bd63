// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Areas of many polygons together, against those that GEOS makes of them: polygons at random on a
// coarse lattice, where edges are shared, corners touch and polygons are the same, and off it.

#include "gear/allocators.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "geom/areas.h"
#include "geom/fixed.h"
#include "geom/polygon.h"

#include <geos_c.h>
#include <math.h>
#include <stdlib.h>

#define MOST_CORNERS 16
#define MOST_POLYGONS 24

// Polygons of one case, with a hole each or none.
typedef struct Case {
    thVec2 corners[MOST_POLYGONS][2][MOST_CORNERS];
    int32_t counts[MOST_POLYGONS][2];
    int32_t count;
} Case;

static void ignoreNotice(const char* format, ...)
{
    (void)format;
}

static GEOSGeometry* makeRing(const thVec2* corners, int32_t count)
{
    GEOSCoordSequence* sequence = GEOSCoordSeq_create((unsigned)count + 1, 2);
    for (int32_t i = 0; i <= count; ++i)
        GEOSCoordSeq_setXY(sequence, (unsigned)i, corners[i % count].x, corners[i % count].y);
    return GEOSGeom_createLinearRing(sequence);
}

static GEOSGeometry* makePolygon(const Case* c, int32_t i)
{
    GEOSGeometry* hole = c->counts[i][1] > 0 ? makeRing(c->corners[i][1], c->counts[i][1]) : NULL;
    return GEOSGeom_createPolygon(makeRing(c->corners[i][0], c->counts[i][0]), &hole, hole != NULL);
}

static bool isOutline(const thVec2* corners, int32_t count)
{
    thMemory memory;
    const thAllocator allocator = thDefaultAllocator();
    thiMemoryInit(&memory, &allocator, 0);
    thArray cleaned = thiArray(&memory, sizeof(thPoint));
    const bool is = thiCleanOutline(corners, count, th_obstacleSolid, &cleaned) == th_resultOk;
    thiArrayFree(&cleaned);
    return is;
}

static thVec2 snapped(thVec2 p, float lattice)
{
    return lattice > 0.0f
               ? (thVec2){roundf(p.x / lattice) * lattice, roundf(p.y / lattice) * lattice}
               : p;
}

// A polygon round a place: a box, or corners in all directions.
static int32_t drawOutline(thGenerator* g, thVec2 at, float radius, float lattice, thVec2* corners)
{
    if (drawInt(g, 0, 1) == 0) {
        const float w = radius * drawFloat(g, 0.3f, 1.0f), h = radius * drawFloat(g, 0.3f, 1.0f);
        corners[0] = snapped((thVec2){at.x - w, at.y - h}, lattice);
        corners[1] = snapped((thVec2){at.x + w, at.y - h}, lattice);
        corners[2] = snapped((thVec2){at.x + w, at.y + h}, lattice);
        corners[3] = snapped((thVec2){at.x - w, at.y + h}, lattice);
        return 4;
    }
    const int32_t count = drawInt(g, 3, 9);
    for (int32_t i = 0; i < count; ++i) {
        const float angle = 6.2831853f * ((float)i + drawFloat(g, 0.0f, 0.8f)) / (float)count;
        const float far = radius * drawFloat(g, 0.4f, 1.0f);
        corners[i] = snapped((thVec2){at.x + far * cosf(angle), at.y + far * sinf(angle)}, lattice);
    }
    return count;
}

// Some have the same place or outline as the one before, some an edge of it in common.
static void drawPolygon(thGenerator* g, Case* c, float lattice, float extent)
{
    const int32_t i = c->count;
    const thVec2 at = {drawFloat(g, -extent, extent), drawFloat(g, -extent, extent)};
    const float radius = drawFloat(g, 1.0f, 6.0f);
    c->counts[i][0] = drawOutline(g, at, radius, lattice, c->corners[i][0]);
    c->counts[i][1] = 0;
    const int32_t kind = i > 0 ? drawInt(g, 0, 9) : 9;
    const thVec2* before = i > 0 ? c->corners[i - 1][0] : NULL;
    if (kind == 0) { // the same
        c->counts[i][0] = c->counts[i - 1][0];
        for (int32_t k = 0; k < c->counts[i][0]; ++k)
            c->corners[i][0][k] = before[k];
    } else if (kind <=
               3) { // beside an edge, of which it has all, or a part that rounding may shift
        const thVec2 a = before[0], b = before[1];
        const float from = kind == 1 ? 0.0f : drawFloat(g, 0.1f, 0.4f);
        const float to = kind == 1 ? 1.0f : drawFloat(g, 0.6f, 0.9f);
        const thVec2 e = {b.x - a.x, b.y - a.y};
        const float height = drawFloat(g, 0.3f, 1.5f) * (drawInt(g, 0, 1) == 0 ? 1.0f : -1.0f);
        c->counts[i][0] = 4;
        c->corners[i][0][0] = (thVec2){a.x + from * e.x, a.y + from * e.y};
        c->corners[i][0][1] = (thVec2){a.x + to * e.x, a.y + to * e.y};
        c->corners[i][0][2] =
            (thVec2){a.x + to * e.x - height * e.y, a.y + to * e.y + height * e.x};
        c->corners[i][0][3] =
            (thVec2){a.x + from * e.x - height * e.y, a.y + from * e.y + height * e.x};
    } else if (drawInt(g, 0, 1) == 0)
        c->counts[i][1] = drawOutline(g, at, 0.4f * radius, lattice, c->corners[i][1]);
    bool good = isOutline(c->corners[i][0], c->counts[i][0]) &&
                (c->counts[i][1] == 0 || isOutline(c->corners[i][1], c->counts[i][1]));
    GEOSGeometry* polygon = makePolygon(c, i);
    good = good && GEOSisValid(polygon) == 1;
    GEOSGeom_destroy(polygon);
    c->count += good;
}

static double areaOf(const GEOSGeometry* geometry)
{
    double area = NAN;
    GEOSArea(geometry, &area);
    return area;
}

static GEOSGeometry* uniteAll(GEOSGeometry** items, int32_t count)
{
    GEOSGeometry* all = GEOSGeom_createCollection(GEOS_GEOMETRYCOLLECTION, items, (unsigned)count);
    GEOSGeometry* united = GEOSUnaryUnion(all);
    GEOSGeom_destroy(all);
    return united;
}

static GEOSGeometry* ringsOf(const thArray* rings, const thArray* corners, bool areRooms)
{
    GEOSGeometry** items = malloc(((size_t)rings->count + 1) * sizeof *items);
    int32_t count = 0;
    for (int32_t i = 0; i < rings->count; ++i) {
        const thAreaRing* ring = &TH_ITEMS(*rings, thAreaRing)[i];
        if (ring->isRoom != areRooms)
            continue;
        thVec2* points = malloc((size_t)ring->count * sizeof *points);
        for (int32_t k = 0; k < ring->count; ++k) {
            const thPoint p = TH_ITEMS(*corners, thPoint)[ring->first + k];
            points[k] = (thVec2){thiMetres(p.x), thiMetres(p.y)};
            // Corners come through float as they are.
            assert_int_equal(thiUnits(points[k].x), p.x);
            assert_int_equal(thiUnits(points[k].y), p.y);
        }
        assert_true(isOutline(points, ring->count));
        items[count++] = GEOSGeom_createPolygon(makeRing(points, ring->count), NULL, 0);
        free(points);
    }
    GEOSGeometry* united = uniteAll(items, count);
    free(items);
    return united;
}

static thResult outline(const Case* c, bool areSolid, thMemory* memory, thArray* rings,
                        thArray* corners)
{
    thAreas* areas;
    thArray cleaned = thiArray(memory, sizeof(thPoint));
    thResult code = thiCreateAreas(memory, &areas);
    for (int32_t i = 0; i < c->count && code == th_resultOk; ++i)
        for (int32_t hole = 0; hole < 2 && code == th_resultOk; ++hole) {
            cleaned.count = 0;
            if (c->counts[i][hole] == 0)
                continue;
            code = thiCleanOutline(c->corners[i][hole], c->counts[i][hole],
                                   hole == 0 ? th_obstacleSolid : th_obstacleRoom, &cleaned);
            if (code == th_resultOk)
                code = thiAddArea(areas, TH_ITEMS(cleaned, thPoint), cleaned.count);
        }
    if (code == th_resultOk)
        code = thiOutlineAreas(areas, areSolid, rings, corners);
    thiArrayFree(&cleaned);
    thiDestroyAreas(areas);
    return code;
}

// Whether no walls are left where polygons meet, which have no area: the border is not longer than
// that of an area without slits, whose corners are cut by buffering a little.
static bool hasNoSlits(const GEOSGeometry* area, const GEOSGeometry* expected)
{
    GEOSGeometry* grown = GEOSBuffer(expected, 0.0001, 8);
    GEOSGeometry* closed = GEOSBuffer(grown, -0.0001, 8);
    double length = 0.0, closedLength = 0.0;
    const double lost = fabs(areaOf(closed) - areaOf(expected)); // buffering may lose whole parts
    GEOSLength(area, &length);
    GEOSLength(closed, &closedLength);
    GEOSGeom_destroy(grown);
    GEOSGeom_destroy(closed);
    return length <= closedLength + 1.0 || lost > 0.1;
}

// Whether our outlines are GEOS's, but for what is moved by less than a millimetre along all edges.
static bool isUnion(const Case* c, bool areSolid)
{
    thMemory memory;
    const thAllocator allocator = thDefaultAllocator();
    thiMemoryInit(&memory, &allocator, 0);
    thArray rings = thiArray(&memory, sizeof(thAreaRing));
    thArray corners = thiArray(&memory, sizeof(thPoint));
    const thResult code = outline(c, areSolid, &memory, &rings, &corners);
    bool holds = code == th_resultOk;
    if (holds) {
        GEOSGeometry* items[MOST_POLYGONS];
        double length = 0.0;
        for (int32_t i = 0; i < c->count; ++i) {
            double own = 0.0;
            items[i] = makePolygon(c, i);
            GEOSLength(items[i], &own);
            length += own;
        }
        GEOSGeometry* expected = uniteAll(items, c->count);
        GEOSGeometry* solids = ringsOf(&rings, &corners, false);
        GEOSGeometry* rooms = ringsOf(&rings, &corners, true);
        GEOSGeometry* free = areSolid ? NULL : GEOSDifference(rooms, solids);
        GEOSGeometry* difference = GEOSSymDifference(expected, areSolid ? solids : free);
        holds = !(areSolid && areaOf(rooms) > 0.0) && areaOf(difference) <= 0.001 * length;
        holds = holds && hasNoSlits(areSolid ? solids : free, expected);
        // Pieces of a solid do not overlap.
        double sum = 0.0;
        for (int32_t i = 0; i < rings.count; ++i) {
            const thAreaRing* ring = &TH_ITEMS(rings, thAreaRing)[i];
            const thPoint* p = &TH_ITEMS(corners, thPoint)[ring->first];
            double area = 0.0;
            for (int32_t k = 0; k < ring->count; ++k) {
                const thPoint a = p[k], b = p[(k + 1) % ring->count];
                area += 0.5 * ((double)a.x * b.y - (double)a.y * b.x) / 4294967296.0;
            }
            if (!ring->isRoom)
                sum += area;
        }
        holds = holds && fabs(sum - areaOf(solids)) <= 0.001 * length;
        GEOSGeom_destroy(expected);
        GEOSGeom_destroy(solids);
        GEOSGeom_destroy(rooms);
        GEOSGeom_destroy(free);
        GEOSGeom_destroy(difference);
    } else
        print_message("code %d\n", (int)code);
    thiArrayFree(&rings);
    thiArrayFree(&corners);
    return holds;
}

typedef struct Lattice {
    float spacing;
    float extent;
    bool areSolid;
} Lattice;

static bool holdsUnion(thGenerator* g, int32_t size, void* context)
{
    const Lattice* lattice = context;
    Case c = {.count = 0};
    for (int32_t i = 0; i < 1 + size % MOST_POLYGONS; ++i)
        drawPolygon(g, &c, lattice->spacing, lattice->extent);
    return isUnion(&c, lattice->areSolid);
}

static void testUnions(void** state)
{
    (void)state;
    // On whole metres, on sixteenths, off any lattice; crowded and sparse.
    const Lattice lattices[] = {{1.0f, 4.0f, false},   {1.0f, 12.0f, false}, {0.0625f, 6.0f, false},
                                {0.0f, 4.0f, false},   {0.0f, 20.0f, false}, {1.0f, 6.0f, true},
                                {0.0625f, 6.0f, true}, {0.0f, 10.0f, true}};
    for (size_t i = 0; i < sizeof lattices / sizeof lattices[0]; ++i)
        assertProperty(&(thProperty){.name = "union",
                                     .seed = 100 + i,
                                     .caseCount = caseCount(150, 5000),
                                     .maxSize = MOST_POLYGONS - 1,
                                     .holds = holdsUnion,
                                     .context = (void*)&lattices[i]});
}

static int setUp(void** state)
{
    (void)state;
    initGEOS(ignoreNotice, ignoreNotice);
    return 0;
}

static int tearDown(void** state)
{
    (void)state;
    finishGEOS();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testUnions)};
    return cmocka_run_group_tests(tests, setUp, tearDown);
}
