// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Exact predicates by the signs of products, and the nearest point of a segment in float. Products
// fit into 64 bits; those of fractions take 128.

#include "geom/segment.h"

static int32_t signOf(int64_t value)
{
    return (value > 0) - (value < 0);
}

static uint64_t magnitudeOf(int64_t value)
{
    return (uint64_t)(value < 0 ? -value : value);
}

// The sign of a b − c d, where a, b, c, d are differences of 32-bit numbers: they have 33 bits and
// the products 66, but the magnitudes of the products, at most (2^32 − 1)^2, fit into 64.
static int32_t compareProducts(int64_t a, int64_t b, int64_t c, int64_t d)
{
    const int32_t left = signOf(a) * signOf(b);
    const int32_t right = signOf(c) * signOf(d);
    if (left != right)
        return left > right ? 1 : -1;
    const uint64_t leftSize = magnitudeOf(a) * magnitudeOf(b);
    const uint64_t rightSize = magnitudeOf(c) * magnitudeOf(d);
    return left * ((leftSize > rightSize) - (leftSize < rightSize));
}

int32_t thiOrientation(thPoint a, thPoint b, thPoint p)
{
    return compareProducts((int64_t)b.x - a.x, (int64_t)p.y - a.y, (int64_t)b.y - a.y,
                           (int64_t)p.x - a.x);
}

// Whether the closed ranges between a and b and between c and d have a number in common.
static bool rangesMeet(int32_t a, int32_t b, int32_t c, int32_t d)
{
    return TH_MIN(a, b) <= TH_MAX(c, d) && TH_MIN(c, d) <= TH_MAX(a, b);
}

static bool boxesMeet(thPoint a, thPoint b, thPoint c, thPoint d)
{
    return rangesMeet(a.x, b.x, c.x, d.x) && rangesMeet(a.y, b.y, c.y, d.y);
}

bool thiPointOnSegment(thPoint p, thPoint a, thPoint b)
{
    return boxesMeet(p, p, a, b) && thiOrientation(a, b, p) == 0;
}

// Neither segment may lie strictly to one side of the other's line. That decides it unless all four
// points are on one line (points among the segments included); then the boxes decide.
bool thiSegmentsTouch(thPoint a, thPoint b, thPoint c, thPoint d)
{
    return boxesMeet(a, b, c, d) && thiOrientation(a, b, c) * thiOrientation(a, b, d) <= 0 &&
           thiOrientation(c, d, a) * thiOrientation(c, d, b) <= 0;
}

// A number of 128 bits.
typedef struct Wide {
    uint64_t high, low;
} Wide;

static Wide multiply(uint64_t a, uint64_t b)
{
    const uint64_t half = UINT64_C(0xffffffff);
    const uint64_t aLow = a & half, aHigh = a >> 32, bLow = b & half, bHigh = b >> 32;
    const uint64_t first = aLow * bLow;
    const uint64_t second = aHigh * bLow + (first >> 32); // at most 2^64 − 2^32: no overflow
    const uint64_t third = aLow * bHigh + (second & half);
    return (Wide){.high = aHigh * bHigh + (second >> 32) + (third >> 32),
                  .low = third << 32 | (first & half)};
}

int32_t thiCompareFractions(thFraction a, thFraction b)
{
    const Wide left = multiply(a.top, b.bottom);
    const Wide right = multiply(b.top, a.bottom);
    if (left.high != right.high)
        return left.high > right.high ? 1 : -1;
    return (left.low > right.low) - (left.low < right.low);
}

thVec2 thiNearestOnSegment(thVec2 a, thVec2 b)
{
    const float dx = b.x - a.x, dy = b.y - a.y;
    const float along = -(a.x * dx + a.y * dy);
    const float lengthSq = dx * dx + dy * dy;
    if (!(along > 0.0f))
        return a;
    if (along >= lengthSq)
        return b;
    const float share = along / lengthSq; // more than 0
    return (thVec2){a.x + share * dx, a.y + share * dy};
}
