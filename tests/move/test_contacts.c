// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The contact solver: the promised distances hold for any crowd, whatever computes them.

#include "base/tasks.h"
#include "gear/allocators.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "geom/fixed.h"
#include "move/contact/contact_rules.h"
#include "move/contact/contacts.h"
#include "move/slide.h"
#include "move/wall_oracle.h"

#include <stdio.h>
#include <stdlib.h>

#define METRE THRONG_UNITS_PER_METRE
#define MAX_AGENTS 8192

// A crowd that walks to goals of its own, with nothing but contacts to keep it apart.
typedef struct Crowd {
    thMemory memory;
    thTasks* tasks;
    thContacts* contacts;
    thWallGrid* walls;
    thRows rows;
    int32_t x[MAX_AGENTS + TH_MAX_WIDTH]; // where they go
    int32_t y[MAX_AGENTS + TH_MAX_WIDTH];
    int32_t fromX[MAX_AGENTS], fromY[MAX_AGENTS]; // where they stood
    double goalX[MAX_AGENTS], goalY[MAX_AGENTS];  // m
    uint16_t pressure[MAX_AGENTS];
    uint64_t step;
    thSimd simd;
    thContactStats stats;
    int64_t cuts, steps;
} Crowd;

static bool isLong(void)
{
    const char* wish = getenv("THRONG_LONG");
    return wish != NULL && strcmp(wish, "0") != 0;
}

static thResult openCrowd(Crowd* crowd, const thAllocator* allocator, int32_t workers)
{
    memset(crowd, 0, sizeof *crowd);
    thiMemoryInit(&crowd->memory, allocator, 0);
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = workers;
    TH_TRY(thiCreateTasks(&crowd->memory, &def, &crowd->tasks));
    TH_TRY(thiCreateContacts(&crowd->memory, workers, &crowd->contacts));
    TH_TRY(thiCreateWallGrid(&crowd->memory, &crowd->walls));
    return thiRowsReserve(&crowd->rows, &crowd->memory, MAX_AGENTS);
}

static void closeCrowd(Crowd* crowd)
{
    thiRowsFree(&crowd->rows, &crowd->memory);
    thiDestroyWallGrid(crowd->walls);
    thiDestroyContacts(crowd->contacts);
    thDestroyTasks(crowd->tasks);
    assert_int_equal(crowd->memory.bytes, 0);
}

static Crowd* newCrowd(int32_t workers)
{
    Crowd* crowd = malloc(sizeof *crowd);
    assert_non_null(crowd);
    assert_int_equal(openCrowd(crowd, NULL, workers), th_resultOk);
    return crowd;
}

static void endCrowd(Crowd* crowd)
{
    closeCrowd(crowd);
    free(crowd);
}

// Metres. Its goal is where it stands.
static int32_t addAgent(Crowd* crowd, double x, double y, float radius, float speed)
{
    thRows* rows = &crowd->rows;
    const int32_t row = rows->count++;
    assert_true(row < MAX_AGENTS);
    rows->px[row] = (int32_t)lround(x * METRE);
    rows->py[row] = (int32_t)lround(y * METRE);
    rows->radius[row] = radius;
    rows->maxSpeed[row] = speed;
    rows->prefSpeed[row] = 0.7f * speed;
    rows->flags[row] = th_agentAlive;
    rows->layers[row] = 1;
    rows->mask[row] = UINT32_MAX;
    rows->key[row] = UINT64_C(1000) + (uint64_t)row;
    crowd->goalX[row] = x;
    crowd->goalY[row] = y;
    return row;
}

static void setGoal(Crowd* crowd, int32_t row, double x, double y)
{
    crowd->goalX[row] = x;
    crowd->goalY[row] = y;
}

static void addWalls(Crowd* crowd, const thWallSegment* segments, int32_t count)
{
    assert_int_equal(thiWallGridBuild(crowd->walls, segments, count), th_resultOk);
}

static int32_t clampToWorld(double units)
{
    return (int32_t)fmin(fmax(units, -TH_MAX_UNITS), TH_MAX_UNITS);
}

// Straight towards the goal, by walls.
static void chooseTargets(Crowd* crowd, float dt)
{
    thRows* rows = &crowd->rows;
    for (int32_t row = 0; row < rows->count; ++row) {
        const double dx = crowd->goalX[row] * METRE - rows->px[row];
        const double dy = crowd->goalY[row] * METRE - rows->py[row];
        const double length = sqrt(dx * dx + dy * dy);
        const double relief = (double)thiContactRelief(crowd->pressure[row]);
        const double way = fmin(length, (double)(rows->prefSpeed[row] * dt) * relief * METRE);
        const double scale = length > 0.0 ? way / length : 0.0;
        const thPoint from = {rows->px[row], rows->py[row]};
        const thPoint to = {clampToWorld(from.x + dx * scale), clampToWorld(from.y + dy * scale)};
        const thPoint end = thiSlide(crowd->walls, rows->level[row], from, to, rows->radius[row]);
        crowd->fromX[row] = from.x;
        crowd->fromY[row] = from.y;
        crowd->x[row] = end.x;
        crowd->y[row] = end.y;
    }
}

