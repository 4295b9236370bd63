// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls: every search held against all segments, whatever order they come in.

#include "gear/allocators.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "geom/fixed.h"
#include "geom/segment.h"
#include "space/sense.h"
#include "space/walls.h"

#include <stdlib.h>

#define METRE THRONG_UNITS_PER_METRE
#define MAX_SEGMENTS 256
#define MAX_NEAR 1024

__extension__ typedef __int128 Int128;

static thMemory testMemory;

static int setUp(void** state)
{
    (void)state;
    thiMemoryInit(&testMemory, NULL, 0);
    return 0;
}

static thWallGrid* buildGrid(const thWallSegment* segments, int32_t count)
{
    thWallGrid* grid;
    assert_int_equal(thiCreateWallGrid(&testMemory, &grid), th_resultOk);
    assert_int_equal(thiWallGridBuild(grid, segments, count), th_resultOk);
    return grid;
}

static thWallSegment makeSegment(int32_t ax, int32_t ay, int32_t bx, int32_t by)
{
    return (thWallSegment){.ax = ax, .ay = ay, .bx = bx, .by = by};
}

static thPoint startOf(const thWalls* walls, int32_t i)
{
    return (thPoint){walls->ax[i], walls->ay[i]};
}

static thPoint endOf(const thWalls* walls, int32_t i)
{
    return (thPoint){walls->bx[i], walls->by[i]};
}

// Brute force.

static int compareNear(const void* left, const void* right)
{
    const thNearWall* a = left;
    const thNearWall* b = right;
    if (a->distanceSq != b->distanceSq)
        return a->distanceSq < b->distanceSq ? -1 : 1;
    return (a->segment > b->segment) - (a->segment < b->segment);
}

static float distanceSqTo(const thWalls* walls, int32_t i, thPoint p)
{
    const thOffset offset = thiOffsetToSegment(p, startOf(walls, i), endOf(walls, i));
    return (float)((offset.x * offset.x + offset.y * offset.y) / ((double)METRE * METRE));
}

static int32_t nearestOfAll(const thWalls* walls, int32_t level, thPoint p, float radius,
                            float reach, int32_t count, thNearWall* out)
{
    int32_t found = 0, inReach = 0;
    for (int32_t i = 0; i < walls->count; ++i) {
        const float distanceSq = distanceSqTo(walls, i, p);
        if (walls->level[i] != level || distanceSq > fmaxf(radius * radius, reach * reach))
            continue;
        out[found++] = (thNearWall){distanceSq, i};
        inReach += distanceSq <= reach * reach;
    }
    qsort(out, (size_t)found, sizeof *out, compareNear);
    return TH_MIN(found, inReach + count);
}

static bool someHides(const thWalls* walls, int32_t level, thPoint a, thPoint b)
{
    for (int32_t i = 0; i < walls->count; ++i)
        if (walls->level[i] == level && thiSegmentsTouch(a, b, startOf(walls, i), endOf(walls, i)))
            return true;
    return false;
}

// A share of the way as a fraction whose bottom is positive.
typedef struct Share {
    Int128 top, bottom;
} Share;

// Where c d is met: along x or y of the way for ends on the way's line, else where the lines meet.
static Share shareOf(thPoint a, thPoint b, thPoint c, thPoint d)
{
    const Int128 wayX = (Int128)b.x - a.x, wayY = (Int128)b.y - a.y;
    const Int128 wallX = (Int128)d.x - c.x, wallY = (Int128)d.y - c.y;
    const Int128 bottom = wayX * wallY - wayY * wallX;
    const Int128 top = ((Int128)c.x - a.x) * wallY - ((Int128)c.y - a.y) * wallX;
    if (bottom != 0)
        return bottom > 0 ? (Share){top, bottom} : (Share){-top, -bottom};
    const Int128 lengthSq = wayX * wayX + wayY * wayY;
    if (lengthSq == 0 || thiPointOnSegment(a, c, d))
        return (Share){0, 1};
    const Int128 toC = ((Int128)c.x - a.x) * wayX + ((Int128)c.y - a.y) * wayY;
    const Int128 toD = ((Int128)d.x - a.x) * wayX + ((Int128)d.y - a.y) * wayY;
    return (Share){TH_MIN(toC, toD), lengthSq};
}

