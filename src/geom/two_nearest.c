// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Sites laid out for the kernel, and tiles of the raster shared among workers.

#include "geom/two_nearest.h"

#include "base/tasks.h"
#include "geom/two_nearest_kernel.h"

#include <math.h>

typedef void TileFcn(const thNearTask*, int32_t, const thNearScratch*);
static TileFcn* const tileFcns[th_simdCount] = TH_KERNEL_TABLE(thiTwoNearestTile);

static size_t columnBytes(const thTwoNearest* field)
{
    return (size_t)field->width * (size_t)field->height * sizeof(int32_t);
}

void thiFreeTwoNearest(thMemory* memory, thTwoNearest* field)
{
    const size_t bytes = columnBytes(field);
    thiRelease(memory, field->first, bytes);
    thiRelease(memory, field->second, bytes);
    thiRelease(memory, field->firstDistance, bytes);
    thiRelease(memory, field->secondDistance, bytes);
    *field = (thTwoNearest){0};
}

thResult thiCreateTwoNearest(thMemory* memory, int32_t width, int32_t height, float pixel,
                             thTwoNearest* field)
{
    *field = (thTwoNearest){0};
    if (width < 1 || height < 1 || width > TH_MOST_PIXELS || height > TH_MOST_PIXELS ||
        !(pixel >= TH_LEAST_PIXEL && pixel <= TH_MOST_PIXEL))
        return th_resultBadArgument;
    *field = (thTwoNearest){.width = width, .height = height, .pixel = pixel};
    const size_t bytes = columnBytes(field);
    field->first = thiAllocate(memory, bytes);
    field->second = thiAllocate(memory, bytes);
    field->firstDistance = thiAllocate(memory, bytes);
    field->secondDistance = thiAllocate(memory, bytes);
    if (field->first != NULL && field->second != NULL && field->firstDistance != NULL &&
        field->secondDistance != NULL)
        return th_resultOk;
    thiFreeTwoNearest(memory, field);
    return th_resultNoMemory;
}

static thNearEdge makeEdge(thVec2 a, thVec2 b)
{
    const float dx = b.x - a.x, dy = b.y - a.y;
    const float lengthSq = dx * dx + dy * dy;
    const float inverse = lengthSq >= 1e-30f ? 1.0f / lengthSq : 0.0f;
    return (thNearEdge){a.x, a.y, b.y, dx, dy, inverse};
}

// From a point of a site to the next; of a polygon the last to the first.
static thNearEdge siteEdge(const thSites* sites, const thSite* site, int32_t i)
{
    const thVec2* points = sites->points + site->first;
    return makeEdge(points[i], points[i + 1 < site->count ? i + 1 : 0]);
}

static float edgeDistanceSq(const thNearEdge* edge, thVec2 p)
{
    const float toX = p.x - edge->ax, toY = p.y - edge->ay;
    const float along = (toX * edge->dx + toY * edge->dy) * edge->inverse;
    const float share = TH_MIN(TH_MAX(along, 0.0f), 1.0f);
    const float x = toX - share * edge->dx, y = toY - share * edge->dy;
    return x * x + y * y;
}

// Whether the ray to the right crosses the edge.
static bool crosses(const thNearEdge* edge, thVec2 p)
{
    if ((edge->ay <= p.y) == (edge->by <= p.y))
        return false;
    const float upward = edge->dx * (p.y - edge->ay), leftward = edge->dy * (p.x - edge->ax);
    return edge->ay < edge->by ? leftward < upward : upward < leftward;
}

float thiSiteDistance(const thSites* sites, int32_t number, thVec2 p)
{
    const thSite* site = &sites->sites[number];
    if (site->kind == th_siteDisc) {
        const float x = p.x - sites->points[site->first].x, y = p.y - sites->points[site->first].y;
        return sqrtf(x * x + y * y) - site->radius;
    }
    float leastSq = INFINITY;
    bool inside = false;
    for (int32_t i = 0; i < (site->kind == th_siteSegment ? 1 : site->count); ++i) {
        const thNearEdge edge = siteEdge(sites, site, i);
        const float distanceSq = edgeDistanceSq(&edge, p);
        leastSq = TH_MIN(distanceSq, leastSq);
        inside ^= site->kind == th_sitePolygon && crosses(&edge, p);
    }
    const float distance = sqrtf(leastSq);
    return (inside ? -distance : distance) - site->radius;
}

static bool isInReach(float value)
{
    return value >= -TH_MOST_SITE_METRES && value <= TH_MOST_SITE_METRES;
}

static bool isGood(const thSites* sites, const thSite* site)
{
    const int32_t least = site->kind == th_siteDisc ? 1 : site->kind == th_siteSegment ? 2 : 3;
    const bool isExact = site->kind == th_sitePolygon ? site->count >= 3 : site->count == least;
    if (!isExact || !isInReach(site->radius))
        return false;
    for (int32_t i = 0; i < site->count; ++i) {
        const thVec2 p = sites->points[site->first + i];
        if (!isInReach(p.x) || !isInReach(p.y))
            return false;
    }
    return true;
}

static float sizeOf(const thSites* sites, const thSite* site)
{
    const thVec2* points = sites->points + site->first;
    thVec2 low = points[0], high = points[0];
    for (int32_t i = 1; i < site->count; ++i) {
        low = (thVec2){TH_MIN(low.x, points[i].x), TH_MIN(low.y, points[i].y)};
        high = (thVec2){TH_MAX(high.x, points[i].x), TH_MAX(high.y, points[i].y)};
    }
    const float x = high.x - low.x, y = high.y - low.y;
    return sqrtf(x * x + y * y) + fabsf(site->radius);
}

