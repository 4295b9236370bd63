// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How outlines are cleaned, in exact predicates, and how far it is to a disc, segment or polygon.

#include "geom/polygon.h"

#include "geom/fixed.h"
#include "geom/segment.h"

#include <math.h>
#include <stdlib.h>

static bool isInWorld(const thVec2* points, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        if (!thiIsCoordinate(points[i].x) || !thiIsCoordinate(points[i].y))
            return false;
    return true;
}

// Whether b is needed between a and c.
static bool isCorner(thPoint a, thPoint b, thPoint c, bool closed)
{
    return closed ? thiOrientation(a, b, c) != 0 : !thiPointOnSegment(b, a, c);
}

// Appends a point; first drops those at the end that it makes needless.
static int32_t addPoint(thPoint* corners, int32_t count, thPoint p, bool closed)
{
    for (;; --count) {
        if (count > 0 && thiSamePoint(corners[count - 1], p))
            return count;
        if (count < 2 || isCorner(corners[count - 2], corners[count - 1], p, closed))
            break;
    }
    corners[count] = p;
    return count + 1;
}

// Drops corners at both ends until the outline is clean across the gap between them as well.
static int32_t closeOutline(thPoint* corners, int32_t count)
{
    int32_t first = 0, last = count - 1;
    while (last - first >= 2) {
        if (thiOrientation(corners[last - 1], corners[last], corners[first]) == 0)
            last -= 1; // also where the last corner is the first one again
        else if (thiOrientation(corners[last], corners[first], corners[first + 1]) == 0)
            first += 1;
        else
            break;
    }
    for (int32_t i = first; i <= last; ++i)
        corners[i - first] = corners[i];
    return last - first + 1;
}

// An edge and the range it takes on the axis along which edges are sorted.
typedef struct EdgeRange {
    int32_t low, high;
    int32_t edge; // starts at the corner of this number
} EdgeRange;

static int compareRanges(const void* left, const void* right)
{
    const EdgeRange* a = left;
    const EdgeRange* b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

// Whether the outline is longer along x than along y.
static bool isWide(const thPoint* corners, int32_t count)
{
    thPoint low = corners[0], high = corners[0];
    for (int32_t i = 1; i < count; ++i) {
        low.x = TH_MIN(low.x, corners[i].x);
        low.y = TH_MIN(low.y, corners[i].y);
        high.x = TH_MAX(high.x, corners[i].x);
        high.y = TH_MAX(high.y, corners[i].y);
    }
    return (int64_t)high.x - low.x > (int64_t)high.y - low.y;
}

static int32_t nextCorner(int32_t corner, int32_t count)
{
    return corner + 1 < count ? corner + 1 : 0;
}

// Neighbours meet in one point only, as they are not on one line.
static bool edgesClash(const thPoint* corners, int32_t count, int32_t first, int32_t second)
{
    const int32_t afterFirst = nextCorner(first, count), afterSecond = nextCorner(second, count);
    if (afterFirst == second || afterSecond == first)
        return false;
    return thiSegmentsTouch(corners[first], corners[afterFirst], corners[second],
                            corners[afterSecond]);
}

// Compares each edge with those whose ranges overlap its own: few, in outlines that are drawn, but
// all in the worst case.
static bool someEdgesClash(const thPoint* corners, int32_t count, EdgeRange* ranges)
{
    const bool wide = isWide(corners, count);
    for (int32_t i = 0; i < count; ++i) {
        const thPoint a = corners[i], b = corners[nextCorner(i, count)];
        const int32_t from = wide ? a.x : a.y, to = wide ? b.x : b.y;
        ranges[i] = (EdgeRange){.low = TH_MIN(from, to), .high = TH_MAX(from, to), .edge = i};
    }
    qsort(ranges, (size_t)count, sizeof *ranges, compareRanges);
    for (int32_t i = 0; i < count; ++i)
        for (int32_t k = i + 1; k < count && ranges[k].low <= ranges[i].high; ++k)
            if (edgesClash(corners, count, ranges[i].edge, ranges[k].edge))
                return true;
    return false;
}

static thResult checkSimple(const thPoint* corners, int32_t count, thMemory* memory)
{
    const size_t size = (size_t)count * sizeof(EdgeRange);
    EdgeRange* ranges = thiAllocate(memory, size);
    if (ranges == NULL)
        return th_resultNoMemory;
    const bool clash = someEdgesClash(corners, count, ranges);
    thiRelease(memory, ranges, size);
    return clash ? th_resultBadArgument : th_resultOk;
}

// Of a simple polygon. The lowest of its leftmost corners is convex, and tells the direction of all
// without an area, which may not fit into 64 bits.
static bool isCounterClockwise(const thPoint* corners, int32_t count)
{
    int32_t lowest = 0;
    for (int32_t i = 1; i < count; ++i)
        if (corners[i].x < corners[lowest].x ||
            (corners[i].x == corners[lowest].x && corners[i].y < corners[lowest].y))
            lowest = i;
    const int32_t before = lowest > 0 ? lowest - 1 : count - 1;
    return thiOrientation(corners[before], corners[lowest], corners[nextCorner(lowest, count)]) > 0;
}

// All but the first corner change places, so that a clean outline starts where it did.
static void reverseOutline(thPoint* corners, int32_t count)
{
    for (int32_t i = 1, k = count - 1; i < k; ++i, --k) {
        const thPoint first = corners[i];
        corners[i] = corners[k];
        corners[k] = first;
    }
}

static thResult closePolygon(thPoint* corners, int32_t* count, bool clockwise, thMemory* memory)
{
    *count = closeOutline(corners, *count);
    if (*count < 3)
        return th_resultBadArgument;
    TH_TRY(checkSimple(corners, *count, memory));
    if (isCounterClockwise(corners, *count) == clockwise)
        reverseOutline(corners, *count);
    return th_resultOk;
}

thResult thiCleanOutline(const thVec2* points, int32_t count, thObstacleKind kind, thArray* corners)
{
    if (points == NULL || count < 2 || !isInWorld(points, count))
        return th_resultBadArgument;
    const int32_t countBefore = corners->count;
    const bool closed = kind != th_obstacleWall;
    thPoint* added = thiArrayAdd(corners, count);
    if (added == NULL)
        return th_resultNoMemory;
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i)
        kept =
            addPoint(added, kept, (thPoint){thiUnits(points[i].x), thiUnits(points[i].y)}, closed);
    thResult result = kept < 2 ? th_resultBadArgument : th_resultOk;
    if (result == th_resultOk && closed)
        result = closePolygon(added, &kept, kind == th_obstacleRoom, corners->memory);
    corners->count = countBefore + (result == th_resultOk ? kept : 0);
    return result;
}