// Two shares with long bottoms, of walls on the way's line, have the same one.
static bool isLess(Share a, Share b)
{
    return a.bottom == b.bottom ? a.top < b.top : a.top * b.bottom < b.top * a.bottom;
}

static int32_t firstOfAll(const thWalls* walls, int32_t level, thPoint a, thPoint b, Share* first)
{
    int32_t hit = -1;
    for (int32_t i = 0; i < walls->count; ++i) {
        const thPoint c = startOf(walls, i), d = endOf(walls, i);
        if (walls->level[i] != level || !thiSegmentsTouch(a, b, c, d))
            continue;
        const Share share = shareOf(a, b, c, d);
        if (hit < 0 || isLess(share, *first)) {
            hit = i;
            *first = share;
        }
    }
    return hit;
}

static bool nearestAgrees(const thWallGrid* grid, int32_t level, thPoint p, float radius,
                          float reach, int32_t count, int32_t capacity)
{
    static thNearWall expected[MAX_NEAR * 64], found[MAX_NEAR * 64];
    const thNearWall untouched = {-7.0f, -7};
    for (int32_t i = 0; i <= capacity; ++i)
        found[i] = untouched;
    const int32_t total =
        nearestOfAll(thiWallGridWalls(grid), level, p, radius, reach, count, expected);
    const int32_t result =
        thiNearestWalls(grid, level, p.x, p.y, radius, reach, count, found, capacity);
    const int32_t written = TH_MIN(total, capacity);
    return result == total && memcmp(found, expected, (size_t)written * sizeof *found) == 0 &&
           memcmp(&found[written], &untouched, sizeof untouched) == 0;
}

static bool linesAgree(const thWallGrid* grid, int32_t level, thPoint a, thPoint b)
{
    const thWalls* walls = thiWallGridWalls(grid);
    Share share = {0, 1};
    float fraction = -7.0f;
    const int32_t expected = firstOfAll(walls, level, a, b, &share);
    const int32_t hit = thiWallsCastRay(grid, level, a.x, a.y, b.x, b.y, &fraction);
    const double exact = expected < 0 ? -7.0 : (double)share.top / (double)share.bottom;
    return hit == expected && fabs((double)fraction - exact) <= 1e-7 &&
           (hit < 0 || (fraction >= 0.0f && fraction <= 1.0f)) &&
           thiWallsHide(grid, level, a.x, a.y, b.x, b.y) == someHides(walls, level, a, b);
}

// Random walls.

// How coordinates are drawn: about a centre, in whole steps, within a range.
typedef struct Lattice {
    thPoint centre;
    int32_t step;  // units
    int32_t range; // steps
} Lattice;

static int32_t keepInWorld(int64_t value)
{
    return (int32_t)TH_MIN(TH_MAX(value, -TH_MAX_UNITS), TH_MAX_UNITS);
}

static Lattice drawLattice(thGenerator* g)
{
    static const Lattice kinds[] = {
        {{0, 0}, 4 * METRE, 5},                            // on the borders of cells
        {{0, 0}, METRE, 12},                               //
        {{0, 0}, 1, 20 * METRE},                           // anywhere
        {{0, 0}, METRE / 1000, 8},                         // a millimetre apart
        {{20000 * METRE, -20000 * METRE}, METRE / 4, 100}, // far from the origin
        {{TH_MAX_UNITS, -TH_MAX_UNITS}, 4 * METRE, 50},    // at the end of the world
        {{0, 0}, 100 * METRE, 8},                          // some are cut
        {{0, 0}, 1000 * METRE, 30},                        // the whole world
        {{0, 0}, 1, TH_MAX_UNITS},                         // the whole world, anywhere
    };
    return kinds[drawInt(g, 0, (int32_t)(sizeof kinds / sizeof kinds[0]) - 1)];
}