static thResult solve(Crowd* crowd, float dt)
{
    if (thiContactsReserve(crowd->contacts, crowd->rows.count) != th_resultOk)
        return th_resultNoMemory;
    for (int32_t row = 0; row < crowd->rows.count; ++row)
        thiContactWalls(crowd->contacts)[row] = TH_NO_WALL_KNOWN;
    const thContactTask task = {.rows = &crowd->rows,
                                .x = crowd->x,
                                .y = crowd->y,
                                .pressure = crowd->pressure,
                                .walls = crowd->walls,
                                .dt = dt,
                                .step = crowd->step++,
                                .simd = crowd->simd};
    return thiSolveContacts(crowd->contacts, &task, crowd->tasks, &crowd->stats);
}

static void moveAll(Crowd* crowd)
{
    crowd->steps += crowd->rows.count;
    crowd->cuts += crowd->stats.cuts;
    for (int32_t row = 0; row < crowd->rows.count; ++row) {
        crowd->rows.px[row] = crowd->x[row];
        crowd->rows.py[row] = crowd->y[row];
    }
}

// The oracle: pairs are found by brute force and judged in 128-bit integers, from the floats that
// users give.
__extension__ typedef __int128 Wide;

static bool canTouch(const thRows* rows, int32_t a, int32_t b)
{
    return rows->flags[a] != 0 && rows->flags[b] != 0 && rows->level[a] == rows->level[b] &&
           ((rows->mask[a] & rows->layers[b]) != 0 || (rows->mask[b] & rows->layers[a]) != 0);
}

// Least distance² of two points that go straight from P to T relative to each other.
static long double leastSq(long double px, long double py, long double tx, long double ty)
{
    const long double vx = tx - px, vy = ty - py, vv = vx * vx + vy * vy;
    long double s = vv > 0 ? -(px * vx + py * vy) / vv : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    const long double x = px + s * vx, y = py + s * vy;
    return x * x + y * y;
}

static int64_t lengthAtMost(int64_t x, int64_t y)
{
    return llabs(x) + llabs(y);
}

static const char* judgePair(const Crowd* crowd, int32_t a, int32_t b)
{
    const thRows* rows = &crowd->rows;
    const int64_t ax = crowd->x[a] - crowd->fromX[a], ay = crowd->y[a] - crowd->fromY[a];
    const int64_t bx = crowd->x[b] - crowd->fromX[b], by = crowd->y[b] - crowd->fromY[b];
    const Wide px = (Wide)crowd->fromX[b] - crowd->fromX[a];
    const Wide py = (Wide)crowd->fromY[b] - crowd->fromY[a];
    const Wide before = px * px + py * py;
    const double radii = ((double)rows->radius[a] + (double)rows->radius[b]) * METRE;
    const Wide reach = (Wide)ceil(radii) + lengthAtMost(ax, ay) + lengthAtMost(bx, by);
    if (before > reach * reach)
        return NULL;
    const Wide tx = px + bx - ax, ty = py + by - ay, after = tx * tx + ty * ty;
    const long double limitSq = 0.991L * 0.991L * (long double)radii * (long double)radii;
    if (after < before && (long double)after < limitSq)
        return "too deep";
    if (hypot((double)ax, (double)ay) + hypot((double)bx, (double)by) < radii)
        return NULL;
    const long double least =
        leastSq((long double)px, (long double)py, (long double)tx, (long double)ty);
    const long double wanted = (long double)before < limitSq ? (long double)before : limitSq;
    return least < wanted * (1 - 1e-12L) ? "too deep on the way" : NULL;
}

static const char* judgeWalls(const Crowd* crowd, int32_t row)
{
    const thWalls* walls = thiWallGridWalls(crowd->walls);
    const long double radius = (long double)crowd->rows.radius[row] * METRE - TH_WALL_SLOP;
    for (int32_t i = 0; i < walls->count; ++i) {
        if (walls->level[i] != crowd->rows.level[row])
            continue;
        const thPoint a = {walls->ax[i], walls->ay[i]}, b = {walls->bx[i], walls->by[i]};
        const thPoint from = {crowd->fromX[row], crowd->fromY[row]};
        const thPoint to = {crowd->x[row], crowd->y[row]};
        const long double before = oracleDistance(from, a, b), after = oracleDistance(to, a, b);
        if (after < radius - 1e-3L && after < before - 1e-3L)
            return "too deep in a wall";
    }
    return NULL;
}

static const char* judge(const Crowd* crowd)
{
    const thRows* rows = &crowd->rows;
    for (int32_t a = 0; a < rows->count; ++a) {
        const bool fixed = (rows->flags[a] & (th_agentExternal | th_agentVelocityOnly)) != 0;
        if (rows->flags[a] == 0)
            continue;
        if (fixed && (crowd->x[a] != crowd->fromX[a] || crowd->y[a] != crowd->fromY[a]))
            return "was moved";
        if (abs(crowd->x[a]) > TH_MAX_UNITS || abs(crowd->y[a]) > TH_MAX_UNITS)
            return "left the world";
        const char* problem = fixed ? NULL : judgeWalls(crowd, a);
        for (int32_t b = 0; b < a && problem == NULL; ++b)
            if (canTouch(rows, a, b))
                problem = judgePair(crowd, a, b);
        if (problem != NULL)
            return problem;
    }
    return NULL;
}

