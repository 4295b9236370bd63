// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The two nearest sites of every pixel, held against asking every site, in float to the bit and in
// double; and the repair of their labels, held against one that goes pixel by pixel.

#include "gear/allocators.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "geom/two_nearest.h"

#include <stdlib.h>

#define MOST_SITES 1200
#define MOST_POINTS 6000

typedef struct Scene {
    thSite sites[MOST_SITES];
    thVec2 points[MOST_POINTS];
    int32_t pointCount, obstacleCount;
    thSites all;
    thMemory memory;
    thArena arena;
    thTwoNearest field;
} Scene;

static Scene* makeScene(int32_t width, int32_t height, float pixel)
{
    Scene* scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    thiMemoryInit(&scene->memory, NULL, 0);
    thiArenaInit(&scene->arena, &scene->memory);
    scene->all = (thSites){scene->sites, scene->points, 0};
    assert_int_equal(thiCreateTwoNearest(&scene->memory, width, height, pixel, &scene->field),
                     th_resultOk);
    return scene;
}

static void freeScene(Scene* scene)
{
    thiFreeTwoNearest(&scene->memory, &scene->field);
    thiArenaFree(&scene->arena);
    assert_int_equal(scene->memory.bytes, 0);
    free(scene);
}

static void addSite(Scene* scene, thSiteKind kind, const thVec2* points, int32_t count,
                    float radius)
{
    assert_true(scene->all.count < MOST_SITES && scene->pointCount + count <= MOST_POINTS);
    scene->sites[scene->all.count++] = (thSite){kind, scene->pointCount, count, radius};
    memcpy(scene->points + scene->pointCount, points, (size_t)count * sizeof *points);
    scene->pointCount += count;
}

static void addDisc(Scene* scene, float x, float y, float radius)
{
    addSite(scene, th_siteDisc, &(thVec2){x, y}, 1, radius);
}

static thResult findWith(Scene* scene, thSimd simd, int32_t workers)
{
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = workers;
    thTasks* tasks;
    assert_int_equal(thCreateTasks(&def, &tasks), th_resultOk);
    const thResult code = thiFindTwoNearest(&scene->all, scene->obstacleCount, simd, tasks,
                                            &scene->arena, &scene->field);
    thiArenaReset(&scene->arena);
    thDestroyTasks(tasks);
    return code;
}

static void repairWith(Scene* scene, thSimd simd, int32_t workers)
{
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = workers;
    thTasks* tasks;
    assert_int_equal(thCreateTasks(&def, &tasks), th_resultOk);
    assert_int_equal(thiRepairTwoNearest(&scene->all, scene->obstacleCount, simd, tasks,
                                         &scene->arena, &scene->field),
                     th_resultOk);
    thiArenaReset(&scene->arena);
    thDestroyTasks(tasks);
}

typedef struct Answer {
    int32_t first, second;
    float firstDistance, secondDistance;
} Answer;

static Answer askAll(const Scene* scene, int32_t x, int32_t y)
{
    Answer answer = {-1, -1, INFINITY, INFINITY};
    const thVec2 p = thiPixelCentre(&scene->field, x, y);
    for (int32_t i = 0; i < scene->all.count; ++i) {
        const float distance = thiSiteDistance(&scene->all, i, p);
        if (distance < answer.firstDistance) {
            answer.second = answer.first;
            answer.secondDistance = answer.firstDistance;
            answer.first = i;
            answer.firstDistance = distance;
        } else if (distance < answer.secondDistance) {
            answer.second = i;
            answer.secondDistance = distance;
        }
    }
    if (answer.first < scene->obstacleCount) {
        answer.second = -1;
        answer.secondDistance = INFINITY;
    }
    return answer;
}

static Answer answerAt(const thTwoNearest* field, int64_t at)
{
    return (Answer){field->first[at], field->second[at], field->firstDistance[at],
                    field->secondDistance[at]};
}

static bool sameAnswer(Answer a, Answer b)
{
    return a.first == b.first && a.second == b.second &&
           sameBits(a.firstDistance, b.firstDistance) &&
           sameBits(a.secondDistance, b.secondDistance);
}