static thPoint drawPoint(thGenerator* g, const Lattice* lattice)
{
    const int64_t x = drawInt(g, -lattice->range, lattice->range);
    const int64_t y = drawInt(g, -lattice->range, lattice->range);
    return (thPoint){keepInWorld(lattice->centre.x + x * lattice->step),
                     keepInWorld(lattice->centre.y + y * lattice->step)};
}

static thWallSegment drawSegment(thGenerator* g, const Lattice* lattice, int32_t levelCount)
{
    const thPoint a = drawPoint(g, lattice);
    thPoint b = drawPoint(g, lattice);
    const int32_t kind = drawInt(g, 0, 7);
    if (kind == 0)
        b.x = a.x;
    if (kind == 1)
        b.y = a.y;
    if (kind >= 5) { // short
        b.x = keepInWorld((int64_t)a.x + (b.x - (int64_t)a.x) / 64);
        b.y = keepInWorld((int64_t)a.y + (b.y - (int64_t)a.y) / 64);
    }
    thWallSegment segment = makeSegment(a.x, a.y, b.x, b.y);
    segment.level = (uint16_t)(drawInt(g, 0, levelCount - 1) * (levelCount > 3 ? 1000 : 1));
    segment.oneSided = (uint8_t)drawInt(g, 0, 1);
    segment.obstacle = drawInt(g, 0, 9);
    return segment;
}

static thWallSegment turnRound(thWallSegment segment)
{
    thWallSegment turned = segment;
    turned.ax = segment.bx;
    turned.ay = segment.by;
    turned.bx = segment.ax;
    turned.by = segment.ay;
    return turned;
}

static int32_t drawSegments(thGenerator* g, const Lattice* lattice, int32_t size,
                            thWallSegment* segments)
{
    const int32_t count = drawInt(g, 0, size), levelCount = drawInt(g, 1, 3) == 3 ? 60 : 2;
    for (int32_t i = 0; i < count; ++i) {
        segments[i] = drawSegment(g, lattice, levelCount);
        const int32_t kind = drawInt(g, 0, 9);
        if (i > 0 && kind < 2) {
            const thWallSegment other = segments[drawInt(g, 0, i - 1)];
            segments[i] = kind == 0 ? other : turnRound(other);
        }
        if (i > 0 && kind == 2) { // one goes on where another ends
            segments[i].ax = segments[i - 1].bx;
            segments[i].ay = segments[i - 1].by;
        }
    }
    return count;
}

// A point among the walls, or on one, or at its end.
static thPoint drawQuery(thGenerator* g, const Lattice* lattice, const thWalls* walls)
{
    const int32_t kind = drawInt(g, 0, 3);
    if (kind < 2 || walls->count == 0)
        return drawPoint(g, lattice);
    const int32_t i = drawInt(g, 0, walls->count - 1);
    const thPoint a = startOf(walls, i), b = endOf(walls, i);
    if (kind == 2)
        return a;
    return (thPoint){(int32_t)(((int64_t)a.x + b.x) / 2), (int32_t)(((int64_t)a.y + b.y) / 2)};
}

static float drawDistance(thGenerator* g, const Lattice* lattice)
{
    const float side = (float)lattice->step * (float)lattice->range / METRE;
    switch (drawInt(g, 0, 5)) {
    case 0:
        return 0.0f;
    case 1:
        return (float)lattice->step / METRE; // so that walls are at exactly this distance
    case 2:
        return 4.0f * side;
    default:
        return drawFloat(g, 0.0f, side);
    }
}