// The deepest overlap there is, as a share of the radii's sum.
static double deepest(const Crowd* crowd)
{
    const thRows* rows = &crowd->rows;
    double deep = 0.0;
    for (int32_t a = 0; a < rows->count; ++a)
        for (int32_t b = 0; b < a; ++b) {
            const double radii = (double)(rows->radius[a] + rows->radius[b]) * METRE;
            if (canTouch(rows, a, b) && radii > 0.0)
                deep = fmax(deep, 1.0 - hypot((double)rows->px[a] - rows->px[b],
                                              (double)rows->py[a] - rows->py[b]) /
                                            radii);
        }
    return deep;
}

static void stepUnjudged(Crowd* crowd, float dt)
{
    chooseTargets(crowd, dt);
    assert_int_equal(solve(crowd, dt), th_resultOk);
}

static void step(Crowd* crowd, float dt)
{
    stepUnjudged(crowd, dt);
    const char* problem = judge(crowd);
    if (problem != NULL)
        fail_msg("step %d: %s", (int)crowd->step, problem);
    moveAll(crowd);
}

// Rules.

static void testRoots(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(1, 1);
    for (int32_t i = 0; i < 100000; ++i) {
        const int64_t root = drawInt(&g, 1, (1 << 28) - 1);
        assert_int_equal(thiRootUp(root * root), root);
        assert_int_equal(thiRootUp(root * root - 1), root);
        assert_int_equal(thiRootUp(root * root + 1), root + 1);
    }
    assert_int_equal(thiRootUp(0), 0);
}

static thDisplacement drawDisplacement(thGenerator* g, int32_t size)
{
    const int64_t x = drawInt(g, -size, size);
    return (thDisplacement){x, drawInt(g, -size, size)};
}

static thDisplacement plus(thDisplacement a, thDisplacement b, int32_t sign)
{
    return (thDisplacement){a.x + sign * b.x, a.y + sign * b.y};
}

// Both go halfway: then they are apart, on the way too.
static bool halvesAreEnough(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const int32_t scale = size * size + 1;
    for (int32_t i = 0; i < 200; ++i) {
        const thDisplacement before = drawDisplacement(g, scale), a = drawDisplacement(g, scale),
                             b = drawDisplacement(g, scale);
        const int64_t radii = drawInt(g, 1, scale);
        const thDisplacement back = {-before.x, -before.y};
        if (thiHalfway(a, before, radii) && thiHalfway(b, back, radii) &&
            !thiApart(before, plus(plus(before, b, 1), a, -1), radii, true))
            return false;
    }
    return true;
}

static bool apartIsExact(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const int32_t scale = size * size + 1;
    for (int32_t i = 0; i < 200; ++i) {
        const thDisplacement before = drawDisplacement(g, scale),
                             after = drawDisplacement(g, scale);
        const int64_t radii = drawInt(g, 1, scale);
        const int64_t limit = (991 * radii + 999) / 1000;
        const long double wanted =
            fminl((long double)(limit * limit), (long double)thiExactDot(before, before));
        const long double end = (long double)thiExactDot(after, after);
        const long double least = leastSq((long double)before.x, (long double)before.y,
                                          (long double)after.x, (long double)after.y);
        if (thiApart(before, after, radii, false) != (end >= wanted))
            return false;
        const bool apart = thiApart(before, after, radii, true);
        if (apart ? least < wanted * (1 - 1e-15L) : least > wanted * (1 + 1e-15L))
            return false;
    }
    return true;
}

static void testRules(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"halves", 7, 400, 10000, halvesAreEnough, NULL});
    assertProperty(&(thProperty){"apart", 8, 400, 10000, apartIsExact, NULL});
}

static void testRelief(void** state)
{
    (void)state;
    for (uint16_t pressure = 0; pressure <= 16; ++pressure)
        assert_near(thiContactRelief(pressure), pow(0.8, 0.5 * pressure), 1e-7);
    assert_near(thiContactRelief(60000), thiContactRelief(16), 0.0);
}

// Crowds.

static double logUniform(thGenerator* g, double low, double high)
{
    return low * pow(high / low, (double)drawUnit(g));
}

static void shuffle(Crowd* crowd, thGenerator* g)
{
    for (int32_t i = crowd->rows.count - 1; i > 0; --i) {
        const int32_t j = drawInt(g, 0, i);
#define SWAP(type, column)                                                                         \
    {                                                                                              \
        const type kept = crowd->column[i];                                                        \
        crowd->column[i] = crowd->column[j];                                                       \
        crowd->column[j] = kept;                                                                   \
    }
#define SWAP_OF_ROWS(type, column) SWAP(type, rows.column)
        TH_ROW_COLUMNS(SWAP_OF_ROWS)
        SWAP(double, goalX)
        SWAP(double, goalY)
        SWAP(uint16_t, pressure)
#undef SWAP_OF_ROWS
#undef SWAP
    }
}

