// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Neighbours against brute force, on many kinds of crowds and through every width. The crowd is
// sorted twice, with motion between, so that grids are laid, reused and laid anew.

#include "gear/allocators.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "geom/fixed.h"
#include "space/nearest.h"
#include "space/sense.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_AGENTS 2048

static thNearestRowsFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiNearestRows);

// One crowd and all that is built from it.
typedef struct Crowd {
    thMemory memory;
    thTasks* tasks;
    thRows rows[2];
    int32_t current;
    thGrid grid;
    thWallGrid* walls;
    thSight sight;
    bool wallsInUse;
} Crowd;

static void openCrowd(Crowd* crowd, const thAllocator* allocator, int32_t workers)
{
    memset(crowd, 0, sizeof *crowd);
    thiMemoryInit(&crowd->memory, allocator, 0);
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = workers;
    assert_int_equal(thCreateTasks(&def, &crowd->tasks), th_resultOk);
}

static thResult fillCrowd(Crowd* crowd, int32_t capacity, int32_t workers)
{
    TH_TRY(thiGridInit(&crowd->grid, &crowd->memory, workers));
    TH_TRY(thiRowsReserve(&crowd->rows[0], &crowd->memory, capacity));
    TH_TRY(thiRowsReserve(&crowd->rows[1], &crowd->memory, capacity));
    TH_TRY(thiGridReserve(&crowd->grid, capacity));
    return thiCreateWallGrid(&crowd->memory, &crowd->walls);
}

static void closeCrowd(Crowd* crowd)
{
    thiGridFree(&crowd->grid);
    thiRowsFree(&crowd->rows[0], &crowd->memory);
    thiRowsFree(&crowd->rows[1], &crowd->memory);
    thiDestroyWallGrid(crowd->walls);
    thDestroyTasks(crowd->tasks);
    assert_int_equal(crowd->memory.bytes, 0);
}

static thRows* rowsOf(Crowd* crowd)
{
    return &crowd->rows[crowd->current];
}

static void addAgent(Crowd* crowd, thGenerator* g, int32_t x, int32_t y)
{
    thRows* rows = rowsOf(crowd);
    const int32_t i = rows->count++;
    rows->px[i] = TH_MIN(TH_MAX(x, -TH_MAX_UNITS), TH_MAX_UNITS);
    rows->py[i] = TH_MIN(TH_MAX(y, -TH_MAX_UNITS), TH_MAX_UNITS);
    rows->flags[i] = th_agentAlive;
    rows->radius[i] = 0.25f;
    rows->yield[i] = 1.0f;
    rows->layers[i] = 1;
    rows->mask[i] = UINT32_MAX;
    rows->slot[i] = i;
    // All different, in no order.
    rows->key[i] = ((uint64_t)drawU32(g) << 16 | (uint64_t)i) + 1;
    rows->heading[i] = drawFloat(g, -3.1f, 3.1f);
}

typedef enum Kind {
    kind_uniform,
    kind_lattice,
    kind_clusters,
    kind_heaps,
    kind_onePoint,
    kind_wide,
    kind_line,
    kind_levels,
    kind_layers,
    kind_sizes,
    kind_cone,
    kind_hidden,
    kind_count
} Kind;

static const char* const kindNames[kind_count] = {"uniform",   "lattice", "clusters", "heaps",
                                                  "one point", "wide",    "line",     "levels",
                                                  "layers",    "sizes",   "cone",     "hidden"};

static int32_t drawUnits(thGenerator* g, float low, float high)
{
    return thiUnits(drawFloat(g, low, high));
}

// Where the next agent stands, by kind. `scale` is the crowd's extent in metres.
static void drawPlace(thGenerator* g, Kind kind, float scale, int32_t i, int32_t* x, int32_t* y)
{
    const float half = 0.5f * scale;
    *x = drawUnits(g, -half, half);
    *y = drawUnits(g, -half, half);
    switch (kind) {
    case kind_lattice: {
        const int32_t pitch = THRONG_UNITS_PER_METRE / 2;
        *x = (i % 16) * pitch - 5 * pitch;
        *y = (i / 16) * pitch - 3 * pitch;
        break;
    }
    case kind_clusters: // a few tight ones, far apart
        *x = (int32_t)(drawU32(g) % 3 - 1) * thiUnits(9000.0f) + *x / 4;
        *y = (int32_t)(drawU32(g) % 3 - 1) * thiUnits(7000.0f) + *y / 4;
        break;
    case kind_heaps: // many on few points, which may lie on borders of cells
        *x = (int32_t)(drawU32(g) % 4) * THRONG_UNITS_PER_METRE;
        *y = (int32_t)(drawU32(g) % 3) * THRONG_UNITS_PER_METRE;
        break;
    case kind_onePoint:
        *x = drawU32(g) % 8 == 0 ? *x : 12345;
        *y = *x == 12345 ? -6789 : *y;
        break;
    case kind_wide: // pairs near each other, anywhere in the world
        *x = drawUnits(g, -30000.0f, 30000.0f);
        *y = i % 3 == 0 ? TH_MAX_UNITS - *x % 100000 : drawUnits(g, -30000.0f, 30000.0f);
        break;
    case kind_line:
        *y = -thiUnits(17.0f);
        break;
    default:
        break;
    }
}

