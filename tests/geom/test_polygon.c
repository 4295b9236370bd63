// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Outlines held against plain cleaning, and questions about polygons against angles.

#include "gear/allocators.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "geom/fixed.h"
#include "geom/polygon.h"

#define MAX_POINTS 64

static thMemory testMemory;

static int setUp(void** state)
{
    (void)state;
    thiMemoryInit(&testMemory, NULL, 0);
    return 0;
}

static thPoint unitsOf(thVec2 p)
{
    return (thPoint){thiUnits(p.x), thiUnits(p.y)};
}

// Fixed outlines.

static void assertCleaned(const thVec2* points, int32_t count, thObstacleKind kind,
                          const thVec2* expected, int32_t expectedCount)
{
    thArray corners = thiArray(&testMemory, sizeof(thPoint));
    assert_int_equal(thiCleanOutline(points, count, kind, &corners), th_resultOk);
    assert_int_equal(corners.count, expectedCount);
    for (int32_t i = 0; i < expectedCount; ++i) {
        const thPoint corner = unitsOf(expected[i]);
        assert_int_equal(TH_ITEMS(corners, thPoint)[i].x, corner.x);
        assert_int_equal(TH_ITEMS(corners, thPoint)[i].y, corner.y);
    }
    thiArrayFree(&corners);
}

static void assertRefused(const thVec2* points, int32_t count, thObstacleKind kind)
{
    thArray corners = thiArray(&testMemory, sizeof(thPoint));
    *(thPoint*)thiArrayAdd(&corners, 1) = (thPoint){7, 8};
    assert_int_equal(thiCleanOutline(points, count, kind, &corners), th_resultBadArgument);
    assert_int_equal(corners.count, 1);
    assert_int_equal(TH_ITEMS(corners, thPoint)[0].x, 7);
    thiArrayFree(&corners);
}

#define POINTS(...) ((const thVec2[]){__VA_ARGS__})
#define COUNTED(points) points, (int32_t)(sizeof(points) / sizeof((points)[0]))

static void testDirection(void** state)
{
    (void)state;
    const thVec2 left[] = {{0, 0}, {2, 0}, {2, 1}, {0, 1}};
    const thVec2 right[] = {{0, 0}, {0, 1}, {2, 1}, {2, 0}};
    assertCleaned(COUNTED(left), th_obstacleSolid, COUNTED(left));
    assertCleaned(COUNTED(right), th_obstacleSolid, COUNTED(left));
    assertCleaned(COUNTED(left), th_obstacleRoom, COUNTED(right));
    assertCleaned(COUNTED(right), th_obstacleRoom, COUNTED(right));
    assertCleaned(COUNTED(right), th_obstacleMovingPolygon, COUNTED(left));
    assertCleaned(COUNTED(right), th_obstacleWall, COUNTED(right));
}