static Answer* askEverywhere(const Scene* scene)
{
    const int32_t width = scene->field.width, height = scene->field.height;
    Answer* answers = malloc((size_t)width * (size_t)height * sizeof *answers);
    assert_non_null(answers);
    for (int32_t y = 0; y < height; ++y)
        for (int32_t x = 0; x < width; ++x)
            answers[y * width + x] = askAll(scene, x, y);
    return answers;
}

// How many pixels differ, over all instruction sets and numbers of threads.
static int32_t countWrong(Scene* scene, const Answer* answers)
{
    const int64_t count = (int64_t)scene->field.width * scene->field.height;
    int32_t wrong = 0;
    for (int32_t i = th_simdScalar; i < th_simdCount; ++i) {
        if (!thSimd_IsAvailable((thSimd)i))
            continue;
        for (int32_t workers = 1; workers <= 3; workers += 2) {
            memset(scene->field.first, 0xCD, (size_t)count * sizeof(int32_t));
            memset(scene->field.second, 0xCD, (size_t)count * sizeof(int32_t));
            assert_int_equal(findWith(scene, (thSimd)i, workers), th_resultOk);
            for (int64_t at = 0; at < count; ++at)
                wrong += !sameAnswer(answers[at], answerAt(&scene->field, at));
        }
    }
    return wrong;
}

static void assertExact(Scene* scene)
{
    Answer* answers = askEverywhere(scene);
    const int32_t wrong = countWrong(scene, answers);
    free(answers);
    if (wrong != 0)
        fail_msg("%d pixels differ from asking every site", wrong);
}

// A star round a place, counter-clockwise.
static void addStar(Scene* scene, thGenerator* g, thVec2 at, float size, int32_t corners)
{
    thVec2 points[16];
    const float turn = drawFloat(g, 0.0f, 6.2f);
    for (int32_t i = 0; i < corners; ++i) {
        float sine, cosine;
        thSinCos(turn + 6.2831853f * (float)i / (float)corners, &sine, &cosine);
        const float far = size * drawFloat(g, 0.3f, 1.0f);
        points[i] = (thVec2){at.x + far * cosine, at.y + far * sine};
    }
    addSite(scene, th_sitePolygon, points, corners, 0.0f);
}

static void addRectangle(Scene* scene, float x, float y, float width, float height)
{
    const thVec2 points[4] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    addSite(scene, th_sitePolygon, points, 4, 0.0f);
}

// On lattices things tie; some sites are outside, some in one place.
static void addRandomSite(Scene* scene, thGenerator* g, bool isLattice)
{
    const thTwoNearest* field = &scene->field;
    const float width = (float)field->width * field->pixel,
                height = (float)field->height * field->pixel;
    const float wide = TH_MAX(width, height);
    thVec2 at = {drawFloat(g, -0.3f, 1.3f) * width, drawFloat(g, -0.3f, 1.3f) * height};
    thVec2 to = {at.x + wide * drawFloat(g, -0.4f, 0.4f), at.y + wide * drawFloat(g, -0.4f, 0.4f)};
    if (isLattice) {
        const float step = 4.0f * field->pixel;
        at = (thVec2){step * (float)(int32_t)(at.x / step), step * (float)(int32_t)(at.y / step)};
        to = (thVec2){step * (float)(int32_t)(to.x / step), step * (float)(int32_t)(to.y / step)};
    }
    const int32_t kind = drawInt(g, 0, 9);
    const float radius = drawInt(g, 0, 1) == 0 ? 0.0f : 0.05f * wide * (float)drawInt(g, 0, 3);
    if (kind < 5)
        addDisc(scene, at.x, at.y, radius);
    else if (kind < 7)
        addSite(scene, th_siteSegment, (thVec2[2]){at, drawInt(g, 0, 5) == 0 ? at : to}, 2, radius);
    else if (isLattice)
        addRectangle(scene, at.x, at.y, fabsf(to.x - at.x), fabsf(to.y - at.y));
    else
        addStar(scene, g, at, 0.2f * wide, drawInt(g, 3, 12));
}

static bool isExact(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Scene* scene = makeScene(drawInt(g, 1, 2 * size + 1), drawInt(g, 1, size + 1),
                             drawInt(g, 0, 1) == 0 ? 0.125f : drawFloat(g, 0.01f, 3.0f));
    const int32_t count = drawInt(g, 0, 1 + size / 2);
    const bool isLattice = drawInt(g, 0, 1) == 0;
    for (int32_t i = 0; i < count; ++i)
        addRandomSite(scene, g, isLattice);
    scene->obstacleCount = drawInt(g, 0, 1) == 0 ? 0 : drawInt(g, 0, count);
    Answer* answers = askEverywhere(scene);
    const bool is = countWrong(scene, answers) == 0;
    free(answers);
    freeScene(scene);
    return is;
}