static bool queriesAgree(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static thWallSegment segments[MAX_SEGMENTS];
    const Lattice lattice = drawLattice(g);
    const int32_t count = drawSegments(g, &lattice, size, segments);
    thWallGrid* grid = buildGrid(segments, count);
    const thWalls* walls = thiWallGridWalls(grid);
    bool good = true;
    for (int32_t i = 0; i < 20 && good; ++i) {
        const int32_t level = count > 0 && drawInt(g, 0, 4) > 0
                                  ? segments[drawInt(g, 0, count - 1)].level
                                  : drawInt(g, -1, 70000);
        const thPoint a = drawQuery(g, &lattice, walls), b = drawQuery(g, &lattice, walls);
        good =
            nearestAgrees(grid, level, a, drawDistance(g, &lattice), drawDistance(g, &lattice),
                          drawInt(g, 0, 12), drawInt(g, 0, 3) == 0 ? drawInt(g, 0, 5) : MAX_NEAR) &&
            linesAgree(grid, level, a, b) && linesAgree(grid, level, b, a) &&
            linesAgree(grid, level, a, a);
    }
    thiDestroyWallGrid(grid);
    return good && testMemory.bytes == 0;
}

static void testQueries(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "wall queries",
                                 .seed = 1,
                                 .caseCount = 1500,
                                 .maxSize = 100,
                                 .holds = queriesAgree});
}

// Building.

static void shuffle(thGenerator* g, thWallSegment* segments, int32_t count)
{
    for (int32_t i = count - 1; i > 0; --i) {
        const int32_t k = drawInt(g, 0, i);
        const thWallSegment held = segments[i];
        segments[i] = segments[k];
        segments[k] = held;
    }
}

#define SAME_COLUMN(name) (memcmp(a->name, b->name, (size_t)a->count * sizeof *a->name) == 0)

static bool sameWalls(const thWalls* a, const thWalls* b)
{
    return a->count == b->count && SAME_COLUMN(ax) && SAME_COLUMN(ay) && SAME_COLUMN(bx) &&
           SAME_COLUMN(by) && SAME_COLUMN(oneSided) && SAME_COLUMN(level) && SAME_COLUMN(obstacle);
}

// In another order, thin walls the other way round, and some twice: the same walls.
static bool orderDoesNotCount(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static thWallSegment segments[2 * MAX_SEGMENTS];
    const Lattice lattice = drawLattice(g);
    int32_t count = drawSegments(g, &lattice, size, segments);
    thWallGrid* grid = buildGrid(segments, count);
    for (int32_t i = 0, first = count; i < first; ++i) {
        if (segments[i].oneSided == 0 && drawInt(g, 0, 1) == 0)
            segments[i] = turnRound(segments[i]);
        if (drawInt(g, 0, 3) == 0)
            segments[count++] = segments[i];
    }
    shuffle(g, segments, count);
    thWallGrid* other = buildGrid(segments, count);
    const bool good = sameWalls(thiWallGridWalls(grid), thiWallGridWalls(other));
    thiDestroyWallGrid(grid);
    thiDestroyWallGrid(other);
    return good;
}

static void testOrderDoesNotCount(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "order of walls",
                                 .seed = 2,
                                 .caseCount = 2000,
                                 .maxSize = 200,
                                 .holds = orderDoesNotCount});
}

static bool isSegment(const thWalls* walls, int32_t i, const thWallSegment* segment)
{
    return walls->ax[i] == segment->ax && walls->ay[i] == segment->ay &&
           walls->bx[i] == segment->bx && walls->by[i] == segment->by &&
           walls->level[i] == segment->level && walls->oneSided[i] == segment->oneSided &&
           walls->obstacle[i] == segment->obstacle;
}

