// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: the two nearest sites of the pixels of a tile, and pixels that stick out of their region.
// Lanes are places: middles of the parts of a tile while sites are left out, then pixels of a row.
//
// Why leaving out changes no bit. A distance changes by no more than one walks. From the middle of
// a part with distance d, and reach to its furthest pixel, a site is at every pixel at most
// d + reach + error and at least d − reach − error away, where error is more than rounding can do
// to both distances. A site whose least distance is above the second smallest of all largest ones
// is further than two others at every pixel, as computed, and so neither first nor second. The same
// goes for edges of a polygon, and for its sides: where the outline is out of reach, all pixels are
// on one. Lists keep the order of sites, so that ties go to the lower number.

#include "geom/two_nearest_kernel.h"

#include <math.h>

// Of the lengths in a distance. Rounding takes less than 32 of 2^-24: a difference, a share, a
// foot, a square, a root and a radius, each a few halves of 2^-23.
#define ROUNDING 0x1p-18f

static inline thF edgeDistanceSq(const thNearEdge* edge, thF px, thF py)
{
    const thF toX = px - fSet(edge->ax), toY = py - fSet(edge->ay);
    const thF dx = fSet(edge->dx), dy = fSet(edge->dy);
    const thF along = (toX * dx + toY * dy) * fSet(edge->inverse);
    const thF share = fMin(fMax(along, fSet(0.0f)), fSet(1.0f));
    const thF x = toX - share * dx, y = toY - share * dy;
    return x * x + y * y;
}

static inline thF pointDistanceSq(const thNearEdge* point, thF px, thF py)
{
    const thF x = px - fSet(point->ax), y = py - fSet(point->ay);
    return x * x + y * y;
}

// Whether the ray to the right crosses the edge.
static inline thM crosses(const thNearEdge* edge, thF px, thF py)
{
    const thF toX = px - fSet(edge->ax), toY = py - fSet(edge->ay);
    const thF upward = fSet(edge->dx) * toY, leftward = fSet(edge->dy) * toX;
    if (edge->ay < edge->by)
        return mAnd(mAndNot(fLe(fSet(edge->ay), py), fLe(fSet(edge->by), py)),
                    fLt(leftward, upward));
    return mAnd(mAndNot(fLe(fSet(edge->by), py), fLe(fSet(edge->ay), py)), fLt(upward, leftward));
}

static inline thM isInside(const thNearEdge* edges, int32_t count, thF px, thF py)
{
    thM inside = fLt(fSet(1.0f), fSet(0.0f));
    for (int32_t i = 0; i < count; ++i) {
        const thM crossed = crosses(&edges[i], px, py);
        inside = mOr(mAndNot(inside, crossed), mAndNot(crossed, inside));
    }
    return inside;
}

static inline thF siteDistance(const thSite* site, const thNearEdge* edges, thF px, thF py)
{
    const thF radius = fSet(site->radius);
    edges += site->first;
    if (site->kind == th_siteDisc)
        return fSqrt(pointDistanceSq(edges, px, py)) - radius;
    if (site->kind == th_siteSegment)
        return fSqrt(edgeDistanceSq(edges, px, py)) - radius;
    thF leastSq = edgeDistanceSq(edges, px, py);
    for (int32_t i = 1; i < site->count; ++i)
        leastSq = fMin(edgeDistanceSq(&edges[i], px, py), leastSq);
    const thF distance = fSqrt(leastSq);
    return fSelect(isInside(edges, site->count, px, py), fNeg(distance), distance) - radius;
}

// A part of a tile in each lane: its middle, and how far it reaches.
typedef struct Parts {
    thF x, y;
    float reach;
} Parts;

// By how much a distance can differ within a part.
static inline thF spreadOf(const Parts* parts, thF distance, float size)
{
    const thF rounding = fSet(ROUNDING) * (fAbs(distance) + fSet(size + 2.0f * parts->reach));
    return fSet(parts->reach) + rounding;
}

// Least distances of the sites of a list go to `least`, lane by lane. Returns what they are to be
// held against: the second smallest of the largest distances, or the smallest of an obstacle. Who
// is further than an obstacle everywhere can be second only where that is first, and nobody asks.
static inline thF measureList(const thNearTask* task, const Parts* parts, const int32_t* list,
                              int32_t count, float* least)
{
    thF first = fSet(INFINITY), second = first, obstacle = first;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t number = list[i];
        const thF distance = siteDistance(&task->sites[number], task->edges, parts->x, parts->y);
        const thF spread = spreadOf(parts, distance, task->sizes[number]);
        const thF low = distance - spread, high = distance + spread;
        fStore(least + i * TH_WIDTH, low);
        second = fMin(fMax(first, high), second);
        first = fMin(high, first);
        if (number < task->obstacleCount)
            obstacle = fMin(high, obstacle);
    }
    return fMin(second, obstacle);
}