// A crowd of any density, sizes and speeds, somewhere in the world, with goals across it.
static float fillAtRandom(Crowd* crowd, thGenerator* g, int32_t count)
{
    const double density = logUniform(g, 0.05, 8.0);
    const double side = sqrt((count + 1) / density);
    const double corner = drawInt(g, 0, 3) == 0 ? 29990.0 - side : (double)drawFloat(g, -50, 50);
    const float dt = (float)logUniform(g, 0.01, 1.0);
    const bool mixed = drawInt(g, 0, 1) == 0;
    const double topRadius = mixed ? 3.0 : 0.25;
    const double topSpeed = logUniform(g, 0.5, 10.0);
    const int32_t levels = drawInt(g, 0, 2) == 0 ? 3 : 1;
    for (int32_t i = 0; i < count; ++i) {
        const double x = corner + side * (double)drawUnit(g),
                     y = corner + side * (double)drawUnit(g);
        const float radius = mixed ? (float)logUniform(g, 0.1, topRadius) : 0.25f;
        const int32_t row = addAgent(crowd, x, y, radius, (float)topSpeed * drawUnit(g));
        const double goalX = corner + side * (double)drawUnit(g);
        setGoal(crowd, row, goalX, corner + side * (double)drawUnit(g));
        crowd->rows.level[row] = (uint16_t)(7 * drawInt(g, 0, levels - 1));
        const int32_t kind = drawInt(g, 0, 40);
        if (kind == 0)
            crowd->rows.flags[row] |= th_agentExternal;
        if (kind == 1)
            crowd->rows.flags[row] |= th_agentVelocityOnly;
        if (kind == 2)
            crowd->rows.flags[row] = 0;
        if (kind == 3)
            crowd->rows.radius[row] = 0.0f;
        if (kind == 4)
            crowd->rows.layers[row] = crowd->rows.mask[row] = 2;
    }
    return dt;
}

static void putWallsAtRandom(Crowd* crowd, thGenerator* g)
{
    thWallSegment segments[12];
    const thRows* rows = &crowd->rows;
    for (int32_t i = 0; i < 12; ++i) {
        const int32_t at = drawInt(g, 0, rows->count - 1);
        const int32_t x = rows->px[at] + drawInt(g, -2 * METRE, 0),
                      y = rows->py[at] + drawInt(g, -2 * METRE, 0);
        segments[i] = (thWallSegment){.ax = x,
                                      .ay = y,
                                      .bx = x + drawInt(g, -4 * METRE, 4 * METRE),
                                      .by = y + drawInt(g, -4 * METRE, 4 * METRE),
                                      .level = rows->level[at]};
    }
    addWalls(crowd, segments, 12);
}

// The host moves external agents anywhere, and sometimes others.
static void teleport(Crowd* crowd, thGenerator* g)
{
    thRows* rows = &crowd->rows;
    for (int32_t row = 0; row < rows->count; ++row) {
        if ((rows->flags[row] & th_agentExternal) == 0 && drawInt(g, 0, 200) != 0)
            continue;
        const int32_t other = drawInt(g, 0, rows->count - 1);
        rows->px[row] = rows->px[other] + drawInt(g, -9000, 9000);
        rows->py[row] = rows->py[other] + drawInt(g, -9000, 9000);
    }
}

static bool anyCrowdIsSafe(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Crowd* crowd = newCrowd(1);
    const float dt = fillAtRandom(crowd, g, size + 1);
    if (drawInt(g, 0, 1) == 0)
        putWallsAtRandom(crowd, g);
    const bool teleports = drawInt(g, 0, 1) == 0;
    const char* problem = NULL;
    for (int32_t i = 0; i < 8 && problem == NULL; ++i) {
        if (teleports)
            teleport(crowd, g);
        stepUnjudged(crowd, dt);
        problem = judge(crowd);
        moveAll(crowd);
    }
    if (problem != NULL)
        printf("size %d: %s\n", size, problem);
    endCrowd(crowd);
    return problem == NULL;
}

static void testAnyCrowd(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"crowds", 11, isLong() ? 5000 : 80, 150, anyCrowdIsSafe, NULL});
}

static void fillDisc(Crowd* crowd, int32_t count, double density, float radius, float speed)
{
    thGenerator g = makeGenerator(5, 5);
    const int32_t side = (int32_t)ceil(sqrt(count));
    const double pitch = sqrt(1.0 / density);
    for (int32_t i = 0; i < count; ++i) {
        const double x = pitch * (i % side) + 0.01 * (double)drawUnit(&g);
        const double y = pitch * (i / side) + 0.01 * (double)drawUnit(&g);
        addAgent(crowd, x, y, radius, speed);
    }
}