bool thiIsConvex(const thPoint* corners, int32_t count)
{
    const int32_t turn = thiOrientation(corners[count - 1], corners[0], corners[1]);
    for (int32_t i = 1; i < count; ++i)
        if (thiOrientation(corners[i - 1], corners[i], corners[nextCorner(i, count)]) != turn)
            return false;
    return true;
}

// Counts the edges that a ray from p to the east crosses. An edge holds its lower end but not its
// upper one, so that a ray through a corner counts right.
int32_t thiPolygonSide(const thPoint* corners, int32_t count, thPoint p)
{
    int32_t side = -1;
    for (int32_t i = 0; i < count; ++i) {
        const thPoint a = corners[i], b = corners[nextCorner(i, count)];
        if (thiPointOnSegment(p, a, b))
            return 0;
        const bool rises = a.y <= p.y && p.y < b.y;
        const bool falls = b.y <= p.y && p.y < a.y;
        if ((rises && thiOrientation(a, b, p) > 0) || (falls && thiOrientation(b, a, p) > 0))
            side = -side;
    }
    return side;
}

static thVec2 toMetres(thOffset offset)
{
    return (thVec2){(float)(offset.x / THRONG_UNITS_PER_METRE),
                    (float)(offset.y / THRONG_UNITS_PER_METRE)};
}

thVec2 thiToDisc(thPoint p, thPoint centre, float radius)
{
    const thOffset offset = {(double)centre.x - p.x, (double)centre.y - p.y};
    const double distance = sqrt(offset.x * offset.x + offset.y * offset.y);
    const double gap = distance - (double)radius * THRONG_UNITS_PER_METRE;
    if (gap <= 0.0)
        return (thVec2){0.0f, 0.0f};
    const double share = gap / distance;
    return toMetres((thOffset){offset.x * share, offset.y * share});
}

thVec2 thiToSegment(thPoint p, thPoint a, thPoint b)
{
    if (thiPointOnSegment(p, a, b)) // rounding might leave something
        return (thVec2){0.0f, 0.0f};
    return toMetres(thiOffsetToSegment(p, a, b));
}

thVec2 thiToPolygon(thPoint p, const thPoint* corners, int32_t count)
{
    if (thiPolygonSide(corners, count, p) >= 0)
        return (thVec2){0.0f, 0.0f};
    thOffset nearest = {0.0, 0.0};
    double nearestSq = INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        const thOffset offset = thiOffsetToSegment(p, corners[i], corners[nextCorner(i, count)]);
        const double distanceSq = offset.x * offset.x + offset.y * offset.y;
        if (distanceSq < nearestSq) {
            nearestSq = distanceSq;
            nearest = offset;
        }
    }
    return toMetres(nearest);
}