static void testDuplicates(void** state)
{
    (void)state;
    thWallSegment s[8];
    for (int32_t i = 0; i < 8; ++i)
        s[i] = (thWallSegment){0, 0, 9, 5, .obstacle = 8 - i};
    // The same way: one-sided as it was, of the first obstacle.
    s[0].oneSided = s[1].oneSided = 1;
    thWallGrid* grid = buildGrid(s, 2);
    assert_int_equal(thiWallGridWalls(grid)->count, 1);
    assert_true(isSegment(thiWallGridWalls(grid), 0, &s[1]));
    thiDestroyWallGrid(grid);
    // Turned, still one-sided, in the direction given.
    s[0] = turnRound(s[0]);
    grid = buildGrid(s, 1);
    assert_true(isSegment(thiWallGridWalls(grid), 0, &s[0]));
    thiDestroyWallGrid(grid);
    // Against each other: a thin wall. And with a thin wall: likewise.
    grid = buildGrid(s, 2);
    const thWallSegment thin = {0, 0, 9, 5, .obstacle = 7};
    assert_int_equal(thiWallGridWalls(grid)->count, 1);
    assert_true(isSegment(thiWallGridWalls(grid), 0, &thin));
    thiDestroyWallGrid(grid);
    grid = buildGrid(&s[1], 2);
    assert_int_equal(thiWallGridWalls(grid)->count, 1);
    assert_int_equal(thiWallGridWalls(grid)->oneSided[0], 0);
    thiDestroyWallGrid(grid);
    // On another level it is another one; without length it is none.
    s[3].level = 65535;
    s[4].bx = 0;
    s[4].by = 0;
    grid = buildGrid(&s[2], 3);
    assert_int_equal(thiWallGridWalls(grid)->count, 2);
    assert_int_equal(thiWallGridWalls(grid)->level[1], 65535);
    assert_true(thiWallsHide(grid, 65535, 0, 5, 9, 0));
    assert_false(thiWallsHide(grid, 65534, 0, 5, 9, 0));
    thiDestroyWallGrid(grid);
}

// Pieces meet, are short, lie on the line to a unit, and keep direction and kind.
static void testLongSegments(void** state)
{
    (void)state;
    const int32_t m = TH_MAX_UNITS;
    const thWallSegment longOnes[] = {
        {-m, -m, m, m, .oneSided = 1, .obstacle = 3},
        {m, -m + 7, -m, m, .level = 1, .oneSided = 1},
        {-m, 12345, m, 12345, .level = 2},
        {5, m, 5, -m, .level = 3, .oneSided = 1},
        {0, 0, 1000 * METRE, 0, .level = 4},
        {0, 0, 1000 * METRE, 1, .level = 5},
    };
    static const int32_t pieceCounts[] = {85, 85, 61, 61, 1, 2};
    for (int32_t i = 0; i < 6; ++i) {
        const thWallSegment* whole = &longOnes[i];
        thWallGrid* grid = buildGrid(whole, 1);
        const thWalls* walls = thiWallGridWalls(grid);
        assert_int_equal(walls->count, pieceCounts[i]);
        const bool forward = walls->ax[0] == whole->ax && walls->ay[0] == whole->ay;
        const thPoint a = {whole->ax, whole->ay}, b = {whole->bx, whole->by};
        for (int32_t k = 0; k < walls->count; ++k) {
            const thPoint c = startOf(walls, k), d = endOf(walls, k);
            assert_true(hypot((double)d.x - c.x, (double)d.y - c.y) <= 1000.0 * METRE);
            const thOffset off = thiOffsetToSegment(d, a, b);
            assert_true(hypot(off.x, off.y) <= 1.0);
            assert_int_equal(walls->oneSided[k], whole->oneSided);
            assert_int_equal(walls->level[k], whole->level);
            assert_int_equal(walls->obstacle[k], whole->obstacle);
            if (k > 0)
                assert_true(forward ? thiSamePoint(endOf(walls, k - 1), c)
                                    : thiSamePoint(startOf(walls, k - 1), d));
        }
        const int32_t last = forward ? walls->count - 1 : 0;
        assert_true(thiSamePoint(endOf(walls, last), b));
        assert_true(thiSamePoint(startOf(walls, forward ? 0 : walls->count - 1), a));
        thiDestroyWallGrid(grid);
    }
}