// Everybody wants to the same point.
static void testPress(void** state)
{
    (void)state;
    const int32_t count = isLong() ? 5000 : 1000;
    Crowd* crowd = newCrowd(1);
    fillDisc(crowd, count, 1.5, 0.25f, 2.0f);
    const double middle = 0.5 * sqrt(count / 1.5);
    for (int32_t row = 0; row < count; ++row)
        setGoal(crowd, row, middle, middle);
    for (int32_t i = 0; i < 250; ++i) {
        stepUnjudged(crowd, 0.1f);
        if (i % 10 == 0)
            assert_null(judge(crowd));
        moveAll(crowd);
        assert_true(deepest(crowd) <= 0.00901);
    }
    int32_t inside = 0; // discs of 0.25 m fill at most 91 % of the plane
    for (int32_t row = 0; row < count; ++row)
        inside += hypot(thiMetres(crowd->rows.px[row]) - middle,
                        thiMetres(crowd->rows.py[row]) - middle) < 0.3 * sqrt(count);
    printf("press: %.5f of agent-steps cut, %.3f inside\n",
           (double)crowd->cuts / (double)crowd->steps, (double)inside / count);
    assert_true(inside > 9 * count / 10);
    // When they turn round, all of them get away.
    for (int32_t row = 0; row < count; ++row)
        setGoal(crowd, row, thiMetres(crowd->rows.px[row]) * 3 - middle * 2,
                thiMetres(crowd->rows.py[row]) * 3 - middle * 2);
    for (int32_t i = 0; i < 300; ++i) {
        stepUnjudged(crowd, 0.1f);
        if (i % 10 == 0)
            assert_null(judge(crowd));
        moveAll(crowd);
    }
    for (int32_t row = 0; row < count; ++row)
        assert_near(thiMetres(crowd->rows.px[row]), crowd->goalX[row], 3.0);
    endCrowd(crowd);
}

// Created on one spot: depths only become less, and in the end there are none.
static void testPile(void** state)
{
    (void)state;
    const int32_t count = isLong() ? 600 : 120;
    Crowd* crowd = newCrowd(1);
    thGenerator g = makeGenerator(3, 3);
    for (int32_t i = 0; i < count; ++i) {
        const double spread = i % 2 == 0 ? 0.0 : 0.5; // half of them exactly at one point
        const double x = 100 + spread * (double)drawUnit(&g);
        addAgent(crowd, x, -50 + spread * (double)drawUnit(&g), 0.25f, 2.0f);
    }
    int32_t steps = 0;
    for (; steps < 4000 && (steps == 0 || deepest(crowd) > 0.00901); ++steps) {
        for (int32_t row = 0; row < count; ++row)
            setGoal(crowd, row, thiMetres(crowd->rows.px[row]), thiMetres(crowd->rows.py[row]));
        stepUnjudged(crowd, 0.1f);
        if (steps < 10 || steps % 50 == 0)
            assert_null(judge(crowd));
        moveAll(crowd);
    }
    printf("pile of %d: apart after %d steps\n", count, steps);
    assert_true(deepest(crowd) <= 0.00901);
    endCrowd(crowd);
}

// A packed crowd against the end of a room, then the other way.
static void testWall(void** state)
{
    (void)state;
    Crowd* crowd = newCrowd(1);
    for (int32_t i = 0; i < 300; ++i)
        addAgent(crowd, 0.5 + 0.55 * (i % 30), 0.4 + 0.55 * (i / 30), 0.25f, 2.0f);
    const int32_t width = 30 * METRE, height = 6 * METRE;
    const thWallSegment room[4] = {{.ax = 0, .ay = 0, .bx = width, .by = 0},
                                   {.ax = width, .ay = 0, .bx = width, .by = height},
                                   {.ax = width, .ay = height, .bx = 0, .by = height},
                                   {.ax = 0, .ay = height, .bx = 0, .by = 0}};
    addWalls(crowd, room, 4);
    for (int32_t turn = 0; turn < 3; ++turn) {
        const double x = turn % 2 == 0 ? 100.0 : -100.0;
        for (int32_t row = 0; row < 300; ++row)
            setGoal(crowd, row, x, thiMetres(crowd->rows.py[row]));
        for (int32_t i = 0; i < 200; ++i) {
            stepUnjudged(crowd, 0.1f);
            if (i % 5 == 0)
                assert_null(judge(crowd));
            moveAll(crowd);
        }
        int32_t there = 0;
        for (int32_t row = 0; row < 300; ++row) {
            const double at = thiMetres(crowd->rows.px[row]);
            assert_true(at > 0.0 && at < 30.0);
            there += turn % 2 == 0 ? at > 15.0 : at < 15.0;
        }
        printf("wall, turn %d: %d of 300 arrive, %.5f cut\n", turn, there,
               (double)crowd->cuts / (double)crowd->steps);
        assert_int_equal(there, 300);
    }
    endCrowd(crowd);
}

// A lorry driven by the host through a standing crowd.
static void testExternal(void** state)
{
    (void)state;
    Crowd* crowd = newCrowd(1);
    fillDisc(crowd, 400, 1.0, 0.25f, 4.0f);
    const int32_t lorry = addAgent(crowd, -5.0, 10.0, 1.5f, 0.0f);
    crowd->rows.flags[lorry] |= th_agentExternal;
    for (int32_t i = 0; i < 400; ++i) {
        crowd->rows.px[lorry] += METRE / 10;
        step(crowd, 0.1f);
    }
    assert_true(deepest(crowd) <= 0.00901);
    endCrowd(crowd);
}

static void testFloors(void** state)
{
    (void)state;
    Crowd* crowd = newCrowd(1);
    for (int32_t i = 0; i < 50; ++i)
        crowd->rows.level[addAgent(crowd, 1.0, 1.0, 0.25f, 2.0f)] = (uint16_t)(1300 * i);
    const int32_t ghost = addAgent(crowd, 1.0, 1.0, 0.25f, 2.0f);
    crowd->rows.layers[ghost] = crowd->rows.mask[ghost] = 2;
    for (int32_t row = 0; row < 50; ++row)
        crowd->rows.mask[row] = 1;
    step(crowd, 0.1f);
    assert_int_equal(crowd->stats.contacts, 0);
    for (int32_t row = 0; row <= 50; ++row)
        assert_int_equal(crowd->rows.px[row], METRE);
    endCrowd(crowd);
}