static void testRandomScenes(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"two_nearest", 41, caseCount(60, 2000), 150, isExact, NULL});
}

static void testFewSites(void** state)
{
    (void)state;
    Scene* scene = makeScene(37, 21, 0.5f);
    assertExact(scene);
    assert_int_equal(scene->field.first[5], -1);
    assert_true(scene->field.firstDistance[5] == INFINITY);
    addDisc(scene, 3.0f, 2.0f, 0.25f);
    assertExact(scene);
    assert_int_equal(scene->field.first[5], 0);
    assert_int_equal(scene->field.second[5], -1);
    addDisc(scene, 3.0f, 2.0f, 0.25f); // in the same place: the lower number is nearer
    assertExact(scene);
    assert_int_equal(scene->field.first[5], 0);
    assert_int_equal(scene->field.second[5], 1);
    addDisc(scene, 9e5f, -9e5f, 1.0f);
    assertExact(scene);
    scene->obstacleCount = 3;
    assertExact(scene);
    assert_int_equal(scene->field.second[5], -1);
    freeScene(scene);
}

static void testManyDiscs(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(5, 0);
    for (int32_t radii = 0; radii < 2; ++radii) {
        Scene* scene = makeScene(301, 190, 0.1f);
        for (int32_t i = 0; i < 1000; ++i)
            addDisc(scene, drawFloat(&g, 0.0f, 30.0f), drawFloat(&g, 0.0f, 19.0f),
                    radii == 0 ? 0.25f : drawFloat(&g, 0.0f, 1.0f));
        assertExact(scene);
        freeScene(scene);
    }
}

// Far from the corner of the raster, and rounded to few digits.
static void testLargeRaster(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(6, 0);
    Scene* scene = makeScene(4000, 20, 150.0f);
    for (int32_t i = 0; i < 40; ++i)
        addRandomSite(scene, &g, i % 2 == 0);
    assertExact(scene);
    freeScene(scene);
}

// So far away that distances are rounded to more than a pixel.
static void testFarSites(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(10, 0);
    for (int32_t run = 0; run < 8; ++run) {
        Scene* scene = makeScene(130, 40, run < 4 ? 0.01f : 0.001f);
        for (int32_t i = 0; i < 60; ++i) {
            const float x = drawFloat(&g, -1.0f, 1.0f), y = drawFloat(&g, -1.0f, 1.0f);
            const thVec2 a = {run < 4 ? 9e4f + x : x - 9e5f, 7e5f + y};
            const int32_t kind = drawInt(&g, 0, 2);
            if (kind == 0)
                addDisc(scene, a.x, a.y, 0.2f * y);
            else if (kind == 1)
                addSite(scene, th_siteSegment, (thVec2[2]){a, {a.x + 1e4f, a.y - 1e4f * y}}, 2, x);
            else
                addRectangle(scene, a.x, a.y, 1e5f, 1e4f);
        }
        scene->obstacleCount = run % 2 * 10;
        assertExact(scene);
        freeScene(scene);
    }
}