static void testDuplicates(void** state)
{
    (void)state;
    const thVec2 square[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const thVec2 repeated[] = {{0, 0}, {0, 0}, {1, 0}, {1, 1}, {1, 1}, {1, 1}, {0, 1}, {0, 0}};
    assertCleaned(COUNTED(repeated), th_obstacleSolid, COUNTED(square));
    // Less than a unit apart is the same.
    const thVec2 nearly[] = {{0, 0}, {1e-6f, 0}, {1, 0}, {1, 1}, {0, 1}, {-1e-6f, 1e-6f}};
    assertCleaned(COUNTED(nearly), th_obstacleSolid, COUNTED(square));
}

static void testStraightRuns(void** state)
{
    (void)state;
    const thVec2 square[] = {{2, 0}, {2, 2}, {0, 2}, {0, 0}};
    const thVec2 run[] = {{1, 0}, {2, 0}, {2, 1}, {2, 1.5f}, {2, 2}, {0, 2}, {0, 0}, {0.5f, 0}};
    assertCleaned(COUNTED(run), th_obstacleSolid, COUNTED(square));
    // A millimetre is not nothing.
    const thVec2 bent[] = {{0, 0}, {1, -0.001f}, {2, 0}, {2, 2}};
    assertCleaned(COUNTED(bent), th_obstacleSolid, COUNTED(bent));
}

static void testSpikes(void** state)
{
    (void)state;
    const thVec2 square[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    const thVec2 out[] = {{0, 0}, {2, 0}, {5, 0}, {2, 0}, {2, 2}, {0, 2}};
    const thVec2 inward[] = {{0, 0}, {2, 0}, {2, 2}, {1, 1}, {2, 2}, {0, 2}};
    const thVec2 longTail[] = {{0, 0}, {2, 0}, {2, 2}, {3, 3}, {4, 3}, {3, 3}, {2, 2}, {0, 2}};
    const thVec2 across[] = {{-1, 0}, {2, 0}, {2, 2}, {0, 2}, {0, 0}};
    assertCleaned(COUNTED(out), th_obstacleSolid, COUNTED(square));
    assertCleaned(COUNTED(inward), th_obstacleSolid, COUNTED(square));
    assertCleaned(COUNTED(longTail), th_obstacleSolid, COUNTED(square));
    assertCleaned(COUNTED(across), th_obstacleSolid,
                  COUNTED(POINTS({2, 0}, {2, 2}, {0, 2}, {0, 0})));
}

static void testWalls(void** state)
{
    (void)state;
    assertCleaned(COUNTED(POINTS({0, 0}, {1, 0}, {1, 0}, {3, 0}, {3, 1}, {3, 2})), th_obstacleWall,
                  COUNTED(POINTS({0, 0}, {3, 0}, {3, 2})));
    // There and back, and round to the start.
    const thVec2 back[] = {{0, 0}, {3, 0}, {1, 0}, {1, 1}, {1, 0}};
    assertCleaned(COUNTED(back), th_obstacleWall, COUNTED(back));
    const thVec2 ring[] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}};
    assertCleaned(COUNTED(ring), th_obstacleWall, COUNTED(ring));
    const thVec2 crossing[] = {{0, 0}, {2, 2}, {2, 0}, {0, 2}};
    assertCleaned(COUNTED(crossing), th_obstacleWall, COUNTED(crossing));
    assertCleaned(COUNTED(POINTS({0, 0}, {2, 0}, {1, 0}, {3, 0})), th_obstacleWall,
                  COUNTED(POINTS({0, 0}, {2, 0}, {1, 0}, {3, 0})));
}

static void testRefused(void** state)
{
    (void)state;
    const thVec2 same[] = {{1, 1}, {1, 1}, {1, 1}};
    const thVec2 line[] = {{0, 0}, {1, 1}, {2, 2}, {5, 5}};
    const thVec2 bowTie[] = {{0, 0}, {2, 2}, {2, 0}, {0, 2}};
    const thVec2 touching[] = {{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}; // a corner on an edge
    const thVec2 pinched[] = {{0, 0}, {2, 2}, {4, 0}, {4, 4}, {2, 2}, {0, 4}};
    const thVec2 keyhole[] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 5},
                              {3, 5}, {5, 7}, {5, 3}, {3, 5}, {0, 5}};
    const thVec2 outside[] = {{0, 0}, {30001, 0}, {1, 1}};
    const thVec2 noNumber[] = {{0, 0}, {1, NAN}, {1, 1}};
    const thVec2 infinite[] = {{0, 0}, {-INFINITY, 0}, {1, 1}};
    assertRefused(COUNTED(same), th_obstacleSolid);
    assertRefused(COUNTED(same), th_obstacleWall);
    assertRefused(COUNTED(line), th_obstacleRoom);
    assertRefused(line, 2, th_obstacleSolid);
    assertRefused(line, 1, th_obstacleWall);
    assertRefused(line, 0, th_obstacleWall);
    assertRefused(NULL, 3, th_obstacleWall);
    assertRefused(COUNTED(bowTie), th_obstacleSolid);
    assertRefused(COUNTED(touching), th_obstacleSolid);
    assertRefused(COUNTED(pinched), th_obstacleRoom);
    assertRefused(COUNTED(keyhole), th_obstacleSolid);
    assertRefused(COUNTED(outside), th_obstacleSolid);
    assertRefused(COUNTED(noNumber), th_obstacleWall);
    assertRefused(COUNTED(infinite), th_obstacleWall);
}

