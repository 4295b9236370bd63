// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The searches that bench/near compares, against sorting everybody by distance: crowds of many
// kinds, also such as trees do not like.

#include "angle_tree.h"
#include "gear/allocators.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "survey.h"

#include <stdlib.h>

#define MAX_AGENTS 5000

static const thNearMethod* const exactMethods[] = {&thiNearNaive, &thiNearKdTree,
                                                   &thiNearGridScalar, &thiNearGrid};
enum { exactCount = sizeof exactMethods / sizeof exactMethods[0] };

typedef enum Kind {
    kind_uniform,
    kind_lattice,
    kind_heaps,
    kind_onePoint,
    kind_line,
    kind_wide,
    kind_count
} Kind;

static int32_t drawUnits(thGenerator* g, float half)
{
    return thiUnits(drawFloat(g, -half, half));
}

static void drawPlace(thGenerator* g, Kind kind, int32_t i, int32_t* x, int32_t* y)
{
    *x = drawUnits(g, 5.0f);
    *y = drawUnits(g, 5.0f);
    if (kind == kind_lattice) { // all distances many times, and the origin is among the places
        *x = (i % 8 - 4) * THRONG_UNITS_PER_METRE;
        *y = (i / 8 - 2) * THRONG_UNITS_PER_METRE;
    } else if (kind == kind_heaps) {
        *x = (int32_t)(drawU32(g) % 3) * THRONG_UNITS_PER_METRE;
        *y = (int32_t)(drawU32(g) % 2) * THRONG_UNITS_PER_METRE;
    } else if (kind == kind_onePoint) {
        *x = *y = 0;
    } else if (kind == kind_line) {
        *y = 0;
    } else if (kind == kind_wide) { // corners of the world, as far apart as can be
        *x = drawU32(g) % 2 == 0 ? TH_MAX_UNITS - abs(*x) : abs(*x) - TH_MAX_UNITS;
        *y = drawU32(g) % 2 == 0 ? TH_MAX_UNITS - abs(*y) : abs(*y) - TH_MAX_UNITS;
    }
}

static int32_t within(int32_t coordinate)
{
    return TH_MIN(TH_MAX(coordinate, -TH_MAX_UNITS), TH_MAX_UNITS);
}

static void drawCrowd(thGenerator* g, Kind kind, thNearCrowd* crowd)
{
    crowd->radius = drawFloat(g, 0.2f, 8.0f);
    for (int32_t i = 0; i < crowd->count; ++i) {
        drawPlace(g, kind, i, &thiNearX(crowd, 0)[i], &thiNearY(crowd, 0)[i]);
        const int32_t most = kind == kind_onePoint ? 0 : thiUnits(1.0f);
        thiNearX(crowd, 1)[i] = within(thiNearX(crowd, 0)[i] + drawInt(g, -most, most));
        thiNearY(crowd, 1)[i] = within(thiNearY(crowd, 0)[i] + drawInt(g, -most, most));
    }
}