static void drawCrowd(Crowd* crowd, thGenerator* g, Kind kind, int32_t size)
{
    const int32_t count = drawInt(g, 1, TH_MAX(size, 1));
    const float density = drawFloat(g, 0.05f, 3.0f);
    const float scale = sqrtf((float)count / density) * (drawU32(g) % 4 == 0 ? 10.0f : 1.0f);
    crowd->sight = (thSight){.needs = th_needsNeighbors,
                             .neighborCount = drawInt(g, 1, TH_MAX_NEIGHBORS),
                             .neighborRadius = drawFloat(g, 0.2f, 12.0f),
                             .fieldOfView = 7.0f};
    if (kind == kind_wide)
        crowd->sight.neighborRadius = 200.0f;
    if (drawU32(g) % 2 == 0)
        crowd->sight.neighborCount = TH_MIN(crowd->sight.neighborCount, TH_KERNEL_NEIGHBORS);
    int32_t x = 0, y = 0;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t beforeX = x, beforeY = y;
        drawPlace(g, kind, scale, i, &x, &y);
        if (kind == kind_wide && i % 2 == 1) {
            x = beforeX + drawInt(g, -3000000, 3000000);
            y = beforeY + drawInt(g, -3000000, 3000000);
        }
        addAgent(crowd, g, x, y);
        thRows* rows = rowsOf(crowd);
        const int32_t row = rows->count - 1;
        if (kind == kind_levels)
            rows->level[row] = (uint16_t)(drawU32(g) % 3 == 0 ? 65535 : drawU32(g) % 4);
        if (kind == kind_layers) {
            rows->layers[row] = 1u << drawU32(g) % 3;
            rows->mask[row] = drawU32(g) % 8;
        }
        if (kind == kind_sizes)
            rows->radius[row] = drawU32(g) % 3 == 0 ? drawFloat(g, 1.0f, 4.0f) : 0.3f;
        if (drawU32(g) % 16 == 0)
            rows->flags[row] = 0; // dead
    }
    if (kind == kind_cone)
        crowd->sight.fieldOfView = drawFloat(g, 0.0f, 6.2f);
    if (kind == kind_hidden) {
        thWallSegment segments[8];
        for (int32_t i = 0; i < 8; ++i)
            segments[i] = (thWallSegment){.ax = drawUnits(g, -scale, scale),
                                          .ay = drawUnits(g, -scale, scale),
                                          .bx = drawUnits(g, -scale, scale),
                                          .by = drawUnits(g, -scale, scale),
                                          .obstacle = i};
        assert_int_equal(thiWallGridBuild(crowd->walls, segments, 8), th_resultOk);
        crowd->sight.needsSight = true;
    }
}

static thFrame frameOf(Crowd* crowd)
{
    const thRows* rows = rowsOf(crowd);
    return (thFrame){.count = rows->count,
                     .px = rows->px,
                     .py = rows->py,
                     .radius = rows->radius,
                     .layers = rows->layers,
                     .mask = rows->mask,
                     .heading = rows->heading,
                     .level = rows->level,
                     .key = rows->key};
}

// Brute force: what the definition says, one candidate after the other, then sorted.