static inline uint32_t mayBeNear(const float* least, int32_t i, thF limit)
{
    return mBits(mNot(fLt(limit, fLoad(least + i * TH_WIDTH))));
}

// Lists of the squares of a tile.
static void splitTile(const thNearTask* task, int32_t x, int32_t y, const thNearScratch* scratch,
                      int32_t counts[TH_NEAR_PARTS])
{
    for (int32_t part = 0; part < TH_NEAR_PARTS; part += TH_WIDTH) {
        const thI lane = iAdd(iSet(part), iLane());
        const thI column = iAnd(lane, iSet(3)), row = iShr(lane, 2);
        const thF px = fFromI(iAdd(iSet(x + TH_NEAR_SQUARE / 2), iShl(column, 5)));
        const thF py = fFromI(iAdd(iSet(y + TH_NEAR_SQUARE / 2), iShl(row, 5)));
        const thF pixel = fSet(task->field.pixel);
        const Parts parts = {px * pixel, py * pixel, task->squareReach};
        const thF limit = measureList(task, &parts, task->all, task->siteCount, scratch->distances);
        for (int32_t i = 0; i < TH_WIDTH; ++i)
            counts[part + i] = 0;
        for (int32_t i = 0; i < task->siteCount; ++i)
            for (uint32_t bits = mayBeNear(scratch->distances, i, limit); bits != 0;
                 bits &= bits - 1) {
                const int32_t to = part + __builtin_ctz(bits);
                scratch->lists[(int64_t)to * task->siteCount + counts[to]++] = i;
            }
    }
}

// What a leaf keeps of a site: its number, how it is measured, how many edges matter, and these.
enum { asDisc, asSegment, asOutside, asInside, asAcross };
#define LEAF_HEAD 3

static inline void keepPolygon(const thNearTask* task, int32_t number, const Parts* parts,
                               uint32_t bits, float* distances, int32_t* ends[])
{
    const thSite* site = &task->sites[number];
    const thNearEdge* edges = task->edges + site->first;
    thF nearest = fSet(INFINITY);
    for (int32_t i = 0; i < site->count; ++i) {
        const thF distance = fSqrt(edgeDistanceSq(&edges[i], parts->x, parts->y));
        fStore(distances + i * TH_WIDTH, distance);
        nearest = fMin(distance, nearest);
    }
    const float size = task->sizes[number];
    const thF spread = spreadOf(parts, nearest, size), limit = nearest + spread;
    const uint32_t across = mBits(fLe(nearest, spread));
    const uint32_t inside = mBits(isInside(edges, site->count, parts->x, parts->y));
    for (uint32_t left = bits; left != 0; left &= left - 1) {
        const int32_t lane = __builtin_ctz(left);
        const int32_t sides = (inside >> lane & 1) != 0 ? asInside : asOutside;
        ends[lane][0] = number;
        ends[lane][1] = (across >> lane & 1) != 0 ? asAcross : sides;
        ends[lane][2] = 0;
    }
    for (int32_t i = 0; i < site->count; ++i) {
        const thF distance = fLoad(distances + i * TH_WIDTH);
        const thM near = mNot(fLt(limit, distance - spreadOf(parts, distance, size)));
        for (uint32_t left = bits & mBits(near); left != 0; left &= left - 1) {
            int32_t* head = ends[__builtin_ctz(left)];
            head[LEAF_HEAD + head[2]++] = site->first + i;
        }
    }
    for (uint32_t left = bits; left != 0; left &= left - 1) {
        const int32_t lane = __builtin_ctz(left);
        ends[lane] += LEAF_HEAD + ends[lane][2];
    }
}