// From the middle of so many pixels to the furthest of their centres, with all that rounding of
// both can do.
static float reachOf(const thTwoNearest* field, int32_t width, int32_t height)
{
    const float x = 0.5f * (float)(width - 1), y = 0.5f * (float)(height - 1);
    const float side = (float)(TH_MAX(field->width, field->height) + TH_NEAR_TILE);
    return field->pixel * ((1.0f + 0x1p-18f) * sqrtf(x * x + y * y) + 0x1p-21f * side);
}

// What a loop over tiles works with.
typedef struct TileLoop {
    thNearTask task;
    TileFcn* fill;
    thNearScratch scratch[TH_MAX_WORKERS]; // by worker
} TileLoop;

static void fillTiles(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const TileLoop* loop = context;
    for (int32_t tile = begin; tile < end; ++tile)
        loop->fill(&loop->task, tile, &loop->scratch[worker]);
}

// How many points and, of one site, edges there are. `points` is −1 if a site is bad.
typedef struct Counts {
    int64_t points;
    int32_t mostEdges, end;
} Counts;

static Counts countPoints(const thSites* sites)
{
    Counts counts = {0};
    for (int32_t i = 0; i < sites->count; ++i) {
        const thSite* site = &sites->sites[i];
        if (!isGood(sites, site))
            return (Counts){.points = -1};
        counts.points += site->count;
        counts.mostEdges = TH_MAX(counts.mostEdges, site->count);
        counts.end = TH_MAX(counts.end, site->first + site->count);
    }
    return counts;
}

static bool makeScratch(thArena* arena, int64_t sites, const Counts* counts, thNearScratch* scratch)
{
    const size_t lanes = TH_MAX_WIDTH, parts = TH_NEAR_PARTS;
    const size_t count = (size_t)sites;
    const size_t leaf = 3 * count + (size_t)counts->points;
    scratch->distances = thiArenaAllocate(arena, (count + (size_t)counts->mostEdges + 1) * lanes *
                                                     sizeof *scratch->distances);
    scratch->lists = thiArenaAllocate(arena, (count + 1) * parts * sizeof *scratch->lists);
    scratch->leaves = thiArenaAllocate(arena, (leaf + 1) * parts * sizeof *scratch->leaves);
    return scratch->distances != NULL && scratch->lists != NULL && scratch->leaves != NULL;
}

static thResult makeTask(const thSites* sites, const Counts* counts, thArena* arena,
                         thNearTask* task)
{
    const size_t count = (size_t)sites->count;
    thNearEdge* edges = thiArenaAllocate(arena, ((size_t)counts->end + 1) * sizeof *edges);
    float* sizes = thiArenaAllocate(arena, (count + 1) * sizeof *sizes);
    int32_t* all = thiArenaAllocate(arena, (count + 1) * sizeof *all);
    if (edges == NULL || sizes == NULL || all == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < sites->count; ++i) {
        const thSite* site = &sites->sites[i];
        for (int32_t k = 0; k < site->count; ++k)
            edges[site->first + k] = siteEdge(sites, site, k);
        sizes[i] = sizeOf(sites, site);
        all[i] = i;
    }
    task->sites = sites->sites;
    task->siteCount = sites->count;
    task->edges = edges;
    task->sizes = sizes;
    task->all = all;
    return th_resultOk;
}

static thResult findInArena(const thSites* sites, int32_t obstacleCount, thSimd simd,
                            const thTasks* tasks, thArena* arena, thTwoNearest* field)
{
    const Counts counts = countPoints(sites);
    if (counts.points < 0)
        return th_resultBadArgument;
    const int32_t tilesAcross = (field->width + TH_NEAR_TILE - 1) / TH_NEAR_TILE;
    const int32_t tilesUp = (field->height + TH_NEAR_TILE - 1) / TH_NEAR_TILE;
    TileLoop loop = {.task = {.obstacleCount = obstacleCount,
                              .tilesAcross = tilesAcross,
                              .squareReach = reachOf(field, TH_NEAR_SQUARE, TH_NEAR_SQUARE),
                              .leafReach = reachOf(field, TH_NEAR_LEAF_WIDTH, TH_NEAR_LEAF_HEIGHT),
                              .field = *field},
                     .fill = tileFcns[thSimd_Resolve(simd)]};
    TH_TRY(makeTask(sites, &counts, arena, &loop.task));
    for (int32_t i = 0; i < thTasks_GetWorkerCount(tasks); ++i)
        if (!makeScratch(arena, sites->count, &counts, &loop.scratch[i]))
            return th_resultNoMemory;
    thTasks_ParallelFor(tasks, tilesAcross * tilesUp, 1, fillTiles, &loop);
    return th_resultOk;
}

thResult thiFindTwoNearest(const thSites* sites, int32_t obstacleCount, thSimd simd,
                           const thTasks* tasks, thArena* arena, thTwoNearest* field)
{
    const thArenaPlace place = thiArenaPlace(arena);
    const thResult code = findInArena(sites, obstacleCount, simd, tasks, arena, field);
    thiArenaRewind(arena, place);
    return code;
}