// In double, by other formulas: the angle that a polygon is seen in.
static double oracleDistance(const Scene* scene, int32_t number, double px, double py)
{
    const thSite* site = &scene->sites[number];
    const thVec2* points = scene->points + site->first;
    double nearest = INFINITY, angle = 0.0;
    for (int32_t i = 0; i < site->count; ++i) {
        const thVec2 a = points[i], b = points[(i + 1) % site->count];
        const double ax = a.x - px, ay = a.y - py, bx = b.x - px, by = b.y - py;
        const double dx = bx - ax, dy = by - ay, length = sqrt(dx * dx + dy * dy);
        double distance = fmin(sqrt(ax * ax + ay * ay), sqrt(bx * bx + by * by));
        if (length > 0.0 && ax * dx + ay * dy < 0.0 && bx * dx + by * dy > 0.0)
            distance = fmin(distance, fabs(ax * dy - ay * dx) / length);
        nearest = fmin(nearest, distance);
        angle += atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    const bool inside = site->kind == th_sitePolygon && fabs(angle) > 3.0;
    return (inside ? -nearest : nearest) - (double)site->radius;
}

static void testAgainstDouble(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(7, 0);
    for (int32_t run = 0; run < caseCount(6, 100); ++run) {
        Scene* scene = makeScene(90, 70, 0.1f);
        for (int32_t i = 0; i < 30; ++i)
            addRandomSite(scene, &g, false);
        assert_int_equal(findWith(scene, th_simdAuto, 1), th_resultOk);
        for (int32_t at = 0; at < 90 * 70; ++at) {
            const thVec2 p = thiPixelCentre(&scene->field, at % 90, at / 90);
            double first = INFINITY, second = INFINITY;
            for (int32_t i = 0; i < scene->all.count; ++i) {
                const double distance = oracleDistance(scene, i, p.x, p.y);
                second = fmin(second, fmax(first, distance));
                first = fmin(first, distance);
            }
            const Answer answer = answerAt(&scene->field, at);
            assert_true(answer.first != answer.second);
            assert_true(answer.firstDistance <= answer.secondDistance);
            assert_near(answer.firstDistance, first, 1e-5);
            assert_near(answer.secondDistance, second, 1e-5);
            assert_near(oracleDistance(scene, answer.first, p.x, p.y), first, 1e-5);
            assert_near(oracleDistance(scene, answer.second, p.x, p.y), second, 1e-5);
        }
        freeScene(scene);
    }
}

static void testBadArguments(void** state)
{
    (void)state;
    Scene* scene = makeScene(8, 8, 1.0f);
    thTwoNearest field;
    assert_int_equal(thiCreateTwoNearest(&scene->memory, 0, 8, 1.0f, &field), th_resultBadArgument);
    assert_int_equal(thiCreateTwoNearest(&scene->memory, 8, 1 << 16, 1.0f, &field),
                     th_resultBadArgument);
    assert_int_equal(thiCreateTwoNearest(&scene->memory, 8, 8, NAN, &field), th_resultBadArgument);
    const float bad[3] = {NAN, INFINITY, 2e6f};
    for (int32_t i = 0; i < 3; ++i) {
        scene->all.count = scene->pointCount = 0;
        addDisc(scene, 1.0f, bad[i], 0.0f);
        assert_int_equal(findWith(scene, th_simdAuto, 1), th_resultBadArgument);
        scene->all.count = scene->pointCount = 0;
        addDisc(scene, 1.0f, 1.0f, bad[i]);
        assert_int_equal(findWith(scene, th_simdAuto, 1), th_resultBadArgument);
    }
    scene->all.count = scene->pointCount = 0;
    addSite(scene, th_sitePolygon, (thVec2[2]){{1.0f, 1.0f}, {2.0f, 2.0f}}, 2, 0.0f);
    assert_int_equal(findWith(scene, th_simdAuto, 1), th_resultBadArgument);
    freeScene(scene);
}

static thResult findAndRepair(const thAllocator* allocator, void* context)
{
    const Scene* scene = context;
    thMemory memory;
    thArena arena;
    thTwoNearest field;
    thTasks* tasks;
    thiMemoryInit(&memory, allocator, 0);
    thiArenaInit(&arena, &memory);
    const thTasksDef def = thDefaultTasksDef();
    assert_int_equal(thCreateTasks(&def, &tasks), th_resultOk);
    thResult code = thiCreateTwoNearest(&memory, 50, 40, 0.1f, &field);
    if (code == th_resultOk)
        code = thiFindTwoNearest(&scene->all, 0, th_simdAuto, tasks, &arena, &field);
    if (code == th_resultOk)
        code = thiRepairTwoNearest(&scene->all, 0, th_simdAuto, tasks, &arena, &field);
    thiFreeTwoNearest(&memory, &field);
    thiArenaFree(&arena);
    thDestroyTasks(tasks);
    return code;
}

static void testLackOfMemory(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(8, 0);
    Scene* scene = makeScene(50, 40, 0.1f);
    for (int32_t i = 0; i < 200; ++i)
        addRandomSite(scene, &g, false);
    assert_true(failEachAllocation(findAndRepair, scene) > 4);
    freeScene(scene);
}

// The repair one pixel after the other, in the order of the raster, until nothing changes.
static bool repairSerially(const Scene* scene, const bool* kept, const int32_t* barred,
                           int32_t* labels)
{
    const int32_t width = scene->field.width, height = scene->field.height;
    bool changed = false;
    for (int32_t at = 0; at < width * height; ++at) {
        const int32_t x = at % width, y = at / width;
        int32_t around[4], count = 0, own = 0, best = -1;
        for (int32_t side = 0; side < 4; ++side) {
            const int32_t nx = x + (side == 0) - (side == 1), ny = y + (side == 2) - (side == 3);
            if (nx >= 0 && ny >= 0 && nx < width && ny < height)
                around[count++] = labels[ny * width + nx];
        }
        for (int32_t i = 0; i < count; ++i)
            own += around[i] == labels[at];
        float bestDistance = INFINITY;
        for (int32_t i = 0; i < count && own < 2; ++i) {
            int32_t alike = 0;
            for (int32_t k = 0; k < count; ++k)
                alike += around[k] == around[i];
            if (around[i] < 0 || alike <= own || (barred != NULL && barred[at] == around[i]))
                continue;
            const float distance =
                thiSiteDistance(&scene->all, around[i], thiPixelCentre(&scene->field, x, y));
            if (distance < bestDistance) {
                best = around[i];
                bestDistance = distance;
            }
        }
        if (best >= 0 && labels[at] >= 0 && !kept[at]) {
            labels[at] = best;
            changed = true;
        }
    }
    return changed;
}

// Pieces of each label, joined by sides.
static int32_t* countPieces(const Scene* scene, const int32_t* labels)
{
    const int32_t width = scene->field.width, count = width * scene->field.height;
    int32_t* pieces = calloc(MOST_SITES, sizeof *pieces);
    int32_t* stack = malloc((size_t)count * sizeof *stack);
    bool* seen = calloc((size_t)count, sizeof *seen);
    assert_true(pieces != NULL && stack != NULL && seen != NULL);
    for (int32_t i = 0; i < count; ++i) {
        if (seen[i] || labels[i] < 0)
            continue;
        pieces[labels[i]] += 1;
        int32_t depth = 0;
        stack[depth++] = i;
        seen[i] = true;
        while (depth > 0) {
            const int32_t at = stack[--depth];
            const int32_t next[4] = {at % width > 0 ? at - 1 : -1,
                                     at % width + 1 < width ? at + 1 : -1, at - width,
                                     at + width < count ? at + width : -1};
            for (int32_t k = 0; k < 4; ++k)
                if (next[k] >= 0 && !seen[next[k]] && labels[next[k]] == labels[i]) {
                    seen[next[k]] = true;
                    stack[depth++] = next[k];
                }
        }
    }
    free(stack);
    free(seen);
    return pieces;
}

static bool isNotMore(const Scene* scene, const int32_t* before, const int32_t* labels)
{
    int32_t* after = countPieces(scene, labels);
    bool is = true;
    for (int32_t i = 0; i < scene->all.count; ++i)
        is = is && after[i] <= before[i];
    free(after);
    return is;
}

static bool* listKept(const Scene* scene)
{
    const thTwoNearest* field = &scene->field;
    bool* kept = calloc((size_t)field->width * (size_t)field->height, sizeof *kept);
    assert_non_null(kept);
    for (int32_t i = scene->obstacleCount; i < scene->all.count; ++i) {
        if (scene->sites[i].kind != th_siteDisc)
            continue;
        const thVec2 p = scene->points[scene->sites[i].first];
        const float scale = 1.0f / (1.0f * field->pixel);
        const float x = p.x * scale, y = p.y * scale;
        if (x >= 0.0f && y >= 0.0f && x < (float)field->width && y < (float)field->height)
            kept[(int32_t)y * field->width + (int32_t)x] = true;
    }
    return kept;
}

// Both distances belong to their labels, which differ.
static bool isConsistent(const Scene* scene)
{
    const thTwoNearest* field = &scene->field;
    for (int32_t at = 0; at < field->width * field->height; ++at) {
        const thVec2 p = thiPixelCentre(field, at % field->width, at / field->width);
        const Answer is = answerAt(field, at);
        if (is.first >= 0 && !sameBits(is.firstDistance, thiSiteDistance(&scene->all, is.first, p)))
            return false;
        if (is.second >= 0 &&
            (is.second == is.first ||
             !sameBits(is.secondDistance, thiSiteDistance(&scene->all, is.second, p))))
            return false;
    }
    return true;
}

static size_t columnBytes(const Scene* scene)
{
    return (size_t)scene->field.width * (size_t)scene->field.height * sizeof(int32_t);
}

static int32_t* copyLabels(const Scene* scene, const int32_t* labels)
{
    int32_t* copy = malloc(columnBytes(scene));
    assert_non_null(copy);
    memcpy(copy, labels, columnBytes(scene));
    return copy;
}

// The two fields by the serial repair: the same is promised of it.
static bool isSeriallyRepaired(Scene* scene, const bool* kept)
{
    int32_t* before = countPieces(scene, scene->field.first);
    int32_t* labels = copyLabels(scene, scene->field.first);
    int32_t rounds = 0;
    while (repairSerially(scene, kept, NULL, labels))
        rounds += 1;
    bool is = rounds < 1000 && isNotMore(scene, before, labels);
    for (int32_t at = 0; at < scene->field.width * scene->field.height; ++at)
        is = is && (!kept[at] || labels[at] == scene->field.first[at]);
    free(before);
    free(labels);
    return is;
}

// No pixel is left that the serial repair would change.
static bool isAtRest(Scene* scene, const bool* kept)
{
    int32_t* first = copyLabels(scene, scene->field.first);
    int32_t* second = copyLabels(scene, scene->field.second);
    const bool is =
        !repairSerially(scene, kept, NULL, first) && !repairSerially(scene, kept, first, second);
    free(first);
    free(second);
    return is;
}

static bool isSameOnAll(Scene* scene, const int32_t* first, const int32_t* second)
{
    for (int32_t i = th_simdScalar; i < th_simdCount; ++i)
        for (int32_t workers = 1; workers <= 3; workers += 2) {
            if (!thSimd_IsAvailable((thSimd)i))
                continue;
            if (findWith(scene, th_simdAuto, 1) != th_resultOk)
                return false;
            repairWith(scene, (thSimd)i, workers);
            if (memcmp(first, scene->field.first, columnBytes(scene)) != 0 ||
                memcmp(second, scene->field.second, columnBytes(scene)) != 0)
                return false;
        }
    return true;
}

// How many pixels all of these repairs change: tests of nothing would hold.
typedef struct Tally {
    int64_t first, second;
} Tally;

static bool isRepaired(thGenerator* g, int32_t size, void* context)
{
    Tally* tally = context;
    Scene* scene = makeScene(drawInt(g, 1, 2 * size + 1), drawInt(g, 1, size + 1), 0.5f);
    const int32_t count = drawInt(g, 0, 18 * size + 1);
    const bool isLattice = drawInt(g, 0, 3) == 0;
    for (int32_t i = 0; i < count; ++i)
        if (i < 100)
            addRandomSite(scene, g, isLattice);
        else
            addDisc(scene, drawFloat(g, 0.0f, (float)size), drawFloat(g, 0.0f, 0.5f * (float)size),
                    0.1f);
    scene->obstacleCount = drawInt(g, 0, 1) == 0 ? 0 : drawInt(g, 0, scene->all.count);
    bool* kept = listKept(scene);
    for (int32_t i = scene->obstacleCount; i < scene->all.count; ++i)
        if (scene->sites[i].kind != th_siteDisc) // only discs are agents here
            scene->sites[i] = (thSite){th_siteDisc, scene->sites[i].first, 1, 0.1f};
    free(kept);
    kept = listKept(scene);
    assert_int_equal(findWith(scene, th_simdAuto, 1), th_resultOk);
    bool is = isSeriallyRepaired(scene, kept);
    int32_t* firstPieces = countPieces(scene, scene->field.first);
    int32_t* first = copyLabels(scene, scene->field.first);
    int32_t* second = copyLabels(scene, scene->field.second);
    repairWith(scene, th_simdAuto, 1);
    is = is && isNotMore(scene, firstPieces, scene->field.first) && isConsistent(scene) &&
         isAtRest(scene, kept);
    for (int32_t at = 0; at < scene->field.width * scene->field.height; ++at) {
        is = is && (!kept[at] || scene->field.first[at] == first[at]);
        tally->first += scene->field.first[at] != first[at];
        tally->second += scene->field.second[at] != second[at];
    }
    memcpy(first, scene->field.first, columnBytes(scene));
    memcpy(second, scene->field.second, columnBytes(scene));
    int32_t* secondPieces = countPieces(scene, second);
    repairWith(scene, th_simdAuto, 1); // nothing is left to do
    is = is && memcmp(first, scene->field.first, columnBytes(scene)) == 0 &&
         memcmp(second, scene->field.second, columnBytes(scene)) == 0 &&
         isNotMore(scene, secondPieces, scene->field.second) && isSameOnAll(scene, first, second);
    free(firstPieces);
    free(secondPieces);
    free(first);
    free(second);
    free(kept);
    freeScene(scene);
    return is;
}

static void testRandomRepairs(void** state)
{
    (void)state;
    Tally tally = {0, 0};
    assertProperty(
        &(thProperty){"two_nearest_repair", 43, caseCount(60, 2000), 60, isRepaired, &tally});
    if (tally.first < 1000 || tally.second < 1000)
        fail_msg("only %lld and %lld pixels changed", (long long)tally.first,
                 (long long)tally.second);
}

// A thread one pixel wide, all along the raster, that holds an agent at one end or none.
static void testThread(void** state)
{
    (void)state;
    for (int32_t kind = 0; kind < 4; ++kind) {
        Scene* scene = makeScene(60, 40, 1.0f);
        const bool isUpright = kind % 2 == 1;
        addDisc(scene, 30.0f, 10.0f, 0.0f);
        addDisc(scene, 5.5f, 20.5f, 0.0f); // of the thread
        scene->obstacleCount = kind < 2 ? 2 : 0;
        assert_int_equal(findWith(scene, th_simdAuto, 1), th_resultOk);
        for (int32_t at = 0; at < 60 * 40; ++at) {
            const int32_t x = at % 60, y = at / 60;
            const bool isThread =
                isUpright ? x == 5 && y > 2 && y < 37 : y == 20 && x > 2 && x < 57;
            scene->field.first[at] = isThread;
            scene->field.second[at] = !isThread;
        }
        repairWith(scene, th_simdAuto, 2);
        int32_t left = 0;
        for (int32_t at = 0; at < 60 * 40; ++at)
            left += scene->field.first[at] == 1;
        assert_int_equal(left, kind < 2 ? 0 : 1);
        assert_int_equal(scene->field.first[20 * 60 + 5], kind < 2 ? 0 : 1);
        freeScene(scene);
    }
}

// In the second field too pieces never become more; there its own pass alone counts.
static void testSecondPieces(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(9, 0);
    int64_t changed = 0;
    for (int32_t run = 0; run < 10; ++run) {
        Scene* scene = makeScene(120, 100, 0.5f);
        for (int32_t i = 0; i < 200; ++i)
            addDisc(scene, drawFloat(&g, 0.0f, 60.0f), drawFloat(&g, 0.0f, 50.0f), 0.0f);
        assert_int_equal(findWith(scene, th_simdAuto, 1), th_resultOk);
        // Firsts are at rest: their pass changes nothing.
        memset(scene->field.first, 0, columnBytes(scene));
        for (int32_t at = 0; at < 120 * 100; ++at)
            if (scene->field.second[at] == 0)
                scene->field.second[at] = 1;
        int32_t* pieces = countPieces(scene, scene->field.second);
        int32_t* second = copyLabels(scene, scene->field.second);
        repairWith(scene, th_simdAuto, 1);
        assert_true(isNotMore(scene, pieces, scene->field.second));
        for (int32_t at = 0; at < 120 * 100; ++at)
            changed += second[at] != scene->field.second[at];
        free(second);
        free(pieces);
        freeScene(scene);
    }
    assert_true(changed > 100);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRandomScenes),  cmocka_unit_test(testFewSites),
        cmocka_unit_test(testManyDiscs),     cmocka_unit_test(testLargeRaster),
        cmocka_unit_test(testFarSites),      cmocka_unit_test(testAgainstDouble),
        cmocka_unit_test(testBadArguments),  cmocka_unit_test(testLackOfMemory),
        cmocka_unit_test(testRandomRepairs), cmocka_unit_test(testThread),
        cmocka_unit_test(testSecondPieces),
    };
    return RUN_TESTS(tests, argc, argv);
}