static void testEmpty(void** state)
{
    (void)state;
    thWallGrid* grid;
    assert_int_equal(thiCreateWallGrid(&testMemory, &grid), th_resultOk);
    for (int32_t round = 0; round < 3; ++round) {
        float fraction;
        thNearWall near;
        assert_int_equal(thiWallGridWalls(grid)->count, 0);
        assert_int_equal(thiNearestWalls(grid, 0, 0, 0, 1e9f, 1e9f, 5, &near, 1), 0);
        assert_false(thiWallsHide(grid, 0, -9, -9, 9, 9));
        assert_int_equal(thiWallsCastRay(grid, 0, -9, -9, 9, 9, &fraction), -1);
        const thWallSegment segment = makeSegment(-9, 9, 9, -9);
        assert_int_equal(thiWallGridBuild(grid, &segment, round > 0), th_resultOk);
        assert_int_equal(thiWallGridBuild(grid, NULL, 0), th_resultOk);
    }
    thiDestroyWallGrid(grid);
    thiDestroyWallGrid(NULL);
    assert_int_equal(testMemory.bytes, 0);
}

static void testDistances(void** state)
{
    (void)state;
    const thWallSegment segments[] = {makeSegment(0, METRE, 9 * METRE, METRE),
                                      makeSegment(0, 3 * METRE, 9 * METRE, 3 * METRE)};
    thWallGrid* grid = buildGrid(segments, 2);
    thNearWall near[2];
    const int32_t x = 4 * METRE;
    assert_int_equal(thiNearestWalls(grid, 0, x, 0, 3.0f, 0.0f, 8, near, 2), 2);
    assert_same_bits(near[0].distanceSq, 1.0f);
    assert_same_bits(near[1].distanceSq, 9.0f);
    assert_int_equal(thiNearestWalls(grid, 0, x, -1, 3.0f, 0.0f, 8, near, 2), 1);
    assert_int_equal(thiNearestWalls(grid, 0, x, -1, 0.5f, 4.0f, 0, near, 2), 2);
    assert_int_equal(thiNearestWalls(grid, 0, x, 0, 3.0f, 1.0f, 0, near, 2), 1);
    assert_int_equal(thiNearestWalls(grid, 0, x, 0, 3.0f, 0.5f, 1, near, 2), 1);
    assert_int_equal(thiNearestWalls(grid, 0, x, 0, 3.0f, 3.0f, 0, NULL, 0), 2);
    assert_int_equal(thiNearestWalls(grid, 0, x, METRE, 0.0f, -1.0f, 5, near, 2), 1);
    assert_int_equal(thiNearestWalls(grid, 0, x, METRE, -1.0f, -1.0f, 5, near, 2), 0);
    thiDestroyWallGrid(grid);
}

// Sixteen agents at once: their candidates are those near the box of their places, ascending, and
// each lane gets what it gets alone, wherever the kernel knows.

static thNearWallsFcn* const nearKernels[th_simdCount] = TH_KERNEL_TABLE(thiNearWalls);

typedef struct Lanes {
    int32_t px[TH_MAX_WIDTH], py[TH_MAX_WIDTH];
    float radius, reach[TH_MAX_WIDTH];
    int32_t count;
    int32_t segments[MAX_SEGMENTS], segmentCount;
} Lanes;

static void checkCandidates(const thWallGrid* grid, thPoint low, thPoint high, float furthest,
                            Lanes* lanes)
{
    uint64_t room[MAX_SEGMENTS / 32];
    assert_true(thiWallMarkWords(grid) <= sizeof room / sizeof room[0]);
    thWallMarks marks = thiWallMarks(grid, room);
    for (int32_t round = 0; round < 2; ++round) { // marks can be used again
        const int64_t span = thiWallSpan(furthest);
        const int32_t marked = thiMarkWallsNearBox(grid, 0, low, high, span, &marks);
        lanes->segmentCount = thiTakeWallMarks(grid, low, high, span, &marks, lanes->segments);
        assert_true(lanes->segmentCount <= marked);
    }
    for (int32_t i = 1; i < lanes->segmentCount; ++i)
        assert_true(lanes->segments[i - 1] < lanes->segments[i]);
    const thWalls* walls = thiWallGridWalls(grid);
    for (int32_t i = 0, at = 0; i < walls->count; ++i) {
        while (at < lanes->segmentCount && lanes->segments[at] < i)
            at += 1;
        bool isNear = false;
        for (int32_t k = 0; k < TH_MAX_WIDTH && walls->level[i] == 0; ++k)
            isNear |= distanceSqTo(walls, i, (thPoint){lanes->px[k], lanes->py[k]}) <=
                      furthest * furthest;
        assert_true(!isNear || (at < lanes->segmentCount && lanes->segments[at] == i));
    }
}