// Who meets nobody goes to its target, however far others are.
static void testAlone(void** state)
{
    (void)state;
    Crowd* crowd = newCrowd(1);
    thGenerator g = makeGenerator(9, 9);
    for (int32_t i = 0; i < 500; ++i) {
        const double x = (double)drawFloat(&g, -29990.0f, 29990.0f);
        const double y = (double)drawFloat(&g, -29990.0f, 29990.0f);
        const int32_t row = addAgent(crowd, x, y, 0.25f, 2.0f);
        crowd->rows.level[row] = (uint16_t)drawInt(&g, 0, 65535);
        setGoal(crowd, row, 0.0, 0.0);
    }
    chooseTargets(crowd, 0.1f);
    int32_t wanted[500];
    memcpy(wanted, crowd->x, sizeof wanted);
    assert_int_equal(solve(crowd, 0.1f), th_resultOk);
    assert_memory_equal(wanted, crowd->x, sizeof wanted);
    assert_true(crowd->memory.bytes < 4000000);
    crowd->rows.count = 0;
    assert_int_equal(solve(crowd, 0.1f), th_resultOk);
    crowd->rows.count = 1;
    assert_int_equal(solve(crowd, 0.1f), th_resultOk);
    endCrowd(crowd);
}

// At 10 m/s and a second a step two would change places without touching at either end.
static void testFast(void** state)
{
    (void)state;
    for (int32_t offset = 0; offset < 20; ++offset) {
        Crowd* crowd = newCrowd(1);
        const double aside = 0.03 * offset;
        setGoal(crowd, addAgent(crowd, -3.0, 0.0, 0.25f, 10.0f), 3.0, 0.0);
        setGoal(crowd, addAgent(crowd, 3.0, aside, 0.25f, 10.0f), -3.0, aside);
        for (int32_t i = 0; i < 10; ++i)
            step(crowd, 1.0f);
        endCrowd(crowd);
    }
}

// One giant and one who is very fast do not widen the cells of all; here only that they are seen.
static void testClasses(void** state)
{
    (void)state;
    Crowd* crowd = newCrowd(1);
    fillDisc(crowd, 600, 2.0, 0.25f, 2.0f);
    setGoal(crowd, addAgent(crowd, -8.0, 8.0, 3.0f, 3.0f), 30.0, 8.0);
    setGoal(crowd, addAgent(crowd, -8.0, 2.0, 0.3f, 60.0f), 40.0, 12.0);
    setGoal(crowd, addAgent(crowd, 40.0, 8.0, 30.0f, 1.0f), 0.0, 8.0);
    for (int32_t i = 0; i < 80; ++i)
        step(crowd, 0.1f);
    endCrowd(crowd);
}

// Determinism.

#define TRACED 160

typedef struct Trace {
    int64_t x[TRACED], y[TRACED]; // by key
    int64_t contacts, cuts;
} Trace;

static void runTrace(Trace* trace, int32_t workers, thSimd simd, uint64_t order, bool walls)
{
    Crowd* crowd = newCrowd(workers);
    crowd->simd = simd;
    thGenerator g = makeGenerator(21, 4);
    for (int32_t i = 0; i < TRACED; ++i) {
        const float radius = i % 40 == 0 ? 1.5f : drawFloat(&g, 0.2f, 0.35f);
        const double x = (double)drawFloat(&g, 0, 8), y = (double)drawFloat(&g, 0, 8);
        const int32_t row = addAgent(crowd, x, y, radius, drawFloat(&g, 1, i % 50 == 1 ? 20 : 3));
        setGoal(crowd, row, 4.0, 4.0);
        crowd->rows.flags[row] |= i % 97 == 0 ? th_agentExternal : 0u;
    }
    if (walls)
        putWallsAtRandom(crowd, &g);
    *trace = (Trace){0};
    thGenerator orderer = makeGenerator(order, 1);
    for (int32_t i = 0; i < 8; ++i) {
        if (order != 0)
            shuffle(crowd, &orderer);
        stepUnjudged(crowd, 0.1f);
        moveAll(crowd);
        trace->contacts += crowd->stats.contacts + 1000000 * crowd->stats.rounds;
        trace->cuts += crowd->stats.cuts;
    }
    for (int32_t row = 0; row < TRACED; ++row) {
        const uint64_t at = crowd->rows.key[row] - 1000;
        trace->x[at] = crowd->rows.px[row];
        trace->y[at] = crowd->rows.py[row];
    }
    endCrowd(crowd);
}