static int inOrder(const void* left, const void* right)
{
    const thNearAgent *a = left, *b = right;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

// Everybody within the radius of one agent, in order.
static int32_t findAll(const thNearCrowd* crowd, int32_t moment, int32_t agent, thNearAgent* out)
{
    int32_t count = 0;
    for (int32_t i = 0; i < crowd->count; ++i) {
        const float dx =
            thiMetresBetween(thiNearX(crowd, moment)[agent], thiNearX(crowd, moment)[i]);
        const float dy =
            thiMetresBetween(thiNearY(crowd, moment)[agent], thiNearY(crowd, moment)[i]);
        const float distanceSq = dx * dx + dy * dy;
        if (i != agent && distanceSq <= crowd->radius * crowd->radius)
            out[count++] = (thNearAgent){distanceSq, i, crowd->key[i]};
    }
    qsort(out, (size_t)count, sizeof *out, inOrder);
    return count;
}

static bool findsAll(const thNearMethod* method, const thNearCrowd* crowd, int32_t moment,
                     const int32_t* lists)
{
    static thNearAgent all[MAX_AGENTS];
    for (int32_t agent = 0; agent < crowd->count; ++agent) {
        const int32_t count = findAll(crowd, moment, agent, all);
        for (int32_t k = 0; k < thNearCount; ++k)
            if (lists[agent * thNearCount + k] != (k < count ? all[k].row : -1)) {
                print_message("%s: neighbour %d of %d is %d\n", method->name, k, agent,
                              lists[agent * thNearCount + k]);
                return false;
            }
    }
    return true;
}

// Sorted, nobody twice, nobody too far; nothing is said of how many.
static bool areLists(const thNearMethod* method, const thNearCrowd* crowd, int32_t moment,
                     const int32_t* lists)
{
    (void)method;
    static thNearAgent all[MAX_AGENTS];
    for (int32_t agent = 0; agent < crowd->count; ++agent) {
        const int32_t* list = lists + agent * thNearCount;
        const int32_t count = findAll(crowd, moment, agent, all);
        int32_t length = 0;
        for (int32_t i = 0; i < count && length < thNearCount; ++i)
            length += all[i].row == list[length];
        for (; length < thNearCount; ++length)
            if (list[length] != -1)
                return false;
    }
    return true;
}

typedef bool JudgeFcn(const thNearMethod* method, const thNearCrowd* crowd, int32_t moment,
                      const int32_t* lists);

// Builds and searches there and back, as benchmarks do.
static bool holds(const thNearMethod* method, const thNearCrowd* crowd, JudgeFcn* judge)
{
    static int32_t lists[MAX_AGENTS * thNearCount];
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    void* state;
    assert_int_equal(method->open(method, crowd, &memory, &state), th_resultOk);
    bool right = true;
    for (int32_t round = 0; round < 4 && right; ++round) {
        assert_int_equal(method->build(state, round % 2), th_resultOk);
        const int64_t sum = method->find(state, lists);
        assert_int_equal(method->find(state, NULL), sum);
        int64_t kept = 0;
        for (int32_t i = 0; i < crowd->count * thNearCount; ++i)
            kept += lists[i] >= 0;
        right = kept == sum && judge(method, crowd, round % 2, lists);
    }
    method->close(state);
    assert_int_equal(memory.bytes, 0);
    return right;
}

static bool searchesHold(thGenerator* g, int32_t size, void* context)
{
    const Kind kind = *(const Kind*)context;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thNearCrowd crowd;
    assert_int_equal(thiNearCrowdInit(&crowd, &memory, drawInt(g, 1, TH_MAX(size, 1)), 2),
                     th_resultOk);
    drawCrowd(g, kind, &crowd);
    bool right = holds(&thiNearSampled40, &crowd, areLists);
    for (int32_t i = 0; i < exactCount && right; ++i)
        right = holds(exactMethods[i], &crowd, findsAll);
    thiNearCrowdFree(&crowd, &memory);
    assert_int_equal(memory.bytes, 0);
    return right;
}

static void searchesAreRight(void** state)
{
    (void)state;
    for (Kind kind = 0; kind < kind_count; ++kind) {
        const thProperty few = {"few", 1, 100, 30, searchesHold, &kind};
        assertProperty(&few);
        const thProperty many = {"many", 2, 4, 600, searchesHold, &kind};
        assertProperty(&many);
    }
}

static bool anglesHold(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const bool extreme = drawU32(g) % 2 == 0;
    const int32_t most = extreme ? TH_MAX_UNITS : TH_MAX(size, 1);
    const int32_t x = drawInt(g, -most, most), y = drawInt(g, -most, most);
    const int32_t otherX = drawU32(g) % 4 == 0 ? x / 2 : drawInt(g, -most, most);
    const int32_t otherY = drawU32(g) % 4 == 0 ? y / 2 : drawInt(g, -most, most);
    const double turn = 6.283185307179586;
    double angle = atan2(y, x), other = atan2(otherY, otherX);
    angle = x == 0 && y == 0 ? -1.0 : angle < 0.0 ? angle + turn : angle;
    other = otherX == 0 && otherY == 0 ? -1.0 : other < 0.0 ? other + turn : other;
    const int32_t order = thiCompareAngles(x, y, otherX, otherY);
    const int32_t back = thiCompareAngles(otherX, otherY, x, y);
    if ((order > 0) != (back < 0) || (order < 0) != (back > 0))
        return false;
    // The determinant is exact and the arc tangent is not: only clear cases count.
    if (fabs(angle - other) > 1e-12)
        return (order < 0) == (angle < other) && order != 0;
    return extreme || order == 0;
}

static void anglesAreInOrder(void** state)
{
    (void)state;
    const thProperty property = {"angles", 3, 20000, 40, anglesHold, NULL};
    assertProperty(&property);
    assert_true(thiCompareAngles(-TH_MAX_UNITS, TH_MAX_UNITS, TH_MAX_UNITS, TH_MAX_UNITS) > 0);
    assert_true(thiCompareAngles(0, 0, 1, 0) < 0);
    assert_int_equal(thiCompareAngles(3, -6, 1, -2), 0);
}

// Nobody's angle is strictly between those of a place and of who was found there.
static bool isNext(const thNearCrowd* crowd, int32_t found, int32_t x, int32_t y)
{
    const int32_t foundX = thiNearX(crowd, 0)[found], foundY = thiNearY(crowd, 0)[found];
    const int32_t side = thiCompareAngles(foundX, foundY, x, y);
    for (int32_t i = 0; i < crowd->count; ++i) {
        const int32_t toFound =
            thiCompareAngles(thiNearX(crowd, 0)[i], thiNearY(crowd, 0)[i], foundX, foundY);
        const int32_t toPlace =
            thiCompareAngles(thiNearX(crowd, 0)[i], thiNearY(crowd, 0)[i], x, y);
        if (side <= 0 ? toFound > 0 && toPlace <= 0 : toFound < 0 && toPlace > 0)
            return false;
    }
    return true;
}

static bool treeHolds(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thNearCrowd crowd;
    assert_int_equal(thiNearCrowdInit(&crowd, &memory, drawInt(g, 1, TH_MAX(size, 1)), 2),
                     th_resultOk);
    drawCrowd(g, (Kind)drawInt(g, 0, kind_count - 1), &crowd);
    thAngleTree tree;
    assert_int_equal(thiAngleTreeInit(&tree, &memory, crowd.count), th_resultOk);
    thiAngleTreeBuild(&tree, thiNearX(&crowd, 0), thiNearY(&crowd, 0));
    bool right = true;
    for (int32_t i = 0; i < 50 && right; ++i) {
        const int32_t at = drawInt(g, 0, crowd.count - 1);
        const int32_t x = i % 2 == 0 ? thiNearX(&crowd, 0)[at] : drawUnits(g, 6.0f);
        const int32_t y = i % 2 == 0 ? thiNearY(&crowd, 0)[at] : drawUnits(g, 6.0f);
        right = isNext(&crowd, thiAngleTreeFind(&tree, x, y), x, y);
    }
    thiAngleTreeFree(&tree);
    thiNearCrowdFree(&crowd, &memory);
    return right;
}

static void treeFindsTheNextByAngle(void** state)
{
    (void)state;
    const thProperty property = {"tree", 4, 1000, 60, treeHolds, NULL};
    assertProperty(&property);
}

static void crowdsWalkWithinTheirSquare(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thNearCrowd crowd;
    assert_int_equal(thiNearCrowdInit(&crowd, &memory, 4, 1000), th_resultOk);
    thiNearCrowdScatter(&crowd, 4.0f);
    const int32_t half = thiUnits(0.5f);
    for (int32_t i = 0; i < crowd.count * crowd.moments; ++i) {
        assert_in_range(crowd.x[i] + half, 0, 2 * half);
        assert_in_range(crowd.y[i] + half, 0, 2 * half);
        if (i < crowd.count)
            continue;
        const float dx = thiMetresBetween(crowd.x[i - crowd.count], crowd.x[i]);
        const float dy = thiMetresBetween(crowd.y[i - crowd.count], crowd.y[i]);
        assert_near(sqrtf(dx * dx + dy * dy), 0.14, 1e-4);
    }
    thiNearCrowdFree(&crowd, &memory);
}

static double recallOf(const thNearMethod* method, int32_t agents)
{
    static int32_t lists[MAX_AGENTS * thNearCount];
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thNearCrowd crowd;
    void* state;
    assert_int_equal(thiNearCrowdInit(&crowd, &memory, agents, 2), th_resultOk);
    thiNearCrowdScatter(&crowd, 1.0f);
    crowd.radius = 15.0f;
    assert_int_equal(method->open(method, &crowd, &memory, &state), th_resultOk);
    assert_int_equal(method->build(state, 0), th_resultOk);
    method->find(state, lists);
    int64_t all = 0, found = 0;
    for (int32_t agent = 0; agent < agents; agent += agents / 500) {
        thNearList truth;
        thiNearNaiveList(&crowd, 0, agent, &truth);
        all += truth.count;
        for (int32_t i = 0; i < truth.count; ++i)
            for (int32_t k = 0; k < thNearCount; ++k)
                found += lists[agent * thNearCount + k] == truth.items[i].row;
    }
    method->close(state);
    thiNearCrowdFree(&crowd, &memory);
    return (double)found / (double)all;
}

// Another rebuild of the paper's search, in other surroundings, had the figures below. The paper
// leaves open some of what matters for them, so they can agree roughly at best.
static void sampledTreesMissMost(void** state)
{
    (void)state;
    assert_near(recallOf(&thiNearSampled40, 500), 0.19, 0.03);
    assert_near(recallOf(&thiNearSampled160, 500), 0.54, 0.10);
    assert_near(recallOf(&thiNearSampled40, 5000), 0.06, 0.03);
    assert_near(recallOf(&thiNearSampled160, 5000), 0.24, 0.03);
}

static thResult searchOnce(const thAllocator* allocator, void* context)
{
    const thNearMethod* method = *(const thNearMethod* const*)context;
    thMemory memory;
    thiMemoryInit(&memory, allocator, 0);
    thNearCrowd crowd;
    TH_TRY(thiNearCrowdInit(&crowd, &memory, 50, 2));
    thiNearCrowdScatter(&crowd, 1.0f);
    crowd.radius = 3.0f;
    void* state;
    thResult code = method->open(method, &crowd, &memory, &state);
    if (code == th_resultOk) {
        code = method->build(state, 0);
        if (code == th_resultOk && method->find(state, NULL) < 0)
            code = th_resultNoMemory;
        method->close(state);
    }
    thiNearCrowdFree(&crowd, &memory);
    return code;
}

static void survivesFailingAllocations(void** state)
{
    (void)state;
    for (int32_t i = 0; i < thNearMethodCount; ++i) {
        const thNearMethod* method = thiNearMethods[i];
        assert_true(failEachAllocation(searchOnce, &method) > 0);
    }
}

// A survey of two methods with times that grow as size^power.
static thNearSurvey makeSurvey(double time, double power, double otherTime, double otherPower)
{
    thNearSurvey survey = {.sizeCount = 5};
    for (int32_t i = 0; i < survey.sizeCount; ++i) {
        survey.sizes[i] = 4 << 2 * i;
        survey.results[i][0] =
            (thNearResult){.measured = true, .time = time * pow(survey.sizes[i], power)};
        survey.results[i][1] =
            (thNearResult){.measured = true, .time = otherTime * pow(survey.sizes[i], otherPower)};
    }
    return survey;
}

static void crossingsAreFound(void** state)
{
    (void)state;
    thNearSurvey survey = makeSurvey(100.0, 0.0, 1.0, 1.0);
    assert_near(thiNearCrossing(&survey, 0, 1), 100.0, 1e-9);
    assert_true(thiNearCrossing(&survey, 1, 0) == INFINITY); // faster at first only
    survey.results[4][0].measured = false;
    survey.results[4][0].time = 1e9; // is not looked at
    assert_near(thiNearCrossing(&survey, 0, 1), 100.0, 1e-9);
    survey.results[3][0].measured = false; // what is left ends before the crossing
    assert_true(thiNearCrossing(&survey, 0, 1) == INFINITY);
    survey = makeSurvey(1.0, 0.5, 3.0, 0.5);
    assert_true(thiNearCrossing(&survey, 0, 1) == 0.0);
    survey.results[1][0].time = 1e9; // slower once: faster for good only from after that on
    const double crossing = thiNearCrossing(&survey, 0, 1);
    assert_true(crossing > 16.0 && crossing < 64.0);
    survey = (thNearSurvey){.sizeCount = 3};
    assert_true(thiNearCrossing(&survey, 0, 1) == INFINITY);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searchesAreRight),        cmocka_unit_test(anglesAreInOrder),
        cmocka_unit_test(treeFindsTheNextByAngle), cmocka_unit_test(crowdsWalkWithinTheirSquare),
        cmocka_unit_test(sampledTreesMissMost),    cmocka_unit_test(survivesFailingAllocations),
        cmocka_unit_test(crossingsAreFound),
    };
    return RUN_TESTS(tests, argc, argv);
}