// Areas and products beyond 64 bits.
static void testWholeWorld(void** state)
{
    (void)state;
    const float m = (float)THRONG_MAX_COORDINATE;
    const thVec2 world[] = {{-m, -m}, {m, -m}, {m, m}, {-m, m}};
    const thVec2 turned[] = {{-m, -m}, {-m, m}, {m, m}, {m, -m}};
    assertCleaned(COUNTED(world), th_obstacleSolid, COUNTED(world));
    assertCleaned(COUNTED(world), th_obstacleRoom, COUNTED(turned));
}

// Random outlines.

// What cleaning means, written as plainly as can be: as long as some corner may go, it goes.
static int32_t cleanPlainly(thPoint* corners, int32_t count, bool closed)
{
    for (int32_t i = 0; i < count;) {
        const int32_t before = (i + count - 1) % count, after = (i + 1) % count;
        const thPoint a = corners[before], b = corners[i], c = corners[after];
        const bool atEnd = !closed && (i == 0 || i == count - 1);
        const bool repeats = count > 1 && (closed || i > 0) && thiSamePoint(a, b);
        const bool straight = !atEnd && count > 2 &&
                              (closed ? thiOrientation(a, b, c) == 0 : thiPointOnSegment(b, a, c));
        if (repeats || straight) {
            memmove(&corners[i], &corners[i + 1], (size_t)(count - i - 1) * sizeof *corners);
            count -= 1;
            i = 0;
        } else {
            i += 1;
        }
    }
    return count;
}

static bool isSimple(const thPoint* corners, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        for (int32_t k = i + 2; k < count; ++k)
            if ((k + 1) % count != i &&
                thiSegmentsTouch(corners[i], corners[i + 1], corners[k], corners[(k + 1) % count]))
                return false;
    return true;
}

static double areaOf(const thPoint* corners, int32_t count)
{
    double area = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const thPoint a = corners[i], b = corners[(i + 1) % count];
        area += (double)a.x * b.y - (double)a.y * b.x;
    }
    return area / 2.0;
}

// The same outline, from whatever corner and in either direction.
static bool sameRing(const thPoint* a, const thPoint* b, int32_t count)
{
    for (int32_t shift = 0; shift < count; ++shift)
        for (int32_t step = 1; step >= -1; step -= 2) {
            int32_t same = 0;
            while (same < count && thiSamePoint(a[same], b[(shift + step * same + count) % count]))
                same += 1;
            if (same == count)
                return true;
        }
    return false;
}

static bool agreesWithPlain(const thVec2* points, int32_t count, thObstacleKind kind)
{
    const bool closed = kind != th_obstacleWall;
    thPoint plain[MAX_POINTS];
    for (int32_t i = 0; i < count; ++i)
        plain[i] = unitsOf(points[i]);
    const int32_t plainCount = cleanPlainly(plain, count, closed);
    const bool fine = closed ? plainCount >= 3 && isSimple(plain, plainCount) : plainCount >= 2;
    thArray corners = thiArray(&testMemory, sizeof(thPoint));
    const thResult result = thiCleanOutline(points, count, kind, &corners);
    const thPoint* items = TH_ITEMS(corners, thPoint);
    bool good = (result == th_resultOk) == fine && (fine || result == th_resultBadArgument) &&
                corners.count == (fine ? plainCount : 0);
    if (good && fine && closed)
        good = sameRing(items, plain, plainCount) &&
               (areaOf(items, plainCount) > 0.0) == (kind != th_obstacleRoom);
    else if (good && fine)
        good = memcmp(items, plain, (size_t)plainCount * sizeof *plain) == 0;
    thiArrayFree(&corners);
    return good;
}