static int inOrder(const void* left, const void* right)
{
    const thNearAgent *a = left, *b = right;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

static bool isSeen(const Crowd* crowd, const thFrame* frame, int32_t i, int32_t j, bool large,
                   float* order)
{
    const thSight* sight = &crowd->sight;
    if (i == j || frame->level[i] != frame->level[j] || (frame->mask[i] & frame->layers[j]) == 0 ||
        (frame->radius[j] > TH_LARGE_RADIUS) != large)
        return false;
    const float dx = thiMetresBetween(frame->px[i], frame->px[j]);
    const float dy = thiMetresBetween(frame->py[i], frame->py[j]);
    const float distanceSq = dx * dx + dy * dy;
    *order = distanceSq;
    if (large) {
        *order = sqrtf(distanceSq) - frame->radius[i] - frame->radius[j];
        if (*order > sight->neighborRadius)
            return false;
    } else {
        float reach = sight->neighborRadius;
        if (frame->radius[i] > TH_LARGE_RADIUS)
            reach = reach + frame->radius[i] + frame->radius[j];
        if (distanceSq > reach * reach)
            return false;
    }
    if (sight->fieldOfView < 6.2831853f && distanceSq > 0.0f) {
        float sine, cosine, hx, hy;
        thSinCos(0.5f * sight->fieldOfView, &sine, &cosine);
        thSinCos(frame->heading[i], &hy, &hx);
        if (dx * hx + dy * hy < cosine * sqrtf(distanceSq))
            return false;
    }
    return !sight->needsSight || !thiWallsHide(crowd->walls, frame->level[i], frame->px[i],
                                               frame->py[i], frame->px[j], frame->py[j]);
}

static int32_t bruteForce(const Crowd* crowd, const thFrame* frame, int32_t i, bool large,
                          thNearAgent* out)
{
    int32_t count = 0;
    for (int32_t j = 0; j < frame->count; ++j) {
        float order;
        if (isSeen(crowd, frame, i, j, large, &order))
            out[count++] = (thNearAgent){order, j, frame->key[j]};
    }
    qsort(out, (size_t)count, sizeof *out, inOrder);
    return count;
}

static bool sameRows(const thNearAgent* expected, int32_t expectedCount, const thNearAgent* found,
                     int32_t foundCount, const char* what, int32_t row)
{
    if (expectedCount != foundCount) {
        print_message("%s: row %d has %d, expected %d\n", what, row, foundCount, expectedCount);
        return false;
    }
    for (int32_t k = 0; k < foundCount; ++k)
        if (expected[k].row != found[k].row) {
            print_message("%s: neighbour %d of row %d is %d, expected %d\n", what, k, row,
                          found[k].row, expected[k].row);
            return false;
        }
    return true;
}

// The order of rows: small before large, floors, cells and keys; everybody still there once.
static bool isSorted(Crowd* crowd, int32_t living)
{
    const thRows* rows = rowsOf(crowd);
    const thGrid* grid = &crowd->grid;
    if (rows->count != living || grid->sortedCount != living)
        return false;
    for (int32_t i = 0; i < rows->count; ++i) {
        const bool large = rows->radius[i] > TH_LARGE_RADIUS;
        if (rows->flags[i] == 0 || large != (i >= grid->smallCount))
            return false;
        if (i == 0 || (i == grid->smallCount))
            continue;
        const thCellMap* map = &grid->maps[large ? th_sizeLarge : th_sizeSmall];
        const int64_t places[2][4] = {
            {rows->level[i - 1], thiCellRow(map, rows->py[i - 1]),
             thiCellColumn(map, rows->px[i - 1])},
            {rows->level[i], thiCellRow(map, rows->py[i]), thiCellColumn(map, rows->px[i])}};
        int32_t c = 0;
        while (c < 3 && places[0][c] == places[1][c])
            c += 1;
        if (c < 3 ? places[0][c] > places[1][c] : rows->key[i - 1] > rows->key[i])
            return false;
    }
    return true;
}

static bool kernelAgrees(Crowd* crowd, const thFrame* frame, thSimd simd, int64_t* unsettled)
{
    static int32_t lists[TH_KERNEL_NEIGHBORS * (TH_TILE_ROWS + TH_MAX_WIDTH)];
    static int32_t counts[TH_TILE_ROWS + TH_MAX_WIDTH];
    static float radiusSq[TH_TILE_ROWS + TH_MAX_WIDTH];
    static thNearAgent expected[MAX_AGENTS], found[TH_KERNEL_NEIGHBORS];
    const int32_t stride = TH_TILE_ROWS + TH_MAX_WIDTH;
    for (int32_t i = 0; i < stride; ++i)
        radiusSq[i] = crowd->sight.neighborRadius * crowd->sight.neighborRadius;
    for (int32_t begin = 0; begin < crowd->grid.smallCount; begin += TH_TILE_ROWS) {
        const int32_t end = TH_MIN(begin + TH_TILE_ROWS, crowd->grid.smallCount);
        const thNearestTask task = {
            frame,    &crowd->grid, begin,  end,   crowd->sight.neighborCount,
            radiusSq, lists,        counts, stride};
        kernels[simd](&task);
        for (int32_t row = begin; row < end; ++row) {
            const int32_t count = counts[row - begin];
            if (count < 0) {
                *unsettled += 1;
                continue;
            }
            for (int32_t k = 0; k < count; ++k)
                found[k].row = lists[k * stride + row - begin];
            const int32_t all = bruteForce(crowd, frame, row, false, expected);
            if (!sameRows(expected, TH_MIN(all, crowd->sight.neighborCount), found, count,
                          thSimd_GetName(simd), row))
                return false;
        }
    }
    return true;
}

static bool searchesAgree(Crowd* crowd, const thFrame* frame)
{
    static thNearAgent expected[MAX_AGENTS], found[MAX_AGENTS];
    for (int32_t row = 0; row < frame->count; ++row) {
        const thNearestQuery query = {frame, &crowd->grid, crowd->walls, &crowd->sight, row};
        const int32_t all = bruteForce(crowd, frame, row, false, expected);
        if (!sameRows(expected, TH_MIN(all, crowd->sight.neighborCount), found,
                      thiNearest(&query, found), "nearest", row) ||
            !sameRows(expected, all, found, thiEverybody(&query, found, MAX_AGENTS), "everybody",
                      row))
            return false;
        const int32_t large = bruteForce(crowd, frame, row, true, expected);
        if (!sameRows(expected, TH_MIN(large, TH_MAX_LARGE), found, thiNearestLarge(&query, found),
                      "large", row))
            return false;
    }
    return true;
}

static int64_t unsettledRows, allRows;

// Everything about one sorted crowd.
static bool crowdIsRight(Crowd* crowd, int32_t living)
{
    if (!isSorted(crowd, living)) {
        print_message("rows are not in order\n");
        return false;
    }
    const thFrame frame = frameOf(crowd);
    const thSight* sight = &crowd->sight;
    const bool suits = sight->neighborCount <= TH_KERNEL_NEIGHBORS && !sight->needsSight &&
                       sight->fieldOfView > 6.3f;
    for (int32_t simd = th_simdScalar; suits && simd < th_simdCount; ++simd) {
        if (kernels[simd] == NULL || !thSimd_IsAvailable((thSimd)simd))
            continue;
        allRows += frame.count;
        if (!kernelAgrees(crowd, &frame, (thSimd)simd, &unsettledRows))
            return false;
    }
    return searchesAgree(crowd, &frame);
}

static int32_t countLiving(Crowd* crowd)
{
    int32_t living = 0;
    for (int32_t i = 0; i < rowsOf(crowd)->count; ++i)
        living += rowsOf(crowd)->flags[i] != 0;
    return living;
}

static thResult sortCrowd(Crowd* crowd, thSimd simd)
{
    TH_TRY(thiGridSort(&crowd->grid, rowsOf(crowd), &crowd->rows[1 - crowd->current], simd,
                       crowd->tasks));
    crowd->current = 1 - crowd->current;
    thiRowsPad(rowsOf(crowd));
    return th_resultOk;
}

static bool findsNeighbors(thGenerator* g, int32_t size, void* context)
{
    const Kind kind = *(const Kind*)context;
    static Crowd crowd;
    const int32_t workers = drawInt(g, 1, 3);
    openCrowd(&crowd, NULL, workers);
    assert_int_equal(fillCrowd(&crowd, MAX_AGENTS, workers), th_resultOk);
    drawCrowd(&crowd, g, kind, TH_MIN(size, MAX_AGENTS));
    bool right = true;
    for (int32_t step = 0; step < 2 && right; ++step) {
        const int32_t living = countLiving(&crowd);
        const thSimd simd = (thSimd)drawInt(g, th_simdScalar, th_simdCount - 1);
        assert_int_equal(sortCrowd(&crowd, thSimd_Resolve(simd)), th_resultOk);
        right = crowdIsRight(&crowd, living);
        thRows* rows = rowsOf(&crowd);
        const int32_t most = drawU32(g) % 4 == 0 ? 100000000 : 20000;
        for (int32_t i = 0; i < rows->count; ++i) {
            rows->px[i] = TH_MIN(TH_MAX(rows->px[i] / 2 + drawInt(g, -most, most), -TH_MAX_UNITS),
                                 TH_MAX_UNITS);
            rows->flags[i] = drawU32(g) % 32 == 0 ? 0 : th_agentAlive;
        }
    }
    closeCrowd(&crowd);
    return right;
}

static void checkKind(Kind kind)
{
    const bool takeLong = getenv("THRONG_LONG") != NULL;
    allRows = unsettledRows = 0;
    const thProperty small = {.name = kindNames[kind],
                              .seed = 11,
                              .caseCount = takeLong ? 100000 : 1000,
                              .maxSize = 40,
                              .holds = findsNeighbors,
                              .context = &kind};
    assertProperty(&small);
    const thProperty large = {.name = kindNames[kind],
                              .seed = 12,
                              .caseCount = takeLong ? 400 : 6,
                              .maxSize = 1000,
                              .holds = findsNeighbors,
                              .context = &kind};
    assertProperty(&large);
    if (allRows > 0)
        print_message("%s: the kernel settled %.2f %% of rows\n", kindNames[kind],
                      100.0 * (double)(allRows - unsettledRows) / (double)allRows);
}

#define KIND_TEST(name)                                                                            \
    static void name(void** state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        checkKind(kind_##name);                                                                    \
    }

KIND_TEST(uniform)
KIND_TEST(lattice)
KIND_TEST(clusters)
KIND_TEST(heaps)
KIND_TEST(onePoint)
KIND_TEST(wide)
KIND_TEST(line)
KIND_TEST(levels)
KIND_TEST(layers)
KIND_TEST(sizes)
KIND_TEST(cone)
KIND_TEST(hidden)

// Thousands on one square metre, all neighbours asked for, must neither be wrong nor take for ever.
static void thousandsInASquareMetre(void** state)
{
    (void)state;
    static Crowd crowd;
    openCrowd(&crowd, NULL, 2);
    assert_int_equal(fillCrowd(&crowd, MAX_AGENTS, 2), th_resultOk);
    thGenerator g = makeGenerator(5, 5);
    for (int32_t i = 0; i < MAX_AGENTS; ++i)
        addAgent(&crowd, &g, i % 2 == 0 ? 777 : drawUnits(&g, 0.0f, 1.0f),
                 drawUnits(&g, 0.0f, 1.0f));
    addAgent(&crowd, &g, TH_MAX_UNITS, TH_MAX_UNITS); // spoils the extent
    rowsOf(&crowd)->count = MAX_AGENTS;
    crowd.sight = (thSight){.neighborCount = 16, .neighborRadius = 5.0f, .fieldOfView = 7.0f};
    for (int32_t step = 0; step < 3; ++step) {
        assert_int_equal(sortCrowd(&crowd, thSimd_Resolve(th_simdAuto)), th_resultOk);
        assert_true(crowdIsRight(&crowd, MAX_AGENTS));
    }
    closeCrowd(&crowd);
}

typedef struct FailingSort {
    Crowd crowd;
} FailingSort;

// A sort without memory leaves the rows it sorts from.
static thResult sortWithAllocator(const thAllocator* allocator, void* context)
{
    Crowd* crowd = &((FailingSort*)context)->crowd;
    openCrowd(crowd, allocator, 2);
    thResult code = fillCrowd(crowd, 200, 2);
    if (code == th_resultOk) {
        thGenerator g = makeGenerator(3, 3);
        for (int32_t i = 0; i < 200; ++i) {
            addAgent(crowd, &g, drawUnits(&g, -20000.0f, 20000.0f), i < 120 ? 5 : 70000 * i);
        }
        code = sortCrowd(crowd, th_simdScalar);
        if (code != th_resultOk) {
            assert_int_equal(crowd->current, 0);
            for (int32_t i = 0; i < 200; ++i) {
                assert_int_equal(rowsOf(crowd)->slot[i], i);
            }
            assert_int_equal(thiGridSortedCount(&crowd->grid), 0);
        } else {
            assert_true(crowdIsRight(crowd, 200) || crowd->sight.neighborCount == 0);
        }
    }
    closeCrowd(crowd);
    return code;
}

static void survivesFailingAllocations(void** state)
{
    (void)state;
    static FailingSort context;
    failEachAllocation(sortWithAllocator, &context);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform),
        cmocka_unit_test(lattice),
        cmocka_unit_test(clusters),
        cmocka_unit_test(heaps),
        cmocka_unit_test(onePoint),
        cmocka_unit_test(wide),
        cmocka_unit_test(line),
        cmocka_unit_test(levels),
        cmocka_unit_test(layers),
        cmocka_unit_test(sizes),
        cmocka_unit_test(cone),
        cmocka_unit_test(hidden),
        cmocka_unit_test(thousandsInASquareMetre),
        cmocka_unit_test(survivesFailingAllocations),
    };
    return RUN_TESTS(tests, argc, argv);
}