// How many lanes the kernel does not know.
static int32_t checkLanes(const thWallGrid* grid, const Lanes* lanes, thNearWallsFcn* kernel)
{
    int32_t counts[TH_MAX_WIDTH], lists[TH_NEAR_WALLS * TH_MAX_WIDTH];
    int32_t near[MAX_SEGMENTS + TH_WALL_GROUP];
    float distancesSq[(MAX_SEGMENTS + TH_WALL_GROUP) * TH_MAX_WIDTH], nearestSq[TH_MAX_WIDTH];
    float limitSq[TH_MAX_WIDTH], reachSq[TH_MAX_WIDTH];
    for (int32_t i = 0; i < TH_MAX_WIDTH; ++i) {
        reachSq[i] = thiWallSquare(lanes->reach[i]);
        limitSq[i] = fmaxf(thiWallSquare(lanes->radius), reachSq[i]);
    }
    const thNearWallsTask task = {.walls = thiWallGridWalls(grid),
                                  .segments = lanes->segments,
                                  .segmentCount = lanes->segmentCount,
                                  .count = lanes->count,
                                  .px = lanes->px,
                                  .py = lanes->py,
                                  .limitSq = limitSq,
                                  .reachSq = reachSq,
                                  .nearestSq = nearestSq,
                                  .counts = counts,
                                  .lists = lists,
                                  .near = near,
                                  .distancesSq = distancesSq};
    kernel(&task);
    int32_t unknown = 0;
    for (int32_t i = 0; i < TH_MAX_WIDTH; ++i) {
        thNearWall alone[MAX_SEGMENTS];
        const thPoint p = {lanes->px[i], lanes->py[i]};
        const int32_t nearest = thiNearestWalls(grid, 0, p.x, p.y, lanes->radius, lanes->reach[i],
                                                1, alone, MAX_SEGMENTS);
        assert_same_bits(nearestSq[i], nearest > 0 ? alone[0].distanceSq : -limitSq[i]);
        const int32_t expected = thiNearestWalls(grid, 0, p.x, p.y, lanes->radius, lanes->reach[i],
                                                 lanes->count, alone, MAX_SEGMENTS);
        unknown += counts[i] < 0;
        if (counts[i] >= 0)
            assert_int_equal(counts[i], expected);
        for (int32_t k = 0; k < TH_NEAR_WALLS; ++k)
            assert_int_equal(lists[k * TH_MAX_WIDTH + i], k < counts[i] ? alone[k].segment : -1);
    }
    return unknown;
}