// Few places, so that all kinds of coincidence happen.
static bool cleansLattice(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thVec2 points[MAX_POINTS];
    const int32_t count = 2 + drawInt(g, 0, size), side = drawInt(g, 1, 6);
    const float scale = drawInt(g, 0, 1) == 0 ? 1.0f : 4096.0f;
    for (int32_t i = 0; i < count; ++i)
        points[i] = (thVec2){scale * (float)drawInt(g, -side, side),
                             scale * (float)drawInt(g, -side, side)};
    const thObstacleKind kinds[] = {th_obstacleSolid, th_obstacleRoom, th_obstacleWall};
    return agreesWithPlain(points, count, kinds[drawInt(g, 0, 2)]);
}

// A star-shaped outline far from the origin; the angles are not equal, so it is simple.
static int32_t drawStar(thGenerator* g, int32_t size, thVec2* points)
{
    const int32_t count = 3 + drawInt(g, 0, size);
    const float x = (float)drawInt(g, -20000, 20000), y = (float)drawInt(g, -20000, 20000);
    for (int32_t i = 0; i < count; ++i) {
        const float angle = 6.2831853f * ((float)i + 0.8f * drawUnit(g)) / (float)count;
        const float radius = drawFloat(g, 1.0f, 1000.0f);
        points[i] = (thVec2){x + radius * cosf(angle), y + radius * sinf(angle)};
    }
    return count;
}

// The same with repeated points and spikes in it, from another corner and the other way round.
static int32_t spoilOutline(thGenerator* g, const thVec2* points, int32_t count, thVec2* spoiled)
{
    const int32_t first = drawInt(g, 0, count - 1);
    const int32_t step = drawInt(g, 0, 1) == 0 ? 1 : count - 1;
    int32_t used = 0;
    for (int32_t i = 0; i < count; ++i) {
        const thVec2 p = points[(first + i * step) % count];
        spoiled[used++] = p;
        const int32_t kind = drawInt(g, 0, 3);
        if (kind == 0)
            spoiled[used++] = p;
        if (kind == 1) {
            spoiled[used++] = (thVec2){p.x + drawFloat(g, -5.0f, 5.0f), p.y};
            spoiled[used++] = p;
        }
    }
    return used;
}

static bool cleansStars(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thVec2 points[MAX_POINTS / 3], spoiled[MAX_POINTS];
    const int32_t count = drawStar(g, size, points);
    const int32_t spoiledCount = spoilOutline(g, points, count, spoiled);
    return agreesWithPlain(points, count, th_obstacleSolid) &&
           agreesWithPlain(spoiled, spoiledCount, th_obstacleRoom) &&
           agreesWithPlain(spoiled, spoiledCount, th_obstacleWall);
}

static void testAgainstPlain(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "clean lattice outlines",
                                 .seed = 1,
                                 .caseCount = 200000,
                                 .maxSize = 12,
                                 .holds = cleansLattice});
    assertProperty(&(thProperty){
        .name = "clean stars", .seed = 2, .caseCount = 5000, .maxSize = 18, .holds = cleansStars});
}

// A comb of 20,000 corners: simple, and then with one tooth that touches the next.
static void testManyCorners(void** state)
{
    (void)state;
    const int32_t teeth = 5000, count = 4 * teeth;
    thVec2* points = test_malloc((size_t)count * sizeof *points);
    for (int32_t i = 0; i < teeth; ++i) {
        const float x = (float)i;
        points[4 * i] = (thVec2){x, 0.0f};
        points[4 * i + 1] = (thVec2){x, 100.0f};
        points[4 * i + 2] = (thVec2){x + 0.5f, 100.0f};
        points[4 * i + 3] = (thVec2){x + 0.5f, 0.0f};
    }
    points[0].y = -1.0f; // the back of the comb
    points[count - 1].y = -1.0f;
    thArray corners = thiArray(&testMemory, sizeof(thPoint));
    assert_int_equal(thiCleanOutline(points, count, th_obstacleSolid, &corners), th_resultOk);
    assert_int_equal(corners.count, count);
    points[4 * 4000 + 2].x += 0.5f;
    assert_int_equal(thiCleanOutline(points, count, th_obstacleSolid, &corners),
                     th_resultBadArgument);
    assert_int_equal(corners.count, count);
    thiArrayFree(&corners);
    test_free(points);
}