static void testSameBits(void** state)
{
    (void)state;
    static Trace wanted, trace;
    for (int32_t walls = 0; walls < 2; ++walls) {
        runTrace(&wanted, 1, th_simdScalar, 0, walls != 0);
        assert_true(wanted.cuts > 0);
        for (int32_t workers = 1; workers <= 8; workers += workers < 3 ? 1 : 5) {
            runTrace(&trace, workers, th_simdAuto, 0, walls != 0);
            assert_memory_equal(&wanted, &trace, sizeof trace);
            runTrace(&trace, workers, th_simdAuto, (uint64_t)workers, walls != 0);
            assert_memory_equal(&wanted, &trace, sizeof trace);
        }
        for (int32_t simd = th_simdScalar; simd < th_simdCount; ++simd) {
            runTrace(&trace, 1, (thSimd)simd, 0, walls != 0);
            assert_memory_equal(&wanted, &trace, sizeof trace);
        }
    }
}

// The rounds as they are meant: all cells are visited in every round, agent by agent. For equal
// bodies without walls, of which none can pass through another.

typedef struct Plain {
    int32_t count, round;
    int32_t radius, budget, side; // units
    int32_t column[TRACED], line[TRACED];
    int32_t order[TRACED]; // by cell and key
    const int32_t *fromX, *fromY;
    int32_t x[TRACED], y[TRACED];
} Plain;

static int64_t placeInOrder(const Plain* plain, int32_t agent)
{
    return ((int64_t)plain->line[agent] * 100000 + plain->column[agent]) * 100000 + agent;
}

static void layPlain(Plain* plain, const Crowd* crowd, float dt)
{
    const thRows* rows = &crowd->rows;
    const float way = fminf(rows->maxSpeed[0] * dt, rows->radius[0]);
    plain->count = rows->count;
    plain->radius = (int32_t)ceilf(rows->radius[0] * METRE);
    plain->budget = (int32_t)(way * METRE);
    float reach = (float)(plain->radius + plain->budget + 2); // up to the next eighth of an octave
    uint32_t bits;
    memcpy(&bits, &reach, sizeof bits);
    bits = ((bits >> 20) + 1) << 20;
    memcpy(&reach, &bits, sizeof reach);
    plain->side = 2 * (int32_t)reach;
    int32_t lowX = INT32_MAX, lowY = INT32_MAX;
    for (int32_t i = 0; i < rows->count; ++i) {
        lowX = TH_MIN(lowX, rows->px[i]);
        lowY = TH_MIN(lowY, rows->py[i]);
    }
    for (int32_t i = 0; i < rows->count; ++i) {
        plain->column[i] = (rows->px[i] - lowX) / plain->side;
        plain->line[i] = (rows->py[i] - lowY) / plain->side;
        plain->x[i] = crowd->x[i];
        plain->y[i] = crowd->y[i];
    }
    for (int32_t i = 0; i < rows->count; ++i) { // rows are in the order of keys
        int32_t at = i;
        for (; at > 0 && placeInOrder(plain, plain->order[at - 1]) > placeInOrder(plain, i); --at)
            plain->order[at] = plain->order[at - 1];
        plain->order[at] = i;
    }
    plain->fromX = rows->px;
    plain->fromY = rows->py;
}

// What is left of the radii of pairs that are not pushed.
static float leastShare(const Plain* plain)
{
    return plain->round == 0 ? 1.0f : 1.0f - 0.0035f;
}

static bool isDeep(const Plain* plain, int32_t a, int32_t b)
{
    const float x = (float)(plain->x[b] - plain->x[a]), y = (float)(plain->y[b] - plain->y[a]);
    const float least = (float)(2 * plain->radius) * leastShare(plain);
    return x * x + y * y < least * least;
}

static int32_t pushPlain(Plain* plain, int32_t agent, double x, double y)
{
    x += plain->x[agent] - plain->fromX[agent];
    y += plain->y[agent] - plain->fromY[agent];
    const double square = x * x + y * y, budget = plain->budget;
    const double factor = square > budget * budget ? budget / sqrt(square) : 1.0;
    const int32_t toX = plain->fromX[agent] + (int32_t)(factor < 1.0 ? x * factor : x);
    const int32_t toY = plain->fromY[agent] + (int32_t)(factor < 1.0 ? y * factor : y);
    const int32_t moved = toX != plain->x[agent] || toY != plain->y[agent];
    plain->x[agent] = toX;
    plain->y[agent] = toY;
    return moved;
}

static int32_t meetPlain(Plain* plain, int32_t a, int32_t b, float share)
{
    const double x = (double)plain->x[b] - plain->x[a], y = (double)plain->y[b] - plain->y[a];
    const double square = x * x + y * y, radii = 2.0 * plain->radius;
    const double least = radii * (double)leastShare(plain);
    if (!(square < least * least))
        return 0;
    const double distance = sqrt(square), inverse = 1.0 / distance;
    const double deep = radii * (double)(1.0f - 0.0035f);
    const double push = (square < deep * deep ? (double)share : 0.5) * (radii - distance);
    const double alongX = x * inverse, alongY = y * inverse;
    return pushPlain(plain, a, -push * alongX, -push * alongY) +
           pushPlain(plain, b, push * alongX, push * alongY);
}