// Lists of the leaves of a square, `stride` numbers apart.
static void splitSquare(const thNearTask* task, int32_t x, int32_t y, const int32_t* list,
                        int32_t count, int64_t stride, const thNearScratch* scratch,
                        int32_t* ends[TH_NEAR_PARTS])
{
    for (int32_t part = 0; part < TH_NEAR_PARTS; part += TH_WIDTH) {
        const thI lane = iAdd(iSet(part), iLane());
        const thI column = iAnd(lane, iSet(1)), row = iShr(lane, 1);
        const thF px = fFromI(iAdd(iSet(x + TH_NEAR_LEAF_WIDTH / 2), iShl(column, 4)));
        const thF py = fFromI(iAdd(iSet(y + TH_NEAR_LEAF_HEIGHT / 2), iShl(row, 2)));
        const thF pixel = fSet(task->field.pixel);
        const Parts parts = {px * pixel, py * pixel, task->leafReach};
        float* least = scratch->distances;
        const thF limit = measureList(task, &parts, list, count, least);
        for (int32_t i = 0; i < TH_WIDTH; ++i)
            ends[part + i] = scratch->leaves + (part + i) * stride;
        for (int32_t i = 0; i < count; ++i) {
            const uint32_t bits = mayBeNear(least, i, limit);
            const thSite* site = &task->sites[list[i]];
            if (site->kind == th_sitePolygon) {
                if (bits != 0)
                    keepPolygon(task, list[i], &parts, bits, least + count * TH_WIDTH, ends + part);
                continue;
            }
            for (uint32_t left = bits; left != 0; left &= left - 1) {
                int32_t** end = &ends[part + __builtin_ctz(left)];
                (*end)[0] = list[i];
                (*end)[1] = site->kind == th_siteDisc ? asDisc : asSegment;
                (*end)[2] = 1;
                (*end)[LEAF_HEAD] = site->first;
                *end += LEAF_HEAD + 1;
            }
        }
    }
}

// The distance of a site that a leaf keeps: the same bits as siteDistance gives.
static inline thF keptDistance(const thNearTask* task, const int32_t* kept, thF px, thF py)
{
    const thSite* site = &task->sites[kept[0]];
    const thNearEdge* edge = &task->edges[kept[LEAF_HEAD]];
    const thF radius = fSet(site->radius);
    if (kept[1] == asDisc)
        return fSqrt(pointDistanceSq(edge, px, py)) - radius;
    thF leastSq = edgeDistanceSq(edge, px, py);
    for (int32_t i = 1; i < kept[2]; ++i)
        leastSq = fMin(edgeDistanceSq(&task->edges[kept[LEAF_HEAD + i]], px, py), leastSq);
    const thF distance = fSqrt(leastSq);
    if (kept[1] == asInside)
        return fNeg(distance) - radius;
    if (kept[1] != asAcross)
        return distance - radius;
    const thM inside = isInside(task->edges + site->first, site->count, px, py);
    return fSelect(inside, fNeg(distance), distance) - radius;
}

typedef struct Best {
    thF firstDistance, secondDistance;
    thI first, second;
} Best;

static inline Best findBest(const thNearTask* task, const int32_t* kept, const int32_t* end, thF px,
                            thF py)
{
    Best best = {fSet(INFINITY), fSet(INFINITY), iSet(-1), iSet(-1)};
    for (; kept < end; kept += LEAF_HEAD + kept[2]) {
        const thF distance = keptDistance(task, kept, px, py);
        const thI number = iSet(kept[0]);
        const thM isFirst = fLt(distance, best.firstDistance);
        const thM isSecond = fLt(distance, best.secondDistance);
        best.second = iSelect(isFirst, best.first, iSelect(isSecond, number, best.second));
        best.secondDistance =
            fSelect(isFirst, best.firstDistance, fMin(distance, best.secondDistance));
        best.first = iSelect(isFirst, number, best.first);
        best.firstDistance = fMin(distance, best.firstDistance);
    }
    const thM noneAsked = iLt(best.first, iSet(task->obstacleCount));
    best.second = iSelect(noneAsked, iSet(-1), best.second);
    best.secondDistance = fSelect(noneAsked, fSet(INFINITY), best.secondDistance);
    return best;
}

static inline void storeBest(const thTwoNearest* field, int64_t at, const Best* best)
{
    iStore(field->first + at, best->first);
    iStore(field->second + at, best->second);
    fStore(field->firstDistance + at, best->firstDistance);
    fStore(field->secondDistance + at, best->secondDistance);
}

static void storeSome(const thTwoNearest* field, int64_t at, int32_t count, const Best* best)
{
    int32_t first[TH_WIDTH], second[TH_WIDTH];
    float firstDistance[TH_WIDTH], secondDistance[TH_WIDTH];
    storeBest(&(thTwoNearest){.first = first,
                              .second = second,
                              .firstDistance = firstDistance,
                              .secondDistance = secondDistance},
              0, best);
    for (int32_t i = 0; i < count; ++i) {
        field->first[at + i] = first[i];
        field->second[at + i] = second[i];
        field->firstDistance[at + i] = firstDistance[i];
        field->secondDistance[at + i] = secondDistance[i];
    }
}