static thResult cleanTwice(const thAllocator* allocator, void* context)
{
    (void)context;
    const thVec2 square[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    thMemory memory;
    thiMemoryInit(&memory, allocator, 0);
    thArray corners = thiArray(&memory, sizeof(thPoint));
    thResult result = thiCleanOutline(COUNTED(square), th_obstacleSolid, &corners);
    for (int32_t i = 0; i < 4 && result == th_resultOk; ++i) {
        const int32_t before = corners.count;
        result = thiCleanOutline(COUNTED(square), th_obstacleRoom, &corners);
        assert_int_equal(corners.count, before + (result == th_resultOk ? 4 : 0));
    }
    thiArrayFree(&corners);
    return result;
}

static void testNoMemory(void** state)
{
    (void)state;
    assert_true(failEachAllocation(cleanTwice, NULL) > 5);
}

// Questions.

static void testConvex(void** state)
{
    (void)state;
    const thPoint square[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    const thPoint clockwise[] = {{0, 0}, {0, 2}, {2, 2}, {2, 0}};
    const thPoint dart[] = {{0, 0}, {4, 0}, {1, 1}, {0, 4}};
    const thPoint dented[] = {{1, 1}, {0, 4}, {0, 0}, {4, 0}}; // dented at the first corner
    assert_true(thiIsConvex(COUNTED(square)));
    assert_true(thiIsConvex(square, 3));
    assert_true(thiIsConvex(COUNTED(clockwise)));
    assert_false(thiIsConvex(COUNTED(dart)));
    assert_false(thiIsConvex(COUNTED(dented)));
}

// Boundary by trying all edges, the rest by the sum of angles.
static int32_t sideByAngles(const thPoint* corners, int32_t count, thPoint p)
{
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const thPoint a = corners[i], b = corners[(i + 1) % count];
        if (thiPointOnSegment(p, a, b))
            return 0;
        const double ax = (double)a.x - p.x, ay = (double)a.y - p.y;
        const double bx = (double)b.x - p.x, by = (double)b.y - p.y;
        sum += atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    return fabs(sum) > 3.0 ? 1 : -1;
}

static double lengthOf(thVec2 v)
{
    return hypot((double)v.x, (double)v.y);
}

// Ends in the polygon, and no boundary point tried is nearer.
static bool isNearestOfPolygon(const thPoint* corners, int32_t count, thPoint p)
{
    const thVec2 found = thiToPolygon(p, corners, count);
    if (sideByAngles(corners, count, p) >= 0)
        return sameBits(found.x, 0.0f) && sameBits(found.y, 0.0f);
    const double distance = lengthOf(found), slack = 1e-6 * distance + 1e-9;
    double nearest = INFINITY;
    for (int32_t i = 0; i < count; ++i)
        nearest = fmin(nearest, lengthOf(thiToSegment(p, corners[i], corners[(i + 1) % count])));
    bool good = distance > 0.0 && fabs(distance - nearest) <= slack;
    for (int32_t i = 0; i < count; ++i)
        for (int32_t k = 0; k <= 16; ++k) {
            const thPoint a = corners[i], b = corners[(i + 1) % count];
            const double x = a.x - (double)p.x + ((double)b.x - a.x) * k / 16;
            const double y = a.y - (double)p.y + ((double)b.y - a.y) * k / 16;
            good = good && hypot(x, y) / THRONG_UNITS_PER_METRE >= distance - slack;
        }
    return good;
}

static bool answersRight(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thPoint points[MAX_POINTS];
    const int32_t drawn = 3 + drawInt(g, 0, size), side = 4;
    for (int32_t i = 0; i < drawn; ++i)
        points[i] = (thPoint){drawInt(g, -side, side), drawInt(g, -side, side)};
    const int32_t kept = cleanPlainly(points, drawn, true);
    if (kept < 3 || !isSimple(points, kept))
        return true;
    for (int32_t y = -side - 1; y <= side + 1; ++y)
        for (int32_t x = -side - 1; x <= side + 1; ++x) {
            const thPoint p = {x, y};
            if (thiPolygonSide(points, kept, p) != sideByAngles(points, kept, p) ||
                !isNearestOfPolygon(points, kept, p))
                return false;
        }
    return true;
}

static void testPolygonQuestions(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "polygon questions",
                                 .seed = 3,
                                 .caseCount = 5000,
                                 .maxSize = 6,
                                 .holds = answersRight});
}