// With those behind it in its own cell and in the next; or in three cells of the next line.
static int32_t meetLine(Plain* plain, int32_t place, bool isOwnLine, float share)
{
    const int32_t a = plain->order[place], from = plain->column[a] - (isOwnLine ? 0 : 1);
    bool deep[TRACED];
    int32_t moves = 0;
    for (int32_t pass = 0; pass < 2; ++pass) // who is deep is asked before somebody is moved
        for (int32_t i = isOwnLine ? place + 1 : 0; i < plain->count; ++i) {
            const int32_t b = plain->order[i];
            const bool isThere = plain->line[b] == plain->line[a] + (isOwnLine ? 0 : 1) &&
                                 plain->column[b] >= from &&
                                 plain->column[b] <= plain->column[a] + 1;
            if (pass == 0)
                deep[i] = isThere && isDeep(plain, a, b);
            else if (deep[i])
                moves += meetPlain(plain, a, b, share);
        }
    return moves;
}

static int32_t solvePlain(Plain* plain)
{
    const int32_t colors[6] = {0, 3, 4, 1, 2, 5};
    for (int32_t round = 0; round < 256; ++round) {
        int32_t moves = 0;
        plain->round = round;
        for (int32_t c = 0; c < 6; ++c)
            for (int32_t i = 0; i < plain->count; ++i) {
                const int32_t a = plain->order[i];
                if (plain->column[a] % 3 + 3 * (plain->line[a] % 2) != colors[c])
                    continue;
                moves += meetLine(plain, i, true, round < 16 ? 0.9f : 0.96f);
                moves += meetLine(plain, i, false, round < 16 ? 0.9f : 0.96f);
            }
        if (moves == 0)
            return round;
    }
    return 256;
}

static void testPlainRounds(void** state)
{
    (void)state;
    static Plain plain;
    for (int32_t density = 1; density <= 4; ++density) {
        Crowd* crowd = newCrowd(2);
        fillDisc(crowd, TRACED, density == 4 ? 3.8 : density, 0.25f, 2.0f);
        thGenerator g = makeGenerator(77, (uint64_t)density);
        const double side = sqrt(TRACED / (double)density);
        for (int32_t row = 0; row < TRACED; ++row)
            setGoal(crowd, row, side * (double)drawUnit(&g), side * (double)drawUnit(&g));
        int32_t rounds = 0;
        for (int32_t i = 0; i < 60; ++i) {
            chooseTargets(crowd, 0.1f);
            layPlain(&plain, crowd, 0.1f);
            const int32_t wanted = solvePlain(&plain);
            assert_int_equal(solve(crowd, 0.1f), th_resultOk);
            assert_int_equal(crowd->stats.cuts, 0);
            assert_int_equal(crowd->stats.rounds, wanted);
            for (int32_t row = 0; row < TRACED; ++row) {
                assert_int_equal(crowd->x[row], plain.x[row]);
                assert_int_equal(crowd->y[row], plain.y[row]);
            }
            rounds += wanted;
            moveAll(crowd);
        }
        printf("plain rounds, %d/m2: %d in 60 steps\n", density, rounds);
        assert_true(rounds > 10);
        endCrowd(crowd);
    }
}

// Memory.

static thResult pressAndTell(const thAllocator* allocator, void* context)
{
    (void)context;
    Crowd* crowd = malloc(sizeof *crowd);
    thResult code = openCrowd(crowd, allocator, 1);
    if (code == th_resultOk) {
        fillDisc(crowd, 200, 4.0, 0.25f, 2.0f);
        addAgent(crowd, 3.0, 3.0, 4.0f, 2.0f);
        for (int32_t row = 0; row < 200; ++row)
            setGoal(crowd, row, 3.0, 3.0);
        chooseTargets(crowd, 0.1f);
        code = solve(crowd, 0.1f);
        if (code == th_resultOk)
            moveAll(crowd);
        for (int32_t row = 0; row < 200 && code != th_resultOk; ++row)
            assert_int_equal(crowd->pressure[row], 0);
    }
    closeCrowd(crowd);
    free(crowd);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    assert_true(failEachAllocation(pressAndTell, NULL) > 20);
}

static void testWarm(void** state)
{
    (void)state;
    for (int32_t workers = 1; workers <= 3; workers += 2) {
        Crowd* crowd = newCrowd(workers);
        fillDisc(crowd, 600, 4.0, 0.25f, 2.0f);
        for (int32_t row = 0; row < 600; ++row)
            setGoal(crowd, row, 6.0 + (row % 7), 6.0);
        for (int32_t i = 0; i < 60; ++i) {
            stepUnjudged(crowd, 0.1f);
            moveAll(crowd);
        }
        const uint64_t calls = crowd->memory.calls;
        for (int32_t i = 0; i < 60; ++i) {
            stepUnjudged(crowd, 0.1f);
            moveAll(crowd);
        }
        assert_int_equal(crowd->memory.calls, calls);
        endCrowd(crowd);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRoots),    cmocka_unit_test(testRules),
        cmocka_unit_test(testRelief),   cmocka_unit_test(testAnyCrowd),
        cmocka_unit_test(testPress),    cmocka_unit_test(testPile),
        cmocka_unit_test(testWall),     cmocka_unit_test(testExternal),
        cmocka_unit_test(testFloors),   cmocka_unit_test(testAlone),
        cmocka_unit_test(testFast),     cmocka_unit_test(testClasses),
        cmocka_unit_test(testSameBits), cmocka_unit_test(testPlainRounds),
        cmocka_unit_test(testNoMemory), cmocka_unit_test(testWarm),
    };
    return RUN_TESTS(tests, argc, argv);
}