static void fillLeaf(const thNearTask* task, int32_t left, int32_t low, const int32_t* kept,
                     const int32_t* end)
{
    const thTwoNearest* field = &task->field;
    const int32_t right = TH_MIN(left + TH_NEAR_LEAF_WIDTH, field->width);
    const int32_t high = TH_MIN(low + TH_NEAR_LEAF_HEIGHT, field->height);
    const thF pixel = fSet(field->pixel);
    for (int32_t y = low; y < high; ++y) {
        const thF py = fSet((float)y + 0.5f) * pixel;
        for (int32_t x = left; x < right; x += TH_WIDTH) {
            const thF px = (fFromI(iAdd(iSet(x), iLane())) + fSet(0.5f)) * pixel;
            const Best best = findBest(task, kept, end, px, py);
            const int64_t at = (int64_t)y * field->width + x;
            if (x + TH_WIDTH <= right)
                storeBest(field, at, &best);
            else
                storeSome(field, at, right - x, &best);
        }
    }
}

// How many numbers a leaf may need.
static int64_t leafRoom(const thNearTask* task, const int32_t* list, int32_t count)
{
    int64_t room = 0;
    for (int32_t i = 0; i < count; ++i)
        room += LEAF_HEAD + task->sites[list[i]].count;
    return room;
}

void TH_WIDE(thiTwoNearestTile)(const thNearTask* task, int32_t tile, const thNearScratch* scratch)
{
    const int32_t left = tile % task->tilesAcross * TH_NEAR_TILE;
    const int32_t low = tile / task->tilesAcross * TH_NEAR_TILE;
    int32_t counts[TH_NEAR_PARTS];
    splitTile(task, left, low, scratch, counts);
    for (int32_t square = 0; square < TH_NEAR_PARTS; ++square) {
        const int32_t x = left + square % 4 * TH_NEAR_SQUARE, y = low + square / 4 * TH_NEAR_SQUARE;
        if (x >= task->field.width || y >= task->field.height)
            continue;
        const int32_t* list = scratch->lists + (int64_t)square * task->siteCount;
        const int64_t stride = leafRoom(task, list, counts[square]);
        int32_t* ends[TH_NEAR_PARTS];
        splitSquare(task, x, y, list, counts[square], stride, scratch, ends);
        for (int32_t leaf = 0; leaf < TH_NEAR_PARTS; ++leaf)
            fillLeaf(task, x + leaf % 2 * TH_NEAR_LEAF_WIDTH, y + leaf / 2 * TH_NEAR_LEAF_HEIGHT,
                     scratch->leaves + leaf * stride, ends[leaf]);
    }
}

// The row's ends, where lanes would reach beyond it, are done one by one.
int32_t TH_WIDE(thiThinPixels)(const int32_t* row, const int32_t* below, const int32_t* above,
                               int32_t width, int32_t first, int32_t* found)
{
    int32_t count = 0;
    int32_t x = 0;
    for (; x < width; x += TH_WIDTH) {
        if (x > 0 && x + TH_WIDTH < width) {
            const thI label = iLoad(row + x), one = iSet(1), none = iSet(0);
            thI same = iSelect(iEq(label, iLoad(row + x - 1)), one, none);
            same = iAdd(same, iSelect(iEq(label, iLoad(row + x + 1)), one, none));
            if (below != NULL)
                same = iAdd(same, iSelect(iEq(label, iLoad(below + x)), one, none));
            if (above != NULL)
                same = iAdd(same, iSelect(iEq(label, iLoad(above + x)), one, none));
            const thI column = iAdd(iSet(x), iLane());
            const thM isOurs = iEq(iAnd(iXor(column, iSet(first)), one), none);
            const thM isThin = mAnd(isOurs, iLt(same, iSet(2)));
            if (mAny(isThin))
                count += iCompress(found + count, isThin, column);
            continue;
        }
        const int32_t end = TH_MIN(x + TH_WIDTH, width);
        for (int32_t i = x; i < end; ++i) {
            if (((i ^ first) & 1) != 0)
                continue;
            const int32_t same =
                (i > 0 && row[i - 1] == row[i]) + (i + 1 < width && row[i + 1] == row[i]) +
                (below != NULL && below[i] == row[i]) + (above != NULL && above[i] == row[i]);
            if (same < 2)
                found[count++] = i;
        }
    }
    return count;
}