static void assertVector(thVec2 v, double x, double y, double tolerance)
{
    assert_near((double)v.x, x, tolerance);
    assert_near((double)v.y, y, tolerance);
}

static void testToShapes(void** state)
{
    (void)state;
    const int32_t metre = THRONG_UNITS_PER_METRE;
    const thPoint origin = {0, 0}, far = {20000 * metre, -20000 * metre};
    const thPoint p = {far.x + 3 * metre, far.y + 4 * metre};
    assertVector(thiToPoint(p, far), -3.0, -4.0, 0.0);
    assertVector(thiToPoint(p, p), 0.0, 0.0, 0.0);
    assertVector(thiToPoint((thPoint){-TH_MAX_UNITS, 0}, (thPoint){TH_MAX_UNITS, 0}), 60000.0, 0.0,
                 0.0);
    assertVector(thiToDisc(p, far, 1.0f), -2.4, -3.2, 1e-6);
    assertVector(thiToDisc(p, far, 5.0f), 0.0, 0.0, 0.0);
    assertVector(thiToDisc(p, far, 9.0f), 0.0, 0.0, 0.0);
    assertVector(thiToDisc(p, p, 0.0f), 0.0, 0.0, 0.0);
    assertVector(thiToSegment(p, far, (thPoint){far.x + 9 * metre, far.y}), 0.0, -4.0, 0.0);
    assertVector(thiToSegment(p, far, far), -3.0, -4.0, 0.0);
    // On a segment of the world's length, where a share of it is not exact.
    const thPoint a = {-3 * 5001, -7 * 5001}, b = {3 * 80001, 7 * 80001};
    assertVector(thiToSegment((thPoint){3 * 777, 7 * 777}, a, b), 0.0, 0.0, 0.0);
    assertVector(thiToSegment(origin, a, b), 0.0, 0.0, 0.0);
    const thPoint square[] = {{0, 0}, {metre, 0}, {metre, metre}, {0, metre}};
    assertVector(thiToPolygon((thPoint){3 * metre, 2 * metre}, COUNTED(square)), -2.0, -1.0, 0.0);
    assertVector(thiToPolygon((thPoint){1, 1}, COUNTED(square)), 0.0, 0.0, 0.0);
    assertVector(thiToPolygon((thPoint){metre, metre / 2}, COUNTED(square)), 0.0, 0.0, 0.0);
    assertVector(thiToPolygon((thPoint){metre / 2, -1}, COUNTED(square)), 0.0, 1.0 / metre, 0.0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(testDirection, setUp),
        cmocka_unit_test_setup(testDuplicates, setUp),
        cmocka_unit_test_setup(testStraightRuns, setUp),
        cmocka_unit_test_setup(testSpikes, setUp),
        cmocka_unit_test_setup(testWalls, setUp),
        cmocka_unit_test_setup(testRefused, setUp),
        cmocka_unit_test_setup(testWholeWorld, setUp),
        cmocka_unit_test_setup(testAgainstPlain, setUp),
        cmocka_unit_test_setup(testManyCorners, setUp),
        cmocka_unit_test(testNoMemory),
        cmocka_unit_test(testConvex),
        cmocka_unit_test(testPolygonQuestions),
        cmocka_unit_test(testToShapes),
    };
    return RUN_TESTS(tests, argc, argv);
}