static void testLanes(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(11, 0);
    int32_t unknown = 0, asked = 0;
    for (int32_t round = 0; round < 300; ++round) {
        static const int32_t steps[] = {METRE / 2, METRE / 3, 1, METRE / 1000};
        const int32_t step = steps[round % 4];
        const Lattice lattice = {{7 * METRE, -3 * METRE}, step, 8 * METRE / step};
        thWallSegment segments[MAX_SEGMENTS];
        const int32_t count = drawInt(&g, 0, round % 3 == 0 ? 200 : 30);
        for (int32_t i = 0; i < count; ++i)
            segments[i] = drawSegment(&g, &lattice, 1 + round % 2);
        thWallGrid* grid = buildGrid(segments, count);
        Lanes lanes = {.radius = drawFloat(&g, -0.5f, 5.0f), .count = drawInt(&g, 0, 9)};
        float furthest = lanes.radius;
        thPoint low = {INT32_MAX, INT32_MAX}, high = {INT32_MIN, INT32_MIN};
        for (int32_t i = 0; i < TH_MAX_WIDTH; ++i) {
            const thPoint p = drawPoint(&g, &lattice);
            lanes.px[i] = p.x;
            lanes.py[i] = p.y;
            lanes.reach[i] = drawFloat(&g, -0.1f, 0.9f);
            furthest = fmaxf(furthest, lanes.reach[i]);
            low = (thPoint){TH_MIN(low.x, p.x), TH_MIN(low.y, p.y)};
            high = (thPoint){TH_MAX(high.x, p.x), TH_MAX(high.y, p.y)};
        }
        checkCandidates(grid, low, high, furthest, &lanes);
        for (int32_t simd = 0; simd < th_simdCount; ++simd) {
            if (nearKernels[simd] == NULL || !thSimd_IsAvailable((thSimd)simd))
                continue;
            unknown += checkLanes(grid, &lanes, nearKernels[simd]);
            asked += TH_MAX_WIDTH;
        }
        thiDestroyWallGrid(grid);
    }
    assert_in_range(unknown, 1, asked / 10);
}

// Cells of 4 m would take 225 million of them.
static void testMemoryOfLargeWorlds(void** state)
{
    (void)state;
    thWallSegment segments[400];
    thGenerator g = makeGenerator(5, 0);
    const Lattice world = {{0, 0}, 1, TH_MAX_UNITS};
    for (int32_t i = 0; i < 400; ++i) {
        segments[i] = drawSegment(&g, &world, 1);
        segments[i].level = (uint16_t)(i % 200 * 300);
    }
    thWallGrid* grid = buildGrid(segments, 400);
    assert_true(testMemory.bytes < 8u << 20);
    const uint64_t calls = testMemory.calls;
    for (int32_t i = 0; i < 100; ++i) {
        const int32_t level = segments[drawInt(&g, 0, 399)].level;
        const thPoint a = drawPoint(&g, &world), b = drawPoint(&g, &world);
        assert_true(nearestAgrees(grid, level, a, 30000.0f, 10000.0f, 10, 64));
        assert_true(linesAgree(grid, level, a, b));
    }
    assert_int_equal(testMemory.calls, calls); // queries allocate nothing
    thiDestroyWallGrid(grid);
}

static thResult buildTwice(const thAllocator* allocator, void* context)
{
    (void)context;
    thMemory memory;
    thiMemoryInit(&memory, allocator, 0);
    const thWallSegment first = makeSegment(-METRE, 0, METRE, 0);
    const thWallSegment second[] = {makeSegment(0, 9, 9, 9),
                                    makeSegment(-9000 * METRE, 0, 9000 * METRE, 5)};
    thWallGrid* grid;
    thResult result = thiCreateWallGrid(&memory, &grid);
    if (result != th_resultOk)
        return result;
    result = thiWallGridBuild(grid, &first, 1);
    if (result == th_resultOk) {
        result = thiWallGridBuild(grid, second, 2);
        const bool isOld = thiWallsHide(grid, 0, 5, 5, 5, -5);
        assert_int_equal(isOld, true); // both have a wall there
        assert_int_equal(thiWallGridWalls(grid)->count, result == th_resultOk ? 20 : 1);
    }
    thiDestroyWallGrid(grid);
    return result;
}

static void testNoMemory(void** state)
{
    (void)state;
    assert_true(failEachAllocation(buildTwice, NULL) > 20);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(testQueries, setUp),
        cmocka_unit_test_setup(testOrderDoesNotCount, setUp),
        cmocka_unit_test_setup(testDuplicates, setUp),
        cmocka_unit_test_setup(testLongSegments, setUp),
        cmocka_unit_test_setup(testEmpty, setUp),
        cmocka_unit_test_setup(testDistances, setUp),
        cmocka_unit_test_setup(testLanes, setUp),
        cmocka_unit_test_setup(testMemoryOfLargeWorlds, setUp),
        cmocka_unit_test(testNoMemory),
    };
    return RUN_TESTS(tests, argc, argv);
}
